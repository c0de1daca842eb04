// SPDX-License-Identifier: GPL-2.0
/* Other programs: what they get, how they end, and what they print. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../child.h"
#include "../file.h"
#include "ktap.h"

#define SH(script)	((char *[]){ "sh", "-c", script, NULL })

static void test_status(void)
{
	ktap(child_run(&(struct child){ .argv = SH("exit 0") }) == 0, "child_run__0", "not 0");
	ktap(child_run(&(struct child){ .argv = SH("exit 7") }) == 7, "child_run__7", "not 7");
	ktap(child_run(&(struct child){ .argv = SH("kill -TERM $$") }) == 128 + SIGTERM,
	     "child_run__signal", "not 143");
	ktap(child_wait(1, true) == 127, "child_wait__no_child", "waited for");
}

static void output(const char *name, const struct child *c, int status, const char *want)
{
	char *text;
	int rc = child_output(c, &text);

	ktap(rc == status && text && !strcmp(text, want), name, "%d: %s", rc, text);
	free(text);
}

static void test_output(void)
{
	char *large;

	output("child_output__text", &(struct child){ .argv = SH("echo a; echo b >&2; exit 3"),
	       .errors = true }, 3, "a\nb\n");
	output("child_output__dir", &(struct child){ .argv = SH("pwd"), .dir = "/" }, 0, "/\n");
	output("child_output__no_input", &(struct child){ .argv = SH("wc -c") }, 0, "0\n");
	output("child_output__no_dir", &(struct child){ .argv = SH("pwd"), .dir = "/nosuch",
	       .errors = true }, 127, "/nosuch: No such file or directory\n");
	output("child_output__no_program", &(struct child){ .argv = (char *[]){ "no-such", NULL },
	       .errors = true }, 127, "no-such: No such file or directory\n");
	ktap(!child_output(&(struct child){ .argv = SH("head -c 100000 /dev/zero | tr '\\0' x") },
			   &large) && strlen(large) == 100000, "child_output__large", "%zu",
	     strlen(large));
	free(large);
}

/* What it reads, and a descriptor that others do not get. */
static void test_in(void)
{
	int fd[2], keep;
	char script[64], got[2] = "";

	if (pipe2(fd, O_CLOEXEC) || write(fd[1], "word\n", 5) != 5)
		exit(1);
	output("child_output__in", &(struct child){ .argv = SH("read w; echo $w"), .in = fd[0] }, 0,
	       "word\n");
	keep = fd[1];
	snprintf(script, sizeof(script), "echo k >&%d", keep);
	ktap(child_run(&(struct child){ .argv = SH(script), .err = fd[1] }) != 0 &&
	     read(fd[0], got, 1) == 1, "child_start__closed", "%s", got);
	while (got[0] != '\n' && read(fd[0], got, 1) == 1)
		;
	ktap(!child_run(&(struct child){ .argv = SH(script), .keep = &keep, .n_keep = 1 }) &&
	     read(fd[0], got, 1) == 1 && *got == 'k', "child_start__keep", "%s", got);
}

static void test_log(void)
{
	char path[] = "/tmp/test_child.XXXXXX", *text;
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, "what was there before", 21) != 21)
		exit(1);
	close(fd);
	child_run(&(struct child){ .argv = SH("echo a; echo b >&2"), .log = path });
	text = read_file(path, NULL);
	ktap(text && !strcmp(text, "a\nb\n"), "child_run__log", "%s", text);
	free(text);
	unlink(path);
	errno = 0;
	ktap(child_start(&(struct child){ .argv = SH("exit"), .log = "/nosuch/log" }) == -1 &&
	     errno == ENOENT, "child_start__no_log", "%d", errno);
}

/* The whole group ends, and one that runs is told from one that has ended. */
static void test_group(void)
{
	struct child c = { .argv = SH("sleep 100 & sleep 100"), .group = true };
	pid_t pid = child_start(&c);

	ktap(getpgid(pid) == pid && child_wait(pid, false) == -1, "child_start__group", "%d",
	     getpgid(pid));
	kill(-pid, SIGKILL);
	ktap(child_wait(pid, true) == 128 + SIGKILL, "child_wait__killed", "not 137");
	c = (struct child){ .argv = SH("[ $(ps -o pgid= -p $$) = $(ps -o pgid= -p $PPID) ]") };
	ktap(child_run(&c) == 0, "child_start__our_group", "another one");
}

static void test_exists(void)
{
	ktap(child_exists("sh"), "child_exists__sh", "not found");
	ktap(!child_exists("no-such-program"), "child_exists__none", "found");
}

int main(void)
{
	test_exists();
	test_status();
	test_output();
	test_in();
	test_log();
	test_group();
	return ktap_end();
}
