// SPDX-License-Identifier: GPL-2.0
/*
 * Sends frames through a "roce" port and checks every single one against a
 * model of its own, to the nanosecond: arrival, order, drops, ECN marks.
 *
 * The kernel stamps each frame as it enters the qdisc (SCHED) and as it comes
 * out of the other end of the veth pair; both by CLOCK_REALTIME. The model is
 * an event loop in exact rational arithmetic: its clock counts 1/rate ns in
 * 128 bits, so that it shares nothing with the kernel's way of dividing.
 *
 * Needs virtual time: in real time softirqs are late.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <math.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S	1000000000ULL
#define MIN_FRAME	60
#define MAX_FRAME	1514
#define PRIOS		8
#define MAGIC		0x5ca1ab1eU

typedef unsigned __int128 u128;

struct conf {
	uint64_t rate, delay, seed, limit, plimit, kmin, kmax, gap, late;
	int overhead, count, size, dscp_count, ecn_mode, ect, snd;
	double pmax;
	uint8_t dscp[PRIOS], prio[PRIOS];
	const char *tx, *rx;
};

struct frame {
	uint64_t in, out;	/* kernel's stamps, 0 = none */
	uint64_t due;		/* the model's delivery time, 0 = dropped */
	double p;		/* the model's probability of a mark */
	int len, wire, next;
	uint8_t prio, dscp;
	bool ce;
};

static void die(const char *what)
{
	fprintf(stderr, "port_model: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* xorshift64*: the test's own dice, not those of the port */
static uint64_t dice(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return *s * 2685821657736338717ULL;
}

static int open_socket(const char *dev, bool tx)
{
	int flags = SOF_TIMESTAMPING_TX_SCHED | SOF_TIMESTAMPING_SOFTWARE |
		    SOF_TIMESTAMPING_OPT_TSONLY;
	struct sockaddr_ll ll = { .sll_family = AF_PACKET };
	int fd, one = 1, big = 512 << 20;

	ll.sll_ifindex = if_nametoindex(dev);
	if (!ll.sll_ifindex)
		die(dev);
	ll.sll_protocol = tx ? 0 : htons(ETH_P_IP);
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&ll, sizeof(ll)))
		die("packet socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof(big));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &big, sizeof(big));
	if (tx ? setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags,
			    sizeof(flags)) :
	    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one)))
		die("timestamps");
	return fd;
}

/* IPv4 with DSCP and ECN, then the frame's number. */
static void send_frame(int fd, const struct conf *c, const struct frame *f,
		       uint32_t id)
{
	uint8_t buf[MAX_FRAME] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0 };
	uint8_t *ip = buf + ETH_HLEN;
	uint32_t sum = 0, tag[2] = { MAGIC, id };
	int i, tot = f->len - ETH_HLEN;

	ip[0] = 0x45;
	ip[1] = f->dscp << 2 | c->ect;
	ip[2] = tot >> 8;
	ip[3] = tot;
	ip[8] = 64;
	ip[9] = 253;	/* for experiments */
	ip[12] = 10;
	ip[15] = 1;
	ip[16] = 10;
	ip[19] = 2;
	for (i = 0; i < 20; i += 2)
		sum += ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~((sum & 0xffff) + (sum >> 16));
	ip[10] = sum >> 8;
	ip[11] = sum;
	memcpy(ip + 20, tag, sizeof(tag));
	/* ENOBUFS is the port's way to say that it dropped the frame */
	if (send(fd, buf, f->len, 0) < 0 && errno != ENOBUFS)
		die("send");
}

static bool checksum_ok(const uint8_t *ip)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < 20; i += 2)
		sum += ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return sum == 0xffff;
}

static uint64_t stamp_of(struct msghdr *msg)
{
	struct cmsghdr *cm;

	for (cm = CMSG_FIRSTHDR(msg); cm; cm = CMSG_NXTHDR(msg, cm)) {
		struct timespec ts;

		if (cm->cmsg_level != SOL_SOCKET ||
		    (cm->cmsg_type != SCM_TIMESTAMPNS &&
		     cm->cmsg_type != SCM_TIMESTAMPING))
			continue;
		memcpy(&ts, CMSG_DATA(cm), sizeof(ts));
		return ts.tv_sec * NS_PER_S + ts.tv_nsec;
	}
	return 0;
}

/* The sender's stamps come in the order of the frames. */
static void read_sent(int fd, struct frame *f, int *n, int count)
{
	char control[256];
	struct msghdr msg = { .msg_control = control };

	while (*n < count) {
		msg.msg_controllen = sizeof(control);
		if (recvmsg(fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return;
		f[(*n)++].in = stamp_of(&msg);
	}
}

/* Returns the number of frames taken, -1 on a corrupt one. */
static int read_arrived(int fd, struct frame *f, int count)
{
	char control[256];
	uint8_t buf[2048];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = control };
	uint32_t tag[2];
	int n = 0;

	for (;;) {
		msg.msg_controllen = sizeof(control);
		if (recvmsg(fd, &msg, MSG_DONTWAIT) < ETH_HLEN + 28)
			return n;
		memcpy(tag, buf + ETH_HLEN + 20, sizeof(tag));
		if (tag[0] != MAGIC)
			continue;
		if (tag[1] >= (uint32_t)count || f[tag[1]].out ||
		    !checksum_ok(buf + ETH_HLEN))
			return -1;
		f[tag[1]].out = stamp_of(&msg);
		f[tag[1]].ce = (buf[ETH_HLEN + 1] & 3) == 3;
		n++;
	}
}

/* The model. Times are in 1/rate ns. */
struct model {
	const struct conf *c;
	struct frame *f;
	u128 line_free;
	int head[PRIOS], tail[PRIOS];
	uint64_t bytes[PRIOS], total, peak;
	u128 busy;
};

static double ramp(const struct conf *c, uint64_t q)
{
	if (q <= c->kmin)
		return 0;
	if (q > c->kmax)
		return 1;
	return c->pmax * (q - c->kmin) / (c->kmax - c->kmin);
}

static void model_start(struct model *m, int i, u128 t)
{
	const struct conf *c = m->c;
	u128 span = (u128)m->f[i].wire * 8 * NS_PER_S;

	m->line_free = t + span;
	m->busy += span;
	m->f[i].due = (uint64_t)((m->line_free + c->rate - 1) / c->rate) +
		      c->delay;
}

/* Decisions at or before t are made without whatever arrives at t. */
static void model_advance(struct model *m, u128 t)
{
	while (m->total && m->line_free <= t) {
		int p = PRIOS - 1, i;

		while (m->head[p] < 0)
			p--;
		i = m->head[p];
		m->head[p] = m->f[i].next;
		m->bytes[p] -= m->f[i].wire;
		m->total -= m->f[i].wire;
		if (m->c->ecn_mode == 2)
			m->f[i].p = ramp(m->c, m->bytes[p]);
		model_start(m, i, m->line_free);
	}
}

static void model_arrive(struct model *m, int i)
{
	struct frame *f = &m->f[i];
	u128 t = (u128)f->in * m->c->rate;
	int p = f->prio;

	model_advance(m, t);
	if (m->line_free <= t) {
		model_start(m, i, t);
		return;
	}
	if ((m->c->plimit && m->bytes[p] + f->wire > m->c->plimit) ||
	    m->total + f->wire > m->c->limit)
		return;
	if (m->c->ecn_mode == 1)
		f->p = ramp(m->c, m->bytes[p]);
	f->next = -1;
	if (m->head[p] < 0)
		m->head[p] = i;
	else
		m->f[m->tail[p]].next = i;
	m->tail[p] = i;
	m->bytes[p] += f->wire;
	m->total += f->wire;
	if (m->total > m->peak)
		m->peak = m->total;
}

/* Nothing is read while frames are on their way: a failing system call
 * takes virtual time.
 */
static void run(const struct conf *c, struct frame *f)
{
	int tx = open_socket(c->tx, true), rx = open_socket(c->rx, false);
	struct pollfd idle = { .fd = rx, .events = POLLIN };
	uint64_t s = c->seed * 2 + 1;
	int i, sent = 0;

	if (c->snd)
		setsockopt(tx, SOL_SOCKET, SO_SNDBUFFORCE, &c->snd,
			   sizeof(c->snd));
	prctl(PR_SET_TIMERSLACK, 1);
	usleep(10000);	/* the stamps' static key is switched by a worker */
	for (i = 0; i < c->count; i++) {
		int k = dice(&s) % c->dscp_count;

		f[i].dscp = c->dscp[k];
		f[i].prio = c->prio[k];
		f[i].len = c->size ? c->size :
			   (int)(MIN_FRAME + dice(&s) %
				 (MAX_FRAME - MIN_FRAME + 1));
		f[i].wire = f[i].len + c->overhead;
		send_frame(tx, c, &f[i], i);
		if (c->gap && dice(&s) % 4 == 0) {
			struct timespec ts = { 0, 1 + dice(&s) % c->gap };

			nanosleep(&ts, NULL);
		}
	}
	usleep(1000 + c->delay / 1000 + c->count * 12000ULL * 1000000 / c->rate);
	do {
		read_sent(tx, f, &sent, c->count);
		if (read_arrived(rx, f, c->count) < 0)
			die("a frame came twice or corrupt");
	} while (poll(&idle, 1, 100) > 0);
	close(tx);
	close(rx);
}

/* Compare, print figures, return the number of frames that are wrong. */
static int judge(const struct conf *c, struct frame *f)
{
	struct model m = { .c = c, .f = f };
	int i, wrong = 0, dropped = 0, marked = 0, certain = 0;
	double expect = 0, var = 0, sigma;
	uint64_t first = 0, last = 0;

	memset(m.head, 0xff, sizeof(m.head));
	for (i = 0; i < c->count; i++)
		model_arrive(&m, i);
	model_advance(&m, ~(u128)0 >> 1);

	for (i = 0; i < c->count; i++) {
		bool bad = f[i].out < f[i].due ||
			   f[i].out - f[i].due > (f[i].due ? c->late : 0);

		dropped += !f[i].due;
		if (f[i].due > last)
			last = f[i].due;
		if (f[i].due && (!first || f[i].due < first))
			first = f[i].due;
		if (f[i].due && c->ecn_mode && c->ect) {
			expect += f[i].p;
			var += f[i].p * (1 - f[i].p);
			marked += f[i].ce;
			if (f[i].p == 0 || f[i].p == 1) {
				certain++;
				bad |= f[i].ce != (f[i].p == 1);
			}
		} else {
			bad |= f[i].ce;
		}
		if (bad && wrong++ < 5)
			printf("# frame %d prio %d wire %d in %llu: out %llu, due %llu, p %g, ce %d\n",
			       i, f[i].prio, f[i].wire,
			       (unsigned long long)f[i].in,
			       (unsigned long long)f[i].out,
			       (unsigned long long)f[i].due, f[i].p, f[i].ce);
	}
	sigma = sqrt(var);
	if (fabs(marked - expect) > 4 * sigma + 0.000001) {
		printf("# marks off by more than 4 sigma\n");
		wrong++;
	}
	printf("# frames=%d dropped=%d wrong=%d span_ns=%llu busy_ns=%llu peak=%llu marked=%d expected=%.1f sigma=%.1f certain=%d\n",
	       c->count, dropped, wrong, (unsigned long long)(last - f[0].in),
	       (unsigned long long)(m.busy / c->rate),
	       (unsigned long long)m.peak, marked, expect, sigma, certain);
	return wrong;
}

static const char usage[] =
"Usage: port_model --tx DEV --rx DEV [OPTION]...\n"
"Send frames into DEV's roce port, check what comes out of the other end.\n"
"The options tell how the port is set up (base units) and what to send.\n"
"  --rate BPS --delay NS --overhead BYTES --limit BYTES --plimit BYTES\n"
"  --ecn 0|1|2  off, enqueue, dequeue   --kmin BYTES --kmax BYTES --pmax P\n"
"  --dscp D:P   send this DSCP, which has priority P; may be given again\n"
"  --count N    frames (1000)           --size BYTES  0 = random (0)\n"
"  --gap NS     longest random gap, after one frame in four (0 = none)\n"
"  --ect 0|1|2  ECN bits sent (0)       --seed N      of sizes and gaps (1)\n"
"  --snd BYTES  send buffer, to see that senders wait for departures\n"
"  --late NS    lateness to accept (0); real time needs some\n";

static void set_dscp(struct conf *c, const char *arg)
{
	unsigned int d, p;

	if (c->dscp_count == PRIOS || sscanf(arg, "%u:%u", &d, &p) != 2 ||
	    d > 63 || p >= PRIOS) {
		fprintf(stderr, "port_model: --dscp \"%s\": want D:P\n", arg);
		exit(2);
	}
	c->dscp[c->dscp_count] = d;
	c->prio[c->dscp_count++] = p;
}

/* Set one option; false if there is no such option or no such number. */
static bool set_option(struct conf *c, const char *name, const char *arg)
{
	const struct {
		const char *name;
		uint64_t *u;
		int *i;
	} numbers[] = {
		{ "--rate", &c->rate, NULL }, { "--delay", &c->delay, NULL },
		{ "--limit", &c->limit, NULL }, { "--plimit", &c->plimit, NULL },
		{ "--kmin", &c->kmin, NULL }, { "--kmax", &c->kmax, NULL },
		{ "--gap", &c->gap, NULL }, { "--seed", &c->seed, NULL },
		{ "--late", &c->late, NULL }, { "--overhead", NULL, &c->overhead },
		{ "--ecn", NULL, &c->ecn_mode }, { "--ect", NULL, &c->ect },
		{ "--count", NULL, &c->count }, { "--size", NULL, &c->size },
		{ "--snd", NULL, &c->snd },
	};
	unsigned int k;
	char *end;

	for (k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
		if (strcmp(name, numbers[k].name))
			continue;
		if (numbers[k].u)
			*numbers[k].u = strtoull(arg, &end, 0);
		else
			*numbers[k].i = strtol(arg, &end, 0);
		return end != arg && !*end;
	}
	if (!strcmp(name, "--tx"))
		c->tx = arg;
	else if (!strcmp(name, "--rx"))
		c->rx = arg;
	else if (!strcmp(name, "--pmax"))
		c->pmax = atof(arg);
	else if (!strcmp(name, "--dscp"))
		set_dscp(c, arg);
	else
		return false;
	return true;
}

static void parse(struct conf *c, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i += 2) {
		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			exit(0);
		}
		if (i + 1 == argc || !set_option(c, argv[i], argv[i + 1])) {
			fprintf(stderr, "port_model: %s: bad option or value (--help lists them)\n",
				argv[i]);
			exit(2);
		}
	}
	if (!c->tx || !c->rx || c->count < 1 || !c->rate ||
	    (c->size && (c->size < MIN_FRAME || c->size > MAX_FRAME))) {
		fputs(usage, stderr);
		exit(2);
	}
	if (!c->dscp_count)
		set_dscp(c, "26:3");
}

int main(int argc, char **argv)
{
	struct conf c = {
		.rate = 100 * NS_PER_S, .overhead = 24, .limit = 32 << 20,
		.kmin = 40 << 10, .kmax = 160 << 10, .pmax = 0.2,
		.count = 1000, .seed = 1,
	};
	struct frame *f;
	int wrong;

	parse(&c, argc, argv);
	f = calloc(c.count, sizeof(*f));
	if (!f)
		die("frames");
	run(&c, f);
	wrong = judge(&c, f);
	free(f);
	return !!wrong;
}
