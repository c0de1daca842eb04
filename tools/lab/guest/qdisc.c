// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: the "roce" qdisc of a port, set up and read.
 */
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/pkt_sched_roce.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "guest/topo.h"

/* The options that the job has of a port or of a priority. */
static void put_options(struct nlmsghdr *nlh, struct json_object *obj, enum job_object in)
{
	size_t k;

	for (k = 0; k < J_KEYS; k++) {
		const struct job_def *d = &job_defs[k];
		int64_t val;

		if (d->object != in || !d->attr || !job_get(obj, k))
			continue;
		val = job_int(obj, k, 0);
		if (d->bytes == 8)
			mnl_attr_put_u64(nlh, d->attr, val);
		else if (d->bytes == 4)
			mnl_attr_put_u32(nlh, d->attr, val);
		else if (d->bytes == 2)
			mnl_attr_put_u16(nlh, d->attr, val);
		else
			mnl_attr_put_u8(nlh, d->attr, val);
	}
}

/* The qdisc's own map, and others besides. */
static void put_dscp(struct nlmsghdr *nlh, struct json_object *list)
{
	uint8_t map[TC_ROCE_DSCPS] = { [26] = 3, [27] = 3, [48] = 6 };
	size_t i;

	if (!list)
		return;
	for (i = 0; i < js_len(list); i++) {
		struct json_object *o = js_at(list, i);
		uint64_t dscp = job_int(o, J_DSCP_DSCP, 0);

		map[dscp % TC_ROCE_DSCPS] = job_int(o, J_DSCP_PRIO, 0);
	}
	mnl_attr_put(nlh, TCA_ROCE_DSCP_MAP, sizeof(map), map);
}

static void put_prio(struct nlmsghdr *nlh, struct json_object *prio)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, TCA_ROCE_PRIO);

	put_options(nlh, prio, JOB_PRIO);
	mnl_attr_nest_end(nlh, nest);
}

static struct nlmsghdr *qdisc_msg(const struct port *p, int flags)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWQDISC, flags);
	struct tcmsg *tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));

	tcm->tcm_ifindex = p->ifindex;
	tcm->tcm_handle = TC_H_MAKE(1 << 16, 0);
	tcm->tcm_parent = TC_H_ROOT;
	mnl_attr_put_strz(nlh, TCA_KIND, TC_ROCE_KIND);
	return nlh;
}

/**
 * qdisc_add() - make a port a "roce" port
 * @p: port; its qdisc object holds options, "switch" if it is one of all ports of its node
 *	that share a buffer, a list "dscp" of DSCPs with another priority than that of the
 *	default map, and a list "prio" of options of priorities
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_add(struct port *p)
{
	struct json_object *prios = job_get(p->qdisc, J_PORT_PRIO);
	struct nlattr *opts;
	struct nlmsghdr *nlh;
	char what[80];
	size_t i;

	if (js_len(prios) > TC_ROCE_PRIOS)
		return fail("port %s-%s: more than %d priorities", p->node->name,
			    p->peer->node->name, TC_ROCE_PRIOS);
	nlh = qdisc_msg(p, NLM_F_CREATE | NLM_F_EXCL);
	opts = mnl_attr_nest_start(nlh, TCA_OPTIONS);
	if (job_bool(p->qdisc, J_PORT_SWITCH, false))
		mnl_attr_put_u32(nlh, TCA_ROCE_SWITCH, TC_ROCE_SWITCH_AUTO);
	put_options(nlh, p->qdisc, JOB_PORT);
	put_dscp(nlh, job_get(p->qdisc, J_PORT_DSCP));
	for (i = 0; i < js_len(prios); i++)
		put_prio(nlh, js_at(prios, i));
	mnl_attr_nest_end(nlh, opts);
	snprintf(what, sizeof(what), "qdisc of port %s-%s", p->node->name, p->peer->node->name);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, what);
}

/**
 * qdisc_start() - give a port what it is to have only from shortly before the traffic
 * @p: port; "start_prio" of its qdisc object are options of a priority
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_start(struct port *p)
{
	struct nlmsghdr *nlh = qdisc_msg(p, 0);
	struct nlattr *opts = mnl_attr_nest_start(nlh, TCA_OPTIONS);
	char what[80];

	put_prio(nlh, job_get(p->qdisc, J_PORT_START_PRIO));
	mnl_attr_nest_end(nlh, opts);
	snprintf(what, sizeof(what), "start of port %s-%s", p->node->name, p->peer->node->name);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, what);
}

/**
 * qdisc_change() - give a port other options
 * @p: port
 * @options: options, and a list "prio" of options of priorities
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_change(struct port *p, struct json_object *options)
{
	struct nlmsghdr *nlh = qdisc_msg(p, 0);
	struct nlattr *opts = mnl_attr_nest_start(nlh, TCA_OPTIONS);
	struct json_object *prios = job_get(options, J_PORT_PRIO);
	char what[80];
	size_t i;

	put_options(nlh, options, JOB_PORT);
	for (i = 0; i < js_len(prios); i++)
		put_prio(nlh, js_at(prios, i));
	mnl_attr_nest_end(nlh, opts);
	snprintf(what, sizeof(what), "change of port %s-%s", p->node->name, p->peer->node->name);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, what);
}

/* One that is missing is 0. */
static void take_counter(const struct nlattr *attr, const struct counter *c, size_t n,
			 uint64_t *to)
{
	for (; n; n--, c++, to++)
		if (c->attr == mnl_attr_get_type(attr))
			*to = nl_u64(attr);
}

static void on_prio(const struct nlattr *nest, struct qdisc_stats *st)
{
	const struct nlattr *attr;
	struct qdisc_prio q = {};
	unsigned int id = 0;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == TCA_ROCE_PSTATS_ID)
			id = nl_u64(attr);
		take_counter(attr, prio_counters, PRIO_COUNTERS, q.n);
	}
	if (id >= TC_ROCE_PRIOS)
		return;
	q.used = true;
	st->prio[id] = q;
}

static void on_app(const struct nlattr *app, struct qdisc_stats *st)
{
	const struct nlattr *attr, *in;

	mnl_attr_for_each_nested(attr, app) {
		take_counter(attr, port_counters, PORT_COUNTERS, st->n);
		if (mnl_attr_get_type(attr) == TCA_ROCE_XSTATS_PRIO)
			on_prio(attr, st);
		if (mnl_attr_get_type(attr) != TCA_ROCE_XSTATS_SWITCH)
			continue;
		mnl_attr_for_each_nested(in, attr)
			take_counter(in, switch_counters, SWITCH_COUNTERS, st->sw);
	}
}

static void on_qdisc(const struct nlmsghdr *nlh, int i, void *data)
{
	const struct nlattr *tb[TCA_MAX + 1], *st[TCA_STATS_MAX + 1];
	struct qdisc_stats *to = ((struct qdisc_query *)data)->stats[i];

	memset(to, 0, sizeof(*to));
	nl_parse(nlh, sizeof(struct tcmsg), tb, TCA_MAX);
	if (!tb[TCA_STATS2])
		return;
	nl_parse_nest(tb[TCA_STATS2], st, TCA_STATS_MAX);
	if (st[TCA_STATS_APP])
		on_app(st[TCA_STATS_APP], to);
}

/*
 * Asks for the one qdisc: a dump would carry those of other kinds too. The
 * kernel answers to whoever asks only if it is to "echo".
 */
static void put_query(struct nlmsghdr *nlh, int i, void *data)
{
	struct tcmsg *tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));

	nlh->nlmsg_type = RTM_GETQDISC;
	nlh->nlmsg_flags |= NLM_F_ECHO;
	tcm->tcm_ifindex = ((struct qdisc_query *)data)->ports[i]->ifindex;
	tcm->tcm_handle = TC_H_MAKE(1 << 16, 0);
	tcm->tcm_parent = TC_H_ROOT;
}

/**
 * qdisc_query() - note a port whose counters are wanted
 * @q: query; zeros at first
 * @p: port with a "roce" qdisc
 * @st: result, not before qdisc_flush()
 *
 * Ports of one node that follow each other are asked for together.
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_query(struct qdisc_query *q, struct port *p, struct qdisc_stats *st)
{
	if (q->n && (q->n == NL_BATCH || q->ports[0]->node != p->node) && qdisc_flush(q))
		return -1;
	q->ports[q->n] = p;
	q->stats[q->n++] = st;
	return 0;
}

/**
 * qdisc_flush() - get what is still asked for
 * @q: query
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_flush(struct qdisc_query *q)
{
	int n = q->n;

	q->n = 0;
	return n ? nl_batch(&q->ports[0]->node->rt, put_query, n, on_qdisc, q,
			    "qdisc statistics") : 0;
}

/**
 * qdisc_read() - counters of ports
 * @t: topology
 * @pick: of which
 * @ctx: for @pick
 * @to: receives them, by port id
 *
 * Node by node: ports of one node are asked together.
 *
 * Return: 0, or -1 after fail().
 */
int qdisc_read(struct topo *t, bool (*pick)(const void *ctx, const struct port *p),
	       const void *ctx, struct qdisc_stats *to)
{
	struct qdisc_query q = {};
	int i, k;

	for (i = 0; i < t->n_nodes; i++) {
		struct node *n = &t->nodes[i];

		for (k = 0; k < n->n_ports; k++)
			if (pick(ctx, n->ports[k]) &&
			    qdisc_query(&q, n->ports[k], &to[n->ports[k]->id]))
				return -1;
	}
	return qdisc_flush(&q);
}
