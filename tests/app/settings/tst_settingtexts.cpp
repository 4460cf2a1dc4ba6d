// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/texts.h"
#include "helper/contract/catalogue.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace diskwright;

class TestSettingTexts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyRowHasTexts()
    {
        for (const SettingSpec &row : catalogue()) {
            const SettingText *text = findText(row.id);
            QVERIFY2(text, std::string(row.id).c_str());
            QVERIFY(!text->title.empty() && !text->summary.empty() && !text->text.empty());
            QVERIFY(!text->document.empty() && text->document.starts_with("Documentation/"));
            QVERIFY(!text->aliases.empty());
            QVERIFY(text->title.size() <= 48);
            QVERIFY(text->summary.size() <= 110 && text->summary.ends_with('.'));
        }
    }
    void everyTextHasARow()
    {
        for (const SettingText &text : settingTexts())
            QVERIFY2(findSetting(text.id), std::string(text.id).c_str());
        QCOMPARE(settingTexts().size(), catalogue().size());
    }
    void titlesTellRowsApart()
    {
        std::set<std::string_view> titles;
        for (const SettingText &text : settingTexts())
            QVERIFY(titles.insert(text.title).second);
    }
    void viewsEndWithNul()
    {
        for (const SettingText &text : settingTexts()) {
            for (const std::string_view view : {text.title, text.summary, text.text})
                QCOMPARE(view.data()[view.size()], '\0');
        }
    }
    void unknownIdsHaveNone()
    {
        QVERIFY(!findText(""));
        QVERIFY(!findText("vm/overcommit_memory"));
    }
};

QTEST_APPLESS_MAIN(TestSettingTexts)
#include "tst_settingtexts.moc"
