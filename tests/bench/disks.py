#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare `diskwrightctl disks --json` with lsblk on made-up trees of 1,000 and 100 disks.

    disks.py --diskwrightctl build/dev/app/cli/diskwrightctl [--rounds 15] [--check]

The programs take turns, so that a disturbance hits both; medians of wall and of processor time are compared. With
--check the exit code is 1 if a ratio is above its limit.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LSBLK_LIMIT = 0.25
GROWTH_LIMIT = 11.0


def measure(command):
    """Wall and processor seconds of one run; its output is read like a pipe's reader would."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def count(command):
    """Disks and partitions that the program lists: a fast answer that is wrong is none."""
    document = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    disks = document.get("disks", document.get("blockdevices"))
    return len(disks), sum(len(disk.get("partitions", disk.get("children", []))) for disk in disks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diskwrightctl", required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_disk_tree.py")
    with tempfile.TemporaryDirectory() as folder:
        trees = {number: os.path.join(folder, str(number)) for number in (100, 1000)}
        for number, tree in trees.items():
            subprocess.run([sys.executable, maker, tree, "--disks", str(number)], check=True)
        lsblk = shutil.which("lsblk") or "lsblk"
        commands = {
            "lsblk 1000": [lsblk, "--sysroot", trees[1000], "-J", "-o", "NAME,SIZE,ROTA,MODEL"],
            "diskwrightctl 1000": [arguments.diskwrightctl, "--root", trees[1000], "disks", "--json"],
            "diskwrightctl 100": [arguments.diskwrightctl, "--root", trees[100], "disks", "--json"],
        }
        for name, command in commands.items():
            number = int(name.split()[1])
            if count(command) != (number, 4 * number):
                sys.exit(f"{name}: lists {count(command)}, not {number} disks with {4 * number} partitions")
        times = {name: [] for name in commands}
        for _ in range(arguments.rounds):
            for name, command in commands.items():
                times[name].append(measure(command))
    wall = {name: statistics.median(run[0] for run in runs) for name, runs in times.items()}
    cpu = {name: statistics.median(run[1] for run in runs) for name, runs in times.items()}
    for name in commands:
        print(f"{name:<20} wall {wall[name] * 1000:7.1f} ms   processor {cpu[name] * 1000:7.1f} ms")
    good = True
    for label, over, under, limit in (("diskwrightctl / lsblk, 1000 disks", "diskwrightctl 1000", "lsblk 1000",
                                       LSBLK_LIMIT),
                                      ("1000 disks / 100 disks", "diskwrightctl 1000", "diskwrightctl 100",
                                       GROWTH_LIMIT)):
        for kind, seconds in (("wall", wall), ("processor", cpu)):
            ratio = seconds[over] / seconds[under]
            good = good and ratio <= limit
            print(f"{label:<36} {kind:<9} {ratio:6.3f}   limit {limit}")
    return 0 if good or not arguments.check else 1


if __name__ == "__main__":
    sys.exit(main())
