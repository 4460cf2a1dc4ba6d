#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare a plan of 30 settings through `diskwrightctl set` with `pkexec sh -c` writing the same values.

    plan.py --build build/dev [--rounds 15] [--check]

Run as root in the development root. Both ask the same polkitd on a private bus, which says yes at once, and change
loop devices made here; they take turns, so that a disturbance hits both, and medians of wall time are compared.
"Warm" finds the helper running, "cold" has it started by the bus. With --check the exit code is 1 if a ratio is above
its limit.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

WARM_LIMIT = 1.0
COLD_LIMIT = 4.0
DISKS = 10
HERE = pathlib.Path(__file__).resolve().parent
ATTRIBUTES = {"queue:{}:nr_requests": ("queue/nr_requests", "queue/nr_requests", (64, 100)),
              "queue:{}:read_ahead_kb": ("queue/read_ahead_kb", "queue/read_ahead_kb", (512, 1024)),
              "iosched:{}:mq-deadline/read_expire":
                  ("iosched/mq-deadline/read_expire", "queue/iosched/read_expire", (200, 400))}


def enter_namespaces(build):
    """Everything below is private to this run; see tests/integration/bench.py."""
    if os.environ.get("DISKWRIGHT_BUILD_DIR"):
        return
    environment = dict(os.environ, DISKWRIGHT_BUILD_DIR=str(pathlib.Path(build).resolve()),
                       DISKWRIGHT_SOURCE_DIR=str(HERE.parent.parent), PYTHONDONTWRITEBYTECODE="1")
    # The shell is there to be the namespace's first process: pkexec refuses to be a child of that one.
    os.execvpe("unshare", ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", '"$@"; exit $?', "sh",
                           sys.executable, "-W", "ignore::ResourceWarning", __file__, *sys.argv[1:]], environment)


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wall = time.perf_counter() - start
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return wall


class Plan:
    """The same 30 values by both ways, in two states that take turns."""

    def __init__(self, ctl, loops):
        self.ctl, self.loops, self.state = ctl, loops, 0
        for loop in loops:
            loop.write("queue/scheduler", "mq-deadline")
        self.by_shell()

    def next_values(self):
        self.state = 1 - self.state
        return [(loop, setting.format(loop.name), row, path, values[self.state])
                for loop in self.loops for setting, (row, path, values) in ATTRIBUTES.items()]

    def check(self, values):
        for loop, _, _, path, value in values:
            assert int(loop.read(path)) == value, (loop.name, path, loop.read(path), value)

    def by_program(self, *options):
        values = self.next_values()
        words = [f"{setting}={value}" for _, setting, _, _, value in values]
        wall = timed(self.ctl.command("--json", "set", *options, *words))
        if options:
            self.state = 1 - self.state  # a dry run changes nothing
        else:
            self.check(values)
        return wall

    def by_shell(self):
        values = self.next_values()
        script = "; ".join(f"echo {value} > /sys/block/{loop.name}/{path}" for loop, _, _, path, value in values)
        command = self.ctl.command()[:-1] + ["pkexec", "sh", "-c", script]
        wall = timed(command)
        self.check(values)
        return wall

    def by_bare_call(self):
        """Only the helper's part: one call by a client that runs already."""
        bench = self.ctl.bench
        values = self.next_values()
        changes = [(self.loops.index(loop), row, int(loop.read(path)), value) for loop, _, row, path, value in values]
        request = bench.wire.apply_request(bench.fresh_id(), [loop.identity() for loop in self.loops], changes)
        blob = bench.wire.arguments(request)

        def call():
            start = time.perf_counter()
            raw = bench.raw_call(f"{bench.NAME}.tune", blob)
            return time.perf_counter() - start, raw

        wall, raw = bench.as_user(bench.USER, call)
        assert bench.wire.Reply(raw).outcome in ("applied", "adjusted"), raw
        self.check(values)
        return wall


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    enter_namespaces(arguments.build)
    sys.path.insert(0, str(HERE.parent / "integration" / "cli"))
    import ctl

    machine = ctl.Machine("yes")
    pathlib.Path("/etc/polkit-1/rules.d/01-exec.rules").write_text(
        "polkit.addRule(function(action) {\n"
        "  if (action.id == 'org.freedesktop.policykit.exec') return polkit.Result.YES;\n});\n")
    time.sleep(1)  # polkitd sees the new file by itself
    loops = [ctl.bench.Loop(1) for _ in range(DISKS)]
    plan = Plan(ctl, loops)

    def cold():
        machine.kill_helper()
        return plan.by_program()

    ways = {"pkexec sh": plan.by_shell, "warm": plan.by_program, "cold": cold, "warm again": plan.by_program,
            "dry run": lambda: plan.by_program("--dry-run"), "bare call": plan.by_bare_call}
    times = {name: [] for name in ways}
    for name, way in ways.items():
        way()  # once without counting: pages and caches
    for _ in range(arguments.rounds):
        for name, way in ways.items():
            times[name].append(way())
    median = {name: statistics.median(walls) for name, walls in times.items()}
    for name, walls in times.items():
        print(f"{name:12} {median[name] * 1000:7.1f} ms   (from {min(walls) * 1000:.1f} to {max(walls) * 1000:.1f})")
    print(f"parts of warm: start, reading the disks and planning {median['dry run'] * 1000:.1f} ms, the helper's "
          f"work {median['bare call'] * 1000:.1f} ms, token and connection "
          f"{(median['warm'] - median['dry run'] - median['bare call']) * 1000:.1f} ms")
    print(f"parts of cold: starting the helper {(median['cold'] - median['warm']) * 1000:.1f} ms, the rest as warm")
    ratios = {"warm": (median["warm"] / median["pkexec sh"], WARM_LIMIT),
              "cold": (median["cold"] / median["pkexec sh"], COLD_LIMIT)}
    for name, (ratio, limit) in ratios.items():
        print(f"{name}: {ratio:.2f} of pkexec sh (limit {limit})")
    return 1 if arguments.check and any(ratio > limit for ratio, limit in ratios.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
