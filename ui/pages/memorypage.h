// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/pulse.h"
#include "ui/pages/page.h"

namespace diskwright::ui {

class LimitCard;
class SettingList;
class WritebackPicture;

/// Why does everything freeze while I copy? The memory that waits to be written against its two limits, and
/// the rows that set them.
class MemoryPage final : public Page
{
    Q_OBJECT

public:
    explicit MemoryPage(const Context &context, QWidget *parent = nullptr);

    void enter() override;
    void leave() override;
    Needs needs() const override;
    void reveal(const Address &address) override;

private:
    void add(const Pulse &pulse);
    void showPicture();

    Context m_context;
    SettingListModel m_model;
    WritebackHistory m_history;
    WritebackPicture *m_picture;
    Label *m_dirty;
    Label *m_sentence;
    LimitCard *m_limits;
    SettingList *m_list;
    PulseReader m_pulse;
};

} // namespace diskwright::ui
