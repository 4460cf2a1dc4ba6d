# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails, and kills at, every file call of the executor in turn: the machine is all old or all new afterwards, and the
outcome that was printed is true. usage: faults.py EXECUTOR-PROBE [sample]; a sample takes at most 8 places a call."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

OLD = {"read_ahead_kb": "128", "scheduler": "none [mq-deadline] kyber bfq", "nr_requests": "64"}
RESTORED = OLD | {"scheduler": "mq-deadline"}
NEW = {"read_ahead_kb": "4096", "scheduler": "bfq", "nr_requests": "256"}
CALLS = {"openat2": "EIO", "openat": "EMFILE", "write": "ENOSPC", "fsync": "EIO", "close": "EIO", "renameat2": "EROFS",
         "rename": "EIO", "renameat": "EIO", "fchmod": "EPERM", "unlinkat": "EIO", "mkdirat": "EACCES", "flock": "EINTR",
         "read": "EIO", "fstat": "EIO", "getdents64": "EIO"}
QUEUE = "sys/block/sda/queue"


def build(tree):
    (tree / "run/diskwright").mkdir(parents=True)
    files = {"proc/sys/kernel/random/boot_id": "11111111-2222-3333-4444-555555555555", "proc/swaps": "Filename",
             "proc/self/mountinfo": "", "sys/block/sda/dev": "8:0", "sys/block/sda/diskseq": "1",
             "sys/block/sda/size": "2048", "proc/sys/vm/dirty_ratio": "20"}
    files |= {f"{QUEUE}/{name}": value for name, value in OLD.items()}
    for name, text in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


def values(tree):
    return {name: (tree / QUEUE / name).read_text().strip() for name in OLD}


def run(probe, tree, verb, inject=None):
    command = [probe, str(tree), verb]
    if inject:
        command = ["strace", "-f", "-qqq", "-o", "/dev/null", "-e", f"inject={inject}", *command]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def check(probe, scratch, call, action, numbers):
    """Injects at each of these calls in turn."""
    for number in numbers:
        tree = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        build(tree)
        outcome = run(probe, tree, "apply", f"{call}:{action}:when={number}")
        where = f"{call} {number} {action}"
        found = values(tree)
        # Where the mounts can't be read, the disk may be the system's: then it is a trial.
        if outcome in ("applied", "trial"):
            assert found == NEW, f"{where}: says {outcome}, is {found}"
        elif outcome:
            assert outcome in ("refused", "rolled-back", "busy", "no root", "no state", "rollback-failed"), f"{where}: {outcome}"
        if outcome in ("refused", "busy", "no root", "no state"):
            assert found == OLD, f"{where}: says {outcome}, is {found}"
        if outcome == "rolled-back":
            assert found in (OLD, RESTORED), f"{where}: says rolled back, is {found}"
        for _ in range(2):
            run(probe, tree, "recover")
        after = values(tree)
        if outcome != "rollback-failed":
            assert after in (OLD, RESTORED, NEW), f"{where}: {outcome or 'killed'}, half and half: {after}"
        left = [name for name in os.listdir(tree / "state/txn") if name != "quarantine"] if (tree / "state/txn").exists() else []
        assert len(left) == (outcome == "trial"), f"{where}: {outcome or 'killed'}, left {left}"
        if (tree / "state/txn/quarantine").exists():
            assert os.listdir(tree / "state/txn/quarantine") == [], f"{where}: quarantine"
        if outcome in ("applied", "trial"):
            assert after == NEW, f"{where}: said {outcome}, is {after}"
        shutil.rmtree(tree)
        yield outcome


def check_restore(probe, scratch, call, action, numbers):
    """The same for putting everything back: all stays new if it is refused, else it is old, now or when it goes on."""
    for number in numbers:
        tree = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        build(tree)
        assert run(probe, tree, "apply") == "applied"
        outcome = run(probe, tree, "restore", f"{call}:{action}:when={number}")
        where = f"restore: {call} {number} {action}"
        found = values(tree)
        assert outcome in ("", "undone", "rollback-failed", "refused", "busy", "no root", "no state"), f"{where}: {outcome}"
        if outcome == "undone":
            assert found == RESTORED, f"{where}: says undone, is {found}"
        elif outcome and outcome != "rollback-failed":
            assert found == NEW, f"{where}: says {outcome}, is {found}"
        for _ in range(2):
            run(probe, tree, "recover")
        after = values(tree)
        if outcome != "rollback-failed":
            assert after in (NEW, RESTORED), f"{where}: {outcome or 'killed'}, half and half: {after}"
        left = [name for name in os.listdir(tree / "state/txn") if name != "quarantine"]
        assert left == [], f"{where}: {outcome or 'killed'}, left {left}"
        # Whatever happened, asking again ends it.
        again = run(probe, tree, "restore")
        assert again in ("undone", "unchanged", "refused"), f"{where}: again {again}"
        shutil.rmtree(tree)
        yield outcome


def calls_before_main(probe, scratch, call, verb="apply"):
    """How many such calls the program makes before its first on the tree, so that loading is left alone."""
    tree = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    build(tree)
    if verb == "restore":
        run(probe, tree, "apply")
    trace = tree / "trace"
    subprocess.run(["strace", "-f", "-qqq", "-y", "-o", trace, "-e", f"trace=openat,openat2,{call}", probe, str(tree), verb],
                   capture_output=True)
    lines = [line.split(" ", 1)[1].lstrip() for line in trace.read_text().splitlines()]
    start = next(at for at, line in enumerate(lines) if str(tree) in line)
    names = [line.split("(")[0] for line in lines]
    shutil.rmtree(tree)
    return names[:start].count(call), names.count(call)


def main():
    probe = sys.argv[1]
    total = 0
    with tempfile.TemporaryDirectory() as scratch:
        for call, error in CALLS.items():
            before, all_calls = calls_before_main(probe, scratch, call)
            for action in (f"error={error}", "signal=KILL"):
                # The last one is beyond the last call: a run that nothing disturbs.
                numbers = list(range(before + 1, all_calls + 3))
                stride = -(-len(numbers) // 8) if "sample" in sys.argv else 1
                outcomes = list(check(probe, scratch, call, action, numbers[::stride] + [all_calls + 3]))
                total += len(outcomes)
                assert outcomes[-1] == "applied", (call, action, outcomes[-3:])
                print(f"{call} {action}: {len(outcomes)} runs", {o or "killed": outcomes.count(o) for o in set(outcomes)})
            before, all_calls = calls_before_main(probe, scratch, call, "restore")
            for action in (f"error={error}", "signal=KILL"):
                numbers = list(range(before + 1, all_calls + 3))
                stride = -(-len(numbers) // 5) if "sample" in sys.argv else 1
                outcomes = list(check_restore(probe, scratch, call, action, numbers[::stride] + [all_calls + 3]))
                total += len(outcomes)
                assert outcomes[-1] == "undone", (call, action, outcomes[-3:])
                print(f"restore, {call} {action}: {len(outcomes)} runs",
                      {o or "killed": outcomes.count(o) for o in set(outcomes)})
        for shortened in (0, 1):
            tree = pathlib.Path(tempfile.mkdtemp(dir=scratch))
            build(tree)
            target = tree / QUEUE / "nr_requests"
            out = subprocess.run(["strace", "-f", "-qqq", "-o", "/dev/null", "-P", str(target), "-e",
                                  f"inject=write:retval={shortened}:when=1", probe, str(tree), "apply"],
                                 capture_output=True, text=True).stdout.strip()
            assert out == "rolled-back" and values(tree) == RESTORED, (shortened, out, values(tree))
            total += 1
    assert total > 100, total
    print(f"{total} runs: all old or all new each time")


if __name__ == "__main__":
    main()
