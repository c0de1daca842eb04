// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of all commands: error messages, the choice of a command, names of devices and queue
 * pairs, netlink requests.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rxecc.h"

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

int cmd_run(struct rxecc *rx, const char *object, const struct cmd *cmds, const char *help,
	    int argc, char **argv)
{
	const struct cmd *c = argc ? cmd_find(cmds, argv[0]) : cmds;

	if (!c)
		return rx_usage(rx, "%s: unknown command %s, see rxecc %s help", object, argv[0],
				object);
	if (c->fn)
		return argc ? c->fn(rx, argc - 1, argv + 1) : c->fn(rx, 0, argv);
	fputs(help, rx->out);
	return RX_OK;
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

struct nlmsghdr *rx_request(struct rxecc *rx, u8 cmd, u16 flags)
{
	return rx_open(rx) ? NULL : nl_request(&rx->nl, rx->req, cmd, flags);
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

/* How attributes of a request are named when they are at fault. */
static const struct {
	u8 cmd[2];
	u16 attr;
	char kind;	/* u: a number, s: a string, n: a nested parameter, -: not shown */
	const char *word;
} at_fault[] = {
	{ { RXE_CC_CMD_DEV_SET, RXE_CC_CMD_DEV_GET }, RXE_CC_A_DEV_PORT, 'u', "port" },
	{ { RXE_CC_CMD_DEV_SET, RXE_CC_CMD_DEV_GET }, RXE_CC_A_DEV_ALGO, 's', "algo" },
	{ { RXE_CC_CMD_DEV_SET }, RXE_CC_A_DEV_PRESET, 's', "preset" },
	{ { RXE_CC_CMD_DEV_SET }, RXE_CC_A_DEV_PARAM, 'n', "param" },
	{ { RXE_CC_CMD_DEV_SET }, RXE_CC_A_DEV_KNOB, 'n', "knob" },
	{ { RXE_CC_CMD_QP_SET, RXE_CC_CMD_QP_GET }, RXE_CC_A_QP_PORT, 'u', "port" },
	{ { RXE_CC_CMD_QP_SET, RXE_CC_CMD_QP_GET }, RXE_CC_A_QP_ALGO, 's', "algo" },
	{ { RXE_CC_CMD_COMMAND }, RXE_CC_A_COMMAND_PORT, 'u', "port" },
	{ { RXE_CC_CMD_COMMAND }, RXE_CC_A_COMMAND_PEER, '-', "peer" },
	{ { RXE_CC_CMD_COMMAND }, RXE_CC_A_COMMAND_ALGO, 's', "algo" },
	{ { RXE_CC_CMD_COMMAND }, RXE_CC_A_COMMAND_NAME, 's', "cmd" },
	{ { RXE_CC_CMD_COMMAND }, RXE_CC_A_COMMAND_ARG, 'n', "arg" },
};

static void print_at_fault(FILE *f, u8 cmd, const struct nlattr *attr)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(at_fault); i++) {
		if ((at_fault[i].cmd[0] != cmd && at_fault[i].cmd[1] != cmd) ||
		    at_fault[i].attr != mnl_attr_get_type(attr))
			continue;
		fputs(at_fault[i].word, f);
		if (at_fault[i].kind == 'u')
			fprintf(f, " %u", mnl_attr_get_u32(attr));
		else if (at_fault[i].kind != '-')
			fprintf(f, " %s", at_fault[i].kind == 's' ? mnl_attr_get_str(attr) :
								    nested_name(attr));
		fputs(": ", f);
	}
}

/* The part of the user's words that holds offset @offs of the request. */
static void print_attr(FILE *f, const struct nlmsghdr *req, int offs)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(req);
	const char *at = (const char *)req + offs;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, req, sizeof(*genl))
		if ((const char *)attr <= at && at < (const char *)attr + attr->nla_len)
			print_at_fault(f, genl->cmd, attr);
}

int rx_kernel_error(struct rxecc *rx, const char *what,
		    const struct nlmsghdr *req, const struct nl_err *err)
{
	fprintf(rx->err, "rxecc: %s%s", what ? what : "", what ? ": " : "");
	if (req && err->offs >= 0)
		print_attr(rx->err, req, err->offs);
	fprintf(rx->err, "%s%s\n", *err->msg ? err->msg : strerror(err->code),
		!*err->msg && err->code == EPERM ? " (changes need CAP_NET_ADMIN)" : "");
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
