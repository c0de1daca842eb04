// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: samples that the kernel takes (roce_watch.ko), read now and then.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/roce_watch_reader.h"

#define WATCH_FILE	"/sys/kernel/debug/roce_watch"
#define IO_BYTES	(128 * 1024)

/**
 * watch_open() - begin
 * @w: watch
 *
 * Return: 0, or -1 after fail().
 */
int watch_open(struct watch *w)
{
	memset(w, 0, sizeof(*w));
	w->fd = open(WATCH_FILE, O_RDWR | O_CLOEXEC);
	if (w->fd < 0)
		return fail("%s: %s", WATCH_FILE, strerror(errno));
	w->buf = xrealloc(NULL, IO_BYTES);
	return 0;
}

/**
 * watch_cmd() - give the kernel a command
 * @w: watch
 * @cmd: command
 * @what: said when it fails
 *
 * Return: 0, or -1 after fail().
 */
int watch_cmd(struct watch *w, const struct roce_watch_cmd *cmd, const char *what)
{
	if (write(w->fd, cmd, sizeof(*cmd)) != sizeof(*cmd))
		return fail("%s: %s", what, strerror(errno));
	return 0;
}

/**
 * watch_port() - have a port watched
 * @w: watch
 * @p: port
 * @flags: ROCE_WATCH_F_*
 *
 * Return: 0, or -1 after fail().
 */
int watch_port(struct watch *w, const struct port *p, uint32_t flags)
{
	struct roce_watch_cmd cmd = {
		.kind = ROCE_WATCH_CMD_PORT, .flags = flags, .netns_fd = p->node->ns_fd,
		.ifindex = p->ifindex, .id = p->id,
	};
	char what[80];

	snprintf(what, sizeof(what), "watch of port %s-%s", p->node->name, p->peer->node->name);
	return watch_cmd(w, &cmd, what);
}

static void add_name(char ***list, size_t *n, const struct roce_watch_rec *rec)
{
	size_t i = *n;

	if (rec->id >= i) {
		*n = rec->id + 1;
		*list = xrealloc(*list, *n * sizeof(**list));
		memset(*list + i, 0, (*n - i) * sizeof(**list));
	}
	free((*list)[rec->id]);
	(*list)[rec->id] = xstrdup((const char *)(rec + 1));
}

static const char *name_of(char **list, size_t n, uint32_t id)
{
	return id < n && list[id] ? list[id] : "";
}

static void on_qp(struct watch *w, const struct roce_watch_qp *r, cc_qp_fn fn, void *data)
{
	struct cc_qp qp = {
		.dev = name_of(w->devs, w->n_devs, r->rec.id), .qpn = r->qpn, .algo = "",
		.rtt_ns = r->rtt_ns, .rate_bps = r->rate_bps, .cwnd_bytes = r->cwnd_bytes,
		.inflight_bytes = r->inflight_bytes, .acked_bytes = r->acked_bytes,
		.tx_packets = r->tx_packets, .tx_bytes = r->tx_bytes,
		.congestion = r->congestion, .rx_msgs = r->rx_msgs,
		.rx_senders = r->rx_senders, .of_port = r->of_port,
		.by_int = r->by_int,
	};
	size_t i;

	for (i = 0; i < r->nr_vars && i < CC_VARS_MAX; i++) {
		qp.vars[i].name = name_of(w->vars, w->n_vars, r->var[i].id);
		qp.vars[i].value = r->var[i].value;
	}
	qp.n_vars = i;
	fn(&qp, data);
}

static void on_record(struct watch *w, const struct roce_watch_rec *rec,
		      const struct watch_ops *ops, void *data)
{
	const struct roce_watch_port *port = (const void *)rec;
	const struct roce_watch_hist *hist = (const void *)rec;

	switch (rec->kind) {
	case ROCE_WATCH_TICK:
		ops->tick((const void *)rec, data);
		break;
	case ROCE_WATCH_PORT:
		ops->port(port, (rec->len - sizeof(*port)) / sizeof(port->prio[0]), data);
		break;
	case ROCE_WATCH_DEV:
		add_name(&w->devs, &w->n_devs, rec);
		break;
	case ROCE_WATCH_VAR:
		add_name(&w->vars, &w->n_vars, rec);
		break;
	case ROCE_WATCH_QP:
		on_qp(w, (const void *)rec, ops->qp, data);
		break;
	case ROCE_WATCH_HIST:
		ops->hist(hist, (rec->len - sizeof(*hist)) / sizeof(hist->bucket[0]), data);
		break;
	default:
		ops->other(rec, data);
		break;
	}
}

/**
 * watch_drain() - take all records that there are
 * @w: watch
 * @ops: called for each
 * @data: for @ops
 *
 * Return: 0, or -1 after fail(), also when the kernel lost a record.
 */
int watch_drain(struct watch *w, const struct watch_ops *ops, void *data)
{
	const struct roce_watch_rec *rec;
	size_t room, at;
	ssize_t n;

	do {
		room = IO_BYTES - w->have;
		n = read(w->fd, w->buf + w->have, room);
		if (n < 0)
			return fail("samples: %s", strerror(errno));
		w->have += n;
		for (at = 0; at + sizeof(*rec) <= w->have; at += rec->len) {
			rec = (const void *)(w->buf + at);
			if (at + rec->len > w->have)
				break;
			on_record(w, rec, ops, data);
		}
		w->have -= at;
		memmove(w->buf, w->buf + at, w->have);
	} while ((size_t)n == room);
	return 0;
}

void watch_close(struct watch *w)
{
	size_t i;

	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	for (i = 0; i < w->n_devs; i++)
		free(w->devs[i]);
	for (i = 0; i < w->n_vars; i++)
		free(w->vars[i]);
	free(w->devs);
	free(w->vars);
	free(w->buf);
}
