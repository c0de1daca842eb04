/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Algorithms, by their names; and the list of ports, which has the same mutex.
 */
#ifndef _RXE_CC_REGISTRY_H
#define _RXE_CC_REGISTRY_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <rxe_cc/cc.h>

extern struct mutex rxe_cc_mutex;
extern struct list_head rxe_cc_ports;
/* Changes with every entry that comes or goes: tells readers of a dump. */
extern atomic_t rxe_cc_generation;

extern const struct rxe_cc_ops rxe_cc_none_ops;
const struct rxe_cc_ops *rxe_cc_algo_find(const char *name);
const struct rxe_cc_ops *rxe_cc_algo_get(const char *name);
const struct rxe_cc_ops *rxe_cc_algo_next(const struct rxe_cc_ops *prev);
unsigned int rxe_cc_algo_users(const struct rxe_cc_ops *ops);
int rxe_cc_param_index(const struct rxe_cc_param *table, unsigned int nr,
		       const char *name);
const struct rxe_cc_preset *rxe_cc_preset(const struct rxe_cc_ops *ops,
					  const char *name);
const struct rxe_cc_cmd *rxe_cc_cmd_find(const struct rxe_cc_ops *ops,
					 const char *name);
enum rxe_cc_command_scope rxe_cc_cmd_scope(const struct rxe_cc_cmd *cmd);
void rxe_cc_cmd_defaults(const struct rxe_cc_cmd *cmd, u64 *values);
void rxe_cc_param_defaults(const struct rxe_cc_ops *ops, u64 *values);

/* cc_tokens.c */

#endif /* _RXE_CC_REGISTRY_H */
