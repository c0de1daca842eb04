// SPDX-License-Identifier: GPL-2.0
/*
 * Replay: an algorithm runs on recorded events instead of a queue pair's.
 *
 * What the core does around the algorithm's calls is the same code,
 * cc_flow_update.h; what it does with their results (pacing, window, real timers) has
 * no place here.
 *
 * Time is that of the events. A timer that the algorithm has set goes off with
 * the recorded timer event that belongs to it, or by itself when there is none:
 * see rxe_cc_evt_await().
 */
#include <linux/bottom_half.h>
#include <linux/module.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "core/cc_core.h"
#include "events_replay.h"

/* Between two events no more timers go off by themselves than that: an algorithm
 * that never stops would fill the memory.
 */
#define REPLAY_TIMERS_MAX	(1024 * 1024)
static bool replay_before(struct rb_node *a, const struct rb_node *b)
{
	struct replay_flow *x = rb_entry(a, struct replay_flow, node);
	const struct replay_flow *y = rb_entry(b, struct replay_flow, node);

	return x->due_ns != y->due_ns ? x->due_ns < y->due_ns : x->id < y->id;
}

/* Timer or recorded timer event of a flow may have changed. */
static void replay_queue(struct replay *r, struct replay_flow *f)
{
	if (f->queued)
		rb_erase_cached(&f->node, &r->timers);
	f->due_ns = f->flow.timer_ns;
	f->queued = f->live && f->due_ns != RXE_CC_NO_TIMER &&
		    !rxe_cc_evt_await(f->due_ns, f->next_timer_ns, r->late_ns);
	if (f->queued)
		rb_add_cached(&f->node, &r->timers, replay_before);
}

/**
 * rxe_cc_replay_answer() - a new answer
 * @r: replay
 * @kind: kind of the record
 *
 * Context: lock held.
 *
 * Return: the record, zeroed but for its head; NULL when there is no memory.
 */
struct rxe_cc_evt *rxe_cc_replay_answer(struct replay *r, u8 kind)
{
	u32 len = rxe_cc_evt_len(kind);
	struct rxe_cc_evt *e = records_add(&r->out, len, SIZE_MAX, GFP_KERNEL);

	if (!e)
		return NULL;
	e->len = len;
	e->kind = kind;
	return e;
}

/**
 * rxe_cc_replay_refuse() - say why a record is refused; nothing is taken after that
 * @r: replay
 * @name: what is to blame, or NULL
 * @why: reason
 *
 * Context: lock held.
 *
 * Return: an error.
 */
int rxe_cc_replay_refuse(struct replay *r, const char *name, const char *why)
{
	struct rxe_cc_evt *e = rxe_cc_replay_answer(r, RXE_CC_EVT_ERROR);

	r->broken = true;
	if (!e)
		return -ENOMEM;
	snprintf(e->text, sizeof(e->text), "%s%s%s", name ? name : "",
		 name ? ": " : "", why);
	return -EINVAL;
}

static int replay_decided(struct replay *r, struct replay_flow *f, u8 cause,
			  u64 now_ns, u32 verdict)
{
	struct rxe_cc_evt *e = rxe_cc_replay_answer(r, RXE_CC_EVT_DECISION);

	if (!e)
		return -ENOMEM;
	e->flow = f->id;
	e->t_ns = now_ns;
	rxe_cc_evt_of_decision(e, &f->flow, cause, verdict);
	return 0;
}

/* After a call: as rxe_cc_qp_apply(). Calls for what is shared are events of the
 * file.
 */
static int replay_settle(struct replay *r, struct replay_flow *f, u8 cause,
			 u64 now_ns)
{
	int err;

	rxe_cc_flow_settle(&f->flow, now_ns, &f->timer_set_ns);
	f->wants = f->flow.wants;
	replay_queue(r, f);
	err = replay_decided(r, f, cause, now_ns, 0);
	rxe_cc_flow_kicked(&f->flow);
	return err;
}

/* Calls have bottom halves off, as those of the core. */
static int replay_call(struct replay *r, struct replay_flow *f, u8 cause,
		       void (*fn)(struct rxe_cc_flow *flow,
				  const struct rxe_cc_sample *s),
		       const struct rxe_cc_sample *s)
{
	if (fn) {
		local_bh_disable();
		fn(&f->flow, s);
		local_bh_enable();
	}
	return replay_settle(r, f, cause, s->now_ns);
}

/* Timers that are due before @t_ns and wait for no event of the file. */
static int replay_timers(struct replay *r, u64 t_ns)
{
	unsigned int n = 0;
	int err;

	for (;;) {
		struct rb_node *first = rb_first_cached(&r->timers);
		struct rxe_cc_sample s = {};
		struct replay_flow *f;

		if (!first)
			return 0;
		f = rb_entry(first, struct replay_flow, node);
		if (!rxe_cc_evt_overdue(f->due_ns, t_ns, r->late_ns))
			return 0;
		if (n++ == REPLAY_TIMERS_MAX)
			return rxe_cc_replay_refuse(r, NULL, "the algorithm's timer does not stop");
		/* Events within late_ns came before it. */
		s.now_ns = max(f->due_ns, f->last_ns);
		f->last_ns = s.now_ns;
		s.inflight_bytes = f->inflight_bytes;
		s.next_seq = f->next_seq;
		rxe_cc_flow_expire(&f->flow, s.now_ns, &f->timer_set_ns);
		err = replay_call(r, f, RXE_CC_EVT_TIMER, r->ops->on_timer, &s);
		if (err)
			return err;
		cond_resched();
	}
}

/**
 * rxe_cc_replay_leave() - a flow leaves the algorithm
 * @r: replay
 * @f: flow
 *
 * Context: lock held.
 */
void rxe_cc_replay_leave(struct replay *r, struct replay_flow *f)
{
	if (f->live && r->ops->release) {
		local_bh_disable();
		r->ops->release(&f->flow);
		local_bh_enable();
	}
	f->live = false;
	replay_queue(r, f);
}

/* The algorithm's state of a port; NULL without memory, or when it refuses. */
static struct replay_port *replay_port(struct replay *r, u32 id)
{
	struct replay_port *port = xa_load(&r->ports, id);

	if (port)
		return port;
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return NULL;
	xa_init(&port->peers);
	if (r->ops->port_priv_size)
		port->priv = kzalloc(r->ops->port_priv_size, GFP_KERNEL);
	if (r->ops->port_priv_size && !port->priv)
		goto err;
	if (r->ops->port_init && r->ops->port_init(port->priv))
		goto err;
	if (!xa_err(xa_store(&r->ports, id, port, GFP_KERNEL)))
		return port;
	if (r->ops->port_exit)
		r->ops->port_exit(port->priv);
err:
	kfree(port->priv);
	kfree(port);
	return NULL;
}

/* Its state of a peer; NULL without memory. */
static void *replay_peer(struct replay *r, struct replay_port *port, u32 id)
{
	void *priv = xa_load(&port->peers, id);

	if (priv)
		return priv;
	priv = kzalloc(r->ops->peer_priv_size, GFP_KERNEL);
	if (priv && xa_err(xa_store(&port->peers, id, priv, GFP_KERNEL))) {
		kfree(priv);
		return NULL;
	}
	if (priv && r->ops->peer_init)
		r->ops->peer_init(priv, port->priv);
	return priv;
}

/**
 * rxe_cc_replay_ports_free() - the end of what flows have shared
 * @r: replay, all of whose flows have left
 *
 * Context: nobody else uses it.
 */
void rxe_cc_replay_ports_free(struct replay *r)
{
	struct replay_port *port;
	unsigned long id, peer;
	void *priv;

	xa_for_each(&r->ports, id, port) {
		xa_for_each(&port->peers, peer, priv) {
			if (r->ops->peer_exit)
				r->ops->peer_exit(priv, port->priv);
			kfree(priv);
		}
		xa_destroy(&port->peers);
		if (r->ops->port_exit)
			r->ops->port_exit(port->priv);
		kfree(port->priv);
		kfree(port);
	}
	xa_destroy(&r->ports);
}

static const char *replay_env_bad(const struct rxe_cc_evt *e)
{
	if (e->env.line_rate_bps < RXE_CC_RATE_MIN_BPS ||
	    e->env.line_rate_bps > RXE_CC_RATE_MAX_BPS)
		return "line rate out of range (1 kbit/s to 800 Gbit/s)";
	if (e->env.rtt_window_ns > RXE_CC_MAX_RTT_WINDOW_NS)
		return "rtt_window above 1000 s";
	if (e->env.min_rate_bps > RXE_CC_RATE_MAX_BPS)
		return "least rate above 800 Gbit/s";
	if (!e->env.pkt_bytes || e->env.pkt_bytes > RXE_CC_PACER_MAX_BYTES)
		return "packet size out of range (1 to 131072)";
	return NULL;
}

static void replay_env(struct replay_flow *f, const struct rxe_cc_evt *e,
		       struct rxe_cc_env *env)
{
	*env = (struct rxe_cc_env) {
		.line_rate_bps = e->env.line_rate_bps,
		.min_rate_bps = e->env.min_rate_bps,
		.base_rtt_ns = e->env.base_rtt_ns,
		.pkt_bytes = e->env.pkt_bytes,
		.clock_common = e->flags & RXE_CC_EVT_F_CLOCK,
		.peer_obeys = e->flags & RXE_CC_EVT_F_OBEYS,
	};
	f->base_rtt_ns = env->base_rtt_ns;
	f->rtt_window_ns = e->env.rtt_window_ns ? e->env.rtt_window_ns :
						  RXE_CC_DEF_RTT_WINDOW_NS;
}

static struct replay_flow *replay_new_flow(struct replay *r, u32 id)
{
	size_t own = rxe_cc_flow_own_bytes(r->ops);
	struct replay_flow *f = kzalloc(struct_size(f, own, own), GFP_KERNEL);

	if (!f)
		return NULL;
	rxe_cc_flow_own(&f->flow, r->ops, f->own);
	f->id = id;
	f->flow.timer_ns = RXE_CC_NO_TIMER;
	if (xa_err(xa_store(&r->flows, id, f, GFP_KERNEL))) {
		kfree(f);
		return NULL;
	}
	return f;
}

/* As rxe_cc_qp_init_flow(). A start that is given holds before and after init:
 * an algorithm that starts from what it finds in the flow takes it over.
 */
static int replay_init_flow(struct replay *r, struct replay_flow *f,
			    const struct rxe_cc_evt *e)
{
	struct rxe_cc_env env;
	struct replay_port *port;
	void *peer = NULL;

	if (!f)
		f = replay_new_flow(r, e->flow);
	if (!f)
		return -ENOMEM;
	rxe_cc_replay_leave(r, f);
	port = replay_port(r, e->port);
	if (port && r->ops->peer_priv_size)
		peer = replay_peer(r, port, e->env.peer);
	if (!port || (r->ops->peer_priv_size && !peer))
		return -ENOMEM;
	f->port = port;
	replay_env(f, e, &env);
	memset(&f->idle_rtt, 0, sizeof(f->idle_rtt));
	rxe_cc_flow_reset(&f->flow, &env, r->ops, r->params, port->priv,
			  peer);
	f->timer_set_ns = RXE_CC_NO_TIMER;
	f->next_timer_ns = e->next_timer_ns;
	f->last_ns = e->t_ns;
	f->inflight_bytes = 0;
	f->next_seq = 0;
	f->live = true;
	if (e->env.rate_bps)
		f->flow.rate_bps = e->env.rate_bps;
	if (e->env.cwnd_bytes)
		f->flow.cwnd_bytes = e->env.cwnd_bytes;
	local_bh_disable();
	r->ops->init(&f->flow, e->t_ns);
	local_bh_enable();
	if (e->env.rate_bps)
		f->flow.rate_bps = e->env.rate_bps;
	if (e->env.cwnd_bytes)
		f->flow.cwnd_bytes = e->env.cwnd_bytes;
	return replay_settle(r, f, RXE_CC_EVT_INIT, e->t_ns);
}

static int replay_change(struct replay *r, struct replay_flow *f,
			 const struct rxe_cc_evt *e)
{
	struct rxe_cc_env env;

	replay_env(f, e, &env);
	rxe_cc_flow_env(&f->flow, &env);
	if (e->kind == RXE_CC_EVT_ENV)
		return 0;
	if (r->ops->params_changed) {
		local_bh_disable();
		r->ops->params_changed(&f->flow, e->t_ns);
		local_bh_enable();
	}
	return replay_settle(r, f, RXE_CC_EVT_CHANGE, e->t_ns);
}

/* As rxe_cc_rx_data(). */
static int replay_data(struct replay *r, struct replay_flow *f,
		       const struct rxe_cc_sample *s)
{
	u32 verdict;
	int err;

	if (!rxe_cc_flow_hears(&f->flow, r->ops, s))
		return 0;
	local_bh_disable();
	verdict = r->ops->on_data(&f->flow, s);
	local_bh_enable();
	if (verdict || f->flow.report.always) {
		err = replay_decided(r, f, RXE_CC_EVT_DATA, s->now_ns, verdict);
		if (err)
			return err;
	}
	rxe_cc_flow_kicked(&f->flow);
	if (f->flow.timer_ns == f->timer_set_ns && f->flow.wants == f->wants)
		return 0;
	return replay_settle(r, f, RXE_CC_EVT_DATA, s->now_ns);
}

/* As rxe_cc_ack_rtt(). A recording that does not have it leaves the smallest to be found, as
 * of packets of one length.
 */
static void replay_rtt(struct replay_flow *f, const struct rxe_cc_sample *s)
{
	struct rxe_cc_trip trip = {
		.now_ns = s->now_ns,
		.took_ns = s->rtt_ns + s->turnaround_ns,
		.turnaround_ns = s->turnaround_ns,
		.given_ns = f->base_rtt_ns,
		.least_ns = s->min_rtt_ns,
	};
	const struct rxe_cc_idle_pkt p = {
		.now_ns = s->now_ns, .at_ns = s->now_ns,
		.ns = min_t(u64, trip.took_ns, RXE_CC_IDLE_MAX_NS),
		.window_ns = f->rtt_window_ns, .line_bps = f->flow.line_rate_bps, .bytes = 1,
	};
	s64 longest_ns;

	if (!trip.least_ns)
		trip.least_ns = rxe_cc_idle_sample(&f->idle_rtt, &p, &longest_ns);
	rxe_cc_flow_rtt(&f->flow, &trip);
	if (s->owd_ns)
		f->flow.min_owd_ns = s->owd_ns - min(s->owd_ns, s->owd_over_ns);
}

/* As rxe_cc_sample_feedback(): what the flow does not want. */
static void replay_feedback(const struct replay_flow *f, struct rxe_cc_sample *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_fb; i++)
		if (f->flow.fb_ignore & BIT(i))
			s->fb[i] = 0;
}

/* As rxe_cc_tx_feedback(). */
static int replay_fill(struct replay *r, struct replay_flow *f, u64 now_ns)
{
	if (!r->ops->fill_ack)
		return 0;
	local_bh_disable();
	r->ops->fill_ack(&f->flow, now_ns);
	local_bh_enable();
	return replay_decided(r, f, RXE_CC_EVT_FILL, now_ns, 0);
}

static int replay_group(struct replay *r, struct replay_flow *f,
			const struct rxe_cc_sample *s)
{
	if (!r->ops->on_group)
		return 0;
	local_bh_disable();
	r->ops->on_group(&f->flow, s);
	local_bh_enable();
	return replay_settle(r, f, RXE_CC_EVT_GROUP, s->now_ns);
}

static void replay_port_timer(struct replay *r, struct replay_flow *f,
			      const struct rxe_cc_evt *e)
{
	struct rxe_cc_port_call c = {
		.now_ns = e->t_ns, .line_rate_bps = f->flow.line_rate_bps,
		.params = r->params, .timer_ns = RXE_CC_NO_TIMER,
	};

	if (!r->ops->on_port_timer)
		return;
	local_bh_disable();
	r->ops->on_port_timer(f->port->priv, &c);
	local_bh_enable();
}

/* The record again, with what the algorithm answers now. */
static int replay_answered(struct replay *r, const struct rxe_cc_evt *e,
			   const struct rxe_cc_cmd *cmd,
			   const struct rxe_cc_cmd_call *c, int err)
{
	struct rxe_cc_evt *a = rxe_cc_replay_answer(r, RXE_CC_EVT_CMD);

	if (!a)
		return -ENOMEM;
	a->flow = e->flow;
	a->port = e->port;
	a->t_ns = e->t_ns;
	rxe_cc_evt_of_cmd(a, cmd, c, err);
	a->cmd.next_seq = e->cmd.next_seq;
	a->cmd.inflight_bytes = e->cmd.inflight_bytes;
	a->cmd.line_rate_bps = e->cmd.line_rate_bps;
	a->cmd.peer = e->cmd.peer;
	return 0;
}

/* As rxe_cc_qp_cmd(). */
static int replay_qp_cmd(struct replay *r, struct replay_flow *f,
			 const struct rxe_cc_evt *e, const struct rxe_cc_cmd *cmd,
			 struct rxe_cc_cmd_call *c)
{
	const struct rxe_cc_sample s = {
		.now_ns = e->t_ns,
		.next_seq = e->cmd.next_seq,
		.inflight_bytes = e->cmd.inflight_bytes,
	};
	int ret, err;

	f->next_seq = s.next_seq;
	f->inflight_bytes = s.inflight_bytes;
	local_bh_disable();
	ret = cmd->to_qp(&f->flow, &s, c);
	local_bh_enable();
	err = replay_answered(r, e, cmd, c, ret);
	return err || ret ? err : replay_settle(r, f, RXE_CC_EVT_CMD, e->t_ns);
}

/* As rxe_cc_inst_cmd(); what follows from it are events of the file. */
static int replay_inst_cmd(struct replay *r, const struct rxe_cc_evt *e,
			   const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_port_call p = {
		.now_ns = e->t_ns, .line_rate_bps = e->cmd.line_rate_bps,
		.params = r->params, .timer_ns = RXE_CC_NO_TIMER,
	};
	struct replay_port *port = replay_port(r, e->port);
	void *peer = NULL;
	int ret;

	if (port && cmd->to_peer && r->ops->peer_priv_size)
		peer = replay_peer(r, port, e->cmd.peer);
	if (!port || (cmd->to_peer && r->ops->peer_priv_size && !peer))
		return -ENOMEM;
	local_bh_disable();
	ret = cmd->to_peer ? cmd->to_peer(peer, port->priv, &p, c) :
			     cmd->to_port(port->priv, &p, c);
	local_bh_enable();
	return replay_answered(r, e, cmd, c, ret);
}

static int replay_cmd(struct replay *r, struct replay_flow *f,
		      const struct rxe_cc_evt *e)
{
	const struct rxe_cc_cmd *cmd = rxe_cc_cmd_find(r->ops, e->cmd.name);
	u64 args[RXE_CC_MAX_CMD_ARGS];
	struct rxe_cc_cmd_call c = { .args = args, .list = 1 };
	const char *bad, *name;

	if (!cmd)
		return rxe_cc_replay_refuse(r, e->cmd.name, "no such command");
	bad = rxe_cc_evt_to_args(e, cmd, args, &name);
	if (!bad && !cmd->to_qp && (e->cmd.line_rate_bps < RXE_CC_RATE_MIN_BPS ||
				    e->cmd.line_rate_bps > RXE_CC_RATE_MAX_BPS))
		bad = "line rate out of range (1 kbit/s to 800 Gbit/s)";
	if (bad)
		return rxe_cc_replay_refuse(r, name, bad);
	return cmd->to_qp ? replay_qp_cmd(r, f, e, cmd, &c) :
			    replay_inst_cmd(r, e, cmd, &c);
}

/* Of the port or of a peer: no flow need be there. */
static bool replay_flowless(const struct rxe_cc_evt *e)
{
	return e->kind == RXE_CC_EVT_CMD && e->cmd.scope != RXE_CC_COMMAND_SCOPE_QP;
}

static int replay_sample(struct replay *r, struct replay_flow *f,
			 const struct rxe_cc_evt *e)
{
	const struct rxe_cc_ops *ops = r->ops;
	struct rxe_cc_sample s;

	rxe_cc_evt_to_sample(e, &s, r->hops);
	rxe_cc_evt_to_rx(e, &f->flow.rx);
	if (e->kind < RXE_CC_EVT_DATA) {
		f->inflight_bytes = s.inflight_bytes;
		f->next_seq = s.next_seq;
	}
	switch (e->kind) {
	case RXE_CC_EVT_ACK:
		if (s.rtt_ns)
			replay_rtt(f, &s);
		replay_feedback(f, &s);
		return replay_call(r, f, e->kind, ops->on_ack, &s);
	case RXE_CC_EVT_SENT:
		return ops->on_sent ?
		       replay_call(r, f, e->kind, ops->on_sent, &s) : 0;
	case RXE_CC_EVT_CNP:
		return ops->on_cnp ?
		       replay_call(r, f, e->kind, ops->on_cnp, &s) : 0;
	case RXE_CC_EVT_LOSS:
		return replay_call(r, f, e->kind, ops->on_loss, &s);
	case RXE_CC_EVT_DATA:
		return replay_data(r, f, &s);
	case RXE_CC_EVT_FILL:
		return replay_fill(r, f, s.now_ns);
	case RXE_CC_EVT_GROUP:
		return replay_group(r, f, &s);
	case RXE_CC_EVT_TIMER:
		if (!rxe_cc_flow_expire(&f->flow, s.now_ns, &f->timer_set_ns))
			return 0;
		return replay_call(r, f, e->kind, ops->on_timer, &s);
	}
	return 0;
}

/**
 * rxe_cc_replay_event() - timers that are due before an event, then the event
 * @r: replay, set up
 * @e: event
 *
 * Context: lock held.
 *
 * Return: 0 or an error.
 */
int rxe_cc_replay_event(struct replay *r, const struct rxe_cc_evt *e)
{
	struct replay_flow *f = xa_load(&r->flows, e->flow);
	const char *bad = NULL;
	int err;

	if (e->t_ns < r->last_ns)
		return rxe_cc_replay_refuse(r, NULL, "time goes back");
	if (e->t_ns > S64_MAX)
		return rxe_cc_replay_refuse(r, NULL, "time out of range");
	if (e->kind >= RXE_CC_EVT_INIT && e->kind <= RXE_CC_EVT_ENV)
		bad = replay_env_bad(e);
	if (bad)
		return rxe_cc_replay_refuse(r, NULL, bad);
	if (e->kind != RXE_CC_EVT_INIT && !replay_flowless(e) && (!f || !f->live))
		return rxe_cc_replay_refuse(r, NULL, "event of a flow without an init");
	r->started = true;
	r->last_ns = e->t_ns;
	err = replay_timers(r, e->t_ns);
	if (err)
		return err;
	if (e->kind == RXE_CC_EVT_INIT)
		return replay_init_flow(r, f, e);
	if (replay_flowless(e))
		return replay_cmd(r, NULL, e);
	f->next_timer_ns = e->next_timer_ns;
	f->last_ns = e->t_ns;
	if (e->kind == RXE_CC_EVT_END) {
		rxe_cc_replay_leave(r, f);
		return 0;
	}
	if (e->kind == RXE_CC_EVT_PORT) {
		replay_port_timer(r, f, e);
		return 0;
	}
	if (e->kind <= RXE_CC_EVT_SAMPLES)
		err = replay_sample(r, f, e);
	else
		err = e->kind == RXE_CC_EVT_CMD ? replay_cmd(r, f, e) :
						  replay_change(r, f, e);
	/* Also where nothing was called: the next timer event is another one. */
	replay_queue(r, f);
	return err;
}
