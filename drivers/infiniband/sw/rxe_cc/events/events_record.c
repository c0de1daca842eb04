// SPDX-License-Identifier: GPL-2.0
/*
 * Recording of what algorithms are told and what they decide.
 *
 * Probes on the core's trace points append records to chunks of memory; a
 * reader of the debugfs file takes them away. The trace buffer of the kernel
 * would read a clock for every event, which in User-Mode Linux moves virtual
 * time, and overwrites or drops silently; this does neither. While the file is
 * not open no probe is attached and a data path pays nothing.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "core/cc_core.h"
#include "core/cc_trace.h"
#include "events.h"

#define CHUNK_BYTES	(64 * 1024 - sizeof(struct record_chunk))

static unsigned int buffer_mb = 256;
module_param(buffer_mb, uint, 0644);
MODULE_PARM_DESC(buffer_mb, "memory for records that nobody has read yet, MB");

/**
 * struct record_chunk - some records
 * @list: in &record.chunks, oldest first
 * @used: bytes written
 * @taken: bytes read
 * @data: whole records
 */
struct record_chunk {
	struct list_head list;
	size_t used;
	size_t taken;
	u8 data[] __aligned(8);
};

/**
 * struct record - the one recording there can be
 * @lock: guards the rest; probes run with bottom halves off
 * @chunks: what has not been read
 * @bytes: memory in @chunks
 * @lost: events that found no room
 */
static struct record {
	spinlock_t lock; /* see above */
	struct list_head chunks;
	size_t bytes;
	u64 lost;
} record = {
	.lock = __SPIN_LOCK_UNLOCKED(record.lock),
	.chunks = LIST_HEAD_INIT(record.chunks),
};

/* One reader at a time, and one open file. */
static DEFINE_MUTEX(record_mutex);
static bool record_open_already;

/* Room for a record. Under record.lock; NULL when it is lost. */
static struct rxe_cc_evt *record_room(u32 len)
{
	struct record_chunk *c;

	c = list_empty(&record.chunks) ? NULL :
	    list_last_entry(&record.chunks, struct record_chunk, list);
	if (!c || c->used + len > CHUNK_BYTES) {
		c = NULL;
		if (record.bytes < (size_t)buffer_mb << 20)
			c = kmalloc(sizeof(*c) + CHUNK_BYTES,
				    GFP_ATOMIC | __GFP_NOWARN);
		if (!c) {
			record.lost++;
			return NULL;
		}
		c->used = 0;
		c->taken = 0;
		record.bytes += sizeof(*c) + CHUNK_BYTES;
		list_add_tail(&c->list, &record.chunks);
	}
	c->used += len;
	return (void *)c->data + c->used - len;
}

/* A record with its kind's part zeroed; @flow 0: of the port. Under record.lock. */
static struct rxe_cc_evt *record_new_of(const struct rxe_cc_port *port, u32 flow,
					u8 kind, u32 len, u64 now_ns)
{
	struct rxe_cc_evt *e = record_room(len);

	if (!e)
		return NULL;
	memset(e, 0, len);
	e->len = len;
	e->kind = kind;
	e->flow = flow;
	e->port = port->ibdev->index;
	e->t_ns = now_ns;
	e->next_timer_ns = RXE_CC_NO_TIMER;
	return e;
}

static struct rxe_cc_evt *record_new(const struct rxe_cc_qp *qp, u8 kind,
				     u32 len, u64 now_ns)
{
	return record_new_of(qp->port, qp->info.qpn, kind, len, now_ns);
}

static bool record_wants(const struct rxe_cc_qp *qp)
{
	return strcmp(qp->inst->ops->name, "none");
}

static void record_sample(void *data, const struct rxe_cc_qp *qp, u8 event,
			  const struct rxe_cc_sample *s)
{
	u8 kind = rxe_cc_evt_kind(event);
	u32 len = rxe_cc_evt_len(kind) +
		  min_t(u32, s->nr_hops, RXE_CC_EVT_HOPS_MAX) *
		  sizeof(struct rxe_cc_evt_hop);
	struct rxe_cc_evt *e;
	unsigned long flags;

	spin_lock_irqsave(&record.lock, flags);
	e = record_new(qp, kind, len, s->now_ns);
	if (e) {
		rxe_cc_evt_of_sample(e, kind, s);
		rxe_cc_evt_of_rx(e, &qp->flow.rx);
	}
	spin_unlock_irqrestore(&record.lock, flags);
}

static void record_decided(const struct rxe_cc_qp *qp, u8 cause, u32 verdict,
			   u64 now_ns)
{
	struct rxe_cc_evt *e;
	unsigned long flags;

	spin_lock_irqsave(&record.lock, flags);
	e = record_new(qp, RXE_CC_EVT_DECISION,
		       rxe_cc_evt_len(RXE_CC_EVT_DECISION), now_ns);
	if (e)
		rxe_cc_evt_of_decision(e, &qp->flow, rxe_cc_evt_kind(cause), verdict);
	spin_unlock_irqrestore(&record.lock, flags);
}

static void record_decision(void *data, const struct rxe_cc_qp *qp, u8 event,
			    u64 now_ns)
{
	if (record_wants(qp))
		record_decided(qp, event, 0, now_ns);
}

static void record_verdict(void *data, const struct rxe_cc_qp *qp, u8 event,
			   u64 now_ns, u32 verdict)
{
	record_decided(qp, event, verdict, now_ns);
}

static void record_flow(void *data, const struct rxe_cc_qp *qp, u8 event,
			u64 now_ns)
{
	u8 kind = rxe_cc_evt_kind(event);
	struct rxe_cc_env env;
	struct rxe_cc_evt *e;
	unsigned long flags;

	if (!record_wants(qp))
		return;
	rxe_cc_qp_env(qp, &env);
	spin_lock_irqsave(&record.lock, flags);
	e = record_new(qp, kind, rxe_cc_evt_len(kind), now_ns);
	if (e && event != RXE_CC_EV_END) {
		e->env.line_rate_bps = env.line_rate_bps;
		e->env.min_rate_bps = env.min_rate_bps;
		e->env.base_rtt_ns = env.base_rtt_ns;
		e->env.rtt_window_ns = env.rtt_window_ns;
		e->flags = (env.clock_common ? RXE_CC_EVT_F_CLOCK : 0) |
			   (env.peer_obeys ? RXE_CC_EVT_F_OBEYS : 0);
		e->env.pkt_bytes = env.pkt_bytes;
		e->env.peer = qp->peer->id;
		strscpy(e->env.dev, qp->port->ibdev->name, sizeof(e->env.dev));
	}
	spin_unlock_irqrestore(&record.lock, flags);
}

/* As an event of one of the flows that share the state. */
static void record_port_timer(void *data, struct rxe_cc_inst *inst, u64 now_ns,
			      bool kick)
{
	const struct rxe_cc_qp *qp;
	unsigned long flags;

	rcu_read_lock();
	qp = list_first_or_null_rcu(&inst->group.qps, struct rxe_cc_qp,
				    in_group[RXE_CC_GROUP_PORT]);
	if (qp) {
		spin_lock_irqsave(&record.lock, flags);
		record_new(qp, RXE_CC_EVT_PORT, rxe_cc_evt_len(RXE_CC_EVT_PORT),
			   now_ns);
		spin_unlock_irqrestore(&record.lock, flags);
	}
	rcu_read_unlock();
}

static void record_qp_cmd(void *data, const struct rxe_cc_qp *qp,
			  const struct rxe_cc_cmd *cmd,
			  const struct rxe_cc_cmd_call *c,
			  const struct rxe_cc_sample *s, int err)
{
	struct rxe_cc_evt *e;
	unsigned long flags;

	spin_lock_irqsave(&record.lock, flags);
	e = record_new(qp, RXE_CC_EVT_CMD, rxe_cc_evt_len(RXE_CC_EVT_CMD),
		       s->now_ns);
	if (e) {
		rxe_cc_evt_of_cmd(e, cmd, c, err);
		e->cmd.next_seq = s->next_seq;
		e->cmd.inflight_bytes = s->inflight_bytes;
	}
	spin_unlock_irqrestore(&record.lock, flags);
}

/* Of no flow: there need not be one yet. */
static void record_inst_cmd(void *data, struct rxe_cc_inst *inst, u32 peer,
			    const struct rxe_cc_cmd *cmd,
			    const struct rxe_cc_cmd_call *c,
			    const struct rxe_cc_port_call *p, int err)
{
	struct rxe_cc_evt *e;
	unsigned long flags;

	spin_lock_irqsave(&record.lock, flags);
	e = record_new_of(inst->port, 0, RXE_CC_EVT_CMD,
			  rxe_cc_evt_len(RXE_CC_EVT_CMD), p->now_ns);
	if (e) {
		rxe_cc_evt_of_cmd(e, cmd, c, err);
		e->cmd.line_rate_bps = p->line_rate_bps;
		e->cmd.peer = peer;
		strscpy(e->cmd.dev, inst->port->ibdev->name, sizeof(e->cmd.dev));
	}
	spin_unlock_irqrestore(&record.lock, flags);
}

static void record_detach(void)
{
	unregister_trace_rxe_cc_inst_cmd(record_inst_cmd, NULL);
	unregister_trace_rxe_cc_qp_cmd(record_qp_cmd, NULL);
	unregister_trace_rxe_cc_port_timer(record_port_timer, NULL);
	unregister_trace_rxe_cc_sample(record_sample, NULL);
	unregister_trace_rxe_cc_decision(record_decision, NULL);
	unregister_trace_rxe_cc_verdict(record_verdict, NULL);
	unregister_trace_rxe_cc_flow(record_flow, NULL);
	tracepoint_synchronize_unregister();
}

static int record_attach(void)
{
	int err;

	err = register_trace_rxe_cc_sample(record_sample, NULL);
	if (err)
		return err;
	err = register_trace_rxe_cc_decision(record_decision, NULL);
	if (err)
		goto no_decision;
	err = register_trace_rxe_cc_verdict(record_verdict, NULL);
	if (err)
		goto no_verdict;
	err = register_trace_rxe_cc_flow(record_flow, NULL);
	if (err)
		goto no_flow;
	err = register_trace_rxe_cc_port_timer(record_port_timer, NULL);
	if (err)
		goto no_port_timer;
	err = register_trace_rxe_cc_qp_cmd(record_qp_cmd, NULL);
	if (err)
		goto no_qp_cmd;
	err = register_trace_rxe_cc_inst_cmd(record_inst_cmd, NULL);
	if (!err)
		return 0;

	unregister_trace_rxe_cc_qp_cmd(record_qp_cmd, NULL);
no_qp_cmd:
	unregister_trace_rxe_cc_port_timer(record_port_timer, NULL);
no_port_timer:
	unregister_trace_rxe_cc_flow(record_flow, NULL);
no_flow:
	unregister_trace_rxe_cc_verdict(record_verdict, NULL);
no_verdict:
	unregister_trace_rxe_cc_decision(record_decision, NULL);
no_decision:
	unregister_trace_rxe_cc_sample(record_sample, NULL);
	tracepoint_synchronize_unregister();
	return err;
}

static int record_open(struct inode *inode, struct file *file)
{
	int err = -EBUSY;

	mutex_lock(&record_mutex);
	if (!record_open_already) {
		record.lost = 0;
		err = record_attach();
		record_open_already = !err;
	}
	mutex_unlock(&record_mutex);
	return err;
}

static int record_release(struct inode *inode, struct file *file)
{
	struct record_chunk *c, *next;

	mutex_lock(&record_mutex);
	record_detach();
	list_for_each_entry_safe(c, next, &record.chunks, list)
		kfree(c);
	INIT_LIST_HEAD(&record.chunks);
	record.bytes = 0;
	record_open_already = false;
	mutex_unlock(&record_mutex);
	return 0;
}

/* The oldest chunk, taken off the list: no probe writes to it any more. */
static struct record_chunk *record_pop_chunk(void)
{
	struct record_chunk *c;

	spin_lock_irq(&record.lock);
	c = list_first_entry_or_null(&record.chunks, struct record_chunk, list);
	if (c)
		list_del(&c->list);
	spin_unlock_irq(&record.lock);
	return c;
}

static void record_put_back(struct record_chunk *c)
{
	bool empty = c->taken == c->used;

	spin_lock_irq(&record.lock);
	if (empty)
		record.bytes -= sizeof(*c) + CHUNK_BYTES;
	else
		list_add(&c->list, &record.chunks);
	spin_unlock_irq(&record.lock);
	if (empty)
		kfree(c);
}

/* 0 when there is nothing now; -ENOBUFS once an event was lost. */
static ssize_t record_read(struct file *file, char __user *buf, size_t count,
			   loff_t *pos)
{
	struct record_chunk *c;
	ssize_t n = 0;

	mutex_lock(&record_mutex);
	while (n < count) {
		size_t len;

		c = record_pop_chunk();
		if (!c)
			break;
		len = min(count - n, c->used - c->taken);
		if (copy_to_user(buf + n, c->data + c->taken, len)) {
			record_put_back(c);
			n = -EFAULT;
			break;
		}
		c->taken += len;
		n += len;
		record_put_back(c);
	}
	if (!n && READ_ONCE(record.lost))
		n = -ENOBUFS;
	mutex_unlock(&record_mutex);
	return n;
}

static const struct file_operations record_fops = {
	.owner		= THIS_MODULE,
	.open		= record_open,
	.release	= record_release,
	.read		= record_read,
};

/**
 * rxe_cc_record_init() - make the debugfs file
 * @dir: directory
 *
 * Return: 0 or an error.
 */
int rxe_cc_record_init(struct dentry *dir)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file("record", 0400, dir, NULL,
						   &record_fops));
}
