// SPDX-License-Identifier: GPL-2.0
/* Helpers for netlink sockets, over libmnl. */
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>

#include "netlink.h"

/**
 * nl_socket() - a socket that is told why a request fails
 * @protocol: NETLINK_ROUTE, NETLINK_RDMA or NETLINK_GENERIC
 *
 * Error messages do not repeat the request, so that attributes follow their
 * header at once.
 *
 * Return: the socket, or NULL with errno set.
 */
struct mnl_socket *nl_socket(int protocol)
{
	struct mnl_socket *sock = mnl_socket_open2(protocol, SOCK_CLOEXEC);
	int one = 1, error;

	if (!sock)
		return NULL;
	if (mnl_socket_bind(sock, 0, MNL_SOCKET_AUTOPID) < 0) {
		error = errno;
		mnl_socket_close(sock);
		errno = error;
		return NULL;
	}
	mnl_socket_setsockopt(sock, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(sock, NETLINK_CAP_ACK, &one, sizeof(one));
	return sock;
}

/**
 * nl_extack() - the kernel's explanation of an error
 * @nlh: an ACK, or a dump's end
 * @skip: bytes before the attributes
 * @msg: receives the text; unchanged if there is none
 * @len: room in @msg
 * @offset: receives the offending attribute's place in the request, may be NULL;
 *	unchanged if the kernel does not say
 */
void nl_extack(const struct nlmsghdr *nlh, size_t skip, char *msg, size_t len, int *offset)
{
	const struct nlattr *attr;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || mnl_nlmsg_get_payload_len(nlh) < skip)
		return;
	mnl_attr_for_each(attr, nlh, skip) {
		switch (mnl_attr_get_type(attr)) {
		case NLMSGERR_ATTR_MSG:
			if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) >= 0)
				snprintf(msg, len, "%s", mnl_attr_get_str(attr));
			break;
		case NLMSGERR_ATTR_OFFS:
			if (offset && mnl_attr_validate(attr, MNL_TYPE_U32) >= 0)
				*offset = (int)mnl_attr_get_u32(attr);
			break;
		}
	}
}
