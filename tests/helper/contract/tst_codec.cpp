// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/contract/codec.h"
#include "helper/contract/report.h"

#include <QTest>

using namespace diskwright;

static const SettingSpec &row(std::string_view id)
{
    const SettingSpec *spec = findSetting(id);
    if (!spec)
        qFatal("no such row");
    return *spec;
}

class TestCodec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bracketedChoice()
    {
        const auto parsed = parseKernelText(row("queue/scheduler"), "none [mq-deadline] kyber bfq \n");
        QVERIFY(parsed);
        QCOMPARE(toText(parsed->value), "mq-deadline");
        QCOMPARE(parsed->offered, (std::vector<std::string>{"none", "mq-deadline", "kyber", "bfq"}));
    }

    void loneChoiceIsCurrent()
    {
        const auto parsed = parseKernelText(row("queue/scheduler"), "none\n");
        QVERIFY(parsed);
        QCOMPARE(toText(parsed->value), "none");
    }

    void refusesKernelText_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"", "\n", "none mq-deadline\n", "abc\n", "12x\n", " 12\n", "99999999999999999999\n"})
            QTest::newRow(text) << QByteArray(text);
    }
    void refusesKernelText()
    {
        QFETCH(QByteArray, text);
        const bool isList = text.contains("none");
        const auto parsed =
            parseKernelText(row(isList ? "queue/scheduler" : "queue/nr_requests"), text.toStdString());
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, Errc::Malformed);
    }

    // What the kernel reads as another number, or takes only in part, never counts as a decimal.
    void refusesUserText_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"", "0x10", "010", "10 20", "10\n20", "+5", "-0", "1e3", "٣", " 5", "5 "})
            QTest::newRow(text) << QByteArray(text);
    }
    void refusesUserText()
    {
        QFETCH(QByteArray, text);
        const auto value = parseUserText(row("vm/dirty_ratio"), text.toStdString());
        QVERIFY(!value);
        QCOMPARE(value.error().code, Errc::Malformed);
        QCOMPARE(value.error().accepted, "1 to 100 %");
    }

    // A number, only too large to be held.
    void namesTheRangeOfWhatIsTooLarge()
    {
        for (const char *text : {"9223372036854775808", "99999999999999999999"}) {
            const auto value = parseUserText(row("vm/dirty_ratio"), text);
            QVERIFY2(!value, text);
            QCOMPARE(value.error().code, Errc::OutOfRange);
            QCOMPARE(value.error().accepted, "1 to 100 %");
        }
    }

    void validates_data()
    {
        QTest::addColumn<QByteArray>("setting");
        QTest::addColumn<qint64>("value");
        QTest::addColumn<int>("code");
        const auto add = [](const char *setting, qint64 value, Errc code) {
            QTest::addRow("%s=%lld", setting, static_cast<long long>(value))
                << QByteArray(setting) << value << static_cast<int>(code);
        };
        add("queue/read_ahead_kb", 0, Errc::None);
        add("queue/read_ahead_kb", 32768, Errc::None);
        add("queue/read_ahead_kb", 32772, Errc::OutOfRange);
        add("queue/read_ahead_kb", 1, Errc::NotAMultiple);
        add("queue/read_ahead_kb", 3, Errc::NotAMultiple);
        add("queue/read_ahead_kb", -4, Errc::OutOfRange);
        add("queue/read_ahead_kb", 4294967292, Errc::OutOfRange);
        add("queue/nr_requests", 3, Errc::OutOfRange);
        add("queue/nr_requests", 4, Errc::None);
        add("queue/nr_requests", 2048, Errc::None);
        add("queue/nr_requests", 2049, Errc::OutOfRange);
        add("vm/dirty_ratio", 101, Errc::OutOfRange);
        add("vm/dirty_ratio", 100, Errc::None);
        add("vm/dirty_bytes", 4096, Errc::OutOfRange);
        add("vm/dirty_bytes", 8192, Errc::None);
        add("vm/dirty_bytes", 0, Errc::OutOfRange);
        add("iosched/mq-deadline/read_expire", 222, Errc::None);
        add("iosched/mq-deadline/read_expire", 0, Errc::OutOfRange);
    }
    void validates()
    {
        QFETCH(QByteArray, setting);
        QFETCH(qint64, value);
        QFETCH(int, code);
        const auto result = validate(row(setting.toStdString()), number(value));
        QCOMPARE(static_cast<int>(result ? Errc::None : result.error().code), code);
        if (!result) {
            QCOMPARE(result.error().input, QByteArray::number(value).toStdString());
            QVERIFY(!result.error().accepted.empty());
        }
    }

    void choicesAreKnownAndOffered()
    {
        const SettingSpec &scheduler = row("queue/scheduler");
        const std::vector<std::string> offered{"none", "mq-deadline", "novelty"};
        QVERIFY(validate(scheduler, word("mq-deadline"), &offered));
        QCOMPARE(validate(scheduler, word("bfq"), &offered).error().code, Errc::NotOffered);
        QCOMPARE(validate(scheduler, word("bfq"), &offered).error().accepted, "none, mq-deadline");
        QCOMPARE(validate(scheduler, word("novelty"), &offered).error().code, Errc::OutOfRange);
        QCOMPARE(validate(scheduler, word("NONE")).error().code, Errc::OutOfRange);
        QCOMPARE(validate(scheduler, word("none\nmq-deadline")).error().code, Errc::OutOfRange);
        QCOMPARE(validate(scheduler, number(1)).error().code, Errc::Malformed);
        QCOMPARE(validate(row("queue/nr_requests"), word("64")).error().code, Errc::Malformed);
    }

    // The table test: each row takes its own edges, refuses what lies just outside, and survives the round
    // trip.
    void everyRowHoldsItsEdges()
    {
        for (const SettingSpec &spec : catalogue()) {
            QCOMPARE(findSetting(spec.id), &spec);
            QCOMPARE(findSetting(spec.domain, spec.key), &spec);
            if (const auto *range = std::get_if<Range>(&spec.accepts)) {
                for (const std::int64_t edge : {range->min, range->max / range->step * range->step}) {
                    QVERIFY2(validate(spec, number(edge)), std::string(spec.id).c_str());
                    QCOMPARE(parseKernelText(spec, kernelText(number(edge)) + "\n")->value, number(edge));
                    QCOMPARE(*fromReportNumber(spec, *toReportNumber(spec, number(edge))), number(edge));
                }
                QVERIFY(!validate(spec, number(range->min - range->step)));
                QVERIFY(!validate(spec, number(range->max + range->step)));
            }
            if (const auto *choice = std::get_if<Choice>(&spec.accepts)) {
                for (const std::string_view text : choice->words) {
                    QVERIFY(validate(spec, word(std::string(text))));
                    QCOMPARE(*fromReportNumber(spec, *toReportNumber(spec, word(std::string(text)))),
                             word(std::string(text)));
                }
                QVERIFY(!fromReportNumber(spec, static_cast<std::int64_t>(choice->words.size())));
                QVERIFY(!fromReportNumber(spec, -1));
            }
            if (!spec.pair.empty()) {
                const SettingSpec *other = findSetting(spec.pair);
                QVERIFY(other);
                QCOMPARE(other->pair, spec.id);
            }
        }
        QCOMPARE(findSetting("queue/write_cache"), nullptr);
        QCOMPARE(findSetting(Domain::Vm, "drop_caches"), nullptr);
    }

    void printableHidesControlBytes()
    {
        QCOMPARE(printable("a\nb\x1b[1m\xe2\x80\xae\\"), R"(a\x0ab\x1b[1m\xe2\x80\xae\x5c)");
        QCOMPARE(printable(std::string(1000, 'x')).size(), 256u);
    }
};

QTEST_APPLESS_MAIN(TestCodec)

#include "tst_codec.moc"
