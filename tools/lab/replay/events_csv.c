// SPDX-License-Identifier: GPL-2.0
/*
 * lab: lines of events.csv. Documentation/guide/replay.md describes the format.
 */
#include <inttypes.h>

#include "replay/events_csv.h"

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
static const char *const event_losses[] = { "nak", "timeout", "rnr" };

/* In the order of enum rxe_cc_data_kind. */
static const char *const event_data_kinds[] = {
	"send", "write", "read_request", "read_response", "atomic", "other",
};

/* In the order of enum rxe_cc_cnp_origin. */
static const char *const event_cnp_origins[] = { "receiver", "mercury", "lscc" };

/* In the order of enum rxe_cc_command_scope. */
static const char *const event_scopes[] = { "qp", "peer", "port" };

/* Which events: bits of kinds. A command to a peer or a port is a kind of its own here. */
#define KIND_OTHER_CMD	RXE_CC_EVT_KINDS
#define ALL		UINT32_MAX
#define OF(kind)	(1U << RXE_CC_EVT_##kind)
#define SAMPLES		(2 * OF(SAMPLES) - 1)
#define RECEIVED	(OF(DATA) | OF(FILL) | OF(GROUP))
#define ENVS		(OF(INIT) | OF(CHANGE) | OF(ENV))
#define OTHER_CMDS	(1U << KIND_OTHER_CMD)
#define CMDS		(OF(CMD) | OTHER_CMDS)

/* Fields of columns, and what they have: number of values, value of the command line. */
#define AT(m)		.at = offsetof(struct rxe_cc_evt, m), \
			.size = sizeof(((struct rxe_cc_evt *)NULL)->m)
#define NR(m)		.nr_at = offsetof(struct rxe_cc_evt, m), \
			.nr_size = sizeof(((struct rxe_cc_evt *)NULL)->m)
#define DEF(d)		.def = offsetof(struct replay_defs, d) / sizeof(uint64_t) + 1
#define NUMBER(of, m)	{ of, HOW_NUMBER, AT(m), INT64_MAX }
#define BITS(of, m, n)	{ of, HOW_NUMBER, AT(m), UINT64_MAX >> (64 - (n)) }
#define FLAG(of, f)	{ of, HOW_FLAG, .flag = RXE_CC_EVT_F_##f }
#define WORD(of, m, w)	{ of, HOW_WORD, AT(m), ARRAY_SIZE(event_##w) - 1, .words = event_##w }

const struct event_column event_columns[COLUMNS] = {
#define X(id, column, u, has, text, ...) \
	[COL_##id] = { column, u, has, text, .fields = { __VA_ARGS__ } },
#include "replay/events_csv_columns.h"
#undef X
};

/**
 * event_field() - what an event has in a column
 * @e: event
 * @col: column
 *
 * Return: field; NULL if events of this kind have none there.
 */
const struct event_field *event_field(const struct rxe_cc_evt *e, enum column col)
{
	uint32_t kind = 1U << (event_of_port(e) ? KIND_OTHER_CMD : e->kind);
	const struct event_field *d = event_columns[col].fields, *end = d + EVENT_FIELDS_MAX;

	while (d < end && !(d->of & kind))
		d++;
	return d < end ? d : NULL;
}

/* A member of 1, 2, 4 or 8 bytes. */
static uint64_t number(const struct rxe_cc_evt *e, size_t at, size_t size)
{
	const void *from = (const char *)e + at;

	return size == 8 ? *(const __u64 *)from : size == 4 ? *(const __u32 *)from :
	       size == 2 ? *(const __u16 *)from : *(const __u8 *)from;
}

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

	/* The page keeps its old name here: recordings stay the same bytes. */
	fprintf(f, "# rxe_cc events, see Documentation/replay.md\n");
	if (cc)
		fprintf(f, "# cc=%s\n", cc);
	fprintf(f, "# t0_ns=%" PRId64 "\n", t0_ns);
	if (params) {
		json_object_object_foreach(params, name, val)
			fprintf(f, "# param %s=%s\n", name, json_object_get_string(val));
	}
	for (i = 0; i < COLUMNS_WRITTEN; i++)
		fprintf(f, "%s%c", event_columns[i].name, i == COLUMNS_WRITTEN - 1 ? '\n' : ',');
}

static void put(FILE *f, uint64_t val, bool always)
{
	if (val || always)
		fprintf(f, "%" PRIu64, val);
}

static void put_hops(FILE *f, const struct rxe_cc_evt_hop *hop, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, hop++) {
		fprintf(f, "%s%u:%llu:%llu:%llu:%llu", i ? "|" : "", hop->node, hop->ts_ns,
			hop->tx_bytes, hop->qlen_bytes, hop->rate_bps);
		if (hop->port)
			fprintf(f, ":%u", hop->port);
	}
}

static void put_list(FILE *f, const struct rxe_cc_evt *e, const struct event_field *d)
{
	size_t n = number(e, d->nr_at, d->nr_size), max, i;
	const void *list = (const char *)e + d->at;
	const struct rxe_cc_evt_value *named = list;
	const __u64 *val = list;

	max = d->size / (d->how == HOW_NAMED ? sizeof(*named) : sizeof(*val));
	for (i = 0; i < n && i < max; i++) {
		fputs(i ? "|" : "", f);
		if (d->how == HOW_NAMED)
			fprintf(f, "%.*s=%llu", RXE_CC_EVT_NAME_MAX, named[i].name, named[i].value);
		else
			fprintf(f, "%llu", val[i]);
	}
}

static void put_field(FILE *f, const struct event_row *r, const struct event_field *d)
{
	const struct rxe_cc_evt *e = r->e;
	uint64_t val = number(e, d->at, d->size);

	switch (d->how) {
	case HOW_NUMBER:
	case HOW_ALWAYS:
		put(f, val, d->how == HOW_ALWAYS);
		break;
	case HOW_MEASURED:
		put(f, e->flags & d->flag ? val : 0, e->flags & d->flag);
		break;
	case HOW_FLAG:
		put(f, !!(e->flags & d->flag), false);
		break;
	case HOW_PARTIAL:
		put(f, !!(e->flags & RXE_CC_EVT_F_PARTIAL) + !!(e->flags & RXE_CC_EVT_F_DIRECT),
		    false);
		break;
	case HOW_WORD:
		if (val <= d->max)
			fputs(d->words[val], f);
		break;
	case HOW_WINDOW:
		put(f, val == NO_WINDOW ? 0 : val, false);
		break;
	case HOW_TIME:
		if (val != NO_TIMER)
			fprintf(f, "%" PRId64, (int64_t)val - r->t0_ns);
		break;
	case HOW_VALUES:
	case HOW_NAMED:
		put_list(f, e, d);
		break;
	case HOW_TEXT:
		fprintf(f, "%.*s", (int)d->size, (const char *)e + d->at);
		break;
	case HOW_HOPS:
		put_hops(f, r->hops, (uint32_t)val);
		break;
	case HOW_FLOW:
		fputs(r->flow, f);
		break;
	case HOW_PORT:
		fputs(r->port, f);
		break;
	case HOW_READ:
	case HOW_OLD_VALUE:
		break;
	}
}

/**
 * events_row() - write a line
 * @f: file
 * @r: event or decision
 */
void events_row(FILE *f, const struct event_row *r)
{
	const struct event_field *d;
	enum column col;

	for (col = 0; col < COLUMNS_WRITTEN; col++) {
		if (col)
			fputc(',', f);
		d = event_field(r->e, col);
		if (d)
			put_field(f, r, d);
	}
	fputc('\n', f);
}
