// SPDX-License-Identifier: GPL-2.0
/*
 * Computes wire bytes of messages, and round trips on an idle path.
 *
 * A packet with payload L occupies L + 82 bytes of the link (IPv4; preamble,
 * FCS and gap included), 16 more with a RETH, 4 more with an AETH.
 */
#include <linux/rxe_cc.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/wire_bytes_and_times.h"

/* Sums are in picoseconds: rounding every term would add up. */
int64_t wire_ps(int64_t bytes, int64_t rate_bps)
{
	__int128 ps = (__int128)bytes * 8 * NSEC_PER_SEC * 1000;

	return (int64_t)((ps + rate_bps / 2) / rate_bps);
}

static int64_t to_ns(int64_t ps)
{
	return (ps + 500) / 1000;
}

int64_t wire_ns(int64_t bytes, int64_t rate_bps)
{
	return to_ns(wire_ps(bytes, rate_bps));
}

/* Hosts with one link each, alike, at the same node are of one class. */
static int class_of(struct plan *p, struct wire *w, int node, int *first)
{
	struct lab_link *l, *o;
	int peer, other, i;

	l = &p->links[p->nodes[node].links[0]];
	peer = l->a == node ? l->b : l->a;
	for (i = 0; i < p->nodes[peer].n_links && p->nodes[node].n_links == 1; i++) {
		o = &p->links[p->nodes[peer].links[i]];
		other = o->a == peer ? o->b : o->a;
		if (other >= node)
			continue;
		if (p->nodes[other].host && p->nodes[other].n_links == 1 &&
		    o->rate_bps == l->rate_bps && o->delay_ns == l->delay_ns)
			return w->class_of[other];
	}
	return (*first)++;
}

static void make_classes(struct plan *p, struct wire *w)
{
	int i;

	w->class_of = xcalloc(p->n_nodes, sizeof(*w->class_of));
	for (i = 0; i < p->n_nodes; i++)
		if (p->nodes[i].host)
			w->class_of[i] = class_of(p, w, i, &w->n_classes);
	w->path_of = xcalloc(PLAN_WAYS * (size_t)w->n_classes * w->n_classes, sizeof(*w->path_of));
	for (i = 0; i < PLAN_WAYS * w->n_classes * w->n_classes; i++)
		w->path_of[i] = -1;
}

/**
 * wire_of() - what the scenario's keys say of packets
 * @p: plan after topology_expand()
 *
 * Return: owned by the plan, made at the first call.
 */
struct wire *wire_of(struct plan *p)
{
	const char *op = scenario_text(p->sc, "op", "write");
	struct wire *w = p->wire;

	if (w)
		return w;
	w = xcalloc(1, sizeof(*w));
	w->mtu = (int64_t)scenario_val(p->sc, "mtu", 1024);
	w->chunk = (int64_t)scenario_val(p->sc, "chunk", 262144);
	w->packets = (w->chunk + w->mtu - 1) / w->mtu;
	w->read = strcmp(op, "read") == 0;
	/* RETH of a WRITE; a READ's responses have AETHs. */
	w->first_extra = w->read ? ROCE_AETH_BYTES : strcmp(op, "write") ? 0 : ROCE_RETH_BYTES;
	w->last_extra = w->read ? ROCE_AETH_BYTES : 0;
	w->ack_all = scenario_val(p->sc, "ack_every", 0) == 1;
	make_classes(p, w);
	p->wire = w;
	return w;
}

static void forget_rows(struct wire *w)
{
	int i;

	for (i = 0; i < w->n_paths; i++) {
		free(w->paths[i].done);
		w->paths[i].done = NULL;
	}
}

/* What INT adds, by Documentation/reference/int.md: shim and header, hops; TLV 1 of the ACK. */
#define INT_FIXED_BYTES		16
#define INT_FULL_BYTES		32
#define INT_COMPACT_BYTES	8
#define INT_WORST_BYTES		8	/* once, whatever the path */
/* Values of "int_profile". */
#define INT_COMPACT		1
#define INT_WORST		2
#define TLV_BYTES		4
#define TLV_COMPACT_BYTES	8
/* TLV 6 of n values, and TLV 2. */
#define TLV_FB_BYTES(n)	(8 + 8 * (n))
#define TLV_TIME_BYTES		28

/**
 * wire_telemetry() - what the run's algorithm put on the wire, and with it the ideal
 * @p: plan
 * @totals: from labinit: what the algorithm needs, and its parameters
 *
 * With "int_mode", "rx" or "delay_acks" of hpccpp only some packets or ACKs bear telemetry. What
 * these few add is left out of the ideal. What receivers tell in every ACK the kernel
 * says; rcc, which "side" shows, has the first port's time
 * in its packets or, at the sender, none, and tells two or four values in each ACK.
 */
void wire_telemetry(struct plan *p, struct json_object *totals)
{
	struct json_object *params = js_get(totals, "params");
	bool needs = js_int(totals, "needs", 0) & RXE_CC_ALGO_NEED_INT;
	bool some = js_int(params, "int_mode", 0) != 0, rx = js_int(params, "rx", 0) != 0;
	bool delayed = js_int(params, "delay_acks", 0) != 0;
	int64_t profile = js_int(params, "int_profile", 0);
	int64_t tells = js_int(totals, "tells", 0);
	struct wire *w = wire_of(p);
	struct json_object *side = js_get(params, "side");
	int i;

	forget_rows(w);
	needs = needs && scenario_val(p->sc, "int", 0) != 0;
	w->int_fixed = needs && !some ? INT_FIXED_BYTES : 0;
	w->int_hop = needs && !some ? INT_FULL_BYTES : 0;
	/* Others than hops in full go to a peer that has shown that it knows them. */
	w->compact_fixed = w->int_fixed;
	w->compact_hop = w->int_hop;
	if (w->int_hop && profile == INT_COMPACT)
		w->compact_hop = INT_COMPACT_BYTES;
	if (w->int_hop && profile == INT_WORST) {
		w->compact_fixed += INT_WORST_BYTES;
		w->compact_hop = 0;
	}
	w->ack_all = needs && !some && !rx && !delayed;
	w->ack_fixed = w->ack_all ? TLV_BYTES : 0;
	if (tells)
		w->ack_fixed += TLV_FB_BYTES(tells);
	w->compact_ack = w->ack_fixed;
	if (w->ack_all && profile == INT_COMPACT)
		w->compact_ack += TLV_COMPACT_BYTES - TLV_BYTES;
	if (w->ack_all && profile == INT_WORST)
		w->compact_ack += INT_WORST_BYTES;
	if (needs && side) {
		/* 2 is 0 where clocks are common. */
		bool sender = js_int(params, "side", 0) == 1;

		w->int_fixed = sender ? 0 : INT_FIXED_BYTES + INT_COMPACT_BYTES;
		w->int_hop = 0;
		w->compact_fixed = w->int_fixed;
		w->compact_hop = 0;
		w->ack_all = js_int(params, "acks", 1) != 0;
		w->ack_fixed = sender ? TLV_FB_BYTES(4) + TLV_TIME_BYTES : TLV_FB_BYTES(2);
		w->compact_ack = w->ack_fixed;
	}
	if (scenario_val(p->sc, "ack_every", 0) == 1)
		w->ack_all = true;
	for (i = 0; i < p->n_flows; i++)
		p->flows[i].ideal_ns = wire_ideal_fct_ns(p, &p->flows[i]);
}

void wire_free(struct wire *w)
{
	int i;

	if (!w)
		return;
	forget_rows(w);
	for (i = 0; i < w->n_paths; i++) {
		free(w->paths[i].rate_bps);
		free(w->paths[i].delay_ps);
	}
	free(w->paths);
	free(w->path_of);
	free(w->class_of);
	free(w);
}

/**
 * wire_hops() - links between two hosts
 * @p: plan
 * @src: node
 * @dst: node
 *
 * Return: how many, or -1 if there is no path.
 */
int wire_hops(struct plan *p, int src, int dst)
{
	struct wire_path *path = wire_path_of(p, src, dst, WAY_BY_RTT);

	return path ? path->hops : -1;
}

static int64_t message_wire(const struct wire *w, int64_t bytes)
{
	int64_t packets = bytes ? (bytes + w->mtu - 1) / w->mtu : 1;

	return bytes + packets * ROCE_WIRE_OVERHEAD + w->first_extra +
	       (packets > 1 ? w->last_extra : 0);
}

/**
 * wire_flow_bytes() - what a flow's data occupies on a link
 * @p: plan with chunk, mtu and op
 * @bytes: payload
 *
 * Return: wire bytes.
 */
int64_t wire_flow_bytes(struct plan *p, int64_t bytes)
{
	struct wire *w = wire_of(p);
	int64_t whole = bytes / w->chunk, rest = bytes % w->chunk;

	return whole * message_wire(w, w->chunk) + (rest || !bytes ? message_wire(w, rest) : 0);
}

static int64_t path_ps(const struct wire_path *path, int64_t bytes)
{
	int64_t ps = 0;
	int i;

	for (i = 0; i < path->hops; i++)
		ps += path->delay_ps[i] + wire_ps(bytes, path->rate_bps[i]);
	return ps;
}

/* A full packet there, an ACK back, by the longest of equal-cost paths. */
int64_t wire_base_rtt_ns(struct plan *p, int src, int dst)
{
	struct wire_path *path = wire_path_of(p, src, dst, WAY_SLOWEST);

	return to_ns(path_ps(path, p->wire->mtu + ROCE_WIRE_OVERHEAD) +
		     path_ps(path, ACK_WIRE_BYTES));
}

/**
 * wire_ping_pong_ns() - round trip of a one-packet SEND and its answer
 * @p: plan
 * @src: node
 * @dst: node
 * @bytes: payload
 *
 * Reliable connections acknowledge each message before the application can
 * answer it, so that every message leaves its host behind one ACK.
 *
 * Return: ns.
 */
int64_t wire_ping_pong_ns(struct plan *p, int src, int dst, int64_t bytes)
{
	bool rc = strcmp(scenario_text(p->sc, "transport", "rc"), "rc") == 0;
	struct wire_path *path = wire_path_of(p, src, dst, WAY_BY_RTT);
	int64_t ps;

	ps = 2 * path_ps(path, bytes + ROCE_WIRE_OVERHEAD);
	if (rc && path->hops > 0)
		ps += wire_ps(ACK_WIRE_BYTES, path->rate_bps[0]) +
		      wire_ps(ACK_WIRE_BYTES, path->rate_bps[path->hops - 1]);
	return to_ns(ps);
}
