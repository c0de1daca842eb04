/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core between a transport and an algorithm that are both the test's: what
 * either is told is kept, what the algorithm says is set. For the suites that
 * exercise the core through the calls of <rxe_cc/cc_host.h>.
 */
#ifndef _RXE_CC_CORE_FIXTURE_H
#define _RXE_CC_CORE_FIXTURE_H

#include <kunit/test.h>
#include <rdma/ib_verbs.h>
#include <rxe_cc/wire.h>

#include "core/cc_core.h"

#define RIG_MTU_BYTES	1024
#define RIG_HDR_BYTES	82
#define RIG_PKT_BYTES	(RIG_MTU_BYTES + RIG_HDR_BYTES)
#define RIG_SILENT	0xff
#define RIG_LINE_BPS	100000000000ULL

/**
 * struct core_rig - a port with one queue pair
 * @ibdev: has nothing but a name
 * @ph: port
 * @h: queue pair
 * @info: its path
 * @ops: algorithm
 * @ack: last sample of on_ack
 * @sent: last sample of on_sent
 * @data: last sample of on_data
 * @loss: last sample of on_loss
 * @cnp: last sample of on_cnp
 * @hop: hops of the last sample that had some
 * @acks: calls of on_ack
 * @sents: calls of on_sent
 * @datas: calls of on_data
 * @losses: calls of on_loss
 * @fills: calls of fill_ack, when it is core_rig_fill()
 * @cnps_heard: calls of on_cnp
 * @wakes: wake-ups of the transport, by side
 * @ack_caps: capabilities in the peer's ACKs
 * @wants: what any call of the algorithm leaves in the flow
 * @verdict: what on_data returns
 * @report: what on_data leaves in the flow
 * @telemetry: what on_ack and on_data leave in the flow; RIG_SILENT: nothing
 * @cwnd_bytes: what any call leaves; 0: nothing
 * @lift_cap: what any call leaves
 * @cnps: CNPs that the transport sent
 * @cnp_psn: packet that the last one named
 * @probes: probes that it sent
 * @probe_psn: PSN of the last
 * @probe_result: what sending one returns
 * @rooms: calls of room_changed
 * @tlv: TLVs of an answer
 * @tlv_bytes: length of @tlv
 */
struct core_rig {
	struct ib_device *ibdev;
	struct rxe_cc_port_handle ph;
	struct rxe_cc_qp_handle h;
	struct rxe_cc_qp_info info;
	struct rxe_cc_ops ops;
	struct rxe_cc_sample ack;
	struct rxe_cc_sample sent;
	struct rxe_cc_sample data;
	struct rxe_cc_sample loss;
	struct rxe_cc_sample cnp;
	struct rxe_cc_int_hop hop[RXE_CC_INT_MAX_HOPS];
	unsigned int acks;
	unsigned int sents;
	unsigned int datas;
	unsigned int losses;
	unsigned int fills;
	unsigned int cnps_heard;
	unsigned int wakes[2];
	u8 ack_caps;
	u16 wants;
	u32 verdict;
	struct rxe_cc_report report;
	u8 telemetry;
	u64 cwnd_bytes;
	bool lift_cap;
	unsigned int cnps;
	u32 cnp_psn;
	unsigned int probes;
	u32 probe_psn;
	int probe_result;
	unsigned int rooms;
	u8 tlv[1200];
	unsigned int tlv_bytes;
};

struct core_rig *core_rig_new(struct kunit *test, u32 needs, u16 wants);
void core_rig_end(void *data);
void core_rig_other(struct kunit *test, struct core_rig *rig, struct rxe_cc_qp_handle *h);
void core_rig_fill(struct rxe_cc_flow *f, u64 now_ns);
void core_rig_knob(struct kunit *test, struct core_rig *rig,
		   enum rxe_cc_knob knob, u64 value);
bool core_rig_wait(struct rxe_cc_qp *qp, enum rxe_cc_side side, enum rxe_cc_pkt kind);
struct rxe_cc_tx core_rig_decide(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 unasked,
				 bool end);
bool core_rig_ack_due(struct rxe_cc_qp *qp, u32 unasked);
bool core_rig_int(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind);
bool core_rig_asks_time(struct rxe_cc_qp *qp);
bool core_rig_rtt_sample(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn);
bool core_rig_message(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 bytes);
void core_rig_sent_bytes(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn, u32 bytes,
			 bool start, bool end);
void core_rig_sent(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn, bool start, bool end);
void core_rig_send(struct core_rig *rig, u32 psn, u32 nr);
void core_rig_resp(struct core_rig *rig, u32 psn, u32 nr);
void core_rig_read(struct core_rig *rig, u32 psn, u32 nr);
bool core_rig_ack(struct core_rig *rig, u32 psn);
void core_rig_report(struct core_rig *rig, u8 kind, u32 psn);
void core_rig_tlv(struct core_rig *rig, u8 type, unsigned int words);
void core_rig_hops(u8 *p, unsigned int nr, u64 ts_ns);
void core_rig_tlv_hops(struct core_rig *rig, unsigned int nr, u64 ts_ns);
void core_rig_tlv_told(struct core_rig *rig, u8 nr, u64 first, u64 second);
void core_rig_tlv_time(struct core_rig *rig, u64 turnaround_ns);
void core_rig_tlv_times(struct core_rig *rig, u64 rx_ns, u64 turnaround_ns,
			u8 ttl);
void core_rig_pass(unsigned int us);
u64 core_rig_counter(const struct core_rig *rig, const char *name);
u64 core_rig_qp_counter(const struct core_rig *rig, enum rxe_cc_qp_counter c);

#endif /* _RXE_CC_CORE_FIXTURE_H */
