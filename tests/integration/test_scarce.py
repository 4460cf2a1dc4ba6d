# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A helper that runs out of descriptors or is killed while it applies, ends, confirms or undoes: what it answers is
true, and nothing is left half done. A polkit that stops in mid-plan. Confirming at the very last moment."""

import fcntl
import os
import pathlib
import signal
import time
import unittest

import bench
import wire

INJECT = pathlib.Path("/run/inject")
OLD, NEW = "128", "4096"


def setUpModule():
    global machine
    machine = bench.Machine("yes", wrapper="$(cat /run/inject)")
    INJECT.write_text("")


class ScarceTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)

    def now(self):
        return self.loop.read("queue/read_ahead_kb")

    def fault(self, inject):
        machine.kill_helper()
        INJECT.write_text(f"strace -f -qqq -o /dev/null {inject}" if inject else "")

    def calm(self):
        """The fault is over, and a fresh helper has looked at what was left."""
        self.fault("")
        bench.call("settle", wire.operation(bench.fresh_id(), 2, bytes(16), wire.TOKEN))

    def trial(self, seconds=60):
        identity = bench.fresh_id()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=seconds, identity=identity))
        self.assertEqual(reply.outcome, "trial", reply)
        return identity

    def end(self, identity):
        return bench.call("settle", wire.operation(bench.fresh_id(), 4, identity, wire.TOKEN, None))

    def finish(self, identity):
        self.calm()
        self.end(identity)
        self.loop.write("queue/read_ahead_kb", 128)
        self.assertEqual(bench.open_journals(), [])
        self.assertEqual(os.listdir("/var/lib/diskwright/txn/quarantine"), [])

    def settled(self, inject):
        """One end and one confirmation of a trial under a fault; true if the fault was too late to matter."""
        late = True
        for operation, good, value in ((4, "ended", OLD), (2, "confirmed", NEW)):
            identity = self.trial()
            self.fault(inject)
            fields = (None,) if operation == 4 else ()
            reply = bench.call("settle", wire.operation(bench.fresh_id(), operation, identity, wire.TOKEN, *fields))
            said = reply if isinstance(reply, str) else reply.outcome
            what = (inject, operation, reply)
            if said == good:
                self.assertEqual(self.now(), value, what)
            else:
                late = False
            self.calm()
            if said == "rollback-failed":
                self.assertEqual(self.now(), OLD, what)
            if said != good and self.now() == NEW and operation == 4:
                # Whoever was not told that it is over can still end it.
                self.assertEqual(self.end(identity).outcome, "ended", what)
                self.assertEqual(self.now(), OLD, what)
            self.assertIn(self.now(), (OLD, NEW), what)
            self.finish(identity)
        return late

    def changed(self, inject):
        """An applied plan and its undoing under a fault."""
        late = True
        for undo in (False, True):
            identity = bench.fresh_id()
            if undo:
                reply = bench.call("tune", bench.read_ahead(self.loop, 4096, identity=identity))
                self.assertEqual(reply.outcome, "applied", reply)
            before, after = (NEW, OLD) if undo else (OLD, NEW)
            request = wire.operation(bench.fresh_id(), 9, identity, False, False) if undo else \
                bench.read_ahead(self.loop, 4096, identity=identity)
            self.fault(inject)
            reply = bench.call("tune", request)
            said = reply if isinstance(reply, str) else reply.outcome
            found = self.now()
            if said in ("applied", "undone"):
                self.assertEqual(found, after, (inject, reply))
            else:
                late = False
            if said in ("refused", "rolled-back"):
                self.assertEqual(found, before, (inject, reply))
            self.calm()
            if said not in ("rollback-failed", "org.freedesktop.DBus.Error.NoReply"):
                self.assertEqual(self.now(), found, (inject, reply))
            if said == "rollback-failed":
                self.assertEqual(self.now(), before, (inject, reply))
            self.loop.write("queue/read_ahead_kb", 128)
            self.assertEqual(bench.open_journals(), [], (inject, reply))
        return late

    def sweep(self, faults, attempts):
        """One fault after the other until none of the attempts notices; the first has to hit."""
        for number, injects in enumerate(faults, 1):
            late = [attempt(inject) for inject in injects for attempt in attempts]
            if all(late):
                self.assertGreater(number, 1, f"{injects}: nothing was disturbed")
                return
        self.fail(f"{injects} still disturbs")

    def test_descriptors_run_out(self):
        """Each kind of file that a change stands on, at its first, second … opening, once and for good."""
        for name in ("proc/sys/kernel/random/boot_id", "diskseq", "size", "queue/read_ahead_kb"):
            fault = f"-P {name} -e inject=openat2:error=EMFILE:when="
            faults = ((f"{fault}{number}", f"{fault}{number}+") for number in range(1, 24))
            self.sweep(faults, (self.settled, self.changed))

    def test_killed_while_settling(self):
        for call in ("fsync", "rename,renameat,renameat2"):
            self.sweep(((f"-e inject={call}:signal=KILL:when={number}",) for number in range(1, 16)), (self.settled,))

    @staticmethod
    def is_locked():
        with open("/run/diskwright/lock", "rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return False
            except BlockingIOError:
                return True

    def test_polkit_stops_in_mid_plan(self):
        self.calm()
        self.fault("-P diskseq -e inject=openat2:delay_enter=3000000:when=1")
        request = wire.arguments(bench.read_ahead(self.loop, 4096))
        _, collect = bench.as_user(bench.USER, lambda: bench.raw_call(f"{bench.NAME}.plan", request), wait=False)

        def is_checking():
            return all([time.sleep(0.1) or self.is_locked() for _ in range(6)])

        bench.eventually(is_checking, 20, "a plan that is checked")
        machine.polkit.send_signal(signal.SIGSTOP)
        start = time.monotonic()
        try:
            self.assertIn("NoReply", collect())
            self.assertLess(time.monotonic() - start, 50)
            self.assertFalse(self.is_locked())
            self.assertEqual((self.now(), bench.open_journals()), (OLD, []))
        finally:
            machine.polkit.send_signal(signal.SIGCONT)
        self.fault("")
        self.assertEqual(bench.call("plan", bench.read_ahead(self.loop, 4096)).outcome, "applied")
        self.loop.write("queue/read_ahead_kb", 128)

    def test_confirmed_at_the_last_moment(self):
        loops = [bench.Loop() for _ in range(6)]
        for loop in loops:
            self.addCleanup(loop.close)
        trials = []
        for loop in loops:
            identity = bench.fresh_id()
            reply = bench.call("tune", bench.read_ahead(loop, 4096, trial=5, identity=identity))
            self.assertEqual(reply.outcome, "trial", reply)
            trials.append((loop, identity, reply.report[7]))
        answers = []
        for margin, (_, identity, deadline) in zip((60, 45, 30, 20, 10, 0), trials):
            while time.clock_gettime_ns(time.CLOCK_BOOTTIME) < deadline - margin * 1_000_000:
                time.sleep(0.001)
            reply = bench.call("settle", wire.operation(bench.fresh_id(), 2, identity, wire.TOKEN))
            answers.append(reply if isinstance(reply, str) else (reply.outcome, reply.why))
        time.sleep(2)
        for (loop, _, _), answer in zip(trials, answers):
            expected = NEW if answer[0] == "confirmed" else OLD
            self.assertEqual(loop.read("queue/read_ahead_kb"), expected, answers)


if __name__ == "__main__":
    unittest.main(verbosity=2)
