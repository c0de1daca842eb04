/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab perftest, lab judge: other people's programs on a pair of soft-RoCE devices, in real
 * time, under stock rxe and under ours. guest.sh is the other half.
 */
#ifndef LAB_PAIR_PAIR_H
#define LAB_PAIR_PAIR_H

#include "lab.h"

#define STOCK	"stock"

/* How a case ended. */
enum pair_end {
	PAIR_NOT_RUN,
	PAIR_PASS,
	PAIR_FAIL,
	PAIR_SKIP,		/* a program said so, or is not there */
};

/**
 * struct pair_case - a client and its server under one rxe
 * @id: name of its directory
 * @cc: "stock" or an item of --cc
 * @timeout_s: of wall time, for one try
 * @ready: how to see that the server waits: tcp:PORT, cm, sleep:S; with "!" behind it the server
 *	does not end with its client and is killed
 * @server: command, "" for none; guest.sh says which variables it may use
 * @client: command
 * @tries: how often it is run if it fails, when that is more than the command line's
 * @end: how it ended
 * @why: what failed, as guest.sh says it; NULL if nothing
 * @runs: how often it was run
 */
struct pair_case {
	char *id;
	const char *cc;
	int timeout_s;
	const char *ready;
	char *server, *client;
	int tries;
	enum pair_end end;
	char *why;
	int runs;
};

/* The switch and its ports: --set. */
struct pair_set {
	const char *name, *help, *text;
	enum unit unit;
	double min, max;
};

#define PAIR_SETS	7

/**
 * struct pair - a command line
 * @name: of the command
 * @ccs: "stock" first, then items of --cc
 * @n_ccs: how many
 * @sets: settings of the switch
 * @out: where results go, absolute after pair_place()
 * @tests: of --tests, or NULL for all
 * @sizes: of --sizes, or NULL
 * @qps: of --qps, or NULL
 * @rounds: how often all is run
 * @tries: how often a case that fails is run
 * @timeout_s: of one case; 0: that of the case
 * @more: arguments after --
 * @n_more: how many
 * @qemu: in a guest of QEMU, not in the lab kernel
 * @cpus: of the kernel
 * @list: only list the cases
 * @json: print JSON
 * @quiet: no progress
 */
struct pair {
	const char *name;
	char **ccs;
	size_t n_ccs;
	struct pair_set sets[PAIR_SETS];
	char *out;
	char *tests, *sizes, *qps;
	uint64_t rounds, tries, timeout_s, cpus;
	char **more;
	int n_more;
	bool qemu, list, json, quiet;

	/* pair_run() */
	struct pair_case *cases;
	size_t n, n_done;
	char *kdir, *work, *label;
	struct pair_case *now;
	int64_t said_ns;
	FILE *relay;
};

int pair_parse(struct pair *p, int argc, char **argv, const char *help);
int pair_place(struct pair *p);
void pair_free(struct pair *p);
struct json_object *pair_settings(const struct pair *p);
const char *pair_set_text(const struct pair *p, const char *name);
char *pair_path(const struct pair *p, const struct pair_case *c, const char *file);

int pair_run(struct pair *p, struct pair_case *cases, size_t n);

/* pair/qemu.c */
int pair_qemu(struct pair *p, struct json_object *env, int64_t limit_s,
	      void (*on_line)(void *ctx, const char *line));

/* perftest/cases.c */
struct perf_test;

/**
 * struct perf_case - a row of the table: a test with its options, under every rxe
 * @test: perftest's program
 * @connection: RC, UC or UD
 * @mode: "plain", "cm": connected by rdma_cm, "srq": with a shared receive queue
 * @size: of a message, bytes
 * @qps: queue pairs
 */
struct perf_case {
	const struct perf_test *test;
	const char *connection, *mode;
	int64_t size, qps;
};

const char *perf_name(const struct perf_case *c);
bool perf_is_lat(const struct perf_case *c);
int perf_cases(struct pair *p, struct perf_case **list, size_t *n);
void perf_commands(const struct pair *p, const struct perf_case *c, char **server, char **client);

/**
 * struct perf_figures - what perftest says of a case
 * @a: bandwidth in bit/s, or the median latency in ns
 * @b: messages a second, or the 99th percentile of the latency in ns
 */
struct perf_figures {
	double a, b;
};

/* perftest/result.c */
int perf_read(const char *path, bool lat, struct perf_figures *f);

#endif /* LAB_PAIR_PAIR_H */
