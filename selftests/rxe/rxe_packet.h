/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RoCEv2 packets over IPv4, for the programs of these tests. The ICRC is their
 * own, not the kernel's.
 */
#ifndef RXE_PACKET_H
#define RXE_PACKET_H

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define IP_LEN		20
#define UDP_LEN		8
#define BTH		(IP_LEN + UDP_LEN)
#define BTH_LEN		12
#define ICRC_LEN	4
#define MAX_LEN		9000

#define OP_WRITE_MIDDLE	0x07
#define OP_WRITE_LAST	0x08
#define OP_WRITE_ONLY	0x0a
#define OP_ACK		0x11
#define OP_CNP		0x81
#define OP_REPORT	0xc1
#define OP_PROBE	0xc2

static inline uint32_t get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static inline uint32_t get24(const uint8_t *p)
{
	return p[0] << 16 | p[1] << 8 | p[2];
}

static inline void put16(uint8_t *p, uint32_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static inline void put64(uint8_t *p, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		p[i] = v >> (56 - 8 * i);
}

static inline void put24(uint8_t *p, uint32_t v)
{
	p[0] = v >> 16;
	put16(p + 1, v);
}

/* Number of an algorithm in packets: FNV-1a, 32 bits. */
static inline uint32_t algo_id(const char *name)
{
	uint32_t id = 2166136261U;

	while (*name)
		id = (id ^ (uint8_t)*name++) * 16777619U;
	return id;
}

static inline uint32_t crc32_add(uint32_t crc, const uint8_t *p, size_t n)
{
	static uint32_t table[256];

	for (uint32_t i = 1; i < 256 && !table[255]; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = (table[i] >> 1) ^ (0xedb88320 & -(table[i] & 1));
	}
	while (n--)
		crc = (crc >> 8) ^ table[(crc ^ *p++) & 0xff];
	return crc;
}

/* ICRC over an IPv4 packet, into @out: fields that may change count as ones. */
static inline void icrc(const uint8_t *pkt, int len, uint8_t *out)
{
	static const uint8_t lrh[8] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
	};
	static const int masked[] = { 1, 8, 10, 11, 26, 27, BTH + 4 };
	uint8_t buf[MAX_LEN];
	uint32_t crc;

	memcpy(buf, pkt, len);
	for (size_t i = 0; i < sizeof(masked) / sizeof(*masked); i++)
		buf[masked[i]] = 0xff;
	crc = crc32_add(0xffffffff, lrh, sizeof(lrh));
	crc = ~crc32_add(crc, buf, len - 4);
	for (int i = 0; i < 4; i++)
		out[i] = crc >> (8 * i);
}

static inline bool icrc_ok(const uint8_t *pkt, int len)
{
	uint8_t sum[4];

	icrc(pkt, len, sum);
	return !memcmp(sum, pkt + len - 4, sizeof(sum));
}

/* Lengths and checksum of the IP header, length of UDP. */
static inline void set_length(uint8_t *pkt, int len)
{
	uint32_t sum = 0;

	put16(pkt + 2, len);
	put16(pkt + IP_LEN + 4, len - IP_LEN);
	put16(pkt + 10, 0);
	for (int i = 0; i < IP_LEN; i += 2)
		sum += get16(pkt + i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	put16(pkt + 10, ~sum);
}

static inline void seal(uint8_t *pkt, int len)
{
	set_length(pkt, len);
	if (len >= BTH + 16)
		icrc(pkt, len, pkt + len - 4);
}

static inline int open_socket(const char *ifname, int proto)
{
	struct sockaddr_ll addr = { .sll_family = AF_PACKET };
	int fd = socket(AF_PACKET, SOCK_RAW, htons(proto));

	addr.sll_protocol = htons(proto);
	addr.sll_ifindex = if_nametoindex(ifname);
	if (fd < 0 || !addr.sll_ifindex ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		fprintf(stderr, "%s: %s\n", ifname, strerror(errno));
		exit(2);
	}
	return fd;
}

#endif /* RXE_PACKET_H */
