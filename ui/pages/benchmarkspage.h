// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

namespace diskwright::ui {

class BenchmarkPanel;

/// How fast is it?
class BenchmarksPage final : public Page
{
    Q_OBJECT

public:
    explicit BenchmarksPage(const Context &context, QWidget *parent = nullptr);

    void enter() override;
    void leave() override;

private:
    BenchmarkPanel *m_panel;
};

} // namespace diskwright::ui
