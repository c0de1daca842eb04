// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: start and end the guests.
 *
 * Each is a process in a group of its own, killed with this one. Cables and
 * control channels are pairs of sockets that the processes inherit: they leave
 * no file, and a guest that ends is heard of at once.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "boot/qemu.h"

#define QEMU		"qemu-system-x86_64"
#define PROBE_TIMEOUT_S	20
#define PROBE_MEM_MB	256

/*
 * QEMU 7.2 leaves wrong flags when an interrupt comes with cmpxchg16b, which the
 * kernel's allocator uses where there is one: the guest ends in a double fault.
 */
#define TCG_CPU		"max,cx16=off"
#define KVM_CPU		"host"
#define TCG		"tcg"
#define KVM		"kvm"

#define KERNEL_ARGS	"console=ttyS0 rdinit=/init panic=-1 oops=panic mitigations=off " \
			"random.trust_cpu=on nokaslr tsc=reliable no_timer_check"
/* What labstage says when it is told to do nothing else. */
#define PROBE_ARGS	"lab_probe=1"
#define PROBE_WORD	"@lab:alive"
#define NO_KVM		"no-kvm"
#define BOOT_ID		"/proc/sys/kernel/random/boot_id"

/* Devices behind the first eight slots, eight functions each; a bus has 32 slots. */
#define FIRST_SLOT	8
#define FUNCTIONS	8

/* In a list of options a comma is two. */
static char *quoted(const char *path)
{
	char *out = xcalloc(2 * strlen(path) + 1, 1), *to = out;

	for (; *path; path++) {
		*to++ = *path;
		if (*path == ',')
			*to++ = ',';
	}
	return out;
}

static void add_machine(struct option_list *a, const char *accel, int cpus, int64_t mem_mb,
			const char *console)
{
	bool tcg = strcmp(accel, TCG) == 0;

	list_add(a, QEMU);
	list_add2(a, "-accel", tcg ? TCG ",thread=multi" : KVM);
	list_add2(a, "-cpu", tcg ? TCG_CPU : KVM_CPU);
	list_add2(a, "-smp", xasprintf("%d", cpus));
	list_add2(a, "-m", xasprintf("%" PRId64, mem_mb));
	list_add(a, "-nodefaults");
	list_add(a, "-no-user-config");
	list_add(a, "-no-reboot");
	list_add2(a, "-display", "none");
	list_add2(a, "-monitor", "none");
	list_add2(a, "-serial", xasprintf("file:%s", console));
}

/*
 * In software emulation the guest's time stamp counter is ours. How fast that is
 * a guest would measure by timers that come late on a busy machine: clocks of
 * guests that ran four times too fast have been seen. Here the clock is exact.
 */
static int64_t tsc_khz(void)
{
	const struct timespec span = { .tv_nsec = 50 * 1000 * 1000 };
	int64_t begin = now_ns(CLOCK_MONOTONIC), end;
	uint64_t ticks = __rdtsc();

	nanosleep(&span, NULL);
	end = now_ns(CLOCK_MONOTONIC);
	ticks = __rdtsc() - ticks;
	return ticks * 1000000.0 / (end - begin);
}

static char *kernel_args(const struct qemu *q, int number)
{
	char *clock = strcmp(q->accel, TCG) == 0 ?
		      xasprintf(" tsc_early_khz=%" PRId64, q->tsc_khz) : xstrdup("");
	char *args = xasprintf(KERNEL_ARGS "%s lab_init=%s/build/bin/labinit lab_job=%s/job.json lab_work=%s lab_part=%d",
			       clock, lab_root(), q->work, q->work, number);

	free(clock);
	return args;
}

static void add_dir(struct option_list *a, const char *tag, const char *dir, bool readonly)
{
	char *path = quoted(dir);

	list_add2(a, "-fsdev",
		  xasprintf("local,id=%s,path=%s,security_model=none,multidevs=remap%s", tag, path,
			    readonly ? ",readonly=on" : ""));
	list_add2(a, "-device", xasprintf("virtio-9p-pci,fsdev=%s,mount_tag=%s", tag, tag));
	free(path);
}

static void add_control(struct option_list *a, int fd)
{
	list_add2(a, "-device", "virtio-serial-pci");
	list_add2(a, "-chardev", xasprintf("socket,id=control,fd=%d", fd));
	list_add2(a, "-device", "virtserialport,chardev=control,name=" QEMU_CONTROL_PORT);
}

/*
 * ctrl_rx=off: nothing is filtered. Otherwise QEMU drops PFC frames on their way to a host:
 * they have a multicast address that no program there has asked for.
 */
static void add_cable(struct option_list *a, const struct qemu_cable *c, int i)
{
	list_add2(a, "-netdev", xasprintf("dgram,id=cable%d,local.type=fd,local.str=%d", i, c->fd));
	list_add2(a, "-device",
		  xasprintf("virtio-net-pci,netdev=cable%d,romfile=,mac=%02x:%02x:%02x:%02x:%02x:%02x,addr=%d.%d,multifunction=on,ctrl_rx=off",
			    i, c->mac[0], c->mac[1], c->mac[2], c->mac[3], c->mac[4], c->mac[5],
			    FIRST_SLOT + i / FUNCTIONS, i % FUNCTIONS));
}

/* With these descriptors and no others. */
static pid_t start_qemu(struct option_list *a, const char *log, const int *keep, int n_keep)
{
	return child_start(&(struct child){
		.argv = a->v, .log = log, .keep = keep, .n_keep = n_keep, .group = true,
		.death = SIGKILL });
}

static int start_guest(struct qemu *q, struct qemu_guest *g)
{
	char *console = xasprintf("%s/console-%d.log", q->work, g->number);
	char *log = xasprintf("%s/qemu-%d.log", q->work, g->number);
	int keep[QEMU_FDS + 1], pair[2], i;
	struct option_list a = {};

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return run_error("socketpair: %s", strerror(errno));
	add_machine(&a, q->accel, q->cpus, q->mem_mb, console);
	list_add2(&a, "-kernel", q->kernel);
	list_add2(&a, "-initrd", q->initrd);
	list_add2(&a, "-append", kernel_args(q, g->number));
	add_dir(&a, "root", "/", true);
	add_dir(&a, QEMU_WORK_TAG, q->work, false);
	add_control(&a, pair[1]);
	for (i = 0; i < g->n_cables; i++) {
		add_cable(&a, &g->cables[i], i);
		keep[i] = g->cables[i].fd;
	}
	keep[i++] = pair[1];
	g->pid = start_qemu(&a, log, keep, i);
	close(pair[1]);
	g->ctl = pair[0];
	/* Its words live as long as the process. */
	free(a.v);
	free(console);
	free(log);
	return g->pid < 0 ? run_error("fork: %s", strerror(errno)) : 0;
}

/**
 * qemu_start() - start all guests
 * @q: with kernel, places and job file
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_start(struct qemu *q)
{
	int i, rc = 0;

	q->tsc_khz = tsc_khz();
	for (i = 0; i < q->n_guests && !rc; i++)
		rc = start_guest(q, &q->guests[i]);
	return rc;
}

/* A guest that has been told to end does so; one that does not is killed. */
static void end_process(pid_t pid, int64_t until_ns)
{
	const struct timespec step = { .tv_nsec = 20 * 1000 * 1000 };

	while (!work_interrupted() && now_ns(CLOCK_MONOTONIC) < until_ns) {
		if (child_wait(pid, false) >= 0)
			return;
		nanosleep(&step, NULL);
	}
	kill(-pid, SIGKILL);
	while (child_wait(pid, true) < 0)
		;
}

/**
 * qemu_restart() - start a guest anew whose kernel has died before it said anything
 * @q: guests
 * @g: the one, its control channel closed
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_restart(struct qemu *q, struct qemu_guest *g)
{
	end_process(g->pid, 0);
	g->boots++;
	g->len = 0;
	return start_guest(q, g);
}

/**
 * qemu_booted() - all run: nobody needs the ends of their cables any more
 * @q: guests
 */
void qemu_booted(struct qemu *q)
{
	int i;

	for (i = 0; i < q->n_guests; i++) {
		struct qemu_guest *g = &q->guests[i];

		while (g->n_cables)
			close(g->cables[--g->n_cables].fd);
	}
}

/**
 * qemu_stop() - end all guests that still run, at once if they were not told to end
 * @q: guests
 */
void qemu_stop(struct qemu *q)
{
	int64_t until_ns = now_ns(CLOCK_MONOTONIC) + 20 * NSEC_PER_SEC;
	int i;

	for (i = 0; i < q->n_guests; i++) {
		struct qemu_guest *g = &q->guests[i];

		if (g->pid > 0)
			end_process(g->pid, g->said[QEMU_EXIT] ? until_ns : 0);
		g->pid = 0;
		if (g->ctl >= 0)
			close(g->ctl);
		g->ctl = -1;
	}
	qemu_booted(q);
}

/* Boots a guest that says one word and ends. */
static bool boots_with(struct qemu *q, const char *accel)
{
	char *console = xasprintf("%s/probe.log", q->work);
	char *log = xasprintf("%s/qemu-probe.log", q->work), *text;
	struct option_list a = {};
	bool alive;
	pid_t pid;

	add_machine(&a, accel, 1, PROBE_MEM_MB, console);
	list_add2(&a, "-kernel", q->kernel);
	list_add2(&a, "-initrd", q->initrd);
	list_add2(&a, "-append", KERNEL_ARGS " " PROBE_ARGS);
	pid = start_qemu(&a, log, NULL, 0);
	if (pid > 0)
		end_process(pid, now_ns(CLOCK_MONOTONIC) + PROBE_TIMEOUT_S * NSEC_PER_SEC);
	text = read_file(console, NULL);
	alive = text && strstr(text, PROBE_WORD);
	free(text);
	free(a.v);
	free(console);
	free(log);
	return alive;
}

/* Where it is noted in which boot of the machine KVM did not boot a guest. */
static char *kvm_note(void)
{
	char *cache = cache_dir(), *path = NULL;

	if (cache && !mkdir_p(cache))
		path = xasprintf("%s/" NO_KVM, cache);
	free(cache);
	return path;
}

static bool kvm_boots(struct qemu *q)
{
	char *path = kvm_note(), *boot = read_file(BOOT_ID, NULL);
	char *noted = path ? read_file(path, NULL) : NULL;
	bool known = boot && noted && !strcmp(boot, noted);
	bool boots = !known && boots_with(q, KVM);

	if (path && boot && !known && !boots && !work_interrupted())
		write_file(path, "%s", boot);
	free(noted);
	free(boot);
	free(path);
	return boots;
}

/**
 * qemu_accel() - what runs the guests' code
 * @q: with kernel and initial file system
 *
 * /dev/kvm may be there, make a virtual machine and still never run a kernel: a
 * guest that has booted is the only proof. That one has not is remembered in the
 * cache, since it takes PROBE_TIMEOUT_S to see.
 *
 * Return: "kvm" or "tcg".
 */
const char *qemu_accel(struct qemu *q)
{
	return access("/dev/kvm", R_OK | W_OK) == 0 && kvm_boots(q) ? KVM : TCG;
}
