# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An authorization that never ends holds the helper for two minutes at most."""

import os
import signal
import time
import unittest

import bench
import wire


class HungTest(unittest.TestCase):
    def test_two_minutes_at_most(self):
        machine = bench.Machine("yes")
        loop = bench.Loop()
        self.assertEqual(bench.call("tune", bench.read_ahead(loop, 4096)).outcome, "applied")
        loop.write("queue/read_ahead_kb", 128)
        before = loop.dump()
        os.kill(machine.polkit.pid, signal.SIGSTOP)
        start = time.monotonic()
        request = wire.arguments(bench.read_ahead(loop, 4096))
        reply = bench.as_user(bench.USER, lambda: bench.raw_call("org.diskwright.helper.tune", request, timeout=200.0))
        self.assertEqual(reply, "org.diskwright.helper.Error.NotAnswered")
        self.assertTrue(115 < time.monotonic() - start < 125, time.monotonic() - start)
        self.assertEqual(loop.dump(), before)
        os.kill(machine.polkit.pid, signal.SIGCONT)
        self.assertEqual(bench.call("tune", bench.read_ahead(loop, 4096)).outcome, "applied")


if __name__ == "__main__":
    unittest.main(verbosity=2)
