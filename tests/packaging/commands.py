#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""commands.py BUILD: every command and option that diskwrightctl --help knows is in its manual page."""
import pathlib
import re
import subprocess
import sys

from tree import SOURCE

PAGE = SOURCE / "resources/man/diskwrightctl.1"


def help_of(program: pathlib.Path, *command: str) -> str:
    return subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout


def entries(text: str, title: str) -> list[str]:
    """The first words of the lines below a title, which are indented by two."""
    section = re.search(rf"^{title}:\n((?:  .*\n|\n)*)", text, re.MULTILINE | re.IGNORECASE)
    return re.findall(r"^  (\S+)", section[1], re.MULTILINE) if section else []


def wanted(program: pathlib.Path, *command: str) -> list[str]:
    """Commands as they are typed, options with their dashes."""
    text = help_of(program, *command)
    found = [option for entry in entries(text, "Options") for option in entry.split(",") if option.startswith("--")]
    for name in entries(text, "Subcommands"):
        found += [" ".join((*command, name)), *wanted(program, *command, name)]
    return sorted(set(found) - {"--help"})


def missing(page: str, words: list[str]) -> list[str]:
    """What the page does not say. Fonts, dashes and macros of the page are taken off before looking."""
    plain = re.sub(r'\\f[A-Z]|"', "", page.replace("\\-", "-"))
    plain = re.sub(r"^\.[A-Z]+ ", "", plain, flags=re.MULTILINE)
    plain = re.sub(r" ?\| ?", " | ", re.sub(r"[ \t]+", " ", plain))
    return [word for word in words if not re.search(rf"(^|[\s\[]){re.escape(word)}(?=$|[\s\],])", plain, re.MULTILINE)]


def main() -> int:
    program = pathlib.Path(sys.argv[1]) / "app/cli/diskwrightctl"
    words = wanted(program)
    if missing("disks\n", ["disks", "surely-not"]) != ["surely-not"]:
        print("the bad example passed")
        return 1
    absent = missing(PAGE.read_text(encoding="utf-8"), words)
    print("\n".join(f"{PAGE.name} does not say: {word}" for word in absent) or f"the page has all of: {', '.join(words)}")
    return 1 if absent or not words else 0


if __name__ == "__main__":
    sys.exit(main())
