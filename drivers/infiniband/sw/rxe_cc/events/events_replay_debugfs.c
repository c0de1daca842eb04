// SPDX-License-Identifier: GPL-2.0
/*
 * Replay: the debugfs file. A program opens it, writes a SETUP record, PARAM
 * records and then events in the order of time, and reads the answers between
 * its writes.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/cc_core.h"
#include "events_replay.h"

/* One write() takes so much at most. */
#define REPLAY_IN_MAX		(1024 * 1024)

static int replay_setup(struct replay *r, const struct rxe_cc_evt *e)
{
	const struct rxe_cc_ops *ops;
	const struct rxe_cc_preset *preset;

	if (r->ops)
		return rxe_cc_replay_refuse(r, NULL, "set up already");
	if (strnlen(e->setup.algo, sizeof(e->setup.algo)) == sizeof(e->setup.algo) ||
	    strnlen(e->setup.preset, sizeof(e->setup.preset)) == sizeof(e->setup.preset))
		return rxe_cc_replay_refuse(r, NULL, "a name is too long");
	ops = rxe_cc_algo_get(e->setup.algo);
	if (!ops)
		return rxe_cc_replay_refuse(r, e->setup.algo, "no such algorithm");
	r->ops = ops;
	r->late_ns = e->setup.late_ns;
	rxe_cc_param_defaults(ops, r->params);
	if (!e->setup.preset[0])
		return 0;
	preset = rxe_cc_preset(ops, e->setup.preset);
	if (!preset)
		return rxe_cc_replay_refuse(r, e->setup.preset, "no such preset");
	memcpy(r->params, preset->values, ops->nr_params * sizeof(*preset->values));
	return 0;
}

static int replay_param(struct replay *r, const struct rxe_cc_evt *e)
{
	const struct rxe_cc_param *p;
	int i;

	if (!r->ops || r->started)
		return rxe_cc_replay_refuse(r, NULL, "a parameter out of place");
	if (strnlen(e->param.name, sizeof(e->param.name)) == sizeof(e->param.name))
		return rxe_cc_replay_refuse(r, NULL, "a name is too long");
	i = rxe_cc_param_index(r->ops->params, r->ops->nr_params, e->param.name);
	if (i < 0)
		return rxe_cc_replay_refuse(r, e->param.name, "no such parameter");
	p = &r->ops->params[i];
	if (e->param.value < p->min || e->param.value > p->max)
		return rxe_cc_replay_refuse(r, p->name, "out of range");
	r->params[i] = e->param.value;
	return 0;
}

/* All parameters are known when the first event comes. */
static int replay_check_params(struct replay *r)
{
	unsigned int bad = 0;
	const char *why;

	if (!r->ops)
		return rxe_cc_replay_refuse(r, NULL, "no algorithm set up");
	if (r->started || !r->ops->check_params)
		return 0;
	why = r->ops->check_params(r->params, &bad);
	if (!why)
		return 0;
	return rxe_cc_replay_refuse(r, bad < r->ops->nr_params ?
			     r->ops->params[bad].name : NULL, why);
}

static int replay_record(struct replay *r, const struct rxe_cc_evt *e)
{
	int err;

	switch (e->kind) {
	case RXE_CC_EVT_SETUP:
		return replay_setup(r, e);
	case RXE_CC_EVT_PARAM:
		return replay_param(r, e);
	case RXE_CC_EVT_DECISION:
	case RXE_CC_EVT_ERROR:
		return rxe_cc_replay_refuse(r, NULL, "an answer is no event");
	}
	err = replay_check_params(r);
	return err ? err : rxe_cc_replay_event(r, e);
}

/* Takes whole records only; an ERROR answer says why it fails. */
static ssize_t replay_write(struct file *file, const char __user *buf,
			    size_t count, loff_t *pos)
{
	struct replay *r = file->private_data;
	size_t at = 0;
	int err = 0;
	void *in;

	if (count > REPLAY_IN_MAX)
		return -EMSGSIZE;
	in = vmemdup_user(buf, count);
	if (IS_ERR(in))
		return PTR_ERR(in);
	mutex_lock(&r->lock);
	if (r->broken)
		err = -EINVAL;
	while (!err && at < count) {
		const struct rxe_cc_evt *e = in + at;
		const char *bad = rxe_cc_evt_check(e, count - at);

		err = bad ? rxe_cc_replay_refuse(r, NULL, bad) : replay_record(r, e);
		at += bad ? 0 : e->len;
		cond_resched();
	}
	mutex_unlock(&r->lock);
	kvfree(in);
	return err ? err : count;
}

static size_t replay_len(const void *record)
{
	return ((const struct rxe_cc_evt *)record)->len;
}

/* Whole records only; 0 when there are no answers now, or no room for one. */
static ssize_t replay_read(struct file *file, char __user *buf, size_t count,
			   loff_t *pos)
{
	struct replay *r = file->private_data;
	ssize_t n;

	mutex_lock(&r->lock);
	n = records_read(&r->out, buf, count, replay_len);
	mutex_unlock(&r->lock);
	return n;
}

static int replay_open(struct inode *inode, struct file *file)
{
	struct replay *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	mutex_init(&r->lock);
	xa_init(&r->flows);
	xa_init(&r->ports);
	r->timers = RB_ROOT_CACHED;
	records_init(&r->out);
	file->private_data = r;
	return 0;
}

static int replay_release(struct inode *inode, struct file *file)
{
	struct replay *r = file->private_data;
	struct replay_flow *f;
	unsigned long id;

	xa_for_each(&r->flows, id, f) {
		rxe_cc_replay_leave(r, f);
		kfree(f);
	}
	xa_destroy(&r->flows);
	rxe_cc_replay_ports_free(r);
	records_free(&r->out);
	if (r->ops)
		module_put(r->ops->owner);
	kfree(r);
	return 0;
}

static const struct file_operations replay_fops = {
	.owner		= THIS_MODULE,
	.open		= replay_open,
	.release	= replay_release,
	.read		= replay_read,
	.write		= replay_write,
};

int rxe_cc_replay_init(struct dentry *dir)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file("replay", 0600, dir, NULL,
						   &replay_fops));
}
