#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes translations out of the source texts that lupdate found.

translations.py english SOURCE.ts OUT.ts   English plural forms: "%n change(s)" gives "%n change", "%n changes"
translations.py pseudo  SOURCE.ts OUT.ts   a language that is 40 % longer and full of umlauts, to see in
                                           screenshots what is cut and what was never translated
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

UMLAUTS = str.maketrans("aeiouyAEIOUcnsz", "äëïöüÿÄËÏÖÜçñšž")
# What must come out unchanged: %1, %n, %L1, a mnemonic's & with its letter, markup and line ends.
KEPT = re.compile(r"(%L?\d+|%n|&[A-Za-z]|<[^>]*>|&[a-z]+;|\n)")
LONGER = 1.4


def plural_forms(text):
    """Singular and plural of an English source text, by its "(s)"."""
    return text.replace("(s)", ""), text.replace("(s)", "s")


def pseudo(text):
    parts = KEPT.split(text)
    changed = "".join(part if KEPT.fullmatch(part) else part.translate(UMLAUTS) for part in parts)
    letters = sum(character.isalpha() for character in text)
    padding = max(1, round(letters * (LONGER - 1))) - 2
    # Words, not one long line: a label that wraps must have where to.
    filler = "".join("~" if (i + 1) % 8 else " " for i in range(max(0, padding)))
    return f"[{changed} {filler}]" if filler.strip() else f"[{changed}]"


def translate(source, kind):
    tree = ElementTree.parse(source)
    root = tree.getroot()
    root.set("language", "en_US" if kind == "english" else "xx")
    for context in root.iter("context"):
        for message in list(context.iter("message")):
            text = message.findtext("source") or ""
            translation = message.find("translation")
            if translation is None:
                translation = ElementTree.SubElement(message, "translation")
            translation.attrib.pop("type", None)
            for child in list(translation):
                translation.remove(child)
            numerus = message.get("numerus") == "yes"
            if kind == "english" and not numerus:
                context.remove(message)
            elif numerus:
                forms = plural_forms(text)
                for form in forms:
                    element = ElementTree.SubElement(translation, "numerusform")
                    element.text = form if kind == "english" else pseudo(form)
                translation.text = None
            else:
                translation.text = pseudo(text)
    return root


def write(root, path):
    ElementTree.indent(root)
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n')
        out.write(ElementTree.tostring(root, encoding="unicode"))
        out.write("\n")


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in ("english", "pseudo"):
        sys.exit(__doc__)
    write(translate(arguments[1], arguments[0]), arguments[2])


if __name__ == "__main__":
    main(sys.argv[1:])
