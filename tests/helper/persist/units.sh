#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# units.sh SOURCE_FOLDER BUILD_FOLDER PROGRAM
# systemd and udev accept the boot units and the namesake; the program refuses what it shall refuse.
set -eu
source_folder=$1 build_folder=$2 program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

# The installed path does not exist here, the built program does.
for unit in "$build_folder"/*.service "$source_folder"/*.timer; do
    sed "s|^\(Exec[A-Za-z]*=-\{0,1\}\)[^ ]*|\1$program|" "$unit" >"$work/$(basename "$unit")"
done
systemd-analyze verify --man=no --recursive-errors=no "$work"/*.service "$work"/*.timer >"$work/log" 2>&1 ||
    fail "systemd-analyze verify: $(cat "$work/log")"
[ ! -s "$work/log" ] || fail "systemd-analyze verify says: $(cat "$work/log")"
grep -qx 'ConditionPathExists=/etc/diskwright' "$work/diskwright-guard.service" || fail 'the guard runs without a reason'
! grep -rE '^(Requires|BindsTo|RequiredBy)=' "$work" || fail 'something requires a unit of ours'

udevadm verify --no-style "$source_folder/80-diskwright.rules" || fail 'udev does not accept the namesake'
! grep -qv '^#' "$source_folder/80-diskwright.rules" || fail 'the namesake has a rule'

expect() {
    code=$1; shift
    set +e; "$@" >"$work/out" 2>&1; got=$?; set -e
    [ "$got" = "$code" ] || fail "$*: exit $got instead of $code: $(cat "$work/out")"
}
expect 2 "$program"
expect 2 "$program" guard now
expect 2 "$program" restore
expect 2 "$program" restore --no
expect 2 "$program" deadline
expect 2 "$program" deadline ../../etc/passwd
expect 2 "$program" limit
expect 2 "$program" limit ../sda
expect 2 "$program" limit sda sdb
expect 2 "$program" unknown
for command in guard finished rescue verify recover resume 'restore --yes' 'limit sda' 'deadline 0123456789abcdef0123456789abcdef'; do
    # shellcheck disable=SC2086
    expect 4 setpriv --reuid 65534 --regid 65534 --clear-groups "$program" $command
done
