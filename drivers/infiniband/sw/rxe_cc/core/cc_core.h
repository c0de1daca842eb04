/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All of the core, and its locks.
 *
 * rxe_cc_mutex	the registry and the list of ports. Process context; not on the path of
 *		queue pairs that come, change and go. Who holds it keeps every port.
 * port->mutex	everything of a port that configuration changes: its QPs, knobs,
 *		instances, peers. Process context. No lock of the network's is taken inside:
 *		the transport tells the speed of the link, nobody asks for it.
 * rx->lock	what is counted at a port where an algorithm receives, see cc_rxport_count.c. Taken
 *		in work and softirq, inside of qp->lock and inst->lock; nothing inside of it.
 * inst->lock	timer of an algorithm on a port, and its parameters there. Taken in
 *		softirq and inside of qp->lock.
 * qp->lock	a QP's flow, pacer and sequence space. Taken in work and in
 *		softirq, so always with bottom halves off. Inside of it only
 *		inst->lock, rx->lock and those of hrtimers and work queues. Callbacks of the
 *		transport run without it.
 *
 * Order: rxe_cc_mutex, port->mutex, qp->lock.
 *
 * A packet takes qp->lock once before it is sent (rxe_cc_tx_next()) and once after it
 * (rxe_cc_tx_sent()); one that comes, of whatever kind, once at most. Counters of a port are
 * each CPU's own; of a queue pair, those of packets that the core makes itself are atomic.
 *
 * Read without a lock, always by READ_ONCE(), and written by WRITE_ONCE() under the lock:
 *	handle->on, stamps, caps, peer, tel_until_ns	qp->lock
 *	port->handle: limits, int_*, tokens		port->mutex
 *	port->knob[], link_bps, managed			port->mutex
 *	port->line_rate_bps				port->mutex
 *	qp->rx_hops, has_fb, sync_rx, dscp[], ect		qp->lock
 *	qp->pkt_waiting					atomic bits; qp->lock not needed
 *	qp->slots					set once, by smp_store_release()
 *	slot->left					atomic; see rxe_cc_tx_left()
 *	cap->bytes, until_ns				cap->lock, of any queue pair of that cap
 *	inst->congestion				xchg()
 *	rx->due_ns and what is beside it		rx->lock
 * Of qp->inst, peer and peer_priv, both port->mutex and qp->lock are held to change them, and
 * either is enough to read them.
 *
 * Fields that packets read and only configuration, or a new connection, writes are in cache
 * lines of their own: rxe_cc_qp_read, rxe_cc_port_read, rxe_cc_inst_read.
 */
#ifndef _RXE_CC_CORE_H
#define _RXE_CC_CORE_H

#include "cc_apply.h"
#include "cc_ask.h"
#include "cc_cap.h"
#include "cc_cnp.h"
#include "cc_env.h"
#include "cc_port.h"
#include "cc_qp.h"
#include "cc_rtt.h"
#include "cc_telemetry.h"

#endif /* _RXE_CC_CORE_H */
