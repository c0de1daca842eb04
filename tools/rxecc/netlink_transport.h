/* SPDX-License-Identifier: GPL-2.0 */
/* Talking to the generic netlink family rxe_cc. */
#ifndef RXECC_NETLINK_TRANSPORT_H
#define RXECC_NETLINK_TRANSPORT_H

#include <libmnl/libmnl.h>

#include "kernel_types.h"

/* A request with 40 parameters is below 4 KiB. */
#define NL_REQ_MAX	16384

/**
 * struct rxe_nl - one netlink socket
 * @fd: the socket; a test puts one end of a socket pair here
 * @join: joins a multicast group; 0 or -errno
 * @seq: sequence number of the last request
 * @family: id of the family, 0 while not looked up
 * @mcgrp: id of its multicast group "monitor", 0 if it has none
 * @sock: libmnl's handle, NULL in tests
 */
struct rxe_nl {
	int fd;
	int (*join)(struct rxe_nl *nl, u32 group);
	u32 seq;
	u16 family;
	u32 mcgrp;
	struct mnl_socket *sock;
};

/**
 * struct nl_err - why the kernel refused
 * @code: errno, positive
 * @offs: offset of the attribute at fault in the request, -1 when not told
 * @msg: the kernel's own words, empty when it gave none
 */
struct nl_err {
	int code;
	int offs;
	char msg[256];
};

/* Copies of the messages that answered a request. */
struct nl_msgs {
	struct nlmsghdr **v;
	size_t n;
	size_t room;
	int inconsistent;	/* every dump was interrupted by a change */
};

int nl_open(struct rxe_nl *nl, struct nl_err *err);
void nl_close(struct rxe_nl *nl);

/* A request of the family: returns the header inside @buf (NL_REQ_MAX bytes). */
struct nlmsghdr *nl_request(struct rxe_nl *nl, void *buf, u8 cmd,
			    u16 flags);

/**
 * nl_talk() - send a request and gather the answer
 * @nl: open socket
 * @req: request; NLM_F_DUMP in its flags makes it a dump
 * @msgs: the answer, freed by nl_msgs_free(); NULL if none is expected
 * @err: why it failed
 *
 * A dump that a change interrupts is asked for again, a bounded number of
 * times.
 *
 * Return: 0, or -1 with @err filled in.
 */
int nl_talk(struct rxe_nl *nl, struct nlmsghdr *req, struct nl_msgs *msgs,
	    struct nl_err *err);

/**
 * nl_receive() - wait for one datagram
 * @nl: open socket
 * @buf: grown as needed, freed by the caller
 * @room: size of @buf
 *
 * Return: its length, or -errno.
 */
long nl_receive(struct rxe_nl *nl, void **buf, size_t *room);

void nl_msgs_free(struct nl_msgs *msgs);

#endif
