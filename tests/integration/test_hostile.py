# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile callers, with polkit answering yes to everybody: nothing but what a reviewed plan can do ever happens."""

import collections
import os
import pathlib
import random
import socket
import struct
import time
import unittest

import dbus

import bench
import wire

CANARIES = ["/etc/shadow", "/etc/passwd", "/etc/fstab", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
            "/proc/sys/vm/swappiness", "/proc/sys/vm/dirty_ratio", "/proc/sys/vm/dirty_bytes", "/proc/sys/vm/overcommit_memory",
            "/proc/self/mounts", "/root/canary"]


def setUpModule():
    global machine
    machine = bench.Machine("yes")
    pathlib.Path("/root/canary").write_text("untouched\n")


def tearDownModule():
    pathlib.Path("/root/canary").unlink()


def canaries():
    return {name: pathlib.Path(name).read_bytes() for name in CANARIES if os.path.exists(name)}


def as_nobody(blob, action="org.diskwright.helper.tune", **more):
    return bench.as_user(bench.NOBODY, lambda: bench.raw_call(action, blob, **more))


def sound_plan(loop, request):
    """Id, value, seconds on trial and token, if these bytes are a plan for this disk's read-ahead as it is; else None."""
    try:
        shown = wire.uncbor(request)
        if wire.cbor(shown) != request or (shown[0], shown[2]) != (1, 0):
            return None
        fields = shown[3]
        (device,), (change,) = fields[0], fields[1]
        wanted, trial = change[3], fields[2]
    except (IndexError, KeyError, TypeError, ValueError, struct.error):
        return None
    same = (list(device.values()) == loop.identity() and fields[3] is False and fields[6] is None
            and [change[key] for key in range(3)] == [0, "queue/read_ahead_kb", 128])
    return (shown[1], wanted, trial, fields[5]) if same else None


class HostileTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.before = self.loop.dump()
        self.canaries = canaries()

    def tearDown(self):
        self.assertEqual(self.loop.dump(), self.before)
        self.assertEqual(canaries(), self.canaries)
        self.assertEqual(bench.open_journals(), [])

    def assertServes(self):
        """The next honest call works."""
        identity = bench.fresh_id()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, identity=identity))
        self.assertEqual(getattr(reply, "outcome", reply), "applied", reply)
        reply = bench.call("tune", wire.operation(bench.fresh_id(), 9, identity, False, False))
        self.assertEqual(reply.outcome, "undone", reply)

    def assertRefused(self, raw, name):
        """A helper's error, or a report that refuses; never a success."""
        if isinstance(raw, str):
            self.assertRegex(raw, r"^org\.(freedesktop\.DBus|diskwright\.helper)\.Error\.", name)
            return
        reply = wire.Reply(raw)
        if reply.kind == 2:
            self.assertIn(reply.outcome, ("refused", "not-authorized"), (name, reply))
        else:
            self.assertNotEqual(reply.error, 0, (name, reply))

    def test_blobs(self):
        good = bench.read_ahead(self.loop, 4096)
        request = wire.variant(wire.QBYTEARRAY, wire.qbytes(good))
        nested = wire.variant_map([])
        for _ in range(100):
            nested = struct.pack(">I", 1) + wire.variant(wire.QLIST, nested)
        blobs = {
            "empty": b"",
            "garbage": b"\xff" * 10,
            "empty map": wire.variant_map([]),
            "truncated map": struct.pack(">I", 3) + wire.qstring("request") + request,
            "count 0xfffffffd": struct.pack(">I", 0xfffffffd),
            "count 0x7fffffff": struct.pack(">I", 0x7fffffff),
            "huge bytes": struct.pack(">I", 1) + wire.qstring("request")
                          + wire.variant(wire.QBYTEARRAY, struct.pack(">I", 0x7ffffff0)),
            "huge string": struct.pack(">I", 1) + struct.pack(">I", 0x7ffffff0),
            "as text": wire.variant_map([("request", wire.variant(wire.QSTRING, wire.qstring("abc")))]),
            "as number": wire.variant_map([("request", wire.variant(wire.QINT, struct.pack(">i", 1)))]),
            "null": wire.variant_map([("request", wire.variant(wire.QBYTEARRAY, wire.qbytes(b""), 1))]),
            "nested 100": struct.pack(">I", 1) + wire.qstring("request") + wire.variant(wire.QLIST, nested),
            "QImage": wire.variant_map([("request", wire.variant(0x1006, bytes(64)))]),
            "a custom type": wire.variant_map([("request", wire.variant(65536, wire.qbytes(b"evil\0")))]),
            "no bytes": wire.variant_map([("request", wire.variant(wire.QBYTEARRAY, wire.qbytes(b"")))]),
            "64 KiB and one": wire.variant_map([("request", wire.variant(wire.QBYTEARRAY, wire.qbytes(b"\x81" * 65537)))]),
            "30 MB": wire.variant_map([("request", wire.variant(wire.QBYTEARRAY, wire.qbytes(bytes(30 << 20))))]),
            "100,000 keys": wire.variant_map([(f"k{i}", request if i == 0 else wire.variant(wire.QINT, bytes(4)))
                                              for i in range(100000)]),
        }
        for key in ("PATH", "LD_PRELOAD", "script_pre", "command", "Request", "request\0", ""):
            blobs[f"extra key {key!r}"] = wire.variant_map([("request", request),
                                                            (key, wire.variant(wire.QSTRING, wire.qstring("x")))])
        for name, blob in blobs.items():
            with self.subTest(name):
                self.assertRefused(as_nobody(blob), name)
        self.assertServes()

    def test_deep_nesting_may_end_the_helper_but_changes_nothing(self):
        depth = 200000
        blob = struct.pack(">I", 1) + wire.qstring("request")
        blob += wire.variant(wire.QLIST, struct.pack(">I", 1)) * depth + wire.variant(wire.QINT, bytes(4))
        for _ in range(5):
            self.assertRefused(as_nobody(blob), "deep nesting")
        self.assertServes()

    def test_mutated_requests(self):
        """What is done is exactly what the bytes say to a decoder of our own; everything else is refused."""
        good = bench.read_ahead(self.loop, 4096)
        chance = random.Random(1)
        seen = collections.Counter()
        for _ in range(60):
            request = bytearray(good)
            for _ in range(chance.randint(1, 4)):
                request[chance.randrange(len(request))] = chance.randrange(256)
            raw = as_nobody(wire.arguments(bytes(request)))
            shown = (request.hex(), raw)
            if isinstance(raw, bytes) and (reply := wire.Reply(raw)).outcome in ("applied", "trial", "unchanged"):
                plan = sound_plan(self.loop, bytes(request))
                self.assertIsNotNone(plan, shown)
                identity, wanted, trial, token = plan
                expected = "trial" if trial else "unchanged" if wanted == 128 else "applied"
                self.assertEqual(reply.outcome, expected, shown)
                self.assertEqual(self.loop.read("queue/read_ahead_kb"), str(wanted), shown)
                if trial:
                    end = wire.operation(bench.fresh_id(), 4, identity, token, None)
                    ended = bench.call("settle", end, uid=bench.NOBODY)
                    self.assertEqual(ended.outcome, "ended", shown)
                self.loop.write("queue/read_ahead_kb", 128)
                seen[reply.outcome] += 1
            else:
                self.assertRefused(raw, shown)
                seen["refused"] += 1
            self.assertEqual(self.loop.dump(), self.before, shown)
            self.assertEqual(bench.open_journals(), [], shown)
        # Both ways were gone.
        self.assertGreater(seen["refused"], 10, seen)
        self.assertGreater(seen["applied"], 0, seen)

    def test_action_names(self):
        blob = wire.arguments(bench.read_ahead(self.loop, 4096))
        for action in ("org.diskwright.helper.nosuch", "org.example.nosuch", "", "echo", "a" * 65536, "with space",
                       "ORG.DISKWRIGHT.HELPER.TUNE", ".", ".."):
            with self.subTest(action[:40]):
                start = time.monotonic()
                self.assertRefused(as_nobody(blob, action), action[:40])
                self.assertLess(time.monotonic() - start, 5)
                self.assertServes()

    def test_foreign_actions_and_other_methods_are_no_slots(self):
        blob = wire.arguments(bench.read_ahead(self.loop, 4096))
        for action in ("org.freedesktop.policykit.exec", "org.diskwright.helper.deleteLater",
                       "org.diskwright.helper.objectName", "org.diskwright.helper.answer", "org.diskwright.helper.recover"):
            with self.subTest(action):
                self.assertRefused(as_nobody(blob, action), action)
        self.assertServes()

    def test_nobody_reaches_anything_but_perform_action(self):
        def attempt():
            bus = dbus.bus.BusConnection(bench.BUS)
            answers = []
            for path, interface, member in (("/", "org.kde.kf6auth", "stopAction"), ("/x", "org.kde.kf6auth", "tune"),
                                            ("/", "org.diskwright.helper", "tune"), ("/", "local.Helper", "tune"),
                                            ("/", "org.freedesktop.DBus.Properties", "GetAll")):
                try:
                    bus.call_blocking(bench.NAME, path, interface, member, "s", ("org.diskwright.helper.tune",))
                    answers.append(member)
                except dbus.DBusException as error:
                    answers.append(error.get_dbus_name())
            return answers

        self.assertServes()
        for answer in bench.as_user(bench.NOBODY, attempt):
            self.assertIn(answer.rpartition(".")[2], ("AccessDenied", "UnknownObject", "UnknownInterface"))
        self.assertServes()

    def test_forged_caller_and_details_have_no_effect(self):
        request = bench.read_ahead(self.loop, 8192, expected=64)
        plain = wire.Reply(as_nobody(wire.arguments(request)))
        for more in ({"caller": b":1.0"}, {"details": {"polkit.message": "gift", "polkit.gettext_domain": "x"}}):
            reply = wire.Reply(as_nobody(wire.arguments(request), **more))
            self.assertEqual((reply.outcome, reply.why), (plain.outcome, plain.why))

    def test_foreign_descriptors(self):
        blob = wire.arguments(bench.read_ahead(self.loop, 4096))
        read_end, write_end = os.pipe()
        left, right = socket.socketpair()
        descriptors = {
            "write end": write_end, "socket": left.fileno(), "folder": os.open("/", os.O_RDONLY),
            "path": os.open("/etc/passwd", os.O_PATH), "device": os.open("/dev/zero", os.O_RDONLY),
            "file": os.open("/etc/passwd", os.O_RDONLY), "memory": os.memfd_create("x"),
        }
        for name, fd in descriptors.items():
            with self.subTest(name):
                self.assertRefused(as_nobody(blob, fds={"cancel": fd}), name)
        self.assertRefused(as_nobody(blob, fds={"request": read_end}), "over the request")
        self.assertRefused(as_nobody(blob, fds={"value": read_end}), "another key")
        self.assertRefused(as_nobody(blob, fds={"cancel": read_end, "more": read_end}), "two")
        for fd in (read_end, *(fd for fd in descriptors.values() if fd != left.fileno())):
            os.close(fd)
        left.close()
        right.close()
        self.assertServes()

    def test_a_closed_pipe_cancels(self):
        read_end, write_end = os.pipe()
        os.close(write_end)
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096), pipe=read_end)
        os.close(read_end)
        self.assertEqual((reply.outcome, reply.why), ("rolled-back", wire.CANCELLED), reply)

    def test_names_and_values(self):
        name, major, minor, sequence, size = self.loop.identity()
        current = int(self.loop.read("queue/read_ahead_kb"))
        device = [name, major, minor, sequence, size]
        cases = [(wire.UNKNOWN_SETTING, device, (0, setting, 0, 1)) for setting in
                 ("../../power/control", "queue/../ro", "queue/write_cache", "SCHEDULER", "", "vm/drop_caches",
                  "../kernel/core_pattern", "vm.swappiness")]
        cases += [(wire.UNKNOWN_TARGET, [other, *device[1:]], (0, "queue/read_ahead_kb", current, 4096)) for other in
                  ("", ".", "..", "/", "../../kernel", "/dev/sda", f"{name}/../{name}", f"{name}p1", "a" * 200)]
        cases += [(wire.DEVICE_CHANGED, device[:3] + [sequence + 1, size], (0, "queue/read_ahead_kb", current, 4096)),
                  (wire.DEVICE_CHANGED, device[:4] + [size + 512], (0, "queue/read_ahead_kb", current, 4096))]
        cases += [(wire.OUT_OF_RANGE, device, (0, "queue/read_ahead_kb", current, value)) for value in
                  (-1, 32772, 1 << 31, 1 << 32, (1 << 32) - 1, (1 << 63) - 1, -(1 << 63) + 1)]
        cases += [(wire.NOT_A_MULTIPLE, device, (0, "queue/read_ahead_kb", current, value)) for value in (1, 3)]
        cases += [(wire.OUT_OF_RANGE, device, (0, "queue/scheduler", self.loop.read("queue/scheduler"), value))
                  for value in ("nosuch", "NONE", " none", "bfq;reboot", "a" * 16)]
        for why, identity, change in cases:
            with self.subTest(repr((identity[0], change))):
                reply = bench.call("tune", wire.apply_request(bench.fresh_id(), [identity], [change]),
                                   uid=bench.NOBODY)
                self.assertEqual((reply.outcome, reply.why, reply.report[5]), ("refused", why, 0), reply)
        for value in ("none\nmq-deadline", "\u202e", "x" * 257):
            request = wire.apply_request(bench.fresh_id(), [device], [(0, "queue/scheduler", "none", value)])
            self.assertRefused(as_nobody(wire.arguments(request)), value)

    def test_a_replayed_request_is_refused(self):
        request = bench.read_ahead(self.loop, 4096)
        self.assertEqual(bench.call("tune", request).outcome, "applied")
        self.loop.write("queue/read_ahead_kb", 128)
        self.assertEqual(bench.call("tune", request).why, wire.DUPLICATE)

    def test_a_crowd(self):
        request = bench.read_ahead(self.loop, 4096, expected=64)
        calls = [bench.as_user(bench.NOBODY, lambda: [bench.raw_call("org.diskwright.helper.tune", wire.arguments(request))
                                                      for _ in range(5)], wait=False) for _ in range(12)]
        for pid, _ in calls[:3]:
            os.kill(pid, 9)
        for _, collect in calls:
            for raw in collect() or []:
                self.assertRefused(raw, "crowd")
        # An authorization for somebody who is gone has no end of its own; the helper leaves within a second.
        time.sleep(1.5)
        self.assertServes()
        bench.eventually(lambda: machine.helper_pid() is None, 15, "the idle helper's end")


if __name__ == "__main__":
    unittest.main(verbosity=1)
