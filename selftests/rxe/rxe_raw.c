// SPDX-License-Identifier: GPL-2.0
/*
 * Raw RoCEv2 packets for the tests of rxe: makes congestion notification
 * packets (CNP), good and bad, and looks at what is on the wire.
 *
 *	rxe_raw inject IF QPN KIND [COUNT]
 *	rxe_raw capture|list IF MS
 *	rxe_raw selftest
 */
#include <linux/if_packet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "rxe_packet.h"

#define RESV		(BTH + 12)
#define CNP_LEN		60

/* A CNP whose ICRC two independent programs agree on, from 22.22.22.8 to
 * 22.22.22.7 and QP 0xd2.
 */
static const uint8_t vector[CNP_LEN] = {
	0x45, 0x89, 0x00, 0x3c, 0x98, 0xc6, 0x40, 0x00, 0x20, 0x11, 0x69, 0x27,
	0x16, 0x16, 0x16, 0x08, 0x16, 0x16, 0x16, 0x07, 0xdb, 0xae, 0x12, 0xb7,
	0x00, 0x28, 0x00, 0x00, 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x00, 0xd2,
	[56] = 0xda, 0xfc, 0x1b, 0xef,
};

/* The hosts of the tests: 02:00:00:00:00:02 sends to :01. */
static void send_packet(int fd, const uint8_t *pkt, int len)
{
	uint8_t frame[ETH_HLEN + MAX_LEN] = {
		2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0
	};

	memcpy(frame + ETH_HLEN, pkt, len);
	if (send(fd, frame, ETH_HLEN + len, 0) < 0) {
		perror("rxe_raw: send");
		exit(2);
	}
}

/* Length of the packet, or 0 when there is no such kind. */
static int make_kind(uint8_t *pkt, const char *kind)
{
	int len = CNP_LEN;

	if (!strcmp(kind, "long"))
		len += 4;
	else if (!strcmp(kind, "short"))
		len -= 16;
	else if (!strcmp(kind, "pad"))
		pkt[BTH + 1] |= 0x10;
	else if (!strcmp(kind, "version"))
		pkt[BTH + 1] |= 0x01;
	else if (!strcmp(kind, "pkey"))
		pkt[BTH + 2] = 0x12;
	else if (!strncmp(kind, "forward", 7))
		pkt[RESV + 4] = 0x01;
	else if (!strcmp(kind, "window"))
		memcpy(pkt + RESV, "\0\1\0\0\2", 5);
	else if (strcmp(kind, "source") && strcmp(kind, "good") && strcmp(kind, "icrc"))
		return 0;
	if (strstr(kind, "source"))
		pkt[15] ^= 1;
	seal(pkt, len);
	if (!strcmp(kind, "icrc"))
		pkt[len - 1] ^= 1;
	return len;
}

/* Anything at all, most of it close to a CNP and with a good ICRC. */
static int make_random(uint8_t *pkt)
{
	int len = rand() % 4 ? BTH + 16 + rand() % 80 : BTH + rand() % 40;
	uint8_t qpn = pkt[BTH + 7];

	for (int i = BTH; i < len; i++)
		if (rand() % 3 == 0)
			pkt[i] = rand();
	pkt[BTH] = rand() % 3 ? OP_CNP : rand();
	pkt[BTH + 1] &= rand() % 2 ? 0xf0 : 0;
	memset(pkt + BTH + 2, 0xff, 2);
	pkt[BTH + 5] = 0;
	pkt[BTH + 6] = 0;
	pkt[BTH + 7] = rand() % 2 ? qpn : rand();
	seal(pkt, len);
	if (rand() % 10 == 0)
		pkt[25] = rand();
	return len;
}

static int inject(const char *ifname, uint32_t qpn, const char *kind, int count)
{
	int fd = open_socket(ifname, 0);
	const struct timespec pause = { .tv_nsec = 1000000 };
	int len;

	srand(1);
	for (int i = 0; i < count; i++) {
		uint8_t pkt[MAX_LEN] = { 0 };

		memcpy(pkt, vector, sizeof(vector));
		if (!strcmp(kind, "vector")) {
			len = CNP_LEN;
		} else {
			pkt[BTH + 5] = qpn >> 16;
			pkt[BTH + 6] = qpn >> 8;
			pkt[BTH + 7] = qpn;
			len = strcmp(kind, "random") ? make_kind(pkt, kind) :
						       make_random(pkt);
		}
		if (!len) {
			fprintf(stderr, "rxe_raw: no kind \"%s\"\n", kind);
			return 2;
		}
		send_packet(fd, pkt, len);
		if (i % 100 == 99)
			nanosleep(&pause, NULL);
	}
	return 0;
}

/* One line a packet: what rxe decides on its own, apart from numbers. */
static void list_packet(const uint8_t *pkt, int len)
{
	printf("op %02x flags %02x pkey %02x%02x becn %02x ack %02x ",
	       pkt[BTH], pkt[BTH + 1], pkt[BTH + 2], pkt[BTH + 3], pkt[BTH + 4],
	       pkt[BTH + 8]);
	printf("len %d tos %02x df %02x ttl %d\n", len, pkt[1], pkt[6], pkt[8]);
}

/* As the standard has it but for the flag that there is a PSN, and that. */
static bool cnp_as_sent(const uint8_t *pkt, int len)
{
	static const uint8_t zero[8];

	return len == CNP_LEN && pkt[BTH + 4] == 0x40 &&
	       !memcmp(pkt + BTH + 8, zero, 4) && !memcmp(pkt + RESV, zero, 4) &&
	       pkt[RESV + 4] == 0x04 && !memcmp(pkt + RESV + 5, zero, 4) &&
	       !memcmp(pkt + RESV + 12, zero, 4);
}

/* Prints how many packets of each opcode and TOS came in until none came for
 * a while.
 */
static int capture(const char *ifname, int ms, bool list)
{
	struct timeval quiet = { ms / 1000, ms % 1000 * 1000 };
	int fd = open_socket(ifname, ETH_P_IP), bytes = 64 << 20;
	static unsigned int seen[256][256];
	unsigned int bad = 0;
	uint8_t frame[MAX_LEN], *pkt = frame + ETH_HLEN;
	ssize_t n;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &quiet, sizeof(quiet));
	while ((n = recv(fd, frame, sizeof(frame), 0)) > 0) {
		int len = pkt[2] << 8 | pkt[3];

		if (len < BTH + 16 || len > n - ETH_HLEN ||
		    pkt[9] != 17 || pkt[22] != 0x12 || pkt[23] != 0xb7)
			continue;
		if (list)
			list_packet(pkt, len);
		seen[pkt[BTH]][pkt[1]]++;
		if (!icrc_ok(pkt, len))
			bad++;
		if (pkt[BTH] == OP_CNP && !cnp_as_sent(pkt, len))
			printf("odd_cnp 1\n");
	}
	printf("bad_icrc %u\n", bad);
	for (int op = 0; op < 256; op++)
		for (int tos = 0; tos < 256; tos++)
			if (seen[op][tos])
				printf("op_%02x_tos_%02x %u\n", op, tos,
				       seen[op][tos]);
	return 0;
}

static int selftest(void)
{
	return !icrc_ok(vector, CNP_LEN);
}

int main(int argc, char **argv)
{
	if (argc >= 5 && !strcmp(argv[1], "inject"))
		return inject(argv[2], strtoul(argv[3], NULL, 0), argv[4],
			      argc > 5 ? atoi(argv[5]) : 1);
	if (argc == 4 && !strcmp(argv[1], "capture"))
		return capture(argv[2], atoi(argv[3]), false);
	if (argc == 4 && !strcmp(argv[1], "list"))
		return capture(argv[2], atoi(argv[3]), true);
	if (argc == 2 && !strcmp(argv[1], "selftest"))
		return selftest();
	fprintf(stderr, "usage: rxe_raw inject IF QPN KIND [COUNT]\n"
			"       rxe_raw capture|list IF MS\n"
			"       rxe_raw selftest\n");
	return 2;
}
