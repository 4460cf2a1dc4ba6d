// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settinglistmodel.h"

#include "app/settings/texts.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

// About five rows a page that most people look for; the rest is one click away.
static bool isOften(const SettingSpec &spec)
{
    static constexpr auto often = std::to_array<std::string_view>(
        {"queue/scheduler", "queue/nr_requests", "queue/read_ahead_kb", "vm/dirty_background_bytes",
         "vm/dirty_background_ratio", "vm/dirty_bytes", "vm/dirty_ratio"});
    return std::ranges::find(often, spec.id) != often.end();
}

static QString translated(std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate(settingTextContext, text.data());
}

QString settingTitle(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    return text && !text->title.empty() ? translated(text->title) : toQString(spec.key);
}

QString settingSummary(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    return text ? translated(text->summary) : QString();
}

QString settingExplanation(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    return text ? translated(text->text) : QString();
}

QString settingOrigin(const SettingSpec &spec)
{
    const SettingText *text = findText(spec.id);
    QString origin = toQString(spec.key);
    if (text && !text->document.empty())
        origin += u" · "_s + toQString(text->document);
    return origin;
}

bool settingMatches(const SettingSpec &spec, const QString &filter)
{
    const QString wanted = filter.trimmed();
    if (wanted.isEmpty())
        return true;
    const auto holds = [&](const QString &text) { return text.contains(wanted, Qt::CaseInsensitive); };
    if (holds(toQString(spec.id)) || holds(settingTitle(spec)))
        return true;
    const SettingText *text = findText(spec.id);
    if (!text)
        return false;
    // Old spellings carry their value ("elevator=noop", "-a1024"): what is typed may be longer than the
    // alias.
    return holds(toQString(text->title)) || std::ranges::any_of(text->aliases, [&](std::string_view alias) {
               const QString known = toQString(alias);
               return holds(known) || (known.size() > 1 && wanted.startsWith(known, Qt::CaseInsensitive));
           });
}

SettingListModel::SettingListModel(const Machine &machine, StagedChanges &staged, std::string target,
                                   QObject *parent)
    : QAbstractListModel(parent)
    , m_machine(machine)
    , m_staged(staged)
    , m_target(std::move(target))
{
    connect(&machine, &Machine::settingsChanged, this, [this](const std::string &changed) {
        if (changed == m_target)
            rebuild();
    });
    connect(&staged, &StagedChanges::changed, this, &SettingListModel::refreshStaged);
    rebuild();
}

void SettingListModel::rebuild()
{
    const auto &observations = m_machine.settings(m_target);
    std::vector<Entry> entries;
    for (const Observation &observation : observations) {
        const std::string_view pair = observation.spec->pair;
        const auto other = std::ranges::find_if(
            entries, [&](const Entry &entry) { return !pair.empty() && entry.now().spec->id == pair; });
        if (other != entries.end()) {
            other->units.push_back(observation);
            // The kernel shows 0 in the one that is not in force.
            const auto inForce = std::ranges::find_if(
                other->units, [](const Observation &unit) { return unit.value && *unit.value != number(0); });
            if (inForce != other->units.end())
                other->active = static_cast<std::size_t>(inForce - other->units.begin());
            continue;
        }
        Entry entry;
        entry.units.push_back(observation);
        entry.group = observation.state == ObservedState::Absent ? SettingGroup::NotHere
                      : isOften(*observation.spec)               ? SettingGroup::Often
                                                                 : SettingGroup::All;
        entries.push_back(std::move(entry));
    }
    // In the order in which they take effect: a scheduler stands above what it resets.
    std::ranges::stable_sort(entries, {}, [](const Entry &entry) { return entry.now().spec->order; });
    for (Entry &entry : entries) {
        entry.matches = std::ranges::any_of(
            entry.units, [&](const Observation &unit) { return settingMatches(*unit.spec, m_filter); });
    }
    const bool sameRows = std::ranges::equal(entries, m_entries, [](const Entry &a, const Entry &b) {
        return a.now().spec->id == b.now().spec->id && a.group == b.group &&
               a.units.size() == b.units.size() && a.now().offered == b.now().offered;
    });
    if (sameRows && !m_entries.empty()) {
        m_entries = std::move(entries);
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    } else {
        beginResetModel();
        m_entries = std::move(entries);
        endResetModel();
    }
    for (const Observation &observation : observations)
        m_staged.refresh(observation.address(), observation.value);
}

void SettingListModel::refreshStaged()
{
    if (!m_entries.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

const StagedEdit *SettingListModel::stagedEdit(int row) const
{
    for (const Observation &unit : entry(row).units) {
        if (const StagedEdit *edit = m_staged.set().find(unit.address()))
            return edit;
    }
    return nullptr;
}

const Observation &SettingListModel::shownUnit(int row) const
{
    const Entry &shown = entry(row);
    for (const Observation &unit : shown.units) {
        if (m_staged.set().find(unit.address()))
            return unit;
    }
    return shown.now();
}

std::optional<Value> SettingListModel::shownValue(int row) const
{
    const StagedEdit *edit = stagedEdit(row);
    return edit ? std::optional(edit->wanted) : entry(row).now().value;
}

std::vector<SettingListModel::Mark> SettingListModel::marks(int row) const
{
    std::vector<Mark> marks;
    const Entry &shown = entry(row);
    if (const StagedEdit *edit = stagedEdit(row)) {
        const auto &now = shown.now();
        const QString value = now.value ? valueText(*now.spec, *now.value) : tr("not known");
        marks.push_back({u"●"_s, tr("staged, now %1").arg(value),
                         tr("%1 is staged and not applied yet. It is %2 now.")
                             .arg(valueText(*edit->spec, edit->wanted), value)});
    }
    for (const Observation &unit : shown.units) {
        if (unit.kept) {
            const QString value = valueText(*unit.spec, *unit.kept);
            const bool holds = unit.value == unit.kept;
            marks.push_back({u"⌂"_s, holds ? tr("every start") : tr("%1 at every start").arg(value),
                             tr("%1 is set at every start.").arg(value)});
        }
        if (unit.setBy) {
            marks.push_back(
                {u"▲"_s, toQString(*unit.setBy), tr("%1 sets this too.").arg(toQString(*unit.setBy))});
        }
        if (unit.spec->risk == Risk::DataLoss)
            marks.push_back({u"⚠"_s, tr("may lose data"), tr("A power cut or crash may lose data.")});
    }
    return marks;
}

Result<> SettingListModel::stage(int row, std::size_t unit, const Value &value)
{
    const Observation &observation = entry(row).units[unit];
    return m_staged.stage(observation.address(), observation.value, value);
}

void SettingListModel::unstage(int row)
{
    if (const StagedEdit *edit = stagedEdit(row))
        m_staged.unstage(Address(edit->address));
}

void SettingListModel::setFilter(const QString &text)
{
    if (m_filter == text)
        return;
    m_filter = text;
    for (Entry &shown : m_entries) {
        shown.matches = std::ranges::any_of(
            shown.units, [&](const Observation &unit) { return settingMatches(*unit.spec, m_filter); });
    }
    refreshStaged();
}

int SettingListModel::matchCount() const
{
    return static_cast<int>(std::ranges::count_if(m_entries, &Entry::matches));
}

int SettingListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant SettingListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row();
    const Observation &unit = shownUnit(row);
    const Observation &now = entry(row).now();
    switch (role) {
    case TitleRole: return settingTitle(*unit.spec);
    case SummaryRole: return settingSummary(*unit.spec);
    case KernelNameRole: return toQString(unit.spec->key);
    case ValueRole: {
        const auto value = shownValue(row);
        return value ? valueText(*unit.spec, *value) : QString();
    }
    case NowRole: return now.value ? valueText(*now.spec, *now.value) : QString();
    case DefaultRole:
        if (!now.defaultValue)
            return QString();
        return now.differsFromDefault() || stagedEdit(row)
                   ? tr("default %1").arg(valueText(*now.spec, *now.defaultValue))
                   : tr("default");
    case GroupRole: return static_cast<int>(entry(row).group);
    case StagedRole: return stagedEdit(row) != nullptr;
    case MarksRole: {
        QStringList words;
        for (const Mark &mark : marks(row))
            words << mark.sign + u' ' + mark.word;
        return words;
    }
    case ReasonRole: return whyNotText(now);
    case MatchesRole: return entry(row).matches;
    default: return {};
    }
}

QHash<int, QByteArray> SettingListModel::roleNames() const
{
    return {{TitleRole, "title"},   {SummaryRole, "summary"}, {KernelNameRole, "kernelName"},
            {ValueRole, "value"},   {NowRole, "now"},         {DefaultRole, "default"},
            {GroupRole, "group"},   {StagedRole, "staged"},   {MarksRole, "marks"},
            {ReasonRole, "reason"}, {MatchesRole, "matches"}};
}

} // namespace diskwright::ui
