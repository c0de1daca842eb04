# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# Shared by our build scripts: messages, logged steps with a progress line,
# the cache directory. Sourced, never run.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build
cache=${RXE_CC_CACHE:-$HOME/.cache/rxe-cc}
jobs=${JOBS:-$(nproc)}
# A kernel that is later than the lab's: its series, and what scripts/archive.sh calls its source. Of one
# version, so that what is made of it is the same.
later=("7.3 trixie-backports linux-source-7.3 7.3.4-1~bpo13+1")

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
# Bad arguments: nothing was done. Documentation/reference/exit-status.md has all statuses.
misuse() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 2; }

# usage: print the comment block below the SPDX line of the running script.
usage() { sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# options "WORD..." "$@": reads a script's options into variables of their names. A WORD is an
# option that is 1 when given ("check"), one with a value ("out="), with any number of values
# ("env+=", an array), or the old name of another ("jobs:only"). All else goes to the array "args";
# with "..." among the words all from the
# first argument on, as the options of a command are not ours.
options() {
	local -n value
	local words=" $1 " name
	shift
	args=()
	while [ $# -gt 0 ]; do
		name=${1#--}
		case $1 in
		-h | --help) usage; exit 0 ;;
		--) shift; break ;;
		--*)
			if [[ $words == *" $name "* ]]; then
				printf -v "${name//-/_}" 1
			elif [[ $words == *" $name="* || $words == *" $name+="* ]]; then
				[ $# -ge 2 ] || misuse "$1 needs a value"
				declare -n value=${name//-/_}
				if [[ $words == *" $name="* ]]; then value=$2; else value+=("$2"); fi
				shift
			elif [[ $words == *" $name:"* ]]; then
				name=${words#*" $name:"}
				misuse "$1 is called --${name%% *} now"
			else
				misuse "unknown option \"$1\" (--help lists them)"
			fi
			;;
		-?*) misuse "unknown option \"$1\" (--help lists them)" ;;
		*)
			[[ $words != *" ... "* ]] || break
			args+=("$1")
			;;
		esac
		shift
	done
	args+=("$@")
}

# kbuild splits paths at spaces and colons.
check_path() {
	case $2 in
	*[[:space:]:]*)
		die "$1 is \"$2\": the kernel's build cannot handle spaces or colons in it"
		;;
	esac
}

# need_space DIR MEGABYTES
need_space() {
	local free
	mkdir -p "$1" 2>/dev/null || die "cannot create $1"
	[ -w "$1" ] || die "cannot write to $1"
	free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$2" ] ||
		die "$1: $2 MB needed, only $free MB free (or RXE_CC_CACHE=DIR elsewhere)"
}

# take FD FILE WHAT: lock FILE by the descriptor FD; waits, and says so, and for whom.
# The file has the process that took the lock; a child of it may have outlived it.
take() {
	local pid=
	eval "exec $1>>\"\$2\"" || die "cannot write $2"
	if ! flock -n "$1"; then
		read -r pid <"$2"
		say "  waiting for another build of $3 (process ${pid:-unknown}, lock $2) ..." >&2
		flock "$1"
	fi
	echo $$ >"$2"
}

# lock NAME: one build of a kind at a time.
lock() {
	mkdir -p "$cache" 2>/dev/null || die "cannot create the cache $cache"
	take 9 "$cache/.lock-$1" "$1"
}

# step LABEL LOGFILE COMMAND...: run with the output in LOGFILE, print a line
# with the time it took; a progress line after 5 s; the log's tail on failure.
step() {
	local label=$1 log=$2 pid rc=0 t0=$SECONDS dt shown=0
	shift 2
	mkdir -p "${log%/*}"
	# A process group of its own, so that a signal ends make and all that it started.
	set -m
	"$@" >"$log" 2>&1 </dev/null 9>&- &
	pid=$!
	set +m
	# shellcheck disable=SC2064 # expand now
	trap "kill -- -$pid 2>/dev/null; exit 130" INT TERM HUP
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		dt=$((SECONDS - t0))
		if [ -t 1 ]; then
			[ "$dt" -ge 2 ] &&
				printf '\r  %s ... %d s, %d steps' "$label" "$dt" "$(wc -l <"$log")"
		elif [ "$dt" -ge $((shown * 6 + 5)) ]; then
			printf '  %s ... %d s, %d steps\n' "$label" "$dt" "$(wc -l <"$log")"
			shown=$((shown ? shown * 2 : 1))
		fi
	done
	wait "$pid" || rc=$?
	trap - INT TERM HUP
	[ -t 1 ] && printf '\r\033[K'
	if [ "$rc" -ne 0 ]; then
		tail -n "${TAIL:-25}" "$log" >&2
		say "  $label: failed after $((SECONDS - t0)) s, log: $log" >&2
		return "$rc"
	fi
	printf '  %-52s %4d s\n' "$label" $((SECONDS - t0))
}
