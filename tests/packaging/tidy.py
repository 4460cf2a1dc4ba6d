#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-tidy on what was changed: tidy.py changed|all BUILD.

A file that passed is not looked at again before it, a header of ours that it includes, its compile
command or a .clang-tidy changes; the stamps are in BUILD/tidy. What was changed is read from
build/changed-files if that is there (tests/run writes it), else asked of git, else everything is.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tree import SOURCE, run, write

CHANGED = SOURCE / "build/changed-files"
# A file takes some ten seconds: a change of more files than this is for tests/run full.
MOST = 24


def changed_files() -> set[str] | None:
    """Names relative to the tree; None: not known, so all."""
    if CHANGED.is_file():
        return set(CHANGED.read_text(encoding="utf-8").split())
    git = ("git", "-c", "safe.directory=*", "-C", SOURCE)
    base = run(*git, "merge-base", "HEAD", "origin/HEAD")
    head = run(*git, "rev-parse", "HEAD")
    if head.returncode:
        return None
    start = base.stdout.strip() if base.returncode == 0 and base.stdout != head.stdout else "HEAD~1"
    committed = run(*git, "diff", "--name-only", start)
    new = run(*git, "ls-files", "--others", "--exclude-standard")
    return set(committed.stdout.split() + new.stdout.split()) if committed.returncode == 0 else None


class Tree:
    """Compile commands and, for each object, the files of ours that ninja saw it read."""

    def __init__(self, build: pathlib.Path):
        self.build = build
        self.commands = {}
        for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
            path = pathlib.Path(entry["file"])
            if path.is_relative_to(SOURCE) and not path.is_relative_to(SOURCE / "build"):
                self.commands[path.relative_to(SOURCE).as_posix()] = entry
        self.reads = self.dependencies()

    def dependencies(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        current: list[str] = []
        for line in run("ninja", "-C", self.build, "-t", "deps").stdout.splitlines():
            if line and not line.startswith(" "):
                current = found.setdefault(line.split(":")[0], [])
            elif line.strip():
                path = pathlib.Path(os.path.normpath(self.build / line.strip()))
                if path.is_relative_to(SOURCE) and not path.is_relative_to(SOURCE / "build"):
                    current.append(path.relative_to(SOURCE).as_posix())
        return found

    def inputs(self, name: str) -> list[str]:
        return sorted({name, *self.reads.get(self.commands[name]["output"], [])})

    def to_look_at(self, changed: set[str]) -> list[str]:
        """Each changed file, and for a changed header its own source or the first that includes it."""
        chosen = {name for name in self.commands if name in changed}
        for header in sorted(name for name in changed if name.endswith(".h")):
            readers = sorted(name for name in self.commands if header in self.inputs(name))
            own = header.removesuffix(".h") + ".cpp"
            if readers and not chosen.intersection(readers):
                chosen.add(own if own in readers else readers[0])
        return sorted(chosen)

    def stamp(self, name: str) -> pathlib.Path:
        digest = hashlib.sha256()
        digest.update(run("clang-tidy", "--version").stdout.encode())
        digest.update(self.commands[name]["command"].encode())
        for part in (".clang-tidy", "tests/.clang-tidy", *self.inputs(name)):
            digest.update((SOURCE / part).read_bytes())
        return self.build / "tidy" / digest.hexdigest()


def offences(build: pathlib.Path, *paths: pathlib.Path, config: pathlib.Path | None = None) -> list[str]:
    options = [f"--config-file={config}"] if config else []
    result = run("clang-tidy", "-p", build, "--quiet", *options, *paths)
    found = re.findall(r"^.*(?:error|warning): .*$", result.stdout, re.MULTILINE)
    return found or (["clang-tidy failed: " + result.stderr] if result.returncode else [])


def bad_example() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write(root, "a.cpp", "int *a() { return 0; }\n")
        write(root, "compile_commands.json", json.dumps([{
            "directory": folder, "file": str(root / "a.cpp"), "command": "c++ -std=c++23 -c a.cpp", "output": "a.o"}]))
        found = offences(root, root / "a.cpp", config=SOURCE / ".clang-tidy")
        if not any("modernize-use-nullptr" in line for line in found):
            raise SystemExit(f"the bad example passed: {found}")
        print("the bad example fails as it should:", found[0])


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in ("changed", "all"):
        print("usage: tidy.py changed|all BUILD", file=sys.stderr)
        return 2
    bad_example()
    tree = Tree(pathlib.Path(sys.argv[2]).resolve())
    changed = changed_files() if sys.argv[1] == "changed" else None
    wanted = {}
    for name in sorted(tree.commands) if changed is None else tree.to_look_at(changed):
        stamp = tree.stamp(name)
        if not stamp.exists():
            wanted[name] = stamp
    if changed is not None and len(wanted) > MOST:
        print("left to the full run:", *list(wanted)[MOST:])
        wanted = dict(list(wanted.items())[:MOST])
    (tree.build / "tidy").mkdir(exist_ok=True)
    print(f"{len(wanted)} of {len(tree.commands)} files to look at")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        found = pool.map(lambda name: offences(tree.build, SOURCE / name), wanted)
        for (name, stamp), lines in zip(wanted.items(), found):
            if lines:
                failed += 1
                print("\n".join(lines))
            else:
                stamp.touch()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
