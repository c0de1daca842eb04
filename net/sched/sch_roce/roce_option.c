// SPDX-License-Identifier: GPL-2.0
/*
 * Options of a port and of its features: whatever is done with all of them alike comes from
 * their rows (roce_row_macros.h). What the values mean together: roce_config.c.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_feature.h"

#define ROCE_ROWS	"linux/pkt_sched_roce.h"
#define ROCE_CONFIG	struct roce_config
#include "roce_option_table.h"

/* What is no number; the rest comes and goes with the rows, roce_options_accept(). */
struct nla_policy roce_policy[TCA_ROCE_MAX + 1] = {
	[TCA_ROCE_PAD]		= { .type = NLA_BINARY },
	[TCA_ROCE_DSCP_MAP]	= NLA_POLICY_EXACT_LEN(TC_ROCE_DSCPS),
	[TCA_ROCE_PRIO]		= { .type = NLA_NESTED },
};

struct nla_policy roce_prio_policy[TCA_ROCE_PRIO_MAX + 1] = {
	[TCA_ROCE_PRIO_PAD]	= { .type = NLA_BINARY },
	[TCA_ROCE_PRIO_ID]	= { .type = NLA_U8 },
};

static const u8 roce_policy_types[] = {
	[1] = NLA_U8, [2] = NLA_U16, [4] = NLA_U32, [8] = NLA_U64,
};

static bool roce_option_fits(const struct roce_feature *f, const struct roce_option *o, bool prio)
{
	size_t end = o->offset + o->bytes;

	if (prio)
		end += (TC_ROCE_PRIOS - 1) * f->prio_stride;
	return o->type && o->type <= (prio ? TCA_ROCE_PRIO_MAX : TCA_ROCE_MAX) &&
	       o->bytes < ARRAY_SIZE(roce_policy_types) &&
	       roce_policy_types[o->bytes] && end <= f->config_bytes;
}

static int roce_options_check_rows(const struct roce_feature *f, bool prio)
{
	const struct roce_option *o = prio ? f->prio_options : f->options;
	const struct nla_policy *policy = prio ? roce_prio_policy : roce_policy;

	for (; o && o->name; o++) {
		if (!roce_option_fits(f, o, prio))
			return -EINVAL;
		if (policy[o->type].type != NLA_UNSPEC)
			return -EEXIST;
	}
	return 0;
}

/**
 * roce_options_check - can a feature's options be added?
 * @f: feature
 *
 * Context: the lock of the features.
 * Return: 0; -EINVAL when one is outside the configuration, or has a length
 * that no number has; -EEXIST when one belongs to somebody else.
 */
int roce_options_check(const struct roce_feature *f)
{
	return roce_options_check_rows(f, false) ?: roce_options_check_rows(f, true);
}

static void roce_policy_set(struct nla_policy *policy, const struct roce_option *o, bool accept)
{
	for (; o && o->name; o++)
		policy[o->type].type = accept ? roce_policy_types[o->bytes] : NLA_UNSPEC;
}

/**
 * roce_options_accept - have a feature's options accepted or refused
 * @f: feature, in its slot: whoever has an option accepted finds its feature
 * @accept: accepted
 *
 * Context: the lock of the features.
 */
void roce_options_accept(const struct roce_feature *f, bool accept)
{
	roce_policy_set(roce_policy, f->options, accept);
	roce_policy_set(roce_prio_policy, f->prio_options, accept);
}

/**
 * roce_options_setup - have the port's own options accepted
 *
 * Context: the module's init, before there are features and ports.
 */
void roce_options_setup(void)
{
	roce_policy_set(roce_policy, roce_options, true);
	roce_policy_set(roce_prio_policy, roce_prio_options, true);
}

/* Options of the port itself (@slot -1) or of the feature in a slot, those of the port or of
 * priority @id; @base: what their offsets are from.
 */
static const struct roce_option *roce_options_of(const struct roce_config *cfg, int slot, int id,
						 void **base)
{
	const struct roce_feature *f = slot < 0 ? NULL : roce_feature_at(slot);
	size_t stride = f ? f->prio_stride : sizeof(struct roce_prio_config);

	if (slot >= 0 && (!f || cfg->feature_serial[slot] != f->serial))
		return NULL;
	*base = f ? roce_feature_config(cfg, f) : (void *)cfg;
	if (id == ROCE_OF_PORT)
		return f ? f->options : roce_options;
	*base += id * stride;
	return f ? f->prio_options : roce_prio_options;
}

/* A walk over every option of the port, or of a priority; @slot begins before the port's own. */
struct roce_option_walk {
	const struct roce_config *cfg;
	int id;
	int slot;
	void *base;
	const struct roce_option *option;
};

#define ROCE_WALK(config, prio)	{ .cfg = (config), .id = (prio), .slot = -2 }

/* Return: the next option, or NULL; @field: where its value is. */
static const struct roce_option *roce_option_next(struct roce_option_walk *w, void **field)
{
	if (w->option)
		w->option++;
	while (!w->option || !w->option->name) {
		if (++w->slot == ROCE_FEATURES_MAX)
			return NULL;
		w->option = roce_options_of(w->cfg, w->slot, w->id, &w->base);
	}
	*field = w->base + w->option->offset;
	return w->option;
}

static void roce_option_set(void *field, const struct roce_option *o, u64 value)
{
	switch (o->bytes) {
	case sizeof(u8):
		*(u8 *)field = value;
		break;
	case sizeof(u16):
		*(u16 *)field = value;
		break;
	case sizeof(u32):
		*(u32 *)field = value;
		break;
	default:
		*(u64 *)field = value;
		break;
	}
}

static u64 roce_option_get(const void *field, const struct roce_option *o)
{
	switch (o->bytes) {
	case sizeof(u8):
		return *(const u8 *)field;
	case sizeof(u16):
		return *(const u16 *)field;
	case sizeof(u32):
		return *(const u32 *)field;
	default:
		return *(const u64 *)field;
	}
}

static bool roce_option_takes(const struct roce_option *o, u64 value)
{
	const struct roce_word *w;

	for (w = o->words; w && w->name; w++) {
		if (value == w->value)
			return true;
	}
	switch (o->form) {
	case ROCE_NAMED:
		return false;
	case ROCE_ONOFF:
		return value <= 1;
	case ROCE_SIGNED:
		return (s32)value >= o->min && (s32)value <= (s64)o->max;
	default:
		return value >= o->min && (!o->max || value <= o->max);
	}
}

static void roce_options_reset(struct roce_config *cfg, int slot)
{
	const struct roce_option *o;
	void *base;
	int id;

	for (id = ROCE_OF_PORT; id < TC_ROCE_PRIOS; id++) {
		for (o = roce_options_of(cfg, slot, id, &base); o && o->name; o++)
			roce_option_set(base + o->offset, o, o->value);
	}
}

/**
 * roce_options_sync - the defaults of features that are new to a configuration
 * @cfg: configuration
 *
 * A feature may have come since the port was made. It is off by default: as long
 * as it is, nobody but the holder of RTNL looks at its part.
 */
void roce_options_sync(struct roce_config *cfg)
{
	const struct roce_feature *f;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		if (!f || cfg->feature_serial[i] == f->serial)
			continue;
		memset(cfg->feature[i], 0, sizeof(cfg->feature[i]));
		cfg->feature_serial[i] = f->serial;
		roce_options_reset(cfg, i);
	}
}

/**
 * roce_options_default - what a new port has
 * @cfg: zeros
 */
void roce_options_default(struct roce_config *cfg)
{
	roce_options_reset(cfg, -1);
	roce_options_sync(cfg);
}

/**
 * roce_options_parse - apply what a request has of the port, or of a priority
 * @cfg: configuration, synchronised
 * @id: priority, or %ROCE_OF_PORT
 * @tb: attributes by type, lengths are right
 * @extack: gets the attribute and the reason
 *
 * Return: 0 or -ERANGE.
 */
int roce_options_parse(struct roce_config *cfg, int id, struct nlattr **tb,
		       struct netlink_ext_ack *extack)
{
	struct roce_option_walk walk = ROCE_WALK(cfg, id);
	const struct roce_option *o;
	void *field;

	while ((o = roce_option_next(&walk, &field))) {
		u64 value = 0;

		if (!tb[o->type])
			continue;
		nla_memcpy(&value, tb[o->type], o->bytes);
		value = roce_option_get(&value, o);
		if (!roce_option_takes(o, value)) {
			NL_SET_ERR_MSG_ATTR_FMT(extack, tb[o->type], "roce: %s", o->why);
			return -ERANGE;
		}
		roce_option_set(field, o, value);
	}
	return 0;
}

/**
 * roce_clash() - refuse options of a priority that do not go together
 * @check: the configuration, and whom to blame
 * @clash: they do not
 * @type: the attribute to blame if it is in this request
 * @other: the one to blame else
 * @why: what is wrong, up to 62 characters
 *
 * Return: 0, or -EINVAL when @clash.
 */
int roce_clash(const struct roce_check *check, bool clash, u16 type, u16 other, const char *why)
{
	const struct nlattr *attr;

	if (!clash)
		return 0;
	attr = check->tb[type] ?: check->tb[other] ?: check->port;
	NL_SET_ERR_MSG_ATTR_FMT(check->extack, attr, "roce: prio %u: %s", check->id, why);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(roce_clash);

/**
 * roce_options_check_nic - refuse what only a switch has
 * @check: the configuration of a port without a switch, and whom to blame
 *
 * Whoever sets a share of a buffer that is not there expects something that does not happen.
 *
 * Return: 0 or -EINVAL.
 */
int roce_options_check_nic(const struct roce_check *check)
{
	struct roce_option_walk walk = ROCE_WALK(check->cfg, check->id);
	const struct roce_option *o;
	char why[64];
	void *field;
	int err;

	while ((o = roce_option_next(&walk, &field))) {
		if (!(o->flags & (ROCE_OF_BUFFER | ROCE_OF_SWITCH)))
			continue;
		snprintf(why, sizeof(why), "%s is %s, switch is none", o->name,
			 o->flags & ROCE_OF_BUFFER ? "of a switch's buffer" : "a switch's");
		err = roce_clash(check, roce_option_get(field, o) != o->value, o->type, o->type,
				 why);
		if (err)
			return err;
	}
	return 0;
}

/**
 * roce_options_blame - the first option of a port that is a feature's
 * @cfg: configuration
 * @tb: attributes of a request, by type
 *
 * Return: attribute, or NULL.
 */
const struct nlattr *roce_options_blame(const struct roce_config *cfg, struct nlattr **tb)
{
	const struct roce_option *o;
	void *base;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		for (o = roce_options_of(cfg, i, ROCE_OF_PORT, &base); o && o->name; o++) {
			if (tb[o->type])
				return tb[o->type];
		}
	}
	return NULL;
}

static int roce_options_dump(const struct roce_config *cfg, int id, struct sk_buff *msg)
{
	int pad = id == ROCE_OF_PORT ? TCA_ROCE_PAD : TCA_ROCE_PRIO_PAD;
	struct roce_option_walk walk = ROCE_WALK(cfg, id);
	const struct roce_option *o;
	void *field;

	while ((o = roce_option_next(&walk, &field))) {
		u64 value = roce_option_get(field, o);

		if (o->flags & ROCE_SPARSE && value == o->value)
			continue;
		/* A port without a switch refuses it. */
		if (id == ROCE_OF_PORT && o->type == TCA_ROCE_BUFFER &&
		    cfg->switch_id == TC_ROCE_SWITCH_NONE)
			continue;
		if (o->bytes == sizeof(u64) ? nla_put_64bit(msg, o->type, o->bytes, field, pad) :
					      nla_put(msg, o->type, o->bytes, field))
			return -EMSGSIZE;
	}
	return 0;
}

/**
 * roce_dump_config - write every option that set accepts, so that a dump makes the same port
 * @cfg: configuration
 * @msg: message, inside TCA_OPTIONS
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_dump_config(const struct roce_config *cfg, struct sk_buff *msg)
{
	struct nlattr *nest;
	int id;

	if (roce_options_dump(cfg, ROCE_OF_PORT, msg) ||
	    nla_put(msg, TCA_ROCE_DSCP_MAP, sizeof(cfg->dscp_prio), cfg->dscp_prio))
		return -EMSGSIZE;
	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		nest = nla_nest_start(msg, TCA_ROCE_PRIO);
		if (!nest || nla_put_u8(msg, TCA_ROCE_PRIO_ID, id) ||
		    roce_options_dump(cfg, id, msg))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_dump_config);
