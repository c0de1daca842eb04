// SPDX-License-Identifier: GPL-2.0
/* The command "rxecc stats": prints counters. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "intervals.h"
#include "print_objects.h"

static const char help_text[] =
"Usage: rxecc stats [DEV] [-i TIME] [-c COUNT]\n"
"       rxecc stats [DEV] --openmetrics\n"
"Counters of all devices, or of DEV. They only grow. With -i: every TIME (1s,\n"
"100ms) what was added, without the counters that stood still; -c ends after\n"
"COUNT reports. With -j one line per report, with all counters. --openmetrics:\n"
"all counters in the text format of OpenMetrics, for a file that Prometheus'\n"
"node exporter collects.\n";

/* What counters count, by name. */
static const struct {
	const char *name;
	const char *help;
} counter_helps[] = {
#define COUNTER(constant, name, table, help) { name, help },
#include "../../drivers/infiniband/sw/rxe_cc/core/cc_counter_rows.h"
#undef COUNTER
};

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

static void subtract(struct counters *now, const struct counters *old)
{
	size_t i;

	for (i = 0; i < now->n; i++)
		now->v[i].value = counter_added(&now->v[i], old);
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
		before = dev_find(old, dev);
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

static const char *counter_help(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counter_helps); i++)
		if (!strcmp(counter_helps[i].name, name))
			return counter_helps[i].help;
	return "a counter that this rxecc does not know";
}

/* A label's value; root may give a device any name. */
static void put_label(FILE *out, const char *label, const char *value)
{
	fprintf(out, "%s=\"", label);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else
			fprintf(out, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
	}
	fputc('"', out);
}

/* A line up to its value, but for more labels and the closing brace. */
static void put_metric(FILE *out, const char *name, const struct dev *dev)
{
	fprintf(out, "rxecc_%s{", name);
	put_label(out, "device", dev->name);
	fprintf(out, ",port=\"%u\"", dev->port);
}

/* A family is a counter of all devices, and its lines must not be apart. */
static void put_family(FILE *out, const struct found *devs, const char *name)
{
	const struct dev *dev = devs->v, *end = dev + devs->n;
	char total[64];

	fprintf(out, "# TYPE rxecc_%s counter\n# HELP rxecc_%s %s\n", name, name,
		counter_help(name));
	for (; dev < end; dev++) {
		const struct counter *c = counter_find(&dev->counters, name);

		if (!c)
			continue;
		snprintf(total, sizeof(total), "%s_total", name);
		put_metric(out, total, dev);
		fprintf(out, "} %llu\n", c->value);
	}
}

static int show_openmetrics(struct rxecc *rx, const struct devref *ref)
{
	const struct dev *dev, *end;
	struct found devs;
	int ret = fetch_devs(rx, ref, &devs);
	size_t i;

	if (ret)
		return ret;
	end = (struct dev *)devs.v + devs.n;
	/* The type "info" would fit, but the node exporter does not know it. */
	fputs("# TYPE rxecc_device_info gauge\n"
	      "# HELP rxecc_device_info Congestion control of a device.\n", rx->out);
	for (dev = devs.v; dev < end; dev++) {
		put_metric(rx->out, "device_info", dev);
		fputc(',', rx->out);
		put_label(rx->out, "algorithm", dev->algo ? dev->algo : "");
		fputs("} 1\n", rx->out);
	}
	fputs("# TYPE rxecc_queue_pairs gauge\n# HELP rxecc_queue_pairs Queue pairs.\n", rx->out);
	for (dev = devs.v; dev < end; dev++) {
		put_metric(rx->out, "queue_pairs", dev);
		fprintf(rx->out, "} %u\n", dev->qps);
	}
	/* All devices have the same counters: those of the kernel's table. */
	dev = devs.v;
	for (i = 0; devs.n && i < dev->counters.n; i++)
		put_family(rx->out, &devs, dev->counters.v[i].name);
	fputs("# EOF\n", rx->out);
	found_free(&devs);
	return RX_OK;
}

static int show_differences(struct rxecc *rx, const struct devref *ref,
			    const struct intervals *intervals)
{
	u64 start = intervals_now_ns(), last = start, next = start, n = 0;
	struct found old, devs;
	int ret;

	ret = fetch_devs(rx, ref, &old);
	while (!ret) {
		u64 now;

		next += intervals->ns;
		intervals_sleep_until(next);
		now = intervals_now_ns();
		ret = fetch_devs(rx, ref, &devs);
		if (ret)
			break;
		report(rx, &devs, &old, now - start, now - last);
		last = now;
		found_free(&old);
		old = devs;
		if (intervals->count && ++n == intervals->count)
			break;
	}
	found_free(&old);
	return ret;
}

int cmd_stats(struct rxecc *rx, int argc, char **argv)
{
	struct intervals intervals = { 0 };
	bool has_ref = false, openmetrics = false;
	struct devref ref;
	int i, used;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "help") || !strcmp(argv[i], "-h")) {
			fputs(help_text, rx->out);
			return RX_OK;
		}
		used = intervals_option(rx, "stats", argc - i, argv + i, &intervals);
		if (used < 0)
			return RX_USAGE;
		if (used) {
			i++;
		} else if (!strcmp(argv[i], "--openmetrics")) {
			openmetrics = true;
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
	if (intervals.count && !intervals.ns)
		return rx_usage(rx, "stats: -c needs -i");
	if (openmetrics && (rx->json || intervals.ns))
		return rx_usage(rx, "stats: --openmetrics goes with neither -j nor -i");
	if (openmetrics)
		return show_openmetrics(rx, has_ref ? &ref : NULL);
	if (intervals.ns)
		return show_differences(rx, has_ref ? &ref : NULL, &intervals);
	return show_totals(rx, has_ref ? &ref : NULL);
}
