// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: a plan whose hosts are in several kernels: in each runs a flowgen with the same plan,
 * which opens the devices that are there. All give a connection the same number, so each writes
 * its own ends of them to a file and reads the files of the others.
 *
 * Whoever started it (labinit in the lab) hears and says when to go on:
 *
 *	to --ready-fd			from --go-fd
 *	1: own ends are in ends.json	"connect": so are those of all others
 *	1: connected			"start NS": t0 on CLOCK_MONOTONIC
 *	1: own flows have ended		"stop": those of all others too
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/json.h"
#include "flowgen.h"

#define LINE_SIZE 64

static struct {
	int ready_fd, go_fd;
	struct fg_evsrc stop;
} part;

static int say(void)
{
	if (write(part.ready_fd, "1", 1) != 1)
		return fg_err("--ready-fd %d: %s", part.ready_fd, strerror(errno));
	return 0;
}

/* Byte by byte: what follows the line is for later. */
static int hear(char line[LINE_SIZE])
{
	size_t n = 0;

	while (n < LINE_SIZE - 1) {
		if (read(part.go_fd, &line[n], 1) != 1)
			return fg_err("--go-fd %d closed before the start", part.go_fd);
		if (line[n] == '\n')
			break;
		n++;
	}
	line[n] = '\0';
	return 0;
}

static int write_ends(const struct fg_plan *p, const char *dir)
{
	json_object *root = json_object_new_object(), *list = json_object_new_array(), *o;
	FILE *f = fg_create(dir, "ends.json");
	int side;
	u32 i;

	if (!f)
		return -1;
	for (i = 0; i < p->nconns; i++) {
		for (side = 0; side < 2; side++) {
			if (!p->conns[i]->ep[side].host)
				continue;
			o = json_object_new_object();
			js_add_int(o, "conn", i);
			js_add_int(o, "side", side);
			json_object_object_add(o, "end", fg_net_ep(p->conns[i], side));
			json_object_array_add(list, o);
		}
	}
	json_object_object_add(root, "ends", list);
	fputs(json_object_to_json_string_ext(root, JSON_C_TO_STRING_NOSLASHESCAPE), f);
	json_object_put(root);
	return fg_close(f, dir, "ends.json");
}

struct end_in {
	u32 conn;
	u32 side;
	json_object *end;
};

static const struct fg_key end_keys[] = {
	{ "conn", K_U32, offsetof(struct end_in, conn), 0, ~0U, NULL },
	{ "side", K_U32, offsetof(struct end_in, side), 0, 1, NULL },
	{ "end", K_JSON, offsetof(struct end_in, end), 0, 0, NULL },
	{ }
};

static int read_end(struct fg_plan *p, const char *file, json_object *o)
{
	struct end_in in = { ~0U, 0, NULL };
	const struct fg_keyset sets[] = { { end_keys, &in }, { NULL, NULL } };
	struct fg_ep *ep;

	if (fg_json_parse(o, "ends", sets))
		return -1;
	if (in.conn >= p->nconns || !in.end)
		return fg_err("%s: an end of no connection of the plan", file);
	ep = &p->conns[in.conn]->ep[in.side];
	if (ep->host)
		return fg_err("%s: connection %u: both parts have its end %u", file, in.conn,
			      in.side);
	return fg_net_read_ep(in.end, ep);
}

static int read_ends(struct fg_plan *p, const char *file)
{
	json_object *root = fg_json_read(file), *list = NULL;
	size_t i;
	int ret = 0;

	if (!root)
		return -1;
	if (!json_object_object_get_ex(root, "ends", &list) ||
	    !json_object_is_type(list, json_type_array))
		ret = fg_err("%s: no list \"ends\"", file);
	for (i = 0; !ret && i < json_object_array_length(list); i++)
		ret = read_end(p, file, json_object_array_get_idx(list, i));
	json_object_put(root);
	return ret;
}

static int check_known(const struct fg_plan *p)
{
	const struct fg_conn *c;
	int side;
	u32 i;

	for (i = 0; i < p->nconns; i++) {
		c = p->conns[i];
		for (side = 0; side < 2; side++)
			if (!c->ep[side].host && !c->ep[side].qpn)
				return fg_err("connection %u: no part has its end at %s", i,
					      p->hosts[side ? c->dst : c->src]);
	}
	return 0;
}

/**
 * fg_part_check() - can a plan be run in parts
 * @p: plan
 *
 * Return: 0, or -1 after a message.
 */
int fg_part_check(const struct fg_plan *p)
{
	u32 i;

	if (p->nrows)
		return fg_err("flows_file: not with --local: queue pairs are made while it runs");
	if (p->warmup_bytes || p->lookahead_ns != FG_NO_LOOKAHEAD)
		return fg_err("warmup_bytes, lookahead_ns: not with --local");
	if (p->after.n)
		return fg_err("after, after_start: not with --local: another part's flows end there");
	for (i = 0; i < p->nflows; i++)
		if (p->flows[i].attr.verify || p->flows[i].in_chain)
			return fg_err("flow %u: verify, count: not with --local", p->flows[i].id);
	return 0;
}

/**
 * fg_part_exchange() - tell the other parts of our ends, and learn theirs
 * @p: plan whose QPs are made
 * @dir: output directory
 * @part_opts: file descriptors and files of the others
 *
 * Return: 0, or -1 after a message.
 */
int fg_part_exchange(struct fg_plan *p, const char *dir, const struct fg_part_opts *o)
{
	char line[LINE_SIZE];
	u32 i;

	part.ready_fd = o->ready_fd;
	part.go_fd = o->go_fd;
	if (write_ends(p, dir) || say() || hear(line))
		return -1;
	if (strcmp(line, "connect"))
		return fg_err("--go-fd: \"%s\", not \"connect\"", line);
	for (i = 0; i < o->npeers; i++)
		if (read_ends(p, o->peers[i]))
			return -1;
	return check_known(p);
}

/* What other parts post is theirs; connections stay, for the numbers they have. */
static void keep_own(struct fg_plan *p)
{
	u32 i, n = 0;

	for (i = 0; i < p->nflows; i++)
		if (p->flows[i].src < p->nlocal)
			p->flows[n++] = p->flows[i];
	p->nflows = n;
	for (i = 0, n = 0; i < p->npingpongs; i++) {
		p->conns[p->pingpongs[i].conn]->pingpong = NULL;
		if (p->pingpongs[i].src >= p->nlocal)
			continue;
		p->pingpongs[n] = p->pingpongs[i];
		p->conns[p->pingpongs[n].conn]->pingpong = &p->pingpongs[n];
		n++;
	}
	p->npingpongs = n;
}

static void on_done(void)
{
	if (say())
		eng.aborted = true;
}

static void on_stop(struct fg_evsrc *ev)
{
	char line[LINE_SIZE];

	fg_engine_unwatch(ev);
	if (hear(line) || strcmp(line, "stop"))
		eng.aborted = true;
	eng.held = false;
}

/**
 * fg_part_wait_start() - say that all is connected, wait for t0
 * @p: plan; what other parts do is taken out of it
 *
 * Return: 0, or -1 after a message.
 */
int fg_part_wait_start(struct fg_plan *p)
{
	unsigned long long t0;
	char line[LINE_SIZE];

	keep_own(p);
	if (say() || hear(line))
		return -1;
	if (sscanf(line, "start %llu", &t0) != 1)
		return fg_err("--go-fd: \"%s\", not \"start NS\"", line);
	p->start_at_ns = t0;
	eng.held = true;
	eng.on_done = on_done;
	return fg_engine_watch(&part.stop, part.go_fd, on_stop);
}
