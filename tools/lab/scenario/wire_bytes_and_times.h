/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: what packets occupy on a link, and paths as far as times go.
 */
#ifndef LAB_SCENARIO_WIRE_BYTES_AND_TIMES_H
#define LAB_SCENARIO_WIRE_BYTES_AND_TIMES_H

#include "lab.h"

#define ACK_WIRE_BYTES	(ROCE_WIRE_OVERHEAD + ROCE_AETH_BYTES)
#define READ_REQ_BYTES	(ROCE_WIRE_OVERHEAD + ROCE_RETH_BYTES)

/*
 * A path as a sequence of links. Many pairs of hosts have the same.
 * @done: when each link has sent packet n, ps after the flow's start; rows for
 *	n = 0 .. n_rows - 1. See scenario/ideal_fct.c.
 * @n_full: the first so many packets have full hops, the others compact ones
 */
struct wire_path {
	int hops;
	int64_t *rate_bps, *delay_ps;
	int64_t *done;
	int n_rows, n_full;
};

/**
 * struct wire - the scenario's keys as far as they say what is on the wire
 * @mtu: payload of a full packet
 * @chunk: payload of a full message
 * @packets: of a full message
 * @read: data comes as READ responses
 * @first_extra: header bytes of a message's first packet
 * @last_extra: and of its last
 * @int_fixed: INT bytes of every data packet
 * @int_hop: and those that each port adds
 * @compact_fixed: as @int_fixed once the sender has had an ACK
 * @compact_hop: and as @int_hop, if that is less
 * @ack_fixed: what an ACK with telemetry, or with what the receiver tells, is longer than
 *	another, beside @int_hop for each hop
 * @compact_ack: the same with compact hops
 * @ack_all: every data packet asks for an ACK
 * @class_of: by node, of a host: those of one class have the same paths
 * @n_classes: how many
 * @path_of: by class of the source and of the destination, index into @paths, -1
 *	unknown yet, -2 none; a table for each enum plan_way
 * @paths: all different ones
 * @n_paths: how many
 */
struct wire {
	int64_t mtu, chunk, packets;
	bool read;
	int64_t first_extra, last_extra;
	int64_t int_fixed, int_hop, compact_fixed, compact_hop, ack_fixed, compact_ack;
	bool ack_all;
	int *class_of, n_classes;
	int *path_of;
	struct wire_path *paths;
	int n_paths;
};

struct wire *wire_of(struct plan *p);
int64_t wire_ps(int64_t bytes, int64_t rate_bps);

/* scenario/ideal_fct.c */
struct wire_path *wire_path_of(struct plan *p, int src, int dst, enum plan_way which);

#endif /* LAB_SCENARIO_WIRE_BYTES_AND_TIMES_H */
