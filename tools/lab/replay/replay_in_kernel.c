// SPDX-License-Identifier: GPL-2.0
/*
 * lab replay: a recording into the kernel's algorithm, what it decides out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay/events_csv.h"

#define MEM_MB		1024

/* The events would be replaced by what came of them. */
static int check_out(const struct replay *c)
{
	struct stat in, out;

	if (stat(c->rec.path, &in) || stat(c->out, &out) || in.st_dev != out.st_dev ||
	    in.st_ino != out.st_ino)
		return 0;
	return usage_error("--out %s: that is the file of --in", c->out);
}

static void add_module(struct json_object *list, const char *kdir, const char *name)
{
	char *path = xasprintf("%s/%s.ko", kdir, name);

	json_object_array_add(list, json_object_new_string(path));
	free(path);
}

/* The file's parameters hold for the algorithm that it was made with. */
static bool use_file_params(const struct replay *c)
{
	return c->rec.cc && strcmp(c->rec.cc, c->cc) == 0 && !c->preset;
}

static int save_job(struct replay *c, const char *work)
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

/* In some columns. */
static bool same_columns(const struct rxe_cc_evt *a, const struct rxe_cc_evt *b, enum column from,
			 enum column to)
{
	const struct event_field *d;
	enum column col;

	for (col = from; col <= to; col++) {
		d = event_field(a, col);
		if (d && (memcmp((char *)a + d->at, (char *)b + d->at, d->size) ||
			  (a->flags ^ b->flags) & d->flag))
			return false;
	}
	return true;
}

/*
 * Of a command: what the algorithm returned; for whom it was comes from the file. @all: the
 * file's decisions have what those of before November 2026 have not.
 */
static bool same_event(const struct rxe_cc_evt *a, const struct rxe_cc_evt *b, bool all)
{
	if (a->kind != b->kind || a->t_ns != b->t_ns || a->flow != b->flow)
		return false;
	if (a->kind == RXE_CC_EVT_CMD)
		return same_columns(a, b, COL_ERR, COL_ANSWER);
	return same_columns(a, b, COL_CAUSE, COL_TOLD) &&
	       (!all || same_columns(a, b, COL_WANTS, COL_CAP_LIFT));
}

struct output {
	struct replay *c;
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
	     !same_event(r->decisions[o->n].e, e, r->all_decided))) {
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
static int write_out(struct replay *c, const char *work)
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
static int check_console(struct replay *c)
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

static int replay(struct replay *c)
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

/**
 * replay_run() - read a recording, run the algorithm on it, write what it decides
 * @c: command line
 *
 * Return: exit status, after a message where it is not 0.
 */
int replay_run(struct replay *c)
{
	int rc = check_out(c);

	c->rec.for_cc = c->cc;
	c->u = (struct uml) {
		.kernel_dir = c->kdir, .label = "replay", .quiet = true,
		.timeout_s = c->timeout_s, .mem_mb = MEM_MB,
	};
	if (!rc)
		rc = recording_read(&c->rec);
	if (!rc && c->check)
		rc = write_out(c, NULL);
	else if (!rc)
		rc = uml_check_room(MEM_MB) ?: replay(c);
	recording_free(&c->rec);
	free(c->u.error);
	return rc;
}
