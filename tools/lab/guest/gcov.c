// SPDX-License-Identifier: GPL-2.0
/* labinit: copies gcov's counters out of a kernel of "make gcov" before it is switched off. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "guest/labinit.h"

#define COUNTERS "/sys/kernel/debug/gcov"

static const char *keep_dir;

/* Links beside the counters lead to what the compiler wrote: that stays where it is. */
static int keep(const char *path, const struct stat *st, int type, struct FTW *at)
{
	char *to, *data;
	size_t len;
	int ret = 0;
	FILE *f;

	(void)st;
	if (type != FTW_F || !strstr(path + at->base, ".gcda"))
		return 0;
	data = read_file(path, &len);
	to = xasprintf("%s%s", keep_dir, path + strlen(COUNTERS));
	*strrchr(to, '/') = '\0';
	if (!data || mkdir_p(to))
		ret = -1;
	to[strlen(to)] = '/';
	f = ret ? NULL : fopen(to, "we");
	if (!f || fwrite(data, 1, len, f) != len)
		ret = -1;
	if (f && file_close(f))
		ret = -1;
	free(data);
	free(to);
	return ret;
}

/**
 * gcov_keep() - copy the counters of all modules, unloaded ones too
 * @job: its "module_dir" gets gcov/NAME/, another NAME each boot
 *
 * Only a kernel that was built for it has counters.
 */
void gcov_keep(struct json_object *job)
{
	const char *modules = job_str(job, J_MODULE_DIR, NULL);
	char *dir;

	if (!modules || !path_exists(COUNTERS))
		return;
	dir = xasprintf("%s/gcov", modules);
	if (mkdir_p(dir))
		fail("%s: %s", dir, strerror(errno));
	free(dir);
	dir = xasprintf("%s/gcov/XXXXXX", modules);
	keep_dir = mkdtemp(dir);
	if (!keep_dir || nftw(COUNTERS, keep, 16, FTW_PHYS))
		fail("%s: coverage was not kept: %s", dir, strerror(errno));
	free(dir);
}
