// SPDX-License-Identifier: GPL-2.0
/*
 * One "lab run", or several at once, and the CPU time of all their processes: the
 * lab kernel, the programs in it (processes of their own on the host), the program
 * itself. What they leave behind when they end is waited for here as well: the
 * time of a process counts only where it is waited for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/child.h"
#include "../lib/mem.h"
#include "bench.h"
#include "lab_speed.h"

const struct lab_case lab_cases[] = {
	{ "two", "two --set ack_every=1", NULL },
	{ "two-1mb", "two --set ack_every=1 --set chunk=1mb", NULL },
	{ "fattree", "fattree --set k=4 --set size=4mb", NULL },
	{ "websearch", "fattree --set k=4 --set workload=websearch --set load=0.5 "
		       "--set duration=2ms", "workload" },
	{ }
};

/**
 * lab_case_of() - a case by name
 * @text: a name of ours, or a scenario with options as "lab run" takes them
 *
 * Return: the case.
 */
struct lab_case lab_case_of(const char *text)
{
	const struct lab_case *k;

	for (k = lab_cases; k->name; k++)
		if (!strcmp(k->name, text))
			return *k;
	return (struct lab_case){ .name = text, .words = text };
}

/**
 * lab_now() - monotonic clock
 *
 * Return: seconds.
 */
double lab_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/**
 * lab_start() - start a run
 * @job: which
 *
 * Return: 0, or -1 with a message on stderr.
 */
int lab_start(struct lab_job *job)
{
	char *words = xstrdup(job->words), *at = NULL, *word;
	char *seed = xasprintf("%lu", job->seed), *log = xasprintf("%s.log", job->dir);
	char *argv[LAB_WORDS + 12] = { (char *)job->lab, "run" };
	char *rest[] = { "--cc", (char *)job->cc, "--seed", seed, "--out", job->dir, "--force" };
	unsigned int n = 2;

	for (word = strtok_r(words, " ", &at); word && n < LAB_WORDS;
	     word = strtok_r(NULL, " ", &at))
		argv[n++] = word;
	memcpy(argv + n, rest, sizeof(rest));
	/* What outlives the run comes to us, with its CPU time. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	job->pid = child_start(&(struct child){ .argv = argv, .log = log });
	if (job->pid < 0)
		bench_error("%s: %s", log, strerror(errno));
	free(words);
	free(seed);
	free(log);
	return job->pid < 0 ? -1 : 0;
}

static double seconds(const struct timeval *tv)
{
	return tv->tv_sec + tv->tv_usec / 1e6;
}

/**
 * lab_wait() - wait until runs and all their processes have ended
 * @jobs: started
 * @nr: how many
 *
 * Return: CPU time of all, user and system, in seconds; negative with a message
 * on stderr when a run failed.
 */
double lab_wait(struct lab_job *jobs, unsigned int nr)
{
	struct rusage ru;
	double cpu = 0;
	unsigned int i;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, 0, &ru)) > 0 || errno == EINTR) {
		if (pid < 0)
			continue;
		cpu += seconds(&ru.ru_utime) + seconds(&ru.ru_stime);
		for (i = 0; i < nr; i++) {
			if (jobs[i].pid != pid)
				continue;
			jobs[i].end_s = lab_now();
			jobs[i].status = child_status(status);
		}
	}
	for (i = 0; i < nr; i++)
		if (jobs[i].status > jobs[i].may_fail)
			return bench_error("%s run %s --cc %s failed, see %s.log", jobs[i].lab,
					   jobs[i].words, jobs[i].cc, jobs[i].dir);
	return cpu;
}

/**
 * lab_packets() - data packets that a run moved
 * @job: it, with one algorithm
 *
 * Return: their number, or negative with a message on stderr.
 */
double lab_packets(const struct lab_job *job)
{
	double v = lab_member(job, "summary.json", "data_packets");

	return v > 0 ? v : bench_error("no data_packets in %s", job->dir);
}

/**
 * lab_member() - a number that a run has in a file
 * @job: it, with one algorithm
 * @file: of its results
 * @key: member
 *
 * Return: the number, or negative: there is none.
 */
double lab_member(const struct lab_job *job, const char *file, const char *key)
{
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "*/*/seed%lu/%s", job->seed, file);
	return bench_member(job->dir, pattern, key);
}

/**
 * lab_has_key() - has the scenario of a case the key that the case needs?
 * @lab: the program
 * @c: the case
 *
 * Return: 1 yes, 0 no, -1 with a message on stderr.
 */
int lab_has_key(const char *lab, const struct lab_case *c)
{
	char scenario[64], *text, *line, *at = NULL, word[64];
	char *argv[] = { (char *)lab, "list", scenario, NULL };
	int found = 0, status;

	if (!c->key)
		return 1;
	snprintf(scenario, sizeof(scenario), "%.*s", (int)strcspn(c->words, " "), c->words);
	status = child_output(&(struct child){ .argv = argv, .errors = true }, &text);
	if (status)
		return bench_error("%s list %s failed: %s", lab, scenario, text);
	for (line = strtok_r(text, "\n", &at); line && !found; line = strtok_r(NULL, "\n", &at))
		found = sscanf(line, " %63s", word) == 1 && !strcmp(word, c->key);
	free(text);
	return found;
}
