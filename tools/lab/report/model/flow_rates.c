// SPDX-License-Identifier: GPL-2.0
/* The flows of a run over time: goodput, rate and window. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_UNLIMITED 9e18	/* "no limit" in u64 or s64 */

/* Rows come flow by flow at each time, so look behind the last one first. */
static struct rpt_flow *rpt_flow_of(struct rpt_flows *fs, long id)
{
	size_t i, k;

	for (k = 0; k < fs->n; k++) {
		i = (fs->last + 1 + k) % fs->n;
		if (fs->flow[i].id == id) {
			fs->last = i;
			return &fs->flow[i];
		}
	}
	fs->flow = xreallocarray(fs->flow, fs->n + 1, sizeof(*fs->flow));
	fs->flow[fs->n] = (struct rpt_flow){ .id = id };
	fs->last = fs->n++;
	return &fs->flow[fs->last];
}

static int rpt_cmp_flow(const void *pa, const void *pb)
{
	const struct rpt_flow *a = pa, *b = pb;

	return a->id < b->id ? -1 : a->id > b->id;
}

/**
 * rpt_rates_read() - the flows of a run over time
 * @r: the report, for warnings
 * @run: the run
 * @fs: filled in; @fs->algo must be set
 */
void rpt_rates_read(struct rpt *r, const struct rpt_run *run, struct rpt_flows *fs)
{
	bool none = rpt_is_algo(fs->algo, "none");
	struct csv c;
	int k;

	if (!rpt_csv_open(r, &c, run, "rates.csv", "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes"))
		return;
	while (rpt_csv_next(&c)) {
		double t = csv_double(c.field[0]);
		struct rpt_flow *f;

		f = rpt_flow_of(fs, strtol(c.field[1], NULL, 10));
		for (k = 0; k < RPT_Q_RATES; k++) {
			double v = csv_double(c.field[2 + k]);

			/* Without CC, rate and window are not the CC's. */
			if (isnan(v) || v >= RPT_UNLIMITED ||
			    (k != RPT_Q_GOODPUT && (v <= 0 || none)))
				continue;
			rpt_series_add(&f->s[k], t, v);
		}
	}
	rpt_csv_close(r, &c);
	if (fs->n)
		qsort(fs->flow, fs->n, sizeof(*fs->flow), rpt_cmp_flow);
}

void rpt_flows_free(struct rpt_flows *fs)
{
	size_t i;
	int k;

	for (i = 0; i < fs->n; i++)
		for (k = 0; k < RPT_Q_NR; k++)
			rpt_series_free(&fs->flow[i].s[k]);
	free(fs->flow);
}
