# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the source tree, and the shape of a gate."""
import dataclasses
import pathlib
import re
import subprocess
from collections.abc import Callable, Iterator

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CPP = (".cpp", ".h")


@dataclasses.dataclass(frozen=True)
class Gate:
    """One rule of the tree.

    check returns a line for each offence. spoil writes an offence into an empty folder and returns
    words that check must then say: a gate that cannot fail proves nothing.
    """

    check: Callable[[pathlib.Path], list[str]]
    spoil: Callable[[pathlib.Path], str]


def files(root: pathlib.Path) -> Iterator[pathlib.Path]:
    """Every file that belongs to the project: what is built, and what git keeps, is left out."""
    for path in sorted(root.iterdir()):
        yield from _below(path, root)


def _below(path: pathlib.Path, root: pathlib.Path) -> Iterator[pathlib.Path]:
    if path.name in (".git", "__pycache__", ".pytest_cache") or path == root / "build":
        return
    if path.is_dir() and not path.is_symlink():
        for entry in sorted(path.iterdir()):
            yield from _below(entry, root)
    elif path.suffix != ".pyc":
        yield path


def sources(root: pathlib.Path, *parts: str) -> list[pathlib.Path]:
    """C++ files below the named top folders (all of them without a name)."""
    return [path for path in files(root) if path.suffix in CPP
            and (not parts or path.relative_to(root).parts[0] in parts)]


def text(path: pathlib.Path) -> str | None:
    """The file's text; None for a binary file or a link."""
    if path.is_symlink():
        return None
    data = path.read_bytes()
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8", errors="replace")


def is_generated_data(relative: pathlib.Path) -> bool:
    """Recorded machines and transcripts: not written by us, so our style does not bind them."""
    return relative.parts[:2] == ("tests", "fixtures") or relative.parts[0] == "LICENSES"


def write(root: pathlib.Path, name: str, content: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def run(*command: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], text=True, capture_output=True, check=False, **options)


def lines_of(result: subprocess.CompletedProcess) -> list[str]:
    return [line for line in re.split(r"\n", result.stdout + result.stderr) if line.strip()]
