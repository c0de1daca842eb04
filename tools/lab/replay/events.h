/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: events.csv, which "lab run --events" writes and "lab replay" reads.
 */
#ifndef LAB_REPLAY_EVENTS_H
#define LAB_REPLAY_EVENTS_H

#include <linux/rxe_cc_events.h>

#include "lab.h"

#define NO_WINDOW	UINT64_MAX
#define NO_TIMER	UINT64_MAX

enum column {
	COL_T, COL_FLOW, COL_EVENT,
	/* inputs */
	COL_SEQ, COL_NEXT_SEQ, COL_BYTES, COL_INFLIGHT, COL_RTT, COL_HOPS, COL_CNP_WINDOW,
	COL_CE, COL_START, COL_END, COL_RETRANSMIT, COL_LOSS,
	/* decisions */
	COL_CAUSE, COL_RATE, COL_CWND, COL_TIMER, COL_CNP,
	/* port and path */
	COL_LINE_RATE, COL_MIN_RATE, COL_BASE_RTT, COL_PKT, COL_PORT,
	COL_PARTIAL,
	/* what a receiver tells the sender: decision of its own, input there */
	COL_REPORT, COL_ALWAYS, COL_TOLD,
	/* of a packet received */
	COL_KIND, COL_MSG, COL_LATE,
	/* of the path */
	COL_PEER,
	/* times and lengths of a path; who made a CNP */
	COL_TURNAROUND, COL_OWD, COL_OWD_OVER, COL_PATH_HOPS, COL_CNP_ORIGIN,
	/* port and path, too */
	COL_RTT_WINDOW, COL_CLOCK_COMMON,
	/* decisions, too */
	COL_WANTS, COL_DEAF, COL_CNP_GAP, COL_CAP_LIFT,
	/* commands to the algorithm */
	COL_SCOPE, COL_CMD, COL_ARGS, COL_ERR, COL_ANSWER,
	/* what is received at the port */
	COL_RX_MSGS, COL_RX_MSGS_ALL, COL_RX_SENDERS, COL_RX_PEER_MSGS, COL_RX_PEER_COUNTED,
	COL_RX_ROUND_BYTES, COL_RX_ROUND, COL_RX_BASE_RTT, COL_RX_MIN_OWD,
	COL_RX_PARTS, COL_RX_HOSTS,
	/* port and path, too */
	COL_PEER_OBEYS,
	/* of a path, too */
	COL_MIN_RTT,
	COLUMNS_WRITTEN,
	/* in the place of "told": of recordings before it */
	COL_WINDOW = COLUMNS_WRITTEN, COL_SENDERS,
	COLUMNS,
};

extern const char *const event_columns[COLUMNS];
extern const char *const event_kinds[RXE_CC_EVT_KINDS];
extern const char *const event_losses[3];
extern const char *const event_data_kinds[6];
extern const char *const event_cnp_origins[3];
extern const char *const event_scopes[3];

/* A command to a peer or a port, which belongs to no flow. */
static inline bool event_of_port(const struct rxe_cc_evt *e)
{
	return e->kind == RXE_CC_EVT_CMD && e->cmd.scope != 0;
}

/* Length of a sample without its hops, which are behind it. */
static inline size_t event_sample_len(uint8_t kind)
{
	return rxe_cc_evt_has_rx(kind) ?
	       offsetof(struct rxe_cc_evt, sample) + sizeof(((struct rxe_cc_evt *)NULL)->sample) :
	       offsetof(struct rxe_cc_evt, sample.rx);
}

/* An event or decision as a line. */
struct event_row {
	const struct rxe_cc_evt *e;
	const struct rxe_cc_evt_hop *hops;
	const char *flow, *port;
	int64_t t0_ns;
};

void events_head(FILE *f, const char *cc, int64_t t0_ns, struct json_object *params);
void events_row(FILE *f, const struct event_row *r);

/* A decision, or the answer to a command, of the file. */
struct decision {
	int64_t line;
	struct rxe_cc_evt *e;	/* as long as its kind */
};

/* What is known of flows where their rows do not say. */
struct replay_defs {
	uint64_t line_rate_bps, min_rate_bps, base_rtt_ns, rate_bps, cwnd_bytes, pkt_bytes;
	uint64_t ts_bits, tx_bits, tx_unit, qlen_unit;
};

/* A recording, read and checked. */
struct recording {
	const char *path;
	const char *for_cc;		/* algorithm that is to be replayed, or NULL */
	struct replay_defs defs;	/* of the heading, then of the command line */
	bool given[sizeof(struct replay_defs) / sizeof(uint64_t)];
	char *cc;			/* algorithm that it was made with, or NULL */
	struct json_object *params;	/* of that, as the kernel has them */
	int64_t t0_ns;
	char *buf;			/* records for the kernel */
	size_t len, room;
	int64_t n_events, late_ns;
	char **flows, **ports;
	size_t n_flows, n_ports;
	struct decision *decisions;
	size_t n_decisions;
	bool all_decided;		/* its decisions have the columns of COL_WANTS ff. */
	bool answered;			/* ... and its commands have their answers */
};

int recording_option(struct recording *r, const char *name, uint64_t val);
int recording_read(struct recording *r);
void recording_free(struct recording *r);

#endif /* LAB_REPLAY_EVENTS_H */
