// SPDX-License-Identifier: GPL-2.0
/*
 * LSCC (Long et al., "LSCC: Link-Segmented Congestion Control for RDMA in
 * Cross-Datacenter Networks"), the half of it that is in the switches: a feature of the
 * ports at both ends of a long link.
 *
 * A port does both of LSCC's parts, each for one direction. For what comes in by the
 * link it calculates, each T, the rate that the other end should send at
 * (roce_lscc_rate.c), from two figures of the shared buffer's account of this ingress
 * port: how much of it is in the switch, and how much has left. It sends the rate to the
 * other end in a message (roce_lscc_feedback_msg.c), in the priority of CNPs. What goes out by the
 * link is limited to the rate that the other end has sent (roce_lscc_limit.c).
 *
 * Only lossless priorities have this account, so LSCC requires them. Its port marks
 * nothing in them. The other ports of the switch should not mark either (ecn off), because
 * LSCC's queue waits there. No option of this port can set that.
 *
 * HPCC*, for senders that want telemetry instead of CNPs: roce_lscc_direct_int.c.
 *
 * Differences from the paper:
 *  - Direct CNPs are sent when a packet of the flow comes, not for all flows at once: a flow
 *    that sends nothing has nothing to slow down.
 *  - A receiver's CNP marks all flows between two hosts.
 *  - The first rate is Rmin and up to dR, so that new flows find a low one.
 *  - Without feedback for a time there is no limit.
 *  - TxBytes is counted from the flow's first packet, or from its first after a silence of a
 *    round trip. A flow may lose its place in the table when it has been silent for so long.
 *  - CE is not taken off packets of flows whose senders cannot be told.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <rxe_cc/cc_math.h>

#include "roce_next_event.h"
#include "features/int/roce_int_port.h"
#include "roce_lscc.h"
#include "roce_switch.h"
#include "roce_trace.h"

/* Periods, at most: 0.8 s of those that are default. */
#define ROCE_LSCC_LEFT_OUT		4095ULL

/**
 * roce_lscc_account - what came in by the link
 * @port: port to it
 * @in_bytes: receives what is in the switch
 * @left_bytes: receives what has left it since ever
 */
void roce_lscc_account(const struct roce_port *port, u64 *in_bytes, u64 *left_bytes)
{
	unsigned long on = roce_lscc_of(port)->on;
	int id;

	*in_bytes = 0;
	*left_bytes = 0;
	for_each_set_bit(id, &on, TC_ROCE_PRIOS) {
		*in_bytes += roce_account_bytes(&port->prio[id].in);
		*left_bytes += port->prio[id].in.left_bytes;
	}
}

static int roce_lscc_send(struct roce_port *port, u64 rate_bps, u64 at_ns)
{
	const struct roce_lscc_config *cfg = roce_lscc_config(&port->cfg);
	const struct roce_lscc_msg msg = {
		.self = htonl(cfg->self),
		.peer = htonl(cfg->peer),
		.seq = roce_lscc_of(port)->seq++,
		.time_ns = at_ns,
		.units = roce_lscc_units(rate_bps),
	};
	struct sk_buff *skb;

	if (roce_port_is_mute(port))
		return -ENETDOWN;
	skb = roce_lscc_msg_build(port->dev, &msg);
	if (!skb)
		return -ENOMEM;
	if (!roce_port_inject(port, skb, at_ns)) {
		kfree_skb(skb);
		return -ENOBUFS;
	}
	return 0;
}

/* A machine that is late leaves out periods, more than those that are over. */
static u64 roce_lscc_next(struct roce_port *port, u64 at_ns, u64 period_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);
	u64 now_ns = port->sw->now_ns, next_ns = at_ns + period_ns;
	bool late = now_ns >= next_ns + l->left_out * period_ns;

	if (likely(!late && !l->left_out))
		return next_ns;
	l->left_out = roce_event_late(l->left_out, late, 1, ROCE_LSCC_LEFT_OUT);
	next_ns = late ? now_ns + period_ns : next_ns;
	next_ns += l->left_out * period_ns;
	l->stats.unsent += div64_u64(next_ns - at_ns, period_ns) - 1;
	return next_ns;
}

/* A period is over, and perhaps others before it that were left out. */
static void roce_lscc_timer(struct roce_port *port, u64 at_ns)
{
	struct roce_lscc_rule rule = roce_lscc_rule(&port->cfg);
	struct roce_lscc_port *l = roce_lscc_of(port);
	u64 in_bytes, left_bytes, out_bps, rate_bps;
	int err;

	roce_feature_set_timer(port, &roce_lscc_feature,
			       roce_lscc_next(port, at_ns, rule.period_ns));
	roce_lscc_account(port, &in_bytes, &left_bytes);
	out_bps = roce_lscc_mean_bps(left_bytes - l->left_bytes, at_ns - l->period_ns);
	l->period_ns = at_ns;
	l->left_bytes = left_bytes;
	l->out_bps = out_bps;
	rate_bps = roce_lscc_calc_rate(&l->calc, &rule, in_bytes, out_bps);
	err = roce_lscc_send(port, rate_bps, at_ns);
	if (err)
		l->stats.unsent++;
	else
		l->stats.sent++;
	trace_roce_lscc_rate(port, at_ns, in_bytes, out_bps, rate_bps, err);
}

static bool roce_lscc_is_on(const struct roce_config *cfg, u8 id)
{
	return roce_lscc_config(cfg)->prio[id];
}

static u16 roce_lscc_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	return roce_lscc_is_on(cfg, prio) ? BIT(ROCE_HOOK_ARRIVE) | BIT(ROCE_HOOK_ARRIVED) : 0;
}

static u8 roce_lscc_prios(const struct roce_config *cfg)
{
	u8 mask = 0;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (roce_lscc_is_on(cfg, id))
			mask |= BIT(id);
	}
	return mask;
}

static int roce_lscc_check(const struct roce_check *check)
{
	const struct roce_prio_config *prio = &check->cfg->prio[check->id];
	const struct roce_lscc_config *lscc = roce_lscc_config(check->cfg);
	u64 buffer = check->cfg->buffer_bytes;
	u16 type = TCA_ROCE_PRIO_LSCC;

	if (!roce_lscc_is_on(check->cfg, check->id))
		return 0;
	return roce_clash(check, !prio->lossless, type, TCA_ROCE_PRIO_LOSSLESS,
			  "lscc is for lossless priorities") ?:
	       roce_clash(check, !lscc->self || !lscc->peer, type, type,
			  "lscc without lscc-self and lscc-peer") ?:
	       roce_clash(check, lscc->reply == TC_ROCE_LSCC_REPLY_INT &&
			  !roce_int_config(check->cfg)->on, type, type,
			  "lscc-reply int without int") ?:
	       roce_clash(check, lscc->self == lscc->peer, type, type, "lscc-self is lscc-peer") ?:
	       roce_clash(check, !roce_lscc_rtt(check->cfg), type, type,
			  "lscc without lscc-rtt, delay is 0") ?:
	       roce_clash(check, roce_lscc_in_flight(roce_lscc_rtt(check->cfg), lscc->period_ns) >
			  ROCE_LSCC_LIST, type, type, "lscc-rtt is above 1024 times lscc-period") ?:
	       roce_clash(check, lscc->max_bps && lscc->min_bps > lscc->max_bps,
			  type, type, "lscc-min is above lscc-max") ?:
	       roce_clash(check, buffer && lscc->qref_bytes >= buffer, type,
			  type, "lscc-qref is not below the buffer") ?:
	       roce_clash(check, prio->mmu.xoff_bytes &&
			  lscc->qref_bytes >= prio->mmu.xoff_bytes, type,
			  TCA_ROCE_PRIO_XOFF, "lscc-qref is not below xoff");
}

/* Whatever else is changed leaves it alone. */
static bool roce_lscc_is_same(const struct roce_port *port)
{
	const struct roce_lscc_port *l = roce_lscc_of(port);

	return l->on == roce_lscc_prios(&port->cfg) && l->delay_ns == port->cfg.delay_ns &&
	       l->rate_bps == port->cfg.rate_bps &&
	       !memcmp(&l->was, roce_lscc_config(&port->cfg), sizeof(l->was));
}

/* Limit, flows and marks: the numbers of periods may mean others from now on. */
static void roce_lscc_forget_all(struct roce_lscc_port *l)
{
	memset(&l->limit, 0, sizeof(l->limit));
	memset(l->flows, 0, sizeof(l->flows));
	memset(l->pairs, 0, sizeof(l->pairs));
	l->taken.skb = NULL;
}

/* It starts anew, but for its counters and the number of its messages. */
static void roce_lscc_changed(struct roce_port *port, u64 now_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);
	struct roce_lscc_rule rule;
	u64 in_bytes;

	if (roce_lscc_is_same(port))
		return;
	l->on = roce_lscc_prios(&port->cfg);
	l->was = *roce_lscc_config(&port->cfg);
	l->delay_ns = port->cfg.delay_ns;
	l->rate_bps = port->cfg.rate_bps;
	roce_lscc_forget_all(l);
	if (!l->on) {
		roce_feature_set_timer(port, &roce_lscc_feature, ROCE_NEVER);
		return;
	}
	rule = roce_lscc_rule(&port->cfg);
	l->since_ns = now_ns;
	l->period_ns = now_ns;
	l->left_out = 0;
	roce_lscc_calc_init(&l->calc, rule.min_bps);
	roce_lscc_account(port, &in_bytes, &l->left_bytes);
	roce_feature_set_timer(port, &roce_lscc_feature, now_ns + rule.period_ns);
}

/* In another switch everything starts anew. */
static void roce_lscc_leave(struct roce_port *port, u64 now_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);

	l->on = 0;
	roce_lscc_forget_all(l);
}

static int roce_lscc_put_figures(const struct roce_lscc_port *l, struct sk_buff *msg)
{
	const struct roce_figure figures[] = {
#define ROCE_FIGURE(attr, value, ...) { TCA_ROCE_XSTATS_##attr, value },
#include "roce_lscc_rows.h"
#undef ROCE_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static int roce_lscc_put_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_lscc_port *l = roce_lscc_of(port);

	if (!l)
		return 0;
	if (l->on)
		roce_lscc_update(port, port->sw->now_ns);
	return roce_lscc_put_figures(l, msg);
}

#define ROCE_ROWS	"features/lscc/roce_lscc_rows.h"
#define ROCE_CONFIG	struct roce_lscc_config
#include "roce_option_table.h"

struct roce_feature roce_lscc_feature = {
	.arrive		= roce_lscc_arrive,
	.arrived	= roce_lscc_arrived,
	.receive	= roce_lscc_receive,
	.timer		= roce_lscc_timer,
	.wants		= roce_lscc_wants,
	.no_ecn		= roce_lscc_prios,
	.check		= roce_lscc_check,
	.changed	= roce_lscc_changed,
	.leave		= roce_lscc_leave,
	.stats		= roce_lscc_put_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.prio_stride	= 1,
	.config_bytes	= sizeof(struct roce_lscc_config),
	.port_bytes	= sizeof(struct roce_lscc_port),
	.name		= "lscc",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_feature);
