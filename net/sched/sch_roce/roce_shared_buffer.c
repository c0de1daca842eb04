// SPDX-License-Identifier: GPL-2.0
/*
 * Accounting of a switch's shared buffer: which account may hold how many bytes, see
 * roce_shared_buffer.h.
 *
 * Bytes, not packets, are split among an account's three parts: filled from
 * reserve over shared pool to headroom and emptied in the reverse order. What
 * a packet leaves behind is then always the cheapest state for the same number
 * of bytes, the headroom is free again first, and no packet has to remember
 * where its bytes went. The alternative, whole packets in one part each, wastes
 * up to a packet in each part and makes the state depend on which packet left.
 *
 * The pool is what the configured reserves and headrooms leave of the buffer.
 * Nothing is ever charged above it, so used bytes are within the buffer; only
 * a change of configuration may find more in use than there is now, and then
 * the pool has nothing to give until it has drained.
 */
#include <kunit/visibility.h>
#include <linux/bug.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/time64.h>
#include <rxe_cc/cc_math.h>
#include <uapi/linux/pkt_sched_roce.h>

#include "roce_shared_buffer.h"
#include "roce_port.h"

#define ROCE_ALPHA_SHIFT	16
#define ROCE_ALPHA_LOSSY	(8 * TC_ROCE_ALPHA_ONE)
#define ROCE_ALPHA_LOSSLESS	(TC_ROCE_ALPHA_ONE / 8)

static u32 roce_mmu_alpha(const struct roce_mmu_config *cfg, bool lossless)
{
	if (cfg->alpha_q16)
		return cfg->alpha_q16;
	return lossless ? ROCE_ALPHA_LOSSLESS : ROCE_ALPHA_LOSSY;
}

/**
 * roce_mmu_threshold - how much of the shared pool an account may hold
 * @mmu: buffer
 * @cfg: of the account's priority
 * @lossless: the account is an ingress account
 *
 * A fixed threshold is one of pausing, so that it only holds for lossless
 * accounts.
 *
 * Return: bytes; a fixed threshold may be more than the pool has.
 */
u64 roce_mmu_threshold(const struct roce_mmu *mmu, const struct roce_mmu_config *cfg, bool lossless)
{
	if (lossless && cfg->xoff_bytes)
		return cfg->xoff_bytes;
	return mul_u64_u32_shr(roce_mmu_shared_free(mmu),
			       roce_mmu_alpha(cfg, lossless), ROCE_ALPHA_SHIFT);
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_threshold);

static u64 roce_mmu_spare(u64 size, u64 used)
{
	return size > used ? size - used : 0;
}

/* Book the parts of a charge. */
static void roce_mmu_book(struct roce_mmu *mmu, struct roce_account *acct,
			  u64 reserved, u64 shared, u64 headroom)
{
	acct->reserved_bytes += reserved;
	acct->shared_bytes += shared;
	acct->headroom_bytes += headroom;
	acct->peak_bytes = max(acct->peak_bytes, roce_account_bytes(acct));
	acct->headroom_peak_bytes = max(acct->headroom_peak_bytes, acct->headroom_bytes);
	mmu->reserved_used += reserved;
	mmu->shared_used += shared;
	mmu->headroom_used += headroom;
	mmu->peak_used = max(mmu->peak_used, roce_mmu_used(mmu));
}

/**
 * roce_mmu_charge - let a packet in, or not
 * @mmu: buffer
 * @acct: account
 * @cfg: of the account's priority
 * @lossless: what does not fit under the threshold may go to the headroom
 * @bytes: length on the wire
 *
 * Return: true when it has been charged; false when nothing has changed.
 */
bool roce_mmu_charge(struct roce_mmu *mmu, struct roce_account *acct,
		     const struct roce_mmu_config *cfg, bool lossless, u32 bytes)
{
	u64 reserved, shared, headroom;

	reserved = min_t(u64, bytes, roce_mmu_spare(acct->reserve_size, acct->reserved_bytes));
	shared = roce_mmu_spare(roce_mmu_threshold(mmu, cfg, lossless), acct->shared_bytes);
	shared = min3(shared, roce_mmu_shared_free(mmu), bytes - reserved);
	headroom = bytes - reserved - shared;

	if (headroom) {
		if (!lossless)
			return false;
		if (headroom > roce_mmu_spare(acct->headroom_size, acct->headroom_bytes))
			return false;
	}
	roce_mmu_book(mmu, acct, reserved, shared, headroom);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_charge);

/**
 * roce_mmu_force - charge a packet that is in the buffer already
 * @mmu: buffer
 * @acct: account that takes it over
 * @bytes: length on the wire
 *
 * For packets whose own account has gone away.
 */
void roce_mmu_force(struct roce_mmu *mmu, struct roce_account *acct, u32 bytes)
{
	u64 reserved = min_t(u64, bytes, roce_mmu_spare(acct->reserve_size, acct->reserved_bytes));

	roce_mmu_book(mmu, acct, reserved, bytes - reserved, 0);
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_force);

/**
 * roce_mmu_release - a packet has left
 * @mmu: buffer
 * @acct: account that it was charged to
 * @bytes: as they were charged
 */
void roce_mmu_release(struct roce_mmu *mmu, struct roce_account *acct, u32 bytes)
{
	u64 rest = bytes, part;

	acct->left_bytes += bytes;
	part = min(rest, acct->headroom_bytes);
	acct->headroom_bytes -= part;
	mmu->headroom_used -= part;
	rest -= part;

	part = min(rest, acct->shared_bytes);
	acct->shared_bytes -= part;
	mmu->shared_used -= part;
	rest -= part;

	if (WARN_ON_ONCE(rest > acct->reserved_bytes))
		rest = acct->reserved_bytes;
	acct->reserved_bytes -= rest;
	mmu->reserved_used -= rest;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_release);

/**
 * roce_mmu_resize - give an account a reserve and a headroom
 * @mmu: buffer
 * @acct: account
 * @reserve_size: bytes for it alone
 * @headroom_size: bytes for what comes after a pause has been asked for
 *
 * What no longer fits into either moves to the shared pool.
 */
void roce_mmu_resize(struct roce_mmu *mmu, struct roce_account *acct,
		     u64 reserve_size, u64 headroom_size)
{
	u64 moved;

	mmu->reserve_bytes += reserve_size - acct->reserve_size;
	mmu->headroom_bytes += headroom_size - acct->headroom_size;
	acct->reserve_size = reserve_size;
	acct->headroom_size = headroom_size;

	moved = roce_mmu_spare(acct->reserved_bytes, reserve_size);
	acct->reserved_bytes -= moved;
	mmu->reserved_used -= moved;
	acct->shared_bytes += moved;
	mmu->shared_used += moved;

	moved = roce_mmu_spare(acct->headroom_bytes, headroom_size);
	acct->headroom_bytes -= moved;
	mmu->headroom_used -= moved;
	acct->shared_bytes += moved;
	mmu->shared_used += moved;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_resize);

/**
 * roce_mmu_may_resume - may the peer of a paused account send again?
 * @mmu: buffer
 * @acct: lossless account
 * @cfg: of its priority
 *
 * Not before the headroom is empty, so that the whole of it is there for the
 * next pause. An account with nothing in the pool may always resume, however
 * little the others leave it: it would never be looked at again otherwise.
 *
 * Return: true if so.
 */
bool roce_mmu_may_resume(const struct roce_mmu *mmu, const struct roce_account *acct,
			 const struct roce_mmu_config *cfg)
{
	if (acct->headroom_bytes)
		return false;
	if (!acct->shared_bytes)
		return true;
	if (cfg->xoff_bytes)
		return acct->shared_bytes <= cfg->xon_bytes;
	return acct->shared_bytes + cfg->xon_offset_bytes <= roce_mmu_threshold(mmu, cfg, true);
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_may_resume);

/**
 * roce_mmu_resume_free - what must be free for an account to resume
 * @acct: lossless account that may not resume at present
 * @cfg: of its priority
 *
 * Return: bytes free in the shared pool below which it certainly may not, or
 * %ROCE_NEVER when only the departure of a packet of its own can change that.
 */
u64 roce_mmu_resume_free(const struct roce_account *acct, const struct roce_mmu_config *cfg)
{
	if (acct->headroom_bytes || cfg->xoff_bytes)
		return ROCE_NEVER;
	return div_u64((acct->shared_bytes + cfg->xon_offset_bytes) <<
		       ROCE_ALPHA_SHIFT, roce_mmu_alpha(cfg, true));
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_resume_free);

/**
 * roce_mmu_headroom - headroom that a lossless account needs
 * @rate_bps: line rate of both directions
 * @delay_ns: propagation delay of both directions
 * @response_ns: from the last bit of a PFC frame to its effect at the peer
 * @own_wire_bytes: longest packet that this port sends
 * @peer_wire_bytes: longest packet that the peer sends
 * @pfc_wire_bytes: a PFC frame
 *
 * At time 0 a packet arrives that finds no room under the threshold; it goes
 * to the headroom itself (one longest packet of the peer). The pause is asked
 * for at once, but the line may have begun to send one of our longest packets
 * just before. So, with R the rate and d the delay, the PFC frame has arrived
 * at
 *	own / R + pfc / R + d
 * and takes effect @response_ns later. Any packet that the peer has begun by
 * then still comes: those of the time until then, those that were under way
 * at time 0 (sent since -d), and the rest of the last one (another longest
 * packet). That is, in bytes,
 *	2 * peer + own + pfc + R * (2 * d + response)
 * Clocks have whole nanoseconds and show everything up to one late, the
 * packet that we notice and the frame that the peer notices: two more.
 *
 * Return: bytes, rounded up.
 */
u64 roce_mmu_headroom(u64 rate_bps, u64 delay_ns, u64 response_ns,
		      u32 own_wire_bytes, u32 peer_wire_bytes, u32 pfc_wire_bytes)
{
	u64 span_ns = 2 * delay_ns + response_ns + 2;

	return 2ULL * peer_wire_bytes + own_wire_bytes + pfc_wire_bytes +
	       rxe_cc_muldiv(rate_bps, span_ns, 8 * NSEC_PER_SEC) + 1;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mmu_headroom);
