// SPDX-License-Identifier: GPL-2.0
/*
 * lab: commands to an algorithm in a file of events.
 */
#include <string.h>

#include "replay/replay.h"

/* name=value, with bars between. */
static int cell_values(struct reader *rd, enum column col, struct rxe_cc_evt_value *val,
		       __u16 *nr)
{
	const char *text = rd->cell[col];
	size_t len, name;
	uint64_t num;

	*nr = 0;
	if (!reader_has(rd, col))
		return 0;
	for (;; text += len + 1) {
		len = strcspn(text, "|");
		name = strcspn(text, "=|");
		if (!name || name >= RXE_CC_EVT_NAME_MAX || name == len ||
		    reader_u64(text + name + 1, len - name - 1, &num))
			return reader_bad_cell(rd, col, "not name=number with bars between");
		if (*nr == RXE_CC_EVT_VALUES_MAX)
			return reader_bad_cell(rd, col, "more than eight values");
		memcpy(val[*nr].name, text, name);
		val[(*nr)++].value = num;
		if (!text[len])
			return 0;
	}
}

/**
 * reader_cmd_scope() - for whom a command is
 * @rd: reader
 * @e: receives it
 *
 * Return: 0, or the exit status after a message.
 */
int reader_cmd_scope(struct reader *rd, struct rxe_cc_evt *e)
{
	if (!reader_has(rd, COL_SCOPE))
		return 0;
	return reader_cell_word(rd, COL_SCOPE, event_scopes, ARRAY_SIZE(event_scopes),
				&e->cmd.scope);
}

/* A command for a peer or a port stands for itself: no flow need be there. */
static int read_port(struct reader *rd, struct rxe_cc_evt *e)
{
	uint64_t rate = rd->r->defs.line_rate_bps, peer;

	if (!reader_has(rd, COL_PORT))
		return reader_bad_line(rd, "a command to a peer or a port needs the port");
	if (reader_env_value(rd, COL_LINE_RATE, 0, UINT64_MAX, &rate) ||
	    reader_cell_u64(rd, COL_PEER, UINT32_MAX, &peer))
		return EXIT_USAGE;
	if (!rate)
		return reader_bad_line(rd, "no line rate: --line-rate, \"# line_rate_bps=N\" or a column");
	e->port = reader_port(rd, e->flow);
	e->cmd.line_rate_bps = rate;
	e->cmd.peer = (uint32_t)peer;
	return 0;
}

static int read_qp(struct reader *rd, struct rxe_cc_evt *e)
{
	struct flow_state *f = &rd->states[e->flow];
	uint64_t next, inflight;

	if (reader_cell_u64(rd, COL_NEXT_SEQ, rd->psns ? UINT32_MAX : UINT64_MAX, &next) ||
	    reader_cell_u64(rd, COL_INFLIGHT, UINT64_MAX, &inflight))
		return EXIT_USAGE;
	if (rd->psns) {
		reader_seq_move(&f->sent, next);
		next = f->sent.seq;
	}
	e->cmd.next_seq = next;
	e->cmd.inflight_bytes = inflight;
	return 0;
}

/**
 * reader_cmd() - a command
 * @rd: reader
 * @e: its record, with time, flow, kind and scope
 *
 * Commands are one algorithm's: another one gets none of them.
 *
 * Return: 0, or the exit status after a message.
 */
int reader_cmd(struct reader *rd, struct rxe_cc_evt *e)
{
	struct recording *r = rd->r;
	uint64_t err;

	if (!reader_has(rd, COL_CMD))
		return reader_bad_line(rd, "a command without its name (column cmd)");
	if (strlen(rd->cell[COL_CMD]) >= RXE_CC_EVT_NAME_MAX)
		return reader_bad_cell(rd, COL_CMD, "too long");
	strcpy(e->cmd.name, rd->cell[COL_CMD]);
	if ((event_of_port(e) ? read_port(rd, e) : read_qp(rd, e)) ||
	    cell_values(rd, COL_ARGS, e->cmd.arg, &e->cmd.nr_args) ||
	    cell_values(rd, COL_ANSWER, e->cmd.answer, &e->cmd.nr_answers) ||
	    reader_cell_u64(rd, COL_ERR, INT32_MAX, &err))
		return EXIT_USAGE;
	e->cmd.err = (uint32_t)err;
	if (r->for_cc && r->cc && strcmp(r->cc, r->for_cc))
		return 0;
	r->answered = rd->cell[COL_ERR] && rd->cell[COL_ANSWER];
	if (r->answered)
		reader_keep(rd, e, LEN_OF(cmd));
	reader_emit(r, e, LEN_OF(cmd), NULL, 0);
	return 0;
}
