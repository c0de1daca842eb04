// SPDX-License-Identifier: GPL-2.0
/*
 * Bad packets, made of sound ones that were just seen: lies about lengths, counts
 * and types, telemetry that contradicts what was told before, numbers of other
 * packets and queue pairs, strangers, cuts, replays.
 *
 * What a peer with a right ICRC can do to a transfer by the rules of RoCE itself
 * is none of this: no acknowledgment for what is under way, no NAK, no request
 * that would be taken for the next one. Where a copy may be faster than its original it has
 * no other length and no number that may be under way: what has the awaited one is believed.
 */
#include "rxe_fuzz.h"

#define STRANGER	77	/* last byte of an address that nobody has */

static uint32_t below(struct mutator *m, uint32_t n)
{
	m->seed = m->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (m->seed >> 33) % n;
}

static bool once_in(struct mutator *m, uint32_t n)
{
	return !below(m, n);
}

static void anything(struct mutator *m, uint8_t *p, int n)
{
	while (n-- > 0)
		*p++ = below(m, 256);
}

/**
 * packet_apart() - take INT off a packet
 * @p: receives both
 * @pkt: packet, from the IP header on
 * @len: its length
 *
 * Return: false when it is none that can be used.
 */
bool packet_apart(struct packet *p, const uint8_t *pkt, int len)
{
	const uint8_t *shim = pkt + BTH;

	p->tel_len = 0;
	if (len < BTH + BTH_LEN + ICRC_LEN || len > MAX_LEN / 2)
		return false;
	if (pkt[1] >> 2 == INT_DSCP) {
		p->tel_len = 4 + 4 * shim[1];
		if (p->tel_len < INT_HDR || len < BTH + p->tel_len + BTH_LEN + ICRC_LEN)
			return false;
		memcpy(p->tel, shim, p->tel_len);
	}
	p->len = len - p->tel_len;
	memcpy(p->b, pkt, BTH);
	memcpy(p->b + BTH, pkt + BTH + p->tel_len, p->len - BTH);
	if (p->tel_len)
		p->b[1] = (p->tel[3] & 0xfc) | (p->b[1] & 3);
	set_length(p->b, p->len);
	return true;
}

/**
 * packet_together() - a packet as it goes out
 * @p: packet and INT
 * @pkt: receives it
 *
 * Return: its length.
 */
int packet_together(const struct packet *p, uint8_t *pkt)
{
	memcpy(pkt, p->b, BTH);
	memcpy(pkt + BTH, p->tel, p->tel_len);
	memcpy(pkt + BTH + p->tel_len, p->b + BTH, p->len - BTH);
	if (p->tel_len)
		pkt[1] = INT_DSCP << 2 | (pkt[1] & 3);
	set_length(pkt, p->len + p->tel_len);
	return p->len + p->tel_len;
}

static bool is_request(const struct packet *p)
{
	return p->b[BTH] < 0x0c;
}

/**
 * mutator_sees() - a sound packet went out
 * @m: mutator
 * @p: that
 *
 * Return: true when bad ones may be made of it: not of a READ request, which would
 * be answered in full, nor of a NAK.
 */
bool mutator_sees(struct mutator *m, const struct packet *p)
{
	uint8_t op = p->b[BTH];

	if (p->tel_len > INT_HDR && p->tel_len <= INT_HDR + MAX_HOPS * HOP) {
		m->nr_hops = (p->tel_len - INT_HDR) / HOP;
		memcpy(m->hops, p->tel + INT_HDR, m->nr_hops * HOP);
	}
	if (op == 0x0c || (op > OP_ACK && op != OP_REPORT && op != OP_PROBE) ||
	    (op == OP_ACK && p->b[BTH + BTH_LEN] & 0x60))
		return false;
	m->old[m->nr_old++ % (sizeof(m->old) / sizeof(*m->old))] = *p;
	return true;
}

/* One value of one hop: what no port tells, or what it told otherwise before. */
static void twist_hop(struct mutator *m, uint8_t *hop)
{
	static const uint8_t ones[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t at[] = { 0, 6, 8, 16, 24, 28 }, size[] = { 4, 2, 8, 8, 4, 4 };
	int f = below(m, sizeof(at)), i;

	switch (below(m, 5)) {
	case 0:
		memset(hop + at[f], 0, size[f]);
		break;
	case 1:
		memcpy(hop + at[f], ones, size[f]);
		break;
	case 2:
		anything(m, hop + at[f], size[f]);
		break;
	default:
		/* a little less, or more: borrow and carry do not matter */
		i = at[f] + size[f] - 1 - below(m, size[f] > 4 ? 4 : size[f]);
		hop[i] += once_in(m, 2) ? -1 - below(m, 8) : 1 + below(m, 8);
		break;
	}
}

/* A stack of @n hops in @h that are wrong together: fewer, more, in another order.
 * Returns how many there are then.
 */
static int twist_stack(struct mutator *m, uint8_t *h, int n, int max)
{
	uint8_t hop[HOP];
	int i;

	switch (below(m, 6)) {
	case 0:
		return n ? n - 1 : 0;
	case 1:
		if (n)
			memmove(h, h + HOP, --n * HOP);
		return n;
	case 2:
		return 0;
	case 3:
		if (n > 1) {
			memcpy(hop, h, HOP);
			memmove(h, h + HOP, (n - 1) * HOP);
			memcpy(h + (n - 1) * HOP, hop, HOP);
		}
		return n;
	default:
		for (i = below(m, 2 * MAX_HOPS); i > 0 && n < max; i--, n++) {
			if (n)
				memcpy(h + n * HOP, h, HOP);
			else
				anything(m, h, HOP);
		}
		return n;
	}
}

/* A compact hop, of one of the speeds most of the time. */
static void make_small(struct mutator *m, uint8_t *hop)
{
	anything(m, hop, SMALL);
	if (!once_in(m, 8))
		hop[0] = 9 << 4 | (hop[0] & 15);
}

/* A few hops of eight bytes, compact ones or a time. Returns their length. */
static int make_smalls(struct mutator *m, uint8_t *h, int most)
{
	int n = below(m, most + 1), i;

	for (i = 0; i < n; i++)
		make_small(m, h + i * SMALL);
	return n * SMALL;
}

/* The same in a packet. */
static void add_small_int(struct mutator *m, struct packet *p)
{
	static const uint8_t heads[2][INT_HDR] = {
		{ 0x10, 3, 0, 0, 0x20, 0, 2, 8, 0x00, 0, 0x0c, 0xc1, 0x10, 0, 0, 0 },
		{ 0x10, 3, 0, 0, 0x20, 0, 2, 0, 0x04, 0, 0x0c, 0xc1, 0x00, 0, 0, 0 },
	};
	int n;

	memcpy(p->tel, heads[below(m, 2)], INT_HDR);
	anything(m, p->tel + 14, 2);
	n = make_smalls(m, p->tel + INT_HDR, once_in(m, 4) ? 20 : 2);
	p->tel[1] += n / 4;
	p->tel[3] = p->b[1] & 0xfc;
	p->tel_len = INT_HDR + n;
}

/* What is wrong with compact hops, or the id of their path. */
static void twist_small(struct mutator *m, struct packet *p)
{
	int n = (p->tel_len - INT_HDR) / SMALL;
	uint8_t *hop = p->tel + INT_HDR + (n ? below(m, n) : 0) * SMALL;

	if (!n || once_in(m, 4))
		anything(m, p->tel + 14, 2);
	else if (once_in(m, 3))
		hop[below(m, SMALL)] ^= 1 << below(m, 8);
	else if (once_in(m, 2))
		make_small(m, hop);
	else
		hop[below(m, SMALL)] += 1 - 2 * below(m, 2);
}

/* INT where there was none, as a source writes it, with hops seen before. */
static void add_int(struct mutator *m, struct packet *p)
{
	static const uint8_t head[INT_HDR] = {
		0x10, 3, 0, 0, 0x20, 0, HOP / 4, 8, 0xc4, 0, 0x0c, 0xc1, 0xe0, 0, 0, 0,
	};

	memcpy(p->tel, head, INT_HDR);
	memcpy(p->tel + INT_HDR, m->hops, m->nr_hops * HOP);
	p->tel[1] += m->nr_hops * HOP / 4;
	p->tel[3] = p->b[1] & 0xfc;
	p->tel_len = INT_HDR + m->nr_hops * HOP;
}

static void twist_int(struct mutator *m, struct packet *p)
{
	int n, max = (255 - 3) / (HOP / 4);

	if (!p->tel_len && once_in(m, 3))
		add_small_int(m, p);
	else if (!p->tel_len)
		add_int(m, p);
	if (p->tel[6] == SMALL / 4 && once_in(m, 2)) {
		twist_small(m, p);
		return;
	}
	n = (p->tel_len - INT_HDR) / HOP;
	switch (below(m, 4)) {
	case 0:			/* the headers lie */
		n = below(m, INT_HDR);
		p->tel[n] ^= once_in(m, 2) ? below(m, 256) : 1U << below(m, 8);
		break;
	case 1:
		p->tel[1] += once_in(m, 2) ? HOP / 4 : -HOP / 4;
		break;
	case 2:
		if (p->tel[1] == 3 + n * HOP / 4) {
			n = twist_stack(m, p->tel + INT_HDR, n, max);
			p->tel[1] = 3 + n * HOP / 4;
			p->tel_len = INT_HDR + n * HOP;
		}
		break;
	default:
		while (n && !once_in(m, 3))
			twist_hop(m, p->tel + INT_HDR + below(m, n) * HOP);
		break;
	}
}

/* One more TLV behind @t; most of them right. Returns its length. */
static int make_tlv(struct mutator *m, uint8_t *t)
{
	static const uint8_t words[] = { 2, 0, 6, 2, 1, 3, 0 };
	int type = once_in(m, 8) ? below(m, 256) : 1 + below(m, 6), n;

	t[0] = type;
	t[1] = type < (int)sizeof(words) ? words[type] : below(m, 8);
	if (type == 6)
		t[1] = 3 + 2 * below(m, 4);
	put16(t + 2, once_in(m, 4) ? below(m, 65536) : 0);
	if (type == 1 && once_in(m, 2)) {
		/* compact, or the first port's time */
		n = 1 + below(m, 2);
		t[3] = (t[3] & ~12) | n << 2;
		anything(m, t + 4, 4);
		t[1] = make_smalls(m, t + 4 + (n == 1 ? 4 : 0),
				   n == 2 ? 1 : once_in(m, 8) ? 20 : 4) / 4 + (n == 1);
	} else if (type == 1) {
		memcpy(t + 4, m->hops, m->nr_hops * HOP);
		n = m->nr_hops;
		if (once_in(m, 3))
			n = twist_stack(m, t + 4, n, 20);
		while (n && !once_in(m, 3))
			twist_hop(m, t + 4 + below(m, n) * HOP);
		t[1] = n * HOP / 4;
	} else if (once_in(m, 6)) {
		memset(t + 4, 0, 4 * t[1]);
	} else {
		/* windows and times of sensible size, and of any */
		memset(t + 4, 0, 4 * t[1]);
		n = below(m, 4 * t[1] + 1);
		anything(m, t + 4 + 4 * t[1] - n, n);
	}
	/* What the algorithms that run take for theirs. */
	if (type == 6 && !once_in(m, 4)) {
		static const char *const who[] = { "hpcc", "hpccpp", "rcc", "dart" };
		uint32_t id = algo_id(who[below(m, 4)]);

		put16(t + 4, id >> 16);
		put16(t + 6, id);
	}
	n = 4 + 4 * t[1];
	if (once_in(m, 6))
		t[1] = once_in(m, 2) ? below(m, 256) : t[1] + 1 - 2 * below(m, 2);
	return n;
}

/* TLVs from @at on: those that are there, more, twice the same, odd ends. */
static void twist_tlvs(struct mutator *m, struct packet *p, int at)
{
	int len = p->len - ICRC_LEN, n, old = len - at;

	if (once_in(m, 2) || at > len)
		len = at;
	if (len > at && once_in(m, 4) && len + old < MAX_LEN / 4) {
		memcpy(p->b + len, p->b + at, old);
		len += old;
	}
	if (len > at && once_in(m, 4))
		p->b[at + below(m, len - at)] = below(m, 256);
	for (n = below(m, 4); n > 0; n--)
		len += make_tlv(m, p->b + len);
	if (once_in(m, 8))
		len -= below(m, len - at + 1);
	if (once_in(m, 8)) {
		n = below(m, 12);
		anything(m, p->b + len, n);
		len += n;
	}
	p->len = len + ICRC_LEN;
}

/* Of something old, or, as far as the rules of RoCE bear that, never sent. */
static void twist_psn(struct mutator *m, struct packet *p)
{
	uint32_t psn = get24(p->b + BTH + 9);

	switch (below(m, 5)) {
	case 0:
		/* behind all that is under way, where it might be awaited still */
		psn -= (m->overtakes ? 1024 : 1) + below(m, 64);
		break;
	case 1:
		psn -= 1 << (10 + below(m, 11));
		break;
	case 2:
		if (p->b[BTH] >= 0x0d && p->b[BTH] <= 0x10)
			break;
		psn += PSN_FAR << (1 + below(m, 2));
		break;
	default:
		break;
	}
	put24(p->b + BTH + 9, psn);
}

/* Nobody's queue pair; for what is no response, also another one's. */
static void twist_qpn(struct mutator *m, struct packet *p)
{
	static const uint32_t odd[] = { 0, 1, 2, 0xfffffe, 0xffffff };
	bool response = p->b[BTH] >= 0x0d && p->b[BTH] <= OP_ACK;
	uint32_t qpn = once_in(m, 2) ? odd[below(m, 5)] : below(m, 1 << 24);

	if (!response && once_in(m, 2) && m->peer_qps->n)
		qpn = m->peer_qps->v[below(m, m->peer_qps->n)];
	else if (!response && once_in(m, 4))
		qpn = get24(p->b + BTH + 5) + 1 - 2 * below(m, 2);
	if (response && numbers_have(m->peer_qps, qpn))
		qpn = 2;
	/* The number of multicast is for any type of queue pair. */
	if (qpn == 0xffffff && p->b[BTH] >= 0x20)
		qpn = 0;
	put24(p->b + BTH + 5, qpn);
}

/* Beside the numbers: opcodes that no queue pair here takes, version, key, pad. */
static void twist_bth(struct mutator *m, struct packet *p)
{
	switch (below(m, 5)) {
	case 0:
		p->b[BTH] = 0x20 + below(m, 0x61);
		break;
	case 1:
		p->b[BTH] = 0xc3 + below(m, 0x3d);
		break;
	case 2:
		p->b[BTH + 1] ^= 1 << below(m, 4);
		break;
	case 3:
		if (!m->overtakes)
			p->b[BTH + 1] ^= 0x10 << below(m, 2);
		break;
	default:
		put16(p->b + BTH + 2, below(m, 65536));
		break;
	}
}

/* A report of any kind, on the packet at hand; a switch gives the other number. */
static void make_report(struct mutator *m, struct packet *p)
{
	const int head = BTH + BTH_LEN;
	uint8_t kind = once_in(m, 8) ? below(m, 256) : below(m, 7);

	p->b[BTH] = OP_REPORT;
	p->b[BTH + 1] &= 0xc0;
	p->b[head] = kind;
	memset(p->b + head + 1, 0, 3);
	if (once_in(m, 8))
		anything(m, p->b + head + 1, 3);
	if ((kind == 4 || kind == 5) && m->own_qps->n && !once_in(m, 4))
		put24(p->b + BTH + 5, m->own_qps->v[below(m, m->own_qps->n)]);
	p->tel_len = 0;
	p->len = head + 4 + ICRC_LEN;
	twist_tlvs(m, p, head + 4);
}

static void make_probe(struct mutator *m, struct packet *p)
{
	p->b[BTH] = OP_PROBE;
	p->b[BTH + 1] &= 0xc0;
	p->len = BTH + BTH_LEN + ICRC_LEN + (once_in(m, 8) ? 4 * below(m, 4) : 0);
	if (!p->tel_len)
		add_int(m, p);
	if (once_in(m, 2))
		twist_int(m, p);
}

static void make_cnp(struct mutator *m, struct packet *p)
{
	uint8_t *resv = p->b + BTH + BTH_LEN;

	p->b[BTH] = OP_CNP;
	p->b[BTH + 1] &= 0xc0;
	p->len = CNP_LEN + (once_in(m, 8) ? 4 * below(m, 3) - 4 : 0);
	p->tel_len = 0;
	memset(resv, 0, 16);
	if (once_in(m, 2))
		anything(m, resv, 5);
	if (resv[4] & 1 && m->own_qps->n)
		put24(p->b + BTH + 5, m->own_qps->v[below(m, m->own_qps->n)]);
}

/* What is behind the BTH, by what the packet is. */
static void twist_body(struct mutator *m, struct packet *p)
{
	const int head = BTH + BTH_LEN;

	if (p->b[BTH] == OP_REPORT) {
		if (once_in(m, 4))
			p->b[head] = below(m, 6);
		twist_tlvs(m, p, head + 4);
	} else if (p->b[BTH] == OP_PROBE || p->tel_len || is_request(p)) {
		twist_int(m, p);
	} else if (p->b[BTH] == OP_ACK) {
		twist_tlvs(m, p, head + 4);
	}
}

/* What is wrong on the outside, when all else is done: not under the ICRC. */
static int twist_outside(struct mutator *m, uint8_t *pkt, int len)
{
	if (once_in(m, 16)) {
		len = BTH + below(m, len - BTH + 1);
		set_length(pkt, len);
	}
	if (once_in(m, 32))
		put16(pkt + IP_LEN + 4, once_in(m, 2) ? below(m, 65536) :
			get16(pkt + IP_LEN + 4) + 4 - 8 * below(m, 2));
	return len;
}

/**
 * mutate() - a bad packet
 * @m: mutator
 * @from: a sound packet that was just sent
 * @pkt: receives the bad one, from the IP header on
 *
 * Return: its length.
 */
int mutate(struct mutator *m, const struct packet *from, uint8_t *pkt)
{
	const unsigned int nr = sizeof(m->old) / sizeof(*m->old);
	static struct packet p;
	int len;

	p = *from;
	if (once_in(m, 12))
		p = m->old[below(m, m->nr_old < nr ? m->nr_old : nr)];
	switch (below(m, 24)) {
	case 0:			/* nothing but a replay */
		break;
	case 1:
		make_cnp(m, &p);
		break;
	case 2:
	case 3:
	case 4:
		make_report(m, &p);
		break;
	case 5:
		make_probe(m, &p);
		break;
	case 6:
		twist_bth(m, &p);
		break;
	default:
		twist_body(m, &p);
		break;
	}
	if (once_in(m, 4))
		twist_psn(m, &p);
	if (once_in(m, 12))
		twist_qpn(m, &p);
	if (once_in(m, 12))
		p.b[15] = STRANGER;
	seal(p.b, p.len);
	if (once_in(m, 12))
		p.b[p.len - 1 - below(m, ICRC_LEN)] ^= 1 << below(m, 8);
	len = twist_outside(m, pkt, packet_together(&p, pkt));
	pkt[8] = TTL_MARK;
	set_length(pkt, len);
	return len;
}
