#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# on NODE COMMAND [ARG]...: run a command in a node of "lab shell --backend qemu".
#
# One word is a line for bash, several are a command and its arguments. Output and
# exit status are the command's; it has no input. labinit in the node's guest
# (tools/lab/guest/node_command_server.c) looks for the file that is made here.
set -u
[ $# -ge 2 ] || { echo "usage: on NODE COMMAND [ARG]..." >&2; exit 2; }
node=$1
shift
for dir in "${LAB_ON:?only in lab shell --backend qemu}"/raw/part*/on; do
	[ -e "$dir/nodes/$node" ] && break
done
[ -e "$dir/nodes/$node" ] || { echo "on: no node $node" >&2; exit 2; }
id=$BASHPID$RANDOM
trap ': >"$dir/$id.kill"' INT TERM
if [ $# -eq 1 ]; then
	printf '%s\n' "$1" >"$dir/$id.new"
else
	{ printf '%q ' "$@"; echo; } >"$dir/$id.new"
fi || exit 125
: >"$dir/$id.out"
exec 3<"$dir/$id.out"
mv "$dir/$id.new" "$dir/$id.$node.cmd"
until [ -e "$dir/$id.status" ]; do
	cat <&3
	sleep 0.05
	[ -d "$dir" ] || exit 125
done
cat <&3
read -r status <"$dir/$id.status"
rm -f "$dir/$id".*
exit "$status"
