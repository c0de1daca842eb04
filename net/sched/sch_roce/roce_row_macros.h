/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How each option and each figure (statistic) of a port is written as one row (X-macro), which
 * the kernel, the plug-in of tc, the lab and the reference page read. Those of the port itself
 * are at the end of <linux/pkt_sched_roce.h>, those of a feature in
 * features/NAME/roce_NAME_rows.h. Who wants rows defines what they become, and includes these
 * files:
 *
 * ROCE_OPTION(attr, type, field, form, name, arg, help, want, why, ...)
 *	an option of the port: TCA_ROCE_@attr, its type, its field in the configuration, how its
 *	value is written (enum roce_form), keyword and argument of tc, what it does, with the
 *	default; what the value may be, in tc's words; what is wrong with another one (up to 70
 *	characters: extack has no room for more); and what else struct roce_option has
 * ROCE_PRIO_OPTION(...)
 *	the same of a priority, TCA_ROCE_PRIO_@attr; an array of priorities is at [0]
 * ROCE_OTHER(attr, name, arg, help, want)
 *	an option of the port that is no number
 * ROCE_TITLE(title)
 *	what follows begins a line; of options that is a headline of tc's help
 * ROCE_FIGURE(attr, kind, key, label, unit, flags, help)
 *	a statistic of the port: TCA_ROCE_XSTATS_@attr; COUNTED, in a field of that name and nowhere
 *	else, or FOUND when it is asked for; key in JSON; name in tc's text, or NULL for not there;
 *	unit there; ROCE_ALWAYS, ROCE_TEXT or 0; what it is
 * ROCE_PRIO_FIGURE(...)
 *	the same of a priority, TCA_ROCE_PSTATS_@attr
 * ROCE_DROP(attr, name, help)
 *	why a packet of a priority was lost, TCA_ROCE_PSTATS_DROP_@attr
 * ROCE_SWITCH_FIGURE(attr, key, label, unit, flags, help)
 *	a statistic of a switch, TCA_ROCE_SSTATS_@attr
 *
 * Features have the figure's value, in terms of their file, instead of @kind.
 */
#ifndef _ROCE_ROW_MACROS_H
#define _ROCE_ROW_MACROS_H

#include <linux/pkt_sched_roce.h>

/**
 * enum roce_form - how a value that has no name is written
 * @ROCE_NAMED: it always has one
 * @ROCE_ONOFF: on and off
 * @ROCE_NUMBER: whole number, decimal or 0x
 * @ROCE_SIGNED: the same with a sign
 * @ROCE_HEX: the same, printed with 0x
 * @ROCE_IPV4: 192.0.2.1, a number in JSON too
 * @ROCE_RATE: bit/s, with a unit, as the following
 * @ROCE_SIZE: bytes
 * @ROCE_TIME: ns
 * @ROCE_PPM: 0.2 or 20%, in ppm
 * @ROCE_ALPHA: 1/8 or 0.125, in 1/65536
 * @ROCE_PPB: 0.001 or 0.1%, in ppb
 */
enum roce_form {
	ROCE_NAMED,
	ROCE_ONOFF,
	ROCE_NUMBER,
	ROCE_SIGNED,
	ROCE_HEX,
	ROCE_IPV4,
	ROCE_RATE,
	ROCE_SIZE,
	ROCE_TIME,
	ROCE_PPM,
	ROCE_ALPHA,
	ROCE_PPB,
};

/**
 * struct roce_word - a value that has a name
 * @name: NULL ends a table
 * @value: the value
 */
struct roce_word {
	const char *name;
	__u64 value;
};

#define ROCE_WORDS(...)	((const struct roce_word[]){ __VA_ARGS__, { } })
#define ROCE_AUTO	ROCE_WORDS({ "auto", 0 })
#define ROCE_NONE	ROCE_WORDS({ "none", 0 })
#define ROCE_OFF	ROCE_WORDS({ "off", 0 }, { "0", 0 })

#define ROCE_QUIET	0x01 /* text shows it only when it has not its default */
/* So does a netlink dump: what is said of a port has to fit into less than 4 KiB. */
#define ROCE_SPARSE	0x02
#define ROCE_NULL	0x04 /* the default is null in JSON: the kernel finds it */
#define ROCE_STRING	0x08 /* a string in JSON, whatever its form */
#define ROCE_OF_BUFFER	0x10 /* without a switch only its default, it is of the buffer */
#define ROCE_OF_SWITCH	0x20 /* without a switch only its default */

#define ROCE_ALWAYS	0x01 /* in text also when it is 0 */
#define ROCE_TEXT	0x02 /* only in text, which has it a second time */

/**
 * struct roce_option - an option that is a number
 * @name: keyword; NULL ends a table of the kernel
 * @type: attribute, TCA_ROCE_* or TCA_ROCE_PRIO_*; 0 = none: no option of its own
 * @bytes: length of attribute and field: 1, 2, 4 or 8
 * @form: enum roce_form
 * @flags: ROCE_QUIET and others
 * @offset: of the field in the configuration
 * @min: lowest value without a name
 * @max: highest value without a name; 0 = what fits
 * @value: default
 * @words: names of values, or NULL
 * @unit: behind the key in JSON; NULL = that of @form
 * @why: what is wrong with a value that has neither a name nor is in range
 * @title: of a line that begins here; nothing else is set
 * @arg: what stands for the value in help
 * @help: what the option does
 * @want: what the value may be
 */
struct roce_option {
	const char *name;
	__u16 type;
	__u8 bytes;
	__u8 form;
	__u16 flags;
	__u16 offset;
	__s64 min;
	__u64 max;
	__u64 value;
	const struct roce_word *words;
	const char *unit;
#ifdef __KERNEL__
	const char *why;
#else
	const char *title;
	const char *arg;
	const char *help;
	const char *want;
#endif
};

#endif /* _ROCE_ROW_MACROS_H */
