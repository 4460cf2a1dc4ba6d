// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/runner.h"
#include "ui/pages/page.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>
#include <functional>
#include <optional>

class QButtonGroup;
class QPushButton;
class QTreeWidget;
class QVBoxLayout;

namespace diskwright::ui {

class ComparisonCard;
class LiveChart;
class TargetChooser;

/// Measuring: what, where, what it costs, the live picture and the results. With a disk it is preset to it.
class BenchmarkPanel final : public QWidget
{
    Q_OBJECT

public:
    /// \p disk: kernel name, or empty for all.
    BenchmarkPanel(const Context &context, std::string disk, QWidget *parent = nullptr);
    ~BenchmarkPanel() override;

    /// The page that shows it is entered and left. It reads and draws only between the two, while visible.
    void enter();
    void leave();
    /// The disk is gone or does not answer, as \p why says: nothing can be started; empty: it is there again.
    void setAway(const QString &why);
    /// Measures in that folder from now on. What speaks against it comes as message.
    void choose(const QString &folder);
    /// Prepares a comparison of this setting's value of now with another one.
    void compare(const Address &address);

    /// Tests let a folder or disk hang here: called by the worker before it looks at one.
    void setBeforeLook(std::function<void(const QString &)> before);

Q_SIGNALS:
    void message(const QString &text, bool problem);

protected:
    void showEvent(QShowEvent *event) override;

private:
    [[nodiscard]] QWidget *buildChoice();
    [[nodiscard]] QWidget *buildPicture();
    [[nodiscard]] QWidget *buildResults();
    void refresh();
    void showChoice();
    void showCost(const bench::Target &where);
    void start();
    void beginPicture(const bench::RunOptions &options);
    void follow(bench::Runner &runner);
    void stop();
    void ended();
    void failed(const Error &error);
    void take(const bench::Slot &slot);
    void drawFrame();
    void showStall();
    void showResult(const bench::RunResult &result);
    void fillResults();
    [[nodiscard]] bench::TestSpec test() const;
    [[nodiscard]] std::chrono::milliseconds slotPatience() const;

    Context m_context;
    std::string m_disk;
    QString m_away; ///< why the disk can't be measured now
    QButtonGroup *m_tests = nullptr;
    TargetChooser *m_where = nullptr;
    Label *m_cost = nullptr;
    Label *m_busy = nullptr; ///< what else is measured, so that nothing can be started
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
    bench::TestSpec m_running{}; ///< what m_runner runs, or ran last
    QList<QPointF> m_points;     ///< seconds, and bytes or reads per second
    QTimer m_frame;
    QElapsedTimer m_quiet;                   ///< since the last slot, or the end of the last round
    std::chrono::milliseconds m_longest{0};  ///< between two slots of a round, in this run
    bool m_inRound = false;                  ///< a slot of it has come
    std::chrono::milliseconds m_patience{0}; ///< how long that may be before it is a stall; 0: nothing is due
    bool m_dirty = false;
    bool m_entered = false;
};

} // namespace diskwright::ui
