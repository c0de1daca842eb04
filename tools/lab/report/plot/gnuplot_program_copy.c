// SPDX-License-Identifier: GPL-2.0
/* lab report: copies the gnuplot programs beside the pictures, so that these can be drawn again. */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "lab.h"
#include "report/plot/gnuplot_input.h"

static int pic_copy(struct rpt *r, const char *name, const char *dir)
{
	char *from = rpt_text("%s/%s", dir, name);
	char *to = rpt_text("%s/gp/%s", r->outdir, name);
	FILE *in = fopen(from, "re"), *out = in ? fopen(to, "we") : NULL;
	char buf[4096];
	int err = !in || !out;
	size_t n;

	while (!err && (n = fread(buf, 1, sizeof(buf), in)) > 0)
		fwrite(buf, 1, n, out);
	err |= in && ferror(in);
	if (in)
		fclose(in);
	if (out && fclose(out))
		err = 1;
	if (err)
		rpt_warn(r, "%s: %s", in ? to : from, strerror(errno));
	return err ? -1 : 0;
}

/**
 * pic_programs() - put the gnuplot programs beside the pictures
 * @r: the report
 *
 * So that a picture can be drawn again, and changed, wherever it is. Return: 0, or -1
 * after a warning.
 */
int pic_programs(struct rpt *r)
{
	char *dir = rpt_text("%s/tools/lab/report/gp", lab_root());
	DIR *d = opendir(dir);
	struct dirent *e;
	int err = 0;

	if (!d) {
		rpt_warn(r, "%s: %s", dir, strerror(errno));
		err = -1;
	}
	while (!err && (e = readdir(d))) {
		const char *dot = strrchr(e->d_name, '.');

		if (dot && !strcmp(dot, ".gp"))
			err = pic_copy(r, e->d_name, dir);
	}
	if (d)
		closedir(d);
	return err;
}
