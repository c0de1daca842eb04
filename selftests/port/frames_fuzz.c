// SPDX-License-Identifier: GPL-2.0
/*
 * The step "fuzz": hosts on one switch send mutated frames, and everything that comes out is
 * judged.
 *
 * fuzz count=N bad=PORT[,PORT] good=PORT to=PORT [seed=N] [mtu=BYTES]
 *
 * Hosts on one switch: the bad ones send mutated frames, the good one INT
 * packets of flow 0. What the switch must have counted is printed for each of its
 * ports, which are named by the host at their other end:
 *
 *	PORT rx=N pfc=N reports=N cnps=N    frames that came out, thereof the switch's own
 *	     pushed=N hop_limit=N mtu=N bad=N unsupported=N    INT
 *	     pfc_rx=N pfc_bad=N pfc_other=N    MAC control that went in
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames_allowed_changes.h"

#define FLOOD		100
#define SWITCH_NODE	0xa5c3	/* upper half of the node ids of its ports */
#define ROUND		2048	/* frames until everything is judged */

struct tally {
	uint64_t rx, pfc, reports, cnps, direct, told;
	uint64_t verdict[INT_VERDICTS];
	uint64_t control[PFC_VERDICTS];
};

struct fuzz {
	struct lab *lab;
	struct set sent;
	struct port *bad[MAX_PORTS];
	int nr_bad, mtu;
	struct port *good, *to;
	struct flow *flow;
	struct tally tally[MAX_PORTS];
	uint64_t good_rx;
	uint64_t seed;
};

static struct tally *tally_of(struct fuzz *z, const struct port *p)
{
	return &z->tally[p - z->lab->port];
}

static void send_bad(struct fuzz *z, struct port *p, const uint8_t *b, int len)
{
	if (port_send(p, b, len))
		tally_of(z, p)->control[pfc_verdict(b, len)]++;
}

static void send_good(struct fuzz *z)
{
	static uint8_t b[MAX_FRAME];
	int len = build_data(b, z->flow, z->flow->sent);

	set_add(&z->sent, normal_hash(b, len, z->mtu));
	z->flow->sent += port_send(z->good, b, len);
}

/* The good flow loses nothing and keeps its order, whatever the others do. */
static void judge_good(struct fuzz *z, const struct frame *f)
{
	struct parsed p;
	uint32_t flow, seq;

	if (memcmp(f->data, z->to->mac, 6) || memcmp(f->data + 6, z->good->mac, 6) ||
	    !parse_frame(&p, f->data, f->len, INT_DSCP) ||
	    !data_id(&p, f->data, &flow, &seq) || flow != (uint32_t)z->flow->id)
		return;
	if (seq != z->good_rx)
		fail(z->lab, "good packet %u comes when %llu is due", seq,
		     (unsigned long long)z->good_rx);
	z->good_rx = seq + 1;
}

/* With as much of the frame as holds all headers. */
static void complain(struct fuzz *z, const struct port *p,
		     const struct frame *f, const char *why)
{
	char hex[2 * 96 + 1] = "";
	int i;

	for (i = 0; i < f->len && i < 96; i++)
		snprintf(hex + 2 * i, 3, "%02x", f->data[i]);
	fail(z->lab, "%s, frame %llu, %d bytes: %s: %s", p->name,
	     (unsigned long long)tally_of(z, p)->rx, f->len, why, hex);
}

static void judge(struct fuzz *z, const struct port *p, const struct frame *f)
{
	struct tally *t = tally_of(z, p);
	const char *why;
	int hops;

	t->rx++;
	/* bridges never forward this address: the port itself has sent it */
	if (pfc_verdict(f->data, f->len) == PFC_OK) {
		t->pfc++;
		return;
	}
	if (is_report(f->data, f->len, &hops)) {
		t->reports++;
		/* or somebody has answered it */
		if (hops && get32(f->data + hops) >> 16 != SWITCH_NODE)
			complain(z, p, f, "a report of nobody");
		return;
	}
	if (is_mercury_cnp(f->data, f->len)) {
		t->cnps++;
		return;
	}
	if (is_direct_cnp(f->data, f->len)) {
		t->direct++;
		return;
	}
	if (is_feedback(f->data, f->len, FUZZ_SELF, FUZZ_PEER)) {
		t->told++;
		return;
	}
	t->verdict[port_verdict(&z->sent, f->data, f->len, z->mtu, &why)]++;
	if (why)
		complain(z, p, f, why);
	if (p == z->to)
		judge_good(z, f);
}

static void judge_all(struct fuzz *z, uint64_t quiet_ns)
{
	int i, k;

	ports_settle(z->lab, quiet_ns, true);
	for (i = 0; i < z->lab->nr_ports; i++) {
		struct port *p = &z->lab->port[i];

		for (k = 0; k < p->count; k++)
			judge(z, p, p->frames[k]);
		port_forget(p);
	}
}

static void report(struct fuzz *z)
{
	static const char *const verdicts[INT_VERDICTS] = {
		[INT_PUSHED] = "pushed", [INT_HOP_LIMIT] = "hop_limit",
		[INT_MTU] = "mtu", [INT_BAD] = "bad",
		[INT_UNSUPPORTED] = "unsupported",
	};
	int i, v;

	for (i = 0; i < z->lab->nr_ports; i++) {
		const struct tally *t = &z->tally[i];

		printf("%s rx=%llu pfc=%llu reports=%llu cnps=%llu direct=%llu told=%llu",
		       z->lab->port[i].name, (unsigned long long)t->rx,
		       (unsigned long long)t->pfc, (unsigned long long)t->reports,
		       (unsigned long long)t->cnps, (unsigned long long)t->direct,
		       (unsigned long long)t->told);
		for (v = INT_PUSHED; v < INT_VERDICTS; v++)
			printf(" %s=%llu", verdicts[v],
			       (unsigned long long)t->verdict[v]);
		printf(" pfc_rx=%llu pfc_bad=%llu pfc_other=%llu refused=%llu\n",
		       (unsigned long long)t->control[PFC_OK],
		       (unsigned long long)t->control[PFC_BAD],
		       (unsigned long long)t->control[PFC_OTHER],
		       (unsigned long long)z->lab->port[i].refused);
	}
}

static void prepare(struct fuzz *z, struct lab *lab, const struct args *a)
{
	char copy[256] = "", *word;
	const char *bad = arg_text(a, "bad");

	z->lab = lab;
	z->good = arg_port(lab, a, "good");
	z->to = arg_port(lab, a, "to");
	z->mtu = arg_number(a, "mtu", 9000);
	z->seed = arg_number(a, "seed", 1) * 2 + 1;
	z->flow = &lab->flow[0];
	*z->flow = (struct flow) {
		.used = true, .telemetry = true, .src = z->good, .dst = z->to,
		.dscp = INT_DSCP, .ecn = 2, .size_min = 64, .size_max = 4096,
		.instr = 0xc400, .ds_instr = 0xe000, .domain = INT_DOMAIN,
		.rem_hop = 8,
	};
	if (bad)
		snprintf(copy, sizeof(copy), "%s", bad);
	for (word = strtok(copy, ","); word; word = strtok(NULL, ","))
		z->bad[z->nr_bad++] = find_port(lab, word);
	errno = 0;
	if (!z->nr_bad)
		die("line %d: bad=PORT is missing", lab->line);
}

/* One frame, rarely a hundred of them. */
static void one_more(struct fuzz *z, struct mutator *m, uint64_t *n)
{
	static uint8_t b[MAX_FRAME];
	struct port *p = z->bad[dice(&z->seed) % z->nr_bad];
	int len, times = dice(&z->seed) % 1024 ? 1 : FLOOD;

	m->src = p;
	m->dst = p == z->to ? z->good : z->to;
	len = mutate(m, b, sizeof(b));
	set_add(&z->sent, normal_hash(b, len, z->mtu));
	*n += times;
	while (times--)
		send_bad(z, p, b, len);
}

void step_fuzz(struct lab *lab, const struct args *a)
{
	static struct fuzz z;
	uint64_t count = arg_number(a, "count", 1000), n = 0, next = ROUND;
	struct mutator m = { .seed = arg_number(a, "seed", 1) * 2 + 1 };

	prepare(&z, lab, a);
	set_init(&z.sent, count * 2 + 1000);
	while (n < count) {
		one_more(&z, &m, &n);
		if (dice(&z.seed) % 2)
			send_good(&z);
		if (dice(&z.seed) % 16 == 0)
			sleep_ns(1 + dice(&z.seed) % 8000);
		if (n >= next) {
			judge_all(&z, 100000);
			next += ROUND;
		}
	}
	/* longer than the longest pause at 1 Gbit/s */
	judge_all(&z, 40000000);
	if (z.good_rx != z.flow->sent)
		fail(lab, "good flow: %u packets sent, the last received is %llu",
		     z.flow->sent, (unsigned long long)z.good_rx);
	report(&z);
	printf("frames=%llu good=%u\n", (unsigned long long)n, z.flow->sent);
	free(z.sent.slot);
}
