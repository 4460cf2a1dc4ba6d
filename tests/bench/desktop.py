# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A virtual display that says when a window is mapped, and what a tree of processes costs."""
import ctypes
import os
import pathlib
import select
import signal
import subprocess
import time

SUBSTRUCTURE_NOTIFY = 1 << 19
MAP_NOTIFY = 19
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class MapEvent(ctypes.Structure):
    """XMapEvent of Xlib."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("event", ctypes.c_ulong), ("window", ctypes.c_ulong),
                ("override_redirect", ctypes.c_int)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("map", MapEvent), ("pad", ctypes.c_long * 24)]


class Display:
    """An X server without a window manager: the first window that is mapped is the program's own."""

    def __init__(self, size: str = "1180x760x24"):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
                                       pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        # To the end of the line: a server that can't write it out to the end gives up.
        with os.fdopen(reading, encoding="ascii") as answer:
            self.name = ":" + answer.readline().strip()
        if self.name == ":":
            raise RuntimeError("Xvfb did not start")
        self.x = ctypes.CDLL("libX11.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        opened = self.x.XOpenDisplay(self.name.encode())
        if not opened:
            raise RuntimeError(f"cannot open the display {self.name}")
        self.display = ctypes.c_void_p(opened)
        self.x.XSelectInput(self.display, ctypes.c_ulong(self.x.XDefaultRootWindow(self.display)),
                            ctypes.c_long(SUBSTRUCTURE_NOTIFY))
        self.x.XSync(self.display, 0)

    def wait_for_window(self, seconds: float) -> float:
        """The monotonic time at which the next ordinary window is mapped."""
        end = time.monotonic() + seconds
        event = Event()
        while time.monotonic() < end:
            while self.x.XPending(self.display):
                self.x.XNextEvent(self.display, ctypes.byref(event))
                if event.type == MAP_NOTIFY and not event.map.override_redirect:
                    return time.monotonic()
            select.select([self.x.XConnectionNumber(self.display)], [], [], 0.05)
        raise RuntimeError(f"no window within {seconds} s")

    def forget_events(self) -> None:
        event = Event()
        self.x.XSync(self.display, 0)
        while self.x.XPending(self.display):
            self.x.XNextEvent(self.display, ctypes.byref(event))

    def close(self) -> None:
        self.server.terminate()
        self.server.wait()


class Program:
    """A started program, from exec to the end."""

    def __init__(self, display: Display, *command: str):
        display.forget_events()
        environment = os.environ | {"DISPLAY": display.name, "QT_QPA_PLATFORM": "xcb"}
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, env=environment, start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.mapped_after_s = display.wait_for_window(60) - self.started

    def tree(self) -> list[int]:
        """The process and everything below it."""
        found, parents = [self.process.pid], {}
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.parent.name)] = int(fields[1])
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        return found

    def pss_kib(self) -> int:
        total = 0
        for pid in self.tree():
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        return total

    def cpu_s(self) -> float:
        total = 0
        for pid in self.tree():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS_PER_SECOND

    def close(self) -> None:
        """Ends it as a closed session would."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def bus_names() -> str:
    return subprocess.run(["dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                           "org.freedesktop.DBus.ListNames"], capture_output=True, text=True, check=True).stdout
