// SPDX-License-Identifier: GPL-2.0
/*
 * Queue pairs that come and go between two RDMA devices while they send: pairs are made,
 * connected, used, thrown into the error state and destroyed, at random, by several
 * threads. At the end what is left is given time: a queue pair with work under way that
 * neither completes nor fails is stuck.
 *
 *	storm [OPTION]... DEVICE DEVICE
 *	-s SEED	of the order of operations of each thread (1)
 *	-t N	seconds (10)
 *	-o N	operations instead of seconds, all threads
 *	-n N	pairs alive at most (256)
 *	-j N	threads (2)
 *	-w N	seconds that what is left may take (60)
 *	-k	an error when a device goes away is none
 *
 *	Libraries: -libverbs -lpthread
 * Prints "count NAME N" and, for each stuck one, "stuck ...". Exit status: 0; 1 something
 * is stuck; 2 cannot.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BUF	65536
#define DEPTH	8
#define CQ_MAX	32767

struct dev {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	union ibv_gid gid;
	int gid_index;
};

struct slot {
	struct ibv_qp *qp[2];
	uint32_t gen;			/* completions of an older one are none of ours */
	bool connected, uc;
	unsigned int left[2];		/* work requests that have not completed */
};

struct worker {
	pthread_t thread;
	struct ibv_cq *cq[2];
	struct slot *slot;
	unsigned int slots;
	uint64_t rng;
	unsigned long made, connected, posted, good, bad, destroyed, ops, refused;
	unsigned int stuck;
};

static struct dev devs[2];
static uint8_t *buf;
static unsigned int seconds = 10, threads = 2, alive = 256, patience = 60;
static unsigned long max_ops;
static bool tolerant;
static uint64_t seed = 1;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* splitmix64 */
static uint64_t draw(struct worker *w)
{
	uint64_t z = w->rng += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static unsigned int below(struct worker *w, unsigned int n)
{
	return draw(w) % n;
}

static void die(const char *what)
{
	fprintf(stderr, "storm: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* The IPv4 address; its place among the GIDs moves when others come and go. */
static bool find_gid(struct dev *d)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	union ibv_gid gid;
	int i;

	for (i = 0; i < 16; i++) {
		if (ibv_query_gid(d->ctx, 1, i, &gid) || memcmp(gid.raw, mapped, sizeof(mapped)))
			continue;
		d->gid = gid;
		d->gid_index = i;
		return true;
	}
	return false;
}

static void open_dev(struct dev *d, const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	for (i = 0; list && list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			d->ctx = ibv_open_device(list[i]);
	if (!d->ctx)
		die(name);
	d->pd = ibv_alloc_pd(d->ctx);
	if (d->pd)
		d->mr = ibv_reg_mr(d->pd, buf, BUF, IBV_ACCESS_LOCAL_WRITE |
				   IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
	if (!d->mr || !find_gid(d))
		die("device");
	ibv_free_device_list(list);
}

static bool make(struct worker *w, struct slot *s)
{
	int i;

	s->uc = !below(w, 8);
	for (i = 0; i < 2; i++) {
		struct ibv_qp_init_attr init = {
			.send_cq = w->cq[i], .recv_cq = w->cq[i],
			.qp_type = s->uc ? IBV_QPT_UC : IBV_QPT_RC,
			.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH,
				 .max_send_sge = 1, .max_recv_sge = 1 },
		};

		s->qp[i] = ibv_create_qp(devs[i].pd, &init);
		if (!s->qp[i]) {
			if (i)
				ibv_destroy_qp(s->qp[0]);
			s->qp[0] = NULL;
			w->refused++;
			return false;
		}
		w->made++;
	}
	s->connected = false;
	s->left[0] = 0;
	s->left[1] = 0;
	s->gen++;
	return true;
}

static bool to_init(struct ibv_qp *qp)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_INIT, .port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ,
	};

	return !ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			      IBV_QP_ACCESS_FLAGS);
}

static bool to_rtr(struct slot *s, int i, enum ibv_mtu mtu)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTR, .path_mtu = mtu,
		.dest_qp_num = s->qp[!i]->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 10,
		.ah_attr = { .is_global = 1, .port_num = 1,
			     .grh = { .dgid = devs[!i].gid, .sgid_index = devs[i].gid_index,
				      .hop_limit = 64, .traffic_class = 104 } },
	};
	int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;

	if (!s->uc)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	return !ibv_modify_qp(s->qp[i], &a, mask);
}

/* Not 7 retries: rxe takes that as for ever, also towards a peer in the error state. */
static bool to_rts(struct slot *s, int i)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 6, .rnr_retry = 6,
		.max_rd_atomic = 1,
	};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (!s->uc)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	return !ibv_modify_qp(s->qp[i], &a, mask);
}

/* Of one MTU: of two stock rxe never ends a READ, and warns. */
static bool connect_pair(struct worker *w, struct slot *s)
{
	enum ibv_mtu mtu = IBV_MTU_256 + below(w, 4);

	if (!to_init(s->qp[0]) || !to_init(s->qp[1]) || !to_rtr(s, 0, mtu) ||
	    !to_rtr(s, 1, mtu) || !to_rts(s, 0) || !to_rts(s, 1))
		return false;
	s->connected = true;
	w->connected++;
	return true;
}

static void post(struct worker *w, struct slot *s)
{
	int i = below(w, 2);
	uint32_t len = below(w, 4) ? below(w, 4096) : below(w, BUF);
	struct ibv_sge sge = { .addr = (uintptr_t)buf, .length = len, .lkey = devs[i].mr->lkey };
	struct ibv_send_wr wr = {
		.wr_id = (uint64_t)(s - w->slot) << 32 | s->gen,
		.sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED,
		.opcode = s->uc || below(w, 2) ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ,
		.wr.rdma = { .remote_addr = (uintptr_t)buf, .rkey = devs[!i].mr->rkey },
	}, *bad;

	if (s->left[i] >= DEPTH || ibv_post_send(s->qp[i], &wr, &bad))
		return;
	s->left[i]++;
	w->posted++;
}

static void unmake(struct worker *w, struct slot *s)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (s->qp[i] && ibv_destroy_qp(s->qp[i]) && !tolerant)
			die("destroy");
		s->qp[i] = NULL;
		w->destroyed++;
	}
	s->left[0] = 0;
	s->left[1] = 0;
	s->connected = false;
}

static void poll_all(struct worker *w)
{
	struct ibv_wc wc[64];
	int i, k, n;

	for (i = 0; i < 2; i++) {
		while ((n = ibv_poll_cq(w->cq[i], 64, wc)) > 0) {
			for (k = 0; k < n; k++) {
				struct slot *s = &w->slot[wc[k].wr_id >> 32];

				if (wc[k].status)
					w->bad++;
				else
					w->good++;
				if ((uint32_t)wc[k].wr_id == s->gen && s->left[i])
					s->left[i]--;
			}
		}
	}
}

static void step(struct worker *w)
{
	/* More and more of them, so that those there are see some use. */
	unsigned long among = w->ops / 16 + 4;
	struct slot *s = &w->slot[below(w, among < w->slots ? among : w->slots)];
	struct ibv_qp_attr err = { .qp_state = IBV_QPS_ERR };
	unsigned int what = below(w, 100);

	w->ops++;
	if (!s->qp[0]) {
		make(w, s);
	} else if (!s->connected) {
		if (what < 10 || !connect_pair(w, s))
			unmake(w, s);
	} else if (what < 80) {
		post(w, s);
	} else if (what < 85) {
		ibv_modify_qp(s->qp[below(w, 2)], &err, IBV_QP_STATE);
	} else if (what < 95) {
		unmake(w, s);
	}
	if (!below(w, 4))
		poll_all(w);
}

/* Is there anything that should still complete? Not at UC: only what left completes. */
static unsigned int waiting(struct worker *w)
{
	unsigned int i, n = 0;

	for (i = 0; i < w->slots; i++)
		n += w->slot[i].qp[0] && w->slot[i].left[0] + w->slot[i].left[1];
	return n;
}

static void settle(struct worker *w)
{
	double end = now() + patience;
	unsigned long seen = w->good + w->bad;
	unsigned int i;

	while (waiting(w) && now() < end) {
		poll_all(w);
		/* Slow is not stuck. */
		if (w->good + w->bad != seen) {
			seen = w->good + w->bad;
			end = now() + patience;
		}
		usleep(20000);
	}
	for (i = 0; i < w->slots; i++) {
		struct slot *s = &w->slot[i];

		if (!s->qp[0] || !(s->left[0] + s->left[1]))
			continue;
		printf("stuck qp %u (%u left) qp %u (%u left) %s\n", s->qp[0]->qp_num, s->left[0],
		       s->qp[1]->qp_num, s->left[1], s->uc ? "uc" : "rc");
		w->stuck++;
	}
	for (i = 0; i < w->slots; i++)
		if (w->slot[i].qp[0])
			unmake(w, &w->slot[i]);
}

static void *run(void *arg)
{
	struct worker *w = arg;
	double end = now() + seconds;

	while (max_ops ? w->ops < max_ops / threads : now() < end)
		step(w);
	settle(w);
	return NULL;
}

static void start(struct worker *w, unsigned int n)
{
	int i;

	w->rng = seed * 1000003 + n;
	w->slots = alive / threads + 1;
	w->slot = calloc(w->slots, sizeof(*w->slot));
	for (i = 0; i < 2; i++) {
		w->cq[i] = ibv_create_cq(devs[i].ctx, CQ_MAX, NULL, NULL, 0);
		if (!w->cq[i] || !w->slot)
			die("completion queue");
	}
	/* Alone it stays the thread that was started, for whose allocations failnth is. */
	if (threads > 1 && pthread_create(&w->thread, NULL, run, w))
		die("thread");
}

int main(int argc, char **argv)
{
	struct worker *w, sum = { 0 };
	unsigned int i;
	int c;

	while ((c = getopt(argc, argv, "s:t:o:n:j:w:k")) != -1) {
		switch (c) {
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 't':
			seconds = strtoul(optarg, NULL, 0);
			break;
		case 'o':
			max_ops = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			alive = strtoul(optarg, NULL, 0);
			break;
		case 'j':
			threads = strtoul(optarg, NULL, 0);
			break;
		case 'w':
			patience = strtoul(optarg, NULL, 0);
			break;
		case 'k':
			tolerant = true;
			break;
		default:
			return 2;
		}
	}
	if (argc - optind != 2 || !threads || !alive) {
		fprintf(stderr, "storm: two devices, please\n");
		return 2;
	}
	buf = aligned_alloc(4096, BUF);
	w = calloc(threads, sizeof(*w));
	if (!buf || !w)
		die("memory");
	for (i = 0; i < 2; i++)
		open_dev(&devs[i], argv[optind + i]);
	for (i = 0; i < threads; i++)
		start(&w[i], i);
	if (threads == 1)
		run(&w[0]);
	for (i = 0; i < threads; i++) {
		if (threads > 1)
			pthread_join(w[i].thread, NULL);
		sum.made += w[i].made;
		sum.ops += w[i].ops;
		sum.posted += w[i].posted;
		sum.good += w[i].good;
		sum.bad += w[i].bad;
		sum.refused += w[i].refused;
		sum.stuck += w[i].stuck;
	}
	printf("count qps %lu\ncount operations %lu\ncount messages %lu\ncount failed-messages %lu\n"
	       "count completed %lu\ncount refused %lu\ncount stuck %u\n",
	       sum.made, sum.ops, sum.posted, sum.bad, sum.good, sum.refused, sum.stuck);
	return sum.stuck ? 1 : 0;
}
