// SPDX-License-Identifier: GPL-2.0
/*
 * Only the module declarations of roce_cc_lib, the DCQCN and HPCC reactions that algorithms
 * share. The core needs none of it, and it needs nothing of the core.
 */
#include <linux/module.h>
#include <rxe_cc/version.h>

MODULE_DESCRIPTION("Congestion control for soft-RoCE: what algorithms share");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_LICENSE("GPL");
