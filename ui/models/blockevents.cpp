// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "blockevents.h"

#include <QSocketNotifier>

#include <libudev.h>
#include <unistd.h>

namespace diskwright::ui {

static void forget(udev *context)
{
    if (context)
        udev_unref(context);
}

static void forgetMonitor(udev_monitor *monitor)
{
    if (monitor)
        udev_monitor_unref(monitor);
}

BlockEvents::BlockEvents(QObject *parent)
    : QObject(parent)
    , m_udev(udev_new(), forget)
    , m_monitor(nullptr, forgetMonitor)
{
    m_gather.setSingleShot(true);
    m_gather.setInterval(gatherMilliseconds);
    connect(&m_gather, &QTimer::timeout, this, &BlockEvents::changed);
    if (!m_udev)
        return;
    // udev's own events come after its database is written. Where no udevd runs there are only the kernel's.
    const bool hasDaemon = access("/run/udev/control", F_OK) == 0;
    m_monitor.reset(udev_monitor_new_from_netlink(m_udev.get(), hasDaemon ? "udev" : "kernel"));
    if (!m_monitor ||
        udev_monitor_filter_add_match_subsystem_devtype(m_monitor.get(), "block", nullptr) < 0 ||
        udev_monitor_enable_receiving(m_monitor.get()) < 0) {
        m_monitor.reset();
        return;
    }
    m_notifier = new QSocketNotifier(udev_monitor_get_fd(m_monitor.get()), QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &BlockEvents::receive);
}

BlockEvents::~BlockEvents() = default;

void BlockEvents::receive()
{
    // The socket does not block. What a device is, is read from sysfs: an event says only that it is time to.
    bool any = false;
    while (udev_device *device = udev_monitor_receive_device(m_monitor.get())) {
        udev_device_unref(device);
        any = true;
    }
    // Not started anew by later events: a device that keeps talking must not put the reading off.
    if (any && !m_gather.isActive())
        m_gather.start();
}

} // namespace diskwright::ui
