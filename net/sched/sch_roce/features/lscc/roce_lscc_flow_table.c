// SPDX-License-Identifier: GPL-2.0
/*
 * Table of fixed size of the flows that go out by a long link, for LSCC (link-segmented
 * congestion control).
 */
#include <linux/string.h>

#include "roce_lscc.h"
#include "roce_reply_packet.h"

/**
 * roce_lscc_flow_of - the flow of a packet
 * @port: port to the long link
 * @to: what roce_flow_read() found in the packet
 * @now_ns: present time
 *
 * Return: what is known of it; NULL when there is no place for it, which is counted.
 */
struct roce_lscc_flow *roce_lscc_flow_of(struct roce_port *port,
					 const struct roce_reply_to *to, u64 now_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);
	const struct roce_flow_table table = {
		.flows = l->flows, .size = ROCE_LSCC_FLOWS,
		.seed = port->cfg.seed,
	};
	struct roce_lscc_flow *data;
	struct roce_flow_key key;
	struct roce_flow *flow;

	roce_flow_key(&key, to, ROCE_FLOW_QP);
	flow = roce_flow_get(&table, &key, now_ns, roce_lscc_rtt(&port->cfg));
	if (!flow) {
		l->stats.no_place++;
		return NULL;
	}
	data = &l->flow[flow - l->flows];
	if (!flow->data) {
		memset(data, 0, sizeof(*data));
		flow->data = 1;
	}
	return data;
}
