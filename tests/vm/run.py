#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs guest scenarios; see README.md. Must run as root in the development root."""

import argparse
import contextlib
import fcntl
import importlib.util
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import image as images  # noqa: E402
from guest import Guest, GuestError  # noqa: E402

BUILD = HERE.parent.parent / "build"
LOGS = BUILD / "vm"


class Log:
    """Says things on the terminal and in the scenario's log file, with the seconds since its start."""

    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w")
        self._start = time.monotonic()

    def __call__(self, text):
        line = f"{time.monotonic() - self._start:7.1f} {text}"
        print(line, flush=True)
        print(line, file=self._file, flush=True)


def scenario_names():
    return sorted(path.stem for path in (HERE / "scenarios").glob("*.py"))


def load(name):
    path = HERE / "scenarios" / f"{name}.py"
    if not path.exists():
        raise SystemExit(f"no scenario {name!r}; there are: {', '.join(scenario_names())}")
    spec = importlib.util.spec_from_file_location(f"scenario_{name.replace('-', '_')}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def packages(given):
    """The product's packages: files, or those of a folder; the newest file of each package, no debug symbols."""
    found = []
    for path in given or [BUILD / "deb"]:
        path = Path(path).resolve()
        if path.is_dir():
            found += path.glob("*.deb")
        elif path.is_file():
            found.append(path)
        elif given:
            raise SystemExit(f"no package {path}")
    newest = {path.name.split("_")[0]: path for path in sorted(found, key=lambda path: path.stat().st_mtime)}
    return sorted(path for name, path in newest.items() if not name.endswith("-dbgsym"))


@contextlib.contextmanager
def work_folder(name, keep=False):
    """A folder for a guest's private disks. Folders of runners that were killed are removed on the way."""
    work = LOGS / "work"
    work.mkdir(parents=True, exist_ok=True)
    for old in work.glob("*/lock"):
        with old.open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            shutil.rmtree(old.parent, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=work))
    # A kept folder has no lock file, so that the next runner leaves it alone.
    lock = None if keep else (folder / "lock").open("w")
    try:
        if lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield folder
    finally:
        if lock:
            shutil.rmtree(folder, ignore_errors=True)
            lock.close()


def execute(name, module, image, debs, keep):
    """Run one scenario; True if it passed."""
    say = Log(LOGS / f"{name}.log")
    started = time.monotonic()
    try:
        if getattr(module, "PRODUCT", False) and not debs:
            raise RuntimeError("this scenario needs the product's package: build it with packaging/deb")
        with work_folder(name, keep) as folder:
            try:
                with Guest.from_image(image, folder, say) as guest:
                    if getattr(module, "COLD", False):
                        guest.power_on(append=getattr(module, "APPEND", ""))
                    else:
                        guest.restore(images.SNAPSHOT)
                    module.run(guest)
            finally:
                if (folder / "console.log").exists():
                    shutil.copy(folder / "console.log", LOGS / f"{name}.console.log")
    except Exception:
        say(traceback.format_exc())
        say(f"FAILED: {name} after {time.monotonic() - started:.1f} s")
        return False
    say(f"passed: {name} in {time.monotonic() - started:.1f} s")
    return True


def shell(image):
    """A prompt on a restored guest; each line runs as root, after a leading "alice:" in her session."""
    with work_folder("shell") as folder, Guest.from_image(image, folder, lambda _text: None) as guest:
        guest.restore(images.SNAPSHOT)
        print(f"console: {guest.machine.console_path}; end with Ctrl-D")
        while True:
            try:
                line = input("guest# ")
            except EOFError:
                print()
                return
            try:
                if line.startswith("alice:"):
                    result = guest.as_alice(line.removeprefix("alice:"), timeout=600)
                else:
                    result = guest.run(line, timeout=600)
            except GuestError as error:
                print(error)
                continue
            print(result.out + result.err, end="" if result.rc == 0 else f"[exit code {result.rc}]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", nargs="*", help="names; none: all that are not long")
    parser.add_argument("--list", action="store_true", help="print the scenarios' names")
    parser.add_argument("--build", action="store_true", help="only make the image")
    parser.add_argument("--shell", action="store_true", help="a prompt on a restored guest")
    parser.add_argument("--keep", action="store_true", help="leave the disks in build/vm/work")
    parser.add_argument("--long", action="store_true", help="with no names: the long ones too")
    parser.add_argument("--deb", action="append", metavar="FILE|FOLDER",
                        help="the product's packages (default: build/deb, if it is there)")
    options = parser.parse_args()
    if options.list:
        print("\n".join(scenario_names()))
        return 0
    # As an exception, so that every guest ends and every work folder goes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    debs = packages(options.deb)
    modules = {name: load(name) for name in options.scenario or scenario_names()}
    if not options.scenario and not options.long:
        modules = {name: module for name, module in modules.items() if not getattr(module, "LONG", False)}
    image = images.ensure(debs, Log(LOGS / "image.log"))
    if options.build:
        return 0
    if options.shell:
        shell(image)
        return 0
    failed = [name for name, module in modules.items()
              if not execute(name, module, image, debs, options.keep)]
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
