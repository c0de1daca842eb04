// SPDX-License-Identifier: GPL-2.0
/* A transport and an algorithm for tests of the core, no suite of its own: see core_fixture.h. */
#include <kunit/resource.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "core_fixture.h"

/* An algorithm is told its flow, which does not lead to a test. Tests run one
 * after the other.
 */
static struct core_rig *the_rig;

/* What was decided about the packet that is being built: for the next that is sent of the
 * queue pair, and of that kind.
 */
static struct {
	struct rxe_cc_qp *qp;
	enum rxe_cc_pkt kind;
	u64 handed_ns;
	bool ack;
	bool int_md;
} the_next;

static struct {
	struct rxe_cc_qp *qp;
	u32 psn;
} the_unsent;

static void rig_leave(struct rxe_cc_flow *f)
{
	f->wants = the_rig->wants;
	f->lift_cap = the_rig->lift_cap;
	if (the_rig->cwnd_bytes)
		f->cwnd_bytes = the_rig->cwnd_bytes;
}

static void rig_judge(struct rxe_cc_flow *f)
{
	if (the_rig->telemetry != RIG_SILENT)
		f->telemetry = the_rig->telemetry;
}

static void rig_keep(struct rxe_cc_sample *to, const struct rxe_cc_sample *s)
{
	*to = *s;
	if (s->nr_hops)
		memcpy(the_rig->hop, s->hops, s->nr_hops * sizeof(*s->hops));
	to->hops = NULL;
}

static void rig_init(struct rxe_cc_flow *f, u64 now_ns)
{
	rig_leave(f);
}

static void rig_on_ack(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	the_rig->acks++;
	rig_keep(&the_rig->ack, s);
	rig_judge(f);
	rig_leave(f);
}

static void rig_on_sent(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	the_rig->sents++;
	rig_keep(&the_rig->sent, s);
	rig_leave(f);
}

static void rig_on_loss(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	the_rig->losses++;
	rig_keep(&the_rig->loss, s);
	rig_leave(f);
}

static void rig_on_cnp(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	the_rig->cnps_heard++;
	rig_keep(&the_rig->cnp, s);
	rig_leave(f);
}

static u32 rig_on_data(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	the_rig->datas++;
	rig_keep(&the_rig->data, s);
	rig_judge(f);
	f->report = the_rig->report;
	rig_leave(f);
	return the_rig->verdict;
}

/* Of a rig whose ops.fill_ack this is: how often it was called, and a constant. */
void core_rig_fill(struct rxe_cc_flow *f, u64 now_ns)
{
	f->report = (struct rxe_cc_report) {
		.fb = { ++the_rig->fills, 100 }, .nr = 2, .always = true,
	};
}

static void rig_wake(void *host_qp, enum rxe_cc_side side)
{
	the_rig->wakes[side]++;
}

static int rig_send_cnp(void *host_qp, u32 psn)
{
	the_rig->cnps++;
	the_rig->cnp_psn = psn;
	return 0;
}

static int rig_send_probe(void *host_qp, u32 psn)
{
	the_rig->probes++;
	the_rig->probe_psn = psn;
	return the_rig->probe_result;
}

static void rig_room_changed(void *host_port)
{
	((struct core_rig *)host_port)->rooms++;
}

static const struct rxe_cc_host_ops rig_host_ops = {
	.wake = rig_wake,
	.send_cnp = rig_send_cnp,
	.send_probe = rig_send_probe,
	.room_changed = rig_room_changed,
};

void core_rig_end(void *data)
{
	struct core_rig *rig = data;

	rxe_cc_qp_del(&rig->h);
	rxe_cc_port_del(&rig->ph);
	the_rig = NULL;
}

/* A queue pair at a peer that understands all, with INT on, its first PSN 0. */
struct core_rig *core_rig_new(struct kunit *test, u32 needs, u16 wants)
{
	struct core_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ibdev = kunit_kzalloc(test, sizeof(*rig->ibdev), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rig->ibdev);
	strscpy(rig->ibdev->name, "rig", sizeof(rig->ibdev->name));
	rig->wants = wants;
	rig->probe_result = RIG_HDR_BYTES;
	rig->ack_caps = RXE_CC_CAP_KNOWN;
	rig->ops = (struct rxe_cc_ops) {
		.init = rig_init, .on_ack = rig_on_ack, .on_sent = rig_on_sent,
		.on_loss = rig_on_loss, .on_cnp = rig_on_cnp,
		.on_data = rig_on_data, .needs = needs, .name = "rig", .owner = THIS_MODULE,
	};
	rig->info = (struct rxe_cc_qp_info) {
		.qpn = 17, .dest_qpn = 18, .mtu_bytes = RIG_MTU_BYTES,
		.hdr_bytes = RIG_HDR_BYTES, .hop_limit = 64,
	};
	the_rig = rig;
	the_next.qp = NULL;
	the_unsent.qp = NULL;
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_port_add(&rig->ph, rig->ibdev, 1, 1,
						 &rig_host_ops, rig));
	rxe_cc_port_link(&rig->ph, RIG_LINE_BPS);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&rig->ph, &rig->h, &rig->info,
					       rig));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, core_rig_end, rig));
	core_rig_knob(test, rig, RXE_CC_KNOB_INT, RXE_CC_INT_ON);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &rig->ops, NULL));
	/* The QP was under no algorithm before: a new connection knows of that
	 * nothing any more.
	 */
	rxe_cc_qp_reset(&rig->h);
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_KNOWN);
	return rig;
}

/* Another queue pair to the same peer, for rxe_cc_qp_del(). */
void core_rig_other(struct kunit *test, struct core_rig *rig, struct rxe_cc_qp_handle *h)
{
	struct rxe_cc_qp_info info = rig->info;

	info.qpn++;
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&rig->ph, h, &info, rig));
}

void core_rig_knob(struct kunit *test, struct core_rig *rig,
		   enum rxe_cc_knob knob, u64 value)
{
	u64 *knobs = kunit_kmalloc(test, sizeof(rig->ph.port->knob), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, knobs);
	memcpy(knobs, rig->ph.port->knob, sizeof(rig->ph.port->knob));
	knobs[knob] = value;
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, NULL, knobs));
}

static u32 rig_next_psn(const struct rxe_cc_qp *qp, bool resp)
{
	if (resp)
		return qp->resp_sent ? qp->resp_max : 0;
	return qp->psns.valid ? qp->psns.nxt : 0;
}

static struct rxe_cc_tx rig_decide(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn,
				   u32 unasked, bool end)
{
	bool resp = kind == RXE_CC_PKT_RESP;
	const struct rxe_cc_next next = {
		.psn = psn & RXE_CC_PSN_MASK, .unasked_pkts = unasked, .kind = kind,
		.side = resp ? RXE_CC_RESPONDER : RXE_CC_REQUESTER,
		.end = end, .payload = true,
	};
	struct rxe_cc_tx tx = { };

	spin_lock_bh(&qp->lock);
	rxe_cc_tx_decide(qp, &next, rxe_cc_now(qp), &tx);
	spin_unlock_bh(&qp->lock);
	the_next.qp = qp;
	the_next.kind = kind;
	the_next.handed_ns = 0;
	the_next.ack = tx.ack;
	the_next.int_md = tx.int_md;
	return tx;
}

/* Does the gate hold the next packet back? */
bool core_rig_wait(struct rxe_cc_qp *qp, enum rxe_cc_side side, enum rxe_cc_pkt kind)
{
	const struct rxe_cc_next next = {
		.psn = rig_next_psn(qp, side == RXE_CC_RESPONDER), .side = side,
		.kind = kind, .end = true,
	};
	struct rxe_cc_tx tx;

	rxe_cc_tx_next(qp, &next, &tx);
	return tx.wait;
}

/* What the next packet asks for, whatever the gate says. */
struct rxe_cc_tx core_rig_decide(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 unasked,
				 bool end)
{
	return rig_decide(qp, kind, rig_next_psn(qp, kind == RXE_CC_PKT_RESP), unasked, end);
}

/* A packet that is not the last of its message. */
bool core_rig_ack_due(struct rxe_cc_qp *qp, u32 unasked)
{
	return core_rig_decide(qp, RXE_CC_PKT_DATA, unasked, false).ack;
}

/* The last of its message, or a READ response. */
bool core_rig_int(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind)
{
	return core_rig_decide(qp, kind, 0, true).int_md;
}

/* Would the next request ask its receiver for times? */
bool core_rig_asks_time(struct rxe_cc_qp *qp)
{
	bool asks;

	spin_lock_bh(&qp->lock);
	asks = rxe_cc_asks_time(qp);
	spin_unlock_bh(&qp->lock);
	return asks;
}

/* A packet that asks for an ACK, or a READ response with INT, is handed to a port that
 * tells when it leaves. Returns whether its round trip is measured.
 */
bool core_rig_rtt_sample(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn)
{
	struct rxe_cc_tx tx = rig_decide(qp, kind, psn, 0, true);

	the_next.ack = true;
	if (tx.measure)
		the_next.handed_ns = ktime_get_ns();
	return tx.measure;
}

/* May a message begin? */
bool core_rig_message(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 bytes)
{
	bool go;

	spin_lock_bh(&qp->lock);
	go = rxe_cc_tokens_next(qp, kind, bytes);
	spin_unlock_bh(&qp->lock);
	return go;
}

/* As rxe keeps account, of the queue pair that has sent last. */
static u32 rig_unsent(struct rxe_cc_qp *qp, const struct rxe_cc_sent *sent)
{
	if (sent->kind == RXE_CC_PKT_RESP)
		return 0;
	if (qp != the_unsent.qp || rxe_cc_psn_diff(sent->psn, the_unsent.psn) >= 0)
		the_unsent.psn = sent->next_psn;
	the_unsent.qp = qp;
	return the_unsent.psn;
}

void core_rig_sent_bytes(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn, u32 bytes,
			 bool start, bool end)
{
	struct rxe_cc_sent sent = {
		.psn = psn & RXE_CC_PSN_MASK, .next_psn = (psn + 1) & RXE_CC_PSN_MASK,
		.wire_bytes = bytes, .kind = kind, .start = start, .end = end,
	};

	sent.unsent_psn = rig_unsent(qp, &sent);

	if (the_next.qp == qp && the_next.kind == kind) {
		sent.handed_ns = the_next.handed_ns;
		sent.ack = the_next.ack;
		sent.int_md = the_next.int_md;
		the_next.qp = NULL;
	}
	rxe_cc_tx_sent(qp, &sent);
}

void core_rig_sent(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn, bool start, bool end)
{
	core_rig_sent_bytes(qp, kind, psn, RIG_PKT_BYTES, start, end);
}

static void rig_send(struct core_rig *rig, enum rxe_cc_pkt kind, u32 psn,
		     u32 nr)
{
	for (; nr; nr--, psn++)
		core_rig_sent(rig->h.qp, kind, psn, false, false);
}

void core_rig_send(struct core_rig *rig, u32 psn, u32 nr)
{
	rig_send(rig, RXE_CC_PKT_DATA, psn, nr);
}

void core_rig_resp(struct core_rig *rig, u32 psn, u32 nr)
{
	rig_send(rig, RXE_CC_PKT_RESP, psn, nr);
}

/* A READ request for @nr responses. */
void core_rig_read(struct core_rig *rig, u32 psn, u32 nr)
{
	struct rxe_cc_sent sent = {
		.psn = psn, .next_psn = (psn + nr) & RXE_CC_PSN_MASK,
		.wire_bytes = RIG_HDR_BYTES, .kind = RXE_CC_PKT_READ_REQ,
		.start = true, .end = true,
	};

	sent.unsent_psn = rig_unsent(rig->h.qp, &sent);
	rxe_cc_tx_sent(rig->h.qp, &sent);
}

/* An answer with the TLVs that were written before; the next has none of them.
 * Returns whether it is believed.
 */
bool core_rig_ack(struct core_rig *rig, u32 psn)
{
	bool believed;

	believed = rxe_cc_rx_ack(rig->h.qp, RXE_CC_ACK, psn & RXE_CC_PSN_MASK,
				 ktime_get_ns(), rig->ack_caps, rig->tlv,
				 rig->tlv_bytes);
	rig->tlv_bytes = 0;
	return believed;
}

void core_rig_report(struct core_rig *rig, u8 kind, u32 psn)
{
	rxe_cc_rx_report(rig->h.qp, kind, psn & RXE_CC_PSN_MASK, ktime_get_ns(),
			 rig->tlv, rig->tlv_bytes);
	rig->tlv_bytes = 0;
}

static u8 *rig_tlv(struct core_rig *rig, u8 type, unsigned int words)
{
	u8 *p = rig->tlv + rig->tlv_bytes;

	memset(p, 0, 4 + 4 * words);
	p[0] = type;
	p[1] = words;
	rig->tlv_bytes += 4 + 4 * words;
	return p + 4;
}

void core_rig_tlv(struct core_rig *rig, u8 type, unsigned int words)
{
	rig_tlv(rig, type, words);
}

/* A stack as received, newest hop first: node @nr - 1 down to 0. */
void core_rig_hops(u8 *p, unsigned int nr, u64 ts_ns)
{
	for (; nr; nr--, p += RXE_CC_INT_HPCC_BYTES) {
		memset(p, 0, RXE_CC_INT_HPCC_BYTES);
		put_unaligned_be32(nr - 1, p);
		put_unaligned_be64(ts_ns, p + 8);
		put_unaligned_be32(100000, p + 28);
	}
}

void core_rig_tlv_hops(struct core_rig *rig, unsigned int nr, u64 ts_ns)
{
	core_rig_hops(rig_tlv(rig, RXE_CC_TLV_INT, nr * RXE_CC_INT_HPCC_HOP_ML),
		      nr, ts_ns);
}

/* By the rig's algorithm: @nr values, the last ones 0. */
void core_rig_tlv_told(struct core_rig *rig, u8 nr, u64 first, u64 second)
{
	const u64 fb[RXE_CC_FB_MAX] = { first, second };

	rxe_cc_tlv_fb_write(rig->tlv + rig->tlv_bytes,
			    rxe_cc_algo_id(rig->ops.name), fb, nr);
	rig->tlv_bytes += RXE_CC_TLV_FB_BYTES(nr);
}

void core_rig_tlv_time(struct core_rig *rig, u64 turnaround_ns)
{
	put_unaligned_be64(turnaround_ns, rig_tlv(rig, RXE_CC_TLV_TIME,
						  RXE_CC_TLV_TIME_WORDS) + 16);
}

/* The same with all there is to tell. */
void core_rig_tlv_times(struct core_rig *rig, u64 rx_ns, u64 turnaround_ns,
			u8 ttl)
{
	rxe_cc_tlv_time_write(rig->tlv + rig->tlv_bytes, 0, rx_ns,
			      turnaround_ns, ttl);
	rig->tlv_bytes += RXE_CC_TLV_TIME_BYTES;
}

/* Let time pass. */
void core_rig_pass(unsigned int us)
{
	usleep_range(us, us + 1);
}

/* By name, as users see it. */
u64 core_rig_counter(const struct core_rig *rig, const char *name)
{
	unsigned int i;

	for (i = 0; i < rxe_cc_nr_hw_counters(); i++)
		if (!strcmp(rxe_cc_hw_counter_name(i), name))
			return rxe_cc_hw_counter(&rig->ph, i);
	return U64_MAX;
}

u64 core_rig_qp_counter(const struct core_rig *rig, enum rxe_cc_qp_counter c)
{
	return rxe_cc_qp_count(rig->h.qp, c);
}
