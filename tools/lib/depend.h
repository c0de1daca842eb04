/* SPDX-License-Identifier: GPL-2.0 */
/* Flows that wait for flows: what each waits for, and whether that can ever come. */
#ifndef LIB_DEPEND_H
#define LIB_DEPEND_H

#include <stdbool.h>
#include <stdint.h>

/* No flow; no list. */
#define DEPEND_NONE	UINT32_MAX
/* Dependencies of all flows together: their numbers take 4 bytes each, twice for a moment. */
#define DEPEND_MAX	100000000U

/**
 * struct depend_list - what one flow waits for
 * @node: the flow, a number below the number of flows
 * @begin: where its edges begin in struct depend; those of the next list are behind them
 * @delay_ns: from the last moment that it waits for to its start
 */
struct depend_list {
	uint32_t node, begin;
	uint64_t delay_ns;
};

/**
 * struct depend - all lists, in the order in which they were made
 * @list: the lists, one more for the end after depend_end()
 * @n: how many
 * @edge: the flow that is waited for, twice, and 1 more if its start is enough
 * @n_edges: how many
 * @edge_delay_ns: by edge, from what it waits for to the moment that counts; only as far as any
 *	has one, see depend_edge_delay()
 */
struct depend {
	struct depend_list *list;
	uint32_t n, cap;
	uint32_t *edge, n_edges, cap_edges;
	uint64_t *edge_delay_ns;
	uint32_t cap_delays;
};

/**
 * struct depend_graph - the same seen from the flow that others wait for
 * @n: flows
 * @begin: by flow: where its edges begin; one more for the end
 * @to: the flow that waits, twice, and 1 more if it waits for the start only
 * @waits: by flow: how many it waits for yet
 * @delay_ns: by edge: its own delay; NULL: none has one
 * @moment_ns: with delays, by flow: the latest moment so far that it waits for
 */
struct depend_graph {
	uint32_t n, *begin, *to, *waits;
	uint64_t *delay_ns, *moment_ns;
};

void depend_begin(struct depend *d, uint32_t node, uint64_t delay_ns);
int depend_add(struct depend *d, uint32_t node, bool start);
int depend_add_delayed(struct depend *d, uint32_t node, bool start, uint64_t delay_ns);
void depend_end(struct depend *d);
void depend_free(struct depend *d);
void depend_graph_make(struct depend_graph *g, const struct depend *d, uint32_t n);
uint32_t depend_order(const struct depend_graph *g, const struct depend *d, uint32_t *order);
void depend_graph_free(struct depend_graph *g);

static inline uint32_t depend_node(uint32_t edge)
{
	return edge >> 1;
}

static inline uint64_t depend_edge_delay(const struct depend *d, uint32_t k)
{
	return k < d->cap_delays ? d->edge_delay_ns[k] : 0;
}

static inline bool depend_on_start(uint32_t edge)
{
	return edge & 1;
}

#endif /* LIB_DEPEND_H */
