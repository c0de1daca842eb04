// SPDX-License-Identifier: GPL-2.0
/*
 * Recording of what algorithms are given and what they decide.
 *
 * Probes on the core's trace points append records to chunks of memory; a
 * reader of the debugfs file takes them away. The trace buffer of the kernel
 * would read a clock for every event, which in User-Mode Linux moves virtual
 * time, and overwrites or drops silently; this does neither. While the file is
 * not open no probe is attached and a data path pays nothing.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "core/cc_core.h"
#include "core/cc_trace.h"
#include "event_convert.h"
#include "record_buffer.h"

static unsigned int buffer_mb = 256;
module_param(buffer_mb, uint, 0644);
MODULE_PARM_DESC(buffer_mb, "memory for records that nobody has read yet, MB");

/* The one recording there can be. Probes run with bottom halves off. */
static struct records record = {
	.lock = __SPIN_LOCK_UNLOCKED(record.lock),
	.chunks = LIST_HEAD_INIT(record.chunks),
};

/* One reader at a time, and one open file. */
static DEFINE_MUTEX(record_mutex);
static bool record_open_already;

/* A record with its kind's part zeroed; @flow 0: of the port. Under record.lock. */
static struct rxe_cc_evt *record_new_of(const struct rxe_cc_port *port, u32 flow,
					u8 kind, u32 len, u64 now_ns)
{
	struct rxe_cc_evt *e = records_add(&record, len, (size_t)buffer_mb << 20, GFP_ATOMIC);

	if (!e)
		return NULL;
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

/* In sizeof, for the compiler to compare the types. */
#define PROBE(name)							\
	{ &__tracepoint_rxe_cc_##name, (void *)record_##name + 0 * sizeof(	\
	  (check_trace_callback_type_rxe_cc_##name(record_##name), 0)) }
static const struct {
	struct tracepoint *tp;
	void *probe;
} record_probes[] = {
	PROBE(sample), PROBE(decision), PROBE(verdict), PROBE(flow), PROBE(port_timer),
	PROBE(qp_cmd), PROBE(inst_cmd),
};

/* The first @nr of them. */
static void record_detach(unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(record_probes[nr].tp, record_probes[nr].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int record_attach(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(record_probes); i++) {
		err = tracepoint_probe_register(record_probes[i].tp, record_probes[i].probe, NULL);
		if (err) {
			record_detach(i);
			return err;
		}
	}
	return 0;
}

static int record_open(struct inode *inode, struct file *file)
{
	int err = -EBUSY;

	mutex_lock(&record_mutex);
	if (!record_open_already) {
		record.lost = false;
		err = record_attach();
		record_open_already = !err;
	}
	mutex_unlock(&record_mutex);
	return err;
}

static int record_release(struct inode *inode, struct file *file)
{
	mutex_lock(&record_mutex);
	record_detach(ARRAY_SIZE(record_probes));
	records_free(&record);
	record_open_already = false;
	mutex_unlock(&record_mutex);
	return 0;
}

/* 0 when there is nothing now; -ENOBUFS once an event was lost. */
static ssize_t record_read(struct file *file, char __user *buf, size_t count,
			   loff_t *pos)
{
	ssize_t n;

	mutex_lock(&record_mutex);
	n = records_read(&record, buf, count, NULL);
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

int rxe_cc_record_init(struct dentry *dir)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file("record", 0400, dir, NULL,
						   &record_fops));
}
