/* SPDX-License-Identifier: GPL-2.0 */
/* The benchmark of the lab's speed: runs of "lab run" and the CPU time that they cost. */
#ifndef RXE_CC_BENCH_LAB_SPEED_H
#define RXE_CC_BENCH_LAB_SPEED_H

#include <stdbool.h>
#include <sys/types.h>

#define LAB_WORDS	64	/* of a case */

/**
 * struct lab_case - what "lab run" is given
 * @name: in the table
 * @words: the scenario and its options, by spaces
 * @key: key of the scenario that not every build has; NULL: none
 */
struct lab_case {
	const char *name, *words, *key;
};

/**
 * struct lab_job - one "lab run"
 * @lab: the program
 * @words: of the case
 * @cc: algorithms, by commas
 * @seed: of the run
 * @dir: for results; its output goes to @dir.log
 * @may_fail: exit status 1, flows that did not complete, is a result too
 * @pid: of the process
 * @end_s: when it ended, by the monotonic clock
 * @status: how, as of child_status()
 */
struct lab_job {
	const char *lab, *words, *cc;
	unsigned long seed;
	char dir[700];
	bool may_fail;
	pid_t pid;
	double end_s;
	int status;
};

extern const struct lab_case lab_cases[];
struct lab_case lab_case_of(const char *text);

double lab_now(void);
int lab_start(struct lab_job *job);
double lab_wait(struct lab_job *jobs, unsigned int nr);
double lab_member(const struct lab_job *job, const char *file, const char *key);
double lab_packets(const struct lab_job *job);
int lab_has_key(const char *lab, const struct lab_case *c);

struct bench;
struct bench_ratio;

int lab_at_once(const struct bench *b, struct bench_ratio *r);
int lab_same(const struct bench *b);
int lab_same_dirs(const char *a, const char *b, const char *what);

#endif
