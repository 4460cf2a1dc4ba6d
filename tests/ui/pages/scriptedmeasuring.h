// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/leaseholder.h"
#include "app/bench/roundsource.h"
#include "tests/ui/rig.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStorageInfo>
#include <QTemporaryDir>
#include <QTimer>

namespace diskwright::ui {

/// What measures, at the command of a test: it prepares by itself unless \p trouble, and then waits.
class ScriptedSource final : public bench::RoundSource
{
    Q_OBJECT

public:
    std::optional<Error> trouble;
    bool answers = false; ///< rounds, too
    bench::Round round;   ///< with this
    std::optional<bench::TestSpec> test;
    quint64 sizeBytes = 0;

    void prepare(const bench::Target &, quint64 bytes) override
    {
        sizeBytes = bytes;
        QTimer::singleShot(0, this, [this] {
            if (trouble)
                Q_EMIT failed(*trouble);
            else
                Q_EMIT prepared();
        });
    }
    void makeRound(const bench::TestSpec &wanted, int, quint64) override
    {
        test = wanted;
        if (answers)
            QTimer::singleShot(0, this, [this] { Q_EMIT roundDone(round); });
    }
    void cancel() override
    {
        QTimer::singleShot(0, this, [this] { Q_EMIT cancelled(); });
    }
    /// A tenth of a second.
    void tell(quint64 bytes, quint64 reads)
    {
        bench::Slot slot;
        slot.bytes = bytes;
        slot.ios = reads;
        Q_EMIT slotDone(slot);
    }
};

/// A lease that is given, and does what it is asked for.
class ScriptedLease final : public bench::LeaseHolder
{
    Q_OBJECT

public:
    void begin(const std::vector<bench::State> &states, std::size_t, std::chrono::seconds) override
    {
        m_states = states;
        QTimer::singleShot(0, this, [this] { Q_EMIT began(); });
    }
    void switchTo(std::size_t state) override
    {
        QTimer::singleShot(0, this, [this, state] {
            std::vector<Value> values;
            for (const bench::StateItem &item : m_states[state])
                values.push_back(item.value);
            Q_EMIT switched(state, values);
        });
    }
    void end() override { finish(bench::LeaseEnd::PutBack); }
    void stay(std::size_t) override { finish(bench::LeaseEnd::Stayed); }

private:
    void finish(bench::LeaseEnd how)
    {
        Error none;
        none.code = Errc::None;
        QTimer::singleShot(0, this, [this, how, none] { Q_EMIT over(how, none); });
    }

    std::vector<bench::State> m_states;
};

/// A recorded machine on which nothing is measured but by the script; results go to a folder of its own.
struct MeasuringDesk {
    QTemporaryDir home;
    QTemporaryDir folder; ///< that is measured
    Rig rig;
    QPointer<ScriptedSource> source; ///< the last that was made
    std::optional<Error> trouble;    ///< of the next
    bench::Round round;              ///< with which the next answers, if it has a time
    Context context{rig.machine,
                    rig.staged,
                    rig.disks,
                    rig.applier,
                    [this] {
                        auto made = std::make_unique<ScriptedSource>();
                        source = made.get();
                        made->trouble = trouble;
                        made->round = round;
                        made->answers = round.seconds > 0;
                        return made;
                    },
                    {}};

    MeasuringDesk()
    {
        qputenv("XDG_DATA_HOME", home.path().toUtf8());
        rig.applier.makeLease = [] { return std::make_unique<ScriptedLease>(); };
    }
    /// A reading in which the folder that is measured lies on that disk.
    void layFolderOn(const std::string &name)
    {
        const MountUse mount{.target = QStorageInfo(folder.path()).rootPath().toStdString(), .options = {}};
        ReadingWish wish;
        wish.allDisks = true;
        Reading reading = readMachine(rig.machine.root(), wish);
        std::vector<BlockNode> disks = reading.disks.disks();
        for (BlockNode &disk : disks) {
            disk.mounts.clear();
            for (BlockNode &partition : disk.partitions)
                partition.mounts.clear();
            if (disk.name == name)
                disk.mounts = {mount};
        }
        reading.disks = DiskList(std::move(disks));
        rig.machine.take(std::move(reading));
    }
};

inline QPushButton *button(const QWidget *where, const QString &text)
{
    for (QPushButton *candidate : where->findChildren<QPushButton *>()) {
        if (candidate->text().remove(u'&') == text)
            return candidate;
    }
    return nullptr;
}

inline bool says(const QWidget *where, QStringView part)
{
    return std::ranges::any_of(where->findChildren<QLabel *>(), [&](const QLabel *label) {
        return label->isVisible() && QString(label->text()).replace(QChar(0x202f), u' ').contains(part);
    });
}

} // namespace diskwright::ui
