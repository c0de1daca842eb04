/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: struct sampler. It takes samples and totals of a scenario's run and writes their
 * rows.
 */
#ifndef LAB_GUEST_SAMPLER_H
#define LAB_GUEST_SAMPLER_H

#include "common/csv_columns.h"
#include "guest/rdma_devices_and_cc.h"
#include "guest/topo.h"
#include "guest/roce_watch_reader.h"

/* A flow's queue pair at one of its ends, by which samples find their flow. */
struct flow_qp {
	const char *dev;
	uint32_t qpn;
	int flow;
	bool sends;			/* the data */
	int64_t first_tx_ns, last_ns;	/* first and last sample after it began to send */
	bool has_rtt, by_int;
	size_t first;			/* queue pair of the device, which has its counts */
	uint32_t congestion, rx_msgs, rx_senders;	/* written last */
	size_t n_vars;			/* written so far, and what was written last */
	uint64_t vars[CC_VARS_MAX];
};

struct sampler {
	struct topo *topo;
	struct nl *cc;			/* NULL: no congestion control in this kernel */
	struct flow_qp *qps;
	size_t n_qps;
	struct json_object *qps_doc;	/* owns the strings of @qps */
	bool programs;			/* queue pairs that no flow has are theirs, and have rows */
	int64_t t0_ns, t_ns;
	FILE *table[TABLES];		/* NULL: not in this run */
	bool *watch;			/* by port id */
	bool *lossless;			/* by port id: has pauses to look at */
	bool *written;			/* by port id and priority: last row was not 0 */
	uint64_t *paused_ns;		/* by port id and priority: in the last row */
	uint32_t *judged;		/* by port id and priority: state in the last row */
	int64_t pause_every, limit_ns;	/* of samples from there on no rows are written */
	struct watch kernel;		/* samples */
	struct qdisc_stats *base;	/* by port id: counters at t0 */
	struct qdisc_stats *last;	/* by port id */
	int64_t window_ns[2];		/* part of the run that has figures of its own; -1: none */
	struct qdisc_stats *window[2];	/* by port id: counters then */
	struct json_object *window_counts[2];	/* sums over all hosts then */
	int n_window;			/* how many of these are taken */
	uint64_t net_packets;		/* of all ports, when the network was last looked at */
	int64_t net_changed_ns;		/* when that last grew, or a queue held something */
};

/* guest/sampler.c */
int sampler_open(struct sampler *s, struct json_object *job, const char *out);
int sampler_ports(const struct sampler *s, struct qdisc_stats *to);
int sampler_counters(struct sampler *s, struct json_object *out);
void sampler_pauses(struct sampler *s, const struct port *p, int64_t t_ns);
int sampler_base(struct sampler *s);
int sampler_start(struct sampler *s, int64_t every_ns, int stretch);
int64_t sampler_bytes(const struct sampler *s);
int sampler_take(struct sampler *s);
int sampler_stop(struct sampler *s);
int64_t sampler_window_ns(const struct sampler *s);
int sampler_window(struct sampler *s, int64_t t_ns);
int sampler_drained(struct sampler *s, int64_t t_ns, int64_t settle_ns, int64_t *drained_ns);
int sampler_close(struct sampler *s);

/* guest/counter_totals.c */
int sampler_totals(struct sampler *s, int64_t settle_ns, struct json_object *out);

/* guest/congestion_type_samples.c */
void congestion_types_open(struct sampler *s);
void congestion_types_port(struct sampler *s, const struct port *p, uint64_t busy_ns,
			   uint64_t bytes);
void congestion_types_qp(struct sampler *s, struct flow_qp *hit, const struct cc_qp *qp);

/* guest/switch_feature_samples.c */
void feature_samples_open(struct sampler *s);
uint32_t feature_samples_watch(const struct port *p, size_t *bytes);
void feature_samples_port(struct sampler *s, const struct port *p, const struct roce_watch_port *r,
			  int n_prios);
void feature_samples_record(struct sampler *s, const struct roce_watch_rec *rec);

#endif /* LAB_GUEST_SAMPLER_H */
