// SPDX-License-Identifier: GPL-2.0
/*
 * A packet of a capture, as "lab capture" takes it: all of it, and cut off at every byte. INT
 * that is read and written as IOAM or IFA is read again, with the same hops.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "fuzz.h"

static FILE *out;
static struct telemetry first, again;

void fuzz_begin(void)
{
	out = fopen("/dev/null", "w");
	if (!out)
		abort();
}

static uint64_t kept(enum telemetry_format as, int field, uint64_t v)
{
	if (v == UNKNOWN)
		return v;
	switch (field) {
	case HOP_NODE:
		return as == FORMAT_IFA && (v & 0xfffff) == 0xfffff ? UNKNOWN :
		       as == FORMAT_IFA ? v & 0xfffff : v;
	case HOP_TX_BYTES:
		return as == FORMAT_IFA && (uint32_t)v == UINT32_MAX ? UNKNOWN :
		       as == FORMAT_IFA ? (uint32_t)v : v;
	default:
		return v;
	}
}

/* What either format keeps whatever the value is. */
static void same_hops(enum telemetry_format as)
{
	static const int fields[] = { HOP_NODE, HOP_IN_PORT, HOP_OUT_PORT, HOP_TX_BYTES,
				      HOP_QUEUE_BYTES };
	unsigned int i, f;

	if (again.format != as || !again.ours || again.n > first.n)
		abort();
	for (i = 0; i < again.n; i++)
		for (f = 0; f < ARRAY_SIZE(fields); f++)
			if (kept(as, fields[f], first.hops[i].v[fields[f]]) !=
			    again.hops[i].v[fields[f]])
				abort();
}

static void export_as(enum telemetry_format as, const struct frame *f,
		      const struct capture_options *o)
{
	struct export_losses lost = {};
	uint8_t *to = malloc(f->caplen + EXPORT_ROOM), *exact;
	size_t n = export_packet(to, f, &first, as, &lost);
	struct frame made = { .caplen = n, .len = f->len + n - f->caplen, .time_ns = f->time_ns };

	exact = malloc(n ? n : 1);
	memcpy(exact, to, n);
	free(to);
	made.data = exact;
	if (n) {
		/* no hop: nothing says that it is ours */
		if (telemetry_read(&made, o, &again))
			abort();
		if (first.n)
			same_hops(as);
		records_packet(out, true, 1, &made, &again, true);
	}
	free(exact);
}

static void one(const char *text, size_t caplen, size_t len)
{
	struct capture_options o = { .dscp = 27, .queue_unit = caplen & 1, .time = "ptp" };
	uint8_t *data = malloc(caplen ? caplen : 1);
	struct frame f = {
		.data = data, .caplen = caplen, .len = len, .time_ns = 1700000000ULL << 30,
	};

	memcpy(data, text, caplen);
	if (!telemetry_read(&f, &o, &first)) {
		records_packet(out, false, 1, &f, &first, true);
		if (first.format == FORMAT_INT) {
			export_as(FORMAT_IOAM, &f, &o);
			export_as(FORMAT_IFA, &f, &o);
		}
	}
	free(data);
}

void fuzz_one(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i <= len; i++)
		one(text, i, len);
	for (i = 0; i < len; i += 7)
		one(text, i, i);
}
