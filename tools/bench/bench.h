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

/* Files that the command line names. */
enum bench_file {
	BENCH_OUT,
	/* those that boot the lab kernel by themselves */
	BENCH_LINUX,
	BENCH_GUEST,
	/* rxe */
	BENCH_STOCK_DIR,
	BENCH_PATCHED_DIR,
	BENCH_FLOWGEN,
	/* qdisc */
	BENCH_ROCE,
	BENCH_GEN,
	BENCH_TC,
	BENCH_OLD,
	/* path, lab */
	BENCH_LAB,
	BENCH_OLD_LAB,
	BENCH_FILES,
};

/**
 * struct bench_options - the command line
 * @file: by enum bench_file; NULL when not given
 * @cc: algorithms, by commas; NULL when not given
 * @cases: of lab; none: the usual ones
 * @nr_cases: how many
 * @rounds: pairs, or rounds
 * @seed: of the order
 * @timeout: s, of the whole; 0 = by @rounds
 * @json: print JSON
 * @same: lab: compare results instead of speed
 * @qemu: rxe: in a QEMU guest instead of the lab kernel
 * @icount: rxe: its time is that of its instructions
 * @smp: rxe: its processors
 */
struct bench_options {
	const char *file[BENCH_FILES];
	const char *cc;
	const char *cases[BENCH_CASES];
	unsigned int nr_cases;
	unsigned long rounds, seed, timeout;
	bool json;
	bool same;
	bool qemu, icount;
	unsigned long smp;
};

/**
 * struct bench_config - one boot of the lab kernel, or of a QEMU guest
 * @linux_bin: the lab kernel, or boot_qemu.sh
 * @guest: its first process, absolute
 * @dir: exchanged with the guest, absolute
 * @timeout_s: wall time
 * @virtual_time: time travel, CPU infinitely fast
 * @progress: say how far it is
 * @qemu: it is a QEMU guest
 * @icount: whose time is that of its instructions, 1 ns each
 * @smp: with so many processors
 */
struct bench_config {
	const char *linux_bin;
	const char *guest;
	const char *dir;
	unsigned int timeout_s;
	bool virtual_time;
	bool progress;
	bool qemu, icount;
	unsigned long smp;
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

int bench_rxe(const struct bench_options *o, struct bench_config *cfg);
int bench_qdisc(const struct bench_options *o, struct bench_config *cfg);
int bench_path(const struct bench_options *o, struct bench_config *cfg);
int bench_lab(const struct bench_options *o, struct bench_config *cfg);
uint64_t bench_plan_units(const struct bench_plan *plan,
			  const struct bench_config *cfg);
int bench_run(const struct bench_config *cfg, struct bench_pair *pairs,
	      size_t nr);
int bench_guest(const struct bench_config *cfg, bench_mark_fn mark, void *ctx);

double bench_median(double *v, size_t n);
struct bench_ratio bench_ratio_of(double *v, size_t n);
const char *bench_verdict(const struct bench_ratio *r, double goal, bool up);

int bench_mkdir(const char *dir, const char *name);
int bench_write_file(const char *dir, const char *name, const char *text);
int bench_copy(const char *dir, const char *name, const char *from);
uint64_t bench_random(uint64_t *state);
double bench_member(const char *dir, const char *pattern, const char *key);
int bench_remove(const char *dir);
const char *bench_cr(void);
void bench_json_num(struct json_object *o, const char *key, double v);
void bench_json_ratio(struct json_object *o, const char *key,
		      const struct bench_ratio *r);
int bench_json_out(struct json_object *o, const char *dir, const char *name,
		   bool print);

#endif
