// SPDX-License-Identifier: GPL-2.0
/*
 * What every registered algorithm must stand: the suite knows none by its
 * workings, so a new algorithm is under test once its module is loaded.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/string.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/kernel.h>
#include <rxe_cc/version.h>

#include "core/cc_flow_update.h"
#include "cc_test.h"

#define CANARY		0x5ca1ab1e0ddba11ULL
#define EV_PER_RUN	1500
/* As the core's: an algorithm's timer fires no more often than this. */
#define TIMER_MIN_NS	200
/* Periods may be as short as 1 us: two timers of that period, and some. */
#define MAX_TIMERS_PER_MS	2500
#define MAX_IDLE_TIMERS		1000000

static const u64 conf_line_bps[] = { 1000000, 100000000000ULL, RXE_CC_RATE_MAX_BPS };

/* Kinds of events in conf_event(). */
#define CONF_EVENTS	9

/**
 * struct conf_rig - a stand-in for the core, and what it watches
 * @head: must not be written
 * @flow: the flow
 * @tail: must not be written
 * @params: a copy for each run, so that the table itself stays as it is
 * @ops: algorithm
 * @r: source of events
 * @now_ns: time, never goes back
 * @own: the algorithm's state of the flow, with a canary behind
 * @own_before: what it was
 * @port_priv: state of a port, with a canary behind
 * @peer_priv: state of a peer, with a canary behind
 * @started: both are set up
 * @timers: on_timer calls
 * @hop: telemetry of an event
 * @base_rtt_ns: round trip of the path as the port gives it
 * @what: values of parameters under test, for messages
 */
struct conf_rig {
	u64 head;
	struct rxe_cc_flow flow;
	u64 tail;
	u64 params[RXE_CC_MAX_PARAMS];
	const struct rxe_cc_ops *ops;
	struct cc_test_prng r;
	u64 now_ns;
	u64 *own;
	void *own_before;
	u64 *port_priv;
	u64 *peer_priv;
	bool started;
	u64 timers;
	struct rxe_cc_int_hop hop[16];
	u64 base_rtt_ns;
	char what[64];
};

static void conf_end(void *data)
{
	struct conf_rig *rig = data;

	if (rig->started && rig->ops->peer_exit)
		rig->ops->peer_exit(rig->peer_priv, rig->port_priv);
	if (rig->started && rig->ops->port_exit)
		rig->ops->port_exit(rig->port_priv);
	rig->started = false;
}

static struct conf_rig *conf_new(struct kunit *test)
{
	struct conf_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = test->param_value;
	rig->own = cc_test_own(test, rig->ops);
	rig->own_before = cc_test_own(test, rig->ops);
	rxe_cc_flow_own(&rig->flow, rig->ops, rig->own);
	rig->port_priv = kunit_kzalloc(test, rig->ops->port_priv_size + 16,
				       GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rig->port_priv);
	rig->peer_priv = kunit_kzalloc(test, rig->ops->peer_priv_size + 16,
				       GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rig->peer_priv);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, conf_end, rig));
	return rig;
}

static u64 *conf_canary(struct conf_rig *rig)
{
	return rig->own + rxe_cc_flow_own_bytes(rig->ops) / sizeof(u64);
}

static u64 *conf_port_canary(struct conf_rig *rig)
{
	return rig->port_priv + DIV_ROUND_UP(rig->ops->port_priv_size, 8);
}

static u64 *conf_peer_canary(struct conf_rig *rig)
{
	return rig->peer_priv + DIV_ROUND_UP(rig->ops->peer_priv_size, 8);
}

static bool conf_one_int(const struct rxe_cc_flow *f)
{
	return hweight16(f->wants & (RXE_CC_WANT_INT | RXE_CC_WANT_INT_SPARSE |
				    RXE_CC_WANT_INT_PROBE)) <= 1;
}

/*
 * Is it a rate from which more was taken than there was? Before the call it was at most the
 * highest, so less than that is missing to 2^64. U64_MAX itself is what sums that saturate come
 * to, and is clamped.
 */
static bool conf_below_0(u64 rate_bps)
{
	return rate_bps != U64_MAX && U64_MAX - rate_bps < RXE_CC_RATE_MAX_BPS;
}

/* What the core does after each call, and what may be said of the result. */
static void conf_after(struct kunit *test, struct conf_rig *rig)
{
	struct rxe_cc_flow *f = &rig->flow;

	KUNIT_ASSERT_TRUE_MSG(test, rig->head == CANARY && rig->tail == CANARY &&
			      *conf_canary(rig) == CANARY &&
			      *conf_port_canary(rig) == CANARY &&
			      *conf_peer_canary(rig) == CANARY,
			      "%s: wrote beyond its private state", rig->what);
	KUNIT_ASSERT_TRUE_MSG(test, f->params == rig->params,
			      "%s: changed the flow's constants", rig->what);
	KUNIT_ASSERT_NE_MSG(test, f->cwnd_bytes, 0ULL,
			    "%s: cwnd_bytes is 0: the smallest window is 1, and none is RXE_CC_NO_WINDOW",
			    rig->what);
	KUNIT_ASSERT_FALSE_MSG(test, conf_below_0(f->rate_bps),
			       "%s: rate_bps went below 0, to %lld: rxe_cc_sat_sub() does not",
			       rig->what, (s64)f->rate_bps);
	KUNIT_ASSERT_TRUE_MSG(test, conf_one_int(f),
			      "%s: wants several kinds of INT", rig->what);
	KUNIT_ASSERT_TRUE_MSG(test, !(f->wants & (RXE_CC_WANT_RX_HOPS |
						    RXE_CC_WANT_RX_LOOK)) ||
			      rig->ops->on_data,
			      "%s: wants hops without on_data", rig->what);
	KUNIT_ASSERT_LT_MSG(test, (int)f->telemetry, (int)RXE_CC_NR_TELEMETRY,
			    "%s: unknown verdict on telemetry", rig->what);
	KUNIT_ASSERT_LE_MSG(test, (int)f->report.nr, RXE_CC_FB_MAX,
			    "%s: tells too much", rig->what);
	KUNIT_ASSERT_TRUE_MSG(test, rig->ops->on_group ||
			      !(f->kick_peer || f->kick_port),
			      "%s: kicks without on_group", rig->what);
	KUNIT_ASSERT_TRUE_MSG(test, rig->ops->on_port_timer ||
			      f->port_timer_ns == RXE_CC_NO_TIMER,
			      "%s: sets the port's timer without on_port_timer",
			      rig->what);
	rxe_cc_flow_kicked(f);
	f->rate_bps = clamp(f->rate_bps, min(f->min_rate_bps, f->line_rate_bps),
			    f->line_rate_bps);
	if (f->timer_ns != RXE_CC_NO_TIMER)
		f->timer_ns = max(f->timer_ns, rig->now_ns + TIMER_MIN_NS);
}

static void conf_start(struct kunit *test, struct conf_rig *rig, u64 line_bps,
		       u64 seed)
{
	struct rxe_cc_env env = {
		.line_rate_bps = line_bps,
		.min_rate_bps = RXE_CC_RATE_MIN_BPS,
		.base_rtt_ns = rig->base_rtt_ns,
		.pkt_bytes = 1106,
	};
	struct rxe_cc_flow *f = &rig->flow;

	rxe_cc_flow_reset(f, &env, rig->ops, rig->params,
			  rig->ops->port_priv_size ? rig->port_priv : NULL,
			  rig->ops->peer_priv_size ? rig->peer_priv : NULL);
	conf_end(rig);
	memset(rig->port_priv, 0, rig->ops->port_priv_size);
	memset(rig->peer_priv, 0, rig->ops->peer_priv_size);
	*conf_canary(rig) = CANARY;
	*conf_port_canary(rig) = CANARY;
	*conf_peer_canary(rig) = CANARY;
	if (rig->ops->port_init)
		KUNIT_ASSERT_EQ(test, 0, rig->ops->port_init(rig->port_priv));
	if (rig->ops->peer_init)
		rig->ops->peer_init(rig->peer_priv, rig->port_priv);
	rig->started = true;
	rig->head = CANARY;
	rig->tail = CANARY;
	rig->r.state = seed;
	rig->now_ns = 1000;
	rig->timers = 0;
	cc_bh_off_do(rig->ops->init(f, rig->now_ns));
	conf_after(test, rig);
}

static void conf_timer(struct kunit *test, struct conf_rig *rig)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns };

	rig->flow.timer_ns = RXE_CC_NO_TIMER;
	rig->timers++;
	KUNIT_ASSERT_NOT_NULL_MSG(test, rig->ops->on_timer,
				  "%s: set a timer without on_timer", rig->what);
	cc_bh_off_do(rig->ops->on_timer(&rig->flow, &s));
	conf_after(test, rig);
}

/* Let time pass with all timers on time. Returns false after too many. */
static bool conf_pass(struct kunit *test, struct conf_rig *rig, u64 ns,
		      u64 max_timers)
{
	u64 end_ns = rxe_cc_sat_add(rig->now_ns, ns);
	u64 before = rig->timers;

	while (rig->flow.timer_ns <= end_ns &&
	       rig->flow.timer_ns != RXE_CC_NO_TIMER) {
		if (rig->timers - before >= max_timers)
			return false;
		rig->now_ns = max(rig->now_ns, rig->flow.timer_ns);
		conf_timer(test, rig);
	}
	rig->now_ns = end_ns;
	return true;
}

/* Anything at all, where the algorithm has asked for it. */
static void conf_rx_view(struct conf_rig *rig)
{
	struct rxe_cc_rx_rules rules = {};
	struct cc_test_prng *r = &rig->r;

	if (!rig->ops->rx_rules)
		return;
	rig->ops->rx_rules(rig->params, &rules);
	if (!rules.on)
		return;
	rig->flow.rx = (struct rxe_cc_rx_view) {
		.round_bytes = cc_test_wild(r), .round_ns = cc_test_wild(r),
		.base_rtt_ns = cc_test_wild(r), .min_owd_ns = cc_test_wild(r),
		.msgs = cc_test_wild(r), .msgs_all = cc_test_wild(r),
		.senders = cc_test_wild(r), .peer_msgs = cc_test_wild(r),
		.peer_counted = cc_test_wild(r),
	};
}

static void conf_data(struct kunit *test, struct conf_rig *rig,
		      const struct rxe_cc_sample *s)
{
	struct rxe_cc_sample d = {
		.now_ns = s->now_ns, .bytes = s->bytes, .seq = s->seq,
		.ce = s->ce, .start = s->start, .end = s->end,
		.kind = s->kind, .msg_bytes = s->msg_bytes,
		.arrived_ns = s->now_ns,
		.owd_ns = s->owd_ns, .owd_over_ns = s->owd_over_ns,
		.has_owd = s->has_owd, .path_hops = s->path_hops,
	};
	u32 flags;

	/* Hops only for those who want them. */
	if (rig->flow.wants & (RXE_CC_WANT_RX_HOPS | RXE_CC_WANT_RX_LOOK)) {
		d.hops = s->hops;
		d.nr_hops = s->nr_hops;
	}
	if (!rxe_cc_flow_hears(&rig->flow, rig->ops, &d))
		return;
	conf_rx_view(rig);
	flags = cc_bh_off(rig->ops->on_data(&rig->flow, &d));
	KUNIT_ASSERT_EQ_MSG(test, flags & ~(RXE_CC_RX_CNP | RXE_CC_RX_REPORT),
			    0U, "%s: unknown flags", rig->what);
	if (!d.ce)
		KUNIT_ASSERT_EQ_MSG(test, flags & RXE_CC_RX_CNP, 0U,
				    "%s: a CNP without a mark", rig->what);
}

/* Feedback may change, and nothing that the sender's half decides. */
static void conf_fill(struct kunit *test, struct conf_rig *rig)
{
	struct rxe_cc_flow *f = &rig->flow;
	u64 rate_bps = f->rate_bps, cwnd_bytes = f->cwnd_bytes;
	u64 timer_ns = f->timer_ns;

	if (!rig->ops->fill_ack)
		return;
	conf_rx_view(rig);
	cc_bh_off_do(rig->ops->fill_ack(f, rig->now_ns));
	KUNIT_ASSERT_TRUE_MSG(test, f->rate_bps == rate_bps &&
			      f->cwnd_bytes == cwnd_bytes &&
			      f->timer_ns == timer_ns,
			      "%s: fill_ack decides for the sender", rig->what);
}

static void conf_port_timer(struct conf_rig *rig)
{
	struct rxe_cc_port_call c = {
		.now_ns = rig->now_ns, .params = rig->params,
		.line_rate_bps = rig->flow.line_rate_bps,
		.timer_ns = RXE_CC_NO_TIMER,
	};

	if (rig->ops->on_port_timer)
		cc_bh_off_do(rig->ops->on_port_timer(rig->port_priv, &c));
}

static void conf_group(struct kunit *test, struct conf_rig *rig,
		       const struct rxe_cc_sample *s)
{
	struct rxe_cc_sample group = {
		.now_ns = s->now_ns, .next_seq = s->next_seq,
		.inflight_bytes = s->inflight_bytes,
	};

	conf_rx_view(rig);
	if (rig->ops->on_group)
		KUNIT_ASSERT_EQ_MSG(test, cc_bh_off(rig->ops->on_group(&rig->flow, &group)) &
				    ~RXE_CC_RX_REPORT, 0U,
				    "%s: unknown flags", rig->what);
}

static void conf_event(struct kunit *test, struct conf_rig *rig,
		       unsigned int kind, struct rxe_cc_sample *s)
{
	const struct rxe_cc_ops *ops = rig->ops;
	struct rxe_cc_flow *f = &rig->flow;

	s->now_ns = rig->now_ns;
	f->telemetry = RXE_CC_TELEMETRY_NONE;
	if (kind == 0 && ops->on_ack) {
		cc_bh_off_do(ops->on_ack(f, s));
	} else if (kind == 1 && ops->on_sent) {
		cc_bh_off_do(ops->on_sent(f, s));
	} else if (kind == 2 && ops->on_cnp) {
		cc_bh_off_do(ops->on_cnp(f, s));
	} else if (kind == 3 && ops->on_loss) {
		s->loss %= RXE_CC_LOSS_RNR + 1;
		cc_bh_off_do(ops->on_loss(f, s));
	} else if (kind == 4) {
		conf_data(test, rig, s);
	} else if (kind == 5 && ops->params_changed) {
		cc_bh_off_do(ops->params_changed(f, rig->now_ns));
	} else if (kind == 6) {
		conf_fill(test, rig);
	} else if (kind == 7) {
		conf_group(test, rig, s);
	} else if (kind == 8) {
		conf_port_timer(rig);
	}
	conf_after(test, rig);
}

/* Seconds that stand still, nanoseconds, and hours. */
static u64 conf_step(struct cc_test_prng *r)
{
	static const u64 scale[] = {
		1, 100, 10000, 10000, 1000000, 100000000,
		10000ULL * NSEC_PER_SEC,
	};

	return cc_test_below(r, scale[cc_test_below(r, ARRAY_SIZE(scale))]);
}

/*
 * Where what is measured equals what it is compared with, differences are 0, and may be divided
 * by: a round trip that is a parameter, or longer than the idle path's by one.
 */
static void conf_equal(struct conf_rig *rig, struct rxe_cc_sample *s)
{
	const struct rxe_cc_ops *ops = rig->ops;
	unsigned int i = ops->nr_params ? cc_test_below(&rig->r, ops->nr_params) : 0;
	u64 ns = ops->nr_params && !strcmp(ops->params[i].unit, "ns") ? rig->params[i] : 0;

	if (cc_test_below(&rig->r, 2))
		rig->flow.base_rtt_ns = 1 + cc_test_below(&rig->r, 100000);
	rig->flow.min_rtt_ns = rig->flow.base_rtt_ns;
	s->min_rtt_ns = rig->flow.min_rtt_ns;
	s->rtt_ns = cc_test_below(&rig->r, 2) ? ns : rxe_cc_sat_add(rig->flow.base_rtt_ns, ns);
	s->owd_over_ns = ns;
}

/* Anything at all, at any time. @late: timers do not fire between. */
static void conf_storm(struct kunit *test, struct conf_rig *rig, bool late)
{
	struct cc_test_prng *r = &rig->r;
	unsigned int i, j;

	for (i = 0; i < EV_PER_RUN; i++) {
		struct rxe_cc_sample s = {
			.bytes = cc_test_wild(r),
			.inflight_bytes = cc_test_wild(r),
			.rtt_ns = cc_test_wild(r),
			.turnaround_ns = cc_test_wild(r),
			.owd_ns = cc_test_wild(r),
			.owd_over_ns = cc_test_wild(r),
			.has_owd = cc_test_below(r, 2),
			.path_hops = cc_test_rand(r),
			.cnp_origin = cc_test_below(r, RXE_CC_NR_CNP_ORIGINS),
			.cnp_window_bytes = cc_test_wild(r),
			.kind = cc_test_below(r, RXE_CC_DATA_OTHER + 1),
			.msg_bytes = cc_test_wild(r),
			.nr_fb = cc_test_below(r, RXE_CC_FB_MAX + 1),
			.partial = !cc_test_below(r, 4),
			.direct = !cc_test_below(r, 2),
			.seq = cc_test_rand(r),
			.next_seq = cc_test_rand(r),
			.loss = cc_test_rand(r),
			.ce = cc_test_below(r, 2),
			.start = cc_test_below(r, 2),
			.end = cc_test_below(r, 2),
			.retransmit = cc_test_below(r, 2),
		};

		for (j = 0; j < s.nr_fb; j++)
			s.fb[j] = cc_test_below(r, 3) ? cc_test_wild(r) : 0;
		s.nr_hops = cc_test_below(r, ARRAY_SIZE(rig->hop) + 1);
		for (j = 0; j < s.nr_hops; j++)
			rig->hop[j] = (struct rxe_cc_int_hop) {
				cc_test_wild(r), cc_test_wild(r),
				cc_test_wild(r), cc_test_wild(r),
				cc_test_wild(r), cc_test_wild(r),
			};
		s.hops = s.nr_hops ? rig->hop : NULL;
		rig->flow.base_rtt_ns = cc_test_wild(r);
		rig->flow.min_rtt_ns = cc_test_wild(r);
		rig->flow.srtt_ns = cc_test_wild(r);
		rig->flow.min_owd_ns = cc_test_wild(r);
		rig->flow.clock_common = cc_test_below(r, 2);
		rig->flow.peer_obeys = cc_test_below(r, 2);
		if (!cc_test_below(r, 8))
			conf_equal(rig, &s);
		if (late)
			rig->now_ns = rxe_cc_sat_add(rig->now_ns, conf_step(r));
		else
			conf_pass(test, rig, cc_test_below(r, 50000), 1000);
		conf_event(test, rig, cc_test_below(r, CONF_EVENTS), &s);
		if (late && rig->flow.timer_ns <= rig->now_ns &&
		    cc_test_below(r, 2))
			conf_timer(test, rig);
	}
}

/* The same extreme value in every field. */
static void conf_flat(struct kunit *test, struct conf_rig *rig, u64 v)
{
	struct rxe_cc_int_hop hop = { v, v, v, v, v, v };
	struct rxe_cc_sample s = {
		.bytes = v, .inflight_bytes = v, .rtt_ns = v,
		.turnaround_ns = v, .owd_ns = v, .owd_over_ns = v,
		.has_owd = v, .path_hops = v,
		.cnp_window_bytes = v, .fb = { v, v, v, v },
		.nr_fb = v ? RXE_CC_FB_MAX : 0, .msg_bytes = v,
		.partial = v, .direct = v, .seq = v,
		.next_seq = v, .ce = v, .start = v, .end = v,
		.retransmit = v, .hops = v ? &hop : NULL, .nr_hops = !!v,
	};
	unsigned int i;

	rig->flow.base_rtt_ns = v;
	rig->flow.min_rtt_ns = v;
	rig->flow.srtt_ns = v;
	rig->flow.min_owd_ns = v;
	rig->flow.clock_common = v;
	rig->flow.peer_obeys = v;
	for (i = 0; i < 300; i++) {
		conf_event(test, rig, i % CONF_EVENTS, &s);
		if (i > 200)
			rig->now_ns = rxe_cc_sat_add(rig->now_ns, v / 300);
	}
	if (rig->flow.timer_ns != RXE_CC_NO_TIMER)
		conf_timer(test, rig);
}

static bool conf_params_ok(struct conf_rig *rig)
{
	unsigned int bad;

	return !rig->ops->check_params ||
	       !rig->ops->check_params(rig->params, &bad);
}

static void conf_defaults(struct conf_rig *rig)
{
	unsigned int i;

	for (i = 0; i < rig->ops->nr_params; i++)
		rig->params[i] = rig->ops->params[i].def;
	strscpy(rig->what, "defaults", sizeof(rig->what));
}

/*
 * The parameter sets under test, by number: the defaults, each preset, each
 * parameter at its smallest and at its largest, all at once. Returns false
 * after the last; a set that the algorithm refuses is passed over by *skip.
 */
static bool conf_params(struct conf_rig *rig, unsigned int n, bool *skip)
{
	const struct rxe_cc_ops *ops = rig->ops;
	unsigned int i;

	conf_defaults(rig);
	*skip = false;
	if (n == 0)
		return true;
	n--;
	if (n < ops->nr_presets) {
		memcpy(rig->params, ops->presets[n].values,
		       ops->nr_params * sizeof(u64));
		strscpy(rig->what, ops->presets[n].name, sizeof(rig->what));
		return true;
	}
	n -= ops->nr_presets;
	if (n < 2 * ops->nr_params) {
		i = n / 2;
		rig->params[i] = n % 2 ? ops->params[i].max : ops->params[i].min;
		snprintf(rig->what, sizeof(rig->what), "%s=%llu",
			 ops->params[i].name, rig->params[i]);
	} else if (n < 2 * ops->nr_params + 2) {
		bool high = n % 2;

		for (i = 0; i < ops->nr_params; i++)
			rig->params[i] = high ? ops->params[i].max :
						ops->params[i].min;
		strscpy(rig->what, high ? "all largest" : "all smallest",
			sizeof(rig->what));
	} else {
		return false;
	}
	*skip = !conf_params_ok(rig);
	return true;
}

static void conf__check_params(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	const struct rxe_cc_ops *ops = rig->ops;
	const char *why;
	unsigned int n, bad;
	bool skip;

	if (!ops->check_params)
		return;
	for (n = 0; conf_params(rig, n, &skip); n++) {
		bad = UINT_MAX;
		why = ops->check_params(rig->params, &bad);
		if (n <= ops->nr_presets)
			KUNIT_EXPECT_NULL_MSG(test, why, "%s refused: %s",
					      rig->what, why);
		if (!why)
			continue;
		KUNIT_EXPECT_TRUE_MSG(test, *why && bad < ops->nr_params,
				      "%s: refused without saying why",
				      rig->what);
	}
}

/* Neither what was there before nor an earlier flow shows in a new one. */
static void conf__init(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	struct conf_rig *again = conf_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(conf_line_bps); i++) {
		conf_defaults(rig);
		conf_defaults(again);
		conf_start(test, rig, conf_line_bps[i], 1);
		KUNIT_EXPECT_LE(test, rig->flow.rate_bps, conf_line_bps[i]);
		KUNIT_EXPECT_GE(test, rig->flow.rate_bps, RXE_CC_RATE_MIN_BPS);
		conf_start(test, again, conf_line_bps[i], 1);
		conf_storm(test, again, true);
		conf_start(test, again, conf_line_bps[i], 1);
		/* rate_bps up to timer_ns, then the private state. */
		KUNIT_EXPECT_MEMEQ_MSG(test, &rig->flow, &again->flow,
				       offsetof(struct rxe_cc_flow, params),
				       "line rate %llu", conf_line_bps[i]);
		KUNIT_EXPECT_MEMEQ_MSG(test, rig->own, again->own, rig->ops->priv_size,
				       "line rate %llu", conf_line_bps[i]);
	}
}

static void conf__extremes(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	unsigned int n, i;
	bool skip;

	for (n = 0; conf_params(rig, n, &skip); n++) {
		for (i = 0; i < ARRAY_SIZE(conf_line_bps) && !skip; i++) {
			conf_start(test, rig, conf_line_bps[i], 1);
			conf_flat(test, rig, 0);
			conf_start(test, rig, conf_line_bps[i], 1);
			conf_flat(test, rig, 1);
			conf_flat(test, rig, U64_MAX);
			conf_start(test, rig, conf_line_bps[i], 1);
			conf_flat(test, rig, U64_MAX);
			conf_flat(test, rig, U32_MAX);
		}
	}
}

static void conf__storm(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	unsigned int n, i;
	bool skip;

	for (n = 0; conf_params(rig, n, &skip); n++) {
		for (i = 0; i < ARRAY_SIZE(conf_line_bps) && !skip; i++) {
			conf_start(test, rig, conf_line_bps[i], n * 16 + i);
			conf_storm(test, rig, true);
			conf_start(test, rig, conf_line_bps[i], n * 16 + i);
			conf_storm(test, rig, false);
		}
	}
}

/* No hidden input: the same events give the same state. */
static void conf__repeatable(struct kunit *test)
{
	struct conf_rig *a = conf_new(test), *b = conf_new(test);

	conf_defaults(a);
	conf_defaults(b);
	conf_start(test, a, conf_line_bps[1], 7);
	conf_storm(test, a, true);
	conf_start(test, b, conf_line_bps[1], 7);
	conf_storm(test, b, true);
	KUNIT_EXPECT_EQ(test, a->flow.rate_bps, b->flow.rate_bps);
	KUNIT_EXPECT_EQ(test, a->flow.cwnd_bytes, b->flow.cwnd_bytes);
	KUNIT_EXPECT_EQ(test, a->flow.timer_ns, b->flow.timer_ns);
	KUNIT_EXPECT_MEMEQ_MSG(test, a->own, b->own, rxe_cc_flow_own_bytes(a->ops),
			       "what it remembers");
}

/* Timers stay few, under congestion and after, for any parameters. */
static void conf__timers(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	struct rxe_cc_sample cnp = { .ce = true };
	unsigned int n, ms, us;
	u64 worst = 0, before;
	bool skip;

	for (n = 0; conf_params(rig, n, &skip); n++) {
		if (skip)
			continue;
		conf_start(test, rig, conf_line_bps[1], 1);
		for (ms = 0; ms < 10; ms++) {
			before = rig->timers;
			for (us = 0; us < 1000; us += 4) {
				if (ms < 3)
					conf_event(test, rig, 2, &cnp);
				conf_pass(test, rig, 4000, MAX_TIMERS_PER_MS);
			}
			worst = max(worst, rig->timers - before);
			KUNIT_ASSERT_LE_MSG(test, rig->timers - before,
					    (u64)MAX_TIMERS_PER_MS,
					    "%s: on_timer calls in ms %u",
					    rig->what, ms);
		}
	}
	kunit_info(test, "at most %llu timers a ms", worst);
}

/* The line rate changes: a flow that has heard nothing is then where a new one begins. */
static void conf__line_rate(struct kunit *test)
{
	static const u64 line_bps[] = { 40000000000ULL, 400000000000ULL, 1000000000ULL };
	struct conf_rig *rig = conf_new(test), *fresh = conf_new(test);
	unsigned int i;

	if (!rig->ops->params_changed)
		return;
	conf_defaults(rig);
	conf_defaults(fresh);
	conf_start(test, rig, conf_line_bps[1], 1);
	for (i = 0; i < ARRAY_SIZE(line_bps); i++) {
		struct rxe_cc_env env = {
			.line_rate_bps = line_bps[i], .min_rate_bps = RXE_CC_RATE_MIN_BPS,
			.pkt_bytes = rig->flow.pkt_bytes,
		};

		rxe_cc_flow_env(&rig->flow, &env);
		cc_bh_off_do(rig->ops->params_changed(&rig->flow, rig->now_ns));
		conf_after(test, rig);
		conf_start(test, fresh, line_bps[i], 1);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.rate_bps, fresh->flow.rate_bps,
				    "line rate %llu", line_bps[i]);
	}
}

/* What a flow says besides rate and window. */
static void conf_same(struct kunit *test, const struct conf_rig *rig,
		      const struct conf_rig *fresh)
{
	const struct rxe_cc_flow *a = &rig->flow, *b = &fresh->flow;

	KUNIT_EXPECT_EQ_MSG(test, a->wants, b->wants, "%s: wants", rig->what);
	KUNIT_EXPECT_EQ_MSG(test, a->fb_ignore, b->fb_ignore, "%s: fb_ignore", rig->what);
	KUNIT_EXPECT_EQ_MSG(test, a->cnp_gap_ns, b->cnp_gap_ns, "%s: cnp_gap_ns", rig->what);
}

/* Parameters change: a flow that has heard nothing is then as one that begins with them. */
static void conf__live(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test), *fresh = conf_new(test);
	unsigned int n;
	bool skip;

	if (!rig->ops->params_changed)
		return;
	rig->base_rtt_ns = 10000;
	fresh->base_rtt_ns = 10000;
	for (n = 0; conf_params(fresh, n, &skip); n++) {
		if (skip)
			continue;
		conf_start(test, fresh, conf_line_bps[1], 1);
		conf_defaults(rig);
		conf_start(test, rig, conf_line_bps[1], 1);
		memcpy(rig->params, fresh->params, sizeof(rig->params));
		memcpy(rig->what, fresh->what, sizeof(rig->what));
		cc_bh_off_do(rig->ops->params_changed(&rig->flow, rig->now_ns));
		conf_after(test, rig);
		conf_same(test, rig, fresh);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.rate_bps, fresh->flow.rate_bps,
				    "%s: rate", rig->what);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.cwnd_bytes, fresh->flow.cwnd_bytes,
				    "%s: window", rig->what);
	}
}

/*
 * With each preset, a flow that is left alone ends up without a timer: after CNPs, and after ACKs
 * of a long queue and of none and a loss.
 */
static void conf__idle(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	struct rxe_cc_sample cnp = { .ce = true };
	struct rxe_cc_sample loss = { .loss = RXE_CC_LOSS_NAK };
	struct rxe_cc_sample ack = { .bytes = 1106, .min_rtt_ns = 10000 };
	unsigned int n, i;
	bool skip;

	rig->base_rtt_ns = 10000;
	for (n = 0; n <= 2 * rig->ops->nr_presets + 1; n++) {
		conf_params(rig, n / 2, &skip);
		conf_start(test, rig, conf_line_bps[1], 1);
		for (i = 0; i < 100; i++) {
			ack.rtt_ns = i < 50 ? 200000 : 10000;
			if (n % 2 == 0)
				conf_event(test, rig, 2, &cnp);
			else if (i == 0)
				conf_event(test, rig, 3, &loss);
			else
				conf_event(test, rig, 0, &ack);
			conf_pass(test, rig, 10000, MAX_TIMERS_PER_MS);
		}
		KUNIT_EXPECT_TRUE_MSG(test,
				      conf_pass(test, rig, 100ULL * NSEC_PER_SEC,
						MAX_IDLE_TIMERS),
				      "%s: timers go on", rig->what);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.timer_ns, RXE_CC_NO_TIMER,
				    "%s: idle flow keeps a timer", rig->what);
		kunit_info(test, "%s: quiet after %llu timers", rig->what,
			   rig->timers);
	}
}

static void conf__dump(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	struct rxe_cc_var *vars;
	unsigned int i, j, n;

	if (!rig->ops->dump)
		return;
	vars = kunit_kzalloc(test, (RXE_CC_MAX_VARS + 1) * sizeof(*vars),
			     GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, vars);
	vars[RXE_CC_MAX_VARS].value = CANARY;
	conf_defaults(rig);
	conf_start(test, rig, conf_line_bps[1], 3);
	conf_storm(test, rig, false);
	n = rig->ops->dump(&rig->flow, vars);
	KUNIT_ASSERT_LE(test, n, (unsigned int)RXE_CC_MAX_VARS);
	KUNIT_EXPECT_EQ(test, vars[RXE_CC_MAX_VARS].value, CANARY);
	for (i = 0; i < n; i++) {
		KUNIT_ASSERT_NOT_NULL_MSG(test, vars[i].name, "variable %u", i);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE_MSG(test,
					    strcmp(vars[j].name, vars[i].name),
					    0, "%s: twice", vars[i].name);
	}
}

/* What it says it goes by is in its dump, one of them at least with the defaults. */
static void conf__signals(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	const struct rxe_cc_ops *ops = rig->ops;
	unsigned int i, j, k, n, found = 0;
	struct rxe_cc_var *vars;

	if (!ops->nr_signals)
		return;
	KUNIT_ASSERT_NOT_NULL(test, ops->dump);
	vars = kunit_kzalloc(test, RXE_CC_MAX_VARS * sizeof(*vars), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, vars);
	conf_defaults(rig);
	conf_start(test, rig, conf_line_bps[1], 3);
	conf_storm(test, rig, false);
	n = ops->dump(&rig->flow, vars);
	for (i = 0; i < ops->nr_signals; i++) {
		const struct rxe_cc_signal *s = &ops->signals[i];

		for (j = 0; j < n; j++)
			found += !strcmp(vars[j].name, s->var);
		for (k = 0; k < RXE_CC_SIGNAL_LINES && s->lines[k]; k++) {
			for (j = 0; j < ops->nr_params; j++)
				if (!strcmp(ops->params[j].name, s->lines[k]))
					break;
			KUNIT_ASSERT_LT_MSG(test, j, ops->nr_params, "%s: no parameter %s",
					    ops->name, s->lines[k]);
			KUNIT_EXPECT_STREQ_MSG(test, ops->params[j].unit, s->unit, "%s: %s",
					       ops->name, s->lines[k]);
		}
	}
	KUNIT_EXPECT_GE_MSG(test, found, 1, "%s: no signal in the dump", ops->name);
}

/* Anything that the core lets through. */
static void conf_args(struct cc_test_prng *r, const struct rxe_cc_cmd *cmd, u64 *args)
{
	unsigned int i;

	for (i = 0; i < cmd->nr_args; i++) {
		const struct rxe_cc_param *p = &cmd->args[i];

		switch (cc_test_below(r, 4)) {
		case 0:
			args[i] = p->min;
			break;
		case 1:
			args[i] = p->max;
			break;
		case 2:
			args[i] = p->def;
			break;
		default:
			args[i] = clamp(cc_test_wild(r), p->min, p->max);
		}
	}
}

/* Of several peers one is asked first, and nothing may come of that. */
static int conf_check(struct kunit *test, struct conf_rig *rig, const struct rxe_cc_cmd *cmd,
		      const u64 *args)
{
	u32 port_bytes = rig->ops->port_priv_size, peer_bytes = rig->ops->peer_priv_size;
	struct rxe_cc_port_call p = {
		.now_ns = rig->now_ns, .params = rig->params,
		.line_rate_bps = rig->flow.line_rate_bps,
		.timer_ns = RXE_CC_NO_TIMER,
	};
	struct rxe_cc_cmd_call c = { .args = args, .list = 2, .check = true };
	u8 *before = kunit_kmalloc(test, port_bytes + peer_bytes + 1, GFP_KERNEL);
	int err;

	KUNIT_ASSERT_NOT_NULL(test, before);
	memcpy(before, rig->port_priv, port_bytes);
	memcpy(before + port_bytes, rig->peer_priv, peer_bytes);
	err = cmd->to_peer(peer_bytes ? rig->peer_priv : NULL,
			   port_bytes ? rig->port_priv : NULL, &p, &c);
	KUNIT_ASSERT_TRUE_MSG(test, !memcmp(before, rig->port_priv, port_bytes) &&
			      !memcmp(before + port_bytes, rig->peer_priv, peer_bytes),
			      "%s: does it when only asked", cmd->name);
	KUNIT_ASSERT_TRUE_MSG(test, !p.kick && !c.kick_peer &&
			      p.timer_ns == RXE_CC_NO_TIMER,
			      "%s: asks for something when only asked", cmd->name);
	kunit_kfree(test, before);
	return err;
}

static void conf_cmd(struct kunit *test, struct conf_rig *rig,
		     const struct rxe_cc_cmd *cmd, struct rxe_cc_flow *before)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns };
	struct rxe_cc_port_call p = {
		.now_ns = rig->now_ns, .params = rig->params,
		.line_rate_bps = rig->flow.line_rate_bps,
		.timer_ns = RXE_CC_NO_TIMER,
	};
	u64 args[RXE_CC_MAX_CMD_ARGS] = {};
	struct rxe_cc_cmd_call c = { .args = args, .list = 1 };
	void *peer = rig->ops->peer_priv_size ? rig->peer_priv : NULL;
	void *port = rig->ops->port_priv_size ? rig->port_priv : NULL;
	int err, asked = 0;
	unsigned int i;

	conf_args(&rig->r, cmd, args);
	if (cmd->to_peer) {
		asked = conf_check(test, rig, cmd, args);
		c.list = 2;
	}
	*before = rig->flow;
	memcpy(rig->own_before, rig->own, rxe_cc_flow_own_bytes(rig->ops));
	if (cmd->to_qp)
		err = cmd->to_qp(&rig->flow, &s, &c);
	else
		err = cmd->to_peer ? cmd->to_peer(peer, port, &p, &c) :
				     cmd->to_port(port, &p, &c);
	KUNIT_ASSERT_TRUE_MSG(test, err <= 0 && err >= -MAX_ERRNO,
			      "%s: returns %d", cmd->name, err);
	if (cmd->to_peer)
		KUNIT_ASSERT_EQ_MSG(test, asked, err, "%s: says another thing when asked",
				    cmd->name);
	if (err) {
		KUNIT_ASSERT_FALSE_MSG(test, memcmp(before, &rig->flow, sizeof(*before)),
				       "%s: refuses, and changes the flow", cmd->name);
		KUNIT_ASSERT_MEMEQ_MSG(test, rig->own_before, rig->own,
				       rxe_cc_flow_own_bytes(rig->ops),
				       "%s: refuses, and changes its state", cmd->name);
		KUNIT_ASSERT_NOT_NULL_MSG(test, c.why, "%s: refuses without a word",
					  cmd->name);
		return;
	}
	KUNIT_ASSERT_LE(test, c.nr_vars, (unsigned int)RXE_CC_MAX_CMD_VARS);
	for (i = 0; i < c.nr_vars; i++)
		KUNIT_ASSERT_NOT_NULL_MSG(test, c.var[i].name, "%s: answer %u", cmd->name, i);
	KUNIT_ASSERT_TRUE_MSG(test, rig->ops->on_group || !(p.kick || c.kick_peer),
			      "%s: kicks without on_group", cmd->name);
	KUNIT_ASSERT_TRUE_MSG(test, rig->ops->on_port_timer ||
			      p.timer_ns == RXE_CC_NO_TIMER,
			      "%s: sets the port's timer without on_port_timer",
			      cmd->name);
	conf_after(test, rig);
}

static void conf__commands(struct kunit *test)
{
	struct conf_rig *rig = conf_new(test);
	struct rxe_cc_flow *before;
	unsigned int i, j;

	if (!rig->ops->nr_cmds)
		return;
	before = kunit_kzalloc(test, sizeof(*before), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, before);
	conf_defaults(rig);
	strscpy(rig->what, "commands", sizeof(rig->what));
	conf_start(test, rig, conf_line_bps[1], 5);
	for (i = 0; i < 20; i++) {
		for (j = 0; j < 50 * rig->ops->nr_cmds; j++)
			conf_cmd(test, rig, &rig->ops->cmds[j % rig->ops->nr_cmds],
				 before);
		conf_storm(test, rig, i & 1);
	}
}

static struct kunit_case conf_cases[] = {
	KUNIT_CASE_PARAM(conf__check_params, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__init, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__extremes, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__storm, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__repeatable, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__timers, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__line_rate, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__live, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__idle, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__dump, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__signals, cc_test_algo_gen),
	KUNIT_CASE_PARAM(conf__commands, cc_test_algo_gen),
	{}
};

static struct kunit_suite conf_suite = {
	.name = "rxe_cc_conformance",
	.test_cases = conf_cases,
};

kunit_test_suite(conf_suite);

MODULE_DESCRIPTION("KUnit suite of what every algorithm of rxe_cc must stand");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
RXE_CC_IMPORT_KUNIT_NS;
