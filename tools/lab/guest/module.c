// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: loading modules.
 *
 * The lab kernel has no /lib/modules of its own: all its modules lie in one
 * directory. Those that the job names are loaded first; later ones the kernel
 * asks for by starting labinit as its modprobe, with an alias or a name. A stock
 * kernel has others: the distribution's own modprobe finds what is not ours.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/modinfo.h"
#include "guest/labinit.h"

/* Written by the first labinit, read by the one that the kernel starts. */
#define MODULE_DIR_FILE	"/run/lab-module-dir"
#define MODPROBE_FILE	"/run/lab-modprobe"

#define DEPTH_MAX	8

/* Of klogctl(); the C library has no names for them. */
#define KLOG_READ_ALL		3
#define KLOG_SIZE_BUFFER	10

/* The last that rxe_cc has told the kernel's log: why it does not take an algorithm. */
static char *why_refused(void)
{
	int size = klogctl(KLOG_SIZE_BUFFER, NULL, 0), len;
	char *log = size > 0 ? xcalloc(size + 1, 1) : NULL, *why = NULL, *save = NULL, *line, *at;

	len = log ? klogctl(KLOG_READ_ALL, log, size) : -1;
	for (line = len > 0 ? strtok_r(log, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		at = strstr(line, "rxe_cc: ");
		if (!at)
			continue;
		free(why);
		why = xstrdup(at + strlen("rxe_cc: "));
	}
	free(log);
	return why;
}

static int load_failed(const char *path)
{
	char *why = errno == EINVAL ? why_refused() : NULL;
	int rc = fail("%s: %s", path, why ? why : strerror(errno));

	free(why);
	return rc;
}

static int load_image(const char *path, const char *params)
{
	int fd, rc;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail("%s: %s", path, strerror(errno));
	rc = syscall(SYS_finit_module, fd, params, 0);
	if (rc && errno == EEXIST)
		rc = 0;
	if (rc)
		rc = load_failed(path);
	close(fd);
	return rc;
}

/* The distribution's; 0 also if it is not wanted. */
static int stock_modprobe(const char *name)
{
	char *program = read_file(MODPROBE_FILE, NULL);
	char *argv[] = { program, "-q", "--", (char *)name, NULL };
	int status = 0;
	pid_t pid;

	if (!program)
		return 0;
	pid = sys_spawn(&(struct spawn){ .argv = argv });
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		status = -1;
	free(program);
	return status ? -1 : 0;
}

static int load_with_deps(const char *path, const char *params, int depth);

static int load_deps(const char *path, const char *depends, int depth)
{
	char *list = xstrdup(depends), *save = NULL, *name, *file;
	const char *slash = strrchr(path, '/');
	int dlen = slash ? (int)(slash - path) : 1;
	int rc = 0;

	for (name = strtok_r(list, ",", &save); name && !rc; name = strtok_r(NULL, ",", &save)) {
		file = xasprintf("%.*s/%s.ko", dlen, slash ? path : ".", name);
		/* Whatever is nowhere is built in or loaded already. */
		if (path_exists(file))
			rc = load_with_deps(file, "", depth + 1);
		else if (stock_modprobe(name))
			rc = fail("%s: module %s cannot be loaded", path, name);
		free(file);
	}
	free(list);
	return rc;
}

static int load_with_deps(const char *path, const char *params, int depth)
{
	const char *depends;
	size_t len, pos = 0;
	char *image;
	int rc = 0;

	if (depth > DEPTH_MAX)
		return fail("%s: dependencies nest too deep", path);
	image = read_file(path, &len);
	if (!image)
		return fail("%s: %s", path, strerror(errno));
	depends = modinfo_next(image, len, "depends=", &pos);
	if (depends && *depends)
		rc = load_deps(path, depends, depth);
	free(image);
	return rc ? rc : load_image(path, params);
}

/**
 * sys_load_modules() - load the modules that the job names, in its order
 * @job: "modules" is a list of "path" or "path param=value ..."; what the job before it named
 *	at the same place is loaded
 *
 * Return: 0, or -1 after fail().
 */
int sys_load_modules(struct json_object *job)
{
	struct json_object *list = job_get(job, J_MODULES);
	static struct json_object *before;
	char *path, *params;
	size_t i;
	int rc;

	for (i = 0; i < js_len(list); i++) {
		if (i < js_len(before) && json_object_equal(js_at(before, i), js_at(list, i)))
			continue;
		path = xstrdup(json_object_get_string(js_at(list, i)));
		params = strchr(path, ' ');
		if (params)
			*params++ = '\0';
		rc = load_with_deps(path, params ? params : "", 0);
		free(path);
		if (rc)
			return rc;
	}
	before = list;
	return 0;
}

/**
 * sys_modprobe_setup() - have the kernel ask labinit for modules
 * @self: path of labinit
 * @job: "module_dir" says where they are, "modprobe" who finds the others
 *
 * Return: 0, or -1 after fail().
 */
int sys_modprobe_setup(const char *self, struct json_object *job)
{
	const char *dir = job_str(job, J_MODULE_DIR, NULL);
	const char *others = job_str(job, J_MODPROBE, NULL);

	if (!dir)
		return sys_sysctl("kernel/modprobe", "/bin/false");
	if (write_file(MODULE_DIR_FILE, "%s", dir))
		return fail("%s: %s", MODULE_DIR_FILE, strerror(errno));
	if (others && write_file(MODPROBE_FILE, "%s", others))
		return fail("%s: %s", MODPROBE_FILE, strerror(errno));
	return sys_sysctl("kernel/modprobe", "%s", self);
}

static bool has_alias(const char *path, const char *name)
{
	size_t len, pos = 0;
	const char *alias;
	bool hit = false;
	char *image;

	image = read_file(path, &len);
	if (!image)
		return false;
	while (!hit && (alias = modinfo_next(image, len, "alias=", &pos)))
		hit = fnmatch(alias, name, 0) == 0;
	free(image);
	return hit;
}

static char *find_module(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s.ko", dir, name), *p;
	struct dirent *de;
	DIR *d;

	for (p = path + strlen(dir); *p; p++)
		if (*p == '-')
			*p = '_';
	if (path_exists(path))
		return path;
	free(path);
	path = NULL;
	d = opendir(dir);
	while (d && !path && (de = readdir(d))) {
		size_t len = strlen(de->d_name);

		if (len < 4 || strcmp(de->d_name + len - 3, ".ko"))
			continue;
		path = xasprintf("%s/%s", dir, de->d_name);
		if (!has_alias(path, name)) {
			free(path);
			path = NULL;
		}
	}
	if (d)
		closedir(d);
	return path;
}

/**
 * sys_modprobe() - be the kernel's modprobe
 * @argc: as of main()
 * @argv: as of main(): -q -- NAME
 *
 * Return: exit status.
 */
int sys_modprobe(int argc, char **argv)
{
	char *dir, *path;
	int rc;

	if (argc < 2 || getppid() < 0)
		return 1;
	dir = read_file(MODULE_DIR_FILE, NULL);
	if (!dir) {
		fprintf(stderr, "labinit: runs as first process of the lab kernel only\n");
		return 1;
	}
	path = find_module(dir, argv[argc - 1]);
	if (path)
		rc = load_with_deps(path, "", 0);
	else
		rc = path_exists(MODPROBE_FILE) ? stock_modprobe(argv[argc - 1]) : 1;
	free(path);
	free(dir);
	return rc ? 1 : 0;
}
