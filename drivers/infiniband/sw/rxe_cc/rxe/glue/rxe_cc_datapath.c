// SPDX-License-Identifier: GPL-2.0
/*
 * Out-of-line hooks of rxe's data path (packets sent, ACKs, data accepted): what they do while
 * an algorithm runs on the queue pair. See rxe_cc_hooks.h for contexts.
 */
#include <net/inet_ecn.h>
#include <rxe_cc/wire.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_queue.h"
#include "rxe_cc_loc.h"

/* In skb_shared_info.tskey, above a PSN: tell the core when this one has left; it is a
 * READ response.
 */
#define RXE_PROBE		BIT(31)
#define RXE_PROBE_RESP		BIT(30)

/**
 * rxe_hook_tx_wait_slow() - gate of the requester; all else about the packet is decided, too
 * @qp: the QP
 * @wqe: work request the next packet belongs to
 *
 * Context: send work.
 * Return: true when the packet must wait; the core wakes the requester.
 */
bool rxe_hook_tx_wait_slow(struct rxe_qp *qp, const struct rxe_send_wqe *wqe)
{
	bool payload = wqe->mask & WR_WRITE_OR_SEND_MASK;
	const struct rxe_cc_next next = {
		.msg_bytes = wqe->dma.length,
		.psn = qp->req.psn,
		.unasked_pkts = qp->req.noack_pkts,
		.side = RXE_CC_REQUESTER,
		.kind = wqe->mask & WR_READ_MASK ? RXE_CC_PKT_READ_REQ :
						   RXE_CC_PKT_DATA,
		.start = wqe->state == wqe_state_posted,
		/* As next_opcode() will see it. */
		.end = !payload || wqe->dma.resid <= qp->mtu,
		.payload = payload && wqe->dma.resid,
		.answer = wqe->mask & (WR_READ_MASK | WR_ATOMIC_MASK),
	};

	qp->cc_tx.handed_ns = 0;
	rxe_cc_tx_next(qp->cc.qp, &next, &qp->cc_tx.tx);
	return qp->cc_tx.tx.wait;
}

/**
 * rxe_hook_tx_sent_slow() - a request or READ response was handed down
 * @qp: the QP
 * @pkt: the packet
 * @kind: what it is
 * @next_psn: PSN that follows it
 *
 * Context: send work, recv work for a response.
 */
void rxe_hook_tx_sent_slow(struct rxe_qp *qp, const struct rxe_pkt_info *pkt,
			   enum rxe_cc_pkt kind, u32 next_psn)
{
	struct rxe_cc_built *b = kind == RXE_CC_PKT_RESP ? &qp->cc_resp_tx :
							   &qp->cc_tx;
	const struct rxe_cc_sent sent = {
		.handed_ns = b->handed_ns,
		.psn = pkt->psn,
		.next_psn = next_psn,
		/* Written by the send work, and of no use for a response. */
		.unsent_psn = kind == RXE_CC_PKT_RESP ? 0 : rxe_unsent_psn(qp),
		.wire_bytes = pkt->paylen + rxe_qp_wire_hdr_bytes(qp) + b->int_bytes,
		.kind = kind,
		.start = pkt->mask & RXE_START_MASK,
		.end = pkt->mask & RXE_END_MASK,
		.ack = b->tx.ack,
		.int_md = b->int_bytes,
	};

	rxe_cc_tx_sent(qp->cc.qp, &sent);
	*b = (struct rxe_cc_built) { };
}

/**
 * rxe_hook_resp_sent_slow() - a READ response was handed down, or could not be made
 * @qp: the QP
 * @psn: its PSN
 * @opcode: what it is
 * @payload: its bytes of data
 *
 * Context: recv work.
 */
void rxe_hook_resp_sent_slow(struct rxe_qp *qp, u32 psn, int opcode, int payload)
{
	const struct rxe_pkt_info pkt = {
		.psn = psn,
		.mask = rxe_opcode[opcode].mask,
		.paylen = rxe_opcode[opcode].length + ALIGN(payload, 4) + RXE_ICRC_SIZE,
	};

	rxe_hook_tx_sent_slow(qp, &pkt, RXE_CC_PKT_RESP, (psn + 1) & BTH_PSN_MASK);
}

/**
 * rxe_hook_tx_probe_slow() - a packet is about to be handed down to the port
 * @pkt: the packet
 * @skb: its buffer
 *
 * When the packet's destructor runs (see rxe_hook_tx_left_slow()), headers may have
 * been moved and skb->cb is others'. So the buffer bears the PSN, in the field that
 * exists to name packets whose transmission is stamped.
 *
 * Requests that ask for an ACK are answered by that, READ responses with INT by a
 * report, as are probes, of which the core keeps account by itself.
 *
 * Context: send or recv work; softirq for a packet that is neither request nor
 * response.
 */
void rxe_hook_tx_probe_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	struct rxe_qp *qp = pkt->qp;
	struct rxe_cc_built *b;
	bool resp = false;

	if ((pkt->mask & (RXE_REQ_MASK | RXE_READ_MASK)) == RXE_REQ_MASK &&
	    bth_ack(pkt)) {
		b = &qp->cc_tx;
	} else if (pkt->mask & RXE_ACK_MASK && qp->cc_resp_tx.int_bytes) {
		b = &qp->cc_resp_tx;
		resp = true;
	} else {
		return;
	}
	if (!b->tx.measure)
		return;
	/* Reading the clock with bottom halves off costs no virtual time in UML. */
	local_bh_disable();
	b->handed_ns = ktime_get_ns();
	local_bh_enable();
	skb_shinfo(skb)->tskey = pkt->psn | RXE_PROBE | (resp ? RXE_PROBE_RESP : 0);
}

/**
 * rxe_hook_tx_left_slow() - the port is done with a packet
 * @qp: the QP
 * @skb: its buffer
 *
 * That is its departure only when the port says so, by the time that the packet
 * bears: "roce" writes it. Drivers of real NICs may free a packet at any time after
 * it was sent; virtio-net does so when the next one goes, or the ACK has come.
 *
 * Context: any, from the packet's destructor.
 */
void rxe_hook_tx_left_slow(struct rxe_qp *qp, struct sk_buff *skb)
{
	ktime_t left = skb_hwtstamps(skb)->hwtstamp;
	u32 key = skb_shinfo(skb)->tskey;

	if (key & RXE_PROBE && left)
		rxe_cc_tx_left(qp->cc.qp, key & RXE_PROBE_RESP ?
			       RXE_CC_PKT_RESP : RXE_CC_PKT_DATA,
			       key & BTH_PSN_MASK, ktime_to_ns(left));
}

/**
 * rxe_hook_req_skip_slow() - what is about to be sent again may be acknowledged
 * @qp: the QP
 *
 * Only within the message that is being sent: rxe cannot go back to a place behind its
 * end, see fixes/3-resend.
 *
 * Context: send work.
 */
void rxe_hook_req_skip_slow(struct rxe_qp *qp)
{
	const struct rxe_send_wqe *wqe =
		queue_head(qp->sq.queue, QUEUE_TYPE_FROM_CLIENT);

	if (wqe && wqe->state == wqe_state_processing &&
	    wqe->mask & WR_WRITE_OR_SEND_MASK &&
	    psn_compare(qp->comp.psn, wqe->first_psn) >= 0 &&
	    psn_compare(qp->comp.psn, wqe->last_psn) <= 0)
		qp->req.need_retry = 1;
}

static u8 rxe_pkt_resv7(const struct rxe_pkt_info *pkt)
{
	const struct rxe_bth *bth = (const struct rxe_bth *)pkt->hdr;

	return (be32_to_cpu(bth->apsn) & BTH_RESV7_MASK) >> 24;
}

/**
 * rxe_hook_rx_ack_slow() - an ACK, NAK or response was taken from the queue
 * @qp: the QP
 * @pkt: the packet; its headers are all there
 *
 * Responses to READ and atomic requests acknowledge their PSN and all before.
 *
 * Context: send work.
 * Return: true when it is to be dropped: it is for what was never sent, of which rxe
 * would take all that is under way for acknowledged.
 */
bool rxe_hook_rx_ack_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	enum rxe_cc_ack kind = RXE_CC_ACK;
	const void *tlv = NULL;
	size_t tlv_bytes = 0;

	if (pkt->mask & RXE_AETH_MASK) {
		u8 syn = aeth_syn(pkt);

		if ((syn & AETH_TYPE_MASK) == AETH_RNR_NAK)
			kind = RXE_CC_NAK_RNR;
		else if (syn == AETH_NAK_PSN_SEQ_ERROR)
			kind = RXE_CC_NAK_SEQ;
		else if ((syn & AETH_TYPE_MASK) != AETH_ACK)
			kind = RXE_CC_NAK_OTHER;
	}
	if (pkt->opcode == IB_OPCODE_RC_ACKNOWLEDGE) {
		tlv = payload_addr(pkt);
		tlv_bytes = payload_size(pkt);
	}
	return !rxe_cc_rx_ack(qp->cc.qp, kind, pkt->psn,
			      ktime_to_ns(PKT_TO_SKB(pkt)->tstamp),
			      rxe_pkt_resv7(pkt) & RXE_CC_CAP_KNOWN, tlv,
			      tlv_bytes);
}

/* What the peer can do is in every packet of it, but a stranger can send packets in its
 * name. A request that rxe accepts has the next PSN: it is the peer's. What an ACK or a
 * response shows the core judges.
 */
static void rxe_learn_caps(struct rxe_qp *qp, const struct rxe_pkt_info *pkt)
{
	u8 caps = rxe_pkt_resv7(pkt) & RXE_CC_CAP_KNOWN;

	if (unlikely(!rxe_cc_peer_shown(&qp->cc, caps)))
		rxe_cc_peer_caps(qp->cc.qp, caps);
}

/* The work item that takes a packet from its queue may come much later than the
 * packet. Responses are stamped for rxe_hook_rx_ack_slow(); requests that ask for
 * it, for their ACK; data of which the receiver's algorithm hears, for that.
 */
static void rxe_rcv_stamp(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	bool req = pkt->mask & RXE_REQ_MASK;
	bool asks = req && rxe_pkt_resv7(pkt) & RXE_CC_ASK_TIME && bth_ack(pkt);

	if (req && likely(!asks && !rxe_cc_stamps(&pkt->qp->cc)))
		return;
	skb->tstamp = ktime_get();
	pkt->mask |= RXE_STAMP_MASK | (asks ? RXE_TIME_MASK : 0);
}

static enum rxe_cc_data_kind rxe_data_kind(const struct rxe_pkt_info *pkt)
{
	if (!(pkt->mask & RXE_REQ_MASK))
		return RXE_CC_DATA_READ_RESP;
	if (pkt->mask & RXE_SEND_MASK)
		return RXE_CC_DATA_SEND;
	if (pkt->mask & RXE_WRITE_MASK)
		return RXE_CC_DATA_WRITE;
	if (pkt->mask & RXE_READ_MASK)
		return RXE_CC_DATA_READ_REQ;
	if (pkt->mask & (RXE_ATOMIC_MASK | RXE_ATOMIC_WRITE_MASK))
		return RXE_CC_DATA_ATOMIC;
	return RXE_CC_DATA_OTHER;
}

/* Length of the message as far as the headers of a request tell; else 0. */
static u32 rxe_req_msg_bytes(struct rxe_pkt_info *pkt)
{
	if (pkt->mask & RXE_RETH_MASK)
		return reth_len(pkt);
	if (pkt->mask & RXE_START_MASK && pkt->mask & RXE_END_MASK &&
	    pkt->mask & RXE_SEND_MASK)
		return payload_size(pkt);
	return 0;
}

/**
 * rxe_hook_req_far_slow() - is a request too far ahead to be the peer's?
 * @qp: the QP
 * @pkt: the packet: its PSN is behind the expected one
 *
 * Context: recv work.
 * Return: true when it is to be dropped without a NAK.
 */
bool rxe_hook_req_far_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	return !rxe_cc_rx_ahead(qp->cc.qp, pkt->psn, qp->resp.psn);
}

/**
 * rxe_hook_accepted_slow() - rxe accepted a packet of data
 * @pkt: the packet, a request or a READ response
 * @msg_bytes: of a response, length of the READ
 *
 * A mark on a packet that rxe drops counts for nothing: anybody can send such
 * packets, and would have us tell the peer to slow down.
 *
 * Context: recv work; send work for a response.
 */
void rxe_hook_accepted_slow(struct rxe_pkt_info *pkt, u32 msg_bytes)
{
	struct sk_buff *skb = PKT_TO_SKB(pkt);
	const struct rxe_int_kept *kept = rxe_int_kept(skb);
	bool ipv4 = skb->protocol == htons(ETH_P_IP);
	bool req = pkt->mask & RXE_REQ_MASK;
	struct rxe_cc_rx rx = {
		.psn = pkt->psn,
		.kind = rxe_data_kind(pkt),
		.msg_bytes = req ? rxe_req_msg_bytes(pkt) : msg_bytes,
		.start = pkt->mask & RXE_START_MASK,
		.end = pkt->mask & RXE_END_MASK,
		.ack = req && bth_ack(pkt),
	};
	u64 arrived_ns = 0;
	u8 tos = ipv4 ? ip_hdr(skb)->tos : ipv6_get_dsfield(ipv6_hdr(skb));

	if (!rxe_pkt_is_data(pkt))
		return;
	if (req)
		rxe_learn_caps(pkt->qp, pkt);
	if (pkt->mask & RXE_STAMP_MASK)
		arrived_ns = ktime_to_ns(skb->tstamp);
	rx.arrived_ns = arrived_ns;
	rx.ttl = rxe_pkt_ttl(skb);
	rx.ce = INET_ECN_is_ce(tos);
	rx.wire_bytes = pkt->paylen + (ipv4 ? RXE_WIRE_BYTES_IPV4 :
					      RXE_WIRE_BYTES_IPV6);
	if (kept) {
		rx.hops = (const u8 *)kept - kept->stack_bytes;
		rx.nr_hops = kept->stack_bytes /
			     rxe_cc_int_hop_bytes(kept->profile);
		rx.profile = kept->profile;
		rx.path = kept->path;
		rx.hops_missing = kept->ver_flags & (RXE_CC_INT_E | RXE_CC_INT_M);
	}
	if (unlikely(rxe_cc_rx_data(pkt->qp->cc.qp, &rx)))
		rxe_send_report(pkt->qp, req ? RXE_CC_REPORT_DATA :
					       RXE_CC_REPORT_RESP, skb,
				req ? 0 : arrived_ns);
}

/**
 * rxe_hook_rcv_slow() - a packet for a QP under CC passed its ICRC
 * @pkt: the packet
 * @skb: its buffer
 *
 * A READ that waits at the gate longer than its requester's timeout is asked for
 * again and again. Each copy would be answered in full, so those whose answer is
 * still to come are dropped. A response that was lost is before that range.
 *
 * Context: softirq, or work by loopback.
 * Return: true when it is to be dropped.
 */
bool rxe_hook_rcv_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	rxe_rcv_stamp(pkt, skb);
	return pkt->mask & RXE_READ_MASK &&
	       rxe_cc_tx_held(pkt->qp->cc.qp, RXE_CC_RESPONDER) &&
	       psn_compare(pkt->psn, READ_ONCE(pkt->qp->cc_read_next)) >= 0 &&
	       psn_compare(pkt->psn, READ_ONCE(pkt->qp->cc_read_last)) <= 0;
}

/**
 * rxe_hook_tos_slow() - DSCP and ECN to send with
 * @pkt: the packet
 * @tos: what the address vector says
 *
 * Context: send or recv work; softirq for CNPs, reports and probes.
 * Return: type of service, or traffic class.
 */
u8 rxe_hook_tos_slow(const struct rxe_pkt_info *pkt, u8 tos)
{
	struct rxe_qp *qp = pkt->qp;
	enum rxe_cc_class what = RXE_CC_CLASS_ACK;

	if (pkt->opcode == IB_BTH_OPCODE_CNP) {
		what = RXE_CC_CLASS_CNP;
		tos = 0;
	} else if (pkt->opcode == RXE_CC_OPCODE_PROBE) {
		/* It takes the data's path. */
		what = RXE_CC_CLASS_DATA;
	} else if (rxe_hook_is_aside(pkt)) {
		what = RXE_CC_CLASS_CNP;
	} else if (rxe_pkt_is_data(pkt) || READ_ONCE(qp->cc_acks_in_order)) {
		what = RXE_CC_CLASS_DATA;
	}
	return rxe_cc_tx_tos(qp->cc.qp, what, tos);
}

/**
 * rxe_hook_resp_wait_slow() - gate of the responder
 * @qp: the QP
 *
 * From a QP's first READ response on, its ACKs take the data's class, so that
 * none overtakes a response: to the requester, an ACK for a later PSN says that
 * the response was lost.
 *
 * A waiting request must not hold its memory region, whose deregistration would
 * wait as long as the pacer does. The region is looked up again by its key, as
 * for every later response of the same READ.
 *
 * Context: recv work.
 * Return: true when the response must wait.
 */
bool rxe_hook_resp_wait_slow(struct rxe_qp *qp)
{
	const struct resp_res *res = qp->resp.res;
	const struct rxe_cc_next next = {
		.psn = res->cur_psn,
		.side = RXE_CC_RESPONDER,
		.kind = RXE_CC_PKT_RESP,
		.payload = res->read.resid,
	};

	WRITE_ONCE(qp->cc_acks_in_order, true);
	WRITE_ONCE(qp->cc_read_next, res->cur_psn);
	WRITE_ONCE(qp->cc_read_last, res->last_psn);
	qp->cc_resp_tx.handed_ns = 0;
	rxe_cc_tx_next(qp->cc.qp, &next, &qp->cc_resp_tx.tx);
	if (!qp->cc_resp_tx.tx.wait)
		return false;

	rxe_hook_resp_abort(qp);
	return true;
}

/**
 * rxe_hook_resp_abort() - let go of the memory region of the current request
 * @qp: the QP
 *
 * Context: recv work, or process while that is disabled.
 */
void rxe_hook_resp_abort(struct rxe_qp *qp)
{
	if (qp->resp.mr) {
		rxe_put(qp->resp.mr);
		qp->resp.mr = NULL;
	}
}
