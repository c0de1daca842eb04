// SPDX-License-Identifier: GPL-2.0
/* flowgen: a plan in memory: makes and frees it, adds hosts and flows, checks attributes. */
#include <stdlib.h>
#include <string.h>

#include "../lib/mem.h"
#include "flowgen.h"

const char *const fg_op_names[] = {
	"send", "send_imm", "write", "write_imm", "read", "fetch_add",
	"cmp_swap", NULL
};

const char *const fg_transport_names[] = { "rc", "uc", NULL };
const char *const fg_gid_names[] = { "ipv4", "ipv6", NULL };

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
	p->linger_ns = FG_LINGER_DEFAULT;
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
	p->hosts = xreallocarray(p->hosts, p->nhosts + 1, sizeof(*p->hosts));
	p->hosts[p->nhosts] = xstrdup(name);
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
	p->strings = xreallocarray(p->strings, p->nstrings + 1, sizeof(s));
	p->strings[p->nstrings] = xstrdup(s);
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

	p->flows = fg_grow(p->flows, &p->cap_flows, p->nflows + 1, sizeof(*f));
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
	depend_free(&p->after);
	depend_graph_free(&p->graph);
	free(p);
}
