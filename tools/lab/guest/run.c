// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: a scenario run, from the topology to the last counter.
 *
 * The job file is complete: which nodes, links, qdiscs, parameters and flows
 * is the host side's decision. Results go to the job's "out" directory.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest/cc_event_record_replay.h"
#include "guest/programs.h"
#include "guest/queue_histograms.h"
#include "guest/sampler.h"
#include "guest/setup.h"
#include "guest/timeline.h"

/* Progress lines of a run; the console is not free. */
#define PROGRESS_LINES	50

/* A run that takes much longer than expected: after so many samples each interval doubles. */
#define STRIDE_SAMPLES	2000
/* The kernel keeps so much for us. */
#define SAMPLE_BYTES	(4 << 20)

#define READY_TIMEOUT_MS	(50 * 1000)
/* After the time limit flowgen may wait so long for what is outstanding. */
#define DRAIN_NS		NSEC_PER_SEC
/* Then it gets this long to write what it has. */
#define STOP_GRACE_NS		(5 * NSEC_PER_SEC)

/* For all but programs. */
#define POLLFDS			5
/* Queue pairs of programs for whose samples there is room. */
#define PROGRAM_QPS		64

struct run {
	struct lab lab;
	const char *out;
	int64_t drained_ns;		/* since t0: the network is empty; -1: not known */
	struct proc gen;
	bool no_flows;			/* programs only: no traffic generator */
	struct programs programs;
	struct pollfd *pfd;		/* room for all that wait_either() waits for */
	int timer_fd;
	int64_t t0_ns, sample_ns, limit_ns;
	struct sampler sampler;
	struct hist hist;
	struct recorder recorder;
	struct timeline timeline;
	struct proc top;		/* shows what happens */
};

/*
 * In real time the tasks that carry packets are busy once the first flow is. A flow that is due
 * then must not wait until they let go of the CPU: 160 ms were seen. Guests have another CPU,
 * and a kernel that takes it away from tasks.
 */
static int on_time(struct run *r)
{
	const struct sched_param prio = { .sched_priority = 1 };

	if (job_get(r->lab.job, J_REAL) && !r->lab.flowgen.on &&
	    sched_setscheduler(r->gen.pid, SCHED_FIFO, &prio))
		return fail("flowgen: priority: %s", strerror(errno));
	return 0;
}

static int start_flowgen(struct run *r)
{
	if (flowgen_start(r->lab.job, job_get(r->lab.job, J_PLAN), &r->lab.flowgen, &r->lab.topo,
			  "flowgen", &r->gen))
		return -1;
	return on_time(r);
}

static int wait_ready(struct run *r)
{
	struct pollfd pfd = { .fd = r->lab.flowgen.ready_fd, .events = POLLIN };
	char byte;
	int rc;

	do {
		rc = poll(&pfd, 1, READY_TIMEOUT_MS);
	} while (rc < 0 && errno == EINTR);
	if (rc == 0)
		return fail("flowgen: not ready after %d s", READY_TIMEOUT_MS / 1000);
	if (rc < 0 || read(r->lab.flowgen.ready_fd, &byte, 1) != 1) {
		sys_wait(&r->gen, NSEC_PER_SEC);
		return fail("flowgen ended before the traffic, exit status %d",
			    r->gen.pid ? -1 : WEXITSTATUS(r->gen.status));
	}
	close(r->lab.flowgen.ready_fd);
	return 0;
}

/* The traffic generator, connected; of several guests some have none. */
static int get_ready(struct run *r)
{
	if (r->no_flows)
		return 0;
	if (!r->lab.flowgen.on)
		return start_flowgen(r) || wait_ready(r);
	if (r->lab.flowgen.gen && start_flowgen(r))
		return -1;
	return flowgen_connect(&r->lab.flowgen);
}

static void on_other_algo(const struct cc_qp *qp, void *data)
{
	const struct topo *t = &((struct run *)data)->lab.topo;
	struct run *r = data;
	int i;

	for (i = 0; i < t->n_nodes && strcmp(t->nodes[i].rdma, qp->dev); i++)
		;
	if (i == t->n_nodes || !t->nodes[i].algo || strcmp(qp->algo, t->nodes[i].algo) == 0 ||
	    r->lab.refused)
		return;
	fail("%s: queue pair %u runs %s, not %s", qp->dev, qp->qpn, qp->algo, t->nodes[i].algo);
	r->lab.refused = true;
}

/* Whatever the reason: the kernel's word on what its queue pairs run. */
static int check_algo(struct run *r)
{
	if (!r->lab.have_cc)
		return 0;
	return cc_qp_dump(&r->lab.cc, on_other_algo, r) || r->lab.refused ? -1 : 0;
}

static volatile sig_atomic_t child_ended;

static void on_child(int sig)
{
	(void)sig;
	child_ended = 1;
}

static void chld_mask(int how)
{
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(how, &chld, NULL);
}

static int open_events(struct run *r)
{
	/* Without SA_RESTART: it ends the wait. */
	struct sigaction sa = { .sa_handler = on_child };

	if (sigaction(SIGCHLD, &sa, NULL))
		return fail("SIGCHLD: %s", strerror(errno));
	/* It may have come and gone: look once. */
	child_ended = 1;
	r->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return r->timer_fd < 0 ? fail("timer: %s", strerror(errno)) : 0;
}

static int set_timer(struct run *r, int64_t t_ns)
{
	int64_t at = r->t0_ns + t_ns;
	struct itimerspec its = { .it_value = { at / NSEC_PER_SEC, at % NSEC_PER_SEC } };

	if (timerfd_settime(r->timer_fd, TFD_TIMER_ABSTIME, &its, NULL))
		return fail("timer: %s", strerror(errno));
	return 0;
}

/* Histograms, the timeline and programs have timers of their own; a part hears others. */
static int wait_either(struct run *r, bool *due)
{
	const struct pollfd own[POLLFDS] = {
		{ .fd = r->timer_fd, .events = POLLIN },
		{ .fd = r->hist.timer_fd, .events = POLLIN },
		{ .fd = control_fd(), .events = POLLIN },
		{ .fd = r->lab.flowgen.on ? r->lab.flowgen.ready_fd : -1, .events = POLLIN },
		{ .fd = r->timeline.timer_fd, .events = POLLIN },
	};
	struct pollfd *pfd = r->pfd;
	int n = ARRAY_SIZE(own);

	memcpy(pfd, own, sizeof(own));
	n += programs_pollfds(&r->programs, pfd + n);
	*due = false;
	if (poll(pfd, n, -1) < 0)
		return errno == EINTR ? 0 : fail("poll: %s", strerror(errno));
	*due = pfd[0].revents;
	if ((pfd[2].revents || pfd[3].revents) && flowgen_poll(&r->lab.flowgen))
		return -1;
	if (pfd[4].revents && timeline_due(&r->timeline))
		return -1;
	return pfd[1].revents ? hist_take(&r->hist) : 0;
}

/*
 * Wait for the timer or the end of flowgen. One system call, not a poll and a read. A
 * signal that comes between the look and the wait is seen with the timer; in virtual
 * time nothing comes there.
 *
 * Return: 1 if the timer has expired, 0, or -1 after fail().
 */
static int wait_timer(struct run *r)
{
	bool due = !child_ended;
	uint64_t n = 0;

	if (due && (r->hist.timer_fd >= 0 || r->timeline.timer_fd >= 0 || r->lab.flowgen.on ||
		    r->programs.n) &&
	    wait_either(r, &due))
		return -1;
	if (due && read(r->timer_fd, &n, sizeof(n)) != sizeof(n)) {
		n = 0;
		if (errno != EINTR)
			return fail("timer: %s", strerror(errno));
	}
	if (child_ended) {
		child_ended = 0;
		sys_reap(&r->gen);
	}
	if (programs_poll(&r->programs))
		return -1;
	return n > 0;
}

/*
 * The kernel takes the samples; here they are read now and then, before they fill its
 * memory and as often as there is progress to show. What must happen at an instant of
 * its own is looked at with each: events, and the end of unreliable connections.
 */
static int64_t samples_at_once(const struct run *r, int64_t line_ns)
{
	int64_t n = SAMPLE_BYTES / sampler_bytes(&r->sampler);

	if (r->lab.unreliable || r->recorder.fd >= 0)
		return 1;
	if (r->no_flows)
		return n / PROGRAM_QPS > 0 ? n / PROGRAM_QPS : 1;
	if (n > line_ns / r->sample_ns)
		n = line_ns / r->sample_ns;
	return n > 0 ? n : 1;
}

static int64_t earlier(int64_t t_ns, int64_t at_ns, int64_t step_ns)
{
	/* At a sample, or after INT64_MAX. */
	if (at_ns < INT64_MAX)
		at_ns = (at_ns + step_ns - 1) / step_ns * step_ns;
	return at_ns < t_ns ? at_ns : t_ns;
}

/* The sample at which to look next. */
static int64_t next_look_ns(const struct run *r, int64_t t_ns, int64_t at_once)
{
	int64_t next = t_ns + at_once * r->sample_ns;

	/*
	 * How long programs take nobody knows, so their samples begin close together, and the
	 * looks at them become rarer as they do.
	 */
	if (r->no_flows)
		next = t_ns + at_once * (r->sample_ns + t_ns / STRIDE_SAMPLES);
	next = earlier(next, sampler_window_ns(&r->sampler), r->sample_ns);
	/* The limit is an instant, whatever the samples are. */
	return r->limit_ns < next ? r->limit_ns : next;
}

/* Of several guests each goes on until all flows of all have ended. */
static bool goes_on(const struct run *r)
{
	return r->gen.pid || (r->lab.flowgen.on && !r->lab.flowgen.stopped) ||
	       programs_wanted(&r->programs);
}

/*
 * Runs until flowgen has ended or @limit_ns have passed; with unreliable
 * connections, whose senders know nothing of arrivals, until the network is empty.
 * A late sample (real time only) is taken at once; those that it missed are left
 * out.
 */
static int sample_loop(struct run *r)
{
	int64_t line = job_int(r->lab.job, J_EXPECT, 0) / PROGRESS_LINES, next = line;
	int64_t settle_ns = job_int(r->lab.job, J_SETTLE, 0), t_ns = 0;
	int64_t at_once = samples_at_once(r, line);
	int n;

	if (set_timer(r, 0))
		return -1;
	while (goes_on(r) || (r->lab.unreliable && r->drained_ns < 0)) {
		n = wait_timer(r);
		if (n < 0)
			return -1;
		if ((!goes_on(r) && !r->lab.unreliable) || !n)
			continue;
		if (recorder_drain(&r->recorder))
			return -1;
		if (t_ns >= r->limit_ns)
			return r->gen.pid || programs_wanted(&r->programs) ? 1 : 0;
		if (!goes_on(r) && sampler_drained(&r->sampler, t_ns, settle_ns, &r->drained_ns))
			return -1;
		if (sampler_window(&r->sampler, t_ns) || sampler_take(&r->sampler))
			return -1;
		if (t_ns >= next) {
			mark("t %" PRId64, t_ns);
			next = t_ns + line;
		}
		t_ns = next_look_ns(r, t_ns, at_once);
		if (set_timer(r, t_ns))
			return -1;
	}
	return 0;
}

/* A hint, not a request: the run's results are still wanted. */
static int stop_flowgen(struct run *r)
{
	if (!r->gen.pid)
		return 0;
	fail("flows did not end within %" PRId64 " ns", r->limit_ns);
	kill(r->gen.pid, SIGTERM);
	if (sys_wait(&r->gen, DRAIN_NS) == 0)
		return 0;
	kill(r->gen.pid, SIGTERM);
	if (sys_wait(&r->gen, STOP_GRACE_NS) == 0)
		return 0;
	kill(r->gen.pid, SIGKILL);
	sys_wait(&r->gen, STOP_GRACE_NS);
	return fail("flowgen did not end and was killed");
}

/* Of any host: all are set alike. */
static const char *any_dev(struct run *r)
{
	int i;

	for (i = 0; i < r->lab.topo.n_nodes; i++)
		if (topo_is_host(&r->lab.topo.nodes[i]))
			return r->lab.topo.nodes[i].rdma;
	return NULL;
}

/* Before there are queue pairs: the start of a flow is an event. */
static int open_recorder(struct run *r)
{
	return recorder_open(&r->recorder, r->lab.job, r->out) ||
	       recorder_params(&r->recorder, r->lab.have_cc ? &r->lab.cc : NULL, any_dev(r),
			       r->out);
}

/* The last ACKs are still on their way when the last flow has completed. */
static void settle(int64_t ns)
{
	struct timespec ts = { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };

	nanosleep(&ts, NULL);
}

/* All but what depends on the start: guests that share a lab are ready before that is set. */
static int prepare(struct run *r)
{
	r->sampler.topo = &r->lab.topo;
	r->sampler.cc = r->lab.have_cc ? &r->lab.cc : NULL;
	r->sampler.limit_ns = r->limit_ns;
	return sampler_open(&r->sampler, r->lab.job, r->out) || sampler_base(&r->sampler) ||
	       open_events(r);
}

static int set_start(struct run *r)
{
	if (r->lab.flowgen.on)
		return flowgen_wait_go(&r->lab.flowgen, &r->t0_ns);
	r->t0_ns = job_int(job_get(r->lab.job, J_PLAN), J_PLAN_START_AT, 0);
	if (!r->t0_ns)
		r->t0_ns = now_ns(CLOCK_MONOTONIC) +
			   job_int(job_get(r->lab.job, J_PLAN), J_PLAN_LEAD, 10000);
	return 0;
}

static int let_go(struct run *r)
{
	if (r->no_flows)
		return 0;
	if (r->lab.flowgen.on)
		return flowgen_start_traffic(&r->lab.flowgen, r->t0_ns);
	return write(r->lab.flowgen.go_fd, "g", 1) == 1 ? 0 : fail("flowgen: %s", strerror(errno));
}

static int top_start(struct run *r)
{
	const char *path = job_str(r->lab.job, J_TOP, NULL);
	char *argv[] = { (char *)path, "top", "-a", NULL };
	struct json_object *env;

	if (!path)
		return 0;
	if (topo_name_namespaces(&r->lab.topo))
		return -1;
	env = json_object_new_object();
	js_add_str(env, "TERM", job_str(r->lab.job, J_TOP_TERM, "dumb"));
	mark("top");
	r->top.pid = sys_spawn(&(struct spawn){ .argv = argv, .env = env });
	json_object_put(env);
	if (r->top.pid < 0)
		return -1;
	/* Whoever takes the status of flowgen takes this one as well. */
	r->top.next = r->gen.next;
	r->gen.next = &r->top;
	return 0;
}

static void top_end(struct run *r)
{
	if (r->top.pid <= 0)
		return;
	if (r->top.status < 0)
		kill(r->top.pid, SIGTERM);
	sys_wait(&r->top, STOP_GRACE_NS);
	mark("top-end");
}

static int traffic(struct run *r)
{
	bool wait = job_int(job_get(r->lab.job, J_PLAN), J_PLAN_START_AT, 0) != 0;
	int rc;

	if (set_start(r) || lab_start_ports(&r->lab, r->t0_ns, wait || r->lab.flowgen.on) ||
	    (!r->lab.flowgen.on && prepare(r)))
		return -1;
	r->sampler.t0_ns = r->t0_ns;
	if (timeline_open(&r->timeline, &r->lab, &r->sampler) ||
	    hist_open(&r->hist, r->lab.job, &r->lab.topo, r->t0_ns) ||
	    sampler_start(&r->sampler, r->sample_ns, STRIDE_SAMPLES) ||
	    programs_start(&r->programs, r->t0_ns) || top_start(r))
		return -1;
	mark("traffic-start");
	if (let_go(r))
		return -1;
	chld_mask(SIG_UNBLOCK);
	rc = sample_loop(r);
	chld_mask(SIG_BLOCK);
	if (sampler_stop(&r->sampler))
		rc = -1;
	if (rc == 1) {
		programs_late(&r->programs, r->limit_ns);
		rc = stop_flowgen(r);
	}
	programs_end(&r->programs);
	top_end(r);
	mark("traffic-end");
	settle(job_int(r->lab.job, J_SETTLE, 0));
	return rc;
}

/* Nothing for the traffic generator to do. */
static bool plan_empty(struct json_object *plan)
{
	return !js_len(job_get(plan, J_PLAN_FLOWS)) && !js_len(job_get(plan, J_PLAN_LATENCY)) &&
	       !job_get(plan, J_PLAN_FLOWS_FILE);
}

static int open_programs(struct run *r)
{
	if (programs_open(&r->programs, r->lab.job, &r->lab.topo, r->out))
		return -1;
	programs_follow(&r->programs, &r->gen);
	r->pfd = xcalloc(POLLFDS + r->programs.n + 1, sizeof(*r->pfd));
	if (r->programs.n && topo_name_namespaces(&r->lab.topo))
		return -1;
	if (r->programs.n)
		mark("programs");
	return 0;
}

static int write_totals(struct run *r)
{
	struct json_object *o = json_object_new_object();
	char *path = xasprintf("%s/totals.json", r->out);
	struct utsname name;
	int rc;

	uname(&name);
	js_add_str(o, "kernel", name.release);
	js_add_int(o, "t0_ns", r->t0_ns);
	js_add_int(o, "drained_ns", r->drained_ns);
	js_add_int(o, "needs", r->lab.about.needs);
	js_add_int(o, "tells", r->lab.about.nr_fb);
	js_add_int(o, "mem_setup_kb", r->lab.mem_before_kb - r->lab.mem_setup_kb);
	js_add_int(o, "mem_total_kb", r->lab.mem_before_kb - lab_mem_kb());
	programs_totals(&r->programs, o);
	rc = sampler_totals(&r->sampler, job_int(r->lab.job, J_SETTLE, 0), o) ||
	     hist_totals(&r->hist, r->t0_ns, o) || timeline_totals(&r->timeline, o);
	if (!rc && js_save(o, path))
		rc = fail("%s: %s", path, strerror(errno));
	json_object_put(o);
	free(path);
	return rc;
}

static int write_kmsg(struct run *r)
{
	int size = klogctl(10, NULL, 0), n, rc = 0;	/* SYSLOG_ACTION_SIZE_BUFFER */
	char *path = xasprintf("%s/kmsg.log", r->out);
	char *buf = xcalloc(1, size > 0 ? size + 1 : 1);

	n = klogctl(3, buf, size > 0 ? size : 0);	/* SYSLOG_ACTION_READ_ALL */
	if (n < 0 || write_file(path, "%.*s", n, buf))
		rc = fail("%s: %s", path, strerror(errno));
	free(buf);
	free(path);
	return rc;
}

/**
 * run_job() - run a scenario
 * @job: as lab wrote it
 *
 * Return: exit status: flowgen's, or 125 if the lab itself failed.
 */
int run_job(struct json_object *job)
{
	struct run r = {
		.lab.job = job, .gen = { .status = -1 }, .top = { .status = -1 },
		.recorder = { .fd = -1 }, .drained_ns = -1,
		.hist = { .timer_fd = -1 }, .timeline = { .timer_fd = -1 },
	};
	int rc;

	r.out = job_str(job, J_OUT, NULL);
	r.sample_ns = job_int(job, J_SAMPLE, NSEC_PER_SEC);
	r.limit_ns = job_int(job, J_LIMIT, 10 * NSEC_PER_SEC);
	if (!r.out)
		return fail("job: no \"out\""), 125;
	r.no_flows = plan_empty(job_get(job, J_PLAN));
	rc = lab_setup(&r.lab) || open_programs(&r) || open_recorder(&r) || get_ready(&r) ||
	     check_algo(&r) ||
	     (r.lab.flowgen.on && prepare(&r));
	if (!rc) {
		mark("setup-done");
		rc = traffic(&r);
		rc |= write_totals(&r);
		rc |= sampler_close(&r.sampler);
		hist_close(&r.hist);
		timeline_close(&r.timeline);
	}
	rc |= recorder_close(&r.recorder);
	rc |= write_kmsg(&r);
	if (r.lab.refused || r.lab.topo.refused)
		return STATUS_REFUSED;
	if (r.lab.flowgen.on && !r.lab.flowgen.gen && !rc)
		return 0;
	if (r.no_flows)
		return rc ? 125 : 0;
	if (rc || r.gen.status < 0)
		return 125;
	return WIFEXITED(r.gen.status) ? WEXITSTATUS(r.gen.status) : 125;
}
