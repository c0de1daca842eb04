/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a receiving port, shared by its queue pairs: messages and senders in flight, bytes
 * per round, smallest delays. See cc_receiver_port.c.
 */
#ifndef _RXE_CC_RECEIVER_PORT_H
#define _RXE_CC_RECEIVER_PORT_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/spinlock.h>
#include <linux/timerqueue.h>
#include <rxe_cc/cc.h>

struct rxe_cc_port;

/* How long a message counts after its end while the base RTT of the port is not known. */
#define RXE_CC_RX_LINGER_NS	50000

/* Buckets of received bytes: a power of two, more than fit into a round. */
#define RXE_CC_RX_BUCKETS	32

/* What memory it takes at most: asserted in cc_receiver_port.c, said in cc-api.md. */
#define RXE_CC_RX_QP_BYTES	64
#define RXE_CC_RX_PEER_BYTES	96
#define RXE_CC_RX_PORT_BYTES	640

struct rxe_cc_rx_peer;

/**
 * struct rxe_cc_rx_ent - something that counts until a time: a queue pair with a message
 *	in flight, or a sender that is expected
 * @node: in &rxe_cc_rx_port.queue; @node.expires is when it is looked at, which is not
 *	after @until_ns
 * @until_ns: how long it counts
 * @peer: whose it is
 * @bytes: what it delivered in the last span, of which as much is forgotten as time has
 *	passed since; under the lock of the queue pair
 * @share_q16: as what part of a flow it counts. Written under &rxe_cc_rx_port.lock
 * @open: kinds of messages whose last packet has not come, BIT(responses); under the lock
 *	of the queue pair
 * @counted: it counts, and @node is in the queue. Written under &rxe_cc_rx_port.lock
 * @expected: it is a sender that is expected, not a message
 */
struct rxe_cc_rx_ent {
	struct timerqueue_node node;
	atomic64_t until_ns;
	struct rxe_cc_rx_peer *peer;
	u32 bytes;
	u32 share_q16;
	u8 open;
	bool counted;
	bool expected;
};

/**
 * struct rxe_cc_rx_peer - another host, as a sender. Under &rxe_cc_rx_port.lock
 * @expect: it is expected to send
 * @id: &rxe_cc_peer.id
 * @msgs: messages in flight
 * @capped: those of them that count
 * @shares_q16: as how many flows its messages count
 */
struct rxe_cc_rx_peer {
	struct rxe_cc_rx_ent expect;
	u64 shares_q16;
	u32 id;
	u32 msgs;
	u32 capped;
};

/**
 * struct rxe_cc_rx_least - the smallest value of a window, which moves on by halves
 * @began_ns: when the newer half began
 * @newer: its smallest; U64_MAX: none
 * @older: that of the half before
 */
struct rxe_cc_rx_least {
	u64 began_ns;
	u64 newer;
	u64 older;
};

/**
 * struct rxe_cc_rx_port - what the flows of an algorithm receive at a port
 * @due_ns: when something is to be looked at; U64_MAX: nothing
 * @rules: what the algorithm wants
 * @base_rtt_ns: of the port; 0: not known
 * @round_ns: that, or RXE_CC_RX_LINGER_NS
 * @owd_ns: smallest one-way delay; 0: none
 * @msgs: messages in flight, with &rxe_cc_rx_rules.peer_max
 * @msgs_all: without
 * @senders: peers with messages in flight or expected
 * @shift: a bucket is 2^@shift ns
 * @newest: number of the newest bucket
 * @given_rtt_ns: knob base_rtt
 * @window_ns: knob rtt_window
 * @rtt: round-trip times of the flows
 * @owd: one-way delays of the flows
 * @port: the port; NULL in tests
 * @line_bps: speed of the port, where @port is NULL; 0: not known, everything counts whole
 * @shares_q16: as how many flows all messages count, with &rxe_cc_rx_rules.peer_max
 * @hosts_q16: the same of hosts, each at most one
 * @lock: guards all but the buckets. Inside of qp->lock and of inst->lock
 * @queue: what counts, by when it is looked at
 * @bucket: wire bytes received
 *
 * What each packet reads and what each packet writes are in different cache lines.
 */
struct rxe_cc_rx_port {
	u64 due_ns;
	struct rxe_cc_rx_rules rules;
	u64 base_rtt_ns;
	u64 round_ns;
	u64 owd_ns;
	u32 msgs;
	u32 msgs_all;
	u32 senders;
	u32 shift;
	u64 newest;
	u64 given_rtt_ns;
	u64 window_ns;
	struct rxe_cc_rx_least rtt;
	struct rxe_cc_rx_least owd;
	struct rxe_cc_port *port;
	u64 line_bps;
	u64 shares_q16;
	u64 hosts_q16;

	spinlock_t lock ____cacheline_aligned;
	struct timerqueue_head queue;

	atomic64_t bucket[RXE_CC_RX_BUCKETS] ____cacheline_aligned;
};

/**
 * rxe_cc_rxp_on() - does somebody want it counted?
 * @rp: port; NULL: no
 *
 * Context: any.
 *
 * Return: true if so.
 */
static inline bool rxe_cc_rxp_on(const struct rxe_cc_rx_port *rp)
{
	return rp && READ_ONCE(rp->rules.on);
}

void rxe_cc_rxp_init(struct rxe_cc_rx_port *rp, struct rxe_cc_port *port);
void rxe_cc_rxp_set(struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_rules *rules,
		    u64 given_rtt_ns, u64 window_ns, u64 now_ns);
void rxe_cc_rxp_peer_init(struct rxe_cc_rx_peer *peer, u32 id);
void rxe_cc_rxp_packet(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent,
		       struct rxe_cc_rx_peer *peer, u8 kind, u32 bytes, bool end,
		       u64 now_ns);
void rxe_cc_rxp_bytes(struct rxe_cc_rx_port *rp, u64 bytes, u64 at_ns);
void rxe_cc_rxp_rtt(struct rxe_cc_rx_port *rp, u64 rtt_ns, u64 now_ns);
void rxe_cc_rxp_owd(struct rxe_cc_rx_port *rp, u64 owd_ns, u64 now_ns);
void rxe_cc_rxp_expect(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_peer *peer,
		       u64 for_ns, u64 now_ns);
void rxe_cc_rxp_leave(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent, u64 now_ns);
void rxe_cc_rxp_expire(struct rxe_cc_rx_port *rp, u64 now_ns);
void rxe_cc_rxp_view(struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
		     struct rxe_cc_rx_view *v, u64 now_ns);

#endif /* _RXE_CC_RECEIVER_PORT_H */
