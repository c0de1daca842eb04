/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a port, as rows of tables (roce_row_macros.h): their netlink policy, ranges, defaults,
 * and how they are set and dumped. Context of everything here: RTNL, unless noted.
 */
#ifndef _ROCE_OPTION_H
#define _ROCE_OPTION_H

#include <linux/types.h>
#include <net/netlink.h>

#include "roce_row_macros.h"

struct roce_check;
struct roce_config;
struct roce_feature;

/* What rows have besides, in the kernel. */
#define ROCE_TITLE(...)
#define ROCE_OTHER(...)

/* Options of the port itself, where an option of a priority could be meant. */
#define ROCE_OF_PORT	(-1)

/* Refuse unknown attributes and wrong lengths, but take nests without the
 * nested flag: not every tool sets it.
 */
#define ROCE_VALIDATE	(NL_VALIDATE_TRAILING | NL_VALIDATE_MAXTYPE | \
			 NL_VALIDATE_UNSPEC | NL_VALIDATE_STRICT_ATTRS)

extern struct nla_policy roce_policy[];
extern struct nla_policy roce_prio_policy[];

void roce_options_setup(void);
int roce_options_check(const struct roce_feature *f);
void roce_options_accept(const struct roce_feature *f, bool accept);
void roce_options_default(struct roce_config *cfg);
void roce_options_sync(struct roce_config *cfg);
int roce_options_parse(struct roce_config *cfg, int id, struct nlattr **tb,
		       struct netlink_ext_ack *extack);
int roce_options_check_nic(const struct roce_check *check);
const struct nlattr *roce_options_blame(const struct roce_config *cfg, struct nlattr **tb);
int roce_dump_config(const struct roce_config *cfg, struct sk_buff *msg);

#endif /* _ROCE_OPTION_H */
