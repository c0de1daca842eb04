// SPDX-License-Identifier: GPL-2.0
/*
 * Options of a port: text for people, JSON for programs.
 * JSON has base units only (bit/s, bytes, ns, ppm), with the unit in the name.
 */
#include <string.h>

#include "q_roce.h"

/**
 * roce_parse_attrs - attributes by type; unknown ones are left out
 * @tb: @max + 1 pointers
 * @max: highest type
 * @nest: attribute that holds them
 */
void roce_parse_attrs(struct rtattr **tb, int max, struct rtattr *nest)
{
	struct rtattr *a = RTA_DATA(nest);
	int len = RTA_PAYLOAD(nest);

	memset(tb, 0, sizeof(*tb) * (max + 1));
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		int type = a->rta_type & NLA_TYPE_MASK;

		if (type <= max)
			tb[type] = a;
	}
}

/**
 * roce_attr_uint - a number of any length
 * @a: attribute; one that is missing, or of a length not known, is 0
 *
 * Return: the number.
 */
uint64_t roce_attr_uint(const struct rtattr *a)
{
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	if (!a)
		return 0;
	switch (RTA_PAYLOAD(a)) {
	case 1:
		return *(const uint8_t *)RTA_DATA(a);
	case 2:
		memcpy(&u16, RTA_DATA(a), sizeof(u16));
		return u16;
	case 4:
		memcpy(&u32, RTA_DATA(a), sizeof(u32));
		return u32;
	case 8:
		memcpy(&u64, RTA_DATA(a), sizeof(u64));
		return u64;
	default:
		return 0;
	}
}

/**
 * roce_print_prios - the array of priorities
 * @nest: attribute that holds one attribute a priority
 * @type: type of these
 * @print: prints one
 */
void roce_print_prios(struct rtattr *nest, int type,
		      void (*print)(struct rtattr *prio))
{
	struct rtattr *a = RTA_DATA(nest);
	int len = RTA_PAYLOAD(nest);

	open_json_array(PRINT_JSON, "prios");
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if ((a->rta_type & NLA_TYPE_MASK) == type)
			print(a);
	}
	close_json_array(PRINT_JSON, NULL);
}

/* As text only what differs from priority 0, and from the defaults, so that
 * the words make the same map again.
 */
static void print_dscp(const struct rtattr *a)
{
	uint8_t unset[TC_ROCE_DSCPS];
	const uint8_t *map;
	bool uniform = true;
	int i;

	if (!a || RTA_PAYLOAD(a) != TC_ROCE_DSCPS)
		return;
	map = RTA_DATA(a);
	roce_default_dscp(unset);
	for (i = 1; i < TC_ROCE_DSCPS; i++)
		uniform &= map[i] == map[0];
	if (uniform)
		print_color_uint(PRINT_FP, COLOR_NONE, NULL, "dscp all:%u ",
				 map[0]);

	open_json_array(PRINT_JSON, "dscp_prio");
	for (i = 0; i < TC_ROCE_DSCPS; i++) {
		print_color_uint(PRINT_JSON, COLOR_NONE, NULL, NULL, map[i]);
		if (!uniform && !is_json_context() && (map[i] || unset[i]))
			printf("dscp %d:%u ", i, map[i]);
	}
	close_json_array(PRINT_JSON, NULL);
}

static void print_json(const struct roce_option *o, const char *text, uint64_t value)
{
	char name[64];

	roce_json_name(o, name, sizeof(name));
	if (o->form == ROCE_NAMED || o->flags & ROCE_STRING)
		print_color_string(PRINT_JSON, COLOR_NONE, name, NULL, text);
	else if (o->form == ROCE_ONOFF)
		print_color_bool(PRINT_JSON, COLOR_NONE, name, NULL, value);
	else if (o->flags & ROCE_NULL && value == o->value)
		print_color_null(PRINT_JSON, COLOR_NONE, name, NULL, NULL);
	else if (o->form == ROCE_SIGNED)
		print_color_int(PRINT_JSON, COLOR_NONE, name, NULL, (int32_t)value);
	else
		print_color_u64(PRINT_JSON, COLOR_NONE, name, NULL, value);
}

/* Is a value worth a word in text? Not the defaults of options that few use. */
static bool is_shown(const struct roce_option *o, uint64_t value)
{
	return !(o->flags & (ROCE_QUIET | ROCE_SPARSE)) || value != o->value;
}

/* "KEYWORD VALUE ", so that tc takes it back, or JSON, which has everything. */
static void print_value(const struct roce_option *o, uint64_t value)
{
	char text[64], out[128];

	roce_text(o, value, text, sizeof(text));
	print_json(o, text, value);
	if (!is_shown(o, value))
		return;
	snprintf(out, sizeof(out), "%s %s ", o->name, text);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", out);
}

/* An option that the kernel does not tell has its default, or is not there. A line after the
 * first begins with the first option that it shows.
 */
static void print_options(const struct roce_option *o, struct rtattr **tb,
			  const struct rtattr *dscp)
{
	bool lines = o == roce_options, begun = true;

	for (; o->name || o->title; o++) {
		uint64_t value;

		if (o->title && o != roce_options && lines)
			begun = false;
		if (!o->type) {
			if (o->name)
				print_dscp(dscp);
			continue;
		}
		if (!tb[o->type] && !(o->flags & ROCE_SPARSE))
			continue;
		value = tb[o->type] ? roce_attr_uint(tb[o->type]) : o->value;
		if (!begun && !is_json_context() && is_shown(o, value)) {
			print_nl();
			print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s",
					   " ");
			begun = true;
		}
		print_value(o, value);
	}
}

static void print_prio(struct rtattr *nest)
{
	struct rtattr *tb[TCA_ROCE_PRIO_MAX + 1];

	roce_parse_attrs(tb, TCA_ROCE_PRIO_MAX, nest);
	open_json_object(NULL);
	print_nl();
	print_color_uint(PRINT_ANY, COLOR_NONE, "prio", " prio %u ",
			 roce_attr_uint(tb[TCA_ROCE_PRIO_ID]));
	print_options(roce_prio_options, tb, NULL);
	close_json_object();
}

/* tc's hook: the options, in words that tc takes back. */
int roce_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	struct rtattr *tb[TCA_ROCE_MAX + 1];

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	roce_parse_attrs(tb, TCA_ROCE_MAX, opt);
	print_options(roce_options, tb, tb[TCA_ROCE_DSCP_MAP]);
	roce_print_prios(opt, TCA_ROCE_PRIO, print_prio);
	return 0;
}
