// SPDX-License-Identifier: GPL-2.0
/* Other programs: started, waited for, ended. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "mem.h"

/* In the child. */
static void become(const struct child *c, int out)
{
	int err = c->errors || c->log ? out : c->err, in = c->in, i;

	if (c->group)
		setpgid(0, 0);
	if (c->terminal)
		tcsetpgrp(STDIN_FILENO, getpid());
	signal(SIGTTOU, SIG_DFL);
	if (c->death)
		prctl(PR_SET_PDEATHSIG, c->death);
	if (!in)
		in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if ((c->in != CHILD_OURS && dup2(in, STDIN_FILENO) < 0) ||
	    (out && dup2(out, STDOUT_FILENO) < 0) || (err && dup2(err, STDERR_FILENO) < 0))
		_exit(126);
	for (i = 0; i < c->n_keep; i++)
		fcntl(c->keep[i], F_SETFD, 0);
	if (c->dir && chdir(c->dir))
		fprintf(stderr, "%s: %s\n", c->dir, strerror(errno));
	else if (execvp(c->argv[0], c->argv))
		fprintf(stderr, "%s: %s\n", c->argv[0], strerror(errno));
	_exit(127);
}

/**
 * child_start() - start a program
 * @c: which, and how
 *
 * One that cannot be executed ends with status 127, and says why on its standard error.
 *
 * Return: its process, or -1 with errno set.
 */
pid_t child_start(const struct child *c)
{
	int out = c->out, error;
	pid_t pid;

	/* What we have printed stands before what it prints. */
	fflush(NULL);
	if (c->log)
		out = open(c->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out < 0)
		return -1;
	pid = fork();
	if (!pid)
		become(c, out);
	error = errno;
	if (c->log)
		close(out);
	/* Whoever is first: now it can be killed by its group. */
	if (pid > 0 && c->group)
		setpgid(pid, pid);
	errno = error;
	return pid;
}

/**
 * child_status() - how a child ended
 * @raw: from waitpid()
 *
 * Return: its exit status; 128 and the signal's number if one ended it.
 */
int child_status(int raw)
{
	return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

/**
 * child_wait() - has a child ended
 * @pid: its process
 * @block: wait until it has, or until a signal comes that interrupts calls
 *
 * Return: as child_status(), or -1 if it runs; 127 if there is no such child.
 */
int child_wait(pid_t pid, bool block)
{
	int raw = 0;
	pid_t rc = waitpid(pid, &raw, block ? 0 : WNOHANG);

	if (!rc || (rc < 0 && errno == EINTR))
		return -1;
	return rc < 0 ? 127 : child_status(raw);
}

static int wait_end(pid_t pid)
{
	int status;

	while ((status = child_wait(pid, true)) < 0)
		;
	return status;
}

/**
 * child_run() - run a program to its end
 * @c: which, and how
 *
 * Return: as child_status(); 127 also if it could not be started.
 */
int child_run(const struct child *c)
{
	pid_t pid = child_start(c);

	return pid < 0 ? 127 : wait_end(pid);
}

/**
 * child_output() - run a program to its end and keep what it prints
 * @c: which, and how; @c->out is not looked at
 * @text: what it printed, to be freed; NULL if it could not be started
 *
 * Return: as child_run(). A signal to us that interrupts calls ends the program.
 */
int child_output(const struct child *c, char **text)
{
	struct child piped = *c;
	size_t len = 0, size = 4096;
	ssize_t n;
	pid_t pid;
	int fd[2];

	*text = NULL;
	if (pipe2(fd, O_CLOEXEC))
		return 127;
	piped.out = fd[1];
	pid = child_start(&piped);
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return 127;
	}
	*text = xcalloc(1, size);
	while ((n = read(fd[0], *text + len, size - len - 1)) > 0) {
		len += n;
		if (size - len < 2)
			*text = xrealloc(*text, size *= 2);
	}
	(*text)[len] = '\0';
	if (n < 0)
		kill(pid, SIGTERM);
	close(fd[0]);
	return wait_end(pid);
}

/**
 * child_exists() - is there such a program
 * @name: looked for in PATH
 *
 * Return: true if so.
 */
bool child_exists(const char *name)
{
	char *path = xstrdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin"), *rest = path, *dir;
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
 * child_gnuplot() - run a program of gnuplot
 * @dir: in which
 * @set: gnuplot commands before it
 * @script: its file
 *
 * Return: as child_run(), 127 if there is no gnuplot.
 */
int child_gnuplot(const char *dir, const char *set, const char *script)
{
	/* In C gnuplot complains about UTF-8, elsewhere numbers may have commas. */
	char *argv[] = {
		"env", "LC_ALL=C.UTF-8", "gnuplot", "-e", (char *)set, (char *)script, NULL,
	};

	return child_run(&(struct child){ .argv = argv, .dir = dir });
}
