// SPDX-License-Identifier: GPL-2.0
/*
 * Checks that a port stops and starts as the frames of PFC (priority-based flow control) say
 * that it received.
 *
 * check-pause PORT rate=R lossless=MASK [response=NS] [delay=NS] [waits=N]
 *
 * The starts of all transmissions of a port, from the packets that came to it
 * and the PFC frames that it received, by an event loop of our own in exact
 * arithmetic: time counts 1/rate ns in 128 bits. A quantum is 512 bits. Every
 * start, departure and delivery in the trace must be the model's, every pause
 * and every resume too. At least N packets must have started at the very end
 * of a pause, or little is shown.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define NEVER		(~(u128)0 >> 1)
#define MAX_PENDING	256
#define NS(m, ns)	((u128)(ns) * (m)->rate)

struct waiting {
	u128 since;
	uint64_t wire_bytes, arrival_ns;
};

struct pending {
	uint64_t at_ns;
	const struct event *frame;
};

struct pause_model {
	struct lab *lab;
	const struct port *port;
	uint64_t rate, response, delay, last_due;
	uint8_t lossless;
	u128 line_free, until[PRIOS];
	bool paused[PRIOS];
	struct waiting *queue[PRIOS];
	int head[PRIOS], tail[PRIOS], room;
	struct pending pending[MAX_PENDING];
	int pending_head, pending_tail;
	const struct event *sent;	/* the last one compared */
	const struct event *pauses[PRIOS];
	uint64_t starts, waits, silence_ns;
};

static const struct event *next_pause(const struct pause_model *m, int prio)
{
	const struct event *e = m->pauses[prio];

	do {
		e = next_event(&m->lab->trace, e, m->port, EV_PAUSE);
	} while (e && e->prio != prio);
	return e;
}

/* The trace must say that a pause began, was extended, or ended now. */
static void compare_pause(struct pause_model *m, int prio, bool on,
			  uint64_t t_ns)
{
	const struct event *e = next_pause(m, prio);
	uint64_t until = ceil_ns(m->until[prio], m->rate);

	m->pauses[prio] = e ? e : m->pauses[prio];
	if (!e && !on && m->head[prio] == m->tail[prio])
		return;	/* nobody has looked since, nothing waited for it */
	if (!e)
		fail(m->lab, "%s prio %d: %s at %llu is not in the trace",
		     m->port->name, prio, on ? "pause" : "resume",
		     (unsigned long long)t_ns);
	else if (e->state != on || e->t_ns != t_ns || (on && e->until_ns != until))
		fail(m->lab, "%s prio %d: model %s at %llu until %llu, trace %d %llu %llu",
		     m->port->name, prio, on ? "pause" : "resume",
		     (unsigned long long)t_ns, (unsigned long long)until,
		     e->state, (unsigned long long)e->t_ns,
		     (unsigned long long)e->until_ns);
}

/* Which priority could start when. */
static u128 next_start(const struct pause_model *m, int *prio)
{
	u128 best = NEVER;
	int i;

	for (i = PRIOS - 1; i >= 0; i--) {
		u128 at = m->line_free;

		if (m->head[i] == m->tail[i])
			continue;
		if (m->queue[i][m->head[i]].since > at)
			at = m->queue[i][m->head[i]].since;
		if (m->until[i] > at)
			at = m->until[i];
		if (at < best) {
			best = at;
			*prio = i;
		}
	}
	return best;
}

static void compare_start(struct pause_model *m, int prio, u128 start,
			  const struct waiting *w)
{
	const struct event *e;
	uint64_t start_ns = ceil_ns(start, m->rate), depart_ns, due_ns;

	m->starts++;
	depart_ns = ceil_ns(start + wire_ticks(w->wire_bytes), m->rate);
	due_ns = depart_ns + m->delay;
	e = next_event(&m->lab->trace, m->sent, m->port, EV_DEQUEUE);
	if (!e) {
		fail(m->lab, "%s: nothing starts at %llu", m->port->name,
		     (unsigned long long)start_ns);
		return;
	}
	m->sent = e;
	if (e->prio != prio || e->t_ns != start_ns || e->depart_ns != depart_ns ||
	    e->due_ns != due_ns || e->arrival_ns != w->arrival_ns)
		fail(m->lab, "%s: model prio %d at %llu left %llu due %llu, trace %d %llu %llu %llu",
		     m->port->name, prio, (unsigned long long)start_ns,
		     (unsigned long long)depart_ns, (unsigned long long)due_ns,
		     e->prio, (unsigned long long)e->t_ns,
		     (unsigned long long)e->depart_ns,
		     (unsigned long long)e->due_ns);
}

/* Decide everything that starts, and every pause that ends, up to @limit. */
static void run_until(struct pause_model *m, u128 limit)
{
	int prio = 0, i;
	u128 start;

	while ((start = next_start(m, &prio)) <= limit) {
		struct waiting *w = &m->queue[prio][m->head[prio]++];

		if (start == m->until[prio] && w->since < start &&
		    m->line_free < start) {
			/* the line has been silent: since when? */
			u128 from = m->line_free > w->since ? m->line_free :
							      w->since;

			m->waits++;
			m->silence_ns += (start - from) / m->rate;
		}
		compare_start(m, prio, start, w);
		m->line_free = start + wire_ticks(w->wire_bytes);
	}
	for (i = 0; i < PRIOS; i++) {
		if (!m->paused[i] || m->until[i] > limit)
			continue;
		m->paused[i] = false;
		compare_pause(m, i, false, ceil_ns(m->until[i], m->rate));
	}
}

/* What a PFC frame says takes effect. */
static void obey(struct pause_model *m, const struct event *frame, uint64_t at_ns)
{
	int i;

	run_until(m, NS(m, at_ns));
	for (i = 0; i < PRIOS; i++) {
		if (!(frame->enable & m->lossless & 1 << i))
			continue;
		if (!frame->quanta[i] && !m->paused[i])
			continue;
		m->until[i] = NS(m, at_ns) + (u128)frame->quanta[i] * 512 * 1000000000;
		m->paused[i] = frame->quanta[i];
		compare_pause(m, i, m->paused[i], at_ns);
	}
}

static void take_effect(struct pause_model *m, uint64_t now_ns)
{
	while (m->pending_head != m->pending_tail) {
		struct pending *p = &m->pending[m->pending_head % MAX_PENDING];

		if (p->at_ns > now_ns)
			return;
		m->pending_head++;
		obey(m, p->frame, p->at_ns);
	}
}

static void receive(struct pause_model *m, const struct event *e)
{
	struct pending *p = &m->pending[m->pending_tail % MAX_PENDING];

	errno = 0;
	if (m->pending_tail - m->pending_head == MAX_PENDING)
		die("more than %d PFC frames at a time", MAX_PENDING);
	p->at_ns = e->t_ns + m->response;
	p->frame = e;
	m->pending_tail++;
	take_effect(m, e->t_ns);
}

static void arrive(struct pause_model *m, const struct event *e)
{
	struct waiting *w;

	take_effect(m, e->t_ns);
	run_until(m, NS(m, e->t_ns));
	if (m->tail[e->prio] == m->room)
		die("more packets than events");
	w = &m->queue[e->prio][m->tail[e->prio]++];
	w->since = NS(m, e->t_ns);
	w->arrival_ns = e->t_ns;
	w->wire_bytes = e->wire_bytes;
}

static void replay(struct pause_model *m)
{
	const struct trace *t = &m->lab->trace;
	const struct event *e;

	for (e = t->ev; e < t->ev + t->count; e++) {
		if (!event_at(e, m->port))
			continue;
		if (e->type == EV_ENQUEUE)
			arrive(m, e);
		else if (e->type == EV_PFC_RX && !strcmp(e->word, "ok"))
			receive(m, e);
	}
	take_effect(m, UINT64_MAX);
	run_until(m, NEVER - 1);
}

/* What the peer has put on its line must have come in when it was due. */
static const struct event *next_control(const struct trace *t,
					const struct event *e,
					const struct port *p)
{
	for (e = e ? e + 1 : t->ev; e < t->ev + t->count; e++)
		if (event_at(e, p) &&
		    (e->type == EV_PFC_TX ||
		     (e->type == EV_DEQUEUE && e->prio == 7)))
			return e;
	return NULL;
}

static void check_received(struct lab *lab, const struct port *p,
			   const struct port *peer)
{
	const struct event *sent = NULL, *got = NULL;
	uint64_t n = 0;

	while ((sent = next_control(&lab->trace, sent, peer))) {
		got = next_event(&lab->trace, got, p, EV_PFC_RX);
		if (!got || sent->due_ns != got->t_ns) {
			fail(lab, "%s: MAC control frame %llu is noticed at %llu, due at %llu",
			     p->name, (unsigned long long)n,
			     got ? (unsigned long long)got->t_ns : 0,
			     (unsigned long long)sent->due_ns);
			return;
		}
		n++;
	}
	if (next_event(&lab->trace, got, p, EV_PFC_RX) || n < peer->control)
		fail(lab, "%s has noticed others than the %llu MAC control frames of its peer",
		     p->name, (unsigned long long)n);
}

void step_check_pause(struct lab *lab, const struct args *a)
{
	static struct pause_model m;
	int i;

	errno = 0;
	if (a->count < 2)
		die("line %d: check-pause PORT ...", lab->line);
	memset(&m, 0, sizeof(m));
	m.lab = lab;
	m.port = find_port(lab, a->word[1]);
	m.rate = arg_number(a, "rate", 0);
	m.response = arg_number(a, "response", 0);
	m.delay = arg_number(a, "delay", 0);
	m.lossless = arg_number(a, "lossless", 0);
	m.room = count_events(&lab->trace, m.port, EV_ENQUEUE);
	if (!m.rate || !m.room)
		die("line %d: no rate, or no packets at %s", lab->line,
		    m.port->name);
	for (i = 0; i < PRIOS; i++) {
		m.queue[i] = calloc(m.room, sizeof(*m.queue[i]));
		if (!m.queue[i])
			die("memory for %d packets", m.room);
	}
	if (arg_text(a, "peer"))
		check_received(lab, m.port, arg_port(lab, a, "peer"));
	replay(&m);
	if (next_event(&lab->trace, m.sent, m.port, EV_DEQUEUE))
		fail(lab, "%s has sent more packets than it got", m.port->name);
	for (i = 0; i < PRIOS; i++) {
		if (next_pause(&m, i))
			fail(lab, "%s prio %d: more pauses than the model has",
			     m.port->name, i);
		free(m.queue[i]);
	}
	if (m.waits < arg_number(a, "waits", 0))
		fail(lab, "only %llu packets have waited for the end of a pause",
		     (unsigned long long)m.waits);
	printf("starts=%llu waits=%llu silence_ns=%llu\n",
	       (unsigned long long)m.starts, (unsigned long long)m.waits,
	       (unsigned long long)m.silence_ns);
}
