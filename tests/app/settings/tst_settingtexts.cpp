// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/kerneldefault.h"
#include "app/settings/shown.h"
#include "app/settings/texts.h"
#include "helper/contract/catalogue.h"

#include <QRegularExpression>
#include <QString>
#include <QTest>

#include <algorithm>
#include <array>
#include <set>

using namespace diskwright;

namespace {

bool endsWithNul(std::string_view view)
{
    return view.data()[view.size()] == '\0';
}

std::string ofRow(std::string_view id)
{
    return "row " + std::string(id);
}

} // namespace

class TestSettingTexts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saysWhatTheKernelDoes()
    {
        const auto says = [](std::string_view id, std::string_view words) {
            return findText(id)->text.contains(words);
        };
        // Nanoseconds inside, so nothing is rounded; the others count in ticks.
        QVERIFY(!says("iosched/bfq/fifo_expire_async", "ticks"));
        QVERIFY(!says("iosched/bfq/fifo_expire_sync", "ticks"));
        QVERIFY(says("iosched/bfq/timeout_sync", "ticks"));
        QVERIFY(says("iosched/mq-deadline/read_expire", "ticks"));
        QVERIFY(says("vm/watermark_boost_factor", "one and a half times"));
        QVERIFY(!says("vm/watermark_boost_factor", "half as much again"));
        QVERIFY(says("vm/min_free_kbytes", "before huge pages"));
    }
    void everyRowHasTexts()
    {
        for (const SettingSpec &row : catalogue()) {
            const SettingText *text = findText(row.id);
            QVERIFY2(text, ofRow(row.id).c_str());
            QVERIFY2(!text->title.empty() && text->title.size() <= 48, ofRow(row.id).c_str());
            QVERIFY2(text->summary.size() <= 110 && text->summary.ends_with('.'), ofRow(row.id).c_str());
            QVERIFY2(text->text.size() >= 120 && text->text.ends_with('.'), ofRow(row.id).c_str());
            QVERIFY(!text->aliases.empty());
        }
    }
    void everyTextHasARow()
    {
        for (const SettingText &text : settingTexts())
            QVERIFY2(findSetting(text.id), ofRow(text.id).c_str());
        QCOMPARE(settingTexts().size(), catalogue().size());
        QVERIFY(std::ranges::is_sorted(settingTexts(), {}, &SettingText::id));
    }
    void textsTellRowsApart()
    {
        std::set<std::string_view> seen;
        for (const SettingText &text : settingTexts()) {
            for (const std::string_view view : {text.title, text.summary, text.text})
                QVERIFY2(seen.insert(view).second, ofRow(text.id).c_str());
        }
    }
    void documentsAreOfTheKernel()
    {
        static constexpr std::array<std::string_view, 9> documents{
            "Documentation/ABI/stable/sysfs-block",
            "Documentation/ABI/testing/sysfs-class-bdi",
            "Documentation/admin-guide/sysctl/vm.rst",
            "Documentation/block/bfq-iosched.rst",
            "Documentation/block/deadline-iosched.rst",
            "Documentation/block/ioprio.rst",
            "Documentation/block/kyber-iosched.rst",
            "Documentation/block/switching-sched.rst",
            "Documentation/admin-guide/laptops/laptop-mode.rst"};
        for (const SettingText &text : settingTexts()) {
            if (text.id.starts_with("iosched/adios/")) // not of the official kernel
                QVERIFY(text.document.starts_with("https://"));
            else if (text.id == "queue/queue_depth")
                QCOMPARE(text.document, "Documentation/scsi/scsi_mid_low_api.rst");
            else
                QVERIFY2(std::ranges::find(documents, text.document) != documents.end(),
                         ofRow(text.id).c_str());
        }
    }
    void versionsAreVersions()
    {
        for (const SettingText &text : settingTexts()) {
            for (const std::string_view version : {text.since, text.until})
                QVERIFY(version.empty() || parseKernelVersion(version));
        }
        QCOMPARE(findText("queue/wbt_lat_usec")->since, "4.10");
        QCOMPARE(findText("vm/laptop_mode")->until, "6.19");
    }
    void saysHowItShows()
    {
        // What it costs and by what it is seen stands in every text.
        for (const SettingText &text : settingTexts()) {
            const QString all = QString::fromUtf8(text.text.data(), static_cast<qsizetype>(text.text.size()));
            static const QRegularExpression effect(
                QStringLiteral("show|seen|measure|test|compare|watch|throughput|latency|look at"),
                QRegularExpression::CaseInsensitiveOption);
            static const QRegularExpression price(
                QStringLiteral("cost|price|risk|lost|loses|lower|wait|wrong|refuse|delayed|less steady|hold "
                               "writes back"),
                QRegularExpression::CaseInsensitiveOption);
            QVERIFY2(effect.match(all).hasMatch(), ofRow(text.id).c_str());
            QVERIFY2(price.match(all).hasMatch(), ofRow(text.id).c_str());
        }
    }
    void intervalAndAgeAreNotConfused()
    {
        const SettingText &interval = *findText("vm/dirty_writeback_centisecs");
        const SettingText &age = *findText("vm/dirty_expire_centisecs");
        QVERIFY(interval.summary.find("How often") != std::string_view::npos);
        QVERIFY(interval.summary.find("5 seconds") != std::string_view::npos);
        QVERIFY(age.summary.find("How old") != std::string_view::npos);
        QVERIFY(age.summary.find("30 seconds") != std::string_view::npos);
        QCOMPARE(kernelDefault(*findSetting("vm/dirty_writeback_centisecs")), std::optional(number(500)));
        QCOMPARE(kernelDefault(*findSetting("vm/dirty_expire_centisecs")), std::optional(number(3000)));
    }
    void viewsEndWithNul()
    {
        for (const SettingText &text : settingTexts()) {
            for (const std::string_view view : {text.title, text.summary, text.text})
                QVERIFY(endsWithNul(view));
        }
    }
    void unknownIdsHaveNone()
    {
        QVERIFY(!findText(""));
        QVERIFY(!findText("vm/overcommit_memory"));
        QVERIFY(!findText("zzz"));
    }
};

QTEST_APPLESS_MAIN(TestSettingTexts)
#include "tst_settingtexts.moc"
