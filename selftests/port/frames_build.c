// SPDX-License-Identifier: GPL-2.0
/*
 * Builds and parses frames: RoCEv2 with and without INT-MD 2.1 (in-band network telemetry), and
 * PFC (priority-based flow control), with checksums and ICRC (invariant CRC).
 */
#include <string.h>

#include "frames.h"

#define UDP_BYTES	8
#define V4_BYTES	20
#define V6_BYTES	40
#define MAGIC		0x5ca1ab1eU
#define ID_BYTES	12	/* magic, flow, number */

uint16_t get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

uint64_t get64(const uint8_t *p)
{
	return (uint64_t)get32(p) << 32 | get32(p + 4);
}

void put16(uint8_t *p, unsigned int v)
{
	p[0] = v >> 8;
	p[1] = v;
}

void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

/* 0 over a header whose checksum is right. */
uint16_t ip_checksum(const uint8_t *ip, int bytes)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < bytes; i += 2)
		sum += get16(ip + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/* CRC-32 of Ethernet, reflected. */
static uint32_t crc32(uint32_t crc, const uint8_t *p, int len)
{
	static uint32_t table[256];
	int i, k;

	for (i = 0; !table[255] && i < 256; i++)
		for (table[i] = i, k = 0; k < 8; k++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	while (len--)
		crc = table[(crc ^ *p++) & 0xff] ^ crc >> 8;
	return crc;
}

/* What a port calls itself in CNPs. */
uint16_t cnp_port(const struct port *p)
{
	uint16_t number = crc32(~0U, p->mac, sizeof(p->mac));

	return number ? number : 1;
}

/* Invariant CRC: what switches change counts as ones. */
void put_icrc(uint8_t *frame, int ip, bool v6, int udp, int end)
{
	uint8_t head[8 + V6_BYTES + UDP_BYTES + BTH_BYTES];
	uint8_t *l3 = head + 8, *l4 = l3 + (udp - ip);
	int bytes = 8 + (udp - ip) + UDP_BYTES + BTH_BYTES;
	uint32_t crc;

	memset(head, 0xff, 8);
	memcpy(l3, frame + ip, bytes - 8);
	if (v6) {
		l3[0] |= 0x0f;
		memset(l3 + 1, 0xff, 3);
		l3[7] = 0xff;
	} else {
		l3[1] = 0xff;
		l3[8] = 0xff;
		put16(l3 + 10, 0xffff);
	}
	put16(l4 + 6, 0xffff);
	l4[UDP_BYTES + 4] = 0xff;
	crc = crc32(~0U, head, bytes);
	bytes = udp + UDP_BYTES + BTH_BYTES;
	crc = ~crc32(crc, frame + bytes, end - ICRC_BYTES - bytes);
	frame[end - 4] = crc;
	frame[end - 3] = crc >> 8;
	frame[end - 2] = crc >> 16;
	frame[end - 1] = crc >> 24;
}

static int put_ip(uint8_t *ip, const struct flow *f, int udp_bytes)
{
	int tos = f->dscp << 2 | f->ecn;

	if (f->v6) {
		put32(ip, 6U << 28 | tos << 20);
		put16(ip + 4, udp_bytes);
		ip[6] = 17;
		ip[7] = 64;
		ip[8] = 0xfd;
		ip[24] = 0xfd;
		ip[23] = f->src->ifindex;
		ip[39] = f->dst->ifindex;
		return V6_BYTES;
	}
	ip[0] = 0x45;
	ip[1] = tos;
	put16(ip + 2, V4_BYTES + udp_bytes);
	put16(ip + 6, 0x4000);	/* do not fragment */
	ip[8] = 64;
	ip[9] = 17;
	ip[12] = 10;
	ip[16] = 10;
	ip[15] = f->src->ifindex;
	ip[19] = f->dst->ifindex;
	put16(ip + 10, ip_checksum(ip, V4_BYTES));
	return V4_BYTES;
}

/* Shim and MD header without any hop, in front of what is at @at. */
static void put_int(uint8_t *at, const struct flow *f)
{
	memset(at, 0, INT_BYTES);
	at[0] = 1 << 4;
	at[1] = INT_BYTES / 4 - 1;
	at[4] = 2 << 4;
	at[6] = hop_words(f->instr, f->ds_instr);
	at[7] = f->rem_hop;
	put16(at + 8, f->instr);
	put16(at + 10, f->domain);
	put16(at + 12, f->ds_instr);
}

/* Packet number @seq of a flow: sizes and contents follow from the number. */
int build_data(uint8_t *buf, const struct flow *f, uint32_t seq)
{
	uint64_t s = ((uint64_t)f->id << 32 | seq) * 2 + 1;
	int ip = ETH_BYTES + (f->vlan ? 4 : 0), udp, bth, end, size, i;

	dice(&s);
	size = f->size_min + dice(&s) % (f->size_max - f->size_min + 1);
	if (size < ID_BYTES)
		size = ID_BYTES;
	memset(buf, 0, ETH_BYTES + 4 + V6_BYTES + UDP_BYTES + BTH_BYTES);
	memcpy(buf, f->via ? f->via->mac : f->dst->mac, 6);
	memcpy(buf + 6, f->src->mac, 6);
	if (f->vlan) {
		put16(buf + 12, 0x8100);
		put16(buf + 14, f->vlan);
	}
	put16(buf + ip - 2, f->v6 ? 0x86dd : 0x0800);

	udp = ip + put_ip(buf + ip, f, UDP_BYTES + BTH_BYTES + size + ICRC_BYTES);
	bth = udp + UDP_BYTES;
	end = bth + BTH_BYTES + size + ICRC_BYTES;
	put16(buf + udp, 49152 + f->id);
	put16(buf + udp + 2, ROCE_PORT);
	put16(buf + udp + 4, end - udp);
	buf[bth] = 0x07;	/* RC RDMA WRITE middle */
	put16(buf + bth + 2, 0xffff);
	put32(buf + bth + 4, 0x11);
	put32(buf + bth + 8, seq & 0xffffff);
	for (i = 0; i < size; i++)
		buf[bth + BTH_BYTES + i] = i & 7 ? (uint64_t)i : dice(&s);
	put32(buf + bth + BTH_BYTES, MAGIC);
	put32(buf + bth + BTH_BYTES + 4, f->id);
	put32(buf + bth + BTH_BYTES + 8, seq);
	put_icrc(buf, ip, f->v6, udp, end);

	if (f->telemetry) {
		memmove(buf + bth + INT_BYTES, buf + bth, end - bth);
		end += INT_BYTES;
		put_int(buf + bth, f);
		put16(buf + udp + 4, end - udp);
		if (f->v6) {
			put16(buf + ip + 4, end - udp);
		} else {
			put16(buf + ip + 2, end - ip);
			put16(buf + ip + 10, 0);
			put16(buf + ip + 10, ip_checksum(buf + ip, V4_BYTES));
		}
	}
	return end;
}

int build_pfc(uint8_t *buf, const uint8_t *src, uint16_t enable,
	      const uint16_t *quanta)
{
	static const uint8_t dst[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };
	int i;

	memset(buf, 0, MIN_FRAME);
	memcpy(buf, dst, 6);
	memcpy(buf + 6, src, 6);
	put16(buf + 12, MAC_CONTROL);
	put16(buf + 14, OPCODE_PFC);
	put16(buf + 16, enable);
	for (i = 0; i < PRIOS; i++)
		put16(buf + 18 + 2 * i, quanta[i]);
	return MIN_FRAME;
}

/* Fields of eight bytes count twice. */
int hop_words(uint16_t instr, uint16_t ds_instr)
{
	return __builtin_popcount(instr) + __builtin_popcount(ds_instr) +
	       __builtin_popcount(instr & 0x0e00) +
	       __builtin_popcount(ds_instr & 0x9000);
}

/* Do ports change the domain-specific flags? */
bool has_path(const struct parsed *p)
{
	return p->domain == 0x0cc1 && p->ds_instr & 0x1000;
}

/* Id of a path with one more port, Documentation/devel/wire.md. */
uint16_t path_id(uint16_t path, uint32_t node, uint16_t port)
{
	const uint64_t golden = 0x61c8864680b583ebULL;
	uint64_t x = ((uint64_t)node << 32 | (uint32_t)port << 16 | path) * golden;

	return ((x ^ x >> 32) * golden) >> 48;
}

/* What a port writes in 8 bytes: units by speed, Documentation/reference/wire-formats.md. */
uint64_t compact_hop(const struct hop *h)
{
	static const struct {
		unsigned int mbps, ns, tx_bytes, queue_bytes;
	} units[] = {
		{ 1000, 64, 2, 4 }, { 2500, 32, 4, 4 }, { 5000, 16, 4, 8 },
		{ 10000, 8, 8, 16 }, { 20000, 4, 16, 32 }, { 25000, 4, 16, 32 },
		{ 40000, 2, 16, 64 }, { 50000, 2, 16, 64 }, { 100000, 1, 16, 128 },
		{ 200000, 1, 32, 256 }, { 400000, 1, 64, 512 }, { 800000, 1, 128, 1024 },
	};
	uint64_t queue;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].mbps == h->speed_mbps)
			break;
	if (i == ARRAY_SIZE(units))
		return 0;
	queue = ((uint64_t)h->qlen_bytes + units[i].queue_bytes / 2) / units[i].queue_bytes;
	return (i + 1ULL) << 60 | (h->egress_ns / units[i].ns % (1 << 24)) << 36 |
	       (h->tx_bytes / units[i].tx_bytes % (1 << 20)) << 16 |
	       (queue < 0xffff ? queue : 0xffff);
}

static bool parse_ip(struct parsed *p, const uint8_t *b, int len)
{
	int ip = p->ip;

	if (p->v6) {
		if (ip + V6_BYTES > len || b[ip] >> 4 != 6)
			return false;
		p->dscp = (get16(b + ip) >> 6) & 63;
		p->ecn = (get16(b + ip) >> 4) & 3;
		p->udp = ip + V6_BYTES;
		p->end = p->udp + get16(b + ip + 4);
		return b[ip + 6] == 17;
	}
	if (ip + V4_BYTES > len || b[ip] >> 4 != 4 || (b[ip] & 15) < 5)
		return false;
	p->dscp = b[ip + 1] >> 2;
	p->ecn = b[ip + 1] & 3;
	p->fragment = get16(b + ip + 6) & 0x3fff;
	p->udp = ip + (b[ip] & 15) * 4;
	p->end = ip + get16(b + ip + 2);
	return b[ip + 9] == 17 && !p->fragment;
}

static void parse_int(struct parsed *p, const uint8_t *b)
{
	const uint8_t *shim = b + p->bth;
	int words;

	p->shim = p->bth;
	if (p->bth + INT_BYTES + BTH_BYTES + ICRC_BYTES > p->end)
		return;
	words = shim[1] - (INT_BYTES / 4 - 1);
	p->hop_words = shim[6] & 31;
	p->rem_hop = shim[7];
	p->flags = shim[4] & 15;
	p->instr = get16(shim + 8);
	p->domain = get16(shim + 10);
	p->ds_instr = get16(shim + 12);
	p->ds_flags = get16(shim + 14);
	if ((shim[0] & 0xfc) != 0x10 || shim[4] >> 4 != 2 || words < 0 ||
	    !p->hop_words || words % p->hop_words ||
	    p->shim + INT_BYTES + 4 * words + BTH_BYTES + ICRC_BYTES > p->end)
		return;
	p->nr_hops = words / p->hop_words;
	p->int_ok = true;
	p->bth = p->shim + INT_BYTES + 4 * words;
}

/* False: not a whole UDP datagram to RoCE's port. What has the DSCP of INT
 * and no sound INT header has no @bth.
 */
bool parse_frame(struct parsed *p, const uint8_t *b, int len, int int_dscp)
{
	int at = 12;

	memset(p, 0, sizeof(*p));
	while (at + 6 <= len && (get16(b + at) == 0x8100 || get16(b + at) == 0x88a8))
		at += 4;
	if (at + 2 > len)
		return false;
	p->ip = at + 2;
	p->v6 = get16(b + at) == 0x86dd;
	if ((!p->v6 && get16(b + at) != 0x0800) || !parse_ip(p, b, len) ||
	    p->udp + UDP_BYTES > len || get16(b + p->udp + 2) != ROCE_PORT)
		return false;
	if (p->end > len || p->udp + get16(b + p->udp + 4) != p->end)
		return false;
	p->bth = p->udp + UDP_BYTES;
	if (p->dscp == int_dscp) {
		parse_int(p, b);
		if (!p->int_ok)
			p->bth = 0;
	}
	return true;
}

/* Where the newest hop is. */
int int_stack(const struct parsed *p)
{
	return p->shim + INT_BYTES;
}

/* The fields of a hop in the order of the wire; those without a place in
 * struct hop are skipped.
 */
static const struct hop_field {
	bool ds;		/* domain-specific instruction */
	uint16_t bit;
	uint8_t bytes;
	size_t at, size;
} hop_fields[] = {
#define FIELD(ds, bit, bytes, f) \
	{ ds, bit, bytes, offsetof(struct hop, f), sizeof_field(struct hop, f) }
	FIELD(false, 0x8000, 4, node),
	FIELD(false, 0x4000, 2, in_port),
	FIELD(false, 0x4000, 2, out_port),
	FIELD(false, 0x2000, 4, latency_ns),
	FIELD(false, 0x1000, 1, queue),
	FIELD(false, 0x1000, 3, occupancy),
	FIELD(false, 0x0800, 8, ingress_ns),
	FIELD(false, 0x0400, 8, egress_ns),
	{ false, 0x0200, 8, 0, 0 },
	{ false, 0x0100, 4, 0, 0 },
	{ false, 0x0080, 4, 0, 0 },
	FIELD(true, 0x8000, 8, tx_bytes),
	FIELD(true, 0x4000, 4, qlen_bytes),
	FIELD(true, 0x2000, 4, speed_mbps),
	FIELD(true, 0x1000, 8, compact),
#undef FIELD
};

/* @nr: 0 is the newest. */
void parse_hop(struct hop *h, const struct parsed *p, const uint8_t *frame,
	       int nr)
{
	const uint8_t *b = frame + int_stack(p) + 4 * nr * p->hop_words;
	const struct hop_field *f;
	int i;

	memset(h, 0, sizeof(*h));
	for (f = hop_fields; f < hop_fields + ARRAY_SIZE(hop_fields); f++) {
		uint64_t v = 0;

		if (!((f->ds ? p->ds_instr : p->instr) & f->bit))
			continue;
		for (i = 0; i < f->bytes; i++)
			v = v << 8 | *b++;
		/* little-endian: the low bytes come first */
		memcpy((char *)h + f->at, &v, f->size);
	}
}

/* Offset of what build_data() put behind the BTH, 0 = there is no BTH. */
int data_offset(const struct parsed *p)
{
	return p->bth ? p->bth + BTH_BYTES : 0;
}

/* Which packet of which flow; false: none of ours. */
bool data_id(const struct parsed *p, const uint8_t *frame, uint32_t *flow,
	     uint32_t *seq)
{
	int at = data_offset(p);

	if (!at || at + ID_BYTES + ICRC_BYTES > p->end ||
	    get32(frame + at) != MAGIC)
		return false;
	*flow = get32(frame + at + 4);
	*seq = get32(frame + at + 8);
	return true;
}

/* Undo what @hops ports have done; the id of a path was 0. Returns the length that is
 * left.
 */
int remove_hops(uint8_t *b, int len, const struct parsed *p, int hops)
{
	int cut = 4 * hops * p->hop_words, at = int_stack(p);

	memmove(b + at, b + at + cut, len - at - cut);
	b[p->shim + 1] -= cut / 4;
	b[p->shim + 7] += hops;
	if (has_path(p))
		put16(b + p->shim + 14, 0);
	put16(b + p->udp + 4, get16(b + p->udp + 4) - cut);
	if (p->v6) {
		put16(b + p->ip + 4, get16(b + p->ip + 4) - cut);
	} else {
		put16(b + p->ip + 2, get16(b + p->ip + 2) - cut);
		put16(b + p->ip + 10, 0);
		put16(b + p->ip + 10, ip_checksum(b + p->ip, p->udp - p->ip));
	}
	return len - cut;
}
