// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of somebody outside a connection: in the name of one of its ends, to the
 * other, with the queue pair number of that, but without having seen a packet. So
 * each bears a random PSN. The ICRC is right, since it has no key.
 *
 *	rxe_forge IF FROM TO TO-MAC QPN KIND[=ALGO:V[,V]...] RATE COUNT [SEED|seen[+N|-N]]
 *
 * COUNT packets of KIND to queue pair QPN of TO, as if FROM had sent them, RATE a
 * second. QPN is that of TO, for the kinds of switches (*_switch) that of FROM.
 * ports_switch: for each PSN a CNP of each of PORTS ports, with a window of a byte.
 * The kinds ack and report tell the values V of the algorithm ALGO; a 1 of hpccpp if
 * nothing is said.
 *
 * seen: of somebody who sees the data that comes in by IF, to show what a right guess
 * costs. Each packet names one that is AHEAD of what has come, so it is under way; seen+N
 * or seen-N: one that is N ahead of it, or N before it.
 */
#include <fcntl.h>
#include <sched.h>
#include <time.h>

#include "rxe_packet.h"

#define RESV		(BTH + BTH_LEN)	/* of a CNP; header of a report; AETH */
#define TLVS		(RESV + 4)
#define CAPS_BOTH	0x03		/* TLVs, INT sink */
#define INT_DSCP	27
#define AHEAD		2
#define MAX_TOLD	4
#define PORTS		16

/* RoCEv2 over IPv4, class of ACKs, CNPs and reports unless changed. */
static const uint8_t header[BTH + BTH_LEN] = {
	0x45, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
	[IP_LEN] = 0xc0, 0x00, 0x12, 0xb7,
	[BTH + 2] = 0xff, 0xff,
};

/* A CNP: @flags of its reserved field, with the PSN where they say that it is one. */
static int make_cnp(uint8_t *pkt, uint8_t flags, uint32_t psn)
{
	pkt[BTH] = OP_CNP;
	pkt[BTH + 4] = 0x40;
	put24(pkt + BTH + 9, 0);
	pkt[RESV + 4] = flags;
	if (flags & 0x04)
		put24(pkt + RESV + 9, psn);
	return RESV + 16;
}

/* What an ACK or report tells: values of an algorithm. */
static struct {
	const char *algo;
	int nr;
	uint64_t value[MAX_TOLD];
} told = { "hpccpp", 1, { 1 } };

/* ALGO:V[,V]... */
static bool read_told(char *text)
{
	char *rest = strchr(text, ':'), *end;

	if (!rest)
		return false;
	*rest++ = '\0';
	told.algo = text;
	for (told.nr = 0; told.nr < MAX_TOLD; rest = end + 1) {
		told.value[told.nr++] = strtoull(rest, &end, 0);
		if (end == rest || *end != ',')
			return end != rest && !*end;
	}
	return false;
}

/* That, as the only TLV. */
static int tlv_told(uint8_t *pkt)
{
	uint32_t id = algo_id(told.algo);

	pkt[TLVS] = 6;
	pkt[TLVS + 1] = 1 + 2 * told.nr;
	put16(pkt + TLVS + 4, id >> 16);
	put16(pkt + TLVS + 6, id);
	for (int i = 0; i < told.nr; i++)
		put64(pkt + TLVS + 8 + 8 * i, told.value[i]);
	return TLVS + 8 + 8 * told.nr;
}

/* One hop of 10 Gbit/s with a queue of 256 MB, as the only TLV. */
static int tlv_queue(uint8_t *pkt)
{
	static const uint8_t hop[32] = {
		[3] = 7, [7] = 8, [15] = 9, [23] = 10, [24] = 0x10,
		[30] = 0x27, 0x10,
	};

	pkt[TLVS] = 1;
	pkt[TLVS + 1] = 8;
	memcpy(pkt + TLVS + 4, hop, sizeof(hop));
	return TLVS + 4 + sizeof(hop);
}

/* Length of the packet without its ICRC; 0: there is no such kind. */
static int make(uint8_t *pkt, const char *kind, uint32_t psn)
{
	bool ce = !strcmp(kind, "write_ce");

	put24(pkt + BTH + 9, psn);
	if (!strcmp(kind, "cnp"))
		return make_cnp(pkt, 0, psn);
	if (!strcmp(kind, "cnp_psn"))
		return make_cnp(pkt, 0x04, psn);
	if (!strcmp(kind, "cnp_switch"))
		return make_cnp(pkt, 0x05, psn);
	/* A window of one byte, Mercury's; in the name of one port, or of many. */
	if (!strcmp(kind, "window_switch") || !strcmp(kind, "ports_switch")) {
		pkt[RESV + 3] = 1;
		pkt[RESV + 5] = 1;
		return make_cnp(pkt, 0x07, psn);
	}
	pkt[BTH + 8] = CAPS_BOTH;
	if (!strcmp(kind, "ack")) {
		pkt[BTH] = OP_ACK;
		return tlv_told(pkt);
	}
	if (!strcmp(kind, "report")) {
		pkt[BTH] = OP_REPORT;
		pkt[RESV] = 1;
		return tlv_told(pkt);
	}
	/* In the name of the peer: telemetry of a path that nobody has. */
	if (!strcmp(kind, "report_hops")) {
		pkt[BTH] = OP_REPORT;
		pkt[RESV] = 1;
		return tlv_queue(pkt);
	}
	if (!strcmp(kind, "report_unknown")) {
		pkt[BTH] = OP_REPORT;
		pkt[RESV] = 77;
		return TLVS;
	}
	if (!strcmp(kind, "report_switch") || !strcmp(kind, "report_direct")) {
		pkt[BTH] = OP_REPORT;
		pkt[BTH + 8] = 0;
		pkt[RESV] = strcmp(kind, "report_direct") ? 4 : 5;
		return tlv_queue(pkt);
	}
	if (!strcmp(kind, "probe")) {
		pkt[BTH] = OP_PROBE;
		return BTH + BTH_LEN;
	}
	if (ce || !strcmp(kind, "write")) {
		pkt[1] = ce ? 0x6b : 0x6a;
		pkt[BTH] = OP_WRITE_ONLY;
		pkt[BTH + 8] = 0;
		return RESV + 16;
	}
	if (!strcmp(kind, "write_last")) {
		pkt[1] = 0x6a;
		pkt[BTH] = OP_WRITE_LAST;
		pkt[BTH + 8] = 0;
		return RESV + 4;
	}
	return 0;
}

/* xorshift64*, upper half */
static uint32_t random32(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL >> 32;
}

static bool read_mac(const char *text, uint8_t *mac)
{
	unsigned int b[6];

	if (sscanf(text, "%x:%x:%x:%x:%x:%x", b, b + 1, b + 2, b + 3, b + 4,
		   b + 5) != 6)
		return false;
	for (int i = 0; i < 6; i++)
		mac[i] = b[i];
	return true;
}

static void add_ns(struct timespec *t, uint64_t ns)
{
	ns += t->tv_nsec;
	t->tv_sec += ns / 1000000000;
	t->tv_nsec = ns % 1000000000;
}

/* PSN of the data of the host @to that came last, if any did since; @fd does not block. */
static void see(int fd, const uint8_t *to, uint32_t *psn)
{
	uint8_t frame[ETH_HLEN + 256], *pkt = frame + ETH_HLEN;
	const uint8_t *bth;
	struct sockaddr_ll from;
	socklen_t len = sizeof(from);

	while (recvfrom(fd, frame, sizeof(frame), 0, (void *)&from, &len) > 0) {
		if (from.sll_pkttype != PACKET_HOST || pkt[0] != 0x45 || pkt[9] != 17 ||
		    memcmp(pkt + 12, to, 4))
			continue;
		bth = pkt + BTH;
		if (pkt[1] >> 2 == INT_DSCP)
			bth += 4 + 4 * bth[1];
		if (bth < frame + sizeof(frame) - BTH_LEN && bth[0] <= OP_WRITE_ONLY + 1)
			*psn = get24(bth + 9);
	}
}

/* Not the machine's clock but the lab's virtual one: each goes at its very time. */
static int flood(int fd, int seen, int32_t ahead, uint8_t *frame, const char *kind,
		 uint64_t rate, uint64_t count, uint64_t seed)
{
	uint8_t *pkt = frame + ETH_HLEN;
	bool ports = !strcmp(kind, "ports_switch");
	struct timespec at;
	uint32_t psn = 0;
	int len;

	clock_gettime(CLOCK_MONOTONIC, &at);
	for (uint64_t i = 0; i < count; i++) {
		memset(pkt + BTH + BTH_LEN, 0, MAX_LEN - BTH - BTH_LEN);
		if (seen >= 0)
			see(seen, pkt + 16, &psn);
		len = make(pkt, kind, (seen >= 0 ? psn + ahead : random32(&seed)) & 0xffffff) +
		      ICRC_LEN;
		for (int port = 1; port <= (ports ? PORTS : 1); port++) {
			if (ports)
				put16(pkt + RESV + 6, port);
			seal(pkt, len);
			if (send(fd, frame, ETH_HLEN + len, 0) < 0) {
				perror("rxe_forge: send");
				return 2;
			}
		}
		add_ns(&at, 1000000000 / rate);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static uint8_t frame[ETH_HLEN + MAX_LEN];
	/* Before all others when both are due at the same virtual time. */
	struct sched_param first = { .sched_priority = 1 };
	uint8_t *pkt = frame + ETH_HLEN;
	int seen = -1, ahead = AHEAD, bytes = 64 << 20;
	unsigned long rate, count;
	char *values;

	values = argc > 6 ? strchr(argv[6], '=') : NULL;
	if (values)
		*values++ = '\0';
	if (argc < 9 || argc > 10 || (values && !read_told(values)) ||
	    !make(pkt, argv[6], 0)) {
		fprintf(stderr, "usage: rxe_forge IF FROM TO TO-MAC QPN KIND[=ALGO:V[,V]...] RATE COUNT [SEED|seen[+N|-N]]\n");
		return 2;
	}
	memset(frame, 0, sizeof(frame));
	memcpy(pkt, header, sizeof(header));
	if (inet_pton(AF_INET, argv[2], pkt + 12) != 1 ||
	    inet_pton(AF_INET, argv[3], pkt + 16) != 1 ||
	    !read_mac(argv[4], frame)) {
		fprintf(stderr, "rxe_forge: bad address\n");
		return 2;
	}
	memcpy(frame + 6, "\x02\0\0\0\0\x66", 6);
	put16(frame + 12, ETH_P_IP);
	put24(pkt + BTH + 5, strtoul(argv[5], NULL, 0));
	rate = strtoul(argv[7], NULL, 0);
	count = strtoul(argv[8], NULL, 0);
	if (!rate || sched_setscheduler(0, SCHED_FIFO, &first)) {
		fprintf(stderr, "rxe_forge: no rate, or no priority\n");
		return 2;
	}
	if (argc > 9 && !strncmp(argv[9], "seen", 4)) {
		if (argv[9][4])
			ahead = strtol(argv[9] + 4, NULL, 0);
		seen = open_socket(argv[1], ETH_P_ALL);
		fcntl(seen, F_SETFL, O_NONBLOCK);
		setsockopt(seen, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	}
	return flood(open_socket(argv[1], 0), seen, ahead, frame, argv[6], rate, count,
		     argc > 9 ? strtoul(argv[9], NULL, 0) : 1);
}
