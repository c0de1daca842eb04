// SPDX-License-Identifier: GPL-2.0
/*
 * Recording and replay of what algorithms are told: debugfs directory.
 */
#include <linux/debugfs.h>
#include <linux/module.h>

#include "../cc_core.h"
#include "events.h"

static struct dentry *events_dir;

/* Records have the events' own numbers. */
static void __init events_check(void)
{
	BUILD_BUG_ON((int)RXE_CC_EVT_ACK != RXE_CC_EV_ACK);
	BUILD_BUG_ON((int)RXE_CC_EVT_SENT != RXE_CC_EV_SENT);
	BUILD_BUG_ON((int)RXE_CC_EVT_CNP != RXE_CC_EV_CNP);
	BUILD_BUG_ON((int)RXE_CC_EVT_TIMER != RXE_CC_EV_TIMER);
	BUILD_BUG_ON((int)RXE_CC_EVT_LOSS != RXE_CC_EV_LOSS);
	BUILD_BUG_ON((int)RXE_CC_EVT_DATA != RXE_CC_EV_DATA);
	BUILD_BUG_ON((int)RXE_CC_EVT_FILL != RXE_CC_EV_FILL);
	BUILD_BUG_ON((int)RXE_CC_EVT_SHARED != RXE_CC_EV_SHARED);
	BUILD_BUG_ON(RXE_CC_EVT_TOLD_MAX != RXE_CC_TOLD_MAX);
	BUILD_BUG_ON((int)RXE_CC_EVT_INIT != RXE_CC_EV_INIT);
	BUILD_BUG_ON((int)RXE_CC_EVT_CHANGE != RXE_CC_EV_CHANGE);
	BUILD_BUG_ON((int)RXE_CC_EVT_ENV != RXE_CC_EV_ENV);
	BUILD_BUG_ON((int)RXE_CC_EVT_END != RXE_CC_EV_END);
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
