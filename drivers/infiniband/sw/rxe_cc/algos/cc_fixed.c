// SPDX-License-Identifier: GPL-2.0
/*
 * A fixed rate and a fixed window: shows what the core's pacer and window do,
 * shapes a flow by hand, and serves as the constant-bit-rate source of an
 * experiment. Reacts to nothing.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/version.h>

enum {
	FIXED_RATE,
	FIXED_WINDOW,
	FIXED_FILL_WINDOW,
	FIXED_NR_PARAMS,
};

static const struct rxe_cc_param fixed_params[] = {
	[FIXED_RATE] = {
		"rate", "bps", 0, RXE_CC_RATE_MAX_BPS, 0,
		"rate of each QP in wire bytes; 0 means the line rate"
	},
	[FIXED_WINDOW] = {
		"window", "bytes", 0, 1ULL << 32, 0,
		"wire bytes in flight, may be less than a packet; 0 means no window"
	},
	[FIXED_FILL_WINDOW] = {
		"fill_window", "bool", 0, 1, 0,
		"send while less than the window is in flight; 0: a packet must fit"
	},
};

static void fixed_set(struct rxe_cc_flow *flow, u64 now_ns)
{
	u64 rate_bps = flow->params[FIXED_RATE];
	u64 window_bytes = flow->params[FIXED_WINDOW];

	flow->rate_bps = rate_bps ? rate_bps : flow->line_rate_bps;
	flow->cwnd_bytes = window_bytes ? window_bytes : RXE_CC_NO_WINDOW;
	flow->wants = flow->params[FIXED_FILL_WINDOW] ?
		      RXE_CC_WANT_FILL_WINDOW : 0;
}

static struct rxe_cc_ops fixed_ops = {
	.init		= fixed_set,
	.params_changed	= fixed_set,
	.params		= fixed_params,
	.nr_params	= ARRAY_SIZE(fixed_params),
	.name		= "fixed",
	.owner		= THIS_MODULE,
};

static int __init fixed_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(fixed_params) != FIXED_NR_PARAMS);
	return rxe_cc_register(&fixed_ops);
}

static void __exit fixed_module_exit(void)
{
	rxe_cc_unregister(&fixed_ops);
}

module_init(fixed_module_init);
module_exit(fixed_module_exit);

MODULE_DESCRIPTION("Fixed rate and window for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("fixed");
