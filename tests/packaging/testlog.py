#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""testlog.py LOG: finds, in ctest's log, tests that were not run although ctest calls them passed.

A skipped test proves nothing, and neither does an executable whose only functions are Qt Test's own
initTestCase and cleanupTestCase. `testlog.py --self-test` shows that both are found.
"""
import pathlib
import re
import sys

SIGNS = (
    (re.compile(r"^SKIP\s+: (.*)$", re.MULTILINE), "skipped: {}"),
    (re.compile(r"^Totals: .*\b([1-9]\d*) skipped", re.MULTILINE), "{} skipped"),
    (re.compile(r"^Totals: ([0-2]) passed, 0 failed", re.MULTILINE), "only {} functions ran: none of its own"),
    (re.compile(r"^OK \(skipped=(\d+)", re.MULTILINE), "{} skipped"),
    (re.compile(r"^Ran (0) tests in", re.MULTILINE), "{} tests ran"),
    (re.compile(r"\*\*\*(Skipped|Not Run|Disabled)", re.MULTILINE), "{}"),
)
START = re.compile(r"^\d+/\d+ Test(?:ing)?: (\S+)$", re.MULTILINE)


def empty_tests(log: str) -> list[str]:
    parts = START.split(log)
    found = []
    for name, output in zip(parts[1::2], parts[2::2]):
        for pattern, words in SIGNS:
            found += [f"{name}: {words.format(match)}" for match in pattern.findall(output)]
    return found


def self_test() -> int:
    log = ("1/3 Testing: tst_good\nPASS   : Good::adds()\nTotals: 3 passed, 0 failed, 0 skipped, 0 blacklisted, 1ms\n"
           "2/3 Testing: tst_skips\nSKIP   : Skips::disk() no disk\nTotals: 3 passed, 0 failed, 1 skipped, 0 blacklisted\n"
           "3/3 Testing: tst_empty\nTotals: 2 passed, 0 failed, 0 skipped, 0 blacklisted, 0ms\n")
    found = empty_tests(log)
    expected = ["tst_skips: skipped: Skips::disk() no disk", "tst_skips: 1 skipped",
                "tst_empty: only 2 functions ran: none of its own"]
    if found != expected:
        print(f"expected {expected}, found {found}")
        return 1
    print("a skipped and an empty test are found, a good one is not")
    return 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    log = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8", errors="replace")
    found = empty_tests(log)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not START.search(log) else 0


if __name__ == "__main__":
    sys.exit(main())
