/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: figures of one run.
 */
#ifndef LAB_RESULTS_TRAFFIC_H
#define LAB_RESULTS_TRAFFIC_H

#include "results/figures.h"
#include "results/results.h"

/* results/tiers.c */
int results_tiers(struct results *r);

#endif /* LAB_RESULTS_TRAFFIC_H */
