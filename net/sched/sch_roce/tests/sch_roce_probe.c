// SPDX-License-Identifier: GPL-2.0
/*
 * Feature "probe", for tests: is told of everything, keeps its own account of the
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
#include "roce_probe.h"

#define ROCE_PROBE_IDLE_NS	1000000
#define ROCE_PROBE_OPCODE	0x81	/* a CNP; IBTA annex A17 */
#define ROCE_PROBE_CNP_BYTES	16
#define ROCE_PROBE_TAIL		4

static struct roce_probe_port *probe_of(const struct roce_port *port)
{
	return roce_feature_port(port, &roce_probe_feature);
}

static u32 probe_what(const struct roce_port *port, const struct sk_buff *skb)
{
	return roce_probe_config(&port->cfg)->prio[roce_skb_cb(skb)->prio].what;
}

static void probe_note(struct roce_port *port, enum roce_hook hook, u8 prio,
		       u64 t_ns, u64 value)
{
	static const char *const names[ROCE_HOOKS] = {
		"arrive", "enqueue", "arrived", "dequeue", "start", "depart",
		"lost", "pause", "resume",
	};

	probe_of(port)->calls[hook]++;
	trace_roce_feature(port, t_ns, prio, roce_probe_feature.name,
			   names[hook], value);
}

/* The next port of the switch that somebody hears. */
static struct roce_port *probe_other(const struct roce_port *port)
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

static enum roce_verdict probe_arrive(struct roce_port *port,
				      struct sk_buff *skb,
				      struct roce_port **out, u64 now_ns)
{
	u32 what = probe_what(port, skb);

	probe_note(port, ROCE_HOOK_ARRIVE, roce_skb_cb(skb)->prio, now_ns,
		   roce_skb_cb(skb)->wire_bytes);
	if (what & TC_ROCE_PROBE_REFUSE)
		return ROCE_DROP_FEATURE;
	if (what & TC_ROCE_PROBE_CONSUME)
		return ROCE_CONSUMED;
	if (what & TC_ROCE_PROBE_REDIRECT) {
		*out = probe_other(port);
		if (*out)
			return ROCE_REDIRECTED;
	}
	return ROCE_ACCEPTED;
}

static enum roce_verdict probe_enqueue(struct roce_port *port,
				       struct sk_buff *skb, u64 now_ns)
{
	u8 id = roce_skb_cb(skb)->prio;

	probe_note(port, ROCE_HOOK_ENQUEUE, id, now_ns, port->prio[id].bytes);
	return probe_what(port, skb) & TC_ROCE_PROBE_REFUSE_ENQUEUE ?
	       ROCE_DROP_FEATURE : ROCE_ACCEPTED;
}

/* Bytes of a packet's flow in the queues. */
static void probe_account(struct roce_port *port, const struct sk_buff *skb,
			  bool add, u64 at_ns)
{
	struct roce_probe_port *probe = probe_of(port);
	const struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_flow_table table = {
		.flows = probe->flows, .size = ROCE_PROBE_FLOWS,
		.seed = port->cfg.seed,
	};
	struct roce_flow_key key;
	struct roce_reply_to to;
	struct roce_flow *flow;

	if (add)
		probe->waiting_bytes[cb->prio] += cb->wire_bytes;
	else
		probe->waiting_bytes[cb->prio] -= cb->wire_bytes;
	if (probe->waiting_bytes[cb->prio] != port->prio[cb->prio].bytes)
		probe->wrong++;

	if (!roce_flow_read(port, skb, &to))
		return;
	roce_flow_key(&key, &to, ROCE_FLOW_PAIR);
	flow = add ? roce_flow_get(&table, &key, at_ns, ROCE_PROBE_IDLE_NS) :
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

static void probe_reply(struct roce_port *port, const struct sk_buff *skb,
			u64 now_ns)
{
	struct roce_reply_to to;
	struct sk_buff *reply;
	void *body;

	if (!roce_flow_read(port, skb, &to))
		return;
	reply = roce_reply_build(&to, ROCE_PROBE_OPCODE, true,
				 ROCE_PROBE_CNP_BYTES, &body);
	if (!roce_reply_send(port, skb, &to, reply, now_ns))
		probe_of(port)->replies++;
}

/* One packet more, or less, at this port. */
static void probe_count(struct roce_port *port, int packets)
{
	struct roce_probe_switch *sw =
		roce_feature_switch(port, &roce_probe_feature);

	probe_of(port)->here += packets;
	sw->here += packets;
	if (port->slot < 64)
		sw->ports |= BIT_ULL(port->slot);
}

static void probe_arrived(struct roce_port *port, struct sk_buff *skb,
			  bool waits, u64 now_ns)
{
	probe_note(port, ROCE_HOOK_ARRIVED, roce_skb_cb(skb)->prio, now_ns,
		   waits);
	probe_count(port, 1);
	if (waits)
		probe_account(port, skb, true, now_ns);
	if (probe_what(port, skb) & TC_ROCE_PROBE_REPLY)
		probe_reply(port, skb, now_ns);
}

static enum roce_verdict probe_dequeue(struct roce_port *port,
				       struct sk_buff *skb, u64 at_ns)
{
	u8 id = roce_skb_cb(skb)->prio;

	probe_note(port, ROCE_HOOK_DEQUEUE, id, at_ns, port->prio[id].bytes);
	probe_account(port, skb, false, at_ns);
	return probe_what(port, skb) & TC_ROCE_PROBE_REFUSE_DEQUEUE ?
	       ROCE_DROP_FEATURE : ROCE_ACCEPTED;
}

static unsigned int probe_start(struct roce_port *port, struct sk_buff *skb,
				u64 at_ns)
{
	probe_note(port, ROCE_HOOK_START, roce_skb_cb(skb)->prio, at_ns,
		   roce_skb_cb(skb)->wire_bytes);
	if (!(probe_what(port, skb) & TC_ROCE_PROBE_GROW) ||
	    skb_is_nonlinear(skb) || skb_cloned(skb) ||
	    skb_tailroom(skb) < ROCE_PROBE_TAIL)
		return 0;
	skb_put_zero(skb, ROCE_PROBE_TAIL);
	return ROCE_PROBE_TAIL;
}

static void probe_depart(struct roce_port *port, struct sk_buff *skb,
			 u64 at_ns)
{
	probe_note(port, ROCE_HOOK_DEPART, roce_skb_cb(skb)->prio, at_ns,
		   roce_skb_cb(skb)->wire_bytes);
	probe_count(port, -1);
}

static void probe_lost(struct roce_port *port, struct sk_buff *skb, bool waited,
		       u64 at_ns)
{
	const struct roce_skb_cb *cb = roce_skb_cb(skb);

	probe_note(port, ROCE_HOOK_LOST, cb->prio, at_ns, waited);
	probe_count(port, -1);
	if (!waited)
		return;
	probe_account(port, skb, false, at_ns);
}

static void probe_pause(struct roce_port *port, u8 prio, u64 at_ns)
{
	probe_note(port, ROCE_HOOK_PAUSE, prio, at_ns,
		   port->pfc.paused & BIT(prio));
	probe_of(port)->pause_ns = at_ns;
}

static void probe_resume(struct roce_port *port, u8 prio, u64 at_ns)
{
	probe_note(port, ROCE_HOOK_RESUME, prio, at_ns,
		   port->pfc.paused & BIT(prio));
	probe_of(port)->resume_ns = at_ns;
}

static void probe_set_timer(struct roce_port *port, u64 now_ns)
{
	u64 interval_ns = roce_probe_config(&port->cfg)->interval_ns;

	roce_feature_set_timer(port, &roce_probe_feature, interval_ns ?
			       now_ns + interval_ns : ROCE_NEVER);
}

static void probe_timer(struct roce_port *port, u64 at_ns)
{
	struct roce_probe_port *probe = probe_of(port);

	probe->timers++;
	probe->timer_ns = at_ns;
	trace_roce_feature(port, at_ns, 0, roce_probe_feature.name, "timer",
			   probe->timers);
	probe_set_timer(port, at_ns);
}

static u16 probe_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	u32 what = roce_probe_config(cfg)->prio[prio].what;

	return what & TC_ROCE_PROBE_WATCH ? BIT(ROCE_HOOKS) - 1 : 0;
}

static u8 probe_no_ecn(const struct roce_config *cfg)
{
	u8 mask = 0;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (roce_probe_config(cfg)->prio[id].what &
		    TC_ROCE_PROBE_NO_ECN)
			mask |= BIT(id);
	}
	return mask;
}

static int probe_check(const struct roce_check *check)
{
	const struct roce_config *cfg = check->cfg;
	u32 what = roce_probe_config(cfg)->prio[check->id].what;

	return roce_clash(check, what && !(what & TC_ROCE_PROBE_WATCH),
			  TCA_ROCE_PRIO_PROBE, TCA_ROCE_PRIO_PROBE,
			  "probe does nothing without bit 0") ?:
	       roce_clash(check, what & TC_ROCE_PROBE_REDIRECT &&
			  cfg->switch_id == TC_ROCE_SWITCH_NONE,
			  TCA_ROCE_PRIO_PROBE, TCA_ROCE_PRIO_PROBE,
			  "probe redirects within a switch, switch is none");
}

static void probe_changed(struct roce_port *port, u64 now_ns)
{
	probe_set_timer(port, now_ns);
}

static void probe_leave(struct roce_port *port, u64 now_ns)
{
	struct roce_probe_switch *sw =
		roce_feature_switch(port, &roce_probe_feature);

	if (sw && port->slot < 64)
		sw->ports &= ~BIT_ULL(port->slot);
}

static int probe_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_probe_port *probe = probe_of(port);
	struct roce_figure figures[] = {
		{ .type = TCA_ROCE_XSTATS_PROBE_CALLS },
		{ .type = TCA_ROCE_XSTATS_PROBE_TIMERS },
		{ .type = TCA_ROCE_XSTATS_PROBE_REPLIES },
		{ .type = TCA_ROCE_XSTATS_PROBE_WRONG },
	};
	int i;

	if (!probe)
		return 0;
	for (i = 0; i < ROCE_HOOKS; i++)
		figures[0].value += probe->calls[i];
	figures[1].value = probe->timers;
	figures[2].value = probe->replies;
	figures[3].value = probe->wrong;
	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static int probe_prio_stats(struct roce_port *port, u8 id, struct sk_buff *msg)
{
	const struct roce_probe_port *probe = probe_of(port);
	const struct roce_figure figure = {
		TCA_ROCE_PSTATS_PROBE_BYTES,
		probe ? probe->waiting_bytes[id] : 0,
	};

	return roce_put_figures(msg, &figure, 1);
}

static const struct roce_attr probe_attrs[] = {
	{ .type = TCA_ROCE_PROBE_INTERVAL, .bytes = 8, .or_zero = true,
	  .offset = offsetof(struct roce_probe_config, interval_ns),
	  .min = 1000, .max = NSEC_PER_SEC,
	  .why = "probe-interval is neither 0 nor in 1 us..1 s" },
	{ }
};

static const struct roce_attr probe_prio_attrs[] = {
	{ .type = TCA_ROCE_PRIO_PROBE, .bytes = 4,
	  .offset = offsetof(struct roce_probe_config, prio[0].what),
	  .max = TC_ROCE_PROBE_ALL, .why = "probe has unknown bits" },
	{ }
};

struct roce_feature roce_probe_feature = {
	.arrive		= probe_arrive,
	.enqueue	= probe_enqueue,
	.arrived	= probe_arrived,
	.dequeue	= probe_dequeue,
	.start		= probe_start,
	.depart		= probe_depart,
	.lost		= probe_lost,
	.pause		= probe_pause,
	.resume		= probe_resume,
	.timer		= probe_timer,
	.wants		= probe_wants,
	.no_ecn		= probe_no_ecn,
	.check		= probe_check,
	.changed	= probe_changed,
	.leave		= probe_leave,
	.stats		= probe_stats,
	.prio_stats	= probe_prio_stats,
	.attrs		= probe_attrs,
	.prio_attrs	= probe_prio_attrs,
	.prio_stride	= sizeof(struct roce_probe_prio),
	.config_bytes	= sizeof(struct roce_probe_config),
	.port_bytes	= sizeof(struct roce_probe_port),
	.switch_bytes	= sizeof(struct roce_probe_switch),
	.name		= "probe",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_GPL(roce_probe_feature);

static int __init probe_init(void)
{
	return roce_feature_register(&roce_probe_feature);
}

static void __exit probe_exit(void)
{
	roce_feature_unregister(&roce_probe_feature);
}

module_init(probe_init);
module_exit(probe_exit);
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_AUTHOR("rxe-cc developers");
MODULE_DESCRIPTION("Test feature of a RoCE port");
