// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/target.h"
#include "ui/pages/page.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>

class QComboBox;
class QPushButton;

namespace diskwright::ui {

class Label;

/// Where to measure: a folder on each mounted disk, or one that the user names, and what lies below it. The
/// folders are looked at aside, since a disk that hangs must not hold the window up.
class TargetChooser final : public QWidget
{
    Q_OBJECT

public:
    /// \p disk: kernel name of the disk on which a folder must lie, or empty for any.
    TargetChooser(const Context &context, std::string disk, QWidget *parent = nullptr);

    /// Makes the list anew, and asks where the chosen folder lies.
    void refresh();
    /// Takes that folder. What speaks against it comes as message.
    void choose(const QString &folder);
    /// Where the chosen folder lies; empty until that is known, and if it can't be measured in.
    [[nodiscard]] std::optional<bench::Target> target() const;
    /// While something is measured, what is chosen stays, and no disk is asked; refresh() when it has ended.
    void setMeasuring(bool measuring);
    /// Why nothing can be chosen on the disk now; empty: something can.
    void setAway(const QString &why);

    /// Tests let a folder or disk hang here: called by the worker before it looks at one.
    void setBeforeLook(std::function<void(const QString &)> before) { m_beforeLook = std::move(before); }

Q_SIGNALS:
    /// target() may be another one.
    void changed();
    void message(const QString &text, bool problem);

private:
    /// What a worker needs: copies, since it may hang and outlive the chooser.
    struct Ground {
        DiskList disks;
        std::string disk; ///< on which a folder must lie; empty: any
        std::function<void(const QString &)> beforeLook;
    };

    void disksChanged();
    [[nodiscard]] Ground ground() const;
    [[nodiscard]] static Result<bench::Target> lookAt(const QString &folder, const Ground &ground);
    [[nodiscard]] static QStringList placesOn(const QStringList &disks, const QStringList &folders,
                                              const DiskList &answering, const Ground &ground);
    [[nodiscard]] QStringList disksToLookAt() const;
    void offer(const QStringList &places);
    void look();
    void found(const Result<bench::Target> &where);
    void askForFolder();
    void takeFolder(const Result<bench::Target> &chosen);
    void showState();
    [[nodiscard]] QString stackText() const;

    Context m_context;
    std::string m_disk;
    QString m_away;
    bool m_measuring = false;
    QComboBox *m_targets = nullptr;
    QPushButton *m_other = nullptr;
    Label *m_stack = nullptr;
    QStringList m_chosen;                         ///< folders that the user has named
    QString m_lookedAt;                           ///< the folder that m_where is, or will be, about
    std::optional<Result<bench::Target>> m_where; ///< with the disks of now; empty until the answer comes
    int m_looks = 0;                              ///< number of the last question; older answers are void
    bool m_isLooking = false;
    bool m_looksAgain = false; ///< once the answer came
    bool m_isListing = false;
    bool m_listsAgain = false;
    int m_choices = 0; ///< number of the last folder that was named
    std::function<void(const QString &)> m_beforeLook;
};

} // namespace diskwright::ui
