// SPDX-License-Identifier: GPL-2.0
/*
 * Patched rxe without CC against stock rxe: pairs of runs in one boot of the
 * lab kernel in real time, in random order within each pair, so that whatever
 * the machine does besides hits both alike. Ratios are taken pair by pair.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
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

static const char usage[] =
"Usage: bench --linux FILE --stock DIR --patched DIR --flowgen FILE\n"
"             --guest FILE --out DIR [--pairs N] [--seed N] [--timeout S] [-j]\n"
"\n"
"Compares patched rxe without CC with stock rxe in the lab kernel, real time.\n"
"\n"
"  --linux FILE    the lab kernel\n"
"  --stock DIR     holds the stock rdma_rxe.ko\n"
"  --patched DIR   holds rxe_cc.ko and the patched rdma_rxe.ko\n"
"  --flowgen FILE  the traffic generator\n"
"  --guest FILE    guest.sh\n"
"  --out DIR       made; gets bench.json, console.log and flowgen's results\n"
"  --pairs N       6..1000 (default 20)\n"
"  --seed N        of the order within the pairs (default 1)\n"
"  --timeout S     for everything (default 60 + 15 a pair)\n"
"  -j, --json      print JSON instead of the table\n"
"\n"
"Exit code: 0 goals met or not decided, 1 a goal is missed by the whole\n"
"confidence interval or the run failed, 2 bad command line.\n";

struct options {
	const char *linux_bin, *stock, *patched, *flowgen, *guest, *out;
	unsigned long pairs, seed, timeout;
	bool json;
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
	bool up = l->higher_is_better;

	if (up ? l->ratio.low >= l->goal : l->ratio.high <= l->goal)
		return "met";
	if (up ? l->ratio.high < l->goal : l->ratio.low > l->goal)
		return "missed";
	return up == (l->ratio.median >= l->goal) ? "met, not certain" :
						    "not met, not certain";
}

static int write_file(const char *dir, const char *name, const char *text)
{
	char path[700];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	if (f && fputs(text, f) >= 0 && !fclose(f))
		return 0;
	fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
	return -1;
}

/* A copy, so that a build meanwhile does not change what is compared. */
static int copy_to(const char *dir, const char *name, const char *from)
{
	char path[700], buf[65536];
	FILE *in = fopen(from, "re"), *out = NULL;
	int ret = -1;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
	if (in)
		out = fopen(path, "we");
	if (out) {
		while ((n = fread(buf, 1, sizeof(buf), in)) > 0)
			fwrite(buf, 1, n, out);
		ret = ferror(in) || ferror(out) ? -1 : 0;
		ret |= fclose(out) | chmod(path, 0755);
	}
	if (ret)
		fprintf(stderr, "bench: %s: %s\n", in ? path : from,
			strerror(errno));
	if (in)
		fclose(in);
	return ret;
}

/* The modules @names of directory @from into @dir/@name/. */
static int copy_modules(const char *dir, const char *name, const char *from,
			const char *const *names)
{
	char path[700], to[128];
	int ret = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (mkdir(path, 0777) && errno != EEXIST) {
		fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
		return -1;
	}
	for (; *names; names++) {
		snprintf(path, sizeof(path), "%s/%s", from, *names);
		snprintf(to, sizeof(to), "%s/%s", name, *names);
		ret |= copy_to(dir, to, path);
	}
	return ret;
}

/* A fair coin from the seed: splitmix64, the same on every machine. */
static bool coin(unsigned long long *state)
{
	unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (z ^ z >> 31) >> 63;
}

static int prepare(const struct options *o, struct bench_pair *pairs)
{
	static const char *const stock[] = { "rdma_rxe.ko", NULL };
	static const char *const patched[] = {
		"rxe_cc.ko", "rdma_rxe.ko", NULL
	};
	char *order = calloc(o->pairs, 2 * sizeof("patched"));
	char plans[256] = "", name[64];
	unsigned long long state = o->seed;
	unsigned long i;
	int ret = 0;

	if (!order)
		return -1;
	for (i = 0; i < o->pairs; i++) {
		pairs[i].patched_first = coin(&state);
		strcat(order, pairs[i].patched_first ? "patched\nstock\n" :
						       "stock\npatched\n");
	}
	for (i = 0; i < BENCH_PLANS; i++) {
		snprintf(name, sizeof(name), "%s.json", bench_plans[i].name);
		ret |= write_file(o->out, name, bench_plans[i].json);
		strcat(plans, bench_plans[i].name);
		strcat(plans, "\n");
	}
	ret |= write_file(o->out, "plans", plans);
	ret |= write_file(o->out, "order", order);
	ret |= copy_modules(o->out, "stock", o->stock, stock);
	ret |= copy_modules(o->out, "patched", o->patched, patched);
	ret |= copy_to(o->out, "flowgen", o->flowgen);
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

static void add_num(struct json_object *o, const char *key, double v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.9g", v);
	json_object_object_add(o, key, json_object_new_double_s(v, buf));
}

static struct json_object *to_json(const struct line *l, size_t n,
				   const struct options *o)
{
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	size_t i;

	json_object_object_add(top, "pairs", json_object_new_int64(o->pairs));
	json_object_object_add(top, "seed", json_object_new_int64(o->seed));
	for (i = 0; i < n; i++) {
		struct json_object *e = json_object_new_object();
		struct json_object *r = json_object_new_object();

		json_object_object_add(e, "traffic",
				       json_object_new_string(l[i].plan));
		json_object_object_add(e, "figure",
				       json_object_new_string(l[i].what));
		json_object_object_add(e, "unit",
				       json_object_new_string(l[i].unit));
		add_num(e, "stock", l[i].stock);
		add_num(e, "patched", l[i].patched);
		add_num(r, "median", l[i].ratio.median);
		add_num(r, "low", l[i].ratio.low);
		add_num(r, "high", l[i].ratio.high);
		add_num(r, "confidence", l[i].ratio.confidence);
		json_object_object_add(e, "ratio", r);
		add_num(e, "goal", l[i].goal);
		json_object_object_add(e, "verdict",
				       json_object_new_string(verdict(&l[i])));
		json_object_array_add(list, e);
	}
	json_object_object_add(top, "figures", list);
	return top;
}

static int report(const struct options *o, const struct bench_pair *pairs)
{
	struct line lines[2 * BENCH_PLANS];
	struct json_object *json;
	int i, n = 0, ret = 0;
	const char *text;

	for (i = 0; i < BENCH_PLANS; i++) {
		compare(pairs, o->pairs, i, false, &lines[n++]);
		compare(pairs, o->pairs, i, true, &lines[n++]);
	}
	for (i = 0; i < n; i++)
		ret |= !strcmp(verdict(&lines[i]), "missed");
	json = to_json(lines, n, o);
	text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PRETTY |
					      JSON_C_TO_STRING_SPACED |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
	ret |= write_file(o->out, "bench.json", text) != 0;
	if (o->json)
		puts(text);
	else
		print_table(lines, n, o->pairs);
	json_object_put(json);
	return ret;
}

static int parse_number(const char *opt, const char *s, unsigned long min,
			unsigned long max, unsigned long *v)
{
	char *end;

	errno = 0;
	*v = strtoul(s, &end, 10);
	if (*s >= '0' && *s <= '9' && !*end && !errno && *v >= min && *v <= max)
		return 0;
	fprintf(stderr, "bench: --%s: '%s' is not a number from %lu to %lu\n",
		opt, s, min, max);
	return -1;
}

static int parse(int argc, char **argv, struct options *o)
{
	const char **files[] = { &o->linux_bin, &o->stock, &o->patched,
				 &o->flowgen, &o->guest, &o->out };
	static const struct option opts[] = {
		{ "linux", required_argument, NULL, 0 },
		{ "stock", required_argument, NULL, 1 },
		{ "patched", required_argument, NULL, 2 },
		{ "flowgen", required_argument, NULL, 3 },
		{ "guest", required_argument, NULL, 4 },
		{ "out", required_argument, NULL, 5 },
		{ "pairs", required_argument, NULL, 'p' },
		{ "seed", required_argument, NULL, 's' },
		{ "timeout", required_argument, NULL, 't' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c, i;

	while ((c = getopt_long(argc, argv, "jh", opts, NULL)) != -1) {
		if (c <= 5)
			*files[c] = optarg;
		else if (c == 'h')
			fputs(usage, stdout);
		else if (c == 'j')
			o->json = true;
		else if (c == 'p' && parse_number("pairs", optarg,
						  6, 1000, &o->pairs))
			return 2;
		else if (c == 's' && parse_number("seed", optarg,
						  0, ~0UL, &o->seed))
			return 2;
		else if (c == 't' && parse_number("timeout", optarg,
						  1, 86400, &o->timeout))
			return 2;
		if (c == 'h' || c == '?')
			return c == 'h' ? 0 : 2;
	}
	for (i = 0; i < 6; i++) {
		if (*files[i])
			continue;
		fprintf(stderr, "bench: --%s is missing, see --help\n",
			opts[i].name);
		return 2;
	}
	if (optind < argc) {
		fprintf(stderr, "bench: '%s': unexpected\n", argv[optind]);
		return 2;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct options o = { .pairs = 20, .seed = 1 };
	struct bench_config cfg = { 0 };
	struct bench_pair *pairs;
	int ret = parse(argc, argv, &o);

	if (ret >= 0)
		return ret;
	if (mkdir(o.out, 0777) && errno != EEXIST) {
		fprintf(stderr, "bench: %s: %s\n", o.out, strerror(errno));
		return 1;
	}
	pairs = calloc(o.pairs, sizeof(*pairs));
	cfg.linux_bin = o.linux_bin;
	cfg.guest = realpath(o.guest, NULL);
	cfg.dir = realpath(o.out, NULL);
	cfg.timeout_s = o.timeout ? o.timeout : 60 + 15 * o.pairs;
	cfg.progress = isatty(2);
	if (!cfg.guest)
		fprintf(stderr, "bench: %s: %s\n", o.guest, strerror(errno));
	ret = 1;
	if (pairs && cfg.guest && cfg.dir && !prepare(&o, pairs) &&
	    !bench_run(&cfg, pairs, o.pairs))
		ret = report(&o, pairs);
	free((char *)cfg.guest);
	free((char *)cfg.dir);
	free(pairs);
	return ret;
}
