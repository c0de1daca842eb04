// SPDX-License-Identifier: GPL-2.0
/*
 * Writes dcqcn_vectors.h: what DCQCN's reaction point must do, computed by
 * dcqcn_model.h. User space.
 *
 *	make -C tests regenerate	after a change of the model
 *	make -C tests check		is the header what the model says?
 */
#include <stdio.h>

#include "dcqcn_model.h"

enum kind { LOOK, CNP, SENT };

struct conf {
	const char *name;
	struct dcqcn_conf c;
	/* How the events come: CNPs this far apart, and the phases' lengths. */
	double cnp_gap, busy, quiet;
	/* The same parameters as the kernel takes them, verbatim. */
	const char *values;
};

static const struct conf confs[] = {
	{ .name = "mlx5_100g", .c.line = 100e9, .c.time_reset = 300e3,
	  .c.byte_reset = 32767 * 64, .c.ai = 5e6, .c.hai = 50e6, .c.min = 1e6,
	  .c.gd_div = 2, .c.min_dec_fac = 0.5, .c.one_minus_g = 1019.0 / 1024,
	  .c.alpha_period = 1e3, .c.alpha0 = 1023.0 / 1024, .c.cut_period = 4e3,
	  .c.f = 1, .c.clamp_ati = true, .cnp_gap = 6e3, .busy = 300e3,
	  .quiet = 4e6, .values = "RXE_DCQCN_MLX5_VALUES" },
	{ .name = "paper_40g", .c.line = 40e9, .c.time_reset = 55e3,
	  .c.byte_reset = 10e6, .c.ai = 40e6, .c.hai = 400e6, .c.unit = 40e9,
	  .c.min = 1e6, .c.gd_div = 2, .c.one_minus_g = 255.0 / 256,
	  .c.alpha_period = 55e3, .c.alpha0 = 1, .c.f = 5, .c.clamp = true,
	  .c.clamp_ati = true, .cnp_gap = 60e3, .busy = 2e6, .quiet = 8e6,
	  .values = "RXE_DCQCN_PAPER_VALUES" },
	{ .name = "ns3_10g", .c.line = 10e9, .c.time_reset = 300e3, .c.ai = 2e6,
	  .c.hai = 20e6, .c.unit = 10e9, .c.min = 100e6, .c.gd_div = 2,
	  .c.one_minus_g = 255.0 / 256,
	  .c.alpha_period = 1e3, .c.alpha0 = 1, .c.cut_period = 4e3, .c.f = 1,
	  .c.clamp_ati = true, .c.cut_last = true, .cnp_gap = 9e3, .busy = 200e3,
	  .quiet = 6e6, .values = "RXE_DCQCN_NS3_VALUES" },
	{ .name = "odd_200g", .c.line = 200e9, .c.time_reset = 20e3,
	  .c.byte_reset = 100e3, .c.ai = 100e6, .c.hai = 1e9, .c.unit = 100e9,
	  .c.min = 20e6, .c.max = 150e9, .c.gd_div = 4, .c.min_dec_fac = 0.875,
	  .c.one_minus_g = 0.75, .c.alpha_period = 13e3, .c.alpha0 = 0.5,
	  .c.cut_period = 7e3, .c.first_rate = 50e9, .c.f = 3, .cnp_gap = 10e3,
	  .busy = 500e3, .quiet = 2e6, .values = "DCQCN_ODD_VALUES" },
	/* Every second cut period ends with an increase, when no cut was before. */
	{ .name = "last_25g", .c.line = 25e9, .c.time_reset = 8e3, .c.ai = 2e6,
	  .c.hai = 20e6, .c.min = 100e6, .c.gd_div = 2, .c.one_minus_g = 255.0 / 256,
	  .c.alpha_period = 2e3, .c.alpha0 = 1, .c.cut_period = 4e3, .c.f = 1,
	  .c.clamp_ati = true, .c.cut_last = true, .cnp_gap = 9e3, .busy = 200e3,
	  .quiet = 400e3, .values = "DCQCN_LAST_VALUES" },
	{ .name = NULL }
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

static int column;

static void row(double dt, enum kind kind, double bytes, const struct dcqcn_model *m)
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
	struct dcqcn_model m = { .c = &c->c, .rc = dcqcn_top(&c->c),
			   .rt = dcqcn_top(&c->c),
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
		if (!c->c.cut_period && m.now + dt == m.next_alpha)
			dt++;
		dcqcn_run_until(&m, m.now + dt);
		bytes = 0;
		if (kind == CNP) {
			dcqcn_cnp(&m);
		} else if (kind == SENT) {
			bytes = (unsigned long long)(m.rc * (m.now - sent_at) / 8e9);
			sent_at = m.now;
			/* The receiver of a table row has 32 bits. */
			if (bytes > 4e9)
				bytes = 4e9;
			dcqcn_sent(&m, bytes);
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
