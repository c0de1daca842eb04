// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 as the ICRC needs it: the kernel's, which the lab kernel takes over where the
 * CPU can multiply without carries, against one bit at a time.
 */
#include <kunit/test.h>
#include <linux/crc32.h>
#include <linux/crc32poly.h>

#include "cc_prng.h"

#define CRC_BYTES	4200
#define CRC_OFFSETS	17

static u32 crc_bitwise(u32 crc, const u8 *p, size_t len)
{
	int i;

	while (len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = (crc >> 1) ^ (crc & 1 ? CRC32_POLY_LE : 0);
	}
	return crc;
}

static u8 *crc_data(struct kunit *test)
{
	struct cc_test_prng rng = { .state = 1 };
	u8 *data = kunit_kmalloc(test, CRC_BYTES + CRC_OFFSETS, GFP_KERNEL);
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < CRC_BYTES + CRC_OFFSETS; i++)
		data[i] = cc_test_rand(&rng);
	return data;
}

static void crc_expect(struct kunit *test, const u8 *data, size_t offset, size_t len,
		       u32 seed)
{
	KUNIT_EXPECT_EQ_MSG(test, crc32_le(seed, data + offset, len),
			    crc_bitwise(seed, data + offset, len),
			    "%zu bytes at offset %zu", len, offset);
}

/* Every length up to several of the blocks that are folded, on every boundary. */
static void crc32__lengths_and_offsets(struct kunit *test)
{
	const u8 *data = crc_data(test);
	size_t len, offset;

	for (len = 0; len <= 300; len++)
		for (offset = 0; offset < CRC_OFFSETS; offset++)
			crc_expect(test, data, offset, len, len * offset * 0x9e3779b9u);
}

/* Packets of all MTUs, and what is just shorter and longer. */
static void crc32__packets(struct kunit *test)
{
	const u8 *data = crc_data(test);
	size_t mtu, len;

	for (mtu = 256; mtu <= 4096; mtu *= 2)
		for (len = mtu - 20; len <= mtu + 20; len++)
			crc_expect(test, data, len % CRC_OFFSETS, len, ~0u);
}

/* Any bit that flips is seen. */
static void crc32__flipped_bits(struct kunit *test)
{
	const size_t len = 1024 + 5;
	u8 *data = crc_data(test);
	u32 crc = crc32_le(~0u, data, len);
	size_t i;

	for (i = 0; i < 8 * len; i++) {
		data[i / 8] ^= BIT(i % 8);
		KUNIT_EXPECT_NE_MSG(test, crc32_le(~0u, data, len), crc, "bit %zu", i);
		data[i / 8] ^= BIT(i % 8);
	}
	KUNIT_EXPECT_EQ(test, crc32_le(~0u, data, len), crc);
}

/* One CRC over parts is that over the whole: rxe sums headers and payload apart. */
static void crc32__in_parts(struct kunit *test)
{
	const u8 *data = crc_data(test);
	const size_t len = 1100;
	u32 whole = crc_bitwise(0xdebb20e3, data, len);
	size_t cut;

	for (cut = 0; cut <= len; cut++)
		KUNIT_EXPECT_EQ_MSG(test, whole,
				    crc32_le(crc32_le(0xdebb20e3, data, cut), data + cut,
					     len - cut), "cut at %zu", cut);
}

static struct kunit_case crc_cases[] = {
	KUNIT_CASE(crc32__lengths_and_offsets),
	KUNIT_CASE(crc32__packets),
	KUNIT_CASE(crc32__flipped_bits),
	KUNIT_CASE(crc32__in_parts),
	{}
};

static struct kunit_suite crc_suite = {
	.name = "rxe_cc_crc32",
	.test_cases = crc_cases,
};

kunit_test_suite(crc_suite);
