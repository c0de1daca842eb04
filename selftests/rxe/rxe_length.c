// SPDX-License-Identifier: GPL-2.0
/*
 * WRITEs whose RETH says another length than they bring, made by hand for a queue pair that
 * waits for them.
 *
 *	rxe_length DEVICE DEVICE IF TO-MAC
 *
 * The packets go out by IF, the netdev of the first device, to the second one, whose answers
 * are read there. Each case has a connection of its own, since an error ends it. A line for
 * each case that is not answered as it is to be. Exit status: 0 all are, 1 not, 2 cannot.
 */
#include <time.h>

#include "rxe_endpoint.h"
#include "rxe_packet.h"

#define MTU		1024
#define PSN		100
#define BUF		(4 * MTU)
#define RETH		(BTH + BTH_LEN)
#define RETH_LEN	16
#define OP_WRITE_FIRST	0x06
#define UC		0x20	/* in an opcode */
#define SYN_ACK		0x00	/* upper bits of a syndrome: ACK, with any credits */
#define SYN_INVALID	0x61	/* NAK: invalid request */
#define NONE		-1
#define WAIT_MS		200

/* Up to two packets, and the answer to the last of them. */
struct part {
	uint8_t opcode;
	int32_t reth_len;	/* NONE: no RETH */
	int bytes;
};

static const struct length_case {
	const char *name;
	struct part part[2];
	int answer;
} cases[] = {
	{ "all that it says", { { OP_WRITE_ONLY, MTU, MTU } }, SYN_ACK },
	{ "nothing, as it says", { { OP_WRITE_ONLY, 0, 0 } }, SYN_ACK },
	{ "two packets", { { OP_WRITE_FIRST, MTU + 8, MTU }, { OP_WRITE_LAST, NONE, 8 } },
	  SYN_ACK },
	{ "16 bytes of 0", { { OP_WRITE_ONLY, 0, 16 } }, SYN_INVALID },
	{ "a first packet of 0", { { OP_WRITE_FIRST, 0, MTU } }, SYN_INVALID },
	{ "1024 bytes of 1025", { { OP_WRITE_ONLY, MTU + 1, MTU } }, SYN_INVALID },
	{ "2048 bytes of 4096", { { OP_WRITE_FIRST, 4 * MTU, MTU }, { OP_WRITE_LAST, NONE, MTU } },
	  SYN_INVALID },
	{ "UC, 16 bytes of 0", { { UC | OP_WRITE_ONLY, 0, 16 } }, NONE },
	{ "UC, 1024 bytes of 1025", { { UC | OP_WRITE_ONLY, MTU + 1, MTU } }, NONE },
};

static struct end ends[2];
static uint8_t buf[BUF];

static void make_qp(struct end *e, bool uc)
{
	struct ibv_qp_init_attr init = {
		.qp_type = uc ? IBV_QPT_UC : IBV_QPT_RC, .send_cq = e->cq, .recv_cq = e->cq,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
	};

	e->qp = ibv_create_qp(e->pd, &init);
	if (!e->qp)
		die("queue pair");
}

/* Ready to receive, which is all that it will do. */
static void connect_end(struct end *e, const struct end *peer, bool uc)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	struct ibv_qp_attr rtr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .rq_psn = PSN,
		.dest_qp_num = peer->qp->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 10,
		.ah_attr = { .is_global = 1, .port_num = 1,
			     .grh = { .dgid = peer->gid, .sgid_index = e->gid_index,
				      .hop_limit = 64 } },
	};

	errno = ibv_modify_qp(e->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			      IBV_QP_ACCESS_FLAGS);
	if (!errno)
		errno = ibv_modify_qp(e->qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				      IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				      (uc ? 0 : IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	if (errno)
		die("modify");
}

static void send_part(int fd, const uint8_t *eth, const struct part *p, uint32_t psn)
{
	static const uint8_t header[BTH + BTH_LEN] = {
		0x45, 0, 0, 0, 0, 0, 0x40, 0, 0x40, 0x11,
		[IP_LEN] = 0xc0, 0x00, 0x12, 0xb7, [BTH + 2] = 0xff, 0xff,
	};
	uint8_t frame[ETH_HLEN + MAX_LEN] = { }, *pkt = frame + ETH_HLEN;
	int len = BTH + BTH_LEN;

	memcpy(frame, eth, ETH_HLEN);
	memcpy(pkt, header, sizeof(header));
	memcpy(pkt + 12, ends[0].gid.raw + 12, 4);
	memcpy(pkt + 16, ends[1].gid.raw + 12, 4);
	pkt[BTH] = p->opcode;
	put24(pkt + BTH + 5, ends[1].qp->qp_num);
	pkt[BTH + 8] = 0x80;	/* asks for an ACK */
	put24(pkt + BTH + 9, psn);
	if (p->reth_len != NONE) {
		put64(pkt + len, (uintptr_t)buf);
		put16(pkt + len + 8, ends[1].mr->rkey >> 16);
		put16(pkt + len + 10, ends[1].mr->rkey);
		put16(pkt + len + 12, p->reth_len >> 16);
		put16(pkt + len + 14, p->reth_len);
		len += RETH_LEN;
	}
	len += p->bytes + ICRC_LEN;
	seal(pkt, len);
	if (send(fd, frame, ETH_HLEN + len, 0) != ETH_HLEN + len)
		die("send");
}

/* The syndrome of the answer to @psn, or NONE. */
static int answer(int fd, uint32_t psn)
{
	struct timespec end, now;
	uint8_t frame[ETH_HLEN + MAX_LEN], *pkt = frame + ETH_HLEN;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += WAIT_MS * 1000000L;
	for (;;) {
		ssize_t n = recv(fd, frame, sizeof(frame), MSG_DONTWAIT);

		if (n >= ETH_HLEN + BTH + BTH_LEN + 4 && get16(pkt + IP_LEN + 2) == 4791 &&
		    pkt[BTH] == OP_ACK && get24(pkt + BTH + 5) == ends[0].qp->qp_num &&
		    get24(pkt + BTH + 9) == psn)
			return pkt[BTH + BTH_LEN];
		clock_gettime(CLOCK_MONOTONIC, &now);
		if ((now.tv_sec - end.tv_sec) * 1000000000L + now.tv_nsec - end.tv_nsec > 0)
			return NONE;
		if (n < 0)
			usleep(1000);
	}
}

static bool run_case(int fd, const uint8_t *eth, const struct length_case *c)
{
	bool uc = c->part[0].opcode & UC;
	uint32_t psn = PSN;
	int got;

	for (int i = 0; i < 2; i++)
		make_qp(&ends[i], uc);
	for (int i = 0; i < 2; i++)
		connect_end(&ends[i], &ends[!i], uc);
	send_part(fd, eth, &c->part[0], psn);
	if (c->part[1].opcode)
		send_part(fd, eth, &c->part[1], ++psn);
	got = answer(fd, psn);
	for (int i = 0; i < 2; i++)
		ibv_destroy_qp(ends[i].qp);
	if (got == c->answer || (c->answer == SYN_ACK && got != NONE && !(got & 0xe0)))
		return true;
	printf("# %s: answered by %#x\n", c->name, got);
	return false;
}

int main(int argc, char **argv)
{
	uint8_t eth[ETH_HLEN] = { [6] = 2, [12] = 0x08, [13] = 0x00 };
	bool ok = true;
	int fd;

	if (argc != 5 || sscanf(argv[4], "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", eth, eth + 1, eth + 2,
				eth + 3, eth + 4, eth + 5) != 6) {
		fprintf(stderr, "usage: rxe_length DEVICE DEVICE IF TO-MAC\n");
		return 2;
	}
	end_open(&ends[0], argv[1], buf, BUF);
	end_open(&ends[1], argv[2], buf, BUF);
	fd = open_socket(argv[3], ETH_P_IP);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok &= run_case(fd, eth, &cases[i]);
	return !ok;
}
