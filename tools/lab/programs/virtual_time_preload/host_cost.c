// SPDX-License-Identifier: GPL-2.0
/*
 * What a host's processor takes for RDMA, if the lab is told to model it: some time for each
 * request that a program posts, for each completion that it takes, and for each interrupt.
 *
 * It is the program's thread that this time passes for: it posts the next request only when it
 * has paid for this one. So it is taken here, between the program and its verbs. The kernel could
 * not do it: a poll of a completion queue, on rxe as on a NIC, is no system call.
 *
 * A request leaves when it has been paid for, all of a list together. A completion is seen when it
 * has been paid for.
 */
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <time.h>

#include "preload.h"

static unsigned long post_ns, completion_ns, interrupt_ns;

/* The provider's own; the lab has only one provider. */
static struct ibv_context_ops ops;
static struct ibv_qp *(*create_qp_ex)(struct ibv_context *context,
				      struct ibv_qp_init_attr_ex *attr);
static struct ibv_qp_ex wr;
static int (*next_poll)(struct ibv_cq_ex *cq);

/* Requests of wr_start() to wr_complete(). */
static _Thread_local unsigned long begun;

void host_cost_settings(void)
{
	setting("VTIME_POST_NS", &post_ns);
	setting("VTIME_COMPLETION_NS", &completion_ns);
	setting("VTIME_INTERRUPT_NS", &interrupt_ns);
}

static void pay(unsigned long n, unsigned long each_ns)
{
	unsigned long ns = n * each_ns;
	struct timespec t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	if (ns)
		nanosleep(&t, NULL);
}

/* @n have been taken from a queue */
void host_cost_completions(unsigned long n)
{
	pay(n, completion_ns);
}

void host_cost_interrupt(void)
{
	pay(1, interrupt_ns);
}

#define LENGTH(list) \
	({ \
		unsigned long n = 0; \
		__typeof__(list) at; \
		for (at = (list); at; at = at->next) \
			n++; \
		n; \
	})

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *list, struct ibv_send_wr **bad)
{
	pay(LENGTH(list), post_ns);
	return ops.post_send(qp, list, bad);
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *list, struct ibv_recv_wr **bad)
{
	pay(LENGTH(list), post_ns);
	return ops.post_recv(qp, list, bad);
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *list, struct ibv_recv_wr **bad)
{
	pay(LENGTH(list), post_ns);
	return ops.post_srq_recv(srq, list, bad);
}

#define REQUEST(name, parameters, ...) \
	static void name parameters \
	{ \
		begun++; \
		wr.name(__VA_ARGS__); \
	}

REQUEST(wr_atomic_cmp_swp, (struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, uint64_t compare,
			    uint64_t swap), qp, rkey, addr, compare, swap)
REQUEST(wr_atomic_fetch_add, (struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, uint64_t add),
	qp, rkey, addr, add)
REQUEST(wr_bind_mw, (struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey,
		     const struct ibv_mw_bind_info *info), qp, mw, rkey, info)
REQUEST(wr_local_inv, (struct ibv_qp_ex *qp, uint32_t rkey), qp, rkey)
REQUEST(wr_rdma_read, (struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr), qp, rkey, addr)
REQUEST(wr_rdma_write, (struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr), qp, rkey, addr)
REQUEST(wr_rdma_write_imm, (struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, __be32 imm),
	qp, rkey, addr, imm)
REQUEST(wr_send, (struct ibv_qp_ex *qp), qp)
REQUEST(wr_send_imm, (struct ibv_qp_ex *qp, __be32 imm), qp, imm)
REQUEST(wr_send_inv, (struct ibv_qp_ex *qp, uint32_t rkey), qp, rkey)

static int wr_complete(struct ibv_qp_ex *qp)
{
	unsigned long n = begun;

	begun = 0;
	pay(n, post_ns);
	return wr.wr_complete(qp);
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	begun = 0;
	wr.wr_abort(qp);
}

/* In place of the provider's, where it has one. */
#define TAKE(from, name) \
	do { \
		if ((from)->name && (from)->name != name) { \
			wr.name = (from)->name; \
			(from)->name = name; \
		} \
	} while (0)

static struct ibv_qp *new_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp_ex *(*extended)(struct ibv_qp *qp) =
		verbs_function("ibv_qp_to_qp_ex", "IBVERBS_1.6");
	struct ibv_qp *qp = create_qp_ex(context, attr);
	struct ibv_qp_ex *ex = NULL;

	if (qp && extended && attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
		ex = extended(qp);
	if (!ex)
		return qp;
	TAKE(ex, wr_atomic_cmp_swp);
	TAKE(ex, wr_atomic_fetch_add);
	TAKE(ex, wr_bind_mw);
	TAKE(ex, wr_local_inv);
	TAKE(ex, wr_rdma_read);
	TAKE(ex, wr_rdma_write);
	TAKE(ex, wr_rdma_write_imm);
	TAKE(ex, wr_send);
	TAKE(ex, wr_send_imm);
	TAKE(ex, wr_send_inv);
	TAKE(ex, wr_complete);
	TAKE(ex, wr_abort);
	return qp;
}

/* A device was opened: its requests are paid for from now on. */
void host_cost_opened(struct ibv_context *context)
{
	struct verbs_context *v = verbs_get_ctx(context);

	if (!post_ns)
		return;
	ops = context->ops;
	context->ops.post_send = post_send;
	context->ops.post_recv = post_recv;
	context->ops.post_srq_recv = post_srq_recv;
	if (v && v->create_qp_ex) {
		create_qp_ex = v->create_qp_ex;
		v->create_qp_ex = new_qp_ex;
	}
}

static int next(struct ibv_cq_ex *cq)
{
	int rc = next_poll(cq);

	if (!rc)
		host_cost_completions(1);
	return rc;
}

/* A queue that is polled one completion after the other; the first is start_poll()'s. */
void host_cost_queue(struct ibv_cq_ex *cq)
{
	if (!completion_ns || !cq->next_poll || cq->next_poll == next)
		return;
	next_poll = cq->next_poll;
	cq->next_poll = next;
}
