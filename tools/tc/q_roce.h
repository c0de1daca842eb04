/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of the plug-in. */
#ifndef Q_ROCE_H
#define Q_ROCE_H

#include "tc_abi.h"

int roce_parse_opt(struct qdisc_util *qu, int argc, char **argv,
		   struct nlmsghdr *n, const char *dev);
int roce_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
int roce_print_xstats(struct qdisc_util *qu, FILE *f, struct rtattr *xstats);

#endif /* Q_ROCE_H */
