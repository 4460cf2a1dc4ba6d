# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real polkit, real agent: a right, a wrong and a dismissed password, no agent, no session, an inactive one."""

from guest import DISMISS

COMMAND = ["pkexec", "/usr/bin/id", "-u"]
NOT_AUTHORIZED = 127


def run(guest):
    right = guest.with_password(COMMAND, "alice")
    assert (right.rc, right.out, right.prompts) == (0, "0\n", 1), right

    wrong = guest.with_password(COMMAND, "mistaken")
    assert wrong.rc == NOT_AUTHORIZED and wrong.out == "" and wrong.prompts == 1, wrong

    dismissed = guest.with_password(COMMAND, DISMISS)
    assert dismissed.rc == NOT_AUTHORIZED and dismissed.out == "" and dismissed.prompts == 1, dismissed

    no_agent = guest.as_alice(COMMAND)
    assert no_agent.rc == NOT_AUTHORIZED and no_agent.out == "", no_agent
    no_session = guest.run(COMMAND, user="bob")
    assert no_session.rc == NOT_AUTHORIZED and no_session.out == "", no_session

    # An action that an active local session may do and a background session may not.
    check = "pkcheck --action-id org.freedesktop.login1.reboot --process $$"
    guest.open_session("bob")
    assert guest.as_alice(check).rc == 0
    assert guest.in_session("bob", check).rc != 0
    guest.switch_terminal(2)
    assert guest.in_session("bob", check).rc == 0
    assert guest.as_alice(check).rc != 0
    guest.switch_terminal(1)
    assert guest.as_alice(check).rc == 0
