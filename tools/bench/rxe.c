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
#include <json-c/json.h>

#include "bench.h"

#define MB 1048576ULL

/* Software emulation is slow: it gets so much less of each plan. */
#define QEMU_SHARE 8

const struct bench_plan bench_plans[BENCH_PLANS] = {
	{ "write_1mb_mtu4096", BENCH_GOODPUT, 256 * MB / 4096, 4096 },
	{ "write_1mb_mtu1024", BENCH_GOODPUT, 96 * MB / 1024, 1024 },
	{ "send_64b_pingpong", BENCH_RTT, 3200, 0 },
};

/**
 * bench_plan_units() - how much of a plan is run
 * @plan: the plan
 * @cfg: where
 *
 * Return: data packets, or round trips.
 */
uint64_t bench_plan_units(const struct bench_plan *plan,
			  const struct bench_config *cfg)
{
	return plan->units / (cfg->qemu ? QEMU_SHARE : 1);
}

/*
 * Not measured, where guest.sh finds it: all memory that the packets of the other
 * plans need at once is taken from the page allocator here.
 */
static const struct bench_plan warmup = {
	"warmup", BENCH_GOODPUT, 8 * MB / 4096, 4096
};

/* What flowgen reads. */
static int write_plan(const struct bench_config *cfg,
		      const struct bench_plan *plan, unsigned long long units)
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
	return bench_write_file(cfg->dir, name, json);
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

static int prepare(const struct bench_options *o,
		   const struct bench_config *cfg,
		   struct bench_pair *pairs)
{
	static const char *const stock[] = { "rdma_rxe.ko", NULL };
	static const char *const patched[] = {
		"rxe_cc.ko", "rdma_rxe.ko", NULL
	};
	char *order = calloc(o->rounds, 2 * sizeof("patched"));
	const char *dir = cfg->dir;
	uint64_t state = o->seed;
	char plans[256] = "";
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
		ret |= write_plan(cfg, &bench_plans[i],
				  bench_plan_units(&bench_plans[i], cfg));
		strcat(plans, bench_plans[i].name);
		strcat(plans, "\n");
	}
	if (cfg->qemu)
		ret |= write_plan(cfg, &warmup, warmup.units);
	ret |= bench_write_file(dir, "plans", plans);
	ret |= bench_write_file(dir, "order", order);
	ret |= copy_modules(dir, "stock", o->file[BENCH_STOCK_DIR], stock);
	ret |= copy_modules(dir, "patched", o->file[BENCH_PATCHED_DIR],
			    patched);
	ret |= bench_copy(dir, "flowgen", o->file[BENCH_FLOWGEN]);
	free(order);
	return ret;
}

static double value_of(const struct bench_config *cfg,
		       const struct bench_pair *p, int plan, int variant,
		       bool cpu)
{
	const struct bench_sample *s = &p->s[plan][variant];

	return cpu ? s->cpu_ns / bench_plan_units(&bench_plans[plan], cfg) :
		     s->value;
}

static void compare(const struct bench_config *cfg,
		    const struct bench_pair *pairs, size_t nr, int plan,
		    bool cpu, struct line *l)
{
	bool rtt = bench_plans[plan].kind == BENCH_RTT;
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
			v[k][i] = value_of(cfg, &pairs[i], plan, k, cpu);
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
		l->what = cfg->icount ? "instructions, packet" :
			  rtt ? "CPU per round trip" : "CPU per data packet";
		l->unit = cfg->icount ? "instructions" : "ns";
	} else if (l->higher_is_better) {
		l->what = "goodput";
		l->unit = "bit/s";
	} else {
		l->what = "round trip, median";
		l->unit = "ns";
	}
}

static void print_table(const struct line *l, size_t n, unsigned long pairs,
			const struct bench_config *cfg)
{
	size_t i;

	printf("Patched rxe without CC over stock rxe, ");
	if (!cfg->qemu)
		printf("real time, %lu pairs\n", pairs);
	else
		printf("QEMU, %lu CPU%s, %s, %lu pairs\n", cfg->smp,
		       cfg->smp == 1 ? "" : "s",
		       cfg->icount ? "1 ns an instruction" : "real time", pairs);
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
	if (!cfg->qemu)
		printf("CPU time is that of the lab kernel;\n"
		       "goodput leaves out time in which the host ran something else.\n");
	else if (cfg->icount)
		printf("Instructions are those of the guest, its programs' among them.\n");
	else
		printf("CPU time is that of QEMU, the guest's programs in it.\n");
}

static struct json_object *to_json(const struct line *l, size_t n,
				   const struct bench_options *o)
{
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	size_t i;

	json_object_object_add(top, "pairs", json_object_new_int64(o->rounds));
	json_object_object_add(top, "seed", json_object_new_int64(o->seed));
	json_object_object_add(top, "backend",
			       json_object_new_string(o->qemu ? "qemu" : "uml"));
	if (o->qemu)
		json_object_object_add(top, "cpus", json_object_new_int64(o->smp));
	json_object_object_add(top, "time",
			       json_object_new_string(o->icount ? "instructions" : "real"));
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
		bench_json_num(e, "spread", l[i].spread);
		bench_json_ratio(e, "ratio", &l[i].ratio);
		bench_json_num(e, "goal", l[i].goal);
		json_object_object_add(e, "verdict",
				       json_object_new_string(verdict(&l[i])));
		json_object_array_add(list, e);
	}
	json_object_object_add(top, "figures", list);
	return top;
}

static int report(const struct bench_options *o,
		  const struct bench_config *cfg,
		  const struct bench_pair *pairs)
{
	struct line lines[2 * BENCH_PLANS];
	int i, n = 0, ret = 0;

	for (i = 0; i < BENCH_PLANS; i++) {
		compare(cfg, pairs, o->rounds, i, false, &lines[n++]);
		/* A round trip has nothing in it but instructions. */
		if (!cfg->icount || bench_plans[i].kind != BENCH_RTT)
			compare(cfg, pairs, o->rounds, i, true, &lines[n++]);
	}
	for (i = 0; i < n; i++)
		ret |= !strcmp(verdict(&lines[i]), "missed");
	ret |= bench_json_out(to_json(lines, n, o), cfg->dir, "bench.json",
			      o->json) != 0;
	if (!o->json)
		print_table(lines, n, o->rounds, cfg);
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

	if (pairs && !prepare(o, cfg, pairs) &&
	    !bench_run(cfg, pairs, o->rounds))
		ret = report(o, cfg, pairs);
	free(pairs);
	return ret;
}
