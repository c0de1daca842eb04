// SPDX-License-Identifier: GPL-2.0
/*
 * lab replay: recorded events into the kernel's algorithm, what it decides out.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay/events.h"

#define TIMEOUT_S	1800
#define MEM_MB		1024
#define NONE		"none"
#define MAX_RATE	800000000000

/* What rxe's own packets have: the values of "lab run" where it is not told. */
#define DEF_MIN_RATE_BPS	1000000
#define DEF_PKT_BYTES		(1024 + ROCE_WIRE_OVERHEAD)

/* A value that was not given. */
#define NOT_GIVEN	UINT64_MAX
#define VALUES		10

struct cmd {
	const char *cc, *preset, *out;
	struct option_list param_args;
	struct json_object *params;
	struct recording rec;
	uint64_t values[VALUES];	/* that go before those of the file */
	uint64_t timeout_s;
	bool check, debug, quiet;
	struct uml u;
};

#define AT(m)	.at = offsetof(struct cmd, m)
static const struct option_row rows[] = {
	{ "cc", "A", "algorithm", OPTION_TEXT, AT(cc) },
	{ "param", "K=V", "parameter; before those that the file names for this algorithm",
	  OPTION_LIST, AT(param_args) },
	{ "preset", "P", "preset; the file's parameters do not count then", OPTION_TEXT,
	  AT(preset) },
	{ "in", "FILE", "events", OPTION_TEXT, AT(rec.path), .must = true },
	{ "out", "FILE", "decisions, in the same format", OPTION_TEXT, AT(out), .must = true },
	{ .help =
	  "\nWhat a file may say in its heading or in columns; here it goes before both:\n" },
	{ "line-rate", "R", "speed of the port, the ceiling of every flow", OPTION_RATE,
	  AT(values[0]), .min = 1000, .max = MAX_RATE },
	{ "min-rate", "R", "floor of every flow (1mbit)", OPTION_RATE, AT(values[1]),
	  .max = MAX_RATE },
	{ "base-rtt", "T", "round-trip time of the idle path (the smallest in the file)",
	  OPTION_TIME, AT(values[2]), .max = 10000000000 },
	{ "rate", "R", "rate that a flow starts with (the line rate)", OPTION_RATE,
	  AT(values[3]), .min = 1000, .max = MAX_RATE },
	{ "cwnd", "SIZE", "window that a flow starts with (none)", OPTION_SIZE, AT(values[4]),
	  .min = 1, .max = 1ULL << 40 },
	{ "pkt", "SIZE", "wire bytes of a full packet (1106)", OPTION_SIZE, AT(values[5]),
	  .min = 1, .max = 1 << 17 },
	{ "int-ts-bits", "N", "width of the hops' ts_ns; it wraps (64)", OPTION_COUNT,
	  AT(values[6]), .min = 1, .max = 64 },
	{ "int-tx-bits", "N", "width of the hops' tx_bytes; it wraps (64)", OPTION_COUNT,
	  AT(values[7]), .min = 1, .max = 64 },
	{ "int-tx-unit", "N", "bytes that 1 in tx_bytes stands for (1)", OPTION_COUNT,
	  AT(values[8]), .min = 1, .max = 1 << 20 },
	{ "int-qlen-unit", "N", "bytes that 1 in qlen_bytes stands for (1)", OPTION_COUNT,
	  AT(values[9]), .min = 1, .max = 1 << 20 },
	{ .help = "\n" },
	{ "check", NULL, "only write the events as the algorithm would get them, INT\n"
	  "counters without their wrapping; --cc is not needed", OPTION_FLAG, AT(check) },
	{ "debug", NULL, "use the debug kernel (build/uml-debug)", OPTION_FLAG, AT(debug) },
	{ "timeout", "S", "give up after S seconds of wall time (1800)", OPTION_COUNT,
	  AT(timeout_s), .min = 1, .max = 1000000 },
	{ "quiet", NULL, "say nothing", OPTION_FLAG, AT(quiet), .letter = 'q' },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab replay", .rows = rows, .indent = 2, .column = 19,
	.before =
"Usage: lab replay --cc A [--param K=V]... --in FILE --out FILE [OPTIONS]\n\n"
"Gives the events of a file to an algorithm of the lab kernel and writes what it\n"
"decides. \"lab run --events\" makes such files; Documentation/replay.md describes\n"
"them, so that other programs can. A recording replayed with the algorithm and\n"
"parameters that it was made with gives the same decisions. Exit status: 0 done,\n"
"and all decisions that the file has are the same; 1 the lab failed; 2 bad\n"
"arguments or a bad file, nothing was written; 3 done, but decisions differ.\n\n",
};

/* The file has them under the option's name, with the unit at its end. */
static void use_values(struct cmd *c)
{
	static const char *const ends[] = {
		[OPTION_RATE] = "_bps", [OPTION_TIME] = "_ns", [OPTION_SIZE] = "_bytes",
		[OPTION_COUNT] = "",
	};
	const struct option_row *r;
	char *name, *dash;
	size_t i;

	for (r = rows; r->name || r->help; r++) {
		i = (r->at - offsetof(struct cmd, values)) / sizeof(*c->values);
		if (i >= VALUES || c->values[i] == NOT_GIVEN)
			continue;
		name = xasprintf("%s%s", r->name, ends[r->kind]);
		while ((dash = strchr(name, '-')))
			*dash = '_';
		recording_option(&c->rec, name, c->values[i]);
		free(name);
	}
}

/* 0: go on; -1: help was asked for; else an exit status. */
static int parse_args(struct cmd *c, int argc, char **argv)
{
	size_t i;
	int rc;

	memset(c->values, 0xff, sizeof(c->values));
	rc = options_parse(&options, c, argc, argv);
	if (rc)
		return rc;
	use_values(c);
	if (optind != argc)
		return usage_error("%s: not expected; see \"lab replay --help\"", argv[optind]);
	if (!c->cc && !c->check)
		return usage_error("--cc is missing; see \"lab replay --help\"");
	if (c->cc)
		rc = params_check(&c->param_args, (char **)&c->cc, 1);
	for (i = 0; i < c->param_args.n && !rc; i++)
		rc = param_option(c->params, "--param", c->param_args.v[i], c->cc);
	return rc;
}

/* The events would be replaced by what came of them. */
static int check_out(const struct cmd *c)
{
	struct stat in, out;

	if (stat(c->rec.path, &in) || stat(c->out, &out) || in.st_dev != out.st_dev ||
	    in.st_ino != out.st_ino)
		return 0;
	return usage_error("--out %s: that is the file of --in", c->out);
}

static int check_parts(const char *kdir)
{
	static const char *const parts[] = { "linux", "rxe_cc.ko", "rxe_cc_events.ko" };
	char *path;
	size_t i;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(parts) && !rc; i++) {
		path = xasprintf("%s/%s", kdir, parts[i]);
		rc = built(path);
		free(path);
	}
	return rc;
}

static void add_module(struct json_object *list, const char *kdir, const char *name)
{
	char *path = xasprintf("%s/%s.ko", kdir, name);

	json_object_array_add(list, json_object_new_string(path));
	free(path);
}

/* The file's parameters hold for the algorithm that it was made with. */
static bool use_file_params(const struct cmd *c)
{
	return c->rec.cc && strcmp(c->rec.cc, c->cc) == 0 && !c->preset;
}

static int save_job(struct cmd *c, const char *work)
{
	struct json_object *job = json_object_new_object(), *list = json_object_new_array();
	char *path = xasprintf("%s/events.bin", work), *raw = xasprintf("%s/raw", work);
	FILE *f = fopen(path, "we");
	int rc = 0;

	add_module(list, c->u.kernel_dir, "rxe_cc");
	add_module(list, c->u.kernel_dir, "rxe_cc_events");
	job_add_str(job, J_MODE, "replay");
	job_add(job, J_MODULES, list);
	job_add_str(job, J_MODULE_DIR, c->u.kernel_dir);
	job_add_str(job, J_ALGO, c->cc);
	if (c->preset)
		job_add_str(job, J_PRESET, c->preset);
	job_add_int(job, J_LATE, c->rec.late_ns);
	if (use_file_params(c))
		job_add(job, J_FILE_PARAMS, json_object_get(c->rec.params));
	job_add(job, J_PARAMS, json_object_get(c->params));
	job_add_str(job, J_IN, path);
	job_add_str(job, J_OUT, raw);
	if (!f || fwrite(c->rec.buf, 1, c->rec.len, f) != c->rec.len || fflush(f))
		rc = run_error("%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	free(path);
	path = xasprintf("%s/job.json", work);
	if (!rc && (mkdir_p(raw) || js_save(job, path)))
		rc = run_error("%s: %s", path, strerror(errno));
	json_object_put(job);
	free(path);
	free(raw);
	return rc;
}

/* @all: the file's decisions have what those of before November 2026 have not. */
static bool same_decision(const struct rxe_cc_evt *a, const struct rxe_cc_evt *b, bool all)
{
	uint16_t flags = all ? UINT16_MAX : (uint16_t)~RXE_CC_EVT_F_LIFT;

	if (all && (a->decision.wants != b->decision.wants ||
		    a->decision.fb_ignore != b->decision.fb_ignore ||
		    a->decision.cnp_gap_ns != b->decision.cnp_gap_ns))
		return false;
	return a->kind == b->kind && a->t_ns == b->t_ns &&
	       a->flow == b->flow && a->cause == b->cause &&
	       (a->flags & flags) == (b->flags & flags) &&
	       a->decision.rate_bps == b->decision.rate_bps &&
	       a->decision.cwnd_bytes == b->decision.cwnd_bytes &&
	       a->decision.timer_ns == b->decision.timer_ns &&
	       memcmp(a->decision.fb, b->decision.fb, sizeof(a->decision.fb)) == 0;
}

static bool same_values(const struct rxe_cc_evt_value *a, const struct rxe_cc_evt_value *b,
			uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++)
		if (a[i].value != b[i].value || strcmp(a[i].name, b[i].name))
			return false;
	return true;
}

/* Of a command: what the algorithm returned; for whom it was comes from the file. */
static bool same_answer(const struct rxe_cc_evt *a, const struct rxe_cc_evt *b)
{
	return a->kind == b->kind && a->t_ns == b->t_ns && a->flow == b->flow &&
	       a->cmd.err == b->cmd.err && a->cmd.nr_answers == b->cmd.nr_answers &&
	       same_values(a->cmd.answer, b->cmd.answer, a->cmd.nr_answers);
}

struct output {
	struct cmd *c;
	FILE *f;
	size_t n;			/* decisions made, and answers that are compared */
	bool differs;
	int64_t line;			/* of the first that is another; 0: one too many */
};

static int write_decision(struct output *o, const struct rxe_cc_evt *e)
{
	struct recording *r = &o->c->rec;
	struct event_row row = { .e = e, .t0_ns = r->t0_ns };
	bool answer = e->kind == RXE_CC_EVT_CMD;

	if ((e->kind != RXE_CC_EVT_DECISION && !answer) || e->cause >= RXE_CC_EVT_KINDS ||
	    !event_kinds[e->cause] || e->flow >= r->n_flows ||
	    (event_of_port(e) && e->port >= r->n_ports))
		return run_error("decisions.bin: a record that cannot be");
	row.flow = r->flows[e->flow];
	if (event_of_port(e))
		row.port = r->ports[e->port];
	events_row(o->f, &row);
	if (answer && !r->answered)
		return 0;
	if (!o->differs && r->n_decisions &&
	    (o->n >= r->n_decisions ||
	     !(answer ? same_answer(r->decisions[o->n].e, e) :
			same_decision(r->decisions[o->n].e, e, r->all_decided)))) {
		o->differs = true;
		o->line = o->n < r->n_decisions ? r->decisions[o->n].line : 0;
	}
	o->n++;
	return 0;
}

/* What the algorithm would be told. */
static int write_events(struct output *o)
{
	struct recording *r = &o->c->rec;
	const struct rxe_cc_evt *e;
	size_t at;

	for (at = 0; at < r->len; at += e->len) {
		struct event_row row = { .t0_ns = r->t0_ns };

		e = (const struct rxe_cc_evt *)(r->buf + at);
		row.e = e;
		row.flow = r->flows[e->flow];
		row.hops = (const void *)(r->buf + at + event_sample_len(e->kind));
		if ((e->kind >= RXE_CC_EVT_INIT && e->kind <= RXE_CC_EVT_ENV) || event_of_port(e))
			row.port = r->ports[e->port];
		events_row(o->f, &row);
	}
	return 0;
}

static int write_decisions(struct output *o, const char *work)
{
	char *path = xasprintf("%s/raw/decisions.bin", work), *buf;
	const size_t head = offsetof(struct rxe_cc_evt, sample);
	struct rxe_cc_evt e;
	size_t len, at;
	int rc = 0;

	buf = read_file(path, &len);
	if (!buf)
		rc = run_error("%s: %s", path, strerror(errno));
	for (at = 0; !rc && at < len; at += e.len) {
		memset(&e, 0, sizeof(e));
		memcpy(&e, buf + at, len - at < sizeof(e) ? len - at : sizeof(e));
		if (e.len < head || e.len > len - at)
			rc = run_error("%s: cut off", path);
		else
			rc = write_decision(o, &e);
	}
	free(buf);
	free(path);
	return rc;
}

/* Other decisions than those of the file, if it has any. */
static bool differs(const struct output *o)
{
	return o->c->rec.n_decisions && (o->differs || o->n != o->c->rec.n_decisions);
}

static void say(struct output *o)
{
	struct recording *r = &o->c->rec;
	struct run_times *t = &o->c->u.times;

	printf("%" PRId64 " events, %zu decisions", r->n_events, o->n);
	if (t->traffic_s > 0)
		printf(", %.0f events/s in the kernel", r->n_events / t->traffic_s);
	if (t->wall_s > 0)
		printf(", %.0f events/s with its start", r->n_events / t->wall_s);
	putchar('\n');
	if (!r->n_decisions)
		return;
	if (!differs(o))
		printf("all as recorded\n");
	else if (o->line)
		printf("not as recorded: line %" PRId64 " is the first other one\n", o->line);
	else
		printf("not as recorded: %zu decisions in the file\n", r->n_decisions);
}

/* Under another name first: a file that is there is whole. */
static int write_out(struct cmd *c, const char *work)
{
	char *tmp = xasprintf("%s.%d.tmp", c->out, (int)getpid());
	struct output o = { .c = c, .f = fopen(tmp, "we") };
	int rc;

	if (!o.f) {
		rc = run_error("--out %s: %s", c->out, strerror(errno));
		free(tmp);
		return rc;
	}
	if (c->check)
		events_head(o.f, c->rec.cc, c->rec.t0_ns, c->rec.params);
	else
		events_head(o.f, c->cc, c->rec.t0_ns, use_file_params(c) ? c->rec.params : NULL);
	rc = c->check ? write_events(&o) : write_decisions(&o, work);
	if (file_close(o.f) && !rc)
		rc = run_error("--out %s: %s", c->out, strerror(errno));
	if (!rc && rename(tmp, c->out))
		rc = run_error("--out %s: %s", c->out, strerror(errno));
	if (rc)
		unlink(tmp);
	else if (!c->quiet && !c->check)
		say(&o);
	free(tmp);
	return rc || c->check || !differs(&o) ? rc : EXIT_DIFFERS;
}

/* A kernel that complained may have decided anything. */
static int check_console(struct cmd *c)
{
	char *path = xasprintf("%s/console.log", c->u.work_dir), *text = read_file(path, NULL);
	int rc = 0;

	if (!text)
		rc = run_error("%s: %s", path, strerror(errno));
	else if (uml_splats(&c->u, text))
		rc = EXIT_RUN_FAILED;
	free(text);
	free(path);
	return rc;
}

static int replay(struct cmd *c)
{
	char *work = work_dir_make(), *raw;
	int rc;

	if (!work)
		return EXIT_RUN_FAILED;
	c->u.work_dir = work;
	raw = xasprintf("%s/raw", work);
	rc = save_job(c, work);
	if (!rc)
		rc = uml_run(&c->u);
	if (!rc)
		rc = uml_status(&c->u, raw);
	if (!rc)
		rc = check_console(c);
	if (!rc)
		rc = write_out(c, work);
	work_dir_remove(work);
	free(raw);
	return rc;
}

int cmd_replay(int argc, char **argv)
{
	struct cmd c = {
		.timeout_s = TIMEOUT_S,
		.params = json_object_new_object(),
		.rec.defs = {
			.min_rate_bps = DEF_MIN_RATE_BPS, .pkt_bytes = DEF_PKT_BYTES,
			.ts_bits = 64, .tx_bits = 64, .tx_unit = 1, .qlen_unit = 1,
		},
	};
	char *kdir = NULL;
	int rc;

	rc = parse_args(&c, argc, argv);
	if (!rc)
		rc = check_out(&c);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	c.rec.for_cc = c.cc;
	if (c.check) {
		rc = recording_read(&c.rec);
		if (!rc)
			rc = write_out(&c, NULL);
		goto out;
	}
	kdir = kernel_dir(c.debug);
	c.u = (struct uml) {
		.kernel_dir = kdir, .label = "replay", .quiet = true, .timeout_s = c.timeout_s,
		.mem_mb = MEM_MB,
	};
	rc = check_parts(kdir);
	if (!rc)
		rc = cc_check(kdir, (char **)&c.cc, 1);
	if (!rc && strchr(c.cc, ':'))
		rc = usage_error("--cc %s: give parameters by --param", c.cc);
	if (!rc && strcmp(c.cc, NONE) == 0)
		rc = usage_error("--cc: \"none\" decides nothing");
	if (!rc)
		rc = known_algo(kdir, c.debug, c.cc, c.params, c.preset);
	if (!rc)
		rc = recording_read(&c.rec);
	if (!rc)
		rc = uml_check_room(MEM_MB);
	if (!rc)
		rc = replay(&c);
out:
	recording_free(&c.rec);
	json_object_put(c.params);
	free(c.param_args.v);
	free(c.u.error);
	free(kdir);
	return rc;
}
