# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job with the installed package: look, change with a password, try, confirm, undo, measure; and who may not."""

from guest import DISMISS

PRODUCT = True
TIMEOUT = 1200
HELPER = "diskwright-helper.service"


def ctl(*words):
    return ["diskwrightctl", *words, "--json"]


def values(guest, disk):
    """What the kernel says now."""
    script = (f"cd /sys/block/{disk}/queue; sed 's/.*\\[\\(.*\\)\\].*/\\1/' scheduler; cat nr_requests read_ahead_kb;"
              " cat iosched/read_expire 2>/dev/null || echo -; cd /proc/sys/vm;"
              " cat dirty_ratio dirty_bytes dirty_background_ratio dirty_background_bytes")
    names = ("scheduler", "nr_requests", "read_ahead_kb", "read_expire",
             "dirty_ratio", "dirty_bytes", "dirty_background_ratio", "dirty_background_bytes")
    return dict(zip(names, guest.run(script, check=True).out.split(), strict=True))


def done(result, outcome, prompts=None):
    """The document of a call that had to succeed so."""
    assert result.rc == 0, result
    shown = result.json()
    assert shown["outcome"] == outcome, shown
    assert prompts is None or result.prompts == prompts, result
    return shown


def look(guest, disk):
    disks = {node["name"]: node for node in guest.as_alice(ctl("disks"), check=True).json()["disks"]}
    assert disks[disk]["id"] == "wwn-0x5000c500d15c0001" and disks[disk]["transport"] == "sata", disks[disk]
    assert disks[disk]["rotational"] is True and disks[disk]["system"] is False, disks[disk]
    assert disks["vda"]["system"] is True, disks["vda"]
    shown = guest.as_alice(ctl("show", disk, "vm"), check=True).json()["settings"]
    settings = {entry["setting"]: entry for entry in shown}
    now = values(guest, disk)
    assert settings[f"queue:{disk}:scheduler"]["current"] == now["scheduler"], settings
    assert str(settings[f"queue:{disk}:read_ahead_kb"]["current"]) == now["read_ahead_kb"], settings
    assert str(settings["vm::dirty_ratio"]["current"]) == now["dirty_ratio"], settings


def refuse(guest, disk):
    """Whoever is not authorized gets 4 and changes nothing."""
    before = values(guest, disk)
    change = ctl("set", f"queue:{disk}:read_ahead_kb=4096")

    def denied(result, prompts=None):
        assert result.rc == 4, result
        assert result.json()["outcome"] == "not-authorized", result
        assert prompts is None or result.prompts == prompts, result
        assert values(guest, disk) == before, result

    # No agent. (The hint that one may be missing depends on time, which an emulated machine has not.)
    denied(guest.as_alice(change))
    denied(guest.with_password(change, DISMISS), prompts=1)
    denied(guest.with_password(change, "mistaken", own=True), prompts=1)
    denied(guest.run(change, user="bob"))
    guest.open_session("bob")
    denied(guest.with_password(change, "bob", user="bob"), prompts=0)
    assert guest.as_alice(ctl("history"), check=True).json()["transactions"] == []


def change_and_undo(guest, disk):
    guest.run(f"echo none >/sys/block/{disk}/queue/scheduler", check=True)
    before = values(guest, disk)
    # Out of order, and with values behind the scheduler that are not there yet. On a terminal of her own, where
    # the program brings the agent itself.
    change = ctl("set", f"queue:{disk}:read_ahead_kb=1024", f"iosched:{disk}:mq-deadline/read_expire=222",
                 f"queue:{disk}:nr_requests=48", f"queue:{disk}:scheduler=mq-deadline",
                 "vm::dirty_background_bytes=67108864", "vm::dirty_bytes=268435456")
    shown = done(guest.with_password(change, "alice", own=True), "adjusted", prompts=1)
    results = {step["setting"]: (step["result"], step["after"]) for step in shown["steps"]}
    assert results == {f"queue:{disk}:scheduler": ("applied", "mq-deadline"),
                       f"queue:{disk}:nr_requests": ("applied", 48),
                       f"iosched:{disk}:mq-deadline/read_expire": ("adjusted", 224),
                       f"queue:{disk}:read_ahead_kb": ("applied", 1024),
                       "vm::dirty_bytes": ("applied", 268435456),
                       "vm::dirty_background_bytes": ("applied", 67108864)}, results
    assert values(guest, disk) == {
        "scheduler": "mq-deadline", "nr_requests": "48", "read_ahead_kb": "1024", "read_expire": "224",
        "dirty_ratio": "0", "dirty_bytes": "268435456", "dirty_background_ratio": "0",
        "dirty_background_bytes": "67108864"}, values(guest, disk)

    # Started by systemd in its sandbox, and on record.
    helper = guest.run(f"systemctl show {HELPER} -p ActiveState -p CapabilityBoundingSet -p NoNewPrivileges"
                       " -p SystemCallFilter").out
    assert "ActiveState=active" in helper and "CapabilityBoundingSet=\n" in helper, helper
    assert "NoNewPrivileges=yes" in helper and "openat2" in helper, helper
    log = guest.run(f"journalctl -b -o cat -u {HELPER}").out
    line = next((line for line in log.splitlines() if shown["transaction"] in line), log)
    assert line.startswith(f"uid=1000 action=tune id={shown['transaction']} apply outcome=adjusted"), line
    assert f"[2 {disk} iosched/mq-deadline/read_expire adjusted" in line and "->224]" in line, line
    entry = guest.as_alice(ctl("history"), check=True).json()["transactions"][0]
    assert entry["transaction"] == shown["transaction"] and entry["uid"] == 1000 and entry["undoable"], entry

    done(guest.with_password(ctl("undo", shown["transaction"]), "alice"), "undone", prompts=1)
    assert values(guest, disk) == before
    guest.run(f"echo mq-deadline >/sys/block/{disk}/queue/scheduler", check=True)


def try_and_confirm(guest, disk):
    before = values(guest, disk)
    shown = done(guest.with_password(ctl("set", f"queue:{disk}:read_ahead_kb=2048", "--try", "300"), "alice"), "trial")
    assert 250 < shown["trial"]["seconds_left"] <= 300, shown
    stranger = guest.run(ctl("confirm", shown["transaction"]))
    assert stranger.rc == 3 and values(guest, disk)["read_ahead_kb"] == "2048", stranger
    done(guest.as_alice(ctl("confirm", shown["transaction"])), "confirmed")
    assert not guest.run("systemctl list-units --no-legend 'diskwright-deadline-*.service'").out.strip()
    assert values(guest, disk)["read_ahead_kb"] == "2048"
    done(guest.with_password(ctl("undo", shown["transaction"]), "alice"), "undone")
    assert values(guest, disk) == before


def put_back_though_killed(guest, disk):
    """Client and helper are killed in mid-trial; the deadline holds all the same."""
    before = values(guest, disk)
    # On a terminal and without --json, so that the client waits for an answer.
    command = ["diskwrightctl", "set", f"queue:{disk}:read_ahead_kb=4096", "--try", "10"]
    client = guest.start(["/usr/local/lib/rig/answer-password", "alice", "100", "own", "/dev/tty", "/dev/tty",
                          *command], timeout=130, data=b"=alice\n")
    script = f"""
        file=/sys/block/{disk}/queue/read_ahead_kb
        until grep -qx 4096 $file; do sleep 0.02; done
        start=$(date +%s%N)
        # A client that dies while the helper still writes is another case; by now it waits for an answer.
        sleep 3
        until pkill -KILL -x diskwrightctl; do sleep 0.02; done
        pid=$(systemctl show -p MainPID --value {HELPER})
        kill -KILL $pid && while [ -d /proc/$pid ]; do sleep 0.02; done
        cat $file
        until grep -qx {before["read_ahead_kb"]} $file; do sleep 0.05; done
        echo $(( ($(date +%s%N) - start) / 1000000 ))"""
    after_kill, milliseconds = guest.run(script, timeout=120, check=True).out.split()
    guest.finish(client)
    assert after_kill == "4096", after_kill
    assert 6000 < int(milliseconds) < 40000, milliseconds
    entry = guest.as_alice(ctl("history"), check=True).json()["transactions"][0]
    assert entry["outcome"] == "rolled-back" and not entry["undoable"], entry
    assert values(guest, disk) == before


def try_on_the_system_disk(guest):
    """Nobody asked for a trial; the system disk's scheduler is one anyway, and ends by itself."""
    now = guest.run("sed 's/.*\\[\\(.*\\)\\].*/\\1/' /sys/block/vda/queue/scheduler", check=True).out.strip()
    other = "mq-deadline" if now == "none" else "none"
    shown = done(guest.with_password(ctl("set", f"queue:vda:scheduler={other}"), "alice"), "trial")
    assert 0 < shown["trial"]["seconds_left"] <= 15, shown
    guest.wait_until(f"grep -qF '[{now}]' /sys/block/vda/queue/scheduler", 60)


def measure(guest, disk):
    """Two states by turns on one authorization; afterwards all is as before."""
    guest.run(f"mount /dev/disk/by-id/wwn-0x5000c500d15c0001-part1 /mnt && mkdir -p /mnt/alice && chown alice /mnt/alice",
              check=True)
    before = values(guest, disk)
    result = guest.with_password(ctl("measure", f"queue:{disk}:read_ahead_kb=2048", "--target", "/mnt/alice"), "alice",
                                 timeout=400)
    assert result.rc == 0 and result.prompts == 1, result
    shown = result.json()
    # Read-ahead does nothing to direct reads: the test must be one that shows it.
    assert shown["test"] == "seq1m-q1t1-read", shown
    assert shown["verdict"] in ("faster", "slower", "same", "cannot-tell") and shown["stayed"] is False, shown
    assert not {"lease-lost", "changed-by-others", "engine-failed", "stopped"} & set(shown["reasons"]), shown
    assert values(guest, disk) == before
    entry = guest.as_alice(ctl("history"), check=True).json()["transactions"][0]
    assert entry["outcome"] == "rolled-back" and entry["steps"][0]["setting"] == f"queue:{disk}:read_ahead_kb", entry
    guest.run("umount /mnt", check=True)


def paste(guest, disk):
    """The commands that a plan names do the same when she pastes them."""
    plan = guest.as_alice(ctl("set", f"queue:{disk}:read_ahead_kb=512", "vm::dirty_ratio=15", "--dry-run"),
                          check=True).json()
    assert plan["outcome"] == "planned" and len(plan["commands"]) == 2, plan
    before = values(guest, disk)
    pasted = guest.with_password(["sh", "-c", "\n".join(plan["commands"])], "alice", own=True)
    assert pasted.rc == 0 and pasted.prompts >= 1, pasted
    assert values(guest, disk) == before | {"read_ahead_kb": "512", "dirty_ratio": "15"}
    guest.run(f"echo {before['read_ahead_kb']} >/sys/block/{disk}/queue/read_ahead_kb;"
              f" echo {before['dirty_ratio']} >/proc/sys/vm/dirty_ratio", check=True)


def run(guest):
    disk = guest.disk_name("RIGHDD0001")
    look(guest, disk)
    refuse(guest, disk)
    change_and_undo(guest, disk)
    try_and_confirm(guest, disk)
    put_back_though_killed(guest, disk)
    try_on_the_system_disk(guest)
    measure(guest, disk)
    paste(guest, disk)
    guest.wait_until(f"! systemctl is-active -q {HELPER}", 120)
    ended = guest.run(f"systemctl show -p Result --value {HELPER}").out.strip()
    assert ended == "success", ended
    guest.run(f"systemd-analyze security --threshold=45 {HELPER}", check=True)
    assert guest.run("systemctl --failed --no-legend").out.strip() == ""
    assert guest.run(f"journalctl -b -q -p err -o cat -u {HELPER}").out == ""
