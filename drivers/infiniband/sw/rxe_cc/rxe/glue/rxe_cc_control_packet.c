// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers for CNPs, reports and probes, which are neither request nor response: find the queue
 * pair of one that came in, build and send one.
 *
 * The queue pair number in such a packet is the receiver's own, as in any other,
 * when its peer sent it. A switch knows only the number in the packet that it
 * observed, which is that of the data's receiver, and gives that; it takes the
 * receiver's address for the source. The sender then finds its queue pair by the
 * two, in a hash.
 */
#include <linux/jhash.h>
#include <net/ipv6.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

/**
 * rxe_conn_addr() - an address of an address vector
 * @to: receives it, IPv4 mapped into IPv6
 * @av: the address vector
 * @own: the own one; else the peer's
 *
 * Context: any.
 */
void rxe_conn_addr(struct in6_addr *to, const struct rxe_av *av, bool own)
{
	if (av->network_type == RXE_NETWORK_TYPE_IPV4)
		ipv6_addr_set_v4mapped(own ?
				       av->sgid_addr._sockaddr_in.sin_addr.s_addr :
				       av->dgid_addr._sockaddr_in.sin_addr.s_addr,
				       to);
	else
		*to = own ? av->sgid_addr._sockaddr_in6.sin6_addr :
			    av->dgid_addr._sockaddr_in6.sin6_addr;
}

/* Whom a queue pair is connected to, or whom a packet comes from. */
static void rxe_conn_of_qp(struct rxe_cc_conn *p, const struct rxe_qp *qp)
{
	rxe_conn_addr(&p->own, &qp->pri_av, true);
	rxe_conn_addr(&p->peer, &qp->pri_av, false);
	p->qpn = qp->attr.dest_qp_num;
}

static void rxe_conn_of_skb(struct rxe_cc_conn *p, const struct sk_buff *skb,
			    u32 qpn)
{
	if (skb->protocol == htons(ETH_P_IP)) {
		ipv6_addr_set_v4mapped(ip_hdr(skb)->daddr, &p->own);
		ipv6_addr_set_v4mapped(ip_hdr(skb)->saddr, &p->peer);
	} else {
		p->own = ipv6_hdr(skb)->daddr;
		p->peer = ipv6_hdr(skb)->saddr;
	}
	p->qpn = qpn;
}

static bool rxe_conn_same_addrs(const struct rxe_cc_conn *a,
				const struct rxe_cc_conn *b)
{
	return ipv6_addr_equal(&a->peer, &b->peer) &&
	       ipv6_addr_equal(&a->own, &b->own);
}

static u32 rxe_conn_key(const struct rxe_cc_conn *p)
{
	return jhash2((const u32 *)&p->peer, sizeof(p->peer) / sizeof(u32),
		      p->qpn);
}

/**
 * rxe_peers_init() - set up the hash of a device
 * @rxe: the device
 */
void rxe_peers_init(struct rxe_dev *rxe)
{
	spin_lock_init(&rxe->cc_conns.lock);
	hash_init(rxe->cc_conns.head);
}

/**
 * rxe_conn_forget() - a queue pair has no peer any more
 * @qp: the QP; perhaps it never had one
 *
 * Context: process.
 */
void rxe_conn_forget(struct rxe_qp *qp)
{
	struct rxe_cc_conns *conns = &to_rdev(qp->ibqp.device)->cc_conns;

	spin_lock_bh(&conns->lock);
	hash_del(&qp->cc_conn.node);
	spin_unlock_bh(&conns->lock);
}

/**
 * rxe_conn_learn() - a queue pair has a peer, or another one
 * @qp: the QP, under CC
 *
 * The hash holds no reference: an entry goes before its QP does, and whoever
 * finds it before that gets a reference only if there is one left.
 *
 * Context: process.
 */
void rxe_conn_learn(struct rxe_qp *qp)
{
	struct rxe_cc_conns *conns = &to_rdev(qp->ibqp.device)->cc_conns;
	struct rxe_cc_conn *p = &qp->cc_conn;

	spin_lock_bh(&conns->lock);
	hash_del(&p->node);
	rxe_conn_of_qp(p, qp);
	if (p->qpn)
		hash_add(conns->head, &p->node, rxe_conn_key(p));
	spin_unlock_bh(&conns->lock);
}

static struct rxe_qp *rxe_conn_find(struct rxe_dev *rxe,
				    const struct rxe_cc_conn *want)
{
	struct rxe_cc_conns *conns = &rxe->cc_conns;
	struct rxe_qp *qp, *found = NULL;

	spin_lock_bh(&conns->lock);
	hash_for_each_possible(conns->head, qp, cc_conn.node,
			       rxe_conn_key(want)) {
		if (qp->cc_conn.qpn == want->qpn &&
		    rxe_conn_same_addrs(&qp->cc_conn, want) && rxe_get(qp)) {
			found = qp;
			break;
		}
	}
	spin_unlock_bh(&conns->lock);
	return found;
}

/**
 * rxe_conn_get_qp() - the QP under CC that a packet is for
 * @pkt: the packet; its ICRC is right
 * @skb: its buffer
 * @forward: its QP number is that of the peer
 *
 * Context: softirq, or work by loopback.
 * Return: the QP with a reference, or NULL when it is for none: no such QP, one
 * that is not ready or not under CC, or connected to another address.
 */
struct rxe_qp *rxe_conn_get_qp(struct rxe_pkt_info *pkt,
			       const struct sk_buff *skb, bool forward)
{
	struct rxe_cc_conn from, is;
	unsigned long flags;
	struct rxe_qp *qp;
	bool ready;

	rxe_conn_of_skb(&from, skb, bth_qpn(pkt));
	qp = forward ? rxe_conn_find(pkt->rxe, &from) :
		       rxe_pool_get_index(&pkt->rxe->qp_pool, from.qpn);
	if (!qp)
		return NULL;

	spin_lock_irqsave(&qp->state_lock, flags);
	ready = qp->valid && qp_state(qp) >= IB_QPS_RTR;
	spin_unlock_irqrestore(&qp->state_lock, flags);

	/* The flag is set on RC and UC queue pairs only. */
	if (ready && rxe_cc_on(&qp->cc) && pkt->port_num == qp->attr.port_num) {
		rxe_conn_of_qp(&is, qp);
		if (rxe_conn_same_addrs(&is, &from))
			return qp;
	}
	rxe_put(qp);
	return NULL;
}

/**
 * rxe_aside_well_formed() - does a packet look like one of these at all?
 * @pkt: the packet
 * @skb: its buffer
 * @min: shortest UDP payload it may have
 * @max: longest
 *
 * Return: true when it does; its ICRC is still to be checked.
 */
bool rxe_aside_well_formed(struct rxe_pkt_info *pkt, const struct sk_buff *skb,
			   unsigned int min, unsigned int max)
{
	return pkt->paylen >= min && pkt->paylen <= max &&
	       skb->len >= pkt->paylen && !bth_pad(pkt) &&
	       bth_tver(pkt) == BTH_TVER &&
	       pkey_match(bth_pkey(pkt), IB_DEFAULT_PKEY_FULL);
}

/**
 * rxe_aside_new() - make a packet that is neither request nor response
 * @qp: the QP, to whose peer it goes
 * @pkt: result
 * @opcode: what it is
 * @bytes: behind the BTH, before the ICRC; the caller writes them
 * @psn: its PSN
 *
 * Context: softirq or work.
 * Return: its buffer, for rxe_aside_xmit(); NULL when there is none.
 */
struct sk_buff *rxe_aside_new(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
			      u8 opcode, unsigned int bytes, u32 psn)
{
	unsigned int paylen = RXE_BTH_BYTES + bytes + RXE_ICRC_SIZE;
	struct sk_buff *skb;

	*pkt = (struct rxe_pkt_info) { };
	skb = rxe_init_packet(to_rdev(qp->ibqp.device), &qp->pri_av, paylen,
			      pkt);
	if (!skb)
		return NULL;

	pkt->qp = qp;
	pkt->opcode = opcode;
	pkt->mask |= rxe_opcode[opcode].mask;
	pkt->paylen = paylen;
	pkt->psn = psn;
	bth_init(pkt, opcode, 0, 0, 0, IB_DEFAULT_PKEY_FULL,
		 qp->attr.dest_qp_num, 0, psn);
	return skb;
}

/**
 * rxe_aside_xmit() - send a packet
 * @qp: the QP
 * @pkt: the packet, complete but for the ICRC
 * @skb: its buffer, which is consumed
 *
 * Context: softirq or work, no lock held.
 * Return: 0, or an error when it had no route. A packet lost further down is no
 * error.
 */
int rxe_aside_xmit(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
		   struct sk_buff *skb)
{
	int err = rxe_prepare(&qp->pri_av, pkt, skb);

	if (err) {
		kfree_skb(skb);
		return err;
	}
	rxe_xmit_packet(qp, pkt, skb);
	return 0;
}
