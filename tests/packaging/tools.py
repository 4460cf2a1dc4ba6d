# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules that Debian's own tools know: formatting, licences, desktop file, metainfo, manual pages."""
import pathlib
import shutil
import tempfile

from tree import SOURCE, Gate, files, lines_of, run, sources, write

ID = "org.diskwright.Diskwright"


def check_format(root: pathlib.Path) -> list[str]:
    paths = sources(root)
    if not paths:
        return ["there is no C++ file"]
    result = run("clang-format", "--dry-run", "-Werror", *paths)
    return [line for line in lines_of(result) if "error:" in line] or ([] if result.returncode == 0 else lines_of(result))


def spoil_format(root: pathlib.Path) -> str:
    shutil.copy(SOURCE / ".clang-format", root)
    write(root, "app/a.cpp", "int   main( ){return 0 ;}\n")
    return "code should be clang-formatted"


def check_reuse(root: pathlib.Path) -> list[str]:
    """On a copy: without its history, reuse would go through the build folders too."""
    with tempfile.TemporaryDirectory() as folder:
        for path in files(root):
            target = pathlib.Path(folder) / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_symlink():
                shutil.copyfile(path, target)
        result = run("reuse", "--root", folder, "lint", "--lines")
        return [line.replace(folder + "/", "") for line in lines_of(result)] if result.returncode else []


def spoil_reuse(root: pathlib.Path) -> str:
    write(root, "app/a.cpp", "int a = 0;\n")
    return "app/a.cpp: no license identifier"


def pages(root: pathlib.Path) -> list[pathlib.Path]:
    return sorted((root / "resources/man").glob("*.[1-8]"))


def check_manual(root: pathlib.Path) -> list[str]:
    if not pages(root):
        return ["resources/man holds no page"]
    offences = []
    for page in pages(root):
        result = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page, env={
            "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"})
        offences += [f"{page.name}: {line}" for line in result.stderr.splitlines()]
        if result.returncode and not result.stderr:
            offences.append(f"{page.name}: man ended with {result.returncode}")
    return offences


def spoil_manual(root: pathlib.Path) -> str:
    write(root, "resources/man/bad.1", ".TH BAD 1\n.SH NAME\nbad \\- a page\n.XX no such macro\n")
    return "bad.1: "


def check_desktop(root: pathlib.Path) -> list[str]:
    return lines_of(run("desktop-file-validate", root / f"resources/{ID}.desktop"))


def spoil_desktop(root: pathlib.Path) -> str:
    write(root, f"resources/{ID}.desktop", "[Desktop Entry]\nType=Application\nExec=diskwright\n")
    return "required key"


def check_metainfo(root: pathlib.Path) -> list[str]:
    # The project has no page of its own on the web.
    result = run("appstreamcli", "validate", "--no-net", "--override=url-homepage-missing=info",
                 root / f"resources/{ID}.metainfo.xml")
    return lines_of(result) if result.returncode else []


def spoil_metainfo(root: pathlib.Path) -> str:
    write(root, f"resources/{ID}.metainfo.xml",
          f'<?xml version="1.0"?>\n<component type="desktop-application"><id>{ID}</id></component>\n')
    return "name"


GATES = {
    "format": Gate(check_format, spoil_format),
    "reuse": Gate(check_reuse, spoil_reuse),
    "manual": Gate(check_manual, spoil_manual),
    "desktop": Gate(check_desktop, spoil_desktop),
    "metainfo": Gate(check_metainfo, spoil_metainfo),
}
