/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: first process of the lab kernel.
 */
#ifndef LAB_GUEST_LABINIT_H
#define LAB_GUEST_LABINIT_H

#include <sys/types.h>

#include "common/job_file.h"

/* Console lines that the host side looks for begin with this. */
#define MARK	"@lab:"

struct proc {
	pid_t pid;		/* 0: none */
	int status;		/* as of waitpid(); -1 while it runs */
	struct proc *next;	/* sys_reap() takes the status of this one as well */
};

/**
 * struct spawn - a program to be started
 * @argv: program with path and arguments
 * @env: JSON object with variables, beside what all programs have; may be NULL
 * @tty: make the console its controlling terminal
 * @keep_fds: file descriptors that it gets; the others are close-on-exec
 * @n_keep: how many
 * @out: where its output goes, 0: to the console
 * @own_sys: its /sys shows the devices of the current network namespace
 * @cwd: its directory; NULL: that of labinit
 */
struct spawn {
	char *const *argv;
	struct json_object *env;
	bool tty;
	const int *keep_fds;
	int n_keep;
	int out;
	bool own_sys;
	const char *cwd;
};

/* guest/messages_to_host.c */
int fail(const char *fmt, ...) PRINTF(1, 2);
void mark(const char *fmt, ...) PRINTF(1, 2);
void say_to(int fd);
void guest_say(const char *kind, const char *text);

/* guest/mounts_and_processes.c */
int sys_mount_all(void);
void sys_verbs_providers(void);
int sys_sysctl(const char *name, const char *fmt, ...) PRINTF(2, 3);
int sys_load_modules(struct json_object *job);
int sys_modprobe(int argc, char **argv);
int sys_modprobe_setup(const char *self, struct json_object *job);
void sys_console_raw(void);
pid_t sys_spawn(const struct spawn *s);
int sys_wait(struct proc *p, int64_t timeout_ns);
void sys_reap(struct proc *p);
void sys_kill_all(void);
char **sys_argv(struct json_object *array);
int shell_status(int status);

/* guest/control_channel.c */
int control_guest(void);
int control_open(struct json_object *job);
char *control_wait(const char *word);
int control_fd(void);
int control_heard(const char *word);
int control_mount(void);

/* guest/run.c */
int run_job(struct json_object *job);

/* guest/check_and_shell.c */
int check_job(struct json_object *job);
int shell_job(struct json_object *job);

/* guest/copies.c */
struct json_object *copies_next(struct json_object *job);

/* guest/gcov.c */
void gcov_keep(struct json_object *job);

/* guest/cc_event_record_replay.c */
int replay_job(struct json_object *job);

#endif /* LAB_GUEST_LABINIT_H */
