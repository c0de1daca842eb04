/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profiles of in-band network telemetry (INT): which fields a source asks the ports of a path
 * for, as far as rxe_cc can be the sink of it. All are INT-MD 2.1 (<rxe_cc/int_wire.h>);
 * instruction bitmap and domain-specific instructions tell them apart.
 */
#ifndef _RXE_CC_INT_PROFILE_H
#define _RXE_CC_INT_PROFILE_H

#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <rxe_cc/int_wire.h>
#include <rxe_cc/int_worst.h>

/* A path has no more ports that push telemetry. */
#define RXE_CC_INT_MAX_HOPS	16
#define RXE_CC_INT_HPCC_BYTES	(4 * RXE_CC_INT_HPCC_HOP_ML)

/**
 * enum rxe_cc_int_profile - what each port adds to a packet; the layout of an echo
 * @RXE_CC_INT_FULL: all that HPCC can use, 32 bytes
 * @RXE_CC_INT_COMPACT: the same in units that suit the port's speed, 8 bytes
 * @RXE_CC_INT_FIRST: the first port its egress time, 8 bytes; others nothing
 * @RXE_CC_INT_WORST: the first port its load, 8 bytes; others theirs in its place if that is
 *	more
 * @RXE_CC_NR_INT_PROFILES: end
 */
enum rxe_cc_int_profile {
	RXE_CC_INT_FULL,
	RXE_CC_INT_COMPACT,
	RXE_CC_INT_FIRST,
	RXE_CC_INT_WORST,
	RXE_CC_NR_INT_PROFILES,
};

/**
 * struct rxe_cc_int_layout - an INT profile on the wire
 * @instr: instruction bitmap
 * @ds_instr: domain-specific instructions
 * @hop_ml: words of a hop
 * @max_hops: hops that a packet may have
 */
struct rxe_cc_int_layout {
	u16 instr;
	u16 ds_instr;
	u8 hop_ml;
	u8 max_hops;
};

/**
 * rxe_cc_int_layout() - an INT profile on the wire
 * @profile: below %RXE_CC_NR_INT_PROFILES
 *
 * Return: its layout.
 */
static inline const struct rxe_cc_int_layout *
rxe_cc_int_layout(enum rxe_cc_int_profile profile)
{
	static const struct rxe_cc_int_layout layouts[] = {
		[RXE_CC_INT_FULL] = {
			RXE_CC_INT_HPCC_INSTR, RXE_CC_INT_HPCC_DS,
			RXE_CC_INT_HPCC_HOP_ML, RXE_CC_INT_MAX_HOPS,
		},
		[RXE_CC_INT_COMPACT] = {
			RXE_CC_INT_COMPACT_INSTR, RXE_CC_INT_COMPACT_DS,
			RXE_CC_INT_COMPACT_HOP_ML, RXE_CC_INT_MAX_HOPS,
		},
		[RXE_CC_INT_FIRST] = {
			RXE_CC_INT_FIRST_INSTR, RXE_CC_INT_FIRST_DS,
			RXE_CC_INT_FIRST_HOP_ML, 1,
		},
		[RXE_CC_INT_WORST] = {
			RXE_CC_INT_WORST_INSTR, RXE_CC_INT_WORST_DS,
			RXE_CC_INT_WORST_HOP_ML, 1,
		},
	};

	return &layouts[profile];
}

/**
 * rxe_cc_int_is_path() - does a profile tell of each port of a path?
 * @profile: INT profile
 *
 * Return: true if so, and its hops are as many as the path has; false: one hop, whatever the
 *	path.
 */
static inline bool rxe_cc_int_is_path(enum rxe_cc_int_profile profile)
{
	return rxe_cc_int_layout(profile)->max_hops > 1;
}

/**
 * rxe_cc_int_hop_bytes() - length of one hop
 * @profile: INT profile
 *
 * Return: bytes.
 */
static inline unsigned int rxe_cc_int_hop_bytes(enum rxe_cc_int_profile profile)
{
	return 4 * rxe_cc_int_layout(profile)->hop_ml;
}

/**
 * rxe_cc_int_first_link() - what INT adds to a packet on its first link
 * @profile: INT profile
 *
 * Return: bytes: shim, MD header and the hop of the own port.
 */
static inline unsigned int
rxe_cc_int_first_link(enum rxe_cc_int_profile profile)
{
	return RXE_CC_INT_HDR_BYTES + rxe_cc_int_hop_bytes(profile);
}

/**
 * rxe_cc_int_room() - by how much INT may lengthen a packet on its way
 * @profile: INT profile
 * @hops: ports that may push, as far as the profile lets them
 *
 * Return: bytes.
 */
static inline unsigned int rxe_cc_int_room(enum rxe_cc_int_profile profile,
					   unsigned int hops)
{
	const struct rxe_cc_int_layout *l = rxe_cc_int_layout(profile);

	return RXE_CC_INT_HDR_BYTES + min_t(u32, hops, l->max_hops) * 4 * l->hop_ml;
}

/**
 * rxe_cc_int_profile_of() - which profile has a stack?
 * @md: MD header, checked by rxe_cc_int_check()
 * @stack_bytes: length of the stack
 *
 * Return: the profile, or %RXE_CC_NR_INT_PROFILES when it has none of them, or more
 *	hops than that may have.
 */
static inline enum rxe_cc_int_profile
rxe_cc_int_profile_of(const struct rxe_cc_int_md *md, unsigned int stack_bytes)
{
	u8 hop_ml = md->hop_ml & RXE_CC_INT_HOP_ML_MASK;
	u16 ds_instr = get_unaligned_be16(&md->ds_instr);
	u16 instr = get_unaligned_be16(&md->instr);
	const struct rxe_cc_int_layout *l;
	unsigned int i;

	for (i = 0; i < RXE_CC_NR_INT_PROFILES; i++) {
		l = rxe_cc_int_layout(i);
		if (instr == l->instr && ds_instr == l->ds_instr &&
		    hop_ml == l->hop_ml &&
		    get_unaligned_be16(&md->domain) == RXE_CC_INT_DOMAIN &&
		    stack_bytes <= 4U * l->max_hops * l->hop_ml)
			break;
	}
	return i;
}

/**
 * rxe_cc_int_write() - shim and MD header as the source inserts them
 * @hdr: RXE_CC_INT_HDR_BYTES
 * @profile: INT profile
 * @tos: type of service that the packet had
 * @hops: how many ports may push, as far as the profile lets them
 * @ds_flags: domain-specific flags at the source: T for the worst hop, else 0
 */
static inline void rxe_cc_int_write(void *hdr, enum rxe_cc_int_profile profile,
				    u8 tos, u8 hops, u16 ds_flags)
{
	const struct rxe_cc_int_layout *l = rxe_cc_int_layout(profile);
	struct rxe_cc_int_shim *shim = hdr;
	struct rxe_cc_int_md *md = (void *)(shim + 1);

	shim->type_npt = RXE_CC_INT_TYPE_MD;
	shim->length = RXE_CC_INT_MD_WORDS;
	shim->rsvd = 0;
	shim->dscp = tos & 0xfc;
	md->ver_flags = RXE_CC_INT_VERSION;
	md->rsvd = 0;
	md->hop_ml = l->hop_ml;
	md->rem_hop = min(hops, l->max_hops);
	put_unaligned_be16(l->instr, &md->instr);
	put_unaligned_be16(RXE_CC_INT_DOMAIN, &md->domain);
	put_unaligned_be16(l->ds_instr, &md->ds_instr);
	put_unaligned_be16(ds_flags, &md->ds_flags);
}

#endif /* _RXE_CC_INT_PROFILE_H */
