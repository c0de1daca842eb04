// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: of each sample what ports do and what receivers make of it: rows for types.csv
 * and counts.csv, which the host side compares; and what Mercury and LSCC make of queues.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/pkt_sched_roce.h>
#include <stdlib.h>
#include <string.h>

#include "guest/run.h"

/* Queue pairs are sorted by device: the first of each keeps the device's counts. */
static void find_firsts(struct sampler *s)
{
	size_t i;

	for (i = 0; i < s->n_qps; i++)
		s->qps[i].first = i && strcmp(s->qps[i].dev, s->qps[i - 1].dev) == 0 ?
				  s->qps[i - 1].first : i;
}

/**
 * types_open() - prepare for rows
 * @s: sampler with queue pairs
 */
void types_open(struct sampler *s)
{
	find_firsts(s);
	s->judged = xcalloc(s->topo->n_ports * TC_ROCE_PRIOS, sizeof(*s->judged));
}

/**
 * types_port() - row of a port that is watched
 * @s: sampler
 * @p: port
 * @busy_ns: how long it has been sending
 * @bytes: its queue, all priorities
 */
void types_port(struct sampler *s, const struct port *p, uint64_t busy_ns, uint64_t bytes)
{
	fprintf(s->table[T_RAW_PORTS], "%" PRId64 ",%s-%s,%" PRIu64 ",%" PRIu64 "\n", s->t_ns,
		p->node->name, p->peer->node->name, busy_ns, bytes);
}

/**
 * types_mercury() - rows of what Mercury takes a port's queues for, where that is new
 * @s: sampler
 * @p: port
 * @r: the sample
 * @n_prios: priorities in it
 *
 * What is paused is Undetermined too.
 */
void types_mercury(struct sampler *s, const struct port *p, const struct roce_watch_port *r,
		   int n_prios)
{
	int i;

	for (i = 0; i < n_prios; i++) {
		uint32_t state = r->prio[i].state;
		uint32_t *written = &s->judged[p->id * TC_ROCE_PRIOS + r->prio[i].id];

		if (!(state & ROCE_WATCH_S_MERCURY) || state == *written)
			continue;
		*written = state;
		fprintf(s->table[T_MERCURY], "%" PRId64 ",%s-%s,%u,%s\n", s->t_ns, p->node->name,
			p->peer->node->name, r->prio[i].id,
			state & ROCE_WATCH_S_PAUSED ? "paused" :
			state & ROCE_WATCH_S_UNDETERMINED ? "undetermined" : "determined");
	}
}

/**
 * types_lscc() - row of what LSCC does at a port
 * @s: sampler
 * @p: port
 * @r: the sample
 */
void types_lscc(struct sampler *s, const struct port *p, const struct roce_watch_lscc *r)
{
	fprintf(s->table[T_LSCC], "%" PRId64 ",%s-%s,%llu,%llu,%llu,%llu,%llu\n", s->t_ns,
		p->node->name, p->peer->node->name, r->queue_bytes, r->out_bps,
		r->rate_bps, r->limit_bps, r->pseudo_bytes);
}

/**
 * types_qp() - rows of a queue pair, if it has something new to say
 * @s: sampler
 * @hit: what is known of it
 * @qp: the sample
 */
void types_qp(struct sampler *s, struct flow_qp *hit, const struct cc_qp *qp)
{
	struct flow_qp *dev = &s->qps[hit->first];

	/* A host's port says nothing about what the host sends. */
	if (hit->congestion != qp->congestion && !(hit->sends && qp->of_port)) {
		fprintf(s->table[T_RAW_TYPES], "%" PRId64 ",%d,%u\n", s->t_ns, hit->flow,
			qp->congestion);
		hit->congestion = qp->congestion;
	}
	if (hit->sends || (dev->rx_msgs == qp->rx_msgs && dev->rx_senders == qp->rx_senders))
		return;
	fprintf(s->table[T_RAW_COUNTS], "%" PRId64 ",%s,%u,%u\n", s->t_ns, hit->dev, qp->rx_msgs,
		qp->rx_senders);
	dev->rx_msgs = qp->rx_msgs;
	dev->rx_senders = qp->rx_senders;
}
