/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of "roce" ports, from the kernel's attributes to summary.json: labinit reads what
 * port_counter_rows.h lists and writes it to totals.json, lab adds it up.
 */
#ifndef LAB_COMMON_PORT_COUNTERS_H
#define LAB_COMMON_PORT_COUNTERS_H

#include "common/util.h"

enum counter_kind {
	COUNTER_READ,		/* for labinit itself */
	COUNTER_RAW,		/* in totals.json only, from the start of the traffic on */
	COUNTER_SUM,		/* from the start of the traffic on; of several the sum */
	COUNTER_SOME,		/* the same, left out where it is 0 */
	COUNTER_LEFT,		/* in the end; of several the sum */
	COUNTER_PEAK,		/* in the end; of several the largest */
	COUNTER_LEVEL,		/* in the end; not of several */
};

struct counter {
	uint16_t attr;
	const char *object, *name;
	enum counter_kind kind;
};

enum {
#define PORT_COUNTER(attribute, ...) XS_##attribute,
#include "common/port_counter_rows.h"
	PORT_COUNTERS
};

enum {
#define PRIO_COUNTER(attribute, ...) PS_##attribute,
#include "common/port_counter_rows.h"
	PRIO_COUNTERS
};

enum {
#define SWITCH_COUNTER(attribute, ...) SS_##attribute,
#include "common/port_counter_rows.h"
	SWITCH_COUNTERS
};

extern const struct counter port_counters[PORT_COUNTERS], prio_counters[PRIO_COUNTERS];
extern const struct counter switch_counters[SWITCH_COUNTERS];

bool port_counter_in_summary(const struct counter *c, const char *object);

#endif /* LAB_COMMON_PORT_COUNTERS_H */
