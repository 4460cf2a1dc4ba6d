# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeping in the guest, by the files themselves: what a helper that dies in the middle of a keep leaves, completed
by diskwright-boot. The guard is what is tested here, so it stands alone."""

import json

BOOT = "/usr/libexec/diskwright/diskwright-boot"
RULES = "/etc/udev/rules.d/80-diskwright.rules"
SYSCTL = "/etc/sysctl.d/80-diskwright.conf"
ASIDE = "/etc/diskwright/boot/"
STATE = "/etc/diskwright/boot/state.json"


def boot_id(guest):
    return guest.run("cat /proc/sys/kernel/random/boot_id", check=True).out.strip()


def disk_match(guest, serial):
    """What a rule matches of the disk with this serial number, as udev knows it."""
    name = guest.wait_disk(serial)
    shown = guest.run(f"udevadm info --query=property --name={name}; cat /sys/block/{name}/size", check=True).out
    properties = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
    links = sorted(link.removeprefix("/dev/disk/by-id/") for link in properties["DEVLINKS"].split()
                   if link.startswith("/dev/disk/by-id/"))
    first = next(link for prefix in ("wwn-", "ata-", "usb-") for link in links if link.startswith(prefix))
    return {"id": first, "wwn": properties.get("ID_WWN_WITH_EXTENSION", ""), "serial": properties["ID_SERIAL"],
            "size_bytes": int(shown.split()[-1]) * 512, "name": name}


def item(setting, value, original, match=None, of=None):
    """of: the row whose value the original is, if it is the other half of a pair."""
    target = {"disk": match} if match else {"machine": True}
    return {"setting": setting, **target, "value": value, "original": {"setting": of or setting, "value": original},
            "origin": "", "kept_at": 1764496800, "boot_id": ""}


def write_state(guest, **changes):
    state = {"version": 1, "proven": False, "unfinished": 0, "aside": "no", "running": "", "changed": "",
             "writing": False, "replacing": False, **changes}
    lines = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in state.items())
    guest.put(STATE, "{\n" + lines + "\n}\n")


def keep(guest, items, **state):
    """Let the items be kept from the next start on, and the set be as after a keep in this boot."""
    guest.run("mkdir -p /etc/diskwright/boot", check=True)
    lines = ",\n".join(json.dumps(entry) for entry in items)
    guest.put("/etc/diskwright/boot-set.json", '{\n"version": 1,\n"items": [\n' + lines + "\n]\n}\n")
    write_state(guest, changed=boot_id(guest), writing=True, **state)
    complete(guest)


def complete(guest):
    """What a start does with an interrupted change, without counting this boot."""
    guest.run(f"{BOOT} guard && {BOOT} finished", check=True)
    assert read_state(guest)["writing"] is False


def read_state(guest):
    return json.loads(guest.get(STATE))


def report(guest):
    """What `verify` wrote for this boot, once every item has been seen or given up."""
    guest.wait_until("test -s /run/diskwright/boot.json && ! systemctl is-active -q diskwright-verify", 600)
    return json.loads(guest.get("/run/diskwright/boot.json"))


def values(guest, serial):
    """scheduler, nr_requests, read_ahead_kb and read_expire (None if absent) of a disk now."""
    name = guest.wait_disk(serial)
    script = (f"cd /sys/block/{name}/queue; sed 's/.*\\[\\(.*\\)\\].*/\\1/' scheduler; cat nr_requests read_ahead_kb;"
              " cat iosched/read_expire 2>/dev/null")
    lines = guest.run(script).out.split()
    return (lines[0], int(lines[1]), int(lines[2]), int(lines[3]) if len(lines) > 3 else None)


def assert_udev_is_content(guest):
    """udev never tried to write what is not there, and understood every line."""
    log = guest.run("journalctl -b -o cat -u systemd-udevd").out
    bad = [line for line in log.splitlines() if "Failed to write ATTR" in line or "diskwright" in line]
    assert not bad, bad


def exists(guest, path):
    return guest.run(["test", "-e", path]).rc == 0
