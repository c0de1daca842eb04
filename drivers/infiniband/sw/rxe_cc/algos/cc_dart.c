// SPDX-License-Identifier: GPL-2.0
/*
 * Dart's direct apportioning of sending rates (DASR): Xue et al., "Dart: Divide and
 * Specialize for Fast Response to Congestion in RDMA-Based Datacenter Networks",
 * IEEE/ACM Transactions on Networking 2020, section III. Its switch half, in-order
 * flow deflection, is not here.
 *
 * The receiver counts who sends to it, and says so with every answer:
 *
 *	told		n = senders with messages in flight, or listed by a look-ahead
 *			line = rate of the receiver's port
 *	sender		share = eta line / n, of all its queue pairs to that receiver
 *			rate = min(share / queue pairs that are sending, DCQCN's rate)
 *
 * and takes congestion for one of three (Fig. 5), by marks and by what arrives:
 *
 *	no congestion	no CE for ce_hold			n
 *	receiver's	CE, and rate >= rx_busy line		n, no CNP
 *	other		CE, and rate < rx_busy line		n = 1, CNPs as DCQCN's
 *
 * The rate is that of the packets of the last one to two times rate_window, or since
 * the first packet after a silence of that length if that is less: the start of an
 * incast is the receiver's congestion from its first mark on. For less than an eighth
 * of the window nothing is concluded: congestion is none then.
 *
 * A gap longer than the window is no silence when a message was in flight, or when what
 * came before it was less than an eighth of the window: then packets are that rare. What
 * came before the gap and ended it, over the whole time, is the rate until the eighth has
 * passed. So a receiver with less than a packet in a window hears marks too.
 *
 * DCQCN is cc_dcqcn_rp.c, untouched; it hears CNPs and nothing of n.
 *
 * Differences from the paper:
 * - n goes with every ACK there. rxe acknowledges a packet in 66. So what is news to
 *   a sender also goes with its next packet, in a report if that asks for no ACK;
 *   and at once where a look-ahead makes the difference.
 * - The receiver sends its line rate too: n alone means nothing to a faster sender.
 * - A sender's share is divided equally among its queue pairs that have data in
 *   flight; where the share is all of its own line it is not, the port does it.
 * - eta: the sum of all rates is the line, so the queue that a join has made stays.
 *   Less than 1 lets it drain. 1 is the paper.
 * - After its end a message counts by what its host delivered in the last T, at most as one
 *	sender, or for linger as a whole one. In the paper it does not, and
 *   n would flicker between the messages of one transfer.
 * - CNPs are held back from senders only that have shown that they go by n.
 * - n is 1 until feedback comes, and again when a host has sent nothing to that receiver for a
 *   base RTT, or has heard nothing for n_hold.
 * - A look-ahead comes from the administrator of the receiver, not in a message.
 *
 * Locks: &dart_port.lock for the receiver's state of the port, &dart_peer.lock for what
 * the queue pairs to one host share as senders. Neither is taken inside the other.
 */
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/dcqcn_rp.h>
#include <rxe_cc/version.h>

enum {
	DART_NP_INTERVAL = RXE_DCQCN_NR_PARAMS,
	DART_ETA,
	DART_RX_BUSY,
	DART_RATE_WINDOW,
	DART_CE_HOLD,
	DART_LINGER,
	DART_IDLE,
	DART_N_MAX,
	DART_N_HOLD,
	DART_LOOKAHEAD,
	DART_LA_EXPIRY,
	DART_LA_SENDERS,
	DART_LA_QUOTA,
	DART_NR_PARAMS,
};

static const struct rxe_cc_param dart_params[] = {
	RXE_DCQCN_PARAMS,
	{ "np_min_time_between_cnps", "ns", 0, 131071000, 50000,
	  "least time between two CNPs of a QP, sent, or believed if they name no packet" },
	{ "eta", "q24", RXE_CC_Q24(1, 2), RXE_CC_Q24(1, 1), RXE_CC_Q24(1, 1),
	  "part of the receiver's line that its senders share" },
	{ "rx_busy", "q24", RXE_CC_Q24(1, 2), RXE_CC_Q24(1, 1), RXE_CC_Q24(95, 100),
	  "part of the line from which on marks are the receiver's congestion" },
	{ "rate_window", "ns", 0, NSEC_PER_SEC, 0,
	  "time over which the receive rate is taken; 0: a base RTT" },
	{ "ce_hold", "ns", 0, NSEC_PER_SEC, 0,
	  "congestion is over so long after the last mark; 0: a base RTT" },
	{ "linger", "ns", 0, NSEC_PER_SEC, 0,
	  "an ended message counts so long; 0: for what its host delivered in a base RTT" },
	{ "idle", "ns", 1000000, 100ULL * NSEC_PER_SEC, 2ULL * NSEC_PER_SEC,
	  "a sender of which nothing comes for so long counts no longer" },
	{ "n_max", "count", 2, 1000000, 4096,
	  "largest n that is told or believed" },
	{ "n_hold", "ns", 1000, 100ULL * NSEC_PER_SEC, NSEC_PER_SEC,
	  "a sender that hears nothing of n for so long goes by DCQCN alone" },
	{ "lookahead", "bool", 0, 1, 1, "take look-ahead notices" },
	{ "la_expiry", "ns", 1000, NSEC_PER_SEC, 1000000,
	  "a listed sender counts so long, if it does not come" },
	{ "la_senders", "count", 1, 1000000, 1024,
	  "senders that a look-ahead may list" },
	{ "la_quota", "count", 1, 255, 16,
	  "notices of a sender in a row that may come to nothing" },
};

#define DART_VALUES(cnp_ns)						\
	[DART_NP_INTERVAL]	= (cnp_ns),				\
	[DART_ETA]		= RXE_CC_Q24(1, 1),			\
	[DART_RX_BUSY]		= RXE_CC_Q24(95, 100),			\
	[DART_RATE_WINDOW]	= 0,					\
	[DART_CE_HOLD]		= 0,					\
	[DART_LINGER]		= 0,					\
	[DART_IDLE]		= 2ULL * NSEC_PER_SEC,			\
	[DART_N_MAX]		= 4096,					\
	[DART_N_HOLD]		= NSEC_PER_SEC,				\
	[DART_LOOKAHEAD]	= 1,					\
	[DART_LA_EXPIRY]	= 1000000,				\
	[DART_LA_SENDERS]	= 1024,					\
	[DART_LA_QUOTA]		= 16

static const u64 dart_paper[DART_NR_PARAMS] = {
	RXE_DCQCN_PAPER_VALUES,
	DART_VALUES(50000),
};

static const u64 dart_mlx5[DART_NR_PARAMS] = {
	RXE_DCQCN_MLX5_VALUES,
	DART_VALUES(4000),
};

static const struct rxe_cc_preset dart_presets[] = {
	{ "paper", dart_paper },
	{ "mlx5", dart_mlx5 },
	/* With the hosts' half of IOFD, section VI-A; the rest is for switches to do. */
	{ "whole", dart_paper, "iofd_tokens", 4 },
};

/* Values of a receiver's feedback. */
enum {
	DART_FB_N,
	DART_FB_LINE,
	DART_NR_FB,
};

/* For where no base RTT is known. */
#define DART_RTT_UNKNOWN_NS	50000

/* A rate is known from this part of the window on. */
#define DART_SETTLE_SHIFT	3

enum dart_state {
	DART_NONE = RXE_CC_CONGESTION_NONE,
	DART_RECEIVER = RXE_CC_CONGESTION_LAST_HOP,
	DART_OTHER = RXE_CC_CONGESTION_NETWORK,
};

/**
 * struct dart - sender
 * @rp: DCQCN
 * @bad_told: feedback values that were out of range
 * @busy: it is one of &dart_peer.busy
 * @open: the last packet sent was not the end of its message
 */
struct dart {
	struct rxe_dcqcn_rp rp;
	u64 bad_told;
	bool busy;
	bool open;
};

/**
 * struct dart_rx - receiver
 * @last_cnp_ns: when a CNP was sent
 * @data_ns: when the last packet was looked at
 * @arrived_ns: when it had come in
 * @told_ns: when n was sent last
 * @held: marked packets that caused no CNP, because of the receiver's congestion
 * @told_n: n as sent last; 0: never
 * @again: it was sent out of turn, in a report that may have been lost or not believed
 */
struct dart_rx {
	u64 last_cnp_ns;
	u64 data_ns;
	u64 arrived_ns;
	u64 told_ns;
	u64 held;
	u32 told_n;
	bool again;
};

/**
 * struct dart_meter - receive rate of the port
 * @prev_ns: start of the round before, or of this one if there was none
 * @since_ns: start of this round: arrival of a packet that is not in it
 * @last_ns: last arrival
 * @prev_bytes: wire bytes of the round before
 * @bytes: of this one
 * @gap_ns: time from the start of the burst before the last gap to the packet that ended
 *	that; 0: there was none
 * @gap_bytes: wire bytes in it, without the first packet
 * @slow: packets were that rare, it was no silence
 * @started: the others are valid
 */
struct dart_meter {
	u64 prev_ns;
	u64 since_ns;
	u64 last_ns;
	u64 prev_bytes;
	u64 bytes;
	u64 gap_ns;
	u64 gap_bytes;
	bool slow;
	bool started;
};

/**
 * struct dart_port - receiver: what all queue pairs of a port share
 * @lock: guards the rest
 * @meter: receive rate
 * @marked_ns: arrival of the last marked packet; 0: none came
 * @state: enum dart_state as of the last packet or answer
 * @changes: how often it has changed
 */
struct dart_port {
	spinlock_t lock; /* see above */
	struct dart_meter meter;
	u64 marked_ns;
	u8 state;
	u64 changes;
};

/**
 * struct dart_peer - what the queue pairs to one host share
 * @lock: guards the rest
 * @line_bps: the receiver's line rate, as it sent it
 * @told_ns: when n came last
 * @idle_ns: since when nothing has been in flight, if @busy is 0
 * @n: as received; 0: none yet
 * @busy: queue pairs with data in flight
 * @notices: look-ahead notices since it has sent anything
 */
struct dart_peer {
	spinlock_t lock; /* see above */
	u64 line_bps;
	u64 told_ns;
	u64 idle_ns;
	u32 n;
	u32 busy;
	u32 notices;
};

static u64 dart_or_rtt(const struct rxe_cc_flow *flow, u64 ns)
{
	if (ns)
		return ns;
	if (flow->rx.base_rtt_ns)
		return flow->rx.base_rtt_ns;
	return flow->base_rtt_ns ? flow->base_rtt_ns : DART_RTT_UNKNOWN_NS;
}

/* Has enough come since the last gap for a rate? */
static bool dart_meter_settled(const struct dart_meter *m, u64 window_ns)
{
	u64 span_ns = m->last_ns - m->prev_ns;

	return span_ns && span_ns >= window_ns >> DART_SETTLE_SHIFT;
}

/* The first packet, or the one that ends a gap. */
static void dart_meter_restart(struct dart_meter *m, u64 at_ns, u64 bytes, u64 window_ns)
{
	struct dart_meter next = {
		.prev_ns = at_ns, .since_ns = at_ns, .last_ns = at_ns, .started = true,
	};

	if (m->started) {
		next.gap_ns = at_ns - m->prev_ns;
		next.gap_bytes = rxe_cc_sat_add(rxe_cc_sat_add(m->prev_bytes, m->bytes),
						bytes);
		next.slow = !dart_meter_settled(m, window_ns);
	}
	*m = next;
}

/* A packet came in. Packets of several queue pairs may be looked at in another order. */
static void dart_meter_add(struct dart_meter *m, u64 at_ns, u64 bytes, u64 window_ns)
{
	if (!m->started || rxe_cc_sat_sub(at_ns, m->last_ns) > window_ns) {
		dart_meter_restart(m, at_ns, bytes, window_ns);
		return;
	}
	m->last_ns = max(m->last_ns, at_ns);
	m->bytes = rxe_cc_sat_add(m->bytes, bytes);
	if (m->last_ns - m->since_ns < window_ns)
		return;
	m->prev_ns = m->since_ns;
	m->prev_bytes = m->bytes;
	m->since_ns = m->last_ns;
	m->bytes = 0;
}

/* A packet of a message of which an earlier one came at @before_ns: before the last gap, and
 * the message was in flight in that.
 */
static void dart_meter_goes_on(struct dart_meter *m, u64 before_ns)
{
	m->slow |= before_ns < m->prev_ns;
}

/* Over how long is the rate known, and what came in that time? 0: it is not known. */
static u64 dart_meter_span(const struct dart_meter *m, u64 window_ns, u64 *bytes)
{
	if (dart_meter_settled(m, window_ns)) {
		*bytes = rxe_cc_sat_add(m->prev_bytes, m->bytes);
		return m->last_ns - m->prev_ns;
	}
	*bytes = m->gap_bytes;
	return m->slow ? m->gap_ns : 0;
}

/* What congestion is, from marks and rate. Under port->lock. */
static u8 dart_classify(const struct dart_port *port, const struct rxe_cc_flow *flow,
			u64 now_ns)
{
	u64 window_ns = dart_or_rtt(flow, flow->params[DART_RATE_WINDOW]);
	u64 hold_ns = dart_or_rtt(flow, flow->params[DART_CE_HOLD]);
	u64 span_ns, bytes, busy_bps;

	if (!port->marked_ns || rxe_cc_sat_sub(now_ns, port->marked_ns) >= hold_ns)
		return DART_NONE;
	span_ns = dart_meter_span(&port->meter, window_ns, &bytes);
	if (!span_ns)
		return DART_NONE;
	busy_bps = rxe_cc_mul_q(flow->line_rate_bps, flow->params[DART_RX_BUSY],
				RXE_CC_Q24_SHIFT);
	return rxe_cc_rate_of(bytes, span_ns) >= busy_bps ? DART_RECEIVER : DART_OTHER;
}

/* What congestion is now. Under port->lock. */
static u8 dart_state_now(struct dart_port *port, const struct rxe_cc_flow *flow,
			 u64 now_ns)
{
	u8 state = dart_classify(port, flow, now_ns);

	port->changes += state != port->state;
	port->state = state;
	return state;
}

/* The same, for a call that brings no packet. */
static u8 dart_see(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct dart_port *port = flow->port_priv;

	spin_lock(&port->lock);
	flow->congestion = dart_state_now(port, flow, now_ns);
	spin_unlock(&port->lock);
	return flow->congestion;
}

/* n, with the parts of those that send less than a share. */
static u64 dart_hosts_q16(const struct rxe_cc_flow *flow)
{
	if (flow->rx.hosts_q16)
		return flow->rx.hosts_q16;
	return max(flow->rx.senders, 1U) * (u64)RXE_CC_RX_WHOLE_Q16;
}

/* The n of the feedback. */
static u32 dart_n(const struct rxe_cc_flow *flow, u8 state)
{
	if (state == DART_OTHER)
		return 1;
	return clamp_t(u64, rxe_cc_rx_whole(dart_hosts_q16(flow)), 1,
		       flow->params[DART_N_MAX]);
}

/* n is sent as a whole number, the line rate beside it as n shares: line / n is a share then. */
static void dart_say(struct rxe_cc_flow *flow, u32 n)
{
	u64 hosts_q16 = dart_hosts_q16(flow), line_bps = flow->line_rate_bps;

	if (n > 1 && n == rxe_cc_rx_whole(hosts_q16))
		line_bps = min(rxe_cc_muldiv(line_bps, (u64)n << RXE_CC_RX_SHARE_SHIFT, hosts_q16),
			       RXE_CC_RATE_MAX_BPS);
	flow->report.fb[DART_FB_N] = n;
	flow->report.fb[DART_FB_LINE] = line_bps;
}

/* eta line / n, or the own line where that is less or no feedback came. Under
 * peer->lock.
 */
static u64 dart_share(const struct dart_peer *peer, const struct rxe_cc_flow *flow,
		      u64 now_ns)
{
	u64 bps;

	if (!peer->n ||
	    rxe_cc_sat_sub(now_ns, peer->told_ns) > flow->params[DART_N_HOLD])
		return flow->line_rate_bps;
	bps = rxe_cc_mul_q(peer->line_bps, flow->params[DART_ETA], RXE_CC_Q24_SHIFT);
	return min(div_u64(bps, peer->n), flow->line_rate_bps);
}

/* Of that, what one queue pair may send at. Under peer->lock. */
static u64 dart_own_share(const struct dart_peer *peer, const struct rxe_cc_flow *flow,
			  u64 now_ns)
{
	u64 bps = dart_share(peer, flow, now_ns);

	return bps < flow->line_rate_bps && peer->busy ? div_u64(bps, peer->busy) : bps;
}

static void dart_apply(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct dart_peer *peer = flow->peer_priv;
	struct dart *d = rxe_cc_priv(flow);
	u64 share_bps;

	spin_lock(&peer->lock);
	share_bps = dart_own_share(peer, flow, now_ns);
	spin_unlock(&peer->lock);
	rxe_dcqcn_rp_apply(&d->rp, &ctx, flow);
	flow->rate_bps = min(flow->rate_bps, share_bps);
}

/* How long is silence? A flow that is held back sends its next packet when its pace lets it: of
 * READ responses nothing is in flight, so to its sender each message ends with its last packet.
 */
static u64 dart_silence_ns(const struct rxe_cc_flow *flow)
{
	return rxe_cc_sat_add(dart_or_rtt(flow, 0),
			      rxe_cc_ns_for(flow->pkt_bytes, flow->rate_bps));
}

/* The flow has data in flight, or no longer. What others may send at changes with it,
 * if n leaves less than the line. After a silence n is not known any more.
 */
static void dart_set_busy(struct rxe_cc_flow *flow, bool busy, u64 now_ns)
{
	struct dart_peer *peer = flow->peer_priv;
	struct dart *d = rxe_cc_priv(flow);

	if (busy == d->busy)
		return;
	d->busy = busy;
	spin_lock(&peer->lock);
	if (busy) {
		if (!peer->busy++ && rxe_cc_sat_sub(now_ns, peer->idle_ns) >
				     dart_silence_ns(flow))
			peer->n = 0;
	} else if (!--peer->busy) {
		peer->idle_ns = now_ns;
	}
	flow->kick_peer |= peer->busy > busy &&
			   dart_share(peer, flow, now_ns) < flow->line_rate_bps;
	spin_unlock(&peer->lock);
}

/* The receiver's feedback, held within bounds. */
static u64 dart_told_n(const struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	return clamp(s->fb[DART_FB_N], 1ULL, flow->params[DART_N_MAX]);
}

static u64 dart_told_line(const struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	u64 bps = s->fb[DART_FB_LINE];

	return bps ? clamp(bps, RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS) :
		     flow->line_rate_bps;
}

static void dart_hear(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	u64 n = dart_told_n(flow, s), line_bps = dart_told_line(flow, s);
	struct dart_peer *peer = flow->peer_priv;
	struct dart *d = rxe_cc_priv(flow);

	d->bad_told += n != s->fb[DART_FB_N] || line_bps != s->fb[DART_FB_LINE];
	spin_lock(&peer->lock);
	/* Hosts that send little change the share all the time. By a little: the others hear it
	 * with their own next ACK.
	 */
	flow->kick_peer |= peer->busy > d->busy &&
			   (peer->n != n || abs_diff(peer->line_bps, line_bps) > line_bps / 32);
	peer->n = n;
	peer->line_bps = line_bps;
	peer->told_ns = s->now_ns;
	spin_unlock(&peer->lock);
}

static void dart_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct dart *d = rxe_cc_priv(flow);

	if (s->nr_fb == DART_NR_FB)
		dart_hear(flow, s);
	dart_set_busy(flow, d->open || s->inflight_bytes, s->now_ns);
	dart_apply(flow, s->now_ns);
}

static void dart_on_sent(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct dart *d = rxe_cc_priv(flow);

	d->open = !s->end;
	if (d->rp.limited)
		rxe_dcqcn_rp_sent(&d->rp, &ctx, s->bytes, s->now_ns);
	dart_set_busy(flow, d->open || s->inflight_bytes, s->now_ns);
	dart_apply(flow, s->now_ns);
}

static void dart_on_cnp(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct dart *d = rxe_cc_priv(flow);

	rxe_dcqcn_rp_cnp(&d->rp, &ctx, s->now_ns);
	dart_apply(flow, s->now_ns);
}

static void dart_on_timer(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct dart *d = rxe_cc_priv(flow);

	rxe_dcqcn_rp_advance(&d->rp, &ctx, s->now_ns);
	dart_apply(flow, s->now_ns);
}

/* Is there anything that the sender does not know? ACKs carry it anyway; READ
 * responses have none, so feedback on them is repeated. A report that goes without a packet
 * names the last one, which may be acknowledged: then it is not believed.
 */
static bool dart_news(const struct rxe_cc_flow *flow, const struct dart_rx *rx,
		      const struct rxe_cc_sample *s, u32 n)
{
	return n != rx->told_n || rx->again ||
	       (s->kind == RXE_CC_DATA_READ_RESP &&
		s->now_ns - rx->told_ns >= dart_or_rtt(flow, 0));
}

static u32 dart_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct dart_port *port = flow->port_priv;
	struct dart_peer *peer = flow->peer_priv;
	struct dart_rx *rx = rxe_cc_rx_priv(flow);
	u32 verdict = 0;
	u8 state;

	spin_lock(&port->lock);
	dart_meter_add(&port->meter, s->arrived_ns, s->bytes,
		       dart_or_rtt(flow, flow->params[DART_RATE_WINDOW]));
	if (!s->start)
		dart_meter_goes_on(&port->meter, rx->arrived_ns);
	if (s->ce)
		port->marked_ns = max3(port->marked_ns, s->arrived_ns, 1ULL);
	state = dart_state_now(port, flow, s->arrived_ns);
	spin_unlock(&port->lock);
	flow->congestion = state;

	if (s->start)
		WRITE_ONCE(peer->notices, 0);
	rx->data_ns = s->now_ns;
	rx->arrived_ns = s->arrived_ns;
	dart_say(flow, dart_n(flow, state));
	if (dart_news(flow, rx, s, flow->report.fb[DART_FB_N]))
		verdict = RXE_CC_RX_REPORT;
	rx->again = false;
	if (!s->ce)
		return verdict;
	if (state != DART_OTHER && flow->peer_obeys)
		rx->held++;
	else if (rxe_cc_np_due(&rx->last_cnp_ns, s->now_ns,
			       flow->params[DART_NP_INTERVAL]))
		verdict |= RXE_CC_RX_CNP;
	return verdict;
}

static void dart_fill_ack(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct dart_rx *rx = rxe_cc_rx_priv(flow);

	rx->told_n = dart_n(flow, dart_see(flow, now_ns));
	rx->told_ns = now_ns;
	dart_say(flow, rx->told_n);
}

/* As sender: n, or what others do, has changed. As receiver: a look-ahead has come, and
 * who has just sent something gets feedback.
 */
static u32 dart_on_group(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct dart_rx *rx = rxe_cc_rx_priv(flow);

	dart_apply(flow, s->now_ns);
	if (!rx->told_n ||
	    rxe_cc_sat_sub(s->now_ns, rx->data_ns) > dart_or_rtt(flow, 0))
		return 0;
	if (dart_n(flow, dart_see(flow, s->now_ns)) == rx->told_n)
		return 0;
	rx->again = true;
	return RXE_CC_RX_REPORT;
}

static void dart_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct dart *d = rxe_cc_priv(flow);

	rxe_dcqcn_rp_init(&d->rp, &ctx);
	flow->cwnd_bytes = RXE_CC_NO_WINDOW;
	flow->cnp_gap_ns = flow->params[DART_NP_INTERVAL];
	flow->report.nr = DART_NR_FB;
	flow->report.always = true;
	dart_say(flow, 1);
	dart_apply(flow, now_ns);
}

static void dart_release(struct rxe_cc_flow *flow)
{
	struct dart_peer *peer = flow->peer_priv;

	dart_set_busy(flow, false, READ_ONCE(peer->told_ns));
}

static void dart_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct dart *d = rxe_cc_priv(flow);

	rxe_dcqcn_rp_changed(&d->rp, &ctx, now_ns);
	flow->cnp_gap_ns = flow->params[DART_NP_INTERVAL];
	dart_apply(flow, now_ns);
}

static void dart_rx_rules(const u64 *params, struct rxe_cc_rx_rules *r)
{
	r->linger_ns = params[DART_LINGER];
	r->weigh = !params[DART_LINGER];
	r->by_host = true;
	r->idle_ns = params[DART_IDLE];
	r->on = true;
}

static int dart_port_init(void *port_priv)
{
	struct dart_port *port = port_priv;

	spin_lock_init(&port->lock);
	return 0;
}

static void dart_peer_init(void *peer_priv, void *port_priv)
{
	struct dart_peer *peer = peer_priv;

	spin_lock_init(&peer->lock);
}

/* The peer is about to send: a look-ahead notice, one of a list. Whoever is listed
 * counts, and makes the others slow down; if it does so for nothing again and again it
 * is not believed any more, until it comes.
 */
static int dart_cmd_expect(void *peer_priv, void *port_priv, struct rxe_cc_port_call *p,
			   struct rxe_cc_cmd_call *c)
{
	struct dart_peer *peer = peer_priv;

	if (!p->params[DART_LOOKAHEAD]) {
		c->why = "look-ahead is off (parameter lookahead)";
		return -EPERM;
	}
	if (c->list > p->params[DART_LA_SENDERS]) {
		c->why = "one of too many (parameter la_senders)";
		return -E2BIG;
	}
	if (READ_ONCE(peer->notices) >= p->params[DART_LA_QUOTA]) {
		c->why = "announced too often and never came (la_quota)";
		return -EDQUOT;
	}
	if (c->check)
		return 0;
	WRITE_ONCE(peer->notices, peer->notices + 1);
	c->expect_ns = p->params[DART_LA_EXPIRY];
	p->kick = true;
	c->var[c->nr_vars++] = (struct rxe_cc_var) { "notices", peer->notices };
	return 0;
}

static const struct rxe_cc_cmd dart_cmds[] = {
	{
		.name = "expect", .help = "look-ahead: these hosts are about to send",
		.to_peer = dart_cmd_expect,
	},
};

static unsigned int dart_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct dart *d = (const struct dart *)flow->priv;
	const struct dart_rx *rx = (const struct dart_rx *)flow->rx_priv;
	const struct dart_peer *peer = flow->peer_priv;
	const struct dart_port *port = flow->port_priv;
	const struct rxe_cc_var more[] = {
		{ "n", peer->n },
		{ "receiver_bps", peer->line_bps },
		{ "peer_flows", peer->busy },
		{ "bad_told", d->bad_told },
		{ "told_n", rx->told_n },
		{ "congestion", port->state },
		{ "congestion_changes", port->changes },
		{ "cnps_held", rx->held },
	};
	unsigned int n = rxe_dcqcn_rp_dump(&d->rp, vars), i;

	BUILD_BUG_ON(RXE_DCQCN_NR_VARS + ARRAY_SIZE(more) > RXE_CC_MAX_VARS);
	for (i = 0; i < ARRAY_SIZE(more); i++)
		vars[n++] = more[i];
	return n;
}

static struct rxe_cc_ops dart_ops = {
	.on_ack		= dart_on_ack,
	.on_sent	= dart_on_sent,
	.on_cnp		= dart_on_cnp,
	.on_timer	= dart_on_timer,
	.on_data	= dart_on_data,
	.fill_ack	= dart_fill_ack,
	.on_group	= dart_on_group,
	.init		= dart_init,
	.release	= dart_release,
	.params_changed	= dart_params_changed,
	.check_params	= rxe_dcqcn_rp_check,
	.port_init	= dart_port_init,
	.peer_init	= dart_peer_init,
	.rx_rules	= dart_rx_rules,
	.dump		= dart_dump,
	.params		= dart_params,
	.presets	= dart_presets,
	.nr_params	= ARRAY_SIZE(dart_params),
	.nr_presets	= ARRAY_SIZE(dart_presets),
	.cmds		= dart_cmds,
	.nr_cmds	= ARRAY_SIZE(dart_cmds),
	.signals	= &rxe_dcqcn_signal,
	.nr_signals	= 1,
	.needs		= RXE_CC_ALGO_NEED_ECN,
	.priv_size	= sizeof(struct dart),
	.rx_priv_size	= sizeof(struct dart_rx),
	.port_priv_size	= sizeof(struct dart_port),
	.peer_priv_size	= sizeof(struct dart_peer),
	.all_data	= true,
	.port_congestion = true,
	.nr_fb		= DART_NR_FB,
	.obeys		= true,
	.name		= "dart",
	.owner		= THIS_MODULE,
};

static int __init dart_module_init(void)
{
	BUILD_BUG_ON(offsetof(struct dart, rp));
	BUILD_BUG_ON(ARRAY_SIZE(dart_params) != DART_NR_PARAMS);
	BUILD_BUG_ON(DART_NR_PARAMS > RXE_CC_MAX_PARAMS);
	return rxe_cc_register(&dart_ops);
}

static void __exit dart_module_exit(void)
{
	rxe_cc_unregister(&dart_ops);
}

module_init(dart_module_init);
module_exit(dart_module_exit);

MODULE_DESCRIPTION("Dart's DASR congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("dart");
