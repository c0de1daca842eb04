// SPDX-License-Identifier: GPL-2.0
/*
 * One queue pair between two devices that is connected, used, reset and connected again.
 *
 *	rxe_reset DEVICE DEVICE
 *
 * Commands, one a line on standard input, each answered by "done":
 *	connect PSN	both ends from RESET to RTS, with PSN as the first in both directions
 *	write BYTES	by the first end, until it completes
 *	reads ROUNDS	each a READ of two packets and a WRITE without data, at once
 *	empty ROUNDS	each a READ without data
 *	reset		both ends
 * Exit status: 0, 2 cannot.
 */
#include <unistd.h>

#include "rxe_endpoint.h"

#define BUF	(8 << 20)
/* Two packets of IBV_MTU_1024. */
#define READ_BYTES 2048

static struct end ends[2];
static uint8_t *buf;

static void open_end(struct end *e, const char *name)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 2, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
	};

	end_open(e, name, buf, BUF);
	init.send_cq = e->cq;
	init.recv_cq = e->cq;
	e->qp = ibv_create_qp(e->pd, &init);
	if (!e->qp)
		die("queue pair");
}

static void modify(struct end *e, struct ibv_qp_attr *a, int mask)
{
	errno = ibv_modify_qp(e->qp, a, mask | IBV_QP_STATE);
	if (errno)
		die("modify");
}

static void connect_end(struct end *e, const struct end *peer, uint32_t psn)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT, .port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ,
	};
	struct ibv_qp_attr rtr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .rq_psn = psn,
		.dest_qp_num = peer->qp->qp_num, .max_dest_rd_atomic = 2, .min_rnr_timer = 10,
		.ah_attr = { .is_global = 1, .port_num = 1,
			     .grh = { .dgid = peer->gid, .sgid_index = e->gid_index,
				      .hop_limit = 64 } },
	};
	struct ibv_qp_attr rts = {
		.qp_state = IBV_QPS_RTS, .sq_psn = psn, .timeout = 14, .retry_cnt = 6,
		.rnr_retry = 6, .max_rd_atomic = 2,
	};

	modify(e, &init, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	modify(e, &rtr, IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
	       IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
	modify(e, &rts, IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
	       IBV_QP_MAX_QP_RD_ATOMIC);
}

static void post(struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	errno = ibv_post_send(ends[0].qp, wr, &bad);
	if (errno)
		die("post");
}

static void completes(const char *what)
{
	struct ibv_wc wc;
	int n;

	/* In virtual time nobody is delayed by the polling but who sleeps. */
	while (!(n = ibv_poll_cq(ends[0].cq, 1, &wc)))
		usleep(100);
	if (n < 0 || wc.status != IBV_WC_SUCCESS) {
		fprintf(stderr, "rxe_reset: %s: %s\n", what, ibv_wc_status_str(wc.status));
		exit(2);
	}
}

static void write_bytes(uint32_t bytes)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)buf, .length = bytes, .lkey = ends[0].mr->lkey
	};
	struct ibv_send_wr wr = {
		.sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED,
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma = { .remote_addr = (uintptr_t)buf, .rkey = ends[1].mr->rkey },
	};

	post(&wr);
	completes("write");
}

static void aim(struct ibv_send_wr *wr)
{
	wr->send_flags = IBV_SEND_SIGNALED;
	wr->wr.rdma.remote_addr = (uintptr_t)buf;
	wr->wr.rdma.rkey = ends[1].mr->rkey;
}

static void read_empty(void)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_RDMA_READ };

	aim(&wr);
	post(&wr);
	completes("READ without data");
}

/* From the buffer's beginning to its end. */
static void read_round(unsigned int round)
{
	uint8_t *to = buf + BUF - READ_BYTES;
	struct ibv_sge sge = {
		.addr = (uintptr_t)to, .length = READ_BYTES, .lkey = ends[0].mr->lkey
	};
	struct ibv_send_wr wr[] = {
		{ .opcode = IBV_WR_RDMA_READ, .sg_list = &sge, .num_sge = 1, .next = &wr[1] },
		{ .opcode = IBV_WR_RDMA_WRITE },
	};

	aim(&wr[0]);
	aim(&wr[1]);
	memset(buf, round + 1, READ_BYTES);
	memset(to, 0, READ_BYTES);
	post(wr);
	completes("READ of two packets");
	completes("WRITE without data");
	if (memcmp(to, buf, READ_BYTES)) {
		fprintf(stderr, "rxe_reset: what was read is not what was there\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
	unsigned int n;
	char line[64];

	if (argc != 3) {
		fprintf(stderr, "usage: rxe_reset DEVICE DEVICE\n");
		return 2;
	}
	buf = calloc(1, BUF);
	if (!buf)
		die("memory");
	for (int i = 0; i < 2; i++)
		open_end(&ends[i], argv[1 + i]);
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "connect %u", &n) == 1) {
			for (int i = 0; i < 2; i++)
				connect_end(&ends[i], &ends[!i], n);
		} else if (sscanf(line, "write %u", &n) == 1 && n <= BUF) {
			write_bytes(n);
		} else if (sscanf(line, "reads %u", &n) == 1) {
			for (unsigned int i = 0; i < n; i++)
				read_round(i);
		} else if (sscanf(line, "empty %u", &n) == 1) {
			while (n--)
				read_empty();
		} else if (!strcmp(line, "reset\n")) {
			for (int i = 0; i < 2; i++)
				modify(&ends[i], &reset, 0);
		} else {
			fprintf(stderr, "rxe_reset: what is \"%s\"?\n", line);
			return 2;
		}
		printf("done\n");
		fflush(stdout);
	}
	return 0;
}
