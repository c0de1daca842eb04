// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks for the life cycle of rxe devices and queue pairs, their counters, and the callbacks
 * that the core makes to rxe (<rxe_cc/cc_host.h>). The data path is in rxe_cc_datapath.c.
 */
#include <linux/ethtool.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <rxe_cc/version.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

#define RXE_MAX_STATS		(RXE_NUM_OF_COUNTERS + RXE_CC_MAX_HW_COUNTERS)

/* rxe's counters, then the core's; the same for all devices. */
static struct rdma_stat_desc rxe_stat_descs[RXE_MAX_STATS];
static DEFINE_MUTEX(rxe_stat_lock);

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

static void rxe_host_room_changed(void *host_port)
{
	struct rxe_dev *rxe = host_port;
	struct net_device *ndev = ib_device_get_netdev(&rxe->ib_dev, RXE_PORT);

	if (!ndev)
		return;
	rxe_set_mtu(rxe, READ_ONCE(ndev->mtu));
	dev_put(ndev);
}

static const struct rxe_cc_host_ops rxe_host_ops = {
	.wake = rxe_host_wake,
	.send_cnp = rxe_hook_send_cnp,
	.send_probe = rxe_hook_send_probe,
	.send_report = rxe_hook_send_report,
	.room_changed = rxe_host_room_changed,
};

/**
 * rxe_hook_link() - the link of a port is there, or has come up with perhaps another speed
 * @rxe: the device, registered
 *
 * Context: process, rtnl_lock held.
 */
void rxe_hook_link(struct rxe_dev *rxe)
{
	struct net_device *ndev = ib_device_get_netdev(&rxe->ib_dev, RXE_PORT);
	struct ethtool_link_ksettings ks = { };
	u64 bps = 0;

	if (!ndev)
		return;
	if (ndev->reg_state == NETREG_REGISTERED &&
	    !__ethtool_get_link_ksettings(ndev, &ks) &&
	    ks.base.speed != (u32)SPEED_UNKNOWN)
		bps = ks.base.speed * 1000000ULL;
	dev_put(ndev);
	rxe_cc_port_link(&rxe->cc, bps);
}

static int rxe_hook_dev_init(struct rxe_dev *rxe, struct net_device *ndev)
{
	rxe_peers_init(rxe);
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
 * @ndev: netdev of its port
 * @name: name of the RDMA device
 *
 * Undone by rxe_hook_dev_exit(), which ib_dealloc_device() reaches through
 * rxe_dealloc() also when this fails.
 *
 * Return: 0 or an error. After success another thread may have unregistered
 * the device already.
 */
int rxe_hook_register(struct rxe_dev *rxe, struct net_device *ndev, const char *name)
{
	struct ib_device *dev = &rxe->ib_dev;
	int err;

	err = rxe_hook_dev_init(rxe, ndev);
	if (err)
		return err;
	get_device(&dev->dev);
	err = rxe_netns_register(rxe, ndev, name);
	if (!err && ib_device_try_get(dev)) {
		rtnl_lock();
		rxe_hook_link(rxe);
		rtnl_unlock();
		rxe_cc_port_announce(&rxe->cc);
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
}

static void rxe_qp_cc_info(struct rxe_qp *qp, struct rxe_cc_qp_info *info)
{
	info->qpn = qp_num(qp);
	info->dest_qpn = qp->attr.dest_qp_num;
	info->mtu_bytes = qp->mtu;
	info->hdr_bytes = rxe_qp_wire_hdr_bytes(qp) + RXE_BTH_BYTES +
			  RXE_ICRC_SIZE;
	info->psn = qp->req.psn;
	if (qp->attr.dest_qp_num)
		rxe_conn_addr(&info->peer, &qp->pri_av, false);
	info->hop_limit = qp->pri_av.grh.hop_limit;
	info->tos = qp->pri_av.grh.traffic_class;
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
	rxe_conn_learn(qp);
	rxe_qp_cc_info(qp, &info);
	rxe_cc_qp_modify(&qp->cc, &info);
}

/**
 * rxe_hook_qp_reset() - a QP is being reset; its work items do not run
 * @qp: the QP
 */
void rxe_hook_qp_reset(struct rxe_qp *qp)
{
	qp->cc_acks_in_order = false;
	qp->cc_tx = (struct rxe_cc_built) { };
	qp->cc_resp_tx = (struct rxe_cc_built) { };
	rxe_conn_forget(qp);
	rxe_cc_peer_forget(&qp->cc);
	if (qp->cc.qp)
		rxe_cc_qp_reset(&qp->cc);
}

/**
 * rxe_hook_qp_kill() - the verb that destroys a QP begins
 * @qp: the QP; its responder has been told to stop, at the gate, too
 *
 * Nobody finds it by its peer any more.
 */
void rxe_hook_qp_kill(struct rxe_qp *qp)
{
	rxe_conn_forget(qp);
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

/* Of rxe itself upstream says none: this one is ours. */
MODULE_VERSION(RXE_CC_VERSION);
