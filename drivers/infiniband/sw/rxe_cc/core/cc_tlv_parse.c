// SPDX-License-Identifier: GPL-2.0
/*
 * Parses and checks the TLVs (type, length, value) and the hops of in-band network telemetry
 * (INT) in ACKs and reports of peers. If anything is wrong with one TLV, nothing of the packet
 * is believed. The ICRC was right, which proves nothing about who wrote the packet.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "cc_tlv_parse.h"

static enum rxe_cc_tlv_verdict
rxe_cc_tlv_read_int(const struct rxe_cc_tlv *tlv, struct rxe_cc_feedback *fb)
{
	u16 flags = get_unaligned_be16(&tlv->flags);
	u8 profile = (flags & RXE_CC_TLV_INT_LAYOUT) >> RXE_CC_TLV_INT_LAYOUT_SHIFT;
	const u8 *p = (const u8 *)(tlv + 1);
	const struct rxe_cc_int_layout *l;
	unsigned int words = tlv->length;

	if (profile >= RXE_CC_NR_INT_PROFILES) {
		fb->unknown++;
		return RXE_CC_TLV_OK;
	}
	if (fb->hops)
		return RXE_CC_TLV_TWICE;
	l = rxe_cc_int_layout(profile);
	if (profile == RXE_CC_INT_COMPACT) {
		if (!words)
			return RXE_CC_TLV_LENGTH;
		words -= RXE_CC_TLV_PATH_WORDS;
	}
	if (!words || words % l->hop_ml || words > l->max_hops * l->hop_ml)
		return RXE_CC_TLV_LENGTH;
	if (profile == RXE_CC_INT_COMPACT) {
		fb->path = get_unaligned_be16(p);
		p += 4 * RXE_CC_TLV_PATH_WORDS;
	}
	fb->hops = p;
	fb->nr_hops = words / l->hop_ml;
	fb->profile = profile;
	fb->int_flags = flags;
	return RXE_CC_TLV_OK;
}

static enum rxe_cc_tlv_verdict
rxe_cc_tlv_read_time(const struct rxe_cc_tlv *tlv, struct rxe_cc_feedback *fb)
{
	u16 flags = get_unaligned_be16(&tlv->flags);
	const u8 *p = (const u8 *)(tlv + 1);

	if (fb->has_time)
		return RXE_CC_TLV_TWICE;
	if (tlv->length != RXE_CC_TLV_TIME_WORDS)
		return RXE_CC_TLV_LENGTH;
	fb->has_time = true;
	if (flags & RXE_CC_TLV_TIME_TTL)
		fb->ttl = flags & RXE_CC_TLV_TIME_TTL_BITS;
	fb->tx_ns = get_unaligned_be64(p);
	fb->rx_ns = get_unaligned_be64(p + 8);
	fb->turnaround_ns = get_unaligned_be64(p + 16);
	return RXE_CC_TLV_OK;
}

static enum rxe_cc_tlv_verdict
rxe_cc_tlv_read_fb(const struct rxe_cc_tlv *tlv, struct rxe_cc_feedback *fb)
{
	const u8 *p = (const u8 *)(tlv + 1);
	unsigned int i, nr = tlv->length / 2;

	if (fb->nr_fb)
		return RXE_CC_TLV_TWICE;
	if (!nr || nr > RXE_CC_FB_MAX ||
	    tlv->length != RXE_CC_TLV_FB_WORDS(nr))
		return RXE_CC_TLV_LENGTH;
	fb->algo_id = get_unaligned_be32(p);
	for (i = 0; i < nr; i++)
		fb->fb[i] = get_unaligned_be64(p + 4 + 8 * i);
	fb->nr_fb = nr;
	return RXE_CC_TLV_OK;
}

static enum rxe_cc_tlv_verdict
rxe_cc_tlv_read_one(const struct rxe_cc_tlv *tlv, struct rxe_cc_feedback *fb)
{
	switch (tlv->type) {
	case RXE_CC_TLV_INT:
		return rxe_cc_tlv_read_int(tlv, fb);
	case RXE_CC_TLV_TIME:
		return rxe_cc_tlv_read_time(tlv, fb);
	case RXE_CC_TLV_FB:
		return rxe_cc_tlv_read_fb(tlv, fb);
	default:
		fb->unknown++;
		return RXE_CC_TLV_OK;
	}
}

/**
 * rxe_cc_tlv_parse() - read the TLVs of an ACK or report
 * @data: behind the AETH, or the header of a report; any alignment
 * @bytes: up to the ICRC
 * @fb: result; says nothing unless %RXE_CC_TLV_OK is returned
 *
 * Types that are not known, and retired ones, are skipped by their length. Whatever is
 * wrong with one TLV, all of them are to be ignored.
 *
 * Return: %RXE_CC_TLV_OK or what is wrong.
 */
enum rxe_cc_tlv_verdict rxe_cc_tlv_parse(const void *data, unsigned int bytes,
					 struct rxe_cc_feedback *fb)
{
	enum rxe_cc_tlv_verdict verdict = RXE_CC_TLV_OK;
	const struct rxe_cc_tlv *tlv;
	unsigned int len;

	*fb = (struct rxe_cc_feedback) { };
	while (bytes && verdict == RXE_CC_TLV_OK) {
		tlv = data;
		if (bytes < sizeof(*tlv) ||
		    bytes < sizeof(*tlv) + 4U * tlv->length) {
			verdict = RXE_CC_TLV_SHORT;
			break;
		}
		verdict = rxe_cc_tlv_read_one(tlv, fb);
		len = sizeof(*tlv) + 4U * tlv->length;
		data += len;
		bytes -= len;
	}
	if (verdict != RXE_CC_TLV_OK)
		*fb = (struct rxe_cc_feedback) { };
	return verdict;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_tlv_parse);

/**
 * rxe_cc_hop_read() - one hop from the layout that HPCC asks for
 * @p: RXE_CC_INT_HPCC_BYTES, any alignment
 * @hop: result
 *
 * Fields that a port does not know are all ones. An occupancy of that kind stays
 * the largest there is: a queue too long for its field is written so too.
 *
 * Return: false when speed, time or bytes sent are not known, or the speed is 0.
 */
bool rxe_cc_hop_read(const u8 *p, struct rxe_cc_int_hop *hop)
{
	u32 mbps = get_unaligned_be32(p + 28);

	hop->node = get_unaligned_be32(p);
	hop->port = get_unaligned_be16(p + 6);
	hop->ts_ns = get_unaligned_be64(p + RXE_CC_INT_HPCC_TS);
	hop->tx_bytes = get_unaligned_be64(p + 16);
	hop->qlen_bytes = get_unaligned_be32(p + 24);
	hop->rate_bps = mbps * 1000000ULL;
	return mbps && mbps != U32_MAX && hop->ts_ns != U64_MAX &&
	       hop->tx_bytes != U64_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_hop_read);

/**
 * rxe_cc_hops_read() - telemetry of a path, nearest hop first
 * @fb: with hops
 * @hop: result, RXE_CC_INT_MAX_HOPS
 *
 * The first port's time alone becomes a hop that has nothing else. Compact hops say
 * nothing without the ones before, and the worst hop nothing without the time between: the core
 * puts them together (core/cc_int_unwrap.h).
 *
 * Return: true, or false when a hop lacks what it must have, or is of these kinds.
 */
bool rxe_cc_hops_read(const struct rxe_cc_feedback *fb, struct rxe_cc_int_hop *hop)
{
	const u8 *p = fb->hops + fb->nr_hops * RXE_CC_INT_HPCC_BYTES;
	unsigned int i;

	if (fb->profile == RXE_CC_INT_COMPACT || fb->profile == RXE_CC_INT_WORST)
		return false;
	if (fb->profile == RXE_CC_INT_FIRST) {
		*hop = (struct rxe_cc_int_hop) {
			.ts_ns = get_unaligned_be64(fb->hops),
		};
		return hop->ts_ns != U64_MAX;
	}
	for (i = 0; i < fb->nr_hops; i++) {
		p -= RXE_CC_INT_HPCC_BYTES;
		if (!rxe_cc_hop_read(p, &hop[i]))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_hops_read);
