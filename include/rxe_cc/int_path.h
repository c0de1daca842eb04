/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an algorithm keeps of a path's telemetry, and what two samples of it say.
 *
 * An algorithm that goes by telemetry needs the difference of two samples: what each port has
 * sent, in which time. Before that it must find out whether there is one. The path may have
 * changed. A port may have been reset. A sample may be forged. rxe_cc_path_compare() does that
 * for all of them, so that the same samples are refused everywhere, for the same reasons:
 *
 *	struct rxe_cc_path_step step[RXE_CC_MAX_HOPS];
 *
 *	flow->telemetry = rxe_cc_path_compare(&st->path, s, false, step);
 *	if (flow->telemetry != RXE_CC_TELEMETRY_USED)
 *		return;
 *	for (i = 0; i < s->nr_hops; i++)
 *		if (step[i].dt_ns)
 *			... step[i].tx_bytes / step[i].dt_ns is what port i sent
 *
 * Context of all functions: any; the caller serialises calls for one path.
 */
#ifndef _RXE_CC_INT_PATH_H
#define _RXE_CC_INT_PATH_H

#include <linux/types.h>
#include <rxe_cc/cc.h>

/**
 * struct rxe_cc_path_port - what a port reported last
 * @ts_ns: egress time
 * @tx_bytes: wire bytes sent
 * @qlen_bytes: queue
 *
 * 20 bytes: a path is a large part of what is kept of a queue pair.
 */
struct rxe_cc_path_port {
	u64 ts_ns;
	u64 tx_bytes;
	u32 qlen_bytes;
} __packed __aligned(4);

/**
 * struct rxe_cc_path - the last sample of a path, 184 bytes; all zero: none yet
 * @heard_ns: when it came
 * @ports: hash of its nodes and ports
 * @port: in the order of the sample
 * @nr: how many; above RXE_CC_MAX_HOPS: none to compare with, for a reason of the owner's
 */
struct rxe_cc_path {
	u64 heard_ns;
	u64 ports;
	struct rxe_cc_path_port port[RXE_CC_MAX_HOPS];
	u8 nr;
};

/**
 * struct rxe_cc_path_step - what happened at a port between two samples
 * @dt_ns: time by its clock; 0: it has not moved, and the port says nothing
 * @tx_bytes: wire bytes that it sent
 * @qlen_before: queue in the first of the two, bytes
 */
struct rxe_cc_path_step {
	u64 dt_ns;
	u64 tx_bytes;
	u32 qlen_before;
};

bool rxe_cc_path_same(const struct rxe_cc_path *p, const struct rxe_cc_sample *s);
enum rxe_cc_telemetry rxe_cc_path_possible(const struct rxe_cc_sample *s);
enum rxe_cc_telemetry rxe_cc_path_compare(struct rxe_cc_path *p, const struct rxe_cc_sample *s,
					  bool pseudo, struct rxe_cc_path_step *step);

#endif /* _RXE_CC_INT_PATH_H */
