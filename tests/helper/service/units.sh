#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The helper's units verify, are closed tightly enough, and hold no option that would give the helper a mount
# namespace of its own or disable openat2. usage: units.sh POLKIT_FOLDER HELPER BOOT
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for unit in diskwright-helper.service diskwright-resume.service; do
    sed -e "s|/usr/libexec/diskwright/diskwright-helper|$2|" -e "s|/usr/libexec/diskwright/diskwright-boot|$3|" \
        "$1/$unit" >"$scratch/$unit"
    systemd-analyze verify --man=no --recursive-errors=no "$scratch/$unit"
done
systemd-analyze security --offline=yes --threshold=40 "$scratch/diskwright-helper.service" >"$scratch/report" ||
    { tail -n 3 "$scratch/report" >&2; exit 1; }
tail -n 1 "$scratch/report"
if grep -E '^(Protect(System|Home|Kernel|Control|Clock|Hostname|Proc)|Private|ReadOnlyPaths|ReadWritePaths|Inaccessible|Bind|TemporaryFileSystem|RootDirectory|MountFlags|RestrictSUIDSGID|DynamicUser)' \
    "$1/diskwright-helper.service"; then
    echo 'an option that implies a mount namespace, or disables openat2' >&2
    exit 1
fi
grep -q '^StartLimitIntervalSec=0' "$1/diskwright-helper.service"
grep -q '^RuntimeDirectoryPreserve=yes' "$1/diskwright-helper.service"
grep -qx 'Exec=/bin/false' "$1/org.diskwright.helper.service"
