# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""As interrupted, at each place in turn: keeping, keeping otherwise, forgetting and putting everything back are cut off
at the first, second … rename and removal, until the operation is through. INTERRUPTED_CALLS in the environment
chooses the calls (rename, unlink, fsync, write), INTERRUPTED_KINDS the operations (keep, again, forget, restore)."""

import os

from interrupting import in_the_kernel, operation, round_of, through

PRODUCT = True
LONG = True
TIMEOUT = 14400
CALLS = {"rename": "renameat2,renameat,rename", "unlink": "unlinkat", "fsync": "fsync", "write": "write"}
# More than any operation makes.
MOST = 40


def chosen(name, default):
    return os.environ.get(name, default).split(",")


def run(guest):
    defaults = in_the_kernel(guest)
    found, seen, keeps = {}, {}, 0
    for kind in chosen("INTERRUPTED_KINDS", "keep,again,forget,restore"):
        for call in chosen("INTERRUPTED_CALLS", "rename,unlink"):
            for number in range(1, MOST):
                # A first keep begins with nothing kept, everything else with something.
                if bool(found) != (kind != "keep"):
                    found = through(guest, *operation(guest, "restore" if found else "keep", 79))
                keeps = keeps % 70 + 1
                old = found
                words, new = operation(guest, "keep" if kind == "again" else kind, keeps)
                found, stopped = round_of(guest, words, old, new, CALLS[call], number, defaults)
                seen.setdefault((kind, call), []).append("through" if not stopped else "new" if found == new else "old")
                guest.say(f"{kind}, {call}: {seen[kind, call]}")
                if not stopped:
                    break
            else:
                raise AssertionError(f"{kind} never ends without meeting {call} {number}")
    # Not all of them were through at once.
    for kind in {kind for kind, _call in seen}:
        assert any(place != "through" for key in seen if key[0] == kind for place in seen[key]), seen
    guest.say(f"{sum(map(len, seen.values()))} rounds: {seen}")
