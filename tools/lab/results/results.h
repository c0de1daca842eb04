/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: from raw rows to result files.
 */
#ifndef LAB_RESULTS_RESULTS_H
#define LAB_RESULTS_RESULTS_H

#include "common/csv_columns.h"
#include "lib/csv.h"
#include "lib/stats.h"
#include "feature/switch_features.h"

/* There may be a million of these. */
struct flow_result {
	int64_t bytes, start_ns, fct_ns;	/* fct_ns -1: did not complete */
	int id;
	uint32_t qpn, dst_qpn;
	bool done, stopped;			/* stopped: as was planned */
};

/* Points of one flow's progress. */
struct series {
	int64_t *t_ns, *bytes;
	size_t n;
};

struct results {
	struct plan *plan;
	const char *raw, *place;
	char *dir;				/* results in the making, see result_dirs.c */
	struct flow_result *flows;		/* by id */
	size_t n_flows;
	struct series *series, *acked;		/* by flow */
	int n_series;				/* flows that were sampled: the first so many */
	struct json_object *totals, *gen, *latency;
	struct json_object *real;		/* what real time was worth; NULL in virtual time */
	int64_t shift_ns;			/* sampler's clock to the generator's */
	int64_t first_ns, last_ns;		/* first start, last completion */
	bool slowed;				/* some flow had less than at its start */
	struct json_object *summary;
};

int csv_rows(const char *dir, enum table_id t, const char *want,
	     int (*row)(const struct csv *c, void *ctx), void *ctx);
int csv_bad(const struct csv *c, const char *what, const char *text);
int csv_number(const struct csv *c, int i, int64_t *val);
int64_t row_time(const struct results *r, const struct csv *c);
FILE *csv_create(const char *dir, enum table_id t, bool optional);
int csv_finish(FILE *f, const char *dir, enum table_id t);
int results_copy(struct results *r, enum table_id t, bool always);
struct json_object *results_signals(const struct run_opts *o, const char *cc);
struct option_list results_own_modules(const char *cc, uint64_t *hash);
struct json_object *results_command(struct plan *p, const struct run_opts *o, const char *cc);
int results_error(const char *dir, const char *name);
bool results_active(const struct results *r, int flow, int64_t t);
double series_at(const struct series *s, int64_t start_ns, int64_t t, size_t *hint);
int results_flows(struct results *r);
int64_t results_ideal_ns(const struct results *r, const struct flow_result *f);
int64_t results_rows(const struct results *r);
int results_write_flows(struct results *r);
int results_series(struct results *r);
int results_write_rates(struct results *r);
int results_write_state(struct results *r);
int results_events(struct results *r);
int results_types(struct results *r);
int results_counts(struct results *r, const int64_t *t_ns, size_t n);
int results_begin(struct results *r);
int results_end(struct results *r, bool whole);
void results_flow_stats(struct results *r);
void results_group_times(struct results *r);
int results_collectives(struct results *r);
void results_queue_stats(struct results *r);
void results_window(struct results *r);
void results_timeline(struct results *r);
void results_cc_groups(struct results *r, const char *cc);
void cc_groups_table(struct json_object *summary, const char *name);
void timeline_table(struct json_object *summary, const char *name);
void results_latency(struct results *r);
int64_t port_figure(struct json_object *port, const char *name, bool largest);
struct json_object *port_drops_json(struct json_object *port);
struct json_object *results_pfc(struct results *r);
void results_ports(struct results *r, struct json_object *ports);
bool results_unreliable(const struct results *r);
void results_congested(struct results *r);
void results_notes(struct results *r);
void results_note_guests(struct results *r, struct json_object *guests);
int results_programs(struct results *r);
struct json_object *results_perftest_latency(const char *text);
void results_perftest_messages(const char *text, size_t program, FILE *f);
int64_t results_programs_failed(const struct results *r, const char *label);
int results_mpi(struct results *r);
bool results_mpi_missed(const struct results *r, const char *label);
int64_t results_mpi_calls(const struct results *r);
int results_workload(struct results *r);
int results_tiers(struct results *r);
double results_jain(struct results *r, bool *valid);

#endif /* LAB_RESULTS_RESULTS_H */
