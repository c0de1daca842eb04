// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the responses of in-band network telemetry (INT) that a switch sends against a model of
 * who must get one, when, and what it says: every packet that met a long queue, by the trace,
 * once an interval a flow. Each response is compared byte for byte with one built here; only the
 * hops of earlier ports are taken from the data packet as it came in.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frames.h"

#define UDP_BYTES	8
#define HOP_BYTES	32
#define COMPACT_BYTES	8
#define REPORT_OPCODE	0xc1
#define REPORT_SWITCH	4
#define REPORT_DSCP	48
#define TLV_INT		1
#define TLV_LAYOUT	0x001c	/* in its flags */
#define TLV_COMPACT	0x0004	/* the id of the path is in front of the hops */
#define HPCC_INSTR	0xc400
#define HPCC_DS		0xe000
#define DOMAIN		0x0cc1
#define TICKS_A_BYTE	8000000000ULL	/* a tick is 1/rate ns */

static void put64(uint8_t *p, uint64_t v)
{
	put32(p, v >> 32);
	put32(p + 4, v);
}

/* Is it a switch's report, all of it, with the right ICRC? Then *@hops is where
 * its hops are; 0 for compact ones, which do not say whose they are.
 */
bool is_report(const uint8_t *b, int len, int *hops)
{
	static uint8_t copy[1 << 17];
	int body, path, bytes;
	struct parsed p;

	if (!parse_frame(&p, b, len, 27) || p.dscp != REPORT_DSCP || p.ecn ||
	    p.bth + BTH_BYTES + 8 + ICRC_BYTES > p.end)
		return false;
	body = p.bth + BTH_BYTES;
	path = (get16(b + body + 6) & TLV_LAYOUT) == TLV_COMPACT ? 4 : 0;
	bytes = 4 * b[body + 5] - path;
	if (b[p.bth] != REPORT_OPCODE || get32(b + body) != REPORT_SWITCH << 24 ||
	    b[body + 4] != TLV_INT || bytes <= 0 ||
	    bytes % (path ? COMPACT_BYTES : HOP_BYTES) ||
	    body + 8 + path + bytes + ICRC_BYTES != p.end)
		return false;
	memcpy(copy, b, len);
	put_icrc(copy, p.ip, p.v6, p.udp, p.end);
	*hops = path ? 0 : body + 8;
	return !memcmp(copy, b, len);
}

/* A port and what is known of it at one place of the trace. */
struct model {
	struct lab *lab;
	const struct port *port, *host;
	uint64_t threshold, interval_ns, rate;
	bool routed;
	uint64_t back_rate, back_delay_ns;
	const struct event *ev;		/* everything before has been seen */
	uint64_t tx_bytes;		/* of all starts before @ev */
	u128 line_free;			/* when the last one ends */
	int frame;			/* data frames of @host before this one */
	uint64_t last_ns[MAX_FLOWS];
	int next[MAX_PORTS];		/* reports of @port before this frame */
	u128 back_free[MAX_PORTS];	/* lines towards the hosts */
	int64_t offset;
	bool offset_known;
	uint64_t sent, damped;
};

/* The line starts to send. What has waited starts when the line is free. */
static void model_start(struct model *m, const struct event *e)
{
	u128 start = (u128)e->t_ns * m->rate;
	bool waited = e->type == EV_PFC_TX || e->arrival_ns < e->t_ns;
	uint64_t bytes = e->type == EV_PFC_TX ? MIN_FRAME + WIRE_OVERHEAD :
						e->wire_bytes;

	if (waited && ceil_ns(m->line_free, m->rate) == e->t_ns)
		start = m->line_free;
	m->line_free = start + wire_ticks(bytes);
	m->tx_bytes += bytes;
}

static uint64_t model_tx_bytes(const struct model *m, uint64_t t_ns)
{
	u128 now = (u128)t_ns * m->rate;

	if (m->line_free <= now)
		return m->tx_bytes;
	return m->tx_bytes -
	       (uint64_t)((m->line_free - now + TICKS_A_BYTE - 1) / TICKS_A_BYTE);
}

/* The next data packet that came in at the host behind the port. */
static const struct frame *model_data(struct model *m, struct parsed *q,
				      uint32_t *flow, uint32_t *seq)
{
	while (m->frame < m->host->count) {
		const struct frame *f = m->host->frames[m->frame++];

		if (parse_frame(q, f->data, f->len, 27) &&
		    data_id(q, f->data, flow, seq) && *flow < MAX_FLOWS &&
		    m->lab->flow[*flow].used)
			return f;
	}
	return NULL;
}

/* Which hop of the flow's path is the port? */
static int path_place(const struct model *m, const struct flow *f)
{
	int i;

	for (i = 0; i < f->path_len; i++)
		if (f->path[i] == m->port)
			return i;
	errno = 0;
	die("line %d: %s is not on the path of flow %d", m->lab->line,
	    m->port->name, f->id);
}

/* The port whose line leads to the sender: where its packets came in first. */
static const struct port *back_port(const struct flow *f)
{
	int i;

	for (i = 0; i < f->path_len; i++)
		if (f->ingress[i])
			return f->ingress[i];
	errno = 0;
	die("flow %d: the path has no ingress port", f->id);
}

/* Routers that a report passes on its way back. */
static int routers_back(const struct flow *f, int place)
{
	int i, n = 0;

	for (i = 0; i < place; i++)
		n += !!f->ingress[i];
	return n;
}

static void put_own_hop(uint8_t *b, const struct model *m,
			const struct flow *f, int place, const struct event *e)
{
	put32(b, m->port->node);
	put16(b + 4, f->ingress[place] ? f->ingress[place]->id : 0);
	put16(b + 6, m->port->id);
	put64(b + 8, e->t_ns + m->offset);
	put64(b + 16, model_tx_bytes(m, e->t_ns));
	put32(b + 24, e->queue_bytes);
	put32(b + 28, m->rate / 1000000);
}

/* What the sender of a packet must get. Returns the length. */
static int build_report(uint8_t *b, const struct model *m,
			const struct flow *f, uint32_t seq,
			const struct parsed *q, const struct frame *data,
			const struct event *e)
{
	int place = path_place(m, f), newer = f->path_len - 1 - place;
	int ip, udp, bth, end, ip_bytes = f->v6 ? 40 : 20;
	struct flow turned = *f;
	struct parsed p;

	/* headers of a packet the other way round, without INT */
	turned.src = f->dst;
	turned.dst = f->src;
	turned.via = NULL;
	turned.telemetry = false;
	turned.dscp = REPORT_DSCP;
	turned.ecn = 0;
	parse_frame(&p, b, build_data(b, &turned, seq), 27);
	if (m->routed)
		memcpy(b + 6, back_port(f)->mac, 6);
	ip = p.ip;
	udp = ip + ip_bytes;
	bth = udp + UDP_BYTES;
	end = bth + BTH_BYTES + 8 + (place + 1) * HOP_BYTES + ICRC_BYTES;

	b[bth] = REPORT_OPCODE;
	put32(b + bth + BTH_BYTES, REPORT_SWITCH << 24);
	put32(b + bth + BTH_BYTES + 4,
	      TLV_INT << 24 | (place + 1) * (HOP_BYTES / 4) << 16);
	put_own_hop(b + bth + BTH_BYTES + 8, m, f, place, e);
	memcpy(b + bth + BTH_BYTES + 8 + HOP_BYTES,
	       data->data + int_stack(q) + (newer + 1) * HOP_BYTES,
	       place * HOP_BYTES);
	put16(b + udp + 4, end - udp);
	if (f->v6) {
		put16(b + ip + 4, end - udp);
		b[ip + 7] = 64 - (m->routed ? routers_back(f, place) : 0);
	} else {
		put16(b + ip + 2, end - ip);
		b[ip + 8] = 64 - (m->routed ? routers_back(f, place) : 0);
		put16(b + ip + 10, 0);
		put16(b + ip + 10, ip_checksum(b + ip, ip_bytes));
	}
	put_icrc(b, ip, f->v6, udp, end);
	return end;
}

/* The next report of the port at a sender. */
static const struct frame *next_report(struct model *m, const struct port *src)
{
	int *next = &m->next[src - m->lab->port], hops;

	while (*next < src->count) {
		const struct frame *f = src->frames[(*next)++];

		if (is_report(f->data, f->len, &hops) && hops &&
		    get32(f->data + hops) == m->port->node &&
		    get16(f->data + hops + 6) == m->port->id)
			return f;
	}
	return NULL;
}

/* The stamps' clock runs as that of the trace, from the first one on. */
static void learn_offset(struct model *m, const struct frame *got,
			 const struct event *e)
{
	struct timespec mono, tai;
	int64_t offset;
	int hops;

	if (m->offset_known || !is_report(got->data, got->len, &hops) || !hops)
		return;
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_TAI, &tai);
	offset = (tai.tv_sec - mono.tv_sec) * 1000000000LL + tai.tv_nsec -
		 mono.tv_nsec;
	m->offset = get64(got->data + hops + 8) - e->t_ns;
	m->offset_known = true;
	/* two readings, of a ns each */
	if (llabs(m->offset - offset) > 3)
		fail(m->lab, "%s: the stamp is %lld ns off", m->port->name,
		     (long long)(m->offset - offset));
}

static void complain(struct model *m, const char *what, uint32_t flow,
		     uint32_t seq, const uint8_t *b, int len)
{
	char hex[2 * 200 + 1] = "";
	int i;

	for (i = 0; i < len && i < 200; i++)
		snprintf(hex + 2 * i, 3, "%02x", b[i]);
	fail(m->lab, "%s, flow %u packet %u: %s: %s", m->port->name, flow, seq,
	     what, hex);
}

/* It leaves at once, behind those before it, by a line that sends nothing else. */
static void check_time(struct model *m, const struct flow *f,
		       const struct frame *got, const struct event *e)
{
	u128 *line = &m->back_free[f->src - m->lab->port];
	u128 start = (u128)e->t_ns * m->back_rate;
	uint64_t due;

	if (!m->back_rate)
		return;
	if (*line > start)
		start = *line;
	*line = start + wire_ticks(got->len + WIRE_OVERHEAD);
	due = ceil_ns(*line, m->back_rate) + m->back_delay_ns + m->offset;
	if (got->time_ns != due)
		fail(m->lab, "%s, flow %d: comes at %llu, %lld ns from when it should",
		     m->port->name, f->id, (unsigned long long)got->time_ns,
		     (long long)(got->time_ns - due));
}

static void check_report(struct model *m, uint32_t flow, uint32_t seq,
			 const struct parsed *q, const struct frame *data,
			 const struct event *e)
{
	static uint8_t want[MAX_FRAME];
	const struct flow *f = &m->lab->flow[flow];
	const struct frame *got = next_report(m, f->src);
	int len;

	m->sent++;
	if (!got) {
		fail(m->lab, "%s, flow %u packet %u met %llu bytes: no report",
		     m->port->name, flow, seq,
		     (unsigned long long)e->queue_bytes);
		return;
	}
	learn_offset(m, got, e);
	len = build_report(want, m, f, seq, q, data, e);
	if (got->len != len || memcmp(got->data, want, len)) {
		complain(m, "is", flow, seq, got->data, got->len);
		complain(m, "should be", flow, seq, want, len);
	}
	check_time(m, f, got, e);
}

static bool is_hpcc(const struct flow *f)
{
	return f->telemetry && f->instr == HPCC_INSTR &&
	       f->ds_instr == HPCC_DS && f->domain == DOMAIN;
}

/* A data packet comes to the port. */
static void model_enqueue(struct model *m, const struct event *e)
{
	const struct frame *data;
	uint32_t flow, seq;
	struct parsed q;

	data = model_data(m, &q, &flow, &seq);
	if (!data) {
		fail(m->lab, "%s: more packets came than %s has got",
		     m->port->name, m->host->name);
		return;
	}
	if (!m->threshold || e->queue_bytes < m->threshold ||
	    !is_hpcc(&m->lab->flow[flow]))
		return;
	if (m->last_ns[flow] && e->t_ns - m->last_ns[flow] < m->interval_ns) {
		m->damped++;
		return;
	}
	m->last_ns[flow] = e->t_ns;
	check_report(m, flow, seq, &q, data, e);
}

/* check-response PORT at=HOST rate=RATE [threshold=SIZE] [interval=TIME]
 * [routed] [back-rate=RATE] [back-delay=TIME]: reports of PORT, whose data goes
 * to HOST; without threshold there must be none. Needs the flows' paths.
 */
void step_check_response(struct lab *lab, const struct args *a)
{
	struct model m = { .lab = lab };
	const struct event *e;
	int i;

	errno = 0;
	if (a->count < 2)
		die("line %d: check-response PORT ...", lab->line);
	m.port = find_port(lab, a->word[1]);
	m.host = arg_port(lab, a, "at");
	m.rate = arg_number(a, "rate", 100000000000);
	m.threshold = arg_number(a, "threshold", 0);
	m.interval_ns = arg_number(a, "interval", 10000);
	m.routed = arg_text(a, "routed");
	m.back_rate = arg_number(a, "back-rate", 0);
	m.back_delay_ns = arg_number(a, "back-delay", 0);

	for (e = lab->trace.ev; e < lab->trace.ev + lab->trace.count; e++) {
		if (!event_at(e, m.port))
			continue;
		if (e->type == EV_DEQUEUE || e->type == EV_PFC_TX)
			model_start(&m, e);
		else if (e->type == EV_ENQUEUE && e->prio == 3)
			model_enqueue(&m, e);
	}
	for (i = 0; i < MAX_FLOWS; i++) {
		const struct frame *f = lab->flow[i].used ?
			next_report(&m, lab->flow[i].src) : NULL;

		if (f)
			complain(&m, "a report too many", 0, 0, f->data, f->len);
	}
	printf("%s responses=%llu damped=%llu\n", m.port->name,
	       (unsigned long long)m.sent, (unsigned long long)m.damped);
}
