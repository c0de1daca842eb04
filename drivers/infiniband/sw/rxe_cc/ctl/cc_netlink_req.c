// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "rxe_cc": what requests have in common.
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
