// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: posts the work requests (WRs) of flows and takes their completions. A connection
 * holds a ring of slots, one per outstanding WR, and a circular list of the flows that still
 * have something to post; they take turns message by message.
 */
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

/* WRs handed to the driver at once: one system call for all of them. */
#define POST_BATCH 32
#define MAX_ERRORS_SHOWN 20

/* wr_id: connection << 34 | side << 33 | receive << 32 | sequence */

/**
 * fg_wr_id() - the identity of a WR in its completion
 * @c: connection
 * @side: which end posted it
 * @recv: a receive
 * @seq: its number on that queue
 */
u64 fg_wr_id(const struct fg_conn *c, int side, bool recv, u32 seq)
{
	return (u64)c->id << 34 | (u64)side << 33 | (u64)recv << 32 | seq;
}

/**
 * fg_post() - hand send WRs to the device
 * @c: connection
 * @side: end that posts
 * @wr: list of WRs
 *
 * Return: 0, or -1 when the device refused; the connection is broken then.
 */
int fg_post(struct fg_conn *c, int side, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;
	int ret = ibv_post_send(c->ep[side].qp, wr, &bad);

	eng.post_calls++;
	if (!ret)
		return 0;
	fg_err("%s: QP %u: ibv_post_send: %s", c->ep[side].host->name,
	       c->ep[side].qpn, strerror(ret));
	fg_conn_break(c, "post_send failed");
	return -1;
}

static const enum ibv_wr_opcode opcodes[] = {
	[FG_SEND] = IBV_WR_SEND,
	[FG_SEND_IMM] = IBV_WR_SEND_WITH_IMM,
	[FG_WRITE] = IBV_WR_RDMA_WRITE,
	[FG_WRITE_IMM] = IBV_WR_RDMA_WRITE_WITH_IMM,
	[FG_READ] = IBV_WR_RDMA_READ,
	[FG_FETCH_ADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	[FG_CMP_SWAP] = IBV_WR_ATOMIC_CMP_AND_SWP,
};

/* Describe one message; offset is into the flow's own buffers, if it has any. */
static void build_wr(struct fg_conn *c, struct fg_flow *f, u32 op, u32 len,
		     struct ibv_send_wr *wr, struct ibv_sge *sge)
{
	struct fg_vbuf *v = f ? f->vbuf : NULL;
	u64 off = v && op < FG_FETCH_ADD ? f->posted_bytes : 0;
	u64 raddr = (v ? (uintptr_t)v->mem[1] : c->ep[1].addr) + off;
	u32 rkey = v ? v->mr[1]->rkey : c->ep[1].rkey;

	sge->addr = (v ? (uintptr_t)v->mem[0] : c->ep[0].addr) + off;
	sge->lkey = v ? v->mr[0]->lkey : c->ep[0].host->mr->lkey;
	sge->length = len;
	memset(wr, 0, sizeof(*wr));
	wr->sg_list = sge;
	wr->num_sge = 1;
	wr->opcode = opcodes[op];
	wr->wr_id = fg_wr_id(c, 0, false, c->head);
	wr->imm_data = f ? f->id : 0;
	switch (op) {
	case FG_WRITE:
	case FG_WRITE_IMM:
	case FG_READ:
		wr->wr.rdma.remote_addr = raddr;
		wr->wr.rdma.rkey = rkey;
		break;
	case FG_FETCH_ADD:
	case FG_CMP_SWAP:
		wr->wr.atomic.remote_addr = raddr;
		wr->wr.atomic.rkey = rkey;
		/* cmp_swap counts up too: the n-th swaps n for n + 1. */
		wr->wr.atomic.compare_add = op == FG_FETCH_ADD ? 1 :
					    f ? f->posted_msgs : 0;
		wr->wr.atomic.swap = f ? f->posted_msgs + 1 : 0;
		break;
	}
}

static bool has_more(const struct fg_flow *f)
{
	if (f->stopping)
		return f->unsignalled && (!f->bytes || f->posted_bytes < f->bytes);
	return !f->bytes || f->posted_bytes < f->bytes;
}

static u32 next_len(const struct fg_flow *f)
{
	u64 left = f->bytes - f->posted_bytes;
	u32 len = f->attr.chunk_bytes;

	if (f->attr.op >= FG_FETCH_ADD)
		return 8;
	if (!f->posted_msgs && f->attr.first_bytes)
		len = f->attr.first_bytes;
	else if (f->posted_msgs % 2 && f->attr.alternate_bytes)
		len = f->attr.alternate_bytes;
	return !f->bytes || left > len ? len : left;
}

/* Take the flow after c->rr off the round robin. */
static void rr_remove_next(struct fg_conn *c)
{
	struct fg_flow *f = c->rr->rr_next;

	if (f == c->rr)
		c->rr = NULL;
	else
		c->rr->rr_next = f->rr_next;
	f->queued = false;
	f->rr_next = NULL;
}

/* Take a flow off that goes before its turn comes. */
static void rr_remove(struct fg_conn *c, struct fg_flow *f)
{
	struct fg_flow *prev = f->rr_next;

	if (!f->queued)
		return;
	while (prev->rr_next != f)
		prev = prev->rr_next;
	prev->rr_next = f->rr_next;
	if (c->rr == f)
		c->rr = prev == f ? NULL : prev;
	f->queued = false;
	f->rr_next = NULL;
}

static void rr_add(struct fg_conn *c, struct fg_flow *f)
{
	if (f->queued)
		return;
	f->queued = true;
	if (c->rr) {
		f->rr_next = c->rr->rr_next;
		c->rr->rr_next = f;
	} else {
		f->rr_next = f;
	}
	c->rr = f;
}

static struct fg_slot *slot(struct fg_conn *c, u32 seq)
{
	return &c->slots[seq % c->depth];
}

static bool alone(const struct fg_conn *c, const struct fg_flow *f)
{
	if (f->from_file)
		return eng.plan->qp_policy == FG_POLICY_FLOW;
	return c->nflows == 1 && !f->in_chain;
}

/*
 * signal_every 0: does a completion of the message that is posted next have a use?
 * It has one if it leads to a post, as wants_refill() decides, or ends the flow: then
 * what is posted is the same, at the same times, as with a completion for each. The
 * flow must have its QP to itself, and an end that is known.
 */
static bool need_completion(const struct fg_conn *c, const struct fg_flow *f)
{
	u32 batch = fg_conn_batch(c);

	if (!alone(c, f) || c->need_recv || c->attr.transport == FG_UC ||
	    f->attr.op >= FG_FETCH_ADD || !f->bytes || f->stop_ns || eng.plan->stop_ns ||
	    f->attr.first_bytes || f->attr.alternate_bytes)
		return true;
	/* All is posted at the start, or with the queue never short. */
	if (f->bytes <= (u64)c->depth * f->attr.chunk_bytes)
		return false;
	if ((u64)(c->depth - batch + 1) * f->attr.chunk_bytes < FG_PLENTY_BYTES)
		return true;
	return c->head % batch == 0;
}

static bool wants_signal(const struct fg_conn *c, const struct fg_flow *f)
{
	if (f->stopping || (f->bytes && f->posted_bytes >= f->bytes))
		return true;
	if (f->attr.signal_every)
		return c->head % f->attr.signal_every == 0;
	return need_completion(c, f);
}

static void account_post(struct fg_conn *c, struct fg_flow *f, u32 len, struct ibv_send_wr *wr)
{
	struct fg_slot *s = slot(c, c->head);

	s->flow = f;
	s->bytes = len;
	c->head++;
	c->queued_bytes += len;
	if (c->use_credits && fg_op_needs_recv(f->attr.op))
		c->credits--;
	f->posted_bytes += len;
	f->posted_msgs++;
	f->outstanding++;
	f->unsignalled = false;
	if (wants_signal(c, f))
		wr->send_flags = IBV_SEND_SIGNALED;
	else
		f->unsignalled = true;
	eng.send_wrs++;
}

/**
 * fg_conn_pump() - post all there is room for
 * @c: connection
 */
void fg_conn_pump(struct fg_conn *c)
{
	static struct ibv_send_wr wr[POST_BATCH];
	static struct ibv_sge sge[POST_BATCH];
	struct fg_flow *f;
	u32 n = 0, len;

	while (c->rr && !c->broken && c->head - c->tail < c->depth) {
		f = c->rr->rr_next;
		if (!has_more(f)) {
			rr_remove_next(c);
			continue;
		}
		if (c->use_credits && !c->credits && fg_op_needs_recv(f->attr.op))
			break;
		len = next_len(f);
		build_wr(c, f, f->attr.op, len, &wr[n], &sge[n]);
		account_post(c, f, len, &wr[n]);
		if (n)
			wr[n - 1].next = &wr[n];
		n++;
		if (has_more(f))
			c->rr = f;
		else
			rr_remove_next(c);
		if (n == POST_BATCH) {
			if (fg_post(c, 0, wr))
				return;
			n = 0;
		}
	}
	if (n)
		fg_post(c, 0, wr);
}

/**
 * fg_conn_fill_recv() - post receives until the ring is full
 * @c: connection
 * @side: end that receives
 *
 * Return: 0, or -1 when the device refused; the connection is broken then.
 */
int fg_conn_fill_recv(struct fg_conn *c, int side)
{
	static struct ibv_recv_wr wr[POST_BATCH];
	static struct ibv_sge sge[POST_BATCH];
	struct fg_ep *ep = &c->ep[side];
	struct ibv_recv_wr *bad;
	u64 off;
	int ret;
	u32 n;

	while (ep->recv_posted < ep->recv_depth && !c->broken) {
		for (n = 0; n < POST_BATCH &&
		     ep->recv_posted < ep->recv_depth; n++) {
			sge[n].addr = (uintptr_t)ep->host->mr->addr;
			sge[n].length = c->buf_bytes;
			sge[n].lkey = ep->host->mr->lkey;
			if (c->vbuf) {
				/* One flow in order: its n-th message. */
				off = ep->recv_seq * c->buf_bytes;
				if (off >= c->vbuf->bytes)
					break;
				sge[n].addr = (uintptr_t)c->vbuf->mem[1] + off;
				if (sge[n].length > c->vbuf->bytes - off)
					sge[n].length = c->vbuf->bytes - off;
				sge[n].lkey = c->vbuf->mr[1]->lkey;
			}
			memset(&wr[n], 0, sizeof(wr[n]));
			wr[n].wr_id = fg_wr_id(c, side, true, ep->recv_seq);
			wr[n].sg_list = &sge[n];
			wr[n].num_sge = 1;
			if (n)
				wr[n - 1].next = &wr[n];
			ep->recv_posted++;
			ep->recv_seq++;
			c->credits += side;
		}
		if (!n)
			break;
		ret = ibv_post_recv(ep->qp, wr, &bad);
		if (!ret)
			continue;
		fg_err("%s: QP %u: ibv_post_recv: %s", ep->host->name, ep->qpn, strerror(ret));
		fg_conn_break(c, "post_recv failed");
		return -1;
	}
	return 0;
}

/**
 * fg_conn_warmup() - one message before traffic starts
 * @c: connection with both ends connected
 * @bytes: its size
 */
int fg_conn_warmup(struct fg_conn *c, u32 bytes)
{
	u32 op = c->pingpong ? FG_WRITE : c->need_recv ? FG_SEND : c->attr.op;
	struct ibv_send_wr wr;
	struct ibv_sge sge;

	if (op >= FG_FETCH_ADD)
		bytes = 8;
	build_wr(c, NULL, op, bytes, &wr, &sge);
	wr.send_flags = IBV_SEND_SIGNALED;
	slot(c, c->head)->flow = NULL;
	slot(c, c->head)->bytes = bytes;
	c->head++;
	if (fg_op_needs_recv(op))
		c->credits--;
	eng.warm++;
	return fg_post(c, 0, &wr);
}

/* A flow has ended, whichever way. Starts the next one of its chain. */
static void finish(struct fg_flow *f)
{
	struct fg_flow *next;

	if (f->state == FG_DONE)
		return;
	if (f->state == FG_ACTIVE && f->vbuf && !f->status &&
	    f->done_bytes == f->bytes && !fg_vbuf_good(f))
		f->status = "verify failed";
	f->t_last_ns = fg_batch_now();
	f->state = FG_DONE;
	eng.left--;
	if (eng.flow_ended)
		eng.flow_ended(f);
	if (f->from_file) {
		rr_remove(eng.plan->conns[f->conn], f);
		eng.row_ended(f);
	}
	if (f->next < 0)
		return;
	next = &eng.plan->flows[f->next];
	if (next->state != FG_WAIT)
		return;
	if (fg_flow_failed(f) || eng.stopping)
		fg_flow_give_up(next, NULL);
	else
		fg_timer_add(fg_batch_now() + f->think_ns, fg_flow_timer, next);
}

/**
 * fg_flow_give_up() - end a flow that has not started
 * @f: flow
 * @status: why, NULL: its time never came
 */
void fg_flow_give_up(struct fg_flow *f, const char *status)
{
	if (f->state != FG_WAIT)
		return;
	f->status = status ? status : "not_started";
	if (f->from_file) {
		f->state = FG_DONE;
		eng.left--;
		if (eng.flow_ended)
			eng.flow_ended(f);
		eng.row_ended(f);
		return;
	}
	/* The chain behind it as a loop: it may be long. */
	for (;;) {
		f->state = FG_DONE;
		eng.left--;
		if (eng.flow_ended)
			eng.flow_ended(f);
		if (f->next < 0)
			break;
		f = &eng.plan->flows[f->next];
		if (f->state != FG_WAIT)
			break;
		f->status = "not_started";
	}
}

/**
 * fg_flow_stop() - post no more of a flow; it ends when what is out is done
 * @f: flow
 */
void fg_flow_stop(struct fg_flow *f)
{
	struct fg_conn *c = eng.plan->conns[f->conn];

	if (f->state == FG_WAIT)
		fg_flow_give_up(f, NULL);
	if (f->state != FG_ACTIVE || f->stopping)
		return;
	f->stopping = true;
	if (f->bytes && f->done_bytes < f->bytes)
		f->status = "stopped";
	if (!f->outstanding)
		finish(f);
	else
		fg_conn_pump(c);
}

/* Its own stop_ns: of this flow, or of another one that has its place by now. */
static void on_own_stop(const struct fg_timer *t)
{
	struct fg_flow *f = t->arg;

	if (f->stop_seq != t->seq)
		return;
	f->own_stop = !f->stopping;
	fg_flow_stop(f);
}

/**
 * fg_flow_start() - a flow's time has come
 * @f: flow
 *
 * One whose own stop has come before never starts, and has not failed.
 */
void fg_flow_start(struct fg_flow *f)
{
	struct fg_conn *c = eng.plan->conns[f->conn];
	u64 stop = f->stop_ns;

	if (f->state != FG_WAIT)
		return;
	if (c->broken) {
		fg_flow_give_up(f, "QP in error state");
		return;
	}
	if (stop && eng.t0_ns + stop <= fg_batch_now()) {
		f->own_stop = true;
		fg_flow_give_up(f, "stopped");
		return;
	}
	f->state = FG_ACTIVE;
	/* What waited starts at the moment that it waited for: a look at the clock moves it. */
	f->t_start_ns = f->waits ? fg_batch_now() : fg_now_ns();
	f->t_last_ns = f->t_start_ns;
	if (!f->from_file) {
		eng.active = fg_grow(eng.active, &eng.cap_active, eng.nactive + 1, sizeof(f));
		eng.active[eng.nactive++] = f;
	}
	if (stop)
		f->stop_seq = fg_timer_add(eng.t0_ns + stop, on_own_stop, f);
	rr_add(c, f);
	fg_conn_pump(c);
	if (eng.flow_started)
		eng.flow_started(f);
}

/**
 * fg_flow_timer() - the timer of a flow's start
 * @t: timer
 */
void fg_flow_timer(const struct fg_timer *t)
{
	fg_flow_start(t->arg);
}

static void show_error(const struct fg_flow *f, const char *status)
{
	const struct fg_plan *p = eng.plan;

	if (eng.errors_shown++ < MAX_ERRORS_SHOWN)
		fg_err("flow %u (%s -> %s): %s: %s", f->id, p->hosts[f->src],
		       p->hosts[f->dst], fg_op_names[f->attr.op], status);
	else if (eng.errors_shown == MAX_ERRORS_SHOWN + 1)
		fg_err("more errors are not shown; see flows.csv");
}

/**
 * fg_flow_outstanding() - after the loop: name what a flow still has out
 * @f: flow
 */
void fg_flow_outstanding(const struct fg_flow *f)
{
	char why[160], end[80] = "a signal ended the wait", drain[32];

	if (f->state != FG_ACTIVE || !f->outstanding)
		return;
	if (!eng.hurried) {
		fg_print_time(drain, sizeof(drain), eng.plan->drain_ns);
		snprintf(end, sizeof(end), "nothing has completed for %s (drain_ns)", drain);
	}
	snprintf(why, sizeof(why), "%u of %llu messages outstanding after the stop, and %s",
		 f->outstanding, f->posted_msgs, end);
	show_error(f, why);
}

static void fail(struct fg_flow *f, const char *status)
{
	if (f->state != FG_ACTIVE)
		return;
	f->status = status;
	show_error(f, status);
	finish(f);
}

/**
 * fg_conn_break() - a QP is in error: end everything on it
 * @c: connection
 * @status: what to note for its flows
 */
void fg_conn_break(struct fg_conn *c, const char *status)
{
	struct fg_flow *f;

	if (c->broken)
		return;
	c->broken = true;
	for (; c->tail != c->head; c->tail++) {
		f = slot(c, c->tail)->flow;
		if (!f && !eng.running)
			eng.warm--;
		if (f) {
			f->outstanding--;
			fail(f, status);
		}
	}
	while (c->rr) {
		f = c->rr->rr_next;
		rr_remove_next(c);
		fail(f, status);
	}
	if (c->pingpong)
		fg_pingpong_stop(c->pingpong, status);
}

static void retire(struct fg_conn *c, u32 seq)
{
	struct fg_slot *s;
	struct fg_flow *f;

	while (c->tail != seq + 1) {
		s = slot(c, c->tail++);
		f = s->flow;
		if (!f) {
			eng.warm -= !eng.running;
			continue;
		}
		c->queued_bytes -= s->bytes;
		f->outstanding--;
		f->done_bytes += s->bytes;
		f->done_msgs++;
		if (f->bytes ? f->done_bytes == f->bytes :
		    f->stopping && !f->outstanding) {
			f->status = NULL;
			finish(f);
		} else if (f->stopping && !f->outstanding) {
			finish(f);
		}
	}
}

/**
 * fg_conn_wc() - handle a completion
 * @wc: work completion
 */
void fg_conn_wc(const struct ibv_wc *wc)
{
	struct fg_conn *c = eng.plan->conns[wc->wr_id >> 34 & FG_CONN_SLOT_MASK];
	int side = wc->wr_id >> 33 & 1;
	bool recv = wc->wr_id >> 32 & 1;
	u32 seq = wc->wr_id;

	/* What comes for a connection that is gone or broken is old news. */
	if (!c || c->id != wc->wr_id >> 34 || c->broken)
		return;
	eng.completions++;
	if (wc->status != IBV_WC_SUCCESS) {
		/* Unsignalled WRs before the failed one have succeeded. */
		if (!side && !recv)
			retire(c, seq - 1);
		fg_conn_break(c, ibv_wc_status_str(wc->status));
		return;
	}
	if (recv) {
		c->ep[side].recv_posted--;
		if (c->echo && side)
			fg_echo(c);
		fg_conn_dirty(c);
	} else if (!side && !c->pingpong) {
		retire(c, seq);
		fg_conn_dirty(c);
	} else if (!side) {
		retire(c, seq);
	}
	if (c->pingpong && !side)
		fg_pingpong_wc(c, side, recv);
}

/**
 * fg_flow_status() - the word for flows.csv
 * @f: flow
 */
const char *fg_flow_status(const struct fg_flow *f)
{
	if (f->status)
		return f->status;
	if (f->state == FG_DONE)
		return "ok";
	return f->state == FG_WAIT ? "not_started" : "stopped";
}

/**
 * fg_flow_failed() - does this flow make the run fail?
 * @f: flow
 *
 * A closed loop goes on until it is stopped: being cut is its normal end.
 */
bool fg_flow_failed(const struct fg_flow *f)
{
	const char *s = fg_flow_status(f);

	if (!strcmp(s, "ok"))
		return false;
	if (f->own_stop && f->state == FG_DONE && !strcmp(s, "stopped"))
		return false;
	if (f->in_chain && eng.stopping)
		return strcmp(s, "stopped") && strcmp(s, "not_started");
	return true;
}
