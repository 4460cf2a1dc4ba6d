#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs the real package, removes and purges it: what carries our marker goes, all else stays.
# Runs inside packaging/session, whose layers take the changes.
set -euo pipefail

deb=$(ls "$(dirname "$0")"/../../build/deb/diskwright_*.deb)
failed=0
check() { if "${@:2}"; then echo "ok: $1"; else echo "FAILED: $1"; failed=1; fi; }
not() { ! "$@"; }

ours=/etc/udev/rules.d/80-diskwright.rules
theirs=/etc/sysctl.d/80-diskwright.conf
printf '/dev/sda1 / ext4 defaults,noatime 0 1\n' >/etc/fstab
before=$(sha256sum /etc/fstab)

dpkg -i "$deb" >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; exit 1; }
check 'every file is as packaged' test -z "$(dpkg --verify diskwright)"
check 'nothing is set-user-ID' test -z "$(dpkg -L diskwright | xargs -d '\n' -I{} find {} -maxdepth 0 -type f -perm /6000)"
check 'no polkit rule is shipped' not grep -q 'polkit-1/rules.d' <(dpkg -L diskwright)
mkdir -p /etc/udev/rules.d /etc/sysctl.d /var/lib/diskwright /etc/diskwright
body='# nothing kept'
{
    echo '# Written by Diskwright. It notices a change made here and asks before it replaces it.'
    echo "# sha256 of what follows: $(echo "$body" | sha256sum | cut -d' ' -f1)"
    echo "$body"
} >"$ours"
printf 'vm.swappiness = 10\n' >"$theirs"

dpkg -r diskwright >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; exit 1; }
check 'our marked file is removed' test ! -e "$ours"
check 'a file without our marker stays' test -e "$theirs"
check 'history stays until purge' test -d /var/lib/diskwright

dpkg -P diskwright >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; exit 1; }
check 'purge removes the state' test ! -e /var/lib/diskwright -a ! -e /etc/diskwright
check 'a file without our marker stays after purge' test -e "$theirs"
check 'fstab is untouched' test "$before" = "$(sha256sum /etc/fstab)"
exit "$failed"
