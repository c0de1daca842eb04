/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One end of a connection that a test makes without a connection manager: a device by its
 * name, its IPv4 address, protection domain, completion queue and memory region.
 */
#ifndef _RXE_ENDPOINT_H
#define _RXE_ENDPOINT_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct end {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	union ibv_gid gid;
	int gid_index;
};

/* A test that cannot run: status 2. */
static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(2);
}

static inline void end_find_gid(struct end *e)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	for (e->gid_index = 0; e->gid_index < 16; e->gid_index++)
		if (!ibv_query_gid(e->ctx, 1, e->gid_index, &e->gid) &&
		    !memcmp(e->gid.raw, mapped, sizeof(mapped)))
			return;
	die("no IPv4 address");
}

/* Everything but the queue pair. The peer may write and read @bytes at @buf. */
static inline void end_open(struct end *e, const char *name, void *buf, size_t bytes)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	for (int i = 0; list && list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			e->ctx = ibv_open_device(list[i]);
	if (!e->ctx)
		die(name);
	ibv_free_device_list(list);
	end_find_gid(e);
	e->pd = ibv_alloc_pd(e->ctx);
	e->cq = ibv_create_cq(e->ctx, 16, NULL, NULL, 0);
	if (!e->pd || !e->cq)
		die("protection domain or completion queue");
	e->mr = ibv_reg_mr(e->pd, buf, bytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			   IBV_ACCESS_REMOTE_READ);
	if (!e->mr)
		die("memory region");
}

#endif /* _RXE_ENDPOINT_H */
