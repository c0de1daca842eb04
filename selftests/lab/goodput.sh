#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: an idle path carries what headers allow, and no more; a fixed rate is the rate of wire
#   bytes
#
# One flow over an idle path reaches what headers allow, payload / (payload + 82) of the
# line rate, and no more: 99 % to 100 % of it. A fixed rate is the rate of wire bytes.
. "$(dirname "$0")/../lib/lab_lib.sh"

full_rate() {
	local bps
	LAB_DIR=$LAB_OUT/full lab_run two --cc none --set rate="$1" --set mtu="$2" \
		--set size="$4" || return 1
	bps=$(LAB_DIR=$LAB_OUT/full lab_get two/none/1 .goodput_bps)
	echo "goodput $bps bit/s"
	rm -rf "$LAB_OUT/full"
	is "$bps" ">=" "$(awk -v r="$3" -v m="$2" 'BEGIN { print 0.99 * r * m / (m + 82) }')" &&
		is "$bps" "<=" "$(awk -v r="$3" -v m="$2" 'BEGIN { print r * m / (m + 82) }')"
}

fixed_rate() {
	local bps
	LAB_DIR=$LAB_OUT/fixed lab_run two --cc fixed --param rate=37gbit \
		--set size=64mb || return 1
	bps=$(LAB_DIR=$LAB_OUT/fixed lab_get two/fixed/1 .goodput_bps)
	echo "goodput $bps bit/s"
	# The flow's last packet and its ACK take 4 us of about 15 ms more.
	near "$bps" "$(awk 'BEGIN { print 37e9 * 1024 / 1106 }')" 0.001
}

ktap_print_header
ktap_check "none, 100 Gbit/s, MTU 1024: 99 to 100 % of what headers allow" full_rate 100gbit 1024 100e9 64mb
ktap_check "none, 100 Gbit/s, MTU 4096: 99 to 100 % of what headers allow" full_rate 100gbit 4096 100e9 64mb
ktap_check "none, 400 Gbit/s, MTU 4096: 99 to 100 % of what headers allow" full_rate 400gbit 4096 400e9 128mb
ktap_check "fixed at 37 Gbit/s: wire rate within 0.1 %" fixed_rate
ktap_finished
