// SPDX-License-Identifier: GPL-2.0
/* Parses netlink messages into structures by the tables of their fields, which are here, too. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "netlink_objects.h"

#define BIT_OF(flag)	__builtin_ctz(flag)
#define WORDS(array, rest) \
	{ .v = array, .n = ARRAY_SIZE(array), .other = rest }

static const char *const needs[] = {
	[BIT_OF(RXE_CC_ALGO_NEED_ECN)] = "ecn",
	[BIT_OF(RXE_CC_ALGO_NEED_RTT)] = "rtt",
	[BIT_OF(RXE_CC_ALGO_NEED_ACK_EVERY_PACKET)] = "ack-every-packet",
	[BIT_OF(RXE_CC_ALGO_NEED_INT)] = "int",
	[BIT_OF(RXE_CC_ALGO_NEED_PEER)] = "peer",
};

static const char *const peer_caps[] = {
	[BIT_OF(RXE_CC_PEER_CAP_ACK_TLV)] = "ack-tlv",
	[BIT_OF(RXE_CC_PEER_CAP_INT_SINK)] = "int-sink",
	[BIT_OF(RXE_CC_PEER_CAP_INT_PROFILES)] = "int-profiles",
	[BIT_OF(RXE_CC_PEER_CAP_TOLD)] = "told",
	[BIT_OF(RXE_CC_PEER_CAP_CNP_PSN)] = "cnp-psn",
	[BIT_OF(RXE_CC_PEER_CAP_OBEYS)] = "obeys",
};

static const char *const scopes[] = {
	[RXE_CC_COMMAND_SCOPE_QP] = "qp",
	[RXE_CC_COMMAND_SCOPE_PEER] = "peer",
	[RXE_CC_COMMAND_SCOPE_PORT] = "port",
};

static const char *const types[] = {
	[RXE_CC_QP_TYPE_RC] = "rc",
	[RXE_CC_QP_TYPE_UC] = "uc",
};

static const char *const telemetries[] = {
	[RXE_CC_QP_TELEMETRY_WAITING] = "waiting",
	[RXE_CC_QP_TELEMETRY_ACTIVE] = "active",
	[RXE_CC_QP_TELEMETRY_FALLBACK] = "fallback",
};

const struct words need_words = WORDS(needs, NULL);
static const struct words peer_cap_words = WORDS(peer_caps, NULL);
const struct words scope_words = WORDS(scopes, "?");
const struct words type_words = WORDS(types, "?");
const struct words telemetry_words = WORDS(telemetries, "unknown");

#define F(k, a, member, n, j, ...) \
	{ .attr = a, .kind = FIELD_##k, .at = offsetof(struct THIS, member), \
	  .name = n, .json = j, __VA_ARGS__ }
#define OBJECT(type, blank_value...) \
	static const struct type type##_blank = { blank_value }; \
	const struct object type##_object = { \
		type##_fields, ARRAY_SIZE(type##_fields), sizeof(struct type), &type##_blank \
	}

#define THIS	param
static const struct field param_fields[] = {
	F(STR, RXE_CC_A_PARAM_NAME, name, "name", "name", .flags = FIELD_NEEDED),
	F(U64, RXE_CC_A_PARAM_VALUE, value, "value", "value"),
	F(STR, RXE_CC_A_PARAM_UNIT, unit, "unit", "unit", .flags = FIELD_ALWAYS),
	F(U64, RXE_CC_A_PARAM_DEFAULT, def, "default", "default"),
	F(U64, RXE_CC_A_PARAM_VALUE_MIN, min, "min", "min"),
	F(U64, RXE_CC_A_PARAM_VALUE_MAX, max, "max", "max"),
	F(STR, RXE_CC_A_PARAM_HELP, help, "help", "help"),
};

OBJECT(param, .unit = "", .help = "");
#undef THIS

#define THIS	counter
static const struct field counter_fields[] = {
	F(STR, RXE_CC_A_COUNTER_NAME, name, "name", "name", .flags = FIELD_NEEDED),
	F(U64, RXE_CC_A_COUNTER_VALUE, value, "value", "value", .flags = FIELD_ALWAYS),
};

OBJECT(counter);
#undef THIS

#define THIS	command
static const struct field command_fields[] = {
	F(STR, RXE_CC_A_COMMAND_DEF_NAME, name, "name", "name", .flags = FIELD_NEEDED),
	F(ENUM, RXE_CC_A_COMMAND_DEF_SCOPE, scope, "scope", "scope", .words = &scope_words,
	  .flags = FIELD_ALWAYS),
	F(STR, RXE_CC_A_COMMAND_DEF_HELP, help, "help", "help", .flags = FIELD_ALWAYS),
	F(MAP, RXE_CC_A_COMMAND_DEF_ARG, args, "arg", "args", .of = &param_object,
	  .flags = FIELD_ALWAYS),
};

OBJECT(command, .help = "");
#undef THIS

#define THIS	signal
static const struct field signal_fields[] = {
	F(NAMES, RXE_CC_A_SIGNAL_LINE, lines, "line", "lines", .flags = FIELD_ALWAYS),
	F(STR, RXE_CC_A_SIGNAL_VAR, var, "var", "var"),
	F(STR, RXE_CC_A_SIGNAL_NAME, name, "name", "name"),
	F(STR, RXE_CC_A_SIGNAL_UNIT, unit, "unit", "unit"),
	F(STR, RXE_CC_A_SIGNAL_HELP, help, "help", "help"),
	F(STR, RXE_CC_A_SIGNAL_RTT_UNIT, rtt_unit, "rtt-unit", "rtt_unit"),
};

OBJECT(signal);
#undef THIS

#define THIS	algo
static const struct field algo_fields[] = {
	F(STR, RXE_CC_A_ALGO_NAME, name, "name", "algo", .flags = FIELD_NEEDED),
	F(BITS, RXE_CC_A_ALGO_NEEDS, needs, "needs", "needs", .words = &need_words,
	  .flags = FIELD_ALWAYS),
	F(NAMES, RXE_CC_A_ALGO_PRESET, presets, "preset", "presets", .flags = FIELD_ALWAYS),
	F(U32, RXE_CC_A_ALGO_TELLS, tells, "tells", "tells", .flags = FIELD_ALWAYS),
	F(U32, RXE_CC_A_ALGO_USERS, users, "users", "users", .flags = FIELD_ALWAYS),
	F(MAP, RXE_CC_A_ALGO_PARAM, params, "param", "params", .of = &param_object,
	  .flags = FIELD_ALWAYS),
	F(MAP, RXE_CC_A_ALGO_COMMAND, commands, "command", "commands", .of = &command_object,
	  .flags = FIELD_ALWAYS),
	F(LIST, RXE_CC_A_ALGO_SIGNAL, signals, "signal", "signals", .of = &signal_object,
	  .flags = FIELD_ALWAYS),
};

OBJECT(algo);
#undef THIS

#define THIS	dev
static const struct field dev_fields[] = {
	F(STR, RXE_CC_A_DEV_NAME, name, "name", "dev", .flags = FIELD_NEEDED),
	F(U32, RXE_CC_A_DEV_PORT, port, "port", "port", .flags = FIELD_ALWAYS),
	F(STR, RXE_CC_A_DEV_ALGO, algo, "algo", "algo"),
	F(U32, RXE_CC_A_DEV_QPS, qps, "qps", "qps"),
	F(U64, RXE_CC_A_DEV_LINE_RATE_BPS, line_rate_bps, "line-rate-bps", "line_rate_bps",
	  .column = "line-rate", .unit = PARAM_BPS),
	F(U32, RXE_CC_A_DEV_IFINDEX, ifindex, "ifindex", "ifindex"),
	F(MAP, RXE_CC_A_DEV_PARAM, params, "param", "params", .of = &param_object,
	  .flags = FIELD_ALWAYS),
	F(MAP, RXE_CC_A_DEV_KNOB, knobs, "knob", "knobs", .of = &param_object,
	  .flags = FIELD_ALWAYS),
	F(MAP, RXE_CC_A_DEV_RX, rx, "rx", "rx", .of = &counter_object),
	F(MAP, RXE_CC_A_DEV_COUNTER, counters, "counter", "counters", .of = &counter_object,
	  .flags = FIELD_ALWAYS),
};

OBJECT(dev, .port = 1);
#undef THIS

#define THIS	qp
static const struct field qp_fields[] = {
	F(STR, RXE_CC_A_QP_DEV, dev, "dev", "dev", .flags = FIELD_NEEDED),
	F(U32, RXE_CC_A_QP_PORT, port, "port", "port", .flags = FIELD_ALWAYS),
	F(U32, RXE_CC_A_QP_QPN, qpn, "qpn", "qpn", .flags = FIELD_ALWAYS),
	F(U32, RXE_CC_A_QP_DEST_QPN, dest_qpn, "dest-qpn", "dest_qpn"),
	F(ENUM, RXE_CC_A_QP_TYPE, type, "type", "type", .words = &type_words),
	F(STR, RXE_CC_A_QP_ALGO, algo, "algo", "algo"),
	F(FLAG, RXE_CC_A_QP_OVERRIDE, override, "override", "override", .flags = FIELD_ALWAYS),
	F(U64, RXE_CC_A_QP_RATE_BPS, rate_bps, "rate-bps", "rate_bps",
	  .column = "rate", .unit = PARAM_BPS),
	F(U64, RXE_CC_A_QP_CWND_BYTES, cwnd_bytes, "cwnd-bytes", "cwnd_bytes",
	  .column = "cwnd", .unit = PARAM_BYTES),
	F(U64, RXE_CC_A_QP_CAP_BYTES, cap_bytes, "cap-bytes", "cap_bytes"),
	F(U64, RXE_CC_A_QP_CAP_SHARE_BYTES, cap_share_bytes, "cap-share-bytes",
	  "cap_share_bytes"),
	F(U64, RXE_CC_A_QP_INFLIGHT_BYTES, inflight_bytes, "inflight-bytes", "inflight_bytes",
	  .column = "inflight", .unit = PARAM_BYTES),
	F(U64, RXE_CC_A_QP_RTT_NS, rtt_ns, "rtt-ns", "rtt_ns", .flags = FIELD_NOT_0,
	  .column = "rtt", .unit = PARAM_NS),
	F(U64, RXE_CC_A_QP_MIN_RTT_NS, min_rtt_ns, "min-rtt-ns", "min_rtt_ns",
	  .flags = FIELD_NOT_0, .column = "min-rtt", .unit = PARAM_NS),
	F(ENUM, RXE_CC_A_QP_TELEMETRY, telemetry, "telemetry", "telemetry",
	  .words = &telemetry_words, .column = "telemetry"),
	F(BITS, RXE_CC_A_QP_PEER_CAPS, peer_caps, "peer-caps", "peer_caps",
	  .words = &peer_cap_words),
	F(MAP, RXE_CC_A_QP_COUNTER, counters, "counter", "counters", .of = &counter_object,
	  .flags = FIELD_ALWAYS),
	F(MAP, RXE_CC_A_QP_STATE, state, "state", "state", .of = &counter_object,
	  .flags = FIELD_ALWAYS),
};

OBJECT(qp, .port = 1);
#undef THIS

#define THIS	answer
static const struct field answer_fields[] = {
	F(STR, RXE_CC_A_COMMAND_ALGO, algo, "algo", "algo", .flags = FIELD_NEEDED),
	F(STR, RXE_CC_A_COMMAND_NAME, command, "name", "command", .flags = FIELD_NEEDED),
	F(MAP, RXE_CC_A_COMMAND_RESULT, results, "result", "results", .of = &counter_object,
	  .flags = FIELD_ALWAYS),
};

OBJECT(answer);
#undef THIS

const char *word_of(const struct words *words, u32 i)
{
	return i < words->n && words->v[i] ? words->v[i] : words->other;
}

/* Room for one more element of a list; it doubles whenever n is a power of two. */
static void *list_add(void *list, size_t size)
{
	struct {
		char *v;
		size_t n;
	} l;

	memcpy(&l, list, sizeof(l));
	if (!(l.n & (l.n - 1)))
		l.v = reallocarray(l.v, l.n ? 2 * l.n : 1, size);
	if (!l.v)
		errx(1, "out of memory");
	l.n++;
	memcpy(list, &l, sizeof(l));
	return l.v + (l.n - 1) * size;
}

static const char *attrs_parse(const struct object *o, const void *attrs, size_t len, void *obj);

static bool field_parse(const struct field *f, const struct nlattr *attr, void *obj)
{
	static const enum mnl_attr_data_type type[] = {
		[FIELD_STR] = MNL_TYPE_NUL_STRING, [FIELD_NAMES] = MNL_TYPE_NUL_STRING,
		[FIELD_U32] = MNL_TYPE_U32, [FIELD_ENUM] = MNL_TYPE_U32,
		[FIELD_BITS] = MNL_TYPE_U32, [FIELD_U64] = MNL_TYPE_U64,
		[FIELD_MAP] = MNL_TYPE_UNSPEC,
	};
	void *to = (char *)obj + f->at;

	if (type[f->kind] != MNL_TYPE_UNSPEC && mnl_attr_validate(attr, type[f->kind]) < 0)
		return false;
	switch (f->kind) {
	case FIELD_NAMES:
		*(const char **)list_add(to, sizeof(const char *)) = mnl_attr_get_str(attr);
		break;
	case FIELD_STR:
		*(const char **)to = mnl_attr_get_str(attr);
		break;
	case FIELD_U32:
	case FIELD_ENUM:
	case FIELD_BITS:
		*(u32 *)to = mnl_attr_get_u32(attr);
		break;
	case FIELD_U64:
		*(u64 *)to = mnl_attr_get_u64(attr);
		break;
	case FIELD_FLAG:
		*(bool *)to = true;
		break;
	default:
		if (attrs_parse(f->of, mnl_attr_get_payload(attr),
				mnl_attr_get_payload_len(attr), list_add(to, f->of->size)))
			return false;
	}
	((struct head *)obj)->has |= 1U << f->attr;
	return true;
}

static const char *attrs_parse(const struct object *o, const void *attrs, size_t len, void *obj)
{
	const struct nlattr *attr;
	const struct field *f;

	memcpy(obj, o->blank, o->size);
	mnl_attr_for_each_payload(attrs, len) {
		for (f = o->fields; f < o->fields + o->n; f++)
			if (f->attr == mnl_attr_get_type(attr) && !field_parse(f, attr, obj))
				return f->name;
	}
	for (f = o->fields; f < o->fields + o->n; f++)
		if (f->flags & FIELD_NEEDED && !(((struct head *)obj)->has >> f->attr & 1))
			return f->name;
	return NULL;
}

const char *object_parse(const struct object *o, const struct nlmsghdr *nlh, void *obj)
{
	const char *attrs = mnl_nlmsg_get_payload_offset(nlh, sizeof(struct genlmsghdr));
	const char *end = (const char *)nlh + nlh->nlmsg_len;

	return attrs_parse(o, attrs, end > attrs ? end - attrs : 0, obj);
}

void object_free(const struct object *o, void *obj)
{
	const struct field *f;
	struct {
		char *v;
		size_t n;
	} l;

	for (f = o->fields; f < o->fields + o->n; f++) {
		if (f->kind < FIELD_NAMES)
			continue;
		memcpy(&l, (char *)obj + f->at, sizeof(l));
		while (f->of && l.n)
			object_free(f->of, l.v + --l.n * f->of->size);
		free(l.v);
	}
	free(((struct head *)obj)->msg);
	memset(obj, 0, o->size);
}

const struct command *command_find(const struct algo *algo, const char *name)
{
	size_t i;

	for (i = 0; i < algo->commands.n; i++)
		if (!strcmp(algo->commands.v[i].name, name))
			return &algo->commands.v[i];
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
