// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/reviewmodel.h"
#include "ui/pages/page.h"

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QProgressBar;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace diskwright::ui {

class EditedFiles;
class TrialBar;

/// The only door to the helper: what will be done, in order, and for how long. After Apply, the same list
/// with what became of each line.
class ReviewDialog final : public QDialog
{
    Q_OBJECT

public:
    ReviewDialog(const Context &context, Plan plan, QWidget *parent = nullptr);

    void reject() override;

Q_SIGNALS:
    /// The plan was applied, wholly or in part: what is staged can be read anew.
    void applied(const diskwright::ApplyReport &report);

private:
    struct Line {
        Label *notes;
        Label *result;
    };

    [[nodiscard]] QWidget *buildSteps();
    [[nodiscard]] QWidget *buildStep(int row);
    [[nodiscard]] QWidget *buildOptions();
    [[nodiscard]] QWidget *buildCommands();
    void offerEveryStart(QGridLayout &grid);
    void offerClass(QGridLayout &grid, std::optional<DiskClass> kind);
    void showReplaced();
    void reword();
    void showEdited(const ApplyReport &report);
    void replaceEdited();
    [[nodiscard]] AtStart atStart() const;
    void apply();
    void showReport(const ApplyReport &report);
    void showSettled(const ApplyReport &report);
    void showResults();
    void fitSoon();
    [[nodiscard]] std::chrono::seconds trial() const;

    Context m_context;
    ReviewModel m_model;
    std::vector<Line> m_lines;
    Label *m_heading;
    Label *m_note;
    QWidget *m_options = nullptr;
    QRadioButton *m_untilRestart = nullptr;
    QRadioButton *m_tryFor = nullptr;
    QComboBox *m_seconds = nullptr;
    QCheckBox *m_everyStart = nullptr;
    QCheckBox *m_everyDisk = nullptr; ///< null: no class takes the plan's disks in
    Label *m_everyNote = nullptr;
    Label *m_replaced = nullptr;
    std::optional<DiskClass> m_class;
    bool m_onlyForClass = false; ///< a disk has no id to know it by
    EditedFiles *m_edited;
    int m_replacedAsked = 0;                ///< of these questions only the last one's answer counts
    std::optional<TransactionId> m_applied; ///< what could not be kept because of an edit
    QProgressBar *m_progress;
    TrialBar *m_trial;
    QPushButton *m_cancel;
    QPushButton *m_apply;
    bool m_running = false;
    bool m_done = false;
};

} // namespace diskwright::ui
