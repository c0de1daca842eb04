// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that are wrong in all the ways that a port must stand: from sound INT
 * and PFC frames and messages of LSCC by flips, lies about lengths, cuts, tags,
 * fragments, wrong addresses, random stacks, giant pauses; and some that are sound.
 */
#include <string.h>

#include "frames_allowed_changes.h"

static const uint8_t pfc_dst[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

static uint32_t below(struct mutator *m, uint32_t n)
{
	return (dice(&m->seed) >> 32) % n;
}

/* True once in @n. */
static bool once_in(struct mutator *m, uint32_t n)
{
	return !below(m, n);
}

/* Move what is from @at on away by @bytes of anything. */
static int insert(struct mutator *m, uint8_t *b, int len, int at, int bytes)
{
	int i;

	memmove(b + at + bytes, b + at, len - at);
	for (i = 0; i < bytes; i++)
		b[at + i] = below(m, 256);
	return len + bytes;
}

/* A sound INT packet with a stack of some hops. */
static int make_int(struct mutator *m, uint8_t *b)
{
	static const uint16_t instrs[] = {
		0xc400, 0x0400, 0xff80, 0xff81, 0x8000, 0x1000, 0x0001, 0xfc00, 0,
	};
	struct flow f = {
		.id = MAX_FLOWS - 1, .src = m->src, .dst = m->dst,
		.v6 = once_in(m, 3), .telemetry = true, .dscp = INT_DSCP,
		.ecn = below(m, 4), .size_min = 12, .domain = INT_DOMAIN,
		.instr = instrs[below(m, ARRAY_SIZE(instrs))],
		.ds_instr = below(m, 16) << 12, .rem_hop = below(m, 20),
	};
	int len, stack, words, at;
	struct parsed p;

	f.size_max = once_in(m, 4) ? 8800 : 200;
	if (once_in(m, 16)) {
		/* about the MTU of 9000 */
		f.size_min = 8850;
		f.size_max = 8910;
	}
	if (once_in(m, 16))
		f.rem_hop = 256 - below(m, 2);
	if (once_in(m, 8))
		f.domain = below(m, 65536);
	len = build_data(b, &f, m->serial);
	if (!parse_frame(&p, b, len, INT_DSCP) || !p.int_ok || !p.hop_words)
		return len;
	stack = below(m, once_in(m, 8) ? 60 : 6);
	words = stack * p.hop_words;
	if (3 + words > 255 || len + 4 * words > 9000)
		return len;
	at = int_stack(&p);
	len = insert(m, b, len, at, 4 * words);
	b[p.shim + 1] += words;
	put16(b + p.udp + 4, get16(b + p.udp + 4) + 4 * words);
	if (p.v6) {
		put16(b + p.ip + 4, get16(b + p.ip + 4) + 4 * words);
	} else {
		put16(b + p.ip + 2, get16(b + p.ip + 2) + 4 * words);
		put16(b + p.ip + 10, 0);
		put16(b + p.ip + 10, ip_checksum(b + p.ip, p.udp - p.ip));
	}
	return len;
}

static int make_pfc(struct mutator *m, uint8_t *b)
{
	uint16_t quanta[PRIOS];
	int i;

	for (i = 0; i < PRIOS; i++)
		quanta[i] = once_in(m, 8) ? 0xffff : once_in(m, 4) ? 0 :
			    below(m, 2000);
	return build_pfc(b, m->src->mac, once_in(m, 2) ? 8 : below(m, 256),
			 quanta);
}

/* What the other end of a long link tells, mostly newer than the last time. */
static int make_feedback(struct mutator *m, uint8_t *b)
{
	const struct feedback f = {
		.from = FUZZ_PEER, .to = FUZZ_SELF, .ttl = 255, .mac = 0x0e,
		.seq = m->serial - below(m, 4), .time = m->serial - below(m, 4),
		.rate = once_in(m, 4) ? (uint32_t)dice(&m->seed) : below(m, 20000),
	};

	return build_feedback(b, m->src->mac, &f);
}

/* Somebody else's destination, or a source that must not be. */
static void wrong_address(struct mutator *m, uint8_t *b)
{
	uint8_t *mac = b + (once_in(m, 4) ? 6 : 0);
	int i;

	switch (below(m, 5)) {
	case 0:
		memset(mac, 0xff, 6);
		break;
	case 1:
		memset(mac, 0, 6);
		break;
	case 2:
		memcpy(mac, pfc_dst, 6);
		mac[5] = below(m, 16);
		break;
	case 3:
		memcpy(mac, m->src->mac, 6);
		break;
	default:
		for (i = 0; i < 6; i++)
			mac[i] = below(m, 256);
		break;
	}
}

/* Lie about a length or a count somewhere in the headers of an INT packet. */
static void lie(struct mutator *m, uint8_t *b, int len)
{
	int type, ip = ip_offset(b, len, &type);
	bool v6 = type == 0x86dd;
	int udp = ip + (v6 ? 40 : 20), shim = udp + 8;
	static const uint16_t values[] = { 0, 1, 7, 8, 27, 28, 0x7fff, 0xffff };
	unsigned int v = once_in(m, 2) ? below(m, 65536) :
			 values[below(m, ARRAY_SIZE(values))];

	if (shim + INT_BYTES > len)
		return;
	switch (below(m, 9)) {
	case 0:
		put16(b + ip + (v6 ? 4 : 2), v);
		break;
	case 1:
		put16(b + udp + 4, v);
		break;
	case 2:
		b[shim + 1] = v;
		break;
	case 3:
		b[shim + 6] = v;
		break;
	case 4:
		b[shim + 7] = v;
		break;
	case 5:
		put16(b + shim + 8, v);
		break;
	case 6:
		put16(b + shim + 12, v);
		break;
	case 7:
		b[shim + (once_in(m, 2) ? 0 : 4)] = v;
		break;
	default:
		put16(b + udp + 6, v);	/* a checksum */
		break;
	}
}

/* The parts of IP that change where UDP is, or that there is any. */
static int twist_ip(struct mutator *m, uint8_t *b, int len)
{
	int type, ip = ip_offset(b, len, &type);

	if (ip + 40 > len)
		return len;
	if (type == 0x86dd) {
		b[ip + 6] = below(m, 4) ? 44 : 0;	/* extension headers */
		return len;
	}
	switch (below(m, 4)) {
	case 0:
		put16(b + ip + 6, 1 << below(m, 14));	/* fragments */
		return len;
	case 1:
		b[ip] = 0x40 | below(m, 16);
		return len;
	case 2:
		b[ip + 9] = below(m, 256);
		return len;
	default:
		b[ip] = 0x46;	/* sound options: lengths follow */
		put16(b + ip + 2, get16(b + ip + 2) + 4);
		return insert(m, b, len, ip + 20, 4);
	}
}

static int add_tags(struct mutator *m, uint8_t *b, int len)
{
	int n = 1 + below(m, 3);

	while (n--) {
		len = insert(m, b, len, 12, 4);
		put16(b + 12, once_in(m, 3) ? 0x88a8 : 0x8100);
	}
	return len;
}

static void flip(struct mutator *m, uint8_t *b, int len)
{
	int span = once_in(m, 4) ? len : 80, n = 1 + below(m, 8);

	if (span > len)
		span = len;
	while (n--) {
		int bit = below(m, 8 * (span - 12));

		b[12 + bit / 8] ^= 1 << bit % 8;
	}
}

/**
 * mutate - one more frame
 * @m: where from and where to, and the dice
 * @buf: frame
 * @max: room in @buf, 10000 at least
 *
 * Return: length of the frame.
 */
int mutate(struct mutator *m, uint8_t *buf, int max)
{
	int len = once_in(m, 4) ? make_pfc(m, buf) :
		  once_in(m, 8) ? make_feedback(m, buf) : make_int(m, buf), n;

	m->serial++;
	for (n = below(m, 4); n > 0; n--) {
		switch (below(m, 8)) {
		case 0:
		case 1:
			flip(m, buf, len);
			break;
		case 2:
		case 3:
			lie(m, buf, len);
			break;
		case 4:
			len = ETH_BYTES + below(m, len - ETH_BYTES + 1);
			if (len < ETH_BYTES + 1)
				len = ETH_BYTES + 1;
			break;
		case 5:
			wrong_address(m, buf);
			break;
		case 6:
			if (len + 64 < max)
				len = add_tags(m, buf, len);
			break;
		default:
			if (len + 64 < max)
				len = twist_ip(m, buf, len);
			break;
		}
	}
	if (once_in(m, 64))
		for (n = 12; n < len; n++)
			buf[n] = below(m, 256);
	return len;
}
