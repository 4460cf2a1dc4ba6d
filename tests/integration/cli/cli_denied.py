# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody decides, or says no: each is told apart, exits with 4, names what to do, and changes nothing."""

import os
import pathlib
import signal
import subprocess
import unittest

import ctl
from ctl import bench

# "other" may not; what is asked slowly finds polkit gone in the middle.
RULES = """
  if (subject.user == 'other') return polkit.Result.NO;
  try { polkit.spawn(['/run/slow']); } catch (error) { }
  return polkit.Result.YES;
"""


def setUpModule():
    global machine
    machine = ctl.Machine(RULES)
    # Else the bus would start it again at once.
    pathlib.Path("/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service").unlink(missing_ok=True)


class DeniedTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.setting = f"queue:{self.loop.name}:read_ahead_kb"
        self.before = self.loop.dump()

    def assertDenied(self, result, *words, uid=bench.USER):
        self.assertEqual((result.code, result.outcome), (4, "not-authorized"), result)
        self.assertEqual(result.json["error"]["code"], "not-authorized")
        for word in ("othing was changed", *words):
            self.assertIn(word, result.err)
        self.assertEqual(self.loop.dump(), self.before)
        self.assertEqual(ctl.tokens(uid), [])
        self.assertFalse(os.path.exists("/var/lib/diskwright/txn") and bench.open_journals())

    def assertServes(self):
        done = ctl.run("set", f"{self.setting}=4096")
        self.assertEqual((done.code, done.outcome), (0, "applied"), done)
        self.assertEqual(ctl.run("undo", done.json["transaction"]).outcome, "undone")
        self.assertEqual(self.loop.dump(), self.before)

    def end_polkit(self):
        machine.polkit.send_signal(signal.SIGKILL)
        machine.polkit.wait()
        bench.eventually(lambda: not machine.owner("org.freedesktop.PolicyKit1"), what="polkit's end")

    def test_refused(self):
        self.assertDenied(ctl.run("set", f"{self.setting}=4096", uid=bench.OTHER), "agent", "sudo diskwrightctl",
                          uid=bench.OTHER)
        self.assertServes()

    def test_absent(self):
        for fresh in (True, False):
            if fresh:
                machine.kill_helper()
            else:
                self.assertServes()  # a helper that runs already
            self.end_polkit()
            self.assertDenied(ctl.run("set", f"{self.setting}=4096"), "polkit", "does not answer")
            machine.start_polkit()
            bench.eventually(lambda: machine.helper_pid() is None, 15, "the helper's leaving")
            self.assertServes()

    def test_gone_while_it_is_asked(self):
        slow = pathlib.Path("/run/slow")
        slow.write_text("#!/bin/sh\nsleep 3\n")
        slow.chmod(0o755)
        self.addCleanup(slow.unlink, missing_ok=True)
        machine.kill_helper()
        process = ctl.start("set", f"{self.setting}=4096")
        bench.eventually(machine.helper_pid, what="the helper")
        bench.eventually(lambda: subprocess.run(["pgrep", "-P", str(machine.polkit.pid)], capture_output=True).stdout,
                         what="polkit at work")
        self.end_polkit()
        self.assertDenied(ctl.finish(process), "polkit", "does not answer")
        slow.unlink()
        machine.start_polkit()
        bench.eventually(lambda: machine.helper_pid() is None, 15, "the helper's leaving")
        self.assertServes()

    def test_by_hand(self):
        """Without --json the same as commands is printed, which an administrator can paste."""
        result = subprocess.run(ctl.command("set", f"{self.setting}=4096", uid=bench.OTHER), capture_output=True, text=True,
                                stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 4, result)
        self.assertIn("The same by hand", result.stderr)
        self.assertIn(f"/sys/block/{self.loop.name}/queue/read_ahead_kb", result.stderr)


if __name__ == "__main__":
    unittest.main()
