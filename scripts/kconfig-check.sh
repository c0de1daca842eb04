#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Check that a kernel's .config has every line of the fragments given.
#   kconfig-check.sh CONFIG FRAGMENT...
# olddefconfig silently drops a symbol whose dependencies are not met. A later
# fragment overrides an earlier one. Prints the dropped symbols; exit 1 if any.
set -u
. "$(dirname "$0")/common.sh"
[ $# -ge 2 ] || { usage >&2; exit 2; }
config=$1
shift
[ -r "$config" ] || die "cannot read $config"
awk -v config="$config" '
	/^CONFIG_[A-Za-z0-9_]+=/ {
		symbol = substr($0, 1, index($0, "=") - 1)
		value = substr($0, index($0, "=") + 1)
	}
	/^# CONFIG_[A-Za-z0-9_]+ is not set$/ { symbol = $2; value = "n" }
	symbol == "" { next }
	FILENAME == config { have[symbol] = value }
	FILENAME != config { want[symbol] = value; from[symbol] = FILENAME }
	{ symbol = "" }
	END {
		for (s in want) {
			got = (s in have) ? have[s] : "n"
			if (got == want[s])
				continue
			printf "%s: %s=%s was asked for, the kernel has %s\n",
				from[s], s, want[s], got
			bad = 1
		}
		exit bad
	}' "$config" "$@"
