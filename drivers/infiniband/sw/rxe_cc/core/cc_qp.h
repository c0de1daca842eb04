/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct rxe_cc_qp, the core's state of a queue pair, and functions on it.
 */
#ifndef _RXE_CC_QP_H
#define _RXE_CC_QP_H

#include <linux/cache.h>
#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_host.h>

#include "cc_unexpected_psn.h"
#include "cc_int_unwrap.h"
#include "cc_flow_update.h"
#include "cc_owd.h"
#include "cc_pacer.h"
#include "cc_peer.h"
#include "cc_port.h"
#include "cc_inflight.h"
#include "cc_recent_psns.h"
#include "cc_receiver_port.h"
#include "cc_int_sampling.h"
#include "cc_send_seq64.h"

/* A flow asks for an ACK at least that often: below the shortest
 * retransmission timeout, which is a jiffy.
 */
#define RXE_CC_ACK_QUIET_NS	(250 * NSEC_PER_USEC)

/* What an algorithm was called for, or what else happened to its flow. Records have
 * other numbers: rxe_cc_evt_kind().
 */
enum rxe_cc_event {
	RXE_CC_EV_ACK,
	RXE_CC_EV_SENT,
	RXE_CC_EV_CNP,
	RXE_CC_EV_TIMER,
	RXE_CC_EV_LOSS,
	RXE_CC_EV_DATA,
	RXE_CC_EV_FILL,
	RXE_CC_EV_GROUP,
	RXE_CC_EV_INIT,
	RXE_CC_EV_CHANGE,
	RXE_CC_EV_ENV,
	RXE_CC_EV_END,
	RXE_CC_EV_CMD,
};

/**
 * struct rxe_cc_cnp_from - CNPs of one author that were believed
 * @psn: newest packet that one named, by side
 * @port: number of the port of a switch
 * @seen: sides whose @psn is valid, BIT(enum rxe_cc_side)
 */
struct rxe_cc_cnp_from {
	u32 psn[2];
	u16 port;
	u8 seen;
};

/**
 * struct rxe_cc_cnps - CNPs that were believed
 * @due_ns: when the next one without a PSN may come, if they come no more often than
 *	the flow says
 * @peer: those of the peer
 * @port: those of ports of switches; one without a packet under way is free
 * @sent: a data packet was sent since the last one
 */
struct rxe_cc_cnps {
	u64 due_ns;
	struct rxe_cc_cnp_from peer;
	struct rxe_cc_cnp_from port[RXE_CC_CNP_PORTS];
	bool sent;
};

/* Packets of a flow that can be measured at a time, at most: a power of two. */
#define RXE_CC_MAX_SLOTS	1024

/**
 * struct rxe_cc_slot - a packet whose round-trip time is being measured
 * @sent_ns: when it was handed to the port; 0: none is
 * @left: its PSN and when its last bit left the port, see rxe_cc_tx_left(). Written
 *	without the lock
 * @psn: its PSN
 * @wire_bytes: its length on the wire
 * @reported: its departure is
 */
struct rxe_cc_slot {
	u64 sent_ns;
	atomic64_t left;
	u32 psn;
	u32 wire_bytes : 31;
	u32 reported : 1;
};

/* Compact telemetry that goes on from packet to packet: what came back, and what came
 * with data.
 */
enum rxe_cc_ext {
	RXE_CC_EXT_ECHO,
	RXE_CC_EXT_DATA,
	RXE_CC_NR_EXTS,
};

/**
 * struct rxe_cc_compaction - may the telemetry of a flow be compact?
 * @heard_ns: when the last came back
 * @far: compact echoes in a row that came too long after the one before
 * @near: echoes in full, in a row, that could have been compact
 * @full: it may not: it is asked for in full
 * @due: @full has changed, and is to be applied
 */
struct rxe_cc_compaction {
	u64 heard_ns;
	u8 far;
	u8 near;
	bool full;
	bool due;
};

/**
 * struct rxe_cc_qp - a queue pair under congestion control
 * @handle: what the transport sees
 * @port: its port
 * @host_qp: transport's queue pair
 * @inst: the algorithm; changed under both locks
 * @peer: to whom it is connected; changed under both locks
 * @peer_priv: what @inst knows of @peer; likewise
 * @cap: of @peer, for the DSCP of what it sends; changed under qp->lock
 * @slots: packets that are measured where that is all of them, by the low bits of their
 *	PSNs. Made when an algorithm wants that; lives as long as the queue pair,
 *	since departures are noted without the lock
 * @slot_mask: how many there are, less 1
 * @wants: &rxe_cc_flow.wants as applied
 * @algo_on: an algorithm other than none runs
 * @sync_rx: on_data, or who counts for it, wants every packet
 * @rx_hops: on_data wants packets with hops
 * @rx_looks: the same, and the hops are echoed
 * @has_fb: answers may carry feedback, besides what they echo: rxe_cc_qp_set_has_fb()
 * @int_probe: telemetry comes by probes, which the peer understands
 * @rtts: all requests that ask for an ACK are measured, in @slots
 * @ect: data is ECN-capable
 * @dscp: by enum rxe_cc_class; or RXE_CC_DSCP_KEEP
 * @override: chosen for this QP
 * @info: identity and path
 * @lock: guards all below that the data path writes
 * @flow: what the algorithm sees
 * @own: memory of @flow's state of the algorithm and of @ext; changed with @inst
 * @own_next: the same for an algorithm that is about to come; port->mutex
 * @ext: compact telemetry by enum rxe_cc_ext; NULL under an algorithm without
 *	%RXE_CC_ALGO_NEED_INT
 * @rx: what it receives, as one of the port's
 * @cap_busy: sides that have something under way, BIT(enum rxe_cc_side); with any it is
 *	one of &rxe_cc_cap.busy
 * @cap_paced: @pacer is slower than the algorithm wants, by a window of a switch
 * @in_group: in the groups of @inst and of @peer_priv
 * @pacer: schedule
 * @psns: send sequence space
 * @vseq: one sequence for requests and READ responses, for the algorithm
 * @sparse: packet with INT, or probe, that is out
 * @compact: whether to ask for it
 * @pkt_waiting: sides that the pacer holds back, BIT(enum rxe_cc_side)
 * @win_waiting: the window holds the requester back
 * @asked: @asked_psn is valid
 * @older_out: packets may be out that were sent before the algorithm came
 * @resv6: on a port whose packets bear tokens: what the next request bears
 * @rtt_sampling: an RTT measurement is under way in @slot
 * @rtt_sample_resp: it waits for the report on a READ response, not for an ACK
 * @rtt_sample_misses: such measurements in a row that were given up
 * @asked_psn: last packet that asked for an ACK
 * @resp_sent: @resp_max is valid
 * @resp_max: next PSN for which no READ response was ever sent
 * @resp_nxt: PSN after the READ response that was sent last
 * @slot: packet that is measured where that is one at a time
 * @rtt_ns: the last round trip measured; 0: none yet
 * @idle_rtt: round trips on the idle path
 * @owd_tx: one-way delays of own packets
 * @owd_rx: those of the peer's
 * @last_ns: latest time shown to the algorithm
 * @timer_set_ns: what @algo_timer is armed for
 * @tel_heard: an answer to telemetry has come since it is on, or since the last
 *	timeout
 * @tel_off_ns: how long telemetry is off the next time that nobody answers
 * @tel_again_ns: until then another timeout is the same one
 * @rx_seq: number of the last packet heard of: of requests, of READ responses
 * @rx_heard: @rx_seq is valid
 * @report_due: on_data asked for a report that has not been sent yet
 * @report_ns: when the last report of the algorithm was sent
 * @reports_seen: kinds of which @report_psn is valid, BIT(enum rxe_cc_report_kind)
 * @report_psn: newest packet reported on, of each kind
 * @recent: READ responses, or packets of a UC queue pair: nobody acknowledges them
 * @cnp: which CNPs may be believed
 * @expect: which PSNs the peer may use next
 * @pace_timer: wakes the sides in @pkt_waiting
 * @algo_timer: the algorithm's
 * @counter: see enum rxe_cc_qp_counter
 * @made: see enum rxe_cc_made; without the lock
 */
struct rxe_cc_qp {
	__cacheline_group_begin(rxe_cc_qp_read);

	struct rxe_cc_qp_handle *handle;
	struct rxe_cc_port *port;
	void *host_qp;
	struct rxe_cc_inst *inst;
	struct rxe_cc_peer *peer;
	struct rxe_cc_peer_priv *peer_priv;
	struct rxe_cc_cap *cap;
	struct rxe_cc_slot *slots;
	u32 slot_mask;
	u16 wants;
	bool algo_on;
	bool sync_rx;
	bool rx_hops;
	bool rx_looks;
	bool has_fb;
	bool int_probe;
	bool rtts;
	bool ect;
	u8 dscp[RXE_CC_NR_CLASSES];
	bool override;
	struct rxe_cc_qp_info info;

	__cacheline_group_end(rxe_cc_qp_read);

	spinlock_t lock ____cacheline_aligned; /* see above */
	struct rxe_cc_flow flow;
	void *own;
	void *own_next;
	struct rxe_cc_extend *ext;
	struct rxe_cc_rx_ent rx;
	u8 cap_busy;
	bool cap_paced;
	struct list_head in_group[RXE_CC_NR_GROUPS];
	struct rxe_cc_pacer pacer;
	struct rxe_cc_psns psns;
	struct rxe_cc_vseq vseq;
	struct rxe_cc_sparse sparse;
	struct rxe_cc_compaction compact;
	unsigned long pkt_waiting;
	bool win_waiting;
	bool older_out;
	bool asked;
	bool rtt_sampling;
	bool rtt_sample_resp;
	u8 rtt_sample_misses;
	bool resp_sent;
	u8 resv6;
	u32 asked_psn;
	u32 resp_max;
	u32 resp_nxt;
	struct rxe_cc_slot slot;
	u64 rtt_ns;
	struct rxe_cc_idle idle_rtt;
	struct rxe_cc_owd owd_tx;
	struct rxe_cc_owd owd_rx;
	u64 last_ns;
	u64 timer_set_ns;
	bool tel_heard;
	u64 tel_off_ns;
	u64 tel_again_ns;
	u64 rx_seq[2];
	bool rx_heard[2];
	bool report_due;
	u64 report_ns;
	u8 reports_seen;
	u32 report_psn[RXE_CC_NR_REPORT_KINDS];
	struct rxe_cc_recent recent;
	struct rxe_cc_expect expect;
	struct rxe_cc_cnps cnp;
	struct hrtimer pace_timer;
	struct hrtimer algo_timer;
	u64 counter[RXE_CC_NR_QP_COUNTERS];
	atomic64_t made[RXE_CC_NR_MADE];
};

/* Any context, without qp->lock. */
static inline void rxe_cc_count_made(struct rxe_cc_qp *qp, enum rxe_cc_made what)
{
	atomic64_inc(&qp->made[what]);
}

/**
 * rxe_cc_now() - time of what happens to a queue pair
 * @qp: queue pair
 *
 * Reading the clock with bottom halves off costs no virtual time in User-Mode Linux, so a
 * sample bears the very time of its event.
 *
 * Context: qp->lock held.
 *
 * Return: the time, never before the last one.
 */
static inline u64 rxe_cc_now(struct rxe_cc_qp *qp)
{
	u64 now_ns = ktime_get_ns();

	lockdep_assert_held(&qp->lock);
	qp->last_ns = max(qp->last_ns, now_ns);
	return qp->last_ns;
}

static inline u64 rxe_cc_inflight_bytes(const struct rxe_cc_qp *qp)
{
	return (u64)rxe_cc_psns_inflight(&qp->psns) * qp->flow.pkt_bytes;
}

/* A sample of now, for a call without a packet. Under qp->lock. */
static inline struct rxe_cc_sample rxe_cc_sample_now(struct rxe_cc_qp *qp)
{
	return (struct rxe_cc_sample) {
		.now_ns = rxe_cc_now(qp),
		.next_seq = qp->vseq.next,
		.inflight_bytes = rxe_cc_inflight_bytes(qp),
	};
}

/**
 * rxe_cc_wake() - have the transport ask again
 * @qp: queue pair
 * @sides: who is to, BIT(enum rxe_cc_side)
 *
 * Context: any, without qp->lock.
 */
static inline void rxe_cc_wake(struct rxe_cc_qp *qp, unsigned long sides)
{
	if (sides & BIT(RXE_CC_REQUESTER))
		qp->port->host_ops->wake(qp->host_qp, RXE_CC_REQUESTER);
	if (sides & BIT(RXE_CC_RESPONDER))
		qp->port->host_ops->wake(qp->host_qp, RXE_CC_RESPONDER);
}

/**
 * rxe_cc_qp_set_has_fb() - may the next answer carry feedback?
 * @qp: queue pair; its algorithm has been called, or a report that was due is sent
 *
 * It changes seldom, and whoever builds an answer reads it without the lock.
 *
 * Context: qp->lock held.
 */
static inline void rxe_cc_qp_set_has_fb(struct rxe_cc_qp *qp)
{
	bool has_fb = qp->inst->ops->fill_ack || qp->flow.report.always || qp->report_due;

	if (qp->has_fb != has_fb)
		WRITE_ONCE(qp->has_fb, has_fb);
}

/* The algorithm wants its report sent, soon and once. Under qp->lock. */
static inline void rxe_cc_qp_report_due(struct rxe_cc_qp *qp)
{
	qp->report_due = true;
	rxe_cc_qp_set_has_fb(qp);
}

/* State of the algorithm for the queue pair's peer; NULL when it has none. */
static inline void *rxe_cc_peer_data(struct rxe_cc_qp *qp)
{
	return qp->inst->ops->peer_priv_size ? qp->peer_priv->data : NULL;
}

/* Have all flows of the algorithm to this peer look at what they share. Under
 * qp->lock.
 */
static inline void rxe_cc_peer_kick(struct rxe_cc_qp *qp)
{
	rxe_cc_group_kick(&qp->peer_priv->group);
}

/**
 * rxe_cc_qp_view() - what the algorithm sees of the port, as it is now
 * @qp: queue pair
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
static inline void rxe_cc_qp_view(struct rxe_cc_qp *qp, u64 now_ns)
{
	if (rxe_cc_rxp_on(qp->inst->rx))
		rxe_cc_rxp_view(qp->inst->rx, &qp->peer_priv->rx, &qp->flow.rx, now_ns);
}

/* Was this READ response sent before? What is too far back to be asked for again is
 * a PSN that has come round: the peer uses them for other requests, too.
 */
static inline bool rxe_cc_resp_again(const struct rxe_cc_qp *qp, u32 psn)
{
	s32 ahead = rxe_cc_psn_diff(psn, qp->resp_max);

	return qp->resp_sent && ahead < 0 && ahead >= -(s32)BIT(20);
}

/* cc_counters.c */
u64 rxe_cc_qp_count(const struct rxe_cc_qp *qp, enum rxe_cc_qp_counter c);

/* cc_qp_life.c */
bool rxe_cc_qp_may_run(const struct rxe_cc_qp *qp,
		       const struct rxe_cc_ops *ops);
int rxe_cc_qp_prepare(struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops);
void rxe_cc_qp_unprepare(struct rxe_cc_qp *qp);
void rxe_cc_qp_switch(struct rxe_cc_qp *qp, struct rxe_cc_inst *inst);
void rxe_cc_qp_refresh(struct rxe_cc_qp *qp, const u64 *params);
int rxe_cc_qp_choose(struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops);

/* cc_inflight.c */
bool rxe_cc_psn_out(const struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		    u64 now_ns);
void rxe_cc_psn_sent(struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		     u32 next_psn, u64 now_ns);

#endif /* _RXE_CC_QP_H */
