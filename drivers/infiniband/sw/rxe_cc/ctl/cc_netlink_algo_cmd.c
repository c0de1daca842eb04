// SPDX-License-Identifier: GPL-2.0
/*
 * The request of generic netlink family "rxe_cc" that sends a command to an algorithm on a queue
 * pair, a port or peers.
 *
 * The port is locked from the first look to the end of the call, so the algorithm
 * that was found in use is the one that is called, and its module stays.
 */
#include <net/genetlink.h>

#include "core/cc_core.h"
#include "cc_netlink.h"
#include "cc_netlink_gen.h"

/**
 * struct rxe_cc_target - to whom a command goes
 * @port: the port, locked
 * @inst: algorithm
 * @qp: queue pair, or NULL
 * @peer: what the algorithm knows of other hosts, or NULL
 * @addr: attributes that name them
 * @nr_peers: how many
 */
struct rxe_cc_target {
	struct rxe_cc_port *port;
	struct rxe_cc_inst *inst;
	struct rxe_cc_qp *qp;
	struct rxe_cc_peer_priv **peer;
	struct nlattr **addr;
	unsigned int nr_peers;
};

static int rxe_cc_nl_not_in_use(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXE_CC_A_COMMAND_ALGO];

	NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%s is not in use there",
				(char *)nla_data(attr));
	return -ENOENT;
}

/* Queue pair or port, and the algorithm there. With @t->port set it is locked. */
static int rxe_cc_nl_target(struct genl_info *info, struct rxe_cc_target *t)
{
	struct nlattr *algo = info->attrs[RXE_CC_A_COMMAND_ALGO];
	struct rxe_cc_port *port;

	if (info->attrs[RXE_CC_A_COMMAND_QPN]) {
		t->qp = rxe_cc_nl_qp(info, RXE_CC_A_COMMAND_DEV,
				     RXE_CC_A_COMMAND_QPN);
		if (IS_ERR(t->qp))
			return PTR_ERR(t->qp);
		t->port = t->qp->port;
		t->inst = t->qp->inst;
		if (algo && nla_strcmp(algo, t->inst->ops->name))
			return rxe_cc_nl_not_in_use(info);
		return 0;
	}
	port = rxe_cc_nl_port(info, RXE_CC_A_COMMAND_DEV);
	if (IS_ERR(port))
		return PTR_ERR(port);
	t->port = port;
	t->inst = algo ? rxe_cc_inst_find(port, nla_data(algo)) : port->def;
	return t->inst ? 0 : rxe_cc_nl_not_in_use(info);
}

/* What is wrong with a peer, of which several may be named. */
static int rxe_cc_nl_bad_peer(struct genl_info *info, const struct rxe_cc_target *t,
			      struct nlattr *attr, unsigned int named)
{
	const char *algo = t->inst->ops->name;

	if (named == 1)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"no queue pair of %s is connected to it", algo);
	else
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"%pI6c: no queue pair of %s is connected to it",
					nla_data(attr), algo);
	return -ENOENT;
}

/* All peers that the request names are known, and named once. */
static int rxe_cc_nl_peers(struct genl_info *info, struct rxe_cc_target *t)
{
	struct rxe_cc_peer_priv *peer;
	unsigned int i, n = 0;
	struct nlattr *attr;
	int rem, err = 0;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		n += nla_type(attr) == RXE_CC_A_COMMAND_PEER;
	if (n > RXE_CC_MAX_CMD_PEERS) {
		NL_SET_ERR_MSG_FMT(info->extack, "more than %u peers are named",
				   RXE_CC_MAX_CMD_PEERS);
		return -E2BIG;
	}
	t->peer = kcalloc(n, sizeof(*t->peer), GFP_KERNEL);
	t->addr = kcalloc(n, sizeof(*t->addr), GFP_KERNEL);
	if (!t->peer || !t->addr)
		return -ENOMEM;
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != RXE_CC_A_COMMAND_PEER)
			continue;
		peer = rxe_cc_peer_find(t->inst, nla_data(attr));
		if (!peer) {
			err = rxe_cc_nl_bad_peer(info, t, attr, n);
			break;
		}
		if (peer->named) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%pI6c: named twice",
						nla_data(attr));
			err = -EINVAL;
			break;
		}
		peer->named = true;
		t->peer[t->nr_peers] = peer;
		t->addr[t->nr_peers++] = attr;
	}
	for (i = 0; i < t->nr_peers; i++)
		t->peer[i]->named = false;
	return err;
}

/* Is the command about what the request names, and are there such peers? */
static int rxe_cc_nl_cmd_scope(struct genl_info *info, struct rxe_cc_target *t,
			       const struct rxe_cc_cmd *cmd)
{
	static const char *const about[] = {
		[RXE_CC_COMMAND_SCOPE_QP] = "a queue pair",
		[RXE_CC_COMMAND_SCOPE_PEER] = "a peer",
		[RXE_CC_COMMAND_SCOPE_PORT] = "a port",
	};
	struct nlattr *attr = info->attrs[RXE_CC_A_COMMAND_PEER];

	if (!cmd->to_qp != !t->qp || !cmd->to_peer != !attr) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack,
					info->attrs[RXE_CC_A_COMMAND_NAME],
					"%s is a command to %s", cmd->name,
					about[rxe_cc_cmd_scope(cmd)]);
		return -EINVAL;
	}
	return attr ? rxe_cc_nl_peers(info, t) : 0;
}

/**
 * rxe_cc_nl_args() - arguments of a command, checked
 * @info: request
 * @cmd: command
 * @args: receives a value for each
 *
 * Return: 0 or an error, which the request's extack explains.
 */
int rxe_cc_nl_args(struct genl_info *info, const struct rxe_cc_cmd *cmd, u64 *args)
{
	struct nlattr *attr;
	u64 seen = 0, missing;
	int err, rem;

	rxe_cc_cmd_defaults(cmd, args);
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != RXE_CC_A_COMMAND_ARG)
			continue;
		err = rxe_cc_nl_value(info, attr, cmd->args, cmd->nr_args, args,
				      &seen, cmd->name);
		if (err)
			return err;
	}
	missing = cmd->required & ~seen;
	if (!missing)
		return 0;
	NL_SET_ERR_ATTR_MISS(info->extack, NULL, RXE_CC_A_COMMAND_ARG);
	NL_SET_ERR_MSG_FMT(info->extack, "%s needs %s", cmd->name,
			   cmd->args[__ffs64(missing)].name);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(rxe_cc_nl_args);

/* Several peers: all are asked first, so that either all get it or none. What follows from
 * it, which runs in softirq, does so once, when all have got it.
 */
static int rxe_cc_nl_cmd_peers(struct genl_info *info, struct rxe_cc_target *t,
			       const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_cmd_call one;
	unsigned int i;
	int err;

	c->list = t->nr_peers;
	if (t->nr_peers == 1)
		return rxe_cc_inst_cmd(t->inst, t->peer[0], cmd, c);
	for (i = 0; i < t->nr_peers; i++) {
		one = (struct rxe_cc_cmd_call) {
			.args = c->args, .list = c->list, .check = true,
		};
		err = rxe_cc_inst_cmd(t->inst, t->peer[i], cmd, &one);
		if (!err)
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, t->addr[i], "%pI6c: %s",
					nla_data(t->addr[i]),
					one.why ? one.why : "refused");
		return err;
	}
	local_bh_disable();
	for (i = 0; i < t->nr_peers; i++) {
		one = (struct rxe_cc_cmd_call) { .args = c->args, .list = c->list };
		WARN_ON_ONCE(rxe_cc_inst_cmd(t->inst, t->peer[i], cmd, &one));
	}
	local_bh_enable();
	c->var[c->nr_vars++] = (struct rxe_cc_var) { "peers", t->nr_peers };
	return 0;
}

static int rxe_cc_nl_cmd(struct genl_info *info, struct rxe_cc_target *t,
			 struct rxe_cc_cmd_call *c)
{
	struct nlattr *name = info->attrs[RXE_CC_A_COMMAND_NAME];
	u64 args[RXE_CC_MAX_CMD_ARGS];
	const struct rxe_cc_cmd *cmd;
	int err;

	if (!name) {
		NL_SET_ERR_MSG(info->extack, "the command is not named");
		return -EINVAL;
	}
	err = rxe_cc_nl_target(info, t);
	if (err)
		return err;
	cmd = rxe_cc_cmd_find(t->inst->ops, nla_data(name));
	if (!cmd) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, name, "%s has no command %s",
					t->inst->ops->name, (char *)nla_data(name));
		return -ENOENT;
	}
	err = rxe_cc_nl_cmd_scope(info, t, cmd);
	if (!err)
		err = rxe_cc_nl_args(info, cmd, args);
	if (err)
		return err;
	c->args = args;
	if (t->qp)
		err = rxe_cc_qp_cmd(t->qp, cmd, c);
	else if (t->nr_peers)
		err = rxe_cc_nl_cmd_peers(info, t, cmd, c);
	else
		err = rxe_cc_inst_cmd(t->inst, NULL, cmd, c);
	c->args = NULL;
	if (err && t->nr_peers < 2)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, name, "%s: %s",
					t->inst->ops->name,
					c->why ? c->why : "refused");
	return err;
}

static int rxe_cc_fill_cmd(struct sk_buff *skb, struct genl_info *info,
			   const struct rxe_cc_target *t,
			   const struct rxe_cc_cmd_call *c)
{
	if (nla_put_string(skb, RXE_CC_A_COMMAND_ALGO, t->inst->ops->name) ||
	    nla_put_string(skb, RXE_CC_A_COMMAND_NAME,
			   nla_data(info->attrs[RXE_CC_A_COMMAND_NAME])))
		return -EMSGSIZE;
	return rxe_cc_put_vars(skb, RXE_CC_A_COMMAND_RESULT, c->var,
			       min(c->nr_vars, RXE_CC_MAX_CMD_VARS));
}

int rxe_cc_nl_command_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxe_cc_cmd_call c = {};
	struct rxe_cc_target t = {};
	struct sk_buff *reply;
	void *hdr;
	int err;

	reply = rxe_cc_reply_new(info, RXE_CC_CMD_COMMAND, &hdr);
	if (!reply)
		return -ENOMEM;
	err = rxe_cc_nl_cmd(info, &t, &c);
	if (!err)
		err = rxe_cc_fill_cmd(reply, info, &t, &c);
	rxe_cc_port_unlock(t.port);
	kfree(t.peer);
	kfree(t.addr);
	return rxe_cc_reply_end(reply, info, hdr, err);
}
