// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink transport. libmnl builds and walks the messages; sending and
 * receiving is done on the bare descriptor, so that tests can put a fake kernel
 * behind a socket pair.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <linux/genetlink.h>
#include <linux/rxe_cc.h>

#include "../lib/netlink.h"
#include "netlink_transport.h"

#define DUMP_RETRIES	16

static int set_err(struct nl_err *err, int code, const char *msg)
{
	err->code = code;
	err->offs = -1;
	snprintf(err->msg, sizeof(err->msg), "%s", msg);
	return -1;
}

static int join_socket(struct rxe_nl *nl, u32 group)
{
	if (mnl_socket_setsockopt(nl->sock, NETLINK_ADD_MEMBERSHIP, &group,
				  sizeof(group)) < 0)
		return -errno;
	return 0;
}

void nl_msgs_free(struct nl_msgs *msgs)
{
	size_t i;

	for (i = 0; i < msgs->n; i++)
		free(msgs->v[i]);
	free(msgs->v);
	memset(msgs, 0, sizeof(*msgs));
}

static int nl_msgs_add(struct nl_msgs *msgs, const struct nlmsghdr *nlh)
{
	struct nlmsghdr *copy;

	if (msgs->n == msgs->room) {
		size_t room = msgs->room ? 2 * msgs->room : 16;
		void *v = reallocarray(msgs->v, room, sizeof(*msgs->v));

		if (!v)
			return -ENOMEM;
		msgs->v = v;
		msgs->room = room;
	}
	copy = malloc(nlh->nlmsg_len);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, nlh, nlh->nlmsg_len);
	msgs->v[msgs->n++] = copy;
	return 0;
}

long nl_receive(struct rxe_nl *nl, void **buf, size_t *room)
{
	ssize_t len;

	do {
		len = recv(nl->fd, NULL, 0, MSG_PEEK | MSG_TRUNC);
	} while (len < 0 && errno == EINTR);
	if (len < 0)
		return -errno;
	if ((size_t)len > *room || !*buf) {
		size_t want = len > 65536 ? (size_t)len : 65536;
		void *p = realloc(*buf, want);

		if (!p)
			return -ENOMEM;
		*buf = p;
		*room = want;
	}
	do {
		len = recv(nl->fd, *buf, *room, 0);
	} while (len < 0 && errno == EINTR);
	return len < 0 ? -errno : len;
}

/* NLMSG_ERROR: an error or an ACK. */
static int parse_error(const struct nlmsghdr *nlh, struct nl_err *err)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);
	unsigned int skip = sizeof(*e);

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*e))
		return set_err(err, EPROTO, "truncated answer from the kernel");
	if (!e->error)
		return 0;
	set_err(err, e->error < 0 ? -e->error : e->error, "");
	/* with NETLINK_CAP_ACK only the header of the request comes back */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += MNL_ALIGN(e->msg.nlmsg_len) - sizeof(e->msg);
	nl_extack(nlh, skip, err->msg, sizeof(err->msg), &err->offs);
	return -1;
}

/* NLMSG_DONE may carry an error too. */
static int parse_done(const struct nlmsghdr *nlh, struct nl_err *err)
{
	int code = 0;

	if (mnl_nlmsg_get_payload_len(nlh) >= sizeof(code))
		memcpy(&code, mnl_nlmsg_get_payload(nlh), sizeof(code));
	if (code >= 0)
		return 0;
	set_err(err, -code, "");
	nl_extack(nlh, MNL_ALIGN(sizeof(code)), err->msg, sizeof(err->msg), &err->offs);
	return -1;
}

enum verdict {
	NL_MORE,
	NL_END,
	NL_FAIL,
};

/* One datagram may hold many messages. */
static enum verdict take_datagram(struct rxe_nl *nl, const void *buf, int len,
				  struct nl_msgs *msgs, int *intr,
				  struct nl_err *err)
{
	const struct nlmsghdr *nlh;

	for (nlh = buf; mnl_nlmsg_ok(nlh, len);
	     nlh = mnl_nlmsg_next(nlh, &len)) {
		if (nlh->nlmsg_seq != nl->seq)
			continue;	/* left over from an abandoned dump */
		if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
			*intr = 1;
		switch (nlh->nlmsg_type) {
		case NLMSG_NOOP:
			break;
		case NLMSG_ERROR:
			return parse_error(nlh, err) ? NL_FAIL : NL_END;
		case NLMSG_DONE:
			return parse_done(nlh, err) ? NL_FAIL : NL_END;
		default:
			if (msgs && nl_msgs_add(msgs, nlh)) {
				set_err(err, ENOMEM, "");
				return NL_FAIL;
			}
		}
	}
	return NL_MORE;
}

static int talk_once(struct rxe_nl *nl, struct nlmsghdr *req,
		     struct nl_msgs *msgs, int *intr, struct nl_err *err)
{
	enum verdict v = NL_MORE;
	size_t room = 0;
	void *buf = NULL;
	long len;

	*intr = 0;
	req->nlmsg_seq = ++nl->seq;
	if (send(nl->fd, req, req->nlmsg_len, MSG_NOSIGNAL) < 0)
		return set_err(err, errno, "");
	while (v == NL_MORE) {
		len = nl_receive(nl, &buf, &room);
		if (len <= 0) {
			set_err(err, len ? (int)-len : EPIPE, "");
			v = NL_FAIL;
			break;
		}
		v = take_datagram(nl, buf, (int)len, msgs, intr, err);
	}
	free(buf);
	return v == NL_END ? 0 : -1;
}

int nl_talk(struct rxe_nl *nl, struct nlmsghdr *req, struct nl_msgs *msgs,
	    struct nl_err *err)
{
	int ret, intr, tries;

	memset(err, 0, sizeof(*err));
	err->offs = -1;
	if (msgs)
		memset(msgs, 0, sizeof(*msgs));
	for (tries = 0; ; tries++) {
		ret = talk_once(nl, req, msgs, &intr, err);
		if (ret || !intr)
			break;
		if (tries == DUMP_RETRIES) {
			if (msgs)
				msgs->inconsistent = 1;
			break;
		}
		if (msgs)
			nl_msgs_free(msgs);
	}
	if (ret && msgs)
		nl_msgs_free(msgs);
	return ret;
}

static void find_group(struct rxe_nl *nl, const struct nlattr *groups)
{
	const struct nlattr *grp, *attr;

	mnl_attr_for_each_nested(grp, groups) {
		const char *name = NULL;
		u32 id = 0;

		mnl_attr_for_each_nested(attr, grp) {
			switch (mnl_attr_get_type(attr)) {
			case CTRL_ATTR_MCAST_GRP_NAME:
				if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) >= 0)
					name = mnl_attr_get_str(attr);
				break;
			case CTRL_ATTR_MCAST_GRP_ID:
				if (mnl_attr_validate(attr, MNL_TYPE_U32) >= 0)
					id = mnl_attr_get_u32(attr);
				break;
			}
		}
		if (name && !strcmp(name, RXE_CC_MCGRP_MONITOR))
			nl->mcgrp = id;
	}
}

static int find_family(struct rxe_nl *nl, struct nl_err *err)
{
	u32 buf[64];
	const struct nlattr *attr;
	struct nl_msgs msgs;
	struct nlmsghdr *req;

	nl->family = GENL_ID_CTRL;
	req = nl_request(nl, buf, CTRL_CMD_GETFAMILY, 0);
	nl->family = 0;
	mnl_attr_put_strz(req, CTRL_ATTR_FAMILY_NAME, RXE_CC_FAMILY_NAME);
	if (nl_talk(nl, req, &msgs, err)) {
		if (err->code == ENOENT)
			set_err(err, ENOENT,
				"module rxe_cc is not loaded (modprobe rxe_cc)");
		return -1;
	}
	if (msgs.n) {
		mnl_attr_for_each(attr, msgs.v[0], sizeof(struct genlmsghdr)) {
			switch (mnl_attr_get_type(attr)) {
			case CTRL_ATTR_FAMILY_ID:
				if (mnl_attr_validate(attr, MNL_TYPE_U16) >= 0)
					nl->family = mnl_attr_get_u16(attr);
				break;
			case CTRL_ATTR_MCAST_GROUPS:
				find_group(nl, attr);
				break;
			}
		}
	}
	nl_msgs_free(&msgs);
	if (!nl->family)
		return set_err(err, EPROTO,
			       "the kernel named no id for family rxe_cc");
	return 0;
}

static int open_socket(struct rxe_nl *nl, struct nl_err *err)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int one = 1;

	nl->sock = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->sock)
		return set_err(err, errno, "no generic netlink socket");
	nl->fd = mnl_socket_get_fd(nl->sock);
	/* connected, so that nobody but the kernel can answer */
	if (mnl_socket_bind(nl->sock, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    connect(nl->fd, (struct sockaddr *)&kernel, sizeof(kernel)) < 0)
		return set_err(err, errno, "no generic netlink socket");
	mnl_socket_setsockopt(nl->sock, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(nl->sock, NETLINK_CAP_ACK, &one, sizeof(one));
	nl->join = join_socket;
	return 0;
}

int nl_open(struct rxe_nl *nl, struct nl_err *err)
{
	if (nl->family)
		return 0;
	nl->seq = (u32)time(NULL);
	if (nl->fd < 0 && open_socket(nl, err))
		return -1;
	return find_family(nl, err);
}

void nl_close(struct rxe_nl *nl)
{
	if (nl->sock)
		mnl_socket_close(nl->sock);
	nl->sock = NULL;
	nl->fd = -1;
	nl->family = 0;
}

struct nlmsghdr *nl_request(struct rxe_nl *nl, void *buf, u8 cmd,
			    u16 flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = nl->family;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = RXE_CC_FAMILY_VERSION;
	return nlh;
}
