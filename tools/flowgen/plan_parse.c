// SPDX-License-Identifier: GPL-2.0
/* flowgen: reading and checking a plan. Documentation/reference/flowgen.md has the format. */
#include <stdlib.h>
#include <string.h>

#include "../lib/mem.h"
#include "flowgen.h"

static const char *const policy_names[] = { "flow", "pair", "pool", NULL };

/* Lists of a plan, and values that have no place in struct fg_plan. */
struct top {
	json_object *flows;
	json_object *generate;
	json_object *latency;
};

#define PLAN(key, kind, lo, hi) \
	{ #key, kind, offsetof(struct fg_plan, key), lo, hi, NULL }
#define TIME_MAX (1000000ULL * NSEC_PER_SEC)
/* As long as a notice may hold, and queue pairs are made before their flows. */
#define LOOKAHEAD_MAX	NSEC_PER_SEC

/* For packets that come twice or late, and CNPs. */
#define LINGER_RC_NS	20000
/* An unreliable message is complete when it has left: it may be in a queue yet. */
#define LINGER_UC_NS	1000000

static const struct fg_key plan_keys[] = {
	PLAN(seed, K_U64, 0, ~0ULL),
	PLAN(port, K_U32, 1, 255),
	PLAN(interval_ns, K_U64, 0, TIME_MAX),
	PLAN(jitter_ns, K_U64, 0, TIME_MAX),
	PLAN(start_at_ns, K_U64, 0, 1ULL << 62),
	PLAN(lead_ns, K_U64, 0, TIME_MAX),
	PLAN(stop_ns, K_U64, 0, TIME_MAX),
	PLAN(drain_ns, K_U64, 0, TIME_MAX),
	PLAN(warmup_bytes, K_U32, 0, 1U << 20),
	PLAN(flows_file, K_STR, 0, 0),
	{ "qp", K_ENUM, offsetof(struct fg_plan, qp_policy), 0, 0, policy_names },
	PLAN(qp_pool, K_U32, 1, 4096),
	PLAN(linger_ns, K_U64, 0, TIME_MAX),
	PLAN(lookahead_ns, K_U64, 0, LOOKAHEAD_MAX),
	PLAN(lookahead_span_ns, K_U64, 0, LOOKAHEAD_MAX),
	PLAN(small_bytes, K_U64, 0, 1ULL << 50),
	PLAN(small_tclass, K_U32, 0, 255),
	{ }
};

static const struct fg_key top_keys[] = {
	{ "flows", K_JSON, offsetof(struct top, flows), 0, 0, NULL },
	{ "generate", K_JSON, offsetof(struct top, generate), 0, 0, NULL },
	{ "latency", K_JSON, offsetof(struct top, latency), 0, 0, NULL },
	{ }
};

/* What a flow's entry may say that is not as it is in struct fg_flow. */
struct flow_in {
	struct fg_flow f;
	u32 count;
	const char *src;
	const char *dst;
	json_object *qp;
	json_object *after;
	json_object *after_start;
	u64 delay_ns;
};

#define FLOW(key, kind, hi) \
	{ #key, kind, offsetof(struct flow_in, f.key), 0, hi, NULL }
#define FLOW_IN(key, kind, lo, hi) \
	{ #key, kind, offsetof(struct flow_in, key), lo, hi, NULL }

static const struct fg_key flow_keys[] = {
	FLOW(id, K_U32, FG_ID_MAX_OF_PLAN),
	FLOW(bytes, K_U64, 1ULL << 50),
	FLOW(start_ns, K_U64, TIME_MAX),
	FLOW(stop_ns, K_U64, TIME_MAX),
	FLOW(think_ns, K_U64, TIME_MAX),
	FLOW(src_gid, K_STR, 0),
	FLOW(dst_gid, K_STR, 0),
	FLOW_IN(count, K_U32, 1, 1U << 20),
	FLOW_IN(src, K_STR, 0, 0),
	FLOW_IN(dst, K_STR, 0, 0),
	FLOW_IN(qp, K_JSON, 0, 0),
	FLOW_IN(after, K_JSON, 0, 0),
	FLOW_IN(after_start, K_JSON, 0, 0),
	FLOW_IN(delay_ns, K_U64, 0, TIME_MAX),
	{ }
};

struct pingpong_in {
	struct fg_pingpong p;
	const char *src;
	const char *dst;
};

#define PINGPONG(key, kind, lo, hi) \
	{ #key, kind, offsetof(struct pingpong_in, p.key), lo, hi, NULL }

static const struct fg_key pingpong_keys[] = {
	PINGPONG(bytes, K_U32, 1, 1U << 30),
	PINGPONG(iterations, K_U32, 1, 10000000),
	PINGPONG(warmup, K_U32, 0, 1000000),
	PINGPONG(start_ns, K_U64, 0, TIME_MAX),
	PINGPONG(gap_ns, K_U64, 0, TIME_MAX),
	{ "src", K_STR, offsetof(struct pingpong_in, src), 0, 0, NULL },
	{ "dst", K_STR, offsetof(struct pingpong_in, dst), 0, 0, NULL },
	{ }
};

static int parse_qp(struct fg_flow *f, json_object *qp, const char *path)
{
	char sub[128];
	const char *s;
	u64 n;

	if (!qp)
		return 0;
	snprintf(sub, sizeof(sub), "%s.qp", path);
	if (json_object_is_type(qp, json_type_int)) {
		if (fg_json_as_u64(qp, sub, 0, 1U << 30, &n))
			return -1;
		f->qp_group = n;
		return 0;
	}
	if (fg_json_as_str(qp, sub, &s))
		return -1;
	if (!strcmp(s, "pair"))
		f->qp_group = FG_QP_PAIR;
	else if (strcmp(s, "new"))
		return fg_err("%s: \"%s\" is none of: new, pair, a number", sub, s);
	return 0;
}

/* Ids of flows that it waits for, which need not be known yet. */
static int parse_after(struct fg_plan *p, json_object *list, bool start, const char *path)
{
	char sub[128];
	size_t i;
	u64 id;

	if (!list)
		return 0;
	snprintf(sub, sizeof(sub), "%s.%s", path, start ? "after_start" : "after");
	if (!json_object_is_type(list, json_type_array))
		return fg_err("%s: not a list of ids", sub);
	for (i = 0; i < json_object_array_length(list); i++) {
		if (fg_json_as_u64(json_object_array_get_idx(list, i), sub, 0, FG_ID_MAX, &id))
			return -1;
		if (depend_add(&p->after, id, start))
			return fg_err("%s: more than %u dependencies", sub, DEPEND_MAX);
	}
	return 0;
}

static int parse_waits(struct fg_plan *p, const struct flow_in *in, const char *path)
{
	u32 before = p->after.n_edges;

	if (in->after || in->after_start)
		depend_begin(&p->after, p->nflows - 1, in->delay_ns);
	if (parse_after(p, in->after, false, path) || parse_after(p, in->after_start, true, path))
		return -1;
	p->flows[p->nflows - 1].waits = p->after.n_edges > before;
	if (in->delay_ns && p->after.n_edges == before)
		return fg_err("%s.delay_ns: needs after or after_start", path);
	return 0;
}

static int each_flow(struct fg_plan *p, json_object *o, const char *path, u32 i)
{
	struct flow_in in = { .f = { .id = p->nflows, .attr = p->attr }, .count = 1 };
	struct fg_flow *f = &in.f;
	const struct fg_keyset sets[] = {
		{ flow_keys, &in }, { fg_attr_keys, &f->attr }, { NULL, NULL }
	};

	(void)i;
	if (fg_json_parse(o, path, sets) || fg_plan_check_attr(&f->attr, path))
		return -1;
	if (!in.src || !in.dst)
		return fg_err("%s.%s: missing", path, in.src ? "dst" : "src");
	if (!f->bytes && !f->stop_ns && !p->stop_ns)
		return fg_err("%s.bytes: 0 needs a stop_ns", path);
	if (in.count > 1 && !f->bytes)
		return fg_err("%s.count: needs bytes", path);
	if (f->attr.op >= FG_FETCH_ADD && f->bytes % 8)
		return fg_err("%s.bytes: an atomic moves 8 bytes", path);
	f->src = fg_plan_host(p, in.src);
	f->dst = fg_plan_host(p, in.dst);
	f->src_gid = fg_plan_str(p, f->src_gid);
	f->dst_gid = fg_plan_str(p, f->dst_gid);
	f->qp_group = FG_QP_NEW;
	/* Chains are laid out once all explicit ids are known. */
	f->next = in.count;
	*fg_plan_add_flow(p) = *f;
	return parse_qp(&p->flows[p->nflows - 1], in.qp, path) || parse_waits(p, &in, path) ?
	       -1 : 0;
}

/* Turn the counts that each_flow() left in .next into chains of flows. */
static void lay_out_chains(struct fg_plan *p)
{
	u32 id = fg_plan_max_id(p) + 1, n = p->nflows, i, k, last;
	struct fg_flow *f;
	s64 count;

	for (i = 0; i < n; i++) {
		count = p->flows[i].next;
		p->flows[i].next = -1;
		p->flows[i].in_chain = count > 1;
		last = i;
		for (k = 1; k < count; k++) {
			f = fg_plan_add_flow(p);
			*f = p->flows[i];
			f->next = -1;
			f->id = id++;
			f->chained = true;
			f->waits = false;
			p->flows[last].next = p->nflows - 1;
			last = p->nflows - 1;
		}
	}
}

static int each_pingpong(struct fg_plan *p, json_object *o, const char *path, u32 i)
{
	struct pingpong_in in = {
		.p = { .attr = p->attr, .bytes = 64, .iterations = 1000, .warmup = 10 },
	};
	struct fg_attr *attr = &in.p.attr;
	const struct fg_keyset sets[] = {
		{ pingpong_keys, &in }, { fg_attr_keys, attr }, { NULL, NULL }
	};

	(void)i;
	attr->op = FG_SEND;
	attr->signal_every = 1;
	attr->verify = false;
	if (fg_json_parse(o, path, sets) || fg_plan_check_attr(attr, path))
		return -1;
	if (!in.src || !in.dst)
		return fg_err("%s.%s: missing", path, in.src ? "dst" : "src");
	if (attr->op == FG_SEND_IMM || attr->op == FG_WRITE_IMM)
		return fg_err("%s.op: a ping-pong has no %s", path, fg_op_names[attr->op]);
	if (attr->verify)
		return fg_err("%s.verify: not for ping-pongs", path);
	if (attr->op >= FG_FETCH_ADD)
		in.p.bytes = 8;
	in.p.src = fg_plan_host(p, in.src);
	in.p.dst = fg_plan_host(p, in.dst);
	p->pingpongs = xreallocarray(p->pingpongs, p->npingpongs + 1, sizeof(in.p));
	p->pingpongs[p->npingpongs++] = in.p;
	return 0;
}

/* Calls fn for an object, or for each member of an array. */
static int each(struct fg_plan *p, json_object *o, const char *name,
		int (*fn)(struct fg_plan *p, json_object *o, const char *path, u32 i))
{
	char path[64];
	size_t i;

	if (!o)
		return 0;
	if (!json_object_is_type(o, json_type_array))
		return fn(p, o, name, 0);
	for (i = 0; i < json_object_array_length(o); i++) {
		snprintf(path, sizeof(path), "%s[%zu]", name, i);
		if (fn(p, json_object_array_get_idx(o, i), path, i))
			return -1;
	}
	return 0;
}

static int cmp_id(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int check_ids(const struct fg_plan *p)
{
	u32 *ids = fg_zalloc(p->nflows, sizeof(*ids)), i;
	int ret = 0;

	for (i = 0; i < p->nflows; i++)
		ids[i] = p->flows[i].id;
	qsort(ids, p->nflows, sizeof(*ids), cmp_id);
	for (i = 1; i < p->nflows && !ret; i++)
		if (ids[i] == ids[i - 1])
			ret = fg_err("flows: id %u is used twice", ids[i]);
	free(ids);
	return ret;
}

static void add_jitter(struct fg_plan *p, u32 first)
{
	struct fg_rng r;
	u32 i;

	for (i = first; i < p->nflows && p->jitter_ns; i++) {
		if (p->flows[i].chained || p->flows[i].waits)
			continue;
		fg_rng_seed(&r, p->seed, FG_STREAM_JITTER, p->flows[i].id);
		p->flows[i].start_ns += fg_rng_below(&r, p->jitter_ns);
	}
}

static int gen_with_jitter(struct fg_plan *p, json_object *o, const char *path, u32 i)
{
	u32 first = p->nflows;
	json_object *kind;

	if (fg_gen_expand(p, o, path, i))
		return -1;
	/* Random arrivals need none. */
	if (json_object_object_get_ex(o, "kind", &kind) &&
	    strcmp(json_object_get_string(kind), "poisson"))
		add_jitter(p, first);
	return 0;
}

/**
 * fg_plan_parse() - fill a plan from JSON
 * @p: new plan
 * @root: the plan's object
 *
 * Return: 0, or -1 after a message that names the key.
 */
int fg_plan_parse(struct fg_plan *p, json_object *root)
{
	struct top top = { NULL, NULL, NULL };
	const struct fg_keyset sets[] = {
		{ plan_keys, p }, { top_keys, &top },
		{ fg_attr_keys, &p->attr }, { NULL, NULL }
	};

	if (fg_json_parse(root, "", sets) || fg_plan_check_attr(&p->attr, "plan"))
		return -1;
	if (top.flows && !json_object_is_type(top.flows, json_type_array))
		return fg_err("flows: not a list");
	if (each(p, top.flows, "flows", each_flow) || check_ids(p))
		return -1;
	lay_out_chains(p);
	add_jitter(p, 0);
	if (each(p, top.generate, "generate", gen_with_jitter) ||
	    each(p, top.latency, "latency", each_pingpong))
		return -1;
	p->flows_file = fg_plan_str(p, p->flows_file);
	if (p->flows_file ? fg_rows_read(p) : fg_after_resolve(p, NULL))
		return -1;
	if (p->linger_ns == FG_LINGER_DEFAULT)
		p->linger_ns = p->attr.transport == FG_UC ? LINGER_UC_NS : LINGER_RC_NS;
	if (!p->nflows && !p->npingpongs && !p->nrows)
		return fg_err("plan: no flows, generate, latency or flows_file");
	return fg_plan_connect(p);
}

/* Devices of this process: the first hosts. */
static void add_local(struct fg_plan *p, const char *local)
{
	char *list = fg_zalloc(strlen(local) + 1, 1), *rest = list, *name;

	strcpy(list, local);
	while ((name = strsep(&rest, ",")))
		if (*name)
			fg_plan_host(p, name);
	p->nlocal = p->nhosts;
	free(list);
}

/**
 * fg_plan_read() - read and check a plan file
 * @file: path, "-" for stdin
 * @seed: overrides the plan's, or NULL
 * @local: the devices that are in this process, by commas; NULL: all of them
 *
 * Return: the plan, or NULL after a message.
 */
struct fg_plan *fg_plan_read(const char *file, const u64 *seed, const char *local)
{
	json_object *root = fg_json_read(file);
	struct fg_plan *p;

	if (!root)
		return NULL;
	p = fg_plan_new();
	if (local)
		add_local(p, local);
	if (seed && json_object_is_type(root, json_type_object))
		json_object_object_add(root, "seed", json_object_new_uint64(*seed));
	if (fg_plan_parse(p, root)) {
		fg_plan_free(p);
		p = NULL;
	}
	json_object_put(root);
	return p;
}

