/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DCQCN's reaction point in double precision, from the formulae of SIGCOMM 2015,
 * section 3.1, and of mlx5's parameters, for the programs that write tables. User
 * space; shares no code with the kernel's implementation: here alpha ticks one period
 * at a time, increases never end, nothing is lazy.
 */
#ifndef _DCQCN_MODEL_H
#define _DCQCN_MODEL_H

#include <stdbool.h>

#define NEVER	1e300

/* Parameters; times in ns, rates in bit/s. */
struct dcqcn_conf {
	double line, time_reset, byte_reset, ai, hai, unit, min, max;
	double gd_div, min_dec_fac, one_minus_g, alpha_period, alpha0;
	double cut_period, first_rate;
	int f;
	bool clamp, clamp_ati, cut_last;
};

struct dcqcn_model {
	const struct dcqcn_conf *c;
	double now, rc, rt, alpha, next_alpha, next_cut, next_inc, epoch, bytes;
	bool seen, cnp;
	int t, bc;
};

static inline double dcqcn_top(const struct dcqcn_conf *c)
{
	return c->max && c->max < c->line ? c->max : c->line;
}

static inline void dcqcn_restart(struct dcqcn_model *m)
{
	m->t = 0;
	m->bc = 0;
	m->bytes = 0;
	m->next_inc = m->now + m->c->time_reset;
}

static inline void dcqcn_cut(struct dcqcn_model *m)
{
	const struct dcqcn_conf *c = m->c;
	double left = 1 - m->alpha / c->gd_div;

	if (c->clamp || m->bc || (c->clamp_ati && m->t))
		m->rt = m->rc;
	if (left < c->min_dec_fac)
		left = c->min_dec_fac;
	m->rc *= left;
	if (m->rc < c->min)
		m->rc = c->min;
	m->next_cut = NEVER;
	dcqcn_restart(m);
}

static inline void dcqcn_increase(struct dcqcn_model *m, int *stage)
{
	const struct dcqcn_conf *c = m->c;
	double scale = c->unit ? c->line / c->unit : 1;
	int bc = c->byte_reset ? m->bc : m->t;
	int low = m->t < bc ? m->t : bc, high = m->t > bc ? m->t : bc;

	if (high >= c->f)
		m->rt += scale * (low > c->f ? c->hai : c->ai);
	if (m->rt > dcqcn_top(c))
		m->rt = dcqcn_top(c);
	m->rc = (m->rt + m->rc) / 2;
	++*stage;
}

static inline void dcqcn_alpha_tick(struct dcqcn_model *m)
{
	double w = m->c->one_minus_g;

	m->alpha = w * m->alpha + (m->cnp ? 1 - w : 0);
	m->cnp = false;
	m->next_alpha += m->c->alpha_period;
}

/* Everything due until @t, in order; when together cut, alpha, increase, or with
 * cut_last alpha, increase, cut.
 */
static inline void dcqcn_run_until(struct dcqcn_model *m, double t)
{
	for (;;) {
		double cut_at = m->next_cut, alpha_at = m->next_alpha;
		double inc_at = m->next_inc;
		double first = cut_at < alpha_at ? cut_at : alpha_at;
		bool others;

		if (inc_at < first)
			first = inc_at;
		if (first > t)
			break;
		m->now = first;
		others = first == alpha_at || first == inc_at;
		if (first == cut_at && !(m->c->cut_last && others)) {
			dcqcn_cut(m);
		} else if (first == alpha_at) {
			dcqcn_alpha_tick(m);
		} else {
			m->next_inc += m->c->time_reset;
			dcqcn_increase(m, &m->t);
		}
	}
	m->now = t;
}

static inline void dcqcn_cnp(struct dcqcn_model *m)
{
	const struct dcqcn_conf *c = m->c;
	double n, start;

	if (!m->seen) {
		m->seen = true;
		m->alpha = c->alpha0;
		m->epoch = m->now;
		m->next_alpha = m->now + c->alpha_period;
		m->cnp = false;
		if (c->first_rate) {
			m->rc = c->first_rate;
			m->rt = c->first_rate;
			dcqcn_restart(m);
		}
	} else {
		m->cnp = true;
	}
	if (!c->cut_period) {
		dcqcn_cut(m);
		m->cnp = true;
		dcqcn_alpha_tick(m);
		m->next_alpha = m->now + c->alpha_period;
		return;
	}
	if (m->next_cut != NEVER)
		return;
	/* The simulator's periods are 1 ns late, all but the start of the first. */
	start = m->epoch + c->cut_last;
	n = 1;
	while (start + n * c->cut_period <= m->now)
		n++;
	m->next_cut = start + n * c->cut_period;
}

static inline void dcqcn_sent(struct dcqcn_model *m, double bytes)
{
	if (!m->c->byte_reset)
		return;
	m->bytes += bytes;
	while (m->bytes >= m->c->byte_reset) {
		m->bytes -= m->c->byte_reset;
		dcqcn_increase(m, &m->bc);
	}
}

#endif /* _DCQCN_MODEL_H */
