// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/search.h"
#include "app/settings/shown.h"
#include "app/settings/texts.h"
#include "helper/contract/codec.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>

using namespace diskwright;

namespace {

struct Page {
    Domain domain;
    const char *file;
    const char *title;
    const char *introduction;
};

constexpr std::array<Page, 4> pages{
    Page{Domain::Queue, "settings-queue.md", "Settings of a disk's queue",
         "They lie in `/sys/block/DISK/queue`, the queue depth in `/sys/block/DISK/device`."},
    Page{Domain::IoSched, "settings-iosched.md", "Settings of the I/O schedulers",
         "They lie in `/sys/block/DISK/queue/iosched` and exist only while their scheduler is the active "
         "one. The "
         "short form leaves the scheduler out: `iosched:DISK:slice_idle`."},
    Page{Domain::Bdi, "settings-bdi.md", "Settings of a disk's unwritten data",
         "They lie in `/sys/class/bdi/NUMBER`, to which `/sys/block/DISK/bdi` leads."},
    Page{Domain::Vm, "settings-vm.md", "Settings of memory and writeback",
         "They lie in `/proc/sys/vm` and hold for the whole machine."}};

std::string header(const char *title, const char *introduction)
{
    // In two halves: this is not the licence of this file.
    return std::string("<!-- SPDX-FileCopyright"
                       "Text: 2026 The Diskwright authors -->\n"
                       "<!-- SPDX-License-"
                       "Identifier: GPL-3.0-or-later -->\n# ") +
           title + "\n\n" + introduction +
           "\n\nThis page is made from the texts of the program by `tst_settingtexts_pages`, which fails "
           "when "
           "they differ\nand writes it anew with `DISKWRIGHT_WRITE_PAGES=1`.\n";
}

std::string code(std::string_view text)
{
    return '`' + std::string(text) + '`';
}

std::string listOf(std::span<const std::string_view> names)
{
    std::string text;
    for (const std::string_view known : names)
        (text += text.empty() ? "" : ", ") += code(known);
    return text;
}

std::string sectionOf(const SettingSpec &row)
{
    const SettingText &text = *findText(row.id);
    std::string section = "\n## " + std::string(text.title) + "\n\n" + code(addressOf(row.id)) + "\n\n" +
                          std::string(text.summary) + ' ' + std::string(text.text) + "\n\n";
    section += "* accepted: " + acceptedText(row) + "; risk: " + std::string(name(row.risk)) + '\n';
    if (!text.since.empty())
        section += "* since Linux " + std::string(text.since) + '\n';
    if (!text.until.empty())
        section += "* without effect after Linux " + std::string(text.until) + '\n';
    section += "* described in " + code(text.document) + '\n';
    if (!text.benchmark.empty())
        section += "* shown by the test " + code(text.benchmark) + '\n';
    return section + "* also found as " + listOf(text.aliases) + '\n';
}

std::string pageOf(const Page &page)
{
    std::string text = header(page.title, page.introduction);
    for (const SettingSpec &row : catalogue()) {
        if (row.domain == page.domain)
            text += sectionOf(row);
    }
    std::string table;
    const std::string prefix = std::string(name(page.domain)) + '/';
    for (const ShownSetting &row : shownSettings()) {
        if (row.id.starts_with(prefix))
            table += "| " + code(addressOf(row.id)) + " | " + std::string(row.text) + " | " +
                     std::string(row.why) + " |\n";
    }
    if (!table.empty())
        text += "\n## Only shown\n\n| what | it says | why it is not set here |\n|---|---|---|\n" + table;
    return text;
}

std::string pageOfVanished()
{
    std::string text = header("What became of old settings",
                              "`diskwrightctl show NAME` answers each of these names: `show noop`, "
                              "`show -- -a1024`, `show vm.block_dump`.");
    text += "\n| names | what it was | today |\n|---|---|---|\n";
    for (const VanishedSetting &entry : vanishedSettings()) {
        const std::string since =
            entry.since.empty() ? std::string() : " since Linux " + std::string(entry.since);
        text += "| " + listOf(entry.names) + " | " + std::string(entry.was) + " | (" +
                std::string(name(entry.fate)) + since + ") " + std::string(entry.today) +
                (entry.setting.empty() ? std::string() : " See " + code(addressOf(entry.setting)) + '.') +
                " |\n";
    }
    return text;
}

void compare(const char *file, const std::string &wanted)
{
    QFile page(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/docs/") + QString::fromLatin1(file));
    if (qEnvironmentVariableIsSet("DISKWRIGHT_WRITE_PAGES")) {
        QVERIFY(page.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(page.write(wanted.c_str(), static_cast<qint64>(wanted.size())),
                 static_cast<qint64>(wanted.size()));
        return;
    }
    QVERIFY2(page.open(QIODevice::ReadOnly), file);
    QVERIFY2(page.readAll().toStdString() == wanted, file);
}

} // namespace

/// The pages in docs say what the program says.
class TestSettingTextsPages : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyRowIsOnItsPage_data()
    {
        QTest::addColumn<int>("page");
        for (std::size_t at = 0; at < pages.size(); ++at)
            QTest::newRow(pages[at].file) << static_cast<int>(at);
    }
    void everyRowIsOnItsPage()
    {
        QFETCH(int, page);
        const Page &one = pages[static_cast<std::size_t>(page)];
        compare(one.file, pageOf(one));
    }
    void everyVanishedOneToo() { compare("settings-old.md", pageOfVanished()); }
    void everyDomainHasAPage()
    {
        for (const SettingSpec &row : catalogue())
            QVERIFY(std::ranges::find(pages, row.domain, &Page::domain) != pages.end());
    }
};

QTEST_APPLESS_MAIN(TestSettingTextsPages)
#include "tst_settingtexts_pages.moc"
