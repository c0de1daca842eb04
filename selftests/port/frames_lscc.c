// SPDX-License-Identifier: GPL-2.0
/*
 * Steps for LSCC (link-segmented congestion control): sends feedback messages, right and wrong
 * ones; checks those that a port sends, the direct CNPs that a host gets, and that no CE gets
 * past the port.
 *
 * feedback PORT rate=MBIT [seq=N] [time=N] [from=N] [to=N] [ttl=N] [mac=N] [code=N]
 *	[flip=OFFSET] [cut=BYTES]
 *	from and to are the last bytes of 169.254.0.N, mac that of 01:80:c2:00:00:N, flip
 *	changes a byte after the sums have been made, cut shortens the frame
 * cnp PORT flow=ID: what the receiver of a flow (IPv4) might send
 * check-feedback PORT from=N to=N period=NS least=N
 * check-direct PORT cnps=N [others=N]
 * check-ect PORT packets=N
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define FIELD_BYTES	16
#define CNP_OPCODE	0x81
#define CNP_DSCP	48
#define FLAGS		0x05	/* forward, PSN */
#define LSCC		2
#define IP_BYTES	20
#define UDP_BYTES	8
#define ICMP_BYTES	24
#define ICMP_TYPE	253
#define ICMP		(ETH_BYTES + IP_BYTES)
#define NET		0xa9fe0000U	/* 169.254.0.0 */
#define ECT0		2

static const uint8_t nearest_bridge[] = { 0x01, 0x80, 0xc2, 0, 0, 0x0e };

static void put_time(uint8_t *p, uint64_t v)
{
	put32(p, v >> 32);
	put32(p + 4, v);
}

static void build_ip(uint8_t *ip, const struct feedback *m)
{
	ip[0] = 0x45;
	ip[1] = CNP_DSCP << 2;
	put16(ip + 2, IP_BYTES + ICMP_BYTES);
	put16(ip + 6, 0x4000);
	ip[8] = m->ttl;
	ip[9] = 1;
	put32(ip + 12, NET + m->from);
	put32(ip + 16, NET + m->to);
	put16(ip + 10, ip_checksum(ip, IP_BYTES));
}

/* A message, with its sums right; @f has room for MIN_FRAME. Returns its length. */
int build_feedback(uint8_t *f, const uint8_t *src_mac, const struct feedback *m)
{
	memset(f, 0, MIN_FRAME);
	memcpy(f, nearest_bridge, sizeof(nearest_bridge));
	f[5] = m->mac;
	memcpy(f + 6, src_mac, 6);
	put16(f + 12, 0x0800);
	build_ip(f + ETH_BYTES, m);
	f[ICMP] = ICMP_TYPE;
	f[ICMP + 1] = m->code;
	put16(f + ICMP + 4, 0x4c53);
	f[ICMP + 6] = 1;
	put32(f + ICMP + 8, m->seq);
	put_time(f + ICMP + 12, m->time);
	put32(f + ICMP + 20, m->rate);
	put16(f + ICMP + 2, ip_checksum(f + ICMP, ICMP_BYTES));
	return MIN_FRAME;
}

void step_feedback(struct lab *lab, const struct args *a)
{
	struct port *p = find_port(lab, a->count > 1 ? a->word[1] : "");
	const struct feedback m = {
		.from = arg_number(a, "from", 2), .to = arg_number(a, "to", 1),
		.seq = arg_number(a, "seq", 0), .time = arg_number(a, "time", 0),
		.rate = arg_number(a, "rate", 0), .ttl = arg_number(a, "ttl", 255),
		.code = arg_number(a, "code", 0),
		.mac = arg_number(a, "mac", nearest_bridge[5]),
	};
	uint64_t flip = arg_number(a, "flip", 0);
	uint8_t f[MIN_FRAME];

	build_feedback(f, p->mac, &m);
	if (flip < sizeof(f))
		f[flip] ^= flip ? 0x11 : 0;
	if (!port_send(p, f, arg_number(a, "cut", sizeof(f))))
		die("line %d: %s: not sent", lab->line, p->name);
}

void step_cnp(struct lab *lab, const struct args *a)
{
	struct port *p = find_port(lab, a->count > 1 ? a->word[1] : "");
	struct flow *flow = find_flow(lab, arg_number(a, "flow", 0));
	static uint8_t f[MAX_FRAME];
	uint8_t *ip = f + ETH_BYTES, addr[4];

	if (!flow->used || flow->v6 || flow->vlan || flow->telemetry)
		die("line %d: not a plain flow of IPv4", lab->line);
	build_data(f, flow, 0);
	memcpy(f, flow->src->mac, 6);
	memcpy(f + 6, flow->dst->mac, 6);
	memcpy(addr, ip + 12, 4);
	memcpy(ip + 12, ip + 16, 4);
	memcpy(ip + 16, addr, 4);
	ip[1] = CNP_DSCP << 2;
	put16(ip + 2, IP_BYTES + UDP_BYTES + BTH_BYTES + FIELD_BYTES + ICRC_BYTES);
	put16(ip + 10, 0);
	put16(ip + 10, ip_checksum(ip, IP_BYTES));
	put16(ip + IP_BYTES + 4, UDP_BYTES + BTH_BYTES + FIELD_BYTES + ICRC_BYTES);
	ip[IP_BYTES + UDP_BYTES] = CNP_OPCODE;
	if (!port_send(p, f, ETH_BYTES + get16(ip + 2)))
		die("line %d: %s: not sent", lab->line, p->name);
}

static bool looks_like_feedback(const uint8_t *b, int len)
{
	return len >= ICMP + ICMP_BYTES && !memcmp(b, nearest_bridge, 6) &&
	       get16(b + 12) == 0x0800 && b[ETH_BYTES + 9] == 1 && b[ICMP] == ICMP_TYPE;
}

static bool is_whole(const uint8_t *b, uint32_t from, uint32_t to)
{
	const uint8_t *ip = b + ETH_BYTES;

	return ip[0] == 0x45 && ip[1] == CNP_DSCP << 2 && ip[8] == 255 &&
	       get16(ip + 2) == IP_BYTES + ICMP_BYTES &&
	       get32(ip + 12) == NET + from && get32(ip + 16) == NET + to &&
	       !ip_checksum(ip, IP_BYTES) && !ip_checksum(b + ICMP, ICMP_BYTES) &&
	       get16(b + ICMP + 4) == 0x4c53 && get16(b + ICMP + 6) == 0x100 &&
	       get32(b + ICMP + 20);
}

/* Is it a message of a port, from one of these addresses to the other, with the right sums? */
bool is_feedback(const uint8_t *b, int len, uint32_t from, uint32_t to)
{
	return looks_like_feedback(b, len) && is_whole(b, from, to);
}

/* Numbers without a gap, times a period apart, as the frames come. */
void step_check_feedback(struct lab *lab, const struct args *a)
{
	const struct port *p = find_port(lab, a->count > 1 ? a->word[1] : "");
	uint64_t period = arg_number(a, "period", 0), time = 0, came = 0;
	unsigned int n = 0, seq = 0;
	int i;

	for (i = 0; i < p->count; i++) {
		const struct frame *f = p->frames[i];
		const uint8_t *b = f->data;

		if (!looks_like_feedback(b, f->len))
			continue;
		if (!is_whole(b, arg_number(a, "from", 1), arg_number(a, "to", 2)))
			fail(lab, "%s: message %u is broken", p->name, n);
		if (n && (get32(b + ICMP + 8) != seq + 1 ||
			  get64(b + ICMP + 12) != time + period ||
			  f->time_ns != came + period))
			fail(lab, "%s: message %u: number %u after %u, %llu ns later, came %llu ns later",
			     p->name, n, get32(b + ICMP + 8), seq,
			     (unsigned long long)(get64(b + ICMP + 12) - time),
			     (unsigned long long)(f->time_ns - came));
		seq = get32(b + ICMP + 8);
		time = get64(b + ICMP + 12);
		came = f->time_ns;
		n++;
	}
	if (n < arg_number(a, "least", 1))
		fail(lab, "%s: %u messages", p->name, n);
	printf("%s feedback=%u\n", p->name, n);
}

/* Is it one of LSCC's, all of it, with the right ICRC? */
bool is_direct_cnp(const uint8_t *b, int len)
{
	static uint8_t copy[1 << 17];
	struct parsed p;
	int field;

	if (!parse_frame(&p, b, len, 27) || p.dscp != CNP_DSCP || p.ecn ||
	    p.bth + BTH_BYTES + FIELD_BYTES + ICRC_BYTES != p.end)
		return false;
	field = p.bth + BTH_BYTES;
	if (b[p.bth] != CNP_OPCODE || get32(b + field) || b[field + 4] != FLAGS ||
	    b[field + 5] != LSCC || !get16(b + field + 6) || get32(b + field + 12))
		return false;
	memcpy(copy, b, len);
	put_icrc(copy, p.ip, p.v6, p.udp, p.end);
	return !memcmp(copy, b, len);
}

void step_check_direct(struct lab *lab, const struct args *a)
{
	const struct port *p = find_port(lab, a->count > 1 ? a->word[1] : "");
	uint64_t n = 0, others = 0, want = arg_number(a, "cnps", 0);
	struct parsed q;
	int i;

	for (i = 0; i < p->count; i++) {
		const struct frame *f = p->frames[i];

		if (!parse_frame(&q, f->data, f->len, 27) || f->data[q.bth] != CNP_OPCODE)
			continue;
		if (is_direct_cnp(f->data, f->len))
			n++;
		else
			others++;
	}
	if (n != want || others != arg_number(a, "others", 0))
		fail(lab, "%s: %llu direct CNPs, want %llu; %llu others", p->name,
		     (unsigned long long)n, (unsigned long long)want,
		     (unsigned long long)others);
}

/* All of it is ECT(0), and IPv4's sums are right. */
void step_check_ect(struct lab *lab, const struct args *a)
{
	const struct port *p = find_port(lab, a->count > 1 ? a->word[1] : "");
	uint64_t n = 0, want = arg_number(a, "packets", 0);
	uint32_t flow, seq;
	struct parsed q;
	int i;

	for (i = 0; i < p->count; i++) {
		const struct frame *f = p->frames[i];

		if (!parse_frame(&q, f->data, f->len, 27) ||
		    !data_id(&q, f->data, &flow, &seq))
			continue;
		if (q.ecn != ECT0 || (!q.v6 && ip_checksum(f->data + q.ip, IP_BYTES)))
			fail(lab, "%s: packet %llu: ecn %d, or its sum", p->name,
			     (unsigned long long)n, q.ecn);
		n++;
	}
	if (n != want)
		fail(lab, "%s: %llu packets, want %llu", p->name, (unsigned long long)n,
		     (unsigned long long)want);
}
