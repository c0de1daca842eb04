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
 * @delay_ns: from the moment that it waits for to its start
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
 */
struct depend {
	struct depend_list *list;
	uint32_t n, cap;
	uint32_t *edge, n_edges, cap_edges;
};

/**
 * struct depend_graph - the same seen from the flow that others wait for
 * @n: flows
 * @begin: by flow: where its edges begin; one more for the end
 * @to: the flow that waits, twice, and 1 more if it waits for the start only
 * @waits: by flow: how many it waits for yet
 */
struct depend_graph {
	uint32_t n, *begin, *to, *waits;
};

void depend_begin(struct depend *d, uint32_t node, uint64_t delay_ns);
int depend_add(struct depend *d, uint32_t node, bool start);
void depend_end(struct depend *d);
void depend_free(struct depend *d);
void depend_graph_make(struct depend_graph *g, const struct depend *d, uint32_t n);
uint32_t depend_order(const struct depend_graph *g, const struct depend *d, uint32_t *order);
void depend_graph_free(struct depend_graph *g);

static inline uint32_t depend_node(uint32_t edge)
{
	return edge >> 1;
}

static inline bool depend_on_start(uint32_t edge)
{
	return edge & 1;
}

#endif /* LIB_DEPEND_H */
