// SPDX-License-Identifier: GPL-2.0
/* Values of parameters: reading, writing, and back. */
#include <stdio.h>
#include <string.h>

#include "../param.h"
#include "ktap.h"

#define BAD	0xbadbadbadbadbadULL
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

static const struct {
	enum param_unit unit;
	const char *text;
	__u64 val;		/* BAD: must be refused */
} reads[] = {
	{ PARAM_BPS, "40mbit", 40000000 },
	{ PARAM_BPS, "100gbit", 100000000000ULL },
	{ PARAM_BPS, "100Gbit", 100000000000ULL },
	{ PARAM_BPS, "0.5kbit", 500 },
	{ PARAM_BPS, "1kibit", 1024 },
	{ PARAM_BPS, "2.5Tbit", 2500000000000ULL },
	{ PARAM_BPS, "1234", 1234 },
	{ PARAM_BPS, "7bit", 7 },
	{ PARAM_BPS, "40gbps", BAD },
	{ PARAM_BPS, "40 gbit", BAD },
	{ PARAM_BPS, "gbit", BAD },
	{ PARAM_BPS, "-1gbit", BAD },
	{ PARAM_BPS, "0.0001kbit", BAD },
	{ PARAM_BPS, "99999999tbit", BAD },
	{ PARAM_BPS, "10us", BAD },
	{ PARAM_BPS, "", BAD },
	{ PARAM_NS, "55us", 55000 },
	{ PARAM_NS, "1.5us", 1500 },
	{ PARAM_NS, "300usecs", 300000 },
	{ PARAM_NS, "2ms", 2000000 },
	{ PARAM_NS, "1s", 1000000000 },
	{ PARAM_NS, "17", 17 },
	{ PARAM_NS, "17ns", 17 },
	{ PARAM_NS, "0.5ns", BAD },
	{ PARAM_NS, "1m", BAD },
	{ PARAM_NS, "18446744073709551615", ~0ULL },
	{ PARAM_NS, "18446744073709551616", BAD },
	{ PARAM_BYTES, "10mb", 10 << 20 },
	{ PARAM_BYTES, "200kb", 200 << 10 },
	{ PARAM_BYTES, "200k", 200 << 10 },
	{ PARAM_BYTES, "1gb", 1 << 30 },
	{ PARAM_BYTES, "1500b", 1500 },
	{ PARAM_BYTES, "1.5kb", 1536 },
	{ PARAM_BYTES, "8kbit", 1024 },
	{ PARAM_BYTES, "1.0001kb", BAD },
	{ PARAM_BYTES, "1tb", BAD },
	{ PARAM_PPM, "10000", 10000 },
	{ PARAM_PPM, "10000ppm", 10000 },
	{ PARAM_PPM, "1%", 10000 },
	{ PARAM_PPM, "0.5%", 5000 },
	{ PARAM_PPM, "0.01", 10000 },	/* with a point or a slash it is a fraction */
	{ PARAM_PPM, "1/100", 10000 },
	{ PARAM_PPM, "1/3", 333333 },	/* a ratio is rounded */
	{ PARAM_PPM, "0.0000015", BAD },
	{ PARAM_PPM, "1/3%", BAD },
	{ PARAM_PPM, "50 %", BAD },
	{ PARAM_COUNT, "5", 5 },
	{ PARAM_COUNT, "5.0", 5 },
	{ PARAM_COUNT, "5k", BAD },
	{ PARAM_COUNT, "5.5", BAD },
	{ PARAM_COUNT, "five", BAD },
	{ PARAM_COUNT, ".", BAD },
	{ PARAM_BOOL, "on", 1 },
	{ PARAM_BOOL, "off", 0 },
	{ PARAM_BOOL, "true", 1 },
	{ PARAM_BOOL, "0", 0 },
	{ PARAM_BOOL, "2", BAD },
	{ PARAM_BOOL, "", BAD },
	{ PARAM_MODE, "off", 0 },
	{ PARAM_MODE, "Auto", 1 },
	{ PARAM_MODE, "on", 2 },
	{ PARAM_MODE, "2", 2 },
	{ PARAM_MODE, "3", BAD },
	{ PARAM_MODE, "yes", BAD },
	{ PARAM_MODE, "", BAD },
	{ PARAM_Q24, "0.00390625", 65536 },
	{ PARAM_Q24, "1/256", 65536 },
	{ PARAM_Q24, "1019/1024", 16695296 },
	{ PARAM_Q24, "1", 1 << 24 },
	{ PARAM_Q24, "0.5", 1 << 23 },
	{ PARAM_Q24, "50%", 1 << 23 },
	{ PARAM_Q24, "65536q24", 65536 },
	{ PARAM_Q24, "0.00000003", 1 },	/* 0.503 steps */
	{ PARAM_Q24, "0.00000002", 0 },	/* 0.336 steps */
	{ PARAM_Q24, "1/3", 5592405 },
	{ PARAM_Q24, "2/3", 11184811 },
	{ PARAM_Q24, "1/0", BAD },
	{ PARAM_Q24, "1/", BAD },
	{ PARAM_Q24, "1/2/3", BAD },
	{ PARAM_Q24, "0.5q24", 1 },	/* rounded like every q24 */
	{ PARAM_Q24, "1099511627776", BAD },
};

static const struct {
	enum param_unit unit;
	__u64 val;
	const char *exact;
	const char *rounded;
	const char *raw;
} writes[] = {
	{ PARAM_BPS, 40000000, "40Mbit", "40Mbit", "40000000" },
	{ PARAM_BPS, 100000000000ULL, "100Gbit", "100Gbit",
	  "100000000000" },
	{ PARAM_BPS, 37500000000, "37.5Gbit", "37.5Gbit", "37500000000" },
	{ PARAM_BPS, 1234567890, "1234567.89Kbit", "1.235Gbit", "1234567890" },
	{ PARAM_BPS, 999, "999bit", "999bit", "999" },
	{ PARAM_BPS, 0, "0bit", "0bit", "0" },
	{ PARAM_NS, 55000, "55us", "55us", "55000" },
	{ PARAM_NS, 1500, "1.5us", "1.5us", "1500" },
	{ PARAM_NS, 1000001, "1000.001us", "1ms", "1000001" },
	{ PARAM_NS, 3000000000, "3s", "3s", "3000000000" },
	{ PARAM_NS, 12, "12ns", "12ns", "12" },
	{ PARAM_BYTES, 10 << 20, "10mb", "10mb", "10485760" },
	{ PARAM_BYTES, 200 << 10, "200kb", "200kb", "204800" },
	{ PARAM_BYTES, 1106, "1106b", "1.08kb", "1106" },
	{ PARAM_BYTES, 1536, "1.5kb", "1.5kb", "1536" },
	{ PARAM_BYTES, 32767, "32767b", "31.999kb", "32767" },
	{ PARAM_PPM, 10000, "10000ppm", "10000ppm", "10000" },
	{ PARAM_COUNT, 5, "5", "5", "5" },
	{ PARAM_BOOL, 1, "on", "on", "1" },
	{ PARAM_BOOL, 0, "off", "off", "0" },
	{ PARAM_MODE, 1, "auto", "auto", "1" },
	{ PARAM_MODE, 7, "7", "7", "7" },
	{ PARAM_Q24, 65536, "0.00390625", "0.00390625", "65536q24" },
	{ PARAM_Q24, 1 << 24, "1", "1", "16777216q24" },
	{ PARAM_Q24, 16695296, "0.9951172", "0.9951172", "16695296q24" },
	{ PARAM_Q24, 0, "0", "0", "0q24" },
};

static void test_reads(void)
{
	char name[80], why[160];
	unsigned int i;
	__u64 val;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(reads); i++) {
		val = BAD;
		why[0] = '\0';
		ok = param_parse(reads[i].unit, reads[i].text, &val, why,
				 sizeof(why));
		snprintf(name, sizeof(name), "param_parse__%d_'%s'",
			 reads[i].unit, reads[i].text);
		ktap(val == reads[i].val && ok == (reads[i].val != BAD) &&
		     (ok || why[0]), name, "got %llu, wanted %llu",
		     val, reads[i].val);
	}
}

static void test_writes(void)
{
	char buf[PARAM_TEXT_MAX], name[80];
	unsigned int i, s;

	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		const char * const want[] = {
			[PARAM_RAW] = writes[i].raw,
			[PARAM_EXACT] = writes[i].exact,
			[PARAM_ROUND] = writes[i].rounded,
		};

		for (s = PARAM_RAW; s <= PARAM_ROUND; s++) {
			param_format(writes[i].unit, writes[i].val, s, buf);
			snprintf(name, sizeof(name), "param_format__%s_%u",
				 writes[i].exact, s);
			ktap(!strcmp(buf, want[s]), name, "got %s, wanted %s",
			     buf, want[s]);
		}
	}
}

/* What "show" prints, "set" must read as the same value. */
static void test_round_trip(void)
{
	static const enum param_style styles[] = { PARAM_RAW, PARAM_EXACT };
	char buf[PARAM_TEXT_MAX], name[80], why[160];
	__u64 x = 1, val, back;
	unsigned int unit, s, i, bad;

	for (unit = PARAM_COUNT; unit <= PARAM_Q24; unit++) {
		bad = 0;
		for (i = 0; i < 20000; i++) {
			/* xorshift, then every magnitude */
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			val = x >> (i % 64);
			if (unit == PARAM_BOOL)
				val &= 1;
			if (unit == PARAM_MODE)
				val %= 3;
			if (unit == PARAM_Q24)
				val >>= 24;
			for (s = 0; s < 2; s++) {
				param_format(unit, val, styles[s], buf);
				if (!param_parse(unit, buf, &back, why,
						 sizeof(why)) || back != val)
					bad++;
			}
		}
		snprintf(name, sizeof(name), "param_round_trip__%u", unit);
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
