// SPDX-License-Identifier: GPL-2.0
/*
 * Writes from one host to another, by verbs, for programs_in_virtual_time.sh and host_cost.sh.
 *	writes_and_waits HOW DEVICE DEVICE [N]
 * HOW is how it waits for a completion: poll, by ibv_poll_cq(); start_poll, of a queue of
 * ibv_create_cq_ex(); or event, for which it sleeps. "post" posts N requests one by one and waits
 * for none but the last, "batch" begins all of them by ibv_wr_start() and ends them by one
 * ibv_wr_complete(). Both ends are in this process. It prints HOW and two times in ns: from before
 * the first request to when all were posted, and to when the last completion was there.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE	64
#define DEPTH	128
#define GID	1
#define PORT	1

struct end {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_cq_ex *cq_ex;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	union ibv_gid gid;
	char buf[SIZE];
};

static const char *how;

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void open_end(struct end *e, const char *name)
{
	struct ibv_cq_init_attr_ex cq = { .cqe = DEPTH };
	struct ibv_qp_init_attr_ex qp = {
		.qp_type = IBV_QPT_RC, .cap = { DEPTH, 1, 1, 1, 0 },
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = PORT,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	for (i = 0; list[i] && strcmp(ibv_get_device_name(list[i]), name); i++)
		;
	e->context = list[i] ? ibv_open_device(list[i]) : NULL;
	if (!e->context || ibv_query_gid(e->context, PORT, GID, &e->gid))
		die(name);
	e->pd = ibv_alloc_pd(e->context);
	e->channel = ibv_create_comp_channel(e->context);
	cq.channel = e->channel;
	if (strcmp(how, "start_poll") == 0) {
		e->cq_ex = ibv_create_cq_ex(e->context, &cq);
		e->cq = e->cq_ex ? ibv_cq_ex_to_cq(e->cq_ex) : NULL;
	} else {
		e->cq = ibv_create_cq(e->context, DEPTH, NULL, e->channel, 0);
	}
	if (!e->pd || !e->cq)
		die("completion queue");
	qp.pd = e->pd;
	qp.send_cq = e->cq;
	qp.recv_cq = e->cq;
	e->qp = ibv_create_qp_ex(e->context, &qp);
	e->mr = ibv_reg_mr(e->pd, e->buf, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (!e->qp || !e->mr ||
	    ibv_modify_qp(e->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			  IBV_QP_ACCESS_FLAGS))
		die("queue pair");
}

static void connect_to(struct end *e, const struct end *peer)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer->qp->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
		.ah_attr = {
			.is_global = 1, .port_num = PORT,
			.grh = { .dgid = peer->gid, .sgid_index = GID, .hop_limit = 64 },
		},
	};

	if (ibv_modify_qp(e->qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
			  IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			  IBV_QP_MIN_RNR_TIMER))
		die("RTR");
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 18;
	attr.retry_cnt = 7;
	attr.max_rd_atomic = 1;
	if (ibv_modify_qp(e->qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			  IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		die("RTS");
}

static void post(struct end *e, const struct end *peer, bool last)
{
	struct ibv_sge sge = { (uintptr_t)e->buf, SIZE, e->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
		.send_flags = last ? IBV_SEND_SIGNALED : 0,
		.wr.rdma = { (uintptr_t)peer->buf, peer->mr->rkey },
	};

	if (ibv_post_send(e->qp, &wr, &bad))
		die("post");
}

static void batch(struct end *e, const struct end *peer, int n)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(e->qp);
	int i;

	ibv_wr_start(qp);
	for (i = 0; i < n; i++) {
		qp->wr_flags = i == n - 1 ? IBV_SEND_SIGNALED : 0;
		ibv_wr_rdma_write(qp, peer->mr->rkey, (uintptr_t)peer->buf);
		ibv_wr_set_sge(qp, e->mr->lkey, (uintptr_t)e->buf, SIZE);
	}
	if (ibv_wr_complete(qp))
		die("batch");
}

static void wait_start_poll(struct ibv_cq_ex *cq)
{
	struct ibv_poll_cq_attr attr = { };
	int rc;

	do
		rc = ibv_start_poll(cq, &attr);
	while (rc == ENOENT);
	if (rc || cq->status != IBV_WC_SUCCESS)
		die("start_poll");
	ibv_end_poll(cq);
}

static void wait_for(struct end *e)
{
	struct ibv_cq *cq;
	struct ibv_wc wc;
	void *ctx;
	int n;

	if (e->cq_ex) {
		wait_start_poll(e->cq_ex);
		return;
	}
	if (strcmp(how, "event") == 0) {
		if (ibv_get_cq_event(e->channel, &cq, &ctx))
			die("event");
		ibv_ack_cq_events(cq, 1);
	}
	do
		n = ibv_poll_cq(e->cq, 1, &wc);
	while (!n);
	if (n < 0 || wc.status != IBV_WC_SUCCESS)
		die("completion");
}

int main(int argc, char **argv)
{
	struct end a = { }, b = { };
	long long start, posted, end;
	int n = argc > 4 ? atoi(argv[4]) : 1, i;

	if (argc < 4 || n < 1 || n > DEPTH)
		return 2;
	how = argv[1];
	open_end(&a, argv[2]);
	open_end(&b, argv[3]);
	connect_to(&a, &b);
	connect_to(&b, &a);
	if (strcmp(how, "event") == 0 && ibv_req_notify_cq(a.cq, 0))
		die("notify");

	start = now();
	if (strcmp(how, "batch") == 0) {
		batch(&a, &b, n);
	} else {
		for (i = 0; i < n; i++)
			post(&a, &b, i == n - 1);
	}
	posted = now();
	wait_for(&a);
	end = now();
	printf("%s %lld %lld\n", how, posted - start, end - start);
	return 0;
}
