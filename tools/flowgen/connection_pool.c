// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: connections made while traffic runs, for the flows of a flows_file.
 * The policy says who shares one:
 *
 *	flow	nobody: made for the flow, destroyed after it
 *	pair	all flows from one device to another
 *	pool	a flow takes an idle one of its pair, or a new one; when the pair
 *		has as many as it may, the one with the fewest flows
 *
 * A connection whose flow has ended stays for linger_ns. What is still on its way
 * finds it, and the kernel, which in ibv_destroy_qp() waits for packets that have not
 * left the port, has none to wait for.
 */
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

/* The connections from one device to another, of a policy that shares them. */
struct pair {
	u32 key;
	struct fg_conn *conns;	/* NULL: this place of the table is free */
};

static struct {
	struct pair *pairs;	/* open addressing; a pair stays until the end */
	u32 npairs;
	u32 size;		/* a power of two, or 0 */
	u32 *free_slots;	/* of the plan's table of connections */
	u32 nfree;
	u32 cap_free;
	u32 live;
	struct fg_conn *dying, **dying_end;
} pool = { .dying_end = &pool.dying };

static u64 message_max(const struct fg_plan *p)
{
	return p->attr.op >= FG_FETCH_ADD ? 8 : p->attr.chunk_bytes;
}

static u32 depth_for(const struct fg_plan *p, u64 bytes)
{
	u64 n = (bytes + message_max(p) - 1) / message_max(p);

	/* Shorter messages between make it more. */
	if (p->attr.first_bytes || p->attr.alternate_bytes)
		return p->attr.depth;
	return p->qp_policy == FG_POLICY_FLOW && n < p->attr.depth ? n : p->attr.depth;
}

/**
 * fg_pool_buf_bytes() - how much of the shared buffer these connections use
 * @p: plan
 */
u32 fg_pool_buf_bytes(const struct fg_plan *p)
{
	return p->row_max_bytes < message_max(p) ? p->row_max_bytes : message_max(p);
}

static struct fg_conn *conn_alloc(struct fg_plan *p)
{
	if (pool.nfree)
		return p->conns[pool.free_slots[--pool.nfree]];
	if (p->nconns > FG_CONN_SLOT_MASK) {
		fg_err("more than %u connections at once", FG_CONN_SLOT_MASK + 1);
		return NULL;
	}
	return fg_plan_add_conn(p);
}

/* Completions that nobody has fetched yet find another generation in this place. */
static void conn_free(struct fg_conn *c)
{
	u32 slot = c->id & FG_CONN_SLOT_MASK, gen = (c->id >> FG_CONN_SLOT_BITS) + 1;

	free(c->slots);
	memset(c, 0, sizeof(*c));
	c->id = slot | (gen & FG_CONN_GEN_MASK) << FG_CONN_SLOT_BITS;
	pool.free_slots = fg_grow(pool.free_slots, &pool.cap_free, pool.nfree + 1, sizeof(slot));
	pool.free_slots[pool.nfree++] = slot;
}

/**
 * fg_pool_make() - a connection for a row, from the first system call to the last
 * @row: row; with policy "flow" its connection fits it alone
 *
 * Return: the connection, or NULL after a message.
 */
struct fg_conn *fg_pool_make(const struct fg_row *row)
{
	struct fg_plan *p = eng.plan;
	struct fg_conn *c = conn_alloc(p);
	struct fg_attr attr = p->attr;

	if (!c)
		return NULL;
	if (row->bytes <= p->small_bytes)
		attr.tclass = p->small_tclass;
	fg_plan_init_conn(p, c, row->src, row->dst, &attr, FG_PSN_OF_ROWS + row->id);
	c->depth = depth_for(p, row->bytes);
	c->buf_bytes = fg_pool_buf_bytes(p);
	c->need_recv = fg_op_needs_recv(p->attr.op);
	c->from_pool = true;
	if (fg_conn_open(c)) {
		fg_conn_close(c);
		conn_free(c);
		return NULL;
	}
	eng.qps_created += 2;
	if (++pool.live * 2 > eng.qps_peak)
		eng.qps_peak = pool.live * 2;
	return c;
}

static u32 key_of(u32 src, u32 dst)
{
	return src << 16 | dst;
}

static struct pair *find_pair(u32 key)
{
	u64 x = key;
	u32 i = fg_splitmix64(&x) & (pool.size - 1);

	while (pool.pairs[i].conns && pool.pairs[i].key != key)
		i = (i + 1) & (pool.size - 1);
	return &pool.pairs[i];
}

static void grow_pairs(void)
{
	struct pair *old = pool.pairs;
	u32 n = pool.size, i;

	pool.size = n ? 2 * n : 1024;
	pool.pairs = fg_zalloc(pool.size, sizeof(*old));
	for (i = 0; i < n; i++)
		if (old[i].conns)
			*find_pair(old[i].key) = old[i];
	free(old);
}

/*
 * The connection of the pair with the fewest flows, the first of equals. One that an
 * error has ended stays in the list, and counts as none.
 */
static struct fg_conn *least_loaded(const struct pair *pr, u32 *nconns)
{
	struct fg_conn *c, *best = NULL;

	*nconns = 0;
	for (c = pr->conns; c; c = c->next) {
		if (c->broken)
			continue;
		++*nconns;
		if (!best || c->users < best->users)
			best = c;
	}
	return best;
}

static struct fg_conn *add_to_pair(struct pair *pr, const struct fg_row *row)
{
	struct fg_conn *c = fg_pool_make(row), **end = &pr->conns;

	if (!c)
		return NULL;
	while (*end)
		end = &(*end)->next;
	*end = c;
	return c;
}

/**
 * fg_pool_get() - a connection that a row may share with others
 * @row: row
 *
 * Return: the connection, or NULL after a message.
 */
struct fg_conn *fg_pool_get(const struct fg_row *row)
{
	u32 max = eng.plan->qp_policy == FG_POLICY_PAIR ? 1 : eng.plan->qp_pool;
	struct fg_conn *c;
	struct pair *pr;
	u32 n;

	if (pool.npairs * 2 >= pool.size)
		grow_pairs();
	pr = find_pair(key_of(row->src, row->dst));
	c = least_loaded(pr, &n);
	if (c && (!c->users || n >= max))
		return c;
	if (!pr->conns)
		pool.npairs++;
	pr->key = key_of(row->src, row->dst);
	return add_to_pair(pr, row);
}

/**
 * fg_pool_knows() - is there a connection for a row already
 * @row: row of a policy that shares connections
 */
bool fg_pool_knows(const struct fg_row *row)
{
	u32 n;

	return pool.size && least_loaded(find_pair(key_of(row->src, row->dst)), &n);
}

/**
 * fg_pool_retire() - nobody will use a connection again
 * @c: connection
 * @now_ns: the clock
 */
void fg_pool_retire(struct fg_conn *c, u64 now_ns)
{
	c->due_ns = now_ns + eng.plan->linger_ns;
	c->next = NULL;
	*pool.dying_end = c;
	pool.dying_end = &c->next;
}

/**
 * fg_pool_reap() - destroy the oldest of the retired connections if it is due
 * @now_ns: the clock
 *
 * Return: whether one was destroyed.
 */
bool fg_pool_reap(u64 now_ns)
{
	struct fg_conn *c = pool.dying;

	if (!c || c->due_ns > now_ns)
		return false;
	pool.dying = c->next;
	if (!pool.dying)
		pool.dying_end = &pool.dying;
	fg_conn_close(c);
	conn_free(c);
	pool.live--;
	return true;
}

/**
 * fg_pool_exit() - free the tables; the connections go with the plan's
 */
void fg_pool_exit(void)
{
	free(pool.pairs);
	free(pool.free_slots);
}
