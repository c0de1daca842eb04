// SPDX-License-Identifier: GPL-2.0
/* rxecc stats */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "show.h"

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

static struct json_object *dev_counters_json(const struct dev *dev,
					     const struct counters *cs)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "dev", json_object_new_string(dev->name));
	json_object_object_add(o, "port", json_u64(dev->port));
	json_object_object_add(o, "counters", json_counters(cs));
	return o;
}

static int show_totals(struct rxecc *rx, const struct devref *ref)
{
	struct json_object *list;
	struct devs devs;
	size_t i;
	int ret = fetch_devs(rx, ref, &devs);

	if (ret)
		return ret;
	list = rx->json ? json_object_new_array() : NULL;
	for (i = 0; i < devs.n; i++) {
		const struct dev *dev = &devs.v[i];

		if (rx->json) {
			json_object_array_add(list,
					      dev_counters_json(dev, &dev->counters));
			continue;
		}
		fprintf(rx->out, "dev %s/%u\n", dev->name, dev->port);
		show_counters(rx, &dev->counters, NULL, false, rx->out, 4);
	}
	if (rx->json)
		json_print(rx, list, false);
	devs_free(&devs);
	return RX_OK;
}

static const struct dev *find_dev(const struct devs *devs,
				  const struct dev *like)
{
	size_t i;

	for (i = 0; i < devs->n; i++)
		if (!strcmp(devs->v[i].name, like->name) &&
		    devs->v[i].port == like->port)
			return &devs->v[i];
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

static void print_line(struct rxecc *rx, const struct dev *dev,
		       const struct counters *diff, u64 since_ns)
{
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

static int report(struct rxecc *rx, const struct devs *now,
		  const struct devs *old, u64 since_ns, u64 dt_ns)
{
	struct json_object *list = rx->json ? json_object_new_array() : NULL;
	size_t i;

	for (i = 0; i < now->n; i++) {
		const struct dev *dev = &now->v[i];
		const struct dev *before = find_dev(old, dev);
		struct counters diff = { .n = dev->counters.n };

		diff.v = calloc(diff.n + 1, sizeof(*diff.v));
		if (!diff.v)
			return rx_bad_message(rx, "stats", "(out of memory)");
		if (diff.n)
			memcpy(diff.v, dev->counters.v,
			       diff.n * sizeof(*diff.v));
		if (before)
			subtract(&diff, &before->counters);
		if (rx->json)
			json_object_array_add(list, dev_counters_json(dev, &diff));
		else
			print_line(rx, dev, &diff, since_ns);
		free(diff.v);
	}
	if (rx->json) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "time_ns", json_u64(since_ns));
		json_object_object_add(o, "interval_ns", json_u64(dt_ns));
		json_object_object_add(o, "devs", list);
		json_print(rx, o, true);
	}
	fflush(rx->out);
	return RX_OK;
}

static int show_differences(struct rxecc *rx, const struct devref *ref,
			    u64 interval_ns, u64 count)
{
	u64 start = now_ns(CLOCK_MONOTONIC), last = start, next = start;
	struct devs old, devs;
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
		ret = report(rx, &devs, &old, now - start, now - last);
		last = now;
		devs_free(&old);
		old = devs;
		if (count && !--count)
			break;
	}
	devs_free(&old);
	return ret;
}

static int stats_help(struct rxecc *rx)
{
	fputs(help_text, rx->out);
	return RX_OK;
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

		if (!strcmp(argv[i], "help") || !strcmp(argv[i], "-h"))
			return stats_help(rx);
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
