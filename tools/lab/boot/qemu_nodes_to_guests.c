// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: which node is in which guest, and the cables between them.
 *
 * All switches are in guest 0, hosts in the others by turns. Nothing but the
 * job says so: each guest finds its nodes, and the network devices of its
 * cables by the addresses that labinit gives to the ports.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "boot/qemu.h"

/* Hosts' guests if the user does not say; more only make each slower here. */
#define GUESTS_DEFAULT	4
#define SOCKET_BYTES	(1 << 20)

static int64_t guests_wanted(const struct run_opts *o, const struct plan *p)
{
	int64_t n = o->guests ? o->guests : GUESTS_DEFAULT;

	return n < p->n_hosts ? n : p->n_hosts;
}

static void add_name(struct qemu_guest *g, const char *name)
{
	char *more = g->nodes ? xasprintf("%s,%s", g->nodes, name) : xstrdup(name);

	free(g->nodes);
	g->nodes = more;
}

/* As port_init() in tools/lab/guest/topo.c: 02, host or switch, node, port. */
static void add_cable(struct qemu_guest *g, const struct plan *p, int node, int port, int fd)
{
	struct qemu_cable *c = &g->cables[g->n_cables++];

	*c = (struct qemu_cable){
		.fd = fd,
		.mac = { 0x02, !p->nodes[node].host, node >> 8, node, port >> 8, port },
	};
}

/* A datagram is a frame, in both directions; it ends when either end does. */
static int make_pair(int fds[2])
{
	int bytes = SOCKET_BYTES, i;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fds))
		return run_error("socketpair: %s", strerror(errno));
	for (i = 0; i < 2; i++)
		setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	return 0;
}

static int add_cables(struct qemu *q, const int *part)
{
	const struct plan *p = q->c->plan;
	int *ports = xcalloc(p->n_nodes, sizeof(*ports)), fds[2], i, rc = 0;

	for (i = 0; i < p->n_links && !rc; i++) {
		int a = p->links[i].a, b = p->links[i].b, pa = ports[a]++, pb = ports[b]++;
		struct qemu_guest *ga = &q->guests[part[a]], *gb = &q->guests[part[b]];

		if (ga == gb)
			continue;
		if (ga->n_cables == QEMU_FDS || gb->n_cables == QEMU_FDS)
			rc = usage_error("%s: a guest can have %d links to others, not more",
					 q->c->sc->name, QEMU_FDS);
		else
			rc = make_pair(fds);
		if (rc)
			break;
		add_cable(ga, p, a, pa, fds[0]);
		add_cable(gb, p, b, pb, fds[1]);
	}
	free(ports);
	return rc;
}

/**
 * qemu_nodes_to_guests() - give every node a guest and every link between guests a cable
 * @q: with the plan; receives the guests
 * @o: options with --guests
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_nodes_to_guests(struct qemu *q, const struct run_opts *o)
{
	const struct plan *p = q->c->plan;
	struct json_object *nodes = job_get(p->base, J_NODES);
	int for_hosts = guests_wanted(o, p), *part = xcalloc(p->n_nodes, sizeof(*part));
	int first = p->n_nodes > p->n_hosts, host = 0, i, rc;

	q->n_guests = first + for_hosts;
	q->guests = xcalloc(q->n_guests, sizeof(*q->guests));
	for (i = 0; i < q->n_guests; i++) {
		q->guests[i].number = i;
		q->guests[i].ctl = -1;
	}
	for (i = 0; i < p->n_nodes; i++) {
		part[i] = p->nodes[i].host ? first + host++ % for_hosts : 0;
		q->guests[part[i]].hosts |= p->nodes[i].host;
		add_name(&q->guests[part[i]], p->nodes[i].name);
		job_add_int(js_at(nodes, i), J_NODE_PART, part[i]);
	}
	job_add_int(p->base, J_PARTS, q->n_guests);
	rc = add_cables(q, part);
	free(part);
	return rc;
}
