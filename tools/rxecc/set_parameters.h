/* SPDX-License-Identifier: GPL-2.0 */
/* What "dev set" and "param set" are asked to change. */
#ifndef RXECC_SET_PARAMETERS_H
#define RXECC_SET_PARAMETERS_H

#include "rxecc.h"

enum setting_kind {
	SETTING_PARAM,
	SETTING_KNOB,
	SETTING_ANY,	/* a parameter, or else a knob */
	SETTING_ARG,	/* an argument of a command */
};

struct setting {
	const struct param *param;	/* the kernel's table */
	const char *key;
	const char *text;
	u64 val;
	enum setting_kind kind;
};

struct change {
	const char *algo;
	const char *preset;
	struct setting *v;
	size_t n;
	size_t room;
};

/* Adds "K=V"; modifies @word. RX_OK, or RX_USAGE after telling why. */
int change_add(struct rxecc *rx, struct change *c, enum setting_kind kind,
	       char *word);

/* Appends it to a request; false: no room. */
bool setting_put(struct nlmsghdr *req, const struct setting *s);

/* The kernel gives the range in base units: say it in the user's. */
void change_explain_range(const struct change *c, struct nl_err *err);

/* Reads every value by the kernel's tables, then sends one request. */
int change_apply(struct rxecc *rx, const struct devref *ref, struct change *c);

#endif
