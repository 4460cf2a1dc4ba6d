#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the programs that run as root load by name: exactly this. usage: needed.sh HELPER BOOT
set -eu
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -e '^libasan' -e '^libubsan' | sort | tr '\n' ' '; }
check() {
    found=$(needed "$1")
    [ "$found" = "$2" ] || { printf '%s needs\n  %s\nand should need\n  %s\n' "$1" "$found" "$2" >&2; exit 1; }
}
check "$1" 'libKF6AuthCore.so.6 libQt6Core.so.6 libQt6DBus.so.6 libc.so.6 libgcc_s.so.1 libpolkit-qt6-core-1.so.1 libstdc++.so.6 '
check "$2" 'libQt6Core.so.6 libc.so.6 libgcc_s.so.1 libstdc++.so.6 '
echo 'both link exactly what they should'
