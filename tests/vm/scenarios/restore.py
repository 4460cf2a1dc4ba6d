# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Put everything back: changes on two disks and of memory, some kept, one on trial, by a password; then the same in
rescue mode, without a bus, by root; then by removing the package."""

from keeping import BOOT, RULES, SYSCTL, exists, values

PRODUCT = True
LONG = True
TIMEOUT = 1200
SSD, HDD = "RIGSSD0001", "RIGHDD0001"


def ctl(*words):
    return ["diskwrightctl", *words, "--json"]


def allowed(guest, *words, outcome):
    """A call that asks for the password once."""
    result = guest.with_password(ctl(*words), "alice", timeout=200)
    assert result.rc == 0 and result.prompts == 1, result
    shown = result.json()
    assert shown["outcome"] == outcome, shown
    return shown


def memory(guest):
    return guest.run("cd /proc/sys/vm; cat swappiness dirty_background_ratio dirty_background_bytes", check=True).out.split()


def now(guest):
    return values(guest, SSD), values(guest, HDD), memory(guest)


def change(guest, ssd, hdd):
    allowed(guest, "set", f"queue:{ssd}:scheduler=bfq", f"queue:{ssd}:nr_requests=48", f"queue:{hdd}:read_ahead_kb=512",
            "vm::swappiness=11", outcome="applied")
    allowed(guest, "set", f"queue:{hdd}:read_ahead_kb=1024", "vm::dirty_background_bytes=67108864", "--keep", outcome="applied")
    return allowed(guest, "set", f"queue:{ssd}:read_ahead_kb=4096", "--try", "600", outcome="trial")


def assert_nothing_kept(guest):
    assert not exists(guest, RULES) and not exists(guest, SYSCTL) and not exists(guest, "/etc/diskwright/boot-set.json")
    left = guest.run("ls /var/lib/diskwright/txn /run/diskwright/hold | grep -v -e quarantine -e : -e '^$'").out
    assert left == "", left


def remove_the_package(guest):
    """Something kept and a trial open: all is put back before the program goes; purging takes the rest."""
    ssd, hdd = guest.disk_name(SSD), guest.disk_name(HDD)
    before = now(guest)
    kept = guest.run(ctl("set", f"queue:{ssd}:read_ahead_kb=2048", "vm::swappiness=12", "--keep"), check=True).json()
    assert kept["outcome"] == "applied", kept
    trial = guest.run(ctl("set", f"queue:{hdd}:read_ahead_kb=4096", "--try", "600"), check=True).json()
    assert trial["outcome"] == "trial", trial
    assert exists(guest, RULES) and exists(guest, SYSCTL)
    assert (values(guest, SSD)[2], values(guest, HDD)[2], memory(guest)[0]) == (2048, 4096, "12"), now(guest)
    removed = guest.run("dpkg -r diskwright", timeout=300)
    assert removed.rc == 0 and "not everything" not in removed.err, removed
    assert now(guest) == before, (before, now(guest), removed)
    assert_nothing_kept(guest)
    assert exists(guest, "/var/lib/diskwright/history")
    # Nothing waits to start a program that is gone.
    waiting = guest.run("systemctl list-units --no-legend 'diskwright*.timer' 'diskwright-deadline*'").out
    assert waiting == "", waiting
    purged = guest.run("dpkg -P diskwright", timeout=300)
    assert purged.rc == 0, purged
    assert not exists(guest, "/etc/diskwright") and not exists(guest, "/var/lib/diskwright"), purged


def run(guest):
    ssd, hdd = guest.disk_name(SSD), guest.disk_name(HDD)
    guest.run(f"echo mq-deadline >/sys/block/{ssd}/queue/scheduler", check=True)
    before = now(guest)
    trial = change(guest, ssd, hdd)
    guest.run("echo 33 >/proc/sys/vm/swappiness", check=True)
    assert now(guest) != before
    planned = guest.as_alice(ctl("restore-all", "--dry-run"), check=True).json()
    foreign = [step["setting"] for step in planned["steps"] if "Somebody else" in step["message"]]
    assert foreign == ["vm::swappiness"], planned
    shown = allowed(guest, "restore-all", outcome="undone")
    assert all(step["result"] in ("applied", "unchanged") for step in shown["steps"]), shown
    assert now(guest) == before, (before, now(guest))
    assert_nothing_kept(guest)
    late = guest.as_alice(ctl("confirm", trial["transaction"]))
    assert late.rc == 3, late

    # Again, and what is kept now has been so through a restart.
    change(guest, ssd, hdd)
    guest.reboot()
    ssd, hdd = guest.disk_name(SSD), guest.disk_name(HDD)
    assert values(guest, HDD)[2] == 1024
    allowed(guest, "set", f"queue:{ssd}:read_ahead_kb=2048", outcome="applied")
    allowed(guest, "set", f"queue:{hdd}:nr_requests=32", "--try", "600", outcome="trial")
    guest.run("systemctl stop dbus.socket dbus.service polkit.service", timeout=120)
    done = guest.run(f"{BOOT} restore --yes")
    assert done.rc == 0, done
    assert f"put back: queue:{hdd}:read_ahead_kb=" in done.err and "kept files removed" in done.err, done
    assert values(guest, HDD)[2] == before[1][2] and values(guest, SSD)[2] == before[0][2], now(guest)
    assert memory(guest)[1:] == before[2][1:], memory(guest)
    assert_nothing_kept(guest)

    # With a bus again.
    guest.reboot()
    remove_the_package(guest)
