/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which samples of telemetry may be compared, by the table of Documentation/algorithms/hpcc.md,
 * for the floating-point models. User space; shares nothing with the kernel's implementation
 * but the events: the identities of ports are compared, not hashed.
 */
#ifndef _RXE_CC_PATH_MODEL_H
#define _RXE_CC_PATH_MODEL_H

#include "hpcc_events.h"

#define MAX_HOPS	8
/* A port's time is ahead of the own by so much and twice what has passed, at most. */
#define HELD_NS		100e6
/* The fastest line there is. */
#define MAX_BPS		800e9

static bool possible(const struct hpcc_ev *e)
{
	u32 i;

	for (i = 0; i < e->nr; i++)
		if (!e->hop[i].rate_bps)
			return false;
	return e->nr && e->nr <= MAX_HOPS;
}

static bool same_path(const struct hpcc_ev *a, const struct hpcc_ev *b)
{
	u32 i;

	for (i = 0; i < a->nr; i++)
		if (a->hop[i].node != b->hop[i].node ||
		    a->hop[i].port != b->hop[i].port)
			return false;
	return a->nr == b->nr;
}

/* @bps: what the port can send. */
static bool contradicts(const struct rxe_cc_int_hop *l,
			const struct rxe_cc_int_hop *h, double bps)
{
	double dt = (long long)(h->ts_ns - l->ts_ns);
	double sent = (long long)(h->tx_bytes - l->tx_bytes);
	double line = bps * dt / 8e9;

	if (dt < 0)
		return true;
	return dt && (sent < 0 || sent > line + line / 1024 + 65536);
}

/* May @e be compared with @last? @pseudo: its last port is a pseudo queue, by which more than
 * its speed may go.
 */
static bool comparable(const struct hpcc_ev *last, const struct hpcc_ev *e, bool pseudo)
{
	bool use = possible(e) && last->nr && same_path(e, last);
	u32 i;

	for (i = 0; i < e->nr && use; i++)
		use = (double)(long long)(e->hop[i].ts_ns - last->hop[i].ts_ns) <=
			      2.0 * (e->now_ns - last->now_ns) + HELD_NS &&
		      !contradicts(&last->hop[i], &e->hop[i],
				   pseudo && i == e->nr - 1 ? MAX_BPS : e->hop[i].rate_bps);
	return use;
}

#endif /* _RXE_CC_PATH_MODEL_H */
