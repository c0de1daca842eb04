// SPDX-License-Identifier: GPL-2.0
/*
 * lab: an item of --cc in its parts: one algorithm, or groups of hosts that have one each:
 * dcqcn@h0-h7+hpcc:eta=0.9@h8-h15. What is behind a "+" without "@" is another host of the group
 * before.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define VARIANT	":"	/* between an algorithm's name and its parameters */

bool cc_is_mixed(const char *item)
{
	return strchr(item, '@');
}

/**
 * cc_groups_of() - the groups of an item
 * @item: of --cc
 * @n: how many; 1 for an item without "@"
 *
 * Return: new array of the items of the groups and, behind each, of its hosts ("" for one without
 * "@"), all of them to be freed with cc_groups_free().
 */
char **cc_groups_of(const char *item, size_t *n)
{
	char *text = xstrdup(item), *rest = text, *part, **v = NULL, *at, *more;

	*n = 0;
	while ((part = strsep(&rest, "+"))) {
		at = strchr(part, '@');
		if (*n && !at && cc_is_mixed(item)) {
			more = xasprintf("%s+%s", v[2 * *n - 1], part);
			free(v[2 * *n - 1]);
			v[2 * *n - 1] = more;
			continue;
		}
		if (at)
			*at++ = '\0';
		v = xreallocarray(v, 2 * (*n + 1), sizeof(*v));
		v[2 * *n] = xstrdup(part);
		v[2 * *n + 1] = xstrdup(at ? at : "");
		(*n)++;
	}
	free(text);
	return v;
}

void cc_groups_free(char **v, size_t n)
{
	size_t i;

	for (i = 0; i < 2 * n; i++)
		free(v[i]);
	free(v);
}

/**
 * cc_items() - items of --cc with those of groups in the place of mixed ones
 * @ccs: items
 * @n: how many
 * @n_items: how many there are then
 *
 * Return: new array of new strings.
 */
char **cc_items(char **ccs, size_t n, size_t *n_items)
{
	char **items = NULL, **v;
	size_t i, k, groups;

	*n_items = 0;
	for (i = 0; i < n; i++) {
		v = cc_groups_of(ccs[i], &groups);
		items = xreallocarray(items, *n_items + groups, sizeof(*items));
		for (k = 0; k < groups; k++)
			items[(*n_items)++] = xstrdup(v[2 * k]);
		cc_groups_free(v, groups);
	}
	return items;
}

/**
 * cc_algo() - the algorithm of an item of --cc
 * @item: NAME[:PARAMETER=VALUE]..., or groups of hosts with one each
 *
 * Return: new string; of groups the names with "+" between them.
 */
char *cc_algo(const char *item)
{
	char *all = NULL, *more, **v;
	size_t n, i;

	if (cc_is_mixed(item)) {
		v = cc_groups_of(item, &n);
		for (i = 0; i < n; i++) {
			more = xasprintf("%s%s%.*s", all ? all : "", all ? "+" : "",
					 (int)strcspn(v[2 * i], VARIANT), v[2 * i]);
			free(all);
			all = more;
		}
		cc_groups_free(v, n);
		return all;
	}
	return xasprintf("%.*s", (int)strcspn(item, VARIANT), item);
}
