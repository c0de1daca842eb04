/* SPDX-License-Identifier: GPL-2.0 */
/* What a feature costs a packet: shared by the suites roce_*_cost. */
#ifndef _ROCE_FEATURE_COST_H
#define _ROCE_FEATURE_COST_H

#include <kunit/test.h>

#define COST_LEN	100U		/* bytes of a packet, ns on the line */
#define COST_PACKETS	10000		/* waiting */

struct roce_config;
struct roce_port;

struct roce_config *roce_cost_config(struct kunit *test);
u64 roce_cost_of(struct kunit *test, struct roce_port *port, struct roce_port *back);
void roce_cost_tell(struct kunit *test, const char *what, u64 ns);

#endif /* _ROCE_FEATURE_COST_H */
