// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: samples of rates and queues while the traffic runs, totals after it.
 * The kernel takes the samples; here they become rows.
 *
 * Rows are raw material for the host side, which knows how flows and queue
 * pairs belong together with what the traffic generator wrote.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "guest/run.h"

#define PRIOS	ARRAY_SIZE(((struct qdisc_stats *)NULL)->prio)

static int cmp_qp(const void *a, const void *b)
{
	const struct flow_qp *x = a, *y = b;
	int rc = strcmp(x->dev, y->dev);

	if (rc)
		return rc;
	return (x->qpn > y->qpn) - (x->qpn < y->qpn);
}

/* Flows that share a queue pair are next to each other. */
static int cmp_flow(const void *a, const void *b)
{
	const struct flow_qp *x = a, *y = b;
	int rc = cmp_qp(a, b);

	return rc ? rc : (x->flow > y->flow) - (x->flow < y->flow);
}

static void add_qp(struct sampler *s, const char *dev, int64_t qpn, int flow, bool sends)
{
	s->qps[s->n_qps++] = (struct flow_qp) {
		.dev = dev, .qpn = (uint32_t)qpn, .flow = flow, .sends = sends,
		.first_tx_ns = -1,
	};
}

/* The side that sends data is the destination's when a flow reads. */
static int load_qps(struct sampler *s, const char *path, bool reads)
{
	struct json_object *flows;
	char *err = NULL;
	size_t i;

	s->qps_doc = js_load(path, &err);
	if (!s->qps_doc)
		return fail("%s", err);
	flows = js_get(s->qps_doc, "flows");
	s->qps = xcalloc(2 * js_len(flows), sizeof(*s->qps));
	for (i = 0; i < js_len(flows); i++) {
		struct json_object *f = js_at(flows, i);
		int flow = (int)js_int(f, "flow", i);

		add_qp(s, js_str(f, "src", ""), js_int(f, "qpn", 0), flow, !reads);
		add_qp(s, js_str(f, "dst", ""), js_int(f, "dst_qpn", 0), flow, reads);
	}
	qsort(s->qps, s->n_qps, sizeof(*s->qps), cmp_flow);
	return 0;
}

static int open_table(struct sampler *s, enum table_id t, const char *out)
{
	char *path = xasprintf("%s/%s", out, tables[t].file);
	int rc = 0;

	s->table[t] = fopen(path, "we");
	if (s->table[t])
		table_heading(s->table[t], t, true);
	else
		rc = fail("%s: %s", path, strerror(errno));
	free(path);
	return rc;
}

static bool has_lscc(const struct port *p)
{
	return job_get(p->qdisc, J_PORT_LSCC_SELF);
}

static bool has_lossless(struct json_object *qdisc)
{
	struct json_object *prios = job_get(qdisc, J_PORT_PRIO);
	size_t i;

	for (i = 0; i < js_len(prios); i++)
		if (job_int(js_at(prios, i), J_PRIO_LOSSLESS, 0))
			return true;
	return false;
}

/**
 * sampler_open() - prepare for samples
 * @s: sampler with @topo and @cc set
 * @job: "watch": pairs of nodes that name ports; "reads": flows are READs;
 *	"pause_every": pauses of the other ports are read with every N-th sample;
 *	0: there are no pauses; "window_from_ns", "window_to_ns": part of the run
 *	with figures of its own; -1: none
 * @out: directory; flowgen/qps.json in it must exist
 *
 * Return: 0, or -1 after fail().
 */
int sampler_open(struct sampler *s, struct json_object *job, const char *out)
{
	struct json_object *watch = job_get(job, J_WATCH);
	char *path = xasprintf("%s/flowgen/qps.json", out);
	enum table_id t;
	size_t i;
	int rc;

	/* Of kernels that share the nodes one with switches alone has no traffic generator. */
	rc = guest_part() >= 0 && path_missing(path) ? 0 :
	     load_qps(s, path, job_bool(job, J_READS, false));
	free(path);
	if (rc)
		return rc;
	s->watch = xcalloc(s->topo->n_ports, sizeof(*s->watch));
	s->written = xcalloc(s->topo->n_ports * PRIOS, sizeof(*s->written));
	s->base = xcalloc(s->topo->n_ports, sizeof(*s->base));
	s->last = xcalloc(s->topo->n_ports, sizeof(*s->last));
	s->lossless = xcalloc(s->topo->n_ports, sizeof(*s->lossless));
	s->paused_ns = xcalloc(s->topo->n_ports * PRIOS, sizeof(*s->paused_ns));
	s->window_ns[0] = job_int(job, J_WINDOW_FROM, -1);
	s->window_ns[1] = job_int(job, J_WINDOW_TO, -1);
	for (i = 0; i < ARRAY_SIZE(s->window); i++)
		s->window[i] = xcalloc(s->topo->n_ports, sizeof(*s->window[i]));
	s->pause_every = job_int(job, J_PAUSE_EVERY, 0);
	for (i = 0; i < (size_t)s->topo->n_ports; i++)
		s->lossless[i] = s->pause_every && has_lossless(s->topo->ports[i].qdisc);
	for (i = 0; i < js_len(watch); i++) {
		struct json_object *pair = js_at(watch, i);
		const char *node, *peer;
		struct port *p;

		node = json_object_get_string(js_at(pair, 0));
		peer = json_object_get_string(js_at(pair, 1));
		p = topo_port(s->topo, node, peer);
		if (p && !p->node->here)
			continue;
		if (!p || !p->qdisc)
			return fail("watch: no port %s-%s", node, peer);
		s->watch[p->id] = true;
	}
	for (t = 0; t < TABLES && !rc; t++)
		if (tables[t].made & TABLE_RAW && (t != T_PAUSES || s->pause_every))
			rc = open_table(s, t, out);
	types_open(s);
	return rc;
}

static void print_opt(FILE *f, int64_t val, char end)
{
	if (val >= 0)
		fprintf(f, "%" PRId64, val);
	fputc(end, f);
}

/* What is new of the algorithm's variables: name=value;name=value */
static void write_state(struct sampler *s, struct flow_qp *hit, const struct cc_qp *qp)
{
	FILE *f = s->table[T_RAW_STATE];
	bool any = false;
	size_t i;

	for (i = 0; i < qp->n_vars; i++) {
		if (i < hit->n_vars && hit->vars[i] == qp->vars[i].value)
			continue;
		if (!any)
			fprintf(f, "%" PRId64 ",%d,%d,", s->t_ns, hit->flow, hit->sends);
		fprintf(f, "%s%s=%" PRIu64, any ? ";" : "", qp->vars[i].name,
			qp->vars[i].value);
		hit->vars[i] = qp->vars[i].value;
		any = true;
	}
	hit->n_vars = qp->n_vars;
	if (any)
		fputc('\n', f);
}

static void flow_row(struct sampler *s, struct flow_qp *hit, const struct cc_qp *qp)
{
	FILE *f = s->table[T_RAW_CC];

	write_state(s, hit, qp);
	types_qp(s, hit, qp);
	if (!hit->sends)
		return;
	if (hit->first_tx_ns < 0 && qp->tx_packets > 0)
		hit->first_tx_ns = s->t_ns;
	hit->last_ns = s->t_ns;
	hit->has_rtt |= qp->rtt_ns > 0;
	/* As it is last: rcc finds out which end judges by its first ACKs. */
	hit->by_int = qp->by_int;
	fprintf(f, "%" PRId64 ",%d,", s->t_ns, hit->flow);
	print_opt(f, qp->rate_bps, ',');
	print_opt(f, qp->cwnd_bytes, ',');
	print_opt(f, qp->inflight_bytes, ',');
	print_opt(f, qp->acked_bytes, ',');
	print_opt(f, qp->tx_packets, ',');
	print_opt(f, qp->tx_bytes, '\n');
}

/* A row of each flow that the queue pair serves. */
static void on_qp(const struct cc_qp *qp, void *data)
{
	struct flow_qp key = { .dev = qp->dev, .qpn = qp->qpn }, *hit;
	struct sampler *s = data;

	hit = bsearch(&key, s->qps, s->n_qps, sizeof(*s->qps), cmp_qp);
	if (!hit || s->t_ns >= s->limit_ns)
		return;
	while (hit > s->qps && !cmp_qp(hit - 1, &key))
		hit--;
	for (; hit < s->qps + s->n_qps && !cmp_qp(hit, &key); hit++)
		flow_row(s, hit, qp);
}

/* Once for each priority that the port keeps lossless; only what is new. */
static void write_pauses(struct sampler *s, struct port *p, int64_t t_ns)
{
	const struct qdisc_stats *now = &s->last[p->id], *base = &s->base[p->id];
	uint64_t pause_ns;
	size_t i;

	for (i = 0; i < PRIOS; i++) {
		uint64_t *written = &s->paused_ns[p->id * PRIOS + i];

		pause_ns = now->prio[i].pause_ns - base->prio[i].pause_ns;
		if (pause_ns == *written)
			continue;
		*written = pause_ns;
		fprintf(s->table[T_PAUSES], "%" PRId64 ",%s-%s,%zu,%" PRIu64 "\n", t_ns,
			p->node->name, p->peer->node->name, i, pause_ns);
	}
}

/* An empty queue is written once: most queues are empty most of the time. */
static void write_queues(struct sampler *s, struct port *p)
{
	const struct qdisc_stats *st = &s->last[p->id];
	size_t i;

	for (i = 0; i < PRIOS; i++) {
		const struct qdisc_prio *q = &st->prio[i];
		bool *written = &s->written[p->id * PRIOS + i], show = q->bytes || q->paused;

		if (!q->used || (!show && !*written))
			continue;
		*written = show;
		fprintf(s->table[T_QUEUES], "%" PRId64 ",%s-%s,%zu,%" PRIu64 ",%d\n", s->t_ns,
			p->node->name, p->peer->node->name, i, q->bytes, q->paused != 0);
	}
}

static bool has_qdisc(const struct sampler *s, int port)
{
	return s->topo->ports[port].qdisc;
}

/* Node by node: ports of one node are asked together. */
static int read_ports(struct sampler *s, bool (*pick)(const struct sampler *s, int port),
		      struct qdisc_stats *to)
{
	struct qdisc_query q = {};
	int i, k;

	for (i = 0; i < s->topo->n_nodes; i++) {
		struct node *n = &s->topo->nodes[i];

		for (k = 0; k < n->n_ports; k++)
			if (pick(s, n->ports[k]->id) &&
			    qdisc_query(&q, n->ports[k], &to[n->ports[k]->id]))
				return -1;
	}
	return qdisc_flush(&q);
}

/**
 * sampler_window_ns() - when the counters of all ports are wanted next
 * @s: sampler
 *
 * Return: time since t0, or INT64_MAX.
 */
int64_t sampler_window_ns(const struct sampler *s)
{
	return s->n_window < (int)ARRAY_SIZE(s->window) && s->window_ns[s->n_window] >= 0 ?
	       s->window_ns[s->n_window] : INT64_MAX;
}

/* Sums over all hosts. */
static int read_counters(struct sampler *s, struct json_object *out)
{
	int i;

	for (i = 0; s->cc && i < s->topo->n_nodes; i++)
		if (topo_is_host(&s->topo->nodes[i]) &&
		    cc_dev_counters(s->cc, s->topo->nodes[i].rdma, out))
			return -1;
	return 0;
}

/**
 * sampler_window() - take these counters, at the first sample at or after that time
 * @s: sampler
 * @t_ns: time since t0
 *
 * Return: 0, or -1 after fail().
 */
int sampler_window(struct sampler *s, int64_t t_ns)
{
	while (t_ns >= sampler_window_ns(s)) {
		int i = s->n_window++;

		s->window_counts[i] = json_object_new_object();
		if (read_ports(s, has_qdisc, s->window[i]) ||
		    read_counters(s, s->window_counts[i]))
			return -1;
	}
	return 0;
}

/**
 * sampler_start() - have the kernel take samples
 * @s: sampler
 * @every_ns: interval
 * @stretch: after so many samples the interval doubles
 *
 * Pauses of ports that are not watched are looked at less often.
 *
 * Return: 0, or -1 after fail().
 */
int sampler_start(struct sampler *s, int64_t every_ns, int stretch)
{
	struct roce_watch_cmd cmd = {
		.kind = ROCE_WATCH_CMD_START, .rare = s->pause_every, .stretch = stretch,
		.t0_ns = s->t0_ns, .every_ns = every_ns,
		/* Flows of a file have queue pairs of a moment, and no rows. */
		.flags = s->cc && s->n_qps ? ROCE_WATCH_F_QPS : 0,
	};
	int i;

	if (watch_open(&s->kernel))
		return -1;
	for (i = 0; i < s->topo->n_ports; i++) {
		uint32_t flags = (s->watch[i] ? ROCE_WATCH_F_EACH : 0) |
				 (s->lossless[i] ? ROCE_WATCH_F_RARE : 0) |
				 (has_lscc(&s->topo->ports[i]) ? ROCE_WATCH_F_LSCC : 0);

		if (flags && watch_port(&s->kernel, &s->topo->ports[i], flags))
			return -1;
	}
	return watch_cmd(&s->kernel, &cmd, "samples");
}

/**
 * sampler_bytes() - memory of a sample in the kernel, about
 * @s: sampler
 *
 * Return: bytes.
 */
int64_t sampler_bytes(const struct sampler *s)
{
	int64_t bytes = sizeof(struct roce_watch_tick);
	int i;

	for (i = 0; i < s->topo->n_ports; i++)
		if (s->watch[i] || s->lossless[i])
			bytes += sizeof(struct roce_watch_port) +
				 PRIOS * sizeof(struct roce_watch_prio);
	for (i = 0; i < s->topo->n_ports; i++)
		if (has_lscc(&s->topo->ports[i]))
			bytes += sizeof(struct roce_watch_lscc);
	return bytes + s->n_qps * (sizeof(struct roce_watch_qp) +
				   CC_VARS_MAX / 2 * sizeof(struct roce_watch_var));
}

static void on_tick(const struct roce_watch_tick *r, void *data)
{
	struct sampler *s = data;

	s->t_ns = r->t_ns;
}

static void on_port(const struct roce_watch_port *r, int n_prios, void *data)
{
	struct sampler *s = data;
	struct qdisc_stats *st = &s->last[r->rec.id];
	struct port *p = &s->topo->ports[r->rec.id];
	uint64_t bytes = 0;
	int i;

	if (s->t_ns >= s->limit_ns)
		return;
	memset(st, 0, sizeof(*st));
	st->tx_packets = r->tx_packets;
	for (i = 0; i < n_prios; i++) {
		st->prio[r->prio[i].id] = (struct qdisc_prio){
			.used = true, .bytes = r->prio[i].bytes,
			.paused = r->prio[i].state & ROCE_WATCH_S_PAUSED,
			.pause_ns = r->prio[i].pause_ns,
		};
		bytes += r->prio[i].bytes;
	}
	if (s->watch[p->id]) {
		write_queues(s, p);
		types_port(s, p, r->busy_ns, bytes);
		types_mercury(s, p, r, n_prios);
	}
	if (s->lossless[p->id])
		write_pauses(s, p, s->t_ns);
}

static void on_lscc(const struct roce_watch_lscc *r, void *data)
{
	struct sampler *s = data;

	if (s->t_ns < s->limit_ns)
		types_lscc(s, &s->topo->ports[r->rec.id], r);
}

/**
 * sampler_take() - rows of the samples that the kernel has taken: one for each flow
 *	and each watched queue
 * @s: sampler
 *
 * Return: 0, or -1 after fail().
 */
int sampler_take(struct sampler *s)
{
	static const struct watch_ops ops = {
		.tick = on_tick, .port = on_port, .qp = on_qp, .lscc = on_lscc,
	};

	return watch_drain(&s->kernel, &ops, s);
}

/**
 * sampler_stop() - no more samples; rows of those that there are
 * @s: sampler
 *
 * Return: 0, or -1 after fail().
 */
int sampler_stop(struct sampler *s)
{
	struct roce_watch_cmd cmd = { .kind = ROCE_WATCH_CMD_STOP };

	return watch_cmd(&s->kernel, &cmd, "samples") ? -1 : sampler_take(s);
}

/**
 * sampler_drained() - after the traffic: is the network empty
 * @s: sampler
 * @t_ns: time since t0
 * @settle_ns: it is, when no port has sent and no queue has held anything for so
 *	long; more than a link's delay
 * @drained_ns: receives the first look after the last packet, if it is empty
 *
 * Return: 0, or -1 after fail().
 */
int sampler_drained(struct sampler *s, int64_t t_ns, int64_t settle_ns, int64_t *drained_ns)
{
	uint64_t packets = 0, bytes = 0;
	size_t k;
	int i;

	if (read_ports(s, has_qdisc, s->last))
		return -1;
	for (i = 0; i < s->topo->n_ports; i++) {
		packets += s->last[i].tx_packets;
		for (k = 0; k < PRIOS; k++)
			bytes += s->last[i].prio[k].bytes;
	}
	if (packets != s->net_packets || bytes) {
		s->net_packets = packets;
		s->net_changed_ns = t_ns;
	} else if (t_ns - s->net_changed_ns >= settle_ns) {
		*drained_ns = s->net_changed_ns;
	}
	return 0;
}

/* Counters at t0: connecting queue pairs and warming up are not the run. */
int sampler_base(struct sampler *s)
{
	return read_ports(s, has_qdisc, s->base);
}

/* Counters are those of the run, peaks and sizes those of the port. */
#define COUNT_AS(name, field)	{ name, offsetof(struct qdisc_prio, field), true }
#define COUNT_OF(field)	COUNT_AS(#field, field)
#define VALUE_OF(field)	{ #field, offsetof(struct qdisc_prio, field), false }

static const struct {
	const char *name;
	size_t offset;
	bool count;
} prio_totals[] = {
	VALUE_OF(peak_bytes),
	COUNT_OF(tx_packets),
	COUNT_OF(tx_wire_bytes),
	COUNT_OF(ecn_marked),
	COUNT_OF(ecn_not_ect),
	COUNT_AS("pauses_received", pfc_indications),
	COUNT_AS("resumes_received", pfc_resumed),
	COUNT_OF(pause_ns),
	COUNT_OF(storms),
	COUNT_AS("pauses_sent", pfc_requests),
	COUNT_AS("resumes_sent", pfc_resumes),
	COUNT_OF(xoff_ns),
	VALUE_OF(in_peak_bytes),
	VALUE_OF(headroom_bytes),
	VALUE_OF(headroom_peak_bytes),
};

static const struct {
	const char *name;
	size_t offset;
} prio_drops[] = {
#define ROCE_DROP(attr, name, ...) { #name, offsetof(struct qdisc_prio, drop_##name) },
	TC_ROCE_DROPS(ROCE_DROP)
#undef ROCE_DROP
};

static const struct {
	const char *name;
	size_t offset;
} switch_totals[] = {
	{ "ports", offsetof(struct qdisc_switch, ports) },
	{ "buffer", offsetof(struct qdisc_switch, buffer_bytes) },
	{ "reserved", offsetof(struct qdisc_switch, reserved_bytes) },
	{ "headroom", offsetof(struct qdisc_switch, headroom_bytes) },
	{ "shared", offsetof(struct qdisc_switch, shared_bytes) },
	{ "used", offsetof(struct qdisc_switch, used_bytes) },
	{ "reserved_used", offsetof(struct qdisc_switch, reserved_used_bytes) },
	{ "headroom_used", offsetof(struct qdisc_switch, headroom_used_bytes) },
	{ "shared_used", offsetof(struct qdisc_switch, shared_used_bytes) },
	{ "peak_used", offsetof(struct qdisc_switch, peak_used_bytes) },
	{ "xoff", offsetof(struct qdisc_switch, xoff) },
};

static uint64_t figure(const void *of, size_t offset)
{
	return *(const uint64_t *)((const char *)of + offset);
}

static void add_prio(struct json_object *list, size_t id, const struct qdisc_prio *a,
		     const struct qdisc_prio *b)
{
	struct json_object *o = json_object_new_object(), *drops = json_object_new_object();
	size_t i;

	js_add_int(o, "prio", id);
	js_add_int(o, "kib_us", b->area_kib_us - a->area_kib_us);
	for (i = 0; i < ARRAY_SIZE(prio_totals); i++)
		js_add_int(o, prio_totals[i].name, figure(b, prio_totals[i].offset) -
			   (prio_totals[i].count ? figure(a, prio_totals[i].offset) : 0));
	for (i = 0; i < ARRAY_SIZE(prio_drops); i++)
		if (prio_drops[i].offset != offsetof(struct qdisc_prio, drop_wire_limit))
			js_add_int(drops, prio_drops[i].name, figure(b, prio_drops[i].offset) -
				   figure(a, prio_drops[i].offset));
	if (b->drop_wire_limit != a->drop_wire_limit)
		js_add_int(drops, "wire_limit", b->drop_wire_limit - a->drop_wire_limit);
	json_object_object_add(o, "drops", drops);
	json_object_array_add(list, o);
}

/* Only of ports that run it. */
static void add_mercury(struct json_object *port, const struct qdisc_stats *a,
			const struct qdisc_stats *b)
{
	struct json_object *o = json_object_new_object();
	int64_t entered = 0, congested = 0, spared = 0;
	size_t i;

	for (i = 0; i < PRIOS; i++) {
		entered += b->prio[i].mercury_entered - a->prio[i].mercury_entered;
		congested += b->prio[i].mercury_congested - a->prio[i].mercury_congested;
		spared += b->prio[i].mercury_spared - a->prio[i].mercury_spared;
	}
	js_add_int(o, "cnps", b->mercury_cnps - a->mercury_cnps);
	js_add_int(o, "damped", b->mercury_damped - a->mercury_damped);
	js_add_int(o, "failed", b->mercury_failed - a->mercury_failed);
	js_add_int(o, "no_place", b->mercury_no_place - a->mercury_no_place);
	js_add_int(o, "flows_left", b->mercury_flows);
	js_add_int(o, "flows_peak", b->mercury_flows_peak);
	js_add_int(o, "entered", entered);
	js_add_int(o, "congested", congested);
	js_add_int(o, "spared", spared);
	json_object_object_add(port, "mercury", o);
}

/* What counts is told from the start of the traffic on. */
struct port_figure {
	const char *name;
	size_t offset;
	bool count;
};

#define IOFD(field, count)	{ #field, offsetof(struct qdisc_stats, iofd_##field), count }
#define LSCC(field, count)	{ #field, offsetof(struct qdisc_stats, lscc_##field), count }

static const struct port_figure iofd_figures[] = {
	IOFD(flows, true), IOFD(packets, true), IOFD(bytes, true), IOFD(taken, true),
	IOFD(full, true), IOFD(no_port, true), IOFD(lost_port, true), IOFD(escaped, true),
	IOFD(no_escape, true), IOFD(failed, true), IOFD(entries_peak, false),
};

static const struct port_figure lscc_figures[] = {
	LSCC(sent, true), LSCC(unsent, true), LSCC(heard, true), LSCC(refused, true),
	LSCC(late, true), LSCC(expired, true), LSCC(cnps, true), LSCC(damped, true),
	LSCC(failed, true), LSCC(cleared, true), LSCC(uncleared, true), LSCC(marked, true),
	LSCC(no_place, true), LSCC(ints, true), LSCC(taken, true), LSCC(untaken, true),
	LSCC(rate_bps, false), LSCC(limit_bps, false), LSCC(queue_peak_bytes, false),
};

/* Only of ports that have the feature. */
static void add_figures(struct json_object *port, const char *feature, const struct port_figure *f,
			size_t n, const struct qdisc_stats *a, const struct qdisc_stats *b)
{
	struct json_object *o = json_object_new_object();

	for (; n; n--, f++)
		js_add_int(o, f->name, figure(b, f->offset) -
			   (f->count ? figure(a, f->offset) : 0));
	json_object_object_add(port, feature, o);
}

static void port_totals(struct port *p, const struct qdisc_stats *a, const struct qdisc_stats *b,
			struct json_object *out)
{
	struct json_object *o = json_object_new_object(), *prios = json_object_new_array();
	char name[160];
	size_t i;

	js_add_int(o, "rate_bps", job_int(p->qdisc, J_PORT_RATE, 0));
	js_add_int(o, "busy_ns", b->busy_ns - a->busy_ns);
	for (i = 0; i < PRIOS; i++)
		if (b->prio[i].used)
			add_prio(prios, i, &a->prio[i], &b->prio[i]);
	json_object_object_add(o, "prio", prios);
	if (job_get(p->qdisc, J_PORT_MERCURY_RTT))
		add_mercury(o, a, b);
	if (has_lscc(p))
		add_figures(o, "lscc", lscc_figures, ARRAY_SIZE(lscc_figures), a, b);
	if (job_get(p->qdisc, J_PORT_IOFD_LINK))
		add_figures(o, "iofd", iofd_figures, ARRAY_SIZE(iofd_figures), a, b);
	snprintf(name, sizeof(name), "%s-%s", p->node->name, p->peer->node->name);
	json_object_object_add(out, name, o);
}

/* Each port tells the time at which it was read. */
static void window_totals(struct sampler *s, struct json_object *out)
{
	struct json_object *o = json_object_new_object(), *ports = json_object_new_object();
	int i;

	for (i = 0; i < s->topo->n_ports; i++) {
		struct qdisc_stats *a = &s->window[0][i], *b = &s->window[1][i];

		if (!s->topo->ports[i].qdisc)
			continue;
		if (!js_get(o, "from_ns")) {
			js_add_int(o, "from_ns", a->now_ns - s->t0_ns);
			js_add_int(o, "to_ns", b->now_ns - s->t0_ns);
		}
		port_totals(&s->topo->ports[i], a, b, ports);
	}
	js_add_int(o, "timeouts", js_int(s->window_counts[1], "rp_timeouts", 0) -
		   js_int(s->window_counts[0], "rp_timeouts", 0));
	json_object_object_add(o, "ports", ports);
	json_object_object_add(out, "window", o);
}

/* Any port can tell of the whole switch; the last one was read last. */
static void node_totals(struct sampler *s, struct node *n, struct json_object *out)
{
	struct qdisc_switch *sw = &s->last[n->ports[n->n_ports - 1]->id].sw;
	struct json_object *o;
	size_t i;

	if (n->kind == NODE_HOST || !sw->buffer_bytes)
		return;
	o = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(switch_totals); i++)
		js_add_int(o, switch_totals[i].name, figure(sw, switch_totals[i].offset));
	json_object_object_add(out, n->name, o);
}

/* In base units, fractions as such. All devices are set alike: one will do. */
static int param_totals(struct sampler *s, const char *dev, struct json_object *out)
{
	struct json_object *values, *units;
	int rc;

	if (json_object_object_length(out))
		return 0;
	values = json_object_new_object();
	units = json_object_new_object();
	rc = cc_dev_params(s->cc, dev, values, units);
	json_object_object_foreach(values, name, val) {
		uint64_t v = json_object_get_uint64(val);

		if (strcmp(js_str(units, name, ""), "q24") == 0)
			js_add_dbl(out, name, v / 16777216.0, 7);
		else
			js_add_int(out, name, v);
	}
	json_object_put(values);
	json_object_put(units);
	return rc;
}

/*
 * Of the flows that were seen to send for some round trips: how many, and how many
 * of them had no round-trip time at the end, and how many go by telemetry.
 */
static void rtt_totals(struct sampler *s, int64_t settle_ns, struct json_object *out)
{
	int seen = 0, without = 0, by_int = 0;
	size_t i;

	for (i = 0; i < s->n_qps; i++) {
		struct flow_qp *q = &s->qps[i];

		if (!q->sends || q->first_tx_ns < 0 || q->last_ns - q->first_tx_ns < settle_ns)
			continue;
		seen++;
		without += !q->has_rtt;
		by_int += q->by_int;
	}
	js_add_int(out, "flows_seen", seen);
	js_add_int(out, "flows_without_rtt", without);
	js_add_int(out, "flows_by_int", by_int);
}

/**
 * sampler_totals() - counters of every port and device since t0
 * @s: sampler
 * @settle_ns: some round trips
 * @out: JSON object that receives "ports", "switches", "counters", "params", of
 *	flows whether their round-trip times were measured and, if it is over,
 *	"window"
 *
 * Return: 0, or -1 after fail().
 */
int sampler_totals(struct sampler *s, int64_t settle_ns, struct json_object *out)
{
	struct json_object *ports = json_object_new_object();
	struct json_object *switches = json_object_new_object();
	struct json_object *counters = json_object_new_object();
	struct json_object *params = json_object_new_object();
	uint64_t hops = 0;
	int i;

	rtt_totals(s, settle_ns, out);
	json_object_object_add(out, "params", params);
	json_object_object_add(out, "ports", ports);
	json_object_object_add(out, "switches", switches);
	json_object_object_add(out, "counters", counters);
	if (read_ports(s, has_qdisc, s->last))
		return -1;
	for (i = 0; i < s->topo->n_ports; i++) {
		if (!s->topo->ports[i].qdisc)
			continue;
		if (s->lossless[i])
			write_pauses(s, &s->topo->ports[i], s->last[i].now_ns - s->t0_ns);
		port_totals(&s->topo->ports[i], &s->base[i], &s->last[i], ports);
		hops += s->last[i].tx_packets - s->base[i].tx_packets;
	}
	/* For the progress line: "packet_hops" of summary.json. */
	mark("hops %" PRIu64, hops);
	if (s->n_window == ARRAY_SIZE(s->window))
		window_totals(s, out);
	for (i = 0; i < s->topo->n_nodes; i++)
		node_totals(s, &s->topo->nodes[i], switches);
	for (i = 0; s->cc && i < s->topo->n_nodes; i++)
		if (topo_is_host(&s->topo->nodes[i]) &&
		    param_totals(s, s->topo->nodes[i].rdma, params))
			return -1;
	return read_counters(s, counters);
}

int sampler_close(struct sampler *s)
{
	enum table_id t;
	int rc = 0;

	watch_close(&s->kernel);
	for (t = 0; t < TABLES; t++)
		if (s->table[t] && file_close(s->table[t]))
			rc = fail("%s: %s", tables[t].file, strerror(errno));
	free(s->qps);
	free(s->watch);
	free(s->lossless);
	free(s->written);
	free(s->paused_ns);
	free(s->judged);
	free(s->base);
	free(s->window[0]);
	free(s->window[1]);
	json_object_put(s->window_counts[0]);
	json_object_put(s->window_counts[1]);
	free(s->last);
	if (s->qps_doc)
		json_object_put(s->qps_doc);
	return rc;
}
