// SPDX-License-Identifier: GPL-2.0
/*
 * Configuration of a port: defaults, and options from netlink. Everything is
 * parsed into a copy and checked before the caller puts it into force.
 *
 * First every attribute on its own (roce_option.c), then what has become of the whole, so
 * that the order of attributes, and how many requests they come in, does not
 * matter. What only the other ports of the switch can tell (does the buffer
 * hold everybody's reserves?) is checked where the port joins it.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_feature.h"

/**
 * roce_config_default - the configuration of a new port
 * @cfg: overwritten
 */
void roce_config_default(struct roce_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->dscp_prio[26] = 3;
	cfg->dscp_prio[27] = 3;
	cfg->dscp_prio[48] = 6;
	roce_options_default(cfg);
}
EXPORT_SYMBOL_IF_KUNIT(roce_config_default);

static int roce_parse_dscp(struct roce_config *cfg, const struct nlattr *attr,
			   struct netlink_ext_ack *extack)
{
	int i;

	nla_memcpy(cfg->dscp_prio, attr, sizeof(cfg->dscp_prio));
	for (i = 0; i < TC_ROCE_DSCPS; i++) {
		if (cfg->dscp_prio[i] >= TC_ROCE_PRIOS) {
			NL_SET_ERR_MSG_ATTR_FMT(extack, attr,
						"roce: dscp %d is mapped to priority %u, above 7",
						i, cfg->dscp_prio[i]);
			return -ERANGE;
		}
	}
	return 0;
}

/* A port that joins a switch takes the switch's buffer, and the default only if that is new.
 *
 * Return: its size, or no limit while it is not known.
 */
static u64 roce_buffer_of(struct roce_config *cfg, u32 was_switch, struct nlattr **tb)
{
	if (tb[TCA_ROCE_BUFFER] || cfg->switch_id == was_switch)
		return cfg->buffer_bytes;
	cfg->buffer_bytes = TC_ROCE_BUFFER_DEFAULT;
	return U64_MAX;
}

static int roce_prio_id(struct nlattr **tb, const struct nlattr *nest,
			u8 seen, struct netlink_ext_ack *extack)
{
	u8 id;

	if (!tb[TCA_ROCE_PRIO_ID]) {
		NL_SET_ERR_MSG_ATTR(extack, nest, "roce: a priority's options lack its number");
		return -EINVAL;
	}
	id = nla_get_u8(tb[TCA_ROCE_PRIO_ID]);
	if (id >= TC_ROCE_PRIOS) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ID], "roce: priority is above 7");
		return -ERANGE;
	}
	if (seen & BIT(id)) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ID], "roce: priority is given twice");
		return -EINVAL;
	}
	return id;
}

/**
 * struct roce_clash_row - options that do not go together
 * @clash: they are both set
 * @type: the one to blame if it is in this request
 * @other: the one to blame else
 * @why: what is wrong
 */
struct roce_clash_row {
	bool clash;
	u16 type;
	u16 other;
	const char *why;
};

static int roce_find_clash(const struct roce_check *check,
			   const struct roce_clash_row *row, size_t count)
{
	int err = 0;

	for (; count && !err; count--, row++)
		err = roce_clash(check, row->clash, row->type, row->other, row->why);
	return err;
}

/* Options of one priority against each other. */
static int roce_check_prio(const struct roce_check *check)
{
	const struct roce_prio_config *prio = &check->cfg->prio[check->id];
	const struct roce_mmu_config *mmu = &prio->mmu;
	const struct roce_clash_row clashes[] = {
		{ prio->lossless && !mmu->headroom_bytes,
		  TCA_ROCE_PRIO_HEADROOM, TCA_ROCE_PRIO_LOSSLESS,
		  "headroom of a lossless priority is 0" },
		{ mmu->xoff_bytes && mmu->alpha_q16,
		  TCA_ROCE_PRIO_ALPHA, TCA_ROCE_PRIO_XOFF,
		  "alpha and a fixed xoff: one must be auto" },
		{ mmu->xon_bytes && !mmu->xoff_bytes,
		  TCA_ROCE_PRIO_XON, TCA_ROCE_PRIO_XOFF,
		  "xon needs a fixed xoff, not auto" },
		{ mmu->xon_bytes > mmu->xoff_bytes,
		  TCA_ROCE_PRIO_XON, TCA_ROCE_PRIO_XOFF,
		  "xon is above xoff" },
	};

	return roce_find_clash(check, clashes, ARRAY_SIZE(clashes));
}

static int roce_check_switch_prio(const struct roce_check *check, u64 buffer)
{
	const struct roce_prio_config *prio = &check->cfg->prio[check->id];
	const struct roce_mmu_config *mmu = &prio->mmu;
	const struct roce_clash_row clashes[] = {
		{ prio->lossless && prio->limit_bytes,
		  TCA_ROCE_PRIO_LIMIT, TCA_ROCE_PRIO_LOSSLESS,
		  "limit of a lossless priority of a switch" },
		{ mmu->reserve_bytes > buffer, TCA_ROCE_PRIO_RESERVE,
		  TCA_ROCE_PRIO_RESERVE, "reserve is above buffer" },
		{ mmu->xoff_bytes > buffer, TCA_ROCE_PRIO_XOFF,
		  TCA_ROCE_PRIO_XOFF, "xoff is above buffer" },
		{ mmu->headroom_bytes != TC_ROCE_HEADROOM_AUTO &&
		  mmu->headroom_bytes > buffer, TCA_ROCE_PRIO_HEADROOM,
		  TCA_ROCE_PRIO_HEADROOM, "headroom is above buffer" },
	};

	return roce_find_clash(check, clashes, ARRAY_SIZE(clashes));
}

/* Do the features' options of a priority make sense? */
static int roce_features_check(const struct roce_check *check)
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

static int roce_check_with_port(const struct roce_check *check, u64 buffer)
{
	int err;

	if (check->cfg->switch_id == TC_ROCE_SWITCH_NONE)
		err = roce_options_check_nic(check);
	else
		err = roce_check_switch_prio(check, buffer);
	return err ?: roce_features_check(check);
}

/* Apply one priority's options; those of the port are applied already. @buffer: size of the
 * switch's buffer, U64_MAX = not known yet; @seen: bit per priority that this request has had.
 */
static int roce_parse_prio(struct roce_config *cfg, u64 buffer, const struct nlattr *nest, u8 *seen,
			   struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_ROCE_PRIO_MAX + 1];
	struct roce_check check = { .cfg = cfg, .tb = tb, .extack = extack };
	int err, id;

	err = __nla_parse(tb, TCA_ROCE_PRIO_MAX, nla_data(nest), nla_len(nest),
			  roce_prio_policy, ROCE_VALIDATE, extack);
	if (err)
		return err;
	id = roce_prio_id(tb, nest, *seen, extack);
	if (id < 0)
		return id;
	*seen |= BIT(id);

	err = roce_options_parse(cfg, id, tb, extack);
	if (err)
		return err;
	check.id = id;
	err = roce_check_prio(&check);
	if (err)
		return err;
	return roce_check_with_port(&check, buffer);
}

/* Do the priorities agree with what the port has become? Those in the request have passed, the
 * others may not pass any more. @port: the attribute to blame: it changed what was right before.
 */
static int roce_check_prios(const struct roce_config *cfg, u64 buffer,
			    const struct nlattr *port, struct netlink_ext_ack *extack)
{
	struct nlattr *none[TCA_ROCE_PRIO_MAX + 1] = {};
	struct roce_check check = {
		.cfg = cfg, .tb = none, .port = port, .extack = extack,
	};
	u64 sum = 0;
	int err, i;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		const struct roce_prio_config *prio = &cfg->prio[i];

		check.id = i;
		err = roce_check_with_port(&check, buffer);
		if (err)
			return err;
		sum += prio->mmu.reserve_bytes;
		if (prio->lossless && prio->mmu.headroom_bytes != TC_ROCE_HEADROOM_AUTO)
			sum += prio->mmu.headroom_bytes;
	}
	if (cfg->switch_id != TC_ROCE_SWITCH_NONE && sum > buffer) {
		NL_SET_ERR_MSG_ATTR_FMT(extack, port,
					"roce: buffer is below reserves and headrooms of this port, %llu",
					sum);
		return -EINVAL;
	}
	return 0;
}

/**
 * roce_config_parse - apply netlink options to a configuration
 * @cfg: starts as the present configuration; what is not in @opt stays, but
 *	the buffer of another switch. On error it is half changed and must be
 *	thrown away.
 * @opt: TCA_OPTIONS
 * @extack: gets the attribute and the reason
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int roce_config_parse(struct roce_config *cfg, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_ROCE_MAX + 1];
	struct nlattr *attr;
	u32 was_switch = cfg->switch_id;
	u64 buffer;
	u8 seen = 0;
	int err, rem;

	err = __nla_parse(tb, TCA_ROCE_MAX, nla_data(opt), nla_len(opt),
			  roce_policy, ROCE_VALIDATE, extack);
	if (err)
		return err;
	roce_options_sync(cfg);
	err = roce_options_parse(cfg, ROCE_OF_PORT, tb, extack);
	if (!err && tb[TCA_ROCE_DSCP_MAP])
		err = roce_parse_dscp(cfg, tb[TCA_ROCE_DSCP_MAP], extack);
	if (err)
		return err;
	if (tb[TCA_ROCE_BUFFER] && cfg->switch_id == TC_ROCE_SWITCH_NONE) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_BUFFER],
				    "roce: buffer is a switch's, but switch is none");
		return -EINVAL;
	}
	buffer = roce_buffer_of(cfg, was_switch, tb);

	/* One attribute per priority: the table above holds only the last. */
	nla_for_each_nested(attr, opt, rem) {
		if (nla_type(attr) != TCA_ROCE_PRIO)
			continue;
		err = roce_parse_prio(cfg, buffer, attr, &seen, extack);
		if (err)
			return err;
	}
	return roce_check_prios(cfg, buffer, tb[TCA_ROCE_BUFFER] ?: tb[TCA_ROCE_SWITCH] ?:
				roce_options_blame(cfg, tb) ?: tb[TCA_ROCE_PRIO], extack);
}
EXPORT_SYMBOL_IF_KUNIT(roce_config_parse);
