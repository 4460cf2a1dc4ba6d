# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Under a real systemd: the helper, and whoever keeps a deadline, are killed at any time, or come late, or the session
ends; all is put back without anybody's call."""

PRODUCT = True
TIMEOUT = 1500
HELPER = "diskwright-helper.service"
NO_JOURNAL = "[ -z \"$(ls -A /var/lib/diskwright/txn | grep -v '^quarantine$')\" ]"


def ctl(*words):
    return ["diskwrightctl", *words, "--json"]


def value(guest, disk, name):
    return guest.run(f"cat /sys/block/{disk}/queue/{name}", check=True).out.strip()


def helper_killed_at_each_sync(guest, disk):
    """systemd itself starts what puts back; nobody calls again."""
    old = {name: value(guest, disk, name) for name in ("nr_requests", "read_ahead_kb")}
    new = {"nr_requests": "32", "read_ahead_kb": "1024"}
    change = ctl("set", *(f"queue:{disk}:{name}={wanted}" for name, wanted in new.items()))
    seen = []
    # There are about eleven; the last number comes after all of them.
    for number in (1, 2, 5, 6, 8, 10, 30):
        # The fault waits in a helper that runs already.
        guest.run(f"""
            systemctl start {HELPER}
            pid=$(systemctl show -p MainPID --value {HELPER})
            systemd-run -q --collect --unit=fault{number} strace -f -qq -o /dev/null -e trace=fsync \
                -e inject=fsync:signal=KILL:when={number} -p "$pid"
            until grep -q 'TracerPid:[[:space:]]*[1-9]' /proc/"$pid"/status; do sleep 0.05; done""", check=True)
        result = guest.with_password(change, "alice")
        guest.wait_until(NO_JOURNAL, 60)
        found = {name: value(guest, disk, name) for name in old}
        assert found in (old, new), (number, found, result)
        killed = "code=killed" in guest.run(f"journalctl -b -o cat -u {HELPER} | tail -40").out
        if result.rc == 0:
            assert found == new, (number, found, result)
        else:
            assert killed and result.rc in (5, 6), (number, result)
        seen.append(result.rc)
        guest.run("; ".join(f"echo {text} >/sys/block/{disk}/queue/{name}" for name, text in old.items()), check=True)
        guest.run(f"systemctl stop fault{number}.service; systemctl stop {HELPER}")
    assert seen[0] != 0 and seen[-1] == 0, seen


def keeper_of_a_trial_killed(guest, disk):
    """It begins again: its time has come and the lock is taken while it is killed."""
    before = value(guest, disk, "read_ahead_kb")
    shown = guest.with_password(ctl("set", f"queue:{disk}:read_ahead_kb=2048", "--try", "8"), "alice").json()
    assert shown["outcome"] == "trial", shown
    unit = f"diskwright-deadline-{shown['transaction']}.service"
    guest.run(f"""
        exec 9>>/run/diskwright/lock; flock 9
        until pid=$(systemctl show -p MainPID --value {unit}) && [ "$pid" -gt 0 ]; do sleep 0.1; done
        kill -KILL "$pid"; while [ -d /proc/"$pid" ]; do sleep 0.05; done
        grep -qx 2048 /sys/block/{disk}/queue/read_ahead_kb""", timeout=120, check=True)
    guest.wait_until(f"grep -qx {before} /sys/block/{disk}/queue/read_ahead_kb", 60)
    guest.wait_until(NO_JOURNAL, 30)


def keeper_of_a_lease_killed(guest, disk):
    """It begins again with the same pipe, and so still sees the client die."""
    guest.run("mount /dev/disk/by-id/wwn-0x5000c500d15c0001-part1 /mnt && mkdir -p /mnt/alice && chown alice /mnt/alice",
              check=True)
    before = value(guest, disk, "read_ahead_kb")
    command = ctl("measure", f"queue:{disk}:read_ahead_kb=2048", "--target", "/mnt/alice", "--minutes", "10")
    client = guest.start(["/usr/local/lib/rig/answer-password", "alice", "400", "own", "/dev/tty", "/dev/tty", *command],
                         timeout=500, data=b"=alice\n")
    guest.run(f"""
        set -e
        until grep -qx 2048 /sys/block/{disk}/queue/read_ahead_kb; do sleep 0.05; done
        unit=$(systemctl list-units --no-legend --plain 'diskwright-deadline-*.service' | cut -d' ' -f1)
        pid=$(systemctl show -p MainPID --value "$unit")
        kill -KILL "$pid"; while [ -d /proc/"$pid" ]; do sleep 0.05; done
        until next=$(systemctl show -p MainPID --value "$unit") && [ "$next" -gt 0 ]; do sleep 0.1; done
        [ "$next" != "$pid" ]
        until grep -qx 2048 /sys/block/{disk}/queue/read_ahead_kb; do sleep 0.05; done
        until pkill -KILL -x diskwrightctl; do sleep 0.02; done""", timeout=300, check=True)
    guest.finish(client)
    guest.wait_until(f"grep -qx {before} /sys/block/{disk}/queue/read_ahead_kb", 60)
    guest.wait_until(NO_JOURNAL, 30)
    guest.wait_until("umount /mnt", 60)


def timer_that_did_not_count(guest, disk):
    """As after sleep over the deadline: the timer is behind, and what systemd starts on waking puts back. (This emulated
    machine falls asleep and never wakes, so the sleep itself is not seen here.)"""
    before = value(guest, disk, "read_ahead_kb")
    shown = guest.with_password(ctl("set", f"queue:{disk}:read_ahead_kb=512", "--try", "6"), "alice").json()
    assert shown["outcome"] == "trial", shown
    for target in ("suspend", "hibernate", "hybrid-sleep", "suspend-then-hibernate"):
        guest.run(f"systemctl show -p Wants --value {target}.target | grep -qw diskwright-resume.service", check=True)
    guest.run(f"""
        set -e
        systemctl stop diskwright-deadline-{shown["transaction"]}.timer
        sleep 7
        grep -qx 512 /sys/block/{disk}/queue/read_ahead_kb
        systemctl start diskwright-resume.service""", check=True)
    guest.wait_until(f"grep -qx {before} /sys/block/{disk}/queue/read_ahead_kb", 30)
    entry = guest.as_alice(ctl("history"), check=True).json()["transactions"][0]
    assert entry["outcome"] == "rolled-back", entry
    guest.wait_until(NO_JOURNAL, 30)


def session_ends_on_trial(guest, disk):
    """Her session goes, and with it the client that waits for her answer; the trial keeps its time."""
    before = value(guest, disk, "read_ahead_kb")
    # On a terminal and without --json, so that the client waits.
    client = guest.start(["/usr/local/lib/rig/answer-password", "alice", "200", "own", "/dev/tty", "/dev/tty",
                          "diskwrightctl", "set", f"queue:{disk}:read_ahead_kb=2048", "--try", "20"],
                         timeout=230, data=b"=alice\n")
    at_once, milliseconds = guest.run(f"""
        set -e
        file=/sys/block/{disk}/queue/read_ahead_kb
        until grep -qx 2048 $file; do sleep 0.02; done
        start=$(date +%s%N)
        # By then the helper has answered: a client that dies before is another case.
        sleep 3
        pgrep -x diskwrightctl >/dev/null
        session=$(loginctl list-sessions --no-legend | awk '$3=="alice" && $4=="seat0" {{print $1; exit}}')
        loginctl terminate-user alice
        while pgrep -x diskwrightctl >/dev/null || systemctl is-active -q session-"$session".scope; do sleep 0.05; done
        cat $file
        until grep -qx {before} $file; do sleep 0.05; done
        echo $(( ($(date +%s%N) - start) / 1000000 ))""", timeout=200, check=True).out.split()
    guest.finish(client)
    assert at_once == "2048", at_once
    assert 15000 < int(milliseconds) < 60000, milliseconds
    guest.wait_until(NO_JOURNAL, 30)
    guest.wait_until("/usr/local/lib/rig/in-session alice true", 120)
    entry = guest.as_alice(ctl("history"), check=True).json()["transactions"][0]
    assert entry["outcome"] == "rolled-back", entry


def run(guest):
    disk = guest.disk_name("RIGHDD0001")
    guest.run(f"echo mq-deadline >/sys/block/{disk}/queue/scheduler", check=True)
    helper_killed_at_each_sync(guest, disk)
    keeper_of_a_trial_killed(guest, disk)
    keeper_of_a_lease_killed(guest, disk)
    timer_that_did_not_count(guest, disk)
    session_ends_on_trial(guest, disk)
