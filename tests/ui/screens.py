#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of every page, to be looked at by a person.

tests/ui/screens.py [--program FILE] [--out FOLDER] [--root FOLDER] [NAME...]

Runs inside the development root (packaging/devroot exec --user -- /src/tests/ui/screens.py) on a display of its
own. A NAME is a part of a picture's name, such as "disk", "dark", "pseudo", "small".
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MACHINE = SOURCE / "tests/fixtures/machines/desktop-sata-ssd-hdd"

# name, page, keys pressed after the start
PAGES = [
    ("disk", "sda", []),
    ("disk-open", "sda", ["ctrl+f", "type:read-ahead", "Tab", "Tab", "space"]),
    ("disk-staged", "sda", ["stage"]),
    ("review", "sda", ["stage", "ctrl+r"]),
    ("memory", "memory", []),
    ("benchmarks", "benchmarks", []),
    ("history", "history", []),
]
# name, scale, size, further arguments
LOOKS = [
    ("light", 1, (1180, 760), ["--color-scheme", "light"]),
    ("dark", 1, (1180, 760), ["--color-scheme", "dark"]),
    ("light-2x", 2, (1180, 760), ["--color-scheme", "light"]),
    ("small-pseudo", 1, (1024, 600), ["--color-scheme", "light", "--language", "xx"]),
    ("small-dark-pseudo", 1, (1024, 600), ["--color-scheme", "dark", "--language", "xx"]),
]


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout.strip()


def wait_for_window(process, env):
    for _ in range(300):
        if process.poll() is not None:
            sys.exit(f"the program ended with {process.returncode} before its window came")
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "diskwright"], env=env, text=True,
                               capture_output=True).stdout.split()
        if found:
            return found[-1]
        time.sleep(0.1)
    sys.exit("no window came within 30 s")


def press(window, keys, scale, width, env, pause):
    for key in keys:
        if key == "stage":
            # The upper arrow of "Requests in queue".
            x, y = (813, 246) if width == 1180 else (713, 270)
            run("xdotool", "mousemove", "--window", window, str(x * scale), str(y * scale), "click", "1", env=env)
        elif key.startswith("type:"):
            run("xdotool", "type", "--window", window, key[5:], env=env)
        else:
            run("xdotool", "key", "--window", window, key, env=env)
        time.sleep(pause)


def take(program, out, root, page, look, env):
    name, place, keys = page
    look_name, scale, (width, height), arguments = look
    screen = f":{90 + os.getpid() % 9}"
    server = subprocess.Popen(["Xvfb", screen, "-screen", "0", f"{width * scale}x{height * scale}x24", "-nolisten", "tcp"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    env = {**env, "DISPLAY": screen, "QT_SCALE_FACTOR": str(scale)}
    manager = process = None
    try:
        for _ in range(100):
            if subprocess.run(["xdotool", "getdisplaygeometry"], env=env, capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        manager = subprocess.Popen(["openbox"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process = subprocess.Popen([program, "--page", place, *root, *arguments], env=env)
        window = wait_for_window(process, env)
        run("xdotool", "windowmove", window, "0", "0", "windowsize", "--sync", window, str(width * scale),
            str(height * scale), env=env)
        time.sleep(1.5)
        press(window, keys, scale, width, env, 0.6)
        time.sleep(0.6)
        picture = out / f"{name}-{look_name}.png"
        run("import", "-window", "root", str(picture), env=env)
        print(picture)
    finally:
        for child in (process, manager, server):
            if child and child.poll() is None:
                child.terminate()
                child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(SOURCE / "build/dev/app/diskwright"))
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "build/screens")
    parser.add_argument("--root", default=str(MACHINE), help='a recorded machine, or "/" for this one')
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    root = [] if options.root == "/" else ["--root", options.root]
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    taken = 0
    for page in PAGES:
        for look in LOOKS:
            whole = f"{page[0]}-{look[0]}"
            if options.names and not any(name in whole for name in options.names):
                continue
            take(options.program, options.out, root, page, look, env)
            taken += 1
    if not taken:
        sys.exit(f"no picture has one of {options.names} in its name")


if __name__ == "__main__":
    main()
