// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: saves the congestion control events that the kernel records, and replays a file of
 * events to an algorithm.
 *
 * Both go by the debugfs files of rxe_cc_events.ko. Reading what was recorded
 * reads no clock and never fails, so it takes no virtual time: the run is the
 * same with and without it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/rxe_cc_events.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/cc_event_record_replay.h"

#define EVENTS_DIR	"/sys/kernel/debug/rxe_cc_events"
#define BUFFER_MB	"/sys/module/rxe_cc_events/parameters/buffer_mb"
#define IO_BYTES	(256 * 1024)

/* As in a run: the kernel refused what the user wrote. */
#define STATUS_REFUSED	126

/**
 * recorder_open() - have the kernel record from now on
 * @r: recorder; with nothing to record it does nothing ever after
 * @job: "events": megabytes for what happens between two samples; 0: do not
 * @out: directory; receives events.bin
 *
 * Return: 0, or -1 after fail().
 */
int recorder_open(struct recorder *r, struct json_object *job, const char *out)
{
	int64_t mb = job_int(job, J_EVENTS, 0);
	char *path;

	r->fd = -1;
	if (!mb)
		return 0;
	if (write_file(BUFFER_MB, "%" PRId64, mb))
		return fail("%s: %s", BUFFER_MB, strerror(errno));
	r->fd = open(EVENTS_DIR "/record", O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return fail("%s/record: %s", EVENTS_DIR, strerror(errno));
	path = xasprintf("%s/events.bin", out);
	r->out = fopen(path, "we");
	if (!r->out)
		fail("%s: %s", path, strerror(errno));
	free(path);
	r->buf = xcalloc(1, IO_BYTES);
	return r->out ? 0 : -1;
}

/**
 * recorder_params() - which parameters the events are about
 * @r: recorder
 * @cc: socket from cc_open(), NULL when there is no congestion control
 * @dev: any device: all are set alike
 * @out: directory; receives events.json
 *
 * Return: 0, or -1 after fail().
 */
int recorder_params(struct recorder *r, struct nl *cc, const char *dev, const char *out)
{
	struct json_object *doc, *params;
	char *path;
	int rc = 0;

	if (r->fd < 0)
		return 0;
	doc = json_object_new_object();
	params = json_object_new_object();
	json_object_object_add(doc, "params", params);
	path = xasprintf("%s/events.json", out);
	if (cc && dev)
		rc = cc_dev_params(cc, dev, params, NULL);
	if (!rc && js_save(doc, path))
		rc = fail("%s: %s", path, strerror(errno));
	json_object_put(doc);
	free(path);
	return rc;
}

/**
 * recorder_drain() - take what was recorded since the last time
 * @r: recorder
 *
 * Return: 0, or -1 after fail(), also when the kernel lost an event.
 */
int recorder_drain(struct recorder *r)
{
	ssize_t n;

	if (r->fd < 0)
		return 0;
	while ((n = read(r->fd, r->buf, IO_BYTES)) > 0)
		if (fwrite(r->buf, 1, n, r->out) != (size_t)n)
			return fail("events.bin: %s", strerror(errno));
	if (!n)
		return 0;
	if (errno == ENOBUFS)
		return fail("events were lost: too many between two samples; a shorter \"sample\" or a larger --events-mb");
	return fail("%s/record: %s", EVENTS_DIR, strerror(errno));
}

/**
 * recorder_close() - end of the recording
 * @r: recorder
 *
 * Return: 0, or -1 after fail().
 */
int recorder_close(struct recorder *r)
{
	int rc = recorder_drain(r);

	if (r->fd < 0)
		return 0;
	close(r->fd);
	if (file_close(r->out))
		rc = fail("events.bin: %s", strerror(errno));
	free(r->buf);
	return rc;
}

struct player {
	int fd;
	FILE *in, *out;
	char *buf;
};

/* Answers; an error among them is said, and is the user's. */
static int take_answers(struct player *p)
{
	ssize_t n, at;

	while ((n = read(p->fd, p->buf, IO_BYTES)) > 0) {
		for (at = 0; at < n; at += ((struct rxe_cc_evt *)(p->buf + at))->len) {
			struct rxe_cc_evt *e = (struct rxe_cc_evt *)(p->buf + at);

			if (e->kind != RXE_CC_EVT_ERROR)
				continue;
			fail("%.*s", RXE_CC_EVT_TEXT_MAX, e->text);
			return STATUS_REFUSED;
		}
		if (fwrite(p->buf, 1, n, p->out) != (size_t)n)
			return fail("decisions.bin: %s", strerror(errno)), 125;
	}
	return n < 0 ? fail("%s/replay: %s", EVENTS_DIR, strerror(errno)), 125 : 0;
}

static int put(struct player *p, const void *data, size_t len)
{
	ssize_t n = write(p->fd, data, len);
	int err = errno, rc = take_answers(p);

	if (rc || n == (ssize_t)len)
		return rc;
	return fail("%s/replay: %s", EVENTS_DIR, n < 0 ? strerror(err) : "not taken"), 125;
}

static int put_setup(struct player *p, struct json_object *job)
{
	struct rxe_cc_evt e = { .kind = RXE_CC_EVT_SETUP };

	e.len = offsetof(struct rxe_cc_evt, setup) + sizeof(e.setup);
	snprintf(e.setup.algo, sizeof(e.setup.algo), "%s", job_str(job, J_ALGO, ""));
	snprintf(e.setup.preset, sizeof(e.setup.preset), "%s", job_str(job, J_PRESET, ""));
	e.setup.late_ns = job_int(job, J_LATE, 0);
	return put(p, &e, e.len);
}

static int put_param(struct player *p, const char *name, uint64_t value)
{
	struct rxe_cc_evt e = { .kind = RXE_CC_EVT_PARAM };

	e.len = offsetof(struct rxe_cc_evt, param) + sizeof(e.param);
	snprintf(e.param.name, sizeof(e.param.name), "%s", name);
	e.param.value = value;
	return put(p, &e, e.len);
}

/* First what the file says, as plain numbers, then what the user says. */
static int put_params(struct player *p, struct json_object *job, struct json_object *units)
{
	struct json_object *file = job_get(job, J_FILE_PARAMS), *user = job_get(job, J_PARAMS);
	char why[PARAM_WHY_MAX];
	__u64 value;
	int rc;

	if (file) {
		json_object_object_foreach(file, name, val) {
			value = strtoull(json_object_get_string(val), NULL, 10);
			rc = put_param(p, name, value);
			if (rc)
				return rc;
		}
	}
	if (user) {
		json_object_object_foreach(user, name, val) {
			const char *unit = js_str(units, name, "count");
			const char *text = json_object_get_string(val);

			if (!param_parse(param_unit_by_name(unit), text, &value, why, sizeof(why)))
				return fail("%s=%s: %s", name, text, why),
				       STATUS_REFUSED;
			rc = put_param(p, name, value);
			if (rc)
				return rc;
		}
	}
	return 0;
}

/* Whole records at a time. */
static int put_events(struct player *p)
{
	size_t have = 0, whole, n;
	char *buf = xcalloc(1, IO_BYTES);
	uint32_t len;
	int rc = 0;

	while (!rc && (n = fread(buf + have, 1, IO_BYTES - have, p->in)) > 0) {
		have += n;
		for (whole = 0; whole + sizeof(len) <= have; whole += len) {
			memcpy(&len, buf + whole, sizeof(len));
			if (len < sizeof(len) || whole + len > have)
				break;
		}
		rc = put(p, buf, whole);
		have -= whole;
		memmove(buf, buf + whole, have);
	}
	free(buf);
	return rc || !have ? rc : (fail("events.bin: cut off"), 125);
}

static int play(struct player *p, struct json_object *job)
{
	struct json_object *units = json_object_new_object();
	struct nl cc = {};
	int rc;

	/* The kernel loads the algorithm for the set-up; then it has units. */
	rc = put_setup(p, job);
	if (!rc && (cc_open(&cc) ||
		    cc_units(&cc, job_str(job, J_ALGO, ""), NULL, units, NULL, NULL)))
		rc = 125;
	if (!rc)
		rc = put_params(p, job, units);
	if (!rc)
		mark("setup-done");
	if (!rc)
		rc = put_events(p);
	mark("traffic-end");
	json_object_put(units);
	return rc;
}

/**
 * replay_job() - run an algorithm on a file of events
 * @job: "algo", "preset", "params" as the user wrote them, "file_params" as
 *	numbers, "late_ns"; "in": file of records; decisions.bin goes to "out"
 *
 * Return: exit status.
 */
int replay_job(struct json_object *job)
{
	char *path = xasprintf("%s/decisions.bin", job_str(job, J_OUT, "."));
	struct player p = { .fd = open(EVENTS_DIR "/replay", O_RDWR | O_CLOEXEC) };
	int rc = 125;

	p.in = fopen(job_str(job, J_IN, ""), "re");
	p.out = fopen(path, "we");
	p.buf = xcalloc(1, IO_BYTES);
	if (p.fd < 0)
		fail("%s/replay: %s", EVENTS_DIR, strerror(errno));
	else if (!p.in || !p.out)
		fail("%s: %s", p.in ? path : job_str(job, J_IN, ""), strerror(errno));
	else
		rc = play(&p, job);
	if (p.out && file_close(p.out) && !rc)
		rc = (fail("%s: %s", path, strerror(errno)), 125);
	if (p.in)
		fclose(p.in);
	if (p.fd >= 0)
		close(p.fd);
	free(p.buf);
	free(path);
	return rc;
}
