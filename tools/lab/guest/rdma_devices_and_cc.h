/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: RDMA devices and their congestion control.
 */
#ifndef LAB_GUEST_RDMA_DEVICES_AND_CC_H
#define LAB_GUEST_RDMA_DEVICES_AND_CC_H

#include "guest/topo.h"

int rdma_exclusive(void);
int rdma_hosts_add(struct topo *t);
int rdma_link_del(const char *dev);

int cc_open(struct nl *nl);
/* What the kernel says of an algorithm: needs, enum rxe_cc_algo_need; values told in ACKs. */
struct cc_algo {
	uint32_t needs, nr_fb;
};

int cc_units(struct nl *nl, const char *algo, const char *dev, struct json_object *params,
	     struct json_object *knobs, struct cc_algo *about);
int cc_dev_set(struct nl *nl, const char *dev, struct json_object *cc, struct json_object *params,
	       struct json_object *knobs);
int cc_dev_params(struct nl *nl, const char *dev, struct json_object *out,
		  struct json_object *units);
int cc_dev_counters(struct nl *nl, const char *dev, struct json_object *out);

#define CC_VARS_MAX	32

/* Called for each QP of a dump; absent values are -1. */
struct cc_qp {
	const char *dev, *algo;
	uint32_t qpn;
	int64_t rtt_ns;			/* smoothed; 0: none measured */
	/* from samples only */
	uint32_t congestion, rx_msgs, rx_senders;
	bool of_port;			/* @congestion is */
	bool by_int;			/* its algorithm goes by telemetry, as it is set */
	int64_t rate_bps, cwnd_bytes, inflight_bytes, acked_bytes, tx_packets, tx_bytes;
	size_t n_vars;			/* of the algorithm */
	struct {
		const char *name;
		uint64_t value;
	} vars[CC_VARS_MAX];
};

typedef void (*cc_qp_fn)(const struct cc_qp *qp, void *data);

int cc_qp_dump(struct nl *nl, cc_qp_fn fn, void *data);

#endif /* LAB_GUEST_RDMA_DEVICES_AND_CC_H */
