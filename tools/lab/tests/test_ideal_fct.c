// SPDX-License-Identifier: GPL-2.0
/*
 * The completion time of a flow alone, against packets sent one by one: no rows, no
 * classes of hosts, no message that stands for all others. The sizes of packets are those of
 * Documentation/reference/int.md and wire-formats.md, in numbers.
 */
#include <stdio.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "scenario/wire_bytes_and_times.h"

#define HOPS_MAX	8

/* What an algorithm puts on the wire; @totals as labinit tells it. */
struct tele {
	const char *name, *totals;
	int fixed, hop, compact;	/* of a data packet; compact after the first ACK */
	int once;			/* and that, whatever the hops */
	int ack, compact_ack;		/* what an ACK is longer, beside its hops */
	bool ack_hops, every;		/* it has the hops; each packet asks for one */
};

static const struct tele teles[] = {
	{ .name = "nothing", .totals = "{}" },
	{ .name = "int", .totals = "{ \"needs\": 8 }", .fixed = 16, .hop = 32, .compact = 32,
	  .ack = 4, .compact_ack = 4, .ack_hops = true, .every = true },
	{ .name = "compact", .totals = "{ \"needs\": 8, \"params\": { \"int_profile\": \"1\" } }",
	  .fixed = 16, .hop = 32, .compact = 8, .ack = 4, .compact_ack = 8, .ack_hops = true,
	  .every = true },
	{ .name = "worst_hop", .totals = "{ \"needs\": 8, \"params\": { \"int_profile\": \"2\" } }",
	  .fixed = 16, .hop = 32, .once = 8, .ack = 4, .compact_ack = 12, .ack_hops = true,
	  .every = true },
	{ .name = "of_some_packets",
	  .totals = "{ \"needs\": 8, \"params\": { \"int_mode\": \"1\" } }" },
	{ .name = "at_the_receiver", .totals = "{ \"needs\": 8, \"params\": { \"rx\": \"1\" } }",
	  .fixed = 16, .hop = 32, .compact = 32 },
	{ .name = "told", .totals = "{ \"tells\": 3 }", .ack = 32, .compact_ack = 32,
	  .ack_hops = true },
	{ .name = "rcc", .totals = "{ \"needs\": 8, \"params\": { \"side\": \"0\" } }", .fixed = 24,
	  .ack = 24, .compact_ack = 24, .ack_hops = true, .every = true },
	{ .name = "rcc_sender", .totals = "{ \"needs\": 8, \"params\": { \"side\": \"1\" } }",
	  .ack = 68, .compact_ack = 68, .ack_hops = true, .every = true },
	{ .name = "rcc_few_acks",
	  .totals = "{ \"needs\": 8, \"params\": { \"side\": \"0\", \"acks\": \"0\" } }",
	  .fixed = 24, .ack = 24, .compact_ack = 24, .ack_hops = true },
};

struct way {
	int hops;
	int64_t rate[HOPS_MAX], delay_ps[HOPS_MAX];
};

static int64_t ps_of(int64_t bytes, int64_t rate)
{
	return (int64_t)(((__int128)bytes * 8000000000000LL + rate / 2) / rate);
}

/* An ACK from the receiver on, behind one that left at @before_ps unless that is -1. */
static int64_t back(const struct way *y, int64_t bytes, int64_t at_ps, int64_t before_ps)
{
	int64_t free_ps[HOPS_MAX] = {}, t = before_ps;
	int h;

	for (h = y->hops - 1; h >= 0 && before_ps >= 0; h--) {
		t += ps_of(bytes, y->rate[h]);
		free_ps[h] = t;
		t += y->delay_ps[h];
	}
	t = at_ps;
	for (h = y->hops - 1; h >= 0; h--) {
		if (t < free_ps[h])
			t = free_ps[h];
		t += ps_of(bytes, y->rate[h]) + y->delay_ps[h];
	}
	return t;
}

static int64_t ack_bytes(const struct way *y, const struct tele *e, bool full)
{
	int64_t bytes = 86;

	if (e->ack || e->every)
		bytes += full ? e->ack : e->compact_ack;
	if (e->ack && e->ack_hops)
		bytes += y->hops * (full ? e->hop : e->compact);
	return bytes;
}

/* Packets one by one. */
static int64_t fct_ns(const struct way *y, const struct tele *e, int64_t bytes, int64_t chunk,
		      int64_t mtu, char op)
{
	int64_t free_ps[HOPS_MAX] = {}, left = bytes, in_msg = 0, at = 0, before = -1;
	int64_t first_ack = -1, n = 0, ack, req = 0;
	bool full = true, acked = false;
	int h;

	do {
		int64_t msg = left + in_msg < chunk ? left + in_msg : chunk;
		int64_t pay = msg - in_msg, len;
		bool first = !in_msg, last;

		if (pay > mtu)
			pay = mtu;
		last = in_msg + pay == msg;
		len = pay + 82 + e->fixed + (first && op == 'w' ? 16 : 0) +
		      ((first || last) && op == 'r' ? 4 : 0);
		/* The sender knows what its peer understands when the first ACK is there. */
		full = first_ack < 0 || free_ps[0] < first_ack;
		len += full ? 0 : e->once;
		before = n ? at : -1;
		acked = n && (e->every || first);
		at = 0;
		for (h = 0; h < y->hops; h++) {
			len += full ? e->hop : e->compact;
			at = at > free_ps[h] ? at : free_ps[h];
			at += ps_of(len, y->rate[h]);
			free_ps[h] = at;
			at += y->delay_ps[h];
		}
		if (!n)
			first_ack = back(y, ack_bytes(y, e, true), at, -1);
		left -= pay;
		in_msg = last ? 0 : in_msg + pay;
		n++;
	} while (left > 0);
	if (op == 'r') {
		for (h = 0; h < y->hops; h++)
			req += ps_of(98, y->rate[h]) + y->delay_ps[h];
		return (at + req + 500) / 1000;
	}
	ack = ack_bytes(y, e, full);
	return (back(y, ack, at, acked ? before : -1) + 500) / 1000;
}

static struct plan *plan_of(const char *const *sets)
{
	struct scenario *sc = scenario_load("dumbbell");
	struct plan *p = NULL;

	for (; sc && *sets; sets++)
		if (scenario_set(sc, *sets))
			return NULL;
	if (!sc || plan_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	return p;
}

static struct way way_of(struct plan *p, const struct lab_flow *f)
{
	int links[64], hops = plan_path(p, f->src, f->dst, WAY_BY_RATE, links), h;
	struct way y = { .hops = hops };

	for (h = 0; h < hops; h++) {
		y.rate[h] = p->links[links[h]].rate_bps;
		y.delay_ps[h] = p->links[links[h]].delay_ns * 1000;
	}
	return y;
}

/* Of one network: every algorithm, and sizes about packets, messages and rows. */
static void test_plan(const char *what, struct plan *p, int64_t chunk, int64_t mtu, char op)
{
	const int64_t sizes[] = {
		1, mtu - 1, mtu, mtu + 1, 3 * mtu, chunk - 1, chunk, chunk + 1, chunk + mtu,
		2 * chunk, 3 * chunk - 1, 3 * chunk, 3 * chunk + 1, 7 * chunk + 2 * mtu + 5,
		20 * chunk,
	};
	struct lab_flow f = p->flows[0];
	struct way y = way_of(p, &f);
	char name[128];
	int64_t near, got_ns, want_ns;
	size_t i, k;

	for (k = 0; k < ARRAY_SIZE(teles); k++) {
		struct json_object *totals = json_tokener_parse(teles[k].totals);
		int bad = 0;
		int64_t got = 0, want = 0, size = 0;

		wire_telemetry(p, totals);
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			f.bytes = sizes[i];
			got_ns = wire_ideal_fct_ns(p, &f);
			want_ns = fct_ns(&y, &teles[k], f.bytes, chunk, mtu, op);
			/* A RETH, 1.28 ns, is left out of longer messages. */
			near = chunk / mtu > 4096 ? 2 * (f.bytes / chunk) : 0;
			if (got_ns <= want_ns && got_ns >= want_ns - near)
				continue;
			if (!bad++) {
				size = f.bytes;
				got = got_ns;
				want = want_ns;
			}
		}
		snprintf(name, sizeof(name), "ideal__%s_%s", what, teles[k].name);
		ktap(!bad, name, "%d sizes, the first %lld: %lld, one by one %lld", bad,
		     (long long)size, (long long)got, (long long)want);
		json_object_put(totals);
	}
}

static const struct {
	const char *name;
	const char *sets[6];
	int64_t chunk, mtu;
	char op;
} nets[] = {
	{ "write", { "n=2" }, 65536, 1024, 'w' },
	{ "send_far", { "n=2", "op=send", "delay=20us" }, 65536, 1024, 's' },
	{ "read", { "n=2", "op=read", "mtu=2048" }, 131072, 2048, 'r' },
	{ "message_of_odd_bytes", { "n=2", "chunk=5000" }, 5000, 1024, 'w' },
	{ "message_of_a_packet", { "n=2", "chunk=512b" }, 512, 1024, 'w' },
	{ "slow_core", { "n=2", "core_rate=10gbit" }, 65536, 1024, 'w' },
	/* Longer than rows are kept. */
	{ "long_message", { "n=2", "chunk=2mb", "mtu=256" }, 2097152, 256, 'w' },
};

int main(void)
{
	struct scenario *sc;
	struct plan *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nets); i++) {
		p = plan_of(nets[i].sets);
		if (!ktap(p, nets[i].name, "no plan"))
			continue;
		test_plan(nets[i].name, p, nets[i].chunk, nets[i].mtu, nets[i].op);
		sc = p->sc;
		plan_free(p);
		scenario_free(sc);
	}
	return ktap_end();
}
