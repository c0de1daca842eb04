/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Internal header of the core: declares what its files share, and documents its locks.
 *
 * rxe_cc_mutex	the registry and the list of ports. Process context; not on the path of
 *		queue pairs that come, change and go. Who holds it keeps every port.
 * port->mutex	everything of a port that configuration changes: its QPs, knobs,
 *		instances, peers. Process context. No lock of the network's is taken inside:
 *		the transport reports the speed of the link, nobody asks for it.
 * rx->lock	what is counted at a port where an algorithm receives, see cc_receiver_port.c. Taken
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
 *	qp->rx_hops, rx_looks, has_fb, sync_rx, dscp[], ect		qp->lock
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

#include <linux/percpu.h>

#include "cc_port.h"
#include "cc_qp.h"
#include "cc_tlv_parse.h"

/* cc_algo_call.c */
void rxe_cc_qp_timers_init(struct rxe_cc_qp *qp);
bool rxe_cc_window_full(const struct rxe_cc_qp *qp);
void rxe_cc_pace_arm(struct rxe_cc_qp *qp);
unsigned long rxe_cc_qp_apply(struct rxe_cc_qp *qp, u64 now_ns, u8 event);
void rxe_cc_qp_kick(struct rxe_cc_qp *qp, u64 now_ns);
unsigned long rxe_cc_qp_pace(struct rxe_cc_qp *qp, u64 now_ns);
unsigned long rxe_cc_call(struct rxe_cc_qp *qp, u8 event,
			  void (*fn)(struct rxe_cc_flow *flow,
				     const struct rxe_cc_sample *s),
			  const struct rxe_cc_sample *s);
unsigned long rxe_cc_call_ack(struct rxe_cc_qp *qp,
			      const struct rxe_cc_sample *s);
int rxe_cc_qp_cmd(struct rxe_cc_qp *qp, const struct rxe_cc_cmd *cmd,
		  struct rxe_cc_cmd_call *c);
void rxe_cc_congested(struct rxe_cc_qp *qp, u8 before, u64 now_ns);

/**
 * rxe_cc_congestion() - what the algorithm is about to change if it sees another type
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: for rxe_cc_congestion_done().
 */
static inline u8 rxe_cc_congestion(struct rxe_cc_qp *qp)
{
	if (qp->inst->ops->port_congestion)
		qp->flow.congestion = READ_ONCE(qp->inst->congestion);
	return qp->flow.congestion;
}

/**
 * rxe_cc_congestion_done() - it has been called
 * @qp: queue pair
 * @before: from rxe_cc_congestion()
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
static inline void rxe_cc_congestion_done(struct rxe_cc_qp *qp, u8 before, u64 now_ns)
{
	if (unlikely(qp->flow.congestion != before))
		rxe_cc_congested(qp, before, now_ns);
}

/* cc_ack_request.c */
void rxe_cc_tx_decide(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
		      u64 now_ns, struct rxe_cc_tx *tx);
bool rxe_cc_int_before(struct rxe_cc_qp *qp, enum rxe_cc_side side, u64 now_ns,
		       u32 *psn);
void rxe_cc_int_probe(struct rxe_cc_qp *qp, u32 psn);

/* cc_iofd_tokens.c */
bool rxe_cc_tokens_next(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 bytes);
void rxe_cc_tokens_sent(struct rxe_cc_qp *qp);

/* cc_unexpected_psn.c */
void rxe_cc_rx_read(struct rxe_cc_qp *qp, u32 bytes);

/* cc_receiver.c */
void rxe_cc_qp_unheard(struct rxe_cc_qp *qp);

/* cc_window_cap.c */
enum rxe_cc_cap_event {
	RXE_CC_CAP_SET,
	RXE_CC_CAP_LIFTED,
	RXE_CC_CAP_EXPIRED,
};

void rxe_cc_cap_class(struct rxe_cc_qp *qp, u8 dscp);
void rxe_cc_cap_set(struct rxe_cc_qp *qp, u16 port, u64 window_bytes, u64 now_ns);
void rxe_cc_cap_lift(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_cap_expire(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_cap_busy(struct rxe_cc_qp *qp, enum rxe_cc_side side, bool busy);
void rxe_cc_cap_idle(struct rxe_cc_qp *qp);
u64 rxe_cc_cap_bytes(const struct rxe_cc_qp *qp);
u64 rxe_cc_cap_share(const struct rxe_cc_qp *qp);
u64 rxe_cc_cap_bps(const struct rxe_cc_qp *qp);
u64 rxe_cc_cwnd_bytes(const struct rxe_cc_qp *qp);

/* cc_cnp_rx.c */
void rxe_cc_cnps_again(struct rxe_cc_qp *qp, enum rxe_cc_side side);

/* cc_flow_env.c */
void rxe_cc_qp_env(const struct rxe_cc_qp *qp, struct rxe_cc_env *env);
void rxe_cc_qp_set_env(struct rxe_cc_qp *qp);
void rxe_cc_owd_forget(struct rxe_cc_qp *qp);
int rxe_cc_qp_telemetry_state(const struct rxe_cc_qp *qp);
void rxe_cc_int_flags(struct rxe_cc_qp *qp);

/* cc_rtt.c */
void rxe_cc_rtts_forget(struct rxe_cc_qp *qp);
void rxe_cc_rtts_wanted(struct rxe_cc_qp *qp);
bool rxe_cc_asks_time(const struct rxe_cc_qp *qp);
bool rxe_cc_rtt_sample_next(struct rxe_cc_qp *qp, bool resp, u32 psn, u64 now_ns);
void rxe_cc_rtt_sample_resp(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, u64 now_ns);
void rxe_cc_rtt_sample_req(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, bool asks,
			   bool again, u64 now_ns);
void rxe_cc_rtt_sample_end(struct rxe_cc_qp *qp);
void rxe_cc_rtt_sample_expire(struct rxe_cc_qp *qp, u64 now_ns);
bool rxe_cc_rtt_sampling(const struct rxe_cc_qp *qp, u64 now_ns);
bool rxe_cc_measuring(const struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_ack_rtt(struct rxe_cc_qp *qp, u32 psn, bool own, u64 arrived_ns,
		    struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb);
void rxe_cc_resp_rtt(struct rxe_cc_qp *qp, u32 psn, u64 arrived_ns,
		     struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb);
void rxe_cc_rx_owd(struct rxe_cc_qp *qp, struct rxe_cc_sample *s, const struct rxe_cc_rx *rx);

/* cc_int_feedback.c */
/**
 * struct rxe_cc_hops - telemetry of the call under way: too much for a stack
 * @hop: as the algorithm sees it
 *
 * One for each CPU: whoever uses it holds a queue pair's lock with bottom halves off until the
 * call is over, and no call is made from within another.
 */
struct rxe_cc_hops {
	struct rxe_cc_int_hop hop[RXE_CC_INT_MAX_HOPS];
};

DECLARE_PER_CPU(struct rxe_cc_hops, rxe_cc_hops);

bool rxe_cc_qp_feedback(struct rxe_cc_qp *qp, struct rxe_cc_feedback *fb,
			const void *tlv, unsigned int tlv_bytes);
bool rxe_cc_qp_hops(struct rxe_cc_qp *qp, struct rxe_cc_extend *e,
		    const struct rxe_cc_feedback *fb, u64 now_ns);
void rxe_cc_sample_feedback(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
			    const struct rxe_cc_feedback *fb);
void rxe_cc_qp_echo(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		    const struct rxe_cc_feedback *fb);
void rxe_cc_tel_count(struct rxe_cc_qp *qp);
void rxe_cc_learn_caps(struct rxe_cc_qp *qp, u8 caps, u64 now_ns);
void rxe_cc_tel_heard(struct rxe_cc_qp *qp, const struct rxe_cc_feedback *fb);
void rxe_cc_tel_timeout(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_ack_path(const struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		     const struct rxe_cc_feedback *fb);

#endif /* _RXE_CC_CORE_H */
