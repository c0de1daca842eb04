// SPDX-License-Identifier: GPL-2.0
/*
 * lab: read a file of events and make records of it. Documentation/replay.md
 * describes the format.
 *
 * The whole file is read and checked before anything is done with it.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/replay.h"

/**
 * reader_bad_line() - say what is wrong with the line that is being read
 * @rd: reader
 * @why: reason
 *
 * Return: the exit status.
 */
int reader_bad_line(struct reader *rd, const char *why)
{
	return usage_error("%s:%" PRId64 ": %s", rd->r->path, rd->line, why);
}

/**
 * reader_bad_cell() - say what is wrong with a cell of that line
 * @rd: reader
 * @col: its column
 * @why: reason
 *
 * Return: the exit status.
 */
int reader_bad_cell(struct reader *rd, enum column col, const char *why)
{
	return usage_error("%s:%" PRId64 ": column %s: \"%.40s\": %s", rd->r->path, rd->line,
			   reader_column(rd, col), rd->cell[col], why);
}

bool reader_has(const struct reader *rd, enum column col)
{
	return rd->cell[col] && *rd->cell[col];
}

/**
 * reader_u64() - a plain number, nothing around it
 * @text: digits
 * @len: how many
 * @val: result
 *
 * Return: 0, or -1 if it is none or too large.
 */
int reader_u64(const char *text, size_t len, uint64_t *val)
{
	size_t i;

	*val = 0;
	for (i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(*val, 10, val) ||
		    __builtin_add_overflow(*val, (uint64_t)(text[i] - '0'), val))
			return -1;
	return len ? 0 : -1;
}

int reader_cell_u64(struct reader *rd, enum column col, uint64_t max, uint64_t *val)
{
	if (!reader_has(rd, col)) {
		*val = 0;
		return 0;
	}
	if (reader_u64(rd->cell[col], strlen(rd->cell[col]), val))
		return reader_bad_cell(rd, col, "not a whole number");
	return *val > max ? reader_bad_cell(rd, col, "too large") : 0;
}

/* A time may lie before the file's zero, not before the kernel's. */
static int cell_time(struct reader *rd, enum column col, int64_t *val)
{
	const char *text = rd->cell[col];
	bool minus = *text == '-';
	uint64_t num;

	if (reader_u64(text + minus, strlen(text + minus), &num))
		return reader_bad_cell(rd, col, "not a whole number");
	if (num > INT64_MAX / 2)
		return reader_bad_cell(rd, col, "too large");
	*val = rd->r->t0_ns + (minus ? -(int64_t)num : (int64_t)num);
	return *val < 0 ? reader_bad_cell(rd, col, "before the start of the clock (t0_ns)") : 0;
}

int reader_cell_word(struct reader *rd, enum column col, const char *const *words, size_t n,
		     uint32_t *val)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (words[i] && strcmp(rd->cell[col], words[i]) == 0) {
			*val = (uint32_t)i;
			return 0;
		}
	}
	return reader_bad_cell(rd, col, "not a word that may stand here");
}

static int cell_flag(struct reader *rd, enum column col, uint16_t flag, struct rxe_cc_evt *e)
{
	uint64_t val;

	if (reader_cell_u64(rd, col, 1, &val))
		return EXIT_USAGE;
	if (val)
		e->flags |= flag;
	return 0;
}

/* A switch reports: 1, what a packet met; 2, direct INT. */
static int cell_partial(struct reader *rd, struct rxe_cc_evt *e)
{
	uint64_t val;

	if (reader_cell_u64(rd, COL_PARTIAL, 2, &val))
		return EXIT_USAGE;
	if (val)
		e->flags |= RXE_CC_EVT_F_PARTIAL;
	if (val == 2)
		e->flags |= RXE_CC_EVT_F_DIRECT;
	return 0;
}

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

void reader_emit(struct recording *r, const struct rxe_cc_evt *e, size_t len,
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

/* The command line, else the line, else what the flow has, else the heading. */
int reader_env_value(struct reader *rd, enum column col, size_t def, uint64_t max, uint64_t *val)
{
	uint64_t cell;

	if (rd->r->given[def])
		*val = *recording_def(rd->r, def);
	else if (reader_has(rd, col) && reader_cell_u64(rd, col, max, &cell))
		return EXIT_USAGE;
	else if (reader_has(rd, col))
		*val = cell;
	return 0;
}

/* What init, change and env say; from their line or, of no line, from the heading. */
static int read_env(struct reader *rd, struct flow_state *f, struct rxe_cc_evt *e, bool init)
{
	const struct replay_defs *d = &rd->r->defs;
	uint64_t line, least, rtt, rate = d->rate_bps, cwnd = d->cwnd_bytes, pkt, peer, window;

	line = f->live ? f->env.env.line_rate_bps : d->line_rate_bps;
	least = f->live ? f->env.env.min_rate_bps : d->min_rate_bps;
	rtt = f->live ? f->env.env.base_rtt_ns : d->base_rtt_ns;
	pkt = f->live ? f->env.env.pkt_bytes : d->pkt_bytes;
	if (reader_env_value(rd, COL_LINE_RATE, 0, UINT64_MAX, &line) ||
	    reader_env_value(rd, COL_MIN_RATE, 1, UINT64_MAX, &least) ||
	    reader_env_value(rd, COL_BASE_RTT, 2, INT64_MAX, &rtt) ||
	    reader_env_value(rd, COL_PKT, 5, 1 << 17, &pkt))
		return EXIT_USAGE;
	if (init && (reader_env_value(rd, COL_RATE, 3, UINT64_MAX, &rate) ||
		     reader_env_value(rd, COL_CWND, 4, UINT64_MAX, &cwnd)))
		return EXIT_USAGE;
	if (reader_cell_u64(rd, COL_PEER, UINT32_MAX, &peer) ||
	    reader_cell_u64(rd, COL_RTT_WINDOW, INT64_MAX, &window) ||
	    cell_flag(rd, COL_CLOCK_COMMON, RXE_CC_EVT_F_CLOCK, e) ||
	    cell_flag(rd, COL_PEER_OBEYS, RXE_CC_EVT_F_OBEYS, e))
		return EXIT_USAGE;
	if (!line)
		return reader_bad_line(rd, "no line rate: --line-rate, \"# line_rate_bps=N\" or a column");
	e->env.line_rate_bps = line;
	e->env.min_rate_bps = least;
	e->env.base_rtt_ns = rtt;
	e->env.rtt_window_ns = f->live && !reader_has(rd, COL_RTT_WINDOW) ?
			       f->env.env.rtt_window_ns : window;
	e->env.rate_bps = init ? rate : 0;
	e->env.cwnd_bytes = init ? cwnd : 0;
	e->env.pkt_bytes = (uint32_t)pkt;
	e->env.peer = f->live && !reader_has(rd, COL_PEER) ? f->env.env.peer : (uint32_t)peer;
	return 0;
}

/* Without a name each flow has a port of its own. */
uint32_t reader_port(struct reader *rd, uint32_t flow)
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
	init.port = reader_port(rd, e->flow);
	f->live = false;
	rc = read_env(rd, f, &init, true);
	memcpy(rd->cell, cell, sizeof(cell));
	if (rc)
		return rc;
	f->live = true;
	memset(&f->sent, 0, sizeof(f->sent));
	memset(&f->received, 0, sizeof(f->received));
	f->env = init;
	f->last_timer_ns = NO_TIMER;
	reader_emit(rd->r, &init, LEN_OF(env), NULL, 0);
	return 0;
}

static int read_change(struct reader *rd, struct rxe_cc_evt *e)
{
	struct flow_state *f = &rd->states[e->flow];

	if (read_env(rd, f, e, false))
		return EXIT_USAGE;
	e->port = f->env.port;	/* a flow stays where it began */
	f->env = *e;
	reader_emit(rd->r, e, LEN_OF(env), NULL, 0);
	return 0;
}

/* Values that a receiver tells, with bars between. Before that there were a window and
 * a number of senders.
 */
static int cell_feedback(struct reader *rd, __u64 *fb, __u32 *nr)
{
	const char *text = rd->cell[COL_TOLD];
	uint64_t val[RXE_CC_EVT_FB_MAX] = {};
	size_t len, i;

	if (reader_cell_u64(rd, COL_WINDOW, UINT64_MAX, &val[0]) ||
	    reader_cell_u64(rd, COL_SENDERS, UINT32_MAX, &val[1]))
		return EXIT_USAGE;
	*nr = val[0] || val[1] ? 2 : 0;
	if (reader_has(rd, COL_TOLD)) {
		for (*nr = 0; ; text += len + 1) {
			len = strcspn(text, "|");
			if (*nr == RXE_CC_EVT_FB_MAX)
				return reader_bad_cell(rd, COL_TOLD, "more than four values");
			if (reader_u64(text, len, &val[(*nr)++]))
				return reader_bad_cell(rd, COL_TOLD, "not whole numbers with bars between");
			if (!text[len])
				break;
		}
	}
	for (i = 0; i < RXE_CC_EVT_FB_MAX; i++)
		fb[i] = val[i];
	return 0;
}

#define PSN_BITS	24

/* The number next to @near whose low bits are those of a PSN; not below 0. */
static uint64_t seq_near(uint64_t near, uint64_t psn)
{
	int64_t ahead = (int64_t)((psn - near) << (64 - PSN_BITS)) >> (64 - PSN_BITS);

	return ahead < 0 && (uint64_t)-ahead > near ? 0 : near + (uint64_t)ahead;
}

void reader_seq_move(struct seq_state *s, uint64_t psn)
{
	s->seq = s->known ? seq_near(s->seq, psn) : psn;
	s->known = true;
}

/* PSNs as the numbers that they stand for. */
static void unwrap_psns(struct flow_state *f, struct rxe_cc_evt *e)
{
	if (e->kind == RXE_CC_EVT_DATA) {
		reader_seq_move(&f->received, e->sample.seq);
		e->sample.seq = f->received.seq;
		return;
	}
	reader_seq_move(&f->sent, e->sample.next_seq);
	e->sample.next_seq = f->sent.seq;
	e->sample.seq = seq_near(f->sent.seq, e->sample.seq);
}

/* What is received at the port; of recordings before that, and of other events, nothing. */
static int read_rx(struct reader *rd, struct rxe_cc_evt_rx *v)
{
	uint64_t msgs, all, senders, peer_msgs, counted, bytes, round, rtt, owd;
	uint64_t parts, hosts;

	if (reader_cell_u64(rd, COL_RX_MSGS, UINT32_MAX, &msgs) ||
	    reader_cell_u64(rd, COL_RX_MSGS_ALL, UINT32_MAX, &all) ||
	    reader_cell_u64(rd, COL_RX_SENDERS, UINT32_MAX, &senders) ||
	    reader_cell_u64(rd, COL_RX_PEER_MSGS, UINT32_MAX, &peer_msgs) ||
	    reader_cell_u64(rd, COL_RX_PEER_COUNTED, UINT32_MAX, &counted) ||
	    reader_cell_u64(rd, COL_RX_ROUND_BYTES, UINT64_MAX, &bytes) ||
	    reader_cell_u64(rd, COL_RX_ROUND, INT64_MAX, &round) ||
	    reader_cell_u64(rd, COL_RX_BASE_RTT, INT64_MAX, &rtt) ||
	    reader_cell_u64(rd, COL_RX_MIN_OWD, INT64_MAX, &owd) ||
	    reader_cell_u64(rd, COL_RX_PARTS, UINT64_MAX, &parts) ||
	    reader_cell_u64(rd, COL_RX_HOSTS, UINT64_MAX, &hosts))
		return EXIT_USAGE;
	*v = (struct rxe_cc_evt_rx){
		.msgs = (uint32_t)msgs,
		.msgs_all = (uint32_t)all,
		.senders = (uint32_t)senders,
		.peer_msgs = (uint32_t)peer_msgs,
		.peer_counted = (uint32_t)counted,
		.round_bytes = bytes,
		.round_ns = round,
		.base_rtt_ns = rtt,
		.min_owd_ns = owd,
		.parts_q16 = parts,
		.hosts_q16 = hosts,
	};
	return 0;
}

static int read_sample(struct reader *rd, struct rxe_cc_evt *e)
{
	struct rxe_cc_evt_hop hops[RXE_CC_EVT_HOPS_MAX];
	struct flow_state *f = &rd->states[e->flow];
	uint64_t seq, next_seq, bytes, inflight, rtt, cnp_window, msg, late, turnaround, owd, over;
	uint64_t path_hops, min_rtt;
	uint32_t origin = 0;

	if (reader_cell_u64(rd, COL_SEQ, rd->psns ? UINT32_MAX : UINT64_MAX, &seq) ||
	    reader_cell_u64(rd, COL_NEXT_SEQ, rd->psns ? UINT32_MAX : UINT64_MAX, &next_seq) ||
	    reader_cell_u64(rd, COL_BYTES, UINT64_MAX, &bytes) ||
	    reader_cell_u64(rd, COL_INFLIGHT, UINT64_MAX, &inflight) ||
	    reader_cell_u64(rd, COL_RTT, INT64_MAX, &rtt) ||
	    reader_cell_u64(rd, COL_TURNAROUND, INT64_MAX, &turnaround) ||
	    reader_cell_u64(rd, COL_OWD, INT64_MAX, &owd) ||
	    reader_cell_u64(rd, COL_OWD_OVER, INT64_MAX, &over) ||
	    reader_cell_u64(rd, COL_MIN_RTT, INT64_MAX, &min_rtt) ||
	    reader_cell_u64(rd, COL_PATH_HOPS, UINT8_MAX, &path_hops) ||
	    reader_cell_u64(rd, COL_CNP_WINDOW, UINT64_MAX, &cnp_window) ||
	    reader_cell_u64(rd, COL_MSG, UINT32_MAX, &msg) ||
	    reader_cell_u64(rd, COL_LATE, e->t_ns, &late) ||
	    cell_feedback(rd, e->sample.fb, &e->sample.nr_fb) ||
	    cell_flag(rd, COL_CE, RXE_CC_EVT_F_CE, e) ||
	    cell_flag(rd, COL_START, RXE_CC_EVT_F_START, e) ||
	    cell_flag(rd, COL_END, RXE_CC_EVT_F_END, e) ||
	    cell_flag(rd, COL_RETRANSMIT, RXE_CC_EVT_F_RETRANSMIT, e) ||
	    cell_partial(rd, e) ||
	    read_rx(rd, &e->sample.rx) ||
	    reader_hops(rd, f, hops, &e->sample.nr_hops))
		return EXIT_USAGE;
	if (e->kind == RXE_CC_EVT_LOSS && reader_has(rd, COL_LOSS) &&
	    reader_cell_word(rd, COL_LOSS, event_losses, ARRAY_SIZE(event_losses), &e->sample.loss))
		return EXIT_USAGE;
	if (reader_has(rd, COL_KIND) &&
	    reader_cell_word(rd, COL_KIND, event_data_kinds, ARRAY_SIZE(event_data_kinds),
			     &e->sample.data_kind))
		return EXIT_USAGE;
	if (e->kind == RXE_CC_EVT_CNP && reader_has(rd, COL_CNP_ORIGIN) &&
	    reader_cell_word(rd, COL_CNP_ORIGIN, event_cnp_origins, ARRAY_SIZE(event_cnp_origins),
			     &origin))
		return EXIT_USAGE;
	if (reader_has(rd, COL_OWD_OVER))
		e->flags |= RXE_CC_EVT_F_OWD;
	e->sample.turnaround_ns = turnaround;
	e->sample.owd_ns = owd;
	e->sample.owd_over_ns = over;
	e->sample.min_rtt_ns = min_rtt;
	e->sample.path_hops = (uint16_t)path_hops;
	e->sample.cnp_origin = (uint16_t)origin;
	e->sample.msg_bytes = (uint32_t)msg;
	e->sample.late_ns = late;
	e->sample.seq = seq;
	e->sample.next_seq = next_seq;
	if (rd->psns)
		unwrap_psns(f, e);
	e->sample.bytes = bytes;
	e->sample.inflight_bytes = inflight;
	e->sample.rtt_ns = rtt;
	e->sample.cnp_window_bytes = cnp_window;
	if (e->kind == RXE_CC_EVT_TIMER) {
		rd->timers = true;
		if (f->last_timer_ns <= e->t_ns &&
		    (int64_t)(e->t_ns - f->last_timer_ns) > rd->r->late_ns)
			rd->r->late_ns = (int64_t)(e->t_ns - f->last_timer_ns);
	}
	reader_emit(rd->r, e, event_sample_len(e->kind), hops, e->sample.nr_hops);
	return 0;
}

/**
 * reader_keep() - keep a decision or an answer for comparison
 * @rd: reader
 * @e: the record
 * @len: how much of it counts
 */
void reader_keep(struct reader *rd, const struct rxe_cc_evt *e, size_t len)
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
	struct recording *r = rd->r;
	uint32_t cause = RXE_CC_EVT_INIT;
	uint64_t rate, cwnd, wants, deaf, gap;
	int64_t timer;

	if (reader_has(rd, COL_CAUSE) &&
	    reader_cell_word(rd, COL_CAUSE, event_kinds, ARRAY_SIZE(event_kinds), &cause))
		return EXIT_USAGE;
	if (cause == RXE_CC_EVT_DECISION)
		return reader_bad_cell(rd, COL_CAUSE, "not a word that may stand here");
	if (reader_cell_u64(rd, COL_RATE, UINT64_MAX, &rate) ||
	    reader_cell_u64(rd, COL_CWND, UINT64_MAX, &cwnd) ||
	    (reader_has(rd, COL_TIMER) && cell_time(rd, COL_TIMER, &timer)) ||
	    cell_feedback(rd, e->decision.fb, &e->decision.nr_fb) ||
	    cell_flag(rd, COL_CNP, RXE_CC_EVT_F_CNP, e) ||
	    cell_flag(rd, COL_REPORT, RXE_CC_EVT_F_REPORT, e) ||
	    reader_cell_u64(rd, COL_WANTS, UINT16_MAX, &wants) ||
	    reader_cell_u64(rd, COL_DEAF, UINT8_MAX, &deaf) ||
	    reader_cell_u64(rd, COL_CNP_GAP, UINT64_MAX, &gap) ||
	    cell_flag(rd, COL_CAP_LIFT, RXE_CC_EVT_F_LIFT, e) ||
	    cell_flag(rd, COL_ALWAYS, RXE_CC_EVT_F_ALWAYS, e))
		return EXIT_USAGE;
	e->cause = (uint8_t)cause;
	e->decision.rate_bps = rate;
	e->decision.cwnd_bytes = cwnd ? cwnd : NO_WINDOW;
	e->decision.timer_ns = reader_has(rd, COL_TIMER) ? (uint64_t)timer : NO_TIMER;
	rd->states[e->flow].last_timer_ns = e->decision.timer_ns;
	e->decision.wants = (uint16_t)wants;
	e->decision.fb_ignore = (uint16_t)deaf;
	e->decision.cnp_gap_ns = gap;
	/* What is not in the file cannot differ from it. */
	r->all_decided = rd->cell[COL_WANTS] && rd->cell[COL_DEAF] && rd->cell[COL_CNP_GAP] &&
			 rd->cell[COL_CAP_LIFT];
	rd->decided = true;
	reader_keep(rd, e, LEN_OF(decision));
	return 0;
}

static int read_row(struct reader *rd)
{
	struct rxe_cc_evt e = { .next_timer_ns = NO_TIMER };
	struct flow_state *f;
	uint32_t kind = 0;
	int64_t t_ns;

	if (cell_time(rd, COL_T, &t_ns) || flow_index(rd, &e.flow) ||
	    reader_cell_word(rd, COL_EVENT, event_kinds, ARRAY_SIZE(event_kinds), &kind))
		return EXIT_USAGE;
	if (t_ns < rd->last_ns)
		return reader_bad_cell(rd, COL_T, "time goes back");
	rd->last_ns = t_ns;
	e.t_ns = (uint64_t)t_ns;
	e.kind = (uint8_t)kind;
	f = &rd->states[e.flow];
	if (kind == RXE_CC_EVT_INIT)
		return read_init(rd, &e, true);
	if (kind == RXE_CC_EVT_DECISION)
		return read_decision(rd, &e);
	/* Whether a command is for the flow is in its line. */
	if (kind == RXE_CC_EVT_CMD && reader_cmd_scope(rd, &e))
		return EXIT_USAGE;
	if (!event_of_port(&e) && !f->live && read_init(rd, &e, false))
		return EXIT_USAGE;
	if (kind == RXE_CC_EVT_CMD)
		return reader_cmd(rd, &e);
	if (kind == RXE_CC_EVT_CHANGE || kind == RXE_CC_EVT_ENV)
		return read_change(rd, &e);
	if (kind <= RXE_CC_EVT_SAMPLES)
		return read_sample(rd, &e);
	f->live = kind != RXE_CC_EVT_END;
	reader_emit(rd->r, &e, LEN_HEAD, NULL, 0);
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
