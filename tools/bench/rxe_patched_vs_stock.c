// SPDX-License-Identifier: GPL-2.0
/*
 * Patched rxe without CC against stock rxe: pairs of runs in one boot of the
 * lab kernel in real time, in random order within each pair, so that whatever
 * the machine does besides hits both alike. Ratios are taken pair by pair.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/mem.h"
#include "bench.h"

/*
 * Not measured, where guest_rxe.sh finds it: all memory that the packets of the other
 * plans need at once is taken from the page allocator here.
 */
static const struct bench_plan warmup = {
	"warmup", BENCH_GOODPUT, 2048, 4096
};

/* What flowgen reads. */
static int write_plan(const struct bench *b, const struct bench_plan *plan,
		      unsigned long long units)
{
	char name[64], json[512];

	snprintf(name, sizeof(name), "%s.json", plan->name);
	if (plan->kind == BENCH_RTT)
		snprintf(json, sizeof(json),
			 "{ \"latency\": [ { \"src\": \"rxe_a\", \"dst\": \"rxe_b\", \"bytes\": 64,\n"
			 "  \"iterations\": %llu, \"warmup\": 100 } ] }\n", units);
	else
		snprintf(json, sizeof(json),
			 "{ \"op\": \"write\", \"mtu\": %llu,\n"
			 "  \"chunk_bytes\": 1048576, \"depth\": 8,\n"
			 "  \"flows\": [ { \"src\": \"rxe_a\", \"dst\": \"rxe_b\", \"bytes\": %llu } ] }\n",
			 (unsigned long long)plan->mtu, units * plan->mtu);
	return bench_write_file(b->dir, name, json);
}

/* One line of the outcome. */
struct line {
	const char *plan, *what, *unit;
	double stock, patched, goal;
	double spread;	/* of one build: highest less lowest, over the median */
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

static int prepare(const struct bench *b, struct bench_pair *pairs)
{
	static const char *const stock[] = { "rdma_rxe.ko", NULL };
	static const char *const patched[] = {
		"rxe_cc.ko", "rdma_rxe.ko", NULL
	};
	char *order = xcalloc(b->rounds, 2 * sizeof("patched"));
	uint64_t state = b->seed;
	char plans[256] = "";
	unsigned long i;
	int ret = 0;

	for (i = 0; i < b->rounds; i++) {
		pairs[i].patched_first = bench_random(&state) >> 63;
		strcat(order, pairs[i].patched_first ? "patched\nstock\n" :
						       "stock\npatched\n");
	}
	for (i = 0; i < BENCH_PLANS; i++) {
		ret |= write_plan(b, &bench_plans[i], bench_plan_units(&bench_plans[i], b));
		strcat(plans, bench_plans[i].name);
		strcat(plans, "\n");
	}
	if (b->qemu)
		ret |= write_plan(b, &warmup, warmup.units);
	ret |= bench_write_file(b->dir, "plans", plans);
	ret |= bench_write_file(b->dir, "order", order);
	ret |= copy_modules(b->dir, "stock", b->stock, stock);
	ret |= copy_modules(b->dir, "patched", b->patched, patched);
	ret |= bench_copy(b->dir, "flowgen", b->flowgen);
	free(order);
	return ret;
}

static double value_of(const struct bench *b, const struct bench_pair *p, int plan, int variant,
		       bool cpu)
{
	const struct bench_sample *s = &p->s[plan][variant];

	return cpu ? s->cpu_ns / bench_plan_units(&bench_plans[plan], b) :
		     s->value;
}

static void compare(const struct bench *b, const struct bench_pair *pairs, int plan, bool cpu,
		    struct line *l)
{
	bool rtt = bench_plans[plan].kind == BENCH_RTT;
	double *v[BENCH_VARIANTS + 1];
	size_t nr = b->rounds, i;
	int k;

	for (k = 0; k <= BENCH_VARIANTS; k++)
		v[k] = xcalloc(nr, sizeof(**v));
	for (i = 0; i < nr; i++) {
		for (k = 0; k < BENCH_VARIANTS; k++)
			v[k][i] = value_of(b, &pairs[i], plan, k, cpu);
		v[BENCH_VARIANTS][i] = v[BENCH_PATCHED][i] / v[BENCH_STOCK][i];
	}
	l->plan = bench_plans[plan].name;
	l->stock = bench_median(v[BENCH_STOCK], nr);
	l->patched = bench_median(v[BENCH_PATCHED], nr);
	/* Sorted by now. */
	l->spread = fmax((v[BENCH_STOCK][nr - 1] - v[BENCH_STOCK][0]) / l->stock,
			 (v[BENCH_PATCHED][nr - 1] - v[BENCH_PATCHED][0]) /
			 l->patched);
	l->ratio = bench_ratio_of(v[BENCH_VARIANTS], nr);
	for (k = 0; k <= BENCH_VARIANTS; k++)
		free(v[k]);
	l->higher_is_better = !cpu && !rtt;
	l->goal = l->higher_is_better ? 0.99 : 1.01;
	if (cpu) {
		l->what = b->icount ? "instructions, packet" :
			  rtt ? "CPU per round trip" : "CPU per data packet";
		l->unit = b->icount ? "instructions" : "ns";
	} else if (l->higher_is_better) {
		l->what = "goodput";
		l->unit = "bit/s";
	} else {
		l->what = "round trip, median";
		l->unit = "ns";
	}
}

static void print_table(const struct line *l, size_t n, const struct bench *b)
{
	size_t i;

	printf("Patched rxe without CC over stock rxe, ");
	if (!b->qemu)
		printf("real time, %lu pairs\n", b->rounds);
	else
		printf("QEMU, %lu CPU%s, %s, %lu pairs\n", b->cpus, b->cpus == 1 ? "" : "s",
		       b->icount ? "1 ns an instruction" : "real time", b->rounds);
	printf("%-18s %-20s %14s %14s %7s %8s %17s %7s  %s\n", "traffic", "figure",
	       "stock", "patched", "spread", "ratio", "interval", "goal", "verdict");
	for (i = 0; i < n; i++) {
		bool rate = l[i].higher_is_better;
		double div = rate ? 1e9 : 1e3;
		const char *unit = rate ? "Gbit/s" :
				   *l[i].unit == 'i' ? "k" : "us";

		printf("%-18s %-20s %7.3f %-6s %7.3f %-6s %6.2f%% %8.4f   %7.4f-%.4f %s %.2f  %s\n",
		       l[i].plan, l[i].what, l[i].stock / div, unit,
		       l[i].patched / div, unit, 100 * l[i].spread, l[i].ratio.median,
		       l[i].ratio.low, l[i].ratio.high, rate ? ">=" : "<=",
		       l[i].goal, verdict(&l[i]));
	}
	printf("Spread: of the runs of one build, highest less lowest, the larger of both builds.\n"
	       "Ratios are medians over the pairs,\n"
	       "intervals hold the true median with %.1f %% confidence.\n",
	       100 * l[0].ratio.confidence);
	if (!b->qemu)
		printf("CPU time is that of the lab kernel;\n"
		       "goodput leaves out time in which the host ran something else.\n");
	else if (b->icount)
		printf("Instructions are those of the guest, its programs' among them.\n");
	else
		printf("CPU time is that of QEMU, the guest's programs in it.\n");
}

static struct json_object *to_json(const struct line *l, size_t n, const struct bench *b)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array(), *e;

	js_add_int(top, "pairs", b->rounds);
	js_add_int(top, "seed", b->seed);
	js_add_str(top, "backend", b->qemu ? "qemu" : "uml");
	if (b->qemu)
		js_add_int(top, "cpus", b->cpus);
	js_add_str(top, "time", b->icount ? "instructions" : "real");
	for (; n--; l++) {
		e = json_object_new_object();
		js_add_str(e, "traffic", l->plan);
		js_add_str(e, "figure", l->what);
		js_add_str(e, "unit", l->unit);
		bench_json_num(e, "stock", l->stock);
		bench_json_num(e, "patched", l->patched);
		bench_json_num(e, "spread", l->spread);
		bench_json_ratio(e, "ratio", &l->ratio);
		bench_json_num(e, "goal", l->goal);
		js_add_str(e, "verdict", verdict(l));
		json_object_array_add(list, e);
	}
	json_object_object_add(top, "figures", list);
	return top;
}

static int report(const struct bench *b, const struct bench_pair *pairs)
{
	struct line lines[2 * BENCH_PLANS];
	int i, n = 0, ret = 0;

	for (i = 0; i < BENCH_PLANS; i++) {
		compare(b, pairs, i, false, &lines[n++]);
		/* A round trip has nothing in it but instructions. */
		if (!b->icount || bench_plans[i].kind != BENCH_RTT)
			compare(b, pairs, i, true, &lines[n++]);
	}
	for (i = 0; i < n; i++)
		ret |= !strcmp(verdict(&lines[i]), "missed");
	ret |= bench_json_out(to_json(lines, n, b), b->dir, "bench.json", b->json) != 0;
	if (!b->json)
		print_table(lines, n, b);
	return ret;
}

/**
 * bench_rxe() - patched against stock rxe
 * @b: command line
 *
 * Return: exit code.
 */
int bench_rxe(struct bench *b)
{
	struct bench_pair *pairs = xcalloc(b->rounds, sizeof(*pairs));
	int ret = prepare(b, pairs) || bench_run(b, pairs) ? 1 : report(b, pairs);

	free(pairs);
	return ret;
}
