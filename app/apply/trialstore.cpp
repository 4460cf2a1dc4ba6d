// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/trialstore.h"

#include "helper/access/descriptor.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace diskwright {

namespace {

constexpr int version = 1;
constexpr qint64 mostBytes = 1'048'576;
// The helper waits two minutes for a password, and needs a moment before and after.
constexpr std::chrono::nanoseconds longestAuthorization = std::chrono::seconds(130);

QJsonValue toJson(const std::optional<Value> &value)
{
    if (!value)
        return QJsonValue::Null;
    if (const auto *integer = std::get_if<std::int64_t>(&*value))
        return QJsonValue(static_cast<qint64>(*integer));
    return QString::fromStdString(std::get<std::string>(*value));
}

std::optional<Value> valueFromJson(const QJsonValue &json)
{
    if (json.isString())
        return word(json.toString().toStdString());
    if (json.isDouble() && json.toInteger(-1) == json.toInteger(-2))
        return number(json.toInteger());
    return std::nullopt;
}

// JSON numbers are exact only up to 2^53, which nanoseconds pass after 104 days.
QJsonValue toJson(std::uint64_t number)
{
    return QString::number(number);
}

QByteArray encode(const TrialRecord &record)
{
    QJsonArray items;
    for (const TrialRecord::Item &item : record.items)
        items.append(QJsonObject{{u"setting"_s, QString::fromStdString(toText(item.address))},
                                 {u"id"_s, QString::fromStdString(item.diskId)},
                                 {u"name"_s, QString::fromStdString(item.displayName)},
                                 {u"before"_s, toJson(item.before)},
                                 {u"wanted"_s, toJson(std::optional(item.wanted))},
                                 {u"after"_s, toJson(item.after)},
                                 {u"exact_before"_s, toJson(item.exactBefore)}});
    const QByteArray token(reinterpret_cast<const char *>(record.token.data()),
                           static_cast<qsizetype>(record.token.size()));
    return QJsonDocument(QJsonObject{{u"version"_s, version},
                                     {u"transaction"_s, QString::fromStdString(toHex(record.transaction))},
                                     {u"token"_s, QString::fromLatin1(token.toHex())},
                                     {u"boot_id"_s, QString::fromStdString(record.bootId)},
                                     {u"lease"_s, record.lease},
                                     {u"keep"_s, record.keep},
                                     {u"keep_for"_s,
                                      record.keepFor ? QJsonValue(QString::fromUtf8(name(*record.keepFor)))
                                                     : QJsonValue::Null},
                                     {u"client_pid"_s, record.clientPid},
                                     {u"client_start_ticks"_s, toJson(record.clientStartTicks)},
                                     {u"answered"_s, record.answered},
                                     {u"answer_lost"_s, record.answerLost},
                                     {u"told"_s, record.told},
                                     {u"started_boottime_ns"_s, toJson(record.startedBoottimeNanoseconds)},
                                     {u"deadline_boottime_ns"_s, toJson(record.deadlineBoottimeNanoseconds)},
                                     {u"items"_s, items}})
        .toJson(QJsonDocument::Compact);
}

std::optional<TrialRecord> decode(const QByteArray &bytes)
{
    const QJsonObject json = QJsonDocument::fromJson(bytes).object();
    TrialRecord record;
    const auto transaction = transactionIdFromHex(json.value(u"transaction"_s).toString().toStdString());
    const QByteArray token = QByteArray::fromHex(json.value(u"token"_s).toString().toLatin1());
    if (json.value(u"version"_s).toInt() != version || !transaction ||
        static_cast<std::size_t>(token.size()) != record.token.size())
        return std::nullopt;
    record.transaction = *transaction;
    std::ranges::copy(token, record.token.begin());
    record.bootId = json.value(u"boot_id"_s).toString().toStdString();
    record.lease = json.value(u"lease"_s).toBool();
    record.keep = json.value(u"keep"_s).toBool();
    record.keepFor = diskClassFromName(json.value(u"keep_for"_s).toString().toStdString());
    record.clientPid = json.value(u"client_pid"_s).toInt();
    record.clientStartTicks = json.value(u"client_start_ticks"_s).toString().toULongLong();
    record.answered = json.value(u"answered"_s).toBool();
    record.answerLost = json.value(u"answer_lost"_s).toBool();
    record.told = json.value(u"told"_s).toBool();
    record.startedBoottimeNanoseconds = json.value(u"started_boottime_ns"_s).toString().toULongLong();
    record.deadlineBoottimeNanoseconds = json.value(u"deadline_boottime_ns"_s).toString().toULongLong();
    const QJsonArray items = json.value(u"items"_s).toArray();
    for (const QJsonValueConstRef entry : items) {
        const QJsonObject item = entry.toObject();
        const auto address = parseAddress(item.value(u"setting"_s).toString().toStdString());
        const auto wanted = valueFromJson(item.value(u"wanted"_s));
        if (!address || !wanted)
            return std::nullopt;
        record.items.push_back(
            {*address, item.value(u"id"_s).toString().toStdString(),
             item.value(u"name"_s).toString().toStdString(), valueFromJson(item.value(u"before"_s)), *wanted,
             valueFromJson(item.value(u"after"_s)), valueFromJson(item.value(u"exact_before"_s))});
    }
    return record;
}

std::unexpected<Error> failure(const QString &path, std::string_view what)
{
    const int error = errno;
    return fail(Errc::StateFile, printable(path.toStdString()), std::string(what), {}, error);
}

Result<> syncFolder(const QString &path)
{
    const Descriptor folder(::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen() || ::fsync(folder.get()) != 0)
        return failure(path, "can't be synced");
    return {};
}

// Makes the missing part of the path, private to the user, and syncs what each new folder lies in.
Result<> makeFolder(const QString &path)
{
    if (QDir(path).exists())
        return {};
    const QString parent = QDir::cleanPath(path + u"/.."_s);
    if (parent != path) {
        if (auto made = makeFolder(parent); !made)
            return made;
    }
    if (::mkdir(QFile::encodeName(path).constData(), 0700) != 0 && errno != EEXIST)
        return failure(path, "can't be made");
    return syncFolder(parent);
}

Result<> writeSynced(const QString &path, const QByteArray &bytes)
{
    const QByteArray name = QFile::encodeName(path);
    ::unlink(name.constData());
    Descriptor file(::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return failure(path, "can't be made");
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t written =
            ::write(file.get(), bytes.constData() + done, static_cast<std::size_t>(bytes.size() - done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return failure(path, "can't be written");
        done += written;
    }
    if (::fsync(file.get()) != 0 || file.close() != 0)
        return failure(path, "can't be synced");
    return {};
}

} // namespace

TrialStore::TrialStore()
    : m_folder(QStandardPaths::writableLocation(QStandardPaths::GenericStateLocation) +
               u"/diskwright/trials"_s)
{
}

TrialStore::TrialStore(QString folder)
    : m_folder(std::move(folder))
{
}

QString TrialStore::path(const TransactionId &transaction) const
{
    return m_folder + u'/' + QString::fromStdString(toHex(transaction));
}

Result<> TrialStore::save(const TrialRecord &record) const
{
    if (auto made = makeFolder(m_folder); !made)
        return made;
    const QString target = path(record.transaction);
    const QString temporary = target + u".new"_s;
    if (auto written = writeSynced(temporary, encode(record)); !written) {
        ::unlink(QFile::encodeName(temporary).constData());
        return written;
    }
    if (::rename(QFile::encodeName(temporary).constData(), QFile::encodeName(target).constData()) != 0)
        return failure(target, "can't be replaced");
    return syncFolder(m_folder);
}

Result<TrialRecord> TrialStore::load(const TransactionId &transaction) const
{
    const QString file = path(transaction);
    const Descriptor descriptor(
        ::open(QFile::encodeName(file).constData(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor.isOpen() && errno == ENOENT)
        return fail(Errc::UnknownTransaction, toHex(transaction), "no trial of this user has this ID");
    struct stat status{};
    if (!descriptor.isOpen() || ::fstat(descriptor.get(), &status) != 0)
        return failure(file, "can't be opened");
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_size > mostBytes)
        return fail(Errc::StateFile, printable(file.toStdString()), "not a small file of this user");
    QFile reader;
    if (!reader.open(descriptor.get(), QIODevice::ReadOnly))
        return failure(file, "can't be read");
    const auto record = decode(reader.readAll());
    if (!record || record->transaction != transaction)
        return fail(Errc::StateFile, printable(file.toStdString()), "does not decode");
    return *record;
}

void TrialStore::remove(const TransactionId &transaction) const
{
    ::unlink(QFile::encodeName(path(transaction)).constData());
}

std::vector<TrialRecord> TrialStore::all(const std::string &bootId) const
{
    std::vector<TrialRecord> found;
    const QStringList names = QDir(m_folder).entryList(QDir::Files | QDir::Hidden | QDir::System);
    for (const QString &entry : names) {
        const auto transaction = transactionIdFromHex(entry.toStdString());
        if (!transaction)
            continue;
        const auto record = load(*transaction);
        if (!record)
            continue;
        // A restart ends every trial, so a token of another boot opens nothing any more.
        if (record->bootId != bootId)
            remove(*transaction);
        else
            found.push_back(*record);
    }
    std::ranges::sort(found, {}, &TrialRecord::startedBoottimeNanoseconds);
    return found;
}

std::vector<TrialRecord> TrialStore::running() const
{
    std::vector<TrialRecord> found = all(currentBootId());
    std::erase_if(found, [now = boottimeNanoseconds()](const TrialRecord &record) {
        // Who died before its answer could be noted may have begun it.
        return record.deadlineBoottimeNanoseconds <= now ||
               !(record.lease || record.answered || record.answerLost || !isClientThere(record));
    });
    std::ranges::sort(found, {}, &TrialRecord::deadlineBoottimeNanoseconds);
    return found;
}

std::uint64_t startOfProcess(int pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (pid <= 0 || !file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    // The name, in brackets, may have brackets and spaces itself; the 20th word after it is field 22.
    const QByteArrayList fields = line.sliced(line.lastIndexOf(')') + 1).simplified().split(' ');
    constexpr qsizetype startTime = 19;
    return fields.size() > startTime ? fields[startTime].toULongLong() : 0;
}

bool isClientThere(const TrialRecord &record)
{
    return record.clientStartTicks != 0 && startOfProcess(record.clientPid) == record.clientStartTicks;
}

std::uint64_t latestEnd(const TrialRecord &record)
{
    return record.deadlineBoottimeNanoseconds +
           (record.answered ? 0 : static_cast<std::uint64_t>(longestAuthorization.count()));
}

std::string currentBootId()
{
    QFile file(u"/proc/sys/kernel/random/boot_id"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray text = file.readAll().trimmed();
    text.replace('-', QByteArray());
    return text.toStdString();
}

std::uint64_t boottimeNanoseconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace diskwright
