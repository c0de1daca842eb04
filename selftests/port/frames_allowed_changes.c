// SPDX-License-Identifier: GPL-2.0
/*
 * What a switch port may do to a frame, however broken: push one hop, set E or
 * M, mark ECN, or nothing. Written from Documentation/reference/wire-formats.md and
 * Documentation/reference/qdisc.md, not from the kernel's code.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frames_allowed_changes.h"

#define SHIM_WORDS_MAX	255
#define KNOWN_INSTR	0xff81
#define KNOWN_DS	0xf000
#define TAGS_MAX	7	/* VLAN tags that Linux looks behind */

void set_init(struct set *s, uint64_t entries)
{
	uint64_t size = 1024;

	while (size < 2 * entries)
		size *= 2;
	s->mask = size - 1;
	s->slot = calloc(size, sizeof(*s->slot));
	if (!s->slot)
		die("memory for %llu frames", (unsigned long long)entries);
}

void set_add(struct set *s, uint64_t hash)
{
	uint64_t i = hash & s->mask;

	while (s->slot[i] && s->slot[i] != hash)
		i = (i + 1) & s->mask;
	s->slot[i] = hash;
}

bool set_has(const struct set *s, uint64_t hash)
{
	uint64_t i = hash & s->mask;

	while (s->slot[i] && s->slot[i] != hash)
		i = (i + 1) & s->mask;
	return s->slot[i];
}

/* FNV-1a; never 0 */
static uint64_t hash_bytes(const uint8_t *b, int len)
{
	uint64_t h = 14695981039346656037ULL + len;

	while (len--)
		h = (h ^ *b++) * 1099511628211ULL;
	h ^= h >> 29;
	return h ? h : 1;
}

static bool is_tag(int type)
{
	return type == 0x8100 || type == 0x88a8;
}

/* Where the network header is, behind tags, and the type in front of it. */
int ip_offset(const uint8_t *b, int len, int *type)
{
	int at = 12, tags;

	*type = 0;
	for (tags = 0; tags <= TAGS_MAX && at + 2 <= len; tags++, at += 4) {
		if (is_tag(get16(b + at)))
			continue;
		*type = get16(b + at);
		break;
	}
	return at + 2;
}

static bool read_ip(const uint8_t *b, int len, struct parsed *p)
{
	int type, ip = ip_offset(b, len, &type);

	memset(p, 0, sizeof(*p));
	p->ip = ip;
	p->v6 = type == 0x86dd;
	if (p->v6) {
		if (ip + 40 > len || b[ip] >> 4 != 6 || b[ip + 6] != 17)
			return false;
		p->dscp = (get16(b + ip) >> 6) & 63;
		p->udp = ip + 40;
		p->end = p->udp + get16(b + ip + 4);
		return true;
	}
	if (type != 0x0800 || ip + 20 > len || b[ip] >> 4 != 4 ||
	    (b[ip] & 15) < 5 || b[ip + 9] != 17 ||
	    (get16(b + ip + 6) & 0x3fff))
		return false;
	p->dscp = b[ip + 1] >> 2;
	p->udp = ip + (b[ip] & 15) * 4;
	p->end = ip + get16(b + ip + 2);
	return true;
}

/* Instructions that this domain's ports can follow, in hops of that length? */
static enum int_verdict check_instr(const struct parsed *p)
{
	bool ours = !p->ds_instr || p->domain == INT_DOMAIN;

	if (p->instr & ~KNOWN_INSTR)
		return INT_UNSUPPORTED;
	if (!ours)
		return p->hop_words < hop_words(p->instr, 0) +
				      __builtin_popcount(p->ds_instr) ?
		       INT_BAD : INT_PUSHED;
	if (p->ds_instr & ~KNOWN_DS)
		return INT_UNSUPPORTED;
	return p->hop_words == hop_words(p->instr, p->ds_instr) ? INT_PUSHED :
								  INT_BAD;
}

/* What a port must do with a frame as it comes; @p holds for all but NONE. */
enum int_verdict int_verdict(const uint8_t *b, int len, int mtu,
			     struct parsed *p)
{
	enum int_verdict verdict;
	const uint8_t *shim;
	int words;

	if (!read_ip(b, len, p) || p->dscp != INT_DSCP || p->udp + 8 > len ||
	    get16(b + p->udp + 2) != ROCE_PORT)
		return INT_NONE;
	p->shim = p->udp + 8;
	if (p->end > len || p->udp + get16(b + p->udp + 4) != p->end ||
	    p->shim + INT_BYTES + BTH_BYTES + ICRC_BYTES > p->end)
		return INT_BAD;
	shim = b + p->shim;
	if ((shim[0] & 0xfc) != 0x10)
		return INT_BAD;
	if (shim[4] >> 4 != 2)
		return INT_UNSUPPORTED;
	words = shim[1] - 3;
	p->hop_words = shim[6] & 31;
	if (words < 0 || !p->hop_words || words % p->hop_words ||
	    p->shim + INT_BYTES + 4 * words + BTH_BYTES + ICRC_BYTES > p->end)
		return INT_BAD;
	p->nr_hops = words / p->hop_words;
	p->rem_hop = shim[7];
	p->instr = get16(shim + 8);
	p->domain = get16(shim + 10);
	p->ds_instr = get16(shim + 12);
	p->int_ok = true;
	verdict = check_instr(p);
	if (verdict != INT_PUSHED)
		return verdict;
	if (get16(b + p->udp + 6))
		return INT_UNSUPPORTED;
	if (!p->rem_hop || shim[1] + p->hop_words > SHIM_WORDS_MAX)
		return INT_HOP_LIMIT;
	/* all behind the Ethernet header counts, but for one VLAN tag */
	if (len - ETH_BYTES - (is_tag(get16(b + 12)) ? 4 : 0) +
	    4 * p->hop_words > mtu)
		return INT_MTU;
	return INT_PUSHED;
}

/* A port looks at what has the type of MAC control; that never has a tag. */
enum pfc_verdict pfc_verdict(const uint8_t *b, int len)
{
	static const uint8_t dst[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

	/* the stack drops what ends with its tag before anybody sees it */
	if (len >= ETH_BYTES + 6 && is_tag(get16(b + 12)) &&
	    get16(b + 16) == MAC_CONTROL)
		return PFC_BAD;
	if (len < ETH_BYTES || get16(b + 12) != MAC_CONTROL)
		return PFC_NONE;
	if (len < MIN_FRAME)
		return PFC_BAD;
	if (get16(b + 14) != OPCODE_PFC)
		return PFC_OTHER;
	if (memcmp(b, dst, 6) || b[16])
		return PFC_BAD;
	return PFC_OK;
}

/* What no port may change: without ECN, IPv4's checksum, E, M and a path's id. */
uint64_t normal_hash(const uint8_t *frame, int len, int mtu)
{
	static uint8_t b[1 << 17];
	struct parsed p;
	int type, ip;

	memcpy(b, frame, len);
	ip = ip_offset(b, len, &type);
	switch (int_verdict(b, len, mtu, &p)) {
	case INT_PUSHED:
	case INT_HOP_LIMIT:
	case INT_MTU:
		b[p.shim + 4] &= ~(MD_E | MD_M);
		if (has_path(&p))
			put16(b + p.shim + 14, 0);
		break;
	default:
		break;
	}
	if (type == 0x0800 && ip + 12 <= len) {
		b[ip + 1] &= ~3;
		put16(b + ip + 10, 0);
	} else if (type == 0x86dd && ip + 2 <= len) {
		b[ip + 1] &= ~0x30;
	}
	return hash_bytes(b, len);
}

/* Did the flag that the verdict asks for get set? */
static bool flagged(const uint8_t *b, const struct parsed *p,
		    enum int_verdict verdict)
{
	return b[p->shim + 4] & (verdict == INT_HOP_LIMIT ? MD_E : MD_M);
}

/**
 * port_verdict - what the last port has done to a frame, and was it right?
 * @sent: normal_hash() of all frames sent
 * @b: frame that has come in
 * @len: its length
 * @mtu: the port's
 * @why: set to what is wrong, or NULL
 *
 * Return: what the port must have counted.
 */
enum int_verdict port_verdict(const struct set *sent, const uint8_t *b, int len,
			      int mtu, const char **why)
{
	static uint8_t popped[1 << 17];
	enum int_verdict verdict;
	struct parsed p;
	int rest;

	*why = NULL;
	verdict = int_verdict(b, len, 1 << 17, &p);
	if (verdict != INT_NONE && p.int_ok && p.nr_hops && p.rem_hop < 255 &&
	    p.udp <= 60 + ETH_BYTES + 32) {
		memcpy(popped, b, len);
		rest = remove_hops(popped, len, &p, 1);
		if (set_has(sent, normal_hash(popped, rest, mtu))) {
			if (int_verdict(popped, rest, mtu, &p) != INT_PUSHED)
				*why = "metadata where none was due";
			return INT_PUSHED;
		}
	}
	if (!set_has(sent, normal_hash(b, len, mtu)))
		*why = "a frame that nobody has sent";
	verdict = int_verdict(b, len, mtu, &p);
	if (verdict == INT_PUSHED)
		*why = "no metadata where it was due";
	else if ((verdict == INT_HOP_LIMIT || verdict == INT_MTU) &&
		 !flagged(b, &p, verdict))
		*why = "neither metadata nor E or M";
	return verdict;
}
