// SPDX-License-Identifier: GPL-2.0
/* Reads and writes whole files, makes and removes directories. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

static bool is_dir(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

/**
 * mkdir_p() - create a directory and its parents
 * @path: directory
 *
 * Return: 0, or -1 with errno set.
 */
int mkdir_p(const char *path)
{
	char *copy = xstrdup(path), *p = copy;
	int rc = 0;

	while (!rc) {
		p = strchr(p + 1, '/');
		if (p)
			*p = '\0';
		if (mkdir(copy, 0777) && (errno != EEXIST || !is_dir(copy)))
			rc = -1;
		if (!p)
			break;
		*p = '/';
	}
	free(copy);
	return rc;
}

static int rm_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/**
 * rm_rf() - remove a directory with all it holds; links are not followed
 * @path: directory
 *
 * Return: 0, or -1 with errno set.
 */
int rm_rf(const char *path)
{
	return nftw(path, rm_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool path_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* There is none: not that it cannot be looked at, as without permission. */
bool path_missing(const char *path)
{
	return access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR);
}

/**
 * text_open() - open a text that somebody has written, to read it
 * @path: file
 *
 * Editors and spreadsheets put a byte order mark before the first letter: it is skipped.
 *
 * Return: the file, or NULL with errno set.
 */
FILE *text_open(const char *path)
{
	static const char mark[] = "\xef\xbb\xbf";
	FILE *f = fopen(path, "re");
	int c, n = 0;

	if (!f)
		return NULL;
	do {
		c = getc(f);
	} while (c == (unsigned char)mark[n] && ++n < 3);
	if (n == 3)
		return f;
	/* No mark: what was taken goes back. */
	if (c != EOF)
		ungetc(c, f);
	while (n--)
		ungetc((unsigned char)mark[n], f);
	return f;
}

/**
 * read_file() - whole file into memory, with a 0 byte after it
 * @path: file; files of unknown size as in /proc are fine
 * @len: length without the 0 byte, may be NULL
 *
 * Return: contents, to be freed by the caller, or NULL with errno set.
 */
char *read_file(const char *path, size_t *len)
{
	size_t size = 4096, used = 0;
	char *buf;
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	buf = xcalloc(1, size);
	while ((n = read(fd, buf + used, size - used - 1)) > 0) {
		used += n;
		if (size - used < 2) {
			size *= 2;
			buf = xrealloc(buf, size);
		}
	}
	close(fd);
	if (n < 0) {
		free(buf);
		return NULL;
	}
	buf[used] = '\0';
	if (len)
		*len = used;
	return buf;
}

/**
 * write_file() - printf into a new or emptied file
 * @path: file
 * @fmt: as for printf
 *
 * One write() call unless the file takes less, as /proc/sys wants it.
 *
 * Return: 0, or -1 with errno set.
 */
int write_file(const char *path, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int fd, len, error = 0;
	ssize_t n = 0, done = 0;

	va_start(ap, fmt);
	len = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (len < 0)
		out_of_memory();
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	while (fd >= 0 && done < len && (n = write(fd, s + done, len - done)) > 0)
		done += n;
	if (fd < 0 || n < 0)
		error = errno;
	else if (done < len)
		error = ENOSPC;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	free(s);
	errno = error ? error : errno;
	return error ? -1 : 0;
}

/**
 * file_close() - close a file that was written, telling of any error so far
 * @f: the file
 *
 * fclose() tells only of what it writes itself, and errno is that of a failed write no
 * longer when it is called. So what failed before is tried once more.
 *
 * Return: 0, or -1 with errno set.
 */
int file_close(FILE *f)
{
	bool bad = ferror(f);
	int error = 0;

	if (bad) {
		errno = 0;
		if (fputc('\n', f) != EOF)
			fflush(f);
		error = errno ? errno : EIO;
	}
	if (fclose(f) && !error)
		error = errno;
	errno = error ? error : errno;
	return error ? -1 : 0;
}
