// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingrow.h"

#include "app/apply/describe.h"
#include "app/bench/measurement.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QComboBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSignalBlocker>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// The same in every row, so that editors and facts stand below each other on the whole page.
static constexpr int editorWidth = 208;
static constexpr int factsWidth = 160;
// Where the text of an expander begins, so that what is said below begins there too.
static constexpr int textIndent = 21;

SettingRow::SettingRow(SettingListModel &model, int row, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_row(row)
    , m_title(new Expander(model.index(row).data().toString(), this))
    , m_summary(new Label(Label::Role::Muted, model.index(row).data(SettingListModel::SummaryRole).toString(),
                          this))
    , m_editorPlace(new QHBoxLayout)
    , m_marks(new Label(Label::Role::Accent, this))
    , m_default(new Label(Label::Role::Muted, this))
    , m_problem(new Label(Label::Role::Alarm, this))
    , m_details(new QWidget(this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(space::unit, space::unit, space::card, space::unit);
    grid->setHorizontalSpacing(space::card);
    grid->setVerticalSpacing(0);
    auto *names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(m_title, 0, Qt::AlignLeft);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(textIndent, 0, 0, 0);
    names->addWidget(m_summary);
    m_title->setAccessibleDescription(tr("Opens what this setting does, what it costs and its kernel name."));
    auto *factsPlace = new QWidget(this);
    factsPlace->setFixedWidth(factsWidth);
    auto *facts = new QVBoxLayout(factsPlace);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(0);
    m_marks->setWordWrap(true);
    facts->addWidget(m_marks);
    facts->addWidget(m_default);
    m_editorPlace->setSpacing(space::unit);
    grid->addLayout(names, 0, 0, Qt::AlignVCenter);
    auto *editorPlace = new QWidget(this);
    editorPlace->setFixedWidth(editorWidth);
    editorPlace->setLayout(m_editorPlace);
    m_editorPlace->setContentsMargins(0, 0, 0, 0);
    grid->addWidget(editorPlace, 0, 1, Qt::AlignVCenter);
    grid->addWidget(factsPlace, 0, 2, Qt::AlignVCenter);
    grid->setColumnStretch(0, 1);
    m_problem->setWordWrap(true);
    m_problem->hide();
    grid->addWidget(m_problem, 1, 1, 1, 3);
    m_details->hide();
    grid->addWidget(m_details, 2, 0, 1, 4);
    connect(m_title, &Expander::opened, this, [this](bool open) {
        if (open)
            buildDetails();
        m_details->setVisible(open);
    });
    refresh();
    // Made after the editor: the Tab key goes in the order of making.
    if (isPerDisk(model.entry(row).now().spec->domain)) {
        buildMeasure();
        grid->addWidget(m_measure, 0, 3, Qt::AlignVCenter);
    }
}

void SettingRow::buildMeasure()
{
    m_measure = new QPushButton(tr("Measure…"), this);
    m_measure->setFlat(true);
    QPalette link = m_measure->palette();
    link.setColor(QPalette::ButtonText, accentColor(link));
    m_measure->setPalette(link);
    m_measure->setAccessibleName(tr("Measure %1").arg(m_title->text()));
    m_measure->setAccessibleDescription(
        tr("Compares the value of now with another one by turns and says which is faster."));
    // Its place stays free in the rows that have nothing to measure: the editors stand below each other.
    QSizePolicy policy = m_measure->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_measure->setSizePolicy(policy);
    m_measure->setVisible(canMeasure());
    connect(m_measure, &QPushButton::clicked, this,
            [this] { Q_EMIT measureWanted(m_model.entry(m_row).now().address()); });
}

// Of a limit in two units the one that is in force is measured.
bool SettingRow::canMeasure() const
{
    return canChange() && bench::fittingTest(m_model.entry(m_row).now().address()).has_value();
}

bool SettingRow::canChange() const
{
    return m_model.entry(m_row).now().state == ObservedState::Current;
}

void SettingRow::reveal()
{
    m_title->setChecked(true);
    if (QWidget *target = m_editor && m_editor->focusProxy() ? m_editor->focusProxy() : m_title)
        target->setFocus(Qt::OtherFocusReason);
}

void SettingRow::showValue()
{
    if (m_editor) {
        m_editor->hide();
        m_editor->deleteLater();
        m_editor = nullptr;
    }
    if (!m_value) {
        m_value = new Label(Label::Role::Body, this);
        m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_value->setWordWrap(true);
        m_editorPlace->insertWidget(0, m_value, 1);
    }
    m_value->setText(m_model.index(m_row).data(SettingListModel::NowRole).toString());
    m_value->setAccessibleName(tr("%1: %2").arg(m_title->text(), m_value->text()));
    m_value->show();
}

void SettingRow::buildEditor()
{
    const auto &entry = m_model.entry(m_row);
    if (m_editor) {
        m_editorPlace->removeWidget(m_editor);
        m_editor->hide();
        m_editor->deleteLater();
    }
    const Observation &unit = entry.units[m_shownUnit];
    if (m_value)
        m_value->hide();
    m_editor = createEditor(*unit.spec, unit.offered, this);
    m_editor->describe(m_title->text(), m_summary->text());
    connect(m_editor, &Editor::edited, this, &SettingRow::take);
    m_editorPlace->insertWidget(0, m_editor, 1);
    setTabOrder(m_title, m_editor->focusProxy());
    if (entry.units.size() > 1 && !m_unit) {
        m_unit = new QComboBox(this);
        for (const Observation &choice : entry.units) {
            const auto *range = std::get_if<Range>(&choice.spec->accepts);
            const bool bytes = range && range->unit == Unit::Bytes;
            m_unit->addItem(bytes   ? tr("amount")
                            : range ? unitText(range->unit)
                                    : toQString(choice.spec->key));
        }
        m_unit->setAccessibleName(tr("Unit of %1").arg(m_title->text()));
        m_unit->setAccessibleDescription(tr("One limit in two units: setting one puts the other to 0."));
        m_editorPlace->addWidget(m_unit);
        connect(m_unit, &QComboBox::activated, this, &SettingRow::chooseUnit);
    }
    if (m_unit) {
        setTabOrder(m_editor->focusProxy(), m_unit);
        // The choice of the unit says it already, except which multiple of bytes is shown.
        const auto *range = std::get_if<Range>(&unit.spec->accepts);
        m_editor->setUnitShown(range && range->unit == Unit::Bytes);
    }
}

void SettingRow::chooseUnit(int unit)
{
    const auto &entry = m_model.entry(m_row);
    m_shownUnit = static_cast<std::size_t>(unit);
    buildEditor();
    if (m_shownUnit == entry.active) {
        m_model.unstage(m_row);
        m_editor->setValue(entry.now().value.value_or(number(0)));
        return;
    }
    // A first value in the other unit that a person can start from; nothing is staged before it is changed.
    const auto *range = std::get_if<Range>(&entry.units[m_shownUnit].spec->accepts);
    if (range)
        m_editor->setValue(number(range->unit == Unit::Bytes
                                      ? std::int64_t{256} << 20
                                      : std::clamp<std::int64_t>(10, range->min, range->max)));
    take(m_editor->value());
}

void SettingRow::take(const Value &value)
{
    const auto done = m_model.stage(m_row, m_shownUnit, value);
    m_problem->setVisible(!done.has_value());
    if (!done) {
        QString text = describe(done.error().code, done.error().sysErrno);
        if (!done.error().accepted.empty())
            text += u' ' + tr("Accepted: %1.").arg(toQString(done.error().accepted));
        m_problem->setText(u"⚠ "_s + text);
    }
}

void SettingRow::refresh()
{
    const auto &entry = m_model.entry(m_row);
    const Observation &shown = m_model.shownUnit(m_row);
    const std::size_t unit = static_cast<std::size_t>(&shown - entry.units.data());
    if (canChange()) {
        // While another unit is chosen and not edited yet, the editor stays as the user left it.
        if (!m_editor || (unit != m_shownUnit && (m_model.stagedEdit(m_row) || !m_unit->hasFocus()))) {
            m_shownUnit = unit;
            buildEditor();
        }
        if (m_unit)
            m_unit->setCurrentIndex(static_cast<int>(m_shownUnit));
        if (const auto value = m_model.shownValue(m_row); value && unit == m_shownUnit)
            m_editor->setValue(*value);
    } else {
        showValue();
    }
    QStringList marks;
    QStringList sentences;
    for (const auto &mark : m_model.marks(m_row)) {
        marks << mark.sign + u'\u00a0' + mark.word;
        sentences << mark.sentence;
    }
    m_marks->setText(marks.join(u"   "_s));
    m_marks->setToolTip(sentences.join(u'\n'));
    m_marks->setAccessibleName(sentences.join(u' '));
    m_marks->setVisible(!marks.isEmpty());
    const QModelIndex index = m_model.index(m_row);
    const QString byDefault = canChange() ? index.data(SettingListModel::DefaultRole).toString()
                                          : index.data(SettingListModel::ReasonRole).toString();
    const bool differs = canChange() && index.data(SettingListModel::DiffersRole).toBool();
    m_default->setText(differs ? u"≠\u00a0"_s + byDefault : byDefault);
    m_default->setToolTip(differs ? tr("Differs from its %1.").arg(byDefault) : QString());
    m_default->setAccessibleName(differs ? m_default->toolTip() : byDefault);
    m_default->setWordWrap(!canChange());
    m_default->setVisible(!byDefault.isEmpty());
    if (m_editor) {
        QStringList description{m_summary->text()};
        description << sentences << m_default->accessibleName();
        description.removeAll(QString());
        m_editor->describe(m_title->text(), description.join(u". "_s));
    }
    if (m_measure)
        m_measure->setVisible(canMeasure());
    if (m_forget) {
        const bool kept =
            std::ranges::any_of(entry.units, [](const Observation &row) { return row.kept.has_value(); });
        m_forget->setVisible(kept);
    }
}

void SettingRow::buildDetails()
{
    if (m_detailsBuilt)
        return;
    m_detailsBuilt = true;
    auto *layout = new QVBoxLayout(m_details);
    layout->setContentsMargins(textIndent, space::unit, 0, space::half);
    layout->setSpacing(space::unit);
    const auto &entry = m_model.entry(m_row);
    const SettingSpec &spec = *entry.now().spec;
    auto *text = new Label(Label::Role::Body, settingExplanation(spec), m_details);
    text->setWordWrap(true);
    auto *risk = new Label(Label::Role::Body, riskText(spec.risk), m_details);
    risk->setWordWrap(true);
    QStringList names;
    for (const Observation &unit : entry.units)
        names << settingOrigin(*unit.spec);
    auto *origin = new Label(Label::Role::Muted, tr("Kernel: %1").arg(names.join(u" · "_s)), m_details);
    origin->setWordWrap(true);
    layout->addWidget(text);
    layout->addWidget(risk);
    layout->addWidget(origin);
    m_forget = new QPushButton(tr("Stop at every start"), m_details);
    m_forget->setAccessibleDescription(tr("The value of now stays until the next start."));
    layout->addWidget(m_forget, 0, Qt::AlignLeft);
    connect(m_forget, &QPushButton::clicked, this, [this] {
        for (const Observation &unit : m_model.entry(m_row).units) {
            if (unit.kept) {
                Q_EMIT forgetWanted(unit.address());
                return;
            }
        }
    });
    refresh();
}

} // namespace diskwright::ui
