// SPDX-License-Identifier: GPL-2.0
/*
 * labmpi: the process manager interface (PMI 1.1), by which the ranks of an MPI program find each
 * other: each puts its address under a name, all wait for all, and each gets those of the others.
 *
 * A rank sends lines, "cmd=NAME KEY=VALUE ...", and gets one as an answer to each. One that is in
 * a barrier gets it when all are.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/mem.h"
#include "mpi/mpi.h"

#define MAPPING_KEY	"PMI_process_mapping"

/*
 * The value of a word KEY=VALUE of a line; false: there is none, or it is too long. Words end with
 * a space. What is called "value" comes last, and may have spaces: Open MPI's has.
 */
static bool word(const char *line, const char *key, char *to, size_t size)
{
	size_t len = strlen(key), n;
	const char *at = line;

	while (at && (strncmp(at, key, len) || at[len] != '=')) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	at += len + 1;
	n = strcspn(at, strcmp(key, "value") ? "\n " : "\n");
	if (n >= size)
		return false;
	memcpy(to, at, n);
	to[n] = '\0';
	return true;
}

static int LIB_PRINTF(2, 3) answer(struct rank *r, const char *fmt, ...)
{
	char line[PMI_LINE_MAX + PMI_KVSNAME_MAX];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	return write(r->fd, line, n) == n ? 0 : -1;
}

static struct pair *find(struct pmi *p, const char *key)
{
	size_t i;

	for (i = 0; i < p->n_pairs; i++)
		if (strcmp(p->pairs[i].key, key) == 0)
			return &p->pairs[i];
	return NULL;
}

static int put(struct pmi *p, struct rank *r)
{
	char key[PMI_KEY_MAX], value[PMI_VALUE_MAX];
	struct pair *pair;

	if (!word(r->line, "key", key, sizeof(key)) ||
	    !word(r->line, "value", value, sizeof(value)))
		return answer(r, "cmd=put_result rc=-1 msg=too_long\n");
	pair = find(p, key);
	if (!pair) {
		p->pairs = xreallocarray(p->pairs, p->n_pairs + 1, sizeof(*p->pairs));
		pair = &p->pairs[p->n_pairs++];
		*pair = (struct pair){ .key = xstrdup(key) };
	}
	free(pair->value);
	pair->value = xstrdup(value);
	return answer(r, "cmd=put_result rc=0 msg=success\n");
}

static int get(struct pmi *p, struct rank *r)
{
	char key[PMI_KEY_MAX];
	struct pair *pair;

	if (!word(r->line, "key", key, sizeof(key)))
		return answer(r, "cmd=get_result rc=-1 msg=no_key value=unknown\n");
	if (strcmp(key, MAPPING_KEY) == 0)
		return answer(r, "cmd=get_result rc=0 msg=success value=%s\n", p->mapping);
	pair = find(p, key);
	if (!pair)
		return answer(r, "cmd=get_result rc=-1 msg=key_%s_not_found value=unknown\n", key);
	return answer(r, "cmd=get_result rc=0 msg=success value=%s\n", pair->value);
}

static int barrier(struct pmi *p, struct rank *r)
{
	int i, rc = 0;

	p->n_in_barrier += !r->in_barrier;
	r->in_barrier = true;
	if (p->n_in_barrier < p->n)
		return 0;
	p->n_in_barrier = 0;
	for (i = 0; i < p->n; i++) {
		p->ranks[i].in_barrier = false;
		rc |= answer(&p->ranks[i], "cmd=barrier_out rc=0\n");
	}
	return rc;
}

static int init(struct pmi *p, struct rank *r)
{
	(void)p;
	r->begun = true;
	return answer(r, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
}

static int maxes(struct pmi *p, struct rank *r)
{
	(void)p;
	return answer(r, "cmd=maxes kvsname_max=%d keylen_max=%d vallen_max=%d\n",
		      PMI_KVSNAME_MAX, PMI_KEY_MAX, PMI_VALUE_MAX);
}

static int appnum(struct pmi *p, struct rank *r)
{
	(void)p;
	return answer(r, "cmd=appnum appnum=0\n");
}

static int kvsname(struct pmi *p, struct rank *r)
{
	(void)p;
	return answer(r, "cmd=my_kvsname kvsname=" PMI_KVSNAME "\n");
}

static int universe_size(struct pmi *p, struct rank *r)
{
	return answer(r, "cmd=universe_size size=%d\n", p->n);
}

static int finalize(struct pmi *p, struct rank *r)
{
	(void)p;
	r->finalized = true;
	return answer(r, "cmd=finalize_ack\n");
}

static int give_up(struct pmi *p, struct rank *r)
{
	char status[16];

	p->abort_status = word(r->line, "exitcode", status, sizeof(status)) ? atoi(status) : 1;
	return 0;
}

static const struct {
	const char *name;
	int (*fn)(struct pmi *p, struct rank *r);
} commands[] = {
	{ "init", init }, { "get_maxes", maxes }, { "get_appnum", appnum },
	{ "get_my_kvsname", kvsname }, { "get_universe_size", universe_size }, { "put", put },
	{ "get", get }, { "barrier_in", barrier }, { "finalize", finalize }, { "abort", give_up },
};

static int line(struct pmi *p, struct rank *r)
{
	char name[PMI_KEY_MAX];
	size_t i;

	if (!word(r->line, "cmd", name, sizeof(name)))
		return -1;
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].fn(p, r);
	/* More processes at run time, and names that are published, are not there. */
	return answer(r, "cmd=%s_result rc=-1 msg=not_there\n", name);
}

/**
 * pmi_take() - take what a rank has sent, and answer
 * @p: all ranks
 * @rank: its number
 *
 * Return: 0; -1: it has closed the connection, or speaks another language.
 */
int pmi_take(struct pmi *p, int rank)
{
	struct rank *r = &p->ranks[rank];
	char *end;
	ssize_t n;

	n = read(r->fd, r->line + r->len, sizeof(r->line) - 1 - r->len);
	if (n < 0 && errno == EINTR)
		return 0;
	if (n <= 0)
		return -1;
	r->len += n;
	r->line[r->len] = '\0';
	/* A rank waits for the answer before it goes on, so there is one line at most. */
	end = strchr(r->line, '\n');
	if (!end)
		return r->len + 1 < sizeof(r->line) ? 0 : -1;
	r->len = 0;
	return line(p, r);
}

/* pmi_free() - what ranks have put */
void pmi_free(struct pmi *p)
{
	size_t i;

	for (i = 0; i < p->n_pairs; i++) {
		free(p->pairs[i].key);
		free(p->pairs[i].value);
	}
	free(p->pairs);
}
