# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner's side of the agent in the guest."""

import base64
import itertools
import json
import queue
import socket
import threading
import time


class AgentError(Exception):
    """The agent did not answer in time, or QEMU is gone."""


class Agent:
    """Requests over the virtio-serial port; several may be under way."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._ids = itertools.count(1)
        self._waiting = {}
        self._lock = threading.Lock()
        self._dead = False
        threading.Thread(target=self._read, daemon=True).start()

    def close(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def _read(self):
        pending = b""
        while True:
            try:
                data = self._socket.recv(1 << 16)
            except OSError:
                data = b""
            if not data:
                break
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                try:
                    reply = json.loads(line)
                    waiting = self._waiting.pop(reply["id"], None)
                except (ValueError, TypeError, KeyError):
                    # The rest of a line that a reset cut off.
                    continue
                if waiting:
                    waiting.put(reply)
        with self._lock:
            self._dead = True
            for waiting in self._waiting.values():
                waiting.put(None)

    def start(self, do, **fields):
        """Send a request; returns what finish() takes."""
        number = next(self._ids)
        answer = queue.SimpleQueue()
        with self._lock:
            if self._dead:
                raise AgentError("QEMU is gone")
            self._waiting[number] = answer
        self._socket.sendall(json.dumps({"id": number, "do": do, **fields}).encode() + b"\n")
        return number, answer

    def finish(self, started, timeout):
        """The reply to a started request."""
        number, answer = started
        try:
            reply = answer.get(timeout=timeout)
        except queue.Empty:
            self._waiting.pop(number, None)
            raise AgentError(f"the agent did not answer in {timeout:.0f} s") from None
        if reply is None:
            raise AgentError("QEMU is gone")
        if "error" in reply:
            raise OSError(reply["error"])
        return reply

    def request(self, do, timeout, **fields):
        return self.finish(self.start(do, **fields), timeout)

    def wait(self, timeout, other_than=None):
        """Wait until the agent of another boot than other_than answers; returns its boot id."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            try:
                boot_id = self.request("hello", 5)["boot_id"]
            except AgentError:
                if self._dead:
                    raise
                continue
            if boot_id != other_than:
                return boot_id
            time.sleep(0.5)
        raise AgentError(f"no agent in {timeout} s")


def encode(data):
    return base64.b64encode(data).decode()


def decode(text):
    return base64.b64decode(text)
