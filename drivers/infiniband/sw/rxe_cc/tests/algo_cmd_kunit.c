// SPDX-License-Identifier: GPL-2.0
/*
 * Commands to algorithms: which tables are accepted, which arguments, what a call
 * changes, and that a refused one changes nothing.
 */
#include <net/genetlink.h>
#include <net/ipv6.h>

#include "ctl/cc_netlink.h"
#include "core_fixture.h"

#define CMD_RATE_BPS	5000000000ULL
#define CMD_PASS_US	100
#define CMD_PEER	0x0a000001
#define CMD_TIMER_NS	(50 * NSEC_PER_USEC)

/* What the algorithm is to do, and what it saw: calls bring no pointer to the test. */
static struct {
	int err;
	unsigned int calls, groups, port_timers;
	u64 args[RXE_CC_MAX_CMD_ARGS];
	u64 timer_ns;
	bool kick, kick_peer;
	struct rxe_cc_sample s;
	void *port_priv, *peer_priv;
} cmd_test;

static void cmd_called(struct rxe_cc_cmd_call *c)
{
	cmd_test.calls++;
	cmd_test.args[0] = c->args[0];
	cmd_test.args[1] = c->args[1];
	c->why = "it was told to";
	c->var[c->nr_vars++] = (struct rxe_cc_var){ "answer", 42 };
}

static int cmd_to_qp(struct rxe_cc_flow *f, const struct rxe_cc_sample *s,
		     struct rxe_cc_cmd_call *c)
{
	cmd_called(c);
	cmd_test.s = *s;
	if (cmd_test.err)
		return cmd_test.err;
	f->rate_bps = CMD_RATE_BPS;
	f->kick_port = cmd_test.kick;
	return 0;
}

static int cmd_to_port(void *port_priv, struct rxe_cc_port_call *p,
		       struct rxe_cc_cmd_call *c)
{
	cmd_called(c);
	cmd_test.port_priv = port_priv;
	/* Also when it refuses: then they must not count. */
	p->kick = cmd_test.kick;
	c->kick_peer = cmd_test.kick_peer;
	if (cmd_test.timer_ns)
		p->timer_ns = p->now_ns + cmd_test.timer_ns;
	return cmd_test.err;
}

static int cmd_to_peer(void *peer_priv, void *port_priv, struct rxe_cc_port_call *p,
		       struct rxe_cc_cmd_call *c)
{
	cmd_test.peer_priv = peer_priv;
	return cmd_to_port(port_priv, p, c);
}

static u32 cmd_on_group(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	cmd_test.groups++;
	return 0;
}

static void cmd_on_port_timer(void *port_priv, struct rxe_cc_port_call *c)
{
	cmd_test.port_timers++;
}

static void cmd_init(struct rxe_cc_flow *f, u64 now_ns)
{
}

static const struct rxe_cc_param cmd_args[] = {
	{ "bytes", "bytes", 10, 100, 10, "of each flow" },
	{ "flows", "count", 1, 8, 3, "how many of them" },
};

#define CMD(_name, ...)						\
	{ .name = _name, .help = "for the test", .args = cmd_args,	\
	  .nr_args = ARRAY_SIZE(cmd_args), .required = BIT(0), __VA_ARGS__ }

static const struct rxe_cc_cmd cmds[] = {
	CMD("flow", .to_qp = cmd_to_qp),
	CMD("host", .to_peer = cmd_to_peer),
	CMD("all", .to_port = cmd_to_port),
};

/**
 * struct cmd_rig - a queue pair that is connected, under an algorithm with commands
 * @rig: port, and a queue pair that is not connected
 * @ops: algorithm
 * @h: queue pair
 * @info: its path
 * @args: arguments
 * @c: call
 */
struct cmd_rig {
	struct core_rig *rig;
	struct rxe_cc_ops ops;
	struct rxe_cc_qp_handle h;
	struct rxe_cc_qp_info info;
	u64 args[RXE_CC_MAX_CMD_ARGS];
	struct rxe_cc_cmd_call c;
};

static void cmd_end(void *data)
{
	struct cmd_rig *r = data;

	rxe_cc_qp_del(&r->h);
}

static struct cmd_rig *cmd_new(struct kunit *test)
{
	struct cmd_rig *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, r);
	memset(&cmd_test, 0, sizeof(cmd_test));
	r->rig = core_rig_new(test, 0, 0);
	r->ops = (struct rxe_cc_ops) {
		.init = cmd_init, .on_group = cmd_on_group,
		.on_port_timer = cmd_on_port_timer,
		.port_priv_size = sizeof(u64), .peer_priv_size = sizeof(u64),
		.cmds = cmds, .nr_cmds = ARRAY_SIZE(cmds),
		.name = "commands", .owner = THIS_MODULE,
	};
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&r->rig->ph, &r->ops, NULL));
	r->info = r->rig->info;
	r->info.qpn = 100;
	ipv6_addr_set_v4mapped(htonl(CMD_PEER), &r->info.peer);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&r->rig->ph, &r->h, &r->info, r));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, cmd_end, r));
	r->args[0] = 20;
	r->args[1] = 3;
	r->c.args = r->args;
	return r;
}

/* @peer: of the host, for "host". */
static int cmd_give(struct cmd_rig *r, const char *name, u32 peer)
{
	struct in6_addr addr = {};
	int err;

	if (peer)
		ipv6_addr_set_v4mapped(htonl(peer), &addr);
	err = rxe_cc_test_cmd(r->h.qp, &addr, name, &r->c);
	core_rig_pass(CMD_PASS_US);
	return err;
}

static void cmd__qp(struct kunit *test)
{
	struct cmd_rig *r = cmd_new(test);

	cmd_test.kick = true;
	KUNIT_EXPECT_EQ(test, 0, cmd_give(r, "flow", 0));
	KUNIT_EXPECT_EQ(test, cmd_test.calls, 1U);
	KUNIT_EXPECT_EQ(test, cmd_test.args[0], 20ULL);
	KUNIT_EXPECT_EQ(test, cmd_test.args[1], 3ULL);
	KUNIT_EXPECT_NE(test, cmd_test.s.now_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, r->c.nr_vars, 1U);
	/* The core has done with the flow what it does after any call. */
	KUNIT_EXPECT_EQ(test, r->h.qp->pacer.rate_bps, CMD_RATE_BPS);
	KUNIT_EXPECT_FALSE(test, r->h.qp->flow.kick_port);
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 2U);
}

static void cmd__qp_refused(struct kunit *test)
{
	struct cmd_rig *r = cmd_new(test);
	u64 rate_bps = r->h.qp->pacer.rate_bps;

	KUNIT_ASSERT_NE(test, rate_bps, CMD_RATE_BPS);
	cmd_test.err = -EDQUOT;
	KUNIT_EXPECT_EQ(test, -EDQUOT, cmd_give(r, "flow", 0));
	KUNIT_EXPECT_STREQ(test, r->c.why, "it was told to");
	KUNIT_EXPECT_EQ(test, r->h.qp->pacer.rate_bps, rate_bps);
	KUNIT_EXPECT_EQ(test, r->h.qp->flow.rate_bps, rate_bps);
}

static void cmd__port(struct kunit *test)
{
	struct cmd_rig *r = cmd_new(test);

	cmd_test.kick = true;
	cmd_test.timer_ns = CMD_TIMER_NS;
	KUNIT_EXPECT_EQ(test, 0, cmd_give(r, "all", 0));
	KUNIT_EXPECT_PTR_EQ(test, cmd_test.port_priv, r->h.qp->flow.port_priv);
	/* All flows: that of the rig too. */
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 2U);
	core_rig_pass(CMD_PASS_US);
	KUNIT_EXPECT_EQ(test, cmd_test.port_timers, 1U);

	cmd_test.err = -EPERM;
	KUNIT_EXPECT_EQ(test, -EPERM, cmd_give(r, "all", 0));
	core_rig_pass(CMD_PASS_US);
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 2U);
	KUNIT_EXPECT_EQ(test, cmd_test.port_timers, 1U);
}

static void cmd__peer(struct kunit *test)
{
	struct cmd_rig *r = cmd_new(test);

	cmd_test.kick_peer = true;
	/* A host to which nobody is connected; those who are not connected. */
	KUNIT_EXPECT_EQ(test, -ENOENT, cmd_give(r, "host", CMD_PEER + 1));
	KUNIT_EXPECT_EQ(test, -ENOENT, cmd_give(r, "host", 0));
	KUNIT_EXPECT_EQ(test, cmd_test.calls, 0U);
	KUNIT_EXPECT_EQ(test, 0, cmd_give(r, "host", CMD_PEER));
	KUNIT_EXPECT_PTR_EQ(test, cmd_test.peer_priv, r->h.qp->flow.peer_priv);
	KUNIT_EXPECT_PTR_EQ(test, cmd_test.port_priv, r->h.qp->flow.port_priv);
	/* Not that of the rig, which is not connected. */
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 1U);
	cmd_test.err = -EPERM;
	KUNIT_EXPECT_EQ(test, -EPERM, cmd_give(r, "host", CMD_PEER));
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 1U);
}

/* The host is known for a while after its last queue pair; then another algorithm
 * has neither the command nor the state.
 */
static void cmd__peer_leaves(struct kunit *test)
{
	struct cmd_rig *r = cmd_new(test);
	struct rxe_cc_qp *other = r->rig->h.qp;
	struct in6_addr addr = {};

	ipv6_addr_set_v4mapped(htonl(CMD_PEER), &addr);
	rxe_cc_qp_del(&r->h);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_test_cmd(other, &addr, "host", &r->c));
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&r->rig->ph, &r->rig->ops, NULL));
	KUNIT_EXPECT_EQ(test, -ENOENT, rxe_cc_test_cmd(other, &addr, "host", &r->c));
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&r->rig->ph, &r->ops, NULL));
	KUNIT_EXPECT_EQ(test, -ENOENT, rxe_cc_test_cmd(other, &addr, "host", &r->c));
	KUNIT_EXPECT_EQ(test, cmd_test.calls, 1U);
}

/* A queue pair that runs another algorithm is told no more of what this one's flows
 * share, and those that stay are; when it comes back it is.
 */
static void cmd__leaves(struct kunit *test)
{
	struct cmd_rig *r = cmd_new(test);
	struct rxe_cc_port *port = r->h.qp->port;

	cmd_test.kick = true;
	__module_get(THIS_MODULE);
	mutex_lock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_qp_choose(r->h.qp, &r->rig->ops));
	mutex_unlock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_test_cmd(r->rig->h.qp, NULL, "all", &r->c));
	core_rig_pass(CMD_PASS_US);
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 1U);
	mutex_lock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_qp_choose(r->h.qp, NULL));
	mutex_unlock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_test_cmd(r->rig->h.qp, NULL, "all", &r->c));
	core_rig_pass(CMD_PASS_US);
	KUNIT_EXPECT_EQ(test, cmd_test.groups, 3U);
}

struct cmd_arg {
	const char *name;
	u64 value;
};

/* Arguments in a request, and what becomes of them: an error and what extack says, or the
 * values.
 */
static const struct cmd_request {
	struct cmd_arg arg[3];
	unsigned int nr;
	int err;
	const char *why;
	u64 bytes, flows;
} cmd_requests[] = {
	{ { { "bytes", 20 } }, 1, 0, NULL, 20, 3 },
	{ { { "bytes", 10 }, { "flows", 8 } }, 2, 0, NULL, 10, 8 },
	{ { { "flows", 1 }, { "bytes", 100 } }, 2, 0, NULL, 100, 1 },
	{ { { "bytes", 9 } }, 1, -ERANGE, "not in 10..100 bytes" },
	{ { { "bytes", 101 } }, 1, -ERANGE, "not in 10..100 bytes" },
	{ { { "bytes", U64_MAX } }, 1, -ERANGE, "not in 10..100 bytes" },
	{ { { "bytes", 20 }, { "flows", 0 } }, 2, -ERANGE, "not in 1..8 count" },
	{ { { "byte", 20 } }, 1, -ENOENT, "flow has no byte" },
	{ { { "bytes", 20 }, { "bytes", 20 } }, 2, -EINVAL, "given twice" },
	{ { { "flows", 2 } }, 1, -EINVAL, "flow needs bytes" },
	{ { }, 0, -EINVAL, "flow needs bytes" },
};

static void cmd__args(struct kunit *test)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(cmd_requests); i++) {
		const struct cmd_request *q = &cmd_requests[i];
		struct sk_buff *skb = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
		u64 args[RXE_CC_MAX_CMD_ARGS] = {};
		struct netlink_ext_ack extack = {};
		struct genl_info info = { .extack = &extack };
		struct nlmsghdr *nlh;

		KUNIT_ASSERT_NOT_NULL(test, skb);
		nlh = nlmsg_put(skb, 0, 0, GENL_ID_CTRL, GENL_HDRLEN, 0);
		info.nlhdr = nlh;
		for (j = 0; j < q->nr; j++) {
			struct nlattr *nest = nla_nest_start(skb, RXE_CC_A_COMMAND_ARG);

			nla_put_string(skb, RXE_CC_A_PARAM_NAME, q->arg[j].name);
			nla_put(skb, RXE_CC_A_PARAM_VALUE, sizeof(u64), &q->arg[j].value);
			nla_nest_end(skb, nest);
		}
		nlmsg_end(skb, nlh);
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_nl_args(&info, &cmds[0], args), q->err,
				    "row %u", i);
		if (q->why)
			KUNIT_EXPECT_STREQ_MSG(test, extack._msg, q->why, "row %u", i);
		if (!q->err) {
			KUNIT_EXPECT_EQ_MSG(test, args[0], q->bytes, "row %u", i);
			KUNIT_EXPECT_EQ_MSG(test, args[1], q->flows, "row %u", i);
		}
		nlmsg_free(skb);
	}
}

static const struct rxe_cc_param cmd_args_twice[] = {
	{ "bytes", "bytes", 10, 100, 10, "of each flow" },
	{ "bytes", "bytes", 10, 100, 10, "again" },
};

static const struct rxe_cc_param cmd_args_range[] = {
	{ "bytes", "bytes", 10, 100, 101, "the default is not in the range" },
	{ "flows", "count", 1, 8, 3, "how many of them" },
};

static const struct rxe_cc_cmd cmd_good[2] = {
	CMD("one", .to_qp = cmd_to_qp), CMD("two", .to_port = cmd_to_port),
};

static const struct {
	const char *what;
	struct rxe_cc_cmd cmd[2];
} cmd_bad[] = {
	{ "names twice", { CMD("one", .to_qp = cmd_to_qp), CMD("one", .to_qp = cmd_to_qp) } },
	{ "no call", { CMD("one"), CMD("two", .to_qp = cmd_to_qp) } },
	{ "two calls", { CMD("one", .to_qp = cmd_to_qp, .to_port = cmd_to_port),
			 CMD("two", .to_qp = cmd_to_qp) } },
	{ "no name", { CMD(NULL, .to_qp = cmd_to_qp), CMD("two", .to_qp = cmd_to_qp) } },
	{ "a name that cannot be typed", { CMD("One", .to_qp = cmd_to_qp),
					   CMD("two", .to_qp = cmd_to_qp) } },
	{ "a name that is too long", { CMD("a12345678901234567890123456789012",
					   .to_qp = cmd_to_qp),
				       CMD("two", .to_qp = cmd_to_qp) } },
};

static const struct {
	const char *what;
	const struct rxe_cc_param *args;
	unsigned int nr_args;
	u32 required;
} cmd_bad_args[] = {
	{ "an argument twice", cmd_args_twice, 2, 0 },
	{ "a default out of range", cmd_args_range, 2, 0 },
	{ "one required that there is not", cmd_args, 2, BIT(2) },
	{ "too many", cmd_args, RXE_CC_MAX_CMD_ARGS + 1, 0 },
	{ "no table", NULL, 1, 0 },
};

static int cmd_register(const struct rxe_cc_cmd *table, unsigned int nr)
{
	struct rxe_cc_ops ops = {
		.init = cmd_init, .cmds = table, .nr_cmds = nr,
		.name = "commands", .owner = THIS_MODULE,
	};
	int err = rxe_cc_register(&ops);

	if (!err)
		rxe_cc_unregister(&ops);
	return err;
}

static void cmd__tables(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 0, cmd_register(cmd_good, ARRAY_SIZE(cmd_good)));
	KUNIT_EXPECT_EQ(test, -EINVAL, cmd_register(cmd_good, RXE_CC_MAX_CMDS + 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, cmd_register(NULL, 1));
	for (i = 0; i < ARRAY_SIZE(cmd_bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, cmd_register(cmd_bad[i].cmd, 2),
				    "%s", cmd_bad[i].what);
	for (i = 0; i < ARRAY_SIZE(cmd_bad_args); i++) {
		struct rxe_cc_cmd cmd = cmd_good[0];

		cmd.args = cmd_bad_args[i].args;
		cmd.nr_args = cmd_bad_args[i].nr_args;
		cmd.required = cmd_bad_args[i].required;
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, cmd_register(&cmd, 1), "%s",
				    cmd_bad_args[i].what);
	}
}

static struct kunit_case cmd_cases[] = {
	KUNIT_CASE(cmd__qp),
	KUNIT_CASE(cmd__qp_refused),
	KUNIT_CASE(cmd__port),
	KUNIT_CASE(cmd__peer),
	KUNIT_CASE(cmd__peer_leaves),
	KUNIT_CASE(cmd__leaves),
	KUNIT_CASE(cmd__args),
	KUNIT_CASE(cmd__tables),
	{}
};

static struct kunit_suite cmd_suite = {
	.name = "rxe_cc_cmd",
	.test_cases = cmd_cases,
};

kunit_test_suite(cmd_suite);
