// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "collectives" of summary.json and steps.csv: completion time of each job of a collective
 * operation, its bus bandwidth, each step of each rank, and the flows that decided when it ended.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

static int64_t ended(const struct flow_result *f)
{
	return f->start_ns + f->fct_ns;
}

/*
 * What a rank has to send at least, over the bytes of the job: the factors of the "bus bandwidth"
 * of NVIDIA's nccl-tests (doc/PERFORMANCE.md), which makes it comparable with the rate of the
 * links whatever the number of ranks. A pipeline's is that of one of its links, and of one to many
 * that of the sender's link.
 */
static double bus_factor(const char *collective, int ranks)
{
	if (strncmp(collective, "all_reduce", 10) == 0)
		return 2.0 * (ranks - 1) / ranks;
	if (strcmp(collective, "pipeline") == 0)
		return 1;
	if (strcmp(collective, "one_to_many") == 0)
		return ranks - 1;
	return (double)(ranks - 1) / ranks;
}

/* What flow @id waited for longest; -1: it waited for nothing. */
static int64_t waited_for(const struct results *r, int id, int64_t *since_ns)
{
	const struct plan *p = r->plan;
	const struct depend_list *own;
	int64_t last = -1, at;
	uint32_t k;

	if (!p->flows[id].after)
		return -1;
	own = &p->after.list[p->flows[id].after - 1];
	for (k = own[0].begin; k < own[1].begin; k++) {
		uint32_t node = depend_node(p->after.edge[k]);

		at = depend_on_start(p->after.edge[k]) ? r->flows[node].start_ns :
							 ended(&r->flows[node]);
		if (last < 0 || at > *since_ns) {
			last = node;
			*since_ns = at;
		}
	}
	return last;
}

static struct json_object *step_json(const struct results *r, int id)
{
	const struct collective_step *s = &r->plan->steps[id];
	struct json_object *o = json_object_new_object();

	js_add_int(o, "flow", id);
	js_add_int(o, "round", s->round);
	js_add_int(o, "step", s->step);
	js_add_int(o, "rank", s->rank);
	js_add_int(o, "to", s->to);
	js_add_int(o, "start_ns", r->flows[id].start_ns);
	js_add_int(o, "fct_ns", r->flows[id].fct_ns);
	return o;
}

/*
 * Backwards from the flow that ended last, each time to what was waited for. @on_path gets the
 * flows. Between them ranks computed.
 */
static struct json_object *path_json(const struct results *r, int64_t last, bool *on_path)
{
	struct json_object *o = json_object_new_object();
	int64_t flows = 0, compute_ns = 0, since_ns = 0, slowest = last, before;
	double slowdown, most = 0;

	for (; last >= 0; last = before) {
		const struct flow_result *f = &r->flows[last];

		on_path[last] = true;
		flows++;
		slowdown = (double)f->fct_ns / results_ideal_ns(r, f);
		if (slowdown > most) {
			most = slowdown;
			slowest = last;
		}
		before = waited_for(r, last, &since_ns);
		if (before >= 0)
			compute_ns += f->start_ns - since_ns;
	}
	js_add_int(o, "flows", flows);
	js_add_int(o, "compute_ns", compute_ns);
	js_add_dbl(o, "slowdown_max", most, 4);
	json_object_object_add(o, "slowest", step_json(r, slowest));
	return o;
}

struct job {
	int64_t flows, completed, start_ns, end_ns, ideal_ns, last;
	int ranks, rounds;
};

static void add_flow(struct results *r, struct job *j, int id)
{
	const struct collective_step *s = &r->plan->steps[id];
	const struct flow_result *f = &r->flows[id];
	int64_t ideal_ns = plan_earliest_ns(r->plan, id) + results_ideal_ns(r, f);

	if (!j->flows++ || f->start_ns < j->start_ns)
		j->start_ns = f->start_ns;
	j->completed += f->done;
	if (f->done && (j->last < 0 || ended(f) > j->end_ns)) {
		j->end_ns = ended(f);
		j->last = id;
	}
	j->ideal_ns = ideal_ns > j->ideal_ns ? ideal_ns : j->ideal_ns;
	j->ranks = s->rank >= j->ranks ? s->rank + 1 : j->ranks;
	j->ranks = s->to >= j->ranks ? s->to + 1 : j->ranks;
	j->rounds = s->round >= j->rounds ? s->round + 1 : j->rounds;
}

static struct json_object *job_json(struct results *r, int number, const struct job *j,
				    bool *on_path)
{
	const char *collective = scenario_text(r->plan->sc, "collective", "");
	int64_t bytes = scenario_val(r->plan->sc, "job_size", 0), took = j->end_ns - j->start_ns;
	bool whole = j->completed == j->flows && took > 0;
	struct json_object *o = json_object_new_object();
	double bus;

	js_add_int(o, "job", number);
	js_add_str(o, "collective", collective);
	js_add_int(o, "ranks", j->ranks);
	js_add_int(o, "bytes", bytes);
	js_add_int(o, "rounds", j->rounds);
	js_add_int(o, "flows", j->flows);
	js_add_int(o, "completed", j->completed);
	js_add_int(o, "ideal_ns", j->ideal_ns);
	bus = bytes * 8e9 * bus_factor(collective, j->ranks) * j->rounds / (whole ? took : 1);
	json_object_object_add(o, "completion_ns", whole ? json_object_new_int64(took) : NULL);
	json_object_object_add(o, "bus_bandwidth_bps",
			       whole ? json_object_new_int64((int64_t)(bus + 0.5)) : NULL);
	json_object_object_add(o, "path", whole ? path_json(r, j->last, on_path) : NULL);
	return o;
}

static int write_steps(struct results *r, const bool *on_path)
{
	FILE *f = csv_create(r->dir, T_STEPS, true);
	int i;

	if (!f)
		return EXIT_RUN_FAILED;
	for (i = 0; i < r->plan->n_steps; i++) {
		const struct collective_step *s = &r->plan->steps[i];
		const struct flow_result *w = &r->flows[i];

		fprintf(f, "%d,%d,%d,%d,%d,%d,%" PRId64 ",", s->job, s->round, s->step, s->rank,
			s->to, i, w->start_ns);
		if (w->done)
			fprintf(f, "%" PRId64, ended(w));
		fprintf(f, ",%d\n", on_path[i]);
	}
	return csv_finish(f, r->dir, T_STEPS);
}

/**
 * results_collectives() - "collectives" and steps.csv, if there are such
 * @r: results with flows read
 *
 * Return: 0, or the exit status after a message.
 */
int results_collectives(struct results *r)
{
	struct json_object *list;
	int i, n = 0, rc;
	struct job *jobs;
	bool *on_path;

	if (!r->plan->n_steps)
		return 0;
	for (i = 0; i < r->plan->n_steps; i++)
		n = r->plan->steps[i].job >= n ? r->plan->steps[i].job + 1 : n;
	jobs = xcalloc(n, sizeof(*jobs));
	on_path = xcalloc(r->n_flows, sizeof(*on_path));
	for (i = 0; i < n; i++)
		jobs[i].last = -1;
	for (i = 0; i < r->plan->n_steps; i++)
		add_flow(r, &jobs[r->plan->steps[i].job], i);
	list = json_object_new_array();
	for (i = 0; i < n; i++)
		json_object_array_add(list, job_json(r, i, &jobs[i], on_path));
	json_object_object_add(r->summary, "collectives", list);
	rc = write_steps(r, on_path);
	free(on_path);
	free(jobs);
	return rc;
}
