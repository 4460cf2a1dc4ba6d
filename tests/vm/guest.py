# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest as a scenario sees it: run commands, answer passwords, plug disks, restart, cut the power."""

import contextlib
import dataclasses
import json
import re
import shlex
import subprocess
import time

from agent import Agent, AgentError, decode, encode
from machine import DISKS, Machine, MachineError

# A cold start takes 20 s on two idle cores; 165 s was seen with ten compilers beside it.
BOOT_SECONDS = 400
DISMISS = None


class GuestError(Exception):
    """Something in the guest did not happen; the message ends with the console's last lines."""


@dataclasses.dataclass(frozen=True)
class Result:
    """How a command ended: exit code (negative: signal), output and error output as text."""
    rc: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)


@dataclasses.dataclass(frozen=True)
class Answered(Result):
    """As Result; prompts: how many times a password was asked for."""
    prompts: int


def as_argv(command):
    return ["/bin/sh", "-c", command] if isinstance(command, str) else [str(word) for word in command]


class Guest:
    """One guest on its own disks. Use restored() or cold(); leaving the `with` ends it."""

    def __init__(self, directory, disks, kernel, initrd, say, durable):
        self.directory = directory
        self.disks = disks
        self.kernel = kernel
        self.initrd = initrd
        self.say = say
        self.durable = durable
        self.machine = None
        self.agent = None
        self.boot_id = None
        self._mark = 0
        self._answers = 0
        self._ports = {}

    @classmethod
    def on_disks(cls, directory, disks, *, kernel, initrd, say=print, durable=True):
        return cls(directory, disks, kernel, initrd, say, durable)

    @classmethod
    def from_image(cls, image, directory, say=print):
        """A guest on private copies of the image's disks, switched off."""
        return cls(directory, image.copy_disks(directory), image.kernel, image.initrd, say, True)

    def __enter__(self):
        return self

    def __exit__(self, *_exception):
        self._off()

    def _off(self):
        if self.agent:
            self.agent.close()
        if self.machine:
            self.machine.kill()
        self.agent = self.machine = None

    def _fail(self, message):
        console = self.machine.console() if self.machine else b""
        tail = console[-2500:].decode(errors="replace")
        raise GuestError(f"{message}\n--- console ---\n{tail}\n---------------")

    def _ask(self, do, timeout, **fields):
        try:
            return self.agent.request(do, timeout, **fields)
        except AgentError as error:
            self._fail(f"{do} {fields.get('path', fields.get('argv'))}: {error}")

    # --- starting and ending

    def restore(self, snapshot):
        """Continue from the snapshot in the disks: seconds, with alice logged in. Sets the clock."""
        started = time.monotonic()
        self._start(load=snapshot)
        self._await_agent(BOOT_SECONDS)
        self.run(["date", "--set", f"@{time.time():.2f}"])
        self.say(f"restored in {time.monotonic() - started:.1f} s")

    def power_on(self, append="", swap_disks=False, until="settled"):
        """A cold start. append: more kernel command line; swap_disks: the AHCI disks change places, and
        so their names; until: as in wait_boot()."""
        started = time.monotonic()
        self._start(append=append, swapped=swap_disks)
        self.boot_id = None
        self.wait_boot(until)
        self.say(f"cold start in {time.monotonic() - started:.1f} s ({until})")

    def wait_boot(self, until="settled"):
        """After a start or reset: wait until nothing is left to start ("settled"), until the agent runs
        commands, which is before udev has started ("agent"), or not at all (None)."""
        if until not in ("settled", "agent", None):
            raise ValueError(f"until is {until!r}, not 'settled', 'agent' or None")
        if until:
            self._await_agent(BOOT_SECONDS, self.boot_id)
        if until == "settled":
            self.wait_settled()

    def _start(self, **options):
        if self.machine:
            raise GuestError("the guest is on already")
        try:
            self.machine = Machine(kernel=self.kernel, initrd=self.initrd, disks=self.disks,
                                   directory=self.directory, durable=self.durable, **options)
            self._mark = len(self.machine.console())
            self._ports = {}
            self.agent = Agent(self.machine.agent_path)
        except MachineError as error:
            self._fail(str(error))

    def _await_agent(self, timeout, other_than=None):
        try:
            self.boot_id = self.agent.wait(timeout, other_than)
        except AgentError as error:
            self._fail(str(error))

    def wait_settled(self, timeout=BOOT_SECONDS):
        """Wait until the boot is complete: no job left, alice logged in, every standing disk there."""
        serials = " ".join(re.search(r"serial=(\w+)", device)[1] for _size, device in DISKS.values())
        # One script, since each command costs time in an emulated machine that is still starting.
        script = f"""
            state=$(systemctl is-system-running --wait)
            if [ "$state" != running ]; then
                echo "the guest is $state, not running"
                systemctl --failed --no-legend; systemctl list-jobs --no-legend; exit 1
            fi
            until /usr/local/lib/rig/in-session alice true 2>/dev/null; do sleep 0.3; done
            for serial in {serials}; do
                until ls /dev/disk/by-id | grep -q $serial; do sleep 0.3; done
            done
            udevadm settle"""
        result = self._finish(self.start(script, timeout=timeout), "wait until settled")
        if result.rc:
            self._fail(result.out + result.err)

    def _end(self, how):
        # The guest can be gone before its answer is on its way; what follows waits for the end itself.
        with contextlib.suppress(AgentError):
            self.agent.request("run", 20, argv=["systemctl", how, "--no-block"], seconds=20)

    def reboot(self, until="settled"):
        """A clean restart; until: as in wait_boot(), "agent" or "settled"."""
        self._mark = len(self.machine.console())
        started = time.monotonic()
        self._end("reboot")
        self._await_agent(BOOT_SECONDS + 90, self.boot_id)
        if until == "settled":
            self.wait_settled()
        self.say(f"restart in {time.monotonic() - started:.1f} s ({until})")

    def reset(self, until="settled"):
        """The reset button: nothing is written back by the guest, the disks keep what they had accepted."""
        self._mark = len(self.machine.console())
        started = time.monotonic()
        self.machine.reset()
        self.wait_boot(until)
        self.say(f"reset in {time.monotonic() - started:.1f} s ({until})")

    def cut_power(self):
        """Kill QEMU: what the guest had not flushed may be lost. Continue with power_on()."""
        self.say("power cut")
        self._off()

    def power_off(self):
        """A clean shutdown; continue with power_on()."""
        self._end("poweroff")
        try:
            self.machine.process.wait(180)
        except subprocess.TimeoutExpired:
            self._fail("the guest did not power off in 180 s")
        self._off()

    def adopt_initrd(self):
        """Start with the initrd that the guest has in /boot from now on (after update-initramfs)."""
        data = self.get(self.run("ls /boot/initrd.img-*", check=True).out.strip(), timeout=120)
        self.initrd = self.directory / "initrd"
        self.initrd.write_bytes(data)

    # --- the console, which works before and after the agent

    def wait_console(self, pattern, timeout=BOOT_SECONDS):
        """Wait for a regular expression on the console since the last start, reset or reboot."""
        try:
            match = self.machine.wait_console(pattern, self._mark, timeout)
        except MachineError as error:
            self._fail(str(error))
        return match[0].decode(errors="replace")

    def console(self):
        """The console's text since the last start, reset or reboot."""
        return self.machine.console()[self._mark:].decode(errors="replace")

    def reset_at(self, pattern, timeout=BOOT_SECONDS):
        """Press reset as soon as the console shows the pattern. Does not wait for the next boot."""
        self.wait_console(pattern, timeout)
        self.reset(until=None)

    def cut_power_at(self, pattern, timeout=BOOT_SECONDS):
        self.wait_console(pattern, timeout)
        self.cut_power()

    # --- commands

    def start(self, command, user=None, timeout=120, data=b""):
        """Start a command; finish() gives its result. For what must run at the same time."""
        argv = as_argv(command)
        if user:
            argv = ["runuser", "-u", user, "--", *argv]
        return command, time.monotonic(), timeout, self.agent.start(
            "run", argv=argv, seconds=timeout, input=encode(data))

    def finish(self, started, check=False):
        """The result of a started command."""
        command = started[0]
        shown = command if isinstance(command, str) else shlex.join(map(str, command))
        result = self._finish(started, shown)
        if check and result.rc:
            self._fail(f"{shown}: exit code {result.rc}\n{result.out}{result.err}")
        return result

    def _finish(self, started, shown):
        _command, since, timeout, request = started
        try:
            reply = self.agent.finish(request, timeout + 60)
        except AgentError as error:
            self._fail(f"{shown}: {error}")
        result = Result(reply["rc"], *(decode(reply[name]).decode(errors="replace") for name in ("out", "err")))
        self.say(f"[{time.monotonic() - since:5.1f} s] {shown} -> {result.rc}")
        if result.rc is None:
            self._fail(f"{shown}: not done in {timeout} s\n{result.out}{result.err}")
        return result

    def run(self, command, user=None, timeout=120, data=b"", check=False):
        """Run a shell line (str) or an argument list as root, or as user WITHOUT a session (polkit's
        "any"). data: standard input. check: fail unless the exit code is 0."""
        return self.finish(self.start(command, user, timeout, data), check)

    def as_alice(self, command, timeout=120, data=b"", check=False):
        """Run in alice's active local session, without a password agent."""
        return self.in_session("alice", command, timeout, data, check)

    def in_session(self, user, command, timeout=120, data=b"", check=False):
        """Run in the session on seat0 of alice, or of a user that open_session() logged in."""
        return self.run(["/usr/local/lib/rig/in-session", user, *as_argv(command)], timeout=timeout,
                        data=data, check=check)

    def with_password(self, command, *passwords, user="alice", timeout=120, own=False):
        """Run in user's session, on a terminal, with a password agent. passwords: what is typed at the
        first, second … prompt, the last one again at further ones; DISMISS (None) closes the prompt instead.
        own: no agent is there but the one that the command itself brings (or sudo's prompt)."""
        self._answers += 1
        files = [f"/run/answer-{self._answers}.{name}" for name in ("out", "err")]
        lines = "".join("-\n" if password is DISMISS else f"={password}\n" for password in passwords)
        for path in files:
            self.put(path, "", 0o666)
        words = [user, str(timeout), "own" if own else "", *files, *as_argv(command)]
        result = self.run(["/usr/local/lib/rig/answer-password", *words], timeout=timeout + 20,
                          data=lines.encode())
        out, err = (self.get(path).decode(errors="replace") for path in files)
        last = result.out.strip().splitlines()[-1:] or ["?"]
        if not last[0].isdigit():
            self._fail(f"no count of prompts: {result.out}{result.err}")
        return Answered(result.rc, out, err, int(last[0]))

    def open_session(self, user, tty=2):
        """Log user in on another virtual terminal: a local session that is not active."""
        self.run(["systemd-run", f"--uid={user}", "-p", "PAMName=login", "-p", f"TTYPath=/dev/tty{tty}",
                  "-p", "StandardInput=tty", "-p", f"UtmpIdentifier=tty{tty}", "-p", "UtmpMode=user",
                  "--collect", "sleep", "infinity"], check=True)
        # The session is complete when its scope exists, after the start of the user's service manager.
        self.wait_until(f"/usr/local/lib/rig/in-session {user} true", BOOT_SECONDS)

    def switch_terminal(self, tty):
        """Make the session on this virtual terminal the active one."""
        self.run(["python3", "-c", "import fcntl, os; f = os.open('/dev/tty0', os.O_RDWR); "
                  f"fcntl.ioctl(f, 0x5606, {tty}); fcntl.ioctl(f, 0x5607, {tty})"], check=True)
        self.wait_until("loginctl show-session -p VTNr --value"
                        f" $(loginctl show-seat seat0 -p ActiveSession --value) | grep -qx {tty}", 60)

    def wait_until(self, command, timeout=120):
        """Repeat a shell line until it succeeds."""
        deadline = time.monotonic() + timeout
        while self.run(command, timeout=timeout).rc != 0:
            if time.monotonic() > deadline:
                self._fail(f"not true within {timeout} s: {command}")
            time.sleep(0.3)

    def put(self, path, data, mode=0o644):
        """Write a file in the guest; data is text or bytes."""
        data = data.encode() if isinstance(data, str) else data
        self._ask("put", 120, path=str(path), data=encode(data), mode=mode)

    def get(self, path, timeout=120):
        """The bytes of a file in the guest."""
        return decode(self._ask("get", timeout, path=str(path))["data"])

    # --- disks that come and go

    def disk_name(self, serial):
        """The kernel name of the disk with this serial number, None if udev has not seen it (yet)."""
        for disk in self.run("lsblk -dJo NAME,SERIAL", check=True).json()["blockdevices"]:
            if disk["serial"] == serial:
                return disk["name"]
        return None

    def wait_disk(self, serial, timeout=120):
        """Wait until udev has dealt with the disk with this serial number; its kernel name."""
        deadline = time.monotonic() + timeout
        while True:
            name = self.disk_name(serial)
            if name:
                self.run("udevadm settle", timeout=timeout, check=True)
                return name
            if time.monotonic() > deadline:
                self._fail(f"no disk {serial} within {timeout} s")
            time.sleep(0.3)

    def plug(self, kind, serial, size_mib=64, throttle=None, wwn=None, name=None):
        """Attach a new disk: kind "usb", "nvme" or "scsi". Returns the id for unplug(). throttle: limits as
        QEMU's throttle group names them, e.g. {"bps-write": 2097152, "iops-read": 50}. name: that id, for
        disks with the same serial number."""
        name = name or serial.lower()
        path = self.directory / f"{name}.raw"
        with path.open("ab") as file:
            file.truncate(size_mib << 20)
        node = {"driver": "raw", "node-name": name, "file": {"driver": "file", "filename": str(path)}}
        if throttle:
            self.machine.execute("object-add", qom_type="throttle-group", id=f"limit-{name}", limits=throttle)
            node = {"driver": "throttle", "node-name": name, "throttle-group": f"limit-{name}",
                    "file": {**node, "node-name": f"{name}-raw"}}
        self.machine.execute_raw({"execute": "blockdev-add", "arguments": node})
        device = {"id": name, "drive": name, "serial": serial}
        if kind == "usb":
            device |= {"driver": "usb-storage", "bus": "xhci.0", "removable": True}
        elif kind == "nvme":
            port = next(port for port in ("rp1", "rp2") if port not in self._ports.values())
            self._ports[name] = port
            device |= {"driver": "nvme", "bus": port}
        elif kind == "scsi":
            device |= {"driver": "scsi-hd", "bus": "vs.0"}
            if wwn:
                device["wwn"] = wwn
        else:
            raise ValueError(f"unknown kind of disk {kind!r}: usb, nvme or scsi")
        self.machine.execute_raw({"execute": "device_add", "arguments": device})
        return name

    def unplug(self, name="stick"):
        """Detach a disk and wait until it is gone; "stick" is the standing USB stick."""
        self.machine.execute("device_del", id=name)
        try:
            self.machine.wait_event("DEVICE_DELETED", 60, device=name)
        except MachineError as error:
            self._fail(str(error))
        self._ports.pop(name, None)
        if name not in DISKS:
            self.machine.execute("blockdev-del", node_name=name)

    def plug_stick(self, port=1):
        """Put the standing USB stick back, with its contents."""
        self.machine.execute_raw({"execute": "device_add", "arguments": {
            "driver": "usb-storage", "bus": "xhci.0", "port": str(port), "drive": "stick", "id": "stick",
            "serial": "RIGUSB0001", "removable": True}})
