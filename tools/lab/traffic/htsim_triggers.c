// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers of htsim's connection matrices become dependencies of flows. Each line that names a
 * trigger is noted; when the whole file is known, those of each trigger are put together:
 *
 *	2->1 id 3 start 0 size 7 send_done_trigger 4	flow 3 sets it off when it is complete
 *	trigger id 4 oneshot				once is enough; "barrier count 2": twice
 *	1->0 id 5 trigger 4 size 9			flow 5 starts then
 */
#include <stdlib.h>
#include <string.h>

#include "traffic/htsim_triggers.h"

/**
 * htsim_triggers_note() - a line names a trigger
 * @t: triggers
 * @id: its number
 * @what: in which way
 * @val: the flow, by its place in the file; of %TRIGGER_KIND how often it is set off
 * @line: of the file
 */
void htsim_triggers_note(struct htsim_triggers *t, int64_t id, enum htsim_trigger_use what,
			 int val, int line)
{
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 64;
		t->v = xreallocarray(t->v, t->cap, sizeof(*t->v));
	}
	t->v[t->n++] = (struct htsim_trigger_note) { id, what, val, line };
}

/* Of a trigger first its kind, then what sets it off, then what waits; each in file's order. */
static int cmp_note(const void *a, const void *b)
{
	const struct htsim_trigger_note *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return x->line - y->line;
}

/* The notes of one trigger: its kind, @n_done flows that set it off, then those that wait. */
static int check(const struct htsim_trigger_note *v, size_t n, size_t n_done, const char *path)
{
	const struct htsim_trigger_note *last = &v[n - 1];
	long long id = v->id;

	/* Of those that no flow waits for anything goes. */
	if (last->what != TRIGGER_STARTS)
		return 0;
	if (v->what != TRIGGER_KIND)
		return usage_error("%s:%d: no line \"trigger id %lld oneshot\" or \"barrier\"",
				   path, last->line, id);
	if (v[1].what == TRIGGER_KIND)
		return usage_error("%s:%d: trigger %lld is there twice", path, v[1].line, id);
	if (v->val == TRIGGER_MULTISHOT)
		return usage_error("%s:%d: a multishot trigger: which flow it starts next depends on which others complete first",
				   path, v->line);
	if (n_done != (size_t)v->val)
		return usage_error("%s:%d: trigger %lld needs %d flows that set it off, and has %zu",
				   path, v->line, id, v->val, n_done);
	return 0;
}

/* By flow, where the notes of those that it waits for begin, and how many they are. */
struct waits {
	size_t begin, n;
};

static int find_waits(struct htsim_triggers *t, const int *place, struct waits *waits,
		      const char *path)
{
	size_t i, k, done, end;
	int rc;

	for (i = 0; i < t->n; i = end) {
		for (end = i; end < t->n && t->v[end].id == t->v[i].id; end++)
			;
		for (done = i; done < end && t->v[done].what == TRIGGER_KIND; done++)
			;
		for (k = done; k < end && t->v[k].what == TRIGGER_DONE; k++)
			;
		rc = check(t->v + i, end - i, k - done, path);
		if (rc)
			return rc;
		for (; k < end; k++)
			waits[place[t->v[k].val]] = (struct waits) { done, t->v[i].val };
	}
	return 0;
}

/**
 * htsim_triggers_resolve() - all flows and triggers are known: what waits for what
 * @t: triggers
 * @p: plan with the flows
 * @place: by a flow's place in the file, its number in the plan
 * @path: file, for messages
 *
 * Return: 0, or the exit status after a message that names file and line.
 */
int htsim_triggers_resolve(struct htsim_triggers *t, struct plan *p, const int *place,
			   const char *path)
{
	struct waits *waits = xcalloc(p->n_flows + 1, sizeof(*waits));
	size_t k;
	int i, rc;

	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), cmp_note);
	rc = find_waits(t, place, waits, path);
	for (i = 0; i < p->n_flows && !rc; i++) {
		if (!waits[i].n)
			continue;
		depend_begin(&p->after, i, 0);
		p->flows[i].after = p->after.n;
		for (k = waits[i].begin; k < waits[i].begin + waits[i].n && !rc; k++)
			if (depend_add(&p->after, place[t->v[k].val], false))
				rc = usage_error("%s: more than %u dependencies", path, DEPEND_MAX);
	}
	free(waits);
	return rc;
}

/**
 * htsim_triggers_free() - free the notes
 * @t: triggers
 */
void htsim_triggers_free(struct htsim_triggers *t)
{
	free(t->v);
	memset(t, 0, sizeof(*t));
}
