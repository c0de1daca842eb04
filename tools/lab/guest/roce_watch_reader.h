/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: reads the samples that the kernel takes (roce_watch.ko).
 */
#ifndef LAB_GUEST_ROCE_WATCH_READER_H
#define LAB_GUEST_ROCE_WATCH_READER_H

#include <linux/roce_watch.h>

#include "guest/rdma_devices_and_cc.h"
#include "guest/topo.h"

struct watch {
	int fd;				/* -1: not open */
	char *buf;
	size_t have;			/* begin of a record that is not complete */
	char **devs, **vars;		/* names, by id */
	size_t n_devs, n_vars;
};

/* What is called for records; what is NULL is not expected. */
struct watch_ops {
	void (*tick)(const struct roce_watch_tick *r, void *data);
	void (*port)(const struct roce_watch_port *r, int n_prios, void *data);
	cc_qp_fn qp;
	void (*hist)(const struct roce_watch_hist *r, int n_buckets, void *data);
	void (*other)(const struct roce_watch_rec *rec, void *data);
};

int watch_open(struct watch *w);
int watch_port(struct watch *w, const struct port *p, uint32_t flags);
int watch_cmd(struct watch *w, const struct roce_watch_cmd *cmd, const char *what);
int watch_drain(struct watch *w, const struct watch_ops *ops, void *data);
void watch_close(struct watch *w);

#endif /* LAB_GUEST_ROCE_WATCH_READER_H */
