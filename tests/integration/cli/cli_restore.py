# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""restore-all from the command line to the kernel: first values, trials, others' values, refusals."""

import subprocess
import unittest

import ctl
from ctl import bench

RULES = """
  if (name == 'settle') return polkit.Result.YES;
  if (subject.user == 'other') return polkit.Result.NO;
  return polkit.Result.YES;
"""


def setUpModule():
    global machine
    machine = ctl.Machine(RULES)


class RestoreTest(unittest.TestCase):
    def setUp(self):
        self.loops = [bench.Loop(), bench.Loop()]
        for loop in self.loops:
            self.addCleanup(loop.close)
        self.settings = [f"queue:{loop.name}:read_ahead_kb" for loop in self.loops]
        self.before = [loop.dump() for loop in self.loops]

    def assertAsBefore(self):
        self.assertEqual([loop.dump() for loop in self.loops], self.before)

    def test_puts_two_disks_and_a_trial_back(self):
        for value in (4096, 512):
            self.assertEqual(ctl.run("set", f"{self.settings[0]}={value}").code, 0)
        trial = ctl.run("set", "--try", "600", f"{self.settings[1]}=2048")
        self.assertEqual(trial.outcome, "trial", trial)
        self.loops[0].write("queue/read_ahead_kb", 1024)
        planned = ctl.run("restore-all", "--dry-run")
        self.assertEqual((planned.code, planned.outcome, planned.json["trials"]), (0, "planned", 1), planned)
        first, second = planned.json["steps"]
        self.assertEqual((first["setting"], first["before"], first["requested"]), (self.settings[0], 1024, 128))
        self.assertIn("Somebody else", first["message"])
        self.assertEqual((second["setting"], second["requested"], second["message"]), (self.settings[1], 128, "Not attempted."))
        result = ctl.run("restore-all")
        self.assertEqual((result.code, result.outcome), (0, "undone"), result)
        steps = {step["setting"]: step for step in result.json["steps"]}
        self.assertEqual((steps[self.settings[0]]["before"], steps[self.settings[0]]["after"]), (1024, 128), result)
        self.assertAsBefore()
        self.assertEqual(ctl.tokens(), [])
        late = ctl.run("confirm", trial.json["transaction"])
        self.assertEqual(late.code, 3, late)
        history = ctl.run("history").json["transactions"]
        self.assertEqual(history[0]["transaction"], result.json["transaction"])
        self.assertFalse(history[0]["undoable"])
        again = ctl.run("restore-all")
        self.assertEqual((again.code, again.outcome, again.json["steps"]), (0, "unchanged", []), again)

    def test_a_limit_that_drifts_with_free_memory(self):
        """Undone, it is as it was, whatever number it reads as when there is more or less memory."""
        name = self.loops[0].name
        share = self.loops[0].read("bdi/max_ratio_fine")
        done = ctl.run("set", f"bdi:{name}:max_bytes=67108864")
        self.assertEqual(done.outcome, "applied", done)
        self.assertEqual(ctl.run("undo", done.json["transaction"]).outcome, "undone")
        self.assertEqual(self.loops[0].read("bdi/max_ratio_fine"), share)
        first = self.loops[0].read("bdi/max_bytes")
        ballast = b"x" * (700 << 20)
        bench.eventually(lambda: self.loops[0].read("bdi/max_bytes") != first, 10, "another number")
        for _ in range(2):
            planned = ctl.run("restore-all", "--dry-run")
            self.assertEqual((planned.code, planned.json["steps"]), (0, []), planned)
            again = ctl.run("restore-all")
            self.assertEqual((again.code, again.outcome), (0, "unchanged"), again)
            self.assertEqual(self.loops[0].read("bdi/max_ratio_fine"), share)
        del ballast
        self.assertEqual(ctl.run("restore-all").outcome, "unchanged")

    def test_the_switch_of_nothing_kept_is_named(self):
        for word in ("on", "off"):
            refused = ctl.run("boot", "use", word)
            self.assertEqual((refused.code, refused.json["error"]["code"]), (3, "absent"), refused)
            self.assertEqual(refused.json["error"]["reason"], "nothing is kept for the next start")

    def test_is_refused_to_others(self):
        self.assertEqual(ctl.run("set", f"{self.settings[0]}=4096").code, 0)
        refused = ctl.run("restore-all", uid=bench.OTHER)
        self.assertEqual((refused.code, refused.outcome), (4, "not-authorized"), refused)
        self.assertEqual(self.loops[0].read("queue/read_ahead_kb"), "4096")
        self.assertEqual(ctl.run("restore-all").code, 0)
        self.assertAsBefore()

    def test_the_root_program_does_the_same_without_a_bus(self):
        self.assertEqual(ctl.run("set", f"{self.settings[0]}=4096").code, 0)
        trial = ctl.run("set", "--try", "600", f"{self.settings[1]}=2048")
        self.assertEqual(trial.outcome, "trial", trial)
        program = machine.build / "helper/diskwright-boot"
        refused = subprocess.run([program, "restore"], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2, refused)
        done = subprocess.run([program, "restore", "--yes"], capture_output=True, text=True, env={})
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(f"put back: {self.settings[0]}=128 (was 4096)", done.stderr)
        self.assertAsBefore()
        self.assertEqual(ctl.run("confirm", trial.json["transaction"]).code, 3)


if __name__ == "__main__":
    unittest.main()
