// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the in-band network telemetry (INT) in packets against the trace of the ports that
 * stamped them, and that trace against the trace of what the ports sent.
 *
 * Nothing in an event names the packet. But the line is first in, first out:
 * the k-th stamp of a port in the packets, as they come in, is its k-th event.
 * So every stamp is compared with one event, and every event must be used up.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frames.h"

#define DOMAIN		0x0cc1

/* Clock of the stamps minus clock of the trace, within what reading costs. */
static int64_t tai_offset(void)
{
	struct timespec mono, tai;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_TAI, &tai);
	return (tai.tv_sec - mono.tv_sec) * 1000000000LL + tai.tv_nsec -
	       mono.tv_nsec;
}

static const struct event *next_push(const struct trace *t,
				     const struct event *after,
				     const struct port *p)
{
	do {
		after = next_event(t, after, p, EV_INT);
	} while (after && strcmp(after->word, "pushed"));
	return after;
}

/* The stamp holds only what was asked for. */
static bool same_hop(const struct hop *h, const struct parsed *q,
		     const struct event *e)
{
	/* what a port cannot tell is all ones */
	static const struct hop unknown = {
		.tx_bytes = UINT64_MAX, .qlen_bytes = UINT32_MAX,
		.speed_mbps = UINT32_MAX, .compact = UINT64_MAX,
	};
	struct hop told;
	const struct hop *w = &e->hop;
	uint32_t occupancy = w->qlen_bytes < 0xffffff ? w->qlen_bytes : 0xffffff;

	if ((q->instr & 0x8000) && h->node != w->node)
		return false;
	if ((q->instr & 0x4000) &&
	    (h->in_port != w->in_port || h->out_port != w->out_port))
		return false;
	if ((q->instr & 0x2000) && h->latency_ns != w->latency_ns)
		return false;
	if ((q->instr & 0x1000) &&
	    (h->queue != w->queue || h->occupancy != occupancy))
		return false;
	if ((q->instr & 0x0800) && h->ingress_ns != w->ingress_ns)
		return false;
	if ((q->instr & 0x0400) && h->egress_ns != w->egress_ns)
		return false;
	told = q->domain == DOMAIN ? *w : unknown;
	if (q->domain == DOMAIN)
		told.compact = compact_hop(w);
	w = &told;
	if ((q->ds_instr & 0x8000) && h->tx_bytes != w->tx_bytes)
		return false;
	if ((q->ds_instr & 0x4000) && h->qlen_bytes != w->qlen_bytes)
		return false;
	if ((q->ds_instr & 0x2000) && h->speed_mbps != w->speed_mbps)
		return false;
	return !(q->ds_instr & 0x1000) || h->compact == w->compact;
}

/* Apart from INT and an ECN mark the packet is the one that was sent. */
static bool same_packet(const struct frame *got, const struct parsed *q,
			const struct flow *f, uint32_t seq)
{
	static uint8_t want[MAX_FRAME], have[MAX_FRAME];
	int len = build_data(want, f, seq), got_len = got->len;
	int tos = q->ip + 1;

	if (got->len > MAX_FRAME)
		return false;
	if (!q->v6 && ip_checksum(got->data + q->ip, q->udp - q->ip))
		return false;
	memcpy(have, got->data, got->len);
	if (q->int_ok) {
		got_len = remove_hops(have, got_len, q, q->nr_hops);
		have[q->shim + 4] &= ~(MD_E | MD_M);
	}
	if (q->ecn == 3 && f->ecn) {
		/* in IPv6 the field is in the upper half of the byte */
		have[tos] &= q->v6 ? ~0x30 : ~3;
		have[tos] |= f->ecn << (q->v6 ? 4 : 0);
		if (!q->v6) {
			put16(have + q->ip + 10, 0);
			put16(have + q->ip + 10,
			      ip_checksum(have + q->ip, q->udp - q->ip));
		}
	}
	return got_len == len && !memcmp(have, want, len);
}

#define HOP_TEXT	192

static const char *hop_text(char *text, const struct hop *h)
{
	snprintf(text, HOP_TEXT,
		 " node %08x ports %u %u ts %llu tx %llu queue %u %u Mbit/s compact %llx",
		 h->node, h->in_port, h->out_port,
		 (unsigned long long)h->egress_ns,
		 (unsigned long long)h->tx_bytes, h->qlen_bytes, h->speed_mbps,
		 (unsigned long long)(h->compact ? h->compact : compact_hop(h)));
	return text;
}

struct int_check {
	struct lab *lab;
	const struct event *last[MAX_PORTS];
	uint32_t next_seq[MAX_FLOWS];
	uint64_t packets, stamps, marked;
};

/* Ids are what the ports were told, or found out by themselves. */
static void check_ids(struct lab *lab, const struct flow *f, int i,
		      const struct parsed *q, const struct hop *h)
{
	const struct port *in = f->ingress[i], *out = f->path[i];

	if (((q->instr & 0x8000) && h->node != out->node) ||
	    ((q->instr & 0x4000) &&
	     (h->out_port != out->id || h->in_port != (in ? in->id : 0))))
		fail(lab, "flow %d hop %d (%s): node %08x ports %u %u, want %08x %u %u",
		     f->id, i, out->name, h->node, h->in_port, h->out_port,
		     out->node, in ? in->id : 0, out->id);
}

/* Compact hops have no ids; those of all ports are in one. */
static void check_path_id(struct lab *lab, const struct flow *f,
			  const struct parsed *q)
{
	uint16_t id = 0;
	int i;

	if (!has_path(q))
		return;
	for (i = 0; i < f->path_len; i++)
		id = path_id(id, f->path[i]->node, f->path[i]->id);
	if (q->ds_flags != id)
		fail(lab, "flow %d: path id %04x, want %04x", f->id, q->ds_flags, id);
}

static void check_stamps(struct int_check *c, const struct flow *f,
			 uint32_t seq, const struct parsed *q, const uint8_t *b)
{
	struct lab *lab = c->lab;
	struct hop h;
	int i;

	for (i = 0; i < f->path_len; i++) {
		const struct port *p = f->path[i];
		const struct event **last = &c->last[p - lab->port];

		*last = next_push(&lab->trace, *last, p);
		if (!*last) {
			fail(lab, "flow %d packet %u: %s has pushed less often",
			     f->id, seq, p->name);
			return;
		}
		parse_hop(&h, q, b, f->path_len - 1 - i);
		check_ids(lab, f, i, q, &h);
		if (!same_hop(&h, q, *last)) {
			char said[HOP_TEXT], done[HOP_TEXT];

			fail(lab, "flow %d packet %u hop %d (%s) says%s, the trace%s",
			     f->id, seq, i, p->name, hop_text(said, &h),
			     hop_text(done, &(*last)->hop));
		}
		c->stamps++;
	}
}

static void check_packet(struct int_check *c, const struct frame *got)
{
	struct lab *lab = c->lab;
	struct parsed q;
	const struct flow *f;
	uint32_t id, seq;

	if (!parse_frame(&q, got->data, got->len, 27) ||
	    !data_id(&q, got->data, &id, &seq))
		return;
	if (id >= MAX_FLOWS || !lab->flow[id].used) {
		fail(lab, "a packet of flow %u, which there is not", id);
		return;
	}
	f = &lab->flow[id];
	if (seq != c->next_seq[id])
		fail(lab, "flow %u: packet %u comes when %u is due", id, seq,
		     c->next_seq[id]);
	c->next_seq[id] = seq + 1;
	c->packets++;
	c->marked += q.ecn == 3;
	if (!same_packet(got, &q, f, seq))
		fail(lab, "flow %u packet %u has been changed", id, seq);
	if (f->telemetry != q.int_ok)
		fail(lab, "flow %u packet %u: INT header %s", id, seq,
		     q.int_ok ? "from nowhere" : "lost");
	if (!q.int_ok)
		return;
	if (q.nr_hops != f->path_len || q.flags != f->flags ||
	    q.rem_hop != f->rem_hop - f->path_len) {
		fail(lab, "flow %u packet %u: %d hops, %d remain, flags %x; want %d, %d, %x",
		     id, seq, q.nr_hops, q.rem_hop, q.flags, f->path_len,
		     f->rem_hop - f->path_len, f->flags);
		return;
	}
	check_path_id(lab, f, &q);
	check_stamps(c, f, seq, &q, got->data);
}

/* Everything that came in at the ports is as sent, in order and complete. */
static void check_packets(struct int_check *c, const struct args *a)
{
	struct lab *lab = c->lab;
	char *name;
	int i;

	errno = 0;
	if (a->count < 2)
		die("line %d: %s PORT[,PORT]", lab->line, a->word[0]);
	for (name = strtok(a->word[1], ","); name; name = strtok(NULL, ",")) {
		const struct port *p = find_port(lab, name);

		for (i = 0; i < p->count; i++)
			check_packet(c, p->frames[i]);
	}
	for (i = 0; i < MAX_FLOWS; i++)
		if (c->next_seq[i] != lab->flow[i].sent)
			fail(lab, "flow %d: %u packets sent, %u received", i,
			     lab->flow[i].sent, c->next_seq[i]);
	if (!c->packets)
		fail(lab, "no packets");
}

/* A port's events of INT against those of its line. */
struct line {
	const struct event *sent, *prev;	/* the packet, the one before */
	uint64_t tx_bytes;	/* wire bytes of all starts before @sent */
	uint64_t rate;
};

/* What the line sends, data and PFC frames, in the order of their starts. */
static const struct event *next_start(const struct trace *t,
				      const struct event *after,
				      const struct port *p)
{
	const struct event *e = after ? after + 1 : t->ev;

	for (; e < t->ev + t->count; e++)
		if ((e->type == EV_DEQUEUE || e->type == EV_PFC_TX) &&
		    event_at(e, p))
			return e;
	return NULL;
}

static uint64_t start_bytes(const struct event *e)
{
	return e->type == EV_PFC_TX ? MIN_FRAME + WIRE_OVERHEAD : e->wire_bytes;
}

/* Move to the start at @t_ns; false if there is none. */
static bool line_seek(struct line *l, const struct trace *t,
		      const struct port *p, uint64_t t_ns)
{
	const struct event *e;

	while ((e = next_start(t, l->sent, p))) {
		if (e->t_ns > t_ns)
			return false;
		if (l->sent)
			l->tx_bytes += start_bytes(l->sent);
		l->prev = l->sent;
		l->sent = e;
		if (e->t_ns == t_ns)
			return true;
	}
	return false;
}

/* Two packets without a gap between them: bytes are time, rounded twice. */
static bool back_to_back(struct lab *lab, const struct line *l,
			 const struct event *last, const struct event *e)
{
	int64_t bytes, ns, diff;

	if (!last || !l->prev || l->prev->t_ns != last->t_ns ||
	    l->prev->depart_ns != l->sent->t_ns)
		return false;
	bytes = e->hop.tx_bytes - last->hop.tx_bytes;
	ns = e->hop.egress_ns - last->hop.egress_ns;
	diff = ns - (int64_t)(wire_ticks(bytes) / l->rate);
	/* the quotient is rounded down, both instants up: less than 1 ns off */
	if (diff < 0 || diff > 1)
		fail(lab, "back to back: %lld bytes in %lld ns at %llu bit/s",
		     (long long)bytes, (long long)ns,
		     (unsigned long long)l->rate);
	return true;
}

static int check_port(struct lab *lab, const struct port *p, uint64_t rate,
		      int64_t offset, int *queued)
{
	const struct event *e = NULL, *last = NULL;
	struct line l = { .rate = rate };
	int adjacent = 0;

	while ((e = next_push(&lab->trace, e, p))) {
		const struct hop *h = &e->hop;
		const struct event *s;

		if (!line_seek(&l, &lab->trace, p, e->t_ns)) {
			fail(lab, "%s: pushed at %llu, but nothing was sent then",
			     p->name, (unsigned long long)e->t_ns);
			return 0;
		}
		s = l.sent;
		if (h->tx_bytes != l.tx_bytes || h->qlen_bytes != s->queue_bytes ||
		    h->queue != s->prio || h->latency_ns != s->t_ns - s->arrival_ns ||
		    h->egress_ns - h->ingress_ns != h->latency_ns ||
		    h->speed_mbps != rate / 1000000 ||
		    llabs((int64_t)(h->egress_ns - s->t_ns) - offset) > 3)
			fail(lab, "%s at %llu: tx %llu queue %u latency %u speed %u; line: %llu %llu %llu",
			     p->name, (unsigned long long)e->t_ns,
			     (unsigned long long)h->tx_bytes, h->qlen_bytes,
			     h->latency_ns, h->speed_mbps,
			     (unsigned long long)l.tx_bytes,
			     (unsigned long long)s->queue_bytes,
			     (unsigned long long)(s->t_ns - s->arrival_ns));
		if (last && h->egress_ns - last->hop.egress_ns != e->t_ns - last->t_ns)
			fail(lab, "%s: the stamps' clock has jumped", p->name);
		adjacent += back_to_back(lab, &l, last, e);
		*queued += h->qlen_bytes > 0;
		last = e;
	}
	return adjacent;
}

/* check-int PORT[,PORT] rates=PORT:RATE,... [queued=N]: N stamps at least
 * must have seen a queue, or the test shows little.
 */
void step_check_int(struct lab *lab, const struct args *a)
{
	struct int_check c = { .lab = lab };
	const char *rates = arg_text(a, "rates");
	int64_t offset = tai_offset();
	int i, adjacent = 0, queued = 0;
	char copy[512] = "", *word;

	check_packets(&c, a);
	for (i = 0; i < lab->nr_ports; i++)
		if (next_push(&lab->trace, c.last[i], &lab->port[i]))
			fail(lab, "%s has pushed more often than packets say",
			     lab->port[i].name);
	if (rates)
		snprintf(copy, sizeof(copy), "%s", rates);
	for (word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
		char *at = strrchr(word, '@');

		errno = 0;
		if (!at)
			die("line %d: rates=PORT@RATE,...", lab->line);
		*at = 0;
		adjacent += check_port(lab, find_port(lab, word),
				       parse_number(at + 1), offset, &queued);
	}
	if (queued < (int)arg_number(a, "queued", 0))
		fail(lab, "only %d stamps have seen a queue", queued);
	if (rates && !adjacent)
		fail(lab, "no two packets back to back");
	printf("packets=%llu stamps=%llu queued=%d back-to-back=%d marked=%llu\n",
	       (unsigned long long)c.packets, (unsigned long long)c.stamps,
	       queued, adjacent, (unsigned long long)c.marked);
}

/* The same without telemetry. */
void step_check_same(struct lab *lab, const struct args *a)
{
	struct int_check c = { .lab = lab };

	check_packets(&c, a);
	printf("packets=%llu marked=%llu\n", (unsigned long long)c.packets,
	       (unsigned long long)c.marked);
}

/* check-count PORT EVENT [min=N] [max=N] */
void step_check_count(struct lab *lab, const struct args *a)
{
	const struct port *p;
	uint64_t n;
	int type;

	errno = 0;
	type = a->count < 3 ? -1 : event_by_name(a->word[2]);
	if (type < 0)
		die("line %d: check-count PORT EVENT ...", lab->line);
	p = find_port(lab, a->word[1]);
	n = count_events(&lab->trace, p, type);
	if (n < arg_number(a, "min", 0) || n > arg_number(a, "max", n))
		fail(lab, "%s: %llu events %s", p->name, (unsigned long long)n,
		     a->word[2]);
}
