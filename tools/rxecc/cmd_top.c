// SPDX-License-Identifier: GPL-2.0
/* The command "rxecc top": rates, windows, queues and pauses, again and again. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "intervals.h"
#include "print_objects.h"
#include "roce_ports.h"

static const char help_text[] =
"Usage: rxecc top [DEV] [-i TIME] [-c COUNT] [-l LINES] [-a]\n"
"Every TIME (1s unless given): what devices, their busiest queue pairs and the\n"
"ports with the qdisc roce did since the last report. Rates are of wire bytes.\n"
"WAITS: how often a packet waited for the pacer or a flow filled its window.\n"
"  -i TIME   between two reports (1s, 100ms)\n"
"  -c COUNT  end after COUNT reports\n"
"  -l LINES  queue pairs, and ports, of a report; as many as the terminal has\n"
"            room for, or 20\n"
"  -a        ports of all named network namespaces too (\"ip netns list\")\n"
"With -j one line per report, with all queue pairs and ports.\n";

#define LINES_DEFAULT	20
#define LINES_OTHER	8	/* titles and heads of a report */

struct snapshot {
	u64 t_ns;
	struct found devs;
	struct found qps;
	struct roce_ports ports;
};

struct top {
	struct rxecc *rx;
	const struct devref *ref;	/* NULL: all devices */
	bool all;
	u64 lines;			/* 0: by the terminal */
	struct intervals intervals;
	struct snapshot old, now;
};

static void snapshot_free(struct snapshot *s)
{
	found_free(&s->devs);
	found_free(&s->qps);
	free(s->ports.v);
	memset(s, 0, sizeof(*s));
}

static int snapshot_take(struct top *top, struct snapshot *s)
{
	struct nlmsghdr *req;
	int ret;

	memset(s, 0, sizeof(*s));
	s->t_ns = intervals_now_ns();
	ret = fetch_devs(top->rx, top->ref, &s->devs);
	if (ret)
		return ret;
	req = rx_request(top->rx, RXE_CC_CMD_QP_GET, NLM_F_DUMP);
	if (!req)
		return RX_KERNEL;
	if (top->ref)
		mnl_attr_put_strz(req, RXE_CC_A_QP_DEV, top->ref->name);
	ret = fetch(top->rx, req, "qp", &qp_object, &s->qps, NULL);
	return ret ? ret : roce_ports_read(top->rx, top->all, &s->ports);
}

static const struct qp *qp_find(const struct found *qps, const struct qp *like)
{
	const struct qp *qp;

	for (qp = qps->v; qp < (struct qp *)qps->v + qps->n; qp++)
		if (qp->qpn == like->qpn && qp->dest_qpn == like->dest_qpn &&
		    qp->port == like->port && !strcmp(qp->dev, like->dev))
			return qp;
	return NULL;
}

/* What @now counted since the last report; a new object counts from 0. */
static u64 added(const struct counters *now, const struct counters *old, const char *name)
{
	static const struct counters none;
	const struct counter *c = counter_find(now, name);

	return c ? counter_added(c, old ? old : &none) : 0;
}

static u64 per_second(const struct top *top, u64 n)
{
	u64 dt_ns = top->now.t_ns - top->old.t_ns;

	return dt_ns ? (u64)((double)n * NSEC / (double)dt_ns + 0.5) : 0;
}

/* What a line shows of a queue pair, or of all of a device. */
struct activity {
	const struct qp *qp;
	u64 sent_bps, acked_bps;
	u64 cnps, retransmits, waits;
};

static void activity_add(struct top *top, const struct qp *qp, struct activity *a)
{
	const struct qp *before = qp_find(&top->old.qps, qp);
	const struct counters *old = before ? &before->counters : NULL;

	a->sent_bps += per_second(top, added(&qp->counters, old, "tx_bytes") * 8);
	a->acked_bps += per_second(top, added(&qp->counters, old, "acked_bytes") * 8);
	a->cnps += added(&qp->counters, old, "cnp_handled");
	a->retransmits += added(&qp->counters, old, "retransmits");
	a->waits += added(&qp->counters, old, "pacing_stalls") +
		    added(&qp->counters, old, "window_stalls");
}

static int busiest(const void *a, const void *b)
{
	const struct activity *x = a, *y = b;

	if (x->sent_bps != y->sent_bps)
		return x->sent_bps < y->sent_bps ? 1 : -1;
	return x->qp->inflight_bytes < y->qp->inflight_bytes ? 1 :
	       x->qp->inflight_bytes > y->qp->inflight_bytes ? -1 : 0;
}

/* Of all queue pairs, the busiest first. */
static struct activity *activities(struct top *top)
{
	const struct qp *qp = top->now.qps.v;
	struct activity *list = calloc(top->now.qps.n + 1, sizeof(*list));
	size_t i;

	for (i = 0; list && i < top->now.qps.n; i++) {
		list[i].qp = &qp[i];
		activity_add(top, &qp[i], &list[i]);
	}
	if (list)
		qsort(list, top->now.qps.n, sizeof(*list), busiest);
	return list;
}

static void heads(struct table *t, const char *const *names)
{
	table_row(t);
	for (; *names; names++)
		table_cell(t, "%s", *names);
}

static void figure_cell(struct top *top, struct table *t, enum param_unit unit, bool has, u64 val)
{
	char buf[PARAM_TEXT_MAX];

	table_cell(t, "%s", show_figure(top->rx, unit, has, val, buf));
}

static void activity_cells(struct top *top, struct table *t, const struct activity *a)
{
	figure_cell(top, t, PARAM_BPS, true, a->sent_bps);
	figure_cell(top, t, PARAM_BPS, true, a->acked_bps);
	table_cell(t, "%llu", a->cnps);
	table_cell(t, "%llu", a->retransmits);
	table_cell(t, "%llu", a->waits);
}

static void print_devs(struct top *top, const struct activity *list)
{
	static const char *const names[] = {
		"DEVICE", "ALGORITHM", "QPS", "SENT", "ACKED", "CNPS", "RETRANS", "WAITS", NULL,
	};
	const struct dev *dev = top->now.devs.v, *end = dev + top->now.devs.n;
	struct table t = { 0 };
	size_t i;

	heads(&t, names);
	for (; dev < end; dev++) {
		struct activity sum = { 0 };

		for (i = 0; i < top->now.qps.n; i++) {
			const struct activity *a = &list[i];

			if (strcmp(a->qp->dev, dev->name) || a->qp->port != dev->port)
				continue;
			sum.sent_bps += a->sent_bps;
			sum.acked_bps += a->acked_bps;
			sum.cnps += a->cnps;
			sum.retransmits += a->retransmits;
			sum.waits += a->waits;
		}
		table_row(&t);
		table_cell(&t, "%s/%u", dev->name, dev->port);
		table_cell(&t, "%s", dev->algo ? dev->algo : "-");
		table_cell(&t, "%u", dev->qps);
		activity_cells(top, &t, &sum);
	}
	table_print(&t, top->rx->out, 0);
}

/* How many queue pairs, and ports, of a report. */
static u64 lines(const struct top *top)
{
	struct winsize w;
	u64 used = LINES_OTHER + top->now.devs.n;

	if (top->lines)
		return top->lines;
	if (ioctl(fileno(top->rx->out), TIOCGWINSZ, &w) || w.ws_row < used + 4)
		return LINES_DEFAULT;
	return (w.ws_row - used) / (top->now.ports.n ? 2 : 1);
}

static void print_qps(struct top *top, const struct activity *list)
{
	static const char *const names[] = {
		"QUEUE PAIR", "ALGORITHM", "SENT", "ACKED", "CNPS", "RETRANS", "WAITS", "RATE",
		"WINDOW", "IN FLIGHT", "RTT", NULL,
	};
	size_t i, busy = 0, n = top->now.qps.n;
	struct table t = { 0 };

	while (busy < n && (list[busy].sent_bps || list[busy].qp->inflight_bytes))
		busy++;
	if (busy)
		heads(&t, names);
	for (i = 0; i < busy && i < lines(top); i++) {
		const struct qp *qp = list[i].qp;

		table_row(&t);
		table_cell(&t, "%s/%u %u", qp->dev, qp->port, qp->qpn);
		table_cell(&t, "%s%s", qp->algo ? qp->algo : "-", qp->override ? "*" : "");
		activity_cells(top, &t, &list[i]);
		figure_cell(top, &t, PARAM_BPS, HAS(qp, RXE_CC_A_QP_RATE_BPS), qp->rate_bps);
		figure_cell(top, &t, PARAM_BYTES, HAS(qp, RXE_CC_A_QP_CWND_BYTES), qp->cwnd_bytes);
		figure_cell(top, &t, PARAM_BYTES, HAS(qp, RXE_CC_A_QP_INFLIGHT_BYTES),
			    qp->inflight_bytes);
		figure_cell(top, &t, PARAM_NS, qp->rtt_ns, qp->rtt_ns);
	}
	table_print(&t, top->rx->out, 0);
	if (i < busy)
		fprintf(top->rx->out, "%zu more busy queue pairs\n", busy - i);
	if (busy < n)
		fprintf(top->rx->out, "%zu idle queue pair%s\n", n - busy,
			n - busy == 1 ? "" : "s");
}

/* Of a port, since the last report; counters of a qdisc that was made anew count from 0. */
struct port_activity {
	const struct roce_port *port;
	u64 sent_bps, marked, drops, pause_ns, pfc_tx;
};

static u64 grown(u64 now, u64 old)
{
	return now >= old ? now - old : now;
}

static int fullest(const void *a, const void *b)
{
	const struct port_activity *x = a, *y = b;

	if (x->port->queue_bytes != y->port->queue_bytes)
		return x->port->queue_bytes < y->port->queue_bytes ? 1 : -1;
	return x->sent_bps < y->sent_bps ? 1 : x->sent_bps > y->sent_bps ? -1 : 0;
}

static struct port_activity *port_activities(struct top *top)
{
	struct port_activity *list = calloc(top->now.ports.n + 1, sizeof(*list));
	static const struct roce_port none;
	size_t i;

	for (i = 0; list && i < top->now.ports.n; i++) {
		const struct roce_port *p = &top->now.ports.v[i];
		const struct roce_port *old = roce_port_find(&top->old.ports, p);

		if (!old)
			old = &none;
		list[i] = (struct port_activity){
			.port = p,
			.sent_bps = per_second(top, grown(p->tx_wire_bytes,
							  old->tx_wire_bytes) * 8),
			.marked = grown(p->marked, old->marked),
			.drops = grown(p->drops, old->drops),
			.pause_ns = grown(p->pause_ns, old->pause_ns),
			.pfc_tx = grown(p->pfc_tx, old->pfc_tx),
		};
	}
	if (list)
		qsort(list, top->now.ports.n, sizeof(*list), fullest);
	return list;
}

static void port_name(const struct roce_port *p, char *buf, size_t len)
{
	snprintf(buf, len, "%s%s%s", p->netns, *p->netns ? ":" : "", p->name);
}

static void print_ports(struct top *top, const struct port_activity *list)
{
	static const char *const names[] = {
		"PORT", "SENT", "OF LINE", "QUEUE", "MARKED", "DROPS", "PAUSED", "PFC SENT", NULL,
	};
	size_t i, n = lines(top) < top->now.ports.n ? lines(top) : top->now.ports.n;
	u64 dt_ns = top->now.t_ns - top->old.t_ns;
	struct table t = { 0 };
	char name[96];

	if (!n)
		return;
	heads(&t, names);
	for (i = 0; i < n; i++) {
		const struct port_activity *a = &list[i];

		port_name(a->port, name, sizeof(name));
		table_row(&t);
		table_cell(&t, "%s", name);
		figure_cell(top, &t, PARAM_BPS, true, a->sent_bps);
		table_cell(&t, "%.1f%%", a->port->rate_bps ?
			   100.0 * (double)a->sent_bps / (double)a->port->rate_bps : 0);
		figure_cell(top, &t, PARAM_BYTES, true, a->port->queue_bytes);
		table_cell(&t, "%llu", a->marked);
		table_cell(&t, "%llu", a->drops);
		table_cell(&t, "%.1f%%",
			   dt_ns ? 100.0 * (double)a->pause_ns / (double)dt_ns : 0);
		table_cell(&t, "%llu", a->pfc_tx);
	}
	table_print(&t, top->rx->out, 0);
	if (n < top->now.ports.n)
		fprintf(top->rx->out, "%zu more ports\n", top->now.ports.n - n);
}

static void put_u64(struct json_object *o, const char *key, u64 val)
{
	json_object_object_add(o, key, json_u64(val));
}

static void print_json(struct top *top, const struct activity *list,
		       const struct port_activity *ports, u64 since_ns)
{
	struct json_object *o = json_object_new_object(), *qps = json_object_new_array();
	struct json_object *all = json_object_new_array(), *e;
	char name[96];
	size_t i;

	for (i = 0; i < top->now.qps.n; i++) {
		e = json_object_of(&qp_object, list[i].qp);
		put_u64(e, "sent_bps", list[i].sent_bps);
		put_u64(e, "acked_bps", list[i].acked_bps);
		json_object_array_add(qps, e);
	}
	for (i = 0; i < top->now.ports.n; i++) {
		port_name(ports[i].port, name, sizeof(name));
		e = json_object_new_object();
		json_object_object_add(e, "port", json_object_new_string(name));
		put_u64(e, "rate_bps", ports[i].port->rate_bps);
		put_u64(e, "sent_bps", ports[i].sent_bps);
		put_u64(e, "queue_bytes", ports[i].port->queue_bytes);
		put_u64(e, "ecn_marked", ports[i].marked);
		put_u64(e, "drops", ports[i].drops);
		put_u64(e, "pause_ns", ports[i].pause_ns);
		put_u64(e, "pfc_tx", ports[i].pfc_tx);
		json_object_array_add(all, e);
	}
	put_u64(o, "time_ns", since_ns);
	put_u64(o, "interval_ns", top->now.t_ns - top->old.t_ns);
	json_object_object_add(o, "qps", qps);
	json_object_object_add(o, "ports", all);
	json_print(top->rx, o, true);
}

/* A terminal shows one report in place of the last one. */
static bool is_screen(FILE *out)
{
	const char *term = getenv("TERM");

	return isatty(fileno(out)) && term && strcmp(term, "dumb");
}

static int report(struct top *top, u64 since_ns)
{
	struct port_activity *ports = port_activities(top);
	struct activity *list = activities(top);
	FILE *out = top->rx->out;
	int ret = RX_OK;

	if (!list || !ports) {
		ret = RX_KERNEL;
		fputs("rxecc: top: out of memory\n", top->rx->err);
	} else if (top->rx->json) {
		print_json(top, list, ports, since_ns);
	} else {
		char buf[2][PARAM_TEXT_MAX];

		if (is_screen(out))
			fputs("\033[H\033[J", out);
		fprintf(out, "after %s, of the last %s\n",
			show_figure(top->rx, PARAM_NS, true, since_ns, buf[0]),
			show_figure(top->rx, PARAM_NS, true, top->now.t_ns - top->old.t_ns,
				    buf[1]));
		print_devs(top, list);
		print_qps(top, list);
		print_ports(top, ports);
		fputc('\n', out);
	}
	fflush(out);
	free(list);
	free(ports);
	return ret;
}

static int show(struct top *top)
{
	u64 start, next, n = 0;
	int ret = snapshot_take(top, &top->old);

	start = top->old.t_ns;
	next = start;
	while (!ret) {
		next += top->intervals.ns;
		intervals_sleep_until(next);
		ret = snapshot_take(top, &top->now);
		if (!ret)
			ret = report(top, top->now.t_ns - start);
		snapshot_free(&top->old);
		top->old = top->now;
		memset(&top->now, 0, sizeof(top->now));
		if (ferror(top->rx->out) || (top->intervals.count && ++n == top->intervals.count))
			break;
	}
	snapshot_free(&top->old);
	return ret;
}

int cmd_top(struct rxecc *rx, int argc, char **argv)
{
	struct top top = { .rx = rx, .intervals = { .ns = NSEC } };
	struct devref ref;
	char why[160];
	int i, used;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "help") || !strcmp(argv[i], "-h")) {
			fputs(help_text, rx->out);
			return RX_OK;
		}
		used = intervals_option(rx, "top", argc - i, argv + i, &top.intervals);
		if (used < 0)
			return RX_USAGE;
		if (used) {
			i++;
		} else if (!strcmp(argv[i], "-a")) {
			top.all = true;
		} else if (!strcmp(argv[i], "-l")) {
			if (++i == argc)
				return rx_usage(rx, "top: -l needs a value");
			if (!param_parse(PARAM_COUNT, argv[i], &top.lines, why, sizeof(why)) ||
			    !top.lines)
				return rx_usage(rx, "top: -l %s: needs a whole number above 0",
						argv[i]);
		} else if (argv[i][0] == '-' || top.ref) {
			return rx_usage(rx, "top: unexpected argument %s, see rxecc top help",
					argv[i]);
		} else {
			if (devref_parse(rx, argv[i], &ref))
				return RX_USAGE;
			top.ref = &ref;
		}
	}
	return show(&top);
}
