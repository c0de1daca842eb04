/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks: functions that rxe's own files call for congestion control (CC).
 *
 * A hook on the data path is one test of a flag while no algorithm runs on the
 * QP; all work is out of line, in the other rxe_cc_*.c and in the core.
 *
 * Contexts: "send work" and "recv work" are the two work items of a QP, which
 * may run at the same time on two CPUs but never twice at once. "softirq" is
 * packet reception; with loopback it may be either work item as well.
 */
#ifndef RXE_CC_HOOKS_H
#define RXE_CC_HOOKS_H

#include <linux/workqueue.h>
#include <net/dsfield.h>
#include <rdma/ib_hdrs.h>
#include <rxe_cc/cc_host.h>
#ifdef CONFIG_UML_IDLE_WORK
#include <linux/idle-work.h>
#endif
#include "rxe_cc_compat.h"

struct rdma_hw_stats;
struct rdma_stat_desc;

/* In rxe_pkt_info.mask of a received packet: its INT stack was kept; its answer is to
 * tell when it came in; skb->tstamp says when that was, CLOCK_MONOTONIC.
 */
#define RXE_INT_MASK		BIT(30)
#define RXE_TIME_MASK		BIT(29)
#define RXE_STAMP_MASK		BIT(28)

/* rxe_cc_control_rx.c */
void rxe_hook_rcv_aside(struct rxe_pkt_info *pkt, struct sk_buff *skb);

/* rxe_cc_int.c */
void rxe_hook_icrc_generate_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
				 struct sk_buff *skb);
bool rxe_hook_int_sink_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb);

/* rxe_cc_tlv_write.c */
int rxe_hook_ack_bytes_slow(struct rxe_qp *qp, int opcode, u8 syndrome, u32 psn);
void rxe_hook_ack_fill_slow(struct rxe_qp *qp, struct rxe_pkt_info *ack);

/* rxe_cc_lifecycle.c: life cycle, process context */
void rxe_hook_link(struct rxe_dev *rxe);
int rxe_hook_register(struct rxe_dev *rxe, struct net_device *ndev, const char *name);
void rxe_hook_dev_exit(struct rxe_dev *rxe);
int rxe_hook_qp_create(struct rxe_qp *qp);
void rxe_hook_qp_modify(struct rxe_qp *qp, int mask);
void rxe_hook_qp_reset(struct rxe_qp *qp);
void rxe_hook_qp_kill(struct rxe_qp *qp);
void rxe_hook_qp_destroy(struct rxe_qp *qp);
struct rdma_hw_stats *rxe_hook_alloc_hw_stats(const struct rdma_stat_desc *descs,
					      int nr, unsigned long lifespan);
int rxe_hook_get_hw_stats(struct rxe_dev *rxe, struct rdma_hw_stats *stats,
			  int nr);

/* rxe_cc_datapath.c: while an algorithm runs */
bool rxe_hook_tx_wait_slow(struct rxe_qp *qp, const struct rxe_send_wqe *wqe);
void rxe_hook_tx_sent_slow(struct rxe_qp *qp, const struct rxe_pkt_info *pkt,
			   enum rxe_cc_pkt kind, u32 next_psn);
void rxe_hook_tx_probe_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb);
void rxe_hook_tx_left_slow(struct rxe_qp *qp, struct sk_buff *skb);
void rxe_hook_req_skip_slow(struct rxe_qp *qp);
bool rxe_hook_rx_ack_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt);
bool rxe_hook_req_far_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt);
bool rxe_hook_rcv_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb);
void rxe_hook_accepted_slow(struct rxe_pkt_info *pkt, u32 msg_bytes);
u8 rxe_hook_tos_slow(const struct rxe_pkt_info *pkt, u8 tos);
bool rxe_hook_resp_wait_slow(struct rxe_qp *qp);
void rxe_hook_resp_abort(struct rxe_qp *qp);

/**
 * rxe_hook_queue_work() - have a task run later
 * @wq: rxe's workqueue
 * @work: the task's work item
 *
 * In the lab's virtual time a worker that an interrupt wakes up runs next, at the same
 * instant: there the idle task may do the work itself, with bottom halves off. No task
 * of rxe sleeps, and none is cancelled or flushed. Else it goes to the workqueue.
 *
 * Context: any, the task's lock held.
 */
static inline void rxe_hook_queue_work(struct workqueue_struct *wq,
				       struct work_struct *work)
{
#ifdef CONFIG_UML_IDLE_WORK
	if (um_idle_queue_work(wq, work))
		return;
#endif
	queue_work(wq, work);
}

/**
 * rxe_hook_skbs_low() - may a requester that stopped go on?
 * @qp: the QP
 * @skbs_out: packets of the QP between rxe and the wire
 *
 * Context: any, from a packet's destructor.
 * Return: true when it may.
 */
static inline bool rxe_hook_skbs_low(struct rxe_qp *qp, int skbs_out)
{
	struct rxe_dev *rxe = to_rdev(qp->ibqp.device);

	return (u32)skbs_out < READ_ONCE(rxe->cc.skbs_out_low);
}

/**
 * rxe_hook_tx_wait() - gate of the requester: pacing and window
 * @qp: the QP
 * @wqe: work request the next packet belongs to
 *
 * Context: send work.
 * Return: true when the packet must wait; the core wakes the requester.
 */
static inline bool rxe_hook_tx_wait(struct rxe_qp *qp,
				    const struct rxe_send_wqe *wqe)
{
	return unlikely(rxe_cc_on(&qp->cc)) && rxe_hook_tx_wait_slow(qp, wqe);
}

/**
 * rxe_hook_tx_sent() - a request was handed down
 * @qp: the QP, its PSNs already advanced
 * @pkt: the packet
 *
 * Context: send work.
 */
static inline void rxe_hook_tx_sent(struct rxe_qp *qp,
				    const struct rxe_pkt_info *pkt)
{
	if (unlikely(rxe_cc_on(&qp->cc)))
		rxe_hook_tx_sent_slow(qp, pkt, pkt->mask & RXE_READ_MASK ?
				      RXE_CC_PKT_READ_REQ : RXE_CC_PKT_DATA,
				      qp->req.psn);
	else if (unlikely(!qp->cc.qp))
		rxe_cc_tx_unmanaged(&pkt->rxe->cc);
}

/**
 * rxe_hook_tx_probe() - a packet is about to be handed down to the port
 * @pkt: the packet
 * @skb: its buffer
 *
 * Context: send or recv work; softirq for CNPs, reports and probes.
 */
static inline void rxe_hook_tx_probe(struct rxe_pkt_info *pkt,
				     struct sk_buff *skb)
{
	if (unlikely(rxe_cc_on(&pkt->qp->cc)))
		rxe_hook_tx_probe_slow(pkt, skb);
}

/**
 * rxe_hook_tx_left() - the port is done with a packet
 * @qp: the QP
 * @skb: its buffer
 *
 * Context: any, from the packet's destructor.
 */
static inline void rxe_hook_tx_left(struct rxe_qp *qp, struct sk_buff *skb)
{
	if (unlikely(rxe_cc_on(&qp->cc)))
		rxe_hook_tx_left_slow(qp, skb);
}

/**
 * rxe_hook_ack_due() - is the request being built to ask for an ACK?
 * @qp: the QP; its count of packets that did not ask goes up
 *
 * Context: send work.
 * Return: true when it is, apart from the end of a message, which always is.
 */
static inline bool rxe_hook_ack_due(struct rxe_qp *qp)
{
	int unasked = qp->req.noack_pkts++;

	if (unlikely(rxe_cc_on(&qp->cc)) && likely(qp->cc_tx.tx.decided))
		return qp->cc_tx.tx.ack;
	return unasked > READ_ONCE(to_rdev(qp->ibqp.device)->cc.ack_limit);
}

/**
 * rxe_hook_retry() - the requester went back to the oldest unacknowledged PSN
 * @qp: the QP
 *
 * Context: send work.
 */
static inline void rxe_hook_retry(struct rxe_qp *qp)
{
	if (unlikely(rxe_cc_on(&qp->cc)))
		rxe_cc_retry(qp->cc.qp, qp->comp.timeout_retry);
}

/**
 * rxe_hook_req_skip() - was acknowledged what is about to be sent again?
 * @qp: the QP
 *
 * Anybody can make the peer send a NAK, by a packet whose PSN is wrong. What was under
 * way arrives all the same and is acknowledged; to send it again, at a low rate, may
 * take long and is of no use. The requester then goes on from what is not acknowledged.
 *
 * Context: send work.
 */
static inline void rxe_hook_req_skip(struct rxe_qp *qp)
{
	if (unlikely(rxe_cc_on(&qp->cc)) &&
	    unlikely(psn_compare(qp->comp.psn, qp->req.psn) > 0))
		rxe_hook_req_skip_slow(qp);
}

/**
 * rxe_hook_rx_ack() - an ACK, NAK or response was taken from the queue
 * @qp: the QP
 * @pkt: the packet
 *
 * Context: send work.
 * Return: true when it is to be dropped.
 */
static inline bool rxe_hook_rx_ack(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	return unlikely(rxe_cc_on(&qp->cc)) && rxe_hook_rx_ack_slow(qp, pkt);
}

/**
 * rxe_hook_is_aside() - is a packet neither request nor response?
 * @pkt: the packet; an opcode that rxe does not know is neither, too
 *
 * Context: softirq, or work by loopback.
 * Return: true when it is neither: rxe_hook_rcv_aside() is to get it.
 */
static inline bool rxe_hook_is_aside(const struct rxe_pkt_info *pkt)
{
	return !(pkt->mask & (RXE_REQ_MASK | RXE_ACK_MASK));
}

/**
 * rxe_hook_rcv() - a unicast packet passed its ICRC
 * @pkt: the packet, its QP known
 * @skb: its buffer
 *
 * Context: softirq, or work by loopback.
 * Return: true when it is to be dropped.
 */
static inline bool rxe_hook_rcv(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	if (likely(!rxe_cc_on(&pkt->qp->cc)))
		return false;
	return rxe_hook_rcv_slow(pkt, skb);
}

/**
 * rxe_hook_max_waiting() - how many requests may wait in a queue pair
 * @rxe: its device
 *
 * Where the knob allows this port more unacknowledged PSNs than rxe does, the same is
 * taken to hold for its peers. They may send all of them a second time.
 *
 * Context: any.
 * Return: their number.
 */
static inline u32 rxe_hook_max_waiting(struct rxe_dev *rxe)
{
	return max_t(u32, RXE_MAX_WAITING_REQS, 2 * READ_ONCE(rxe->cc.max_unacked_psns));
}

/**
 * rxe_hook_req_far() - is a request too far ahead to be the peer's?
 * @qp: the QP
 * @pkt: the packet: its PSN is behind the expected one
 *
 * Anybody can send one in the peer's name. A NAK would have the peer send again all
 * that is under way.
 *
 * Context: recv work.
 * Return: true when it is to be dropped without a NAK.
 */
static inline bool rxe_hook_req_far(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	return unlikely(rxe_cc_on(&qp->cc)) && rxe_hook_req_far_slow(qp, pkt);
}

/**
 * rxe_hook_req_accepted() - a request is about to be carried out
 * @qp: the QP
 * @pkt: the packet: its PSN is the expected one and rxe has no objection to it
 *
 * Not called for duplicates, for what is out of sequence, and for what the
 * receiver is not ready for: so each packet is seen once.
 *
 * Context: recv work.
 */
static inline void rxe_hook_req_accepted(struct rxe_qp *qp,
					 struct rxe_pkt_info *pkt)
{
	if (unlikely(rxe_cc_on(&qp->cc)))
		rxe_hook_accepted_slow(pkt, 0);
}

/**
 * rxe_hook_resp_accepted() - a READ response is about to be copied
 * @qp: the QP
 * @pkt: the packet: its PSN is the expected one
 * @wqe: the READ that it belongs to
 *
 * Context: send work.
 */
static inline void rxe_hook_resp_accepted(struct rxe_qp *qp,
					  struct rxe_pkt_info *pkt,
					  const struct rxe_send_wqe *wqe)
{
	if (unlikely(rxe_cc_on(&qp->cc)))
		rxe_hook_accepted_slow(pkt, wqe->dma.length);
}

/**
 * rxe_hook_timed_out() - the retransmission timer expired: is that a retry?
 * @qp: the QP
 *
 * The timer of a paced QP may expire between two packets, with all acknowledged.
 * rxe would take a retry off its count, and fail a QP that has none.
 *
 * Context: send work.
 * Return: 1 when it is.
 */
static inline int rxe_hook_timed_out(struct rxe_qp *qp)
{
	return likely(!rxe_cc_on(&qp->cc)) ||
	       psn_compare(qp->req.psn, qp->comp.psn) > 0;
}

/**
 * rxe_hook_tos() - DSCP and ECN to send with
 * @pkt: the packet
 * @tos: what the address vector says
 *
 * Context: send or recv work; softirq for CNPs, reports and probes.
 * Return: type of service, or traffic class.
 */
static inline u8 rxe_hook_tos(const struct rxe_pkt_info *pkt, u8 tos)
{
	if (likely(!rxe_cc_on(&pkt->qp->cc)))
		return tos;
	return rxe_hook_tos_slow(pkt, tos);
}

/**
 * rxe_hook_int_room() - bytes by which INT may lengthen a packet
 * @rxe: the device
 *
 * Context: any.
 * Return: bytes; 0 when the device does no INT.
 */
static inline unsigned int rxe_hook_int_room(const struct rxe_dev *rxe)
{
	return READ_ONCE(rxe->cc.int_room);
}

/**
 * rxe_hook_icrc_generate() - last step before a packet is handed down
 * @qp: the QP
 * @pkt: the packet
 * @skb: its buffer, at the IP header
 *
 * Context: send or recv work; softirq for CNPs, reports and probes.
 */
static inline void rxe_hook_icrc_generate(struct rxe_qp *qp,
					  struct rxe_pkt_info *pkt,
					  struct sk_buff *skb)
{
	if (likely(!rxe_cc_on(&qp->cc)))
		rxe_icrc_generate(skb, pkt);
	else
		rxe_hook_icrc_generate_slow(qp, pkt, skb);
}

/**
 * rxe_hook_int_sink() - take INT off a packet
 * @pkt: the packet as received; changed to what it is without INT
 * @skb: its buffer, linear, at the UDP header
 *
 * Context: softirq.
 * Return: true when it is to be dropped.
 */
static inline bool rxe_hook_int_sink(struct rxe_pkt_info *pkt,
				     struct sk_buff *skb)
{
	u8 tos = skb->protocol == htons(ETH_P_IP) ?
		 ip_hdr(skb)->tos : ipv6_get_dsfield(ipv6_hdr(skb));

	if (likely(tos >> 2 != READ_ONCE(pkt->rxe->cc.int_dscp)))
		return false;
	return rxe_hook_int_sink_slow(pkt, skb);
}

/**
 * rxe_hook_ack_bytes() - length of the TLVs of an answer
 * @qp: the QP
 * @opcode: of the answer
 * @syndrome: of its AETH
 * @psn: its PSN
 *
 * Context: recv work.
 * Return: bytes; 0 when there are none.
 */
static inline int rxe_hook_ack_bytes(struct rxe_qp *qp, int opcode, u8 syndrome,
				     u32 psn)
{
	if (likely(!rxe_cc_on(&qp->cc)))
		return 0;
	return rxe_hook_ack_bytes_slow(qp, opcode, syndrome, psn);
}

/**
 * rxe_hook_ack_fill() - write the TLVs for which an answer has room
 * @qp: the QP
 * @ack: the answer
 *
 * Context: recv work.
 */
static inline void rxe_hook_ack_fill(struct rxe_qp *qp, struct rxe_pkt_info *ack)
{
	if (unlikely(payload_size(ack)))
		rxe_hook_ack_fill_slow(qp, ack);
}

/**
 * rxe_hook_resp_wait() - gate of the responder: pacing of READ responses
 * @qp: the QP; the READ request stays at the head of its queue
 *
 * Context: recv work.
 * Return: true when the response must wait; the core wakes the responder.
 */
static inline bool rxe_hook_resp_wait(struct rxe_qp *qp)
{
	if (likely(!rxe_cc_on(&qp->cc)))
		return false;
	return rxe_hook_resp_wait_slow(qp);
}

void rxe_hook_resp_sent_slow(struct rxe_qp *qp, u32 psn, int opcode, int payload);

/**
 * rxe_hook_resp_sent() - a READ response was handed down, or could not be made
 * @qp: the QP
 * @psn: its PSN
 * @opcode: what it is
 * @payload: its bytes of data
 *
 * One that could not be made counts as sent and lost on the way: the requester asks for
 * it again, and the pacer and who counts a READ's end must not wait for it.
 *
 * Context: recv work.
 */
static inline void rxe_hook_resp_sent(struct rxe_qp *qp, u32 psn, int opcode, int payload)
{
	if (unlikely(rxe_cc_on(&qp->cc)))
		rxe_hook_resp_sent_slow(qp, psn, opcode, payload);
}

#endif /* RXE_CC_HOOKS_H */
