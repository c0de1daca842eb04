/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for netlink sockets, over libmnl. */
#ifndef LIB_NETLINK_H
#define LIB_NETLINK_H

#include <libmnl/libmnl.h>
#include <stddef.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK	270
#endif

struct mnl_socket *nl_socket(int protocol);
void nl_extack(const struct nlmsghdr *nlh, size_t skip, char *msg, size_t len, int *offset);

#endif /* LIB_NETLINK_H */
