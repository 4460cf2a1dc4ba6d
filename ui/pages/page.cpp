// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "page.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace diskwright::ui {

Page::Page(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_head(new QHBoxLayout)
    , m_title(new Label(Label::Role::Title, this))
    , m_facts(new Label(Label::Role::Muted, this))
    , m_scroll(new QScrollArea(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    auto *names = new QVBoxLayout;
    names->setSpacing(2);
    m_facts->setWordWrap(true);
    m_title->setShortens();
    names->addWidget(m_title);
    names->addWidget(m_facts);
    m_head->setContentsMargins(space::page, 0, space::page, space::unit);
    m_head->setSpacing(space::card);
    m_head->addLayout(names, 1);
    m_head->addSpacing(searchWidth);
    m_layout->addLayout(m_head);
    m_facts->hide();
    auto *inside = new QWidget;
    m_body = new QVBoxLayout(inside);
    m_body->setContentsMargins(space::page, 0, space::page, space::page);
    m_body->setSpacing(space::unit);
    m_scroll->setWidget(inside);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    inside->setAutoFillBackground(false);
    m_layout->addWidget(m_scroll, 1);
}

QString Page::title() const
{
    return m_title->text();
}

void Page::setTitle(const QString &title, const QString &facts)
{
    m_title->setText(title);
    setAccessibleName(title);
    m_facts->setText(facts);
    m_facts->setVisible(!facts.isEmpty());
}

void Page::scrollTo(QWidget *widget)
{
    // What was unfolded just now has its place only after the next round of the layout.
    QTimer::singleShot(0, widget, [this, widget] { m_scroll->ensureWidgetVisible(widget, 0, space::page); });
}

void Page::setHead(QWidget *head)
{
    m_layout->insertWidget(1, head);
}

} // namespace diskwright::ui
