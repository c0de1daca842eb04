/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Congestion control for soft-RoCE: the interface between the transport (rxe) and the core, in
 * both directions.
 *
 * The core knows nothing of the transport's structures: the transport embeds a
 * struct rxe_cc_port_handle in its device and a struct rxe_cc_qp_handle in its
 * queue pair, and gives opaque pointers that come back in the callbacks. With
 * no algorithm selected a handle's @on is false and the transport calls nothing
 * on its data path.
 *
 * Contexts: "work" is the transport's send or receive work item of a QP; the
 * two may run at the same time. "softirq" is packet reception.
 */
#ifndef _RXE_CC_CC_HOST_H
#define _RXE_CC_CC_HOST_H

#include <linux/compiler.h>
#include <linux/in6.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/wire.h>

struct attribute_group;
struct ib_device;
struct rxe_cc_port;
struct rxe_cc_qp;

/* Stock limits of rxe, kept as defaults. */
#define RXE_CC_DEF_MAX_UNACKED_PSNS	128
#define RXE_CC_DEF_SKBS_OUT_HIGH	64
#define RXE_CC_DEF_SKBS_OUT_LOW		16
#define RXE_CC_DEF_ACK_LIMIT		64

/**
 * struct rxe_cc_port_handle - embedded in the transport's device
 * @port: the core's side; NULL before rxe_cc_port_add()
 * @max_unacked_psns: PSNs a QP may have unacknowledged. Set by the transport
 *	to its default before rxe_cc_port_add(), later written by the core
 * @skbs_out_high: packets of a QP between the transport and the wire at which
 *	its requester stops
 * @skbs_out_low: ... and below which it goes on
 * @ack_limit: a packet asks for an ACK when more than that many before it did
 *	not; -1: each does
 * @int_room: bytes by which INT may lengthen a packet on its way; 0: no INT
 * @int_hops: ports that may push telemetry into a packet
 * @int_dscp: DSCP of packets with INT
 * @tokens: requests bear tokens: rxe_cc_tx_next() is to be asked about READ requests, too
 */
struct rxe_cc_port_handle {
	struct rxe_cc_port *port;
	u32 max_unacked_psns;
	u32 skbs_out_high;
	u32 skbs_out_low;
	s32 ack_limit;
	u32 int_room;
	u8 int_hops;
	u8 int_dscp;
	bool tokens;
};

/**
 * struct rxe_cc_qp_handle - embedded in the transport's queue pair
 * @qp: the core's side; NULL when the QP is not under CC (UD, GSI)
 * @on: an algorithm runs on this QP: the data-path hooks must be called
 * @int_tx: enum rxe_cc_int_tx, what of it goes with INT
 * @int_profile: enum rxe_cc_int_profile, of what goes with INT
 * @int_flags: domain-specific flags of what goes with INT
 * @stamps: requests are to be stamped when they come in, see
 *	&rxe_cc_rx.arrived_ns
 * @caps: RXE_CC_CAP_*, what it shows its peer
 * @peer: RXE_CC_CAP_*, what its peer showed last, and RXE_CC_PEER_KNOWN
 * @tel_until_ns: until then the peer is no INT sink, whatever it shows
 *
 * Each packet reads it and hardly any event writes it: what a packet writes belongs elsewhere.
 * The core writes it under its lock; everybody else reads single fields with READ_ONCE().
 */
struct rxe_cc_qp_handle {
	struct rxe_cc_qp *qp;
	bool on;
	u8 int_tx;
	u8 int_profile;
	bool stamps;
	u8 caps;
	u8 peer;
	u16 int_flags;
	u64 tel_until_ns;
};

/* A packet of the peer has been seen. */
#define RXE_CC_PEER_KNOWN	0x80

static inline bool rxe_cc_on(const struct rxe_cc_qp_handle *h)
{
	return READ_ONCE(h->on);
}

static inline bool rxe_cc_stamps(const struct rxe_cc_qp_handle *h)
{
	return READ_ONCE(h->stamps);
}

enum rxe_cc_int_tx {
	RXE_CC_INT_TX_NONE,
	RXE_CC_INT_TX_ALL,	/* every data packet */
	RXE_CC_INT_TX_ASK,	/* one in each round trip */
};

enum rxe_cc_side {
	RXE_CC_REQUESTER,	/* sends requests: SEND, WRITE, ... */
	RXE_CC_RESPONDER,	/* sends READ responses */
};

/**
 * enum rxe_cc_class - what a packet is, to those who give it a priority
 * @RXE_CC_CLASS_DATA: requests and READ responses; probes
 * @RXE_CC_CLASS_ACK: acknowledgments
 * @RXE_CC_CLASS_CNP: congestion notifications and reports, which may overtake all
 * @RXE_CC_NR_CLASSES: how many there are
 */
enum rxe_cc_class {
	RXE_CC_CLASS_DATA,
	RXE_CC_CLASS_ACK,
	RXE_CC_CLASS_CNP,
	RXE_CC_NR_CLASSES,
};

enum rxe_cc_pkt {
	RXE_CC_PKT_DATA,	/* carries payload of ours, or is its request */
	RXE_CC_PKT_READ_REQ,	/* its PSNs are not data of ours */
	RXE_CC_PKT_RESP,	/* READ response: its PSN is not ours */
};

enum rxe_cc_ack {
	RXE_CC_ACK,		/* acknowledges up to and with the PSN */
	RXE_CC_NAK_SEQ,		/* acknowledges all before the PSN; go back to it */
	RXE_CC_NAK_RNR,		/* as NAK_SEQ, receiver not ready */
	RXE_CC_NAK_OTHER,	/* fatal for the QP */
};

/**
 * struct rxe_cc_host_ops - what the core asks of the transport
 * @wake: let the requester or responder run again. Any context, also hard
 *	interrupt; the core holds no lock
 * @send_cnp: send a CNP to the QP's peer that names the packet which caused it, by
 *	its PSN. Softirq or work; the core holds no lock. Returns 0 or an error; the core counts
 * @send_probe: send a probe (RXE_CC_OPCODE_PROBE) with INT and the given PSN to
 *	the QP's peer. Context as @send_cnp. Returns its wire bytes, or an error
 * @send_report: send the QP's peer the algorithm's feedback, now, by a report
 *	on the last packet accepted. Context as @send_cnp
 * @room_changed: @int_room of the handle changed, and with it the largest path
 *	MTU that fits. May sleep
 */
struct rxe_cc_host_ops {
	void (*wake)(void *host_qp, enum rxe_cc_side side);
	int (*send_cnp)(void *host_qp, u32 psn);
	int (*send_probe)(void *host_qp, u32 psn);
	void (*send_report)(void *host_qp);
	void (*room_changed)(void *host_port);
};

/**
 * enum rxe_cc_int_event - what became of an INT packet
 * @RXE_CC_INT_EV_SENT: it was sent
 * @RXE_CC_INT_EV_NO_ROOM: it was sent without, for lack of headroom or MTU
 * @RXE_CC_INT_EV_RECEIVED: INT was taken off
 * @RXE_CC_INT_EV_SHORT: dropped, %RXE_CC_INT_SHORT
 * @RXE_CC_INT_EV_SHIM: dropped, %RXE_CC_INT_SHIM
 * @RXE_CC_INT_EV_VERSION: dropped, %RXE_CC_INT_OTHER_VERSION
 * @RXE_CC_INT_EV_LENGTH: dropped, %RXE_CC_INT_LENGTH
 * @RXE_CC_INT_EV_DISCARD: dropped, as its D flag asks
 * @RXE_CC_INT_EV_NOMEM: dropped, no memory
 * @RXE_CC_INT_EV_FOREIGN: received, but its hops are of no profile
 * @RXE_CC_INT_EV_ECHOED: its hops went back in an ACK
 * @RXE_CC_NR_INT_EVENTS: how many
 *
 * The order of those that are dropped is that of enum rxe_cc_int_verdict.
 */
enum rxe_cc_int_event {
	RXE_CC_INT_EV_SENT,
	RXE_CC_INT_EV_NO_ROOM,
	RXE_CC_INT_EV_RECEIVED,
	RXE_CC_INT_EV_SHORT,
	RXE_CC_INT_EV_SHIM,
	RXE_CC_INT_EV_VERSION,
	RXE_CC_INT_EV_LENGTH,
	RXE_CC_INT_EV_DISCARD,
	RXE_CC_INT_EV_NOMEM,
	RXE_CC_INT_EV_FOREIGN,
	RXE_CC_INT_EV_ECHOED,
	RXE_CC_NR_INT_EVENTS,
};

/**
 * struct rxe_cc_qp_info - identity and path of a QP
 * @qpn: own number
 * @dest_qpn: peer's number
 * @mtu_bytes: path MTU, payload
 * @hdr_bytes: wire bytes of a full data packet without its payload: 82 over
 *	IPv4, 102 over IPv6
 * @psn: next PSN to send
 * @peer: address of the peer, IPv4 mapped into IPv6; "::" while it has none
 * @hop_limit: TTL or hop limit that packets to it leave with
 * @tos: TOS or traffic class that the application has set
 * @uc: unreliable connection: no ACKs, so no window
 */
struct rxe_cc_qp_info {
	u32 qpn;
	u32 dest_qpn;
	u32 mtu_bytes;
	u32 hdr_bytes;
	u32 psn;
	struct in6_addr peer;
	u8 hop_limit;
	u8 tos;
	bool uc;
};

/**
 * struct rxe_cc_next - the packet that the transport would send next
 * @msg_bytes: payload of its message; of a READ, what is asked for
 * @psn: its PSN
 * @unasked_pkts: requests before it that asked for no ACK
 * @side: enum rxe_cc_side, who would send it
 * @kind: enum rxe_cc_pkt
 * @start: first of a message that begins, or is begun again
 * @end: last of its message: a request asks for an ACK anyway
 * @payload: it has data: SEND, WRITE or a READ response that is not empty
 * @answer: a READ or an atomic: what comes back is more than an ACK
 */
struct rxe_cc_next {
	u32 msg_bytes;
	u32 psn;
	u32 unasked_pkts;
	u8 side;
	u8 kind;
	bool start;
	bool end;
	bool payload;
	bool answer;
};

/**
 * struct rxe_cc_tx - what rxe_cc_tx_next() has decided about a packet
 * @resv6: what a request bears beside FECN and BECN
 * @wait: it must wait: the side that asked is woken, and nothing else here counts
 * @decided: the rest counts
 * @ack: a request is to ask for an ACK, also where it is not the last of its message
 * @int_md: it goes with INT, if it has room for it
 * @ask_time: a request that asks for an ACK bears %RXE_CC_ASK_TIME
 * @measure: its round trip is measured, if it asks for an ACK or goes with INT: tell
 *	rxe_cc_tx_left() when it leaves the port
 */
struct rxe_cc_tx {
	u8 resv6;
	bool wait;
	bool decided;
	bool ack;
	bool int_md;
	bool ask_time;
	bool measure;
};

/**
 * struct rxe_cc_sent - a packet that was handed to the port
 * @handed_ns: when, CLOCK_MONOTONIC, if rxe_cc_tx_left() will be called for it; else 0
 * @psn: its PSN
 * @next_psn: PSN of the next packet
 * @unsent_psn: of a request: first PSN that was never sent; not @next_psn when this one,
 *	or a packet before it, is sent again
 * @wire_bytes: its length on the wire
 * @kind: enum rxe_cc_pkt
 * @start: first of its message
 * @end: last of its message
 * @ack: &rxe_cc_tx.ack
 * @int_md: it went with INT
 */
struct rxe_cc_sent {
	u64 handed_ns;
	u32 psn;
	u32 next_psn;
	u32 unsent_psn;
	u32 wire_bytes;
	u8 kind;
	bool start;
	bool end;
	bool ack;
	bool int_md;
};

/**
 * struct rxe_cc_rx - a data packet that the transport has accepted: its ICRC is
 *	right, its PSN the expected one, and it has not been seen before
 * @arrived_ns: when it came in, CLOCK_MONOTONIC; 0: not stamped
 * @psn: its PSN; of a READ response, one of the own requests
 * @wire_bytes: its length on the wire, without INT
 * @hops: stack of INT as received, newest hop first; NULL: none
 * @msg_bytes: payload of its message where its headers, or the READ that it
 *	answers, tell; else 0
 * @path: id of the path that compact hops are from
 * @nr_hops: hops in it, at most RXE_CC_INT_MAX_HOPS
 * @profile: enum rxe_cc_int_profile, their layout
 * @ttl: TTL or hop limit that it came with; 0: not known
 * @kind: enum rxe_cc_data_kind
 * @hops_missing: a port has said that it could not add its hop
 * @ce: Congestion Experienced is set
 * @start: first of its message
 * @end: last of its message
 * @ack: it asks for an ACK
 */
struct rxe_cc_rx {
	u64 arrived_ns;
	u32 psn;
	u32 wire_bytes;
	const u8 *hops;
	u32 msg_bytes;
	u16 path;
	u8 nr_hops;
	u8 profile;
	u8 ttl;
	u8 kind;
	bool hops_missing;
	bool ce;
	bool start;
	bool end;
	bool ack;
};

/**
 * struct rxe_cc_cnp - a CNP that arrived and is well-formed
 * @window_bytes: window that it carries; 0: none
 * @psn: packet that caused it, valid with @psn_valid
 * @psn_valid: it names a packet; those of NICs do not
 * @forward: a switch made it, which knows the receiver's queue pair only
 * @origin: enum rxe_cc_cnp_origin
 * @port: number of the switch port that made it, valid with @forward
 */
struct rxe_cc_cnp {
	u64 window_bytes;
	u32 psn;
	u16 port;
	bool psn_valid;
	bool forward;
	u8 origin;
};

/**
 * struct rxe_cc_tx_fb - feedback that an answer is to carry, see rxe_cc_tx_feedback()
 * @fb: for RXE_CC_TLV_FB
 * @algo_id: whose values they are
 * @nr_fb: how many; 0: none
 * @no_echo: the packet's telemetry is not to be echoed: the own algorithm uses it
 */
struct rxe_cc_tx_fb {
	u64 fb[RXE_CC_FB_MAX];
	u32 algo_id;
	u8 nr_fb;
	bool no_echo;
};

/* Life cycle: process context, may sleep. */
int rxe_cc_port_add(struct rxe_cc_port_handle *h, struct ib_device *ibdev,
		    u32 port_num, int ifindex,
		    const struct rxe_cc_host_ops *ops, void *host_port);
void rxe_cc_port_announce(struct rxe_cc_port_handle *h);
void rxe_cc_port_del(struct rxe_cc_port_handle *h);
/* Any context. */
void rxe_cc_port_link(struct rxe_cc_port_handle *h, u64 bps);

int rxe_cc_qp_add(struct rxe_cc_port_handle *ph, struct rxe_cc_qp_handle *h,
		  const struct rxe_cc_qp_info *info, void *host_qp);
void rxe_cc_qp_modify(struct rxe_cc_qp_handle *h,
		      const struct rxe_cc_qp_info *info);
void rxe_cc_qp_reset(struct rxe_cc_qp_handle *h);
void rxe_cc_qp_del(struct rxe_cc_qp_handle *h);

/* Data path: only when rxe_cc_on(). Before a packet and after it, once each. */
void rxe_cc_tx_next(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
		    struct rxe_cc_tx *tx);
void rxe_cc_tx_sent(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p);
bool rxe_cc_tx_held(const struct rxe_cc_qp *qp, enum rxe_cc_side side);
void rxe_cc_tx_left(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn,
		    u64 left_ns);
/* False: it is for a packet that was never sent, and must not be believed. */
bool rxe_cc_rx_ack(struct rxe_cc_qp *qp, enum rxe_cc_ack kind, u32 psn,
		   u64 arrived_ns, u8 caps, const void *tlv,
		   unsigned int tlv_bytes);
void rxe_cc_retry(struct rxe_cc_qp *qp, bool timeout);
/* True: a report about this packet is to be sent now. */
bool rxe_cc_rx_data(struct rxe_cc_qp *qp, const struct rxe_cc_rx *rx);
/* For an ACK or a report that is being built. Any context. */
void rxe_cc_tx_feedback(struct rxe_cc_qp *qp, struct rxe_cc_tx_fb *fb);
/* A report of the peer or of a switch, enum rxe_cc_report_kind. Softirq. */
void rxe_cc_rx_report(struct rxe_cc_qp *qp, u8 kind, u32 psn, u64 arrived_ns,
		      const void *tlv, unsigned int tlv_bytes);
void rxe_cc_rx_cnp(struct rxe_cc_qp *qp, const struct rxe_cc_cnp *cnp);
/* False: the peer cannot have sent a request that is so far ahead of the expected one:
 * no NAK may answer it.
 */
bool rxe_cc_rx_ahead(struct rxe_cc_qp *qp, u32 psn, u32 expected);
/* Is a probe that names @psn to be answered? Softirq. */
bool rxe_cc_rx_probe(struct rxe_cc_qp *qp, u32 psn, u32 expected);
u8 rxe_cc_tx_tos(struct rxe_cc_qp *qp, enum rxe_cc_class what, u8 tos);

/**
 * rxe_cc_peer_shown() - is what a request shows of its peer known already?
 * @h: handle
 * @caps: RXE_CC_CAP_*
 *
 * While telemetry is taken back a peer that shows to be a sink counts as none.
 *
 * Context: any.
 *
 * Return: true if rxe_cc_peer_caps() would change nothing.
 */
static inline bool rxe_cc_peer_shown(const struct rxe_cc_qp_handle *h, u8 caps)
{
	u8 peer = READ_ONCE(h->peer);

	caps |= RXE_CC_PEER_KNOWN;
	return likely(caps == peer) ||
	       ((caps & ~RXE_CC_CAP_INT_SINK) == peer &&
		ktime_get_ns() < READ_ONCE(h->tel_until_ns));
}

/* Capabilities: a request of the peer was the next in sequence and they are not those
 * that rxe_cc_peer_shown() knows; the QP has another peer. Any context.
 */
void rxe_cc_peer_caps(struct rxe_cc_qp *qp, u8 caps);
void rxe_cc_peer_forget(struct rxe_cc_qp_handle *h);
/* INT packets, also of QPs not under CC. Any context. */
void rxe_cc_int_count(struct rxe_cc_port_handle *h, enum rxe_cc_int_event what);

/* A report or probe: that names no QP under CC, or is malformed. Softirq. */
void rxe_cc_rx_report_ignored(struct rxe_cc_port_handle *h);
/* A report was sent. Any context. */
void rxe_cc_tx_report(struct rxe_cc_qp *qp, u32 wire_bytes);
/* A CNP that names no QP under CC, or is malformed. Softirq. */
void rxe_cc_rx_cnp_ignored(struct rxe_cc_port_handle *h);
/* A UD or multicast packet sent while an algorithm is selected. Work. */
void rxe_cc_tx_unmanaged(struct rxe_cc_port_handle *h);

/* sysfs: directory cc/ of the port; goes into ib_device_ops.port_groups. */
extern const struct attribute_group *rxe_cc_port_groups[];

/* Counters for `rdma statistic`: appended to the transport's own. */
#define RXE_CC_MAX_HW_COUNTERS	96

unsigned int rxe_cc_nr_hw_counters(void);
const char *rxe_cc_hw_counter_name(unsigned int i);
u64 rxe_cc_hw_counter(const struct rxe_cc_port_handle *h, unsigned int i);

#endif /* _RXE_CC_CC_HOST_H */
