// SPDX-License-Identifier: GPL-2.0
/* Command lines by tables. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "options.h"

#define LONG	256	/* getopt's value of the first row; a letter is below */

static const struct number_kind {
	const char *name;
	const struct unit_suffix *units;
} number_kinds[] = {
	[OPTION_COUNT] = { "number", unit_counts },
	[OPTION_TIME] = { "time", unit_times },
	[OPTION_SIZE] = { "size", unit_sizes },
	[OPTION_RATE] = { "rate", unit_rates },
};

static int LIB_PRINTF(2, 3) wrong(const struct options *o, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "%.*s: ", (int)strcspn(o->command, " "), o->command);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return OPTIONS_WRONG;
}

static bool has(const struct options *o, const struct option_row *r)
{
	return !r->in || (r->in & o->in);
}

/* An option of other commands, whose name is that of another one here. */
static bool is_hidden(const struct options *o, const struct option_row *r)
{
	const struct option_row *other = o->rows;

	if (has(o, r) || !r->name)
		return false;
	while ((other->name || other->help) &&
	       (!other->name || strcmp(other->name, r->name) || !has(o, other)))
		other++;
	return other->name;
}

static void print_row(const struct options *o, const struct option_row *r, FILE *to)
{
	const char *line = r->help, *end;
	char letter[8] = "";
	int used, gap;

	if (r->letter)
		snprintf(letter, sizeof(letter), "-%c, ", r->letter);
	used = fprintf(to, "%*s%s--%s%s%s", o->indent, "", letter, r->name,
		       r->arg ? " " : "", r->arg ? r->arg : "");
	gap = o->column > used ? o->column - used : 2;
	while ((end = strchr(line, '\n'))) {
		fprintf(to, "%*s%.*s\n", gap, "", (int)(end - line), line);
		line = end + 1;
		gap = o->column;
	}
	fprintf(to, "%*s%s\n", gap, "", line);
}

/**
 * options_help() - print what a command is for, and its options
 * @o: its options
 * @to: where
 */
void options_help(const struct options *o, FILE *to)
{
	const struct option_row *r;

	fputs(o->before, to);
	for (r = o->rows; o->column && (r->name || r->help); r++) {
		if (!has(o, r) || !r->help || r->kind == OPTION_OLD)
			continue;
		if (r->kind == OPTION_TITLE)
			fputs(r->help, to);
		else
			print_row(o, r, to);
	}
	if (o->after)
		fputs(o->after, to);
}

/* For the completion of a shell: each option, and the words that its value may be. */
static void print_words(const struct options *o)
{
	const struct option_row *r;
	size_t i;

	for (r = o->rows; r->name || r->help; r++) {
		if (!has(o, r) || r->kind == OPTION_TITLE || r->kind == OPTION_OLD)
			continue;
		printf("--%s", r->name);
		for (i = 0; r->words && r->words[i]; i++)
			printf(" %s", r->words[i]);
		putchar('\n');
	}
}

static void print_number(char *buf, size_t len, const struct unit_suffix *units, uint64_t val)
{
	const struct unit_suffix *u = unit_dividing(units, val);

	snprintf(buf, len, "%llu%s", (unsigned long long)(val / u->mul), val ? u->name : "");
}

/* Counts only: a unit behind hexadecimal digits could be some of them. */
static bool read_hex(const char *text, uint64_t *val)
{
	char *end;

	if (text[0] != '0' || tolower((unsigned char)text[1]) != 'x' ||
	    !isxdigit((unsigned char)text[2]))
		return false;
	errno = 0;
	*val = strtoull(text, &end, 16);
	return !errno && !*end;
}

static int read_number(const struct options *o, const struct option_row *r, const char *text,
		       uint64_t *to)
{
	const struct number_kind *k = &number_kinds[r->kind];
	char min[32], max[32];
	uint64_t val;
	bool good = !quantity_parse_u64(k->units, text, &val) ||
		(r->kind == OPTION_COUNT && read_hex(text, &val));

	if (good && val >= r->min && val <= (r->max ? r->max : INT64_MAX)) {
		*to = val;
		return 0;
	}
	print_number(min, sizeof(min), k->units, r->min);
	print_number(max, sizeof(max), k->units, r->max);
	if (r->max)
		return wrong(o, "--%s %s: not a %s from %s to %s", r->name, text, k->name, min,
			     max);
	if (r->min)
		return wrong(o, "--%s %s: not a %s of at least %s", r->name, text, k->name, min);
	return wrong(o, "--%s %s: not a %s", r->name, text, k->name);
}

static int check_word(const struct options *o, const struct option_row *r, const char *text)
{
	char all[400] = "";
	size_t i, len = 0;

	for (i = 0; r->words && r->words[i]; i++) {
		if (!strcmp(r->words[i], text))
			return 0;
		len += snprintf(all + len, sizeof(all) - len, "%s%s",
				!i ? "" : r->words[i + 1] ? ", " : " or ", r->words[i]);
	}
	if (!*text)
		return wrong(o, "--%s: empty value", r->name);
	return i ? wrong(o, "--%s %s: must be %s", r->name, text, all) : 0;
}

/**
 * list_add() - append to a list
 * @l: list
 * @word: kept, not copied
 */
void list_add(struct option_list *l, char *word)
{
	l->v = xreallocarray(l->v, l->n + 2, sizeof(*l->v));
	l->v[l->n++] = word;
	l->v[l->n] = NULL;
}

/**
 * list_add2() - append an option and its value
 * @l: list
 * @word: kept, not copied
 * @next: the same
 */
void list_add2(struct option_list *l, char *word, char *next)
{
	list_add(l, word);
	list_add(l, next);
}

/**
 * option_words() - keep an option as words, for another command
 * @into: the caller's structure, with a struct option_list at @row->at
 * @row: the option
 * @text: its value, copied; NULL: it has none
 *
 * Return: 0.
 */
int option_words(void *into, const struct option_row *row, char *text)
{
	struct option_list *list = (void *)((char *)into + row->at);

	list_add(list, xasprintf("--%s", row->name));
	if (text)
		list_add(list, xstrdup(text));
	return 0;
}

static int take(const struct options *o, const struct option_row *r, char *text, void *into)
{
	void *to = (char *)into + r->at;
	struct option_list *list = to;
	int rc;

	if (!has(o, r))
		return wrong(o, "--%s: not for \"%s\"", r->name, o->command);
	switch (r->kind) {
	case OPTION_FLAG:
		*(bool *)to = true;
		return 0;
	case OPTION_TEXT:
		rc = check_word(o, r, text);
		if (!rc)
			*(const char **)to = text;
		return rc;
	case OPTION_LIST:
		list_add(list, text);
		return 0;
	case OPTION_CALL:
		return r->call(into, r, text) ? OPTIONS_WRONG : 0;
	case OPTION_OLD:
		return wrong(o, "--%s: is called %s now", r->name, r->help);
	case OPTION_HELP:
		options_help(o, stdout);
		return OPTIONS_HELP;
	default:
		return read_number(o, r, text, to);
	}
}

static const struct option_row *row_of(const struct options *o, int c)
{
	const struct option_row *r = o->rows;

	if (c >= LONG)
		return r + c - LONG;
	while (r->letter != c)
		r++;
	return r;
}

/* All that has to be there. */
static int check_all(const struct options *o, const void *into)
{
	const struct option_row *r;

	for (r = o->rows; r->name || r->help; r++)
		if (r->must && has(o, r) && !*(const char *const *)((const char *)into + r->at))
			return wrong(o, "--%s %s is missing; see \"%s --help\"", r->name, r->arg,
				     o->command);
	return 0;
}

/**
 * options_parse() - read a command line
 * @o: options of the command
 * @into: the caller's structure with defaults in it; values go there
 * @argc: number of words, the first is the command
 * @argv: the words; those that are no options are last afterwards, from optind on
 *
 * Values stay in @argv. With the one word --complete it prints what a shell's completion
 * wants to know.
 *
 * Return: 0; OPTIONS_HELP when help was printed; OPTIONS_WRONG after a message.
 */
int options_parse(const struct options *o, void *into, int argc, char **argv)
{
	struct option *opts;
	char letters[64] = "+:", *l = letters + strlen(letters);
	size_t i;
	int c, rc = 0;

	if (argc == 2 && !strcmp(argv[1], "--complete")) {
		print_words(o);
		return OPTIONS_HELP;
	}
	for (i = 0; o->rows[i].name || o->rows[i].help; i++)
		;
	opts = xcalloc(i + 1, sizeof(*opts));
	while (i--) {
		const struct option_row *r = &o->rows[i];

		opts[i] = (struct option){ "", !!r->arg, NULL, LONG + (int)i };
		if (r->name && !is_hidden(o, r))
			opts[i].name = r->name;
		if (r->letter) {
			*l++ = r->letter;
			if (r->arg)
				*l++ = ':';
		}
	}
	opterr = 0;
	optind = 0;
	while (!rc && (c = getopt_long(argc, argv, letters + !o->first, opts, NULL)) != -1) {
		if (c == ':')
			rc = wrong(o, "%s: needs a value; see \"%s --help\"", argv[optind - 1],
				   o->command);
		else if (c == '?')
			rc = wrong(o, "%s: unknown option; see \"%s --help\"", argv[optind - 1],
				   o->command);
		else
			rc = take(o, row_of(o, c), optarg, into);
	}
	free(opts);
	return rc ? rc : check_all(o, into);
}
