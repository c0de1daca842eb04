/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port of an RDMA device: what is counted, the algorithms in use, the port itself, the list
 * of all.
 */
#ifndef _RXE_CC_PORT_H
#define _RXE_CC_PORT_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_host.h>
#include <rxe_cc/kernel.h>
#include <rxe_cc/wire.h>

#include "cc_flow_group.h"
#include "cc_port_knobs.h"
#include "cc_peer.h"

#define COUNTER(id, ...)	RXE_CC_CNT_##id,
enum rxe_cc_counter {
#include "cc_counter_rows.h"
	RXE_CC_NR_COUNTERS,
};

#undef COUNTER

#define QP_COUNTER(id, ...)	RXE_CC_QCNT_##id,
enum rxe_cc_qp_counter {
#include "cc_counter_rows.h"
	RXE_CC_NR_QP_COUNTERS,
};

#undef QP_COUNTER

/* Packets that the core had sent by itself, from whatever context. */
enum rxe_cc_made {
	RXE_CC_MADE_CNP,
	RXE_CC_MADE_PROBE,	/* all with INT */
	RXE_CC_MADE_REPORT,
	RXE_CC_NR_MADE,
};

/**
 * struct rxe_cc_counts - what a CPU has counted at a port
 * @n: by enum rxe_cc_counter
 */
struct rxe_cc_counts {
	u64 n[RXE_CC_NR_COUNTERS];
};

extern const char *const rxe_cc_counter_names[RXE_CC_NR_COUNTERS];
extern const char *const rxe_cc_qp_counter_names[RXE_CC_NR_QP_COUNTERS];

struct in6_addr;
struct rxe_cc_peer_priv;
struct rxe_cc_port;
struct rxe_cc_qp;

/**
 * struct rxe_cc_inst - an algorithm in use on a port
 * @ops: the algorithm; its module is pinned
 * @params: current values; QPs point to them, so they are replaced, then freed
 * @priv: the algorithm's port state
 * @port: where it runs
 * @rx: what its flows receive at the port; NULL when it never wants to know
 * @algo_id: its number in packets
 * @congestion: enum rxe_cc_congestion, with &rxe_cc_ops.port_congestion. Without a lock
 * @lock: guards the next two, and @params while the timer's handler runs
 * @timer: of the algorithm's port state
 * @timer_ns: what it is armed for, or RXE_CC_NO_TIMER
 * @ready: port_init was called
 * @users: QPs, and one for the port when it is the default
 * @list: in &rxe_cc_port.insts
 * @group: flows that run it
 */
struct rxe_cc_inst {
	__cacheline_group_begin(rxe_cc_inst_read);

	const struct rxe_cc_ops *ops;
	u64 *params;
	void *priv;
	struct rxe_cc_port *port;
	struct rxe_cc_rx_port *rx;
	u32 algo_id;
	u8 congestion;

	__cacheline_group_end(rxe_cc_inst_read);

	spinlock_t lock ____cacheline_aligned; /* see above */
	struct hrtimer timer;
	u64 timer_ns;
	bool ready;
	unsigned int users;
	struct list_head list;
	struct rxe_cc_group group;
};

/* cc_port_algo_call.c */
void rxe_cc_inst_timer_init(struct rxe_cc_inst *inst);
void rxe_cc_inst_timer(struct rxe_cc_inst *inst, u64 at_ns, u64 now_ns);
int rxe_cc_inst_cmd(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		    const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c);

/* cc_port_algo.c */
struct rxe_cc_inst *rxe_cc_inst_get(struct rxe_cc_port *port,
				    const struct rxe_cc_ops *ops);
void rxe_cc_inst_put(struct rxe_cc_port *port, struct rxe_cc_inst *inst);
u64 *rxe_cc_inst_set_params(struct rxe_cc_inst *inst, u64 *params);
void rxe_cc_inst_rules(struct rxe_cc_inst *inst);
struct rxe_cc_inst *rxe_cc_inst_find(struct rxe_cc_port *port, const char *name);
int rxe_cc_test_cmd(struct rxe_cc_qp *qp, const struct in6_addr *addr,
		    const char *name, struct rxe_cc_cmd_call *c);

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
 * @qps: queue pairs, by their numbers: a dump goes on behind the last one it had
 * @nr_qps: entries in @qps
 * @link_bps: speed of the link as the transport reports it; 0: unknown. Without a lock
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

/* cc_registry.c: algorithms, by their names; and the list of ports, which has the same mutex */
extern struct mutex rxe_cc_mutex;
extern struct list_head rxe_cc_ports;
/* Changes with every entry that comes or goes: readers of a dump see that. */
extern atomic_t rxe_cc_generation;

extern const struct rxe_cc_ops rxe_cc_none_ops;
const struct rxe_cc_ops *rxe_cc_algo_find(const char *name);
const struct rxe_cc_ops *rxe_cc_algo_get(const char *name);
const struct rxe_cc_ops *rxe_cc_algo_next(const struct rxe_cc_ops *prev);
unsigned int rxe_cc_algo_users(const struct rxe_cc_ops *ops);
int rxe_cc_param_index(const struct rxe_cc_param *table, unsigned int nr,
		       const char *name);
const struct rxe_cc_preset *rxe_cc_preset(const struct rxe_cc_ops *ops,
					  const char *name);
const struct rxe_cc_cmd *rxe_cc_cmd_find(const struct rxe_cc_ops *ops,
					 const char *name);
void rxe_cc_cmd_defaults(const struct rxe_cc_cmd *cmd, u64 *values);
void rxe_cc_param_defaults(const struct rxe_cc_ops *ops, u64 *values);

/* What a command is about: it has one call. */
static inline enum rxe_cc_command_scope rxe_cc_cmd_scope(const struct rxe_cc_cmd *cmd)
{
	if (cmd->to_qp)
		return RXE_CC_COMMAND_SCOPE_QP;
	return cmd->to_peer ? RXE_CC_COMMAND_SCOPE_PEER : RXE_CC_COMMAND_SCOPE_PORT;
}

#endif /* _RXE_CC_PORT_H */
