// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: ping-pongs. With SEND the peer answers each message with one of
 * the same size; other operations are timed from the post to the completion.
 */
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

/* Every so many sends of an end ask for a completion, to free their slots. */
#define SIGNAL_EVERY 8

static void end(struct fg_pingpong *p)
{
	if (p->state == FG_DONE)
		return;
	p->state = FG_DONE;
	eng.left--;
}

/**
 * fg_pingpong_stop() - end a ping-pong
 * @p: ping-pong
 * @status: why
 */
void fg_pingpong_stop(struct fg_pingpong *p, const char *status)
{
	if (p->state == FG_DONE)
		return;
	if (strcmp(status, "stopped"))
		fg_err("latency (%s -> %s): %s: %s", eng.plan->hosts[p->src],
		       eng.plan->hosts[p->dst], fg_op_names[p->attr.op],
		       status);
	p->status = status;
	end(p);
}

/**
 * fg_echo() - the peer of a ping-pong answers
 * @c: connection with .echo
 */
void fg_echo(struct fg_conn *c)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)c->ep[1].host->mr->addr,
		.length = c->buf_bytes,
		.lkey = c->ep[1].host->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = fg_wr_id(c, 1, false, c->echo_seq),
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
	};

	if (++c->echo_seq % SIGNAL_EVERY == 0)
		wr.send_flags = IBV_SEND_SIGNALED;
	fg_post(c, 1, &wr);
}

static void ping(struct fg_pingpong *p)
{
	struct fg_conn *c = eng.plan->conns[p->conn];
	bool echo = p->attr.op == FG_SEND;
	struct ibv_sge sge = {
		.addr = c->ep[0].addr,
		.length = p->bytes,
		.lkey = c->ep[0].host->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = fg_wr_id(c, 0, false, c->head),
		.sg_list = &sge,
		.num_sge = 1,
	};

	switch (p->attr.op) {
	case FG_SEND:
		wr.opcode = IBV_WR_SEND;
		break;
	case FG_READ:
	case FG_WRITE:
		wr.opcode = p->attr.op == FG_READ ? IBV_WR_RDMA_READ :
			    IBV_WR_RDMA_WRITE;
		wr.wr.rdma.remote_addr = c->ep[1].addr;
		wr.wr.rdma.rkey = c->ep[1].rkey;
		break;
	default:
		wr.opcode = p->attr.op == FG_CMP_SWAP ?
			    IBV_WR_ATOMIC_CMP_AND_SWP :
			    IBV_WR_ATOMIC_FETCH_AND_ADD;
		wr.wr.atomic.remote_addr = c->ep[1].addr;
		wr.wr.atomic.rkey = c->ep[1].rkey;
		wr.wr.atomic.compare_add = 1;
		wr.wr.atomic.swap = 1;
	}
	c->slots[c->head % c->depth].flow = NULL;
	c->head++;
	if (!echo || c->head % SIGNAL_EVERY == 0)
		wr.send_flags = IBV_SEND_SIGNALED;
	eng.send_wrs++;
	p->t_post_ns = fg_now_ns();
	fg_post(c, 0, &wr);
}

/**
 * fg_pingpong_timer() - a ping-pong's time, or its next iteration's, has come
 * @t: timer
 */
void fg_pingpong_timer(const struct fg_timer *t)
{
	struct fg_pingpong *p = t->arg;

	if (p->state == FG_DONE)
		return;
	if (!p->rtt_ns)
		p->rtt_ns = fg_zalloc(p->iterations, sizeof(*p->rtt_ns));
	p->state = FG_ACTIVE;
	ping(p);
}

/**
 * fg_pingpong_wc() - something completed at a ping-pong's source
 * @c: its connection
 * @side: 0
 * @recv: a receive, which is the answer of a SEND
 */
void fg_pingpong_wc(struct fg_conn *c, int side, bool recv)
{
	struct fg_pingpong *p = c->pingpong;

	if (side || p->state != FG_ACTIVE || recv != c->echo)
		return;
	if (p->done++ >= p->warmup)
		p->rtt_ns[p->recorded++] = fg_batch_now() - p->t_post_ns;
	if (p->recorded == p->iterations) {
		end(p);
		return;
	}
	/* The receive goes back first: the peer must never find none. */
	if (recv && fg_conn_fill_recv(c, 0))
		return;
	if (p->gap_ns)
		fg_timer_add(fg_batch_now() + p->gap_ns, fg_pingpong_timer, p);
	else
		ping(p);
}
