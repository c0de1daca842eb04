/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random sequences for LSCC's two algorithms: the same in the kernel's test and in the
 * program that writes its table.
 */
#ifndef _ROCE_LSCC_EVENTS_H
#define _ROCE_LSCC_EVENTS_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned int u32;
typedef unsigned char u8;
#endif

#define LSCC_ROWS		60	/* of each table */
#define LSCC_SEQUENCES		50	/* a row */
#define LSCC_STEPS		100	/* a sequence */
#define LSCC_FLOWS		8
#define LSCC_FLOWS_OF_PAIR	2

struct lscc_row {
	u64 digest;		/* of the answers after every step */
	u64 sum;		/* of the rates; or packets whose senders are told */
};

#define LSCC_DIGEST		0xcbf29ce484222325ULL

/* FNV-1a, by 64 bits at a time. */
static inline u64 lscc_digest(u64 digest, u64 value)
{
	return (digest ^ value) * 0x100000001b3ULL;
}

static inline u64 lscc_rand(u64 *rnd)
{
	u64 z = *rnd += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline u64 lscc_below(u64 *rnd, u64 n)
{
	return lscc_rand(rnd) % n;
}

/* Rate calculation: a link, and what the switch behind it sees each period. */
struct lscc_link {
	u64 rnd;
	u64 period_ns, rtt_ns, qref_bytes, step_bps, min_bps, max_bps;
	u64 queue_bytes, out_bytes;	/* the queue; what has left in the last period */
	bool wild;
};

static inline void lscc_link_begin(struct lscc_link *l, u32 number)
{
	static const u64 rates[] = {
		1000000ULL, 10000000000ULL, 40000000000ULL, 100000000000ULL,
		200000000000ULL, 400000000000ULL, 12345678901ULL, 800000000000ULL,
	};

	*l = (struct lscc_link) { .rnd = number, .wild = number % 4 == 3 };
	l->period_ns = number % 3 ? 200000 : 1000 + lscc_below(&l->rnd, 3000000);
	l->rtt_ns = number % 5 ? 2000000 : lscc_below(&l->rnd, 100000000);
	l->max_bps = rates[lscc_below(&l->rnd, 8)];
	l->min_bps = 1 + lscc_below(&l->rnd, l->max_bps / 10);
	l->qref_bytes = number % 2 ? 2000000 : 1 + lscc_below(&l->rnd, 20000000);
	l->step_bps = number % 7 ? 1 + lscc_below(&l->rnd, 2000000000) : l->max_bps;
}

static inline void lscc_link_next(struct lscc_link *l)
{
	u64 line_bytes = (l->max_bps >> 3) * (l->period_ns / 1000) / 1000000;

	if (l->wild) {
		/* One draw a statement: operands have no order. */
		l->queue_bytes = lscc_rand(&l->rnd);
		l->queue_bytes >>= 24 + lscc_below(&l->rnd, 40);
		l->out_bytes = lscc_rand(&l->rnd);
		l->out_bytes >>= 32 + lscc_below(&l->rnd, 32);
		return;
	}
	/* The queue is now above, now below the reference, or empty. */
	l->out_bytes = lscc_below(&l->rnd, line_bytes + 2);
	if (!lscc_below(&l->rnd, 10))
		l->queue_bytes = 0;
	else
		l->queue_bytes += lscc_below(&l->rnd, line_bytes / 4 + 2);
	if (l->queue_bytes > 3 * l->qref_bytes)
		l->queue_bytes = l->qref_bytes / 2;
}

/* Rate limiting: packets of flows, CNPs of their receivers, feedback. */
enum lscc_kind {
	LSCC_PACKET,
	LSCC_CNP,
	LSCC_FEEDBACK,
};

struct lscc_event {
	enum lscc_kind kind;
	u64 now_ns;
	u32 flow;		/* of a packet; of a CNP one of its pair */
	u32 bytes;
	bool ce;
	u32 seq;
	u64 peer_ns;
	u64 rate_bps;
};

struct lscc_outlet {
	u64 rnd;
	u64 now_ns, begin_ns, gap_ns;
	u64 period_ns, expiry_ns, qref_bytes, threshold_bytes, interval_ns, idle_ns;
	u64 rate_bps;		/* of the middle */
	u32 seq;
};

static inline void lscc_outlet_begin(struct lscc_outlet *o, u32 number)
{
	*o = (struct lscc_outlet) { .rnd = number, .now_ns = 5000000 };
	o->begin_ns = o->now_ns;
	o->period_ns = number % 2 ? 20000 : 1000 + lscc_below(&o->rnd, 100000);
	o->expiry_ns = o->period_ns * (1 + lscc_below(&o->rnd, 6));
	o->qref_bytes = 1 + lscc_below(&o->rnd, number % 3 ? 20000 : 200);
	o->threshold_bytes = lscc_below(&o->rnd, 40000);
	o->interval_ns = number % 4 ? 1000 + lscc_below(&o->rnd, 10000) : 0;
	o->gap_ns = 2 * (1 + lscc_below(&o->rnd, 1500));
	/* so that packets come faster or slower than they are served */
	o->rate_bps = 800000000000ULL / (1 + lscc_below(&o->rnd, 200));
	o->seq = lscc_rand(&o->rnd);
	/* a flow's packets are five gaps apart on average */
	o->idle_ns = lscc_below(&o->rnd, 60 * o->gap_ns);
}

static inline struct lscc_event lscc_outlet_next(struct lscc_outlet *o)
{
	u64 dice = lscc_below(&o->rnd, 100);
	struct lscc_event e = {};

	o->now_ns += lscc_below(&o->rnd, o->gap_ns);
	if (!lscc_below(&o->rnd, 60))
		o->now_ns += lscc_below(&o->rnd, 3 * o->period_ns);
	e.now_ns = o->now_ns;
	e.flow = lscc_below(&o->rnd, LSCC_FLOWS);
	e.kind = dice < 80 ? LSCC_PACKET : dice < 88 ? LSCC_CNP : LSCC_FEEDBACK;
	e.bytes = 84 + lscc_below(&o->rnd, 4100);
	e.ce = !lscc_below(&o->rnd, 12);
	if (e.kind != LSCC_FEEDBACK)
		return e;
	/* one in eight is old, one has an old time, one repeats the last */
	dice = lscc_below(&o->rnd, 24);
	e.seq = dice < 1 ? o->seq - 3 : dice < 2 ? o->seq : ++o->seq;
	e.peer_ns = dice == 2 ? o->begin_ns : o->now_ns + 1000000;
	e.rate_bps = 1 + lscc_below(&o->rnd, 2 * o->rate_bps);
	return e;
}

#endif /* _ROCE_LSCC_EVENTS_H */
