// SPDX-License-Identifier: GPL-2.0
/*
 * lab capture: reads in-band network telemetry (INT) as the lab's ports write it: INT-MD 2.1
 * between UDP and BTH, Documentation/reference/wire-formats.md.
 */
#include "capture/capture.h"

#define INT_BYTES	16	/* shim and MD header */
#define MD_WORDS	3
#define REST_BYTES	(12 + 4)	/* BTH and ICRC behind the stack */
#define DOMAIN		0x0cc1
#define RESERVED	0x007e	/* instructions without a meaning */
#define CHECKSUM	0x0001

/* A field of a hop, of two parts at most; HOP_FIELDS: not of use here. */
struct int_field {
	uint16_t bit;
	uint8_t bytes[2];
	enum hop_field to[2];
};

static const struct int_field of_instr[] = {
	{ 0x8000, { 4, 0 }, { HOP_NODE } },
	{ 0x4000, { 2, 2 }, { HOP_IN_PORT, HOP_OUT_PORT } },
	{ 0x2000, { 4, 0 }, { HOP_LATENCY } },
	{ 0x1000, { 1, 3 }, { HOP_QUEUE, HOP_QUEUE_BYTES } },
	{ 0x0800, { 8, 0 }, { HOP_INGRESS } },
	{ 0x0400, { 8, 0 }, { HOP_EGRESS } },
	{ 0x0200, { 8, 0 }, { HOP_FIELDS } },
	{ 0x0100, { 4, 0 }, { HOP_FIELDS } },
	{ 0x0080, { 4, 0 }, { HOP_FIELDS } },
	{ }
};

static const struct int_field of_domain[] = {
	{ 0x8000, { 8, 0 }, { HOP_TX_BYTES } },
	{ 0x4000, { 4, 0 }, { HOP_QUEUE_BYTES } },
	{ 0x2000, { 4, 0 }, { HOP_SPEED } },
	{ }
};

static size_t bytes_of(const struct int_field *f, uint16_t bits)
{
	size_t n = 0;

	for (; f->bit; f++)
		if (bits & f->bit)
			n += f->bytes[0] + f->bytes[1];
	return n;
}

static const uint8_t *read_fields(const struct int_field *f, uint16_t bits, const uint8_t *p,
				  struct hop *h)
{
	uint64_t v;
	int i;

	for (; f->bit; f++) {
		for (i = 0; bits & f->bit && i < 2 && f->bytes[i]; i++) {
			v = f->to[i] == HOP_FIELDS ? UNKNOWN : get_known(p, f->bytes[i]);
			/* a queue in 32 bits goes before one in 24 */
			if (v != UNKNOWN)
				h->v[f->to[i]] = v;
			p += f->bytes[i];
		}
	}
	return p;
}

/* Fields of other domains are behind those of ours, and are not looked at. */
static enum verdict read_hops(const uint8_t *md, const uint8_t *stack, size_t bytes,
			      struct telemetry *t)
{
	uint16_t instr = get16(md + 4), ds = get16(md + 8);
	size_t hop = 4 * (md[2] & 0x1f), i;
	bool own = get16(md + 6) == DOMAIN;
	size_t need = bytes_of(of_instr, instr) + (instr & CHECKSUM ? 4 : 0);
	const uint8_t *p;
	struct hop *h;

	if (instr & RESERVED || (own && ds & ~0xe000))
		return PACKET_OTHER;	/* compact or worst hops, and what is not known */
	if (own)
		need += bytes_of(of_domain, ds);
	if (hop < need || ((own || !ds) && hop != need))
		return PACKET_BAD;
	for (i = 0; i < bytes; i += hop) {
		h = telemetry_hop(t);
		if (!h)
			return PACKET_BAD;
		p = read_fields(of_instr, instr, stack + i, h);
		if (own)
			read_fields(of_domain, ds, p, h);
	}
	return PACKET_READ;
}

/**
 * int_read() - reads INT
 * @f: packet of UDP
 * @o: command line
 * @t: receives it
 *
 * Return: PACKET_READ, or what else it is.
 */
enum verdict int_read(const struct frame *f, const struct capture_options *o,
		      struct telemetry *t)
{
	const uint8_t *ip = f->data + f->ip, *udp = f->data + f->l4, *shim = udp + UDP_BYTES;
	uint8_t tos = f->v6 ? (uint8_t)(ip[0] << 4 | ip[1] >> 4) : ip[1];
	size_t at = f->l4 + UDP_BYTES, stack;
	enum verdict v;

	if (tos >> 2 != o->dscp)
		return PACKET_PLAIN;
	v = frame_has(f, f->l4, UDP_BYTES);
	if (v)
		return v;
	if (get16(udp + 2) != ROCE_PORT)
		return PACKET_PLAIN;
	if (get16(udp + 4) != f->end - f->l4)
		return PACKET_BAD;
	if (f->end - at < INT_BYTES + REST_BYTES)
		return PACKET_BAD;
	v = frame_has(f, at, INT_BYTES);
	if (v)
		return v;
	if ((shim[0] & 0xfc) != 0x10 || shim[4] >> 4 != 2)
		return PACKET_OTHER;
	if (shim[1] < MD_WORDS || !(shim[6] & 0x1f) || (shim[1] - MD_WORDS) % (shim[6] & 0x1f))
		return PACKET_BAD;
	stack = 4 * (shim[1] - MD_WORDS);
	v = frame_has(f, at + INT_BYTES, stack);
	if (v)
		return v;
	if (f->end - at - INT_BYTES - stack < REST_BYTES)
		return PACKET_BAD;
	t->format = FORMAT_INT;
	t->at = at;
	t->bytes = INT_BYTES + stack;
	t->dscp = shim[3] >> 2;
	t->rem_hop = shim[7];
	t->incomplete = shim[4] & 0x06;
	t->l4 = f->l4;
	t->payload = at + t->bytes;
	return read_hops(shim + 4, shim + INT_BYTES, stack, t);
}
