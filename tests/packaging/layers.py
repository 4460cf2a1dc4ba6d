# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""ui -> app -> helper/{contract,wire,access}, read off the #include lines."""
import pathlib
import re

from tree import Gate, sources, write

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
TOP = ("app", "helper", "ui")
WIDGETS = re.compile(r"^(QtWidgets|QtCharts)/|^Q(Widget|Application|Dialog|MainWindow|Label|PushButton|Chart\w*|"
                     r"(List|Table|Tree|Column|Header|Chart|Graphics|AbstractItem)View|\w+Layout|StyledItemDelegate|\w+Box|LineEdit)$")

NOT_FOR_ROOT = re.compile(r"^Qt(Gui|Network|Sql|Svg)/|^Q(Process|Settings|Tcp\w+|Network\w+|Sql\w+|Image|Pixmap|Icon)$")

# Folder -> folders it may include from, the longest matching folder first.
ALLOWED = {
    "helper/contract": ("helper/contract",),
    "helper/access": ("helper/contract", "helper/access"),
    "helper/wire": ("helper/contract", "helper/wire"),
    "helper": ("helper",),
    "app": ("app", "helper/contract", "helper/wire", "helper/access"),
    "ui": ("ui", "app", "helper/contract"),
}
# Folders whose code is plain C++: neither Qt nor KDE.
WITHOUT_QT = ("helper/contract", "helper/access", "app/bench/engine")


def inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def resolve(root: pathlib.Path, file: pathlib.Path, name: str) -> str | None:
    """The project file that an include means, relative to the root; None: not one of ours."""
    for base in (file.parent, root):
        # config.h is made from config.h.in, which stands where it is included from.
        path = (base / name).resolve()
        if not path.is_file():
            path = path.with_name(path.name + ".in")
        if path.is_file() and path.is_relative_to(root.resolve()):
            return path.relative_to(root.resolve()).as_posix()
    first = name.split("/")[0]
    return name if first in TOP else None


def check_system(here: str, name: str) -> str | None:
    if inside(here, "helper/contract") and ("." in name or "/" in name):
        return f"<{name}> in the contract, which is standard C++ only"
    if any(inside(here, folder) for folder in WITHOUT_QT) and re.match(r"(Q[A-Z]|Qt|K[A-Z][a-z])", name):
        return f"<{name}> where neither Qt nor KDE may be used"
    if inside(here, "helper") and (WIDGETS.match(name) or NOT_FOR_ROOT.match(name)):
        return f"<{name}> in a program that root runs"
    if inside(here, "app") and here != "app/main.cpp" and WIDGETS.match(name):
        return f"<{name}>: app/ knows no widgets"
    if inside(here, "ui") and name.startswith(("KAuth", "PolkitQt")):
        return f"<{name}>: the window reaches the helper through app/apply only"
    return None


def check_own(here: str, target: str) -> str | None:
    if here == "app/main.cpp":
        return None if inside(target, "app") or inside(target, "ui") or inside(target, "helper/contract") \
            else f"{target} from app/main.cpp, which sees app and ui"
    folder = max((entry for entry in ALLOWED if inside(here, entry)), key=len)
    if any(inside(target, allowed) for allowed in ALLOWED[folder]):
        return None
    return f"{target} from {folder}/, which may include from: {', '.join(ALLOWED[folder])}"


def check(root: pathlib.Path) -> list[str]:
    offences = []
    for file in sources(root, *TOP):
        here = file.relative_to(root).as_posix()
        for match in INCLUDE.finditer(file.read_text(encoding="utf-8", errors="replace")):
            if match[2].endswith((".moc", "version.h")):
                continue
            target = resolve(root, file, match[2])
            problem = check_own(here, target) if target else check_system(here, match[2])
            if not target and match[1] == '"' and not match[2].startswith(("ui_", "moc_")):
                problem = f'"{match[2]}" is not a file of this project'
            if problem:
                offences.append(f"{here}: includes {problem}")
    return offences


def spoil(root: pathlib.Path) -> str:
    write(root, "app/plan/plan.h", "#pragma once\n")
    write(root, "helper/main.cpp", '#include "app/plan/plan.h"\n')
    return "app/plan/plan.h from helper/"


def spoil_contract(root: pathlib.Path) -> str:
    write(root, "helper/contract/value.cpp", "#include <QString>\n#include <unistd.h>\n")
    return "<unistd.h> in the contract"


def spoil_ui(root: pathlib.Path) -> str:
    write(root, "ui/models/list.h", "#pragma once\n")
    write(root, "app/disks/scan.cpp", '#include "ui/models/list.h"\n')
    return "ui/models/list.h from app/"


def spoil_engine(root: pathlib.Path) -> str:
    write(root, "app/bench/engine/main.cpp", "#include <QFile>\n")
    return "<QFile> where neither Qt"


GATES = {
    "layers": Gate(check, spoil),
    "layers-contract": Gate(check, spoil_contract),
    "layers-app": Gate(check, spoil_ui),
    "layers-engine": Gate(check, spoil_engine),
}
