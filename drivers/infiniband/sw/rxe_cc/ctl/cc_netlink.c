// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "rxe_cc"; Documentation/netlink/specs/rxe_cc.yaml is
 * the specification, cc_netlink_gen.c its policies.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <rdma/ib_verbs.h>

#include "core/cc_core.h"
#include "cc_netlink.h"
#include "cc_netlink_gen.h"

/* The algorithm that an attribute names, with a module reference. */
static const struct rxe_cc_ops *rxe_cc_nl_algo(struct genl_info *info, int type)
{
	struct nlattr *attr = info->attrs[type];
	const struct rxe_cc_ops *ops;
	const char *name;

	name = nla_data(attr);
	ops = rxe_cc_algo_get(name);
	if (!ops) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"no algorithm %s: no module rxe_cc_%s",
					name, name);
		return ERR_PTR(-ENOENT);
	}
	return ops;
}

/* Requests */

/* One port or algorithm with its parameters may be longer than the buffer that netlink
 * would take for a reader that has not said how much it can read. See
 * rxe_cc_nl_long_entry_end() for who cannot read that.
 */
int rxe_cc_nl_dump_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = GENLMSG_DEFAULT_SIZE * 4;
	return 0;
}

/* An entry of a dump was filled: @err. */
static int rxe_cc_nl_entry_end(struct sk_buff *skb, struct netlink_callback *cb,
			       void *hdr, int err)
{
	if (err) {
		if (hdr)
			genlmsg_cancel(skb, hdr);
		return err;
	}
	genl_dump_check_consistent(cb, hdr);
	genlmsg_end(skb, hdr);
	return 0;
}

/* The same of a dump with rxe_cc_nl_dump_start(), with @before bytes in the message. Entries
 * go together into what every reader can take; only one that is longer by itself makes a
 * longer message. So a reader with a small buffer loses that one, and sees it, but not
 * the end of the dump, for which it would wait.
 */
static int rxe_cc_nl_long_entry_end(struct sk_buff *skb, struct netlink_callback *cb,
				    void *hdr, unsigned int before, int err)
{
	if (!err && before && skb->len > NLMSG_GOODSIZE)
		err = -EMSGSIZE;
	return rxe_cc_nl_entry_end(skb, cb, hdr, err);
}

int rxe_cc_nl_algo_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXE_CC_A_ALGO_NAME];
	const struct rxe_cc_ops *ops;
	struct sk_buff *reply;
	void *hdr;
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
	reply = rxe_cc_reply_new(info, RXE_CC_CMD_ALGO_GET, &hdr);
	if (!reply)
		return -ENOMEM;
	mutex_lock(&rxe_cc_mutex);
	ops = rxe_cc_algo_find(nla_data(attr));
	err = ops ? rxe_cc_fill_algo(reply, ops) : -ENOENT;
	mutex_unlock(&rxe_cc_mutex);
	if (err == -ENOENT)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"no algorithm %s: no module rxe_cc_%s",
					(char *)nla_data(attr),
					(char *)nla_data(attr));
	return rxe_cc_reply_end(reply, info, hdr, err);
}

int rxe_cc_nl_algo_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct rxe_cc_ops *ops = NULL;
	long n = 0;
	int err = 0;

	mutex_lock(&rxe_cc_mutex);
	cb->seq = atomic_read(&rxe_cc_generation);
	while ((ops = rxe_cc_algo_next(ops))) {
		unsigned int before = skb->len;
		void *hdr;

		if (n++ < cb->args[0])
			continue;
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, genl_info_dump(cb)->family,
				  NLM_F_MULTI, RXE_CC_CMD_ALGO_GET);
		err = hdr ? rxe_cc_fill_algo(skb, ops) : -EMSGSIZE;
		err = rxe_cc_nl_long_entry_end(skb, cb, hdr, before, err);
		if (err)
			break;
		cb->args[0]++;
	}
	mutex_unlock(&rxe_cc_mutex);
	return err && skb->len ? skb->len : err;
}

int rxe_cc_nl_dev_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxe_cc_port *port;
	struct sk_buff *reply;
	void *hdr;
	int err;

	reply = rxe_cc_reply_new(info, RXE_CC_CMD_DEV_GET, &hdr);
	if (!reply)
		return -ENOMEM;
	port = rxe_cc_nl_port(info, RXE_CC_A_DEV_NAME);
	if (IS_ERR(port)) {
		err = PTR_ERR(port);
	} else {
		err = rxe_cc_fill_port(reply, port);
		rxe_cc_port_unlock(port);
	}
	return rxe_cc_reply_end(reply, info, hdr, err);
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
		unsigned int before = skb->len;
		void *hdr;

		if (n++ < cb->args[0])
			continue;
		if (!rxe_cc_visible(port, net)) {
			cb->args[0]++;
			continue;
		}
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, genl_info_dump(cb)->family,
				  NLM_F_MULTI, RXE_CC_CMD_DEV_GET);
		mutex_lock(&port->mutex);
		err = hdr ? rxe_cc_fill_port(skb, port) : -EMSGSIZE;
		mutex_unlock(&port->mutex);
		err = rxe_cc_nl_long_entry_end(skb, cb, hdr, before, err);
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
	unsigned int bad = 0;
	const char *why;
	int err, rem;

	memcpy(c->knob, port->knob, sizeof(c->knob));
	if (ops == port->def->ops) {
		memcpy(c->params, port->def->params, sizeof(c->params));
	} else {
		rxe_cc_param_defaults(ops, c->params);
		c->set_params = true;
	}
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
		if (preset->iofd_tokens)
			c->knob[RXE_CC_KNOB_IOFD_TOKENS] = preset->iofd_tokens;
	}
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		switch (nla_type(attr)) {
		case RXE_CC_A_DEV_PARAM:
			err = rxe_cc_nl_value(info, attr, ops->params,
					      ops->nr_params, c->params,
					      &seen_params, ops->name);
			c->set_params = true;
			break;
		case RXE_CC_A_DEV_KNOB:
			err = rxe_cc_nl_value(info, attr, rxe_cc_knobs,
					      RXE_CC_NR_KNOBS, c->knob,
					      &seen_knobs, "the device");
			break;
		default:
			err = 0;
		}
		if (err)
			return err;
	}
	why = rxe_cc_port_refusal(ops, c->params, c->knob);
	if (why) {
		NL_SET_ERR_MSG_FMT(info->extack, "%s: %s", ops->name, why);
		return -EOPNOTSUPP;
	}
	why = rxe_cc_port_knob_refusal(port, c->knob);
	if (why) {
		NL_SET_ERR_MSG_FMT(info->extack, "%s: %s",
				   rxe_cc_knobs[RXE_CC_KNOB_INT].name, why);
		return -EBUSY;
	}
	why = ops->check_params ? ops->check_params(c->params, &bad) : NULL;
	if (why) {
		if (bad < ops->nr_params)
			NL_SET_ERR_MSG_FMT(info->extack, "%s: %s",
					   ops->params[bad].name, why);
		else
			NL_SET_ERR_MSG_FMT(info->extack, "%s", why);
		return -EINVAL;
	}
	why = rxe_cc_knob_check(c->knob, &bad);
	if (why) {
		NL_SET_ERR_MSG_FMT(info->extack, "%s: %s",
				   rxe_cc_knobs[bad].name, why);
		return -EINVAL;
	}
	return 0;
}

int rxe_cc_nl_dev_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct rxe_cc_ops *ops = NULL;
	struct rxe_cc_change *c;
	struct rxe_cc_port *port;
	int err;

	c = kzalloc(sizeof(*c), GFP_KERNEL);
	if (!c)
		return -ENOMEM;
	if (info->attrs[RXE_CC_A_DEV_ALGO]) {
		ops = rxe_cc_nl_algo(info, RXE_CC_A_DEV_ALGO);
		if (IS_ERR(ops)) {
			kfree(c);
			return PTR_ERR(ops);
		}
		c->ops = ops;
	}
	port = rxe_cc_nl_port(info, RXE_CC_A_DEV_NAME);
	err = IS_ERR(port) ? PTR_ERR(port) : rxe_cc_nl_change(info, port, c);
	if (err) {
		if (c->ops)
			module_put(c->ops->owner);
	} else {
		err = rxe_cc_port_commit(port, c);
		if (!err)
			rxe_cc_notify_port(port, RXE_CC_CMD_DEV_NTF);
	}
	if (!IS_ERR(port))
		rxe_cc_port_unlock(port);
	kfree(c);
	return err;
}

int rxe_cc_nl_qp_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxe_cc_qp_snapshot *snap;
	struct rxe_cc_qp *qp;
	struct sk_buff *reply;
	void *hdr;
	int err;

	snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	if (!snap)
		return -ENOMEM;
	reply = rxe_cc_reply_new(info, RXE_CC_CMD_QP_GET, &hdr);
	if (!reply) {
		kfree(snap);
		return -ENOMEM;
	}
	qp = rxe_cc_nl_qp(info, RXE_CC_A_QP_DEV, RXE_CC_A_QP_QPN);
	if (IS_ERR(qp)) {
		err = PTR_ERR(qp);
	} else {
		err = rxe_cc_fill_qp(reply, qp, snap);
		rxe_cc_port_unlock(qp->port);
	}
	kfree(snap);
	return rxe_cc_reply_end(reply, info, hdr, err);
}

/* All queue pairs of a port from number @qpn on. Returns 0, or -EMSGSIZE with @qpn the first that
 * did not fit.
 */
static int rxe_cc_nl_port_qps(struct sk_buff *skb, struct netlink_callback *cb,
			      struct rxe_cc_port *port, unsigned long *qpn,
			      struct rxe_cc_qp_snapshot *snap)
{
	struct rxe_cc_qp *qp;
	int err = 0;
	void *hdr;

	mutex_lock(&port->mutex);
	xa_for_each_start(&port->qps, *qpn, qp, *qpn) {
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, genl_info_dump(cb)->family,
				  NLM_F_MULTI, RXE_CC_CMD_QP_GET);
		err = hdr ? rxe_cc_fill_qp(skb, qp, snap) : -EMSGSIZE;
		err = rxe_cc_nl_entry_end(skb, cb, hdr, err);
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
	struct rxe_cc_qp_snapshot *snap;
	struct rxe_cc_port *port;
	unsigned long qpn;
	long p = 0;
	int err = 0;

	snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	if (!snap)
		return -ENOMEM;
	mutex_lock(&rxe_cc_mutex);
	cb->seq = atomic_read(&rxe_cc_generation);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		if (p++ < cb->args[0])
			continue;
		if (!rxe_cc_visible(port, net) ||
		    (only && nla_strcmp(only, port->ibdev->name)))
			goto next;
		qpn = cb->args[1];
		err = rxe_cc_nl_port_qps(skb, cb, port, &qpn, snap);
		cb->args[1] = qpn;
		if (err)
			break;
next:
		cb->args[0]++;
		cb->args[1] = 0;
	}
	mutex_unlock(&rxe_cc_mutex);
	kfree(snap);
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
	why = ops && !IS_ERR(qp) ? rxe_cc_qp_refusal(qp, ops) : NULL;
	if (IS_ERR(qp)) {
		err = PTR_ERR(qp);
	} else if (ops && !rxe_cc_qp_may_run(qp, ops)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "it needs ACKs, which a UC queue pair has not");
		err = -EOPNOTSUPP;
	} else if (why) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%s", why);
		err = -EOPNOTSUPP;
	} else {
		err = rxe_cc_qp_choose(qp, ops);
		ops = NULL;
		if (!err)
			rxe_cc_notify_qp(qp);
	}
	if (!IS_ERR(qp))
		rxe_cc_port_unlock(qp->port);
	if (ops)
		module_put(ops->owner);
	return err;
}
