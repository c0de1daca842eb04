// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: the first process of the lab kernel.
 *
 * The kernel passes "lab_job=FILE" of its command line on in the environment.
 * FILE is JSON; "mode" says what to do:
 *
 *	exec	load modules, run one program, write its exit status
 *	run	build a topology, run traffic over it, record what happens
 *	check	build a topology, see whether the kernel takes what runs will set
 *	shell	build a topology, start a shell on the console
 *	replay	run an algorithm on recorded events
 *	copies	do other jobs, each in a copy of this kernel, see guest/copies.c
 *
 * Whatever happens, the kernel is switched off at the end: a lab that hangs
 * is worse than one that fails. The root file system is the host's: nothing
 * is written outside the job's "out" directory.
 */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <unistd.h>

#include "guest/rdma_devices_and_cc.h"

#define EXEC_TIMEOUT_S	600
#define HOSTNAME	"lab"
#define HEAP_STEP	(1 << 20)

static void write_status(struct json_object *job, int status)
{
	const char *out = job_str(job, J_OUT, NULL);
	char *path;

	if (!out)
		return;
	path = xasprintf("%s/exit_status", out);
	if (write_file(path, "%d\n", status))
		fail("%s: %s", path, strerror(errno));
	free(path);
}

static int exec_job(struct json_object *job)
{
	int64_t timeout = job_int(job, J_TIMEOUT, EXEC_TIMEOUT_S);
	struct proc p = { .status = -1 };
	const char *cwd;
	char **argv;

	if (job_bool(job, J_RDMA_EXCLUSIVE, false) && rdma_exclusive())
		return 125;
	argv = sys_argv(job_get(job, J_ARGV));
	if (!argv[0])
		return fail("job: argv: empty"), 125;
	cwd = job_str(job, J_CWD, NULL);
	if (cwd && chdir(cwd))
		return fail("%s: %s", cwd, strerror(errno)), 125;
	p.pid = sys_spawn(&(struct spawn){ .argv = argv, .env = job_get(job, J_ENV) });
	if (p.pid < 0)
		return 125;
	if (sys_wait(&p, timeout * NSEC_PER_SEC)) {
		fail("%s: no end after %lld s", argv[0], (long long)timeout);
		sys_kill_all();
		return 124;
	}
	return shell_status(p.status);
}

/* What jobs of all modes begin with; those that follow one of mode copies find its settings. */
static int begin(struct json_object *job, bool first)
{
	char *why = job_check(job);

	if (why)
		return fail("%s", why);
	if (first && sethostname(HOSTNAME, strlen(HOSTNAME)))
		return fail("hostname " HOSTNAME ": %s", strerror(errno));
	if (first && sys_modprobe_setup("/proc/1/exe", job))
		return -1;
	return sys_load_modules(job);
}

/* @jobp: in a copy it becomes the copy's */
static int do_job(struct json_object **jobp)
{
	struct json_object *job = *jobp;
	const char *mode;

	if (begin(job, true))
		return 125;
	while (strcmp(job_str(job, J_MODE, "exec"), "copies") == 0) {
		/* What all jobs begin with. */
		if (job_get(job, J_ARGV) && exec_job(job))
			return 125;
		job = copies_next(job);
		if (!job)
			return 125;
		*jobp = job;
		if (begin(job, false))
			return 125;
	}
	mode = job_str(job, J_MODE, "exec");
	if (strcmp(mode, "exec") == 0)
		return exec_job(job);
	if (strcmp(mode, "run") == 0)
		return run_job(job);
	if (strcmp(mode, "check") == 0)
		return check_job(job);
	if (strcmp(mode, "shell") == 0)
		return shell_job(job);
	if (strcmp(mode, "replay") == 0)
		return replay_job(job);
	return fail("job: unknown mode \"%s\"", mode), 125;
}

static void power_off(void)
{
	sys_kill_all();
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

int main(int argc, char **argv)
{
	const struct rlimit files = { 65536, 65536 };
	const char *file = getenv("lab_job");
	struct json_object *job;
	char *err = NULL;
	int status = 125;

	if (getpid() != 1 || (argc > 1 && strcmp(argv[1], "-q") == 0))
		return sys_modprobe(argc, argv);

	/*
	 * From here on memory is there when it is asked for, many pages at once: each page
	 * that is touched first costs two switches between processes of the host.
	 */
	mallopt(M_TOP_PAD, HEAP_STEP);
	mlockall(MCL_FUTURE);
	/* Sleepers wake up when they asked to; children inherit this. */
	prctl(PR_SET_TIMERSLACK, 1);
	/* Two descriptors a host here, some more in the traffic generator. */
	setrlimit(RLIMIT_NOFILE, &files);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sys_console_raw();
	if (sys_mount_all())
		power_off();
	if (!file) {
		fail("no lab_job= on the kernel's command line");
		power_off();
	}
	if (control_mount())
		power_off();
	job = js_load(file, &err);
	if (!job) {
		fail("%s", err);
		power_off();
	}
	if (control_open(job))
		power_off();
	mark("boot");
	status = do_job(&job);
	gcov_keep(job);
	write_status(job, status);
	mark("exit %d", status);
	/* The coordinator may want to see the clock once more. */
	if (control_guest() >= 0 && strcmp(job_str(job, J_MODE, ""), "shell"))
		free(control_wait("end"));
	power_off();
}
