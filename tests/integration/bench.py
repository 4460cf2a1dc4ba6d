# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A private system bus with the real polkitd and the unmodified helper, on throw-away copies of /usr, /etc and /var.

Runs as root in namespaces of its own (see CMakeLists.txt), so everything ends and vanishes with the test. Only loop
devices that were made here are changed."""

import atexit
import fcntl
import os
import pathlib
import pickle
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback

import dbus
import dbus.bus
from dbus.types import UnixFd

import wire

BUS = "unix:path=/run/dbus/system_bus_socket"
NAME = "org.diskwright.helper"
LIBEXEC = pathlib.Path("/usr/libexec/diskwright")
USER, OTHER, NOBODY = 1000, 1001, 65534


LOGS = []


def eventually(condition, seconds=10.0, what="condition"):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    logs = "".join(f"--- {log}\n{log.read_text(errors='replace')}" for log in LOGS)
    raise AssertionError(f"{what}: not within {seconds} s\n{logs}")


class Machine:
    """The private machine: bus, polkit, product."""

    def __init__(self, rules="yes", wrapper=None, prepare=None):
        self.processes = []
        self.source = pathlib.Path(os.environ["DISKWRIGHT_SOURCE_DIR"])
        self.build = pathlib.Path(os.environ["DISKWRIGHT_BUILD_DIR"])
        self.log = pathlib.Path(tempfile.mkdtemp(prefix="diskwright-test."))
        atexit.register(self.stop)
        self.overlay()
        self.install(wrapper)
        self.rules(rules)
        if prepare:
            prepare()
        self.start_bus()
        self.start_polkit()

    def overlay(self):
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", "/proc"], check=True)
        scratch = self.log / "scratch"
        scratch.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", scratch], check=True)
        for folder in ("usr", "etc", "var"):
            up, work = scratch / f"{folder}.up", scratch / f"{folder}.work"
            up.mkdir()
            work.mkdir()
            subprocess.run(["mount", "-t", "overlay", "overlay", "-o",
                            f"lowerdir=/{folder},upperdir={up},workdir={work}", f"/{folder}"], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run"], check=True)
        pathlib.Path("/run/dbus").mkdir()

    def install(self, wrapper):
        LIBEXEC.mkdir(parents=True, exist_ok=True)
        for program in ("diskwright-helper", "diskwright-boot"):
            built = self.build / "helper" / program
            if not built.exists():
                built = self.build / "tests/integration/deadline-runner"
            shutil.copy(built, LIBEXEC / program)
        polkit = self.source / "polkit"
        shutil.copy(polkit / f"{NAME}.policy", "/usr/share/polkit-1/actions/")
        shutil.copy(polkit / f"{NAME}.conf", "/usr/share/dbus-1/system.d/")
        service = (polkit / f"{NAME}.service.direct").read_text()
        if wrapper:
            script = LIBEXEC / "wrapped-helper"
            script.write_text(f"#!/bin/sh\nexec {wrapper} {LIBEXEC}/diskwright-helper\n")
            script.chmod(0o755)
            service = service.replace(f"{LIBEXEC}/diskwright-helper", str(script))
        pathlib.Path(f"/usr/share/dbus-1/system-services/{NAME}.service").write_text(service)

    @staticmethod
    def rules(text):
        """"yes" for everybody, or the body of a rule that sees `action`, `subject` and `name` (action without
        prefix)."""
        body = f"return polkit.Result.{text.upper()};" if re.fullmatch(r"\w+", text) else text
        folder = pathlib.Path("/etc/polkit-1/rules.d")
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        file = folder / "00-test.rules"
        file.write_text("polkit.addRule(function(action, subject) {\n"
                        f"  if (action.id.indexOf('{NAME}.') != 0) return;\n"
                        f"  var name = action.id.substring({len(NAME) + 1});\n  {body}\n}});\n")
        file.chmod(0o644)

    def spawn(self, name, *command):
        out = open(self.log / name, "ab")
        LOGS.append(self.log / name)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        out.close()
        self.processes.append(process)
        return process

    def start_bus(self):
        text = pathlib.Path("/usr/share/dbus-1/system.conf").read_text()
        for tag in ("servicehelper", "user", "pidfile", "listen"):
            text = re.sub(f"<{tag}>.*?</{tag}>", "", text, flags=re.S)
        text = re.sub(r"<fork/>|<syslog/>", "", text)
        text = text.replace("<type>system</type>", f"<type>system</type><listen>{BUS}</listen>")
        config = pathlib.Path("/usr/share/dbus-1/test.conf")  # its includes are relative
        config.write_text(text)
        self.bus_process = self.spawn("bus", "dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile")
        eventually(lambda: os.path.exists("/run/dbus/system_bus_socket"), what="the bus")

    def start_polkit(self):
        self.polkit = self.spawn("polkit", "/usr/lib/polkit-1/polkitd", "--no-debug")
        eventually(lambda: self.owner("org.freedesktop.PolicyKit1"), what="polkitd")

    @staticmethod
    def owner(name):
        bus = dbus.bus.BusConnection(BUS)
        try:
            return bus.name_has_owner(name) and bus.get_name_owner(name)
        finally:
            bus.close()

    @staticmethod
    def helper_pid():
        bus = dbus.bus.BusConnection(BUS)
        try:
            if not bus.name_has_owner(NAME):
                return None
            return int(bus.call_blocking("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                         "GetConnectionUnixProcessID", "s", (NAME,)))
        except dbus.DBusException:
            return None  # it left in between
        finally:
            bus.close()

    def kill_helper(self):
        if pid := self.helper_pid():
            os.kill(pid, signal.SIGKILL)
            eventually(lambda: self.helper_pid() is None, what="the helper's end")

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()


class Loop:
    """A loop device that vanishes with this process."""

    def __init__(self, megabytes=8):
        self.file = tempfile.TemporaryFile()
        self.file.truncate(megabytes << 20)
        control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
        for _ in range(20):
            number = fcntl.ioctl(control, 0x4C82)  # LOOP_CTL_GET_FREE
            self.fd = os.open(f"/dev/loop{number}", os.O_RDWR | os.O_CLOEXEC)
            autoclear = 4
            info = struct.pack("=QQQQQIIII", 0, 0, 0, 0, 0, 0, 0, 0, autoclear).ljust(232, b"\0")
            config = struct.pack("=II", self.file.fileno(), 512) + info + bytes(64)
            try:
                fcntl.ioctl(self.fd, 0x4C0A, config)  # LOOP_CONFIGURE
                break
            except OSError:
                os.close(self.fd)
        else:
            raise AssertionError("no free loop device")
        os.close(control)
        self.name = f"loop{number}"
        self.path = pathlib.Path("/sys/block") / self.name
        # The queue outlives what it was used for before.
        self.write("queue/scheduler", "none")
        self.write("queue/nr_requests", 128)
        self.write("queue/read_ahead_kb", 128)

    def read(self, attribute):
        text = (self.path / attribute).read_text().strip()
        current = re.search(r"\[(.*?)\]", text)
        return current.group(1) if current else text

    def write(self, attribute, value):
        (self.path / attribute).write_text(str(value))

    def identity(self):
        major, minor = map(int, self.read("dev").split(":"))
        return [self.name, major, minor, int(self.read("diskseq")), int(self.read("size")) * 512]

    def dump(self):
        """Every readable attribute of the queue."""
        out = {}
        for file in sorted((self.path / "queue").rglob("*")):
            if file.is_file():
                try:
                    out[str(file.relative_to(self.path))] = file.read_text()
                except OSError as error:
                    out[str(file.relative_to(self.path))] = error.errno
        return out

    def close(self):
        if self.fd >= 0:
            os.close(self.fd)
            self.file.close()
        self.fd = -1


def as_user(uid, function, wait=True):
    """Runs the function in a child process of that user; returns its result, or the child's pid and a collector."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_end)
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            result = (True, function())
        except BaseException as error:  # noqa: B902 - it is reported to the parent
            result = (False, f"{type(error).__name__}: {error}\n{traceback.format_exc()}")
        with os.fdopen(write_end, "wb") as stream:
            pickle.dump(result, stream)
        os._exit(0)
    os.close(write_end)

    def collect():
        with os.fdopen(read_end, "rb") as stream:
            data = stream.read()
        os.waitpid(pid, 0)
        if not data:
            return None
        good, value = pickle.loads(data)
        if not good:
            raise AssertionError(value)
        return value

    return collect() if wait else (pid, collect)


def raw_call(action, blob, fds=None, details=None, timeout=60.0, caller=b""):
    """One performAction as whoever runs this; the raw reply, or the name of the D-Bus error."""
    bus = dbus.bus.BusConnection(BUS)
    try:
        descriptors = dbus.Dictionary({key: UnixFd(fd) for key, fd in (fds or {}).items()}, signature="sh")
        reply = bus.call_blocking(NAME, "/", "org.kde.kf6auth", "performAction", "saya{sv}aya{sh}",
                                  (action, dbus.ByteArray(caller), dbus.Dictionary(details or {}, signature="sv"),
                                   dbus.ByteArray(blob), descriptors), timeout=timeout, byte_arrays=True)
        return bytes(reply)
    except dbus.DBusException as error:
        return error.get_dbus_name()
    finally:
        bus.close()


def call(action, request, uid=USER, pipe=None, **more):
    """A well-formed call by a user; a Reply, or the name of the D-Bus error."""
    fds = {"cancel": pipe} if pipe is not None else None
    raw = as_user(uid, lambda: raw_call(f"{NAME}.{action}", wire.arguments(request), fds, **more))
    return wire.Reply(raw) if isinstance(raw, bytes) else raw


def fresh_id():
    return os.urandom(16)


def open_journals():
    return [name for name in os.listdir("/var/lib/diskwright/txn") if name != "quarantine"]


def read_ahead(loop, wanted, expected=None, identity=None, **more):
    current = int(loop.read("queue/read_ahead_kb")) if expected is None else expected
    return wire.apply_request(identity or fresh_id(), [loop.identity()],
                              [(0, "queue/read_ahead_kb", current, wanted)], **more)
