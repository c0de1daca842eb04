// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the feedback TLVs (type, length, value) behind an ACK or report: telemetry of the
 * packet that it answers, times, and what the receiver's algorithm says. Formats:
 * <rxe_cc/wire.h>.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <rxe_cc/wire.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

/* A time of which the low bits are told lies near that of the arrival. */
static u64 rxe_compact_ns(u64 word, ktime_t arrived)
{
	u64 tai_ns = ktime_to_ns(ktime_mono_to_any(arrived, TK_OFFS_TAI));
	struct rxe_cc_compact c;

	if (!rxe_cc_compact_read(word, &c))
		return 0;
	return rxe_cc_compact_near(c.ts, RXE_CC_COMPACT_TS_BITS,
				   tai_ns >> c.units->ts_shift) <<
	       c.units->ts_shift;
}

/* When the first port of the path sent the packet, if that told; 0: it did not. */
static u64 rxe_first_hop_ns(const struct rxe_int_kept *kept, ktime_t arrived)
{
	const u8 *p;
	u64 word;

	if (!kept || kept->profile == RXE_CC_INT_WORST)
		return 0;
	/* The newest is in front: the first port's is next to @kept. */
	p = (const u8 *)kept - rxe_cc_int_hop_bytes(kept->profile);
	word = get_unaligned_be64(kept->profile == RXE_CC_INT_FULL ? p + RXE_CC_INT_HPCC_TS : p);
	if (kept->profile == RXE_CC_INT_COMPACT)
		return rxe_compact_ns(word, arrived);
	return word == U64_MAX ? 0 : word;
}

/**
 * rxe_answer_echo() - an answer is to bear the telemetry of a packet
 * @a: the answer
 * @skb: the packet
 *
 * Context: any. The packet must outlive the answer.
 */
void rxe_answer_echo(struct rxe_cc_answer *a, struct sk_buff *skb)
{
	a->kept = rxe_int_kept(skb);
}

/**
 * rxe_pkt_ttl() - TTL or hop limit of a packet that came by a port
 * @skb: the packet
 *
 * Context: any.
 *
 * Return: that; 0: it came by none.
 */
u8 rxe_pkt_ttl(struct sk_buff *skb)
{
	if (SKB_TO_PKT(skb)->mask & RXE_LOOPBACK_MASK)
		return 0;
	return skb->protocol == htons(ETH_P_IP) ? ip_hdr(skb)->ttl :
						  ipv6_hdr(skb)->hop_limit;
}

/**
 * rxe_answer_time() - an answer is to bear the times of a packet
 * @a: the answer
 * @skb: the packet
 * @arrived_ns: when it came in, CLOCK_MONOTONIC
 *
 * Context: any.
 */
void rxe_answer_time(struct rxe_cc_answer *a, struct sk_buff *skb,
		     u64 arrived_ns)
{
	a->time = true;
	a->arrived_ns = arrived_ns;
	a->tx_ns = rxe_first_hop_ns(rxe_int_kept(skb), ns_to_ktime(arrived_ns));
	a->ttl = rxe_pkt_ttl(skb);
}

/**
 * rxe_answer_bytes() - length of the TLVs of an answer
 * @a: the answer
 *
 * Return: bytes, a multiple of four.
 */
unsigned int rxe_answer_bytes(const struct rxe_cc_answer *a)
{
	unsigned int bytes = 0;

	if (a->kept)
		bytes += rxe_cc_tlv_int_bytes(a->kept->profile,
					      a->kept->stack_bytes);
	if (a->time)
		bytes += RXE_CC_TLV_TIME_BYTES;
	if (a->fb.nr_fb)
		bytes += RXE_CC_TLV_FB_BYTES(a->fb.nr_fb);
	return bytes;
}

static void *rxe_answer_write_echo(struct rxe_dev *rxe,
				   const struct rxe_int_kept *kept, void *p)
{
	unsigned int bytes = kept->stack_bytes;
	u8 *hops;

	hops = rxe_cc_tlv_int_write(p, kept->profile, bytes, kept->ver_flags,
				    kept->path);
	memcpy(hops, (const u8 *)kept - bytes, bytes);
	rxe_cc_int_count(&rxe->cc, RXE_CC_INT_EV_ECHOED);
	return hops + bytes;
}

/* The turnaround by a clock that nobody sets, the time by that of the ports. */
static void *rxe_answer_write_time(const struct rxe_cc_answer *a, void *p)
{
	ktime_t arrived = ns_to_ktime(a->arrived_ns);

	return rxe_cc_tlv_time_write(p, a->tx_ns,
				     ktime_to_ns(ktime_mono_to_any(arrived,
								   TK_OFFS_TAI)),
				     ktime_get_ns() - a->arrived_ns, a->ttl);
}

/**
 * rxe_answer_write() - write the TLVs of an answer
 * @rxe: the device
 * @a: the answer
 * @p: where to, rxe_answer_bytes()
 */
void rxe_answer_write(struct rxe_dev *rxe, const struct rxe_cc_answer *a,
		      void *p)
{
	if (a->kept)
		p = rxe_answer_write_echo(rxe, a->kept, p);
	if (a->time)
		p = rxe_answer_write_time(a, p);
	if (a->fb.nr_fb)
		rxe_cc_tlv_fb_write(p, a->fb.algo_id, a->fb.fb,
				    a->fb.nr_fb);
}

/**
 * rxe_hook_ack_bytes_slow() - length of the TLVs of an answer
 * @qp: the QP
 * @opcode: of the answer
 * @syndrome: of its AETH
 * @psn: its PSN
 *
 * Telemetry and times go with the ACK of the packet that they belong to, and with
 * no other. What is decided here is what rxe_hook_ack_fill_slow() writes.
 *
 * Context: recv work.
 * Return: bytes; 0 when there are none.
 */
int rxe_hook_ack_bytes_slow(struct rxe_qp *qp, int opcode, u8 syndrome, u32 psn)
{
	struct rxe_cc_answer *a = &qp->cc_answer;
	struct sk_buff *skb;
	u32 mask = 0;

	if (opcode != IB_OPCODE_RC_ACKNOWLEDGE ||
	    (syndrome & AETH_TYPE_MASK) != AETH_ACK ||
	    !(READ_ONCE(qp->cc.peer) & RXE_CC_CAP_TLV))
		return 0;

	/* The request that is being answered is the head of the queue, which only
	 * recv work takes from.
	 */
	skb = skb_peek(&qp->req_pkts);
	if (skb && SKB_TO_PKT(skb)->psn == psn)
		mask = SKB_TO_PKT(skb)->mask;

	*a = (struct rxe_cc_answer) { };
	rxe_cc_tx_feedback(qp->cc.qp, &a->fb);
	if (mask & RXE_INT_MASK && !a->fb.no_echo)
		rxe_answer_echo(a, skb);
	if (mask & RXE_TIME_MASK)
		rxe_answer_time(a, skb, ktime_to_ns(skb->tstamp));
	return rxe_answer_bytes(a);
}

/**
 * rxe_hook_ack_fill_slow() - write the TLVs for which an answer has room
 * @qp: the QP
 * @ack: the answer
 *
 * Context: recv work; nothing has changed since rxe_hook_ack_bytes_slow().
 */
void rxe_hook_ack_fill_slow(struct rxe_qp *qp, struct rxe_pkt_info *ack)
{
	rxe_answer_write(ack->rxe, &qp->cc_answer, payload_addr(ack));
}
