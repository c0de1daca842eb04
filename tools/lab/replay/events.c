// SPDX-License-Identifier: GPL-2.0
/*
 * lab: lines of events.csv. Documentation/replay.md describes the format.
 */
#include <inttypes.h>

#include "replay/events.h"

const char *const event_columns[COLUMNS] = {
	[COL_T] = "t_ns",
	[COL_FLOW] = "flow",
	[COL_EVENT] = "event",
	[COL_SEQ] = "seq",
	[COL_NEXT_SEQ] = "next_seq",
	[COL_BYTES] = "bytes",
	[COL_INFLIGHT] = "inflight_bytes",
	[COL_RTT] = "rtt_ns",
	[COL_HOPS] = "hops",
	[COL_CNP_WINDOW] = "cnp_window_bytes",
	[COL_CE] = "ce",
	[COL_START] = "start",
	[COL_END] = "end",
	[COL_RETRANSMIT] = "retransmit",
	[COL_LOSS] = "loss",
	[COL_CAUSE] = "cause",
	[COL_RATE] = "rate_bps",
	[COL_CWND] = "cwnd_bytes",
	[COL_TIMER] = "timer_ns",
	[COL_CNP] = "cnp",
	[COL_LINE_RATE] = "line_rate_bps",
	[COL_MIN_RATE] = "min_rate_bps",
	[COL_BASE_RTT] = "base_rtt_ns",
	[COL_PKT] = "pkt_bytes",
	[COL_PORT] = "port",
	[COL_PARTIAL] = "partial",
	[COL_REPORT] = "report",
	[COL_ALWAYS] = "report_always",
	[COL_TOLD] = "told",
	[COL_KIND] = "kind",
	[COL_MSG] = "msg_bytes",
	[COL_LATE] = "late_ns",
	[COL_PEER] = "peer",
	[COL_TURNAROUND] = "turnaround_ns",
	[COL_OWD] = "owd_ns",
	[COL_OWD_OVER] = "owd_over_ns",
	[COL_PATH_HOPS] = "path_hops",
	[COL_CNP_ORIGIN] = "cnp_origin",
	[COL_RTT_WINDOW] = "rtt_window_ns",
	[COL_CLOCK_COMMON] = "clock_common",
	[COL_WANTS] = "wants",
	[COL_DEAF] = "deaf",
	[COL_CNP_GAP] = "cnp_gap_ns",
	[COL_CAP_LIFT] = "cap_lift",
	[COL_SCOPE] = "scope",
	[COL_CMD] = "cmd",
	[COL_ARGS] = "args",
	[COL_ERR] = "err",
	[COL_ANSWER] = "answer",
	[COL_RX_MSGS] = "rx_msgs",
	[COL_RX_MSGS_ALL] = "rx_msgs_all",
	[COL_RX_SENDERS] = "rx_senders",
	[COL_RX_PEER_MSGS] = "rx_peer_msgs",
	[COL_RX_PEER_COUNTED] = "rx_peer_counted",
	[COL_RX_ROUND_BYTES] = "rx_round_bytes",
	[COL_RX_ROUND] = "rx_round_ns",
	[COL_RX_BASE_RTT] = "rx_base_rtt_ns",
	[COL_RX_MIN_OWD] = "rx_min_owd_ns",
	[COL_RX_PARTS] = "rx_parts_q16",
	[COL_RX_HOSTS] = "rx_hosts_q16",
	[COL_PEER_OBEYS] = "peer_obeys",
	[COL_MIN_RTT] = "min_rtt_ns",
	[COL_WINDOW] = "window_bytes",
	[COL_SENDERS] = "senders",
};

/* Records of a replay have none. */
const char *const event_kinds[RXE_CC_EVT_KINDS] = {
	[RXE_CC_EVT_ACK] = "ack",
	[RXE_CC_EVT_SENT] = "sent",
	[RXE_CC_EVT_CNP] = "cnp",
	[RXE_CC_EVT_TIMER] = "timer",
	[RXE_CC_EVT_LOSS] = "loss",
	[RXE_CC_EVT_DATA] = "data",
	[RXE_CC_EVT_FILL] = "fill",
	[RXE_CC_EVT_GROUP] = "shared",
	[RXE_CC_EVT_INIT] = "init",
	[RXE_CC_EVT_CHANGE] = "change",
	[RXE_CC_EVT_ENV] = "env",
	[RXE_CC_EVT_END] = "end",
	[RXE_CC_EVT_PORT] = "port",
	[RXE_CC_EVT_DECISION] = "decision",
	[RXE_CC_EVT_CMD] = "cmd",
};

/* In the order of enum rxe_cc_loss. */
const char *const event_losses[3] = { "nak", "timeout", "rnr" };

/* In the order of enum rxe_cc_data_kind. */
const char *const event_data_kinds[6] = {
	"send", "write", "read_request", "read_response", "atomic", "other",
};

/* In the order of enum rxe_cc_cnp_origin. */
const char *const event_cnp_origins[3] = { "receiver", "mercury", "lscc" };

/* In the order of enum rxe_cc_command_scope. */
const char *const event_scopes[3] = { "qp", "peer", "port" };

/**
 * events_head() - what stands before the first event
 * @f: file
 * @cc: algorithm, or NULL
 * @t0_ns: the kernel's time at t_ns 0
 * @params: the algorithm's parameters, name to value as text
 */
void events_head(FILE *f, const char *cc, int64_t t0_ns, struct json_object *params)
{
	size_t i;

	fprintf(f, "# rxe_cc events, see Documentation/replay.md\n");
	if (cc)
		fprintf(f, "# cc=%s\n", cc);
	fprintf(f, "# t0_ns=%" PRId64 "\n", t0_ns);
	if (params) {
		json_object_object_foreach(params, name, val)
			fprintf(f, "# param %s=%s\n", name, json_object_get_string(val));
	}
	for (i = 0; i < COLUMNS_WRITTEN; i++)
		fprintf(f, "%s%c", event_columns[i], i == COLUMNS_WRITTEN - 1 ? '\n' : ',');
}

/* Nothing stands for 0. */
static void put(FILE *f, uint64_t val)
{
	fputc(',', f);
	if (val)
		fprintf(f, "%" PRIu64, val);
}

/* Nothing would stand for what the flow has already. */
static void put_all(FILE *f, uint64_t val)
{
	fprintf(f, ",%" PRIu64, val);
}

/* The same of a flow that goes on; at its begin nothing stands for 0. */
static void put_again(FILE *f, const struct rxe_cc_evt *e, uint64_t val)
{
	if (e->kind == RXE_CC_EVT_CHANGE || e->kind == RXE_CC_EVT_ENV)
		put_all(f, val);
	else
		put(f, val);
}

static void put_text(FILE *f, const char *text)
{
	fprintf(f, ",%s", text);
}

static void put_hops(FILE *f, const struct rxe_cc_evt_hop *hop, uint32_t n)
{
	uint32_t i;

	fputc(',', f);
	for (i = 0; i < n; i++, hop++) {
		fprintf(f, "%s%u:%llu:%llu:%llu:%llu", i ? "|" : "", hop->node, hop->ts_ns,
			hop->tx_bytes, hop->qlen_bytes, hop->rate_bps);
		if (hop->port)
			fprintf(f, ":%u", hop->port);
	}
}

static void put_sample(FILE *f, const struct event_row *r)
{
	const struct rxe_cc_evt *e = r->e;

	put(f, e->sample.seq);
	put(f, e->sample.next_seq);
	put(f, e->sample.bytes);
	put(f, e->sample.inflight_bytes);
	put(f, e->sample.rtt_ns);
	put_hops(f, r->hops, e->sample.nr_hops);
	put(f, e->sample.cnp_window_bytes);
	put(f, !!(e->flags & RXE_CC_EVT_F_CE));
	put(f, !!(e->flags & RXE_CC_EVT_F_START));
	put(f, !!(e->flags & RXE_CC_EVT_F_END));
	put(f, !!(e->flags & RXE_CC_EVT_F_RETRANSMIT));
	put_text(f, e->kind == RXE_CC_EVT_LOSS && e->sample.loss < ARRAY_SIZE(event_losses) ?
		 event_losses[e->sample.loss] : "");
}

static void put_decision(FILE *f, const struct event_row *r)
{
	const struct rxe_cc_evt *e = r->e;

	put_text(f, event_kinds[e->cause]);
	put(f, e->decision.rate_bps);
	put(f, e->decision.cwnd_bytes == NO_WINDOW ? 0 : e->decision.cwnd_bytes);
	fputc(',', f);
	if (e->decision.timer_ns != NO_TIMER)
		fprintf(f, "%" PRId64, (int64_t)e->decision.timer_ns - r->t0_ns);
	put(f, !!(e->flags & RXE_CC_EVT_F_CNP));
}

static void put_env(FILE *f, const struct event_row *r)
{
	const struct rxe_cc_evt *e = r->e;

	put(f, e->env.line_rate_bps);
	put_all(f, e->env.min_rate_bps);
	put_all(f, e->env.base_rtt_ns);
	put_all(f, e->env.pkt_bytes);
	put_text(f, r->port);
}

static void put_nothing(FILE *f, enum column from, enum column to)
{
	for (; from <= to; from++)
		fputc(',', f);
}

static void put_values(FILE *f, const __u64 *val, uint32_t n)
{
	uint32_t i;

	fputc(',', f);
	for (i = 0; i < n; i++)
		fprintf(f, "%s%llu", i ? "|" : "", val[i]);
}

/* What a receiver tells the sender: as told, or as decided. */
static void put_feedback(FILE *f, const struct rxe_cc_evt *e)
{
	if (e->kind <= RXE_CC_EVT_SAMPLES) {
		put(f, !!(e->flags & RXE_CC_EVT_F_PARTIAL) + !!(e->flags & RXE_CC_EVT_F_DIRECT));
		put_nothing(f, COL_REPORT, COL_ALWAYS);
		put_values(f, e->sample.fb, e->sample.nr_fb);
	} else if (e->kind == RXE_CC_EVT_DECISION) {
		put_nothing(f, COL_PARTIAL, COL_PARTIAL);
		put(f, !!(e->flags & RXE_CC_EVT_F_REPORT));
		put(f, !!(e->flags & RXE_CC_EVT_F_ALWAYS));
		put_values(f, e->decision.fb, e->decision.nr_fb);
	} else {
		put_nothing(f, COL_PARTIAL, COL_TOLD);
	}
}

static void put_packet(FILE *f, const struct rxe_cc_evt *e)
{
	if (e->kind != RXE_CC_EVT_DATA) {
		put_nothing(f, COL_KIND, COL_LATE);
		return;
	}
	put_text(f, event_data_kinds[e->sample.data_kind % ARRAY_SIZE(event_data_kinds)]);
	put(f, e->sample.msg_bytes);
	put(f, e->sample.late_ns);
}

/* Times of a path; of a one-way delay that was measured 0 is a value. */
static void put_way(FILE *f, const struct rxe_cc_evt *e)
{
	if (e->kind > RXE_CC_EVT_SAMPLES) {
		put_nothing(f, COL_TURNAROUND, COL_CNP_ORIGIN);
		return;
	}
	put(f, e->sample.turnaround_ns);
	put(f, e->sample.owd_ns);
	fputc(',', f);
	if (e->flags & RXE_CC_EVT_F_OWD)
		fprintf(f, "%llu", e->sample.owd_over_ns);
	put(f, e->sample.path_hops);
	put_text(f, e->kind == RXE_CC_EVT_CNP &&
		 e->sample.cnp_origin < ARRAY_SIZE(event_cnp_origins) ?
		 event_cnp_origins[e->sample.cnp_origin] : "");
}

static void put_wants(FILE *f, const struct rxe_cc_evt *e)
{
	if (e->kind != RXE_CC_EVT_DECISION) {
		put_nothing(f, COL_WANTS, COL_CAP_LIFT);
		return;
	}
	put(f, e->decision.wants);
	put(f, e->decision.fb_ignore);
	put(f, e->decision.cnp_gap_ns);
	put(f, !!(e->flags & RXE_CC_EVT_F_LIFT));
}

/* What inputs have of a command to a queue pair. */
static void put_cmd_input(FILE *f, const struct rxe_cc_evt *e)
{
	put_nothing(f, COL_SEQ, COL_SEQ);
	put(f, e->cmd.next_seq);
	put_nothing(f, COL_BYTES, COL_BYTES);
	put(f, e->cmd.inflight_bytes);
	put_nothing(f, COL_RTT, COL_LOSS);
}

/* ... and env of another one. */
static void put_cmd_env(FILE *f, const struct event_row *r)
{
	put(f, r->e->cmd.line_rate_bps);
	put_nothing(f, COL_MIN_RATE, COL_PKT);
	put_text(f, r->port);
}

static void put_named(FILE *f, const struct rxe_cc_evt_value *val, uint32_t n)
{
	uint32_t i;

	fputc(',', f);
	for (i = 0; i < n && i < RXE_CC_EVT_VALUES_MAX; i++)
		fprintf(f, "%s%.*s=%llu", i ? "|" : "", RXE_CC_EVT_NAME_MAX, val[i].name,
			val[i].value);
}

static void put_cmd(FILE *f, const struct rxe_cc_evt *e)
{
	if (e->kind != RXE_CC_EVT_CMD) {
		put_nothing(f, COL_SCOPE, COL_ANSWER);
		return;
	}
	put_text(f, event_scopes[e->cmd.scope % ARRAY_SIZE(event_scopes)]);
	fprintf(f, ",%.*s", RXE_CC_EVT_NAME_MAX, e->cmd.name);
	put_named(f, e->cmd.arg, e->cmd.nr_args);
	put(f, e->cmd.err);
	put_named(f, e->cmd.answer, e->cmd.nr_answers);
}

/* What the algorithm sees of its port. */
static void put_rx(FILE *f, const struct rxe_cc_evt *e)
{
	const struct rxe_cc_evt_rx *v = &e->sample.rx;

	if (!rxe_cc_evt_has_rx(e->kind)) {
		put_nothing(f, COL_RX_MSGS, COL_RX_HOSTS);
		return;
	}
	put(f, v->msgs);
	put(f, v->msgs_all);
	put(f, v->senders);
	put(f, v->peer_msgs);
	put(f, v->peer_counted);
	put(f, v->round_bytes);
	put(f, v->round_ns);
	put(f, v->base_rtt_ns);
	put(f, v->min_owd_ns);
	put(f, v->parts_q16);
	put(f, v->hosts_q16);
}

/**
 * events_row() - write a line
 * @f: file
 * @r: event or decision
 */
void events_row(FILE *f, const struct event_row *r)
{
	uint8_t kind = r->e->kind;
	bool env = kind >= RXE_CC_EVT_INIT && kind <= RXE_CC_EVT_ENV;

	fprintf(f, "%" PRId64 ",%s,%s", (int64_t)r->e->t_ns - r->t0_ns, r->flow,
		event_kinds[kind]);
	if (kind <= RXE_CC_EVT_SAMPLES)
		put_sample(f, r);
	else if (kind == RXE_CC_EVT_CMD)
		put_cmd_input(f, r->e);
	else
		put_nothing(f, COL_SEQ, COL_LOSS);
	if (kind == RXE_CC_EVT_DECISION)
		put_decision(f, r);
	else
		put_nothing(f, COL_CAUSE, COL_CNP);
	if (env)
		put_env(f, r);
	else if (event_of_port(r->e))
		put_cmd_env(f, r);
	else
		put_nothing(f, COL_LINE_RATE, COL_PORT);
	put_feedback(f, r->e);
	put_packet(f, r->e);
	if (kind == RXE_CC_EVT_CMD)
		put(f, r->e->cmd.peer);
	else
		put_again(f, r->e, env ? r->e->env.peer : 0);
	put_way(f, r->e);
	put_again(f, r->e, env ? r->e->env.rtt_window_ns : 0);
	put(f, env && r->e->flags & RXE_CC_EVT_F_CLOCK);
	put_wants(f, r->e);
	put_cmd(f, r->e);
	put_rx(f, r->e);
	put(f, env && r->e->flags & RXE_CC_EVT_F_OBEYS);
	put(f, kind <= RXE_CC_EVT_SAMPLES ? r->e->sample.min_rtt_ns : 0);
	fputc('\n', f);
}
