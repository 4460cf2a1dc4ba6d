// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkspage.h"

#include "ui/pages/benchmarkpanel.h"

#include <QVBoxLayout>

namespace diskwright::ui {

BenchmarksPage::BenchmarksPage(const Context &context, QWidget *parent)
    : Page(parent)
    , m_panel(new BenchmarkPanel(context, {}, this))
{
    setTitle(tr("Benchmarks"), tr("How fast is it?"));
    body()->addWidget(m_panel, 1);
    connect(m_panel, &BenchmarkPanel::message, this, &Page::message);
}

void BenchmarksPage::enter()
{
    m_panel->enter();
}

void BenchmarksPage::leave()
{
    m_panel->leave();
}

} // namespace diskwright::ui
