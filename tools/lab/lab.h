/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: the program that runs scenarios in the lab kernel. What its parts share.
 *
 * "lab run" goes through these directories: cmd/ and run/ take the command line; scenario/ reads
 * the scenario's file and its keys, traffic/ draws flows, feature/ knows what switches do besides;
 * job/ writes the job file, whose words are in common/; boot/ starts the lab kernel, in which
 * guest/ (labinit, the first process) builds the network and starts flowgen; results/ makes files
 * of what came out, and report/ draws them.
 */
#ifndef LAB_H
#define LAB_H

#include "common/job_file.h"
#include "lib/depend.h"

/* DSCP of data, and of ACKs in a class of their own. */
#define DATA_DSCP		26
#define ACK_DSCP		48

/* Where "lab run" puts results and "lab report" looks for them. */
#define RESULTS_DIR	"results"

/* Exit status; 2 is for bad arguments, as in tc and ip. */
enum {
	EXIT_OK,
	EXIT_RUN_FAILED,
	EXIT_USAGE,
	EXIT_DIFFERS,		/* lab replay: other decisions than recorded */
};

/* One line on stderr. usage_error() and run_error() return the exit status. */
int usage_error(const char *fmt, ...) PRINTF(1, 2);
int run_error(const char *fmt, ...) PRINTF(1, 2);
void error_place(const char *file_line);
const char *lab_root(void);

/* scenario/expr.c */
typedef int (*expr_var_fn)(void *ctx, const char *name, double *val);

int expr_eval(const char *text, expr_var_fn var, void *ctx, double *val, char **err);
char *expr_expand(const char *text, expr_var_fn var, void *ctx, char **err);

/* scenario/scenario_keys.c */
struct key {
	const char *name, *help, *def, *min, *max;
	const char *general;		/* default where a scenario has no other */
	enum unit unit;
	struct json_object *words;	/* of UNIT_ENUM */
	const char *part;		/* scenarios/keys/PART.json, or NULL */
	bool quiet;			/* results have it only where it was set */
	bool set, is_auto;		/* auto: decided by the lab or the kernel */
	double val;
	char *text;
};

struct scenario {
	const char *name, *help;
	char *file;			/* full path of the user's own; NULL: of the lab */
	char *topology;			/* path of its network's file, if that is the user's own */
	struct json_object *doc, *common;
	struct key *keys;
	size_t n_keys;
	int let_depth;
	struct json_object *program;	/* "lab exec": the command's words; else NULL */
	const char *program_host;	/* on which host it runs; NULL: the first */
	bool mpi;			/* "lab mpirun": ranks of that program on several hosts */
	uint64_t mpi_ranks;		/* so many; 0: one on each host of the map */
	const char *mpi_map;		/* their hosts; NULL: all of the scenario */
	bool no_flows;			/* leave out the traffic of the scenario's file */
};

bool scenario_is_file(const char *name);
struct scenario *scenario_load(const char *name);
void scenario_free(struct scenario *sc);
int scenario_set(struct scenario *sc, const char *assignment);
int scenario_resolve(struct scenario *sc);
struct key *scenario_key(struct scenario *sc, const char *name);
double scenario_val(struct scenario *sc, const char *name, double def);
const char *scenario_text(struct scenario *sc, const char *name, const char *def);
char *scenario_value_of(struct scenario *sc, const char *name, const char *text, double *val);
int scenario_var(void *ctx, const char *name, double *val);
struct json_object *scenario_settings(struct scenario *sc, bool traffic);
char **scenario_names(size_t *n);

/* scenario/json_load_include.c */
struct json_object *json_load(const char *name, const char *file);
char *json_topology_file(struct json_object *doc, const char *name);

/* scenario/scenario_place.c */
char *scenario_place(const struct scenario *sc, const char *key);

/* scenario/topology_file.c */
#define SCENARIO_NAME_MAX	64
#define TOPOLOGY_NUMBERED	"numbered"	/* hosts are called by their numbers in the file */

bool topology_file_is(const char *path);
struct json_object *topology_file_load(const char *path);

/* A plan: what a scenario becomes before it is a job. */
struct lab_link {
	int a, b;
	int64_t rate_bps, delay_ns, loss_ppb;
	int64_t xoff_bytes, xon_bytes;	/* of the ports at its ends; xoff 0: as all others */
	int64_t kmin_bytes, kmax_bytes;	/* the same; -1: as the keys and its rate say */
	bool is_long;			/* between datacenters */
};

struct lab_node {
	char *name;
	bool host;
	char role;			/* first letter of its "role", see traffic/host_lists.c */
	int *links;
	int n_links;
};

/*
 * There may be millions of these. A background flow ends with the traffic, at
 * the plan's stop_ns, or where the timeline stops it: it does not complete and is not expected to.
 */
struct lab_flow {
	int src, dst;
	int64_t bytes, start_ns, ideal_ns;
	unsigned short group;		/* index into the plan's groups, 0: none */
	bool background;
	uint32_t after;			/* its list in the plan's "after" + 1; 0: waits for none */
};

/* What a flow of a collective operation is part of; ranks count from 0 in each job. */
struct collective_step {
	int job, round, step, rank, to;
};

#define SWITCH_FEATURES_MAX	8

struct plan {
	struct scenario *sc;
	uint64_t seed;
	int *perm;
	int n_perm;
	struct lab_node *nodes;
	int n_nodes, n_hosts;
	struct lab_link *links;
	int n_links;
	struct lab_flow *flows;
	int n_flows, cap_flows;
	int n_listed;			/* the scenario's own; the others go to flowgen in a file */
	char **groups;			/* names; [0] is NULL */
	int n_groups;
	bool own_groups;		/* results have figures of each */
	struct depend after;		/* which flows wait for which, by their ids */
	uint32_t *after_order;		/* of flows: each comes after all that it waits for */
	int n_ordered;
	int64_t *earliest_ns;		/* by flow: start if all is ideal; NULL: start_ns */
	struct collective_step *steps;	/* by flow: of the first n_steps */
	int n_steps;
	struct json_object *traffic;	/* of summary.json; NULL without workload and the like */
	int64_t *flow_stop_ns;		/* by flow, from the timeline: its end; 0 or NULL: none */
	char *timeline_place;		/* file and line of the scenario's own; NULL: it has none */
	bool host_ecn;			/* host ports mark */
	struct json_object *cc;		/* what hosts are set to, of the job that is being made */
	struct json_object *tables;	/* of kernel_param_tables(); NULL: not asked */
	int feature_mode[SWITCH_FEATURES_MAX];	/* of the switches: see feature/switch_features.h */
	bool long_unmarked;		/* those at long links do not mark */
	int64_t stop_ns;		/* end of background flows */
	int64_t measure_from_ns, measure_to_ns;	/* of the starts of measured flows */
	struct wire *wire;		/* scenario/wire_bytes_and_times.c */
	int bottleneck[2];		/* nodes: port of the first towards the second */
	int max_hops;			/* links of the longest path */
	int64_t expect_ns, base_rtt_ns, sample_ns, limit_ns;
	int64_t latency_model_ns;	/* 0: no ping-pong */
	int64_t path_rtt_ns;		/* longest round trip without queues */
	int64_t timeout_ns;		/* of retransmissions; 0: none */
	double timeout_was;		/* the key, where the round trip has raised it; else 0 */
	struct json_object *base;	/* of the jobs of all runs: what no algorithm decides */
	struct json_object *job;	/* of a run, see job_save() */
};

/* job/scenario_to_plan.c */
int plan_resolve(struct scenario *sc);
int plan_build(struct scenario *sc, uint64_t seed, struct plan **plan);
void plan_free(struct plan *p);
bool plan_watches(struct plan *p, const char *port);

/* Variables of a "for" loop around an entry of a scenario file. */
struct loop {
	struct plan *p;
	int i, j;
};

typedef int (*loop_fn)(struct loop *l, struct json_object *entry);

/* scenario/topology_graph.c */
/**
 * enum plan_way - which of several shortest paths, by round trip of a full packet
 * @WAY_BY_RATE: of those with the highest rate the one with the shortest round trip
 * @WAY_BY_RTT: of those with the shortest round trip the one with the highest rate
 * @WAY_SLOWEST: that with the longest round trip
 */
enum plan_way { WAY_BY_RATE, WAY_BY_RTT, WAY_SLOWEST, PLAN_WAYS };

int topology_expand(struct plan *p);
int plan_var(void *ctx, const char *name, double *val);
int plan_find_node(struct plan *p, const char *name);
int plan_access_of(const struct plan *p, int host);
int plan_path(struct plan *p, int src, int dst, enum plan_way which, int *links);
int plan_sole_path(struct plan *p, int src, int dst, int *links);
int plan_hops(struct plan *p, int src, int dst);
void plan_spread_to(struct plan *p, int dst, double *part, double *share);
bool *plan_data_ways(struct plan *p);
const struct lab_link *plan_port(struct plan *p, const char *name, int *node);
int plan_for_each(struct plan *p, const char *section, loop_fn fn);
char *plan_name(struct loop *l, struct json_object *entry, const char *member);
int plan_number(struct loop *l, struct json_object *entry, const char *member, const char *def,
		double *val);

/* scenario/flows.c */
int plan_own_flows(struct plan *p);
int plan_add_hops(struct plan *p, int src, int dst);
struct lab_flow *plan_new_flow(struct plan *p);
int plan_group(struct plan *p, const char *name);
int plan_host_of(struct loop *l, struct json_object *entry, const char *member);
int64_t plan_flow_stop_ns(const struct plan *p, int flow);

/* scenario/programs.c */
#define PROGRAMS_MAX	256
#define MPI_RANKS_MAX	1024

int plan_programs(struct plan *p);
bool plan_has_programs(const struct plan *p);
void plan_drop_flows(struct plan *p);

/* scenario/mpi_ranks.c */
#define MPI_FILE		"mpi.json"	/* of raw results: what ranks have sent */

int mpi_words(struct plan *p, struct json_object **argv, int *host);

/* scenario/dependencies.c */
int plan_after_entry(struct loop *l, struct json_object *entry, int flow);
int plan_after_check(struct plan *p, const char *file, const int *line);
void plan_after_times(struct plan *p);
int64_t plan_earliest_ns(const struct plan *p, int flow);
void plan_after_write(const struct plan *p, int flow, FILE *f);

/* scenario/links_by_name.c */
int plan_links_by_name(struct plan *p);

/* scenario/node_lists.c */
char *plan_nodes_of(const struct plan *p, const char *list, bool hosts, bool *which);

/* job/timeline.c */
int plan_timeline(struct plan *p);
const char *timeline_place_of(struct json_object *event);

/* scenario/run_time_estimate.c */
int64_t plan_expected_ns(struct plan *p);

/* traffic/ */
bool traffic_wanted(struct scenario *sc);
bool traffic_replaces(struct scenario *sc);
void traffic_defaults(struct scenario *sc);
int traffic_unused(struct scenario *sc);
int traffic_expand(struct plan *p);
int traffic_save(struct plan *p, const char *path);
int traffic_show(struct plan *p, const char *out, bool json);

/* job/queue_histogram_request.c */
void job_queue_histograms(struct plan *p);

/* scenario/port_settings.c */
#define DATA_PRIO		3

void port_keys(struct plan *p, struct json_object *o, enum job_object in, const char *group);
int64_t port_mtu(struct plan *p);
bool port_marks(struct plan *p, int node);
int64_t port_kmin(struct plan *p, const struct lab_link *l);
int64_t port_kmax(struct plan *p, const struct lab_link *l);

/* job/nodes_and_links.c */
void job_nodes(struct plan *p);
void job_links(struct plan *p, struct json_object *job);

/* scenario/short_flow_priority.c */
struct json_object *prio_copy(struct json_object *prio, int id);
int short_prio_check(struct scenario *sc);
void short_prio_port(struct plan *p, struct json_object *port);
void short_prio_plan(struct plan *p, struct json_object *plan);
void short_prio_knobs(struct plan *p, struct json_object *knobs);

/* scenario/host_clock_offsets.c */
bool host_clocks_differ(struct plan *p);
void host_clock_add(struct plan *p, int node, struct json_object *qdisc);

/* scenario/wire_bytes_and_times.c */
int64_t wire_ns(int64_t bytes, int64_t rate_bps);
int64_t wire_flow_bytes(struct plan *p, int64_t bytes);
void wire_free(struct wire *w);
void wire_telemetry(struct plan *p, struct json_object *totals);
int wire_hops(struct plan *p, int src, int dst);
int64_t wire_base_rtt_ns(struct plan *p, int src, int dst);
int64_t wire_ping_pong_ns(struct plan *p, int src, int dst, int64_t bytes);

/* scenario/ideal_fct.c */
int64_t wire_ideal_fct_ns(struct plan *p, const struct lab_flow *f);

/* run/options.c */
struct run_opts {
	char **ccs;				/* items of --cc: NAME[:PARAMETER=VALUE]... */
	size_t n_ccs;
	struct option_list params, knobs;
	uint64_t seed;
	const char *out;
	bool force, debug, apps, real, json, quiet, keep, dry;
	bool qemu;				/* backend; else uml */
	const char *accel;			/* of the guests; NULL: as a probe shows */
	int64_t guests, cpus;		/* 0: not said */
	bool beyond;				/* real time: run what it cannot keep, too */
	bool top;				/* real time: show what happens */
	int64_t timeout_s, mem_mb;
	int64_t events_mb;			/* 0: no events.csv */
};

/* boot/uml_process.c */
struct run_times {
	double wall_s, boot_s, setup_s, traffic_s;
};

struct uml {
	const char *kernel_dir, *work_dir;	/* job.json, UML's files, raw results */
	const char *label;			/* for messages */
	bool real, quiet, tty;
	bool relay;				/* what a script prints goes to stdout */
	int64_t timeout_s, mem_mb, expect_ns;	/* timeout_s 0: none */
	struct run_times times;
	char *error;				/* labinit's first "@lab:error" */
	int64_t virtual_ns;			/* last progress */
	struct json_object *guests;		/* of the QEMU backend, for run.json; NULL: none */
	/* Gets what a job's own program says in a line that begins with labinit's mark. */
	void (*on_mark)(void *ctx, const char *text);
	void *mark_ctx;
	/* The kernel that makes copies of itself for several jobs; NULL: this one has its own. */
	struct uml_copies *copies;
	const char *network;			/* with @copies: all of its links */
	bool network_again;			/* the next job has the same */
};

int uml_run(struct uml *u);
pid_t uml_start(struct uml *u, struct child *c);
void uml_end(pid_t pid, bool now);
int64_t uml_room_mb(void);
int uml_check_room(int64_t mem_mb);
int uml_status(struct uml *u, const char *raw);
int64_t uml_splats(const struct uml *u, char *text);

/* boot/build_provenance.c */
char *build_commit(const char *kernel_dir);
#define HASH_START	0xcbf29ce484222325ULL
#define HASH_FACTOR	0x100000001b3ULL

uint64_t hash_file(uint64_t hash, const char *path);
uint64_t hash_files(uint64_t hash, const char *dir, const char *pattern, const char *except);
char *build_fingerprint(const char *kernel_dir);

/* boot/temp_dirs.c */
int check_built(const char *path);
void work_catch(void);
char *work_dir_make(void);
char *cache_dir(void);
void work_dir_remove(char *dir);
bool work_interrupted(void);
int interrupted_error(void);
void interrupted_silent(void);

/* boot/own_modules.c */
int own_module_option(void *into, const struct option_row *row, char *path);
int own_modules_use(bool debug);
char *kernel_dir_built(bool debug);
char *kernel_dir(bool debug);
const char *kernel_variant(const struct run_opts *o);
char *kernel_dir_of(const struct run_opts *o);
const char *own_module_of(const char *algo, uint64_t *hash);
const char *own_module_path(size_t i);
const char *own_module_name(size_t i);
char *own_module_algo(const char *path);
char *own_module_core(const char *kdir);
bool algo_exists(const char *kdir, const char *name);

/* job/cc_algorithm_params.c */
char **cc_names(const char *kernel_dir, size_t *n);
char *cc_dir(const char *item);
int cc_check(const char *kernel_dir, char **ccs, size_t n);
int cc_params(const struct run_opts *o, const char *item, const char *algo, const char *preset,
	      struct json_object *cc);
int cc_json_one(struct plan *p, const struct run_opts *o, const char *item,
		struct json_object **out);
bool param_concerns(const char *arg, const char *algo);
int params_check(const struct option_list *params, char **ccs, size_t n_ccs);
int param_option(struct json_object *o, const char *opt, const char *arg, const char *cc);

/* job/cc_items.c */
char *cc_algo(const char *item);
bool cc_is_mixed(const char *item);
char **cc_groups_of(const char *item, size_t *n);
void cc_groups_free(char **v, size_t n);
char **cc_items(char **ccs, size_t n, size_t *n_items);

/* job/cc_groups.c */
int cc_group_of_hosts(const struct plan *p, const char *item, int *group);
int cc_groups_check(const struct plan *p, const char *item);
int cc_json(struct plan *p, const struct run_opts *o, const char *item, struct json_object **out);

/* run/check_params_known.c */
int algo_params_known(const char *kdir, bool debug, const char *algo, struct json_object *params,
		      const char *preset);

/* scenario/short_flow_priority.c */
int short_prio_check_knobs(struct scenario *sc, const struct run_opts *o);

/* job/realtime_requirements.c */
int64_t plan_data_packets(const struct plan *p, int64_t *bytes);
void job_realtime(struct plan *p, const struct run_opts *o, const char *mode);

/* job/write_job_file.c */
int job_save(struct plan *p, const struct run_opts *o, const char *cc, const char *kdir,
	     const char *work, const char *mode);
int job_save_common(struct plan *p, const struct run_opts *o, const char *kdir, const char *path,
		    bool network);

/* results/results.c */
int results_write(struct plan *p, const struct run_opts *o, const char *cc, const char *raw,
		  const char *place, struct uml *u, bool *wrote);
int results_check(const char *dir, struct plan *p, const struct run_opts *o, const char *cc);

/* results/result_dirs.c */
struct result_dir {
	char *dir;
	int fd;				/* -1: not locked */
};

int result_dir_lock(struct result_dir *pl);
char *result_dir_name(const char *scenario, const char *cc, uint64_t seed);
int result_dirs_lock(struct result_dir *places, const char *scenario, const struct run_opts *o);
void result_dirs_unlock(struct result_dir *places, size_t n);

/* results/longest_queue_and_congestion.c */
#define NOTHING_CONGESTED	"nothing was congested: algorithms cannot differ here"

const char *summary_longest_queue(struct json_object *summary, struct json_object **port);
bool summary_idle(struct json_object *summary);
char *summaries_idle(struct json_object **s, size_t n);

/* results/run_end_table.c */
int run_end_table(char **dirs, size_t n, bool json);
int run_end_table_named(char **dirs, char **names, size_t n);

/* cmd/ */
int cmd_run(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_mpirun(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_shell(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_flows(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_perftest(int argc, char **argv);
int cmd_judge(int argc, char **argv);
int cmd_build(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_paper(int argc, char **argv);

#endif /* LAB_H */
