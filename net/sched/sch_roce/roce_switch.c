// SPDX-License-Identifier: GPL-2.0
/*
 * A switch: the common time of its ports, and what packets hold of its buffer.
 *
 * Ports compute their events lazily, each when it is accessed. For a single port
 * that is exact. With a shared buffer it would not be: whether a packet fits
 * depends on what has left through other ports by then, and if their events are
 * not computed yet, the pool seems fuller than it is. So before any decision all ports are
 * brought up to now, event by event in the order of time
 * (roce_switch_advance()); a queue of their next events makes that cost nothing
 * when nothing is due. The alternative, a timer for each departure of each
 * port, costs an interrupt a packet and is late on a busy machine.
 *
 * A timer is needed only while a peer is paused: the frame that resumes it must
 * not wait for the next access. It is a soft hrtimer, because it
 * takes a lock that is held with only bottom halves off.
 *
 * Context of everything here unless noted: the switch's lock held.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/netdevice.h>

#include "roce_event.h"
#include "roce_port.h"
#include "roce_switch.h"

/**
 * roce_switch_replay - do what fell due on any port, in the order of time
 * @sw: switch
 * @now_ns: present time
 */
void roce_switch_replay(struct roce_switch *sw, u64 now_ns)
{
	struct timerqueue_node *node;
	struct roce_port *port;

	sw->replaying = true;
	if (!sw->shared) {
		port = sw->slots[1];
		while (sw->next_ns <= now_ns) {
			roce_line_step(port, sw->next_ns);
			sw->next_ns = roce_event_next_ns(port);
		}
		sw->replaying = false;
		return;
	}

	while (sw->next_ns <= now_ns) {
		node = timerqueue_getnext(&sw->events);
		port = container_of(node, struct roce_port, event);
		roce_line_step(port, node->expires);
		roce_event_changed(port);
	}
	sw->replaying = false;
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_replay);

/**
 * roce_switch_arm - have the timer set to the next event
 * @sw: switch with a port whose peer is paused
 */
void roce_switch_arm(struct roce_switch *sw)
{
	struct timerqueue_node *node;

	node = timerqueue_getnext(&sw->events);
	if (!node || (hrtimer_is_queued(&sw->timer) &&
		      hrtimer_get_expires(&sw->timer) == node->expires))
		return;
	hrtimer_start(&sw->timer, node->expires, HRTIMER_MODE_ABS_SOFT);
}

/**
 * roce_switch_ingress - find the port that a packet came in by
 * @sw: switch
 * @ifindex: skb->skb_iif
 *
 * Return: the port, or NULL when the packet came from elsewhere.
 */
struct roce_port *roce_switch_ingress(const struct roce_switch *sw, int ifindex)
{
	struct roce_port *port;

	hlist_for_each_entry(port, &sw->by_ifindex[ifindex % ROCE_SWITCH_HASH],
			     by_ifindex) {
		if (port->ifindex == ifindex)
			return port;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_ingress);

/**
 * roce_switch_charge - let a packet into the buffer, or not
 * @port: egress port
 * @skb: packet; its in_slot is set when it is charged to the ingress port
 * @lossless: charge the ingress port
 * @now_ns: present time
 *
 * Return: true when it is in.
 */
bool roce_switch_charge(struct roce_port *port, struct sk_buff *skb,
			bool lossless, u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_switch *sw = port->sw;
	struct roce_port *in;

	if (!lossless) {
		if (!roce_mmu_charge(&sw->mmu, &port->prio[cb->prio].out,
				     &port->cfg.prio[cb->prio].mmu, false,
				     cb->wire_bytes))
			return false;
		cb->flags |= ROCE_SKB_OUT;
		return true;
	}

	in = sw->slots[cb->in_slot];
	if (!roce_mmu_charge(&sw->mmu, &in->prio[cb->in_prio].in,
			     &in->cfg.prio[cb->in_prio].mmu, true,
			     cb->wire_bytes)) {
		roce_xoff_refused(in, cb->in_prio, now_ns);
		return false;
	}
	cb->flags |= ROCE_SKB_IN;
	roce_xoff_charged(in, cb->in_prio, now_ns);
	return true;
}

/**
 * roce_switch_discharge - a packet that has been charged leaves the buffer
 * @port: egress port
 * @skb: packet
 * @at_ns: when
 */
void roce_switch_discharge(struct roce_port *port, struct sk_buff *skb,
			   u64 at_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	u32 bytes = cb->wire_bytes - cb->grown_bytes;
	struct roce_switch *sw = port->sw;
	struct roce_port *in;

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
EXPORT_SYMBOL_IF_KUNIT(roce_switch_discharge);

/**
 * roce_port_threshold - what a priority may hold of the shared pool at present
 * @port: port of a switch
 * @id: priority
 *
 * Return: bytes beyond the reserve.
 */
u64 roce_port_threshold(const struct roce_port *port, u8 id)
{
	const struct roce_prio_config *cfg = &port->cfg.prio[id];

	return roce_mmu_threshold(&port->sw->mmu, &cfg->mmu, cfg->lossless);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_threshold);
