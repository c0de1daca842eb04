// SPDX-License-Identifier: GPL-2.0
/*
 * Reads GOAL schedules, the operations of each rank and which of them wait for which:
 *
 *	num_ranks 2
 *	rank 0 {
 *	l1: calc 500				500 ns
 *	l2: send 9000b to 1 tag 7
 *	l2 requires l1				starts when l1 is complete; "irequires": has started
 *	}
 *	rank 1 {
 *	l1: recv 9000b from 0 tag 7
 *	}
 *
 * A send is a flow. Calcs and recvs are no flows, so what a send waits for is followed back
 * through them to flows: it starts at the latest of some moments, each the end or the start of a
 * flow and the time that the calcs between take. The k-th send of a rank to another with a tag
 * is what the k-th recv there with that tag gets.
 */
#include <stdlib.h>
#include <string.h>

#include "traffic/goal_schedule.h"
#include "traffic/traffic.h"

#define OPS_MAX		20000000
#define CALC_MAX_NS	1000000000000000LL
/* Of all operations together, at 16 bytes each. */
#define MOMENTS_MAX	20000000

#define bad(g, ...)	word_lines_bad((g)->l, __VA_ARGS__)

/* "a requires b", of the ranks' labels until the rank ends. */
struct goal_need {
	int op, of, line;
	char *op_label, *of_label;
	bool start;
};

static int bad_line(const struct goal *g, int line, const char *what)
{
	return usage_error("%s:%d: %s", g->l->path, line, what);
}

static struct goal_op *new_op(struct goal *g)
{
	if (g->n == g->cap) {
		g->cap = g->cap ? 2 * g->cap : 64;
		g->op = xreallocarray(g->op, g->cap, sizeof(*g->op));
	}
	memset(&g->op[g->n], 0, sizeof(*g->op));
	return &g->op[g->n++];
}

/* "9000b" */
static bool message_bytes(char *word, int64_t *bytes)
{
	size_t len = strlen(word);

	if (len && word[len - 1] == 'b')
		word[len - 1] = '\0';
	return word_number(word, FG_SIZE_MAX, bytes);
}

/* What may follow: tag 7, cpu 0, nic 0. Ranks have as many of those as they like here. */
static int op_words(struct goal *g, struct goal_op *op, int i)
{
	char **w = g->l->word;
	int64_t val;

	for (; i < g->l->n; i += 2) {
		if (strcmp(w[i], "tag") && strcmp(w[i], "cpu") && strcmp(w[i], "nic"))
			return bad(g, "unknown word \"%.40s\"", w[i]);
		if (i + 1 == g->l->n || !word_number(w[i + 1], INT64_MAX, &val))
			return bad(g, "no number behind \"%s\"", w[i]);
		if (strcmp(w[i], "tag") == 0)
			op->tag = val;
	}
	return 0;
}

/* The words from the i-th on are an operation. */
static int read_op(struct goal *g, int rank, const char *label, int i)
{
	struct goal_op *op;
	char **w = g->l->word;
	bool send = strcmp(w[i], "send") == 0;
	int64_t peer;

	if (g->n == OPS_MAX)
		return bad(g, "more than %d operations", OPS_MAX);
	op = new_op(g);
	op->rank = rank;
	op->line = g->l->nr;
	op->label = label ? xstrdup(label) : NULL;
	if (strcmp(w[i], "calc") == 0) {
		op->kind = GOAL_CALC;
		if (g->l->n < i + 2 || !word_number(w[i + 1], CALC_MAX_NS, &op->val))
			return bad(g, "calc: no time in ns");
		return op_words(g, op, i + 2);
	}
	if (!send && strcmp(w[i], "recv"))
		return bad(g, "unknown operation \"%.40s\"", w[i]);
	op->kind = send ? GOAL_SEND : GOAL_RECV;
	if (g->l->n < i + 4 || strcmp(w[i + 2], send ? "to" : "from") ||
	    !message_bytes(w[i + 1], &op->val) || !word_number(w[i + 3], INT32_MAX, &peer))
		return bad(g, "not %s and a rank", send ? "send BYTESb to" : "recv BYTESb from");
	if (peer >= g->ranks || peer == rank)
		return bad(g, "rank %d and a message %s rank %lld, of %d ranks", rank,
			   send ? "to" : "from", (long long)peer, g->ranks);
	op->peer = peer;
	return op_words(g, op, i + 4);
}

static void read_need(struct goal *g)
{
	struct goal_need *need;

	if (g->n_needs == g->cap_needs) {
		g->cap_needs = g->cap_needs ? 2 * g->cap_needs : 64;
		g->need = xreallocarray(g->need, g->cap_needs, sizeof(*g->need));
	}
	need = &g->need[g->n_needs++];
	*need = (struct goal_need) { .line = g->l->nr, .op_label = xstrdup(g->l->word[0]),
				     .of_label = xstrdup(g->l->word[2]),
				     .start = *g->l->word[1] == 'i' };
}

/* For comparisons: qsort() has no context. */
static const struct goal *sorting;

static int cmp_label(const void *a, const void *b)
{
	return strcmp(sorting->op[*(const int *)a].label, sorting->op[*(const int *)b].label);
}

static int find_label(const int *list, int n, const char *label)
{
	int lo = 0, hi = n - 1, mid, cmp;

	while (lo <= hi) {
		mid = (lo + hi) / 2;
		cmp = strcmp(label, sorting->op[list[mid]].label);
		if (!cmp)
			return list[mid];
		if (cmp < 0)
			hi = mid - 1;
		else
			lo = mid + 1;
	}
	return -1;
}

/* A rank ends: its labels are operations from @op on, its needs are from @need on. */
static int rank_labels(struct goal *g, int op, size_t need)
{
	int *list = xcalloc(g->n - op + 1, sizeof(*list)), n = 0, i, rc = 0;
	struct goal_need *w;

	for (i = op; i < g->n; i++)
		if (g->op[i].label)
			list[n++] = i;
	sorting = g;
	if (n)
		qsort(list, n, sizeof(*list), cmp_label);
	for (i = 1; i < n && !rc; i++)
		if (!cmp_label(&list[i - 1], &list[i]))
			rc = usage_error("%s:%d: label %.40s is there twice", g->l->path,
					 g->op[list[i]].line, g->op[list[i]].label);
	for (; need < g->n_needs && !rc; need++) {
		w = &g->need[need];
		w->op = find_label(list, n, w->op_label);
		w->of = find_label(list, n, w->of_label);
		if (w->op < 0 || w->of < 0)
			rc = usage_error("%s:%d: no operation %.40s in this rank", g->l->path,
					 w->line, w->op < 0 ? w->op_label : w->of_label);
	}
	free(list);
	return rc;
}

static int rank_line(struct goal *g, int rank)
{
	char **w = g->l->word;
	size_t len = strlen(w[0]);

	if (g->l->n == 3 && (!strcmp(w[1], "requires") || !strcmp(w[1], "irequires"))) {
		read_need(g);
		return 0;
	}
	if (len < 2 || w[0][len - 1] != ':')
		return read_op(g, rank, NULL, 0);
	w[0][len - 1] = '\0';
	return g->l->n == 1 ? bad(g, "no operation behind %.40s", w[0]) :
	       read_op(g, rank, w[0], 1);
}

/* "rank 0 {" to "}" */
static int read_rank(struct goal *g, bool *seen)
{
	int first = g->n, rc = 0;
	size_t needs = g->n_needs;
	char **w = g->l->word;
	int64_t rank;

	if (g->l->n != 3 || strcmp(w[0], "rank") || strcmp(w[2], "{") ||
	    !word_number(w[1], INT32_MAX, &rank))
		return bad(g, "not \"rank NUMBER {\"");
	if (rank >= g->ranks || seen[rank])
		return bad(g, "rank %lld %s", (long long)rank,
			   rank < g->ranks ? "is there twice" : "is beyond num_ranks");
	seen[rank] = true;
	while (!rc) {
		if (!word_lines_next(g->l))
			return bad(g, "the file ends in rank %lld", (long long)rank);
		if (g->l->n == 1 && strcmp(w[0], "}") == 0)
			return rank_labels(g, first, needs);
		rc = rank_line(g, rank);
	}
	return rc;
}

/* By both ranks and the tag; of each the sends, then the recvs, in the order of the file. */
static int cmp_message(const void *a, const void *b)
{
	const struct goal_op *x = &sorting->op[*(const int *)a], *y = &sorting->op[*(const int *)b];
	int xs = x->kind == GOAL_SEND, ys = y->kind == GOAL_SEND;
	int from = (xs ? x->rank : x->peer) - (ys ? y->rank : y->peer);
	int to = (xs ? x->peer : x->rank) - (ys ? y->peer : y->rank);

	if (from || to)
		return from ? from : to;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return xs != ys ? ys - xs : *(const int *)a - *(const int *)b;
}

static bool same_way(const struct goal_op *s, const struct goal_op *r)
{
	return s->rank == r->peer && s->peer == r->rank && s->tag == r->tag;
}

/* The sends from list[0] on are of one way, and so are as many recvs behind them, or it is bad. */
static int match_way(struct goal *g, const int *list, int n, int *used)
{
	struct goal_op *first = &g->op[list[0]], *op;
	int sends = 0, i;

	if (first->kind == GOAL_RECV)
		return bad_line(g, first->line, "no send for this recv");
	for (; sends < n; sends++) {
		op = &g->op[list[sends]];
		if (op->kind != GOAL_SEND || op->rank != first->rank || op->peer != first->peer ||
		    op->tag != first->tag)
			break;
	}
	for (i = 0; i < sends; i++) {
		op = sends + i < n ? &g->op[list[sends + i]] : first;
		if (op->kind != GOAL_RECV || !same_way(first, op))
			return bad_line(g, g->op[list[i]].line, "no recv for this send");
		op->send = g->op[list[i]].send;
	}
	*used = 2 * sends;
	return 0;
}

static int match(struct goal *g)
{
	int *list = xcalloc(g->n + 1, sizeof(*list)), n = 0, i, used = 0, rc = 0;

	g->sends = xcalloc(g->n + 1, sizeof(*g->sends));
	for (i = 0; i < g->n; i++) {
		if (g->op[i].kind == GOAL_SEND) {
			g->op[i].send = g->n_sends;
			g->sends[g->n_sends++] = i;
		}
		if (g->op[i].kind != GOAL_CALC)
			list[n++] = i;
	}
	sorting = g;
	if (n)
		qsort(list, n, sizeof(*list), cmp_message);
	for (i = 0; i < n && !rc; i += used)
		rc = match_way(g, list + i, n - i, &used);
	free(list);
	return rc;
}

static int cmp_need(const void *a, const void *b)
{
	const struct goal_need *x = a, *y = b;

	return x->op != y->op ? x->op - y->op : x->line - y->line;
}

static int cmp_moment(const void *a, const void *b)
{
	const struct goal_moment *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return x->delay_ns > y->delay_ns ? -1 : x->delay_ns < y->delay_ns;
}

static void add_moment(struct goal_moments *m, uint32_t of, int64_t delay_ns)
{
	if (!(m->n & (m->n - 1)))
		m->v = xreallocarray(m->v, m->n ? 2 * m->n : 1, sizeof(*m->v));
	m->v[m->n++] = (struct goal_moment) { of, delay_ns };
}

/* An operation waits for this one: for its start, or its end. */
static void add_need(struct goal_moments *m, const struct goal_op *op, bool start)
{
	int64_t more = !start && op->kind == GOAL_CALC ? op->val : 0;
	size_t i;

	if (op->kind == GOAL_SEND || (op->kind == GOAL_RECV && !start))
		add_moment(m, (uint32_t)op->send << 1 | start, 0);
	if (op->kind == GOAL_SEND)
		return;
	for (i = 0; i < op->begin.n; i++)
		add_moment(m, op->begin.v[i].of, op->begin.v[i].delay_ns + more);
	if (m->from_ns < op->begin.from_ns + more)
		m->from_ns = op->begin.from_ns + more;
}

/* When an operation begins: all before it are done. Of each flow the latest moment counts. */
static int op_moments(struct goal *g, int i, const struct goal_need *need, size_t n)
{
	struct goal_moments m = {};
	size_t k, kept = 0;
	bool late = false;

	for (k = 0; k < n && m.n <= MOMENTS_MAX; k++)
		add_need(&m, &g->op[need[k].of], need[k].start);
	if (m.n)
		qsort(m.v, m.n, sizeof(*m.v), cmp_moment);
	for (k = 0; k < m.n; k++) {
		late |= m.v[k].delay_ns > CALC_MAX_NS;
		if (!kept || m.v[kept - 1].of != m.v[k].of)
			m.v[kept++] = m.v[k];
	}
	m.n = kept;
	g->op[i].begin = m;
	g->n_moments += kept;
	late |= m.from_ns > CALC_MAX_NS;
	if (late || g->n_moments > MOMENTS_MAX)
		return bad_line(g, g->op[i].line, late ?
				"more than 10^15 ns of calcs before it" :
				"operations up to here wait for too many flows, more than 20000000 together");
	return 0;
}

/* Of each operation what it needs, with the send that a recv gets. */
static void needs_of_ops(const struct goal *g, struct depend *d, size_t *first)
{
	size_t k = 0;
	int i;

	for (i = 0; i < g->n; i++) {
		first[i] = k;
		if (g->op[i].kind == GOAL_RECV || (k < g->n_needs && g->need[k].op == i))
			depend_begin(d, i, 0);
		if (g->op[i].kind == GOAL_RECV)
			depend_add(d, g->sends[g->op[i].send], false);
		for (; k < g->n_needs && g->need[k].op == i; k++)
			depend_add(d, g->need[k].of, g->need[k].start);
	}
	first[g->n] = k;
	depend_end(d);
}

static int moments(struct goal *g)
{
	size_t *first = xcalloc(g->n + 1, sizeof(*first));
	uint32_t *order = xcalloc(g->n + 1, sizeof(*order)), bad_list;
	struct depend_graph graph;
	struct depend d = {};
	int i, op, rc = 0;

	if (g->n_needs)
		qsort(g->need, g->n_needs, sizeof(*g->need), cmp_need);
	needs_of_ops(g, &d, first);
	depend_graph_make(&graph, &d, g->n);
	bad_list = depend_order(&graph, &d, order);
	if (bad_list != DEPEND_NONE)
		rc = bad_line(g, g->op[d.list[bad_list].node].line,
			      "in a circle, this operation waits for itself");
	for (i = 0; i < g->n && !rc; i++) {
		op = order[i];
		rc = op_moments(g, op, g->need + first[op], first[op + 1] - first[op]);
	}
	depend_graph_free(&graph);
	depend_free(&d);
	free(order);
	free(first);
	return rc;
}

/**
 * goal_read() - a schedule, up to when each operation begins
 * @g: with the file, its first line read
 * @hosts: how many there are
 *
 * Return: 0, or the exit status after a message that names file and line.
 */
int goal_read(struct goal *g, int hosts)
{
	bool *seen;
	int64_t n;
	int rc = 0;

	if (g->l->n != 2 || !word_number(g->l->word[1], INT32_MAX, &n) || !n)
		return bad(g, "not num_ranks and a number");
	if (n > hosts)
		return bad(g, "%lld ranks, and %d hosts", (long long)n, hosts);
	g->ranks = n;
	seen = xcalloc(n, sizeof(*seen));
	while (!rc && word_lines_next(g->l))
		rc = read_rank(g, seen);
	free(seen);
	if (!rc)
		rc = match(g);
	return rc ? rc : moments(g);
}

/**
 * goal_after() - sends are flows of a plan: what each waits for
 * @g: schedule
 * @p: plan
 * @place: by send, its number in the plan
 *
 * Return: 0, or the exit status after a message.
 */
int goal_after(const struct goal *g, struct plan *p, const int *place)
{
	int *send = xcalloc(g->n_sends + 1, sizeof(*send)), i;
	const struct goal_moments *m;
	int64_t common;
	int rc = 0;
	size_t k;

	for (i = 0; i < g->n_sends; i++)
		send[place[i]] = i;
	for (i = 0; i < g->n_sends && !rc; i++) {
		m = &g->op[g->sends[send[i]]].begin;
		if (!m->n)
			continue;
		/* One delay for all is of the list: most schedules need no others. */
		common = m->v[0].delay_ns;
		for (k = 1; k < m->n; k++)
			common = m->v[k].delay_ns == common ? common : 0;
		depend_begin(&p->after, i, common);
		p->flows[i].after = p->after.n;
		for (k = 0; k < m->n && !rc; k++)
			if (depend_add_delayed(&p->after, place[m->v[k].of >> 1], m->v[k].of & 1,
					       m->v[k].delay_ns - common))
				rc = usage_error("%s: more than %u dependencies", g->l->path,
						 DEPEND_MAX);
	}
	free(send);
	return rc;
}

/**
 * goal_free() - free a schedule
 * @g: schedule
 */
void goal_free(struct goal *g)
{
	size_t k;
	int i;

	for (i = 0; i < g->n; i++) {
		free(g->op[i].label);
		free(g->op[i].begin.v);
	}
	for (k = 0; k < g->n_needs; k++) {
		free(g->need[k].op_label);
		free(g->need[k].of_label);
	}
	free(g->op);
	free(g->need);
	free(g->sends);
	memset(g, 0, sizeof(*g));
}
