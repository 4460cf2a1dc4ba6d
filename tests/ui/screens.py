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

# A setting found by its kernel name has the focus on its editor.
STAGE = ["find:nr_requests", "Return", "Up"]
STAGE_MORE = [*STAGE, "find:read_ahead_kb", "Return", "Up"]
# name, page, steps after the start; "DISK" is the machine's first disk
PAGES = [
    ("overview", "overview", []),
    ("overview-focus", "overview", ["Tab", "Tab", "Tab"]),
    ("disk", "DISK", []),
    ("disk-all", "DISK", ["find:nomerges", "Return"]),
    ("disk-open", "DISK", ["find:read_ahead_kb", "Return"]),
    ("disk-facts", "DISK", ["find:logical_block_size", "Return"]),
    ("disk-staged", "DISK", STAGE),
    ("search", "DISK", ["find:-a1024"]),
    ("search-noop", "DISK", ["find:noop", "Down"]),
    ("search-pdflush", "memory", ["find:pdflush"]),
    ("search-nothing", "DISK", ["find:qqq"]),
    ("review", "DISK", [*STAGE, "ctrl+r"]),
    ("review-commands", "DISK", [*STAGE_MORE, "ctrl+r", "Tab", "Tab", "Tab", "Tab", "space"]),
    ("measure", "DISK", ["Tab", "Right"]),
    ("memory", "memory", []),
    ("memory-open", "memory", ["find:dirty_bytes", "Return"]),
    ("memory-all", "memory", ["find:watermark_scale_factor", "Return"]),
    ("benchmarks", "benchmarks", []),
    ("history", "history", []),
    ("history-open", "history", ["alt+s", "Tab", "Tab", "Home", "Right", "Down"]),
    ("history-undo", "history", ["alt+u"]),
    ("history-restore", "history", ["alt+e"]),
    ("trial", "DISK", []),
    ("trial-ended", "overview", []),
]
# The same on a machine with a stick that is mounted for writing. The first control of the page limits it.
STICK_PAGES = [
    ("stick-overview", "overview", []),
    ("stick-memory", "memory", []),
    ("stick-limit", "memory", ["Tab", "space"]),
    ("stick-review", "memory", ["Tab", "space", "ctrl+r"]),
]
# The program was killed during a trial; seconds to its end when the program starts again.
TRIALS = {"trial": 45, "trial-ended": -300}
# name, scale, size, further arguments
LOOKS = [
    ("light", 1, (1180, 760), ["--color-scheme", "light"]),
    ("dark", 1, (1180, 760), ["--color-scheme", "dark"]),
    ("light-2x", 2, (1180, 760), ["--color-scheme", "light"]),
    ("wide-light", 1, (1366, 768), ["--color-scheme", "light"]),
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


def trial_left_behind(folder, seconds):
    """What a killed program leaves of its trial; its environment."""
    now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    deadline = now + seconds * 10**9
    trials = folder / "diskwright/trials"
    trials.mkdir(parents=True, mode=0o700)
    name = f"{7:032x}"
    file = trials / name
    boot_id = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip().replace("-", "")
    file.write_text(json.dumps({
        "version": 1, "transaction": name, "token": "00" * 32, "boot_id": boot_id, "lease": False, "keep": False,
        "answered": True, "started_boottime_ns": str(deadline - 60 * 10**9), "deadline_boottime_ns": str(deadline),
        "items": [{"setting": "queue:sda:scheduler", "id": "", "name": "Samsung SSD 870 EVO 1TB", "before": "none",
                   "wanted": "bfq"},
                  {"setting": "vm::swappiness", "id": "", "name": "", "before": 60, "wanted": 10}]}),
        encoding="utf-8")
    file.chmod(0o600)
    return {"XDG_STATE_HOME": str(folder)}


def machine_with_stick(folder):
    """A copy of a recorded machine with a stick, whose kernel can limit what one disk has unwritten."""
    shutil.copytree(MACHINE.parent / "guest-virtio-ahci-usb", folder, symlinks=True, dirs_exist_ok=True)
    limits = (folder / "sys/block/sdc").resolve() / "bdi"
    limits.mkdir()
    for name, value in (("strict_limit", 0), ("max_bytes", 838860800), ("max_ratio", 100), ("max_ratio_fine", 1000000)):
        (limits / name).write_text(f"{value}\n", encoding="ascii")
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
        # On a machine with much to do it takes its time.
        for _ in range(600):
            if "window id" in subprocess.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=self.env, text=True,
                                             capture_output=True).stdout:
                return
            time.sleep(0.1)
        sys.exit("openbox did not start within 60 s")

    def close(self):
        for child in (self.manager, self.server):
            child.terminate()
            child.wait()
        os.unlink(self.rules)

    def picture(self, file):
        run("import", "-window", "root", str(file), env=self.env)

    def wait_for_window(self, process):
        for _ in range(600):
            if process.poll() is not None:
                sys.exit(f"the program ended with {process.returncode} before its window came")
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(process.pid)], env=self.env,
                                   text=True, capture_output=True).stdout.split()
            if found:
                return found[-1]
            time.sleep(0.1)
        sys.exit("no window came within 60 s")

    def press(self, steps):
        for key in steps:
            if key.startswith("find:"):
                run("xdotool", "key", "ctrl+f", env=self.env)
                time.sleep(0.15)
                if key[5:]:
                    run("xdotool", "type", "--delay", "20", "--", key[5:], env=self.env)
                time.sleep(0.2)
            else:
                run("xdotool", "key", key, env=self.env)
            time.sleep(0.2)


def first_disk(root):
    """The first disk that the side bar lists."""
    names = sorted(entry.name for entry in (pathlib.Path(root) / "sys/block").iterdir())
    hidden = ("loop", "zram", "ram", "dm-", "md", "sr", "fd")
    return next(name for name in names if not name.startswith(hidden))


def take(options, root, page, look):
    name, place, steps = page
    look_name, scale, (width, height), arguments = look
    display = Display(width * scale, height * scale)
    process = None
    state = tempfile.TemporaryDirectory()
    try:
        place = first_disk(options.root) if place == "DISK" else place
        env = {**display.env, "QT_SCALE_FACTOR": str(scale), "QT_QPA_PLATFORM": "xcb"}
        if name in TRIALS:
            env.update(trial_left_behind(pathlib.Path(state.name), TRIALS[name]))
        process = subprocess.Popen([options.program, "--page", place, *root, *arguments], env=env)
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
        state.cleanup()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(SOURCE / "build/dev/app/diskwright"))
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "build/screens")
    parser.add_argument("--root", default=str(MACHINE),
                        help='a recorded machine, its name in tests/fixtures/machines, or "/" for this one')
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    recorded = MACHINE.parent / options.root
    if options.root != "/" and recorded.is_dir():
        options.root = str(recorded)
    options.out.mkdir(parents=True, exist_ok=True)
    taken = 0
    with tempfile.TemporaryDirectory() as scratch:
        if options.root == "/":
            root = []
        elif options.root == str(MACHINE):
            root = ["--root", str(machine_with_history(pathlib.Path(scratch) / "machine"))]
        else:
            root = ["--root", options.root]
        stick = root
        if options.root == str(MACHINE):
            stick = ["--root", str(machine_with_stick(pathlib.Path(scratch) / "stick"))]
        for page in [*PAGES, *STICK_PAGES]:
            for look in LOOKS:
                whole = f"{page[0]}-{look[0]}"
                if options.names and not any(name in whole for name in options.names):
                    continue
                take(options, stick if page in STICK_PAGES else root, page, look)
                taken += 1
    if not taken:
        sys.exit(f"no picture has one of {options.names} in its name")


if __name__ == "__main__":
    main()
