/* SPDX-License-Identifier: GPL-2.0 */
/* What the two halves of the parser of options share. */
#ifndef _ROCE_CONFIG_H
#define _ROCE_CONFIG_H

#include <linux/types.h>

struct netlink_ext_ack;
struct nlattr;
struct roce_config;
struct roce_prio_config;

/* roce_config_prio.c */
void roce_prio_default(struct roce_prio_config *prio);
int roce_parse_prio(struct roce_config *cfg, u64 buffer,
		    const struct nlattr *nest, u8 *seen,
		    struct netlink_ext_ack *extack);
int roce_check_prios(const struct roce_config *cfg, u64 buffer,
		     const struct nlattr *port, struct netlink_ext_ack *extack);

#endif /* _ROCE_CONFIG_H */
