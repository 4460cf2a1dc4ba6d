# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Power cuts in the middle of keeping, forgetting and putting everything back: the helper is stopped at its Nth file
call, then the machine loses its power; it has to start, with all that was kept before, or all that was asked for."""

import json
import re

from keeping import ASIDE, RULES, SYSCTL, exists, report

HELPER = "diskwright-helper.service"
SSD = "RIGSSD0001"
# What makes a change visible or durable.
CALLS = ("fsync", "renameat2,renameat,rename", "unlinkat", "write")
TRACE = "/run/fault.trace"


def ctl(guest, *words, check=True):
    # As root: nobody is asked, so that a round is short.
    return guest.run(["diskwrightctl", *words, "--json"], check=check)


def kept(guest):
    """What is kept, by setting; the files that are made from it have to agree with it."""
    shown = ctl(guest, "boot", "status", check=False)
    assert shown.rc in (0, 8), shown
    status = shown.json()
    wanted = {entry["setting"].split(":")[0] + ":" + entry["setting"].split(":")[-1]: entry["wanted"]
              for entry in status["items"]}
    rules = guest.get(RULES).decode() if exists(guest, RULES) else ""
    sysctl = guest.get(SYSCTL).decode() if exists(guest, SYSCTL) else ""
    written = {f"queue:{key}": int(value) for key, value in re.findall(r'ATTR\{queue/(\w+)\}="(\d+)"', rules)}
    written |= {f"vm:{key}": int(value) for key, value in re.findall(r"(?m)^vm\.(\w+) = (\d+)$", sysctl)}
    assert not exists(guest, ASIDE + "80-diskwright.rules"), "set aside"
    assert written == wanted, (written, wanted)
    return status, wanted


def in_the_kernel(guest):
    name = guest.wait_disk(SSD)
    out = guest.run(f"cat /sys/block/{name}/queue/read_ahead_kb /proc/sys/vm/swappiness", check=True).out.split()
    return {"queue:read_ahead_kb": int(out[0]), "vm:swappiness": int(out[1])}


def stop_at(guest, call, number):
    """Let the running helper stop at its Nth such call."""
    guest.run(f"""
        systemctl start {HELPER}
        pid=$(systemctl show -p MainPID --value {HELPER})
        rm -f {TRACE}
        systemd-run -q --collect --unit=fault strace -f -qq -o {TRACE} -e trace={call} \
            -e inject={call}:signal=STOP:when={number} -p "$pid"
        until grep -q 'TracerPid:[[:space:]]*[1-9]' /proc/"$pid"/status; do sleep 0.05; done""", check=True)


def cut(guest, words, call, number):
    """Begin the operation, stop the helper in it and cut the power; true if it stopped, false if it was through."""
    stop_at(guest, call, number)
    # Whichever comes first: the stop, or the command's end.
    said = guest.run(f"""
        diskwrightctl {' '.join(words)} --json >/run/said 2>/run/complained & client=$!
        until grep -q 'stopped by SIGSTOP' {TRACE} || ! kill -0 $client 2>/dev/null; do sleep 0.02; done
        if kill -0 $client 2>/dev/null; then echo stopped; exit; fi
        wait $client || {{ echo "exit code $?"; cat /run/complained; tail -n 5 {TRACE}; dmesg | tail -n 5; }} >&2
        cat /run/said""", timeout=200, check=True)
    guest.cut_power()
    stopped = said.out.strip() == "stopped"
    if not stopped:
        assert said.out and not said.err, said
        outcome = json.loads(said.out)["outcome"]
        assert outcome in ("applied", "forgotten", "undone", "unchanged", "adjusted"), said
    return stopped


def round_of(guest, words, old, new, call, number, defaults):
    """One operation that is cut off; what is kept after the next start, and whether it was cut off at all."""
    guest.run("systemctl start diskwright-finished.service", check=True)
    stopped = cut(guest, words, call, number)
    guest.power_on()
    status, found = kept(guest)
    where = f"{' '.join(words)}: {call} {number}, {'stopped' if stopped else 'through'}"
    assert found in (old, new), (where, found, old, new)
    if not stopped:
        assert found == new, (where, found, new)
    assert (status["total"], status["holds"]) == (len(found), len(found)), (where, status)
    assert status["state"] in (("probation", "proven") if found else ("none",)), (where, status)
    assert in_the_kernel(guest) == defaults | found, (where, in_the_kernel(guest), found)
    if found:
        verified = report(guest)
        assert (verified["holds"], verified["total"]) == (len(found), len(found)), (where, verified)
    left = guest.run("ls -A /var/lib/diskwright/txn | grep -v '^quarantine$'; ls -A /var/lib/diskwright/txn/quarantine").out
    guest.run(f"systemctl start {HELPER}; systemctl stop {HELPER}", check=True)
    after = guest.run("ls -A /var/lib/diskwright/txn | grep -v '^quarantine$'; ls -A /var/lib/diskwright/txn/quarantine").out
    assert after == "", (where, left, after)
    guest.say(f"round: {where}: {'new' if found == new else 'old'}")
    return found, stopped


def through(guest, words, new):
    """One operation that nothing happens to; what is kept now."""
    ctl(guest, *words)
    _status, found = kept(guest)
    assert found == new, (words, found, new)
    return found


def operation(guest, kind, number):
    """The words of an operation, and what is kept if it is done."""
    name = guest.wait_disk(SSD)
    wanted = {"queue:read_ahead_kb": 512 + 4 * number, "vm:swappiness": 10 + number}
    if kind == "keep":
        return ["set", f"queue:{name}:read_ahead_kb={wanted['queue:read_ahead_kb']}",
                f"vm::swappiness={wanted['vm:swappiness']}", "--keep"], wanted
    return (["forget"] if kind == "forget" else ["restore-all"]), {}
