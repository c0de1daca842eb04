// SPDX-License-Identifier: GPL-2.0
/* flowgen: calls of libibverbs: devices, GIDs, queue pairs, buffers. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "flowgen.h"

static u32 mtu_bytes(enum ibv_mtu m)
{
	return m ? 128U << m : 0;
}

static enum ibv_mtu mtu_enum(u32 bytes)
{
	u32 m = IBV_MTU_256;

	while (m < IBV_MTU_4096 && mtu_bytes(m) < bytes)
		m++;
	return m;
}

/**
 * fg_shared_buf() - the buffer that all flows of the process send from and into
 * @bytes: at least this large; the first call decides
 *
 * What is in it does not matter, so hosts share it: each registers the same
 * pages. One hot buffer also keeps the copies of many hosts inside the cache.
 */
void *fg_shared_buf(u32 bytes)
{
	static void *buf;

	if (!buf) {
		buf = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (buf == MAP_FAILED) {
			fg_err("buffer of %u bytes: %s", bytes, strerror(errno));
			exit(FG_SETUP);
		}
		memset(buf, 0x5a, bytes);
	}
	return buf;
}

/**
 * fg_gid_str() - text of a GID, IPv4 as ::ffff:a.b.c.d
 * @gid: GID
 * @buf: where to
 * @len: its size, at least INET6_ADDRSTRLEN
 */
void fg_gid_str(const union ibv_gid *gid, char *buf, size_t len)
{
	if (!inet_ntop(AF_INET6, gid->raw, buf, len))
		*buf = '\0';
}

static bool gid_is_ipv4(const union ibv_gid *g)
{
	static const u8 prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(g->raw, prefix, sizeof(prefix));
}

static bool gid_is_link_local(const union ibv_gid *g)
{
	return g->raw[0] == 0xfe && (g->raw[1] & 0xc0) == 0x80;
}

/* Choose a GID by value, or the first of a kind: indices move when addresses come and go. */
static const struct ibv_gid_entry *find_gid(const struct fg_host *h, u32 kind,
					    const union ibv_gid *want)
{
	const struct ibv_gid_entry *e, *best = NULL;
	int i;

	for (i = 0; i < h->ngids; i++) {
		e = &h->gids[i];
		if (e->port_num != h->port || e->gid_type != IBV_GID_TYPE_ROCE_V2)
			continue;
		if (want) {
			if (memcmp(want->raw, e->gid.raw, sizeof(*want)))
				continue;
		} else if (gid_is_ipv4(&e->gid) != (kind == FG_GID_IPV4)) {
			continue;
		}
		if (!best || (gid_is_link_local(&best->gid) && !gid_is_link_local(&e->gid)))
			best = e;
	}
	return best;
}

static int pick_gid(struct fg_ep *ep, const struct fg_attr *a, const char *want)
{
	const struct fg_host *h = ep->host;
	const struct ibv_gid_entry *best;
	union ibv_gid gid;

	if (want && inet_pton(AF_INET6, want, gid.raw) != 1)
		return fg_err("%s: \"%s\" is no GID", h->name, want);
	best = find_gid(h, a->gid, want ? &gid : NULL);
	if (!best)
		return fg_err("%s: no RoCE v2 GID %s", h->name,
			      want ? want : fg_gid_names[a->gid]);
	ep->gid = best->gid;
	ep->gid_index = best->gid_index;
	return 0;
}

/**
 * fg_host_gid() - address of a host
 * @h: host
 * @kind: enum fg_gid_kind
 * @gid: receives it
 *
 * Return: 0, or -1 if it has none of that kind.
 */
int fg_host_gid(const struct fg_host *h, u32 kind, union ibv_gid *gid)
{
	const struct ibv_gid_entry *e = find_gid(h, kind, NULL);

	if (!e)
		return -1;
	*gid = e->gid;
	return 0;
}

/**
 * fg_first_device() - name of the first RDMA device, or NULL
 */
const char *fg_first_device(void)
{
	static char name[64];
	struct ibv_device **list;
	int n = 0;

	list = ibv_get_device_list(&n);
	if (!list)
		return NULL;
	if (n)
		snprintf(name, sizeof(name), "%s", ibv_get_device_name(list[0]));
	ibv_free_device_list(list);
	return n ? name : NULL;
}

static struct ibv_context *open_by_name(const char *name)
{
	static struct ibv_device **list;
	struct ibv_context *ctx;
	int i;

	/* Listed once: with hundreds of devices the scan of sysfs is slow. */
	if (!list)
		list = ibv_get_device_list(NULL);
	for (i = 0; list && list[i]; i++) {
		if (strcmp(ibv_get_device_name(list[i]), name))
			continue;
		ctx = ibv_open_device(list[i]);
		if (!ctx)
			fg_err("%s: cannot open: %s", name, strerror(errno));
		return ctx;
	}
	fg_err("%s: no such RDMA device", name);
	return NULL;
}

static int nonblock(int fd)
{
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/**
 * fg_host_open() - open a device, read its port and GIDs
 * @h: zeroed
 * @name: device
 * @port: port number
 */
int fg_host_open(struct fg_host *h, const char *name, u32 port)
{
	struct ibv_port_attr pa;

	h->name = name;
	h->port = port;
	h->ctx = open_by_name(name);
	if (!h->ctx)
		return -1;
	if (ibv_query_device(h->ctx, &h->attr))
		return fg_err("%s: ibv_query_device: %s", name, strerror(errno));
	if (port > h->attr.phys_port_cnt)
		return fg_err("%s: no port %u", name, port);
	if (ibv_query_port(h->ctx, port, &pa))
		return fg_err("%s: ibv_query_port: %s", name, strerror(errno));
	if (pa.state != IBV_PORT_ACTIVE)
		return fg_err("%s: port %u is %s, not ACTIVE", name, port,
			      ibv_port_state_str(pa.state));
	h->active_mtu = mtu_bytes(pa.active_mtu);
	h->gids = fg_zalloc(pa.gid_tbl_len, sizeof(*h->gids));
	h->ngids = ibv_query_gid_table(h->ctx, h->gids, pa.gid_tbl_len, 0);
	if (h->ngids < 0)
		return fg_err("%s: ibv_query_gid_table: %s", name, strerror(-h->ngids));
	h->gids = realloc(h->gids, (h->ngids + 1) * sizeof(*h->gids));
	if (nonblock(h->ctx->async_fd))
		return fg_err("%s: fcntl: %s", name, strerror(errno));
	return 0;
}

#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
		IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

static struct fg_cq *add_cq(struct fg_host *h, u32 cqe)
{
	struct fg_cq *q = fg_zalloc(1, sizeof(*q));

	q->host = h;
	q->cqe = cqe;
	q->cq = ibv_create_cq(h->ctx, cqe, q, h->chan, 0);
	if (!q->cq) {
		fg_err("%s: ibv_create_cq of %u entries: %s", h->name, cqe, strerror(errno));
		free(q);
		return NULL;
	}
	h->cqs = fg_grow(h->cqs, &h->cap_cqs, h->ncqs + 1, sizeof(q));
	h->cqs[h->ncqs++] = q;
	if (ibv_req_notify_cq(q->cq, 0)) {
		fg_err("%s: ibv_req_notify_cq: %s", h->name, strerror(errno));
		return NULL;
	}
	return q;
}

/**
 * fg_host_prepare() - PD, MR, completion channel and CQ of an open device
 * @h: open device
 * @cqe: completions that may be pending at once
 * @buf: buffer to register
 * @buf_bytes: its size
 */
int fg_host_prepare(struct fg_host *h, u32 cqe, void *buf, u32 buf_bytes)
{
	if (cqe > (u32)h->attr.max_cqe)
		return fg_err("%s: its QPs need %u completion entries, it has %d: lower depth",
			      h->name, cqe, h->attr.max_cqe);
	h->pd = ibv_alloc_pd(h->ctx);
	if (!h->pd)
		return fg_err("%s: ibv_alloc_pd: %s", h->name, strerror(errno));
	h->mr = ibv_reg_mr(h->pd, buf, buf_bytes, ACCESS);
	if (!h->mr)
		return fg_err("%s: ibv_reg_mr of %u bytes: %s", h->name,
			      buf_bytes, strerror(errno));
	h->buf_bytes = buf_bytes;
	h->chan = ibv_create_comp_channel(h->ctx);
	if (!h->chan || nonblock(h->chan->fd))
		return fg_err("%s: ibv_create_comp_channel: %s", h->name, strerror(errno));
	h->cqe_need = cqe;
	return add_cq(h, cqe) ? 0 : -1;
}

/* Completion queues of connections that are made while traffic runs. */
#define MORE_CQE	1023U

/**
 * fg_host_cq() - a completion queue with room for a queue pair
 * @h: host
 * @cqe: places that it needs; they are promised to it
 *
 * A device limits the size of a completion queue, not the number: there are as many
 * as the queue pairs of the moment need.
 *
 * Return: the queue, or NULL after a message.
 */
struct fg_cq *fg_host_cq(struct fg_host *h, u32 cqe)
{
	struct fg_cq *q;
	u32 i;

	for (i = 1; i < h->ncqs; i++) {
		q = h->cqs[i];
		if (q->cqe - q->used >= cqe) {
			q->used += cqe;
			return q;
		}
	}
	q = add_cq(h, cqe > MORE_CQE ? cqe : MORE_CQE);
	if (q)
		q->used = cqe;
	return q;
}

/**
 * fg_host_close() - release what open and prepare made; QPs must be gone
 * @h: device
 */
void fg_host_close(struct fg_host *h)
{
	struct fg_cq *q;

	if (h->srq)
		ibv_destroy_srq(h->srq);
	while (h->ncqs) {
		q = h->cqs[--h->ncqs];
		if (q->unacked)
			ibv_ack_cq_events(q->cq, q->unacked);
		ibv_destroy_cq(q->cq);
		free(q);
	}
	free(h->cqs);
	if (h->chan)
		ibv_destroy_comp_channel(h->chan);
	if (h->mr)
		ibv_dereg_mr(h->mr);
	if (h->pd)
		ibv_dealloc_pd(h->pd);
	if (h->ctx)
		ibv_close_device(h->ctx);
	free(h->gids);
	memset(h, 0, sizeof(*h));
}

/*
 * An empty shared receive queue for queue pairs that never receive: each then has one
 * queue less to be made, mapped and unmapped, a fifth of the cost of its life.
 */
static struct ibv_srq *no_receives(struct fg_host *h)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 1, .max_sge = 1 } };

	if (!h->srq && !h->no_srq) {
		h->srq = ibv_create_srq(h->pd, &attr);
		h->no_srq = !h->srq;
	}
	return h->srq;
}

/**
 * fg_ep_create() - make one end's QP and bring it to INIT
 * @c: connection; the end's host is set
 * @side: 0 src, 1 dst
 */
int fg_ep_create(struct fg_conn *c, int side)
{
	struct fg_ep *ep = &c->ep[side];
	struct fg_host *h = ep->host;
	struct ibv_cq *cq = (ep->cq ? ep->cq : h->cqs[0])->cq;
	u32 send = side && !c->echo ? 1 : c->depth;
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {
			.max_send_wr = send + 1,
			.max_recv_wr = ep->recv_depth + 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = c->attr.transport == FG_UC ? IBV_QPT_UC : IBV_QPT_RC,
	};
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_INIT,
		.port_num = h->port,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};

	if (c->from_pool && !ep->recv_depth && c->attr.transport == FG_RC)
		init.srq = no_receives(h);
	if (init.srq)
		init.cap.max_recv_wr = 0;
	if (c->attr.transport == FG_RC)
		a.qp_access_flags |= IBV_ACCESS_REMOTE_READ |
				     IBV_ACCESS_REMOTE_ATOMIC;
	if (pick_gid(ep, &c->attr, side ? c->dst_gid : c->src_gid))
		return -1;
	ep->qp = ibv_create_qp(h->pd, &init);
	if (!ep->qp)
		return fg_err("%s: ibv_create_qp (%s, %u send, %u receive): %s",
			      h->name, fg_transport_names[c->attr.transport],
			      init.cap.max_send_wr, init.cap.max_recv_wr,
			      strerror(errno));
	if (ibv_modify_qp(ep->qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
			  IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		return fg_err("%s: QP %u: ibv_modify_qp to INIT: %s", h->name,
			      ep->qp->qp_num, strerror(errno));
	ep->qpn = ep->qp->qp_num;
	ep->addr = (uintptr_t)h->mr->addr;
	ep->rkey = h->mr->rkey;
	ep->mtu = c->attr.mtu ? c->attr.mtu : h->active_mtu;
	if (ep->mtu > h->active_mtu)
		return fg_err("%s: mtu: %u is above the port's active MTU %u",
			      h->name, ep->mtu, h->active_mtu);
	return 0;
}

/* Which end sends the data: its QP gets tclass, the other ack_tclass. */
static u32 side_tclass(const struct fg_conn *c, int side)
{
	bool data = c->echo || (c->attr.op == FG_READ) == !!side;

	return data ? c->attr.tclass : c->attr.ack_tclass;
}

static int to_rtr(struct fg_conn *c, int side)
{
	struct fg_ep *ep = &c->ep[side], *peer = &c->ep[!side];
	int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
		   IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_enum(ep->mtu < peer->mtu ? ep->mtu : peer->mtu),
		.dest_qp_num = peer->qpn,
		.rq_psn = peer->psn,
		.min_rnr_timer = c->attr.min_rnr_timer,
		.max_dest_rd_atomic = c->attr.max_rd_atomic,
		.ah_attr = {
			.is_global = 1,
			.port_num = ep->host->port,
			.sl = c->attr.sl,
			.grh = {
				.dgid = peer->gid,
				.sgid_index = ep->gid_index,
				.hop_limit = c->attr.hop_limit,
				.traffic_class = side_tclass(c, side),
				.flow_label = c->attr.flow_label,
			},
		},
	};

	if (c->attr.transport == FG_RC)
		mask |= IBV_QP_MIN_RNR_TIMER | IBV_QP_MAX_DEST_RD_ATOMIC;
	return ibv_modify_qp(ep->qp, &a, mask);
}

static int to_rts(struct fg_conn *c, int side)
{
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = c->ep[side].psn,
		.timeout = c->attr.timeout,
		.retry_cnt = c->attr.retry_cnt,
		.rnr_retry = c->attr.rnr_retry,
		.max_rd_atomic = c->attr.max_rd_atomic,
	};

	if (c->attr.transport == FG_RC)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	return ibv_modify_qp(c->ep[side].qp, &a, mask);
}

/**
 * fg_ep_connect() - bring one end to RTS; the other end's numbers are known
 * @c: connection
 * @side: 0 src, 1 dst
 */
int fg_ep_connect(struct fg_conn *c, int side)
{
	struct fg_ep *ep = &c->ep[side];
	const char *step = "RTR";
	char gid[64];
	int ret;

	ret = to_rtr(c, side);
	if (!ret) {
		step = "RTS";
		ret = to_rts(c, side);
	}
	if (!ret)
		return 0;
	fg_gid_str(&c->ep[!side].gid, gid, sizeof(gid));
	return fg_err("%s: QP %u towards %s QP %u: ibv_modify_qp to %s: %s",
		      ep->host->name, ep->qpn, gid, c->ep[!side].qpn, step,
		      strerror(ret > 0 ? ret : errno));
}

/**
 * fg_ep_destroy() - destroy an end's QP, if it is here
 * @ep: end
 */
void fg_ep_destroy(struct fg_ep *ep)
{
	if (ep->qp)
		ibv_destroy_qp(ep->qp);
	ep->qp = NULL;
}

static void fill_pattern(u8 *mem, u64 bytes, u64 seed, u32 id)
{
	struct fg_rng r;
	u64 i, x;

	fg_rng_seed(&r, seed, FG_STREAM_PATTERN, id);
	for (i = 0; i < bytes; i += 8) {
		x = fg_rng_u64(&r);
		memcpy(mem + i, &x, bytes - i < 8 ? bytes - i : 8);
	}
}

/**
 * fg_vbuf_create() - buffers of a flow whose data is checked
 * @f: flow with verify
 * @c: its connection, both ends in this process
 * @seed: of the pattern
 */
int fg_vbuf_create(struct fg_flow *f, struct fg_conn *c, u64 seed)
{
	bool atomic = f->attr.op >= FG_FETCH_ADD;
	struct fg_vbuf *v = fg_zalloc(1, sizeof(*v));
	int i;

	f->vbuf = v;
	c->vbuf = v;
	v->bytes = atomic ? 8 : f->bytes;
	for (i = 0; i < 2; i++) {
		v->mem[i] = fg_zalloc((v->bytes + 7) / 8, 8);
		v->mr[i] = ibv_reg_mr(c->ep[i].host->pd, v->mem[i], v->bytes, ACCESS);
		if (!v->mr[i])
			return fg_err("flow %u: %s: ibv_reg_mr of %llu bytes: %s",
				      f->id, c->ep[i].host->name, v->bytes,
				      strerror(errno));
	}
	if (!atomic)
		fill_pattern(v->mem[f->attr.op == FG_READ], v->bytes, seed, f->id);
	return 0;
}

/* Says how many bytes differ and where: a packet's worth in one place is another
 * thing than all from some byte on.
 */
static bool same_bytes(const struct fg_flow *f, const u8 *a, const u8 *b)
{
	u64 i, n = 0, first = 0, last = 0, zero = 0;

	for (i = 0; i < f->vbuf->bytes; i++) {
		if (a[i] == b[i])
			continue;
		if (!n++)
			first = i;
		last = i;
		zero += !(f->attr.op == FG_READ ? a : b)[i];
	}
	if (n)
		fg_err("flow %u: what arrived is not what was sent: %llu of %llu bytes differ, %llu of them 0, the first at %llu, the last at %llu",
		       f->id, n, f->vbuf->bytes, zero, first, last);
	return !n;
}

/**
 * fg_vbuf_good() - has what was sent arrived?
 * @f: completed flow with verify
 *
 * For atomics the counter at the responder must equal the operations done.
 *
 * Return: true when it has; else that is printed.
 */
bool fg_vbuf_good(const struct fg_flow *f)
{
	const struct fg_vbuf *v = f->vbuf;
	u64 n;

	if (f->attr.op < FG_FETCH_ADD)
		return same_bytes(f, v->mem[0], v->mem[1]);
	memcpy(&n, v->mem[1], sizeof(n));
	if (n != f->done_msgs)
		fg_err("flow %u: the counter is %llu after %llu operations", f->id, n,
		       f->done_msgs);
	return n == f->done_msgs;
}

/**
 * fg_vbuf_destroy() - release a flow's buffers; its QPs must be gone
 * @v: buffers or NULL
 */
void fg_vbuf_destroy(struct fg_vbuf *v)
{
	int i;

	if (!v)
		return;
	for (i = 0; i < 2; i++) {
		if (v->mr[i])
			ibv_dereg_mr(v->mr[i]);
		free(v->mem[i]);
	}
	free(v);
}
