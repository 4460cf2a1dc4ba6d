// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "searchpage.h"

#include "ui/text/format.h"

#include <QApplication>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

// Title and value on the first line, why it was found on the next ones.
class ResultDelegate final : public QStyledItemDelegate
{
public:
    explicit ResultDelegate(QListView *view)
        : QStyledItemDelegate(view)
        , m_view(view)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const int line = option.fontMetrics.height();
        if (kind(index) == SearchModel::Kind::Heading)
            return {textWidth(), line + (index.row() == 0 ? space::unit : space::card + space::half)};
        const QString why = index.data(SearchModel::WhyRole).toString();
        const int below =
            why.isEmpty()
                ? 0
                : option.fontMetrics.boundingRect(QRect(0, 0, textWidth(), 10'000), Qt::TextWordWrap, why)
                      .height();
        return {textWidth(), line + below + space::card};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (kind(index) == SearchModel::Kind::Heading)
            paintHeading(painter, option, index.data().toString());
        else
            paintResult(painter, option, index);
        painter->restore();
    }

private:
    static SearchModel::Kind kind(const QModelIndex &index)
    {
        return static_cast<SearchModel::Kind>(index.data(SearchModel::KindRole).toInt());
    }

    int textWidth() const { return std::max(100, m_view->viewport()->width() - 2 * space::card); }

    static void paintHeading(QPainter *painter, const QStyleOptionViewItem &option, const QString &text)
    {
        QFont font = option.font;
        font.setWeight(QFont::DemiBold);
        painter->setFont(font);
        painter->setPen(QApplication::palette().color(QPalette::WindowText));
        painter->drawText(option.rect.adjusted(space::half, 0, -space::half, -space::half),
                          Qt::AlignLeft | Qt::AlignBottom, text);
    }

    static void paintResult(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index)
    {
        const QPalette palette = QApplication::palette();
        const QRect box = option.rect.adjusted(0, 1, 0, -1);
        QColor ground = cardColor(palette);
        if (option.state & QStyle::State_Selected) {
            ground = palette.color(QPalette::Accent);
            ground.setAlphaF(isDark(palette) ? 0.38F : 0.18F);
        } else if (option.state & QStyle::State_MouseOver) {
            ground = palette.color(QPalette::WindowText);
            ground.setAlphaF(0.06F);
        }
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawRoundedRect(box, 6, 6);
        if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Active)) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(accentColor(palette), 2));
            painter->drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), 6, 6);
        }
        const int line = option.fontMetrics.height();
        const QRect inside = box.adjusted(space::card, space::unit - 1, -space::card, 0);
        const QString value = index.data(SearchModel::ValueRole).toString();
        const QString name = index.data(SearchModel::KernelNameRole).toString();
        const QString title = index.data().toString();
        // The name gives way first, then the value.
        const int titleWidth = option.fontMetrics.horizontalAdvance(title) + space::card;
        const int valueWidth = std::min(option.fontMetrics.horizontalAdvance(value) + 2,
                                        std::max(0, inside.width() - titleWidth));
        painter->setPen(palette.color(QPalette::WindowText));
        painter->drawText(QRect(inside.left(), inside.top(), titleWidth, line),
                          Qt::AlignLeft | Qt::AlignVCenter, title);
        painter->drawText(QRect(inside.right() - valueWidth, inside.top(), valueWidth + 1, line),
                          Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(value, Qt::ElideRight, valueWidth));
        painter->setPen(mutedColor(palette));
        const int nameWidth = std::max(0, inside.width() - titleWidth - valueWidth - space::card);
        painter->drawText(QRect(inside.left() + titleWidth, inside.top(), nameWidth, line),
                          Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(name, Qt::ElideRight, nameWidth));
        painter->drawText(
            QRect(inside.left(), inside.top() + line, inside.width(), box.bottom() - inside.top() - line),
            Qt::TextWordWrap, index.data(SearchModel::WhyRole).toString());
    }

    QListView *m_view;
};

} // namespace

SearchPage::SearchPage(const Context &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
    , m_model(context.machine)
    , m_view(new QListView(this))
    , m_nothing(new Label(Label::Role::Muted, this))
{
    setTitle(tr("Search"));
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new ResultDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->viewport()->setAutoFillBackground(false);
    m_view->setMouseTracking(true);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setMinimumHeight(200);
    m_view->setAccessibleName(tr("What was found"));
    m_view->setAccessibleDescription(tr("Enter opens the setting."));
    m_nothing->setWordWrap(true);
    body()->addWidget(m_nothing);
    body()->addWidget(m_view, 1);
    // Keeps the sentence at the top while there is no list.
    body()->addStretch(0);
    connect(m_view, &QListView::activated, this, &SearchPage::openResult);
    connect(m_view, &QListView::clicked, this, &SearchPage::openResult);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &SearchPage::refresh);
}

void SearchPage::enter()
{
    m_context.machine.readAgain();
}

void SearchPage::setText(const QString &text)
{
    m_model.setText(text);
    refresh();
}

void SearchPage::refresh()
{
    const int count = m_model.settingCount();
    setTitle(tr("Search"), count > 0 ? tr("%n setting(s) on all pages", nullptr, count) : QString());
    const bool nothing = m_model.firstLine() < 0;
    m_nothing->setText(
        tr("Nothing answers to “%1”. Names of the kernel, of hdparm, sysctl and old articles are "
           "understood too.")
            .arg(shortened(m_model.text())));
    m_nothing->setVisible(nothing);
    m_view->setVisible(!nothing);
    if (!m_view->currentIndex().isValid() && !nothing)
        m_view->setCurrentIndex(m_model.index(m_model.firstLine()));
}

void SearchPage::enterList()
{
    if (m_model.firstLine() < 0)
        return;
    m_view->setCurrentIndex(m_model.index(m_model.firstLine()));
    m_view->setFocus(Qt::OtherFocusReason);
}

void SearchPage::openResult()
{
    const QModelIndex current = m_view->currentIndex();
    if (const auto address = m_model.address(current.isValid() ? current.row() : m_model.firstLine()))
        Q_EMIT settingWanted(*address);
}

} // namespace diskwright::ui
