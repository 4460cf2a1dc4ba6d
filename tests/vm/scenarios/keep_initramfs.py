# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An initramfs made while settings are kept holds none of them: else they would act before the guard, and go on
acting after they were set aside or forgotten."""

from keeping import BOOT, RULES, disk_match, exists, item, keep, values

PRODUCT = True
LONG = True
TIMEOUT = 2400
SSD = "RIGSSD0001"


def run(guest):
    before = values(guest, SSD)
    keep(guest, [item("queue/read_ahead_kb", 1024, 128, disk_match(guest, SSD))])
    guest.run("update-initramfs -u", timeout=900, check=True)
    listing = guest.run("lsinitramfs /boot/initrd.img-*", timeout=300, check=True).out
    assert "udev/rules.d/60-persistent-storage.rules" in listing
    assert "diskwright" not in listing, [line for line in listing.splitlines() if "diskwright" in line]
    guest.adopt_initrd()

    guest.power_off()
    guest.power_on(append="diskwright.off")
    assert values(guest, SSD) == before
    guest.power_off()
    guest.power_on()
    assert values(guest, SSD)[2] == 1024

    guest.run(f"{BOOT} restore --yes", check=True)
    assert not exists(guest, RULES)
    guest.reboot()
    assert values(guest, SSD) == before
