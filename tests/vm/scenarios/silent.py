# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that does not answer: its plan is given up in half a minute, others are served meanwhile, and what it takes
later is put back without anybody's call."""

PRODUCT = True
LONG = True
TIMEOUT = 1200
HELPER = "diskwright-helper.service"
NO_JOURNAL = "[ -z \"$(ls -A /var/lib/diskwright/txn | grep -v '^quarantine$')\" ]"


def ctl(*words):
    return ["diskwrightctl", *words, "--json"]


def value(guest, disk, name):
    return guest.run(f"cat /sys/block/{disk}/queue/{name}", check=True).out.strip()


def run(guest):
    other = guest.disk_name("RIGHDD0001")
    guest.run(f"echo mq-deadline >/sys/block/{other}/queue/scheduler", check=True)
    guest.run(["modprobe", "scsi_debug", "dev_size_mb=32"], check=True)
    guest.wait_until("lsblk -dno MODEL | grep -q scsi_debug")
    name = guest.run("udevadm settle; lsblk -dno NAME,MODEL | awk '/scsi_debug/ {print $1}'", check=True).out.strip()
    guest.run(f"echo mq-deadline >/sys/block/{name}/queue/scheduler", check=True)
    before = value(guest, name, "nr_requests"), value(guest, other, "read_ahead_kb")
    # A read takes eighty seconds (the kernel counts 250 a second), and the disk's driver waits for it.
    guest.run(f"echo 300 >/sys/block/{name}/device/timeout; echo 20000 >/sys/bus/pseudo/drivers/scsi_debug/delay", check=True)
    reading = guest.start(f"dd if=/dev/{name} of=/dev/null bs=4k count=1 iflag=direct", timeout=300)
    guest.wait_until(f"awk '{{exit $1 == 0}}' /sys/block/{name}/inflight")

    said = guest.run(ctl("set", f"queue:{name}:nr_requests=16", f"queue:{other}:read_ahead_kb=1024"), timeout=120)
    shown = said.json()
    assert said.rc == 6 and shown["outcome"] == "rollback-failed", said
    steps = {step["setting"]: step for step in shown["steps"]}
    assert "does not answer" in steps[f"queue:{name}:nr_requests"]["message"], steps
    assert value(guest, other, "read_ahead_kb") == before[1]
    # Others are served, by the same helper.
    assert guest.run(ctl("set", f"queue:{other}:read_ahead_kb=1024"), timeout=60).rc == 0
    trial = guest.run(ctl("set", f"queue:{other}:read_ahead_kb=512", "--try", "5"), timeout=60)
    assert trial.rc == 0, trial
    guest.wait_until(f"grep -qx 1024 /sys/block/{other}/queue/read_ahead_kb", 60)
    assert guest.run(f"awk '{{exit $1 == 0}}' /sys/block/{name}/inflight").rc == 0, "it answered too soon for this test"
    assert guest.run(ctl("set", f"queue:{name}:nr_requests=20"), timeout=60).rc == 3
    assert guest.run(f"systemctl is-active {HELPER}").rc == 0

    guest.finish(reading, check=True)
    guest.run("echo 0 >/sys/bus/pseudo/drivers/scsi_debug/delay", check=True)
    # The helper idles out, and systemd starts what goes on with the journal.
    guest.wait_until(NO_JOURNAL, 120)
    assert value(guest, name, "nr_requests") == before[0]
    assert guest.run(ctl("restore-all")).rc == 0
    assert value(guest, other, "read_ahead_kb") == before[1]
