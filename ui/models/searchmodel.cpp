// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "searchmodel.h"

#include "app/settings/shown.h"
#include "ui/models/settinglistmodel.h"
#include "ui/text/format.h"
#include "ui/text/wording.h"

#include <QCoreApplication>

#include <algorithm>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

SearchModel::SearchModel(const Machine &machine, QObject *parent)
    : QAbstractListModel(parent)
    , m_machine(machine)
{
    // One reading brings those of many disks; all of them are searched once.
    connect(&machine, &Machine::settingsChanged, this, [this] { m_isStale = true; });
    connect(&machine, &Machine::wasRead, this, [this] {
        if (m_isStale)
            rebuild();
    });
    connect(&machine, &Machine::disksChanged, this, &SearchModel::rebuild);
}

void SearchModel::setText(const QString &text)
{
    const QString wanted = text.trimmed();
    if (wanted == m_text)
        return;
    m_text = wanted;
    rebuild();
}

void SearchModel::addStories(const std::vector<SearchHit> &hits, std::vector<Line> &lines) const
{
    std::vector<Line> stories;
    for (const SearchHit &hit : hits) {
        const VanishedSetting *vanished = hit.answer.vanished;
        if (!vanished)
            continue;
        Line line{
            Kind::Story, vanishedTitle(*vanished), {}, vanishedSince(*vanished), vanishedStory(*vanished),
            {}};
        if (const SettingSpec *today = findSetting(vanished->setting)) {
            line.kernelName = tr("today: %1").arg(settingTitle(*today));
            if (!isPerDisk(today->domain))
                line.address = Address{today->domain, {}, std::string(today->key)};
        }
        if (!std::ranges::contains(stories, line))
            stories.push_back(std::move(line));
    }
    if (stories.empty())
        return;
    lines.push_back({Kind::Heading, tr("What became of it"), {}, {}, {}, {}});
    lines.insert(lines.end(), stories.begin(), stories.end());
}

QString SearchModel::why(const SearchHit &hit, const SettingSpec &spec) const
{
    QString text;
    if (hit.answer.vanished && !hit.answer.value) {
        text = tr("Does today what “%1” once did.").arg(m_text);
    } else if (hit.answer.value) {
        const QString value = valueText(spec, *hit.answer.value);
        const auto *kib = std::get_if<std::int64_t>(&*hit.answer.value);
        text = kib && hit.answer.note.contains("sectors of 512 bytes")
                   ? tr("“%1” asks for %2 sectors of 512 bytes, which are “%3”.")
                         .arg(m_text, numberText(2 * *kib), value)
                   : tr("“%1” asks for “%2”.").arg(m_text, value);
    } else if (hit.match == Match::Similar) {
        text = tr("Spelt nearly like “%1”.").arg(m_text);
    } else if (hit.match == Match::Exact && m_text.compare(toQString(spec.key), Qt::CaseInsensitive) != 0 &&
               m_text.compare(settingTitle(spec), Qt::CaseInsensitive) != 0) {
        text = tr("“%1” is another name of it.").arg(m_text);
    }
    return text;
}

void SearchModel::addTarget(const std::string &target, const std::vector<SearchHit> &hits,
                            std::vector<Line> &lines) const
{
    const auto &settings = m_machine.settings(target);
    std::vector<Line> found;
    for (const SearchHit &hit : hits) {
        if (!hit.answer.target.empty() && !target.empty() && hit.answer.target != target)
            continue;
        const auto seen = std::ranges::find_if(settings, [&](const Observation &observation) {
            return observation.settingId == hit.answer.settingId;
        });
        const auto &shown = m_machine.shown(target);
        const auto fact = std::ranges::find(shown, hit.answer.settingId, &Observation::settingId);
        if (seen == settings.end() && fact != shown.end()) {
            found.push_back({Kind::Setting, shownTitle(*fact), toQString(fact->key), shownValue(*fact),
                             shownReason(*fact), fact->address()});
            continue;
        }
        // What only another scheduler has would fill every disk's list.
        if (seen == settings.end() || (seen->state == ObservedState::Absent &&
                                       !seen->spec->scheduler.empty() && hit.match != Match::Exact))
            continue;
        // An old name may be told of by the very words that found today's.
        if (std::ranges::contains(found, std::optional(seen->address()), &Line::address))
            continue;
        const SettingSpec &spec = *seen->spec;
        Line line{Kind::Setting,  settingTitle(spec), toQString(spec.key), {},
                  why(hit, spec), seen->address()};
        line.value = seen->value ? valueText(spec, *seen->value) : whyNotText(*seen);
        found.push_back(std::move(line));
    }
    if (found.empty())
        return;
    const QString title = m_machine.diskTitle(target);
    lines.push_back({Kind::Heading,
                     target.empty()               ? tr("Memory and writeback")
                     : title == toQString(target) ? title
                                                  : tr("%1 (%2)").arg(title, toQString(target)),
                     {},
                     {},
                     {},
                     {}});
    lines.insert(lines.end(), found.begin(), found.end());
}

// Known, but no disk of this machine and this kernel shows it.
void SearchModel::addMissing(const std::vector<SearchHit> &hits, std::vector<Line> &lines) const
{
    std::vector<Line> missing;
    for (const SearchHit &hit : hits) {
        Line line{Kind::Story, {}, {}, {}, {}, {}};
        if (const ShownSetting *shown = findShown(hit.answer.settingId)) {
            line.title = QCoreApplication::translate(shownContext, shown->title.data());
            line.why = QCoreApplication::translate(shownContext, shown->text.data());
        } else if (const SettingSpec *spec = findSetting(hit.answer.settingId)) {
            line.title = settingTitle(*spec);
            line.why = settingSummary(*spec);
        } else {
            continue;
        }
        line.kernelName = toQString(hit.answer.settingId.substr(hit.answer.settingId.find('/') + 1));
        if (!std::ranges::contains(missing, line))
            missing.push_back(std::move(line));
    }
    if (missing.empty())
        return;
    lines.push_back({Kind::Heading, tr("Not on this machine"), {}, {}, {}, {}});
    lines.insert(lines.end(), missing.begin(), missing.end());
}

void SearchModel::rebuild()
{
    m_isStale = false;
    std::vector<Line> lines;
    if (!m_text.isEmpty()) {
        const auto hits = searchSettings(m_text.toStdString());
        // Who types today's name wants today's setting.
        const bool isOfToday = std::ranges::any_of(
            hits, [](const SearchHit &hit) { return hit.match == Match::Exact && !hit.answer.vanished; });
        if (!isOfToday)
            addStories(hits, lines);
        for (const BlockNode &disk : m_machine.disks().disks()) {
            if (m_machine.lists(disk))
                addTarget(disk.name, hits, lines);
        }
        addTarget({}, hits, lines);
        if (isOfToday)
            addStories(hits, lines);
        if (!std::ranges::contains(lines, Kind::Setting, &Line::kind))
            addMissing(hits, lines);
    }
    m_settings = static_cast<int>(std::ranges::count(lines, Kind::Setting, &Line::kind));
    if (lines == m_lines)
        return;
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

std::optional<Address> SearchModel::address(int row) const
{
    return row >= 0 && row < rowCount() ? m_lines[static_cast<std::size_t>(row)].address : std::nullopt;
}

int SearchModel::firstLine() const
{
    const auto found =
        std::ranges::find_if(m_lines, [](const Line &line) { return line.kind != Kind::Heading; });
    return found != m_lines.end() ? static_cast<int>(found - m_lines.begin()) : -1;
}

int SearchModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant SearchModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line &line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case TitleRole: return line.title;
    case KindRole: return static_cast<int>(line.kind);
    case KernelNameRole: return line.kernelName;
    case ValueRole: return line.value;
    case WhyRole: return line.why;
    case Qt::AccessibleTextRole: {
        QStringList words{line.title, line.kernelName, line.value, line.why};
        words.removeAll(QString());
        return words.join(u", "_s);
    }
    default: return {};
    }
}

Qt::ItemFlags SearchModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return m_lines[static_cast<std::size_t>(index.row())].kind == Kind::Heading
               ? Qt::ItemNeverHasChildren
               : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

QHash<int, QByteArray> SearchModel::roleNames() const
{
    return {{TitleRole, "title"},
            {KindRole, "kind"},
            {KernelNameRole, "kernelName"},
            {ValueRole, "value"},
            {WhyRole, "why"}};
}

} // namespace diskwright::ui
