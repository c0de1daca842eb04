// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: can the machines of --sshlogin do the work.
 *
 * GNU parallel asks all of them the same thing at once. A machine that answers
 * prefixes its answers with "@", whatever else its shell may print.
 */
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

/* Never a question in the middle of a sweep, and a lost machine is noticed. */
#define SSH	"ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15" \
		" -o ServerAliveCountMax=4"

struct host {
	char *name, *said, *build, *lacks;
	bool answers;
};

struct hosts {
	struct host *list;
	size_t n;
};

/**
 * set_ssh() - the ssh that GNU parallel uses, here and later
 * @s: sweep
 */
void set_ssh(struct sweep *s)
{
	setenv("PARALLEL_SSH", s->ssh ? s->ssh : SSH, !!s->ssh);
	/* The remote side is sent what this shell understands. */
	setenv("PARALLEL_SHELL", "/bin/sh", true);
}

/* What a machine is asked, in the language of sh. */
static char *question(struct sweep *s)
{
	char *lab = shell_quote(lab_program(s)), *file, *text, *next;
	size_t i;

	text = xasprintf("echo @here; for p in perl rsync tar; do command -v $p >/dev/null ||"
			 " echo \"@lacks $p, which GNU parallel needs there\"; done;"
			 " if [ -x %s ]; then echo \"@build `%s version%s`\"; else"
			 " echo @lacks %s: build it there, or see --remote-dir; fi", lab, lab,
			 s->debug ? " --debug" : "", lab);
	for (i = 0; i < s->files.n; i++) {
		if (s->files.v[i][0] != '/')
			continue;
		file = shell_quote(s->files.v[i]);
		next = xasprintf("%s; [ -r %s ] || echo @lacks %s", text, file, file);
		free(text);
		free(file);
		text = next;
	}
	free(lab);
	return text;
}

static struct host *host_of(struct hosts *h, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (strlen(h->list[i].name) == len && strncmp(h->list[i].name, name, len) == 0)
			return &h->list[i];
	h->list = xrealloc(h->list, (h->n + 1) * sizeof(*h->list));
	h->list[h->n] = (struct host) { .name = xasprintf("%.*s", (int)len, name) };
	return &h->list[h->n++];
}

static void take_line(struct hosts *h, const char *line)
{
	const char *tab = strchr(line, '\t'), *text = tab ? tab + 1 : line;
	struct host *host;

	/* parallel's own words have no tab. */
	if (!tab)
		return;
	host = host_of(h, line, tab - line);
	if (strcmp(text, "@here") == 0)
		host->answers = true;
	else if (strncmp(text, "@lacks ", 7) == 0 && !host->lacks)
		host->lacks = xstrdup(text + 7);
	else if (strncmp(text, "@build ", 7) == 0)
		host->build = xstrdup(text + 7);
	else if (*text && text[0] != '@' && !host->said)
		host->said = xstrdup(text);
}

static int judge(struct sweep *s, const struct host *h)
{
	if (!h->answers)
		return run_error("--sshlogin %s: %s", h->name, h->said ? h->said : "no answer");
	if (h->lacks)
		return run_error("--sshlogin %s: it lacks %s", h->name, h->lacks);
	if (!h->build || !*h->build)
		return run_error("--sshlogin %s: %s does not run there: %s", h->name,
				 lab_program(s), h->said ? h->said : "it says nothing");
	if (strcmp(h->build, s->build))
		return run_error("--sshlogin %s: %s is built from %s, here it is %s", h->name,
				 lab_program(s), h->build, s->build);
	return 0;
}

static int check_files(struct sweep *s)
{
	size_t i;

	for (i = 0; i < s->files.n; i++)
		if (s->files.v[i][0] != '/' && strstr(s->files.v[i], ".."))
			return usage_error("%s: --sshlogin wants a file below this directory, "
					   "or its full path", s->files.v[i]);
	return 0;
}

/**
 * check_hosts() - ask all machines of --sshlogin for their build
 * @s: after check_options()
 *
 * Return: 0, or the exit status after a message.
 */
int check_hosts(struct sweep *s)
{
	char *ask = question(s), *sh = shell_quote(ask), *cmd = xasprintf("/bin/sh -c %s", sh);
	char *argv[] = { "parallel", "--will-cite", "--plain", "--nonall", "--tag", "--jobs", "0",
			 "--sshlogin", s->sshlogin, cmd, NULL };
	char *out = NULL, *rest, *line;
	struct hosts h = {};
	size_t i;
	int rc;

	rc = check_files(s);
	if (!rc) {
		program_output(argv, NULL, &out);
		rest = out ? out : (char *)"";
		while (rest && (line = strsep(&rest, "\n"))) {
			line[strcspn(line, "\r")] = '\0';
			take_line(&h, line);
		}
		if (work_interrupted())
			rc = interrupted_error();
		else if (!h.n)
			rc = run_error("--sshlogin %s: no machine answers", s->sshlogin);
	}
	for (i = 0; i < h.n && !rc; i++)
		rc = judge(s, &h.list[i]);
	free(h.list);
	free(out);
	free(cmd);
	free(sh);
	free(ask);
	return rc;
}
