// SPDX-License-Identifier: GPL-2.0
/*
 * Where machine code reads the cycle counter: find_clock_reads() of the library for programs in
 * virtual time.
 */
#include <stdint.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "programs/virtual_time_preload/preload.h"

#define ADDR	0x401000

struct code {
	const char *name;
	uint8_t bytes[32];
	size_t len;
	uint64_t bounds[4];	/* offsets of functions */
	size_t n_bounds;
	size_t found[4];
	size_t n_found, unclear;
};

static const struct code codes[] = {
	{ "rdtsc", { 0x0f, 0x31, 0xc3 }, 3, { 0 }, 1, { 0 }, 1, 0 },
	{ "rdtscp", { 0x0f, 0x01, 0xf9, 0xc3 }, 4, { 0 }, 1, { 0 }, 1, 0 },
	{ "two__after_lfence", { 0x0f, 0xae, 0xe8, 0x0f, 0x31, 0x0f, 0x31, 0xc3 }, 8, { 0 }, 1,
	  { 3, 5 }, 2, 0 },
	/* mov $0x310f, %eax */
	{ "number_with_its_bytes", { 0xb8, 0x0f, 0x31, 0x00, 0x00, 0xc3 }, 6, { 0 }, 1,
	  { 0 }, 0, 0 },
	/* mov 0x310f(%rip), %eax */
	{ "offset_with_its_bytes", { 0x8b, 0x05, 0x0f, 0x31, 0x00, 0x00, 0xc3 }, 7, { 0 }, 1,
	  { 0 }, 0, 0 },
	/* movabs $0x310f310f310f310f, %rax; rdtsc */
	{ "long_number__one_after_it", { 0x48, 0xb8, 0x0f, 0x31, 0x0f, 0x31, 0x0f, 0x31, 0x0f,
	  0x31, 0x0f, 0x31, 0xc3 }, 13, { 0 }, 1, { 10 }, 1, 0 },
	/* 06 is no instruction; the second function is clear. */
	{ "table_in_the_function", { 0x06, 0x06, 0x0f, 0x31, 0xc3, 0x0f, 0x31, 0xc3 }, 8,
	  { 0, 5 }, 2, { 5 }, 1, 1 },
	/* A function whose first byte would be the end of an instruction of the one before. */
	{ "function_begins_in_an_instruction", { 0xb8, 0x0f, 0x31, 0xc3, 0x90, 0x90 }, 6,
	  { 0, 1 }, 2, { 1 }, 1, 0 },
	{ "cut_off__first_byte", { 0x90, 0x0f }, 2, { 0 }, 1, { 0 }, 0, 0 },
	{ "cut_off__rdtscp", { 0x90, 0x0f, 0x01 }, 3, { 0 }, 1, { 0 }, 0, 0 },
	{ "no_functions", { 0x90, 0x0f, 0x31 }, 3, { 0 }, 0, { 1 }, 1, 0 },
};

static void finds(const struct code *c)
{
	uint64_t bounds[4];
	size_t found[4] = { 0 }, unclear = 0, i, n;

	for (i = 0; i < c->n_bounds; i++)
		bounds[i] = ADDR + c->bounds[i];
	n = find_clock_reads(c->bytes, c->len, ADDR, bounds, c->n_bounds, found, 4, &unclear);
	ktap(n == c->n_found && unclear == c->unclear &&
	     !memcmp(found, c->found, n * sizeof(*found)), c->name, "found %zu, unclear %zu", n,
	     unclear);
}

/* No more than there is room for. */
static void bounded(void)
{
	static const uint8_t three[] = { 0x0f, 0x31, 0x0f, 0x31, 0x0f, 0x31 };
	size_t found[2], unclear = 0, n;

	n = find_clock_reads(three, sizeof(three), ADDR, NULL, 0, found, 2, &unclear);
	ktap(n == 2, "bounded", "%zu", n);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		finds(&codes[i]);
	bounded();
	return ktap_end();
}
