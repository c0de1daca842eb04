// SPDX-License-Identifier: GPL-2.0
/*
 * An RDMA program of one's own: writes BYTES from one device to another, COUNT times, one after
 * the other, and prints how long each took. Both ends are in this process, so there is nothing to
 * agree on by another connection.
 *	cc -o write_times write_times.c -libverbs
 *	write_times FROM TO BYTES COUNT
 */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GID_INDEX	1	/* the IPv4 address, in the lab */
#define MUST(what)	do { if (!(what)) { perror(#what); exit(1); } } while (0)

struct end {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	struct ibv_port_attr port;
	union ibv_gid gid;
};

static void open_end(struct end *e, const char *name, size_t bytes)
{
	struct ibv_device **all = ibv_get_device_list(NULL), **d = all;

	while (*d && strcmp(ibv_get_device_name(*d), name))
		d++;
	MUST(*d && (e->context = ibv_open_device(*d)));
	ibv_free_device_list(all);
	MUST(!ibv_query_port(e->context, 1, &e->port));
	MUST(!ibv_query_gid(e->context, 1, GID_INDEX, &e->gid));
	MUST(e->pd = ibv_alloc_pd(e->context));
	MUST(e->cq = ibv_create_cq(e->context, 16, NULL, NULL, 0));
	MUST(e->mr = ibv_reg_mr(e->pd, calloc(1, bytes), bytes,
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));
	MUST(e->qp = ibv_create_qp(e->pd, &(struct ibv_qp_init_attr){
		.send_cq = e->cq, .recv_cq = e->cq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	}));
}

static void connect_to(struct end *e, const struct end *peer)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	}, rtr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = e->port.active_mtu,
		.dest_qp_num = peer->qp->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
		.ah_attr = { .is_global = 1, .port_num = 1, .grh = {
			.dgid = peer->gid, .sgid_index = GID_INDEX, .hop_limit = 64 } },
	}, rts = {
		.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	MUST(!ibv_modify_qp(e->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			    IBV_QP_ACCESS_FLAGS));
	MUST(!ibv_modify_qp(e->qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
			    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			    IBV_QP_MIN_RNR_TIMER));
	MUST(!ibv_modify_qp(e->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	struct end from, to;
	struct ibv_wc wc;
	double start;
	long bytes;
	int i;

	MUST(argc == 5 && (bytes = atol(argv[3])) > 0);
	open_end(&from, argv[1], bytes);
	open_end(&to, argv[2], bytes);
	connect_to(&from, &to);
	connect_to(&to, &from);
	for (i = 0; i < atoi(argv[4]); i++) {
		struct ibv_sge sge = { (uintptr_t)from.mr->addr, bytes, from.mr->lkey };
		struct ibv_send_wr wr = {
			.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
			.send_flags = IBV_SEND_SIGNALED,
			.wr.rdma = { (uintptr_t)to.mr->addr, to.mr->rkey },
		}, *bad;

		start = now_us();
		MUST(!ibv_post_send(from.qp, &wr, &bad));
		while (!ibv_poll_cq(from.cq, 1, &wc))
			;
		MUST(wc.status == IBV_WC_SUCCESS);
		printf("%ld bytes: %.3f us\n", bytes, now_us() - start);
	}
	return 0;
}
