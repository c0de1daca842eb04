// SPDX-License-Identifier: GPL-2.0
/*
 * lab capture: a packet with INT becomes the packet that its sender made, and around that what
 * another format adds:
 *
 *	IOAM	the options behind the IPv6 header; an IPv4 packet goes into an IPv6 packet
 *		between the same addresses (::ffff:a.b.c.d), whole
 *	IFA	its header in front of UDP, its metadata behind
 */
#include <string.h>

#include "capture/capture.h"

#define IPV4_BYTES	20
#define IPV6_BYTES	40

struct writer {
	uint8_t *start, *p;
};

static void copy(struct writer *w, const uint8_t *from, size_t n)
{
	memcpy(w->p, from, n);
	w->p += n;
}

/* Length of the IP packet without INT, as its header has it. */
static size_t ip_length(const struct frame *f, const struct telemetry *t)
{
	return f->end - f->ip - t->bytes;
}

/* The IP header of the packet without INT, @more bytes longer. */
static void write_ip(struct writer *w, const struct frame *f, const struct telemetry *t,
		     size_t more, uint8_t proto)
{
	uint8_t *ip = w->p;
	size_t len = ip_length(f, t) + more;

	copy(w, f->data + f->ip, f->l4 - f->ip);
	if (f->v6) {
		put16(ip + 4, (uint16_t)(len - IPV6_BYTES));
		ip[6] = proto;
		if (t->dscp) {
			ip[0] = (uint8_t)(0x60 | t->dscp >> 2);
			ip[1] = (uint8_t)((t->dscp & 3) << 6 | (ip[1] & 0x3f));
		}
		return;
	}
	put16(ip + 2, (uint16_t)len);
	ip[9] = proto;
	if (t->dscp)
		ip[1] = (uint8_t)(t->dscp << 2 | (ip[1] & 3));
	ipv4_checksum(ip);
}

/* A checksum would be that of the packet with INT; RoCE may do without. */
static void write_udp(struct writer *w, const struct frame *f, const struct telemetry *t)
{
	uint8_t *udp = w->p;

	copy(w, f->data + f->l4, UDP_BYTES);
	put16(udp + 4, (uint16_t)(get16(udp + 4) - t->bytes));
	put16(udp + 6, 0);
}

/* The IPv6 header around an IPv4 packet with options of @options bytes. */
static void write_outer(struct writer *w, const struct frame *f, const struct telemetry *t,
			size_t options)
{
	const uint8_t *ip = f->data + f->ip;
	uint8_t tos = t->dscp ? (uint8_t)(t->dscp << 2 | (ip[1] & 3)) : ip[1];
	uint8_t *out = w->p;
	int i;

	put16(w->start + f->ip - 2, 0x86dd);
	memset(out, 0, IPV6_BYTES);
	out[0] = (uint8_t)(0x60 | tos >> 4);
	out[1] = (uint8_t)(tos << 4);
	put16(out + 4, (uint16_t)(options + ip_length(f, t)));
	out[7] = ip[8];
	for (i = 0; i < 2; i++) {
		put16(out + 18 + 16 * i, 0xffff);
		memcpy(out + 20 + 16 * i, ip + 12 + 4 * i, 4);
	}
	w->p += IPV6_BYTES;
}

static void write_ioam(struct writer *w, const struct frame *f, const struct telemetry *t,
		       struct export_losses *lost)
{
	uint8_t options[IOAM_MAX_BYTES];
	size_t n = ioam_write(options, f->v6 ? IP_UDP : IP_IN_IP, t, lost);

	if (f->v6)
		write_ip(w, f, t, n, 0);
	else
		write_outer(w, f, t, n);
	copy(w, options, n);
	if (!f->v6)
		write_ip(w, f, t, 0, IP_UDP);
	write_udp(w, f, t);
}

static void write_ifa(struct writer *w, const struct frame *f, const struct telemetry *t,
		      struct export_losses *lost)
{
	uint8_t metadata[IFA_MAX_BYTES];
	size_t n = ifa_write_metadata(metadata, t, lost);

	write_ip(w, f, t, IFA_HEADER_BYTES + n, IFA_PROTO);
	ifa_write_header(w->p, IP_UDP);
	w->p += IFA_HEADER_BYTES;
	write_udp(w, f, t);
	copy(w, metadata, n);
}

/**
 * export_packet() - a packet with INT in another format
 * @to: receives it, EXPORT_ROOM bytes longer than the packet at most
 * @f: packet
 * @t: its INT
 * @format: IOAM or IFA
 * @lost: counts what that format cannot say
 *
 * Return: bytes of it that there are; 0: an IP packet cannot be as long.
 */
size_t export_packet(uint8_t *to, const struct frame *f, const struct telemetry *t,
		     enum telemetry_format format, struct export_losses *lost)
{
	struct writer w = { to, to };

	if (ip_length(f, t) + EXPORT_ROOM > UINT16_MAX) {
		lost->too_long++;
		return 0;
	}
	copy(&w, f->data, f->ip);
	if (format == FORMAT_IOAM)
		write_ioam(&w, f, t, lost);
	else
		write_ifa(&w, f, t, lost);
	copy(&w, f->data + t->payload, f->caplen - t->payload);
	return w.p - w.start;
}
