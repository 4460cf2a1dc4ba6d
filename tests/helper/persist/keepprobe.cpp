// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Does one thing to a store below a folder, so that a fault can be injected at any of its calls.
//   keepprobe FOLDER make                a machine with one disk and nothing kept
//   keepprobe FOLDER keep READ_AHEAD DIRTY_RATIO
//   keepprobe FOLDER replace READ_AHEAD DIRTY_RATIO   as keep, also over edited files
//   keepprobe FOLDER forget | off | on | repair | guard | finished
//   keepprobe FOLDER check               prints what is kept; fails unless every file agrees with it
// A call of access(2) on a name of its own marks where the part that matters begins.

#include "helper/persist/bootguard.h"
#include "helper/persist/bootstore.h"
#include "helper/persist/bootwriter.h"
#include "helper/persist/keptfile.h"
#include "helper/persist/keptplaces.h"
#include "testmachine.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace diskwright;

namespace {

int keep(const BootStore &store, char *const values[], bool replace)
{
    const std::vector<KeepItem> items{{.spec = findSetting("queue/read_ahead_kb"),
                                       .device = TestMachine::identityOf(TestMachine::ata()),
                                       .value = number(std::atoi(values[0])),
                                       .original = number(128),
                                       .pairOriginal = {}},
                                      {.spec = findSetting("vm/dirty_ratio"),
                                       .device = {},
                                       .value = number(std::atoi(values[1])),
                                       .original = number(20),
                                       .pairOriginal = {}}};
    const auto kept = store.keep(items, "", replace);
    if (!kept)
        std::fprintf(stderr, "%s: %s\n", kept.error().error.input.c_str(), kept.error().error.reason.c_str());
    return kept ? 0 : 1;
}

int check(const BootStore &store)
{
    const auto loaded = store.load();
    const auto state = store.state();
    if (!loaded || !state || state->writing)
        return 1;
    for (const BootItem &item : loaded->set.items)
        std::printf("%s=%s ", item.setting.c_str(), toText(item.value).c_str());
    std::printf("aside=%d\n", static_cast<int>(state->aside));
    bool agrees = true;
    for (const KeptFile &file : keptFiles()) {
        const std::string wanted = file.render(loaded->set);
        const bool aside = state->aside != Aside::No;
        const std::string name = '/' + file.name;
        const auto in = [&](Place place) { return store.root().readFile(pathOf(place) + name).value_or(""); };
        agrees = agrees && in(aside ? Place::Boot : file.place) == wanted;
        agrees = agrees && in(aside ? file.place : Place::Boot).empty();
    }
    return agrees ? 0 : 1;
}

} // namespace

int main(int argc, char *argv[])
{
    if (argc < 3)
        return 2;
    const std::string folder = argv[1];
    const std::string_view command = argv[2];
    if (command == "make") {
        const TestMachine machine(folder);
        machine.addDisk(TestMachine::ata());
        return 0;
    }
    auto store = BootStore::at(folder);
    if (!store)
        return 2;
    (void)access("/diskwright-probe-begins", F_OK);
    if ((command == "keep" || command == "replace") && argc == 5)
        return keep(*store, argv + 3, command == "replace");
    if (command == "forget") {
        const auto loaded = store->load();
        return loaded && store->forget(loaded->hash, {}, false) ? 0 : 1;
    }
    if (command == "off" || command == "on")
        return store->useAtStart(command == "on") ? 0 : 1;
    if (command == "repair")
        return store->repair() ? 0 : 1;
    if (command == "guard")
        return guardBoot(store->root()).empty() ? 1 : 0;
    if (command == "finished")
        return endBoot(store->root(), finished) ? 0 : 1;
    return command == "check" ? check(*store) : 2;
}
