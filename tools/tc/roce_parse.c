// SPDX-License-Identifier: GPL-2.0
/* Keywords of "tc qdisc add|change ... roce" to netlink attributes. */
#include <linux/pkt_sched_roce.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "q_roce.h"

#define MSG_MAX		8192	/* tc's request buffer is larger */
#define NOT_GIVEN	-1

static const char help_text[] =
"Usage: tc qdisc add|change dev DEV root roce [PORT] [prio ID PRIO]...\n"
"A NIC or switch port: line rate, priorities, ECN, propagation delay.\n"
"\n"
"PORT:\n"
"  rate RATE       line rate, 1mbit..800gbit (100gbit)\n"
"  overhead BYTES  on the line but not in the packet, -14..512 (24: preamble 8,\n"
"                  frame check sequence 4, gap 12)\n"
"  delay TIME      propagation delay up to 10s (0)\n"
"  limit SIZE      wire bytes that may wait, all priorities (32mb)\n"
"  seed NUMBER     of the random numbers of ECN marking (1)\n"
"  dscp D:P        packets with DSCP D have priority P; repeat it for more.\n"
"                  \"dscp all:P\" is every DSCP (26:3 27:3 48:6, others 0)\n"
"PRIO, of priority ID 0..7; 7 is served first:\n"
"  limit SIZE      wire bytes that may wait; 0 = only the port's limit (0)\n"
"  ecn WHEN        off, enqueue: by the queue that a packet meets, dequeue: by\n"
"                  the queue that it leaves behind (off)\n"
"  kmin SIZE       up to here no packet is marked (40kb)\n"
"  kmax SIZE       above here every packet is marked (160kb)\n"
"  pmax P          probability at kmax, 0..1 or 0%..100% (0.2)\n"
"\n"
"Units: rates bit kbit mbit gbit, sizes b kb mb gb (kb = 1024), times ns us ms s;\n"
"a plain number is bit/s, bytes, ns. What is left out keeps its value on change\n"
"and gets the default, in parentheses, on add. A change of dscp starts from the\n"
"default map.\n";

struct unit {
	const char *name;
	double scale;
};

static const struct unit rate_units[] = {
	{ "", 1 }, { "bit", 1 }, { "kbit", 1e3 }, { "mbit", 1e6 },
	{ "gbit", 1e9 }, { "tbit", 1e12 }, { "bps", 8 }, { "kbps", 8e3 },
	{ "mbps", 8e6 }, { "gbps", 8e9 }, { NULL, 0 }
};

static const struct unit size_units[] = {
	{ "", 1 }, { "b", 1 }, { "k", 1024 }, { "kb", 1024 },
	{ "m", 1 << 20 }, { "mb", 1 << 20 }, { "g", 1 << 30 },
	{ "gb", 1 << 30 }, { NULL, 0 }
};

static const struct unit time_units[] = {
	{ "", 1 }, { "ns", 1 }, { "nsec", 1 }, { "us", 1e3 }, { "usec", 1e3 },
	{ "ms", 1e6 }, { "msec", 1e6 }, { "s", 1e9 }, { "sec", 1e9 },
	{ NULL, 0 }
};

static const struct unit pmax_units[] = {
	{ "", 1e6 }, { "%", 1e4 }, { NULL, 0 }
};

static const char see_help[] = "; see \"tc qdisc add dev DEV root roce help\"";

/* One option block: the port, or a priority. */
struct prio_opts {
	bool given;
	int64_t limit, ecn, kmin, kmax, pmax;
};

struct opts {
	int64_t rate, overhead, delay, limit;
	uint64_t seed;
	bool seed_given, dscp_given;
	uint8_t dscp[TC_ROCE_DSCPS];
	struct prio_opts prio[TC_ROCE_PRIOS];
};

static int bad(const char *keyword, const char *value, const char *why)
{
	fprintf(stderr, "roce: %s \"%s\": %s\n", keyword, value, why);
	return -1;
}

/* NUMBER[UNIT] in [min, max] base units, rounded to a whole one. */
static int parse_quantity(const char *keyword, const char *value,
			  const struct unit *units, double min, double max,
			  int64_t *out)
{
	const struct unit *u;
	double number;
	char *end;

	number = strtod(value, &end);
	if (end == value || !isfinite(number) || strpbrk(value, "xX"))
		return bad(keyword, value, "not a number");
	for (u = units; u->name; u++) {
		if (!strcasecmp(end, u->name))
			break;
	}
	if (!u->name)
		return bad(keyword, value, "unknown unit");
	number = rint(number * u->scale);
	if (number < min || number > max)
		return bad(keyword, value, "out of range");
	*out = (int64_t)number;
	return 0;
}

static int parse_seed(const char *value, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(value, &end, 0);
	if (end == value || *end || errno || strchr(value, '-'))
		return bad("seed", value, "not a number of 64 bits");
	return 0;
}

static int parse_small(const char *keyword, const char *value, int min, int max,
		       int64_t *out)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(value, &end, 10);
	if (end == value || *end)
		return bad(keyword, value, "not a number");
	if (errno || number < min || number > max)
		return bad(keyword, value, "out of range");
	*out = number;
	return 0;
}

static void default_dscp(uint8_t *dscp)
{
	memset(dscp, 0, TC_ROCE_DSCPS);
	dscp[26] = 3;
	dscp[27] = 3;
	dscp[48] = 6;
}

/* D:P or all:P */
static int parse_dscp(const char *value, struct opts *o)
{
	const char *colon = strchr(value, ':');
	int64_t dscp, prio;
	char left[8] = "";

	if (!colon || colon == value || colon - value >= (int)sizeof(left))
		return bad("dscp", value, "want DSCP:PRIORITY");
	memcpy(left, value, colon - value);
	if (parse_small("dscp", colon + 1, 0, TC_ROCE_PRIOS - 1, &prio))
		return -1;

	if (!o->dscp_given)
		default_dscp(o->dscp);
	o->dscp_given = true;
	if (!strcmp(left, "all")) {
		memset(o->dscp, prio, sizeof(o->dscp));
		return 0;
	}
	if (parse_small("dscp", left, 0, TC_ROCE_DSCPS - 1, &dscp))
		return -1;
	o->dscp[dscp] = prio;
	return 0;
}

static int parse_ecn(const char *value, int64_t *out)
{
	static const char * const names[] = {
		[TC_ROCE_ECN_OFF] = "off",
		[TC_ROCE_ECN_ENQUEUE] = "enqueue",
		[TC_ROCE_ECN_DEQUEUE] = "dequeue",
	};

	for (*out = 0; *out < __TC_ROCE_ECN_MAX; (*out)++) {
		if (!strcmp(value, names[*out]))
			return 0;
	}
	return bad("ecn", value, "want off, enqueue or dequeue");
}

/* Keyword of a priority: 0 done, 1 not one of them, -1 error. */
static int parse_prio_keyword(const char *kw, const char *value,
			      struct prio_opts *p)
{
	if (!strcmp(kw, "limit"))
		return parse_quantity(kw, value, size_units, 0, UINT_MAX,
				      &p->limit);
	if (!strcmp(kw, "ecn"))
		return parse_ecn(value, &p->ecn);
	if (!strcmp(kw, "kmin"))
		return parse_quantity(kw, value, size_units, 0, UINT_MAX,
				      &p->kmin);
	if (!strcmp(kw, "kmax"))
		return parse_quantity(kw, value, size_units, 0, UINT_MAX,
				      &p->kmax);
	if (!strcmp(kw, "pmax"))
		return parse_quantity(kw, value, pmax_units, 0, 1e6, &p->pmax);
	return 1;
}

static bool is_prio_keyword(const char *kw)
{
	return !strcmp(kw, "ecn") || !strcmp(kw, "kmin") ||
	       !strcmp(kw, "kmax") || !strcmp(kw, "pmax");
}

/* Keyword of the port: as above. */
static int parse_port_keyword(const char *kw, const char *value,
			      struct opts *o)
{
	if (!strcmp(kw, "rate"))
		return parse_quantity(kw, value, rate_units,
				      TC_ROCE_RATE_MIN_BPS,
				      TC_ROCE_RATE_MAX_BPS, &o->rate);
	if (!strcmp(kw, "overhead"))
		return parse_small(kw, value, TC_ROCE_OVERHEAD_MIN,
				   TC_ROCE_OVERHEAD_MAX, &o->overhead);
	if (!strcmp(kw, "delay"))
		return parse_quantity(kw, value, time_units, 0,
				      TC_ROCE_DELAY_MAX_NS, &o->delay);
	if (!strcmp(kw, "limit"))
		return parse_quantity(kw, value, size_units, 1, UINT_MAX,
				      &o->limit);
	if (!strcmp(kw, "dscp"))
		return parse_dscp(value, o);
	if (!strcmp(kw, "seed")) {
		o->seed_given = true;
		return parse_seed(value, &o->seed);
	}
	return 1;
}

static int parse_all(int argc, char **argv, struct opts *o)
{
	struct prio_opts *prio = NULL;
	int64_t id;
	int ret;

	for (; argc; argc -= 2, argv += 2) {
		const char *kw = argv[0];

		if (!strcmp(kw, "help")) {
			fputs(help_text, stderr);
			return -1;
		}
		if (argc == 1 || !*argv[1]) {
			fprintf(stderr, "roce: %s: value missing or unknown keyword%s\n",
				kw, see_help);
			return -1;
		}
		if (!strcmp(kw, "prio")) {
			if (parse_small(kw, argv[1], 0, TC_ROCE_PRIOS - 1, &id))
				return -1;
			prio = &o->prio[id];
			if (prio->given)
				return bad(kw, argv[1], "given twice");
			prio->given = true;
			continue;
		}
		ret = prio ? parse_prio_keyword(kw, argv[1], prio) : 1;
		if (ret == 1)
			ret = parse_port_keyword(kw, argv[1], o);
		if (ret == 1) {
			fprintf(stderr, "roce: %s: %s%s\n", kw,
				is_prio_keyword(kw) ?
				"belongs behind \"prio ID\"" :
				"unknown keyword", see_help);
		}
		if (ret)
			return -1;
	}
	return 0;
}

static int check_prio(int id, const struct prio_opts *p)
{
	if (p->kmin != NOT_GIVEN && p->kmax != NOT_GIVEN && p->kmin > p->kmax) {
		fprintf(stderr, "roce: prio %d: kmin is above kmax\n", id);
		return -1;
	}
	return 0;
}

static void put_u32(struct nlmsghdr *n, int type, int64_t value)
{
	uint32_t v = value;

	if (value != NOT_GIVEN)
		addattr_l(n, MSG_MAX, type, &v, sizeof(v));
}

static void put_u64(struct nlmsghdr *n, int type, uint64_t value)
{
	addattr_l(n, MSG_MAX, type, &value, sizeof(value));
}

static void put_prio(struct nlmsghdr *n, uint8_t id, const struct prio_opts *p)
{
	struct rtattr *nest;
	uint8_t ecn = p->ecn;

	nest = addattr_nest(n, MSG_MAX, TCA_ROCE_PRIO | NLA_F_NESTED);
	addattr_l(n, MSG_MAX, TCA_ROCE_PRIO_ID, &id, sizeof(id));
	put_u32(n, TCA_ROCE_PRIO_LIMIT, p->limit);
	if (p->ecn != NOT_GIVEN)
		addattr_l(n, MSG_MAX, TCA_ROCE_PRIO_ECN, &ecn, sizeof(ecn));
	put_u32(n, TCA_ROCE_PRIO_ECN_KMIN, p->kmin);
	put_u32(n, TCA_ROCE_PRIO_ECN_KMAX, p->kmax);
	put_u32(n, TCA_ROCE_PRIO_ECN_PMAX, p->pmax);
	addattr_nest_end(n, nest);
}

static void put_all(struct nlmsghdr *n, const struct opts *o)
{
	struct rtattr *nest;
	int i;

	nest = addattr_nest(n, MSG_MAX, TCA_OPTIONS | NLA_F_NESTED);
	if (o->rate != NOT_GIVEN)
		put_u64(n, TCA_ROCE_RATE, o->rate);
	if (o->overhead != INT_MIN) {
		int32_t overhead = o->overhead;

		addattr_l(n, MSG_MAX, TCA_ROCE_OVERHEAD, &overhead,
			  sizeof(overhead));
	}
	if (o->delay != NOT_GIVEN)
		put_u64(n, TCA_ROCE_DELAY, o->delay);
	put_u32(n, TCA_ROCE_LIMIT, o->limit);
	if (o->seed_given)
		put_u64(n, TCA_ROCE_SEED, o->seed);
	if (o->dscp_given)
		addattr_l(n, MSG_MAX, TCA_ROCE_DSCP_MAP, o->dscp,
			  sizeof(o->dscp));
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (o->prio[i].given)
			put_prio(n, i, &o->prio[i]);
	}
	addattr_nest_end(n, nest);
}

/* tc's hook: parse the words behind "roce" into the request. */
int roce_parse_opt(struct qdisc_util *qu, int argc, char **argv,
		   struct nlmsghdr *n, const char *dev)
{
	struct opts o = {
		.rate = NOT_GIVEN, .overhead = INT_MIN, .delay = NOT_GIVEN,
		.limit = NOT_GIVEN,
	};
	int i;

	(void)qu;
	(void)dev;
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		struct prio_opts *p = &o.prio[i];

		p->limit = NOT_GIVEN;
		p->ecn = NOT_GIVEN;
		p->kmin = NOT_GIVEN;
		p->kmax = NOT_GIVEN;
		p->pmax = NOT_GIVEN;
	}
	if (parse_all(argc, argv, &o))
		return -1;
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (check_prio(i, &o.prio[i]))
			return -1;
	}
	put_all(n, &o);
	return 0;
}
