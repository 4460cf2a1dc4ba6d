// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/applier.h"

#include <QDialog>

#include <functional>

class QPlainTextEdit;
class QPushButton;

namespace diskwright::ui {

/// What somebody edited of the files that set things at every start, and the offer to replace it.
class EditedFiles final : public QWidget
{
    Q_OBJECT

public:
    explicit EditedFiles(QWidget *parent = nullptr);

    /// Reads them below \p root ("/" is the live system).
    void read(const QString &root);

Q_SIGNALS:
    void replaceWanted();

private:
    QPlainTextEdit *m_difference;
};

/// After something was done except at the start, because the files there were edited: says so, shows the
/// edit, and replaces it on request.
class EditedDialog final : public QDialog
{
    Q_OBJECT

public:
    using Replace = std::function<void(Applier::Done)>;

    /// \p report: of what was done.
    EditedDialog(const QString &root, const ApplyReport &report, Replace replace, QWidget *parent = nullptr);

    void reject() override;

Q_SIGNALS:
    void replaced(const diskwright::ApplyReport &report);

private:
    void replace();

    Replace m_replace;
    Label *m_heading;
    EditedFiles *m_files;
    QPushButton *m_close;
    bool m_running = false;
};

} // namespace diskwright::ui
