// SPDX-License-Identifier: GPL-2.0
/* Finds the functions of libibverbs that this library stands in for. */
#include <dlfcn.h>

#include "preload.h"

/* A function of libibverbs, which may have been loaded where RTLD_NEXT does not look. */
void *verbs_function(const char *name, const char *version)
{
	void *lib = dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_NOLOAD);

	return lib ? dlvsym(lib, name, version) : NULL;
}
