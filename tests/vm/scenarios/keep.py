# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kept settings hold after a restart with swapped names, on disks that come late or later, and under a hold."""

from keeping import (BOOT, assert_udev_is_content, disk_match, exists, item, keep, read_state, report, values)

PRODUCT = True
TIMEOUT = 1500
SSD, HDD, STICK = "RIGSSD0001", "RIGHDD0001", "RIGUSB0001"
# scheduler, nr_requests, read_ahead_kb, read_expire
KEPT = {SSD: ("mq-deadline", 48, 1024, 224), HDD: ("bfq", 60, 512, None), STICK: ("mq-deadline", 8, 2048, 300)}


def items_for(match, wanted):
    scheduler, requests, read_ahead, expire = wanted
    # In an order in which they could not be applied.
    items = [item("queue/read_ahead_kb", read_ahead, 128, match)]
    if expire:
        items.append(item("iosched/mq-deadline/read_expire", expire, 500, match))
    return items + [item("queue/nr_requests", requests, 64, match),
                    item("queue/scheduler", scheduler, "mq-deadline", match)]


def check_all(guest):
    found = {serial: values(guest, serial) for serial in KEPT}
    assert found == KEPT, found
    vm = guest.run("cat /proc/sys/vm/dirty_bytes /proc/sys/vm/dirty_background_bytes", check=True).out.split()
    assert vm == ["268435456", "67108864"], vm


def run(guest):
    matches = {serial: disk_match(guest, serial) for serial in KEPT}
    items = [entry for serial, wanted in KEPT.items() for entry in items_for(matches[serial], wanted)]
    items += [item("vm/dirty_background_bytes", 67108864, 10, of="vm/dirty_background_ratio"),
              item("vm/dirty_bytes", 268435456, 20, of="vm/dirty_ratio")]
    keep(guest, items)
    guest.run("udevadm verify /etc/udev/rules.d/80-diskwright.rules", check=True)

    guest.power_off()
    guest.power_on(swap_disks=True)
    names = {serial: guest.disk_name(serial) for serial in KEPT}
    check_all(guest)
    shown = report(guest)
    assert (shown["holds"], shown["total"]) == (len(items), len(items)), shown
    assert {entry["setting"] for entry in shown["items"] if entry["id"] == matches[SSD]["id"]} == {
        f"queue:{names[SSD]}:scheduler", f"queue:{names[SSD]}:nr_requests", f"queue:{names[SSD]}:read_ahead_kb",
        f"iosched:{names[SSD]}:mq-deadline/read_expire"}, shown
    assert_udev_is_content(guest)
    assert guest.run(f"{BOOT} verify", check=True).err.startswith(f"{len(items)} of {len(items)} settings hold")

    # A trial's value survives any event while its disk is held, and the kept one comes back afterwards.
    ssd = names[SSD]
    guest.run(f"mkdir -p /run/diskwright/hold && touch /run/diskwright/hold/{ssd}"
              f" && echo 4096 >/sys/block/{ssd}/queue/read_ahead_kb"
              f" && udevadm trigger --settle --action=change /sys/block/{ssd}", check=True)
    assert values(guest, SSD)[2] == 4096
    guest.run(f"rm /run/diskwright/hold/{ssd} && udevadm trigger --settle --action=change /sys/block/{ssd}", check=True)
    assert values(guest, SSD) == KEPT[SSD]

    guest.unplug("stick")
    guest.plug_stick()
    assert values(guest, STICK) == KEPT[STICK]
    assert_udev_is_content(guest)

    # A minute after the boot the set is proven.
    guest.wait_until("grep -q '\"proven\": true' /etc/diskwright/boot/state.json", 300)
    assert read_state(guest)["running"] == ""

    # Everything back, as in a rescue shell.
    restored = guest.run(f"{BOOT} restore --yes")
    assert restored.rc == 0, restored
    assert guest.run("cat /proc/sys/vm/dirty_ratio /proc/sys/vm/dirty_background_ratio").out.split() == ["20", "10"]
    assert not exists(guest, "/etc/diskwright/boot-set.json")
    assert not exists(guest, "/etc/udev/rules.d/80-diskwright.rules")
    assert values(guest, SSD) == ("mq-deadline", 64, 128, 500)
