# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Freezes while a slow stick is copied to, with the kernel's limits, a limit for the stick, and one for all disks. The
figures are printed; held are the limit itself and what it costs (docs/freezes.md)."""

import json

PRODUCT = True
LONG = True
TIMEOUT = 1800
STICK, OTHER = "SLOWSTICK01", "/dev/disk/by-id/wwn-0x5000c500d15c0001-part1"
STICK_BYTES_PER_SECOND = 3_000_000
COPY_MIB = 220
# A 64th of the guest's memory, as 64 MiB are of 4 GiB.
LIMIT_BYTES = 16 << 20
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


def run(guest):
    guest.plug("usb", STICK, size_mib=COPY_MIB + 64, throttle={"bps-write": STICK_BYTES_PER_SECOND})
    stick = guest.wait_disk(STICK)
    guest.run(f"mkfs.vfat -I /dev/{stick} && mkdir -p /mnt/stick /mnt/other /root/work"
              f" && mount /dev/{stick} /mnt/stick && mount {OTHER} /mnt/other", timeout=300, check=True)
    guest.put("/run/saver.py", SAVER)
    guest.put("/run/program.py", PROGRAM)
    plain = measured(guest, "the kernel's")
    change = set_as_root(guest, f"bdi:{stick}:strict_limit=1", f"bdi:{stick}:max_bytes={LIMIT_BYTES}")
    limited = measured(guest, "16 MiB for the stick")
    undone = guest.run(["diskwrightctl", "undo", change["transaction"], "--json"], timeout=300)
    assert undone.rc == 0, undone
    set_as_root(guest, f"vm::dirty_bytes={LIMIT_BYTES}", f"vm::dirty_background_bytes={LIMIT_BYTES // 4}")
    everywhere = measured(guest, "16 MiB for all disks")
    # Another disk's saves wait, too, while they are written.
    assert limited["most_unwritten_mb"] < plain["most_unwritten_mb"] / 2, (plain, limited)
    for cured in (limited, everywhere):
        assert cured["copy_s"] < plain["copy_s"] * 1.05, (plain, cured)
