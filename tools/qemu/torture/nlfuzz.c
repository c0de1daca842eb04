// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink messages made up from a policy, and spoiled: lengths, types, nesting, attributes
 * twice or cut off. Of a generic netlink family the policy is what the kernel says it
 * is, which is made from the specification; of a roce qdisc it is learned from the
 * kernel's dumps of the port, attributes that were never dumped are tried in any length.
 *
 *	nlfuzz [OPTION]... genl FAMILY [WORD]...
 *	nlfuzz [OPTION]... tc NETDEV
 *	nlfuzz replay FILE
 *	Libraries: -lmnl
 *	-s SEED		the same seed makes the same messages of the same policy (1)
 *	-o N		messages (1000)
 *	-t SECONDS	stop after these, whatever -o says
 *	-p FIRST	print messages from this one on, as "replay" takes them
 *
 * WORDs are names that strings are chosen from. Prints "count NAME N". Exit status: 0; 1
 * the kernel did not answer; 2 cannot.
 *
 * A line for "replay": "genl FAMILY COMMAND FLAGS HEX" or "tc NETDEV TYPE FLAGS HEX", HEX
 * being the attributes. Lines with # are comments.
 */
#include <ctype.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/pkt_sched.h>
#include <linux/pkt_sched_roce.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define POLICIES	32
#define ATTRS		128
#define COMMANDS	64
#define ROOM		8192
#define POOL		16

/* An attribute; what is not known of it is 0. */
struct rule {
	uint8_t type;			/* enum netlink_attribute_type */
	uint8_t nest;			/* policy of what is in it, from 1 on */
	uint16_t len;			/* of the last that was dumped */
	uint64_t min, max;
	uint64_t seen;			/* a value that it had */
	char *pool[POOL];		/* strings that it had */
};

static struct rule rules[POLICIES][ATTRS];
static int policy_of[COMMANDS];		/* index + 1, by command */
static char **words;
static int nwords;
static struct mnl_socket *nl;
static uint32_t sequence;
static uint64_t rng = 1;
static unsigned long accepted, refused, silent;
static int spoil;			/* percent of attributes that are wrong */

static uint64_t draw(void)
{
	uint64_t z = rng += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static unsigned int below(unsigned int n)
{
	return n ? draw() % n : 0;
}

static bool chance(unsigned int percent)
{
	return below(100) < percent;
}

static void die(const char *what)
{
	fprintf(stderr, "nlfuzz: %s: %s\n", what, strerror(errno));
	exit(2);
}

static uint64_t number(const struct rule *r)
{
	static const uint64_t odd[] = {
		0, 1, 2, 3, 7, 8, 63, 64, 255, 256, 1500, 4096, 65535, 65536, 1000000, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 1000000000000, 0x7fffffffffffffff, UINT64_MAX,
	};

	/* Right messages get farther. */
	if (chance(spoil ? 30 : 60))
		return r->seen;
	switch (below(6)) {
	case 0:
		return r->min;
	case 1:
		return r->max;
	case 2:
		return r->seen + below(3) - 1;
	case 3:
		return r->max > r->min ? r->min + draw() % (r->max - r->min) : draw();
	case 4:
		return draw() >> below(64);
	default:
		return odd[below(sizeof(odd) / sizeof(odd[0]))];
	}
}

static unsigned int length_of(const struct rule *r)
{
	switch (r->type) {
	case NL_ATTR_TYPE_FLAG:
		return 0;
	case NL_ATTR_TYPE_U8:
	case NL_ATTR_TYPE_S8:
		return 1;
	case NL_ATTR_TYPE_U16:
	case NL_ATTR_TYPE_S16:
		return 2;
	case NL_ATTR_TYPE_U32:
	case NL_ATTR_TYPE_S32:
		return 4;
	case NL_ATTR_TYPE_U64:
	case NL_ATTR_TYPE_S64:
		return 8;
	}
	if (r->len)
		return r->len;
	return chance(80) ? 1U << below(4) : below(80);
}

static void put_string(struct nlmsghdr *h, int type, const struct rule *r)
{
	unsigned int i, n, known;
	char text[300];

	for (known = 0; known < POOL && r->pool[known]; known++)
		;
	if (known && chance(80 - spoil)) {
		mnl_attr_put_strz(h, type, r->pool[below(known)]);
		return;
	}
	if (nwords && !chance(spoil)) {
		mnl_attr_put_strz(h, type, words[below(nwords)]);
		return;
	}
	n = chance(80) ? below(70) : below(sizeof(text) - 1);
	for (i = 0; i < n; i++)
		text[i] = chance(90) ? 'a' + below(26) : below(256);
	/* With the 0 at its end and without. */
	text[n] = 0;
	mnl_attr_put(h, type, n + chance(70), text);
}

static void put_number(struct nlmsghdr *h, int type, const struct rule *r)
{
	unsigned int len = chance(spoil) ? below(80) : length_of(r);
	uint8_t data[80];
	uint64_t v = number(r);
	unsigned int i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i < 8 ? v >> (8 * i) : draw();
	mnl_attr_put(h, type, len, data);
}

static void put_attrs(struct nlmsghdr *h, int policy, int depth);

static void put_attr(struct nlmsghdr *h, int policy, int type, int depth)
{
	const struct rule *r = &rules[policy][type % ATTRS];
	struct nlattr *nest;
	bool nested = r->nest || r->type == NL_ATTR_TYPE_NESTED;

	if (h->nlmsg_len > ROOM / 2)
		return;
	if (chance(spoil))
		nested = !nested;
	if (nested && depth < 12) {
		nest = chance(90) ? mnl_attr_nest_start(h, type) : NULL;
		if (!nest) {
			nest = mnl_nlmsg_get_payload_tail(h);
			mnl_attr_put(h, type, 0, NULL);
		}
		put_attrs(h, r->nest ? r->nest - 1 : (int)below(POLICIES), depth + 1);
		mnl_attr_nest_end(h, nest);
		/* A length that is not that of what is inside. */
		if (chance(spoil / 2))
			nest->nla_len = chance(50) ? below(64) : nest->nla_len + below(16);
	} else if (r->type == NL_ATTR_TYPE_STRING || r->type == NL_ATTR_TYPE_NUL_STRING) {
		put_string(h, type, r);
	} else {
		put_number(h, type, r);
	}
}

static void put_attrs(struct nlmsghdr *h, int policy, int depth)
{
	int known[ATTRS] = { 0 }, n = 0, i, type, left;

	for (i = 1; i < ATTRS; i++)
		if (rules[policy][i].type)
			known[n++] = i;
	for (left = below(spoil ? 8 : 4); left >= 0; left--) {
		type = n && chance(95) ? known[below(n)] : (int)below(ATTRS);
		put_attr(h, policy, type, depth);
		if (chance(5 + spoil / 4))
			put_attr(h, policy, type, depth);
	}
}

/* answer: reads what the kernel says to a request; false: it says nothing */
static bool answer(uint32_t seq, int (*cb)(const struct nlmsghdr *, void *), void *arg)
{
	static char buf[65536];
	unsigned int tries;
	ssize_t n;
	int rc;

	for (tries = 0; tries < 100000; tries++) {
		n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (n < 0 && (errno == EINTR || errno == ENOBUFS))
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return false;
		rc = mnl_cb_run(buf, n, seq, mnl_socket_get_portid(nl), cb, arg);
		/* Of an older request. */
		if (rc < 0 && errno == ESRCH)
			continue;
		if (rc > 0)
			continue;
		if (rc < 0)
			refused++;
		else
			accepted++;
		return true;
	}
	return false;
}

static int ignore(const struct nlmsghdr *h, void *arg)
{
	(void)h;
	(void)arg;
	return MNL_CB_OK;
}

static bool ask(struct nlmsghdr *h, int (*cb)(const struct nlmsghdr *, void *), void *arg)
{
	h->nlmsg_seq = ++sequence;
	if (mnl_socket_sendto(nl, h, h->nlmsg_len) < 0)
		return true;
	return answer(sequence, cb, arg);
}

static void open_nl(int bus)
{
	struct timeval t = { .tv_sec = 120 };

	nl = mnl_socket_open(bus);
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)))
		die("netlink");
}

static struct nlmsghdr *begin(char *buf, int type, int flags)
{
	struct nlmsghdr *h;

	memset(buf, 0, ROOM);
	h = mnl_nlmsg_put_header(buf);
	h->nlmsg_type = type;
	h->nlmsg_flags = flags;
	return h;
}

static struct nlmsghdr *begin_genl(char *buf, int family, int cmd, int flags)
{
	struct nlmsghdr *h = begin(buf, family, flags);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(h, sizeof(*g));

	g->cmd = cmd;
	g->version = 1;
	return h;
}

static int on_family(const struct nlmsghdr *h, void *arg)
{
	struct nlattr *a;

	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID)
			*(int *)arg = mnl_attr_get_u16(a);
	return MNL_CB_OK;
}

static void on_rule(struct rule *r, const struct nlattr *in)
{
	struct nlattr *a;

	mnl_attr_for_each_nested(a, in) {
		switch (mnl_attr_get_type(a)) {
		case NL_POLICY_TYPE_ATTR_TYPE:
			r->type = mnl_attr_get_u32(a);
			break;
		case NL_POLICY_TYPE_ATTR_MIN_VALUE_U:
		case NL_POLICY_TYPE_ATTR_MIN_VALUE_S:
			r->min = mnl_attr_get_u64(a);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_U:
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_S:
			r->max = mnl_attr_get_u64(a);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_LENGTH:
			if (r->type == NL_ATTR_TYPE_BINARY)
				r->len = mnl_attr_get_u32(a);
			break;
		case NL_POLICY_TYPE_ATTR_POLICY_IDX:
			r->nest = mnl_attr_get_u32(a) + 1;
			break;
		}
	}
}

static int on_policy(const struct nlmsghdr *h, void *arg)
{
	struct nlattr *a, *p, *q;

	(void)arg;
	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(a) != CTRL_ATTR_POLICY &&
		    mnl_attr_get_type(a) != CTRL_ATTR_OP_POLICY)
			continue;
		mnl_attr_for_each_nested(p, a) {
			mnl_attr_for_each_nested(q, p) {
				if (mnl_attr_get_type(a) == CTRL_ATTR_POLICY)
					on_rule(&rules[mnl_attr_get_type(p) % POLICIES]
						      [mnl_attr_get_type(q) % ATTRS], q);
				else
					policy_of[mnl_attr_get_type(p) % COMMANDS] =
						mnl_attr_get_u32(q) + 1;
			}
		}
	}
	return MNL_CB_OK;
}

static int family_id(const char *name)
{
	char buf[ROOM];
	struct nlmsghdr *h = begin_genl(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
					NLM_F_REQUEST | NLM_F_ACK);
	int id = 0;

	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, name);
	if (!ask(h, on_family, &id) || !id) {
		errno = ENOENT;
		die(name);
	}
	return id;
}

static void learn_genl(const char *name)
{
	char buf[ROOM];
	struct nlmsghdr *h = begin_genl(buf, GENL_ID_CTRL, CTRL_CMD_GETPOLICY,
					NLM_F_REQUEST | NLM_F_DUMP);

	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, name);
	if (!ask(h, on_policy, NULL))
		die("policy");
}

/* Strings differ from one message to the next: keep the first few. */
static void learn_string(struct rule *r, const struct nlattr *a)
{
	const char *text = mnl_attr_get_payload(a);
	int i;

	if (!r->len || text[r->len - 1])
		return;
	for (i = 0; i < POOL && r->pool[i]; i++)
		if (!strcmp(r->pool[i], text))
			return;
	if (i < POOL)
		r->pool[i] = strdup(text);
}

static void learn_attrs(int policy, const struct nlattr *in);

static void learn_attr(int policy, const struct nlattr *a)
{
	struct rule *r = &rules[policy][mnl_attr_get_type(a) % ATTRS];
	unsigned int i;

	r->len = mnl_attr_get_payload_len(a);
	if (!r->type)
		r->type = NL_ATTR_TYPE_BINARY;
	for (r->seen = 0, i = 0; i < 8 && i < r->len; i++)
		r->seen |= (uint64_t)((uint8_t *)mnl_attr_get_payload(a))[i] << (8 * i);
	if (r->type == NL_ATTR_TYPE_STRING || r->type == NL_ATTR_TYPE_NUL_STRING)
		learn_string(r, a);
	if (r->nest)
		learn_attrs(r->nest - 1, a);
}

static void learn_attrs(int policy, const struct nlattr *in)
{
	struct nlattr *a;

	mnl_attr_for_each_nested(a, in)
		learn_attr(policy, a);
}

static int on_qdisc(const struct nlmsghdr *h, void *arg)
{
	const struct tcmsg *t = mnl_nlmsg_get_payload(h);
	struct nlattr *a;

	mnl_attr_for_each(a, h, sizeof(*t))
		if (mnl_attr_get_type(a) == TCA_OPTIONS && t->tcm_ifindex == *(int *)arg)
			learn_attrs(0, a);
	return MNL_CB_OK;
}

/* What a command answers is made of the attributes that it takes. So messages depend on what
 * the kernel has said, which is the same for the same messages before.
 */
static int on_reply(const struct nlmsghdr *h, void *arg)
{
	int policy = *(int *)arg;
	struct nlattr *a;

	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
		learn_attr(policy, a);
	return MNL_CB_OK;
}

static struct nlmsghdr *begin_tc(char *buf, int ifindex, int type, int flags)
{
	struct nlmsghdr *h = begin(buf, type, flags);
	struct tcmsg *t = mnl_nlmsg_put_extra_header(h, sizeof(*t));

	t->tcm_family = AF_UNSPEC;
	t->tcm_ifindex = ifindex;
	t->tcm_parent = TC_H_ROOT;
	return h;
}

static void learn_tc(int ifindex)
{
	char buf[ROOM];
	struct nlmsghdr *h = begin_tc(buf, ifindex, RTM_GETQDISC, NLM_F_REQUEST | NLM_F_DUMP);

	if (!ask(h, on_qdisc, &ifindex))
		die("qdiscs");
}

/* All options there are, of unknown length unless they were dumped. */
static void know_tc(void)
{
	int i;

	rules[0][TCA_ROCE_PRIO].nest = 2;
	for (i = 1; i <= TCA_ROCE_MAX; i++)
		rules[0][i].type = i == TCA_ROCE_PRIO ? NL_ATTR_TYPE_NESTED : NL_ATTR_TYPE_BINARY;
	for (i = 1; i <= TCA_ROCE_PRIO_MAX; i++)
		rules[1][i].type = NL_ATTR_TYPE_BINARY;
	rules[1][TCA_ROCE_PRIO_ID] = (struct rule) { .type = NL_ATTR_TYPE_U8, .max = 7 };
}

static void print(const char *kind, const char *name, int code, const struct nlmsghdr *h,
		  size_t extra)
{
	const uint8_t *p = (uint8_t *)mnl_nlmsg_get_payload(h) + extra;
	const uint8_t *end = mnl_nlmsg_get_payload_tail(h);

	printf("%s %s %d %#x ", kind, name, code, h->nlmsg_flags);
	for (; p < end; p++)
		printf("%02x", *p);
	printf("\n");
	fflush(stdout);
}

static void send_genl(const char *name, int family, bool show)
{
	char buf[ROOM];
	struct nlmsghdr *h;
	int cmd, policy, flags = NLM_F_REQUEST | NLM_F_ACK;

	do
		cmd = below(COMMANDS);
	while (!policy_of[cmd] && !chance(1));
	if (chance(25))
		flags |= NLM_F_DUMP;
	h = begin_genl(buf, family, cmd, flags);
	policy = policy_of[cmd] ? policy_of[cmd] - 1 : (int)below(POLICIES);
	put_attrs(h, policy, 0);
	/* Bytes behind the last attribute. */
	if (chance(spoil / 2))
		h->nlmsg_len += below(8);
	if (show)
		print("genl", name, cmd, h, sizeof(struct genlmsghdr));
	if (!ask(h, on_reply, &policy))
		silent++;
}

static void send_tc(const char *name, int ifindex, bool show)
{
	static const int kinds[][2] = {
		{ RTM_NEWQDISC, 0 }, { RTM_NEWQDISC, 0 }, { RTM_NEWQDISC, 0 },
		{ RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE },
		{ RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL },
		{ RTM_DELQDISC, 0 }, { RTM_GETQDISC, NLM_F_DUMP },
	};
	const int *kind = kinds[below(chance(70) ? 3 : 7)];
	char buf[ROOM];
	struct nlmsghdr *h = begin_tc(buf, ifindex, kind[0], NLM_F_REQUEST | NLM_F_ACK | kind[1]);
	struct nlattr *nest;

	mnl_attr_put_strz(h, TCA_KIND, TC_ROCE_KIND);
	nest = mnl_attr_nest_start(h, TCA_OPTIONS);
	put_attrs(h, 0, 0);
	mnl_attr_nest_end(h, nest);
	if (show)
		print("tc", name, kind[0], h, sizeof(struct tcmsg));
	if (!ask(h, ignore, NULL))
		silent++;
	/* There must be one to change. */
	h = begin_tc(buf, ifindex, RTM_NEWQDISC,
		     NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
	mnl_attr_put_strz(h, TCA_KIND, TC_ROCE_KIND);
	if (kind[0] == RTM_DELQDISC && !ask(h, ignore, NULL))
		silent++;
}

/* A dump by every command that has one. */
static void learn_replies(int family)
{
	struct nlmsghdr *h;
	char buf[ROOM];
	int cmd, policy;

	for (cmd = 0; cmd < COMMANDS; cmd++) {
		policy = policy_of[cmd] - 1;
		h = begin_genl(buf, family, cmd, NLM_F_REQUEST | NLM_F_DUMP);
		if (policy >= 0 && !ask(h, on_reply, &policy))
			silent++;
	}
}

static size_t from_hex(const char *hex, uint8_t *out, size_t max)
{
	unsigned int v;
	size_t n = 0;

	while (n < max && isxdigit((unsigned char)hex[0]) && sscanf(hex, "%2x", &v) == 1) {
		out[n++] = v;
		hex += 2;
	}
	return n;
}

static void replay(const char *path)
{
	static char line[2 * ROOM + 256], hex[2 * ROOM];
	char kind[8], name[32], buf[ROOM];
	struct nlmsghdr *h;
	unsigned int flags;
	FILE *f = fopen(path, "r");
	int code;

	if (!f)
		die(path);
	while (fgets(line, sizeof(line), f)) {
		hex[0] = 0;
		if (sscanf(line, "%7s %31s %d %x %16383s", kind, name, &code, &flags, hex) < 4 ||
		    kind[0] == '#')
			continue;
		open_nl(!strcmp(kind, "genl") ? NETLINK_GENERIC : NETLINK_ROUTE);
		if (!strcmp(kind, "genl"))
			h = begin_genl(buf, family_id(name), code, flags);
		else
			h = begin_tc(buf, if_nametoindex(name), code, flags);
		h->nlmsg_len += from_hex(hex, mnl_nlmsg_get_payload_tail(h), ROOM - h->nlmsg_len);
		if (!ask(h, ignore, NULL))
			silent++;
		mnl_socket_close(nl);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	unsigned long n, max = 1000, first = -1UL;
	time_t end = 0;
	bool genl;
	int id, c;

	while ((c = getopt(argc, argv, "+s:o:t:p:")) != -1) {
		switch (c) {
		case 's':
			rng = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			max = strtoul(optarg, NULL, 0);
			break;
		case 't':
			end = time(NULL) + atoi(optarg);
			break;
		case 'p':
			first = strtoul(optarg, NULL, 0);
			break;
		default:
			return 2;
		}
	}
	argv += optind;
	argc -= optind;
	if (argc < 2) {
		fprintf(stderr, "nlfuzz: genl FAMILY, tc NETDEV or replay FILE, please\n");
		return 2;
	}
	if (!strcmp(argv[0], "replay")) {
		replay(argv[1]);
		printf("count replayed %lu\n", accepted + refused);
		return silent ? 1 : 0;
	}
	genl = !strcmp(argv[0], "genl");
	words = argv + 2;
	nwords = argc - 2;
	open_nl(genl ? NETLINK_GENERIC : NETLINK_ROUTE);
	id = genl ? family_id(argv[1]) : (int)if_nametoindex(argv[1]);
	if (genl) {
		learn_genl(argv[1]);
		learn_replies(id);
	} else {
		know_tc();
		learn_tc(id);
	}
	accepted = 0;
	refused = 0;
	for (n = 0; n < max && (!end || time(NULL) < end); n++) {
		/* A third of the messages is right but for their values. */
		spoil = below(3) * 10;
		if (genl)
			send_genl(argv[1], id, n >= first);
		else
			send_tc(argv[1], id, n >= first);
	}
	printf("count operations %lu\ncount accepted %lu\ncount refused %lu\ncount unanswered %lu\n",
	       n, accepted, refused, silent);
	return silent ? 1 : 0;
}
