// SPDX-License-Identifier: GPL-2.0
/* Who waits for whom, in which order that can happen, and circles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../depend.h"
#include "ktap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))
#define NODES	6

/* "2:0,1s 3:2" is: 2 waits until 0 is complete and 1 has started, 3 until 2 is complete. */
static void parse(struct depend *d, const char *text)
{
	const char *p = text;

	for (; *p; p++) {
		if (p[1] == ':')
			depend_begin(d, *p - '0', 10 * (*p - '0'));
		else if (*p >= '0' && *p <= '9')
			depend_add(d, *p - '0', p[1] == 's');
	}
	depend_end(d);
}

static const struct {
	const char *lists, *order;	/* NULL: flows wait in a circle, */
	uint32_t circle;		/* a bit for each flow of it */
} orders[] = {
	{ "", "012345", 0 },
	{ "1:0 2:1 3:2", "045123", 0 },
	{ "0:5s", "123450", 0 },
	{ "3:0,1,2 4:3 5:3s", "012345", 0 },
	/* The same flow twice is waited for twice, and comes twice. */
	{ "1:0,0", "023451", 0 },
	{ "0:0", NULL, 1 << 0 },
	{ "1:2 2:1", NULL, 1 << 1 | 1 << 2 },
	/* What waits for a circle, and what a circle waits for, is none of it. */
	{ "1:0 2:1,4 3:2 4:3s 5:4", NULL, 1 << 2 | 1 << 3 | 1 << 4 },
	{ "0:1 1:2 2:3 3:4 4:5,3", NULL, 1 << 3 | 1 << 4 },
};

static void test_order(void)
{
	uint32_t order[NODES], bad, k;
	char got[NODES + 1], name[32];
	struct depend_graph g;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		struct depend d = {};

		parse(&d, orders[i].lists);
		depend_graph_make(&g, &d, NODES);
		bad = depend_order(&g, &d, order);
		snprintf(name, sizeof(name), "order__%zu", i);
		for (k = 0; k < NODES; k++)
			got[k] = '0' + order[k];
		got[NODES] = '\0';
		if (orders[i].order)
			ktap(bad == DEPEND_NONE && strcmp(got, orders[i].order) == 0, name,
			     "\"%s\": %s, circle %d", orders[i].lists, got, (int)bad);
		else
			ktap(bad < d.n && orders[i].circle >> d.list[bad].node & 1, name,
			     "\"%s\": list %d is of no circle", orders[i].lists, (int)bad);
		depend_graph_free(&g);
		depend_free(&d);
	}
}

/* Delays of edges stay with them, whichever have one. */
static void test_delays(void)
{
	struct depend_graph g;
	struct depend d = {};
	uint32_t i;

	/* 200 flows wait for flow 0, and every third does so 10 ns for each of its number. */
	for (i = 1; i <= 200; i++) {
		depend_begin(&d, i, 0);
		depend_add_delayed(&d, 0, false, i % 3 ? 0 : 10 * i);
	}
	depend_end(&d);
	depend_graph_make(&g, &d, 201);
	for (i = 0; i < 200 && g.delay_ns; i++)
		if (depend_node(g.to[g.begin[0] + i]) != i + 1 ||
		    g.delay_ns[g.begin[0] + i] != ((i + 1) % 3 ? 0 : 10 * (i + 1)))
			break;
	ktap(i == 200, "delays__of_edges", "edge %u", i);
	depend_graph_free(&g);
	depend_free(&d);
}

/* Edges of each flow in the order of the lists, with what they wait for. */
static void test_graph(void)
{
	struct depend_graph g;
	struct depend d = {};

	parse(&d, "4:0,2s 1:2,0 3:2");
	depend_graph_make(&g, &d, NODES);
	ktap(d.n == 3 && d.list[0].delay_ns == 40 && d.list[1].begin == 2 && d.list[3].begin == 5,
	     "graph__lists", "%u lists", d.n);
	ktap(g.waits[4] == 2 && g.waits[1] == 2 && g.waits[3] == 1 && !g.waits[0] && !g.waits[2],
	     "graph__waits", "%u %u %u", g.waits[4], g.waits[1], g.waits[3]);
	ktap(g.begin[0] == 0 && g.begin[1] == 2 && g.begin[2] == 2 && g.begin[3] == 5 &&
	     g.begin[NODES] == 5, "graph__begins", "%u %u", g.begin[1], g.begin[3]);
	ktap(g.to[0] == 8 && g.to[1] == 2 && g.to[2] == 9 && g.to[3] == 2 && g.to[4] == 6,
	     "graph__edges", "%u %u %u", g.to[0], g.to[2], g.to[4]);
	depend_graph_free(&g);
	depend_free(&d);
}

int main(void)
{
	test_order();
	test_graph();
	test_delays();
	return ktap_end();
}
