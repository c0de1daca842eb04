/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: events.csv, which "lab run --events" writes and "lab replay" reads.
 */
#ifndef LAB_REPLAY_EVENTS_CSV_H
#define LAB_REPLAY_EVENTS_CSV_H

#include <linux/rxe_cc_events.h>

#include "lab.h"
#include "lib/options.h"

#define NO_WINDOW	UINT64_MAX
#define NO_TIMER	UINT64_MAX
#define NOT_GIVEN	UINT64_MAX

/* How a field stands in its column. */
enum event_how {
	HOW_NUMBER,		/* nothing stands for 0 */
	HOW_ALWAYS,		/* nothing would stand for what the flow has already */
	HOW_READ,		/* a number that is never written */
	HOW_MEASURED,		/* a number, or nothing without the flag */
	HOW_FLAG,
	HOW_PARTIAL,		/* 1: a switch reports what a packet met; 2: direct INT */
	HOW_WORD,
	HOW_WINDOW,		/* nothing stands for NO_WINDOW */
	HOW_TIME,		/* on the clock of t_ns; nothing stands for NO_TIMER */
	HOW_VALUES,		/* numbers with bars between */
	HOW_OLD_VALUE,		/* one of these, of recordings before they had a column */
	HOW_NAMED,		/* name=number with bars between */
	HOW_TEXT,
	HOW_HOPS,		/* see replay/events_csv_int_hops.c */
	HOW_FLOW,		/* names */
	HOW_PORT,
};

/**
 * struct event_field - what a column has of some kinds of events
 * @of: of which; 0: no field
 * @how: how it is written and read
 * @at: place in struct rxe_cc_evt
 * @size: bytes
 * @max: largest number
 * @flag: flag
 * @nr_at: place of the number of values
 * @nr_size: bytes of that
 * @words: words, by number
 * @def: place in struct replay_defs, plus 1, of what the command line may say instead
 */
struct event_field {
	uint32_t of;
	enum event_how how;
	uint16_t at, size;
	uint64_t max;
	uint16_t flag, nr_at, nr_size;
	const char *const *words;
	size_t def;
};

enum column {
#define X(id, ...) COL_##id,
#include "replay/events_csv_columns.h"
#undef X
	COLUMNS,
	/* The others are of older recordings. */
	COLUMNS_WRITTEN = COL_WINDOW,
};

#define EVENT_FIELDS_MAX	3

struct event_column {
	const char *name, *unit, *of, *help;
	struct event_field fields[EVENT_FIELDS_MAX];
};

extern const struct event_column event_columns[COLUMNS];
extern const char *const event_kinds[RXE_CC_EVT_KINDS];

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

/* What is known of flows where their rows do not say. */
struct replay_defs {
	uint64_t line_rate_bps, min_rate_bps, base_rtt_ns, rate_bps, cwnd_bytes, pkt_bytes;
	uint64_t ts_bits, tx_bits, tx_unit, qlen_unit;
};

#define REPLAY_DEFS	(sizeof(struct replay_defs) / sizeof(uint64_t))

/* An event or decision as a line. */
struct event_row {
	const struct rxe_cc_evt *e;
	const struct rxe_cc_evt_hop *hops;
	const char *flow, *port;
	int64_t t0_ns;
};

const struct event_field *event_field(const struct rxe_cc_evt *e, enum column col);
void events_head(FILE *f, const char *cc, int64_t t0_ns, struct json_object *params);
void events_row(FILE *f, const struct event_row *r);

/* A decision, or the answer to a command, of the file. */
struct decision {
	int64_t line;
	struct rxe_cc_evt *e;	/* as long as its kind */
};

/* A recording, read and checked. */
struct recording {
	const char *path;
	const char *for_cc;		/* algorithm that is to be replayed, or NULL */
	struct replay_defs defs;	/* of the heading, then of the command line */
	bool given[REPLAY_DEFS];	/* of the command line */
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

void recording_values(struct recording *r, const struct replay_defs *values);
int recording_read(struct recording *r);
void recording_free(struct recording *r);

/* Command line of "lab replay". */
struct replay {
	const char *cc, *preset, *out;
	struct option_list given;	/* --param */
	struct json_object *params;	/* the same by name */
	struct replay_defs values;	/* that go before those of the file, or NOT_GIVEN */
	struct recording rec;
	uint64_t timeout_s;
	bool check, columns, debug, quiet;
	char *kdir;			/* kernel and modules, unless @check */
	struct uml u;			/* replay_run() */
};

int replay_run(struct replay *c);

#endif /* LAB_REPLAY_EVENTS_CSV_H */
