// SPDX-License-Identifier: GPL-2.0
/*
 * Writes hpcc_vectors.h: what HPCC must do, by the model in hpcc_model.h.
 *
 *	make -C tests regenerate	after a change of the model
 *	make -C tests check		is the header what the model says?
 */
#include "hpcc_configs.h"
#include "hpcc_model.h"

/* NewAck. */
static void ack(struct model *m, const struct hpcc_ev *e)
{
	bool commit = e->seq >= m->update_seq;

	m->t = e->t_ns;
	if (m->last.nr && !m->c->fast && !commit)
		return;
	if (!m->last.nr && possible(e))
		m->update_seq = e->next_seq;
	if (!sample(m, e))
		return;
	compute(m, commit);
	if (commit)
		m->update_seq = e->next_seq;
}

static void run(const struct hpcc_ev_conf *c)
{
	struct hpcc_ev_source s;
	struct model m;
	struct hpcc_ev e;
	double sum = 0;
	int i;

	model_start(&m, c);
	hpcc_ev_start(&s, c);
	printf("\nstatic const struct hpcc_row hpcc_%s[] = {", c->name);
	for (i = 1; i <= HPCC_EV_NR; i++) {
		hpcc_ev_next(&s, &e);
		ack(&m, &e);
		sum += m.r;
		if (i % HPCC_EV_ROW)
			continue;
		row(&m, m.r, sum, i);
		sum = 0;
	}
	printf("\n};\n");
	fprintf(stderr, "%s: %d events, %u used, %u commits\n", c->name,
		HPCC_EV_NR, m.used, m.commits);
}

int main(void)
{
	u32 i;

	heading();
	for (i = 0; i < sizeof(hpcc_ev_confs) / sizeof(hpcc_ev_confs[0]); i++)
		run(&hpcc_ev_confs[i]);
	return 0;
}
