/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random sequences of arrivals, departures, pauses and resumes at a queue: the same in
 * the kernel's test and in the program that writes its table.
 */
#ifndef _ROCE_MERCURY_EVENTS_H
#define _ROCE_MERCURY_EVENTS_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned char u8;
#endif

#define MERCURY_ROWS		120	/* of the table */
#define MERCURY_SEQUENCES	1000	/* a row */
#define MERCURY_EVENTS		48	/* a sequence */
#define MERCURY_WINDOWS		512
#define MERCURY_WAITING		64	/* packets at most */

enum mercury_event_kind {
	MERCURY_ARRIVE,
	MERCURY_DEPART,
	MERCURY_PAUSE,		/* maybe a repeated one */
	MERCURY_RESUME,
};

/* What happens, and the queue after it. */
struct mercury_event {
	enum mercury_event_kind kind;
	u64 now_ns;
	u32 bytes;
	u64 queue_bytes;
};

struct mercury_sequence {
	u64 rnd;
	u64 rate_bps;
	u64 period_ns;
	u64 threshold_bytes;
	u64 grid;		/* all times and lengths are multiples of it */
	u64 now_ns;
	u64 queue_bytes;
	u32 waiting[MERCURY_WAITING];
	u32 head, count;
	bool paused;
};

struct mercury_row {
	u64 digest;		/* of the answers after every event */
	u32 undetermined;	/* events that left it so */
	u32 congested;		/* packets whose sender is to be told */
};

struct mercury_window_row {
	u64 rate_bps, base_rtt_ns, flow_bytes, queue_bytes, window_bytes;
};

#define MERCURY_DIGEST		0xcbf29ce484222325ULL

/* FNV-1a of the answers. */
static inline u64 mercury_digest(u64 digest, bool undetermined, bool congested)
{
	return (digest ^ (undetermined | congested << 1)) * 0x100000001b3ULL;
}

static inline u64 mercury_rand(u64 *rnd)
{
	u64 z = *rnd += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline u64 mercury_below(u64 *rnd, u64 n)
{
	return mercury_rand(rnd) % n;
}

/* Every other sequence has a line of a byte a nanosecond and round figures, so that
 * what is compared is often equal.
 */
static inline void mercury_begin(struct mercury_sequence *s, u32 number)
{
	static const u64 rates[] = {
		10000000000ULL, 25000000000ULL, 40000000000ULL, 100000000000ULL,
		400000000000ULL, 1000000ULL, 12345678901ULL, 800000000000ULL,
	};

	*s = (struct mercury_sequence) { .rnd = number, .now_ns = 1000000 };
	if (number % 2) {
		s->grid = 100;
		s->rate_bps = 8000000000ULL;
		s->period_ns = 100 * mercury_below(&s->rnd, 20);
		s->threshold_bytes = 100 * mercury_below(&s->rnd, 20);
	} else {
		s->grid = 1;
		s->rate_bps = rates[mercury_below(&s->rnd, 8)];
		s->period_ns = mercury_below(&s->rnd, 4) ? 10000 :
			       mercury_below(&s->rnd, 30000);
		s->threshold_bytes = mercury_below(&s->rnd, 40000);
	}
}

static inline u64 mercury_step_ns(struct mercury_sequence *s)
{
	if (!mercury_below(&s->rnd, 4))
		return 0;
	if (s->grid > 1)
		return s->grid * mercury_below(&s->rnd, 8);
	return mercury_below(&s->rnd, mercury_below(&s->rnd, 8) ? 2000 : 30000);
}

static inline enum mercury_event_kind mercury_kind(struct mercury_sequence *s)
{
	u64 dice = mercury_below(&s->rnd, 20);

	if (s->paused)
		return dice < 3 ? MERCURY_PAUSE :
		       dice < 8 || s->count == MERCURY_WAITING ? MERCURY_RESUME :
		       dice < 10 && s->count ? MERCURY_DEPART :	/* a watchdog */
		       MERCURY_ARRIVE;
	if (dice < 2)
		return MERCURY_PAUSE;
	if (dice < 3)
		return MERCURY_RESUME;		/* of nothing */
	return s->count && (dice < 12 || s->count == MERCURY_WAITING) ?
	       MERCURY_DEPART : MERCURY_ARRIVE;
}

static inline struct mercury_event mercury_next(struct mercury_sequence *s)
{
	struct mercury_event e = { .kind = mercury_kind(s) };

	s->now_ns += mercury_step_ns(s);
	switch (e.kind) {
	case MERCURY_ARRIVE:
		e.bytes = s->grid > 1 ? s->grid * (1 + mercury_below(&s->rnd, 5)) :
					84 + mercury_below(&s->rnd, 4100);
		s->waiting[(s->head + s->count++) % MERCURY_WAITING] = e.bytes;
		s->queue_bytes += e.bytes;
		break;
	case MERCURY_DEPART:
		e.bytes = s->waiting[s->head];
		s->head = (s->head + 1) % MERCURY_WAITING;
		s->count--;
		s->queue_bytes -= e.bytes;
		break;
	case MERCURY_PAUSE:
		s->paused = true;
		break;
	case MERCURY_RESUME:
		s->paused = false;
		break;
	}
	e.now_ns = s->now_ns;
	e.queue_bytes = s->queue_bytes;
	return e;
}

#endif /* _ROCE_MERCURY_EVENTS_H */
