// SPDX-License-Identifier: GPL-2.0
/* flowgen: reading and checking a plan. Documentation/flowgen.md has the format. */
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

const char *const fg_op_names[] = {
	"send", "send_imm", "write", "write_imm", "read", "fetch_add",
	"cmp_swap", NULL
};

const char *const fg_transport_names[] = { "rc", "uc", NULL };
const char *const fg_gid_names[] = { "ipv4", "ipv6", NULL };
static const char *const policy_names[] = { "flow", "pair", "pool", NULL };

#define ATTR(key, kind, lo, hi, words) \
	{ #key, kind, offsetof(struct fg_attr, key), lo, hi, words }

/* Keys that mean the same at the top, in a flow, a generator and a ping-pong. */
const struct fg_key fg_attr_keys[] = {
	ATTR(op, K_ENUM, 0, 0, fg_op_names),
	ATTR(transport, K_ENUM, 0, 0, fg_transport_names),
	ATTR(gid, K_ENUM, 0, 0, fg_gid_names),
	ATTR(mtu, K_U32, 0, 4096, NULL),
	ATTR(chunk_bytes, K_U32, 1, 1U << 30, NULL),
	ATTR(first_bytes, K_U32, 0, 1U << 30, NULL),
	ATTR(alternate_bytes, K_U32, 0, 1U << 30, NULL),
	ATTR(depth, K_U32, 1, 4096, NULL),
	ATTR(signal_every, K_U32, 0, 4096, NULL),
	ATTR(tclass, K_U32, 0, 255, NULL),
	ATTR(ack_tclass, K_U32, 0, 255, NULL),
	ATTR(sl, K_U32, 0, 15, NULL),
	ATTR(hop_limit, K_U32, 1, 255, NULL),
	ATTR(flow_label, K_U32, 0, 0xfffff, NULL),
	ATTR(timeout, K_U32, 0, 31, NULL),
	ATTR(retry_cnt, K_U32, 0, 7, NULL),
	ATTR(rnr_retry, K_U32, 0, 7, NULL),
	ATTR(min_rnr_timer, K_U32, 0, 31, NULL),
	ATTR(max_rd_atomic, K_U32, 1, 255, NULL),
	ATTR(verify, K_BOOL, 0, 0, NULL),
	{ }
};

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

/* Until it is known whether connections are reliable. */
#define LINGER_DEFAULT	(~0ULL)
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

/* What a flow's entry may say beside struct fg_attr's keys. */
struct flow_in {
	u32 id;
	u32 count;
	u64 bytes;
	u64 start_ns;
	u64 stop_ns;
	u64 think_ns;
	const char *src;
	const char *dst;
	const char *src_gid;
	const char *dst_gid;
	json_object *qp;
};

#define FLOW(key, kind, lo, hi) \
	{ #key, kind, offsetof(struct flow_in, key), lo, hi, NULL }

static const struct fg_key flow_keys[] = {
	FLOW(id, K_U32, 0, 1U << 30),
	FLOW(count, K_U32, 1, 1U << 20),
	FLOW(bytes, K_U64, 0, 1ULL << 50),
	FLOW(start_ns, K_U64, 0, TIME_MAX),
	FLOW(stop_ns, K_U64, 0, TIME_MAX),
	FLOW(think_ns, K_U64, 0, TIME_MAX),
	FLOW(src, K_STR, 0, 0),
	FLOW(dst, K_STR, 0, 0),
	FLOW(src_gid, K_STR, 0, 0),
	FLOW(dst_gid, K_STR, 0, 0),
	FLOW(qp, K_JSON, 0, 0),
	{ }
};

struct pingpong_in {
	u32 bytes;
	u32 iterations;
	u32 warmup;
	u64 start_ns;
	u64 gap_ns;
	const char *src;
	const char *dst;
};

#define PINGPONG(key, kind, lo, hi) \
	{ #key, kind, offsetof(struct pingpong_in, key), lo, hi, NULL }

static const struct fg_key pingpong_keys[] = {
	PINGPONG(bytes, K_U32, 1, 1U << 30),
	PINGPONG(iterations, K_U32, 1, 10000000),
	PINGPONG(warmup, K_U32, 0, 1000000),
	PINGPONG(start_ns, K_U64, 0, TIME_MAX),
	PINGPONG(gap_ns, K_U64, 0, TIME_MAX),
	PINGPONG(src, K_STR, 0, 0),
	PINGPONG(dst, K_STR, 0, 0),
	{ }
};

/**
 * fg_plan_new() - an empty plan with the defaults
 */
struct fg_plan *fg_plan_new(void)
{
	struct fg_plan *p = fg_zalloc(1, sizeof(*p));

	p->seed = 1;
	p->port = 1;
	p->lead_ns = 10000;
	p->drain_ns = NSEC_PER_SEC;
	p->qp_pool = 8;
	p->linger_ns = LINGER_DEFAULT;
	p->lookahead_ns = FG_NO_LOOKAHEAD;
	p->attr = (struct fg_attr) {
		.op = FG_WRITE,
		.transport = FG_RC,
		.gid = FG_GID_IPV4,
		.chunk_bytes = 262144,
		.depth = 8,
		.signal_every = 1,
		.tclass = 26 << 2,
		.ack_tclass = FG_TCLASS_SAME,
		.hop_limit = 64,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.min_rnr_timer = 12,
		.max_rd_atomic = 16,
	};
	return p;
}

/**
 * fg_plan_host() - index of a device, added when new
 * @p: plan
 * @name: device
 */
u32 fg_plan_host(struct fg_plan *p, const char *name)
{
	u32 i;

	for (i = 0; i < p->nhosts; i++)
		if (!strcmp(p->hosts[i], name))
			return i;
	p->hosts = realloc(p->hosts, (p->nhosts + 1) * sizeof(*p->hosts));
	if (!p->hosts)
		exit(fg_err("out of memory"));
	p->hosts[p->nhosts] = strdup(name);
	return p->nhosts++;
}

/**
 * fg_plan_str() - keep a string as long as the plan, equal ones once
 * @p: plan
 * @s: string or NULL
 *
 * Return: the kept copy: equal strings have equal pointers.
 */
const char *fg_plan_str(struct fg_plan *p, const char *s)
{
	u32 i;

	if (!s)
		return NULL;
	for (i = 0; i < p->nstrings; i++)
		if (!strcmp(p->strings[i], s))
			return p->strings[i];
	p->strings = realloc(p->strings, (p->nstrings + 1) * sizeof(s));
	if (!p->strings)
		exit(fg_err("out of memory"));
	p->strings[p->nstrings] = strdup(s);
	return p->strings[p->nstrings++];
}

/**
 * fg_plan_add_flow() - append a flow with the plan's defaults
 * @p: plan
 *
 * Return: the flow, valid until the next call.
 */
struct fg_flow *fg_plan_add_flow(struct fg_plan *p)
{
	struct fg_flow *f;

	p->flows = fg_grow(p->flows, &p->cap_flows, p->nflows + 1,
			   sizeof(*f));
	f = &p->flows[p->nflows];
	memset(f, 0, sizeof(*f));
	f->id = p->nflows++;
	f->attr = p->attr;
	f->qp_group = FG_QP_NEW;
	f->next = -1;
	return f;
}

/**
 * fg_plan_max_id() - highest flow id in use
 * @p: plan
 *
 * Return: the id, or ~0 (so that + 1 is 0) without flows.
 */
u32 fg_plan_max_id(const struct fg_plan *p)
{
	u32 i, max = ~0U;

	for (i = 0; i < p->nflows; i++)
		if (max == ~0U || p->flows[i].id > max)
			max = p->flows[i].id;
	return max;
}

/**
 * fg_plan_check_attr() - do the attributes go together?
 * @a: attributes
 * @path: where they come from, for messages
 */
int fg_plan_check_attr(const struct fg_attr *a, const char *path)
{
	if (a->mtu && (a->mtu < 256 || (a->mtu & (a->mtu - 1))))
		return fg_err("%s: mtu: %u is none of 0, 256, 512, 1024, 2048, 4096",
			      path, a->mtu);
	if (a->transport == FG_UC && a->op >= FG_READ)
		return fg_err("%s: op: uc has no %s", path, fg_op_names[a->op]);
	if (a->verify && a->transport == FG_UC)
		return fg_err("%s: verify: needs transport rc", path);
	if (a->first_bytes > a->chunk_bytes || a->alternate_bytes > a->chunk_bytes)
		return fg_err("%s: %s: above chunk_bytes, %u", path,
			      a->first_bytes > a->chunk_bytes ? "first_bytes" : "alternate_bytes",
			      a->chunk_bytes);
	if ((a->first_bytes || a->alternate_bytes) && (a->verify || a->op >= FG_FETCH_ADD))
		return fg_err("%s: first_bytes, alternate_bytes: not with %s", path,
			      a->verify ? "verify" : fg_op_names[a->op]);
	if (a->signal_every > a->depth)
		return fg_err("%s: signal_every: %u is above depth %u", path,
			      a->signal_every, a->depth);
	return 0;
}

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
		return fg_err("%s: \"%s\" is none of: new, pair, a number", sub,
			      s);
	return 0;
}

static int parse_flow(struct fg_plan *p, json_object *o, const char *path)
{
	struct flow_in in = { .id = p->nflows, .count = 1 };
	struct fg_attr attr = p->attr;
	const struct fg_keyset sets[] = {
		{ flow_keys, &in }, { fg_attr_keys, &attr }, { NULL, NULL }
	};
	struct fg_flow *f;

	if (fg_json_parse(o, path, sets) || fg_plan_check_attr(&attr, path))
		return -1;
	if (!in.src || !in.dst)
		return fg_err("%s.%s: missing", path, in.src ? "dst" : "src");
	if (!in.bytes && !in.stop_ns && !p->stop_ns)
		return fg_err("%s.bytes: 0 needs a stop_ns", path);
	if (in.stop_ns && in.stop_ns <= in.start_ns)
		return fg_err("%s.stop_ns: not after start_ns", path);
	if (in.count > 1 && !in.bytes)
		return fg_err("%s.count: needs bytes", path);
	if (attr.op >= FG_FETCH_ADD && in.bytes % 8)
		return fg_err("%s.bytes: an atomic moves 8 bytes", path);
	f = fg_plan_add_flow(p);
	f->id = in.id;
	f->attr = attr;
	f->src = fg_plan_host(p, in.src);
	f->dst = fg_plan_host(p, in.dst);
	f->src_gid = fg_plan_str(p, in.src_gid);
	f->dst_gid = fg_plan_str(p, in.dst_gid);
	f->bytes = in.bytes;
	f->start_ns = in.start_ns;
	f->stop_ns = in.stop_ns;
	f->think_ns = in.think_ns;
	/* Chains are laid out once all explicit ids are known. */
	f->next = in.count;
	return parse_qp(f, in.qp, path);
}

/* Turn the counts that parse_flow() left in .next into chains of flows. */
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
			p->flows[last].next = p->nflows - 1;
			last = p->nflows - 1;
		}
	}
}

static int parse_pingpong(struct fg_plan *p, json_object *o, const char *path)
{
	struct pingpong_in in = { .bytes = 64, .iterations = 1000, .warmup = 10 };
	struct fg_attr attr = p->attr;
	const struct fg_keyset sets[] = {
		{ pingpong_keys, &in }, { fg_attr_keys, &attr }, { NULL, NULL }
	};
	struct fg_pingpong *pr;

	attr.op = FG_SEND;
	attr.signal_every = 1;
	attr.verify = false;
	if (fg_json_parse(o, path, sets) || fg_plan_check_attr(&attr, path))
		return -1;
	if (!in.src || !in.dst)
		return fg_err("%s.%s: missing", path, in.src ? "dst" : "src");
	if (attr.op == FG_SEND_IMM || attr.op == FG_WRITE_IMM)
		return fg_err("%s.op: a ping-pong has no %s", path,
			      fg_op_names[attr.op]);
	if (attr.verify)
		return fg_err("%s.verify: not for ping-pongs", path);
	if (attr.op >= FG_FETCH_ADD)
		in.bytes = 8;
	p->pingpongs = realloc(p->pingpongs, (p->npingpongs + 1) * sizeof(*pr));
	if (!p->pingpongs)
		exit(fg_err("out of memory"));
	pr = &p->pingpongs[p->npingpongs++];
	memset(pr, 0, sizeof(*pr));
	pr->src = fg_plan_host(p, in.src);
	pr->dst = fg_plan_host(p, in.dst);
	pr->attr = attr;
	pr->bytes = in.bytes;
	pr->iterations = in.iterations;
	pr->warmup = in.warmup;
	pr->start_ns = in.start_ns;
	pr->gap_ns = in.gap_ns;
	return 0;
}

/* Calls fn for an object, or for each member of an array. */
static int each(struct fg_plan *p, json_object *o, const char *name,
		int (*fn)(struct fg_plan *p, json_object *o, const char *path,
			  u32 i))
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

static int each_flow(struct fg_plan *p, json_object *o, const char *path, u32 i)
{
	(void)i;
	return parse_flow(p, o, path);
}

static int each_pingpong(struct fg_plan *p, json_object *o, const char *path,
			 u32 i)
{
	(void)i;
	return parse_pingpong(p, o, path);
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
		if (p->flows[i].chained)
			continue;
		fg_rng_seed(&r, p->seed, FG_STREAM_JITTER, p->flows[i].id);
		p->flows[i].start_ns += fg_rng_below(&r, p->jitter_ns);
	}
}

static int gen_with_jitter(struct fg_plan *p, json_object *o, const char *path,
			   u32 i)
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
	if (p->flows_file && fg_rows_read(p))
		return -1;
	if (p->linger_ns == LINGER_DEFAULT)
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
		json_object_object_add(root, "seed",
				       json_object_new_uint64(*seed));
	if (fg_plan_parse(p, root)) {
		fg_plan_free(p);
		p = NULL;
	}
	json_object_put(root);
	return p;
}

/**
 * fg_plan_free() - free a plan whose QPs are gone
 * @p: plan or NULL
 */
void fg_plan_free(struct fg_plan *p)
{
	u32 i;

	if (!p)
		return;
	for (i = 0; i < p->nconns; i++) {
		if (p->conns[i])
			free(p->conns[i]->slots);
		free(p->conns[i]);
	}
	for (i = 0; i < p->npingpongs; i++)
		free(p->pingpongs[i].rtt_ns);
	for (i = 0; i < p->nhosts; i++)
		free(p->hosts[i]);
	for (i = 0; i < p->nstrings; i++)
		free(p->strings[i]);
	free(p->conns);
	free(p->pingpongs);
	free(p->hosts);
	free(p->strings);
	free(p->flows);
	free(p->rows);
	free(p);
}
