// SPDX-License-Identifier: GPL-2.0
/*
 * Reports, probes and TLVs for the tests of rxe: what is in those on the wire, and
 * some made by hand, in the name of the peer of a live connection.
 *
 *	rxe_report inject IF KIND
 *	rxe_report flood IF COUNT
 *	rxe_report tlvs IF MS
 *	rxe_report marked IF COUNT
 *	rxe_report again IF COUNT
 *
 * inject: waits until an ACK has gone out by IF and two SEND or WRITE packets that ask for
 * none come in, and sends packets of KIND back, for the same connection. flood: the same for
 * many connections of the two hosts, most of which do not exist, or not any more.
 * marked: waits for a packet in the middle of a WRITE that goes out by IF, and sends
 * copies with Congestion Experienced whose PSNs are far from those in use.
 * again: sends COUNT of the packets with INT that go out by IF once more, each when
 * AGAIN_LATER others have gone out since.
 */
#include <stdbool.h>
#include <sys/time.h>
#include <time.h>

#include "rxe_packet.h"

#define HDR		(BTH + 12)	/* of a report */
#define TLVS		(HDR + 4)	/* in an ACK, which has an AETH there, too */

#define TLV_TYPES	7
#define TLV_TOLD	6

static uint64_t get64(const uint8_t *p)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

/**
 * struct live - a connection that was found on the wire
 * @fd: its link
 * @qpn: of the sender of the data
 * @peer_qpn: of its receiver, in whose name we speak
 * @psn: of the last data packet
 * @frame: an ACK of the receiver, with Ethernet header
 */
struct live {
	int fd;
	uint32_t qpn;
	uint32_t peer_qpn;
	uint32_t psn;
	uint8_t frame[ETH_HLEN + MAX_LEN];
};

/* Is a frame RoCEv2 over IPv4? Returns the length of the IP packet, or 0. */
static int roce_length(const uint8_t *frame, ssize_t n)
{
	const uint8_t *pkt = frame + ETH_HLEN;
	int len;

	if (n < ETH_HLEN + BTH + 16 || pkt[0] != 0x45 || pkt[9] != 17 ||
	    pkt[22] != 0x12 || pkt[23] != 0xb7)
		return 0;
	len = pkt[2] << 8 | pkt[3];
	return len <= n - ETH_HLEN ? len : 0;
}

/* Where the BTH is: behind INT, if there is any. Data has DSCP 27 then. */
static int bth_of(const uint8_t *pkt)
{
	return pkt[1] >> 2 == 27 ? BTH + 4 + 4 * pkt[BTH + 1] : BTH;
}

/* @unacked: with the PSN of a packet that is under way; else of any. */
static int find(struct live *live, const char *ifname, bool unacked)
{
	bool data = false, before = false, ack = false;
	uint8_t frame[ETH_HLEN + MAX_LEN], *pkt = frame + ETH_HLEN;
	struct timeval wait = { .tv_sec = 1 };
	struct sockaddr_ll from;
	socklen_t from_len = sizeof(from);
	ssize_t n;

	live->fd = open_socket(ifname, ETH_P_ALL);
	setsockopt(live->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	while (!data || !ack) {
		n = recvfrom(live->fd, frame, sizeof(frame), 0, (void *)&from,
			     &from_len);
		if (n < 0) {
			fprintf(stderr, "rxe_report: no connection\n");
			return -1;
		}
		if (!roce_length(frame, n))
			continue;
		pkt = frame + ETH_HLEN;
		if (from.sll_pkttype == PACKET_OUTGOING && pkt[BTH] == OP_ACK) {
			memcpy(live->frame, frame, sizeof(frame));
			live->qpn = get24(pkt + BTH + 5);
			ack = true;
		} else if (ack && from.sll_pkttype == PACKET_HOST) {
			pkt += bth_of(pkt);
			if (pkt[0] > 0x0b)
				continue;
			/* AckReq: soon it is under way no more, as all before. */
			data = !unacked || (before && !(pkt[8] & 0x80) &&
					    live->peer_qpn == get24(pkt + 5));
			before = !(pkt[8] & 0x80);
			live->peer_qpn = get24(pkt + 5);
			live->psn = get24(pkt + 9);
		}
	}
	return 0;
}

/* Header of a report or probe, in the place of the ACK. Returns its length. */
static int begin(struct live *live, uint8_t opcode, uint32_t psn)
{
	uint8_t *bth = live->frame + ETH_HLEN + BTH;

	bth[0] = opcode;
	bth[1] = 0;
	put24(bth + 9, psn);
	memset(bth + 12, 0, MAX_LEN - BTH - 12);
	return HDR;
}

static int tlv(uint8_t *pkt, int len, int type, int words, uint64_t value)
{
	pkt[len] = type;
	pkt[len + 1] = words;
	for (int i = 0; i < 4 * words; i++)
		pkt[len + 4 + i] = i < 8 ? value >> 8 * (4 * words - 1 - i) : 0;
	return len + 4 + 4 * words;
}

/* One value, told by the algorithm that runs in these tests. */
static int tlv_told(uint8_t *pkt, int len, uint64_t value)
{
	uint32_t id = algo_id("testalg");

	tlv(pkt, len, TLV_TOLD, 3, 0);
	put16(pkt + len + 4, id >> 16);
	put16(pkt + len + 6, id);
	for (int i = 0; i < 8; i++)
		pkt[len + 8 + i] = value >> 8 * (7 - i);
	return len + 16;
}

/* One hop: node 7, port 8, at 9 ns, 10 bytes sent, queue of 11, 100 Gbit/s. */
static int tlv_int(uint8_t *pkt, int len)
{
	static const uint8_t hop[32] = {
		[3] = 7, [7] = 8, [15] = 9, [23] = 10, [27] = 11,
		[28] = 0x00, 0x01, 0x86, 0xa0,
	};

	pkt[len] = 1;
	pkt[len + 1] = 8;
	memcpy(pkt + len + 4, hop, sizeof(hop));
	return len + 4 + sizeof(hop);
}

static int report(struct live *live, uint32_t psn, int kind, uint64_t window)
{
	uint8_t *pkt = live->frame + ETH_HLEN;
	int len = begin(live, OP_REPORT, psn);

	pkt[len] = kind;
	return window ? tlv_told(pkt, len + 4, window) : len + 4;
}

static void finish(struct live *live, int len)
{
	seal(live->frame + ETH_HLEN, len + 4);
}

static int out(struct live *live, int len)
{
	uint8_t *pkt = live->frame + ETH_HLEN;

	/* Ours have an odd TTL. */
	pkt[8] = 33;
	set_length(pkt, len + 4);
	if (send(live->fd, live->frame, ETH_HLEN + len + 4, 0) < 0) {
		perror("rxe_report: send");
		return 2;
	}
	return 0;
}

/* Things that are wrong with the packet itself. Returns the new length. */
static int spoil(struct live *live, const char *kind, int len)
{
	uint8_t *pkt = live->frame + ETH_HLEN, *bth = pkt + BTH;

	if (!strcmp(kind, "stranger"))
		pkt[15] ^= 4;
	else if (!strcmp(kind, "qpn"))
		put24(bth + 5, 0xabcdef);
	else if (!strcmp(kind, "gsi"))
		put24(bth + 5, 1);
	else if (!strcmp(kind, "pad"))
		bth[1] |= 0x10;
	else if (!strcmp(kind, "version"))
		bth[1] |= 0x01;
	else if (!strcmp(kind, "pkey"))
		bth[2] = 0x12;
	else if (!strcmp(kind, "headless"))
		len = HDR;
	else if (!strcmp(kind, "half"))
		len = HDR + 2;
	else if (strcmp(kind, "icrc"))
		return 0;
	finish(live, len);
	if (!strcmp(kind, "icrc"))
		pkt[len] ^= 1;
	return len;
}

/* A report whose TLVs are wrong, or empty. Returns its length. */
static int bad_tlvs(struct live *live, const char *kind)
{
	uint8_t *pkt = live->frame + ETH_HLEN;
	int len = report(live, live->psn, 1, 0);

	if (!strcmp(kind, "cut"))
		len = tlv_told(pkt, len, 5) - 4;
	else if (!strcmp(kind, "twice"))
		len = tlv_told(pkt, tlv_told(pkt, len, 2), 3);
	else if (!strcmp(kind, "length"))
		len = tlv(pkt, len, TLV_TOLD, 2, 2);
	else if (strcmp(kind, "empty"))
		return 0;
	finish(live, len);
	return len;
}

/* A report about another packet than the last, or of another kind. */
static int other_report(struct live *live, const char *kind)
{
	uint8_t *pkt = live->frame + ETH_HLEN;
	uint32_t psn = live->psn;
	int len;

	if (!strcmp(kind, "good"))
		len = report(live, psn, 1, 54321);
	else if (!strcmp(kind, "acked"))
		len = report(live, psn - 100, 1, 54321);
	else if (!strcmp(kind, "late"))
		len = report(live, psn - 1, 1, 54321);
	else if (!strcmp(kind, "unsent"))
		len = report(live, psn + 100000, 1, 54321);
	else if (!strcmp(kind, "old"))
		len = report(live, psn - 40000, 1, 54321);
	else if (!strcmp(kind, "resp"))
		len = report(live, psn, 2, 54321);
	else if (!strcmp(kind, "probe"))
		len = report(live, psn, 3, 54321);
	else if (!strcmp(kind, "kind0") || !strcmp(kind, "kind6"))
		len = report(live, psn, kind[4] - '0', 54321);
	else if (!strcmp(kind, "switch_own"))
		len = tlv_int(pkt, report(live, psn, 4, 0));
	else
		return 0;
	finish(live, len);
	return len;
}

/* A CNP that names a packet, or none, as a NIC's. */
static int cnp(struct live *live, const char *kind)
{
	uint8_t *pkt = live->frame + ETH_HLEN;
	uint32_t psn = live->psn;
	int len = begin(live, OP_CNP, 0);

	pkt[BTH + 4] = 0x40;
	pkt[BTH + 8] = 0;
	if (!strcmp(kind, "cnp_nic"))
		return len + 16;
	pkt[len + 4] = 0x04;
	if (!strcmp(kind, "cnp_switch")) {
		put24(pkt + BTH + 5, live->peer_qpn);
		pkt[len + 4] = 0x05;
	} else if (!strcmp(kind, "cnp_acked")) {
		psn -= 100;
	} else if (!strcmp(kind, "cnp_unsent")) {
		psn += 100000;
	} else if (!strcmp(kind, "cnp_origin")) {
		pkt[len + 5] = 3;
	}
	put24(pkt + len + 9, psn);
	return len + 16;
}

static int make(struct live *live, const char *kind)
{
	uint8_t *pkt = live->frame + ETH_HLEN;
	int len = other_report(live, kind);

	if (!len)
		len = bad_tlvs(live, kind);
	if (len)
		return len;

	if (!strncmp(kind, "cnp", 3)) {
		len = cnp(live, kind);
	} else if (!strcmp(kind, "switch") || !strcmp(kind, "switch_stranger") ||
		   !strcmp(kind, "direct")) {
		len = tlv_int(pkt, report(live, live->psn, strcmp(kind, "direct") ? 4 : 5, 0));
		put24(pkt + BTH + 5, live->peer_qpn);
		if (!strcmp(kind, "switch_stranger"))
			pkt[15] ^= 4;
	} else if (!strcmp(kind, "ask")) {
		len = begin(live, OP_PROBE, 77);
	} else if (!strcmp(kind, "ask_long")) {
		len = begin(live, OP_PROBE, 77) + 4;
	} else if (!strcmp(kind, "ask_stranger")) {
		len = begin(live, OP_PROBE, 77);
		pkt[15] ^= 4;
	} else if (!strcmp(kind, "ask_icrc")) {
		len = begin(live, OP_PROBE, 77);
		finish(live, len);
		pkt[len] ^= 1;
		return len;
	} else {
		return spoil(live, kind, report(live, live->psn, 1, 54321));
	}
	finish(live, len);
	return len;
}

static int inject(const char *ifname, const char *kind)
{
	static struct live live;
	int len;

	if (find(&live, ifname, true))
		return 2;
	/* Later than what? A report on the last packet. And what is said twice. */
	if (!strcmp(kind, "late") && out(&live, make(&live, "good")))
		return 2;
	if (!strcmp(kind, "again") || !strcmp(kind, "cnp_again")) {
		kind = !strcmp(kind, "again") ? "good" : "cnp";
		if (out(&live, make(&live, kind)))
			return 2;
	}
	len = make(&live, kind);
	if (!len) {
		fprintf(stderr, "rxe_report: no kind \"%s\"\n", kind);
		return 2;
	}
	return out(&live, len);
}

/* Of a switch, by the peer's number, and of the peer, by the own one. */
static int flood(const char *ifname, int count)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	static struct live live;
	uint8_t *pkt = live.frame + ETH_HLEN;
	int len = 0;

	if (find(&live, ifname, false))
		return 2;
	srand(1);
	for (int i = 0; i < count; i++) {
		switch (i % 4) {
		case 0:
			len = tlv_int(pkt, report(&live, live.psn, 4, 0));
			break;
		case 1:
			len = report(&live, live.psn, 1, 54321);
			break;
		case 2:
			len = begin(&live, OP_CNP, 0) + 16;
			pkt[HDR + 4] = 1;
			break;
		case 3:
			len = begin(&live, OP_PROBE, 77);
			break;
		}
		put24(pkt + BTH + 5, live.qpn + rand() % 400);
		finish(&live, len);
		if (out(&live, len))
			return 2;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/**
 * struct tlv_sums - of one TLV type in one kind of packet
 * @nr: how many
 * @words: their lengths
 * @value: first body word pair, the last one seen
 * @way_min: TLV 2: RX - TX time, as the next; 0 when there was no TX time
 * @way_max: longest
 */
struct tlv_sums {
	unsigned int nr;
	unsigned int words;
	uint64_t value;
	uint64_t way_min;
	uint64_t way_max;
};

static void add_tlv(struct tlv_sums *s, const uint8_t *p)
{
	uint64_t way;

	s->nr++;
	s->words += p[1];
	s->value = p[1] > 1 ? get64(p + 4) : get64(p) & 0xffffffff;
	if (p[0] != 2)
		return;
	way = s->value ? get64(p + 12) - s->value : 0;
	if (s->nr == 1 || way < s->way_min)
		s->way_min = way;
	if (way > s->way_max)
		s->way_max = way;
}

/* What ACKs, reports and probes that come in tell, until none comes for a while. */
static int tlvs(const char *ifname, int ms)
{
	static struct tlv_sums sums[2][TLV_TYPES];
	struct timeval quiet = { ms / 1000, ms % 1000 * 1000 };
	int fd = open_socket(ifname, ETH_P_IP), bytes = 64 << 20;
	uint8_t frame[ETH_HLEN + MAX_LEN], *pkt = frame + ETH_HLEN;
	static unsigned int seen[256][256];
	unsigned int odd = 0, shim[256] = { 0 };
	ssize_t n;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &quiet, sizeof(quiet));
	while ((n = recv(fd, frame, sizeof(frame), 0)) > 0) {
		int len = roce_length(frame, n), at = TLVS;

		if (!len)
			continue;
		seen[pkt[bth_of(pkt)]][pkt[1]]++;
		/* What the class of a probe was before it got INT. */
		if (bth_of(pkt) != BTH && pkt[bth_of(pkt)] == OP_PROBE)
			shim[pkt[BTH + 3]]++;
		if (pkt[BTH] != OP_ACK && pkt[BTH] != OP_REPORT)
			continue;
		for (; at + 4 <= len - 4; at += 4 + 4 * pkt[at + 1])
			if (pkt[at] < TLV_TYPES)
				add_tlv(&sums[pkt[BTH] == OP_REPORT][pkt[at]], pkt + at);
		odd += at != len - 4;
	}
	for (int i = 0; i < 256 * 256; i++)
		if (seen[i / 256][i % 256])
			printf("op_%02x_tos_%02x %u\n", i / 256, i % 256,
			       seen[i / 256][i % 256]);
	for (int tos = 0; tos < 256; tos++)
		if (shim[tos])
			printf("probe_shim_%02x %u\n", tos, shim[tos]);
	for (int i = 0; i < 2 * TLV_TYPES; i++) {
		const struct tlv_sums *s = &sums[i / TLV_TYPES][i % TLV_TYPES];

		if (s->nr)
			printf("%s_tlv_%d %u words %u value %llu way %llu %llu\n",
			       i < TLV_TYPES ? "ack" : "report", i % TLV_TYPES,
			       s->nr, s->words, (unsigned long long)s->value,
			       (unsigned long long)s->way_min,
			       (unsigned long long)s->way_max);
	}
	printf("odd %u\n", odd);
	return 0;
}

static int marked(const char *ifname, int count)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	uint8_t frame[ETH_HLEN + MAX_LEN], *pkt = frame + ETH_HLEN;
	int fd = open_socket(ifname, ETH_P_ALL), len;
	struct timeval wait = { .tv_sec = 10 };
	struct sockaddr_ll from;
	uint32_t psn;
	ssize_t n;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	do {
		socklen_t from_len = sizeof(from);

		n = recvfrom(fd, frame, sizeof(frame), 0, (void *)&from, &from_len);
		len = n < 0 ? -1 : roce_length(frame, n);
	} while (len >= 0 && (!len || from.sll_pkttype != PACKET_OUTGOING ||
			      pkt[BTH] != OP_WRITE_MIDDLE));
	if (len < 0) {
		perror("rxe_report: receive");
		return 2;
	}
	psn = get24(pkt + BTH + 9);
	pkt[1] |= 3;
	for (int i = 0; i < count; i++) {
		/* a quarter of all PSNs ahead, and behind */
		put24(pkt + BTH + 9, psn + (i % 2 ? 0x400000 : 0xc00000) + i);
		seal(pkt, len);
		if (send(fd, frame, ETH_HLEN + len, 0) < 0) {
			perror("rxe_report: send");
			return 2;
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* How many packets later, and how many of them are kept meanwhile. */
#define AGAIN_LATER	8
#define AGAIN_EVERY	16

static int again(const char *ifname, int count)
{
	uint8_t frame[ETH_HLEN + MAX_LEN], old[ETH_HLEN + MAX_LEN];
	int fd = open_socket(ifname, ETH_P_ALL), old_len = 0, seen = 0, sent = 0;
	struct timeval wait = { .tv_sec = 10 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	while (sent < count) {
		struct sockaddr_ll from;
		socklen_t from_len = sizeof(from);
		ssize_t n = recvfrom(fd, frame, sizeof(frame), 0, (void *)&from, &from_len);

		if (n < 0) {
			perror("rxe_report: receive");
			return 2;
		}
		if (from.sll_pkttype != PACKET_OUTGOING || !roce_length(frame, n) ||
		    bth_of(frame + ETH_HLEN) == BTH)
			continue;
		if (seen % AGAIN_EVERY == 0) {
			memcpy(old, frame, n);
			old_len = n;
		} else if (seen % AGAIN_EVERY == AGAIN_LATER) {
			if (send(fd, old, old_len, 0) < 0) {
				perror("rxe_report: send");
				return 2;
			}
			sent++;
		}
		seen++;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "inject"))
		return inject(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "flood"))
		return flood(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "tlvs"))
		return tlvs(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "marked"))
		return marked(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "again"))
		return again(argv[2], atoi(argv[3]));
	fprintf(stderr, "usage: rxe_report inject IF KIND\n"
			"       rxe_report flood IF COUNT\n"
			"       rxe_report tlvs IF MS\n"
			"       rxe_report marked IF COUNT\n"
			"       rxe_report again IF COUNT\n");
	return 2;
}
