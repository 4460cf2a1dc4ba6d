// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/applier.h"
#include "ui/models/machine.h"
#include "ui/models/measuring.h"
#include "ui/models/sidebarmodel.h"
#include "ui/models/stageddisks.h"

#include "app/bench/roundsource.h"
#include "app/plan/changeset.h"

#include <QWidget>

#include <functional>
#include <memory>

class QHBoxLayout;
class QScrollArea;
class QVBoxLayout;

namespace diskwright::ui {

/// What the pages share. Lives as long as the window.
struct Context {
    Machine &machine;
    StagedChanges &staged;
    StagedDisks &stagedDisks;
    Applier &applier;
    /// Makes what measures: the engine's process, or a script in tests.
    std::function<std::unique_ptr<bench::RoundSource>()> makeRoundSource;
    /// A few words on the health of a disk ("38 °C"), known without waking it; empty or unset: nothing is
    /// known.
    std::function<QString(const BlockNode &)> healthWords;
    /// What is measured on any of the pages.
    std::shared_ptr<Measuring> measuring = std::make_shared<Measuring>();
};

/// Width of the window's search box, which lies beside the title of every page.
inline constexpr int searchWidth = 264;

/// One page of the window. Built when it is first shown.
class Page : public QWidget
{
    Q_OBJECT

public:
    explicit Page(QWidget *parent = nullptr);

    /// Shown and hidden: only a visible page reads anything.
    virtual void enter() {}
    virtual void leave() {}
    /// What a reading covers while this page is shown.
    struct Needs {
        std::vector<std::string> targets; ///< settings of these; "" is the machine's
        bool allDisks = false;            ///< settings of every disk that is listed
        bool allShown = false;            ///< and what is only shown of them
        bool startStatus = false;         ///< whether what is kept holds
        bool problems = false;            ///< what is wrong with disks
    };
    [[nodiscard]] virtual Needs needs() const { return {}; }
    /// Shows a setting of this page and gives it the focus.
    virtual void reveal(const Address &) {}

    [[nodiscard]] QString title() const;

Q_SIGNALS:
    /// A sentence for the bar at the top. Problems stay until closed.
    void message(const QString &text, bool problem);
    void measureWanted(const diskwright::Address &address);
    void forgetWanted(const diskwright::Address &address);
    void placeWanted(const diskwright::ui::Place &place);

protected:
    void setTitle(const QString &title, const QString &facts = {});
    /// The scrolled part below the title.
    [[nodiscard]] QVBoxLayout *body() const { return m_body; }
    /// Once the layout has settled.
    void scrollTo(QWidget *widget);
    /// Between title and scrolled part.
    void setHead(QWidget *head);

private:
    QVBoxLayout *m_layout;
    QHBoxLayout *m_head;
    QVBoxLayout *m_body;
    Label *m_title;
    Label *m_facts;
    QScrollArea *m_scroll;
};

} // namespace diskwright::ui
