// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: queues of all ports of a large lab, as histograms by tier, and what
 * the ports did in the part of the run that counts.
 *
 * Rows for hundreds of ports would be more than the traffic itself, and reading them
 * at regular instants cost a quarter of a run. The ports themselves count how long
 * their queue, all priorities together, was how long, with 16 buckets for each power
 * of two (sch_roce, by roce_watch.ko): exact, and read once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "guest/queue_histograms.h"

struct hist_tier {
	char name[2 * IFNAMSIZ];
	int ports;
	uint64_t all_ns, ns[ROCE_WATCH_BUCKETS];
};

/* The largest value of a bucket. */
static uint64_t bucket_end(unsigned int b)
{
	unsigned int shift = b < 2 << ROCE_WATCH_SUB_BITS ? 0 :
			     (b >> ROCE_WATCH_SUB_BITS) - 1;

	return ((((uint64_t)b - (shift << ROCE_WATCH_SUB_BITS)) + 1) << shift) - 1;
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

/* At @t_ns of CLOCK_MONOTONIC; 0: never. */
static int set_timer(struct hist *h, int64_t t_ns)
{
	struct itimerspec its = { .it_value = { t_ns / NSEC_PER_SEC, t_ns % NSEC_PER_SEC } };

	if (timerfd_settime(h->timer_fd, TFD_TIMER_ABSTIME, &its, NULL))
		return fail("timer: %s", strerror(errno));
	return 0;
}

/**
 * hist_open() - prepare, and start the timer
 * @h: zeros at first
 * @job: "hist" with from_ns and to_ns; without it nothing is done
 * @topo: the lab
 * @t0_ns: start of the traffic, CLOCK_MONOTONIC
 *
 * Return: 0, or -1 after fail().
 */
int hist_open(struct hist *h, struct json_object *job, struct topo *topo, int64_t t0_ns)
{
	struct json_object *what = job_get(job, J_HIST);
	int i;

	h->topo = topo;
	h->timer_fd = -1;
	h->kernel.fd = -1;
	if (!what)
		return 0;
	h->from_ns = t0_ns + job_int(what, J_HIST_FROM, 0);
	h->to_ns = job_int(what, J_HIST_TO, 0) ? t0_ns + job_int(what, J_HIST_TO, 0) : 0;
	find_tiers(h);
	h->begin = xcalloc(topo->n_ports, sizeof(*h->begin));
	h->end = xcalloc(topo->n_ports, sizeof(*h->end));
	if (watch_open(&h->kernel))
		return -1;
	for (i = 0; i < topo->n_ports; i++)
		if (h->tier[i] >= 0 && watch_port(&h->kernel, &topo->ports[i], ROCE_WATCH_F_HIST))
			return -1;
	h->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (h->timer_fd < 0)
		return fail("timer: %s", strerror(errno));
	return set_timer(h, h->from_ns);
}

static bool has_tier(const void *ctx, const struct port *p)
{
	return ((const struct hist *)ctx)->tier[p->id] >= 0;
}

static int command(struct hist *h, uint32_t kind)
{
	struct roce_watch_cmd cmd = { .kind = kind };

	return watch_cmd(&h->kernel, &cmd, "histograms of queues");
}

static void on_hist(const struct roce_watch_hist *r, int n_buckets, void *data)
{
	struct hist *h = data;
	struct hist_tier *t = &h->tiers[h->tier[r->rec.id]];
	int i;

	for (i = 0; i < n_buckets; i++) {
		t->ns[r->bucket[i].nr] += r->bucket[i].ns;
		t->all_ns += r->bucket[i].ns;
	}
}

static int end_hist(struct hist *h)
{
	static const struct watch_ops ops = { .hist = on_hist };

	h->ended = true;
	return command(h, ROCE_WATCH_CMD_HIST_END) || qdisc_read(h->topo, has_tier, h, h->end) ||
	       watch_drain(&h->kernel, &ops, h) ? -1 : 0;
}

/**
 * hist_take() - the timer has expired: the part that counts begins, or ends
 * @h: histograms
 *
 * Return: 0, or -1 after fail().
 */
int hist_take(struct hist *h)
{
	uint64_t n;

	if (read(h->timer_fd, &n, sizeof(n)) != sizeof(n))
		return fail("timer: %s", strerror(errno));
	if (h->begun)
		return end_hist(h);
	h->begun = true;
	return command(h, ROCE_WATCH_CMD_HIST_BEGIN) ||
	       qdisc_read(h->topo, has_tier, h, h->begin) || set_timer(h, h->to_ns) ? -1 : 0;
}

/* In all priorities, from @a to @b. */
static uint64_t over_prios(const struct qdisc_stats *a, const struct qdisc_stats *b, int counter)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < PRIOS; i++)
		sum += b->prio[i].n[counter] - a->prio[i].n[counter];
	return sum;
}

static void port_json(struct hist *h, int id, struct json_object *out)
{
	const struct qdisc_stats *a = &h->begin[id], *b = &h->end[id];
	const struct port *p = &h->topo->ports[id];
	struct json_object *o = json_object_new_object();
	char name[4 * IFNAMSIZ];

	js_add_str(o, "tier", h->tiers[h->tier[id]].name);
	js_add_int(o, "ns", b->n[XS_NOW] - a->n[XS_NOW]);
	js_add_int(o, "busy_ns", b->n[XS_BUSY] - a->n[XS_BUSY]);
	js_add_int(o, "tx_wire_bytes", b->n[XS_TX_WIRE_BYTES] - a->n[XS_TX_WIRE_BYTES]);
	js_add_int(o, "pause_ns", over_prios(a, b, PS_PAUSE_NS));
	js_add_int(o, "kib_us", over_prios(a, b, PS_BYTE_NS));
	snprintf(name, sizeof(name), "%s-%s", p->node->name, p->peer->node->name);
	json_object_object_add(out, name, o);
}

/* Buckets that are not empty: the largest value that each can hold, and how long. */
static struct json_object *tier_json(const struct hist_tier *t)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	unsigned int b;

	js_add_int(o, "ports", t->ports);
	js_add_int(o, "ns", t->all_ns);
	for (b = 0; b < ROCE_WATCH_BUCKETS; b++) {
		struct json_object *pair;

		if (!t->ns[b])
			continue;
		pair = json_object_new_array();
		json_object_array_add(pair, json_object_new_int64(bucket_end(b)));
		json_object_array_add(pair, json_object_new_int64(t->ns[b]));
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
	if (!h->ended && end_hist(h))
		return -1;
	o = json_object_new_object();
	tiers = json_object_new_object();
	ports = json_object_new_object();
	for (i = 0; i < h->topo->n_ports; i++) {
		if (h->tier[i] < 0)
			continue;
		if (!js_get(o, "from_ns")) {
			js_add_int(o, "from_ns", h->begin[i].n[XS_NOW] - t0_ns);
			js_add_int(o, "to_ns", h->end[i].n[XS_NOW] - t0_ns);
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
	if (h->tier)
		watch_close(&h->kernel);
	free(h->tiers);
	free(h->tier);
	free(h->begin);
	free(h->end);
}
