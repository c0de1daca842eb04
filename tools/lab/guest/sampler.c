// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: samples of rates and queues while the traffic runs.
 * The kernel takes the samples; here they become rows.
 *
 * Rows are raw material for the host side, which knows how flows and queue
 * pairs belong together with what the traffic generator wrote.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "guest/sampler.h"

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
		csv_columns_heading(s->table[t], t, true);
	else
		rc = fail("%s: %s", path, strerror(errno));
	free(path);
	return rc;
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
 * @out: directory; flowgen/qps.json in it must exist if there are flows
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
	s->programs = job_get(job, J_PROGRAMS) &&
		      !job_get(job_get(job, J_PLAN), J_PLAN_FLOWS_FILE);
	rc = (control_guest() >= 0 || s->programs) && path_missing(path) ? 0 :
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
		if (tables[t].made & TABLE_RAW && (t != T_PAUSES || s->pause_every) &&
		    (t != T_TIMELINE || job_get(job, J_TIMELINE)))
			rc = open_table(s, t, out);
	congestion_types_open(s);
	feature_samples_open(s);
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
	congestion_types_qp(s, hit, qp);
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

/* A queue pair that no flow uses: one of the programs'. */
static void program_row(struct sampler *s, const struct cc_qp *qp)
{
	FILE *f = s->table[T_PROGRAM_QPS];
	size_t i;

	if (qp->tx_packets <= 0)
		return;
	fprintf(f, "%" PRId64 ",%s,%u,", s->t_ns, qp->dev, qp->qpn);
	print_opt(f, qp->rate_bps, ',');
	print_opt(f, qp->cwnd_bytes, ',');
	print_opt(f, qp->inflight_bytes, ',');
	print_opt(f, qp->acked_bytes, ',');
	print_opt(f, qp->tx_packets, ',');
	print_opt(f, qp->tx_bytes, ',');
	for (i = 0; i < qp->n_vars; i++)
		fprintf(f, "%s%s=%" PRIu64, i ? ";" : "", qp->vars[i].name, qp->vars[i].value);
	fputc('\n', f);
}

/* A row of each flow that the queue pair serves. */
static void on_qp(const struct cc_qp *qp, void *data)
{
	struct flow_qp key = { .dev = qp->dev, .qpn = qp->qpn }, *hit;
	struct sampler *s = data;

	hit = bsearch(&key, s->qps, s->n_qps, sizeof(*s->qps), cmp_qp);
	if (s->t_ns >= s->limit_ns)
		return;
	if (!hit) {
		if (s->programs)
			program_row(s, qp);
		return;
	}
	while (hit > s->qps && !cmp_qp(hit - 1, &key))
		hit--;
	for (; hit < s->qps + s->n_qps && !cmp_qp(hit, &key); hit++)
		flow_row(s, hit, qp);
}

/**
 * sampler_pauses() - rows of a port's pauses: of each priority that it keeps lossless, what is new
 * @s: sampler
 * @p: port
 * @t_ns: time since t0
 */
void sampler_pauses(struct sampler *s, const struct port *p, int64_t t_ns)
{
	const struct qdisc_stats *now = &s->last[p->id], *base = &s->base[p->id];
	uint64_t pause_ns;
	size_t i;

	for (i = 0; i < PRIOS; i++) {
		uint64_t *written = &s->paused_ns[p->id * PRIOS + i];

		pause_ns = now->prio[i].n[PS_PAUSE_NS] - base->prio[i].n[PS_PAUSE_NS];
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
		bool *written = &s->written[p->id * PRIOS + i];
		bool show = q->n[PS_BYTES] || q->n[PS_PAUSED];

		if (!q->used || (!show && !*written))
			continue;
		*written = show;
		fprintf(s->table[T_QUEUES], "%" PRId64 ",%s-%s,%zu,%" PRIu64 ",%d\n", s->t_ns,
			p->node->name, p->peer->node->name, i, q->n[PS_BYTES],
			q->n[PS_PAUSED] != 0);
	}
}

static bool has_qdisc(const void *ctx, const struct port *p)
{
	(void)ctx;
	return p->qdisc;
}

/**
 * sampler_ports() - counters of all ports now
 * @s: sampler
 * @to: receives them, by port id
 *
 * Return: 0, or -1 after fail().
 */
int sampler_ports(const struct sampler *s, struct qdisc_stats *to)
{
	return qdisc_read(s->topo, has_qdisc, NULL, to);
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

/**
 * sampler_counters() - counters of all hosts' devices now
 * @s: sampler
 * @out: JSON object that receives the sums
 *
 * Return: 0, or -1 after fail().
 */
int sampler_counters(struct sampler *s, struct json_object *out)
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
		if (sampler_ports(s, s->window[i]) ||
		    sampler_counters(s, s->window_counts[i]))
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
		.flags = (s->cc && (s->n_qps || s->programs) ? ROCE_WATCH_F_QPS : 0) |
			 (s->programs && !s->n_qps ? ROCE_WATCH_F_SLEEP : 0),
	};
	size_t unused;
	int i;

	if (watch_open(&s->kernel))
		return -1;
	for (i = 0; i < s->topo->n_ports; i++) {
		uint32_t flags = (s->watch[i] ? ROCE_WATCH_F_EACH : 0) |
				 (s->lossless[i] ? ROCE_WATCH_F_RARE : 0) |
				 feature_samples_watch(&s->topo->ports[i], &unused);

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
	size_t more;
	int i;

	for (i = 0; i < s->topo->n_ports; i++) {
		if (s->watch[i] || s->lossless[i])
			bytes += sizeof(struct roce_watch_port) +
				 PRIOS * sizeof(struct roce_watch_prio);
		feature_samples_watch(&s->topo->ports[i], &more);
		bytes += more;
	}
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
	st->n[XS_TX_PACKETS] = r->tx_packets;
	for (i = 0; i < n_prios; i++) {
		struct qdisc_prio *q = &st->prio[r->prio[i].id];

		q->used = true;
		q->n[PS_BYTES] = r->prio[i].bytes;
		q->n[PS_PAUSED] = r->prio[i].state & ROCE_WATCH_S_PAUSED;
		q->n[PS_PAUSE_NS] = r->prio[i].pause_ns;
		bytes += r->prio[i].bytes;
	}
	if (s->watch[p->id]) {
		write_queues(s, p);
		congestion_types_port(s, p, r->busy_ns, bytes);
		feature_samples_port(s, p, r, n_prios);
	}
	if (s->lossless[p->id])
		sampler_pauses(s, p, s->t_ns);
}

static void on_other(const struct roce_watch_rec *rec, void *data)
{
	struct sampler *s = data;

	if (s->t_ns < s->limit_ns)
		feature_samples_record(s, rec);
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
		.tick = on_tick, .port = on_port, .qp = on_qp, .other = on_other,
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

	if (sampler_ports(s, s->last))
		return -1;
	for (i = 0; i < s->topo->n_ports; i++) {
		packets += s->last[i].n[XS_TX_PACKETS];
		for (k = 0; k < PRIOS; k++)
			bytes += s->last[i].prio[k].n[PS_BYTES];
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
	return sampler_ports(s, s->base);
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
