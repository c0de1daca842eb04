/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shared buffer of a switch: pure accounting, no packets, no clock.
 *
 * buffer = sum of reserves + sum of headrooms + shared pool. A packet is
 * charged to one account when it arrives and released when it has left, at
 * its length on arrival. Lossless packets are charged to (ingress port,
 * priority), because that is whom a pause can stop; lossy ones, and what comes
 * from no port of the switch, to (egress port, priority), because that is the
 * queue that grows.
 *
 * An account first fills its reserve, then takes from the shared pool up to
 * its threshold: fixed, or alpha * (free part of the pool), as Choudhury and
 * Hahne's dynamic thresholds (IEEE/ACM ToN 1998). What a lossless account gets
 * beyond that goes to its headroom, and the peer is asked to pause.
 *
 * Context: switch lock held.
 */
#ifndef _ROCE_SHARED_BUFFER_H
#define _ROCE_SHARED_BUFFER_H

#include <linux/types.h>

/**
 * struct roce_mmu_config - one priority's share of the buffer
 * @reserve_bytes: for this account alone
 * @alpha_q16: factor of the dynamic threshold, in 1/65536; 0 = automatic
 * @xoff_bytes: fixed threshold instead; 0 = dynamic
 * @xon_bytes: with @xoff_bytes: resume when at most this is used
 * @xon_offset_bytes: with @alpha_q16: resume this far below the threshold
 * @headroom_bytes: for what is under way when a pause is asked for;
 *	TC_ROCE_HEADROOM_AUTO = computed
 */
struct roce_mmu_config {
	u32 reserve_bytes;
	u32 alpha_q16;
	u32 xoff_bytes;
	u32 xon_bytes;
	u32 xon_offset_bytes;
	u32 headroom_bytes;
};

/**
 * struct roce_account - what one (port, priority) holds of the buffer
 * @reserved_bytes: in the reserve
 * @shared_bytes: in the shared pool
 * @headroom_bytes: in the headroom
 * @reserve_size: size of the reserve in force
 * @headroom_size: size of the headroom in force
 * @peak_bytes: largest sum of the three
 * @headroom_peak_bytes: largest headroom use
 * @left_bytes: all that has been released; only grows
 */
struct roce_account {
	u64 reserved_bytes;
	u64 shared_bytes;
	u64 headroom_bytes;
	u64 reserve_size;
	u64 headroom_size;
	u64 peak_bytes;
	u64 headroom_peak_bytes;
	u64 left_bytes;
};

/**
 * struct roce_mmu - the buffer of a switch
 * @buffer_bytes: all of it
 * @reserve_bytes: sum of all reserves
 * @headroom_bytes: sum of all headrooms
 * @reserved_used: bytes in reserves
 * @headroom_used: bytes in headrooms
 * @shared_used: bytes in the shared pool
 * @peak_used: largest sum of the three
 */
struct roce_mmu {
	u64 buffer_bytes;
	u64 reserve_bytes;
	u64 headroom_bytes;
	u64 reserved_used;
	u64 headroom_used;
	u64 shared_used;
	u64 peak_used;
};

static inline u64 roce_account_bytes(const struct roce_account *acct)
{
	return acct->reserved_bytes + acct->shared_bytes + acct->headroom_bytes;
}

static inline u64 roce_mmu_used(const struct roce_mmu *mmu)
{
	return mmu->reserved_used + mmu->headroom_used + mmu->shared_used;
}

/* 0 when a smaller buffer has been set than is in use. */
static inline u64 roce_mmu_shared_free(const struct roce_mmu *mmu)
{
	u64 taken = mmu->reserve_bytes + mmu->headroom_bytes + mmu->shared_used;

	return mmu->buffer_bytes > taken ? mmu->buffer_bytes - taken : 0;
}

u64 roce_mmu_threshold(const struct roce_mmu *mmu,
		       const struct roce_mmu_config *cfg, bool lossless);
bool roce_mmu_charge(struct roce_mmu *mmu, struct roce_account *acct,
		     const struct roce_mmu_config *cfg, bool lossless, u32 bytes);
void roce_mmu_force(struct roce_mmu *mmu, struct roce_account *acct, u32 bytes);
void roce_mmu_release(struct roce_mmu *mmu, struct roce_account *acct, u32 bytes);
void roce_mmu_resize(struct roce_mmu *mmu, struct roce_account *acct,
		     u64 reserve_size, u64 headroom_size);
bool roce_mmu_may_resume(const struct roce_mmu *mmu, const struct roce_account *acct,
			 const struct roce_mmu_config *cfg);
u64 roce_mmu_resume_free(const struct roce_account *acct, const struct roce_mmu_config *cfg);
u64 roce_mmu_headroom(u64 rate_bps, u64 delay_ns, u64 response_ns,
		      u32 own_wire_bytes, u32 peer_wire_bytes, u32 pfc_wire_bytes);

#endif /* _ROCE_SHARED_BUFFER_H */
