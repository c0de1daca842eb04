// SPDX-License-Identifier: GPL-2.0
/*
 * Sent pauses of PFC (priority-based flow control): charges packets to a switch's shared buffer,
 * and asks the peer to pause (XOFF) when an account is full. What an account may hold:
 * roce_shared_buffer.c.
 *
 * A (port, priority) is in XOFF from the packet that reached into its headroom
 * until its account may resume. The frame has the state at its start, not at the
 * time of the request: while the line is busy a bit records that a frame is due,
 * and several priorities share a frame. It goes before all data but never
 * interrupts a packet. XOFF is repeated when half of its time is over, counted
 * from the frame before, until it ends.
 *
 * Whether an account may resume depends on its own packets and, by the dynamic
 * threshold, on those of all others. To check every paused account at every
 * departure would be exact, but costs a scan of hundreds of accounts a packet in
 * a large incast. To check at each refresh only is cheap but late. So the switch
 * keeps the least free space at which any of them may resume
 * (roce_switch.resume_free). It is a lower bound: an account's own departures
 * lower it, and each scan computes it again. No account is checked before it is
 * reached.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>

#include "roce_next_event.h"
#include "roce_port.h"
#include "roce_switch.h"
#include "roce_trace.h"

/* What a machine that is late waits longer: the first time, and at most. */
#define ROCE_XOFF_LATE_STEP_NS	1000ULL
#define ROCE_XOFF_LATE_MAX_NS	10000000ULL

/* The peer is to be told. */
static void roce_xoff_tell(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_time at = { .ns = at_ns };

	port->prio[id].xoff.refresh_ns = ROCE_NEVER;
	port->pfc.to_send |= BIT(id);
	roce_line_poke(port, at);
}

static void roce_xoff_begin(struct roce_port *port, u8 id, u64 now_ns)
{
	if (port->pfc.xoff & BIT(id))
		return;

	if (!port->pfc.xoff)
		port->pfc.late_ns = 0;
	port->pfc.xoff |= BIT(id);
	port->sw->nr_xoff++;
	port->prio[id].xoff.since_ns = now_ns;
	trace_roce_xoff(port, now_ns, id, true);
	roce_xoff_tell(port, id, now_ns);
}

/* A lossless packet has come in. */
static void roce_xoff_charged(struct roce_port *port, u8 id, u64 now_ns)
{
	if (unlikely(port->prio[id].in.headroom_bytes))
		roce_xoff_begin(port, id, now_ns);
}

/* A lossless packet has found no room. A headroom that is too small for a packet never
 * holds one, and the peer would never hear of it. With an account that may resume anyway
 * nothing is asked: no departure would end it.
 */
static void roce_xoff_refused(struct roce_port *port, u8 id, u64 now_ns)
{
	const struct roce_mmu_config *cfg = &port->cfg.prio[id].mmu;
	const struct roce_account *acct = &port->prio[id].in;
	struct roce_switch *sw = port->sw;

	if (roce_mmu_may_resume(&sw->mmu, acct, cfg))
		return;
	sw->resume_free = min(sw->resume_free, roce_mmu_resume_free(acct, cfg));
	roce_xoff_begin(port, id, now_ns);
}

static void roce_xoff_end(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_xoff *xoff = &port->prio[id].xoff;

	xoff->xoff_ns += at_ns - xoff->since_ns;
	port->pfc.xoff &= ~BIT(id);
	port->sw->nr_xoff--;
	trace_roce_xoff(port, at_ns, id, false);
}

/**
 * roce_xoff_resume - the peer may send again
 * @port: port
 * @id: priority
 * @at_ns: when
 */
void roce_xoff_resume(struct roce_port *port, u8 id, u64 at_ns)
{
	if (!(port->pfc.xoff & BIT(id)))
		return;
	roce_xoff_end(port, id, at_ns);
	roce_xoff_tell(port, id, at_ns);
}

/**
 * roce_xoff_forget - there is no peer any more
 * @port: port that leaves its switch
 * @now_ns: present time
 */
void roce_xoff_forget(struct roce_port *port, u64 now_ns)
{
	unsigned long ids = port->pfc.xoff;
	int id;

	for_each_set_bit(id, &ids, TC_ROCE_PRIOS)
		roce_xoff_end(port, id, now_ns);
	port->pfc.to_send = 0;
}

/**
 * roce_xoff_repeat - the peer has lost its state
 * @port: port; pauses in force are sent again as soon as there is a link
 */
void roce_xoff_repeat(struct roce_port *port)
{
	unsigned long ids = port->pfc.xoff;
	int id;

	for_each_set_bit(id, &ids, TC_ROCE_PRIOS)
		port->prio[id].xoff.refresh_ns = ROCE_NEVER;
	port->pfc.to_send |= ids;
}

/* May this one resume? */
static void roce_xoff_examine(struct roce_port *port, u8 id, u64 at_ns)
{
	const struct roce_mmu_config *cfg = &port->cfg.prio[id].mmu;
	const struct roce_account *acct = &port->prio[id].in;
	struct roce_switch *sw = port->sw;

	if (roce_mmu_may_resume(&sw->mmu, acct, cfg))
		roce_xoff_resume(port, id, at_ns);
	else
		sw->resume_free = min(sw->resume_free, roce_mmu_resume_free(acct, cfg));
}

/* A packet of an ingress account has left. */
static void roce_xoff_released(struct roce_port *port, u8 id, u64 at_ns)
{
	if (port->pfc.xoff & BIT(id))
		roce_xoff_examine(port, id, at_ns);
}

/**
 * roce_xoff_scan - there is more free space than before
 * @sw: switch
 * @at_ns: since when
 */
void roce_xoff_scan(struct roce_switch *sw, u64 at_ns)
{
	struct roce_port *port;
	unsigned long ids;
	unsigned int slot;
	int id;

	if (roce_mmu_shared_free(&sw->mmu) < sw->resume_free)
		return;

	sw->resume_free = ROCE_NEVER;
	for (slot = 1; slot < sw->nr_slots; slot++) {
		port = sw->slots[slot];
		if (!port)
			continue;
		ids = port->pfc.xoff;
		for_each_set_bit(id, &ids, TC_ROCE_PRIOS)
			roce_xoff_examine(port, id, at_ns);
	}
}

/* What a switch makes itself has memory of its own, as the packets of its processor: it is
 * needed most when the buffer is full. How much that is: 668 CNPs for a port, which a line of
 * 1 Gbit/s sends in half a millisecond.
 */
#define ROCE_OWN_MAX_BYTES	65536

static bool roce_xoff_hold(struct roce_port *port, struct roce_skb_cb *cb)
{
	if (port->own_bytes + cb->wire_bytes > ROCE_OWN_MAX_BYTES)
		return false;
	port->own_bytes += cb->wire_bytes;
	cb->flags |= ROCE_SKB_HELD;
	return true;
}

/**
 * roce_xoff_charge - let a packet into the buffer, or not
 * @port: egress port
 * @skb: packet; its in_slot is set when it is charged to the ingress port. One of the
 *	switch's own is not charged to the buffer
 * @lossless: charge the ingress port
 * @now_ns: present time
 *
 * Return: true when it is in.
 */
bool roce_xoff_charge(struct roce_port *port, struct sk_buff *skb, bool lossless, u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_switch *sw = port->sw;
	struct roce_port *in;

	if (unlikely(cb->flags & ROCE_SKB_REPLY))
		return roce_xoff_hold(port, cb);
	if (!lossless) {
		if (!roce_mmu_charge(&sw->mmu, &port->prio[cb->prio].out,
				     &port->cfg.prio[cb->prio].mmu, false, cb->wire_bytes))
			return false;
		cb->flags |= ROCE_SKB_OUT;
		return true;
	}

	in = sw->slots[cb->in_slot];
	if (!roce_mmu_charge(&sw->mmu, &in->prio[cb->in_prio].in,
			     &in->cfg.prio[cb->in_prio].mmu, true, cb->wire_bytes)) {
		roce_xoff_refused(in, cb->in_prio, now_ns);
		return false;
	}
	cb->flags |= ROCE_SKB_IN;
	roce_xoff_charged(in, cb->in_prio, now_ns);
	return true;
}

/**
 * roce_xoff_discharge - a packet that has been charged leaves the buffer
 * @port: egress port
 * @skb: packet
 * @at_ns: when
 */
void roce_xoff_discharge(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	u32 bytes = cb->wire_bytes - cb->grown_bytes;
	struct roce_switch *sw = port->sw;
	struct roce_port *in;

	if (unlikely(cb->flags & ROCE_SKB_HELD)) {
		cb->flags &= ~ROCE_SKB_HELD;
		port->own_bytes -= bytes;
		return;
	}
	if (cb->flags & ROCE_SKB_OUT) {
		cb->flags &= ~ROCE_SKB_OUT;
		roce_mmu_release(&sw->mmu, &port->prio[cb->prio].out, bytes);
	} else {
		cb->flags &= ~ROCE_SKB_IN;
		in = sw->slots[cb->in_slot];
		roce_mmu_release(&sw->mmu, &in->prio[cb->in_prio].in, bytes);
		roce_xoff_released(in, cb->in_prio, at_ns);
	}
	if (unlikely(sw->nr_xoff))
		roce_xoff_scan(sw, at_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_xoff_discharge);

/**
 * roce_xoff_refresh - send again what is due
 * @port: port
 * @at_ns: present time of the model
 */
void roce_xoff_refresh(struct roce_port *port, u64 at_ns)
{
	unsigned long ids = port->pfc.xoff;
	int id;

	for_each_set_bit(id, &ids, TC_ROCE_PRIOS) {
		if (port->prio[id].xoff.refresh_ns <= at_ns)
			roce_xoff_tell(port, id, at_ns);
	}
}

/* Half of the pause just told, rounded down, at least a nanosecond. */
static u64 roce_xoff_refresh_span_ns(const struct roce_config *cfg)
{
	struct roce_time half = roce_serial_span(cfg->rate_bps, cfg->pfc_quanta *
						 (ROCE_PFC_BITS / BITS_PER_BYTE / 2));

	return max(half.ns, 1ULL);
}

/* When a pause that was told at @start_ns is told again. A machine that is late leaves out
 * refreshes that are over. The first wait is short, because being late once must not end a
 * pause.
 */
static u64 roce_xoff_next_ns(struct roce_port *port, u64 start_ns)
{
	u64 due_ns = start_ns + roce_xoff_refresh_span_ns(&port->cfg) + port->pfc.late_ns;
	u64 now_ns = port->sw->now_ns;
	bool late = now_ns >= due_ns;

	port->pfc.late_ns = roce_event_late(port->pfc.late_ns, late, ROCE_XOFF_LATE_STEP_NS,
					    ROCE_XOFF_LATE_MAX_NS);
	return late ? now_ns + port->pfc.late_ns : due_ns;
}

/* What the next frame says, and that it has been said. */
static void roce_xoff_fill(struct roce_port *port, struct roce_pfc_frame *frame, u64 start_ns)
{
	u64 refresh_ns = roce_xoff_next_ns(port, start_ns);
	unsigned long ids = port->pfc.to_send;
	int id;

	frame->enable = ids;
	for_each_set_bit(id, &ids, TC_ROCE_PRIOS) {
		struct roce_xoff *xoff = &port->prio[id].xoff;

		if (!(port->pfc.xoff & BIT(id)))
			continue;
		frame->quanta[id] = port->cfg.pfc_quanta;
		xoff->refresh_ns = refresh_ns;
	}
	port->pfc.to_send = 0;
}

static void roce_xoff_count(struct roce_port *port, const struct roce_pfc_frame *frame)
{
	unsigned long ids = frame->enable;
	int id;

	port->stats.pfc_tx++;
	for_each_set_bit(id, &ids, TC_ROCE_PRIOS) {
		if (frame->quanta[id])
			port->prio[id].xoff.requests++;
		else
			port->prio[id].xoff.resumes++;
	}
}

/**
 * roce_port_is_mute() - does nobody hear what this port sends?
 * @port: port
 *
 * Asked of the device, because a qdisc is reset, and used again, without a word
 * that the link has changed.
 *
 * Return: true if so.
 */
bool roce_port_is_mute(const struct roce_port *port)
{
	const struct net_device *dev = port->dev;

	return port->down || (dev && !(netif_running(dev) && netif_carrier_ok(dev)));
}
EXPORT_SYMBOL_GPL(roce_port_is_mute);

/**
 * roce_xoff_send - send the peer a PFC frame
 * @port: port whose line is free and that has pauses or resumes to send
 * @start: when the frame begins
 *
 * Without memory the frame is lost: a pause is told again at its refresh, and
 * a resume by the pause running out.
 *
 * Return: a frame occupies the line.
 */
bool roce_xoff_send(struct roce_port *port, struct roce_time start)
{
	u64 start_ns = roce_time_ceil(&start);
	struct roce_pfc_frame frame = {};
	struct roce_skb_cb *cb;
	struct sk_buff *skb;

	if (roce_port_is_mute(port))
		return false;

	roce_xoff_fill(port, &frame, start_ns);
	skb = roce_pfc_build(port->dev, &frame);
	if (!skb) {
		port->stats.pfc_tx_nomem++;
		return false;
	}

	qdisc_skb_cb(skb)->pkt_len = skb->len;
	cb = roce_skb_cb(skb);
	memset(cb, 0, sizeof(*cb));
	cb->flags = ROCE_SKB_PFC;
	cb->wire_bytes = ROCE_PFC_FRAME_BYTES + port->cfg.overhead;
	roce_line_transmit(port, skb, start);
	roce_xoff_count(port, &frame);
	trace_roce_pfc_tx(port, start_ns, skb, &frame);
	roce_event_kick(port);
	return true;
}

/**
 * roce_port_xoff - has this port paused its peer?
 * @port: port, advanced to now
 * @id: priority
 *
 * Return: true if so.
 */
bool roce_port_xoff(const struct roce_port *port, u8 id)
{
	return port->pfc.xoff & BIT(id);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_xoff);

/**
 * roce_port_xoff_ns - how long this port has paused its peer
 * @port: port, advanced to now
 * @id: priority
 * @now_ns: present time
 *
 * Return: sum in ns, the present time included.
 */
u64 roce_port_xoff_ns(const struct roce_port *port, u8 id, u64 now_ns)
{
	const struct roce_xoff *xoff = &port->prio[id].xoff;

	if (!(port->pfc.xoff & BIT(id)))
		return xoff->xoff_ns;
	return xoff->xoff_ns + now_ns - xoff->since_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_xoff_ns);
