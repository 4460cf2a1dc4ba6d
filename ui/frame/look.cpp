// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "look.h"

#include <QApplication>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QTextDocument>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace diskwright::ui {

static QColor mixed(const QColor &a, const QColor &b, qreal shareOfA)
{
    return QColor::fromRgbF(float(a.redF() * shareOfA + b.redF() * (1 - shareOfA)),
                            float(a.greenF() * shareOfA + b.greenF() * (1 - shareOfA)),
                            float(a.blueF() * shareOfA + b.blueF() * (1 - shareOfA)));
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F;
}

QPalette darkPalette()
{
    const QColor window(0x2a, 0x2d, 0x31);
    const QColor text(0xf2, 0xf3, 0xf4);
    QPalette palette(QColor(0x3a, 0x3e, 0x44), window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::ToolTipBase, window);
    palette.setColor(QPalette::Base, QColor(0x1f, 0x22, 0x25));
    palette.setColor(QPalette::AlternateBase, QColor(0x25, 0x28, 0x2c));
    palette.setColor(QPalette::PlaceholderText, QColor(0xa6, 0xaa, 0xb0));
    palette.setColor(QPalette::Highlight, QColor(0x2f, 0x6f, 0xb5));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Accent, QColor(0x3d, 0x8f, 0xe0));
    palette.setColor(QPalette::Link, QColor(0x7a, 0xb8, 0xf5));
    const QColor dim(0x82, 0x86, 0x8c);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, dim);
    return palette;
}

QColor mutedColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window),
                 isDark(palette) ? 0.66 : 0.62);
}

QColor lineColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.14);
}

QColor cardColor(const QPalette &palette)
{
    // In dark palettes Base is the darkest ground there is; a card is to come forward instead.
    return isDark(palette) ? mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.05)
                           : palette.color(QPalette::Base);
}

QColor sidebarColor(const QPalette &palette)
{
    return isDark(palette)
               ? palette.color(QPalette::Window).darker(118)
               : mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.035);
}

QColor accentColor(const QPalette &palette)
{
    const QColor accent = palette.color(QPalette::Accent);
    return isDark(palette) ? mixed(accent, Qt::white, 0.55) : mixed(accent, Qt::black, 0.8);
}

QColor alarmColor(const QPalette &palette)
{
    return isDark(palette) ? QColor(255, 138, 128) : QColor(176, 0, 32);
}

Label::Label(Role role, QWidget *parent)
    : QLabel(parent)
    , m_role(role)
{
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusPolicy(Qt::NoFocus);
    setTextFormat(Qt::PlainText);
    applyRole();
}

Label::Label(Role role, const QString &text, QWidget *parent)
    : Label(role, parent)
{
    setText(text);
}

void Label::setRole(Role role)
{
    m_role = role;
    applyRole();
}

// As narrow as a shortened text may become.
static constexpr int fewestLetters = 12;

void Label::setShortens()
{
    m_shortens = true;
    setWordWrap(false);
    setTextInteractionFlags(Qt::NoTextInteraction);
}

QSize Label::minimumSizeHint() const
{
    QSize size = QLabel::minimumSizeHint();
    if (m_shortens)
        size.setWidth(std::min(size.width(), fontMetrics().averageCharWidth() * fewestLetters));
    return size;
}

// Hints are whole pixels, a text is measured in parts of one: what fits must not be shortened for a fraction.
static constexpr int fraction = 1;

QString Label::shown() const
{
    return fontMetrics().elidedText(text(), Qt::ElideMiddle, contentsRect().width() + fraction);
}

// The whole of a text that is shown shortened, where no other tip is.
static bool showWhole(QWidget *widget, QEvent *event, const QString &text, const QString &shown)
{
    if (event->type() != QEvent::ToolTip || !widget->toolTip().isEmpty() || shown == text)
        return false;
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), Qt::convertFromPlainText(text), widget);
    return true;
}

bool Label::event(QEvent *event)
{
    return (m_shortens && showWhole(this, event, text(), shown())) || QLabel::event(event);
}

void Label::paintEvent(QPaintEvent *event)
{
    if (!m_shortens) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(),
                          static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment())),
                          palette(), isEnabled(), shown(), foregroundRole());
}

void Label::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (!m_applying &&
        (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ApplicationFontChange))
        applyRole();
}

void Label::applyRole()
{
    m_applying = true;
    const QPalette desktop = QApplication::palette();
    QFont text = QApplication::font();
    QColor color = desktop.color(QPalette::WindowText);
    switch (m_role) {
    case Role::Title:
        text.setPointSizeF(text.pointSizeF() * 1.5);
        text.setWeight(QFont::DemiBold);
        break;
    case Role::Heading: text.setWeight(QFont::DemiBold); break;
    case Role::Figure:
        text.setPointSizeF(text.pointSizeF() * 2.4);
        text.setWeight(QFont::DemiBold);
        break;
    case Role::Body: break;
    case Role::Muted: color = mutedColor(desktop); break;
    case Role::Accent:
        color = accentColor(desktop);
        text.setWeight(QFont::Medium);
        break;
    case Role::Alarm: color = alarmColor(desktop); break;
    }
    QPalette own = palette();
    own.setColor(QPalette::WindowText, color);
    own.setColor(QPalette::Text, color);
    setPalette(own);
    setFont(text);
    m_applying = false;
}

Card::Card(QWidget *parent)
    : QFrame(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(1);
}

void Card::addRow(QWidget *row)
{
    layout()->addWidget(row);
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(lineColor(palette()));
    painter.setBrush(cardColor(palette()));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    painter.setRenderHint(QPainter::Antialiasing, false);
    bool first = true;
    for (int i = 0; i < layout()->count(); ++i) {
        const QWidget *row = layout()->itemAt(i)->widget();
        if (!row || row->isHidden())
            continue;
        if (!first)
            painter.fillRect(QRect(space::card, row->y() - 1, width() - 2 * space::card, 1),
                             lineColor(palette()));
        first = false;
    }
}

Ground::Ground(Kind kind, QWidget *parent)
    : QFrame(parent)
    , m_kind(kind)
{
}

void Ground::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_kind == Kind::Sidebar) {
        painter.fillRect(rect(), sidebarColor(palette()));
        const int edge = layoutDirection() == Qt::LeftToRight ? width() - 1 : 0;
        painter.fillRect(QRect(edge, 0, 1, height()), lineColor(palette()));
    } else {
        painter.fillRect(rect(), cardColor(palette()));
        painter.fillRect(QRect(0, 0, width(), 1), lineColor(palette()));
    }
}

Expander::Expander(const QString &text, QWidget *parent)
    : QToolButton(parent)
{
    setText(text);
    setCheckable(true);
    setAutoRaise(true);
    setArrowType(Qt::RightArrow);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setAccessibleName(text);
    connect(this, &QToolButton::toggled, this, [this](bool open) {
        setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        Q_EMIT opened(open);
        if (m_target)
            m_target->setVisible(open);
    });
}

void Expander::setTarget(QWidget *target)
{
    m_target = target;
    target->setVisible(isChecked());
}

QSize Expander::minimumSizeHint() const
{
    QSize size = sizeHint();
    size.setWidth(std::min(size.width(), fontMetrics().averageCharWidth() * fewestLetters));
    return size;
}

QString Expander::shown() const
{
    const int arrow = sizeHint().width() - fontMetrics().horizontalAdvance(text());
    return fontMetrics().elidedText(text(), Qt::ElideMiddle, width() - arrow + fraction);
}

bool Expander::event(QEvent *event)
{
    return showWhole(this, event, text(), shown()) || QToolButton::event(event);
}

// The arrow says that it is open: no pressed button beside it.
void Expander::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.state.setFlag(QStyle::State_On, false);
    option.text = shown();
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

void useTabularFigures()
{
    QFont font = QApplication::font();
    font.setFeature("tnum", 1);
    QApplication::setFont(font);
}

} // namespace diskwright::ui
