# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong around the helper: a bus that goes, a program that is replaced, kernel files that can't be written,
state files that somebody else made, tools that change the same values, and little memory."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

import bench
import wire

INJECT = pathlib.Path("/run/inject")
STATE = pathlib.Path("/var/lib/diskwright")
ABSENT, READ_ONLY = 11, 12


def setUpModule():
    global machine
    machine = bench.Machine("yes", wrapper="$(cat /run/inject)")
    INJECT.write_text("")


class EdgeTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.before = self.loop.dump()

    def fault(self, command):
        machine.kill_helper()
        INJECT.write_text(command)

    def tearDown(self):
        self.fault("")

    def plan(self):
        return wire.apply_request(bench.fresh_id(), [self.loop.identity()],
                                  [(0, "queue/read_ahead_kb", 128, 4096), (0, "queue/scheduler", "none", "mq-deadline")])

    def state(self):
        return self.loop.read("queue/read_ahead_kb"), self.loop.read("queue/scheduler")

    def assertServes(self):
        identity = bench.fresh_id()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, identity=identity))
        self.assertEqual(getattr(reply, "outcome", reply), "applied", reply)
        self.assertEqual(bench.call("tune", wire.operation(bench.fresh_id(), 9, identity, False, False)).outcome, "undone")
        self.assertEqual(self.loop.dump(), self.before)
        self.assertEqual(bench.open_journals(), [])

    def begin_slowly(self):
        """A plan that takes seconds, by a client that waits; returned once its journal is there."""
        self.assertServes()
        self.fault("strace -f -qqq -o /dev/null -P queue/scheduler -e inject=openat2:delay_enter=400000")
        read_end, write_end = os.pipe()
        self.addCleanup(os.close, write_end)
        plan = wire.arguments(self.plan())
        pid, collect = bench.as_user(
            bench.USER, lambda: bench.raw_call(f"{bench.NAME}.tune", plan, {"cancel": read_end}), wait=False)
        os.close(read_end)
        bench.eventually(bench.open_journals, 20, "the journal")
        return pid, collect

    def test_the_bus_goes_in_mid_plan(self):
        """The helper ends what it does, cannot answer, and leaves; a new bus finds everything in order."""
        _, collect = self.begin_slowly()
        helper = machine.helper_pid()
        machine.bus_process.kill()
        machine.bus_process.wait()
        self.assertNotEqual(bench.open_journals(), [], "too late")
        self.assertIn("DBus.Error", collect())
        bench.eventually(lambda: not os.path.exists(f"/proc/{helper}"), 40, "the helper's end")
        INJECT.write_text("")
        self.assertIn(self.state(), (("128", "none"), ("4096", "mq-deadline")))
        pathlib.Path("/run/dbus/system_bus_socket").unlink(missing_ok=True)
        machine.polkit.kill()
        machine.polkit.wait()
        machine.start_bus()
        machine.start_polkit()
        bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN))
        self.assertIn(self.state(), (("128", "none"), ("4096", "mq-deadline")))
        self.loop.write("queue/scheduler", "none")
        self.loop.write("queue/read_ahead_kb", 128)
        self.assertServes()

    def test_the_helper_is_replaced_in_mid_plan(self):
        """As an upgrade does it: another file in its place, and the running one is asked to end."""
        program = bench.LIBEXEC / "diskwright-helper"
        fresh = program.with_suffix(".new")
        shutil.copy(program, fresh)
        _, collect = self.begin_slowly()
        fresh.rename(program)
        os.kill(machine.helper_pid(), signal.SIGTERM)
        self.assertIn("NoReply", collect())
        bench.eventually(lambda: machine.helper_pid() is None, 10, "the old one's end")
        INJECT.write_text("")
        bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN))
        self.assertEqual(self.state(), ("128", "none"))
        self.assertServes()

    def test_a_call_that_meets_the_end_of_an_idle_helper(self):
        """Held up until it has been idle for too long, with a call waiting: the call is carried out all the same."""
        self.assertServes()
        helper = machine.helper_pid()
        os.kill(helper, signal.SIGSTOP)
        try:
            time.sleep(11)
            request = wire.arguments(bench.read_ahead(self.loop, 4096))
            _, collect = bench.as_user(bench.USER, lambda: bench.raw_call(f"{bench.NAME}.tune", request), wait=False)
            time.sleep(0.5)
        finally:
            os.kill(helper, signal.SIGCONT)
        reply = wire.Reply(collect())
        self.assertEqual(reply.outcome, "applied", reply)
        self.loop.write("queue/read_ahead_kb", 128)
        bench.eventually(lambda: machine.helper_pid() is None, 30, "the end of a helper that nobody needs")
        self.assertServes()

    def test_no_program_is_started_but_our_own(self):
        """A scheduler's module is the kernel's business; only the keeper of a deadline is a program of its own."""
        log = pathlib.Path("/run/programs")
        self.fault(f"strace -f -qqq -e trace=execve,execveat -o {log}")
        for scheduler in ("bfq", "kyber", "adios", "none"):
            now = self.loop.read("queue/scheduler")
            bench.call("tune", wire.apply_request(bench.fresh_id(), [self.loop.identity()],
                                                  [(0, "queue/scheduler", now, scheduler)]))
        identity = bench.fresh_id()
        reply = bench.call("plan", bench.read_ahead(self.loop, 4096, trial=60, identity=identity))
        self.assertEqual(reply.outcome, "trial", reply)
        bench.call("settle", wire.operation(bench.fresh_id(), 4, identity, wire.TOKEN, None))
        self.assertIn(bench.call("plan", wire.operation(bench.fresh_id(), 10)).outcome, ("undone", "unchanged"))
        machine.kill_helper()
        started = set(re.findall(r'execve(?:at)?\((?:\w+, )?"([^"]+)"', log.read_text()))
        self.assertEqual(started, {str(bench.LIBEXEC / name) for name in ("diskwright-helper", "diskwright-boot")})
        self.assertEqual(self.loop.dump(), self.before)

    def test_a_read_only_sysfs(self):
        subprocess.run("mount --bind /sys /sys && mount -o remount,bind,ro /sys", shell=True, check=True)
        try:
            self.fault("")
            reply = bench.call("tune", self.plan())
            self.assertEqual((reply.outcome, reply.why), ("refused", READ_ONLY), reply)
            self.assertIn("unsupported", reply.steps)
            self.assertEqual(bench.open_journals(), [])
        finally:
            machine.kill_helper()
            subprocess.run(["umount", "--lazy", "/sys"], check=True)
        self.assertServes()

    def test_a_read_only_or_missing_attribute(self):
        """One of a plan is refused by name before anything is written; the rest of the plan is not done either."""
        attribute = self.loop.path / "queue/read_ahead_kb"
        ahead, requests = (0, "queue/read_ahead_kb", 128, 4096), (0, "queue/nr_requests", 128, 64)
        # Of a scheduler that is not the active one.
        absent = (0, "iosched/mq-deadline/read_expire", 500, 252)
        mode = attribute.stat().st_mode & 0o7777
        self.addCleanup(attribute.chmod, mode)
        for changes, culprit, why, mode_now in (([requests, ahead], 1, READ_ONLY, 0o444), ([absent], 0, ABSENT, mode),
                                                ([ahead, requests, absent], 2, ABSENT, mode)):
            attribute.chmod(mode_now)
            reply = bench.call("tune", wire.apply_request(bench.fresh_id(), [self.loop.identity()], changes))
            self.assertEqual((reply.outcome, reply.why, reply.report[5]), ("refused", why, culprit), (changes, reply))
            self.assertEqual(reply.steps[culprit], "unsupported", (changes, reply))
            self.assertEqual(self.loop.dump(), self.before, changes)
            self.assertEqual(bench.open_journals(), [], changes)
        self.assertServes()

    def test_no_kernel_behind_proc_sys(self):
        """A folder that only looks like it, with files that could be written."""
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/proc/sys/vm"], check=True)
        try:
            fake = pathlib.Path("/proc/sys/vm/swappiness")
            fake.write_text("60\n")
            self.assertTrue(os.path.ismount("/proc/sys/vm"))
            self.fault("")
            reply = bench.call("tune", wire.apply_request(bench.fresh_id(), [], [(None, "vm/swappiness", 60, 61)]))
            self.assertEqual((reply.outcome, reply.why), ("refused", ABSENT), reply)
            self.assertEqual(fake.read_text(), "60\n")
            self.assertServes()
        finally:
            machine.kill_helper()
            subprocess.run(["umount", "--lazy", "/proc/sys/vm"], check=True)

    def test_little_memory_and_few_descriptors(self):
        """From too little to start at all to enough: done, or not begun, and never in between."""
        for what, amounts in (("nofile", (*range(4, 40, 2), 64)), ("as", [mib << 20 for mib in (*range(40, 300, 12), 4000)])):
            said = []
            for amount in amounts:
                self.fault(f"prlimit --{what}={amount}")
                reply = bench.call("tune", self.plan())
                said.append(reply if isinstance(reply, str) else reply.outcome or f"error {reply.error}")
                found = self.state()
                if said[-1] == "applied":
                    self.assertEqual(found, ("4096", "mq-deadline"), (what, amount))
                elif "DBus.Error" not in said[-1]:
                    self.assertEqual(found, ("128", "none"), (what, amount, said[-1]))
                self.fault("")
                bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN))
                after = self.state()
                self.assertIn(after, (("128", "none"), ("4096", "mq-deadline")), (what, amount, said[-1]))
                if "NoReply" not in said[-1]:
                    self.assertEqual(after, found, (what, amount, said[-1]))
                self.assertEqual(bench.open_journals(), [], (what, amount, said[-1]))
                self.loop.write("queue/scheduler", "none")
                self.loop.write("queue/read_ahead_kb", 128)
            self.assertEqual(said[-1], "applied", said)
            self.assertNotEqual(said[0], "applied", said)

    def test_another_tool_changes_a_value_on_trial(self):
        """What it set stays; what is still ours goes back; the answer says which is which."""
        for by_deadline in (True, False):
            identity = bench.fresh_id()
            request = wire.apply_request(identity, [self.loop.identity()],
                                         [(0, "queue/read_ahead_kb", 128, 4096), (0, "queue/nr_requests", 128, 64)],
                                         trial=5 if by_deadline else 600)
            self.assertEqual(bench.call("tune", request).outcome, "trial")
            self.loop.write("queue/read_ahead_kb", 512)
            if by_deadline:
                machine.kill_helper()
                bench.eventually(lambda: self.loop.read("queue/nr_requests") == "128", 15, "the deadline")
                bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")
            else:
                reply = bench.call("settle", wire.operation(bench.fresh_id(), 4, identity, wire.TOKEN, None))
                self.assertEqual((reply.outcome, reply.why, reply.steps), ("ended", wire.STALE, ["stale", "rolled-back"]))
            self.assertEqual((self.loop.read("queue/read_ahead_kb"), self.loop.read("queue/nr_requests")), ("512", "128"))
            self.loop.write("queue/read_ahead_kb", 128)
        self.assertEqual(self.loop.dump(), self.before)

    def plant(self, folder):
        """Things that are no journals of ours, under names that could be."""
        def name():
            return folder / os.urandom(16).hex()

        for number, text in enumerate((b"", b"\xff" * 4096, b"\xa3" * 40, bytes(1 << 21), b"{}")):
            path = name()
            path.write_bytes(text)
            path.chmod(0o600 if number else 0o644)
        os.symlink("/etc/shadow", name())
        os.symlink("/root/nowhere", name())
        os.mkfifo(name(), 0o600)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(name()))
        name().mkdir(mode=0o700)
        given = name()
        given.write_bytes(b"\xa1")
        os.chown(given, bench.USER, bench.USER)
        (folder / "notes\n").write_bytes(b"x")

    def test_state_files_of_somebody_else(self):
        self.assertServes()
        shadow = pathlib.Path("/etc/shadow").read_bytes()
        # A real journal, taken away and brought back as a newer version, cut short, and with another owner.
        identity = bench.fresh_id()
        self.assertEqual(bench.call("tune", bench.read_ahead(self.loop, 4096, trial=5, identity=identity)).outcome, "trial")
        journal = (STATE / "txn" / identity.hex()).read_bytes()
        bench.eventually(lambda: self.loop.dump() == self.before, 15, "the trial's end")
        bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")
        for bytes_, uid in ((journal[:2] + b"\x18\x63" + journal[3:], 0), (journal[:-1], 0), (journal, bench.USER)):
            for folder in ("txn", "record"):
                path = STATE / folder / os.urandom(16).hex()
                path.write_bytes(bytes_)
                path.chmod(0o600)
                os.chown(path, uid, uid)
        for folder in ("txn", "record", "history"):
            self.plant(STATE / folder)
        os.symlink("/etc/shadow", "/run/diskwright/hold/sda")
        machine.kill_helper()
        self.assertServes()
        self.assertEqual(pathlib.Path("/etc/shadow").read_bytes(), shadow)
        self.assertFalse(os.path.lexists("/root/nowhere"))
        self.assertEqual(len(os.listdir(STATE / "txn/quarantine")), 15)
        restored = bench.call("plan", wire.operation(bench.fresh_id(), 10))
        self.assertIn(restored.outcome, ("unchanged", "undone", "rollback-failed"), restored)
        self.assertServes()
        for folder in ("txn/quarantine", "record", "history"):
            for path in (STATE / folder).iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def test_state_folders_of_somebody_else(self):
        """Nothing is begun where a folder or the lock is a link, or another user's: and nothing behind it is touched."""
        self.assertServes()
        elsewhere = pathlib.Path("/run/elsewhere")
        elsewhere.mkdir()
        for path in (STATE, STATE / "txn", STATE / "record", STATE / "history", pathlib.Path("/run/diskwright/lock"),
                     pathlib.Path("/run/diskwright/hold")):
            machine.kill_helper()
            aside = path.with_name(path.name + ".aside")
            path.rename(aside)
            for what in ("a link", "another's"):
                if what == "a link":
                    path.symlink_to(elsewhere / "target" if path.name == "lock" else elsewhere)
                elif path.name == "lock":
                    path.mkdir()
                else:
                    path.mkdir()
                    os.chown(path, bench.USER, bench.USER)
                reply = bench.call("tune", self.plan())
                self.assertEqual((reply.outcome, reply.why), ("refused", wire.STATE_FILE), (path, what, reply))
                self.assertEqual(self.loop.dump(), self.before)
                self.assertEqual(os.listdir(elsewhere), [])
                machine.kill_helper()
                path.unlink() if path.is_symlink() else path.rmdir()
            aside.rename(path)
            self.assertServes()
        elsewhere.rmdir()

    def test_two_clients_race(self):
        """For one value of one disk, again and again: one of them wins, and what it was told is so."""
        for turn in range(12):
            self.loop.write("queue/read_ahead_kb", 128)
            wanted = (1024, 2048)
            # Both have seen 128, however slowly the first one begins.
            requests = [wire.arguments(bench.read_ahead(self.loop, value)) for value in wanted]
            calls = [bench.as_user(uid, lambda request=request: bench.raw_call(f"{bench.NAME}.tune", request), wait=False)
                     for uid, request in zip((bench.USER, bench.OTHER), requests)]
            replies = [wire.Reply(collect()) for _, collect in calls]
            won = [value for value, reply in zip(wanted, replies) if reply.outcome == "applied"]
            lost = [reply for reply in replies if reply.outcome != "applied"]
            self.assertEqual(len(won), 1, (turn, replies))
            self.assertTrue((lost[0].kind, lost[0].error) == (0, 6) or
                            (lost[0].outcome, lost[0].why) in (("refused", wire.STALE), ("busy", wire.BUSY)), replies)
            self.assertEqual(self.loop.read("queue/read_ahead_kb"), str(won[0]))
        self.loop.write("queue/read_ahead_kb", 128)


if __name__ == "__main__":
    unittest.main(verbosity=2)
