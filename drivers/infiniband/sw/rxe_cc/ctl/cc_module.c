// SPDX-License-Identifier: GPL-2.0
/*
 * Init and exit of the module rxe_cc.
 */
#include <linux/module.h>
#include <net/genetlink.h>
#include <rxe_cc/version.h>

#include "cc_netlink.h"
#include "cc_netlink_gen.h"

static int __init rxe_cc_module_init(void)
{
	rxe_cc_notify_init(&rxe_cc_nl_family);
	return genl_register_family(&rxe_cc_nl_family);
}

static void __exit rxe_cc_module_exit(void)
{
	genl_unregister_family(&rxe_cc_nl_family);
}

module_init(rxe_cc_module_init);
module_exit(rxe_cc_module_exit);

MODULE_DESCRIPTION("Congestion control for soft-RoCE");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_LICENSE("GPL");
