// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkpanel.h"

namespace diskwright::ui {

BenchmarkPanel::BenchmarkPanel(const Context &context, std::string disk, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_disk(std::move(disk))
{
}

void BenchmarkPanel::enter()
{
}

void BenchmarkPanel::leave()
{
}

void BenchmarkPanel::compare(const Address &)
{
}

} // namespace diskwright::ui
