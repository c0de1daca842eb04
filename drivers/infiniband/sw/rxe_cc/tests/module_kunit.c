// SPDX-License-Identifier: GPL-2.0
/*
 * Module declarations of rxe_cc_kunit.ko, which has all KUnit suites of the core and the
 * algorithms but that of conformance.
 */
#include <linux/module.h>
#include <rxe_cc/kernel.h>
#include <rxe_cc/version.h>

MODULE_DESCRIPTION("KUnit suites of rxe_cc");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
RXE_CC_IMPORT_KUNIT_NS;
