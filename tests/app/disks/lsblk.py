#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""lsblk.py DISKWRIGHTCTL: the same facts from `lsblk` and from `diskwrightctl disks`, field by field.

Every machine of tests/fixtures/machines and the machine that this runs on. What differs on purpose stands in
DIFFERENCES with its reason; anything else fails, and so does a line there that nothing needs any more.
"""
import contextlib
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable

SOURCE = pathlib.Path(__file__).resolve().parents[3]
MACHINES = SOURCE / "tests/fixtures/machines"
OPTIONS = ("--all", "-J", "-b", "-o", "NAME,KNAME,TYPE,SIZE,ROTA,RM,MODEL,TRAN,FSTYPE,UUID,LABEL,MOUNTPOINTS,PKNAME")
program = ""


@dataclasses.dataclass(frozen=True)
class Difference:
    """Where both answers may differ, and why ours is meant."""

    field: str
    applies: Callable[[dict, object, object], bool]
    reason: str


DIFFERENCES = (
    Difference("transport", lambda n, t, o: t is None and o in ("dm", "md", "zram", "loop"),
               "lsblk names no carrier for devices that the kernel makes itself; the window sorts by it"),
    Difference("transport", lambda n, t, o: t is None and o == "scsi",
               "lsblk leaves out what is plain SCSI, such as a virtual machine's disks"),
    Difference("model", lambda n, t, o: t is None and n["name"].startswith("mmcblk"),
               "the name that a card reports, which lsblk does not read"),
    Difference("model", lambda n, t, o: bool(t) and bool(o) and t.replace("_", " ").strip() == o,
               "lsblk reads no ID_MODEL_ENC from a copy of a machine, so blanks come as underscores"),
    Difference("size", lambda n, t, o: o is None and n["type"] == "rom" and "no-medium" in n["notes"],
               "an empty optical drive shows a gigabyte that is not there"),
    Difference("fstype", lambda n, t, o: t is None and o and any(not m["covered"] for m in n["mounts"]),
               "without udev what is mounted tells the file system"),
    Difference("mounts", lambda n, t, o: n["fstype"] in ("btrfs", "zfs_member") and set(t) <= set(o),
               "the mounts of a file system with several devices belong to each of them"),
    Difference("mounts", lambda n, t, o: n["name"].startswith("zram") and "swap" in n["notes"] and not t,
               "swap that was started before the root was switched has a path without /dev"),
    Difference("label", lambda n, t, o: bool(t) and bool(o) and "\ufffd" in o and len(t) == len(o),
               "control characters and marks that turn the direction of writing are replaced"),
    Difference("listed", lambda n, t, o: any(note.startswith("path-of-nvme") for note in n["notes"]) and not t,
               "the single paths of a multipath NVMe disk are listed with --all, for they have a queue of their own"),
)


def dress(machine: pathlib.Path, folder: str) -> pathlib.Path:
    """A copy of the machine with what lsblk reads besides: links by number, holders, properties in /dev."""
    tree = pathlib.Path(folder) / "tree"
    shutil.copytree(machine, tree, symlinks=True)
    devices = {}
    for link in (tree / "sys/class/block").iterdir():
        devices[link.name] = place = link.resolve()
        (place / "holders").mkdir(exist_ok=True)
        number = place / "dev"
        if not number.exists():
            continue
        by_number = tree / "sys/dev/block" / number.read_text().strip()
        by_number.parent.mkdir(parents=True, exist_ok=True)
        by_number.symlink_to("../../" + str(place.relative_to(tree / "sys")))
        properties(tree, link.name, place, number.read_text().strip())
    for name, place in devices.items():
        for slave in (place / "slaves").iterdir() if (place / "slaves").is_dir() else ():
            if slave.name in devices:
                (devices[slave.name] / "holders" / name).symlink_to(place)
    for device in (tree / "sys/devices").rglob("*:*:*:*"):
        bus = tree / "sys/bus/scsi/devices" / device.name
        if re.fullmatch(r"\d+:\d+:\d+:\d+", device.name) and device.is_dir() and not device.is_symlink():
            bus.parent.mkdir(parents=True, exist_ok=True)
            bus.symlink_to("../../../" + str(device.relative_to(tree / "sys")))
    # Here nothing tells lsblk that /dev/dm-0 is what it calls /dev/mapper/NAME.
    swaps = tree / "proc/swaps"
    mapped = {name: (place / "dm/name").read_text().strip() for name, place in devices.items() if (place / "dm").is_dir()}
    swaps.write_text(re.sub(r"^/dev/(dm-\d+)", lambda found: f"/dev/mapper/{mapped[found[1]]}", swaps.read_text(),
                            flags=re.MULTILINE))
    return tree


def properties(tree: pathlib.Path, name: str, place: pathlib.Path, number: str) -> None:
    record = tree / "run/udev/data" / f"b{number}"
    lines = record.read_text().splitlines() if record.exists() else []
    text = "".join(line[2:] + "\n" for line in lines if line.startswith("E:"))
    mapped = place / "dm/name"
    for node in (tree / "dev" / name, *([tree / "dev/mapper" / mapped.read_text().strip()] if mapped.exists() else ())):
        node.parent.mkdir(parents=True, exist_ok=True)
        node.write_text(text)


def theirs(*root: str) -> dict[str, dict]:
    return rows_of(subprocess.run(["lsblk", *root, *OPTIONS], check=True, capture_output=True).stdout)


def rows_of(text: str | bytes) -> dict[str, dict]:
    """lsblk's rows by kernel name."""
    rows: dict[str, dict] = {}

    def add(row):
        rows.setdefault(row["kname"], row)
        rows[row["kname"]].setdefault("on", set()).update([row["pkname"]] if row["pkname"] else [])
        for child in row.get("children", ()):
            add(child)
    for row in json.loads(text)["blockdevices"]:
        add(row)
    return rows


def ours(*root: str) -> dict[str, dict]:
    return nodes_of(subprocess.run([program, *root, "disks", "--all", "--json"], check=True, capture_output=True).stdout)


def nodes_of(text: str | bytes) -> dict[str, dict]:
    """Our nodes by kernel name, disks and partitions alike."""
    nodes: dict[str, dict] = {}
    for disk in json.loads(text)["disks"]:
        nodes[disk["name"]] = disk | {"on": set(disk["slaves"])}
        for partition in disk["partitions"]:
            nodes[partition["name"]] = partition | {"on": {disk["name"]}}
    return nodes


def undisturbed() -> tuple[dict[str, dict], dict[str, dict]]:
    """Both answers about this machine, between which no other program has made or removed a device."""
    before = theirs()
    for _ in range(10):
        nodes, after = ours(), theirs()
        if before == after:
            break
        before = after
    return before, nodes


def facts(row: dict, node: dict) -> dict[str, tuple]:
    """Both answers to each question."""
    mounts = [mount["target"] for mount in node["mounts"]] + ["[SWAP]"] * ("swap" in node["notes"])
    model = (row["model"] or "").strip() or None
    found = {
        "type": (row["type"], node["type"]), "size": (row["size"], node["size_bytes"]),
        "transport": (row["tran"], node["transport"]), "fstype": (row["fstype"], node["fstype"]),
        "uuid": (row["uuid"], node["uuid"]), "label": (row["label"], node["label"]),
        "mounts": (sorted(mount for mount in row["mountpoints"] if mount), sorted(mounts)),
        "stands on": (row["on"], node["on"]), "model": (model, node["model"])}
    if node["type"] == "part":
        del found["model"], found["transport"]  # a disk's, which lsblk leaves out for partitions
    for column, field in (("rota", "rotational"), ("rm", "removable")):
        if node[field] is not None:
            found[field] = (row[column], node[field])
    return found


def offences(rows: dict[str, dict], nodes: dict[str, dict], fields: set[str] | None = None,
             used: set[Difference] | None = None, count: list | None = None) -> list[str]:
    """What differs without being meant to, a line each. used receives the differences that are meant."""
    found = [f"{name}: only lsblk lists it" for name in rows if name not in nodes]
    for name, node in nodes.items():
        answers = facts(rows[name], node) if name in rows else {"listed": (False, True)}
        for field, (theirs_, ours_) in answers.items():
            if fields is not None and field not in fields:
                continue
            if count is not None:
                count.append(field)
            meant = [entry for entry in DIFFERENCES if entry.field == field and entry.applies(node, theirs_, ours_)]
            if theirs_ != ours_ and not meant:
                found.append(f"{name}: {field} is {theirs_!r} for lsblk, {ours_!r} for us")
            if theirs_ != ours_ and used is not None:
                used.update(meant[:1])
    return found


@contextlib.contextmanager
def loop_device():
    """A loop device of this test's own with an ext4, and where that is mounted, a blank in its path."""
    with tempfile.TemporaryDirectory() as folder:
        image, point = pathlib.Path(folder) / "image", pathlib.Path(folder) / "a mount"
        with image.open("wb") as file:
            file.truncate(16 << 20)
        point.mkdir()
        subprocess.run(["mkfs.ext4", "-q", image], check=True)
        device = subprocess.run(["losetup", "-f", "--show", image], check=True, capture_output=True, text=True).stdout.strip()
        try:
            subprocess.run(["mount", device, point], check=True)
            try:
                yield pathlib.Path(device).name, str(point)
            finally:
                subprocess.run(["umount", point], check=True)
        finally:
            subprocess.run(["losetup", "-d", device], check=True)


class Comparison(unittest.TestCase):
    def test_machines(self):
        used: set[Difference] = set()
        count: list[str] = []
        machines = sorted(path for path in MACHINES.iterdir() if path.is_dir())
        self.assertGreaterEqual(len(machines), 10)
        for machine in machines:
            with self.subTest(machine.name), tempfile.TemporaryDirectory() as folder:
                tree = dress(machine, folder)
                rows, nodes = theirs("--sysroot", str(tree)), ours("--root", str(machine))
                self.assertEqual(offences(rows, nodes, None, used, count), [])
        self.assertGreater(len(count), 1000)
        # Last, when every machine has been seen.
        unused = [difference for difference in DIFFERENCES if difference not in used]
        self.assertEqual([f"{entry.field}: {entry.reason}" for entry in unused], [], "nothing needs these")

    def test_this_machine(self):
        # lsblk opens devices to see what is on them where udev is missing; we never do.
        fields = {"type", "size", "transport", "rotational", "removable", "stands on", "listed", "mounts"}
        with loop_device() as (name, point):
            rows, nodes = undisturbed()
            self.assertEqual(offences(rows, nodes, fields), [])
            self.assertEqual([(mount["target"], mount["covered"]) for mount in nodes[name]["mounts"]], [(point, False)])
            self.assertEqual(nodes[name]["fstype"], "ext4")
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", point], check=True)
            try:
                self.assertEqual([mount["covered"] for mount in ours()[name]["mounts"]], [True])
            finally:
                subprocess.run(["umount", point], check=True)

    def test_a_difference_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = dress(MACHINES / "laptop-luks-on-lvm", folder)
            rows, nodes = theirs("--sysroot", str(tree)), ours("--root", str(MACHINES / "laptop-luks-on-lvm"))
        for field, value in (("size_bytes", 1), ("type", "lvm"), ("uuid", "x"), ("on", {"sdb"})):
            with self.subTest(field):
                self.assertEqual(len(offences(rows, nodes | {"dm-3": nodes["dm-3"] | {field: value}})), 1)
        self.assertEqual(len(offences(rows, {name: node for name, node in nodes.items() if name != "dm-3"})), 1)


if __name__ == "__main__":
    program = sys.argv.pop(1)
    unittest.main()
