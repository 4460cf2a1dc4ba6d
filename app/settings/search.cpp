// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "search.h"

#include "shown.h"
#include "texts.h"

#include "helper/contract/catalogue.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <array>

namespace diskwright {

namespace {

constexpr std::size_t mostRead = 1024; // of a text
constexpr qsizetype mostWords = 16;
constexpr qsizetype leastPrefix = 3; // of a name
constexpr qsizetype leastInside = 5; // a shorter word is looked for at the beginning of words only
constexpr std::size_t longestName = 48;

QString folded(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toCaseFolded();
}

/// In English and in the language in use, one after the other.
QString inBoth(const char *context, std::string_view text)
{
    if (text.empty())
        return {};
    return folded(text) + u'\n' +
           QCoreApplication::translate(context, std::string(text).c_str()).toCaseFolded() + u'\n';
}

struct Candidate {
    OldNameAnswer answer;
    QStringList names; ///< ids and aliases, case-folded
    QString title;
    QString words;
};

std::vector<Candidate> makeCandidates()
{
    std::vector<Candidate> all;
    for (const SettingText &text : settingTexts()) {
        Candidate one;
        one.answer.settingId = text.id;
        one.names << folded(text.id);
        for (const std::string_view alias : text.aliases)
            one.names << folded(alias);
        one.title = inBoth(settingTextContext, text.title);
        one.words = inBoth(settingTextContext, text.summary);
        all.push_back(std::move(one));
    }
    for (const ShownSetting &shown : shownSettings()) {
        Candidate one;
        one.answer.settingId = shown.id;
        one.names << folded(shown.id);
        one.title = inBoth(shownContext, shown.title);
        one.words = inBoth(shownContext, shown.text);
        all.push_back(std::move(one));
    }
    for (const VanishedSetting &entry : vanishedSettings()) {
        Candidate one;
        one.answer.settingId = entry.setting;
        one.answer.vanished = &entry;
        for (const std::string_view known : entry.names)
            one.names << folded(known);
        one.title = inBoth(vanishedContext, entry.title);
        one.words = inBoth(vanishedContext, entry.was);
        all.push_back(std::move(one));
    }
    return all;
}

bool containsWord(const QString &text, const QString &word)
{
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (word.size() >= leastInside || at == 0 || !text[at - 1].isLetterOrNumber())
            return true;
    }
    return false;
}

bool containsAll(const QString &text, const QStringList &words)
{
    return std::ranges::all_of(words, [&](const QString &word) { return containsWord(text, word); });
}

/// What counts as the end of a word in a name.
enum class Parts : std::uint8_t {
    Joined, ///< sync_expire is one word, and discard=async
    Apart,  ///< sync_expire is two, and the beginning of a name is enough
};

/// Whether \p word stands in \p name as a whole word; as the beginning of the name too if it is long enough.
/// read-ahead and read_ahead are the same.
bool isInName(QString name, QString word, Parts parts)
{
    if (word.size() < 2) // the letter of an option is no word
        return name == word;
    name.replace(u'-', u'_');
    word.replace(u'-', u'_');
    const auto isInside = [&](QChar c) {
        return c.isLetterOrNumber() || (parts == Parts::Joined && (c == u'_' || c == u'='));
    };
    for (qsizetype at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
        const qsizetype end = at + word.size();
        const bool begins = at == 0 || !isInside(name[at - 1]);
        const bool ends = end == name.size() || !isInside(name[end]);
        const bool isKey = at == 0 || name[at - 1] == u'/';
        if (begins && (ends || (parts == Parts::Apart && isKey && word.size() >= leastPrefix)))
            return true;
    }
    return false;
}

/// Whether one of the names has all words.
bool isNamed(const QStringList &names, const QStringList &words, Parts parts)
{
    return std::ranges::any_of(names, [&](const QString &name) {
        return std::ranges::all_of(words, [&](const QString &word) { return isInName(name, word, parts); });
    });
}

/// The words of a text, case-folded; what has neither letter nor digit is none.
QStringList wordsOf(std::string_view text)
{
    QStringList words = folded(text).simplified().split(u' ', Qt::SkipEmptyParts);
    words.removeIf([](const QString &word) {
        return std::ranges::none_of(word, [](QChar c) { return c.isLetterOrNumber(); });
    });
    words.resize(std::min(words.size(), mostWords));
    return words;
}

/// Edit distance with transpositions, or more than \p most.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most)
{
    if (a.size() > longestName || b.size() > longestName ||
        std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most)
        return most + 1;
    using Row = std::array<std::size_t, longestName + 1>;
    Row beforeLast{};
    Row last{};
    Row now{};
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = std::min(now[j], beforeLast[j - 2] + 1);
        }
        beforeLast = last;
        last = now;
    }
    return last[b.size()];
}

/// The key alone: behind the last '/', ':' or, for vm.NAME, the dot.
std::string_view keyOf(std::string_view text)
{
    const std::size_t at = text.find_last_of("/:.");
    return at == std::string_view::npos ? text : text.substr(at + 1);
}

bool isOfMemory(std::string_view text)
{
    return text.starts_with("vm.") || text.starts_with("vm/") || text.starts_with("vm:") ||
           text.contains("/proc/sys/vm/");
}

struct Near {
    std::size_t distance = 0;
    std::string id;
};

} // namespace

std::vector<std::string> similarSettings(std::string_view text, std::size_t most)
{
    text = text.substr(0, mostRead);
    text = text.substr(0, text.find('='));
    const bool isMemory = isOfMemory(text);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    const std::string asked = folded(keyOf(text)).toStdString();
    constexpr std::size_t shortest = 3; // anything is near to less
    if (asked.size() < shortest)
        return {};
    const std::size_t farthest = std::clamp<std::size_t>(asked.size() / 4, 1, 3);
    std::vector<Near> near;
    const auto look = [&](std::string_view id) {
        // The beginning of a name is the name, not yet written out.
        const bool begins = keyOf(id).starts_with(asked);
        const std::size_t steps = begins ? 0 : distance(asked, keyOf(id), farthest);
        if (steps <= farthest)
            near.push_back({steps, std::string(id)});
    };
    for (const SettingSpec &row : catalogue())
        look(row.id);
    for (const ShownSetting &row : shownSettings())
        look(row.id);
    // What was written as a setting of memory is meant as one, if there is any.
    if (isMemory && std::ranges::any_of(near, [](const Near &one) { return one.id.starts_with("vm/"); }))
        std::erase_if(near, [](const Near &one) { return !one.id.starts_with("vm/"); });
    // The domain that was written decides between equals.
    const auto isOther = [&](const Near &one) {
        const std::string_view domain = std::string_view(one.id).substr(0, one.id.find('/'));
        return !text.starts_with(domain);
    };
    std::ranges::stable_sort(near, {},
                             [&](const Near &one) { return std::pair(one.distance, isOther(one)); });
    if (near.size() > most)
        near.resize(most);
    std::vector<std::string> ids;
    ids.reserve(near.size());
    for (Near &one : near)
        ids.push_back(std::move(one.id));
    return ids;
}

std::vector<SearchHit> searchSettings(std::string_view text)
{
    text = text.substr(0, mostRead);
    std::vector<SearchHit> hits;
    for (OldNameAnswer &answer : findByOldName(text))
        hits.push_back({Match::Exact, std::move(answer)});
    const QStringList words = wordsOf(text);
    // Letters of options are not the same in upper and lower case, so only the exact one is meant.
    if (words.isEmpty() ||
        std::ranges::any_of(words, [](const QString &one) { return one.startsWith(u'-'); }))
        return hits;
    const auto isKnown = [&](const OldNameAnswer &answer) {
        return std::ranges::any_of(hits, [&](const SearchHit &hit) {
            return hit.answer.settingId == answer.settingId && hit.answer.vanished == answer.vanished;
        });
    };
    const bool isFound = !hits.empty();
    std::vector<SearchHit> byTitle;
    std::vector<SearchHit> byWords;
    for (Candidate &one : makeCandidates()) {
        if (isKnown(one.answer))
            continue;
        const QString names = one.names.join(u'\n') + u'\n' + one.title;
        // Once the name itself is found, sync is not meant as sync_expire of something that is gone.
        const Parts parts = isFound && one.answer.vanished ? Parts::Joined : Parts::Apart;
        if (isNamed(one.names, words, parts))
            hits.push_back({Match::Name, std::move(one.answer)});
        else if (containsAll(names, words))
            byTitle.push_back({Match::Words, std::move(one.answer)});
        else if (containsAll(names + one.words, words))
            byWords.push_back({Match::Words, std::move(one.answer)});
    }
    std::ranges::move(byTitle, std::back_inserter(hits));
    std::ranges::move(byWords, std::back_inserter(hits));
    if (hits.empty()) {
        for (std::string &id : similarSettings(text))
            hits.push_back({Match::Similar, {std::move(id), nullptr, {}, {}, {}}});
    }
    return hits;
}

std::string addressOf(std::string_view settingId, std::string_view target)
{
    const std::size_t slash = settingId.find('/');
    const std::string_view domain = settingId.substr(0, slash);
    const std::string_view key = slash == std::string_view::npos ? settingId : settingId.substr(slash + 1);
    const std::string_view middle = domain == "vm"   ? std::string_view()
                                    : target.empty() ? std::string_view("DISK")
                                                     : target;
    return std::string(domain) + ':' + std::string(middle) + ':' + std::string(key);
}

} // namespace diskwright
