// SPDX-License-Identifier: GPL-2.0
/* Values of parameters: reading, writing, and back. */
#include <stdio.h>
#include <string.h>

#include "../units.h"
#include "ktap.h"

#define BAD	0xbadbadbadbadbadULL

static const struct {
	enum unit unit;
	const char *text;
	u64 val;		/* BAD: must be refused */
} reads[] = {
	{ UNIT_BPS, "40mbit", 40000000 },
	{ UNIT_BPS, "100gbit", 100000000000ULL },
	{ UNIT_BPS, "100Gbit", 100000000000ULL },
	{ UNIT_BPS, "0.5kbit", 500 },
	{ UNIT_BPS, "1kibit", 1024 },
	{ UNIT_BPS, "2.5Tbit", 2500000000000ULL },
	{ UNIT_BPS, "1234", 1234 },
	{ UNIT_BPS, "7bit", 7 },
	{ UNIT_BPS, "40gbps", BAD },
	{ UNIT_BPS, "40 gbit", BAD },
	{ UNIT_BPS, "gbit", BAD },
	{ UNIT_BPS, "-1gbit", BAD },
	{ UNIT_BPS, "0.0001kbit", BAD },
	{ UNIT_BPS, "99999999tbit", BAD },
	{ UNIT_BPS, "10us", BAD },
	{ UNIT_BPS, "", BAD },
	{ UNIT_NS, "55us", 55000 },
	{ UNIT_NS, "1.5us", 1500 },
	{ UNIT_NS, "300usecs", 300000 },
	{ UNIT_NS, "2ms", 2000000 },
	{ UNIT_NS, "1s", 1000000000 },
	{ UNIT_NS, "17", 17 },
	{ UNIT_NS, "17ns", 17 },
	{ UNIT_NS, "0.5ns", BAD },
	{ UNIT_NS, "1m", BAD },
	{ UNIT_NS, "18446744073709551615", U64_MAX },
	{ UNIT_NS, "18446744073709551616", BAD },
	{ UNIT_BYTES, "10mb", 10 << 20 },
	{ UNIT_BYTES, "200kb", 200 << 10 },
	{ UNIT_BYTES, "200k", 200 << 10 },
	{ UNIT_BYTES, "1gb", 1 << 30 },
	{ UNIT_BYTES, "1500b", 1500 },
	{ UNIT_BYTES, "1.5kb", 1536 },
	{ UNIT_BYTES, "8kbit", 1024 },
	{ UNIT_BYTES, "1.0001kb", BAD },
	{ UNIT_BYTES, "1tb", BAD },
	{ UNIT_PPM, "10000", 10000 },
	{ UNIT_PPM, "10000ppm", 10000 },
	{ UNIT_PPM, "1%", 10000 },
	{ UNIT_PPM, "0.5%", 5000 },
	{ UNIT_PPM, "50 %", BAD },
	{ UNIT_COUNT, "5", 5 },
	{ UNIT_COUNT, "5.0", 5 },
	{ UNIT_COUNT, "5k", BAD },
	{ UNIT_COUNT, "5.5", BAD },
	{ UNIT_COUNT, "five", BAD },
	{ UNIT_COUNT, ".", BAD },
	{ UNIT_BOOL, "on", 1 },
	{ UNIT_BOOL, "off", 0 },
	{ UNIT_BOOL, "true", 1 },
	{ UNIT_BOOL, "0", 0 },
	{ UNIT_BOOL, "2", BAD },
	{ UNIT_BOOL, "", BAD },
	{ UNIT_MODE, "off", 0 },
	{ UNIT_MODE, "Auto", 1 },
	{ UNIT_MODE, "on", 2 },
	{ UNIT_MODE, "2", 2 },
	{ UNIT_MODE, "3", BAD },
	{ UNIT_MODE, "yes", BAD },
	{ UNIT_MODE, "", BAD },
	{ UNIT_Q24, "0.00390625", 65536 },
	{ UNIT_Q24, "1/256", 65536 },
	{ UNIT_Q24, "1019/1024", 16695296 },
	{ UNIT_Q24, "1", 1 << 24 },
	{ UNIT_Q24, "0.5", 1 << 23 },
	{ UNIT_Q24, "50%", 1 << 23 },
	{ UNIT_Q24, "65536q24", 65536 },
	{ UNIT_Q24, "0.00000003", 1 },	/* 0.503 steps */
	{ UNIT_Q24, "0.00000002", 0 },	/* 0.336 steps */
	{ UNIT_Q24, "1/3", 5592405 },
	{ UNIT_Q24, "2/3", 11184811 },
	{ UNIT_Q24, "1/0", BAD },
	{ UNIT_Q24, "1/", BAD },
	{ UNIT_Q24, "1/2/3", BAD },
	{ UNIT_Q24, "0.5q24", 1 },	/* rounded like every q24 */
	{ UNIT_Q24, "1099511627776", BAD },
};

static const struct {
	enum unit unit;
	u64 val;
	const char *exact;
	const char *rounded;
	const char *raw;
} writes[] = {
	{ UNIT_BPS, 40000000, "40Mbit", "40Mbit", "40000000" },
	{ UNIT_BPS, 100000000000ULL, "100Gbit", "100Gbit",
	  "100000000000" },
	{ UNIT_BPS, 37500000000, "37.5Gbit", "37.5Gbit", "37500000000" },
	{ UNIT_BPS, 1234567890, "1234567.89Kbit", "1.235Gbit", "1234567890" },
	{ UNIT_BPS, 999, "999bit", "999bit", "999" },
	{ UNIT_BPS, 0, "0bit", "0bit", "0" },
	{ UNIT_NS, 55000, "55us", "55us", "55000" },
	{ UNIT_NS, 1500, "1.5us", "1.5us", "1500" },
	{ UNIT_NS, 1000001, "1000.001us", "1ms", "1000001" },
	{ UNIT_NS, 3000000000, "3s", "3s", "3000000000" },
	{ UNIT_NS, 12, "12ns", "12ns", "12" },
	{ UNIT_BYTES, 10 << 20, "10mb", "10mb", "10485760" },
	{ UNIT_BYTES, 200 << 10, "200kb", "200kb", "204800" },
	{ UNIT_BYTES, 1106, "1106b", "1.08kb", "1106" },
	{ UNIT_BYTES, 1536, "1.5kb", "1.5kb", "1536" },
	{ UNIT_BYTES, 32767, "32767b", "31.999kb", "32767" },
	{ UNIT_PPM, 10000, "10000ppm", "10000ppm", "10000" },
	{ UNIT_COUNT, 5, "5", "5", "5" },
	{ UNIT_BOOL, 1, "on", "on", "1" },
	{ UNIT_BOOL, 0, "off", "off", "0" },
	{ UNIT_MODE, 1, "auto", "auto", "1" },
	{ UNIT_MODE, 7, "7", "7", "7" },
	{ UNIT_Q24, 65536, "0.00390625", "0.00390625", "65536q24" },
	{ UNIT_Q24, 1 << 24, "1", "1", "16777216q24" },
	{ UNIT_Q24, 16695296, "0.9951172", "0.9951172", "16695296q24" },
	{ UNIT_Q24, 0, "0", "0", "0q24" },
};

static void test_reads(void)
{
	char name[80], why[160];
	unsigned int i;
	u64 val;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(reads); i++) {
		val = BAD;
		why[0] = '\0';
		ok = unit_parse(reads[i].unit, reads[i].text, &val, why,
				sizeof(why));
		snprintf(name, sizeof(name), "unit_parse__%d_'%s'",
			 reads[i].unit, reads[i].text);
		ktap(val == reads[i].val && ok == (reads[i].val != BAD) &&
		     (ok || why[0]), name, "got %llu, wanted %llu",
		     val, reads[i].val);
	}
}

static void test_writes(void)
{
	char buf[UNIT_TEXT_MAX], name[80];
	unsigned int i, s;

	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		const char * const want[] = {
			[UNIT_RAW] = writes[i].raw,
			[UNIT_EXACT] = writes[i].exact,
			[UNIT_ROUND] = writes[i].rounded,
		};

		for (s = UNIT_RAW; s <= UNIT_ROUND; s++) {
			unit_format(writes[i].unit, writes[i].val, s, buf);
			snprintf(name, sizeof(name), "unit_format__%s_%u",
				 writes[i].exact, s);
			ktap(!strcmp(buf, want[s]), name, "got %s, wanted %s",
			     buf, want[s]);
		}
	}
}

/* What "show" prints, "set" must read as the same value. */
static void test_round_trip(void)
{
	static const enum unit_style styles[] = { UNIT_RAW, UNIT_EXACT };
	char buf[UNIT_TEXT_MAX], name[80], why[160];
	u64 x = 1, val, back;
	unsigned int unit, s, i, bad;

	for (unit = UNIT_COUNT; unit <= UNIT_Q24; unit++) {
		bad = 0;
		for (i = 0; i < 20000; i++) {
			/* xorshift, then every magnitude */
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			val = x >> (i % 64);
			if (unit == UNIT_BOOL)
				val &= 1;
			if (unit == UNIT_MODE)
				val %= 3;
			if (unit == UNIT_Q24)
				val >>= 24;
			for (s = 0; s < 2; s++) {
				unit_format(unit, val, styles[s], buf);
				if (!unit_parse(unit, buf, &back, why,
						sizeof(why)) || back != val)
					bad++;
			}
		}
		snprintf(name, sizeof(name), "unit_round_trip__%u", unit);
		ktap(!bad, name, "%u values do not survive, e.g. %s", bad, buf);
	}
}

int main(void)
{
	test_reads();
	test_writes();
	test_round_trip();
	return ktap_end();
}
