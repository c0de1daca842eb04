// SPDX-License-Identifier: GPL-2.0
/*
 * What a qdisc costs for each packet: rounds of all of them in one boot of the
 * lab kernel, in random order within each round. The cost is the CPU time with
 * the qdisc less that without one, of the same round; ratios are taken within
 * a round too.
 *
 * Virtual time: each timer then fires at its instant, one packet after the
 * other, as the lab runs them, and no timer of the host has a part in it. In
 * real time User-Mode Linux would serve several at once or none, as the
 * machine's speed has it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/mem.h"
#include "bench.h"

#define GOAL		1.0	/* roce, all off, over netem */
#define IN		"qdisc replace dev i0 root "
#define OUT		"qdisc replace dev d0 root "
#define LINE		"rate 100gbit delay 1us "
#define SWITCH		"roce " LINE "switch 1 buffer 32mb "
/* The queue of the bursts, up to 282 KB, is in the lower part of the ramp. */
#define ECN		"prio 3 ecn dequeue kmin 100kb kmax 400kb pmax 0.2 "

/**
 * struct variant - a qdisc and its packets
 * @name: in the table
 * @help: what it is
 * @module: "new", "old" or "-"
 * @packets: "plain", "int" or "owned"
 * @tc: batch for tc; both devices have a pfifo before
 */
struct variant {
	const char *name, *help, *module, *packets, *tc;
};

/* The first is what all others are compared with; then what ratios are to. */
enum { NOQUEUE, PFIFO, NETEM, OFF, OLD = 10 };

static const struct variant variants[] = {
	[NOQUEUE] = { "noqueue", "no qdisc: packets made, handed over, freed",
		"-", "plain", OUT "noqueue\n" },
	[PFIFO] = { "pfifo", "the kernel's plain queue, never waited in",
		"-", "plain", OUT "pfifo limit 10000\n" },
	[NETEM] = { "netem", "netem rate 100gbit delay 1us",
		"-", "plain", OUT "netem limit 10000 " LINE "\n" },
	[OFF] = { "roce", "roce with the same, all else off",
		"new", "plain", OUT "roce " LINE "int off\n" },
	{ "roce owned", "and senders hear when a packet has left: a timer more",
	  "new", "owned", OUT "roce " LINE "int off\n" },
	{ "roce ecn", "and ECN",
	  "new", "plain", OUT "roce " LINE "int off " ECN "\n" },
	{ "roce ecn pfc", "a switch port: ECN, shared buffer, lossless",
	  "new", "plain", IN SWITCH "int off prio 3 lossless on\n"
	  OUT SWITCH "int off " ECN "lossless on\n" },
	{ "roce pausing", "the same, each burst pauses its ingress port",
	  "new", "plain", IN SWITCH
	  "int off prio 3 lossless on alpha auto xoff 100kb xon 90kb headroom 400kb\n"
	  OUT SWITCH "int off " ECN "lossless on\n" },
	{ "roce int", "INT packets get metadata, all else off",
	  "new", "int", OUT "roce " LINE "int on\n" },
	{ "roce all", "ECN, shared buffer, lossless, INT",
	  "new", "int", IN SWITCH "int on prio 3 lossless on\n"
	  OUT SWITCH "int on " ECN "lossless on\n" },
	/* With --old only */
	[OLD] = { "old roce", "--old: rate and delay",
	  "old", "plain", OUT "roce " LINE "int off\n" },
	{ "old ecn", "--old: and ECN",
	  "old", "plain", OUT "roce " LINE "int off " ECN "\n" },
	{ "old int", "--old: INT packets get metadata, all else off",
	  "old", "int", OUT "roce " LINE "int on\n" },
	{ "old all", "--old: ECN, shared buffer, lossless, INT",
	  "old", "int", IN SWITCH "int on prio 3 lossless on\n"
	  OUT SWITCH "int on " ECN "lossless on\n" },
};

#define NR_VARIANTS	(sizeof(variants) / sizeof(*variants))

/**
 * struct load - how packets come
 * @name: in the table
 * @help: what it is
 * @packets: of a run
 * @burst: at one instant
 * @period_ns: time between bursts; the last packet of one is through before
 *	the next: 256 of 1106 bytes take 22.7 us at 100 Gbit/s, and 1 us
 */
struct load {
	const char *name, *help;
	unsigned int packets, burst, period_ns;
};

static const struct load loads[] = {
	{ "alone", "each packet finds the port idle", 60000, 1, 2000 },
	{ "queue", "bursts of 256: each waits behind the others",
	  128000, 256, 30000 },
};

#define NR_LOADS	(sizeof(loads) / sizeof(*loads))

/* One measurement: per packet. */
struct sample {
	double ns, interrupts;
};

/* Everything measured: [round][variant][load]. */
struct runs {
	struct sample (*s)[NR_VARIANTS][NR_LOADS];
	unsigned long rounds, samples;
	size_t nr;		/* variants */
	bool progress;
};

/* One line of the outcome, ns per packet. */
struct figure {
	const struct variant *v;
	const struct load *load;
	double total_ns, interrupts;
	struct bench_ratio cost_ns, to[NETEM + 1];
};

static double cost(const struct runs *r, unsigned long round, size_t v, size_t l)
{
	return r->s[round][v][l].ns - r->s[round][NOQUEUE][l].ns;
}

static struct bench_ratio over_rounds(const struct runs *r, size_t v, size_t l, int base)
{
	double *x = xcalloc(r->rounds, sizeof(*x));
	struct bench_ratio ratio;
	unsigned long i;

	for (i = 0; i < r->rounds; i++) {
		x[i] = cost(r, i, v, l);
		if (base != NOQUEUE)
			x[i] /= cost(r, i, base, l);
	}
	ratio = bench_ratio_of(x, r->rounds);
	free(x);
	return ratio;
}

static double median_of(const struct runs *r, size_t v, size_t l, bool interrupts)
{
	double *x = xcalloc(r->rounds, sizeof(*x)), m;
	unsigned long i;

	for (i = 0; i < r->rounds; i++)
		x[i] = interrupts ? r->s[i][v][l].interrupts : r->s[i][v][l].ns;
	m = bench_median(x, r->rounds);
	free(x);
	return m;
}

static void compare(const struct runs *r, size_t v, size_t l, struct figure *f)
{
	int base;

	f->v = &variants[v];
	f->load = &loads[l];
	f->total_ns = median_of(r, v, l, false);
	f->interrupts = median_of(r, v, l, true);
	f->cost_ns = over_rounds(r, v, l, NOQUEUE);
	for (base = PFIFO; base <= NETEM; base++)
		f->to[base] = over_rounds(r, v, l, base);
}

/* The one promise: what replaces netem costs no more than netem. */
static const char *verdict(const struct figure *f)
{
	return f->v == &variants[OFF] ?
	       bench_verdict(&f->to[NETEM], GOAL, false) : "";
}

static void print_figure(const struct figure *f)
{
	const struct bench_ratio *c = &f->cost_ns, *n = &f->to[NETEM];

	printf("%-6s %-13s %7.1f", f->load->name, f->v->name, f->total_ns);
	if (f->v == &variants[NOQUEUE]) {
		printf("%46s %5.2f\n", "", f->interrupts);
		return;
	}
	printf(" %7.1f (%6.1f-%6.1f)", c->median, c->low, c->high);
	printf(" %6.2f (%.3f-%.3f)", n->median, n->low, n->high);
	printf(" %7.1f %5.2f  %s\n", f->to[PFIFO].median, f->interrupts, verdict(f));
}

static void print_table(const struct figure *f, size_t n, const struct runs *r)
{
	size_t i;

	printf("CPU time of the lab kernel per packet of 1106 bytes, virtual time, %lu rounds\n",
	       r->rounds);
	printf("%-6s %-13s %7s %24s %22s %7s %5s\n", "load", "qdisc",
	       "all ns", "cost ns (interval)", "over netem (interval)",
	       "/pfifo", "timer");
	for (i = 0; i < n; i++)
		print_figure(&f[i]);
	printf("\ncost: less that of noqueue in the same round; medians, intervals hold the true\n"
	       "median with %.1f %% confidence; timer: timer interrupts per packet, the one that\n"
	       "makes the packets included. Goal: roce, all else off, over netem <= %.2f.\n",
	       100 * f[0].cost_ns.confidence, GOAL);
	for (i = 0; i < r->nr; i++)
		printf("  %-13s %s\n", variants[i].name, variants[i].help);
	for (i = 0; i < NR_LOADS; i++)
		printf("  %-13s %s\n", loads[i].name, loads[i].help);
}

static struct json_object *to_json(const struct figure *f, size_t n, const struct bench *b)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array(), *e;

	js_add_int(top, "rounds", b->rounds);
	js_add_int(top, "seed", b->seed);
	json_object_object_add(top, "figures", list);
	for (; n--; f++) {
		e = json_object_new_object();
		json_object_array_add(list, e);
		js_add_str(e, "load", f->load->name);
		js_add_str(e, "qdisc", f->v->name);
		bench_json_num(e, "total_ns", f->total_ns);
		bench_json_num(e, "interrupts", f->interrupts);
		if (f->v == &variants[NOQUEUE])
			continue;
		bench_json_ratio(e, "cost_ns", &f->cost_ns);
		bench_json_ratio(e, "over_pfifo", &f->to[PFIFO]);
		bench_json_ratio(e, "over_netem", &f->to[NETEM]);
		if (f->v != &variants[OFF])
			continue;
		bench_json_num(e, "goal", GOAL);
		js_add_str(e, "verdict", verdict(f));
	}
	return top;
}

static int report(const struct bench *b, const struct runs *r)
{
	struct figure f[NR_VARIANTS * NR_LOADS];
	size_t v, l, n = 0;
	int ret = 0;

	for (l = 0; l < NR_LOADS; l++)
		for (v = 0; v < r->nr; v++)
			compare(r, v, l, &f[n++]);
	for (v = 0; v < n; v++)
		ret |= !strcmp(verdict(&f[v]), "missed");
	ret |= bench_json_out(to_json(f, n, b), b->dir, "qdisc.json", b->json) != 0;
	if (!b->json)
		print_table(f, n, r);
	return ret;
}

/* "@run ROUND VARIANT LOAD CPU_NS INTERRUPTS PACKETS" */
static int mark(void *ctx, pid_t pid, const char *line)
{
	struct runs *r = ctx;
	unsigned long round;
	double ns, interrupts, packets;
	size_t v, l;

	(void)pid;
	if (sscanf(line, "@run %lu %zu %zu %lf %lf %lf", &round, &v, &l, &ns,
		   &interrupts, &packets) != 6 || round >= r->rounds ||
	    v >= r->nr || l >= NR_LOADS || packets <= 0 || ns <= 0)
		return bench_error("'%s': not a result", line);
	r->s[round][v][l].ns = ns / packets;
	r->s[round][v][l].interrupts = interrupts / packets;
	r->samples++;
	if (r->progress) {
		fprintf(stderr, "\r  round %lu of %lu  ", round + 1, r->rounds);
		fflush(stderr);
	}
	return 0;
}

/* A line "ROUND VARIANT MODULE PACKETS" for each run, shuffled in a round. */
static int write_order(const struct bench *b, const struct runs *r)
{
	size_t perm[NR_VARIANTS], len, i, k;
	uint64_t state = b->seed;
	unsigned long round;
	char *text;
	FILE *f = open_memstream(&text, &len);
	int ret;

	for (i = 0; i < r->nr; i++)
		perm[i] = i;
	for (round = 0; round < b->rounds; round++)
		for (i = r->nr; i-- > 0;) {
			k = bench_draw(perm, i, &state);
			fprintf(f, "%lu %zu %s %s\n", round, k, variants[k].module,
				variants[k].packets);
		}
	fclose(f);
	ret = bench_write_file(b->dir, "order", text);
	free(text);
	return ret;
}

static int prepare(const struct bench *b, const struct runs *r)
{
	char name[32], text[256] = "";
	size_t i, len = 0;
	int ret = 0;

	for (i = 0; i < r->nr; i++) {
		snprintf(name, sizeof(name), "%zu.tc", i);
		ret |= bench_write_file(b->dir, name, variants[i].tc);
	}
	for (i = 0; i < NR_LOADS; i++)
		len += snprintf(text + len, sizeof(text) - len, "%zu %u %u %u\n", i,
				loads[i].packets, loads[i].burst, loads[i].period_ns);
	ret |= bench_write_file(b->dir, "loads", text);
	ret |= bench_write_file(b->dir, "reset.tc", IN "pfifo\n" OUT "pfifo\n");
	ret |= write_order(b, r);
	ret |= bench_copy(b->dir, "new.ko", b->roce);
	if (b->old)
		ret |= bench_copy(b->dir, "old.ko", b->old);
	ret |= bench_copy(b->dir, "gen.ko", b->gen);
	snprintf(text, sizeof(text), "%s/q_roce.so", b->tc);
	return ret | bench_copy(b->dir, "q_roce.so", text);
}

/**
 * bench_qdisc() - cost of the qdiscs
 * @b: command line
 *
 * Return: exit code.
 */
int bench_qdisc(struct bench *b)
{
	struct runs r = {
		.rounds = b->rounds,
		.nr = b->old ? NR_VARIANTS : OLD,
		.progress = b->progress,
	};
	int ret = 1;

	b->virtual_time = true;
	r.s = xcalloc(b->rounds, sizeof(*r.s));
	if (!prepare(b, &r) && !bench_guest(b, mark, &r)) {
		if (r.samples == r.rounds * r.nr * NR_LOADS)
			ret = report(b, &r);
		else
			bench_error("%lu results of %zu, see %s/console.log", r.samples,
				    r.rounds * r.nr * NR_LOADS, b->dir);
	}
	free(r.s);
	return ret;
}
