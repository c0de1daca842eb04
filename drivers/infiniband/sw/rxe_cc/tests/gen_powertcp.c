// SPDX-License-Identifier: GPL-2.0
/*
 * Writes powertcp_vectors.h: what PowerTCP must do, in double precision from NSDI 2022,
 * algorithms 1 and 2. User space; only the events are common with the kernel's test.
 *
 * Windows here are windows, in bytes, and powers have their unit, bits squared a second, until
 * they are divided.
 */
#include <math.h>
#include <stdio.h>

#include "path_model.h"
#include "powertcp_events.h"

/* What arrives, and a queue, count for so many times a full port at most. */
#define MOST	4096
/* Packets of which it is known with what they were sent: more than are ever in flight. */
#define SENT	1024

struct model {
	const struct power_ev_conf *c;
	double t;		/* s */
	double line;		/* bit/s */
	double rate, old;	/* W / T, W_old / T in bit/s */
	double smooth;
	struct hpcc_ev last;	/* prevInt */
	double prev_rtt;
	u64 prev_ns, update_seq;
	bool measured;
	double sent[SENT];	/* W / T of each packet */
	u64 unsent;		/* next packet without one; 0: no packet yet */
	u32 used, updates;
};

static double gamma_of(const struct power_ev_conf *c)
{
	return (double)c->gamma_q24 / (1 << 24);
}

static void average(struct model *m, double power, double dt)
{
	dt = fmin(dt, m->t);
	m->smooth = (m->smooth * (m->t - dt) + power * dt) / m->t;
}

static void update_window(struct model *m, double old_rate)
{
	double g = gamma_of(m->c), w = m->rate * m->t / 8, old = old_rate * m->t / 8;
	double beta = m->line * m->t / 8 / m->c->ev.n;
	double least = m->c->ev.min_bps * m->t / 8, most = m->line * m->t / 8;

	if (m->smooth <= 0)
		return;
	w = g * (old / m->smooth + beta) + (1 - g) * w;
	m->rate = fmax(fmin(w, most), least) * 8 / m->t;
}

static void update_old(struct model *m, u64 next_seq)
{
	m->old = m->rate;
	m->update_seq = next_seq;
	m->updates++;
}

/* dq/dt + txRate in bit/s, voltage in bits. */
static double port_power(const struct model *m, const struct rxe_cc_int_hop *l,
			 const struct rxe_cc_int_hop *h)
{
	double dt = (h->ts_ns - l->ts_ns) / 1e9, b = h->rate_bps;
	/* Whole bytes first: where as many left the queue as were sent, that is 0. */
	double came = (double)h->qlen_bytes - l->qlen_bytes + (h->tx_bytes - l->tx_bytes);
	double current = fmin(fmax(came, 0) * 8 / dt, MOST * b);
	double voltage = fmin(h->qlen_bytes * 8.0, MOST * b * m->t) + b * m->t;

	return current * voltage / (b * b * m->t);
}

static bool norm_power(struct model *m, const struct hpcc_ev *e)
{
	double most = -1, dt = 0, p;
	u32 i;

	for (i = 0; i < e->nr; i++) {
		if (e->hop[i].ts_ns == m->last.hop[i].ts_ns)
			continue;
		p = port_power(m, &m->last.hop[i], &e->hop[i]);
		/* Two that are equal may round differently: the first of them counts. */
		if (p - most > p / 1e12) {
			most = p;
			dt = (e->hop[i].ts_ns - m->last.hop[i].ts_ns) / 1e9;
		}
	}
	if (most < 0)
		return false;
	average(m, most, dt);
	return true;
}

static void ack_by_ports(struct model *m, const struct hpcc_ev *e)
{
	bool first = !m->last.nr && possible(e), use = comparable(&m->last, e, false);
	double old = m->old;

	m->t = e->t_ns / 1e9;
	if (m->c->per_packet) {
		/* What went since the last ACK went with the rate as it is. */
		for (; m->unsent < e->next_seq; m->unsent++)
			m->sent[m->unsent % SENT] = m->rate;
		old = m->sent[e->seq % SENT];
	}
	use = use && norm_power(m, e);
	if (possible(e))
		m->last = *e;
	if (first)
		m->update_seq = e->next_seq;
	if (!use)
		return;
	m->used++;
	update_window(m, old);
	if (e->seq >= m->update_seq)
		update_old(m, e->next_seq);
}

static void ack_by_rtt(struct model *m, const struct power_rtt *e)
{
	double rtt = e->rtt_ns, dt = e->now_ns - m->prev_ns;

	if (!e->rtt_ns || (m->measured && (!dt || e->seq < m->update_seq)))
		return;
	if (m->measured) {
		m->used++;
		average(m, fmin(fmax(rtt - m->prev_rtt + dt, 0) / dt, MOST) * rtt / 1e9 / m->t,
			dt / 1e9);
		update_window(m, m->old);
		update_old(m, e->next_seq);
	}
	m->update_seq = e->next_seq;
	m->measured = true;
	m->prev_rtt = rtt;
	m->prev_ns = e->now_ns;
}

static void run(const struct power_ev_conf *c)
{
	struct model m = {
		.c = c, .t = c->ev.t_ns / 1e9, .line = c->ev.line_bps,
		.rate = c->ev.line_bps, .old = c->ev.line_bps, .smooth = 1,
	};
	struct power_rtt rtt = power_rtt_start(c);
	struct hpcc_ev_source s;
	struct hpcc_ev e;
	double sum = 0;
	int i;

	hpcc_ev_start(&s, &c->ev);
	printf("\nstatic const struct power_row power_%s[] = {", c->ev.name);
	for (i = 1; i <= POWER_EV_NR; i++) {
		if (c->theta) {
			power_rtt_next(&rtt);
			ack_by_rtt(&m, &rtt);
		} else {
			power_ev_next(c, &s, &e);
			ack_by_ports(&m, &e);
		}
		sum += m.rate;
		if (i % POWER_EV_ROW)
			continue;
		printf("%s{ %llu, %llu, %llu, %u, %u },", i / POWER_EV_ROW % 2 ? "\n\t" : " ",
		       (u64)(m.rate * 16 + 0.5), (u64)(sum + 0.5),
		       (u64)(m.smooth * (1 << 24) * 256 + 0.5), m.used, m.updates);
		sum = 0;
	}
	printf("\n};\n");
	fprintf(stderr, "%s: %d events, %u used, %u updates\n", c->ev.name, POWER_EV_NR, m.used,
		m.updates);
}

int main(void)
{
	u32 i;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. After each %d events: rate in\n"
	       " * sixteenths of a bit/s, sum of the rates after each of them in bit/s, power in Q32, and\n"
	       " * how often so far a sample was used and the old window replaced.\n */\n",
	       "SPDX", POWER_EV_ROW);
	for (i = 0; i < sizeof(power_ev_confs) / sizeof(power_ev_confs[0]); i++)
		run(&power_ev_confs[i]);
	return 0;
}
