/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rxe_cc.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_RXE_CC_GEN_H
#define _LINUX_RXE_CC_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/rxe_cc.h>

/* Common nested types */
extern const struct nla_policy rxe_cc_param_nl_policy[RXE_CC_A_PARAM_PAD + 1];

int rxe_cc_nl_dump_start(struct netlink_callback *cb);

int rxe_cc_nl_algo_get_doit(struct sk_buff *skb, struct genl_info *info);
int rxe_cc_nl_algo_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rxe_cc_nl_dev_get_doit(struct sk_buff *skb, struct genl_info *info);
int rxe_cc_nl_dev_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rxe_cc_nl_dev_set_doit(struct sk_buff *skb, struct genl_info *info);
int rxe_cc_nl_qp_get_doit(struct sk_buff *skb, struct genl_info *info);
int rxe_cc_nl_qp_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rxe_cc_nl_qp_set_doit(struct sk_buff *skb, struct genl_info *info);
int rxe_cc_nl_command_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	RXE_CC_NLGRP_MONITOR,
};

extern struct genl_family rxe_cc_nl_family;

#endif /* _LINUX_RXE_CC_GEN_H */
