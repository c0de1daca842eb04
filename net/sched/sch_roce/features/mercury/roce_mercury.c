// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury (He et al., "Accurate and fast congestion feedback in MEC-enabled RDMA
 * datacenters", J. Cloud Computing 2024), the half of it that is in the switch: a
 * feature of a port of a switch.
 *
 * Each priority of the port is Determined or Undetermined (roce_mercury_queue_state.c). A
 * packet that joins a queue longer than the threshold, itself included, belongs to a
 * congested flow if the queue is Determined. Its sender gets a CNP at once, with
 * the window
 *
 *	C * (bytes of the flow that wait) / (bytes that wait) * baseRTT
 *
 * in the reserved field, by the port that the packet came in by. Where the queue is
 * Undetermined no CNP is sent: its flows may be victims of congestion elsewhere.
 *
 * The switch is congestion point and notification point in one, so ECN marks nothing
 * in these priorities, unless the option mercury-ecn is on. Otherwise the paused port would
 * mark victims, and they would slow down all the same.
 *
 * A flow is a pair of addresses. The table of flows is the switch's, by port, priority
 * and pair, as in the paper. A waiting packet keeps the number of its entry, which is
 * looked up once, when the packet arrives. While the flow has waiting bytes no other flow
 * may take its entry. Afterwards the entry only stores the time of the last CNP, and
 * another flow may take its place an interval later. A flow that finds no place gets no
 * CNP. Its bytes still count in the queue, of which the windows of others are shares.
 *
 * Differences from the paper: the window counts wire bytes. CNPs are damped, one in an
 * interval for a flow and queue; the paper sends one for each packet. The interval begins
 * when one was sent: one that fails is tried again with the next packet. Only data causes
 * CNPs, because senders of other packets cannot send less.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include <rxe_cc/wire.h>

#include "roce_mercury.h"
#include "roce_reply_packet.h"
#include "roce_switch.h"
#include "roce_trace.h"

static struct roce_mercury_port *roce_mercury_of(const struct roce_port *port)
{
	return roce_feature_port(port, &roce_mercury_feature);
}

static struct roce_mercury_rule roce_mercury_rule(const struct roce_port *port, u8 id)
{
	return (struct roce_mercury_rule) {
		.rate_bps = port->cfg.rate_bps,
		.period_ns = roce_mercury_config(&port->cfg)->period_ns,
		.threshold_bytes = roce_mercury_threshold(&port->cfg, id),
	};
}

static struct roce_flow *roce_mercury_flows(const struct roce_port *port)
{
	struct roce_mercury_switch *sw = roce_feature_switch(port, &roce_mercury_feature);

	return sw->flows;
}

static u64 roce_mercury_interval(const struct roce_port *port)
{
	const struct roce_mercury_config *cfg = roce_mercury_config(&port->cfg);

	return cfg->interval_ns ?: cfg->base_rtt_ns;
}

/* A packet waits: its roce_skb_cb.own is the number of its flow's entry, from 1. Returns the flow,
 * or NULL when it has none.
 */
static struct roce_flow *roce_mercury_charge(struct roce_port *port,
					     struct sk_buff *skb, u64 now_ns)
{
	struct roce_flow_table table = {
		.flows = roce_mercury_flows(port), .size = ROCE_MERCURY_FLOWS,
		.seed = port->cfg.seed,
	};
	struct roce_mercury_port *m = roce_mercury_of(port);
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_flow_key key;
	struct roce_flow *flow;

	BUILD_BUG_ON(ROCE_MERCURY_FLOWS > U16_MAX);
	if (!roce_flow_key_pair(&key, skb))
		return NULL;
	/* flows of different queues are different flows */
	key.queue = port->slot << 3 | cb->prio;
	flow = roce_flow_get(&table, &key, now_ns, roce_mercury_interval(port));
	if (!flow) {
		m->no_place++;
		return NULL;
	}
	if (!flow->bytes)
		m->flows_peak = max(m->flows_peak, ++m->flows);
	flow->bytes += cb->wire_bytes;
	cb->own = flow - table.flows + 1;
	return flow;
}

/* It waits no longer. What it counts for cannot have become another flow's. */
static void roce_mercury_release(struct roce_port *port, struct sk_buff *skb)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_flow *flow;

	if (!cb->own)
		return;
	flow = &roce_mercury_flows(port)[cb->own - 1];
	cb->own = 0;
	flow->bytes -= cb->wire_bytes;
	if (flow->bytes)
		return;
	roce_mercury_of(port)->flows--;
	if (flow->data)
		flow->seen_ns = flow->data;
	else
		roce_flow_put(flow);
}

/* What waits here is no longer of interest. */
static void roce_mercury_forget_flows(struct roce_port *port)
{
	struct sk_buff *skb;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		for (skb = port->prio[id].queue.head; skb; skb = skb->next)
			roce_mercury_release(port, skb);
	}
}

static void roce_mercury_trace(const struct roce_port *port, u8 id,
			       enum roce_mercury_event event, u64 at_ns)
{
	const struct roce_mercury_state *s = &roce_mercury_of(port)->state[id];

	trace_roce_mercury(port, at_ns, id, event, s, port->prio[id].bytes);
}

/* Send the sender of a packet the window of its flow. */
static void roce_mercury_tell(struct roce_port *port, const struct sk_buff *skb,
			      struct roce_flow *flow, u64 now_ns)
{
	u64 queue_bytes = port->prio[roce_skb_cb(skb)->prio].bytes;
	struct roce_mercury_port *m = roce_mercury_of(port);
	struct roce_reply_to to;
	u32 window;
	int err;

	if (!roce_flow_read(port, skb, &to) || !roce_reply_is_data(to.opcode))
		return;
	if (flow->data && now_ns - flow->data < roce_mercury_interval(port)) {
		m->damped++;
		return;
	}
	window = roce_mercury_window(port->cfg.rate_bps,
				     roce_mercury_config(&port->cfg)->base_rtt_ns,
				     flow->bytes, queue_bytes);
	err = roce_reply_send_cnp(port, skb, &to, RXE_CC_CNP_MERCURY, window, now_ns);
	if (err)
		m->failed++;
	else
		m->cnps++;
	if (!roce_reply_again(err))
		flow->data = now_ns;
	trace_roce_mercury_cnp(port, skb, now_ns, flow->bytes, queue_bytes,
			       window, to.qpn, to.psn, err);
}

/* A packet waits, or is being sent already: then there was no queue. */
static void roce_mercury_arrived(struct roce_port *port, struct sk_buff *skb,
				 bool waits, u64 now_ns)
{
	struct roce_mercury_port *m = roce_mercury_of(port);
	u8 id = roce_skb_cb(skb)->prio;
	struct roce_flow *flow;

	roce_mercury_arrive(&m->state[id], roce_skb_cb(skb)->wire_bytes);
	if (!waits)
		return;
	flow = roce_mercury_charge(port, skb, now_ns);
	if (port->prio[id].bytes <= roce_mercury_threshold(&port->cfg, id))
		return;
	trace_roce_mercury_packet(port, skb, now_ns, flow, m->state[id].undetermined);
	if (m->state[id].undetermined) {
		m->stats[id].spared++;
		return;
	}
	m->stats[id].congested++;
	if (flow)
		roce_mercury_tell(port, skb, flow, now_ns);
}

static enum roce_verdict roce_mercury_dequeued(struct roce_port *port,
					       struct sk_buff *skb, u64 at_ns)
{
	struct roce_mercury_port *m = roce_mercury_of(port);
	u8 id = roce_skb_cb(skb)->prio;
	struct roce_mercury_rule rule = roce_mercury_rule(port, id);

	roce_mercury_release(port, skb);
	if (roce_mercury_dequeue(&m->state[id], &rule, port->prio[id].bytes, at_ns))
		roce_mercury_trace(port, id, ROCE_MERCURY_CHECKED, at_ns);
	return ROCE_ACCEPTED;
}

static void roce_mercury_lost(struct roce_port *port, struct sk_buff *skb, bool waited, u64 at_ns)
{
	if (waited)
		roce_mercury_release(port, skb);
}

static void roce_mercury_paused(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_mercury_port *m = roce_mercury_of(port);

	if (!(m->on & BIT(id)))
		return;
	if (!m->state[id].undetermined)
		m->stats[id].entered++;
	roce_mercury_pause(&m->state[id], at_ns);
	roce_mercury_trace(port, id, ROCE_MERCURY_PAUSED, at_ns);
}

static void roce_mercury_resumed(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_mercury_port *m = roce_mercury_of(port);
	struct roce_mercury_rule rule = roce_mercury_rule(port, id);

	if (!(m->on & BIT(id)))
		return;
	roce_mercury_resume(&m->state[id], &rule, port->prio[id].bytes, at_ns);
	roce_mercury_trace(port, id, ROCE_MERCURY_RESUMED, at_ns);
}

static bool roce_mercury_is_on(const struct roce_config *cfg, u8 id)
{
	return roce_mercury_config(cfg)->prio[id].threshold_bytes;
}

static u16 roce_mercury_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	return roce_mercury_is_on(cfg, prio) ? BIT(ROCE_HOOK_ARRIVED) | BIT(ROCE_HOOK_DEQUEUE) |
	       BIT(ROCE_HOOK_LOST) | BIT(ROCE_HOOK_PAUSE) | BIT(ROCE_HOOK_RESUME) : 0;
}

static u8 roce_mercury_prios(const struct roce_config *cfg)
{
	u8 mask = 0;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (roce_mercury_is_on(cfg, id))
			mask |= BIT(id);
	}
	return mask;
}

static u8 roce_mercury_no_ecn(const struct roce_config *cfg)
{
	return roce_mercury_config(cfg)->ecn ? 0 : roce_mercury_prios(cfg);
}

/* A priority in which it is switched on starts anew. If it is paused, that is as good
 * as a pause that begins.
 */
static void roce_mercury_changed(struct roce_port *port, u64 now_ns)
{
	struct roce_mercury_port *m = roce_mercury_of(port);
	unsigned long on = roce_mercury_prios(&port->cfg), other = on ^ m->on;
	int id;

	m->on = on;
	for_each_set_bit(id, &other, TC_ROCE_PRIOS) {
		memset(&m->state[id], 0, sizeof(m->state[id]));
		if (port->pfc.paused & BIT(id))
			roce_mercury_paused(port, id, now_ns);
	}
	/* It gets no call when the packets that wait now leave. */
	if (!on)
		roce_mercury_forget_flows(port);
}

/* In another switch everything starts anew. */
static void roce_mercury_leave(struct roce_port *port, u64 now_ns)
{
	roce_mercury_of(port)->on = 0;
}

static int roce_mercury_put_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_mercury_port *m = roce_mercury_of(port);
	const struct roce_figure figures[] = {
#define ROCE_FIGURE(attr, value, ...) { TCA_ROCE_XSTATS_##attr, m ? (value) : 0 },
#include "roce_mercury_rows.h"
#undef ROCE_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static int roce_mercury_put_prio_stats(struct roce_port *port, u8 id, struct sk_buff *msg)
{
	const struct roce_mercury_port *m = roce_mercury_of(port);
	const struct roce_figure figures[] = {
#define ROCE_PRIO_FIGURE(attr, value, ...) { TCA_ROCE_PSTATS_##attr, m ? (value) : 0 },
#include "roce_mercury_rows.h"
#undef ROCE_PRIO_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

#define ROCE_ROWS	"features/mercury/roce_mercury_rows.h"
#define ROCE_CONFIG	struct roce_mercury_config
#include "roce_option_table.h"

struct roce_feature roce_mercury_feature = {
	.arrived	= roce_mercury_arrived,
	.dequeue	= roce_mercury_dequeued,
	.lost		= roce_mercury_lost,
	.pause		= roce_mercury_paused,
	.resume		= roce_mercury_resumed,
	.wants		= roce_mercury_wants,
	.no_ecn		= roce_mercury_no_ecn,
	.changed	= roce_mercury_changed,
	.leave		= roce_mercury_leave,
	.stats		= roce_mercury_put_stats,
	.prio_stats	= roce_mercury_put_prio_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.prio_stride	= sizeof(struct roce_mercury_prio),
	.config_bytes	= sizeof(struct roce_mercury_config),
	.port_bytes	= sizeof(struct roce_mercury_port),
	.switch_bytes	= sizeof(struct roce_mercury_switch),
	.name		= "mercury",
	.owner		= THIS_MODULE,
	.own		= true,
};
EXPORT_SYMBOL_IF_KUNIT(roce_mercury_feature);
