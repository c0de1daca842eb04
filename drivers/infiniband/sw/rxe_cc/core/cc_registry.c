// SPDX-License-Identifier: GPL-2.0
/*
 * Registry of congestion-control algorithms.
 */
#include <kunit/visibility.h>
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/string.h>

#include "cc_port.h"

/* Registry, ports and all configuration: see cc_core.h. */
DEFINE_MUTEX(rxe_cc_mutex);
LIST_HEAD(rxe_cc_ports);
atomic_t rxe_cc_generation = ATOMIC_INIT(1);
static LIST_HEAD(rxe_cc_algos);

static void rxe_cc_none_init(struct rxe_cc_flow *flow, u64 now_ns)
{
}

/* No congestion control: the transport behaves as without this module. */
const struct rxe_cc_ops rxe_cc_none_ops = {
	.init	= rxe_cc_none_init,
	.name	= "none",
	.owner	= THIS_MODULE,
};
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_none_ops);

static bool rxe_cc_name_ok(const char *name, size_t max)
{
	size_t n = strnlen(name, max);

	return n && n < max && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == n;
}

static bool rxe_cc_unit_ok(const char *unit)
{
	static const char *const units[] = {
		"ns", "bytes", "bps", "ppm", "count", "bool", "q24"
	};

	return unit && match_string(units, ARRAY_SIZE(units), unit) >= 0;
}

static bool rxe_cc_param_ok(const struct rxe_cc_param *p)
{
	return p->name && rxe_cc_name_ok(p->name, RXE_CC_NAME_MAX) &&
	       rxe_cc_unit_ok(p->unit) && p->help && p->min <= p->def && p->def <= p->max;
}

/* Names of a table of parameters or arguments: the index of the first bad row, or -1. */
static int rxe_cc_table_bad(const struct rxe_cc_param *table, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!rxe_cc_param_ok(&table[i]) ||
		    rxe_cc_param_index(table, i, table[i].name) >= 0)
			return i;
	return -1;
}

static bool rxe_cc_cmd_ok(const struct rxe_cc_cmd *cmd)
{
	return cmd->name && rxe_cc_name_ok(cmd->name, RXE_CC_NAME_MAX) && cmd->help &&
	       !!cmd->to_qp + !!cmd->to_peer + !!cmd->to_port == 1 &&
	       cmd->nr_args <= RXE_CC_MAX_CMD_ARGS && (!cmd->nr_args || cmd->args) &&
	       !(cmd->required >> cmd->nr_args) &&
	       rxe_cc_table_bad(cmd->args, cmd->nr_args) < 0;
}

/* A table that is wrong is a programming error: say where. */
static __printf(2, 3) int rxe_cc_invalid(const struct rxe_cc_ops *ops, const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	pr_err("rxe_cc: %s: %pV\n", ops->name, &vaf);
	va_end(args);
	return -EINVAL;
}

static int rxe_cc_validate_cmds(const struct rxe_cc_ops *ops)
{
	unsigned int i, j;

	if (ops->nr_cmds > RXE_CC_MAX_CMDS || (ops->nr_cmds && !ops->cmds))
		return rxe_cc_invalid(ops, "bad number of commands");
	for (i = 0; i < ops->nr_cmds; i++) {
		bool ok = rxe_cc_cmd_ok(&ops->cmds[i]);

		for (j = 0; ok && j < i; j++)
			ok = strcmp(ops->cmds[i].name, ops->cmds[j].name);
		if (!ok)
			return rxe_cc_invalid(ops, "command %u is not valid", i);
	}
	return 0;
}

static bool rxe_cc_has_param(const struct rxe_cc_ops *ops, const char *name)
{
	return rxe_cc_param_index(ops->params, ops->nr_params, name) >= 0;
}

/* Lines are parameters, so that a picture has them where the algorithm does. */
static int rxe_cc_validate_signals(const struct rxe_cc_ops *ops)
{
	unsigned int i, k;
	bool ok;

	for (i = 0; i < ops->nr_signals; i++) {
		const struct rxe_cc_signal *s = &ops->signals[i];

		ok = s->var && s->name && s->unit && s->help && ops->dump &&
		     (!s->rtt_unit || rxe_cc_has_param(ops, s->rtt_unit));
		for (k = 0; k < RXE_CC_SIGNAL_LINES && ok && s->lines[k]; k++)
			ok = rxe_cc_has_param(ops, s->lines[k]);
		if (!ok)
			return rxe_cc_invalid(ops, "signal %u is not valid", i);
	}
	return 0;
}

/* Is there a knob of that name, and is the value in its range? */
static bool rxe_cc_knob_takes(const char *name, u64 value)
{
	int i = rxe_cc_param_index(rxe_cc_knobs, RXE_CC_NR_KNOBS, name);

	return i >= 0 && value >= rxe_cc_knobs[i].min && value <= rxe_cc_knobs[i].max;
}

static int rxe_cc_validate_preset(const struct rxe_cc_ops *ops, const struct rxe_cc_preset *ps)
{
	unsigned int i, bad;

	for (i = 0; i < ops->nr_params; i++)
		if (ps->values[i] < ops->params[i].min || ps->values[i] > ops->params[i].max)
			return rxe_cc_invalid(ops, "preset %s: %s is out of range", ps->name,
					      ops->params[i].name);
	if (ps->knob && !rxe_cc_knob_takes(ps->knob, ps->knob_value))
		return rxe_cc_invalid(ops, "preset %s: %s is out of range", ps->name, ps->knob);
	if (ops->check_params && ops->check_params(ps->values, &bad))
		return rxe_cc_invalid(ops, "preset %s is inconsistent", ps->name);
	return 0;
}

static int rxe_cc_validate(const struct rxe_cc_ops *ops)
{
	u64 def[RXE_CC_MAX_PARAMS];
	unsigned int i, bad;
	int err, row;

	if (!rxe_cc_name_ok(ops->name, sizeof(ops->name))) {
		pr_err("rxe_cc: an algorithm's name is empty, too long or not lower case\n");
		return -EINVAL;
	}
	if (!ops->init)
		return rxe_cc_invalid(ops, "init is required");
	if (ops->priv_size > RXE_CC_PRIV_BYTES || ops->rx_priv_size > RXE_CC_PRIV_BYTES)
		return rxe_cc_invalid(ops, "priv_size or rx_priv_size is above %d",
				      RXE_CC_PRIV_BYTES);
	if (ops->peer_priv_size > RXE_CC_PEER_PRIV_BYTES)
		return rxe_cc_invalid(ops, "peer_priv_size is above %d", RXE_CC_PEER_PRIV_BYTES);
	if (ops->nr_params > RXE_CC_MAX_PARAMS || (ops->nr_params && !ops->params))
		return rxe_cc_invalid(ops, "bad number of parameters");
	if (ops->nr_fb > RXE_CC_FB_MAX)
		return rxe_cc_invalid(ops, "tells too many values");
	row = rxe_cc_table_bad(ops->params, ops->nr_params);
	if (row >= 0)
		return rxe_cc_invalid(ops, "parameter %d (%s): name, unit, help or range, or the default is out of it",
				      row, ops->params[row].name ?: "no name");
	err = rxe_cc_validate_cmds(ops);
	if (!err)
		err = rxe_cc_validate_signals(ops);
	for (i = 0; !err && i < ops->nr_presets; i++)
		err = rxe_cc_validate_preset(ops, &ops->presets[i]);
	if (err || ops->nr_presets || !ops->check_params)
		return err;
	rxe_cc_param_defaults(ops, def);
	return ops->check_params(def, &bad) ?
	       rxe_cc_invalid(ops, "the defaults are inconsistent") : 0;
}

static struct rxe_cc_ops *rxe_cc_algo_lookup(const char *name)
{
	struct rxe_cc_ops *ops;

	list_for_each_entry(ops, &rxe_cc_algos, list)
		if (!strcmp(ops->name, name))
			return ops;
	return NULL;
}

/**
 * rxe_cc_register() - make an algorithm available
 * @ops: the algorithm; must stay valid until rxe_cc_unregister()
 *
 * Context: process, may sleep.
 *
 * Return: 0, -EINVAL when @ops is malformed (the log says how), -EEXIST when
 * the name is taken.
 */
int rxe_cc_register(struct rxe_cc_ops *ops)
{
	int err;

	err = rxe_cc_validate(ops);
	if (err)
		return err;
	mutex_lock(&rxe_cc_mutex);
	if (rxe_cc_algo_lookup(ops->name) ||
	    !strcmp(ops->name, rxe_cc_none_ops.name) ||
	    !strcmp(ops->name, "default")) {
		pr_err("rxe_cc: algorithm %s is registered already\n", ops->name);
		err = -EEXIST;
	} else {
		list_add_tail(&ops->list, &rxe_cc_algos);
		atomic_inc(&rxe_cc_generation);
	}
	mutex_unlock(&rxe_cc_mutex);
	return err;
}
EXPORT_SYMBOL_GPL(rxe_cc_register);

/**
 * rxe_cc_unregister() - withdraw an algorithm
 * @ops: the algorithm
 *
 * Called from the module's exit: whatever uses the algorithm pins the module,
 * so nothing does by then.
 *
 * Context: process, may sleep.
 */
void rxe_cc_unregister(struct rxe_cc_ops *ops)
{
	mutex_lock(&rxe_cc_mutex);
	list_del(&ops->list);
	atomic_inc(&rxe_cc_generation);
	mutex_unlock(&rxe_cc_mutex);
}
EXPORT_SYMBOL_GPL(rxe_cc_unregister);

/* Under rxe_cc_mutex. NULL when not registered. */
const struct rxe_cc_ops *rxe_cc_algo_find(const char *name)
{
	lockdep_assert_held(&rxe_cc_mutex);
	if (!strcmp(name, rxe_cc_none_ops.name))
		return &rxe_cc_none_ops;
	return rxe_cc_algo_lookup(name);
}

/**
 * rxe_cc_algo_get() - find an algorithm, load its module when it has one
 * @name: name
 *
 * Context: process, without rxe_cc_mutex: a module that loads takes it.
 *
 * Return: the algorithm with a reference on its module, or NULL.
 */
const struct rxe_cc_ops *rxe_cc_algo_get(const char *name)
{
	const struct rxe_cc_ops *ops;
	int tries = 0;

	if (!rxe_cc_name_ok(name, RXE_CC_ALGO_NAME_MAX))
		return NULL;
again:
	mutex_lock(&rxe_cc_mutex);
	ops = rxe_cc_algo_find(name);
	if (ops && !try_module_get(ops->owner))
		ops = NULL;
	mutex_unlock(&rxe_cc_mutex);
	if (!ops && !tries++ && !request_module("rxe_cc_%s", name))
		goto again;
	return ops;
}
EXPORT_SYMBOL_GPL(rxe_cc_algo_get);

/* Under rxe_cc_mutex: iterate, starting with NULL, "none" first. */
const struct rxe_cc_ops *rxe_cc_algo_next(const struct rxe_cc_ops *prev)
{
	if (!prev)
		return &rxe_cc_none_ops;
	if (prev == &rxe_cc_none_ops)
		return list_first_entry_or_null(&rxe_cc_algos,
						struct rxe_cc_ops, list);
	if (list_is_last(&prev->list, &rxe_cc_algos))
		return NULL;
	return list_next_entry(prev, list);
}

/* Under rxe_cc_mutex: QPs that run an algorithm. */
unsigned int rxe_cc_algo_users(const struct rxe_cc_ops *ops)
{
	struct rxe_cc_port *port;
	struct rxe_cc_inst *inst;
	unsigned int n = 0;

	list_for_each_entry(port, &rxe_cc_ports, list) {
		mutex_lock(&port->mutex);
		list_for_each_entry(inst, &port->insts, list)
			if (inst->ops == ops)
				n += inst->users - (inst == port->def);
		mutex_unlock(&port->mutex);
	}
	return n;
}

/**
 * rxe_cc_test_next_algo() - iterate over the registered algorithms, for tests
 * @prev: where to go on; NULL to start
 *
 * The caller sees to it that no module comes or goes meanwhile.
 *
 * Return: the next one, "none" left out, or NULL.
 */
const struct rxe_cc_ops *
rxe_cc_test_next_algo(const struct rxe_cc_ops *prev)
{
	const struct rxe_cc_ops *ops;

	mutex_lock(&rxe_cc_mutex);
	ops = rxe_cc_algo_next(prev ? prev : &rxe_cc_none_ops);
	mutex_unlock(&rxe_cc_mutex);
	return ops;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_test_next_algo);

/**
 * rxe_cc_param_index() - find a parameter
 * @table: table of parameters
 * @nr: entries in it
 * @name: name
 *
 * Return: index in the table, or -ENOENT.
 */
int rxe_cc_param_index(const struct rxe_cc_param *table, unsigned int nr,
		       const char *name)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!strcmp(table[i].name, name))
			return i;
	return -ENOENT;
}
EXPORT_SYMBOL_GPL(rxe_cc_param_index);

/**
 * rxe_cc_preset() - find a preset
 * @ops: algorithm
 * @name: name
 *
 * Return: the preset, or NULL.
 */
const struct rxe_cc_preset *rxe_cc_preset(const struct rxe_cc_ops *ops,
					  const char *name)
{
	unsigned int i;

	for (i = 0; i < ops->nr_presets; i++)
		if (!strcmp(ops->presets[i].name, name))
			return &ops->presets[i];
	return NULL;
}
EXPORT_SYMBOL_GPL(rxe_cc_preset);

/**
 * rxe_cc_param_defaults() - values nobody has changed
 * @ops: algorithm
 * @values: receives the first preset when there is one, else the table's
 *	defaults
 */
void rxe_cc_param_defaults(const struct rxe_cc_ops *ops, u64 *values)
{
	unsigned int i;

	for (i = 0; i < ops->nr_params; i++)
		values[i] = ops->nr_presets ? ops->presets[0].values[i] :
					      ops->params[i].def;
}
EXPORT_SYMBOL_GPL(rxe_cc_param_defaults);

/**
 * rxe_cc_cmd_find() - find a command
 * @ops: algorithm
 * @name: name
 *
 * Return: the command, or NULL.
 */
const struct rxe_cc_cmd *rxe_cc_cmd_find(const struct rxe_cc_ops *ops,
					 const char *name)
{
	unsigned int i;

	for (i = 0; i < ops->nr_cmds; i++)
		if (!strcmp(ops->cmds[i].name, name))
			return &ops->cmds[i];
	return NULL;
}
EXPORT_SYMBOL_GPL(rxe_cc_cmd_find);

/**
 * rxe_cc_cmd_defaults() - values of arguments that nobody has given
 * @cmd: command
 * @values: receives one for each of its arguments
 *
 * Context: any.
 */
void rxe_cc_cmd_defaults(const struct rxe_cc_cmd *cmd, u64 *values)
{
	unsigned int i;

	for (i = 0; i < cmd->nr_args; i++)
		values[i] = cmd->args[i].def;
}
EXPORT_SYMBOL_GPL(rxe_cc_cmd_defaults);
