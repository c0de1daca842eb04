// SPDX-License-Identifier: GPL-2.0
/*
 * main() of the fuzz programs without libFuzzer: replays inputs, which are files or all files
 * of directories. The last line says how many.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "wrap.h"

static unsigned int done;

static int replay(const char *path)
{
	size_t len;
	char *text = read_file(path, &len);

	if (!text) {
		perror(path);
		return 1;
	}
	/* Said before: what ends the process is then known. */
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput((const uint8_t *)text, len);
	free(text);
	done++;
	return 0;
}

static int replay_all(const char *dir)
{
	struct dirent **list;
	int n = scandir(dir, &list, NULL, alphasort), i, rc = 0;

	if (n < 0)
		return replay(dir);
	for (i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, list[i]->d_name);

		if (list[i]->d_name[0] != '.')
			rc |= replay(path);
		free(path);
		free(list[i]);
	}
	free(list);
	return rc;
}

int main(int argc, char **argv)
{
	int i, rc = 0;

	fuzz_begin();
	for (i = 1; i < argc; i++)
		rc |= replay_all(argv[i]);
	fprintf(stderr, "%u inputs\n", done);
	return rc || !done;
}
