/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: traffic in scenarios. See Documentation/guide/workloads.md.
 */
#ifndef LAB_TRAFFIC_TRAFFIC_H
#define LAB_TRAFFIC_TRAFFIC_H

#include "random_distributions.h"
#include "lab.h"

#define FLOWS_MAX	4000000
/* Of a file: each has distributions of its own. */
#define GROUPS_MAX	1000
/* What sums and quotients of doubles may be off. */
#define ROUNDING	0.000000001
#define GROUP_WORKLOAD	"workload"
#define GROUP_INCAST	"incast"
#define GROUP_SMALLER	"incast_smaller"
#define GROUP_LONG	"long"

/* Order of the words of the key "policy". */
enum policy { POLICY_UNIFORM, POLICY_LOCAL, POLICY_HOTSPOT };

/**
 * struct host_list - some of the hosts
 * @is: by number of the host: it is one of them
 * @host: their numbers, in order
 * @n: how many
 * @some: a key names them; else all
 */
struct host_list {
	bool *is;
	int *host, n;
	bool some;
};

/**
 * struct traffic - from keys to flows
 * @p: plan
 * @sc: its scenario
 * @sizes: of the workload
 * @name: of the workload; NULL: none
 * @file: flows_file, or NULL
 * @collective: flows are those of jobs
 * @policy: who sends to whom
 * @payload: the load counts payload
 * @load: as asked for
 * @local_share: of policy local
 * @hot_share: of policy hotspot
 * @degree: flows of an incast, 0: none
 * @incast_bytes: of the largest of them
 * @n_groups: fixed receivers with fixed senders, 0: drawn for each incast
 * @halvings: further sizes, each half of the one before
 * @spread_ns: within which the flows of an incast start
 * @long_bytes: of a background flow
 * @cap_bytes: what larger flows of the workload are made, 0: there are none
 * @part_incast: part of the load
 * @part_long: part of the load
 * @n: hosts
 * @host: their nodes, in order
 * @rack: of each host, the number of its rack
 * @rack_hosts: hosts of rack r are @rack_hosts[@rack_begin[r]] and on
 * @rack_begin: by rack; one more for the end
 * @n_racks: how many
 * @hot: numbers of the hot hosts, then those of all others
 * @n_hot: how many are hot
 * @senders: hosts that send flows of the workload
 * @receivers: hosts that get them
 * @bytes_per_s: bytes of the load that all sources together offer
 * @load_of: "hosts" or "core"
 * @full_per_s: the same at a load of 1
 * @mean_bytes: payload of a flow of the workload
 * @mean_cost: bytes of the load of such a flow
 * @duration_ns: of arrivals
 * @n_work: flows of the workload
 * @n_incasts: and so many incasts
 * @n_long: and background flows
 * @first_ns: start of the first flow of a simulator's file, which starts at 0 here
 * @n_left_out: lines of such a file behind the flows that it announces
 */
struct traffic {
	struct plan *p;
	struct scenario *sc;
	struct fg_cdf sizes;
	const char *name, *file;
	enum policy policy;
	bool collective, payload;
	double load, local_share, hot_share;
	int degree, n_groups, halvings;
	int64_t incast_bytes, spread_ns, long_bytes, cap_bytes;
	double part_incast, part_long;
	int n, *host, *rack, *rack_hosts, *rack_begin, n_racks;
	u32 *hot;
	int n_hot;
	struct host_list senders, receivers;
	double bytes_per_s, full_per_s;
	const char *load_of;
	double mean_bytes, mean_cost;
	int64_t duration_ns;
	int64_t n_work, n_incasts, n_long;
	int64_t first_ns, n_left_out;
};

/* All flows are known one by one, and are no load. */
static inline bool traffic_is_listed(const struct traffic *t)
{
	return t->file || t->collective;
}

/* workload_keys.c */
int traffic_keys(struct traffic *t);
int traffic_times(struct traffic *t);

/* offered_load.c */
int traffic_hosts(struct traffic *t);
int traffic_load(struct traffic *t);
double traffic_cost(struct traffic *t, int64_t bytes);
double traffic_incast_cost(struct traffic *t);

/* traffic_matrix.c */
int traffic_matrix_check(struct traffic *t);
int traffic_matrix_draw(struct traffic *t, int src, struct fg_rng *r);
void traffic_matrix_to(struct traffic *t, int dst, double *part);

/* host_lists.c */
int host_lists_read(struct traffic *t);
int host_list_draw(const struct host_list *l, int but, struct fg_rng *r);
struct json_object *host_list_json(struct traffic *t, const struct host_list *l);
void host_list_free(struct host_list *l);

/* generate_flows.c */
void traffic_draw(struct traffic *t);

/* flows_file_reader.c */
int traffic_read(struct traffic *t);

/* collectives.c */
int traffic_collectives(struct traffic *t);

/* simulator_flows_reader.c */
int traffic_read_simulators(struct traffic *t, bool *done);

/* flows_into_plan.c */
struct json_object *traffic_json(struct traffic *t);

#endif /* LAB_TRAFFIC_TRAFFIC_H */
