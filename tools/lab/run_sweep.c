// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: many runs side by side, by GNU parallel.
 *
 * Every combination of the listed values is one independent "lab run", in a
 * directory named after the combination.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab.h"

static const char sweep_help[] =
"Usage: lab sweep SCENARIO [OPTIONS]\n\n"
"Runs the scenario with every combination of values, several at a time, by GNU\n"
"parallel. Results go to DIR/KEY=VALUE,.../SCENARIO/CC/seedN/.\n\n"
"  --set KEY=A[,B...]   values of a key\n"
"  --param K=A[,B...]   values of a parameter\n"
"  --cc A[,B...]        algorithms, each a run of its own\n"
"  --seed A[,B...]      seeds; N-M is a range\n"
"  --out DIR            where results go (./results)\n"
"  --jobs N             runs at a time (one per processor)\n"
"  --sshlogin LIST      machines, as GNU parallel takes them\n"
"  --dry-run            print the commands only\n"
"Other options (--knob K=V, --clock C, --timeout S, --force ...) go to every run.\n";

struct dim {
	const char *opt;		/* --set, --param, --cc, --seed */
	char *prefix;			/* "KEY=" or "" */
	char **values;
	size_t n;
};

struct sweep {
	const char *scenario, *out, *jobs, *sshlogin;
	struct dim *dims;
	size_t n_dims;
	char **rest;
	size_t n_rest;
	bool dry;
};

static void add_value(struct dim *d, char *value)
{
	d->values = xrealloc(d->values, (d->n + 1) * sizeof(*d->values));
	d->values[d->n++] = value;
}

static int add_seeds(struct dim *d, const char *text)
{
	uint64_t from, to;
	int end = 0;

	if (sscanf(text, "%" SCNu64 "-%" SCNu64 "%n", &from, &to, &end) < 2 || text[end]) {
		add_value(d, xstrdup(text));
		return 0;
	}
	if (from > to || to - from > 100000)
		return usage_error("--seed %s: not a range", text);
	for (; from <= to; from++)
		add_value(d, xasprintf("%" PRIu64, from));
	return 0;
}

static int add_dim(struct sweep *s, const char *opt, const char *arg)
{
	bool keyed = strcmp(opt, "--set") == 0 || strcmp(opt, "--param") == 0;
	const char *eq = strchr(arg, '=');
	char *list, *value;
	struct dim *d;
	int rc = 0;

	if (keyed && (!eq || eq == arg || !eq[1]))
		return usage_error("%s %s: NAME=VALUE[,VALUE...] expected", opt, arg);
	s->dims = xrealloc(s->dims, (s->n_dims + 1) * sizeof(*s->dims));
	d = &s->dims[s->n_dims++];
	memset(d, 0, sizeof(*d));
	d->opt = opt;
	d->prefix = keyed ? xasprintf("%.*s", (int)(eq + 1 - arg), arg) : xstrdup("");
	list = xstrdup(keyed ? eq + 1 : arg);
	while (!rc && (value = strsep(&list, ","))) {
		if (!*value)
			rc = usage_error("%s %s: empty value", opt, arg);
		else if (strcmp(opt, "--seed") == 0)
			rc = add_seeds(d, value);
		else
			add_value(d, value);
	}
	return rc;
}

static int need_value(int argc, char **argv, int i)
{
	if (i + 1 < argc)
		return 0;
	return usage_error("%s: missing value; see \"lab sweep --help\"", argv[i]);
}

static int parse(struct sweep *s, int argc, char **argv)
{
	static const char *const dims[] = { "--set", "--param", "--cc", "--seed" };
	static const char *const plain[] = { "--force", "--debug", "--keep", "--quiet", "-q" };
	size_t k;
	int i;

	for (i = 1; i < argc; i++) {
		const char **to = NULL;
		bool done = false;

		for (k = 0; k < ARRAY_SIZE(dims) && !done; k++) {
			if (strcmp(argv[i], dims[k]))
				continue;
			if (need_value(argc, argv, i) || add_dim(s, dims[k], argv[i + 1]))
				return EXIT_USAGE;
			i++;
			done = true;
		}
		if (done)
			continue;
		if (strcmp(argv[i], "--out") == 0)
			to = &s->out;
		else if (strcmp(argv[i], "--jobs") == 0)
			to = &s->jobs;
		else if (strcmp(argv[i], "--sshlogin") == 0)
			to = &s->sshlogin;
		if (to) {
			if (need_value(argc, argv, i))
				return EXIT_USAGE;
			*to = argv[++i];
			continue;
		}
		if (strcmp(argv[i], "--dry-run") == 0) {
			s->dry = true;
			continue;
		}
		if (argv[i][0] != '-' && !s->scenario) {
			s->scenario = argv[i];
			continue;
		}
		s->rest = xrealloc(s->rest, (s->n_rest + 2) * sizeof(*s->rest));
		s->rest[s->n_rest++] = argv[i];
		for (k = 0; k < ARRAY_SIZE(plain) && strcmp(argv[i], plain[k]); k++)
			;
		if (k == ARRAY_SIZE(plain)) {
			if (argv[i][0] != '-' || need_value(argc, argv, i))
				return usage_error("unexpected \"%s\"; see \"lab sweep --help\"",
						   argv[i]);
			s->rest[s->n_rest++] = argv[++i];
		}
	}
	if (!s->scenario)
		return usage_error("exactly one scenario expected; see \"lab sweep --help\"");
	return 0;
}

/* For the shell that GNU parallel starts. */
static char *quote(const char *text)
{
	char *out = xstrdup("'"), *next;

	for (; *text; text++) {
		next = *text == '\'' ? xasprintf("%s'\\''", out) : xasprintf("%s%c", out, *text);
		free(out);
		out = next;
	}
	next = xasprintf("%s'", out);
	free(out);
	return next;
}

static char *append_word(char *cmd, const char *word)
{
	char *q = quote(word), *next = xasprintf("%s %s", cmd, q);

	free(cmd);
	free(q);
	return next;
}

/* The item of --cc of one run; of two such lists "lab run" takes the last. */
static const char *cc_of(struct sweep *s, const size_t *at)
{
	const char *cc = "none";
	size_t d;

	for (d = 0; d < s->n_dims; d++)
		if (strcmp(s->dims[d].opt, "--cc") == 0)
			cc = s->dims[d].values[at[d]];
	return cc;
}

/* A parameter is for the runs of its algorithm, or of all but "none". */
static bool is_wanted(struct dim *d, const char *cc)
{
	char *algo;
	bool wanted;

	if (strcmp(d->opt, "--param"))
		return true;
	algo = cc_algo(cc);
	wanted = param_concerns(d->prefix, algo);
	free(algo);
	return wanted;
}

/* None of the runs would complain of a parameter that concerns none of them. */
static int check_params(struct sweep *s)
{
	char *none[] = { "none" }, **ccs = none;
	size_t d, n_ccs = 1;
	int rc = 0;

	for (d = 0; d < s->n_dims; d++) {
		if (strcmp(s->dims[d].opt, "--cc"))
			continue;
		ccs = s->dims[d].values;
		n_ccs = s->dims[d].n;
	}
	for (d = 0; d < s->n_dims && !rc; d++)
		if (strcmp(s->dims[d].opt, "--param") == 0)
			rc = params_check(&s->dims[d].prefix, 1, ccs, n_ccs);
	return rc;
}

static char *command(struct sweep *s, const size_t *at)
{
	char *lab = xasprintf("%s/build/bin/lab", lab_root()), *cmd = quote(lab);
	char *place = xstrdup(""), *word, *next, *dir;
	size_t d, i;

	cmd = append_word(append_word(append_word(cmd, "run"), s->scenario), "-q");
	for (d = 0; d < s->n_dims; d++) {
		const char *value = s->dims[d].values[at[d]];

		word = xasprintf("%s%s", s->dims[d].prefix, value);
		if (is_wanted(&s->dims[d], cc_of(s, at)))
			cmd = append_word(append_word(cmd, s->dims[d].opt), word);
		if (s->dims[d].n > 1 && *s->dims[d].prefix) {
			next = xasprintf("%s%s%s", place, *place ? "," : "", word);
			free(place);
			place = next;
		}
		free(word);
	}
	for (i = 0; i < s->n_rest; i++)
		cmd = append_word(cmd, s->rest[i]);
	dir = xasprintf("%s%s%s", s->out, *place ? "/" : "", place);
	cmd = append_word(append_word(cmd, "--out"), dir);
	free(dir);
	free(place);
	free(lab);
	return cmd;
}

static void print_commands(struct sweep *s, FILE *f)
{
	size_t *at = xcalloc(s->n_dims + 1, sizeof(*at)), d;
	char *cmd;

	do {
		cmd = command(s, at);
		fprintf(f, "%s\n", cmd);
		free(cmd);
		for (d = 0; d < s->n_dims && ++at[d] == s->dims[d].n; d++)
			at[d] = 0;
	} while (d < s->n_dims);
	free(at);
}

static int run_parallel(struct sweep *s)
{
	char *cmd = xstrdup("parallel --will-cite --halt never"), *dir;
	FILE *f;
	int rc;

	if (system("command -v parallel >/dev/null 2>&1"))
		return run_error("GNU parallel is missing: install the package \"parallel\"");
	if (s->jobs)
		cmd = append_word(append_word(cmd, "--jobs"), s->jobs);
	if (s->sshlogin) {
		dir = getcwd(NULL, 0);
		cmd = append_word(append_word(cmd, "--sshlogin"), s->sshlogin);
		cmd = append_word(append_word(cmd, "--workdir"), dir ? dir : ".");
		free(dir);
	}
	f = popen(cmd, "we");
	free(cmd);
	if (!f)
		return run_error("parallel: %s", strerror(errno));
	print_commands(s, f);
	rc = pclose(f);
	if (!WIFEXITED(rc) || WEXITSTATUS(rc))
		return run_error("%d or more runs failed",
				 WIFEXITED(rc) ? WEXITSTATUS(rc) : 1);
	return EXIT_OK;
}

int cmd_sweep(int argc, char **argv)
{
	struct sweep s = { .out = RESULTS_DIR };
	struct scenario *sc;
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			fputs(sweep_help, stdout);
			return EXIT_OK;
		}
	}
	if (parse(&s, argc, argv) || check_params(&s))
		return EXIT_USAGE;
	sc = scenario_load(s.scenario);
	if (!sc)
		return EXIT_USAGE;
	scenario_free(sc);
	if (s.dry) {
		print_commands(&s, stdout);
		return EXIT_OK;
	}
	return run_parallel(&s);
}
