// SPDX-License-Identifier: GPL-2.0
/*
 * Patched rxe without CC against stock rxe: pairs of runs in one boot of the
 * lab kernel in real time, in random order within each pair, so that whatever
 * the machine does besides hits both alike. Ratios are taken pair by pair.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "bench.h"

#define MB 1048576ULL

#define BENCH_HOSTS "\"src\": \"rxe_a\", \"dst\": \"rxe_b\""
#define BENCH_WRITE(mtu, bytes) \
	"{ \"op\": \"write\", \"mtu\": " mtu ",\n" \
	"  \"chunk_bytes\": 1048576, \"depth\": 8,\n" \
	"  \"flows\": [ { " BENCH_HOSTS ", \"bytes\": " bytes " } ] }\n"

const struct bench_plan bench_plans[BENCH_PLANS] = {
	{ "write_1mb_mtu4096", BENCH_GOODPUT, 256 * MB / 4096, 256 * MB,
	  BENCH_WRITE("4096", "268435456") },
	{ "write_1mb_mtu1024", BENCH_GOODPUT, 96 * MB / 1024, 96 * MB,
	  BENCH_WRITE("1024", "100663296") },
	{ "send_64b_pingpong", BENCH_RTT, 3000, 0,
	  "{ \"latency\": [ { " BENCH_HOSTS ", \"bytes\": 64,\n"
	  "  \"iterations\": 3000, \"warmup\": 100 } ] }\n" },
};

/* One line of the outcome. */
struct line {
	const char *plan, *what, *unit;
	double stock, patched, goal;
	bool higher_is_better;
	struct bench_ratio ratio;
};

static const char *verdict(const struct line *l)
{
	return bench_verdict(&l->ratio, l->goal, l->higher_is_better);
}

/* The modules @names of directory @from into @dir/@name/. */
static int copy_modules(const char *dir, const char *name, const char *from,
			const char *const *names)
{
	char path[700], to[128];
	int ret = 0;

	if (bench_mkdir(dir, name))
		return -1;
	for (; *names; names++) {
		snprintf(path, sizeof(path), "%s/%s", from, *names);
		snprintf(to, sizeof(to), "%s/%s", name, *names);
		ret |= bench_copy(dir, to, path);
	}
	return ret;
}

static int prepare(const struct bench_options *o, const char *dir,
		   struct bench_pair *pairs)
{
	static const char *const stock[] = { "rdma_rxe.ko", NULL };
	static const char *const patched[] = {
		"rxe_cc.ko", "rdma_rxe.ko", NULL
	};
	char *order = calloc(o->rounds, 2 * sizeof("patched"));
	char plans[256] = "", name[64];
	uint64_t state = o->seed;
	unsigned long i;
	int ret = 0;

	if (!order)
		return -1;
	for (i = 0; i < o->rounds; i++) {
		pairs[i].patched_first = bench_random(&state) >> 63;
		strcat(order, pairs[i].patched_first ? "patched\nstock\n" :
						       "stock\npatched\n");
	}
	for (i = 0; i < BENCH_PLANS; i++) {
		snprintf(name, sizeof(name), "%s.json", bench_plans[i].name);
		ret |= bench_write_file(dir, name, bench_plans[i].json);
		strcat(plans, bench_plans[i].name);
		strcat(plans, "\n");
	}
	ret |= bench_write_file(dir, "plans", plans);
	ret |= bench_write_file(dir, "order", order);
	ret |= copy_modules(dir, "stock", o->file[BENCH_STOCK_DIR], stock);
	ret |= copy_modules(dir, "patched", o->file[BENCH_PATCHED_DIR],
			    patched);
	ret |= bench_copy(dir, "flowgen", o->file[BENCH_FLOWGEN]);
	free(order);
	return ret;
}

static double value_of(const struct bench_pair *p, int plan, int variant,
		       bool cpu)
{
	const struct bench_sample *s = &p->s[plan][variant];

	return cpu ? s->cpu_ns / bench_plans[plan].units : s->value;
}

static void compare(const struct bench_pair *pairs, size_t nr, int plan,
		    bool cpu, struct line *l)
{
	double *v[BENCH_VARIANTS + 1];
	size_t i;
	int k;

	for (k = 0; k <= BENCH_VARIANTS; k++) {
		v[k] = calloc(nr, sizeof(**v));
		if (!v[k])
			abort();
	}
	for (i = 0; i < nr; i++) {
		for (k = 0; k < BENCH_VARIANTS; k++)
			v[k][i] = value_of(&pairs[i], plan, k, cpu);
		v[BENCH_VARIANTS][i] = v[BENCH_PATCHED][i] / v[BENCH_STOCK][i];
	}
	l->plan = bench_plans[plan].name;
	l->stock = bench_median(v[BENCH_STOCK], nr);
	l->patched = bench_median(v[BENCH_PATCHED], nr);
	l->ratio = bench_ratio_of(v[BENCH_VARIANTS], nr);
	for (k = 0; k <= BENCH_VARIANTS; k++)
		free(v[k]);
	l->higher_is_better = !cpu && bench_plans[plan].kind == BENCH_GOODPUT;
	l->goal = l->higher_is_better ? 0.99 : 1.01;
	if (cpu) {
		l->what = bench_plans[plan].kind == BENCH_RTT ?
			  "CPU per round trip" : "CPU per data packet";
		l->unit = "ns";
	} else if (l->higher_is_better) {
		l->what = "goodput";
		l->unit = "bit/s";
	} else {
		l->what = "round trip, median";
		l->unit = "ns";
	}
}

static void print_table(const struct line *l, size_t n, unsigned long pairs)
{
	size_t i;

	printf("Patched rxe without CC over stock rxe, real time, %lu pairs\n",
	       pairs);
	printf("%-18s %-20s %14s %14s %8s %17s %7s  %s\n", "traffic", "figure",
	       "stock", "patched", "ratio", "interval", "goal", "verdict");
	for (i = 0; i < n; i++) {
		bool rate = l[i].higher_is_better;
		double div = rate ? 1e9 : 1e3;
		const char *unit = rate ? "Gbit/s" : "us";

		printf("%-18s %-20s %7.3f %-6s %7.3f %-6s %8.4f   %7.4f-%.4f %s %.2f  %s\n",
		       l[i].plan, l[i].what, l[i].stock / div, unit,
		       l[i].patched / div, unit, l[i].ratio.median,
		       l[i].ratio.low, l[i].ratio.high, rate ? ">=" : "<=",
		       l[i].goal, verdict(&l[i]));
	}
	printf("Ratios are medians over the pairs,\n"
	       "intervals hold the true median with %.1f %% confidence.\n"
	       "CPU time is that of the lab kernel;\n"
	       "goodput leaves out time in which the host ran something else.\n",
	       100 * l[0].ratio.confidence);
}

static struct json_object *to_json(const struct line *l, size_t n,
				   const struct bench_options *o)
{
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	size_t i;

	json_object_object_add(top, "pairs", json_object_new_int64(o->rounds));
	json_object_object_add(top, "seed", json_object_new_int64(o->seed));
	for (i = 0; i < n; i++) {
		struct json_object *e = json_object_new_object();

		json_object_object_add(e, "traffic",
				       json_object_new_string(l[i].plan));
		json_object_object_add(e, "figure",
				       json_object_new_string(l[i].what));
		json_object_object_add(e, "unit",
				       json_object_new_string(l[i].unit));
		bench_json_num(e, "stock", l[i].stock);
		bench_json_num(e, "patched", l[i].patched);
		bench_json_ratio(e, "ratio", &l[i].ratio);
		bench_json_num(e, "goal", l[i].goal);
		json_object_object_add(e, "verdict",
				       json_object_new_string(verdict(&l[i])));
		json_object_array_add(list, e);
	}
	json_object_object_add(top, "figures", list);
	return top;
}

static int report(const struct bench_options *o, const char *dir,
		  const struct bench_pair *pairs)
{
	struct line lines[2 * BENCH_PLANS];
	int i, n = 0, ret = 0;

	for (i = 0; i < BENCH_PLANS; i++) {
		compare(pairs, o->rounds, i, false, &lines[n++]);
		compare(pairs, o->rounds, i, true, &lines[n++]);
	}
	for (i = 0; i < n; i++)
		ret |= !strcmp(verdict(&lines[i]), "missed");
	ret |= bench_json_out(to_json(lines, n, o), dir, "bench.json",
			      o->json) != 0;
	if (!o->json)
		print_table(lines, n, o->rounds);
	return ret;
}

/**
 * bench_rxe() - patched against stock rxe
 * @o: command line
 * @cfg: the lab kernel
 *
 * Return: exit code.
 */
int bench_rxe(const struct bench_options *o, struct bench_config *cfg)
{
	struct bench_pair *pairs = calloc(o->rounds, sizeof(*pairs));
	int ret = 1;

	if (pairs && !prepare(o, cfg->dir, pairs) &&
	    !bench_run(cfg, pairs, o->rounds))
		ret = report(o, cfg->dir, pairs);
	free(pairs);
	return ret;
}
