// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/measurement.h"
#include "ui/editors/editor.h"
#include "ui/pages/page.h"

#include <functional>
#include <memory>
#include <optional>

class QCheckBox;
class QProgressBar;
class QPushButton;

namespace diskwright::ui {

/// "Measure this": the value of now against another one, by turns, on one lease; then a plain verdict.
class ComparisonCard final : public QWidget
{
    Q_OBJECT

public:
    ComparisonCard(const Context &context, const Address &address, QWidget *parent = nullptr);
    ~ComparisonCard() override;

    void setTargetSource(std::function<std::optional<bench::Target>()> source)
    {
        m_target = std::move(source);
    }
    /// While the disk is gone or does not answer nothing can be started.
    void setAway(bool away);
    [[nodiscard]] bool isRunning() const noexcept { return m_measurement != nullptr; }

Q_SIGNALS:
    void message(const QString &text, bool problem);
    void measured();

private:
    [[nodiscard]] QWidget *buildChoice(QWidget *parent);
    void start();
    [[nodiscard]] bench::MeasureOptions options(const bench::Target &target, const Value &wanted) const;
    void follow(bench::Measurement &measurement);
    void finish(const bench::MeasureResult &result);
    void end();
    void refreshStart();
    [[nodiscard]] QString whyNot() const;

    Context m_context;
    Address m_address;
    const SettingSpec *m_spec;
    Result<bench::Fitting> m_fitting; ///< the test that shows the setting
    std::optional<Value> m_now;
    std::function<std::optional<bench::Target>()> m_target;
    Editor *m_editor = nullptr;
    QCheckBox *m_stay;
    QPushButton *m_start;
    QProgressBar *m_progress;
    Label *m_state;
    Label *m_note;       ///< below it: what disturbed the result, or what else is measured now
    QString m_disturbed; ///< of the last result
    bool m_away = false;
    std::unique_ptr<bench::LeaseHolder> m_lease;
    bench::Measurement *m_measurement = nullptr;
};

} // namespace diskwright::ui
