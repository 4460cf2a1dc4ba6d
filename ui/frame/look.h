// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QToolButton>

/// The few things that give all pages one look. Everything else is the desktop's style and palette.
namespace diskwright::ui {

namespace space {
inline constexpr int unit = 8; ///< every distance is a multiple of it
inline constexpr int half = 4;
inline constexpr int page = 24;
inline constexpr int card = 16;
} // namespace space

/// Whether the palette is dark.
[[nodiscard]] bool isDark(const QPalette &palette);
/// For desktops without a dark palette of their own.
[[nodiscard]] QPalette darkPalette();
/// Text that steps back, still with a contrast above 4.5 to 1.
[[nodiscard]] QColor mutedColor(const QPalette &palette);
/// Lines between things.
[[nodiscard]] QColor lineColor(const QPalette &palette);
/// The ground of a card and of the side bar.
[[nodiscard]] QColor cardColor(const QPalette &palette);
[[nodiscard]] QColor sidebarColor(const QPalette &palette);
/// The desktop's accent, readable as text on a card.
[[nodiscard]] QColor accentColor(const QPalette &palette);
/// For what went wrong or may lose data; never without a sign or word beside it.
[[nodiscard]] QColor alarmColor(const QPalette &palette);

/// A label in one of the roles of the page; follows the palette when the desktop changes it.
class Label final : public QLabel
{
    Q_OBJECT

public:
    enum class Role { Title, Heading, Body, Muted, Accent, Alarm, Figure };

    explicit Label(Role role, QWidget *parent = nullptr);
    Label(Role role, const QString &text, QWidget *parent = nullptr);

    void setRole(Role role);
    /// One line that gives up its middle where it is too narrow for the whole, which is then its tool tip.
    void setShortens();
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void applyRole();
    [[nodiscard]] QString shown() const;
    Role m_role;
    bool m_applying = false;
    bool m_shortens = false;
};

/// A rounded ground on which related rows lie, with hairlines between them.
class Card final : public QFrame
{
    Q_OBJECT

public:
    explicit Card(QWidget *parent = nullptr);

    /// Adds a row at the end; a line is drawn above every row but the first that is visible.
    void addRow(QWidget *row);

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// A plain ground in a colour of the palette, with a line at one edge.
class Ground final : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Sidebar, Bar };
    explicit Ground(Kind kind, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Kind m_kind;
};

/// A text with an arrow that opens what lies below it. Where it is too narrow for the text, that gives up its
/// middle, and the whole is the tool tip.
class Expander final : public QToolButton
{
    Q_OBJECT

public:
    explicit Expander(const QString &text, QWidget *parent = nullptr);
    /// What is shown while it is open.
    void setTarget(QWidget *target);
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void opened(bool open);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QString shown() const;
    QWidget *m_target = nullptr;
};

/// Tabular figures for the whole application's font, where the font has them.
void useTabularFigures();

} // namespace diskwright::ui
