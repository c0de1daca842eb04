// SPDX-License-Identifier: GPL-2.0
/*
 * lab: which process keeps virtual time from going on.
 *
 * The lab's processor is infinitely fast: time goes on only when nobody wants it. A program that
 * spins stops it, and nothing in the lab can say so, as nothing else runs there. But the lab
 * kernel is a process of this machine, and each of its programs is one, too:
 *
 * - the kernel's clock, the task that runs, its name and number are in the kernel's memory, at
 *   addresses that its symbols tell. Where the name and the number are in a task is found by
 *   those of two tasks that are known: the first one is "swapper", "kthreadd" is number 2;
 * - while a program runs in user mode the kernel waits for its process (wait4). A program that
 *   makes a system call is stopped in it, and the host tells its number.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "boot/stalled_time.h"
#include "common/util.h"

/* More than any task_struct before its name, as configured here. */
#define TASK_BYTES	8192
#define COMM_BYTES	16
#define KTHREADD	2

#define LOOKS		200
#define LOOK_NS		(1000 * 1000)

static const struct {
	int nr;
	const char *name;
} calls[] = {
	{ SYS_read, "read" }, { SYS_write, "write" }, { SYS_poll, "poll" },
	{ SYS_ppoll, "ppoll" }, { SYS_select, "select" }, { SYS_epoll_wait, "epoll_wait" },
	{ SYS_epoll_pwait, "epoll_pwait" }, { SYS_sched_yield, "sched_yield" },
	{ SYS_ioctl, "ioctl" }, { SYS_futex, "futex" }, { SYS_recvfrom, "recvfrom" },
	{ SYS_recvmsg, "recvmsg" }, { SYS_sendto, "sendto" }, { SYS_getpid, "getpid" },
	{ SYS_clock_gettime, "clock_gettime" }, { SYS_gettimeofday, "gettimeofday" },
	{ SYS_time, "time" }, { SYS_wait4, "wait4" }, { SYS_accept, "accept" },
	{ SYS_kill, "kill" },
};

struct symbol {
	const char *name;
	uint64_t at;
};

/* Addresses of symbols of a program that is loaded where it is linked; 0: not there. */
static void find_symbols(const char *elf, size_t bytes, struct symbol *want, size_t n)
{
	const Elf64_Ehdr *eh = (const void *)elf;
	const Elf64_Shdr *sh, *str;
	const Elf64_Sym *sym;
	size_t i, k, count;

	if (bytes < sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh->e_shoff > bytes || eh->e_shnum * sizeof(*sh) > bytes - eh->e_shoff)
		return;
	sh = (const void *)(elf + eh->e_shoff);
	for (i = 0; i < eh->e_shnum && sh[i].sh_type != SHT_SYMTAB; i++)
		;
	if (i == eh->e_shnum || sh[i].sh_link >= eh->e_shnum)
		return;
	str = &sh[sh[i].sh_link];
	if (sh[i].sh_offset > bytes || sh[i].sh_size > bytes - sh[i].sh_offset ||
	    str->sh_offset > bytes || str->sh_size > bytes - str->sh_offset || !str->sh_size ||
	    elf[str->sh_offset + str->sh_size - 1])
		return;
	sym = (const void *)(elf + sh[i].sh_offset);
	count = sh[i].sh_size / sizeof(*sym);
	for (i = 0; i < count; i++)
		for (k = 0; k < n && sym[i].st_name < str->sh_size; k++)
			if (strcmp(elf + str->sh_offset + sym[i].st_name, want[k].name) == 0)
				want[k].at = sym[i].st_value;
}

static void load_symbols(const char *path, struct symbol *want, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *elf;

	if (fd < 0)
		return;
	elf = fstat(fd, &st) ? MAP_FAILED :
	      mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (elf == MAP_FAILED)
		return;
	find_symbols(elf, st.st_size, want, n);
	munmap(elf, st.st_size);
}

static bool peek(const struct stalled *s, uint64_t at, void *to, size_t bytes)
{
	return at && pread(s->mem, to, bytes, (off_t)at) == (ssize_t)bytes;
}

/* Once the kernel has booted. */
static void find_members(struct stalled *s, uint64_t init_task, uint64_t kthreadd)
{
	static const char swapper[] = "swapper";
	char task[TASK_BYTES];
	uint64_t at;
	size_t i;
	int id[2];

	for (i = TASK_BYTES / 2; i <= TASK_BYTES; i += TASK_BYTES / 2)
		if (peek(s, init_task, task, i))
			for (at = 0; at + sizeof(swapper) < i && !s->comm_in; at++)
				if (memcmp(task + at, swapper, sizeof(swapper)) == 0)
					s->comm_in = at;
	if (!s->comm_in || !peek(s, kthreadd, &at, sizeof(at)) || !peek(s, at, task, s->comm_in))
		return;
	/* Its number stands there twice: of the thread, and of the group. */
	for (i = 0; i + sizeof(id) <= s->comm_in && !s->pid_in; i += sizeof(int)) {
		memcpy(id, task + i, sizeof(id));
		if (id[0] == KTHREADD && id[1] == KTHREADD)
			s->pid_in = i;
	}
}

/**
 * stalled_open() - watch a lab kernel that has booted
 * @s: receives what is needed; if it cannot be had nothing is watched
 * @kernel: process of the kernel, a child of this one
 * @linux_path: its program
 */
void stalled_open(struct stalled *s, pid_t kernel, const char *linux_path)
{
	struct symbol want[] = {
		{ .name = "time_travel_time" }, { .name = "cpu_tasks" }, { .name = "init_task" },
		{ .name = "kthreadd_task" },
	};
	char *path = xasprintf("/proc/%d/mem", kernel);

	*s = (struct stalled){ .since_ns = now_ns(CLOCK_MONOTONIC) };
	s->mem = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (s->mem < 0)
		return;
	load_symbols(linux_path, want, ARRAY_SIZE(want));
	s->kernel = kernel;
	s->time_at = want[0].at;
	s->task_at = want[1].at;
	find_members(s, want[2].at, want[3].at);
	if (!s->time_at || !s->comm_in)
		stalled_close(s);
}

void stalled_close(struct stalled *s)
{
	if (s->mem > 0)
		close(s->mem);
	*s = (struct stalled){ };
}

/* The system call that a process is stopped in; -1: it runs, or is stopped elsewhere. */
static int call_of(pid_t pid)
{
	char *path = xasprintf("/proc/%d/syscall", pid), *text = read_file(path, NULL);
	int nr = text && *text >= '0' && *text <= '9' ? atoi(text) : -1;

	free(text);
	free(path);
	return nr;
}

static const char *call_name(int nr)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].nr == nr)
			return calls[i].name;
	return "of that number";
}

/* Process of the program that runs in user mode; 0: the kernel itself is at work. */
static pid_t user_process(pid_t kernel)
{
	char *path = xasprintf("/proc/%d/syscall", kernel), *text = read_file(path, NULL);
	unsigned int pid = 0;
	int nr;

	if (!text || sscanf(text, "%d 0x%x", &nr, &pid) != 2 || nr != SYS_wait4)
		pid = 0;
	free(text);
	free(path);
	return (pid_t)pid;
}

/*
 * What the process that runs does, from some looks at it. A program that computes is stopped now
 * and then as well, by the timer that the lab kernel gives it: that is no system call.
 */
static char *doing(const struct stalled *s)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	int seen[512] = {}, most = -1, i, nr;
	pid_t user = 0, now;

	for (i = 0; i < LOOKS; i++) {
		now = user_process(s->kernel);
		if (now > 0)
			user = now;
		nr = user ? call_of(user) : -1;
		if (nr >= 0 && nr < (int)ARRAY_SIZE(seen) &&
		    ++seen[nr] > (most < 0 ? 0 : seen[most]))
			most = nr;
		nanosleep(&pause, NULL);
	}
	if (!user)
		return xstrdup("is in the kernel, or waits for a file of the host");
	if (most < 0)
		return xstrdup("computes in user mode, without a system call");
	return xasprintf("makes system calls, and never sleeps: %s (%d) is the most frequent",
			 call_name(most), most);
}

/**
 * stalled_look() - does the lab's time stand still
 * @s: from stalled_open()
 * @after_ns: so long, by the host's clock
 *
 * Return: who keeps it from going on, and how, once for each halt: new string; NULL: nobody.
 */
char *stalled_look(struct stalled *s, int64_t after_ns)
{
	int64_t now = now_ns(CLOCK_MONOTONIC);
	uint64_t time_ns, task;
	char comm[COMM_BYTES + 1] = "";
	char *what, *text;
	int pid = 0;

	if (!s->kernel || !peek(s, s->time_at, &time_ns, sizeof(time_ns)))
		return NULL;
	if (time_ns != s->time_ns) {
		s->time_ns = time_ns;
		s->since_ns = now;
		s->said = false;
		return NULL;
	}
	if (s->said || now - s->since_ns < after_ns)
		return NULL;
	s->said = true;
	if (!peek(s, s->task_at, &task, sizeof(task)) ||
	    !peek(s, task + s->comm_in, comm, COMM_BYTES) ||
	    (s->pid_in && !peek(s, task + s->pid_in, &pid, sizeof(pid))))
		return NULL;
	what = doing(s);
	text = xasprintf("the lab's time has stood still for %d s: process %d (%s) %s",
			 (int)((now - s->since_ns) / NSEC_PER_SEC), pid, comm, what);
	free(what);
	return text;
}
