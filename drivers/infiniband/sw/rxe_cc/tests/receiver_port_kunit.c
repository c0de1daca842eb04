// SPDX-License-Identifier: GPL-2.0
/*
 * Receiver port state: messages and senders in flight, bytes of a round, smallest delays,
 * case by case and against a plain model.
 */
#include "core_fixture.h"
#include "cc_prng.h"

#define LINGER_NS	12000ULL
#define IDLE_NS		200000ULL
#define START_NS	NSEC_PER_SEC
#define MANY		10000
#define RXP_PEERS	8
#define RXP_FLOWS	64
#define RXP_PKT		1106

/**
 * struct rxp_rig - a port, some peers, some queue pairs
 * @rp: the port
 * @rules: what is wanted
 * @peer: peers
 * @ent: queue pairs; that of index i is connected to peer i % RXP_PEERS
 * @now_ns: time
 */
struct rxp_rig {
	struct rxe_cc_rx_port rp;
	struct rxe_cc_rx_rules rules;
	struct rxe_cc_rx_peer peer[RXP_PEERS];
	struct rxe_cc_rx_ent ent[RXP_FLOWS];
	u64 now_ns;
};

static void rxp_rules(struct rxp_rig *rig)
{
	rxe_cc_rxp_set(&rig->rp, &rig->rules, 0, NSEC_PER_SEC, rig->now_ns);
}

static struct rxp_rig *rxp_new(struct kunit *test)
{
	struct rxp_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->now_ns = START_NS;
	rig->rules = (struct rxe_cc_rx_rules) {
		.linger_ns = LINGER_NS, .idle_ns = IDLE_NS, .on = true,
	};
	rxe_cc_rxp_init(&rig->rp, NULL);
	for (i = 0; i < RXP_PEERS; i++)
		rxe_cc_rxp_peer_init(&rig->peer[i], i);
	rxp_rules(rig);
	return rig;
}

static void rxp_packet(struct rxp_rig *rig, unsigned int i, u8 kind, bool end)
{
	rxe_cc_rxp_packet(&rig->rp, &rig->ent[i], &rig->peer[i % RXP_PEERS], kind, RXP_PKT, end,
			  rig->now_ns);
}

static struct rxe_cc_rx_view rxp_view(struct rxp_rig *rig)
{
	struct rxe_cc_rx_view v;

	rxe_cc_rxp_view(&rig->rp, &rig->peer[0], &v, rig->now_ns);
	return v;
}

static u32 rxp_msgs(struct rxp_rig *rig)
{
	return rxp_view(rig).msgs;
}

/* Nobody counts any more, and nothing is left behind. */
static void rxp_expect_empty(struct kunit *test, struct rxp_rig *rig)
{
	struct rxe_cc_rx_view v = rxp_view(rig);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, v.msgs, 0U);
	KUNIT_EXPECT_EQ(test, v.msgs_all, 0U);
	KUNIT_EXPECT_EQ(test, v.senders, 0U);
	KUNIT_EXPECT_EQ(test, rig->rp.due_ns, U64_MAX);
	KUNIT_EXPECT_EQ(test, rig->rp.shares_q16, 0ULL);
	KUNIT_EXPECT_EQ(test, rig->rp.hosts_q16, 0ULL);
	for (i = 0; i < RXP_PEERS; i++) {
		KUNIT_EXPECT_EQ(test, rig->peer[i].msgs, 0U);
		KUNIT_EXPECT_EQ(test, rig->peer[i].capped, 0U);
		KUNIT_EXPECT_EQ(test, rig->peer[i].shares_q16, 0ULL);
	}
}

/**
 * struct rxp_step - a packet of queue pair 0, and what is in flight then
 * @after_ns: time since the one before
 * @kind: enum rxe_cc_data_kind; RXP_NONE: time passes, no packet comes
 * @end: the last of its message
 * @msgs: messages in flight right after it
 */
struct rxp_step {
	u64 after_ns;
	u8 kind;
	bool end;
	u32 msgs;
};

#define RXP_NONE	0xff
#define RXP_STEPS	8

struct rxp_case {
	const char *name;
	struct rxp_step step[RXP_STEPS];
};

#define SEND	RXE_CC_DATA_SEND
#define WR	RXE_CC_DATA_WRITE
#define REQ	RXE_CC_DATA_READ_REQ
#define RESP	RXE_CC_DATA_READ_RESP

static const struct rxp_case rxp_cases[] = {
	{ "SEND of three packets", {
		{ 0, SEND, false, 1 }, { 100, SEND, false, 1 }, { 100, SEND, true, 1 },
		{ LINGER_NS - 1, RXP_NONE, false, 1 }, { 1, RXP_NONE, false, 0 },
	} },
	{ "SEND of one packet", {
		{ 0, SEND, true, 1 }, { LINGER_NS - 1, RXP_NONE, false, 1 },
		{ 1, RXP_NONE, false, 0 },
	} },
	{ "WRITE", {
		{ 0, WR, false, 1 }, { 100, WR, true, 1 },
		{ LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "READ response", {
		{ 0, RESP, false, 1 }, { 100, RESP, true, 1 },
		{ LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "atomic", {
		{ 0, RXE_CC_DATA_ATOMIC, true, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "something else", {
		{ 0, RXE_CC_DATA_OTHER, true, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "READ request: no data", { { 0, REQ, true, 0 } } },
	{ "READ request while a message is open", {
		{ 0, SEND, false, 1 }, { 0, REQ, true, 1 }, { LINGER_NS, RXP_NONE, false, 1 },
		{ IDLE_NS - LINGER_NS - 1, RXP_NONE, false, 1 }, { 1, RXP_NONE, false, 0 },
	} },
	{ "SEND within a READ: one flow", {
		{ 0, RESP, false, 1 }, { 10, SEND, true, 1 }, { LINGER_NS, RXP_NONE, false, 1 },
		{ 10, RESP, true, 1 }, { LINGER_NS - 1, RXP_NONE, false, 1 },
		{ 1, RXP_NONE, false, 0 },
	} },
	{ "READ that goes on after a loss starts again: the same", {
		{ 0, RESP, false, 1 }, { 100, RESP, false, 1 }, { 5000, RESP, false, 1 },
		{ 100, RESP, true, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "back to back: no gap", {
		{ 0, SEND, true, 1 }, { LINGER_NS - 1, SEND, true, 1 },
		{ LINGER_NS - 1, SEND, true, 1 }, { LINGER_NS - 1, RXP_NONE, false, 1 },
		{ 1, RXP_NONE, false, 0 },
	} },
	{ "the end is lost, and comes later", {
		{ 0, WR, false, 1 }, { IDLE_NS - 1, RXP_NONE, false, 1 },
		{ 0, WR, true, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "the end never comes", {
		{ 0, WR, false, 1 }, { 5000, WR, false, 1 },
		{ IDLE_NS - 1, RXP_NONE, false, 1 }, { 1, RXP_NONE, false, 0 },
	} },
	{ "silent, then it goes on: counts again", {
		{ 0, WR, false, 1 }, { IDLE_NS, RXP_NONE, false, 0 },
		{ 0, WR, false, 1 }, { 1, WR, true, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "a READ that was given up does not hold a SEND open", {
		{ 0, RESP, false, 1 }, { IDLE_NS, RXP_NONE, false, 0 }, { 0, SEND, true, 1 },
		{ LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "an end without a start is a message of a packet", {
		{ 0, WR, true, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "UC: the end was lost, the next message starts", {
		{ 0, SEND, false, 1 }, { 100, SEND, false, 1 }, { 100, SEND, true, 1 },
		{ LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "time stands still", {
		{ 0, SEND, false, 1 }, { 0, SEND, true, 1 }, { 0, SEND, false, 1 },
		{ 0, SEND, true, 1 }, { 0, RXP_NONE, false, 1 }, { LINGER_NS, RXP_NONE, false, 0 },
	} },
	{ "time jumps", {
		{ 0, SEND, false, 1 }, { 1ULL << 62, RXP_NONE, false, 0 },
		{ 0, SEND, true, 1 }, { LINGER_NS, SEND, true, 1 },
		{ 1ULL << 61, RXP_NONE, false, 0 },
	} },
};

KUNIT_ARRAY_PARAM_DESC(rxp_case, rxp_cases, name);

static void rxport_msgs__table(struct kunit *test)
{
	const struct rxp_case *c = test->param_value;
	struct rxp_rig *rig = rxp_new(test);
	unsigned int i;

	for (i = 0; i < RXP_STEPS; i++) {
		const struct rxp_step *s = &c->step[i];

		/* There are no more. */
		if (!memchr_inv(s, 0, sizeof(*s)))
			break;
		rig->now_ns += s->after_ns;
		if (s->kind != RXP_NONE)
			rxp_packet(rig, 0, s->kind, s->end);
		KUNIT_ASSERT_EQ_MSG(test, rxp_msgs(rig), s->msgs, "step %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rxp_view(rig).senders, s->msgs, "step %u", i);
	}
	rig->now_ns += IDLE_NS;
	rxp_expect_empty(test, rig);
}

/* Messages and hosts are different things. */
static void rxport_senders__count(struct kunit *test)
{
	struct rxp_rig *rig = rxp_new(test);
	unsigned int i;

	for (i = 0; i < RXP_FLOWS; i++) {
		rxp_packet(rig, i, SEND, false);
		KUNIT_EXPECT_EQ(test, rxp_msgs(rig), i + 1);
		KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, min(i + 1, (u32)RXP_PEERS));
	}
	/* The peer of queue pair 0 leaves when all of its have. */
	rig->now_ns += 1000;
	for (i = 0; i < RXP_FLOWS; i += RXP_PEERS) {
		KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, (u32)RXP_PEERS);
		rxe_cc_rxp_leave(&rig->rp, &rig->ent[i], rig->now_ns);
	}
	KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, RXP_PEERS - 1U);
	/* In the middle of a message, twice: once is enough. */
	rxe_cc_rxp_leave(&rig->rp, &rig->ent[0], rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_msgs(rig), (u32)(RXP_FLOWS - RXP_FLOWS / RXP_PEERS));
	/* One that is switched off has nothing in flight. */
	rig->rules.on = false;
	rxp_rules(rig);
	rxp_expect_empty(test, rig);
	rxp_packet(rig, 1, SEND, false);
	rxp_expect_empty(test, rig);
}

/* A look-ahead: counts until the first message starts, or it is over. */
static void rxport_senders__expected(struct kunit *test)
{
	struct rxp_rig *rig = rxp_new(test);

	rxe_cc_rxp_expect(&rig->rp, &rig->peer[0], 5000, rig->now_ns);
	rxe_cc_rxp_expect(&rig->rp, &rig->peer[1], 6000, rig->now_ns);
	rxe_cc_rxp_expect(&rig->rp, &rig->peer[2], 6000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, 3U);
	KUNIT_EXPECT_EQ(test, rxp_msgs(rig), 0U);
	/* Peer 1 sends a message of a packet: it is a sender as long as that counts. */
	rxp_packet(rig, 1, SEND, true);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, 3U);
	/* Of who sends already nothing is expected. */
	rxe_cc_rxp_expect(&rig->rp, &rig->peer[1], IDLE_NS, rig->now_ns);
	/* Peer 2 is expected longer. */
	rxe_cc_rxp_expect(&rig->rp, &rig->peer[2], 20000, rig->now_ns);
	rig->now_ns += 4999;
	KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, 3U);
	rig->now_ns += 1;
	KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, 2U);
	rig->now_ns += LINGER_NS - 5000;
	KUNIT_EXPECT_EQ(test, rxp_view(rig).senders, 1U);
	rig->now_ns = START_NS + 20000;
	rxp_expect_empty(test, rig);
	/* The peer goes before it has sent anything. */
	rxe_cc_rxp_expect(&rig->rp, &rig->peer[3], U64_MAX, rig->now_ns);
	rxe_cc_rxp_leave(&rig->rp, &rig->peer[3].expect, rig->now_ns);
	rxp_expect_empty(test, rig);
}

/* A host with 10000 queue pairs, each with a message, beside seven hosts with one each. With
 * a cap of K these have 1 / (7 + K) of the port each, whatever the other does, and what
 * all may have together is not more than all there is.
 */
static void rxport_cap__one_peer_opens_many(struct kunit *test)
{
	static const u32 caps[] = { 0, 1, 16, MANY - 1, MANY, MANY + 1 };
	struct rxe_cc_rx_ent *many = kunit_kcalloc(test, MANY, sizeof(*many), GFP_KERNEL);
	struct rxp_rig *rig = rxp_new(test);
	const u64 all = 1000000000000ULL;
	struct rxe_cc_rx_view v, other;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, many);
	for (i = 0; i < MANY; i++)
		rxe_cc_rxp_packet(&rig->rp, &many[i], &rig->peer[0], WR, RXP_PKT, false,
				  rig->now_ns);
	for (i = 1; i < RXP_PEERS; i++)
		rxp_packet(rig, i, WR, false);
	for (i = 0; i < ARRAY_SIZE(caps); i++) {
		u32 k = caps[i] ? min_t(u32, caps[i], MANY) : MANY;

		rig->rules.peer_max = caps[i];
		rxp_rules(rig);
		v = rxp_view(rig);
		rxe_cc_rxp_view(&rig->rp, &rig->peer[1], &other, rig->now_ns);
		KUNIT_EXPECT_EQ(test, v.msgs, k + RXP_PEERS - 1);
		KUNIT_EXPECT_EQ(test, v.msgs_all, MANY + RXP_PEERS - 1U);
		KUNIT_EXPECT_EQ(test, v.senders, (u32)RXP_PEERS);
		KUNIT_EXPECT_EQ(test, v.peer_msgs, (u32)MANY);
		KUNIT_EXPECT_EQ(test, v.peer_counted, k);
		KUNIT_EXPECT_EQ(test, rxe_cc_rx_share(&other, all), all / (k + RXP_PEERS - 1));
		KUNIT_EXPECT_LE(test, MANY * rxe_cc_rx_share(&v, all) +
				(RXP_PEERS - 1) * rxe_cc_rx_share(&other, all), all);
		KUNIT_EXPECT_GE(test, MANY * rxe_cc_rx_share(&v, all) +
				(RXP_PEERS - 1) * rxe_cc_rx_share(&other, all),
				all - all / 1000);
	}
	/* All leave in the order in which they came, or expire at once. */
	for (i = 0; i < MANY / 2; i++)
		rxe_cc_rxp_leave(&rig->rp, &many[i], rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_msgs(rig), MANY - MANY / 2 + RXP_PEERS - 1U);
	rig->now_ns += IDLE_NS;
	rxp_expect_empty(test, rig);
}

static void rxport_share__table(struct kunit *test)
{
	static const struct {
		u32 msgs, peer_msgs, peer_counted;
		u64 total, share;
	} t[] = {
		{ 0, 0, 0, 1000, 1000 },
		{ 1, 1, 1, 1000, 1000 },
		{ 3, 1, 1, 1000, 333 },
		/* The ACK of one that has nothing in flight. */
		{ 4, 0, 0, 1000, 250 },
		{ 10, 8, 4, 1000, 50 },
		{ 1, 1, 1, U64_MAX, U64_MAX },
		{ U32_MAX, U32_MAX, 1, U64_MAX, 1 },
		{ U32_MAX, U32_MAX, U32_MAX, U64_MAX, U32_MAX + 2ULL },
		/* Cannot be. */
		{ 1, 2, 0, 1000, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct rxe_cc_rx_view v = {
			.msgs = t[i].msgs, .peer_msgs = t[i].peer_msgs,
			.peer_counted = t[i].peer_counted,
		};

		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_rx_share(&v, t[i].total), t[i].share,
				    "row %u", i);
	}
}

/* Ports of 100 Gbit/s on which messages count by what they delivered in T = 12 us, 150 KB. */
#define SHARE_LINE_BPS	(100ULL * NSEC_PER_SEC)
#define SHARE_T_NS	12000ULL
#define SHARE_BYTES	150000ULL
#define SHARE_FLOWS	160

static struct rxp_rig *share_new(struct kunit *test, bool weigh, u64 linger_ns)
{
	struct rxp_rig *rig = rxp_new(test);

	rig->rp.line_bps = SHARE_LINE_BPS;
	rig->rules.linger_ns = linger_ns;
	rig->rules.idle_ns = NSEC_PER_SEC;
	rig->rules.weigh = weigh;
	rxe_cc_rxp_set(&rig->rp, &rig->rules, SHARE_T_NS, NSEC_PER_SEC, rig->now_ns);
	return rig;
}

static void share_packet(struct rxp_rig *rig, struct rxe_cc_rx_ent *ent, unsigned int peer,
			 u32 bytes, bool end)
{
	rxe_cc_rxp_packet(&rig->rp, ent, &rig->peer[peer], WR, bytes, end, rig->now_ns);
}

/*
 * A message that goes on, of queue pair 0, beside M queue pairs of other hosts that send 64
 * bytes, 170 on the wire, every 4 us. In T a mouse delivers 510 bytes, and one more packet with the
 * first of them: B <= 680. It counts as at most (5/4 B + 170) N / 150000 of a flow, 1020 N /
 * 150000, so N = 1 / (1 - 1020 M / 150000). With n_linger instead N would be M + 1 at the end.
 */
static void rxport_share__mice(struct kunit *test)
{
	static const u32 mice[] = { 0, 1, 4, 16, 48 };
	unsigned int i, j, step;

	for (i = 0; i < ARRAY_SIZE(mice); i++) {
		struct rxp_rig *rig = share_new(test, true, 0);
		u64 most_q16 = 65536 * SHARE_BYTES / (SHARE_BYTES - 1020 * mice[i]);
		struct rxe_cc_rx_view v;

		rxp_packet(rig, 0, WR, false);
		for (step = 0; step < 400; step++) {
			for (j = 0; j < mice[i]; j++) {
				rig->now_ns += 4000 / mice[i];
				share_packet(rig, &rig->ent[j + 1], 1 + j % (RXP_PEERS - 1), 170,
					     true);
				v = rxp_view(rig);
				KUNIT_ASSERT_LE_MSG(test, v.parts_q16, most_q16 + mice[i],
						    "%u mice, step %u", mice[i], step);
			}
		}
		v = rxp_view(rig);
		/* And they do count for what they send. */
		KUNIT_EXPECT_GE(test, v.parts_q16, 65536 + mice[i] * 65536 * 510 / SHARE_BYTES);
		/* The goal for 16: the flow takes less than 1.3 of its time alone. */
		if (mice[i] <= 16)
			KUNIT_EXPECT_GE(test, rxe_cc_rx_share(&v, 1300), 1000ULL);
		KUNIT_EXPECT_EQ(test, v.msgs, 1 + mice[i]);
		rig->now_ns += SHARE_T_NS;
		KUNIT_EXPECT_EQ(test, rxp_view(rig).parts_q16, 65536ULL);
		rig->now_ns += NSEC_PER_SEC;
		rxp_expect_empty(test, rig);
	}
}

/*
 * n queue pairs that send messages of one packet back to back, each at its share of the
 * line, count as n, from the second packet of each on: a packet counts for twice the time that it
 * takes at the share, or T. So do those that get only 0.85 of it. Those that send a tenth of their
 * shares leave room for others: each counts as 5/4 of a tenth, and a packet of 1106 bytes.
 */
static void rxport_share__back_to_back(struct kunit *test)
{
	static const struct {
		u32 n, percent;
	} t[] = {
		{ 1, 100 }, { 6, 100 }, { 60, 100 }, { 140, 100 }, { 160, 100 }, { 60, 85 },
		{ 140, 85 }, { 12, 10 }, { 6, 10 },
	};
	struct rxe_cc_rx_ent *ent;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct rxp_rig *rig = share_new(test, true, 0);
		u64 gap_ns = div_u64(RXP_PKT * 8ULL * 100, 100 * t[i].percent), n_q16;

		ent = kunit_kcalloc(test, SHARE_FLOWS, sizeof(*ent), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, ent);
		/* As many as there are, then they count as they send. */
		for (k = 0; k < t[i].n; k++)
			share_packet(rig, &ent[k], k % RXP_PEERS, RXP_PKT, false);
		for (k = 0; k < 100 * t[i].n; k++) {
			rig->now_ns += gap_ns;
			share_packet(rig, &ent[k % t[i].n], k % t[i].n % RXP_PEERS, RXP_PKT, true);
			n_q16 = rxp_view(rig).parts_q16;
			if (k < 50 * t[i].n)
				continue;
			if (t[i].percent > 50)
				KUNIT_ASSERT_EQ_MSG(test, n_q16, t[i].n * 65536ULL,
						    "row %u, packet %u", i, k);
			else
				KUNIT_ASSERT_LE_MSG(test, n_q16,
						    max(t[i].n * 65536ULL / 4, 65536ULL),
						    "row %u, packet %u", i, k);
		}
	}
}

/*
 * 60 queue pairs begin at once, each in messages of a packet, and go by what they are told: the
 * line, 89 ns a packet, is full from the first T on. All deliver the same, so each has its share of
 * N = 60. Until then it counts as (5/4 2500 + 1106) N / 150000 = N / 35 with each packet, of
 * which N grows by 1.2 for each that all have sent, e^1.2 in all: 4 times are enough, and T
 * until the line is known to be full. There are two more.
 */
static void rxport_share__found(struct kunit *test)
{
	struct rxp_rig *rig = share_new(test, true, 0);
	u64 due_ns[60] = {}, first_ns;
	unsigned int i, k, next = 0;

	for (k = 0; k < 60 * 6 + 135 + 1200; k++) {
		struct rxe_cc_rx_view v;

		first_ns = U64_MAX;
		for (i = 0; i < 60; i++) {
			if (due_ns[(next + i) % 60] < first_ns) {
				first_ns = due_ns[(next + i) % 60];
				if (first_ns <= rig->now_ns)
					break;
			}
		}
		for (i = 0; i < 60 && due_ns[(next + i) % 60] != first_ns; i++)
			;
		next = (next + i) % 60;
		rig->now_ns = max(rig->now_ns, first_ns) + 89;
		share_packet(rig, &rig->ent[next], next % RXP_PEERS, RXP_PKT, true);
		rxe_cc_rxp_view(&rig->rp, &rig->peer[next % RXP_PEERS], &v, rig->now_ns);
		due_ns[next] = rig->now_ns +
			       rxe_cc_ns_for(RXP_PKT, rxe_cc_rx_share(&v, SHARE_LINE_BPS * 95 /
									   100));
		next++;
		if (k >= 60 * 6 + 135)
			KUNIT_ASSERT_EQ_MSG(test, v.parts_q16, 60 * 65536ULL, "packet %u", k);
	}
}

/* The paper's rule: from the first packet to the last. */
static void rxport_share__first_to_last(struct kunit *test)
{
	struct rxp_rig *rig = share_new(test, false, 1);

	rxp_packet(rig, 0, WR, false);
	rxp_packet(rig, 1, WR, true);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).parts_q16, 2 * 65536ULL);
	rig->now_ns++;
	KUNIT_EXPECT_EQ(test, rxp_view(rig).parts_q16, 65536ULL);
	rxp_packet(rig, 2, WR, false);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).parts_q16, 2 * 65536ULL);
	rxp_packet(rig, 0, WR, true);
	rxp_packet(rig, 2, WR, true);
	rig->now_ns++;
	rxp_expect_empty(test, rig);
}

static struct rxp_rig *share_by_host(struct kunit *test)
{
	struct rxp_rig *rig = share_new(test, true, 0);

	rig->rules.by_host = true;
	rxp_rules(rig);
	rxe_cc_rxp_set(&rig->rp, &rig->rules, SHARE_T_NS, NSEC_PER_SEC, rig->now_ns);
	return rig;
}

/* A message that goes on, or has just delivered a share, is a whole flow; a host is one at most. */
static void rxport_share__whole(struct kunit *test)
{
	struct rxp_rig *rig = share_by_host(test);
	unsigned int i;

	/* 5/4 of 108 packets and one are 150416 bytes. */
	for (i = 0; i < 108; i++)
		rxp_packet(rig, 0, WR, i == 107);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).parts_q16, 65536ULL);
	KUNIT_EXPECT_EQ(test, rig->rp.shares_q16, 65536ULL);
	rig->now_ns++;
	rxp_packet(rig, 8, WR, false);
	rxp_packet(rig, 1, WR, false);
	KUNIT_EXPECT_EQ(test, rig->rp.shares_q16, 3 * 65536ULL);
	/* 0 and 8 are of one host. */
	KUNIT_EXPECT_EQ(test, rig->rp.hosts_q16, 2 * 65536ULL);
	rig->now_ns += SHARE_T_NS;
	KUNIT_EXPECT_EQ(test, rig->rp.hosts_q16, 2 * 65536ULL);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).parts_q16, 2 * 65536ULL);
	/* Mice of a host that is expected, and of one that is not. */
	rxe_cc_rxp_expect(&rig->rp, &rig->peer[2], SHARE_T_NS, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig->rp.hosts_q16, 3 * 65536ULL);
	share_packet(rig, &rig->ent[2], 2, 170, true);
	share_packet(rig, &rig->ent[3], 3, 170, true);
	KUNIT_EXPECT_GT(test, rig->rp.hosts_q16, 2 * 65536ULL);
	/* 9/4 x 170 of a share of three, 50000, or more. */
	KUNIT_EXPECT_LE(test, rig->rp.hosts_q16, 2 * 65536ULL + 2 * (65536 * 383 / 50000 + 1));
	rig->now_ns += NSEC_PER_SEC;
	rxp_expect_empty(test, rig);
}

/*
 * A host divides its share among its queue pairs: 8 hosts with 4 each, messages of one packet that
 * takes a quarter of T, 3 us. Each queue pair sends one in 96 us, those of a host in turn, so there
 * are 84 us between two of the host's. It counts as long as two packets take at the queue pair's
 * share, 192 us, not at the host's, 48 us.
 */
static void rxport_share__divided(struct kunit *test)
{
	struct rxp_rig *rig = share_by_host(test);
	unsigned int i;

	/* As many as there are, then they count as they send. */
	for (i = 0; i < 32; i++)
		share_packet(rig, &rig->ent[i], i / 4, 37500, false);
	for (i = 0; i < 20 * 32; i++) {
		rig->now_ns += 3000;
		share_packet(rig, &rig->ent[i % 32], i % 32 / 4, 37500, true);
		KUNIT_ASSERT_EQ_MSG(test, rig->rp.hosts_q16, 8 * 65536ULL, "packet %u", i);
	}
}

/* What counts is the sum of what each counts as, whatever happens. */
static void rxport_share__sums(struct kunit *test)
{
	static const u64 steps[] = { 10, 100, 1000, SHARE_T_NS };
	struct rxp_rig *rig = share_new(test, true, 0);
	struct cc_test_prng r = { 20261127 };
	unsigned int step, i, p, bytes;

	for (step = 0; step < 100000; step++) {
		u64 sum = 0, hosts = 0, peer[RXP_PEERS] = {};

		rig->now_ns += cc_test_below(&r, steps[(step / 1000) % ARRAY_SIZE(steps)]);
		i = cc_test_below(&r, RXP_FLOWS);
		switch (cc_test_below(&r, 200)) {
		case 0:
			rig->rules.peer_max = cc_test_below(&r, 5);
			rig->rules.by_host = cc_test_below(&r, 2);
			rig->rules.weigh = cc_test_below(&r, 8);
			rxe_cc_rxp_set(&rig->rp, &rig->rules, SHARE_T_NS, NSEC_PER_SEC,
				       rig->now_ns);
			break;
		case 1:
			rxe_cc_rxp_leave(&rig->rp, &rig->ent[i], rig->now_ns);
			break;
		case 2:
			rxe_cc_rxp_expect(&rig->rp, &rig->peer[i % RXP_PEERS], 5000, rig->now_ns);
			break;
		default:
			bytes = 64 + cc_test_below(&r, 4096);
			share_packet(rig, &rig->ent[i], i % RXP_PEERS, bytes,
				     cc_test_below(&r, 3));
		}
		rxp_view(rig);
		for (i = 0; i < RXP_FLOWS; i++) {
			KUNIT_ASSERT_LE(test, rig->ent[i].share_q16, 65536U);
			KUNIT_ASSERT_EQ(test, !!rig->ent[i].share_q16, rig->ent[i].counted);
			peer[i % RXP_PEERS] += rig->ent[i].share_q16;
		}
		for (p = 0; p < RXP_PEERS; p++) {
			u64 max_q16 = rig->rules.peer_max * 65536ULL;

			sum += max_q16 ? min(peer[p], max_q16) : peer[p];
			hosts += rig->peer[p].expect.counted ? 65536 : min(peer[p], 65536ULL);
		}
		KUNIT_ASSERT_EQ_MSG(test, rig->rp.shares_q16, sum, "step %u", step);
		KUNIT_ASSERT_EQ_MSG(test, rig->rp.hosts_q16, hosts, "step %u", step);
	}
	rig->now_ns += 2ULL * NSEC_PER_SEC;
	rxp_expect_empty(test, rig);
}

/* The knob, else what flows measure, else twice the way; the smallest of the window. */
static void rxport_rtt__which(struct kunit *test)
{
	struct rxp_rig *rig = rxp_new(test);
	struct rxe_cc_rx_port *rp = &rig->rp;
	struct rxe_cc_rx_view v = rxp_view(rig);

	KUNIT_EXPECT_EQ(test, v.base_rtt_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, v.min_owd_ns, 0ULL);
	rxe_cc_rxp_owd(rp, 0, rig->now_ns);
	rxe_cc_rxp_owd(rp, 7000, rig->now_ns);
	rxe_cc_rxp_owd(rp, 5000, rig->now_ns);
	rxe_cc_rxp_owd(rp, 6000, rig->now_ns);
	v = rxp_view(rig);
	KUNIT_EXPECT_EQ(test, v.min_owd_ns, 5000ULL);
	KUNIT_EXPECT_EQ(test, v.base_rtt_ns, 10000ULL);
	/* A message ends: it counts for that time. */
	rig->rules.linger_ns = 0;
	rxp_rules(rig);
	rxp_packet(rig, 0, SEND, true);
	rig->now_ns += 9999;
	KUNIT_EXPECT_EQ(test, rxp_msgs(rig), 1U);
	rig->now_ns++;
	KUNIT_EXPECT_EQ(test, rxp_msgs(rig), 0U);
	rxe_cc_rxp_rtt(rp, 0, rig->now_ns);
	rxe_cc_rxp_rtt(rp, 13000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 13000ULL);
	rxe_cc_rxp_rtt(rp, 11000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 11000ULL);
	/* In half a window a larger one does not count, in the next it does. */
	rig->now_ns += NSEC_PER_SEC / 2;
	rxe_cc_rxp_rtt(rp, 20000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 11000ULL);
	rig->now_ns += NSEC_PER_SEC / 2;
	rxe_cc_rxp_rtt(rp, 21000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 20000ULL);
	rig->now_ns += 10 * NSEC_PER_SEC;
	rxe_cc_rxp_rtt(rp, 22000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 22000ULL);
	rxe_cc_rxp_set(rp, &rig->rules, 9000, NSEC_PER_SEC, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 9000ULL);
	rxe_cc_rxp_rtt(rp, 8000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 9000ULL);
	rxe_cc_rxp_set(rp, &rig->rules, 0, NSEC_PER_SEC, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 22000ULL);
}

/* The clock begins at boot: in the first half of a window nothing is too old. */
static void rxport_rtt__after_boot(struct kunit *test)
{
	struct rxp_rig *rig = rxp_new(test);
	struct rxe_cc_rx_port *rp = &rig->rp;

	memset(rp, 0, sizeof(*rp));
	rxe_cc_rxp_init(rp, NULL);
	rig->now_ns = NSEC_PER_SEC / 4;
	rxp_rules(rig);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 0ULL);
	rxe_cc_rxp_owd(rp, 7000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).min_owd_ns, 7000ULL);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 14000ULL);
	rxe_cc_rxp_rtt(rp, 13000, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 13000ULL);
}

#define ROUND_PKT	1106
#define ROUND_PKT_NS	89	/* at 100 Gbit/s, rounded up */
#define ROUND_LOG	65536

/* Rounds of many lengths; when which packet came is kept. */
static void rxport_round__within_bounds(struct kunit *test)
{
	static const u64 rounds[] = { 900, 4096, 8191, 12000, 16384, 100000, 1000000 };
	u64 *at = kunit_kcalloc(test, ROUND_LOG, sizeof(*at), GFP_KERNEL);
	struct cc_test_prng r = { 42 };
	unsigned int i, j, k;

	KUNIT_ASSERT_NOT_NULL(test, at);
	for (k = 0; k < ARRAY_SIZE(rounds); k++) {
		struct rxp_rig *rig = rxp_new(test);
		u64 t_ns = rounds[k], worst = 0, gap_ns = ROUND_PKT_NS;
		u64 line = t_ns / ROUND_PKT_NS * ROUND_PKT, first = 0;

		rig->rules.round = true;
		rxe_cc_rxp_set(&rig->rp, &rig->rules, t_ns, NSEC_PER_SEC, rig->now_ns);
		for (i = 0, j = 0; i < ROUND_LOG; i++) {
			u64 have, want;

			/* Bursts at line rate and pauses, each of about a bucket. */
			if (!cc_test_below(&r, 2 + t_ns / ROUND_PKT_NS / 16))
				gap_ns = cc_test_below(&r, t_ns / 8);
			rig->now_ns += max_t(u64, gap_ns, ROUND_PKT_NS);
			gap_ns = ROUND_PKT_NS;
			at[i] = rig->now_ns;
			rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
			while (rig->now_ns - at[j] >= t_ns)
				j++;
			want = (u64)(i - j + 1) * ROUND_PKT;
			have = rxp_view(rig).round_bytes;
			worst = max(worst, have > want ? have - want : want - have);
			first = max(first, have);
		}
		/* A 32nd, and a packet at either edge of the oldest bucket. */
		KUNIT_EXPECT_LE_MSG(test, worst, line / 32 + 2 * ROUND_PKT,
				    "T %llu ns", t_ns);
		KUNIT_EXPECT_LE(test, first, line + line / 32 + 2 * ROUND_PKT);
		/* Even traffic: a packet at either end. */
		for (i = 0, worst = 0; i < 4096; i++) {
			u64 have, want = t_ns / ROUND_PKT_NS * ROUND_PKT;

			rig->now_ns += ROUND_PKT_NS;
			rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
			if ((u64)i * ROUND_PKT_NS <= t_ns + t_ns / 4)
				continue;
			have = rxp_view(rig).round_bytes;
			worst = max(worst, have > want ? have - want : want - have);
		}
		KUNIT_EXPECT_LE_MSG(test, worst, 2ULL * ROUND_PKT, "T %llu ns", t_ns);
		/* Then silence. */
		rig->now_ns += t_ns + t_ns / 4;
		KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, 0ULL);
		/* A packet that was kept waiting counts when it came. */
		rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
		rig->now_ns += t_ns / 2;
		rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
		rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns - t_ns / 4);
		KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, 3ULL * ROUND_PKT);
		rig->now_ns = S64_MAX;
		KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, 0ULL);
		rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
		KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, (u64)ROUND_PKT);
	}
}

/* Nothing is done for who does not want it. While no T is known a round is 50 us. */
static void rxport_round__only_when_wanted(struct kunit *test)
{
	struct rxp_rig *rig = rxp_new(test);

	rig->rules.round = true;
	rxp_rules(rig);
	rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).base_rtt_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).round_ns, 50000ULL);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, (u64)ROUND_PKT);
	rxe_cc_rxp_rtt(&rig->rp, 12000, rig->now_ns);
	rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).round_ns, 12000ULL);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, (u64)ROUND_PKT);
	rig->rules.round = false;
	rxp_rules(rig);
	rxe_cc_rxp_bytes(&rig->rp, ROUND_PKT, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).round_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, rxp_view(rig).round_bytes, 0ULL);
}

/**
 * struct rxp_model - the same, as a list that is walked from end to end
 * @until_ns: how long a queue pair counts; 0: does not
 * @open: kinds of which the last packet was not the end
 * @expect_ns: how long a peer is expected
 * @off: nobody counts
 * @max: of a peer; 0: all
 */
struct rxp_model {
	u64 until_ns[RXP_FLOWS];
	bool open[RXP_FLOWS][2];
	u64 expect_ns[RXP_PEERS];
	bool off;
	u32 max;
};

static bool model_counts(const struct rxp_model *m, unsigned int i, u64 now_ns)
{
	return !m->off && m->until_ns[i] > now_ns;
}

static void model_packet(struct rxp_model *m, unsigned int i, bool resp, bool end,
			 u64 now_ns)
{
	if (!model_counts(m, i, now_ns)) {
		m->open[i][0] = false;
		m->open[i][1] = false;
		m->expect_ns[i % RXP_PEERS] = 0;
	}
	m->open[i][resp] = !end;
	m->until_ns[i] = now_ns + (m->open[i][0] || m->open[i][1] ? IDLE_NS : LINGER_NS);
}

static u32 model_peer(const struct rxp_model *m, unsigned int peer, u64 now_ns)
{
	unsigned int i;
	u32 n = 0;

	for (i = peer; i < RXP_FLOWS; i += RXP_PEERS)
		n += model_counts(m, i, now_ns);
	return n;
}

static void model_compare(struct kunit *test, const struct rxp_model *m,
			  struct rxp_rig *rig, unsigned int step)
{
	u32 msgs = 0, all = 0, senders = 0, n, of = step % RXP_PEERS;
	struct rxe_cc_rx_view v;
	unsigned int p;

	for (p = 0; p < RXP_PEERS; p++) {
		n = model_peer(m, p, rig->now_ns);
		all += n;
		msgs += m->max ? min(n, m->max) : n;
		senders += n || (!m->off && m->expect_ns[p] > rig->now_ns);
	}
	rxe_cc_rxp_view(&rig->rp, &rig->peer[of], &v, rig->now_ns);
	n = model_peer(m, of, rig->now_ns);
	KUNIT_ASSERT_EQ_MSG(test, v.msgs_all, all, "step %u", step);
	KUNIT_ASSERT_EQ_MSG(test, v.msgs, msgs, "step %u", step);
	KUNIT_ASSERT_EQ_MSG(test, v.senders, senders, "step %u", step);
	KUNIT_ASSERT_EQ_MSG(test, v.peer_msgs, n, "step %u", step);
	KUNIT_ASSERT_EQ_MSG(test, v.peer_counted, m->max ? min(n, m->max) : n,
			    "step %u", step);
	/* Each counts as a whole one. */
	KUNIT_ASSERT_EQ_MSG(test, v.parts_q16,
			    v.peer_counted < n ?
			    rxe_cc_muldiv_up((u64)msgs << 16, n, v.peer_counted) :
			    max(msgs, 1U) * 65536ULL, "step %u", step);
	KUNIT_ASSERT_EQ_MSG(test, v.hosts_q16, max(senders, 1U) * 65536ULL, "step %u", step);
}

static void model_forget(struct rxp_model *m)
{
	memset(m->until_ns, 0, sizeof(m->until_ns));
	memset(m->expect_ns, 0, sizeof(m->expect_ns));
}

/* Something else than a packet. */
static void model_other(struct rxp_model *m, struct rxp_rig *rig, struct cc_test_prng *r)
{
	unsigned int i = cc_test_below(r, RXP_FLOWS), p = i % RXP_PEERS;

	switch (cc_test_below(r, 10)) {
	case 0:
		rig->rules.peer_max = cc_test_below(r, 5);
		m->max = rig->rules.peer_max;
		rxp_rules(rig);
		break;
	case 1:
		rig->rules.on = cc_test_below(r, 4);
		if (!rig->rules.on)
			model_forget(m);
		m->off = !rig->rules.on;
		rxp_rules(rig);
		break;
	case 2: case 3: case 4: {
		u64 ns = 1 + cc_test_below(r, 2 * LINGER_NS);

		rxe_cc_rxp_expect(&rig->rp, &rig->peer[p], ns, rig->now_ns);
		if (!m->off && !model_peer(m, p, rig->now_ns))
			m->expect_ns[p] = rig->now_ns + ns;
		break;
	}
	default:
		rxe_cc_rxp_leave(&rig->rp, &rig->ent[i], rig->now_ns);
		m->until_ns[i] = 0;
	}
}

static void rxport_model__random(struct kunit *test)
{
	struct rxp_model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	static const u64 steps[] = { 1, 100, 300, 3000, LINGER_NS, 2 * IDLE_NS };
	struct rxp_rig *rig = rxp_new(test);
	struct cc_test_prng r = { 20261123 };
	unsigned int step, pkts = 0;

	KUNIT_ASSERT_NOT_NULL(test, m);
	for (step = 0; step < 250000; step++) {
		/* Phases: busy, quiet, few flows, many. */
		u64 most_ns = steps[(step / 1000) % ARRAY_SIZE(steps)];
		unsigned int flows = 1 + (step / 7000) % RXP_FLOWS;

		rig->now_ns += cc_test_below(&r, most_ns);
		if (!cc_test_below(&r, 100)) {
			model_other(m, rig, &r);
		} else if (!m->off) {
			unsigned int i = cc_test_below(&r, flows);
			u8 kind = cc_test_below(&r, RXE_CC_DATA_OTHER + 1);
			bool end = !cc_test_below(&r, 1 + (step / 3000) % 5);

			rxp_packet(rig, i, kind, end);
			pkts++;
			if (kind != REQ)
				model_packet(m, i, kind == RESP, end, rig->now_ns);
		}
		/* Also when nothing has been looked at for a while. */
		if (cc_test_below(&r, 4))
			model_compare(test, m, rig, step);
	}
	KUNIT_EXPECT_GE(test, pkts, 150000U);
	rig->now_ns += IDLE_NS;
	rxp_expect_empty(test, rig);
}

static void rxport__memory(struct kunit *test)
{
	KUNIT_EXPECT_LE(test, sizeof(struct rxe_cc_rx_ent), (size_t)RXE_CC_RX_QP_BYTES);
	KUNIT_EXPECT_LE(test, sizeof(struct rxe_cc_rx_peer), (size_t)RXE_CC_RX_PEER_BYTES);
	if (!IS_ENABLED(CONFIG_DEBUG_SPINLOCK))
		KUNIT_EXPECT_LE(test, sizeof(struct rxe_cc_rx_port),
				(size_t)RXE_CC_RX_PORT_BYTES);
	kunit_info(test, "bytes: a queue pair %zu, a peer %zu, a port %zu",
		   sizeof(struct rxe_cc_rx_ent), sizeof(struct rxe_cc_rx_peer),
		   sizeof(struct rxe_cc_rx_port));
}

/* What follows is the core's part: a queue pair's life, the view in calls. */

static struct rxe_cc_rx_view seen;

static u32 life_on_data(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	seen = f->rx;
	return 0;
}

static void life_fill(struct rxe_cc_flow *f, u64 now_ns)
{
	seen = f->rx;
}

static void life_rules(const u64 *params, struct rxe_cc_rx_rules *rules)
{
	*rules = (struct rxe_cc_rx_rules) {
		.linger_ns = 1, .idle_ns = 100 * NSEC_PER_SEC, .on = true,
	};
}

/* It outlives the rig. */
static struct rxe_cc_ops life_ops;

/* A queue pair under an algorithm that counts. */
static struct core_rig *life_new(struct kunit *test)
{
	struct rxe_cc_ops *ops = &life_ops;
	struct core_rig *rig = core_rig_new(test, 0, 0);

	*ops = rig->ops;
	ops->on_data = life_on_data;
	ops->fill_ack = life_fill;
	ops->rx_rules = life_rules;
	ops->all_data = true;
	strscpy(ops->name, "life", sizeof(ops->name));
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, ops, NULL));
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_KNOWN);
	seen = (struct rxe_cc_rx_view) {};
	return rig;
}

static void life_packet(struct core_rig *rig, u32 psn, bool start, bool end)
{
	const struct rxe_cc_rx rx = {
		.psn = psn & RXE_CC_PSN_MASK, .wire_bytes = RIG_PKT_BYTES,
		.kind = RXE_CC_DATA_WRITE, .start = start, .end = end,
	};

	rxe_cc_rx_data(rig->h.qp, &rx);
}

static u32 life_msgs(struct kunit *test, struct core_rig *rig)
{
	struct rxe_cc_rx_view v;

	rxe_cc_rxp_view(rig->h.qp->inst->rx, NULL, &v, ktime_get_ns());
	KUNIT_EXPECT_EQ(test, v.msgs, v.senders);
	return v.msgs;
}

/* A message over the place where PSNs come round. */
static void rxport_life__view(struct kunit *test)
{
	struct core_rig *rig = life_new(test);
	struct rxe_cc_tx_fb fb;
	u32 psn;

	for (psn = 0xfffffe; psn <= 0x1000002; psn++) {
		life_packet(rig, psn, psn == 0xfffffe, false);
		KUNIT_EXPECT_EQ(test, seen.msgs, 1U);
		KUNIT_EXPECT_EQ(test, seen.peer_counted, 1U);
		KUNIT_EXPECT_EQ(test, seen.senders, 1U);
	}
	seen = (struct rxe_cc_rx_view) {};
	rxe_cc_tx_feedback(rig->h.qp, &fb);
	KUNIT_EXPECT_EQ(test, seen.msgs, 1U);
	life_packet(rig, psn, false, true);
	/* The packet that ends it still counts. */
	KUNIT_EXPECT_EQ(test, seen.msgs, 1U);
	core_rig_pass(1);
	rxe_cc_tx_feedback(rig->h.qp, &fb);
	KUNIT_EXPECT_EQ(test, seen.msgs, 0U);
}

/* Ways to go in the middle of a message. */
enum life_end {
	LIFE_RESET,
	LIFE_MOVED,
	LIFE_PSN,
	LIFE_SWITCHED,
};

static void rxport_life__goes_in_a_message(struct kunit *test)
{
	static const char *const names[] = {
		"reset", "another peer", "another PSN", "another algorithm",
	};
	struct core_rig *rig = life_new(test);
	struct rxe_cc_qp_info info;
	struct rxe_cc_inst *inst;
	unsigned int i;

	for (i = LIFE_RESET; i <= LIFE_SWITCHED; i++) {
		inst = rig->h.qp->inst;
		life_packet(rig, i, true, false);
		KUNIT_EXPECT_EQ_MSG(test, life_msgs(test, rig), 1U, "%s", names[i]);
		info = rig->h.qp->info;
		switch (i) {
		case LIFE_RESET:
			rxe_cc_qp_reset(&rig->h);
			break;
		case LIFE_MOVED:
			info.peer.s6_addr[15] = 7;
			rxe_cc_qp_modify(&rig->h, &info);
			break;
		case LIFE_PSN:
			info.psn = 1000;
			rxe_cc_qp_modify(&rig->h, &info);
			break;
		case LIFE_SWITCHED:
			KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &rig->ops, NULL));
			/* It has freed its instance, which looks that nothing is left. */
			KUNIT_EXPECT_PTR_EQ(test, rig->h.qp->inst->rx, NULL);
			KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &life_ops, NULL));
			inst = rig->h.qp->inst;
			break;
		}
		KUNIT_EXPECT_FALSE_MSG(test, rig->h.qp->rx.counted, "%s", names[i]);
		KUNIT_EXPECT_EQ_MSG(test, inst->rx->msgs_all, 0U, "%s", names[i]);
	}
	/* It is destroyed when the test ends, with its message open. */
}

/* Of which nothing came for too long while it was open. */
static void rxport_life__expired(struct kunit *test)
{
	struct core_rig *rig = life_new(test);
	struct rxe_cc_rx_view v;

	life_packet(rig, 0, true, false);
	rxe_cc_rxp_view(rig->h.qp->inst->rx, NULL, &v, ktime_get_ns() + 99 * NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, v.msgs, 1U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rx_msg_expired"), 0ULL);
	rxe_cc_rxp_view(rig->h.qp->inst->rx, NULL, &v, ktime_get_ns() + 101 * NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, v.msgs, 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rx_msg_expired"), 1ULL);
}

static struct kunit_case rxport_cases[] = {
	KUNIT_CASE_PARAM(rxport_msgs__table, rxp_case_gen_params),
	KUNIT_CASE(rxport_senders__count),
	KUNIT_CASE(rxport_senders__expected),
	KUNIT_CASE(rxport_cap__one_peer_opens_many),
	KUNIT_CASE(rxport_share__table),
	KUNIT_CASE(rxport_share__mice),
	KUNIT_CASE(rxport_share__back_to_back),
	KUNIT_CASE(rxport_share__found),
	KUNIT_CASE(rxport_share__first_to_last),
	KUNIT_CASE(rxport_share__whole),
	KUNIT_CASE(rxport_share__divided),
	KUNIT_CASE(rxport_share__sums),
	KUNIT_CASE(rxport_rtt__which),
	KUNIT_CASE(rxport_rtt__after_boot),
	KUNIT_CASE(rxport_round__within_bounds),
	KUNIT_CASE(rxport_round__only_when_wanted),
	KUNIT_CASE(rxport_model__random),
	KUNIT_CASE(rxport__memory),
	KUNIT_CASE(rxport_life__view),
	KUNIT_CASE(rxport_life__goes_in_a_message),
	KUNIT_CASE(rxport_life__expired),
	{}
};

static struct kunit_suite rxport_suite = {
	.name = "rxe_cc_rxport",
	.test_cases = rxport_cases,
};

kunit_test_suite(rxport_suite);
