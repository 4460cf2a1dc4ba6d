# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that answers nothing for 30 s: the window's own thread never waits for it, and what is listed is listed."""

import re

PRODUCT = True
TIMEOUT = 900
HANG_S = 30

SET_UP = """
set -eu
dmsetup create slow --table "0 $(blockdev --getsz /dev/{disk}) linear /dev/{disk} 0"
mkfs.ext4 -q -F /dev/mapper/slow
mkdir -p /mnt/slow
mount /dev/mapper/slow /mnt/slow
udevadm settle
"""
# "42 1700000000.123456 openat(...) = 3 <0.000123>": every call with when it began and how long it took.
CALL = re.compile(r"^(\d+) +([\d.]+) (\w+)\(.*<([\d.]+)>$", re.M)
RESUMED = re.compile(r"^(\d+) +([\d.]+) <\.\.\. (\w+) resumed>.*<([\d.]+)>$", re.M)
# How an event loop waits for events.
WAITS_FOR_EVENTS = {"poll", "ppoll", "epoll_wait", "epoll_pwait", "select", "pselect6"}


def main_thread(trace):
    """(when, seconds, name) of every call of the first thread, as it returned."""
    own = trace.split(None, 1)[0]
    calls = CALL.findall(trace) + RESUMED.findall(trace)
    return [(float(when), float(seconds), name) for thread, when, name, seconds in calls if thread == own]


def run(guest):
    guest.plug("scsi", "SCSIONE")
    disk = guest.wait_disk("SCSIONE")
    guest.run(SET_UP.replace("{disk}", disk), check=True, timeout=300)
    mapped = guest.run("basename $(readlink -f /dev/mapper/slow)", check=True).out.strip()
    pages = ("overview", disk, mapped)
    for page in pages:
        guest.run("export QT_QPA_PLATFORM=offscreen; nohup strace -f -ttt -T -qq -s 120 -e signal=none"
                  f" -o /tmp/{page}.trace diskwright --all --page {page} >/tmp/{page}.log 2>&1 &", user="alice", check=True)
    guest.wait_until("test $(pgrep -xc diskwright) = 3", timeout=120)
    guest.run("sleep 25", timeout=120)

    begun = float(guest.run("dmsetup suspend --noflush --nolockfs slow && date +%s.%N", check=True).out)
    try:
        guest.run("nohup dd if=/dev/mapper/slow of=/dev/null bs=4k count=1 iflag=direct >/dev/null 2>&1 &", check=True)
        guest.run("nohup sh -c 'echo x >/mnt/slow/x; sync /mnt/slow/x' >/dev/null 2>&1 &", check=True)
        listed = guest.as_alice("timeout 20 diskwrightctl disks --all --json", check=True, timeout=60).json()
        guest.as_alice(f"timeout 20 diskwrightctl show {mapped} --json", check=True, timeout=60)
        guest.run(f"sleep {HANG_S}", timeout=120)
        # The hang was one: somebody is still waiting for the disk.
        assert guest.run("ps -eo stat,comm | grep -E '^D.* (dd|sync)'").rc == 0, guest.run("ps -eo stat,comm").out
    finally:
        guest.run("dmsetup resume slow", check=True)
    ended = float(guest.run("date +%s.%N", check=True).out)
    assert mapped in str(listed), listed

    for page in pages:
        guest.run(f"pkill -x -f 'diskwright --all --page {page}'")
    guest.wait_until("! pgrep -x diskwright", timeout=60)
    for page in pages:
        trace = guest.get(f"/tmp/{page}.trace").decode(errors="replace")
        calls = [call for call in main_thread(trace) if begun < call[0] + call[1] and call[0] < ended]
        assert len(calls) > 100, f"{page}: {len(calls)} calls: it did not even look again"
        longest = max(((seconds, name) for _, seconds, name in calls if name not in WAITS_FOR_EVENTS), default=(0, ""))
        waits = max(seconds for _, seconds, name in calls if name in WAITS_FOR_EVENTS)
        print(f"{page}: {len(calls)} calls during the hang, the longest {longest[0] * 1000:.0f} ms ({longest[1]}),"
              f" longest wait for events {waits:.1f} s")
        # A thread that touched the disk would have waited until it was resumed.
        assert longest[0] < HANG_S / 6, f"{page}: {longest}"
