#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The password agent of packaging/session.

There is no logind in the root, so an agent cannot stand for a login session. This one registers for
each process of its user as soon as that process is on the system bus, and for a command started by
packaging/cover before it runs. It asks on the terminal, or answers with --answer, and leaves checking
the password to polkit's own helper and PAM.
"""
import argparse
import getpass
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

AUTHORITY = ("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority")
AUTHORITY_INTERFACE = "org.freedesktop.PolicyKit1.Authority"
AGENT_INTERFACE = "org.freedesktop.PolicyKit1.AuthenticationAgent"
AGENT_PATH = "/org/diskwright/session/agent"
HELPER = "/usr/lib/polkit-1/polkit-agent-helper-1"


class Cancelled(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.PolicyKit1.Error.Cancelled"


def start_time(pid: int) -> int:
    """Field 22 of /proc/PID/stat, which together with the number names a process for polkit."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    return int(text.rpartition(")")[2].split()[19])


def prompt(message: str) -> None:
    """Asks on the terminal and prints the answer; run as a child, in a process group of its own."""
    with open("/dev/tty", "rb", buffering=0) as terminal:
        before = os.tcgetpgrp(terminal.fileno())
        os.tcsetpgrp(terminal.fileno(), os.getpgrp())
        try:
            print(getpass.getpass(f"\n{message}\nPassword of user: "))
        finally:
            os.tcsetpgrp(terminal.fileno(), before)


def ask_on_terminal(message: str) -> str:
    """The program that has the terminal may be a shell's job: then take it for this one question.

    Without job control all of a session is one group, which its process namespace shows as 0.
    """
    with open("/dev/tty", "rb", buffering=0) as terminal:
        shared = os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    if shared:
        return getpass.getpass(f"\n{message}\nPassword of user: ")
    return subprocess.run([sys.executable, __file__, "--prompt", message], process_group=0, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.rstrip("\n")


class Agent(dbus.service.Object):
    def __init__(self, bus, answer: str | None):
        super().__init__(bus, AGENT_PATH)
        self.answer = answer
        self.running: dict[str, subprocess.Popen] = {}
        self.daemon = dbus.Interface(bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus"),
                                     "org.freedesktop.DBus")
        self.authority = dbus.Interface(bus.get_object(*AUTHORITY), AUTHORITY_INTERFACE)

    def cover(self, pid: int) -> None:
        """Ask for passwords that this process needs."""
        subject = ("unix-process", dbus.Dictionary({
            "pid": dbus.UInt32(pid), "start-time": dbus.UInt64(start_time(pid)),
            "uid": dbus.Int32(os.getuid())}, signature="sv"))
        try:
            self.authority.RegisterAuthenticationAgent(subject, "C.UTF-8", AGENT_PATH)
        except dbus.DBusException as error:
            if "already exists" not in str(error):
                raise

    def cover_bus_name(self, name: str) -> None:
        """The same for the process behind a new name on the bus, if it is our user's."""
        try:
            credentials = self.daemon.GetConnectionCredentials(name)
            if int(credentials["UnixUserID"]) == os.getuid():
                self.cover(int(credentials["ProcessID"]))
        except (dbus.DBusException, OSError) as error:
            # A process may be gone by now; anything else is worth a line.
            if "NameHasNoOwner" not in str(error) and not isinstance(error, FileNotFoundError):
                print(f"agent: {name}: {error}", file=sys.stderr)

    def cover_caller(self, listener: socket.socket, _condition) -> bool:
        """packaging/cover says its process number, and waits for the answer before it runs its command."""
        connection, _ = listener.accept()
        with connection:
            self.cover(int(connection.recv(32)))
            connection.sendall(b"covered")
        return True

    @dbus.service.method(AGENT_INTERFACE, in_signature="sssa{ss}sa(sa{sv})", async_callbacks=("done", "failed"))
    def BeginAuthentication(self, action, message, _icon, _details, cookie, _identities, done, failed):
        def work():
            try:
                self.authenticate(str(action), str(message), str(cookie))
                GLib.idle_add(done)
            except Cancelled as error:
                GLib.idle_add(failed, error)

        threading.Thread(target=work, daemon=True).start()

    @dbus.service.method(AGENT_INTERFACE, in_signature="s")
    def CancelAuthentication(self, cookie):
        helper = self.running.pop(str(cookie), None)
        if helper:
            helper.terminate()

    def password(self, action: str, message: str) -> str:
        if self.answer is None:
            return ask_on_terminal(f"{message} ({action})")
        print(f"agent: {action}: answering with the password of user", file=sys.stderr)
        return self.answer

    def authenticate(self, action: str, message: str, cookie: str) -> None:
        with subprocess.Popen([HELPER, getpass.getuser()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, bufsize=1) as helper:
            self.running[cookie] = helper
            helper.stdin.write(cookie + "\n")
            helper.stdin.flush()
            for line in helper.stdout:
                if line.startswith("PAM_PROMPT_ECHO"):
                    helper.stdin.write(self.password(action, message) + "\n")
                    helper.stdin.flush()
                elif line.startswith("SUCCESS"):
                    break
                elif line.startswith("FAILURE"):
                    print(f"agent: {action}: that password was not accepted", file=sys.stderr)
                    break
        if self.running.pop(cookie, None) is None:
            raise Cancelled("the question was taken back")


def serve(path: str, answer: str | None) -> None:
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    agent = Agent(bus, answer)

    def owner_changed(name, _old, new):
        if new and name.startswith(":"):
            agent.cover_bus_name(name)

    bus.add_signal_receiver(owner_changed, "NameOwnerChanged", "org.freedesktop.DBus")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    GLib.io_add_watch(listener, GLib.IO_IN, agent.cover_caller)
    GLib.MainLoop().run()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--socket", metavar="PATH", help="where packaging/cover finds this agent")
    parser.add_argument("--answer", metavar="PASSWORD", help="answer with this instead of asking on the terminal")
    parser.add_argument("--prompt", metavar="MESSAGE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    if options.prompt:
        prompt(options.prompt)
    else:
        serve(options.socket, options.answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
