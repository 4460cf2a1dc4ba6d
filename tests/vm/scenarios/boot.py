# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest is what the other scenarios take it for: complete, with a session and known disks."""

import time

EXPECTED = {
    "wwn-0x5000c500d15c0001": ("disk", "1"),
    "wwn-0x5000c500d15c0002": ("disk", "0"),
    "ata-RIG-HDD_RIGHDD0001": ("disk", "1"),
    "ata-RIG-SSD_RIGSSD0001": ("disk", "0"),
    "usb-QEMU_QEMU_HARDDISK_RIGUSB0001-0:0": ("disk", None),
}


def run(guest):
    assert guest.run("systemctl is-system-running").out.strip() == "running"
    session = guest.as_alice("loginctl show-session $XDG_SESSION_ID -p Active -p Seat -p Name -p Type").out
    assert set(session.split()) == {"Active=yes", "Seat=seat0", "Name=alice", "Type=tty"}, session
    assert guest.as_alice("id -un").out.strip() == "alice"
    assert guest.run("id -un", user="bob").out.strip() == "bob"
    assert "XDG_SESSION_ID" not in guest.run("env", user="bob").out

    for link, (kind, rotational) in EXPECTED.items():
        shown = guest.run(f"lsblk -dno TYPE,ROTA /dev/disk/by-id/{link}", check=True).out.split()
        assert shown[0] == kind, (link, shown)
        assert rotational in (None, shown[1]), (link, shown)
    labels = guest.run("lsblk -no LABEL").out.split()
    assert sorted(labels) == ["data", "fast", "root", "stick"], labels

    for module in ("scsi_debug", "null_blk", "loop", "bfq", "dm_flakey"):
        guest.run(["modprobe", "-n", module], check=True)
    clock = int(guest.run("date +%s").out)
    assert abs(clock - time.time()) < 30, clock
