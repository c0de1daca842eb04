/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Objects of the netlink family "rxe_cc" as structures, with a table of fields for each:
 * parsing, JSON and columns come from the tables. Strings point into the message.
 */
#ifndef RXECC_NETLINK_OBJECTS_H
#define RXECC_NETLINK_OBJECTS_H

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/rxe_cc.h>

#include "kernel_types.h"
#include "../lib/param.h"

/**
 * struct head - what every structure begins with
 * @has: attributes that came, a bit each
 * @msg: the message that it is from, freed with it; NULL: another's
 */
struct head {
	u32 has;
	void *msg;
};

#define HAS(obj, attr)	((obj)->head.has >> (attr) & 1)

struct param {
	struct head head;
	const char *name;
	const char *unit;	/* never NULL, may be "" */
	const char *help;	/* never NULL, may be "" */
	u64 value;
	u64 min;
	u64 max;
	u64 def;
};

struct params {
	struct param *v;
	size_t n;
};

struct counter {
	struct head head;
	const char *name;
	u64 value;
};

struct counters {
	struct counter *v;
	size_t n;
};

/* What a request must name for a command, and its arguments. */
struct command {
	struct head head;
	const char *name;
	const char *help;	/* never NULL, may be "" */
	u32 scope;		/* enum rxe_cc_command_scope */
	struct params args;	/* one without a default must be given */
};

struct names {
	const char **v;
	size_t n;
};

/* What pictures show of an algorithm. */
struct signal {
	struct head head;
	struct names lines;
	const char *var;
	const char *name;
	const char *unit;
	const char *help;
	const char *rtt_unit;
};

struct algo {
	struct head head;
	const char *name;
	u32 needs;		/* RXE_CC_ALGO_NEED_ flags */
	u32 users;
	u32 tells;
	struct params params;
	struct names presets;
	struct {
		struct command *v;
		size_t n;
	} commands;
	struct {
		struct signal *v;
		size_t n;
	} signals;
};

/* What an algorithm answers to a command. */
struct answer {
	struct head head;
	const char *algo;
	const char *command;
	struct counters results;
};

struct dev {
	struct head head;
	const char *name;
	const char *algo;
	u32 port;
	u32 ifindex;
	u32 qps;
	u64 line_rate_bps;
	struct params params;
	struct params knobs;
	struct counters counters;
	struct counters rx;	/* none when nobody counts */
};

struct qp {
	struct head head;
	const char *dev;
	const char *algo;
	u32 port;
	u32 qpn;
	u32 dest_qpn;
	u32 type;		/* enum rxe_cc_qp_type */
	bool override;
	u32 telemetry;		/* enum rxe_cc_qp_telemetry */
	u32 peer_caps;		/* enum rxe_cc_peer_cap */
	u64 rate_bps;
	u64 cwnd_bytes;
	u64 cap_bytes;		/* of all queue pairs to this peer */
	u64 cap_share_bytes;	/* of this one */
	u64 inflight_bytes;
	u64 rtt_ns;
	u64 min_rtt_ns;
	struct counters counters;
	struct counters state;
};

/* Words of an enum, or of the bits of a mask. */
struct words {
	const char *const *v;
	size_t n;
	const char *other;	/* for what a newer kernel has */
};

extern const struct words need_words, scope_words, type_words, telemetry_words;

const char *word_of(const struct words *words, u32 i);

enum field_kind {
	FIELD_STR,
	FIELD_U32,
	FIELD_ENUM,
	FIELD_BITS,
	FIELD_U64,
	FIELD_FLAG,
	FIELD_NAMES,		/* strings */
	FIELD_LIST,		/* objects; as JSON a list */
	FIELD_MAP,		/* objects; as JSON by their names */
};

enum {
	FIELD_NEEDED = 1 << 0,	/* a message without it is malformed */
	FIELD_ALWAYS = 1 << 1,	/* in JSON even if it did not come */
	FIELD_NOT_0 = 1 << 2,	/* in text, 0 is no value */
};

/**
 * struct field - a field of a structure
 * @attr: attribute that it comes in
 * @kind: what it is
 * @flags: FIELD_ flags
 * @at: where it is in the structure
 * @name: of the attribute, for errors
 * @json: in JSON
 * @words: of an enum or a mask
 * @of: what a list or a map has
 * @column: of a table of text; NULL: none
 * @unit: there
 */
struct field {
	u16 attr;
	u8 kind;
	u8 flags;
	u16 at;
	const char *name;
	const char *json;
	const struct words *words;
	const struct object *of;
	const char *column;
	enum param_unit unit;
};

/**
 * struct object - a structure
 * @fields: in the order of JSON
 * @n: entries of @fields
 * @size: of the structure
 * @blank: what it is before an attribute came
 */
struct object {
	const struct field *fields;
	size_t n;
	size_t size;
	const void *blank;
};

extern const struct object algo_object, dev_object, qp_object, answer_object;
extern const struct object param_object, counter_object, command_object, signal_object;

/*
 * Returns NULL, or the name of the attribute that is malformed or missing. Attributes that no
 * field has are skipped: the kernel may be newer. object_free() works after a failure too.
 */
const char *object_parse(const struct object *o, const struct nlmsghdr *nlh, void *obj);
void object_free(const struct object *o, void *obj);

#define OBJECT_FUNCTIONS(type)							\
static inline const char *type##_parse(const struct nlmsghdr *nlh, struct type *obj) \
{										\
	return object_parse(&type##_object, nlh, obj);				\
}										\
										\
static inline void type##_free(struct type *obj)				\
{										\
	object_free(&type##_object, obj);					\
}

OBJECT_FUNCTIONS(algo)
OBJECT_FUNCTIONS(dev)
OBJECT_FUNCTIONS(qp)
OBJECT_FUNCTIONS(answer)

const struct command *command_find(const struct algo *algo, const char *name);
const struct param *param_find(const struct params *ps, const char *name);

#endif
