// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/disks/disk.h"
#include "app/disks/names.h"
#include "app/disks/stack.h"
#include "helper/contract/address.h"
#include "tests/helper/access/faketree.h"

#include <QTest>

#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace diskwright;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

bool isClean(const std::optional<std::string> &text)
{
    return !text || (!text->empty() && cleanText(*text) == *text);
}

/// What holds of every answer, whatever the tree says.
void verifySound(const DiskList &list, const BlockNode &node)
{
    QVERIFY(isKernelName(node.name));
    QVERIFY(!node.type.empty());
    QVERIFY(isClean(node.model) && isClean(node.label) && isClean(node.uuid) && isClean(node.fstype));
    QVERIFY(isClean(node.table) && isClean(node.scheduler) && isClean(node.mapperName));
    QVERIFY(isClean(node.volume));
    QVERIFY(!node.sizeBytes || *node.sizeBytes <= std::uint64_t{INT64_MAX});
    for (const StackStep &step : stackBelow(list, node))
        QVERIFY(list.find(step.node->name));
    QVERIFY(stackAbove(list, node).front().node == &node);
    (void)mountsAbove(list, node, true);
    QVERIFY(stackText(list, node).ends_with(node.name) || !directlyBelow(list, node).empty());
}

void verifySound(const DiskList &list)
{
    for (const BlockNode &disk : list.disks()) {
        verifySound(list, disk);
        for (const BlockNode &partition : disk.partitions) {
            QCOMPARE(partition.parent, disk.name);
            verifySound(list, partition);
        }
    }
}

/// One small change a time, always the same ones.
class Mutator
{
public:
    Mutator(fs::path root, std::uint32_t seed)
        : m_root(std::move(root))
        , m_random(seed)
    {
    }

    void change()
    {
        std::vector<fs::path> places;
        for (const auto &entry : fs::recursive_directory_iterator(m_root)) {
            if (entry.path() != m_root / "sys" && entry.path() != m_root / "sys/block")
                places.push_back(entry.path());
        }
        std::ranges::sort(places); // the order of a folder's entries is no one's promise
        const fs::path place = places[number(places.size())];
        const fs::path other = places[number(places.size())];
        switch (number(8)) {
        case 0: fs::remove_all(place); break;
        case 1: write(place, hostileText()); break;
        case 2: write(place, spoiled(read(place))); break;
        case 3:
            fs::remove_all(place);
            fs::create_directories(place);
            break;
        case 4: link(place, place.filename()); break;
        case 5: link(place, other.lexically_relative(place.parent_path())); break;
        case 6: // somebody else's text
            if (fs::is_regular_file(fs::symlink_status(other)))
                write(place, read(other));
            break;
        default:
            fs::create_directories(place.parent_path() / "slaves");
            link(place.parent_path() / "slaves" / other.filename(), "..");
        }
    }

private:
    std::size_t number(std::size_t below) { return m_random() % below; }

    std::string hostileText()
    {
        static const std::vector<std::string> texts{
            "",
            "\n",
            "-1\n",
            "9223372036854775807\n",
            "18446744073709551616\n",
            "18014398509481983\n",
            "0:0\n",
            "4294967295:4294967295\n",
            "8:0\n",
            std::string("\0\xff\xfe\n", 4),
            std::string(1 << 20, 'x'),
            "\"}],{\\\n\x1b[2J\xe2\x80\xae",
            "MAJOR=8\nMINOR=0\nPARTN=99999999999\nDISKSEQ=-1\n",
            "S:disk/by-id/wwn-0x1\nE:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=a/b\\x00\\xff\n",
            "20 20 0:1 / / rw - zfs a rw\n21 20 8:0 / / rw - btrfs /dev/sda rw\n",
            "Filename\n/dev/sda partition\n/ file\n\\134 partition\n"};
        return texts[number(texts.size())];
    }

    std::string spoiled(std::string text)
    {
        if (text.empty())
            return text;
        switch (number(3)) {
        case 0: text.resize(number(text.size())); break;
        case 1: text[number(text.size())] = static_cast<char>(number(256)); break;
        default: text.insert(number(text.size()), text);
        }
        return text;
    }

    static std::string read(const fs::path &place)
    {
        if (!fs::is_regular_file(fs::symlink_status(place)))
            return {};
        std::ifstream file(place, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static void write(const fs::path &place, const std::string &text)
    {
        if (fs::is_regular_file(fs::symlink_status(place)))
            std::ofstream(place, std::ios::binary) << text;
    }

    static void link(const fs::path &place, const fs::path &target)
    {
        fs::remove_all(place);
        fs::create_symlink(target, place);
    }

    fs::path m_root;
    std::mt19937 m_random;
};

} // namespace

class TestScanHostile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void changedMachines_data()
    {
        QTest::addColumn<QString>("machine");
        for (const auto &entry : fs::directory_iterator(DISKWRIGHT_SOURCE_DIR "/tests/fixtures/machines"))
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }
    void changedMachines()
    {
        QFETCH(QString, machine);
        constexpr std::uint32_t rounds = 4;
        constexpr int changes = 12;
        int answers = 0;
        for (std::uint32_t round = 0; round < rounds; ++round) {
            const QTemporaryDir folder;
            const fs::path copy = fs::path(folder.path().toStdString()) / "tree";
            fs::copy(machine.toStdString(), copy,
                     fs::copy_options::recursive | fs::copy_options::copy_symlinks);
            Mutator mutator(copy, round);
            for (int change = 0; change < changes; ++change) {
                mutator.change();
                if (const auto list = scanDisks(SystemRoot::at(copy.string()).value())) {
                    ++answers;
                    verifySound(*list);
                    if (QTest::currentTestFailed()) {
                        qWarning("round %u, change %d", round, change);
                        return;
                    }
                }
            }
        }
        QVERIFY(answers > static_cast<int>(rounds) * changes / 2); // else most of it was never looked at
    }
    void sizes_data()
    {
        QTest::addColumn<QByteArray>("sectors");
        QTest::addColumn<bool>("known");
        QTest::newRow("none") << QByteArray("0\n") << true;
        QTest::newRow("just below 2^63 bytes") << QByteArray("18014398509481983\n") << true;
        QTest::newRow("2^63 bytes") << QByteArray("18014398509481984\n") << false;
        QTest::newRow("2^64 - 1 sectors") << QByteArray("18446744073709551615\n") << false;
        QTest::newRow("negative") << QByteArray("-8\n") << false;
        QTest::newRow("plus") << QByteArray("+8\n") << false;
        QTest::newRow("hexadecimal") << QByteArray("0x10\n") << false;
        QTest::newRow("two lines") << QByteArray("8\n8\n") << false;
        QTest::newRow("blank") << QByteArray(" 8\n") << false;
    }
    void sizes()
    {
        QFETCH(QByteArray, sectors);
        QFETCH(bool, known);
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"size", sectors.toStdString()}});
        QCOMPARE(scanDisks(tree.root()).value().find("sda")->sizeBytes.has_value(), known);
    }
    void whatMayNotBeReadIsUnknown()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0", {{"removable", "0\n"}, {"queue/rotational", "1\n"}, {"ro", "1\n"}});
        tree.disk("sdb", "8:16");
        tree.file("sys/block/sdc", "");
        fs::remove(tree.path() / "sys/block/sdc");
        tree.link("sys/block/sdc", "sdc");
        fs::remove(tree.path() / "sys/block/sda/removable");
        tree.folder("sys/block/sda/removable");
        const auto forbid = [&](const char *place) { fs::permissions(tree.path() / place, fs::perms::none); };
        forbid("sys/block/sda/size");
        forbid("sys/block/sda/queue");
        forbid("sys/block/sdb");
        fs::permissions(tree.path(), fs::perms{0755});
        // Root reads everything, so it becomes somebody for a moment.
        const bool isRoot = geteuid() == 0;
        const SystemRoot root = tree.root();
        if (isRoot)
            QCOMPARE(seteuid(65534), 0);
        const auto list = scanDisks(root);
        if (isRoot)
            QCOMPARE(seteuid(0), 0);
        for (const char *place : {"sys/block/sda/queue", "sys/block/sdb"})
            fs::permissions(tree.path() / place, fs::perms::owner_all);
        QVERIFY(list.has_value());
        const BlockNode &disk = *list->find("sda");
        QVERIFY(!disk.sizeBytes && !disk.rotational && !disk.removable && !disk.scheduler);
        QCOMPARE(disk.notes, Words{"read-only"});
        for (const char *name : {"sdb", "sdc"}) {
            QVERIFY(list->find(name));
            QCOMPARE(list->find(name)->notes, Words{"unreadable"});
            QVERIFY(!list->find(name)->sizeBytes);
        }
    }
    void aDiskWithoutANumberIsStillADisk()
    {
        const FakeTree tree;
        tree.disk("sda", "8:0");
        fs::remove(tree.path() / "sys/block/sda/dev");
        tree.disk("sdb", "not a number");
        const DiskList list = scanDisks(tree.root()).value();
        QVERIFY(!list.find("sda")->hiddenByDefault && !list.find("sdb")->hiddenByDefault);
        QCOMPARE(list.find("sda")->major, 0u);
        QCOMPARE(list.find("sda")->sizeBytes, std::optional<std::uint64_t>(2048 * 512));
    }
    void aPartitionIsWhatTheKernelNumbers()
    {
        const FakeTree tree;
        tree.disk("mmcblk0", "179:0");
        tree.disk("mmcblk0boot0", "179:16");
        tree.partition("mmcblk0", "mmcblk0p1", "179:1");
        tree.file("sys/block/mmcblk0/mmcblk0boot0/dev", "179:16\n");
        tree.file("sys/block/mmcblk0/mmcblk0p2/dev", "179:2\n");
        tree.file("sys/block/mmcblk0/mmcblk0p3/partition", "-3\n");
        const DiskList list = scanDisks(tree.root()).value();
        QCOMPARE(list.find("mmcblk0")->partitions.size(), 1u);
        QCOMPARE(list.find("mmcblk0boot0")->notes, Words{"emmc-boot"});
        QCOMPARE(list.find("mmcblk0boot0")->parent, std::string());
    }
};

QTEST_APPLESS_MAIN(TestScanHostile)
#include "tst_scan_hostile.moc"
