// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: the user's programs on the hosts of a run, beside the traffic generator. This file
 * starts them, keeps what they print, and ends them.
 *
 * A program is in the network namespace of its host. The RDMA subsystem is in shared mode then
 * (setup.c), so the program finds the devices there, and connects by rdma_cm as on any machine.
 * Each program leads a session of its own: a signal to the group reaches its children.
 *
 * Output comes by a pipe. A program that prints without end would never let time go on, as
 * nobody sleeps then: it is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest/programs.h"

#define OUTPUT_MAX	(16 << 20)
/* Of the lab's time: for a program that was asked to end, and for one that was killed. */
#define GRACE_NS	(100 * 1000 * 1000)
#define KILL_NS		NSEC_PER_SEC

/**
 * programs_open() - prepare the programs of a run
 * @ps: receives them
 * @job: with "programs"
 * @t: topology
 * @out: directory for their output
 *
 * Return: 0, or -1 after fail().
 */
int programs_open(struct programs *ps, struct json_object *job, struct topo *t, const char *out)
{
	struct json_object *list = job_get(job, J_PROGRAMS);
	int i, rc = 0;
	char *path;

	*ps = (struct programs){ .topo = t, .job = job, .n = js_len(list), .timer_fd = -1 };
	if (!ps->n)
		return 0;
	ps->list = xcalloc(ps->n, sizeof(*ps->list));
	ps->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (ps->timer_fd < 0)
		return fail("timer: %s", strerror(errno));
	for (i = 0; i < ps->n && !rc; i++) {
		struct program *p = &ps->list[i];

		*p = (struct program){
			.job = js_at(list, i), .out_fd = -1, .begun_ns = -1, .end_ns = -1,
		};
		p->start_ns = job_int(p->job, J_PROGRAM_START, 0);
		path = xasprintf("%s/program%d.txt", out, i);
		p->file_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (p->file_fd < 0)
			rc = fail("%s: %s", path, strerror(errno));
		free(path);
	}
	return rc;
}

/**
 * programs_follow() - have sys_reap() take the exit status of the programs as well
 * @ps: programs
 * @first: that it is called with
 */
void programs_follow(struct programs *ps, struct proc *first)
{
	int i;

	for (i = 0; i < ps->n; i++) {
		ps->list[i].proc.next = first->next;
		first->next = &ps->list[i].proc;
	}
}

static int64_t since_t0(const struct programs *ps)
{
	return now_ns(CLOCK_MONOTONIC) - ps->t0_ns;
}

static int set_timer(struct programs *ps)
{
	int64_t next = INT64_MAX, at;
	struct itimerspec its = {};
	int i;

	for (i = 0; i < ps->n; i++)
		if (!ps->list[i].group && ps->list[i].start_ns < next)
			next = ps->list[i].start_ns;
	if (next < INT64_MAX) {
		at = ps->t0_ns + next;
		its.it_value = (struct timespec){ at / NSEC_PER_SEC, at % NSEC_PER_SEC };
	}
	return timerfd_settime(ps->timer_fd, TFD_TIMER_ABSTIME, &its, NULL) ?
	       fail("timer: %s", strerror(errno)) : 0;
}

/**
 * programs_start() - from now on programs start when their time has come
 * @ps: programs
 * @t0_ns: start of the traffic, which their times count from
 *
 * Return: 0, or -1 after fail().
 */
int programs_start(struct programs *ps, int64_t t0_ns)
{
	ps->t0_ns = t0_ns;
	return ps->n ? set_timer(ps) : 0;
}

static int start(struct programs *ps, struct program *p)
{
	char **argv = sys_argv(job_get(p->job, J_PROGRAM_ARGV));
	struct node *n = topo_node(ps->topo, job_str(p->job, J_PROGRAM_HOST, ""));
	int out[2], rc = -1;

	if (!argv[0] || !n) {
		fail("job: a program without words or host");
	} else if (pipe2(out, O_CLOEXEC)) {
		fail("pipe: %s", strerror(errno));
	} else if (!topo_enter(ps->topo, n)) {
		p->begun_ns = since_t0(ps);
		p->proc.status = -1;
		p->proc.pid = sys_spawn(&(struct spawn){
			.argv = argv, .env = job_get(ps->job, J_PROGRAM_ENV), .out = out[1],
			.own_sys = true, .cwd = job_str(ps->job, J_CWD, NULL),
		});
		p->group = p->proc.pid;
		close(out[1]);
		p->out_fd = out[0];
		fcntl(p->out_fd, F_SETFL, O_NONBLOCK);
		rc = topo_leave(ps->topo) || p->proc.pid < 0 ? -1 : 0;
	}
	free(argv);
	return rc;
}

static int start_due(struct programs *ps)
{
	uint64_t expired;
	int64_t now;
	int i, rc = 0;

	if (read(ps->timer_fd, &expired, sizeof(expired)) != sizeof(expired))
		return 0;
	now = since_t0(ps);
	for (i = 0; i < ps->n && !rc; i++)
		if (!ps->list[i].group && ps->list[i].start_ns <= now)
			rc = start(ps, &ps->list[i]);
	return rc ? rc : set_timer(ps);
}

/* To the file, and to the user if this is the program that was asked for. */
static int keep(struct program *p, const char *buf, ssize_t n)
{
	p->bytes += n;
	if (write(p->file_fd, buf, n) != n)
		return fail("output of a program: %s", strerror(errno));
	if (job_bool(p->job, J_PROGRAM_SHOW, false)) {
		fwrite(buf, 1, n, stdout);
		fflush(stdout);
	}
	if (p->bytes < OUTPUT_MAX)
		return 0;
	p->too_much = true;
	kill(-p->group, SIGKILL);
	fail("on %s: \"%s\" was killed: it has printed more than %d MiB",
	     job_str(p->job, J_PROGRAM_HOST, ""), job_str(p->job, J_PROGRAM_COMMAND, ""),
	     OUTPUT_MAX >> 20);
	return 0;
}

static int take_output(struct program *p)
{
	char buf[65536];
	ssize_t n = 1;
	int rc = 0;

	while (p->out_fd >= 0 && n > 0 && !rc && !p->too_much) {
		n = read(p->out_fd, buf, sizeof(buf));
		if (n > 0)
			rc = keep(p, buf, n);
	}
	/* The end, also where a process that nobody sees holds the pipe. */
	if (p->out_fd >= 0 && (!n || p->too_much)) {
		close(p->out_fd);
		p->out_fd = -1;
	}
	return rc;
}

/**
 * programs_pollfds() - what there is to wait for
 * @ps: programs
 * @pfd: receives it: one more than there are programs, at most
 *
 * Return: how many.
 */
int programs_pollfds(const struct programs *ps, struct pollfd *pfd)
{
	int i, n = 0;

	if (!ps->n)
		return 0;
	pfd[n++] = (struct pollfd){ .fd = ps->timer_fd, .events = POLLIN };
	for (i = 0; i < ps->n; i++)
		if (ps->list[i].out_fd >= 0)
			pfd[n++] = (struct pollfd){ .fd = ps->list[i].out_fd, .events = POLLIN };
	return n;
}

/**
 * programs_poll() - start programs that are due, take output, note who has ended
 * @ps: programs; sys_reap() has been called if one has ended
 *
 * Return: 0, or -1 after fail().
 */
int programs_poll(struct programs *ps)
{
	int i;

	if (!ps->n)
		return 0;
	for (i = 0; i < ps->n; i++) {
		struct program *p = &ps->list[i];

		if (take_output(p))
			return -1;
		if (p->group && !p->proc.pid && p->end_ns < 0)
			p->end_ns = since_t0(ps);
	}
	return start_due(ps);
}

/* programs_wanted() - is there one that the end of the run waits for */
bool programs_wanted(const struct programs *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (job_bool(ps->list[i].job, J_PROGRAM_WAIT, true) && ps->list[i].end_ns < 0)
			return true;
	return false;
}

/**
 * programs_late() - say which programs the end of the run has waited for in vain
 * @ps: programs
 * @limit_ns: time that the run had
 */
void programs_late(const struct programs *ps, int64_t limit_ns)
{
	int i;

	for (i = 0; i < ps->n; i++) {
		struct program *p = &ps->list[i];

		if (job_bool(p->job, J_PROGRAM_WAIT, true) && p->end_ns < 0)
			fail("on %s: \"%s\" (process %d) did not end within %" PRId64
			     " ns (--set limit)", job_str(p->job, J_PROGRAM_HOST, ""),
			     job_str(p->job, J_PROGRAM_COMMAND, ""), p->group, limit_ns);
	}
}

/* All processes of all programs; true if there are any. */
static bool signal_all(struct programs *ps, int sig)
{
	bool any = false;
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->list[i].group && kill(-ps->list[i].group, sig) == 0)
			any = true;
	return any;
}

/* Until no process of any program is there. */
static void wait_all(struct programs *ps, struct proc *first, int64_t timeout_ns)
{
	int64_t end = now_ns(CLOCK_MONOTONIC) + timeout_ns;
	const struct timespec pause = { .tv_nsec = GRACE_NS / 100 };

	do {
		sys_reap(first);
		if (programs_poll(ps) || !signal_all(ps, 0))
			return;
		nanosleep(&pause, NULL);
	} while (now_ns(CLOCK_MONOTONIC) < end);
}

/**
 * programs_end() - end what still runs, the servers that nobody waits for first of all
 * @ps: programs, those of programs_follow()
 */
void programs_end(struct programs *ps)
{
	struct proc *first;
	int i;

	if (!ps->n)
		return;
	first = &ps->list[ps->n - 1].proc;
	for (i = 0; i < ps->n; i++) {
		struct program *p = &ps->list[i];

		/* None starts now. */
		p->start_ns = p->group ? p->start_ns : INT64_MAX;
		p->stopped = p->proc.pid > 0;
		p->left = p->group && !p->proc.pid && kill(-p->group, 0) == 0;
	}
	if (signal_all(ps, SIGTERM)) {
		wait_all(ps, first, GRACE_NS);
		if (signal_all(ps, SIGKILL))
			wait_all(ps, first, KILL_NS);
	}
	programs_poll(ps);
	for (i = 0; i < ps->n; i++)
		close(ps->list[i].file_fd);
}

static void add_if(struct json_object *o, const char *name, bool val)
{
	if (val)
		json_object_object_add(o, name, json_object_new_boolean(true));
}

/**
 * programs_totals() - what became of the programs
 * @ps: programs, after programs_end()
 * @o: JSON object that receives it
 */
void programs_totals(const struct programs *ps, struct json_object *o)
{
	struct json_object *list;
	int i;

	if (!ps->n)
		return;
	list = json_object_new_array();
	for (i = 0; i < ps->n; i++) {
		const struct program *p = &ps->list[i];
		struct json_object *one = json_object_new_object();

		if (p->begun_ns >= 0)
			js_add_int(one, "start_ns", p->begun_ns);
		if (p->end_ns >= 0)
			js_add_int(one, "end_ns", p->end_ns);
		if (p->end_ns >= 0 && WIFSIGNALED(p->proc.status))
			js_add_int(one, "signal", WTERMSIG(p->proc.status));
		else if (p->end_ns >= 0)
			js_add_int(one, "exit_status", WEXITSTATUS(p->proc.status));
		js_add_int(one, "output_bytes", p->bytes);
		add_if(one, "too_much_output", p->too_much);
		add_if(one, "stopped", p->stopped);
		add_if(one, "left_processes", p->left);
		json_object_array_add(list, one);
	}
	json_object_object_add(o, "programs", list);
}
