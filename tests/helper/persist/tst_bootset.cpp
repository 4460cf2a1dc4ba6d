// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/bootset.h"

#include "sampleset.h"

#include <QTest>

using namespace diskwright;

namespace {

QByteArray withReplaced(const char *from, const char *to)
{
    QByteArray text = QByteArray::fromStdString(encode(sample::mixedSet()));
    const qsizetype at = text.indexOf(from);
    return at < 0 ? QByteArray() : text.replace(at, static_cast<qsizetype>(strlen(from)), to);
}

} // namespace

class TestBootSet final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip()
    {
        const BootSet set = sample::mixedSet();
        const auto decoded = decodeBootSet(encode(set));
        QVERIFY2(decoded.has_value(), decoded ? "" : decoded.error().reason.c_str());
        QCOMPARE(*decoded, set);
    }

    void emptyRoundTrip()
    {
        QCOMPARE(encode(BootSet{}), std::string("{\n\"version\": 1,\n\"items\": [\n]\n}\n"));
        QCOMPARE(decodeBootSet(encode(BootSet{})), Result<BootSet>(BootSet{}));
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray(100, '\xff');
        QTest::newRow("deep") << QByteArray(200000, '[');
        QTest::newRow("too long") << QByteArray(static_cast<qsizetype>(bootSetBytes) + 1, ' ');
        QTest::newRow("array") << QByteArray("[]");
        QTest::newRow("other version") << withReplaced("\"version\": 1", "\"version\": 2");
        QTest::newRow("version as text") << withReplaced("\"version\": 1", "\"version\": \"1\"");
        QTest::newRow("trailing byte") << QByteArray::fromStdString(encode(sample::mixedSet()) + "\n");
        QTest::newRow("repeated key") << withReplaced("\"value\": 1024", "\"value\": 4, \"value\": 1024");
        QTest::newRow("unknown key") << withReplaced("\"value\": 1024", "\"value\": 1024, \"run\": \"x\"");
        QTest::newRow("fraction") << withReplaced("1024,", "1024.5,");
        QTest::newRow("exponent") << withReplaced("1024,", "1.024e3,");
        QTest::newRow("off the grid") << withReplaced("1024,", "1023,");
        QTest::newRow("out of range") << withReplaced("1024,", "40000,");
        QTest::newRow("number as text") << withReplaced("1024,", "\"1024\",");
        QTest::newRow("unknown row") << withReplaced("queue/read_ahead_kb", "queue/write_cache");
        QTest::newRow("row and target do not fit")
            << withReplaced("\"machine\": true", "\"class\": \"nvme\"");
        QTest::newRow("unknown class") << withReplaced("usb-removable", "usb-anything");
        QTest::newRow("quote in the serial") << withReplaced("QEMU_SSD_A_ATA0001", "x\\\", RUN+=\\\"y");
        QTest::newRow("pattern in the serial") << withReplaced("QEMU_SSD_A_ATA0001", "QEMU_SSD_*");
        QTest::newRow("substitution in the id") << withReplaced("wwn-0x5000c50015ea71ac", "wwn-$kernel");
        QTest::newRow("newline in the origin") << withReplaced("Quiet stick", "Quiet\\nstick");
        QTest::newRow("control in the origin") << withReplaced("Quiet stick", "Quiet\\u001bstick");
        QTest::newRow("path as kernel name") << withReplaced("\"sda\"", "\"../sda\"");
        QTest::newRow("size of no disk") << withReplaced("1073741824", "1073741825");
        QTest::newRow("negative size") << withReplaced("1073741824", "-1073741824");
        QTest::newRow("same item twice") << withReplaced("vm/dirty_background_bytes", "vm/dirty_bytes");
        QTest::newRow("half and its pair")
            << withReplaced("\"vm/dirty_background_bytes\", \"machine\": true, \"value\": 67108864",
                            "\"vm/dirty_ratio\", \"machine\": true, \"value\": 20");
        QTest::newRow("original of another row")
            << withReplaced("{\"setting\": \"vm/dirty_ratio\"", "{\"setting\": \"vm/swappiness\"");
    }

    void refused()
    {
        QFETCH(QByteArray, text);
        const auto decoded = decodeBootSet(text.toStdString());
        QVERIFY(!decoded);
        QVERIFY(decoded.error().code != Errc::None);
        QVERIFY(!decoded.error().reason.empty());
    }

    void theMostItemsDecodeAndOneMoreIsRefused()
    {
        BootSet set;
        for (std::size_t i = 0; i < limits::bootItems; ++i) {
            DiskMatch disk = sample::usbDisk();
            disk.serial = "S" + std::to_string(i);
            set.items.push_back(sample::item("queue/read_ahead_kb", disk, number(4), number(128)));
        }
        const std::string text = encode(set);
        QVERIFY(text.size() <= bootSetBytes);
        QCOMPARE(decodeBootSet(text), Result<BootSet>(set));
        set.items.push_back(sample::item("vm/dirty_bytes", MachineMatch{}, number(8192), number(0)));
        QVERIFY(!decodeBootSet(encode(set)));
    }

    void theLongestItemsFit()
    {
        BootSet set;
        for (std::size_t i = 0; i < limits::bootItems; ++i) {
            const std::string id = std::string(124, 'a') + std::to_string(1000 + i);
            const DiskMatch disk{id, id, id, std::uint64_t{1} << 62, std::string(32, 'a')};
            set.items.push_back(
                sample::item("iosched/mq-deadline/read_expire", disk, number(60000), number(60000)));
            set.items.back().origin = std::string(limits::stringBytes, '"');
        }
        const std::string text = encode(set);
        QVERIFY2(text.size() <= bootSetBytes, std::to_string(text.size()).c_str());
        QCOMPARE(decodeBootSet(text), Result<BootSet>(set));
    }

    void theNameDoesNotMakeAnotherTarget()
    {
        DiskMatch renamed = sample::ataDisk();
        renamed.name = "sdq";
        QVERIFY(isSameTarget(sample::ataDisk(), renamed));
        renamed.sizeBytes += 512;
        QVERIFY(!isSameTarget(sample::ataDisk(), renamed));
        QVERIFY(!isSameTarget(sample::ataDisk(), DiskClass::SataSolidState));
        QVERIFY(!isSameTarget(DiskClass::Nvme, DiskClass::Mmc));
        QVERIFY(isSameTarget(MachineMatch{}, MachineMatch{}));
    }

    void sha256OfAKnownText()
    {
        // FIPS 180-2, appendix B.1
        QCOMPARE(toHex(sha256("abc")),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }
};

QTEST_APPLESS_MAIN(TestBootSet)
#include "tst_bootset.moc"
