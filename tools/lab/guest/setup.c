// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: sets up a job's network, and its hosts' RDMA devices and congestion control, for
 * runs, checks and shells.
 */
#include <linux/rxe_cc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "guest/realtime_measure.h"
#include "guest/setup.h"

/*
 * Packets that arrive within one instant wait for the one CPU here. No wire of
 * any lab loses packets there.
 */
#define MAX_BACKLOG	(1 << 24)

/* lab_mem_kb() - memory that is available here */
int64_t lab_mem_kb(void)
{
	char *text = read_file("/proc/meminfo", NULL), *p;
	int64_t kb = 0;

	p = text ? strstr(text, "MemAvailable:") : NULL;
	if (p)
		kb = strtoll(p + strlen("MemAvailable:"), NULL, 10);
	free(text);
	return kb;
}

/*
 * The kernel lets a queue pair run without control whose algorithm cannot run on
 * it. The figures would bear the algorithm's name.
 */
static int fits(struct lab *l)
{
	const uint32_t acks = RXE_CC_ALGO_NEED_RTT | RXE_CC_ALGO_NEED_INT |
			      RXE_CC_ALGO_NEED_ACK_EVERY_PACKET;

	if (!l->unreliable || !(l->about.needs & acks))
		return 0;
	return fail("%s needs acknowledgments, which unreliable connections (transport=uc) do not have",
		    l->algo);
}

/* The speed of a host's device is that of its own link, unless the user says. */
static void own_line_rate(struct json_object *cc, const struct node *n)
{
	struct json_object *knobs = job_get(cc, J_CC_KNOBS), *own = job_get(cc, J_CC_OWN_LINE_RATE);

	if (knobs && own && json_object_get_boolean(own) && n->n_ports)
		js_add_int(knobs, "line_rate", job_int(n->ports[0]->qdisc, J_PORT_RATE, 0));
}

/* What a host is set to: its group's, or what all are. */
static struct json_object *cc_of_host(struct json_object *cc, const struct node *n)
{
	struct json_object *groups = job_get(cc, J_CC_GROUPS), *hosts;
	size_t i, k;

	for (i = 0; i < js_len(groups); i++) {
		hosts = job_get(js_at(groups, i), J_GROUP_HOSTS);
		for (k = 0; k < js_len(hosts); k++)
			if (!strcmp(json_object_get_string(js_at(hosts, k)), n->name))
				return job_get(js_at(groups, i), J_GROUP_CC);
	}
	return cc;
}

/* Units of what a host's algorithm has; what the first says of itself is the run's. */
static int units(struct lab *l, const struct node *n, bool first, struct json_object *params,
		 struct json_object *knobs)
{
	struct lab one = { .unreliable = l->unreliable, .algo = n->algo };

	if (cc_units(&l->cc, n->algo, n->rdma, params, knobs, &one.about))
		return -1;
	if (first)
		l->about = one.about;
	return fits(&one);
}

/**
 * lab_cc() - set an algorithm, with parameters and knobs
 * @l: lab after lab_setup()
 * @cc: what hosts are set to
 * @n_hosts: of the first so many hosts
 *
 * A refusal here is about what the user wrote: it has an exit status of its own.
 *
 * Return: 0, or -1 after fail().
 */
int lab_cc(struct lab *l, struct json_object *cc, int n_hosts)
{
	struct json_object *params = json_object_new_object(), *knobs = json_object_new_object();
	struct json_object *own, *units_of = NULL;
	int i, done = 0, rc = 0;

	if (!l->have_cc && cc_open(&l->cc))
		return -1;
	l->have_cc = true;
	l->algo = job_str(cc, J_CC_ALGO, "none");
	for (i = 0; i < l->topo.n_nodes && done < n_hosts && !rc; i++) {
		struct node *n = &l->topo.nodes[i];

		if (!topo_is_host(n))
			continue;
		own = cc_of_host(cc, n);
		n->algo = job_str(own, J_CC_ALGO, "none");
		if (own != units_of)
			rc = units(l, n, !done, params, knobs);
		units_of = own;
		done++;
		own_line_rate(own, n);
		if (!rc)
			rc = cc_dev_set(&l->cc, n->rdma, own, params, knobs);
	}
	json_object_put(params);
	json_object_put(knobs);
	l->refused = rc != 0;
	return rc;
}

/* What no algorithm decides: network, hosts, their devices. */
static int network(struct lab *l)
{
	bool shared;
	int rc;

	l->mem_before_kb = lab_mem_kb();
	sys_verbs_providers();
	/*
	 * Commands in a node of a guest find the devices there, and programs on a host. A guest
	 * has few nodes, and devices in all namespaces cost little. lab_check_programs() of the
	 * host side sees to it that labs with programs are not large.
	 */
	shared = (control_guest() >= 0 && strcmp(job_str(l->job, J_MODE, ""), "shell") == 0) ||
		 job_get(l->job, J_PROGRAMS);
	if ((!shared && rdma_exclusive()) ||
	    sys_sysctl("net/core/netdev_max_backlog", "%d", MAX_BACKLOG))
		return -1;
	rc = realtime_check(l->job);
	l->refused = rc > 0;
	return rc || topo_build(&l->topo, l->job) || route_build(&l->topo, l->job) ||
	       rdma_hosts_add(&l->topo) ? -1 : 0;
}

/* The network of jobs that have the same, before the first of them. */
static struct lab common;

/**
 * lab_share() - set up the network of all jobs to come
 * @job: that has it
 *
 * Return: 0, or -1 after fail().
 */
int lab_share(struct json_object *job)
{
	common.job = job;
	return network(&common);
}

/**
 * lab_setup() - build what the job says: network, hosts, their devices and algorithm
 * @l: with the job
 *
 * Return: 0, or -1 after fail().
 */
int lab_setup(struct lab *l)
{
	struct json_object *job = l->job, *cc = job_get(job, J_CC);

	if (common.job)
		*l = common;
	l->job = job;
	l->unreliable = strcmp(job_str(job_get(job, J_PLAN), J_PLAN_TRANSPORT, "rc"), "uc") == 0;
	if (!common.job && network(l))
		return -1;
	if (cc && lab_cc(l, cc, l->topo.n_nodes))
		return -1;
	flowgen_init(&l->flowgen, &l->topo);
	l->mem_setup_kb = lab_mem_kb();
	mark("topology");
	return 0;
}

/**
 * lab_start_ports() - ports that begin with something before the traffic does
 * @l: lab after lab_setup()
 * @t0_ns: start of the traffic
 * @wait: until shortly before that; else at once
 *
 * Return: 0, or -1 after fail().
 */
int lab_start_ports(struct lab *l, int64_t t0_ns, bool wait)
{
	struct topo *t = &l->topo;
	int64_t lead_ns = 0, at_ns;
	struct timespec ts;
	int i, rc = 0;

	for (i = 0; i < t->n_ports; i++)
		if (job_int(t->ports[i].qdisc, J_PORT_START_LEAD, 0) > lead_ns)
			lead_ns = job_int(t->ports[i].qdisc, J_PORT_START_LEAD, 0);
	at_ns = t0_ns - lead_ns;
	ts = (struct timespec){ at_ns / NSEC_PER_SEC, at_ns % NSEC_PER_SEC };
	if (lead_ns && wait)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	for (i = 0; i < t->n_ports && !rc; i++)
		if (job_get(t->ports[i].qdisc, J_PORT_START_PRIO))
			rc = qdisc_start(&t->ports[i]);
	return rc;
}
