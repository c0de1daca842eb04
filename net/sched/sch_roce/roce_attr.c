// SPDX-License-Identifier: GPL-2.0
/*
 * Options of features: each is a line of a table (struct roce_attr), from which
 * come its policy (roce_policy.c), its range, its default, and how it is set and
 * dumped.
 *
 * Context of everything here: RTNL, unless noted.
 */
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_feature.h"
#include "roce_policy.h"

static void roce_attr_set(void *field, const struct roce_attr *attr, u64 value)
{
	switch (attr->bytes) {
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

static u64 roce_attr_get(const void *field, const struct roce_attr *attr)
{
	switch (attr->bytes) {
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

/* The fields of a priority, or of the port, that a table's offsets are from. */
static void *roce_attr_base(const struct roce_config *cfg,
			    const struct roce_feature *f, u8 id)
{
	return (u8 *)roce_feature_config(cfg, f) + id * f->prio_stride;
}

static void roce_attrs_default_table(const struct roce_attr *attr, void *base)
{
	for (; attr && attr->type; attr++)
		roce_attr_set(base + attr->offset, attr, attr->value);
}

static void roce_attrs_default(struct roce_config *cfg,
			       const struct roce_feature *f)
{
	int id;

	memset(roce_feature_config(cfg, f), 0, ROCE_FEATURE_CONFIG_BYTES);
	roce_attrs_default_table(f->attrs, roce_attr_base(cfg, f, 0));
	for (id = 0; id < TC_ROCE_PRIOS; id++)
		roce_attrs_default_table(f->prio_attrs,
					 roce_attr_base(cfg, f, id));
	cfg->feature_serial[f->slot] = f->serial;
}

/**
 * roce_features_sync - the defaults of features that are new to a configuration
 * @cfg: configuration
 *
 * A feature may have come since the port was made. It is off by default: as long
 * as it is, nobody but the holder of RTNL looks at its part.
 */
void roce_features_sync(struct roce_config *cfg)
{
	const struct roce_feature *f;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		if (f && cfg->feature_serial[i] != f->serial)
			roce_attrs_default(cfg, f);
	}
}

/* Set what a request has of a table, if it is in range. */
static int roce_attrs_parse(const struct roce_attr *attr, void *base,
			    struct nlattr **tb, struct netlink_ext_ack *extack)
{
	for (; attr && attr->type; attr++) {
		struct roce_range range = {
			.type = attr->type,
			.or_zero = attr->or_zero,
			.min = attr->min,
			.max = attr->max ?: U64_MAX,
			.why = attr->why,
		};
		int err;

		if (!tb[attr->type])
			continue;
		err = roce_policy_check_ranges(tb, &range, 1, extack);
		if (err)
			return err;
		roce_attr_set(base + attr->offset, attr,
			      roce_policy_uint(tb[attr->type]));
	}
	return 0;
}

/* Of the port, or of a priority when @prio. */
static int roce_features_apply(struct roce_config *cfg, bool prio, u8 id,
			       struct nlattr **tb,
			       struct netlink_ext_ack *extack)
{
	const struct roce_feature *f;
	int err, i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		if (!f)
			continue;
		err = roce_attrs_parse(prio ? f->prio_attrs : f->attrs,
				       roce_attr_base(cfg, f, id), tb, extack);
		if (err)
			return err;
	}
	return 0;
}

/**
 * roce_features_parse - apply the features' options of a port
 * @cfg: configuration, synchronised
 * @tb: attributes by type, lengths are right
 * @extack: gets the attribute and the reason
 *
 * Return: 0 or -ERANGE.
 */
int roce_features_parse(struct roce_config *cfg, struct nlattr **tb,
			struct netlink_ext_ack *extack)
{
	return roce_features_apply(cfg, false, 0, tb, extack);
}

/**
 * roce_features_parse_prio - apply the features' options of a priority
 * @cfg: configuration, synchronised
 * @id: priority
 * @tb: attributes by type, lengths are right
 * @extack: gets the attribute and the reason
 *
 * Return: 0 or -ERANGE.
 */
int roce_features_parse_prio(struct roce_config *cfg, u8 id,
			     struct nlattr **tb,
			     struct netlink_ext_ack *extack)
{
	return roce_features_apply(cfg, true, id, tb, extack);
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
int roce_clash(const struct roce_check *check, bool clash, u16 type, u16 other,
	       const char *why)
{
	const struct nlattr *attr;

	if (!clash)
		return 0;
	attr = check->tb[type] ?: check->tb[other] ?: check->port;
	NL_SET_ERR_MSG_ATTR_FMT(check->extack, attr, "roce: prio %u: %s",
				check->id, why);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(roce_clash);

/**
 * roce_features_check - do the features' options of a priority make sense?
 * @check: the configuration, and whom to blame
 *
 * Return: 0 or a negative error.
 */
int roce_features_check(const struct roce_check *check)
{
	const struct roce_feature *f;
	int err, i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		if (!f || !f->check)
			continue;
		err = f->check(check);
		if (err)
			return err;
	}
	return 0;
}

/**
 * roce_features_blame - the first option of a port that is a feature's
 * @tb: attributes of a request, by type
 *
 * Return: attribute, or NULL.
 */
const struct nlattr *roce_features_blame(struct nlattr **tb)
{
	const struct roce_feature *f;
	const struct roce_attr *attr;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		for (attr = f ? f->attrs : NULL; attr && attr->type; attr++) {
			if (tb[attr->type])
				return tb[attr->type];
		}
	}
	return NULL;
}

static int roce_attrs_dump(const struct roce_attr *attr, const void *base,
			   int pad, struct sk_buff *msg)
{
	int err = 0;

	for (; attr && attr->type && !err; attr++) {
		u64 value = roce_attr_get(base + attr->offset, attr);

		if (attr->sparse && value == attr->value)
			continue;
		switch (attr->bytes) {
		case sizeof(u8):
			err = nla_put_u8(msg, attr->type, value);
			break;
		case sizeof(u16):
			err = nla_put_u16(msg, attr->type, value);
			break;
		case sizeof(u32):
			err = nla_put_u32(msg, attr->type, value);
			break;
		default:
			err = nla_put_u64_64bit(msg, attr->type, value, pad);
			break;
		}
	}
	return err;
}

/**
 * roce_features_dump - write the features' options of a port
 * @cfg: configuration
 * @msg: message
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_features_dump(const struct roce_config *cfg, struct sk_buff *msg)
{
	const struct roce_feature *f;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		if (f && cfg->feature_serial[i] == f->serial &&
		    roce_attrs_dump(f->attrs, roce_attr_base(cfg, f, 0),
				    TCA_ROCE_PAD, msg))
			return -EMSGSIZE;
	}
	return 0;
}

/**
 * roce_features_dump_prio - write the features' options of a priority
 * @cfg: configuration
 * @id: priority
 * @msg: message
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_features_dump_prio(const struct roce_config *cfg, u8 id,
			    struct sk_buff *msg)
{
	const struct roce_feature *f;
	int i;

	for (i = 0; i < ROCE_FEATURES_MAX; i++) {
		f = roce_feature_at(i);
		if (f && cfg->feature_serial[i] == f->serial &&
		    roce_attrs_dump(f->prio_attrs, roce_attr_base(cfg, f, id),
				    TCA_ROCE_PRIO_PAD, msg))
			return -EMSGSIZE;
	}
	return 0;
}
