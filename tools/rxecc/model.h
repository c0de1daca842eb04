/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel tells, as structures. Strings point into the message. */
#ifndef RXECC_MODEL_H
#define RXECC_MODEL_H

#include <libmnl/libmnl.h>

#include "compat.h"

enum {
	PARAM_HAS_VALUE = 1 << 0,
	PARAM_HAS_MIN = 1 << 1,
	PARAM_HAS_MAX = 1 << 2,
	PARAM_HAS_DEFAULT = 1 << 3,
};

struct param {
	const char *name;
	const char *unit;	/* never NULL, may be "" */
	const char *help;	/* never NULL, may be "" */
	u64 value;
	u64 min;
	u64 max;
	u64 def;
	unsigned int has;	/* PARAM_HAS_ flags */
};

struct params {
	struct param *v;
	size_t n;
};

struct counter {
	const char *name;
	u64 value;
};

struct counters {
	struct counter *v;
	size_t n;
};

/* What a request must name for a command, and its arguments. */
struct command {
	const char *name;
	const char *help;	/* never NULL, may be "" */
	u32 scope;		/* enum rxe_cc_command_scope */
	struct params args;	/* one without a default must be given */
};

struct algo {
	const char *name;
	u32 needs;		/* RXE_CC_ALGO_NEED_ flags */
	u32 users;
	u32 tells;
	struct params params;
	const char **presets;
	size_t npresets;
	struct command *commands;
	size_t ncommands;
	const struct nlattr **signals;	/* nests, as long as the message is there */
	size_t nsignals;
};

/* What an algorithm answers to a command. */
struct answer {
	const char *algo;
	const char *command;
	struct counters results;
};

struct dev {
	const char *name;
	const char *algo;
	u32 port;
	u32 ifindex;
	u32 qps;
	u64 line_rate_bps;
	bool has_ifindex, has_qps, has_line_rate;
	struct params params;
	struct params knobs;
	struct counters counters;
	struct counters rx;	/* none when nobody counts */
};

struct qp {
	const char *dev;
	const char *algo;
	u32 port;
	u32 qpn;
	u32 dest_qpn;
	u32 type;		/* enum rxe_cc_qp_type */
	bool override;
	bool has_dest_qpn, has_type;
	bool has_rate, has_cwnd, has_inflight, has_rtt, has_min_rtt;
	bool has_telemetry, has_peer_caps, has_cap;
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

/*
 * The parsers return NULL, or the name of the attribute that is malformed or
 * missing. Attributes they do not know are skipped: the kernel may be newer.
 * The _free functions work after a failure too.
 */
const char *algo_parse(const struct nlmsghdr *nlh, struct algo *algo);
const char *dev_parse(const struct nlmsghdr *nlh, struct dev *dev);
const char *qp_parse(const struct nlmsghdr *nlh, struct qp *qp);
const char *answer_parse(const struct nlmsghdr *nlh, struct answer *answer);

void algo_free(struct algo *algo);
void dev_free(struct dev *dev);
void qp_free(struct qp *qp);
void answer_free(struct answer *answer);

const struct command *command_find(const struct algo *algo, const char *name);
const struct param *param_find(const struct params *ps, const char *name);

/* Name of a bit of enum rxe_cc_algo_need, NULL when unknown. */
const char *algo_need_name(u32 bit);

/* Name of an enum rxe_cc_command_scope, "?" when unknown. */
const char *command_scope_name(u32 scope);

/* Name of an enum rxe_cc_qp_type, "?" when unknown. */
const char *qp_type_name(u32 type);
const char *qp_telemetry_name(u32 telemetry);

#endif
