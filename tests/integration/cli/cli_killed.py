# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line is killed, or stopped by Ctrl+C, in the middle of a plan: the helper puts everything back."""

import os
import signal
import unittest

import ctl
from ctl import bench

# Each attribute is opened slowly, so that a plan takes seconds.
SLOW = "strace -f -qq -o /dev/null -e trace=openat2 -e inject=openat2:delay_enter=60000"


def setUpModule():
    global machine
    machine = ctl.Machine("yes", wrapper=SLOW)


class KilledTest(unittest.TestCase):
    def setUp(self):
        for token in ctl.tokens():  # what an unknown outcome leaves, for its owner to settle
            token.unlink()
        self.loops = [bench.Loop() for _ in range(4)]
        for loop in self.loops:
            self.addCleanup(loop.close)
        self.before = [loop.dump() for loop in self.loops]

    def begin(self):
        """A plan of eight steps that has just made its first."""
        words = []
        for loop in self.loops:
            words += [f"queue:{loop.name}:nr_requests=64", f"queue:{loop.name}:read_ahead_kb=4096"]
        process = ctl.start("set", *words)
        bench.eventually(lambda: self.loops[0].read("queue/nr_requests") == "64", 60, "the first step")
        self.assertEqual(self.loops[-1].read("queue/read_ahead_kb"), "128", "the plan was too quick for this test")
        return process

    def assertPutBack(self):
        bench.eventually(lambda: [loop.dump() for loop in self.loops] == self.before and not bench.open_journals(), 60,
                         "putting back")

    def test_killed_in_the_middle(self):
        process = self.begin()
        process.kill()
        process.communicate()
        self.assertPutBack()
        # What the killed program left is no trial, and the next one cleans it up.
        token, = ctl.tokens()
        result = ctl.run("confirm", token.name)
        self.assertEqual((result.code, result.json["error"]["code"]), (3, "expired"), result)
        self.assertEqual(ctl.tokens(), [])

    def test_ctrl_c_in_the_middle(self):
        process = self.begin()
        # setpriv and env became the program, so it is the process itself.
        os.kill(process.pid, signal.SIGINT)
        result = ctl.finish(process)
        self.assertEqual((result.code, result.outcome), (5, "rolled-back"), result)
        self.assertEqual(result.json["error"]["code"], "cancelled")
        self.assertPutBack()
        self.assertEqual(ctl.tokens(), [])

    def test_helper_killed_in_the_middle(self):
        process = self.begin()
        # strace dies with its only process.
        machine.kill_helper()
        result = ctl.finish(process)
        self.assertEqual((result.code, result.outcome), (6, "unknown"), result)
        by_name = {step["setting"]: step for step in result.json["steps"]}
        first = by_name[f"queue:{self.loops[0].name}:nr_requests"]
        self.assertEqual(str(first["after"]), self.loops[0].read("queue/nr_requests"))
        # The next helper recovers before it serves anybody.
        other = bench.Loop()
        self.addCleanup(other.close)
        self.assertEqual(ctl.run("set", f"queue:{other.name}:read_ahead_kb=4096").code, 0)
        self.assertPutBack()


if __name__ == "__main__":
    unittest.main()
