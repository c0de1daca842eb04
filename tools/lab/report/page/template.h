/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Templates of the page.
 */
#ifndef LAB_REPORT_PAGE_TEMPLATE_H
#define LAB_REPORT_PAGE_TEMPLATE_H

#include <stdio.h>

/**
 * struct rpt_part - what {{NAME}} stands for in a template
 * @name: NAME
 * @put: writes it; -1 after a message if that was not possible
 */
struct rpt_part {
	const char *name;
	int (*put)(FILE *f, void *ctx);
};

char *rpt_template_text(const char *file);
int rpt_template(FILE *f, const char *file, const struct rpt_part *parts, void *ctx);

#endif /* LAB_REPORT_PAGE_TEMPLATE_H */
