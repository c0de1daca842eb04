// SPDX-License-Identifier: GPL-2.0
/*
 * The job file, as labinit reads it: hosts and links, queues of their ports, algorithms and
 * their parameters, what is sampled. Requests to the kernel are made up and go nowhere;
 * the answer is always yes.
 */
#include "guest/check_and_shell.c"
#include "guest/queue_histograms.h"
#include "guest/sampler.h"

#include "fuzz.h"
#include "wrap.h"

static const char *const names[] = { "job.json", "flowgen/qps.json" };

/*
 * Of messages_to_host.c, mounts_and_processes.c, module.c and roce_watch_reader.c, which change the
 * machine.
 */
int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fuzz_message(fmt, ap);
	va_end(ap);
	return -1;
}

void mark(const char *fmt, ...)
{
	(void)fmt;
}

void say_to(int fd)
{
	(void)fd;
}

void guest_say(const char *kind, const char *text)
{
	(void)kind;
	(void)text;
}

int sys_sysctl(const char *name, const char *fmt, ...)
{
	(void)name;
	(void)fmt;
	return 0;
}

void sys_verbs_providers(void)
{
}

char **sys_argv(struct json_object *array)
{
	(void)array;
	return xcalloc(1, sizeof(char *));
}

pid_t sys_spawn(const struct spawn *s)
{
	(void)s;
	return -1;
}

int sys_wait(struct proc *p, int64_t timeout_ns)
{
	(void)p;
	(void)timeout_ns;
	return 0;
}

void sys_reap(struct proc *p)
{
	(void)p;
}

int shell_status(int status)
{
	return status;
}

int watch_open(struct watch *w)
{
	w->fd = -1;
	return 0;
}

int watch_cmd(struct watch *w, const struct roce_watch_cmd *cmd, const char *what)
{
	(void)w;
	(void)cmd;
	(void)what;
	return 0;
}

int watch_port(struct watch *w, const struct port *p, uint32_t flags)
{
	(void)w;
	(void)p;
	(void)flags;
	return 0;
}

int watch_drain(struct watch *w, const struct watch_ops *ops, void *data)
{
	(void)w;
	(void)ops;
	(void)data;
	return 0;
}

void watch_close(struct watch *w)
{
	(void)w;
}

/* No namespaces: this process stays where it is. */
int __wrap_setns(int fd, int type)
{
	(void)fd;
	(void)type;
	return 0;
}

int __wrap_unshare(int flags)
{
	(void)flags;
	return 0;
}

/* A socket that acknowledges everything. */
static uint32_t last_seq;

struct mnl_socket *__wrap_nl_socket(int protocol)
{
	(void)protocol;
	return (struct mnl_socket *)&last_seq;
}

int __wrap_mnl_socket_close(struct mnl_socket *nl)
{
	(void)nl;
	return 0;
}

unsigned int __wrap_mnl_socket_get_portid(const struct mnl_socket *nl)
{
	(void)nl;
	return 0;
}

/* Each attribute within the message, the message within its buffer. */
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *req, size_t size)
{
	const struct nlmsghdr *nlh = req;

	(void)nl;
	if (size > NL_BUF_SIZE || nlh->nlmsg_len != size)
		abort();
	last_seq = nlh->nlmsg_seq;
	return (ssize_t)size;
}

ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct nlmsgerr *err;

	(void)nl;
	(void)size;
	err = mnl_nlmsg_put_extra_header(nlh, sizeof(*err));
	memset(err, 0, sizeof(*err));
	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_seq = last_seq;
	return nlh->nlmsg_len;
}

void fuzz_begin(void)
{
	mkdir_p(fuzz_dir());
}

struct reader {
	struct lab lab;
	const char *out;
	struct sampler sampler;
	struct hist hist;
};

static int read_job(struct reader *r)
{
	struct json_object *ccs = js_get(r->lab.job, "ccs");
	size_t i;
	int rc = lab_setup(&r->lab);

	for (i = 0; i < js_len(ccs) && !rc; i++)
		rc = cc_forget(&r->lab) || lab_cc(&r->lab, json_object_array_get_idx(ccs, i), 1);
	if (!rc)
		rc = lab_start_ports(&r->lab, 0, false);
	r->sampler.topo = &r->lab.topo;
	if (!rc)
		rc = sampler_open(&r->sampler, r->lab.job, r->out) ||
		     hist_open(&r->hist, r->lab.job, &r->lab.topo, 0);
	return rc;
}

void fuzz_one(const char *text, size_t len)
{
	struct reader r = { .out = fuzz_dir(), .hist = { .timer_fd = -1 } };
	char *path = xasprintf("%s/job.json", r.out), *err = NULL;

	fuzz_files(text, len, names, ARRAY_SIZE(names));
	if (!fuzz_has(names[1]))
		fuzz_file(names[1], "{}", 2);
	r.lab.job = js_load(path, &err);
	if (r.lab.job)
		err = job_check(r.lab.job);
	if (r.lab.job && !err) {
		fuzz_one_message(read_job(&r));
		hist_close(&r.hist);
		sampler_close(&r.sampler);
		topo_close(&r.lab.topo);
	}
	json_object_put(r.lab.job);
	free(path);
	free(err);
}
