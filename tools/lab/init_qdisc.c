// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: the "roce" qdisc of a port, set up and read.
 */
#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/pkt_sched_roce.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "init_topo.h"

static void put_u64(struct nlmsghdr *nlh, uint16_t type, struct json_object *obj,
		    const char *name)
{
	if (js_get(obj, name))
		mnl_attr_put_u64(nlh, type, js_int(obj, name, 0));
}

static void put_u32(struct nlmsghdr *nlh, uint16_t type, struct json_object *obj,
		    const char *name)
{
	if (js_get(obj, name))
		mnl_attr_put_u32(nlh, type, js_int(obj, name, 0));
}

static void put_prio(struct nlmsghdr *nlh, struct json_object *prio)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, TCA_ROCE_PRIO);

	mnl_attr_put_u8(nlh, TCA_ROCE_PRIO_ID, js_int(prio, "id", 0));
	put_u32(nlh, TCA_ROCE_PRIO_LIMIT, prio, "limit_bytes");
	if (js_get(prio, "ecn"))
		mnl_attr_put_u8(nlh, TCA_ROCE_PRIO_ECN, js_int(prio, "ecn", 0));
	put_u32(nlh, TCA_ROCE_PRIO_ECN_KMIN, prio, "kmin_bytes");
	put_u32(nlh, TCA_ROCE_PRIO_ECN_KMAX, prio, "kmax_bytes");
	put_u32(nlh, TCA_ROCE_PRIO_ECN_PMAX, prio, "pmax_ppm");
	mnl_attr_nest_end(nlh, nest);
}

/**
 * qdisc_add() - make a port a "roce" port
 * @p: port; its qdisc object holds rate_bps, delay_ns, overhead, limit_bytes,
 *	seed and a list "prio" with id, limit_bytes, ecn, kmin_bytes, kmax_bytes,
 *	pmax_ppm
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_add(struct port *p)
{
	struct json_object *prios = js_get(p->qdisc, "prio");
	struct nlattr *opts;
	struct nlmsghdr *nlh;
	struct tcmsg *tcm;
	char what[80];
	size_t i;

	nlh = nl_msg(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL);
	tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));
	tcm->tcm_ifindex = p->ifindex;
	tcm->tcm_handle = TC_H_MAKE(1 << 16, 0);
	tcm->tcm_parent = TC_H_ROOT;
	mnl_attr_put_strz(nlh, TCA_KIND, js_str(p->qdisc, "kind", TC_ROCE_KIND));
	opts = mnl_attr_nest_start(nlh, TCA_OPTIONS);
	put_u64(nlh, TCA_ROCE_RATE, p->qdisc, "rate_bps");
	put_u64(nlh, TCA_ROCE_DELAY, p->qdisc, "delay_ns");
	put_u32(nlh, TCA_ROCE_OVERHEAD, p->qdisc, "overhead_bytes");
	put_u32(nlh, TCA_ROCE_LIMIT, p->qdisc, "limit_bytes");
	put_u64(nlh, TCA_ROCE_SEED, p->qdisc, "seed");
	for (i = 0; i < js_len(prios); i++)
		put_prio(nlh, json_object_array_get_idx(prios, i));
	mnl_attr_nest_end(nlh, opts);
	snprintf(what, sizeof(what), "qdisc of port %s-%s", p->node->name, p->peer->node->name);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, what);
}

static void on_prio(const struct nlattr *nest, struct qdisc_stats *st)
{
	const struct nlattr *tb[TCA_ROCE_PSTATS_MAX + 1];
	struct qdisc_prio *q;
	unsigned int id;

	nl_parse_nest(nest, tb, TCA_ROCE_PSTATS_MAX);
	id = nl_u64(tb[TCA_ROCE_PSTATS_ID]);
	if (id >= TC_ROCE_PRIOS)
		return;
	q = &st->prio[id];
	q->used = true;
	q->bytes = nl_u64(tb[TCA_ROCE_PSTATS_BYTES]);
	q->packets = nl_u64(tb[TCA_ROCE_PSTATS_PACKETS]);
	q->peak_bytes = nl_u64(tb[TCA_ROCE_PSTATS_PEAK_BYTES]);
	q->byte_ns = nl_u64(tb[TCA_ROCE_PSTATS_BYTE_NS]);
	q->tx_packets = nl_u64(tb[TCA_ROCE_PSTATS_TX_PACKETS]);
	q->tx_wire_bytes = nl_u64(tb[TCA_ROCE_PSTATS_TX_WIRE_BYTES]);
	q->ecn_marked = nl_u64(tb[TCA_ROCE_PSTATS_ECN_MARKED]);
	q->ecn_not_ect = nl_u64(tb[TCA_ROCE_PSTATS_ECN_NOT_ECT]);
	q->drop_limit = nl_u64(tb[TCA_ROCE_PSTATS_DROP_LIMIT]);
	q->drop_port_limit = nl_u64(tb[TCA_ROCE_PSTATS_DROP_PORT_LIMIT]);
	q->drop_other = nl_u64(tb[TCA_ROCE_PSTATS_DROP_OTHER]);
}

static void on_app(const struct nlattr *app, struct qdisc_stats *st)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, app) {
		switch (mnl_attr_get_type(attr)) {
		case TCA_ROCE_XSTATS_NOW:
			st->now_ns = nl_u64(attr);
			break;
		case TCA_ROCE_XSTATS_BUSY:
			st->busy_ns = nl_u64(attr);
			break;
		case TCA_ROCE_XSTATS_TX_WIRE_BYTES:
			st->tx_wire_bytes = nl_u64(attr);
			break;
		case TCA_ROCE_XSTATS_TX_PACKETS:
			st->tx_packets = nl_u64(attr);
			break;
		case TCA_ROCE_XSTATS_PRIO:
			on_prio(attr, st);
			break;
		}
	}
}

static int on_qdisc(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[TCA_MAX + 1], *st[TCA_STATS_MAX + 1];

	nl_parse(nlh, sizeof(struct tcmsg), tb, TCA_MAX);
	if (!tb[TCA_STATS2])
		return MNL_CB_OK;
	nl_parse_nest(tb[TCA_STATS2], st, TCA_STATS_MAX);
	if (st[TCA_STATS_APP])
		on_app(st[TCA_STATS_APP], data);
	return MNL_CB_OK;
}

/**
 * qdisc_stats() - read a port's counters
 * @p: port with a "roce" qdisc
 * @st: result
 *
 * Asks for the one qdisc: a dump would carry every port of a switch. The kernel
 * answers to whoever asks only if it is to "echo".
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_stats(struct port *p, struct qdisc_stats *st)
{
	struct nlmsghdr *nlh = nl_msg(RTM_GETQDISC, NLM_F_ECHO);
	struct tcmsg *tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));

	memset(st, 0, sizeof(*st));
	tcm->tcm_ifindex = p->ifindex;
	tcm->tcm_handle = TC_H_MAKE(1 << 16, 0);
	tcm->tcm_parent = TC_H_ROOT;
	return nl_talk(&p->node->rt, nlh, on_qdisc, st, "qdisc statistics");
}
