// SPDX-License-Identifier: GPL-2.0
/*
 * Serialiser arithmetic, see roce_serialization.h. Pure functions: no clock, no
 * state, any context.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/time64.h>
#include <rxe_cc/cc_math.h>

#include "roce_serialization.h"

/**
 * roce_serial_sum - how long any number of packets occupy the line
 * @rate_bps: line rate in bit/s, not zero
 * @wire_bytes: everything that they put on the line; at most 580 years of it
 *
 * Return: the exact span, with its remainder in 1/@rate_bps ns.
 */
struct roce_time roce_serial_sum(u64 rate_bps, u64 wire_bytes)
{
	struct roce_time span;

	span.ns = rxe_cc_muldiv(wire_bytes, 8 * NSEC_PER_SEC, rate_bps);
	/* Below the rate, so that the lower halves of the products do. */
	span.rem = wire_bytes * (8 * NSEC_PER_SEC) - span.ns * rate_bps;
	return span;
}
EXPORT_SYMBOL_IF_KUNIT(roce_serial_sum);

/**
 * roce_serial_bytes - how much the line sends in some time
 * @rate_bps: line rate in bit/s
 * @span: time, its remainder referring to @rate_bps; at most a second
 *
 * Return: wire bytes, rounded up.
 */
u64 roce_serial_bytes(u64 rate_bps, struct roce_time span)
{
	u64 bytes = rxe_cc_muldiv(span.ns, rate_bps, 8 * NSEC_PER_SEC);
	u64 rest;

	/* Below 8e9, so that the lower halves of the products do. */
	rest = span.ns * rate_bps - bytes * (8 * NSEC_PER_SEC) + span.rem;
	return bytes + DIV64_U64_ROUND_UP(rest, 8 * NSEC_PER_SEC);
}
EXPORT_SYMBOL_IF_KUNIT(roce_serial_bytes);

/**
 * roce_time_sub - move an instant earlier
 * @t: instant, not before @span, changed in place
 * @span: how much earlier
 * @rate_bps: rate that both remainders refer to
 */
void roce_time_sub(struct roce_time *t, struct roce_time span, u64 rate_bps)
{
	t->ns -= span.ns;
	if (t->rem < span.rem) {
		t->rem += rate_bps;
		t->ns--;
	}
	t->rem -= span.rem;
}
EXPORT_SYMBOL_IF_KUNIT(roce_time_sub);

/**
 * roce_time_rescale - refer a remainder to another rate
 * @t: instant, changed in place
 * @old_bps: rate of its remainder
 * @new_bps: rate that the remainder shall refer to
 *
 * The only place that rounds: down, by less than 1/@new_bps ns, once a change
 * of rate.
 */
void roce_time_rescale(struct roce_time *t, u64 old_bps, u64 new_bps)
{
	if (old_bps != new_bps)
		t->rem = rxe_cc_muldiv(t->rem, new_bps, old_bps);
}
EXPORT_SYMBOL_IF_KUNIT(roce_time_rescale);
