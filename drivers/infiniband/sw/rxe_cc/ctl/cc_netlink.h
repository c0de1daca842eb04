/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink family "rxe_cc": requests (cc_netlink.c, cc_netlink_algo_cmd.c),
 * what they have in common (cc_netlink_common.c), contents of replies (cc_netlink_fill.c).
 */
#ifndef _RXE_CC_NETLINK_H
#define _RXE_CC_NETLINK_H

#include "core/cc_core.h"

struct sk_buff;

/* What is to be shown of a QP, read in one go under its lock. */
struct rxe_cc_qp_snapshot {
	struct rxe_cc_qp_info info;
	struct rxe_cc_var var[RXE_CC_MAX_VARS];
	unsigned int nr_vars;
	u64 counter[RXE_CC_NR_QP_COUNTERS];
	u64 rate_bps;
	u64 cwnd_bytes;
	u64 cap_bytes;
	u64 cap_share_bytes;
	u64 inflight_bytes;
	u64 rtt_ns;
	u64 min_rtt_ns;
	int telemetry;
	u32 rx_msgs;
	u32 rx_senders;
	u8 congestion;
	bool port_congestion;
	u8 peer;
};

struct genl_family;
struct genl_info;
struct nlattr;
struct net;

/* What a message says of an object, which is locked. Returns 0, or -EMSGSIZE. */
typedef int (*rxe_cc_fill_fn)(struct sk_buff *skb, void *obj);

/* cc_netlink_common.c */
bool rxe_cc_visible(const struct rxe_cc_port *port, const struct net *net);
struct rxe_cc_port *rxe_cc_nl_port(struct genl_info *info, int name_type);
struct rxe_cc_qp *rxe_cc_nl_qp(struct genl_info *info, int name_type, int qpn_type);
int rxe_cc_nl_reply(struct genl_info *info, u8 cmd, rxe_cc_fill_fn fill, void *obj);
struct sk_buff *rxe_cc_reply_new(struct genl_info *info, u8 cmd, void **hdr);
int rxe_cc_reply_end(struct sk_buff *skb, struct genl_info *info, void *hdr, int err);
int rxe_cc_nl_value(struct genl_info *info, const struct nlattr *attr,
		    const struct rxe_cc_param *table, unsigned int nr,
		    u64 *values, u64 *seen, const char *whose);
void rxe_cc_change_begin(const struct rxe_cc_port *port, struct rxe_cc_change *c);
int rxe_cc_change_check(struct rxe_cc_port *port, const struct rxe_cc_change *c,
			const char **what, const char **why);
int rxe_cc_change_end(struct rxe_cc_port *port, struct rxe_cc_change *c, int err);

/* cc_netlink_algo_cmd.c */
int rxe_cc_nl_args(struct genl_info *info, const struct rxe_cc_cmd *cmd, u64 *args);

/* cc_netlink_notify.c */
void rxe_cc_notify_init(const struct genl_family *family);
void rxe_cc_notify(struct rxe_cc_port *port, u8 cmd, rxe_cc_fill_fn fill, void *obj);

/* cc_netlink_fill.c */
int rxe_cc_put_vars(struct sk_buff *skb, int type, const struct rxe_cc_var *var,
		    unsigned int nr);
int rxe_cc_fill_algo(struct sk_buff *skb, void *ops);
int rxe_cc_fill_port(struct sk_buff *skb, void *port);
int rxe_cc_fill_qp(struct sk_buff *skb, void *qp);
void rxe_cc_qp_snap(struct rxe_cc_qp *qp, struct rxe_cc_qp_snapshot *s);

/* cc_qp_snapshot.c: looking at queue pairs from another module, roce_watch.ko */
struct ib_device;

typedef void (*rxe_cc_look_fn)(const struct ib_device *dev,
			       const struct rxe_cc_qp_snapshot *s, void *data);

void rxe_cc_look_devs(void (*fn)(const struct ib_device *dev, void *data), void *data);
void rxe_cc_look_qps(rxe_cc_look_fn fn, struct rxe_cc_qp_snapshot *s, void *data);

#endif /* _RXE_CC_NETLINK_H */
