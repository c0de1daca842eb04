// SPDX-License-Identifier: GPL-2.0
/*
 * Reads of the cycle counter, which tells the host's time, become instructions that do not
 * exist: the lab kernel carries them out. So it is done in all that is loaded into a program,
 * when it starts and after each dlopen().
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preload.h"

#define READS_MAX	4096
/* In place of the first byte. No 64-bit program has it. */
#define NO_INSTRUCTION	0x2f
/* Of .eh_frame_hdr: a sorted table of offsets from the header, 32 bits each. */
#define TABLE_OF_OFFSETS	0x3b
#define COUNT_OF_32_BITS	0x03

/* Objects that have been looked through, by their address. */
static uintptr_t done[1024];
static size_t n_done;

/*
 * The dynamic loader reads the counter only for LD_DEBUG=statistics, and libc only to vary how long
 * a mutex of the adaptive kind spins before it sleeps.
 */
static bool is_system(const char *name)
{
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

	return strncmp(base, "ld-linux", 8) == 0 || strncmp(base, "libc.so", 7) == 0 ||
	       strncmp(base, "linux-vdso", 10) == 0 || strncmp(base, "libZydis", 8) == 0;
}

/* Where functions begin, by the table that exceptions are handled with. */
static uint64_t *function_bounds(const struct dl_phdr_info *info, size_t *n)
{
	const uint8_t *hdr = NULL;
	uint64_t *bounds;
	int32_t at[2];
	uint32_t count;
	size_t i;

	*n = 0;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			hdr = (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	if (!hdr || hdr[0] != 1 || hdr[2] != COUNT_OF_32_BITS || hdr[3] != TABLE_OF_OFFSETS)
		return NULL;
	memcpy(&count, hdr + 8, sizeof(count));
	bounds = malloc((count + 1) * sizeof(*bounds));
	if (!bounds)
		return NULL;
	for (i = 0; i < count; i++) {
		memcpy(at, hdr + 12 + i * sizeof(at), sizeof(at));
		bounds[i] = (uintptr_t)hdr + at[0];
	}
	*n = count;
	return bounds;
}

static void replace(uint8_t *at)
{
	long page = sysconf(_SC_PAGESIZE);
	uint8_t *start = (uint8_t *)((uintptr_t)at & ~(page - 1));

	if (mprotect(start, page, PROT_READ | PROT_WRITE | PROT_EXEC))
		return;
	*at = NO_INSTRUCTION;
	mprotect(start, page, PROT_READ | PROT_EXEC);
}

static void replace_in(const struct dl_phdr_info *info)
{
	static size_t found[READS_MAX];
	size_t n_bounds, n, k, unclear = 0;
	uint64_t *bounds = function_bounds(info, &n_bounds);
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint8_t *code = (uint8_t *)(info->dlpi_addr + p->p_vaddr);

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		n = find_clock_reads(code, p->p_filesz, (uintptr_t)code, bounds, n_bounds, found,
				     READS_MAX, &unclear);
		for (k = 0; k < n; k++)
			replace(code + found[k]);
	}
	free(bounds);
	if (unclear && getenv("VTIME_VERBOSE"))
		dprintf(STDERR_FILENO, "vtime: %s: %zu places may read the cycle counter\n",
			*info->dlpi_name ? info->dlpi_name : "program", unclear);
}

struct object {
	struct dl_phdr_info info;
	char name[4096];
};

/* Not from here: the disassembler is loaded, and that needs the lock that is held here. */
static int next_object(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct object *next = ctx;
	uintptr_t id = (uintptr_t)info->dlpi_phdr;
	size_t i;

	(void)size;
	for (i = 0; i < n_done; i++)
		if (done[i] == id)
			return 0;
	if (n_done == sizeof(done) / sizeof(*done))
		return 0;
	done[n_done++] = id;
	if (is_system(info->dlpi_name))
		return 0;
	next->info = *info;
	snprintf(next->name, sizeof(next->name), "%s", info->dlpi_name);
	next->info.dlpi_name = next->name;
	return 1;
}

/* cycle_counter_replace() - in what has been loaded since the last time */
void cycle_counter_replace(void)
{
	static bool busy; /* the disassembler is loaded by dlopen(), too */
	struct object next = { 0 };

	if (busy)
		return;
	busy = true;
	while (dl_iterate_phdr(next_object, &next))
		replace_in(&next.info);
	busy = false;
}

EXPORT void *dlopen(const char *name, int flags)
{
	static void *(*real)(const char *name, int flags);
	void *lib;

	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "dlopen");
	lib = real(name, flags);
	if (lib && vtime_on)
		cycle_counter_replace();
	return lib;
}
