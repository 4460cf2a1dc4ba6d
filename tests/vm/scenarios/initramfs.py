# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""update-initramfs works in the guest, and the guest can be started with what it made."""

LONG = True
TIMEOUT = 1200


def run(guest):
    guest.put("/etc/udev/rules.d/99-initramfs-probe.rules", "# found in the initramfs\n")
    guest.run(["update-initramfs", "-u"], timeout=400, check=True)
    listing = guest.run("lsinitramfs /boot/initrd.img-*", timeout=120, check=True).out
    assert "udev/rules.d/99-initramfs-probe.rules" in listing, "a local rule is not in the initramfs"
    guest.adopt_initrd()
    before = guest.boot_id
    guest.power_off()
    guest.power_on()
    assert guest.boot_id != before
