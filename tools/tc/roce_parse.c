// SPDX-License-Identifier: GPL-2.0
/*
 * Keywords of "tc qdisc add|change ... roce" to netlink attributes. Whether
 * they agree with each other and with what is set already, the kernel says.
 */
#include <assert.h>
#include <string.h>

#include "q_roce.h"

#define MSG_MAX		8192	/* tc's request buffer is larger */
#define NR_TYPES	64	/* more than the port or a priority has */

static_assert(TCA_ROCE_MAX < NR_TYPES && TCA_ROCE_PRIO_MAX < NR_TYPES,
	      "NR_TYPES is too small");

static const char see_help[] = "; see \"tc qdisc add dev DEV root roce help\"";

/* What was given to the port or a priority, by attribute. */
struct values {
	bool any;
	bool given[NR_TYPES];
	uint64_t value[NR_TYPES];
};

struct opts {
	struct values port;
	struct values prio[TC_ROCE_PRIOS];
	bool dscp_given;
	uint8_t dscp[TC_ROCE_DSCPS];
};

/**
 * roce_default_dscp - the kernel's default map
 * @dscp: priority of each of 64
 */
void roce_default_dscp(uint8_t *dscp)
{
	memset(dscp, 0, TC_ROCE_DSCPS);
	dscp[26] = 3;
	dscp[27] = 3;
	dscp[48] = 6;
}

/* D:P or all:P */
static int parse_dscp(const char *text, struct opts *o)
{
	const char *colon = strchr(text, ':');
	uint64_t dscp, prio;
	char left[8] = "";

	if (!colon || colon == text || colon - text >= (int)sizeof(left)) {
		fprintf(stderr, "roce: dscp \"%s\": want DSCP:PRIORITY\n",
			text);
		return -1;
	}
	memcpy(left, text, colon - text);
	if (roce_parse_whole("dscp", colon + 1, "a priority of 0..7",
			     TC_ROCE_PRIOS - 1, &prio))
		return -1;

	if (!o->dscp_given)
		roce_default_dscp(o->dscp);
	o->dscp_given = true;
	if (!strcmp(left, "all")) {
		memset(o->dscp, prio, sizeof(o->dscp));
		return 0;
	}
	if (roce_parse_whole("dscp", left, "a DSCP of 0..63 or all",
			     TC_ROCE_DSCPS - 1, &dscp))
		return -1;
	o->dscp[dscp] = prio;
	return 0;
}

static const struct roce_option *find(const char *name, const struct roce_option *o)
{
	for (; o->name || o->title; o++) {
		if (o->type && !strcmp(o->name, name))
			return o;
	}
	return NULL;
}

static int parse_into(const struct roce_option *o, const char *text,
		      struct values *v)
{
	if (v->given[o->type]) {
		fprintf(stderr, "roce: %s: given twice\n", o->name);
		return -1;
	}
	v->given[o->type] = true;
	return roce_parse_value(o, text, &v->value[o->type]);
}

/* One keyword and its value; *prio is where those of a priority go. */
static int parse_pair(const char *name, const char *text, struct opts *o,
		      struct values **prio)
{
	const struct roce_option *of_prio = find(name, roce_prio_options);
	const struct roce_option *of_port = find(name, roce_options);
	uint64_t id;

	if (!strcmp(name, "prio")) {
		if (roce_parse_whole(name, text, "0..7", TC_ROCE_PRIOS - 1,
				     &id))
			return -1;
		*prio = &o->prio[id];
		if ((*prio)->any) {
			fprintf(stderr, "roce: prio %s: given twice\n", text);
			return -1;
		}
		(*prio)->any = true;
		return 0;
	}
	if (!strcmp(name, "dscp"))
		return parse_dscp(text, o);
	if (of_prio && *prio)
		return parse_into(of_prio, text, *prio);
	if (of_port)
		return parse_into(of_port, text, &o->port);
	fprintf(stderr, "roce: %s: %s%s\n", name, of_prio ?
		"belongs behind \"prio ID\"" : "unknown keyword", see_help);
	return -1;
}

static int parse_all(int argc, char **argv, struct opts *o)
{
	struct values *prio = NULL;

	for (; argc; argc -= 2, argv += 2) {
		if (!strcmp(argv[0], "help")) {
			roce_print_help();
			return -1;
		}
		if (argc == 1 || !*argv[1]) {
			fprintf(stderr, "roce: %s: value missing or unknown keyword%s\n",
				argv[0], see_help);
			return -1;
		}
		if (parse_pair(argv[0], argv[1], o, &prio))
			return -1;
	}
	return 0;
}

/* The attribute has the length that the kernel wants, in the machine's order
 * of bytes.
 */
static void put_values(struct nlmsghdr *n, const struct roce_option *o, const struct values *v)
{
	for (; o->name || o->title; o++) {
		uint64_t u64 = v->value[o->type];
		uint32_t u32 = u64;
		uint16_t u16 = u64;
		uint8_t u8 = u64;
		const void *data = o->bytes == 8 ? (const void *)&u64 :
				   o->bytes == 4 ? (const void *)&u32 :
				   o->bytes == 2 ? (const void *)&u16 :
				   (const void *)&u8;

		if (v->given[o->type])
			addattr_l(n, MSG_MAX, o->type, data, o->bytes);
	}
}

static void put_all(struct nlmsghdr *n, const struct opts *o)
{
	struct rtattr *nest, *prio;
	uint8_t id;

	nest = addattr_nest(n, MSG_MAX, TCA_OPTIONS | NLA_F_NESTED);
	put_values(n, roce_options, &o->port);
	if (o->dscp_given)
		addattr_l(n, MSG_MAX, TCA_ROCE_DSCP_MAP, o->dscp,
			  sizeof(o->dscp));
	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (!o->prio[id].any)
			continue;
		prio = addattr_nest(n, MSG_MAX, TCA_ROCE_PRIO | NLA_F_NESTED);
		addattr_l(n, MSG_MAX, TCA_ROCE_PRIO_ID, &id, sizeof(id));
		put_values(n, roce_prio_options, &o->prio[id]);
		addattr_nest_end(n, prio);
	}
	addattr_nest_end(n, nest);
}

/* tc's hook: parse the words behind "roce" into the request. */
int roce_parse_opt(struct qdisc_util *qu, int argc, char **argv,
		   struct nlmsghdr *n, const char *dev)
{
	struct opts o = {};

	(void)qu;
	(void)dev;
	if (parse_all(argc, argv, &o))
		return -1;
	put_all(n, &o);
	return 0;
}
