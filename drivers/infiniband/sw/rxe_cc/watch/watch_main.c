// SPDX-License-Identifier: GPL-2.0
/*
 * The module roce_watch: a kernel thread samples ports and queue pairs at regular instants into
 * a buffer that the lab reads from debugfs.
 *
 * A program that takes them needs a dozen system calls for each, and a system call
 * is what is dear in User-Mode Linux; a sample cost more than the packets between
 * two samples. Here a thread of the kernel takes them into one buffer, and the
 * program reads it now and then. The thread takes no virtual time either: reading
 * the clock costs it nothing.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>

#include <rxe_cc/version.h>

#include "watch.h"

static struct dentry *watch_file;

/* Instants since the first; those that were missed, in real time, are left out. */
static u64 watch_instant(const struct watch *w)
{
	u64 now_ns = ktime_get_ns();

	return now_ns < w->cmd.t0_ns ? 0 :
	       div64_u64(now_ns - w->cmd.t0_ns, w->cmd.every_ns);
}

/* A run that takes much longer than expected is sampled less and less often. */
static void watch_sample(struct watch *w)
{
	u64 instant = watch_instant(w);

	mutex_lock(&w->lock);
	if (instant % w->step == 0) {
		watch_sample_at(w, instant * w->cmd.every_ns);
		if (w->cmd.stretch && w->taken % w->cmd.stretch == 0)
			w->step *= 2;
	}
	mutex_unlock(&w->lock);
}

static int watch_thread(void *data)
{
	struct watch *w = data;
	u64 next_ns = w->cmd.t0_ns, step;

	for (;;) {
		ktime_t at = ns_to_ktime(next_ns);

		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		if (schedule_hrtimeout_range(&at, 0, HRTIMER_MODE_ABS))
			continue;
		watch_sample(w);
		step = w->cmd.flags & ROCE_WATCH_F_SLEEP ? w->step : 1;
		next_ns = w->cmd.t0_ns + (div64_u64(watch_instant(w), step) + 1) * step *
					 w->cmd.every_ns;
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static int watch_start(struct watch *w, const struct roce_watch_cmd *cmd)
{
	struct task_struct *task;

	if (w->task || !cmd->every_ns)
		return -EINVAL;
	mutex_lock(&w->lock);
	w->cmd = *cmd;
	w->taken = 0;
	w->step = 1;
	if (cmd->flags & ROCE_WATCH_F_QPS)
		watch_sample_devs(w);
	mutex_unlock(&w->lock);
	task = kthread_run(watch_thread, w, "roce_watch");
	if (IS_ERR(task))
		return PTR_ERR(task);
	w->task = task;
	return 0;
}

static int watch_stop(struct watch *w)
{
	if (w->task)
		kthread_stop(w->task);
	w->task = NULL;
	return 0;
}

static int watch_add(struct watch *w, const struct roce_watch_cmd *cmd)
{
	struct watch_port *ports, *p;
	struct net *net;

	if (w->task)
		return -EBUSY;
	if (cmd->id > U16_MAX)
		return -ERANGE;
	net = get_net_ns_by_fd(cmd->netns_fd);
	if (IS_ERR(net))
		return PTR_ERR(net);
	/* In steps of powers of two. */
	if (!(w->nr_ports & (w->nr_ports - 1))) {
		ports = krealloc_array(w->ports, w->nr_ports ? 2 * w->nr_ports : 1,
				       sizeof(*ports), GFP_KERNEL);
		if (!ports) {
			put_net(net);
			return -ENOMEM;
		}
		w->ports = ports;
	}
	p = &w->ports[w->nr_ports];
	memset(p, 0, sizeof(*p));
	p->flags = cmd->flags;
	p->id = cmd->id;
	p->net = net;
	p->ifindex = cmd->ifindex;
	w->nr_ports++;
	return 0;
}

static int watch_cmd(struct watch *w, const struct roce_watch_cmd *cmd)
{
	int err;

	switch (cmd->kind) {
	case ROCE_WATCH_CMD_PORT:
		return watch_add(w, cmd);
	case ROCE_WATCH_CMD_START:
		return watch_start(w, cmd);
	case ROCE_WATCH_CMD_STOP:
		return watch_stop(w);
	case ROCE_WATCH_CMD_HIST_BEGIN:
	case ROCE_WATCH_CMD_HIST_END:
		mutex_lock(&w->lock);
		err = cmd->kind == ROCE_WATCH_CMD_HIST_BEGIN ? watch_hist_begin(w) :
							       watch_hist_end(w);
		mutex_unlock(&w->lock);
		return err;
	case ROCE_WATCH_CMD_LOST:
		mutex_lock(&w->lock);
		err = watch_lost(w);
		mutex_unlock(&w->lock);
		return err;
	default:
		return -EINVAL;
	}
}

static ssize_t watch_write(struct file *file, const char __user *buf, size_t count,
			   loff_t *pos)
{
	struct inode *inode = file_inode(file);
	struct roce_watch_cmd cmd;
	int err;

	if (count != sizeof(cmd))
		return -EINVAL;
	if (copy_from_user(&cmd, buf, count))
		return -EFAULT;
	inode_lock(inode);
	err = watch_cmd(file->private_data, &cmd);
	inode_unlock(inode);
	return err ?: count;
}

/* 0 when there is nothing now; -ENOBUFS once a record was lost. */
static ssize_t watch_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct watch *w = file->private_data;
	ssize_t n;

	mutex_lock(&w->lock);
	n = records_read(&w->out, buf, count, NULL);
	if (!n && w->out.lost)
		n = -ENOBUFS;
	mutex_unlock(&w->lock);
	return n;
}

static int watch_open(struct inode *inode, struct file *file)
{
	struct watch *w = kzalloc(sizeof(*w), GFP_KERNEL);

	if (!w)
		return -ENOMEM;
	mutex_init(&w->lock);
	records_init(&w->out);
	file->private_data = w;
	return stream_open(inode, file);
}

static int watch_release(struct inode *inode, struct file *file)
{
	struct watch *w = file->private_data;
	u32 i;

	watch_stop(w);
	watch_hist_end(w);
	for (i = 0; i < w->nr_ports; i++)
		put_net(w->ports[i].net);
	kfree(w->ports);
	records_free(&w->out);
	kfree(w);
	return 0;
}

static const struct file_operations watch_fops = {
	.owner		= THIS_MODULE,
	.open		= watch_open,
	.release	= watch_release,
	.write		= watch_write,
	.read		= watch_read,
};

static int __init watch_init(void)
{
	watch_file = debugfs_create_file("roce_watch", 0600, NULL, NULL, &watch_fops);
	return PTR_ERR_OR_ZERO(watch_file);
}

static void __exit watch_exit(void)
{
	debugfs_remove(watch_file);
}

module_init(watch_init);
module_exit(watch_exit);

MODULE_DESCRIPTION("Samples of RoCE ports and soft-RoCE queue pairs");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
