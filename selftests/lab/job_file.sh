#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the job file between `lab` and `labinit`: each key of `job_file_keys.h` is written and read; an
#   unknown one is refused and named
#
# The job file between lab and labinit: each key of job_file_keys.h is written by the one
# and read by the other, and labinit refuses a key that is not there. Options of ports are
# read (OPT), and most are written (KEY), by what their row says.
. "$(dirname "$0")/../lib/lab_lib.sh"

lab_c=$RXE_CC_TOP/tools/lab

# keys: constant, object, name of each, the rest of its row
keys() {
	sed -n 's/^K(\(J_[A-Z0-9_]*\), \([A-Z]*\), "\([a-z0-9_]*\)", \(.*\)/\1 \2 \3 \4/p' "$lab_c/common/job_file_keys.h"
}

# one_side WRITER|READER: keys that it does not know. Jobs of mode exec are written
# by scripts/uml-exec.sh, plans are read by flowgen.
one_side() {
	local constant object name rest
	keys | while read -r constant object name rest; do
		case $1/$object/$rest in
		reader/*OPT\(* | writer/*KEY\(*) ;;
		writer/*)
			grep -qw "$constant" -r "$lab_c"/{scenario,feature,job,run,boot,cmd,replay} ||
				grep -qw "$name:" "$RXE_CC_TOP/scripts/uml-exec.sh" ;;
		reader/PLAN/* | reader/FLOW/* | reader/PINGPONG/*)
			grep -qw "$name" "$RXE_CC_TOP"/tools/flowgen/{plan,plan_parse}.c ;;
		reader/*)
			grep -qw "$constant" -r "$lab_c/guest" ;;
		esac || echo "$constant: $name has no $1"
	done
}

both_sides() {
	local n missing
	n=$(keys | wc -l)
	[ "$n" -ge 100 ] && [ "$n" -eq "$(grep -c '^K(' "$lab_c/common/job_file_keys.h")" ] ||
		{ echo "$n keys found in job_file_keys.h"; return 1; }
	missing=$(one_side writer; one_side reader)
	[ -z "$missing" ] || { echo "$missing"; return 1; }
}

# Neither side names a key of a job by anything but its constant.
no_literals() {
	! grep -nE 'js_[a-z_]+\((job|r->job|p->job|[a-z>.-]*qdisc|plan|port|prio),? *"' -r \
		"$lab_c"/{guest,scenario,feature,job,run,boot,cmd,replay,sweep}
}

# labinit_says JOB: what it complains of
labinit_says() {
	local dir=$LAB_OUT/job
	mkdir -p "$dir" && echo "$1" >"$dir/job.json" || return 1
	timeout -k 5 60 "$RXE_CC_BUILD/uml-lab/linux" mem=64M root=none rootfstype=hostfs \
		rootflags=/ rw init="$RXE_CC_BUILD/bin/labinit" lab_job="$dir/job.json" \
		uml_dir="$dir/uml/" con=null "con0=null,fd:1" time-travel=inf-cpu \
		</dev/null 2>/dev/null | sed -n 's/^@lab:error //p'
}

refuses() {
	local got
	got=$(labinit_says '{ "mode": "exec", "argv": [ "/bin/true" ], "timeouts": 1 }')
	[ "$got" = 'job: timeouts: unknown key, did you mean "timeout_s"?' ] ||
		{ echo "said: $got"; return 1; }
	got=$(labinit_says '{ "mode": "exec", "argv": [ "/bin/true" ], "timeout_s": 5 }')
	[ -z "$got" ] || { echo "said of a right one: $got"; return 1; }
}

ktap_print_header
ktap_check "each key is written by one side and read by the other" both_sides
ktap_check "both sides name keys by their constants only" no_literals
ktap_check "labinit refuses a job with an unknown key, and names it" refuses
ktap_finished
