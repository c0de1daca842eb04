/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: netlink sockets of the lab's namespaces.
 */
#ifndef LAB_GUEST_NL_H
#define LAB_GUEST_NL_H

#include <libmnl/libmnl.h>

#include "guest/labinit.h"

#define NL_BUF_SIZE	65536
#define NL_BATCH	16
#define NL_ANSWER_SIZE	16384

/* A socket stays in the network namespace in which it was opened. */
struct nl {
	struct mnl_socket *sock;
	unsigned int seq;
	uint16_t genl_family;		/* of the rxe_cc family; 0: not a genl socket */
};

/* One request under construction; one is enough, labinit has one thread. */
extern char nl_buf[NL_BUF_SIZE];

int nl_open(struct nl *nl, int protocol);
void nl_close(struct nl *nl);
struct nlmsghdr *nl_msg(uint16_t type, uint16_t flags);
int nl_try(struct nl *nl, struct nlmsghdr *nlh, mnl_cb_t cb, void *data);
int nl_talk(struct nl *nl, struct nlmsghdr *nlh, mnl_cb_t cb, void *data, const char *what);
/* The i-th request, and the answer to it. */
typedef void (*nl_req_t)(struct nlmsghdr *nlh, int i, void *data);
typedef void (*nl_answer_t)(const struct nlmsghdr *nlh, int i, void *data);

int nl_batch(struct nl *nl, nl_req_t req, int n, nl_answer_t cb, void *data, const char *what);
const char *nl_error(void);
bool nl_error_in(const struct nlattr *attr);

/* Top-level or nested attributes into a table of max + 1 pointers. */
void nl_parse(const struct nlmsghdr *nlh, size_t hdr, const struct nlattr **tb, int max);
void nl_parse_nest(const struct nlattr *nest, const struct nlattr **tb, int max);
uint64_t nl_u64(const struct nlattr *attr);

#endif /* LAB_GUEST_NL_H */
