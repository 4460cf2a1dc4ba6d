#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What polkitd itself makes of the installed policy, compared with policy.golden. In packaging/session.
set -eu
cd "$(dirname "$0")"
found=$(pkaction | grep '^org\.diskwright\.' | sort | while read -r action; do
    pkaction --verbose --action-id "$action" | awk -v id="$action" '
        /implicit any/ {any = $3} /implicit inactive/ {inactive = $3} /implicit active/ {active = $3}
        END {print id, any, inactive, active}'
done)
echo "$found"
[ "$found" = "$(cat policy.golden)" ]
