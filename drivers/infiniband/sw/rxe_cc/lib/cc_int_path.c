// SPDX-License-Identifier: GPL-2.0
/*
 * Two samples of a path's telemetry: may they be compared, and what do they say? int_path.h has
 * the use of it.
 */
#include <linux/export.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/time64.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/int_path.h>

/* What a port's time and counter may be apart: more than any packet. */
#define PATH_SLACK_BYTES	65536

/* So much queues and pauses may move two samples together. */
#define PATH_HELD_NS		(100 * (u64)NSEC_PER_MSEC)

static u64 path_ports(const struct rxe_cc_sample *s)
{
	u64 ports = 0;
	unsigned int i;

	for (i = 0; i < s->nr_hops; i++)
		ports = (ports ^ s->hops[i].node ^ (u64)s->hops[i].port << 32) *
			GOLDEN_RATIO_64;
	return ports;
}

static bool path_comparable(const struct rxe_cc_path *p)
{
	return p->nr && p->nr <= RXE_CC_MAX_HOPS;
}

/**
 * rxe_cc_path_same() - is what is kept of the ports that a sample is about?
 * @p: path
 * @s: sample
 *
 * Return: true if so; false also when nothing is kept, or without telemetry.
 */
bool rxe_cc_path_same(const struct rxe_cc_path *p, const struct rxe_cc_sample *s)
{
	return path_comparable(p) && s->nr_hops == p->nr && path_ports(s) == p->ports;
}
EXPORT_SYMBOL_GPL(rxe_cc_path_same);

/**
 * rxe_cc_path_possible() - can a sample be true, whatever was before?
 * @s: sample
 *
 * Return: %RXE_CC_TELEMETRY_USED if so; %RXE_CC_TELEMETRY_COUNT, %RXE_CC_TELEMETRY_SPEED.
 */
enum rxe_cc_telemetry rxe_cc_path_possible(const struct rxe_cc_sample *s)
{
	unsigned int i;

	if (!s->nr_hops || s->nr_hops > RXE_CC_MAX_HOPS)
		return RXE_CC_TELEMETRY_COUNT;
	for (i = 0; i < s->nr_hops; i++) {
		if (!s->hops[i].rate_bps)
			return RXE_CC_TELEMETRY_SPEED;
	}
	return RXE_CC_TELEMETRY_USED;
}
EXPORT_SYMBOL_GPL(rxe_cc_path_possible);

static void path_keep(struct rxe_cc_path *p, const struct rxe_cc_sample *s, u64 ports)
{
	unsigned int i;

	for (i = 0; i < s->nr_hops; i++)
		p->port[i] = (struct rxe_cc_path_port) {
			.ts_ns = s->hops[i].ts_ns,
			.tx_bytes = s->hops[i].tx_bytes,
			.qlen_bytes = s->hops[i].qlen_bytes,
		};
	p->nr = s->nr_hops;
	p->ports = ports;
	p->heard_ns = s->now_ns;
}

/* Has more time passed at a port than here since the last sample, twice over and more than
 * queues hold back? Then one of the two is wrong: over a time of its author's choice nearly no
 * bytes would have passed, and the rate would rise.
 */
static bool path_ahead(const struct rxe_cc_path *p, const struct rxe_cc_sample *s, u64 dt_ns)
{
	return dt_ns > rxe_cc_sat_add(2 * (s->now_ns - p->heard_ns), PATH_HELD_NS);
}

/* No port sends faster than its line, give or take the slack and 1/1024. Most send less than
 * the line, which is seen without a division: bytes x 8e9 > rate x time, in 128 bits.
 */
static bool path_too_much(u64 bytes, u64 bps, u64 ns)
{
	u64 sent = mul_u64_u64_shr(bytes, RXE_CC_BIT_NS_PER_BYTE, 64);
	u64 line = mul_u64_u64_shr(bps, ns, 64), line_bytes;

	if (sent < line || (sent == line && bytes * RXE_CC_BIT_NS_PER_BYTE <= bps * ns))
		return false;
	line_bytes = rxe_cc_bytes_in(bps, ns);
	return bytes > rxe_cc_sat_add(line_bytes, line_bytes / 1024 + PATH_SLACK_BYTES);
}

/* More than its speed may go by a pseudo queue, but no more than any port can send. */
static enum rxe_cc_telemetry path_step(const struct rxe_cc_path *p, const struct rxe_cc_sample *s,
				       unsigned int i, bool pseudo, struct rxe_cc_path_step *step)
{
	const struct rxe_cc_int_hop *hop = &s->hops[i];
	const struct rxe_cc_path_port *last = &p->port[i];

	step->dt_ns = hop->ts_ns - last->ts_ns;
	step->tx_bytes = hop->tx_bytes - last->tx_bytes;
	step->qlen_before = last->qlen_bytes;
	if (!step->dt_ns)
		return RXE_CC_TELEMETRY_USED;
	if ((s64)step->dt_ns < 0 || path_ahead(p, s, step->dt_ns))
		return RXE_CC_TELEMETRY_TIME;
	if ((s64)step->tx_bytes < 0 ||
	    path_too_much(step->tx_bytes, pseudo ? RXE_CC_RATE_MAX_BPS : hop->rate_bps,
			  step->dt_ns))
		return RXE_CC_TELEMETRY_BYTES;
	return RXE_CC_TELEMETRY_USED;
}

/**
 * rxe_cc_path_compare() - what a sample says, beside the last one of its path
 * @p: path; keeps this sample, unless that is impossible in itself
 * @s: telemetry and time
 * @pseudo: the last port is a pseudo queue: more than its speed may go by it
 * @step: RXE_CC_MAX_HOPS to fill, one a hop
 *
 * A sample that contradicts the one before is kept: if the older one was the wrong one, nothing
 * else would end the contradiction.
 *
 * Return: what the telemetry is good for; @step means something with %RXE_CC_TELEMETRY_USED
 * only, and then a port's time has moved at least. After %RXE_CC_TELEMETRY_COUNT and
 * %RXE_CC_TELEMETRY_SPEED nothing has changed.
 */
enum rxe_cc_telemetry rxe_cc_path_compare(struct rxe_cc_path *p, const struct rxe_cc_sample *s,
					  bool pseudo, struct rxe_cc_path_step *step)
{
	enum rxe_cc_telemetry verdict = rxe_cc_path_possible(s);
	bool moved = false;
	unsigned int i;
	u64 ports;

	if (verdict != RXE_CC_TELEMETRY_USED)
		return verdict;
	ports = path_ports(s);
	if (!path_comparable(p))
		verdict = RXE_CC_TELEMETRY_FIRST;
	else if (s->nr_hops != p->nr)
		verdict = RXE_CC_TELEMETRY_HOPS;
	else if (ports != p->ports)
		verdict = RXE_CC_TELEMETRY_PATH;
	for (i = 0; i < s->nr_hops && verdict == RXE_CC_TELEMETRY_USED; i++) {
		verdict = path_step(p, s, i, pseudo && i + 1 == s->nr_hops, &step[i]);
		moved |= step[i].dt_ns;
	}
	path_keep(p, s, ports);
	if (verdict == RXE_CC_TELEMETRY_USED && !moved)
		return RXE_CC_TELEMETRY_SAME;
	return verdict;
}
EXPORT_SYMBOL_GPL(rxe_cc_path_compare);
