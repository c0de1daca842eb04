// SPDX-License-Identifier: GPL-2.0
/*
 * Topologies, routes and the completion time of a flow alone, against values
 * added up by hand. A packet of 1024 bytes at 100 Gbit/s is 1106 wire bytes or
 * 88.48 ns, with the RETH of a WRITE 1122 or 89.76; an ACK is 86 or 6.88 ns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "lab.h"

static struct plan *plan_of(const char *scenario, const char *const *sets)
{
	struct scenario *sc = scenario_load(scenario);
	struct plan *p = NULL;

	for (; sc && *sets; sets++)
		if (scenario_set(sc, *sets))
			return NULL;
	if (!sc || plan_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	return p;
}

#define PLAN(scenario, ...) plan_of(scenario, (const char *const[]){ __VA_ARGS__, NULL })

static void done(struct plan *p)
{
	struct scenario *sc = p->sc;

	plan_free(p);
	scenario_free(sc);
}

static void test_fct(void)
{
	static const struct {
		const char *size, *op, *mtu, *delay;
		int64_t fct_ns;
	} flows[] = {
		/* 2 (89.76 + 1000) there, 2 (6.88 + 1000) back */
		{ "size=1024", "op=write", "mtu=1024", "delay=1us", 4193 },
		/* 2 (88.48 + 1000) + 2013.76 */
		{ "size=1024", "op=send", "mtu=1024", "delay=1us", 4191 },
		/* a request of 98 bytes, 7.84 ns, there; 1110 bytes, 88.8 ns, back */
		{ "size=1024", "op=read", "mtu=1024", "delay=1us", 4193 },
		/* the second, 558 bytes or 44.64 ns, waits for the first at the switch */
		{ "size=1500", "op=write", "mtu=1024", "delay=1us", 4238 },
		/* 1 byte: 99 wire bytes, 7.92 ns */
		{ "size=1", "op=write", "mtu=1024", "delay=1us", 4030 },
		/* 2 (4194 bytes: 335.52 + 500) + 2 (6.88 + 500) */
		{ "size=4096", "op=write", "mtu=4096", "delay=500ns", 2685 },
	};
	struct plan *p;
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flows); i++) {
		p = PLAN("two", flows[i].size, flows[i].op, flows[i].mtu, flows[i].delay);
		snprintf(name, sizeof(name), "ideal__%s_%s_%s", flows[i].size, flows[i].op,
			 flows[i].delay);
		if (!ktap(p && p->n_flows == 1, name, "no plan"))
			continue;
		ktap(wire_ideal_fct_ns(p, &p->flows[0]) == flows[i].fct_ns, name,
		     "got %lld, wanted %lld", (long long)wire_ideal_fct_ns(p, &p->flows[0]),
		     (long long)flows[i].fct_ns);
		done(p);
	}
}

/* 64 packets: the last one leaves 63 * 88.48 later than the first, whatever the hops. */
static void test_fct_long(void)
{
	struct plan *p = PLAN("two", "size=64kb", "op=send");
	int64_t fct;

	if (!ktap(p, "ideal__64_packets_plan", "no plan"))
		return;
	fct = wire_ideal_fct_ns(p, &p->flows[0]);
	/* 64 * 88.48 + 88.48 + 2000 + 2013.76 */
	ktap(fct == 9765, "ideal__64_packets", "got %lld", (long long)fct);
	done(p);
}

static void test_wire(void)
{
	ktap(wire_ns(1106, 100000000000LL) == 88 && wire_ns(82, 100000000000LL) == 7 &&
	     wire_ns(1, 1000000) == 8000 && wire_ns(0, 1) == 0, "wire_ns", "wrong");
}

static void test_fattree(void)
{
	struct plan *p = PLAN("fattree", "k=4");
	int links[16], a, b, i, n = 0, hops[8] = {};

	if (!ktap(p && p->n_hosts == 16 && p->n_nodes == 36 && p->n_links == 48, "fattree__size",
		  "%d hosts, %d nodes, %d links", p ? p->n_hosts : 0, p ? p->n_nodes : 0,
		  p ? p->n_links : 0))
		return;
	/* Each host has 1 other at its edge switch, 2 more in its pod, 12 elsewhere. */
	for (a = 0; a < p->n_nodes; a++) {
		for (b = 0; p->nodes[a].host && b < p->n_nodes; b++) {
			if (a == b || !p->nodes[b].host)
				continue;
			i = plan_hops(p, a, b);
			hops[i < 8 && i > 0 ? i : 0]++;
			n += plan_path(p, a, b, WAY_BY_RATE, links) == i;
		}
	}
	ktap(hops[2] == 16 && hops[4] == 32 && hops[6] == 192 && n == 240, "fattree__hops",
	     "%d %d %d, %d paths", hops[2], hops[4], hops[6], n);
	ktap(p->max_hops == 6, "fattree__max_hops", "%d", p->max_hops);
	done(p);
}

/* Links of a path join, from the source to the destination. */
static void test_path(void)
{
	struct plan *p = PLAN("dumbbell", "n=3");
	int links[16], hops, at, i, l0, r0;
	const struct lab_link *l;

	if (!ktap(p, "dumbbell__plan", "no plan"))
		return;
	l0 = plan_find_node(p, "l0");
	r0 = plan_find_node(p, "r0");
	hops = plan_sole_path(p, l0, r0, links);
	for (at = l0, i = 0; i < hops; i++) {
		l = &p->links[links[i]];
		at = at == l->a ? l->b : at == l->b ? l->a : -1;
	}
	ktap(hops == 3 && at == r0, "dumbbell__path", "%d links, ends at %d", hops, at);
	ktap(plan_hops(p, l0, plan_find_node(p, "l1")) == 2, "dumbbell__same_side", "%d",
	     plan_hops(p, l0, plan_find_node(p, "l1")));
	ktap(plan_find_node(p, "nobody") < 0, "plan_find_node__unknown", "found");
	ktap(p->n_flows == 3 && p->flows[1].bytes == 16 << 20, "dumbbell__flows", "%d flows",
	     p->n_flows);
	done(p);
}

/* Of what h0 sends to the last host, each switch gives equal parts to all ways. */
static void test_spread(void)
{
	struct plan *p = PLAN("fattree", "k=4");
	double *part, *share, sum = 0, most = 0;
	int i, src = -1, dst = -1, half = 0, quarter = 0, full = 0;

	if (!ktap(p, "spread__plan", "no plan"))
		return;
	for (i = 0; i < p->n_nodes; i++) {
		if (!p->nodes[i].host)
			continue;
		src = src < 0 ? i : src;
		dst = i;
	}
	part = xcalloc(p->n_nodes, sizeof(*part));
	share = xcalloc(2 * p->n_links, sizeof(*share));
	part[src] = 1;
	plan_spread_to(p, dst, part, share);
	for (i = 0; i < 2 * p->n_links; i++) {
		sum += share[i];
		most = share[i] > most ? share[i] : most;
		full += share[i] == 1;
		half += share[i] == 0.5;
		quarter += share[i] == 0.25;
	}
	ktap(full == 2 && half == 4 && quarter == 8 && sum == 6 && most == 1, "spread__fattree",
	     "%d whole, %d halves, %d quarters, sum %g", full, half, quarter, sum);
	free(part);
	free(share);
	done(p);
}

/*
 * Key "links": h0 and h1 are two spines apart. By s0 one of four links has 40 Gbit/s, by s1 two
 * have 5 us. 1106 bytes at 40 Gbit/s are 221.2 ns, 1122 224.4, 86 17.2.
 */
static void test_links(void)
{
	struct plan *p = PLAN("leafspine", "leaves=2", "per_leaf=1", "spines=2",
			      "links=s0-l0 rate 40gbit; *-s1 delay 5us");
	struct lab_flow f = {};
	int64_t rtt, fct[2];

	if (!ktap(p, "links__plan", "no plan"))
		return;
	f.src = plan_find_node(p, "h0");
	f.dst = plan_find_node(p, "h1");
	/* Longest: 2 (1 + 5 + 5 + 1) us + 4 (88.48 + 6.88) */
	rtt = wire_base_rtt_ns(p, f.src, f.dst);
	ktap(rtt == 24381 && p->base_rtt_ns == rtt, "links__base_rtt", "%d, %d", (int)rtt,
	     (int)p->base_rtt_ns);
	/* A packet by s0: 8 us + 3 (89.76 + 6.88) + 224.4 + 17.2 */
	f.bytes = 1024;
	fct[0] = wire_ideal_fct_ns(p, &f);
	ktap(fct[0] == 8532, "links__short_flow", "%d", (int)fct[0]);
	/*
	 * 102400 by s1, 1600 of them with a RETH: 24 us + 9062400 + 4 * 6.88, and 89.76 at each of
	 * three switches: what is behind a packet with a RETH waits for it there.
	 */
	f.bytes = 64 * 1024 * 1600;
	fct[1] = wire_ideal_fct_ns(p, &f);
	ktap(fct[1] == 9086697, "links__long_flow", "%d", (int)fct[1]);
	done(p);
}

/* Which names match: h0-l0 and h1-l1, and each leaf with two spines, in either order. */
static void test_link_names(void)
{
	static const struct {
		const char *pattern;
		int n;			/* links that it is about */
	} t[] = {
		{ "*", 6 }, { "**", 6 }, { "h?-l?", 2 }, { "l0-s0", 1 }, { "s0-l0", 1 },
		{ "*s0*", 2 }, { "*-l0", 3 }, { "?*-s1", 2 }, { "h*1-*l1", 1 }, { "*0-*0-*", 0 },
		{ "l0-s", 0 }, { "l0-s0?", 0 }, { "", 0 },
	};
	char *set, name[80];
	struct plan *p;
	size_t i;
	int k, n;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		set = xasprintf("links=%s delay 7us", t[i].pattern);
		p = PLAN("leafspine", "leaves=2", "per_leaf=1", "spines=2", set);
		for (k = 0, n = 0; p && k < p->n_links; k++)
			n += p->links[k].delay_ns == 7000;
		snprintf(name, sizeof(name), "links__%s", t[i].pattern);
		ktap(t[i].n ? p && n == t[i].n : !p, name, "%d links", n);
		if (p)
			done(p);
		free(set);
	}
}

int main(void)
{
	test_wire();
	test_fct();
	test_fct_long();
	test_fattree();
	test_path();
	test_spread();
	test_links();
	test_link_names();
	return ktap_end();
}
