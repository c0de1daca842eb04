/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Priority-based flow control, IEEE 802.1Qbb: frames, pauses of the peer and
 * by the peer, the storm watchdog.
 *
 * Context unless noted: switch lock held, bottom halves off.
 */
#ifndef _ROCE_PFC_H
#define _ROCE_PFC_H

#include <linux/netdevice.h>
#include <linux/types.h>

#include "roce_serialization.h"

struct roce_port;
struct roce_switch;
struct sk_buff;

#define ROCE_PFC_PRIOS		8
#define ROCE_PFC_BITS		512		/* bit times of one quantum */
#define ROCE_PFC_FRAME_BYTES	60		/* without frame check sequence */

/**
 * struct roce_pfc_frame - what a PFC frame says
 * @enable: bit per priority that @quanta holds for
 * @quanta: pause times of 512 bit times, 0 = resume
 */
struct roce_pfc_frame {
	u8 enable;
	u16 quanta[ROCE_PFC_PRIOS];
};

/**
 * enum roce_pfc_verdict - is this frame PFC?
 * @ROCE_PFC_OK: yes
 * @ROCE_PFC_BAD: no: short, wrong address, or reserved bits in use
 * @ROCE_PFC_OTHER: another MAC control frame
 */
enum roce_pfc_verdict {
	ROCE_PFC_OK,
	ROCE_PFC_BAD,
	ROCE_PFC_OTHER,
};

/**
 * struct roce_pause - one priority of this port as its peer pauses it
 * @until: end of the pause; its remainder is in 1/cfg.rate_bps ns
 * @since_ns: its beginning; refreshes leave it alone
 * @pause_ns: sum of all pauses that are over
 * @indications: pauses received
 * @resumed: resumes received
 * @ignored: either, while the priority was not lossless
 * @storms: times the watchdog found a storm
 * @storm_end_ns: when the pause of the last storm ended; 0 = there was none, or
 *	the watchdog has been changed since
 */
struct roce_pause {
	struct roce_time until;
	u64 since_ns;
	u64 pause_ns;
	u64 indications;
	u64 resumed;
	u64 ignored;
	u64 storms;
	u64 storm_end_ns;
};

/**
 * struct roce_xoff - one priority of this port that pauses the peer
 * @since_ns: since when
 * @refresh_ns: when the pause must be sent again; %ROCE_NEVER while a frame
 *	waits for the line
 * @xoff_ns: sum of all times that are over
 * @requests: pauses sent, refreshes included
 * @resumes: resumes sent
 */
struct roce_xoff {
	u64 since_ns;
	u64 refresh_ns;
	u64 xoff_ns;
	u64 requests;
	u64 resumes;
};

/* PFC frames that have come in but do not count yet; more than a peer that
 * keeps to line rate can send within the longest standard response time.
 */
#define ROCE_PFC_PENDING	64

/**
 * struct roce_pfc_pending - a received frame until it takes effect
 * @at_ns: when
 * @frame: the frame
 */
struct roce_pfc_pending {
	u64 at_ns;
	struct roce_pfc_frame frame;
};

/**
 * struct roce_pfc - PFC of one port
 * @paused: bit per priority whose pause has begun and whose end has not been
 *	noticed
 * @storm: thereof those that the watchdog has found to be in a storm
 * @xoff: bit per priority that pauses the peer
 * @to_send: bit per priority whose state the next frame carries; it goes
 *	ahead of all data as soon as the line is free
 * @watchdog_ns: what the configuration's comes to
 * @pending: ring of frames that take effect later; NULL while
 *	cfg.pfc_response_ns is 0
 * @head: first of @pending
 * @count: how many
 * @late_ns: how much longer refreshes wait because this machine is late
 * @tap: receives before a bridge does; registered while a priority is
 *	lossless
 */
struct roce_pfc {
	u8 paused;
	u8 storm;
	u8 xoff;
	u8 to_send;
	u64 watchdog_ns;
	struct roce_pfc_pending *pending;
	unsigned int head;
	unsigned int count;
	u64 late_ns;
	struct packet_type tap;
};

/* roce_pfc_frame.c */
enum roce_pfc_verdict roce_pfc_parse(const struct sk_buff *skb, struct roce_pfc_frame *frame);
struct sk_buff *roce_pfc_build(struct net_device *dev, const struct roce_pfc_frame *frame);

/* roce_ingress_tap.c */
void roce_tap_pfc(struct roce_port *port, const struct sk_buff *skb, u64 now_ns);
void roce_tap_update(struct roce_port *port, bool wanted);

/* roce_pause_rx.c: as the peer asks */
void roce_pause_receive(struct roce_port *port, const struct roce_pfc_frame *frame, u64 now_ns);
void roce_pause_notice(struct roce_port *port, u64 at_ns);
void roce_pause_pending(struct roce_port *port, u64 at_ns);
bool roce_pause_blocks(struct roce_port *port, u8 id, struct roce_time at);
bool roce_pause_expire(struct roce_port *port, u64 at_ns, struct roce_time *end);
bool roce_pause_storm(struct roce_port *port, u8 id, u64 at_ns);
void roce_pause_set_watchdog(struct roce_port *port);
void roce_pause_forget(struct roce_port *port, u8 id, u64 now_ns);
bool roce_port_paused(const struct roce_port *port, u8 id, u64 now_ns);
u64 roce_port_pause_ns(const struct roce_port *port, u8 id, u64 now_ns);

/* roce_pause_tx.c: as this port asks its peer */
void roce_xoff_scan(struct roce_switch *sw, u64 at_ns);
void roce_xoff_forget(struct roce_port *port, u64 now_ns);
void roce_xoff_repeat(struct roce_port *port);
void roce_xoff_resume(struct roce_port *port, u8 id, u64 at_ns);
void roce_xoff_refresh(struct roce_port *port, u64 at_ns);
bool roce_xoff_send(struct roce_port *port, struct roce_time start);
bool roce_port_is_mute(const struct roce_port *port);
bool roce_port_xoff(const struct roce_port *port, u8 id);
u64 roce_port_xoff_ns(const struct roce_port *port, u8 id, u64 now_ns);

#endif /* _ROCE_PFC_H */
