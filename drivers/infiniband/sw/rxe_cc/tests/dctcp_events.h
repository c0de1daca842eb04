/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for DCTCP's test: the same in the kernel's suite and in the generator of the expected
 * values. Integers only.
 */
#ifndef _DCTCP_EVENTS_H
#define _DCTCP_EVENTS_H

#include "cc_prng.h"

#define DCTCP_PER_POINT		100	/* events between two rows of the table */
#define DCTCP_POINTS		240	/* rows */

enum dctcp_event_kind {
	DCTCP_ACK,
	DCTCP_NAK,
	DCTCP_TIMEOUT,
	DCTCP_RNR,
};

/**
 * struct dctcp_source - where events come from
 * @prng: random numbers
 * @pkt_bytes: a packet
 * @bytes: the receiver's total
 * @marked: likewise
 * @seq: last packet acknowledged
 * @next_seq: next to be sent
 * @phase: how much is marked
 * @left: for so many events more
 */
struct dctcp_source {
	struct cc_test_prng prng;
	u32 pkt_bytes;
	u64 bytes, marked, seq, next_seq;
	u32 phase, left;
};

/**
 * struct dctcp_event - an acknowledgment or a loss
 * @kind: enum dctcp_event_kind
 * @fb: values of feedback, 0 or 2
 * @acked: bytes that an ACK acknowledges
 * @inflight: bytes that are left
 * @bytes: total that it tells
 * @marked: likewise
 * @seq: packet
 * @next_seq: next to be sent
 */
struct dctcp_event {
	enum dctcp_event_kind kind;
	u32 fb, acked, inflight;
	u64 bytes, marked, seq, next_seq;
};

/* None, one packet in eight, all. */
static inline u32 dctcp_marks(struct dctcp_source *s, u32 pkts)
{
	static const u32 most[] = { 200, 60, 30, 10 };

	if (!s->left--) {
		s->phase = cc_test_below(&s->prng, 4);
		s->left = cc_test_below(&s->prng, most[s->phase]);
	}
	switch (s->phase) {
	case 0:
		return 0;
	case 1:
		return !cc_test_below(&s->prng, 8);
	case 2:
		return cc_test_below(&s->prng, pkts + 1);
	default:
		return pkts;
	}
}

/* One ACK in 16 tells nothing, one in 200 of a receiver that has begun anew, or something that
 * cannot be; one event in 100 is a loss. A third of the time little is under way.
 */
static inline struct dctcp_event dctcp_next_event(struct dctcp_source *s)
{
	struct cc_test_prng *r = &s->prng;
	u32 pkts = 1 + cc_test_below(r, 8), loss = cc_test_below(r, 300);
	struct dctcp_event e = { .kind = DCTCP_ACK };

	if (loss < 3) {
		e.kind = (enum dctcp_event_kind)(1 + loss);
	} else {
		s->seq += pkts;
		s->bytes += (u64)pkts * s->pkt_bytes;
		s->marked += (u64)dctcp_marks(s, pkts) * s->pkt_bytes;
		e.fb = cc_test_below(r, 16) ? 2 : 0;
		e.acked = pkts * s->pkt_bytes;
		e.inflight = cc_test_below(r, 3) ? 100000000 : cc_test_below(r, 40) * s->pkt_bytes;
	}
	if (s->next_seq < s->seq + 200)
		s->next_seq += cc_test_below(r, 12);
	if (s->next_seq <= s->seq)
		s->next_seq = s->seq + 1 + cc_test_below(r, 40);
	if (!cc_test_below(r, 400)) {
		s->bytes = cc_test_below(r, 1000000);
		s->marked = s->bytes / 2;
	}
	e.bytes = s->bytes;
	e.marked = s->marked;
	if (!cc_test_below(r, 400))
		e.marked += 1000000000;
	e.seq = s->seq;
	e.next_seq = s->next_seq;
	return e;
}

#endif /* _DCTCP_EVENTS_H */
