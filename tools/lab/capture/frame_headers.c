// SPDX-License-Identifier: GPL-2.0
/* lab capture: Ethernet, VLAN tags and IP headers of a packet; how far it may be read. */
#include "capture/capture.h"

#define ETH_BYTES	14
#define VLAN_BYTES	4
#define VLAN_MAX	7	/* as the ports look for INT */
#define IPV4_BYTES	20
#define IPV6_BYTES	40

/**
 * frame_has() - may these bytes be read?
 * @f: packet
 * @at: the first of them
 * @n: how many
 *
 * Return: PACKET_READ; PACKET_BAD if they are not of the IP packet, PACKET_CUT if the capture
 * does not have them.
 */
enum verdict frame_has(const struct frame *f, size_t at, size_t n)
{
	if (at > f->end || n > f->end - at)
		return PACKET_BAD;
	return at + n > f->caplen ? PACKET_CUT : PACKET_READ;
}

/* Fragments have no header that says what they are. */
static enum verdict parse_ipv4(struct frame *f)
{
	const uint8_t *p = f->data + f->ip;
	size_t header, total, room = f->end - f->ip;
	enum verdict v = frame_has(f, f->ip, IPV4_BYTES);

	if (v)
		return v;
	header = 4 * (p[0] & 0xf);
	total = get16(p + 2);
	if (p[0] >> 4 != 4 || header < IPV4_BYTES || total < header || total > room)
		return PACKET_BAD;
	f->end = f->ip + total;
	f->l4 = f->ip + header;
	f->proto = p[9];
	if (get16(p + 6) & 0x3fff)
		return PACKET_PLAIN;
	return frame_has(f, f->ip, header);
}

static enum verdict parse_ipv6(struct frame *f)
{
	const uint8_t *p = f->data + f->ip;
	size_t total, room = f->end - f->ip;
	enum verdict v = frame_has(f, f->ip, IPV6_BYTES);

	if (v)
		return v;
	total = IPV6_BYTES + get16(p + 4);
	if (p[0] >> 4 != 6 || total > room)
		return PACKET_BAD;
	f->end = f->ip + total;
	f->l4 = f->ip + IPV6_BYTES;
	f->proto = p[6];
	return PACKET_READ;
}

/**
 * frame_parse_ip() - reads an IP header
 * @f: packet, whose @end is that of what the header is in
 * @ip: where the header is
 * @v6: of IPv6
 *
 * Return: PACKET_READ, or what else it is.
 */
enum verdict frame_parse_ip(struct frame *f, size_t ip, bool v6)
{
	f->ip = ip;
	f->v6 = v6;
	return v6 ? parse_ipv6(f) : parse_ipv4(f);
}

/**
 * frame_parse() - reads the headers up to that of IP
 * @f: packet with data and lengths, receives the rest
 *
 * Return: PACKET_READ, or what else it is.
 */
enum verdict frame_parse(struct frame *f)
{
	size_t at = ETH_BYTES - 2, tags = 0;
	uint16_t type;

	f->end = f->len;
	for (;; at += VLAN_BYTES) {
		if (at + 2 > f->caplen)
			return PACKET_PLAIN;
		type = get16(f->data + at);
		if (type != 0x8100 && type != 0x88a8)
			break;
		if (tags++ == VLAN_MAX)
			return PACKET_PLAIN;
	}
	if (type != 0x0800 && type != 0x86dd)
		return PACKET_PLAIN;
	return frame_parse_ip(f, at + 2, type == 0x86dd);
}

/**
 * ipv4_checksum() - sets the checksum of a header
 * @ip: header, all of it there
 */
void ipv4_checksum(uint8_t *ip)
{
	unsigned int i, n = 2 * (ip[0] & 0xf);
	uint32_t sum = 0;

	put16(ip + 10, 0);
	for (i = 0; i < n; i++)
		sum += get16(ip + 2 * i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	put16(ip + 10, (uint16_t)~sum);
}
