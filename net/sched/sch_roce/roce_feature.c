// SPDX-License-Identifier: GPL-2.0
/*
 * Features of a port: the list of features, which packets each wants, and their calls.
 *
 * A feature has a slot, which is a bit. A port knows for each class of packets
 * which features want some of it (roce_port.by_class) and for each hook which
 * features have it (roce_port.hooked); a packet carries the former from its
 * arrival on. Where both agree the calls are made, in the order of slots: that of
 * features/roce_features_rows.h, then modules. A list of calls for each port, hook
 * and class would save the two loads behind that and need an allocation for each
 * change.
 *
 * A mutex of their own protects slots. RTNL would dead-lock when a module is
 * loaded by a caller that holds RTNL. A feature is removed only under RTNL, when
 * no port has state of it. So with RTNL held a feature that was found stays.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "roce_classify.h"
#include "roce_next_event.h"
#include "roce_feature.h"
#include "roce_switch.h"

static DEFINE_MUTEX(roce_features_lock);	/* which feature has which slot */
static u32 roce_features_serial;		/* of the last one registered */
static struct roce_feature *roce_features[ROCE_FEATURES_MAX];

#define roce_for_each_feature(f, mask)					\
	for (unsigned long bits = (mask);				\
	     bits && ((f) = roce_features[__ffs(bits)]);		\
	     bits &= bits - 1)

/* Those that are registered. Context: RTNL. */
static u8 roce_features_all(void)
{
	u8 mask = 0;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		if (READ_ONCE(roce_features[i]))
			mask |= BIT(i);
	}
	return mask;
}

/**
 * roce_feature_at - the feature in a slot
 * @slot: slot
 *
 * Context: RTNL.
 * Return: feature, or NULL.
 */
struct roce_feature *roce_feature_at(unsigned int slot)
{
	return slot < ROCE_FEATURES_MAX ? READ_ONCE(roce_features[slot]) : NULL;
}

static bool roce_feature_valid(const struct roce_feature *f)
{
	return f->name && f->wants && f->port_bytes && f->config_bytes <= ROCE_FEATURE_CONFIG_BYTES;
}

/**
 * roce_feature_register() - add a feature to all ports, where it is off
 * @f: feature, filled in but for @slot and @serial; stays the caller's
 *
 * Its options are refused until then, and have their defaults from then on,
 * which must leave it off.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL when the table is not complete or an option is outside the
 * configuration; -EEXIST when an option is taken; -ENOSPC when there are
 * %ROCE_FEATURES_MAX of them; -EBUSY when another has roce_skb_cb.own.
 */
int roce_feature_register(struct roce_feature *f)
{
	int err = -ENOSPC, i;

	if (!roce_feature_valid(f))
		return -EINVAL;

	mutex_lock(&roce_features_lock);
	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		if (roce_features[i] && roce_features[i]->own && f->own) {
			err = -EBUSY;
			break;
		}
	}
	for (i = 0; i < ROCE_FEATURES_MAX && err != -EBUSY; i++) {
		if (roce_features[i])
			continue;
		err = roce_options_check(f);
		if (err)
			break;
		f->slot = i;
		f->serial = ++roce_features_serial;
		/* A reader that finds it finds it filled in. */
		smp_store_release(&roce_features[i], f);
		roce_options_accept(f, true);
		break;
	}
	mutex_unlock(&roce_features_lock);
	return err;
}
EXPORT_SYMBOL_GPL(roce_feature_register);

/**
 * roce_feature_unregister() - take a feature away from all ports
 * @f: registered feature of which no port has state: the exit of @f->owner
 *
 * Context: process, may sleep; not under RTNL.
 */
void roce_feature_unregister(struct roce_feature *f)
{
	rtnl_lock();
	mutex_lock(&roce_features_lock);
	roce_options_accept(f, false);
	WRITE_ONCE(roce_features[f->slot], NULL);
	mutex_unlock(&roce_features_lock);
	rtnl_unlock();
}
EXPORT_SYMBOL_GPL(roce_feature_unregister);

/* What the calls of one feature want of one class of packets. */
static u16 roce_feature_wants(const struct roce_feature *f, const struct roce_config *cfg, u8 class)
{
	if (cfg->feature_serial[f->slot] != f->serial)
		return 0;
	return f->wants(cfg, roce_class_prio(class, cfg->dscp_prio), class);
}

/* The class behind another one: DSCPs, then what is not IP by its priority. */
static int roce_next_class(int class)
{
	return class == TC_ROCE_DSCPS - 1 ? ROCE_CLASS_NOT_IP : class + 1;
}

static bool roce_feature_is_on(const struct roce_feature *f, const struct roce_config *cfg)
{
	int class;

	for (class = 0; class < ROCE_CLASSES; class = roce_next_class(class)) {
		if (roce_feature_wants(f, cfg, class))
			return true;
	}
	return false;
}

/* A switch may outlive a feature that its ports had, and meet the next one. */
static int roce_feature_prepare_switch(struct roce_switch *sw, const struct roce_feature *f)
{
	void *state;

	if (!f->switch_bytes || sw->feature_serial[f->slot] == f->serial)
		return 0;
	state = kvzalloc(f->switch_bytes, GFP_KERNEL);
	if (!state)
		return -ENOMEM;
	kvfree(sw->feature[f->slot]);
	sw->feature[f->slot] = state;
	sw->feature_serial[f->slot] = f->serial;
	return 0;
}

static int roce_feature_prepare(struct roce_port *port, struct roce_switch *sw,
				const struct roce_feature *f)
{
	void *state;

	if (roce_feature_prepare_switch(sw, f))
		return -ENOMEM;
	if (port->feature[f->slot])
		return 0;
	if (!try_module_get(f->owner))
		return -ENODEV;
	state = kvzalloc(f->port_bytes, GFP_KERNEL);
	if (!state) {
		module_put(f->owner);
		return -ENOMEM;
	}
	port->feature[f->slot] = state;
	return 0;
}

/**
 * roce_features_prepare - give features their state that will be on
 * @port: port
 * @sw: switch that it will be of
 * @cfg: configuration that it will have
 *
 * Context: RTNL, may sleep.
 * Return: 0 or a negative error.
 */
int roce_features_prepare(struct roce_port *port, struct roce_switch *sw,
			  const struct roce_config *cfg)
{
	struct roce_feature *f;
	int err;

	roce_for_each_feature(f, roce_features_all()) {
		if (!f->skip && !roce_feature_is_on(f, cfg))
			continue;
		err = roce_feature_prepare(port, sw, f);
		if (err)
			return err;
	}
	return 0;
}

/* A feature does not get packets that came before it was switched on. */
static void roce_features_hide(struct roce_port *port, u8 features)
{
	struct sk_buff *skb;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		for (skb = port->prio[id].queue.head; skb; skb = skb->next)
			roce_skb_cb(skb)->features &= ~features;
	}
	if (port->sending)
		roce_skb_cb(port->sending)->features &= ~features;
}

/* Note what a feature wants of each class. */
static void roce_feature_hook(struct roce_port *port, const struct roce_feature *f)
{
	u16 all = 0, wants;
	int class, hook;

	for (class = 0; class < ROCE_CLASSES; class = roce_next_class(class)) {
		wants = roce_feature_wants(f, &port->cfg, class);
		if (wants)
			port->by_class[class] |= BIT(f->slot);
		all |= wants;
	}
	for (hook = 0; hook < ROCE_HOOKS; hook++) {
		if (all & BIT(hook))
			port->hooked[hook] |= BIT(f->slot);
	}
	if (all)
		port->features |= BIT(f->slot);
	if (all && f->receive)
		port->receivers |= BIT(f->slot);
}

/**
 * roce_features_changed - another configuration is in force
 * @port: port, prepared for it
 * @now_ns: present time
 */
void roce_features_changed(struct roce_port *port, u64 now_ns)
{
	u8 was_on = port->features;
	struct roce_feature *f;

	port->features = 0;
	port->receivers = 0;
	memset(port->by_class, 0, sizeof(port->by_class));
	memset(port->hooked, 0, sizeof(port->hooked));
	roce_for_each_feature(f, roce_features_all()) {
		if (port->feature[f->slot])
			roce_feature_hook(port, f);
	}
	if (port->features & ~was_on)
		roce_features_hide(port, port->features & ~was_on);

	roce_for_each_feature(f, roce_features_all()) {
		if (port->feature[f->slot] && f->changed)
			f->changed(port, now_ns);
	}
}

/**
 * roce_features_leave - the port is about to leave its switch
 * @port: port that has no packets
 * @now_ns: present time
 */
void roce_features_leave(struct roce_port *port, u64 now_ns)
{
	struct roce_feature *f;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++)
		port->timers_ns[i] = ROCE_NEVER;
	port->timer_ns = ROCE_NEVER;
	roce_for_each_feature(f, roce_features_all()) {
		if (port->feature[f->slot] && f->leave)
			f->leave(port, now_ns);
	}
}

/**
 * roce_features_release - free the state of all features on a port
 * @port: port that is in no switch
 *
 * Context: RTNL.
 */
void roce_features_release(struct roce_port *port)
{
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		if (!port->feature[i])
			continue;
		kvfree(port->feature[i]);
		port->feature[i] = NULL;
		module_put(roce_features[i]->owner);
	}
}
EXPORT_SYMBOL_IF_KUNIT(roce_features_release);

/**
 * roce_features_release_switch - free the state of all features on a switch
 * @sw: switch that has no ports
 *
 * Context: RTNL.
 */
void roce_features_release_switch(struct roce_switch *sw)
{
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++)
		kvfree(sw->feature[i]);
}

/**
 * roce_feature_switch() - a feature's state on a switch
 * @port: port of the switch, on which the feature is on
 * @f: feature with switch_bytes
 *
 * Return: its switch_bytes.
 */
void *roce_feature_switch(const struct roce_port *port, const struct roce_feature *f)
{
	return port->sw->feature[f->slot];
}
EXPORT_SYMBOL_GPL(roce_feature_switch);

/**
 * roce_features_no_ecn - does a feature take the place of marking?
 * @cfg: configuration
 * @prio: priority
 *
 * Context: RTNL, or the feature's state on the port keeps it.
 * Return: true if so.
 */
bool roce_features_no_ecn(const struct roce_config *cfg, u8 prio)
{
	struct roce_feature *f;

	roce_for_each_feature(f, roce_features_all()) {
		if (cfg->feature_serial[f->slot] == f->serial && f->no_ecn &&
		    f->no_ecn(cfg) & BIT(prio))
			return true;
	}
	return false;
}

/**
 * roce_feature_set_timer() - have a feature called at a time
 * @port: port on which the feature is on
 * @f: feature with a timer
 * @at_ns: when; not after now = at once, but not before the present call is
 *	over; %ROCE_NEVER = not. Replaces what was set before
 *
 * Context: lock of the switch held.
 */
void roce_feature_set_timer(struct roce_port *port, const struct roce_feature *f, u64 at_ns)
{
	u64 first_ns = ROCE_NEVER;
	int i;

	port->timers_ns[f->slot] = at_ns;
	for (i = 0; i < ROCE_FEATURES_MAX; i++)
		first_ns = min(first_ns, port->timers_ns[i]);
	if (first_ns == port->timer_ns)
		return;
	port->timer_ns = first_ns;
	roce_event_changed(port);
	roce_event_kick(port);
}
EXPORT_SYMBOL_GPL(roce_feature_set_timer);

/**
 * roce_features_timer - call the features whose time has come
 * @port: port
 * @at_ns: present time of the model
 */
void roce_features_timer(struct roce_port *port, u64 at_ns)
{
	struct roce_feature *f;

	roce_for_each_feature(f, roce_features_all()) {
		if (port->timers_ns[f->slot] > at_ns)
			continue;
		roce_feature_set_timer(port, f, ROCE_NEVER);
		if (port->features & BIT(f->slot))
			f->timer(port, at_ns);
	}
}

/**
 * roce_features_receive - a packet has come in from the wire
 * @port: port, of which roce_port.receivers is not 0
 * @skb: packet, as roce_feature.receive gets it
 * @now_ns: present time
 */
void roce_features_receive(struct roce_port *port, const struct sk_buff *skb, u64 now_ns)
{
	struct roce_feature *f;

	roce_for_each_feature(f, port->receivers)
		f->receive(port, skb, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_features_receive);

/**
 * roce_features_skip - what features have between UDP header and BTH
 * @port: port
 * @skb: packet at its Ethernet header
 * @at: where its UDP header ends
 *
 * Return: bytes; negative for a packet that ends before.
 */
int roce_features_skip(const struct roce_port *port, const struct sk_buff *skb, unsigned int at)
{
	const struct roce_feature *f;
	int sum = 0, bytes, i;

	/* Who has state on a port does not go away. */
	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = port->feature[i] ? roce_features[i] : NULL;
		if (!f || !f->skip)
			continue;
		bytes = f->skip(port, skb, at + sum);
		if (bytes < 0)
			return bytes;
		sum += bytes;
	}
	return sum;
}

/**
 * roce_features_arrive - a packet comes
 * @port: port
 * @skb: packet that a feature wants
 * @out: set with %ROCE_REDIRECTED
 * @now_ns: present time
 *
 * Return: what the first feature says that does not let it go on.
 */
enum roce_verdict roce_features_arrive(struct roce_port *port, struct sk_buff *skb,
				       struct roce_port **out, u64 now_ns)
{
	enum roce_verdict verdict;
	struct roce_feature *f;

	roce_for_each_feature(f, roce_hooked(port, skb, ROCE_HOOK_ARRIVE)) {
		verdict = f->arrive(port, skb, out, now_ns);
		if (verdict != ROCE_ACCEPTED)
			return verdict;
	}
	return ROCE_ACCEPTED;
}

/**
 * roce_features_enqueue - a packet is about to wait
 * @port: port
 * @skb: packet that a feature wants
 * @now_ns: present time
 *
 * Return: what the first feature says that does not let it.
 */
enum roce_verdict roce_features_enqueue(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	enum roce_verdict verdict;
	struct roce_feature *f;

	roce_for_each_feature(f, roce_hooked(port, skb, ROCE_HOOK_ENQUEUE)) {
		verdict = f->enqueue(port, skb, now_ns);
		if (verdict != ROCE_ACCEPTED)
			return verdict;
	}
	return ROCE_ACCEPTED;
}

/**
 * roce_features_arrived - the port is done with a packet's arrival
 * @port: port
 * @skb: packet that a feature wants
 * @now_ns: present time
 */
void roce_features_arrived(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	u8 features = roce_hooked(port, skb, ROCE_HOOK_ARRIVED);
	bool waits = port->sending != skb;
	struct roce_feature *f;

	roce_for_each_feature(f, features)
		f->arrived(port, skb, waits, now_ns);
}

/**
 * roce_features_dequeue - a packet has left its queue to be sent
 * @port: port
 * @skb: packet that a feature wants
 * @at_ns: when
 *
 * Return: what the first feature says that does not let it.
 */
enum roce_verdict roce_features_dequeue(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	enum roce_verdict verdict = ROCE_ACCEPTED, said;
	struct roce_feature *f;

	roce_for_each_feature(f, roce_hooked(port, skb, ROCE_HOOK_DEQUEUE)) {
		said = f->dequeue(port, skb, at_ns);
		if (verdict == ROCE_ACCEPTED)
			verdict = said;
	}
	return verdict;
}

/**
 * roce_features_start - the transmission of a packet starts
 * @port: port
 * @skb: packet that a feature wants
 * @at_ns: when
 */
void roce_features_start(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_feature *f;
	unsigned int bytes;

	roce_for_each_feature(f, roce_hooked(port, skb, ROCE_HOOK_START)) {
		bytes = f->start(port, skb, at_ns);
		cb->grown_bytes += bytes;
		cb->wire_bytes += bytes;
	}
}

/**
 * roce_features_depart - the last bit of a packet has left
 * @port: port
 * @skb: packet that a feature wants
 * @at_ns: when
 */
void roce_features_depart(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	struct roce_feature *f;

	roce_for_each_feature(f, roce_hooked(port, skb, ROCE_HOOK_DEPART))
		f->depart(port, skb, at_ns);
}

/**
 * roce_features_lost - a packet that had arrived will not depart
 * @port: port
 * @skb: packet
 * @waited: it was in its queue
 * @at_ns: when
 */
void roce_features_lost(struct roce_port *port, struct sk_buff *skb, bool waited, u64 at_ns)
{
	struct roce_feature *f;

	roce_for_each_feature(f, roce_hooked(port, skb, ROCE_HOOK_LOST))
		f->lost(port, skb, waited, at_ns);
}

/**
 * roce_features_pause - the peer has paused a priority, or no longer
 * @port: port
 * @prio: priority
 * @paused: it has
 * @at_ns: when
 */
void roce_features_pause(struct roce_port *port, u8 prio, bool paused, u64 at_ns)
{
	struct roce_feature *f;

	if (paused) {
		roce_for_each_feature(f, port->hooked[ROCE_HOOK_PAUSE])
			f->pause(port, prio, at_ns);
	} else {
		roce_for_each_feature(f, port->hooked[ROCE_HOOK_RESUME])
			f->resume(port, prio, at_ns);
	}
}

/**
 * roce_put_figures() - write statistics
 * @msg: message
 * @fig: table; what is 0 is left out
 * @count: its length
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_put_figures(struct sk_buff *msg, const struct roce_figure *fig, size_t count)
{
	for (; count; count--, fig++) {
		if (fig->value && nla_put_uint(msg, fig->type, fig->value))
			return -EMSGSIZE;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(roce_put_figures);

/**
 * roce_features_stats - write the statistics of all features
 * @port: port
 * @msg: message
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_features_stats(struct roce_port *port, struct sk_buff *msg)
{
	struct roce_feature *f;

	roce_for_each_feature(f, roce_features_all()) {
		if (f->stats && f->stats(port, msg))
			return -EMSGSIZE;
	}
	return 0;
}

/**
 * roce_features_prio_stats - write the statistics of all features of a priority
 * @port: port
 * @id: priority
 * @msg: message
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_features_prio_stats(struct roce_port *port, u8 id, struct sk_buff *msg)
{
	struct roce_feature *f;

	roce_for_each_feature(f, roce_features_all()) {
		if (f->prio_stats && f->prio_stats(port, id, msg))
			return -EMSGSIZE;
	}
	return 0;
}
