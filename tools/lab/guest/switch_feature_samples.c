// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: rows of mercury.csv and lscc.csv: what the features of switches' ports did at each
 * sample. The job says which ports have them.
 */
#include <inttypes.h>
#include <linux/pkt_sched_roce.h>
#include <string.h>

#include "guest/sampler.h"

/* What the kernel is to sample of a feature's ports. */
static const struct {
	const char *name;
	uint32_t watch;
	size_t bytes;
} samples[] = {
	{ "lscc", ROCE_WATCH_F_LSCC, sizeof(struct roce_watch_lscc) },
};

/**
 * feature_samples_open() - prepare for rows
 * @s: sampler
 */
void feature_samples_open(struct sampler *s)
{
	s->judged = xcalloc(s->topo->n_ports * TC_ROCE_PRIOS, sizeof(*s->judged));
}

/**
 * feature_samples_watch() - what the kernel is to sample of a port beside its queues
 * @p: port
 * @bytes: receives the size of these samples
 *
 * Return: ROCE_WATCH_F_*.
 */
uint32_t feature_samples_watch(const struct port *p, size_t *bytes)
{
	struct json_object *list = job_get(p->qdisc, J_PORT_FEATURES);
	uint32_t watch = 0;
	size_t i, k;

	*bytes = 0;
	for (i = 0; i < js_len(list); i++)
		for (k = 0; k < ARRAY_SIZE(samples); k++)
			if (strcmp(json_object_get_string(js_at(list, i)), samples[k].name) == 0) {
				watch |= samples[k].watch;
				*bytes += samples[k].bytes;
			}
	return watch;
}

/**
 * feature_samples_port() - rows of a port that is watched: what Mercury takes its queues for, where
 *	that is new
 * @s: sampler
 * @p: port
 * @r: the sample
 * @n_prios: priorities in it
 *
 * What is paused is Undetermined too.
 */
void feature_samples_port(struct sampler *s, const struct port *p, const struct roce_watch_port *r,
			  int n_prios)
{
	int i;

	for (i = 0; i < n_prios; i++) {
		uint32_t state = r->prio[i].state;
		uint32_t *written = &s->judged[p->id * TC_ROCE_PRIOS + r->prio[i].id];

		if (!(state & ROCE_WATCH_S_MERCURY) || state == *written)
			continue;
		*written = state;
		fprintf(s->table[T_MERCURY], "%" PRId64 ",%s-%s,%u,%s\n", s->t_ns,
			p->node->name, p->peer->node->name, r->prio[i].id,
			state & ROCE_WATCH_S_PAUSED ? "paused" :
			state & ROCE_WATCH_S_UNDETERMINED ? "undetermined" : "determined");
	}
}

/**
 * feature_samples_record() - row of a sample that is a feature's own
 * @s: sampler
 * @rec: the sample
 */
void feature_samples_record(struct sampler *s, const struct roce_watch_rec *rec)
{
	const struct roce_watch_lscc *r = (const void *)rec;
	const struct port *p = &s->topo->ports[rec->id];

	if (rec->kind != ROCE_WATCH_LSCC)
		return;
	fprintf(s->table[T_LSCC], "%" PRId64 ",%s-%s,%llu,%llu,%llu,%llu,%llu\n", s->t_ns,
		p->node->name, p->peer->node->name, r->queue_bytes, r->out_bps, r->rate_bps,
		r->limit_bps, r->pseudo_bytes);
}
