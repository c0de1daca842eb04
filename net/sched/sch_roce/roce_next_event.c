// SPDX-License-Identifier: GPL-2.0
/*
 * Computes the next instant at which a port has something to do, and tells switch and qdisc when
 * that changes.
 *
 * An event is worked out from the state of the port when somebody asks; what happens
 * then is not decided here (roce_transmit.c, roce_pause_rx.c, roce_pause_tx.c). The switch has
 * the next events of its ports in a queue, the qdisc has a watchdog set to its own.
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "roce_next_event.h"
#include "roce_feature.h"
#include "roce_port.h"
#include "roce_switch.h"

/**
 * roce_event_changed - the next event of a port may be another one
 * @port: port
 *
 * To be called at the end of everything that changes a port from outside
 * roce_switch_advance().
 */
void roce_event_changed(struct roce_port *port)
{
	u64 next_ns = roce_event_next_ns(port);
	struct roce_switch *sw = port->sw;

	if (!sw->shared) {
		sw->next_ns = next_ns;
		return;
	}

	if (next_ns != ROCE_NEVER)
		roce_calendar_set(&sw->events, port->slot, next_ns);
	else
		roce_calendar_cancel(&sw->events, port->slot);
	roce_switch_find_next(sw);
}

/**
 * roce_event_kick - somebody else's call has given a port something to do
 * @port: port
 */
void roce_event_kick(struct roce_port *port)
{
	if (port->kick)
		port->kick(port);
}

/* Is a pause that begins now the last storm again? */
static bool roce_event_is_storm(const struct roce_port *port, u8 id, u64 at_ns)
{
	const struct roce_pause *pause = &port->prio[id].pause;

	return pause->storm_end_ns && at_ns - pause->storm_end_ns < port->cfg.pfc_restore_ns;
}

/**
 * roce_event_storm_ns - when a paused priority is in a storm
 * @port: port
 * @id: priority in which packets wait
 *
 * What waits has waited since its head came: a packet that comes long after the pause
 * began makes it a storm then.
 *
 * Return: time in ns, or %ROCE_NEVER.
 */
u64 roce_event_storm_ns(const struct roce_port *port, u8 id)
{
	const struct roce_prio *prio = &port->prio[id];
	u64 storm_ns;

	if (!port->pfc.watchdog_ns || port->pfc.storm & BIT(id))
		return ROCE_NEVER;
	storm_ns = prio->pause.since_ns;
	if (!roce_event_is_storm(port, id, storm_ns))
		storm_ns += port->pfc.watchdog_ns;
	storm_ns = max(storm_ns, roce_skb_cb(prio->queue.head)->time_ns);
	return storm_ns < roce_time_ceil(&prio->pause.until) ? storm_ns : ROCE_NEVER;
}

/* When the first pause runs out, whether or not something waits for that. */
static u64 roce_event_end_ns(const struct roce_port *port)
{
	unsigned long paused = port->pfc.paused;
	u64 end_ns = ROCE_NEVER;
	int id;

	for_each_set_bit(id, &paused, TC_ROCE_PRIOS)
		end_ns = min(end_ns, roce_time_ceil(&port->prio[id].pause.until));
	return end_ns;
}

/**
 * roce_event_pause_ns - next event of received pauses
 * @port: port
 *
 * Return: time in ns, or %ROCE_NEVER.
 */
u64 roce_event_pause_ns(const struct roce_port *port)
{
	const struct roce_pfc *pfc = &port->pfc;
	unsigned long waiting = port->backlog & pfc->paused;
	u64 next_ns = ROCE_NEVER;
	int id;

	if (pfc->count)
		next_ns = pfc->pending[pfc->head].at_ns;
	for_each_set_bit(id, &waiting, TC_ROCE_PRIOS) {
		next_ns = min(next_ns, roce_event_storm_ns(port, id));
		if (!port->sending)
			next_ns = min(next_ns, roce_time_ceil(&port->prio[id].pause.until));
	}
	if (unlikely(port->hooked[ROCE_HOOK_RESUME]))
		next_ns = min(next_ns, roce_event_end_ns(port));
	return next_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_event_pause_ns);

/**
 * roce_event_xoff_ns - when a pause must be sent again
 * @port: port
 *
 * Return: time in ns, or %ROCE_NEVER.
 */
u64 roce_event_xoff_ns(const struct roce_port *port)
{
	unsigned long ids = port->pfc.xoff;
	u64 next_ns = ROCE_NEVER;
	int id;

	for_each_set_bit(id, &ids, TC_ROCE_PRIOS)
		next_ns = min(next_ns, port->prio[id].xoff.refresh_ns);
	return next_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_event_xoff_ns);
