// SPDX-License-Identifier: GPL-2.0
/*
 * Ideal flow completion time (FCT): that of a flow alone on an idle path, packet by packet.
 *
 * Every port starts a packet when it has come whole and the one before has gone:
 *
 *	done(n, h) = max(done(n - 1, h), done(n, h - 1) + delay(h - 1)) + bytes(n, h) / rate(h)
 *
 * with n of packets and h of links, and bytes(n, h) growing from link to link
 * where ports push INT. After the last packet the ACK comes back. As there may
 * be millions of flows, the times of the first messages are kept for each path;
 * after three messages every further one takes as long as the last.
 */
#include <stdlib.h>
#include <string.h>

#include "scenario/wire_bytes_and_times.h"

#define MESSAGES	3
/* Longer messages: every further packet takes as long as the last. */
#define ROWS_MAX	4096

static struct wire_path *new_path(struct plan *p, const int *links, int hops)
{
	struct wire *w = p->wire;
	struct wire_path path = { .hops = hops }, *known;
	int i, k;

	path.rate_bps = xcalloc(hops, sizeof(*path.rate_bps));
	path.delay_ps = xcalloc(hops, sizeof(*path.delay_ps));
	for (i = 0; i < hops; i++) {
		path.rate_bps[i] = p->links[links[i]].rate_bps;
		path.delay_ps[i] = p->links[links[i]].delay_ns * 1000;
	}
	for (k = 0; k < w->n_paths; k++) {
		known = &w->paths[k];
		if (known->hops != hops ||
		    memcmp(known->rate_bps, path.rate_bps, hops * sizeof(*path.rate_bps)) ||
		    memcmp(known->delay_ps, path.delay_ps, hops * sizeof(*path.delay_ps)))
			continue;
		free(path.rate_bps);
		free(path.delay_ps);
		return known;
	}
	w->paths = xrealloc(w->paths, (w->n_paths + 1) * sizeof(*w->paths));
	w->paths[w->n_paths] = path;
	return &w->paths[w->n_paths++];
}

/**
 * wire_path_of() - a shortest path from one host to another
 * @p: plan
 * @src: node
 * @dst: node
 * @which: of several
 *
 * Return: valid until the next call for other hosts, or NULL if there is no path.
 */
struct wire_path *wire_path_of(struct plan *p, int src, int dst, enum plan_way which)
{
	struct wire *w = wire_of(p);
	int *at = &w->path_of[(which * w->n_classes + w->class_of[src]) * w->n_classes +
			      w->class_of[dst]], *links, hops;

	if (*at == -1) {
		links = xcalloc(p->n_nodes, sizeof(*links));
		hops = plan_path(p, src, dst, which, links);
		*at = hops < 0 ? -2 : (int)(new_path(p, links, hops) - w->paths);
		free(links);
	}
	return *at < 0 ? NULL : &w->paths[*at];
}

/* Wire bytes of a data packet before any INT. */
static int64_t packet_bytes(const struct wire *w, int64_t payload, bool first, bool last)
{
	int64_t bytes = payload + ROCE_WIRE_OVERHEAD;

	if (first)
		bytes += w->first_extra;
	if (last && !(first && w->read))
		bytes += w->last_extra;
	return bytes;
}

/* One more packet, with telemetry in full or not: @done has the times of the one before, and gets
 * its own.
 */
static void send_packet(const struct wire *w, const struct wire_path *path, int64_t bytes,
			bool full, int64_t *done)
{
	int64_t hop_bytes = full ? w->int_hop : w->compact_hop, at = 0;
	int h;

	bytes += full ? w->int_fixed : w->compact_fixed;
	for (h = 0; h < path->hops; h++) {
		bytes += hop_bytes;
		if (done[h] > at)
			at = done[h];
		at += wire_ps(bytes, path->rate_bps[h]);
		done[h] = at;
		at += path->delay_ps[h];
	}
}

/* The @n-th packet of an endless flow. */
static int64_t nth_bytes(const struct wire *w, int64_t n)
{
	int64_t at = n % w->packets;
	bool last = at == w->packets - 1;

	return packet_bytes(w, last ? w->chunk - at * w->mtu : w->mtu, !at, last);
}

static bool is_full(const struct wire_path *path, int64_t n)
{
	return n < path->n_full;
}

/* When an ACK that leaves the receiver at @at_ps is there, behind an earlier one. */
static int64_t ack_back(const struct wire_path *path, int64_t bytes, int64_t at_ps,
			int64_t before_ps)
{
	int64_t ps;
	int h;

	for (h = path->hops - 1; h >= 0; h--) {
		ps = wire_ps(bytes, path->rate_bps[h]);
		if (before_ps >= 0) {
			before_ps += ps;
			if (at_ps < before_ps)
				at_ps = before_ps;
			before_ps += path->delay_ps[h];
		}
		at_ps += ps + path->delay_ps[h];
	}
	return at_ps;
}

static int64_t ack_bytes(const struct wire *w, const struct wire_path *path, int64_t n)
{
	bool full = is_full(path, n);

	if (!w->ack_fixed)
		return ACK_WIRE_BYTES;
	return ACK_WIRE_BYTES + (full ? w->ack_fixed : w->compact_ack) +
	       path->hops * (full ? w->int_hop : w->compact_hop);
}

/* Until the first ACK is back the sender does not know what its peer understands. */
static void count_full(const struct wire *w, struct wire_path *path)
{
	int64_t done[path->hops], at;
	int last = path->hops - 1;

	path->n_full = 1;
	memset(done, 0, sizeof(done));
	send_packet(w, path, nth_bytes(w, 0), true, done);
	at = ack_back(path, ack_bytes(w, path, 0), done[last] + path->delay_ps[last], -1);
	while (done[0] < at && path->n_full < ROWS_MAX && w->compact_hop < w->int_hop)
		send_packet(w, path, nth_bytes(w, path->n_full++), true, done);
}

static void fill_rows(const struct wire *w, struct wire_path *path)
{
	int64_t rows;
	int n;

	count_full(w, path);
	rows = MESSAGES * w->packets + path->n_full + 1;
	if (rows > ROWS_MAX + 1)
		rows = ROWS_MAX + 1;
	path->n_rows = rows;
	path->done = xcalloc(rows * path->hops, sizeof(*path->done));
	for (n = 1; n < rows; n++) {
		int64_t *row = &path->done[n * path->hops];

		memcpy(row, row - path->hops, path->hops * sizeof(*row));
		send_packet(w, path, nth_bytes(w, n - 1), is_full(path, n - 1), row);
	}
}

static const int64_t *row_of(const struct wire_path *path, int64_t n)
{
	return &path->done[n * path->hops];
}

/* Times when @n packets of an endless flow have gone. */
static void state_after(const struct wire *w, struct wire_path *path, int64_t n, int64_t *done)
{
	int64_t step = w->packets, at = n, times = 0, top = 0;
	int h;

	if (!path->done)
		fill_rows(w, path);
	if (n >= path->n_rows) {
		if (path->n_rows > ROWS_MAX || MESSAGES * w->packets >= ROWS_MAX)
			step = 1;
		top = path->n_rows - 1;
		times = (n - top + step - 1) / step;
		at = n - times * step;
	}
	memcpy(done, row_of(path, at), path->hops * sizeof(*done));
	for (h = 0; times && h < path->hops; h++)
		done[h] += times * (row_of(path, top)[h] - row_of(path, top - step)[h]);
}

static int64_t request_there(const struct wire_path *path)
{
	int64_t ps = 0;
	int h;

	for (h = 0; h < path->hops; h++)
		ps += wire_ps(READ_REQ_BYTES, path->rate_bps[h]) + path->delay_ps[h];
	return ps;
}

/* By the formula at the head of this file. */
static int64_t path_fct_ns(const struct wire *w, struct wire_path *path, int64_t bytes)
{
	int64_t done[path->hops + 1], rest = bytes % w->chunk, full, last, before, at;
	int64_t last_delay = path->delay_ps[path->hops - 1];
	bool acked;

	/* Full packets but the last, and that one. */
	full = bytes / w->chunk * w->packets;
	if (rest || !bytes)
		full += rest ? (rest - 1) / w->mtu : 0;
	else
		full--;
	state_after(w, path, full, done);
	before = full ? done[path->hops - 1] + last_delay : -1;
	last = rest ? rest - (rest - 1) / w->mtu * w->mtu : 0;
	if (rest || !bytes)
		last = packet_bytes(w, last, !(full % w->packets), true);
	else
		last = nth_bytes(w, full);
	send_packet(w, path, last, is_full(path, full), done);
	at = done[path->hops - 1] + last_delay;
	if (w->read)
		return (at + request_there(path) + 500) / 1000;
	acked = full && (w->ack_all || !(full % w->packets));
	return (ack_back(path, ack_bytes(w, path, full), at, acked ? before : -1) + 500) / 1000;
}

/**
 * wire_ideal_fct_ns() - completion time of a flow alone on an idle path
 * @p: plan
 * @f: flow
 *
 * Equal-cost paths may differ. A long flow is fastest where the rate is highest, a short one where
 * the round trip is shortest.
 *
 * Return: ns, the shorter of these two.
 */
int64_t wire_ideal_fct_ns(struct plan *p, const struct lab_flow *f)
{
	struct wire_path *path = wire_path_of(p, f->src, f->dst, WAY_BY_RATE);
	int64_t fct_ns = path_fct_ns(p->wire, path, f->bytes), other_ns;
	const int64_t *rates = path->rate_bps;

	path = wire_path_of(p, f->src, f->dst, WAY_BY_RTT);
	if (path->rate_bps == rates)
		return fct_ns;
	other_ns = path_fct_ns(p->wire, path, f->bytes);
	return other_ns < fct_ns ? other_ns : fct_ns;
}
