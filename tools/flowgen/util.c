// SPDX-License-Identifier: GPL-2.0
/* flowgen: clock, errors, units, files. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../lib/file.h"
#include "flowgen.h"

/**
 * fg_now_ns() - CLOCK_MONOTONIC in nanoseconds
 *
 * In the lab's virtual time every read moves the clock by 1 ns: read it once
 * per batch.
 */
u64 fg_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/**
 * fg_err() - one line on stderr
 * @fmt: printf format, without newline
 *
 * Return: always -1, so that callers can return it.
 */
int fg_err(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("flowgen: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

/**
 * fg_zalloc() - zeroed memory, or the end of the program
 * @n: number of elements
 * @size: size of one
 */
void *fg_zalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p) {
		fg_err("out of memory (%zu x %zu bytes)", n, size);
		exit(FG_SETUP);
	}
	return p;
}

/**
 * fg_grow() - make room in an array
 * @p: the array
 * @cap: its capacity in elements, updated
 * @need: elements wanted
 * @size: size of one
 *
 * Return: the array, new elements are zero.
 */
void *fg_grow(void *p, u32 *cap, u32 need, size_t size)
{
	u32 n = *cap ? *cap : 16;

	if (need <= *cap)
		return p;
	while (n < need)
		n *= 2;
	p = realloc(p, n * size);
	if (!p) {
		fg_err("out of memory (%u x %zu bytes)", n, size);
		exit(FG_SETUP);
	}
	memset((char *)p + *cap * size, 0, (n - *cap) * size);
	*cap = n;
	return p;
}

/**
 * fg_print_rate() - a rate for people
 * @buf: where to
 * @len: its size
 * @bps: bit/s
 */
void fg_print_rate(char *buf, size_t len, double bps)
{
	static const char *const names[] = { "bit", "kbit", "mbit", "gbit" };
	size_t i = 0;

	while (bps >= 1000 && i + 1 < ARRAY_SIZE(names)) {
		bps /= 1000;
		i++;
	}
	snprintf(buf, len, "%.2f%s", bps, names[i]);
}

/**
 * fg_print_time() - a duration for people
 * @buf: where to
 * @len: its size
 * @ns: nanoseconds
 */
void fg_print_time(char *buf, size_t len, double ns)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	size_t i = 0;

	while (ns >= 1000 && i + 1 < ARRAY_SIZE(names)) {
		ns /= 1000;
		i++;
	}
	snprintf(buf, len, "%.*f%s", i ? 2 : 0, ns, names[i]);
}

/**
 * fg_mkdir() - make a directory unless it is there
 * @dir: path; its parent must exist
 */
int fg_mkdir(const char *dir)
{
	struct stat st;

	if (!mkdir(dir, 0777))
		return 0;
	if (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode))
		return 0;
	if (errno == EEXIST)
		errno = ENOTDIR;
	return fg_err("--out %s: %s", dir, strerror(errno));
}

/**
 * fg_create() - open a result file for writing
 * @dir: directory
 * @name: file in it
 *
 * Return: the file, or NULL after an error message.
 */
FILE *fg_create(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	if (!f)
		fg_err("%s: %s", path, strerror(errno));
	return f;
}

/**
 * fg_close() - close a result file, telling when something was not written
 * @f: the file
 * @dir: its directory, for the message
 * @name: its name, for the message
 */
int fg_close(FILE *f, const char *dir, const char *name)
{
	if (file_close(f))
		return fg_err("%s/%s: write failed: %s", dir, name, strerror(errno));
	return 0;
}
