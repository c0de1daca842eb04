// SPDX-License-Identifier: GPL-2.0
/*
 * Takes one sample of all ports and queue pairs, and histograms of queues, as records.
 */
#include <linux/rtnetlink.h>
#include <linux/string.h>
#include <rdma/ib_verbs.h>

#include "watch.h"

/* Nobody reads any more: better to say so than to fill memory. */
#define WATCH_BYTES_MAX	(256U << 20)

/* A record, zeroed; NULL when it is lost. */
static void *watch_record(struct watch *w, u16 kind, u32 id, size_t len)
{
	struct roce_watch_rec *rec;

	len = ALIGN(len, 8);
	rec = records_add(&w->out, len, WATCH_BYTES_MAX, GFP_KERNEL);
	if (!rec)
		return NULL;
	rec->len = len;
	rec->kind = kind;
	rec->id = id;
	return rec;
}

static void watch_name(struct watch *w, u16 kind, u32 id, const char *name)
{
	size_t len = strlen(name) + 1;
	struct roce_watch_rec *rec;

	rec = watch_record(w, kind, id, sizeof(*rec) + len);
	if (rec)
		memcpy(rec + 1, name, len);
}

static void watch_dev(const struct ib_device *dev, void *data)
{
	watch_name(data, ROCE_WATCH_DEV, dev->index, dev->name);
}

/**
 * watch_sample_devs() - records of the names of RDMA devices
 * @w: watch
 */
void watch_sample_devs(struct watch *w)
{
	rxe_cc_look_devs(watch_dev, w);
}

/* Names are constants: their addresses will do. */
static u32 watch_var(struct watch *w, const char *name)
{
	u32 i;

	for (i = 0; i < w->nr_vars; i++)
		if (w->var[i] == name)
			return i;
	if (i < WATCH_VARS_MAX) {
		w->var[w->nr_vars++] = name;
		watch_name(w, ROCE_WATCH_VAR, i, name);
	}
	return i;
}

static void watch_qp(const struct ib_device *dev, const struct rxe_cc_qp_snapshot *s,
		     void *data)
{
	u32 id[RXE_CC_MAX_VARS];
	struct watch *w = data;
	struct roce_watch_qp *r;
	unsigned int i;

	for (i = 0; i < s->nr_vars; i++)
		id[i] = watch_var(w, s->var[i].name);
	r = watch_record(w, ROCE_WATCH_QP, dev->index, struct_size(r, var, s->nr_vars));
	if (!r)
		return;
	r->qpn = s->info.qpn;
	r->nr_vars = s->nr_vars;
	r->rate_bps = s->rate_bps;
	r->cwnd_bytes = min(s->cwnd_bytes, s->cap_share_bytes);
	r->inflight_bytes = s->inflight_bytes;
	r->rtt_ns = s->rtt_ns;
	r->acked_bytes = s->counter[RXE_CC_QCNT_ACKED_BYTES];
	r->tx_packets = s->counter[RXE_CC_QCNT_TX_PACKETS];
	r->tx_bytes = s->counter[RXE_CC_QCNT_TX_BYTES];
	r->congestion = s->congestion;
	r->rx_msgs = s->rx_msgs;
	r->rx_senders = s->rx_senders;
	r->of_port = s->port_congestion;
	r->by_int = s->telemetry >= 0;
	for (i = 0; i < s->nr_vars; i++) {
		r->var[i].id = id[i];
		r->var[i].value = s->var[i].value;
	}
}

/* NULL when it is gone. Under RTNL. */
static struct net_device *watch_dev_of(const struct watch_port *p)
{
	return __dev_get_by_index(p->net, p->ifindex);
}

static u32 watch_state(const struct roce_look *look, unsigned int prio)
{
	return (look->paused & BIT(prio) ? ROCE_WATCH_S_PAUSED : 0) |
	       (look->mercury & BIT(prio) ? ROCE_WATCH_S_MERCURY : 0) |
	       (look->undetermined & BIT(prio) ? ROCE_WATCH_S_UNDETERMINED : 0);
}

/* A port that is gone, or no longer one, has no records. */
static void watch_port(struct watch *w, const struct watch_port *p)
{
	struct net_device *dev = watch_dev_of(p);
	const struct roce_look *look = &w->look;
	struct roce_watch_port *r;
	unsigned int i, n = 0;

	if (!dev || roce_look(dev, &w->look))
		return;
	r = watch_record(w, ROCE_WATCH_PORT, p->id,
			 struct_size(r, prio, hweight8(look->in_use)));
	if (!r)
		return;
	r->tx_packets = look->tx_packets;
	r->busy_ns = look->busy_ns;
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (!(look->in_use & BIT(i)))
			continue;
		r->prio[n].id = i;
		r->prio[n].state = watch_state(look, i);
		r->prio[n].bytes = look->bytes[i];
		r->prio[n++].pause_ns = look->pause_ns[i];
	}
}

/* Where LSCC is off there is no record. */
static void watch_lscc(struct watch *w, const struct watch_port *p)
{
	struct net_device *dev = watch_dev_of(p);
	struct roce_watch_lscc *r;
	struct roce_look_lscc look;

	if (!dev || roce_look_lscc(dev, &look))
		return;
	r = watch_record(w, ROCE_WATCH_LSCC, p->id, sizeof(*r));
	if (!r)
		return;
	r->queue_bytes = look.queue_bytes;
	r->out_bps = look.out_bps;
	r->rate_bps = look.rate_bps;
	r->limit_bps = look.limit_bps;
	r->pseudo_bytes = look.pseudo_bytes;
}

/**
 * watch_sample_at() - records of a sample
 * @w: watch
 * @t_ns: when it was due, from the first
 */
void watch_sample_at(struct watch *w, u64 t_ns)
{
	bool rare = w->cmd.rare && w->taken % w->cmd.rare == 0;
	struct roce_watch_tick *r;
	u32 i;

	r = watch_record(w, ROCE_WATCH_TICK, 0, sizeof(*r));
	if (r)
		r->t_ns = t_ns;
	rtnl_lock();
	for (i = 0; i < w->nr_ports; i++) {
		const struct watch_port *p = &w->ports[i];

		if (p->flags & ROCE_WATCH_F_EACH || (rare && p->flags & ROCE_WATCH_F_RARE))
			watch_port(w, p);
		if (p->flags & ROCE_WATCH_F_LSCC)
			watch_lscc(w, p);
	}
	rtnl_unlock();
	if (w->cmd.flags & ROCE_WATCH_F_QPS)
		rxe_cc_look_qps(watch_qp, &w->snap, w);
	w->taken++;
}

/**
 * watch_hist_begin() - begin all histograms at this instant
 * @w: watch
 *
 * Return: 0 or an error.
 */
int watch_hist_begin(struct watch *w)
{
	struct net_device *dev;
	int err = 0;
	u32 i;

	rtnl_lock();
	for (i = 0; i < w->nr_ports && !err; i++) {
		if (!(w->ports[i].flags & ROCE_WATCH_F_HIST))
			continue;
		dev = watch_dev_of(&w->ports[i]);
		err = dev ? roce_hist_begin(dev) : -ENODEV;
	}
	rtnl_unlock();
	return err;
}

static void watch_hist(struct watch *w, u32 id)
{
	struct roce_watch_hist *r;
	unsigned int i, n = 0;

	for (i = 0; i < ROCE_WATCH_BUCKETS; i++)
		n += w->ns[i] != 0;
	r = watch_record(w, ROCE_WATCH_HIST, id, struct_size(r, bucket, n));
	if (!r)
		return;
	for (i = 0, n = 0; i < ROCE_WATCH_BUCKETS; i++) {
		if (!w->ns[i])
			continue;
		r->bucket[n].nr = i;
		r->bucket[n++].ns = w->ns[i];
	}
}

/**
 * watch_hist_end() - end all histograms at this instant, a record for each
 * @w: watch
 *
 * Return: 0, or the first error; the other ports' are ended all the same.
 */
int watch_hist_end(struct watch *w)
{
	struct net_device *dev;
	int err, first = 0;
	u32 i;

	rtnl_lock();
	for (i = 0; i < w->nr_ports; i++) {
		if (!(w->ports[i].flags & ROCE_WATCH_F_HIST))
			continue;
		dev = watch_dev_of(&w->ports[i]);
		err = dev ? roce_hist_end(dev, w->ns) : -ENODEV;
		if (!err)
			watch_hist(w, w->ports[i].id);
		first = first ?: err;
	}
	rtnl_unlock();
	return first;
}

struct watch_lost_ctx {
	struct watch *w;
	u32 id;
};

/* So many in a record fit what readers have room for. */
#define WATCH_LOST_FLOWS	2048U

static void watch_lost_flows(const struct roce_watch_lost_flow *flow, u32 nr, bool more, void *data)
{
	struct watch_lost_ctx *ctx = data;
	struct roce_watch_lost *r;
	u32 at = 0, n;

	do {
		n = min(nr - at, WATCH_LOST_FLOWS);
		r = watch_record(ctx->w, ROCE_WATCH_LOST, ctx->id, struct_size(r, flow, n));
		if (!r)
			return;
		r->more = more;
		memcpy(r->flow, flow + at, n * sizeof(*flow));
		at += n;
	} while (at < nr);
}

/**
 * watch_lost() - of each port the flows that have lost packets on its link since the last time
 * @w: watch
 *
 * Return: 0, or the first error; the other ports are looked at all the same.
 */
int watch_lost(struct watch *w)
{
	struct net_device *dev;
	int err, first = 0;
	u32 i;

	rtnl_lock();
	for (i = 0; i < w->nr_ports; i++) {
		struct watch_lost_ctx ctx = { .w = w, .id = w->ports[i].id };

		if (!(w->ports[i].flags & ROCE_WATCH_F_LOST))
			continue;
		dev = watch_dev_of(&w->ports[i]);
		err = dev ? roce_lost_take(dev, watch_lost_flows, &ctx) : -ENODEV;
		first = first ?: err;
	}
	rtnl_unlock();
	return first;
}
