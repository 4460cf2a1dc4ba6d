#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""gate.py NAME: shows that the check fails on a deliberately bad example, then runs it on the tree."""
import pathlib
import sys
import tempfile

import layers
import tools
import words
from tree import SOURCE

GATES = layers.GATES | tools.GATES | words.GATES


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in GATES:
        print(f"usage: gate.py NAME, with NAME one of: {' '.join(GATES)}", file=sys.stderr)
        return 2
    gate = GATES[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        expected = gate.spoil(pathlib.Path(folder))
        found = gate.check(pathlib.Path(folder))
        if not any(expected in line for line in found):
            print(f"the bad example passed: expected '{expected}', the check said {found}")
            return 1
        print(f"the bad example fails as it should: {found[0]}")
    offences = gate.check(SOURCE)
    print("\n".join(offences) or "the tree passes")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
