// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: other programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep/sweep.h"

/* In the child. Its messages go to @out, or to the same place as ours if -1. */
static void become(char *const argv[], const char *dir, int out)
{
	int null = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(null, STDIN_FILENO);
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
	}
	if (dir && chdir(dir))
		fprintf(stderr, "%s: %s\n", dir, strerror(errno));
	else if (execvp(argv[0], argv))
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/**
 * spawn() - start a program in a process group of its own
 * @argv: program, looked for in PATH, and arguments
 * @dir: where, or NULL
 * @log: file for what it prints
 *
 * A terminal's Ctrl-C does not reach it, whoever waits ends it; it is told to end
 * when this process dies.
 *
 * Return: its process id, or -1 after a message.
 */
pid_t spawn(char *const argv[], const char *dir, const char *log)
{
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	pid_t pid;

	if (fd < 0) {
		run_error("%s: %s", log, strerror(errno));
		return -1;
	}
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		become(argv, dir, fd);
	}
	close(fd);
	if (pid < 0)
		run_error("%s: %s", argv[0], strerror(errno));
	else
		setpgid(pid, pid);
	return pid;
}

/**
 * wait_for() - has a child ended
 * @pid: child
 * @status: its exit status; 128 and the signal's number if one ended it
 * @block: wait until it has, or until a signal asks this process to end
 *
 * Return: 1 if it has ended, 0 if it runs.
 */
int wait_for(pid_t pid, int *status, bool block)
{
	int raw = 0;
	pid_t rc;

	do {
		rc = waitpid(pid, &raw, block ? 0 : WNOHANG);
	} while (rc < 0 && errno == EINTR && !work_interrupted());
	if (rc != pid && (rc >= 0 || errno == EINTR))
		return 0;
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
	return 1;
}

static char *read_all(int fd)
{
	size_t len = 0, size = 4096;
	char *text = xcalloc(1, size);
	ssize_t n;

	while ((n = read(fd, text + len, size - len - 1)) > 0 ||
	       (n < 0 && errno == EINTR && !work_interrupted())) {
		len += n > 0 ? n : 0;
		if (size - len < 2)
			text = xrealloc(text, size *= 2);
	}
	text[len] = '\0';
	return text;
}

/**
 * spawn_output() - run a program to its end
 * @argv: program, looked for in PATH, and arguments
 * @dir: where, or NULL
 * @out: what it printed, also on stderr; to be freed
 *
 * Return: exit status, 127 if there is no such program, 1 if it could not be started
 * or a signal asks this process to end.
 */
int spawn_output(char *const argv[], const char *dir, char **out)
{
	int fds[2], status = 1;
	pid_t pid;

	*out = NULL;
	if (pipe2(fds, O_CLOEXEC))
		return 1;
	pid = fork();
	if (!pid)
		become(argv, dir, fds[1]);
	close(fds[1]);
	*out = read_all(fds[0]);
	close(fds[0]);
	if (pid > 0 && !wait_for(pid, &status, true)) {
		kill(pid, SIGTERM);
		return 1;
	}
	return pid < 0 ? 1 : status;
}

/**
 * have_program() - is there such a program
 * @name: looked for in PATH
 *
 * Return: true if so.
 */
bool have_program(const char *name)
{
	char *path = xstrdup(getenv("PATH") ?: "/usr/bin:/bin"), *rest = path, *dir;
	bool found = false;

	while (!found && (dir = strsep(&rest, ":"))) {
		char *file = xasprintf("%s/%s", *dir ? dir : ".", name);

		found = access(file, X_OK) == 0;
		free(file);
	}
	free(path);
	return found;
}

/**
 * first_line() - of what a program said, for a message
 * @text: may be NULL
 *
 * Return: new string: the first line that is not empty.
 */
char *first_line(const char *text)
{
	const char *line = text ? text + strspn(text, " \t\r\n") : "";

	return *line ? xasprintf("%.*s", (int)strcspn(line, "\r\n"), line) :
		       xstrdup("it said nothing");
}
