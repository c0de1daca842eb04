// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the congestion notification packets (CNPs) of Mercury's switch against a second model
 * of it: from the port's trace, what came, what was sent, when it was paused, and from the host
 * behind it, whose packets these were. Each CNP is compared byte for byte, and its arrival by
 * the nanosecond.
 *
 * What Mercury cannot know, this can: how long the queue would be if the port had never
 * been paused, by the same arrivals. A packet that comes to a long queue is congestion's
 * if that one is long too, and a victim's if it is not.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define UDP_BYTES	8
#define FIELD_BYTES	16
#define CNP_OPCODE	0x81
#define CNP_DSCP	48
#define BECN		0x40000000U
#define FLAGS		0x07	/* forward, window, PSN */
#define MERCURY		1
#define PRIO		3
#define BYTE_TICKS	8000000000ULL	/* bits of a byte times ns of a second */

struct waiting {
	uint64_t bytes;
	const struct flow *flow;
};

struct mercury {
	struct lab *lab;
	const struct port *port, *host;
	uint64_t rate, threshold, period_ns, interval_ns, rtt_ns;
	uint64_t back_rate, back_delay_ns;
	/* the queue */
	struct waiting *queue;
	int head, tail, room;
	uint64_t bytes;
	int frame;			/* data of @host before this one */
	/* its judgement */
	bool paused, undetermined;
	uint64_t pause_ns, rx_bytes, look_ns, look_bytes;
	/* its senders */
	uint64_t last_ns[MAX_FLOWS];	/* of the first flow of a pair */
	int next[MAX_PORTS];
	u128 back_free[MAX_PORTS];
	int64_t offset;
	bool offset_known;
	uint64_t cnps, damped, congested, spared, entered;
	/* the queue without pauses, in ticks, and how often the judgement is not its */
	u128 free_ticks;
	uint64_t free_ns;
	uint64_t victims_told, culprits_missed;
};

static const struct flow *next_flow(struct mercury *m, uint32_t *seq)
{
	struct parsed q;
	uint32_t flow;

	while (m->frame < m->host->count) {
		const struct frame *f = m->host->frames[m->frame++];

		if (parse_frame(&q, f->data, f->len, 27) &&
		    data_id(&q, f->data, &flow, seq) && flow < MAX_FLOWS &&
		    m->lab->flow[flow].used)
			return &m->lab->flow[flow];
	}
	return NULL;
}

static bool same_pair(const struct flow *a, const struct flow *b)
{
	return a->src == b->src && a->dst == b->dst && a->v6 == b->v6;
}

/* The first flow between the same two addresses. */
static int pair_of(const struct mercury *m, const struct flow *f)
{
	int i = 0;

	while (!m->lab->flow[i].used || !same_pair(&m->lab->flow[i], f))
		i++;
	return i;
}

static uint64_t pair_bytes(const struct mercury *m, const struct flow *f)
{
	uint64_t bytes = 0;
	int i;

	for (i = m->head; i < m->tail; i++)
		if (same_pair(m->queue[i].flow, f))
			bytes += m->queue[i].bytes;
	return bytes;
}

/* Is it one of Mercury's, all of it, with the right ICRC? */
bool is_mercury_cnp(const uint8_t *b, int len)
{
	static uint8_t copy[1 << 17];
	struct parsed p;
	int field;

	if (!parse_frame(&p, b, len, 27) || p.dscp != CNP_DSCP || p.ecn ||
	    p.bth + BTH_BYTES + FIELD_BYTES + ICRC_BYTES != p.end)
		return false;
	field = p.bth + BTH_BYTES;
	if (b[p.bth] != CNP_OPCODE || !get32(b + field) || b[field + 4] != FLAGS ||
	    b[field + 5] != MERCURY || !get16(b + field + 6) || get32(b + field + 12))
		return false;
	memcpy(copy, b, len);
	put_icrc(copy, p.ip, p.v6, p.udp, p.end);
	return !memcmp(copy, b, len);
}

static bool is_cnp(const uint8_t *b, int len)
{
	struct parsed p;

	return parse_frame(&p, b, len, 27) && p.dscp == CNP_DSCP &&
	       b[p.bth] == CNP_OPCODE;
}

static const struct frame *next_cnp(struct mercury *m, const struct port *src)
{
	int *next = &m->next[src - m->lab->port];

	while (*next < src->count) {
		const struct frame *f = src->frames[(*next)++];

		if (is_cnp(f->data, f->len))
			return f;
	}
	return NULL;
}

/* What the sender must get. Returns the length. */
static int build_cnp(uint8_t *b, const struct port *port, const struct flow *f, uint32_t seq,
		     uint32_t window)
{
	int ip, udp, bth, end, ip_bytes = f->v6 ? 40 : 20;
	struct flow turned = *f;
	struct parsed p;

	turned.src = f->dst;
	turned.dst = f->src;
	turned.telemetry = false;
	turned.dscp = CNP_DSCP;
	turned.ecn = 0;
	parse_frame(&p, b, build_data(b, &turned, seq), 27);
	ip = p.ip;
	udp = ip + ip_bytes;
	bth = udp + UDP_BYTES;
	end = bth + BTH_BYTES + FIELD_BYTES + ICRC_BYTES;

	b[bth] = CNP_OPCODE;
	put32(b + bth + 4, get32(b + bth + 4) | BECN);
	put32(b + bth + 8, 0);
	memset(b + bth + BTH_BYTES, 0, FIELD_BYTES);
	put32(b + bth + BTH_BYTES, window);
	b[bth + BTH_BYTES + 4] = FLAGS;
	b[bth + BTH_BYTES + 5] = MERCURY;
	put16(b + bth + BTH_BYTES + 6, cnp_port(port));
	put32(b + bth + BTH_BYTES + 8, seq);
	put16(b + udp + 4, end - udp);
	if (f->v6) {
		put16(b + ip + 4, end - udp);
	} else {
		put16(b + ip + 2, end - ip);
		put16(b + ip + 10, 0);
		put16(b + ip + 10, ip_checksum(b + ip, ip_bytes));
	}
	put_icrc(b, ip, f->v6, udp, end);
	return end;
}

static void complain(struct mercury *m, const struct flow *f, const char *what,
		     const uint8_t *b, int len)
{
	char hex[2 * 100 + 1] = "";
	int i;

	for (i = 0; i < len && i < 100; i++)
		snprintf(hex + 2 * i, 3, "%02x", b[i]);
	fail(m->lab, "%s, flow %d: %s: %s", m->port->name, f->id, what, hex);
}

/* It leaves at once, behind those before it, by a line that sends nothing else. The
 * first one tells how the clocks of trace and frames differ.
 */
static void check_time(struct mercury *m, const struct flow *f, const struct frame *got,
		       uint64_t now_ns)
{
	u128 *line = &m->back_free[f->src - m->lab->port];
	u128 start = (u128)now_ns * m->back_rate;
	int64_t late;

	if (*line > start)
		start = *line;
	*line = start + wire_ticks(got->len + WIRE_OVERHEAD);
	late = got->time_ns - ceil_ns(*line, m->back_rate) - m->back_delay_ns;
	if (!m->offset_known)
		m->offset = late;
	m->offset_known = true;
	if (late != m->offset)
		fail(m->lab, "%s, flow %d: comes %lld ns from when it should",
		     m->port->name, f->id, (long long)(late - m->offset));
}

/* C * baseRTT * share, rounded down twice. */
static uint32_t window_of(const struct mercury *m, const struct flow *f)
{
	u128 line = (u128)m->rate * m->rtt_ns / BYTE_TICKS;
	u128 window = line * pair_bytes(m, f) / m->bytes;

	return window ? window : 1;
}

static void tell(struct mercury *m, const struct flow *f, uint32_t seq,
		 uint64_t now_ns)
{
	uint64_t *last = &m->last_ns[pair_of(m, f)];
	static uint8_t want[MAX_FRAME];
	const struct frame *got;
	int len;

	if (*last && now_ns - *last < m->interval_ns) {
		m->damped++;
		return;
	}
	*last = now_ns;
	m->cnps++;
	got = next_cnp(m, f->src);
	if (!got) {
		fail(m->lab, "%s, flow %d packet %u: no CNP", m->port->name, f->id, seq);
		return;
	}
	len = build_cnp(want, m->port, f, seq, window_of(m, f));
	if (got->len != len || memcmp(got->data, want, len)) {
		complain(m, f, "is", got->data, got->len);
		complain(m, f, "should be", want, len);
	}
	check_time(m, f, got, now_ns);
}

/* The queue as if nothing had ever been paused. */
static void free_queue(struct mercury *m, const struct event *e)
{
	u128 sent = (u128)(e->t_ns - m->free_ns) * m->rate;

	m->free_ticks -= sent < m->free_ticks ? sent : m->free_ticks;
	m->free_ticks += wire_ticks(e->wire_bytes);
	m->free_ns = e->t_ns;
}

/* A packet comes, and @waits or not. */
static void arrives(struct mercury *m, const struct event *e, bool waits)
{
	const struct flow *f;
	uint32_t seq;

	f = next_flow(m, &seq);
	if (!f) {
		fail(m->lab, "%s: more packets came than %s has got", m->port->name,
		     m->host->name);
		return;
	}
	free_queue(m, e);
	if (m->paused)
		m->rx_bytes += e->wire_bytes;
	if (!waits)
		return;
	if (m->tail == m->room) {
		m->room = m->room ? 2 * m->room : 4096;
		m->queue = realloc(m->queue, m->room * sizeof(*m->queue));
		if (!m->queue)
			die("memory for the queue");
	}
	m->queue[m->tail++] = (struct waiting) { e->wire_bytes, f };
	m->bytes += e->wire_bytes;
	if (m->bytes <= m->threshold)
		return;
	if (m->undetermined) {
		m->spared++;
		m->culprits_missed += m->free_ticks > wire_ticks(m->threshold);
		return;
	}
	m->congested++;
	m->victims_told += m->free_ticks <= wire_ticks(m->threshold);
	tell(m, f, seq, e->t_ns);
}

static void leaves(struct mercury *m, uint64_t now_ns)
{
	m->bytes -= m->queue[m->head++].bytes;
	if (!m->undetermined || m->paused || now_ns - m->look_ns < m->period_ns)
		return;
	m->undetermined = m->bytes >= m->threshold && m->bytes < m->look_bytes;
	m->look_ns = now_ns;
	m->look_bytes = m->bytes;
}

static void pauses(struct mercury *m, const struct event *e)
{
	if (e->state && !m->paused) {
		m->entered += !m->undetermined;
		m->paused = true;
		m->undetermined = true;
		m->pause_ns = e->t_ns;
		m->rx_bytes = 0;
	} else if (!e->state) {
		m->undetermined = m->bytes >= m->threshold &&
				  m->rx_bytes * (u128)BYTE_TICKS <=
				  (u128)m->rate * (e->t_ns - m->pause_ns);
		m->paused = false;
		m->look_ns = e->t_ns;
		m->look_bytes = m->bytes;
	}
}

/* A packet that finds the line idle is sent in the same instant, as next event. */
static void replay(struct mercury *m)
{
	const struct trace *t = &m->lab->trace;
	const struct event *e, *came = NULL;

	for (e = t->ev; e < t->ev + t->count; e++) {
		if (!event_at(e, m->port) || e->prio != PRIO)
			continue;
		if (came) {
			bool sent = e->type == EV_DEQUEUE && m->head == m->tail &&
				    e->arrival_ns == came->t_ns && e->t_ns == came->t_ns;

			arrives(m, came, !sent);
			came = NULL;
			if (sent)
				continue;
		}
		if (e->type == EV_ENQUEUE)
			came = e;
		else if (e->type == EV_DEQUEUE)
			leaves(m, e->t_ns);
		else if (e->type == EV_PAUSE)
			pauses(m, e);
	}
}

/* check-cnps PORT [vlan=N] [least=N]: CNPs that have come to PORT; each has the tag of that
 * VLAN, or none for 0.
 */
void step_check_cnps(struct lab *lab, const struct args *a)
{
	const struct port *p = find_port(lab, a->count > 1 ? a->word[1] : "");
	int vlan = arg_number(a, "vlan", 0), got, i;
	uint64_t n = 0;

	for (i = 0; i < p->count; i++) {
		const struct frame *f = p->frames[i];

		if (!is_mercury_cnp(f->data, f->len))
			continue;
		n++;
		got = get16(f->data + 12) == 0x8100 ? get16(f->data + 14) & 0xfff : 0;
		if (got != vlan)
			fail(lab, "%s: a CNP has VLAN %d, want %d", p->name, got, vlan);
	}
	if (n < arg_number(a, "least", 1))
		fail(lab, "%s: %llu CNPs", p->name, (unsigned long long)n);
}

/* check-mercury PORT at=HOST rate=RATE back-rate=RATE back-delay=TIME threshold=SIZE
 * [rtt=TIME] [period=TIME] [interval=TIME]: CNPs of PORT, whose data goes to HOST. Needs
 * the events enqueue, dequeue, pause; prints what the port must have counted.
 */
void step_check_mercury(struct lab *lab, const struct args *a)
{
	static struct mercury m;
	int i;

	errno = 0;
	if (a->count < 2)
		die("line %d: check-mercury PORT ...", lab->line);
	free(m.queue);
	memset(&m, 0, sizeof(m));
	m.lab = lab;
	m.port = find_port(lab, a->word[1]);
	m.host = arg_port(lab, a, "at");
	m.rate = arg_number(a, "rate", 100000000000);
	m.threshold = arg_number(a, "threshold", 0);
	m.rtt_ns = arg_number(a, "rtt", 12000);
	m.period_ns = arg_number(a, "period", 10000);
	m.interval_ns = arg_number(a, "interval", m.rtt_ns);
	m.back_rate = arg_number(a, "back-rate", 100000000000);
	m.back_delay_ns = arg_number(a, "back-delay", 0);
	replay(&m);
	for (i = 0; i < MAX_FLOWS; i++) {
		const struct flow *f = &lab->flow[i];
		const struct frame *more = f->used ? next_cnp(&m, f->src) : NULL;

		if (more)
			complain(&m, f, "a CNP too many", more->data, more->len);
	}
	if (m.head != m.tail)
		fail(lab, "%s: %d packets wait in the end", m.port->name, m.tail - m.head);
	printf("%s cnps=%llu damped=%llu entered=%llu congested=%llu spared=%llu\n",
	       m.port->name, (unsigned long long)m.cnps, (unsigned long long)m.damped,
	       (unsigned long long)m.entered, (unsigned long long)m.congested,
	       (unsigned long long)m.spared);
	printf("%s victims_told=%llu culprits_missed=%llu\n", m.port->name,
	       (unsigned long long)m.victims_told,
	       (unsigned long long)m.culprits_missed);
}
