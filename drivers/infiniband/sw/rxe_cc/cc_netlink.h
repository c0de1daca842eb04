/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink family "rxe_cc": between requests (cc_netlink.c) and the
 * contents of replies (cc_netlink_fill.c).
 */
#ifndef _RXE_CC_NETLINK_H
#define _RXE_CC_NETLINK_H

#include "cc_core.h"

struct sk_buff;

/* What is to be shown of a QP, read in one go under its lock. */
struct rxe_cc_qp_snapshot {
	struct rxe_cc_qp_info info;
	struct rxe_cc_var var[RXE_CC_MAX_VARS];
	unsigned int nr_vars;
	u64 counter[RXE_CC_NR_QP_COUNTERS];
	u64 rate_bps;
	u64 cwnd_bytes;
	u64 inflight_bytes;
	u64 rtt_ns;
	u64 min_rtt_ns;
	int telemetry;
	u8 peer;
};

int rxe_cc_fill_algo(struct sk_buff *skb, const struct rxe_cc_ops *ops);
int rxe_cc_fill_port(struct sk_buff *skb, const struct rxe_cc_port *port);
int rxe_cc_fill_qp(struct sk_buff *skb, struct rxe_cc_qp *qp,
		   struct rxe_cc_qp_snapshot *s);

#endif /* _RXE_CC_NETLINK_H */
