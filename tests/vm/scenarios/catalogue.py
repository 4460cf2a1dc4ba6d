# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each row of the catalogue is applied, read back and undone, or named as not present here; and some of each family
are kept and hold after a restart. The rows come from the product; what they did is read from the kernel's files."""

from keeping import assert_udev_is_content, report

PRODUCT = True
TIMEOUT = 1800
HDD, SSD = "RIGHDD0001", "RIGSSD0001"
# One number of the kernel under several names: one of them to a plan.
SAME = [{"bdi:max_bytes", "bdi:max_ratio", "bdi:max_ratio_fine"},
        {"iosched:bfq/slice_idle", "iosched:bfq/slice_idle_us"},
        {"vm:dirty_bytes", "vm:dirty_ratio"}, {"vm:dirty_background_bytes", "vm:dirty_background_ratio"}]
# Where half of what is so makes no sense.
CHOSEN = {"vm:dirty_bytes": 134217728, "vm:dirty_background_bytes": 33554432, "bdi:max_bytes": 33554432}
# The kernel stores them in other units than it shows, so what is read back may differ a little.
ROUNDED = ("bdi:max_bytes",)


def ctl(guest, *words, code=0):
    """As root, who needs no password; the scenario `product` has those."""
    result = guest.run(["diskwrightctl", *words, "--json"], timeout=300)
    assert result.rc == code, result
    return result.json()


def row_of(setting):
    """queue:sda:nr_requests -> queue:nr_requests"""
    domain, rest = setting.split(":", 1)
    return f"{domain}:{rest.split(':')[-1]}"


def file_of(setting):
    """Where the kernel has it, told from the address alone."""
    domain, disk, key = setting.split(":")
    if domain == "vm":
        return f"/proc/sys/vm/{key}"
    if domain == "bdi":
        return f"/sys/block/{disk}/bdi/{key}"
    if domain == "iosched":
        return f"/sys/block/{disk}/queue/iosched/{key.split('/')[1]}"
    return f"/sys/block/{disk}/{'device' if key == 'queue_depth' else 'queue'}/{key}"


def kernel(guest, settings):
    """What the kernel's files say of each setting; None where there is no file or nothing to read."""
    script = "".join(f"cat {file_of(setting)} 2>/dev/null || echo; echo --\n" for setting in settings)
    texts = [text.strip() for text in guest.run(script, check=True).out.split("--\n")]
    values = {}
    for setting, text in zip(settings, texts, strict=False):
        word = text.split("[")[-1].split("]")[0]
        values[setting] = (int(text) if text.lstrip("-").isdigit() else word) if text else None
    return values


def show(guest, *targets):
    return {entry["setting"]: entry for entry in ctl(guest, "show", *targets)["settings"]}


def another(entry):
    """A value that the row takes and that is not so now."""
    row = row_of(entry["setting"])
    if row in CHOSEN:
        return CHOSEN[row]
    least, most, step, current = entry["min"], entry["max"], entry["step"], entry["current"]
    wanted = (current or most // 8) // 2
    wanted = max(wanted // step * step, -(-least // step) * step)
    return wanted if wanted != current else current + step


def rounds(entries):
    """Plans that together change every row once."""
    left = list(entries)
    while left:
        plan, later = [], []
        for entry in left:
            row = row_of(entry["setting"])
            taken = {row_of(other["setting"]) for other in plan}
            (later if any(row in same and taken & same for same in SAME) else plan).append(entry)
        yield plan
        left = later


def change(guest, entries, watched):
    """One plan: applied, read back, undone; afterwards every watched file says what it said before."""
    before = kernel(guest, watched)
    wanted = {entry["setting"]: another(entry) for entry in entries}
    shown = ctl(guest, "set", *(f"{setting}={value}" for setting, value in wanted.items()))
    assert shown["outcome"] in ("applied", "adjusted"), shown
    now = kernel(guest, watched)
    for step in shown["steps"]:
        setting = step["setting"]
        assert step["result"] in ("applied", "adjusted"), step
        assert step["before"] == before[setting] or row_of(setting) in ROUNDED, (step, before[setting])
        assert step["after"] == now[setting] or row_of(setting) in ROUNDED, (step, now[setting])
        assert now[setting] != before[setting], (step, "the kernel shows no change")
        if step["result"] == "adjusted":
            assert abs(now[setting] - wanted[setting]) <= max(4, wanted[setting] // 20), step
    undone = ctl(guest, "undo", shown["transaction"])
    assert undone["outcome"] == "undone", undone
    after = kernel(guest, watched)
    differs = {setting: (before[setting], after[setting]) for setting in watched
               if before[setting] != after[setting] and row_of(setting) not in ROUNDED}
    assert not differs, differs
    assert {step["setting"] for step in shown["steps"]} == set(wanted), shown
    return set(wanted)


def settable(entries, scheduler):
    """What can be set now; a scheduler's own rows while it is active."""
    return [entry for entry in entries.values() if entry["state"] == "current" and not entry["offered"]
            and (not entry["setting"].startswith("iosched:") or f":{scheduler}/" in entry["setting"])]


def prove(guest, disk):
    """(rows that were applied, read back and undone; rows that are not here, with the product's reason)"""
    shown = show(guest, disk, "vm")
    scheduler = shown[f"queue:{disk}:scheduler"]
    assert scheduler["current"] == "mq-deadline", scheduler
    assert {"none", "mq-deadline", "bfq", "kyber"} <= set(scheduler["offered"]), scheduler
    proven = set()
    for active in ("mq-deadline", "bfq", "kyber"):
        switched = None
        if active != scheduler["current"]:
            before = kernel(guest, list(shown))
            switched = ctl(guest, "set", f"queue:{disk}:scheduler={active}")
            assert switched["outcome"] == "applied", switched
            assert kernel(guest, [f"queue:{disk}:scheduler"]) == {f"queue:{disk}:scheduler": active}
        now = show(guest, disk, "vm")
        assert set(now) == set(shown), set(now) ^ set(shown)
        pending = [entry for entry in settable(now, active) if entry["setting"] not in proven]
        for plan in rounds(pending):
            proven |= change(guest, plan, [entry["setting"] for entry in settable(now, active)])
        if switched:
            assert ctl(guest, "undo", switched["transaction"])["outcome"] == "undone"
            after = kernel(guest, list(shown))
            assert all(before[setting] == after[setting] or row_of(setting) in ROUNDED for setting in shown), (
                before, after)
            proven.add(f"queue:{disk}:scheduler")
    missing = {}
    for setting, entry in shown.items():
        if setting in proven:
            continue
        assert entry["state"] in ("absent", "read-only") and entry["reason"], entry
        if setting.startswith("iosched:"):
            own = setting.split(":")[2].split("/")[0]
            is_there = own in scheduler["offered"] and own in ("bfq", "kyber")
            assert not is_there, (setting, "was not proven though its scheduler is offered")
            assert own != "mq-deadline" or kernel(guest, [setting])[setting] is None, setting
        elif entry["state"] == "absent":
            assert kernel(guest, [setting])[setting] is None, (setting, "the kernel has it")
        missing[setting] = entry["reason"]
    return proven, missing


def refuses_what_lies_outside(guest, disk):
    """Every number just outside its range is refused before the helper is asked."""
    for entry in settable(show(guest, disk, "vm"), "mq-deadline"):
        for value in (entry["min"] - entry["step"], entry["max"] + entry["step"]):
            refused = ctl(guest, "set", f"{entry['setting']}={value}", "--dry-run", code=3)
            assert refused["error"]["code"] == "out-of-range", refused


def leaves_read_ahead_alone(guest, disk):
    """Kernels set the read-ahead anew when a request limit is written: nobody asked for that."""
    guest.run(f"echo 4096 >/sys/block/{disk}/queue/read_ahead_kb", check=True)
    shown = ctl(guest, "set", f"queue:{disk}:max_sectors_kb=256", f"queue:{disk}:iostats=0",
                f"queue:{disk}:rotational=0")
    assert kernel(guest, [f"queue:{disk}:read_ahead_kb"]) == {f"queue:{disk}:read_ahead_kb": 4096}
    assert ctl(guest, "undo", shown["transaction"])["outcome"] == "undone"
    assert kernel(guest, [f"queue:{disk}:read_ahead_kb"]) == {f"queue:{disk}:read_ahead_kb": 4096}
    guest.run(f"echo 128 >/sys/block/{disk}/queue/read_ahead_kb", check=True)


def puts_back_the_exact_share(guest, disk):
    """12.34 % shows as 12: what is put back is the number that the kernel stores."""
    fine = f"/sys/block/{disk}/bdi/max_ratio_fine"
    guest.run(f"echo 123400 >{fine}", check=True)
    for change_of in (f"bdi:{disk}:max_ratio=50", f"bdi:{disk}:max_bytes=16777216"):
        shown = ctl(guest, "set", change_of)
        assert guest.run(f"cat {fine}").out.strip() != "123400"
        assert ctl(guest, "undo", shown["transaction"])["outcome"] == "undone"
        assert guest.run(f"cat {fine}").out.strip() == "123400"
        trial = ctl(guest, "set", change_of, "--try", "60")
        assert ctl(guest, "revert", trial["transaction"])["outcome"] == "rolled-back"
        assert guest.run(f"cat {fine}").out.strip() == "123400"
    guest.run(f"echo 1000000 >{fine}", check=True)


def kept_rows(hdd, ssd):
    return {f"queue:{hdd}:scheduler": "bfq", f"iosched:{hdd}:bfq/slice_idle_us": 4500,
            f"iosched:{hdd}:bfq/low_latency": 0, f"queue:{hdd}:max_sectors_kb": 256, f"queue:{hdd}:iostats": 0,
            f"queue:{hdd}:read_ahead_kb": 1024, f"queue:{hdd}:nomerges": 1, f"queue:{hdd}:queue_depth": 8,
            f"bdi:{hdd}:max_ratio": 40, f"bdi:{hdd}:strict_limit": 1,
            f"queue:{ssd}:scheduler": "kyber", f"iosched:{ssd}:kyber/read_lat_nsec": 1500000,
            f"queue:{ssd}:rotational": 1, f"queue:{ssd}:wbt_lat_usec": 5000,
            "vm::swappiness": 35, "vm::page-cluster": 1, "vm::vfs_cache_pressure": 60}


def keep(guest):
    """After a restart with swapped names every kept value is there again."""
    wanted = kept_rows(guest.disk_name(HDD), guest.disk_name(SSD))
    shown = ctl(guest, "set", *(f"{setting}={value}" for setting, value in wanted.items()), "--keep")
    assert shown["outcome"] == "applied" and shown["kept"] is True, shown
    guest.power_off()
    guest.power_on(swap_disks=True)
    wanted = kept_rows(guest.wait_disk(HDD), guest.wait_disk(SSD))
    verified = report(guest)
    assert (verified["holds"], verified["total"]) == (len(wanted), len(wanted)), verified
    assert kernel(guest, list(wanted)) == wanted, kernel(guest, list(wanted))
    assert_udev_is_content(guest)
    assert ctl(guest, "boot", "status")["holds"] == len(wanted)


def run(guest):
    disk = guest.wait_disk(HDD)
    proven, missing = prove(guest, disk)
    for setting in sorted(proven):
        guest.say(f"applied, read back, undone: {setting}")
    for setting, reason in sorted(missing.items()):
        guest.say(f"not present here: {setting}: {reason}")
    assert len(proven) > len(missing), (proven, missing)
    refuses_what_lies_outside(guest, disk)
    leaves_read_ahead_alone(guest, disk)
    puts_back_the_exact_share(guest, disk)
    keep(guest)
    assert guest.run("systemctl --failed --no-legend").out.strip() == ""
