#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab mpirun`, see [mpi.md](../guide/mpi.md): collective operations of MPI on the hosts of a lab, right sums
#   in the derived time, the same bytes twice; a run whose data did not cross the network fails
. "$(dirname "$0")/../lib/lab_lib.sh"

here=$(dirname "$(readlink -f "$0")")
MPICC=${MPICC:-mpicc.mpich}
command -v "$MPICC" >/dev/null || ktap_skip_all "no $MPICC (make packages-apps)"
HANGS=300
"$MPICC" -O2 -Wall -o "$LAB_OUT/coll" "$here/mpi_collectives.c" || ktap_exit_fail_msg "does not compile"

# mpi WORD...: lab mpirun with these; results in $LAB_OUT/r
mpi() {
	rm -rf "$LAB_OUT/r"
	timeout -k 10 $HANGS "$LAB" mpirun star --set rate=100gbit --out "$LAB_OUT/r" -q "$@" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" </dev/null
}

# works WORD...
works() { mpi "$@" && grep -q ", 0 wrong" "$LAB_OUT/out" || { cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }; }

# took: microseconds that rank 0 has printed
took() { sed -n 's/.*ranks: \([0-9.]*\) us.*/\1/p' "$LAB_OUT/out"; }

# result FILTER: of summary.json, is it true?
result() {
	local f
	for f in "$LAB_OUT"/r/*/*/seed1/summary.json; do
		jq -e "$1" "$f" >/dev/null || { echo "not so: $1"; jq '.mpi, .notes' "$f"; return 1; }
	done
}

# A host sends and receives 2 (n - 1) / n of the bytes at least, in packets of 1024 bytes: 58 of Ethernet,
# IP, UDP, BTH and ICRC and 24 of FCS, preamble and gap. The library does it in 2 log2(n) steps, and each
# begins when the one before has gone through: cables of 1 us there and back twice, and what the
# polls and small messages of a step take, 1 us each.
N=4
BYTES=4194304
all_reduce() {
	local least
	least=$(awk -v n=$N -v s=$BYTES 'BEGIN { print 2 * (n - 1) / n * s * (1024 + 58 + 24) / 1024 * 8 / 100e3 }')
	works --set n=$N -- "$LAB_OUT/coll" allreduce $BYTES || return 1
	cat "$LAB_OUT/out"
	is "$(took)" ">=" "$least" && is "$(took)" "<=" "$(awk -v t="$least" -v n=$N 'BEGIN { print t * 1.05 + 2 * log(n) / log(2) * 5 }')"
}

# Of the warm-up and the one that is timed each host must tell the others the bytes and learn as many; the
# other calls are of 8 bytes.
counted() {
	result ".mpi.ranks == $N and (.mpi.hosts | length == $N and all(.ranks == 1 and .calls > 0 and
		.sent_bytes >= 2 * $BYTES and .sent_bytes < 2 * $BYTES + 1000 and .port_sent_bytes >= .sent_bytes and
		.got_bytes >= 2 * $BYTES and .got_bytes < 2 * $BYTES + 1000 and .port_got_bytes >= .got_bytes))"
}

same_twice() {
	cp -r "$LAB_OUT/r" "$LAB_OUT/first" && cp "$LAB_OUT/out" "$LAB_OUT/out1" &&
		works --set n=$N -- "$LAB_OUT/coll" allreduce $BYTES && cmp "$LAB_OUT/out1" "$LAB_OUT/out" &&
		diff -r -x run.json "$LAB_OUT/first" "$LAB_OUT/r"
}

# Two ranks on one host: what they tell each other is not the network's, what goes to the others is.
mapped() {
	works --set n=3 -n 4 --map h2,h0-h1 --cc dcqcn -- "$LAB_OUT/coll" alltoall 100000 &&
		result '.mpi.hosts | map([.host, .ranks]) == [["h2", 2], ["h0", 1], ["h1", 1]]' &&
		result '.mpi.hosts[0].sent_bytes > .mpi.hosts[1].sent_bytes' || return 1
	jq -r '.command | join(" ")' "$LAB_OUT"/r/star/dcqcn/seed1/run.json | grep -F -- "-n 4 --map h2,h0-h1 -- $LAB_OUT/coll"
}

# Two ranks on one host, whose data do not leave it, and who are told that they are on two.
other_way() {
	! mpi --set n=2 -n 2 --map h0 -- env LAB_MPI_HOSTS=0,1 "$LAB_OUT/coll" allreduce 1000000 || return 1
	cat "$LAB_OUT/out" "$LAB_OUT/err"
	grep -q ", 0 wrong" "$LAB_OUT/out" && grep -q "the rest went another way" "$LAB_OUT/err"
}

# status STATUS WORD...
status() {
	local rc=0 want=$1
	shift
	mpi "$@" || rc=$?
	[ "$rc" -eq "$want" ] || { echo "status $rc, not $want"; cat "$LAB_OUT/err"; return 1; }
}

# The shell knows its rank.
failing() {
	# shellcheck disable=SC2016
	status 3 --set n=3 -- sh -c '[ $PMI_RANK = 1 ] && exit 3; sleep 1000' && grep -q "rank 1 on h1: exit status 3" "$LAB_OUT/out" &&
		status 137 --set n=3 -- sh -c '[ $PMI_RANK = 2 ] && kill -KILL $$; sleep 1000' &&
		grep -q "rank 2 on h2: signal 9" "$LAB_OUT/out" &&
		status 127 --set n=2 -- no-such-program && grep -q "no-such-program: No such file" "$LAB_OUT/out" &&
		status 2 --set n=2 -- "$LAB_OUT/coll" nonsense 1
}

bad_arguments() {
	status 2 --map h0,h9 -- true && grep -q 'no host "h9"' "$LAB_OUT/err" && status 2 && grep -q "no program" "$LAB_OUT/err" &&
		status 2 -n 0 -- true
}

# Open MPI knows its part of PMI by a library of ours.
open_mpi() {
	mpicc.openmpi -O2 -o "$LAB_OUT/coll.openmpi" "$here/mpi_collectives.c" &&
		works --set n=3 -- "$LAB_OUT/coll.openmpi" alltoall 300000 &&
		result '.mpi.ranks == 3 and all(.mpi.hosts[]; .sent_bytes >= 400000 and .port_sent_bytes >= .sent_bytes)'
}

# What uses no MPI is not checked, and that is said.
no_mpi() { status 0 --set n=2 -- true && result '.notes | any(contains("no MPI call"))'; }

ktap_print_header
ktap_check "an all-reduce takes the derived time, with right sums" all_reduce
ktap_check "... what ranks must have sent has gone through the ports" counted
ktap_check "... the same bytes in a second run" same_twice
ktap_check "all-to-all, two ranks on one host (-n, --map)" mapped
ktap_check "data that do not go through the ports fail the run" other_way
ktap_check "a rank that fails ends all" failing
if command -v mpicc.openmpi >/dev/null; then
	ktap_check "a program of Open MPI" open_mpi
else
	ktap_test_skip "a program of Open MPI" "no mpicc.openmpi (make packages-apps)"
fi
ktap_check "bad arguments" bad_arguments
ktap_check "a program without MPI" no_mpi
ktap_finished
