// SPDX-License-Identifier: GPL-2.0
/*
 * Received pauses of PFC (priority-based flow control): how long each priority stays paused, and
 * the watchdog against pause storms.
 *
 * A pause of q quanta lasts q * 512 bit times of this port's rate from the
 * instant at which it takes effect: the frame's last bit plus the configured
 * response time. (802.1Qbb sets the timer when the frame has been processed;
 * counted from reception a short pause would be over before a slow port had
 * begun it.) A later frame replaces the rest of the time; 0 ends it. The
 * packet being sent is always finished.
 *
 * A pause has no timer of its own: its end is compared with the instant at
 * which the line chooses, so that it is exact to the fraction of a nanosecond
 * and costs nothing while no packet waits. The next access to the port notices and
 * reports the end, with the exact time.
 *
 * A pause without a break for longer than the watchdog allows, while packets
 * wait, is a storm. The cause is a broken NIC, a deadlock, or an attack: a host
 * that pauses its port and has packets sent to it fills the shared buffer.
 * Until the pause ends, packets that wait and that come are dropped, or sent
 * nevertheless, as configured. A new pause soon after that is the same storm.
 * Otherwise a short break would give it the watchdog's time again.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/time64.h>
#include <rxe_cc/cc_math.h>

#include "roce_next_event.h"
#include "roce_feature.h"
#include "roce_port.h"
#include "roce_switch.h"
#include "roce_trace.h"

#define ROCE_AUTO_WATCHDOG_NS	(200 * NSEC_PER_MSEC)
#define ROCE_AUTO_WATCHDOG_HOPS	5

/**
 * roce_pause_set_watchdog - work out the watchdog's time
 * @port: port whose configuration, switch or buffer has changed
 *
 * A pause that is meant ends when the switch that asked for it has drained what
 * it holds, at worst its whole buffer at the speed of this line; when that one is
 * paused itself, once more for each switch behind it. Five of them are more than
 * a path through a Clos network has. A NIC is paused by its switch, whose
 * buffer it does not know, and holds nobody else's packets.
 */
void roce_pause_set_watchdog(struct roce_port *port)
{
	const struct roce_config *cfg = &port->cfg;
	u64 watchdog_ns = cfg->pfc_watchdog_ns;

	if (watchdog_ns == TC_ROCE_WATCHDOG_AUTO) {
		watchdog_ns = 0;
		if (port->sw->shared)
			watchdog_ns = max(ROCE_AUTO_WATCHDOG_NS, ROCE_AUTO_WATCHDOG_HOPS *
					  rxe_cc_muldiv(cfg->buffer_bytes, 8 * NSEC_PER_SEC,
							cfg->rate_bps));
	}
	port->pfc.watchdog_ns = watchdog_ns;
}

/* The pause of a priority ends. */
static void roce_pause_end(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_pause *pause = &port->prio[id].pause;

	if (port->pfc.storm & BIT(id))
		pause->storm_end_ns = at_ns;

	pause->pause_ns += at_ns - pause->since_ns;
	port->pfc.paused &= ~BIT(id);
	port->pfc.storm &= ~BIT(id);
	trace_roce_pause(port, at_ns, id, false, at_ns);
	if (unlikely(port->hooked[ROCE_HOOK_RESUME]))
		roce_features_pause(port, id, false, at_ns);
}

static void roce_pause_begin(struct roce_port *port, u8 id, u16 quanta, u64 at_ns)
{
	struct roce_pause *pause = &port->prio[id].pause;
	bool was_paused = port->pfc.paused & BIT(id);

	if (!was_paused)
		pause->since_ns = at_ns;
	port->pfc.paused |= BIT(id);
	pause->until.ns = at_ns;
	pause->until.rem = 0;
	roce_time_add(&pause->until, roce_serial_span(port->cfg.rate_bps,
						      quanta * (ROCE_PFC_BITS / BITS_PER_BYTE)),
		      port->cfg.rate_bps);
	trace_roce_pause(port, at_ns, id, true, roce_time_ceil(&pause->until));
	if (!was_paused && unlikely(port->hooked[ROCE_HOOK_PAUSE]))
		roce_features_pause(port, id, true, at_ns);
}

/* Is the pause over at @at? Then it is noticed. */
static bool roce_pause_over(struct roce_port *port, u8 id, struct roce_time at)
{
	const struct roce_time *until = &port->prio[id].pause.until;

	if (!(port->pfc.paused & BIT(id)))
		return true;
	if (roce_time_after(until, &at))
		return false;
	roce_pause_end(port, id, roce_time_ceil(until));
	return true;
}

/**
 * roce_pause_blocks - must a priority not be sent?
 * @port: port
 * @id: priority
 * @at: when
 *
 * Return: it is paused, and not in a storm that is ignored.
 */
bool roce_pause_blocks(struct roce_port *port, u8 id, struct roce_time at)
{
	if (roce_pause_over(port, id, at))
		return false;
	return !(port->pfc.storm & BIT(id)) ||
	       port->cfg.pfc_watchdog_action != TC_ROCE_WATCHDOG_IGNORE;
}

/**
 * roce_pause_notice - end the pauses that have run out
 * @port: port with a feature that wants to know at once
 * @at_ns: present time of the model
 */
void roce_pause_notice(struct roce_port *port, u64 at_ns)
{
	unsigned long paused = port->pfc.paused;
	int id;

	for_each_set_bit(id, &paused, TC_ROCE_PRIOS) {
		u64 until_ns = roce_time_ceil(&port->prio[id].pause.until);

		if (until_ns <= at_ns)
			roce_pause_end(port, id, until_ns);
	}
}

/* A PFC frame takes effect. */
static void roce_pause_apply(struct roce_port *port, const struct roce_pfc_frame *frame, u64 at_ns)
{
	unsigned long enable = frame->enable;
	struct roce_time at = { .ns = at_ns };
	struct roce_pause *pause;
	int id;

	for_each_set_bit(id, &enable, ROCE_PFC_PRIOS) {
		pause = &port->prio[id].pause;
		if (!port->cfg.prio[id].lossless || !port->cfg.pfc_obey) {
			pause->ignored++;
			continue;
		}
		roce_pause_over(port, id, at);
		if (frame->quanta[id]) {
			pause->indications++;
			roce_pause_begin(port, id, frame->quanta[id], at_ns);
			continue;
		}
		pause->resumed++;
		if (port->pfc.paused & BIT(id))
			roce_pause_end(port, id, at_ns);
	}
}

/* The first frame that has come in takes effect. */
static void roce_pause_apply_first(struct roce_port *port, u64 at_ns)
{
	struct roce_pfc *pfc = &port->pfc;
	const struct roce_pfc_pending *first = &pfc->pending[pfc->head];

	pfc->head = (pfc->head + 1) % ROCE_PFC_PENDING;
	pfc->count--;
	roce_pause_apply(port, &first->frame, at_ns);
}

/**
 * roce_pause_pending - have frames take effect whose time has come
 * @port: port
 * @at_ns: present time of the model
 */
void roce_pause_pending(struct roce_port *port, u64 at_ns)
{
	const struct roce_pfc *pfc = &port->pfc;

	while (pfc->count && pfc->pending[pfc->head].at_ns <= at_ns)
		roce_pause_apply_first(port, at_ns);
}

/* Have a frame take effect at @at_ns, after those before it. A peer that sends
 * more of them than a line can carry makes the first of them early.
 */
static void roce_pause_defer(struct roce_port *port, const struct roce_pfc_frame *frame, u64 at_ns,
			     u64 now_ns)
{
	struct roce_pfc *pfc = &port->pfc;
	struct roce_pfc_pending *slot;

	if (pfc->count == ROCE_PFC_PENDING)
		roce_pause_apply_first(port, now_ns);
	slot = &pfc->pending[(pfc->head + pfc->count) % ROCE_PFC_PENDING];
	slot->at_ns = at_ns;
	slot->frame = *frame;
	pfc->count++;
}

/**
 * roce_pause_receive - a PFC frame has come in
 * @port: port, its switch advanced to now
 * @frame: what it says
 * @now_ns: present time
 *
 * It takes effect now or later. The caller then pokes the line.
 */
void roce_pause_receive(struct roce_port *port, const struct roce_pfc_frame *frame, u64 now_ns)
{
	struct roce_pfc *pfc = &port->pfc;
	u64 at_ns = now_ns + port->cfg.pfc_response_ns;

	/* The response time may have been shortened: keep the order. */
	if (pfc->count) {
		unsigned int last = pfc->head + pfc->count - 1;

		at_ns = max(at_ns, pfc->pending[last % ROCE_PFC_PENDING].at_ns);
	}
	if (at_ns > now_ns)
		roce_pause_defer(port, frame, at_ns, now_ns);
	else
		roce_pause_apply(port, frame, now_ns);
}

/**
 * roce_pause_expire - find the next pause to end, for an idle line
 * @port: port
 * @at_ns: present time of the model
 * @end: set to its exact end
 *
 * Return: there is one that ends by now, and packets wait for that.
 */
bool roce_pause_expire(struct roce_port *port, u64 at_ns, struct roce_time *end)
{
	unsigned long waiting = port->backlog & port->pfc.paused;
	const struct roce_time *until;
	bool found = false;
	int id;

	for_each_set_bit(id, &waiting, TC_ROCE_PRIOS) {
		until = &port->prio[id].pause.until;
		if (roce_time_ceil(until) > at_ns || (found && roce_time_after(until, end)))
			continue;
		*end = *until;
		found = true;
	}
	return found;
}

/**
 * roce_pause_storm - a paused priority is in a storm
 * @port: port
 * @id: priority
 * @at_ns: since when
 *
 * Return: the packets that wait are to be lost.
 */
bool roce_pause_storm(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_prio *prio = &port->prio[id];
	u8 action = port->cfg.pfc_watchdog_action;

	prio->pause.storms++;
	port->pfc.storm |= BIT(id);
	trace_roce_storm(port, at_ns, id, action, prio->pause.since_ns);
	if (port->dev && net_ratelimit())
		netdev_warn(port->dev, "roce: PFC storm: priority %u paused for %llu ns\n",
			    id, at_ns - prio->pause.since_ns);

	return action == TC_ROCE_WATCHDOG_DROP;
}

/**
 * roce_pause_forget - a priority is no longer paused, whatever the peer said
 * @port: port
 * @id: priority
 * @now_ns: present time
 */
void roce_pause_forget(struct roce_port *port, u8 id, u64 now_ns)
{
	struct roce_time now = { .ns = now_ns };

	if (!roce_pause_over(port, id, now))
		roce_pause_end(port, id, now_ns);
}

/**
 * roce_port_paused - has the peer paused a priority?
 * @port: port, advanced to now
 * @id: priority
 * @now_ns: present time
 *
 * Return: true if so.
 */
bool roce_port_paused(const struct roce_port *port, u8 id, u64 now_ns)
{
	return port->pfc.paused & BIT(id) && roce_time_ceil(&port->prio[id].pause.until) > now_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_paused);

/**
 * roce_port_pause_ns - how long a priority has been paused
 * @port: port, advanced to now
 * @id: priority
 * @now_ns: present time
 *
 * Return: sum of all pauses in ns, the present one included.
 */
u64 roce_port_pause_ns(const struct roce_port *port, u8 id, u64 now_ns)
{
	const struct roce_pause *pause = &port->prio[id].pause;

	if (!(port->pfc.paused & BIT(id)))
		return pause->pause_ns;
	return pause->pause_ns - pause->since_ns + min(now_ns, roce_time_ceil(&pause->until));
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_pause_ns);
