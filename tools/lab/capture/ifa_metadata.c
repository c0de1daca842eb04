// SPDX-License-Identifier: GPL-2.0
/*
 * lab capture: metadata of IFA 2.0 (in-band flow analyzer), read and written:
 *
 *	IP (protocol 253) | IFA header 4 | UDP or TCP | metadata header 4 | stack | payload
 *
 *	header		version 4, GNS 4 | next protocol 8 | flags 8 | longest stack 8, words
 *	metadata header	request 8 | action 8 | hops that may follow 8 | length of the stack 8, words
 *	hop, the newest first:
 *	 0		LNS 4, device 20 | TTL 8
 *	 4		speed 4, congestion 2, queue 6, seconds of arrival 20
 *	 8		egress port 16 | ingress port 16
 *	12		nanoseconds of arrival 32
 *	16		residence time 32, ns
 *	20		opaque 1: bytes sent by the queue 32
 *	24		opaque 2: reserved 16 | length of the queue 16, cells
 *	28		opaque 3: the vendor's
 *
 * The header is that of draft-kumar-ippm-ifa-08. GNS 15 says that a hop's first bits, LNS, name
 * its layout. That of LNS 1 is public: it is what switches with Broadcom's chips write.
 */
#include "capture/capture.h"

#define VERSION		2
#define FLAG_CHECKSUM	0x01
#define FLAG_FRAGMENT	0x10
#define GNS_LOCAL	15
#define LNS_VENDOR	1
#define LNS_OURS	0xc
#define HOP_BYTES	32
#define HOPS_MAX	(255 / 8)
#define TCP		6
#define TCP_BYTES	20
#define CELL_BYTES	256	/* of ours */
#define NODE_BITS	20
#define SECONDS_BITS	20
#define QUEUE_NONE	0x3f
#define NO_SPEED	0xf

static const uint32_t speeds_mbps[] = { 10000, 25000, 40000, 50000, 100000, 200000, 400000 };

/* The packets' seconds wrap after twelve days: those nearest to the time of the capture. */
static uint64_t arrival_ns(uint64_t seconds, uint64_t ns, uint64_t near_ns)
{
	uint64_t wrap = 1ULL << SECONDS_BITS, near = near_ns / NSEC_PER_SEC;

	if (ns >= (uint64_t)NSEC_PER_SEC)
		return UNKNOWN;
	if (near + wrap / 2 > seconds)
		seconds += (near + wrap / 2 - seconds) / wrap * wrap;
	return seconds * NSEC_PER_SEC + ns;
}

static void read_hop(const uint8_t *p, const struct frame *f, const struct capture_options *o,
		     bool local, struct telemetry *t, struct hop *h)
{
	uint64_t when, node = get_known(p, 3) & ((1 << NODE_BITS) - 1);
	unsigned int lns = p[0] >> 4;
	bool ours = local && lns == LNS_OURS, known = ours || (local && lns == LNS_VENDOR);

	if (node < (1 << NODE_BITS) - 1)
		h->v[HOP_NODE] = node;
	if (p[4] >> 4 < ARRAY_SIZE(speeds_mbps))
		h->v[HOP_SPEED] = speeds_mbps[p[4] >> 4];
	h->v[HOP_QUEUE] = (get16(p + 4) >> 4) & 0x3f;
	if (ours && h->v[HOP_QUEUE] == QUEUE_NONE)
		h->v[HOP_QUEUE] = UNKNOWN;
	h->v[HOP_OUT_PORT] = get_known(p + 8, 2);
	h->v[HOP_IN_PORT] = get_known(p + 10, 2);
	when = arrival_ns((uint64_t)(p[5] & 0xf) << 16 | get16(p + 6), get_known(p + 12, 4),
			  f->time_ns);
	h->v[ours ? HOP_EGRESS : HOP_INGRESS] = when;
	h->v[HOP_LATENCY] = get_known(p + 16, 4);
	t->ours = t->ours || ours;
	if (known)
		h->v[HOP_TX_BYTES] = get_known(p + 20, 4);
	if (ours)
		h->v[HOP_QUEUE_BYTES] = get_known(p + 28, 4);
	else if (known && o->queue_unit)
		h->v[HOP_QUEUE_BYTES] = get16(p + 26) * o->queue_unit;
	else if (known)
		t->queue_units = true;
}

/* Where the transport header that the sender made ends; 0: not told here. */
static enum verdict transport(const struct frame *f, uint8_t proto, size_t at, size_t *end)
{
	enum verdict v;

	if (proto == IP_UDP) {
		*end = at + UDP_BYTES;
		return frame_has(f, at, UDP_BYTES);
	}
	if (proto != TCP)
		return PACKET_OTHER;
	v = frame_has(f, at, TCP_BYTES);
	if (v)
		return v;
	*end = at + 4 * (f->data[at + 12] >> 4);
	return *end < at + TCP_BYTES ? PACKET_BAD : PACKET_READ;
}

/**
 * ifa_read() - reads IFA metadata
 * @f: packet of IFA
 * @o: command line
 * @t: receives it
 *
 * Return: PACKET_READ, or what else it is.
 */
enum verdict ifa_read(const struct frame *f, const struct capture_options *o,
		      struct telemetry *t)
{
	const uint8_t *ifa = f->data + f->l4, *p;
	enum verdict v = frame_has(f, f->l4, IFA_HEADER_BYTES);
	size_t at, bytes, i;

	if (v)
		return v;
	if (ifa[0] >> 4 != VERSION || ifa[2] & (FLAG_CHECKSUM | FLAG_FRAGMENT))
		return PACKET_OTHER;
	v = transport(f, ifa[1], f->l4 + IFA_HEADER_BYTES, &at);
	if (!v)
		v = frame_has(f, at, 4);
	if (v)
		return v;
	p = f->data + at;
	bytes = 4 * p[3];
	v = frame_has(f, at + 4, bytes);
	if (v)
		return v;
	if (bytes % HOP_BYTES)
		return PACKET_OTHER;
	t->format = FORMAT_IFA;
	t->incomplete = false;
	if (ifa[1] == IP_UDP)
		t->l4 = f->l4 + IFA_HEADER_BYTES;
	t->payload = at + 4 + bytes;
	for (i = 0; i < bytes; i += HOP_BYTES)
		read_hop(p + 4 + i, f, o, (ifa[0] & 0xf) == GNS_LOCAL, t, telemetry_hop(t));
	return PACKET_READ;
}

/**
 * ifa_write_header() - the header behind that of IP
 * @to: receives IFA_HEADER_BYTES
 * @next: protocol behind it
 */
void ifa_write_header(uint8_t *to, uint8_t next)
{
	to[0] = VERSION << 4 | GNS_LOCAL;
	to[1] = next;
	to[2] = 0;
	to[3] = 255;
}

static uint8_t speed_code(const struct hop *h, struct export_losses *lost)
{
	uint8_t i;

	for (i = 0; i < ARRAY_SIZE(speeds_mbps); i++)
		if (speeds_mbps[i] == h->v[HOP_SPEED])
			return i;
	lost->speeds += h->v[HOP_SPEED] != UNKNOWN;
	return NO_SPEED;
}

static void write_hop(uint8_t *p, const struct hop *h, struct export_losses *lost)
{
	uint64_t ts = h->v[HOP_EGRESS], seconds = 0, ns = UNKNOWN, bytes = h->v[HOP_QUEUE_BYTES];
	uint64_t node = h->v[HOP_NODE], queue = h->v[HOP_QUEUE], cells = UINT16_MAX;

	lost->node_bits += node != UNKNOWN && node >> NODE_BITS;
	if (ts != UNKNOWN) {
		seconds = ts / NSEC_PER_SEC;
		ns = ts % NSEC_PER_SEC;
	}
	if (bytes != UNKNOWN && (bytes + CELL_BYTES - 1) / CELL_BYTES < UINT16_MAX)
		cells = (bytes + CELL_BYTES - 1) / CELL_BYTES;
	put_known(p, 3, (uint64_t)LNS_OURS << NODE_BITS | (node & ((1 << NODE_BITS) - 1)));
	p[3] = 0;
	queue = queue < QUEUE_NONE ? queue : QUEUE_NONE;
	put_known(p + 4, 4, (uint64_t)speed_code(h, lost) << 28 | queue << 20 |
		  (seconds & ((1 << SECONDS_BITS) - 1)));
	put_known(p + 8, 2, h->v[HOP_OUT_PORT]);
	put_known(p + 10, 2, h->v[HOP_IN_PORT]);
	put_known(p + 12, 4, ns);
	put_known(p + 16, 4, h->v[HOP_LATENCY] < UINT32_MAX ? h->v[HOP_LATENCY] : UNKNOWN);
	put_known(p + 20, 4, h->v[HOP_TX_BYTES]);
	put_known(p + 24, 4, cells);
	put_known(p + 28, 4, bytes);
}

/**
 * ifa_write_metadata() - the metadata header and the stack
 * @to: receives IFA_MAX_BYTES at most
 * @t: what the hops say; if not all fit, the first ones
 * @lost: counts what hops cannot say
 *
 * Return: their length.
 */
size_t ifa_write_metadata(uint8_t *to, const struct telemetry *t, struct export_losses *lost)
{
	unsigned int n = t->n, i;
	uint8_t *p = to + 4;

	if (n > HOPS_MAX) {
		n = HOPS_MAX;
		lost->not_fitting++;
	}
	to[0] = 0;
	to[1] = 0;
	to[2] = t->rem_hop;
	to[3] = (uint8_t)(n * HOP_BYTES / 4);
	for (i = n; i--; p += HOP_BYTES)
		write_hop(p, t->hops + i, lost);
	return p - to;
}
