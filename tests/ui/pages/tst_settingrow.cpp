// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/rig.h"

#include "app/bench/measurement.h"
#include "ui/pages/settingrow.h"
#include "ui/text/format.h"

#include <QPushButton>
#include <QTest>

using namespace diskwright;
using namespace diskwright::ui;
using namespace Qt::StringLiterals;

class SettingRowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatATestShowsIsMeasured()
    {
        Rig rig;
        SettingListModel model(rig.machine, rig.staged, "sda");
        int shown = 0, hidden = 0;
        for (int at = 0; at < model.rowCount(); ++at) {
            const SettingRow row(model, at);
            const Observation &now = model.entry(at).now();
            const auto buttons = row.findChildren<QPushButton *>();
            const auto measure = std::ranges::find(buttons, u"Measure…"_s, &QPushButton::text);
            QVERIFY(measure != buttons.end());
            const bool can = now.state == ObservedState::Current && bench::fittingTest(now.address());
            QVERIFY2(can != (*measure)->isHidden(), qPrintable(toQString(now.key)));
            ++(can ? shown : hidden);
        }
        QVERIFY(shown > 0);
        QVERIFY(hidden > 0);
    }
};

QTEST_MAIN(SettingRowTest)
#include "tst_settingrow.moc"
