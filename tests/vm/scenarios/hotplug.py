# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks come and go: each arrival has its own disk sequence number, whatever name it gets."""

STICK = "/dev/disk/by-id/usb-QEMU_QEMU_HARDDISK_RIGUSB0001-0:0"


def sequence(guest, link):
    name = guest.run(f"basename $(readlink {link})", check=True).out.strip()
    return int(guest.run(f"cat /sys/block/{name}/diskseq", check=True).out)


def run(guest):
    first = sequence(guest, STICK)
    guest.run(f"mount {STICK}-part1 /mnt && echo kept >/mnt/file && umount /mnt", check=True)
    guest.unplug("stick")
    guest.wait_until(f"test ! -e {STICK}")
    guest.plug_stick()
    guest.wait_until(f"test -e {STICK}-part1")
    second = sequence(guest, STICK)
    assert second > first, (first, second)
    guest.run(f"mount -o ro {STICK}-part1 /mnt", check=True)
    assert guest.get("/mnt/file") == b"kept\n"
    guest.run("umount /mnt", check=True)

    sequences = [first, second]
    for kind, serial in (("usb", "USBTWO"), ("scsi", "SCSIONE"), ("nvme", "NVMEONE")):
        plugged = guest.plug(kind, serial)
        name = guest.wait_disk(serial)
        sequences.append(int(guest.run(f"cat /sys/block/{name}/diskseq", check=True).out))
        assert guest.run(f"cat /sys/block/{name}/size").out.strip() == str(64 << 11)
        guest.unplug(plugged)
        guest.wait_until(f"test ! -e /sys/block/{name}")

    assert sequences == sorted(set(sequences)), sequences

    limited = guest.plug("usb", "SLOWONE", throttle={"bps-read": 4 << 20})
    name = guest.wait_disk("SLOWONE")
    script = (f"s=$(date +%s%N); dd if=/dev/{name} of=/dev/null bs=1M count=16 iflag=direct 2>/dev/null;"
              " echo $(( ($(date +%s%N) - s) / 1000000 ))")
    milliseconds = int(guest.run(script, check=True).out)
    assert milliseconds > 2000, f"16 MiB at 4 MiB/s took {milliseconds} ms"
    guest.unplug(limited)

    guest.run(["modprobe", "scsi_debug", "dev_size_mb=32"], check=True)
    guest.wait_until("lsblk -dno MODEL | grep -q scsi_debug")
