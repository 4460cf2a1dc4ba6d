# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One QEMU process: its devices, its monitor, its console file."""

import json
import os
import re
import select
import socket
import subprocess
import tempfile
import time
from pathlib import Path

MEMORY_MIB = 1024
KERNEL_LINE = ("root=/dev/vda rw console=tty0 console=ttyS0 quiet apparmor=0 mitigations=off"
               " selinux=0 audit=0 systemd.show_status=0 nokaslr"
               # On a busy machine the emulated timer is late for the kernel's test of it.
               " no_timer_check")

# The standing disks besides the root disk: name -> (size in MiB, the device without its drive).
DISKS = {
    "hdd": (1024, "ide-hd,model=RIG-HDD,serial=RIGHDD0001,wwn=0x5000c500d15c0001,rotation_rate=7200"),
    "ssd": (1024, "ide-hd,model=RIG-SSD,serial=RIGSSD0001,wwn=0x5000c500d15c0002,rotation_rate=1"),
    "stick": (256, "usb-storage,bus=xhci.0,port=1,serial=RIGUSB0001,removable=on,id=stick"),
}


class MachineError(Exception):
    """QEMU ended, refused a command, or did not show something in time."""


def qemu_version():
    out = subprocess.run(["qemu-system-x86_64", "--version"], check=True, capture_output=True, text=True)
    return out.stdout.splitlines()[0]


def devices(swapped):
    """The device options; a snapshot is only good for exactly this list in this order."""
    first, second = ("ssd", "hdd") if swapped else ("hdd", "ssd")
    options = [
        "virtio-blk-pci,drive=root",
        f"{DISKS[first][1]},bus=ide.0,drive={first}",
        f"{DISKS[second][1]},bus=ide.1,drive={second}",
        "qemu-xhci,id=xhci",
        f"{DISKS['stick'][1]},drive=stick",
        "virtio-scsi-pci,id=vs",
        "pcie-root-port,id=rp1,chassis=1,slot=1",
        "pcie-root-port,id=rp2,chassis=2,slot=2",
        "virtio-serial-pci",
        "virtserialport,chardev=agent,name=rig.0",
    ]
    return [argument for option in options for argument in ("-device", option)]


class Machine:
    """A running QEMU, child of this process. It dies with its parent, whatever ends the parent."""

    def __init__(self, *, kernel, initrd, disks, directory, append="", swapped=False, load=None,
                 durable=True):
        """disks: the files of root and of each of DISKS, all qcow2; load: name of a snapshot.

        durable: the guest's flushes reach the files in order, so that a killed QEMU is a power cut.
        """
        self.directory = Path(directory)
        self.console_path = self.directory / "console.log"
        self.sockets = tempfile.TemporaryDirectory(prefix="rig-")
        self.agent_path = os.path.join(self.sockets.name, "agent")
        self.events = []
        self._buffer = b""
        self._qmp = None
        flush = "off" if durable else "on"
        blocks = [argument for name in ("root", *DISKS) for argument in (
            "-blockdev", f"driver=qcow2,node-name={name},file.driver=file,file.filename={disks[name]},"
            f"cache.no-flush={flush},file.cache.no-flush={flush},discard=unmap,file.discard=unmap")]
        qmp_path = os.path.join(self.sockets.name, "qmp")
        command = [
            # The kernel kills QEMU when its parent dies, also when the parent is killed.
            "setpriv", "--pdeathsig", "KILL", "--",
            "qemu-system-x86_64", "-name", "guest", "-M", "q35", "-accel", "tcg,thread=multi",
            "-cpu", "qemu64,+rdrand", "-smp", "2", "-m", str(MEMORY_MIB),
            "-kernel", str(kernel), "-initrd", str(initrd), "-append", f"{KERNEL_LINE} {append}".strip(),
            "-nodefaults", "-no-user-config", "-display", "none", "-vga", "none", "-rtc", "base=utc",
            "-chardev", f"file,id=console,path={self.console_path},append=on",
            "-serial", "chardev:console",
            "-chardev", f"socket,id=agent,path={self.agent_path},server=on,wait=off",
            "-qmp", f"unix:{qmp_path},server=on,wait=off",
            *blocks, *devices(swapped),
            *(("-loadvm", load) if load else ()),
        ]
        self.errors_path = self.directory / "qemu.log"
        with self.errors_path.open("ab") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
        try:
            self._connect(qmp_path)
        except BaseException:
            self.kill()
            raise

    def _connect(self, path):
        deadline = time.monotonic() + 60
        while True:
            if self.process.poll() is not None:
                raise MachineError(f"QEMU ended at once: {self.errors_path.read_text(errors='replace')[-2000:]}")
            try:
                self._qmp = socket.socket(socket.AF_UNIX)
                self._qmp.connect(path)
                break
            except OSError:
                self._qmp.close()
                if time.monotonic() > deadline:
                    raise MachineError("QEMU's monitor did not answer in 60 s") from None
                time.sleep(0.02)
        self._message(60)
        self.execute("qmp_capabilities")

    def _message(self, timeout):
        """The next JSON message of the monitor, or None after timeout seconds."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if not select.select([self._qmp], [], [], max(left, 0))[0]:
                return None
            try:
                data = self._qmp.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                raise MachineError(f"QEMU ended: {self.errors_path.read_text(errors='replace')[-2000:]}")
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def execute(self, command, timeout=120, **arguments):
        """One monitor command; its return value."""
        request = {"execute": command}
        if arguments:
            request["arguments"] = {name.replace("_", "-"): value for name, value in arguments.items()}
        return self.execute_raw(request, timeout)

    def execute_raw(self, request, timeout=120):
        """As execute(), for arguments whose names have underscores or are nested."""
        self._qmp.sendall(json.dumps(request).encode() + b"\n")
        deadline = time.monotonic() + timeout
        while True:
            message = self._message(max(deadline - time.monotonic(), 0))
            if message is None:
                raise MachineError(f"no answer to {request} in {timeout} s")
            if "event" in message:
                self.events.append(message)
            elif "error" in message:
                raise MachineError(f"{request}: {message['error']['desc']}")
            else:
                return message["return"]

    def monitor(self, line, timeout=120):
        """One command of the human monitor; its text."""
        return self.execute("human-monitor-command", timeout=timeout, command_line=line)

    def wait_event(self, name, timeout=60, **data):
        """Wait for a monitor event, also one that came since the last call; data must match."""
        deadline = time.monotonic() + timeout
        while True:
            for event in self.events:
                if event["event"] == name and all(
                        event.get("data", {}).get(key) == value for key, value in data.items()):
                    self.events.remove(event)
                    return event
            message = self._message(max(deadline - time.monotonic(), 0))
            if message is None:
                raise MachineError(f"no {name} event {data or ''} in {timeout} s")
            if "event" in message:
                self.events.append(message)

    def reset(self):
        """Press the reset button; returns when the machine has started anew."""
        # Restarts that the guest made itself left the same event behind.
        self.execute("query-status")
        self.events = [event for event in self.events if event["event"] != "RESET"]
        self.execute("system_reset")
        self.wait_event("RESET")

    def save(self, name):
        """Keep the whole state as a snapshot in the root disk's file."""
        text = self.monitor(f"savevm {name}", timeout=300)
        if text.strip():
            raise MachineError(f"savevm: {text}")

    def console(self):
        try:
            return self.console_path.read_bytes()
        except FileNotFoundError:
            return b""

    def wait_console(self, pattern, since, timeout):
        """Wait until the console, from byte since, matches; returns the match."""
        expression = re.compile(pattern.encode())
        deadline = time.monotonic() + timeout
        while True:
            match = expression.search(self.console(), since)
            if match:
                return match
            if self.process.poll() is not None:
                raise MachineError(f"QEMU ended while waiting for {pattern!r} on the console")
            if time.monotonic() > deadline:
                raise MachineError(f"no {pattern!r} on the console in {timeout} s")
            time.sleep(0.02)

    def kill(self):
        """End QEMU with SIGKILL: for the guest, a power cut."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self._qmp:
            self._qmp.close()
        self.sockets.cleanup()
