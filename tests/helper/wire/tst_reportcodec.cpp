// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/wire/reportcodec.h"
#include "samples.h"

#include <QTest>

using namespace diskwright;

class TestReportCodec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void travels()
    {
        for (const Report &report : samples::reports()) {
            const auto decoded = decodeReport(encode(report));
            QVERIFY(decoded);
            QVERIFY(*decoded == report);
        }
    }

    void everyTruncationIsRefused()
    {
        for (const Report &report : samples::reports()) {
            const QByteArray bytes = encode(report);
            for (qsizetype size = 0; size < bytes.size(); ++size)
                QVERIFY(!decodeReport(bytes.first(size)));
            QVERIFY(!decodeReport(QByteArray(bytes + '\0')));
        }
    }

    void everyBitFlipIsRefusedOrMeansExactlyItself()
    {
        for (const Report &report : samples::reports()) {
            const QByteArray bytes = encode(report);
            for (qsizetype bit = 0; bit < bytes.size() * 8; ++bit) {
                QByteArray flipped = bytes;
                flipped[bit / 8] = static_cast<char>(flipped.at(bit / 8) ^ (1 << (bit % 8)));
                const auto decoded = decodeReport(flipped);
                QVERIFY(!decoded || (encode(*decoded) == flipped && *decoded != report));
            }
        }
    }

    void unknownCodesAreRefused()
    {
        Report report = samples::reports().back();
        report.outcome = static_cast<Outcome>(16);
        QVERIFY(!decodeReport(encode(report)));
        report = samples::reports().back();
        report.why = static_cast<Errc>(static_cast<int>(lastErrc) + 1);
        QVERIFY(!decodeReport(encode(report)));
        report = samples::reports().back();
        report.steps.front().result = static_cast<StepResult>(10);
        QVERIFY(!decodeReport(encode(report)));
        report = samples::reports().back();
        report.steps.assign(limits::changes + 1, StepReport{});
        QVERIFY(!decodeReport(encode(report)));
    }

    void anotherVersionIsNamed()
    {
        const auto decoded = decodeReport(QByteArray::fromHex("a10002"));
        QVERIFY(!decoded);
        QCOMPARE(decoded.error().code, Errc::UnsupportedVersion);
    }

    void garbageIsRefused()
    {
        for (const QByteArray &bytes : {QByteArray(), QByteArray(10, '\xff'), QByteArray(60000, '\x81'),
                                        QByteArray(70000, '\0'), QByteArray::fromHex("bf0001ff")}) {
            const auto decoded = decodeReport(bytes);
            QVERIFY(!decoded);
            QCOMPARE(decoded.error().code, Errc::Malformed);
        }
    }
};

QTEST_APPLESS_MAIN(TestReportCodec)

#include "tst_reportcodec.moc"
