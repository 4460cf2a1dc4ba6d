#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the open window costs while nobody touches it, and what is left after it is closed.

Runs in packaging/session as user.
"""
import argparse
import subprocess
import sys
import time

from desktop import Display, Program

CORE_SHARE = 0.005
SETTLE_S = 5.0


def left_over() -> str:
    return subprocess.run(["pgrep", "-l", "-x", "diskwright|diskwrightctl|diskwright-hel|engine"], capture_output=True,
                          text=True, check=False).stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long to watch, at least 10")
    parser.add_argument("--program", default="diskwright")
    options = parser.parse_args()
    if options.seconds < 10:
        parser.error(f"--seconds {options.seconds}: a share of half a percent needs 10 s or more")
    display = Display()
    try:
        program = Program(display, options.program)
        time.sleep(SETTLE_S)
        before, start = program.cpu_s(), time.monotonic()
        time.sleep(options.seconds)
        share = (program.cpu_s() - before) / (time.monotonic() - start)
        program.close()
        ended = program.process.returncode
    finally:
        display.close()
    left = left_over()
    print(f"idle: {share * 100:.2f} % of a core (at most {CORE_SHARE * 100} %), left after closing: {left or 'nothing'}, "
          f"ended with {ended}")
    return 0 if share <= CORE_SHARE and not left else 1


if __name__ == "__main__":
    sys.exit(main())
