#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a scenario of one's own is a file anywhere: every command takes it; a network that cannot
#   be built is refused before anything runs
#
# A scenario of one's own is a file anywhere: every command takes it, results go by its name,
# and a network that the lab cannot build is refused before anything runs.
. "$(dirname "$0")/../lib/lab_lib.sh"

own=$LAB_OUT/mine/own.json
mkdir -p "$LAB_OUT/mine/sub" "$LAB_OUT/tmp"

# net FILE LINKS [FLOW]: hosts a, b, c; switches s, t
net() {
	cat >"$1" <<-END
		{ "help": "a test",
		  "hosts": [ { "name": "a" }, { "name": "b" } ], "switches": [ { "name": "s" }, { "name": "t" } ],
		  "links": [ $2 ], "flows": [ ${3:-"{ \"src\": \"a\", \"dst\": \"b\", \"bytes\": \"64kb\" }"} ] }
	END
}

# link A B...: the links of a network
link() {
	local sep=
	while [ $# -gt 0 ]; do
		printf '%s{ "a": "%s", "b": "%s" }' "$sep" "$1" "$2"
		sep=', '
		shift 2
	done
}

# Somewhere else than where the lab is, by a relative path, and without "./".
runs() {
	net "$own" "$(link a s b t s t)"
	(cd "$LAB_OUT/mine/sub" && LAB_DIR=$LAB_OUT/r lab_run ../own.json --mem 256) &&
		(cd "$LAB_OUT/mine" && LAB_DIR=$LAB_OUT/again lab_run own.json --mem 256) || return 1
	[ "$(lab_get own/none/1 '[.scenario, .flows.completed] | tostring')" = '["own",1]' ] &&
		cmp "$LAB_OUT/r/own/none/seed1/summary.json" "$LAB_OUT/again/own/none/seed1/summary.json"
}

# run.json says it again, from everywhere.
made_again() {
	local words
	mapfile -t words < <(jq -r '.command[1:][]' "$LAB_OUT/r/own/none/seed1/run.json")
	(cd / && "$LAB" "${words[@]}" --out "$LAB_OUT/command" >"$LAB_OUT/out" 2>&1) ||
		{ cat "$LAB_OUT/out"; return 1; }
	cmp "$LAB_OUT/r/own/none/seed1/summary.json" "$LAB_OUT/command/own/none/seed1/summary.json"
}

others() {
	cd "$LAB_OUT/mine" || return 1
	"$LAB" list ./own.json | grep -qx 'own: a test' && "$LAB" flows ./own.json | grep -q '^own: 2 hosts, 1 flows' &&
		"$LAB" run ./own.json --dry-run --mem 256 | grep -q '^own: hosts 2, switches 2' || return 1
	[ "$(echo 'ip netns list | sort | xargs' | "$LAB" shell ./own.json --mem 256)" = "a b s t" ] || return 1
	"$LAB" sweep ./own.json --dry-run --set mtu=1024,4096 >"$LAB_OUT/out" 2>&1 &&
		[ "$(grep -c " './own.json' " "$LAB_OUT/out")" -eq 2 ] || { cat "$LAB_OUT/out"; return 1; }
}

# Its results are those of that network: keys and knobs are the same.
changed() {
	net "$own" "$(link a s b t s t)" '{ "src": "a", "dst": "b", "bytes": "128kb" }'
	ends 1 "$LAB" run "$own" --mem 256 --out "$LAB_OUT/r" || return 1
	grep -q "another network" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	lab_run "$own" --mem 256 --force
}

# refused TEXT FILE [OPTION]...: status 2 and one line, of run, of its check, and of flows; nothing is left
refused() {
	local c
	for c in "run --mem 256 --out $LAB_OUT/n" "run --mem 256 --dry-run" flows; do
		# shellcheck disable=SC2086 # words
		TMPDIR=$LAB_OUT/tmp ends 2 "$LAB" $c "$2" "${@:3}" && nothing_left "$LAB_OUT/n" || return 1
		[ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] && grep -qF -- "$1" "$LAB_OUT/err" ||
			{ echo "$c: wanted: $1"; cat "$LAB_OUT/err"; return 1; }
	done
}

names() {
	local f=$LAB_OUT/mine/incast.json
	cp "$own" "$f" && refused '"incast" is a scenario of the lab' "$f" &&
		jq '.name = "my-own_1.b"' "$own" >"$f" && "$LAB" flows "$f" | grep -q '^my-own_1.b: ' || return 1
	for n in a/b ../x .hidden '' 'a b'; do
		jq --arg n "$n" '.name = $n' "$own" >"$f" && refused "name \"$n\": not 1 to 64 letters" "$f" || return 1
	done
	refused "/none.json: No such file" "$LAB_OUT/mine/none.json" &&
		"$LAB" flows "$RXE_CC_TOP/tools/lab/scenarios/incast.json" --set n=2 | grep -q '^incast: 3 hosts'
}

# One device and one address for a host; one port for a neighbour.
networks() {
	local f=$LAB_OUT/mine/bad.json
	net "$f" "$(link a s b s a t s t)" && refused 'host a has 2 links' "$f" &&
		jq '.defaults = { "fabric": "router" }' "$f" >"$f.r" && refused 'host a has 2 links' "$f.r" &&
		net "$f" "$(link a s b t s t t s)" && refused 'nodes t and s are linked twice' "$f" &&
		net "$f" "$(link a s b t s t t t)" && refused 'node t is linked to itself' "$f" &&
		net "$f" "$(link a s b s)" && refused 'node t has no link' "$f" &&
		net "$f" "$(link a s b t s t)" '{ "src": "a", "dst": "a" }' && refused 'a flow from a to itself' "$f"
}

kinds() {
	local f=$LAB_OUT/mine/kind.json k
	for k in keys require hosts switches links include flows latency bottleneck; do
		jq --arg k "$k" '.[$k] = 5' "$own" >"$f" && refused "$k: not a list" "$f" || return 1
	done
	for k in defaults let fixed; do
		jq --arg k "$k" '.[$k] = 5' "$own" >"$f" && refused "$k: not an object" "$f" || return 1
	done
	echo '[ 1 ]' >"$f" && refused "not a JSON object" "$f"
}

# The network in a file of its own, beside the scenario's: of a simulator, or JSON; or in the scenario.
# What it is called, and what its links are, is the same; another network is another hash.
network() {
	local d=$LAB_OUT/mine/net hash
	mkdir -p "$d" && printf '%s\n' '3 1 2' 2 '0 2 40Gbps 1us 0' '1 2 10Gbps 1us 0' >"$d/net.txt"
	echo '{ "topology": "net.txt", "flows": [ { "src": "h0", "dst": "h1", "bytes": "64kb" } ] }' >"$d/a.json"
	(cd "$LAB_OUT" && LAB_DIR=$LAB_OUT/n1 lab_run mine/net/a.json --mem 256) || return
	hash=$(LAB_DIR=$LAB_OUT/n1 lab_get a/none/1 .scenario_hash)
	refused "cannot be set in scenario a: each link has its own" "$d/a.json" --set rate=1gbit || return

	echo '{ "hosts": [ { "name": "h0" }, { "name": "h1" } ], "switches": [ { "name": "s2" } ], "flows": [ { "src": "x" } ],
		"defaults": { "fabric": "router", "rate": "40gbit" },
		"links": [ { "a": "h0", "b": "s2" }, { "a": "h1", "b": "s2", "rate": "10gbit" } ] }' >"$d/net.json"
	jq '.topology = "./net.json"' "$d/a.json" >"$d/b.json" && LAB_DIR=$LAB_OUT/n2 lab_run "$d/b.json" --mem 256 &&
		jq --slurpfile n "$d/net.json" '.topology = $n[0]' "$d/a.json" >"$d/c.json" &&
		LAB_DIR=$LAB_OUT/n3 lab_run "$d/c.json" --mem 256 &&
		cmp "$LAB_OUT"/{n1/a,n2/b}/none/seed1/flows.csv && cmp "$LAB_OUT"/{n1/a,n3/c}/none/seed1/flows.csv || return

	sed -i 's/10Gbps 1us 0/10Gbps 1us 0.000001/' "$d/net.txt"
	ends 1 "$LAB" run "$d/a.json" --mem 256 --out "$LAB_OUT/n1" && grep -q "another network" "$LAB_OUT/err" &&
		LAB_DIR=$LAB_OUT/n1 lab_run "$d/a.json" --mem 256 --force &&
		[ "$(LAB_DIR=$LAB_OUT/n1 lab_get a/none/1 .scenario_hash)" != "$hash" ] || { cat "$LAB_OUT/err"; return 1; }
	rm "$d/net.txt" && refused "net.txt: No such file" "$d/a.json" &&
		jq '.topology = 5' "$d/a.json" >"$d/d.json" && refused "topology: neither a name nor a network" "$d/d.json" &&
		jq '.topology = { "links": 5 }' "$d/a.json" >"$d/d.json" && refused "links: not a list" "$d/d.json"
}

ktap_print_header
ktap_check "a file outside the checkout runs, by a relative path" runs
ktap_check "run.json has the command that makes it again, from everywhere" made_again
ktap_check "list, flows, --dry-run, shell and sweep take it" others
ktap_check "results of another network of that name are not overwritten" changed
ktap_check "a network in a file of its own, or in the scenario" network
ktap_check "names: not one of the lab's, and one that a directory can have" names
ktap_check "a network that cannot be built is refused before, by the name of the node" networks
ktap_check "members of the wrong kind are refused" kinds
ktap_finished
