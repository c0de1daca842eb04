/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flowgen: RoCE traffic by verbs. Types and functions shared by its parts.
 *
 * A plan names hosts (RDMA devices) and flows. Flows run over connections
 * (pairs of QPs). Everything runs in one thread that sleeps in epoll_wait():
 * in the lab's virtual time a busy loop would stop the clock.
 *
 * Units: bytes, nanoseconds, bit/s. Times in results count from t0, the instant
 * at which traffic starts, on CLOCK_MONOTONIC.
 */
#ifndef FLOWGEN_H
#define FLOWGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <infiniband/verbs.h>
#include <json-c/json.h>

#include "../lib/depend.h"
#include "random_distributions.h"

typedef __u16 u16;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	1000000000ULL
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

/* Exit codes, also documented in --help. */
enum fg_exit {
	FG_OK = 0,
	FG_FAILED = 1,		/* some flow failed or did not finish */
	FG_USAGE = 2,		/* bad plan or arguments, nothing done */
	FG_SETUP = 3,		/* a device, QP or file could not be set up */
};

enum fg_op {
	FG_SEND, FG_SEND_IMM, FG_WRITE, FG_WRITE_IMM, FG_READ,
	FG_FETCH_ADD, FG_CMP_SWAP,
	FG_NUM_OPS
};

enum fg_transport { FG_RC, FG_UC };
enum fg_gid_kind { FG_GID_IPV4, FG_GID_IPV6 };

extern const char *const fg_op_names[];
extern const char *const fg_transport_names[];
extern const char *const fg_gid_names[];

/* In ack_tclass: use the value of tclass. */
#define FG_TCLASS_SAME	256

/* Queued on a QP, this is plenty: it need not be refilled at once. */
#define FG_PLENTY_BYTES 1048576U

/* Special values of fg_flow.qp_group. */
#define FG_QP_NEW	(-1)
#define FG_QP_PAIR	(-2)

/* Who shares a connection, of the flows of a flows_file; see connection_pool.c. */
enum fg_policy { FG_POLICY_FLOW, FG_POLICY_PAIR, FG_POLICY_POOL };

#define FG_MAX_ROWS	1000000000U
/* Of a flow of the plan; and of a row, whose ids come after those. */
#define FG_ID_MAX_OF_PLAN (1U << 30)
#define FG_ID_MAX	(FG_ID_MAX_OF_PLAN + FG_MAX_ROWS)

/* Index of a row's random stream of PSNs: connections of the plan come before. */
#define FG_PSN_OF_ROWS	(1ULL << 32)

/* fg_conn.id: a place in fg_plan.conns, and how often the place was given away. */
#define FG_CONN_SLOT_BITS 22
#define FG_CONN_SLOT_MASK ((1U << FG_CONN_SLOT_BITS) - 1)
#define FG_CONN_GEN_MASK 0xffU

/* Wire bytes of a RoCEv2/IPv4 packet beyond the payload of a plain MIDDLE. */
#define FG_WIRE_OVERHEAD 82

/**
 * struct fg_attr - how a flow uses its QP; the same keys at every level of a plan
 *
 * Members carry the names of the plan's keys. All are u32, so that two of these
 * can be compared as memory.
 */
struct fg_attr {
	u32 op;
	u32 transport;
	u32 gid;
	u32 mtu;		/* bytes, 0: the ports' active MTU */
	u32 chunk_bytes;
	u32 first_bytes;	/* of a flow's first message; 0: as the others */
	u32 alternate_bytes;	/* of its second, fourth, ... message; 0: as the others */
	u32 depth;
	u32 signal_every;
	u32 tclass;
	u32 ack_tclass;
	u32 sl;
	u32 hop_limit;
	u32 flow_label;
	u32 timeout;
	u32 retry_cnt;
	u32 rnr_retry;
	u32 min_rnr_timer;
	u32 max_rd_atomic;
	u32 verify;
};

enum fg_state { FG_WAIT, FG_ACTIVE, FG_DONE };

struct fg_conn;
struct fg_vbuf;

/* A flow: what the plan says, then what happened. */
struct fg_flow {
	u32 id;
	u32 src;		/* indices into fg_plan.hosts */
	u32 dst;
	struct fg_attr attr;
	const char *src_gid;	/* explicit GID, or NULL */
	const char *dst_gid;
	u64 bytes;		/* 0: until stop */
	u64 start_ns;
	u64 stop_ns;		/* 0: the plan's */
	u64 think_ns;
	s64 qp_group;
	s64 next;		/* index of the flow started at our end, or -1 */
	bool chained;		/* started by another flow's end */
	bool in_chain;		/* one of a closed loop: stopping is no failure */
	bool from_file;		/* of a row of the flows_file */
	bool waits;		/* starts when other flows have ended, or started */
	u32 row;		/* its index, if it is of one */
	u32 conn;		/* index into fg_plan.conns; FG_NO_CONN */

	enum fg_state state;
	const char *status;	/* NULL: fine so far */
	u64 posted_bytes;
	u64 done_bytes;
	u64 done_msgs;
	u64 posted_msgs;
	u32 outstanding;	/* WRs not completed */
	bool stopping;
	bool own_stop;		/* for its own stop_ns, not with all others */
	u64 stop_seq;		/* of the timer for that; before its start of a row that waits */
	bool queued;		/* in its connection's round robin */
	bool unsignalled;	/* its last WR asked for no completion */
	u64 t_start_ns;		/* absolute */
	u64 t_last_ns;
	struct fg_flow *rr_next;
	struct fg_vbuf *vbuf;
};

#define FG_NO_CONN	(~0U)

/* fg_plan.linger_ns, until it is known whether connections are reliable. */
#define FG_LINGER_DEFAULT	(~0ULL)

/* fg_plan.lookahead_ns: no notices. */
#define FG_NO_LOOKAHEAD	(~0ULL)

/* A row of the flows_file. There may be millions: 32 bytes each. */
struct fg_row {
	u64 bytes;
	u64 start_ns;
	u64 stop_ns;		/* 0: the plan's */
	u32 id;
	u16 src;		/* indices into fg_plan.hosts */
	u16 dst;
};

/* A ping-pong. */
struct fg_pingpong {
	u32 src;
	u32 dst;
	struct fg_attr attr;
	u32 bytes;
	u32 iterations;
	u32 warmup;
	u64 start_ns;
	u64 gap_ns;
	u32 conn;

	enum fg_state state;
	const char *status;
	u32 done;		/* including warm-up */
	u64 t_post_ns;
	u64 *rtt_ns;
	u32 recorded;
};

/* What a work request was for; one slot per outstanding WR. */
struct fg_slot {
	struct fg_flow *flow;	/* NULL: warm-up */
	u32 bytes;
};

/* One end of a connection. */
struct fg_ep {
	struct fg_host *host;	/* NULL: in another process */
	struct ibv_qp *qp;
	struct fg_cq *cq;	/* NULL: the host's first */
	u32 cqe;		/* places that it has there */
	u32 qpn;
	u32 psn;
	u32 mtu;		/* bytes */
	union ibv_gid gid;
	u32 gid_index;
	u64 addr;		/* of the buffer the peer may access */
	u32 rkey;
	u32 recv_depth;
	u32 recv_posted;
	u64 recv_seq;		/* receives posted ever */
};

/*
 * A connection: src posts, dst responds. ep[0] is src's end, ep[1] dst's.
 */
struct fg_conn {
	u32 id;
	u32 src;
	u32 dst;
	struct fg_attr attr;
	s64 qp_group;
	const char *src_gid;
	const char *dst_gid;
	u32 nflows;
	u32 depth;
	u32 buf_bytes;		/* largest message */
	bool need_recv;		/* dst must post receives */
	bool echo;		/* dst answers each SEND with a SEND */
	struct fg_ep ep[2];
	struct fg_pingpong *pingpong;

	struct fg_slot *slots;
	u32 head;		/* sequence number of the next WR */
	u32 tail;		/* of the oldest outstanding WR */
	u64 queued_bytes;	/* of outstanding WRs */
	u32 credits;		/* receives dst has posted and src not used */
	bool use_credits;
	bool broken;
	bool dirty;		/* on the engine's list of what needs a refill */
	struct fg_flow *rr;	/* last of a circular list, or NULL */
	struct fg_vbuf *vbuf;
	u32 echo_seq;

	bool from_pool;		/* made while traffic runs, see connection_pool.c */
	u32 users;		/* flows that are active on it */
	u64 due_ns;		/* to be destroyed then */
	struct fg_conn *next;	/* of its pair, or of those to be destroyed */
};

struct fg_plan {
	u64 seed;
	u32 port;
	struct fg_attr attr;
	u64 interval_ns;
	u64 jitter_ns;
	u64 start_at_ns;
	u64 lead_ns;
	u64 stop_ns;
	u64 drain_ns;
	u32 warmup_bytes;
	const char *flows_file;
	u32 qp_policy;		/* enum fg_policy */
	u32 qp_pool;		/* connections of a pair at most */
	u64 linger_ns;
	u64 lookahead_ns;	/* incasts are announced so long before */
	u64 lookahead_span_ns;	/* within which the flows of an incast start */
	u64 small_bytes;	/* rows of at most so much ... */
	u32 small_tclass;	/* ... have this traffic class */

	struct fg_row *rows;	/* of flows_file: in order of start, then those that wait */
	u32 nrows;
	u32 nwait;		/* so many wait for other flows */
	struct depend after;	/* by node: flows, then rows; by id until all are known */
	struct depend_graph graph;
	u64 row_max_bytes;
	char **hosts;
	u32 nhosts;
	u32 nlocal;		/* the first ones are in this process; 0: all are */
	struct fg_flow *flows;
	u32 nflows;
	u32 cap_flows;
	struct fg_pingpong *pingpongs;
	u32 npingpongs;
	struct fg_conn **conns;
	u32 nconns;
	u32 cap_conns;
	char **strings;		/* everything strdup()ed for the plan */
	u32 nstrings;
};

/* util.c */
u64 fg_now_ns(void);
void *fg_zalloc(size_t n, size_t size);
void *fg_grow(void *p, u32 *cap, u32 need, size_t size);
void fg_print_rate(char *buf, size_t len, double bps);
void fg_print_time(char *buf, size_t len, double ns);
int fg_mkdir(const char *dir);
FILE *fg_create(const char *dir, const char *name);
int fg_close(FILE *f, const char *dir, const char *name);

/* json.c: strict reading of objects by tables */
enum fg_key_type { K_U32, K_U64, K_BOOL, K_ENUM, K_STR, K_DBL, K_JSON };

/**
 * struct fg_key - one key of a JSON object
 * @name: the key; NULL ends a table
 * @type: how it is stored: K_ENUM as u32 index into @names, K_BOOL as u32,
 *	K_STR as const char * and K_JSON as json_object *, both borrowed
 * @off: where in the structure
 * @min: smallest value of a number
 * @max: largest value of a number
 * @names: NULL-terminated list of an enum's words
 */
struct fg_key {
	const char *name;
	enum fg_key_type type;
	size_t off;
	u64 min;
	u64 max;
	const char *const *names;
};

struct fg_keyset {
	const struct fg_key *keys;
	void *base;
};

json_object *fg_json_read(const char *file);
int fg_json_parse(json_object *o, const char *path,
		  const struct fg_keyset *sets);
int fg_json_as_u64(json_object *o, const char *path, u64 min, u64 max, u64 *out);
int fg_json_as_str(json_object *o, const char *path, const char **out);

/* plan.c, plan_parse.c, flow_to_connection.c, flow_generators.c */
extern const struct fg_key fg_attr_keys[];
struct fg_plan *fg_plan_new(void);
struct fg_plan *fg_plan_read(const char *file, const u64 *seed, const char *local);
int fg_plan_parse(struct fg_plan *p, json_object *root);
void fg_plan_free(struct fg_plan *p);
u32 fg_plan_host(struct fg_plan *p, const char *name);
const char *fg_plan_str(struct fg_plan *p, const char *s);
struct fg_flow *fg_plan_add_flow(struct fg_plan *p);
int fg_plan_check_attr(const struct fg_attr *a, const char *path);
struct fg_conn *fg_plan_add_conn(struct fg_plan *p);
void fg_plan_init_conn(const struct fg_plan *p, struct fg_conn *c, u32 src, u32 dst,
		       const struct fg_attr *a, u64 psn_index);
int fg_plan_connect(struct fg_plan *p);
bool fg_op_needs_recv(u32 op);
u32 fg_plan_max_id(const struct fg_plan *p);
int fg_gen_expand(struct fg_plan *p, json_object *o, const char *path, u32 index);

/* flows_file_rows.c */
int fg_rows_read(struct fg_plan *p);

/* dependencies_read.c */
int fg_after_resolve(struct fg_plan *p, const u32 *line);

/* verbs.c */
struct fg_cq {
	struct ibv_cq *cq;
	struct fg_host *host;
	u32 cqe;
	u32 used;		/* places promised to queue pairs */
	u32 unacked;		/* events to acknowledge */
};

struct fg_host {
	const char *name;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_comp_channel *chan;
	struct fg_cq **cqs;	/* the first is that of the plan's connections */
	u32 ncqs;
	u32 cap_cqs;
	struct ibv_srq *srq;	/* empty, of queue pairs that never receive */
	bool no_srq;		/* the device has none */
	struct ibv_gid_entry *gids;
	int ngids;
	u32 port;
	u32 active_mtu;		/* bytes */
	u32 cqe_need;
	u32 buf_bytes;
	bool dead;
	struct ibv_device_attr attr;
};

int fg_host_open(struct fg_host *h, const char *name, u32 port);
int fg_host_prepare(struct fg_host *h, u32 cqe, void *buf, u32 buf_bytes);
struct fg_cq *fg_host_cq(struct fg_host *h, u32 cqe);
void fg_host_close(struct fg_host *h);
int fg_ep_create(struct fg_conn *c, int side);
int fg_ep_connect(struct fg_conn *c, int side);
void fg_ep_destroy(struct fg_ep *ep);
void *fg_shared_buf(u32 bytes);
void fg_gid_str(const union ibv_gid *gid, char *buf, size_t len);
const char *fg_first_device(void);
int fg_host_gid(const struct fg_host *h, u32 kind, union ibv_gid *gid);

/* Buffers of a verified flow: [0] at src, [1] at dst. */
struct fg_vbuf {
	u64 bytes;
	u8 *mem[2];
	struct ibv_mr *mr[2];
};

int fg_vbuf_create(struct fg_flow *f, struct fg_conn *c, u64 seed);
bool fg_vbuf_good(const struct fg_flow *f);
void fg_vbuf_destroy(struct fg_vbuf *v);

/* run_state_and_timers.c */
struct fg_evsrc {
	int fd;
	void (*fn)(struct fg_evsrc *ev);
};

/* A deadline; whoever it is for gets it. */
struct fg_timer {
	u64 at_ns;
	u64 seq;
	void (*fn)(const struct fg_timer *t);
	void *arg;
};

typedef void (*fg_timer_fn)(const struct fg_timer *t);

struct fg_engine {
	struct fg_plan *plan;
	struct fg_host *hosts;
	u32 nhosts;
	int epfd;
	struct fg_evsrc *cq_src;	/* one per host */
	struct fg_evsrc *async_src;
	struct fg_evsrc timer_src;
	struct fg_evsrc signal_src;
	struct fg_timer *heap;
	u32 nheap;
	u32 cap_heap;
	u64 timer_seq;
	u64 armed_ns;
	struct fg_conn **dirty;
	u32 ndirty;
	u32 cap_dirty;
	struct fg_flow **active;
	u32 nactive;
	u32 cap_active;

	u64 t0_ns;
	u64 now_ns;		/* fg_batch_now() of the batch being handled */
	bool now_valid;
	u32 left;		/* flows and ping-pongs that have not ended */
	u32 warm;		/* warm-up messages outstanding */
	bool stopping;
	bool drained;		/* nothing has completed for drain_ns */
	bool hurried;		/* a signal after the stop: nothing is waited for */
	bool interrupted;
	bool aborted;
	bool running;

	FILE *series;
	FILE *flows;			/* flows.csv */
	void (*on_sample)(struct fg_engine *e);
	void (*on_interrupt)(struct fg_engine *e);
	void (*row_ended)(struct fg_flow *f);	/* a flow of the flows_file */
	/* NULL if no flow waits for another. */
	void (*flow_started)(const struct fg_flow *f);
	void (*flow_ended)(const struct fg_flow *f);	/* or was given up */
	void (*on_done)(void);		/* own flows have ended */
	bool held;			/* until all others have, see plan_over_several_kernels.c */

	u64 setup_ns;
	u64 wakeups;
	u64 cq_events;
	u64 post_calls;
	u64 send_wrs;
	u64 completions;
	u64 drain_completions;	/* when the wait of drain_ns began */
	u32 errors_shown;
	u64 qps_created;
	u32 qps_peak;
	u64 late_ns;		/* the latest start of a row */
};

extern struct fg_engine eng;

int fg_engine_watch(struct fg_evsrc *ev, int fd, void (*fn)(struct fg_evsrc *ev));
void fg_engine_unwatch(struct fg_evsrc *ev);
u64 fg_timer_add(u64 at_ns, fg_timer_fn fn, void *arg);
struct fg_timer fg_timer_pop(void);
u32 fg_conn_batch(const struct fg_conn *c);
void fg_conn_dirty(struct fg_conn *c);
u64 fg_batch_now(void);

/* connection_open.c */
void fg_conn_size(struct fg_conn *c, u32 nlocal);
int fg_conn_open(struct fg_conn *c);
void fg_conn_close(struct fg_conn *c);

/* event_loop.c */
int fg_engine_init(struct fg_plan *p);
int fg_engine_open(struct fg_plan *p, u32 nlocal);
int fg_engine_warmup(void);
int fg_engine_wait_go(int ready_fd, int go_fd);
int fg_engine_start(void);
void fg_engine_loop(void);
void fg_show_outstanding(void);
void fg_engine_exit(void);
int fg_engine_watch_hosts(void);

/* flow_posting.c */
void fg_flow_start(struct fg_flow *f);
void fg_flow_stop(struct fg_flow *f);
void fg_flow_timer(const struct fg_timer *t);
void fg_flow_outstanding(const struct fg_flow *f);
void fg_flow_give_up(struct fg_flow *f, const char *status);
void fg_conn_pump(struct fg_conn *c);
int fg_conn_fill_recv(struct fg_conn *c, int side);
int fg_conn_warmup(struct fg_conn *c, u32 bytes);
void fg_conn_wc(const struct ibv_wc *wc);
void fg_conn_break(struct fg_conn *c, const char *status);
const char *fg_flow_status(const struct fg_flow *f);
bool fg_flow_failed(const struct fg_flow *f);
int fg_post(struct fg_conn *c, int side, struct ibv_send_wr *wr);
u64 fg_wr_id(const struct fg_conn *c, int side, bool recv, u32 seq);

/* pingpong.c */
void fg_pingpong_timer(const struct fg_timer *t);
void fg_pingpong_stop(struct fg_pingpong *p, const char *status);
void fg_pingpong_wc(struct fg_conn *c, int side, bool recv);
void fg_echo(struct fg_conn *c);

/* flows_csv_and_totals.c: what flows add up to */
struct fg_totals {
	u64 flows, completed, failed, stopped, bytes;
	u64 first_ns, last_ns;	/* from t0; first_ns is ~0 without a start */
	json_object *errors;	/* status to count, of those not completed */
};

s64 fg_flow_fct(const struct fg_flow *f);
u64 fg_flow_started(const struct fg_flow *f);
int fg_results_flows_open(const char *dir);
void fg_results_row(const struct fg_flow *f, const struct fg_conn *c);
void fg_totals_init(struct fg_totals *t);
void fg_totals_add(struct fg_totals *t, const struct fg_flow *f);
void fg_totals_error(struct fg_totals *t, const char *status);

/* results.c */
struct fg_lat {
	u64 min, p50, p90, p99, p999, max;
	double mean;
};

void fg_lat_stats(const u64 *v, u32 n, struct fg_lat *out);
const struct fg_totals *fg_results_totals(void);
int fg_results_qps(const char *dir);
int fg_results_series_open(const char *dir);
void fg_results_sample(void);
int fg_results_write(const char *dir, int exit_code);
int fg_results_exit_code(void);
json_object *fg_lat_json(const struct fg_lat *l);

/* connection_pool.c */
u32 fg_pool_buf_bytes(const struct fg_plan *p);
struct fg_conn *fg_pool_make(const struct fg_row *row);
struct fg_conn *fg_pool_get(const struct fg_row *row);
bool fg_pool_knows(const struct fg_row *row);
void fg_pool_retire(struct fg_conn *c, u64 now_ns);
bool fg_pool_reap(u64 now_ns);
void fg_pool_exit(void);

/* flows_file_lifecycle.c */
int fg_churn_open(const char *dir);
void fg_churn_start(void);
void fg_churn_make(u32 row);
void fg_churn_release(u32 row, u64 at_ns);
void fg_churn_cancel(void);
void fg_churn_tidy(void);
void fg_churn_stop(void);
void fg_churn_each(void (*fn)(const struct fg_flow *f));
void fg_churn_finish(struct fg_totals *t);
bool fg_churn_failed(void);
void fg_churn_exit(void);

/* dependencies.c: flows that wait for flows. In graph.waits, when it is no number any more: */
#define FG_BEGUN	(~0U)		/* a row that has a flow, or had one */
#define FG_CANCELLED	(~0U - 1)	/* what it waits for has failed */

void fg_after_start(void);
void fg_after_exit(void);

/* cc_netlink_commands.c: commands to congestion control */
int fg_cc_open(void);
const char *fg_cc_command(const char *dev, u32 port, const char *name,
			  const union ibv_gid *peer, u32 n);
void fg_cc_close(void);

/* lookahead.c: incasts are announced */
int fg_notice_start(void);
void fg_notice_json(json_object *o);
void fg_notice_exit(void);

/* plan_over_several_kernels.c */
struct fg_part_opts {
	char **peers;		/* files with the ends of the other parts */
	u32 npeers;
	int ready_fd;
	int go_fd;
};

int fg_part_check(const struct fg_plan *p);
int fg_part_exchange(struct fg_plan *p, const char *dir, const struct fg_part_opts *o);
int fg_part_wait_start(struct fg_plan *p);

/* client_server_protocol.c, client.c, server.c */
#define FG_PORT		"18516"
#define FG_PROTO	1

int fg_net_send(int fd, json_object *o);
json_object *fg_net_recv(int fd);
json_object *fg_net_ep(const struct fg_conn *c, int side);
int fg_net_read_ep(json_object *o, struct fg_ep *ep);
int fg_client_main(int argc, char **argv);
int fg_server_main(int argc, char **argv);

#endif
