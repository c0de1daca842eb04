// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: the distribution's kernel and the initial RAM file system,
 * which holds no more than it takes to reach the host's files: labstage, and
 * modules for 9p, overlayfs and the cables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/qemu.h"

#define CPIO_MAGIC	"070701"
#define CPIO_TRAILER	"TRAILER!!!"
#define CONSOLE_MAJOR	5
#define CONSOLE_MINOR	1

static const char *const stage_modules[] = { "9pnet_virtio", "9p", "overlay", "virtio_net" };
/* Those that nodes need are loaded from the host's files: these must be there. */
static const char *const guest_modules[] = { "veth", "bridge", "ib_uverbs" };

/**
 * qemu_modules_dir() - our modules for the distribution's kernel
 *
 * Return: its name, to be freed.
 */
char *qemu_modules_dir(void)
{
	return xasprintf("%s/build/host", lab_root());
}

/* The release that a module was built for: the first word of its vermagic. */
static char *module_release(const char *path)
{
	static const char key[] = "vermagic=";
	size_t len = 0;
	char *image = read_file(path, &len), *at, *release = NULL;

	at = image ? memmem(image, len, key, strlen(key)) : NULL;
	if (at) {
		at += strlen(key);
		release = xasprintf("%.*s", (int)strcspn(at, " "), at);
	}
	free(image);
	return release;
}

/**
 * qemu_find_kernel() - the kernel that our modules were built for
 * @q: receives release and kernel
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_find_kernel(struct qemu *q)
{
	char *ko = xasprintf("%s/sch_roce.ko", q->modules);
	int rc = 0;

	if (access(ko, R_OK))
		rc = run_error("%s is missing: run \"make modules-host\" first", ko);
	q->release = rc ? NULL : module_release(ko);
	if (!rc && !q->release)
		rc = run_error("%s: cannot tell which kernel it is for", ko);
	free(ko);
	if (rc)
		return rc;
	q->kernel = xasprintf("/boot/vmlinuz-%s", q->release);
	if (access(q->kernel, R_OK))
		return run_error("%s: %s (package linux-image-6.12-amd64)", q->kernel,
				 strerror(errno));
	return 0;
}

struct cpio {
	FILE *f;
	unsigned int inode;
};

static void pad4(FILE *f, size_t n)
{
	static const char zeros[4];

	fwrite(zeros, 1, (4 - n % 4) % 4, f);
}

/* An entry of format "newc": a head of numbers in hexadecimal, name, content. */
static void cpio_add(struct cpio *c, const char *name, unsigned int mode, unsigned int major,
		     unsigned int minor, const char *data, size_t len)
{
	size_t name_len = strlen(name) + 1;

	fprintf(c->f, CPIO_MAGIC "%08x%08x%08x%08x%08x%08x%08zx%08x%08x%08x%08x%08zx%08x",
		++c->inode, mode, 0, 0, 1, 0, len, 0, 0, major, minor, name_len, 0);
	fwrite(name, 1, name_len, c->f);
	pad4(c->f, strlen(CPIO_MAGIC) + 13 * 8 + name_len);
	fwrite(data, 1, len, c->f);
	pad4(c->f, len);
}

static int cpio_add_file(struct cpio *c, const char *name, unsigned int mode, const char *path)
{
	size_t len;
	char *data = read_file(path, &len);

	if (!data)
		return run_error("%s: %s", path, strerror(errno));
	cpio_add(c, name, S_IFREG | mode, 0, 0, data, len);
	free(data);
	return 0;
}

/* Has this one been added? Modules share what they depend on. */
static bool is_known(char ***known, size_t *n, const char *path)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (strcmp((*known)[i], path) == 0)
			return true;
	*known = xrealloc(*known, (*n + 1) * sizeof(**known));
	(*known)[(*n)++] = xstrdup(path);
	return false;
}

/* Lines "insmod PATH" for a module and all that it needs, in order; "builtin NAME" otherwise. */
static char *module_list(const struct qemu *q, const char *name)
{
	char *cmd = xasprintf("PATH=$PATH:/usr/sbin:/sbin modprobe -S '%s' --show-depends %s 2>/dev/null",
			      q->release, name), *text;
	char *argv[] = { "sh", "-c", cmd, NULL };
	struct child modprobe = { .argv = argv };

	if (child_output(&modprobe, &text)) {
		free(text);
		text = NULL;
	}
	free(cmd);
	return text;
}

/* @c: NULL: only look whether it is there */
static int add_module(struct qemu *q, struct cpio *c, const char *module, char ***known, size_t *n)
{
	char *text = module_list(q, module), *rest = text, *line, *name, path[512];
	int rc = 0;

	if (!text)
		return run_error("module %s: not in /lib/modules/%s", module, q->release);
	while (c && !rc && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "insmod %511s", path) != 1 || is_known(known, n, path))
			continue;
		name = xasprintf("modules/%02zu-%s", *n, strrchr(path, '/') + 1);
		rc = cpio_add_file(c, name, 0644, path);
		free(name);
	}
	free(text);
	return rc;
}

static int add_modules(struct qemu *q, struct cpio *c)
{
	char **known = NULL;
	size_t i, n = 0;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(stage_modules) && !rc; i++)
		rc = add_module(q, c, stage_modules[i], &known, &n);
	for (i = 0; i < ARRAY_SIZE(guest_modules) && !rc; i++)
		rc = add_module(q, NULL, guest_modules[i], &known, &n);
	while (n)
		free(known[--n]);
	free(known);
	return rc;
}

/**
 * qemu_write_initrd() - the initial RAM file system
 * @q: kernel and work directory; receives initrd
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_write_initrd(struct qemu *q)
{
	char *stage = xasprintf("%s/build/bin/labstage", lab_root());
	struct cpio c = {};
	int rc;

	q->initrd = xasprintf("%s/initrd", q->work);
	c.f = fopen(q->initrd, "we");
	if (!c.f)
		return run_error("%s: %s", q->initrd, strerror(errno));
	cpio_add(&c, "dev", S_IFDIR | 0755, 0, 0, "", 0);
	cpio_add(&c, "dev/console", S_IFCHR | 0600, CONSOLE_MAJOR, CONSOLE_MINOR, "", 0);
	cpio_add(&c, "modules", S_IFDIR | 0755, 0, 0, "", 0);
	rc = cpio_add_file(&c, "init", 0755, stage);
	if (!rc)
		rc = add_modules(q, &c);
	cpio_add(&c, CPIO_TRAILER, 0, 0, 0, "", 0);
	if (file_close(c.f) && !rc)
		rc = run_error("%s: %s", q->initrd, strerror(errno));
	free(stage);
	return rc;
}
