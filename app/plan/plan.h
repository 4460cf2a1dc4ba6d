// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plan/changeset.h"
#include "app/plan/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace diskwright {

/// What else a step does, for the review.
enum class CautionKind : std::uint8_t {
    ResetsOthers,  ///< the kernel sets the settings named in others to values of its own (a scheduler switch)
    ResetsPair,    ///< writing this limit sets the one named in others to 0
    AfterReset,    ///< the step comes after a switch in this plan that resets it
    MustBeTrial,   ///< the scheduler of a disk that holds the system: put back unless confirmed
    MayBeAdjusted, ///< the kernel may keep a neighbouring value
    RowRisk,       ///< the row itself has a risk: see its Risk
};

struct Caution {
    CautionKind kind = CautionKind::ResetsOthers;
    std::vector<Address> others;
    bool operator==(const Caution &) const = default;
};

/// One line of the review, in the order of applying.
struct PlanStep {
    Address address; ///< target: kernel name; long form of the key
    const SettingSpec *spec = nullptr;
    std::optional<std::uint16_t> device; ///< index into Plan::devices; none for vm
    std::string diskId;                  ///< empty for vm and for a disk without an id
    std::string displayName;             ///< of the disk; empty for vm
    std::optional<Value> before;         ///< none: not readable before an earlier step of this plan
    Value wanted;
    std::vector<Caution> cautions;
    std::string command;                   ///< one line of equivalentCommands
    std::optional<Value> exactBefore = {}; ///< rows that drift: the stored number behind before
};

/// A checked and ordered list of changes, ready to be reviewed and applied.
struct Plan {
    std::vector<PlanStep> steps;
    std::vector<DeviceIdentity> devices;
    bool mustBeTrial = false;
    ActionClass action = ActionClass::Tune; ///< the class that covers all steps, if severalClasses is false
    bool severalClasses = false;            ///< only the action for whole plans covers it

    [[nodiscard]] bool isEmpty() const noexcept { return steps.empty(); }
};

/// What becomes of edits to what is so already.
enum class NoOps : std::uint8_t {
    Drop,
    Include, ///< for keeping: a value that is so already can be kept, too
};

/// Drops what is so already (or includes it), checks each value against the catalogue and what the device
/// offers, and all values against each other as they will be after the plan; orders. Errors name the first
/// offending setting as "queue:sda:read_ahead_kb=3": UnknownTarget, Absent, ReadOnly, OutOfRange,
/// NotAMultiple, NotOffered, Conflict.
[[nodiscard]] Result<Plan> makePlan(const ChangeSet &changes, const PlanSnapshot &snapshot,
                                    NoOps noOps = NoOps::Drop);

/// The plan as lines for a shell: an ordinary user who may use sudo can paste them, one after another.
[[nodiscard]] std::vector<std::string> equivalentCommands(const Plan &plan);

/// One such line.
[[nodiscard]] std::string equivalentCommand(const Address &address, const SettingSpec &spec,
                                            const Value &wanted);

} // namespace diskwright
