// SPDX-License-Identifier: GPL-2.0
/* Objects as text and as JSON. */
#include <linux/rxe_cc.h>
#include <string.h>

#include "show.h"

const char *show_value(const struct rxecc *rx, const char *unit, bool has,
		       u64 val, char *buf)
{
	/* no limit: a table says so better by a dash than by 20 digits */
	if (!has || val == U64_MAX)
		return "-";
	return param_format(param_unit_by_name(unit), val,
			   rx->numeric ? PARAM_RAW : PARAM_EXACT, buf);
}

const char *show_figure(const struct rxecc *rx, enum param_unit u, bool has,
			u64 val, char *buf)
{
	if (!has)
		return "-";
	return param_format(u, val, rx->numeric ? PARAM_RAW : PARAM_ROUND, buf);
}

void show_param_table(const struct rxecc *rx, const struct params *ps,
		      bool values, FILE *out, int indent)
{
	struct table t = { 0 };
	char buf[PARAM_TEXT_MAX];
	size_t i;

	if (!ps->n)
		return;
	table_row(&t);
	table_cell(&t, "NAME");
	if (values)
		table_cell(&t, "VALUE");
	table_cell(&t, "UNIT");
	table_cell(&t, "DEFAULT");
	table_cell(&t, "MIN");
	table_cell(&t, "MAX");
	table_cell(&t, "HELP");
	for (i = 0; i < ps->n; i++) {
		const struct param *p = &ps->v[i];

		table_row(&t);
		table_cell(&t, "%s", p->name);
		if (values)
			table_cell(&t, "%s",
				   show_value(rx, p->unit, p->has & PARAM_HAS_VALUE,
					      p->value, buf));
		table_cell(&t, "%s", p->unit);
		table_cell(&t, "%s",
			   show_value(rx, p->unit, p->has & PARAM_HAS_DEFAULT,
				      p->def, buf));
		table_cell(&t, "%s",
			   show_value(rx, p->unit, p->has & PARAM_HAS_MIN,
				      p->min, buf));
		table_cell(&t, "%s",
			   show_value(rx, p->unit, p->has & PARAM_HAS_MAX,
				      p->max, buf));
		table_cell(&t, "%s", p->help);
	}
	table_print(&t, out, indent);
}

void show_counters(const struct rxecc *rx, const struct counters *cs,
		   const char *kind, bool scaled, FILE *out,
		   int indent)
{
	struct table t = { 0 };
	char buf[PARAM_TEXT_MAX];
	size_t i;

	for (i = 0; i < cs->n; i++) {
		enum param_unit unit = scaled ? param_unit_by_suffix(cs->v[i].name) :
					  PARAM_COUNT;

		table_row(&t);
		if (kind)
			table_cell(&t, "%s %s", kind, cs->v[i].name);
		else
			table_cell(&t, "%s", cs->v[i].name);
		table_cell(&t, "%s",
			   show_figure(rx, unit, true, cs->v[i].value, buf));
	}
	table_print(&t, out, indent);
}

void show_commands(const struct rxecc *rx, const struct algo *algo, FILE *out,
		   int indent)
{
	size_t i;

	for (i = 0; i < algo->ncommands; i++) {
		const struct command *c = &algo->commands[i];

		fprintf(out, "%*scommand %s scope %s: %s\n", indent, "", c->name,
			command_scope_name(c->scope), c->help);
		show_param_table(rx, &c->args, false, out, indent + 4);
	}
}

struct json_object *json_u64(u64 val)
{
	return json_object_new_uint64(val);
}

struct json_object *json_params(const struct params *ps)
{
	struct json_object *map = json_object_new_object();
	size_t i;

	for (i = 0; i < ps->n; i++) {
		const struct param *p = &ps->v[i];
		struct json_object *o = json_object_new_object();

		if (p->has & PARAM_HAS_VALUE)
			json_object_object_add(o, "value", json_u64(p->value));
		json_object_object_add(o, "unit",
				       json_object_new_string(p->unit));
		if (p->has & PARAM_HAS_DEFAULT)
			json_object_object_add(o, "default", json_u64(p->def));
		if (p->has & PARAM_HAS_MIN)
			json_object_object_add(o, "min", json_u64(p->min));
		if (p->has & PARAM_HAS_MAX)
			json_object_object_add(o, "max", json_u64(p->max));
		if (*p->help)
			json_object_object_add(o, "help",
					       json_object_new_string(p->help));
		json_object_object_add(map, p->name, o);
	}
	return map;
}

struct json_object *json_counters(const struct counters *cs)
{
	struct json_object *map = json_object_new_object();
	size_t i;

	for (i = 0; i < cs->n; i++)
		json_object_object_add(map, cs->v[i].name,
				       json_u64(cs->v[i].value));
	return map;
}

static struct json_object *json_commands(const struct algo *algo)
{
	struct json_object *map = json_object_new_object();
	size_t i;

	for (i = 0; i < algo->ncommands; i++) {
		const struct command *c = &algo->commands[i];
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "scope",
				       json_object_new_string(command_scope_name(c->scope)));
		json_object_object_add(o, "help", json_object_new_string(c->help));
		json_object_object_add(o, "args", json_params(&c->args));
		json_object_object_add(map, c->name, o);
	}
	return map;
}

/* Texts of one signal; a kernel's later ones are left out. */
static struct json_object *json_signal(const struct nlattr *nest)
{
	static const char *const name[] = {
		[RXE_CC_A_SIGNAL_VAR] = "var", [RXE_CC_A_SIGNAL_NAME] = "name",
		[RXE_CC_A_SIGNAL_UNIT] = "unit", [RXE_CC_A_SIGNAL_HELP] = "help",
		[RXE_CC_A_SIGNAL_LINE] = "lines", [RXE_CC_A_SIGNAL_RTT_UNIT] = "rtt_unit",
	};
	struct json_object *o = json_object_new_object(), *lines = json_object_new_array();
	const struct nlattr *attr;

	json_object_object_add(o, "lines", lines);
	mnl_attr_for_each_nested(attr, nest) {
		unsigned int type = mnl_attr_get_type(attr);
		struct json_object *text;

		if (type >= sizeof(name) / sizeof(name[0]) || !name[type] ||
		    mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) < 0)
			continue;
		text = json_object_new_string(mnl_attr_get_str(attr));
		if (type == RXE_CC_A_SIGNAL_LINE)
			json_object_array_add(lines, text);
		else
			json_object_object_add(o, name[type], text);
	}
	return o;
}

struct json_object *json_algo(const struct algo *algo)
{
	struct json_object *o = json_object_new_object();
	struct json_object *needs = json_object_new_array();
	struct json_object *presets = json_object_new_array(), *signals;
	u32 bit;
	size_t i;

	for (bit = 1; bit; bit <<= 1)
		if (algo->needs & bit && algo_need_name(bit))
			json_object_array_add(needs,
					      json_object_new_string(algo_need_name(bit)));
	for (i = 0; i < algo->npresets; i++)
		json_object_array_add(presets,
				      json_object_new_string(algo->presets[i]));
	json_object_object_add(o, "algo", json_object_new_string(algo->name));
	json_object_object_add(o, "needs", needs);
	json_object_object_add(o, "presets", presets);
	json_object_object_add(o, "tells", json_u64(algo->tells));
	json_object_object_add(o, "users", json_u64(algo->users));
	json_object_object_add(o, "params", json_params(&algo->params));
	json_object_object_add(o, "commands", json_commands(algo));
	signals = json_object_new_array();
	for (i = 0; i < algo->nsignals; i++)
		json_object_array_add(signals, json_signal(algo->signals[i]));
	json_object_object_add(o, "signals", signals);
	return o;
}

struct json_object *json_dev(const struct dev *dev)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "dev", json_object_new_string(dev->name));
	json_object_object_add(o, "port", json_u64(dev->port));
	if (dev->algo)
		json_object_object_add(o, "algo",
				       json_object_new_string(dev->algo));
	if (dev->has_qps)
		json_object_object_add(o, "qps", json_u64(dev->qps));
	if (dev->has_line_rate)
		json_object_object_add(o, "line_rate_bps",
				       json_u64(dev->line_rate_bps));
	if (dev->has_ifindex)
		json_object_object_add(o, "ifindex", json_u64(dev->ifindex));
	json_object_object_add(o, "params", json_params(&dev->params));
	json_object_object_add(o, "knobs", json_params(&dev->knobs));
	if (dev->rx.n)
		json_object_object_add(o, "rx", json_counters(&dev->rx));
	json_object_object_add(o, "counters", json_counters(&dev->counters));
	return o;
}

/* Bits of a newer kernel are left out. */
static struct json_object *json_peer_caps(u32 caps)
{
	struct json_object *a = json_object_new_array();

	if (caps & RXE_CC_PEER_CAP_ACK_TLV)
		json_object_array_add(a, json_object_new_string("ack-tlv"));
	if (caps & RXE_CC_PEER_CAP_INT_SINK)
		json_object_array_add(a, json_object_new_string("int-sink"));
	if (caps & RXE_CC_PEER_CAP_INT_PROFILES)
		json_object_array_add(a, json_object_new_string("int-profiles"));
	if (caps & RXE_CC_PEER_CAP_TOLD)
		json_object_array_add(a, json_object_new_string("told"));
	if (caps & RXE_CC_PEER_CAP_CNP_PSN)
		json_object_array_add(a, json_object_new_string("cnp-psn"));
	if (caps & RXE_CC_PEER_CAP_OBEYS)
		json_object_array_add(a, json_object_new_string("obeys"));
	return a;
}

struct json_object *json_qp(const struct qp *qp)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "dev", json_object_new_string(qp->dev));
	json_object_object_add(o, "port", json_u64(qp->port));
	json_object_object_add(o, "qpn", json_u64(qp->qpn));
	if (qp->has_dest_qpn)
		json_object_object_add(o, "dest_qpn", json_u64(qp->dest_qpn));
	if (qp->has_type)
		json_object_object_add(o, "type",
				       json_object_new_string(qp_type_name(qp->type)));
	if (qp->algo)
		json_object_object_add(o, "algo",
				       json_object_new_string(qp->algo));
	json_object_object_add(o, "override",
			       json_object_new_boolean(qp->override));
	if (qp->has_rate)
		json_object_object_add(o, "rate_bps", json_u64(qp->rate_bps));
	if (qp->has_cwnd)
		json_object_object_add(o, "cwnd_bytes",
				       json_u64(qp->cwnd_bytes));
	if (qp->has_cap) {
		json_object_object_add(o, "cap_bytes", json_u64(qp->cap_bytes));
		json_object_object_add(o, "cap_share_bytes",
				       json_u64(qp->cap_share_bytes));
	}
	if (qp->has_inflight)
		json_object_object_add(o, "inflight_bytes",
				       json_u64(qp->inflight_bytes));
	if (qp->has_rtt)
		json_object_object_add(o, "rtt_ns", json_u64(qp->rtt_ns));
	if (qp->has_min_rtt)
		json_object_object_add(o, "min_rtt_ns",
				       json_u64(qp->min_rtt_ns));
	if (qp->has_telemetry)
		json_object_object_add(o, "telemetry",
				       json_object_new_string(qp_telemetry_name(qp->telemetry)));
	if (qp->has_peer_caps)
		json_object_object_add(o, "peer_caps",
				       json_peer_caps(qp->peer_caps));
	json_object_object_add(o, "counters", json_counters(&qp->counters));
	json_object_object_add(o, "state", json_counters(&qp->state));
	return o;
}

void json_print(const struct rxecc *rx, struct json_object *obj, bool line)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	flags |= rx->pretty && !line ?
		 JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
		 JSON_C_TO_STRING_PLAIN;
	fprintf(rx->out, "%s\n", json_object_to_json_string_ext(obj, flags));
	json_object_put(obj);
}
