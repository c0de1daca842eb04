// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: starts the traffic generator flowgen. Several guests may share the hosts: then each
 * that has hosts runs a flowgen for their flows. What it says goes on to the coordinator, and
 * what that says goes to it (tools/flowgen/plan_over_several_kernels.c has the words).
 *
 *	here -> coordinator		coordinator -> here, when all have said so
 *	ends				connect
 *	setup-done			go NS: t0 by the clock here
 *	done: own flows have ended	stop
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guest/flowgen_coordination.h"

/**
 * flowgen_init() - find out what this guest has
 * @fg: result
 * @t: topology
 */
void flowgen_init(struct flowgen *fg, struct topo *t)
{
	int i;

	*fg = (struct flowgen){ .on = control_guest() >= 0, .ready_fd = -1, .go_fd = -1 };
	for (i = 0; i < t->n_nodes; i++)
		fg->gen |= topo_is_host(&t->nodes[i]);
}

static bool has_hosts(struct json_object *job, int part)
{
	struct json_object *nodes = job_get(job, J_NODES);
	size_t i;

	for (i = 0; i < js_len(nodes); i++)
		if (job_int(js_at(nodes, i), J_NODE_PART, 0) == part &&
		    strcmp(job_str(js_at(nodes, i), J_NODE_KIND, ""), "host") == 0)
			return true;
	return false;
}

static char *local_devices(struct topo *t)
{
	char *list = xstrdup(""), *more;
	int i;

	for (i = 0; i < t->n_nodes; i++) {
		if (!topo_is_host(&t->nodes[i]))
			continue;
		more = xasprintf("%s%s%s", list, *list ? "," : "", t->nodes[i].rdma);
		free(list);
		list = more;
	}
	return list;
}

/* Arguments with what the traffic generator is told of the other guests. */
static char **flowgen_args(struct flowgen *fg, struct topo *t, struct json_object *job,
			   const char *dir, char **argv)
{
	int parts = fg->on ? job_int(job, J_PARTS, 1) : 0, n = 0, i;
	const char *out = job_str(job, J_OUT, "");
	char **more;

	while (argv[n])
		n++;
	more = xcalloc(n + 2 * parts + 3, sizeof(*more));
	memcpy(more, argv, n * sizeof(*more));
	if (!fg->on)
		return more;
	more[n++] = "--local";
	more[n++] = local_devices(t);
	for (i = 0; i < parts; i++) {
		if (i == control_guest() || !has_hosts(job, i))
			continue;
		more[n++] = "--peer-ends";
		more[n++] = xasprintf("%.*s/part%d/%s/ends.json",
				      (int)(strrchr(out, '/') - out), out, i, dir);
	}
	return more;
}

/**
 * flowgen_start() - start the traffic generator
 * @job: with all nodes; "out" is this guest's
 * @plan: what it is to do
 * @fg: the generator, whose descriptors are set
 * @t: topology
 * @dir: directory in "out" for its results, the same in all guests
 * @gen: receives the process
 *
 * Return: 0, or -1 after fail().
 */
int flowgen_start(struct json_object *job, struct json_object *plan, struct flowgen *fg,
		  struct topo *t, const char *dir, struct proc *gen)
{
	const char *out = job_str(job, J_OUT, "");
	char *file = xasprintf("%s/plan.json", out), *results = xasprintf("%s/%s", out, dir);
	int ready[2], go[2], keep[2], rc = -1;
	char fds[2][16];
	char *argv[] = { (char *)job_str(job, J_FLOWGEN, "flowgen"), "run", file, "--out", results,
			 "--ready-fd", fds[0], "--go-fd", fds[1], "-q", NULL }, **args;

	if (js_save(plan, file)) {
		fail("%s: %s", file, strerror(errno));
		goto out;
	}
	if (pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC)) {
		fail("pipe: %s", strerror(errno));
		goto out;
	}
	snprintf(fds[0], sizeof(fds[0]), "%d", ready[1]);
	snprintf(fds[1], sizeof(fds[1]), "%d", go[0]);
	keep[0] = ready[1];
	keep[1] = go[0];
	gen->status = -1;
	args = flowgen_args(fg, t, job, dir, argv);
	gen->pid = sys_spawn(&(struct spawn){
		.argv = args, .env = job_get(job, J_ENV), .keep_fds = keep, .n_keep = 2,
	});
	free(args);
	close(ready[1]);
	close(go[0]);
	fg->ready_fd = ready[0];
	fg->go_fd = go[1];
	rc = gen->pid < 0 ? -1 : 0;
out:
	free(file);
	free(results);
	return rc;
}

/* It has nothing else to say before its end. */
static int flowgen_wait_ready(struct flowgen *fg)
{
	ssize_t n;
	char byte;

	do {
		n = read(fg->ready_fd, &byte, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : fail("flowgen ended before the traffic");
}

static int flowgen_write(struct flowgen *fg, const char *line)
{
	if (write(fg->go_fd, line, strlen(line)) != (ssize_t)strlen(line))
		return fail("flowgen: %s", strerror(errno));
	return 0;
}

static int wait_word(const char *word)
{
	char *rest = control_wait(word);

	free(rest);
	return rest ? 0 : -1;
}

/**
 * flowgen_connect() - have all queue pairs connected
 * @fg: the generator
 *
 * Return: 0, or -1 after fail().
 */
int flowgen_connect(struct flowgen *fg)
{
	if (fg->gen && flowgen_wait_ready(fg))
		return -1;
	mark("ends");
	if (wait_word("connect"))
		return -1;
	return fg->gen ? flowgen_write(fg, "connect\n") || flowgen_wait_ready(fg) : 0;
}

/**
 * flowgen_wait_go() - wait for the common start
 * @fg: the generator
 * @t0_ns: receives it, by this guest's CLOCK_MONOTONIC
 *
 * Return: 0, or -1 after fail().
 */
int flowgen_wait_go(struct flowgen *fg, int64_t *t0_ns)
{
	char *text = control_wait("go");
	int64_t now = now_ns(CLOCK_MONOTONIC);

	(void)fg;
	if (!text)
		return -1;
	*t0_ns = strtoll(text, NULL, 10);
	free(text);
	return *t0_ns > now ? 0 : fail("the start came %" PRId64 " ns too late", now - *t0_ns);
}

/* Tell the traffic generator. */
int flowgen_start_traffic(struct flowgen *fg, int64_t t0_ns)
{
	char line[40];

	snprintf(line, sizeof(line), "start %" PRId64 "\n", t0_ns);
	return fg->gen ? flowgen_write(fg, line) : 0;
}

/* Its own flows have ended, or it has. */
static void flowgen_done(struct flowgen *fg)
{
	char byte;

	fg->done = read(fg->ready_fd, &byte, 1) == 1;
	if (fg->done)
		mark("done");
	close(fg->ready_fd);
	fg->ready_fd = -1;
}

/**
 * flowgen_poll() - take what traffic generator and coordinator have said
 * @fg: the generator
 *
 * Return: 0, or -1 after fail().
 */
int flowgen_poll(struct flowgen *fg)
{
	struct pollfd pfd = { .fd = fg->ready_fd, .events = POLLIN };
	int heard;

	if (fg->ready_fd >= 0 && poll(&pfd, 1, 0) > 0)
		flowgen_done(fg);
	heard = control_heard("stop");
	if (heard <= 0)
		return heard;
	fg->stopped = true;
	return fg->go_fd >= 0 ? flowgen_write(fg, "stop\n") : 0;
}
