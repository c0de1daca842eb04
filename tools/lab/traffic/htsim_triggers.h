/* SPDX-License-Identifier: GPL-2.0 */
/* lab: triggers of htsim's connection matrices, noted line by line. */
#ifndef LAB_TRAFFIC_HTSIM_TRIGGERS_H
#define LAB_TRAFFIC_HTSIM_TRIGGERS_H

#include "lab.h"

/* What a line says of a trigger, in the order in which they are looked at. */
enum htsim_trigger_use { TRIGGER_KIND, TRIGGER_DONE, TRIGGER_STARTS };

/* How often it is set off, of those that then start one flow after the other. */
#define TRIGGER_MULTISHOT	(-1)

/**
 * struct htsim_triggers - all that the lines of a file say of triggers
 * @v: one for each time that a line names one
 * @n: how many
 */
struct htsim_triggers {
	struct htsim_trigger_note {
		int64_t id;
		enum htsim_trigger_use what;
		int val, line;
	} *v;
	size_t n, cap;
};

void htsim_triggers_note(struct htsim_triggers *t, int64_t id, enum htsim_trigger_use what,
			 int val, int line);
int htsim_triggers_resolve(struct htsim_triggers *t, struct plan *p, const int *place,
			   const char *path);
void htsim_triggers_free(struct htsim_triggers *t);

#endif /* LAB_TRAFFIC_HTSIM_TRIGGERS_H */
