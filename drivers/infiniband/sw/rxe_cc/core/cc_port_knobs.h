/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Knobs: the settings of a port, whatever algorithm it runs.
 */
#ifndef _RXE_CC_PORT_KNOBS_H
#define _RXE_CC_PORT_KNOBS_H

#include <rxe_cc/cc.h>

#define KNOB(id, ...)	RXE_CC_KNOB_##id,
enum rxe_cc_knob {
#include "cc_port_knob_rows.h"
	RXE_CC_NR_KNOBS,
};

#undef KNOB

/* Values of RXE_CC_KNOB_INT. */
enum rxe_cc_int_mode {
	RXE_CC_INT_OFF,
	RXE_CC_INT_AUTO,	/* to peers that have shown to be sinks */
	RXE_CC_INT_ON,		/* and to those that have shown nothing yet */
};

/* Value of a DSCP knob: keep what the application chose. */
#define RXE_CC_DSCP_KEEP	64
/* Value of ack_dscp: that of data. */
#define RXE_CC_DSCP_DATA	65

extern const struct rxe_cc_param rxe_cc_knobs[RXE_CC_NR_KNOBS];

const char *rxe_cc_port_refusal(const struct rxe_cc_ops *ops, const u64 *params,
				const u64 *knob);

/* RXE_CC_ALGO_NEED_* of an algorithm with these parameters. */
static inline u32 rxe_cc_needs(const struct rxe_cc_ops *ops, const u64 *params)
{
	return ops->needs_of ? ops->needs & ops->needs_of(params) : ops->needs;
}

const char *rxe_cc_knob_check(const u64 *knob, unsigned int *bad);

#endif /* _RXE_CC_PORT_KNOBS_H */
