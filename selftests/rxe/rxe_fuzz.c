// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzing of what rxe takes from the network.
 *
 *	rxe_fuzz IF COUNT [RATIO [SEED [QUIET-MS [OVERTAKES]]]]
 *
 * Behind each packet that leaves by IF RATIO bad ones (4, at most 32) are sent, made
 * of it, COUNT in all. They go to the driver, past the port's qdisc, so that no
 * port adds to them on this side. Whatever comes in is judged. When nothing has
 * passed for QUIET-MS (200), or on SIGTERM, the program ends and prints what the own
 * host's counters must have grown by: "NAME LEAST MOST". OVERTAKES, not 0: several
 * processors; what is sent may arrive before what it was made of.
 */
#include <sched.h>
#include <signal.h>
#include <sys/time.h>

#include "rxe_fuzz.h"

#define ROCE_PORT	4791
#define MAX_RATIO	32
#define BATCH		64

struct fuzz {
	int in, out;
	uint64_t count, injected, refused, seen;
	unsigned int ratio;
	struct judge judge;
	struct mutator mutator;
};

/* Sound packets are RoCEv2 over IPv4 without options. */
static bool is_roce(const uint8_t *frame, int n)
{
	const uint8_t *pkt = frame + ETH_HLEN;

	return n >= ETH_HLEN + BTH && get16(frame + 12) == ETH_P_IP &&
	       pkt[0] == 0x45 && pkt[9] == 17 && get16(pkt + IP_LEN + 2) == ROCE_PORT &&
	       (int)get16(pkt + 2) <= n - ETH_HLEN && get16(pkt + 2) >= BTH;
}

/* @n bad packets made of a sound one, in one go. */
static void inject(struct fuzz *z, const uint8_t *frame, const struct packet *p,
		   unsigned int n)
{
	static uint8_t bad[MAX_RATIO][ETH_HLEN + 2 * MAX_LEN];
	struct mmsghdr msg[MAX_RATIO] = { };
	struct iovec iov[MAX_RATIO];
	unsigned int i;
	int sent;

	for (i = 0; i < n; i++) {
		memcpy(bad[i], frame, ETH_HLEN);
		iov[i].iov_base = bad[i];
		iov[i].iov_len = ETH_HLEN + mutate(&z->mutator, p, bad[i] + ETH_HLEN);
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
	}
	/* One that the interface refuses, for its length, ends a go. */
	for (i = 0; i < n; i++) {
		sent = sendmmsg(z->out, msg + i, n - i, 0);
		if (sent > 0) {
			z->injected += sent;
			i += sent - 1;
		} else {
			z->refused++;
		}
	}
}

static void went_out(struct fuzz *z, const uint8_t *frame)
{
	const uint8_t *pkt = frame + ETH_HLEN;
	uint64_t left = z->count - z->injected;
	static struct packet p;

	z->seen++;
	if (!packet_apart(&p, pkt, get16(pkt + 2)))
		return;
	if (p.b[BTH] <= OP_ACK)
		numbers_add(&z->judge.peer_qps, get24(p.b + BTH + 5));
	if (!mutator_sees(&z->mutator, &p))
		return;
	if (left)
		inject(z, frame, &p, left < z->ratio ? left : z->ratio);
}

static void take(struct fuzz *z, const uint8_t *frame, int n, int type)
{
	if (!is_roce(frame, n))
		return;
	if (type == PACKET_OUTGOING)
		went_out(z, frame);
	else if (type == PACKET_HOST)
		judge_in(&z->judge, frame + ETH_HLEN, get16(frame + ETH_HLEN + 2));
}

/* Without SA_RESTART: a receive that waits is interrupted. */
static volatile sig_atomic_t over;

static void end(int sig)
{
	(void)sig;
	over = 1;
}

static int run(struct fuzz *z)
{
	static uint8_t frame[BATCH][ETH_HLEN + MAX_LEN];
	struct tpacket_stats lost = { };
	struct mmsghdr msg[BATCH] = { };
	struct sockaddr_ll from[BATCH];
	struct iovec iov[BATCH];
	socklen_t len = sizeof(lost);
	int i, n;

	for (i = 0; i < BATCH; i++) {
		iov[i].iov_base = frame[i];
		iov[i].iov_len = sizeof(frame[i]);
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
		msg[i].msg_hdr.msg_name = &from[i];
		msg[i].msg_hdr.msg_namelen = sizeof(from[i]);
	}
	while (!over && (n = recvmmsg(z->in, msg, BATCH, MSG_WAITFORONE, NULL)) > 0)
		for (i = 0; i < n; i++)
			take(z, frame[i], msg[i].msg_len, from[i].sll_pkttype);
	judge_print(&z->judge);
	getsockopt(z->in, SOL_PACKET, PACKET_STATISTICS, &lost, &len);
	printf("went_out %llu\ninjected %llu\nrefused %llu\nlost %u\n",
	       (unsigned long long)z->seen, (unsigned long long)z->injected,
	       (unsigned long long)z->refused, lost.tp_drops);
	return 0;
}

static unsigned long argument(char **argv, int argc, int i, unsigned long def)
{
	return argc > i ? strtoul(argv[i], NULL, 0) : def;
}

int main(int argc, char **argv)
{
	unsigned long ms = argument(argv, argc, 5, 200);
	struct timeval quiet = { ms / 1000, ms % 1000 * 1000 };
	/* In virtual time nobody uses the CPU up: work that is never done would keep
	 * us from it until the transfer is over.
	 */
	struct sched_param first = { .sched_priority = 1 };
	struct sigaction term = { .sa_handler = end };
	int bytes = 256 << 20, yes = 1;
	static struct fuzz z;

	if (argc < 3 || argument(argv, argc, 3, 4) > MAX_RATIO) {
		fprintf(stderr, "usage: rxe_fuzz IF COUNT [RATIO [SEED [QUIET-MS [OVERTAKES]]]]\n");
		return 2;
	}
	z.count = argument(argv, argc, 2, 0);
	z.ratio = argument(argv, argc, 3, 4);
	z.mutator.seed = argument(argv, argc, 4, 1);
	z.mutator.overtakes = argument(argv, argc, 6, 0);
	z.mutator.peer_qps = &z.judge.peer_qps;
	z.mutator.own_qps = &z.judge.own_qps;
	z.in = open_socket(argv[1], ETH_P_ALL);
	z.out = open_socket(argv[1], 0);
	if (sigaction(SIGTERM, &term, NULL) || sched_setscheduler(0, SCHED_FIFO, &first) ||
	    setsockopt(z.out, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof(yes)) ||
	    setsockopt(z.in, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) ||
	    setsockopt(z.in, SOL_SOCKET, SO_RCVTIMEO, &quiet, sizeof(quiet))) {
		perror("rxe_fuzz: priority or socket");
		return 2;
	}
	return run(&z);
}
