# SPDX-License-Identifier: GPL-2.0
#
# Rows of starve.sh for one algorithm: a pairwise covering array, so that any two settings
# of any two factors meet in a row at least.
#	awk -v algo=NAME -v presets="A B" -v haul=0 -v floor=BPS -f starve_rows.awk
# presets	settings of the algorithm that its page recommends, the factor "preset"
# haul		1: scenario longhaul
# floor		bit/s at 10 Gbit/s that a flow of each preset has at least, see excluded()
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

# excluded() - why no row may be so, if what it has so far decides that; "" otherwise
function excluded(row,    n, rate, p) {
	n = row[at["n"]] ? value[at["n"], row[at["n"]]] : 0
	rate = row[at["rate"]] ? value[at["rate"], row[at["rate"]]] : 0
	p = row[at["preset"]]
	# Arithmetic: rates at their floors are more than the line.
	if (n && rate && p && n * floors[p] * rate / 10 > rate * 1e9)
		return n " flows at their floor are more than the line"
	# The rack of one sender has the rate of the receiver's rack: nothing is congested there.
	if (haul && n == 1 && row[at["place"]] && value[at["place"], row[at["place"]]] != "net")
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
			g = excluded(row) == "" ? gain(row, f, s) : -1
			row[f] = 0
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
	factor("n", "2 12 6 60 1 140")
	factor("place", "last net both")
	factor("qp", "flow pair")
	factor("op", "write read send")
	factor("pfc", "off on")
	factor("mice", "0 16 1")
	factor("rtt", "told measured")
	factor("clock", "common apart")
	split(floor, floors, " ")
	for (f = 1; f <= F; f++)
		at[names[f]] = f
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
			       value[part[1], part[2]], names[part[3]], value[part[3], part[4]], why
			missing[now] = 0
			continue
		}
		cover(chosen)
		show(chosen)
	}
}
