// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that wait without sleeping, for programs_in_virtual_time.sh: each prints how long it
 * has waited, in ns of CLOCK_MONOTONIC, and ends with status 0 if it saw what it waited for.
 *	waits_without_sleeping WAY
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define MS	1000000LL

static volatile int *flag;
static volatile sig_atomic_t handled;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 * MS + t.tv_nsec;
}

static void *set_flag(void *ns)
{
	struct timespec t = { .tv_nsec = *(long long *)ns };

	nanosleep(&t, NULL);
	*flag = 1;
	/* A call ends the wait of who polls or spins. */
	sched_yield();
	return NULL;
}

/* In another thread, 3 ms from now. */
static void flag_by_thread(void)
{
	static long long ns = 3 * MS;
	pthread_t thread;

	pthread_create(&thread, NULL, set_flag, &ns);
}

static void flag_by_process(void)
{
	static long long ns = 3 * MS;

	if (!fork()) {
		set_flag(&ns);
		_exit(0);
	}
}

static int deadline(void)
{
	long long end = now() + 10 * MS;

	while (now() < end)
		;
	return 0;
}

/* The counter runs at 1 GHz and tells the same time. */
static int counter(void)
{
	unsigned long long start = __rdtsc(), took;
	struct timespec t = { .tv_nsec = 5 * MS };
	unsigned int aux;

	nanosleep(&t, NULL);
	took = __rdtscp(&aux) - start;
	return took < 5 * MS || took > 5 * MS + 1000;
}

static int counter_deadline(void)
{
	unsigned long long end = __rdtsc() + 10 * MS;

	while (__rdtsc() < end)
		;
	return 0;
}

static int thread_and_yield(void)
{
	flag_by_thread();
	while (!*flag)
		sched_yield();
	return 0;
}

static int thread_and_spin(void)
{
	flag_by_thread();
	while (!*flag)
		;
	return 0;
}

static int shared_and_spin(void)
{
	flag_by_process();
	while (!*flag)
		;
	wait(NULL);
	return 0;
}

static int shared_and_yield(void)
{
	flag_by_process();
	while (!*flag)
		sched_yield();
	wait(NULL);
	return 0;
}

static int dontwait(void)
{
	struct timespec t = { .tv_nsec = 3 * MS };
	int s[2];
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (!fork()) {
		nanosleep(&t, NULL);
		_exit(write(s[1], "x", 1) != 1);
	}
	while (recv(s[0], &c, 1, MSG_DONTWAIT) < 0)
		;
	wait(NULL);
	return c != 'x';
}

static void *write_event(void *fd)
{
	const struct timespec t = { .tv_nsec = 3 * MS };

	nanosleep(&t, NULL);
	return (void *)(long)eventfd_write(*(int *)fd, 1);
}

/* A descriptor that is ready 3 ms from now. */
static int event_by_thread(void)
{
	static int fd;
	pthread_t thread;

	fd = eventfd(0, EFD_NONBLOCK);
	if (fd < 0 || pthread_create(&thread, NULL, write_event, &fd))
		return -1;
	return fd;
}

static int polls_fd(void)
{
	struct pollfd fd = { .fd = event_by_thread(), .events = POLLIN };
	int n;

	do
		n = poll(&fd, 1, 0);
	while (!n);
	return n != 1;
}

static int epolls(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int set = epoll_create1(0), n;

	if (epoll_ctl(set, EPOLL_CTL_ADD, event_by_thread(), &event))
		return 1;
	do
		n = epoll_wait(set, &event, 1, 0);
	while (!n);
	return n != 1;
}

static int selects(void)
{
	int fd = event_by_thread(), n;
	struct timeval none = { 0, 0 };
	fd_set in;

	do {
		FD_ZERO(&in);
		FD_SET(fd, &in);
		n = select(fd + 1, &in, NULL, NULL, &none);
	} while (!n);
	return n != 1;
}

static int reads_eventfd(void)
{
	int fd = event_by_thread();
	eventfd_t val = 0;

	while (read(fd, &val, sizeof(val)) < 0)
		;
	return val != 1;
}

static void *empty_pipe(void *fd)
{
	const struct timespec t = { .tv_nsec = 3 * MS };
	static char all[1 << 20];

	nanosleep(&t, NULL);
	return read(*(int *)fd, all, sizeof(all)) > 0 ? NULL : fd;
}

/* There is room again when a thread has read what is in the pipe. */
static int writes_pipe(void)
{
	static const char some[4096];
	pthread_t thread;
	static int p[2];

	if (pipe2(p, O_NONBLOCK))
		return 1;
	while (write(p[1], some, sizeof(some)) > 0)
		;
	pthread_create(&thread, NULL, empty_pipe, p);
	while (write(p[1], some, sizeof(some)) < 0)
		;
	return 0;
}

#ifndef STATIC
/* The counter is read in a library that is loaded now: that with the program's name and .so. */
static int counter_in_library(void)
{
	const struct timespec t = { .tv_nsec = 5 * MS };
	unsigned long long (*read_counter)(void), took;
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 16);
	void *lib;

	path[n < 0 ? 0 : n] = '\0';
	strcat(path, ".so");
	lib = dlopen(path, RTLD_NOW);
	read_counter = lib ? dlsym(lib, "read_counter") : NULL;
	if (!read_counter)
		return 1;
	took = read_counter();
	nanosleep(&t, NULL);
	took = read_counter() - took;
	return took < 5 * MS || took > 5 * MS + 1000;
}
#endif

/* As long as a host's timer ticks many times, and not a nanosecond in virtual time. */
static int computes(void)
{
	volatile unsigned long n = 0;

	while (n < 1000000000UL)
		n++;
	return 0;
}

/*
 * As "computes", in memory only, for the kernel's look at its loop: with steps of 256 the flags are
 * the same in each round. Until it overflows.
 */
static int computes_in_memory(void)
{
	int n, i;

	for (i = 0; i < 100; i++) {
		n = 0;
		asm volatile("1: addl $256, %0; jno 1b" : "+m" (n) : : "cc");
	}
	return n > 0;
}

/* A thread that any other task may take the processor from, and that /proc knows. */
static void *dies_last(void *unused)
{
	const struct sched_param none = {};
	char c;
	int fd;

	(void)unused;
	fd = open("/proc/thread-self/stat", O_RDONLY);
	if (fd < 0 || read(fd, &c, 1) != 1 || close(fd) || sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	usleep(100);
	return NULL;
}

/*
 * A process ends with its last thread, which wakes up who waits for it. The thread then removes
 * its entries of /proc, and who has waited those of the process.
 */
static int reaps(void)
{
	pid_t pid = fork();
	pthread_t t;
	int status;

	if (!pid) {
		pthread_create(&t, NULL, dies_last, NULL);
		pthread_exit(NULL);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

static void on_ill(int sig, siginfo_t *si, void *ctx)
{
	ucontext_t *c = ctx;

	(void)sig;
	(void)si;
	handled++;
	c->uc_mcontext.gregs[REG_RIP] += 2; /* ud2 */
}

/* A handler of the program's own sees what is its own. */
static int own_sigill(void)
{
	struct sigaction s = { .sa_sigaction = on_ill, .sa_flags = SA_SIGINFO };
	unsigned long long a, b;

	sigaction(SIGILL, &s, NULL);
	a = __rdtsc();
	__asm__ volatile("ud2");
	b = __rdtsc();
	return handled != 1 || b < a || b - a > 1000;
}

static const struct way {
	const char *name;
	int (*wait)(void);
} ways[] = {
	{ "deadline", deadline }, { "counter", counter }, { "counter_deadline", counter_deadline },
	{ "thread_and_yield", thread_and_yield }, { "thread_and_spin", thread_and_spin },
	{ "shared_and_yield", shared_and_yield }, { "shared_and_spin", shared_and_spin },
	{ "dontwait", dontwait }, { "computes", computes },
	{ "computes_in_memory", computes_in_memory }, { "reaps", reaps },
	{ "own_sigill", own_sigill },
	{ "polls_fd", polls_fd }, { "epolls", epolls }, { "selects", selects },
	{ "reads_eventfd", reads_eventfd }, { "writes_pipe", writes_pipe },
#ifndef STATIC
	{ "counter_in_library", counter_in_library },
#endif
};

int main(int argc, char **argv)
{
	long long start;
	size_t i;
	int rc;

	flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(ways[i].name, argv[1]))
			continue;
		start = now();
		rc = ways[i].wait();
		printf("%s %lld\n", argv[1], now() - start);
		return rc;
	}
	return 2;
}
