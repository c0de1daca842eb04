/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loaded into programs of others by LD_PRELOAD, in the lab kernel's virtual time: lets them wait
 * without sleeping, and tell virtual time by the cycle counter. The kernel's half is
 * tools/lab/kernel/0015-um-programs.patch.
 */
#ifndef LAB_VIRTUAL_TIME_PRELOAD_H
#define LAB_VIRTUAL_TIME_PRELOAD_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the library replaces of libc and others is all that others see of it. */
#define EXPORT	__attribute__((visibility("default")))

/* Calls of the lab kernel: numbers and structures are those of that patch. */
#define ARCH_PROGRAM		0x7601
#define ARCH_PROGRAM_WAIT	0x7602
#define ARCH_PROGRAM_CLOCK	0x7603
#define PROGRAM_ON		1
#define PROGRAM_SHARES		2

#define WAIT_WORDS		1024
#define WAIT_FDS		64
#define WAIT_DEVICES		8
#define WAIT_DEVICE_NAME	64

struct program_word {
	uint64_t addr;
	uint32_t value;
	uint32_t unused;
};

struct program_wait {
	uint64_t words, fds;
	uint32_t n_words, n_fds, n_devices;
	uint32_t clock_polls, fresh, unused;
	uint64_t poll_ns;
	char devices[WAIT_DEVICES][WAIT_DEVICE_NAME];
};

/* A read of a streak takes so much of the time that it has lasted. */
#define CLOCK_SHARE		25

struct program_clock {
	uint64_t place;
	uint32_t clock, unused;
	uint64_t clock_ns, now_ns, start_ns, until_ns;
};

/* kernel_calls.c */
extern bool vtime_on;
void vtime_start(bool on);
void vtime_shares_memory(void);

/* wait_after_poll.c */
struct vtime_words {
	struct program_word words[WAIT_WORDS];
	unsigned int n;
};

void wait_settings(void);
void poll_found(void);
void poll_empty_queue(const void *queue, const struct vtime_words *before);
void poll_empty_fds(const struct pollfd *fds, size_t n);

/* environment.c */
void setting(const char *name, unsigned long *to);

/* verbs_library.c */
void *verbs_function(const char *name, const char *version);

/* completion_queues.c */
void queues_look(struct vtime_words *words);
unsigned int queues_devices(char names[WAIT_DEVICES][WAIT_DEVICE_NAME]);

/* host_cost.c */
struct ibv_context;
struct ibv_cq_ex;

void host_cost_settings(void);
void host_cost_opened(struct ibv_context *context);
void host_cost_queue(struct ibv_cq_ex *cq);
void host_cost_completions(unsigned long n);
void host_cost_interrupt(void);

/* memory_maps.c */
void maps_words(struct vtime_words *words);

/* cycle_counter.c */
void cycle_counter_replace(void);

/* find_clock_reads.c */
bool find_clock_reads_start(void);
size_t find_clock_reads(const uint8_t *code, size_t len, uint64_t addr, const uint64_t *bounds,
			size_t n_bounds, size_t *found, size_t max, size_t *unclear);

#endif
