# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Freezes while a slow stick is copied to: with the kernel's limits, with a limit for the stick, and with the dirty limits of
all disks as low as that, by turns that chance orders, several rounds. The freeze is how long a program waits that saves a small file to the system disk and calls sync(2),
as suspending and installing packages do. Prints both figures and the verdict: how much shorter the longest freeze is, how
much slower a copy alone. Held is the limit itself (docs/freezes.md). FREEZE_ROUNDS sets the rounds, FREEZE_SEED the order."""

import json
import os
import random
import statistics

PRODUCT = True
LONG = True
TIMEOUT = 5400
STICK = "SLOWSTICK01"
STICK_BYTES_PER_SECOND = 3_000_000
COPY_MIB = 180
# What the stick writes in one and a half seconds.
LIMIT_BYTES = 4 << 20
LIMITS = {"plain": "the kernel's", "stick": "4 MiB for the stick", "all": "4 MiB for all disks"}
ROUNDS = int(os.environ.get("FREEZE_ROUNDS", "2"))
WANTED_SHORTER, MOST_SLOWER = 10, 1.05
# Until the copy is done: every 3 s save 256 KiB to the system disk and sync. Prints how long each save took, in ms.
SAVER = """
import os, time
data, took = os.urandom(1 << 18), []
while not os.path.exists("/run/copied"):
    time.sleep(3)
    started = time.monotonic()
    with open("/root/saved", "wb", 0) as file:
        file.write(data)
        os.sync()
    took.append(round((time.monotonic() - started) * 1000))
print(*took)
"""
COPY = f"""
(while [ ! -e /run/copied ]; do awk '/^(Dirty|Writeback):/ {{ sum += $2 }} END {{ print sum }}' /proc/meminfo
    sleep 0.5; done) >/run/unwritten &
start=$(cut -d' ' -f1 /proc/uptime)
dd if=/dev/zero of=/mnt/stick/copy bs=1M count={COPY_MIB} conv=fsync 2>/dev/null
end=$(cut -d' ' -f1 /proc/uptime)
touch /run/copied; wait
echo $start $end $(sort -n /run/unwritten | tail -1)"""


def settings_of(turn, stick):
    return {"stick": [f"bdi:{stick}:strict_limit=1", f"bdi:{stick}:max_bytes={LIMIT_BYTES}"],
            "all": [f"vm::dirty_bytes={LIMIT_BYTES}", f"vm::dirty_background_bytes={LIMIT_BYTES // 2}"]}.get(turn)


def set_as_root(guest, *settings):
    result = guest.run(["diskwrightctl", "set", *settings, "--json"], timeout=300)
    assert result.rc == 0, result
    return result.json()


def copied(guest):
    """How long a copy takes, in seconds, and the most that waited unwritten meanwhile, in MB."""
    guest.run("rm -f /run/copied /mnt/stick/*; sync; echo 3 >/proc/sys/vm/drop_caches", timeout=300, check=True)
    start, end, unwritten = (float(word) for word in guest.run(COPY, timeout=900, check=True).out.split())
    return {"copy_s": round(end - start, 1), "most_unwritten_mb": round(unwritten * 1024 / 1e6)}


def measured(guest, what):
    shown = {"limits": what, **copied(guest)}
    guest.run("rm -f /run/copied")
    saver = guest.start(["python3", "/run/saver.py"], timeout=900)
    copied(guest)
    shown["saves_ms"] = [int(word) for word in guest.finish(saver, check=True).out.split()]
    print(json.dumps(shown), flush=True)
    return shown


def verdict(plain, limited):
    """Both figures over all rounds, and each round by itself: rounds are pairs, so slow times of the host cancel out."""
    freezes = [max(a["saves_ms"]) / max(b["saves_ms"]) for a, b in zip(plain, limited)]
    copies = [b["copy_s"] / a["copy_s"] for a, b in zip(plain, limited)]
    shorter, slower = statistics.median(freezes), statistics.median(copies)
    return {"rounds": len(plain),
            "freeze_ms": [statistics.median(max(each["saves_ms"]) for each in some) for some in (plain, limited)],
            "copy_s": [statistics.median(each["copy_s"] for each in some) for some in (plain, limited)],
            "freeze_shorter": {"median": round(shorter, 2), "of_each_round": [round(each, 2) for each in freezes]},
            "copy_slower": {"median": round(slower, 3), "of_each_round": [round(each, 3) for each in copies]},
            "ten_times_shorter": min(freezes) >= WANTED_SHORTER, "at_most_5_percent_slower": slower <= MOST_SLOWER}


def run(guest):
    guest.plug("usb", STICK, size_mib=COPY_MIB + 64, throttle={"bps-write": STICK_BYTES_PER_SECOND})
    stick = guest.wait_disk(STICK)
    guest.run(f"mkfs.vfat -I /dev/{stick} && mkdir -p /mnt/stick && mount /dev/{stick} /mnt/stick", timeout=300, check=True)
    guest.put("/run/saver.py", SAVER)
    seed = int(os.environ.get("FREEZE_SEED", random.randrange(1 << 30)))
    print(json.dumps({"seed": seed, "rounds": ROUNDS}), flush=True)
    chance = random.Random(seed)
    seen = {turn: [] for turn in LIMITS}
    for _round in range(ROUNDS):
        turns = list(LIMITS)
        chance.shuffle(turns)
        for turn in turns:
            settings = settings_of(turn, stick)
            change = set_as_root(guest, *settings) if settings else None
            seen[turn].append(measured(guest, LIMITS[turn]))
            if change:
                undone = guest.run(["diskwrightctl", "undo", change["transaction"], "--json"], timeout=300)
                assert undone.rc == 0, undone
    for turn in ("stick", "all"):
        print(json.dumps({"limits": LIMITS[turn]} | verdict(seen["plain"], seen[turn])), flush=True)
        # The limit does what it says; how much that helps is printed, since the host's load is in it.
        for plain, limited in zip(seen["plain"], seen[turn]):
            assert limited["most_unwritten_mb"] < plain["most_unwritten_mb"] / 2, (plain, limited)
