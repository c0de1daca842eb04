// SPDX-License-Identifier: GPL-2.0
/*
 * Feature "testfeat", for tests: is told of everything, keeps its own account of the
 * queues, and does to packets what it is told to. It checks itself that the calls
 * that it gets agree with what the port knows.
 */
#include <linux/bits.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include <rxe_cc/wire.h>
#include <rxe_cc/version.h>

#include "../roce_switch.h"
#include "../roce_trace.h"
#include "roce_testfeat.h"

#define ROCE_TESTFEAT_IDLE_NS	1000000
#define ROCE_TESTFEAT_OPCODE	0x81	/* a CNP; IBTA annex A17 */
#define ROCE_TESTFEAT_CNP_BYTES	16
#define ROCE_TESTFEAT_TAIL		4

static struct roce_testfeat_port *testfeat_of(const struct roce_port *port)
{
	return roce_feature_port(port, &roce_testfeat_feature);
}

static u32 testfeat_what(const struct roce_port *port, const struct sk_buff *skb)
{
	return roce_testfeat_config(&port->cfg)->prio[roce_skb_cb(skb)->prio].what;
}

static void testfeat_note(struct roce_port *port, enum roce_hook hook, u8 prio,
			  u64 t_ns, u64 value)
{
	static const char *const names[ROCE_HOOKS] = {
		"arrive", "enqueue", "arrived", "dequeue", "start", "depart",
		"lost", "pause", "resume",
	};

	testfeat_of(port)->calls[hook]++;
	trace_roce_feature(port, t_ns, prio, roce_testfeat_feature.name,
			   names[hook], value);
}

/* The next port of the switch that somebody hears. */
static struct roce_port *testfeat_other(const struct roce_port *port)
{
	struct roce_switch *sw = port->sw;
	unsigned int i, slot;

	for (i = 1; i < sw->nr_slots; i++) {
		slot = (port->slot + i) % sw->nr_slots;
		if (slot != port->slot && sw->slots[slot] &&
		    !roce_port_is_mute(sw->slots[slot]))
			return sw->slots[slot];
	}
	return NULL;
}

static enum roce_verdict testfeat_arrive(struct roce_port *port,
					 struct sk_buff *skb,
					 struct roce_port **out, u64 now_ns)
{
	u32 what = testfeat_what(port, skb);

	testfeat_note(port, ROCE_HOOK_ARRIVE, roce_skb_cb(skb)->prio, now_ns,
		      roce_skb_cb(skb)->wire_bytes);
	if (what & TC_ROCE_TESTFEAT_REFUSE)
		return ROCE_DROP_FEATURE;
	if (what & TC_ROCE_TESTFEAT_CONSUME)
		return ROCE_CONSUMED;
	if (what & TC_ROCE_TESTFEAT_REDIRECT) {
		*out = testfeat_other(port);
		if (*out)
			return ROCE_REDIRECTED;
	}
	return ROCE_ACCEPTED;
}

static enum roce_verdict testfeat_enqueue(struct roce_port *port,
					  struct sk_buff *skb, u64 now_ns)
{
	u8 id = roce_skb_cb(skb)->prio;

	testfeat_note(port, ROCE_HOOK_ENQUEUE, id, now_ns, port->prio[id].bytes);
	return testfeat_what(port, skb) & TC_ROCE_TESTFEAT_REFUSE_ENQUEUE ?
	       ROCE_DROP_FEATURE : ROCE_ACCEPTED;
}

/* Bytes of a packet's flow in the queues. */
static void testfeat_account(struct roce_port *port, const struct sk_buff *skb,
			     bool add, u64 at_ns)
{
	struct roce_testfeat_port *testfeat = testfeat_of(port);
	const struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_flow_table table = {
		.flows = testfeat->flows, .size = ROCE_TESTFEAT_FLOWS,
		.seed = port->cfg.seed,
	};
	struct roce_flow_key key;
	struct roce_reply_to to;
	struct roce_flow *flow;

	if (add)
		testfeat->waiting_bytes[cb->prio] += cb->wire_bytes;
	else
		testfeat->waiting_bytes[cb->prio] -= cb->wire_bytes;
	if (testfeat->waiting_bytes[cb->prio] != port->prio[cb->prio].bytes)
		testfeat->wrong++;

	if (!roce_flow_read(port, skb, &to))
		return;
	roce_flow_key(&key, &to, ROCE_FLOW_PAIR);
	flow = add ? roce_flow_get(&table, &key, at_ns, ROCE_TESTFEAT_IDLE_NS) :
		     roce_flow_find(&table, &key);
	if (!flow)
		return;
	if (add)
		flow->bytes += cb->wire_bytes;
	else
		flow->bytes -= cb->wire_bytes;
	if (!flow->bytes)
		roce_flow_put(flow);
}

static void testfeat_reply(struct roce_port *port, const struct sk_buff *skb,
			   u64 now_ns)
{
	struct roce_reply_to to;
	struct sk_buff *reply;
	void *body;

	if (!roce_flow_read(port, skb, &to))
		return;
	reply = roce_reply_build(&to, ROCE_TESTFEAT_OPCODE, true,
				 ROCE_TESTFEAT_CNP_BYTES, &body);
	if (!roce_reply_send(port, skb, &to, reply, now_ns))
		testfeat_of(port)->replies++;
}

/* One packet more, or less, at this port. */
static void testfeat_count(struct roce_port *port, int packets)
{
	struct roce_testfeat_switch *sw =
		roce_feature_switch(port, &roce_testfeat_feature);

	testfeat_of(port)->here += packets;
	sw->here += packets;
	if (port->slot < 64)
		sw->ports |= BIT_ULL(port->slot);
}

static void testfeat_arrived(struct roce_port *port, struct sk_buff *skb,
			     bool waits, u64 now_ns)
{
	testfeat_note(port, ROCE_HOOK_ARRIVED, roce_skb_cb(skb)->prio, now_ns,
		      waits);
	testfeat_count(port, 1);
	if (waits)
		testfeat_account(port, skb, true, now_ns);
	if (testfeat_what(port, skb) & TC_ROCE_TESTFEAT_REPLY)
		testfeat_reply(port, skb, now_ns);
}

static enum roce_verdict testfeat_dequeue(struct roce_port *port,
					  struct sk_buff *skb, u64 at_ns)
{
	u8 id = roce_skb_cb(skb)->prio;

	testfeat_note(port, ROCE_HOOK_DEQUEUE, id, at_ns, port->prio[id].bytes);
	testfeat_account(port, skb, false, at_ns);
	return testfeat_what(port, skb) & TC_ROCE_TESTFEAT_REFUSE_DEQUEUE ?
	       ROCE_DROP_FEATURE : ROCE_ACCEPTED;
}

static unsigned int testfeat_start(struct roce_port *port, struct sk_buff *skb,
				   u64 at_ns)
{
	testfeat_note(port, ROCE_HOOK_START, roce_skb_cb(skb)->prio, at_ns,
		      roce_skb_cb(skb)->wire_bytes);
	if (!(testfeat_what(port, skb) & TC_ROCE_TESTFEAT_GROW) ||
	    skb_is_nonlinear(skb) || skb_cloned(skb) ||
	    skb_tailroom(skb) < ROCE_TESTFEAT_TAIL)
		return 0;
	skb_put_zero(skb, ROCE_TESTFEAT_TAIL);
	return ROCE_TESTFEAT_TAIL;
}

static void testfeat_depart(struct roce_port *port, struct sk_buff *skb,
			    u64 at_ns)
{
	testfeat_note(port, ROCE_HOOK_DEPART, roce_skb_cb(skb)->prio, at_ns,
		      roce_skb_cb(skb)->wire_bytes);
	testfeat_count(port, -1);
}

static void testfeat_lost(struct roce_port *port, struct sk_buff *skb, bool waited,
			  u64 at_ns)
{
	const struct roce_skb_cb *cb = roce_skb_cb(skb);

	testfeat_note(port, ROCE_HOOK_LOST, cb->prio, at_ns, waited);
	testfeat_count(port, -1);
	if (!waited)
		return;
	testfeat_account(port, skb, false, at_ns);
}

static void testfeat_pause(struct roce_port *port, u8 prio, u64 at_ns)
{
	testfeat_note(port, ROCE_HOOK_PAUSE, prio, at_ns,
		      port->pfc.paused & BIT(prio));
	testfeat_of(port)->pause_ns = at_ns;
}

static void testfeat_resume(struct roce_port *port, u8 prio, u64 at_ns)
{
	testfeat_note(port, ROCE_HOOK_RESUME, prio, at_ns,
		      port->pfc.paused & BIT(prio));
	testfeat_of(port)->resume_ns = at_ns;
}

static void testfeat_set_timer(struct roce_port *port, u64 now_ns)
{
	u64 interval_ns = roce_testfeat_config(&port->cfg)->interval_ns;

	roce_feature_set_timer(port, &roce_testfeat_feature, interval_ns ?
			       now_ns + interval_ns : ROCE_NEVER);
}

static void testfeat_timer(struct roce_port *port, u64 at_ns)
{
	struct roce_testfeat_port *testfeat = testfeat_of(port);

	testfeat->timers++;
	testfeat->timer_ns = at_ns;
	trace_roce_feature(port, at_ns, 0, roce_testfeat_feature.name, "timer",
			   testfeat->timers);
	testfeat_set_timer(port, at_ns);
}

static u16 testfeat_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	u32 what = roce_testfeat_config(cfg)->prio[prio].what;

	return what & TC_ROCE_TESTFEAT_WATCH ? BIT(ROCE_HOOKS) - 1 : 0;
}

static u8 testfeat_no_ecn(const struct roce_config *cfg)
{
	u8 mask = 0;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (roce_testfeat_config(cfg)->prio[id].what &
		    TC_ROCE_TESTFEAT_NO_ECN)
			mask |= BIT(id);
	}
	return mask;
}

static int testfeat_check(const struct roce_check *check)
{
	const struct roce_config *cfg = check->cfg;
	u32 what = roce_testfeat_config(cfg)->prio[check->id].what;

	return roce_clash(check, what && !(what & TC_ROCE_TESTFEAT_WATCH),
			  TCA_ROCE_PRIO_TESTFEAT, TCA_ROCE_PRIO_TESTFEAT,
			  "testfeat does nothing without bit 0") ?:
	       roce_clash(check, what & TC_ROCE_TESTFEAT_REDIRECT &&
			  cfg->switch_id == TC_ROCE_SWITCH_NONE,
			  TCA_ROCE_PRIO_TESTFEAT, TCA_ROCE_PRIO_TESTFEAT,
			  "testfeat redirects within a switch, switch is none");
}

static void testfeat_changed(struct roce_port *port, u64 now_ns)
{
	testfeat_set_timer(port, now_ns);
}

static void testfeat_leave(struct roce_port *port, u64 now_ns)
{
	struct roce_testfeat_switch *sw =
		roce_feature_switch(port, &roce_testfeat_feature);

	if (sw && port->slot < 64)
		sw->ports &= ~BIT_ULL(port->slot);
}

static u64 testfeat_calls(const struct roce_testfeat_port *testfeat)
{
	u64 calls = 0;
	int i;

	for (i = 0; i < ROCE_HOOKS; i++)
		calls += testfeat->calls[i];
	return calls;
}

static int testfeat_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_testfeat_port *testfeat = testfeat_of(port);
	u64 calls = testfeat ? testfeat_calls(testfeat) : 0;
	const struct roce_figure figures[] = {
#define ROCE_FIGURE(attr, value, ...) { TCA_ROCE_XSTATS_##attr, testfeat ? (value) : 0 },
#include "roce_testfeat_rows.h"
#undef ROCE_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static int testfeat_prio_stats(struct roce_port *port, u8 id, struct sk_buff *msg)
{
	const struct roce_testfeat_port *testfeat = testfeat_of(port);
	const struct roce_figure figures[] = {
#define ROCE_PRIO_FIGURE(attr, value, ...) { TCA_ROCE_PSTATS_##attr, testfeat ? (value) : 0 },
#include "roce_testfeat_rows.h"
#undef ROCE_PRIO_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

#define ROCE_ROWS	"tests/roce_testfeat_rows.h"
#define ROCE_CONFIG	struct roce_testfeat_config
#include "roce_option_table.h"

struct roce_feature roce_testfeat_feature = {
	.arrive		= testfeat_arrive,
	.enqueue	= testfeat_enqueue,
	.arrived	= testfeat_arrived,
	.dequeue	= testfeat_dequeue,
	.start		= testfeat_start,
	.depart		= testfeat_depart,
	.lost		= testfeat_lost,
	.pause		= testfeat_pause,
	.resume		= testfeat_resume,
	.timer		= testfeat_timer,
	.wants		= testfeat_wants,
	.no_ecn		= testfeat_no_ecn,
	.check		= testfeat_check,
	.changed	= testfeat_changed,
	.leave		= testfeat_leave,
	.stats		= testfeat_stats,
	.prio_stats	= testfeat_prio_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.prio_stride	= sizeof(struct roce_testfeat_prio),
	.config_bytes	= sizeof(struct roce_testfeat_config),
	.port_bytes	= sizeof(struct roce_testfeat_port),
	.switch_bytes	= sizeof(struct roce_testfeat_switch),
	.name		= "testfeat",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_GPL(roce_testfeat_feature);

static int __init testfeat_init(void)
{
	return roce_feature_register(&roce_testfeat_feature);
}

static void __exit testfeat_exit(void)
{
	roce_feature_unregister(&roce_testfeat_feature);
}

module_init(testfeat_init);
module_exit(testfeat_exit);
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_AUTHOR("rxe-cc developers");
MODULE_DESCRIPTION("Test feature of a RoCE port");
