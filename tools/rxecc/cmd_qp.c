// SPDX-License-Identifier: GPL-2.0
/* rxecc qp */
#include <stdlib.h>
#include <string.h>

#include <linux/rxe_cc.h>

#include "show.h"

static const char help_text[] =
"Usage: rxecc qp [show] [dev DEV] [qpn N]\n"
"       rxecc qp set DEV QPN algo NAME|default\n"
"       rxecc qp cmd DEV QPN NAME [ARG=VALUE]...\n"
"Shows the queue pairs under congestion control: rate in bit/s and window in\n"
"bytes, both of wire bytes. An algorithm with a star was chosen by \"qp set\";\n"
"\"default\" returns the queue pair to the algorithm of its port. \"cmd\" gives the\n"
"algorithm of a queue pair a command, see \"rxecc algo show NAME\".\n"
"Options: -s counters, -d the algorithm's own variables.\n";

bool parse_qpn(const char *text, u32 *qpn)
{
	char *end;
	unsigned long v;

	if (text[0] < '0' || text[0] > '9')
		return false;
	v = strtoul(text, &end, 0);
	if (*end || v > 0xffffff)
		return false;
	*qpn = (u32)v;
	return true;
}

static void qp_row(const struct rxecc *rx, struct table *t,
		   const struct qp *qp)
{
	char buf[PARAM_TEXT_MAX];

	table_row(t);
	table_cell(t, "dev %s/%u", qp->dev, qp->port);
	table_cell(t, "qpn %u", qp->qpn);
	if (qp->has_dest_qpn)
		table_cell(t, "dest-qpn %u", qp->dest_qpn);
	else
		table_cell(t, "dest-qpn -");
	table_cell(t, "type %s", qp->has_type ? qp_type_name(qp->type) : "-");
	table_cell(t, "algo %s%s", qp->algo ? qp->algo : "-",
		   qp->override ? "*" : "");
	table_cell(t, "rate %s", show_figure(rx, PARAM_BPS, qp->has_rate,
					     qp->rate_bps, buf));
	table_cell(t, "cwnd %s", show_figure(rx, PARAM_BYTES, qp->has_cwnd,
					     qp->cwnd_bytes, buf));
	table_cell(t, "inflight %s",
		   show_figure(rx, PARAM_BYTES, qp->has_inflight,
			       qp->inflight_bytes, buf));
	table_cell(t, "rtt %s", show_figure(rx, PARAM_NS, qp->rtt_ns,
					    qp->rtt_ns, buf));
	table_cell(t, "min-rtt %s", show_figure(rx, PARAM_NS, qp->min_rtt_ns,
						qp->min_rtt_ns, buf));
	table_cell(t, "telemetry %s",
		   qp->has_telemetry ? qp_telemetry_name(qp->telemetry) : "-");
	if (!qp->has_cap)
		return;
	table_cell(t, "cap %s", show_figure(rx, PARAM_BYTES, true, qp->cap_share_bytes, buf));
	table_cell(t, "of %s", show_figure(rx, PARAM_BYTES, true, qp->cap_bytes, buf));
}

static char *qp_body(const struct rxecc *rx, const struct qp *qp)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	if (rx->details)
		show_counters(rx, &qp->state, "state", true, f, 4);
	if (rx->stats)
		show_counters(rx, &qp->counters, "counter", false, f, 4);
	fclose(f);
	return text;
}

struct qp_filter {
	const struct devref *dev;	/* NULL: all */
	bool has_qpn;
	u32 qpn;
};

/* Prints all that match; the number of them goes to @found. */
static int print_qps(struct rxecc *rx, const struct nl_msgs *msgs,
		     const struct qp_filter *filter, size_t *found)
{
	struct json_object *list = rx->json ? json_object_new_array() : NULL;
	struct table t = { 0 };
	const char *bad = NULL;
	struct qp qp;
	size_t i;

	*found = 0;
	for (i = 0; i < msgs->n && !bad; i++) {
		bad = qp_parse(msgs->v[i], &qp);
		if (!bad && !(filter->has_qpn && qp.qpn != filter->qpn) &&
		    !(filter->dev && qp.port != filter->dev->port)) {
			(*found)++;
			if (rx->json) {
				json_object_array_add(list, json_qp(&qp));
			} else {
				qp_row(rx, &t, &qp);
				table_below(&t, qp_body(rx, &qp));
			}
		}
		qp_free(&qp);
	}
	if (rx->json)
		json_print(rx, list, false);
	else
		table_print(&t, rx->out, 0);
	return bad ? rx_bad_message(rx, "qp", bad) : RX_OK;
}

static int show_qps(struct rxecc *rx, const struct qp_filter *filter)
{
	u32 buf[NL_REQ_MAX / sizeof(u32)];
	const struct devref *ref = filter->dev;
	bool one = ref && filter->has_qpn;
	struct nlmsghdr *req;
	struct nl_msgs msgs;
	struct nl_err err;
	char what[120];
	size_t found;
	int ret = rx_open(rx);

	if (ret)
		return ret;
	req = nl_request(&rx->nl, buf, RXE_CC_CMD_QP_GET, one ? 0 : NLM_F_DUMP);
	snprintf(what, sizeof(what), "%s", ref ? ref->what : "qp");
	if (ref)
		mnl_attr_put_strz(req, RXE_CC_A_QP_DEV, ref->name);
	if (one) {
		mnl_attr_put_u32(req, RXE_CC_A_QP_PORT, ref->port);
		mnl_attr_put_u32(req, RXE_CC_A_QP_QPN, filter->qpn);
		snprintf(what, sizeof(what), "%s: qpn %u", ref->what,
			 filter->qpn);
	}
	if (nl_talk(&rx->nl, req, &msgs, &err))
		return rx_kernel_error(rx, what, req, &err);
	if (msgs.inconsistent)
		fputs("rxecc: queue pairs came and went meanwhile, the list may be inconsistent\n",
		      rx->err);
	ret = print_qps(rx, &msgs, filter, &found);
	nl_msgs_free(&msgs);
	if (!ret && !found && filter->has_qpn) {
		fprintf(rx->err, "rxecc: qpn %u: no such queue pair\n",
			filter->qpn);
		ret = RX_KERNEL;
	}
	return ret;
}

static int qp_show(struct rxecc *rx, int argc, char **argv)
{
	struct qp_filter filter = { 0 };
	struct devref ref;
	int i;

	for (i = 0; i < argc; i += 2) {
		bool dev = is_prefix(argv[i], "dev");

		if (!dev && !is_prefix(argv[i], "qpn"))
			return rx_usage(rx, "qp show: unexpected argument %s, see rxecc qp help",
					argv[i]);
		if (i + 1 == argc)
			return rx_usage(rx, "qp show: %s needs a value",
					dev ? "dev" : "qpn");
		if (dev) {
			if (devref_parse(rx, argv[i + 1], &ref))
				return RX_USAGE;
			filter.dev = &ref;
		} else {
			if (!parse_qpn(argv[i + 1], &filter.qpn))
				return rx_usage(rx, "qp show: qpn %s: not a 24-bit number",
						argv[i + 1]);
			filter.has_qpn = true;
		}
	}
	return show_qps(rx, &filter);
}

static int send_qp_set(struct rxecc *rx, const struct devref *ref,
		       u32 qpn, const char *algo)
{
	u32 buf[NL_REQ_MAX / sizeof(u32)];
	struct nlmsghdr *req;
	struct nl_err err;
	char what[120];
	int ret = rx_open(rx);

	if (ret)
		return ret;
	req = nl_request(&rx->nl, buf, RXE_CC_CMD_QP_SET, 0);
	mnl_attr_put_strz(req, RXE_CC_A_QP_DEV, ref->name);
	mnl_attr_put_u32(req, RXE_CC_A_QP_PORT, ref->port);
	mnl_attr_put_u32(req, RXE_CC_A_QP_QPN, qpn);
	if (!mnl_attr_put_strz_check(req, sizeof(buf), RXE_CC_A_QP_ALGO, algo))
		return rx_usage(rx, "qp set: algo: name too long");
	snprintf(what, sizeof(what), "%s: qpn %u", ref->what, qpn);
	if (nl_talk(&rx->nl, req, NULL, &err))
		return rx_kernel_error(rx, what, req, &err);
	return RX_OK;
}

static int qp_set(struct rxecc *rx, int argc, char **argv)
{
	struct devref ref;
	u32 qpn;

	if (argc && !strcmp(argv[0], "dev")) {
		argc--;
		argv++;
	}
	if (argc > 1 && !strcmp(argv[1], "qpn")) {
		/* the keyword is optional: drop it */
		argv[1] = argv[0];
		argc--;
		argv++;
	}
	if (argc != 4 || !is_prefix(argv[2], "algo"))
		return rx_usage(rx, "qp set: needs DEV QPN algo NAME|default");
	if (devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	if (!parse_qpn(argv[1], &qpn))
		return rx_usage(rx, "qp set: qpn %s: not a 24-bit number",
				argv[1]);
	return send_qp_set(rx, &ref, qpn, argv[3]);
}

static int qp_help(struct rxecc *rx, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs(help_text, rx->out);
	return RX_OK;
}

static const struct cmd cmds[] = {
	{ "show", qp_show },
	{ "list", qp_show },
	{ "set", qp_set },
	{ "cmd", command_to_qp },
	{ "help", qp_help },
	{ NULL, NULL }
};

int cmd_qp(struct rxecc *rx, int argc, char **argv)
{
	const struct cmd *c;

	if (!argc)
		return qp_show(rx, 0, argv);
	/* "show" may be left out, and "qpn" is no abbreviation of a command */
	if (is_prefix(argv[0], "dev") || is_prefix(argv[0], "qpn"))
		return qp_show(rx, argc, argv);
	c = cmd_find(cmds, argv[0]);
	if (!c)
		return rx_usage(rx, "qp: unknown command %s, see rxecc qp help",
				argv[0]);
	return c->fn(rx, argc - 1, argv + 1);
}
