// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of the generic netlink family "rxe_cc" that get and set algorithms, devices and queue
 * pairs. Commands to algorithms are in cc_netlink_algo_cmd.c.
 * Documentation/netlink/specs/rxe_cc.yaml is the specification, cc_netlink_gen.c has its
 * policies.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <rdma/ib_verbs.h>

#include "core/cc_core.h"
#include "cc_netlink.h"
#include "cc_netlink_gen.h"

/* One port or algorithm with its parameters may be longer than the buffer that netlink
 * would take for a reader that has not said how much it can read. See rxe_cc_nl_entry() for
 * who cannot read that.
 */
int rxe_cc_nl_dump_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = GENLMSG_DEFAULT_SIZE * 4;
	return 0;
}

/* One entry of a dump. Where rxe_cc_nl_dump_start() has been, entries go together into what
 * every reader can take; only one that is longer by itself makes a longer message. So a reader
 * with a small buffer loses that one, and sees it, but not the end of the dump, for which it
 * would wait.
 */
static int rxe_cc_nl_entry(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
			   rxe_cc_fill_fn fill, void *obj)
{
	unsigned int before = skb->len;
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				genl_info_dump(cb)->family, NLM_F_MULTI, cmd);
	int err = hdr ? fill(skb, obj) : -EMSGSIZE;

	if (!err && cb->min_dump_alloc && before && skb->len > NLMSG_GOODSIZE)
		err = -EMSGSIZE;
	if (err) {
		if (hdr)
			genlmsg_cancel(skb, hdr);
		return err;
	}
	genl_dump_check_consistent(cb, hdr);
	genlmsg_end(skb, hdr);
	return 0;
}

static const struct rxe_cc_ops *rxe_cc_nl_no_algo(struct genl_info *info, struct nlattr *attr)
{
	const char *name = nla_data(attr);

	NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "no algorithm %s: no module rxe_cc_%s",
				name, name);
	return ERR_PTR(-ENOENT);
}

/* The algorithm that an attribute names, with a module reference. */
static const struct rxe_cc_ops *rxe_cc_nl_algo(struct genl_info *info, int type)
{
	struct nlattr *attr = info->attrs[type];
	const struct rxe_cc_ops *ops = rxe_cc_algo_get(nla_data(attr));

	return ops ? ops : rxe_cc_nl_no_algo(info, attr);
}

int rxe_cc_nl_algo_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXE_CC_A_ALGO_NAME];
	const struct rxe_cc_ops *ops;
	int err;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "the algorithm is not named");
		return -EINVAL;
	}
	/* Loading a module is not for everyone. */
	if (netlink_capable(skb, CAP_NET_ADMIN)) {
		ops = rxe_cc_algo_get(nla_data(attr));
		if (ops)
			module_put(ops->owner);
	}
	mutex_lock(&rxe_cc_mutex);
	ops = rxe_cc_algo_find(nla_data(attr));
	if (!ops)
		ops = rxe_cc_nl_no_algo(info, attr);
	err = IS_ERR(ops) ? PTR_ERR(ops) :
			    rxe_cc_nl_reply(info, RXE_CC_CMD_ALGO_GET, rxe_cc_fill_algo,
					    (void *)ops);
	mutex_unlock(&rxe_cc_mutex);
	return err;
}

int rxe_cc_nl_algo_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct rxe_cc_ops *ops = NULL;
	long n = 0;
	int err = 0;

	mutex_lock(&rxe_cc_mutex);
	cb->seq = atomic_read(&rxe_cc_generation);
	while (!err && (ops = rxe_cc_algo_next(ops))) {
		if (n++ < cb->args[0])
			continue;
		err = rxe_cc_nl_entry(skb, cb, RXE_CC_CMD_ALGO_GET, rxe_cc_fill_algo,
				      (void *)ops);
		cb->args[0] += !err;
	}
	mutex_unlock(&rxe_cc_mutex);
	return err && skb->len ? skb->len : err;
}

int rxe_cc_nl_dev_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxe_cc_port *port = rxe_cc_nl_port(info, RXE_CC_A_DEV_NAME);
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	err = rxe_cc_nl_reply(info, RXE_CC_CMD_DEV_GET, rxe_cc_fill_port, port);
	rxe_cc_port_unlock(port);
	return err;
}

int rxe_cc_nl_dev_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct net *net = sock_net(skb->sk);
	struct rxe_cc_port *port;
	long n = 0;
	int err = 0;

	mutex_lock(&rxe_cc_mutex);
	cb->seq = atomic_read(&rxe_cc_generation);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		if (n++ < cb->args[0])
			continue;
		if (rxe_cc_visible(port, net)) {
			mutex_lock(&port->mutex);
			err = rxe_cc_nl_entry(skb, cb, RXE_CC_CMD_DEV_GET, rxe_cc_fill_port,
					      port);
			mutex_unlock(&port->mutex);
		}
		if (err)
			break;
		cb->args[0]++;
	}
	mutex_unlock(&rxe_cc_mutex);
	return err && skb->len ? skb->len : err;
}

/* Everything that a request changes, checked. Under port->mutex. */
static int rxe_cc_nl_change(struct genl_info *info, struct rxe_cc_port *port,
			    struct rxe_cc_change *c)
{
	const struct rxe_cc_ops *ops = c->ops ? c->ops : port->def->ops;
	struct nlattr *attr = info->attrs[RXE_CC_A_DEV_PRESET];
	u64 seen_params = 0, seen_knobs = 0;
	const char *what, *why;
	int err, rem;

	rxe_cc_change_begin(port, c);
	if (attr) {
		const struct rxe_cc_preset *preset = rxe_cc_preset(ops, nla_data(attr));

		if (!preset) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
						"%s has no preset %s", ops->name,
						(char *)nla_data(attr));
			return -ENOENT;
		}
		memcpy(c->params, preset->values, ops->nr_params * sizeof(u64));
		c->set_params = true;
		/* A knob of the same request comes later, and prevails. */
		if (preset->knob)
			c->knob[rxe_cc_param_index(rxe_cc_knobs, RXE_CC_NR_KNOBS,
						   preset->knob)] = preset->knob_value;
	}
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		err = 0;
		if (nla_type(attr) == RXE_CC_A_DEV_PARAM) {
			err = rxe_cc_nl_value(info, attr, ops->params, ops->nr_params,
					      c->params, &seen_params, ops->name);
			c->set_params = true;
		} else if (nla_type(attr) == RXE_CC_A_DEV_KNOB) {
			err = rxe_cc_nl_value(info, attr, rxe_cc_knobs, RXE_CC_NR_KNOBS,
					      c->knob, &seen_knobs, "the device");
		}
		if (err)
			return err;
	}
	err = rxe_cc_change_check(port, c, &what, &why);
	if (err && what)
		NL_SET_ERR_MSG_FMT(info->extack, "%s: %s", what, why);
	else if (err)
		NL_SET_ERR_MSG_FMT(info->extack, "%s", why);
	return err;
}

int rxe_cc_nl_dev_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct rxe_cc_ops *ops = NULL;
	struct rxe_cc_change *c;
	struct rxe_cc_port *port;

	if (info->attrs[RXE_CC_A_DEV_ALGO]) {
		ops = rxe_cc_nl_algo(info, RXE_CC_A_DEV_ALGO);
		if (IS_ERR(ops))
			return PTR_ERR(ops);
	}
	c = kzalloc(sizeof(*c), GFP_KERNEL);
	if (!c) {
		if (ops)
			module_put(ops->owner);
		return -ENOMEM;
	}
	c->ops = ops;
	port = rxe_cc_nl_port(info, RXE_CC_A_DEV_NAME);
	if (IS_ERR(port))
		return rxe_cc_change_end(NULL, c, PTR_ERR(port));
	return rxe_cc_change_end(port, c, rxe_cc_nl_change(info, port, c));
}

int rxe_cc_nl_qp_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxe_cc_qp *qp = rxe_cc_nl_qp(info, RXE_CC_A_QP_DEV, RXE_CC_A_QP_QPN);
	int err;

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	err = rxe_cc_nl_reply(info, RXE_CC_CMD_QP_GET, rxe_cc_fill_qp, qp);
	rxe_cc_port_unlock(qp->port);
	return err;
}

/* All queue pairs of a port from number @qpn on. Returns 0, or -EMSGSIZE with @qpn the first that
 * did not fit.
 */
static int rxe_cc_nl_port_qps(struct sk_buff *skb, struct netlink_callback *cb,
			      struct rxe_cc_port *port, unsigned long *qpn)
{
	struct rxe_cc_qp *qp;
	int err = 0;

	mutex_lock(&port->mutex);
	xa_for_each_start(&port->qps, *qpn, qp, *qpn) {
		err = rxe_cc_nl_entry(skb, cb, RXE_CC_CMD_QP_GET, rxe_cc_fill_qp, qp);
		if (err)
			break;
	}
	mutex_unlock(&port->mutex);
	return err;
}

/* args[0] ports are done, and of the next one the queue pairs below number args[1]. */
int rxe_cc_nl_qp_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr *only = genl_dumpit_info(cb)->info.attrs[RXE_CC_A_QP_DEV];
	struct net *net = sock_net(skb->sk);
	struct rxe_cc_port *port;
	unsigned long qpn;
	long p = 0;
	int err = 0;

	mutex_lock(&rxe_cc_mutex);
	cb->seq = atomic_read(&rxe_cc_generation);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		if (p++ < cb->args[0])
			continue;
		if (!rxe_cc_visible(port, net) ||
		    (only && nla_strcmp(only, port->ibdev->name)))
			goto next;
		qpn = cb->args[1];
		err = rxe_cc_nl_port_qps(skb, cb, port, &qpn);
		cb->args[1] = qpn;
		if (err)
			break;
next:
		cb->args[0]++;
		cb->args[1] = 0;
	}
	mutex_unlock(&rxe_cc_mutex);
	return err && skb->len ? skb->len : err;
}

/* Of a queue pair that gets an algorithm of its own; with the parameters that it then has. */
static const char *rxe_cc_qp_refusal(const struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops)
{
	const struct rxe_cc_inst *inst = rxe_cc_inst_find(qp->port, ops->name);
	u64 def[RXE_CC_MAX_PARAMS];

	rxe_cc_param_defaults(ops, def);
	return rxe_cc_port_refusal(ops, inst ? inst->params : def, qp->port->knob);
}

int rxe_cc_nl_qp_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXE_CC_A_QP_ALGO];
	const struct rxe_cc_ops *ops = NULL;
	struct rxe_cc_qp *qp;
	const char *why;
	int err;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "the algorithm is not named");
		return -EINVAL;
	}
	if (nla_strcmp(attr, "default")) {
		ops = rxe_cc_nl_algo(info, RXE_CC_A_QP_ALGO);
		if (IS_ERR(ops))
			return PTR_ERR(ops);
	}
	qp = rxe_cc_nl_qp(info, RXE_CC_A_QP_DEV, RXE_CC_A_QP_QPN);
	if (IS_ERR(qp)) {
		err = PTR_ERR(qp);
		goto out;
	}
	why = ops ? rxe_cc_qp_refusal(qp, ops) : NULL;
	if (ops && !rxe_cc_qp_may_run(qp, ops))
		why = "it needs ACKs, which a UC queue pair has not";
	if (why) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%s", why);
		err = -EOPNOTSUPP;
	} else {
		err = rxe_cc_qp_choose(qp, ops);
		ops = NULL;
		if (!err)
			rxe_cc_notify(qp->port, RXE_CC_CMD_QP_NTF, rxe_cc_fill_qp, qp);
	}
	rxe_cc_port_unlock(qp->port);
out:
	if (ops)
		module_put(ops->owner);
	return err;
}
