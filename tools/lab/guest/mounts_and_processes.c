// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: mounts, console, sysctl, processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "guest/labinit.h"

/* Exit status of a program that could not be started, as in a shell. */
#define STATUS_NOT_RUN	127

/* Output goes to a file or pipe of the host in the end: no CR before LF. */
void sys_console_raw(void)
{
	struct termios t;

	if (tcgetattr(STDOUT_FILENO, &t))
		return;
	t.c_oflag &= ~OPOST;
	tcsetattr(STDOUT_FILENO, TCSANOW, &t);
}

int sys_mount_all(void)
{
	static const struct {
		const char *type, *dir, *opts;
		bool need;
	} mounts[] = {
		{ "proc", "/proc", NULL, true },
		{ "sysfs", "/sys", NULL, true },
		{ "devtmpfs", "/dev", "mode=0755", true },
		{ "devpts", "/dev/pts", "ptmxmode=0666", false },
		{ "tmpfs", "/dev/shm", "mode=1777", false },
		{ "tmpfs", "/run", "mode=0755", true },
		{ "debugfs", "/sys/kernel/debug", NULL, false },
		{ "tracefs", "/sys/kernel/tracing", NULL, false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mounts); i++) {
		if (strncmp(mounts[i].dir, "/dev/", 5) == 0)
			mkdir(mounts[i].dir, 0755);
		if (mount(mounts[i].type, mounts[i].dir, mounts[i].type, 0, mounts[i].opts) &&
		    errno != EBUSY && mounts[i].need)
			return fail("mount %s on %s: %s", mounts[i].type, mounts[i].dir,
				    strerror(errno));
	}
	return 0;
}

/**
 * sys_verbs_providers() - leave programs only the RDMA provider that there is
 *
 * libibverbs loads all that are installed, 17 of them, to find the one that it
 * needs: more system calls than the rest of the start of a program.
 */
void sys_verbs_providers(void)
{
	static const char dir[] = "/etc/libibverbs.d";

	/* Nothing but time is lost without. */
	if (mount("tmpfs", dir, "tmpfs", 0, "mode=0755"))
		return;
	if (write_file("/etc/libibverbs.d/rxe.driver", "driver rxe\n"))
		umount(dir);
}

/**
 * sys_sysctl() - set a variable under /proc/sys, of the current namespace
 * @name: path below /proc/sys
 * @fmt: value, as for printf
 *
 * Return: 0, or -1 after fail().
 */
int sys_sysctl(const char *name, const char *fmt, ...)
{
	char path[256], val[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(val, sizeof(val), fmt, ap);
	va_end(ap);
	snprintf(path, sizeof(path), "/proc/sys/%s", name);
	if (write_file(path, "%s", val))
		return fail("%s = %s: %s", path, val, strerror(errno));
	return 0;
}

/**
 * sys_argv() - argument vector from a JSON array of strings
 * @array: the array; NULL is an empty one
 *
 * Return: new memory, ended by NULL; the strings stay those of @array.
 */
char **sys_argv(struct json_object *array)
{
	size_t i, n = js_len(array);
	char **argv = xcalloc(n + 1, sizeof(*argv));

	for (i = 0; i < n; i++)
		argv[i] = (char *)json_object_get_string(js_at(array, i));
	return argv;
}

/* A variable takes the place of one of its name. */
static void env_put(char **vars, const char *name, const char *val)
{
	size_t len = strlen(name);

	while (*vars && (strncmp(*vars, name, len) != 0 || (*vars)[len] != '='))
		vars++;
	free(*vars);
	*vars = xasprintf("%s=%s", name, val);
}

/* What a process of a job finds in its environment; ended by NULL. */
static char **new_env(struct json_object *env)
{
	static const char *const std[][2] = {
		{ "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
		{ "HOME", "/run" },
		{ "LC_ALL", "C" },
		{ "TERM", "dumb" },
		{ "TMPDIR", "/run" },
	};
	size_t n = ARRAY_SIZE(std) + (env ? json_object_object_length(env) : 0), i;
	char **vars = xcalloc(n + 1, sizeof(*vars));

	for (i = 0; i < ARRAY_SIZE(std); i++)
		env_put(vars, std[i][0], std[i][1]);
	if (env) {
		json_object_object_foreach(env, key, val)
			env_put(vars, key, json_object_get_string(val));
	}
	return vars;
}

static void free_env(char **vars)
{
	size_t i;

	for (i = 0; vars[i]; i++)
		free(vars[i]);
	free(vars);
}

static void child_signals(void)
{
	sigset_t none;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * sysfs shows the devices of the namespace that it was mounted in. The mounts of the process are
 * its own then, and what it mounts is not seen outside.
 */
static int new_sys(void)
{
	return unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount("sysfs", "/sys", "sysfs", 0, NULL);
}

/* That a program is not there is said on the console, which the host reads. */
static void run(const struct spawn *s)
{
	int console = -1;

	if (s->out) {
		console = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		dup2(s->out, STDOUT_FILENO);
		dup2(s->out, STDERR_FILENO);
	}
	execvp(s->argv[0], s->argv);
	if (s->out)
		dup2(console, STDOUT_FILENO);
	fail("%s: %s", s->argv[0], strerror(errno));
}

/* In the child, which has our memory until it is another program: system calls only. */
static void __attribute__((noreturn)) become(const struct spawn *s)
{
	int i;

	setsid();
	if (s->tty)
		ioctl(STDIN_FILENO, TIOCSCTTY, 1);
	child_signals();
	for (i = 0; i < s->n_keep; i++)
		fcntl(s->keep_fds[i], F_SETFD, 0);
	if (s->own_sys && new_sys())
		fail("/sys: %s", strerror(errno));
	else if (s->cwd && chdir(s->cwd))
		fail("%s: %s", s->cwd, strerror(errno));
	else
		run(s);
	_exit(STATUS_NOT_RUN);
}

/**
 * sys_spawn() - start a program
 * @s: what, and how
 *
 * vfork(), as a page that this process shared with a child would fault when it is next
 * written. Software emulation of QEMU 7.2 then takes wrong flags for the rest of some
 * instructions, see Documentation/guide/qemu.md.
 *
 * Return: process id, or -1 after fail().
 */
pid_t sys_spawn(const struct spawn *s)
{
	char **own = environ;
	pid_t pid;

	fflush(stdout);
	environ = new_env(s->env);
	pid = vfork();
	if (pid == 0)
		become(s);
	free_env(environ);
	environ = own;
	return pid < 0 ? fail("fork: %s", strerror(errno)) : pid;
}

/**
 * sys_reap() - take the exit status of every process that has ended
 * @p: those that matter: their status is kept
 */
void sys_reap(struct proc *p)
{
	struct proc *q;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (q = p; q && q->pid != pid; q = q->next)
			;
		if (q) {
			q->status = status;
			q->pid = 0;
		}
	}
}

/**
 * sys_wait() - wait until a process has ended
 * @p: the process
 * @timeout_ns: at most this long, by the lab's clock
 *
 * Return: 0, or -1 if it still runs.
 */
int sys_wait(struct proc *p, int64_t timeout_ns)
{
	int64_t now = now_ns(CLOCK_MONOTONIC), end = now + timeout_ns;
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	for (;;) {
		struct timespec ts;

		sys_reap(p);
		if (!p->pid)
			return 0;
		now = now_ns(CLOCK_MONOTONIC);
		if (now >= end)
			return -1;
		ts.tv_sec = (end - now) / NSEC_PER_SEC;
		ts.tv_nsec = (end - now) % NSEC_PER_SEC;
		sigtimedwait(&chld, NULL, &ts);
	}
}

/* Every process but this one; those that ignore the first signal get a second. */
void sys_kill_all(void)
{
	struct timespec grace = { .tv_nsec = 100 * 1000 * 1000 };

	if (kill(-1, SIGTERM))
		return;
	nanosleep(&grace, NULL);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
}

/* Shell convention: 128 + signal for a killed program, 124 for one out of time. */
int shell_status(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return 128 + WTERMSIG(status);
}
