# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Freezes while a slow stick is copied to: with the kernel's limits and with a limit for the stick, by turns that chance
orders, several rounds. Prints both figures and the verdict: how much shorter the longest freeze is, how much slower the
copy. Held are the limit itself and what it costs (docs/freezes.md). FREEZE_ROUNDS sets the rounds, FREEZE_SEED the order."""

import json
import os
import random
import statistics

PRODUCT = True
LONG = True
TIMEOUT = 5400
STICK, OTHER = "SLOWSTICK01", "/dev/disk/by-id/wwn-0x5000c500d15c0001-part1"
STICK_BYTES_PER_SECOND = 3_000_000
COPY_MIB = 220
# A 64th of the guest's memory, as 64 MiB are of 4 GiB.
LIMIT_BYTES = 16 << 20
ROUNDS = int(os.environ.get("FREEZE_ROUNDS", "4"))
WANTED_SHORTER, MOST_SLOWER = 10, 1.05
# Until the copy is done: every 8 s save 16 files of 1 MiB, without syncing. Prints how long each save took, in ms.
SAVER = """
import os, sys, time
data, took = os.urandom(1 << 20), []
while not os.path.exists("/run/copied"):
    time.sleep(8)
    started = time.monotonic()
    for number in range(16):
        with open(f"{sys.argv[1]}/{number}", "wb", 0) as file:
            file.write(data)
    took.append(round((time.monotonic() - started) * 1000))
print(*took)
"""
# A large program, opened in the middle of the copy: the limits fall below what waits already.
PROGRAM = """
import os, time
time.sleep(22)
memory = bytearray(580 << 20)
for page in range(0, len(memory), 4096):
    memory[page] = 1
while not os.path.exists("/run/copied"):
    time.sleep(0.2)
"""
COPY = f"""
(while [ ! -e /run/copied ]; do awk '/^(Dirty|Writeback):/ {{ sum += $2 }} END {{ print sum }}' /proc/meminfo
    sleep 0.5; done) >/run/unwritten &
start=$(cut -d' ' -f1 /proc/uptime)
dd if=/dev/zero of=/mnt/stick/copy bs=1M count={COPY_MIB} conv=fsync 2>/dev/null
end=$(cut -d' ' -f1 /proc/uptime)
touch /run/copied; wait
echo $start $end $(sort -n /run/unwritten | tail -1)"""


def set_as_root(guest, *settings):
    result = guest.run(["diskwrightctl", "set", *settings, "--json"], timeout=300)
    assert result.rc == 0, result
    return result.json()


def measured(guest, what):
    guest.run("rm -f /run/copied /mnt/stick/*; sync; echo 3 >/proc/sys/vm/drop_caches", timeout=300, check=True)
    savers = [guest.start(["python3", "/run/saver.py", folder], timeout=900) for folder in ("/mnt/other", "/root/work")]
    program = guest.start(["python3", "/run/program.py"], timeout=900)
    start, end, unwritten = (float(word) for word in guest.run(COPY, timeout=900, check=True).out.split())
    saves = [[int(word) for word in guest.finish(saver, check=True).out.split()] for saver in savers]
    guest.finish(program, check=True)
    shown = {"limits": what, "copy_s": round(end - start, 1), "most_unwritten_mb": round(unwritten * 1024 / 1e6),
             "longest_save_ms": [max(each) for each in saves]}
    print(json.dumps(shown), flush=True)
    return shown


def verdict(plain, limited):
    """Both figures over all rounds, and each round by itself: rounds are pairs, so slow times of the host cancel out."""
    freezes = [max(a["longest_save_ms"]) / max(b["longest_save_ms"]) for a, b in zip(plain, limited)]
    copies = [b["copy_s"] / a["copy_s"] for a, b in zip(plain, limited)]
    shorter, slower = statistics.median(freezes), statistics.median(copies)
    return {"rounds": len(plain),
            "freeze_ms": [statistics.median(max(each["longest_save_ms"]) for each in some) for some in (plain, limited)],
            "copy_s": [statistics.median(each["copy_s"] for each in some) for some in (plain, limited)],
            "freeze_shorter": {"median": round(shorter, 2), "of_each_round": [round(each, 2) for each in freezes]},
            "copy_slower": {"median": round(slower, 3), "of_each_round": [round(each, 3) for each in copies]},
            "ten_times_shorter": min(freezes) >= WANTED_SHORTER, "at_most_5_percent_slower": slower <= MOST_SLOWER}


def run(guest):
    guest.plug("usb", STICK, size_mib=COPY_MIB + 64, throttle={"bps-write": STICK_BYTES_PER_SECOND})
    stick = guest.wait_disk(STICK)
    guest.run(f"mkfs.vfat -I /dev/{stick} && mkdir -p /mnt/stick /mnt/other /root/work"
              f" && mount /dev/{stick} /mnt/stick && mount {OTHER} /mnt/other", timeout=300, check=True)
    guest.put("/run/saver.py", SAVER)
    guest.put("/run/program.py", PROGRAM)
    seed = int(os.environ.get("FREEZE_SEED", random.randrange(1 << 30)))
    print(json.dumps({"seed": seed, "rounds": ROUNDS}), flush=True)
    chance = random.Random(seed)
    seen = {"plain": [], "limited": []}
    for _round in range(ROUNDS):
        turns = ["plain", "limited"]
        chance.shuffle(turns)
        for turn in turns:
            if turn == "plain":
                seen[turn].append(measured(guest, "the kernel's"))
                continue
            change = set_as_root(guest, f"bdi:{stick}:strict_limit=1", f"bdi:{stick}:max_bytes={LIMIT_BYTES}")
            seen[turn].append(measured(guest, "16 MiB for the stick"))
            undone = guest.run(["diskwrightctl", "undo", change["transaction"], "--json"], timeout=300)
            assert undone.rc == 0, undone
    said = verdict(seen["plain"], seen["limited"])
    print(json.dumps(said), flush=True)
    # The limit does what it says: the copy alone is held back. That this makes freezes ten times shorter is only said.
    for plain, limited in zip(seen["plain"], seen["limited"]):
        assert limited["most_unwritten_mb"] < plain["most_unwritten_mb"] / 2, (plain, limited)
    assert said["at_most_5_percent_slower"], said
