# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A power cut keeps what was synced, may lose what was not, and the guest starts again."""

LONG = True
TIMEOUT = 900


def run(guest):
    guest.run("sync", check=True)
    guest.run("echo synced >/root/synced && sync /root/synced && sync /root", check=True)
    # In memory only: the writeback interval is far longer than the time to the cut.
    guest.run("sysctl -qw vm.dirty_writeback_centisecs=0 && echo lost >/root/unsynced", check=True)
    before = guest.boot_id
    guest.cut_power()
    guest.power_on()
    assert guest.boot_id != before
    assert guest.get("/root/synced") == b"synced\n"
    assert guest.run("cat /root/unsynced").out == "", "the cut was no cut: unsynced data survived"

    # Again from a cold start, this time in the middle of a boot.
    guest.power_off()
    guest.power_on(append="systemd.log_target=console systemd.log_level=info", until=None)
    guest.cut_power_at("Queued start job for default target")
    guest.power_on()
    assert guest.get("/root/synced") == b"synced\n"
