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

static int rxe_cc_edit(const struct rxe_cc_param *table, unsigned int nr, u64 *values,
		       const char *name, u64 value)
{
	int i = rxe_cc_param_index(table, nr, name);

	if (i < 0)
		return i;
	if (value < table[i].min || value > table[i].max)
		return -ERANGE;
	values[i] = value;
	return 0;
}

/* Another algorithm, whose module reference is consumed; else a parameter or a knob. */
static int rxe_cc_sysfs_change(struct ib_device *ibdev, const struct rxe_cc_ops *ops,
			       const char *param, const char *knob, u64 value)
{
	struct rxe_cc_change *c = kzalloc(sizeof(*c), GFP_KERNEL);
	const char *what, *why;
	struct rxe_cc_port *port;
	int err = 0;

	if (!c) {
		if (ops)
			module_put(ops->owner);
		return -ENOMEM;
	}
	c->ops = ops;
	port = rxe_cc_port_lock(ibdev);
	if (!port)
		return rxe_cc_change_end(NULL, c, -ENODEV);
	rxe_cc_change_begin(port, c);
	if (param) {
		err = rxe_cc_edit(port->def->ops->params, port->def->ops->nr_params,
				  c->params, param, value);
		c->set_params = true;
	} else if (knob) {
		err = rxe_cc_edit(rxe_cc_knobs, RXE_CC_NR_KNOBS, c->knob, knob, value);
	}
	if (!err)
		err = rxe_cc_change_check(port, c, &what, &why);
	return rxe_cc_change_end(port, c, err);
}

static ssize_t knob_show(struct ib_device *ibdev, u32 port_num,
			 struct ib_port_attribute *attr, char *buf)
{
	struct rxe_cc_port *port = rxe_cc_port_lock(ibdev);
	ssize_t n = -ENODEV;

	if (port)
		n = sysfs_emit(buf, "%llu\n",
			       port->knob[rxe_cc_param_index(rxe_cc_knobs, RXE_CC_NR_KNOBS,
							     attr->attr.name)]);
	rxe_cc_port_unlock(port);
	return n;
}

static ssize_t knob_store(struct ib_device *ibdev, u32 port_num,
			  struct ib_port_attribute *attr, const char *buf,
			  size_t count)
{
	u64 value;
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	err = kstrtou64(buf, 0, &value);
	if (!err)
		err = rxe_cc_sysfs_change(ibdev, NULL, NULL, attr->attr.name, value);
	return err ? err : count;
}

static ssize_t algo_show(struct ib_device *ibdev, u32 port_num,
			 struct ib_port_attribute *attr, char *buf)
{
	struct rxe_cc_port *port = rxe_cc_port_lock(ibdev);
	ssize_t n = -ENODEV;

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
	err = rxe_cc_sysfs_change(ibdev, ops, NULL, NULL, 0);
	return err ? err : count;
}

static ssize_t params_show(struct ib_device *ibdev, u32 port_num,
			   struct ib_port_attribute *attr, char *buf)
{
	struct rxe_cc_port *port = rxe_cc_port_lock(ibdev);
	const struct rxe_cc_param *p;
	ssize_t n = -ENODEV;
	unsigned int i;

	if (port) {
		n = 0;
		p = port->def->ops->params;
		for (i = 0; i < port->def->ops->nr_params; i++)
			n += sysfs_emit_at(buf, n, "%s %llu %s\n", p[i].name,
					   port->def->params[i], p[i].unit);
	}
	rxe_cc_port_unlock(port);
	return n;
}

/* "name value", the value in the parameter's unit. */
static ssize_t params_store(struct ib_device *ibdev, u32 port_num,
			    struct ib_port_attribute *attr, const char *buf,
			    size_t count)
{
	char line[64], *rest, *name;
	u64 value;
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (count >= sizeof(line))
		return -EINVAL;
	strscpy(line, buf, sizeof(line));
	rest = strim(line);
	name = strsep(&rest, " =");
	if (!rest)
		return -EINVAL;
	err = kstrtou64(rest + strspn(rest, " ="), 0, &value);
	if (!err)
		err = rxe_cc_sysfs_change(ibdev, NULL, name, NULL, value);
	return err ? err : count;
}

static IB_PORT_ATTR_RW(algo);
static IB_PORT_ATTR_RW(params);

#define KNOB(id, name, ...)						\
	[RXE_CC_KNOB_##id] = __ATTR(name, 0644, knob_show, knob_store),
static struct ib_port_attribute rxe_cc_knob_attrs[] = {
#include "core/cc_port_knob_rows.h"
};

#undef KNOB

#define KNOB(id, ...)							\
	[RXE_CC_KNOB_##id] = &rxe_cc_knob_attrs[RXE_CC_KNOB_##id].attr,
static struct attribute *rxe_cc_attrs[RXE_CC_NR_KNOBS + 3] = {
#include "core/cc_port_knob_rows.h"
	[RXE_CC_NR_KNOBS] = &ib_port_attr_algo.attr,
	&ib_port_attr_params.attr,
};

#undef KNOB

static const struct attribute_group rxe_cc_group = {
	.name	= "cc",
	.attrs	= rxe_cc_attrs,
};

const struct attribute_group *rxe_cc_port_groups[] = {
	&rxe_cc_group,
	NULL
};
EXPORT_SYMBOL_GPL(rxe_cc_port_groups);
