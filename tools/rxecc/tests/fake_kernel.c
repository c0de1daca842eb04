// SPDX-License-Identifier: GPL-2.0
/*
 * A fake kernel for the tests of rxecc: answers requests of the netlink family "rxe_cc" as its
 * YNL specification describes them. Everything of a dev-set is checked before anything is
 * applied, errors name the attribute, dumps come in many parts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/rxe_cc.h>

#include "fake_kernel.h"

#define BUF	32768
#define PART	4096	/* a dump's datagram is sent when it is that full */

const struct fake_param fake_params[FAKE_PARAMS] = {
	{ "rpg_ai_rate", "bps", 40000000, 1000000, 400000000000 },
	{ "rpg_hai_rate", "bps", 400000000, 1000000, 400000000000 },
	{ "rpg_time_reset", "ns", 55000, 1000, 1000000000 },
	{ "rpg_byte_reset", "bytes", 10 << 20, 1024, U64_MAX },
	{ "rpg_threshold", "count", 5, 1, 31 },
	{ "rpg_min_dec_fac", "ppm", 500000, 1, 1000000 },
	{ "dce_tcp_g", "q24", 65536, 1, 1 << 24 },
	{ "clamp_tgt_rate", "bool", 0, 0, 1 },
};

static const struct fake_param knobs[FAKE_KNOBS] = {
	{ "burst", "bytes", 4178, 0, 1 << 20 },
	{ "line_rate", "bps", 0, 0, 800000000000 },
};

static const char * const algos[] = { "none", "dcqcn", "fixed" };

static bool has_params(const char *algo)
{
	return !strcmp(algo, "dcqcn");
}

static bool algo_exists(const char *name)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!strcmp(algos[i], name))
			return true;
	return false;
}

static struct fake_dev *find_dev(struct fake *f, const char *name)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (!strcmp(f->devs[i].name, name))
			return &f->devs[i];
	return NULL;
}

static struct nlmsghdr *put_header(void *buf, u16 type, u16 flags,
				   u32 seq, u8 cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = flags;
	nlh->nlmsg_seq = seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = RXE_CC_FAMILY_VERSION;
	return nlh;
}

static void put_unknown(struct fake *f, struct nlmsghdr *nlh)
{
	if (!f->unknown)
		return;
	mnl_attr_put_strz(nlh, 200, "from a newer kernel");
	mnl_attr_put_u64(nlh, 201, 1);
}

static void put_param(struct fake *f, struct nlmsghdr *nlh, u16 type,
		      const struct fake_param *p, const u64 *val)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, type);

	mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_NAME, p->name);
	mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_UNIT, p->unit);
	if (val)
		mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE, *val);
	mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE_MIN, p->min);
	mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE_MAX, p->max);
	mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_DEFAULT, p->def);
	mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_HELP, "what it does");
	put_unknown(f, nlh);
	mnl_attr_nest_end(nlh, nest);
}

static void put_counter(struct nlmsghdr *nlh, u16 type, const char *name,
			u64 val)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, type);

	mnl_attr_put_strz(nlh, RXE_CC_A_COUNTER_NAME, name);
	mnl_attr_put_u64(nlh, RXE_CC_A_COUNTER_VALUE, val);
	mnl_attr_nest_end(nlh, nest);
}

static const struct fake_param fake_args[] = {
	{ "bytes", "bytes", 0, 10, 1 << 20 },
	{ "flows", "count", 3, 1, 8 },
};

/* "window" is about a queue pair, "announce" about a peer, "forget" about the port. */
static const char * const fake_commands[] = { "window", "announce", "forget" };

/* The first argument must be given: it has no default. */
static void put_command(struct nlmsghdr *nlh, u32 scope)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, RXE_CC_A_ALGO_COMMAND), *arg;
	unsigned int i;

	mnl_attr_put_strz(nlh, RXE_CC_A_COMMAND_DEF_NAME, fake_commands[scope]);
	mnl_attr_put_u32(nlh, RXE_CC_A_COMMAND_DEF_SCOPE, scope);
	mnl_attr_put_strz(nlh, RXE_CC_A_COMMAND_DEF_HELP, "for the test");
	for (i = 0; i < 2 && scope != RXE_CC_COMMAND_SCOPE_PORT; i++) {
		arg = mnl_attr_nest_start(nlh, RXE_CC_A_COMMAND_DEF_ARG);
		mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_NAME, fake_args[i].name);
		mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_UNIT, fake_args[i].unit);
		mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE_MIN, fake_args[i].min);
		mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE_MAX, fake_args[i].max);
		if (i)
			mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_DEFAULT, fake_args[i].def);
		mnl_attr_nest_end(nlh, arg);
	}
	mnl_attr_nest_end(nlh, nest);
}

static void put_signal(struct nlmsghdr *nlh)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, RXE_CC_A_ALGO_SIGNAL);

	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_VAR, "seen_ns");
	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_NAME, "Seen");
	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_UNIT, "ns");
	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_HELP, ", for the test");
	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_LINE, "low_line");
	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_LINE, "high_line");
	mnl_attr_put_strz(nlh, RXE_CC_A_SIGNAL_RTT_UNIT, "path_unit");
	mnl_attr_nest_end(nlh, nest);
}

static void put_algo(struct fake *f, struct nlmsghdr *nlh, const char *name)
{
	unsigned int i;

	mnl_attr_put_strz(nlh, RXE_CC_A_ALGO_NAME, name);
	if (has_params(name)) {
		mnl_attr_put_u32(nlh, RXE_CC_A_ALGO_NEEDS,
				 RXE_CC_ALGO_NEED_ECN | RXE_CC_ALGO_NEED_RTT);
		for (i = 0; i < FAKE_PARAMS; i++)
			put_param(f, nlh, RXE_CC_A_ALGO_PARAM, &fake_params[i],
				  NULL);
		mnl_attr_put_strz(nlh, RXE_CC_A_ALGO_PRESET, "paper");
		mnl_attr_put_strz(nlh, RXE_CC_A_ALGO_PRESET, "mlx5");
		for (i = 0; i < 3; i++)
			put_command(nlh, i);
		put_signal(nlh);
	}
	mnl_attr_put_u32(nlh, RXE_CC_A_ALGO_USERS, has_params(name) ? 2 : 0);
	put_unknown(f, nlh);
}

static void put_dev(struct fake *f, struct nlmsghdr *nlh,
		    struct fake_dev *dev)
{
	unsigned int i;

	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, dev->name);
	mnl_attr_put_u32(nlh, RXE_CC_A_DEV_PORT, 1);
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_ALGO, dev->algo);
	if (has_params(dev->algo))
		for (i = 0; i < FAKE_PARAMS; i++)
			put_param(f, nlh, RXE_CC_A_DEV_PARAM, &fake_params[i],
				  &dev->param[i]);
	for (i = 0; i < FAKE_KNOBS; i++)
		put_param(f, nlh, RXE_CC_A_DEV_KNOB, &knobs[i], &dev->knob[i]);
	put_counter(nlh, RXE_CC_A_DEV_COUNTER, "np_cnp_sent", dev->counter);
	put_counter(nlh, RXE_CC_A_DEV_COUNTER, "rp_cnp_handled", 7);
	dev->counter += 5;
	if (dev->anew_at && dev->counter >= dev->anew_at)
		dev->counter = 2;
	mnl_attr_put_u32(nlh, RXE_CC_A_DEV_IFINDEX, 3);
	mnl_attr_put_u32(nlh, RXE_CC_A_DEV_QPS, f->qps);
	mnl_attr_put_u64(nlh, RXE_CC_A_DEV_LINE_RATE_BPS, 100000000000);
	put_counter(nlh, RXE_CC_A_DEV_RX, "msgs", 2);
	put_counter(nlh, RXE_CC_A_DEV_RX, "base_rtt_ns", 12000);
	put_unknown(f, nlh);
}

static void put_qp(struct fake *f, struct nlmsghdr *nlh, u32 qpn)
{
	bool over = qpn == 17 && *f->qp_algo;

	mnl_attr_put_strz(nlh, RXE_CC_A_QP_DEV, "rxe0");
	mnl_attr_put_u32(nlh, RXE_CC_A_QP_PORT, 1);
	mnl_attr_put_u32(nlh, RXE_CC_A_QP_QPN, qpn);
	mnl_attr_put_u32(nlh, RXE_CC_A_QP_DEST_QPN, qpn + 1);
	mnl_attr_put_u32(nlh, RXE_CC_A_QP_TYPE, RXE_CC_QP_TYPE_RC);
	mnl_attr_put_strz(nlh, RXE_CC_A_QP_ALGO,
			  over ? f->qp_algo : f->devs[0].algo);
	if (over)
		mnl_attr_put(nlh, RXE_CC_A_QP_OVERRIDE, 0, NULL);
	mnl_attr_put_u64(nlh, RXE_CC_A_QP_RATE_BPS, 40000000000);
	mnl_attr_put_u64(nlh, RXE_CC_A_QP_INFLIGHT_BYTES, 2048);
	mnl_attr_put_u64(nlh, RXE_CC_A_QP_RTT_NS, 12340);
	if (qpn == 18) {
		mnl_attr_put_u64(nlh, RXE_CC_A_QP_CAP_BYTES, 8192);
		mnl_attr_put_u64(nlh, RXE_CC_A_QP_CAP_SHARE_BYTES, 4096);
	}
	put_counter(nlh, RXE_CC_A_QP_COUNTER, "cnps", 3);
	put_counter(nlh, RXE_CC_A_QP_STATE, "alpha_q24", 65536);
	put_unknown(f, nlh);
}

/* @bad: attribute at fault, inside @req, or NULL. */
static void reply_error(struct fake *f, const struct nlmsghdr *req, int code,
			const char *msg, const struct nlattr *bad)
{
	u32 buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct nlmsgerr *e = mnl_nlmsg_put_extra_header(nlh, sizeof(*e));

	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_flags = NLM_F_CAPPED;
	nlh->nlmsg_seq = req->nlmsg_seq;
	e->error = -code;
	e->msg = *req;
	if (code && !f->no_extack) {
		nlh->nlmsg_flags |= NLM_F_ACK_TLVS;
		if (msg)
			mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, msg);
		if (bad)
			mnl_attr_put_u32(nlh, NLMSGERR_ATTR_OFFS,
					 (u32)((const char *)bad -
						    (const char *)req));
	}
	send(f->fd, nlh, nlh->nlmsg_len, MSG_NOSIGNAL);
}

static void do_family(struct fake *f, const struct nlmsghdr *req)
{
	u32 buf[128];
	struct nlattr *groups, *grp;
	struct nlmsghdr *nlh;

	if (!f->loaded) {
		reply_error(f, req, ENOENT, NULL, NULL);
		return;
	}
	nlh = put_header(buf, GENL_ID_CTRL, 0, req->nlmsg_seq,
			 CTRL_CMD_NEWFAMILY);
	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, FAKE_FAMILY);
	groups = mnl_attr_nest_start(nlh, CTRL_ATTR_MCAST_GROUPS);
	grp = mnl_attr_nest_start(nlh, 1);
	mnl_attr_put_u32(nlh, CTRL_ATTR_MCAST_GRP_ID, 9);
	mnl_attr_put_strz(nlh, CTRL_ATTR_MCAST_GRP_NAME, "monitor");
	mnl_attr_nest_end(nlh, grp);
	mnl_attr_nest_end(nlh, groups);
	send(f->fd, nlh, nlh->nlmsg_len, MSG_NOSIGNAL);
	reply_error(f, req, 0, NULL, NULL);
}

static const struct nlattr *find_attr(const struct nlmsghdr *req, int type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, req, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

static void put_object(struct fake *f, struct nlmsghdr *nlh, u8 cmd,
		       unsigned int i)
{
	if (cmd == RXE_CC_CMD_ALGO_GET)
		put_algo(f, nlh, algos[i]);
	else if (cmd == RXE_CC_CMD_DEV_GET)
		put_dev(f, nlh, &f->devs[i]);
	else
		put_qp(f, nlh, 17 + i);
}

static void do_dump(struct fake *f, const struct nlmsghdr *req, u8 cmd)
{
	unsigned int n = cmd == RXE_CC_CMD_ALGO_GET ? 3 :
			 cmd == RXE_CC_CMD_DEV_GET ? 2 : f->qps;
	u16 flags = NLM_F_MULTI;
	char *buf = malloc(BUF);
	struct nlmsghdr *nlh;
	unsigned int i;
	int code = -f->dump_error;
	size_t len = 0;

	f->dumps++;
	if (f->intr > 0) {
		f->intr--;
		flags |= NLM_F_DUMP_INTR;
	}
	for (i = 0; i < n; i++) {
		nlh = put_header(buf + len, FAKE_FAMILY, flags, req->nlmsg_seq,
				 cmd);
		put_object(f, nlh, cmd, i);
		len += nlh->nlmsg_len;
		if (len > PART) {
			send(f->fd, buf, len, MSG_NOSIGNAL);
			len = 0;
		}
	}
	nlh = mnl_nlmsg_put_header(buf + len);
	nlh->nlmsg_type = NLMSG_DONE;
	nlh->nlmsg_flags = flags;
	nlh->nlmsg_seq = req->nlmsg_seq;
	memcpy(mnl_nlmsg_put_extra_header(nlh, sizeof(code)), &code,
	       sizeof(code));
	if (code) {
		nlh->nlmsg_flags |= NLM_F_ACK_TLVS;
		mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, "dump broke off");
	}
	send(f->fd, buf, len + nlh->nlmsg_len, MSG_NOSIGNAL);
	free(buf);
}

/* Checks one nested setting; its value goes to @vals when it is good. */
static int check_param(const struct nlattr *nest, const struct fake_param *tab,
		       unsigned int n, u64 *vals, const char **msg)
{
	const struct nlattr *attr;
	const char *name = "";
	u64 val = 0;
	unsigned int i;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == RXE_CC_A_PARAM_NAME)
			name = mnl_attr_get_str(attr);
		if (mnl_attr_get_type(attr) == RXE_CC_A_PARAM_VALUE)
			val = mnl_attr_get_u64(attr);
	}
	for (i = 0; i < n; i++) {
		if (strcmp(tab[i].name, name))
			continue;
		*msg = "out of range";
		if (val < tab[i].min || val > tab[i].max)
			return -ERANGE;
		vals[i] = val;
		return 0;
	}
	*msg = "unknown";
	return -ENOENT;
}

static void do_dev_set(struct fake *f, const struct nlmsghdr *req,
		       struct fake_dev *dev)
{
	const struct nlattr *attr = find_attr(req, RXE_CC_A_DEV_ALGO);
	struct fake_dev next = *dev;
	const char *msg = NULL;
	unsigned int i;
	int code = 0;

	f->sets++;
	if (attr) {
		if (!algo_exists(mnl_attr_get_str(attr))) {
			reply_error(f, req, ENOENT, "no such algorithm", attr);
			return;
		}
		snprintf(next.algo, sizeof(next.algo), "%s",
			 mnl_attr_get_str(attr));
		for (i = 0; i < FAKE_PARAMS; i++)
			next.param[i] = fake_params[i].def;
	}
	attr = find_attr(req, RXE_CC_A_DEV_PRESET);
	if (attr && !strcmp(mnl_attr_get_str(attr), "mlx5"))
		next.param[0] = 5000000;
	mnl_attr_for_each(attr, req, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == RXE_CC_A_DEV_PARAM)
			code = check_param(attr, fake_params,
					   has_params(next.algo) ?
					   FAKE_PARAMS : 0, next.param, &msg);
		else if (mnl_attr_get_type(attr) == RXE_CC_A_DEV_KNOB)
			code = check_param(attr, knobs, FAKE_KNOBS, next.knob,
					   &msg);
		if (code) {
			reply_error(f, req, -code, msg, attr);
			return;
		}
	}
	*dev = next;
	reply_error(f, req, 0, NULL, NULL);
}

static void do_qp_set(struct fake *f, const struct nlmsghdr *req)
{
	const struct nlattr *attr = find_attr(req, RXE_CC_A_QP_QPN);
	const char *name;

	f->sets++;
	if (mnl_attr_get_u32(attr) != 17) {
		reply_error(f, req, ENOENT, "no such queue pair", attr);
		return;
	}
	attr = find_attr(req, RXE_CC_A_QP_ALGO);
	name = mnl_attr_get_str(attr);
	if (!strcmp(name, "default")) {
		name = "";
	} else if (!algo_exists(name)) {
		reply_error(f, req, ENOENT, "no such algorithm", attr);
		return;
	}
	snprintf(f->qp_algo, sizeof(f->qp_algo), "%s", name);
	reply_error(f, req, 0, NULL, NULL);
}

static void reply_object(struct fake *f, const struct nlmsghdr *req,
			 u8 cmd, unsigned int i)
{
	char *buf = malloc(BUF);
	struct nlmsghdr *nlh = put_header(buf, FAKE_FAMILY, 0, req->nlmsg_seq,
					  cmd);

	put_object(f, nlh, cmd, i);
	send(f->fd, nlh, nlh->nlmsg_len, MSG_NOSIGNAL);
	free(buf);
	reply_error(f, req, 0, NULL, NULL);
}

static void do_algo_get(struct fake *f, const struct nlmsghdr *req)
{
	const struct nlattr *attr = find_attr(req, RXE_CC_A_ALGO_NAME);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!strcmp(algos[i], mnl_attr_get_str(attr))) {
			reply_object(f, req, RXE_CC_CMD_ALGO_GET, i);
			return;
		}
	}
	reply_error(f, req, ENOENT, NULL, attr);
}

static void do_command(struct fake *f, const struct nlmsghdr *req)
{
	const struct nlattr *attr;
	const char *msg = NULL;
	u64 vals[2] = { 0 };
	u32 buf[256];
	struct nlmsghdr *nlh;
	int code;

	f->commands++;
	mnl_attr_for_each(attr, req, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != RXE_CC_A_COMMAND_ARG)
			continue;
		code = check_param(attr, fake_args, 2, vals, &msg);
		if (code) {
			reply_error(f, req, -code, msg, attr);
			return;
		}
	}
	if (find_attr(req, RXE_CC_A_COMMAND_PEER) && vals[0] == 666) {
		reply_error(f, req, EDQUOT, "dcqcn: the quota is used up",
			    find_attr(req, RXE_CC_A_COMMAND_NAME));
		return;
	}
	f->arg = vals[0];
	nlh = put_header(buf, FAKE_FAMILY, 0, req->nlmsg_seq, RXE_CC_CMD_COMMAND);
	mnl_attr_put_strz(nlh, RXE_CC_A_COMMAND_ALGO, "dcqcn");
	mnl_attr_put_strz(nlh, RXE_CC_A_COMMAND_NAME,
			  mnl_attr_get_str(find_attr(req, RXE_CC_A_COMMAND_NAME)));
	put_counter(nlh, RXE_CC_A_COMMAND_RESULT, "was_bytes", 4096);
	put_unknown(f, nlh);
	send(f->fd, nlh, nlh->nlmsg_len, MSG_NOSIGNAL);
	reply_error(f, req, 0, NULL, NULL);
}

static void do_request(struct fake *f, const struct nlmsghdr *req)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(req);
	const struct nlattr *name;
	struct fake_dev *dev;
	u8 cmd = genl->cmd;

	if (req->nlmsg_type == GENL_ID_CTRL) {
		do_family(f, req);
		return;
	}
	if (req->nlmsg_flags & NLM_F_DUMP) {
		do_dump(f, req, cmd);
		return;
	}
	if (cmd == RXE_CC_CMD_ALGO_GET) {
		do_algo_get(f, req);
		return;
	}
	if (!f->admin &&
	    (cmd == RXE_CC_CMD_DEV_SET || cmd == RXE_CC_CMD_QP_SET ||
	     cmd == RXE_CC_CMD_COMMAND)) {
		reply_error(f, req, EPERM, NULL, NULL);
		return;
	}
	/* the device's name is attribute 1 of both sets */
	name = find_attr(req, RXE_CC_A_DEV_NAME);
	dev = find_dev(f, mnl_attr_get_str(name));
	if (!dev) {
		reply_error(f, req, ENODEV, "no such device", name);
	} else if (cmd == RXE_CC_CMD_DEV_GET) {
		reply_object(f, req, cmd, dev - f->devs);
	} else if (cmd == RXE_CC_CMD_DEV_SET) {
		do_dev_set(f, req, dev);
	} else if (cmd == RXE_CC_CMD_QP_SET) {
		do_qp_set(f, req);
	} else if (cmd == RXE_CC_CMD_COMMAND) {
		do_command(f, req);
	} else {
		u32 qpn = mnl_attr_get_u32(find_attr(req,
							  RXE_CC_A_QP_QPN));

		if (qpn - 17 < f->qps)
			reply_object(f, req, cmd, qpn - 17);
		else
			reply_error(f, req, ENOENT, NULL, NULL);
	}
}

static void *fake_main(void *arg)
{
	char *buf = malloc(BUF);
	struct fake *f = arg;

	while (recv(f->fd, buf, BUF, 0) > 0)
		do_request(f, (struct nlmsghdr *)buf);
	free(buf);
	return NULL;
}

void fake_notify(struct fake *f, u8 cmd)
{
	char *buf = malloc(BUF);
	struct nlmsghdr *nlh = put_header(buf, FAKE_FAMILY, 0, 0, cmd);

	if (cmd == RXE_CC_CMD_QP_NTF)
		put_qp(f, nlh, 17);
	else if (cmd == RXE_CC_CMD_DEV_DEL_NTF)
		mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe1");
	else
		put_dev(f, nlh, &f->devs[0]);
	send(f->fd, nlh, nlh->nlmsg_len, MSG_NOSIGNAL);
	free(buf);
}

void fake_start(struct fake *f)
{
	unsigned int i, d;
	int fds[2];

	memset(f, 0, sizeof(*f));
	f->loaded = true;
	f->admin = true;
	f->qps = 2;
	f->devs[0].name = "rxe0";
	f->devs[1].name = "rxe1";
	snprintf(f->devs[0].algo, sizeof(f->devs[0].algo), "dcqcn");
	snprintf(f->devs[1].algo, sizeof(f->devs[1].algo), "none");
	for (d = 0; d < 2; d++) {
		for (i = 0; i < FAKE_PARAMS; i++)
			f->devs[d].param[i] = fake_params[i].def;
		for (i = 0; i < FAKE_KNOBS; i++)
			f->devs[d].knob[i] = knobs[i].def;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds)) {
		perror("socketpair");
		exit(1);
	}
	f->client = fds[0];
	f->fd = fds[1];
	if (pthread_create(&f->thread, NULL, fake_main, f)) {
		perror("pthread_create");
		exit(1);
	}
}

void fake_stop(struct fake *f)
{
	shutdown(f->fd, SHUT_RDWR);
	pthread_join(f->thread, NULL);
	close(f->fd);
	close(f->client);
}
