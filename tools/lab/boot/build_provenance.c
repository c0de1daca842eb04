// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what a run's kernel modules and programs were built from.
 *
 * The build leaves a note beside what it makes (scripts/commit.sh), because what
 * runs is not what the checkout holds now, and git may be missing where it runs.
 */
#include <fnmatch.h>
#include <dirent.h>
#include <inttypes.h>
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
	char *argv[] = { "sh", "-c", cmd, NULL }, *text;
	bool changed;

	child_output(&(struct child){ .argv = argv }, &text);
	changed = text && *text;
	free(text);
	free(cmd);
	return changed;
}

static char *look(const char *kernel_dir)
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

/**
 * build_commit() - what the modules and programs of a run were built from
 * @kernel_dir: where the modules are
 *
 * Return: new string: the commit; with "-dirty" if anything that matters for
 * results was changed since, or is of another commit; or "unknown". It is looked at once:
 * a command reads its scenario at its start.
 */
char *build_commit(const char *kernel_dir)
{
	static char *dir, *commit;

	if (!dir || strcmp(dir, kernel_dir)) {
		free(dir);
		free(commit);
		dir = xstrdup(kernel_dir);
		commit = look(kernel_dir);
	}
	return xstrdup(commit);
}

/**
 * hash_file() - add a file to a hash
 * @hash: so far; HASH_START
 * @path: file; one that cannot be read is taken for empty
 *
 * Return: new hash, which tells files apart and protects against nobody.
 */
uint64_t hash_file(uint64_t hash, const char *path)
{
	size_t len = 0, i;
	char *text = read_file(path, &len);

	for (i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * HASH_FACTOR;
	free(text);
	return hash;
}

/**
 * hash_files() - add files of a directory to a hash, in the order of their names
 * @hash: so far
 * @dir: directory
 * @pattern: of their names
 * @except: of names that are left out, or NULL
 *
 * Return: new hash.
 */
uint64_t hash_files(uint64_t hash, const char *dir, const char *pattern, const char *except)
{
	struct dirent **list;
	int n = scandir(dir, &list, NULL, alphasort), i;

	for (i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, list[i]->d_name);

		if (!fnmatch(pattern, list[i]->d_name, 0) &&
		    (!except || fnmatch(except, list[i]->d_name, 0)))
			hash = hash_file(hash, path);
		free(path);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return hash;
}

/**
 * build_fingerprint() - tells builds apart that would give different results
 * @kernel_dir: where the modules are
 *
 * A commit does, and what two machines make of it need not be the same bytes. Changed
 * or unknown sources have no name but that of what was made of them.
 *
 * Return: new string: build_commit(), and a hash of programs, kernel, modules and
 * scenarios if that is not enough.
 */
char *build_fingerprint(const char *kernel_dir)
{
	static const char *const progs[] = { "lab", "labinit", "flowgen" };
	static const char *const scenarios[] = { "", "/keys", "/topologies" };
	char *commit = build_commit(kernel_dir), *path, *build;
	uint64_t hash = HASH_START;
	size_t i;

	if (!strstr(commit, DIRTY) && strcmp(commit, UNKNOWN))
		return commit;
	for (i = 0; i < ARRAY_SIZE(progs); i++) {
		path = xasprintf("%s/build/bin/%s", lab_root(), progs[i]);
		hash = hash_file(hash, path);
		free(path);
	}
	path = xasprintf("%s/linux", kernel_dir);
	hash = hash_file(hash, path);
	free(path);
	hash = hash_files(hash, kernel_dir, "*.ko", NULL);
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		path = xasprintf("%s/tools/lab/scenarios%s", lab_root(), scenarios[i]);
		hash = hash_files(hash, path, "*.json", NULL);
		free(path);
	}
	build = xasprintf("%s:%016" PRIx64, commit, hash);
	free(commit);
	return build;
}

/**
 * cmd_version() - lab version
 * @argc: as of main()
 * @argv: as of main()
 *
 * Return: exit status.
 */
int cmd_version(int argc, char **argv)
{
	bool debug = argc == 2 && strcmp(argv[1], "--debug") == 0;
	char *kdir, *build;

	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		printf("Usage: lab version [--debug]\n\n"
		       "Prints the commit that the lab kernel's modules and programs were built\n"
		       "from, as it stands in the results, with a hash of what was built when the\n"
		       "sources are not those of a commit. --debug: of the debug kernel.\n");
		return EXIT_OK;
	}
	if (argc > 1 && !debug)
		return usage_error("version: unexpected \"%s\"; see \"lab version -h\"", argv[1]);
	kdir = kernel_dir(debug);
	build = build_fingerprint(kdir);
	printf("%s\n", build);
	free(build);
	free(kdir);
	return EXIT_OK;
}
