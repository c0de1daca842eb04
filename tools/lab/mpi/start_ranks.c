// SPDX-License-Identifier: GPL-2.0
/*
 * labmpi: starts the ranks of an MPI program on the hosts of a lab, for "lab mpirun".
 *
 *	labmpi HOST,HOST,... PROGRAM [ARGUMENTS]
 *
 * Rank i is in the network namespace of the i-th HOST, and uses the RDMA device of that host. The
 * ranks find each other by PMI, over a socket that each has from here: no launcher of an MPI
 * library is needed, and no connection over the loopback device. MPICH speaks PMI itself; Open MPI
 * by a library that it loads (pmi_client_library.c).
 *
 * If a rank fails, the others are ended. What the ranks have sent, at least, goes to the file
 * that LAB_MPI_FILE names: "lab" compares it with what the ports have counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/mem.h"
#include "mpi/mpi.h"

#define BOOT_ID_FILE	"/run/boot_id"
#define BOOT_ID		"6c616200-0000-4000-8000-000000000001"
#define FILE_VAR	"LAB_MPI_FILE"
#define STATUS_NOT_RUN	127
#define BY_SIGNAL	128
/* From the signal that asks to the one that does not. */
#define GRACE_MS	100

struct job {
	struct pmi pmi;
	char **hosts;		/* by rank */
	int *host_of;		/* by rank: the first rank on its host */
	int signals_fd, told[2];
	int status, n_running;
	bool ending;
};

static int __attribute__((format(printf, 1, 2))) fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "labmpi: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

/* Next to this program: ../lib/NAME */
static char *library(const char *name)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	int i;

	exe[n < 0 ? 0 : n] = '\0';
	for (i = 0; i < 2 && strrchr(exe, '/'); i++)
		*strrchr(exe, '/') = '\0';
	return xasprintf("%s/lib/%s", exe, name);
}

static void set(const char *name, const char *value)
{
	if (setenv(name, value, 1))
		out_of_memory();
}

static void set_number(const char *name, int value)
{
	char *text = xasprintf("%d", value);

	set(name, text);
	free(text);
}

/* What makes an MPI library use RDMA for all that goes from rank to rank. */
static void set_libraries(void)
{
	char *path = library("librxecc_mpi.so"), *preload = getenv("LD_PRELOAD"), *both;

	both = xasprintf("%s%s%s", preload ? preload : "", preload ? ":" : "", path);
	set("LD_PRELOAD", both);
	free(both);
	free(path);

	/* UCX: reliable connections; UD, by which it sets them up. */
	set("UCX_TLS", "rc_verbs,ud_verbs:aux,self");
	set("UCX_IB_GID_INDEX", "1");
	set("UCX_IB_TRAFFIC_CLASS", "104");
	/*
	 * It takes from the service level of a completion whether the packet was IPv4, as only
	 * NICs of one vendor tell it, and drops all others.
	 */
	set("UCX_UD_ETH_DGID_CHECK", "n");
	set("UCX_WARN_UNUSED_ENV_VARS", "n");

	/*
	 * Data as messages. UCX would take long ones by READs, or ask for WRITEs by messages of
	 * its own; but what a queue pair of rxe sends goes in order, also its answers to READs. So
	 * such a small message waits behind the data of the other direction, and the two take
	 * turns.
	 */
	set("UCX_RNDV_THRESH", "inf");

	/* MPICH: ranks of one host, too. */
	set("MPIR_CVAR_NOLOCAL", "1");

	/* Open MPI: nothing but UCX, and PMI from the library. */
	path = library("librxecc_pmi.so");
	set("FLUX_PMI_LIBRARY_PATH", path);
	free(path);
	set("FLUX_JOB_ID", "1");
	set("OMPI_MCA_pmix", "flux");
	set("OMPI_MCA_ess", "pmi");
	set("OMPI_MCA_pml", "ucx");
	set("OMPI_MCA_osc", "ucx");
	set("OMPI_MCA_btl", "self");
	set("OMPI_MCA_coll", "^sm,han,hcoll");
}

static void set_hosts(const struct job *j)
{
	char *text = xstrdup(""), *more;
	int i;

	for (i = 0; i < j->pmi.n; i++) {
		more = xasprintf("%s%s%d", text, i ? "," : "", j->host_of[i]);
		free(text);
		text = more;
	}
	set(MPI_HOSTS, text);
	free(text);
}

static void set_rank(const struct job *j, int rank, int fd)
{
	char *device = xasprintf("rxe_%s:1", j->hosts[rank]);
	int i, local = 0;

	for (i = 0; i < rank; i++)
		local += j->host_of[i] == j->host_of[rank];
	set("UCX_NET_DEVICES", device);
	set_number("PMI_FD", fd);
	set_number("PMI_RANK", rank);
	set_number("PMI_SIZE", j->pmi.n);
	set_number(MPI_TOLD_FD, j->told[1]);
	set_number("MPI_LOCALRANKID", local);
	free(device);
}

/*
 * Each kernel draws a number when it boots. UCX makes its names of processes of it, and which of
 * two asks the other for a connection depends on these. The same number, so that runs are the same.
 */
static int write_boot_id(void)
{
	FILE *f = fopen(BOOT_ID_FILE, "we");

	if (!f || fprintf(f, BOOT_ID "\n") < 0 || fclose(f))
		return fail(BOOT_ID_FILE ": %s", strerror(errno));
	return 0;
}

/* The host's network, and in /sys its devices. */
static int enter(const char *host)
{
	char *path = xasprintf("/run/netns/%s", host);
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	/* On the host that this program is on /sys is right. */
	if (fd < 0 || setns(fd, CLONE_NEWNET) || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    (mount("sysfs", "/sys", "sysfs", 0, NULL) && errno != EBUSY) ||
	    mount(BOOT_ID_FILE, "/proc/sys/kernel/random/boot_id", NULL, MS_BIND, NULL))
		rc = fail("host %s: %s", host, strerror(errno));
	close(fd);
	free(path);
	return rc;
}

static void __attribute__((noreturn)) become(const struct job *j, int rank, int fd, char **argv)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	fcntl(fd, F_SETFD, 0);
	fcntl(j->told[1], F_SETFD, 0);
	set_rank(j, rank, fd);
	if (!enter(j->hosts[rank])) {
		execvp(argv[0], argv);
		fail("%s: %s", argv[0], strerror(errno));
	}
	_exit(STATUS_NOT_RUN);
}

static int start(struct job *j, int rank, char **argv)
{
	struct rank *r = &j->pmi.ranks[rank];
	int pair[2];

	r->fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return fail("socketpair: %s", strerror(errno));
	r->pid = fork();
	if (r->pid == 0)
		become(j, rank, pair[1], argv);
	close(pair[1]);
	r->fd = pair[0];
	if (r->pid < 0) {
		r->pid = 0;
		return fail("fork: %s", strerror(errno));
	}
	j->n_running++;
	return 0;
}

static void signal_all(const struct job *j, int sig)
{
	int i;

	for (i = 0; i < j->pmi.n; i++)
		if (j->pmi.ranks[i].pid)
			kill(j->pmi.ranks[i].pid, sig);
}

/* The status of the first that failed is that of all. */
static void end(struct job *j, int status)
{
	if (j->ending)
		return;
	j->ending = true;
	j->status = status;
	signal_all(j, SIGTERM);
}

static void ended(struct job *j, int rank, int status)
{
	struct rank *r = &j->pmi.ranks[rank];

	r->pid = 0;
	j->n_running--;
	if (j->ending)
		return;
	if (WIFSIGNALED(status)) {
		fail("rank %d on %s: signal %d", rank, j->hosts[rank], WTERMSIG(status));
		end(j, BY_SIGNAL + WTERMSIG(status));
	} else if (WEXITSTATUS(status)) {
		fail("rank %d on %s: exit status %d", rank, j->hosts[rank], WEXITSTATUS(status));
		end(j, WEXITSTATUS(status));
	} else if (r->begun && !r->finalized) {
		fail("rank %d on %s: ended without MPI_Finalize()", rank, j->hosts[rank]);
		end(j, 1);
	}
}

static void reap(struct job *j)
{
	int status, i;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (i = 0; i < j->pmi.n; i++)
			if (j->pmi.ranks[i].pid == pid)
				ended(j, i, status);
}

static void take_signal(struct job *j)
{
	struct signalfd_siginfo si;

	if (read(j->signals_fd, &si, sizeof(si)) != sizeof(si))
		return;
	if (si.ssi_signo == SIGCHLD)
		reap(j);
	else
		end(j, BY_SIGNAL + si.ssi_signo);
}

static void take_told(struct job *j)
{
	struct mpi_told told;

	while (read(j->told[0], &told, sizeof(told)) == sizeof(told))
		if (told.rank >= 0 && told.rank < j->pmi.n)
			j->pmi.ranks[told.rank].told = told;
}

/* Until no rank runs. */
static void serve(struct job *j)
{
	struct pollfd *fds = xcalloc(j->pmi.n + 2, sizeof(*fds));
	int i, timeout = -1;

	while (j->n_running) {
		for (i = 0; i < j->pmi.n; i++)
			fds[i] = (struct pollfd){ .fd = j->pmi.ranks[i].fd, .events = POLLIN };
		fds[i++] = (struct pollfd){ .fd = j->signals_fd, .events = POLLIN };
		fds[i++] = (struct pollfd){ .fd = j->told[0], .events = POLLIN };
		if (poll(fds, i, timeout) == 0)
			signal_all(j, SIGKILL);
		for (i = 0; i < j->pmi.n; i++) {
			if (!fds[i].revents || !pmi_take(&j->pmi, i))
				continue;
			close(j->pmi.ranks[i].fd);
			j->pmi.ranks[i].fd = -1;
		}
		if (j->pmi.abort_status >= 0)
			end(j, j->pmi.abort_status);
		take_told(j);
		if (fds[j->pmi.n].revents)
			take_signal(j);
		timeout = j->ending ? GRACE_MS : -1;
	}
	free(fds);
}

/* By host, in the order of their first ranks. */
static int write_told(const struct job *j)
{
	const char *path = getenv(FILE_VAR), *comma = "";
	FILE *f = path ? fopen(path, "we") : NULL;
	int i, k;

	if (!path)
		return 0;
	if (!f)
		return fail("%s: %s", path, strerror(errno));
	fprintf(f, "{ \"ranks\": %d, \"hosts\": [", j->pmi.n);
	for (i = 0; i < j->pmi.n; i++) {
		int64_t sent = 0, got = 0, calls = 0, ranks = 0;

		if (j->host_of[i] != i)
			continue;
		for (k = i; k < j->pmi.n; k++) {
			if (j->host_of[k] != i)
				continue;
			ranks++;
			calls += j->pmi.ranks[k].told.calls;
			sent += j->pmi.ranks[k].told.sent_bytes;
			got += j->pmi.ranks[k].told.got_bytes;
		}
		fprintf(f, "%s\n{ \"host\": \"%s\", \"ranks\": %" PRId64 ", \"calls\": %" PRId64
			", \"sent_bytes\": %" PRId64 ", \"got_bytes\": %" PRId64 " }", comma,
			j->hosts[i], ranks, calls, sent, got);
		comma = ",";
	}
	fprintf(f, " ] }\n");
	return fclose(f) ? fail("%s: %s", path, strerror(errno)) : 0;
}

static void parse_hosts(struct job *j, char *list)
{
	char *name;
	int n = 0, i;

	while ((name = strsep(&list, ","))) {
		j->hosts = xreallocarray(j->hosts, n + 1, sizeof(*j->hosts));
		j->host_of = xreallocarray(j->host_of, n + 1, sizeof(*j->host_of));
		j->hosts[n] = name;
		for (i = 0; strcmp(j->hosts[i], name); i++)
			;
		j->host_of[n] = i;
		n++;
	}
	j->pmi.n = n;
	j->pmi.ranks = xcalloc(n, sizeof(*j->pmi.ranks));
}

static int open_fds(struct job *j)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	j->signals_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (j->signals_fd < 0 || pipe2(j->told, O_CLOEXEC | O_NONBLOCK))
		return fail("%s", strerror(errno));
	return 0;
}

int main(int argc, char **argv)
{
	struct job j = { .pmi.abort_status = -1 };
	char *mapping;
	int i;

	if (argc < 3) {
		fprintf(stderr, "Usage: labmpi HOST[,HOST]... PROGRAM [ARGUMENTS]\n");
		return 2;
	}
	parse_hosts(&j, argv[1]);
	/* Each rank is a machine of its own for what goes from rank to rank. */
	mapping = xasprintf("(vector,(0,%d,1))", j.pmi.n);
	j.pmi.mapping = mapping;
	if (open_fds(&j) || write_boot_id())
		return 1;
	set_libraries();
	set_hosts(&j);
	for (i = 0; i < j.pmi.n; i++)
		if (start(&j, i, argv + 2))
			end(&j, 1);
	serve(&j);
	take_told(&j);
	if (write_told(&j) && !j.status)
		j.status = 1;
	pmi_free(&j.pmi);
	free(mapping);
	free(j.pmi.ranks);
	free(j.host_of);
	free(j.hosts);
	return j.status;
}
