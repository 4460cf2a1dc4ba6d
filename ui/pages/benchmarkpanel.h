// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/runner.h"
#include "ui/pages/page.h"

#include <QTimer>

#include <optional>

class QButtonGroup;
class QComboBox;
class QPushButton;
class QTreeWidget;
class QVBoxLayout;

namespace diskwright::ui {

class ComparisonCard;
class LiveChart;

/// Measuring: what, where, what it costs, the live picture and the results. With a disk it is preset to it.
class BenchmarkPanel final : public QWidget
{
    Q_OBJECT

public:
    /// \p disk: kernel name, or empty for all.
    BenchmarkPanel(const Context &context, std::string disk, QWidget *parent = nullptr);
    ~BenchmarkPanel() override;

    void enter();
    void leave();
    /// The disk is gone or does not answer, as \p why says: nothing can be started; empty: it is there again.
    void setAway(const QString &why);
    /// Prepares a comparison of this setting's value of now with another one.
    void compare(const Address &address);

Q_SIGNALS:
    void message(const QString &text, bool problem);

private:
    [[nodiscard]] QWidget *buildChoice();
    [[nodiscard]] QWidget *buildPicture();
    void fillTargets();
    void chooseFolder();
    void showCost();
    void start();
    void stop();
    void ended();
    void take(const bench::Slot &slot);
    void drawFrame();
    void showResult(const bench::RunResult &result);
    void fillResults();
    [[nodiscard]] bench::TestSpec test() const;
    [[nodiscard]] std::optional<bench::Target> target() const;

    Context m_context;
    std::string m_disk;
    QString m_away; ///< why the disk can't be measured now
    QButtonGroup *m_tests = nullptr;
    QComboBox *m_targets = nullptr;
    QPushButton *m_other = nullptr;
    Label *m_stack = nullptr;
    Label *m_cost = nullptr;
    QPushButton *m_start = nullptr;
    LiveChart *m_chart = nullptr;
    QVBoxLayout *m_chartPlace = nullptr;
    Label *m_figure = nullptr;
    Label *m_detail = nullptr;
    ComparisonCard *m_comparison = nullptr;
    QTreeWidget *m_results = nullptr;
    Label *m_noResults = nullptr;
    QVBoxLayout *m_layout = nullptr;
    bench::Runner *m_runner = nullptr;
    QList<QPointF> m_points;
    QTimer m_frame;
    bool m_dirty = false;
    bool m_entered = false;
};

} // namespace diskwright::ui
