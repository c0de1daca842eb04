// SPDX-License-Identifier: GPL-2.0
/*
 * Run a program whose Nth allocation fails: one of those that the filters of failslab and
 * fail_page_alloc leave, in its first thread.
 *
 *	failnth FILE N PROGRAM [ARGUMENT]...
 *
 * Writes to FILE what is left of N when the program has ended: 0 when an allocation has
 * failed. Exit status: the program's, 128 and the signal that ended it, 125 cannot.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "failnth: %s: %s\n", what, strerror(errno));
	exit(125);
}

/* A process that has ended keeps its number until it is waited for. */
static int left_of(pid_t pid)
{
	char path[64], text[32] = "";
	int fd, n;

	snprintf(path, sizeof(path), "/proc/%d/fail-nth", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		die(path);
	n = read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		die(path);
	close(fd);
	return atoi(text);
}

int main(int argc, char **argv)
{
	siginfo_t info;
	int fd, status;
	pid_t pid;
	FILE *f;

	if (argc < 4) {
		fprintf(stderr, "failnth: file, number and program, please\n");
		return 125;
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		fd = open("/proc/self/fail-nth", O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, argv[2], strlen(argv[2])) < 0)
			die("/proc/self/fail-nth");
		execvp(argv[3], argv + 3);
		die(argv[3]);
	}
	if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		die("waitid");
	f = fopen(argv[1], "w");
	if (!f || fprintf(f, "%d\n", left_of(pid)) < 0 || fclose(f))
		die(argv[1]);
	if (waitpid(pid, &status, 0) < 0)
		die("waitpid");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
