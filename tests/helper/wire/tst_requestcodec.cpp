// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/wire/requestcodec.h"
#include "helper/wire/strictcbor.h"
#include "samples.h"

#include <QTest>

using namespace diskwright;

namespace {

// Bytes either are refused, or are the one spelling of what they decode to.
bool isRefusedOrCanonical(const QByteArray &bytes)
{
    const auto request = decodeRequest(bytes);
    return !request || encode(*request) == bytes;
}

bool refuses(const QByteArray &bytes)
{
    const auto request = decodeRequest(bytes);
    return !request && request.error().code == Errc::Malformed && !request.error().reason.empty();
}

bool refusesOperation(const Operation &operation)
{
    return refuses(encode(Request{samples::id, operation}));
}

} // namespace

class TestRequestCodec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOperationTravels()
    {
        for (const Request &request : samples::requests()) {
            const auto decoded = decodeRequest(encode(request));
            QVERIFY(decoded);
            QVERIFY(*decoded == request);
        }
    }

    void everyTruncationIsRefused()
    {
        for (const Request &request : samples::requests()) {
            const QByteArray bytes = encode(request);
            for (qsizetype size = 0; size < bytes.size(); ++size)
                QVERIFY2(refuses(bytes.first(size)), qPrintable(QString::number(size)));
            QVERIFY(refuses(bytes + '\0'));
            QVERIFY(refuses(bytes + bytes));
        }
    }

    void everyBitFlipIsRefusedOrMeansExactlyItself()
    {
        for (const Request &request : samples::requests()) {
            const QByteArray bytes = encode(request);
            for (qsizetype bit = 0; bit < bytes.size() * 8; ++bit) {
                QByteArray flipped = bytes;
                flipped[bit / 8] = static_cast<char>(flipped.at(bit / 8) ^ (1 << (bit % 8)));
                const auto decoded = decodeRequest(flipped);
                QVERIFY(!decoded || (encode(*decoded) == flipped && *decoded != request));
            }
        }
    }

    void everyByteReplacedByEveryCborHead()
    {
        for (const Request &request : samples::requests()) {
            const QByteArray bytes = encode(request);
            for (qsizetype at = 0; at < bytes.size(); ++at) {
                for (const int head : {0x00, 0x1b, 0x3b, 0x5b, 0x5f, 0x7b, 0x7f, 0x9b, 0x9f, 0xbb,
                                       0xbf, 0xc0, 0xd8, 0xf5, 0xf6, 0xf7, 0xf9, 0xfa, 0xfb, 0xff}) {
                    QByteArray changed = bytes;
                    changed[at] = static_cast<char>(head);
                    QVERIFY(isRefusedOrCanonical(changed));
                }
            }
        }
    }

    void garbage_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("0xff") << QByteArray(10, '\xff');
        QTest::newRow("zeros") << QByteArray(100, '\0');
        QTest::newRow("string of 2^63 bytes") << QByteArray::fromHex("a400010158"
                                                                     "7b7fffffffffffffff");
        QTest::newRow("map of 2^64-1 keys") << QByteArray::fromHex("bbffffffffffffffff0001");
        QTest::newRow("array of 2^32 items") << QByteArray::fromHex("9b0000000100000000");
        QTest::newRow("indefinite map") << QByteArray::fromHex("bf0001ff");
        QTest::newRow("tagged") << QByteArray::fromHex("d9d9f7a0");
        QTest::newRow("empty map") << QByteArray::fromHex("a0");
        QTest::newRow("version as text") << QByteArray::fromHex("a4006131");
        QTest::newRow("version as float") << QByteArray::fromHex("a400f93c00");
        QTest::newRow("version spelt long") << QByteArray::fromHex("a4001801");
        QTest::newRow("JSON") << QByteArray("{\"id\":1}");
        QTest::newRow("nested arrays") << QByteArray(60000, '\x81');
        QTest::newRow("nested maps") << QByteArray::fromHex("a100").repeated(30000);
        QTest::newRow("nested tags") << QByteArray(60000, '\xc1');
        QTest::newRow("too large") << QByteArray(64 * 1024 + 1, '\x81');
    }
    void garbage()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(refuses(bytes));
    }

    void anotherVersionIsNamed()
    {
        const auto decoded = decodeRequest(QByteArray::fromHex("a10002"));
        QVERIFY(!decoded);
        QCOMPARE(decoded.error().code, Errc::UnsupportedVersion);
        QCOMPARE(decoded.error().accepted, "1");
    }

    void duplicateAndUnknownKeysAreRefused()
    {
        StrictCborWriter twice;
        twice.beginMap(4);
        twice.key(0), twice.natural(1);
        twice.key(1), twice.bytes(samples::id);
        twice.key(1), twice.bytes(samples::id);
        twice.key(2), twice.natural(8);
        twice.endMap();
        QVERIFY(refuses(twice.result()));

        QByteArray extra = encode(Request{samples::id, UseAtStartRequest{}});
        extra[0] = '\xa5';
        QVERIFY(refuses(extra + QByteArray::fromHex("0400")));
        QVERIFY(refuses(extra + QByteArray::fromHex("645041544800"))); // "PATH"
    }

    void countsAreBounded()
    {
        ApplyRequest apply = samples::apply();
        apply.changes.clear();
        QVERIFY(refusesOperation(apply));
        apply = samples::apply();
        apply.changes.assign(limits::changes, {0, "queue/scheduler", word("none"), word("bfq")});
        QVERIFY(!refusesOperation(apply));
        apply.changes.push_back(apply.changes.front());
        QVERIFY(refusesOperation(apply));
        apply = samples::apply();
        apply.devices.assign(limits::devices + 1, samples::devices().front());
        QVERIFY(refusesOperation(apply));
        ApplyRequest unkept = samples::apply();
        unkept.keep = false;
        QVERIFY(!decodeRequest(encode(Request{samples::id, unkept})));
        KeepRequest keep{samples::id, {}, {}, false, {}};
        QVERIFY(refusesOperation(keep));
    }

    void leasesAreBounded()
    {
        LeaseRequest lease = samples::lease();
        lease.states.resize(1);
        QVERIFY(refusesOperation(lease));
        lease = samples::lease();
        lease.states.assign(limits::mostLeaseStates + 1, lease.states.front());
        QVERIFY(refusesOperation(lease));
        lease = samples::lease();
        lease.states.back().pop_back();
        QVERIFY(refusesOperation(lease));
        for (const std::uint16_t switches : {std::uint16_t{0}, std::uint16_t{513}, std::uint16_t{65535}}) {
            lease = samples::lease();
            lease.mostSwitches = switches;
            QVERIFY(refusesOperation(lease));
        }
        for (const int seconds : {0, 3601, -1}) {
            lease = samples::lease();
            lease.duration = std::chrono::seconds(seconds);
            QVERIFY(refusesOperation(lease));
        }
    }

    void timesAreBounded()
    {
        for (const std::int64_t seconds : {1LL, 4LL, 601LL, -1LL, 1LL << 31, 1LL << 32}) {
            ApplyRequest apply = samples::apply();
            apply.trial = std::chrono::seconds(seconds);
            QVERIFY(refusesOperation(apply));
        }
        for (const int seconds : {0, 5, 600}) {
            ApplyRequest apply = samples::apply();
            apply.trial = std::chrono::seconds(seconds);
            QVERIFY(!refusesOperation(apply));
        }
        QVERIFY(refusesOperation(ProlongRequest{samples::id, samples::token, std::chrono::seconds(0)}));
        QVERIFY(refusesOperation(ProlongRequest{samples::id, samples::token, std::chrono::seconds(1801)}));
    }

    void stringsAreShortPrintableAscii()
    {
        for (const std::string &text :
             {std::string(257, 'a'), std::string("a\nb"), std::string("a\0b", 3), std::string("\x1b[?1047h"),
              std::string("\u202e"), std::string("\xff\xfe"), std::string("caf\xc3\xa9")}) {
            ApplyRequest apply = samples::apply();
            apply.origin = text;
            QVERIFY(refusesOperation(apply));
            apply = samples::apply();
            apply.devices.front().name = text;
            QVERIFY(refusesOperation(apply));
            apply = samples::apply();
            apply.changes.front().setting = text;
            QVERIFY(refusesOperation(apply));
            apply = samples::apply();
            apply.changes.front().wanted = word(text);
            QVERIFY(refusesOperation(apply));
        }
        ApplyRequest longest = samples::apply();
        longest.origin = std::string(256, '~');
        QVERIFY(!refusesOperation(longest));
    }

    void integersAreNotNarrowed()
    {
        // The value 2^63 does not fit, and is neither clamped nor wrapped.
        const QByteArray good = encode(Request{samples::id, samples::apply()});
        const QByteArray value = QByteArray::fromHex("1a10000000"); // 268435456
        QVERIFY(good.contains(value));
        for (const char *other :
             {"1b8000000000000000", "1bffffffffffffffff", "3bffffffffffffffff", "3b8000000000000000",
              "fb41b0000000000000", "f5", "f6", "f7", "c10a", "450010000000", "1b0000000010000000"}) {
            QByteArray changed = good;
            changed.replace(value, QByteArray::fromHex(other));
            QVERIFY2(refuses(changed), other);
        }
        QByteArray negative = good;
        negative.replace(value, QByteArray::fromHex("20"));
        const auto decoded = decodeRequest(negative);
        QVERIFY(decoded); // the catalogue's range check answers to -1
        QVERIFY(std::get<ApplyRequest>(decoded->operation).changes.back().wanted == number(-1));
    }
};

QTEST_APPLESS_MAIN(TestRequestCodec)

#include "tst_requestcodec.moc"
