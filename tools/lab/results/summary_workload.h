/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: figures of one run under a workload: "tiers" of summary.json.
 */
#ifndef LAB_RESULTS_SUMMARY_WORKLOAD_H
#define LAB_RESULTS_SUMMARY_WORKLOAD_H

#include "results/flow_figures.h"
#include "results/results.h"

/* results/summary_tiers.c */
int results_tiers(struct results *r);

#endif /* LAB_RESULTS_SUMMARY_WORKLOAD_H */
