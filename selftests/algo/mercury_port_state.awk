# SPDX-License-Identifier: GPL-2.0
# What Mercury's ports took their queues for, against the truth. Reads what mercury_port_state_guest.sh
# prints of a run: ports, hosts, and the trace of roce:roce_enqueue, roce_dequeue,
# roce_mercury and roce_mercury_packet.
#
#	awk -f mercury_port_state.awk thr=160000 gbit=40 period=10000 [over=s1-s2] TRACE
#
# A decision is a packet that comes to a queue longer than thr, itself included. Truth of a
# port: a queue that gets the same packets and is never paused would be longer than thr, too
# (the virtual queue V: up by what comes, down by the line's rate); ports in over are
# congested by what the scenario sends. Truth of a flow: the port is congested, or the one in
# front of the flow's receiver is.
#
# Prints for each port of a switch with decisions, and for all of them but those that are
# never paused ("paused"):
#	PORT decisions  told: right wrong  spared: right wrong   the same by flows: 4 figures
#	the same, by ports, of the rule with "not longer" in place of "shorter": 4 figures
#	by ports, since the last pause ended: 4 figures  differs
# differs: decisions of the kernel that are not those of the rule, worked out here anew.

function field(name,   i) {
	i = index($0, " " name "=")
	return i ? substr($0, i + length(name) + 2) + 0 : 0
}

function text(name,   s) {
	s = substr($0, index($0, " " name "=") + length(name) + 2)
	sub(/ .*/, "", s)
	return s
}

function note(p, kind, told, cong) {
	n[p, kind, told ? (cong ? 1 : 2) : (cong ? 4 : 3)]++
}

# The rule; reading 0 is the paper's, 1 asks for a queue that has not become longer.
function rule(p, t, q,   r) {
	for (r = 0; r < 2; r++) {
		if (!unsure[p, r] || paused[p] || t - looked[p, r] < period)
			continue
		unsure[p, r] = q >= thr && (r ? q <= was[p, r] + packet : q < was[p, r])
		looked[p, r] = t
		was[p, r] = q
	}
}

function event(p, t, q, what,   r) {
	pauses[p] += what == "paused"
	for (r = 1; r <= 4 && what == "paused"; r++)
		n[p, "late", r] = 0
	for (r = 0; r < 2 && what != "checked"; r++) {
		unsure[p, r] = what == "paused" ||
			(q >= thr && came[p] <= int(gbit * (t - since[p]) / 8))
		looked[p, r] = t
		was[p, r] = q
	}
	if (what == "paused") {
		since[p] = t
		came[p] = 0
	}
	if (what != "checked")
		paused[p] = what == "paused"
}

function comes(p, t, wire) {
	v[p] -= (t - at[p]) * gbit / 8
	v[p] = (v[p] < 0 ? 0 : v[p]) + wire
	at[p] = t
	if (paused[p])
		came[p] += wire
	if (wire > packet)
		packet = wire
}

# V of a port at a time after its last packet.
function congested(p, t) {
	return index("," over ",", "," name[p] ",") || v[p] - (t - at[p]) * gbit / 8 > thr
}

function decide(p, t, told, dst,   here) {
	here = congested(p, t)
	total[p]++
	note(p, "port", told, here)
	note(p, "late", told, here)
	note(p, "flow", told, here || congested(last[host[dst]], t))
	note(p, "other", !unsure[p, 1], here)
	differs[p] += told == unsure[p, 0]
}

function four(p, kind,   i, s) {
	for (i = 1; i <= 4; i++)
		s = s sprintf(" %d", n[p, kind, i])
	return s
}

function line(title, p) {
	print title, total[p] four(p, "port") four(p, "flow") four(p, "other") four(p, "late"),
		differs[p] + 0
}

$1 == "#port" {
	p = $2 "/" $3
	name[p] = $4 "-" $5
	switch_port[p] = $6 == "switch"
	last[$5] = p
	next
}
$1 == "#host" { host["::ffff:" $3] = $2; next }
{
	p = text("netns") "/" text("ifindex")
	if (!switch_port[p])
		next
	t = field("t_ns")
}
$1 == "enqueue:" { comes(p, t, field("wire_bytes")); next }
$1 == "dequeue:" {
	t = field("start_ns")
	if (field("arrival_ns") < t)
		rule(p, t, field("queue_bytes"))
	next
}
$1 == "mercury:" { event(p, t, field("queue_bytes"), text("event")); next }
$1 == "mercury_packet:" { decide(p, t, !field("undetermined"), text("dst")) }

END {
	for (p in total) {
		line(name[p], p)
		if (!pauses[p])
			continue
		total["paused"] += total[p]
		differs["paused"] += differs[p]
		for (i = 1; i <= 4; i++) {
			n["paused", "port", i] += n[p, "port", i]
			n["paused", "flow", i] += n[p, "flow", i]
			n["paused", "other", i] += n[p, "other", i]
			n["paused", "late", i] += n[p, "late", i]
		}
	}
	line("paused", "paused")
}
