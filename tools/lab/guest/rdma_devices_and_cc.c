// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: RDMA devices by RDMA netlink, congestion control by generic netlink.
 *
 * A soft-RoCE device made by a request from inside a network namespace finds
 * its netdev there but belongs to the initial namespace itself, which is what
 * the lab wants: the traffic generator's process sees all of them.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/genetlink.h>
#include <linux/rxe_cc.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "guest/rdma_devices_and_cc.h"

/**
 * rdma_exclusive() - RDMA devices visible in their own network namespace only
 *
 * In shared mode every namespace gets a copy of every device's sysfs tree;
 * hundreds of hosts would need hundreds of gigabytes. Must come before any
 * namespace exists.
 *
 * Return: 0, or -1 after fail().
 */
int rdma_exclusive(void)
{
	struct nlmsghdr *nlh;
	struct nl nl = {};
	int rc;

	if (nl_open(&nl, NETLINK_RDMA))
		return -1;
	nlh = nl_msg(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_SET), 0);
	mnl_attr_put_u8(nlh, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 0);
	rc = nl_talk(&nl, nlh, NULL, NULL, "RDMA namespace mode exclusive");
	nl_close(&nl);
	return rc;
}

/* A soft-RoCE device on a netdev of the current namespace. */
static int rdma_link_add(const char *dev, const char *netdev)
{
	struct nlmsghdr *nlh;
	struct nl nl = {};
	char what[160];
	int rc;

	if (nl_open(&nl, NETLINK_RDMA))
		return -1;
	nlh = nl_msg(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_NEWLINK), 0);
	mnl_attr_put_strz(nlh, RDMA_NLDEV_ATTR_DEV_NAME, dev);
	mnl_attr_put_strz(nlh, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe");
	mnl_attr_put_strz(nlh, RDMA_NLDEV_ATTR_NDEV_NAME, netdev);
	snprintf(what, sizeof(what), "RDMA device %s on %s", dev, netdev);
	rc = nl_talk(&nl, nlh, NULL, NULL, what);
	nl_close(&nl);
	return rc;
}

/**
 * rdma_hosts_add() - a soft-RoCE device for each host that is here
 * @t: topology after topo_build()
 *
 * Return: 0, or -1 after fail().
 */
int rdma_hosts_add(struct topo *t)
{
	int i;

	for (i = 0; i < t->n_nodes; i++) {
		struct node *n = &t->nodes[i];

		if (topo_is_host(n) &&
		    (topo_enter(t, n) || rdma_link_add(n->rdma, n->ports[0]->ifname) ||
		     topo_leave(t)))
			return -1;
	}
	return 0;
}

struct rdma_found {
	const char *dev;
	int index;			/* -1: not there */
};

static int on_device(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[RDMA_NLDEV_ATTR_MAX + 1];
	struct rdma_found *found = data;

	nl_parse(nlh, 0, tb, RDMA_NLDEV_ATTR_MAX);
	if (tb[RDMA_NLDEV_ATTR_DEV_NAME] && tb[RDMA_NLDEV_ATTR_DEV_INDEX] &&
	    strcmp(mnl_attr_get_str(tb[RDMA_NLDEV_ATTR_DEV_NAME]), found->dev) == 0)
		found->index = mnl_attr_get_u32(tb[RDMA_NLDEV_ATTR_DEV_INDEX]);
	return MNL_CB_OK;
}

/**
 * rdma_link_del() - remove a soft-RoCE device
 * @dev: its name
 *
 * The current namespace is the initial one. When it returns the device is gone, and its network
 * device free for another.
 *
 * Return: 0, or -1 after fail().
 */
int rdma_link_del(const char *dev)
{
	struct rdma_found found = { .dev = dev, .index = -1 };
	struct nlmsghdr *nlh;
	struct nl nl = {};
	int rc;

	if (nl_open(&nl, NETLINK_RDMA))
		return -1;
	nlh = nl_msg(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET), NLM_F_DUMP);
	rc = nl_talk(&nl, nlh, on_device, &found, "RDMA devices");
	if (!rc && found.index < 0)
		rc = fail("RDMA device %s: not there", dev);
	if (!rc) {
		nlh = nl_msg(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_DELLINK), 0);
		mnl_attr_put_u32(nlh, RDMA_NLDEV_ATTR_DEV_INDEX, found.index);
		rc = nl_talk(&nl, nlh, NULL, NULL, dev);
	}
	nl_close(&nl);
	return rc;
}

static struct nlmsghdr *genl_msg(uint16_t family, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = nl_msg(family, flags);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(nlh, sizeof(*g));

	g->cmd = cmd;
	g->version = 1;
	return nlh;
}

static int on_family(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[CTRL_ATTR_MAX + 1];
	struct nl *nl = data;

	nl_parse(nlh, GENL_HDRLEN, tb, CTRL_ATTR_MAX);
	if (tb[CTRL_ATTR_FAMILY_ID])
		nl->genl_family = mnl_attr_get_u16(tb[CTRL_ATTR_FAMILY_ID]);
	return MNL_CB_OK;
}

/**
 * cc_open() - socket for the rxe_cc family
 * @nl: socket
 *
 * Return: 0, or -1 after fail().
 */
int cc_open(struct nl *nl)
{
	struct nlmsghdr *nlh;

	if (nl_open(nl, NETLINK_GENERIC))
		return -1;
	nlh = genl_msg(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, RXE_CC_FAMILY_NAME);
	return nl_talk(nl, nlh, on_family, nl, "netlink family " RXE_CC_FAMILY_NAME);
}

/*
 * The kernel says which unit a parameter has, and the value is read by it. A
 * name that it does not know goes to it all the same: its answer is better
 * than ours.
 */
/* Name to [ unit, min, max ] of all parameters and knobs that cc_units() has read. */
static struct json_object *ranges;

struct param_ctx {
	uint16_t type;			/* attribute that holds the list */
	struct json_object *units;	/* name to unit */
	struct json_object *values;	/* name to value as text */
	struct cc_algo algo;		/* what an algorithm says of itself */
};

static void add_range(const struct nlattr **tb)
{
	struct json_object *list;

	if (!tb[RXE_CC_A_PARAM_NAME] || !tb[RXE_CC_A_PARAM_UNIT] || !tb[RXE_CC_A_PARAM_VALUE_MAX])
		return;
	if (!ranges)
		ranges = json_object_new_object();
	list = json_object_new_array();
	json_object_array_add(list,
			      json_object_new_string(mnl_attr_get_str(tb[RXE_CC_A_PARAM_UNIT])));
	json_object_array_add(list, json_object_new_uint64(nl_u64(tb[RXE_CC_A_PARAM_VALUE_MIN])));
	json_object_array_add(list, json_object_new_uint64(nl_u64(tb[RXE_CC_A_PARAM_VALUE_MAX])));
	json_object_object_add(ranges, mnl_attr_get_str(tb[RXE_CC_A_PARAM_NAME]), list);
}

static int on_params(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[RXE_CC_A_PARAM_MAX + 1], *attr;
	struct param_ctx *ctx = data;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (ctx->type == RXE_CC_A_ALGO_PARAM &&
		    mnl_attr_get_type(attr) == RXE_CC_A_ALGO_NEEDS)
			ctx->algo.needs = mnl_attr_get_u32(attr);
		if (ctx->type == RXE_CC_A_ALGO_PARAM &&
		    mnl_attr_get_type(attr) == RXE_CC_A_ALGO_TELLS)
			ctx->algo.nr_fb = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) != ctx->type)
			continue;
		nl_parse_nest(attr, tb, RXE_CC_A_PARAM_MAX);
		if (ctx->units)
			add_range(tb);
		if (ctx->units && tb[RXE_CC_A_PARAM_NAME] && tb[RXE_CC_A_PARAM_UNIT])
			js_add_str(ctx->units, mnl_attr_get_str(tb[RXE_CC_A_PARAM_NAME]),
				   mnl_attr_get_str(tb[RXE_CC_A_PARAM_UNIT]));
		if (ctx->values && tb[RXE_CC_A_PARAM_NAME] && tb[RXE_CC_A_PARAM_VALUE]) {
			char text[24];

			snprintf(text, sizeof(text), "%" PRIu64,
				 nl_u64(tb[RXE_CC_A_PARAM_VALUE]));
			js_add_str(ctx->values, mnl_attr_get_str(tb[RXE_CC_A_PARAM_NAME]), text);
		}
	}
	return MNL_CB_OK;
}

static int put_params(struct nlmsghdr *nlh, uint16_t type, struct json_object *params,
		      struct json_object *units)
{
	char why[PARAM_WHY_MAX];
	struct nlattr *nest;
	__u64 value;

	if (!params)
		return 0;
	json_object_object_foreach(params, name, val) {
		const char *unit = js_str(units, name, NULL);
		const char *text = json_object_get_string(val);

		/* Of a name that it does not know the kernel never sees the value. */
		value = 0;
		if (unit && !param_parse(param_unit_by_name(unit), text, &value, why, sizeof(why)))
			return fail("%s=%s: %s", name, text, why);
		nest = mnl_attr_nest_start(nlh, type);
		mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_NAME, name);
		mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE, value);
		mnl_attr_nest_end(nlh, nest);
	}
	return 0;
}

static struct nlmsghdr *dev_get(struct nl *nl, const char *dev)
{
	struct nlmsghdr *nlh = genl_msg(nl->genl_family, RXE_CC_CMD_DEV_GET, 0);

	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, dev);
	mnl_attr_put_u32(nlh, RXE_CC_A_DEV_PORT, 1);
	return nlh;
}

/**
 * cc_units() - units of an algorithm's parameters and of a device's knobs
 * @nl: socket from cc_open()
 * @algo: algorithm; the kernel loads its module
 * @dev: RDMA device; NULL: no knobs
 * @params: receives name to unit of the parameters
 * @knobs: the same of the knobs
 * @about: receives what the algorithm says of itself; may be NULL
 *
 * Return: 0, or -1 after fail().
 */
int cc_units(struct nl *nl, const char *algo, const char *dev, struct json_object *params,
	     struct json_object *knobs, struct cc_algo *about)
{
	struct param_ctx ctx = { .type = RXE_CC_A_ALGO_PARAM, .units = params };
	struct nlmsghdr *nlh;
	char what[80];

	nlh = genl_msg(nl->genl_family, RXE_CC_CMD_ALGO_GET, 0);
	mnl_attr_put_strz(nlh, RXE_CC_A_ALGO_NAME, algo);
	snprintf(what, sizeof(what), "congestion control %s", algo);
	if (strcmp(algo, "none") && nl_talk(nl, nlh, on_params, &ctx, what))
		return -1;
	if (about)
		*about = ctx.algo;
	if (!dev)
		return 0;
	ctx.type = RXE_CC_A_DEV_KNOB;
	ctx.units = knobs;
	return nl_talk(nl, dev_get(nl, dev), on_params, &ctx, "device knobs");
}

/**
 * cc_dev_params() - values of a device's parameters
 * @nl: socket from cc_open()
 * @dev: RDMA device
 * @out: JSON object, receives name to value as text
 * @units: JSON object, receives name to unit; may be NULL
 *
 * Return: 0, or -1 after fail().
 */
int cc_dev_params(struct nl *nl, const char *dev, struct json_object *out,
		  struct json_object *units)
{
	struct param_ctx ctx = { .type = RXE_CC_A_DEV_PARAM, .values = out, .units = units };

	return nl_talk(nl, dev_get(nl, dev), on_params, &ctx, "device parameters");
}

/* The parameter or knob that was refused, or NULL. */
static const char *bad_param(const struct nlmsghdr *nlh)
{
	const struct nlattr *tb[RXE_CC_A_PARAM_MAX + 1], *attr;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		int type = mnl_attr_get_type(attr);

		if ((type != RXE_CC_A_DEV_PARAM && type != RXE_CC_A_DEV_KNOB) ||
		    !nl_error_in(attr))
			continue;
		nl_parse_nest(attr, tb, RXE_CC_A_PARAM_MAX);
		return mnl_attr_get_str(tb[RXE_CC_A_PARAM_NAME]);
	}
	return NULL;
}

/* What the kernel says of a range is in its units; this is in the user's. */
static int not_in_range(const char *algo, const char *name, struct json_object *range)
{
	char min[PARAM_TEXT_MAX], max[PARAM_TEXT_MAX];
	enum param_unit unit;

	unit = param_unit_by_name(json_object_get_string(js_at(range, 0)));
	param_format(unit, json_object_get_uint64(js_at(range, 1)),
		     PARAM_EXACT, min);
	param_format(unit, json_object_get_uint64(js_at(range, 2)),
		     PARAM_EXACT, max);
	return fail("congestion control %s: %s: not in %s..%s", algo, name, min, max);
}

/* Of those in , the name that was probably meant. */
static int not_known(const char *algo, const char *name, struct json_object *units)
{
	const char *names[256], *like;
	size_t n = 0;

	json_object_object_foreach(units, known, unit) {
		(void)unit;
		if (n < ARRAY_SIZE(names))
			names[n++] = known;
	}
	like = nearest(name, names, n);
	return fail("congestion control %s: %s: %s%s%s%s", algo, name, nl_error(),
		    like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
}

/* The kernel's answer to cc_dev_set(), for people. */
static int refused(const struct nlmsghdr *nlh, const char *algo, struct json_object *cc,
		   struct json_object *params, struct json_object *knobs)
{
	const char *name = bad_param(nlh);
	bool out_of_range = errno == ERANGE, param;

	if (!algo)
		algo = "settings";
	if (!name)
		return fail("congestion control %s: %s", algo, nl_error());
	if (out_of_range && js_get(ranges, name))
		return not_in_range(algo, name, js_get(ranges, name));
	param = js_get(job_get(cc, J_CC_PARAMS), name);
	if (!js_get(param ? params : knobs, name))
		return not_known(algo, name, param ? params : knobs);
	return fail("congestion control %s: %s: %s", algo, name, nl_error());
}

/**
 * cc_dev_set() - algorithm, parameters and knobs of a device
 * @nl: socket from cc_open()
 * @dev: RDMA device
 * @cc: "algo", "preset", "params" and "knobs", each may be missing
 * @params: units of the parameters, from cc_units()
 * @knobs: units of the knobs
 *
 * Return: 0, or -1 after fail() with the kernel's reason.
 */
int cc_dev_set(struct nl *nl, const char *dev, struct json_object *cc, struct json_object *params,
	       struct json_object *knobs)
{
	const char *algo = job_str(cc, J_CC_ALGO, NULL), *preset = job_str(cc, J_CC_PRESET, NULL);
	struct nlmsghdr *nlh;

	nlh = genl_msg(nl->genl_family, RXE_CC_CMD_DEV_SET, 0);
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, dev);
	mnl_attr_put_u32(nlh, RXE_CC_A_DEV_PORT, 1);
	if (algo)
		mnl_attr_put_strz(nlh, RXE_CC_A_DEV_ALGO, algo);
	if (preset && *preset)
		mnl_attr_put_strz(nlh, RXE_CC_A_DEV_PRESET, preset);
	if (put_params(nlh, RXE_CC_A_DEV_PARAM, job_get(cc, J_CC_PARAMS), params) ||
	    put_params(nlh, RXE_CC_A_DEV_KNOB, job_get(cc, J_CC_KNOBS), knobs))
		return -1;
	if (nl_try(nl, nlh, NULL, NULL) == 0)
		return 0;
	return refused(nlh, algo, cc, params, knobs);
}

static void add_counter(const struct nlattr *nest, struct json_object *out)
{
	const struct nlattr *tb[RXE_CC_A_COUNTER_MAX + 1];
	const char *name;

	nl_parse_nest(nest, tb, RXE_CC_A_COUNTER_MAX);
	if (!tb[RXE_CC_A_COUNTER_NAME])
		return;
	name = mnl_attr_get_str(tb[RXE_CC_A_COUNTER_NAME]);
	js_add_int(out, name, js_int(out, name, 0) + nl_u64(tb[RXE_CC_A_COUNTER_VALUE]));
}

/* What is still in flight to the device, when all should be over: messages and senders. */
static void add_left(const struct nlattr *nest, struct json_object *out)
{
	const struct nlattr *tb[RXE_CC_A_COUNTER_MAX + 1];
	const char *name;

	nl_parse_nest(nest, tb, RXE_CC_A_COUNTER_MAX);
	if (!tb[RXE_CC_A_COUNTER_NAME] || !tb[RXE_CC_A_COUNTER_VALUE])
		return;
	name = mnl_attr_get_str(tb[RXE_CC_A_COUNTER_NAME]);
	if (!strcmp(name, "msgs_all") || !strcmp(name, "senders"))
		js_add_int(out, "rx_left", js_int(out, "rx_left", 0) +
			   nl_u64(tb[RXE_CC_A_COUNTER_VALUE]));
}

static int on_dev(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == RXE_CC_A_DEV_COUNTER)
			add_counter(attr, data);
		else if (mnl_attr_get_type(attr) == RXE_CC_A_DEV_RX)
			add_left(attr, data);
	}
	return MNL_CB_OK;
}

/**
 * cc_dev_counters() - add a device's counters to a table
 * @nl: socket from cc_open()
 * @dev: RDMA device
 * @out: JSON object, name to sum
 *
 * Return: 0, or -1 after fail().
 */
int cc_dev_counters(struct nl *nl, const char *dev, struct json_object *out)
{
	return nl_talk(nl, dev_get(nl, dev), on_dev, out, "counters");
}

struct qp_ctx {
	cc_qp_fn fn;
	void *data;
};

static int64_t opt_u64(const struct nlattr *attr)
{
	return attr ? (int64_t)nl_u64(attr) : -1;
}

static int64_t qp_counter(const struct nlmsghdr *nlh, const char *name)
{
	const struct nlattr *tb[RXE_CC_A_COUNTER_MAX + 1], *attr;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) != RXE_CC_A_QP_COUNTER)
			continue;
		nl_parse_nest(attr, tb, RXE_CC_A_COUNTER_MAX);
		if (tb[RXE_CC_A_COUNTER_NAME] &&
		    strcmp(mnl_attr_get_str(tb[RXE_CC_A_COUNTER_NAME]), name) == 0)
			return nl_u64(tb[RXE_CC_A_COUNTER_VALUE]);
	}
	return -1;
}

static void qp_vars(const struct nlmsghdr *nlh, struct cc_qp *qp)
{
	const struct nlattr *tb[RXE_CC_A_COUNTER_MAX + 1], *attr;

	qp->n_vars = 0;
	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) != RXE_CC_A_QP_STATE || qp->n_vars == CC_VARS_MAX)
			continue;
		nl_parse_nest(attr, tb, RXE_CC_A_COUNTER_MAX);
		if (!tb[RXE_CC_A_COUNTER_NAME] || !tb[RXE_CC_A_COUNTER_VALUE])
			continue;
		qp->vars[qp->n_vars].name = mnl_attr_get_str(tb[RXE_CC_A_COUNTER_NAME]);
		qp->vars[qp->n_vars++].value = nl_u64(tb[RXE_CC_A_COUNTER_VALUE]);
	}
}

static int on_qp(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[RXE_CC_A_QP_MAX + 1];
	struct qp_ctx *ctx = data;
	struct cc_qp qp;

	nl_parse(nlh, GENL_HDRLEN, tb, RXE_CC_A_QP_MAX);
	if (!tb[RXE_CC_A_QP_DEV] || !tb[RXE_CC_A_QP_QPN])
		return MNL_CB_OK;
	qp.dev = mnl_attr_get_str(tb[RXE_CC_A_QP_DEV]);
	qp.qpn = mnl_attr_get_u32(tb[RXE_CC_A_QP_QPN]);
	qp.rate_bps = opt_u64(tb[RXE_CC_A_QP_RATE_BPS]);
	qp.cwnd_bytes = opt_u64(tb[RXE_CC_A_QP_CWND_BYTES]);
	qp.inflight_bytes = opt_u64(tb[RXE_CC_A_QP_INFLIGHT_BYTES]);
	qp.algo = tb[RXE_CC_A_QP_ALGO] ? mnl_attr_get_str(tb[RXE_CC_A_QP_ALGO]) : "";
	qp.rtt_ns = opt_u64(tb[RXE_CC_A_QP_RTT_NS]);
	qp.acked_bytes = qp_counter(nlh, "acked_bytes");
	qp.tx_packets = qp_counter(nlh, "tx_packets");
	qp.tx_bytes = qp_counter(nlh, "tx_bytes");
	qp_vars(nlh, &qp);
	ctx->fn(&qp, ctx->data);
	return MNL_CB_OK;
}

/**
 * cc_qp_dump() - state of all queue pairs
 * @nl: socket from cc_open()
 * @fn: called for each
 * @data: for @fn
 *
 * Return: 0, or -1 after fail().
 */
int cc_qp_dump(struct nl *nl, cc_qp_fn fn, void *data)
{
	struct qp_ctx ctx = { fn, data };
	struct nlmsghdr *nlh = genl_msg(nl->genl_family, RXE_CC_CMD_QP_GET, NLM_F_DUMP);

	return nl_talk(nl, nlh, on_qp, &ctx, "queue pairs");
}
