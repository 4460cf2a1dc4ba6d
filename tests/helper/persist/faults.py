#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets every file call of keeping, forgetting and guarding fail, and kills the program at every one.

faults.py PROBE
After an error: all is as before or as asked for, and the answer says which. After a kill and a repair, as the
next start does it: every file agrees with the boot set, which is the old or the new one.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CALLS = ("openat", "openat2", "mkdirat", "mkdir", "write", "fchmod", "fchown", "fsync", "close", "rename",
         "renameat", "renameat2", "unlinkat", "unlink", "statx", "fstat", "newfstatat", "flistxattr", "read")
# What a failing call of this kind would say on a full, broken or read-only disk.
ERRNO = {"write": "ENOSPC", "openat": "EROFS", "mkdirat": "EROFS", "renameat": "EROFS", "unlinkat": "EROFS"}
# Prepared state, then what is done to it, then the boot sets that may be found afterwards.
CASES = {
    "first keep": ([], ["keep", "1024", "10"],
                   ["aside=0", "queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0"]),
    "changed keep": ([["keep", "1024", "10"]], ["keep", "2048", "5"],
                     ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0",
                      "queue/read_ahead_kb=2048 vm/dirty_ratio=5 aside=0"]),
    "forget": ([["keep", "1024", "10"]], ["forget"],
               ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0", "aside=0"]),
    "off": ([["keep", "1024", "10"]], ["off"],
            ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0",
             "queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=3"]),
    "on": ([["keep", "1024", "10"], ["off"]], ["on"],
           ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=3",
            "queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0"]),
    "keep while off": ([["keep", "1024", "10"], ["off"]], ["keep", "2048", "5"],
                       ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=3",
                        "queue/read_ahead_kb=2048 vm/dirty_ratio=5 aside=3",
                        "queue/read_ahead_kb=2048 vm/dirty_ratio=5 aside=0"]),
    "guard sets aside": ([["keep", "1024", "10"], ["guard"], ["another boot"]], ["guard"],
                         ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0",
                          "queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=1"]),
    "finished": ([["keep", "1024", "10"], ["another boot"], ["guard"]], ["finished"],
                 ["queue/read_ahead_kb=1024 vm/dirty_ratio=10 aside=0"]),
}


def probe(program, folder, words, strace=()):
    return subprocess.run([*strace, program, folder, *words], capture_output=True, text=True, check=False)


def prepare(program, folder, steps):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    assert probe(program, folder, ["make"]).returncode == 0
    for step in steps:
        if step == ["another boot"]:
            path = Path(folder, "proc/sys/kernel/random/boot_id")
            path.write_text("2" + path.read_text()[1:])
        else:
            done = probe(program, folder, step)
            assert done.returncode == 0, (step, done)


def calls_of(program, folder, action, trace):
    """{call: (calls before the part that matters, calls in it)}"""
    done = probe(program, folder, action, ["strace", "-f", "-o", trace])
    assert done.returncode == 0, done
    before, within = {}, {}
    counted = before
    for line in Path(trace).read_text().splitlines():
        found = re.match(r"\d+ +(\w+)\(", line)
        if found and "/diskwright-probe-begins" in line:
            counted = within
        elif found:
            counted[found.group(1)] = counted.get(found.group(1), 0) + 1
    assert within, "the mark was not seen"
    return {call: (before.get(call, 0), within[call]) for call in CALLS if call in within}


def leftovers(folder):
    return [str(path) for path in Path(folder).rglob("*.diskwright-new")]


def run_case(program, folder, trace, name):
    steps, action, allowed = CASES[name]
    prepare(program, folder, steps)
    before = probe(program, folder, ["check"]).stdout.strip()
    calls = calls_of(program, folder, action, trace)
    after = probe(program, folder, ["check"]).stdout.strip()
    assert {before, after} <= set(allowed), (before, after)
    runs, problems = 0, []
    for call, (skipped, count) in calls.items():
        for nth in range(skipped + 1, skipped + count + 1):
            for fault in (f"error={ERRNO.get(call, 'EIO')}", "signal=KILL"):
                prepare(program, folder, steps)
                done = probe(program, folder, action,
                             ["strace", "-f", "-o", trace, "-e", f"inject={call}:{fault}:when={nth}"])
                runs += 1
                where = f"{name}: {call} number {nth - skipped} of {count}, {fault}, exit {done.returncode}"
                answered = probe(program, folder, ["check"])
                if fault.startswith("error") and done.returncode == 0 and action[0] != "guard":
                    if answered.returncode != 0 or answered.stdout.strip() != after:
                        problems.append(f"{where}: said done, found {answered.stdout!r}")
                repaired = probe(program, folder, ["repair"])
                found = probe(program, folder, ["check"])
                if repaired.returncode != 0 or found.returncode != 0:
                    problems.append(f"{where}: not repaired, found {found.stdout!r}")
                elif found.stdout.strip() not in allowed:
                    problems.append(f"{where}: found {found.stdout!r}")
                elif leftovers(folder):
                    problems.append(f"{where}: left {leftovers(folder)}")
    print(f"{name}: {runs} faults, {len(problems)} problems", flush=True)
    return problems


def main(program):
    with tempfile.TemporaryDirectory(prefix="diskwright-faults-") as work:
        problems = []
        for name in CASES:
            problems += run_case(program, f"{work}/root", f"{work}/trace", name)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
