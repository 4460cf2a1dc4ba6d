# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real helper over a real bus, asked by ordinary users: what is allowed works, what is not changes nothing."""

import json
import os
import pathlib
import time
import unittest

import bench
import wire

RULES = """
  if (name == 'settle') return polkit.Result.YES;
  if (subject.user == 'user') return polkit.Result.YES;
  if (subject.user == 'other' && name == 'plan') return polkit.Result.YES;
  return polkit.Result.NO;
"""


def setUpModule():
    global machine
    machine = bench.Machine(RULES)


class HelperTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.before = self.loop.dump()

    def assertUntouched(self):
        self.assertEqual(self.loop.dump(), self.before)

    def test_applies_and_undoes_as_an_ordinary_user(self):
        identity = bench.fresh_id()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, identity=identity))
        self.assertEqual(reply.outcome, "applied", reply)
        self.assertEqual(reply.report[1], identity)
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "4096")
        self.assertEqual(bench.open_journals(), [])
        history = pathlib.Path(f"/var/lib/diskwright/history/{identity.hex()}.json")
        entry = json.loads(history.read_text())
        self.assertEqual((entry["uid"], entry["outcome"]), (bench.USER, "applied"))
        self.assertEqual(history.stat().st_mode & 0o777, 0o644)
        reply = bench.call("tune", wire.operation(bench.fresh_id(), 9, identity, False, False))
        self.assertEqual(reply.outcome, "undone", reply)
        self.assertUntouched()

    def test_replies_hold_no_names(self):
        request = bench.read_ahead(self.loop, 4096)
        raw = bench.as_user(bench.USER, lambda: bench.raw_call("org.diskwright.helper.tune", wire.arguments(request)))
        self.assertNotIn(self.loop.name.encode(), raw)
        self.assertNotIn(b"read_ahead", raw)

    def test_denied(self):
        for uid in (bench.NOBODY, bench.OTHER):
            reply = bench.call("tune", bench.read_ahead(self.loop, 4096), uid=uid)
            self.assertEqual((reply.kind, reply.error, reply.report), (0, 4, None))
        self.assertUntouched()

    def test_a_plan_needs_its_classes_too(self):
        reply = bench.call("plan", bench.read_ahead(self.loop, 4096), uid=bench.OTHER)
        self.assertEqual(reply.outcome, "not-authorized", reply)
        self.assertUntouched()
        reply = bench.call("plan", bench.read_ahead(self.loop, 4096))
        self.assertEqual(reply.outcome, "applied", reply)

    def test_an_action_covers_its_own_operations_only(self):
        for action in ("persist", "settle"):
            reply = bench.call(action, bench.read_ahead(self.loop, 4096))
            self.assertEqual(reply.outcome, "not-authorized", reply)
        reply = bench.call("tune", wire.operation(bench.fresh_id(), 8, True))
        self.assertEqual(reply.outcome, "not-authorized", reply)
        self.assertUntouched()

    def test_a_trial_ends_by_itself_though_everybody_died(self):
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=5))
        self.assertEqual(reply.outcome, "trial", reply)
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "4096")
        machine.kill_helper()
        left = reply.report[7] / 1e9 - time.clock_gettime(time.CLOCK_BOOTTIME)
        self.assertTrue(0 < left <= 5, left)
        bench.eventually(lambda: self.loop.dump() == self.before, 15, "the trial's end")
        self.assertGreaterEqual(time.clock_gettime(time.CLOCK_BOOTTIME), reply.report[7] / 1e9)
        bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")

    def test_a_trial_is_confirmed_by_its_owner_alone(self):
        identity = bench.fresh_id()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=60, identity=identity))
        self.assertEqual(reply.outcome, "trial", reply)
        confirm = wire.operation(bench.fresh_id(), 2, identity, wire.TOKEN)
        wrong = wire.operation(bench.fresh_id(), 2, identity, bytes(32))
        self.assertEqual(bench.call("settle", wrong).why, wire.WRONG_TOKEN)
        self.assertEqual(bench.call("settle", confirm, uid=bench.NOBODY).why, wire.WRONG_TOKEN)
        self.assertEqual(bench.call("tune", bench.read_ahead(self.loop, 128, expected=4096)).outcome, "busy")
        self.assertEqual(bench.call("settle", confirm).outcome, "confirmed")
        self.assertEqual(bench.call("settle", confirm).why, wire.EXPIRED)
        self.assertEqual(self.loop.read("queue/read_ahead_kb"), "4096")

    def test_a_trial_is_reverted_on_request(self):
        identity = bench.fresh_id()
        bench.call("tune", bench.read_ahead(self.loop, 4096, trial=60, identity=identity))
        reply = bench.call("settle", wire.operation(bench.fresh_id(), 4, identity, wire.TOKEN, None))
        self.assertEqual((reply.outcome, reply.steps), ("ended", ["rolled-back"]), reply)
        self.assertUntouched()

    def test_a_lease_ends_with_its_pipe(self):
        identity = bench.fresh_id()
        read_end, write_end = os.pipe()
        current = int(self.loop.read("queue/read_ahead_kb"))
        request = wire.lease_request(identity, [self.loop.identity()], [(0, "queue/read_ahead_kb", current)],
                                     [[current], [4096], [8192]])
        reply = bench.call("plan", request, pipe=read_end)
        os.close(read_end)
        self.assertEqual(reply.outcome, "lease", reply)
        for state, value in ((1, "4096"), (2, "8192"), (0, str(current)), (2, "8192")):
            reply = bench.call("settle", wire.operation(bench.fresh_id(), 5, identity, wire.TOKEN, state))
            self.assertEqual(reply.outcome, "lease", reply)
            self.assertEqual(self.loop.read("queue/read_ahead_kb"), value)
        self.assertEqual(bench.call("tune", bench.read_ahead(self.loop, 128)).outcome, "busy")
        machine.kill_helper()
        os.close(write_end)
        bench.eventually(lambda: self.loop.dump() == self.before, 10, "the lease's end")
        bench.eventually(lambda: bench.open_journals() == [], 5, "the journal's end")

    def test_schedulers_come_back_with_all_their_values(self):
        self.loop.write("queue/scheduler", "mq-deadline")
        self.loop.write("queue/nr_requests", 64)
        self.loop.write("queue/iosched/read_expire", 100)
        self.before = self.loop.dump()
        identity = bench.fresh_id()
        request = wire.apply_request(identity, [self.loop.identity()],
                                     [(0, "queue/scheduler", "mq-deadline", "none")])
        self.assertEqual(bench.call("tune", request).outcome, "applied")
        self.assertEqual(self.loop.read("queue/scheduler"), "none")
        reply = bench.call("tune", wire.operation(bench.fresh_id(), 9, identity, False, False))
        self.assertEqual(reply.outcome, "undone", reply)
        self.assertUntouched()

    def test_what_the_kernel_refuses_is_put_back(self):
        self.loop.write("queue/scheduler", "mq-deadline")
        self.loop.write("queue/nr_requests", 64)
        self.loop.write("queue/iosched/read_expire", 100)
        self.before = self.loop.dump()
        # A disk's most can't be below its least: the kernel's call.
        self.loop.write("bdi/min_ratio", 10)
        self.addCleanup(self.loop.write, "bdi/min_ratio", 0)
        request = wire.apply_request(bench.fresh_id(), [self.loop.identity()],
                                     [(0, "queue/scheduler", "mq-deadline", "none"),
                                      (0, "bdi/max_ratio", 100, 5),
                                      (0, "queue/read_ahead_kb", int(self.loop.read("queue/read_ahead_kb")), 4096)])
        reply = bench.call("tune", request)
        self.assertEqual(reply.outcome, "rolled-back", reply)
        self.assertEqual(reply.steps, ["rolled-back", "rejected", "rolled-back"])
        self.assertEqual((reply.report[4], reply.report[5]), (22, 1))
        self.assertEqual(self.loop.read("bdi/max_ratio"), "100")
        self.assertUntouched()
        self.assertEqual(bench.open_journals(), [])

    def test_what_one_of_many_disks_refuses_is_put_back_on_all(self):
        """Devices are written at the same time; that changes nothing in all or nothing."""
        loops = [bench.Loop(1) for _ in range(6)]
        try:
            for loop in loops:
                loop.write("queue/scheduler", "none")
            before = [loop.dump() for loop in loops]
            changes = []
            for at, loop in enumerate(loops):
                changes.append((at, "bdi/max_ratio", 100, 5))
                changes.append((at, "queue/read_ahead_kb", int(loop.read("queue/read_ahead_kb")), 512))
            # The last but one is refused, by the kernel alone: its least is above that.
            loops[4].write("bdi/min_ratio", 10)
            request = wire.apply_request(bench.fresh_id(), [loop.identity() for loop in loops], changes)
            reply = bench.call("tune", request)
            self.assertEqual(reply.outcome, "rolled-back", reply)
            self.assertEqual(reply.steps[8], "rejected", reply)
            self.assertEqual((reply.report[4], reply.report[5]), (22, 8), reply)
            self.assertEqual([loop.dump() for loop in loops], before)
            self.assertEqual({loop.read("bdi/max_ratio") for loop in loops}, {"100"})
            self.assertEqual(bench.open_journals(), [])
            loops[4].write("bdi/min_ratio", 0)
            request = wire.apply_request(bench.fresh_id(), [loop.identity() for loop in loops], changes)
            reply = bench.call("tune", request)
            self.assertEqual((reply.outcome, set(reply.steps)), ("applied", {"applied"}), reply)
            for device, attribute, _, wanted in changes:
                self.assertEqual(int(loops[device].read(attribute)), wanted, (device, attribute))
            for loop in loops:
                loop.write("bdi/max_ratio", 100)
        finally:
            for loop in loops:
                loop.close()

    def test_read_expire_is_adjusted_to_the_kernels_ticks(self):
        self.loop.write("queue/scheduler", "mq-deadline")
        request = wire.apply_request(bench.fresh_id(), [self.loop.identity()],
                                     [(0, "iosched/mq-deadline/read_expire", 500, 222)])
        reply = bench.call("tune", request)
        self.assertIn(reply.outcome, ("adjusted", "applied"), reply)
        self.assertEqual(reply.report[6][0][4], int(self.loop.read("queue/iosched/read_expire")))
        self.assertEqual(reply.outcome == "adjusted", reply.report[6][0][4] != 222)

    def test_two_clients_at_once(self):
        second = bench.Loop()
        self.addCleanup(second.close)
        requests = [bench.read_ahead(self.loop, 4096), bench.read_ahead(second, 4096)]
        calls = [bench.as_user(bench.USER, lambda r=r: bench.raw_call("org.diskwright.helper.tune",
                                                                      wire.arguments(r)), wait=False)
                 for r in requests for _ in range(4)]
        replies = [wire.Reply(collect()) for _, collect in calls]
        outcomes = [(reply.kind, reply.error, reply.outcome) for reply in replies]
        self.assertTrue(any(reply.outcome == "applied" for reply in replies), outcomes)
        for reply in replies:
            # Busy is KAuth's answer 6; a replay is refused because its id was used.
            self.assertTrue(reply.outcome == "applied" or (reply.kind, reply.error) == (0, 6) or
                            reply.why in (wire.DUPLICATE, wire.STALE, wire.BUSY), outcomes)
        self.assertLessEqual(sum(reply.outcome == "applied" for reply in replies), 2)

    def test_a_re_plugged_device_is_another_device(self):
        old = self.loop.identity()
        name = self.loop.name
        request = bench.read_ahead(self.loop, 4096)
        self.loop.close()
        bench.eventually(lambda: not os.path.exists(f"/sys/block/{name}/loop"), 5, "the device's end")
        self.loop = bench.Loop()
        self.assertEqual(self.loop.name, name, "the kernel hands out the lowest free number")
        self.assertNotEqual(self.loop.identity()[3], old[3])
        before = self.loop.dump()
        self.assertEqual(bench.call("tune", request).why, wire.DEVICE_CHANGED)
        self.assertEqual(self.loop.dump(), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
