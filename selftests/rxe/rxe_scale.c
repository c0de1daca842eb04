// SPDX-License-Identifier: GPL-2.0
/*
 * Many queue pairs on one device: makes them, has the kernel dump them to a reader
 * with a small or a large buffer, asks for each by its number, and destroys them.
 * Fails when a dump does not name each exactly once.
 *
 *	rxe_scale DEVICE COUNT...
 *
 * Prints, for each COUNT, one line: queue pairs; cycles for each to be made, dumped (4 KB),
 * dumped (32 KB), found, destroyed.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../include/uapi/linux/rxe_cc.h"

#define SMALL	4096
#define LARGE	32768

struct scale {
	const char *dev;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp **qp;
	int nr;
	struct mnl_socket *nl;
	uint16_t family;
};

/* What a dump said. */
struct seen {
	struct scale *s;
	unsigned char *of;	/* by queue pair: how often */
	int unknown;
};

static void die(const char *what)
{
	fprintf(stderr, "rxe_scale: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Cycles where there is a counter that virtual time does not bend, else ns. */
static double now(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
#endif
}

static struct nlmsghdr *request(struct scale *s, char *buf, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = s->family;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = 1;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

/* Send, and read all of the answer with a buffer of @room bytes. */
static void ask(struct scale *s, const struct nlmsghdr *nlh, size_t room, mnl_cb_t cb, void *data)
{
	char buf[LARGE];
	ssize_t len;
	int rc = MNL_CB_OK;

	if (mnl_socket_sendto(s->nl, nlh, nlh->nlmsg_len) < 0)
		die("send");
	while (rc > MNL_CB_STOP) {
		len = mnl_socket_recvfrom(s->nl, buf, room);
		if (len < 0)
			die("receive");
		rc = mnl_cb_run(buf, len, 1, mnl_socket_get_portid(s->nl), cb, data);
		if (rc < 0)
			die("answer");
	}
}

static int family_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			*(uint16_t *)data = mnl_attr_get_u16(attr);
	return MNL_CB_OK;
}

static struct mnl_socket *open_netlink(void)
{
	struct mnl_socket *nl = mnl_socket_open(NETLINK_GENERIC);

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		die("netlink");
	return nl;
}

static void open_family(struct scale *s)
{
	char buf[SMALL];
	struct nlmsghdr *nlh;

	s->nl = open_netlink();
	s->family = GENL_ID_CTRL;
	nlh = request(s, buf, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, RXE_CC_FAMILY_NAME);
	ask(s, nlh, SMALL, family_cb, &s->family);
}

static uint32_t qpn_of(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == RXE_CC_A_QP_QPN)
			return mnl_attr_get_u32(attr);
	return 0;
}

static int seen_cb(const struct nlmsghdr *nlh, void *data)
{
	struct seen *d = data;
	uint32_t qpn = qpn_of(nlh);
	int lo = 0, hi = d->s->nr;

	/* They were made one after the other, so their numbers rise. */
	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (d->s->qp[mid]->qp_num < qpn)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < d->s->nr && d->s->qp[lo]->qp_num == qpn)
		d->of[lo]++;
	else
		d->unknown++;
	return MNL_CB_OK;
}

/* Returns cycles for each. */
static double dump(struct scale *s, size_t room)
{
	struct seen d = { .s = s, .of = calloc(s->nr, 1) };
	struct mnl_socket *nl = s->nl;
	char buf[SMALL];
	double t;
	int i;

	if (!d.of)
		die("memory");
	/* The kernel keeps in mind how much the reader of a socket has been able to take. */
	s->nl = open_netlink();
	t = now();
	ask(s, request(s, buf, RXE_CC_CMD_QP_GET, NLM_F_DUMP), room, seen_cb, &d);
	t = now() - t;
	mnl_socket_close(s->nl);
	s->nl = nl;
	for (i = 0; i < s->nr; i++) {
		if (d.of[i] == 1)
			continue;
		fprintf(stderr, "rxe_scale: a dump of %d names queue pair %u %d times\n", s->nr,
			s->qp[i]->qp_num, d.of[i]);
		exit(1);
	}
	if (d.unknown) {
		fprintf(stderr, "rxe_scale: a dump names %d others\n", d.unknown);
		exit(1);
	}
	free(d.of);
	return t / s->nr;
}

static int found_cb(const struct nlmsghdr *nlh, void *data)
{
	*(uint32_t *)data = qpn_of(nlh);
	return MNL_CB_OK;
}

static void find(struct scale *s, struct ibv_qp *qp)
{
	char buf[SMALL];
	struct nlmsghdr *nlh = request(s, buf, RXE_CC_CMD_QP_GET, NLM_F_ACK);
	uint32_t found = 0;

	mnl_attr_put_strz(nlh, RXE_CC_A_QP_DEV, s->dev);
	mnl_attr_put_u32(nlh, RXE_CC_A_QP_QPN, qp->qp_num);
	ask(s, nlh, SMALL, found_cb, &found);
	if (found != qp->qp_num) {
		fprintf(stderr, "rxe_scale: asked for queue pair %u, told of %u\n", qp->qp_num,
			found);
		exit(1);
	}
}

/* A reader with a small buffer may lose what does not fit, and sees that it does; but it comes to
 * the end of the dump.
 */
static void reach_end(struct scale *s)
{
	const struct nlmsghdr *nlh;
	char buf[SMALL];
	bool end = false;
	int left;
	ssize_t len;

	nlh = request(s, buf, RXE_CC_CMD_ALGO_GET, NLM_F_DUMP);
	if (mnl_socket_sendto(s->nl, nlh, nlh->nlmsg_len) < 0)
		die("send");
	alarm(10);
	while (!end) {
		len = mnl_socket_recvfrom(s->nl, buf, SMALL);
		if (len < 0 && errno != ENOSPC)
			die("receive");
		left = len < 0 ? 0 : len;
		for (nlh = (void *)buf; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
			end |= nlh->nlmsg_type == NLMSG_DONE;
	}
	alarm(0);
}

static int in_order(const void *a, const void *b)
{
	uint32_t x = (*(struct ibv_qp *const *)a)->qp_num;
	uint32_t y = (*(struct ibv_qp *const *)b)->qp_num;

	return x < y ? -1 : x > y;
}

static void run(struct scale *s, int nr)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq, .recv_cq = s->cq, .qp_type = IBV_QPT_RC,
		.cap = {
			.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1,
		},
	};
	double t[6], d[2];
	int i;

	s->qp = calloc(nr, sizeof(*s->qp));
	if (!s->qp)
		die("memory");
	t[0] = now();
	for (s->nr = 0; s->nr < nr; s->nr++) {
		s->qp[s->nr] = ibv_create_qp(s->pd, &init);
		if (!s->qp[s->nr])
			die("ibv_create_qp");
	}
	t[1] = now();
	qsort(s->qp, nr, sizeof(*s->qp), in_order);
	d[0] = dump(s, SMALL);
	d[1] = dump(s, LARGE);
	t[2] = now();
	for (i = 0; i < nr; i++)
		find(s, s->qp[i]);
	t[3] = now();
	for (i = 0; i < nr; i++)
		if (ibv_destroy_qp(s->qp[i]))
			die("ibv_destroy_qp");
	t[4] = now();
	free(s->qp);
	printf("%d %.0f %.0f %.0f %.0f %.0f\n", nr, (t[1] - t[0]) / nr, d[0], d[1],
	       (t[3] - t[2]) / nr, (t[4] - t[3]) / nr);
	fflush(stdout);
}

static struct ibv_context *open_dev(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *c = NULL;
	int i;

	for (i = 0; list && list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			c = ibv_open_device(list[i]);
	ibv_free_device_list(list);
	return c;
}

int main(int argc, char **argv)
{
	struct ibv_context *c;
	struct scale s = { };
	int i;

	if (argc < 3) {
		fprintf(stderr, "usage: rxe_scale DEVICE COUNT...\n");
		return 2;
	}
	s.dev = argv[1];
	c = open_dev(s.dev);
	if (!c)
		die(s.dev);
	s.pd = ibv_alloc_pd(c);
	s.cq = ibv_create_cq(c, 16, NULL, NULL, 0);
	if (!s.pd || !s.cq)
		die("completion queue");
	open_family(&s);
	reach_end(&s);
	for (i = 2; i < argc; i++)
		run(&s, atoi(argv[i]));
	return 0;
}
