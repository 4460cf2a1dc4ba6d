# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that does not answer, by the kernel alone: a loop device whose file lies on a file system that is frozen. Its
plan is given up after half a minute; others are served meanwhile; what it takes later is put back."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import bench
import wire


class Frozen(bench.Loop):
    """A loop device on a file in a file system of its own, which can be frozen."""

    def __init__(self, below):
        device = f"/dev/{below.name}"
        subprocess.run(["mkfs.ext4", "-q", "-O", "^has_journal", device], check=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(dir="/run"))
        subprocess.run(["mount", device, self.folder], check=True)
        temporary = tempfile.tempdir
        tempfile.tempdir = str(self.folder)
        try:
            super().__init__(4)
        finally:
            tempfile.tempdir = temporary

    def freeze(self, frozen):
        subprocess.run(["fsfreeze", "-f" if frozen else "-u", self.folder], check=True)

    def close(self):
        super().close()
        subprocess.run(["umount", "--lazy", self.folder], check=True)


class SilentTest(unittest.TestCase):
    def test_a_silent_disk_holds_up_nobody_for_long(self):
        machine = bench.Machine("yes")
        below, other = bench.Loop(32), bench.Loop()
        loop = Frozen(below)
        loop.write("queue/scheduler", "mq-deadline")
        before = [loop.dump(), other.dump()]
        loop.freeze(True)
        # One block under way is enough: the kernel waits for it before it changes the queue.
        writer = subprocess.Popen(["dd", "if=/dev/zero", f"of=/dev/{loop.name}", "bs=4k", "count=1", "oflag=direct"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            bench.eventually(lambda: loop.read("inflight").split() != ["0", "0"], what="a block under way")
            self.during_silence(machine, loop, other)
        finally:
            loop.freeze(False)
        self.assertEqual(writer.wait(60), 0)
        # It took what it was told, and the helper, which had to stay, leaves; the next one puts that back.
        bench.eventually(lambda: loop.read("queue/scheduler") == "none", 10, "what it was told")
        bench.eventually(lambda: machine.helper_pid() is None, 30, "the helper's end")
        self.assertEqual(len(bench.open_journals()), 1)
        bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN))
        self.assertEqual(bench.open_journals(), [])
        other.write("queue/read_ahead_kb", 128)
        self.assertEqual([loop.dump(), other.dump()], before)
        loop.close()
        other.close()
        below.close()

    def during_silence(self, machine, loop, other):
        start = time.monotonic()
        reply = bench.call("tune", wire.apply_request(
            bench.fresh_id(), [loop.identity(), other.identity()],
            [(0, "queue/scheduler", "mq-deadline", "none"), (1, "queue/read_ahead_kb", 128, 4096)]), timeout=120.0)
        self.assertEqual((reply.outcome, reply.report[4]), ("rollback-failed", 110), reply)
        self.assertTrue(28 < time.monotonic() - start < 45, time.monotonic() - start)
        self.assertEqual(reply.steps[0], "rollback-failed")
        self.assertEqual(other.read("queue/read_ahead_kb"), "128")
        start = time.monotonic()
        reply = bench.call("tune", bench.read_ahead(other, 4096))
        self.assertEqual(reply.outcome, "applied", reply)
        # A trial of another disk ends in its time, kept by a process of its own.
        trial = bench.call("tune", wire.apply_request(bench.fresh_id(), [other.identity()],
                                                      [(0, "queue/nr_requests", 128, 64)], trial=5))
        self.assertEqual(trial.outcome, "trial", trial)
        refused = bench.call("tune", wire.apply_request(bench.fresh_id(), [loop.identity()],
                                                        [(0, "queue/nr_requests", 128, 64)]))
        self.assertEqual(refused.outcome, "refused", refused)
        self.assertLess(time.monotonic() - start, 10)
        pid = machine.helper_pid()
        bench.eventually(lambda: other.read("queue/nr_requests") == "128", 60, "the trial's end")
        time.sleep(15)
        self.assertEqual(machine.helper_pid(), pid, "the helper left, and its name is lost")


if __name__ == "__main__":
    unittest.main(verbosity=2)
