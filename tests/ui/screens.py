#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of every page, to be looked at by a person.

tests/ui/screens.py [--program FILE] [--out FOLDER] [--root FOLDER] [NAME...]

Runs inside the development root (packaging/devroot exec --user -- /src/tests/ui/screens.py) on a display of its
own, with the keyboard only. A NAME is a part of a picture's name, such as "disk", "dark", "pseudo", "small".
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MACHINE = SOURCE / "tests/fixtures/machines/desktop-sata-ssd-hdd"

# A filter leaves one row; the tabs of the page and the row's name stand before its editor.
TO_ROW = ["Tab", "Tab"]
STAGE = ["filter:nr_requests", *TO_ROW, "Tab", "Up", "filter:", "Escape"]
# With something staged, the buttons of the bar at the bottom come before the tabs.
STAGE_MORE = [*STAGE, "filter:read_ahead_kb", "Tab", "Tab", *TO_ROW, "Tab", "Up", "filter:", "Escape"]
# name, page, steps after the start
PAGES = [
    ("disk", "sda", []),
    ("disk-open", "sda", ["filter:read_ahead_kb", *TO_ROW, "space"]),
    ("disk-filter", "sda", ["filter:e"]),
    ("disk-nothing", "sda", ["filter:qqq"]),
    ("disk-staged", "sda", STAGE),
    ("review", "sda", [*STAGE, "ctrl+r"]),
    ("review-commands", "sda", [*STAGE_MORE, "ctrl+r", "Tab", "Tab", "Tab", "Tab", "space"]),
    ("measure", "sda", ["ctrl+f", "Tab", "Right"]),
    ("memory", "memory", []),
    ("memory-open", "memory", ["filter:dirty_bytes", "Tab", "space"]),
    ("benchmarks", "benchmarks", []),
    ("history", "history", []),
    ("history-open", "history", ["history-list", "Right", "Down"]),
    ("history-undo", "history", ["alt+u"]),
]
# name, scale, size, further arguments
LOOKS = [
    ("light", 1, (1180, 760), ["--color-scheme", "light"]),
    ("dark", 1, (1180, 760), ["--color-scheme", "dark"]),
    ("light-2x", 2, (1180, 760), ["--color-scheme", "light"]),
    ("small-pseudo", 1, (1024, 600), ["--color-scheme", "light", "--language", "xx"]),
    ("small-dark-pseudo", 1, (1024, 600), ["--color-scheme", "dark", "--language", "xx"]),
]


def step(setting, before, requested, after, result="applied"):
    return {"setting": setting, "id": None, "before": before, "requested": requested, "after": after,
            "result": result, "errno": 0, "message": ""}


# hours ago, outcome, undoable, kept, why not undoable, steps
HISTORY = [
    (1, "applied", True, True, "", [step("queue:sda:nr_requests", 64, 256, 256),
                                    step("queue:sda:read_ahead_kb", 128, 4096, 4096)]),
    (2, "adjusted", True, False, "", [step("iosched:sda:mq-deadline/read_expire", 500, 222, 224, "adjusted")]),
    (26, "rolled-back", False, False, "was put back",
     [step("queue:sdb:scheduler", "mq-deadline", "bfq", "mq-deadline", "rolled-back")]),
    (120, "undone", False, False, "already undone", [step("vm::dirty_bytes", 0, 268435456, 268435456)]),
]


def machine_with_history(folder):
    """A copy of the recorded machine on which things were changed."""
    shutil.copytree(MACHINE, folder, symlinks=True, dirs_exist_ok=True)
    boot_id = (folder / "proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip().replace("-", "")
    entries = folder / "var/lib/diskwright/history"
    entries.mkdir(parents=True, exist_ok=True)
    for number, (hours, outcome, undoable, kept, reason, steps) in enumerate(HISTORY, 1):
        name = f"{number:032x}"
        (entries / f"{name}.json").write_text(json.dumps({
            "transaction": name, "time": int(time.time()) - hours * 3600, "boot_id": boot_id, "uid": 1000,
            "outcome": outcome, "lease": False, "steps": steps, "kept": kept, "undoable": undoable,
            "reason": reason}), encoding="utf-8")
    return folder


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout.strip()


class Display:
    """An X server with a window manager, as large as the picture."""

    def __init__(self, width, height):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24",
                                        "-nolisten", "tcp"], pass_fds=[writing],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading, encoding="ascii") as answer:
            self.name = ":" + answer.readline().strip()
        if self.name == ":":
            sys.exit("Xvfb did not start")
        self.env = {**os.environ, "LC_ALL": "C.UTF-8", "DISPLAY": self.name}
        with tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False) as rules:
            # No decoration: the picture shows the window and nothing else.
            rules.write('<openbox_config xmlns="http://openbox.org/3.4/rc"><applications><application type="normal">'
                        '<decor>no</decor><maximized>yes</maximized><focus>yes</focus></application></applications>'
                        '</openbox_config>')
            self.rules = rules.name
        self.manager = subprocess.Popen(["openbox", "--config-file", self.rules], env=self.env,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            if "window id" in subprocess.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=self.env, text=True,
                                             capture_output=True).stdout:
                return
            time.sleep(0.1)
        sys.exit("openbox did not start within 10 s")

    def close(self):
        for child in (self.manager, self.server):
            child.terminate()
            child.wait()
        os.unlink(self.rules)

    def picture(self, file):
        run("import", "-window", "root", str(file), env=self.env)

    def wait_for_window(self, process):
        for _ in range(300):
            if process.poll() is not None:
                sys.exit(f"the program ended with {process.returncode} before its window came")
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(process.pid)], env=self.env,
                                   text=True, capture_output=True).stdout.split()
            if found:
                return found[-1]
            time.sleep(0.1)
        sys.exit("no window came within 30 s")

    def press(self, steps):
        for key in steps:
            if key.startswith("filter:"):
                run("xdotool", "key", "ctrl+f", env=self.env)
                time.sleep(0.15)
                if key[7:]:
                    run("xdotool", "type", "--delay", "20", key[7:], env=self.env)
                time.sleep(0.2)
            elif key == "history-list":
                # The list has the focus after the box that filters it.
                run("xdotool", "key", "Tab", "Tab", "Home", env=self.env)
            else:
                run("xdotool", "key", key, env=self.env)
            time.sleep(0.2)


def take(options, root, page, look):
    name, place, steps = page
    look_name, scale, (width, height), arguments = look
    display = Display(width * scale, height * scale)
    process = None
    try:
        process = subprocess.Popen([options.program, "--page", place, *root, *arguments],
                                   env={**display.env, "QT_SCALE_FACTOR": str(scale), "QT_QPA_PLATFORM": "xcb"})
        display.wait_for_window(process)
        time.sleep(1.5)
        file = options.out / f"{name}-{look_name}.png"
        before = options.out / "before.png"
        if steps:
            display.picture(before)
        display.press(steps)
        time.sleep(0.6)
        if process.poll() is not None:
            sys.exit(f"{file.name}: the program ended with {process.returncode}")
        display.picture(file)
        if steps:
            same = before.read_bytes() == file.read_bytes()
            before.unlink()
            if same:
                sys.exit(f"{file.name}: {' '.join(steps)} changed nothing in the window")
        print(file, flush=True)
    finally:
        if process and process.poll() is None:
            process.terminate()
            process.wait()
        display.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(SOURCE / "build/dev/app/diskwright"))
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "build/screens")
    parser.add_argument("--root", default=str(MACHINE), help='a recorded machine, or "/" for this one')
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    taken = 0
    with tempfile.TemporaryDirectory() as scratch:
        if options.root == "/":
            root = []
        elif options.root == str(MACHINE):
            root = ["--root", str(machine_with_history(pathlib.Path(scratch) / "machine"))]
        else:
            root = ["--root", options.root]
        for page in PAGES:
            for look in LOOKS:
                whole = f"{page[0]}-{look[0]}"
                if options.names and not any(name in whole for name in options.names):
                    continue
                take(options, root, page, look)
                taken += 1
    if not taken:
        sys.exit(f"no picture has one of {options.names} in its name")


if __name__ == "__main__":
    main()
