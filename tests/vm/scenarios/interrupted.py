# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The power is cut while the helper keeps, keeps otherwise, and puts everything back: the machine starts, and what is
kept is all old or all new. (Many places at random: interrupted-often.)"""

from interrupting import in_the_kernel, operation, round_of

PRODUCT = True
LONG = True
TIMEOUT = 1500


def run(guest):
    defaults = in_the_kernel(guest)
    found = {}
    # Where the files take their places; where they are written beside the old ones; where they go.
    for number, (kind, call, place) in enumerate((("keep", "renameat2,renameat,rename", 7), ("keep", "fsync", 11),
                                                  ("restore", "unlinkat", 3))):
        words, new = operation(guest, kind, number)
        found, _stopped = round_of(guest, words, found, new, call, place, defaults)
