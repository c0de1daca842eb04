/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of roce_watch.ko, which samples ports and queue pairs for the lab; shared by its files.
 */
#ifndef _ROCE_WATCH_H
#define _ROCE_WATCH_H

#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/types.h>
#include <rxe_cc/roce_port_snapshot.h>

#include "ctl/cc_netlink.h"
#include "events/record_buffer.h"

/* Names of variables, of all algorithms of a run. */
#define WATCH_VARS_MAX	64

/**
 * struct watch_port - a port that is watched
 * @net: where its device is, held; the device is not, since that would keep it from being removed
 * @ifindex: of the device
 * @flags: ROCE_WATCH_F_*
 * @id: of its records
 */
struct watch_port {
	struct net *net;
	int ifindex;
	u32 flags;
	u32 id;
};

/**
 * struct watch - samples for whoever has the file open
 * @lock: guards all but @task
 * @task: takes the samples; NULL: none are taken. Under inode lock.
 * @ports: what is watched
 * @nr_ports: entries of @ports
 * @cmd: the start's
 * @taken: samples so far
 * @step: of every so many instants one is a sample
 * @var: names that are in a record already
 * @nr_vars: entries of @var
 * @look: a port, to work with: too large for a stack
 * @snap: a queue pair, the same
 * @ns: a histogram, the same
 * @out: records
 */
struct watch {
	struct mutex lock; /* see above */
	struct task_struct *task;
	struct watch_port *ports;
	u32 nr_ports;
	struct roce_watch_cmd cmd;
	u64 taken;
	u64 step;
	const char *var[WATCH_VARS_MAX];
	u32 nr_vars;
	struct roce_look look;
	struct rxe_cc_qp_snapshot snap;
	u64 ns[ROCE_WATCH_BUCKETS];
	struct records out;
};

/* watch_sample.c: under watch->lock */
void watch_sample_devs(struct watch *w);
void watch_sample_at(struct watch *w, u64 t_ns);
int watch_hist_begin(struct watch *w);
int watch_hist_end(struct watch *w);
int watch_lost(struct watch *w);

#endif /* _ROCE_WATCH_H */
