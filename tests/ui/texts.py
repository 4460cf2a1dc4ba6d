#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""texts.py SOURCE_FOLDER BUILD_UI_FOLDER

Fails if a text of the window bypasses translation, or if the made languages lack one.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

# Calls that show their argument to a person; a literal in them must come through tr() or translate().
SHOWING = re.compile(
    r"(?:setText|setToolTip|setPlaceholderText|setWindowTitle|setAccessibleName|setAccessibleDescription|addTab"
    r"|setTitle|addItem|new QPushButton|new QRadioButton|new QCheckBox|new Expander)\(\s*u?\"([^\"]*)\"")
LETTERS = re.compile(r"[A-Za-z]{2,}")
NAMES = {"Diskwright"}


def literals(source):
    for file in sorted((source / "ui").rglob("*.cpp")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for match in SHOWING.finditer(line):
                if LETTERS.search(match.group(1)) and match.group(1) not in NAMES:
                    yield f"{file.relative_to(source)}:{number}: not translated: {match.group(1)!r}"


def messages(path):
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            yield context.findtext("name"), message


def key(context, message):
    return context, message.findtext("source"), message.findtext("comment")


def translations(message):
    forms = [form.text or "" for form in message.iter("numerusform")]
    return forms or [message.findtext("translation") or ""]


def overlooked(source, build):
    """Plural forms that lupdate did not see: it gives up on a call that it does not understand."""
    collected = {m.findtext("source") for _, m in messages(build / "diskwright_source.ts") if m.get("numerus") == "yes"}
    for file in sorted([*(source / "ui").rglob("*.cpp"), *(source / "app").rglob("*.cpp")]):
        for text in re.findall(r'(?:tr|translate)\((?:"\w+",\s*)?"([^"]*%n [^"]*\(s\)[^"]*)"', file.read_text(encoding="utf-8")):
            if text not in collected:
                yield f"{file.relative_to(source)}: not collected as a plural form: {text!r}"


def gaps(build):
    source = {key(c, m): m for c, m in messages(build / "diskwright_source.ts")}
    if len(source) < 100:
        yield f"only {len(source)} texts were collected"
    pseudo = {key(c, m): m for c, m in messages(build / "diskwright_xx-pseudo.ts")}
    english = {key(c, m): m for c, m in messages(build / "diskwright_en.ts")}
    for name, message in source.items():
        text = name[1] or ""
        if name not in pseudo:
            yield f"no pseudo text for {text!r}"
            continue
        for form in translations(pseudo[name]):
            for place in set(re.findall(r"%L?\d+|%n", text)):
                if place not in form:
                    yield f"{place} is lost in {form!r}"
            if text.count("&") != form.count("&"):
                yield f"a mnemonic is lost in {form!r}"
        if message.get("numerus") == "yes":
            forms = translations(english[name]) if name in english else []
            if len(forms) != 2 or any("(s)" in form for form in forms):
                yield f"no English plural forms for {text!r}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    faults = [*literals(pathlib.Path(sys.argv[1])), *gaps(pathlib.Path(sys.argv[2])),
              *overlooked(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
