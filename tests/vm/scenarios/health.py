# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What diskwrightctl says of slow disks, against sysfs and the real UDisks2, which is never started for it."""
import json

PRODUCT = True


def why(guest, target):
    result = guest.run(["diskwrightctl", "--json", "why", target], user="alice", check=True)
    return json.loads(result.out)


def fact(answer, name, device=None):
    found = [one["value"] for one in answer["facts"] if one["id"] == name and device in (None, one["device"])]
    assert found, (name, [one["id"] for one in answer["facts"]])
    return found[0]


def has(answer, name):
    return any(one["id"] == name for one in answer["facts"])


def read(guest, path):
    return guest.run(f"cat {path}", check=True).out.strip()


def findings(answer):
    return {one["id"]: one for one in answer["findings"]}


def unknown(answer):
    return {one["id"]: one["text"] for one in answer["not_known"]}


def is_running(guest):
    return guest.run("busctl status org.freedesktop.UDisks2 >/dev/null 2>&1 && "
                     "systemctl is-active --quiet udisks2").rc == 0


def compare_ata(guest, disk):
    answer = why(guest, disk)
    port = guest.run(f"readlink -f /sys/block/{disk} | grep -o '/ata[0-9]*' | head -1").out.strip()
    number = port.removeprefix("/ata")
    link = f"/sys/class/ata_link/link{number}"
    assert fact(answer, "sata.speed") == read(guest, f"{link}/sata_spd")
    target = guest.run(f"readlink -f /sys/block/{disk} | grep -o 'target[0-9:]*' | cut -d: -f3").out.strip()
    device = f"/sys/class/ata_device/dev{number}.{target}"
    assert fact(answer, "ata.mode") == read(guest, f"{device}/xfer_mode")
    assert fact(answer, "ata.slowdowns") == read(guest, f"{device}/spdn_cnt")
    assert fact(answer, "device.queue-depth") == read(guest, f"/sys/block/{disk}/device/queue_depth")
    assert fact(answer, "queue.rotational") == read(guest, f"/sys/block/{disk}/queue/rotational")
    assert fact(answer, "device.state") == "running"
    return answer


def run(guest):
    hdd = guest.disk_name("RIGHDD0001")
    ssd = guest.disk_name("RIGSSD0001")
    stick = guest.disk_name("RIGUSB0001")

    # Not running: not started, and said.
    guest.run("systemctl stop udisks2", check=True)
    answer = compare_ata(guest, hdd)
    assert "not running" in unknown(answer)["health"], answer["not_known"]
    assert not is_running(guest), "looking at a disk started UDisks2"
    compare_ata(guest, ssd)

    # Running: what it has stored, and no command to the drive.
    guest.run("systemctl start udisks2", check=True)
    guest.wait_until("busctl --quiet status org.freedesktop.UDisks2 >/dev/null")
    told = guest.run(f"udisksctl info -b /dev/{hdd}", check=True).out
    assert f"/dev/{hdd}" in told
    before = read(guest, f"/sys/block/{hdd}/device/iorequest_cnt")
    answer = compare_ata(guest, hdd)
    assert read(guest, f"/sys/block/{hdd}/device/iorequest_cnt") == before, "a command went to the disk"
    drive = guest.run("busctl get-property org.freedesktop.UDisks2 "
                      f"/org/freedesktop/UDisks2/block_devices/{hdd} org.freedesktop.UDisks2.Block Drive",
                      check=True).out.split('"')[1]
    updated = guest.run(f"busctl get-property org.freedesktop.UDisks2 {drive} org.freedesktop.UDisks2.Drive.Ata "
                        "SmartUpdated").out.split()
    failing = guest.run(f"busctl get-property org.freedesktop.UDisks2 {drive} org.freedesktop.UDisks2.Drive.Ata "
                        "SmartFailing").out.split()
    if updated and updated[-1] != "0":
        assert fact(answer, "health.failing") == {"true": "yes", "false": "no"}[failing[-1]]
    else:
        assert "health" in unknown(answer), answer

    # USB: QEMU's stick is a USB 2 device.
    answer = why(guest, stick)
    place = guest.run(f"readlink -f /sys/block/{stick}/device/../../../..").out.strip()
    assert fact(answer, "usb.speed") == read(guest, f"{place}/speed") + " Mbit/s", place
    assert fact(answer, "usb.driver") == "usb-storage"
    assert set(findings(answer)) & {"usb2-device", "usb-link-slow"} or fact(answer, "usb.speed") == "5000 Mbit/s"

    # NVMe, plugged in while running.
    plugged = guest.plug("nvme", "WHYNVME1")
    name = guest.wait_disk("WHYNVME1")
    answer = why(guest, name)
    if has(answer, "pcie.link"):
        function = guest.run(f"readlink -f /sys/block/{name}/device/device").out.strip()
        assert fact(answer, "pcie.link").startswith(read(guest, f"{function}/current_link_speed").split(" PCIe")[0])
    if has(answer, "drive.temperature"):
        degrees = int(read(guest, f"/sys/block/{name}/device/hwmon*/temp1_input"))
        assert fact(answer, "drive.temperature") == f"{(degrees + 500) // 1000} °C"
    assert fact(answer, "device.state") == "live"
    guest.unplug(plugged)

    # Layers of a real kernel: LUKS without discards, misaligned partition, a degraded mirror that has lost one.
    guest.run("modprobe scsi_debug dev_size_mb=96 lbpu=1 physblk_exp=3 && udevadm settle", check=True)
    debug = guest.run("lsblk -dno NAME,MODEL | awk '/scsi_debug/ {print $1; exit}'", check=True).out.strip()
    guest.run(f"printf 'start=63, size=40000\nstart=65536\n' | sfdisk -q /dev/{debug} && udevadm settle", check=True)
    answer = why(guest, debug)
    assert findings(answer)["misaligned"]["device"] == f"{debug}1", answer["findings"]
    guest.run(f"mdadm --create /dev/md7 --run --level=1 --raid-devices=2 --metadata=1.2 /dev/{debug}2 missing "
              "&& udevadm settle", check=True)
    answer = why(guest, debug)
    assert findings(answer)["raid-degraded"]["device"] == "md7", answer["findings"]
    assert fact(answer, "raid.missing") == read(guest, "/sys/block/md7/md/degraded") == "1"
    guest.run("mdadm --stop /dev/md7", check=True)
    guest.run("printf key | cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file=- "
              f"/dev/{debug}2 && printf key | cryptsetup open --key-file=- /dev/{debug}2 shut && "
              "mkfs.ext4 -q /dev/mapper/shut && mount /dev/mapper/shut /mnt && udevadm settle",
              check=True, timeout=300)
    if read(guest, f"/sys/block/{debug}/queue/rotational") == "0":
        answer = why(guest, "/mnt")
        assert findings(answer)["discard-blocked"]["device"].startswith("dm-"), answer["findings"]
        guest.run("printf key | cryptsetup refresh --key-file=- --allow-discards shut", check=True)
        assert "discard-blocked" not in findings(why(guest, "/mnt"))
    free = guest.run("df --output=avail,size -B1 /mnt | tail -1", check=True).out.split()
    percent = int(free[0]) * 100 // int(free[1])
    assert fact(why(guest, "/mnt"), "fs.free").split(" %")[0] == str(percent)
    guest.run("umount /mnt; cryptsetup close shut", check=True)
