// SPDX-License-Identifier: GPL-2.0
/*
 * Peers: what all flows between a port and one other host have in common.
 *
 * A peer lives as long as queue pairs are connected to it, and RXE_CC_PEER_IDLE_MS
 * longer, so that state survives from one short connection to the next. A queue pair
 * that is not connected has the peer "::", so an algorithm always has one.
 *
 * State that flows share changes for all of them at once, but a call has one flow's
 * lock and must not take another's. So it asks for a call of on_group for each flow
 * (&rxe_cc_flow.kick_peer), which a work item makes right afterwards.
 *
 * Locks: peers, groups and who is in them change under port->mutex. The work item
 * walks a group under RCU; who leaves waits for it, so a queue pair that is found
 * there is alive.
 */
#include <linux/jhash.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "cc_qp.h"

/* How long a peer without queue pairs is kept, and how many of them. */
#define RXE_CC_PEER_IDLE_MS	10000
#define RXE_CC_PEER_IDLE_MAX	256

static u32 rxe_cc_peer_hash(const struct in6_addr *addr)
{
	return jhash2((const u32 *)addr, sizeof(*addr) / sizeof(u32), 0) %
	       RXE_CC_PEER_BUCKETS;
}

static void rxe_cc_peer_priv_free(struct rxe_cc_peer_priv *p)
{
	const struct rxe_cc_ops *ops = p->inst->ops;

	list_del(&p->list);
	flush_work(&p->group.work);
	local_bh_disable();
	rxe_cc_rxp_leave(p->inst->rx, &p->rx.expect, ktime_get_ns());
	local_bh_enable();
	if (ops->peer_exit)
		ops->peer_exit(p->data, p->inst->priv);
	kfree(p);
}

static void rxe_cc_peer_free(struct rxe_cc_peer *peer)
{
	struct rxe_cc_peer_priv *p, *next;

	list_for_each_entry_safe(p, next, &peer->privs, list)
		rxe_cc_peer_priv_free(p);
	hlist_del(&peer->node);
	list_del(&peer->idle);
	kfree(peer);
}

/* The oldest idle peers go: those that are too old, and those that are too many. */
static void rxe_cc_peers_expire(struct rxe_cc_port *port)
{
	unsigned long old = jiffies - msecs_to_jiffies(RXE_CC_PEER_IDLE_MS);
	struct rxe_cc_peer *peer, *next;

	list_for_each_entry_safe(peer, next, &port->idle_peers, idle) {
		if (port->nr_idle_peers <= RXE_CC_PEER_IDLE_MAX &&
		    time_after(peer->idle_since, old))
			break;
		rxe_cc_peer_free(peer);
		rxe_cc_count(port, RXE_CC_CNT_PEER_EXPIRED);
		port->nr_idle_peers--;
	}
	if (port->nr_idle_peers)
		schedule_delayed_work(&port->peer_work,
				      msecs_to_jiffies(RXE_CC_PEER_IDLE_MS));
}

static void rxe_cc_peers_expired(struct work_struct *work)
{
	struct rxe_cc_port *port = container_of(to_delayed_work(work),
						struct rxe_cc_port, peer_work);

	mutex_lock(&port->mutex);
	rxe_cc_peers_expire(port);
	mutex_unlock(&port->mutex);
}

void rxe_cc_peers_init(struct rxe_cc_port *port)
{
	INIT_LIST_HEAD(&port->idle_peers);
	INIT_DELAYED_WORK(&port->peer_work, rxe_cc_peers_expired);
}

/* The port goes, and all its queue pairs have. Under port->mutex, with peer_work ended. */
void rxe_cc_peers_exit(struct rxe_cc_port *port)
{
	struct rxe_cc_peer *peer, *next;

	list_for_each_entry_safe(peer, next, &port->idle_peers, idle)
		rxe_cc_peer_free(peer);
}

/* An algorithm goes: its state of every peer too. Under port->mutex. */
void rxe_cc_peers_leave(struct rxe_cc_inst *inst)
{
	struct rxe_cc_peer_priv *p, *next;
	struct rxe_cc_peer *peer;
	unsigned int i;

	for (i = 0; i < RXE_CC_PEER_BUCKETS; i++)
		hlist_for_each_entry(peer, &inst->port->peers[i], node)
			list_for_each_entry_safe(p, next, &peer->privs, list)
				if (p->inst == inst)
					rxe_cc_peer_priv_free(p);
}

/* The objects are small and this is process context, so it cannot fail: a change of
 * algorithm must not stop half-way.
 */
static struct rxe_cc_peer *rxe_cc_peer_get(struct rxe_cc_port *port,
					   const struct in6_addr *addr)
{
	struct hlist_head *head = &port->peers[rxe_cc_peer_hash(addr)];
	struct rxe_cc_peer *peer;
	unsigned int i;

	hlist_for_each_entry(peer, head, node) {
		if (!ipv6_addr_equal(&peer->addr, addr))
			continue;
		if (!peer->users++) {
			list_del_init(&peer->idle);
			port->nr_idle_peers--;
		}
		return peer;
	}
	peer = kzalloc(sizeof(*peer), GFP_KERNEL | __GFP_NOFAIL);
	peer->addr = *addr;
	peer->id = ++port->last_peer_id;
	peer->users = 1;
	INIT_LIST_HEAD(&peer->privs);
	INIT_LIST_HEAD(&peer->idle);
	for (i = 0; i < RXE_CC_CAP_CLASSES; i++)
		spin_lock_init(&peer->caps[i].lock);
	hlist_add_head(&peer->node, head);
	rxe_cc_count(port, RXE_CC_CNT_PEER_ADDED);
	return peer;
}

/* Under port->mutex. */
void rxe_cc_peer_put(struct rxe_cc_port *port, struct rxe_cc_peer *peer)
{
	if (!peer || --peer->users)
		return;
	peer->idle_since = jiffies;
	list_add_tail(&peer->idle, &port->idle_peers);
	port->nr_idle_peers++;
	rxe_cc_peers_expire(port);
}

static struct rxe_cc_peer_priv *rxe_cc_peer_priv(struct rxe_cc_peer *peer,
						 struct rxe_cc_inst *inst)
{
	const struct rxe_cc_ops *ops = inst->ops;
	struct rxe_cc_peer_priv *p;

	list_for_each_entry(p, &peer->privs, list)
		if (p->inst == inst)
			return p;
	p = kzalloc(sizeof(*p) + ops->peer_priv_size,
		    GFP_KERNEL | __GFP_NOFAIL);
	p->inst = inst;
	p->peer_id = peer->id;
	rxe_cc_rxp_peer_init(&p->rx, peer->id);
	rxe_cc_group_init(&p->group, RXE_CC_GROUP_PEER);
	if (ops->peer_init)
		ops->peer_init(p->data, inst->priv);
	list_add_tail(&p->list, &peer->privs);
	return p;
}

/**
 * rxe_cc_qp_leave_groups() - a queue pair leaves the groups that it is in
 * @qp: queue pair
 *
 * No work item looks at it any more when this returns. Its peer and what that has in
 * common with others stay, since calls may be under way.
 *
 * Context: process, port->mutex held.
 */
void rxe_cc_qp_leave_groups(struct rxe_cc_qp *qp)
{
	if (!qp->peer_priv)
		return;
	list_del_rcu(&qp->in_group[RXE_CC_GROUP_PORT]);
	list_del_rcu(&qp->in_group[RXE_CC_GROUP_PEER]);
	flush_work(&qp->inst->group.work);
	flush_work(&qp->peer_priv->group.work);
}

/**
 * rxe_cc_qp_find_peer() - find the peer of a queue pair, and its state
 * @qp: queue pair
 * @inst: algorithm
 * @peer: receives the peer, with one more user
 *
 * Context: process, port->mutex held.
 *
 * Return: what the algorithm knows of the peer.
 */
struct rxe_cc_peer_priv *rxe_cc_qp_find_peer(struct rxe_cc_qp *qp,
					     struct rxe_cc_inst *inst,
					     struct rxe_cc_peer **peer)
{
	*peer = rxe_cc_peer_get(qp->port, &qp->info.peer);
	return rxe_cc_peer_priv(*peer, inst);
}

/* With @peer and @peer_priv set. Under port->mutex. */
void rxe_cc_qp_join_groups(struct rxe_cc_qp *qp)
{
	list_add_tail_rcu(&qp->in_group[RXE_CC_GROUP_PORT],
			  &qp->inst->group.qps);
	list_add_tail_rcu(&qp->in_group[RXE_CC_GROUP_PEER],
			  &qp->peer_priv->group.qps);
}

/**
 * rxe_cc_peer_find() - what an algorithm knows of a host
 * @inst: algorithm
 * @addr: address of the host
 *
 * Context: process, port->mutex held.
 *
 * Return: that, or NULL: no queue pair of the algorithm is connected to it, or was
 *	not long ago.
 */
struct rxe_cc_peer_priv *rxe_cc_peer_find(struct rxe_cc_inst *inst,
					  const struct in6_addr *addr)
{
	struct rxe_cc_peer_priv *p;
	struct rxe_cc_peer *peer;

	lockdep_assert_held(&inst->port->mutex);
	if (ipv6_addr_any(addr))
		return NULL;
	hlist_for_each_entry(peer, &inst->port->peers[rxe_cc_peer_hash(addr)], node) {
		if (!ipv6_addr_equal(&peer->addr, addr))
			continue;
		list_for_each_entry(p, &peer->privs, list)
			if (p->inst == inst)
				return p;
	}
	return NULL;
}
