// SPDX-License-Identifier: GPL-2.0
/*
 * lab: read a file of events and make records of it. Documentation/guide/replay.md
 * describes the format.
 *
 * The whole file is read and checked before anything is done with it.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/events_csv_reader.h"

/* Number of a name, a new one if need be. */
static uint32_t name_index(struct reader *rd, const char *prefix, const char *name,
			   char ***list, size_t *n)
{
	char *key = xasprintf("%s%s", prefix, name);
	int64_t i = js_int(rd->index, key, -1);

	if (i < 0) {
		i = (int64_t)(*n)++;
		*list = xrealloc(*list, *n * sizeof(**list));
		(*list)[i] = xstrdup(name);
		js_add_int(rd->index, key, i);
	}
	free(key);
	return (uint32_t)i;
}

static int flow_index(struct reader *rd, uint32_t *flow)
{
	const char *name = rd->cell[COL_FLOW], *c;
	size_t old = rd->r->n_flows;

	for (c = name; isalnum((unsigned char)*c) || (*c && strchr("_.:-", *c)); c++)
		;
	if (c == name || *c || c - name > 63)
		return reader_bad_cell(rd, COL_FLOW, "not a name (letters, digits, \"_.:-\", at most 63)");
	*flow = name_index(rd, "f", name, &rd->r->flows, &rd->r->n_flows);
	if (rd->r->n_flows > old) {
		rd->states = xrealloc(rd->states, rd->r->n_flows * sizeof(*rd->states));
		memset(&rd->states[old], 0, sizeof(*rd->states));
		rd->states[old].last_timer_ns = NO_TIMER;
	}
	return 0;
}

static void emit(struct recording *r, const struct rxe_cc_evt *e, size_t len,
		 const struct rxe_cc_evt_hop *hops, uint32_t n_hops)
{
	size_t more = n_hops * sizeof(*hops);
	struct rxe_cc_evt *to;

	while (r->len + len + more > r->room) {
		r->room = r->room ? 2 * r->room : 1 << 16;
		r->buf = xrealloc(r->buf, r->room);
	}
	to = (struct rxe_cc_evt *)(r->buf + r->len);
	memcpy(to, e, len);
	if (more)
		memcpy((char *)to + len, hops, more);
	to->len = (uint32_t)(len + more);
	r->len += len + more;
	r->n_events++;
}

#define LEN_HEAD	offsetof(struct rxe_cc_evt, sample)
#define LEN_OF(part) \
	(offsetof(struct rxe_cc_evt, part) + sizeof(((struct rxe_cc_evt *)NULL)->part))

static int check_line_rate(struct reader *rd, uint64_t rate)
{
	return rate ? 0 : reader_bad_line(rd, "no line rate: --line-rate, \"# line_rate_bps=N\" or a column");
}

/* What init, change and env say: the command line, else their line, else what the flow has, else
 * the heading.
 */
static int read_env(struct reader *rd, struct flow_state *f, struct rxe_cc_evt *e)
{
	const struct replay_defs *d = &rd->r->defs;

	if (f->live)
		e->env = f->env.env;
	else
		e->env = (typeof(e->env)){
			.line_rate_bps = d->line_rate_bps, .min_rate_bps = d->min_rate_bps,
			.base_rtt_ns = d->base_rtt_ns, .pkt_bytes = (uint32_t)d->pkt_bytes,
		};
	e->env.rate_bps = f->live ? 0 : d->rate_bps;
	e->env.cwnd_bytes = f->live ? 0 : d->cwnd_bytes;
	return reader_fields(rd, e) ? EXIT_USAGE : check_line_rate(rd, e->env.line_rate_bps);
}

/* Without a name each flow has a port of its own. */
static uint32_t port_index(struct reader *rd, uint32_t flow)
{
	const char *name = reader_has(rd, COL_PORT) ? rd->cell[COL_PORT] : NULL;

	return name_index(rd, name ? "p" : "P", name ? name : rd->r->flows[flow],
			  &rd->r->ports, &rd->r->n_ports);
}

static int read_init(struct reader *rd, struct rxe_cc_evt *e, bool line)
{
	struct flow_state *f = &rd->states[e->flow];
	struct rxe_cc_evt init = *e;
	char *cell[COLUMNS];
	int rc;

	/* A flow that begins without an init line has the heading's values. */
	memcpy(cell, rd->cell, sizeof(cell));
	if (!line)
		memset(&rd->cell[COL_EVENT + 1], 0, (COLUMNS - COL_EVENT - 1) * sizeof(*cell));
	init.kind = RXE_CC_EVT_INIT;
	init.flags = 0;
	init.port = port_index(rd, e->flow);
	f->live = false;
	rc = read_env(rd, f, &init);
	memcpy(rd->cell, cell, sizeof(cell));
	if (rc)
		return rc;
	f->live = true;
	memset(&f->sent, 0, sizeof(f->sent));
	memset(&f->received, 0, sizeof(f->received));
	f->env = init;
	f->last_timer_ns = NO_TIMER;
	emit(rd->r, &init, LEN_OF(env), NULL, 0);
	return 0;
}

static int read_change(struct reader *rd, struct rxe_cc_evt *e)
{
	struct flow_state *f = &rd->states[e->flow];

	if (read_env(rd, f, e))
		return EXIT_USAGE;
	e->port = f->env.port;	/* a flow stays where it began */
	f->env = *e;
	emit(rd->r, e, LEN_OF(env), NULL, 0);
	return 0;
}

#define PSN_BITS	24

/* The number next to @near whose low bits are those of a PSN; not below 0. */
static uint64_t seq_near(uint64_t near, uint64_t psn)
{
	int64_t ahead = (int64_t)((psn - near) << (64 - PSN_BITS)) >> (64 - PSN_BITS);

	return ahead < 0 && (uint64_t)-ahead > near ? 0 : near + (uint64_t)ahead;
}

static void seq_move(struct seq_state *s, uint64_t psn)
{
	s->seq = s->known ? seq_near(s->seq, psn) : psn;
	s->known = true;
}

/* PSNs as the numbers that they stand for. */
static void unwrap_psns(struct flow_state *f, struct rxe_cc_evt *e)
{
	if (e->kind == RXE_CC_EVT_DATA) {
		seq_move(&f->received, e->sample.seq);
		e->sample.seq = f->received.seq;
		return;
	}
	seq_move(&f->sent, e->sample.next_seq);
	e->sample.next_seq = f->sent.seq;
	e->sample.seq = seq_near(f->sent.seq, e->sample.seq);
}

static int read_sample(struct reader *rd, struct rxe_cc_evt *e)
{
	struct rxe_cc_evt_hop hops[RXE_CC_EVT_HOPS_MAX];
	struct flow_state *f = &rd->states[e->flow];

	if (reader_fields(rd, e) || reader_hops(rd, f, hops, &e->sample.nr_hops))
		return EXIT_USAGE;
	if (e->sample.late_ns > e->t_ns)
		return reader_bad_cell(rd, COL_LATE, "too large");
	if (rd->psns)
		unwrap_psns(f, e);
	if (e->kind == RXE_CC_EVT_TIMER) {
		rd->timers = true;
		if (f->last_timer_ns <= e->t_ns &&
		    (int64_t)(e->t_ns - f->last_timer_ns) > rd->r->late_ns)
			rd->r->late_ns = (int64_t)(e->t_ns - f->last_timer_ns);
	}
	emit(rd->r, e, event_sample_len(e->kind), hops, e->sample.nr_hops);
	return 0;
}

/* For comparison: a decision or an answer, and how much of the record counts. */
static void keep(struct reader *rd, const struct rxe_cc_evt *e, size_t len)
{
	struct recording *r = rd->r;
	struct decision *d;

	if ((r->n_decisions & (r->n_decisions - 1)) == 0)
		r->decisions = xrealloc(r->decisions, (r->n_decisions ? 2 * r->n_decisions : 1) *
					sizeof(*r->decisions));
	d = &r->decisions[r->n_decisions++];
	d->line = rd->line;
	d->e = xcalloc(1, len);
	memcpy(d->e, e, len);
}

/* Kept for comparison; the algorithm is not told. */
static int read_decision(struct reader *rd, struct rxe_cc_evt *e)
{
	e->cause = RXE_CC_EVT_INIT;
	e->decision.cwnd_bytes = NO_WINDOW;
	e->decision.timer_ns = NO_TIMER;
	if (reader_fields(rd, e))
		return EXIT_USAGE;
	if (e->cause == RXE_CC_EVT_DECISION)
		return reader_bad_cell(rd, COL_CAUSE, "not a word that may stand here");
	rd->states[e->flow].last_timer_ns = e->decision.timer_ns;
	/* What is not in the file cannot differ from it. */
	rd->r->all_decided = rd->cell[COL_WANTS] && rd->cell[COL_DEAF] && rd->cell[COL_CNP_GAP] &&
			     rd->cell[COL_CAP_LIFT];
	rd->decided = true;
	keep(rd, e, LEN_OF(decision));
	return 0;
}

/* Commands are one algorithm's: another one gets none of them. */
static int read_cmd(struct reader *rd, struct rxe_cc_evt *e)
{
	struct flow_state *f = &rd->states[e->flow];
	bool of_port = event_of_port(e);
	struct recording *r = rd->r;

	if (!reader_has(rd, COL_CMD))
		return reader_bad_line(rd, "a command without its name (column cmd)");
	/* One for a peer or a port stands for itself: no flow need be there. */
	if (of_port && !reader_has(rd, COL_PORT))
		return reader_bad_line(rd, "a command to a peer or a port needs the port");
	e->cmd.line_rate_bps = of_port ? r->defs.line_rate_bps : 0;
	if (reader_fields(rd, e) || (of_port && check_line_rate(rd, e->cmd.line_rate_bps)))
		return EXIT_USAGE;
	if (of_port) {
		e->port = port_index(rd, e->flow);
	} else if (rd->psns) {
		seq_move(&f->sent, e->cmd.next_seq);
		e->cmd.next_seq = f->sent.seq;
	}
	if (r->for_cc && r->cc && strcmp(r->cc, r->for_cc))
		return 0;
	r->answered = rd->cell[COL_ERR] && rd->cell[COL_ANSWER];
	if (r->answered)
		keep(rd, e, LEN_OF(cmd));
	emit(r, e, LEN_OF(cmd), NULL, 0);
	return 0;
}

static int read_row(struct reader *rd)
{
	struct rxe_cc_evt e = { .next_timer_ns = NO_TIMER };
	struct flow_state *f;

	if (reader_field(rd, COL_T, &e) || flow_index(rd, &e.flow) ||
	    reader_field(rd, COL_EVENT, &e))
		return EXIT_USAGE;
	if ((int64_t)e.t_ns < rd->last_ns)
		return reader_bad_cell(rd, COL_T, "time goes back");
	rd->last_ns = (int64_t)e.t_ns;
	f = &rd->states[e.flow];
	if (e.kind == RXE_CC_EVT_INIT)
		return read_init(rd, &e, true);
	if (e.kind == RXE_CC_EVT_DECISION)
		return read_decision(rd, &e);
	/* Whether a command is for the flow is in its line. */
	if (e.kind == RXE_CC_EVT_CMD && reader_has(rd, COL_SCOPE) &&
	    reader_field(rd, COL_SCOPE, &e))
		return EXIT_USAGE;
	if (!event_of_port(&e) && !f->live && read_init(rd, &e, false))
		return EXIT_USAGE;
	if (e.kind == RXE_CC_EVT_CMD)
		return read_cmd(rd, &e);
	if (e.kind == RXE_CC_EVT_CHANGE || e.kind == RXE_CC_EVT_ENV)
		return read_change(rd, &e);
	if (e.kind <= RXE_CC_EVT_SAMPLES)
		return read_sample(rd, &e);
	f->live = e.kind != RXE_CC_EVT_END;
	emit(rd->r, &e, LEN_HEAD, NULL, 0);
	return 0;
}

static int read_cells(struct reader *rd, char *text)
{
	char *cell;
	int n = 0;

	while ((cell = strsep(&text, ","))) {
		if (n < rd->n_cols)
			rd->cell[rd->col[n]] = cell;
		n++;
	}
	if (n != rd->n_cols)
		return usage_error("%s:%" PRId64 ": %d columns, the heading has %d", rd->r->path,
				   rd->line, n, rd->n_cols);
	return read_row(rd);
}

static int read_line(struct reader *rd, char *text, size_t len)
{
	rd->line++;
	if (strlen(text) != len)
		return reader_bad_line(rd, "a 0 byte");
	text[strcspn(text, "\r\n")] = '\0';
	if (!*text)
		return 0;
	if (*text == '#')
		return rd->n_cols ? 0 : reader_comment(rd, text);
	return rd->n_cols ? read_cells(rd, text) : reader_columns(rd, text);
}

/*
 * Every record says when its flow's next timer event is, so that a timer that
 * is set in replay knows whether to wait for it. From the end.
 */
static void mark_timers(struct recording *r)
{
	uint64_t *next = xcalloc(r->n_flows, sizeof(*next));
	size_t *at = xcalloc(r->n_events, sizeof(*at)), pos = 0, i;

	for (i = 0; i < (size_t)r->n_events; i++) {
		at[i] = pos;
		pos += ((struct rxe_cc_evt *)(r->buf + pos))->len;
	}
	for (i = 0; i < r->n_flows; i++)
		next[i] = NO_TIMER;
	for (i = (size_t)r->n_events; i-- > 0; ) {
		struct rxe_cc_evt *e = (struct rxe_cc_evt *)(r->buf + at[i]);

		e->next_timer_ns = next[e->flow];
		if (e->kind == RXE_CC_EVT_TIMER)
			next[e->flow] = e->t_ns;
		else if (e->kind == RXE_CC_EVT_INIT || e->kind == RXE_CC_EVT_END)
			next[e->flow] = NO_TIMER;
	}
	free(at);
	free(next);
}

/* Timers of a recorded run may have been that late without our seeing it. */
#define LATE_MIN_NS	1000

static void free_decisions(struct recording *r)
{
	size_t i;

	for (i = 0; i < r->n_decisions; i++)
		free(r->decisions[i].e);
	free(r->decisions);
	r->decisions = NULL;
	r->n_decisions = 0;
}

static int read_lines(struct reader *rd, FILE *f)
{
	struct recording *r = rd->r;
	char *text = NULL;
	size_t size = 0;
	ssize_t len;
	int rc = 0;

	while (!rc && (len = getline(&text, &size, f)) > 0)
		rc = read_line(rd, text, (size_t)len);
	if (!rc && ferror(f))
		rc = run_error("%s: %s", r->path, strerror(errno));
	free(text);
	if (!rc && !rd->n_cols)
		rc = usage_error("%s: no line with the names of the columns", r->path);
	if (!rc && !r->n_events)
		rc = usage_error("%s: no events", r->path);
	if (rc)
		return rc;
	if (rd->timers && rd->decided && r->late_ns < LATE_MIN_NS)
		r->late_ns = LATE_MIN_NS;
	/* A file of commands whose effect nobody wrote down. */
	if (!rd->decided)
		free_decisions(r);
	mark_timers(r);
	return 0;
}

/**
 * recording_read() - read and check a file of events
 * @r: recording with path and what the command line gives
 *
 * Return: 0, or the exit status after a message.
 */
int recording_read(struct recording *r)
{
	struct reader rd = { .r = r };
	FILE *f = fopen(r->path, "re");
	size_t i;
	int rc;

	if (!f)
		return usage_error("%s: %s", r->path, strerror(errno));
	rd.index = json_object_new_object();
	r->params = json_object_new_object();
	rc = read_lines(&rd, f);
	fclose(f);
	for (i = 0; i < r->n_flows; i++)
		free(rd.states[i].hops);
	free(rd.states);
	json_object_put(rd.index);
	return rc;
}

void recording_free(struct recording *r)
{
	size_t i;

	for (i = 0; i < r->n_flows; i++)
		free(r->flows[i]);
	for (i = 0; i < r->n_ports; i++)
		free(r->ports[i]);
	free(r->flows);
	free(r->ports);
	free(r->buf);
	free_decisions(r);
	free(r->cc);
	if (r->params)
		json_object_put(r->params);
}
