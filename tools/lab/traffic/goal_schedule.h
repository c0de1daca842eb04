/* SPDX-License-Identifier: GPL-2.0 */
/* lab: GOAL schedules as flows that wait for flows. */
#ifndef LAB_TRAFFIC_GOAL_SCHEDULE_H
#define LAB_TRAFFIC_GOAL_SCHEDULE_H

#include "common/word_lines.h"

enum goal_kind { GOAL_CALC, GOAL_SEND, GOAL_RECV };

/**
 * struct goal_moments - the latest of some moments
 * @v: each a delay behind the end of a flow, or its start; sorted, a flow once
 * @n: how many
 * @from_ns: and a time from the start of the schedule
 */
struct goal_moments {
	struct goal_moment {
		uint32_t of;		/* the send's number twice, and 1 more for its start */
		int64_t delay_ns;
	} *v;
	size_t n;
	int64_t from_ns;
};

/**
 * struct goal_op - one operation of a rank
 * @label: its name, NULL: none
 * @kind: which
 * @rank: whose
 * @peer: of a message, the other rank
 * @val: bytes of a message, ns of a calc
 * @tag: of a message
 * @line: of the file
 * @send: of a send its number among them; of a recv that of the send that it gets
 * @begin: when it starts
 */
struct goal_op {
	char *label;
	enum goal_kind kind;
	int rank, peer;
	int64_t val, tag;
	int line, send;
	struct goal_moments begin;
};

/**
 * struct goal - a schedule
 * @l: its file
 * @ranks: how many it says it has
 * @op: operations, in the order of the file
 * @n: how many
 * @sends: which of them are sends, in their order
 * @n_sends: how many
 */
struct goal {
	struct word_lines *l;
	int ranks;
	struct goal_op *op;
	int n, cap;
	int *sends, n_sends;
	/* private: */
	struct goal_need *need;
	size_t n_needs, cap_needs, n_moments;
};

int goal_read(struct goal *g, int hosts);
int goal_after(const struct goal *g, struct plan *p, const int *place);
void goal_free(struct goal *g);

#endif /* LAB_TRAFFIC_GOAL_SCHEDULE_H */
