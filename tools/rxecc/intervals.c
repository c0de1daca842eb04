// SPDX-License-Identifier: GPL-2.0
/* Reports in intervals: the options -i and -c, and what was added between two reports. */
#include <errno.h>
#include <string.h>

#include "intervals.h"

int intervals_option(struct rxecc *rx, const char *object, int argc, char **argv,
		     struct intervals *to)
{
	bool opt_i = !strcmp(argv[0], "-i");
	u64 *val = opt_i ? &to->ns : &to->count;
	char why[160];

	if (!opt_i && strcmp(argv[0], "-c"))
		return 0;
	if (argc < 2)
		rx_usage(rx, "%s: %s needs a value", object, argv[0]);
	else if (!param_parse(opt_i ? PARAM_NS : PARAM_COUNT, argv[1], val, why, sizeof(why)))
		rx_usage(rx, "%s: %s %s: %s", object, argv[0], argv[1], why);
	else if (!*val)
		rx_usage(rx, "%s: %s %s: must not be 0", object, argv[0], argv[1]);
	else
		return 2;
	return -1;
}

u64 intervals_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * NSEC + (u64)ts.tv_nsec;
}

void intervals_sleep_until(u64 t)
{
	struct timespec ts = {
		.tv_sec = (time_t)(t / NSEC), .tv_nsec = (long)(t % NSEC),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

const struct counter *counter_find(const struct counters *cs, const char *name)
{
	size_t i;

	for (i = 0; i < cs->n; i++)
		if (!strcmp(cs->v[i].name, name))
			return &cs->v[i];
	return NULL;
}

u64 counter_added(const struct counter *now, const struct counters *old)
{
	const struct counter *before = counter_find(old, now->name);

	return before && now->value >= before->value ? now->value - before->value : now->value;
}

const struct dev *dev_find(const struct found *devs, const struct dev *like)
{
	const struct dev *dev;

	for (dev = devs->v; dev < (struct dev *)devs->v + devs->n; dev++)
		if (!strcmp(dev->name, like->name) && dev->port == like->port)
			return dev;
	return NULL;
}
