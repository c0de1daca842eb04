// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: what changes while the traffic runs. Options of ports are set as tc sets them, those of
 * devices as rxecc does, each at the time of the event. Counters are read before that, so figures
 * of the time up to an event have nothing of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "guest/timeline.h"

/* After so many rows their interval doubles. */
#define ROWS		2000

static struct json_object *next_event(const struct timeline *tl)
{
	return tl->next < js_len(tl->list) ? js_at(tl->list, tl->next) : NULL;
}

/* Since the start. */
static int64_t event_ns(const struct timeline *tl)
{
	return next_event(tl) ? job_int(next_event(tl), J_EVENT_AT, 0) : INT64_MAX;
}

static int set_timer(struct timeline *tl)
{
	int64_t at = event_ns(tl) < tl->row_ns ? event_ns(tl) : tl->row_ns;
	struct itimerspec its = { };

	at += tl->sampler->t0_ns;
	its.it_value = (struct timespec){ at / NSEC_PER_SEC, at % NSEC_PER_SEC };
	if (timerfd_settime(tl->timer_fd, TFD_TIMER_ABSTIME, &its, NULL))
		return fail("timer: %s", strerror(errno));
	return 0;
}

static uint64_t dropped(const struct qdisc_prio *prio)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < PRIO_COUNTERS; i++)
		if (!strcmp(prio_counters[i].object, "drops"))
			sum += prio->n[i];
	return sum;
}

/* What the hosts' switches have sent to them, and what was lost anywhere. */
static int look(struct timeline *tl, struct timeline_counts *c)
{
	const struct topo *t = &tl->lab->topo;
	int i, id;

	memset(c, 0, sizeof(*c));
	if (sampler_ports(tl->sampler, tl->stats))
		return -1;
	for (i = 0; i < t->n_ports; i++) {
		const struct qdisc_stats *st = &tl->stats[i];
		bool to_host = t->ports[i].peer->node->kind == NODE_HOST;

		if (!t->ports[i].qdisc)
			continue;
		c->lost += st->n[XS_LOST] + st->n[XS_LOST_DOWN];
		c->lost_bytes += st->n[XS_LOST_WIRE_BYTES];
		if (to_host)
			c->to_hosts_bytes -= st->n[XS_LOST_WIRE_BYTES];
		for (id = 0; id < PRIOS; id++) {
			c->drops += dropped(&st->prio[id]);
			if (to_host)
				c->to_hosts_bytes += st->prio[id].n[PS_TX_WIRE_BYTES];
		}
	}
	return 0;
}

struct lost {
	const struct topo *topo;
	struct json_object *qps;	/* NULL: there were too many */
};

/* The host that has an address, an IPv6 one into which its own is mapped. */
static const struct node *host_of(const struct topo *t, const uint8_t addr[16])
{
	uint32_t v4;
	int i;

	memcpy(&v4, addr + 12, sizeof(v4));
	for (i = 0; i < t->n_nodes; i++)
		if (topo_is_host(&t->nodes[i]) && t->nodes[i].addr.s_addr == v4)
			return &t->nodes[i];
	return NULL;
}

/* Of a host at a time: "h0": [17, 20]. A port and its neighbour may both have lost some. */
static void on_lost(const struct roce_watch_rec *rec, void *data)
{
	const struct roce_watch_lost *r = (const void *)rec;
	size_t n = (rec->len - sizeof(*r)) / sizeof(r->flow[0]), i;
	struct json_object *list;
	struct lost *l = data;

	if (r->more && l->qps) {
		json_object_put(l->qps);
		l->qps = NULL;
	}
	for (i = 0; i < n && l->qps; i++) {
		const struct node *host = host_of(l->topo, r->flow[i].daddr);

		if (!host)
			continue;
		list = js_get(l->qps, host->name);
		if (!list) {
			list = json_object_new_array();
			json_object_object_add(l->qps, host->name, list);
		}
		json_object_array_add(list, json_object_new_int64(r->flow[i].qpn));
	}
}

static int lost_command(struct timeline *tl)
{
	struct roce_watch_cmd cmd = { .kind = ROCE_WATCH_CMD_LOST };

	return watch_cmd(&tl->kernel, &cmd, "flows that lost packets");
}

/* Queue pairs that packets lost since the event before were for; null: too many to tell. */
static int add_lost(struct timeline *tl, struct json_object *o)
{
	static const struct watch_ops ops = { .other = on_lost };
	struct lost l = { .topo = &tl->lab->topo, .qps = json_object_new_object() };
	int rc = lost_command(tl) || watch_drain(&tl->kernel, &ops, &l);

	json_object_object_add(o, "lost_qps", l.qps);
	return rc ? -1 : 0;
}

static int watch_links(struct timeline *tl)
{
	const struct topo *t = &tl->lab->topo;
	int i;

	if (watch_open(&tl->kernel))
		return -1;
	for (i = 0; i < t->n_ports; i++)
		if (t->ports[i].qdisc && watch_port(&tl->kernel, &t->ports[i], ROCE_WATCH_F_LOST))
			return -1;
	return lost_command(tl);
}

static int add_counters(struct timeline *tl, struct json_object *o)
{
	struct json_object *counts = json_object_new_object();
	struct timeline_counts c;
	int rc = look(tl, &c) || sampler_counters(tl->sampler, counts);

	js_add_int(o, "to_hosts_wire_bytes", c.to_hosts_bytes);
	js_add_int(o, "lost", c.lost);
	js_add_int(o, "lost_wire_bytes", c.lost_bytes);
	js_add_int(o, "drops", c.drops);
	js_add_int(o, "retransmits", js_int(counts, "rp_retransmits", 0));
	js_add_int(o, "timeouts", js_int(counts, "rp_timeouts", 0));
	json_object_put(counts);
	return rc || add_lost(tl, o) ? -1 : 0;
}

/* A row of timeline.csv. A run that takes much longer than expected has them less often. */
static int write_row(struct timeline *tl)
{
	struct timeline_counts c;
	int64_t bytes;

	if (look(tl, &c))
		return -1;
	/* A link that goes down loses what had counted as sent. */
	bytes = c.to_hosts_bytes - tl->last.to_hosts_bytes;
	fprintf(tl->sampler->table[T_TIMELINE], "%" PRId64 ",%.0f,%" PRIu64 ",%" PRIu64 "\n",
		tl->row_ns, bytes > 0 ? bytes * 8.0 * NSEC_PER_SEC / tl->step_ns : 0,
		c.lost - tl->last.lost, c.drops - tl->last.drops);
	tl->last = c;
	if (++tl->n_rows % ROWS == 0)
		tl->step_ns *= 2;
	tl->row_ns += tl->step_ns;
	return 0;
}

static int change_ports(struct timeline *tl, struct json_object *event)
{
	struct json_object *ports = job_get(event, J_EVENT_PORTS);
	struct json_object *o = job_get(event, J_EVENT_PORT);
	size_t i;

	for (i = 0; i < js_len(ports); i++) {
		const char *node = json_object_get_string(js_at(js_at(ports, i), 0));
		const char *peer = json_object_get_string(js_at(js_at(ports, i), 1));
		struct port *p = topo_port(&tl->lab->topo, node, peer);

		if (!p || !p->qdisc)
			return fail("timeline: no port %s-%s", node, peer);
		if (qdisc_change(p, o))
			return -1;
		if (job_get(o, J_PORT_LINK))
			p->down = job_int(o, J_PORT_LINK, 0) != 0;
	}
	return 0;
}

static int change_hosts(struct timeline *tl, struct json_object *event)
{
	struct json_object *hosts = job_get(event, J_EVENT_HOSTS), *cc = job_get(event, J_EVENT_CC);
	struct json_object *params = json_object_new_object(), *knobs = json_object_new_object();
	int rc = 0;
	size_t i;

	tl->algo = job_str(cc, J_CC_ALGO, tl->algo);
	for (i = 0; i < js_len(hosts) && !rc; i++) {
		const char *name = json_object_get_string(js_at(hosts, i));
		struct node *n = topo_node(&tl->lab->topo, name);

		if (!n || !topo_is_host(n))
			rc = fail("timeline: no host %s", name);
		else if (!i)
			rc = cc_units(&tl->lab->cc, tl->algo, n->rdma, params, knobs, NULL);
		if (!rc)
			rc = cc_dev_set(&tl->lab->cc, n->rdma, cc, params, knobs);
	}
	json_object_put(params);
	json_object_put(knobs);
	return rc;
}

static int carry_out(struct timeline *tl, struct json_object *event)
{
	struct json_object *o = json_object_new_object();
	int rc;

	json_object_array_add(tl->points, o);
	js_add_str(o, "what", job_str(event, J_EVENT_WHAT, ""));
	js_add_int(o, "t_ns", job_int(event, J_EVENT_AT, 0));
	rc = add_counters(tl, o) || change_ports(tl, event) || change_hosts(tl, event) ||
	     (job_bool(event, J_EVENT_REROUTE, false) && route_rebuild(&tl->lab->topo));
	js_add_int(o, "done_ns", now_ns(CLOCK_MONOTONIC) - tl->sampler->t0_ns);
	return rc ? -1 : 0;
}

/**
 * timeline_open() - wait for the first event
 * @tl: timeline; @timer_fd stays -1 if the job has none
 * @lab: network and devices
 * @s: sampler, which knows the start
 *
 * Return: 0, or -1 after fail().
 */
int timeline_open(struct timeline *tl, struct lab *lab, struct sampler *s)
{
	tl->lab = lab;
	tl->sampler = s;
	tl->algo = lab->algo ? lab->algo : "none";
	tl->list = job_get(lab->job, J_TIMELINE);
	if (!js_len(tl->list))
		return 0;
	tl->step_ns = job_int(lab->job, J_TIMELINE_STEP, NSEC_PER_SEC);
	tl->row_ns = tl->step_ns;
	tl->points = json_object_new_array();
	tl->stats = xcalloc(lab->topo.n_ports, sizeof(*tl->stats));
	tl->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (tl->timer_fd < 0)
		return fail("timer: %s", strerror(errno));
	return watch_links(tl) || look(tl, &tl->last) || set_timer(tl) ? -1 : 0;
}

/**
 * timeline_due() - carry out what is due
 * @tl: timeline whose timer has expired
 *
 * Return: 0, or -1 after fail().
 */
int timeline_due(struct timeline *tl)
{
	int64_t now;
	uint64_t n;

	if (read(tl->timer_fd, &n, sizeof(n)) != sizeof(n))
		return 0;
	now = now_ns(CLOCK_MONOTONIC) - tl->sampler->t0_ns;
	/* A row that ends with an event has nothing of it. */
	while (tl->row_ns <= now)
		if (write_row(tl))
			return -1;
	while (event_ns(tl) <= now) {
		if (carry_out(tl, next_event(tl)))
			return -1;
		tl->next++;
	}
	return set_timer(tl);
}

/**
 * timeline_totals() - "timeline" of totals.json: each event that came, and the end of the run
 * @tl: timeline
 * @out: receives it
 *
 * Return: 0, or -1 after fail().
 */
int timeline_totals(struct timeline *tl, struct json_object *out)
{
	struct json_object *o;

	if (tl->timer_fd < 0)
		return 0;
	o = json_object_new_object();
	json_object_array_add(tl->points, o);
	js_add_int(o, "t_ns", now_ns(CLOCK_MONOTONIC) - tl->sampler->t0_ns);
	json_object_object_add(out, "timeline", json_object_get(tl->points));
	return add_counters(tl, o);
}

void timeline_close(struct timeline *tl)
{
	if (tl->timer_fd < 0)
		return;
	close(tl->timer_fd);
	watch_close(&tl->kernel);
	free(tl->stats);
	json_object_put(tl->points);
}
