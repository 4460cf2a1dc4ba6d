// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sidebar.h"

#include "ui/frame/look.h"
#include "ui/frame/style.h"

#include <QApplication>
#include <QIcon>
#include <QPainter>
#include <QStyledItemDelegate>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

class LineDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool heading = index.data(SidebarModel::HeadingRole).toBool();
        const int text = option.fontMetrics.height();
        return {120, heading ? text + 20 : text + 16};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QPalette palette = option.palette;
        if (index.data(SidebarModel::HeadingRole).toBool())
            paintHeading(painter, option, index.data().toString());
        else
            paintLine(painter, option, index, palette);
        painter->restore();
    }

private:
    static void paintHeading(QPainter *painter, const QStyleOptionViewItem &option, const QString &text)
    {
        QFont font = option.font;
        font.setPointSizeF(font.pointSizeF() * 0.88);
        font.setWeight(QFont::DemiBold);
        painter->setFont(font);
        // A heading is no item to choose, which must not make it faint.
        painter->setPen(mutedColor(QApplication::palette()));
        painter->drawText(option.rect.adjusted(16, 0, -8, -4), Qt::AlignLeft | Qt::AlignBottom, text);
    }

    static void paintLine(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                          const QPalette &palette)
    {
        const bool selected = option.state & QStyle::State_Selected;
        const QRect box = option.rect.adjusted(8, 1, -8, -1);
        QColor accent = palette.color(QPalette::Accent);
        if (selected) {
            accent.setAlphaF(isDark(palette) ? 0.38F : 0.18F);
            painter->setPen(Qt::NoPen);
            painter->setBrush(accent);
            painter->drawRoundedRect(box, 6, 6);
        } else if (option.state & QStyle::State_MouseOver) {
            QColor hover = palette.color(QPalette::WindowText);
            hover.setAlphaF(0.06F);
            painter->setPen(Qt::NoPen);
            painter->setBrush(hover);
            painter->drawRoundedRect(box, 6, 6);
        }
        if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Active)) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(palette.color(QPalette::Accent), 2));
            painter->drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), 6, 6);
        }
        const QRect inside = box.adjusted(8, 0, -8, 0);
        const QIcon icon = QIcon::fromTheme(index.data(SidebarModel::IconRole).toString());
        const QRect place(inside.left(), inside.center().y() - 7, 16, 16);
        if (hasLineIcons())
            painter->drawPixmap(place, tinted(icon, palette.color(QPalette::WindowText), 16,
                                              painter->device()->devicePixelRatio()));
        else
            icon.paint(painter, place);
        int right = inside.right();
        if (index.data(SidebarModel::StagedRole).toBool()) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(accentColor(palette));
            painter->drawEllipse(QPointF(right - 4, inside.center().y() + 0.5), 4, 4);
            right -= 16;
        }
        const QString detail = index.data(SidebarModel::DetailRole).toString();
        painter->setFont(option.font);
        const int left = inside.left() + 24;
        const int detailWidth = detail.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(detail) + 8;
        if (!detail.isEmpty()) {
            const bool silent =
                index.data(SidebarModel::PresenceRole).toInt() == static_cast<int>(Presence::Silent);
            painter->setPen(silent ? alarmColor(palette) : mutedColor(palette));
            painter->drawText(QRect(left, inside.top(), right - left, inside.height()),
                              Qt::AlignRight | Qt::AlignVCenter, detail);
        }
        const bool gone = index.data(SidebarModel::PresenceRole).toInt() == static_cast<int>(Presence::Gone);
        painter->setPen(gone ? mutedColor(palette) : palette.color(QPalette::WindowText));
        const int width = std::max(0, right - left - detailWidth);
        painter->drawText(QRect(left, inside.top(), width, inside.height()), Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, width));
    }
};

} // namespace

Sidebar::Sidebar(SidebarModel &model, QWidget *parent)
    : QListView(parent)
    , m_model(model)
{
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setItemDelegate(new LineDelegate(this));
    setEditTriggers(NoEditTriggers);
    setAccessibleName(tr("Disks and pages"));
    setAccessibleDescription(tr("Choose a disk or a page. Ctrl+1 to Ctrl+9 choose the first nine."));
    QListView::setModel(&model);
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        const int row = m_model.rowOf(m_wanted);
        if (row >= 0) {
            m_silent = true;
            setCurrentIndex(m_model.index(row));
            m_silent = false;
        }
    });
}

Place Sidebar::current() const
{
    return currentIndex().isValid() ? m_model.place(currentIndex().row()) : Place{};
}

bool Sidebar::select(const Place &place)
{
    const int row = m_model.rowOf(place);
    if (row < 0)
        return false;
    setCurrentIndex(m_model.index(row));
    return true;
}

void Sidebar::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QListView::currentChanged(current, previous);
    if (!current.isValid() || m_silent)
        return;
    m_wanted = m_model.place(current.row());
    if (m_wanted.kind != Place::Kind::Heading)
        Q_EMIT placeChosen(m_wanted);
}

} // namespace diskwright::ui
