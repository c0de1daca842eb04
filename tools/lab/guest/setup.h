/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: the network of a job, with its hosts set up.
 */
#ifndef LAB_GUEST_SETUP_H
#define LAB_GUEST_SETUP_H

#include "guest/flowgen_coordination.h"
#include "guest/rdma_devices_and_cc.h"
#include "guest/topo.h"

/* Exit status when the kernel refused algorithm, parameters or knobs. */
#define STATUS_REFUSED	126

struct lab {
	struct json_object *job;
	struct topo topo;
	struct flowgen flowgen;
	struct nl cc;
	bool have_cc, refused;
	const char *algo;		/* NULL: no congestion control in this job */
	struct cc_algo about;
	bool unreliable;		/* connections: sent is not arrived */
	int64_t mem_before_kb, mem_setup_kb;
};

int64_t lab_mem_kb(void);
int lab_share(struct json_object *job);
int lab_setup(struct lab *l);
int lab_cc(struct lab *l, struct json_object *cc, int n_hosts);
int lab_start_ports(struct lab *l, int64_t t0_ns, bool wait);

#endif /* LAB_GUEST_SETUP_H */
