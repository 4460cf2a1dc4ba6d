// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// executor-probe TREE apply|restore|recover: one change of read-ahead and scheduler on a copied machine, so
// that a fault can be injected at every file call of the executor, or putting everything back. Prints the
// outcome.
#include "helper/executor/deadline.h"
#include "helper/executor/executor.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace diskwright;

namespace {

class NoDeadlines final : public DeadlineKeeper
{
public:
    Result<> start(const std::string &, std::uint64_t, int) override { return {}; }
};

int say(std::string_view word)
{
    std::printf("%.*s\n", static_cast<int>(word.size()), word.data());
    return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    const std::string tree = argv[1];
    const auto root = SystemRoot::at(tree);
    if (!root)
        return say("no root");
    const auto state = StateDirectory::open(tree + "/state", tree + "/run");
    if (!state)
        return say("no state");
    const JournalStore journals(*root, *state, nullptr);
    if (std::string_view(argv[2]) == "recover")
        return say(recoverAtStart(journals) == 0 ? "recovered" : "busy");
    if (std::string_view(argv[2]) == "restore") {
        NoDeadlines none;
        const Caller anybody{.uid = 1000,
                             .action = Action::Plan,
                             .cancel = -1,
                             .mayChange = [](ActionClass) { return true; },
                             .mayKeep = [] { return true; }};
        return say(
            name(Executor(journals, none).run({TransactionId{2}, RestoreAllRequest{}}, anybody).outcome));
    }
    ApplyRequest request;
    request.devices = {{"sda", 8, 0, 1, 2048 * 512}};
    request.changes = {{0, "queue/read_ahead_kb", number(128), number(4096)},
                       {0, "queue/scheduler", word("mq-deadline"), word("bfq")},
                       {0, "queue/nr_requests", number(64), number(256)}};
    NoDeadlines deadlines;
    const Caller caller{.uid = 1000, .action = Action::Tune, .cancel = -1, .mayChange = {}, .mayKeep = {}};
    const Report report = Executor(journals, deadlines).run({TransactionId{1}, request}, caller);
    return say(name(report.outcome));
}
