// SPDX-License-Identifier: GPL-2.0
/* Expressions of scenario files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "lab.h"

static int var(void *ctx, const char *name, double *val)
{
	(void)ctx;
	if (strcmp(name, "n") == 0)
		*val = 7;
	else if (strcmp(name, "rate_2") == 0)
		*val = 40e9;
	else if (strlen(name) == 63 && strcmp(name + 60, "123") == 0)
		*val = 63;
	else
		return -1;
	return 0;
}

/* NAN: refused, with @why in the message. */
static const struct {
	const char *text;
	double val;
	const char *why;
} exprs[] = {
	{ .text = "5", .val = 5 },
	{ .text = " 5 ", .val = 5 },
	{ .text = "-5", .val = -5 },
	{ .text = "--5", .val = 5 },
	{ .text = "2+3*4", .val = 14 },
	{ .text = "(2+3)*4", .val = 20 },
	{ .text = "10-4-3", .val = 3 },
	{ .text = "48/4/3", .val = 4 },
	{ .text = "10-2*3+1", .val = 5 },
	{ .text = "17%5", .val = 2 },
	{ .text = "2*7%4", .val = 2 },
	{ .text = "-7%4", .val = -3 },
	{ .text = "n", .val = 7 },
	{ .text = "n*n-1", .val = 48 },
	{ .text = "rate_2/8*4ms/1s", .val = 20e6 },
	{ .text = "1.5us", .val = 1500 },
	{ .text = "0.1us*10", .val = 1000 },
	{ .text = "8mb/64kb", .val = 128 },
	{ .text = "1e3", .val = 1000 },
	{ .text = "min(3,8)", .val = 3 },
	{ .text = "min(8,3)", .val = 3 },
	{ .text = "max(3,8)", .val = 8 },
	{ .text = "max(8,3)", .val = 8 },
	{ .text = "min(4096,max(16,floor(8mb/300kb)))", .val = 27 },
	{ .text = "floor(2.9)", .val = 2 },
	{ .text = "floor(-2.1)", .val = -3 },
	{ .text = "floor(10*cbrt(2))", .val = 12 },
	{ .text = "3<4", .val = 1 },
	{ .text = "4<3", .val = 0 },
	{ .text = "3<3", .val = 0 },
	{ .text = "3>4", .val = 0 },
	{ .text = "4>3", .val = 1 },
	{ .text = "3>3", .val = 0 },
	{ .text = "3=3", .val = 1 },
	{ .text = "3=4", .val = 0 },
	{ .text = "(n>5)*100+1", .val = 101 },
	{ .text = "1+2<4", .val = 1 },
	{ .text = "", .val = NAN, .why = "value expected" },
	{ .text = "2+", .val = NAN, .why = "value expected" },
	{ .text = "2 3", .val = NAN, .why = "end expected" },
	{ .text = "(2", .val = NAN, .why = "\")\" expected" },
	{ .text = "m", .val = NAN, .why = "unknown name at \"m\"" },
	{ .text = "5furlongs", .val = NAN, .why = "unknown unit at \"furlongs\"" },
	{ .text = "1/0", .val = NAN, .why = "division by 0" },
	{ .text = "1%0", .val = NAN, .why = "division by 0" },
	{ .text = "min(1)", .val = NAN, .why = "unknown function" },
	{ .text = "floor(1,2)", .val = NAN, .why = "unknown function" },
	{ .text = "min(1,2", .val = NAN, .why = "\")\" expected" },
	{ .text = "sqrt(4)", .val = NAN, .why = "unknown function" },
	{ .text = "0x10", .val = NAN, .why = "number expected" },
	/* 63 characters are a name, the 64th is not. */
	{ .text = "a23456789012345678901234567890123456789012345678901234567890123+1", .val = 64 },
	{ .text = "a234567890123456789012345678901234567890123456789012345678901234+1", .val = NAN,
	  .why = "end expected" },
	{ .text = "1+m  (2)", .val = NAN, .why = "unknown function" },
	{ .text = "1+m  +2", .val = NAN, .why = "unknown name at \"m  +2\"" },
};

static void test_eval(void)
{
	char name[80], *err;
	double val;
	size_t i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(exprs); i++) {
		err = NULL;
		val = 0;
		rc = expr_eval(exprs[i].text, var, NULL, &val, &err);
		snprintf(name, sizeof(name), "expr_eval__'%s'", exprs[i].text);
		if (isnan(exprs[i].val))
			ktap(rc && err && strstr(err, exprs[i].why), name, "%s", err ? err : "none");
		else
			ktap(!rc && val == exprs[i].val, name, "got %g, wanted %g", val,
			     exprs[i].val);
		free(err);
	}
}

static void test_expand(void)
{
	static const struct {
		const char *text, *want;
	} names[] = {
		{ "h0", "h0" }, { "h{n}", "h7" }, { "h{n+1}-{n*2}x", "h8-14x" }, { "{n/2}", "3" },
		{ "{n", "{n" }, { "{zz}", NULL },
	};
	char name[80], *err, *got;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		err = NULL;
		got = expr_expand(names[i].text, var, NULL, &err);
		snprintf(name, sizeof(name), "expr_expand__'%s'", names[i].text);
		ktap(names[i].want ? got && !strcmp(got, names[i].want) : !got && err, name,
		     "got %s", got ? got : err);
		free(got);
		free(err);
	}
}

/* Two hundred parentheses or signs within each other are enough. */
static void test_depth(void)
{
	char text[2 * 201 + 2], *err;
	double val;
	int n, rc;

	for (n = 199; n <= 200; n++) {
		err = NULL;
		memset(text, '(', n);
		memset(text + n, ')', sizeof(text) - n);
		text[n] = '7';
		text[2 * n + 1] = '\0';
		rc = expr_eval(text, var, NULL, &val, &err);
		ktap(n == 199 ? !rc && val == 7 : rc && strstr(err, "nested too deeply"),
		     n == 199 ? "expr_eval__nested_199" : "expr_eval__nested_200", "%s",
		     err ? err : "no error");
		free(err);
	}
}

int main(void)
{
	test_eval();
	test_expand();
	test_depth();
	return ktap_end();
}
