// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: the flows of a flows_file, from the start of each to its line in
 * flows.csv. Rows start in their order. What a flow needs beyond its row exists
 * while it runs: memory goes with the flows that are active, not with the file.
 *
 * Making and destroying queue pairs takes time, even in the lab where a system call
 * that reads the clock moves it by a nanosecond. So it is done between the starts and
 * not in front of one: a flow that starts late is a flow of another workload.
 */
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

/* Queue pairs are made so long before their flow starts ... */
#define AHEAD_NS	20000
/* ... and for so many rows at most, with a look-ahead, which is so much earlier, for more: the
 * two of a row take 50 KB of the lab kernel's memory.
 */
#define AHEAD_MAX	512U
#define AHEAD_NOTICE_MAX	4096U
/* Queue pairs made or destroyed between two looks at what else has happened. */
#define CHORES		4
/* With so many to be destroyed it is done even if a flow starts late. */
#define RETIRED_MAX	4096U

struct live {
	struct fg_flow f;
	u32 index;		/* in churn.live while active */
};

static struct {
	u32 next;		/* row that starts next */
	u32 made;		/* rows before this one have their queue pair */
	u32 end;		/* rows from here on never start, or when others have ended */
	u32 begun;		/* of those that wait: they have a flow */
	u32 cancelled;		/* and these never will */
	struct fg_conn **ahead;	/* of rows next..made, by row modulo ... */
	u32 ahead_max;		/* ... this */
	struct live **live;
	u32 nlive;
	u32 cap_live;
	struct fg_flow *unused;	/* linked by rr_next, as are those: */
	struct fg_flow *ended;	/* in this batch of events */
	u32 retired;
	u64 chore_ns;		/* what the last of them took */
	struct fg_totals totals;
} churn;

static u64 start_of(u32 row)
{
	return row < churn.end ? eng.t0_ns + eng.plan->rows[row].start_ns : ~0ULL;
}

static bool own_conns(void)
{
	return eng.plan->qp_policy == FG_POLICY_FLOW;
}

/* Everything that the start of the next row needs but its flow; false if it fails. */
static bool make_next(void)
{
	const struct fg_row *row = &eng.plan->rows[churn.made];
	struct fg_conn *c = NULL;

	if (own_conns() || !fg_pool_knows(row))
		c = own_conns() ? fg_pool_make(row) : fg_pool_get(row);
	if (own_conns())
		churn.ahead[churn.made % churn.ahead_max] = c;
	churn.made++;
	return c || (!own_conns() && fg_pool_knows(row));
}

/* A row's incast is announced when its queue pairs are there. */
static u64 ahead_ns(void)
{
	u64 lookahead_ns = eng.plan->lookahead_ns;

	return AHEAD_NS + (lookahead_ns == FG_NO_LOOKAHEAD ? 0 : lookahead_ns);
}

static bool may_make(u64 now_ns)
{
	return churn.made < churn.end && churn.made - churn.next < churn.ahead_max &&
	       start_of(churn.made) <= now_ns + ahead_ns();
}

/**
 * fg_churn_make() - queue pairs of all rows up to one, as far as there is room
 * @row: the last of them
 */
void fg_churn_make(u32 row)
{
	while (churn.made <= row && churn.made < churn.end &&
	       churn.made - churn.next < churn.ahead_max)
		make_next();
}

static struct fg_flow *new_flow(const struct fg_row *row)
{
	struct fg_flow *f = churn.unused;
	struct live *l;

	if (f)
		churn.unused = f->rr_next;
	else
		f = &((struct live *)fg_zalloc(1, sizeof(*l)))->f;
	memset(f, 0, sizeof(*f));
	f->id = row->id;
	f->src = row->src;
	f->dst = row->dst;
	f->attr = eng.plan->attr;
	f->bytes = row->bytes;
	f->start_ns = row->start_ns;
	f->stop_ns = row->stop_ns;
	f->next = -1;
	f->from_file = true;
	f->row = row - eng.plan->rows;
	f->waits = f->row >= eng.plan->nrows - eng.plan->nwait;
	f->conn = FG_NO_CONN;
	l = container_of(f, struct live, f);
	churn.live = fg_grow(churn.live, &churn.cap_live, churn.nlive + 1, sizeof(l));
	l->index = churn.nlive;
	churn.live[churn.nlive++] = l;
	return f;
}

static struct fg_conn *take_conn(u32 i)
{
	struct fg_conn *c;

	if (i == churn.made)
		make_next();
	if (!own_conns())
		return fg_pool_get(&eng.plan->rows[i]);
	c = churn.ahead[i % churn.ahead_max];
	churn.ahead[i % churn.ahead_max] = NULL;
	return c;
}

/* Moves eng.now_ns to the time of the start. */
static void start_row(void)
{
	struct fg_conn *c = take_conn(churn.next);
	struct fg_flow *f = new_flow(&eng.plan->rows[churn.next++]);
	u64 late;

	if (!c) {
		fg_flow_give_up(f, "no queue pair");
		return;
	}
	c->users++;
	f->conn = c->id & FG_CONN_SLOT_MASK;
	fg_flow_start(f);
	if (!f->t_start_ns)
		return;
	eng.now_ns = f->t_start_ns;
	late = f->t_start_ns - eng.t0_ns - f->start_ns;
	if (late > eng.late_ns)
		eng.late_ns = late;
}

/* One queue pair made or destroyed, unless it would make the next start late. */
static bool chore(u64 now_ns)
{
	bool near = start_of(churn.next) <= now_ns + churn.chore_ns;

	if (near && churn.retired < RETIRED_MAX)
		return false;
	if (!near && may_make(now_ns)) {
		make_next();
		return true;
	}
	if (!fg_pool_reap(now_ns))
		return false;
	churn.retired--;
	return true;
}

static void chores(void)
{
	u64 now = fg_batch_now(), then;
	int i;

	for (i = 0; i < CHORES && chore(now); i++) {
		then = fg_now_ns();
		churn.chore_ns = then - now;
		now = then;
	}
	eng.now_ns = now;
}

static void on_rows(const struct fg_timer *t);

/* The next row's start, or earlier if there is something to make. */
static void set_timer(u64 now_ns)
{
	u64 at = start_of(churn.next), make = start_of(churn.made);

	if (churn.next == churn.end)
		return;
	if (at > now_ns + churn.chore_ns && churn.made < churn.end &&
	    churn.made - churn.next < churn.ahead_max) {
		make = make > now_ns + ahead_ns() ? make - ahead_ns() : now_ns;
		if (make < at)
			at = make;
	}
	fg_timer_add(at, on_rows, NULL);
}

/* Rows are due, or their queue pairs. */
static void on_rows(const struct fg_timer *t)
{
	(void)t;
	while (start_of(churn.next) <= eng.now_ns)
		start_row();
	chores();
	set_timer(eng.now_ns);
}

/* Of a row that waits for others: it has a flow, or had one. */
static bool begun(u32 row)
{
	return eng.plan->graph.waits[eng.plan->nflows + row] == FG_BEGUN;
}

/* The flow of a row that has waited, unless its place has another by now. */
static void on_waited(const struct fg_timer *t)
{
	struct fg_flow *f = t->arg;

	if (f->stop_seq == t->seq)
		fg_flow_start(f);
}

/* A row that has waited starts soon, or at once. */
static void begin_row(u32 i)
{
	const struct fg_row *row = &eng.plan->rows[i];
	struct fg_flow *f = new_flow(row);
	struct fg_conn *c;

	eng.plan->graph.waits[eng.plan->nflows + i] = FG_BEGUN;
	churn.begun++;
	c = own_conns() ? fg_pool_make(row) : fg_pool_get(row);
	if (!c) {
		fg_flow_give_up(f, "no queue pair");
		return;
	}
	c->users++;
	f->conn = c->id & FG_CONN_SLOT_MASK;
	f->stop_seq = fg_timer_add(eng.t0_ns + f->start_ns, on_waited, f);
}

static void on_begin(const struct fg_timer *t)
{
	if (!eng.stopping)
		begin_row((uintptr_t)t->arg);
}

/**
 * fg_churn_release() - what a row waits for has come
 * @row: row
 * @at_ns: when it starts, not before now
 *
 * With a delay it gets its queue pair as long before as others do.
 */
void fg_churn_release(u32 row, u64 at_ns)
{
	u64 now = fg_batch_now();

	eng.plan->rows[row].start_ns = at_ns - eng.t0_ns;
	fg_timer_add(at_ns > now + AHEAD_NS ? at_ns - AHEAD_NS : now, on_begin,
		     (void *)(uintptr_t)row);
}

/**
 * fg_churn_cancel() - a row never starts: what it waits for has failed
 */
void fg_churn_cancel(void)
{
	churn.cancelled++;
	eng.left--;
}

/**
 * fg_churn_start() - plan the start of the first row; t0 is known
 */
void fg_churn_start(void)
{
	eng.left += eng.plan->nrows;
	if (eng.plan->nrows)
		set_timer(eng.t0_ns);
}

static u32 first_waiting(void)
{
	return eng.plan->nrows - eng.plan->nwait;
}

static struct fg_conn *conn_of(const struct fg_flow *f)
{
	return f->conn == FG_NO_CONN ? NULL : eng.plan->conns[f->conn];
}

/* A flow of a row has ended. It lives on to the end of the batch of events. */
static void row_ended(struct fg_flow *f)
{
	struct live *l = container_of(f, struct live, f), *last = churn.live[--churn.nlive];
	struct fg_conn *c = conn_of(f);

	churn.live[l->index] = last;
	last->index = l->index;
	fg_results_row(f, c);
	fg_totals_add(&churn.totals, f);
	f->rr_next = churn.ended;
	churn.ended = f;
	if (!c)
		return;
	c->users--;
	if (own_conns()) {
		fg_pool_retire(c, f->t_last_ns);
		churn.retired++;
	}
}

/**
 * fg_churn_open() - the rows that start first get their queue pairs
 * @dir: output directory
 *
 * One at least: what cannot be set up is known before traffic, and whoever started
 * flowgen can look at what kind of queue pair it is.
 */
int fg_churn_open(const char *dir)
{
	struct fg_plan *p = eng.plan;

	if (!p->nrows)
		return 0;
	churn.end = first_waiting();
	churn.ahead_max = p->lookahead_ns == FG_NO_LOOKAHEAD ? AHEAD_MAX : AHEAD_NOTICE_MAX;
	churn.ahead = fg_zalloc(churn.ahead_max, sizeof(*churn.ahead));
	if (fg_results_flows_open(dir))
		return -1;
	fg_totals_init(&churn.totals);
	eng.row_ended = row_ended;
	if (!churn.end)
		return 0;
	do {
		if (!make_next())
			return -1;
	} while (may_make(0));
	return 0;
}

/**
 * fg_churn_tidy() - after a batch of events
 */
void fg_churn_tidy(void)
{
	struct fg_flow *f;

	while (churn.ended) {
		f = churn.ended;
		churn.ended = f->rr_next;
		f->rr_next = churn.unused;
		churn.unused = f;
	}
	if (churn.retired && eng.now_valid)
		chores();
}

/**
 * fg_churn_stop() - no row starts any more, those that run stop
 */
void fg_churn_stop(void)
{
	u32 i;

	eng.left -= churn.end - churn.next;
	eng.left -= eng.plan->nwait - churn.begun - churn.cancelled;
	churn.end = churn.next;
	/* From the end: one that stops at once gives its place to the last. */
	for (i = churn.nlive; i; i--)
		fg_flow_stop(&churn.live[i - 1]->f);
}

/**
 * fg_churn_each() - call a function for each flow that is active
 * @fn: function
 */
void fg_churn_each(void (*fn)(const struct fg_flow *f))
{
	u32 i;

	for (i = 0; i < churn.nlive; i++)
		fn(&churn.live[i]->f);
}

/* In the table of those that have not ended: active, not a row. */
#define ACTIVE	(1U << 31)

static void write_rest(const u32 *rest)
{
	struct fg_plan *p = eng.plan;
	struct fg_flow *f;
	u32 i;

	for (i = 0; i < p->nrows; i++) {
		if (!rest[i])
			continue;
		if (rest[i] & ACTIVE)
			f = &churn.live[rest[i] & ~ACTIVE]->f;
		else
			f = new_flow(&p->rows[rest[i] - 1]);
		if (!(rest[i] & ACTIVE))
			f->status = "not_started";
		fg_results_row(f, conn_of(f));
		fg_totals_add(&churn.totals, f);
		/* The last of them: its place is used again. */
		if (!(rest[i] & ACTIVE))
			free(churn.live[--churn.nlive]);
	}
}

/**
 * fg_churn_finish() - lines of the rows that have not ended, by id
 * @t: receives the totals of all rows
 */
void fg_churn_finish(struct fg_totals *t)
{
	struct fg_plan *p = eng.plan;
	u32 first = fg_plan_max_id(p) + 1, i;
	u32 *rest = fg_zalloc(p->nrows, sizeof(*rest));

	for (i = 0; i < churn.nlive; i++) {
		churn.live[i]->f.t_last_ns = eng.now_ns;
		rest[churn.live[i]->f.id - first] = ACTIVE | i;
	}
	for (i = churn.next; i < first_waiting(); i++)
		rest[p->rows[i].id - first] = i + 1;
	for (i = first_waiting(); i < p->nrows; i++)
		if (!begun(i))
			rest[p->rows[i].id - first] = i + 1;
	fg_churn_tidy();
	write_rest(rest);
	free(rest);
	*t = churn.totals;
}

/**
 * fg_churn_failed() - has a flow failed so far, or not ended
 */
bool fg_churn_failed(void)
{
	return churn.totals.failed || churn.nlive ||
	       churn.next < first_waiting() || churn.begun < eng.plan->nwait;
}

/**
 * fg_churn_exit() - free all
 */
void fg_churn_exit(void)
{
	struct fg_flow *f;

	fg_churn_tidy();
	while (churn.nlive)
		free(churn.live[--churn.nlive]);
	while (churn.unused) {
		f = churn.unused;
		churn.unused = f->rr_next;
		free(container_of(f, struct live, f));
	}
	free(churn.live);
	free(churn.ahead);
}
