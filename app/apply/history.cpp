// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/apply/history.h"

#include "app/apply/readcurrent.h"
#include "helper/access/diskfacts.h"
#include "helper/access/limitnote.h"
#include "helper/access/descriptor.h"
#include "helper/access/systemroot.h"
#include "helper/contract/limits.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;

namespace diskwright {

namespace {

constexpr qint64 mostKeptSetBytes = qint64{1024} * 1024;
const QString keptSetPath = u"etc/diskwright/boot-set.json"_s;
const QString guardStatePath = u"etc/diskwright/boot/state.json"_s;

QString below(const QString &root, const QString &relative)
{
    return root.endsWith(u'/') ? QString(root + relative) : QString(root + u'/' + relative);
}

// A small regular file; on the live system only root's word counts.
Result<QByteArray> readSmallFile(const QString &path, qint64 limit, bool mustBeRoots)
{
    const Descriptor descriptor(
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor.isOpen())
        return fail(errno == ENOENT ? Errc::Absent : Errc::StateFile, printable(path.toStdString()),
                    "can't be opened", {}, errno);
    struct stat status{};
    if (::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return fail(Errc::StateFile, printable(path.toStdString()), "not a regular file");
    if (mustBeRoots && status.st_uid != 0)
        return fail(Errc::StateFile, printable(path.toStdString()), "not root's");
    if (status.st_size > limit)
        return fail(Errc::StateFile, printable(path.toStdString()),
                    "longer than " + std::to_string(limit) + " bytes");
    QFile file;
    if (!file.open(descriptor.get(), QIODevice::ReadOnly))
        return fail(Errc::StateFile, printable(path.toStdString()), "can't be read");
    return file.read(limit);
}

bool isLive(const QString &root)
{
    return root == u"/"_s;
}

/// Reads fields of one object and remembers whether all were there and of their type.
class Fields
{
public:
    explicit Fields(const QJsonValue &json)
        : m_object(json.toObject())
        , m_ok(json.isObject())
    {
    }

    std::string text(const QString &key)
    {
        const QJsonValue value = m_object.value(key);
        m_ok = m_ok && value.isString();
        return value.toString().toStdString();
    }
    std::string textOrNull(const QString &key)
    {
        return m_object.value(key).isNull() ? std::string() : text(key);
    }
    bool boolean(const QString &key)
    {
        const QJsonValue value = m_object.value(key);
        m_ok = m_ok && value.isBool();
        return value.toBool();
    }
    std::int64_t integer(const QString &key, std::int64_t least, std::int64_t most)
    {
        const QJsonValue value = m_object.value(key);
        const std::int64_t number = value.toInteger(least - 1);
        m_ok = m_ok && value.isDouble() && number >= least && number <= most;
        return number;
    }
    std::optional<Value> valueOrNull(const QString &key)
    {
        const QJsonValue value = m_object.value(key);
        if (value.isNull())
            return std::nullopt;
        if (value.isString())
            return word(printable(value.toString().toStdString()));
        // Of a fraction and of what is beyond 64 bits there is no whole number: the default comes back.
        const std::int64_t whole = value.toInteger(0);
        m_ok = m_ok && value.isDouble() && whole == value.toInteger(1);
        return number(whole);
    }
    QJsonArray array(const QString &key, qsizetype most)
    {
        const QJsonValue value = m_object.value(key);
        m_ok = m_ok && value.isArray() && value.toArray().size() <= most;
        return m_ok ? value.toArray() : QJsonArray();
    }
    void require(bool condition) { m_ok = m_ok && condition; }
    [[nodiscard]] bool ok() const { return m_ok; }

private:
    QJsonObject m_object;
    bool m_ok = true;
};

// The words are the contract's own; where two outcomes share a word the earlier one is meant.
template <class Enum>
std::optional<Enum> fromName(std::string_view text, Enum last)
{
    for (int number = 0; number <= static_cast<int>(last); ++number) {
        if (name(static_cast<Enum>(number)) == text)
            return static_cast<Enum>(number);
    }
    return std::nullopt;
}

HistoryStep readStep(const QJsonValue &json, bool &ok)
{
    Fields fields(json);
    HistoryStep step;
    const std::string setting = fields.text(u"setting"_s);
    const auto address = parseAddress(setting);
    fields.require(address.has_value() && printable(setting) == setting);
    if (address)
        step.address = *address;
    step.diskId = printable(fields.textOrNull(u"id"_s));
    step.before = fields.valueOrNull(u"before"_s);
    step.requested = fields.valueOrNull(u"requested"_s);
    step.after = fields.valueOrNull(u"after"_s);
    const auto result = fromName(fields.text(u"result"_s), StepResult::NotAttempted);
    fields.require(result.has_value());
    step.result = result.value_or(StepResult::NotAttempted);
    step.sysErrno = static_cast<int>(fields.integer(u"errno"_s, 0, 4095));
    ok = ok && fields.ok();
    return step;
}

std::optional<HistoryEntry> readEntry(const QByteArray &bytes)
{
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    Fields fields(object);
    HistoryEntry entry;
    entry.transaction = fields.text(u"transaction"_s);
    fields.require(transactionIdFromHex(entry.transaction).has_value());
    entry.timeSeconds = fields.integer(u"time"_s, 0, std::int64_t{1} << 40);
    entry.bootId = printable(fields.text(u"boot_id"_s));
    entry.uid = static_cast<std::uint32_t>(fields.integer(u"uid"_s, 0, 0xffffffff));
    const std::string outcome = fields.text(u"outcome"_s);
    entry.lease = fields.boolean(u"lease"_s);
    // Entries of the first release have neither.
    entry.restoresAll = object.value(u"restores_all"_s).toBool();
    entry.startNanoseconds = object.value(u"start"_s).toInteger();
    entry.kept = fields.boolean(u"kept"_s);
    entry.keptFor = printable(object.value(u"kept_for"_s).toString().toStdString());
    entry.undoable = fields.boolean(u"undoable"_s);
    entry.reason = printable(fields.textOrNull(u"reason"_s));
    const auto known = fromName(outcome, Outcome::LeaseHeld);
    fields.require(known.has_value());
    entry.outcome = known.value_or(Outcome::Refused);
    bool stepsOk = true;
    for (const auto &step : fields.array(u"steps"_s, static_cast<qsizetype>(limits::changes)))
        entry.steps.push_back(readStep(step, stepsOk));
    if (!fields.ok() || !stepsOk)
        return std::nullopt;
    return entry;
}

// A trial or lease that the file calls running is over after a restart, and so is every value that was not
// kept.
void judgeByBoot(HistoryEntry &entry, const std::string &bootId)
{
    if (bootId.empty() || entry.bootId == bootId)
        return;
    if (entry.undoable && !entry.kept) {
        entry.undoable = false;
        entry.reason = "ended by restart";
    }
}

std::string withoutDashes(std::string text)
{
    std::erase(text, '-');
    return text;
}

Result<HistoryEntry> readEntryFile(const QString &folder, const std::string &transaction, const QString &root,
                                   const std::string &bootId)
{
    const QString path = folder + u'/' + QString::fromStdString(transaction) + u".json"_s;
    const auto bytes = readSmallFile(path, static_cast<qint64>(limits::journalBytes), isLive(root));
    if (!bytes)
        return std::unexpected(bytes.error());
    auto entry = readEntry(*bytes);
    if (!entry || entry->transaction != transaction)
        return fail(Errc::StateFile, printable(path.toStdString()), "does not decode");
    entry->bootId = withoutDashes(entry->bootId);
    judgeByBoot(*entry, bootId);
    return *entry;
}

QString historyFolder(const QString &root)
{
    return below(root, u"var/lib/diskwright/history"_s);
}

KeptItem readKeptItem(const QJsonValue &json, bool &ok)
{
    Fields fields(json);
    KeptItem item;
    item.settingId = fields.text(u"setting"_s);
    const SettingSpec *spec = findSetting(item.settingId);
    fields.require(spec != nullptr);
    const QJsonObject object = json.toObject();
    if (const QJsonValue disk = object.value(u"disk"_s); disk.isObject()) {
        Fields match(disk);
        item.target = match.text(u"id"_s);
        item.kernelName = match.text(u"name"_s);
        item.wwn = match.text(u"wwn"_s);
        item.serial = match.text(u"serial"_s);
        item.sizeBytes = static_cast<std::uint64_t>(match.integer(u"size_bytes"_s, 0, INT64_MAX));
        fields.require(match.ok() && isSafeDiskId(item.target) && isKernelName(item.kernelName));
    } else if (object.contains(u"class"_s)) {
        item.target = printable(fields.text(u"class"_s));
        item.forClass = diskClassFromName(item.target);
        fields.require(item.forClass.has_value());
    } else {
        fields.require(object.value(u"machine"_s).toBool());
    }
    if (const auto value = fields.valueOrNull(u"value"_s))
        item.value = *value;
    else
        fields.require(false);
    item.origin = printable(fields.text(u"origin"_s));
    item.keptAtSeconds = fields.integer(u"kept_at"_s, 0, std::int64_t{1} << 40);
    const QJsonObject original = object.value(u"original"_s).toObject();
    if (!original.isEmpty()) {
        Fields before(original);
        item.originalSetting = before.text(u"setting"_s);
        item.original = before.valueOrNull(u"value"_s);
        fields.require(before.ok());
    }
    item.bootId = withoutDashes(printable(object.value(u"boot_id"_s).toString().toStdString()));
    ok = ok && fields.ok();
    return item;
}

/// Looks whether kept items hold.
class Verifier final
{
public:
    Verifier(const QString &root, const KeptSet &set)
        : m_root(root)
        , m_set(set)
        , m_tree(isLive(root) ? SystemRoot::live() : SystemRoot::at(root.toStdString()))
    {
        const bool hasDisks = std::ranges::any_of(set.items, isOfDisks);
        if (m_tree && hasDisks)
            m_disks = readAllDiskFacts(*m_tree);
    }

    /// One for each disk on which the start sets it, or one that is not yet seen.
    void add(const KeptItem &item, std::vector<StartStatusItem> &into) const
    {
        if (!isOfDisks(item)) {
            into.push_back(verify(item, std::string()));
            return;
        }
        bool isSeen = false;
        for (const DiskFacts &facts : m_disks) {
            if (!facts.knownToUdev || !isKeptOn(item, facts))
                continue;
            isSeen = true;
            if (findKept(m_set, *findSetting(item.settingId), &facts) == &item)
                into.push_back(verify(item, facts.name));
        }
        if (!isSeen)
            into.push_back(verify(item, std::nullopt));
    }

private:
    static bool isOfDisks(const KeptItem &item) { return isPerDisk(findSetting(item.settingId)->domain); }

    [[nodiscard]] StartStatusItem verify(const KeptItem &item, const std::optional<std::string> &disk) const
    {
        const SettingSpec &spec = *findSetting(item.settingId);
        const Address address{spec.domain, disk.value_or(item.target), std::string(spec.key)};
        StartStatusItem found{toText(address), item.value, std::nullopt, StartItemState::NotYetSeen,
                              item.forClass};
        if (!disk)
            return found;
        found.current = readCurrent(address, m_root);
        const bool holds = found.current && isInForce(item, spec, *disk, *found.current);
        found.state = holds ? StartItemState::Holds : StartItemState::Differs;
        return found;
    }

    [[nodiscard]] bool isInForce(const KeptItem &item, const SettingSpec &spec, const std::string &disk,
                                 const Value &current) const
    {
        if (current == item.value || disk.empty() || !m_tree)
            return current == item.value;
        const auto directory = m_tree->blockDevice(disk);
        return directory && isKeptInForce(*m_tree, *directory, spec, item.value, current);
    }

    const QString &m_root;
    const KeptSet &m_set;
    Result<SystemRoot> m_tree;
    std::vector<DiskFacts> m_disks;
};

Result<StartState> startStateOf(const QString &root, const KeptSet &set)
{
    if (set.items.empty())
        return StartState::None;
    const QString path = below(root, guardStatePath);
    const auto bytes = readSmallFile(path, mostKeptSetBytes, isLive(root));
    // Before the first start with something kept there is none.
    if (!bytes && bytes.error().code == Errc::Absent)
        return StartState::Probation;
    if (!bytes)
        return std::unexpected(bytes.error());
    const QJsonDocument document = QJsonDocument::fromJson(*bytes);
    if (!document.isObject())
        return fail(Errc::StateFile, printable(path.toStdString()), "does not decode");
    const QJsonObject state = document.object();
    const QString aside = state.value(u"aside"_s).toString(u"no"_s);
    if (aside == u"switched-off"_s)
        return StartState::Off;
    if (aside != u"no"_s)
        return StartState::SetAside;
    return state.value(u"proven"_s).toBool() ? StartState::Proven : StartState::Probation;
}

} // namespace

// A folder that is not there is empty: nothing was changed yet.
static Result<QStringList> namesIn(const QString &folder)
{
    const Descriptor descriptor(
        ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor.isOpen() && errno == ENOENT)
        return QStringList();
    if (!descriptor.isOpen())
        return fail(Errc::StateFile, printable(folder.toStdString()), "can't be opened", {}, errno);
    return QDir(folder).entryList(QDir::Files | QDir::Dirs | QDir::System | QDir::Hidden |
                                  QDir::NoDotAndDotDot);
}

std::string bootIdOf(const QString &root)
{
    constexpr std::size_t uuidLine = 37;
    const auto tree = isLive(root) ? SystemRoot::live() : SystemRoot::at(root.toStdString());
    const auto text =
        tree ? tree->readFile("proc/sys/kernel/random/boot_id", uuidLine) : std::unexpected(tree.error());
    return text ? withoutDashes(QString::fromStdString(*text).trimmed().toStdString()) : std::string();
}

History readHistory(const QString &root)
{
    History history;
    const QString folder = historyFolder(root);
    const std::string bootId = bootIdOf(root);
    const auto names = namesIn(folder);
    if (!names) {
        history.error = names.error();
        return history;
    }
    for (const QString &fileName : *names) {
        const std::string stem = fileName.chopped(std::min<qsizetype>(5, fileName.size())).toStdString();
        const bool isNamedWell = fileName.endsWith(u".json"_s) && transactionIdFromHex(stem);
        // What the helper is just writing has a name with a dot in front.
        if (fileName.startsWith(u'.'))
            continue;
        if (!isNamedWell) {
            history.skipped.push_back({printable(fileName.toStdString()), "not named after a transaction"});
            continue;
        }
        auto entry = readEntryFile(folder, stem, root, bootId);
        if (entry)
            history.entries.push_back(std::move(*entry));
        else
            history.skipped.push_back({printable(fileName.toStdString()), entry.error().reason});
    }
    // Several of one second follow each other as they began.
    std::ranges::stable_sort(history.entries, std::greater(), [](const HistoryEntry &entry) {
        return std::pair(entry.timeSeconds, entry.startNanoseconds);
    });
    return history;
}

Result<HistoryEntry> readHistoryEntry(const std::string &transaction, const QString &root)
{
    if (!transactionIdFromHex(transaction))
        return fail(Errc::UnknownTransaction, printable(transaction), "not the ID of a change",
                    "32 lowercase hexadecimal digits");
    auto entry = readEntryFile(historyFolder(root), transaction, root, bootIdOf(root));
    if (!entry && entry.error().code == Errc::Absent)
        return fail(Errc::UnknownTransaction, transaction, "no such change in the history");
    return entry;
}

bool isKeptOn(const KeptItem &item, const DiskFacts &disk)
{
    if (!isPerDisk(findSetting(item.settingId)->domain))
        return false;
    if (item.forClass)
        return isOfClass(*item.forClass, disk);
    const bool hasKey = !item.wwn.empty() || !item.serial.empty();
    return hasKey && (item.wwn.empty() || item.wwn == disk.wwn) &&
           (item.serial.empty() || item.serial == disk.serial) && item.sizeBytes == disk.sizeBytes;
}

const KeptItem *findKept(const KeptSet &set, const SettingSpec &spec, const DiskFacts *disk)
{
    const KeptItem *found = nullptr;
    for (const KeptItem &item : set.items) {
        const SettingSpec &other = *findSetting(item.settingId);
        const bool isHere = disk ? isKeptOn(item, *disk) : !isPerDisk(other.domain);
        if (!isHere || !isSameValue(spec, other))
            continue;
        // What is kept of the disk itself wins over its class, also where it is another view of the number.
        if (!item.forClass)
            return item.settingId == spec.id ? &item : nullptr;
        if (item.settingId == spec.id)
            found = &item;
    }
    return found;
}

Result<KeptSet> readKeptSet(const QString &root)
{
    const QString path = below(root, keptSetPath);
    const auto bytes = readSmallFile(path, mostKeptSetBytes, isLive(root));
    KeptSet set;
    const auto hashOf = [](const QByteArray &text) {
        const QByteArray hash = QCryptographicHash::hash(text, QCryptographicHash::Sha256);
        std::array<std::uint8_t, 32> out{};
        std::ranges::copy(hash, out.begin());
        return out;
    };
    if (!bytes && bytes.error().code == Errc::Absent) {
        set.sha256 = hashOf({});
        return set;
    }
    if (!bytes)
        return std::unexpected(bytes.error());
    set.present = true;
    set.sha256 = hashOf(*bytes);
    Fields fields(QJsonDocument::fromJson(*bytes).object());
    fields.require(fields.integer(u"version"_s, 1, 1) == 1);
    bool itemsOk = true;
    for (const auto &item : fields.array(u"items"_s, static_cast<qsizetype>(limits::bootItems)))
        set.items.push_back(readKeptItem(item, itemsOk));
    if (!fields.ok() || !itemsOk)
        return fail(Errc::StateFile, printable(path.toStdString()), "does not decode");
    // What the guard noted is told by the start status; here it stands for itself.
    set.useAtStart = startStateOf(root, set).value_or(StartState::Probation) != StartState::Off;
    return set;
}

Result<StartStatus> readStartStatus(const QString &root)
{
    const auto set = readKeptSet(root);
    if (!set)
        return std::unexpected(set.error());
    const auto state = startStateOf(root, *set);
    if (!state)
        return std::unexpected(state.error());
    StartStatus status;
    status.state = *state;
    const Verifier verifier(root, *set);
    for (const KeptItem &item : set->items)
        verifier.add(item, status.items);
    status.total = static_cast<int>(status.items.size());
    status.holds =
        static_cast<int>(std::ranges::count(status.items, StartItemState::Holds, &StartStatusItem::state));
    return status;
}

std::string_view name(StartState state) noexcept
{
    switch (state) {
    case StartState::None: return "none";
    case StartState::Probation: return "probation";
    case StartState::Proven: return "proven";
    case StartState::SetAside: return "set-aside";
    case StartState::Off: return "off";
    }
    return "none";
}

std::string_view name(StartItemState state) noexcept
{
    switch (state) {
    case StartItemState::Holds: return "holds";
    case StartItemState::Differs: return "differs";
    case StartItemState::NotYetSeen: return "not-yet-seen";
    }
    return "not-yet-seen";
}

} // namespace diskwright
