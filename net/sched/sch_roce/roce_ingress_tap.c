// SPDX-License-Identifier: GPL-2.0
/*
 * Packet handler for what a port receives from the wire: frames of PFC (priority-based flow
 * control), and packets that a feature wants (roce_feature.receive).
 *
 * Linux has no PFC in software. A handler for EtherType 0x8808 would never see
 * a frame on a port of a bridge, because the bridge takes all frames first and
 * drops those to 01:80:c2:00:00:01. Taps come before the bridge. This one is
 * there only while a priority is lossless, because each tap costs every received
 * packet a call. It does not get packets that the device sends.
 */
#include <kunit/visibility.h>
#include <linux/if_ether.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/timekeeping.h>

#include "roce_next_event.h"
#include "roce_feature.h"
#include "roce_port.h"
#include "roce_switch.h"
#include "roce_trace.h"

/**
 * roce_tap_pfc - a MAC control frame has come in
 * @port: port, its switch advanced to now
 * @skb: frame, the caller's
 * @now_ns: present time
 *
 * Context: switch lock held.
 */
void roce_tap_pfc(struct roce_port *port, const struct sk_buff *skb, u64 now_ns)
{
	struct roce_time now = { .ns = now_ns };
	struct roce_pfc_frame frame = {};
	enum roce_pfc_verdict verdict;

	verdict = roce_pfc_parse(skb, &frame);
	trace_roce_pfc_rx(port, now_ns, verdict, &frame);
	switch (verdict) {
	case ROCE_PFC_BAD:
		port->stats.pfc_bad++;
		return;
	case ROCE_PFC_OTHER:
		port->stats.pfc_other++;
		return;
	case ROCE_PFC_OK:
		port->stats.pfc_rx++;
		break;
	}
	roce_pause_receive(port, &frame, now_ns);
	roce_line_poke(port, now);
}
EXPORT_SYMBOL_IF_KUNIT(roce_tap_pfc);

/* Context: softirq, RCU. The tap is gone before the port leaves its switch. */
static int roce_tap(struct sk_buff *skb, struct net_device *dev,
		    struct packet_type *pt, struct net_device *orig_dev)
{
	struct roce_port *port = pt->af_packet_priv;
	bool pfc = skb->protocol == htons(ETH_P_PAUSE);
	struct roce_switch *sw = port->sw;
	u64 now_ns;

	if (likely(!pfc && !READ_ONCE(port->receivers)))
		goto out;

	spin_lock_bh(&sw->lock);
	now_ns = ktime_get_ns();
	roce_switch_advance(sw, now_ns);
	if (pfc)
		roce_tap_pfc(port, skb, now_ns);
	else
		roce_features_receive(port, skb, now_ns);
	roce_event_kick(port);
	roce_switch_unlock(sw);
	local_bh_enable();
out:
	consume_skb(skb);
	return NET_RX_SUCCESS;
}

/**
 * roce_tap_update - receive PFC frames or no longer
 * @port: port with a device and a switch
 * @wanted: receive them
 *
 * Context: RTNL, may sleep.
 */
void roce_tap_update(struct roce_port *port, bool wanted)
{
	struct packet_type *tap = &port->pfc.tap;

	if (!!tap->func == wanted)
		return;
	if (!wanted) {
		dev_remove_pack(tap);
		tap->func = NULL;
		return;
	}
	tap->type = htons(ETH_P_ALL);
	tap->dev = port->dev;
	tap->func = roce_tap;
	tap->af_packet_priv = port;
	tap->ignore_outgoing = true;
	dev_add_pack(tap);
}
