# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where systemd runs, it keeps the deadlines: what the helper asks of it, and that nothing is changed if it refuses."""

import json
import os
import pathlib
import sys
import unittest

import bench
import wire

BOOT = "/usr/libexec/diskwright/diskwright-boot"
POLICY = """<busconfig><policy user="root"><allow own="org.freedesktop.systemd1"/></policy>
<policy context="default"><allow send_destination="org.freedesktop.systemd1"/></policy></busconfig>"""


class SystemdTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = bench.Machine("yes", prepare=lambda: pathlib.Path(
            "/usr/share/dbus-1/system.d/fakesystemd.conf").write_text(POLICY))
        pathlib.Path("/run/systemd/system").mkdir(parents=True)
        cls.asked = cls.machine.log / "asked"

    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.before = self.loop.dump()

    def test_1_without_an_answer_nothing_is_changed(self):
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=60))
        self.assertEqual(reply.outcome, "refused", reply)
        self.assertEqual(self.loop.dump(), self.before)
        self.assertEqual(bench.open_journals(), [])

    def test_2_a_timer_for_a_trial_and_a_service_for_a_lease(self):
        self.machine.spawn("systemd", sys.executable, str(pathlib.Path(__file__).with_name("fakesystemd.py")),
                           str(self.asked))
        bench.eventually(lambda: self.machine.owner("org.freedesktop.systemd1"), what="the manager")
        trial = bench.fresh_id()
        reply = bench.call("tune", bench.read_ahead(self.loop, 4096, trial=60, identity=trial))
        self.assertEqual(reply.outcome, "trial", reply)
        reply = bench.call("settle", wire.operation(bench.fresh_id(), 4, trial, wire.TOKEN, None))
        self.assertEqual(reply.outcome, "ended", reply)
        lease = bench.fresh_id()
        read_end, write_end = os.pipe()
        reply = bench.call("plan", wire.lease_request(lease, [self.loop.identity()], [(0, "queue/read_ahead_kb", 128)],
                                                      [[128], [4096]]), pipe=read_end)
        self.assertEqual(reply.outcome, "lease", reply)
        reply = bench.call("settle", wire.operation(bench.fresh_id(), 4, lease, wire.TOKEN, None))
        self.assertEqual(reply.outcome, "ended", reply)
        os.close(read_end)
        os.close(write_end)

        timer, service = map(json.loads, self.asked.read_text().splitlines())
        unit = f"diskwright-deadline-{trial.hex()}"
        command = [[BOOT, [BOOT, "deadline", trial.hex()], False]]
        self.assertEqual(timer[:2], [f"{unit}.timer", "fail"])
        self.assertEqual(timer[2]["OnActiveSec"], 60_000_000)
        self.assertIs(timer[2]["RemainAfterElapse"], False)
        self.assertEqual([(name, properties["Type"], properties["ExecStart"]) for name, properties in timer[3]],
                         [(f"{unit}.service", "oneshot", command)])
        for properties in (timer[3][0][1], service[2]):
            self.assertEqual((properties["Restart"], properties["RestartUSec"]), ("on-failure", 1_000_000))
        self.assertEqual(service[:2], [f"diskwright-deadline-{lease.hex()}.service", "fail"])
        self.assertEqual(service[2]["StandardInputFileDescriptor"], "pipe")
        self.assertEqual(service[2]["Type"], "exec")
        self.assertEqual(self.loop.dump(), self.before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
