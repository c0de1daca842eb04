// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: the distribution's kernel in QEMU, with two processors.
 *
 * tools/qemu/run.sh does it. The guest has a file system of its own, so what it makes comes
 * back on its standard output.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/child.h"
#include "programs/test_cases.h"

#define LINE_ROOM	4096

/* What the guest's script starts. */
static const char *const script[] = { "bash", "ip", "tc", "rdma", "timeout" };

/* What rxe and the network need of the distribution's modules. */
static const char *const modules[] = {
	"veth", "bridge", "crc32_generic", "ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm",
	"udp_tunnel", "ip6_udp_tunnel",
};

/* A program of the host: the first word of a command. */
static void add_program(struct option_list *w, const char *command)
{
	char *name = xasprintf("%.*s", (int)strcspn(command, " "), command);
	size_t i;

	for (i = 0; i < w->n && strcmp(w->v[i], name); i++)
		;
	if (i == w->n && *name && child_exists(name))
		list_add2(w, "--bin", xstrdup(name));
	free(name);
}

/* Our modules for that kernel; the suites of tests are not needed. */
static void add_ours(struct option_list *w, const char *dir)
{
	struct dirent *de;
	DIR *d = opendir(dir);

	while (d && (de = readdir(d))) {
		size_t len = strlen(de->d_name);

		if (len > 3 && strcmp(de->d_name + len - 3, ".ko") == 0 &&
		    !strstr(de->d_name, "kunit"))
			list_add2(w, "--module", xasprintf("%s/%s", dir, de->d_name));
	}
	if (d)
		closedir(d);
}

/* The distribution's own rxe, unpacked. */
static int unpack_stock(struct programs *p, char **path)
{
	char *cmd;
	int rc;

	*path = xasprintf("%s/rdma_rxe.ko", p->work);
	cmd = xasprintf("k=$(ls /boot/vmlinuz-6.12*-amd64 2>/dev/null | sort -V | tail -n 1); "
			"d=/lib/modules/${k#/boot/vmlinuz-}/kernel/drivers/infiniband/sw/rxe; "
			"m=$(ls $d/rdma_rxe.ko* 2>/dev/null); "
			"case $m in *.xz) xz -dc \"$m\" ;; *.ko) cat \"$m\" ;; *) exit 1 ;; esac >'%s'",
			*path);
	rc = system(cmd);
	free(cmd);
	return rc ? run_error("%s: no rdma_rxe of a kernel 6.12 in /lib/modules", p->ops->name) : 0;
}

static void command(struct programs *p, struct json_object *env, int64_t limit_s, const char *stock,
		    struct option_list *w)
{
	const char *root = lab_root();
	char *text, *next;
	size_t i;

	list_add(w, xasprintf("%s/tools/qemu/run.sh", root));
	list_add2(w, "--cpus", xasprintf("%llu", (unsigned long long)p->cpus));
	list_add2(w, "--mem", "2048");
	list_add2(w, "--timeout", xasprintf("%lld", (long long)limit_s));
	list_add2(w, "--log", xasprintf("%s/console.log", p->out));
	/* run.sh says which of these is not there; it looks in /usr/sbin too. */
	for (i = 0; i < ARRAY_SIZE(script); i++)
		list_add2(w, "--bin", (char *)script[i]);
	for (i = 0; i < p->n_tests; i++) {
		add_program(w, p->tests[i].server);
		add_program(w, p->tests[i].client);
	}
	list_add2(w, "--bin", xasprintf("%s/build/bin/rxecc", root));
	for (i = 0; i < ARRAY_SIZE(modules); i++)
		list_add2(w, "--module", (char *)modules[i]);
	list_add2(w, "--file", xasprintf("%s:/guest/stock/rdma_rxe.ko", stock));
	list_add2(w, "--file", xasprintf("%s/build/tc/q_roce.so:/guest/tc/q_roce.so", root));
	list_add2(w, "--file", xasprintf("%s/tools/lib/pair.sh", root));
	list_add2(w, "--file", xasprintf("%s/plan", p->work));
	list_add2(w, "--env", "PAIR_LIB=/guest/pair.sh");
	list_add2(w, "--env", "PAIR_RELAY=1");
	list_add2(w, "--env", "PAIR_OUT=/tmp/cases");
	list_add2(w, "--env", "PAIR_STOCK=/guest/stock");
	list_add2(w, "--env", "TC_LIB_DIR=/guest/tc");
	json_object_object_foreach(env, name, val)
		list_add2(w, "--env",
			  xasprintf("%s=%s", name, strcmp(name, "PAIR_PLAN") ?
				    json_object_get_string(val) : "/guest/plan"));
	text = xstrdup("PAIR_MODULES=");
	for (i = 0; i < ARRAY_SIZE(modules); i++) {
		next = xasprintf("%s%s ", text, modules[i]);
		free(text);
		text = next;
	}
	list_add2(w, "--env", text);
}

/* To where the cases are, all that has come. */
static void unpack(struct programs *p, const char *path)
{
	char *cmd = xasprintf("mkdir -p '%s/cases' && base64 -di '%s' | tar -xzi -C '%s/cases'",
			      p->out, path, p->out);

	if (system(cmd))
		run_error("%s: not all files came from the guest", p->ops->name);
	free(cmd);
}

static void follow(struct programs *p, int fd, void (*on_line)(void *ctx, const char *line))
{
	FILE *f = fdopen(fd, "r");
	char line[LINE_ROOM];

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\r\n")] = '\0';
		on_line(p, line);
		if (work_interrupted())
			break;
	}
	if (f)
		fclose(f);
}

/**
 * programs_qemu() - run the plan in a guest
 * @p: command line; p->work has the plan
 * @env: environment of run_cases_in_guest.sh
 * @limit_s: seconds after which the guest is ended
 * @on_line: is given @p and every line that the guest prints
 *
 * Return: 0, or an exit status after a message.
 */
int programs_qemu(struct programs *p, struct json_object *env, int64_t limit_s,
		  void (*on_line)(void *ctx, const char *line))
{
	char *relay = xasprintf("%s/relay", p->work), *stock, *host;
	struct option_list w = {};
	int fds[2], status, rc;
	pid_t pid;

	host = xasprintf("%s/build/host", lab_root());
	rc = check_built(host);
	if (!rc)
		rc = unpack_stock(p, &stock);
	if (rc)
		return rc;
	command(p, env, limit_s, stock, &w);
	add_ours(&w, host);
	list_add2(&w, "--", xasprintf("%s/tools/lab/programs/run_cases_in_guest.sh", lab_root()));
	p->relay = fopen(relay, "we");
	if (!p->relay || pipe2(fds, O_CLOEXEC))
		return run_error("%s: %s", relay, strerror(errno));
	pid = child_start(&(struct child){
		.argv = w.v, .out = fds[1], .group = true, .death = SIGKILL });
	close(fds[1]);
	if (pid < 0)
		return run_error("fork: %s", strerror(errno));
	follow(p, fds[0], on_line);
	if (work_interrupted())
		kill(-pid, SIGTERM);
	while ((status = child_wait(pid, true)) < 0)
		;
	kill(-pid, SIGKILL);
	fclose(p->relay);
	unpack(p, relay);
	/* Its words live as long as the process. */
	free(w.v);
	free(host);
	free(stock);
	free(relay);
	if (work_interrupted())
		return interrupted_error();
	return status ? run_error("%s: tools/qemu/run.sh ended with status %d", p->ops->name,
				  status) : 0;
}
