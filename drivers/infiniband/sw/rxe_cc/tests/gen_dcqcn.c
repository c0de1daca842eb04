// SPDX-License-Identifier: GPL-2.0
/*
 * Writes dcqcn_vectors.h: what DCQCN's reaction point must do, computed in double
 * precision from the formulae of SIGCOMM 2015, section 3.1, and of mlx5's
 * parameters. User space; shares no code with the kernel's implementation: here
 * alpha ticks one period at a time, increases never end, nothing is lazy.
 *
 *	make -C tests regenerate	after a change of the model
 *	make -C tests check		is the header what the model says?
 */
#include <stdbool.h>
#include <stdio.h>

#define NEVER	1e300

enum kind { LOOK, CNP, SENT };

struct conf {
	const char *name;
	double line, time_reset, byte_reset, ai, hai, unit, min, max;
	double gd_div, min_dec_fac, one_minus_g, alpha_period, alpha0;
	double cut_period, first_rate;
	int f;
	bool clamp, clamp_ati, cut_last;
	/* How the events come: CNPs this far apart, and the phases' lengths. */
	double cnp_gap, busy, quiet;
	/* The same parameters as the kernel takes them, verbatim. */
	const char *values;
};

static const struct conf confs[] = {
	{ .name = "mlx5_100g", .line = 100e9, .time_reset = 300e3,
	  .byte_reset = 32767 * 64, .ai = 5e6, .hai = 50e6, .min = 1e6,
	  .gd_div = 2, .min_dec_fac = 0.5, .one_minus_g = 1019.0 / 1024,
	  .alpha_period = 1e3, .alpha0 = 1023.0 / 1024, .cut_period = 4e3,
	  .f = 1, .clamp_ati = true, .cnp_gap = 6e3, .busy = 300e3,
	  .quiet = 4e6, .values = "RXE_DCQCN_MLX5_VALUES" },
	{ .name = "paper_40g", .line = 40e9, .time_reset = 55e3,
	  .byte_reset = 10e6, .ai = 40e6, .hai = 400e6, .unit = 40e9,
	  .min = 1e6, .gd_div = 2, .one_minus_g = 255.0 / 256,
	  .alpha_period = 55e3, .alpha0 = 1, .f = 5, .clamp = true,
	  .clamp_ati = true, .cnp_gap = 60e3, .busy = 2e6, .quiet = 8e6,
	  .values = "RXE_DCQCN_PAPER_VALUES" },
	{ .name = "ns3_10g", .line = 10e9, .time_reset = 300e3, .ai = 2e6,
	  .hai = 20e6, .unit = 10e9, .min = 100e6, .gd_div = 2, .one_minus_g = 255.0 / 256,
	  .alpha_period = 1e3, .alpha0 = 1, .cut_period = 4e3, .f = 1,
	  .clamp_ati = true, .cut_last = true, .cnp_gap = 9e3, .busy = 200e3,
	  .quiet = 6e6, .values = "RXE_DCQCN_NS3_VALUES" },
	{ .name = "odd_200g", .line = 200e9, .time_reset = 20e3,
	  .byte_reset = 100e3, .ai = 100e6, .hai = 1e9, .unit = 100e9,
	  .min = 20e6, .max = 150e9, .gd_div = 4, .min_dec_fac = 0.875,
	  .one_minus_g = 0.75, .alpha_period = 13e3, .alpha0 = 0.5,
	  .cut_period = 7e3, .first_rate = 50e9, .f = 3, .cnp_gap = 10e3,
	  .busy = 500e3, .quiet = 2e6, .values = "DCQCN_ODD_VALUES" },
	/* Every second cut period ends with an increase, when no cut was before. */
	{ .name = "last_25g", .line = 25e9, .time_reset = 8e3, .ai = 2e6,
	  .hai = 20e6, .min = 100e6, .gd_div = 2, .one_minus_g = 255.0 / 256,
	  .alpha_period = 2e3, .alpha0 = 1, .cut_period = 4e3, .f = 1,
	  .clamp_ati = true, .cut_last = true, .cnp_gap = 9e3, .busy = 200e3,
	  .quiet = 400e3, .values = "DCQCN_LAST_VALUES" },
	{ .name = NULL }
};

struct model {
	const struct conf *c;
	double now, rc, rt, alpha, next_alpha, next_cut, next_inc, epoch, bytes;
	bool seen, cnp;
	int t, bc;
};

static unsigned long long prng_state = 20250829;

static unsigned long long prng(void)
{
	unsigned long long z = prng_state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* A whole number of ns, uniform in [1, 2 mean). */
static double around(double mean)
{
	return 1 + prng() % (unsigned long long)(2 * mean - 1);
}

static double top(const struct conf *c)
{
	return c->max && c->max < c->line ? c->max : c->line;
}

static void restart(struct model *m)
{
	m->t = 0;
	m->bc = 0;
	m->bytes = 0;
	m->next_inc = m->now + m->c->time_reset;
}

static void cut(struct model *m)
{
	const struct conf *c = m->c;
	double left = 1 - m->alpha / c->gd_div;

	if (c->clamp || m->bc || (c->clamp_ati && m->t))
		m->rt = m->rc;
	if (left < c->min_dec_fac)
		left = c->min_dec_fac;
	m->rc *= left;
	if (m->rc < c->min)
		m->rc = c->min;
	m->next_cut = NEVER;
	restart(m);
}

static void increase(struct model *m, int *stage)
{
	const struct conf *c = m->c;
	double scale = c->unit ? c->line / c->unit : 1;
	int bc = c->byte_reset ? m->bc : m->t;
	int low = m->t < bc ? m->t : bc, high = m->t > bc ? m->t : bc;

	if (high >= c->f)
		m->rt += scale * (low > c->f ? c->hai : c->ai);
	if (m->rt > top(c))
		m->rt = top(c);
	m->rc = (m->rt + m->rc) / 2;
	++*stage;
}

static void alpha_tick(struct model *m)
{
	double w = m->c->one_minus_g;

	m->alpha = w * m->alpha + (m->cnp ? 1 - w : 0);
	m->cnp = false;
	m->next_alpha += m->c->alpha_period;
}

/* Everything due until @t, in order; when together cut, alpha, increase, or with
 * cut_last alpha, increase, cut.
 */
static void run_until(struct model *m, double t)
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
			cut(m);
		} else if (first == alpha_at) {
			alpha_tick(m);
		} else {
			m->next_inc += m->c->time_reset;
			increase(m, &m->t);
		}
	}
	m->now = t;
}

static void cnp(struct model *m)
{
	const struct conf *c = m->c;
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
			restart(m);
		}
	} else {
		m->cnp = true;
	}
	if (!c->cut_period) {
		cut(m);
		m->cnp = true;
		alpha_tick(m);
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

static void sent(struct model *m, double bytes)
{
	if (!m->c->byte_reset)
		return;
	m->bytes += bytes;
	while (m->bytes >= m->c->byte_reset) {
		m->bytes -= m->c->byte_reset;
		increase(m, &m->bc);
	}
}

static int column;

static void row(double dt, enum kind kind, double bytes, const struct model *m)
{
	char text[80];
	int n;

	n = snprintf(text, sizeof(text), " { %u, %u, %u, %llu, %u },",
		     (unsigned int)dt, kind, (unsigned int)bytes,
		     (unsigned long long)(m->rc + 0.5),
		     (unsigned int)(m->alpha * (1U << 31) + 0.5));
	if (!column || column + n > 98) {
		printf("\n\t%s", text + 1);
		column = 8 + n - 1;
	} else {
		printf("%s", text);
		column += n;
	}
}

static void scenario(const struct conf *c, int rows)
{
	struct model m = { .c = c, .rc = top(c), .rt = top(c),
			   .next_alpha = NEVER, .next_cut = NEVER,
			   .next_inc = NEVER };
	double end = 0, dt, bytes, sent_at = 0;
	bool busy = false;

	printf("\nstatic const u64 dcqcn_params_%s[RXE_DCQCN_NR_PARAMS] = {\n\t%s\n};\n",
	       c->name, c->values);
	printf("\nstatic const struct dcqcn_vector dcqcn_%s[] = {", c->name);
	for (column = 0; rows--;) {
		enum kind kind;

		if (m.now >= end) {
			busy = !busy;
			end = m.now + around(busy ? c->busy : c->quiet);
		}
		dt = busy ? around(c->cnp_gap) : around(c->quiet / 10);
		kind = busy && prng() % 4 ? CNP : prng() % 4 ? SENT : LOOK;
		/* A CNP and an update of alpha at one time: see cc_dcqcn_rp.c */
		if (!c->cut_period && m.now + dt == m.next_alpha)
			dt++;
		run_until(&m, m.now + dt);
		bytes = 0;
		if (kind == CNP) {
			cnp(&m);
		} else if (kind == SENT) {
			bytes = (unsigned long long)(m.rc * (m.now - sent_at) / 8e9);
			sent_at = m.now;
			/* The receiver of a table row has 32 bits. */
			if (bytes > 4e9)
				bytes = 4e9;
			sent(&m, bytes);
		}
		row(dt, kind, bytes, &m);
	}
	printf("\n};\n");
}

int main(void)
{
	const struct conf *c;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. ns since the last row, kind, bytes;\n"
	       " * expected rate in bit/s, alpha in Q31 (valid after a CNP).\n */\n", "SPDX");
	for (c = confs; c->name; c++)
		scenario(c, 1000);
	return 0;
}
