/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command lines by tables: what is parsed, checked, shown by --help and completed by the
 * shell is one row for each option.
 */
#ifndef LIB_OPTIONS_H
#define LIB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
	OPTION_TITLE,	/* no option: @help is printed as it is */
	OPTION_FLAG,	/* bool, true when given */
	OPTION_TEXT,	/* const char *, one of @words if there are any */
	OPTION_LIST,	/* struct option_list, may be given again and again */
	OPTION_COUNT,	/* uint64_t, as the following ones; hexadecimal, too */
	OPTION_TIME,	/* ns */
	OPTION_SIZE,	/* bytes */
	OPTION_RATE,	/* bit/s */
	OPTION_CALL,	/* a function takes it */
	OPTION_OLD,	/* has another name now, @help */
	OPTION_HELP,
};

/* Words; behind the last one is NULL. */
struct option_list {
	char **v;
	size_t n;
};

void list_add(struct option_list *l, char *word);
void list_add2(struct option_list *l, char *word, char *next);

/**
 * struct option_row - one option
 * @name: long name; a row with neither this nor @help ends a table
 * @arg: what --help calls its value; NULL: it has none
 * @help: its lines in --help; NULL: not there
 * @kind: what its value is
 * @at: where the value goes, in bytes from the beginning of the caller's structure
 * @letter: short name, or 0
 * @must: has to be there: a text
 * @in: bits of the commands that have it, if several have a table; 0: all
 * @min: smallest number
 * @max: largest number; 0: any
 * @words: texts that it may be, NULL at the end; of OPTION_CALL for the shell only
 * @call: takes the value; returns not 0 after a message
 */
struct option_row {
	const char *name;
	const char *arg;
	const char *help;
	enum option_kind kind;
	size_t at;
	char letter;
	bool must;
	unsigned int in;
	uint64_t min;
	uint64_t max;
	const char *const *words;
	int (*call)(void *into, const struct option_row *row, char *text);
};

/**
 * struct options - options of a command
 * @command: with the program's name in front
 * @rows: the options
 * @in: the command's bit in them
 * @column: where the explanations of --help begin; 0: its options are not listed
 * @indent: where its options begin
 * @before: --help before the options
 * @after: and after them, may be NULL
 * @first: all behind the first word that is no option belongs to somebody else
 */
struct options {
	const char *command;
	const struct option_row *rows;
	unsigned int in;
	int column;
	int indent;
	const char *before;
	const char *after;
	bool first;
};

/* A row of an option that another command gets: into a struct option_list at @at, as words. */
#define OPTION_HAND_ON(name, arg, at)	{ name, arg, NULL, OPTION_CALL, at, .call = option_words }

#define OPTIONS_HELP	(-1)
#define OPTIONS_WRONG	2

int options_parse(const struct options *o, void *into, int argc, char **argv);
void options_help(const struct options *o, FILE *to);
int option_words(void *into, const struct option_row *row, char *text);

#endif /* LIB_OPTIONS_H */
