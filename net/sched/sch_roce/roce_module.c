// SPDX-License-Identifier: GPL-2.0
/*
 * The module: what it registers with the kernel, in which order.
 *
 * Its own features come before the qdisc, so that no port is without them, and in the
 * order in which they are asked about a packet (roce_feature.c).
 */
#include <linux/module.h>
#include <net/pkt_sched.h>
#include <rxe_cc/version.h>

#include "roce_feature.h"
#include "roce_qdisc.h"
#include "roce_route_memory.h"

static int __init roce_module_features(void)
{
	static struct roce_feature *const own[] = {
#define ROCE_FEATURE(name) &roce_##name##_feature,
#include "features/roce_features_rows.h"
#undef ROCE_FEATURE
	};
	int err = 0, i;

	for (i = 0; i < ARRAY_SIZE(own) && !err; i++)
		err = roce_feature_register(own[i]);
	return err;
}

static int __init roce_module_init(void)
{
	int err;

	roce_options_setup();
	roce_wire_setup();
	roce_links_setup();
	err = roce_module_features();
	if (err)
		return err;
	err = roce_routes_register();
	if (err)
		return err;
	err = roce_netdev_register();
	if (err)
		goto no_netdev;
	err = register_qdisc(&roce_qdisc_ops);
	if (err)
		goto no_qdisc;
	return 0;

no_qdisc:
	roce_netdev_unregister();
no_netdev:
	roce_routes_unregister();
	return err;
}

static void __exit roce_module_exit(void)
{
	unregister_qdisc(&roce_qdisc_ops);
	roce_netdev_unregister();
	roce_links_stop();
	roce_routes_unregister();
}

MODULE_ALIAS_NET_SCH("roce");
module_init(roce_module_init);
module_exit(roce_module_exit);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("rxe-cc developers");
MODULE_DESCRIPTION("RoCE NIC and switch port");
MODULE_VERSION(RXE_CC_VERSION);
