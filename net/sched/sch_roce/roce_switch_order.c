// SPDX-License-Identifier: GPL-2.0
/*
 * The common time of a switch's ports: replays the due events of all of them in order of time.
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

#include "roce_next_event.h"
#include "roce_port.h"
#include "roce_switch.h"

/**
 * roce_switch_replay - do what fell due on any port, in the order of time
 * @sw: switch
 * @now_ns: present time
 */
void roce_switch_replay(struct roce_switch *sw, u64 now_ns)
{
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
		port = sw->slots[roce_calendar_slot(roce_calendar_first(&sw->events))];
		roce_line_step(port, sw->next_ns);
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
	const struct roce_calendar_entry *first = roce_calendar_first(&sw->events);

	if (!first || (hrtimer_is_queued(&sw->timer) &&
		       hrtimer_get_expires(&sw->timer) == first->at_ns))
		return;
	hrtimer_start(&sw->timer, first->at_ns, HRTIMER_MODE_ABS_SOFT);
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

	hlist_for_each_entry(port, &sw->by_ifindex[ifindex % ROCE_SWITCH_HASH], by_ifindex) {
		if (port->ifindex == ifindex)
			return port;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_ingress);
