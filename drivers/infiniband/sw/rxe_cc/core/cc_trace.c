// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events: the one place that defines them.
 */
#define CREATE_TRACE_POINTS
#include "cc_trace.h"

/* For rxe_cc_events.ko, which records what they show. */
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_sample);
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_decision);
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_flow);
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_verdict);
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_port_timer);
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_qp_cmd);
EXPORT_TRACEPOINT_SYMBOL_GPL(rxe_cc_inst_cmd);
