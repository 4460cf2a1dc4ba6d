// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/trialstore.h"

#include "app/apply/random.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace diskwright;

namespace {

TrialRecord someRecord()
{
    TrialRecord record;
    record.transaction = randomId();
    record.token = randomToken();
    record.bootId = "0123456789abcdef0123456789abcdef";
    record.keep = true;
    record.startedBoottimeNanoseconds = 9'007'199'254'740'993U; // 2^53 + 1: no JSON number holds it
    record.deadlineBoottimeNanoseconds = 9'007'214'254'740'993U;
    record.items.push_back(
        {{Domain::Queue, "sda", "scheduler"}, "wwn-0x1", "870 EVO", word("none"), word("bfq")});
    record.items.push_back({{Domain::Vm, "", "dirty_bytes"}, "", "", std::nullopt, number(1LL << 44)});
    record.items.push_back({{Domain::Bdi, "sda", "max_bytes"}, "", "", number(1), number(2), {}, number(3)});
    record.answerLost = true;
    return record;
}

QString pathOf(const TrialStore &store, const TrialRecord &record)
{
    return store.folder() + u'/' + QString::fromStdString(toHex(record.transaction));
}

} // namespace

class TrialStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void remembersEverything();
    void isPrivate();
    void replacesWhole();
    void forgetsOtherBoots();
    void leavesHostileFilesAlone();
    void refusesWhatIsNotAFile();
    void failsWithoutAFolder();
    void knowsThisBoot();
    void whatWaitsForItsPasswordDoesNotRun();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrialStore> m_store;
};

void TrialStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<TrialStore>(m_folder->path() + u"/state/diskwright/trials"_s);
}

void TrialStoreTest::whatWaitsForItsPasswordDoesNotRun()
{
    TrialRecord record = someRecord();
    record.bootId = currentBootId();
    record.answerLost = false;
    record.clientPid = ::getpid();
    record.clientStartTicks = startOfProcess(record.clientPid);
    record.deadlineBoottimeNanoseconds = boottimeNanoseconds() + 60'000'000'000U;
    const auto isRunning = [&] { return m_store->save(record) && m_store->running().size() == 1; };
    QVERIFY(!isRunning());
    // Another process has its number now: who asked is gone, and the trial may run.
    ++record.clientStartTicks;
    QVERIFY(isRunning());
    --record.clientStartTicks;
    record.answerLost = true;
    QVERIFY(isRunning());
    record.answerLost = false;
    record.answered = true;
    QVERIFY(isRunning());
    QCOMPARE(latestEnd(record), record.deadlineBoottimeNanoseconds);
    record.deadlineBoottimeNanoseconds = 2;
    QVERIFY(!isRunning());
    record.answered = false;
    QVERIFY(latestEnd(record) > record.deadlineBoottimeNanoseconds);
}

void TrialStoreTest::remembersEverything()
{
    const TrialRecord record = someRecord();
    QVERIFY(m_store->save(record));
    const auto loaded = m_store->load(record.transaction);
    QVERIFY(loaded);
    QVERIFY(*loaded == record);
    m_store->remove(record.transaction);
    QVERIFY(m_store->load(record.transaction).error().code == Errc::UnknownTransaction);
}

void TrialStoreTest::isPrivate()
{
    const mode_t before = ::umask(0);
    const TrialRecord record = someRecord();
    const bool isSaved = m_store->save(record).has_value();
    ::umask(before);
    QVERIFY(isSaved);
    struct stat status{};
    QCOMPARE(::stat(QFile::encodeName(pathOf(*m_store, record)).constData(), &status), 0);
    QCOMPARE(status.st_mode & 07777U, 0600U);
    QCOMPARE(::stat(QFile::encodeName(m_store->folder()).constData(), &status), 0);
    QCOMPARE(status.st_mode & 07777U, 0700U);
}

void TrialStoreTest::replacesWhole()
{
    TrialRecord record = someRecord();
    QVERIFY(m_store->save(record));
    record.answered = true;
    record.items.pop_back();
    QVERIFY(m_store->save(record));
    QVERIFY(*m_store->load(record.transaction) == record);
    QCOMPARE(QDir(m_store->folder()).entryList(QDir::Files).size(), 1);
}

void TrialStoreTest::forgetsOtherBoots()
{
    TrialRecord old = someRecord();
    old.bootId = "ffffffffffffffffffffffffffffffff";
    TrialRecord later = someRecord();
    later.startedBoottimeNanoseconds += 1;
    const TrialRecord first = someRecord();
    for (const TrialRecord &record : {old, later, first})
        QVERIFY(m_store->save(record));
    const auto found = m_store->all(first.bootId);
    QCOMPARE(found.size(), 2U);
    QVERIFY(found[0] == first);
    QVERIFY(found[1] == later);
    QVERIFY(!QFile::exists(pathOf(*m_store, old)));
}

void TrialStoreTest::leavesHostileFilesAlone()
{
    const TrialRecord good = someRecord();
    QVERIFY(m_store->save(good));
    const auto write = [&](const QString &name, const QByteArray &bytes) {
        QFile file(m_store->folder() + u'/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    write(u"README"_s, "not ours");
    write(u"00000000000000000000000000000000"_s, "not JSON");
    write(u"00000000000000000000000000000001"_s, QByteArray(2 * 1024 * 1024, ' '));
    // Another transaction's record under this name.
    QVERIFY(QFile::copy(pathOf(*m_store, good), m_store->folder() + u"/00000000000000000000000000000002"_s));
    QVERIFY(QDir().mkdir(m_store->folder() + u"/00000000000000000000000000000003"_s));
    const auto found = m_store->all(good.bootId);
    QCOMPARE(found.size(), 1U);
    QVERIFY(found[0] == good);
    QVERIFY(QFile::exists(m_store->folder() + u"/README"_s));
}

void TrialStoreTest::refusesWhatIsNotAFile()
{
    const TrialRecord record = someRecord();
    QVERIFY(m_store->save(record));
    const QString path = pathOf(*m_store, record);
    QVERIFY(QFile::rename(path, path + u".real"_s));
    QVERIFY(QFile::link(path + u".real"_s, path));
    QVERIFY(m_store->load(record.transaction).error().code == Errc::StateFile);
    // Saving replaces the link itself and leaves alone what it leads to.
    QVERIFY(m_store->save(record));
    QVERIFY(!QFileInfo(path).isSymLink());
    QVERIFY(m_store->load(record.transaction));
}

void TrialStoreTest::failsWithoutAFolder()
{
    QFile blocker(m_folder->path() + u"/state"_s);
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    const auto saved = m_store->save(someRecord());
    QVERIFY(!saved);
    QVERIFY(saved.error().code == Errc::StateFile);
    QVERIFY(saved.error().sysErrno != 0);
    QVERIFY(m_store->all("0123456789abcdef0123456789abcdef").empty());
}

void TrialStoreTest::knowsThisBoot()
{
    const std::string id = currentBootId();
    QVERIFY(transactionIdFromHex(id));
    QCOMPARE(currentBootId(), id);
    const auto earlier = boottimeNanoseconds();
    QVERIFY(earlier > 0);
    QVERIFY(boottimeNanoseconds() >= earlier);
}

QTEST_GUILESS_MAIN(TrialStoreTest)
#include "tst_trialstore.moc"
