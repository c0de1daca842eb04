/* SPDX-License-Identifier: GPL-2.0 */
/* When a port has something to do next: on its line, and for whoever looks at it. */
#ifndef _ROCE_NEXT_EVENT_H
#define _ROCE_NEXT_EVENT_H

#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "roce_feature.h"
#include "roce_port.h"
#include "roce_serialization.h"

u64 roce_event_storm_ns(const struct roce_port *port, u8 id);
u64 roce_event_pause_ns(const struct roce_port *port);
u64 roce_event_xoff_ns(const struct roce_port *port);
void roce_event_changed(struct roce_port *port);
void roce_event_kick(struct roce_port *port);

/**
 * roce_event_next_ns - next instant at which something happens by itself
 * @port: port
 *
 * Return: time in ns, or %ROCE_NEVER.
 */
static inline u64 roce_event_next_ns(const struct roce_port *port)
{
	u64 next_ns = ROCE_NEVER;

	if (port->sending)
		next_ns = roce_time_ceil(&port->line_free);
	if (unlikely(port->pfc.paused | port->pfc.count))
		next_ns = min(next_ns, roce_event_pause_ns(port));
	if (unlikely(port->pfc.xoff))
		next_ns = min(next_ns, roce_event_xoff_ns(port));
	return min(next_ns, port->timer_ns);
}

/**
 * roce_event_late - how much longer to wait for what this machine does too late
 * @wait: how much longer it was this time; any unit
 * @late: this time the wait was over before anyone looked
 * @step: the first wait, same unit
 * @max: the longest wait, same unit
 *
 * For what a port does again and again. If doing it takes longer than the time between
 * two, it is late every time, and processes on this processor starve. So it is done less
 * often: the wait grows fourfold whenever it is late, and is an eighth less otherwise.
 *
 * Return: how much longer to wait next time.
 */
static inline u64 roce_event_late(u64 wait, bool late, u64 step, u64 max)
{
	return late ? min(4 * wait + step, max) : wait - DIV_ROUND_UP(wait, 8);
}

/**
 * roce_event_wake_ns - when the port must be looked at again
 * @port: port, advanced to now
 *
 * That is the next delivery; while a sender waits to hear that its packet has
 * left, the end of the present transmission; while everything that waits is
 * paused, or a feature wants to hear of the end of pauses, the next event of the
 * pauses; a feature's timer; and at once when there are lost packets to free.
 *
 * Return: time in ns, or %ROCE_NEVER.
 */
static inline u64 roce_event_wake_ns(const struct roce_port *port)
{
	u64 next_ns = port->due_ns;

	if (unlikely(port->dead.head))
		return 0;
	if (port->sending) {
		if (port->sending->destructor || port->owned)
			next_ns = min(next_ns, roce_time_ceil(&port->line_free));
	} else if (port->backlog) {
		next_ns = min(next_ns, roce_event_next_ns(port));
	}
	if (unlikely(port->hooked[ROCE_HOOK_RESUME]) && port->pfc.paused)
		next_ns = min(next_ns, roce_event_pause_ns(port));
	return min(next_ns, port->timer_ns);
}

#endif /* _ROCE_NEXT_EVENT_H */
