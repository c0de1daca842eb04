// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithm "probe", for selftests: runs at line rate with a window, asks for
 * telemetry, and adds up all that its flows are told. The sums are module
 * parameters, which a test compares with what the ports say they have pushed.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <rxe_cc/cc.h>

static ulong acks, hops, node, port, ts_ns, tx_bytes, qlen_bytes, mbps, disorder;

module_param(acks, ulong, 0444);
MODULE_PARM_DESC(acks, "calls with telemetry");
module_param(hops, ulong, 0444);
MODULE_PARM_DESC(hops, "hops in all of them");
module_param(node, ulong, 0444);
MODULE_PARM_DESC(node, "sum over the hops, as the next five");
module_param(port, ulong, 0444);
MODULE_PARM_DESC(port, "");
module_param(ts_ns, ulong, 0444);
MODULE_PARM_DESC(ts_ns, "");
module_param(tx_bytes, ulong, 0444);
MODULE_PARM_DESC(tx_bytes, "");
module_param(qlen_bytes, ulong, 0444);
MODULE_PARM_DESC(qlen_bytes, "");
module_param(mbps, ulong, 0444);
MODULE_PARM_DESC(mbps, "");
module_param(disorder, ulong, 0444);
MODULE_PARM_DESC(disorder, "hops that are not later than the one before");

static DEFINE_SPINLOCK(probe_lock);

static const struct rxe_cc_param probe_params[] = {
	{ "window", "bytes", 1, 1ULL << 40, 1 << 20, "window" },
};

static void probe_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	flow->cwnd_bytes = flow->params[0];
}

static void probe_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	unsigned int i;

	if (!s->nr_hops)
		return;
	spin_lock(&probe_lock);
	acks++;
	hops += s->nr_hops;
	for (i = 0; i < s->nr_hops; i++) {
		const struct rxe_cc_int_hop *h = &s->hops[i];

		node += h->node;
		port += h->port;
		ts_ns += h->ts_ns;
		tx_bytes += h->tx_bytes;
		qlen_bytes += h->qlen_bytes;
		mbps += h->rate_bps / 1000000;
		if (i && h->ts_ns <= h[-1].ts_ns)
			disorder++;
	}
	spin_unlock(&probe_lock);
}

static struct rxe_cc_ops probe_ops = {
	.name = "probe",
	.owner = THIS_MODULE,
	.init = probe_init,
	.on_ack = probe_on_ack,
	.params = probe_params,
	.nr_params = ARRAY_SIZE(probe_params),
	.needs = RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
};

static int __init probe_module_init(void)
{
	return rxe_cc_register(&probe_ops);
}

static void __exit probe_module_exit(void)
{
	rxe_cc_unregister(&probe_ops);
}

module_init(probe_module_init);
module_exit(probe_module_exit);
MODULE_ALIAS_RXE_CC("probe");
MODULE_DESCRIPTION("Telemetry probe for the selftests of rxe_cc");
MODULE_LICENSE("GPL");
