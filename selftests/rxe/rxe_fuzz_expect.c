// SPDX-License-Identifier: GPL-2.0
/*
 * What must become of a packet that comes in, by its bytes alone: written from the
 * formats, not from the code that is tested. Its results bear the names of the
 * counters that must show them.
 */
#include "rxe_fuzz.h"

bool numbers_have(const struct numbers *s, uint32_t v)
{
	int i;

	for (i = 0; i < s->n && s->v[i] != v; i++)
		;
	return i < s->n;
}

void numbers_add(struct numbers *s, uint32_t v)
{
	if (!numbers_have(s, v) && s->n < MAX_QPS)
		s->v[s->n++] = v;
}

/* A packet as it is once INT is off. */
struct view {
	const uint8_t *bth;
	int bytes;			/* UDP payload */
	const uint8_t *outer;
	int tel_len;
	bool real;
};

/* Layouts of a stack, by the number that they have in an echo. */
static const struct layout {
	uint8_t instr[6];		/* bitmap, domain, domain-specific */
	int words, most;		/* of a hop; hops */
} layouts[] = {
	{ { 0xc4, 0x00, 0x0c, 0xc1, 0xe0, 0x00 }, 8, MAX_HOPS },
	{ { 0x00, 0x00, 0x0c, 0xc1, 0x10, 0x00 }, 2, MAX_HOPS },
	{ { 0x04, 0x00, 0x0c, 0xc1, 0x00, 0x00 }, 2, 1 },
	{ { 0x00, 0x00, 0x0c, 0xc1, 0x08, 0x00 }, 2, 1 },
};

#define NR_LAYOUTS	((int)(sizeof(layouts) / sizeof(*layouts)))
#define COMPACT		1	/* has the id of the path in front of an echo */

static bool foreign(const uint8_t *md, int hop, int stack)
{
	const struct layout *l;

	for (l = layouts; l < layouts + NR_LAYOUTS; l++)
		if (hop == l->words && !memcmp(md + 4, l->instr, sizeof(l->instr)) &&
		    stack <= l->most * l->words)
			return false;
	return true;
}

static enum verdict int_verdict(struct judge *j, struct view *v)
{
	const uint8_t *shim = v->bth, *md = shim + 4;
	int hop, stack, rest = BTH_LEN + ICRC_LEN;

	if (v->bytes < INT_HDR + rest)
		return V_SHORT;
	if ((shim[0] & 0xfc) != 0x10)
		return V_SHIM;
	if (md[0] >> 4 != 2)
		return V_VERSION;
	hop = md[2] & 0x1f;
	stack = shim[1] - 3;
	if (!hop || stack < 0 || stack % hop)
		return V_LENGTH;
	v->tel_len = INT_HDR + 4 * stack;
	if (v->bytes < v->tel_len + rest)
		return V_SHORT;
	if (md[0] & 0x08)
		return V_DISCARD;
	j->int_received++;
	j->foreign += foreign(md, hop, stack);
	v->bth += v->tel_len;
	v->bytes -= v->tel_len;
	return V_RECEIVED;
}

/* The ICRC was computed over the packet without INT. */
static bool sealed(const struct view *v)
{
	uint8_t pkt[MAX_LEN];

	memcpy(pkt, v->outer, BTH);
	memcpy(pkt + BTH, v->bth, v->bytes);
	put16(pkt + 2, get16(pkt + 2) - v->tel_len);
	put16(pkt + IP_LEN + 4, get16(pkt + IP_LEN + 4) - v->tel_len);
	return icrc_ok(pkt, BTH + v->bytes);
}

/* Bytes in front of the payload, by opcode of RC; 0: there is none such. */
static int header_bytes(uint8_t op)
{
	static const uint8_t more[32] = {
		0, 0, 0, 4, 0, 4, 16, 0, 0, 4, 16, 20, 16, 4, 0, 4,
		4, 4, 12, 28, 28, 0xff, 4, 4, 0xff, 0xff, 0xff, 0xff, 20, 16, 0xff, 0xff,
	};

	return op >= sizeof(more) || more[op] == 0xff ? 0 : BTH_LEN + more[op];
}

static bool from_peer(const struct judge *j, const struct view *v)
{
	return !memcmp(v->outer + 12, j->peer, sizeof(j->peer));
}

/* Packets aside from the protocol must be perfect. */
static bool aside_ok(const struct view *v, int min, int max)
{
	return v->bytes >= min && v->bytes <= max && !(v->bth[1] & 0x3f) &&
	       (get16(v->bth + 2) & 0x7fff) == 0x7fff;
}

/* A good packet: is its queue pair there? */
static enum verdict qp_verdict(struct judge *j, uint32_t qpn, enum verdict known,
			       enum verdict unknown)
{
	if (numbers_have(&j->own_qps, qpn))
		return known;
	j->unknown[j->nr_unknown % MAX_UNKNOWN].qpn = qpn;
	j->unknown[j->nr_unknown++ % MAX_UNKNOWN].known = known;
	return unknown;
}

static enum verdict probe_verdict(struct judge *j, const struct view *v)
{
	int bytes = BTH_LEN + ICRC_LEN;

	if (!aside_ok(v, bytes, bytes) || !sealed(v) || !from_peer(j, v))
		return V_REPORT;
	return qp_verdict(j, get24(v->bth + 5), V_PROBE, V_REPORT);
}

static enum verdict bth_verdict(struct judge *j, const struct view *v)
{
	const int cnp = CNP_LEN - BTH;
	uint32_t qpn;
	int head;

	if (v->bytes < BTH_LEN)
		return V_SILENT;
	if (v->bth[0] == OP_CNP)
		return !aside_ok(v, cnp, cnp) || sealed(v) ? V_CNP : V_SILENT;
	if (v->bth[0] == OP_REPORT)
		return V_REPORT;
	if (v->bth[0] == OP_PROBE)
		return probe_verdict(j, v);
	head = header_bytes(v->bth[0]);
	if (!head || v->bytes < head + (v->bth[1] >> 4 & 3) + ICRC_LEN ||
	    v->bth[1] & 0x0f)
		return V_SILENT;
	qpn = get24(v->bth + 5);
	if (qpn == 0xffffff)
		return sealed(v) ? V_RECEIVED : V_SILENT;
	if (!from_peer(j, v) || (get16(v->bth + 2) & 0x7fff) != 0x7fff || !sealed(v))
		return V_SILENT;
	return qp_verdict(j, qpn, V_RECEIVED, V_SILENT);
}

static bool echo_length_ok(int layout, int words)
{
	const struct layout *l = &layouts[layout];

	words -= layout == COMPACT;
	return words > 0 && words % l->words == 0 && words <= l->most * l->words;
}

/* Of one TLV; bit of its type in @seen. */
static enum tlv_verdict one_tlv(const uint8_t *t, unsigned int *seen, bool *unknown)
{
	int type = t[0], len = t[1], layout = t[3] >> 2 & 7;
	bool ok;

	if ((type != 1 && type != 2 && type != 6) || (type == 1 && layout >= NR_LAYOUTS)) {
		*unknown = true;
		return T_OK;
	}
	if (*seen & 1 << type)
		return T_TWICE;
	if (type == 1)
		ok = echo_length_ok(layout, len);
	else if (type == 2)
		ok = len == 6;
	else
		ok = len % 2 && len >= 3 && len <= 9;
	if (!ok)
		return T_LENGTH;
	*seen |= 1 << type;
	return T_OK;
}

static enum tlv_verdict tlv_verdict(const uint8_t *t, int bytes)
{
	enum tlv_verdict v = T_OK;
	unsigned int seen = 0;
	bool unknown = false;

	while (bytes > 0 && v == T_OK) {
		if (bytes < 4 || bytes < 4 + 4 * t[1])
			return T_SHORT;
		v = one_tlv(t, &seen, &unknown);
		bytes -= 4 + 4 * t[1];
		t += 4 + 4 * t[1];
	}
	return v == T_OK && unknown ? T_UNKNOWN : v;
}

/* The core believes no acknowledgment of a queue pair that has sent nothing, as a
 * responder's has not: only where they advance it has. rxe itself answers bad
 * requests to a queue pair that has only had READs by ACKs that name no packet.
 */
static void judge_ack(struct judge *j, const struct view *v)
{
	const int head = BTH_LEN + 4, pad = v->bth[1] >> 4 & 3;
	uint32_t psn = get24(v->bth + 9), qpn = get24(v->bth + 5);
	enum tlv_verdict verdict;
	struct acked *a;
	int i;

	for (i = 0; i < j->own_qps.n && j->own_qps.v[i] != qpn; i++)
		;
	/* NAKs are not made here, and real ones tell nothing else. */
	if (i == j->own_qps.n || v->bth[BTH_LEN] & 0x60)
		return;
	a = &j->acked[i];
	if (v->real) {
		a->advances |= a->any && psn != a->psn;
		a->any = true;
		a->psn = psn;
		j->never_sent[0] += !a->advances;
	} else if ((int32_t)((psn - a->psn) << 8) >> 8 >= PSN_FAR) {
		j->never_sent[a->advances]++;
		return;
	}
	verdict = tlv_verdict(v->bth + head, v->bytes - head - pad - ICRC_LEN);
	if (a->advances)
		j->ack_tlv[verdict]++;
	else
		j->other_tlv[verdict]++;
}

static void judge_report(struct judge *j, const struct view *v)
{
	const int head = BTH_LEN + 4;

	if (v->bth[0] == OP_REPORT && v->bytes >= head + ICRC_LEN)
		j->other_tlv[tlv_verdict(v->bth + head, v->bytes - head - ICRC_LEN)]++;
}

/**
 * judge_in() - a packet to UDP port 4791 came in
 * @j: judge
 * @pkt: packet, from a sound IPv4 header on
 * @len: its length
 */
void judge_in(struct judge *j, const uint8_t *pkt, int len)
{
	int udp_len = get16(pkt + IP_LEN + 4);
	struct view v = {
		.bth = pkt + BTH, .bytes = udp_len - UDP_LEN, .outer = pkt,
		.real = pkt[8] != TTL_MARK,
	};
	enum verdict verdict = V_RECEIVED;

	j->frames++;
	j->marked += !v.real;
	if (v.real)
		memcpy(j->peer, pkt + 12, sizeof(j->peer));
	if (udp_len < UDP_LEN || udp_len > len - IP_LEN)
		verdict = V_UDP;
	else if (pkt[1] >> 2 == INT_DSCP)
		verdict = int_verdict(j, &v);
	if (verdict == V_RECEIVED) {
		if (v.real && v.bth[0] != OP_CNP && v.bth[0] != OP_REPORT)
			numbers_add(&j->own_qps, get24(v.bth + 5));
		verdict = bth_verdict(j, &v);
	}
	j->verdict[verdict]++;
	if (verdict == V_RECEIVED && v.bth[0] == OP_ACK)
		judge_ack(j, &v);
	else if (verdict == V_REPORT)
		judge_report(j, &v);
}

/**
 * judge_print() - what the counters must have grown by
 * @j: judge
 *
 * "NAME LEAST MOST"; other lines are for people and sums.
 */
void judge_print(const struct judge *j)
{
	static const char *const verdicts[NR_VERDICTS] = {
		[V_UDP] = "udp_errors", [V_SHORT] = "int_bad_short",
		[V_SHIM] = "int_bad_shim", [V_VERSION] = "int_bad_version",
		[V_LENGTH] = "int_bad_length", [V_DISCARD] = "int_discarded",
		[V_SILENT] = "silent", [V_CNP] = "cnps", [V_REPORT] = "reports",
		[V_PROBE] = "probes", [V_RECEIVED] = "rcvd_pkts",
	};
	static const char *const tlvs[NR_TLV_VERDICTS] = {
		[T_SHORT] = "ack_tlv_bad_short", [T_LENGTH] = "ack_tlv_bad_length",
		[T_TWICE] = "ack_tlv_bad_twice",
		[T_UNKNOWN] = "ack_tlv_unknown",
	};
	unsigned long long n, more[NR_VERDICTS] = { }, less[NR_VERDICTS] = { };

	for (unsigned int i = 0; i < j->nr_unknown && i < MAX_UNKNOWN; i++)
		more[j->unknown[i].known] += numbers_have(&j->own_qps, j->unknown[i].qpn);
	less[V_SILENT] = more[V_RECEIVED];
	less[V_REPORT] = more[V_PROBE];
	for (int i = 0; i < NR_VERDICTS; i++) {
		n = j->verdict[i];
		printf("%s %llu %llu\n", verdicts[i], n - less[i], n + more[i]);
	}
	for (int i = T_SHORT; i < NR_TLV_VERDICTS; i++) {
		n = j->ack_tlv[i];
		printf("%s %llu %llu\n", tlvs[i], n, n + (unsigned long long)j->other_tlv[i]);
	}
	n = j->int_received;
	printf("int_received %llu %llu\n", n, n);
	n = j->foreign;
	printf("int_foreign %llu %llu\n", n, n);
	n = j->never_sent[1];
	printf("rp_bad_acks %llu %llu\n", n, n + (unsigned long long)j->never_sent[0]);
	n = j->frames - j->verdict[V_UDP];
	printf("udp_datagrams %llu %llu\n", n, n);
	printf("frames %llu\n", (unsigned long long)j->frames);
	printf("marked %llu\n", (unsigned long long)j->marked);
}
