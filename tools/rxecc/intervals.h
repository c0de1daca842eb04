/* SPDX-License-Identifier: GPL-2.0 */
/* Reports in intervals: the options -i and -c, and what was added between two reports. */
#ifndef RXECC_INTERVALS_H
#define RXECC_INTERVALS_H

#include <time.h>

#include "rxecc.h"

#define NSEC	1000000000ULL

/* What -i and -c say; 0: not given. */
struct intervals {
	u64 ns;
	u64 count;
};

/**
 * intervals_option() - take -i TIME or -c COUNT
 * @rx: context
 * @object: command, for errors
 * @argc: words left
 * @argv: words left
 * @to: what was given so far
 *
 * Return: 2 words were taken, 0: it is neither, -1 after telling what is wrong.
 */
int intervals_option(struct rxecc *rx, const char *object, int argc, char **argv,
		     struct intervals *to);

u64 intervals_now_ns(void);
/* By the clock of intervals_now_ns(). */
void intervals_sleep_until(u64 t);

/* NULL: there is no such counter. */
const struct counter *counter_find(const struct counters *cs, const char *name);

/*
 * What was added since @old. A counter that went down belongs to an object that was made anew
 * under the old name: it counts from 0.
 */
u64 counter_added(const struct counter *now, const struct counters *old);

/* The device in @devs with the name and port of @like; NULL: none. */
const struct dev *dev_find(const struct found *devs, const struct dev *like);

#endif
