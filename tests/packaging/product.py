#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""product.py NAME BUILD: what the build installs, compared with what is written down beside this file.

NAME is one of: installed, links, policy, service. Each first shows that it can fail. A difference
that is meant is taken over with --update.
"""
import argparse
import configparser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent
BUS_NAME = "org.diskwright.helper"


def install(build: pathlib.Path, folder: str) -> pathlib.Path:
    subprocess.run(["cmake", "--install", str(build)], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"DESTDIR": folder})
    return pathlib.Path(folder)


def installed(tree: pathlib.Path) -> list[str]:
    """One line a file: mode and path, the architecture's folder left out."""
    lines = []
    for path in sorted(tree.rglob("*")):
        if path.is_file():
            name = "/" + re.sub(r"lib/[a-z0-9_]+-linux-gnu\b", "lib/ARCH", path.relative_to(tree).as_posix())
            lines.append(f"{path.stat().st_mode & 0o7777:04o} {name}")
    return lines


def find(tree: pathlib.Path, name: str) -> pathlib.Path:
    found = [path for path in tree.rglob(name) if path.is_file()]
    if len(found) != 1:
        raise SystemExit(f"expected exactly one installed file called {name}, found {len(found)}")
    return found[0]


def needed(program: pathlib.Path) -> list[str]:
    text = subprocess.run(["readelf", "-d", str(program)], check=True, capture_output=True, text=True).stdout
    return sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", text)) + [
        f"looks for libraries in {path}" for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", text)]


def links(tree: pathlib.Path) -> list[str]:
    """The libraries that the programs of root and the measuring process link by themselves."""
    return [f"{name} {library}" for name in ("diskwright-boot", "diskwright-helper", "engine")
            for library in needed(find(tree, name))]


def policy(tree: pathlib.Path) -> list[str]:
    root = xml.etree.ElementTree.parse(find(tree, f"{BUS_NAME}.policy")).getroot()
    lines = []
    for action in root.iter("action"):
        answers = (action.findtext(f"defaults/{who}", "no").strip() for who in
                   ("allow_any", "allow_inactive", "allow_active"))
        lines.append(" ".join((action.get("id"), *answers)))
        lines += [f"{action.get('id')} is annotated with {note.get('key')}" for note in action.iter("annotate")]
    return sorted(lines)


def service(tree: pathlib.Path) -> list[str]:
    """How the bus starts the helper: through its unit only, never past the unit's walls."""
    bus = configparser.ConfigParser(interpolation=None)
    bus.optionxform = str
    bus.read(find(tree, f"{BUS_NAME}.service"))
    entry = bus["D-BUS Service"]
    lines = [f"bus file: {key}={entry[key]}" for key in sorted(entry)]
    unit = find(tree, entry.get("SystemdService", "no SystemdService")).read_text(encoding="utf-8")
    lines += [f"unit: {line}" for line in unit.splitlines() if re.match(r"(Type|BusName|ExecStart|User)=", line)]
    return [re.sub(r"lib/[a-z0-9_]+-linux-gnu\b", "lib/ARCH", line) for line in lines]


CHECKS: dict[str, Callable[[pathlib.Path], list[str]]] = {
    "installed": installed, "links": links, "policy": policy, "service": service}


def differences(wanted: list[str], found: list[str]) -> list[str]:
    return [f"missing: {line}" for line in wanted if line not in found] + [
        f"not written down: {line}" for line in found if line not in wanted]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=CHECKS)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="write down what is there")
    options = parser.parse_args()
    golden = HERE / f"{options.name}.golden"
    with tempfile.TemporaryDirectory() as folder:
        found = CHECKS[options.name](install(options.build, folder))
    if options.update:
        golden.write_text("\n".join(found) + "\n", encoding="utf-8")
    wanted = golden.read_text(encoding="utf-8").splitlines()
    if not differences(wanted[1:], wanted) or not differences(wanted, wanted[1:]):
        print("the bad example passed: one line more or less was not seen")
        return 1
    print("the bad example, a line more or less, fails as it should")
    offences = differences(wanted, found)
    print("\n".join(offences) or "as written down")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
