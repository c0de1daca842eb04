/* SPDX-License-Identifier: GPL-2.0 */
/* lab judge: what passes with stock rxe must pass under each algorithm. */
#ifndef LAB_JUDGE_JUDGE_H
#define LAB_JUDGE_JUDGE_H

#include "pair/pair.h"

/**
 * struct judge_test - programs that are run under every rxe
 * @name: in the table; of a suite, what its tests' names begin with
 * @ready: see struct pair_case
 * @server: command, or ""
 * @client: command
 * @timeout_s: of one try
 * @suite: the client is a suite of Python's unittest, each of whose tests is a row
 * @tries: at least so many if it fails; 0: those of --tries
 */
struct judge_test {
	char *name;
	const char *ready;
	char *server, *client;
	int timeout_s;
	bool suite;
	int tries;
};

enum verdict {
	V_MISSING,
	V_PASS,
	V_FAIL,
	V_SKIP,
	V_RACE,		/* has failed, and is known not to wait for what it checks */
};

/* judge/tests.c */
int judge_tests(struct pair *p, struct judge_test **list, size_t *n);
bool judge_is_race(const char *name);

/* judge/suite.c */
typedef void (*suite_fn)(void *ctx, const char *test, enum verdict v, const char *why);

int suite_read(const char *path, suite_fn fn, void *ctx);

#endif /* LAB_JUDGE_JUDGE_H */
