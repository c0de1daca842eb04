// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of somebody outside a connection: in the name of one of its ends, to the
 * other, with the queue pair number of that, but without having seen a packet. So
 * each bears a random PSN. The ICRC is right, since it has no key.
 *
 *	rxe_forge IF FROM TO TO-MAC QPN KIND RATE COUNT [SEED]
 *
 * COUNT packets of KIND to queue pair QPN of TO, as if FROM had sent them, RATE a
 * second. QPN is that of TO, for the kinds of switches (*_switch) that of FROM.
 */
#include <sched.h>
#include <time.h>

#include "rxe_packet.h"

#define RESV		(BTH + BTH_LEN)	/* of a CNP; header of a report; AETH */
#define TLVS		(RESV + 4)
#define CAPS_BOTH	0x03		/* TLVs, INT sink */

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

/* As the only TLV, a value of 1 that a receiver's hpccpp tells: a window of one byte. */
static int tlv_window(uint8_t *pkt)
{
	uint32_t id = algo_id("hpccpp");

	pkt[TLVS] = 6;
	pkt[TLVS + 1] = 3;
	put16(pkt + TLVS + 4, id >> 16);
	put16(pkt + TLVS + 6, id);
	pkt[TLVS + 15] = 1;
	return TLVS + 16;
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
	/* A window of one byte, Mercury's. */
	if (!strcmp(kind, "window_switch")) {
		pkt[RESV + 3] = 1;
		pkt[RESV + 5] = 1;
		return make_cnp(pkt, 0x07, psn);
	}
	pkt[BTH + 8] = CAPS_BOTH;
	if (!strcmp(kind, "ack")) {
		pkt[BTH] = OP_ACK;
		return tlv_window(pkt);
	}
	if (!strcmp(kind, "report")) {
		pkt[BTH] = OP_REPORT;
		pkt[RESV] = 1;
		return tlv_window(pkt);
	}
	if (!strcmp(kind, "report_unknown")) {
		pkt[BTH] = OP_REPORT;
		pkt[RESV] = 77;
		return TLVS;
	}
	if (!strcmp(kind, "report_switch")) {
		pkt[BTH] = OP_REPORT;
		pkt[BTH + 8] = 0;
		pkt[RESV] = 4;
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

/* Not the machine's clock but the lab's virtual one: each goes at its very time. */
static int flood(int fd, uint8_t *frame, const char *kind, uint64_t rate,
		 uint64_t count, uint64_t seed)
{
	uint8_t *pkt = frame + ETH_HLEN;
	struct timespec at;
	int len;

	clock_gettime(CLOCK_MONOTONIC, &at);
	for (uint64_t i = 0; i < count; i++) {
		memset(pkt + BTH + BTH_LEN, 0, MAX_LEN - BTH - BTH_LEN);
		len = make(pkt, kind, random32(&seed) & 0xffffff) + ICRC_LEN;
		seal(pkt, len);
		if (send(fd, frame, ETH_HLEN + len, 0) < 0) {
			perror("rxe_forge: send");
			return 2;
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
	unsigned long rate, count;

	if (argc < 9 || argc > 10 || !make(pkt, argv[6], 0)) {
		fprintf(stderr, "usage: rxe_forge IF FROM TO TO-MAC QPN KIND RATE COUNT [SEED]\n");
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
	return flood(open_socket(argv[1], 0), frame, argv[6], rate, count,
		     argc > 9 ? strtoul(argv[9], NULL, 0) : 1);
}
