// SPDX-License-Identifier: GPL-2.0
/* The command "rxecc qp": shows and sets the congestion control of queue pairs. */
#include <stdlib.h>
#include <string.h>

#include "print_objects.h"

static const char help_text[] =
"Usage: rxecc qp [show] [dev DEV] [qpn N]\n"
"       rxecc qp set DEV QPN algo NAME|default\n"
"       rxecc qp cmd DEV QPN NAME [ARG=VALUE]...\n"
"Shows the queue pairs under congestion control: rate in bit/s and window in\n"
"bytes, both of wire bytes. An algorithm with a star was chosen by \"qp set\";\n"
"\"default\" returns the queue pair to the algorithm of its port. \"cmd\" gives the\n"
"algorithm of a queue pair a command, see \"rxecc algo show NAME\".\n"
"Options: -s counters, -d the algorithm's own variables.\n";

static void qp_row(const struct rxecc *rx, struct table *t,
		   const struct qp *qp)
{
	char buf[PARAM_TEXT_MAX];

	table_row(t);
	table_cell(t, "dev %s/%u", qp->dev, qp->port);
	table_cell(t, "qpn %u", qp->qpn);
	if (HAS(qp, RXE_CC_A_QP_DEST_QPN))
		table_cell(t, "dest-qpn %u", qp->dest_qpn);
	else
		table_cell(t, "dest-qpn -");
	table_cell(t, "type %s", HAS(qp, RXE_CC_A_QP_TYPE) ? word_of(&type_words, qp->type) : "-");
	table_cell(t, "algo %s%s", qp->algo ? qp->algo : "-",
		   qp->override ? "*" : "");
	show_columns(rx, t, &qp_object, qp);
	if (!HAS(qp, RXE_CC_A_QP_CAP_BYTES))
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

/* Prints all that match; returns how many. */
static size_t print_qps(struct rxecc *rx, const struct found *found,
			const struct qp_filter *filter)
{
	struct json_object *list = rx->json ? json_object_new_array() : NULL;
	const struct qp *qp = found->v, *end = qp + found->n;
	struct table t = { 0 };
	size_t n = 0;

	for (; qp < end; qp++) {
		if ((filter->has_qpn && qp->qpn != filter->qpn) ||
		    (filter->dev && qp->port != filter->dev->port))
			continue;
		n++;
		if (rx->json) {
			json_object_array_add(list, json_object_of(&qp_object, qp));
		} else {
			qp_row(rx, &t, qp);
			table_below(&t, qp_body(rx, qp));
		}
	}
	if (rx->json)
		json_print(rx, list, false);
	else
		table_print(&t, rx->out, 0);
	return n;
}

static int show_qps(struct rxecc *rx, const struct qp_filter *filter)
{
	const struct devref *ref = filter->dev;
	bool one = ref && filter->has_qpn;
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_QP_GET, one ? 0 : NLM_F_DUMP);
	struct found found;
	char what[120];
	int ret;

	if (!req)
		return RX_KERNEL;
	snprintf(what, sizeof(what), "%s", ref ? ref->what : "qp");
	if (one) {
		put_ref(req, ref, RXE_CC_A_QP_DEV, RXE_CC_A_QP_PORT);
		mnl_attr_put_u32(req, RXE_CC_A_QP_QPN, filter->qpn);
		snprintf(what, sizeof(what), "%s: qpn %u", ref->what,
			 filter->qpn);
	} else if (ref) {
		mnl_attr_put_strz(req, RXE_CC_A_QP_DEV, ref->name);
	}
	ret = fetch(rx, req, what, &qp_object, &found, NULL);
	if (ret)
		return ret;
	if (found.inconsistent)
		fputs("rxecc: queue pairs came and went meanwhile, the list may be inconsistent\n",
		      rx->err);
	if (!print_qps(rx, &found, filter) && filter->has_qpn) {
		fprintf(rx->err, "rxecc: qpn %u: no such queue pair\n",
			filter->qpn);
		ret = RX_KERNEL;
	}
	found_free(&found);
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
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_QP_SET, 0);
	struct nl_err err;
	char what[120];

	if (!req)
		return RX_KERNEL;
	put_ref(req, ref, RXE_CC_A_QP_DEV, RXE_CC_A_QP_PORT);
	mnl_attr_put_u32(req, RXE_CC_A_QP_QPN, qpn);
	if (!mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_QP_ALGO, algo))
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

static const struct cmd cmds[] = {
	{ "show", qp_show },
	{ "list", qp_show },
	{ "set", qp_set },
	{ "cmd", command_to_qp },
	{ "help", NULL },
	{ NULL, NULL }
};

int cmd_qp(struct rxecc *rx, int argc, char **argv)
{
	/* "show" may be left out, and "qpn" is no abbreviation of a command */
	if (argc && (is_prefix(argv[0], "dev") || is_prefix(argv[0], "qpn")))
		return qp_show(rx, argc, argv);
	return cmd_run(rx, "qp", cmds, help_text, argc, argv);
}
