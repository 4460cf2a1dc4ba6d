// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/machinecopy.h"
#include "tests/ui/rig.h"

#include "ui/dialogs/reviewdialog.h"
#include "ui/models/slowdisks.h"

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace diskwright;
using namespace diskwright::ui;

namespace {

QAbstractButton *button(QWidget *where, const QString &start)
{
    for (auto *candidate : where->findChildren<QAbstractButton *>()) {
        if (candidate->text().remove(u'&').startsWith(start) && candidate->isVisible())
            return candidate;
    }
    return nullptr;
}

bool says(QWidget *where, const QString &part)
{
    return std::ranges::any_of(where->findChildren<QLabel *>(), [&](const QLabel *label) {
        return label->isVisible() && label->text().contains(part);
    });
}

/// A machine with a stick that is mounted for writing, and whose kernel knows limits of one disk.
class StickCopy : public MachineCopy
{
public:
    StickCopy()
        : MachineCopy(u"guest-virtio-ahci-usb"_s)
    {
        setLimit("0", "1000000", "900000000");
    }
    void setLimit(const char *strict, const char *share, const char *bytes) const
    {
        QVERIFY(QDir().mkpath(folder(u"sdc"_s) + u"/bdi"_s));
        write(u"sdc"_s, u"bdi/strict_limit"_s, strict);
        write(u"sdc"_s, u"bdi/max_ratio_fine"_s, share);
        write(u"sdc"_s, u"bdi/max_ratio"_s, "100\n");
        write(u"sdc"_s, u"bdi/max_bytes"_s, bytes);
    }
    void takeItsId() const
    {
        QFile file(root() + u"/run/udev/data/b8:32"_s);
        QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
        QVERIFY(file.write("E:ID_BUS=usb\n") > 0);
    }
};

} // namespace

class TestLimitCard : public QObject
{
    Q_OBJECT

private:
    static ReviewDialog *review(Rig &rig)
    {
        button(rig.window.get(), u"Review…"_s)->click();
        return rig.window->findChild<ReviewDialog *>();
    }

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void onlyWhatIsMountedForWritingIsSlow()
    {
        const StickCopy copy;
        Rig rig(copy.root());
        QCOMPARE(slowDisks(rig.machine), std::vector<std::string>{"sdc"});
        QCOMPARE(unwrittenLimit(rig.machine, {}, "sdc"), UnwrittenLimit::None);
        QCOMPARE(unwrittenLimit(rig.machine, {}, "sda"), UnwrittenLimit::Unknown);
    }

    void aShareWithStrictnessIsALimit()
    {
        const StickCopy copy;
        copy.setLimit("1\n", "80000\n", "67104768\n");
        Rig rig(copy.root());
        QCOMPARE(unwrittenLimit(rig.machine, {}, "sdc"), UnwrittenLimit::InForce);
        rig.window->go({Place::Kind::Memory, {}});
        QVERIFY(says(rig.window.get(), u"unwritten at most"_s));
        QVERIFY(!button(rig.window.get(), u"Limit to"_s));
    }

    void littleMemoryGetsALowerLimit()
    {
        WritebackSample sample;
        QCOMPARE(sensibleLimit({}), 64 << 20);
        sample.limit = 4e9;
        QCOMPARE(sensibleLimit(sample), 64 << 20);
        sample.limit = 100 << 20;
        QCOMPARE(sensibleLimit(sample), 3 << 20);
        sample.limit = 0;
        QCOMPARE(sensibleLimit(sample), 1 << 20);
    }

    void theLimitIsStagedAndTakenBack()
    {
        const StickCopy copy;
        Rig rig(copy.root());
        rig.window->go({Place::Kind::Memory, {}});
        button(rig.window.get(), u"Limit to"_s)->click();
        QCOMPARE(rig.staged.set().count(), std::size_t{2});
        QCOMPARE(rig.staged.set().find(*parseAddress("bdi:sdc:strict_limit"))->wanted, number(1));
        QVERIFY(rig.staged.set().find(*parseAddress("bdi:sdc:max_bytes")));
        QVERIFY(says(rig.window.get(), u"Staged: at most"_s));
        button(rig.window.get(), u"Take back"_s)->click();
        QVERIFY(rig.staged.set().isEmpty());
        QVERIFY(button(rig.window.get(), u"Limit to"_s));
    }

    void allAreLimitedAtOnce()
    {
        const MachineCopy copy(u"usb-enclosure-twins"_s);
        QFile mounts(copy.root() + u"/proc/self/mountinfo"_s);
        QVERIFY(mounts.open(QFile::Append));
        QVERIFY(mounts.write("25 22 8:16 / /srv/b rw,relatime shared:4 - ext4 /dev/sdb rw\n") > 0);
        mounts.close();
        for (const QString &disk : {u"mmcblk0"_s, u"sda"_s, u"sdb"_s}) {
            QVERIFY(QDir().mkpath(copy.folder(disk) + u"/bdi"_s));
            copy.write(disk, u"bdi/strict_limit"_s, disk == u"sda"_s ? "1\n" : "0\n");
            copy.write(disk, u"bdi/max_ratio_fine"_s, disk == u"sda"_s ? "80000\n" : "1000000\n");
            copy.write(disk, u"bdi/max_bytes"_s, "900000000\n");
        }
        copy.write(u"mmcblk0"_s, u"device/type"_s, "SD\n");
        Rig rig(copy.root());
        // A card is one that can be taken out, though its reader does not say so.
        QCOMPARE(slowDisks(rig.machine), (std::vector<std::string>{"mmcblk0", "sda", "sdb"}));
        rig.window->go({Place::Kind::Memory, {}});
        QAbstractButton *all = button(rig.window.get(), u"Limit all to"_s);
        QVERIFY(all);
        QVERIFY2(all->accessibleName().contains(u'2'), qPrintable(all->accessibleName()));
        all->click();
        for (const char *address : {"bdi:mmcblk0:max_bytes", "bdi:mmcblk0:strict_limit", "bdi:sdb:max_bytes"})
            QVERIFY2(rig.staged.set().find(*parseAddress(address)), address);
        QVERIFY2(!rig.staged.set().find(*parseAddress("bdi:sda:max_bytes")), "it has its limit already");
        QVERIFY(!button(rig.window.get(), u"Limit all to"_s));
        button(rig.window.get(), u"Take back"_s)->click();
        QVERIFY2(!button(rig.window.get(), u"Limit all to"_s), "one has a button of its own");
    }

    void theReviewOffersEveryDiskOfTheKind()
    {
        const StickCopy copy;
        Rig rig(copy.root());
        rig.window->go({Place::Kind::Memory, {}});
        button(rig.window.get(), u"Limit to"_s)->click();
        ReviewDialog *dialog = review(rig);
        QAbstractButton *every = nullptr;
        QVERIFY(QTest::qWaitFor([&] {
            every = button(dialog, u"Not for this disk alone, but for every removable USB disk"_s);
            return every != nullptr;
        }));
        QVERIFY(!every->isEnabled());
        button(dialog, u"At every start"_s)->click();
        QVERIFY(every->isEnabled());
        every->click();
        button(dialog, u"Apply"_s)->click();
        QVERIFY(rig.applier.keep);
        QCOMPARE(rig.applier.keepFor, std::optional(DiskClass::UsbRemovable));
    }

    void withoutItTheDiskItselfIsMeant()
    {
        const StickCopy copy;
        Rig rig(copy.root());
        rig.stage("queue:sdc:read_ahead_kb", number(512));
        ReviewDialog *dialog = review(rig);
        button(dialog, u"At every start"_s)->click();
        button(dialog, u"Apply"_s)->click();
        QVERIFY(rig.applier.keep);
        QVERIFY(!rig.applier.keepFor);
    }

    void aDiskWithoutAnIdIsKnownByItsKindOnly()
    {
        const StickCopy copy;
        copy.takeItsId();
        Rig rig(copy.root());
        rig.stage("queue:sdc:read_ahead_kb", number(512));
        ReviewDialog *dialog = review(rig);
        QVERIFY(QTest::qWaitFor([&] { return says(dialog, u"no serial number"_s); }));
        QVERIFY(!button(dialog, u"Not for this disk alone"_s));
        button(dialog, u"At every start for every removable USB disk"_s)->click();
        button(dialog, u"Apply"_s)->click();
        QVERIFY(rig.applier.keep);
        QCOMPARE(rig.applier.keepFor, std::optional(DiskClass::UsbRemovable));
    }

    void whatEveryStartSetsNowIsNamed()
    {
        const StickCopy copy;
        copy.takeItsId();
        QVERIFY(QDir().mkpath(copy.root() + u"/etc/diskwright"_s));
        QFile kept(copy.root() + u"/etc/diskwright/boot-set.json"_s);
        QVERIFY(kept.open(QFile::WriteOnly));
        QVERIFY(
            kept.write(R"({"version":1,"items":[{"setting":"queue/read_ahead_kb","class":"usb-removable",)"
                       R"("value":2048,"origin":"Copying","kept_at":1,)"
                       R"("original":{"setting":"queue/read_ahead_kb","value":128}}]})") > 0);
        kept.close();
        Rig rig(copy.root());
        rig.stage("queue:sdc:read_ahead_kb", number(512));
        ReviewDialog *dialog = review(rig);
        const QString replaced = u"Replaces what every start sets now: Read-ahead 2,048"_s;
        QVERIFY(!says(dialog, replaced));
        QVERIFY(QTest::qWaitFor([&] { return button(dialog, u"At every start"_s)->isEnabled(); }));
        button(dialog, u"At every start"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return says(dialog, replaced); }));
        button(dialog, u"At every start"_s)->click();
        QVERIFY(!says(dialog, replaced));
    }

    // Two disks of different kinds, of which one has no id.
    void whatCanNotBeKnownAgainIsNotOffered()
    {
        const StickCopy copy;
        copy.takeItsId();
        Rig rig(copy.root());
        rig.stage("queue:sdc:read_ahead_kb", number(512));
        rig.stage("queue:sda:read_ahead_kb", number(512));
        ReviewDialog *dialog = review(rig);
        QVERIFY(!button(dialog, u"At every start"_s)->isEnabled());
    }

    void theSystemDiskIsOfNoKind()
    {
        const StickCopy copy;
        Rig rig(copy.root());
        rig.stage("queue:vda:read_ahead_kb", number(512));
        ReviewDialog *dialog = review(rig);
        QVERIFY(!button(dialog, u"Not for this disk alone"_s));
    }

    void anEditIsShownAndReplacedOnlyOnRequest()
    {
        const StickCopy copy;
        QVERIFY(QDir().mkpath(copy.root() + u"/etc/sysctl.d"_s));
        QFile edited(copy.root() + u"/etc/sysctl.d/80-diskwright.conf"_s);
        QVERIFY(edited.open(QFile::WriteOnly) && edited.write("theirs\n") > 0);
        edited.close();
        QVERIFY(QDir().mkpath(copy.root() + u"/run/diskwright/ours"_s));
        QFile ours(copy.root() + u"/run/diskwright/ours/80-diskwright.conf"_s);
        QVERIFY(ours.open(QFile::WriteOnly));
        ours.close();
        Rig rig(copy.root());
        rig.applier.keepWhy = Errc::FileChanged;
        rig.stage("queue:sdc:read_ahead_kb", number(512));
        ReviewDialog *dialog = review(rig);
        button(dialog, u"At every start"_s)->click();
        QVERIFY(!button(dialog, u"Replace the edited file"_s));
        button(dialog, u"Apply"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return button(dialog, u"Replace the edited file"_s) != nullptr; }));
        const auto texts = dialog->findChildren<QPlainTextEdit *>();
        QVERIFY(std::ranges::any_of(texts, [](const QPlainTextEdit *text) {
            return text->isVisible() &&
                   text->toPlainText() == u"/etc/sysctl.d/80-diskwright.conf:\n+ theirs"_s;
        }));
        QCOMPARE(rig.applier.replaced, 0);
        button(dialog, u"Replace the edited file"_s)->click();
        QVERIFY(QTest::qWaitFor([&] { return !button(dialog, u"Replace the edited file"_s); }));
        QCOMPARE(rig.applier.replaced, 1);
        QVERIFY(says(dialog, u"at every start"_s));
    }
};

QTEST_MAIN(TestLimitCard)
#include "tst_limitcard.moc"
