// SPDX-License-Identifier: GPL-2.0
/*
 * Key "links": rate, delay and loss of single links, by their names, whatever the scenario's file
 * says of them:
 *
 *	l0-s0 rate 40gbit loss 0.001;*-s1 delay 5us
 *
 * A link has the names of its two nodes, in either order. In a name * stands for any characters,
 * and ? for one. What comes later counts.
 */
#include <linux/pkt_sched_roce.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define bad(text, fmt, ...)	usage_error("links: \"%s\": " fmt, text, ##__VA_ARGS__)

/* Only the last * has to be tried at other places: fnmatch() tries all of them. */
static bool matches(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			from = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++from;
		} else {
			return false;
		}
	}
	pattern += strspn(pattern, "*");
	return !*pattern;
}

static bool is_called(const struct plan *p, const struct lab_link *l, const char *pattern)
{
	char *ab = xasprintf("%s-%s", p->nodes[l->a].name, p->nodes[l->b].name);
	char *ba = xasprintf("%s-%s", p->nodes[l->b].name, p->nodes[l->a].name);
	bool is = matches(pattern, ab) || matches(pattern, ba);

	free(ab);
	free(ba);
	return is;
}

static void set_link(struct lab_link *l, const char *what, double val)
{
	if (strcmp(what, "rate") == 0)
		l->rate_bps = llround(val);
	else if (strcmp(what, "delay") == 0)
		l->delay_ns = llround(val);
	else
		l->loss_ppb = llround(val * TC_ROCE_LOSS_ONE);
}

/* A name, then pairs of what and value; @words is cut into these. */
static int read_links(struct plan *p, const char *text, char *words)
{
	static const char *const whats[] = { "rate", "delay", "loss" };
	const char *pattern, *what, *value;
	char *save = NULL, *wrong;
	double val;
	int i, n;
	size_t k;

	pattern = strtok_r(words, " ", &save);
	what = strtok_r(NULL, " ", &save);
	if (!what)
		return bad(text, "rate, delay or loss expected behind the name of a link");
	for (; what; what = strtok_r(NULL, " ", &save)) {
		value = strtok_r(NULL, " ", &save);
		for (k = 0; k < ARRAY_SIZE(whats) && strcmp(what, whats[k]); k++)
			;
		if (k == ARRAY_SIZE(whats))
			return bad(text, "\"%s\" is none of rate, delay, loss", what);
		if (!value)
			return bad(text, "nothing behind %s", what);
		wrong = scenario_value_of(p->sc, what, value, &val);
		if (wrong) {
			bad(text, "%s", wrong);
			free(wrong);
			return EXIT_USAGE;
		}
		for (i = 0, n = 0; i < p->n_links; i++) {
			if (!is_called(p, &p->links[i], pattern))
				continue;
			set_link(&p->links[i], what, val);
			n++;
		}
		if (!n)
			return bad(text, "no link \"%s\"", pattern);
	}
	return 0;
}

/**
 * plan_links_by_name() - give links what the key "links" says of them
 * @p: plan with its links
 *
 * Return: 0, or the exit status after a message that names the link.
 */
int plan_links_by_name(struct plan *p)
{
	struct loop l = { .p = p };
	char *text, *rest, *part, *words, *err = NULL;
	int rc = 0;

	if (strcmp(scenario_text(p->sc, "links", "none"), "none") == 0)
		return 0;
	text = expr_expand(scenario_text(p->sc, "links", ""), plan_var, &l, &err);
	if (!text) {
		rc = usage_error("links: %s", err);
		free(err);
		return rc;
	}
	rest = text;
	while (!rc && (part = strsep(&rest, ";"))) {
		part += strspn(part, " ");
		words = xstrdup(part);
		if (*part)
			rc = read_links(p, part, words);
		free(words);
	}
	free(text);
	return rc;
}
