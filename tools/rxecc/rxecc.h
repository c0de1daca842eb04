/* SPDX-License-Identifier: GPL-2.0 */
/* rxecc: state of one invocation, exit statuses, functions that all commands share. */
#ifndef RXECC_H
#define RXECC_H

#include <stdio.h>

#include "netlink_objects.h"
#include "netlink_transport.h"

#include "../../include/rxe_cc/version.h"

#define RXECC_VERSION	RXE_CC_VERSION

enum {
	RX_OK = 0,
	RX_KERNEL = 1,		/* the kernel refused */
	RX_USAGE = 2,		/* the command line makes no sense */
};

/**
 * struct rxecc - one invocation
 * @out: results
 * @err: errors
 * @json: -j
 * @pretty: -p
 * @details: -d
 * @stats: -s
 * @numeric: -n, no unit scaling
 * @nl: socket, opened on first use
 * @req: the request under way
 */
struct rxecc {
	FILE *out;
	FILE *err;
	bool json;
	bool pretty;
	bool details;
	bool stats;
	bool numeric;
	struct rxe_nl nl;
	u32 req[NL_REQ_MAX / sizeof(u32)];
};

/* The whole program but for opening stdio; returns the exit code. */
int rxecc_run(struct rxecc *rx, int argc, char **argv);

/* Without @fn: prints the help text. */
struct cmd {
	const char *name;
	int (*fn)(struct rxecc *rx, int argc, char **argv);
};

/* The command that the first word names; without a word the first one. */
int cmd_run(struct rxecc *rx, const char *object, const struct cmd *cmds, const char *help,
	    int argc, char **argv);

/* As iproute2: the first command that starts with @word; NULL if none does. */
const struct cmd *cmd_find(const struct cmd *cmds, const char *word);

bool is_prefix(const char *word, const char *of);

/* One line on stderr; returns RX_USAGE. */
int rx_usage(struct rxecc *rx, const char *fmt, ...)
	__printf(2, 3);

/**
 * rx_kernel_error() - tell why the kernel refused
 * @rx: context
 * @what: the object, e.g. "dev rxe0", or NULL
 * @req: the request, to name the attribute at fault, or NULL
 * @err: the kernel's answer
 *
 * Return: RX_KERNEL.
 */
int rx_kernel_error(struct rxecc *rx, const char *what,
		    const struct nlmsghdr *req, const struct nl_err *err);

/* The kernel sent something malformed; returns RX_KERNEL. */
int rx_bad_message(struct rxecc *rx, const char *what, const char *attr);

/* Opens the socket if need be; RX_OK, or tells why not. */
int rx_open(struct rxecc *rx);
/* A new request; NULL if that failed. */
struct nlmsghdr *rx_request(struct rxecc *rx, u8 cmd, u16 flags);

/* A device as the user names it: "rxe0" or "rxe0/1". */
struct devref {
	char name[64];
	u32 port;
	char what[80];		/* "dev rxe0", for messages */
};

/* RX_OK, or RX_USAGE after telling why. */
int devref_parse(struct rxecc *rx, const char *text, struct devref *ref);

void put_ref(struct nlmsghdr *req, const struct devref *ref, u16 name, u16 port);

/* Objects of the kernel's. */
struct found {
	void *v;
	size_t n;
	const struct object *of;
	bool inconsistent;	/* they came and went meanwhile */
};

void found_free(struct found *found);

/* Sends the request. @missing: words for an ENOENT that the kernel gives none for, or NULL. */
int fetch(struct rxecc *rx, struct nlmsghdr *req, const char *what, const struct object *of,
	  struct found *found, const char *missing);
/* Exactly one. */
int fetch_one(struct rxecc *rx, struct nlmsghdr *req, const char *what, const struct object *of,
	      void *obj, const char *missing);
int fetch_dev(struct rxecc *rx, const struct devref *ref, struct dev *dev);
int fetch_algo(struct rxecc *rx, const char *name, struct algo *algo);
/* All devices, or the one that @ref names; for found_free() after a failure too. */
int fetch_devs(struct rxecc *rx, const struct devref *ref, struct found *devs);

/* "cmd DEV QPN NAME [ARG=VALUE]..." and "cmd DEV [peer ADDR] [algo ALGO] NAME ..." */
int command_to_qp(struct rxecc *rx, int argc, char **argv);
int command_to_dev(struct rxecc *rx, int argc, char **argv);

/* A 24-bit number; false when it is none. */
bool parse_qpn(const char *text, u32 *qpn);

int cmd_algo(struct rxecc *rx, int argc, char **argv);
int cmd_dev(struct rxecc *rx, int argc, char **argv);
int cmd_qp(struct rxecc *rx, int argc, char **argv);
int cmd_param(struct rxecc *rx, int argc, char **argv);
int cmd_stats(struct rxecc *rx, int argc, char **argv);
int cmd_top(struct rxecc *rx, int argc, char **argv);
int cmd_monitor(struct rxecc *rx, int argc, char **argv);

#endif
