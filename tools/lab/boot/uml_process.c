// SPDX-License-Identifier: GPL-2.0
/*
 * lab, UML (User-Mode Linux) backend: starts the lab kernel, watches its console, ends it.
 * boot/uml_copies.h says how one kernel serves several jobs.
 *
 * The kernel is a process of the host in a process group of its own, so that a
 * timeout or Ctrl-C ends all of its helpers too.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "boot/one_processor.h"
#include "boot/stalled_time.h"
#include "boot/uml_copies.h"

#define MARK		"@lab:"
#define POLL_MS		500
/* Of wall time that the lab's time may stand still while programs of the user's run. */
#define STALL_NS	(10 * NSEC_PER_SEC)
#define LINE_MAX_LEN	4096

/* A script's output is the script's: of the kernel only warnings and worse beside it. */
#define LOGLEVEL_WARNING	"loglevel=5"
#define LOGLEVEL_ALL		"loglevel=7"

/* labinit's exit status when the kernel refused algorithm or parameters. */
#define STATUS_REFUSED	126

/* The lab's calendar: a fixed date, or file times would differ between runs. */
#define VIRTUAL_EPOCH_NS	"1700000000000000000"

struct watch {
	struct uml *u;
	FILE *log;
	char line[LINE_MAX_LEN];
	size_t len;
	struct uml_copies *copies;	/* NULL: a kernel for this job alone */
	bool booted, began;		/* began: the job, in a copy of the kernel */
	bool script;			/* one, or top, runs: what it prints is relayed */
	pid_t kernel;			/* of this job alone; 0: it is a copy */
	struct stalled stalled;
	bool in_mark;			/* within a line of labinit, while that is so */
	size_t held;			/* bytes that may be the beginning of MARK */
	int64_t start_ns, boot_ns, setup_ns, end_ns;
	uint64_t hops;
};

static const char *shm_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/dev/shm";
}

/**
 * uml_room_mb() - room for the memory of lab kernels
 *
 * Return: megabytes; -1 with errno set.
 */
int64_t uml_room_mb(void)
{
	struct statvfs st;

	return statvfs(shm_dir(), &st) ? -1 : (int64_t)((uint64_t)st.f_bavail * st.f_frsize >> 20);
}

/**
 * uml_check_room() - is there room for the lab kernel's memory, which is a file
 * @mem_mb: its size
 *
 * Return: 0, or the exit status after a message.
 */
int uml_check_room(int64_t mem_mb)
{
	const char *dir = shm_dir();
	int64_t free_mb = uml_room_mb();

	if (free_mb < 0)
		return run_error("%s: %s", dir, strerror(errno));
	if (free_mb < mem_mb)
		return run_error("%s: %" PRId64 " MB free, the lab kernel's memory needs %" PRId64
				 " MB (--mem, or TMPDIR=DIR)", dir, free_mb, mem_mb);
	return 0;
}

/**
 * uml_start() - start the lab kernel
 * @u: kernel and directories
 * @c: what the process gets; its words are filled in here. With @c->in its console is
 *	standard input and output, not only the latter. With @c->keep it makes copies of itself,
 *	by what it reads there
 *
 * Return: its process, or -1 with errno set.
 */
pid_t uml_start(struct uml *u, struct child *c)
{
	char *words[] = {
		xasprintf("%s/linux", u->kernel_dir), xasprintf("mem=%" PRId64 "M", u->mem_mb),
		"root=none", "rootfstype=hostfs", "rootflags=/", "rw",
		xasprintf("init=%s/build/bin/labinit", lab_root()),
		xasprintf("lab_job=%s/job.json", u->work_dir),
		xasprintf("uml_dir=%s/", u->work_dir), "umid=lab", "con=null",
		xasprintf("um_copies=%d", c->n_keep ? c->keep[0] : -1),
		c->in ? "con0=fd:0,fd:1" : "con0=null,fd:1",
		u->relay ? LOGLEVEL_WARNING : LOGLEVEL_ALL,
		u->real ? NULL : "time-travel=inf-cpu",
		"time-travel-start=" VIRTUAL_EPOCH_NS, NULL
	};
	cpu_set_t before;
	pid_t pid;

	c->argv = words;
	c->group = true;
	c->death = SIGKILL;
	if (u->real || !processor_take(&before))
		return child_start(c);
	pid = child_start(c);
	if (pid < 0)
		processor_give_back();
	processor_leave(&before);
	return pid;
}

/* Which kernels a test has booted: selftests/run.sh wants to know. */
static void note_kernel(struct uml *u)
{
	const char *path = getenv("LAB_KERNELS"), *name = strrchr(u->kernel_dir, '-');
	FILE *f = path && *path ? fopen(path, "ae") : NULL;

	if (!f)
		return;
	fprintf(f, "%s\n", name ? name + 1 : u->kernel_dir);
	fclose(f);
}

static void progress(struct watch *w, bool last)
{
	struct uml *u = w->u;
	double wall = (now_ns(CLOCK_MONOTONIC) - w->start_ns) / 1e9;
	char hops[48] = "";	/* once all is over */
	char percent[48] = "";	/* how long programs take nobody knows */

	/* What is relayed has the screen. */
	if (u->quiet || (!last && (!u->tty || w->script)))
		return;
	if (u->expect_ns > 0)
		snprintf(percent, sizeof(percent), " (%.0f%% of the ideal)",
			 100.0 * u->virtual_ns / u->expect_ns);
	if (w->hops)
		snprintf(hops, sizeof(hops), "%" PRIu64 " packet hops, ", w->hops);
	fprintf(stderr, "%s%s: %s %.3f ms%s, %s%.1f s%s",
		u->tty ? "\r\033[K" : "", u->label, u->real ? "time" : "virtual time",
		u->virtual_ns / 1e6, percent, hops, wall, last ? "\n" : "");
	fflush(stderr);
}

/* From now on programs may spin that are not ours. */
static void watch_programs(struct watch *w)
{
	char *path = xasprintf("%s/linux", w->u->kernel_dir);

	if (w->kernel && !w->u->real)
		stalled_open(&w->stalled, w->kernel, path);
	free(path);
}

static void on_mark(struct watch *w, const char *text)
{
	int64_t now = now_ns(CLOCK_MONOTONIC);

	if (strcmp(text, "boot") == 0) {
		w->boot_ns = now;
		w->booted = true;
	} else if (strcmp(text, "job") == 0) {
		w->boot_ns = now;
		w->began = copies_begin(w->copies, w->log);
	} else if (strcmp(text, "setup-done") == 0) {
		w->setup_ns = now;
	} else if (strcmp(text, "traffic-end") == 0) {
		w->end_ns = now;
		stalled_close(&w->stalled);
	} else if (strcmp(text, "shell") == 0 || strcmp(text, "programs") == 0) {
		w->script = w->u->relay;
		watch_programs(w);
	} else if (strcmp(text, "top") == 0) {
		w->script = true;
	} else if (strcmp(text, "top-end") == 0) {
		w->script = false;
		fflush(stdout);
	} else if (strncmp(text, "exit ", 5) == 0) {
		w->script = false;
		stalled_close(&w->stalled);
	} else if (strncmp(text, "say ", 4) == 0) {
		if (!w->u->quiet)
			fprintf(stderr, "lab: %s: %s\n", w->u->label, text + 4);
	} else if (strncmp(text, "error ", 6) == 0 && !w->u->error) {
		w->u->error = xstrdup(text + 6);
	} else if (text[0] == 't' && text[1] == ' ') {
		sscanf(text, "t %" SCNd64, &w->u->virtual_ns);
	} else if (strncmp(text, "hops ", 5) == 0) {
		w->hops = strtoull(text + 5, NULL, 10);
	} else if (w->u->on_mark) {
		w->u->on_mark(w->u->mark_ctx, text);
	}
}

/* Before labinit's first word there is only what depends on the host. */
static void on_line(struct watch *w)
{
	w->line[w->len] = '\0';
	w->len = 0;
	if (strncmp(w->line, MARK, strlen(MARK)) == 0) {
		on_mark(w, w->line + strlen(MARK));
		if (strncmp(w->line, MARK "t ", strlen(MARK) + 2) == 0 ||
		    strcmp(w->line, MARK "job") == 0)
			return;
	}
	if (!w->booted && !strstr(w->line, "anic"))
		return;
	if (w->copies && !w->began)
		copies_said(w->copies, w->line);
	else
		fprintf(w->log, "%s\n", w->line);
}

/*
 * A byte while a script runs. It goes to stdout at once, whatever it is, except
 * that a line of labinit does not, which may begin in the middle of one.
 */
static void on_script_byte(struct watch *w, char c)
{
	if (c == MARK[w->held]) {
		if (++w->held < strlen(MARK))
			return;
		w->held = 0;
		w->in_mark = true;
		w->len = strlen(MARK);
		memcpy(w->line, MARK, w->len);
		return;
	}
	fwrite(MARK, 1, w->held, stdout);
	w->held = c == MARK[0];
	if (!w->held)
		putchar(c);
}

static void on_output(struct watch *w, const char *buf, ssize_t n)
{
	ssize_t i;

	for (i = 0; i < n; i++) {
		if (w->script && !w->in_mark) {
			on_script_byte(w, buf[i]);
			continue;
		}
		if (buf[i] == '\r')
			continue;
		if (buf[i] != '\n')
			w->line[w->len++] = buf[i];
		if (buf[i] == '\n' || w->len == sizeof(w->line) - 1) {
			on_line(w);
			w->in_mark = false;
		}
	}
	if (w->u->relay || w->script)
		fflush(stdout);
}

/*
 * @fd: console; the job has ended where that has
 * @ended: where a kernel that makes copies says so; -1: it does not
 */
static int watch_console(struct watch *w, int fd, int ended)
{
	struct pollfd pfd[] = {
		{ .fd = fd, .events = POLLIN }, { .fd = ended, .events = POLLIN },
	};
	int64_t deadline = w->u->timeout_s ? w->start_ns + w->u->timeout_s * NSEC_PER_SEC :
					     INT64_MAX;
	char buf[8192], *who;
	bool late;
	ssize_t n;
	int rc;

	for (;;) {
		rc = poll(pfd, ARRAY_SIZE(pfd), POLL_MS);
		if (work_interrupted())
			return interrupted_error();
		late = now_ns(CLOCK_MONOTONIC) > deadline;
		who = stalled_look(&w->stalled, late ? NSEC_PER_SEC : STALL_NS);
		if (who)
			run_error("%s: %s", w->u->label, who);
		free(who);
		if (late)
			return run_error("%s: no end after %" PRId64 " s of wall time (--timeout)",
					 w->u->label, w->u->timeout_s);
		/* All that the job has printed is there when it has ended. */
		if (rc > 0 && !pfd[0].revents)
			return 0;
		if (rc > 0) {
			n = read(fd, buf, sizeof(buf));
			if (n <= 0)
				return 0;
			on_output(w, buf, n);
		}
		progress(w, false);
	}
}

static void take_times(struct watch *w)
{
	int64_t now = now_ns(CLOCK_MONOTONIC);
	struct run_times *t = &w->u->times;

	t->wall_s = (now - w->start_ns) / 1e9;
	if (w->boot_ns)
		t->boot_s = (w->boot_ns - w->start_ns) / 1e9;
	if (w->setup_ns)
		t->setup_s = (w->setup_ns - w->boot_ns) / 1e9;
	if (w->setup_ns && w->end_ns)
		t->traffic_s = (w->end_ns - w->setup_ns) / 1e9;
}

/* An empty file of the work directory; the descriptor, or -1 after a message. */
static int new_log(struct uml *u, const char *name)
{
	char *path = xasprintf("%s/%s", u->work_dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		run_error("%s: %s", path, strerror(errno));
	free(path);
	return fd;
}

/* A lab kernel for this job alone. */
static int run_alone(struct watch *w, int uml_log)
{
	pid_t pid;
	int fds[2], rc;

	if (pipe2(fds, O_CLOEXEC))
		return run_error("console: %s", strerror(errno));
	note_kernel(w->u);
	pid = uml_start(w->u, &(struct child){ .out = fds[1], .err = uml_log });
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return run_error("fork: %s", strerror(errno));
	}
	w->kernel = pid;
	rc = watch_console(w, fds[0], -1);
	stalled_close(&w->stalled);
	uml_end(pid, rc != 0);
	close(fds[0]);
	return rc;
}

/*
 * A copy of a kernel that has booted. What goes wrong before the job begins goes wrong again, or
 * not, in a kernel of its own: *@began says whether it has.
 */
static int run_in_copy(struct watch *w, int uml_log, bool *began)
{
	struct uml_copies *s = w->u->copies;
	int rc;

	w->copies = s;
	w->booted = s->pid > 0;
	if (!s->pid)
		note_kernel(w->u);
	rc = copies_start(s, w->u, uml_log);
	if (!rc)
		rc = watch_console(w, s->console, s->talk);
	w->copies = NULL;
	*began = w->began;
	if (rc || !w->began || !copies_ended(s))
		copies_stop(s, true);
	return rc;
}

/**
 * uml_end() - wait until a lab kernel has ended, and end its helpers
 * @pid: from uml_start()
 * @now: do not let it end by itself
 */
void uml_end(pid_t pid, bool now)
{
	if (now)
		kill(-pid, SIGKILL);
	while (child_wait(pid, true) < 0)
		;
	kill(-pid, SIGKILL);
	processor_give_back();
}

/**
 * uml_run() - run a job in the lab kernel
 * @u: kernel, directories and limits; times, error and progress are results
 *
 * console.log in the work directory receives what the kernel and the programs
 * in it print.
 *
 * Return: 0 if the kernel ran to its end, or the exit status after a message.
 */
int uml_run(struct uml *u)
{
	int console = new_log(u, "console.log"), uml_log, rc = 0;
	struct watch w = { .u = u };
	bool done = false;

	uml_log = console < 0 ? -1 : new_log(u, "uml.log");
	if (uml_log < 0) {
		close(console);
		return EXIT_RUN_FAILED;
	}
	w.log = fdopen(console, "w");
	if (!w.log)
		return run_error("console: %s", strerror(errno));
	w.start_ns = now_ns(CLOCK_MONOTONIC);
	if (u->copies)
		rc = run_in_copy(&w, uml_log, &done);
	if (!rc && !done) {
		free(u->error);
		u->error = NULL;
		w.booted = false;
		w.len = 0;
		rc = run_alone(&w, uml_log);
	}
	close(uml_log);
	if (!rc) {
		take_times(&w);
		progress(&w, true);
	}
	if (file_close(w.log) && !rc)
		rc = run_error("%s/console.log: %s", u->work_dir, strerror(errno));
	return rc;
}

static const char *const splats[] = {
	"WARNING:", "BUG:", "Oops", "Kernel panic", "KASAN:", "UBSAN:", "INFO: task",
	"possible circular locking", "possible recursive locking", "inconsistent lock state",
	"suspicious RCU usage", "unreferenced object", "general protection fault",
	"refcount_t:", "unregister_netdevice: waiting",
};

/*
 * List macros compute the address of an entry that the list head is not part
 * of; the alignment check, which the x86 kernel does without, takes offence.
 */
static const char harmless[] = "UBSAN: misaligned-access";

/* "FUNCTION+0xN/0xN [MODULE]" of the first line with @mark and, behind it, @module; NULL: none. */
static char *place_behind(const char *text, const char *mark, const char *module)
{
	const char *line, *end, *plus;

	for (line = strstr(text, mark); line; line = strstr(end, mark)) {
		line += strlen(mark);
		end = line + strcspn(line, "\n");
		plus = memchr(line, '+', end - line);
		if (!plus || !memmem(line, end - line, module, strlen(module)))
			continue;
		while (plus > line && (isalnum((unsigned char)plus[-1]) || strchr("_.", plus[-1])))
			plus--;
		return xasprintf("%.*s", (int)(end - plus), plus);
	}
	return NULL;
}

/* Where a kernel ended: the function that it was in, else the last of an algorithm. */
static char *splat_place(const char *text)
{
	static const char own[] = "[rxe_cc_";

	return place_behind(text, "RIP: ", own) ?: place_behind(text, " [<", own) ?:
	       place_behind(text, "RIP: ", "+0x");
}

/* UML's words for what every programmer knows by another name. */
static const char *plain_words(const char *line)
{
	if (strstr(line, "Kernel mode signal 8"))
		return "division by 0, or its quotient has more than 64 bits";
	if (strstr(line, "Segfault with no mm") || strstr(line, "Kernel mode fault"))
		return "access to an address that is not there";
	return NULL;
}

static void show_splat(const struct uml *u, const char *line, const char *place)
{
	const char *words = plain_words(line);

	run_error("%s: kernel: %s%s%s%s%s%s", u->label, line, words ? " (" : "", words ? words : "",
		  words ? ")" : "", place ? ", in " : "", place ? place : "");
}

/**
 * uml_splats() - what a kernel says when something is wrong
 * @u: its run
 * @text: its console; becomes its first line
 *
 * The first such line is shown, and where it was.
 *
 * Return: how many there are.
 */
int64_t uml_splats(const struct uml *u, char *text)
{
	char *place = splat_place(text), *save = NULL, *line = strtok_r(text, "\n", &save);
	int64_t n = 0;
	size_t i;

	for (; line; line = strtok_r(NULL, "\n", &save)) {
		for (i = 0; i < ARRAY_SIZE(splats); i++) {
			if (!strstr(line, splats[i]) || strstr(line, harmless))
				continue;
			if (!n)
				show_splat(u, line, place);
			n++;
			break;
		}
	}
	free(place);
	return n;
}

/* A kernel that finds no room for a file of its memory ends without a word. */
static int ended_early(struct uml *u)
{
	char *path = xasprintf("%s/console.log", u->work_dir), *text = read_file(path, NULL);
	int64_t n = text ? uml_splats(u, text) : 0;
	int fd;

	free(text);
	free(path);
	if (n)
		return EXIT_RUN_FAILED;
	fd = new_log(u, "room");
	if (fd < 0)
		return EXIT_RUN_FAILED;
	close(fd);
	return run_error("%s: the lab kernel ended early; see console.log (--keep)", u->label);
}

/**
 * uml_status() - what labinit says about a job, before any result is looked at
 * @u: after uml_run()
 * @raw: the job's "out"
 *
 * Return: 0, or the exit status after a message.
 */
int uml_status(struct uml *u, const char *raw)
{
	char *path = xasprintf("%s/exit_status", raw), *text = read_file(path, NULL);
	int status = text ? atoi(text) : -1;

	free(text);
	free(path);
	if (status == STATUS_REFUSED)
		return usage_error("%s: %s", u->label, u->error ? u->error : "refused");
	if (u->error)
		return run_error("%s: %s", u->label, u->error);
	return status < 0 ? ended_early(u) : 0;
}
