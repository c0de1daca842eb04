// SPDX-License-Identifier: GPL-2.0
/*
 * Templates of the page: files beside this one, in which {{NAME}} stands for a part
 * that the program writes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "report/page/template.h"
#include "report/report.h"

#define OPEN	"{{"
#define CLOSE	"}}"
#define LICENSE	"<!-- SPDX"		/* the template's, not the page's */

static const struct rpt_part *find_part(const struct rpt_part *parts, const char *name, size_t len)
{
	for (; parts->name; parts++)
		if (strlen(parts->name) == len && strncmp(parts->name, name, len) == 0)
			return parts;
	return NULL;
}

static char *template_path(const char *file)
{
	return rpt_text("%s/tools/lab/report/page/%s", lab_root(), file);
}

/**
 * rpt_template_text() - a file of the page as it is
 * @file: its name
 *
 * Return: its text, to be freed; NULL after a message.
 */
char *rpt_template_text(const char *file)
{
	char *path = template_path(file), *text = read_file(path, NULL);

	if (!text)
		fprintf(stderr, "lab report: %s: %s\n", path, strerror(errno));
	return text;
}

/**
 * rpt_template() - write a template with its parts
 * @f: the page
 * @file: the template
 * @parts: what may stand in it; the last has no name
 * @ctx: for the parts
 *
 * Return: 0, or -1 with a message that names the file and what is wrong with it.
 */
int rpt_template(FILE *f, const char *file, const struct rpt_part *parts, void *ctx)
{
	char *text = rpt_template_text(file), *s = text, *open, *close, *path;
	const struct rpt_part *part;
	int rc = text ? 0 : -1;

	if (!rc && strncmp(s, LICENSE, strlen(LICENSE)) == 0) {
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	while (!rc && (open = strstr(s, OPEN))) {
		fwrite(s, 1, open - s, f);
		open += strlen(OPEN);
		close = strstr(open, CLOSE);
		part = close ? find_part(parts, open, close - open) : NULL;
		if (part) {
			rc = part->put(f, ctx);
			s = close + strlen(CLOSE);
			continue;
		}
		path = template_path(file);
		fprintf(stderr, "lab report: %s: %.*s: %s\n", path,
			close ? (int)(close - open) : (int)strcspn(open, "\n"), open,
			close ? "no such part" : "no " CLOSE " behind it");
		rc = -1;
	}
	if (!rc)
		fputs(s, f);
	free(text);
	return rc;
}

/* @s as text of the page. */
void rpt_esc(FILE *f, const char *s)
{
	static const char *const text[] = { "&lt;", "&gt;", "&amp;", "&quot;" };
	static const char special[] = "<>&\"";

	for (; *s; s++) {
		const char *c = strchr(special, *s);

		if (c)
			fputs(text[c - special], f);
		else
			fputc(*s, f);
	}
}

/* Begin a row with the algorithm and its colour. */
void rpt_html_cc(FILE *f, const struct rpt_algo *a)
{
	fprintf(f, "<tr><td><i class=\"dot\" style=\"background:#%06x\"></i>", a->style.rgb);
	rpt_esc(f, a->cc);
}
