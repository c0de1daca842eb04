// SPDX-License-Identifier: GPL-2.0
/* Options, the choice of the object, errors. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>
#include <linux/rxe_cc.h>

#include "rxecc.h"

static const char help_text[] =
"Usage: rxecc [OPTIONS] OBJECT [COMMAND] [ARGUMENTS]\n"
"Controls congestion control of soft-RoCE devices (kernel module rxe_cc).\n"
"\n"
"OBJECT:\n"
"  algo     algorithms, their needs, presets and parameters\n"
"  dev      devices: algorithm, parameters, knobs\n"
"  qp       queue pairs: rate, window, algorithm of one of them\n"
"  param    parameters of a device's algorithm\n"
"  stats    counters of devices\n"
"  monitor  changes as they happen\n"
"\n"
"OPTIONS:\n"
"  -j, --json        JSON, values in base units\n"
"  -p, --pretty      indent the JSON\n"
"  -d, --details     more columns\n"
"  -s, --statistics  counters too\n"
"  -n, --numeric     no unit scaling\n"
"  -V, --version     print the version\n"
"  -h, --help        print this text\n"
"\n"
"\"rxecc OBJECT help\" tells more. Objects and commands may be abbreviated.\n"
"Exit code: 0 done, 1 refused by the kernel, 2 wrong command line.\n";

static int cmd_help(struct rxecc *rx, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs(help_text, rx->out);
	return RX_OK;
}

static const struct cmd objects[] = {
	{ "algo", cmd_algo },
	{ "dev", cmd_dev },
	{ "qp", cmd_qp },
	{ "param", cmd_param },
	{ "stats", cmd_stats },
	{ "monitor", cmd_monitor },
	{ "help", cmd_help },
	{ NULL, NULL }
};

bool is_prefix(const char *word, const char *of)
{
	return *word && !strncmp(word, of, strlen(word));
}

const struct cmd *cmd_find(const struct cmd *cmds, const char *word)
{
	for (; cmds->name; cmds++)
		if (is_prefix(word, cmds->name))
			return cmds;
	return NULL;
}

int rx_usage(struct rxecc *rx, const char *fmt, ...)
{
	va_list ap;

	fputs("rxecc: ", rx->err);
	va_start(ap, fmt);
	vfprintf(rx->err, fmt, ap);
	va_end(ap);
	fputc('\n', rx->err);
	return RX_USAGE;
}

int rx_open(struct rxecc *rx)
{
	struct nl_err err;

	if (nl_open(&rx->nl, &err))
		return rx_kernel_error(rx, NULL, NULL, &err);
	return RX_OK;
}

enum { OPT_HELP = 1, OPT_VERSION, OPT_BAD };

static int set_option(struct rxecc *rx, char c)
{
	switch (c) {
	case 'j':
		rx->json = true;
		return 0;
	case 'p':
		rx->pretty = true;
		return 0;
	case 'd':
		rx->details = true;
		return 0;
	case 's':
		rx->stats = true;
		return 0;
	case 'n':
		rx->numeric = true;
		return 0;
	case 'h':
		return OPT_HELP;
	case 'V':
		return OPT_VERSION;
	}
	return OPT_BAD;
}

/* -j, --json, -json, abbreviations of those, and bundles such as -jp. */
static int parse_option(struct rxecc *rx, const char *arg)
{
	static const char * const names[] = {
		"json", "pretty", "details", "statistics", "numeric", "help",
		"Version",
	};
	const char *word = arg + (arg[1] == '-' ? 2 : 1);
	unsigned int i;
	int ret;

	if (!strcmp(word, "version"))
		return OPT_VERSION;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (is_prefix(word, names[i]))
			return set_option(rx, names[i][0]);
	if (arg[1] == '-')
		return OPT_BAD;
	for (; *word; word++) {
		ret = set_option(rx, *word);
		if (ret)
			return ret;
	}
	return 0;
}

int rxecc_run(struct rxecc *rx, int argc, char **argv)
{
	const struct cmd *obj;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		switch (parse_option(rx, argv[i])) {
		case OPT_HELP:
			return cmd_help(rx, 0, NULL);
		case OPT_VERSION:
			fprintf(rx->out, "rxecc %s, netlink family %s version %d\n",
				RXECC_VERSION, RXE_CC_FAMILY_NAME,
				RXE_CC_FAMILY_VERSION);
			return RX_OK;
		case OPT_BAD:
			return rx_usage(rx, "unknown option %s, see rxecc help",
					argv[i]);
		}
	}
	if (i == argc) {
		fputs(help_text, rx->err);
		return RX_USAGE;
	}
	obj = cmd_find(objects, argv[i]);
	if (!obj)
		return rx_usage(rx, "unknown object %s, see rxecc help",
				argv[i]);
	return obj->fn(rx, argc - i - 1, argv + i + 1);
}

/* The name inside a nested parameter of a request. */
static const char *nested_name(const struct nlattr *nest)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == RXE_CC_A_PARAM_NAME)
			return mnl_attr_get_str(attr);
	return "";
}

static void name_dev_attr(const struct nlattr *attr, char *buf, size_t len)
{
	switch (mnl_attr_get_type(attr)) {
	case RXE_CC_A_DEV_PORT:
		snprintf(buf, len, "port %u: ", mnl_attr_get_u32(attr));
		break;
	case RXE_CC_A_DEV_ALGO:
		snprintf(buf, len, "algo %s: ", mnl_attr_get_str(attr));
		break;
	case RXE_CC_A_DEV_PRESET:
		snprintf(buf, len, "preset %s: ", mnl_attr_get_str(attr));
		break;
	case RXE_CC_A_DEV_PARAM:
		snprintf(buf, len, "param %s: ", nested_name(attr));
		break;
	case RXE_CC_A_DEV_KNOB:
		snprintf(buf, len, "knob %s: ", nested_name(attr));
		break;
	}
}

static void name_qp_attr(const struct nlattr *attr, char *buf, size_t len)
{
	switch (mnl_attr_get_type(attr)) {
	case RXE_CC_A_QP_PORT:
		snprintf(buf, len, "port %u: ", mnl_attr_get_u32(attr));
		break;
	case RXE_CC_A_QP_ALGO:
		snprintf(buf, len, "algo %s: ", mnl_attr_get_str(attr));
		break;
	}
}

static void name_command_attr(const struct nlattr *attr, char *buf, size_t len)
{
	switch (mnl_attr_get_type(attr)) {
	case RXE_CC_A_COMMAND_PORT:
		snprintf(buf, len, "port %u: ", mnl_attr_get_u32(attr));
		break;
	case RXE_CC_A_COMMAND_PEER:
		snprintf(buf, len, "peer: ");
		break;
	case RXE_CC_A_COMMAND_ALGO:
		snprintf(buf, len, "algo %s: ", mnl_attr_get_str(attr));
		break;
	case RXE_CC_A_COMMAND_NAME:
		snprintf(buf, len, "cmd %s: ", mnl_attr_get_str(attr));
		break;
	case RXE_CC_A_COMMAND_ARG:
		snprintf(buf, len, "arg %s: ", nested_name(attr));
		break;
	}
}

/* The part of the user's words that holds offset @offs of the request. */
static void name_attr(const struct nlmsghdr *req, int offs, char *buf,
		      size_t len)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(req);
	const struct nlattr *attr;
	const char *start;

	mnl_attr_for_each(attr, req, sizeof(*genl)) {
		start = (const char *)attr;
		if (start > (const char *)req + offs ||
		    start + attr->nla_len <= (const char *)req + offs)
			continue;
		if (genl->cmd == RXE_CC_CMD_DEV_SET ||
		    genl->cmd == RXE_CC_CMD_DEV_GET)
			name_dev_attr(attr, buf, len);
		else if (genl->cmd == RXE_CC_CMD_QP_SET ||
			 genl->cmd == RXE_CC_CMD_QP_GET)
			name_qp_attr(attr, buf, len);
		else if (genl->cmd == RXE_CC_CMD_COMMAND)
			name_command_attr(attr, buf, len);
		return;
	}
}

int rx_kernel_error(struct rxecc *rx, const char *what,
		    const struct nlmsghdr *req, const struct nl_err *err)
{
	char attr[160] = "";

	if (req && err->offs >= 0)
		name_attr(req, err->offs, attr, sizeof(attr));
	fprintf(rx->err, "rxecc: %s%s%s", what ? what : "", what ? ": " : "",
		attr);
	if (*err->msg)
		fprintf(rx->err, "%s\n", err->msg);
	else if (err->code == EPERM)
		fprintf(rx->err, "%s (changes need CAP_NET_ADMIN)\n",
			strerror(EPERM));
	else
		fprintf(rx->err, "%s\n", strerror(err->code));
	return RX_KERNEL;
}

int rx_bad_message(struct rxecc *rx, const char *what, const char *attr)
{
	fprintf(rx->err,
		"rxecc: %s: attribute %s of the kernel's answer is malformed or missing\n",
		what, attr);
	return RX_KERNEL;
}

int devref_parse(struct rxecc *rx, const char *text, struct devref *ref)
{
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	char *end;

	memset(ref, 0, sizeof(*ref));
	ref->port = 1;
	if (!len || len >= sizeof(ref->name))
		return rx_usage(rx, "%s: not a device name", text);
	memcpy(ref->name, text, len);
	if (slash) {
		ref->port = (u32)strtoul(slash + 1, &end, 10);
		if (slash[1] < '0' || slash[1] > '9' || *end || !ref->port ||
		    ref->port > 255)
			return rx_usage(rx, "%s: %s is not a port number", text,
					slash + 1);
	}
	snprintf(ref->what, sizeof(ref->what), "dev %s", ref->name);
	return RX_OK;
}
