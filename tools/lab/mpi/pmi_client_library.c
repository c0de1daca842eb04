// SPDX-License-Identifier: GPL-2.0
/*
 * The client's half of PMI 1.1 as a library, for ranks that have none of their own: Open MPI loads
 * it by the name in FLUX_PMI_LIBRARY_PATH. The other half is pmi_server.c; the functions and their
 * numbers are those that all libraries of that interface have.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/mpi.h"

#define EXPORT	__attribute__((visibility("default")))

#define PMI_SUCCESS	0
#define PMI_FAIL	-1

static int fd = -1, size = 1, rank;

static int number(const char *name, int def)
{
	const char *text = getenv(name);

	return text ? atoi(text) : def;
}

/* Send a line, and wait for the answer, in @line. */
static int __attribute__((format(printf, 2, 3))) ask(char *line, const char *fmt, ...)
{
	size_t len = 0;
	va_list ap;
	ssize_t n;
	int want;

	va_start(ap, fmt);
	want = vsnprintf(line, PMI_LINE_MAX, fmt, ap);
	va_end(ap);
	if (want >= PMI_LINE_MAX || write(fd, line, want) != want)
		return PMI_FAIL;
	do {
		n = read(fd, line + len, PMI_LINE_MAX - 1 - len);
		if (n <= 0)
			return PMI_FAIL;
		len += n;
	} while (line[len - 1] != '\n');
	line[len - 1] = '\0';
	return strstr(line, " rc=-1") ? PMI_FAIL : PMI_SUCCESS;
}

EXPORT int PMI_Init(int *spawned)
{
	char line[PMI_LINE_MAX];

	fd = number("PMI_FD", -1);
	size = number("PMI_SIZE", 1);
	rank = number("PMI_RANK", 0);
	*spawned = 0;
	return ask(line, "cmd=init pmi_version=1 pmi_subversion=1\n");
}

EXPORT int PMI_Initialized(int *yes)
{
	*yes = fd >= 0;
	return PMI_SUCCESS;
}

EXPORT int PMI_Finalize(void)
{
	char line[PMI_LINE_MAX];
	int rc = ask(line, "cmd=finalize\n");

	close(fd);
	fd = -1;
	return rc;
}

EXPORT int PMI_Abort(int status, const char *text)
{
	char line[PMI_LINE_MAX];

	fprintf(stderr, "%s\n", text);
	snprintf(line, sizeof(line), "cmd=abort exitcode=%d\n", status);
	if (write(fd, line, strlen(line)) < 0)
		perror("PMI");
	exit(status);
}

EXPORT int PMI_Get_size(int *n)
{
	*n = size;
	return PMI_SUCCESS;
}

EXPORT int PMI_Get_universe_size(int *n)
{
	return PMI_Get_size(n);
}

EXPORT int PMI_Get_rank(int *n)
{
	*n = rank;
	return PMI_SUCCESS;
}

EXPORT int PMI_Get_appnum(int *n)
{
	*n = 0;
	return PMI_SUCCESS;
}

/* Each rank is alone on its machine, as the mapping of the server says. */
EXPORT int PMI_Get_clique_size(int *n)
{
	*n = 1;
	return PMI_SUCCESS;
}

EXPORT int PMI_Get_clique_ranks(int *ranks, int n)
{
	if (n < 1)
		return PMI_FAIL;
	ranks[0] = rank;
	return PMI_SUCCESS;
}

EXPORT int PMI_Barrier(void)
{
	char line[PMI_LINE_MAX];

	return ask(line, "cmd=barrier_in\n");
}

EXPORT int PMI_KVS_Get_my_name(char *name, int len)
{
	return snprintf(name, len, PMI_KVSNAME) < len ? PMI_SUCCESS : PMI_FAIL;
}

EXPORT int PMI_KVS_Get_name_length_max(int *len)
{
	*len = PMI_KVSNAME_MAX;
	return PMI_SUCCESS;
}

EXPORT int PMI_KVS_Get_key_length_max(int *len)
{
	*len = PMI_KEY_MAX;
	return PMI_SUCCESS;
}

EXPORT int PMI_KVS_Get_value_length_max(int *len)
{
	*len = PMI_VALUE_MAX;
	return PMI_SUCCESS;
}

EXPORT int PMI_KVS_Put(const char *name, const char *key, const char *value)
{
	char line[PMI_LINE_MAX];

	return ask(line, "cmd=put kvsname=%s key=%s value=%s\n", name, key, value);
}

/* What has been put is there at once. */
EXPORT int PMI_KVS_Commit(const char *name)
{
	(void)name;
	return PMI_SUCCESS;
}

EXPORT int PMI_KVS_Get(const char *name, const char *key, char *value, int len)
{
	char line[PMI_LINE_MAX];
	const char *at;

	if (ask(line, "cmd=get kvsname=%s key=%s\n", name, key))
		return PMI_FAIL;
	at = strstr(line, " value=");
	if (!at || snprintf(value, len, "%s", at + strlen(" value=")) >= len)
		return PMI_FAIL;
	return PMI_SUCCESS;
}
