// SPDX-License-Identifier: GPL-2.0
/*
 * Membership of ports in a switch: joining, leaving, and whether the shared buffer suffices.
 *
 * A NIC port is the only port of a switch of its own that has no buffer, so
 * that there is one way of locking and one way of replaying events.
 *
 * Everything that can fail is done first (roce_switch_prepare()), under RTNL
 * alone; what follows under the locks cannot.
 *
 * A port that leaves loses its own packets, as when its cables are pulled.
 * Packets that came in through it and wait elsewhere stay: they are charged
 * to the ports that will send them from then on. To keep the port's accounts
 * instead, as an orphan of the switch, would keep its headroom out of the pool
 * for as long as a paused egress holds such a packet.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <rxe_cc/kernel.h>

#include "roce_feature.h"
#include "roce_port.h"
#include "roce_switch.h"

#define ROCE_SWITCH_SLOTS	4	/* at first */

static LIST_HEAD(roce_switches);	/* RTNL */

static enum hrtimer_restart roce_switch_timer(struct hrtimer *timer)
{
	struct roce_switch *sw = container_of(timer, struct roce_switch, timer);

	spin_lock(&sw->lock);
	roce_switch_advance(sw, ktime_get_ns());
	roce_switch_unlock(sw);
	return HRTIMER_NORESTART;
}

static struct roce_switch *roce_switch_alloc(bool shared)
{
	struct roce_switch *sw = kzalloc(sizeof(*sw), GFP_KERNEL);

	if (!sw)
		return NULL;
	sw->nr_slots = shared ? ROCE_SWITCH_SLOTS : 2;
	sw->slots = kcalloc(sw->nr_slots, sizeof(*sw->slots), GFP_KERNEL);
	if (!sw->slots || roce_calendar_init(&sw->events, sw->nr_slots)) {
		kfree(sw->slots);
		kfree(sw);
		return NULL;
	}
	spin_lock_init(&sw->lock);
	INIT_LIST_HEAD(&sw->node);
	hrtimer_setup(&sw->timer, roce_switch_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	sw->shared = shared;
	sw->next_ns = ROCE_NEVER;
	sw->resume_free = ROCE_NEVER;
	return sw;
}

/**
 * roce_switch_put - free a switch that has no ports
 * @sw: switch, or NULL
 *
 * Context: RTNL, no lock.
 */
void roce_switch_put(struct roce_switch *sw)
{
	if (!sw || sw->nr_ports)
		return;
	list_del(&sw->node);
	hrtimer_cancel(&sw->timer);
	roce_features_release_switch(sw);
	roce_calendar_free(&sw->events);
	kfree(sw->slots);
	kfree(sw);
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_put);

/* The bridge that a port belongs to, or 0. */
static int roce_switch_bridge(const struct roce_port *port)
{
	struct net_device *master;

	if (!port->dev || !netif_is_bridge_port(port->dev))
		return 0;
	master = netdev_master_upper_dev_get(port->dev);
	return master ? master->ifindex : 0;
}

static struct net *roce_switch_net(const struct roce_port *port)
{
	return port->dev ? dev_net(port->dev) : NULL;
}

/**
 * roce_switch_moved - does an automatic port belong elsewhere now?
 * @port: port
 *
 * Context: RTNL.
 * Return: true if so.
 */
bool roce_switch_moved(const struct roce_port *port)
{
	return port->sw && port->cfg.switch_id == TC_ROCE_SWITCH_AUTO &&
	       port->sw->bridge != roce_switch_bridge(port);
}

/* The switch that @cfg asks for; a new one if need be. */
static struct roce_switch *roce_switch_find(const struct roce_port *port,
					    const struct roce_config *cfg)
{
	bool shared = cfg->switch_id != TC_ROCE_SWITCH_NONE;
	struct net *net = roce_switch_net(port);
	struct roce_switch *sw;
	int bridge = 0;

	if (!shared) {
		if (port->sw && !port->sw->shared)
			return port->sw;
		return roce_switch_alloc(false);
	}

	if (cfg->switch_id == TC_ROCE_SWITCH_AUTO)
		bridge = roce_switch_bridge(port);
	list_for_each_entry(sw, &roce_switches, node) {
		if (sw->net == net && sw->id == cfg->switch_id && sw->bridge == bridge)
			return sw;
	}

	sw = roce_switch_alloc(true);
	if (sw) {
		sw->net = net;
		sw->id = cfg->switch_id;
		sw->bridge = bridge;
		list_add_tail(&sw->node, &roce_switches);
	}
	return sw;
}

/* Make room for one more port. */
static int roce_switch_grow(struct roce_switch *sw)
{
	unsigned int nr = sw->nr_slots * 2;
	struct roce_port **slots, **old;
	struct roce_calendar events;

	if (sw->nr_ports + 1 < sw->nr_slots)
		return 0;
	if (nr > U16_MAX)
		return -ENOSPC;
	slots = kcalloc(nr, sizeof(*slots), GFP_KERNEL);
	if (!slots || roce_calendar_init(&events, nr)) {
		kfree(slots);
		return -ENOMEM;
	}

	spin_lock_bh(&sw->lock);
	roce_calendar_move(&sw->events, &events);
	memcpy(slots, sw->slots, sw->nr_slots * sizeof(*slots));
	old = sw->slots;
	sw->slots = slots;
	sw->nr_slots = nr;
	spin_unlock_bh(&sw->lock);
	roce_calendar_free(&events);
	kfree(old);
	return 0;
}

/* Longest packet on the line, with one VLAN tag. */
static u32 roce_switch_mtu_bytes(u32 mtu, s32 overhead)
{
	return max_t(u32, mtu + ETH_HLEN + VLAN_HLEN, ETH_ZLEN) + overhead;
}

static u64 roce_switch_headroom(const struct roce_config *cfg, u8 id, u32 mtu)
{
	const struct roce_prio_config *prio = &cfg->prio[id];
	u32 own, peer;

	if (!prio->lossless)
		return 0;
	if (prio->mmu.headroom_bytes != TC_ROCE_HEADROOM_AUTO)
		return prio->mmu.headroom_bytes;

	own = roce_switch_mtu_bytes(mtu, cfg->overhead);
	peer = roce_switch_mtu_bytes(cfg->peer_mtu ?: mtu, cfg->overhead);
	return roce_mmu_headroom(cfg->rate_bps, cfg->delay_ns, cfg->pfc_response_ns, own, peer,
				 ROCE_PFC_FRAME_BYTES + cfg->overhead);
}

/* Who is in @sw as this device at present: @port, or the qdisc that it will
 * replace. That one leaves when @port is in its place; until then the pool may
 * be short of what both have, and gives nothing.
 */
static const struct roce_port *
roce_switch_former(const struct roce_port *port, const struct roce_switch *sw)
{
	return port->sw == sw ? port : roce_switch_ingress(sw, port->ifindex);
}

/* Do all reserves and headrooms fit into the buffer, with @port as in @cfg? */
static int roce_switch_check(const struct roce_port *port, const struct roce_switch *sw,
			     const struct roce_config *cfg, u32 mtu, const struct nlattr *blame,
			     struct netlink_ext_ack *extack)
{
	const struct roce_port *former = roce_switch_former(port, sw);
	u64 headroom = sw->mmu.headroom_bytes;
	u64 reserve = sw->mmu.reserve_bytes;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (former) {
			const struct roce_prio *prio = &former->prio[id];

			reserve -= prio->in.reserve_size + prio->out.reserve_size;
			headroom -= prio->in.headroom_size;
		}
		reserve += cfg->prio[id].mmu.reserve_bytes;
		headroom += roce_switch_headroom(cfg, id, mtu);
	}
	if (reserve + headroom <= cfg->buffer_bytes)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(extack, blame,
				"roce: buffer %llu is below reserves %llu + headrooms %llu",
				cfg->buffer_bytes, reserve, headroom);
	return -ENOSPC;
}

/**
 * roce_switch_check_mtu - would the buffer suffice with another MTU?
 * @port: port
 * @mtu: MTU of its device
 *
 * Context: RTNL.
 * Return: 0 or -ENOSPC.
 */
int roce_switch_check_mtu(const struct roce_port *port, u32 mtu)
{
	if (!port->sw || !port->sw->shared)
		return 0;
	return roce_switch_check(port, port->sw, &port->cfg, mtu, NULL, NULL);
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_check_mtu);

/**
 * roce_switch_prepare - find out whether a configuration is possible
 * @port: port
 * @cfg: configuration; unless @buffer_told its buffer is set to the switch's
 * @buffer_told: the configuration's buffer is to become the switch's
 * @blame: attribute to name when the buffer does not suffice
 * @extack: gets attribute and reason
 * @target: set to the switch to join, or to stay with. If nobody joins it, it
 *	goes to roce_switch_put().
 *
 * Context: RTNL, may sleep.
 * Return: 0 or a negative error; nothing has changed then.
 */
int roce_switch_prepare(struct roce_port *port, struct roce_config *cfg,
			bool buffer_told, const struct nlattr *blame,
			struct netlink_ext_ack *extack, struct roce_switch **target)
{
	struct roce_switch *sw = roce_switch_find(port, cfg);
	int err = 0;

	if (!sw)
		return -ENOMEM;

	if (cfg->pfc_response_ns && !port->pfc.pending) {
		port->pfc.pending = kcalloc(ROCE_PFC_PENDING, sizeof(*port->pfc.pending),
					    GFP_KERNEL);
		if (!port->pfc.pending)
			err = -ENOMEM;
	}
	if (!err)
		err = roce_features_prepare(port, sw, cfg);
	if (!err && sw != port->sw)
		err = roce_switch_grow(sw);
	if (!err && sw->shared) {
		if (!buffer_told)
			cfg->buffer_bytes = sw->nr_ports ? sw->mmu.buffer_bytes :
					    cfg->buffer_bytes ?: TC_ROCE_BUFFER_DEFAULT;
		err = roce_switch_check(port, sw, cfg, port->mtu, blame, extack);
	}
	if (err) {
		roce_switch_put(sw);
		return err;
	}
	*target = sw;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_prepare);

/* Give a port's accounts the reserves and headrooms of its configuration. */
static void roce_switch_resize(struct roce_port *port)
{
	struct roce_mmu *mmu = &port->sw->mmu;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		const struct roce_prio_config *cfg = &port->cfg.prio[id];
		u64 reserve = cfg->mmu.reserve_bytes;
		struct roce_prio *prio = &port->prio[id];

		roce_mmu_resize(mmu, &prio->in, cfg->lossless ? reserve : 0,
				roce_switch_headroom(&port->cfg, id, port->mtu));
		roce_mmu_resize(mmu, &prio->out, cfg->lossless ? 0 : reserve, 0);
	}
}

/**
 * roce_switch_update - put a prepared configuration into force
 * @port: port
 * @cfg: configuration
 * @now_ns: present time
 *
 * Context: root lock and switch lock held.
 */
void roce_switch_update(struct roce_port *port, const struct roce_config *cfg, u64 now_ns)
{
	struct roce_switch *sw = port->sw;
	unsigned int slot;

	roce_port_set_config(port, cfg, now_ns);
	if (!sw->shared)
		return;

	sw->mmu.buffer_bytes = cfg->buffer_bytes;
	for (slot = 1; slot < sw->nr_slots; slot++) {
		if (!sw->slots[slot])
			continue;
		sw->slots[slot]->cfg.buffer_bytes = cfg->buffer_bytes;
		roce_pause_set_watchdog(sw->slots[slot]);
	}
	roce_switch_resize(port);
	sw->resume_free = 0;
	roce_xoff_scan(sw, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_update);

/**
 * roce_switch_join - become a port of a switch
 * @port: port that belongs to none
 * @sw: switch, prepared
 * @cfg: configuration
 * @now_ns: present time
 *
 * Context: root lock and switch lock held.
 */
void roce_switch_join(struct roce_port *port, struct roce_switch *sw,
		      const struct roce_config *cfg, u64 now_ns)
{
	unsigned int slot = 1;

	roce_switch_advance(sw, now_ns);
	while (sw->slots[slot])
		slot++;
	sw->slots[slot] = port;
	sw->nr_ports++;
	port->slot = slot;
	port->sw = sw;
	hlist_add_head(&port->by_ifindex, &sw->by_ifindex[port->ifindex % ROCE_SWITCH_HASH]);
	roce_switch_update(port, cfg, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_join);

/* A packet that came in through @gone and waits at @port. */
static void roce_switch_rehome(struct roce_port *port, struct sk_buff *skb,
			       const struct roce_port *gone)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	u32 bytes = cb->wire_bytes - cb->grown_bytes;
	struct roce_mmu *mmu = &port->sw->mmu;

	if (cb->in_slot != gone->slot)
		return;
	if (cb->flags & ROCE_SKB_IN) {
		struct roce_port *in = port->sw->slots[cb->in_slot];

		roce_mmu_release(mmu, &in->prio[cb->in_prio].in, bytes);
		roce_mmu_force(mmu, &port->prio[cb->prio].out, bytes);
		cb->flags ^= ROCE_SKB_IN | ROCE_SKB_OUT;
	}
	cb->in_slot = 0;
}

static void roce_switch_rehome_all(struct roce_port *port, const struct roce_port *gone)
{
	struct sk_buff *skb;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		for (skb = port->prio[id].queue.head; skb; skb = skb->next)
			roce_switch_rehome(port, skb, gone);
	}
	if (port->sending)
		roce_switch_rehome(port, port->sending, gone);
}

/**
 * roce_switch_leave - no longer be a port of a switch
 * @port: port, its tap not registered
 * @now_ns: present time
 *
 * Its packets are lost and go to port->dead.
 *
 * Context: root lock and switch lock held. The caller then puts the switch.
 */
void roce_switch_leave(struct roce_port *port, u64 now_ns)
{
	struct roce_switch *sw = port->sw;
	unsigned int slot;
	int id;

	roce_switch_advance(sw, now_ns);
	roce_port_purge(port, now_ns);
	roce_features_leave(port, now_ns);
	roce_xoff_forget(port, now_ns);

	for (slot = 1; slot < sw->nr_slots; slot++) {
		if (sw->slots[slot])
			roce_switch_rehome_all(sw->slots[slot], port);
	}
	WARN_ON_ONCE(port->own_bytes);
	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		WARN_ON_ONCE(roce_account_bytes(&port->prio[id].in));
		WARN_ON_ONCE(roce_account_bytes(&port->prio[id].out));
		roce_mmu_resize(&sw->mmu, &port->prio[id].in, 0, 0);
		roce_mmu_resize(&sw->mmu, &port->prio[id].out, 0, 0);
	}

	if (roce_calendar_cancel(&sw->events, port->slot))
		roce_switch_find_next(sw);
	hlist_del_init(&port->by_ifindex);
	sw->slots[port->slot] = NULL;
	sw->nr_ports--;
	port->slot = 0;
	port->sw = NULL;

	sw->resume_free = 0;
	roce_xoff_scan(sw, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_switch_leave);
