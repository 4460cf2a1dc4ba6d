# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases attacked, with polkit answering yes to everybody: only the token's owner moves one, only among the states that
were reviewed, only so often, and whatever ends it, the first state is back."""

import os
import pathlib
import signal
import subprocess
import time
import unittest

import bench
import wire

CONFIRM, PROLONG, END, SWITCH = 2, 3, 4, 5
SWITCH_LIMIT, UNKNOWN_TRANSACTION = 23, 15
STATES = ["128", "4096", "8192"]


def setUpModule():
    global machine
    machine = bench.Machine("yes")


class LeaseTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.before = self.loop.dump()
        self.read_end, self.write_end = os.pipe()
        self.addCleanup(os.close, self.read_end)

    def tearDown(self):
        if self.write_end >= 0:
            os.close(self.write_end)
        bench.eventually(lambda: bench.open_journals() == [], 10, "the lease's end")
        self.assertEqual(self.loop.dump(), self.before)

    def request(self, identity=None, states=((128,), (4096,), (8192,)), **more):
        return wire.lease_request(identity or bench.fresh_id(), [self.loop.identity()], [(0, "queue/read_ahead_kb", 128)],
                                  [list(state) for state in states], **more)

    def lease(self, **more):
        identity = bench.fresh_id()
        reply = bench.call("plan", self.request(identity, **{"seconds": 600} | more), pipe=self.read_end)
        self.assertEqual(reply.outcome, "lease", reply)
        return identity

    def settle(self, number, identity, *fields, token=wire.TOKEN, uid=bench.USER):
        return bench.call("settle", wire.operation(bench.fresh_id(), number, identity, token, *fields), uid=uid)

    def now(self):
        return self.loop.read("queue/read_ahead_kb")

    def assertMoves(self, identity):
        """The owner's lease is as good as before."""
        for state in (2, 1, 0):
            self.assertEqual(self.settle(SWITCH, identity, state).outcome, "lease")
            self.assertEqual(self.now(), STATES[state])

    def test_forged_tokens_and_other_users(self):
        identity = self.lease()
        forged = [bytes(32), os.urandom(32), wire.TOKEN[:31] + b"\xff", b"\xff" + wire.TOKEN[1:], wire.TOKEN[::-1]]
        attempts = [(token, bench.USER) for token in forged]
        attempts += [(wire.TOKEN, uid) for uid in (bench.OTHER, bench.NOBODY, 0)]
        for token, uid in attempts:
            for number, fields in ((SWITCH, (1,)), (END, (None,)), (END, (2,)), (PROLONG, (600,)), (CONFIRM, ())):
                with self.subTest((token.hex(), uid, number)):
                    reply = self.settle(number, identity, *fields, token=token, uid=uid)
                    self.assertEqual((reply.outcome, reply.why), ("refused", wire.WRONG_TOKEN), reply)
                    self.assertEqual(self.now(), "128")
        self.assertMoves(identity)

    def test_tokens_of_another_kind(self):
        identity = self.lease()
        for token in (wire.TOKEN[:31], wire.TOKEN + b"\0", b"", wire.TOKEN.hex(), 1, None, True, [1] * 32):
            reply = self.settle(SWITCH, identity, 1, token=token)
            self.assertEqual((reply.kind, reply.error), (1, wire.MALFORMED), (token, reply))
        self.assertEqual(self.settle(SWITCH, os.urandom(16), 1).why, UNKNOWN_TRANSACTION)
        self.assertEqual(self.now(), "128")
        self.assertMoves(identity)

    def test_replays(self):
        """Everything that was ever sent, sent again: by another user, and when it is over."""
        identity = bench.fresh_id()
        begin = self.request(identity, seconds=600)
        self.assertEqual(bench.call("plan", begin, pipe=self.read_end).outcome, "lease")
        switch = wire.operation(bench.fresh_id(), SWITCH, identity, wire.TOKEN, 1)
        end = wire.operation(bench.fresh_id(), END, identity, wire.TOKEN, None)
        self.assertEqual(bench.call("settle", switch).outcome, "lease")
        for replayed in (switch, end):
            self.assertEqual(bench.call("settle", replayed, uid=bench.OTHER).why, wire.WRONG_TOKEN)
        self.assertEqual(self.now(), "4096")
        self.assertEqual(bench.call("settle", end).outcome, "ended")
        for replayed in (switch, end):
            self.assertEqual(bench.call("settle", replayed).why, wire.EXPIRED)
        for uid in (bench.USER, bench.OTHER):
            reply = bench.call("plan", begin, pipe=self.read_end, uid=uid)
            self.assertEqual((reply.outcome, reply.why), ("refused", wire.DUPLICATE), reply)
        self.assertEqual(self.now(), "128")

    def test_states_that_were_not_reviewed(self):
        identity = self.lease()
        for state in (3, 15):
            self.assertEqual(self.settle(SWITCH, identity, state).why, wire.OUT_OF_RANGE)
            self.assertEqual(self.settle(END, identity, state).why, wire.OUT_OF_RANGE)
        for state in (16, 255, 256, -1, 1 << 32, "1", b"\1", None, True, [1]):
            reply = self.settle(SWITCH, identity, state)
            self.assertEqual((reply.kind, reply.error), (1, wire.MALFORMED), (state, reply))
        self.assertEqual(self.now(), "128")
        self.assertMoves(identity)

    def test_leases_beyond_the_bounds(self):
        for what, request in {
            "one state": self.request(states=((128,),)),
            "seventeen states": self.request(states=((128,),) * 17),
            "513 switches": self.request(switches=513),
            "no time": self.request(seconds=0),
            "61 minutes": self.request(seconds=3660),
            "a state of two values": self.request(states=((128,), (4096, 1))),
        }.items():
            reply = bench.call("plan", request, pipe=self.read_end)
            self.assertEqual((reply.kind, reply.error), (1, wire.MALFORMED), (what, reply))
        for what, request, why in (
                ("an unsound state", self.request(states=((128,), (3,))), wire.NOT_A_MULTIPLE),
                ("a state out of range", self.request(states=((128,), (4096,), (1 << 31,))), wire.OUT_OF_RANGE),
                ("a first state that is not so", self.request(states=((4096,), (128,))), wire.MALFORMED)):
            reply = bench.call("plan", request, pipe=self.read_end)
            self.assertEqual((reply.outcome, reply.why), ("refused", why), (what, reply))
        for action in ("tune", "settle", "persist"):
            self.assertEqual(bench.call(action, self.request(), pipe=self.read_end).outcome, "not-authorized")
        self.assertEqual(bench.call("plan", self.request()).why, wire.CANCELLED, "a lease without a pipe")
        self.assertEqual(bench.open_journals(), [])

    def test_the_switch_limit(self):
        """Five hundred and twelve, counted on the disk: not one more, also by helpers that start anew."""
        identity = self.lease(switches=512, seconds=600)

        def many():
            said = []
            for number in range(511):
                blob = wire.arguments(wire.operation(os.urandom(16), SWITCH, identity, wire.TOKEN, 1 + number % 2))
                reply = wire.Reply(bench.raw_call(f"{bench.NAME}.settle", blob))
                said.append(reply.outcome)
                if reply.outcome != "lease":
                    return [f"switch {number}: {reply}"]
            return said

        self.assertEqual(bench.as_user(bench.USER, many), ["lease"] * 511)
        machine.kill_helper()
        self.assertEqual(self.settle(SWITCH, identity, 2).outcome, "lease")
        for state in (1, 2, 0):
            reply = self.settle(SWITCH, identity, state)
            self.assertEqual((reply.outcome, reply.why), ("refused", SWITCH_LIMIT), reply)
            self.assertEqual(self.now(), "8192")
        self.assertEqual(self.settle(END, identity, None).outcome, "ended")

    def test_being_looked_at_while_it_moves(self):
        """Whoever keeps the deadline reads the journal without the lock, here so slowly that another one is in its place
        by then: that is no reason to end the lease."""
        identity = self.lease(switches=512)

        def keepers():
            return [int(entry.parent.name) for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline")
                    if entry.read_bytes().split(b"\0")[1:3] == [b"deadline", identity.hex().encode()]]

        [keeper] = bench.eventually(keepers, 5, "the keeper of the deadline")
        slow = subprocess.Popen(["strace", "-qqq", "-o", "/dev/null", "-p", str(keeper), "-e",
                                 "inject=fstat,newfstatat:delay_enter=200000"])
        self.addCleanup(slow.kill)
        bench.eventually(lambda: "TracerPid:\t0" not in pathlib.Path(f"/proc/{keeper}/status").read_text(), 5, "strace")
        until = time.monotonic() + 4
        turns = 0
        while time.monotonic() < until and turns < 510:
            reply = self.settle(SWITCH, identity, 1 + turns % 2)
            self.assertEqual(reply.outcome, "lease", (turns, reply))
            turns += 1
        slow.terminate()
        slow.wait()
        self.assertGreater(turns, 20)
        self.assertMoves(identity)

    def test_a_race_with_other_plans(self):
        """While the owner switches, others ask for the same disk: they get busy, and no value of theirs is ever seen."""
        identity = self.lease(switches=200)
        intruders = []
        for uid, build in ((bench.USER, lambda: bench.read_ahead(self.loop, 512, expected=4096)),
                           (bench.OTHER, lambda: bench.read_ahead(self.loop, 512, expected=8192, trial=60)),
                           (bench.OTHER, self.request), (bench.USER, self.request)):
            requests = [wire.arguments(build()) for _ in range(12)]
            read_end = self.read_end
            intruders.append(bench.as_user(uid, lambda requests=requests: [
                bench.raw_call(f"{bench.NAME}.plan", request, {"cancel": read_end}) for request in requests], wait=False))
        moved = 0
        for turn in range(40):
            reply = self.settle(SWITCH, identity, turn % 3)
            if (reply.kind, reply.error) != (0, 6):
                self.assertIn(reply.outcome, ("lease", "busy"), reply)
                moved += reply.outcome == "lease"
            self.assertIn(self.now(), STATES)
        for _, collect in intruders:
            for raw in collect():
                reply = wire.Reply(raw)
                self.assertTrue((reply.kind, reply.error) == (0, 6) or reply.outcome == "busy" or
                                (reply.outcome == "refused" and reply.why == wire.STALE), reply)
        self.assertGreater(moved, 0)
        self.assertMoves(identity)

    def test_one_lease_a_user_one_holder_a_disk(self):
        self.lease()
        other = bench.Loop()
        self.addCleanup(other.close)
        mine = wire.lease_request(bench.fresh_id(), [other.identity()], [(0, "queue/read_ahead_kb", 128)], [[128], [4096]])
        self.assertEqual(bench.call("plan", mine, pipe=self.read_end).outcome, "busy")
        self.assertEqual(bench.call("plan", self.request(), uid=bench.OTHER, pipe=self.read_end).outcome, "busy")
        self.assertEqual(other.read("queue/read_ahead_kb"), "128")

    def test_a_foreign_change_ends_it_and_stays(self):
        identity = bench.fresh_id()
        request = wire.lease_request(identity, [self.loop.identity()],
                                     [(0, "queue/read_ahead_kb", 128), (0, "queue/nr_requests", 128)],
                                     [[128, 128], [4096, 64]])
        self.assertEqual(bench.call("plan", request, pipe=self.read_end).outcome, "lease")
        self.assertEqual(self.settle(SWITCH, identity, 1).outcome, "lease")
        self.loop.write("queue/read_ahead_kb", 512)
        reply = self.settle(SWITCH, identity, 0)
        self.assertEqual((reply.outcome, reply.why), ("ended", wire.STALE), reply)
        self.assertEqual(reply.steps, ["stale", "rolled-back"])
        self.assertEqual((self.now(), self.loop.read("queue/nr_requests")), ("512", "128"))
        self.assertEqual(self.settle(SWITCH, identity, 1).why, wire.EXPIRED)
        self.loop.write("queue/read_ahead_kb", 128)

    def test_a_dead_client(self):
        """Killed with the helper beside it: whoever holds the pipe's other end sees it."""
        read_end, write_end = os.pipe()
        request = wire.arguments(self.request())
        ready_end, ready = os.pipe()

        def client():
            os.close(ready_end)
            raw = bench.raw_call(f"{bench.NAME}.plan", request, {"cancel": read_end})
            blob = wire.operation(os.urandom(16), SWITCH, wire.Reply(raw).report[1], wire.TOKEN, 2)
            os.write(ready, wire.Reply(bench.raw_call(f"{bench.NAME}.settle", wire.arguments(blob))).outcome.encode())
            time.sleep(600)

        pid, collect = bench.as_user(bench.USER, client, wait=False)
        for end in (read_end, write_end, ready):
            os.close(end)
        self.assertEqual(os.read(ready_end, 100), b"lease")
        os.close(ready_end)
        self.assertEqual(self.now(), "8192")
        machine.kill_helper()
        os.kill(pid, signal.SIGKILL)
        self.assertIsNone(collect())
        bench.eventually(lambda: self.now() == "128", 10, "putting back")

    def test_a_byte_in_the_pipe_ends_it_too(self):
        self.assertEqual(self.settle(SWITCH, self.lease(), 1).outcome, "lease")
        os.write(self.write_end, b"x")
        bench.eventually(lambda: self.now() == "128", 10, "putting back")

    def test_the_deadline(self):
        """It comes though client, pipe and helper stay, and cannot be moved."""
        identity = self.lease(seconds=4)
        self.assertEqual(self.settle(SWITCH, identity, 1).outcome, "lease")
        self.assertEqual(self.settle(PROLONG, identity, 600).why, wire.CONFLICT)
        self.assertEqual(self.settle(CONFIRM, identity).why, wire.CONFLICT)
        self.assertEqual(self.now(), "4096")
        bench.eventually(lambda: self.now() == "128", 8, "putting back")
        self.assertEqual(self.settle(SWITCH, identity, 1).why, wire.EXPIRED)

    def test_a_disk_that_was_replaced(self):
        identity = self.lease()
        self.assertEqual(self.settle(SWITCH, identity, 1).outcome, "lease")
        name = self.loop.name
        self.loop.close()
        bench.eventually(lambda: not os.path.exists(f"/sys/block/{name}/loop"), 5, "the device's end")
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.assertEqual(self.loop.name, name)
        self.before = self.loop.dump()
        reply = self.settle(SWITCH, identity, 2)
        self.assertEqual((reply.outcome, reply.steps), ("ended", ["device-gone"]), reply)
        self.assertEqual(self.now(), "128")


if __name__ == "__main__":
    unittest.main(verbosity=2)
