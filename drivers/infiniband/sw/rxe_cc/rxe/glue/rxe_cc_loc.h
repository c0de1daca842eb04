/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the rxe_cc_*.c files in rxe share. What rxe's files call is in
 * rxe_cc_hooks.h.
 */
#ifndef RXE_CC_LOC_H
#define RXE_CC_LOC_H

#include <rxe_cc/wire.h>

/* Preamble 8, Ethernet 14, FCS 4, gap 12, UDP 8 */
#define RXE_WIRE_BYTES		(38 + 8)
#define RXE_WIRE_BYTES_IPV4	(RXE_WIRE_BYTES + 20)
#define RXE_WIRE_BYTES_IPV6	(RXE_WIRE_BYTES + 40)

/* Requests, and READ responses that carry something, are data: they get the
 * data's DSCP and ECN, and a mark on one is a mark for its sender.
 */
static inline bool rxe_pkt_is_data(const struct rxe_pkt_info *pkt)
{
	if (pkt->mask & RXE_REQ_MASK)
		return true;
	return pkt->mask & RXE_PAYLOAD_MASK &&
	       pkt->paylen > rxe_opcode[pkt->opcode].length + RXE_ICRC_SIZE;
}

static inline u32 rxe_qp_wire_hdr_bytes(const struct rxe_qp *qp)
{
	return qp->pri_av.network_type == RXE_NETWORK_TYPE_IPV6 ?
	       RXE_WIRE_BYTES_IPV6 : RXE_WIRE_BYTES_IPV4;
}

/**
 * struct rxe_int_kept - directly in front of the IP header of a packet whose mask
 *	has RXE_INT_MASK; the stack is in front of it
 * @stack_bytes: length of the stack: whole hops of its profile, one at least
 * @path: domain-specific flags: with compact hops the id of their path
 * @ver_flags: of the MD header
 * @profile: enum rxe_cc_int_profile
 * @unused: makes it as long as shim and MD header
 */
struct rxe_int_kept {
	u16 stack_bytes;
	u16 path;
	u8 ver_flags;
	u8 profile;
	u8 unused[RXE_CC_INT_HDR_BYTES - 6];
} __packed;

/* What the sink kept of a packet's telemetry; NULL: nothing. */
static inline const struct rxe_int_kept *rxe_int_kept(struct sk_buff *skb)
{
	if (!(SKB_TO_PKT(skb)->mask & RXE_INT_MASK))
		return NULL;
	return (const void *)(skb_network_header(skb) -
			      sizeof(struct rxe_int_kept));
}

/* rxe_cc_int.c */
bool rxe_int_fits(struct rxe_dev *rxe, const struct sk_buff *skb,
		  enum rxe_cc_int_profile profile);

/* rxe_cc_tlv_write.c */
void rxe_answer_echo(struct rxe_cc_answer *a, struct sk_buff *skb);
u8 rxe_pkt_ttl(struct sk_buff *skb);
void rxe_answer_time(struct rxe_cc_answer *a, struct sk_buff *skb,
		     u64 arrived_ns);
unsigned int rxe_answer_bytes(const struct rxe_cc_answer *a);
void rxe_answer_write(struct rxe_dev *rxe, const struct rxe_cc_answer *a,
		      void *p);

/* rxe_cc_control_packet.c */
void rxe_conn_addr(struct in6_addr *to, const struct rxe_av *av, bool own);
void rxe_peers_init(struct rxe_dev *rxe);
void rxe_conn_learn(struct rxe_qp *qp);
void rxe_conn_forget(struct rxe_qp *qp);
struct rxe_qp *rxe_conn_get_qp(struct rxe_pkt_info *pkt,
			       const struct sk_buff *skb, bool forward);
bool rxe_aside_well_formed(struct rxe_pkt_info *pkt, const struct sk_buff *skb,
			   unsigned int min, unsigned int max);
struct sk_buff *rxe_aside_new(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
			      u8 opcode, unsigned int bytes, u32 psn);
int rxe_aside_xmit(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
		   struct sk_buff *skb);

/* rxe_cc_cnp.c */
void rxe_rcv_cnp(struct rxe_pkt_info *pkt, struct sk_buff *skb);
int rxe_hook_send_cnp(void *host_qp, u32 psn);

/* rxe_cc_report_probe.c */
void rxe_send_report(struct rxe_qp *qp, u8 kind, struct sk_buff *skb,
		     u64 arrived_ns);
void rxe_rcv_report(struct rxe_pkt_info *pkt, struct sk_buff *skb);
void rxe_rcv_probe(struct rxe_pkt_info *pkt, struct sk_buff *skb);
int rxe_hook_send_probe(void *host_qp, u32 psn);
void rxe_hook_send_report(void *host_qp);

#endif /* RXE_CC_LOC_H */
