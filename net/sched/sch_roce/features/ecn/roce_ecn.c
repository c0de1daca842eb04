// SPDX-License-Identifier: GPL-2.0
/*
 * ECN (explicit congestion notification), a feature of a port: marks a packet with a probability
 * that grows with its queue, when it comes or when it is about to be sent.
 */
#include <kunit/visibility.h>
#include <linux/compiler.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>
#include <net/inet_ecn.h>

#include "roce_classify.h"
#include "roce_ecn.h"
#include "roce_feature.h"
#include "roce_trace.h"

/**
 * roce_ecn_threshold - marking probability at a queue length
 * @ramp: validated: kmin <= kmax, pmax <= 1e6
 * @queue_bytes: wire bytes in the queue
 *
 * A queue of exactly kmax is marked with pmax, one byte more always. With
 * kmin == kmax the ramp is a step.
 *
 * Return: 0 = never .. %ROCE_ECN_ALWAYS; a packet is marked when a uniform
 * 32-bit random number is below it.
 */
u64 roce_ecn_threshold(const struct roce_ecn_ramp *ramp, u64 queue_bytes)
{
	u64 part, whole;

	if (queue_bytes <= ramp->kmin_bytes)
		return 0;
	if (queue_bytes > ramp->kmax_bytes)
		return ROCE_ECN_ALWAYS;

	part = (queue_bytes - ramp->kmin_bytes) * ramp->pmax_ppm;
	whole = (u64)(ramp->kmax_bytes - ramp->kmin_bytes) * ROCE_ECN_PPM;
	/* Not 0, and the quotient fits: no need for what rxe_cc_muldiv() does for
	 * that. It says why the compiler must not know whether the two are equal.
	 */
	OPTIMIZER_HIDE_VAR(whole);
	return mul_u64_u64_div_u64(part, ROCE_ECN_ALWAYS, whole);
}
EXPORT_SYMBOL_IF_KUNIT(roce_ecn_threshold);

/**
 * roce_ecn_set_ce - mark a packet
 * @skb: at the Ethernet header, owned by the caller
 *
 * Captures and bridge floods share packet data between clones, so the header
 * is made private first; skb pointers into it are stale afterwards.
 *
 * Return: what became of it.
 */
enum roce_ecn_result roce_ecn_set_ce(struct sk_buff *skb)
{
	int noff, hlen;
	__be16 proto;
	u8 ecn;

	proto = roce_l3_offset(skb, &noff);
	if (proto == htons(ETH_P_IP))
		hlen = sizeof(struct iphdr);
	else if (proto == htons(ETH_P_IPV6))
		hlen = sizeof(struct ipv6hdr);
	else
		return ROCE_ECN_NOT_ECT;

	ecn = roce_l3_dsfield(skb, proto, noff) & INET_ECN_MASK;
	if (ecn == INET_ECN_NOT_ECT)
		return ROCE_ECN_NOT_ECT;
	if (ecn == INET_ECN_CE)
		return ROCE_ECN_WAS_CE;

	if (!pskb_may_pull(skb, noff + hlen) || skb_try_make_writable(skb, noff + hlen))
		return ROCE_ECN_NOMEM;

	if (proto == htons(ETH_P_IP))
		IP_ECN_set_ce((struct iphdr *)(skb->data + noff));
	else
		IP6_ECN_set_ce(skb, (struct ipv6hdr *)(skb->data + noff));
	return ROCE_ECN_MARKED;
}
EXPORT_SYMBOL_IF_KUNIT(roce_ecn_set_ce);

/* Restart the random numbers from the port's seed. The generator's first numbers
 * after a small seed are small: skip them.
 */
static void roce_ecn_seed(struct roce_ecn *ecn, u64 seed)
{
	int i;

	prandom_seed_state(&ecn->rnd, seed);
	for (i = 0; i < 16; i++)
		prandom_u32_state(&ecn->rnd);
	ecn->seed = seed;
	ecn->seeded = true;
}

static void roce_ecn_changed(struct roce_port *port, u64 now_ns)
{
	struct roce_ecn *ecn = roce_feature_port(port, &roce_ecn_feature);

	if (!ecn->seeded || ecn->seed != port->cfg.seed)
		roce_ecn_seed(ecn, port->cfg.seed);
}

/* Mark a packet or not, by the length of its queue. */
static enum roce_verdict roce_ecn_decide(struct roce_port *port, struct sk_buff *skb, u8 when,
					 u64 at_ns)
{
	const struct roce_ecn_config *cfg = roce_ecn_config(&port->cfg);
	struct roce_ecn *ecn = roce_feature_port(port, &roce_ecn_feature);
	u8 id = roce_skb_cb(skb)->prio;
	const struct roce_ecn_prio *prio = &cfg->prio[id];
	struct roce_ecn_stats *stats = &ecn->stats[id];
	u64 threshold, queue_bytes = port->prio[id].bytes;

	if (prio->when != when)
		return ROCE_ACCEPTED;
	threshold = roce_ecn_threshold(&prio->ramp, queue_bytes);
	if (!threshold)
		return ROCE_ACCEPTED;
	if (threshold < ROCE_ECN_ALWAYS && prandom_u32_state(&ecn->rnd) >= threshold)
		return ROCE_ACCEPTED;

	switch (roce_ecn_set_ce(skb)) {
	case ROCE_ECN_MARKED:
		stats->marked++;
		trace_roce_mark(port, skb, at_ns, queue_bytes);
		break;
	case ROCE_ECN_NOT_ECT:
		if (prio->not_ect == TC_ROCE_NOT_ECT_DROP && !port->cfg.prio[id].lossless)
			return ROCE_DROP_NOT_ECT;
		stats->not_ect++;
		break;
	case ROCE_ECN_NOMEM:
		stats->nomem++;
		break;
	case ROCE_ECN_WAS_CE:
		break;
	}
	return ROCE_ACCEPTED;
}

static enum roce_verdict roce_ecn_enqueue(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	return roce_ecn_decide(port, skb, TC_ROCE_ECN_ENQUEUE, now_ns);
}

static enum roce_verdict roce_ecn_dequeue(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	return roce_ecn_decide(port, skb, TC_ROCE_ECN_DEQUEUE, at_ns);
}

static u16 roce_ecn_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	if (roce_features_no_ecn(cfg, prio))
		return 0;
	switch (roce_ecn_config(cfg)->prio[prio].when) {
	case TC_ROCE_ECN_ENQUEUE:
		return BIT(ROCE_HOOK_ENQUEUE);
	case TC_ROCE_ECN_DEQUEUE:
		return BIT(ROCE_HOOK_DEQUEUE);
	default:
		return 0;
	}
}

static int roce_ecn_check(const struct roce_check *check)
{
	const struct roce_ecn_prio *prio = &roce_ecn_config(check->cfg)->prio[check->id];

	return roce_clash(check, prio->ramp.kmin_bytes > prio->ramp.kmax_bytes,
			  TCA_ROCE_PRIO_ECN_KMIN, TCA_ROCE_PRIO_ECN_KMAX, "kmin is above kmax") ?:
	       roce_clash(check, check->cfg->prio[check->id].lossless &&
			  prio->not_ect == TC_ROCE_NOT_ECT_DROP,
			  TCA_ROCE_PRIO_ECN_NOT_ECT, TCA_ROCE_PRIO_LOSSLESS,
			  "ecn-not-ect drop loses lossless packets");
}

static int roce_ecn_prio_stats(struct roce_port *port, u8 id, struct sk_buff *msg)
{
	const struct roce_ecn *ecn = roce_feature_port(port, &roce_ecn_feature);
	const struct roce_ecn_stats *stats = ecn ? &ecn->stats[id] : NULL;
	const struct roce_figure figures[] = {
#define ROCE_PRIO_FIGURE(attr, value, ...) { TCA_ROCE_PSTATS_##attr, stats ? (value) : 0 },
#include "roce_ecn_rows.h"
#undef ROCE_PRIO_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

#define ROCE_ROWS	"features/ecn/roce_ecn_rows.h"
#define ROCE_CONFIG	struct roce_ecn_config
#include "roce_option_table.h"

struct roce_feature roce_ecn_feature = {
	.enqueue	= roce_ecn_enqueue,
	.dequeue	= roce_ecn_dequeue,
	.wants		= roce_ecn_wants,
	.check		= roce_ecn_check,
	.changed	= roce_ecn_changed,
	.prio_stats	= roce_ecn_prio_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.prio_stride	= sizeof(struct roce_ecn_prio),
	.config_bytes	= sizeof(struct roce_ecn_config),
	.port_bytes	= sizeof(struct roce_ecn),
	.name		= "ecn",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_IF_KUNIT(roce_ecn_feature);
