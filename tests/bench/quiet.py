#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window starts quietly: no child process, no call of the helper; and nothing of ours stays when it is closed.

Facts without a clock, so this is part of the tests. Runs in packaging/session as user.
"""
import sys
import time

from desktop import Display, Program, bus_names
from idle import left_over

SETTLE_S = 3.0


def main() -> int:
    display = Display()
    try:
        program = Program(display, "diskwright")
        time.sleep(SETTLE_S)
        children = len(program.tree()) - 1
        helper = "org.diskwright.helper" in bus_names()
        program.close()
    finally:
        display.close()
    left = left_over()
    print(f"child processes {children} (0), helper called: {helper} (False), left after closing: {left or 'nothing'}")
    return 0 if children == 0 and not helper and not left else 1


if __name__ == "__main__":
    sys.exit(main())
