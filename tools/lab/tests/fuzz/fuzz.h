/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fuzzing of what the lab reads. Each fuzz_NAME.c is one reader: fuzz_one() gives it one
 * input. With clang libFuzzer makes up inputs, with gcc replay_corpus.c has those of corpus/NAME.
 *
 * Beside what the sanitizers find, one rule is checked: bad input gives one message, good
 * input none.
 */
#ifndef LAB_TESTS_FUZZ_FUZZ_H
#define LAB_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "lab.h"

/* Of each fuzz_NAME.c. fuzz_begin() is called once. */
void fuzz_begin(void);
void fuzz_one(const char *text, size_t len);

/* A scratch directory of this process, in memory; it stands for the checkout too. */
const char *fuzz_dir(void);
/* Put @text into file @name there. */
void fuzz_file(const char *name, const char *text, size_t len);
/* @text is several files, each after a line "=== NAME"; those of @names are written. */
void fuzz_files(const char *text, size_t len, const char *const *names, size_t n);
/* Names are as in fuzz_files(); true if there is such a file now. */
bool fuzz_has(const char *name);

/* Messages since the last fuzz_quiet(). */
unsigned int fuzz_messages(void);
void fuzz_quiet(void);
void fuzz_message(const char *fmt, va_list ap);
/* Ends the process if @failed does not go with the messages since fuzz_quiet(). */
void fuzz_one_message(bool failed);
/* The same where one run may have several things wrong. */
void fuzz_some_message(bool failed);

#endif /* LAB_TESTS_FUZZ_FUZZ_H */
