// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"

#include "../contract/address.h"
#include "../contract/catalogue.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace diskwright {

namespace {

using namespace Qt::StringLiterals;

QString toQString(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QJsonValue toJson(const std::optional<Value> &value)
{
    if (!value)
        return QJsonValue::Null;
    if (const auto *integer = std::get_if<std::int64_t>(&*value))
        return qint64{*integer};
    return toQString(std::get<std::string>(*value));
}

QJsonObject toJson(const Journal &journal, const JournalItem &item)
{
    const bool restores = journal.kind == TransactionKind::RestoreAll;
    const SettingSpec &spec = *findSetting(item.setting);
    const JournalDevice *device = item.device ? &journal.devices[*item.device] : nullptr;
    const Address address{spec.domain, device ? device->identity.name : std::string{}, std::string(spec.key)};
    const bool hasId = device && !device->id.empty();
    return {{u"setting"_s, toQString(toText(address))},
            {u"id"_s, hasId ? QJsonValue(toQString(device->id)) : QJsonValue::Null},
            {u"before"_s, toJson(restores ? item.wanted : item.before)},
            {u"requested"_s, toJson(restores ? item.before : item.wanted)},
            {u"after"_s, toJson(item.after)},
            {u"result"_s, toQString(name(item.result))},
            {u"errno"_s, item.sysErrno},
            {u"message"_s, item.why == Errc::None ? QString() : toQString(name(item.why))}};
}

std::string_view outcomeName(const Journal &journal)
{
    if (journal.state == JournalState::Pending)
        return name(journal.kind == TransactionKind::Lease ? Outcome::LeaseHeld : Outcome::Trial);
    return name(journal.undone ? Outcome::Undone : journal.outcome);
}

std::string_view reasonNotUndoable(const Journal &journal)
{
    if (isUndoable(journal))
        return {};
    if (journal.undone)
        return "already undone";
    if (journal.kind == TransactionKind::RestoreAll && journal.outcome == Outcome::RollbackFailed)
        return "not all was put back";
    if (journal.kind == TransactionKind::RestoreAll)
        return "was put back";
    if (journal.state != JournalState::Done)
        return "still on trial";
    if (journal.why == Errc::Expired)
        return "ended by restart";
    return journal.outcome == Outcome::Unchanged ? "nothing was changed" : "was put back";
}

} // namespace

std::string historyText(const Journal &journal)
{
    QJsonArray steps;
    for (const JournalItem &item : journal.items) {
        if (item.asked)
            steps.append(toJson(journal, item));
    }
    const QJsonObject object{{u"transaction"_s, toQString(toHex(journal.id))},
                             {u"time"_s, static_cast<qint64>(journal.timeSeconds)},
                             {u"boot_id"_s, toQString(journal.bootId)},
                             {u"uid"_s, static_cast<qint64>(journal.uid)},
                             {u"outcome"_s, toQString(outcomeName(journal))},
                             {u"lease"_s, journal.kind == TransactionKind::Lease},
                             {u"restores_all"_s, journal.kind == TransactionKind::RestoreAll},
                             {u"start"_s, static_cast<qint64>(journal.startBoottimeNanoseconds)},
                             {u"steps"_s, steps},
                             {u"kept"_s, journal.kept},
                             {u"kept_for"_s, journal.kept && journal.keepFor
                                                 ? QJsonValue(toQString(name(*journal.keepFor)))
                                                 : QJsonValue::Null},
                             {u"undoable"_s, isUndoable(journal)},
                             {u"reason"_s, toQString(reasonNotUndoable(journal))}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact).append('\n').toStdString();
}

} // namespace diskwright
