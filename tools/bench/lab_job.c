// SPDX-License-Identifier: GPL-2.0
/*
 * One "lab run", or several at once, and the CPU time of all their processes: the
 * lab kernel, the programs in it (processes of their own on the host), the program
 * itself. What they leave behind when they end is waited for here as well: the
 * time of a process counts only where it is waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "lab.h"

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

/* In a child: standard output and error to @log. */
static void redirect(const char *log)
{
	int in = open("/dev/null", O_RDONLY);
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (in < 0 || fd < 0 || dup2(in, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(126);
}

static void job_exec(const struct lab_job *job)
{
	char log[720], seed[24], words[1000];
	const char *argv[LAB_WORDS + 12];
	unsigned int n = 0;
	char *word, *at = NULL;

	snprintf(log, sizeof(log), "%s.log", job->dir);
	snprintf(seed, sizeof(seed), "%lu", job->seed);
	snprintf(words, sizeof(words), "%s", job->words);
	redirect(log);
	argv[n++] = job->lab;
	argv[n++] = "run";
	for (word = strtok_r(words, " ", &at); word && n < LAB_WORDS;
	     word = strtok_r(NULL, " ", &at))
		argv[n++] = word;
	argv[n++] = "--cc";
	argv[n++] = job->cc;
	argv[n++] = "--seed";
	argv[n++] = seed;
	argv[n++] = "--out";
	argv[n++] = job->dir;
	argv[n++] = "--force";
	argv[n] = NULL;
	execv(job->lab, (char **)argv);
	_exit(127);
}

/**
 * lab_start() - start a run
 * @job: which
 *
 * Return: 0, or -1 with a message on stderr.
 */
int lab_start(struct lab_job *job)
{
	/* What outlives the run comes to us, with its CPU time. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	job->pid = fork();
	if (!job->pid)
		job_exec(job);
	if (job->pid > 0)
		return 0;
	fprintf(stderr, "bench: fork: %s\n", strerror(errno));
	return -1;
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
			jobs[i].status = status;
		}
	}
	for (i = 0; i < nr; i++) {
		status = jobs[i].status;
		if (!status || (jobs[i].may_fail && WIFEXITED(status) &&
				WEXITSTATUS(status) == 1))
			continue;
		fprintf(stderr, "%sbench: %s run %s --cc %s failed, see %s.log\n",
			isatty(2) ? "\r\033[K" : "", jobs[i].lab, jobs[i].words,
			jobs[i].cc, jobs[i].dir);
		return -1;
	}
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
	char pattern[64];
	double v;

	snprintf(pattern, sizeof(pattern), "*/*/seed%lu/summary.json", job->seed);
	v = bench_member(job->dir, pattern, "data_packets");
	if (v > 0)
		return v;
	fprintf(stderr, "bench: no data_packets in %s\n", job->dir);
	return -1;
}

/**
 * lab_has_key() - has the scenario of a case the key that the case needs?
 * @lab: the program
 * @c: the case
 * @dir: for what the program says
 *
 * Return: 1 yes, 0 no, -1 with a message on stderr.
 */
int lab_has_key(const char *lab, const struct lab_case *c, const char *dir)
{
	char log[720], scenario[64], line[1000], word[64];
	int status, found = 0;
	pid_t pid;
	FILE *f;

	if (!c->key)
		return 1;
	snprintf(log, sizeof(log), "%s/keys.log", dir);
	snprintf(scenario, sizeof(scenario), "%.*s",
		 (int)strcspn(c->words, " "), c->words);
	pid = fork();
	if (!pid) {
		redirect(log);
		execl(lab, lab, "list", scenario, (char *)NULL);
		_exit(127);
	}
	f = pid > 0 && waitpid(pid, &status, 0) == pid && !status ?
		fopen(log, "re") : NULL;
	if (!f) {
		fprintf(stderr, "bench: %s list %s failed, see %s\n", lab,
			scenario, log);
		return -1;
	}
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, " %63s", word) == 1 && !strcmp(word, c->key))
			found = 1;
	fclose(f);
	return found;
}
