# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kept by the program with one password: the settings hold after a restart with swapped names, on disks that come
late or later, and under trials and leases; then undone until the next start, switched off, on again and forgotten."""

from keeping import ASIDE, BOOT, RULES, SYSCTL, assert_udev_is_content, exists, read_state, report, values

PRODUCT = True
TIMEOUT = 1500
SSD, HDD, STICK = "RIGSSD0001", "RIGHDD0001", "RIGUSB0001"
# scheduler, nr_requests, read_ahead_kb, read_expire
KEPT = {SSD: ("mq-deadline", 48, 1024, 224), HDD: ("bfq", 60, 512, None), STICK: ("mq-deadline", 8, 2048, 300)}
KEPT_MEMORY = {"vm::dirty_bytes": 268435456, "vm::dirty_background_bytes": 67108864}


def ctl(*words):
    return ["diskwrightctl", *words, "--json"]


def allowed(guest, *words, outcome):
    """A call that asks for the password once."""
    result = guest.with_password(ctl(*words), "alice", timeout=200)
    assert result.rc == 0 and result.prompts == 1, result
    shown = result.json()
    assert shown["outcome"] == outcome, shown
    return shown


def settings_of(name, wanted):
    """In an order in which they could not be applied."""
    scheduler, requests, read_ahead, expire = wanted
    settings = {f"queue:{name}:read_ahead_kb": read_ahead}
    if expire:
        settings[f"iosched:{name}:mq-deadline/read_expire"] = expire
    return settings | {f"queue:{name}:nr_requests": requests, f"queue:{name}:scheduler": scheduler}


def all_settings(guest):
    kept = {}
    for serial, wanted in KEPT.items():
        kept |= settings_of(guest.disk_name(serial), wanted)
    return kept | KEPT_MEMORY


def memory(guest):
    return guest.run("cd /proc/sys/vm; cat dirty_bytes dirty_background_bytes dirty_ratio dirty_background_ratio",
                     check=True).out.split()


def now(guest):
    return {serial: values(guest, serial) for serial in KEPT}, memory(guest)


def status(guest, code=0):
    shown = guest.as_alice(ctl("boot", "status"))
    assert shown.rc == code, shown
    return shown.json()


def change_event(guest, name):
    guest.run(f"udevadm trigger --settle --action=change /sys/block/{name}", check=True)


def survives_trials(guest, name):
    """A trial's value outlives any event of its disk; after it the kept one is in force, and so is its rule."""
    trial = allowed(guest, "set", f"queue:{name}:read_ahead_kb=4096", "--try", "300", outcome="trial")
    change_event(guest, name)
    assert values(guest, SSD)[2] == 4096
    assert exists(guest, f"/run/diskwright/hold/{name}")
    assert status(guest, 8)["holds"] == len(all_settings(guest)) - 1
    ended = guest.as_alice(ctl("revert", trial["transaction"]))
    assert ended.rc == 0 and ended.json()["outcome"] == "rolled-back", ended
    assert values(guest, SSD) == KEPT[SSD]
    assert not exists(guest, f"/run/diskwright/hold/{name}")
    guest.run(f"echo 4096 >/sys/block/{name}/queue/read_ahead_kb", check=True)
    change_event(guest, name)
    assert values(guest, SSD) == KEPT[SSD]


def survives_a_lease(guest, name):
    """Events all the time while two states are measured by turns: not one of them is undone in between."""
    guest.run("mount /dev/disk/by-id/wwn-0x5000c500d15c0002-part1 /mnt && mkdir -p /mnt/alice && chown alice /mnt/alice",
              check=True)
    events = guest.start(f"""
        until [ -e /run/diskwright/hold/{name} ]; do sleep 0.05; done
        seen=0
        while [ -e /run/diskwright/hold/{name} ]; do
            grep -qx 4096 /sys/block/{name}/queue/read_ahead_kb && seen=$((seen + 1))
            udevadm trigger --settle --action=change /sys/block/{name}
        done
        echo $seen""", timeout=500)
    measured = guest.with_password(
        ctl("measure", f"queue:{name}:read_ahead_kb=4096", "--target", "/mnt/alice"), "alice", timeout=400)
    assert measured.rc == 0, (measured, guest.run("tail -n 3 /var/lib/diskwright/history/*.json; journalctl -b -o cat -n 60").out)
    reasons = measured.json()["reasons"]
    assert not {"lease-lost", "changed-by-others", "not-taken", "engine-failed", "stopped"} & set(reasons), reasons
    assert int(guest.finish(events, check=True).out) > 0
    # Nothing of the measurement holds the disk any more.
    guest.run("umount /mnt || { ls -l /proc/[0-9]*/fd /proc/[0-9]*/cwd 2>/dev/null | grep /mnt; ps -ef; false; }",
              check=True)
    assert values(guest, SSD) == KEPT[SSD]


def run(guest):
    names = {serial: guest.disk_name(serial) for serial in KEPT}
    before = now(guest)
    wanted = all_settings(guest)
    # 222 is rounded by the kernel; what it makes of it is what is kept.
    asked = wanted | {f"iosched:{names[SSD]}:mq-deadline/read_expire": 222}
    shown = allowed(guest, "set", *(f"{setting}={value}" for setting, value in asked.items()), "--keep",
                    outcome="adjusted")
    change = shown["transaction"]
    assert shown["kept"] is True and shown["keep_error"] is None, shown
    guest.run(f"udevadm verify {RULES}", check=True)
    assert status(guest)["total"] == len(wanted)

    guest.power_off()
    guest.power_on(swap_disks=True)
    swapped = {serial: guest.disk_name(serial) for serial in KEPT}
    kept_memory = ["268435456", "67108864", "0", "0"]
    assert now(guest) == (KEPT, kept_memory), now(guest)
    verified = report(guest)
    assert (verified["holds"], verified["total"]) == (len(wanted), len(wanted)), verified
    shown = status(guest)
    assert (shown["holds"], shown["total"]) == (len(wanted), len(wanted)), shown
    assert {entry["setting"]: entry["current"] for entry in shown["items"]} == all_settings(guest), shown
    assert guest.run(f"{BOOT} verify", check=True).err.startswith(f"{len(wanted)} of {len(wanted)} settings hold")
    assert_udev_is_content(guest)

    survives_trials(guest, swapped[SSD])
    survives_a_lease(guest, swapped[SSD])

    guest.unplug("stick")
    guest.plug_stick()
    assert values(guest, STICK) == KEPT[STICK]
    assert_udev_is_content(guest)

    # A minute after the boot the set is proven.
    guest.wait_until("grep -q '\"proven\": true' /etc/diskwright/boot/state.json", 300)
    assert read_state(guest)["running"] == ""
    assert status(guest)["state"] == "proven"

    # Undone for this boot alone: the next start has it all again.
    undone = allowed(guest, "undo", "--keep-at-start", change, outcome="undone")
    # The kernel began with 2 requests for the stick, which is below the range: that needs a restart, and is said so.
    values_before, memory_before = before
    scheduler, _requests, *rest = values_before[STICK]
    values_before = values_before | {STICK: (scheduler, KEPT[STICK][1], *rest)}
    assert undone["kept"] is True and now(guest) == (values_before, memory_before), (undone, now(guest))
    guest.reboot()
    assert now(guest) == (KEPT, kept_memory), now(guest)
    assert status(guest)["holds"] == len(wanted)

    # Off: the next start is as if nothing had ever been kept.
    allowed(guest, "boot", "use", "off", outcome="applied")
    assert not exists(guest, RULES) and not exists(guest, SYSCTL) and exists(guest, ASIDE + "80-diskwright.rules")
    guest.reboot()
    assert now(guest) == before, (before, now(guest))
    assert status(guest, 8)["state"] == "off"

    # On again, and the rules work from then on.
    allowed(guest, "boot", "use", "on", outcome="applied")
    change_event(guest, guest.disk_name(SSD))
    assert values(guest, SSD) == KEPT[SSD]

    # Forgetting changes no running value; what is not forgotten stays.
    ssd = guest.disk_name(SSD)
    allowed(guest, "forget", f"queue:{ssd}:read_ahead_kb", outcome="forgotten")
    assert values(guest, SSD) == KEPT[SSD]
    assert f'"{KEPT[SSD][2]}"' not in guest.get(RULES).decode() and f'"{KEPT[STICK][2]}"' in guest.get(RULES).decode()
    allowed(guest, "forget", outcome="forgotten")
    assert not exists(guest, RULES) and not exists(guest, SYSCTL) and not exists(guest, "/etc/diskwright/boot-set.json")
    assert status(guest)["state"] == "none"
    guest.reboot()
    assert now(guest) == before, (before, now(guest))
    assert_udev_is_content(guest)
