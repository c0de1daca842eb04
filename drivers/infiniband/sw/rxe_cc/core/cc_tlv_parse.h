/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parser of the TLVs and INT hops in ACKs and reports of peers; formats: <rxe_cc/wire.h>.
 */
#ifndef _RXE_CC_TLV_PARSE_H
#define _RXE_CC_TLV_PARSE_H

#include <rxe_cc/wire.h>

/**
 * struct rxe_cc_feedback - what the TLVs of an ACK or report say
 * @hops: RXE_CC_TLV_INT as received, in the packet; NULL when there is none
 * @nr_hops: hops in it
 * @profile: enum rxe_cc_int_profile, their layout
 * @path: id of the path that compact hops are from
 * @int_flags: RXE_CC_TLV_INT_*
 * @has_time: the next three are valid
 * @ttl: with which TTL or hop limit the packet was received; 0: not known
 * @tx_ns: when the packet was sent
 * @rx_ns: when it was received
 * @turnaround_ns: how long the receiver took
 * @fb: RXE_CC_TLV_FB: values
 * @algo_id: whose they are
 * @nr_fb: how many; 0: none
 * @unknown: TLVs of a type that is not known, or retired
 * @tlv_bytes: length of all TLVs of the answer
 */
struct rxe_cc_feedback {
	const u8 *hops;
	u8 nr_hops;
	u8 profile;
	u16 path;
	u16 int_flags;
	bool has_time;
	u8 ttl;
	u64 tx_ns;
	u64 rx_ns;
	u64 turnaround_ns;
	u64 fb[RXE_CC_FB_MAX];
	u32 algo_id;
	u8 nr_fb;
	u8 unknown;
	u16 tlv_bytes;
};

/**
 * enum rxe_cc_tlv_verdict - what is wrong with the TLVs of an ACK or report
 * @RXE_CC_TLV_OK: nothing
 * @RXE_CC_TLV_SHORT: one goes beyond the packet
 * @RXE_CC_TLV_LENGTH: one has a length that its type cannot have
 * @RXE_CC_TLV_TWICE: a known type occurs twice
 */
enum rxe_cc_tlv_verdict {
	RXE_CC_TLV_OK,
	RXE_CC_TLV_SHORT,
	RXE_CC_TLV_LENGTH,
	RXE_CC_TLV_TWICE,
};

enum rxe_cc_tlv_verdict rxe_cc_tlv_parse(const void *data, unsigned int bytes,
					 struct rxe_cc_feedback *fb);
bool rxe_cc_hop_read(const u8 *p, struct rxe_cc_int_hop *hop);
bool rxe_cc_hops_read(const struct rxe_cc_feedback *fb, struct rxe_cc_int_hop *hop);

#endif /* _RXE_CC_TLV_PARSE_H */
