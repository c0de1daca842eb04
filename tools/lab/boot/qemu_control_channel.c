// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: the control channel. It sends words to guests, reads their lines, and
 * compares their clocks with ours.
 *
 * tools/lab/guest/control_channel.c and flowgen_coordination.c are the other side.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boot/qemu.h"

/* From the word to the start: guests set timers and start their samples then. */
#define LEAD_NS		(2 * NSEC_PER_SEC)
#define POLL_MS		500
#define SHORT_MS	50
#define PINGS		60
#define PONG_TIMEOUT_NS	(20 * NSEC_PER_SEC)
/* So many boots of a guest may be lost. */
#define SPOILED_BOOTS	3

/**
 * qemu_say() - a line to a guest
 * @g: guest; one that is gone is heard of later
 * @fmt: as for printf
 */
void qemu_say(struct qemu_guest *g, const char *fmt, ...)
{
	char line[QEMU_LINE];
	va_list ap;
	ssize_t n;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	line[len++] = '\n';
	n = g->ctl >= 0 ? write(g->ctl, line, len) : 0;
	(void)n;
}

/* The same to all. */
void qemu_say_all(struct qemu *q, const char *word)
{
	int i;

	for (i = 0; i < q->n_guests; i++)
		qemu_say(&q->guests[i], "%s", word);
}

/**
 * qemu_say_start() - to all, by the clock of each: when traffic starts
 * @q: guests, after qemu_clocks(); receives t0_ns
 */
void qemu_say_start(struct qemu *q)
{
	int i;

	q->t0_ns = now_ns(CLOCK_MONOTONIC) + LEAD_NS;
	for (i = 0; i < q->n_guests; i++)
		qemu_say(&q->guests[i], "go %" PRId64,
			 q->t0_ns + q->guests[i].before.ahead_ns);
}

static void on_mark(struct qemu *q, struct qemu_guest *g, const char *text)
{
	static const struct {
		const char *word;
		enum qemu_said what;
	} words[] = {
		{ "boot", QEMU_BOOT }, { "ends", QEMU_ENDS }, { "setup-done", QEMU_READY },
		{ "done", QEMU_DONE }, { "shell", QEMU_SHELL },
	};
	int64_t t;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(text, words[i].word) == 0)
			g->said[words[i].what] = true;
	if (sscanf(text, "t %" SCNd64, &t) == 1 && t > q->u->virtual_ns)
		q->u->virtual_ns = t;
	if (sscanf(text, "exit %d", &g->status) == 1)
		g->said[QEMU_EXIT] = true;
}

static void on_line(struct qemu *q, struct qemu_guest *g, char *line)
{
	char *text = strchr(line, ' ');

	if (!text)
		return;
	*text++ = '\0';
	if (strcmp(line, "mark") == 0)
		on_mark(q, g, text);
	else if (strcmp(line, "pong") == 0)
		sscanf(text, "%" SCNd64 " %" SCNd64, &g->pong_seq, &g->pong_ns);
	else if (strcmp(line, "error") == 0 && !g->error)
		g->error = xstrdup(text);
}

/* What a kernel says at its end; the line to be freed, or NULL. */
static char *last_words(const struct qemu *q, const struct qemu_guest *g)
{
	static const char *const words[] = { "Oops", "BUG:", "Kernel panic", "@lab:error" };
	char *path = xasprintf("%s/console-%d.log", q->work, g->number);
	char *text = read_file(path, NULL), *at = NULL, *line = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words) && text && !at; i++)
		at = strstr(text, words[i]);
	if (at)
		line = xasprintf("%.*s", (int)strcspn(at, "\r\n"), at);
	free(text);
	free(path);
	if (line)
		return line;
	path = xasprintf("%s/qemu-%d.log", q->work, g->number);
	text = read_file(path, NULL);
	if (text && *text)
		line = xasprintf("%.*s", (int)strcspn(text, "\r\n"), text);
	free(text);
	free(path);
	return line;
}

/*
 * A kernel that changes its own code puts a breakpoint there until all processors have
 * seen it. In the software emulation of QEMU before 8.1 one may still meet the breakpoint
 * when the kernel has forgotten it: the guest dies, and boots when it is asked again.
 */
static bool spoiled(const struct qemu *q, const struct qemu_guest *g, const char *why)
{
	return strcmp(q->accel, "tcg") == 0 && !g->said[QEMU_BOOT] && g->boots < SPOILED_BOOTS &&
	       why && strncmp(why, "Oops: int3", strlen("Oops: int3")) == 0;
}

static int guest_gone(struct qemu *q, struct qemu_guest *g)
{
	char *why;

	close(g->ctl);
	g->ctl = -1;
	if (g->said[QEMU_EXIT])
		return 0;
	why = g->error ? xstrdup(g->error) : last_words(q, g);
	if (spoiled(q, g, why)) {
		free(why);
		return qemu_restart(q, g);
	}
	run_error("%s: guest %d (%s) has ended%s%s", q->u->label, g->number, g->nodes,
		  why ? ": " : "", why ? why : "");
	free(why);
	return EXIT_RUN_FAILED;
}

static int take(struct qemu *q, struct qemu_guest *g)
{
	char buf[4096];
	ssize_t n = read(g->ctl, buf, sizeof(buf)), i;

	if (n <= 0)
		return n < 0 && errno == EINTR ? 0 : guest_gone(q, g);
	for (i = 0; i < n; i++) {
		if (buf[i] != '\n') {
			if (g->len < sizeof(g->line) - 1)
				g->line[g->len++] = buf[i];
			continue;
		}
		g->line[g->len] = '\0';
		g->len = 0;
		on_line(q, g, g->line);
	}
	return 0;
}

static void progress(struct qemu *q)
{
	struct uml *u = q->u;
	double wall = (now_ns(CLOCK_MONOTONIC) - q->start_ns) / 1e9;

	if (u->quiet || !u->tty)
		return;
	if (!q->t0_ns)
		fprintf(stderr, "\r\033[K%s: %d guests, set-up, %.1f s", u->label, q->n_guests,
			wall);
	else
		fprintf(stderr, "\r\033[K%s: time %.3f ms (%.0f%% of the ideal), %.1f s", u->label,
			u->virtual_ns / 1e6,
			u->expect_ns > 0 ? 100.0 * u->virtual_ns / u->expect_ns : 0, wall);
	fflush(stderr);
}

/* One look at all of them. */
static int look(struct qemu *q, int timeout_ms, bool signals)
{
	struct pollfd *pfd = xcalloc(q->n_guests, sizeof(*pfd));
	int i, rc = 0;

	for (i = 0; i < q->n_guests; i++)
		pfd[i] = (struct pollfd){ .fd = q->guests[i].ctl, .events = POLLIN };
	if (poll(pfd, q->n_guests, timeout_ms) > 0)
		for (i = 0; i < q->n_guests && !rc; i++)
			if (pfd[i].revents)
				rc = take(q, &q->guests[i]);
	free(pfd);
	if (signals && work_interrupted())
		return interrupted_error();
	if (!rc && now_ns(CLOCK_MONOTONIC) > q->deadline_ns)
		return run_error("%s: no end after %" PRId64 " s of wall time (--timeout)",
				 q->u->label, q->u->timeout_s);
	return rc;
}

/**
 * qemu_poll() - for a short time, look at what guests say
 * @q: guests
 * @signals: a signal is an error
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_poll(struct qemu *q, bool signals)
{
	return look(q, SHORT_MS, signals);
}

/* Has one of them given up? Its reason is the run's. */
static bool gave_up(struct qemu *q)
{
	int i;

	for (i = 0; i < q->n_guests; i++) {
		struct qemu_guest *g = &q->guests[i];

		if (!g->error && !g->said[QEMU_EXIT])
			continue;
		if (g->error && !q->u->error)
			q->u->error = xasprintf("guest %d (%s): %s", g->number, g->nodes,
						g->error);
		return true;
	}
	return false;
}

/**
 * qemu_until() - wait until all guests have said something
 * @q: guests
 * @what: what
 * @hosts_only: of those that have hosts
 *
 * Return: 0, -1 if one has given up, or the exit status after a message.
 */
int qemu_until(struct qemu *q, enum qemu_said what, bool hosts_only)
{
	int i, left, rc;

	do {
		rc = look(q, POLL_MS, true);
		for (i = 0, left = 0; i < q->n_guests; i++)
			left += (!hosts_only || q->guests[i].hosts) && !q->guests[i].said[what];
		progress(q);
		if (!rc && left && what != QEMU_EXIT && gave_up(q))
			rc = -1;
	} while (left && !rc);
	return rc;
}

/*
 * Asked for its time again and again: the answer that came fastest tells most. It
 * was given between question and answer, at worst at either end.
 */
static int one_clock(struct qemu *q, struct qemu_guest *g, struct qemu_clock *c)
{
	int64_t sent, now, seq, first = g->pong_seq + 1;
	int rc = 0;

	c->error_ns = INT64_MAX;
	for (seq = first; seq < first + PINGS && !rc; seq++) {
		sent = now_ns(CLOCK_MONOTONIC);
		now = sent;
		qemu_say(g, "ping %" PRId64, seq);
		while (!rc && g->pong_seq != seq) {
			rc = look(q, POLL_MS, true);
			now = now_ns(CLOCK_MONOTONIC);
			if (!rc && (now - sent > PONG_TIMEOUT_NS || g->ctl < 0))
				rc = run_error("%s: guest %d (%s) does not answer", q->u->label,
					       g->number, g->nodes);
		}
		if (!rc && (now - sent) / 2 < c->error_ns)
			*c = (struct qemu_clock){
				.at_ns = (now + sent) / 2,
				.ahead_ns = g->pong_ns - (now + sent) / 2,
				.error_ns = (now - sent + 1) / 2,
			};
	}
	return rc;
}

/**
 * qemu_clocks() - how far the clocks of all guests are ahead of ours
 * @q: guests, all of which wait
 * @after: fill in their "after", not "before"
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_clocks(struct qemu *q, bool after)
{
	int i, rc = 0;

	for (i = 0; i < q->n_guests && !rc; i++)
		rc = one_clock(q, &q->guests[i],
			       after ? &q->guests[i].after : &q->guests[i].before);
	return rc;
}

/**
 * qemu_connect() - all queue pairs made, then connected, then all clocks known
 * @q: guests
 *
 * Return: 0, -1 if one has given up, or the exit status after a message.
 */
int qemu_connect(struct qemu *q)
{
	int rc = qemu_until(q, QEMU_ENDS, false);

	if (rc)
		return rc;
	qemu_say_all(q, "connect");
	rc = qemu_until(q, QEMU_READY, false);
	return rc ? rc : qemu_clocks(q, false);
}
