// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/persist/sysctlrenderer.h"

#include "helper/persist/keptfile.h"
#include "helper/persist/rulesreader.h"
#include "sampleset.h"

#include <QTest>

using namespace diskwright;

class TestSysctlRenderer final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheKeptHalfIsWritten()
    {
        const std::string text = renderSysctl(sample::mixedSet());
        QCOMPARE(std::string(bodyOf(text)),
                 std::string("\nvm.dirty_bytes = 268435456\nvm.dirty_background_bytes = 67108864\n"));
        QCOMPARE(ownerOf(text), FileOwner::Ours);
    }

    void nothingKeptRendersNothing() { QCOMPARE(renderSysctl({}), std::string()); }

    void readsBack()
    {
        const auto read = readSysctl(renderSysctl(sample::mixedSet()));
        QVERIFY(read.has_value());
        const std::vector<RenderedSetting> wanted{
            {"vm/dirty_bytes", MachineMatch{}, number(268435456)},
            {"vm/dirty_background_bytes", MachineMatch{}, number(67108864)}};
        QCOMPARE(*read, wanted);
    }

    void aForeignLineIsNamed()
    {
        const std::string text = renderSysctl(sample::mixedSet());
        for (const char *line : {"kernel.core_pattern = |/bin/sh", "vm.drop_caches = 3",
                                 "-vm.dirty_bytes = 1", "vm.dirty_bytes=8192", "vm.dirty_bytes = 0x10"}) {
            const auto read = readSysctl(text + line + '\n');
            QVERIFY2(!read, line);
            QCOMPARE(read.error().code, Errc::Malformed);
        }
    }
};

QTEST_APPLESS_MAIN(TestSysctlRenderer)
#include "tst_sysctlrenderer.moc"
