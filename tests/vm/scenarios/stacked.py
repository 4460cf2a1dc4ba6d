# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks of a real kernel: LVM on LUKS on a mirror with failed members, paths, zram; lsblk sees the same."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app/disks"))
import lsblk

PRODUCT = True
TIMEOUT = 1200

SET_UP = """
set -eu
modprobe zram num_devices=1
modprobe nbd
modprobe dm_multipath
cd /var/tmp
for n in 0 1 2 3 4 5; do truncate -s 48M disk$n; losetup /dev/loop$n disk$n; done
mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --spare-devices=1 --metadata=1.2 --assume-clean \
    /dev/loop0 /dev/loop1 /dev/loop2
printf key >key
cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --luks2-metadata-size 16k \
    --luks2-keyslots-size 256k /dev/md0 key
cryptsetup open --key-file key /dev/md0 secret
vgcreate -q one /dev/mapper/secret
lvcreate -q -y -L 16M -n data one
mkfs.ext4 -q -L 'a b' /dev/one/data
lvcreate -q -y -s -L 8M -n before one/data
mkdir -p '/mnt/a b'
mount /dev/one/data '/mnt/a b'
size=$(blockdev --getsz /dev/loop4)
dmsetup create paths --uuid mpath-test --table "0 $size multipath 0 0 1 1 round-robin 0 2 1 7:4 1 7:5 1"
echo 32M >/sys/block/zram0/disksize
mkswap /dev/zram0 >/dev/null
swapon /dev/zram0
udevadm settle
"""


def nodes(guest):
    return lsblk.nodes_of(guest.as_alice("diskwrightctl disks --all --json", check=True).out)


def compare(guest):
    rows = lsblk.rows_of(guest.run(["lsblk", *lsblk.OPTIONS], check=True).out)
    seen = nodes(guest)
    assert lsblk.offences(rows, seen) == [], lsblk.offences(rows, seen)
    return seen


def notes(seen, name):
    return seen[name]["notes"]


def run(guest):
    nvme = guest.plug("nvme", "NVMEONE")
    guest.wait_disk("NVMEONE")
    guest.run(SET_UP, check=True, timeout=600)
    seen = compare(guest)
    by_kind = {seen[name]["type"]: name for name in seen if name.startswith("dm-") and not notes(seen, name)}
    assert seen[by_kind["crypt"]]["slaves"] == ["md0"], json.dumps(seen)
    assert by_kind["mpath"] and notes(seen, "loop4") == [f"path-of-{by_kind['mpath']}"]
    assert [name for name in seen if "lvm-inner" in notes(seen, name)], "the snapshot has inner parts"
    assert notes(seen, "zram0") == ["swap"]
    assert notes(seen, "nbd0") == ["not-connected"]
    assert notes(seen, "loop2") == ["spare-member"], notes(seen, "loop2")
    assert notes(seen, "md0") == []

    guest.run("mdadm -q /dev/md0 --fail /dev/loop0 && mdadm --wait /dev/md0; mdadm -q /dev/md0 --fail /dev/loop1",
              check=True, timeout=300)
    guest.wait_until("grep -qx 1 /sys/block/md0/md/degraded")
    seen = compare(guest)
    assert notes(seen, "md0") == ["degraded"], notes(seen, "md0")
    assert notes(seen, "loop0") == notes(seen, "loop1") == ["failed-member"]
    assert notes(seen, "loop2") == []

    mounted = next(node for node in seen.values() if node["mounts"] and node["type"] == "lvm")
    assert mounted["mounts"][0]["target"] == "/mnt/a b" and mounted["label"] == "a b"
    table = guest.as_alice("diskwrightctl disks --all", check=True).out
    print(table)
    guest.unplug(nvme)
