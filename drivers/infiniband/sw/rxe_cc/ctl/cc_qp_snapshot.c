// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots of devices and queue pairs for another kernel module (roce_watch), without netlink.
 */
#include <linux/module.h>
#include <rdma/ib_verbs.h>

#include "cc_netlink.h"

/**
 * rxe_cc_look_devs() - name all devices
 * @fn: called for each
 * @data: for @fn
 */
void rxe_cc_look_devs(void (*fn)(const struct ib_device *dev, void *data), void *data)
{
	const struct rxe_cc_port *port;

	mutex_lock(&rxe_cc_mutex);
	list_for_each_entry(port, &rxe_cc_ports, list)
		fn(port->ibdev, data);
	mutex_unlock(&rxe_cc_mutex);
}
EXPORT_SYMBOL_GPL(rxe_cc_look_devs);

/**
 * rxe_cc_look_qps() - look at all queue pairs, in the order of a dump
 * @fn: called for each
 * @s: memory to work with, large for a stack
 * @data: for @fn
 */
void rxe_cc_look_qps(rxe_cc_look_fn fn, struct rxe_cc_qp_snapshot *s, void *data)
{
	struct rxe_cc_port *port;
	struct rxe_cc_qp *qp;
	unsigned long qpn;

	mutex_lock(&rxe_cc_mutex);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		mutex_lock(&port->mutex);
		xa_for_each(&port->qps, qpn, qp) {
			rxe_cc_qp_snap(qp, s);
			fn(port->ibdev, s, data);
		}
		mutex_unlock(&port->mutex);
	}
	mutex_unlock(&rxe_cc_mutex);
}
EXPORT_SYMBOL_GPL(rxe_cc_look_qps);
