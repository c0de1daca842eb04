// SPDX-License-Identifier: GPL-2.0
/*
 * rxecc qp cmd and rxecc dev cmd: commands to algorithms. The kernel's table of the
 * command gives the units of its arguments.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "set_parameters.h"
#include "print_objects.h"
#include "../lib/nearest_name.h"

/**
 * struct order - a command as the user gives it
 * @ref: device
 * @what: the object, for messages
 * @has_qpn: it is about a queue pair
 * @qpn: which
 * @peer: addresses as typed, with commas between, or NULL
 * @addr: the same in binary
 * @naddrs: how many
 * @algo: algorithm as typed, then that which runs there
 * @name: command
 * @args: arguments
 */
struct order {
	struct devref ref;
	char what[120];
	bool has_qpn;
	u32 qpn;
	const char *peer;
	struct in6_addr *addr;
	size_t naddrs;
	const char *algo;
	const char *name;
	struct change args;
};

/* IPv6, or IPv4 as mapped into it. */
static bool parse_addr(const char *text, struct in6_addr *addr)
{
	struct in_addr v4;

	if (inet_pton(AF_INET6, text, addr) == 1)
		return true;
	if (inet_pton(AF_INET, text, &v4) != 1)
		return false;
	memset(addr, 0, sizeof(*addr));
	addr->s6_addr[10] = 0xff;
	addr->s6_addr[11] = 0xff;
	memcpy(&addr->s6_addr[12], &v4, sizeof(v4));
	return true;
}

static int parse_addrs(struct rxecc *rx, struct order *o)
{
	char *list = strdup(o->peer), *rest = list, *text;
	int ret = RX_OK;

	while (list && !ret && (text = strsep(&rest, ","))) {
		o->addr = realloc(o->addr, (o->naddrs + 1) * sizeof(*o->addr));
		if (!o->addr || !parse_addr(text, &o->addr[o->naddrs++]))
			ret = rx_usage(rx, "%s: peer %s: not an IP address", o->what, text);
	}
	free(list);
	return ret;
}

static int unknown_command(struct rxecc *rx, const struct order *o,
			   const struct algo *algo)
{
	const char **names = calloc(algo->commands.n + 1, sizeof(*names));
	const char *guess = NULL;
	size_t i;

	for (i = 0; names && i < algo->commands.n; i++)
		names[i] = algo->commands.v[i].name;
	if (names)
		guess = nearest(o->name, names, algo->commands.n);
	rx_usage(rx, "%s: cmd %s: algorithm %s has no such command%s%s%s", o->what,
		 o->name, algo->name, guess ? ", did you mean " : "",
		 guess ? guess : "",
		 guess ? "?" : algo->commands.n ? "" : " (it has none)");
	free(names);
	return RX_USAGE;
}

static int read_args(struct rxecc *rx, struct order *o, const struct command *c)
{
	char why[160];
	size_t i;

	for (i = 0; i < o->args.n; i++) {
		struct setting *s = &o->args.v[i];

		s->param = param_find(&c->args, s->key);
		if (!s->param)
			return rx_usage(rx, "%s: cmd %s: arg %s: no such argument",
					o->what, c->name, s->key);
		if (!param_parse(param_unit_by_name(s->param->unit), s->text, &s->val,
				 why, sizeof(why)))
			return rx_usage(rx, "%s: cmd %s: arg %s: value %s: %s",
					o->what, c->name, s->key, s->text, why);
	}
	return RX_OK;
}

/* Is it about what the command is about, and can its arguments be read? */
static int check(struct rxecc *rx, struct order *o, const struct algo *algo)
{
	const struct command *c = command_find(algo, o->name);
	bool to_qp, to_peer;

	if (!c)
		return unknown_command(rx, o, algo);
	to_qp = c->scope == RXE_CC_COMMAND_SCOPE_QP;
	to_peer = c->scope == RXE_CC_COMMAND_SCOPE_PEER;
	if (to_qp != o->has_qpn)
		return rx_usage(rx, "%s: cmd %s: a command to a %s, see rxecc %s help",
				o->what, o->name, word_of(&scope_words, c->scope),
				o->has_qpn ? "dev" : "qp");
	if (to_peer != !!o->peer)
		return rx_usage(rx, "%s: cmd %s: %s", o->what, o->name,
				o->peer ? "not about a peer" : "needs peer ADDR");
	return read_args(rx, o, c);
}

static int show_answer(struct rxecc *rx, const struct order *o,
		       const struct nl_msgs *msgs)
{
	struct json_object *obj;
	struct answer a;
	const char *bad = msgs->n ? answer_parse(msgs->v[0], &a) : "name";

	if (bad)
		return rx_bad_message(rx, o->what, bad);
	if (rx->json) {
		obj = json_object_new_object();
		json_object_object_add(obj, "dev", json_object_new_string(o->ref.name));
		json_object_object_add(obj, "algo", json_object_new_string(a.algo));
		json_object_object_add(obj, "command", json_object_new_string(a.command));
		json_object_object_add(obj, "results",
				       json_part(&answer_object, &a, "results"));
		json_print(rx, obj, false);
	} else {
		show_counters(rx, &a.results, NULL, true, rx->out, 0);
	}
	answer_free(&a);
	return RX_OK;
}

static int send_order(struct rxecc *rx, const struct order *o)
{
	struct nlmsghdr *req = nl_request(&rx->nl, rx->req, RXE_CC_CMD_COMMAND, 0);
	struct nl_msgs msgs;
	struct nl_err err;
	bool fits;
	size_t i;
	int ret;

	put_ref(req, &o->ref, RXE_CC_A_COMMAND_DEV, RXE_CC_A_COMMAND_PORT);
	if (o->has_qpn)
		mnl_attr_put_u32(req, RXE_CC_A_COMMAND_QPN, o->qpn);
	/* That whose table was read: another may have come meanwhile. */
	fits = mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_COMMAND_ALGO, o->algo) &&
	       mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_COMMAND_NAME, o->name);
	for (i = 0; fits && i < o->naddrs; i++)
		fits = mnl_attr_put_check(req, NL_REQ_MAX, RXE_CC_A_COMMAND_PEER,
					  sizeof(*o->addr), &o->addr[i]);
	if (!fits)
		return rx_usage(rx, "%s: too many peers for one command", o->what);
	for (i = 0; fits && i < o->args.n; i++)
		fits = setting_put(req, &o->args.v[i]);
	if (!fits)
		return rx_usage(rx, "%s: too many arguments", o->what);
	if (nl_talk(&rx->nl, req, &msgs, &err)) {
		if (err.code == ERANGE && err.offs >= 0)
			change_explain_range(&o->args, &err);
		return rx_kernel_error(rx, o->what, req, &err);
	}
	ret = show_answer(rx, o, &msgs);
	nl_msgs_free(&msgs);
	return ret;
}

/* Units are in the table of the algorithm that runs there. */
static int give(struct rxecc *rx, struct order *o)
{
	struct algo algo;
	int ret;

	ret = fetch_algo(rx, o->algo, &algo);
	if (ret)
		return ret;
	ret = check(rx, o, &algo);
	if (!ret)
		ret = send_order(rx, o);
	algo_free(&algo);
	return ret;
}

/* NAME [ARG=VALUE]...: the rest of the line. */
static int parse_order(struct rxecc *rx, struct order *o, int argc, char **argv)
{
	int i, ret = RX_OK;

	o->name = argv[0];
	for (i = 1; i < argc && !ret; i++)
		ret = change_add(rx, &o->args, SETTING_ARG, argv[i]);
	return ret;
}

static int qp_algo(struct rxecc *rx, const struct order *o, char *name, size_t len)
{
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_QP_GET, 0);
	struct qp qp;
	int ret;

	if (!req)
		return RX_KERNEL;
	put_ref(req, &o->ref, RXE_CC_A_QP_DEV, RXE_CC_A_QP_PORT);
	mnl_attr_put_u32(req, RXE_CC_A_QP_QPN, o->qpn);
	ret = fetch_one(rx, req, o->what, &qp_object, &qp, NULL);
	if (ret)
		return ret;
	if (qp.algo)
		snprintf(name, len, "%s", qp.algo);
	else
		ret = rx_bad_message(rx, o->what, "algo");
	qp_free(&qp);
	return ret;
}

int command_to_qp(struct rxecc *rx, int argc, char **argv)
{
	struct order o = { .has_qpn = true };
	char algo[64];
	int ret;

	if (argc < 3)
		return rx_usage(rx, "qp cmd: needs DEV QPN NAME [ARG=VALUE]...");
	if (devref_parse(rx, argv[0], &o.ref))
		return RX_USAGE;
	if (!parse_qpn(argv[1], &o.qpn))
		return rx_usage(rx, "qp cmd: qpn %s: not a 24-bit number", argv[1]);
	snprintf(o.what, sizeof(o.what), "%s: qpn %u", o.ref.what, o.qpn);
	ret = parse_order(rx, &o, argc - 2, argv + 2);
	if (!ret)
		ret = qp_algo(rx, &o, algo, sizeof(algo));
	o.algo = algo;
	if (!ret)
		ret = give(rx, &o);
	free(o.args.v);
	return ret;
}

int command_to_dev(struct rxecc *rx, int argc, char **argv)
{
	struct order o = { 0 };
	struct dev dev = { };
	int i, ret;

	if (argc < 2)
		return rx_usage(rx, "dev cmd: needs DEV [peer ADDR[,ADDR]...] [algo ALGO] NAME [ARG=VALUE]...");
	if (devref_parse(rx, argv[0], &o.ref))
		return RX_USAGE;
	snprintf(o.what, sizeof(o.what), "%s", o.ref.what);
	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "peer"))
			o.peer = argv[i + 1];
		else if (!strcmp(argv[i], "algo"))
			o.algo = argv[i + 1];
		else
			break;
	}
	if (i >= argc)
		return rx_usage(rx, "dev cmd: the command is missing");
	ret = o.peer ? parse_addrs(rx, &o) : RX_OK;
	if (!ret)
		ret = parse_order(rx, &o, argc - i, argv + i);
	if (!ret)
		ret = fetch_dev(rx, &o.ref, &dev);
	if (!ret) {
		if (!o.algo)
			o.algo = dev.algo ? dev.algo : "none";
		ret = give(rx, &o);
		dev_free(&dev);
	}
	free(o.args.v);
	free(o.addr);
	return ret;
}
