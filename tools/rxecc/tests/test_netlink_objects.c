// SPDX-License-Identifier: GPL-2.0
/* Parsers against messages the kernel should never send, and tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>
#include <linux/rxe_cc.h>

#include "../netlink_objects.h"
#include "../../lib/nearest_name.h"
#include "../set_parameters.h"
#include "../text_table.h"
#include "../../lib/tests/ktap.h"

static u32 buf[1024];

static struct nlmsghdr *start(void)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);

	mnl_nlmsg_put_extra_header(nlh, sizeof(struct genlmsghdr));
	return nlh;
}

static void expect_dev(const char *name, const char *want)
{
	struct dev dev;
	const char *bad = dev_parse((struct nlmsghdr *)buf, &dev);

	ktap(want ? bad && !strcmp(bad, want) : !bad, name, "got %s, wanted %s",
	     bad ? bad : "no error", want ? want : "no error");
	dev_free(&dev);
}

static void test_dev_bad(void)
{
	struct nlattr *nest;
	struct nlmsghdr *nlh;

	start();
	expect_dev("dev_parse__empty", "name");

	nlh = start();
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe0");
	expect_dev("dev_parse__name_only", NULL);

	nlh = start();
	mnl_attr_put(nlh, RXE_CC_A_DEV_NAME, 4, "rxe0");
	expect_dev("dev_parse__string_without_end", "name");

	nlh = start();
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe0");
	mnl_attr_put_u16(nlh, RXE_CC_A_DEV_PORT, 1);
	expect_dev("dev_parse__short_u32", "port");

	nlh = start();
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe0");
	nest = mnl_attr_nest_start(nlh, RXE_CC_A_DEV_PARAM);
	mnl_attr_put_u64(nlh, RXE_CC_A_PARAM_VALUE, 1);
	mnl_attr_nest_end(nlh, nest);
	expect_dev("dev_parse__param_without_name", "param");

	nlh = start();
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe0");
	nest = mnl_attr_nest_start(nlh, RXE_CC_A_DEV_KNOB);
	mnl_attr_put_strz(nlh, RXE_CC_A_PARAM_NAME, "burst");
	mnl_attr_put_u32(nlh, RXE_CC_A_PARAM_VALUE, 1);
	mnl_attr_nest_end(nlh, nest);
	expect_dev("dev_parse__knob_short_value", "knob");

	nlh = start();
	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe0");
	nest = mnl_attr_nest_start(nlh, RXE_CC_A_DEV_COUNTER);
	mnl_attr_nest_end(nlh, nest);
	expect_dev("dev_parse__empty_counter", "counter");
}

/* No byte string may make the parsers read beyond the message. */
static void test_garbage(void)
{
	unsigned int round, i, x = 1;
	struct nlmsghdr *nlh;
	struct algo algo;
	struct dev dev;
	struct qp qp;

	for (round = 0; round < 20000; round++) {
		/* on the heap, so that valgrind and ASan see overruns */
		size_t len = 20 + round % 180;
		char *p = malloc(len);

		for (i = 0; i < len; i++) {
			x = x * 1103515245 + 12345;
			p[i] = (char)(x >> 16);
			/* small lengths and types are more likely to parse */
			if (i >= 20 && i % 2)
				p[i] &= (x >> 28) ? 0 : -1;
			if (i >= 20 && i % 4 == 2)
				p[i] &= 15;
		}
		nlh = (struct nlmsghdr *)p;
		nlh->nlmsg_len = (unsigned int)len;
		algo_parse(nlh, &algo);
		algo_free(&algo);
		dev_parse(nlh, &dev);
		dev_free(&dev);
		qp_parse(nlh, &qp);
		qp_free(&qp);
		free(p);
	}
	ktap(true, "parse__garbage", "never");
}

static void test_growth(void)
{
	struct nlmsghdr *nlh = start();
	struct counters *cs;
	struct dev dev;
	bool good = true;
	char name[16];
	unsigned int i;

	mnl_attr_put_strz(nlh, RXE_CC_A_DEV_NAME, "rxe0");
	for (i = 0; i < 100; i++) {
		struct nlattr *nest = mnl_attr_nest_start(nlh,
							  RXE_CC_A_DEV_COUNTER);

		snprintf(name, sizeof(name), "c%u", i);
		mnl_attr_put_strz(nlh, RXE_CC_A_COUNTER_NAME, name);
		mnl_attr_put_u64(nlh, RXE_CC_A_COUNTER_VALUE, i);
		mnl_attr_nest_end(nlh, nest);
	}
	if (dev_parse(nlh, &dev)) {
		ktap(false, "dev_parse__many", "does not parse");
		return;
	}
	cs = &dev.counters;
	for (i = 0; i < cs->n; i++)
		good &= cs->v[i].value == i;
	ktap(cs->n == 100 && good, "dev_parse__many", "%zu of 100", cs->n);
	dev_free(&dev);
}

static void test_nearest(void)
{
	static const char * const names[] = {
		"rpg_ai_rate", "rpg_hai_rate", "dce_tcp_g", "clamp_tgt_rate",
	};
	static const struct {
		const char *word, *want;
	} cases[] = {
		{ "rpg_ai_rat", "rpg_ai_rate" },
		{ "rpg_hia_rate", "rpg_hai_rate" },
		{ "dce_tcp", "dce_tcp_g" },
		{ "hai_rate", "rpg_hai_rate" },
		{ "tgt_rate", "clamp_tgt_rate" },
		{ "kmin", "" },
		{ "x", "" },
	};
	char name[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *got = nearest(cases[i].word, names, 4);

		snprintf(name, sizeof(name), "nearest__%s", cases[i].word);
		if (!got)
			got = "";
		ktap(!strcmp(got, cases[i].want), name, "got %s", got);
	}
}

static void test_table(void)
{
	static const char want[] = "  a   long\n  bb\nbelow\n  c   x     y\n";
	struct table t = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	table_row(&t);
	table_cell(&t, "a");
	table_cell(&t, "long");
	table_row(&t);
	table_cell(&t, "bb");
	table_cell(&t, "%s", "");
	table_below(&t, strdup("below\n"));
	table_row(&t);
	table_cell(&t, "c");
	table_cell(&t, "x");
	table_cell(&t, "y");
	table_print(&t, f, 2);
	fclose(f);
	ktap(!strcmp(text, want), "table_print", "got:\n%s", text);
	free(text);
}

int main(void)
{
	test_dev_bad();
	test_garbage();
	test_growth();
	test_nearest();
	test_table();
	return ktap_end();
}
