# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""On a terminal: polkit's own text prompt with a real password, and the countdown of a trial."""

import os
import pathlib
import pty
import select
import signal
import time
import unittest

import ctl
from ctl import bench

RULES = "return name == 'settle' ? polkit.Result.YES : polkit.Result.AUTH_ADMIN;"


def setUpModule():
    global machine
    machine = ctl.Machine(RULES)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *words, uid=bench.USER):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            line = ctl.command(*words, uid=uid)
            os.execvp(line[0], line)
        self.text = ""

    def expect(self, wanted, seconds=20):
        end = time.monotonic() + seconds
        while wanted not in self.text:
            if time.monotonic() > end:
                raise AssertionError(f"no {wanted!r} in {self.text!r}")
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.fd, 4096).decode(errors="replace")
                except OSError:
                    break
        if wanted not in self.text:
            raise AssertionError(f"no {wanted!r} in {self.text!r}")

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 4096).decode(errors="replace")
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"does not end: {self.text!r}")


def keeper(trial):
    """The process that keeps a trial's deadline."""
    for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if line.read_bytes().split(b"\0")[1:3] == [b"deadline", trial.encode()]:
                return int(line.parent.name)
        except OSError:
            pass
    raise AssertionError("nobody keeps the deadline")


class PromptTest(unittest.TestCase):
    def setUp(self):
        self.loop = bench.Loop()
        self.addCleanup(self.loop.close)
        self.setting = f"queue:{self.loop.name}:read_ahead_kb"

    def value(self):
        return self.loop.read("queue/read_ahead_kb")

    def password(self, terminal, text="user"):
        terminal.expect("Password:")
        time.sleep(0.5)  # what is typed before echoing is off is thrown away
        terminal.type(text + "\n")

    def test_the_right_password(self):
        terminal = Terminal("set", f"{self.setting}=4096")
        self.password(terminal)
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Applied.", terminal.text)
        self.assertEqual(self.value(), "4096")

    def test_a_wrong_password(self):
        terminal = Terminal("set", f"{self.setting}=4096")
        self.password(terminal, "wrong")
        self.assertEqual(terminal.wait(), 4, terminal.text)
        self.assertEqual(self.value(), "128")
        self.assertEqual(ctl.tokens(), [])

    def test_without_a_terminal_nobody_can_ask(self):
        result = ctl.run("set", f"{self.setting}=4096")
        self.assertEqual((result.code, result.outcome), (4, "not-authorized"), result)
        self.assertIn("sudo diskwrightctl", result.err)
        self.assertEqual(self.value(), "128")

    def test_counts_down_and_confirms(self):
        terminal = Terminal("set", "--try", "20", f"{self.setting}=4096")
        self.password(terminal)
        terminal.expect("Does it work?")
        self.assertEqual(self.value(), "4096")
        terminal.type("y\n")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Confirmed", terminal.text)
        self.assertEqual(self.value(), "4096")
        self.assertEqual(ctl.tokens(), [])

    def test_anything_else_puts_back(self):
        terminal = Terminal("set", "--try", "20", f"{self.setting}=4096")
        self.password(terminal)
        terminal.expect("Does it work?")
        terminal.type("\n")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Put back", terminal.text)
        self.assertEqual(self.value(), "128")

    def test_only_a_whole_word_confirms(self):
        for typed in ("yellow", "m" * 70, "y y"):
            terminal = Terminal("set", "--try", "20", f"{self.setting}=4096")
            self.password(terminal)
            terminal.expect("Does it work?")
            terminal.type(typed + "\n")
            self.assertEqual(terminal.wait(), 0, terminal.text)
            self.assertNotIn("Confirmed", terminal.text)
            self.assertEqual(self.value(), "128")

    def test_what_was_typed_before_the_question_is_no_answer(self):
        # root is asked for no password, whose prompt would throw it away.
        terminal = Terminal("set", "--try", "6", f"{self.setting}=4096", uid=0)
        terminal.type("y\n")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Not confirmed in time.", terminal.text)
        self.assertEqual(self.value(), "128")

    def test_one_answer_a_question(self):
        """What was typed after an answer answers no later question."""
        terminal = Terminal("set", "--try", "20", f"{self.setting}=4096")
        self.password(terminal)
        terminal.expect("Does it work?")
        terminal.type("m\ny\n")
        terminal.expect("Put back in 5")  # 59 s: it goes on
        self.assertEqual(self.value(), "4096")
        terminal.type("n\n")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertNotIn("Confirmed", terminal.text)
        self.assertEqual(self.value(), "128")

    def test_another_shell_shows_no_trial_before_it_is_authorized(self):
        terminal = Terminal("set", "--try", "30", f"{self.setting}=4096")
        terminal.expect("Password:")
        token, = ctl.tokens()
        self.assertEqual(ctl.run("restore-all", "--dry-run").json["trials"], 0)
        # Whoever settles it too early does not take the means to settle it.
        self.assertIn(ctl.run("confirm", token.name).code, (3, 7))
        self.assertEqual([one.name for one in ctl.tokens()], [token.name])
        self.password(terminal)
        terminal.expect("Does it work?")
        self.assertEqual(ctl.run("restore-all", "--dry-run").json["trials"], 1)
        self.assertEqual(ctl.run("confirm", token.name).code, 0)
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Confirmed", terminal.text)
        self.assertEqual(self.value(), "4096")

    def test_ctrl_c_puts_back(self):
        terminal = Terminal("set", "--try", "20", f"{self.setting}=4096")
        self.password(terminal)
        terminal.expect("Does it work?")
        terminal.type("\x03")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertEqual(self.value(), "128")

    def test_ctrl_c_twice_leaves_a_helper_that_does_not_answer(self):
        terminal, trial = self.trial(12)
        helper = machine.helper_pid()
        os.kill(helper, signal.SIGSTOP)
        try:
            terminal.type("\x03")
            time.sleep(1)
            self.assertEqual(os.waitpid(terminal.pid, os.WNOHANG), (0, 0), "gave up at once")
            terminal.type("\x03")
            self.assertEqual(terminal.wait(), 6, terminal.text)
            self.assertEqual(self.value(), "4096")
            self.assertEqual([token.name for token in ctl.tokens()], [trial])
            # The deadline holds without it.
            bench.eventually(lambda: self.value() == "128", 20, "putting back")
        finally:
            os.kill(helper, signal.SIGCONT)
        self.assertIn("Put back", ctl.run("history").err)
        self.assertEqual(ctl.tokens(), [])

    def test_silence_puts_back(self):
        terminal = Terminal("set", "--try", "5", f"{self.setting}=4096")
        self.password(terminal)
        terminal.expect("Does it work?")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Not confirmed in time.", terminal.text)
        self.assertIn("Put back to 128", terminal.text)
        self.assertEqual(self.value(), "128")
        self.assertEqual(ctl.tokens(), [])

    def test_the_token_outlives_a_slow_answer(self):
        """Another shell looks while the prompt is open, later than the trial would have taken."""
        terminal = Terminal("set", "--try", "5", f"{self.setting}=4096")
        terminal.expect("Password:")
        time.sleep(7)
        self.assertNotIn("trial", ctl.run("history").err)
        self.password(terminal)
        terminal.expect("Does it work?")
        terminal.type("y\n")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Confirmed", terminal.text)
        self.assertEqual(self.value(), "4096")

    def trial(self, seconds):
        terminal = Terminal("set", "--try", str(seconds), f"{self.setting}=4096")
        self.password(terminal)
        terminal.expect("Does it work?")
        token, = ctl.tokens()
        return terminal, token.name

    def test_confirmed_in_another_shell(self):
        terminal, trial = self.trial(30)
        self.assertEqual(ctl.run("confirm", trial).code, 0)
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Confirmed", terminal.text)
        self.assertNotIn("Put back.", terminal.text)
        self.assertEqual(self.value(), "4096")

    def test_prolonged_in_another_shell(self):
        terminal, trial = self.trial(6)
        self.assertEqual(ctl.run("prolong", trial, "30").code, 0)
        time.sleep(7)
        terminal.type("y\n")
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Confirmed", terminal.text)
        self.assertEqual(self.value(), "4096")

    def test_what_nobody_put_back_is_not_told_so(self):
        terminal, trial = self.trial(6)
        os.kill(keeper(trial), signal.SIGKILL)
        machine.kill_helper()
        self.assertEqual(terminal.wait(), 6, terminal.text)
        self.assertIn("not recorded", terminal.text)
        self.assertIn("It is 4,096", terminal.text.replace("4096", "4,096"))
        self.assertEqual(self.value(), "4096")
        told = ctl.run("history").err
        self.assertIn("its end was not recorded", told)
        self.assertNotIn("Put back", told)
        self.assertEqual(len(ctl.tokens()), 1)
        # The next helper puts it back.
        self.assertEqual(ctl.run("confirm", trial).code, 3)
        bench.eventually(lambda: self.value() == "128", 10, "putting back")


if __name__ == "__main__":
    unittest.main()
