// SPDX-License-Identifier: GPL-2.0
/* flowgen: generators, which turn a few lines of a plan into many flows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

enum gen_kind { GEN_PERMUTATION, GEN_POISSON, GEN_CLOSED, GEN_INCAST };

static const char *const kind_names[] = {
	"permutation", "poisson", "closed", "incast", NULL
};

static const char *const load_names[] = { "wire", "payload", NULL };

#define MAX_FLOWS 4000000U
#define TIME_MAX (1000000ULL * NSEC_PER_SEC)

struct gen {
	u32 kind;
	u32 count;
	u32 flows;
	u32 streams;
	u32 flows_per_stream;
	u32 n;
	u32 bursts;
	u32 load_counts;
	u64 bytes;
	u64 start_ns;
	u64 think_ns;
	u64 link_bps;
	u64 duration_ns;
	u64 period_ns;
	double load;
	const char *qp;
	const char *dst;
	json_object *hosts;
	json_object *srcs;
	json_object *cdf;

	/* derived */
	const char *path;
	u32 index;
	u32 next_id;
	s64 qp_group;
	struct fg_attr attr;
	struct fg_cdf sizes;
	u32 *host;		/* plan's indices */
	u32 nhost;
	u32 *src;
	u32 nsrc;
	s64 dst_host;
};

#define GEN(key, kind, lo, hi, words) \
	{ #key, kind, offsetof(struct gen, key), lo, hi, words }

static const struct fg_key gen_keys[] = {
	GEN(kind, K_ENUM, 0, 0, kind_names),
	GEN(hosts, K_JSON, 0, 0, NULL),
	GEN(qp, K_STR, 0, 0, NULL),
	GEN(start_ns, K_U64, 0, TIME_MAX, NULL),
	{ }
};

/* Keys of each kind, so that one meant for another kind is an error. */
static const struct fg_key permutation_keys[] = {
	GEN(bytes, K_U64, 0, 1ULL << 50, NULL),
	GEN(count, K_U32, 1, 1U << 20, NULL),
	GEN(think_ns, K_U64, 0, TIME_MAX, NULL),
	{ }
};

static const struct fg_key poisson_keys[] = {
	GEN(load, K_DBL, 0, 2, NULL),
	GEN(load_counts, K_ENUM, 0, 0, load_names),
	GEN(link_bps, K_U64, 1000, 1000000000000000ULL, NULL),
	GEN(cdf, K_JSON, 0, 0, NULL),
	GEN(duration_ns, K_U64, 0, TIME_MAX, NULL),
	GEN(flows, K_U32, 0, MAX_FLOWS, NULL),
	GEN(dst, K_STR, 0, 0, NULL),
	GEN(srcs, K_JSON, 0, 0, NULL),
	{ }
};

static const struct fg_key closed_keys[] = {
	GEN(streams, K_U32, 1, 65536, NULL),
	GEN(flows_per_stream, K_U32, 1, MAX_FLOWS, NULL),
	GEN(bytes, K_U64, 0, 1ULL << 50, NULL),
	GEN(cdf, K_JSON, 0, 0, NULL),
	GEN(think_ns, K_U64, 0, TIME_MAX, NULL),
	{ }
};

static const struct fg_key incast_keys[] = {
	GEN(dst, K_STR, 0, 0, NULL),
	GEN(n, K_U32, 0, 1U << 20, NULL),
	GEN(bytes, K_U64, 1, 1ULL << 50, NULL),
	GEN(bursts, K_U32, 1, 1U << 20, NULL),
	GEN(period_ns, K_U64, 0, TIME_MAX, NULL),
	{ }
};

static const struct fg_key *const kind_keys[] = {
	permutation_keys, poisson_keys, closed_keys, incast_keys
};

/* Add a flow; times and chain links are the caller's. */
static struct fg_flow *add(struct fg_plan *p, struct gen *g, u32 src, u32 dst,
			   u64 bytes, u64 start_ns)
{
	struct fg_flow *f;

	if (p->nflows >= MAX_FLOWS) {
		fg_err("%s: more than %u flows", g->path, MAX_FLOWS);
		return NULL;
	}
	f = fg_plan_add_flow(p);
	f->id = g->next_id++;
	f->attr = g->attr;
	f->src = src;
	f->dst = dst;
	f->bytes = bytes;
	if (g->attr.op >= FG_FETCH_ADD)
		f->bytes = (bytes + 7) / 8 * 8;
	f->start_ns = start_ns;
	f->think_ns = g->think_ns;
	f->qp_group = g->qp_group;
	return f;
}

/* Put a flow behind another: it starts when that one has ended. */
static void chain(struct fg_plan *p, u32 first, u32 second)
{
	p->flows[first].next = second;
	p->flows[first].in_chain = true;
	p->flows[second].in_chain = true;
	p->flows[second].chained = true;
}

static int gen_permutation(struct fg_plan *p, struct gen *g)
{
	u32 *to = fg_zalloc(g->nhost, sizeof(*to)), i, k;
	struct fg_rng r;
	int ret = -1;

	fg_rng_seed(&r, p->seed, FG_STREAM_PERM, g->index);
	fg_rng_derange(&r, to, g->nhost);
	for (i = 0; i < g->nhost; i++) {
		for (k = 0; k < g->count; k++) {
			if (!add(p, g, g->host[i], g->host[to[i]], g->bytes, g->start_ns))
				goto out;
			if (k)
				chain(p, p->nflows - 2, p->nflows - 1);
		}
	}
	ret = 0;
out:
	free(to);
	return ret;
}

/* Bytes on the link per payload byte for flows of this mean size. */
static double wire_factor(const struct gen *g, double mean)
{
	u32 mtu = g->attr.mtu ? g->attr.mtu : 1024;
	double packets;

	if (g->load_counts)
		return 1;
	packets = ceil(mean / mtu);
	return (mean + packets * FG_WIRE_OVERHEAD) / mean;
}

static u32 other_host(struct gen *g, struct fg_rng *r, u32 src)
{
	u32 n = g->nhost, i, k;

	for (i = 0; i < g->nhost; i++)
		if (g->host[i] == src)
			n--;
	k = fg_rng_below(r, n);
	for (i = 0; i < g->nhost; i++) {
		if (g->host[i] == src)
			continue;
		if (!k--)
			break;
	}
	return g->host[i];
}

/*
 * The hosts' independent Poisson processes are drawn as what they add up to: one
 * process with the sum of the rates and a random host for each arrival.
 */
static int gen_poisson(struct fg_plan *p, struct gen *g)
{
	double mean = fg_cdf_mean(&g->sizes), gap, t, end = TIME_MAX;
	struct fg_rng arrive, size, peer;
	u32 src, dst, n;

	gap = mean * wire_factor(g, mean) * 8e9 /
	      ((double)g->link_bps * g->load * g->nsrc);
	if (g->duration_ns)
		end = g->duration_ns;
	fg_rng_seed(&arrive, p->seed, FG_STREAM_ARRIVAL, g->index);
	fg_rng_seed(&size, p->seed, FG_STREAM_SIZE, g->index);
	fg_rng_seed(&peer, p->seed, FG_STREAM_PEER, g->index);
	t = fg_rng_exp(&arrive, gap);
	for (n = 0; t < end && (!g->flows || n < g->flows); n++) {
		src = g->src[fg_rng_below(&peer, g->nsrc)];
		dst = g->dst_host >= 0 ? g->dst_host :
		      other_host(g, &peer, src);
		if (!add(p, g, src, dst, fg_cdf_at(&g->sizes, fg_rng_unit(&size)),
			 g->start_ns + (u64)t))
			return -1;
		t += fg_rng_exp(&arrive, gap);
	}
	if (!n)
		return fg_err("%s: no arrivals in duration_ns", g->path);
	return 0;
}

static int gen_closed(struct fg_plan *p, struct gen *g)
{
	struct fg_rng size, peer;
	u32 i, s, k;
	u64 bytes;

	for (i = 0; i < g->nhost; i++) {
		for (s = 0; s < g->streams; s++) {
			u64 idx = (u64)g->index << 48 | (u64)s << 32 | i;

			fg_rng_seed(&size, p->seed, FG_STREAM_SIZE, idx);
			fg_rng_seed(&peer, p->seed, FG_STREAM_PEER, idx);
			for (k = 0; k < g->flows_per_stream; k++) {
				bytes = g->bytes;
				if (g->cdf)
					bytes = fg_cdf_at(&g->sizes, fg_rng_unit(&size));
				if (!add(p, g, g->host[i], other_host(g, &peer, g->host[i]),
					 bytes, g->start_ns))
					return -1;
				if (k)
					chain(p, p->nflows - 2, p->nflows - 1);
			}
		}
	}
	return 0;
}

static int gen_incast(struct fg_plan *p, struct gen *g)
{
	u32 *from = fg_zalloc(g->nhost, sizeof(*from)), n = 0, i, b;
	struct fg_rng r;
	int ret = -1;

	for (i = 0; i < g->nhost; i++)
		if (g->host[i] != g->dst_host)
			from[n++] = g->host[i];
	if (g->n > n) {
		fg_err("%s.n: %u senders wanted, %u hosts beside dst", g->path, g->n, n);
		goto out;
	}
	fg_rng_seed(&r, p->seed, FG_STREAM_PERM, g->index);
	for (b = 0; b < g->bursts; b++) {
		if (g->n)
			fg_rng_shuffle(&r, from, n);
		for (i = 0; i < (g->n ? g->n : n); i++)
			if (!add(p, g, from[i], g->dst_host, g->bytes,
				 g->start_ns + b * g->period_ns))
				goto out;
	}
	ret = 0;
out:
	free(from);
	return ret;
}

static int (*const gen_fn[])(struct fg_plan *p, struct gen *g) = {
	gen_permutation, gen_poisson, gen_closed, gen_incast
};

static int read_hosts(struct fg_plan *p, json_object *list, const char *path,
		      const char *key, u32 **out, u32 *nout)
{
	char sub[96];
	const char *s;
	size_t i, k, n;

	snprintf(sub, sizeof(sub), "%s.%s", path, key);
	if (!list)
		return fg_err("%s: missing", sub);
	if (!json_object_is_type(list, json_type_array) || !json_object_array_length(list))
		return fg_err("%s: not a list of devices", sub);
	n = json_object_array_length(list);
	*out = fg_zalloc(n, sizeof(**out));
	for (i = 0; i < n; i++) {
		snprintf(sub, sizeof(sub), "%s.%s[%zu]", path, key, i);
		if (fg_json_as_str(json_object_array_get_idx(list, i), sub, &s))
			return -1;
		(*out)[i] = fg_plan_host(p, s);
		for (k = 0; k < i; k++)
			if ((*out)[k] == (*out)[i])
				return fg_err("%s: %s is there twice", sub, s);
	}
	*nout = n;
	return 0;
}

static int read_points(struct fg_cdf *c, json_object *o, const char *path)
{
	json_object *pt, *b, *pct;
	size_t i;

	if (!json_object_is_type(o, json_type_array))
		return fg_err("%s.points: not a list", path);
	for (i = 0; i < json_object_array_length(o); i++) {
		pt = json_object_array_get_idx(o, i);
		if (!json_object_is_type(pt, json_type_array) || json_object_array_length(pt) != 2)
			return fg_err("%s.points[%zu]: not [bytes, percent]", path, i);
		b = json_object_array_get_idx(pt, 0);
		pct = json_object_array_get_idx(pt, 1);
		if (fg_cdf_add(c, json_object_get_double(b), json_object_get_double(pct)))
			return fg_err("%s.points[%zu]: must not decrease, percent 0..100",
				      path, i);
	}
	return fg_cdf_check(c, path);
}

struct cdf_in {
	const char *file;
	json_object *points;
	u64 fixed;
};

static const struct fg_key cdf_keys[] = {
	{ "file", K_STR, offsetof(struct cdf_in, file), 0, 0, NULL },
	{ "points", K_JSON, offsetof(struct cdf_in, points), 0, 0, NULL },
	{ "fixed", K_U64, offsetof(struct cdf_in, fixed), 1, 1ULL << 50, NULL },
	{ }
};

static int read_cdf(struct gen *g)
{
	struct cdf_in in = { NULL, NULL, 0 };
	const struct fg_keyset sets[] = { { cdf_keys, &in }, { NULL, NULL } };
	char path[96];
	const char *s;

	snprintf(path, sizeof(path), "%s.cdf", g->path);
	if (json_object_is_type(g->cdf, json_type_string)) {
		s = json_object_get_string(g->cdf);
		if (fg_cdf_builtin(&g->sizes, s))
			return fg_err("%s: \"%s\" is none of: websearch, hadoop, storage, cachefollower, datamining",
				      path, s);
		return 0;
	}
	if (fg_json_parse(g->cdf, path, sets))
		return -1;
	if (!!in.file + !!in.points + !!in.fixed != 1)
		return fg_err("%s: wants one of file, points, fixed", path);
	if (in.file)
		return fg_cdf_file(&g->sizes, in.file);
	if (in.points)
		return read_points(&g->sizes, in.points, path);
	fg_cdf_add(&g->sizes, in.fixed, 0);
	return fg_cdf_add(&g->sizes, in.fixed, 100);
}

static int check_poisson(struct gen *g)
{
	if (!g->cdf)
		return fg_err("%s.cdf: missing", g->path);
	if (!(g->load > 0))
		return fg_err("%s.load: missing or 0", g->path);
	if (!g->link_bps)
		return fg_err("%s.link_bps: missing", g->path);
	if (!g->flows == !g->duration_ns)
		return fg_err("%s: wants one of flows, duration_ns", g->path);
	return 0;
}

static int check_kind(struct fg_plan *p, struct gen *g)
{
	u32 i, n = 0;

	g->dst_host = -1;
	if (g->dst)
		g->dst_host = fg_plan_host(p, g->dst);
	if (g->cdf && read_cdf(g))
		return -1;
	switch (g->kind) {
	case GEN_PERMUTATION:
		if (!g->bytes && (!p->stop_ns || g->count > 1))
			return fg_err("%s.bytes: 0 needs a stop_ns and count 1", g->path);
		return 0;
	case GEN_CLOSED:
		if (!g->cdf == !g->bytes)
			return fg_err("%s: wants one of cdf, bytes", g->path);
		return 0;
	case GEN_INCAST:
		if (!g->dst || !g->bytes)
			return fg_err("%s.%s: missing", g->path, g->dst ? "bytes" : "dst");
		return 0;
	}
	if (check_poisson(g))
		return -1;
	if (g->srcs) {
		if (read_hosts(p, g->srcs, g->path, "srcs", &g->src, &g->nsrc))
			return -1;
	} else {
		g->src = fg_zalloc(g->nhost, sizeof(*g->src));
		for (i = 0; i < g->nhost; i++)
			if (g->host[i] != g->dst_host)
				g->src[n++] = g->host[i];
		g->nsrc = n;
	}
	for (i = 0; i < g->nsrc; i++)
		if (g->src[i] == g->dst_host)
			return fg_err("%s.srcs: %s is dst", g->path, g->dst);
	return 0;
}

/**
 * fg_gen_expand() - add a generator's flows to the plan
 * @p: plan
 * @o: the generator's object
 * @path: where it is, for messages
 * @index: its number: each draws from its own random streams
 */
int fg_gen_expand(struct fg_plan *p, json_object *o, const char *path, u32 index)
{
	struct gen g = {
		.kind = ~0U, .count = 1, .streams = 1, .flows_per_stream = 100,
		.bursts = 1, .path = path, .index = index, .attr = p->attr,
		.qp_group = FG_QP_NEW,
	};
	struct fg_keyset sets[] = {
		{ gen_keys, &g }, { NULL, &g }, { fg_attr_keys, &g.attr },
		{ NULL, NULL }
	};
	const struct fg_keyset kind_only[] = {
		{ gen_keys, &g }, { NULL, NULL }
	};
	json_object *kind, *just_kind;
	int ret = -1;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, "kind", &kind))
		return fg_err("%s.kind: missing", path);
	/* The kind first: it says which other keys there are. */
	just_kind = json_object_new_object();
	json_object_object_add(just_kind, "kind", json_object_get(kind));
	ret = fg_json_parse(just_kind, path, kind_only);
	json_object_put(just_kind);
	if (ret)
		return ret;
	sets[1].keys = kind_keys[g.kind];
	ret = -1;
	if (fg_json_parse(o, path, sets) || fg_plan_check_attr(&g.attr, path))
		return -1;
	if (g.kind == GEN_CLOSED)
		g.qp_group = FG_QP_PAIR;
	if (g.qp && !strcmp(g.qp, "pair"))
		g.qp_group = FG_QP_PAIR;
	else if (g.qp && !strcmp(g.qp, "new"))
		g.qp_group = FG_QP_NEW;
	else if (g.qp)
		return fg_err("%s.qp: \"%s\" is none of: new, pair", path, g.qp);
	if (read_hosts(p, g.hosts, path, "hosts", &g.host, &g.nhost))
		goto out;
	if (g.nhost < 2) {
		fg_err("%s.hosts: at least 2", path);
		goto out;
	}
	g.next_id = fg_plan_max_id(p) + 1;
	if (!check_kind(p, &g))
		ret = gen_fn[g.kind](p, &g);
out:
	fg_cdf_free(&g.sizes);
	free(g.host);
	free(g.src);
	return ret;
}
