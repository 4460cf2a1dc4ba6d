// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "helper/executor/executor.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <numeric>

namespace diskwright::test {

/// Remembers what it was asked to keep, and can refuse.
class RecordingKeeper final : public DeadlineKeeper
{
public:
    Result<> start(const std::string &transaction, std::uint64_t afterNanoseconds, int pipe) override
    {
        if (refuses)
            return fail(Errc::Internal, transaction, "refused by the test", {}, 5);
        started.push_back({transaction, afterNanoseconds, pipe});
        return {};
    }
    struct Started {
        std::string transaction;
        std::uint64_t afterNanoseconds;
        int pipe;
    };
    std::vector<Started> started;
    bool refuses = false;
};

/// A folder that looks like a machine with two disks, and an executor that works on it.
class Machine
{
public:
    Machine()
    {
        write("proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n");
        write("proc/sys/kernel/osrelease", "6.12.0-test\n");
        write("proc/self/mountinfo", "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
        write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
        write("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable:    4000000 kB\n");
        write("proc/sys/vm/dirty_ratio", "20\n");
        write("proc/sys/vm/dirty_bytes", "0\n");
        write("proc/sys/vm/dirty_background_ratio", "10\n");
        write("proc/sys/vm/dirty_background_bytes", "0\n");
        addDisk("sda", 8, 0, 1);
        write("sys/block/sda/sda1/partition", "1\n");
        write("sys/block/sda/sda1/dev", "8:1\n");
        addDisk("sdb", 8, 16, 2);
        reopen();
    }

    void addDisk(const char *name, std::uint32_t major, std::uint32_t minor, std::uint64_t diskseq)
    {
        const QString disk = QStringLiteral("sys/block/%1/").arg(QLatin1String(name));
        write(disk + QStringLiteral("dev"), QStringLiteral("%1:%2\n").arg(major).arg(minor).toLatin1());
        write(disk + QStringLiteral("diskseq"), QByteArray::number(qulonglong{diskseq}) + "\n");
        write(disk + QStringLiteral("size"), "2048\n");
        write(disk + QStringLiteral("queue/scheduler"), "none [mq-deadline] kyber bfq\n");
        write(disk + QStringLiteral("queue/nr_requests"), "64\n");
        write(disk + QStringLiteral("queue/read_ahead_kb"), "128\n");
        write(disk + QStringLiteral("queue/iosched/read_expire"), "500\n");
    }

    static DeviceIdentity disk(const char *name)
    {
        const bool first = std::string_view(name) == "sda";
        return {name, 8, first ? 0u : 16u, first ? 1u : 2u, 2048 * 512};
    }

    void write(const QString &path, const QByteArray &text)
    {
        const QString full = m_folder.filePath(path);
        QDir().mkpath(QFileInfo(full).path());
        QFile file(full);
        if (!file.open(QFile::WriteOnly | QFile::Truncate) || file.write(text) != text.size())
            qFatal("can't write %s", qPrintable(full));
    }
    void write(const char *path, const QByteArray &text) { write(QString::fromLatin1(path), text); }

    [[nodiscard]] QByteArray read(const char *path) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(path)));
        return file.open(QFile::ReadOnly) ? file.readAll().trimmed() : QByteArray("(absent)");
    }
    [[nodiscard]] QStringList list(const char *path) const
    {
        QStringList names =
            QDir(m_folder.filePath(QString::fromLatin1(path)))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
        names.removeOne(QStringLiteral("quarantine"));
        return names;
    }
    [[nodiscard]] QString path(const char *relative) const
    {
        return m_folder.filePath(QString::fromLatin1(relative));
    }

    /// As a helper that starts anew.
    void reopen()
    {
        root.emplace(SystemRoot::at(m_folder.path().toStdString()).value());
        QDir().mkpath(path("var/lib"));
        QDir().mkpath(path("run"));
        state.emplace(StateDirectory::open(path("var/lib/diskwright").toStdString(),
                                           path("run/diskwright").toStdString())
                          .value());
        journals.emplace(*root, *state, kept);
        executor.emplace(*journals, keeper);
    }

    /// A fresh id each time.
    TransactionId nextId()
    {
        TransactionId id{};
        id.back() = ++m_ids;
        return id;
    }

    static Caller tune(std::uint32_t uid = 1000)
    {
        return {.uid = uid, .action = Action::Tune, .cancel = -1, .mayChange = {}, .mayKeep = {}};
    }
    static Caller plan(int cancel = -1)
    {
        return {.uid = 1000,
                .action = Action::Plan,
                .cancel = cancel,
                .mayChange = [](ActionClass) { return true; },
                .mayKeep = [] { return true; }};
    }
    static Caller settle(std::uint32_t uid = 1000)
    {
        return {.uid = uid, .action = Action::Settle, .cancel = -1, .mayChange = {}, .mayKeep = {}};
    }
    static Caller persist()
    {
        return {.uid = 1000, .action = Action::Persist, .cancel = -1, .mayChange = {}, .mayKeep = {}};
    }

    static Token token()
    {
        Token token{};
        std::iota(token.begin(), token.end(), std::uint8_t{7});
        return token;
    }

    /// sda's read-ahead from 128 to \p wanted.
    static ApplyRequest readAhead(std::int64_t wanted, std::int64_t expected = 128)
    {
        ApplyRequest request;
        request.devices = {disk("sda")};
        request.changes = {{0, "queue/read_ahead_kb", number(expected), number(wanted)}};
        request.token = token();
        return request;
    }

    Report run(const Operation &operation, const Caller &caller)
    {
        lastId = nextId();
        return executor->run({lastId, operation}, caller);
    }

    std::optional<SystemRoot> root;
    std::optional<StateDirectory> state;
    std::optional<JournalStore> journals;
    std::optional<Executor> executor;
    const BootStore *kept = nullptr;
    RecordingKeeper keeper;
    TransactionId lastId{};

private:
    QTemporaryDir m_folder;
    std::uint8_t m_ids = 0;
};

} // namespace diskwright::test
