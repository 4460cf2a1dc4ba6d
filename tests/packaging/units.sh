#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What systemd and udev say of the installed units and rules. Runs in packaging/session with --install.
set -euo pipefail

units=/usr/lib/systemd/system
failed=0

verify() { systemd-analyze --man=no --recursive-errors=no verify "$@"; }
# Exposure 4.5 of 10 at most; a unit without walls has 9.4.
walled() { systemd-analyze --offline=yes --threshold=45 security "$1" >/tmp/security 2>&1; }

cat >/tmp/bad.service <<'UNIT'
[Service]
ExecStart=/bin/true
NoSuchKey=1
UNIT
echo 'ATTR{queue/read_ahead_kb}:="1' >/tmp/bad.rules
if verify /tmp/bad.service 2>/dev/null || walled /tmp/bad.service || udevadm verify /tmp/bad.rules >/dev/null 2>&1; then
    echo 'a bad example passed'
    exit 1
fi

shopt -s nullglob
found=("$units"/diskwright-*.service "$units"/diskwright-*.timer)
[ ${#found[@]} -gt 0 ] || { echo 'no unit is installed'; exit 1; }
verify "${found[@]}" || failed=1
walled "$units/diskwright-helper.service" || { cat /tmp/security; failed=1; }
udevadm verify /usr/lib/udev/rules.d/80-diskwright.rules || failed=1
if grep -v '^#' /usr/lib/udev/rules.d/80-diskwright.rules | grep -q .; then
    echo 'the rules of the package are to hold comments only'
    failed=1
fi
# Nothing of the start of a system may depend on us.
if grep -l '^\(RequiredBy\|BoundBy\)=' "${found[@]}"; then
    echo 'these units are required by something'
    failed=1
fi
for unit in "${found[@]}"; do echo "looked at $unit"; done
exit "$failed"
