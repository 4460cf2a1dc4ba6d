# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk is unplugged in the middle of a plan and another one takes its name; a disk on trial is replaced; the clock is
set while a trial runs; polkit is stopped and restarted."""

import time

PRODUCT = True
LONG = True
TIMEOUT = 1200
HELPER = "diskwright-helper.service"
NO_JOURNAL = "[ -z \"$(ls -A /var/lib/diskwright/txn | grep -v '^quarantine$')\" ]"
NAMES = ("nr_requests", "read_ahead_kb", "rq_affinity", "nomerges")


def ctl(*words):
    return ["diskwrightctl", *words, "--json"]


def values(guest, disk):
    return guest.run("cat " + " ".join(f"/sys/block/{disk}/queue/{name}" for name in NAMES), check=True).out.split()


def fake_disk(guest):
    guest.wait_until("lsblk -dno MODEL | grep -q scsi_debug")
    guest.run("udevadm settle", check=True)
    return guest.run("lsblk -dno NAME,MODEL | awk '/scsi_debug/ {print $1}'", check=True).out.strip()


def another_in_its_place(guest, name):
    """Pull the fake disk and plug in another; the lowest free name is the same again."""
    guest.run("cd /sys/bus/pseudo/drivers/scsi_debug; echo -1 >add_host; echo 1 >add_host", check=True)
    found = fake_disk(guest)
    assert found == name, (found, name)


def unplugged_in_mid_plan(guest, other):
    """Its items are gone, the other disk's are put back, and what took the name is never written."""
    guest.run(["modprobe", "scsi_debug", "dev_size_mb=32"], check=True)
    name = fake_disk(guest)
    fresh = values(guest, name)
    before = values(guest, other)
    words = [f"queue:{disk}:{key}={value}" for disk in (name, other)
             for key, value in (("nr_requests", 16), ("read_ahead_kb", 640), ("rq_affinity", 2), ("nomerges", 1))]
    # Each opening takes its time, so that there is a middle.
    guest.run(f"""
        systemctl start {HELPER}
        pid=$(systemctl show -p MainPID --value {HELPER})
        systemd-run -q --collect --unit=slow strace -f -qq -o /dev/null -e trace=openat2 \
            -e inject=openat2:delay_enter=40000 -p "$pid"
        until grep -q 'TracerPid:[[:space:]]*[1-9]' /proc/"$pid"/status; do sleep 0.05; done""", check=True)
    said = guest.run(f"""
        cd /sys/bus/pseudo/drivers/scsi_debug
        diskwrightctl set {' '.join(words)} --json >/run/said 2>/run/said.errors & client=$!
        until [ "$(cat /sys/block/{name}/queue/nr_requests)" = 16 ]; do
            kill -0 $client || {{ cat /run/said /run/said.errors; exit 9; }}; sleep 0.02
        done
        echo -1 >add_host; echo 1 >add_host
        wait $client; echo "exit $?" >&2; cat /run/said""", timeout=200, check=True)
    guest.run(f"systemctl stop slow.service; systemctl stop {HELPER}")
    shown = said.json()
    results = {step["setting"]: step["result"] for step in shown["steps"]}
    assert shown["outcome"] == "rolled-back" and "exit 5" in said.err, said
    of_name = {results[word.split("=")[0]] for word in words[:4]}
    of_other = {results[word.split("=")[0]] for word in words[4:]}
    assert "device-gone" in of_name and of_name <= {"device-gone", "not-attempted"}, results
    assert of_other <= {"rolled-back", "not-attempted", "unchanged"}, results
    assert fake_disk(guest) == name
    assert values(guest, name) == fresh and values(guest, other) == before, (values(guest, name), values(guest, other))
    guest.wait_until(NO_JOURNAL, 30)


def replaced_on_trial(guest):
    """The deadline finds another disk under the name, and leaves it alone."""
    name = fake_disk(guest)
    fresh = values(guest, name)
    shown = guest.run(ctl("set", f"queue:{name}:nr_requests=16", "--try", "8"), check=True).json()
    assert shown["outcome"] == "trial", shown
    another_in_its_place(guest, name)
    guest.run(f"echo 24 >/sys/block/{name}/queue/nr_requests", check=True)
    guest.wait_until(NO_JOURNAL, 60)
    assert values(guest, name)[0] == "24", values(guest, name)
    entry = guest.run(ctl("history"), check=True).json()["transactions"][0]
    assert entry["transaction"] == shown["transaction"] and entry["steps"][0]["result"] == "device-gone", entry
    guest.run(f"echo {fresh[0]} >/sys/block/{name}/queue/nr_requests", check=True)


def the_clock_is_set(guest, disk):
    """A day forward, then a week back: the deadline is where it was."""
    before = values(guest, disk)[1]
    for jump in ("+1 day", "-7 days"):
        shown = guest.run(ctl("set", f"queue:{disk}:read_ahead_kb=2048", "--try", "12"), check=True).json()
        assert shown["outcome"] == "trial", shown
        said = guest.run(f"""
            start=$(cut -d. -f1 /proc/uptime)
            date -s "$(date -d '{jump}')" >/dev/null
            sleep 3
            grep -qx 2048 /sys/block/{disk}/queue/read_ahead_kb || {{ echo early; exit 1; }}
            until grep -qx {before} /sys/block/{disk}/queue/read_ahead_kb; do sleep 0.1; done
            echo $(($(cut -d. -f1 /proc/uptime) - start))""", timeout=120, check=True).out
        assert 3 <= int(said) <= 40, (jump, said)
        guest.wait_until(NO_JOURNAL, 30)
    guest.run(["date", "--set", f"@{time.time():.2f}"], check=True)


def polkit_comes_and_goes(guest, disk):
    """Stopped it is started again by the bus; masked there is nobody to ask, and that is said; then it works again."""
    before = values(guest, disk)
    change = ctl("set", f"queue:{disk}:read_ahead_kb=2048")
    guest.run("systemctl mask --runtime --now polkit.service", check=True)
    refused = guest.as_alice(change)
    assert refused.rc == 4 and refused.json()["outcome"] == "not-authorized", refused
    assert "polkit" in refused.err, refused
    assert values(guest, disk) == before
    guest.run("systemctl unmask --runtime polkit.service && systemctl restart polkit.service", check=True)
    done = guest.with_password(change, "alice")
    assert done.rc == 0, done
    assert guest.run(ctl("restore-all")).rc == 0
    assert values(guest, disk) == before


def run(guest):
    disk = guest.disk_name("RIGHDD0001")
    guest.run(f"echo mq-deadline >/sys/block/{disk}/queue/scheduler", check=True)
    unplugged_in_mid_plan(guest, disk)
    replaced_on_trial(guest)
    the_clock_is_set(guest, disk)
    polkit_comes_and_goes(guest, disk)
