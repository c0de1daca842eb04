// SPDX-License-Identifier: GPL-2.0
/*
 * Which flows a port's link has lost packets of. It is kept only while somebody wants to know, for
 * the lab's timeline: how many flows a failed link hit. What is lost is many packets of few flows.
 * A flow is appended unless it is the last one or among those in order. When the list is full it
 * is put in order, with each flow once.
 */
#include <kunit/visibility.h>
#include <linux/bsearch.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "roce_flow_table.h"
#include "roce_lost_flows.h"

#define ROCE_LOST_ROOM_MIN	64U
/* 24 bytes each: what kmalloc() gives in softirq. */
#define ROCE_LOST_ROOM_MAX	16384U

static int roce_lost_cmp(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct roce_watch_lost_flow));
}

/**
 * roce_lost_flows_compact - sort them, each once
 * @lost: flows
 *
 * Context: any; nobody else may have @lost.
 */
void roce_lost_flows_compact(struct roce_lost_flows *lost)
{
	struct roce_watch_lost_flow *f = lost->flow;
	u32 i, nr = 0;

	sort(f, lost->nr, sizeof(*f), roce_lost_cmp, NULL);
	for (i = 0; i < lost->nr; i++)
		if (!nr || roce_lost_cmp(&f[nr - 1], &f[i]))
			f[nr++] = f[i];
	lost->nr = nr;
	lost->sorted = nr;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lost_flows_compact);

/* The last one, or one of those in order. */
static bool roce_lost_has(const struct roce_lost_flows *lost,
			  const struct roce_watch_lost_flow *flow)
{
	return (lost->nr && !roce_lost_cmp(&lost->flow[lost->nr - 1], flow)) ||
	       bsearch(flow, lost->flow, lost->sorted, sizeof(*flow), roce_lost_cmp);
}

/* Make room, once all are in order. Half of it free is enough, else they are sorted ever again. */
static void roce_lost_grow(struct roce_lost_flows *lost)
{
	struct roce_watch_lost_flow *flow;
	u32 room;

	if (lost->nr < lost->room / 2 || lost->room == ROCE_LOST_ROOM_MAX)
		return;
	room = max(2 * lost->room, ROCE_LOST_ROOM_MIN);
	flow = krealloc_array(lost->flow, room, sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return;
	lost->flow = flow;
	lost->room = room;
}

/**
 * roce_lost_flows_add - one more
 * @lost: flows
 * @flow: it
 *
 * Context: lock of the switch held, or nobody else has @lost.
 */
void roce_lost_flows_add(struct roce_lost_flows *lost, const struct roce_watch_lost_flow *flow)
{
	if (roce_lost_has(lost, flow))
		return;
	if (lost->nr == lost->room) {
		if (lost->sorted < lost->nr)
			roce_lost_flows_compact(lost);
		if (roce_lost_has(lost, flow))
			return;
		roce_lost_grow(lost);
	}
	if (lost->nr < lost->room)
		lost->flow[lost->nr++] = *flow;
	else
		lost->more = true;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lost_flows_add);

/**
 * roce_lost_flows_note - a port has lost a packet
 * @lost: flows
 * @port: port
 * @skb: packet; what is not RoCEv2 is of no flow
 *
 * Context: lock of the switch held.
 */
void roce_lost_flows_note(struct roce_lost_flows *lost, const struct roce_port *port,
			  const struct sk_buff *skb)
{
	struct roce_watch_lost_flow flow = {};
	struct roce_reply_to to;

	if (!roce_flow_read(port, skb, &to))
		return;
	roce_flow_addr6(flow.daddr, &to.dst, to.ipv4);
	flow.qpn = to.qpn;
	roce_lost_flows_add(lost, &flow);
}

/**
 * roce_lost_flows_free - forget them
 * @lost: flows; may be NULL
 */
void roce_lost_flows_free(struct roce_lost_flows *lost)
{
	if (lost)
		kfree(lost->flow);
	kfree(lost);
}
