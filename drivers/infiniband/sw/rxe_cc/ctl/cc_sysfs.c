// SPDX-License-Identifier: GPL-2.0
/*
 * sysfs mirror of a port: /sys/class/infiniband/DEV/ports/N/cc/. One file a
 * knob, "algo", and "params" with a line for each parameter of the algorithm.
 * The same checks as by netlink; only the reasons are shorter.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <rdma/ib_sysfs.h>
#include <rdma/ib_verbs.h>

#include "core/cc_port.h"
#include "cc_netlink.h"

struct rxe_cc_knob_attr {
	struct ib_port_attribute attr;
	enum rxe_cc_knob knob;
};

/* Changes of one value or of the algorithm; consumes a module reference. */
static int rxe_cc_sysfs_change(struct ib_device *ibdev,
			       const struct rxe_cc_ops *ops,
			       int (*edit)(struct rxe_cc_port *port,
					   struct rxe_cc_change *c, void *arg),
			       void *arg)
{
	struct rxe_cc_change *c = kzalloc(sizeof(*c), GFP_KERNEL);
	struct rxe_cc_port *port;
	unsigned int bad;
	int err = -ENODEV;

	if (!c) {
		if (ops)
			module_put(ops->owner);
		return -ENOMEM;
	}
	c->ops = ops;
	port = rxe_cc_port_lock(ibdev);
	if (port) {
		memcpy(c->knob, port->knob, sizeof(c->knob));
		memcpy(c->params, port->def->params, sizeof(c->params));
		if (ops && ops != port->def->ops) {
			rxe_cc_param_defaults(ops, c->params);
			c->set_params = true;
		}
		err = edit ? edit(port, c, arg) : 0;
		if (!err && rxe_cc_knob_check(c->knob, &bad))
			err = -EINVAL;
		if (!err && rxe_cc_port_refusal(ops ? ops : port->def->ops,
						c->params, c->knob))
			err = -EOPNOTSUPP;
		if (!err && rxe_cc_port_knob_refusal(port, c->knob))
			err = -EBUSY;
	}
	if (!err) {
		err = rxe_cc_port_commit(port, c);
		if (!err)
			rxe_cc_notify_port(port, RXE_CC_CMD_DEV_NTF);
	} else if (ops) {
		module_put(ops->owner);
	}
	rxe_cc_port_unlock(port);
	kfree(c);
	return err;
}

struct rxe_cc_edit {
	const char *name;
	u64 value;
	enum rxe_cc_knob knob;
};

static int rxe_cc_edit_knob(struct rxe_cc_port *port, struct rxe_cc_change *c,
			    void *arg)
{
	const struct rxe_cc_edit *e = arg;
	const struct rxe_cc_param *p = &rxe_cc_knobs[e->knob];

	if (e->value < p->min || e->value > p->max)
		return -ERANGE;
	c->knob[e->knob] = e->value;
	return 0;
}

static int rxe_cc_edit_param(struct rxe_cc_port *port, struct rxe_cc_change *c,
			     void *arg)
{
	const struct rxe_cc_ops *ops = port->def->ops;
	const struct rxe_cc_edit *e = arg;
	unsigned int bad;
	int i;

	i = rxe_cc_param_index(ops->params, ops->nr_params, e->name);
	if (i < 0)
		return i;
	if (e->value < ops->params[i].min || e->value > ops->params[i].max)
		return -ERANGE;
	c->params[i] = e->value;
	c->set_params = true;
	if (ops->check_params && ops->check_params(c->params, &bad))
		return -EINVAL;
	return 0;
}

static ssize_t knob_show(struct ib_device *ibdev, u32 port_num,
			 struct ib_port_attribute *attr, char *buf)
{
	struct rxe_cc_knob_attr *k =
		container_of(attr, struct rxe_cc_knob_attr, attr);
	struct rxe_cc_port *port;
	ssize_t n = -ENODEV;

	port = rxe_cc_port_lock(ibdev);
	if (port)
		n = sysfs_emit(buf, "%llu\n", port->knob[k->knob]);
	rxe_cc_port_unlock(port);
	return n;
}

static ssize_t knob_store(struct ib_device *ibdev, u32 port_num,
			  struct ib_port_attribute *attr, const char *buf,
			  size_t count)
{
	struct rxe_cc_knob_attr *k =
		container_of(attr, struct rxe_cc_knob_attr, attr);
	struct rxe_cc_edit e = { .knob = k->knob };
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	err = kstrtou64(buf, 0, &e.value);
	if (!err)
		err = rxe_cc_sysfs_change(ibdev, NULL, rxe_cc_edit_knob, &e);
	return err ? err : count;
}

static ssize_t algo_show(struct ib_device *ibdev, u32 port_num,
			 struct ib_port_attribute *attr, char *buf)
{
	struct rxe_cc_port *port;
	ssize_t n = -ENODEV;

	port = rxe_cc_port_lock(ibdev);
	if (port)
		n = sysfs_emit(buf, "%s\n", port->def->ops->name);
	rxe_cc_port_unlock(port);
	return n;
}

static ssize_t algo_store(struct ib_device *ibdev, u32 port_num,
			  struct ib_port_attribute *attr, const char *buf,
			  size_t count)
{
	const struct rxe_cc_ops *ops;
	char name[RXE_CC_ALGO_NAME_MAX + 1];
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (count >= sizeof(name))
		return -EINVAL;
	strscpy(name, buf, sizeof(name));
	ops = rxe_cc_algo_get(strim(name));
	if (!ops)
		return -ENOENT;
	err = rxe_cc_sysfs_change(ibdev, ops, NULL, NULL);
	return err ? err : count;
}

static ssize_t params_show(struct ib_device *ibdev, u32 port_num,
			   struct ib_port_attribute *attr, char *buf)
{
	struct rxe_cc_port *port;
	ssize_t n = -ENODEV;
	unsigned int i;

	port = rxe_cc_port_lock(ibdev);
	if (port) {
		const struct rxe_cc_inst *inst = port->def;

		n = 0;
		for (i = 0; i < inst->ops->nr_params; i++)
			n += sysfs_emit_at(buf, n, "%s %llu %s\n",
					   inst->ops->params[i].name,
					   inst->params[i],
					   inst->ops->params[i].unit);
	}
	rxe_cc_port_unlock(port);
	return n;
}

/* "name value", the value in the parameter's unit. */
static ssize_t params_store(struct ib_device *ibdev, u32 port_num,
			    struct ib_port_attribute *attr, const char *buf,
			    size_t count)
{
	struct rxe_cc_edit e = {};
	char line[64], *value;
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (count >= sizeof(line))
		return -EINVAL;
	strscpy(line, buf, sizeof(line));
	value = strim(line);
	e.name = strsep(&value, " =");
	if (!value)
		return -EINVAL;
	value += strspn(value, " =");
	err = kstrtou64(value, 0, &e.value);
	if (!err)
		err = rxe_cc_sysfs_change(ibdev, NULL, rxe_cc_edit_param, &e);
	return err ? err : count;
}

static IB_PORT_ATTR_RW(algo);
static IB_PORT_ATTR_RW(params);

#define RXE_CC_KNOB_ATTR(_name, _knob)					\
	static struct rxe_cc_knob_attr rxe_cc_attr_##_name = {		\
		.attr = __ATTR(_name, 0644, knob_show, knob_store),	\
		.knob = _knob,						\
	}

RXE_CC_KNOB_ATTR(line_rate, RXE_CC_KNOB_LINE_RATE);
RXE_CC_KNOB_ATTR(min_rate, RXE_CC_KNOB_MIN_RATE);
RXE_CC_KNOB_ATTR(burst, RXE_CC_KNOB_BURST);
RXE_CC_KNOB_ATTR(base_rtt, RXE_CC_KNOB_BASE_RTT);
RXE_CC_KNOB_ATTR(ack_every, RXE_CC_KNOB_ACK_EVERY);
RXE_CC_KNOB_ATTR(max_unacked_psns, RXE_CC_KNOB_MAX_UNACKED);
RXE_CC_KNOB_ATTR(max_skbs_out, RXE_CC_KNOB_MAX_SKBS_OUT);
RXE_CC_KNOB_ATTR(data_dscp, RXE_CC_KNOB_DATA_DSCP);
RXE_CC_KNOB_ATTR(cnp_dscp, RXE_CC_KNOB_CNP_DSCP);
RXE_CC_KNOB_ATTR(int, RXE_CC_KNOB_INT);
RXE_CC_KNOB_ATTR(int_hops, RXE_CC_KNOB_INT_HOPS);
RXE_CC_KNOB_ATTR(int_dscp, RXE_CC_KNOB_INT_DSCP);
RXE_CC_KNOB_ATTR(ack_dscp, RXE_CC_KNOB_ACK_DSCP);
RXE_CC_KNOB_ATTR(rtt_window, RXE_CC_KNOB_RTT_WINDOW);
RXE_CC_KNOB_ATTR(report_interval, RXE_CC_KNOB_REPORT_INTERVAL);
RXE_CC_KNOB_ATTR(switch_feedback, RXE_CC_KNOB_SWITCH_FEEDBACK);
RXE_CC_KNOB_ATTR(cap_expiry, RXE_CC_KNOB_CAP_EXPIRY);
RXE_CC_KNOB_ATTR(clock_common, RXE_CC_KNOB_CLOCK_COMMON);
RXE_CC_KNOB_ATTR(iofd_tokens, RXE_CC_KNOB_IOFD_TOKENS);
RXE_CC_KNOB_ATTR(iofd_short, RXE_CC_KNOB_IOFD_SHORT);
RXE_CC_KNOB_ATTR(cap_least, RXE_CC_KNOB_CAP_LEAST);

static struct attribute *rxe_cc_attrs[] = {
	&ib_port_attr_algo.attr,
	&ib_port_attr_params.attr,
	&rxe_cc_attr_line_rate.attr.attr,
	&rxe_cc_attr_min_rate.attr.attr,
	&rxe_cc_attr_burst.attr.attr,
	&rxe_cc_attr_base_rtt.attr.attr,
	&rxe_cc_attr_ack_every.attr.attr,
	&rxe_cc_attr_max_unacked_psns.attr.attr,
	&rxe_cc_attr_max_skbs_out.attr.attr,
	&rxe_cc_attr_data_dscp.attr.attr,
	&rxe_cc_attr_cnp_dscp.attr.attr,
	&rxe_cc_attr_int.attr.attr,
	&rxe_cc_attr_int_hops.attr.attr,
	&rxe_cc_attr_int_dscp.attr.attr,
	&rxe_cc_attr_ack_dscp.attr.attr,
	&rxe_cc_attr_rtt_window.attr.attr,
	&rxe_cc_attr_report_interval.attr.attr,
	&rxe_cc_attr_switch_feedback.attr.attr,
	&rxe_cc_attr_cap_expiry.attr.attr,
	&rxe_cc_attr_clock_common.attr.attr,
	&rxe_cc_attr_iofd_tokens.attr.attr,
	&rxe_cc_attr_iofd_short.attr.attr,
	&rxe_cc_attr_cap_least.attr.attr,
	NULL
};

static const struct attribute_group rxe_cc_group = {
	.name	= "cc",
	.attrs	= rxe_cc_attrs,
};

const struct attribute_group *rxe_cc_port_groups[] = {
	&rxe_cc_group,
	NULL
};
EXPORT_SYMBOL_GPL(rxe_cc_port_groups);
