// SPDX-License-Identifier: GPL-2.0
/*
 * Values that LSCC (link-segmented congestion control) derives from a port's options: round
 * trip, rate rule, whom to tell, expiry.
 */
#include <linux/minmax.h>
#include <rxe_cc/cc_math.h>

#include "roce_lscc.h"

#define ROCE_LSCC_EXPIRY_PERIODS	10

/**
 * roce_lscc_rtt - round trip of the link
 * @cfg: configuration
 *
 * Return: ns.
 */
u64 roce_lscc_rtt(const struct roce_config *cfg)
{
	return roce_lscc_config(cfg)->rtt_ns ?: 2 * cfg->delay_ns;
}

/**
 * roce_lscc_rule - what feedback rates are calculated by, and bounded
 * @cfg: configuration
 *
 * Return: rule.
 */
struct roce_lscc_rule roce_lscc_rule(const struct roce_config *cfg)
{
	const struct roce_lscc_config *lscc = roce_lscc_config(cfg);
	u64 max_bps = lscc->max_bps ?: cfg->rate_bps;

	return (struct roce_lscc_rule) {
		.period_ns = lscc->period_ns,
		.qref_bytes = lscc->qref_bytes,
		.step_bps = lscc->step_bps,
		.min_bps = min(lscc->min_bps, max_bps),
		.max_bps = max_bps,
		.in_flight = min_t(u64, roce_lscc_in_flight(roce_lscc_rtt(cfg), lscc->period_ns),
				   ROCE_LSCC_LIST),
	};
}

/**
 * roce_lscc_whom - which flows are told
 * @cfg: configuration
 *
 * Return: rule.
 */
struct roce_lscc_whom roce_lscc_whom(const struct roce_config *cfg)
{
	const struct roce_lscc_config *lscc = roce_lscc_config(cfg);

	return (struct roce_lscc_whom) {
		.qref_bytes = lscc->pseudo_bytes,
		.threshold_bytes = lscc->threshold_bytes ?: rxe_cc_muldiv(cfg->rate_bps,
									  roce_lscc_rtt(cfg),
									  RXE_CC_BIT_NS_PER_BYTE),
		.idle_ns = roce_lscc_rtt(cfg),
		.interval_ns = lscc->interval_ns,
	};
}

/**
 * roce_lscc_expiry - how long a feedback rate is in force
 * @cfg: configuration
 *
 * Return: ns.
 */
u64 roce_lscc_expiry(const struct roce_config *cfg)
{
	const struct roce_lscc_config *lscc = roce_lscc_config(cfg);

	return lscc->expiry_ns ?: ROCE_LSCC_EXPIRY_PERIODS * lscc->period_ns;
}
