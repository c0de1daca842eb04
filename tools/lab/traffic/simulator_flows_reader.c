// SPDX-License-Identifier: GPL-2.0
/*
 * Reads flows that were written for other simulators, as key flows_file takes them: flow.txt of
 * the public HPCC simulator and of those that come from it, the connection matrices (.cm) of
 * htsim, and GOAL schedules. The first line tells which it is.
 *
 *	flow.txt	1				htsim		Nodes 8
 *			4 7 3 100 70000 2.0005				Connections 1
 *			(src dst pg dport bytes start_s)		0->5 id 1 start 0 size 9000
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_lines.h"
#include "traffic/goal_schedule.h"
#include "traffic/htsim_triggers.h"
#include "traffic/traffic.h"

/* Of flow.txt: its scripts call flows to this port an incast. */
#define INCAST_PORT	200
#define NS_PER_PS	0.001
/* A start later than this, 11 days, is no time in ns that could be meant. */
#define START_MAX_NS	1e15
/* Of a flow that waits for others. */
#define WAITS		(-1)

#define bad(rd, ...)	word_lines_bad((rd)->l, __VA_ARGS__)

struct reader {
	struct traffic *t;
	struct word_lines *l;
	int *by_number, n_numbers;	/* host by its number in the file; -1: none */
	bool in_order;
	int64_t last_ns;		/* start of the last flow that waits for none */
	int *line;			/* by flow, in the order of the file */
	int *place;			/* by the same: its number when all are in order */
	struct htsim_triggers triggers;
	struct goal goal;
};

/* A time of so many ns a unit, to the nearest ns. */
static bool time_ns(const char *text, double unit_ns, int64_t *val)
{
	char *rest;
	double v;

	if (!word_quantity(text, &v, &rest) || *rest || v * unit_ns > START_MAX_NS)
		return false;
	*val = llround(v * unit_ns);
	return true;
}

/*
 * Hosts are numbered from 0 in the order of the scenario; in a network from a simulator's own
 * file as that numbers them, and switches have numbers among them.
 */
static void number_hosts(struct reader *rd)
{
	bool own = js_bool(rd->t->sc->doc, TOPOLOGY_NUMBERED, false);
	struct traffic *t = rd->t;
	int i, k;

	rd->n_numbers = own ? t->p->n_nodes : t->n;
	rd->by_number = xcalloc(rd->n_numbers, sizeof(*rd->by_number));
	for (i = 0; i < rd->n_numbers; i++)
		rd->by_number[i] = own ? -1 : i;
	for (i = 0; own && i < t->n; i++) {
		/* "h12"; NVSwitches are left out, so numbers may go beyond the nodes. */
		k = atoi(t->p->nodes[t->host[i]].name + 1);
		if (k >= rd->n_numbers) {
			rd->by_number = xrealloc(rd->by_number, (k + 1) * sizeof(*rd->by_number));
			while (rd->n_numbers <= k)
				rd->by_number[rd->n_numbers++] = -1;
		}
		rd->by_number[k] = i;
	}
}

static int host_of(struct reader *rd, const char *text, int64_t *host)
{
	int64_t nr;

	if (!word_number(text, INT32_MAX, &nr))
		return bad(rd, "host \"%.40s\": not a number", text);
	if (nr >= rd->n_numbers || rd->by_number[nr] < 0)
		return bad(rd, "no host %.40s in scenario %s, which has %d hosts", text,
			   rd->t->sc->name, rd->t->n);
	*host = rd->by_number[nr];
	return 0;
}

/* Hosts are numbers among those of the scenario; @line is the flow's. */
static int put_flow(struct reader *rd, int from, int to, int64_t size, int64_t start_ns,
		    const char *group, int line)
{
	struct plan *p = rd->t->p;
	struct lab_flow *f;

	if (p->n_flows >= FLOWS_MAX)
		return bad(rd, "more than %d flows", FLOWS_MAX);
	if (start_ns < rd->last_ns && start_ns != WAITS)
		rd->in_order = false;
	if (start_ns != WAITS)
		rd->last_ns = start_ns;
	f = plan_new_flow(p);
	if (!(p->n_flows & (p->n_flows - 1)))
		rd->line = xreallocarray(rd->line, 2 * p->n_flows, sizeof(*rd->line));
	rd->line[p->n_flows - 1] = line;
	f->src = rd->t->host[from];
	f->dst = rd->t->host[to];
	f->bytes = size;
	/* Those that wait stay behind the flow before them until all are in order. */
	f->start_ns = rd->last_ns;
	f->after = start_ns == WAITS;
	f->group = plan_group(p, group);
	return 0;
}

static int add_flow(struct reader *rd, const char *src, const char *dst, const char *bytes,
		    int64_t start_ns, const char *group)
{
	int64_t from, to, size;

	if (host_of(rd, src, &from) || host_of(rd, dst, &to))
		return EXIT_USAGE;
	if (from == to)
		return bad(rd, "a flow from host %.40s to itself", src);
	if (!word_number(bytes, FG_SIZE_MAX, &size) || !size)
		return bad(rd, "%.40s bytes: not a whole number from 1 to 2^50", bytes);
	return put_flow(rd, from, to, size, start_ns, group, rd->l->nr);
}

/* Some variants have no dport. */
static int hpcc_row(struct reader *rd)
{
	char **w = rd->l->word, *last = w[rd->l->n - 1];
	int64_t start_ns, port = 0;

	if (rd->l->n != 5 && rd->l->n != 6)
		return bad(rd, "%d columns, not src dst pg dport bytes start_s", rd->l->n);
	if (rd->l->n == 6 && !word_number(w[3], UINT16_MAX, &port))
		return bad(rd, "dport \"%.40s\": not a number up to 65535", w[3]);
	if (!time_ns(last, NSEC_PER_SEC, &start_ns))
		return bad(rd, "start \"%.40s\": not a time in seconds", last);
	return add_flow(rd, w[0], w[1], w[rd->l->n - 2], start_ns,
			port == INCAST_PORT ? GROUP_INCAST : GROUP_WORKLOAD);
}

/* The simulator reads as many flows as the first line says, whatever comes behind them. */
static int hpcc_flows(struct reader *rd)
{
	int first = rd->l->nr, rc = 0;
	int64_t n, i;

	if (!word_number(rd->l->word[0], FLOWS_MAX, &n) || !n)
		return bad(rd, "the number of flows is not from 1 to %d", FLOWS_MAX);
	for (i = 0; i < n && !rc; i++)
		rc = word_lines_next(rd->l) ? hpcc_row(rd) :
		     bad(rd, "the file ends after %lld flows; line %d says %lld", (long long)i,
			 first, (long long)n);
	while (!rc && word_lines_next(rd->l))
		rd->t->n_left_out++;
	return rc;
}

/* "0->5" into two words. */
static bool split_arrow(char *word, char **dst)
{
	char *arrow = strstr(word, "->");

	if (!arrow)
		return false;
	*arrow = '\0';
	*dst = arrow + 2;
	return true;
}

static int htsim_row(struct reader *rd, char *dst)
{
	int64_t start_ns = -1, trigger = -1, val;
	char **w = rd->l->word, *bytes = NULL;
	int i, flow = rd->t->p->n_flows;

	for (i = 1; i < rd->l->n; i += 2) {
		if (i + 1 == rd->l->n)
			return bad(rd, "nothing behind \"%.40s\"", w[i]);
		if (strcmp(w[i], "size") == 0)
			bytes = w[i + 1];
		else if (strcmp(w[i], "start") == 0 && !time_ns(w[i + 1], NS_PER_PS, &start_ns))
			return bad(rd, "start \"%.40s\": not a time in ps", w[i + 1]);
		else if (strcmp(w[i], "start") && strcmp(w[i], "id") && strcmp(w[i], "prio") &&
			 strcmp(w[i], "trigger") && strcmp(w[i], "send_done_trigger") &&
			 strcmp(w[i], "recv_done_trigger"))
			return bad(rd, "unknown word \"%.40s\"", w[i]);
		else if (strcmp(w[i], "start") && !word_number(w[i + 1], INT64_MAX, &val))
			return bad(rd, "%.40s \"%.40s\": not a number", w[i], w[i + 1]);
		else if (strcmp(w[i], "trigger") == 0)
			trigger = val;
		else if (strstr(w[i], "_done_trigger") && val)		/* 0: none */
			htsim_triggers_note(&rd->triggers, val, TRIGGER_DONE, flow, rd->l->nr);
	}
	if ((start_ns < 0 && trigger < 0) || !bytes)
		return bad(rd, "a flow without %s", bytes ? "start or trigger" : "size");
	if (start_ns >= 0 && trigger >= 0)
		return bad(rd, "a flow with start and trigger");
	if (trigger >= 0)
		htsim_triggers_note(&rd->triggers, trigger, TRIGGER_STARTS, flow, rd->l->nr);
	return add_flow(rd, w[0], dst, bytes, trigger < 0 ? start_ns : WAITS, GROUP_WORKLOAD);
}

/* trigger id 4 oneshot; trigger id 4 barrier count 2 */
static int htsim_trigger(struct reader *rd)
{
	int64_t id = -1, count = 0;
	char **w = rd->l->word;
	int i;

	for (i = 1; i < rd->l->n; i++) {
		bool is_id = strcmp(w[i], "id") == 0;

		if (is_id || strcmp(w[i], "count") == 0) {
			if (++i == rd->l->n || !word_number(w[i], is_id ? INT64_MAX : FLOWS_MAX,
							    is_id ? &id : &count))
				return bad(rd, "no number behind \"%s\"", w[i - 1]);
		} else if (strcmp(w[i], "oneshot") == 0) {
			count = 1;
		} else if (strcmp(w[i], "multishot") == 0) {
			count = TRIGGER_MULTISHOT;
		} else if (strcmp(w[i], "barrier")) {
			return bad(rd, "unknown word \"%.40s\"", w[i]);
		}
	}
	if (id < 0 || !count)
		return bad(rd, "a trigger without %s", id < 0 ? "id" : "oneshot or barrier count");
	htsim_triggers_note(&rd->triggers, id, TRIGGER_KIND, count, rd->l->nr);
	return 0;
}

/* Nodes 8, Connections 2, Triggers 1, Failures 0. */
static int htsim_head(struct reader *rd, int64_t *flows)
{
	static const char *const names[] = { "Nodes", "Connections", "Triggers", "Failures" };
	int64_t n;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names) && strcmp(rd->l->word[0], names[i]); i++)
		;
	if (i == ARRAY_SIZE(names))
		return bad(rd, "unknown word \"%.40s\"", rd->l->word[0]);
	if (rd->l->n != 2 || !word_number(rd->l->word[1], INT32_MAX, &n))
		return bad(rd, "not %s and a number", names[i]);
	if (i == 0 && n > rd->t->n)
		return bad(rd, "%lld nodes; scenario %s has %d hosts", (long long)n,
			   rd->t->sc->name, rd->t->n);
	if (i == 3 && n)
		return bad(rd, "failures of links are not read from such files");
	if (i == 1)
		*flows = n;
	return 0;
}

static int htsim_flows(struct reader *rd)
{
	int64_t flows = -1;
	char *dst;
	int rc = 0;

	do {
		if (split_arrow(rd->l->word[0], &dst))
			rc = htsim_row(rd, dst);
		else if (strcmp(rd->l->word[0], "trigger") == 0)
			rc = htsim_trigger(rd);
		else
			rc = htsim_head(rd, &flows);
	} while (!rc && word_lines_next(rd->l));
	if (!rc && flows >= 0 && flows != rd->t->p->n_flows)
		rc = bad(rd, "the file has %d connections, and says %lld", rd->t->p->n_flows,
			 (long long)flows);
	return rc;
}

/* Rank N is the N-th host that the network has, in the order of the numbers of its file. */
static int goal_flows(struct reader *rd)
{
	int *host = xcalloc(rd->t->n, sizeof(*host)), n = 0, i, rc;
	const struct goal_op *op;

	for (i = 0; i < rd->n_numbers; i++)
		if (rd->by_number[i] >= 0)
			host[n++] = rd->by_number[i];
	rd->goal.l = rd->l;
	rc = goal_read(&rd->goal, n);
	for (i = 0; i < rd->goal.n_sends && !rc; i++) {
		op = &rd->goal.op[rd->goal.sends[i]];
		/* A message of no bytes has a packet, too; a flow has a byte at least. */
		rc = put_flow(rd, host[op->rank], host[op->peer], op->val ? op->val : 1,
			      op->begin.n ? WAITS : op->begin.from_ns, GROUP_WORKLOAD, op->line);
	}
	free(host);
	return rc;
}

/* Of a flow that waits for others too, the time before which it does not start in any case. */
static void goal_from_times(struct reader *rd)
{
	const struct goal *g = &rd->goal;
	int i;

	for (i = 0; i < g->n_sends; i++)
		rd->t->p->flows[rd->place[i]].start_ns = g->op[g->sends[i]].begin.from_ns;
	rd->t->first_ns = 0;
}

struct by_start {
	int64_t start_ns;
	int i;
};

static int cmp_start(const void *a, const void *b)
{
	const struct by_start *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->i - y->i;
}

/* Flows that start at once stay in the order of the file. */
static void sort_flows(struct reader *rd)
{
	struct plan *p = rd->t->p;
	struct by_start *order = xcalloc(p->n_flows, sizeof(*order));
	struct lab_flow *flows = xcalloc(p->n_flows, sizeof(*flows));
	int *line = xcalloc(p->n_flows, sizeof(*line)), i;

	rd->place = xcalloc(p->n_flows, sizeof(*rd->place));
	for (i = 0; i < p->n_flows; i++)
		order[i] = (struct by_start) { p->flows[i].start_ns, i };
	if (!rd->in_order)
		qsort(order, p->n_flows, sizeof(*order), cmp_start);
	for (i = 0; i < p->n_flows; i++) {
		flows[i] = p->flows[order[i].i];
		line[i] = rd->line[order[i].i];
		rd->place[order[i].i] = i;
	}
	free(order);
	free(rd->line);
	rd->line = line;
	free(p->flows);
	p->flows = flows;
	p->cap_flows = p->n_flows;
}

/*
 * Such files like to start at 2 s. Samples of a run of microseconds would all be before that. A
 * flow that waits for others may start at any time.
 */
static void first_at_zero(struct traffic *t)
{
	int64_t first_ns = INT64_MAX, start_ns = 0;
	struct plan *p = t->p;
	int i;

	for (i = 0; i < p->n_flows; i++) {
		struct lab_flow *f = &p->flows[i];

		if (f->after) {
			f->start_ns = 0;
			continue;
		}
		if (first_ns == INT64_MAX)
			first_ns = f->start_ns;
		f->start_ns -= first_ns;
		start_ns = f->start_ns;
	}
	t->first_ns = first_ns;
	t->duration_ns = start_ns + 1;
}

static int read_flows(struct reader *rd)
{
	int rc;

	number_hosts(rd);
	if (strcmp(rd->l->word[0], "num_ranks") == 0)
		rc = goal_flows(rd);
	else if (isdigit((unsigned char)*rd->l->word[0]) && rd->l->n == 1)
		rc = hpcc_flows(rd);
	else
		rc = htsim_flows(rd);
	if (!rc)
		rc = word_lines_end(rd->l);
	if (!rc && !rd->t->p->n_flows)
		rc = bad(rd, "no flows");
	if (rc)
		return rc;
	sort_flows(rd);
	rc = htsim_triggers_resolve(&rd->triggers, rd->t->p, rd->place, rd->l->path);
	if (!rc)
		rc = goal_after(&rd->goal, rd->t->p, rd->place);
	if (!rc)
		rc = plan_after_check(rd->t->p, rd->l->path, rd->line);
	if (rc)
		return rc;
	first_at_zero(rd->t);
	if (rd->goal.n_sends)
		goal_from_times(rd);
	return 0;
}

/* What the first line is of no other kind of file. */
static bool is_simulators(struct reader *rd)
{
	const char *w = rd->l->word[0];

	return (rd->l->n == 1 && !w[strspn(w, "0123456789")]) || strstr(w, "->") ||
	       strcmp(w, "num_ranks") == 0 || strcmp(w, "Nodes") == 0 ||
	       strcmp(w, "Connections") == 0 || strcmp(w, "Triggers") == 0 ||
	       strcmp(w, "Failures") == 0;
}

/**
 * traffic_read_simulators() - the flows of flows_file, if it was written for a simulator
 * @t: with hosts; gets flows in order of their starts, the first at 0, and their duration
 * @done: was it such a file
 *
 * Return: 0, or the exit status after a message that names file and line. A file that cannot be
 * read is left to the reader of our own files.
 */
int traffic_read_simulators(struct traffic *t, bool *done)
{
	struct reader rd = { .t = t, .l = word_lines_open(t->file), .in_order = true };
	int rc = 0;

	*done = rd.l && word_lines_next(rd.l) && is_simulators(&rd);
	if (*done)
		rc = read_flows(&rd);
	htsim_triggers_free(&rd.triggers);
	goal_free(&rd.goal);
	free(rd.by_number);
	free(rd.line);
	free(rd.place);
	word_lines_close(rd.l);
	return rc;
}
