// SPDX-License-Identifier: GPL-2.0
/*
 * Reads flows that were written for other simulators, as key flows_file takes them: flow.txt of
 * the public HPCC simulator and of those that come from it, and the connection matrices (.cm) of
 * htsim. The first line tells which it is.
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
#include "traffic/traffic.h"

/* Of flow.txt: its scripts call flows to this port an incast. */
#define INCAST_PORT	200
#define NS_PER_PS	0.001
/* A start later than this, 11 days, is no time in ns that could be meant. */
#define START_MAX_NS	1e15

#define bad(rd, ...)	word_lines_bad((rd)->l, __VA_ARGS__)

struct reader {
	struct traffic *t;
	struct word_lines *l;
	int *by_number, n_numbers;	/* host by its number in the file; -1: none */
	bool in_order;
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

static int add_flow(struct reader *rd, const char *src, const char *dst, const char *bytes,
		    int64_t start_ns, const char *group)
{
	int64_t from, to, size;
	struct plan *p = rd->t->p;
	struct lab_flow *f;

	if (host_of(rd, src, &from) || host_of(rd, dst, &to))
		return EXIT_USAGE;
	if (from == to)
		return bad(rd, "a flow from host %.40s to itself", src);
	if (!word_number(bytes, FG_SIZE_MAX, &size) || !size)
		return bad(rd, "%.40s bytes: not a whole number from 1 to 2^50", bytes);
	if (p->n_flows >= FLOWS_MAX)
		return bad(rd, "more than %d flows", FLOWS_MAX);
	if (p->n_flows && start_ns < p->flows[p->n_flows - 1].start_ns)
		rd->in_order = false;
	f = plan_new_flow(p);
	f->src = rd->t->host[from];
	f->dst = rd->t->host[to];
	f->bytes = size;
	f->start_ns = start_ns;
	f->group = plan_group(p, group);
	return 0;
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
	char **w = rd->l->word, *bytes = NULL;
	int64_t start_ns = -1, val;
	int i;

	for (i = 1; i < rd->l->n; i += 2) {
		if (i + 1 == rd->l->n)
			return bad(rd, "nothing behind \"%.40s\"", w[i]);
		if (strcmp(w[i], "size") == 0)
			bytes = w[i + 1];
		else if (strcmp(w[i], "trigger") == 0)
			return bad(rd, "a flow that waits for trigger %.40s: flows that depend on others are not read from such files",
				   w[i + 1]);
		else if (strcmp(w[i], "start") == 0 && !time_ns(w[i + 1], NS_PER_PS, &start_ns))
			return bad(rd, "start \"%.40s\": not a time in ps", w[i + 1]);
		else if (strcmp(w[i], "start") && strcmp(w[i], "id") && strcmp(w[i], "prio") &&
			 strcmp(w[i], "send_done_trigger") && strcmp(w[i], "recv_done_trigger"))
			return bad(rd, "unknown word \"%.40s\"", w[i]);
		else if (strcmp(w[i], "start") && !word_number(w[i + 1], INT64_MAX, &val))
			return bad(rd, "%.40s \"%.40s\": not a number", w[i], w[i + 1]);
	}
	if (start_ns < 0 || !bytes)
		return bad(rd, "a flow without %s", bytes ? "start" : "size");
	return add_flow(rd, w[0], dst, bytes, start_ns, GROUP_WORKLOAD);
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
		else if (strcmp(rd->l->word[0], "trigger"))	/* nothing waits for it */
			rc = htsim_head(rd, &flows);
	} while (!rc && word_lines_next(rd->l));
	if (!rc && flows >= 0 && flows != rd->t->p->n_flows)
		rc = bad(rd, "the file has %d connections, and says %lld", rd->t->p->n_flows,
			 (long long)flows);
	return rc;
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
static void sort_flows(struct plan *p)
{
	struct by_start *order = xcalloc(p->n_flows, sizeof(*order));
	struct lab_flow *flows = xcalloc(p->n_flows, sizeof(*flows));
	int i;

	for (i = 0; i < p->n_flows; i++)
		order[i] = (struct by_start) { p->flows[i].start_ns, i };
	qsort(order, p->n_flows, sizeof(*order), cmp_start);
	for (i = 0; i < p->n_flows; i++)
		flows[i] = p->flows[order[i].i];
	free(order);
	free(p->flows);
	p->flows = flows;
	p->cap_flows = p->n_flows;
}

/* Such files like to start at 2 s. Samples of a run of microseconds would all be before that. */
static void first_at_zero(struct traffic *t)
{
	struct plan *p = t->p;
	int i;

	t->first_ns = p->flows[0].start_ns;
	for (i = 0; i < p->n_flows; i++)
		p->flows[i].start_ns -= t->first_ns;
	t->duration_ns = p->flows[p->n_flows - 1].start_ns + 1;
}

static int read_flows(struct reader *rd)
{
	int rc;

	number_hosts(rd);
	if (strcmp(rd->l->word[0], "num_ranks") == 0)
		rc = bad(rd, "a GOAL schedule: its flows depend on each other, such files are not read");
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
	if (!rd->in_order)
		sort_flows(rd->t->p);
	first_at_zero(rd->t);
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
	free(rd.by_number);
	word_lines_close(rd.l);
	return rc;
}
