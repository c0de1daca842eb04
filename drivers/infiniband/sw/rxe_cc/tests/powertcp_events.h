/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows of powertcp_vectors.h, and the round-trip times of those that go by them: the same in
 * the test and in the program that writes its table. Telemetry is that of hpcc_events.h.
 * Integers only.
 */
#ifndef _POWERTCP_EVENTS_H
#define _POWERTCP_EVENTS_H

#include "hpcc_events.h"

#define POWER_EV_NR	24000	/* events of a configuration */
#define POWER_EV_ROW	120	/* events of a row of the table */

/**
 * struct power_ev_conf - one kind of flow
 * @ev: line, floor, T, time between ACKs, hops; its n is that of the algorithm
 * @gamma_q24: gamma
 * @theta: it goes by round-trip times
 * @per_packet: W_old is that of the packet; then packets are counted by fours, so that fewer
 *	than RXE_CC_SENT_PLACES are in flight and each is known
 */
struct power_ev_conf {
	struct hpcc_ev_conf ev;
	u32 gamma_q24;
	bool theta;
	bool per_packet;
};

static const struct power_ev_conf power_ev_confs[] = {
	{ { .name = "paper_100g", .seed = 11, .line_bps = 100000000000, .min_bps = 1000000,
	    .t_ns = 4177, .gap_ns = 89, .n = 10, .nr = 2 }, 15099494, false, false },
	{ { .name = "tree_25g", .seed = 12, .line_bps = 25000000000, .min_bps = 10000000,
	    .t_ns = 30000, .gap_ns = 5000, .n = 10, .nr = 6 }, 15099494, false, false },
	{ { .name = "far_400g", .seed = 13, .line_bps = 400000000000, .min_bps = 50000000,
	    .t_ns = 500000, .gap_ns = 500, .n = 100, .nr = 8 }, 4194304, false, false },
	{ { .name = "odd_10g", .seed = 14, .line_bps = 10000000000, .min_bps = 10000000,
	    .t_ns = 12000, .gap_ns = 12000, .n = 1, .nr = 1 }, 16777216, false, false },
	{ { .name = "theta_100g", .seed = 15, .line_bps = 100000000000, .min_bps = 1000000,
	    .t_ns = 4177, .gap_ns = 89, .n = 10 }, 15099494, true, false },
	{ { .name = "theta_far_10g", .seed = 16, .line_bps = 10000000000, .min_bps = 10000000,
	    .t_ns = 400000, .gap_ns = 2000, .n = 64 }, 8388608, true, false },
	{ { .name = "packet_100g", .seed = 17, .line_bps = 100000000000, .min_bps = 1000000,
	    .t_ns = 8000, .gap_ns = 300, .n = 10, .nr = 3 }, 15099494, false, true },
};

/**
 * struct power_rtt - an ACK, and where the next one comes from
 * @r: randomness
 * @base_ns: T
 * @gap_ns: mean time between ACKs
 * @now_ns: when it came
 * @seq: its packet
 * @next_seq: next to be sent
 * @rtt_ns: what it measured; 0: nothing
 * @path_ns: RTT of the path now
 * @phase: what that does
 * @left: for so many events more
 */
struct power_rtt {
	struct cc_test_prng r;
	u64 base_ns, gap_ns, now_ns, seq, next_seq, rtt_ns, path_ns;
	u32 phase, left;
};

static inline struct power_rtt power_rtt_start(const struct power_ev_conf *c)
{
	return (struct power_rtt) {
		.r = { c->ev.seed }, .base_ns = c->ev.t_ns, .gap_ns = c->ev.gap_ns,
		.now_ns = 1000000, .seq = 1000, .path_ns = c->ev.t_ns,
	};
}

/* A queue comes and goes as fast as packets do, or stays, or is there at once. */
static inline void power_rtt_next(struct power_rtt *s)
{
	struct cc_test_prng *r = &s->r;
	u64 passed_ns = cc_test_below(r, 50) ? 1 + cc_test_below(r, 2 * s->gap_ns - 1) : 0;
	u64 step_ns = cc_test_below(r, passed_ns + 1);

	if (!s->left--) {
		s->phase = cc_test_below(r, 5);
		s->left = cc_test_below(r, 200);
	}
	switch (s->phase) {
	case 0:
		s->path_ns += step_ns;
		break;
	case 1:
		s->path_ns = s->path_ns > s->base_ns + step_ns ? s->path_ns - step_ns : s->base_ns;
		break;
	case 2:
		s->path_ns = s->base_ns + cc_test_below(r, s->gap_ns + 1);
		break;
	case 3:
		if (!s->left)
			s->path_ns = s->base_ns + cc_test_below(r, 8 * s->base_ns);
		break;
	}
	if (s->path_ns > 20 * s->base_ns)
		s->path_ns = s->base_ns;
	s->now_ns += passed_ns;
	s->rtt_ns = cc_test_below(r, 8) ? s->path_ns : 0;
	s->seq += 1 + cc_test_below(r, 2);
	if (s->next_seq < s->seq + 100)
		s->next_seq += cc_test_below(r, 4);
	if (s->next_seq <= s->seq)
		s->next_seq = s->seq + 1 + cc_test_below(r, 40);
}

static inline void power_ev_next(const struct power_ev_conf *c, struct hpcc_ev_source *s,
				 struct hpcc_ev *e)
{
	hpcc_ev_next(s, e);
	if (!c->per_packet)
		return;
	e->seq /= 4;
	e->next_seq = e->next_seq / 4 + 1;
}

#endif /* _POWERTCP_EVENTS_H */
