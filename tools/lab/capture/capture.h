/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab capture: telemetry of hops in packets of a capture, in three formats: INT as the lab has
 * it, IOAM traces, IFA 2.0. What is read of a packet is the same for all of them; INT can be
 * written as the other two. Documentation/devel/wire.md has the table of fields.
 *
 * Nothing of a packet is believed: no byte is read that frame_has() has not granted.
 */
#ifndef LAB_CAPTURE_H
#define LAB_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

#define UNKNOWN		UINT64_MAX

#define IP_UDP		17
#define IP_IN_IP	4
#define UDP_BYTES	8
#define ROCE_PORT	4791

/* INT's stack has 252 words, IOAM's trace 127, that of IFA 255 in hops of eight words. */
#define CAPTURE_HOPS	252

/* What a hop says of itself, in the order of the columns. */
enum hop_field {
	HOP_NODE,
	HOP_IN_PORT,
	HOP_OUT_PORT,
	HOP_INGRESS,		/* ns: the packet came in */
	HOP_EGRESS,		/* ns: its transmission began */
	HOP_LATENCY,		/* ns between them */
	HOP_QUEUE,
	HOP_QUEUE_BYTES,
	HOP_TX_BYTES,
	HOP_SPEED,		/* Mbit/s */
	HOP_FIELDS,
};

/* UNKNOWN in what it does not say. */
struct hop {
	uint64_t v[HOP_FIELDS];
};

enum telemetry_format {
	FORMAT_INT,
	FORMAT_IOAM,
	FORMAT_IFA,
	FORMATS,
};

extern const char *const format_names[FORMATS + 1];

/* What became of a packet. */
enum verdict {
	PACKET_READ,
	PACKET_PLAIN,		/* has no telemetry */
	PACKET_CUT,		/* the capture has not all of it */
	PACKET_BAD,		/* its lengths contradict each other */
	PACKET_OTHER,		/* in a version or layout that is not read here */
	VERDICTS,
};

/**
 * struct frame - a packet of a capture
 * @data: from its Ethernet header on
 * @caplen: bytes of it that the capture has
 * @len: bytes that it had
 * @time_ns: when it was captured, or UNKNOWN
 * @ip: where its IP header is
 * @end: where the IP packet ends by its own length; may be behind @caplen, not behind @len
 * @v6: IPv6
 * @proto: protocol of what follows the header
 * @l4: where that is
 */
struct frame {
	const uint8_t *data;
	size_t caplen, len;
	uint64_t time_ns;
	size_t ip, end;
	bool v6;
	uint8_t proto;
	size_t l4;
};

/* What the command line says of formats that leave it open. */
struct capture_options {
	uint64_t dscp;			/* of INT */
	uint64_t queue_unit;		/* bytes that 1 in a foreign queue is; 0: not told */
	const char *time;		/* of foreign IOAM: ptp, ntp or posix */
};

/**
 * struct telemetry - what a packet brings
 * @format: which
 * @ours: written by "lab capture --to"
 * @incomplete: hops are missing, says the packet
 * @queue_units: queues are in a unit that the command line does not tell
 * @dscp: that the packet had before it became INT; 0: not told
 * @rem_hop: hops that may still add
 * @at: where INT begins
 * @bytes: how long that is
 * @ip: where the IP header is that the sender made
 * @l4: where its UDP header is; 0: has none
 * @payload: behind that, and behind the telemetry
 * @n: hops
 * @hops: the first port of the path first
 */
struct telemetry {
	enum telemetry_format format;
	bool ours, incomplete, queue_units;
	uint8_t dscp, rem_hop;
	size_t at, bytes, ip, l4, payload;
	unsigned int n;
	struct hop hops[CAPTURE_HOPS];
};

/* One more hop, which says nothing yet; NULL: there are too many. */
static inline struct hop *telemetry_hop(struct telemetry *t)
{
	if (t->n == CAPTURE_HOPS)
		return NULL;
	memset(t->hops + t->n, 0xff, sizeof(struct hop));
	return t->hops + t->n++;
}

/* What an export could not say. */
struct export_losses {
	uint64_t node_bits, speeds;	/* hops */
	uint64_t not_fitting, too_long;	/* packets */
};

static inline uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline void put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

/* @n bytes, big endian; all ones are UNKNOWN. */
static inline uint64_t get_known(const uint8_t *p, unsigned int n)
{
	uint64_t v = 0, ones = UNKNOWN >> (64 - 8 * n);

	while (n--)
		v = v << 8 | *p++;
	return v == ones ? UNKNOWN : v;
}

/* The low @n bytes: UNKNOWN becomes all ones. */
static inline uint8_t *put_known(uint8_t *p, unsigned int n, uint64_t v)
{
	while (n--)
		*p++ = (uint8_t)(v >> (8 * n));
	return p;
}

/* capture/frame_headers.c */
enum verdict frame_parse(struct frame *f);
enum verdict frame_parse_ip(struct frame *f, size_t ip, bool v6);
enum verdict frame_has(const struct frame *f, size_t at, size_t n);
void ipv4_checksum(uint8_t *ip);

/* capture/telemetry.c */
enum verdict telemetry_read(struct frame *f, const struct capture_options *o,
			    struct telemetry *t);

/* capture/int_hops.c */
enum verdict int_read(const struct frame *f, const struct capture_options *o,
		      struct telemetry *t);

/* capture/ioam_trace.c */
#define IOAM_MAX_BYTES	264	/* of a header with one option */

enum verdict ioam_read(const struct frame *f, const struct capture_options *o,
		       struct telemetry *t);
size_t ioam_write(uint8_t *to, uint8_t next, const struct telemetry *t,
		  struct export_losses *lost);

/* capture/ifa_metadata.c */
#define IFA_PROTO		253
#define IFA_HEADER_BYTES	4
#define IFA_MAX_BYTES		(4 + 4 * 255)

enum verdict ifa_read(const struct frame *f, const struct capture_options *o,
		      struct telemetry *t);
void ifa_write_header(uint8_t *to, uint8_t next);
size_t ifa_write_metadata(uint8_t *to, const struct telemetry *t, struct export_losses *lost);

/* capture/export_packet.c: room that an export may need beside the packet itself */
#define EXPORT_ROOM	(IFA_HEADER_BYTES + IFA_MAX_BYTES + 40 + IOAM_MAX_BYTES)

size_t export_packet(uint8_t *to, const struct frame *f, const struct telemetry *t,
		     enum telemetry_format format, struct export_losses *lost);

/* capture/hop_records.c */
void records_begin(FILE *out, bool json);
void records_packet(FILE *out, bool json, uint64_t n, const struct frame *f,
		    const struct telemetry *t, bool first);

#endif /* LAB_CAPTURE_H */
