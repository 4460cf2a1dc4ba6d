# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two hundred clients at once, a tenth of them killed in mid-call: each is answered truly, nothing is left behind."""

import collections
import os
import signal
import time
import unittest

import bench
import wire

CLIENTS, DISKS = 200, 8


class CrowdTest(unittest.TestCase):
    def test_two_hundred_clients(self):
        machine = bench.Machine("yes")
        loops = [bench.Loop(1) for _ in range(DISKS)]
        self.assertEqual(bench.call("tune", bench.read_ahead(loops[0], 4096)).outcome, "applied")
        loops[0].write("queue/read_ahead_kb", 128)
        before = [loop.dump() for loop in loops]
        files = len(os.listdir(f"/proc/{machine.helper_pid()}/fd"))

        def client(number):
            loop = loops[number % DISKS]
            read_end, write_end = os.pipe()
            os.set_inheritable(write_end, False)
            said = []
            for turn in range(20):
                identity = bench.fresh_id()
                now = int(loop.read("queue/read_ahead_kb"))
                request = bench.read_ahead(loop, 256 + 4 * number, expected=now, identity=identity)
                raw = bench.raw_call(f"{bench.NAME}.tune", wire.arguments(request), {"cancel": read_end}, timeout=120.0)
                if isinstance(raw, str):
                    said.append(raw)
                    continue
                reply = wire.Reply(raw)
                if reply.report and reply.report[1] != identity:
                    said.append("somebody else's answer")
                said.append("busy" if (reply.kind, reply.error) == (0, 6) else f"{reply.outcome} {reply.why}")
                if reply.outcome == "applied":
                    break
                time.sleep(0.05)
            return said

        start = time.monotonic()
        calls = [bench.as_user(1000 + number % 2, lambda number=number: client(number), wait=False)
                 for number in range(CLIENTS)]
        for pid, _ in calls[::10]:
            os.kill(pid, signal.SIGKILL)
        said = collections.Counter()
        for at, (_, collect) in enumerate(calls):
            answers = collect()
            if at % 10 == 0:
                continue
            said.update(answers)
        print(f"{CLIENTS} clients in {time.monotonic() - start:.1f} s: {dict(said)}", flush=True)
        known = {"busy", "applied 0", "unchanged 0", f"refused {wire.STALE}", f"busy {wire.BUSY}"}
        # The helper leaves when the caller that it asks polkit about is gone; who waits in its queue then is told so.
        for answer in said:
            self.assertTrue(answer in known or "NoReply" in answer, said)
        self.assertGreater(said["applied 0"], 0)
        self.assertEqual(bench.open_journals(), [])
        for loop, then in zip(loops, before):
            now = loop.dump()
            ahead = int(now.pop("queue/read_ahead_kb"))
            self.assertTrue(ahead == 128 or ahead in range(256, 256 + 4 * CLIENTS, 4), ahead)
            then.pop("queue/read_ahead_kb")
            self.assertEqual(now, then)
            loop.write("queue/read_ahead_kb", 128)
        self.assertEqual(bench.call("tune", bench.read_ahead(loops[0], 4096)).outcome, "applied")
        bench.eventually(lambda: len(os.listdir(f"/proc/{machine.helper_pid()}/fd")) <= files, 5, "closed descriptors")
        bench.eventually(lambda: machine.helper_pid() is None, 15, "the idle helper's end")
        for loop in loops:
            loop.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
