// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: raw rows of each sample for ports.csv (what ports do), types.csv and counts.csv
 * (which type of congestion queue pairs see, what receivers count). The host side compares
 * them.
 */
#include <inttypes.h>
#include <string.h>

#include "guest/sampler.h"

/* Queue pairs are sorted by device: the first of each keeps the device's counts. */
static void find_firsts(struct sampler *s)
{
	size_t i;

	for (i = 0; i < s->n_qps; i++)
		s->qps[i].first = i && strcmp(s->qps[i].dev, s->qps[i - 1].dev) == 0 ?
				  s->qps[i - 1].first : i;
}

/**
 * congestion_types_open() - prepare for rows
 * @s: sampler with queue pairs
 */
void congestion_types_open(struct sampler *s)
{
	find_firsts(s);
}

/**
 * congestion_types_port() - row of a port that is watched
 * @s: sampler
 * @p: port
 * @busy_ns: how long it has been sending
 * @bytes: its queue, all priorities
 */
void congestion_types_port(struct sampler *s, const struct port *p, uint64_t busy_ns,
			   uint64_t bytes)
{
	fprintf(s->table[T_RAW_PORTS], "%" PRId64 ",%s-%s,%" PRIu64 ",%" PRIu64 "\n", s->t_ns,
		p->node->name, p->peer->node->name, busy_ns, bytes);
}

/**
 * congestion_types_qp() - rows of a queue pair, if it has something new to say
 * @s: sampler
 * @hit: what is known of it
 * @qp: the sample
 */
void congestion_types_qp(struct sampler *s, struct flow_qp *hit, const struct cc_qp *qp)
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
