# SPDX-License-Identifier: GPL-2.0
#
# What a row of starve.sh means: from one row (starve_covering_array.awk) to the settings of its run, the
# file of its flows and the bounds that starve_check_run.awk holds the results against.
#	awk -v dir=DIR -f starve_row_to_run.awk <<<ROW
# Writes DIR/flows.csv (for the lab) and DIR/shares (flow, max-min share in bit/s of wire
# bytes), if dir is given; prints NAME=VALUE for the shell. cost is about the CPU time of the row
# in s. -v costs=1 prints the costs alone, each before its row. Further words of a row, KEY=VALUE,
# are those of named rows:
#	k=N		packets of a message
#	hosts=N		pairs of hosts that the flows share
#	delay=NS	of each link
#	window=NS	W at least
#	cc:NAME=VALUE	parameter of the algorithm
#	set:KEY=VALUE, knob:KEY=VALUE	of the lab
#
# The network is scenario dumbbell, hosts l0, l1, ... and r0, r1, ... C is the row's rate.
#	last	all flows go to r0, whose link has C; the link between the switches has 2 C
#	net	each flow has a receiver of its own; the link between the switches has C
#	both	C for both. A third of the flows crosses the link between the switches and ends
#		at r0, a third crosses it and ends elsewhere, a third comes from the right and
#		ends at r0. Of two flows one is of the first kind and one of the third, and the
#		link between the switches has C / 2; one flow alone crosses both ports.
# Hosts have C, one sender alone 2 C: else nothing would be congested.
#
# longhaul: all flows go to r0, each sender is alone in its rack, the long link has 4 C.
#	net	the links of racks have C, hosts 2 C: the far rack is congested, which is LSCC's
#	last	hosts have C, racks 2 C: the receiver's link is
#	both	both have C
# 2 D is ten periods, dR C / 200, Rmin C / 2000: the paper's 1 ms, 200 us, 1 Gbit/s and 100 Mbit/s
# of 200 Gbit/s. Qref is 4 % of what the link holds in 2 D, as there, and 20 packets at least.

function max(a, b) { return a > b ? a : b }
function min(a, b) { return a < b ? a : b }
function ceil(x) { return x > int(x) ? int(x) + 1 : int(x) }
function out(name, val) { printf "%s='%s'\n", name, text(val) }
function text(val) { return val ~ /^[0-9.]+e[+][0-9]+$/ ? sprintf("%.0f", val) : val }
function set(key, val) { sets = sets " --set " key "=" text(val) }
function knob(key, val) { sets = sets " --knob " key "=" val }
function ns(bytes, bps) { return bytes * 8e9 / bps }

# The channels: queue pairs, if those of two hosts are one. unique: no two have the same hosts.
function channels(    c, i, kind) {
	for (c = 0; c < M; c++) {
		i = c % H
		kind = place
		if (place == "both")
			kind = M == 1 ? "through" : c % 3 == 0 ? "through" : c % 3 == 1 && M > 2 ? "net" : "right"
		kinds[c] = kind
		src[c] = (kind == "right" ? "r" : "l") (kind == "right" ? i + 1 : i)
		dst[c] = "r" (kind == "net" ? i + (place == "both") : 0)
		if (haul) {
			src[c] = "s" 2 * (i % senders)
			dst[c] = "r0"
			kinds[c] = "through"
		}
		members[kinds[c]]++
	}
	if (place == "both" && !haul) {
		ports = "sl-sr sr-r0"
	} else if (haul) {
		ports = place == "last" ? "tr0-r0" : "er-tr0"
	} else {
		ports = place == "net" ? "sl-sr" : "sr-r0"
	}
}

# Max-min shares: the fuller of the two ports decides for its flows; the others have the rest.
function shares(    left, core, thr, nt, rt, c, s) {
	thr = members["through"] + 0
	nt = members["net"] + 0
	rt = members["right"] + 0
	core = core_bps - (place == "net" || place == "both" || haul ? mice_bps : 0)
	left = C - mice_bps
	if (haul || place != "both") {
		for (c = 0; c < M; c++)
			share[c] = (C - mice_bps) / M
		return
	}
	if (core / (thr + nt) <= left / (thr + rt)) {
		s = core / (thr + nt)
		for (c = 0; c < M; c++)
			share[c] = kinds[c] == "right" ? (left - thr * s) / rt : s
	} else {
		s = left / (thr + rt)
		for (c = 0; c < M; c++)
			share[c] = kinds[c] == "net" ? (core - thr * s) / nt : s
	}
}

# period() - the algorithm's slow period
function period() {
	if (algo == "dcqcn" || algo == "dart" || algo == "mercury")
		return preset == "preset=mlx5" ? 300000 : 55000		# rpg_time_reset
	if (algo == "timely")
		return T + t_high()
	if (haul)
		return long_rtt + long_rtt / 10				# 2 D + T
	return T
}

# 500 us at a base RTT of 20 us, scaled
function t_high() { return 25 * T }

function eta_of() {
	return algo ~ /^hpcc/ || algo == "rcc" ? 0.95 : 1
}

# The part of its share that a flow must have. least: the smallest share, of a queue pair.
function part_of() {
	if (algo ~ /^hpcc/ && (place == "both" || least * T / 8e9 < p))
		return 0.01
	if (algo == "timely" || preset == "preset=mlx5" || algo == "lscc")
		return 0.01
	return algo == "rcc" && place != "last" ? 0.01 : 0.1
}

# bound() - the mean queue that the algorithm allows, bytes. Each sender has a packet in it
# at most beside that, and each mouse one of its own.
function bound(    bdp, each, ramp) {
	bdp = C * T / 8e9
	each = (n + mice) * p
	# What DCQCN's senders bring after the queue has reached the end of the ramp, where
	# each packet is marked: a CNP within np_min_time_between_cnps, and T until it is felt.
	# All flows together send at most 2 C then, as each has what made C when it was cut last
	# and gained R_AI since: so C for that time.
	ramp = 4 * kmin + C * (T + (preset == "preset=mlx5" ? 4000 : 50000)) / 8e9
	if (algo == "fixed")		# periodic packets meet each other
		return each
	if (algo ~ /^hpcc/ && !haul)	# a queue of one BDP is U = 2: W halves in a round trip
		return bdp + 2 * each
	# From the end of the ramp on each packet is marked, and a round trip later W goes down. Until
	# then each flow adds a packet, and none goes below two.
	if (algo == "dctcp")
		return 4 * kmin + bdp + 3 * each
	# The same, but each flow adds fi packets of a network of 150 KB, which is a few at most, until
	# W goes down, and from one packet on it does not.
	if (algo == "nscc")
		return 4 * kmin + bdp + (2 + 5 * fast * T / 8e9 / 150000) * each
	if (algo == "powertcp")
		return power_bound(bdp) + 2 * each
	if (algo == "swift")		# the target: 1/4, and 5 T for the smallest windows
		return 5.25 * bdp + 2 * each
	if (algo == "timely")		# above t_high every update reduces the rate
		return C * t_high() / 8e9 + bdp + each
	if (algo == "rcc")		# the windows of the last hop are eta BDP; PID begins at delta T
		return 0.2 * bdp + 2 * each
	# Rates of n add up to C: what all sent until each knew of n stays. The first packets of all
	# leave the port one after another, and each flow is told of those before it. With the
	# second, after 2 n p / C, it knows all. Hosts send at their line until then.
	if (algo == "dart")
		return ramp + min(n, H) * (bdp + 2 * n * p) + each
	if (algo == "dcqcn" || algo == "mercury")
		return ramp + each
	# 4 kmin of them are above X_off in longhaul: 300 KB of each ingress port then.
	# LSCC: Qref, and what R is too high by, dR a period for 2 D + T: 11 times C / 200 in 11
	# tenths of 2 D is 3 % of what the link holds in 2 D, less than Qref. The receiver's port has
	# its own ramp.
	return 2 * qref + ramp + 2 * each
}

# Each flow keeps beta, a tenth of what its host's line carries in T. Nothing but the rate holds
# READ responses: then W / T of N flows add up to C, and with W (1 - 1 / P) = beta the power P is
# 1 / (1 - x), the queue x / (1 - x) BDP, where x is N beta / BDP. From x = 1 on there is none.
function power_bound(bdp,    x) {
	x = (place == "both" && n > 2 ? ceil(n * 2 / 3) : n) / 10 * fast / C
	if (op == "read" && x < 1)
		return x / (1 - x) * bdp
	# theta hears of a queue a round trip late, in which W has grown by as much again.
	return (preset ~ /theta/ ? 2 : 1) * x * bdp
}

function rest(    i, word) {
	for (i = 15; i <= NF; i++) {
		word = $i
		if (sub(/^cc:/, "", word))
			cc = cc ":" word
		else if (sub(/^set:/, "", word))
			late_sets = late_sets " --set " word
		else if (sub(/^knob:/, "", word))
			late_sets = late_sets " --knob " word
		else
			extra[substr(word, 1, index(word, "=") - 1)] = substr(word, index(word, "=") + 1) + 0
	}
}

function network() {
	# One sender alone, or one of each kind: its link must not be what limits it.
	fast = M == 1 || (place == "net" && H == 1) ? 2 * C : C
	core_bps = place == "last" ? min(2 * C, 800e9) : place == "both" && M == 2 ? C / 2 : C
	delay = "delay" in extra ? extra["delay"] : C > 100e9 ? 500 : 1000
	set("delay", delay "ns")
	if (haul) {
		long_rtt = 40000
		senders = min(M, 16)
		T = long_rtt + 10 * delay + 6 * ns(p, C)
		qref = max(C * long_rtt / 8e9 * 0.04, 20 * p)
		set("n", 2 * senders)
		set("host_rate", place == "net" ? 2 * C : C)
		set("rate", place == "last" ? 2 * C : C)
		set("long_rate", min(4 * C, 800e9))
		set("long_delay", long_rtt / 2 "ns")
		set("lscc_period", long_rtt / 10 "ns")
		set("lscc_qref", int(qref))
		set("lscc_step", int(max(C / 200, 1)))
		set("lscc_min", int(max(C / 2000, 1e6)))
		return
	}
	T = 6 * delay + ns(p, fast) + ns(p, core_bps) + ns(p, C) + \
	    ns(86, fast) + ns(86, core_bps) + ns(86, C)
	set("n", max(H + (place == "both"), H + mice))
	set("rate", fast)
	set("core_rate", core_bps)
	set("right_rate", place == "net" && fast > C ? fast : C)
}

BEGIN { READS = 16 }		# flowgen's max_rd_atomic
/^#/ { next }
{
	sets = late_sets = ""
	split("", extra); split("", members); split("", kinds); split("", share)
	algo = $1; id = $2; preset = $3; C = $4 * 1e9; mtu = $5; msg = $6; n = $7; place = $8
	qp = $9; op = $10; pfc = $11; mice = $12; rtt = $13; clock = $14
	haul = algo == "lscc" || algo == "hpccstar"
	cc = algo
	if (preset != "default" && preset != "share")
		cc = cc ":" preset
	rest()
	p = mtu + 106
	# With mice queue pairs are kept, so a flow has one of its own if its hosts have no other.
	shared = qp == "pair"
	keep = shared || mice > 0
	M = shared ? ceil(n / 2) : n
	H = keep ? M : min(M, 12)
	if ("hosts" in extra)
		H = extra["hosts"]
	network()
	P = period()
	bdp = C * T / 8e9 / p
	W = max(max(200 * T, 20 * P), 40 * max(n, 1) * ns(p, C))
	# Each packet raises the rate by delta, a thousandth of the line, and the floor is as low:
	# from there to the line it takes ln(1000) p / delta.
	if (algo == "timely")
		W = max(W, 7000 * ns(p, C))
	if ("window" in extra)
		W = max(W, extra["window"])
	sample = ceil(W / 40)
	W = 40 * sample
	stop = 4 * W + sample

	kmin = 40000 * C / 10e9
	if (haul)			# below X_off, else PFC acts before ECN
		kmin = min(kmin, 160000)
	# Without control the queue must become longer than the bound: so much is outstanding.
	# More would have to be sent after the flows were stopped.
	outstanding = 2 * (bdp * p + bound())

	# Messages. What the generator counts goes in steps of one. A queue pair has READS READs
	# under way at most, so theirs must be long enough.
	steps = keep || op == "read"
	k = "k" in extra ? extra["k"] : steps ? 4 : 8
	messages = msg == "mixed" ? 2 : 1
	if (op == "read")
		k = max(k, ceil(messages * outstanding / M / READS / p))
	chunk = k * mtu + (msg == "odd")
	set("chunk", chunk)
	# Wire bytes of a message, and of its payload; of two messages, where they are mixed.
	unit = chunk + ceil(chunk / mtu) * 82 + 16
	payload = chunk
	if (msg == "mixed") {
		set("alternate", int(mtu / 3))
		unit += int(mtu / 3) + 98
		payload += int(mtu / 3)
	}
	if (msg == "first")
		set("first", 1)
	# rates.csv has payload.
	scale = unit / payload

	# A mouse: 64 bytes, as often as the receiver forgets, but a tenth of the link at most.
	mouse_ns = mice ? max(max(T, stop / 700), mice * ns(162, 0.1 * C)) : 0
	mice_bps = mice ? mice * 162 * 8e9 / mouse_ns : 0
	channels()
	shares()

	depth = max(3, ceil(2 * bdp / k) + 1)
	depth = min(4096, max(depth, ceil(messages * outstanding / n / unit)))
	set("depth", depth)
	set("kmin", int(kmin))
	set("mtu", mtu)
	set("op", op)
	set("pfc", pfc)
	set("buffer", M > 60 ? "128mb" : "32mb")
	if (haul)
		set("buffer", "400mb")
	set("qp", keep ? "pair" : "flow")
	set("series", "on")
	set("series_flows", n)
	set("stop", stop "ns")
	set("sample", sample "ns")
	set("window_from", W "ns")
	set("window_to", 4 * W "ns")
	set("watch", "all")
	if (rtt == "measured")
		knob("base_rtt", "0")
	if (clock == "apart")
		knob("clock_common", "off")
	least = 1e30
	for (c = 0; c < M; c++)
		least = min(least, share[c])
	if (algo == "fixed")
		cc = sprintf("fixed:rate=%.0f", 0.95 * least)
	finite = 4 * chunk + 1
	burst = n * (depth * unit + 5 * unit)
	limit = stop + 10 * T + 10 * ns(burst, C) + 20 * P + 140e6
	set("limit", int(limit) "ns")

	if (dir != "") {
		file = dir "/flows.csv"
		print "id,src,dst,bytes,start_ns" >file
		for (i = 0; i < n; i++) {
			printf "%d,%s,%s,0,0\n", i, src[i % M], dst[i % M] >file
			alone = !shared || n == 1 || (n % 2 && i % M == M - 1)
			printf "%d %.0f\n", i, share[i % M] / (alone ? 1 : 2) >(dir "/shares")
		}
		for (t = 0; mice && t * mouse_ns / mice < stop - sample; t++) {
			host = haul ? "s" 2 * (t % min(mice, senders)) + 1 : "l" H + t % mice
			printf "%d,%s,r0,64,%.0f\n", i++, host, t * mouse_ns / mice >file
		}
		for (c = 0; c < n; c++)
			printf "%d,%s,%s,%d,%.0f\n", i++, src[c % M], dst[c % M], finite, stop + 10 * T >file
		close(file)
		close(dir "/shares")
	}
	hops = haul ? 10 : 6
	cost = 4 * W * C / 8e9 / p * hops * 3e-6 + 4 * W * C / 8e9 / p / k * 80e-6 + \
	       (mice ? mice * stop / mouse_ns * 200e-6 : 0) + (2 * (H + mice)) * 5e-3 + n * 1e-3 + 0.8
	if (costs) {
		print cost, $0
		next
	}
	out("cc", cc)
	out("scenario", haul ? "longhaul" : "dumbbell")
	out("sets", sets late_sets)
	out("T_ns", int(T))
	out("P_ns", int(P))
	out("W_ns", W)
	out("sample_ns", sample)
	out("n", n)
	out("mice", mice)
	out("eta", eta_of())
	out("part", part_of())
	out("steps", steps)
	out("unit", steps ? unit : p)
	out("packet", p)
	out("scale", scale)
	out("ports", ports)
	out("queue_bound", int(bound()))
	out("queue_from", algo ~ /^(dcqcn|dctcp|nscc|dart|mercury|lscc)$/ ? int(kmin) : 0)
	out("pfc", pfc)
	out("cost", sprintf("%.1f", cost))
}
