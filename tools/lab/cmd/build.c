// SPDX-License-Identifier: GPL-2.0
/*
 * lab build: compiles algorithms of the user's own, outside of this tree. Each cc_NAME.c of a
 * directory becomes a module rxe_cc_NAME.ko beside it, for the lab kernel or for this machine's.
 *
 * What that takes is in a checkout after "make", and in the package rxe-cc-dev at the same
 * places: the headers (include/), the kernel's headers and the list of symbols of our modules.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

#define SRC_PREFIX	"cc_"
#define NAME_MAX_LEN	15
#define HOST_DIR	"host"
#define TEMPLATE	"drivers/infiniband/sw/rxe_cc/algos/cc_template.c"

struct build {
	bool host, debug;
	const char *new;		/* name of an algorithm to begin with */
	const char *given;		/* directory, as it was written */
	char *dir;			/* the same, full path */
	char *kdir;			/* where the modules are that it is built against */
	char *kernel, *output;		/* the kernel's headers; what it was built in, or NULL */
	char *symbols;			/* of our modules */
	char *work;
	struct option_list names;	/* of the algorithms */
};

#define AT(m)	.at = offsetof(struct build, m)
static const struct option_row rows[] = {
	{ "new", "NAME", "write DIR/cc_NAME.c, an algorithm to begin with, and compile nothing",
	  OPTION_TEXT, AT(new) },
	{ "host", NULL, "for the machine's kernel that \"make modules-host\" was for, into DIR/host",
	  OPTION_FLAG, AT(host) },
	{ "debug", NULL, "for the debug kernel (build/uml-debug)", OPTION_FLAG, AT(debug) },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab build", .rows = rows, .indent = 2, .column = 14,
	.before =
"Usage: lab build [OPTIONS] [DIR]\n"
"       lab build --new NAME [DIR]\n\n"
"Compiles algorithms of your own: each cc_NAME.c in DIR (the current directory if it is\n"
"not given) becomes DIR/rxe_cc_NAME.ko, for \"lab run --module\" and \"lab check\".\n"
"Headers of your own may be beside it. Exit status: 0 done; 1 it does not compile;\n"
"2 bad arguments.\n\n",
};

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), n = strlen(suffix);

	return len > n && strcmp(name + len - n, suffix) == 0;
}

static bool is_name(const char *name)
{
	size_t len = strlen(name), i;

	for (i = 0; i < len; i++)
		if (!islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) &&
		    name[i] != '_')
			return false;
	return len && len <= NAME_MAX_LEN;
}

static int check_name(const struct build *b, const char *name)
{
	if (!is_name(name))
		return usage_error("%s/" SRC_PREFIX "%s.c: a name has 1 to %d lower case letters, digits and _",
				   b->given, name, NAME_MAX_LEN);
	if (algo_exists(b->kdir, name))
		return usage_error("%s/" SRC_PREFIX "%s.c: the lab has an algorithm \"%s\": give yours another name",
				   b->given, name, name);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_sources(struct build *b)
{
	const size_t plen = strlen(SRC_PREFIX);
	DIR *d = opendir(b->given);
	struct dirent *de;
	size_t i;
	int rc = 0;

	if (!d)
		return usage_error("%s: %s", b->given, strerror(errno));
	while ((de = readdir(d)))
		if (strncmp(de->d_name, SRC_PREFIX, plen) == 0 && has_suffix(de->d_name, ".c"))
			list_add(&b->names, xasprintf("%.*s", (int)(strlen(de->d_name) - plen - 2),
						      de->d_name + plen));
	closedir(d);
	if (!b->names.n)
		return usage_error("%s: no algorithm here: that is a file " SRC_PREFIX "NAME.c",
				   b->given);
	qsort(b->names.v, b->names.n, sizeof(*b->names.v), by_name);
	for (i = 0; i < b->names.n && !rc; i++)
		rc = check_name(b, b->names.v[i]);
	return rc;
}

static int need(const char *path)
{
	if (access(path, R_OK) == 0)
		return 0;
	return run_error("%s is missing: install rxe-cc-dev, or run \"make\" in a checkout", path);
}

static char *real_path(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name), *real = realpath(path, NULL);

	if (!real)
		return path;
	free(path);
	return real;
}

/* Where "make" has noted of which kernel the headers were. */
static char *host_kernel(const char *kdir)
{
	char *path = xasprintf("%s/.kernel", kdir), *text = read_file(path, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	free(path);
	return text ? text : xasprintf("%s/.kernel", kdir);
}

static int find_kernel(struct build *b)
{
	static const char *const tools[] = { "make", "gcc" };
	char *header = xasprintf("%s/include/rxe_cc/cc.h", lab_root()), *makefile;
	size_t i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(tools); i++)
		if (!child_exists(tools[i]))
			return run_error("no compiler: %s is not in the PATH", tools[i]);
	b->symbols = xasprintf("%s/mod/Module.symvers", b->kdir);
	if (b->host) {
		b->kernel = host_kernel(b->kdir);
	} else {
		char *build = xasprintf("%s/build", lab_root());

		b->kernel = real_path(build, "ksrc");
		b->output = real_path(b->kdir, "obj");
		free(build);
	}
	makefile = xasprintf("%s/Makefile", b->kernel);
	rc = need(header) ?: need(b->symbols) ?: need(makefile);
	free(makefile);
	free(header);
	return rc;
}

/* The compiler reads the user's files, and writes beside their links. */
static int link_sources(struct build *b)
{
	DIR *d = opendir(b->dir);
	struct dirent *de;
	int rc = d ? 0 : -1;

	while (!rc && (de = readdir(d))) {
		char *from = xasprintf("%s/%s", b->dir, de->d_name);
		char *to = xasprintf("%s/%s", b->work, de->d_name);

		if ((has_suffix(de->d_name, ".c") || has_suffix(de->d_name, ".h")) &&
		    symlink(from, to))
			rc = -1;
		free(from);
		free(to);
	}
	if (d)
		closedir(d);
	return rc;
}

/* With a note in each module of the core that it is for: "lab run" looks at it. */
static int write_makefile(struct build *b)
{
	char *path = xasprintf("%s/Kbuild", b->work), *core = own_module_core(b->kdir);
	char *note = xasprintf("%s/own_core.c", b->work);
	FILE *f = fopen(path, "we");
	size_t i;
	int rc = f ? 0 : -1;

	if (!rc && write_file(note, "#include <linux/module.h>\n\nMODULE_INFO(rxe_cc_core, \"%s\");\n",
			      core ? core : ""))
		rc = -1;
	if (f) {
		/* The lab's kernel could, a machine's cannot calculate with floating point. */
		fprintf(f, "ccflags-y := -mgeneral-regs-only -I%s/include -I%s/include/uapi\n",
			lab_root(), lab_root());
		for (i = 0; i < b->names.n; i++)
			fprintf(f, "obj-m += rxe_cc_%s.o\nrxe_cc_%s-y := " SRC_PREFIX "%s.o own_core_%zu.o\n",
				b->names.v[i], b->names.v[i], b->names.v[i], i);
		rc = file_close(f) || rc ? -1 : 0;
	}
	/* An object is of one module. */
	for (i = 0; i < b->names.n && !rc; i++) {
		char *to = xasprintf("%s/own_core_%zu.c", b->work, i);

		rc = link(note, to);
		free(to);
	}
	free(path);
	free(note);
	free(core);
	return rc;
}

static char *replaced(const char *text, const char *what, const char *with)
{
	char *out = xstrdup(""), *more;
	const char *p;

	while ((p = strstr(text, what))) {
		more = xasprintf("%s%.*s%s", out, (int)(p - text), text, with);
		free(out);
		out = more;
		text = p + strlen(what);
	}
	more = xasprintf("%s%s", out, text);
	free(out);
	return more;
}

/* What the compiler says is about the user's files. What make says is shown if they say nothing. */
static bool is_shown(const char *line, bool make)
{
	static const char *const others[] = {
		"make", "warning: the compiler", "  The kernel was built", "  You are using",
	};
	size_t i;

	for (i = make ? 1 : 0; i < ARRAY_SIZE(others); i++)
		if (strncmp(line, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}

static void print_messages(const struct build *b, const char *text, bool make)
{
	char *dir = xasprintf("%s/", b->work), *there = xasprintf("%s/", b->given);
	char *all = replaced(text, dir, there), *save = NULL, *line;

	for (line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (is_shown(line, make))
			fprintf(stderr, "%s\n", line);
	free(all);
	free(there);
	free(dir);
}

static int why_failed(const struct build *b, const char *text)
{
	if (strstr(text, "missing MODULE_LICENSE") || strstr(text, "GPL-incompatible module"))
		return run_error("%s: MODULE_LICENSE(\"GPL\") is missing: the kernel refuses other modules",
				 b->given);
	/* A call of the compiler's library, or that there are no registers for it. */
	if (strstr(text, "df3\"") || strstr(text, "didf\"") || strstr(text, "dfdi\"") ||
	    strstr(text, "undidf\"") || strstr(text, "SSE dis"))
		return run_error("%s: the kernel has no floating point: rxe_cc/cc_math.h has fractions",
				 b->given);
	print_messages(b, text, !strstr(text, "error: "));
	return run_error("%s: it does not compile", b->given);
}

static int compile(struct build *b)
{
	char *symbols = xasprintf("KBUILD_EXTRA_SYMBOLS=%s", b->symbols), *text = NULL;
	char *output = xasprintf("O=%s", b->output ? b->output : "");
	char *m = xasprintf("M=%s", b->work);
	char *argv[] = {
		"make", "-s", "-C", b->kernel, m, symbols, "modules",
		b->output ? output : NULL, "ARCH=um", NULL
	};
	int rc;

	/* Of a make that has started this program. */
	unsetenv("MAKEFLAGS");
	unsetenv("MAKELEVEL");
	rc = child_output(&(struct child){ .argv = argv, .errors = true, .death = SIGTERM }, &text);
	if (work_interrupted())
		rc = interrupted_error();
	else if (rc)
		rc = why_failed(b, text ? text : "");
	else
		print_messages(b, text, false);
	free(text);
	free(symbols);
	free(output);
	free(m);
	return rc;
}

/* The kernel asks for a module by its alias, users for an algorithm by the same name. */
static int check_alias(const struct build *b, const char *name)
{
	char *ko = xasprintf("%s/rxe_cc_%s.ko", b->work, name), *alias = own_module_algo(ko);
	int rc = 0;

	if (!alias)
		rc = run_error("%s/" SRC_PREFIX "%s.c: MODULE_ALIAS_RXE_CC(\"%s\") is missing",
			       b->given, name, name);
	else if (strcmp(alias, name))
		rc = run_error("%s/" SRC_PREFIX "%s.c: MODULE_ALIAS_RXE_CC(\"%s\") must have the file's name, \"%s\"",
			       b->given, name, alias, name);
	free(alias);
	free(ko);
	return rc;
}

static int copy_result(const struct build *b, const char *name)
{
	char *from = xasprintf("%s/rxe_cc_%s.ko", b->work, name);
	char *to = xasprintf("%s/%srxe_cc_%s.ko", b->given, b->host ? HOST_DIR "/" : "", name);
	char *part = xasprintf("%s.%d", to, (int)getpid());
	char *argv[] = { "cp", "--", from, part, NULL };
	int rc = child_run(&(struct child){ .argv = argv });

	/* cp has said why. */
	if (rc)
		rc = run_error("%s: cannot be written", to);
	else if (rename(part, to))
		rc = run_error("%s: %s", to, strerror(errno));
	else
		printf("%s\n", to);
	if (rc)
		unlink(part);
	free(part);
	free(from);
	free(to);
	return rc;
}

static int build(struct build *b)
{
	char *host = xasprintf("%s/" HOST_DIR, b->given);
	size_t i;
	int rc = 0;

	if (link_sources(b) || write_makefile(b))
		rc = run_error("%s: %s", b->work, strerror(errno));
	if (!rc)
		rc = compile(b);
	if (!rc && b->host && mkdir_p(host))
		rc = run_error("%s: %s", host, strerror(errno));
	for (i = 0; i < b->names.n && !rc; i++)
		rc = check_alias(b, b->names.v[i]) ?: copy_result(b, b->names.v[i]);
	free(host);
	return rc;
}

/* The template of this tree under another name. */
static int write_new(struct build *b)
{
	char *from = xasprintf("%s/" TEMPLATE, lab_root()), *text = read_file(from, NULL);
	char *path = xasprintf("%s/" SRC_PREFIX "%s.c", b->given, b->new), *upper = xstrdup(b->new);
	char *lower, *all;
	size_t i;
	int rc;

	b->kdir = kernel_dir_built(false);
	rc = check_name(b, b->new) ?: need(from);
	if (!rc && path_exists(path))
		rc = usage_error("%s is there already", path);
	if (rc)
		return rc;
	for (i = 0; upper[i]; i++)
		upper[i] = toupper((unsigned char)upper[i]);
	lower = replaced(text, "template", b->new);
	all = replaced(lower, "TEMPLATE", upper);
	if (mkdir_p(b->given) || write_file(path, "%s", all))
		rc = run_error("%s: %s", path, strerror(errno));
	else
		printf("%s\n", path);
	free(all);
	free(lower);
	free(upper);
	free(path);
	free(text);
	free(from);
	return rc;
}

int cmd_build(int argc, char **argv)
{
	struct build b = {};
	int rc = options_parse(&options, &b, argc, argv);

	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (optind + 1 < argc)
		return usage_error("build: unexpected \"%s\"; see \"lab build --help\"",
				   argv[optind + 1]);
	if (b.host && b.debug)
		return usage_error("--host and --debug: one or the other");
	b.given = argv[optind] ? argv[optind] : ".";
	if (b.new)
		return write_new(&b);
	b.dir = realpath(b.given, NULL);
	if (!b.dir)
		return usage_error("%s: %s", b.given, strerror(errno));
	b.kdir = b.host ? xasprintf("%s/build/host", lab_root()) : kernel_dir_built(b.debug);
	rc = find_sources(&b) ?: find_kernel(&b);
	if (!rc) {
		b.work = work_dir_make();
		rc = b.work ? build(&b) : EXIT_RUN_FAILED;
		if (b.work)
			work_dir_remove(b.work);
	}
	return rc;
}
