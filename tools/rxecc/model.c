// SPDX-License-Identifier: GPL-2.0
/* Netlink messages to structures. */
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>
#include <linux/rxe_cc.h>

#include "model.h"

static const char no_memory[] = "(out of memory)";

static bool get_str(const struct nlattr *attr, const char **str)
{
	if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) < 0)
		return false;
	*str = mnl_attr_get_str(attr);
	return true;
}

static bool get_u32(const struct nlattr *attr, u32 *val)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U32) < 0)
		return false;
	*val = mnl_attr_get_u32(attr);
	return true;
}

static bool get_u64(const struct nlattr *attr, u64 *val)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U64) < 0)
		return false;
	*val = mnl_attr_get_u64(attr);
	return true;
}

/* Room for one more element; arrays double whenever n is a power of two. */
static void *grow(void *v, size_t n, size_t size)
{
	if (n & (n - 1))
		return v;
	return reallocarray(v, n ? 2 * n : 1, size);
}

static const char *attr_param(const struct nlattr *nest, struct params *ps)
{
	const struct nlattr *attr;
	struct param p = { .unit = "", .help = "" };
	struct param *v;

	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case RXE_CC_A_PARAM_NAME:
			if (!get_str(attr, &p.name))
				return "name";
			break;
		case RXE_CC_A_PARAM_UNIT:
			if (!get_str(attr, &p.unit))
				return "unit";
			break;
		case RXE_CC_A_PARAM_HELP:
			if (!get_str(attr, &p.help))
				return "help";
			break;
		case RXE_CC_A_PARAM_VALUE:
			if (!get_u64(attr, &p.value))
				return "value";
			p.has |= PARAM_HAS_VALUE;
			break;
		case RXE_CC_A_PARAM_VALUE_MIN:
			if (!get_u64(attr, &p.min))
				return "min";
			p.has |= PARAM_HAS_MIN;
			break;
		case RXE_CC_A_PARAM_VALUE_MAX:
			if (!get_u64(attr, &p.max))
				return "max";
			p.has |= PARAM_HAS_MAX;
			break;
		case RXE_CC_A_PARAM_DEFAULT:
			if (!get_u64(attr, &p.def))
				return "default";
			p.has |= PARAM_HAS_DEFAULT;
			break;
		}
	}
	if (!p.name)
		return "name";
	v = grow(ps->v, ps->n, sizeof(*v));
	if (!v)
		return no_memory;
	ps->v = v;
	v[ps->n++] = p;
	return NULL;
}

static const char *counter_parse(const struct nlattr *nest,
				 struct counters *cs)
{
	const struct nlattr *attr;
	struct counter c = { 0 };
	struct counter *v;

	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case RXE_CC_A_COUNTER_NAME:
			if (!get_str(attr, &c.name))
				return "name";
			break;
		case RXE_CC_A_COUNTER_VALUE:
			if (!get_u64(attr, &c.value))
				return "value";
			break;
		}
	}
	if (!c.name)
		return "name";
	v = grow(cs->v, cs->n, sizeof(*v));
	if (!v)
		return no_memory;
	cs->v = v;
	v[cs->n++] = c;
	return NULL;
}

static const char *preset_add(struct algo *algo, const char *name)
{
	const char **v = grow(algo->presets, algo->npresets, sizeof(*v));

	if (!v)
		return no_memory;
	algo->presets = v;
	v[algo->npresets++] = name;
	return NULL;
}

static const char *command_add(struct algo *algo, const struct nlattr *nest)
{
	struct command *v = grow(algo->commands, algo->ncommands, sizeof(*v));
	const struct nlattr *attr;
	struct command *c;

	if (!v)
		return no_memory;
	algo->commands = v;
	c = &v[algo->ncommands++];
	*c = (struct command){ .help = "" };
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case RXE_CC_A_COMMAND_DEF_NAME:
			if (!get_str(attr, &c->name))
				return "name";
			break;
		case RXE_CC_A_COMMAND_DEF_HELP:
			if (!get_str(attr, &c->help))
				return "help";
			break;
		case RXE_CC_A_COMMAND_DEF_SCOPE:
			if (!get_u32(attr, &c->scope))
				return "scope";
			break;
		case RXE_CC_A_COMMAND_DEF_ARG:
			if (attr_param(attr, &c->args))
				return "arg";
			break;
		}
	}
	return c->name ? NULL : "name";
}

static const char *signal_add(struct algo *algo, const struct nlattr *nest)
{
	const struct nlattr **v = grow(algo->signals, algo->nsignals, sizeof(*v));

	if (!v)
		return no_memory;
	algo->signals = v;
	v[algo->nsignals++] = nest;
	return NULL;
}

const char *algo_parse(const struct nlmsghdr *nlh, struct algo *algo)
{
	const struct nlattr *attr;
	const char *str;

	memset(algo, 0, sizeof(*algo));
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case RXE_CC_A_ALGO_NAME:
			if (!get_str(attr, &algo->name))
				return "name";
			break;
		case RXE_CC_A_ALGO_NEEDS:
			if (!get_u32(attr, &algo->needs))
				return "needs";
			break;
		case RXE_CC_A_ALGO_USERS:
			if (!get_u32(attr, &algo->users))
				return "users";
			break;
		case RXE_CC_A_ALGO_TELLS:
			if (!get_u32(attr, &algo->tells))
				return "tells";
			break;
		case RXE_CC_A_ALGO_PARAM:
			if (attr_param(attr, &algo->params))
				return "param";
			break;
		case RXE_CC_A_ALGO_PRESET:
			if (!get_str(attr, &str) || preset_add(algo, str))
				return "preset";
			break;
		case RXE_CC_A_ALGO_COMMAND:
			if (command_add(algo, attr))
				return "command";
			break;
		case RXE_CC_A_ALGO_SIGNAL:
			if (signal_add(algo, attr))
				return "signal";
			break;
		}
	}
	return algo->name ? NULL : "name";
}

const char *dev_parse(const struct nlmsghdr *nlh, struct dev *dev)
{
	const struct nlattr *attr;

	memset(dev, 0, sizeof(*dev));
	dev->port = 1;
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case RXE_CC_A_DEV_NAME:
			if (!get_str(attr, &dev->name))
				return "name";
			break;
		case RXE_CC_A_DEV_PORT:
			if (!get_u32(attr, &dev->port))
				return "port";
			break;
		case RXE_CC_A_DEV_ALGO:
			if (!get_str(attr, &dev->algo))
				return "algo";
			break;
		case RXE_CC_A_DEV_PARAM:
			if (attr_param(attr, &dev->params))
				return "param";
			break;
		case RXE_CC_A_DEV_KNOB:
			if (attr_param(attr, &dev->knobs))
				return "knob";
			break;
		case RXE_CC_A_DEV_COUNTER:
			if (counter_parse(attr, &dev->counters))
				return "counter";
			break;
		case RXE_CC_A_DEV_RX:
			if (counter_parse(attr, &dev->rx))
				return "rx";
			break;
		case RXE_CC_A_DEV_IFINDEX:
			if (!get_u32(attr, &dev->ifindex))
				return "ifindex";
			dev->has_ifindex = true;
			break;
		case RXE_CC_A_DEV_QPS:
			if (!get_u32(attr, &dev->qps))
				return "qps";
			dev->has_qps = true;
			break;
		case RXE_CC_A_DEV_LINE_RATE_BPS:
			if (!get_u64(attr, &dev->line_rate_bps))
				return "line-rate-bps";
			dev->has_line_rate = true;
			break;
		}
	}
	return dev->name ? NULL : "name";
}

static const char *qp_figure_parse(const struct nlattr *attr, struct qp *qp)
{
	switch (mnl_attr_get_type(attr)) {
	case RXE_CC_A_QP_RATE_BPS:
		qp->has_rate = get_u64(attr, &qp->rate_bps);
		return qp->has_rate ? NULL : "rate-bps";
	case RXE_CC_A_QP_CWND_BYTES:
		qp->has_cwnd = get_u64(attr, &qp->cwnd_bytes);
		return qp->has_cwnd ? NULL : "cwnd-bytes";
	case RXE_CC_A_QP_CAP_BYTES:
		qp->has_cap = get_u64(attr, &qp->cap_bytes);
		return qp->has_cap ? NULL : "cap-bytes";
	case RXE_CC_A_QP_CAP_SHARE_BYTES:
		return get_u64(attr, &qp->cap_share_bytes) ? NULL : "cap-share-bytes";
	case RXE_CC_A_QP_INFLIGHT_BYTES:
		qp->has_inflight = get_u64(attr, &qp->inflight_bytes);
		return qp->has_inflight ? NULL : "inflight-bytes";
	case RXE_CC_A_QP_RTT_NS:
		qp->has_rtt = get_u64(attr, &qp->rtt_ns);
		return qp->has_rtt ? NULL : "rtt-ns";
	case RXE_CC_A_QP_MIN_RTT_NS:
		qp->has_min_rtt = get_u64(attr, &qp->min_rtt_ns);
		return qp->has_min_rtt ? NULL : "min-rtt-ns";
	}
	return NULL;
}

static const char *qp_attr_parse(const struct nlattr *attr, struct qp *qp)
{
	switch (mnl_attr_get_type(attr)) {
	case RXE_CC_A_QP_DEV:
		return get_str(attr, &qp->dev) ? NULL : "dev";
	case RXE_CC_A_QP_PORT:
		return get_u32(attr, &qp->port) ? NULL : "port";
	case RXE_CC_A_QP_QPN:
		return get_u32(attr, &qp->qpn) ? NULL : "qpn";
	case RXE_CC_A_QP_DEST_QPN:
		qp->has_dest_qpn = get_u32(attr, &qp->dest_qpn);
		return qp->has_dest_qpn ? NULL : "dest-qpn";
	case RXE_CC_A_QP_TYPE:
		qp->has_type = get_u32(attr, &qp->type);
		return qp->has_type ? NULL : "type";
	case RXE_CC_A_QP_ALGO:
		return get_str(attr, &qp->algo) ? NULL : "algo";
	case RXE_CC_A_QP_TELEMETRY:
		qp->has_telemetry = get_u32(attr, &qp->telemetry);
		return qp->has_telemetry ? NULL : "telemetry";
	case RXE_CC_A_QP_PEER_CAPS:
		qp->has_peer_caps = get_u32(attr, &qp->peer_caps);
		return qp->has_peer_caps ? NULL : "peer-caps";
	case RXE_CC_A_QP_OVERRIDE:
		qp->override = true;
		return NULL;
	case RXE_CC_A_QP_COUNTER:
		return counter_parse(attr, &qp->counters) ? "counter" : NULL;
	case RXE_CC_A_QP_STATE:
		return counter_parse(attr, &qp->state) ? "state" : NULL;
	}
	return qp_figure_parse(attr, qp);
}

const char *qp_parse(const struct nlmsghdr *nlh, struct qp *qp)
{
	const struct nlattr *attr;
	const char *bad;

	memset(qp, 0, sizeof(*qp));
	qp->port = 1;
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		bad = qp_attr_parse(attr, qp);
		if (bad)
			return bad;
	}
	return qp->dev ? NULL : "dev";
}

const char *answer_parse(const struct nlmsghdr *nlh, struct answer *answer)
{
	const struct nlattr *attr;

	memset(answer, 0, sizeof(*answer));
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case RXE_CC_A_COMMAND_ALGO:
			if (!get_str(attr, &answer->algo))
				return "algo";
			break;
		case RXE_CC_A_COMMAND_NAME:
			if (!get_str(attr, &answer->command))
				return "name";
			break;
		case RXE_CC_A_COMMAND_RESULT:
			if (counter_parse(attr, &answer->results))
				return "result";
			break;
		}
	}
	return answer->algo && answer->command ? NULL : "name";
}

void answer_free(struct answer *answer)
{
	free(answer->results.v);
	memset(answer, 0, sizeof(*answer));
}

void algo_free(struct algo *algo)
{
	size_t i;

	for (i = 0; i < algo->ncommands; i++)
		free(algo->commands[i].args.v);
	free(algo->commands);
	free(algo->params.v);
	free(algo->presets);
	free(algo->signals);
	memset(algo, 0, sizeof(*algo));
}

void dev_free(struct dev *dev)
{
	free(dev->params.v);
	free(dev->knobs.v);
	free(dev->counters.v);
	free(dev->rx.v);
	memset(dev, 0, sizeof(*dev));
}

void qp_free(struct qp *qp)
{
	free(qp->counters.v);
	free(qp->state.v);
	memset(qp, 0, sizeof(*qp));
}

const struct command *command_find(const struct algo *algo, const char *name)
{
	size_t i;

	for (i = 0; i < algo->ncommands; i++)
		if (!strcmp(algo->commands[i].name, name))
			return &algo->commands[i];
	return NULL;
}

const struct param *param_find(const struct params *ps, const char *name)
{
	size_t i;

	for (i = 0; i < ps->n; i++)
		if (!strcmp(ps->v[i].name, name))
			return &ps->v[i];
	return NULL;
}

const char *algo_need_name(u32 bit)
{
	switch (bit) {
	case RXE_CC_ALGO_NEED_ECN:
		return "ecn";
	case RXE_CC_ALGO_NEED_RTT:
		return "rtt";
	case RXE_CC_ALGO_NEED_ACK_EVERY_PACKET:
		return "ack-every-packet";
	case RXE_CC_ALGO_NEED_INT:
		return "int";
	case RXE_CC_ALGO_NEED_PEER:
		return "peer";
	}
	return NULL;
}

const char *command_scope_name(u32 scope)
{
	switch (scope) {
	case RXE_CC_COMMAND_SCOPE_QP:
		return "qp";
	case RXE_CC_COMMAND_SCOPE_PEER:
		return "peer";
	case RXE_CC_COMMAND_SCOPE_PORT:
		return "port";
	}
	return "?";
}

const char *qp_telemetry_name(u32 telemetry)
{
	switch (telemetry) {
	case RXE_CC_QP_TELEMETRY_WAITING:
		return "waiting";
	case RXE_CC_QP_TELEMETRY_ACTIVE:
		return "active";
	case RXE_CC_QP_TELEMETRY_FALLBACK:
		return "fallback";
	}
	return "unknown";
}

const char *qp_type_name(u32 type)
{
	switch (type) {
	case RXE_CC_QP_TYPE_RC:
		return "rc";
	case RXE_CC_QP_TYPE_UC:
		return "uc";
	}
	return "?";
}
