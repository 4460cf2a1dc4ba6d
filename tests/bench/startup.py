#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From exec to the mapped window, and memory: Diskwright beside KDiskMark, alternating.

Fails above the ratios that docs/performance.md promises. Runs in packaging/session as user.
"""
import argparse
import json
import statistics
import sys
import time

from desktop import Display, Program, bus_names

TIME_RATIO = 0.65
PSS_RATIO = 1.0
SETTLE_S = 2.0


def measure(display: Display, program: str) -> tuple[float, int, int]:
    """Seconds to the window, PSS in KiB once it has settled, processes below it."""
    started = Program(display, program)
    try:
        time.sleep(SETTLE_S)
        return started.mapped_after_s, started.pss_kib(), len(started.tree()) - 1
    finally:
        started.close()


def measure_peer(display: Display, program: str) -> tuple[float, int, int]:
    """KDiskMark now and then crashes before it has a window: that run counts for nobody."""
    for _ in range(2):
        try:
            return measure(display, program)
        except RuntimeError as error:
            print(f"{program}: {error}, once more", file=sys.stderr)
    return measure(display, program)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each, at least 7")
    parser.add_argument("--ours", default="diskwright")
    parser.add_argument("--other", default="kdiskmark")
    options = parser.parse_args()
    if options.runs < 7:
        parser.error(f"--runs {options.runs}: fewer than 7 runs make no median")
    display = Display()
    seconds = {options.ours: [], options.other: []}
    pss = {options.ours: [], options.other: []}
    children = 0
    try:
        measure_of = {options.ours: measure, options.other: measure_peer}
        for name in (options.other, options.ours):
            measure_of[name](display, name)
        for _ in range(options.runs):
            for name in (options.ours, options.other):
                mapped, memory, below = measure_of[name](display, name)
                seconds[name].append(mapped)
                pss[name].append(memory)
                children = max(children, below if name == options.ours else 0)
        helper = "org.diskwright.helper" in bus_names()
    finally:
        display.close()
    time_ratio = statistics.median(seconds[options.ours]) / statistics.median(seconds[options.other])
    pss_ratio = statistics.median(pss[options.ours]) / statistics.median(pss[options.other])
    print(json.dumps({"runs": options.runs, "seconds": seconds, "pss_kib": pss}))
    for name in (options.ours, options.other):
        print(f"{name:12} window after {statistics.median(seconds[name]) * 1000:6.0f} ms, "
              f"PSS {statistics.median(pss[name]) / 1024:6.1f} MiB")
    print(f"time ratio {time_ratio:.2f} (at most {TIME_RATIO}), PSS ratio {pss_ratio:.2f} (at most {PSS_RATIO}), "
          f"child processes {children} (none), helper called: {'yes' if helper else 'no'} (no)")
    return 0 if time_ratio <= TIME_RATIO and pss_ratio <= PSS_RATIO and children == 0 and not helper else 1


if __name__ == "__main__":
    sys.exit(main())
