// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "numberbox.h"

#include "ui/text/format.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QStyleOptionSpinBox>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

static constexpr qint64 mebi = 1'048'576;
static constexpr qint64 kibi = 1024;

NumberBox::NumberBox(const Range &range, QWidget *parent)
    : QAbstractSpinBox(parent)
    , m_range(range)
    , m_value(range.min)
{
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
    // Staged while typing: a value that is complete and on the grid counts at once, without Enter.
    connect(lineEdit(), &QLineEdit::textEdited, this, [this](const QString &text) {
        const auto typed = parse(text);
        if (typed && *typed == onGrid(*typed) && *typed != m_value) {
            m_value = *typed;
            Q_EMIT edited(m_value);
        }
    });
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] {
        if (const auto typed = parse(lineEdit()->text()))
            take(onGrid(*typed));
        else
            showValue();
    });
    showValue();
}

void NumberBox::setValue(qint64 value)
{
    if (m_value == value && lineEdit()->hasFocus())
        return;
    // What is half typed is not replaced by what was just read; what counts already may be taken back.
    const bool isHalfTyped =
        lineEdit()->hasFocus() && lineEdit()->isModified() && parse(lineEdit()->text()) != m_value;
    m_value = value;
    if (!isHalfTyped)
        showValue();
}

QString NumberBox::unitText() const
{
    if (m_range.unit != Unit::Bytes)
        return ui::unitText(m_range.unit);
    return m_scale == mebi ? u"MiB"_s : u"KiB"_s;
}

void NumberBox::chooseScale()
{
    if (m_range.unit != Unit::Bytes)
        return;
    const qint64 scale = m_value % mebi == 0 && m_value != 0 ? mebi : kibi;
    if (scale == m_scale)
        return;
    m_scale = scale;
    Q_EMIT unitChanged(unitText());
}

void NumberBox::showValue()
{
    chooseScale();
    lineEdit()->setText(numberText(m_value / m_scale));
}

void NumberBox::take(qint64 value)
{
    const bool changed = value != m_value;
    m_value = value;
    showValue();
    if (changed)
        Q_EMIT edited(m_value);
}

std::optional<qint64> NumberBox::parse(const QString &text) const
{
    bool ok = false;
    QString plain = text.trimmed();
    // Group separators of any kind may be typed or left out.
    plain.remove(QLocale().groupSeparator()).remove(u'\u202f').remove(u'\u00a0').remove(u' ');
    const qint64 typed = QLocale().toLongLong(plain, &ok);
    if (!ok || typed < 0 || typed > std::numeric_limits<qint64>::max() / m_scale)
        return std::nullopt;
    return typed * m_scale;
}

qint64 NumberBox::onGrid(qint64 value) const
{
    const qint64 bounded = std::clamp<qint64>(value, m_range.min, m_range.max);
    const qint64 down = bounded / m_range.step * m_range.step;
    const qint64 up = std::min<qint64>(down + m_range.step, m_range.max);
    const qint64 nearest = bounded - down <= up - bounded ? down : up;
    return std::max<qint64>(nearest, m_range.min);
}

qint64 NumberBox::next(qint64 value, bool up) const
{
    const bool narrow = (m_range.max - m_range.min) / m_range.step <= 200;
    if (narrow)
        return value + (up ? m_range.step : -m_range.step);
    const bool time = m_range.unit == Unit::Milliseconds || m_range.unit == Unit::Microseconds ||
                      m_range.unit == Unit::Nanoseconds || m_range.unit == Unit::Centiseconds ||
                      m_range.unit == Unit::Seconds;
    qint64 below = 0;
    qint64 rung = time ? 1 : std::max<qint64>(m_range.step, 1);
    for (int index = 0; rung < value; ++index) {
        below = rung;
        // 1, 2, 5, 10 … for times, powers of two for sizes and counts.
        rung = !time ? rung * 2 : index % 3 == 1 ? rung / 2 * 5 : rung * 2;
    }
    if (!up)
        return below;
    if (rung > value)
        return rung;
    if (!time)
        return value > 0 ? rung * 2 : rung;
    qint64 lead = rung;
    while (lead >= 10)
        lead /= 10;
    return lead == 2 ? rung / 2 * 5 : rung * 2;
}

void NumberBox::stepBy(int steps)
{
    qint64 value = m_value;
    for (int i = 0; i < std::abs(steps); ++i)
        value = onGrid(next(value, steps > 0));
    take(value);
    selectAll();
}

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const
{
    StepEnabled enabled = StepNone;
    if (m_value < m_range.max)
        enabled |= StepUpEnabled;
    if (m_value > m_range.min)
        enabled |= StepDownEnabled;
    return enabled;
}

void NumberBox::fixup(QString &input) const
{
    if (const auto typed = parse(input))
        input = numberText(onGrid(*typed) / m_scale);
}

QValidator::State NumberBox::validate(QString &input, int &) const
{
    if (input.isEmpty())
        return QValidator::Intermediate;
    const auto typed = parse(input);
    if (!typed)
        return QValidator::Invalid;
    return *typed == onGrid(*typed) ? QValidator::Acceptable : QValidator::Intermediate;
}

bool NumberBox::event(QEvent *event)
{
    // The spin box hands this event to its line edit itself, so that no filter on the line edit would see it.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent *>(event)->matches(QKeySequence::Undo)) {
        // What is half typed goes with the edit that is taken back.
        showValue();
        event->ignore();
        return true;
    }
    return QAbstractSpinBox::event(event);
}

QSize NumberBox::sizeHint() const
{
    ensurePolished();
    const int digits = m_range.unit == Unit::Bytes ? 10 : 8;
    const QFontMetrics metrics(font());
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    const QSize text(metrics.horizontalAdvance(QString(digits, u'0')), lineEdit()->sizeHint().height());
    return style()->sizeFromContents(QStyle::CT_SpinBox, &option, text, this);
}

void NumberBox::wheelEvent(QWheelEvent *event)
{
    // A wheel that scrolls the page must not change a value that happens to lie under the pointer.
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    QAbstractSpinBox::wheelEvent(event);
}

void NumberBox::focusOutEvent(QFocusEvent *event)
{
    QAbstractSpinBox::focusOutEvent(event);
    showValue();
}

} // namespace diskwright::ui
