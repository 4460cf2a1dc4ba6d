#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A private bus with a UDisks2 made of python-dbusmock: three disks, one drive each.

Prints the bus's address, then waits for lines: "hang" stops the service from answering, "go" lets it go on, "end"
takes it away; end of input ends all. Each line is answered by "done".
"""
import os
import signal
import subprocess
import sys

import dbus
import dbusmock

NAME = "org.freedesktop.UDisks2"
TOP = "/org/freedesktop/UDisks2"


def start_bus():
    bus = subprocess.Popen(["dbus-daemon", "--session", "--print-address=1", "--nofork"], stdout=subprocess.PIPE,
                           text=True)
    return bus, bus.stdout.readline().strip()


def number(major, minor):
    return dbus.UInt64(os.makedev(major, minor))


def block(manager, name, device_number, drive):
    manager.AddObject(f"{TOP}/block_devices/{name}", f"{NAME}.Block",
                      {"DeviceNumber": device_number, "Drive": dbus.ObjectPath(drive)}, [])


def fill(manager):
    ata = f"{TOP}/drives/Old_Disk_1"
    block(manager, "sda", number(8, 0), ata)
    manager.AddObject(ata, f"{NAME}.Drive", {"RotationRate": dbus.Int32(7200), "Removable": False}, [])
    drive = dbus.Interface(dbus.SessionBus().get_object(NAME, ata), dbusmock.MOCK_IFACE)
    drive.AddProperties(f"{NAME}.Drive.Ata", {
        "SmartSupported": True, "SmartEnabled": True, "SmartUpdated": dbus.UInt64(1790000000), "SmartFailing": True,
        "SmartTemperature": dbus.Double(310.15), "SmartNumBadSectors": dbus.Int64(24),
        "SmartNumAttributesFailing": dbus.Int32(1), "SmartSelftestStatus": "error_read", "PmSupported": True})
    nvme = f"{TOP}/drives/Fast_Disk_2"
    block(manager, "nvme0n1", number(259, 0), nvme)
    manager.AddObject(nvme, f"{NAME}.Drive", {"RotationRate": dbus.Int32(0)}, [])
    drive = dbus.Interface(dbus.SessionBus().get_object(NAME, nvme), dbusmock.MOCK_IFACE)
    drive.AddProperties(f"{NAME}.NVMe.Controller", {
        "SmartUpdated": dbus.UInt64(1790000000), "SmartTemperature": dbus.UInt16(318),
        "SmartCriticalWarning": dbus.Array(["spare", "degraded"], signature="s"), "SmartSelftestStatus": "success"})
    plain = f"{TOP}/drives/Stick"
    block(manager, "sdb", number(8, 16), plain)
    manager.AddObject(plain, f"{NAME}.Drive", {"RotationRate": dbus.Int32(-1)}, [])
    # A service that lies about its types must not mislead.
    odd = f"{TOP}/drives/Odd"
    block(manager, "sdc", number(8, 32), odd)
    manager.AddObject(odd, f"{NAME}.Drive", {"RotationRate": "fast"}, [])
    drive = dbus.Interface(dbus.SessionBus().get_object(NAME, odd), dbusmock.MOCK_IFACE)
    drive.AddProperties(f"{NAME}.Drive.Ata", {
        "SmartSupported": "yes", "SmartEnabled": dbus.Int32(1), "SmartUpdated": "long ago", "SmartFailing": "true",
        "SmartTemperature": dbus.Double(1e308), "SmartNumBadSectors": "many"})
    block(manager, "dm_2d0", number(254, 0), "/")


def main():
    bus, address = start_bus()
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
    mock = subprocess.Popen([sys.executable, "-m", "dbusmock", "--session", NAME, TOP, f"{NAME}.Manager"],
                            stdout=subprocess.DEVNULL)
    try:
        dbusmock.DBusTestCase.wait_for_bus_object(NAME, TOP, timeout=60)
        fill(dbus.Interface(dbus.SessionBus().get_object(NAME, TOP), dbusmock.MOCK_IFACE))
        print(address, flush=True)
        for line in sys.stdin:
            action = {"hang": signal.SIGSTOP, "go": signal.SIGCONT, "end": signal.SIGKILL}[line.strip()]
            mock.send_signal(action)
            if action == signal.SIGKILL:
                mock.wait()
            print("done", flush=True)
    finally:
        mock.kill()
        mock.wait()
        bus.kill()
        bus.wait()


if __name__ == "__main__":
    main()
