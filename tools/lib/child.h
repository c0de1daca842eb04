/* SPDX-License-Identifier: GPL-2.0 */
/* Other programs: started, waited for, ended. */
#ifndef LIB_CHILD_H
#define LIB_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child - a program to start
 * @argv: program, looked for in PATH, and its arguments
 * @dir: where; NULL: here
 * @log: file that it prints to, emptied first; or
 * @out: descriptor; 0: where we print to
 * @in: its standard input; 0: nothing, /dev/null
 * @errors: its errors go to @out as well; they always go to @log
 * @group: in a process group of its own, which a terminal's Ctrl-C does not reach
 * @death: signal that it gets when we die; 0: none
 */
struct child {
	char *const *argv;
	const char *dir;
	const char *log;
	int out;
	int in;
	bool errors;
	bool group;
	int death;
};

pid_t child_start(const struct child *c);
int child_wait(pid_t pid, bool block);
int child_status(int raw);
int child_run(const struct child *c);
int child_output(const struct child *c, char **text);

#endif /* LIB_CHILD_H */
