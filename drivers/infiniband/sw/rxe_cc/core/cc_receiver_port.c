// SPDX-License-Identifier: GPL-2.0
/*
 * Counts for a receiving port, over all its queue pairs of one algorithm, messages and senders
 * in flight, bytes per round and smallest delays. Done for algorithms that ask
 * (&rxe_cc_ops.rx_rules).
 *
 * Messages. The transport reports a packet once, when it has accepted it in order, so
 * "in flight" needs no sequence numbers: the last packet of the queue pair was not the end
 * of its message. What was lost is sent again by the peer and seen then; a first packet
 * that comes again (a READ that goes on after a loss) finds the message open. So starts are
 * not needed, and a message that comes from the middle on counts as well. An end leaves
 * the queue pair counted for linger_ns, so that back-to-back messages do not flicker. A
 * queue pair counts once, whatever its messages: requests and READ responses of it come
 * from one flow of the peer, which has one rate.
 *
 * Shares. Counting the last message as a whole flow for linger_ns would give a queue pair
 * that sends 64 bytes now and then as much as one that could fill the line. So with
 * &rxe_cc_rx_rules.weigh a queue pair without an open message counts by the bytes B that it
 * has delivered in the last span (linger_ns, or T). Let S be a share: what the line carries
 * in a span, divided by the count. A flow that has its share delivers whole packets, so S less a
 * packet of b bytes, and a fifth less where queues have just held it up. So the queue
 * pair counts as min(1, (5/4 B + b) / S), for a span. If a packet does not fit twice into
 * S, spans are longer: twice the time that it takes at the share. A flow at its share
 * then sends its next packet half of that time later and is counted without a gap.
 * B decays in proportion to the time since the last packet, and is at most S.
 *
 * Soft state. What counts does so until a time, which each of its packets moves on. It is
 * in a queue by that time, or an earlier one: moving it on is a store, without a lock. Who
 * looks at the counts first takes off all that is due; what has moved on meanwhile is
 * queued again. So the counts are right for the time at which they are read, there is no
 * timer, and a packet of a flow that counts already, in the middle of a message, costs no
 * lock. A time that becomes shorter, at the end of a message, is moved under the lock.
 *
 * A packet may come in the very moment at which another processor takes its flow off. Its
 * flow then counts again with the next packet.
 *
 * Bytes of a round. Buckets of 2^shift ns, 8 to 16 of which are a round T. Those that lie
 * within (now - T, now] count in full, the oldest in proportion. Of a bucket of b bytes, of
 * which the part f lies inside, between max(0, b - (1 - f) B) and min(b, f B) bytes came
 * in that part, where B are the bytes of a bucket at line rate; f b is taken. With b = f B
 * the difference is largest, f (1 - f) B, at most B / 4: a 32nd of line rate x T. For
 * traffic that is even over a bucket it is a packet.
 */
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <rxe_cc/cc_math.h>

#include "cc_port.h"
#include "cc_trace.h"

static_assert(sizeof(struct rxe_cc_rx_ent) <= RXE_CC_RX_QP_BYTES);
static_assert(sizeof(struct rxe_cc_rx_peer) <= RXE_CC_RX_PEER_BYTES);
static_assert(sizeof(struct rxe_cc_rx_port) <= RXE_CC_RX_PORT_BYTES ||
	      IS_ENABLED(CONFIG_DEBUG_SPINLOCK));

/* Is it a sender? Under rp->lock, as all below until said otherwise. */
static bool rxp_sends(const struct rxe_cc_rx_peer *peer)
{
	return peer->msgs || peer->expect.counted;
}

static void rxp_sender(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_peer *peer,
		       bool before, u64 at_ns)
{
	bool after = rxp_sends(peer);

	if (before == after)
		return;
	WRITE_ONCE(rp->senders, after ? rp->senders + 1 : rp->senders - 1);
	trace_rxe_cc_rx_sender(rp, peer, after, at_ns);
}

static void rxp_due(struct rxe_cc_rx_port *rp)
{
	const struct timerqueue_node *first = timerqueue_getnext(&rp->queue);

	WRITE_ONCE(rp->due_ns, first ? first->expires : U64_MAX);
}

static u64 rxp_host_q16(const struct rxe_cc_rx_peer *peer)
{
	if (peer->expect.counted)
		return RXE_CC_RX_WHOLE_Q16;
	return min_t(u64, peer->shares_q16, RXE_CC_RX_WHOLE_Q16);
}

static u64 rxp_capped_q16(const struct rxe_cc_rx_port *rp, u64 shares_q16)
{
	u64 max_q16 = (u64)rp->rules.peer_max << RXE_CC_RX_SHARE_SHIFT;

	return max_q16 ? min(shares_q16, max_q16) : shares_q16;
}

/* A queue pair counts as another part of a flow. */
static void rxp_weigh(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent, u32 share_q16)
{
	struct rxe_cc_rx_peer *peer = ent->peer;
	u64 host_q16 = rxp_host_q16(peer), before_q16 = rxp_capped_q16(rp, peer->shares_q16);

	WRITE_ONCE(peer->shares_q16, peer->shares_q16 - ent->share_q16 + share_q16);
	WRITE_ONCE(ent->share_q16, share_q16);
	WRITE_ONCE(rp->shares_q16, rp->shares_q16 - before_q16 +
				   rxp_capped_q16(rp, peer->shares_q16));
	WRITE_ONCE(rp->hosts_q16, rp->hosts_q16 - host_q16 + rxp_host_q16(peer));
}

/* Times are compared as ktime_t. */
static s64 rxp_when(u64 until_ns)
{
	return min_t(u64, until_ns, S64_MAX);
}

static void rxp_queue(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent)
{
	/* Zeroed, or taken off: in no queue. */
	timerqueue_init(&ent->node);
	WRITE_ONCE(ent->node.expires, rxp_when(atomic64_read(&ent->until_ns)));
	timerqueue_add(&rp->queue, &ent->node);
}

static void rxp_add_msg(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_peer *peer)
{
	WRITE_ONCE(rp->msgs_all, rp->msgs_all + 1);
	WRITE_ONCE(peer->msgs, peer->msgs + 1);
	if (rp->rules.peer_max && peer->capped >= rp->rules.peer_max)
		return;
	WRITE_ONCE(peer->capped, peer->capped + 1);
	WRITE_ONCE(rp->msgs, rp->msgs + 1);
}

static void rxp_del_msg(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_peer *peer)
{
	WRITE_ONCE(rp->msgs_all, rp->msgs_all - 1);
	WRITE_ONCE(peer->msgs, peer->msgs - 1);
	if (peer->capped <= peer->msgs)
		return;
	WRITE_ONCE(peer->capped, peer->capped - 1);
	WRITE_ONCE(rp->msgs, rp->msgs - 1);
}

static void rxp_uncount(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent, u64 at_ns)
{
	struct rxe_cc_rx_peer *peer = ent->peer;
	u64 host_q16 = rxp_host_q16(peer);
	bool before = rxp_sends(peer);

	timerqueue_del(&rp->queue, &ent->node);
	WRITE_ONCE(ent->counted, false);
	if (ent->expected) {
		WRITE_ONCE(rp->hosts_q16, rp->hosts_q16 - host_q16 + rxp_host_q16(peer));
	} else {
		rxp_weigh(rp, ent, 0);
		rxp_del_msg(rp, peer);
		trace_rxe_cc_rx_msg(rp, peer, false, at_ns);
	}
	rxp_sender(rp, peer, before, at_ns);
}

static void rxp_count(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent, u32 share_q16,
		      u64 at_ns)
{
	struct rxe_cc_rx_peer *peer = ent->peer;
	u64 host_q16 = rxp_host_q16(peer);
	bool before = rxp_sends(peer);

	WRITE_ONCE(ent->counted, true);
	rxp_queue(rp, ent);
	if (ent->expected) {
		WRITE_ONCE(rp->hosts_q16, rp->hosts_q16 - host_q16 + rxp_host_q16(peer));
	} else {
		rxp_weigh(rp, ent, share_q16);
		rxp_add_msg(rp, peer);
		trace_rxe_cc_rx_msg(rp, peer, true, at_ns);
		/* It is here. */
		if (peer->expect.counted)
			rxp_uncount(rp, &peer->expect, at_ns);
	}
	rxp_sender(rp, peer, before, at_ns);
}

/* What was counted by other rules. */
static void rxp_recount(struct rxe_cc_rx_port *rp)
{
	u64 shares_q16 = 0, before_q16;
	struct rb_node *node;

	WRITE_ONCE(rp->msgs, 0);
	for (node = rb_first_cached(&rp->queue.rb_root); node; node = rb_next(node)) {
		struct rxe_cc_rx_ent *ent = rb_entry(node, struct rxe_cc_rx_ent,
						     node.node);

		ent->peer->capped = 0;
		ent->peer->shares_q16 = 0;
	}
	for (node = rb_first_cached(&rp->queue.rb_root); node; node = rb_next(node)) {
		struct rxe_cc_rx_ent *ent = rb_entry(node, struct rxe_cc_rx_ent,
						     node.node);

		before_q16 = rxp_capped_q16(rp, ent->peer->shares_q16);
		ent->peer->shares_q16 += ent->share_q16;
		shares_q16 += rxp_capped_q16(rp, ent->peer->shares_q16) - before_q16;
		if (ent->expected || (rp->rules.peer_max &&
				      ent->peer->capped >= rp->rules.peer_max))
			continue;
		ent->peer->capped++;
		WRITE_ONCE(rp->msgs, rp->msgs + 1);
	}
	WRITE_ONCE(rp->shares_q16, shares_q16);
}

static u64 rxp_least(const struct rxe_cc_rx_least *l)
{
	return min(l->newer, l->older);
}

/* Round-trip time of the port, and what hangs on it. */
static void rxp_base(struct rxe_cc_rx_port *rp, u64 now_ns)
{
	u64 rtt_ns = rxp_least(&rp->rtt), owd_ns = rxp_least(&rp->owd);
	u64 round_ns;
	u32 shift;

	WRITE_ONCE(rp->owd_ns, owd_ns == U64_MAX ? 0 : owd_ns);
	if (rp->given_rtt_ns)
		rtt_ns = rp->given_rtt_ns;
	else if (rtt_ns == U64_MAX)
		rtt_ns = 2 * rp->owd_ns;
	round_ns = rtt_ns ? rtt_ns : RXE_CC_RX_LINGER_NS;
	if (rtt_ns == rp->base_rtt_ns && round_ns == rp->round_ns)
		return;
	WRITE_ONCE(rp->round_ns, round_ns);
	shift = round_ns >= 16 ? fls64(round_ns) - 4 : 0;
	if (shift != rp->shift) {
		memset(rp->bucket, 0, sizeof(rp->bucket));
		WRITE_ONCE(rp->shift, shift);
		WRITE_ONCE(rp->newest, now_ns >> shift);
	}
	WRITE_ONCE(rp->base_rtt_ns, rtt_ns);
}

static void rxp_least_note(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_least *l,
			   u64 value, u64 now_ns)
{
	u64 half_ns = rp->window_ns / 2;

	if (now_ns - l->began_ns >= 2 * half_ns) {
		l->older = U64_MAX;
		WRITE_ONCE(l->newer, U64_MAX);
		WRITE_ONCE(l->began_ns, now_ns);
	} else if (now_ns - l->began_ns >= half_ns) {
		l->older = l->newer;
		WRITE_ONCE(l->newer, U64_MAX);
		WRITE_ONCE(l->began_ns, l->began_ns + half_ns);
	}
	WRITE_ONCE(l->newer, min(l->newer, value));
	rxp_base(rp, now_ns);
}

/* Most values change nothing. Without rp->lock. */
static void rxp_least_update(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_least *l,
			     u64 value, u64 now_ns)
{
	if (!value || (value >= READ_ONCE(l->newer) &&
		       now_ns - READ_ONCE(l->began_ns) < READ_ONCE(rp->window_ns) / 2))
		return;
	spin_lock_bh(&rp->lock);
	rxp_least_note(rp, l, value, now_ns);
	spin_unlock_bh(&rp->lock);
}

/**
 * rxe_cc_rxp_init() - set up
 * @rp: what an algorithm's flows receive at a port, zeroed
 * @port: the port; NULL in tests
 *
 * Nothing is counted before rxe_cc_rxp_set() says so.
 *
 * Context: nobody else uses it.
 */
void rxe_cc_rxp_init(struct rxe_cc_rx_port *rp, struct rxe_cc_port *port)
{
	spin_lock_init(&rp->lock);
	timerqueue_init_head(&rp->queue);
	rp->due_ns = U64_MAX;
	rp->rtt.newer = U64_MAX;
	rp->rtt.older = U64_MAX;
	rp->owd.newer = U64_MAX;
	rp->owd.older = U64_MAX;
	rp->port = port;
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_init);

/**
 * rxe_cc_rxp_set() - what is wanted, and what the port's administrator says
 * @rp: what is received
 * @rules: what the algorithm wants
 * @given_rtt_ns: base round-trip time; 0: to be measured
 * @window_ns: for how long the smallest times count
 * @now_ns: time
 *
 * Times of messages in flight follow with their next packets.
 *
 * Context: process.
 */
void rxe_cc_rxp_set(struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_rules *rules,
		    u64 given_rtt_ns, u64 window_ns, u64 now_ns)
{
	struct timerqueue_node *node;

	spin_lock_bh(&rp->lock);
	WRITE_ONCE(rp->rules.linger_ns, rules->linger_ns);
	WRITE_ONCE(rp->rules.idle_ns, rules->idle_ns ? rules->idle_ns :
						       RXE_CC_RX_IDLE_NS);
	WRITE_ONCE(rp->rules.round, rules->round);
	WRITE_ONCE(rp->rules.weigh, rules->weigh);
	WRITE_ONCE(rp->rules.by_host, rules->by_host);
	WRITE_ONCE(rp->rules.on, rules->on);
	WRITE_ONCE(rp->window_ns, window_ns);
	WRITE_ONCE(rp->given_rtt_ns, given_rtt_ns);
	rxp_base(rp, now_ns);
	while (!rules->on && (node = timerqueue_getnext(&rp->queue)))
		rxp_uncount(rp, container_of(node, struct rxe_cc_rx_ent, node),
			    now_ns);
	if (rules->peer_max != rp->rules.peer_max) {
		rp->rules.peer_max = rules->peer_max;
		rxp_recount(rp);
	}
	rxp_due(rp);
	spin_unlock_bh(&rp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_set);

/**
 * rxe_cc_rxp_peer_init() - set up what is known of a peer
 * @peer: peer, zeroed
 * @id: its number
 *
 * Context: nobody else uses it.
 */
void rxe_cc_rxp_peer_init(struct rxe_cc_rx_peer *peer, u32 id)
{
	peer->id = id;
	peer->expect.peer = peer;
	peer->expect.expected = true;
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_peer_init);

/**
 * rxe_cc_rxp_expire() - take off what no longer counts
 * @rp: what is received
 * @now_ns: time
 *
 * Context: any but hard interrupt.
 */
void rxe_cc_rxp_expire(struct rxe_cc_rx_port *rp, u64 now_ns)
{
	struct timerqueue_node *node;

	if (likely(now_ns < READ_ONCE(rp->due_ns)))
		return;
	spin_lock_bh(&rp->lock);
	while ((node = timerqueue_getnext(&rp->queue)) && node->expires <= now_ns) {
		struct rxe_cc_rx_ent *ent = container_of(node, struct rxe_cc_rx_ent,
							 node);
		u64 until_ns = atomic64_read(&ent->until_ns);

		if (until_ns > now_ns) {
			timerqueue_del(&rp->queue, node);
			rxp_queue(rp, ent);
			continue;
		}
		if (READ_ONCE(ent->open) && rp->port)
			rxe_cc_count(rp->port, RXE_CC_CNT_RX_MSG_EXPIRED);
		rxp_uncount(rp, ent, until_ns);
	}
	rxp_due(rp);
	spin_unlock_bh(&rp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_expire);

/* It starts to count, or its time or its part have changed. Without rp->lock. */
static void rxp_place(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent,
		      struct rxe_cc_rx_peer *peer, u32 share_q16, u64 now_ns)
{
	spin_lock_bh(&rp->lock);
	if (!ent->counted) {
		/* It may just have been switched off. */
		if (rp->rules.on) {
			ent->peer = peer;
			rxp_count(rp, ent, share_q16, now_ns);
		}
	} else {
		if (rxp_when(atomic64_read(&ent->until_ns)) < ent->node.expires) {
			timerqueue_del(&rp->queue, &ent->node);
			rxp_queue(rp, ent);
		}
		rxp_weigh(rp, ent, share_q16);
	}
	rxp_due(rp);
	spin_unlock_bh(&rp->lock);
}

/* Into how many parts the port is shared, of which a message of @peer has one. */
static u64 rxp_parts_q16(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer)
{
	u64 parts_q16 = max_t(u64, READ_ONCE(rp->shares_q16), RXE_CC_RX_WHOLE_Q16);
	u64 peer_q16 = peer ? READ_ONCE(peer->shares_q16) : 0;
	u64 capped_q16 = rxp_capped_q16(rp, peer_q16);

	if (peer_q16 <= capped_q16)
		return parts_q16;
	return rxe_cc_muldiv_up(parts_q16, peer_q16, capped_q16);
}

static u64 rxp_hosts_q16(const struct rxe_cc_rx_port *rp)
{
	return max_t(u64, READ_ONCE(rp->hosts_q16), RXE_CC_RX_WHOLE_Q16);
}

/* How long the bytes count that were delivered, after the last of them. */
static u64 rxp_span_ns(const struct rxe_cc_rx_port *rp)
{
	u64 ns = READ_ONCE(rp->rules.linger_ns);

	if (!ns)
		ns = READ_ONCE(rp->base_rtt_ns);
	return ns ? ns : RXE_CC_RX_LINGER_NS;
}

/* What a flow may deliver in a span at most: all, by its share. */
static u64 rxp_share_bytes(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
			   u64 span_ns)
{
	u64 bps = rp->port ? READ_ONCE(rp->port->line_rate_bps) : rp->line_bps;
	u64 parts_q16 = READ_ONCE(rp->rules.by_host) ? rxp_hosts_q16(rp) :
						       rxp_parts_q16(rp, peer);

	return rxe_cc_muldiv(rxe_cc_bytes_in(bps, span_ns), RXE_CC_RX_WHOLE_Q16, parts_q16);
}

/* Of what its host may, what a queue pair may: the host divides its share among those that send. */
static u64 rxp_own_bytes(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
			 u64 share)
{
	u64 parts_q16 = RXE_CC_RX_WHOLE_Q16;

	if (READ_ONCE(rp->rules.by_host) && peer)
		parts_q16 = max_t(u64, READ_ONCE(peer->shares_q16), parts_q16);
	return max(rxe_cc_muldiv(share, RXE_CC_RX_WHOLE_Q16, parts_q16), 1ULL);
}

/* A message ended: as what part of a flow does its queue pair count, and how long? */
static u32 rxp_ended(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent,
		     const struct rxe_cc_rx_peer *peer, u32 bytes, u64 *for_ns)
{
	u64 span_ns = rxp_span_ns(rp), share, part, own;

	*for_ns = span_ns;
	if (!READ_ONCE(rp->rules.weigh))
		return RXE_CC_RX_WHOLE_Q16;
	share = max(rxp_share_bytes(rp, peer, span_ns), 1ULL);
	ent->bytes = min_t(u64, ent->bytes, clamp_t(u64, share, bytes, U32_MAX));
	part = ent->bytes + ent->bytes / 4ULL + bytes;
	if (part >= share) {
		/* Two of its packets are more than its share: spans are longer. */
		own = rxp_own_bytes(rp, peer, share);
		if (2ULL * bytes > own)
			*for_ns = rxe_cc_muldiv(span_ns, 2ULL * bytes, own);
		return RXE_CC_RX_WHOLE_Q16;
	}
	return div64_u64(part << RXE_CC_RX_SHARE_SHIFT, share) + 1;
}

/* What of the bytes delivered is left: those of a span. Messages that were open at the last
 * packet have forgotten nothing.
 */
static u32 rxp_left(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_ent *ent, u64 now_ns)
{
	u64 left_ns = rxe_cc_sat_sub(atomic64_read(&ent->until_ns), now_ns);
	u64 span_ns = rxp_span_ns(rp);

	if (ent->open || left_ns >= span_ns)
		return ent->bytes;
	return rxe_cc_muldiv(ent->bytes, left_ns, span_ns);
}

/**
 * rxe_cc_rxp_packet() - a packet was accepted
 * @rp: what is received
 * @ent: queue pair
 * @peer: to which that is connected; the same as long as @ent counts
 * @kind: enum rxe_cc_data_kind
 * @bytes: wire bytes of the packet
 * @end: last packet of its message
 * @now_ns: time
 *
 * A READ request is none of ours: its data will go the other way.
 *
 * Context: lock of the queue pair held.
 */
void rxe_cc_rxp_packet(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent,
		       struct rxe_cc_rx_peer *peer, u8 kind, u32 bytes, bool end,
		       u64 now_ns)
{
	u8 side = BIT(kind == RXE_CC_DATA_READ_RESP), before;
	u32 share_q16 = RXE_CC_RX_WHOLE_Q16;
	u64 for_ns, until_ns;
	bool counted;

	rxe_cc_rxp_expire(rp, now_ns);
	if (kind == RXE_CC_DATA_READ_REQ)
		return;
	counted = READ_ONCE(ent->counted);
	ent->bytes = min_t(u64, (counted ? rxp_left(rp, ent, now_ns) : 0ULL) + bytes, U32_MAX);
	/* What was open when it was taken off is not known to go on. */
	before = counted ? ent->open : 0;
	WRITE_ONCE(ent->open, end ? before & ~side : before | side);
	if (!ent->open)
		share_q16 = rxp_ended(rp, ent, peer, bytes, &for_ns);
	else
		for_ns = READ_ONCE(rp->rules.idle_ns);
	until_ns = rxe_cc_sat_add(now_ns, for_ns);
	atomic64_set(&ent->until_ns, until_ns);
	if (!counted || (before && !ent->open) || share_q16 != READ_ONCE(ent->share_q16) ||
	    rxp_when(until_ns) < READ_ONCE(ent->node.expires))
		rxp_place(rp, ent, peer, share_q16, now_ns);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_packet);

/**
 * rxe_cc_rxp_leave() - something counts no longer
 * @rp: what is received; NULL: nobody counts
 * @ent: queue pair, or sender that is expected
 * @now_ns: time
 *
 * Context: lock of the queue pair held, or nobody else uses @ent.
 */
void rxe_cc_rxp_leave(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_ent *ent, u64 now_ns)
{
	if (!rp || !READ_ONCE(ent->counted))
		return;
	/* Those that are due before go before it. */
	rxe_cc_rxp_expire(rp, now_ns);
	spin_lock_bh(&rp->lock);
	if (ent->counted)
		rxp_uncount(rp, ent, now_ns);
	rxp_due(rp);
	spin_unlock_bh(&rp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_leave);

/**
 * rxe_cc_rxp_expect() - a peer is about to send
 * @rp: what is received
 * @peer: the peer
 * @for_ns: how long it is expected to
 * @now_ns: time
 *
 * It counts as a sender. No longer when its first message starts: that counts then.
 *
 * Context: any but hard interrupt.
 */
void rxe_cc_rxp_expect(struct rxe_cc_rx_port *rp, struct rxe_cc_rx_peer *peer,
		       u64 for_ns, u64 now_ns)
{
	struct rxe_cc_rx_ent *ent = &peer->expect;

	rxe_cc_rxp_expire(rp, now_ns);
	spin_lock_bh(&rp->lock);
	if (!rp->rules.on || peer->msgs)
		goto out;
	atomic64_set(&ent->until_ns, rxe_cc_sat_add(now_ns, for_ns));
	if (ent->counted) {
		timerqueue_del(&rp->queue, &ent->node);
		rxp_queue(rp, ent);
	} else {
		rxp_count(rp, ent, 0, now_ns);
	}
	rxp_due(rp);
out:
	spin_unlock_bh(&rp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_expect);

/**
 * rxe_cc_rxp_rtt() - base round-trip time of a flow of the port
 * @rp: what is received
 * @rtt_ns: that; 0: not known
 * @now_ns: time
 *
 * Context: any but hard interrupt.
 */
void rxe_cc_rxp_rtt(struct rxe_cc_rx_port *rp, u64 rtt_ns, u64 now_ns)
{
	if (!READ_ONCE(rp->given_rtt_ns))
		rxp_least_update(rp, &rp->rtt, rtt_ns, now_ns);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_rtt);

/**
 * rxe_cc_rxp_owd() - one-way delay of a packet received
 * @rp: what is received
 * @owd_ns: that; 0: not known
 * @now_ns: time
 *
 * Context: any but hard interrupt.
 */
void rxe_cc_rxp_owd(struct rxe_cc_rx_port *rp, u64 owd_ns, u64 now_ns)
{
	rxp_least_update(rp, &rp->owd, owd_ns, now_ns);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_owd);

/* A packet of a later bucket: those between are empty. Without rp->lock. */
static void rxp_roll(struct rxe_cc_rx_port *rp, u64 at_ns)
{
	u64 at, n;

	spin_lock_bh(&rp->lock);
	at = at_ns >> rp->shift;
	if (at > rp->newest) {
		n = min_t(u64, at - rp->newest, RXE_CC_RX_BUCKETS);
		for (; n; n--)
			atomic64_set(&rp->bucket[(at - n + 1) % RXE_CC_RX_BUCKETS], 0);
		WRITE_ONCE(rp->newest, at);
	}
	spin_unlock_bh(&rp->lock);
}

/**
 * rxe_cc_rxp_bytes() - bytes were received
 * @rp: what is received
 * @bytes: wire bytes
 * @at_ns: when they came in
 *
 * What is later than half the buckets counts as if it came now.
 *
 * Context: any but hard interrupt.
 */
void rxe_cc_rxp_bytes(struct rxe_cc_rx_port *rp, u64 bytes, u64 at_ns)
{
	u64 at = at_ns >> READ_ONCE(rp->shift);
	u64 newest = READ_ONCE(rp->newest);

	if (!READ_ONCE(rp->rules.round))
		return;
	if (at > newest)
		rxp_roll(rp, at_ns);
	else if (newest - at > RXE_CC_RX_BUCKETS / 2)
		at = newest;
	atomic64_add(bytes, &rp->bucket[at % RXE_CC_RX_BUCKETS]);
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_bytes);

static u64 rxp_round(struct rxe_cc_rx_port *rp, u64 t_ns, u64 now_ns)
{
	u32 shift = READ_ONCE(rp->shift);
	u64 newest = READ_ONCE(rp->newest);
	u64 from_ns = now_ns - min(t_ns, now_ns);
	u64 at = from_ns >> shift, to = min(now_ns >> shift, newest);
	u64 part_ns = ((at + 1) << shift) - from_ns, bytes = 0;

	/* So old a bucket is another one by now. */
	if (to >= at && newest - at < RXE_CC_RX_BUCKETS)
		bytes = mul_u64_u32_shr(atomic64_read(&rp->bucket[at % RXE_CC_RX_BUCKETS]),
					part_ns, shift);
	at = max(at + 1, newest - min_t(u64, newest, RXE_CC_RX_BUCKETS - 1));
	for (; at <= to; at++)
		bytes += atomic64_read(&rp->bucket[at % RXE_CC_RX_BUCKETS]);
	return bytes;
}

/**
 * rxe_cc_rxp_view() - what is known of a port now
 * @rp: what is received
 * @peer: peer of the flow that asks; NULL: nobody's
 * @v: receives it
 * @now_ns: time
 *
 * Each count is right by itself. Where other processors receive at the same time, one may
 * be newer than another.
 *
 * Context: any but hard interrupt.
 */
void rxe_cc_rxp_view(struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
		     struct rxe_cc_rx_view *v, u64 now_ns)
{
	u64 t_ns = READ_ONCE(rp->rules.round) ? READ_ONCE(rp->round_ns) : 0;

	rxe_cc_rxp_expire(rp, now_ns);
	v->base_rtt_ns = READ_ONCE(rp->base_rtt_ns);
	v->round_ns = t_ns;
	v->round_bytes = t_ns ? rxp_round(rp, t_ns, now_ns) : 0;
	v->min_owd_ns = READ_ONCE(rp->owd_ns);
	v->parts_q16 = rxp_parts_q16(rp, peer);
	v->hosts_q16 = rxp_hosts_q16(rp);
	v->msgs = READ_ONCE(rp->msgs);
	v->msgs_all = READ_ONCE(rp->msgs_all);
	v->senders = READ_ONCE(rp->senders);
	v->peer_msgs = peer ? READ_ONCE(peer->msgs) : 0;
	v->peer_counted = peer ? READ_ONCE(peer->capped) : 0;
}
EXPORT_SYMBOL_GPL(rxe_cc_rxp_view);
