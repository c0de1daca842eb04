// SPDX-License-Identifier: GPL-2.0
/*
 * The module rxe_cc_events: its init, exit and debugfs directory for recording and replay.
 */
#include <linux/debugfs.h>
#include <linux/module.h>

#include <rxe_cc/version.h>

#include "core/cc_core.h"
#include "event_convert.h"

static struct dentry *events_dir;

/* Records hold what the core has, and are as long as the next one's place needs. */
static void __init events_check(void)
{
	BUILD_BUG_ON(RXE_CC_EVT_FB_MAX != RXE_CC_FB_MAX);
	BUILD_BUG_ON(RXE_CC_EVT_VALUES_MAX != RXE_CC_MAX_CMD_ARGS);
	BUILD_BUG_ON(RXE_CC_EVT_VALUES_MAX != RXE_CC_MAX_CMD_VARS);
	BUILD_BUG_ON(RXE_CC_EVT_NAME_MAX != RXE_CC_NAME_MAX);
	BUILD_BUG_ON(sizeof(struct rxe_cc_evt) % 8);
	BUILD_BUG_ON(sizeof(struct rxe_cc_evt_hop) % 8);
}

static int __init events_init(void)
{
	int err;

	events_check();
	events_dir = debugfs_create_dir("rxe_cc_events", NULL);
	err = PTR_ERR_OR_ZERO(events_dir);
	if (!err)
		err = rxe_cc_record_init(events_dir);
	if (!err)
		err = rxe_cc_replay_init(events_dir);
	if (err)
		debugfs_remove(events_dir);
	return err;
}

static void __exit events_exit(void)
{
	debugfs_remove(events_dir);
}

module_init(events_init);
module_exit(events_exit);

MODULE_DESCRIPTION("Recording and replay of soft-RoCE congestion control");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
