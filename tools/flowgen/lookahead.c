// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: look-ahead: tells a receiver's congestion control of an incast before it starts.
 * Flows that start at one time, or within lookahead_span_ns, towards one host are an incast. Its
 * senders are announced lookahead_ns before the start, as an application does that knows whom it
 * has just asked. It takes an algorithm that has the command "expect", such as dart.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "flowgen.h"

#define COMMAND	"expect"

/* Who sends to whom, and when. */
struct start {
	u64 start_ns;		/* of the flow; then of the incast's first */
	u32 to, from;		/* indices into fg_plan.hosts */
	u32 row;		/* of the flows_file, + 1; 0: none */
};

static struct {
	struct start *v;	/* by time, receiver, sender */
	u32 n, cap;
	u32 next;		/* first of the incast that is announced next */
	u64 sent, refused;
	char why[320];		/* of the first refusal */
} notice;

static void add(u64 start_ns, u32 op, u32 src, u32 dst, u32 row)
{
	/* Data of a READ goes from dst to src. */
	bool read = op == FG_READ;

	notice.v = fg_grow(notice.v, &notice.cap, notice.n + 1, sizeof(*notice.v));
	notice.v[notice.n++] = (struct start) {
		start_ns, read ? src : dst, read ? dst : src, row,
	};
}

static int by_receiver(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static int by_time(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* All flows of an incast start with its first, as far as notices go. */
static void group_starts(u64 span_ns)
{
	const struct start *first = NULL;
	u32 i;

	qsort(notice.v, notice.n, sizeof(*notice.v), by_receiver);
	for (i = 0; i < notice.n; i++) {
		struct start *s = &notice.v[i];

		if (first && first->to == s->to && s->start_ns - first->start_ns <= span_ns)
			s->start_ns = first->start_ns;
		else
			first = s;
	}
	qsort(notice.v, notice.n, sizeof(*notice.v), by_time);
}

/* The first of what starts with this one at the same host, and is not of that. */
static u32 end_of(u32 i)
{
	u32 k = i;

	while (k < notice.n && notice.v[k].start_ns == notice.v[i].start_ns &&
	       notice.v[k].to == notice.v[i].to)
		k++;
	return k;
}

static u32 senders(u32 i, u32 end)
{
	u32 n = 1;

	while (++i < end)
		n += notice.v[i].from != notice.v[i - 1].from;
	return n;
}

/* A host is known to another one by a queue pair that connects them. */
static const char *announce(u32 i, u32 end)
{
	const struct fg_plan *p = eng.plan;
	u32 n = 0, max_row = 0, k, to = notice.v[i].to;
	union ibv_gid *gid = fg_zalloc(end - i, sizeof(*gid));
	const char *why = NULL;

	for (k = i; k < end; k++) {
		if (notice.v[k].row > max_row)
			max_row = notice.v[k].row;
		if (k > i && notice.v[k].from == notice.v[k - 1].from)
			continue;
		if (fg_host_gid(&eng.hosts[notice.v[k].from], p->attr.gid, &gid[n++]))
			why = "no address";
	}
	if (max_row)
		fg_churn_make(max_row - 1);
	if (!why)
		why = fg_cc_command(p->hosts[to], p->port, COMMAND, gid, n);
	free(gid);
	return why;
}

static void on_notice(const struct fg_timer *t);

/* The incast that is announced next, if there is one. */
static void arm(void)
{
	const struct fg_plan *p = eng.plan;
	u32 i = notice.next;
	u64 at;

	while (i < notice.n && senders(i, end_of(i)) < 2)
		i = end_of(i);
	notice.next = i;
	if (i == notice.n)
		return;
	at = notice.v[i].start_ns;
	at -= at < p->lookahead_ns ? at : p->lookahead_ns;
	fg_timer_add(eng.t0_ns + at, on_notice, NULL);
}

/* An incast is to be announced. */
static void on_notice(const struct fg_timer *t)
{
	u32 i = notice.next, end = end_of(i);
	const char *why = announce(i, end);

	(void)t;
	if (!why) {
		notice.sent++;
	} else if (!notice.refused++) {
		snprintf(notice.why, sizeof(notice.why), "%s: look-ahead: %s",
			 eng.plan->hosts[notice.v[i].to], why);
		fg_err("%s", notice.why);
	}
	notice.next = end;
	arm();
}

/**
 * fg_notice_start() - plan the first notice; t0 is known
 *
 * Return: 0, or -1 after a message.
 */
int fg_notice_start(void)
{
	const struct fg_plan *p = eng.plan;
	u32 i;

	if (p->lookahead_ns == FG_NO_LOOKAHEAD)
		return 0;
	if (fg_cc_open())
		return -1;
	for (i = 0; i < p->nflows; i++)
		if (!p->flows[i].chained && !p->flows[i].waits)
			add(p->flows[i].start_ns, p->flows[i].attr.op, p->flows[i].src,
			    p->flows[i].dst, 0);
	for (i = 0; i < p->nrows - p->nwait; i++)
		add(p->rows[i].start_ns, p->attr.op, p->rows[i].src, p->rows[i].dst, i + 1);
	group_starts(p->lookahead_span_ns);
	arm();
	return 0;
}

/**
 * fg_notice_json() - what became of the notices
 * @o: object to add to
 */
void fg_notice_json(json_object *o)
{
	if (eng.plan->lookahead_ns == FG_NO_LOOKAHEAD)
		return;
	js_add_int(o, "notices", notice.sent);
	js_add_int(o, "notices_refused", notice.refused);
	if (notice.refused)
		js_add_str(o, "notice_error", notice.why);
}

/**
 * fg_notice_exit() - free all
 */
void fg_notice_exit(void)
{
	free(notice.v);
	fg_cc_close();
}
