// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: the event loop. One thread, one epoll, one timerfd for a heap of
 * deadlines, one completion channel per device. Nothing ever spins: in virtual
 * time the clock moves only while everyone sleeps.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "flowgen.h"

#define POLL_BATCH 64
#define EPOLL_BATCH 64

/* Another drain_ns for what is outstanding. */
static void on_drain(const struct fg_timer *t)
{
	if (t && eng.completions == eng.drain_completions) {
		eng.drained = true;
		return;
	}
	eng.drain_completions = eng.completions;
	fg_timer_add(fg_now_ns() + eng.plan->drain_ns, on_drain, NULL);
}

/* No more posts; wait for what is outstanding while any of it completes. */
static void on_stop(const struct fg_timer *t)
{
	struct fg_plan *p = eng.plan;
	u32 i;

	(void)t;
	if (eng.stopping)
		return;
	eng.stopping = true;
	for (i = 0; i < p->nflows; i++)
		fg_flow_stop(&p->flows[i]);
	fg_churn_stop();
	for (i = 0; i < p->npingpongs; i++)
		fg_pingpong_stop(&p->pingpongs[i], "stopped");
	on_drain(NULL);
}

static void on_sample_timer(const struct fg_timer *t)
{
	u64 next = eng.now_ns + eng.plan->interval_ns;

	(void)t;
	if (eng.on_sample)
		eng.on_sample(&eng);
	/* On a grid from t0, so that late wake-ups do not add up. */
	next -= (eng.now_ns - eng.t0_ns) % eng.plan->interval_ns;
	fg_timer_add(next, on_sample_timer, NULL);
}

static void run_timers(void)
{
	struct fg_timer t;

	while (eng.nheap && eng.heap[0].at_ns <= eng.now_ns) {
		t = fg_timer_pop();
		t.fn(&t);
	}
}

static void arm_timer(void)
{
	struct itimerspec its = { };
	u64 at;

	if (!eng.nheap || eng.heap[0].at_ns == eng.armed_ns)
		return;
	at = eng.heap[0].at_ns;
	its.it_value.tv_sec = at / NSEC_PER_SEC;
	its.it_value.tv_nsec = at % NSEC_PER_SEC;
	timerfd_settime(eng.timer_src.fd, TFD_TIMER_ABSTIME, &its, NULL);
	eng.armed_ns = at;
}

static void on_timer(struct fg_evsrc *ev)
{
	/* Watched edge-triggered: arming it again is all it wants. */
	(void)ev;
	eng.armed_ns = 0;
	fg_batch_now();
	run_timers();
}

static void on_signal(struct fg_evsrc *ev)
{
	struct signalfd_siginfo si;

	if (read(ev->fd, &si, sizeof(si)) != sizeof(si))
		return;
	eng.interrupted = true;
	if (eng.on_interrupt)
		eng.on_interrupt(&eng);
	else if (eng.stopping)
		eng.hurried = true;
	else if (eng.running)
		on_stop(NULL);
	else
		eng.aborted = true;
}

/*
 * Each post is a system call: while plenty is queued, gather room for a quarter
 * of the depth first. Short queues are refilled at once.
 */
static bool wants_refill(const struct fg_conn *c)
{
	return c->queued_bytes < FG_PLENTY_BYTES ||
	       c->depth - (c->head - c->tail) >= fg_conn_batch(c);
}

static void refill(void)
{
	struct fg_conn *c;
	int side;
	u32 i;

	for (i = 0; i < eng.ndirty; i++) {
		c = eng.dirty[i];
		c->dirty = false;
		for (side = 0; side < 2; side++)
			if (c->ep[side].host && c->ep[side].recv_depth)
				fg_conn_fill_recv(c, side);
		if (c->ep[0].host && wants_refill(c))
			fg_conn_pump(c);
	}
	eng.ndirty = 0;
}

static void on_cq(struct fg_evsrc *ev)
{
	struct fg_host *h = &eng.hosts[ev - eng.cq_src];
	struct ibv_wc wc[POLL_BATCH];
	struct ibv_cq *cq;
	struct fg_cq *q;
	void *ctx;
	int n, i;

	if (ibv_get_cq_event(h->chan, &cq, &ctx))
		return;
	q = ctx;
	eng.cq_events++;
	if (++q->unacked == 1U << 16) {
		ibv_ack_cq_events(cq, q->unacked);
		q->unacked = 0;
	}
	/* Before polling: what completes from here on makes a new event. */
	if (ibv_req_notify_cq(cq, 0)) {
		fg_err("%s: ibv_req_notify_cq: %s", h->name, strerror(errno));
		eng.aborted = true;
		return;
	}
	do {
		n = ibv_poll_cq(cq, POLL_BATCH, wc);
		for (i = 0; i < n; i++)
			fg_conn_wc(&wc[i]);
		refill();
	} while (n == POLL_BATCH);
	if (n < 0) {
		fg_err("%s: ibv_poll_cq failed", h->name);
		eng.aborted = true;
	}
	if (eng.now_valid)
		run_timers();
}

static void break_host(struct fg_host *h, const char *status)
{
	struct fg_plan *p = eng.plan;
	u32 i;

	h->dead = true;
	for (i = 0; i < p->nconns; i++)
		if (p->conns[i] && (p->conns[i]->ep[0].host == h || p->conns[i]->ep[1].host == h))
			fg_conn_break(p->conns[i], status);
}

static void on_async(struct fg_evsrc *ev)
{
	struct fg_host *h = &eng.hosts[ev - eng.async_src];
	struct ibv_async_event e;

	if (ibv_get_async_event(h->ctx, &e)) {
		if (errno == EAGAIN)
			return;
		fg_err("%s: device is gone: %s", h->name, strerror(errno));
		fg_engine_unwatch(ev);
		break_host(h, "device is gone");
		return;
	}
	switch (e.event_type) {
	case IBV_EVENT_DEVICE_FATAL:
	case IBV_EVENT_CQ_ERR:
	case IBV_EVENT_PORT_ERR:
		fg_err("%s: %s", h->name, ibv_event_type_str(e.event_type));
		if (e.event_type != IBV_EVENT_PORT_ERR)
			break_host(h, ibv_event_type_str(e.event_type));
		break;
	default:
		/* QP errors show up as completions too. */
		break;
	}
	ibv_ack_async_event(&e);
}

/**
 * fg_engine_init() - epoll, timer, signals
 * @p: plan
 */
int fg_engine_init(struct fg_plan *p)
{
	struct epoll_event ee = { .events = EPOLLIN | EPOLLET };
	sigset_t set;
	int fd;

	eng.plan = p;
	eng.epfd = epoll_create1(EPOLL_CLOEXEC);
	if (eng.epfd < 0)
		return fg_err("epoll_create1: %s", strerror(errno));
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (fd < 0)
		return fg_err("timerfd_create: %s", strerror(errno));
	eng.timer_src.fd = fd;
	eng.timer_src.fn = on_timer;
	ee.data.ptr = &eng.timer_src;
	if (epoll_ctl(eng.epfd, EPOLL_CTL_ADD, fd, &ee))
		return fg_err("epoll_ctl: %s", strerror(errno));
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		return fg_err("signalfd: %s", strerror(errno));
	return fg_engine_watch(&eng.signal_src, fd, on_signal);
}

/**
 * fg_engine_watch_hosts() - watch the devices' completions and events
 */
int fg_engine_watch_hosts(void)
{
	u32 i;

	eng.cq_src = fg_zalloc(eng.nhosts, sizeof(*eng.cq_src));
	eng.async_src = fg_zalloc(eng.nhosts, sizeof(*eng.async_src));
	for (i = 0; i < eng.nhosts; i++) {
		if (fg_engine_watch(&eng.cq_src[i], eng.hosts[i].chan->fd, on_cq) ||
		    fg_engine_watch(&eng.async_src[i], eng.hosts[i].ctx->async_fd, on_async))
			return -1;
	}
	return 0;
}

/**
 * fg_engine_open() - open the devices and create all QPs, not yet connected
 * @p: plan
 * @nlocal: hosts from here on are in another process
 */
int fg_engine_open(struct fg_plan *p, u32 nlocal)
{
	u32 i, pool = fg_pool_buf_bytes(p), max = pool > 8 ? pool : 8;
	void *buf;
	int side;

	eng.nhosts = nlocal;
	eng.hosts = fg_zalloc(nlocal, sizeof(*eng.hosts));
	for (i = 0; i < nlocal; i++) {
		if (fg_host_open(&eng.hosts[i], p->hosts[i], p->port))
			return -1;
		eng.hosts[i].buf_bytes = pool;
	}
	for (i = 0; i < p->nconns; i++) {
		fg_conn_size(p->conns[i], nlocal);
		if (p->conns[i]->buf_bytes > max)
			max = p->conns[i]->buf_bytes;
	}
	buf = fg_shared_buf(max);
	for (i = 0; i < nlocal; i++)
		if (fg_host_prepare(&eng.hosts[i], eng.hosts[i].cqe_need + 1,
				    buf, eng.hosts[i].buf_bytes < 8 ? 8 :
				    eng.hosts[i].buf_bytes))
			return -1;
	for (i = 0; i < p->nconns; i++)
		for (side = 0; side < 2; side++)
			if (p->conns[i]->ep[side].host && fg_ep_create(p->conns[i], side))
				return -1;
	eng.qps_created = 2ULL * p->nconns;
	eng.qps_peak = 2 * p->nconns;
	return fg_engine_watch_hosts();
}

static void wait_events(void)
{
	struct epoll_event ee[EPOLL_BATCH];
	struct fg_evsrc *ev;
	int n, i;

	arm_timer();
	n = epoll_wait(eng.epfd, ee, EPOLL_BATCH, -1);
	eng.wakeups++;
	for (i = 0; i < n; i++) {
		ev = ee[i].data.ptr;
		eng.now_valid = false;
		ev->fn(ev);
	}
	fg_churn_tidy();
}

/**
 * fg_engine_warmup() - one message over every connection, before t0
 */
int fg_engine_warmup(void)
{
	struct fg_plan *p = eng.plan;
	u32 i;

	for (i = 0; i < p->nconns; i++)
		if (fg_conn_warmup(p->conns[i], p->warmup_bytes))
			return -1;
	while (eng.warm && !eng.aborted)
		wait_events();
	for (i = 0; i < p->nconns; i++)
		if (p->conns[i]->broken)
			return fg_err("warm-up failed between %s and %s",
				      p->hosts[p->conns[i]->src],
				      p->hosts[p->conns[i]->dst]);
	return eng.aborted ? -1 : 0;
}

static void on_go(struct fg_evsrc *ev)
{
	char byte;

	if (read(ev->fd, &byte, 1) == 1)
		eng.running = true;
	else
		eng.aborted = true;
}

/**
 * fg_engine_wait_go() - say that everything is connected, wait for the word
 * @ready_fd: written to, or -1
 * @go_fd: read from, or -1
 */
int fg_engine_wait_go(int ready_fd, int go_fd)
{
	struct epoll_event ee = { .events = EPOLLIN };
	struct fg_evsrc ev;

	if (ready_fd >= 0 && write(ready_fd, "1", 1) != 1)
		return fg_err("--ready-fd %d: %s", ready_fd, strerror(errno));
	if (go_fd < 0)
		return 0;
	ev.fd = go_fd;
	ev.fn = on_go;
	ee.data.ptr = &ev;
	if (epoll_ctl(eng.epfd, EPOLL_CTL_ADD, go_fd, &ee)) {
		/* A file cannot be waited for, but never blocks either. */
		if (errno != EPERM)
			return fg_err("--go-fd %d: %s", go_fd, strerror(errno));
		on_go(&ev);
	}
	while (!eng.running && !eng.aborted)
		wait_events();
	fg_engine_unwatch(&ev);
	if (eng.aborted)
		return fg_err(eng.interrupted ? "interrupted before the start" :
			      "--go-fd closed before the start");
	return 0;
}

/**
 * fg_engine_start() - fix t0 and plan all starts
 */
int fg_engine_start(void)
{
	struct fg_plan *p = eng.plan;
	u64 now = fg_now_ns();
	u32 i;

	eng.t0_ns = p->start_at_ns ? p->start_at_ns : now + p->lead_ns;
	if (eng.t0_ns < now)
		return fg_err("start_at_ns: %llu is in the past, the clock is at %llu",
			      p->start_at_ns, now);
	eng.running = true;
	eng.left = p->nflows + p->npingpongs;
	fg_after_start();
	fg_churn_start();
	if (fg_notice_start())
		return -1;
	if (p->interval_ns)
		fg_timer_add(eng.t0_ns + p->interval_ns, on_sample_timer, NULL);
	for (i = 0; i < p->nflows; i++)
		if (!p->flows[i].chained && !p->flows[i].waits)
			fg_timer_add(eng.t0_ns + p->flows[i].start_ns, fg_flow_timer,
				     &p->flows[i]);
	for (i = 0; i < p->npingpongs; i++)
		fg_timer_add(eng.t0_ns + p->pingpongs[i].start_ns, fg_pingpong_timer,
			     &p->pingpongs[i]);
	if (p->stop_ns)
		fg_timer_add(eng.t0_ns + p->stop_ns, on_stop, NULL);
	return 0;
}

/**
 * fg_engine_loop() - run until every flow and ping-pong has ended
 */
void fg_engine_loop(void)
{
	const struct fg_plan *p = eng.plan;
	u32 i;

	while (eng.left && !eng.drained && !eng.hurried && !eng.aborted)
		wait_events();
	if (eng.on_done)
		eng.on_done();
	while (eng.held && !eng.interrupted && !eng.aborted)
		wait_events();
	eng.now_valid = false;
	for (i = 0; i < eng.nactive; i++)
		if (eng.active[i]->state == FG_ACTIVE)
			eng.active[i]->t_last_ns = fg_batch_now();
	if (p->nrows)
		fg_batch_now();
}

/**
 * fg_show_outstanding() - after the loop: which flows still have messages out
 *
 * Such messages are given up when nothing has completed for drain_ns, or by a signal. No
 * completion tells of them.
 */
void fg_show_outstanding(void)
{
	const struct fg_plan *p = eng.plan;
	u32 i;

	if (!eng.drained && !eng.hurried)
		return;
	for (i = 0; i < p->nflows; i++)
		fg_flow_outstanding(&p->flows[i]);
	fg_churn_each(fg_flow_outstanding);
}

/**
 * fg_engine_exit() - destroy QPs, then everything else
 */
void fg_engine_exit(void)
{
	struct fg_plan *p = eng.plan;
	u32 i;

	for (i = 0; p && i < p->nconns; i++) {
		if (!p->conns[i])
			continue;
		fg_ep_destroy(&p->conns[i]->ep[0]);
		fg_ep_destroy(&p->conns[i]->ep[1]);
	}
	for (i = 0; p && i < p->nflows; i++)
		fg_vbuf_destroy(p->flows[i].vbuf);
	for (i = 0; i < eng.nhosts && eng.hosts; i++)
		fg_host_close(&eng.hosts[i]);
	free(eng.hosts);
	free(eng.cq_src);
	free(eng.async_src);
	free(eng.heap);
	free(eng.dirty);
	free(eng.active);
	fg_pool_exit();
	fg_notice_exit();
	fg_churn_exit();
	fg_after_exit();
}
