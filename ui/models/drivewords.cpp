// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivewords.h"

#include "ui/models/machine.h"
#include "ui/text/format.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace diskwright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

// The service itself asks the drives every ten minutes, and leaves sleeping ones alone.
constexpr auto interval = 5min;
constexpr std::int64_t longAgoSeconds = 1800;

} // namespace

/// The thread and its owner; either may go first.
struct DriveWords::Shared {
    std::mutex mutex;
    std::condition_variable ended;
    DriveWords *owner = nullptr;
    bool isRunning = false;
};

DriveWords::DriveWords(Reader reader, Disks disks, QObject *parent)
    : QObject(parent)
    , m_reader(std::move(reader))
    , m_disks(std::move(disks))
    , m_shared(std::make_shared<Shared>())
{
    m_shared->owner = this;
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DriveWords::read);
}

DriveWords::~DriveWords()
{
    std::unique_lock lock(m_shared->mutex);
    m_shared->owner = nullptr;
    // The thread uses the bus; it should end before the program's statics go.
    m_shared->ended.wait_for(lock, health::patience, [this] { return !m_shared->isRunning; });
}

void DriveWords::start(std::chrono::milliseconds after)
{
    if (m_reader && !m_timer.isActive())
        m_timer.start(after);
}

void DriveWords::stop()
{
    m_timer.stop();
}

void DriveWords::read()
{
    m_timer.start(interval);
    const std::scoped_lock lock(m_shared->mutex);
    if (std::exchange(m_shared->isRunning, true))
        return;
    std::thread([shared = m_shared, reader = m_reader, disks = m_disks()] {
        const auto isWanted = [&shared] {
            const std::scoped_lock owned(shared->mutex);
            return shared->owner != nullptr;
        };
        std::vector<Known> known;
        const auto tree = SystemRoot::live();
        for (const BlockNode &disk : disks) {
            if (!isWanted())
                break;
            known.push_back({disk, reader(disk), {}});
            if (tree)
                known.back().problems = health::problemsOf(*tree, disk, known.back().health);
            // No such service: it is the same for all.
            if (known.back().health.state == health::DriveHealth::State::NotRunning)
                break;
        }
        {
            const std::scoped_lock owned(shared->mutex);
            shared->isRunning = false;
            if (shared->owner) {
                QMetaObject::invokeMethod(
                    shared->owner,
                    [owner = shared->owner, known = std::move(known)]() mutable {
                        owner->take(std::move(known));
                    },
                    Qt::QueuedConnection);
            }
        }
        shared->ended.notify_all();
    }).detach();
}

void DriveWords::take(std::vector<Known> known)
{
    m_known = std::move(known);
    Q_EMIT changed();
}

QString DriveWords::words(const BlockNode &disk) const
{
    const auto found =
        std::ranges::find_if(m_known, [&](const Known &known) { return isSameDisk(known.disk, disk); });
    return found != m_known.end() ? driveWords(found->health, QDateTime::currentSecsSinceEpoch()) : QString();
}

std::vector<health::Finding> DriveWords::problems(const DiskList &disks) const
{
    std::vector<health::Finding> all;
    for (const Known &known : m_known) {
        const BlockNode *now = disks.find(known.disk.name);
        if (now && isSameDisk(*now, known.disk))
            all.insert(all.end(), known.problems.begin(), known.problems.end());
    }
    return all;
}

QString driveWords(const health::DriveHealth &health, std::int64_t now)
{
    if (health.state != health::DriveHealth::State::Known)
        return {};
    QStringList words;
    if (health.failing.value_or(false))
        words << u"⚠ "_s + QCoreApplication::translate("DriveWords", "The drive says that it is failing");
    const bool isRecent = health.updated && now - *health.updated <= longAgoSeconds;
    if (health.celsius && isRecent) {
        words << QCoreApplication::translate("DriveWords", "%1 °C")
                     .arg(numberText(std::llround(*health.celsius)));
    }
    return words.join(u" · "_s);
}

} // namespace diskwright::ui
