// SPDX-License-Identifier: GPL-2.0
/*
 * Flows of workload=collective: how many there are, what each rank sends and gets, in which order
 * they can come, where ranks are, and what is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "lab.h"

#define SIZE	1000003.0

static char *said;
static size_t said_len;

static bool same(double a, double b)
{
	return fabs(a - b) < 0.0001;
}

static struct plan *plan_of(const char *scenario, const char *words)
{
	struct scenario *sc = scenario_load(scenario);
	char *copy = xstrdup(words), *rest = copy, *word;
	FILE *real = stderr;
	struct plan *p = NULL;
	int rc = !sc;

	free(said);
	said = NULL;
	stderr = open_memstream(&said, &said_len);
	while (!rc && (word = strsep(&rest, " ")))
		rc = scenario_set(sc, word);
	if (rc || plan_resolve(sc) || plan_build(sc, 1, &p))
		scenario_free(sc);
	fclose(stderr);
	stderr = real;
	free(copy);
	return p;
}

static void put_plan(struct plan *p)
{
	struct scenario *sc = p->sc;

	plan_free(p);
	scenario_free(sc);
}

/*
 * What the books say of n ranks and S bytes: flows, what a rank sends and gets (least and most of
 * all ranks), in units of S, and flows of the longest chain, each of which waits for the one
 * before. Eight ranks: the tree has depths 0, 1 1, 2 2 2 2, 3.
 */
static const struct {
	const char *name, *set;
	int flows;
	double sends[2], gets[2];
	int chain;
} kinds[] = {
	{ "ring", "all_reduce_ring", 14 * 8, { 14 / 8., 14 / 8. }, { 14 / 8., 14 / 8. }, 14 },
	{ "ring_chunks", "all_reduce_ring chunks=3", 14 * 8 * 3, { 14 / 8., 14 / 8. },
	  { 14 / 8., 14 / 8. }, 14 },
	{ "halving", "all_reduce_halving", 6 * 8, { 14 / 8., 14 / 8. }, { 14 / 8., 14 / 8. }, 6 },
	{ "tree", "all_reduce_tree", 14, { 1, 3 }, { 1, 3 }, 6 },
	{ "tree_chunks", "all_reduce_tree chunks=5", 14 * 5, { 1, 3 }, { 1, 3 }, 6 },
	{ "all_gather", "all_gather", 7 * 8, { 7 / 8., 7 / 8. }, { 7 / 8., 7 / 8. }, 7 },
	{ "reduce_scatter", "reduce_scatter", 7 * 8, { 7 / 8., 7 / 8. }, { 7 / 8., 7 / 8. }, 7 },
	{ "all_to_all", "all_to_all", 56, { 7 / 8., 7 / 8. }, { 7 / 8., 7 / 8. }, 1 },
	{ "all_to_all_pairs", "all_to_all_pairs", 56, { 7 / 8., 7 / 8. }, { 7 / 8., 7 / 8. }, 7 },
	{ "pipeline", "pipeline chunks=4", 7 * 4, { 0, 1 }, { 0, 1 }, 10 },
	{ "one_to_many", "one_to_many", 7, { 0, 7 }, { 0, 1 }, 1 },
	{ "rounds", "all_reduce_ring rounds=3", 3 * 14 * 8, { 3 * 14 / 8., 3 * 14 / 8. },
	  { 3 * 14 / 8., 3 * 14 / 8. }, 3 * 14 },
	{ "tree_rounds", "all_reduce_tree rounds=2", 28, { 2, 6 }, { 2, 6 }, 12 },
	{ "all_to_all_rounds", "all_to_all rounds=2", 112, { 14 / 8., 14 / 8. },
	  { 14 / 8., 14 / 8. }, 2 },
	{ "one_to_many_rounds", "one_to_many rounds=2", 14, { 0, 14 }, { 0, 2 }, 2 },
};

/* Flows of the longest chain of those that wait for each other. */
static int longest_chain(const struct plan *p)
{
	int *chain = xcalloc(p->n_flows, sizeof(*chain)), i, most = 0;

	for (i = 0; i < p->n_flows; i++) {
		int n = p->after_order ? (int)p->after_order[i] : i;
		const struct depend_list *own;
		uint32_t k;

		chain[n] = 1;
		if (p->flows[n].after) {
			own = &p->after.list[p->flows[n].after - 1];
			for (k = own[0].begin; k < own[1].begin; k++) {
				int before = chain[depend_node(p->after.edge[k])];

				chain[n] = before >= chain[n] ? before + 1 : chain[n];
			}
		}
		most = chain[n] > most ? chain[n] : most;
	}
	free(chain);
	return most;
}

static void test_kinds(void)
{
	double sends[8], gets[8];
	size_t i;
	int k;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		char *words = xasprintf("n=8 workload=collective job_size=1000003 collective=%s",
					kinds[i].set);
		struct plan *p = plan_of("star", words);
		char *name = xasprintf("kind__%s", kinds[i].name);
		double least[2] = { 1e18, 1e18 }, most[2] = {};

		free(words);
		if (!ktap(p, name, "%s", said)) {
			free(name);
			continue;
		}
		memset(sends, 0, sizeof(sends));
		memset(gets, 0, sizeof(gets));
		for (k = 0; k < p->n_flows; k++) {
			sends[p->flows[k].src % 8] += p->flows[k].bytes / SIZE;
			gets[p->flows[k].dst % 8] += p->flows[k].bytes / SIZE;
		}
		for (k = 0; k < 8; k++) {
			least[0] = fmin(least[0], sends[k]);
			least[1] = fmin(least[1], gets[k]);
			most[0] = fmax(most[0], sends[k]);
			most[1] = fmax(most[1], gets[k]);
		}
		free(name);
		name = xasprintf("flows__%s", kinds[i].name);
		ktap(p->n_flows == kinds[i].flows, name, "%d flows", p->n_flows);
		free(name);
		/* A part is a byte longer or shorter where they cannot be divided evenly. */
		name = xasprintf("bytes__%s", kinds[i].name);
		ktap(same(least[0], kinds[i].sends[0]) && same(most[0], kinds[i].sends[1]) &&
		     same(least[1], kinds[i].gets[0]) && same(most[1], kinds[i].gets[1]),
		     name, "sends %g to %g, gets %g to %g", least[0], most[0], least[1], most[1]);
		free(name);
		name = xasprintf("chain__%s", kinds[i].name);
		ktap(longest_chain(p) == kinds[i].chain, name, "%d", longest_chain(p));
		free(name);
		put_plan(p);
	}
}

/* Whether all flows of the first job stay below their leaf. */
static bool within_racks(const struct plan *p)
{
	int i;

	for (i = 0; i < p->n_flows; i++)
		if (!p->steps[i].job && plan_access_of(p, p->flows[i].src) !=
					plan_access_of(p, p->flows[i].dst))
			return false;
	return true;
}

static void test_placement(void)
{
	static const char fabric[] =
		"leaves=2 per_leaf=4 spines=2 workload=collective jobs=2 placement=";
	char *words = xasprintf("%srack", fabric);
	struct plan *p = plan_of("leafspine", words);

	free(words);
	if (ktap(p, "placement__rack", "%s", said)) {
		ktap(within_racks(p), "placement__rack_within", "a flow leaves it");
		ktap(p->steps[p->n_flows - 1].job == 1 && p->n_steps == p->n_flows,
		     "placement__two_jobs", "job %d", p->steps[p->n_flows - 1].job);
		put_plan(p);
	}
	words = xasprintf("%sspread", fabric);
	p = plan_of("leafspine", words);
	free(words);
	if (ktap(p, "placement__spread", "%s", said)) {
		ktap(!within_racks(p), "placement__spread_across", "no flow leaves a rack");
		put_plan(p);
	}
}

/* The first rank takes a fifth longer, and each one as long as the jitter says. */
static void test_compute(void)
{
	static const char base[] = "n=4 workload=collective compute=10us";
	char *words = xasprintf("%s stragglers=1", base);
	struct plan *p = plan_of("star", words);
	uint64_t least = UINT64_MAX, most = 0;
	uint32_t i;
	int bad = 0;

	free(words);
	if (ktap(p, "compute", "%s", said)) {
		for (i = 0; i < p->after.n; i++)
			bad += p->after.list[i].delay_ns !=
			       (p->steps[p->after.list[i].node].rank ? 10000 : 12000);
		ktap(!bad && p->after.n == 5 * 4, "compute__straggler", "%d of %u", bad,
		     p->after.n);
		put_plan(p);
	}
	words = xasprintf("%s compute_jitter=0.5 rounds=20", base);
	p = plan_of("star", words);
	free(words);
	if (ktap(p, "jitter", "%s", said)) {
		for (i = 0; i < p->after.n; i++) {
			double delay_ns = p->after.list[i].delay_ns;

			least = fmin(least, delay_ns);
			most = fmax(most, delay_ns);
		}
		/* Of 479 draws none in the lowest or the highest tenth: 0.9^479, 1e-22. */
		ktap(least >= 5000 && least < 6000 && most <= 15000 && most > 14000,
		     "jitter__range", "%llu to %llu", (unsigned long long)least,
		     (unsigned long long)most);
		put_plan(p);
	}
}

static const struct {
	const char *name, *set, *said;
} refused[] = {
	{ "no_power_of_two", "n=6 workload=collective collective=all_reduce_halving",
	  "--set ranks: 6 is no power of two" },
	{ "too_many", "n=6 workload=collective ranks=4 jobs=2", "--set ranks: 2 jobs of 4 ranks" },
	{ "too_few", "n=3 workload=collective jobs=2", "3 hosts are not enough for 2 jobs" },
	{ "too_small", "n=8 workload=collective job_size=7",
	  "--set job_size: 7 bytes cannot be divided into 8 parts" },
	{ "no_chunks", "n=8 workload=collective collective=all_to_all chunks=2",
	  "--set chunks: of no use with collective=all_to_all" },
	{ "too_many_stragglers", "n=8 workload=collective stragglers=9", "--set stragglers:" },
	{ "no_collective", "n=8 workload=hadoop ranks=4",
	  "--set ranks: of no use without workload=collective" },
	{ "load", "n=8 workload=collective load=0.5", "--set load: of no use without workload" },
	{ "incasts", "n=8 workload=collective incast_degree=3", "has no load" },
	{ "background", "n=8 workload=collective background_flows=3", "needs stop" },
	{ "flows", "n=200 workload=collective chunks=100", "flows, at most 4000000" },
};

static void test_refused(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		struct plan *p = plan_of("star", refused[i].set);
		char *name = xasprintf("refused__%s", refused[i].name);

		ktap(!p && strstr(said, refused[i].said) &&
		     strchr(said, '\n') == said + said_len - 1, name, "got %s", said);
		free(name);
		if (p)
			put_plan(p);
	}
}

int main(void)
{
	test_kinds();
	test_placement();
	test_compute();
	test_refused();
	free(said);
	return ktap_end();
}
