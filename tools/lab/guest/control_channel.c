// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: the control channel of one of several guests that share a lab's nodes.
 *
 * The kernel's command line says which: lab_part=N. All guests have the same
 * job. Lines go to and fro over a virtio port: "kind text" from here, a word
 * with or without a number from the coordinator, "lab" on the host. Its "ping"
 * is answered with the clock here, whatever is being waited for.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "guest/labinit.h"

#define PORTS_DIR	"/sys/class/virtio-ports"
#define LINE_SIZE	128

/* As tools/lab/boot/qemu.h has them. */
#define CONTROL_PORT	"lab.control"
#define WORK_TAG	"work"
#define WORK_OPTIONS	"trans=virtio,version=9p2000.L,msize=262144,cache=none"

static struct {
	int fd;
	char line[LINE_SIZE];
	size_t len;
} guest = { .fd = -1 };

/**
 * control_guest() - which of the kernels that share the nodes this is
 *
 * Return: its number, or -1 if it has all of them.
 */
int control_guest(void)
{
	const char *part = getenv("lab_part");

	return part ? atoi(part) : -1;
}

/**
 * control_mount() - the host's directory for the results, the only one that can be written
 *
 * Return: 0, or -1 after fail().
 */
int control_mount(void)
{
	const char *dir = getenv("lab_work");

	if (!dir)
		return 0;
	/* All that is written there is read by the host and other guests: no cache. */
	if (mkdir_p(dir) || mount(WORK_TAG, dir, "9p", 0, WORK_OPTIONS))
		return fail("mount %s: %s", dir, strerror(errno));
	return 0;
}

static char *find_port(void)
{
	char *path = NULL, *name;
	DIR *d = opendir(PORTS_DIR);
	struct dirent *de;

	while (d && !path && (de = readdir(d))) {
		path = xasprintf(PORTS_DIR "/%s/name", de->d_name);
		name = read_file(path, NULL);
		free(path);
		path = NULL;
		if (name && strncmp(name, CONTROL_PORT, strlen(CONTROL_PORT)) == 0)
			path = xasprintf("/dev/%s", de->d_name);
		free(name);
	}
	if (d)
		closedir(d);
	return path;
}

/**
 * control_open() - if this is one of several guests, find the coordinator
 * @job: "out" becomes this guest's own directory
 *
 * Return: 0, or -1 after fail().
 */
int control_open(struct json_object *job)
{
	char *path, *out;

	if (control_guest() < 0)
		return 0;
	path = find_port();
	guest.fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (guest.fd < 0)
		return fail("%s: %s", path ? path : PORTS_DIR "/" CONTROL_PORT, strerror(errno));
	say_to(guest.fd);
	free(path);
	out = xasprintf("%s/part%d", job_str(job, J_OUT, ""), control_guest());
	job_add_str(job, J_OUT, out);
	if (mkdir_p(out))
		return fail("%s: %s", out, strerror(errno));
	free(out);
	return 0;
}

static void pong(const char *seq)
{
	char text[64];

	snprintf(text, sizeof(text), "%.20s %" PRId64, seq, now_ns(CLOCK_MONOTONIC));
	guest_say("pong", text);
}

/* A whole line that is no ping: 1; nothing yet: 0; the coordinator is gone: -1. */
static int next_line(void)
{
	char c;
	ssize_t n = read(guest.fd, &c, 1);

	if (n <= 0)
		return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
	if (c != '\n') {
		if (guest.len < LINE_SIZE - 1)
			guest.line[guest.len++] = c;
		return 0;
	}
	guest.line[guest.len] = '\0';
	guest.len = 0;
	if (strncmp(guest.line, "ping ", 5) != 0)
		return 1;
	pong(guest.line + 5);
	return 0;
}

/* What follows a word at the begin of the line, or NULL. */
static char *rest_of(const char *word)
{
	size_t len = strlen(word);

	if (strncmp(guest.line, word, len) != 0 || (guest.line[len] && guest.line[len] != ' '))
		return NULL;
	return xstrdup(guest.line + len + (guest.line[len] == ' '));
}

/**
 * control_wait() - wait for a word of the coordinator
 * @word: the first of a line
 *
 * Other lines are left out. There is no limit of time: the coordinator has one.
 *
 * Return: the rest of the line, to be freed, or NULL after fail().
 */
char *control_wait(const char *word)
{
	char *rest = NULL;
	int rc = 0;

	while (!rest && rc >= 0) {
		rc = next_line();
		rest = rc > 0 ? rest_of(word) : NULL;
	}
	if (!rest)
		fail("waiting for \"%s\": the coordinator is gone", word);
	return rest;
}

/* To be watched for input, then control_heard(). */
int control_fd(void)
{
	return guest.fd;
}

/**
 * control_heard() - take what has come, without waiting for more
 * @word: that is looked for
 *
 * Return: 1 if it has come, 0 if not, -1 after fail().
 */
int control_heard(const char *word)
{
	struct pollfd pfd = { .fd = guest.fd, .events = POLLIN };
	bool heard = false;
	char *rest;
	int rc;

	while (!heard && poll(&pfd, 1, 0) > 0) {
		rc = next_line();
		if (rc < 0)
			return fail("the coordinator is gone");
		rest = rc ? rest_of(word) : NULL;
		heard = rest;
		free(rest);
	}
	return heard;
}
