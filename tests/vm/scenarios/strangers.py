# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A start without a disk that something is kept for, with another one that says it is that disk, and with a twin that
nothing tells from it."""

PRODUCT = True

SERIAL = "STRANGER01"
SIZE, OTHER_SIZE = 64, 96
SSD = "RIGSSD0001"
KEPT = 1024


def items(guest):
    """State and value of what is kept, by the disk that it is shown for; "" for one that is not there."""
    shown = guest.run(["diskwrightctl", "boot", "status", "--json"])
    assert shown.rc in (0, 8), shown
    status = shown.json()
    return {entry["setting"].split(":")[1] if entry["state"] != "not-yet-seen" else "": (entry["state"], entry["current"])
            for entry in status["items"]}, shown.rc


def read_ahead(guest, name):
    return int(guest.run(f"cat /sys/block/{name}/queue/read_ahead_kb", check=True).out)


def named(guest, serial):
    return guest.run(f"lsblk -dno NAME,SERIAL | awk '$2 == \"{serial}\" {{ print $1 }}'", check=True).out.split()


def run(guest):
    stick = guest.plug("usb", SERIAL, SIZE)
    name = guest.wait_disk(SERIAL)
    default = read_ahead(guest, name)
    ssd = guest.wait_disk(SSD)
    guest.run(["diskwrightctl", "set", f"queue:{name}:read_ahead_kb={KEPT}", f"queue:{ssd}:read_ahead_kb=512", "--keep"],
              check=True)
    guest.unplug(stick)

    guest.reboot()
    ssd = guest.wait_disk(SSD)
    found, code = items(guest)
    assert found == {"": ("not-yet-seen", None), ssd: ("holds", 512)}, found
    assert code == 0, "a disk that is not there is no fault"
    # The same serial number, another size: not the disk.
    other = guest.plug("usb", SERIAL, OTHER_SIZE, name="other")
    stranger = guest.wait_disk(SERIAL)
    assert read_ahead(guest, stranger) == default
    assert items(guest)[0] == {"": ("not-yet-seen", None), ssd: ("holds", 512)}, items(guest)
    guest.unplug(other)
    guest.wait_until(f"test ! -e /sys/block/{stranger}")

    # Whoever reads back at the start waits for it meanwhile, and says so when it has come.
    guest.plug("usb", SERIAL, SIZE)
    name = guest.wait_disk(SERIAL)
    guest.wait_until("journalctl -b -u diskwright-verify -o cat | grep -q '^2 of 2 settings hold'")
    guest.wait_until(f"grep -qx {KEPT} /sys/block/{name}/queue/read_ahead_kb")
    assert items(guest) == ({name: ("holds", KEPT), ssd: ("holds", 512)}, 0), items(guest)

    # A twin: nothing tells the two apart, so nothing new is kept for either of them, and both are shown.
    guest.plug("usb", SERIAL, SIZE, name="twin")
    guest.wait_until(f"test $(lsblk -dno SERIAL | grep -cx {SERIAL}) = 2")
    guest.run("udevadm settle", check=True)
    twins = named(guest, SERIAL)
    found, _ = items(guest)
    assert set(found) == {*twins, ssd}, (found, twins)
    verified = guest.run("/usr/libexec/diskwright/diskwright-boot verify", check=True)
    assert "2 on disks that can't be told apart" in verified.out + verified.err, verified
    for twin in twins:
        assert found[twin] == ("holds", KEPT) and read_ahead(guest, twin) == KEPT, (found, twin)
        refused = guest.run(["diskwrightctl", "set", f"queue:{twin}:read_ahead_kb=256", "--keep", "--json"])
        assert (refused.rc, refused.json()["error"]["code"]) == (3, "no-stable-id"), refused

    guest.run(["diskwrightctl", "forget"], check=True)
    guest.reboot()
    for twin in named(guest, SERIAL):
        assert read_ahead(guest, twin) == default, twin
