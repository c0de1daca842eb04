// SPDX-License-Identifier: GPL-2.0
/* flowgen: opens and closes a connection: rings of its two ends, places in completion queues. */
#include "flowgen.h"

/* How many receives an end keeps posted. */
static u32 recv_depth(const struct fg_conn *c, int side)
{
	if (c->echo)
		return 16;
	if (!side || !c->need_recv)
		return 0;
	/*
	 * Within the process the sender counts the receives that are left, so
	 * twice the send depth keeps it going. UC completes on transmission and
	 * another process is not seen: there the ring must hold what may be
	 * under way.
	 */
	if (c->use_credits)
		return 2 * c->depth;
	return c->depth < 256 ? 1024 : 4 * c->depth;
}

/* Places in a completion queue that an end may fill. */
static u32 end_cqe(const struct fg_conn *c, int side)
{
	u32 n = c->ep[side].recv_depth + 1;

	return !side || c->echo ? n + c->depth + 1 : n;
}

/**
 * fg_conn_size() - how large the queues of a connection are
 * @c: connection
 * @nlocal: hosts from here on are in another process
 */
void fg_conn_size(struct fg_conn *c, u32 nlocal)
{
	int side;

	c->use_credits = c->attr.transport == FG_RC && c->need_recv &&
			 !c->echo && c->src < nlocal && c->dst < nlocal;
	c->slots = fg_zalloc(c->depth, sizeof(*c->slots));
	for (side = 0; side < 2; side++) {
		if ((side ? c->dst : c->src) >= nlocal)
			continue;
		c->ep[side].host = &eng.hosts[side ? c->dst : c->src];
		c->ep[side].recv_depth = recv_depth(c, side);
		c->ep[side].host->cqe_need += end_cqe(c, side);
		if (c->buf_bytes > c->ep[side].host->buf_bytes)
			c->ep[side].host->buf_bytes = c->buf_bytes;
	}
}

/**
 * fg_conn_open() - connect both ends of a connection that is not of the plan
 * @c: connection, both of whose hosts are open here
 *
 * Return: 0, or -1 after a message; fg_conn_close() is then still to be called.
 */
int fg_conn_open(struct fg_conn *c)
{
	struct fg_ep *ep;
	int side;

	fg_conn_size(c, eng.nhosts);
	for (side = 0; side < 2; side++) {
		ep = &c->ep[side];
		ep->cq = fg_host_cq(ep->host, end_cqe(c, side));
		if (!ep->cq)
			return -1;
		ep->cqe = end_cqe(c, side);
		if (fg_ep_create(c, side))
			return -1;
	}
	if (fg_ep_connect(c, 0) || fg_ep_connect(c, 1))
		return -1;
	return fg_conn_fill_recv(c, 0) || fg_conn_fill_recv(c, 1) ? -1 : 0;
}

/**
 * fg_conn_close() - destroy what fg_conn_open() made
 * @c: connection
 */
void fg_conn_close(struct fg_conn *c)
{
	int side;

	for (side = 0; side < 2; side++) {
		fg_ep_destroy(&c->ep[side]);
		if (c->ep[side].cq)
			c->ep[side].cq->used -= c->ep[side].cqe;
		c->ep[side].cq = NULL;
	}
}
