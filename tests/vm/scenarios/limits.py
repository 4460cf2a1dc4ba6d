# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of unwritten data and settings for a class of disks: kept over a restart with other dirty limits, at a
re-plug, and never on a disk that carries the system; edited files and a read-only /etc; off, undone, forgotten."""

from keeping import RULES, assert_udev_is_content, exists

PRODUCT = True
LONG = True
TIMEOUT = 1500
STICK, OTHER, HDD, SSD = "RIGUSB0001", "CLASSUSB1", "RIGHDD0001", "RIGSSD0001"
LIMIT, CLASS_LIMIT = 32 << 20, 8 << 20
MARKS = "/run/diskwright/system"


def ctl(guest, *words, code=0, outcome=None):
    result = guest.run(["diskwrightctl", *words, "--json"], timeout=300)
    assert result.rc == code, result
    shown = result.json()
    assert outcome is None or shown["outcome"] == outcome, shown
    return shown


def bdi(guest, serial):
    """strict_limit, max_bytes and the stored share of a disk now."""
    name = guest.wait_disk(serial)
    return tuple(int(word) for word in guest.run(
        f"cd /sys/block/{name}/bdi; cat strict_limit max_bytes max_ratio_fine", check=True).out.split())


def read_ahead(guest, serial):
    return int(guest.run(f"cat /sys/block/{guest.wait_disk(serial)}/queue/read_ahead_kb", check=True).out)


def wait_limit(guest, serial, wanted):
    """The unit that writes it comes after udev."""
    name = guest.wait_disk(serial)
    guest.wait_until(f"test $(cat /sys/block/{name}/bdi/strict_limit) = 1"
                     f" && ! systemctl is-active -q diskwright-limits@{name}", 120)
    _strict, now, share = bdi(guest, serial)
    assert abs(now - wanted) <= wanted // 64 + 8192 and share < 1_000_000, (now, wanted, share)


def status(guest, code=0):
    return ctl(guest, "boot", "status", code=code)


def states(shown):
    return {(item["setting"], item["kept_for"]): item["state"] for item in shown["items"]}


def keeps(guest):
    """What is kept, from each of the ways to keep it."""
    stick, hdd, ssd = (guest.wait_disk(serial) for serial in (STICK, HDD, SSD))
    limit = ctl(guest, "set", f"bdi:{stick}:strict_limit=1", f"bdi:{stick}:max_bytes={LIMIT}", "--keep",
                outcome="applied")
    assert limit["kept"] is True and limit["kept_for"] is None, limit
    wait_limit(guest, STICK, LIMIT)
    planned = ctl(guest, "set", f"queue:{stick}:read_ahead_kb=512", "--keep", "--class", "--dry-run", outcome="planned")
    assert planned["kept_for"] == "usb-removable" and not planned["kept"], planned
    for disk, of in ((stick, "usb-removable"), (hdd, "sata-rotational"), (ssd, "sata-solid-state")):
        shown = ctl(guest, "set", f"queue:{disk}:read_ahead_kb=512", "--keep", "--class", outcome="applied")
        assert shown["kept"] is True and shown["kept_for"] == of, shown
    ctl(guest, "set", "vm::dirty_bytes=134217728", "--keep", outcome="applied")
    shown = ctl(guest, "show", f"queue:{stick}:read_ahead_kb")["settings"][0]
    assert (shown["kept"], shown["kept_for"]) == (512, "usb-removable"), shown
    # Several classes, a setting that classes go by, and a disk of none.
    for wrong in ([f"queue:{stick}:read_ahead_kb=1024", f"queue:{hdd}:read_ahead_kb=1024"],
                  [f"queue:{hdd}:rotational=0"], ["queue:vda:read_ahead_kb=1024"], ["vm::dirty_bytes=134217728"]):
        refused = ctl(guest, "set", *wrong, "--keep", "--class", code=3)
        assert refused["error"]["code"] == "not-of-class", refused
    guest.run(f"udevadm verify {RULES}", check=True)
    return limit["transaction"]


def lets_ssd_carry_the_system(guest):
    """Swap lies on it from the next start on, which is turned on long after udev saw the disk."""
    part = "/dev/disk/by-id/wwn-0x5000c500d15c0002-part1"
    guest.run(f"mkswap {part} && swapon {part} && echo '{part} none swap sw,nofail 0 0' >>/etc/fstab", check=True)
    guest.run("/usr/libexec/diskwright/diskwright-boot verify")
    assert "RIGSSD0001" in guest.get("/etc/diskwright/boot/system-disks").decode()


def holds_after_a_restart(guest):
    guest.reboot()
    wait_limit(guest, STICK, LIMIT)
    guest.wait_until("grep -q partition /proc/swaps", 300)
    assert guest.run("cat /proc/sys/vm/dirty_bytes", check=True).out.strip() == "134217728"
    assert (read_ahead(guest, STICK), read_ahead(guest, HDD)) == (512, 512)
    assert exists(guest, f"{MARKS}/known") and "serial-" in guest.run(f"ls {MARKS}").out
    assert read_ahead(guest, SSD) == 128, "a class rule touched a disk that carries the system"
    guest.run(f"udevadm trigger --settle --action=change /sys/block/{guest.wait_disk(SSD)}", check=True)
    assert read_ahead(guest, SSD) == 128, "a class rule touched a disk that carries the system"
    shown = status(guest)
    stick = guest.wait_disk(STICK)
    assert states(shown) == {
        (f"bdi:{stick}:strict_limit", None): "holds", (f"bdi:{stick}:max_bytes", None): "holds",
        (f"queue:{stick}:read_ahead_kb", "usb-removable"): "holds",
        (f"queue:{guest.wait_disk(HDD)}:read_ahead_kb", "sata-rotational"): "holds",
        ("queue:sata-solid-state:read_ahead_kb", "sata-solid-state"): "not-yet-seen",
        ("vm::dirty_bytes", None): "holds"}, shown
    assert_udev_is_content(guest)


def follows_the_dirty_limits(guest):
    before = bdi(guest, STICK)[2]
    ctl(guest, "set", "vm::dirty_bytes=268435456", "--keep", outcome="applied")
    wait_limit(guest, STICK, LIMIT)
    assert bdi(guest, STICK)[2] < before * 3 // 4, (before, bdi(guest, STICK))
    assert "differs" not in states(status(guest)).values()


def comes_with_each_disk(guest):
    guest.plug("usb", OTHER)
    assert read_ahead(guest, OTHER) == 512 and bdi(guest, OTHER)[0] == 0
    other = guest.wait_disk(OTHER)
    shown = ctl(guest, "set", f"bdi:{other}:strict_limit=1", f"bdi:{other}:max_bytes={CLASS_LIMIT}", "--keep", "--class",
                outcome="applied")
    assert shown["kept_for"] == "usb-removable", shown
    guest.unplug("stick")
    guest.plug_stick()
    # What is kept of the disk itself wins.
    wait_limit(guest, STICK, LIMIT)
    assert read_ahead(guest, STICK) == 512
    wait_limit(guest, OTHER, CLASS_LIMIT)
    assert "differs" not in states(status(guest)).values()
    assert_udev_is_content(guest)


def edits_are_shown(guest):
    hdd = guest.wait_disk(HDD)
    guest.run(f"echo '# mine' >>{RULES}", check=True)
    shown = ctl(guest, "set", f"queue:{hdd}:nr_requests=48", "--keep", code=1, outcome="applied")
    assert shown["keep_error"] == "file-changed" and not shown["kept"], shown
    assert shown["edited"][0]["file"] == RULES and "+ # mine" in shown["edited"][0]["difference"], shown
    text = guest.run(["diskwrightctl", "keep", f"queue:{hdd}:nr_requests"])
    assert text.rc == 3 and RULES in text.err and "+ # mine" in text.err, text
    ctl(guest, "forget", f"queue:{hdd}:read_ahead_kb", code=3)
    ctl(guest, "keep", f"queue:{hdd}:nr_requests", "--replace-edited", outcome="kept")
    assert "# mine" not in guest.get(RULES).decode()
    assert "# mine" in guest.run("cat /var/lib/diskwright/backup/*", check=True).out


def nothing_is_saved_where_nothing_can_be(guest):
    hdd = guest.wait_disk(HDD)
    before = guest.get("/etc/diskwright/boot-set.json")
    guest.run("mount --bind /etc /etc && mount -o remount,bind,ro /etc", check=True)
    shown = ctl(guest, "set", f"queue:{hdd}:nr_requests=40", "--keep", code=1, outcome="applied")
    guest.run("umount -l /etc", check=True)
    assert shown["keep_error"] == "state-file" and not shown["kept"], shown
    assert "read-only" in shown["error"]["message"].lower(), shown
    assert guest.run(f"cat /sys/block/{hdd}/queue/nr_requests").out.strip() == "40"
    assert guest.get("/etc/diskwright/boot-set.json") == before


def run(guest):
    free = bdi(guest, STICK)
    assert free[0] == 0 and free[2] == 1_000_000, free
    usual = read_ahead(guest, STICK)
    limit = keeps(guest)
    lets_ssd_carry_the_system(guest)
    holds_after_a_restart(guest)
    follows_the_dirty_limits(guest)
    comes_with_each_disk(guest)
    edits_are_shown(guest)
    nothing_is_saved_where_nothing_can_be(guest)

    # Undone in another boot than it was made in: the stored share is as before, and the class's limit stays kept.
    ctl(guest, "undo", limit, outcome="undone")
    assert bdi(guest, STICK)[2] == 1_000_000, bdi(guest, STICK)

    guest.power_off()
    guest.power_on(append="diskwright.off")
    assert bdi(guest, STICK)[0] == 0 and bdi(guest, STICK)[2] == 1_000_000 and read_ahead(guest, STICK) == usual
    assert status(guest, 8)["state"] == "set-aside"

    ctl(guest, "forget", "bdi:usb-removable:max_bytes", "bdi:usb-removable:strict_limit", outcome="forgotten")
    ctl(guest, "forget", outcome="forgotten")
    assert not exists(guest, RULES) and not exists(guest, "/etc/diskwright/boot/system-disks")
    assert status(guest)["state"] == "none"
    guest.unplug("stick")
    guest.plug_stick()
    assert bdi(guest, STICK)[0] == 0 and read_ahead(guest, STICK) == usual
