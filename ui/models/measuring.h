// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/target.h"

#include <QObject>
#include <QPointer>

namespace diskwright::ui {

/// What is being measured in this window: one thing at a time, since two would measure each other.
class Measuring final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// \p what names it for a person. False if something else is being measured. It also ends when \p who is
    /// gone, which is told from the event loop.
    bool begin(QObject *who, const QString &what);
    /// Does nothing if it is another's.
    void end(const QObject *who);
    /// Why \p who can't begin now, as a sentence; empty if it can, or is the one that measures.
    [[nodiscard]] QString whyNot(const QObject *who) const;

Q_SIGNALS:
    /// A measurement began or ended.
    void changed();

private:
    QPointer<QObject> m_who;
    QString m_what;
};

/// Bytes of the test file there: \p most, or half of the free space where that is less, so that a small or
/// full disk can be measured too.
[[nodiscard]] quint64 testFileBytes(const bench::Target &target, quint64 most);

} // namespace diskwright::ui
