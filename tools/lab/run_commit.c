// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what a run's kernel modules and programs were built from.
 *
 * The build leaves a note beside what it makes (scripts/commit.sh), because what
 * runs is not what the checkout holds now, and git may be missing where it runs.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define DIRTY		"-dirty"
#define UNKNOWN		"unknown"

static char *read_note(char *path)
{
	char *text = read_file(path, NULL);

	free(path);
	if (!text)
		return xstrdup(UNKNOWN);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

/* Removes the suffix; true if there was one. */
static bool strip_dirty(char *commit)
{
	size_t len = strlen(commit), suffix = strlen(DIRTY);

	if (len < suffix || strcmp(commit + len - suffix, DIRTY))
		return false;
	commit[len - suffix] = '\0';
	return true;
}

/* Scenarios are not built but read; without git they are taken for unchanged. */
static bool scenarios_changed(const char *commit)
{
	const char *dir = lab_root(), *where = "tools/lab/scenarios";
	char *cmd = xasprintf("{ git -C '%s' diff --name-only '%s' -- %s;"
			      " git -C '%s' ls-files -o --exclude-standard -- %s; } 2>/dev/null",
			      dir, commit, where, dir, where);
	bool changed;
	FILE *f;

	f = popen(cmd, "re");
	changed = f && fgetc(f) != EOF;
	if (f)
		pclose(f);
	free(cmd);
	return changed;
}

/**
 * run_commit() - what the modules and programs of a run were built from
 * @kernel_dir: where the modules are
 *
 * Return: new string: the commit; with "-dirty" if anything that matters for
 * results was changed since, or is of another commit; or "unknown".
 */
char *run_commit(const char *kernel_dir)
{
	static const char *const tools[] = { "lab", "flowgen" };
	char *commit = read_note(xasprintf("%s/commit", kernel_dir)), *tool, *all;
	bool dirty = strip_dirty(commit);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tools); i++) {
		tool = read_note(xasprintf("%s/build/obj/%s.commit", lab_root(), tools[i]));
		dirty |= strip_dirty(tool) || strcmp(tool, commit);
		free(tool);
	}
	if (strcmp(commit, UNKNOWN) == 0)
		return commit;
	dirty |= scenarios_changed(commit);
	all = xasprintf("%s%s", commit, dirty ? DIRTY : "");
	free(commit);
	return all;
}
