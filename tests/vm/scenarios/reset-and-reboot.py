# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A clean restart, a reset in mid-boot at a chosen place, and a cold start with the disks' names swapped."""

TIMEOUT = 1200

MARKER = """[Unit]
Description=Says on the console that early boot has come this far
DefaultDependencies=no
After=systemd-remount-fs.service
Before=systemd-udevd.service sysinit.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'echo EARLY-MARK $(cat /proc/sys/kernel/random/boot_id) >/dev/ttyS0'
[Install]
WantedBy=sysinit.target
"""


def run(guest):
    guest.put("/root/kept", "content\n")
    guest.put("/etc/systemd/system/early-mark.service", MARKER)
    guest.run("systemctl enable early-mark.service", check=True)
    before = guest.boot_id
    guest.reboot()
    assert guest.boot_id != before
    assert guest.get("/root/kept") == b"content\n"
    assert guest.as_alice("id -un").out.strip() == "alice"
    assert guest.boot_id in guest.wait_console(r"EARLY-MARK [-0-9a-f]+", timeout=1)

    # Reset twice: once anywhere, once exactly at the mark, before the agent of that boot can answer.
    guest.reset(until=None)
    interrupted = guest.wait_console(r"EARLY-MARK [-0-9a-f]+").split()[1]
    guest.reset_at(r"EARLY-MARK [-0-9a-f]+")
    guest.wait_boot()
    assert guest.boot_id not in (before, interrupted)
    assert guest.get("/root/kept") == b"content\n"

    def names():
        return {serial: guest.disk_name(serial) for serial in ("RIGHDD0001", "RIGSSD0001")}

    def ports():
        # The controller's own port: the kernel numbers its SCSI hosts in the order in which drivers happen to come up.
        return {serial: guest.run(f"cat $(readlink -f /sys/block/{name}/device/../../..)/ata_port/*/port_no",
                                  check=True).out for serial, name in names().items()}

    straight = ports()
    guest.power_off()
    guest.power_on(append="rig.extra=1", swap_disks=True)
    assert "rig.extra=1" in guest.run("cat /proc/cmdline").out
    swapped = ports()
    assert straight["RIGHDD0001"] == swapped["RIGSSD0001"] != straight["RIGSSD0001"], (straight, swapped)
