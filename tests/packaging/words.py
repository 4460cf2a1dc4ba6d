# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file must say, must not say, how long it may be, and where a test lives."""
import pathlib
import re

from tree import Gate, files, is_generated_data, sources, text, write

# REUSE-IgnoreStart
LICENCE = ("SPDX-FileCopyrightText: 2026 The Diskwright authors", "SPDX-License-Identifier: GPL-3.0-or-later")
# REUSE-IgnoreEnd
COMMENTED = (".cpp", ".h", ".py", ".sh", ".txt", ".cmake", ".md", ".svg", ".xml", ".desktop", ".in", ".rules",
             ".service", ".timer", ".conf", ".policy", ".ts", ".qrc")
MAX_LINES = 800

# Written in two halves, so that this file does not find itself.
FORBIDDEN = [re.compile(pattern, flags) for pattern, flags in (
    (r"\bQ" r"SKIP\b", 0),
    (r"\bQ" r"EXPECT_FAIL\b", 0),
    (r"\bskip" r"(Test|If|Unless)\b", 0),
    (r"\bSKIP" r"_RETURN_CODE\b", 0),
    (r"\bTO" r"DO\b", 0),
    (r"\bFIX" r"ME\b", 0),
    (r"\bX" r"XX\b", 0),
    (r"\bfor" r" now\b", re.IGNORECASE),
    (r"\bnot (yet )?imple" r"mented\b", re.IGNORECASE),
)]
# A text of this project links to nothing but specifications, licences and the upstreams it names.
HOSTS = re.compile(r"https?://([A-Za-z0-9.-]+)")
KNOWN_HOSTS = {
    "www.w3.org", "www.gnu.org", "www.freedesktop.org", "dbus.freedesktop.org", "specifications.freedesktop.org",
    "docs.kernel.org", "www.kernel.org", "openbox.org", "reuse.software", "keepachangelog.com", "semver.org",
    "www.debian.org", "wiki.debian.org", "json-schema.org", "cbor.io", "www.rfc-editor.org", "spdx.org",
    "qt.io", "doc.qt.io", "api.kde.org", "github.com", "creativecommons.org", "diskwright.org", "inkscape.org",
}


def check_licence(root: pathlib.Path) -> list[str]:
    offences = []
    for path in files(root):
        relative = path.relative_to(root)
        # What describes the program to software catalogues has to be free of conditions.
        if path.name.endswith(".metainfo.xml"):
            continue
        wanted = path.suffix in COMMENTED or (text(path) or "").startswith("#!")
        if not wanted or is_generated_data(relative) or relative.parts[:2] == ("packaging", "debian"):
            continue
        head = "\n".join((text(path) or "").splitlines()[:12])
        offences += [f"{relative}: lacks the line '{line}'" for line in LICENCE if line not in head]
    return offences


def spoil_licence(root: pathlib.Path) -> str:
    write(root, "app/a.cpp", "// SPDX-FileCopyrightText: 2026 The Diskwright authors\nint a = 0;\n")
    return "app/a.cpp: lacks the line 'SPDX-License-Identifier"


def check_words(root: pathlib.Path) -> list[str]:
    offences = []
    for path in files(root):
        relative = path.relative_to(root)
        content = None if is_generated_data(relative) else text(path)
        for number, line in enumerate((content or "").splitlines(), 1):
            found = [match[0] for match in (pattern.search(line) for pattern in FORBIDDEN) if match]
            found += [host for host in HOSTS.findall(line) if host not in KNOWN_HOSTS]
            offences += [f"{relative}:{number}: '{word}'" for word in found]
    return offences


def spoil_words(root: pathlib.Path) -> str:
    write(root, "tests/app/tst_a.cpp", 'void A::b() { Q' 'SKIP("no disk"); }\n')
    return "tests/app/tst_a.cpp:1: 'QSK"


def spoil_hosts(root: pathlib.Path) -> str:
    write(root, "packaging/sources.list", "deb http" "://deb.example.net/debian trixie main\n")
    return "packaging/sources.list:1: 'deb.example.net'"


def check_length(root: pathlib.Path) -> list[str]:
    offences = []
    for path in files(root):
        relative = path.relative_to(root)
        if path.suffix in (*COMMENTED[:4], ".cmake") and not is_generated_data(relative):
            count = len((text(path) or "").splitlines())
            if count > MAX_LINES:
                offences.append(f"{relative}: {count} lines, more than {MAX_LINES}")
    return offences


def spoil_length(root: pathlib.Path) -> str:
    write(root, "ui/window.cpp", "\n" * (MAX_LINES + 1))
    return f"ui/window.cpp: {MAX_LINES + 1} lines"


def check_mirror(root: pathlib.Path) -> list[str]:
    """tests/app/disks/tst_scan.cpp tests app/disks/scan.cpp or scan.h; whole-product tests are elsewhere.

    tst_scan_partitions.cpp is a further test of the same file, tst_disks.cpp one of the folder as a whole.
    """
    offences = []
    for path in sources(root, "tests"):
        relative = path.relative_to(root)
        if not path.stem.startswith("tst_") or relative.parts[1] in ("integration", "vm", "fuzz", "bench"):
            continue
        folder = pathlib.Path(*relative.parts[1:-1])
        name = path.stem.removeprefix("tst_")
        place = folder / name
        tested = any((root / folder / f"{part}{suffix}").is_file()
                     for part in (name, name.split("_")[0]) for suffix in (".cpp", ".h"))
        if not tested and not (name == folder.name and (root / folder).is_dir()):
            offences.append(f"{relative}: tests no source, {place}.cpp or .h is not there")
        if not any(word in (text(path) or "") for word in ("QVERIFY", "QCOMPARE", "QTRY_")):
            offences.append(f"{relative}: asserts nothing")
    return offences


def spoil_mirror(root: pathlib.Path) -> str:
    write(root, "tests/app/disks/tst_gone.cpp", "class TestGone;\n")
    return "tests no source, app/disks/gone.cpp"


GATES = {
    "licence": Gate(check_licence, spoil_licence),
    "words": Gate(check_words, spoil_words),
    "hosts": Gate(check_words, spoil_hosts),
    "length": Gate(check_length, spoil_length),
    "mirror": Gate(check_mirror, spoil_mirror),
}
