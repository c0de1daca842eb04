// SPDX-License-Identifier: GPL-2.0
/*
 * lab: modules of the user's own (--module): algorithms that were built outside of this tree.
 *
 * All that looks for modules looks into one directory. So those of the user get a directory that
 * has links to the lab's kernel and modules, and copies of theirs: that is kernel_dir() then. It
 * is in the cache, named by what is in it, so that the kernel is asked for its tables once.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/modinfo.h"
#include "lab.h"

#define PREFIX		"rxe_cc_"
#define CORE		"rxe_cc.ko"
/* In .modinfo, by "lab build": srcversion of the core whose headers were used. */
#define CORE_KEY	"rxe_cc_core="
#define KEEP_S		(7 * 24 * 3600)
#define DIR_NAME	"own-"

struct own {
	char *path, *algo, *vermagic, *core, *image;
	size_t len;
	uint64_t hash;
};

static struct own *own;
static size_t n_own;

static char *info(const char *image, size_t len, const char *key)
{
	size_t pos = 0;
	const char *text = modinfo_next(image, len, key, &pos);

	return text ? xstrdup(text) : NULL;
}

/* The kernel lets only such modules use what the core exports. */
static bool is_gpl(const struct own *m)
{
	char *license = info(m->image, m->len, "license=");
	bool gpl = license && (!strncmp(license, "GPL", 3) || !strncmp(license, "Dual ", 5));

	free(license);
	return gpl;
}

/* What it declares by MODULE_ALIAS_RXE_CC(). */
static char *algo_of(const struct own *m)
{
	const char *alias;
	size_t pos = 0;

	while ((alias = modinfo_next(m->image, m->len, "alias=", &pos)))
		if (strncmp(alias, PREFIX, strlen(PREFIX)) == 0)
			return xstrdup(alias + strlen(PREFIX));
	return NULL;
}

static int read_module(struct own *m)
{
	m->image = read_file(m->path, &m->len);
	if (!m->image)
		return usage_error("--module %s: %s", m->path, strerror(errno));
	m->vermagic = info(m->image, m->len, "vermagic=");
	if (!m->vermagic)
		return usage_error("--module %s: not a kernel module (lab build DIR makes one)",
				   m->path);
	m->algo = algo_of(m);
	if (!m->algo)
		return usage_error("--module %s: no algorithm: MODULE_ALIAS_RXE_CC(\"NAME\") is missing",
				   m->path);
	if (!is_gpl(m))
		return usage_error("--module %s: MODULE_LICENSE(\"GPL\") is missing: the kernel refuses other modules",
				   m->path);
	m->core = info(m->image, m->len, CORE_KEY);
	m->hash = hash_file(HASH_START, m->path);
	return 0;
}

/**
 * own_module_option() - take --module
 * @into: not looked at
 * @row: the same
 * @path: file
 *
 * A file that was given before changes nothing: "lab sweep" reads the options of each run.
 *
 * Return: 0, or the exit status after a message.
 */
int own_module_option(void *into, const struct option_row *row, char *path)
{
	char real[PATH_MAX];
	struct own m = {};
	size_t i;
	int rc;

	(void)into;
	(void)row;
	if (!realpath(path, real))
		return usage_error("--module %s: %s", path, strerror(errno));
	for (i = 0; i < n_own; i++)
		if (strcmp(own[i].path, real) == 0)
			return 0;
	m.path = xstrdup(real);
	rc = read_module(&m);
	for (i = 0; i < n_own && !rc; i++)
		if (strcmp(own[i].algo, m.algo) == 0)
			rc = usage_error("--module %s: \"%s\" is the algorithm of %s, too", path,
					 m.algo, own[i].path);
	if (rc)
		return rc;
	own = xreallocarray(own, n_own + 1, sizeof(*own));
	own[n_own++] = m;
	return 0;
}

/**
 * own_module_path() - modules of --module
 * @i: which, from 0 on
 *
 * Return: full path; NULL: there are no more.
 */
const char *own_module_path(size_t i)
{
	return i < n_own ? own[i].path : NULL;
}

/**
 * own_module_name() - algorithms of --module
 * @i: which, from 0 on
 *
 * Return: what MODULE_ALIAS_RXE_CC() says; NULL: there are no more.
 */
const char *own_module_name(size_t i)
{
	return i < n_own ? own[i].algo : NULL;
}

/**
 * own_module_algo() - the algorithm that a module declares by MODULE_ALIAS_RXE_CC()
 * @path: its file
 *
 * Return: new string; NULL: none, or the file cannot be read.
 */
char *own_module_algo(const char *path)
{
	struct own m = {};
	char *algo;

	m.image = read_file(path, &m.len);
	algo = m.image ? algo_of(&m) : NULL;
	free(m.image);
	return algo;
}

/**
 * own_module_of() - the module of an algorithm, if that is the user's own
 * @algo: algorithm
 * @hash: becomes the hash of its file
 *
 * Return: full path; NULL: it is an algorithm of the lab.
 */
const char *own_module_of(const char *algo, uint64_t *hash)
{
	size_t i;

	for (i = 0; i < n_own; i++) {
		if (strcmp(own[i].algo, algo))
			continue;
		*hash = own[i].hash;
		return own[i].path;
	}
	return NULL;
}

/**
 * own_module_core() - which core modules of the user's must have been built for
 * @kdir: kernel and modules
 *
 * Return: new string: the srcversion of the core, which changes with its headers; NULL: it has
 * none.
 */
char *own_module_core(const char *kdir)
{
	char *path = xasprintf("%s/" CORE, kdir), *image, *text = NULL;
	size_t len;

	image = read_file(path, &len);
	if (image)
		text = info(image, len, "srcversion=");
	free(image);
	free(path);
	return text;
}

/* Words of a version, without the blank behind the last. */
static int words(const char *vermagic)
{
	int len = strlen(vermagic);

	while (len && vermagic[len - 1] == ' ')
		len--;
	return len;
}

static int check_kernel(const struct own *m, const char *kdir, bool debug)
{
	const char *how = debug ? "lab build --debug DIR" : "lab build DIR";
	char *path = xasprintf("%s/" CORE, kdir), *image, *magic = NULL;
	char *core = own_module_core(kdir);
	size_t len;
	int rc = 0;

	image = read_file(path, &len);
	if (image)
		magic = info(image, len, "vermagic=");
	if (!magic)
		rc = check_built(path);
	else if (strcmp(magic, m->vermagic))
		rc = usage_error("--module %s: built for kernel \"%.*s\", the lab's is \"%.*s\": %s",
				 m->path, words(m->vermagic), m->vermagic, words(magic), magic,
				 how);
	else if (m->core && core && strcmp(core, m->core))
		rc = usage_error("--module %s: built for another version of rxe_cc than this lab's: %s",
				 m->path, how);
	free(magic);
	free(image);
	free(core);
	free(path);
	return rc;
}

/**
 * algo_exists() - has the lab an algorithm of this name?
 * @kdir: the lab's modules
 * @name: name
 *
 * Return: true if so.
 */
bool algo_exists(const char *kdir, const char *name)
{
	char *path = xasprintf("%s/" PREFIX "%s.ko", kdir, name);
	bool there = path_exists(path) || strcmp(name, "none") == 0;

	free(path);
	return there;
}

static int check_name(const struct own *m, const char *kdir)
{
	return algo_exists(kdir, m->algo) ? usage_error("--module %s: the lab has an algorithm \"%s\": give yours another name",
				   m->path, m->algo) : 0;
}

/**
 * kernel_dir_built() - where the lab kernel is, with the modules that "make" has built
 * @debug: the debug kernel
 *
 * Return: new string.
 */
char *kernel_dir_built(bool debug)
{
	return xasprintf("%s/build/uml-%s", lab_root(), debug ? "debug" : "lab");
}

/* The directory that has also the modules of --module, beside those of @kdir; NULL: there is no
 * --module.
 */
static char *own_modules_dir(const char *kdir)
{
	const char *variant = strrchr(kdir, '-');
	uint64_t hash = HASH_START;
	char *cache = n_own ? cache_dir() : NULL, *dir;
	size_t i;

	if (!cache)
		return NULL;
	for (i = 0; kdir[i]; i++)
		hash = (hash ^ (unsigned char)kdir[i]) * HASH_FACTOR;
	for (i = 0; i < n_own; i++)
		hash = (hash ^ own[i].hash) * HASH_FACTOR;
	dir = xasprintf("%s/" DIR_NAME "%016" PRIx64 "%s", cache, hash, variant ? variant : "");
	free(cache);
	return dir;
}

/**
 * kernel_dir() - where the lab kernel is, with all modules, also those of --module
 * @debug: the debug kernel
 *
 * Return: new string.
 */
char *kernel_dir(bool debug)
{
	char *built = kernel_dir_built(debug), *own = own_modules_dir(built);

	if (!own)
		return built;
	free(built);
	return own;
}

/**
 * kernel_variant() - which of the lab's kernels a run has
 * @o: options of the run
 *
 * Return: the name of its directory behind "uml-".
 */
const char *kernel_variant(const struct run_opts *o)
{
	return o->apps ? "apps" : o->debug ? "debug" : "lab";
}

/**
 * kernel_dir_of() - where the kernel of a run is, with all modules
 * @o: options of the run
 *
 * Return: new string.
 */
char *kernel_dir_of(const struct run_opts *o)
{
	return o->apps ? xasprintf("%s/build/uml-apps", lab_root()) : kernel_dir(o->debug);
}

/* Those of modules that have not been used for a week. */
static void remove_old(const char *dir)
{
	char *cache = xasprintf("%.*s", (int)(strrchr(dir, '/') - dir), dir), *path;
	struct dirent *de;
	struct stat st;
	DIR *d = opendir(cache);

	while (d && (de = readdir(d))) {
		if (strncmp(de->d_name, DIR_NAME, strlen(DIR_NAME)))
			continue;
		path = xasprintf("%s/%s", cache, de->d_name);
		if (strcmp(path, dir) && !lstat(path, &st) && S_ISDIR(st.st_mode) &&
		    st.st_mtime + KEEP_S < time(NULL))
			rm_rf(path);
		free(path);
	}
	if (d)
		closedir(d);
	free(cache);
}

/* All that the lab's directory has but its tables, which are of other modules. */
static int link_all(const char *kdir, const char *dir)
{
	DIR *d = opendir(kdir);
	struct dirent *de;
	int rc = d ? 0 : -1;

	while (!rc && (de = readdir(d))) {
		char *from = xasprintf("%s/%s", kdir, de->d_name);
		char *to = xasprintf("%s/%s", dir, de->d_name);

		if (de->d_name[0] != '.' && strncmp(de->d_name, "tables.json", 11) &&
		    symlink(from, to) && errno != EEXIST)
			rc = -1;
		free(from);
		free(to);
	}
	if (d)
		closedir(d);
	return rc;
}

/* Under another name first: several may do so at once. */
static int copy_module(const struct own *m, const char *dir)
{
	char *to = xasprintf("%s/" PREFIX "%s.ko", dir, m->algo);
	char *part = xasprintf("%s.%d", to, (int)getpid());
	FILE *f = fopen(part, "we");
	int rc = f ? 0 : -1;

	if (f && fwrite(m->image, 1, m->len, f) != m->len)
		rc = -1;
	if (f && file_close(f))
		rc = -1;
	if (!rc)
		rc = rename(part, to);
	if (rc)
		unlink(part);
	free(part);
	free(to);
	return rc;
}

static int fill(const char *kdir, char *dir)
{
	size_t i;
	int rc;

	remove_old(dir);
	rc = mkdir_p(dir) || link_all(kdir, dir);
	for (i = 0; i < n_own && !rc; i++)
		rc = copy_module(&own[i], dir);
	/* When it was used last. */
	if (!rc)
		utimensat(AT_FDCWD, dir, NULL, 0);
	return rc ? run_error("--module: %s: %s", dir, strerror(errno)) : 0;
}

/**
 * own_modules_use() - have kernel_dir() be a directory with the modules of --module
 * @debug: for the debug kernel
 *
 * Return: 0, also if there are none, or the exit status after a message.
 */
int own_modules_use(bool debug)
{
	static char *done;
	char *kdir = kernel_dir_built(debug), *dir = own_modules_dir(kdir);
	size_t i;
	int rc = 0;

	/* A directory that everybody may write to would let others choose the kernel. */
	if (n_own && !dir)
		rc = usage_error("--module needs a cache: set HOME or RXE_CC_CACHE");
	for (i = 0; i < n_own && !rc; i++) {
		rc = check_kernel(&own[i], kdir, debug);
		if (!rc)
			rc = check_name(&own[i], kdir);
	}
	if (dir && !rc && (!done || strcmp(done, dir))) {
		rc = fill(kdir, dir);
		free(done);
		done = xstrdup(dir);
	}
	free(dir);
	free(kdir);
	return rc;
}
