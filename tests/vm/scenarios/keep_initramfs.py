# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An initramfs made before a keep, before forgetting or before the guard holds nothing of what is kept: else that would
act before the guard, and go on acting after it was set aside or forgotten."""

from keeping import RULES, exists, values

PRODUCT = True
LONG = True
TIMEOUT = 3000
SSD = "RIGSSD0001"


def make_initramfs(guest):
    guest.run("update-initramfs -u", timeout=900, check=True)
    listing = guest.run("lsinitramfs /boot/initrd.img-*", timeout=300, check=True).out
    assert "udev/rules.d/60-persistent-storage.rules" in listing
    assert "diskwright" not in listing, [line for line in listing.splitlines() if "diskwright" in line]
    guest.adopt_initrd()


def keep(guest):
    done = guest.run(["diskwrightctl", "set", f"queue:{guest.disk_name(SSD)}:read_ahead_kb=1024", "--keep", "--json"])
    assert done.rc == 0 and done.json()["kept"] is True, done
    assert exists(guest, RULES)


def run(guest):
    before = values(guest, SSD)
    make_initramfs(guest)
    keep(guest)
    guest.reboot()
    assert values(guest, SSD)[2] == 1024

    make_initramfs(guest)
    guest.power_off()
    guest.power_on(append="diskwright.off")
    assert values(guest, SSD) == before
    guest.power_off()
    guest.power_on()
    assert values(guest, SSD)[2] == 1024

    make_initramfs(guest)
    forgotten = guest.run(["diskwrightctl", "forget", "--json"])
    assert forgotten.rc == 0 and not exists(guest, RULES), forgotten
    guest.reboot()
    assert values(guest, SSD) == before
