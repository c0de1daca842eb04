// SPDX-License-Identifier: GPL-2.0
/*
 * Expressions in scenario files: numbers with units, names of keys and loop
 * variables, + - * / %, comparisons, min(), max(), floor(), cbrt() (the cube root),
 * parentheses.
 *
 *	comparison := sum [(< | > | =) sum]
 *	sum        := product {(+ | -) product}
 *	product    := factor {(* | / | %) factor}
 *	factor     := number | name | name(sum, ...) | -factor | (comparison)
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

struct parser {
	const char *text, *pos;
	expr_var_fn var;
	void *ctx;
	char **err;
	int depth;
	bool bad;
};

/* Parentheses and signs within each other: a limit that no stack is too small for. */
#define DEPTH_MAX	200

static double comparison(struct parser *p);
static double factor(struct parser *p);

static double bad(struct parser *p, const char *why)
{
	if (!p->bad)
		*p->err = xasprintf("\"%s\": %s at \"%s\"", p->text, why, p->pos);
	p->bad = true;
	return 0;
}

static bool next_is(struct parser *p, char c)
{
	while (isspace((unsigned char)*p->pos))
		p->pos++;
	if (*p->pos != c)
		return false;
	p->pos++;
	return true;
}

static double number(struct parser *p)
{
	const struct unit_suffix *unit;
	const char *end;
	struct number n;
	size_t len = 0;

	if (number_read(p->pos, &end, &n))
		return bad(p, "number expected");
	p->pos = end;
	while (isalpha((unsigned char)end[len]))
		len++;
	unit = unit_find_any(end, len);
	if (!unit)
		return bad(p, "unknown unit");
	number_scale(&n, unit);
	p->pos += len;
	return number_double(&n);
}

static double call(struct parser *p, const char *name)
{
	double a, b = 0;
	bool two;

	a = comparison(p);
	two = next_is(p, ',');
	if (two)
		b = comparison(p);
	if (!next_is(p, ')'))
		return bad(p, "\")\" expected");
	if (two && strcmp(name, "min") == 0)
		return a < b ? a : b;
	if (two && strcmp(name, "max") == 0)
		return a > b ? a : b;
	if (!two && strcmp(name, "floor") == 0)
		return floor(a);
	if (!two && strcmp(name, "cbrt") == 0)
		return cbrt(a);
	return bad(p, "unknown function before");
}

static double name(struct parser *p)
{
	const char *begin = p->pos;
	char word[64];
	size_t len = 0;
	double val = 0;

	while ((isalnum((unsigned char)*p->pos) || *p->pos == '_') && len < sizeof(word) - 1)
		word[len++] = *p->pos++;
	word[len] = '\0';
	if (next_is(p, '('))
		return call(p, word);
	if (p->var(p->ctx, word, &val)) {
		p->pos = begin;
		return bad(p, "unknown name");
	}
	return val;
}

static double value(struct parser *p)
{
	double val;

	if (next_is(p, '-'))
		return -factor(p);
	if (next_is(p, '(')) {
		val = comparison(p);
		return next_is(p, ')') ? val : bad(p, "\")\" expected");
	}
	if (isdigit((unsigned char)*p->pos) || *p->pos == '.')
		return number(p);
	if (isalpha((unsigned char)*p->pos) || *p->pos == '_')
		return name(p);
	return bad(p, "value expected");
}

static double factor(struct parser *p)
{
	double val;

	if (p->depth == DEPTH_MAX)
		return bad(p, "nested too deeply");
	p->depth++;
	val = value(p);
	p->depth--;
	return val;
}

static double product(struct parser *p)
{
	double val = factor(p), by;

	while (!p->bad) {
		if (next_is(p, '*')) {
			val *= factor(p);
		} else if (next_is(p, '/')) {
			by = factor(p);
			val = by ? val / by : bad(p, "division by 0 before");
		} else if (next_is(p, '%')) {
			by = factor(p);
			val = by ? fmod(val, by) : bad(p, "division by 0 before");
		} else {
			break;
		}
	}
	return val;
}

static double sum(struct parser *p)
{
	double val = product(p);

	while (!p->bad) {
		if (next_is(p, '+'))
			val += product(p);
		else if (next_is(p, '-'))
			val -= product(p);
		else
			break;
	}
	return val;
}

static double comparison(struct parser *p)
{
	double val = sum(p);

	if (p->bad)
		return 0;
	if (next_is(p, '<'))
		return val < sum(p);
	if (next_is(p, '>'))
		return val > sum(p);
	if (next_is(p, '='))
		return val == sum(p);
	return val;
}

/**
 * expr_eval() - value of an expression
 * @text: expression
 * @var: looks a name up
 * @ctx: for @var
 * @val: result
 * @err: on failure one line, to be freed
 *
 * Return: 0 or -1.
 */
int expr_eval(const char *text, expr_var_fn var, void *ctx, double *val, char **err)
{
	struct parser p = { .text = text, .pos = text, .var = var, .ctx = ctx, .err = err };

	*val = comparison(&p);
	while (isspace((unsigned char)*p.pos))
		p.pos++;
	if (!p.bad && *p.pos)
		bad(&p, "end expected");
	return p.bad ? -1 : 0;
}

/**
 * expr_expand() - replace {expression} in a text by its value
 * @text: for example "h{i+1}"
 * @var: looks a name up
 * @ctx: for @var
 * @err: on failure one line, to be freed
 *
 * Return: new string, or NULL.
 */
char *expr_expand(const char *text, expr_var_fn var, void *ctx, char **err)
{
	char *out = xstrdup(""), *part, *next;
	const char *open, *close;
	double val;
	int rc;

	while ((open = strchr(text, '{')) && (close = strchr(open, '}'))) {
		part = xasprintf("%.*s", (int)(close - open - 1), open + 1);
		rc = expr_eval(part, var, ctx, &val, err);
		free(part);
		if (rc) {
			free(out);
			return NULL;
		}
		next = xasprintf("%s%.*s%.0f", out, (int)(open - text), text, floor(val));
		free(out);
		out = next;
		text = close + 1;
	}
	next = xasprintf("%s%s", out, text);
	free(out);
	return next;
}
