// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: which flow runs on which connection. A connection is a pair of QPs;
 * flows share one when they say so ("pair", or a number).
 */
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

/* What must be equal for flows to share a connection. Compared as memory. */
struct key {
	s64 group;
	u64 src_gid;
	u64 dst_gid;
	u32 src;
	u32 dst;
	struct fg_attr attr;
};

struct table {
	u32 *slot;		/* connection index + 1, 0 is free */
	struct key *keys;	/* by connection */
	u32 mask;
};

/**
 * fg_op_needs_recv() - does the operation use up a receive of the peer?
 * @op: enum fg_op
 */
bool fg_op_needs_recv(u32 op)
{
	return op == FG_SEND || op == FG_SEND_IMM || op == FG_WRITE_IMM;
}

/* The attributes that belong to the QP, the rest zero. */
static struct fg_attr qp_attr(const struct fg_attr *a)
{
	struct fg_attr q = *a;

	/* Reads turn the direction of the data, and with it the traffic class. */
	q.op = a->op == FG_READ && a->ack_tclass != FG_TCLASS_SAME &&
	       a->ack_tclass != a->tclass;
	q.chunk_bytes = 0;
	q.first_bytes = 0;
	q.alternate_bytes = 0;
	q.signal_every = 0;
	q.verify = 0;
	return q;
}

static void make_key(struct key *k, const struct fg_flow *f)
{
	memset(k, 0, sizeof(*k));
	k->group = f->qp_group;
	k->src_gid = (uintptr_t)f->src_gid;
	k->dst_gid = (uintptr_t)f->dst_gid;
	k->src = f->src;
	k->dst = f->dst;
	k->attr = qp_attr(&f->attr);
}

/* The group's number alone, or what makes a pair: never pointers. */
static u64 hash_key(const struct key *k)
{
	u64 x = (u64)k->group;

	if (k->group == FG_QP_PAIR)
		x ^= ((u64)k->src << 32 | k->dst) * 0x9e3779b97f4a7c15ULL;
	return fg_splitmix64(&x);
}

/**
 * fg_plan_add_conn() - append an empty connection
 * @p: plan
 */
struct fg_conn *fg_plan_add_conn(struct fg_plan *p)
{
	struct fg_conn *c = fg_zalloc(1, sizeof(*c));

	p->conns = fg_grow(p->conns, &p->cap_conns, p->nconns + 1, sizeof(c));
	c->id = p->nconns;
	c->qp_group = FG_QP_NEW;
	p->conns[p->nconns++] = c;
	return c;
}

/**
 * fg_plan_init_conn() - what a connection is before its QPs are made
 * @p: plan
 * @c: connection
 * @src: host that posts
 * @dst: host that responds
 * @a: attributes of its first flow
 * @psn_index: of the random stream that its PSNs come from
 */
void fg_plan_init_conn(const struct fg_plan *p, struct fg_conn *c, u32 src, u32 dst,
		       const struct fg_attr *a, u64 psn_index)
{
	struct fg_rng r;

	c->src = src;
	c->dst = dst;
	c->attr = *a;
	if (c->attr.ack_tclass == FG_TCLASS_SAME)
		c->attr.ack_tclass = c->attr.tclass;
	c->qp_group = FG_QP_NEW;
	fg_rng_seed(&r, p->seed, FG_STREAM_PSN, psn_index);
	c->ep[0].psn = fg_rng_u64(&r) >> 40;
	c->ep[1].psn = fg_rng_u64(&r) >> 40;
}

static struct fg_conn *new_conn(struct fg_plan *p, u32 src, u32 dst, const struct fg_attr *a)
{
	struct fg_conn *c = fg_plan_add_conn(p);

	fg_plan_init_conn(p, c, src, dst, a, c->id);
	return c;
}

static u64 messages(const struct fg_flow *f)
{
	u64 chunk = f->attr.op >= FG_FETCH_ADD ? 8 : f->attr.chunk_bytes;

	/* Shorter ones between make it more: as many as may be. */
	if (f->attr.first_bytes || f->attr.alternate_bytes)
		return ~0ULL;
	return f->bytes ? (f->bytes + chunk - 1) / chunk : ~0ULL;
}

static void join(struct fg_plan *p, struct fg_flow *f, struct fg_conn *c)
{
	u32 chunk = f->attr.chunk_bytes;
	u64 n = messages(f);
	u32 depth = n < f->attr.depth ? n : f->attr.depth;

	f->conn = c->id;
	c->nflows++;
	if (f->bytes && f->bytes < chunk)
		chunk = f->bytes;
	if (f->attr.op >= FG_FETCH_ADD)
		chunk = 8;
	if (chunk > c->buf_bytes)
		c->buf_bytes = chunk;
	if (p->warmup_bytes > c->buf_bytes)
		c->buf_bytes = p->warmup_bytes;
	/* A QP of one flow needs no more room than the flow has messages. */
	if (f->qp_group != FG_QP_NEW || f->in_chain)
		depth = f->attr.depth;
	if (depth > c->depth)
		c->depth = depth;
	c->need_recv |= fg_op_needs_recv(f->attr.op);
}

/* The flow's connection in the table, or a new one. */
static struct fg_conn *lookup(struct fg_plan *p, struct table *t, struct fg_flow *f, struct key *k)
{
	u32 h = hash_key(k) & t->mask;
	struct fg_conn *c;
	struct key *have;

	for (; t->slot[h]; h = (h + 1) & t->mask) {
		c = p->conns[t->slot[h] - 1];
		have = &t->keys[c->id];
		if (!memcmp(have, k, sizeof(*k)))
			return c;
		if (k->group >= 0 && have->group == k->group) {
			fg_err("flow %u: qp: group %lld has other src, dst or QP attributes",
			       f->id, k->group);
			return NULL;
		}
	}
	c = new_conn(p, f->src, f->dst, &f->attr);
	c->qp_group = f->qp_group;
	c->src_gid = f->src_gid;
	c->dst_gid = f->dst_gid;
	t->slot[h] = c->id + 1;
	t->keys[c->id] = *k;
	return c;
}

#define VERIFY_MAX 1073741824ULL	/* of buffers, bytes */

static int check_verify(const struct fg_plan *p)
{
	const struct fg_flow *f;
	u64 sum = 0;
	u32 i;

	for (i = 0; i < p->nflows; i++) {
		f = &p->flows[i];
		if (!f->attr.verify)
			continue;
		if (!f->bytes)
			return fg_err("flow %u: verify: needs bytes", f->id);
		if (p->conns[f->conn]->nflows > 1)
			return fg_err("flow %u: verify: needs a QP of its own", f->id);
		if (p->warmup_bytes)
			return fg_err("flow %u: verify: not with warmup_bytes", f->id);
		sum += f->bytes * 2;
		if (sum > VERIFY_MAX)
			return fg_err("flow %u: verify: more than %llu bytes of buffers",
				      f->id, VERIFY_MAX);
	}
	return 0;
}

static void connect_pingpong(struct fg_plan *p, struct fg_pingpong *pr)
{
	struct fg_conn *c = new_conn(p, pr->src, pr->dst, &pr->attr);

	c->pingpong = pr;
	c->depth = 32;
	c->buf_bytes = pr->bytes;
	c->echo = pr->attr.op == FG_SEND;
	c->need_recv = c->echo;
	pr->conn = c->id;
}

/**
 * fg_plan_connect() - give every flow and ping-pong its connection
 * @p: plan with flows
 *
 * Return: 0, or -1 after a message that names the flow.
 */
int fg_plan_connect(struct fg_plan *p)
{
	struct table t = { NULL, NULL, 0 };
	u32 i, size = 64;
	struct fg_conn *c;
	int ret = -1;
	struct key k;

	while (size < p->nflows * 2)
		size *= 2;
	t.mask = size - 1;
	t.slot = fg_zalloc(size, sizeof(*t.slot));
	t.keys = fg_zalloc(p->nflows, sizeof(*t.keys));
	for (i = 0; i < p->nflows; i++) {
		struct fg_flow *f = &p->flows[i];

		if (f->qp_group == FG_QP_NEW) {
			/* A chain stays on the QP of its first flow. */
			if (f->chained && f->conn) {
				join(p, f, p->conns[f->conn - 1]);
			} else {
				c = new_conn(p, f->src, f->dst, &f->attr);
				c->src_gid = f->src_gid;
				c->dst_gid = f->dst_gid;
				join(p, f, c);
			}
			if (f->next >= 0 && p->flows[f->next].src == f->src &&
			    p->flows[f->next].dst == f->dst)
				p->flows[f->next].conn = f->conn + 1;
			continue;
		}
		make_key(&k, f);
		c = lookup(p, &t, f, &k);
		if (!c)
			goto out;
		join(p, f, c);
	}
	for (i = 0; i < p->npingpongs; i++)
		connect_pingpong(p, &p->pingpongs[i]);
	ret = check_verify(p);
out:
	free(t.slot);
	free(t.keys);
	return ret;
}
