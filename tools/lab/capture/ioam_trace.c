// SPDX-License-Identifier: GPL-2.0
/*
 * lab capture: traces of IOAM (in situ operations, administration and maintenance) in IPv6
 * hop-by-hop options, read and written.
 *
 * Sources: RFC 9197 (fields, trace options), RFC 9486 (in IPv6).
 */
#include <string.h>

#include "capture/capture.h"

#define OPT_PAD1	0
#define OPT_PADN	1
#define OPT_IOAM	0x31
#define TRACE_PREALLOC	0
#define TRACE_INCREMENTAL 1
#define TRACE_BYTES	8	/* namespace, lengths, type */
#define HEAD_BYTES	(2 + 2 + 4 + TRACE_BYTES)	/* with padding in front of the option */
#define MAX_WORDS	((255 - 2 - TRACE_BYTES) / 4)
#define NAMESPACE	0x0cc1	/* ours; operators assign 1 to 0x7fff */
#define SNAPSHOT	0x000002
#define UNDEFINED	0x000ffc
#define NTP_TO_1970_S	2208988800ULL
#define DELAY_OVERFLOW	0x80000000U

/* Fields of a node, bit 0 of the trace type first. */
enum {
	F_NODE, F_PORTS, F_SECONDS, F_FRACTION, F_DELAY, F_DATA, F_DEPTH, F_CHECKSUM,
	F_NODE_WIDE, F_PORTS_WIDE, F_DATA_WIDE, F_BUFFER, F_KNOWN,
};

static const uint8_t words[F_KNOWN] = { 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1 };

static bool has(uint32_t type, int field)
{
	return type >> (23 - field) & 1;
}

static unsigned int node_words(uint32_t type)
{
	unsigned int i, n = 0;

	for (i = 0; i < F_KNOWN; i++)
		if (has(type, i))
			n += words[i];
	return n;
}

/* Seconds and fraction on the clock that the namespace has. */
static uint64_t time_ns(const char *kind, uint64_t s, uint64_t fraction)
{
	if (s == UNKNOWN || fraction == UNKNOWN)
		return UNKNOWN;
	if (kind[0] == 'n')
		return (uint64_t)(uint32_t)(s - NTP_TO_1970_S) * NSEC_PER_SEC +
		       (fraction * NSEC_PER_SEC >> 32);
	if (strcmp(kind, "posix") == 0)
		fraction *= 1000;
	return fraction < NSEC_PER_SEC ? s * NSEC_PER_SEC + fraction : UNKNOWN;
}

static void read_node(uint32_t type, const uint8_t *p, const struct capture_options *o,
		      struct telemetry *t, struct hop *h)
{
	uint64_t s = UNKNOWN, fraction = UNKNOWN, depth = UNKNOWN, at;
	int i;

	for (i = 0; i < F_KNOWN; i++) {
		if (!has(type, i))
			continue;
		switch (i) {
		case F_NODE:
			h->v[HOP_NODE] = get_known(p + 1, 3);
			break;
		case F_NODE_WIDE:
			h->v[HOP_NODE] = get_known(p + 1, 7);
			break;
		case F_PORTS:
		case F_PORTS_WIDE:
			h->v[HOP_IN_PORT] = get_known(p, 2 * words[i]);
			h->v[HOP_OUT_PORT] = get_known(p + 2 * words[i], 2 * words[i]);
			break;
		case F_SECONDS:
			s = get_known(p, 4);
			break;
		case F_FRACTION:
			fraction = get_known(p, 4);
			break;
		case F_DELAY:
			h->v[HOP_LATENCY] = p[0] & 0x80 ? UNKNOWN : get_known(p, 4);
			break;
		case F_DEPTH:
			depth = get_known(p, 4);
			break;
		case F_DATA:
			h->v[HOP_SPEED] = t->ours ? get_known(p, 4) : UNKNOWN;
			break;
		case F_DATA_WIDE:
			h->v[HOP_TX_BYTES] = t->ours ? get_known(p, 8) : UNKNOWN;
			break;
		}
		p += 4 * words[i];
	}
	at = time_ns(t->ours ? "ptp" : o->time, s, fraction);
	h->v[t->ours ? HOP_EGRESS : HOP_INGRESS] = at;
	if (depth != UNKNOWN && (t->ours || o->queue_unit))
		h->v[HOP_QUEUE_BYTES] = depth * (t->ours ? 1 : o->queue_unit);
	else if (depth != UNKNOWN)
		t->queue_units = true;
}

/* Nodes from @p to @end, which may have snapshots of any length behind them. */
static enum verdict read_nodes(uint32_t type, size_t node, const uint8_t *p, const uint8_t *end,
			       const struct capture_options *o, struct telemetry *t)
{
	struct hop *h;
	size_t bytes;

	for (; p < end; p += bytes) {
		bytes = node + (type & SNAPSHOT ? 4 : 0);
		if (bytes > (size_t)(end - p))
			return PACKET_BAD;
		if (type & SNAPSHOT)
			bytes += 4 * p[node];
		if (bytes > (size_t)(end - p))
			return PACKET_BAD;
		h = telemetry_hop(t);
		if (!h)
			return PACKET_BAD;
		read_node(type, p, o, t, h);
	}
	return PACKET_READ;
}

/* @opt: the option's reserved byte, of @len bytes from there. */
static enum verdict read_trace(const uint8_t *opt, size_t len, const struct capture_options *o,
			       struct telemetry *t)
{
	const uint8_t *trace = opt + 2, *p = trace + TRACE_BYTES, *end = opt + len;
	unsigned int node, rest, fields;
	uint32_t type;

	if (opt[1] != TRACE_PREALLOC && opt[1] != TRACE_INCREMENTAL)
		return PACKET_OTHER;
	if (len < 2 + TRACE_BYTES || (end - p) % 4)
		return PACKET_BAD;
	node = trace[2] >> 3;
	rest = 4 * (trace[3] & 0x7f);
	type = (uint32_t)get16(trace + 4) << 8 | trace[6];
	fields = node_words(type);
	/* nodes may write those that have no meaning yet, or none of them */
	if (!node || (node != fields &&
		      node != fields + (unsigned int)__builtin_popcount(type & UNDEFINED)))
		return PACKET_BAD;
	t->format = FORMAT_IOAM;
	t->ours = get16(trace) == NAMESPACE;
	t->incomplete = trace[2] & 0x04;
	if (opt[1] == TRACE_PREALLOC) {
		if (rest > (size_t)(end - p))
			return PACKET_BAD;
		p += rest;
	}
	return read_nodes(type, 4 * node, p, end, o, t);
}

/* The first trace among the options; anything else of IOAM is passed over. */
static enum verdict read_options(const uint8_t *p, size_t bytes, const struct capture_options *o,
				 struct telemetry *t)
{
	enum verdict v = PACKET_PLAIN, last;
	size_t at = 2, len;

	for (; at < bytes; at += len) {
		len = 1;
		if (p[at] == OPT_PAD1)
			continue;
		if (bytes - at < 2 || p[at + 1] > bytes - at - 2)
			return PACKET_BAD;
		len = 2 + p[at + 1];
		if (p[at] != OPT_IOAM)
			continue;
		last = len < 4 ? PACKET_BAD : read_trace(p + at + 2, len - 2, o, t);
		if (last != PACKET_OTHER)
			return last;
		v = last;
	}
	return v;
}

/**
 * ioam_read() - reads an IOAM trace
 * @f: packet of IPv6 with hop-by-hop options
 * @o: command line
 * @t: receives the first trace that it has
 *
 * Return: PACKET_READ, or what else it is.
 */
enum verdict ioam_read(const struct frame *f, const struct capture_options *o,
		       struct telemetry *t)
{
	const uint8_t *p = f->data + f->l4;
	enum verdict v = frame_has(f, f->l4, 8);
	size_t bytes;

	if (v)
		return v;
	bytes = 8 * (p[1] + 1);
	v = frame_has(f, f->l4, bytes);
	if (v)
		return v;
	if (p[0] == IP_UDP) {
		t->l4 = f->l4 + bytes;
		t->payload = t->l4 + UDP_BYTES;
	} else if (p[0] == IP_IN_IP) {
		t->ip = f->l4 + bytes;
	}
	return read_options(p, bytes, o, t);
}

/* Fields that a node of this trace has: those of which any hop says something. */
static uint32_t trace_type(const struct telemetry *t)
{
	static const uint8_t field_of[HOP_FIELDS] = {
		[HOP_NODE] = F_NODE_WIDE, [HOP_IN_PORT] = F_PORTS, [HOP_OUT_PORT] = F_PORTS,
		[HOP_EGRESS] = F_SECONDS, [HOP_LATENCY] = F_DELAY, [HOP_QUEUE_BYTES] = F_DEPTH,
		[HOP_TX_BYTES] = F_DATA_WIDE, [HOP_SPEED] = F_DATA,
	};
	uint32_t type = 0;
	unsigned int i, f;

	for (i = 0; i < t->n; i++)
		for (f = 0; f < HOP_FIELDS; f++)
			if (field_of[f] && t->hops[i].v[f] != UNKNOWN)
				type |= 1U << (23 - field_of[f]);
	if (has(type, F_SECONDS))
		type |= 1U << (23 - F_FRACTION);
	/* a trace without fields does not exist */
	return type ? type : 1U << (23 - F_NODE_WIDE);
}

static uint8_t *write_node(uint8_t *p, uint32_t type, const struct hop *h)
{
	uint64_t ts = h->v[HOP_EGRESS], delay = h->v[HOP_LATENCY];
	bool known = ts != UNKNOWN;

	/* INT has no hop limit of a node: ones */
	if (has(type, F_PORTS)) {
		p = put_known(p, 2, h->v[HOP_IN_PORT]);
		p = put_known(p, 2, h->v[HOP_OUT_PORT]);
	}
	if (has(type, F_SECONDS)) {
		p = put_known(p, 4, known ? ts / NSEC_PER_SEC : UNKNOWN);
		p = put_known(p, 4, known ? ts % NSEC_PER_SEC : UNKNOWN);
	}
	if (has(type, F_DELAY))
		p = put_known(p, 4, delay != UNKNOWN && delay > DELAY_OVERFLOW ? DELAY_OVERFLOW :
			      delay);
	if (has(type, F_DATA))
		p = put_known(p, 4, h->v[HOP_SPEED]);
	if (has(type, F_DEPTH))
		p = put_known(p, 4, h->v[HOP_QUEUE_BYTES]);
	if (has(type, F_NODE_WIDE)) {
		p = put_known(p, 1, UNKNOWN);
		p = put_known(p, 7, h->v[HOP_NODE]);
	}
	if (has(type, F_DATA_WIDE))
		p = put_known(p, 8, h->v[HOP_TX_BYTES]);
	return p;
}

/**
 * ioam_write() - a hop-by-hop header with a pre-allocated trace
 * @to: receives it
 * @next: protocol behind it
 * @t: what the trace says; if not all hops fit, the first ones, as real nodes would fill it
 * @lost: counts packets of which hops were left out
 *
 * Return: its length, a multiple of eight.
 */
size_t ioam_write(uint8_t *to, uint8_t next, const struct telemetry *t,
		  struct export_losses *lost)
{
	uint32_t type = trace_type(t);
	unsigned int node = node_words(type), n = t->n;
	uint8_t head[8] = { next, 0, OPT_PADN, 0, OPT_IOAM, 0, 0, TRACE_PREALLOC };
	uint8_t *p = to + HEAD_BYTES, *trace = to + sizeof(head);
	size_t bytes;

	if (n * node > MAX_WORDS) {
		n = MAX_WORDS / node;
		lost->not_fitting++;
	}
	while (n--)
		p = write_node(p, type, t->hops + n);
	bytes = p - to;
	memcpy(to, head, sizeof(head));
	to[5] = (uint8_t)(bytes - 6);
	put16(trace, NAMESPACE);
	trace[2] = (uint8_t)(node << 3);
	if (t->incomplete || t->n * node > MAX_WORDS)
		trace[2] |= 0x04;
	trace[3] = 0;
	put16(trace + 4, (uint16_t)(type >> 8));
	trace[6] = (uint8_t)type;
	trace[7] = 0;
	if (bytes % 8)
		memcpy(p, (uint8_t[]){ OPT_PADN, 2, 0, 0 }, 4);
	bytes += bytes % 8;
	to[1] = (uint8_t)(bytes / 8 - 1);
	return bytes;
}
