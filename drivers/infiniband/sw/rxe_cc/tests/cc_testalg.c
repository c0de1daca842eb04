// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithm "testalg", for selftests: runs at line rate with a window, asks for
 * telemetry in the way that its parameters say, and adds up all that its flows are
 * told. The sums are module parameters, which a test compares with what the ports
 * say they have pushed. As receiver it tells what its parameters say. Its commands are
 * one of each scope.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/version.h>

static ulong acks, hops, node, port, ts_ns, tx_bytes, qlen_bytes, mbps, disorder;
static ulong alone, partial, fb_calls, fb[RXE_CC_FB_MAX], rtts, rtt_ns;
static ulong data_hops, data_tx_bytes, data_packets[RXE_CC_DATA_OTHER + 1];
static ulong owds, owd_ns, owd_over_ns, turnaround_ns, path_hops, data_owds, data_owd_ns;
static ulong data_path_hops, data_starts, data_ends, data_msg_bytes, data_gaps, fills;
static ulong group_calls, group_bytes;

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
module_param(alone, ulong, 0444);
MODULE_PARM_DESC(alone, "calls that acknowledge nothing: reports");
module_param(partial, ulong, 0444);
MODULE_PARM_DESC(partial, "reports of switches");
module_param(fb_calls, ulong, 0444);
MODULE_PARM_DESC(fb_calls, "calls that were told something");
module_param_array(fb, ulong, NULL, 0444);
MODULE_PARM_DESC(fb, "the last values");
module_param(rtts, ulong, 0444);
MODULE_PARM_DESC(rtts, "calls with a round-trip time");
module_param(rtt_ns, ulong, 0444);
MODULE_PARM_DESC(rtt_ns, "the last one");
module_param(data_hops, ulong, 0444);
MODULE_PARM_DESC(data_hops, "hops that came with data");
module_param(data_tx_bytes, ulong, 0444);
MODULE_PARM_DESC(data_tx_bytes, "sum over them");

module_param(owds, ulong, 0444);
MODULE_PARM_DESC(owds, "calls with a one-way delay");
module_param(owd_ns, ulong, 0444);
MODULE_PARM_DESC(owd_ns, "the last one; 0: clocks are not common");
module_param(owd_over_ns, ulong, 0444);
MODULE_PARM_DESC(owd_over_ns, "what it is above the smallest");
module_param(turnaround_ns, ulong, 0444);
MODULE_PARM_DESC(turnaround_ns, "of the last round trip");
module_param(path_hops, ulong, 0444);
MODULE_PARM_DESC(path_hops, "the last one that was known");
module_param(data_owds, ulong, 0444);
MODULE_PARM_DESC(data_owds, "packets received with a one-way delay");
module_param(data_owd_ns, ulong, 0444);
MODULE_PARM_DESC(data_owd_ns, "the last one");
module_param(data_path_hops, ulong, 0444);
MODULE_PARM_DESC(data_path_hops, "the last one that was known");

module_param_array(data_packets, ulong, NULL, 0444);
MODULE_PARM_DESC(data_packets, "packets received, by enum rxe_cc_data_kind");
module_param(data_starts, ulong, 0444);
MODULE_PARM_DESC(data_starts, "first ones of a message");
module_param(data_ends, ulong, 0444);
MODULE_PARM_DESC(data_ends, "last ones of a message");
module_param(data_msg_bytes, ulong, 0444);
MODULE_PARM_DESC(data_msg_bytes, "lengths of messages that their first packets told");
module_param(data_gaps, ulong, 0444);
MODULE_PARM_DESC(data_gaps, "packets that are not the one behind the last");
module_param(fills, ulong, 0444);
MODULE_PARM_DESC(fills, "answers that were built");
module_param(group_calls, ulong, 0444);
MODULE_PARM_DESC(group_calls, "calls of on_group");
module_param(group_bytes, ulong, 0444);
MODULE_PARM_DESC(group_bytes, "what the port's state said in the last one");

static DEFINE_SPINLOCK(testalg_lock);

/* What commands have announced, since the last "forget". */
struct testalg_port {
	u64 bytes;
	u64 epoch;
};

struct testalg_peer {
	u64 bytes;
	u64 epoch;
};

/* Receiver: number of the next request, of the next READ response. */
struct testalg_rx {
	u64 next_seq[2];
};

enum testalg_param {
	TESTALG_WINDOW,
	TESTALG_INT,
	TESTALG_ACKS,
	TESTALG_RX_HOPS,
	TESTALG_TELL_NR,
	TESTALG_TELL,
	TESTALG_TELL_ALWAYS,
	TESTALG_TELL_NOW,
	TESTALG_PROFILE,
	TESTALG_RTTS,
	TESTALG_QUOTA,
};

static const struct rxe_cc_param testalg_params[] = {
	[TESTALG_WINDOW] = { "window", "bytes", 1, 1ULL << 40, 1 << 20, "window" },
	[TESTALG_INT] = { "int_mode", "count", 0, 3, 0,
			"INT on 0: all packets, 1: one a round trip, 2: probes, 3: none" },
	[TESTALG_ACKS] = { "ask_acks", "bool", 0, 1, 1, "each packet asks for an ACK" },
	[TESTALG_RX_HOPS] = { "rx_hops", "bool", 0, 1, 0,
			    "the receiver takes the telemetry, and echoes none" },
	[TESTALG_TELL_NR] = { "tell_nr", "count", 0, RXE_CC_FB_MAX, 0,
			    "how many values the receiver tells" },
	[TESTALG_TELL] = { "tell", "count", 0, U64_MAX / 2, 0,
			 "the first of them; each next one is 1 more" },
	[TESTALG_TELL_ALWAYS] = { "tell_always", "bool", 0, 1, 0, "with each ACK" },
	[TESTALG_TELL_NOW] = { "tell_now", "bool", 0, 1, 0,
			     "for each packet of the start of a message" },
	[TESTALG_PROFILE] = { "int_profile", "count", 0, 2, 0,
			    "0: in full, 1: compact, 2: the first port's time" },
	[TESTALG_RTTS] = { "all_rtts", "bool", 0, 1, 0,
			 "each packet that asks for an ACK is measured" },
	[TESTALG_QUOTA] = { "quota", "bytes", 0, 1ULL << 40, 1 << 20,
			  "what a peer may announce by command" },
};

static const u8 testalg_int_wants[] = {
	RXE_CC_WANT_INT, RXE_CC_WANT_INT_SPARSE, RXE_CC_WANT_INT_PROBE, 0,
};

static const u8 testalg_profile_wants[] = {
	0, RXE_CC_WANT_INT_COMPACT, RXE_CC_WANT_INT_FIRST,
};

static void testalg_set(struct rxe_cc_flow *flow, u64 now_ns)
{
	const u64 *p = flow->params;

	flow->cwnd_bytes = p[TESTALG_WINDOW];
	flow->wants = testalg_int_wants[p[TESTALG_INT]] |
		      testalg_profile_wants[p[TESTALG_PROFILE]] |
		      (p[TESTALG_ACKS] ? RXE_CC_WANT_ACKS : 0) |
		      (p[TESTALG_RX_HOPS] ? RXE_CC_WANT_RX_HOPS : 0) |
		      (p[TESTALG_RTTS] ? RXE_CC_WANT_RTTS : 0);
	flow->report.always = p[TESTALG_TELL_ALWAYS];
}

static void testalg_fill_ack(struct rxe_cc_flow *flow, u64 now_ns)
{
	unsigned int i;

	flow->report.nr = flow->params[TESTALG_TELL_NR];
	for (i = 0; i < flow->report.nr; i++)
		flow->report.fb[i] = flow->params[TESTALG_TELL] + i;
	spin_lock(&testalg_lock);
	fills++;
	spin_unlock(&testalg_lock);
}

/* Under testalg_lock. */
static void testalg_add_hops(const struct rxe_cc_sample *s)
{
	unsigned int i;

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
}

static void testalg_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	spin_lock(&testalg_lock);
	if (s->nr_hops) {
		testalg_add_hops(s);
		flow->telemetry = RXE_CC_TELEMETRY_USED;
	}
	alone += !s->bytes;
	partial += s->partial;
	if (s->nr_fb) {
		unsigned int i;

		fb_calls++;
		for (i = 0; i < RXE_CC_FB_MAX; i++)
			fb[i] = s->fb[i];
	}
	if (s->rtt_ns) {
		rtts++;
		rtt_ns = s->rtt_ns;
		turnaround_ns = s->turnaround_ns;
	}
	if (s->has_owd) {
		owds++;
		owd_ns = s->owd_ns;
		owd_over_ns = s->owd_over_ns;
	}
	if (s->path_hops)
		path_hops = s->path_hops;
	spin_unlock(&testalg_lock);
}

static u32 testalg_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct testalg_rx *rx = rxe_cc_rx_priv(flow);
	bool resp = s->kind == RXE_CC_DATA_READ_RESP;
	unsigned int i;

	spin_lock(&testalg_lock);
	data_packets[s->kind]++;
	data_starts += s->start;
	data_ends += s->end;
	if (s->start)
		data_msg_bytes += s->msg_bytes;
	/* A READ of the peer takes as many numbers as it has responses. */
	if (rx->next_seq[resp] && rx->next_seq[resp] != s->seq)
		data_gaps++;
	rx->next_seq[resp] = s->kind == RXE_CC_DATA_READ_REQ ? 0 : s->seq + 1;
	data_hops += s->nr_hops;
	if (s->has_owd) {
		data_owds++;
		data_owd_ns = s->owd_ns;
	}
	if (s->path_hops)
		data_path_hops = s->path_hops;
	for (i = 0; i < s->nr_hops; i++)
		data_tx_bytes += s->hops[i].tx_bytes;
	spin_unlock(&testalg_lock);
	return s->start && flow->params[TESTALG_TELL_NOW] ? RXE_CC_RX_REPORT : 0;
}

static u32 testalg_on_group(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	const struct testalg_port *p = flow->port_priv;

	spin_lock(&testalg_lock);
	group_calls++;
	group_bytes = p->bytes;
	spin_unlock(&testalg_lock);
	return 0;
}

static int testalg_cmd_window(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
			      struct rxe_cc_cmd_call *c)
{
	if (c->args[0] > flow->params[TESTALG_WINDOW]) {
		c->why = "above the parameter window";
		return -EDOM;
	}
	c->var[c->nr_vars++] = (struct rxe_cc_var){ "was_bytes", flow->cwnd_bytes };
	flow->cwnd_bytes = c->args[0];
	return 0;
}

static int testalg_cmd_announce(void *peer_priv, void *port_priv,
				struct rxe_cc_port_call *p, struct rxe_cc_cmd_call *c)
{
	u64 bytes = c->args[0] * c->args[1], had;
	struct testalg_peer *peer = peer_priv;
	struct testalg_port *all = port_priv;
	int err = 0;

	spin_lock(&testalg_lock);
	had = peer->epoch == all->epoch ? peer->bytes : 0;
	if (had + bytes > p->params[TESTALG_QUOTA]) {
		c->why = "the peer's quota is used up";
		err = -EDQUOT;
	} else if (!c->check) {
		peer->bytes = had + bytes;
		peer->epoch = all->epoch;
		all->bytes += bytes;
		p->kick = true;
		c->var[c->nr_vars++] = (struct rxe_cc_var){ "peer_bytes", peer->bytes };
		c->var[c->nr_vars++] = (struct rxe_cc_var){ "port_bytes", all->bytes };
	}
	spin_unlock(&testalg_lock);
	return err;
}

static int testalg_cmd_forget(void *port_priv, struct rxe_cc_port_call *p,
			      struct rxe_cc_cmd_call *c)
{
	struct testalg_port *all = port_priv;

	spin_lock(&testalg_lock);
	c->var[c->nr_vars++] = (struct rxe_cc_var){ "was_bytes", all->bytes };
	all->bytes = 0;
	all->epoch++;
	p->kick = true;
	spin_unlock(&testalg_lock);
	return 0;
}

static const struct rxe_cc_param testalg_window_args[] = {
	{ "bytes", "bytes", 1, 1ULL << 40, 1, "window" },
};

static const struct rxe_cc_param testalg_announce_args[] = {
	{ "bytes", "bytes", 1, 1ULL << 40, 1, "bytes of each flow" },
	{ "flows", "count", 1, 1000, 1, "how many of them" },
};

static const struct rxe_cc_cmd testalg_cmds[] = {
	{
		.name = "window", .help = "a window, until the parameters change",
		.args = testalg_window_args, .nr_args = ARRAY_SIZE(testalg_window_args),
		.required = BIT(0), .to_qp = testalg_cmd_window,
	}, {
		.name = "announce", .help = "flows to a peer are about to start",
		.args = testalg_announce_args,
		.nr_args = ARRAY_SIZE(testalg_announce_args),
		.required = BIT(0), .to_peer = testalg_cmd_announce,
	}, {
		.name = "forget", .help = "what was announced holds no longer",
		.to_port = testalg_cmd_forget,
	},
};

static struct rxe_cc_ops testalg_ops = {
	.name = "testalg",
	.owner = THIS_MODULE,
	.init = testalg_set,
	.params_changed = testalg_set,
	.on_ack = testalg_on_ack,
	.on_data = testalg_on_data,
	.fill_ack = testalg_fill_ack,
	.on_group = testalg_on_group,
	.all_data = true,
	.params = testalg_params,
	.nr_params = ARRAY_SIZE(testalg_params),
	.cmds = testalg_cmds,
	.nr_cmds = ARRAY_SIZE(testalg_cmds),
	.port_priv_size = sizeof(struct testalg_port),
	.peer_priv_size = sizeof(struct testalg_peer),
	.needs = RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.rx_priv_size = sizeof(struct testalg_rx),
};

static int __init testalg_module_init(void)
{
	return rxe_cc_register(&testalg_ops);
}

static void __exit testalg_module_exit(void)
{
	rxe_cc_unregister(&testalg_ops);
}

module_init(testalg_module_init);
module_exit(testalg_module_exit);
MODULE_ALIAS_RXE_CC("testalg");
MODULE_DESCRIPTION("Algorithm for the selftests of rxe_cc");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
