# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""diskwrightctl as ordinary users run it, on the private machine of ../bench.py."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import bench  # noqa: E402

PROGRAM = "/usr/bin/diskwrightctl"
HOMES = {bench.USER: "/run/home-user", bench.OTHER: "/run/home-other", 0: "/run/home-root"}


class Machine(bench.Machine):
    @staticmethod
    def helper_pid():
        try:
            return bench.Machine.helper_pid()
        except bench.dbus.DBusException:  # it went between the two questions
            return None

    def install(self, wrapper):
        super().install(wrapper)
        shutil.copy(self.build / "app/cli/diskwrightctl", PROGRAM)
        for uid, home in HOMES.items():
            os.makedirs(home, exist_ok=True)
            os.chown(home, uid, uid)


def command(*words, uid=bench.USER):
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--init-groups", "env", "-i",
            "PATH=/usr/bin:/bin:/usr/sbin", "LANG=C.UTF-8", f"HOME={HOMES[uid]}",
            f"DBUS_SYSTEM_BUS_ADDRESS={bench.BUS}", PROGRAM, *words]


def start(*words, uid=bench.USER):
    return subprocess.Popen(command("--json", *words, uid=uid), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        self.json = json.loads(out) if out.strip() else None

    @property
    def outcome(self):
        return self.json["outcome"]

    def __repr__(self):
        return f"exit {self.code}\n{self.out}\n{self.err}"


def finish(process, seconds=60):
    out, err = process.communicate(timeout=seconds)
    return Result(process.returncode, out, err)


def run(*words, uid=bench.USER):
    return finish(start(*words, uid=uid))


def tokens(uid=bench.USER):
    folder = pathlib.Path(HOMES[uid]) / ".local/state/diskwright/trials"
    return sorted(folder.iterdir()) if folder.exists() else []
