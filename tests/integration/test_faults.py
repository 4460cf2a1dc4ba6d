# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults injected into the unmodified helper (strace) at journal, fsync, rename and write points, and kill -9 of it and
of its client: all old or all new afterwards, and what was answered is true."""

import contextlib
import errno
import os
import pathlib
import signal
import subprocess
import time
import unittest

import bench
import wire

INJECT = pathlib.Path("/run/inject")


def setUpModule():
    global machine
    machine = bench.Machine("yes", wrapper="$(cat /run/inject)")
    INJECT.write_text("")


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.old = self.state()
        self.new = {"read_ahead_kb": "4096", "scheduler": "mq-deadline"}

    def state(self):
        return {name: self.loop.read(f"queue/{name}") for name in ("read_ahead_kb", "scheduler")}

    def plan(self, identity):
        return wire.apply_request(identity, [self.loop.identity()],
                                  [(0, "queue/read_ahead_kb", 128, 4096), (0, "queue/scheduler", "none", "mq-deadline")])

    def attempt(self, inject):
        """One plan under a fault; what it said, then what the next start makes of it."""
        machine.kill_helper()
        INJECT.write_text(f"strace -f -qqq -o /dev/null {inject}" if inject else "")
        identity = bench.fresh_id()
        reply = bench.call("tune", self.plan(identity))
        said = reply if isinstance(reply, str) else reply.outcome or f"error {reply.error}"
        found = self.state()
        if said == "applied":
            self.assertEqual(found, self.new, inject)
        elif said in ("refused", "rolled-back", "busy"):
            self.assertEqual(found, self.old, inject)
        else:
            self.assertIn("NoReply", said, inject)
        machine.kill_helper()
        INJECT.write_text("")
        # Any call starts a helper, which recovers before it serves.
        bench.call("settle", wire.operation(bench.fresh_id(), 2, identity, wire.TOKEN))
        after = self.state()
        self.assertIn(after, (self.old, self.new), inject)
        if "NoReply" not in said:
            self.assertEqual(after, found, inject)
        self.assertEqual(bench.open_journals(), [], inject)
        self.assertEqual(os.listdir("/var/lib/diskwright/txn/quarantine"), [], inject)
        self.loop.write("queue/scheduler", "none")
        self.loop.write("queue/read_ahead_kb", 128)
        self.assertEqual(self.state(), self.old)
        return said

    def sweep(self, call, action, most=40):
        seen = []
        for number in range(1, most):
            seen.append(self.attempt(f"-e inject={call}:{action}:when={number}"))
            if seen[-1] == "applied" and number > 1 and seen[-2] == "applied":
                break
        else:
            self.fail(f"{call} {action} never ended: {seen}")
        self.assertTrue(any(said != "applied" for said in seen), f"{call} {action}: nothing was disturbed")
        return seen

    def test_without_a_fault(self):
        self.assertEqual(self.attempt(""), "applied")

    def test_killed_at_every_fsync(self):
        self.assertIn("org.freedesktop.DBus.Error.NoReply", self.sweep("fsync", "signal=KILL"))

    def test_failing_fsync(self):
        self.assertIn("refused", self.sweep("fsync", "error=EIO"))

    def test_killed_at_every_rename(self):
        self.sweep("rename,renameat,renameat2", "signal=KILL")

    def test_failing_rename(self):
        self.sweep("rename,renameat,renameat2", "error=EROFS")

    def test_putting_everything_back(self):
        """Killed, or with a failing disk, at each sync: whoever comes next goes on, or nothing was begun."""
        for action in ("signal=KILL", "error=EIO"):
            seen = []
            for number in range(1, 20):
                machine.kill_helper()
                INJECT.write_text("")
                self.assertEqual(bench.call("tune", self.plan(bench.fresh_id())).outcome, "applied")
                machine.kill_helper()
                INJECT.write_text(f"strace -f -qqq -o /dev/null -e inject=fsync:{action}:when={number}")
                reply = bench.call("plan", wire.operation(bench.fresh_id(), 10))
                said = reply if isinstance(reply, str) else reply.outcome or f"error {reply.error}"
                found = self.state()
                if said == "undone":
                    self.assertEqual(found, self.old, number)
                elif "NoReply" not in said:
                    self.assertEqual((said, found), ("refused", self.new), number)
                machine.kill_helper()
                INJECT.write_text("")
                bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN))
                self.assertIn(self.state(), (self.old, self.new), number)
                self.assertEqual(bench.open_journals(), [], number)
                again = bench.call("plan", wire.operation(bench.fresh_id(), 10))
                self.assertIn(again.outcome, ("undone", "unchanged"), number)
                self.assertEqual(self.state(), self.old, number)
                seen.append(said)
                if len(seen) > 1 and seen[-2:] == ["undone", "undone"] and number > 8:
                    break
            self.assertTrue(any(said != "undone" for said in seen), seen)

    def test_a_confirmation_is_answered_by_what_the_deadline_finds(self):
        """Whatever sync fails: "confirmed" stays, and what was refused can be ended still."""
        seen = set()
        for number in range(1, 9):
            identity = bench.fresh_id()
            trial = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=60, identity=identity))
            self.assertEqual(trial.outcome, "trial", trial)
            machine.kill_helper()
            INJECT.write_text(f"strace -f -qqq -o /dev/null -e inject=fsync:error=EIO:when={number}")
            said = bench.call("settle", wire.operation(bench.fresh_id(), 2, identity, wire.TOKEN)).outcome
            machine.kill_helper()
            INJECT.write_text("")
            ended = bench.call("settle", wire.operation(bench.fresh_id(), 4, identity, wire.TOKEN, None))
            found = self.state()["read_ahead_kb"]
            if said == "confirmed":
                self.assertEqual((ended.why, found), (wire.EXPIRED, "4096"), number)
                self.loop.write("queue/read_ahead_kb", 128)
            else:
                self.assertEqual((said, ended.outcome, found), ("refused", "ended", "128"), number)
            self.assertEqual(bench.open_journals(), [], number)
            seen.add(said)
        self.assertEqual(seen, {"confirmed", "refused"})

    def test_writes_to_the_kernel(self):
        attribute = os.path.realpath(f"/sys/block/{self.loop.name}/queue/scheduler")
        for action in ("error=EIO", "error=EINVAL", "retval=1"):
            self.assertEqual(self.attempt(f"-P {attribute} -e inject=write:{action}:when=1"), "rolled-back", action)
        self.assertIn("NoReply", self.attempt(f"-P {attribute} -e inject=write:signal=KILL:when=1"))

    def test_a_full_disk_refuses_before_anything_is_written(self):
        machine.kill_helper()
        INJECT.write_text("")
        folder = pathlib.Path("/var/lib/diskwright")
        folder.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "tmpfs", folder], check=True)
        try:
            self.assertEqual(bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN)).outcome,
                             "refused")
            with contextlib.suppress(OSError), open(folder / "ballast", "wb", buffering=0) as ballast:
                while ballast.write(bytes(4096)):
                    pass
            reply = bench.call("tune", self.plan(bench.fresh_id()))
            self.assertEqual((reply.outcome, reply.why, reply.report[4]), ("refused", wire.STATE_FILE, errno.ENOSPC))
            self.assertEqual(self.state(), self.old)
            # A trial that runs when the disk fills up ends all the same.
            (folder / "ballast").unlink()
            reply = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=5))
            self.assertEqual(reply.outcome, "trial", reply)
            with contextlib.suppress(OSError), open(folder / "ballast", "wb", buffering=0) as ballast:
                while ballast.write(bytes(4096)):
                    pass
            bench.eventually(lambda: self.state() == self.old, 15, "the trial's end")
            bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")
        finally:
            machine.kill_helper()
            subprocess.run(["umount", "--lazy", folder], check=True)

    def test_journals_that_cannot_be_read_hold_everything(self):
        """What is on trial is not known then, so nothing else is begun; the trial ends all the same."""
        folder = "/var/lib/diskwright/txn"
        for what, inject in (("the folder", f"-P {folder} -e inject=getdents64:error=EIO"),
                             ("a journal", "-P {journal} -e inject=read:error=EIO")):
            machine.kill_helper()
            INJECT.write_text("")
            trial = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=6))
            self.assertEqual(trial.outcome, "trial", trial)
            machine.kill_helper()
            [journal] = bench.open_journals()
            INJECT.write_text("strace -f -qqq -o /dev/null " + inject.format(journal=f"{folder}/{journal}"))
            reply = bench.call("tune", bench.read_ahead(self.loop, 512, expected=4096))
            self.assertEqual((reply.outcome, reply.why, reply.report[4]), ("refused", wire.STATE_FILE, errno.EIO), what)
            self.assertEqual(self.state()["read_ahead_kb"], "4096", what)
            machine.kill_helper()
            INJECT.write_text("")
            bench.eventually(lambda: self.state() == self.old, 15, "the trial's end")
            bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")

    def test_the_client_dies_in_mid_plan(self):
        INJECT.write_text("strace -f -qqq -o /dev/null -e inject=fsync:delay_enter=300000:when=1+")
        machine.kill_helper()

        def client():
            read_end, write_end = os.pipe()
            os.set_inheritable(write_end, False)
            return bench.raw_call("org.diskwright.helper.tune", wire.arguments(self.plan(bench.fresh_id())),
                                  {"cancel": read_end})

        pid, collect = bench.as_user(bench.USER, client, wait=False)
        bench.eventually(bench.open_journals, 20, "the journal")
        os.kill(pid, signal.SIGKILL)
        self.assertIsNone(collect())
        bench.eventually(lambda: bench.open_journals() == [], 20, "the roll-back")
        self.assertEqual(self.state(), self.old)
        INJECT.write_text("")
        machine.kill_helper()


class PolkitTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.before = self.loop.dump()

    def test_a_hung_polkit_blocks_nobody_longer_than_its_caller_waits(self):
        self.assertEqual(bench.call("tune", bench.read_ahead(self.loop, 4096)).outcome, "applied")
        self.loop.write("queue/read_ahead_kb", 128)
        os.kill(machine.polkit.pid, signal.SIGSTOP)
        try:
            request = bench.read_ahead(self.loop, 4096)
            pid, collect = bench.as_user(bench.USER, lambda: bench.raw_call("org.diskwright.helper.tune",
                                                                            wire.arguments(request)), wait=False)
            time.sleep(1)
            start = time.monotonic()
            busy = bench.call("tune", bench.read_ahead(self.loop, 8192))
            self.assertEqual((busy.kind, busy.error), (0, 6))
            self.assertLess(time.monotonic() - start, 1.5)
            os.kill(pid, signal.SIGKILL)
            collect()
            bench.eventually(lambda: machine.helper_pid() is None, 4, "the helper's leaving")
        finally:
            os.kill(machine.polkit.pid, signal.SIGCONT)
        self.assertEqual(self.loop.dump(), self.before)
        self.assertEqual(bench.call("tune", bench.read_ahead(self.loop, 4096)).outcome, "applied")

    def test_an_absent_polkit_refuses_soon(self):
        machine.kill_helper()
        machine.polkit.kill()
        machine.polkit.wait()
        pathlib.Path("/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service").unlink(missing_ok=True)
        start = time.monotonic()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096))
        self.assertEqual(reply, "org.diskwright.helper.Error.NoPolkit")
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(self.loop.dump(), self.before)
        machine.start_polkit()
        bench.eventually(lambda: machine.helper_pid() is None, 15, "the helper's leaving")
        self.assertEqual(bench.call("tune", bench.read_ahead(self.loop, 4096)).outcome, "applied")


if __name__ == "__main__":
    unittest.main(verbosity=2)
