/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: reader of events.csv: events_csv_reader.c knows lines, events_csv_heading.c the heading,
 * events_csv_cells.c and events_csv_int_hops.c cells.
 */
#ifndef LAB_REPLAY_EVENTS_CSV_READER_H
#define LAB_REPLAY_EVENTS_CSV_READER_H

#include "replay/events_csv.h"

/* A hop's counters so far, without the wrapping. */
struct hop_state {
	uint32_t node, port, nth;
	uint64_t raw_ts, raw_tx, ts, tx;
};

/* Where the numbers of packets sent, and of packets received, are. */
struct seq_state {
	bool known;
	uint64_t seq;
};

struct flow_state {
	bool live;
	struct seq_state sent, received;
	uint64_t last_timer_ns;		/* of the last decision in the file */
	struct rxe_cc_evt env;
	struct hop_state *hops;
	size_t n_hops;
};

struct reader {
	struct recording *r;
	int64_t line;
	enum column col[COLUMNS];	/* by place in the line */
	char *cell[COLUMNS];		/* by column; NULL: not in the file */
	int n_cols;
	bool psns;			/* numbers are PSNs, which come round */
	struct json_object *index;	/* name of flow or port to number */
	struct flow_state *states;
	int64_t last_ns;
	bool timers, decided;
};

/* replay/events_csv_cells.c */
enum column reader_column(struct reader *rd, const char *name);
int reader_bad_line(struct reader *rd, const char *why);
int reader_bad_cell(struct reader *rd, enum column col, const char *why);
bool reader_has(const struct reader *rd, enum column col);
int reader_u64(const char *text, size_t len, uint64_t *val);
int reader_field(struct reader *rd, enum column col, struct rxe_cc_evt *e);
int reader_fields(struct reader *rd, struct rxe_cc_evt *e);

/* replay/events_csv_heading.c */
int reader_comment(struct reader *rd, char *text);
int reader_columns(struct reader *rd, char *text);

/* replay/events_csv_int_hops.c */
int reader_hops(struct reader *rd, struct flow_state *f, struct rxe_cc_evt_hop *hops, uint32_t *n);

#endif /* LAB_REPLAY_EVENTS_CSV_READER_H */
