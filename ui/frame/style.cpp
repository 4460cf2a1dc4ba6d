// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "style.h"

#include "ui/frame/look.h"

#include <QApplication>
#include <QHash>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>

#include <type_traits>
#include <utility>

namespace diskwright::ui {

using namespace Qt::StringLiterals;

namespace {

class ReadableFusion final : public QProxyStyle
{
public:
    ReadableFusion()
        : QProxyStyle(u"fusion"_s)
    {
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        if (isDark(option->palette)) {
            if (element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton ||
                element == PE_PanelButtonCommand) {
                if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
                    const auto copy = outlined(*button);
                    QProxyStyle::drawPrimitive(element, &copy, painter, widget);
                    return;
                }
            } else if (element == PE_FrameLineEdit) {
                if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option)) {
                    const auto copy = outlined(*frame);
                    QProxyStyle::drawPrimitive(element, &copy, painter, widget);
                    return;
                }
            }
        }
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override
    {
        if (isDark(option->palette)) {
            if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option)) {
                const auto copy = outlined(*spin);
                QProxyStyle::drawComplexControl(control, &copy, painter, widget);
                return;
            }
            if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
                const auto copy = outlined(*combo);
                QProxyStyle::drawComplexControl(control, &copy, painter, widget);
                return;
            }
        }
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }

    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override
    {
        QProxyStyle::drawControl(element, option, painter, widget);
        // Which tab is open must not depend on two shades of one grey.
        if (element == CE_TabBarTabShape && option->state.testFlag(State_Selected)) {
            const QRect line(option->rect.left() + 2, option->rect.top(), option->rect.width() - 4, 2);
            painter->fillRect(line, accentColor(option->palette));
        }
    }

    QIcon standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const override
    {
        QIcon icon = QProxyStyle::standardIcon(which, option, widget);
        if (which != SP_LineEditClearButton || !hasLineIcons())
            return icon;
        QIcon readable;
        for (const qreal ratio : {1.0, 2.0})
            readable.addPixmap(tinted(icon, mutedColor(QApplication::palette()), 16, ratio));
        return readable;
    }

    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *data) const override
    {
        // Some buttons of a dialog with a picture and some without look like an accident.
        if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
            return 0;
        return QProxyStyle::styleHint(hint, option, widget, data);
    }

private:
    template <typename Option>
    Option outlined(const Option &option) const
    {
        // A button is filled with the colour that frames only have around them.
        static constexpr bool isButton = std::is_same_v<Option, QStyleOptionButton>;
        Option copy = option;
        const std::pair key(option.palette.cacheKey(), isButton);
        auto found = m_palettes.constFind(key);
        if (found == m_palettes.constEnd()) {
            if (m_palettes.size() >= 64)
                m_palettes.clear();
            // Fusion takes its outlines from this role, made a good deal darker.
            QPalette palette = option.palette;
            palette.setColor(QPalette::Window, mutedColor(palette).lighter(125));
            if (!isButton) {
                palette.setColor(QPalette::Highlight, accentColor(option.palette).lighter(125));
                palette.setColor(QPalette::Accent, accentColor(option.palette).lighter(125));
            }
            found = m_palettes.insert(key, palette);
        }
        copy.palette = *found;
        return copy;
    }

    /// Fusion keeps what it has drawn by the palette's key: a new palette at each drawing would never be
    /// found.
    mutable QHash<std::pair<qint64, bool>, QPalette> m_palettes;
};

} // namespace

void useReadableStyle()
{
    const QStyle *style = QApplication::style();
    if (style && style->name().compare("fusion"_L1, Qt::CaseInsensitive) == 0) {
        const QPalette palette = QApplication::palette();
        QApplication::setStyle(new ReadableFusion);
        QApplication::setPalette(palette);
    }
}

bool hasLineIcons()
{
    const QString theme = QIcon::themeName();
    return theme.isEmpty() || theme == "hicolor"_L1 || theme == "breeze"_L1;
}

QPixmap tinted(const QIcon &icon, const QColor &color, int size, qreal pixelRatio)
{
    QPixmap pixmap = icon.pixmap(QSize(size, size), pixelRatio);
    if (pixmap.isNull())
        return pixmap;
    QPainter painter(&pixmap);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(QRect(QPoint(), pixmap.size()), color);
    return pixmap;
}

} // namespace diskwright::ui
