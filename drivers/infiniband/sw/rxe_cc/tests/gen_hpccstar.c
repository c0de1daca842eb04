// SPDX-License-Identifier: GPL-2.0
/*
 * Writes hpccstar_vectors.h: what HPCC* must do, by two of the model in hpcc_model.h and the
 * rules in Documentation/algorithms/hpccstar.md. The column of U is that of the near loop,
 * samples used and commits are those of both; each end of W* counts as one used.
 */
#include "hpccstar_events.h"
#include "hpcc_model.h"

struct star {
	const struct hpccstar_ev_conf *c;
	struct model far, near;
	bool told, limits, timing;
	u64 told_seq, timed_seq, timed_ns, near_rtt_ns;
	u32 ends;
};

/* NewAck of either loop. Returns whether there is another rate. */
static bool ack(struct model *m, const struct hpcc_ev *e)
{
	bool commit = e->seq >= m->update_seq;

	if (m->last.nr && !m->c->fast && !commit)
		return false;
	if (!m->last.nr && possible(e))
		m->update_seq = e->next_seq;
	if (!sample(m, e))
		return false;
	compute(m, commit);
	if (commit)
		m->update_seq = e->next_seq;
	return true;
}

/* W* is forgotten, not what it has counted. */
static void end(struct star *s)
{
	u32 used = s->near.used, commits = s->near.commits;

	model_start(&s->near, &s->c->near);
	s->near.used = used;
	s->near.commits = commits;
	s->told = false;
	s->limits = false;
}

static void far(struct star *s, const struct hpcc_ev *e)
{
	if (s->told && e->seq >= s->told_seq) {
		end(s);
		s->ends++;
	}
	s->far.t = e->t_ns;
	ack(&s->far, e);
}

static double near_rtt(struct star *s, const struct hpcc_ev *e)
{
	u64 rtt_ns = e->now_ns - s->timed_ns;

	if (s->timing && e->seq >= s->timed_seq) {
		if (!rtt_ns)
			rtt_ns = 1;
		if (!s->near_rtt_ns || rtt_ns < s->near_rtt_ns)
			s->near_rtt_ns = rtt_ns;
		s->timing = false;
	}
	if (!s->timing) {
		s->timed_seq = e->next_seq;
		s->timed_ns = e->now_ns;
		s->timing = true;
	}
	rtt_ns = s->c->near_rtt_ns ? s->c->near_rtt_ns : s->near_rtt_ns;
	return rtt_ns < e->t_ns ? rtt_ns : e->t_ns;
}

/* The clock of the last port has run more than twice as far as ours, and T* besides. */
static bool ahead(const struct star *s, const struct hpcc_ev *e, double t)
{
	const struct hpcc_ev *l = &s->near.last;
	long long passed;

	if (!l->nr || !same_path(e, l))
		return false;
	passed = e->hop[e->nr - 1].ts_ns - l->hop[l->nr - 1].ts_ns;
	return passed > 0 && passed > 2.0 * (e->now_ns - l->now_ns) + t;
}

static void near(struct star *s, const struct hpcc_ev *e)
{
	const struct hpcc_ev *l = &s->near.last;
	double t = near_rtt(s, e);
	bool other, looked;

	if (ahead(s, e, t))
		s->near.last.nr = 0;
	s->told = true;
	s->told_seq = e->next_seq;
	if (!t)
		return;
	looked = !l->nr || s->c->near.fast || e->seq >= s->near.update_seq;
	other = looked && possible(e) && l->nr && !same_path(e, l);
	s->near.t = t;
	s->near.pseudo_t = e->t_ns;
	if (ack(&s->near, e))
		s->limits = true;
	if (other) {
		s->near_rtt_ns = 0;
		s->timing = false;
	}
}

static void run(const struct hpccstar_ev_conf *c)
{
	struct hpccstar_ev_source source;
	struct star s = { .c = c };
	struct hpccstar_ev ev;
	double sum = 0, rate;
	struct model both;
	int i, limited = 0;

	model_start(&s.far, &c->far);
	model_start(&s.near, &c->near);
	hpccstar_ev_start(&source, c);
	printf("\nstatic const struct hpcc_row hpccstar_%s[] = {", c->far.name);
	for (i = 1; i <= HPCC_EV_NR; i++) {
		hpccstar_ev_next(&source, &ev);
		if (ev.direct)
			near(&s, &ev.e);
		else
			far(&s, &ev.e);
		rate = s.far.r;
		if (s.limits && s.near.r < rate) {
			rate = s.near.r;
			limited++;
		}
		sum += rate;
		if (i % HPCC_EV_ROW)
			continue;
		both = s.near;
		both.used += s.far.used + s.ends;
		both.commits += s.far.commits;
		row(&both, rate, sum, i);
		sum = 0;
	}
	printf("\n};\n");
	fprintf(stderr, "%s: %d events, %u, %u used, %u, %u commits, %u ends, near less in %d\n",
		c->far.name, HPCC_EV_NR, s.far.used, s.near.used,
		s.far.commits, s.near.commits, s.ends, limited);
}

int main(void)
{
	u32 i;

	heading();
	for (i = 0; i < sizeof(hpccstar_ev_confs) / sizeof(hpccstar_ev_confs[0]); i++)
		run(&hpccstar_ev_confs[i]);
	return 0;
}
