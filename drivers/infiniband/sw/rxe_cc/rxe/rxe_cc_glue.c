// SPDX-License-Identifier: GPL-2.0
/*
 * Between rxe and the congestion-control core: rxe's structures on one side,
 * <rxe_cc/cc_host.h> on the other. See rxe_cc_glue.h for contexts.
 */
#include <linux/ethtool.h>
#include <linux/rcupdate.h>
#include <linux/rtnetlink.h>
#include <linux/vmalloc.h>
#include <net/inet_ecn.h>
#include <rdma/uverbs_ioctl.h>
#include <rxe_cc/wire.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_queue.h"

/* Preamble 8, Ethernet 14, FCS 4, gap 12, UDP 8 */
#define RXE_WIRE_BYTES		(38 + 8)
#define RXE_WIRE_BYTES_IPV4	(RXE_WIRE_BYTES + 20)
#define RXE_WIRE_BYTES_IPV6	(RXE_WIRE_BYTES + 40)

/* In skb_shared_info.tskey, above a PSN: tell the core when this one has left. */
#define RXE_PROBE		BIT(31)

#define RXE_MAX_STATS		(RXE_NUM_OF_COUNTERS + 64)

/* rxe's counters, then the core's; the same for all devices. */
static struct rdma_stat_desc rxe_stat_descs[RXE_MAX_STATS];
static DEFINE_MUTEX(rxe_stat_lock);

/* Requests, and READ responses that carry something, are data: they get the
 * data's DSCP and ECN, and a mark on one is a mark for its sender.
 */
static bool rxe_pkt_is_data(const struct rxe_pkt_info *pkt)
{
	if (pkt->mask & RXE_REQ_MASK)
		return true;
	return pkt->mask & RXE_PAYLOAD_MASK &&
	       pkt->paylen > rxe_opcode[pkt->opcode].length + RXE_ICRC_SIZE;
}

static u32 rxe_qp_wire_hdr_bytes(const struct rxe_qp *qp)
{
	return qp->pri_av.network_type == RXE_NETWORK_TYPE_IPV6 ?
	       RXE_WIRE_BYTES_IPV6 : RXE_WIRE_BYTES_IPV4;
}

/**
 * rxe_hook_skbs_wait_slow() - stop the requester until packets have left
 * @qp: the QP
 * @rxe: its device
 *
 * Context: send work.
 * Return: true when the requester must stop.
 */
bool rxe_hook_skbs_wait_slow(struct rxe_qp *qp, struct rxe_dev *rxe)
{
	WRITE_ONCE(qp->need_req_skb, 1);
	/* Pairs with atomic_dec_return() in rxe_skb_tx_dtor(): either that sees
	 * the flag, or here the packets that left before are seen. Without it
	 * the last packet may leave between test and flag, and nobody wakes us.
	 */
	smp_mb();
	return (u32)atomic_read(&qp->skb_out) >=
	       READ_ONCE(rxe->cc.skbs_out_low);
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
	u32 bytes = pkt->paylen + rxe_qp_wire_hdr_bytes(qp);

	if (kind == RXE_CC_PKT_DATA)
		bytes += qp->cc_int_bytes;
	rxe_cc_tx_sent(qp->cc.qp, kind, pkt->psn, next_psn, bytes,
		       pkt->mask & RXE_START_MASK, pkt->mask & RXE_END_MASK);
}

/**
 * rxe_hook_tx_probe_slow() - a packet is about to be handed down to the port
 * @pkt: the packet
 * @skb: its buffer
 *
 * A port lets go of a packet (skb_orphan(), or frees it) when it has sent it: the
 * destructor then runs, by which time headers may have been moved and skb->cb is
 * others'. So the buffer bears the PSN, in the field that exists to name packets
 * whose transmission is stamped.
 *
 * Context: send or recv work; softirq for a CNP.
 */
void rxe_hook_tx_probe_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	struct rxe_qp *qp = pkt->qp;

	if ((pkt->mask & (RXE_REQ_MASK | RXE_READ_MASK)) == RXE_REQ_MASK &&
	    bth_ack(pkt) &&
	    rxe_cc_tx_probe(qp->cc.qp, RXE_CC_PKT_DATA, pkt->psn,
			    pkt->paylen + rxe_qp_wire_hdr_bytes(qp) +
			    qp->cc_int_bytes))
		skb_shinfo(skb)->tskey = pkt->psn | RXE_PROBE;
}

/**
 * rxe_hook_tx_left_slow() - the port is done with a packet
 * @qp: the QP
 * @skb: its buffer
 *
 * Context: any, from the packet's destructor.
 */
void rxe_hook_tx_left_slow(struct rxe_qp *qp, const struct sk_buff *skb)
{
	u32 key = skb_shinfo(skb)->tskey;

	if (key & RXE_PROBE)
		rxe_cc_tx_left(qp->cc.qp, key & BTH_PSN_MASK);
}

/**
 * rxe_hook_rx_ack_slow() - an ACK, NAK or response was taken from the queue
 * @qp: the QP
 * @pkt: the packet; its headers are all there
 *
 * Responses to READ and atomic requests acknowledge their PSN and all before.
 *
 * Context: send work.
 */
void rxe_hook_rx_ack_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
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
	rxe_cc_rx_ack(qp->cc.qp, kind, pkt->psn,
		      ktime_to_ns(PKT_TO_SKB(pkt)->tstamp), tlv, tlv_bytes);
}

/* What the peer can do is in every packet of it, beside AckReq. */
static void rxe_learn_caps(const struct rxe_pkt_info *pkt)
{
	const struct rxe_bth *bth = (const struct rxe_bth *)pkt->hdr;
	u8 caps = (be32_to_cpu(bth->apsn) & BTH_RESV7_MASK) >> 24;

	caps &= RXE_CC_CAP_KNOWN;
	if (unlikely((caps | RXE_CC_PEER_KNOWN) != READ_ONCE(pkt->qp->cc.peer)))
		rxe_cc_peer_caps(pkt->qp->cc.qp, caps);
}

/**
 * rxe_hook_rcv_slow() - a packet for a QP under CC passed its ICRC
 * @pkt: the packet
 * @skb: its buffer
 *
 * Responses are stamped here, for rxe_hook_rx_ack_slow(): the work item that
 * takes them from the queue may come much later.
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
	bool ipv4 = skb->protocol == htons(ETH_P_IP);
	struct rxe_cc_rx rx = {
		.psn = pkt->psn,
		.start = pkt->mask & RXE_START_MASK,
		.end = pkt->mask & RXE_END_MASK,
		.wire_bytes = pkt->paylen,
	};
	u8 tos;

	if (!(pkt->mask & RXE_REQ_MASK))
		skb->tstamp = ktime_get();
	rxe_learn_caps(pkt);
	if (!rxe_pkt_is_data(pkt))
		return false;

	tos = ipv4 ? ip_hdr(skb)->tos : ipv6_get_dsfield(ipv6_hdr(skb));
	rx.wire_bytes += ipv4 ? RXE_WIRE_BYTES_IPV4 : RXE_WIRE_BYTES_IPV6;
	rx.ce = INET_ECN_is_ce(tos);
	rxe_cc_rx_data(pkt->qp->cc.qp, &rx);

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
 * Context: send or recv work; softirq for a CNP.
 * Return: type of service, or traffic class.
 */
u8 rxe_hook_tos_slow(const struct rxe_pkt_info *pkt, u8 tos)
{
	struct rxe_qp *qp = pkt->qp;

	if (pkt->opcode == IB_BTH_OPCODE_CNP)
		return rxe_cc_cnp_tos(qp->cc.qp);
	return rxe_cc_tx_tos(qp->cc.qp, rxe_pkt_is_data(pkt) ||
			     READ_ONCE(qp->cc_acks_in_order), tos);
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
	WRITE_ONCE(qp->cc_acks_in_order, true);
	WRITE_ONCE(qp->cc_read_next, qp->resp.res->cur_psn);
	WRITE_ONCE(qp->cc_read_last, qp->resp.res->last_psn);
	if (!rxe_cc_tx_wait(qp->cc.qp, RXE_CC_RESPONDER, RXE_CC_PKT_RESP))
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

static void rxe_host_wake(void *host_qp, enum rxe_cc_side side)
{
	struct rxe_qp *qp = host_qp;
	unsigned long flags;

	if (!rxe_get(qp))
		return;
	spin_lock_irqsave(&qp->state_lock, flags);
	if (qp->valid)
		rxe_sched_task(side == RXE_CC_RESPONDER ? &qp->recv_task :
							  &qp->send_task);
	spin_unlock_irqrestore(&qp->state_lock, flags);
	rxe_put(qp);
}

static u64 rxe_host_line_rate_bps(void *host_port)
{
	struct ethtool_link_ksettings ks = { };
	struct rxe_dev *rxe = host_port;
	struct net_device *ndev;
	u64 bps = 0;

	ndev = rxe_ib_device_get_netdev(&rxe->ib_dev);
	if (!ndev)
		return 0;

	rtnl_lock();
	if (ndev->reg_state == NETREG_REGISTERED &&
	    !__ethtool_get_link_ksettings(ndev, &ks) &&
	    ks.base.speed != (u32)SPEED_UNKNOWN)
		bps = ks.base.speed * 1000000ULL;
	rtnl_unlock();
	dev_put(ndev);
	return bps;
}

static void rxe_host_room_changed(void *host_port)
{
	struct rxe_dev *rxe = host_port;
	struct net_device *ndev = rxe_ib_device_get_netdev(&rxe->ib_dev);

	if (!ndev)
		return;
	rxe_set_mtu(rxe, READ_ONCE(ndev->mtu));
	dev_put(ndev);
}

static const struct rxe_cc_host_ops rxe_host_ops = {
	.wake = rxe_host_wake,
	.send_cnp = rxe_hook_send_cnp,
	.line_rate_bps = rxe_host_line_rate_bps,
	.room_changed = rxe_host_room_changed,
};

/**
 * rxe_hook_dev_init() - a device is about to be registered
 * @rxe: the device
 * @ndev: netdev of its port
 *
 * Undone by rxe_hook_dev_exit(), which ib_dealloc_device() reaches through
 * rxe_dealloc() also when this or the registration fails.
 *
 * Return: 0 or an error.
 */
int rxe_hook_dev_init(struct rxe_dev *rxe, struct net_device *ndev)
{
	int err;

	err = rxe_netns_get(rxe, ndev);
	if (err)
		return err;

	rxe->cc.max_unacked_psns = RXE_MAX_UNACKED_PSNS;
	rxe->cc.skbs_out_high = RXE_INFLIGHT_SKBS_PER_QP_HIGH;
	rxe->cc.skbs_out_low = RXE_INFLIGHT_SKBS_PER_QP_LOW;
	rxe->cc.ack_limit = RXE_MAX_PKT_PER_ACK;
	return rxe_cc_port_add(&rxe->cc, &rxe->ib_dev, RXE_PORT, ndev->ifindex,
			       &rxe_host_ops, rxe);
}

/**
 * rxe_hook_register() - register a device and announce its port
 * @rxe: the device
 * @name: name of the RDMA device
 * @ndev: netdev of its port
 *
 * Return: 0 or an error. After success another thread may have unregistered
 * the device already.
 */
int rxe_hook_register(struct rxe_dev *rxe, const char *name,
		      struct net_device *ndev)
{
	struct ib_device *dev = &rxe->ib_dev;
	int err;

	get_device(&dev->dev);
	err = ib_register_device(dev, name, NULL);
	if (!err && ib_device_try_get(dev)) {
		rxe_cc_port_announce(&rxe->cc);

		/* A netdev that went or moved before the device could be found
		 * by it told rxe_notify() in vain.
		 */
		rtnl_lock();
		if (ndev->reg_state != NETREG_REGISTERED ||
		    !net_eq(dev_net(ndev), rxe_netns_net(rxe)))
			ib_unregister_device_queued(dev);
		rtnl_unlock();
		ib_device_put(dev);
	}
	put_device(&dev->dev);
	return err;
}

/**
 * rxe_hook_dev_exit() - a device is about to be freed
 * @rxe: the device; perhaps never registered
 */
void rxe_hook_dev_exit(struct rxe_dev *rxe)
{
	if (rxe->cc.port)
		rxe_cc_port_del(&rxe->cc);
	rxe_netns_put(rxe);
}

/**
 * rxe_hook_module_exit() - last step of the module's exit
 *
 * A mapping holds the module until rxe_vma_close() drops its reference: a task
 * may be preempted right behind that. Wait until it has left our text.
 */
void rxe_hook_module_exit(void)
{
	synchronize_rcu_tasks();
}

/**
 * rxe_hook_disassociate() - a verbs context loses its device
 * @context: the context; all its objects are gone
 *
 * That this exists lets a device go while contexts are open: the verbs core has
 * destroyed their objects, woken all who wait for events and will refuse any
 * other command. Queues that are mapped are plain memory; they stay with the
 * mapping (rxe_mmap.c) and are not looked at any more.
 */
void rxe_hook_disassociate(struct ib_ucontext *context)
{
}

/**
 * rxe_hook_mmap() - map a queue
 * @vma: where to
 * @obj: the queue
 *
 * Return: 0 or an error. The mapping holds the module.
 */
int rxe_hook_mmap(struct vm_area_struct *vma, void *obj)
{
	int err;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;

	err = remap_vmalloc_range(vma, obj, 0);
	if (err)
		module_put(THIS_MODULE);
	return err;
}

/**
 * rxe_hook_unpend() - a queue's memory is about to be freed
 * @ip: what describes its mapping
 *
 * As long as it waits to be mapped the device and context exist. Once mapped
 * they need not, and the device's list no longer has it.
 */
void rxe_hook_unpend(struct rxe_mmap_info *ip)
{
	struct rxe_dev *rxe;

	if (list_empty(&ip->pending_mmaps))
		return;

	rxe = to_rdev(ip->context->device);
	spin_lock_bh(&rxe->pending_lock);
	list_del(&ip->pending_mmaps);
	spin_unlock_bh(&rxe->pending_lock);
}

static void rxe_qp_cc_info(struct rxe_qp *qp, struct rxe_cc_qp_info *info)
{
	info->qpn = qp_num(qp);
	info->dest_qpn = qp->attr.dest_qp_num;
	info->mtu_bytes = qp->mtu;
	info->hdr_bytes = rxe_qp_wire_hdr_bytes(qp) + RXE_BTH_BYTES +
			  RXE_ICRC_SIZE;
	info->psn = qp->req.psn;
	info->uc = qp_type(qp) == IB_QPT_UC;
}

/**
 * rxe_hook_qp_create() - a QP is about to become valid
 * @qp: the QP
 *
 * Return: 0 or an error, which fails the verb.
 */
int rxe_hook_qp_create(struct rxe_qp *qp)
{
	struct rxe_dev *rxe = to_rdev(qp->ibqp.device);
	struct rxe_cc_qp_info info = { };

	if (qp_type(qp) != IB_QPT_RC && qp_type(qp) != IB_QPT_UC)
		return 0;

	rxe_qp_cc_info(qp, &info);
	return rxe_cc_qp_add(&rxe->cc, &qp->cc, &info, qp);
}

/**
 * rxe_hook_qp_modify() - a QP was modified
 * @qp: the QP
 * @mask: enum ib_qp_attr_mask
 */
void rxe_hook_qp_modify(struct rxe_qp *qp, int mask)
{
	struct rxe_cc_qp_info info = { };

	if (!qp->cc.qp || !(mask & (IB_QP_AV | IB_QP_PATH_MTU | IB_QP_SQ_PSN |
				    IB_QP_DEST_QPN)))
		return;

	if (mask & (IB_QP_AV | IB_QP_DEST_QPN))
		rxe_cc_peer_forget(&qp->cc);
	rxe_qp_cc_info(qp, &info);
	rxe_cc_qp_modify(&qp->cc, &info);
}

/**
 * rxe_hook_qp_reset() - a QP is being reset; its work items do not run
 * @qp: the QP
 */
void rxe_hook_qp_reset(struct rxe_qp *qp)
{
	/* A READ request that waited at the gate was dropped. */
	qp->resp.res = NULL;
	qp->cc_acks_in_order = false;
	rxe_cc_peer_forget(&qp->cc);
	if (qp->cc.qp)
		rxe_cc_qp_reset(&qp->cc);
}

/**
 * rxe_hook_qp_kill() - the verb that destroys a QP begins
 * @qp: the QP
 *
 * Requests that wait at the gate hold references, for which the verb waits: let
 * both work items drop them now instead of at the paced rate.
 */
void rxe_hook_qp_kill(struct rxe_qp *qp)
{
	unsigned long flags;

	if (!rxe_cc_on(&qp->cc))
		return;

	spin_lock_irqsave(&qp->state_lock, flags);
	qp->valid = 0;
	rxe_sched_task(&qp->recv_task);
	rxe_sched_task(&qp->send_task);
	spin_unlock_irqrestore(&qp->state_lock, flags);
}

/**
 * rxe_hook_qp_destroy() - a QP is being destroyed
 * @qp: the QP; neither tasks, timers nor references are left, but the core's
 *	timers may still call rxe_host_wake(), which finds it dead
 */
void rxe_hook_qp_destroy(struct rxe_qp *qp)
{
	if (qp->cc.qp)
		rxe_cc_qp_del(&qp->cc);
}

/**
 * rxe_hook_alloc_hw_stats() - counters of a port: rxe's and the core's
 * @descs: rxe's
 * @nr: how many
 * @lifespan: of a reading, ms
 *
 * Return: as rdma_alloc_hw_stats_struct().
 */
struct rdma_hw_stats *rxe_hook_alloc_hw_stats(const struct rdma_stat_desc *descs,
					      int nr, unsigned long lifespan)
{
	unsigned int i, nr_cc = rxe_cc_nr_hw_counters();

	if (WARN_ON_ONCE(nr + nr_cc > RXE_MAX_STATS))
		nr_cc = RXE_MAX_STATS - nr;

	mutex_lock(&rxe_stat_lock);
	for (i = 0; i < nr; i++)
		rxe_stat_descs[i] = descs[i];
	for (i = 0; i < nr_cc; i++)
		rxe_stat_descs[nr + i].name = rxe_cc_hw_counter_name(i);
	mutex_unlock(&rxe_stat_lock);

	return rdma_alloc_hw_stats_struct(rxe_stat_descs, nr + nr_cc, lifespan);
}

/**
 * rxe_hook_get_hw_stats() - read the core's counters
 * @rxe: the device
 * @stats: to be filled from @nr on
 * @nr: rxe's own counters, done
 *
 * Return: number of counters in all.
 */
int rxe_hook_get_hw_stats(struct rxe_dev *rxe, struct rdma_hw_stats *stats,
			  int nr)
{
	unsigned int i;

	for (i = 0; nr + i < stats->num_counters; i++)
		stats->value[nr + i] = rxe_cc_hw_counter(&rxe->cc, i);
	return stats->num_counters;
}
