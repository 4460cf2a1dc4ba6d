// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/editedfiles.h"

#include "helper/access/systemroot.h"

#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <vector>

using namespace Qt::StringLiterals;

namespace diskwright {

namespace {

constexpr qsizetype mostLines = 2000;
constexpr qsizetype linesAround = 2;

// docs/boot.md: the first line is the marker, the second the checksum of what follows.
constexpr QByteArrayView marker = "# Written by Diskwright.";
constexpr QByteArrayView hashLabel = "# sha256 of what follows: ";

bool isAsWritten(const QByteArray &text)
{
    const qsizetype first = text.indexOf('\n') + 1;
    const qsizetype second = first > 0 ? text.indexOf('\n', first) + 1 : 0;
    if (second == 0 || !text.startsWith(marker))
        return false;
    const QByteArray body = text.mid(second);
    return text.mid(first, second - first - 1) ==
           hashLabel.toByteArray() + QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex();
}

QStringList linesOf(const QByteArray &text)
{
    QStringList lines = QString::fromUtf8(text).split(u'\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    // The checksum follows from the rest.
    lines.removeIf([](const QString &line) { return line.startsWith(QString::fromLatin1(hashLabel)); });
    return lines;
}

} // namespace

QStringList differenceOf(const QStringList &before, const QStringList &after)
{
    if (before.size() > mostLines || after.size() > mostLines)
        return {u"…"_s};
    // Longest common part, from the ends.
    const auto width = static_cast<std::size_t>(after.size()) + 1;
    std::vector<std::uint16_t> common((static_cast<std::size_t>(before.size()) + 1) * width);
    const auto at = [&](qsizetype one, qsizetype other) -> std::uint16_t & {
        return common[static_cast<std::size_t>(one) * width + static_cast<std::size_t>(other)];
    };
    for (qsizetype one = before.size() - 1; one >= 0; --one) {
        for (qsizetype other = after.size() - 1; other >= 0; --other)
            at(one, other) = before[one] == after[other]
                                 ? static_cast<std::uint16_t>(at(one + 1, other + 1) + 1)
                                 : std::max(at(one + 1, other), at(one, other + 1));
    }
    QStringList all;
    qsizetype one = 0;
    qsizetype other = 0;
    while (one < before.size() || other < after.size()) {
        if (one < before.size() && other < after.size() && before[one] == after[other]) {
            all << u"  "_s + before[one++];
            ++other;
        } else if (other == after.size() ||
                   (one < before.size() && at(one + 1, other) >= at(one, other + 1))) {
            all << u"- "_s + before[one++];
        } else {
            all << u"+ "_s + after[other++];
        }
    }
    QStringList shown;
    for (qsizetype line = 0; line < all.size(); ++line) {
        const auto first = all.begin() + std::max<qsizetype>(0, line - linesAround);
        const auto last = all.begin() + std::min(all.size(), line + linesAround + 1);
        const bool isNear = std::any_of(first, last, [](const QString &text) { return text[0] != u' '; });
        if (isNear)
            shown << all[line];
        else if (!shown.isEmpty() && shown.last() != u"…"_s && line + 1 < all.size())
            shown << u"…"_s;
    }
    if (!shown.isEmpty() && shown.last() == u"…"_s)
        shown.removeLast();
    return shown;
}

std::vector<EditedFile> readEditedFiles(const QString &root)
{
    struct Place {
        const char *folder;
        const char *name;
    };
    static constexpr std::array places{Place{"etc/udev/rules.d/", "80-diskwright.rules"},
                                       Place{"etc/sysctl.d/", "80-diskwright.conf"},
                                       Place{"etc/diskwright/boot/", "80-diskwright.rules"},
                                       Place{"etc/diskwright/boot/", "80-diskwright.conf"}};
    constexpr std::size_t mostBytes = std::size_t{1024} * 1024;
    std::vector<EditedFile> edited;
    const auto tree = root == u"/"_s ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    for (const Place &place : places) {
        const auto text = tree ? tree->readFile(std::string(place.folder) + place.name, mostBytes)
                               : std::unexpected(tree.error());
        if (!text || isAsWritten(QByteArray::fromStdString(*text)))
            continue;
        const auto ours = tree->readFile(std::string("run/diskwright/ours/") + place.name, mostBytes);
        edited.push_back({u'/' + QString::fromLatin1(place.folder) + QString::fromLatin1(place.name), {}});
        if (ours)
            edited.back().difference = differenceOf(linesOf(QByteArray::fromStdString(*ours)),
                                                    linesOf(QByteArray::fromStdString(*text)));
    }
    return edited;
}

} // namespace diskwright
