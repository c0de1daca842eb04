# SPDX-License-Identifier: GPL-2.0
#
# Rows of starve.sh for one algorithm: a pairwise covering array, so that any two settings
# of any two factors meet in a row at least.
#	awk -v algo=NAME -v presets="A B" -v haul=0 -f starve_covering_array.awk
# presets	settings of the algorithm that its page recommends, the factor "preset"
# haul		1: scenario longhaul
# A row:	algo number preset rate mtu msg n place qp op pfc mice rtt clock
# A pair of settings that no row may have:	# algo excluded FACTOR=SETTING FACTOR=SETTING: WHY
#
# Greedy: a row begins with a pair that is missing; each other factor, in random order, gets
# the setting that covers the most missing pairs with those that the row has. The best of
# TRIES such rows is taken. Random numbers are those of a generator of 31 bits (multiplier
# 16807) with a seed of its own: every awk makes the same rows.

function rnd(n) { seed = seed * 16807 % 2147483647; return seed % n }

function factor(name, settings) {
	names[++F] = name
	count[F] = split(settings, word, " ")
	for (s = 1; s <= count[F]; s++)
		value[F, s] = word[s]
}

# dcqcn_floor() - what DCQCN gives a flow all of whose packets are marked, bit/s
#
# It has a CNP for each packet, so one in tau = p / R, and a cut of alpha / 2; and an increase
# of R_AI each rpg_time_reset. These balance at R = sqrt(p R_AI / (time_reset alpha / 2)), with p
# the packet's bits and alpha what it is just after the CNPs of a period tau:
# g / (1 - (1 - g)^(tau / alpha's period + 1)). preset mlx5 has 5 Mbit/s at any line rate.
function dcqcn_floor(rate, mtu, mlx5,    bits, ai, time, g, period, r, alpha, i) {
	bits = (mtu + 106) * 8
	ai = mlx5 ? 5e6 : rate * 1e6
	time = mlx5 ? 300e-6 : 55e-6
	g = mlx5 ? 5 / 1024 : 1 / 256
	period = mlx5 ? 1e-6 : 55e-6
	r = rate * 1e7
	for (i = 0; i < 100; i++) {
		alpha = g / (1 - exp(log(1 - g) * (bits / r / period + 1)))
		r = sqrt(r * sqrt(bits * ai / (time * alpha / 2)))
	}
	return r
}

function is(row, name) { return row[at[name]] ? value[at[name], row[at[name]]] : "" }

# excluded() - why no row may be so, if what it has so far decides that; "" otherwise
function excluded(row,    n, rate, mtu, preset, flows, floor) {
	n = is(row, "n"); rate = is(row, "rate"); mtu = is(row, "mtu"); preset = is(row, "preset")
	# Arithmetic: rates at their floors are more than the line.
	if (algo == "timely" && n && rate && n * 0.001 > 1)
		return n " flows at min_rate are more than the line"
	# Dart's senders to one receiver have its share of them.
	if (algo ~ /^(dcqcn|dart|mercury|lscc)$/ && n && rate && mtu && preset && is(row, "place") &&
	    !(algo == "dart" && is(row, "place") == "last")) {
		flows = is(row, "place") == "both" && !haul && n > 2 ? n * 2 / 3 : n
		floor = dcqcn_floor(rate, mtu, preset ~ /mlx5/ || algo == "lscc")
		if (flows * floor > rate * 1e9)
			return sprintf("%d flows, each of whose packets is marked, have %.0f Mbit/s each",
				       flows, floor / 1e6)
	}
	if (haul && n == 2 && is(row, "qp") == "pair")
		return "one sender cannot congest the receivers' rack"
	return ""
}

function gain(row, f, s,    g, k) {
	for (k = 1; k <= F; k++)
		if (k != f && row[k] && missing[key(f, s, k, row[k])])
			g++
	return g + 0
}

function key(f, s, k, t) { return f < k ? f SUBSEP s SUBSEP k SUBSEP t : k SUBSEP t SUBSEP f SUBSEP s }

# fill() - the other factors of a row; returns how many missing pairs it covers, 0 if it cannot be
function fill(row,    order, i, j, t, f, s, g, best, most, total, off) {
	for (i = 1; i <= F; i++)
		order[i] = i
	for (i = F; i > 1; i--) {
		j = rnd(i) + 1
		t = order[i]; order[i] = order[j]; order[j] = t
	}
	total = 1
	for (i = 1; i <= F; i++) {
		f = order[i]
		if (row[f])
			continue
		best = 0
		off = rnd(count[f])
		for (j = 0; j < count[f]; j++) {
			s = (j + off) % count[f] + 1
			row[f] = s
			excluded_why = excluded(row)
			g = excluded_why == "" ? gain(row, f, s) : -1
			row[f] = 0
			if (g < 0)
				last_why = excluded_why
			if (g >= 0 && (!best || g > most)) {
				best = s
				most = g
			}
		}
		if (!best)
			return 0
		row[f] = best
		total += most
	}
	return total
}

function next_pair(    k) {
	for (; pair <= pairs; pair++)
		if (missing[list[pair]])
			return list[pair]
	return ""
}

function cover(row,    f, k, key_) {
	for (f = 1; f < F; f++)
		for (k = f + 1; k <= F; k++)
			missing[key(f, row[f], k, row[k])] = 0
}

function show(row,    f) {
	printf "%s %d", algo, ++rows
	for (f = 1; f <= F; f++)
		printf " %s", value[f, row[f]]
	printf "\n"
}

BEGIN {
	TRIES = 12
	seed = 20260728
	factor("preset", presets)
	factor("rate", "10 100 1 25 400 40")
	factor("mtu", "1024 4096")
	factor("msg", "odd first even mixed")
	factor("n", haul ? "2 12 6 60 140" : "2 12 6 60 1 140")
	factor("place", "last net both")
	factor("qp", "flow pair")
	factor("op", "write read send")
	factor("pfc", haul ? "on" : "off on")
	factor("mice", "0 16 1")
	factor("rtt", "told measured")
	factor("clock", "common apart")
	for (f = 1; f <= F; f++)
		at[names[f]] = f
	if (haul) {
		print "# " algo " excluded pfc=off: LSCC needs PFC"
		print "# " algo " excluded n=1: one sender cannot congest the receivers' rack"
	}
	for (f = 1; f < F; f++)
		for (k = f + 1; k <= F; k++)
			for (s = 1; s <= count[f]; s++)
				for (t = 1; t <= count[k]; t++) {
					list[++pairs] = key(f, s, k, t)
					missing[list[pairs]] = 1
				}
	pair = 1
	while ((now = next_pair()) != "") {
		split(now, part, SUBSEP)
		top = 0
		for (try = 0; try < TRIES; try++) {
			for (f = 1; f <= F; f++)
				row[f] = 0
			row[part[1]] = part[2]
			row[part[3]] = part[4]
			why = excluded(row)
			total = why == "" ? fill(row) : 0
			if (total > top) {
				top = total
				for (f = 1; f <= F; f++)
					chosen[f] = row[f]
			}
		}
		if (!top) {
			printf "# %s excluded %s=%s %s=%s: %s\n", algo, names[part[1]],
			       value[part[1], part[2]], names[part[3]], value[part[3], part[4]],
			       why == "" ? "with any other setting, as " last_why : why
			missing[now] = 0
			continue
		}
		cover(chosen)
		show(chosen)
	}
}
