#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a tree (sys, proc, run) of a machine with many SATA disks, four mounted partitions each.

    make_disk_tree.py FOLDER [--disks 1000]

The files are those that the kernel and udev of Debian 13 show and that a disk lister reads; sizes, serial
numbers and UUIDs are made up from the number of the disk, so that two runs write the same bytes.
"""
import argparse
import os
import sys
import uuid

PARTITIONS = 4
SECTORS = 1953525168
QUEUE = {
    "scheduler": "none [mq-deadline] kyber bfq", "rotational": "0", "nr_requests": "64",
    "read_ahead_kb": "128", "discard_granularity": "512", "discard_max_bytes": "2147450880",
    "logical_block_size": "512", "physical_block_size": "512", "minimum_io_size": "512",
    "optimal_io_size": "0", "zoned": "none", "add_random": "0", "dax": "0",
}


def disk_name(number):
    """The kernel's own numbering: sda … sdz, sdaa …"""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("a") + rest) + name
    return "sd" + name


def device_number(disk, partition):
    """Sixteen minors a disk, the kernel's eight block majors of sd in turn, then the extended range."""
    majors = [8, 65, 66, 67, 68, 69, 70, 71]
    if disk < 16 * len(majors):
        return majors[disk // 16], disk % 16 * 16 + partition
    return 259, (disk - 16 * len(majors)) * (PARTITIONS + 1) + partition


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def attributes(folder, values):
    os.makedirs(folder, exist_ok=True)
    for key, value in values.items():
        write(os.path.join(folder, key), value + "\n")


class Tree:
    """The folders that all disks share, made once."""

    def __init__(self, folder):
        self.folder = folder
        for part in ("sys/block", "sys/class/block", "sys/dev/block", "sys/class/scsi_host", "proc/self",
                     "proc/sys/kernel/random", "run/udev/data", "dev"):
            os.makedirs(os.path.join(folder, part), exist_ok=True)
        self.mounts = ["1 0 0:2 / / rw,relatime - tmpfs tmpfs rw"]

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def number(self, place, name, major, minor):
        """The three links that lead to a device's folder."""
        target = os.path.relpath(place, "sys/class/block")
        os.symlink(target, self.path("sys/class/block", name))
        os.symlink(os.path.relpath(place, "sys/dev/block"), self.path(f"sys/dev/block/{major}:{minor}"))

    def udev(self, major, minor, links, properties):
        lines = [f"S:{link}\n" for link in links] + ["I:1000000\n"]
        lines += [f"E:{key}={value}\n" for key, value in properties.items()]
        write(self.path(f"run/udev/data/b{major}:{minor}"), "".join(lines) + "G:systemd\nV:1\n")

    def partition(self, disk, place, name, number, serial):
        major, minor = device_number(disk, number)
        part = f"{name}{number}"
        size = SECTORS // PARTITIONS - 2048
        folder = f"{place}/{part}"
        attributes(self.path(folder), {
            "dev": f"{major}:{minor}", "partition": str(number), "size": str(size), "ro": "0",
            "start": str(2048 + (number - 1) * (size + 2048)), "alignment_offset": "0", "discard_alignment": "0",
            "uevent": f"MAJOR={major}\nMINOR={minor}\nDEVNAME={part}\nDEVTYPE=partition\nDISKSEQ={disk + 1}\n"
                      f"PARTN={number}"})
        os.makedirs(self.path(folder, "holders"))
        self.number(folder, part, major, minor)
        identity = str(uuid.UUID(int=disk * 16 + number))
        self.udev(major, minor, [f"disk/by-id/ata-Bench_Disk_{serial}-part{number}", f"disk/by-uuid/{identity}"], {
            "ID_SERIAL": f"Bench_Disk_{serial}", "ID_PART_ENTRY_SCHEME": "gpt", "ID_FS_TYPE": "ext4",
            "ID_FS_UUID": identity, "ID_FS_UUID_ENC": identity, "ID_FS_LABEL": f"data{disk}-{number}",
            "ID_FS_LABEL_ENC": f"data{disk}-{number}", "ID_FS_USAGE": "filesystem"})
        self.mounts.append(f"{len(self.mounts) + 10} 1 {major}:{minor} / /srv/{part} rw,relatime shared:{disk} "
                           f"- ext4 /dev/{part} rw")

    def disk(self, disk):
        name = disk_name(disk)
        serial = f"S{disk:08d}"
        host = f"sys/devices/pci0000:00/0000:00:17.0/ata{disk + 1}/host{disk}"
        device = f"{host}/target{disk}:0:0/{disk}:0:0:0"
        place = f"{device}/block/{name}"
        major, minor = device_number(disk, 0)
        attributes(self.path(f"{host}/scsi_host/host{disk}"), {"proc_name": "ahci"})
        os.symlink(f"../../{host[4:]}/scsi_host/host{disk}", self.path(f"sys/class/scsi_host/host{disk}"))
        attributes(self.path(device), {"model": "Bench Disk".ljust(16), "vendor": "ATA".ljust(8), "type": "0",
                                       "rev": "1.00", "state": "running", "queue_depth": "32"})
        attributes(self.path(place), {
            "dev": f"{major}:{minor}", "size": str(SECTORS), "ro": "0", "removable": "0", "hidden": "0",
            "range": "16", "ext_range": "256", "alignment_offset": "0", "diskseq": str(disk + 1),
            "uevent": f"MAJOR={major}\nMINOR={minor}\nDEVNAME={name}\nDEVTYPE=disk\nDISKSEQ={disk + 1}"})
        os.symlink("../../../" + os.path.basename(device), self.path(place, "device"))
        for empty in ("holders", "slaves"):
            os.makedirs(self.path(place, empty))
        attributes(self.path(place, "queue"), QUEUE)
        os.symlink(f"../{place[4:]}", self.path("sys/block", name))
        self.number(place, name, major, minor)
        self.udev(major, minor, [f"disk/by-id/ata-Bench_Disk_{serial}", f"disk/by-id/wwn-0x5000c500{disk:08x}",
                                 f"disk/by-path/pci-0000:00:17.0-ata-{disk + 1}"], {
            "ID_ATA": "1", "ID_ATA_SATA": "1", "ID_TYPE": "disk", "ID_BUS": "ata", "ID_MODEL": "Bench_Disk",
            "ID_MODEL_ENC": "Bench\\x20Disk" + "\\x20" * 30, "ID_REVISION": "1.00",
            "ID_SERIAL": f"Bench_Disk_{serial}", "ID_SERIAL_SHORT": serial, "ID_WWN": f"0x5000c500{disk:08x}",
            "ID_PATH": f"pci-0000:00:17.0-ata-{disk + 1}", "ID_PART_TABLE_TYPE": "gpt"})
        for number in range(1, PARTITIONS + 1):
            self.partition(disk, place, name, number, serial)

    def finish(self):
        write(self.path("proc/self/mountinfo"), "\n".join(self.mounts) + "\n")
        write(self.path("proc/swaps"), "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n")
        write(self.path("proc/sys/kernel/osrelease"), "6.12.0\n")
        write(self.path("proc/sys/kernel/random/boot_id"), "00000000-0000-4000-8000-000000000000\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--disks", type=int, default=1000)
    arguments = parser.parse_args()
    if arguments.disks < 1:
        parser.error(f"--disks {arguments.disks}: at least 1")
    if os.path.exists(arguments.folder) and os.listdir(arguments.folder):
        parser.error(f"{arguments.folder}: is not empty")
    tree = Tree(arguments.folder)
    for disk in range(arguments.disks):
        tree.disk(disk)
    tree.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
