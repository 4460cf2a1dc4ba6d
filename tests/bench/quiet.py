#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window starts quietly: no child process, no call of the helper; it opens no device, so that a sleeping disk
stays asleep; and nothing of ours stays when it is closed.

Facts without a clock, so this is part of the tests. Runs in packaging/session as user.
"""
import pathlib
import re
import sys
import tempfile
import time

from desktop import Display, Program, bus_names
from idle import left_over

SETTLE_S = 3.0
# Longer than the window waits before it reads again by itself.
REREAD_S = 7.0
OPENED = re.compile(r'open(?:at|at2)?\((?:[^"]*)"([^"]*)"')
# Everything in /dev but what every program opens.
HARMLESS = re.compile(r"/dev/(null|zero|full|u?random|shm(/.*)?|tty|ptmx|pts/.*|dri(/.*)?|udmabuf|log)$")


def pages() -> list[str]:
    """The overview, memory, and every disk that has a page of its own."""
    disks = [disk.name for disk in sorted(pathlib.Path("/sys/block").iterdir())
             if not disk.name.startswith(("loop", "zram", "ram"))]
    return ["overview", "memory", *disks[:2]]


def opened_devices(display: Display, page: str) -> tuple[int, list[str]]:
    """How many files the window opened within sysfs's own tree and elsewhere, and which devices."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace"
        program = Program(display, "strace", "-f", "-qq", "-s", "300", "-o", str(trace), "-e",
                          "trace=open,openat,openat2", "diskwright", "--page", page)
        try:
            time.sleep(REREAD_S)
        finally:
            program.close()
        paths = OPENED.findall(trace.read_text(errors="replace"))
    return len(paths), sorted({path for path in paths if path.startswith("/dev/") and not HARMLESS.match(path)})


def main() -> int:
    display = Display()
    try:
        program = Program(display, "diskwright")
        time.sleep(SETTLE_S)
        children = len(program.tree()) - 1
        helper = "org.diskwright.helper" in bus_names()
        program.close()
        seen, devices = 0, []
        for page in pages():
            count, opened = opened_devices(display, page)
            seen = count if not seen else min(seen, count)
            devices += opened
    finally:
        display.close()
    left = left_over()
    print(f"child processes {children} (0), helper called: {helper} (False), files opened a page: {seen} or more, "
          f"devices among them: {devices or 'none'}, left after closing: {left or 'nothing'}")
    # Fewer files than libraries alone would mean that the trace missed the program.
    return 0 if children == 0 and not helper and not devices and seen > 100 and not left else 1


if __name__ == "__main__":
    sys.exit(main())
