/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port of an RDMA device.
 */
#ifndef _RXE_CC_PORT_H
#define _RXE_CC_PORT_H

#include <linux/cache.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rxe_cc/cc_host.h>

#include "cc_counters.h"
#include "cc_inst.h"
#include "cc_knobs.h"
#include "cc_peer.h"
#include "cc_registry.h"

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
const char *rxe_cc_port_knob_refusal(struct rxe_cc_port *port, const u64 *knob);
int rxe_cc_port_commit(struct rxe_cc_port *port, struct rxe_cc_change *c);
void rxe_cc_port_watch(void (*fn)(struct rxe_cc_port *port, u8 cmd));
int rxe_cc_test_set(struct rxe_cc_port_handle *h, const struct rxe_cc_ops *ops,
		    const u64 *knob);

#endif /* _RXE_CC_PORT_H */
