// SPDX-License-Identifier: GPL-2.0
/* The command "rxecc stats": prints counters. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "print_objects.h"

#define NSEC	1000000000ULL

static const char help_text[] =
"Usage: rxecc stats [DEV] [-i TIME] [-c COUNT]\n"
"Counters of all devices, or of DEV. They only grow. With -i: every TIME (1s,\n"
"100ms) what was added, without the counters that stood still; -c ends after\n"
"COUNT reports. With -j one line per report, with all counters.\n";

static u64 now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (u64)ts.tv_sec * NSEC + (u64)ts.tv_nsec;
}

static void sleep_until(u64 t)
{
	struct timespec ts = {
		.tv_sec = (time_t)(t / NSEC), .tv_nsec = (long)(t % NSEC),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) ==
	       EINTR)
		;
}

static void add_counters(struct json_object *list, const struct dev *dev)
{
	static const char *const parts[] = { "dev", "port", "counters" };
	struct json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		json_object_object_add(o, parts[i], json_part(&dev_object, dev, parts[i]));
	json_object_array_add(list, o);
}

static int show_totals(struct rxecc *rx, const struct devref *ref)
{
	struct json_object *list;
	struct found devs;
	const struct dev *dev;
	int ret = fetch_devs(rx, ref, &devs);

	if (ret)
		return ret;
	list = rx->json ? json_object_new_array() : NULL;
	for (dev = devs.v; dev < (struct dev *)devs.v + devs.n; dev++) {
		if (rx->json) {
			add_counters(list, dev);
			continue;
		}
		fprintf(rx->out, "dev %s/%u\n", dev->name, dev->port);
		show_counters(rx, &dev->counters, NULL, false, rx->out, 4);
	}
	if (rx->json)
		json_print(rx, list, false);
	found_free(&devs);
	return RX_OK;
}

static const struct dev *find_dev(const struct found *devs,
				  const struct dev *like)
{
	const struct dev *dev;

	for (dev = devs->v; dev < (struct dev *)devs->v + devs->n; dev++)
		if (!strcmp(dev->name, like->name) && dev->port == like->port)
			return dev;
	return NULL;
}

/*
 * What was added since @old. A counter that went down belongs to a device that
 * was made anew under the old name: it counts from 0.
 */
static void subtract(struct counters *now, const struct counters *old)
{
	size_t i, j;

	for (i = 0; i < now->n; i++)
		for (j = 0; j < old->n; j++)
			if (!strcmp(now->v[i].name, old->v[j].name) &&
			    now->v[i].value >= old->v[j].value) {
				now->v[i].value -= old->v[j].value;
				break;
			}
}

static void print_line(struct rxecc *rx, const struct dev *dev, u64 since_ns)
{
	const struct counters *diff = &dev->counters;
	bool any = false;
	size_t i;

	fprintf(rx->out, "%llu.%06llu dev %s/%u",
		since_ns / NSEC, since_ns % NSEC / 1000, dev->name, dev->port);
	for (i = 0; i < diff->n; i++) {
		if (!diff->v[i].value)
			continue;
		fprintf(rx->out, " %s %llu", diff->v[i].name,
			diff->v[i].value);
		any = true;
	}
	fputs(any ? "\n" : " idle\n", rx->out);
}

static void report(struct rxecc *rx, const struct found *now,
		   const struct found *old, u64 since_ns, u64 dt_ns)
{
	struct json_object *list = rx->json ? json_object_new_array() : NULL;
	const struct dev *dev = now->v, *end = dev + now->n, *before;
	struct dev diff;
	size_t size;

	for (; dev < end; dev++) {
		before = find_dev(old, dev);
		size = (dev->counters.n + 1) * sizeof(*diff.counters.v);
		diff = *dev;
		diff.counters.v = calloc(1, size);
		if (!diff.counters.v)
			errx(RX_KERNEL, "out of memory");
		if (dev->counters.n)
			memcpy(diff.counters.v, dev->counters.v, size - sizeof(*diff.counters.v));
		if (before)
			subtract(&diff.counters, &before->counters);
		if (rx->json)
			add_counters(list, &diff);
		else
			print_line(rx, &diff, since_ns);
		free(diff.counters.v);
	}
	if (rx->json) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "time_ns", json_u64(since_ns));
		json_object_object_add(o, "interval_ns", json_u64(dt_ns));
		json_object_object_add(o, "devs", list);
		json_print(rx, o, true);
	}
	fflush(rx->out);
}

static int show_differences(struct rxecc *rx, const struct devref *ref,
			    u64 interval_ns, u64 count)
{
	u64 start = now_ns(CLOCK_MONOTONIC), last = start, next = start;
	struct found old, devs;
	int ret;

	ret = fetch_devs(rx, ref, &old);
	while (!ret) {
		u64 now;

		next += interval_ns;
		sleep_until(next);
		now = now_ns(CLOCK_MONOTONIC);
		ret = fetch_devs(rx, ref, &devs);
		if (ret)
			break;
		report(rx, &devs, &old, now - start, now - last);
		last = now;
		found_free(&old);
		old = devs;
		if (count && !--count)
			break;
	}
	found_free(&old);
	return ret;
}

int cmd_stats(struct rxecc *rx, int argc, char **argv)
{
	u64 interval = 0, count = 0;
	struct devref ref;
	bool has_ref = false;
	char why[160];
	int i;

	for (i = 0; i < argc; i++) {
		bool opt_i = !strcmp(argv[i], "-i");

		if (!strcmp(argv[i], "help") || !strcmp(argv[i], "-h")) {
			fputs(help_text, rx->out);
			return RX_OK;
		}
		if (opt_i || !strcmp(argv[i], "-c")) {
			u64 *val = opt_i ? &interval : &count;

			if (i + 1 == argc)
				return rx_usage(rx, "stats: %s needs a value",
						argv[i]);
			if (!param_parse(opt_i ? PARAM_NS : PARAM_COUNT, argv[i + 1],
					 val, why, sizeof(why)))
				return rx_usage(rx, "stats: %s %s: %s", argv[i],
						argv[i + 1], why);
			if (!*val)
				return rx_usage(rx, "stats: %s %s: must not be 0",
						argv[i], argv[i + 1]);
			i++;
		} else if (argv[i][0] == '-' || has_ref) {
			return rx_usage(rx, "stats: unexpected argument %s, see rxecc stats help",
					argv[i]);
		} else {
			if (!strcmp(argv[i], "show"))
				continue;
			if (devref_parse(rx, argv[i], &ref))
				return RX_USAGE;
			has_ref = true;
		}
	}
	if (count && !interval)
		return rx_usage(rx, "stats: -c needs -i");
	if (interval)
		return show_differences(rx, has_ref ? &ref : NULL, interval,
					count);
	return show_totals(rx, has_ref ? &ref : NULL);
}
