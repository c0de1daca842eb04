// SPDX-License-Identifier: GPL-2.0
/*
 * What a host's processor takes for RDMA: host_cost.c of the library for programs in virtual time,
 * with a provider of verbs and a clock of the test's own.
 */
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <time.h>

#include "lib/tests/ktap.h"
#include "programs/virtual_time_preload/preload.h"

#define POST_NS		7
#define COMPLETION_NS	100
#define INTERRUPT_NS	3000

/* In place of libc's: the time that was paid for. */
static long slept_ns;

int nanosleep(const struct timespec *t, struct timespec *left)
{
	(void)left;
	slept_ns += t->tv_sec * 1000000000 + t->tv_nsec;
	return 0;
}

/* The provider notes what had been paid for when it was called. */
static long seen_ns;

static int provider_send(struct ibv_qp *qp, struct ibv_send_wr *list, struct ibv_send_wr **bad)
{
	(void)qp;
	(void)list;
	(void)bad;
	seen_ns = slept_ns;
	return 12;
}

static int provider_recv(struct ibv_qp *qp, struct ibv_recv_wr *list, struct ibv_recv_wr **bad)
{
	(void)qp;
	(void)list;
	(void)bad;
	seen_ns = slept_ns;
	return 0;
}

static int provider_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *list,
			     struct ibv_recv_wr **bad)
{
	(void)srq;
	(void)list;
	(void)bad;
	seen_ns = slept_ns;
	return 0;
}

static void provider_start(struct ibv_qp_ex *qp)
{
	(void)qp;
}

static int provider_complete(struct ibv_qp_ex *qp)
{
	(void)qp;
	seen_ns = slept_ns;
	return 0;
}

static void provider_abort(struct ibv_qp_ex *qp)
{
	(void)qp;
}

static void provider_request(struct ibv_qp_ex *qp)
{
	(void)qp;
	seen_ns = slept_ns;
}

static struct ibv_qp_ex qp = {
	.wr_start = provider_start, .wr_complete = provider_complete, .wr_abort = provider_abort,
	.wr_send = provider_request,
};

static struct ibv_qp *provider_create(struct ibv_context *context,
				      struct ibv_qp_init_attr_ex *attr)
{
	(void)context;
	(void)attr;
	return &qp.qp_base;
}

static struct ibv_qp_ex *to_qp_ex(struct ibv_qp *base)
{
	return base == &qp.qp_base ? &qp : NULL;
}

/* In place of the one that looks into libibverbs. */
void *verbs_function(const char *name, const char *version)
{
	(void)name;
	(void)version;
	return to_qp_ex;
}

static int left;

static int provider_next(struct ibv_cq_ex *cq)
{
	(void)cq;
	seen_ns = slept_ns;
	return left-- > 0 ? 0 : 2;
}

static struct verbs_context verbs = {
	.sz = sizeof(verbs), .create_qp_ex = provider_create,
	.context = {
		.abi_compat = __VERBS_ABI_IS_EXTENDED,
		.ops = { .post_send = provider_send, .post_recv = provider_recv,
			 .post_srq_recv = provider_srq_recv },
	},
};

/* paid() - so much by now, and so much before the provider was called */
static void paid(const char *name, long all, long before)
{
	ktap(slept_ns == all && seen_ns == before, name, "%ld ns, %ld before the call", slept_ns,
	     seen_ns);
	slept_ns = 0;
	seen_ns = 0;
}

static void lists(struct ibv_context *c)
{
	struct ibv_send_wr sends[3] = { { .next = &sends[1] }, { .next = &sends[2] } }, *bad;
	struct ibv_recv_wr recvs[2] = { { .next = &recvs[1] } }, *bad_recv;
	int rc = ibv_post_send(&(struct ibv_qp){ .context = c }, sends, &bad);

	ktap(rc == 12, "answer_of_the_provider", "%d", rc);
	paid("sends_of_a_list", 3 * POST_NS, 3 * POST_NS);
	ibv_post_recv(&(struct ibv_qp){ .context = c }, recvs, &bad_recv);
	paid("receives_of_a_list", 2 * POST_NS, 2 * POST_NS);
	ibv_post_srq_recv(&(struct ibv_srq){ .context = c }, &recvs[1], &bad_recv);
	paid("receive_of_an_srq", POST_NS, POST_NS);
}

/* Requests are paid for when they leave together; those of an abort are not. */
static void batches(struct ibv_context *c)
{
	struct ibv_qp_init_attr_ex attr = { .comp_mask = IBV_QP_INIT_ATTR_SEND_OPS_FLAGS };
	int i;

	/* A second queue pair finds the functions in place: nothing is paid for twice. */
	for (i = 0; i < 2; i++)
		verbs.create_qp_ex(c, &attr);
	ibv_wr_start(&qp);
	for (i = 0; i < 4; i++)
		ibv_wr_send(&qp);
	paid("not_before_they_leave", 0, 0);
	ibv_wr_complete(&qp);
	paid("requests_of_a_batch", 4 * POST_NS, 4 * POST_NS);
	ibv_wr_start(&qp);
	ibv_wr_send(&qp);
	ibv_wr_abort(&qp);
	ibv_wr_start(&qp);
	ibv_wr_send(&qp);
	ibv_wr_complete(&qp);
	paid("abort", POST_NS, POST_NS);
}

static void completions(void)
{
	struct ibv_cq_ex cq = { .next_poll = provider_next };

	host_cost_completions(5);
	paid("completions_of_a_poll", 5 * COMPLETION_NS, 0);
	host_cost_completions(0);
	paid("empty_poll", 0, 0);
	host_cost_queue(&cq);
	host_cost_queue(&cq);
	left = 1;
	ibv_next_poll(&cq);
	paid("next_completion", COMPLETION_NS, 0);
	ibv_next_poll(&cq);
	paid("no_next_completion", 0, 0);
	host_cost_interrupt();
	paid("interrupt", INTERRUPT_NS, 0);
}

/* Where nothing is set, the provider's functions stay. */
static void off(void)
{
	struct ibv_cq_ex cq = { .next_poll = provider_next };

	host_cost_settings();
	host_cost_opened(&verbs.context);
	host_cost_queue(&cq);
	ktap(verbs.context.ops.post_send == provider_send &&
	     verbs.create_qp_ex == provider_create && cq.next_poll == provider_next, "off", " ");
	host_cost_completions(5);
	host_cost_interrupt();
	paid("off__nothing_to_pay", 0, 0);
}

int main(void)
{
	off();
	setenv("VTIME_POST_NS", "7", 1);
	setenv("VTIME_COMPLETION_NS", "100", 1);
	setenv("VTIME_INTERRUPT_NS", "3000", 1);
	host_cost_settings();
	host_cost_opened(&verbs.context);
	lists(&verbs.context);
	batches(&verbs.context);
	completions();
	return ktap_end();
}
