// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// The engine as a process, spoken to as its user does. Nothing here depends on how fast it is.
class EngineTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    static constexpr qint64 mebibyte = 1024 * 1024;

    static QByteArray line(const QJsonObject &object)
    {
        return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    }

    static QJsonObject prepare(const QString &target, qint64 bytes = 16 * mebibyte)
    {
        return {{QStringLiteral("request"), QStringLiteral("prepare")},
                {QStringLiteral("target"), target},
                {QStringLiteral("size_bytes"), bytes}};
    }
    static QJsonObject randomRun(const QString &engine = QStringLiteral("auto"), int milliseconds = 300)
    {
        return {{QStringLiteral("request"), QStringLiteral("run")},
                {QStringLiteral("pattern"), QStringLiteral("random")},
                {QStringLiteral("block_bytes"), 4096},
                {QStringLiteral("depth"), 32},
                {QStringLiteral("direct"), true},
                {QStringLiteral("duration_ms"), milliseconds},
                {QStringLiteral("engine"), engine}};
    }
    static QJsonObject sequentialRun(int milliseconds = 300)
    {
        return {{QStringLiteral("request"), QStringLiteral("run")},
                {QStringLiteral("duration_ms"), milliseconds}};
    }

    /// Reads events until one of \p kind or an error; all of them are kept in \p seen.
    static QJsonObject waitFor(QProcess &engine, const QString &kind, QList<QJsonObject> *seen = nullptr)
    {
        for (;;) {
            while (!engine.canReadLine())
                if (!engine.waitForReadyRead(30'000))
                    return {};
            const QJsonObject event = QJsonDocument::fromJson(engine.readLine()).object();
            if (seen)
                seen->append(event);
            const QString name = event[u"event"].toString();
            if (name == kind || name == QStringLiteral("error"))
                return event;
        }
    }
    static void start(QProcess &engine, const QStringList &prefix = {})
    {
        QStringList command = prefix;
        command << QStringLiteral(ENGINE_PATH);
        engine.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        engine.start(command.takeFirst(), command);
        QVERIFY(engine.waitForStarted());
    }
    static QList<qint64> slotNumbers(const QList<QJsonObject> &events)
    {
        QList<qint64> numbers;
        for (const QJsonObject &event : events)
            if (event[u"event"] == QStringLiteral("slot"))
                numbers << event[u"number"].toInteger();
        return numbers;
    }
    bool folderIsEmpty() const
    {
        return QDir(m_folder->path())
            .isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }

    static QByteArray existingFile(const QString &path, qint64 bytes)
    {
        QByteArray block(static_cast<int>(mebibyte), '\0');
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        for (qint64 done = 0; done < bytes; done += mebibyte) {
            for (qsizetype at = 0; at < block.size(); ++at)
                block[at] = static_cast<char>((at * 31 + done) % 251);
            file.write(block);
        }
        return block;
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>(QStringLiteral(WORK_FOLDER "/engine-XXXXXX"));
        QVERIFY(m_folder->isValid());
        // Another user may have to write here when the test runs as root and drops it.
        chmod(QFile::encodeName(m_folder->path()).constData(), 0777);
    }

    void measuresRandomAndSequentialReadsOnOneFile()
    {
        QProcess engine;
        start(engine);
        engine.write(line(prepare(m_folder->path())));
        const QJsonObject prepared = waitFor(engine, QStringLiteral("prepared"));
        QCOMPARE(prepared[u"event"].toString(), QStringLiteral("prepared"));
        QCOMPARE(prepared[u"made"].toBool(), true);
        QCOMPARE(prepared[u"holes"].toBool(), false);
        QCOMPARE(prepared[u"size_bytes"].toInteger(), 16 * mebibyte);
        QVERIFY2(prepared[u"direct_alignment_bytes"].toInt() > 0,
                 "the build folder must be on a disk with direct reads");
        QVERIFY2(folderIsEmpty(), "the test file must have no name");

        QList<QJsonObject> events;
        engine.write(line(randomRun()));
        QJsonObject result = waitFor(engine, QStringLiteral("result"), &events);
        QCOMPARE(result[u"event"].toString(), QStringLiteral("result"));
        QVERIFY(result[u"ios"].toInteger() > 0);
        QCOMPARE(result[u"bytes"].toInteger(), result[u"ios"].toInteger() * 4096);
        QCOMPARE(result[u"measured_ns"].toInteger(), 300'000'000);
        QVERIFY(result[u"max_ns"].toDouble() >= result[u"mean_ns"].toDouble());
        qint64 bytes = 0, ios = 0, latencies = 0;
        QCOMPARE(slotNumbers(events), (QList<qint64>{0, 1, 2}));
        for (const QJsonObject &event : std::as_const(events)) {
            bytes += event[u"event"] == QStringLiteral("slot") ? event[u"bytes"].toInteger() : 0;
            ios += event[u"event"] == QStringLiteral("slot") ? event[u"ios"].toInteger() : 0;
            latencies += event[u"event"] == QStringLiteral("slot") ? event[u"latency_sum_ns"].toInteger() : 0;
        }
        QCOMPARE(bytes, result[u"bytes"].toInteger());
        QCOMPARE(ios, result[u"ios"].toInteger());
        QVERIFY(std::abs(static_cast<double>(latencies) / static_cast<double>(ios) -
                         result[u"mean_ns"].toDouble()) < 1);

        events.clear();
        engine.write(line(sequentialRun()));
        result = waitFor(engine, QStringLiteral("result"), &events);
        QCOMPARE(result[u"engine"].toString(), QStringLiteral("preadv2"));
        QCOMPARE(slotNumbers(events), (QList<qint64>{0, 1, 2}));
        QVERIFY(result[u"measured_ns"].toInteger() <= 300'000'000);
        QCOMPARE(result[u"direct"].toBool(), false);
        QVERIFY(result[u"ios"].toInteger() > 0);
        QVERIFY(result[u"passes"].toInt() >= 1);
        const QJsonValue cached = result[u"cached_share"];
        const QJsonArray disturbed = result[u"disturbed"].toArray();
        if (cached.isDouble())
            QCOMPARE(disturbed.contains(QStringLiteral("warm")), cached.toDouble() > 0.01);
        else
            QVERIFY(disturbed.contains(QStringLiteral("cache-unknown")));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
        QCOMPARE(engine.exitCode(), 0);
        QVERIFY(folderIsEmpty());
    }

    void saysWhenIoUringIsForbidden()
    {
        QProcess engine;
        // As a container's filter answers. A result that hides the change of engine would be no result.
        start(engine,
              {QStringLiteral("strace"), QStringLiteral("-f"), QStringLiteral("-qq"), QStringLiteral("-o"),
               QStringLiteral("/dev/null"), QStringLiteral("-e"), QStringLiteral("trace=io_uring_setup"),
               QStringLiteral("-e"), QStringLiteral("inject=io_uring_setup:error=EPERM")});
        engine.write(line(prepare(m_folder->path())));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        engine.write(line(randomRun()));
        const QJsonObject result = waitFor(engine, QStringLiteral("result"));
        QCOMPARE(result[u"engine"].toString(), QStringLiteral("pread-threads"));
        QVERIFY(result[u"ios"].toInteger() > 0);
        const QByteArray details = QJsonDocument(result[u"engine_details"].toArray()).toJson();
        QVERIFY2(details.contains("32 threads") && details.contains("Operation not permitted"),
                 details.constData());
        engine.write(line(randomRun(QStringLiteral("io_uring"))));
        const QJsonObject refused = waitFor(engine, QStringLiteral("result"));
        QCOMPARE(refused[u"event"].toString(), QStringLiteral("error"));
        QCOMPARE(refused[u"input"].toString(), QStringLiteral("io_uring"));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void runsWithLittlePermissionToPinMemory_data()
    {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QString>("asked");
        // Room for the ring and not for the buffers; then for neither (the ring counts since Linux 6.14).
        QTest::newRow("65536") << QStringLiteral("65536") << QStringLiteral("io_uring");
        QTest::newRow("0") << QStringLiteral("0") << QStringLiteral("auto");
    }
    void runsWithLittlePermissionToPinMemory()
    {
        QFETCH(QString, limit);
        QFETCH(QString, asked);
        QProcess engine;
        QStringList prefix;
        if (geteuid() == 0)
            prefix << QStringLiteral("setpriv") << QStringLiteral("--reuid=65534")
                   << QStringLiteral("--regid=65534") << QStringLiteral("--clear-groups")
                   << QStringLiteral("--bounding-set=-all");
        prefix << QStringLiteral("prlimit") << QStringLiteral("--memlock=%1:%1").arg(limit);
        start(engine, prefix);
        engine.write(line(prepare(m_folder->path())));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        engine.write(line(randomRun(asked)));
        const QJsonObject result = waitFor(engine, QStringLiteral("result"));
        if (result[u"engine"] == QStringLiteral("io_uring"))
            QVERIFY(result[u"engine_details"].toArray().contains(QStringLiteral("plain-buffer")));
        else
            QCOMPARE(result[u"engine"].toString(),
                     asked == QStringLiteral("auto") ? QStringLiteral("pread-threads") : QString());
        QVERIFY(result[u"ios"].toInteger() > 0);
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void needsFewSystemCallsForManyReads()
    {
        const QString counts = m_folder->filePath(QStringLiteral("counts"));
        QProcess engine;
        start(engine, {QStringLiteral("strace"), QStringLiteral("-f"), QStringLiteral("-qq"),
                       QStringLiteral("-c"), QStringLiteral("-o"), counts});
        engine.write(line(prepare(m_folder->path())));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        engine.write(line(randomRun(QStringLiteral("io_uring"), 2000)));
        const QJsonObject result = waitFor(engine, QStringLiteral("result"));
        QCOMPARE(result[u"engine"].toString(), QStringLiteral("io_uring"));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
        QFile file(counts);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        const auto enters =
            QRegularExpression(QStringLiteral("^\\s*[\\d.]+\\s+[\\d.]+\\s+\\d+\\s+(\\d+).*io_uring_enter$"),
                               QRegularExpression::MultilineOption)
                .match(text);
        QVERIFY2(enters.hasMatch(), qPrintable(text));
        const double perRead =
            enters.captured(1).toDouble() / static_cast<double>(result[u"ios"].toInteger());
        QVERIFY2(perRead <= 0.1, qPrintable(QStringLiteral("%1 system calls for a read").arg(perRead)));
    }

    void neverWritesAnExistingFile()
    {
        const QString path = m_folder->filePath(QStringLiteral("mine"));
        existingFile(path, 8 * mebibyte);
        QVERIFY(QFile::setPermissions(path, QFileDevice::ReadOwner));
        struct stat before{}, after{};
        QCOMPARE(stat(QFile::encodeName(path).constData(), &before), 0);
        QProcess engine;
        const QString trace = m_folder->filePath(QStringLiteral("trace"));
        start(engine,
              {QStringLiteral("strace"), QStringLiteral("-f"), QStringLiteral("-qq"), QStringLiteral("-o"),
               trace, QStringLiteral("-e"), QStringLiteral("trace=openat,open,creat,unlink,rename")});
        engine.write(line(prepare(path, 1024 * mebibyte)));
        const QJsonObject prepared = waitFor(engine, QStringLiteral("prepared"));
        QCOMPARE(prepared[u"made"].toBool(true), false);
        QCOMPARE(prepared[u"size_bytes"].toInteger(), 8 * mebibyte);
        engine.write(line(sequentialRun()));
        QVERIFY(waitFor(engine, QStringLiteral("result"))[u"ios"].toInteger() > 0);
        engine.write(line(randomRun()));
        QVERIFY(waitFor(engine, QStringLiteral("result"))[u"ios"].toInteger() > 0);
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray calls = file.readAll();
        QVERIFY(calls.contains("O_RDONLY"));
        QVERIFY2(!calls.contains("O_WRONLY") && !calls.contains("O_RDWR") && !calls.contains("O_CREAT"),
                 calls.constData());
        QCOMPARE(stat(QFile::encodeName(path).constData(), &after), 0);
        QCOMPARE(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
        QCOMPARE(after.st_size, before.st_size);
    }

    void holesAreReported()
    {
        const QString path = m_folder->filePath(QStringLiteral("sparse"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(4 * mebibyte));
        file.close();
        QProcess engine;
        start(engine);
        engine.write(line(prepare(path)));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"holes"].toBool(), true);
        engine.write(line(sequentialRun(100)));
        QVERIFY(waitFor(engine, QStringLiteral("result"))[u"disturbed"].toArray().contains(
            QStringLiteral("holes")));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void aDiskThatGivesNothingIsSaidToStall_data()
    {
        QTest::addColumn<QJsonObject>("request");
        QTest::newRow("one after the other") << sequentialRun(300);
        QTest::newRow("threads") << randomRun(QStringLiteral("calls"), 300);
    }
    void aDiskThatGivesNothingIsSaidToStall()
    {
        QFETCH(QJsonObject, request);
        QProcess engine;
        // Each read takes longer than the round.
        start(engine,
              {QStringLiteral("strace"), QStringLiteral("-f"), QStringLiteral("-qq"), QStringLiteral("-o"),
               QStringLiteral("/dev/null"), QStringLiteral("-e"), QStringLiteral("trace=preadv2"),
               QStringLiteral("-e"), QStringLiteral("inject=preadv2:delay_enter=900000")});
        engine.write(line(prepare(m_folder->path(), mebibyte)));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        QList<QJsonObject> events;
        engine.write(line(request));
        const QJsonObject result = waitFor(engine, QStringLiteral("result"), &events);
        QCOMPARE(result[u"ios"].toInteger(-1), 0);
        QVERIFY(result[u"disturbed"].toArray().contains(QStringLiteral("stalled")));
        QVERIFY(result[u"max_ns"].isNull());
        QCOMPARE(slotNumbers(events), (QList<qint64>{0, 1, 2}));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void aStallAtTheEndHasItsSlots()
    {
        QProcess engine;
        start(engine);
        engine.write(line(prepare(m_folder->path(), mebibyte)));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        QList<QJsonObject> events;
        engine.write(line(randomRun(QStringLiteral("auto"), 1000)));
        waitFor(engine, QStringLiteral("slot"), &events);
        QCOMPARE(kill(static_cast<pid_t>(engine.processId()), SIGSTOP), 0);
        QTest::qSleep(1200);
        QCOMPARE(kill(static_cast<pid_t>(engine.processId()), SIGCONT), 0);
        QCOMPARE(waitFor(engine, QStringLiteral("result"), &events)[u"event"].toString(),
                 QStringLiteral("result"));
        QCOMPARE(slotNumbers(events), (QList<qint64>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void aFileThatBecomesShorterIsNoBrokenDisk_data()
    {
        QTest::addColumn<QJsonObject>("request");
        QTest::newRow("buffered") << sequentialRun(300);
        QTest::newRow("ring") << randomRun(QStringLiteral("io_uring"), 300);
        QTest::newRow("threads") << randomRun(QStringLiteral("calls"), 300);
    }
    void aFileThatBecomesShorterIsNoBrokenDisk()
    {
        QFETCH(QJsonObject, request);
        const QString path = m_folder->filePath(QStringLiteral("data"));
        QVERIFY(!existingFile(path, 4 * mebibyte).isEmpty());
        QProcess engine;
        start(engine);
        engine.write(line(prepare(path)));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        QVERIFY(QFile::resize(path, mebibyte + 512));
        engine.write(line(request));
        const QJsonObject event = waitFor(engine, QStringLiteral("result"));
        QCOMPARE(event[u"code"].toString(), QStringLiteral("conflict"));
        QVERIFY2(event[u"reason"].toString().contains(QStringLiteral("shorter")),
                 qPrintable(event[u"reason"].toString()));
        QCOMPARE(event[u"input"].toString(), path);
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void marksADiskThatNobodyCanCheck()
    {
        QProcess engine;
        start(engine);
        engine.write(line(prepare(m_folder->path(), mebibyte)));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        for (const char *disks : {"", "nosuchdisk"}) {
            QJsonObject request = randomRun(QStringLiteral("auto"), 100);
            request[u"disks"] = QString::fromLatin1(disks);
            engine.write(line(request));
            const QJsonObject result = waitFor(engine, QStringLiteral("result"));
            QVERIFY(result[u"disturbed"].toArray().contains(QStringLiteral("device-unknown")));
            QVERIFY(result[u"foreign_read_bytes"].isNull());
        }
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void theTerminalsKeysAreNotForIt()
    {
        QProcess engine;
        start(engine);
        engine.write(line(prepare(m_folder->path(), mebibyte)));
        QCOMPARE(waitFor(engine, QStringLiteral("prepared"))[u"event"].toString(),
                 QStringLiteral("prepared"));
        for (const int signal : {SIGINT, SIGQUIT})
            QCOMPARE(kill(static_cast<pid_t>(engine.processId()), signal), 0);
        engine.write(line(randomRun(QStringLiteral("auto"), 100)));
        QCOMPARE(waitFor(engine, QStringLiteral("result"))[u"event"].toString(), QStringLiteral("result"));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
        QCOMPARE(engine.exitStatus(), QProcess::NormalExit);
    }

    void refusesWithReasonAndRange_data()
    {
        QTest::addColumn<QByteArray>("requests");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("named");
        const auto wrong = [](QJsonObject request, const QString &key, const QJsonValue &value) {
            request[key] = value;
            return line(request);
        };
        const QString folder = QStringLiteral("@");
        QTest::newRow("no JSON") << QByteArray("hello\n") << QStringLiteral("malformed")
                                 << QStringLiteral("hello");
        QTest::newRow("unknown") << QByteArray("{\"request\":\"format\"}\n") << QStringLiteral("malformed")
                                 << QStringLiteral("format");
        QTest::newRow("run first") << line(randomRun()) << QStringLiteral("conflict")
                                   << QStringLiteral("run");
        QTest::newRow("no target") << QByteArray("{\"request\":\"prepare\"}\n") << QStringLiteral("malformed")
                                   << QStringLiteral("target");
        QTest::newRow("missing folder")
            << line(prepare(QStringLiteral("/nonexistent/x"))) << QStringLiteral("unknown-target")
            << QStringLiteral("/nonexistent/x");
        QTest::newRow("device") << line(prepare(QStringLiteral("/dev/null")))
                                << QStringLiteral("unknown-target") << QStringLiteral("/dev/null");
        QTest::newRow("too small") << line(prepare(folder, 4096)) << QStringLiteral("out-of-range")
                                   << QStringLiteral("4096");
        QTest::newRow("too big") << line(prepare(folder, 65 * 1024 * mebibyte))
                                 << QStringLiteral("out-of-range") << QString();
        QTest::newRow("size not a number")
            << wrong(prepare(folder), QStringLiteral("size_bytes"), QStringLiteral("big"))
            << QStringLiteral("out-of-range") << QStringLiteral("size_bytes");
        const QByteArray prepared = line(prepare(folder, mebibyte));
        for (const auto &[key, value] : {std::pair<const char *, QJsonValue>{"block_bytes", 5000},
                                         {"block_bytes", 0},
                                         {"block_bytes", 2 * mebibyte},
                                         {"depth", 0},
                                         {"depth", 1025},
                                         {"depth", -1},
                                         {"duration_ms", 0},
                                         {"duration_ms", 3'600'001},
                                         {"warm_up_ms", 60'001},
                                         {"pattern", QStringLiteral("zigzag")},
                                         {"engine", QStringLiteral("steam")}}) {
            const QString name = QString::fromLatin1(key);
            QTest::addRow("%s=%s", key, qPrintable(value.toVariant().toString()))
                << prepared + wrong(randomRun(), name, value) << QStringLiteral("out-of-range") << name;
        }
        QTest::newRow("buffered depth") << prepared + wrong(randomRun(), QStringLiteral("direct"), false)
                                        << QStringLiteral("out-of-range") << QStringLiteral("depth");
    }
    void refusesWithReasonAndRange()
    {
        QFETCH(QByteArray, requests);
        QFETCH(QString, code);
        QFETCH(QString, named);
        requests.replace(QByteArrayLiteral("\"@\""), QByteArray('"' + m_folder->path().toUtf8() + '"'));
        QProcess engine;
        start(engine);
        const auto lines = requests.split('\n');
        QJsonObject event;
        for (const QByteArray &request : lines) {
            if (request.isEmpty())
                continue;
            engine.write(request + '\n');
            event = waitFor(engine, QStringLiteral("prepared"));
        }
        QCOMPARE(event[u"event"].toString(), QStringLiteral("error"));
        QCOMPARE(event[u"code"].toString(), code);
        QVERIFY2(event[u"input"].toString().contains(named), qPrintable(event[u"input"].toString()));
        QVERIFY(!event[u"reason"].toString().isEmpty());
        if (code == QStringLiteral("out-of-range"))
            QVERIFY(!event[u"accepted"].toString().isEmpty());
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
        QVERIFY(folderIsEmpty());
    }

    void keepsAQuarterOfTheSpaceFree()
    {
        QProcess engine;
        start(engine);
        engine.write(line(prepare(QStringLiteral("/dev/shm"), 64 * 1024 * mebibyte)));
        const QJsonObject event = waitFor(engine, QStringLiteral("prepared"));
        QCOMPARE(event[u"code"].toString(), QStringLiteral("out-of-range"));
        QVERIFY(event[u"accepted"].toString().contains(QStringLiteral("quarter")));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void refusesDirectReadsWhereThereAreNone()
    {
        QProcess engine;
        start(engine);
        engine.write(line(prepare(QStringLiteral("/dev/shm"), mebibyte)));
        const QJsonObject prepared = waitFor(engine, QStringLiteral("prepared"));
        QCOMPARE(prepared[u"event"].toString(), QStringLiteral("prepared"));
        QVERIFY(prepared[u"direct_alignment_bytes"].isNull());
        engine.write(line(randomRun()));
        const QJsonObject event = waitFor(engine, QStringLiteral("result"));
        QCOMPARE(event[u"code"].toString(), QStringLiteral("absent"));
        engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
    }

    void cancelLeavesNothing_data()
    {
        QTest::addColumn<bool>("whileReading");
        QTest::addColumn<QString>("how");
        for (const char *how : {"cancel", "end of input", "kill"})
            for (const bool whileReading : {false, true})
                QTest::addRow("%s %s", how, whileReading ? "reading" : "writing")
                    << whileReading << QString::fromLatin1(how);
    }
    void cancelLeavesNothing()
    {
        QFETCH(bool, whileReading);
        QFETCH(QString, how);
        QProcess engine;
        start(engine);
        engine.write(line(prepare(m_folder->path(), whileReading ? 8 * mebibyte : 1024 * mebibyte)));
        waitFor(engine, whileReading ? QStringLiteral("prepared") : QStringLiteral("preparing"));
        if (whileReading) {
            engine.write(line(randomRun(QStringLiteral("auto"), 60'000)));
            waitFor(engine, QStringLiteral("slot"));
        }
        if (how == QStringLiteral("cancel"))
            engine.write("{\"request\":\"cancel\"}\n");
        else if (how == QStringLiteral("kill"))
            engine.kill();
        else
            engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished());
        const QByteArray rest = engine.readAll();
        if (how != QStringLiteral("kill")) {
            QCOMPARE(engine.exitStatus(), QProcess::NormalExit);
            QVERIFY(rest.contains("\"cancelled\""));
            QVERIFY(!rest.contains("\"result\""));
        }
        QVERIFY(folderIsEmpty());
    }

    void diesWithItsParent()
    {
        // A shell starts the engine, keeps its input open and is killed with no chance to tell it.
        QProcess parent;
        parent.start(QStringLiteral("bash"),
                     {QStringLiteral("-c"),
                      QStringLiteral("mkfifo \"$1/in\"; exec 3<>\"$1/in\"; \"$2\" <&3 & echo $!; echo \"$3\" "
                                     ">&3; sleep 60 & wait"),
                      QStringLiteral("sh"), m_folder->path(), QStringLiteral(ENGINE_PATH),
                      QString::fromUtf8(line(prepare(m_folder->path(), 1024 * mebibyte))).trimmed()});
        QVERIFY(parent.waitForStarted());
        while (!parent.canReadLine())
            QVERIFY(parent.waitForReadyRead());
        const pid_t engine = parent.readLine().trimmed().toInt();
        QVERIFY(engine > 1);
        const QString process = QStringLiteral("/proc/%1/comm").arg(engine);
        QVERIFY(QFile::exists(process));
        while (!parent.canReadLine())
            QVERIFY(parent.waitForReadyRead());
        parent.kill();
        QVERIFY(parent.waitForFinished());
        const auto isGone = [&] {
            QFile file(QStringLiteral("/proc/%1/stat").arg(engine));
            return !file.open(QIODevice::ReadOnly) || file.readAll().contains(") Z ");
        };
        QVERIFY(QTest::qWaitFor(isGone, QDeadlineTimer(10'000)));
        QVERIFY(QFile::remove(m_folder->filePath(QStringLiteral("in"))));
        QVERIFY(folderIsEmpty());
    }
};

QTEST_GUILESS_MAIN(EngineTest)
#include "tst_engine.moc"
