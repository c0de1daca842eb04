/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core's own structures and their locks.
 *
 * rxe_cc_mutex	the registry and the list of ports. Process context; not on the path of
 *		queue pairs that come, change and go. Who holds it keeps every port.
 * port->mutex	everything of a port that configuration changes: its QPs, knobs,
 *		instances, peers. Process context. No lock of the network's is taken inside:
 *		the transport tells the speed of the link, nobody asks for it.
 * rx->lock	what is counted at a port where an algorithm receives, see cc_rxport.c. Taken
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
 *	qp->rx_hops, sync_rx, dscp[], ect		qp->lock
 *	qp->pkt_waiting					atomic bits; qp->lock not needed
 *	qp->slots					set once, by smp_store_release()
 *	slot->left					atomic; see rxe_cc_tx_left()
 *	peer->cap_bytes, cap_until_ns			any queue pair of that peer; the last wins
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

#include <linux/cache.h>
#include <linux/hrtimer.h>
#include <linux/in6.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_host.h>
#include <rxe_cc/wire.h>

#include "cc_expect.h"
#include "cc_extend.h"
#include "cc_flow.h"
#include "cc_owd.h"
#include "cc_pacer.h"
#include "cc_psn.h"
#include "cc_recent.h"
#include "cc_rxport.h"
#include "cc_sparse.h"
#include "cc_vseq.h"

struct netlink_ext_ack;

/* So far behind the first packet sent under an algorithm none is that was sent
 * before, but for the longest READ at the smallest MTU.
 */
#define RXE_CC_UNSURE_PSNS	((s32)BIT(22))

/* A flow asks for an ACK at least that often: below the shortest
 * retransmission timeout, which is a jiffy.
 */
#define RXE_CC_ACK_QUIET_NS	(250 * NSEC_PER_USEC)

enum rxe_cc_knob {
	RXE_CC_KNOB_LINE_RATE,
	RXE_CC_KNOB_MIN_RATE,
	RXE_CC_KNOB_BURST,
	RXE_CC_KNOB_BASE_RTT,
	RXE_CC_KNOB_ACK_EVERY,
	RXE_CC_KNOB_MAX_UNACKED,
	RXE_CC_KNOB_MAX_SKBS_OUT,
	RXE_CC_KNOB_DATA_DSCP,
	RXE_CC_KNOB_CNP_DSCP,
	RXE_CC_KNOB_INT,
	RXE_CC_KNOB_INT_HOPS,
	RXE_CC_KNOB_INT_DSCP,
	RXE_CC_KNOB_ACK_DSCP,
	RXE_CC_KNOB_RTT_WINDOW,
	RXE_CC_KNOB_REPORT_INTERVAL,
	RXE_CC_KNOB_SWITCH_FEEDBACK,
	RXE_CC_KNOB_CAP_EXPIRY,
	RXE_CC_KNOB_CLOCK_COMMON,
	RXE_CC_KNOB_IOFD_TOKENS,
	RXE_CC_KNOB_IOFD_SHORT,
	RXE_CC_NR_KNOBS,
};

/* Values of RXE_CC_KNOB_INT. */
enum rxe_cc_int_mode {
	RXE_CC_INT_OFF,
	RXE_CC_INT_AUTO,	/* to peers that have shown to be sinks */
	RXE_CC_INT_ON,		/* and to those that have shown nothing yet */
};

/* Value of a DSCP knob: keep what the application chose. */
#define RXE_CC_DSCP_KEEP	64
/* Value of ack_dscp: that of data. */
#define RXE_CC_DSCP_DATA	65

enum rxe_cc_counter {
	RXE_CC_CNT_NP_CNP_SENT,
	RXE_CC_CNT_NP_ECN_MARKED,
	RXE_CC_CNT_NP_CNP_FAILED,
	RXE_CC_CNT_RP_CNP_HANDLED,
	RXE_CC_CNT_RP_CNP_IGNORED,
	RXE_CC_CNT_PACING_STALLS,
	RXE_CC_CNT_WINDOW_STALLS,
	RXE_CC_CNT_RETRANSMITS,
	RXE_CC_CNT_TIMEOUTS,
	RXE_CC_CNT_BAD_ACKS,
	RXE_CC_CNT_UNMANAGED,
	/* In the order of enum rxe_cc_int_event. */
	RXE_CC_CNT_INT,
	RXE_CC_CNT_INT_LAST = RXE_CC_CNT_INT + RXE_CC_NR_INT_EVENTS - 1,
	RXE_CC_CNT_ECHO,
	RXE_CC_CNT_ECHO_PARTIAL,
	RXE_CC_CNT_ECHO_BAD_HOP,
	RXE_CC_CNT_ECHO_UNUSED,
	RXE_CC_CNT_TLV_UNKNOWN,
	/* In the order of enum rxe_cc_tlv_verdict, from the first bad one on. */
	RXE_CC_CNT_TLV_SHORT,
	RXE_CC_CNT_TLV_LENGTH,
	RXE_CC_CNT_TLV_TWICE,
	RXE_CC_CNT_TLV_OTHER_ALGO,
	/* In the order of enum rxe_cc_telemetry, without NONE. */
	RXE_CC_CNT_TEL,
	RXE_CC_CNT_TEL_LAST = RXE_CC_CNT_TEL + RXE_CC_NR_TELEMETRY - 2,
	RXE_CC_CNT_REPORT_SENT,
	RXE_CC_CNT_REPORT_BYTES,
	RXE_CC_CNT_REPORT_RECEIVED,
	RXE_CC_CNT_REPORT_IGNORED,
	RXE_CC_CNT_REPORT_KIND,
	RXE_CC_CNT_REPORT_PSN,
	RXE_CC_CNT_REPORT_LATE,
	RXE_CC_CNT_REPORT_TLV,
	RXE_CC_CNT_REPORT_UNUSED,
	RXE_CC_CNT_PROBE_SENT,
	RXE_CC_CNT_PROBE_BYTES,
	RXE_CC_CNT_PROBE_FAILED,
	RXE_CC_CNT_RX_BAD_HOP,
	RXE_CC_CNT_COMPACT_FAR,
	RXE_CC_CNT_PEER_ADDED,
	RXE_CC_CNT_PEER_EXPIRED,
	RXE_CC_CNT_REPORT_REFUSED,
	RXE_CC_CNT_RP_CNP_REFUSED,
	RXE_CC_CNT_RP_CNP_FORGED,
	RXE_CC_CNT_RP_CNP_LATE,
	RXE_CC_CNT_RP_CNP_LIMITED,
	RXE_CC_CNT_TOLD_UNUSED,
	RXE_CC_CNT_TAKEN_BACK,
	RXE_CC_CNT_CAP_SET,
	RXE_CC_CNT_CAP_LIFTED,
	RXE_CC_CNT_OWD_REFUSED,
	RXE_CC_CNT_REQUEST_PSN,
	RXE_CC_CNT_PROBE_PSN,
	RXE_CC_CNT_RX_MSG_EXPIRED,
	RXE_CC_CNT_CAP_EXPIRED,
	RXE_CC_CNT_IOFD_BURSTS,
	RXE_CC_CNT_IOFD_WAITS,
	RXE_CC_NR_COUNTERS,
};

#define RXE_CC_CNT_TEL_OF(verdict)	(RXE_CC_CNT_TEL + (verdict) - 1)

enum rxe_cc_qp_counter {
	RXE_CC_QCNT_TX_PACKETS,
	RXE_CC_QCNT_TX_BYTES,
	RXE_CC_QCNT_ACKED_BYTES,
	RXE_CC_QCNT_RX_CE,
	RXE_CC_QCNT_CNP_SENT,
	RXE_CC_QCNT_CNP_HANDLED,
	RXE_CC_QCNT_RETRANSMITS,
	RXE_CC_QCNT_NAKS,
	RXE_CC_QCNT_TIMEOUTS,
	RXE_CC_QCNT_RNR_NAKS,
	RXE_CC_QCNT_BAD_ACKS,
	RXE_CC_QCNT_PACING_STALLS,
	RXE_CC_QCNT_WINDOW_STALLS,
	RXE_CC_QCNT_INT_PACKETS,
	RXE_CC_QCNT_INT_ECHOES,
	RXE_CC_QCNT_PROBES_SENT,
	RXE_CC_QCNT_REPORTS_SENT,
	RXE_CC_QCNT_REPORTS_RECEIVED,
	RXE_CC_NR_QP_COUNTERS,
};

/* Packets that the core had sent by itself, from whatever context. */
enum rxe_cc_made {
	RXE_CC_MADE_CNP,
	RXE_CC_MADE_PROBE,	/* all with INT */
	RXE_CC_MADE_REPORT,
	RXE_CC_NR_MADE,
};

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
	RXE_CC_EV_SHARED,
	RXE_CC_EV_INIT,
	RXE_CC_EV_CHANGE,
	RXE_CC_EV_ENV,
	RXE_CC_EV_END,
	RXE_CC_EV_CMD,
};

/* What the flows of a group share: the algorithm's state of the port, or of a peer. */
enum rxe_cc_group_kind {
	RXE_CC_GROUP_PORT,
	RXE_CC_GROUP_PEER,
	RXE_CC_NR_GROUPS,
};

/**
 * struct rxe_cc_group - flows that share state
 * @qps: queue pairs, by &rxe_cc_qp.in_group; changed under port->mutex, read under
 *	RCU by @work
 * @work: calls on_shared of each
 * @kind: which entry of &rxe_cc_qp.in_group
 */
struct rxe_cc_group {
	struct list_head qps;
	struct work_struct work;
	enum rxe_cc_group_kind kind;
};

/**
 * struct rxe_cc_cnps - CNPs that were believed
 * @due_ns: when the next one without a PSN may come, if they come no more often than
 *	the flow says
 * @psn: newest packet that one named, by side and by whether a switch made it
 * @seen: entries of @psn that are valid, BIT(2 * side + switch)
 * @sent: a data packet was sent since the last one
 */
struct rxe_cc_cnps {
	u64 due_ns;
	u32 psn[2][2];
	u8 seen;
	bool sent;
};

/**
 * struct rxe_cc_inst - an algorithm in use on a port
 * @ops: the algorithm; its module is pinned
 * @params: current values; QPs point to them, so they are replaced, then freed
 * @priv: the algorithm's port state
 * @port: where it runs
 * @rx: what its flows receive at the port; NULL when it never wants to know
 * @algo_id: its number in packets
 * @congestion: enum rxe_cc_congestion, with &rxe_cc_ops.port_congestion. Without a lock
 * @lock: guards the next two, and @params while the timer's handler runs
 * @timer: of the algorithm's port state
 * @timer_ns: what it is armed for, or RXE_CC_NO_TIMER
 * @ready: port_init was called
 * @users: QPs, and one for the port when it is the default
 * @list: in &rxe_cc_port.insts
 * @group: flows that run it
 */
struct rxe_cc_inst {
	__cacheline_group_begin(rxe_cc_inst_read);

	const struct rxe_cc_ops *ops;
	u64 *params;
	void *priv;
	struct rxe_cc_port *port;
	struct rxe_cc_rx_port *rx;
	u32 algo_id;
	u8 congestion;

	__cacheline_group_end(rxe_cc_inst_read);

	spinlock_t lock ____cacheline_aligned; /* see above */
	struct hrtimer timer;
	u64 timer_ns;
	bool ready;
	unsigned int users;
	struct list_head list;
	struct rxe_cc_group group;
};

/* Packets of a flow that can be measured at a time, at most: a power of two. */
#define RXE_CC_MAX_SLOTS	1024

/**
 * struct rxe_cc_slot - a packet whose round-trip time is being measured
 * @sent_ns: when it was handed to the port; 0: none is
 * @left: its PSN and when its last bit left the port, see rxe_cc_tx_left(). Written
 *	without the lock
 * @psn: its PSN
 * @wire_bytes: its length on the wire; 0 when its departure is not reported
 */
struct rxe_cc_slot {
	u64 sent_ns;
	atomic64_t left;
	u32 psn;
	u32 wire_bytes;
};

#define RXE_CC_PEER_BUCKETS	64

/**
 * struct rxe_cc_peer - another host, as seen from a port
 * @node: in &rxe_cc_port.peers
 * @addr: its address; IPv4 mapped into IPv6; "::" for who is not connected
 * @id: number of it among the peers of the port, for recordings
 * @users: queue pairs
 * @privs: state of algorithms for it
 * @cap_bytes: what its queue pairs may have in flight together; 0: no cap
 * @cap_until_ns: how long that holds
 * @idle: in &rxe_cc_port.idle_peers, while it has no users
 * @idle_since: jiffies
 * @busy: queue pairs that have something in flight. Changes with each message of a
 *	queue pair that has one at a time, while each packet of all of them reads
 *	@cap_bytes: not in one cache line
 */
struct rxe_cc_peer {
	struct hlist_node node;
	struct in6_addr addr;
	u32 id;
	unsigned int users;
	struct list_head privs;
	u64 cap_bytes;
	u64 cap_until_ns;
	struct list_head idle;
	unsigned long idle_since;
	atomic_t busy ____cacheline_aligned;
};

/**
 * struct rxe_cc_peer_priv - state of an algorithm for a peer
 * @list: in &rxe_cc_peer.privs
 * @inst: the algorithm on the port
 * @group: flows of that algorithm to that peer
 * @rx: the peer as a sender
 * @peer_id: number of the peer
 * @named: the command under way names it
 * @data: peer_priv_size bytes
 */
struct rxe_cc_peer_priv {
	struct list_head list;
	struct rxe_cc_inst *inst;
	struct rxe_cc_group group;
	struct rxe_cc_rx_peer rx;
	u32 peer_id;
	bool named;
	u64 data[];
};

/**
 * struct rxe_cc_counts - what a CPU has counted at a port
 * @n: by enum rxe_cc_counter
 */
struct rxe_cc_counts {
	u64 n[RXE_CC_NR_COUNTERS];
};

/**
 * struct rxe_cc_port - a port of an RDMA device
 * @handle: what the transport sees
 * @host_ops: transport's callbacks
 * @host_port: transport's device
 * @counts: what each CPU has counted
 * @line_rate_bps: given or found
 * @unacked_psns: largest value that knob max_unacked_psns has had
 * @managed: @def is not "none"; for those who hold no lock
 * @knob: values, read on the data path with READ_ONCE()
 * @mutex: see above
 * @list: in the list of ports
 * @ibdev: device
 * @port_num: port of @ibdev
 * @ifindex: network device below
 * @insts: algorithms in use
 * @def: default of QPs, never NULL
 * @announced: the device is registered: users may see the port. Changed under both mutexes
 * @qps: queue pairs, by their numbers: a dump goes on behind the last one it told
 * @nr_qps: entries in @qps
 * @link_bps: speed of the link as the transport told it; 0: unknown. Without a lock
 * @link_work: brings @line_rate_bps in line with it
 * @peers: hosts that queue pairs are or were connected to, under @mutex
 * @idle_peers: those without queue pairs, the oldest first
 * @last_peer_id: of the last peer made
 * @nr_idle_peers: entries in @idle_peers
 * @peer_work: frees old ones
 */
struct rxe_cc_port {
	__cacheline_group_begin(rxe_cc_port_read);

	struct rxe_cc_port_handle *handle;
	const struct rxe_cc_host_ops *host_ops;
	void *host_port;
	struct rxe_cc_counts __percpu *counts;
	u64 line_rate_bps;
	u32 unacked_psns;
	bool managed;
	u64 knob[RXE_CC_NR_KNOBS];

	__cacheline_group_end(rxe_cc_port_read);

	struct mutex mutex ____cacheline_aligned; /* see above */
	struct list_head list;
	struct ib_device *ibdev;
	u32 port_num;
	int ifindex;
	struct list_head insts;
	struct rxe_cc_inst *def;
	bool announced;
	struct xarray qps;
	unsigned int nr_qps;
	u64 link_bps;
	struct work_struct link_work;
	struct hlist_head peers[RXE_CC_PEER_BUCKETS];
	struct list_head idle_peers;
	u32 last_peer_id;
	unsigned int nr_idle_peers;
	struct delayed_work peer_work;
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
 * @slots: packets that are measured where that is all of them, by the low bits of their
 *	PSNs. Made when an algorithm wants that; lives as long as the queue pair,
 *	since departures are told without the lock
 * @slot_mask: how many there are, less 1
 * @wants: &rxe_cc_flow.wants as applied
 * @algo_on: an algorithm other than none runs
 * @sync_rx: on_data, or who counts for it, wants every packet
 * @rx_hops: on_data wants packets with hops
 * @int_probe: telemetry comes by probes, which the peer understands
 * @rtts: all requests that ask for an ACK are measured, in @slots
 * @ect: data is ECN-capable
 * @dscp: by enum rxe_cc_class; or RXE_CC_DSCP_KEEP
 * @override: chosen for this QP
 * @info: identity and path
 * @lock: guards all below that the data path writes
 * @flow: what the algorithm sees
 * @rx: what it receives, as one of the port's
 * @cap_busy: sides that have something under way, BIT(enum rxe_cc_side); with any it is
 *	one of &rxe_cc_peer.busy
 * @cap_paced: @pacer is slower than the algorithm wants, by a window of a switch
 * @in_group: in the groups of @inst and of @peer_priv
 * @pacer: schedule
 * @psns: send sequence space
 * @vseq: one sequence for requests and READ responses, for the algorithm
 * @sparse: packet with INT, or probe, that is out
 * @ext_tx: compact telemetry that came back
 * @ext_rx: compact telemetry that came with data
 * @compact: whether to ask for it
 * @pkt_waiting: sides that the pacer holds back, BIT(enum rxe_cc_side)
 * @win_waiting: the window holds the requester back
 * @asked: @asked_psn is valid
 * @unsure: packets may be out that were sent before the algorithm came: more may be
 *	acknowledged than @psns knows of
 * @unsure_from: first packet sent since
 * @unsure_psns: how far behind it such packets are
 * @resv6: on a port whose packets bear tokens: what the next request bears
 * @probing: an RTT measurement is under way in @slot
 * @probe_resp: it waits for the report on a READ response, not for an ACK
 * @asked_psn: last packet that asked for an ACK
 * @resp_sent: @resp_max is valid
 * @resp_max: next PSN for which no READ response was ever sent
 * @resp_nxt: PSN after the READ response that was sent last
 * @slot: packet that is measured where that is one at a time
 * @rtt_ns: the last round trip measured; 0: none yet
 * @least_rtt: smallest round trip of the knob rtt_window, see rxe_cc_flow_rtt()
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
 * @report_due: on_data asked for a report that has not been told yet
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
	struct rxe_cc_slot *slots;
	u32 slot_mask;
	u16 wants;
	bool algo_on;
	bool sync_rx;
	bool rx_hops;
	bool int_probe;
	bool rtts;
	bool ect;
	u8 dscp[RXE_CC_NR_CLASSES];
	bool override;
	struct rxe_cc_qp_info info;

	__cacheline_group_end(rxe_cc_qp_read);

	spinlock_t lock ____cacheline_aligned; /* see above */
	struct rxe_cc_flow flow;
	struct rxe_cc_rx_ent rx;
	u8 cap_busy;
	bool cap_paced;
	struct list_head in_group[RXE_CC_NR_GROUPS];
	struct rxe_cc_pacer pacer;
	struct rxe_cc_psns psns;
	struct rxe_cc_vseq vseq;
	struct rxe_cc_sparse sparse;
	struct rxe_cc_extend ext_tx;
	struct rxe_cc_extend ext_rx;
	struct rxe_cc_compaction compact;
	unsigned long pkt_waiting;
	bool win_waiting;
	bool unsure;
	u32 unsure_from;
	s32 unsure_psns;
	bool asked;
	bool probing;
	bool probe_resp;
	bool resp_sent;
	u8 resv6;
	u32 asked_psn;
	u32 resp_max;
	u32 resp_nxt;
	struct rxe_cc_slot slot;
	u64 rtt_ns;
	struct minmax least_rtt;
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

extern struct mutex rxe_cc_mutex;
extern struct list_head rxe_cc_ports;
/* Changes with every entry that comes or goes: tells readers of a dump. */
extern atomic_t rxe_cc_generation;
extern const struct rxe_cc_param rxe_cc_knobs[RXE_CC_NR_KNOBS];
extern const char *const rxe_cc_counter_names[RXE_CC_NR_COUNTERS];
extern const char *const rxe_cc_qp_counter_names[RXE_CC_NR_QP_COUNTERS];

/* Any context. */
static inline void rxe_cc_count_add(struct rxe_cc_port *port,
				    enum rxe_cc_counter c, u64 n)
{
	this_cpu_add(port->counts->n[c], n);
}

static inline void rxe_cc_count(struct rxe_cc_port *port,
				enum rxe_cc_counter c)
{
	rxe_cc_count_add(port, c, 1);
}

/* A knob, for who does not hold port->mutex. */
static inline u64 rxe_cc_knob(const struct rxe_cc_port *port, enum rxe_cc_knob k)
{
	return READ_ONCE(port->knob[k]);
}

/* Any context, without qp->lock. */
static inline void rxe_cc_count_made(struct rxe_cc_qp *qp, enum rxe_cc_made what)
{
	atomic64_inc(&qp->made[what]);
}

/* cc_registry.c */
extern const struct rxe_cc_ops rxe_cc_none_ops;
const struct rxe_cc_ops *rxe_cc_algo_find(const char *name);
const struct rxe_cc_ops *rxe_cc_algo_get(const char *name);
const struct rxe_cc_ops *rxe_cc_algo_next(const struct rxe_cc_ops *prev);
unsigned int rxe_cc_algo_users(const struct rxe_cc_ops *ops);
int rxe_cc_param_index(const struct rxe_cc_param *table, unsigned int nr,
		       const char *name);
const struct rxe_cc_preset *rxe_cc_preset(const struct rxe_cc_ops *ops,
					  const char *name);
const struct rxe_cc_cmd *rxe_cc_cmd_find(const struct rxe_cc_ops *ops,
					 const char *name);
enum rxe_cc_command_scope rxe_cc_cmd_scope(const struct rxe_cc_cmd *cmd);
void rxe_cc_cmd_defaults(const struct rxe_cc_cmd *cmd, u64 *values);
void rxe_cc_param_defaults(const struct rxe_cc_ops *ops, u64 *values);

/* cc_tokens.c */
bool rxe_cc_tokens_next(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 bytes);
void rxe_cc_tokens_sent(struct rxe_cc_qp *qp);

/* cc_port.c */
/**
 * struct rxe_cc_change - everything one request changes on a port
 * @ops: new default algorithm, with a module reference that is consumed; NULL
 *	to keep the one there is
 * @params: values of all its parameters
 * @knob: values of all knobs
 * @set_params: @params are to be applied
 */
struct rxe_cc_change {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	u64 knob[RXE_CC_NR_KNOBS];
	bool set_params;
};

struct rxe_cc_port *rxe_cc_port_lock(const struct ib_device *ibdev);
void rxe_cc_port_unlock(struct rxe_cc_port *port);
u64 rxe_cc_port_counter(const struct rxe_cc_port *port, enum rxe_cc_counter c);
const char *rxe_cc_port_refusal(const struct rxe_cc_ops *ops, const u64 *knob);
const char *rxe_cc_port_knob_refusal(struct rxe_cc_port *port, const u64 *knob);
const char *rxe_cc_knob_check(const u64 *knob, unsigned int *bad);
int rxe_cc_port_commit(struct rxe_cc_port *port, struct rxe_cc_change *c);
int rxe_cc_test_set(struct rxe_cc_port_handle *h, const struct rxe_cc_ops *ops,
		    const u64 *knob);

/* cc_inst.c */
struct rxe_cc_inst *rxe_cc_inst_get(struct rxe_cc_port *port,
				    const struct rxe_cc_ops *ops);
void rxe_cc_inst_put(struct rxe_cc_port *port, struct rxe_cc_inst *inst);
u64 *rxe_cc_inst_set_params(struct rxe_cc_inst *inst, u64 *params);
void rxe_cc_inst_timer(struct rxe_cc_inst *inst, u64 at_ns, u64 now_ns);
void rxe_cc_inst_rules(struct rxe_cc_inst *inst);
struct rxe_cc_inst *rxe_cc_inst_find(struct rxe_cc_port *port, const char *name);
int rxe_cc_inst_cmd(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		    const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c);
int rxe_cc_inst_check(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		      const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c);
int rxe_cc_test_cmd(struct rxe_cc_qp *qp, const struct in6_addr *addr,
		    const char *name, struct rxe_cc_cmd_call *c);

/* cc_peer.c */
void rxe_cc_group_init(struct rxe_cc_group *g, enum rxe_cc_group_kind kind);
void rxe_cc_group_kick(struct rxe_cc_group *g);
void rxe_cc_peers_init(struct rxe_cc_port *port);
void rxe_cc_peers_exit(struct rxe_cc_port *port);
void rxe_cc_peers_leave(struct rxe_cc_inst *inst);
void rxe_cc_peer_put(struct rxe_cc_port *port, struct rxe_cc_peer *peer);
void rxe_cc_qp_part(struct rxe_cc_qp *qp);
struct rxe_cc_peer_priv *rxe_cc_qp_meet(struct rxe_cc_qp *qp,
					struct rxe_cc_inst *inst,
					struct rxe_cc_peer **peer);
void rxe_cc_qp_join(struct rxe_cc_qp *qp);
void *rxe_cc_peer_data(struct rxe_cc_qp *qp);
void rxe_cc_peer_kick(struct rxe_cc_qp *qp);
struct rxe_cc_peer_priv *rxe_cc_peer_find(struct rxe_cc_inst *inst,
					  const struct in6_addr *addr);

/* cc_rx.c */
void rxe_cc_qp_view(struct rxe_cc_qp *qp, u64 now_ns);
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

void rxe_cc_qp_unheard(struct rxe_cc_qp *qp);

/* cc_qp.c */
void rxe_cc_qp_timers_init(struct rxe_cc_qp *qp);
unsigned long rxe_cc_qp_apply(struct rxe_cc_qp *qp, u64 now_ns, u8 event);
void rxe_cc_qp_share(struct rxe_cc_qp *qp, u64 now_ns);
unsigned long rxe_cc_qp_pace(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_wake(struct rxe_cc_qp *qp, unsigned long sides);
u64 rxe_cc_now(struct rxe_cc_qp *qp);
u64 rxe_cc_inflight_bytes(const struct rxe_cc_qp *qp);
unsigned long rxe_cc_call(struct rxe_cc_qp *qp, u8 event,
			  void (*fn)(struct rxe_cc_flow *flow,
				     const struct rxe_cc_sample *s),
			  const struct rxe_cc_sample *s);
unsigned long rxe_cc_call_ack(struct rxe_cc_qp *qp,
			      const struct rxe_cc_sample *s);
int rxe_cc_qp_cmd(struct rxe_cc_qp *qp, const struct rxe_cc_cmd *cmd,
		  struct rxe_cc_cmd_call *c);

/* Was this READ response sent before? What is too far back to be asked for again is
 * a PSN that has come round: the peer uses them for other requests, too.
 */
static inline bool rxe_cc_resp_again(const struct rxe_cc_qp *qp, u32 psn)
{
	s32 ahead = rxe_cc_psn_diff(psn, qp->resp_max);

	return qp->resp_sent && ahead < 0 && ahead >= -(s32)BIT(20);
}

/* cc_cap.c */
enum rxe_cc_cap_event {
	RXE_CC_CAP_SET,
	RXE_CC_CAP_LIFTED,
	RXE_CC_CAP_EXPIRED,
};

void rxe_cc_cap_set(struct rxe_cc_qp *qp, u64 window_bytes, u64 now_ns);
void rxe_cc_cap_lift(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_cap_expire(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_cap_busy(struct rxe_cc_qp *qp, enum rxe_cc_side side, bool busy);
void rxe_cc_cap_idle(struct rxe_cc_qp *qp);
u64 rxe_cc_cap_bytes(const struct rxe_cc_qp *qp);
u64 rxe_cc_cap_share(const struct rxe_cc_qp *qp);
u64 rxe_cc_cap_bps(const struct rxe_cc_qp *qp);
u64 rxe_cc_cwnd_bytes(const struct rxe_cc_qp *qp);

/* cc_cnp.c */
bool rxe_cc_psn_out(const struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		    u64 now_ns);
void rxe_cc_psn_sent(struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		     u32 next_psn, u64 now_ns);
void rxe_cc_cnps_again(struct rxe_cc_qp *qp, enum rxe_cc_side side);

/* cc_rtt.c */
void rxe_cc_rtts_forget(struct rxe_cc_qp *qp);
void rxe_cc_rtts_wanted(struct rxe_cc_qp *qp);
bool rxe_cc_asks_time(const struct rxe_cc_qp *qp);
bool rxe_cc_probe_next(struct rxe_cc_qp *qp, bool resp, u32 psn, u64 now_ns);
void rxe_cc_probe_resp(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, u64 now_ns);
void rxe_cc_probe_req(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, bool asks,
		      bool again, u64 now_ns);
void rxe_cc_probe_end(struct rxe_cc_qp *qp);
bool rxe_cc_probing(const struct rxe_cc_qp *qp, u64 now_ns);
bool rxe_cc_measuring(const struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_ack_rtt(struct rxe_cc_qp *qp, u32 psn, bool own, u64 arrived_ns,
		    struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb);
void rxe_cc_resp_rtt(struct rxe_cc_qp *qp, u32 psn, u64 arrived_ns,
		     struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb);
void rxe_cc_rx_owd(struct rxe_cc_qp *qp, struct rxe_cc_sample *s, bool compact);
void rxe_cc_ack_path(const struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		     const struct rxe_cc_feedback *fb);

/* cc_telemetry.c */
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

void rxe_cc_qp_telemetry(struct rxe_cc_qp *qp);
int rxe_cc_qp_telemetry_state(const struct rxe_cc_qp *qp);
bool rxe_cc_qp_feedback(struct rxe_cc_qp *qp, struct rxe_cc_feedback *fb,
			const void *tlv, unsigned int tlv_bytes);
bool rxe_cc_qp_hops(struct rxe_cc_qp *qp, struct rxe_cc_extend *e,
		    const struct rxe_cc_feedback *fb, u64 now_ns);
void rxe_cc_qp_told(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		    const struct rxe_cc_feedback *fb);
void rxe_cc_qp_echo(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		    const struct rxe_cc_feedback *fb);
void rxe_cc_tel_count(struct rxe_cc_qp *qp);
void rxe_cc_learn_caps(struct rxe_cc_qp *qp, u8 caps, u64 now_ns);
void rxe_cc_tel_heard(struct rxe_cc_qp *qp, const struct rxe_cc_feedback *fb);
void rxe_cc_tel_timeout(struct rxe_cc_qp *qp, u64 now_ns);

/* cc_expect.c */
void rxe_cc_rx_read(struct rxe_cc_qp *qp, u32 bytes);

/* cc_ask.c */
void rxe_cc_tx_decide(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
		      struct rxe_cc_tx *tx);
bool rxe_cc_int_before(struct rxe_cc_qp *qp, enum rxe_cc_side side, u64 now_ns,
		       u32 *psn);
void rxe_cc_int_probe(struct rxe_cc_qp *qp, u32 psn);

/* cc_life.c */
void rxe_cc_qp_env(const struct rxe_cc_qp *qp, struct rxe_cc_env *env);
void rxe_cc_qp_set_env(struct rxe_cc_qp *qp);
u64 rxe_cc_qp_count(const struct rxe_cc_qp *qp, enum rxe_cc_qp_counter c);
bool rxe_cc_qp_may_run(const struct rxe_cc_qp *qp,
		       const struct rxe_cc_ops *ops);
void rxe_cc_qp_switch(struct rxe_cc_qp *qp, struct rxe_cc_inst *inst);
void rxe_cc_qp_refresh(struct rxe_cc_qp *qp, const u64 *params);
int rxe_cc_qp_choose(struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops);

/* cc_netlink.c */
int rxe_cc_netlink_init(void);
void rxe_cc_netlink_exit(void);
void rxe_cc_notify_port(struct rxe_cc_port *port, u8 cmd);
void rxe_cc_notify_qp(struct rxe_cc_qp *qp);

#endif /* _RXE_CC_CORE_H */
