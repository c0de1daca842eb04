// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "rxe_cc": commands to algorithms.
 *
 * rxe_cc_mutex is held from the first look to the end of the call, so the algorithm
 * that was found in use is the one that is called, and its module stays.
 */
#include <net/genetlink.h>

#include "cc_core.h"
#include "cc_netlink.h"
#include "cc_netlink_gen.h"

/**
 * struct rxe_cc_target - to whom a command goes
 * @inst: algorithm
 * @qp: queue pair, or NULL
 * @peer: what the algorithm knows of another host, or NULL
 */
struct rxe_cc_target {
	struct rxe_cc_inst *inst;
	struct rxe_cc_qp *qp;
	struct rxe_cc_peer_priv *peer;
};

static int rxe_cc_nl_not_in_use(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXE_CC_A_COMMAND_ALGO];

	NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%s is not in use there",
				(char *)nla_data(attr));
	return -ENOENT;
}

/* Queue pair or port, and the algorithm there. */
static int rxe_cc_nl_target(struct genl_info *info, struct rxe_cc_target *t)
{
	struct nlattr *algo = info->attrs[RXE_CC_A_COMMAND_ALGO];
	struct rxe_cc_port *port;

	if (info->attrs[RXE_CC_A_COMMAND_QPN]) {
		t->qp = rxe_cc_nl_qp(info, RXE_CC_A_COMMAND_DEV,
				     RXE_CC_A_COMMAND_QPN);
		if (IS_ERR(t->qp))
			return PTR_ERR(t->qp);
		t->inst = t->qp->inst;
		if (algo && nla_strcmp(algo, t->inst->ops->name))
			return rxe_cc_nl_not_in_use(info);
		return 0;
	}
	port = rxe_cc_nl_port(info, RXE_CC_A_COMMAND_DEV);
	if (IS_ERR(port))
		return PTR_ERR(port);
	t->inst = algo ? rxe_cc_inst_find(port, nla_data(algo)) : port->def;
	return t->inst ? 0 : rxe_cc_nl_not_in_use(info);
}

/* Is the command about what the request names, and is there such a peer? */
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
	if (!attr)
		return 0;
	t->peer = rxe_cc_peer_find(t->inst, nla_data(attr));
	if (t->peer)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
				"no queue pair of %s is connected to it",
				t->inst->ops->name);
	return -ENOENT;
}

/**
 * rxe_cc_nl_args() - arguments of a command, checked
 * @info: request
 * @cmd: command
 * @args: receives a value for each
 *
 * Return: 0 or an error, which the request's extack tells.
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
	err = t->qp ? rxe_cc_qp_cmd(t->qp, cmd, c) :
		      rxe_cc_inst_cmd(t->inst, t->peer, cmd, c);
	c->args = NULL;
	if (err)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, name, "%s: %s",
					t->inst->ops->name,
					c->why ? c->why : "refused");
	return err;
}

static int rxe_cc_fill_cmd(struct sk_buff *skb, struct genl_info *info,
			   const struct rxe_cc_target *t,
			   const struct rxe_cc_cmd_call *c)
{
	unsigned int i;

	if (nla_put_string(skb, RXE_CC_A_COMMAND_ALGO, t->inst->ops->name) ||
	    nla_put_string(skb, RXE_CC_A_COMMAND_NAME,
			   nla_data(info->attrs[RXE_CC_A_COMMAND_NAME])))
		return -EMSGSIZE;
	for (i = 0; i < min(c->nr_vars, RXE_CC_MAX_CMD_VARS); i++)
		if (rxe_cc_put_counter(skb, RXE_CC_A_COMMAND_RESULT,
				       c->var[i].name, c->var[i].value))
			return -EMSGSIZE;
	return 0;
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
	mutex_lock(&rxe_cc_mutex);
	err = rxe_cc_nl_cmd(info, &t, &c);
	if (!err)
		err = rxe_cc_fill_cmd(reply, info, &t, &c);
	mutex_unlock(&rxe_cc_mutex);
	return rxe_cc_reply_end(reply, info, hdr, err);
}
