// SPDX-License-Identifier: GPL-2.0
/*
 * Options of one priority from netlink, and whether they agree with each
 * other and with the port's.
 */
#include <net/netlink.h>

#include "roce_config.h"
#include "roce_feature.h"
#include "roce_policy.h"
#include "roce_port.h"

#define ROCE_DEFAULT_XON_OFFSET	4096U

static const struct roce_range roce_prio_ranges[] = {
	{ TCA_ROCE_PRIO_LOSSLESS, false, 0, 1, "lossless is neither 0 nor 1" },
	{ TCA_ROCE_PRIO_ALPHA, false, 0, TC_ROCE_ALPHA_MAX,
	  "alpha is above 256" },
};

/**
 * roce_prio_default - the configuration of a new port's priority
 * @prio: zeroed
 */
void roce_prio_default(struct roce_prio_config *prio)
{
	prio->mmu.xon_offset_bytes = ROCE_DEFAULT_XON_OFFSET;
	prio->mmu.headroom_bytes = TC_ROCE_HEADROOM_AUTO;
}

static int roce_prio_id(struct nlattr **tb, const struct nlattr *nest,
			u8 seen, struct netlink_ext_ack *extack)
{
	u8 id;

	if (!tb[TCA_ROCE_PRIO_ID]) {
		NL_SET_ERR_MSG_ATTR(extack, nest,
				    "roce: a priority's options lack its number");
		return -EINVAL;
	}
	id = nla_get_u8(tb[TCA_ROCE_PRIO_ID]);
	if (id >= TC_ROCE_PRIOS) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ID],
				    "roce: priority is above 7");
		return -ERANGE;
	}
	if (seen & BIT(id)) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ID],
				    "roce: priority is given twice");
		return -EINVAL;
	}
	return id;
}

static void roce_prio_apply(struct roce_prio_config *prio, struct nlattr **tb)
{
	const struct {
		u16 type;
		u32 *value;
	} words[] = {
		{ TCA_ROCE_PRIO_LIMIT, &prio->limit_bytes },
		{ TCA_ROCE_PRIO_RESERVE, &prio->mmu.reserve_bytes },
		{ TCA_ROCE_PRIO_ALPHA, &prio->mmu.alpha_q16 },
		{ TCA_ROCE_PRIO_XOFF, &prio->mmu.xoff_bytes },
		{ TCA_ROCE_PRIO_XON, &prio->mmu.xon_bytes },
		{ TCA_ROCE_PRIO_XON_OFFSET, &prio->mmu.xon_offset_bytes },
		{ TCA_ROCE_PRIO_HEADROOM, &prio->mmu.headroom_bytes },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (tb[words[i].type])
			*words[i].value = nla_get_u32(tb[words[i].type]);
	}
	if (tb[TCA_ROCE_PRIO_LOSSLESS])
		prio->lossless = nla_get_u8(tb[TCA_ROCE_PRIO_LOSSLESS]);
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
		err = roce_clash(check, row->clash, row->type, row->other,
				 row->why);
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

/* A port without a switch has no buffer to share: whoever sets a share of it
 * expects something that does not happen.
 */
static int roce_check_nic_prio(const struct roce_check *check)
{
	const struct roce_prio_config *prio = &check->cfg->prio[check->id];
	const struct roce_mmu_config *mmu = &prio->mmu;
	const struct roce_clash_row clashes[] = {
		{ mmu->reserve_bytes, TCA_ROCE_PRIO_RESERVE,
		  TCA_ROCE_PRIO_RESERVE,
		  "reserve is of a switch's buffer, switch is none" },
		{ mmu->alpha_q16, TCA_ROCE_PRIO_ALPHA, TCA_ROCE_PRIO_ALPHA,
		  "alpha is of a switch's buffer, switch is none" },
		{ mmu->xoff_bytes, TCA_ROCE_PRIO_XOFF, TCA_ROCE_PRIO_XOFF,
		  "xoff is of a switch's buffer, switch is none" },
		{ mmu->xon_offset_bytes != ROCE_DEFAULT_XON_OFFSET,
		  TCA_ROCE_PRIO_XON_OFFSET, TCA_ROCE_PRIO_XON_OFFSET,
		  "xon-offset is of a switch's buffer, switch is none" },
		{ mmu->headroom_bytes != TC_ROCE_HEADROOM_AUTO,
		  TCA_ROCE_PRIO_HEADROOM, TCA_ROCE_PRIO_HEADROOM,
		  "headroom is of a switch's buffer, switch is none" },
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

static int roce_check_with_port(const struct roce_check *check, u64 buffer)
{
	int err;

	if (check->cfg->switch_id == TC_ROCE_SWITCH_NONE)
		err = roce_check_nic_prio(check);
	else
		err = roce_check_switch_prio(check, buffer);
	return err ?: roce_features_check(check);
}

/**
 * roce_parse_prio - apply one priority's options
 * @cfg: the port's options are applied already
 * @buffer: size of the switch's buffer, U64_MAX = not known yet
 * @nest: TCA_ROCE_PRIO
 * @seen: bit per priority that this request has had; gets this one's
 * @extack: gets the attribute and the reason
 *
 * Return: 0 or a negative error.
 */
int roce_parse_prio(struct roce_config *cfg, u64 buffer,
		    const struct nlattr *nest, u8 *seen,
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

	err = roce_policy_check_ranges(tb, roce_prio_ranges,
				       ARRAY_SIZE(roce_prio_ranges), extack);
	if (err)
		return err;
	roce_prio_apply(&cfg->prio[id], tb);
	err = roce_features_parse_prio(cfg, id, tb, extack);
	if (err)
		return err;
	check.id = id;
	err = roce_check_prio(&check);
	if (err)
		return err;
	return roce_check_with_port(&check, buffer);
}

/**
 * roce_check_prios - do the priorities agree with what the port has become?
 * @cfg: all options are applied
 * @buffer: size of the switch's buffer, U64_MAX = not known yet
 * @port: the port's attribute to blame: it changed what was right before
 * @extack: gets the reason
 *
 * Those in the request have passed already, the others may not pass any more.
 *
 * Return: 0 or a negative error.
 */
int roce_check_prios(const struct roce_config *cfg, u64 buffer,
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
		if (prio->lossless &&
		    prio->mmu.headroom_bytes != TC_ROCE_HEADROOM_AUTO)
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
