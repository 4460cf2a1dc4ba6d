// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/machine.h"

#include "app/settings/search.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

namespace diskwright::ui {

/// What answers to a text, on every disk and on the machine: settings by all their names, and what became of
/// those that are gone.
class SearchModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum class Kind : std::uint8_t {
        Heading, ///< a disk, the machine, "What became of it"
        Setting, ///< leads to its row
        Story,   ///< something that vanished; leads to what does its work today, if anything does
    };
    enum Role {
        TitleRole = Qt::DisplayRole,
        KindRole = Qt::UserRole + 1,
        KernelNameRole,
        ValueRole, ///< what is in force, or why it is not here
        WhyRole,   ///< why it answers to the text; a story's text
    };

    explicit SearchModel(const Machine &machine, QObject *parent = nullptr);

    void setText(const QString &text);
    [[nodiscard]] const QString &text() const noexcept { return m_text; }
    /// Settings that were found; each disk's counts.
    [[nodiscard]] int settingCount() const noexcept { return m_settings; }
    /// Where a line leads; none for a heading and for a story without a successor.
    [[nodiscard]] std::optional<Address> address(int row) const;
    /// The first line that is no heading; -1 if nothing was found.
    [[nodiscard]] int firstLine() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    struct Line {
        Kind kind = Kind::Heading;
        QString title;
        QString kernelName;
        QString value;
        QString why;
        std::optional<Address> address;
        bool operator==(const Line &) const = default;
    };

    void rebuild();
    void addStories(const std::vector<SearchHit> &hits, std::vector<Line> &lines) const;
    void addTarget(const std::string &target, const std::vector<SearchHit> &hits,
                   std::vector<Line> &lines) const;
    void addMissing(const std::vector<SearchHit> &hits, std::vector<Line> &lines) const;
    [[nodiscard]] QString why(const SearchHit &hit, const SettingSpec &spec) const;

    const Machine &m_machine;
    QString m_text;
    bool m_isStale = false; ///< settings were read that the lines do not show yet
    std::vector<Line> m_lines;
    int m_settings = 0;
};

} // namespace diskwright::ui
