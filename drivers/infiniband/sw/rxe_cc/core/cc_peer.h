/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A peer: another host as seen from a port, and the state that flows to it share.
 */
#ifndef _RXE_CC_PEER_H
#define _RXE_CC_PEER_H

#include <linux/in6.h>
#include <linux/list.h>

#include "cc_flow_group.h"
#include "cc_receiver_port.h"
#include "cc_port_windows.h"

struct rxe_cc_inst;
struct rxe_cc_port;
struct rxe_cc_qp;

#define RXE_CC_PEER_BUCKETS	64

/* Kinds of data to a host that have caps of their own. */
#define RXE_CC_CAP_CLASSES	8

/**
 * struct rxe_cc_cap - what switches let the queue pairs of a DSCP send to a host
 * @bytes: what they may have in flight together; 0: no cap
 * @until_ns: how long that holds
 * @key: DSCP plus 1, once it has one; 0: free
 * @lock: guards @windows; inside of qp->lock
 * @windows: of ports, of which the smallest is @bytes
 * @busy: queue pairs that have something in flight. Changes with each message of a
 *	queue pair that has one at a time, while each packet of all of them reads
 *	@bytes: not in one cache line
 */
struct rxe_cc_cap {
	u64 bytes;
	u64 until_ns;
	u32 key;
	spinlock_t lock; /* see above */
	struct rxe_cc_windows windows;
	atomic_t busy ____cacheline_aligned;
};

/**
 * struct rxe_cc_peer - another host, as seen from a port
 * @node: in &rxe_cc_port.peers
 * @addr: its address; IPv4 mapped into IPv6; "::" for who is not connected
 * @id: number of it among the peers of the port, for recordings
 * @users: queue pairs
 * @privs: state of algorithms for it
 * @idle: in &rxe_cc_port.idle_peers, while it has no users
 * @idle_since: jiffies
 * @caps: windows of switches, by DSCP
 */
struct rxe_cc_peer {
	struct hlist_node node;
	struct in6_addr addr;
	u32 id;
	unsigned int users;
	struct list_head privs;
	struct list_head idle;
	unsigned long idle_since;
	struct rxe_cc_cap caps[RXE_CC_CAP_CLASSES];
};

/**
 * struct rxe_cc_peer_priv - state of an algorithm for a peer
 * @list: in &rxe_cc_peer.privs
 * @inst: the algorithm on the port
 * @group: flows of that algorithm to that peer
 * @rx: the peer as a sender
 * @peer_id: number of the peer
 * @named: the command under way names it
 * @data: peer_priv_size bytes
 */
struct rxe_cc_peer_priv {
	struct list_head list;
	struct rxe_cc_inst *inst;
	struct rxe_cc_group group;
	struct rxe_cc_rx_peer rx;
	u32 peer_id;
	bool named;
	u64 data[];
};

void rxe_cc_peers_init(struct rxe_cc_port *port);
void rxe_cc_peers_exit(struct rxe_cc_port *port);
void rxe_cc_peers_leave(struct rxe_cc_inst *inst);
void rxe_cc_peer_put(struct rxe_cc_port *port, struct rxe_cc_peer *peer);
void rxe_cc_qp_leave_groups(struct rxe_cc_qp *qp);
struct rxe_cc_peer_priv *rxe_cc_qp_find_peer(struct rxe_cc_qp *qp,
					     struct rxe_cc_inst *inst,
					     struct rxe_cc_peer **peer);
void rxe_cc_qp_join_groups(struct rxe_cc_qp *qp);
struct rxe_cc_peer_priv *rxe_cc_peer_find(struct rxe_cc_inst *inst,
					  const struct in6_addr *addr);

#endif /* _RXE_CC_PEER_H */
