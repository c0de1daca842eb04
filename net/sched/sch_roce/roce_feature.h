/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Features of a port, each one file behind one table: what a switch does with
 * packets beyond queueing and pausing. ECN, INT, INT responses, Mercury, IOFD and LSCC are
 * features; an algorithm with a half in the switch brings one of its own, in sch_roce.ko
 * or in a module of its own (roce_feature_register()).
 *
 * The life of a packet at a port, and the calls of a feature:
 *
 *	arrive	a packet comes; nothing is decided. May refuse it, keep it, or
 *		send it on by another port of the switch
 *	enqueue	it has room and is about to wait. May refuse it
 *	arrived	the port is done with its arrival: it waits or is being sent
 *	dequeue	it has left its queue and is about to be sent. May refuse it
 *	start	its transmission starts. May lengthen it
 *	depart	its last bit has left the port
 *	lost	it had arrived, and will not depart
 *
 * A packet that finds the line idle does not wait: it has no enqueue and no
 * dequeue, and its start comes before its arrived. For every arrived a feature
 * gets exactly one depart or lost.
 *
 * Which packets a feature sees depends on their priority and DSCP
 * (roce_feature.wants) and is recorded in the packet when it arrives. So a packet that
 * no feature wants costs a comparison at each of these points, and a feature that
 * is switched on sees only packets that arrive afterwards.
 *
 * Locking: everything in the first half of the table runs with the lock of the
 * switch held and bottom halves off, which is all that protects a feature's
 * state on a port and on a switch. It must not sleep, nor take a lock that other
 * code holds while it calls into a port. The second half runs under RTNL, and
 * some of it with the lock of the switch, too.
 * Times are those of the model: exact, and possibly earlier than the clock.
 */
#ifndef _ROCE_FEATURE_H
#define _ROCE_FEATURE_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

#include "roce_port.h"

struct module;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;

/**
 * enum roce_hook - the calls that a feature may want, see struct roce_feature
 * @ROCE_HOOK_ARRIVE: roce_feature.arrive
 * @ROCE_HOOK_ENQUEUE: roce_feature.enqueue
 * @ROCE_HOOK_ARRIVED: roce_feature.arrived
 * @ROCE_HOOK_DEQUEUE: roce_feature.dequeue
 * @ROCE_HOOK_START: roce_feature.start
 * @ROCE_HOOK_DEPART: roce_feature.depart
 * @ROCE_HOOK_LOST: roce_feature.lost
 * @ROCE_HOOK_PAUSE: roce_feature.pause
 * @ROCE_HOOK_RESUME: roce_feature.resume
 */
enum roce_hook {
	ROCE_HOOK_ARRIVE,
	ROCE_HOOK_ENQUEUE,
	ROCE_HOOK_ARRIVED,
	ROCE_HOOK_DEQUEUE,
	ROCE_HOOK_START,
	ROCE_HOOK_DEPART,
	ROCE_HOOK_LOST,
	ROCE_HOOK_PAUSE,
	ROCE_HOOK_RESUME,

	/* private: */
	__ROCE_HOOK_MAX,
};

static_assert(__ROCE_HOOK_MAX == ROCE_HOOKS);

/**
 * struct roce_check - a configuration that is to be checked
 * @cfg: all options are applied
 * @id: the priority to check
 * @tb: attributes of that priority in this request, by type; none, when the
 *	priority is not in it
 * @port: the port's attribute to blame when none of @tb is
 * @extack: gets attribute and reason
 */
struct roce_check {
	const struct roce_config *cfg;
	u8 id;
	struct nlattr **tb;
	const struct nlattr *port;
	struct netlink_ext_ack *extack;
};

/**
 * struct roce_feature - what a switch does with packets
 *
 * Everything may be left out but @wants, @name, @owner and @port_bytes.
 *
 * @arrive: a packet has come and nothing is decided yet; its cb has priority,
 *	length and ingress port. May change the packet; after its DSCP, roce_port_reclass(),
 *	unless it is redirected; after its length, the length in its cb, too.
 *	Returns %ROCE_ACCEPTED to go on; %ROCE_DROP_FEATURE, and it is
 *	lost; %ROCE_CONSUMED, and the core frees it without a count as a drop; or
 *	%ROCE_REDIRECTED with *@out set to another port of the same switch that
 *	is not mute (roce_port_is_mute()): there it arrives as if it had been
 *	sent to it, but for this call. Not for the switch's own packets.
 * @enqueue: a packet has its room in the buffer and is about to join its queue,
 *	which is without it so far. May change its contents, not its length.
 *	Returns %ROCE_ACCEPTED, or %ROCE_DROP_FEATURE
 * @arrived: the port has taken a packet: @waits, as the last of its queue, or
 *	it is being sent. May send packets (roce_reply_send(), roce_port_inject())
 * @dequeue: a packet has left its queue, which is without it by now, and is
 *	about to be sent. All features are asked, also when one refuses it.
 *	Returns %ROCE_ACCEPTED, or %ROCE_DROP_FEATURE: it is lost,
 *	and the next one is taken at the same instant
 * @start: the transmission of a packet starts. May add bytes to it, if it can
 *	still be sent then; returns how many: up to 255 from all features
 * @depart: the last bit of a packet has left; its owner is not informed yet
 * @lost: a packet that had arrived is lost, in a storm, with the port, or because
 *	a feature refused it at its dequeue. @waited: it was in its queue
 * @pause: the peer has paused a priority that was not paused. Not for refreshes
 * @resume: the pause of a priority is over: ended, run out, or forgotten. With
 *	such a feature a pause that runs out is noticed at that very nanosecond
 * @receive: a packet has come in by this port and the stack has not got it yet: @skb is
 *	at the end of its Ethernet header, shared, and without a roce_skb_cb(). Only
 *	with a lossless priority. Every one while the feature is on. May send packets
 * @timer: the time of roce_feature_set_timer() has come. After everything else
 *	that fell due on this port at that instant. May send packets
 * @skip: how many bytes the feature has between the UDP header of a packet, which ends @at, and
 *	its BTH; negative for a packet that ends before. Also while the feature is off: one that
 *	has this call has its state on every port that has been configured since it was registered
 *
 * @wants: of which calls does the feature want to hear for the packets (for
 *	pauses: in the name of) @class in priority @prio? Returns a bit per enum
 *	roce_hook; 0 for all of them means that the feature is off. @class is a
 *	DSCP, or %ROCE_CLASS_NOT_IP and a priority. Depends on @cfg alone
 * @no_ecn: bit per priority in which the feature takes the place of marking:
 *	ECN marks nothing there. Depends on @cfg alone
 * @check: do the options of one priority agree with each other and with the
 *	port's? Use roce_clash(). Returns 0 or a negative error. May be called
 *	several times for a request
 * @changed: the port has another configuration, device address or switch;
 *	port->cfg is in force. Called as soon as the feature has been on once.
 *	With the lock of the switch held and bottom halves off
 * @leave: the port is about to leave its switch; its packets are lost already,
 *	its timer is off. Forget what the state on the switch says of it.
 *	Locks as for @changed
 * @stats: write the port's statistics, e.g. by roce_put_figures(). The feature
 *	may never have been on: then it has no state. Returns 0 or -EMSGSIZE.
 *	With the lock of the switch held
 * @prio_stats: write those of a priority; as @stats
 * @options: of the port, or NULL: roce_option_table.h makes them
 * @prio_options: of a priority, or NULL
 * @prio_stride: from one priority's fields to the next one's, bytes
 * @config_bytes: size of the configuration in struct roce_config, up to
 *	%ROCE_FEATURE_CONFIG_BYTES; see roce_feature_config()
 * @port_bytes: size of the state on a port: zeros when the feature is switched
 *	on for the first time, kept until the port is gone; roce_feature_port()
 * @switch_bytes: size of the state on a switch, 0 = none: zeros when the feature
 *	is first switched on for a port of it, kept until the switch is gone;
 *	roce_feature_switch()
 * @name: for messages and traces
 * @owner: THIS_MODULE; it stays as long as a port has state of the feature
 * @own: roce_skb_cb.own is the feature's, zero when a packet arrives; only one may have it
 * @slot: the core's: place of the feature on ports and in packets
 * @serial: the core's: tells features that had one slot after the other apart
 */
struct roce_feature {
	enum roce_verdict (*arrive)(struct roce_port *port, struct sk_buff *skb,
				    struct roce_port **out, u64 now_ns);
	enum roce_verdict (*enqueue)(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
	void (*arrived)(struct roce_port *port, struct sk_buff *skb, bool waits, u64 now_ns);
	enum roce_verdict (*dequeue)(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
	unsigned int (*start)(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
	void (*depart)(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
	void (*lost)(struct roce_port *port, struct sk_buff *skb, bool waited, u64 at_ns);
	void (*pause)(struct roce_port *port, u8 prio, u64 at_ns);
	void (*resume)(struct roce_port *port, u8 prio, u64 at_ns);
	void (*receive)(struct roce_port *port, const struct sk_buff *skb, u64 now_ns);
	void (*timer)(struct roce_port *port, u64 at_ns);
	int (*skip)(const struct roce_port *port, const struct sk_buff *skb, unsigned int at);

	u16 (*wants)(const struct roce_config *cfg, u8 prio, u8 class);
	u8 (*no_ecn)(const struct roce_config *cfg);
	int (*check)(const struct roce_check *check);
	void (*changed)(struct roce_port *port, u64 now_ns);
	void (*leave)(struct roce_port *port, u64 now_ns);
	int (*stats)(struct roce_port *port, struct sk_buff *msg);
	int (*prio_stats)(struct roce_port *port, u8 id, struct sk_buff *msg);
	const struct roce_option *options;
	const struct roce_option *prio_options;
	u16 prio_stride;
	u16 config_bytes;
	u32 port_bytes;
	u32 switch_bytes;
	const char *name;
	struct module *owner;
	bool own;

	u8 slot;
	u32 serial;
};

/* Those of sch_roce.ko itself. */
#define ROCE_FEATURE(name) extern struct roce_feature roce_##name##_feature;
#include "features/roce_features_rows.h"
#undef ROCE_FEATURE

int roce_feature_register(struct roce_feature *f);
void roce_feature_unregister(struct roce_feature *f);

/**
 * roce_feature_config - a feature's part of a configuration
 * @cfg: configuration
 * @f: registered feature
 *
 * Return: its config_bytes.
 */
static inline void *roce_feature_config(const struct roce_config *cfg, const struct roce_feature *f)
{
	return (void *)cfg->feature[f->slot];
}

/**
 * roce_feature_port - a feature's state on a port
 * @port: port
 * @f: registered feature
 *
 * Return: its port_bytes; NULL if it has never been on.
 */
static inline void *roce_feature_port(const struct roce_port *port, const struct roce_feature *f)
{
	return port->feature[f->slot];
}

void *roce_feature_switch(const struct roce_port *port, const struct roce_feature *f);
void roce_feature_set_timer(struct roce_port *port, const struct roce_feature *f, u64 at_ns);
bool roce_features_no_ecn(const struct roce_config *cfg, u8 prio);

/* Of a priority to be checked: two options that do not go together. */
int roce_clash(const struct roce_check *check, bool clash, u16 type, u16 other, const char *why);

/**
 * struct roce_figure - one statistic
 * @type: attribute
 * @value: value
 */
struct roce_figure {
	u16 type;
	u64 value;
};

int roce_put_figures(struct sk_buff *msg, const struct roce_figure *fig, size_t count);

/* For the port itself; roce_feature.c. */

/**
 * roce_hooked - which features want this call for this packet
 * @port: port
 * @skb: packet at @port
 * @hook: what has happened
 *
 * Return: bit per slot.
 */
static inline u8 roce_hooked(const struct roce_port *port,
			     const struct sk_buff *skb, enum roce_hook hook)
{
	u8 features = roce_skb_cb(skb)->features;

	return unlikely(features) ? features & port->hooked[hook] : 0;
}

enum roce_verdict roce_features_arrive(struct roce_port *port, struct sk_buff *skb,
				       struct roce_port **out, u64 now_ns);
enum roce_verdict roce_features_enqueue(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
void roce_features_arrived(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
enum roce_verdict roce_features_dequeue(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
void roce_features_start(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
void roce_features_depart(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
void roce_features_lost(struct roce_port *port, struct sk_buff *skb, bool waited, u64 at_ns);
void roce_features_pause(struct roce_port *port, u8 prio, bool paused, u64 at_ns);
void roce_features_receive(struct roce_port *port, const struct sk_buff *skb, u64 now_ns);
void roce_features_timer(struct roce_port *port, u64 at_ns);

int roce_features_prepare(struct roce_port *port, struct roce_switch *sw,
			  const struct roce_config *cfg);
void roce_features_changed(struct roce_port *port, u64 now_ns);
void roce_features_leave(struct roce_port *port, u64 now_ns);
void roce_features_release(struct roce_port *port);
void roce_features_release_switch(struct roce_switch *sw);
int roce_features_skip(const struct roce_port *port, const struct sk_buff *skb, unsigned int at);
int roce_features_stats(struct roce_port *port, struct sk_buff *msg);
int roce_features_prio_stats(struct roce_port *port, u8 id, struct sk_buff *msg);
struct roce_feature *roce_feature_at(unsigned int slot);

#endif /* _ROCE_FEATURE_H */
