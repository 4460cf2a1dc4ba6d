# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands for systemd's manager on the private bus: takes StartTransientUnit exactly as typed there and writes down what
it was asked, one line of JSON each. usage: fakesystemd.py FILE"""

import json
import os
import stat
import sys

import dbus
import dbus.bus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

import bench


def plain(value):
    if isinstance(value, dbus.types.UnixFd):
        fd = value.take()
        kind = "pipe" if stat.S_ISFIFO(os.fstat(fd).st_mode) else "other"
        os.close(fd)
        return kind
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dbus.Boolean):
        return bool(value)
    return int(value) if isinstance(value, int) else str(value)


class Manager(dbus.service.Object):
    @dbus.service.method("org.freedesktop.systemd1.Manager", in_signature="ssa(sv)a(sa(sv))", out_signature="o")
    def StartTransientUnit(self, name, mode, properties, auxiliary):
        with open(sys.argv[1], "a") as out:
            out.write(json.dumps([str(name), str(mode), {str(k): plain(v) for k, v in properties},
                                  [[str(n), {str(k): plain(v) for k, v in p}] for n, p in auxiliary]]) + "\n")
        return "/org/freedesktop/systemd1/job/1"


DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(bench.BUS)
name = dbus.service.BusName("org.freedesktop.systemd1", bus)
manager = Manager(bus, "/org/freedesktop/systemd1")
GLib.MainLoop().run()
