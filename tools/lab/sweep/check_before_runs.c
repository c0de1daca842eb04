// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: what is refused before anything runs, and what has run already.
 *
 * Each run goes through what "lab run" does before it starts a kernel. Then the
 * kernel itself is asked, once for all runs that build the same network and differ
 * in algorithm and parameters, sizes of flows or seeds only.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/sweep.h"

#define ASK_S	600

/* A run as the kernel is asked about it. */
struct question {
	struct sweep_run *run;
	char *net;			/* what labinit builds, as text */
	char *cc;			/* what it sets, as text */
};

/**
 * check_params() - is every parameter meant for an algorithm that runs
 * @s: sweep
 *
 * None of the runs would complain of a parameter that concerns none of them.
 *
 * Return: 0, or the exit status after a message.
 */
int check_params(struct sweep *s)
{
	char *none[] = { "none" };
	struct dim *cc = dim_of(s, "--cc");
	int rc = 0;
	size_t d;

	for (d = 0; d < s->n_dims && !rc; d++)
		if (strcmp(s->dims[d].opt, "--param") == 0)
			rc = params_check(&(struct option_list){ &s->dims[d].prefix, 1 },
					  cc ? cc->values.v : none, cc ? cc->values.n : 1);
	return rc;
}

/* As "lab run" would; plan only if wanted. */
static int prepare(struct sweep *s, struct sweep_run *r, struct cmd *c, bool plan)
{
	static const struct options run = {
		.command = "lab run", .rows = run_rows, .in = FOR_OTHERS,
	};
	struct option_list argv = {};
	size_t i;
	int rc;

	*c = (struct cmd) { .o = { .seed = 1, .out = s->out } };
	list_add(&argv, "run");
	for (i = 0; i < r->args.n; i++)
		list_add(&argv, r->args.v[i]);
	rc = plan ? cmd_prepare(c, &run, argv.n, argv.v) : cmd_parse(c, &run, argv.n, argv.v);
	free(argv.v);
	return rc;
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void note_file(struct sweep *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->files.n; i++)
		if (strcmp(s->files.v[i], name) == 0)
			return;
	list_add(&s->files, xstrdup(name));
}

/*
 * The user's own scenario and its network, and values of text that are names of files: workers must
 * have these.
 */
static void note_files(struct sweep *s, struct scenario *sc)
{
	size_t i;

	if (sc->file)
		note_file(s, s->scenario);
	if (sc->topology)
		note_file(s, sc->topology);
	for (i = 0; i < sc->n_keys; i++)
		if (sc->keys[i].unit == UNIT_TEXT && sc->keys[i].set && is_file(sc->keys[i].text))
			note_file(s, sc->keys[i].text);
}

/* Where "lab run" will put its results, below --out and what it is called. */
static void name_run(struct sweep_run *r, const struct cmd *c)
{
	char *name = result_dir_name(c->sc->name, c->o.ccs[0], c->o.seed);

	r->place = xasprintf("%s%s%s", r->point, *r->point ? "/" : "", name);
	r->name = xasprintf("%s%s%s/%" PRIu64, r->point, *r->point ? " " : "", c->o.ccs[0],
			    c->o.seed);
	free(name);
}

/**
 * check_options() - are all options of all runs right
 * @s: after make_runs(); files, and names and places of the runs, are results
 *
 * Return: 0, or the exit status after a message.
 */
int check_options(struct sweep *s)
{
	struct cmd c;
	size_t i;
	int rc = 0;

	for (i = 0; i < s->n_runs && !rc; i++) {
		rc = prepare(s, &s->runs[i], &c, false);
		if (rc)
			break;
		name_run(&s->runs[i], &c);
		note_files(s, c.sc);
		s->debug = c.o.debug;
		cmd_free(&c);
	}
	return rc;
}

/* Are the results of a run there: of these settings, and of this build. */
static int find_results(struct sweep *s, struct sweep_run *r, struct cmd *c)
{
	char *dir = xasprintf("%s/%s", s->out, r->place);
	/* What "lab run" writes last: without it results are those of a run that was killed. */
	char *path = xasprintf("%s/run.json", dir);
	struct json_object *old;
	int rc = 0;

	if (!s->force && path_exists(path)) {
		old = run_summary(s, r, NULL);
		rc = results_check(dir, c->plan, &c->o, c->o.ccs[0]);
		if (!rc && strcmp(js_str(old, "commit", ""), s->commit))
			rc = run_error("%s: results of another build than %s: --out DIR or --force",
				       dir, s->commit);
		if (!rc)
			r->state = RUN_DONE;
		json_object_put(old);
	}
	free(path);
	free(dir);
	return rc;
}

/* What labinit builds and looks at when it is only asked, of a job that is to be run. */
static char *net_text(struct plan *p)
{
	static const enum job_key other[] = {
		J_EXPECT, J_HASH_SEED, J_LIMIT, J_OUT, J_PEERS, J_PLAN, J_SAMPLE, J_SETTLE, J_WATCH,
		J_WINDOW_FROM, J_WINDOW_TO,
	};
	const char *transport = job_str(job_get(p->base, J_PLAN), J_PLAN_TRANSPORT, "");
	struct json_object *o;
	const char *net;
	char *text;
	size_t i;

	o = js_copy(p->base);
	for (i = 0; i < ARRAY_SIZE(other); i++)
		json_object_object_del(o, job_defs[other[i]].name);
	job_links(p, o);
	net = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);
	text = xasprintf("%s %s", transport, net);
	json_object_put(o);
	return text;
}

static int ask_about(struct sweep *s, struct sweep_run *r, struct question *q)
{
	struct json_object *cc;
	struct cmd c;
	int rc = prepare(s, r, &c, true);

	/* A plan that cannot be made is a matter of arguments too. */
	if (rc)
		return EXIT_USAGE;
	if (!s->dry)
		rc = find_results(s, r, &c);
	if (!rc)
		rc = cc_json(c.plan, &c.o, c.o.ccs[0], &cc);
	if (!rc) {
		q->run = r;
		q->net = net_text(c.plan);
		q->cc = xstrdup(json_object_to_json_string_ext(cc, JSON_C_TO_STRING_PLAIN));
		json_object_put(cc);
	}
	cmd_free(&c);
	return rc;
}

static int cmp_question(const void *a, const void *b)
{
	const struct question *x = a, *y = b;
	int rc = strcmp(x->net, y->net);

	if (!rc)
		rc = strcmp(x->cc, y->cc);
	return rc ? rc : (x->run > y->run) - (x->run < y->run);
}

/* One kernel for the questions, all about the same network. */
static int ask_kernel(struct sweep *s, struct question *q, size_t n)
{
	struct json_object *ccs = json_object_new_array();
	struct cmd c;
	size_t i;
	int rc = prepare(s, q->run, &c, true);

	if (rc)
		return rc;
	for (i = 0; i < n; i++)
		json_object_array_add(ccs, json_tokener_parse(q[i].cc));
	if (!c.o.timeout_s)
		c.o.timeout_s = ASK_S;
	rc = uml_check_room(cmd_mem_mb(&c)) ?: cmd_ask_kernel(&c, q->run->options, ccs);
	cmd_free(&c);
	return rc;
}

static int ask_all(struct sweep *s, struct question *q, size_t n)
{
	bool tty = isatty(STDERR_FILENO) && !s->quiet;
	size_t i, from, end;
	int rc = 0;

	qsort(q, n, sizeof(*q), cmp_question);
	/* What is asked twice is asked once. */
	for (i = 0, end = 0; i < n; i++)
		if (!end || strcmp(q[end - 1].net, q[i].net) || strcmp(q[end - 1].cc, q[i].cc))
			q[end++] = q[i];
	n = end;
	for (from = 0; from < n && !rc; from = end) {
		for (end = from; end < n && strcmp(q[from].net, q[end].net) == 0; end++)
			;
		if (tty)
			fprintf(stderr, "\r\033[Kchecking %zu of %zu", end, n);
		rc = ask_kernel(s, q + from, end - from);
		if (tty)
			fprintf(stderr, "\r\033[K");
		/* The kernel's reason does not tell whom it refused: ask for each alone. */
		if (rc == EXIT_USAGE && end - from > 1)
			for (i = from, rc = 0; i < end && !rc; i++)
				rc = ask_kernel(s, &q[i], 1);
	}
	return rc;
}

/**
 * check_results() - which runs have results, and would the kernel take the others
 * @s: after sweep_open(), or after make_runs() if nothing is to run
 *
 * Return: 0, or the exit status after a message.
 */
int check_results(struct sweep *s)
{
	struct question *q = xcalloc(s->n_runs, sizeof(*q));
	size_t i, n = 0;
	int rc = 0;

	for (i = 0; i < s->n_runs && !rc; i++) {
		rc = ask_about(s, &s->runs[i], &q[n]);
		if (!rc && s->runs[i].state == RUN_MISSING)
			n++;
	}
	if (!rc && n < s->n_runs)
		rc = rerun_notes_check(s);
	if (!rc)
		rc = ask_all(s, q, n);
	/* The texts live as long as the process: they are shared after sorting. */
	free(q);
	return rc;
}
