// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers shared by lab and labinit: strings, files, JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lab_util.h"

static void out_of_memory(void)
{
	static const char msg[] = "lab: out of memory\n";

	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(2);
	_exit(1);
}

/**
 * xasprintf() - sprintf into new memory; never fails, the program ends instead
 * @fmt: as for printf
 *
 * Return: the string, to be freed by the caller.
 */
char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int rc;

	va_start(ap, fmt);
	rc = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (rc < 0)
		out_of_memory();
	return s;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *s)
{
	char *d = strdup(s);

	if (!d)
		out_of_memory();
	return d;
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
		if (mkdir(copy, 0777) && errno != EEXIST)
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
 * One write() call, as /proc/sys wants it.
 *
 * Return: 0, or -1 with errno set.
 */
int write_file(const char *path, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int fd, len, rc = 0;

	va_start(ap, fmt);
	len = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (len < 0)
		out_of_memory();
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, s, len) != len)
		rc = -1;
	if (fd >= 0 && close(fd))
		rc = -1;
	free(s);
	return rc;
}

struct json_object *js_get(struct json_object *obj, const char *name)
{
	struct json_object *val;

	if (!obj || !json_object_is_type(obj, json_type_object) ||
	    !json_object_object_get_ex(obj, name, &val))
		return NULL;
	return val;
}

const char *js_str(struct json_object *obj, const char *name, const char *def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_string(val) : def;
}

int64_t js_int(struct json_object *obj, const char *name, int64_t def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_int64(val) : def;
}

double js_dbl(struct json_object *obj, const char *name, double def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_double(val) : def;
}

bool js_bool(struct json_object *obj, const char *name, bool def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_boolean(val) : def;
}

size_t js_len(struct json_object *array)
{
	if (!array || !json_object_is_type(array, json_type_array))
		return 0;
	return json_object_array_length(array);
}

void js_add_str(struct json_object *obj, const char *name, const char *val)
{
	json_object_object_add(obj, name, json_object_new_string(val));
}

void js_add_int(struct json_object *obj, const char *name, int64_t val)
{
	json_object_object_add(obj, name, json_object_new_int64(val));
}

/* A fixed number of digits, so that the text never depends on a C library. */
void js_add_dbl(struct json_object *obj, const char *name, double val, int digits)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f", digits, val);
	json_object_object_add(obj, name, json_object_new_double_s(val, text));
}

/**
 * js_load() - read a JSON file
 * @path: file
 * @err: on failure one line that says what is wrong, to be freed
 *
 * Return: the object, or NULL.
 */
struct json_object *js_load(const char *path, char **err)
{
	struct json_tokener *tok;
	struct json_object *obj;
	size_t len;
	char *text;

	text = read_file(path, &len);
	if (!text || len > INT_MAX) {
		*err = xasprintf("%s: %s", path, strerror(text ? EFBIG : errno));
		free(text);
		return NULL;
	}
	tok = json_tokener_new();
	if (!tok)
		out_of_memory();
	obj = json_tokener_parse_ex(tok, text, (int)len);
	if (!obj)
		*err = xasprintf("%s: byte %zu: %s", path, json_tokener_get_parse_end(tok),
				 json_tokener_error_desc(json_tokener_get_error(tok)));
	json_tokener_free(tok);
	free(text);
	return obj;
}

int js_save(struct json_object *obj, const char *path)
{
	const int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			  JSON_C_TO_STRING_NOSLASHESCAPE;

	return write_file(path, "%s\n", json_object_to_json_string_ext(obj, flags));
}

int64_t now_ns(int clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}
