/* SPDX-License-Identifier: GPL-2.0 */
/* Other programs: started, waited for, ended. */
#ifndef LIB_CHILD_H
#define LIB_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#define CHILD_OURS	(-1)

/**
 * struct child - a program to start
 * @argv: program, looked for in PATH, and its arguments
 * @dir: where; NULL: here
 * @log: file that it prints to, emptied first; or
 * @out: descriptor; 0: where we print to
 * @err: of its errors; 0: ours; they always go to @log
 * @errors: its errors go to @out as well
 * @in: its standard input; 0: nothing, /dev/null; CHILD_OURS: ours
 * @keep: descriptors that it gets, too; of others it gets those without O_CLOEXEC
 * @n_keep: how many
 * @group: in a process group of its own, which a terminal's Ctrl-C does not reach
 * @terminal: the group has the terminal that is our standard input
 * @death: signal that it gets when we die; 0: none
 */
struct child {
	char *const *argv;
	const char *dir;
	const char *log;
	int out;
	int err;
	bool errors;
	int in;
	const int *keep;
	int n_keep;
	bool group;
	bool terminal;
	int death;
};

pid_t child_start(const struct child *c);
int child_wait(pid_t pid, bool block);
int child_status(int raw);
int child_run(const struct child *c);
bool child_exists(const char *name);
int child_gnuplot(const char *dir, const char *set, const char *script);
int child_output(const struct child *c, char **text);

#endif /* LIB_CHILD_H */
