// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "measuring.h"

#include <algorithm>

namespace diskwright::ui {

bool Measuring::begin(QObject *who, const QString &what)
{
    if (m_who)
        return m_who == who;
    m_who = who;
    m_what = what;
    // Only once it is gone altogether: it may listen to the signal itself.
    connect(who, &QObject::destroyed, this, &Measuring::changed, Qt::QueuedConnection);
    Q_EMIT changed();
    return true;
}

void Measuring::end(const QObject *who)
{
    if (!m_who || m_who != who)
        return;
    disconnect(m_who, &QObject::destroyed, this, &Measuring::changed);
    m_who.clear();
    Q_EMIT changed();
}

QString Measuring::whyNot(const QObject *who) const
{
    return m_who && m_who != who
               //: %1 is what is measured: "Reading a large file, /home"
               ? tr("Another measurement runs: %1. Two at once would disturb each other.").arg(m_what)
               : QString();
}

quint64 testFileBytes(const bench::Target &target, quint64 most)
{
    static constexpr quint64 step = quint64{16} << 20;
    if (!target.isFolder || target.freeBytes == 0)
        return most;
    return std::clamp(target.freeBytes / 2 / step * step, std::min(step, most), most);
}

} // namespace diskwright::ui
