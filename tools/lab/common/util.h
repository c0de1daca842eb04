/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers shared by lab (on the host) and labinit (inside the lab kernel).
 */
#ifndef LAB_COMMON_UTIL_H
#define LAB_COMMON_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/child.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/options.h"
#include "lib/param.h"
#include "lib/nearest_name.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	1000000000LL
#define PRINTF(f, a)	LIB_PRINTF(f, a)

/* What the qdisc and the CC core count beside an IPv4 RoCE packet's payload. */
#define ETH_WIRE_OVERHEAD	24	/* preamble 8, FCS 4, gap 12 */
#define ETH_HDR_BYTES		14
#define ROCE_HDR_BYTES		58	/* Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4 */
#define ROCE_WIRE_OVERHEAD	(ETH_WIRE_OVERHEAD + ROCE_HDR_BYTES)
#define ROCE_RETH_BYTES		16	/* first packet of a WRITE, READ request */
#define ROCE_AETH_BYTES		4

int64_t now_ns(int clock);

/* common/units.c */
enum unit {
	UNIT_COUNT,
	UNIT_RATE,		/* bit/s */
	UNIT_TIME,		/* ns */
	UNIT_SIZE,		/* bytes */
	UNIT_FRACTION,		/* 0..1 */
	UNIT_BOOL,		/* on, off */
	UNIT_ENUM,		/* index of a word */
	UNIT_TEXT,
};

int unit_by_name(const char *name, enum unit *unit);
const char *unit_name(enum unit unit);
int unit_parse(enum unit unit, const char *text, double *val);
char *unit_format(enum unit unit, double val);

#endif /* LAB_COMMON_UTIL_H */
