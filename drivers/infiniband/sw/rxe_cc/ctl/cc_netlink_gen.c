// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rxe_cc.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "cc_netlink_gen.h"

#include <uapi/linux/rxe_cc.h>

/* Common nested types */
const struct nla_policy rxe_cc_param_nl_policy[RXE_CC_A_PARAM_PAD + 1] = {
	[RXE_CC_A_PARAM_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXE_CC_A_PARAM_VALUE] = { .type = NLA_U64, },
	[RXE_CC_A_PARAM_UNIT] = { .type = NLA_NUL_STRING, },
	[RXE_CC_A_PARAM_VALUE_MIN] = { .type = NLA_U64, },
	[RXE_CC_A_PARAM_VALUE_MAX] = { .type = NLA_U64, },
	[RXE_CC_A_PARAM_DEFAULT] = { .type = NLA_U64, },
	[RXE_CC_A_PARAM_HELP] = { .type = NLA_NUL_STRING, },
};

/* RXE_CC_CMD_ALGO_GET - do */
static const struct nla_policy rxe_cc_algo_get_nl_policy[RXE_CC_A_ALGO_NAME + 1] = {
	[RXE_CC_A_ALGO_NAME] = { .type = NLA_NUL_STRING, .len = 15, },
};

/* RXE_CC_CMD_DEV_GET - do */
static const struct nla_policy rxe_cc_dev_get_nl_policy[RXE_CC_A_DEV_PORT + 1] = {
	[RXE_CC_A_DEV_NAME] = { .type = NLA_NUL_STRING, .len = 63, },
	[RXE_CC_A_DEV_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, 1),
};

/* RXE_CC_CMD_DEV_SET - do */
static const struct nla_policy rxe_cc_dev_set_nl_policy[RXE_CC_A_DEV_KNOB + 1] = {
	[RXE_CC_A_DEV_NAME] = { .type = NLA_NUL_STRING, .len = 63, },
	[RXE_CC_A_DEV_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, 1),
	[RXE_CC_A_DEV_ALGO] = { .type = NLA_NUL_STRING, .len = 15, },
	[RXE_CC_A_DEV_PRESET] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXE_CC_A_DEV_PARAM] = NLA_POLICY_NESTED(rxe_cc_param_nl_policy),
	[RXE_CC_A_DEV_KNOB] = NLA_POLICY_NESTED(rxe_cc_param_nl_policy),
};

/* RXE_CC_CMD_QP_GET - do */
static const struct nla_policy rxe_cc_qp_get_do_nl_policy[RXE_CC_A_QP_QPN + 1] = {
	[RXE_CC_A_QP_DEV] = { .type = NLA_NUL_STRING, .len = 63, },
	[RXE_CC_A_QP_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, 1),
	[RXE_CC_A_QP_QPN] = { .type = NLA_U32, },
};

/* RXE_CC_CMD_QP_GET - dump */
static const struct nla_policy rxe_cc_qp_get_dump_nl_policy[RXE_CC_A_QP_DEV + 1] = {
	[RXE_CC_A_QP_DEV] = { .type = NLA_NUL_STRING, .len = 63, },
};

/* RXE_CC_CMD_QP_SET - do */
static const struct nla_policy rxe_cc_qp_set_nl_policy[RXE_CC_A_QP_ALGO + 1] = {
	[RXE_CC_A_QP_DEV] = { .type = NLA_NUL_STRING, .len = 63, },
	[RXE_CC_A_QP_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, 1),
	[RXE_CC_A_QP_QPN] = { .type = NLA_U32, },
	[RXE_CC_A_QP_ALGO] = { .type = NLA_NUL_STRING, .len = 15, },
};

/* RXE_CC_CMD_COMMAND - do */
static const struct nla_policy rxe_cc_command_nl_policy[RXE_CC_A_COMMAND_ARG + 1] = {
	[RXE_CC_A_COMMAND_DEV] = { .type = NLA_NUL_STRING, .len = 63, },
	[RXE_CC_A_COMMAND_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, 1),
	[RXE_CC_A_COMMAND_QPN] = { .type = NLA_U32, },
	[RXE_CC_A_COMMAND_PEER] = NLA_POLICY_EXACT_LEN(16),
	[RXE_CC_A_COMMAND_ALGO] = { .type = NLA_NUL_STRING, .len = 15, },
	[RXE_CC_A_COMMAND_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXE_CC_A_COMMAND_ARG] = NLA_POLICY_NESTED(rxe_cc_param_nl_policy),
};

/* Ops table for rxe_cc */
static const struct genl_split_ops rxe_cc_nl_ops[] = {
	{
		.cmd		= RXE_CC_CMD_ALGO_GET,
		.doit		= rxe_cc_nl_algo_get_doit,
		.policy		= rxe_cc_algo_get_nl_policy,
		.maxattr	= RXE_CC_A_ALGO_NAME,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= RXE_CC_CMD_ALGO_GET,
		.start	= rxe_cc_nl_dump_start,
		.dumpit	= rxe_cc_nl_algo_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RXE_CC_CMD_DEV_GET,
		.doit		= rxe_cc_nl_dev_get_doit,
		.policy		= rxe_cc_dev_get_nl_policy,
		.maxattr	= RXE_CC_A_DEV_PORT,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= RXE_CC_CMD_DEV_GET,
		.start	= rxe_cc_nl_dump_start,
		.dumpit	= rxe_cc_nl_dev_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RXE_CC_CMD_DEV_SET,
		.doit		= rxe_cc_nl_dev_set_doit,
		.policy		= rxe_cc_dev_set_nl_policy,
		.maxattr	= RXE_CC_A_DEV_KNOB,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RXE_CC_CMD_QP_GET,
		.doit		= rxe_cc_nl_qp_get_doit,
		.policy		= rxe_cc_qp_get_do_nl_policy,
		.maxattr	= RXE_CC_A_QP_QPN,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RXE_CC_CMD_QP_GET,
		.dumpit		= rxe_cc_nl_qp_get_dumpit,
		.policy		= rxe_cc_qp_get_dump_nl_policy,
		.maxattr	= RXE_CC_A_QP_DEV,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RXE_CC_CMD_QP_SET,
		.doit		= rxe_cc_nl_qp_set_doit,
		.policy		= rxe_cc_qp_set_nl_policy,
		.maxattr	= RXE_CC_A_QP_ALGO,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RXE_CC_CMD_COMMAND,
		.doit		= rxe_cc_nl_command_doit,
		.policy		= rxe_cc_command_nl_policy,
		.maxattr	= RXE_CC_A_COMMAND_ARG,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
};

static const struct genl_multicast_group rxe_cc_nl_mcgrps[] = {
	[RXE_CC_NLGRP_MONITOR] = { "monitor", },
};

struct genl_family rxe_cc_nl_family __ro_after_init = {
	.name		= RXE_CC_FAMILY_NAME,
	.version	= RXE_CC_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= rxe_cc_nl_ops,
	.n_split_ops	= ARRAY_SIZE(rxe_cc_nl_ops),
	.mcgrps		= rxe_cc_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(rxe_cc_nl_mcgrps),
};
