// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge in virtual time: each case in a copy of a kernel that has booted and
 * set up the network (boot/uml_copies.h), several at a time.
 *
 * A case finds what it would find as the only one, so its results do not depend on the cases
 * before it, nor on how many run at a time. Each worker is a process with a kernel of its own,
 * on a processor of its own. The workers take the next case from a number that they share, and
 * tell how it ended by a pipe that they share: each line is one write.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/uml_copies.h"
#include "programs/test_cases.h"

/* Of the set-up of the network, in virtual time. */
#define NETWORK_S	60

struct worker {
	struct programs *p;
	atomic_size_t *next;	/* case */
	int say;		/* to the parent */
	struct uml_copies *copies;
	bool done;		/* the case has said so */
};

static void on_mark(void *ctx, const char *text)
{
	struct worker *w = ctx;

	w->done |= strncmp(text, "done ", 5) == 0;
	dprintf(w->say, "%s\n", text);
}

static int run_in(struct worker *w, struct program_case *c, const char *work)
{
	struct programs *p = w->p;
	struct uml u = {
		.kernel_dir = p->kdir, .work_dir = work, .label = c->id, .quiet = true,
		.mem_mb = CASES_MEM_MB, .on_mark = on_mark, .mark_ctx = w, .copies = w->copies,
	};
	char *plan = xasprintf("%s/plan", work);
	int rc = cases_plan(p, plan, c, &u.timeout_s);

	w->done = false;
	if (!rc)
		rc = cases_job(p, work, u.timeout_s, false);
	if (!rc)
		rc = uml_run(&u);
	if (!w->done && !work_interrupted())
		dprintf(w->say, "lost %s %s\n", c->id, u.error ? u.error : "the kernel ended");
	free(u.error);
	free(plan);
	return rc;
}

static void run_case(struct worker *w, struct program_case *c)
{
	char *work = work_dir_make();

	if (!work)
		return;
	run_in(w, c, work);
	work_dir_remove(work);
}

static void work(struct worker *w)
{
	struct programs *p = w->p;
	size_t i;

	interrupted_silent();
	w->copies = copies_new();
	if (w->copies && cases_job(p, w->copies->work_dir, NETWORK_S, true)) {
		copies_free(w->copies);
		return;
	}
	while (!work_interrupted() && (i = atomic_fetch_add(w->next, 1)) < p->n_cases)
		run_case(w, &p->cases[i]);
	copies_free(w->copies);
}

static size_t processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
}

static pid_t start(struct programs *p, atomic_size_t *next, const int *pipe)
{
	struct worker w = { .p = p, .next = next, .say = pipe[1] };
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(pipe[0]);
	if (getppid() == parent)
		work(&w);
	fflush(NULL);
	_exit(0);
}

/* Until no worker is left. A signal that only this process got ends them, too. */
static void listen_to(struct programs *p, int fd, const pid_t *pids, size_t n)
{
	char *line = NULL;
	size_t size = 0, i;
	FILE *f = fdopen(fd, "r");
	bool told = false;

	for (;;) {
		if (getline(&line, &size, f) > 0) {
			line[strcspn(line, "\n")] = '\0';
			cases_mark(p, line);
			continue;
		}
		if (!ferror(f))
			break;
		clearerr(f);
		for (i = 0; i < n && work_interrupted() && !told; i++)
			kill(pids[i], SIGTERM);
		told |= work_interrupted();
	}
	free(line);
	fclose(f);
}

/**
 * cases_in_copies() - run all cases in virtual time
 * @p: command line; v, why and runs of its cases are results
 *
 * Return: 0 when all have been run, or an exit status after a message.
 */
int cases_in_copies(struct programs *p)
{
	size_t n = p->jobs ? p->jobs : processors(), i, started = 0;
	atomic_size_t *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fds[2], rc;
	pid_t *pids;

	if (next == MAP_FAILED || pipe2(fds, O_CLOEXEC))
		return run_error("%s: %s", p->ops->name, strerror(errno));
	if (n > p->n_cases)
		n = p->n_cases;
	rc = uml_check_room((int64_t)n * CASES_MEM_MB);
	if (rc)
		return rc;
	work_catch();
	pids = xcalloc(n, sizeof(*pids));
	for (i = 0; i < n; i++) {
		pids[started] = start(p, next, fds);
		if (pids[started] > 0)
			started++;
	}
	close(fds[1]);
	listen_to(p, fds[0], pids, started);
	for (i = 0; i < started; i++)
		while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			;
	free(pids);
	munmap(next, sizeof(*next));
	if (work_interrupted())
		return interrupted_error();
	return p->n_done == p->n_cases ? 0 :
	       run_error("%s: %zu cases were not run", p->ops->name, p->n_cases - p->n_done);
}
