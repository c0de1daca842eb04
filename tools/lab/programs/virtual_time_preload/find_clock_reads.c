// SPDX-License-Identifier: GPL-2.0
/*
 * Where machine code reads the cycle counter. The bytes of such an instruction may also be in
 * the midst of another one, so code is disassembled from where a function begins: there an
 * instruction begins, too.
 */
#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

/* Loaded only into programs that have such bytes. */
static struct {
	__typeof__(&ZydisDecoderInit) init;
	__typeof__(&ZydisDecoderDecodeInstruction) decode;
	ZydisDecoder decoder;
	bool ready;
} zydis;

/* find_clock_reads_start() - load the disassembler; false: there is none */
bool find_clock_reads_start(void)
{
	char name[32];
	void *lib;

	if (zydis.ready)
		return true;
	snprintf(name, sizeof(name), "libZydis.so.%u.%u",
		 (unsigned int)ZYDIS_VERSION_MAJOR(ZYDIS_VERSION),
		 (unsigned int)ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
	lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return false;
	zydis.init = (__typeof__(zydis.init))dlsym(lib, "ZydisDecoderInit");
	zydis.decode = (__typeof__(zydis.decode))dlsym(lib, "ZydisDecoderDecodeInstruction");
	zydis.ready = zydis.init && zydis.decode &&
		      ZYAN_SUCCESS(zydis.init(&zydis.decoder, ZYDIS_MACHINE_MODE_LONG_64,
					      ZYDIS_STACK_WIDTH_64));
	return zydis.ready;
}

/* rdtsc is 0f 31, rdtscp 0f 01 f9. */
static bool looks_like(const uint8_t *at, size_t left)
{
	return left >= 2 && at[0] == 0x0f &&
	       (at[1] == 0x31 || (left >= 3 && at[1] == 0x01 && at[2] == 0xf9));
}

enum answer { NO, YES, UNCLEAR };

/* Instructions to a system call. */
#define CALL_EVERY	64

/*
 * The kernel takes a program that makes no call for long, and whose registers come back to what
 * they were, for one that waits for memory to change. So do those of a disassembler, as all that
 * it changes is in memory.
 */
static void show_progress(void)
{
	static unsigned int n;

	if (++n % CALL_EVERY == 0)
		syscall(SYS_getppid);
}

/* Does an instruction that reads the counter begin at @at? */
static enum answer is_instruction(const uint8_t *code, size_t len, size_t from, size_t at)
{
	ZydisDecodedInstruction insn;
	ZyanStatus status;

	while (from < at) {
		show_progress();
		status = zydis.decode(&zydis.decoder, NULL, code + from, len - from, &insn);
		/* Bytes that are no code, as a table, are in the way. */
		if (!ZYAN_SUCCESS(status))
			return UNCLEAR;
		from += insn.length;
	}
	return from == at ? YES : NO;
}

/*
 * find_clock_reads() - look through code
 * @code: the bytes
 * @len: how many
 * @addr: of the first
 * @bounds: sorted addresses where functions begin
 * @n_bounds: how many
 * @found: gets the offsets of instructions
 * @max: at most so many
 * @unclear: is increased for each place that cannot be judged
 *
 * Return: how many there are in @found.
 */
size_t find_clock_reads(const uint8_t *code, size_t len, uint64_t addr, const uint64_t *bounds,
			size_t n_bounds, size_t *found, size_t max, size_t *unclear)
{
	size_t at, b = 0, n = 0, from;
	const uint8_t *next;
	enum answer answer;

	for (at = 0; at < len && n < max; at++) {
		next = memchr(code + at, 0x0f, len - at);
		if (!next)
			break;
		at = next - code;
		if (!looks_like(next, len - at))
			continue;
		while (b < n_bounds && bounds[b] <= addr + at)
			b++;
		from = b && bounds[b - 1] >= addr ? bounds[b - 1] - addr : 0;
		answer = find_clock_reads_start() ? is_instruction(code, len, from, at) :
						    UNCLEAR;
		if (answer == YES)
			found[n++] = at;
		else if (answer == UNCLEAR)
			(*unclear)++;
	}
	return n;
}
