// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the frames of PFC (priority-based flow control) that a switch port sends.
 *
 * check-xoff IN out=OUT rate=R delay=NS prio=P quanta=Q
 *	{ xoff=BYTES xon=BYTES | alpha=Q16 pool=BYTES [xon-offset=BYTES] }
 *	[pauses=N] [refreshes=N] [behind=N]
 *
 * The PFC frames that a switch port sends, from what its neighbours' queues
 * say: every packet of priority P at OUT has come in through IN, so what IN
 * has in the buffer is what has come to OUT and not left it. Above the threshold
 * (xoff, or alpha times the free part of the pool) the peer of IN must be paused,
 * again after half the quanta, and resumed as soon as xon or less is left (or the
 * offset below the threshold); each frame as soon as IN's line is free, ahead of all
 * data. At least so many pauses and refreshes must be seen, and so many frames
 * that had to wait for the end of a packet.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define PFC_WIRE	(MIN_FRAME + WIRE_OVERHEAD)
#define NEVER		UINT64_MAX

/* A change of what IN holds. */
struct change {
	uint64_t t_ns;
	int64_t bytes;
	int order;
};

struct xoff_model {
	struct lab *lab;
	const struct port *in;
	uint64_t rate, delay, quanta;
	uint64_t xoff_bytes, xon_bytes;	/* fixed thresholds, or */
	uint64_t alpha_q16, pool_bytes, xon_offset;
	int prio;
	struct change *change;
	int changes;
	uint64_t shared, headroom, peak;
	bool xoff;
	uint64_t want_ns;	/* a frame is wanted since then */
	uint64_t refresh_ns;
	const struct event *frame, *data, *state;
	uint64_t pauses, resumes, refreshes, behind;
};

/* At one instant packets leave before others come. */
static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->t_ns != y->t_ns)
		return x->t_ns < y->t_ns ? -1 : 1;
	if (x->bytes > 0 && y->bytes < 0)
		return 1;
	if (x->bytes < 0 && y->bytes > 0)
		return -1;
	return x->order - y->order;
}

static void collect(struct xoff_model *m, const struct port *out)
{
	const struct trace *t = &m->lab->trace;
	const struct event *e;

	m->change = calloc(t->count + 1, sizeof(*m->change));
	if (!m->change)
		die("memory for %d events", t->count);
	for (e = t->ev; e < t->ev + t->count; e++) {
		struct change *c = &m->change[m->changes];

		if (!event_at(e, out) || e->prio != m->prio ||
		    (e->type != EV_ENQUEUE && e->type != EV_DEQUEUE))
			continue;
		c->t_ns = e->type == EV_ENQUEUE ? e->t_ns : e->depart_ns;
		c->bytes = e->type == EV_ENQUEUE ? (int64_t)e->wire_bytes :
						   -(int64_t)e->wire_bytes;
		c->order = m->changes++;
	}
	qsort(m->change, m->changes, sizeof(*m->change), by_time);
}

/* When IN's line can take a frame that is wanted at @want_ns: behind what
 * is on it, if anything. Of a packet that starts in the very
 * same nanosecond either may be first: both are right, the trace decides.
 */
static uint64_t line_free(struct xoff_model *m, uint64_t want_ns,
			  uint64_t sent_ns)
{
	const struct event *e;

	while ((e = next_event(&m->lab->trace, m->data, m->in, EV_DEQUEUE)) &&
	       e->t_ns <= want_ns)
		m->data = e;
	e = m->frame;
	if (e && e->depart_ns > want_ns)
		return e->depart_ns;
	e = m->data;
	if (!e || e->depart_ns <= want_ns ||
	    (e->t_ns == want_ns && sent_ns == want_ns))
		return want_ns;
	return e->depart_ns;
}

/* The frame that is wanted must be the next that IN has sent. */
static void compare_frame(struct xoff_model *m)
{
	const struct event *e = next_event(&m->lab->trace, m->frame, m->in,
					   EV_PFC_TX);
	uint64_t quanta = m->xoff ? m->quanta : 0, start, span;

	if (!e) {
		fail(m->lab, "%s: no frame, one is due since %llu", m->in->name,
		     (unsigned long long)m->want_ns);
		m->want_ns = NEVER;
		return;
	}
	start = line_free(m, m->want_ns, e->t_ns);
	m->frame = e;
	m->behind += start > m->want_ns;
	span = wire_ticks(PFC_WIRE) / m->rate;
	/* start and end are both rounded up: the span may be 1 ns more */
	if (e->t_ns != start || e->depart_ns < start + span ||
	    e->depart_ns > start + span + 1 ||
	    e->due_ns != e->depart_ns + m->delay || e->enable != 1 << m->prio ||
	    e->quanta[m->prio] != quanta)
		fail(m->lab, "%s: %llu quanta due at %llu (wanted %llu), trace: %02x %u %llu left %llu due %llu",
		     m->in->name, (unsigned long long)quanta,
		     (unsigned long long)start, (unsigned long long)m->want_ns,
		     e->enable, e->quanta[m->prio], (unsigned long long)e->t_ns,
		     (unsigned long long)e->depart_ns,
		     (unsigned long long)e->due_ns);
	m->want_ns = NEVER;
	m->refresh_ns = NEVER;
	if (m->xoff)
		m->refresh_ns = start + m->quanta * 256 * 1000000000 / m->rate;
}

/* Frames that leave before @t_ns: nothing has changed until then. */
static void send_frames(struct xoff_model *m, uint64_t t_ns)
{
	for (;;) {
		if (m->want_ns != NEVER) {
			if (line_free(m, m->want_ns, m->want_ns) >= t_ns)
				return;
			compare_frame(m);
		} else if (m->refresh_ns < t_ns) {
			m->want_ns = m->refresh_ns;
			m->refresh_ns = NEVER;
			m->refreshes++;
		} else {
			return;
		}
	}
}

static uint64_t held(const struct xoff_model *m)
{
	return m->shared + m->headroom;
}

/* What IN may hold of the shared pool; nobody else holds any of it. */
static uint64_t threshold(const struct xoff_model *m)
{
	if (m->xoff_bytes)
		return m->xoff_bytes;
	return (m->pool_bytes - m->shared) * m->alpha_q16 >> 16;
}

static void charge(struct xoff_model *m, uint64_t bytes)
{
	uint64_t limit = threshold(m);
	uint64_t room = limit > m->shared ? limit - m->shared : 0;

	if (room > bytes)
		room = bytes;
	m->shared += room;
	m->headroom += bytes - room;
	if (held(m) > m->peak)
		m->peak = held(m);
}

static void release(struct xoff_model *m, uint64_t bytes)
{
	uint64_t part = bytes < m->headroom ? bytes : m->headroom;

	m->headroom -= part;
	m->shared -= bytes - part;
}

static bool may_resume(const struct xoff_model *m)
{
	if (m->headroom)
		return false;
	if (m->xoff_bytes)
		return m->shared <= m->xon_bytes;
	return !m->shared || m->shared + m->xon_offset <= threshold(m);
}

static void set_state(struct xoff_model *m, bool xoff, uint64_t t_ns)
{
	const struct event *e = next_event(&m->lab->trace, m->state, m->in,
					   EV_XOFF);

	m->xoff = xoff;
	/* a frame that still waits for the line says what holds when it goes */
	if (t_ns < m->want_ns)
		m->want_ns = t_ns;
	m->refresh_ns = NEVER;
	if (xoff)
		m->pauses++;
	else
		m->resumes++;
	if (!e) {
		fail(m->lab, "%s: no change of state at %llu", m->in->name,
		     (unsigned long long)t_ns);
		return;
	}
	m->state = e;
	if (e->state != xoff || e->t_ns != t_ns || e->prio != m->prio ||
	    e->in_bytes != held(m))
		fail(m->lab, "%s: xoff=%d at %llu with %llu bytes, trace: %d %d %llu %llu",
		     m->in->name, xoff, (unsigned long long)t_ns,
		     (unsigned long long)held(m), e->prio, e->state,
		     (unsigned long long)e->t_ns,
		     (unsigned long long)e->in_bytes);
}

/* A refresh that is due in the very nanosecond of a change may be before or
 * after it: the two are events of different ports. The trace decides.
 */
static bool refresh_first(const struct xoff_model *m, uint64_t t_ns)
{
	const struct event *e = next_event(&m->lab->trace, m->frame, m->in,
					   EV_PFC_TX);

	return m->refresh_ns == t_ns && e && e->t_ns == t_ns &&
	       e->quanta[m->prio];
}

static void replay(struct xoff_model *m)
{
	int i;

	for (i = 0; i < m->changes; i++) {
		const struct change *c = &m->change[i];

		send_frames(m, c->t_ns + refresh_first(m, c->t_ns));
		if (c->bytes > 0)
			charge(m, c->bytes);
		else
			release(m, -c->bytes);
		if (!m->xoff && m->headroom)
			set_state(m, true, c->t_ns);
		else if (m->xoff && c->bytes < 0 && may_resume(m))
			set_state(m, false, c->t_ns);
	}
	send_frames(m, NEVER);
}

void step_check_xoff(struct lab *lab, const struct args *a)
{
	struct xoff_model m = {
		.lab = lab, .rate = arg_number(a, "rate", 0),
		.delay = arg_number(a, "delay", 0),
		.prio = arg_number(a, "prio", 3),
		.xoff_bytes = arg_number(a, "xoff", 0),
		.xon_bytes = arg_number(a, "xon", 0),
		.alpha_q16 = arg_number(a, "alpha", 0),
		.pool_bytes = arg_number(a, "pool", 0),
		.xon_offset = arg_number(a, "xon-offset", 4096),
		.quanta = arg_number(a, "quanta", 65535),
		.want_ns = NEVER, .refresh_ns = NEVER,
	};

	errno = 0;
	if (a->count < 2 || !m.rate || (!m.xoff_bytes && !m.pool_bytes))
		die("line %d: check-xoff PORT out=PORT rate= xoff= or pool= ...",
		    lab->line);
	m.in = find_port(lab, a->word[1]);
	collect(&m, arg_port(lab, a, "out"));
	replay(&m);
	free(m.change);
	if (held(&m))
		fail(lab, "%llu bytes have not left",
		     (unsigned long long)held(&m));
	if (next_event(&lab->trace, m.frame, m.in, EV_PFC_TX) ||
	    next_event(&lab->trace, m.state, m.in, EV_XOFF))
		fail(lab, "%s has sent more frames than are due", m.in->name);
	if (m.pauses < arg_number(a, "pauses", 1) ||
	    m.refreshes < arg_number(a, "refreshes", 0) ||
	    m.behind < arg_number(a, "behind", 0))
		fail(lab, "too few: %llu pauses, %llu refreshes, %llu frames behind a packet",
		     (unsigned long long)m.pauses,
		     (unsigned long long)m.refreshes,
		     (unsigned long long)m.behind);
	printf("pauses=%llu resumes=%llu refreshes=%llu behind=%llu peak=%llu\n",
	       (unsigned long long)m.pauses, (unsigned long long)m.resumes,
	       (unsigned long long)m.refreshes, (unsigned long long)m.behind,
	       (unsigned long long)m.peak);
}
