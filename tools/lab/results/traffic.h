/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: figures of one run.
 */
#ifndef LAB_FIG_RUN_H
#define LAB_FIG_RUN_H

#include "results/figures.h"
#include "results/results.h"

/* results/tiers.c */
int results_tiers(struct results *r);

#endif /* LAB_FIG_RUN_H */
