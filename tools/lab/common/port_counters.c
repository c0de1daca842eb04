// SPDX-License-Identifier: GPL-2.0
/* The table of the ports' counters; see port_counters.h. */
#include <linux/pkt_sched_roce.h>
#include <string.h>

#include "common/port_counters.h"

#define ROW(type, of, as, sort)	\
	{ .attr = (type), .object = (of), .name = (as), .kind = COUNTER_##sort }

const struct counter port_counters[PORT_COUNTERS] = {
#define PORT_COUNTER(attribute, ...) ROW(TCA_ROCE_XSTATS_##attribute, __VA_ARGS__),
#include "common/port_counter_rows.h"
};

const struct counter prio_counters[PRIO_COUNTERS] = {
#define PRIO_COUNTER(attribute, ...) ROW(TCA_ROCE_PSTATS_##attribute, __VA_ARGS__),
#include "common/port_counter_rows.h"
};

const struct counter switch_counters[SWITCH_COUNTERS] = {
#define SWITCH_COUNTER(attribute, ...) ROW(TCA_ROCE_SSTATS_##attribute, __VA_ARGS__),
#include "common/port_counter_rows.h"
};

/**
 * port_counter_in_summary() - is a counter in an object of summary.json
 * @c: counter
 * @object: the object
 *
 * Return: true if so.
 */
bool port_counter_in_summary(const struct counter *c, const char *object)
{
	return c->kind > COUNTER_RAW && strcmp(c->object, object) == 0;
}
