// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: memory of names, captions and paths: short texts that stay until the report is
 * done.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "report/report.h"

static char **texts;
static size_t nr_texts;

char *rpt_vtext(const char *fmt, va_list ap)
{
	texts = xreallocarray(texts, nr_texts + 1, sizeof(*texts));
	if (vasprintf(&texts[nr_texts], fmt, ap) < 0)
		out_of_memory();
	return texts[nr_texts++];
}

/* A new text, nobody's to free. */
char *rpt_text(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = rpt_vtext(fmt, ap);
	va_end(ap);
	return text;
}

void rpt_texts_free(void)
{
	while (nr_texts)
		free(texts[--nr_texts]);
	free(texts);
	texts = NULL;
}
