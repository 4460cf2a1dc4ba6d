# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""As interrupted, a hundred times at random. INTERRUPTED_ROUNDS and INTERRUPTED_SEED in the environment choose how often
and which; the log tells the seed."""

import collections
import os
import random

from interrupting import CALLS, in_the_kernel, operation, round_of

PRODUCT = True
LONG = True
TIMEOUT = 14400
# About as many calls of each kind as the longest operation makes.
MOST = {"fsync": 24, "renameat2,renameat,rename": 14, "unlinkat": 20, "write": 24}


def run(guest):
    seed = int(os.environ.get("INTERRUPTED_SEED", "0")) or random.randrange(1, 1 << 30)
    rounds = int(os.environ.get("INTERRUPTED_ROUNDS", "100"))
    guest.say(f"seed {seed}, {rounds} rounds")
    chance = random.Random(seed)
    defaults = in_the_kernel(guest)
    found, seen = {}, collections.Counter()
    for number in range(rounds):
        # There is only something to forget after a keep.
        kind = chance.choice(("keep", "forget", "restore")) if found else "keep"
        call = chance.choice(CALLS)
        words, new = operation(guest, kind, number % 80)
        old = found
        found, _stopped = round_of(guest, words, old, new, call, chance.randrange(1, MOST[call]), defaults)
        seen[f"{kind} {'new' if found == new else 'old'}"] += 1
    guest.say(f"{rounds} rounds: {dict(seen)}")
