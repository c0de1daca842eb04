// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that a program shares: with rxe its queues, in which rxe counts what it has added; with
 * other processes anything.
 */
#include <pthread.h>
#include <rdma/rdma_user_rxe.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

#define UVERBS		"/dev/infiniband/uverbs"
/* A completion has up to 128 bytes; what is queued to send has more. */
#define COMPLETION_LOG2	7

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map {
	const struct rxe_queue_buf *queue;
	size_t len;
} maps[WAIT_WORDS];
static unsigned int n_maps;

static bool is_uverbs(int fd)
{
	char link[32], path[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path));
	return n >= (ssize_t)strlen(UVERBS) && strncmp(path, UVERBS, strlen(UVERBS)) == 0;
}

static void mapped(void *at, size_t len)
{
	const struct rxe_queue_buf *queue = at;

	if (len < sizeof(*queue) || queue->log2_elem_size > COMPLETION_LOG2)
		return;
	pthread_mutex_lock(&lock);
	if (n_maps < WAIT_WORDS)
		maps[n_maps++] = (struct map){ queue, len };
	pthread_mutex_unlock(&lock);
}

static void unmapped(const void *at)
{
	unsigned int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < n_maps; i++)
		if (maps[i].queue == at)
			maps[i--] = maps[--n_maps];
	pthread_mutex_unlock(&lock);
}

/* How many completions each queue has had. */
void maps_words(struct vtime_words *words)
{
	unsigned int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < n_maps; i++) {
		const __u32 *at = &maps[i].queue->producer_index;

		words->words[i].addr = (uintptr_t)at;
		words->words[i].value = *(volatile const __u32 *)at;
	}
	words->n = n_maps;
	pthread_mutex_unlock(&lock);
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *at = (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);

	if (vtime_on && at != MAP_FAILED && (flags & MAP_SHARED) && (prot & PROT_WRITE)) {
		if (fd >= 0 && is_uverbs(fd))
			mapped(at, len);
		else
			vtime_shares_memory();
	}
	return at;
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t offset)
	__attribute__((alias("mmap")));

EXPORT int munmap(void *addr, size_t len)
{
	if (vtime_on)
		unmapped(addr);
	return syscall(SYS_munmap, addr, len);
}

EXPORT void *shmat(int id, const void *addr, int flags)
{
	vtime_shares_memory();
	return (void *)syscall(SYS_shmat, id, addr, flags);
}
