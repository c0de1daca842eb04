// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the requests of generic netlink family "rxe_cc": find and lock the port or queue
 * pair, check changed values, build the reply.
 */
#include <net/genetlink.h>
#include <rdma/ib_verbs.h>

#include "cc_netlink.h"

/* Lookups. What they find is locked, for rxe_cc_port_unlock(). */

bool rxe_cc_visible(const struct rxe_cc_port *port, const struct net *net)
{
	return port->announced && rdma_dev_access_netns(port->ibdev, net);
}

struct rxe_cc_port *rxe_cc_nl_port(struct genl_info *info, int name_type)
{
	struct nlattr *attr = info->attrs[name_type];
	struct rxe_cc_port *port;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "the device is not named");
		return ERR_PTR(-EINVAL);
	}
	mutex_lock(&rxe_cc_mutex);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		if (!nla_strcmp(attr, port->ibdev->name) &&
		    rxe_cc_visible(port, genl_info_net(info))) {
			mutex_lock(&port->mutex);
			return port;
		}
	}
	mutex_unlock(&rxe_cc_mutex);
	NL_SET_ERR_MSG_ATTR(info->extack, attr, "no such device under rxe_cc");
	return ERR_PTR(-ENODEV);
}

struct rxe_cc_qp *rxe_cc_nl_qp(struct genl_info *info, int name_type, int qpn_type)
{
	struct nlattr *attr = info->attrs[qpn_type];
	struct rxe_cc_port *port;
	struct rxe_cc_qp *qp;

	port = rxe_cc_nl_port(info, name_type);
	if (IS_ERR(port))
		return ERR_CAST(port);
	if (!attr) {
		rxe_cc_port_unlock(port);
		NL_SET_ERR_MSG(info->extack, "the queue pair number is missing");
		return ERR_PTR(-EINVAL);
	}
	qp = xa_load(&port->qps, nla_get_u32(attr));
	if (qp)
		return qp;
	rxe_cc_port_unlock(port);
	NL_SET_ERR_MSG_ATTR(info->extack, attr,
			    "no such RC or UC queue pair on the device");
	return ERR_PTR(-ENOENT);
}

struct sk_buff *rxe_cc_reply_new(struct genl_info *info, u8 cmd, void **hdr)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE * 4, GFP_KERNEL);

	if (!skb)
		return NULL;
	*hdr = genlmsg_put_reply(skb, info, info->family, 0, cmd);
	if (!*hdr) {
		nlmsg_free(skb);
		return NULL;
	}
	return skb;
}

int rxe_cc_reply_end(struct sk_buff *skb, struct genl_info *info, void *hdr, int err)
{
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

int rxe_cc_nl_reply(struct genl_info *info, u8 cmd, rxe_cc_fill_fn fill, void *obj)
{
	void *hdr;
	struct sk_buff *skb = rxe_cc_reply_new(info, cmd, &hdr);

	return skb ? rxe_cc_reply_end(skb, info, hdr, fill(skb, obj)) : -ENOMEM;
}

/* One PARAM, KNOB or ARG attribute into the values of a table. */
int rxe_cc_nl_value(struct genl_info *info, const struct nlattr *attr,
		    const struct rxe_cc_param *table, unsigned int nr,
		    u64 *values, u64 *seen, const char *whose)
{
	struct nlattr *tb[RXE_CC_A_PARAM_MAX + 1];
	const struct rxe_cc_param *p;
	u64 value;
	int err, i;

	/* The policy of the request has checked what is in it. */
	err = nla_parse_nested(tb, RXE_CC_A_PARAM_PAD, attr, NULL, info->extack);
	if (err)
		return err;
	if (!tb[RXE_CC_A_PARAM_NAME] || !tb[RXE_CC_A_PARAM_VALUE]) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "needs a name and a value");
		return -EINVAL;
	}
	i = rxe_cc_param_index(table, nr, nla_data(tb[RXE_CC_A_PARAM_NAME]));
	if (i < 0) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr, "%s has no %s", whose,
					(char *)nla_data(tb[RXE_CC_A_PARAM_NAME]));
		return i;
	}
	p = &table[i];
	if (*seen & BIT_ULL(i)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "given twice");
		return -EINVAL;
	}
	value = nla_get_u64(tb[RXE_CC_A_PARAM_VALUE]);
	if (value < p->min || value > p->max) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"not in %llu..%llu %s", p->min, p->max,
					p->unit);
		return -ERANGE;
	}
	*seen |= BIT_ULL(i);
	values[i] = value;
	return 0;
}

/* Changes of a port, by netlink or by sysfs: what it has now, with the defaults of an
 * algorithm that is another one; then what the request says; then both of the next two.
 */
void rxe_cc_change_begin(const struct rxe_cc_port *port, struct rxe_cc_change *c)
{
	memcpy(c->knob, port->knob, sizeof(c->knob));
	if (c->ops && c->ops != port->def->ops) {
		rxe_cc_param_defaults(c->ops, c->params);
		c->set_params = true;
	} else {
		memcpy(c->params, port->def->params, sizeof(c->params));
	}
}

/* Can it be? Returns 0, or an error with @why, and with what it is about or NULL. */
int rxe_cc_change_check(struct rxe_cc_port *port, const struct rxe_cc_change *c,
			const char **what, const char **why)
{
	const struct rxe_cc_ops *ops = c->ops ? c->ops : port->def->ops;
	unsigned int bad = 0;

	*what = ops->name;
	*why = rxe_cc_port_refusal(ops, c->params, c->knob);
	if (*why)
		return -EOPNOTSUPP;
	*what = rxe_cc_knobs[RXE_CC_KNOB_INT].name;
	*why = rxe_cc_port_knob_refusal(port, c->knob);
	if (*why)
		return -EBUSY;
	*why = ops->check_params ? ops->check_params(c->params, &bad) : NULL;
	if (*why) {
		*what = bad < ops->nr_params ? ops->params[bad].name : NULL;
		return -EINVAL;
	}
	*why = rxe_cc_knob_check(c->knob, &bad);
	if (!*why)
		return 0;
	*what = rxe_cc_knobs[bad].name;
	return -EINVAL;
}

/* Without an error it is made, and listeners are notified. Unlocks the port, if any; frees @c. */
int rxe_cc_change_end(struct rxe_cc_port *port, struct rxe_cc_change *c, int err)
{
	if (!err) {
		err = rxe_cc_port_commit(port, c);
		if (!err)
			rxe_cc_notify(port, RXE_CC_CMD_DEV_NTF, rxe_cc_fill_port, port);
	} else if (c->ops) {
		module_put(c->ops->owner);
	}
	rxe_cc_port_unlock(port);
	kfree(c);
	return err;
}
