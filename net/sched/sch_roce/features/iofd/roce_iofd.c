// SPDX-License-Identifier: GPL-2.0
/*
 * IOFD, in-order flow deflection (Xue et al., "Dart: Divide and Specialize for Fast
 * Response to Congestion in RDMA-Based Datacenter Networks", IEEE/ACM ToN 2020, section
 * IV): a feature of a port of a switch that routes.
 *
 * The first packet of a short flow that comes to a queue longer than the threshold leaves
 * by another port of the switch, chosen at random, and all packets of the flow behind it
 * do the same, by an entry in the table of the switch (roce_iofd_table.c). The next
 * switch routes it as any other packet; it gets there by a longer way. Each deflection
 * takes a token from the packet (roce_iofd_packet.c); without tokens it is not deflected.
 * Who is behind the other port the neighbour tables know (roce_iofd_neighbour.c).
 *
 * Order is a matter between the sender and this table. Only a packet that says that
 * nothing of its flow is under way (%RXE_CC_TOKENS_FIRST) begins to be deflected, or ceases to
 * be. All others follow it.
 *
 * Deadlock. Fabrics have no circular waits because packets go up, then down, and never
 * up again. A deflected packet may do that: it comes down to a switch that has to send it
 * up. There its priority is changed, to that of the escape DSCP, wherever it turns from
 * a port that leads up to one that leads up. So within a priority every packet goes
 * up, then down; and from one to the next there is no way back (roce_iofd_check()). A packet
 * whose priority has no escape is not deflected to where it would have to turn. The
 * packet is charged to the priority that it came in by, for that is what a pause stops.
 *
 * Differences from the paper: entries outlive their message; a flow is only deflected to
 * a port where less waits than the threshold; not back to where it comes from; one way
 * of turning up again for each escape priority there is, however many tokens are left.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include <rxe_cc/wire.h>

#include "roce_classify.h"
#include "features/int/roce_int_port.h"
#include "roce_iofd.h"
#include "roce_switch.h"
#include "roce_trace.h"

static struct roce_iofd_port *roce_iofd_of(const struct roce_port *port)
{
	return roce_feature_port(port, &roce_iofd_feature);
}

static struct roce_iofd_table *roce_iofd_table(const struct roce_port *port)
{
	struct roce_iofd_switch *sw = roce_feature_switch(port, &roce_iofd_feature);

	return &sw->table;
}

/* A port that is no longer to be used takes its entries along. The feature need not
 * have been on in the switch that it is in.
 */
static void roce_iofd_forget(struct roce_port *port)
{
	if (!roce_feature_switch(port, &roce_iofd_feature))
		return;
	roce_iofd_of(port)->stats.lost_port +=
		roce_iofd_forget_slot(roce_iofd_table(port), port->slot);
}

static bool roce_iofd_is_on(const struct roce_port *port)
{
	return port->features & BIT(roce_iofd_feature.slot);
}

static bool roce_iofd_leads_up(const struct roce_port *port)
{
	return port && roce_iofd_is_on(port) &&
	       roce_iofd_config(&port->cfg)->link == TC_ROCE_IOFD_UP;
}

/* Where a packet that would come to @port now would be in the order of sending. */
static u64 roce_iofd_position(const struct roce_port *port, u8 id)
{
	u64 bytes = 0;

	for (; id < TC_ROCE_PRIOS; id++)
		bytes += port->prio[id].bytes;
	return bytes;
}

/* A packet that came in by @in and leaves by @out turns from down to up. */
static bool roce_iofd_turns(const struct roce_port *in, const struct roce_port *out)
{
	return roce_iofd_leads_up(in) && roce_iofd_leads_up(out);
}

/* What a packet in a priority gets when it turns, or 0. */
static u8 roce_iofd_escape(const struct roce_port *port, u8 id)
{
	return roce_iofd_config(&port->cfg)->prio[id].escape_dscp;
}

/**
 * roce_iofd_may_go - may a packet leave by another port than it is routed to?
 * @port: port that it is routed to
 * @in: port that it came in by, or NULL
 * @out: another port of the switch
 * @id: its priority
 *
 * A port that leads down and is not the one that the route leads to leads to a switch
 * from which the packet has to turn up again. There it needs the escape, so it is not
 * sent there without one.
 *
 * Return: true when that cannot close a circle of waits.
 */
static bool roce_iofd_may_go(const struct roce_port *port, const struct roce_port *in,
			     const struct roce_port *out, u8 id)
{
	switch (roce_iofd_config(&out->cfg)->link) {
	case TC_ROCE_IOFD_UP:
		return !roce_iofd_leads_up(in) || roce_iofd_escape(port, id);
	case TC_ROCE_IOFD_DOWN:
		return roce_iofd_escape(port, id);
	default:
		return false;
	}
}

static bool roce_iofd_is_fit(const struct roce_port *port, const struct roce_port *in,
			     struct roce_port *out, u8 id, u64 now_ns)
{
	u32 threshold = roce_iofd_config(&port->cfg)->prio[id].threshold_bytes;

	return out && out != port && out != in && roce_iofd_is_on(out) &&
	       roce_iofd_may_go(port, in, out, id) && roce_iofd_position(out, id) <= threshold &&
	       !roce_port_is_mute(out) && roce_iofd_next_hop(out, roce_iofd_of(out), now_ns);
}

/* Another port, at random, or NULL. */
static struct roce_port *roce_iofd_choose(struct roce_port *port, const struct roce_port *in, u8 id,
					  u64 now_ns)
{
	struct rnd_state *rnd = &roce_iofd_of(port)->rnd;
	struct roce_switch *sw = port->sw;
	struct roce_port *chosen = NULL;
	unsigned int slot, fit = 0;

	/* Of n the last replaces what was chosen before with probability 1 / n. */
	for (slot = 1; slot < sw->nr_slots; slot++) {
		if (!roce_iofd_is_fit(port, in, sw->slots[slot], id, now_ns))
			continue;
		if (!reciprocal_scale(prandom_u32_state(rnd), ++fit))
			chosen = sw->slots[slot];
	}
	return chosen;
}

static struct roce_iofd_rule roce_iofd_rule(const struct roce_port *port)
{
	const struct roce_iofd_config *cfg = roce_iofd_config(&port->cfg);

	return (struct roce_iofd_rule) {
		.hold_ns = cfg->hold_ns,
		.idle_ns = max(cfg->idle_ns, cfg->hold_ns),
	};
}

/* A flow of which nothing is under way begins: is it to be deflected? */
static struct roce_iofd_entry *roce_iofd_begin(struct roce_port *port, const struct roce_port *in,
					       const struct roce_flow_key *key, u8 id, u64 now_ns)
{
	u32 threshold = roce_iofd_config(&port->cfg)->prio[id].threshold_bytes;
	struct roce_iofd_rule rule = roce_iofd_rule(port);
	struct roce_iofd_port *m = roce_iofd_of(port);
	struct roce_port *out;

	if (!threshold || roce_iofd_position(port, id) <= threshold)
		return NULL;
	if (!roce_iofd_has_room(roce_iofd_table(port), &rule, now_ns)) {
		m->stats.full++;
		return NULL;
	}
	out = roce_iofd_choose(port, in, id, now_ns);
	if (!out) {
		m->stats.no_port++;
		return NULL;
	}
	m->stats.flows++;
	return roce_iofd_add(roce_iofd_table(port), key, out->slot);
}

/* The entry that a packet with tokens goes by, or NULL. */
static struct roce_iofd_entry *
roce_iofd_entry(struct roce_port *port, const struct roce_port *in,
		const struct roce_iofd_packet *pkt, u8 id, u64 now_ns)
{
	struct roce_iofd_rule rule = roce_iofd_rule(port);
	struct roce_iofd_entry *e;
	struct roce_flow_key key;

	roce_iofd_key(&key, &pkt->to, pkt->bits & RXE_CC_TOKENS);
	e = roce_iofd_find(roce_iofd_table(port), &rule, &key, now_ns);
	if (!(pkt->bits & RXE_CC_TOKENS_FIRST))
		return e;
	/* Everything before it has arrived: it may take any way. */
	if (e)
		roce_iofd_put(e);
	return roce_iofd_begin(port, in, &key, id, now_ns);
}

/* The port that a packet is to leave by instead, or NULL. */
static struct roce_port *roce_iofd_deflect(struct roce_port *port, const struct roce_port *in,
					   const struct roce_iofd_packet *pkt, u8 id, u64 now_ns)
{
	struct roce_iofd_entry *e;
	struct roce_port *out;

	e = roce_iofd_entry(port, in, pkt, id, now_ns);
	if (!e)
		return NULL;
	out = port->sw->slots[e->slot];
	/* A route that has changed may lead there by now. */
	if (out == port)
		return NULL;
	if (!out || !roce_iofd_is_on(out) || roce_port_is_mute(out) ||
	    !roce_iofd_next_hop(out, roce_iofd_of(out), now_ns)) {
		roce_iofd_of(port)->stats.lost_port +=
			roce_iofd_forget_slot(roce_iofd_table(port), e->slot);
		return NULL;
	}
	roce_iofd_seen(e, roce_iofd_ends(pkt->to.opcode), now_ns);
	return out;
}

/* The DSCP for a packet that leaves by @out, or -1. */
static int roce_iofd_dscp(struct roce_port *port, const struct roce_port *in,
			  const struct roce_port *out, u8 id)
{
	if (!roce_iofd_turns(in, out))
		return -1;
	if (roce_iofd_escape(port, id))
		return roce_iofd_escape(port, id);
	roce_iofd_of(port)->stats.no_escape++;
	return -1;
}

static const struct roce_port *roce_iofd_ingress(const struct roce_port *port,
						 const struct sk_buff *skb)
{
	u16 slot = roce_skb_cb(skb)->in_slot;

	return slot ? port->sw->slots[slot] : NULL;
}

static void roce_iofd_send(struct roce_port *port, struct sk_buff *skb,
			   const struct roce_iofd_packet *pkt, struct roce_port *out, u64 now_ns)
{
	struct roce_iofd_stats *stats = &roce_iofd_of(port)->stats;
	struct roce_iofd_port *other = roce_iofd_of(out);

	if (out->dev)
		roce_iofd_aim(skb, other->mac, out->dev->dev_addr);
	stats->packets++;
	stats->bytes += roce_skb_cb(skb)->wire_bytes;
	other->taken++;
	trace_roce_iofd(port, skb, now_ns, out, pkt->to.qpn, pkt->to.psn, pkt->bits);
}

static enum roce_verdict roce_iofd_arrive(struct roce_port *port, struct sk_buff *skb,
					  struct roce_port **out, u64 now_ns)
{
	const struct roce_port *in = roce_iofd_ingress(port, skb);
	u8 id = roce_skb_cb(skb)->prio;
	struct roce_iofd_packet pkt;
	struct roce_port *other = NULL;
	int dscp;

	if (!roce_iofd_read(skb, &pkt))
		return ROCE_ACCEPTED;
	if (pkt.bits & RXE_CC_TOKENS)
		other = roce_iofd_deflect(port, in, &pkt, id, now_ns);
	dscp = roce_iofd_dscp(port, in, other ?: port, id);
	if (!other && dscp < 0)
		return ROCE_ACCEPTED;
	if (!roce_iofd_write(skb, &pkt, pkt.bits - !!other, dscp)) {
		roce_iofd_of(port)->stats.failed++;
		return ROCE_DROP_FEATURE;
	}
	if (dscp >= 0)
		roce_iofd_of(port)->stats.escaped++;
	if (!other) {
		roce_port_reclass(port, skb);
		return ROCE_ACCEPTED;
	}
	roce_iofd_send(port, skb, &pkt, other, now_ns);
	*out = other;
	return ROCE_REDIRECTED;
}

/* Telemetry is found by its DSCP, which a packet would lose in an escape priority. */
static u16 roce_iofd_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	const struct roce_iofd_prio *p = &roce_iofd_config(cfg)->prio[prio];

	if (!(p->threshold_bytes || p->escape_dscp) ||
	    class & ROCE_CLASS_NOT_IP || roce_int_is_on(cfg, class))
		return 0;
	return BIT(ROCE_HOOK_ARRIVE);
}

/* Do the escapes of a priority lead back to it? */
static bool roce_iofd_circles(const struct roce_config *cfg, u8 id)
{
	const struct roce_iofd_prio *prio = roce_iofd_config(cfg)->prio;
	u8 at = id;
	int i;

	for (i = 0; i < TC_ROCE_PRIOS && prio[at].escape_dscp; i++) {
		at = cfg->dscp_prio[prio[at].escape_dscp];
		if (at == id)
			return true;
	}
	return false;
}

static int roce_iofd_check(const struct roce_check *check)
{
	const struct roce_config *cfg = check->cfg;
	const struct roce_iofd_prio *p = &roce_iofd_config(cfg)->prio[check->id];
	u8 escape = p->escape_dscp ? cfg->dscp_prio[p->escape_dscp] : check->id;
	int err;

	err = roce_clash(check, p->escape_dscp && cfg->switch_id == TC_ROCE_SWITCH_NONE,
			 TCA_ROCE_PRIO_IOFD_ESCAPE, TCA_ROCE_PRIO_IOFD_ESCAPE,
			 "iofd is a switch's, switch is none");
	/* While a request is read, other priorities are not yet as they will be. */
	if (err || check->tb[TCA_ROCE_PRIO_ID])
		return err;
	return roce_clash(check, roce_iofd_circles(cfg, check->id),
			  TCA_ROCE_PRIO_IOFD_ESCAPE, TCA_ROCE_PRIO_IOFD_ESCAPE,
			  "iofd-escape leads back to the priority itself") ?:
	       roce_clash(check, cfg->prio[check->id].lossless && !cfg->prio[escape].lossless,
			  TCA_ROCE_PRIO_IOFD_ESCAPE, TCA_ROCE_PRIO_LOSSLESS,
			  "iofd-escape of a lossless priority is lossy") ?:
	       roce_clash(check, p->escape_dscp && roce_int_is_on(cfg, p->escape_dscp),
			  TCA_ROCE_PRIO_IOFD_ESCAPE, TCA_ROCE_PRIO_IOFD_ESCAPE,
			  "iofd-escape is int-dscp");
}

/* The generator's first numbers after a small seed are small: skip them. */
static void roce_iofd_seed(struct roce_iofd_port *m, u64 seed)
{
	int i;

	prandom_seed_state(&m->rnd, seed);
	for (i = 0; i < 16; i++)
		prandom_u32_state(&m->rnd);
	m->seed = seed;
	m->seeded = true;
}

static void roce_iofd_changed(struct roce_port *port, u64 now_ns)
{
	struct roce_iofd_port *m = roce_iofd_of(port);

	if (!m->seeded || m->seed != port->cfg.seed)
		roce_iofd_seed(m, port->cfg.seed);
	/* It may lead elsewhere now, or be another's neighbour. */
	m->ask_ns = 0;
	roce_iofd_forget(port);
}

static void roce_iofd_leave(struct roce_port *port, u64 now_ns)
{
	roce_iofd_forget(port);
	roce_iofd_of(port)->ask_ns = 0;
}

static int roce_iofd_put_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_iofd_port *m = roce_iofd_of(port);
	/* As in roce_iofd_forget(). */
	const struct roce_iofd_switch *sw =
		m ? roce_feature_switch(port, &roce_iofd_feature) : NULL;
	const struct roce_figure figures[] = {
#define ROCE_FIGURE(attr, value, ...) { TCA_ROCE_XSTATS_##attr, m ? (value) : 0 },
#include "roce_iofd_rows.h"
#undef ROCE_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

#define ROCE_ROWS	"features/iofd/roce_iofd_rows.h"
#define ROCE_CONFIG	struct roce_iofd_config
#include "roce_option_table.h"

struct roce_feature roce_iofd_feature = {
	.arrive		= roce_iofd_arrive,
	.wants		= roce_iofd_wants,
	.check		= roce_iofd_check,
	.changed	= roce_iofd_changed,
	.leave		= roce_iofd_leave,
	.stats		= roce_iofd_put_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.prio_stride	= sizeof(struct roce_iofd_prio),
	.config_bytes	= sizeof(struct roce_iofd_config),
	.port_bytes	= sizeof(struct roce_iofd_port),
	.switch_bytes	= sizeof(struct roce_iofd_switch),
	.name		= "iofd",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_feature);
