// SPDX-License-Identifier: GPL-2.0
/* Hosts or switches as users name them: h0+h3, h0-h7, all. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* "h12" is in "h3-h15". */
static bool in_range(const char *name, const char *range, const char *dash)
{
	size_t len = strcspn(range, "0123456789");
	long nr, from, to;
	char *end;

	if (len >= (size_t)(dash - range) || strncmp(range, dash + 1, len) ||
	    strncmp(range, name, len) || !isdigit((unsigned char)name[len]))
		return false;
	from = strtol(range + len, &end, 10);
	if (end != dash)
		return false;
	to = strtol(dash + 1 + len, &end, 10);
	if (*end || !isdigit((unsigned char)dash[1 + len]))
		return false;
	nr = strtol(name + len, &end, 10);
	return !*end && nr >= from && nr <= to;
}

/**
 * plan_nodes_of() - the hosts or switches that words name
 * @p: plan after topology_expand()
 * @list: names or ranges, separated by "+"; or "all"
 * @hosts: hosts, not switches
 * @which: by node: set for these
 *
 * Return: NULL, or the part that names none, to be freed.
 */
char *plan_nodes_of(const struct plan *p, const char *list, bool hosts, bool *which)
{
	char *text = xstrdup(list), *rest = text, *part, *wrong = NULL, *dash;
	bool all = strcmp(list, "all") == 0, any;
	int i;

	while (!wrong && (part = strsep(&rest, "+"))) {
		dash = strchr(part, '-');
		any = false;
		for (i = 0; i < p->n_nodes; i++) {
			if (p->nodes[i].host != hosts ||
			    (!all && strcmp(p->nodes[i].name, part) &&
			     !(dash && in_range(p->nodes[i].name, part, dash))))
				continue;
			which[i] = true;
			any = true;
		}
		if (!any)
			wrong = xstrdup(part);
	}
	free(text);
	return wrong;
}
