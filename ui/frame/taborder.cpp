// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "taborder.h"

#include <QLayout>
#include <QSet>
#include <QWidget>

namespace diskwright::ui {

namespace {

class Walk
{
public:
    void visit(QWidget *widget)
    {
        if (!widget || m_seen.contains(widget) || widget->isHidden() || widget->isWindow())
            return;
        m_seen.insert(widget);
        // A widget with a stand-in takes no focus itself; the stand-in is one of its children.
        if (widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy())
            found << widget;
        visitChildren(widget);
    }

    void visitChildren(QWidget *widget)
    {
        if (widget->layout())
            visit(widget->layout());
        // Not in a layout, or in a scroll area's viewport.
        for (QObject *child : widget->children()) {
            if (child->isWidgetType())
                visit(static_cast<QWidget *>(child));
        }
    }

    QList<QWidget *> found;

private:
    void visit(QLayout *layout)
    {
        for (int i = 0; i < layout->count(); ++i) {
            QLayoutItem *item = layout->itemAt(i);
            if (item->layout())
                visit(item->layout());
            visit(item->widget());
        }
    }

    QSet<QWidget *> m_seen;
};

} // namespace

QList<QWidget *> tabOrder(QWidget *root)
{
    Walk walk;
    walk.visitChildren(root);
    return walk.found;
}

} // namespace diskwright::ui
