/* SPDX-License-Identifier: GPL-2.0 */
/* Benchmarks in the lab kernel: two builds of rxe, qdiscs, and the path of a packet. */
#ifndef RXE_CC_BENCH_H
#define RXE_CC_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BENCH_PLANS 3
#define BENCH_CASES 16

/* What a plan of traffic measures besides CPU time. */
enum bench_kind {
	BENCH_GOODPUT,		/* bit/s, higher is better */
	BENCH_RTT,		/* ns, lower is better */
};

/**
 * struct bench_plan - one kind of traffic
 * @name: of its files and in the table
 * @kind: what flowgen's result is
 * @units: data packets, or round trips: what CPU time is divided by
 * @mtu: bytes of payload in a packet; 0 for round trips
 */
struct bench_plan {
	const char *name;
	enum bench_kind kind;
	uint64_t units;
	uint64_t mtu;
};

extern const struct bench_plan bench_plans[BENCH_PLANS];

/* One plan under one build. */
struct bench_sample {
	double value;		/* bit/s, or ns */
	double cpu_ns;		/* of the lab kernel or QEMU, for the whole plan */
};

/* Index of a build in a pair. */
enum bench_variant {
	BENCH_STOCK,
	BENCH_PATCHED,
	BENCH_VARIANTS,
};

struct bench_pair {
	bool patched_first;
	struct bench_sample s[BENCH_PLANS][BENCH_VARIANTS];
};

/**
 * struct bench - what is measured: the command line, and where results go
 * @linux_bin: the lab kernel, or boot_qemu.sh
 * @guest: its first process, absolute
 * @stock: rxe: directory of modules
 * @patched: rxe: directory of modules
 * @flowgen: rxe: the program
 * @roce: qdisc: sch_roce.ko
 * @gen: qdisc: qdisc_bench.ko
 * @tc: qdisc: directory of q_roce.so
 * @old: qdisc: another sch_roce.ko; NULL: none
 * @lab: path, lab: the program
 * @old_lab: path, lab: that of another build; NULL: none
 * @out: for results
 * @dir: the same, absolute; exchanged with the guest
 * @cc: algorithms, by commas; NULL when not given
 * @cases: of lab; none: the usual ones
 * @nr_cases: how many
 * @rounds: pairs, or rounds
 * @seed: of the order
 * @timeout_s: wall time, of the whole
 * @cpus: rxe: processors of the QEMU guest
 * @json: print JSON
 * @same: lab: compare results instead of speed
 * @qemu: rxe: in a QEMU guest instead of the lab kernel
 * @icount: rxe: whose time is that of its instructions, 1 ns each
 * @virtual_time: time travel, CPU infinitely fast
 * @progress: say how far it is
 */
struct bench {
	const char *linux_bin, *guest;
	const char *stock, *patched, *flowgen;
	const char *roce, *gen, *tc, *old;
	const char *lab, *old_lab;
	const char *out;
	char *dir;
	const char *cc;
	const char *cases[BENCH_CASES];
	unsigned int nr_cases;
	uint64_t rounds, seed, timeout_s, cpus;
	bool json, same, qemu, icount, virtual_time, progress;
};

typedef int (*bench_mark_fn)(void *ctx, pid_t pid, const char *line);

/**
 * struct bench_ratio - a median over pairs or rounds
 * @median: of the ratios (or differences) taken within each
 * @low: lower end of the confidence interval of the median
 * @high: upper end
 * @confidence: that the interval really has, at least 0.95 when n >= 6
 */
struct bench_ratio {
	double median, low, high, confidence;
};

struct json_object;

int bench_rxe(struct bench *b);
int bench_qdisc(struct bench *b);
int bench_path(struct bench *b);
int bench_lab(struct bench *b);
uint64_t bench_plan_units(const struct bench_plan *plan, const struct bench *b);
int bench_run(const struct bench *b, struct bench_pair *pairs);
int bench_guest(const struct bench *b, bench_mark_fn mark, void *ctx);

int bench_error(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));
double bench_median(double *v, size_t n);
struct bench_ratio bench_ratio_of(double *v, size_t n);
const char *bench_verdict(const struct bench_ratio *r, double goal, bool up);

int bench_mkdir(const char *dir, const char *name);
int bench_write_file(const char *dir, const char *name, const char *text);
int bench_copy(const char *dir, const char *name, const char *from);
uint64_t bench_random(uint64_t *state);
size_t bench_draw(size_t *left, size_t last, uint64_t *state);
double bench_member(const char *dir, const char *pattern, const char *key);
int bench_remove(const char *dir);
const char *bench_cr(void);
void bench_json_num(struct json_object *o, const char *key, double v);
void bench_json_ratio(struct json_object *o, const char *key,
		      const struct bench_ratio *r);
int bench_json_out(struct json_object *o, const char *dir, const char *name,
		   bool print);

#endif
