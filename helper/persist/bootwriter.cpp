// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootwriter.h"

#include "../access/diskid.h"
#include "atomicfile.h"
#include "keptfile.h"
#include "keptplaces.h"
#include "systemmarks.h"

#include <algorithm>
#include <cerrno>

namespace diskwright {

namespace {

constexpr mode_t keptMode = 0644;
constexpr std::size_t stateBytes = 4096;

/// One file of the set in one folder: what it says now, and what it shall say (null: not be there).
struct Step {
    int directory = -1;
    std::string name;
    std::optional<std::string> before;
    std::optional<std::string> after;
    std::optional<PendingFile> pending = {};
    bool done = false;
};

/// Where one kept file is: both folders, and the copies in them.
struct KeptCopies {
    const KeptFile *file = nullptr;
    Descriptor place;
    Descriptor boot;
    std::optional<std::string> inPlace = {};
    std::optional<std::string> aside = {};
};

Result<std::optional<std::string>> readIn(const Descriptor &folder, const std::string &name,
                                          std::size_t limit)
{
    return folder.isOpen() ? readFileIn(folder.get(), name, limit) : std::optional<std::string>();
}

Result<KeptCopies> openCopies(const SystemRoot &root, const KeptFile &file)
{
    auto place = openPlace(root, file.place);
    if (!place)
        return std::unexpected(place.error());
    auto boot = openPlace(root, Place::Boot);
    if (!boot)
        return std::unexpected(boot.error());
    KeptCopies copies{&file, std::move(*place), std::move(*boot)};
    auto inPlace = readIn(copies.place, file.name, keptFileBytes);
    if (!inPlace)
        return std::unexpected(inPlace.error());
    auto aside = readIn(copies.boot, file.name, keptFileBytes);
    if (!aside)
        return std::unexpected(aside.error());
    copies.inPlace = std::move(*inPlace);
    copies.aside = std::move(*aside);
    return copies;
}

bool isForeign(const std::optional<std::string> &text)
{
    return text && ownerOf(*text) == FileOwner::Foreign;
}

/// Nobody's edit is lost: refused, or copied away first.
Result<> settleEdited(const SystemRoot &root, const KeptCopies &copies, WriteOptions options)
{
    for (const auto &[text, place] :
         {std::pair{&copies.inPlace, copies.file->place}, std::pair{&copies.aside, Place::Boot}}) {
        if (!*text || ownerOf(**text) == FileOwner::Ours || (options.leaveForeign && isForeign(*text)))
            continue;
        if (!options.replaceEdited)
            return fail(Errc::FileChanged, '/' + pathOf(place) + '/' + copies.file->name,
                        ownerOf(**text) == FileOwner::Foreign ? "was not written by this program"
                                                              : "was changed by somebody else");
        if (const auto saved = backUp(root, copies.file->name, **text); !saved)
            return saved;
    }
    return {};
}

/// The files as they would be if nobody had edited them, for whoever wants to see what the edit was.
void showOurs(const SystemRoot &root, const std::optional<std::string> &setText)
{
    const auto set = setText ? decodeBootSet(*setText) : BootSet{};
    const auto folder = set ? makePlace(root, Place::Ours) : std::unexpected(set.error());
    if (!folder)
        return;
    for (const KeptFile &file : keptFiles())
        (void)replaceFile(folder->get(), file.name, file.render(*set), keptMode);
}

Result<> prepare(Step &step)
{
    if (!step.after || step.after == step.before)
        return {};
    auto pending = PendingFile::prepare(step.directory, step.name, *step.after, keptMode);
    if (!pending)
        return std::unexpected(pending.error());
    step.pending.emplace(std::move(*pending));
    return {};
}

Result<> carryOut(Step &step)
{
    if (step.after == step.before)
        return {};
    step.done = true;
    if (!step.after)
        return removeFile(step.directory, step.name);
    const auto committed = step.pending->commit();
    step.done = committed || step.pending->isInPlace();
    return committed;
}

Result<> takeBack(const Step &step)
{
    if (!step.done)
        return {};
    return step.before ? replaceFile(step.directory, step.name, *step.before, keptMode)
                       : removeFile(step.directory, step.name);
}

/// All steps or none. If they can't even be taken back (\p clean is false then), the state on the disk still
/// says "writing", and the next start completes them.
Result<> carryOutAll(std::vector<Step> &steps, bool &clean)
{
    clean = true;
    for (Step &step : steps) {
        if (const auto prepared = prepare(step); !prepared)
            return prepared;
    }
    for (Step &step : steps) {
        const auto done = carryOut(step);
        if (done)
            continue;
        for (const Step &earlier : steps) {
            if (const auto back = takeBack(earlier); !back) {
                clean = false;
                Error error = done.error();
                error.reason +=
                    "; what was written before can't be taken back and is completed at the next start";
                return std::unexpected(error);
            }
        }
        return done;
    }
    return {};
}

/// The steps for one kept file: the new text where it belongs, nothing in the other folder.
Result<> addSteps(const SystemRoot &root, std::vector<Step> &steps, KeptCopies &copies, const BootSet &next,
                  bool aside, bool leaveForeign)
{
    const std::string text = copies.file->render(next);
    const std::optional<std::string> wanted = text.empty() ? std::nullopt : std::optional(text);
    if (wanted && !(aside ? copies.boot : copies.place).isOpen()) {
        auto made = makePlace(root, aside ? Place::Boot : copies.file->place);
        if (!made)
            return std::unexpected(made.error());
        (aside ? copies.boot : copies.place) = std::move(*made);
    }
    const auto add = [&](const Descriptor &folder, const auto &before, const auto &after) {
        if (folder.isOpen() && !(leaveForeign && isForeign(before)))
            steps.push_back({folder.get(), copies.file->name, before, after});
    };
    add(copies.place, copies.inPlace, aside ? std::nullopt : wanted);
    add(copies.boot, copies.aside, aside ? wanted : std::nullopt);
    return {};
}

} // namespace

Result<BootState> readBootState(const SystemRoot &root)
{
    const auto folder = openPlace(root, Place::Boot);
    if (!folder)
        return std::unexpected(folder.error());
    const auto text = readIn(*folder, bootStateName, stateBytes);
    if (!text)
        return std::unexpected(text.error());
    return *text ? decodeBootState(**text) : BootState{};
}

Result<> writeBootState(const SystemRoot &root, const BootState &state)
{
    const auto folder = makePlace(root, Place::Boot);
    if (!folder)
        return std::unexpected(folder.error());
    return replaceFile(folder->get(), bootStateName, encode(state), keptMode);
}

Result<std::optional<std::string>> readBootSetText(const SystemRoot &root)
{
    const auto folder = openPlace(root, Place::Settings);
    if (!folder)
        return std::unexpected(folder.error());
    return readIn(*folder, bootSetName, bootSetBytes);
}

Result<> writeBootSet(const SystemRoot &root, const BootSet &next, WriteOptions options)
{
    const auto settings = makePlace(root, Place::Settings);
    const auto boot = settings ? makePlace(root, Place::Boot) : std::unexpected(settings.error());
    if (!boot)
        return std::unexpected(boot.error());
    const auto before = readBootSetText(root);
    const auto thisBoot = before ? bootId(root) : std::unexpected(before.error());
    if (!thisBoot)
        return std::unexpected(thisBoot.error());
    // A state that can't be read is only what the guard remembers: losing it means one more boot on
    // probation.
    const auto known = readBootState(root);
    if (!known && known.error().code == Errc::StateFile)
        return std::unexpected(known.error());
    const BootState old = known.value_or(BootState{});
    BootState after = old;
    after.aside = options.backInPlace ? Aside::No : old.aside;
    after.proven = false;
    after.unfinished = 0;
    after.changed = *thisBoot;
    after.writing = after.replacing = false;

    std::vector<KeptCopies> copies;
    std::vector<Step> steps;
    const bool empty = next.items.empty();
    const std::optional<std::string> nextText = empty ? std::nullopt : std::optional(encode(next));
    steps.push_back({settings->get(), bootSetName, *before, nextText});
    for (const KeptFile &file : keptFiles()) {
        auto opened = openCopies(root, file);
        const auto settled = opened ? settleEdited(root, *opened, options) : std::unexpected(opened.error());
        if (!settled) {
            if (settled.error().code == Errc::FileChanged)
                showOurs(root, *before);
            return settled;
        }
        copies.push_back(std::move(*opened));
        const auto added =
            addSteps(root, steps, copies.back(), next, after.aside != Aside::No, options.leaveForeign);
        if (!added)
            return added;
    }
    BootState during = old;
    during.proven = false;
    during.changed = *thisBoot;
    during.writing = true;
    during.replacing = options.replaceEdited;
    steps.push_back(
        {boot->get(), bootStateName, encode(during), empty ? std::nullopt : std::optional(encode(after))});
    if (const auto begun = writeBootState(root, during); !begun)
        return begun;
    bool clean = true;
    const auto written = carryOutAll(steps, clean);
    if (!written && clean) {
        // Should this fail too, what the state says is still safe: a repair that changes nothing.
        (void)(old == BootState{} ? removeFile(boot->get(), bootStateName) : writeBootState(root, old));
    }
    // Left behind it would do nothing.
    if (written && !hasClasses(next))
        (void)forgetSystemDisks(root);
    return written;
}

Result<> moveKeptFiles(const SystemRoot &root, Aside aside)
{
    for (const KeptFile &file : keptFiles()) {
        const Place from = aside == Aside::No ? Place::Boot : file.place;
        const Place to = aside == Aside::No ? file.place : Place::Boot;
        const auto source = openPlace(root, from);
        if (!source)
            return std::unexpected(source.error());
        const auto text = readIn(*source, file.name, keptFileBytes);
        const bool tooLong = !text && text.error().sysErrno == EFBIG;
        if (!text && !tooLong)
            return std::unexpected(text.error());
        if (!tooLong && !*text)
            continue;
        const auto target = makePlace(root, to);
        if (!target)
            return std::unexpected(target.error());
        // Both are there only after a crash between two steps; an edit in the place that counts is kept.
        const auto there = readFileIn(target->get(), file.name, keptFileBytes);
        const bool edited =
            there && *there && ownerOf(**there) != FileOwner::Ours && (tooLong || *there != *text);
        if (edited) {
            if (const auto saved = backUp(root, file.name, **there); !saved)
                return saved;
        }
        if (const auto moved = moveFile(source->get(), target->get(), file.name, keptFileBytes); !moved)
            return moved;
    }
    return {};
}

Result<> repairKeptFiles(const SystemRoot &root)
{
    for (const KeptFile &file : keptFiles()) {
        if (const auto folder = openPlace(root, file.place); folder && folder->isOpen())
            removeStaleTemporary(folder->get(), file.name);
        if (const auto folder = openPlace(root, Place::Boot); folder && folder->isOpen()) {
            removeStaleTemporary(folder->get(), file.name);
            removeStaleTemporary(folder->get(), bootStateName);
        }
    }
    if (const auto folder = openPlace(root, Place::Settings); folder && folder->isOpen())
        removeStaleTemporary(folder->get(), bootSetName);
    auto state = readBootState(root);
    if (!state)
        return std::unexpected(state.error());
    if (const auto moved = moveKeptFiles(root, state->aside); !moved || !state->writing)
        return moved;
    const auto text = readBootSetText(root);
    if (!text)
        return std::unexpected(text.error());
    const auto set = *text ? decodeBootSet(**text) : BootSet{};
    if (!set)
        return std::unexpected(set.error());
    std::vector<KeptCopies> copies;
    std::vector<Step> steps;
    for (const KeptFile &file : keptFiles()) {
        auto opened = openCopies(root, file);
        if (!opened)
            return std::unexpected(opened.error());
        const auto isOurs = [](const auto &copy) { return !copy || ownerOf(*copy) == FileOwner::Ours; };
        copies.push_back(std::move(*opened));
        KeptCopies &both = copies.back();
        // An edit made since the crash is somebody's work: the file stays, and verification shows the rest.
        if (!state->replacing && !(isOurs(both.inPlace) && isOurs(both.aside)))
            continue;
        // The state does not say whether files without our marker were to stay. With nothing kept they do.
        const auto added = addSteps(root, steps, both, *set, state->aside != Aside::No, set->items.empty());
        if (!added)
            return added;
    }
    bool clean = true;
    if (const auto done = carryOutAll(steps, clean); !done)
        return done;
    if (set->items.empty()) {
        const auto boot = openPlace(root, Place::Boot);
        return boot && boot->isOpen() ? removeFile(boot->get(), bootStateName) : Result<>();
    }
    state->writing = state->replacing = false;
    return writeBootState(root, *state);
}

Result<std::vector<std::string>> foreignFiles(const SystemRoot &root)
{
    std::vector<std::string> found;
    for (const KeptFile &file : keptFiles()) {
        const auto copies = openCopies(root, file);
        if (!copies)
            return std::unexpected(copies.error());
        if (isForeign(copies->inPlace))
            found.push_back('/' + pathOf(file.place) + '/' + file.name);
        if (isForeign(copies->aside))
            found.push_back('/' + pathOf(Place::Boot) + '/' + file.name);
    }
    return found;
}

bool hasKeptFiles(const SystemRoot &root)
{
    return std::ranges::any_of(keptFiles(), [&](const KeptFile &file) {
        for (const Place place : {file.place, Place::Boot}) {
            const auto folder = openPlace(root, place);
            const auto text =
                folder ? readIn(*folder, file.name, keptFileBytes) : std::unexpected(folder.error());
            if (!text || *text)
                return true;
        }
        return false;
    });
}

} // namespace diskwright
