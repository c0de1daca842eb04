// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: queues of all ports of a large lab, as histograms by tier, and what
 * the ports did in the part of the run that counts.
 *
 * Rows for hundreds of ports would be more than the traffic itself. So a port's
 * queue, all priorities together, is read at regular instants and counted in a
 * histogram of its tier, with 16 buckets for each power of two. At one instant only
 * every N-th node is read, at the next the ones after these: that costs as much as
 * all nodes at every N-th instant, and sees N times as many moments. All ports of a
 * node are read together, as each node costs two system calls, which is most of it;
 * so hosts, with one port each, have their turn less often than switches.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "init_hist.h"

#define SUB_BITS	4		/* 16 buckets for each power of two */
#define ALL		(-1)		/* instead of an instant */
#define BUCKETS		(((64 - SUB_BITS) << SUB_BITS) + (1 << SUB_BITS))

/* A run that takes much longer than expected is looked at less and less often. */
#define STRETCH_TICKS	4000
#define HOST_PERIODS	4		/* of a switch: a host's */

struct hist_tier {
	char name[2 * IFNAMSIZ];
	int ports;
	uint64_t reads, count[BUCKETS];
};

/* Up to 31 the value itself, then its five highest bits. */
static unsigned int bucket_of(uint64_t v)
{
	unsigned int shift = 0;

	while (v >> shift >= 2 << SUB_BITS)
		shift++;
	return (shift << SUB_BITS) + (unsigned int)(v >> shift);
}

/* The largest value of a bucket. */
static uint64_t bucket_end(unsigned int b)
{
	unsigned int shift = b < 2 << SUB_BITS ? 0 : (b >> SUB_BITS) - 1;

	return ((((uint64_t)b - (shift << SUB_BITS)) + 1) << shift) - 1;
}

static size_t letters(const char *name)
{
	size_t len = strlen(name);

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return len;
}

static int tier_of(struct hist *h, const struct port *p)
{
	char name[sizeof(h->tiers->name)];
	int i;

	snprintf(name, sizeof(name), "%.*s-%.*s", (int)letters(p->node->name), p->node->name,
		 (int)letters(p->peer->node->name), p->peer->node->name);
	for (i = 0; i < h->n_tiers; i++)
		if (strcmp(h->tiers[i].name, name) == 0)
			return i;
	h->tiers = xrealloc(h->tiers, (h->n_tiers + 1) * sizeof(*h->tiers));
	memset(&h->tiers[i], 0, sizeof(h->tiers[i]));
	memcpy(h->tiers[i].name, name, sizeof(name));
	return h->n_tiers++;
}

static void find_tiers(struct hist *h)
{
	int i;

	h->tier = xcalloc(h->topo->n_ports, sizeof(*h->tier));
	for (i = 0; i < h->topo->n_ports; i++) {
		h->tier[i] = h->topo->ports[i].qdisc ? tier_of(h, &h->topo->ports[i]) : -1;
		if (h->tier[i] >= 0)
			h->tiers[h->tier[i]].ports++;
	}
}

/**
 * hist_open() - prepare, and start the timer
 * @h: zeros at first
 * @job: "hist" with from_ns, to_ns, every_ns and stride; without it nothing is done
 * @topo: the lab
 * @t0_ns: start of the traffic, CLOCK_MONOTONIC
 *
 * Return: 0, or -1 after fail().
 */
int hist_open(struct hist *h, struct json_object *job, struct topo *topo, int64_t t0_ns)
{
	struct json_object *what = js_get(job, "hist");
	struct itimerspec its;
	int64_t first;

	h->topo = topo;
	h->timer_fd = -1;
	if (!what)
		return 0;
	h->from_ns = js_int(what, "from_ns", 0);
	h->to_ns = js_int(what, "to_ns", 0);
	h->every_ns = js_int(what, "every_ns", NSEC_PER_SEC);
	h->stride = (int)js_int(what, "stride", 1);
	h->stretch = 1;
	find_tiers(h);
	h->begin = xcalloc(topo->n_ports, sizeof(*h->begin));
	h->end = xcalloc(topo->n_ports, sizeof(*h->end));
	h->now = xcalloc(topo->n_ports, sizeof(*h->now));
	first = t0_ns + h->from_ns;
	its = (struct itimerspec){
		.it_value = { first / NSEC_PER_SEC, first % NSEC_PER_SEC },
		.it_interval = { h->every_ns / NSEC_PER_SEC, h->every_ns % NSEC_PER_SEC },
	};
	h->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (h->timer_fd < 0 || timerfd_settime(h->timer_fd, TFD_TIMER_ABSTIME, &its, NULL))
		return fail("timer: %s", strerror(errno));
	return 0;
}

/* The @nth of the hosts, or of the switches, at the @instant-th instant. */
static bool has_turn(const struct hist *h, const struct node *n, int nth, int64_t instant)
{
	int period = h->stride;

	if (period > 1 && n->kind == NODE_HOST)
		period *= HOST_PERIODS;
	return instant % period == nth % period;
}

/* All ports; or @instant: of the nodes whose turn it is. */
static int read_ports(struct hist *h, int64_t instant, struct qdisc_stats *to)
{
	struct qdisc_query q = {};
	int i, k, hosts = 0;

	for (i = 0; i < h->topo->n_nodes; i++) {
		struct node *n = &h->topo->nodes[i];
		int nth = n->kind == NODE_HOST ? hosts++ : i - hosts;

		if (instant != ALL && !has_turn(h, n, nth, instant))
			continue;
		for (k = 0; k < n->n_ports; k++)
			if (h->tier[n->ports[k]->id] >= 0 &&
			    qdisc_query(&q, n->ports[k], &to[n->ports[k]->id]))
				return -1;
	}
	return qdisc_flush(&q);
}

static void count_port(struct hist *h, int id)
{
	struct hist_tier *t;
	uint64_t bytes = 0;
	size_t prio;

	if (h->tier[id] < 0)
		return;
	t = &h->tiers[h->tier[id]];
	for (prio = 0; prio < ARRAY_SIZE(h->now[id].prio); prio++)
		bytes += h->now[id].prio[prio].bytes;
	t->count[bucket_of(bytes)]++;
	t->reads++;
}

static void count_ports(struct hist *h, int64_t instant)
{
	int i, k, hosts = 0;

	for (i = 0; i < h->topo->n_nodes; i++) {
		struct node *n = &h->topo->nodes[i];
		int nth = n->kind == NODE_HOST ? hosts++ : i - hosts;

		for (k = 0; has_turn(h, n, nth, instant) && k < n->n_ports; k++)
			count_port(h, n->ports[k]->id);
	}
}

/**
 * hist_take() - the timer has expired
 * @h: histograms
 *
 * Return: 0, or -1 after fail().
 */
int hist_take(struct hist *h)
{
	struct itimerspec off = {};
	uint64_t n;

	if (read(h->timer_fd, &n, sizeof(n)) != sizeof(n))
		return fail("timer: %s", strerror(errno));
	if (!h->begun && read_ports(h, ALL, h->begin))
		return -1;
	h->begun = true;
	h->ticks += n;
	if (h->to_ns && h->from_ns + (h->ticks - 1) * h->every_ns >= h->to_ns) {
		h->ended = true;
		timerfd_settime(h->timer_fd, 0, &off, NULL);
		return read_ports(h, ALL, h->end);
	}
	if ((h->ticks - 1) % h->stretch)
		return 0;
	if (read_ports(h, h->taken, h->now))
		return -1;
	count_ports(h, h->taken);
	if (++h->taken % STRETCH_TICKS == 0)
		h->stretch *= 2;
	return 0;
}

static uint64_t over_prios(const struct qdisc_stats *st, size_t offset)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(st->prio); i++)
		sum += *(const uint64_t *)((const char *)&st->prio[i] + offset);
	return sum;
}

#define DELTA(a, b, field)	\
	(over_prios(b, offsetof(struct qdisc_prio, field)) - \
	 over_prios(a, offsetof(struct qdisc_prio, field)))

static void port_json(struct hist *h, int id, struct json_object *out)
{
	const struct qdisc_stats *a = &h->begin[id], *b = &h->end[id];
	const struct port *p = &h->topo->ports[id];
	struct json_object *o = json_object_new_object();
	char name[4 * IFNAMSIZ];

	js_add_str(o, "tier", h->tiers[h->tier[id]].name);
	js_add_int(o, "ns", b->now_ns - a->now_ns);
	js_add_int(o, "busy_ns", b->busy_ns - a->busy_ns);
	js_add_int(o, "tx_wire_bytes", b->tx_wire_bytes - a->tx_wire_bytes);
	js_add_int(o, "pause_ns", DELTA(a, b, pause_ns));
	js_add_int(o, "kib_us", DELTA(a, b, byte_ns));
	snprintf(name, sizeof(name), "%s-%s", p->node->name, p->peer->node->name);
	json_object_object_add(out, name, o);
}

/* Buckets that are not empty: the largest value that each can hold, and its count. */
static struct json_object *tier_json(const struct hist_tier *t)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	unsigned int b;

	js_add_int(o, "ports", t->ports);
	js_add_int(o, "reads", t->reads);
	for (b = 0; b < BUCKETS; b++) {
		struct json_object *pair;

		if (!t->count[b])
			continue;
		pair = json_object_new_array();
		json_object_array_add(pair, json_object_new_int64(bucket_end(b)));
		json_object_array_add(pair, json_object_new_int64(t->count[b]));
		json_object_array_add(list, pair);
	}
	json_object_object_add(o, "buckets", list);
	return o;
}

/**
 * hist_totals() - after the traffic
 * @h: histograms
 * @t0_ns: start of the traffic
 * @out: receives "hist": the part of the run, the tiers, and the ports' figures
 *
 * A run that ended before that part did counts to its end.
 *
 * Return: 0, or -1 after fail().
 */
int hist_totals(struct hist *h, int64_t t0_ns, struct json_object *out)
{
	struct json_object *o, *tiers, *ports;
	int i;

	if (!h->tier || !h->begun)
		return 0;
	if (!h->ended && read_ports(h, ALL, h->end))
		return -1;
	o = json_object_new_object();
	tiers = json_object_new_object();
	ports = json_object_new_object();
	for (i = 0; i < h->topo->n_ports; i++) {
		if (h->tier[i] < 0)
			continue;
		if (!js_get(o, "from_ns")) {
			js_add_int(o, "from_ns", h->begin[i].now_ns - t0_ns);
			js_add_int(o, "to_ns", h->end[i].now_ns - t0_ns);
			js_add_int(o, "instants", h->taken);
			js_add_int(o, "stride", h->stride);
		}
		port_json(h, i, ports);
	}
	for (i = 0; i < h->n_tiers; i++)
		json_object_object_add(tiers, h->tiers[i].name, tier_json(&h->tiers[i]));
	json_object_object_add(o, "tiers", tiers);
	json_object_object_add(o, "ports", ports);
	json_object_object_add(out, "hist", o);
	return 0;
}

void hist_close(struct hist *h)
{
	if (h->timer_fd >= 0)
		close(h->timer_fd);
	free(h->tiers);
	free(h->tier);
	free(h->begin);
	free(h->end);
	free(h->now);
}
