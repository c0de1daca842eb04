// SPDX-License-Identifier: GPL-2.0
/*
 * INT responses (HPCC++ draft, 6.3), a feature of a switch port: when a packet with HPCC's
 * in-band network telemetry (INT) meets a long queue, the port reports to its sender at once.
 * The report goes back from this port. It does not wait for the queue, the rest of the path and
 * the way back of an ACK.
 *
 * The report is made when the packet arrives, and not when its transmission starts as
 * INT's own metadata: the delay of this queue is most of what the report saves.
 * It has the queue that the packet met, which marking at enqueue uses, too. A
 * packet that is refused causes no report: its PSN will be retransmitted, and
 * packets of its flow that wait have caused reports already.
 *
 * Damping: a table of times, at a hash of the flow (addresses, DestQP, source
 * port). Two flows of one slot share its interval, as with the draft's bloom
 * filter. The ACK makes up for a missing report, but not for a superfluous one. So
 * in an interval a port never sends more reports than the table has places.
 */
#include <kunit/visibility.h>
#include <linux/jhash.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include <rxe_cc/wire.h>

#include "roce_int_port.h"
#include "roce_reply_packet.h"
#include "roce_int_response.h"
#include "roce_switch.h"
#include "roce_trace.h"

/* Opcodes: the transport in the upper three bits. */
#define ROCE_OPCODE_RC			0x00
#define ROCE_OPCODE_UC			0x20
#define ROCE_OPCODE_TRANSPORT		0xe0
#define ROCE_OP_WRITE_ONLY_IMM		0x0b	/* SENDs and WRITEs up to here */
#define ROCE_OP_SEND_LAST_INV		0x16
#define ROCE_OP_SEND_ONLY_INV		0x17

/**
 * roce_response_is_wanted - can a packet be answered?
 * @opcode: its opcode
 *
 * Return: true for data of a requester, or a probe in its place: a READ response's PSN is
 * one of the other side's sequence, and the report could not say so.
 */
bool roce_response_is_wanted(u8 opcode)
{
	u8 transport = opcode & ROCE_OPCODE_TRANSPORT;
	u8 op = opcode & ~ROCE_OPCODE_TRANSPORT;

	if (opcode == RXE_CC_OPCODE_PROBE)
		return true;
	if (transport != ROCE_OPCODE_RC && transport != ROCE_OPCODE_UC)
		return false;
	return op <= ROCE_OP_WRITE_ONLY_IMM || op == ROCE_OP_SEND_LAST_INV ||
	       op == ROCE_OP_SEND_ONLY_INV;
}

static u32 roce_response_hash(const struct roce_reply_to *to)
{
	u32 words[] = { to->qpn, (__force u32)to->sport };

	/* What IPv4 does not use of the addresses is zero. */
	BUILD_BUG_ON(offsetof(struct roce_reply_to, dst) != sizeof(union roce_addr));
	return jhash2((const u32 *)to, 2 * sizeof(union roce_addr) / 4,
		      jhash2(words, ARRAY_SIZE(words), 0));
}

/**
 * roce_response_damped - is it too soon after the last one?
 * @rsp: responses of a port
 * @to: packet to be answered
 * @interval_ns: from one answer to the next, at least
 * @now_ns: present time, not 0
 *
 * Return: true, or false and the interval has begun.
 */
bool roce_response_damped(struct roce_response *rsp,
			  const struct roce_reply_to *to, u64 interval_ns, u64 now_ns)
{
	u64 *last_ns = &rsp->last_ns[roce_response_hash(to) % ROCE_RESPONSE_SLOTS];

	if (*last_ns && now_ns - *last_ns < interval_ns)
		return true;
	*last_ns = now_ns;
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(roce_response_damped);

/* It could not be sent: the interval has not begun after all. */
static void roce_response_undamp(struct roce_response *rsp, const struct roce_reply_to *to)
{
	rsp->last_ns[roce_response_hash(to) % ROCE_RESPONSE_SLOTS] = 0;
}

/**
 * roce_response_build - an INT response, but for the hops that came with the packet
 * @to: whom it answers
 * @pkt: packet of roce_int_read_hpcc() that it answers
 * @hop: what this port tells, in front of those
 * @kind: enum rxe_cc_report_kind
 * @stack: set to where those are to be filled in
 *
 * Return: the response, for roce_reply_send(); NULL for want of memory.
 */
struct sk_buff *roce_response_build(const struct roce_reply_to *to,
				    const struct roce_int_packet *pkt,
				    const struct roce_int_hop *hop, u8 kind, u8 **stack)
{
	unsigned int bytes = (roce_int_hops(pkt) + 1) * pkt->hop_ml * 4;
	u8 flags = (pkt->e ? RXE_CC_INT_E : 0) | (pkt->m ? RXE_CC_INT_M : 0);
	struct rxe_cc_report_hdr *hdr;
	struct sk_buff *reply;
	void *body;

	reply = roce_reply_build(to, RXE_CC_OPCODE_REPORT, false, sizeof(*hdr) +
				 rxe_cc_tlv_int_bytes(pkt->profile, bytes), &body);
	if (!reply)
		return NULL;
	hdr = body;
	hdr->kind = kind;
	body = rxe_cc_tlv_int_write(hdr + 1, pkt->profile, bytes, flags, roce_int_path(pkt, hop));
	*stack = roce_int_write_own(pkt, hop, body);
	return reply;
}

static int roce_response_send(struct roce_port *port, const struct sk_buff *skb,
			      const struct roce_int_packet *pkt, const struct roce_reply_to *to,
			      const struct roce_int_hop *hop, u64 now_ns)
{
	struct sk_buff *reply;
	u8 *stack;

	reply = roce_response_build(to, pkt, hop, RXE_CC_REPORT_SWITCH, &stack);
	if (reply)
		roce_int_copy_stack(skb, pkt, stack);
	return roce_reply_send(port, skb, to, reply, now_ns);
}

/* What this port can tell at the instant at which the packet came. */
static void roce_response_hop(const struct roce_port *port, const struct sk_buff *skb, u64 now_ns,
			      struct roce_int_hop *hop)
{
	const struct roce_skb_cb *cb = roce_skb_cb(skb);

	roce_int_snapshot(port, skb, now_ns, hop);
	hop->tx_bytes -= roce_line_left_bytes(port, now_ns);
	hop->qlen_bytes = port->prio[cb->prio].bytes - cb->wire_bytes;
}

/* Report to the sender of a packet the queue that it met. Nothing is done, and
 * counted, for packets that have not HPCC's telemetry, or a stack that has no room
 * for one hop more in a report, or that are no data.
 */
static void roce_respond(struct roce_port *port, const struct sk_buff *skb, u64 now_ns)
{
	const struct roce_response_config *cfg = roce_response_config(&port->cfg);
	struct roce_response *rsp = roce_feature_port(port, &roce_response_feature);
	struct roce_int_packet pkt;
	struct roce_reply_to to;
	struct roce_int_hop hop;
	int err;

	if (!roce_int_read_hpcc(skb, roce_int_config(&port->cfg)->domain, &pkt) ||
	    roce_int_hops(&pkt) >= RXE_CC_INT_MAX_HOPS ||
	    !roce_reply_read(skb, &pkt.at, roce_int_bth(&pkt), &to) ||
	    !roce_response_is_wanted(to.opcode))
		return;

	if (roce_response_damped(rsp, &to, cfg->interval_ns, now_ns)) {
		rsp->damped++;
		return;
	}
	roce_response_hop(port, skb, now_ns, &hop);
	err = roce_response_send(port, skb, &pkt, &to, &hop, now_ns);
	if (err) {
		rsp->failed++;
		if (roce_reply_again(err))
			roce_response_undamp(rsp, &to);
	} else {
		rsp->sent++;
	}
	trace_roce_response(port, skb, now_ns, &hop, to.qpn, to.psn, err);
}

/* The queue that the packet met is without it; on an idle line it met none. */
static void roce_response_arrived(struct roce_port *port, struct sk_buff *skb,
				  bool waits, u64 now_ns)
{
	const struct roce_skb_cb *cb = roce_skb_cb(skb);
	u32 threshold = roce_response_config(&port->cfg)->prio[cb->prio].bytes;

	if (waits && port->prio[cb->prio].bytes - cb->wire_bytes >= threshold)
		roce_respond(port, skb, now_ns);
}

static u16 roce_response_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	return roce_response_config(cfg)->prio[prio].bytes &&
	       roce_int_is_on(cfg, class) ? BIT(ROCE_HOOK_ARRIVED) : 0;
}

static int roce_response_check(const struct roce_check *check)
{
	bool on = roce_response_config(check->cfg)->prio[check->id].bytes;

	return roce_clash(check, on && !roce_int_config(check->cfg)->on,
			  TCA_ROCE_PRIO_INT_RESPONSE, TCA_ROCE_PRIO_INT_RESPONSE,
			  "int-response needs int on");
}

static int roce_response_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_response *rsp = roce_feature_port(port, &roce_response_feature);
	const struct roce_figure figures[] = {
#define ROCE_FIGURE(attr, value, ...) { TCA_ROCE_XSTATS_##attr, rsp ? (value) : 0 },
#include "roce_int_response_rows.h"
#undef ROCE_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

#define ROCE_ROWS	"features/int/roce_int_response_rows.h"
#define ROCE_CONFIG	struct roce_response_config
#include "roce_option_table.h"

struct roce_feature roce_response_feature = {
	.arrived	= roce_response_arrived,
	.wants		= roce_response_wants,
	.check		= roce_response_check,
	.stats		= roce_response_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.prio_stride	= sizeof(struct roce_response_prio),
	.config_bytes	= sizeof(struct roce_response_config),
	.port_bytes	= sizeof(struct roce_response),
	.name		= "int-response",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_IF_KUNIT(roce_response_feature);
