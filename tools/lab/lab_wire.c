// SPDX-License-Identifier: GPL-2.0
/*
 * What theory says: wire bytes, and times on an idle path.
 *
 * A packet with payload L occupies L + 82 bytes of the link (IPv4; preamble,
 * FCS and gap included), 16 more with a RETH, 4 more with an AETH. On a path of
 * H links, store and forward, a message of packets w_1..w_N arrives after
 *
 *	sum(delay) + sum(w_k) / r_min + sum over the other links of w_1 / r
 *
 * and is complete for its sender when the ACK (86 bytes) is back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define ACK_WIRE_BYTES	(ROCE_WIRE_OVERHEAD + ROCE_AETH_BYTES)
#define READ_REQ_BYTES	(ROCE_WIRE_OVERHEAD + ROCE_RETH_BYTES)

/* Sums are in picoseconds: rounding every term would add up. */
static int64_t wire_ps(int64_t bytes, int64_t rate_bps)
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

static int64_t mtu_of(struct plan *p)
{
	return (int64_t)scenario_val(p->sc, "mtu", 1024);
}

static bool is_read(struct plan *p)
{
	return strcmp(scenario_text(p->sc, "op", "write"), "read") == 0;
}

/* Extra header bytes of a message: RETH of a WRITE, AETHs of a READ's responses. */
static int64_t message_extra(struct plan *p, int64_t bytes)
{
	if (is_read(p))
		return bytes > mtu_of(p) ? 2 * ROCE_AETH_BYTES : ROCE_AETH_BYTES;
	return strcmp(scenario_text(p->sc, "op", "write"), "write") ? 0 : ROCE_RETH_BYTES;
}

static int64_t message_wire(struct plan *p, int64_t bytes)
{
	int64_t mtu = mtu_of(p), packets = bytes ? (bytes + mtu - 1) / mtu : 1;

	return bytes + packets * ROCE_WIRE_OVERHEAD + message_extra(p, bytes);
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
	int64_t chunk = scenario_val(p->sc, "chunk", 262144), whole = bytes / chunk;
	int64_t rest = bytes % chunk;

	return whole * message_wire(p, chunk) + (rest || !bytes ? message_wire(p, rest) : 0);
}

static int64_t path_ps(struct plan *p, const int *links, int hops, int64_t bytes)
{
	int64_t ps = 0;
	int i;

	for (i = 0; i < hops; i++)
		ps += p->links[links[i]].delay_ns * 1000 +
		      wire_ps(bytes, p->links[links[i]].rate_bps);
	return ps;
}

/**
 * wire_ideal_fct_ns() - completion time of a flow alone on an idle path
 * @p: plan
 * @f: flow
 *
 * Return: ns, by the formula at the head of this file.
 */
int64_t wire_ideal_fct_ns(struct plan *p, const struct lab_flow *f)
{
	int64_t mtu = mtu_of(p), total = wire_flow_bytes(p, f->bytes), first, slowest = INT64_MAX;
	int *links = xcalloc(p->n_nodes, sizeof(*links));
	int hops = plan_path(p, f->src, f->dst, links), i;
	int64_t ps;

	first = (f->bytes < mtu ? f->bytes : mtu) + ROCE_WIRE_OVERHEAD;
	if (f->bytes <= mtu)
		first += message_extra(p, f->bytes);
	ps = path_ps(p, links, hops, is_read(p) ? READ_REQ_BYTES : ACK_WIRE_BYTES);
	ps += path_ps(p, links, hops, first);
	for (i = 0; i < hops; i++)
		if (p->links[links[i]].rate_bps < slowest)
			slowest = p->links[links[i]].rate_bps;
	free(links);
	return to_ns(ps + wire_ps(total - first, slowest));
}

/* A full packet there, an ACK back. */
int64_t wire_base_rtt_ns(struct plan *p, int src, int dst)
{
	int *links = xcalloc(p->n_nodes, sizeof(*links));
	int hops = plan_path(p, src, dst, links);
	int64_t ps;

	ps = path_ps(p, links, hops, mtu_of(p) + ROCE_WIRE_OVERHEAD) +
	     path_ps(p, links, hops, ACK_WIRE_BYTES);
	free(links);
	return to_ns(ps);
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
	int *links = xcalloc(p->n_nodes, sizeof(*links));
	int hops = plan_path(p, src, dst, links);
	int64_t ps;

	ps = 2 * path_ps(p, links, hops, bytes + ROCE_WIRE_OVERHEAD);
	if (rc && hops > 0)
		ps += wire_ps(ACK_WIRE_BYTES, p->links[links[0]].rate_bps) +
		      wire_ps(ACK_WIRE_BYTES, p->links[links[hops - 1]].rate_bps);
	free(links);
	return to_ns(ps);
}
