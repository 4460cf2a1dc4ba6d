// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runresult.h"
#include "target.h"

#include <QObject>

#include <optional>

namespace diskwright::bench {

/// Whatever makes rounds: the engine's process, or a script in tests. One call at a time; each is answered by
/// one signal named beside it, or by failed. After failed or cancelled it is over: make a new one.
class RoundSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Makes the test file, or opens the one that is only read. Answer: prepared.
    virtual void prepare(const diskwright::bench::Target &target, quint64 sizeBytes) = 0;
    /// One round on the prepared file, opened again for it. Answer: roundDone.
    virtual void makeRound(const diskwright::bench::TestSpec &test, int milliseconds, quint64 seed) = 0;
    /// Stops whatever runs and leaves nothing behind, within 300 ms. Answer: cancelled, also when nothing
    /// ran, and also when the kernel does not let go of what ran: it ends by itself then.
    virtual void cancel() = 0;

    /// What places and lengths of direct reads of the prepared file are a multiple of; nothing if there are
    /// no direct reads. Asked after prepared. Scripts read no file, and take any.
    [[nodiscard]] virtual std::optional<quint64> directAlignment() const { return 1; }

Q_SIGNALS:
    void preparing(quint64 writtenBytes, quint64 sizeBytes);
    void prepared();
    void slotDone(const diskwright::bench::Slot &slot);
    void roundDone(const diskwright::bench::Round &round);
    void failed(const diskwright::Error &error);
    void cancelled();
};

} // namespace diskwright::bench
