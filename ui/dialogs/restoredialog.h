// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/pages/page.h"

#include <QDialog>

#include <vector>

class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace diskwright::ui {

/// Puts everything back: names what will be, what somebody else has changed and what can't be, and then, in
/// the same place, what became of each as the helper read it back.
class RestoreDialog final : public QDialog
{
    Q_OBJECT

public:
    /// \p trouble: why nothing or not everything can be named beforehand, as sentences; empty if it can. It
    /// can be put back all the same.
    RestoreDialog(const Context &context, const RestorePreview &preview, const QString &trouble,
                  QWidget *parent = nullptr);

    void reject() override;

Q_SIGNALS:
    void restored(const diskwright::ApplyReport &report);

private:
    struct Line {
        QString title;
        QString change;
        QString note;
        bool alarm = false;
    };

    void fill(const std::vector<Line> &lines);
    [[nodiscard]] std::vector<Line> linesOf(const RestorePreview &preview) const;
    [[nodiscard]] std::vector<Line> linesOf(const ApplyReport &report) const;
    [[nodiscard]] QString titleOf(const Address &address) const;
    void putBack();
    void showReport(const ApplyReport &report);
    void copyNote();

    Context m_context;
    RestorePreview m_preview;
    Label *m_heading;
    Label *m_note;
    QVBoxLayout *m_lines;
    QProgressBar *m_progress;
    QPushButton *m_rescue;
    QPushButton *m_cancel;
    QPushButton *m_putBack;
    bool m_running = false;
};

} // namespace diskwright::ui
