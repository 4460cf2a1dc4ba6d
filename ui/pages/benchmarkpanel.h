// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

namespace diskwright::ui {

/// Measuring: what, where, what it costs, the live picture and the results. With a disk it is preset to it.
class BenchmarkPanel final : public QWidget
{
    Q_OBJECT

public:
    /// \p disk: kernel name, or empty for all.
    BenchmarkPanel(const Context &context, std::string disk, QWidget *parent = nullptr);

    void enter();
    void leave();
    /// Prepares a comparison of this setting's value of now with another one.
    void compare(const Address &address);

Q_SIGNALS:
    void message(const QString &text, bool problem);

private:
    Context m_context;
    std::string m_disk;
};

} // namespace diskwright::ui
