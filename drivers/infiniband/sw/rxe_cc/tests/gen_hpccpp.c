// SPDX-License-Identifier: GPL-2.0
/*
 * Writes hpccpp_vectors.h: what HPCC++ must do, in double precision, from
 * draft-pan-tsvwg-hpccplus-00 and Documentation/algorithms/hpccpp.md; the reaction
 * is the model in hpcc_model.h. In the rows of a receiver the rate is its Wc / T.
 *
 *	make -C tests regenerate	after a change of the model
 *	make -C tests check		is the header what the model says?
 */
#include "hpcc_model.h"
#include "hpccpp_events.h"

/* What the receiver can count to, and a sender with it. */
#define MAX_N	((1 << 20) - 1)

/* So long what was told holds, and a path without feedback is not silent. */
#define SILENCE_NS	2000000000

/**
 * struct flow - an end of a flow
 * @m: HPCC
 * @heard: anything since the start
 * @lost: ACKs have told nothing for 2 s, since @quiet_ns
 * @heard_ns: when something was heard last
 * @quiet_ns: see @lost
 * @n: N told; 0: none
 * @n_ns: when that was
 * @shows_ns: receiver: when the last commit shows
 * @telling: the last that was of any use was a window
 * @told_ns: when the first window came of those within a T, while @telling
 * @least_bps: none of them makes the rate less
 */
struct flow {
	struct model m;
	bool heard, lost;
	u64 heard_ns, quiet_ns;
	u32 n;
	u64 n_ns;
	u64 shows_ns;
	bool telling;
	u64 told_ns;
	double least_bps;
};

static void start(struct flow *f, const struct hpcc_ev_conf *c)
{
	*f = (struct flow) {};
	model_start(&f->m, c);
}

/* W_ai = W_init (1 - eta) / N while the last port is the busiest. */
static void choose_ai(struct flow *f, const struct hpcc_ev *e, bool last)
{
	const struct hpcc_ev_conf *c = f->m.c;
	double bps = c->line_bps;

	f->m.ai_bps = ai(c);
	if (!f->n || !last)
		return;
	if (bps > e->hop[e->nr - 1].rate_bps)
		bps = e->hop[e->nr - 1].rate_bps;
	f->m.ai_bps = bps * (1 - eta(c)) / f->n;
}

static void hear(struct flow *f, u64 now_ns)
{
	f->heard = true;
	f->lost = false;
	f->heard_ns = now_ns;
}

/* Section 6.3: the port that the packet waits in sends all the time. */
static void report(struct flow *f, const struct hpcc_ev *e)
{
	const struct rxe_cc_int_hop *h = &e->hop[e->nr - 1];
	bool commit = f->heard && e->seq >= f->m.update_seq;
	struct model before = f->m;

	if (!e->nr || e->nr > MAX_HOPS || !h->rate_bps)
		return;
	f->m.u = 1 + h->qlen_bytes / (h->rate_bps / 8e9 * f->m.t);
	choose_ai(f, e, f->m.last.nr && e->nr == f->m.last.nr);
	compute(&f->m, commit);
	if (f->m.u <= before.u || f->m.r >= before.r) {
		f->m = before;
		return;
	}
	f->m.busiest = e->nr - 1;
	f->m.used++;
	if (commit)
		f->m.update_seq = e->next_seq;
}

/* Section 6.2, the sender's part: W is what it is told, for the receiver's T, so R is W of
 * that; but the windows of a T take no more off than one with U of 256 would.
 */
static void told(struct flow *f, const struct hpccpp_ev *e)
{
	struct model *m = &f->m;
	double t = e->window_t_ns ? e->window_t_ns : m->t;

	if (!f->telling || e->e.now_ns - f->told_ns >= m->t) {
		f->told_ns = e->e.now_ns;
		f->least_bps = m->rc * eta(m->c) / 256;
	}
	f->telling = true;
	m->r = e->window_bytes * 8e9 / t;
	if (m->r < f->least_bps)
		m->r = f->least_bps;
	if (m->r > m->line_bps)
		m->r = m->line_bps;
	if (m->r < m->c->min_bps)
		m->r = m->c->min_bps;
	m->rc = m->r;
	m->inc_stage = 0;
	m->u = 1;
	m->last.nr = 0;
	m->update_seq = e->e.next_seq;
	hear(f, e->e.now_ns);
}

static void nothing(struct flow *f, u64 now_ns)
{
	u64 since_ns = f->lost ? f->quiet_ns : f->heard_ns;

	if (!f->heard || now_ns - since_ns <= SILENCE_NS)
		return;
	if (f->lost) {
		u32 used = f->m.used, commits = f->m.commits;

		model_start(&f->m, f->m.c);
		f->m.used = used;
		f->m.commits = commits;
		f->heard = false;
	}
	f->m.last.nr = 0;
	f->telling = false;
	f->lost = f->heard;
	f->quiet_ns = now_ns;
}

/* Section 4.2: NewAck. */
static void ack(struct flow *f, const struct hpcc_ev *e)
{
	bool commit = f->heard && e->seq >= f->m.update_seq;

	if (!possible(e))
		return;
	if (!f->heard)
		f->m.update_seq = e->next_seq;
	f->telling = false;
	hear(f, e->now_ns);
	if (!sample(&f->m, e))
		return;
	choose_ai(f, e, f->m.busiest + 1 == e->nr);
	compute(&f->m, commit);
	if (commit)
		f->m.update_seq = e->next_seq;
}

static void sender(struct flow *f, const struct hpccpp_ev *e)
{
	f->m.t = e->e.t_ns;
	if (e->senders) {
		f->n = e->senders > MAX_N ? MAX_N : e->senders;
		f->n_ns = e->e.now_ns;
	} else if (e->e.now_ns - f->n_ns > SILENCE_NS) {
		f->n = 0;
	}
	if (e->partial)
		report(f, &e->e);
	else if (e->window_bytes)
		told(f, e);
	else if (e->e.nr)
		ack(f, &e->e);
	else
		nothing(f, e->e.now_ns);
}

/* A round trip from now, in whole ns: T, and the queues, each rounded up. */
static u64 round_trip(const struct hpcc_ev *e)
{
	u64 ns = e->t_ns;
	u32 i;

	for (i = 0; i < e->nr; i++)
		ns += (e->hop[i].qlen_bytes * 8000000000ULL +
		       e->hop[i].rate_bps - 1) / e->hop[i].rate_bps;
	return ns;
}

/* Section 6.2: NewINT. */
static void receiver(struct flow *f, const struct hpcc_ev *e)
{
	struct model *m = &f->m;
	bool first = !f->heard;
	u32 i;

	m->t = e->t_ns;
	m->line_bps = m->c->line_bps;
	for (i = 0; i < e->nr; i++) {
		if (e->hop[i].rate_bps && e->hop[i].rate_bps < m->line_bps)
			m->line_bps = e->hop[i].rate_bps;
	}
	if (!f->heard)
		m->rc = m->line_bps;
	if (possible(e)) {
		f->heard = true;
		if (first)
			f->shows_ns = e->now_ns + e->t_ns;
	}
	if (sample(m, e) && e->now_ns > f->shows_ns) {
		compute(m, true);
		f->shows_ns = e->now_ns + round_trip(e);
	}
}

static void run(const struct hpccpp_ev_conf *c)
{
	bool rx = c->kind == HPCCPP_EV_RX;
	struct hpccpp_ev_source s;
	struct hpccpp_ev e;
	struct flow f;
	double sum = 0, rate;
	int i;

	start(&f, &c->c);
	hpccpp_ev_start(&s, c);
	printf("\nstatic const struct hpcc_row hpccpp_%s[] = {", c->c.name);
	for (i = 1; i <= HPCC_EV_NR; i++) {
		hpccpp_ev_next(&s, &e);
		if (rx)
			receiver(&f, &e.e);
		else
			sender(&f, &e);
		rate = rx ? f.m.rc : f.m.r;
		sum += rate;
		if (i % HPCC_EV_ROW)
			continue;
		row(&f.m, rate, sum, i);
		sum = 0;
	}
	printf("\n};\n");
	fprintf(stderr, "%s: %d events, %u used, %u commits\n", c->c.name,
		HPCC_EV_NR, f.m.used, f.m.commits);
}

int main(void)
{
	u32 i;

	heading();
	for (i = 0; i < sizeof(hpccpp_ev_confs) / sizeof(hpccpp_ev_confs[0]); i++)
		run(&hpccpp_ev_confs[i]);
	return 0;
}
