/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a switch port may do to a frame (frames_allowed_changes.c), and frames made wrong
 * (frames_mutate.c).
 */
#ifndef _FRAMES_ALLOWED_CHANGES_H
#define _FRAMES_ALLOWED_CHANGES_H

#include "frames.h"

#define INT_DSCP	27
#define INT_DOMAIN	0x0cc1

enum int_verdict {
	INT_NONE, INT_PUSHED, INT_HOP_LIMIT, INT_MTU, INT_BAD, INT_UNSUPPORTED,
	INT_VERDICTS
};

enum pfc_verdict {
	PFC_NONE, PFC_OK, PFC_BAD, PFC_OTHER,
	PFC_VERDICTS
};

/* 64-bit hashes of frames; zero stands for an empty place. */
struct set {
	uint64_t *slot;
	uint64_t mask;
};

void set_init(struct set *s, uint64_t entries);
void set_add(struct set *s, uint64_t hash);
bool set_has(const struct set *s, uint64_t hash);

int ip_offset(const uint8_t *b, int len, int *type);
enum int_verdict int_verdict(const uint8_t *b, int len, int mtu,
			     struct parsed *p);
enum pfc_verdict pfc_verdict(const uint8_t *b, int len);
uint64_t normal_hash(const uint8_t *b, int len, int mtu);
enum int_verdict port_verdict(const struct set *sent, const uint8_t *b, int len,
			      int mtu, const char **why);

/* Last bytes of the addresses of a port with LSCC and of the other end. */
#define FUZZ_SELF	1
#define FUZZ_PEER	2

/* frames_mutate.c */
struct mutator {
	uint64_t seed;
	const struct port *src, *dst;	/* dst: 0 = several */
	uint32_t serial;
};

int mutate(struct mutator *m, uint8_t *buf, int max);

#endif /* _FRAMES_ALLOWED_CHANGES_H */
