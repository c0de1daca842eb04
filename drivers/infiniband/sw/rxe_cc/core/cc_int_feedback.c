// SPDX-License-Identifier: GPL-2.0
/*
 * In-band network telemetry (INT) of a queue pair: what its peer supports, and what comes back
 * in ACKs.
 *
 * A peer that is no INT sink, a stock rxe or a NIC, gets plain packets and sends
 * plain ACKs. An algorithm that needs INT then sees acknowledgments and round-trip
 * times but never a hop: it stays with the rate and window of its start, which is
 * all that can be justified without knowing the path.
 */
#include <linux/build_bug.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"
#include "cc_trace.h"

DEFINE_PER_CPU(struct rxe_cc_hops, rxe_cc_hops);

/* Timeouts closer to each other are one. */
#define RXE_CC_TEL_AGAIN_NS	(1ULL * NSEC_PER_MSEC)

/* How long telemetry that nobody answered is off: about the shortest timeout of a
 * transport, then twice as long each time.
 */
#define RXE_CC_TEL_OFF_MIN_NS	(10ULL * NSEC_PER_MSEC)
#define RXE_CC_TEL_OFF_MAX_NS	(10ULL * NSEC_PER_SEC)

/* What telemetry goes by has changed. Under qp->lock. */
static void rxe_cc_peer_is(struct rxe_cc_qp *qp, u8 peer, u64 now_ns)
{
	WRITE_ONCE(qp->handle->peer, peer);
	rxe_cc_qp_set_env(qp);
	trace_rxe_cc_flow(qp, RXE_CC_EV_ENV, now_ns);
}

/* A packet of the peer shows what that can do, and its PSN shows that the peer sent it.
 * Under qp->lock.
 */
void rxe_cc_learn_caps(struct rxe_cc_qp *qp, u8 caps, u64 now_ns)
{
	if (now_ns < qp->handle->tel_until_ns)
		caps &= ~RXE_CC_CAP_INT_SINK;
	caps |= RXE_CC_PEER_KNOWN;
	if (caps != qp->handle->peer)
		rxe_cc_peer_is(qp, caps, now_ns);
}

/* An answer that is believed. Under qp->lock. */
void rxe_cc_tel_heard(struct rxe_cc_qp *qp, const struct rxe_cc_feedback *fb)
{
	if (!fb->hops && !fb->nr_fb)
		return;
	qp->tel_heard = true;
	qp->tel_off_ns = RXE_CC_TEL_OFF_MIN_NS;
}

/* Packets are sent again because of a timeout. If they go with telemetry and nobody has
 * answered any, the peer, or something on the way, may drop them for that. So they go
 * without for a while, longer each time. Under qp->lock.
 */
void rxe_cc_tel_timeout(struct rxe_cc_qp *qp, u64 now_ns)
{
	bool heard = qp->tel_heard;

	if (qp->handle->int_tx == RXE_CC_INT_TX_NONE && !qp->int_probe)
		return;
	/* One retry may bring back several READs. */
	if (now_ns < qp->tel_again_ns)
		return;
	qp->tel_again_ns = now_ns + RXE_CC_TEL_AGAIN_NS;
	qp->tel_heard = false;
	if (heard)
		return;
	qp->tel_off_ns = clamp(qp->tel_off_ns, RXE_CC_TEL_OFF_MIN_NS,
			       RXE_CC_TEL_OFF_MAX_NS);
	WRITE_ONCE(qp->handle->tel_until_ns, now_ns + qp->tel_off_ns);
	qp->tel_off_ns *= 2;
	rxe_cc_count(qp->port, RXE_CC_CNT_TAKEN_BACK);
	rxe_cc_peer_is(qp, (qp->handle->peer & ~RXE_CC_CAP_INT_SINK) |
		       RXE_CC_PEER_KNOWN, now_ns);
}

/**
 * rxe_cc_peer_caps() - a request of the peer shows what that can do
 * @qp: queue pair
 * @caps: RXE_CC_CAP_*; the request was the next in sequence, which a stranger cannot
 *	know
 *
 * Context: softirq or work.
 */
void rxe_cc_peer_caps(struct rxe_cc_qp *qp, u8 caps)
{
	spin_lock_bh(&qp->lock);
	rxe_cc_learn_caps(qp, caps, rxe_cc_now(qp));
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_peer_caps);

/**
 * rxe_cc_peer_forget() - the queue pair will have another peer
 * @h: handle
 *
 * Context: process.
 */
void rxe_cc_peer_forget(struct rxe_cc_qp_handle *h)
{
	struct rxe_cc_qp *qp = h->qp;

	if (!qp)
		return;
	spin_lock_bh(&qp->lock);
	qp->tel_heard = false;
	qp->tel_off_ns = 0;
	WRITE_ONCE(h->tel_until_ns, 0);
	qp->tel_again_ns = 0;
	rxe_cc_peer_is(qp, 0, ktime_get_ns());
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_peer_forget);

/**
 * rxe_cc_int_count() - count what became of an INT packet
 * @h: port
 * @what: that
 *
 * Context: any.
 */
void rxe_cc_int_count(struct rxe_cc_port_handle *h, enum rxe_cc_int_event what)
{
	BUILD_BUG_ON(RXE_CC_INT_EV_SHORT - RXE_CC_INT_SHORT !=
		     RXE_CC_INT_EV_RECEIVED);
	BUILD_BUG_ON(RXE_CC_INT_EV_LENGTH - RXE_CC_INT_LENGTH !=
		     RXE_CC_INT_EV_RECEIVED);
	BUILD_BUG_ON(RXE_CC_CNT_INT + RXE_CC_INT_EV_ECHOED != RXE_CC_CNT_INT_ECHOED);

	if (h->port)
		rxe_cc_count(h->port, RXE_CC_CNT_INT + what);
}
EXPORT_SYMBOL_GPL(rxe_cc_int_count);

/**
 * rxe_cc_qp_feedback() - read the TLVs of an answer
 * @qp: queue pair
 * @fb: receives what they say; nothing when they are malformed
 * @tlv: TLVs
 * @tlv_bytes: their length
 *
 * Context: qp->lock held.
 *
 * Return: false when they are malformed, which is counted.
 */
bool rxe_cc_qp_feedback(struct rxe_cc_qp *qp, struct rxe_cc_feedback *fb,
			const void *tlv, unsigned int tlv_bytes)
{
	struct rxe_cc_port *port = qp->port;
	enum rxe_cc_tlv_verdict verdict;

	BUILD_BUG_ON(RXE_CC_CNT_TLV_TWICE - RXE_CC_TLV_TWICE !=
		     RXE_CC_CNT_TLV_SHORT - RXE_CC_TLV_SHORT);

	verdict = rxe_cc_tlv_parse(tlv, tlv_bytes, fb);
	if (verdict != RXE_CC_TLV_OK) {
		rxe_cc_count(port, RXE_CC_CNT_TLV_SHORT + verdict -
			     RXE_CC_TLV_SHORT);
		return false;
	}
	if (fb->unknown)
		rxe_cc_count(port, RXE_CC_CNT_TLV_UNKNOWN);
	return true;
}

/* A flow whose samples are too far apart for compact telemetry gets all in full: one
 * that is slow, or a path with a speed that compact hops cannot give. One far sample
 * is that of a flow that was idle.
 */
#define RXE_CC_COMPACT_FAR_MAX	2
/* So many that could have been compact bring it back. */
#define RXE_CC_COMPACT_NEAR_MIN	64

static void rxe_cc_compact_set(struct rxe_cc_compaction *c, bool full)
{
	c->far = 0;
	c->near = 0;
	c->due |= c->full != full;
	c->full = full;
}

/* Compact hops came back. Under qp->lock. */
static void rxe_cc_compact_heard(struct rxe_cc_compaction *c,
				 enum rxe_cc_extended what)
{
	if (what == RXE_CC_EXTENDED)
		c->far = 0;
	else if (what == RXE_CC_EXTEND_BAD ||
		 (what == RXE_CC_EXTEND_FAR &&
		  ++c->far >= RXE_CC_COMPACT_FAR_MAX))
		rxe_cc_compact_set(c, true);
}

/* Hops came back: in full, could they be compact again? Under qp->lock. */
static void rxe_cc_compact_or_full(struct rxe_cc_qp *qp,
				   const struct rxe_cc_feedback *fb, u64 now_ns)
{
	const struct rxe_cc_int_hop *hop = this_cpu_ptr(&rxe_cc_hops)->hop;
	struct rxe_cc_compaction *c = &qp->compact;
	u64 ago_ns = now_ns - c->heard_ns;

	c->heard_ns = now_ns;
	if (!c->full || fb->profile != RXE_CC_INT_FULL)
		return;
	if (!rxe_cc_extend_fits(hop, fb->nr_hops, ago_ns))
		c->near = 0;
	else if (++c->near >= RXE_CC_COMPACT_NEAR_MIN)
		rxe_cc_compact_set(c, false);
}

/* Compact hops that stand alone, as those of a switch that reports: they have queue and
 * speed only.
 */
static bool rxe_cc_hops_alone(const struct rxe_cc_feedback *fb,
			      struct rxe_cc_int_hop *hop)
{
	struct rxe_cc_compact c;
	unsigned int i;

	for (i = 0; i < fb->nr_hops; i++) {
		if (!rxe_cc_compact_read(rxe_cc_extend_word(fb->hops,
							    fb->nr_hops, i), &c))
			return false;
		hop[i] = (struct rxe_cc_int_hop) {
			.rate_bps = c.units->mbps * 1000000ULL,
			.qlen_bytes = c.qlen_bytes,
			.node = fb->path,
		};
	}
	return true;
}

/**
 * rxe_cc_qp_hops() - hops as received, whatever their profile, into rxe_cc_hops of this CPU
 * @qp: queue pair
 * @e: where compact ones go on; NULL: they stand alone
 * @fb: with hops
 * @now_ns: when they came
 *
 * Context: qp->lock held.
 *
 * Return: false when one lacks what it must have.
 */
bool rxe_cc_qp_hops(struct rxe_cc_qp *qp, struct rxe_cc_extend *e,
		    const struct rxe_cc_feedback *fb, u64 now_ns)
{
	struct rxe_cc_int_hop *hop = this_cpu_ptr(&rxe_cc_hops)->hop;
	ktime_t now = ns_to_ktime(now_ns);
	enum rxe_cc_extended what;

	if (fb->profile == RXE_CC_INT_WORST && e) {
		*hop = rxe_cc_worst_hop(&e->worst, get_unaligned_be64(fb->hops),
					qp->flow.line_rate_bps, now_ns);
		return true;
	}
	if (fb->profile != RXE_CC_INT_COMPACT)
		return rxe_cc_hops_read(fb, hop);
	if (!e)
		return rxe_cc_hops_alone(fb, hop);
	what = rxe_cc_extend(e, fb->hops, fb->nr_hops, fb->path, now_ns,
			     ktime_to_ns(ktime_mono_to_any(now, TK_OFFS_TAI)),
			     hop);
	if (what == RXE_CC_EXTEND_FAR)
		rxe_cc_count(qp->port, RXE_CC_CNT_COMPACT_FAR);
	if (e == &qp->ext[RXE_CC_EXT_ECHO])
		rxe_cc_compact_heard(&qp->compact, what);
	return what != RXE_CC_EXTEND_BAD;
}

/**
 * rxe_cc_sample_feedback() - the receiver's feedback, into the sample
 * @qp: queue pair
 * @s: sample
 * @fb: what the answer says
 *
 * Values of another algorithm mean nothing to this one, and some of its own a flow has
 * not asked for, so whoever sends such is not its peer; they are counted.
 *
 * Context: qp->lock held.
 */
void rxe_cc_sample_feedback(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
			    const struct rxe_cc_feedback *fb)
{
	unsigned int i;

	if (!fb->nr_fb)
		return;
	if (fb->algo_id != qp->inst->algo_id) {
		rxe_cc_count(qp->port, RXE_CC_CNT_TLV_OTHER_ALGO);
		return;
	}
	memcpy(s->fb, fb->fb, sizeof(s->fb));
	s->nr_fb = fb->nr_fb;
	for (i = 0; i < s->nr_fb; i++) {
		if (!(qp->flow.fb_ignore & BIT(i)) || !s->fb[i])
			continue;
		s->fb[i] = 0;
		rxe_cc_count(qp->port, RXE_CC_CNT_TOLD_UNUSED);
	}
}

/* A switch's hops stand alone. */
static struct rxe_cc_extend *rxe_cc_qp_ext(struct rxe_cc_qp *qp, bool partial)
{
	return qp->ext && !partial ? &qp->ext[RXE_CC_EXT_ECHO] : NULL;
}

/**
 * rxe_cc_qp_echo() - telemetry that came back, into the sample
 * @qp: queue pair
 * @s: sample
 * @fb: with hops
 *
 * That of a queue pair whose algorithm has no use for it was not asked for, and is
 * counted as unused.
 *
 * Context: qp->lock held.
 */
void rxe_cc_qp_echo(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		    const struct rxe_cc_feedback *fb)
{
	struct rxe_cc_port *port = qp->port;

	if (!rxe_cc_flow_int(&qp->flow)) {
		rxe_cc_count(port, RXE_CC_CNT_ECHO_UNUSED);
		return;
	}
	if (!rxe_cc_qp_hops(qp, rxe_cc_qp_ext(qp, s->partial), fb, s->now_ns)) {
		rxe_cc_count(port, RXE_CC_CNT_ECHO_BAD_HOP);
		return;
	}
	if (!s->partial)
		rxe_cc_compact_or_full(qp, fb, s->now_ns);
	/* Hops that are there are true, so they are used. The counter says that
	 * others are missing, which were not asked for where the first is enough.
	 */
	if (fb->profile != RXE_CC_INT_FIRST &&
	    fb->int_flags & (RXE_CC_TLV_INT_E | RXE_CC_TLV_INT_M))
		rxe_cc_count(port, RXE_CC_CNT_ECHO_PARTIAL);
	rxe_cc_count(port, RXE_CC_CNT_ECHO);
	qp->counter[RXE_CC_QCNT_INT_ECHOES]++;
	s->hops = this_cpu_ptr(&rxe_cc_hops)->hop;
	s->nr_hops = fb->nr_hops;
}

/**
 * rxe_cc_ack_path() - length of the path of the packet that an answer is about
 * @qp: queue pair
 * @s: sample of the answer, with its hops; receives it
 * @fb: feedback in the answer
 *
 * A TTL counts routers, telemetry the ports that take part: neither is too long.
 *
 * Context: qp->lock held.
 */
void rxe_cc_ack_path(const struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		     const struct rxe_cc_feedback *fb)
{
	if (fb->ttl && fb->ttl <= qp->info.hop_limit)
		s->path_hops = qp->info.hop_limit - fb->ttl + 1;
	if (s->nr_hops && !s->partial && rxe_cc_int_is_path(fb->profile) &&
	    !(fb->int_flags & (RXE_CC_TLV_INT_E | RXE_CC_TLV_INT_M)))
		s->path_hops = max(s->path_hops, s->nr_hops);
}

/* Count what the algorithm says of the telemetry of the call that it has had.
 * Under qp->lock.
 */
void rxe_cc_tel_count(struct rxe_cc_qp *qp)
{
	u8 verdict = qp->flow.telemetry;

	BUILD_BUG_ON(RXE_CC_CNT_TEL_USED + RXE_CC_TELEMETRY_COUNT - RXE_CC_TELEMETRY_USED !=
		     RXE_CC_CNT_TEL_COUNT);

	if (verdict > RXE_CC_TELEMETRY_NONE && verdict < RXE_CC_NR_TELEMETRY)
		rxe_cc_count(qp->port, RXE_CC_CNT_TEL_USED + verdict -
			     RXE_CC_TELEMETRY_USED);
}
