/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds the tables roce_options[] and roce_prio_options[] from the rows in the file ROCE_ROWS,
 * whose fields are in ROCE_CONFIG.
 */
#include "roce_option.h"

#define ROCE_ROW(prefix, attr, ctype, field, how, key, wrong, ...)		\
	{ .name = (key), .type = prefix##attr, .form = (how),			\
	  .bytes = sizeof(ctype) +						\
		   BUILD_BUG_ON_ZERO(sizeof(ctype) != sizeof_field(ROCE_CONFIG, field)), \
	  .offset = offsetof(ROCE_CONFIG, field), .why = (wrong), __VA_ARGS__ },

static const struct roce_option roce_options[] = {
#define ROCE_OPTION(attr, ctype, field, how, key, arg, help, want, wrong, ...)	\
	ROCE_ROW(TCA_ROCE_, attr, ctype, field, how, key, wrong, __VA_ARGS__)
#include ROCE_ROWS
#undef ROCE_OPTION
	{ }
};

static const struct roce_option roce_prio_options[] = {
#define ROCE_PRIO_OPTION(attr, ctype, field, how, key, arg, help, want, wrong, ...) \
	ROCE_ROW(TCA_ROCE_PRIO_, attr, ctype, field, how, key, wrong, __VA_ARGS__)
#include ROCE_ROWS
#undef ROCE_PRIO_OPTION
	{ }
};
