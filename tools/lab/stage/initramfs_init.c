// SPDX-License-Identifier: GPL-2.0
/*
 * labstage: first process of a guest of the QEMU backend, in its initial RAM file system. It
 * makes the host's file system the guest's, read-only with a layer in memory above it, and
 * becomes labinit. It is linked statically: there is nothing else here.
 *
 *	/modules/NN	modules that this needs, in the order of their names
 *	lab_init=PATH	of labinit, on the kernel's command line
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULES		"/modules"
#define COMPRESSED	4	/* MODULE_INIT_COMPRESSED_FILE */

static void die(const char *what)
{
	printf("@lab:error %s: %s\n", what, strerror(errno));
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

static int no_dots(const struct dirent *de)
{
	return de->d_name[0] != '.';
}

static void load_modules(void)
{
	struct dirent **list;
	char path[300];
	int i, fd, n;

	n = scandir(MODULES, &list, no_dots, alphasort);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), MODULES "/%s", list[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 ||
		    syscall(SYS_finit_module, fd, "", strstr(path, ".ko.") ? COMPRESSED : 0))
			die(path);
		close(fd);
	}
}

static void mount_or_die(const char *what, const char *dir, const char *type,
			 unsigned long flags, const char *opts)
{
	mkdir(dir, 0755);
	if (mount(what, dir, type, flags, opts))
		die(dir);
}

int main(void)
{
	char *init = getenv("lab_init");
	char *argv[] = { init, NULL };

	/* Whoever wants to know no more than whether this kernel runs. */
	if (getenv("lab_probe")) {
		puts("@lab:alive");
		fflush(stdout);
		reboot(RB_POWER_OFF);
	}
	if (!init)
		die("lab_init=");
	load_modules();
	/* Files of the host do not change while a guest runs: it may keep what it has read. */
	mount_or_die("root", "/host", "9p", MS_RDONLY,
		     "trans=virtio,version=9p2000.L,msize=262144,cache=loose");
	mount_or_die("tmpfs", "/memory", "tmpfs", 0, "mode=0755");
	mkdir("/memory/upper", 0755);
	mkdir("/memory/work", 0755);
	mount_or_die("overlay", "/new", "overlay", 0,
		     "lowerdir=/host,upperdir=/memory/upper,workdir=/memory/work");
	if (chdir("/new") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		die("new root");
	execv(init, argv);
	die(init);
}
