/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab perftest, lab judge: other people's programs on a pair of soft-RoCE devices, in virtual
 * or in real time, under stock rxe and under ours. run_cases_in_guest.sh is the other half.
 */
#ifndef LAB_PROGRAMS_TEST_CASES_H
#define LAB_PROGRAMS_TEST_CASES_H

#include "lab.h"

#define STOCK	"stock"

enum verdict {
	V_MISSING,		/* not run */
	V_PASS,
	V_FAIL,
	V_SKIP,			/* a program said so, or is not there */
	V_RACE,			/* has failed, and is known not to wait for what it checks */
};

/**
 * struct perf_test - what a test of perftest is
 * @name: perftest's program, without ib_
 * @connection: RC, UC or UD
 * @mode: "plain", "cm": connected by rdma_cm, "srq": with a shared receive queue
 * @lat: it measures latency, and not bandwidth
 * @size: of a message, bytes
 * @qps: queue pairs
 */
struct perf_test {
	const char *name, *connection, *mode;
	bool lat;
	int64_t size, qps;
};

/**
 * struct program_test - a client and its server, which are run under every rxe
 * @name: of the test; of a suite, what its tests' names begin with
 * @id: what the names of its directories begin with; NULL: @name
 * @ready: how to see that the server waits: tcp:PORT, cm, sleep:S; with "!" behind it the server
 *	does not end with its client and is killed
 * @server: command, "" for none; run_cases_in_guest.sh says which variables it may use
 * @client: command
 * @timeout_s: of wall time, for one try
 * @tries: how often it is run if it fails, when that is more than the command line's
 * @suite: the client is a suite of Python's unittest, each of whose tests is a row
 * @perf: of perftest
 */
struct program_test {
	char *name, *id;
	const char *ready;
	char *server, *client;
	int timeout_s, tries;
	bool suite;
	struct perf_test perf;
};

/**
 * struct program_case - a test under one rxe, once
 * @t: test
 * @id: name of its directory
 * @cc: "stock" or an item of --cc
 * @timeout_s: of one try
 * @tries: how often it is run if it fails
 * @v: how it ended
 * @why: what failed, as run_cases_in_guest.sh says it; NULL if nothing
 * @runs: how often it was run
 */
struct program_case {
	const struct program_test *t;
	char *id;
	const char *cc;
	int timeout_s, tries;
	enum verdict v;
	char *why;
	int runs;
};

/**
 * struct program_result - what came of a row's test under one rxe
 * @v: verdict
 * @why: what failed, or NULL
 * @runs: how often it was run
 * @passed: in how many rounds
 * @a: bandwidth in bit/s, or the median latency in ns; NAN: none
 * @b: messages a second, or the 99th percentile of the latency in ns
 * @ratio: of @a to that under stock rxe
 */
struct program_result {
	enum verdict v;
	char *why;
	int runs, passed;
	double a, b, ratio;
};

struct program_row {
	char *name;
	const struct program_test *t;
	struct program_result *by_cc;
};

/* The switch and its ports: --set. */
struct program_set {
	const char *name, *help, *text;
	enum unit unit;
	double min, max;
};

#define PROGRAM_SETS	11
#define PROGRAM_NUMBERS	32

struct programs;

/**
 * struct programs_ops - what is one command's own
 * @name: of the command
 * @rounds: has --rounds and --
 * @tests: all tests, by programs_add()
 * @fits: does a word of --tests mean this one
 * @take: results of a test under one rxe into the table
 * @print: the table
 * @add: what the table is in JSON
 * @worse: how many results are worse than with stock rxe; NULL: all have to pass
 */
struct programs_ops {
	const char *name;
	bool rounds;
	void (*tests)(struct programs *p);
	bool (*fits)(const char *word, const struct program_test *t);
	void (*take)(struct programs *p, const struct program_test *t, size_t cc);
	void (*print)(const struct programs *p);
	void (*add)(const struct programs *p, const struct program_row *r, size_t cc,
		    struct json_object *o);
	size_t (*worse)(const struct programs *p);
};

/**
 * struct programs - a command line and what comes of it
 * @ops: of the command
 * @sets: settings of the switch
 * @cc: of --cc, or NULL for all
 * @only: of --tests, or NULL for all
 * @place: of --out, or NULL
 * @backend: "uml" or "qemu"
 * @clock: "virtual" or "real", or NULL for what the command and the backend have
 * @sizes: numbers of --sizes, 0 at the end
 * @qps: of --qps
 * @rounds: how often all is run
 * @tries: how often a case that fails is run
 * @timeout_s: of one case; 0: that of the test
 * @cpus: of the kernel
 * @jobs: cases at a time, in virtual time; 0: one per processor
 * @list: only list the tests
 * @json: print JSON
 * @quiet: no progress
 * @more: arguments after --
 * @n_more: how many
 * @qemu: in a guest of QEMU, not in the lab kernel
 * @is_virtual: in virtual time
 * @out: where results go, absolute once programs are run
 * @ccs: "stock" first, then items of @cc
 * @n_ccs: how many
 * @tests: what is run
 * @n_tests: how many
 * @cases: by round, then test, then algorithm
 * @n_cases: how many
 * @rows: what comes of it
 * @n_rows: how many
 */
struct programs {
	const struct programs_ops *ops;
	struct program_set sets[PROGRAM_SETS];
	const char *cc, *only, *place, *backend, *clock;
	int64_t sizes[PROGRAM_NUMBERS], qps[PROGRAM_NUMBERS];
	uint64_t rounds, tries, timeout_s, cpus, jobs;
	bool list, json, quiet;
	char **more;
	int n_more;

	bool qemu, is_virtual;
	char *out;
	char **ccs;
	size_t n_ccs;
	struct program_test *tests;
	size_t n_tests;
	struct program_case *cases;
	size_t n_cases;
	struct program_row *rows;
	size_t n_rows;

	/* programs/run_cases.c */
	size_t n_done;
	char *kdir, *work;
	struct program_case *now;
	int64_t said_ns;
	FILE *relay;
};

extern const struct programs_ops perftest_ops, judge_ops;

/* programs/switch_settings.c */
void programs_defaults(struct programs *p);
int programs_set(struct programs *p, const char *arg);
int programs_ccs(struct programs *p);
const char *programs_get(const struct programs *p, const char *name);
double programs_value(const struct programs *p, const char *name);

/* programs/test_cases.c */
void programs_add(struct programs *p, struct program_test *t);
int programs(struct programs *p);
void programs_free(struct programs *p);
struct program_case *programs_case(const struct programs *p, size_t round,
				   const struct program_test *t, size_t cc);
char *programs_path(const struct programs *p, const struct program_case *c, const char *file);
struct program_row *programs_row(struct programs *p, const char *name,
				 const struct program_test *t);

/* programs/run_cases.c */
#define CASES_MEM_MB	1024

int programs_run(struct programs *p);
int cases_plan(const struct programs *p, const char *path, const struct program_case *only,
	       int64_t *limit_s);
int cases_job(struct programs *p, const char *work, int64_t limit_s, bool network);
void cases_mark(struct programs *p, const char *text);

/* programs/cases_in_copies.c */
int cases_in_copies(struct programs *p);

/* programs/qemu.c */
int programs_qemu(struct programs *p, struct json_object *env, int64_t limit_s,
		  void (*on_line)(void *ctx, const char *line));

/* programs/perftest.c */
void perftest_add(struct programs *p, const char *prefix, char *const *more, int n_more);

/* programs/unittest_output.c */
typedef void (*suite_fn)(void *ctx, const char *test, enum verdict v, const char *why);

int suite_read(const char *path, suite_fn fn, void *ctx);

#endif /* LAB_PROGRAMS_TEST_CASES_H */
