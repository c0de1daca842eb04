// SPDX-License-Identifier: GPL-2.0
/*
 * The table of the knobs (settings of a port), checks of their values, and whether they suit an
 * algorithm and its parameters.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <rxe_cc/cc_host.h>
#include <rxe_cc/wire.h>

#include "cc_flow_update.h"
#include "cc_port_knobs.h"
#include "cc_pacer.h"

#define KNOB(id, name, unit, min, max, def, help)			\
	[RXE_CC_KNOB_##id] = { #name, unit, min, max, def, help },
const struct rxe_cc_param rxe_cc_knobs[RXE_CC_NR_KNOBS] = {
#include "cc_port_knob_rows.h"
};

#undef KNOB
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_knobs);

/* What any port can give to an algorithm. */
#define RXE_CC_PORT_GIVES	(RXE_CC_ALGO_NEED_ECN | RXE_CC_ALGO_NEED_RTT | \
				 RXE_CC_ALGO_NEED_ACK_EVERY_PACKET)

/* Why the algorithm with these parameters cannot run on a port with these knobs, or NULL. */
const char *rxe_cc_port_refusal(const struct rxe_cc_ops *ops, const u64 *params,
				const u64 *knob)
{
	u32 missing = rxe_cc_needs(ops, params) & ~RXE_CC_PORT_GIVES;

	if (knob[RXE_CC_KNOB_INT] != RXE_CC_INT_OFF)
		missing &= ~RXE_CC_ALGO_NEED_INT;
	if (missing & RXE_CC_ALGO_NEED_INT)
		return "it needs in-band telemetry: knob int is off";
	if (missing & RXE_CC_ALGO_NEED_PEER)
		return "it needs peers that run rxe_cc, which is not known of any";
	return missing ? "it needs what this version of rxe_cc does not have" :
			 NULL;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_port_refusal);

/* Relations between knobs; each is in its own range already. */
const char *rxe_cc_knob_check(const u64 *knob, unsigned int *bad)
{
	if (knob[RXE_CC_KNOB_LINE_RATE] &&
	    knob[RXE_CC_KNOB_LINE_RATE] < RXE_CC_RATE_MIN_BPS) {
		*bad = RXE_CC_KNOB_LINE_RATE;
		return "below 1 kbit/s; 0 means as the network device says";
	}
	if (knob[RXE_CC_KNOB_LINE_RATE] &&
	    knob[RXE_CC_KNOB_MIN_RATE] > knob[RXE_CC_KNOB_LINE_RATE]) {
		*bad = RXE_CC_KNOB_MIN_RATE;
		return "above line_rate";
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_knob_check);
