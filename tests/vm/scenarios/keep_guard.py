# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Boots that don't finish: reset at the guard, at udev, at sysctl; the switch on the kernel command line."""

from keeping import (ASIDE, BOOT, RULES, SYSCTL, complete, disk_match, exists, item, keep, read_state, report, values,
                     write_state)

PRODUCT = True
TIMEOUT = 2400
SSD = "RIGSSD0001"
BOOT_SET = "/etc/diskwright/boot-set.json"
# systemd's progress on the console: colour codes around the unit's name, its description cut short.
ON_CONSOLE = "systemd.show_status=1"
GUARD = r"Finished \S*diskwright-guard\.service"
UDEV = r"Started \S*systemd-udevd\.service"
SYSCTL_DONE = r"Finished \S*systemd-sysctl\.service"


def in_force(guest):
    ahead = values(guest, SSD)[2]
    ratio = guest.run("cat /proc/sys/vm/dirty_ratio", check=True).out.strip()
    there = exists(guest, RULES) and exists(guest, SYSCTL) and not exists(guest, ASIDE + "80-diskwright.rules")
    aside = not exists(guest, RULES) and not exists(guest, SYSCTL) and exists(guest, ASIDE + "80-diskwright.rules")
    assert there or aside
    assert (ahead == 1024, ratio == "7") == (there, there), (there, ahead, ratio)
    return there


def files_that_cannot_be_replaced(guest):
    """The value is applied and said not to be kept; what is kept stays as it is, and can be kept anew later."""
    name, number = guest.wait_disk(SSD), 1024
    for hinder, free, why in ((f"chattr +i {RULES}", f"chattr -i {RULES}", "Operation not permitted"),
                              (f"mount --bind {RULES} {RULES}", f"umount {RULES}", "Device or resource busy")):
        old = [guest.get(path) for path in (RULES, SYSCTL, BOOT_SET)]
        number += 1024
        change = ["diskwrightctl", "set", f"queue:{name}:read_ahead_kb={number}", "--keep", "--json"]
        guest.run(hinder, check=True)
        said = guest.run(change)
        # Applied, but not done as asked.
        assert said.rc == 1, said
        shown = said.json()
        assert (shown["outcome"], shown["kept"], shown["keep_error"]) == ("applied", False, "state-file"), said
        assert values(guest, SSD)[2] == number, said
        assert "not be so at the next start" in said.err and why in said.err, said
        assert [guest.get(path) for path in (RULES, SYSCTL, BOOT_SET)] == old, said
        assert not guest.run("ls -A /etc/udev/rules.d /etc/diskwright | grep diskwright-new").out, said
        status = guest.run(["diskwrightctl", "boot", "status", "--json"])
        ahead = [entry for entry in status.json()["items"] if entry["setting"].endswith(":read_ahead_kb")]
        # Another value than is kept is in force now, and it says so.
        assert status.rc == 8 and [entry["wanted"] for entry in ahead] == [number - 1024], status
        guest.run(free, check=True)
        # Kept again from here, although the value is already so.
        again = guest.run(change)
        assert again.rc == 0 and again.json()["kept"], again
        assert f'"{number}"'.encode() in guest.get(RULES)
        status = guest.run(["diskwrightctl", "boot", "status", "--json"])
        assert status.rc == 0, status


def run(guest):
    match = disk_match(guest, SSD)
    keep(guest, [item("queue/read_ahead_kb", 1024, 128, match), item("vm/dirty_ratio", 7, 20)])

    # On probation one unfinished boot is enough.
    guest.power_off()
    guest.power_on(append=ON_CONSOLE, until=None)
    guest.reset_at(GUARD)
    guest.wait_boot()
    assert not in_force(guest)
    assert read_state(guest)["aside"] == "unfinished"
    assert report(guest)["state"] == "set-aside"
    guest.reboot()
    assert not in_force(guest), "set aside until somebody says otherwise"

    # Proven, it takes two in a row.
    write_state(guest, proven=True)
    complete(guest)
    guest.run("sync", check=True)
    guest.reset(until=None)
    guest.reset_at(UDEV)
    guest.reset_at(SYSCTL_DONE)
    guest.wait_boot()
    assert not in_force(guest)
    assert read_state(guest)["unfinished"] >= 2

    # One boot without, by the kernel command line; the next has them again.
    write_state(guest, proven=True)
    complete(guest)
    guest.power_off()
    guest.power_on(append="diskwright.off")
    assert not in_force(guest)
    assert read_state(guest)["aside"] == "command-line"
    guest.power_off()
    guest.power_on()
    assert in_force(guest)

    # A read-only /etc: the boot goes on as it is, and says so.
    write_state(guest, proven=True, running="another boot")
    guest.run("mount --bind /etc /etc && mount -o remount,bind,ro /etc", check=True)
    guard = guest.run(f"{BOOT} guard")
    assert guard.rc == 0, guard
    assert "the boot goes on unguarded, its state can't be written: " in guard.err, guard
    assert "Read-only file system" in guard.err, guard
    guest.run("umount -l /etc", check=True)
    write_state(guest, proven=True)

    files_that_cannot_be_replaced(guest)
