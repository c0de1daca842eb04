// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: keeps our digits in NAME.measured.json, by figure and form.
 */
#include <stdlib.h>

#include "paper/paper.h"

/* measured_of() - the digits of a form of a figure, or NULL */
struct json_object *measured_of(const struct paper *p, const char *figure, const char *form)
{
	return js_get(js_get(p->measured, figure), form);
}

/**
 * measured_store() - keep the digits of a form of a figure, in the order of the paper's figures
 * @p: paper
 * @figure: name of the figure
 * @form: name of the form
 * @answer: of figures_judge()
 *
 * Return: 0, or the exit status after a message.
 */
int measured_store(struct paper *p, const char *figure, const char *form,
		   struct json_object *answer)
{
	char *path = papers_path(p->name, ".measured.json");
	struct json_object *of, *sorted, *list;
	size_t i;
	int rc;

	/* Another figure may have been kept since the runs of this one began. */
	rc = paper_load_measured(p);
	if (rc)
		return rc;
	of = js_get(p->measured, figure);
	if (!of) {
		of = json_object_new_object();
		json_object_object_add(p->measured, figure, of);
	}
	json_object_object_add(of, form, js_copy(js_get(answer, "digits")));
	sorted = json_object_new_object();
	list = js_get(p->doc, "figures");
	for (i = 0; i < js_len(list); i++) {
		const char *name = js_str(js_at(list, i), "figure", "");

		of = js_get(p->measured, name);
		if (of)
			json_object_object_add(sorted, name, json_object_get(of));
	}
	if (js_save(sorted, path))
		rc = run_error("%s cannot be written", path);
	json_object_put(p->measured);
	p->measured = sorted;
	free(path);
	return rc;
}
