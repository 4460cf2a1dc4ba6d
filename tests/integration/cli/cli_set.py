# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""set, undo, history and keep from the command line to the kernel, through KAuth and polkit."""

import os
import pathlib
import shlex
import subprocess
import unittest

import ctl
from ctl import bench

# polkit runs the spawned program before it answers, so that a second client finds the helper at work.
RULES = """
  if (name == 'settle') return polkit.Result.YES;
  if (subject.user == 'other') return polkit.Result.NO;
  try { polkit.spawn(['/run/slow']); } catch (error) { }
  return polkit.Result.YES;
"""


def setUpModule():
    global machine
    machine = ctl.Machine(RULES)


class SetTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.setting = f"queue:{self.loop.name}:read_ahead_kb"
        self.before = self.loop.dump()

    def assertUntouched(self):
        self.assertEqual(self.loop.dump(), self.before)
        self.assertEqual(ctl.tokens(), [])

    def test_applies_lists_and_undoes(self):
        result = ctl.run("set", f"{self.setting}=4096")
        self.assertEqual((result.code, result.outcome), (0, "applied"), result)
        step = result.json["steps"][0]
        self.assertEqual((step["setting"], step["before"], step["requested"], step["after"], step["result"]),
                         (self.setting, 128, 4096, 4096, "applied"))
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "4096")
        self.assertIsNone(result.json["trial"])
        self.assertEqual(ctl.tokens(), [])
        history = ctl.run("history").json["transactions"]
        entry = next(entry for entry in history if entry["transaction"] == result.json["transaction"])
        self.assertEqual((entry["outcome"], entry["uid"], entry["undoable"]), ("applied", bench.USER, True))
        refused = ctl.run("undo", "--keep-at-start", result.json["transaction"])
        self.assertEqual((refused.code, refused.json["error"]["input"]), (3, "--keep-at-start"), refused)
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "4096")
        undone = ctl.run("undo", result.json["transaction"])
        self.assertEqual((undone.code, undone.outcome), (0, "undone"), undone)
        self.assertEqual(undone.json["steps"][0]["after"], 128)
        self.assertUntouched()
        again = ctl.run("undo", result.json["transaction"])
        self.assertEqual((again.code, again.json["error"]["code"]), (3, "not-undoable"), again)

    def test_a_foreign_change_is_named_and_undone_only_by_force(self):
        result = ctl.run("set", f"{self.setting}=4096")
        self.loop.write("queue/read_ahead_kb", 512)
        undone = ctl.run("undo", result.json["transaction"])
        self.assertEqual((undone.code, undone.json["error"]["code"]), (3, "stale"), undone)
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "512")
        undone = ctl.run("undo", "--force", result.json["transaction"])
        self.assertEqual((undone.code, undone.outcome), (0, "undone"), undone)
        self.assertUntouched()

    def test_a_scheduler_and_what_depends_on_it(self):
        name = self.loop.name
        result = ctl.run("set", f"iosched:{name}:mq-deadline/read_expire=222", f"queue:{name}:nr_requests=64",
                         f"queue:{name}:scheduler=mq-deadline")
        self.assertEqual(result.code, 0, result)
        self.assertIn(result.outcome, ("applied", "adjusted"))
        steps = {step["setting"]: step for step in result.json["steps"]}
        self.assertEqual(list(steps)[0], f"queue:{name}:scheduler")
        expire = steps[f"iosched:{name}:mq-deadline/read_expire"]
        self.assertEqual(str(expire["after"]), self.loop.read("queue/iosched/read_expire"))
        self.assertEqual(expire["result"], "applied" if expire["after"] == 222 else "adjusted")
        self.assertEqual(self.loop.read("queue/nr_requests"), "64")
        self.assertEqual(ctl.run("undo", result.json["transaction"]).outcome, "undone")
        self.assertUntouched()

    def test_the_kernels_no_puts_all_back(self):
        # A disk's most can't be below its least.
        self.loop.write("bdi/min_ratio", 10)
        self.addCleanup(self.loop.write, "bdi/min_ratio", 0)
        result = ctl.run("set", f"{self.setting}=4096", f"bdi:{self.loop.name}:max_ratio=5")
        self.assertEqual((result.code, result.outcome), (5, "rolled-back"), result)
        by_name = {step["setting"]: step for step in result.json["steps"]}
        refused = by_name[f"bdi:{self.loop.name}:max_ratio"]
        self.assertEqual((refused["result"], refused["errno"]), ("rejected", 22), result)
        self.assertEqual(self.loop.read("bdi/max_ratio"), "100")
        self.assertIn("error", result.json)
        self.assertUntouched()

    def test_unchanged_asks_nobody(self):
        machine.kill_helper()
        result = ctl.run("set", f"{self.setting}=128")
        self.assertEqual((result.code, result.outcome), (0, "unchanged"), result)
        self.assertIsNone(machine.helper_pid())

    def test_dry_run_asks_nobody(self):
        machine.kill_helper()
        result = ctl.run("set", "--dry-run", f"{self.setting}=4096", "--try", "60")
        self.assertEqual((result.code, result.outcome), (0, "planned"), result)
        # What can't be kept here is said before anything is asked.
        kept = ctl.run("set", "--dry-run", f"{self.setting}=4096", "--keep")
        self.assertEqual((kept.code, kept.outcome), (3, "refused"), kept)
        self.assertIn(kept.json["error"]["code"], ("needs-systemd", "no-stable-id"))
        self.assertIsNone(machine.helper_pid())
        self.assertUntouched()

    def test_denied(self):
        result = ctl.run("set", f"{self.setting}=4096", uid=bench.OTHER)
        self.assertEqual((result.code, result.outcome), (4, "not-authorized"), result)
        self.assertEqual(result.json["error"]["code"], "not-authorized")
        self.assertIn("agent", result.err)
        self.assertUntouched()
        self.assertEqual(ctl.tokens(bench.OTHER), [])

    def test_keeping_needs_systemd(self):
        self.assertEqual(ctl.run("set", f"{self.setting}=4096").code, 0)
        kept = ctl.run("keep", self.setting)
        self.assertEqual(kept.code, 3, kept)
        self.assertIn(kept.json["error"]["code"], ("needs-systemd", "no-stable-id"))
        self.assertFalse(os.path.exists("/etc/udev/rules.d/80-diskwright.rules"))

    def test_two_clients_at_once(self):
        slow = pathlib.Path("/run/slow")
        slow.write_text("#!/bin/sh\nsleep 2\n")
        slow.chmod(0o755)
        self.addCleanup(slow.unlink)
        first = ctl.start("set", f"{self.setting}=4096")
        bench.eventually(machine.helper_pid, what="the helper")
        second = ctl.start("set", f"{self.setting}=2048")
        results = sorted((ctl.finish(first), ctl.finish(second)), key=lambda result: result.code)
        self.assertEqual([result.code for result in results], [0, 7], results)
        self.assertEqual(results[1].outcome, "busy")
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), str(results[0].json["steps"][0]["after"]))
        self.assertEqual(ctl.tokens(), [])

    def test_equivalent_commands_work_when_pasted(self):
        sudoers = pathlib.Path("/etc/sudoers.d/test")
        sudoers.write_text("user ALL=(ALL) NOPASSWD: ALL\n")
        sudoers.chmod(0o440)
        self.addCleanup(sudoers.unlink)
        # sudo says so on its error stream if it can't find its own machine's name.
        with open("/etc/hosts", "a") as hosts:
            hosts.write(f"127.0.0.1 {os.uname().nodename}\n")
        name = self.loop.name
        plan = ctl.run("set", "--dry-run", f"queue:{name}:scheduler=mq-deadline", f"queue:{name}:nr_requests=100",
                       f"iosched:{name}:mq-deadline/read_expire=200", f"{self.setting}=2048")
        self.assertEqual(plan.code, 0, plan)
        text = "\n".join(plan.json["commands"]) + "\n"
        shell = subprocess.run(["setpriv", "--reuid=1000", "--regid=1000", "--init-groups", "env", "-i",
                                "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/user", "bash"],
                               input=text, capture_output=True, text=True)
        self.assertEqual((shell.returncode, shell.stderr), (0, ""))
        self.assertEqual([self.loop.read(f"queue/{key}")
                          for key in ("scheduler", "nr_requests", "iosched/read_expire", "read_ahead_kb")],
                         ["mq-deadline", "100", "200", "2048"])

    def test_equivalent_commands_for_memory_are_one_sysctl_each(self):
        tools = pathlib.Path("/run/tools")
        tools.mkdir(exist_ok=True)
        (tools / "sudo").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        (tools / "sudo").chmod(0o755)
        now = int(pathlib.Path("/proc/sys/vm/dirty_ratio").read_text())
        wanted = 61 if now != 61 else 62
        plan = ctl.run("set", "--dry-run", f"vm::dirty_ratio={wanted}")
        self.assertEqual(plan.code, 0, plan)
        shell = subprocess.run(["bash", "-c", plan.json["commands"][0]], capture_output=True, text=True,
                               env={"PATH": f"{tools}:/usr/bin:/bin"})
        self.assertEqual(shell.stdout.split(), ["sysctl", "-w", f"vm.dirty_ratio={wanted}"], shlex.join(shell.args))


if __name__ == "__main__":
    unittest.main()
