// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/frame/look.h"
#include "ui/models/applier.h"
#include "ui/models/machine.h"

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
    Applier &applier;
    /// Makes what measures: the engine's process, or a script in tests.
    std::function<std::unique_ptr<bench::RoundSource>()> makeRoundSource;
};

/// One page of the window. Built when it is first shown.
class Page : public QWidget
{
    Q_OBJECT

public:
    explicit Page(QWidget *parent = nullptr);

    /// Shown and hidden: only a visible page reads anything.
    virtual void enter() {}
    virtual void leave() {}
    virtual void setFilter(const QString &) {}
    [[nodiscard]] virtual bool hasFilter() const { return false; }

    [[nodiscard]] QString title() const;

    /// Puts the window's filter box beside the title.
    void placeFilter(QWidget *filter);

Q_SIGNALS:
    /// A sentence for the bar at the top. Problems stay until closed.
    void message(const QString &text, bool problem);
    void measureWanted(const diskwright::Address &address);
    void forgetWanted(const diskwright::Address &address);

protected:
    void setTitle(const QString &title, const QString &facts = {});
    /// The scrolled part below the title.
    [[nodiscard]] QVBoxLayout *body() const { return m_body; }
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
