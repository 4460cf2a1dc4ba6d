# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials from the command line: each call is a process of its own, so only the token file ties them together."""

import unittest

import ctl
from ctl import bench


def setUpModule():
    global machine
    machine = ctl.Machine("yes")


class TrialTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.setting = f"queue:{self.loop.name}:read_ahead_kb"

    def begin(self, seconds):
        result = ctl.run("set", "--try", str(seconds), f"{self.setting}=4096")
        self.assertEqual((result.code, result.outcome), (0, "trial"), result)
        left = result.json["trial"]["seconds_left"]
        self.assertTrue(seconds - 3 <= left <= seconds, result)
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "4096")
        token, = ctl.tokens()
        self.assertEqual(token.name, result.json["transaction"])
        self.assertEqual(token.stat().st_mode & 0o777, 0o600)
        return result.json["transaction"]

    def value(self):
        return self.loop.read("queue/read_ahead_kb")

    def test_is_put_back_at_the_deadline_though_everybody_died(self):
        trial = self.begin(5)
        machine.kill_helper()
        bench.eventually(lambda: self.value() == "128", 10, "putting back")
        late = ctl.run("confirm", trial)
        self.assertEqual((late.code, late.json["error"]["code"]), (3, "expired"), late)
        self.assertEqual(self.value(), "128")
        self.assertEqual(ctl.tokens(), [])

    def test_whoever_comes_after_a_crash_is_told_once(self):
        """What was put back, to which value, and when: by the next command, on its error stream."""
        for words in (("history",), ("set", f"queue:{self.loop.name}:nr_requests=64")):
            self.begin(5)
            bench.eventually(lambda: self.value() == "128", 10, "putting back")
            bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")
            told = ctl.run(*words)
            self.assertEqual(told.code, 0, told)
            self.assertIn(f"Put back: {self.setting} = 128", told.err)
            self.assertRegex(told.err, r"ended at \d+:\d+")
            self.assertEqual(ctl.tokens(), [])
            self.assertNotIn("Put back", ctl.run("history").err)

    def test_confirmed_it_stays(self):
        trial = self.begin(5)
        confirmed = ctl.run("confirm", trial)
        self.assertEqual((confirmed.code, confirmed.outcome), (0, "confirmed"), confirmed)
        self.assertEqual(ctl.tokens(), [])
        with self.assertRaises(AssertionError):
            bench.eventually(lambda: self.value() != "4096", 7)
        twice = ctl.run("confirm", trial)
        self.assertEqual((twice.code, twice.json["error"]["code"]), (3, "unknown-transaction"), twice)
        self.assertEqual(ctl.run("undo", trial).outcome, "undone")

    def test_reverted_at_once(self):
        trial = self.begin(600)
        reverted = ctl.run("revert", trial)
        self.assertEqual((reverted.code, reverted.outcome), (0, "rolled-back"), reverted)
        self.assertEqual(self.value(), "128")
        self.assertEqual(ctl.tokens(), [])

    def test_what_somebody_else_changed_is_left_and_named(self):
        trial = self.begin(600)
        self.loop.write("queue/read_ahead_kb", 1024)
        reverted = ctl.run("revert", trial)
        self.assertEqual((reverted.code, reverted.outcome), (8, "rolled-back"), reverted)
        self.assertEqual(reverted.json["error"]["code"], "stale", reverted)
        self.assertIn(f"{self.setting} = 1,024", reverted.err.replace("1024", "1,024"))
        self.assertEqual(self.value(), "1024")
        self.assertEqual(ctl.tokens(), [])

    def test_prolonged(self):
        trial = self.begin(5)
        prolonged = ctl.run("prolong", trial, "30")
        self.assertEqual((prolonged.code, prolonged.outcome), (0, "trial"), prolonged)
        self.assertTrue(27 <= prolonged.json["trial"]["seconds_left"] <= 30, prolonged)
        with self.assertRaises(AssertionError):
            bench.eventually(lambda: self.value() != "4096", 7)
        self.assertEqual(ctl.run("revert", trial).outcome, "rolled-back")

    def test_is_nobody_elses(self):
        trial = self.begin(30)
        for verb in ("confirm", "revert"):
            result = ctl.run(verb, trial, uid=bench.OTHER)
            self.assertEqual((result.code, result.json["error"]["code"]), (3, "unknown-transaction"), result)
        self.assertEqual(self.value(), "4096")
        self.assertEqual(ctl.run("revert", trial).code, 0)

    def test_holds_its_disk(self):
        trial = self.begin(30)
        other = ctl.run("set", f"queue:{self.loop.name}:nr_requests=64")
        self.assertEqual((other.code, other.outcome), (7, "busy"), other)
        self.assertEqual(ctl.run("revert", trial).code, 0)


if __name__ == "__main__":
    unittest.main()
