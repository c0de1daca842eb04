// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "rxe_cc": what replies and notifications say of an
 * algorithm, a port, a queue pair.
 */
#include <linux/slab.h>
#include <net/genetlink.h>
#include <rdma/ib_verbs.h>

#include "core/cc_core.h"
#include "cc_netlink.h"
#include "cc_netlink_gen.h"

static int rxe_cc_put_u64(struct sk_buff *skb, int type, u64 value)
{
	/* No alignment needed: receivers copy. */
	return nla_put(skb, type, sizeof(value), &value);
}

static int rxe_cc_put_counter(struct sk_buff *skb, int type, const char *name, u64 value)
{
	struct nlattr *nest = nla_nest_start(skb, type);

	if (!nest ||
	    nla_put_string(skb, RXE_CC_A_COUNTER_NAME, name) ||
	    rxe_cc_put_u64(skb, RXE_CC_A_COUNTER_VALUE, value))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int rxe_cc_put_vars(struct sk_buff *skb, int type, const struct rxe_cc_var *var,
		    unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (rxe_cc_put_counter(skb, type, var[i].name, var[i].value))
			return -EMSGSIZE;
	return 0;
}

/* Without a value in a table of what there may be, without a default where a value
 * must be given.
 */
static int rxe_cc_put_param(struct sk_buff *skb, int type,
			    const struct rxe_cc_param *p, const u64 *def,
			    const u64 *value)
{
	struct nlattr *nest = nla_nest_start(skb, type);

	if (!nest ||
	    nla_put_string(skb, RXE_CC_A_PARAM_NAME, p->name) ||
	    (value && rxe_cc_put_u64(skb, RXE_CC_A_PARAM_VALUE, *value)) ||
	    nla_put_string(skb, RXE_CC_A_PARAM_UNIT, p->unit) ||
	    rxe_cc_put_u64(skb, RXE_CC_A_PARAM_VALUE_MIN, p->min) ||
	    rxe_cc_put_u64(skb, RXE_CC_A_PARAM_VALUE_MAX, p->max) ||
	    (def && rxe_cc_put_u64(skb, RXE_CC_A_PARAM_DEFAULT, *def)) ||
	    nla_put_string(skb, RXE_CC_A_PARAM_HELP, p->help))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rxe_cc_put_cmd(struct sk_buff *skb, const struct rxe_cc_cmd *cmd)
{
	struct nlattr *nest = nla_nest_start(skb, RXE_CC_A_ALGO_COMMAND);
	unsigned int i;

	if (!nest ||
	    nla_put_string(skb, RXE_CC_A_COMMAND_DEF_NAME, cmd->name) ||
	    nla_put_u32(skb, RXE_CC_A_COMMAND_DEF_SCOPE, rxe_cc_cmd_scope(cmd)) ||
	    nla_put_string(skb, RXE_CC_A_COMMAND_DEF_HELP, cmd->help))
		return -EMSGSIZE;
	for (i = 0; i < cmd->nr_args; i++)
		if (rxe_cc_put_param(skb, RXE_CC_A_COMMAND_DEF_ARG, &cmd->args[i],
				     cmd->required & BIT(i) ? NULL :
				     &cmd->args[i].def, NULL))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rxe_cc_put_signal(struct sk_buff *skb, const struct rxe_cc_signal *s)
{
	struct nlattr *nest = nla_nest_start(skb, RXE_CC_A_ALGO_SIGNAL);
	unsigned int i;

	if (!nest ||
	    nla_put_string(skb, RXE_CC_A_SIGNAL_VAR, s->var) ||
	    nla_put_string(skb, RXE_CC_A_SIGNAL_NAME, s->name) ||
	    nla_put_string(skb, RXE_CC_A_SIGNAL_UNIT, s->unit) ||
	    nla_put_string(skb, RXE_CC_A_SIGNAL_HELP, s->help))
		return -EMSGSIZE;
	for (i = 0; i < RXE_CC_SIGNAL_LINES && s->lines[i]; i++)
		if (nla_put_string(skb, RXE_CC_A_SIGNAL_LINE, s->lines[i]))
			return -EMSGSIZE;
	if (s->rtt_unit && nla_put_string(skb, RXE_CC_A_SIGNAL_RTT_UNIT, s->rtt_unit))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Of a struct rxe_cc_ops, under rxe_cc_mutex. */
int rxe_cc_fill_algo(struct sk_buff *skb, void *obj)
{
	const struct rxe_cc_ops *ops = obj;
	u64 def[RXE_CC_MAX_PARAMS];
	unsigned int i;

	rxe_cc_param_defaults(ops, def);
	if (nla_put_string(skb, RXE_CC_A_ALGO_NAME, ops->name) ||
	    nla_put_u32(skb, RXE_CC_A_ALGO_NEEDS, ops->needs) ||
	    nla_put_u32(skb, RXE_CC_A_ALGO_TELLS, ops->nr_fb) ||
	    nla_put_u32(skb, RXE_CC_A_ALGO_USERS, rxe_cc_algo_users(ops)))
		return -EMSGSIZE;
	for (i = 0; i < ops->nr_presets; i++)
		if (nla_put_string(skb, RXE_CC_A_ALGO_PRESET,
				   ops->presets[i].name))
			return -EMSGSIZE;
	for (i = 0; i < ops->nr_params; i++)
		if (rxe_cc_put_param(skb, RXE_CC_A_ALGO_PARAM, &ops->params[i],
				     &def[i], NULL))
			return -EMSGSIZE;
	for (i = 0; i < ops->nr_cmds; i++)
		if (rxe_cc_put_cmd(skb, &ops->cmds[i]))
			return -EMSGSIZE;
	for (i = 0; i < ops->nr_signals; i++)
		if (rxe_cc_put_signal(skb, &ops->signals[i]))
			return -EMSGSIZE;
	return 0;
}

/* What is received at a port under its algorithm, if that counts. */
static int rxe_cc_put_rx(struct sk_buff *skb, const struct rxe_cc_inst *inst)
{
	struct rxe_cc_rx_view v;

	if (!rxe_cc_rxp_on(inst->rx))
		return 0;
	local_bh_disable();
	rxe_cc_rxp_view(inst->rx, NULL, &v, ktime_get_ns());
	local_bh_enable();

#define RX_STAT(field, ...)	{ #field, v.field },
	const struct rxe_cc_var stats[] = {
#include "core/cc_counter_rows.h"
	};
#undef RX_STAT

	return rxe_cc_put_vars(skb, RXE_CC_A_DEV_RX, stats, ARRAY_SIZE(stats));
}

/* Of a struct rxe_cc_port, under port->mutex. */
int rxe_cc_fill_port(struct sk_buff *skb, void *obj)
{
	const struct rxe_cc_port *port = obj;
	const struct rxe_cc_inst *inst = port->def;
	u64 def[RXE_CC_MAX_PARAMS];
	unsigned int i;

	rxe_cc_param_defaults(inst->ops, def);
	if (nla_put_string(skb, RXE_CC_A_DEV_NAME, port->ibdev->name) ||
	    nla_put_u32(skb, RXE_CC_A_DEV_PORT, port->port_num) ||
	    nla_put_string(skb, RXE_CC_A_DEV_ALGO, inst->ops->name) ||
	    nla_put_u32(skb, RXE_CC_A_DEV_IFINDEX, port->ifindex) ||
	    nla_put_u32(skb, RXE_CC_A_DEV_QPS, port->nr_qps) ||
	    rxe_cc_put_u64(skb, RXE_CC_A_DEV_LINE_RATE_BPS, port->line_rate_bps))
		return -EMSGSIZE;
	for (i = 0; i < inst->ops->nr_params; i++)
		if (rxe_cc_put_param(skb, RXE_CC_A_DEV_PARAM,
				     &inst->ops->params[i], &def[i],
				     &inst->params[i]))
			return -EMSGSIZE;
	for (i = 0; i < RXE_CC_NR_KNOBS; i++)
		if (rxe_cc_put_param(skb, RXE_CC_A_DEV_KNOB, &rxe_cc_knobs[i],
				     &rxe_cc_knobs[i].def, &port->knob[i]))
			return -EMSGSIZE;
	for (i = 0; i < RXE_CC_NR_COUNTERS; i++)
		if (rxe_cc_put_counter(skb, RXE_CC_A_DEV_COUNTER,
				       rxe_cc_counter_names[i],
				       rxe_cc_port_counter(port, i)))
			return -EMSGSIZE;
	return rxe_cc_put_rx(skb, inst);
}

/**
 * rxe_cc_qp_snap() - what there is to say of a queue pair, at one instant
 * @qp: queue pair
 * @s: receives it
 *
 * Context: port->mutex held.
 */
void rxe_cc_qp_snap(struct rxe_cc_qp *qp, struct rxe_cc_qp_snapshot *s)
{
	unsigned int i;

	spin_lock_bh(&qp->lock);
	s->info = qp->info;
	for (i = 0; i < RXE_CC_NR_QP_COUNTERS; i++)
		s->counter[i] = rxe_cc_qp_count(qp, i);
	s->rate_bps = qp->flow.rate_bps;
	s->cwnd_bytes = qp->flow.cwnd_bytes;
	if (READ_ONCE(qp->cap->bytes))
		rxe_cc_now(qp);
	s->cap_bytes = rxe_cc_cap_bytes(qp);
	s->cap_share_bytes = rxe_cc_cap_share(qp);
	s->inflight_bytes = (u64)rxe_cc_psns_inflight(&qp->psns) *
			    qp->flow.pkt_bytes;
	s->rtt_ns = qp->flow.srtt_ns;
	s->min_rtt_ns = qp->flow.min_rtt_ns;
	s->telemetry = rxe_cc_qp_telemetry_state(qp);
	s->peer = qp->handle->peer;
	s->nr_vars = 0;
	if (rxe_cc_rxp_on(qp->inst->rx))
		rxe_cc_qp_view(qp, rxe_cc_now(qp));
	s->rx_msgs = qp->flow.rx.msgs;
	s->rx_senders = qp->flow.rx.senders;
	s->congestion = rxe_cc_congestion(qp);
	s->port_congestion = qp->inst->ops->port_congestion;
	if (qp->inst->ops->dump)
		s->nr_vars = min(qp->inst->ops->dump(&qp->flow, s->var),
				 RXE_CC_MAX_VARS);
	spin_unlock_bh(&qp->lock);
}

/* Bits of the wire to enum rxe_cc_peer_cap, whose bits have no gap. */
static u32 rxe_cc_peer_bits(u8 peer)
{
	static const u8 wire[] = {
		RXE_CC_CAP_TLV, RXE_CC_CAP_INT_SINK, RXE_CC_CAP_INT_PROFILES, RXE_CC_CAP_FB,
		RXE_CC_CAP_CNP_PSN, RXE_CC_CAP_OBEYS,
	};
	u32 bits = 0;
	unsigned int i;

	BUILD_BUG_ON(BIT(ARRAY_SIZE(wire) - 1) != RXE_CC_PEER_CAP_OBEYS);
	for (i = 0; i < ARRAY_SIZE(wire); i++)
		bits |= peer & wire[i] ? BIT(i) : 0;
	return bits;
}

static int rxe_cc_put_qp(struct sk_buff *skb, const struct rxe_cc_qp *qp,
			 const struct rxe_cc_qp_snapshot *s)
{
	const struct {
		int type;
		u64 value;
		bool has;
	} figures[] = {
		{ RXE_CC_A_QP_RATE_BPS, s->rate_bps, true },
		{ RXE_CC_A_QP_CWND_BYTES, s->cwnd_bytes, s->cwnd_bytes != RXE_CC_NO_WINDOW },
		{ RXE_CC_A_QP_CAP_BYTES, s->cap_bytes, s->cap_bytes },
		{ RXE_CC_A_QP_CAP_SHARE_BYTES, s->cap_share_bytes, s->cap_bytes },
		{ RXE_CC_A_QP_INFLIGHT_BYTES, s->inflight_bytes, true },
		{ RXE_CC_A_QP_RTT_NS, s->rtt_ns, true },
		{ RXE_CC_A_QP_MIN_RTT_NS, s->min_rtt_ns, true },
	};
	unsigned int i;

	if (nla_put_string(skb, RXE_CC_A_QP_DEV, qp->port->ibdev->name) ||
	    nla_put_u32(skb, RXE_CC_A_QP_PORT, qp->port->port_num) ||
	    nla_put_u32(skb, RXE_CC_A_QP_QPN, s->info.qpn) ||
	    nla_put_u32(skb, RXE_CC_A_QP_DEST_QPN, s->info.dest_qpn) ||
	    nla_put_u32(skb, RXE_CC_A_QP_TYPE,
			s->info.uc ? RXE_CC_QP_TYPE_UC : RXE_CC_QP_TYPE_RC) ||
	    nla_put_string(skb, RXE_CC_A_QP_ALGO, qp->inst->ops->name) ||
	    (qp->override && nla_put_flag(skb, RXE_CC_A_QP_OVERRIDE)))
		return -EMSGSIZE;
	for (i = 0; i < ARRAY_SIZE(figures); i++)
		if (figures[i].has && rxe_cc_put_u64(skb, figures[i].type, figures[i].value))
			return -EMSGSIZE;
	if ((s->telemetry >= 0 && nla_put_u32(skb, RXE_CC_A_QP_TELEMETRY, s->telemetry)) ||
	    (s->peer & RXE_CC_PEER_KNOWN &&
	     nla_put_u32(skb, RXE_CC_A_QP_PEER_CAPS, rxe_cc_peer_bits(s->peer))))
		return -EMSGSIZE;
	for (i = 0; i < RXE_CC_NR_QP_COUNTERS; i++)
		if (rxe_cc_put_counter(skb, RXE_CC_A_QP_COUNTER, rxe_cc_qp_counter_names[i],
				       s->counter[i]))
			return -EMSGSIZE;
	return rxe_cc_put_vars(skb, RXE_CC_A_QP_STATE, s->var, s->nr_vars);
}

/* Of a struct rxe_cc_qp, under port->mutex. */
int rxe_cc_fill_qp(struct sk_buff *skb, void *obj)
{
	struct rxe_cc_qp_snapshot *s = kmalloc(sizeof(*s), GFP_KERNEL); /* large for a stack */
	int err;

	if (!s)
		return -ENOMEM;
	rxe_cc_qp_snap(obj, s);
	err = rxe_cc_put_qp(skb, obj, s);
	kfree(s);
	return err;
}
