/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fuzzing of what rxe takes from the network: who makes bad packets, and who knows
 * what must become of them.
 */
#ifndef RXE_FUZZ_H
#define RXE_FUZZ_H

#include "rxe_packet.h"

#define INT_DSCP	27
#define INT_HDR		16	/* shim and MD header */
#define SMALL		8	/* a compact hop, or a time */
#define HOP		32	/* a hop in the layout of HPCC */
#define MAX_HOPS	16
#define MAX_QPS		64
#define MAX_UNKNOWN	(1 << 18)
#define CNP_LEN		60
#define TTL_MARK	33	/* of a packet that was made here */
#define PSN_FAR		(1 << 20) /* no transfer of a test is so long */

/**
 * struct numbers - a set of queue pair numbers
 * @n: how many
 * @v: they
 */
struct numbers {
	int n;
	uint32_t v[MAX_QPS];
};

bool numbers_have(const struct numbers *s, uint32_t v);
void numbers_add(struct numbers *s, uint32_t v);

/**
 * struct packet - a packet, and INT apart from it
 * @b: packet without INT, from the IP header on
 * @len: its length
 * @tel: shim, MD header, stack
 * @tel_len: their length; 0: none
 */
struct packet {
	uint8_t b[MAX_LEN];
	int len;
	uint8_t tel[1024 + INT_HDR];
	int tel_len;
};

bool packet_apart(struct packet *p, const uint8_t *pkt, int len);
int packet_together(const struct packet *p, uint8_t *pkt);

/**
 * struct mutator - maker of bad packets
 * @seed: state of the random numbers
 * @hops: telemetry that was seen last, in the layout of HPCC
 * @nr_hops: hops in it
 * @peer_qps: queue pairs that the own host sends to
 * @own_qps: queue pairs of the own host
 * @old: packets that were seen, for replay
 * @nr_old: how many there have been
 * @overtakes: what is made may arrive before what it was made of
 */
struct mutator {
	uint64_t seed;
	uint8_t hops[MAX_HOPS * HOP];
	int nr_hops;
	const struct numbers *peer_qps;
	const struct numbers *own_qps;
	struct packet old[64];
	unsigned int nr_old;
	bool overtakes;
};

bool mutator_sees(struct mutator *m, const struct packet *p);
int mutate(struct mutator *m, const struct packet *from, uint8_t *pkt);

/**
 * enum verdict - what becomes of a packet that comes in; each is one of these
 * @V_UDP: UDP drops it
 * @V_SHORT: INT: too short
 * @V_SHIM: INT: another type
 * @V_VERSION: INT: another version
 * @V_LENGTH: INT: lengths disagree
 * @V_DISCARD: INT: to be discarded
 * @V_SILENT: rxe drops it without counting: whatever is wrong with BTH or ICRC
 * @V_CNP: CNP, handled or ignored
 * @V_REPORT: report, or a probe that is ignored
 * @V_PROBE: probe that is answered
 * @V_RECEIVED: rxe takes it in
 * @NR_VERDICTS: end
 */
enum verdict {
	V_UDP,
	V_SHORT,
	V_SHIM,
	V_VERSION,
	V_LENGTH,
	V_DISCARD,
	V_SILENT,
	V_CNP,
	V_REPORT,
	V_PROBE,
	V_RECEIVED,
	NR_VERDICTS,
};

/**
 * enum tlv_verdict - what is wrong with the TLVs of an ACK or report
 * @T_OK: nothing
 * @T_SHORT: one goes beyond the packet
 * @T_LENGTH: length that its type cannot have
 * @T_TWICE: a type that is known is there twice
 * @T_UNKNOWN: nothing, but one is of an unknown type
 * @NR_TLV_VERDICTS: end
 */
enum tlv_verdict {
	T_OK,
	T_SHORT,
	T_LENGTH,
	T_TWICE,
	T_UNKNOWN,
	NR_TLV_VERDICTS,
};

/**
 * struct acked - what the peer itself has acknowledged to a queue pair
 * @psn: last
 * @any: there is one
 * @advances: it was not always the same
 */
struct acked {
	uint32_t psn;
	bool any, advances;
};

/**
 * struct judge - knows what must have been counted for what came in
 * @own_qps: queue pairs of the own host, from what its peer sends to them
 * @peer_qps: queue pairs of its peer, from what it sends to them
 * @acked: by place in @own_qps
 * @unknown: queue pairs that were not known when a good packet came for them, and
 *	what becomes of that if they are there: the first sound packet shows it
 * @nr_unknown: how many there have been
 * @peer: address of the peer
 * @frames: packets that came in
 * @marked: of those, made by a mutator
 * @verdict: of them
 * @int_received: INT taken off
 * @foreign: in another layout than that of HPCC
 * @never_sent: ACKs for what was never sent; the first number is of those that may
 *	be refused for other reasons
 * @ack_tlv: of ACKs that rxe takes in
 * @other_tlv: of reports and ACKs that may be refused for other reasons first
 */
struct judge {
	struct numbers own_qps, peer_qps;
	struct acked acked[MAX_QPS];
	struct {
		uint32_t qpn;
		enum verdict known;
	} unknown[MAX_UNKNOWN];
	unsigned int nr_unknown;
	uint8_t peer[4];
	uint64_t frames, marked;
	uint64_t verdict[NR_VERDICTS];
	uint64_t int_received, foreign, never_sent[2];
	uint64_t ack_tlv[NR_TLV_VERDICTS], other_tlv[NR_TLV_VERDICTS];
};

void judge_in(struct judge *j, const uint8_t *pkt, int len);
void judge_print(const struct judge *j);

#endif /* RXE_FUZZ_H */
