// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: netlink requests and their answers.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "lib/netlink.h"
#include "guest/nl.h"

char nl_buf[NL_BUF_SIZE] __attribute__((aligned(8)));

static char rx_buf[NL_BUF_SIZE] __attribute__((aligned(8)));
static char error_text[512];
static int error_offset;		/* in the request; 0: the kernel did not say */

/**
 * nl_open() - open a socket in the current network namespace
 * @nl: socket
 * @protocol: NETLINK_ROUTE, NETLINK_RDMA or NETLINK_GENERIC
 *
 * Return: 0, or -1 after fail().
 */
int nl_open(struct nl *nl, int protocol)
{
	nl->sock = nl_socket(protocol);
	if (!nl->sock)
		return fail("netlink socket, protocol %d: %s", protocol, strerror(errno));
	nl->seq = 1;
	return 0;
}

void nl_close(struct nl *nl)
{
	if (nl->sock)
		mnl_socket_close(nl->sock);
	nl->sock = NULL;
}

/**
 * nl_msg() - begin a request
 * @type: message type
 * @flags: beside NLM_F_REQUEST
 *
 * Return: its header; attributes are added with mnl_attr_put_*().
 */
struct nlmsghdr *nl_msg(uint16_t type, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl_buf);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	return nlh;
}

/* Our sockets ask for capped ACKs, so the attributes follow the header at once. */
static int on_error(const struct nlmsghdr *nlh, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);

	(void)data;
	if (!err->error)
		return MNL_CB_STOP;
	errno = -err->error;
	snprintf(error_text, sizeof(error_text), "%s", strerror(errno));
	nl_extack(nlh, sizeof(*err), error_text, sizeof(error_text), &error_offset);
	errno = -err->error;
	return MNL_CB_ERROR;
}

static int on_done(const struct nlmsghdr *nlh, void *data)
{
	const int *err = mnl_nlmsg_get_payload(nlh);

	(void)data;
	if (mnl_nlmsg_get_payload_len(nlh) >= sizeof(*err) && *err < 0) {
		errno = -*err;
		snprintf(error_text, sizeof(error_text), "%s", strerror(errno));
		return MNL_CB_ERROR;
	}
	return MNL_CB_STOP;
}

static mnl_cb_t ctl_cb[] = {
	[NLMSG_ERROR] = on_error,
	[NLMSG_DONE] = on_done,
};

const char *nl_error(void)
{
	return error_text;
}

/**
 * nl_error_in() - is the attribute that the kernel complained about within this one
 * @attr: attribute of the request, which must still be in nl_buf
 *
 * Return: true if so.
 */
bool nl_error_in(const struct nlattr *attr)
{
	int offset = (int)((const char *)attr - nl_buf);

	return error_offset >= offset && error_offset < offset + attr->nla_len;
}

/**
 * nl_try() - send a request and take the answer
 * @nl: socket
 * @nlh: request; an acknowledgment is asked for unless it is a dump
 * @cb: called for each message of the answer, may be NULL
 * @data: for @cb
 *
 * Return: 0, or -1 with errno set and the reason in nl_error().
 */
int nl_try(struct nl *nl, struct nlmsghdr *nlh, mnl_cb_t cb, void *data)
{
	unsigned int portid = mnl_socket_get_portid(nl->sock);
	ssize_t len;
	int rc;

	nlh->nlmsg_seq = ++nl->seq;
	error_offset = 0;
	if ((nlh->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP)
		nlh->nlmsg_flags |= NLM_F_ACK;
	if (mnl_socket_sendto(nl->sock, nlh, nlh->nlmsg_len) < 0) {
		snprintf(error_text, sizeof(error_text), "%s", strerror(errno));
		return -1;
	}
	do {
		len = mnl_socket_recvfrom(nl->sock, rx_buf, sizeof(rx_buf));
		if (len < 0) {
			snprintf(error_text, sizeof(error_text), "%s", strerror(errno));
			return -1;
		}
		rc = mnl_cb_run2(rx_buf, len, nl->seq, portid, cb, data, ctl_cb,
				 ARRAY_SIZE(ctl_cb));
	} while (rc > 0);
	return rc;
}

/**
 * nl_talk() - nl_try() that reports
 * @nl: socket
 * @nlh: request
 * @cb: called for each message of the answer, may be NULL
 * @data: for @cb
 * @what: what was asked for, said when it fails
 *
 * Return: 0, or -1 after fail().
 */
int nl_talk(struct nl *nl, struct nlmsghdr *nlh, mnl_cb_t cb, void *data, const char *what)
{
	if (nl_try(nl, nlh, cb, data) < 0)
		return fail("%s: %s", what, nl_error());
	return 0;
}

/**
 * nl_batch() - send requests together and take one answer to each
 * @nl: socket
 * @req: fills in one request, its header is nlmsghdr and more
 * @n: how many; at most NL_BATCH, or the answers might not fit into the socket
 * @cb: called for each answer
 * @data: for @req and @cb
 * @what: what was asked for, said when it fails
 *
 * A system call costs a good deal more here than its work: two for all of them,
 * not three for each.
 *
 * Return: 0, or -1 after fail().
 */
int nl_batch(struct nl *nl, nl_req_t req, int n, nl_answer_t cb, void *data, const char *what)
{
	static char answers[NL_BATCH][NL_ANSWER_SIZE] __attribute__((aligned(8)));
	struct iovec iov[NL_BATCH];
	struct mmsghdr msgs[NL_BATCH] = {};
	size_t len = 0;
	int i, got = 0;

	for (i = 0; i < n; i++) {
		struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl_buf + len);

		nlh->nlmsg_flags = NLM_F_REQUEST;
		nlh->nlmsg_seq = ++nl->seq;
		req(nlh, i, data);
		len += MNL_ALIGN(nlh->nlmsg_len);
		iov[i] = (struct iovec){ answers[i], NL_ANSWER_SIZE };
		msgs[i].msg_hdr.msg_iov = &iov[i];
		msgs[i].msg_hdr.msg_iovlen = 1;
	}
	if (mnl_socket_sendto(nl->sock, nl_buf, len) < 0)
		return fail("%s: %s", what, strerror(errno));
	while (got < n) {
		i = recvmmsg(mnl_socket_get_fd(nl->sock), msgs + got, n - got, 0, NULL);
		if (i <= 0)
			return fail("%s: %s", what, strerror(errno));
		got += i;
	}
	for (i = 0; i < n; i++) {
		const struct nlmsghdr *nlh = (const void *)answers[i];

		if (nlh->nlmsg_type == NLMSG_ERROR) {
			on_error(nlh, NULL);
			return fail("%s: %s", what, error_text);
		}
		cb(nlh, i, data);
	}
	return 0;
}

static void parse_one(const struct nlattr *attr, const struct nlattr **tb, int max)
{
	int type = mnl_attr_get_type(attr);

	if (type <= max)
		tb[type] = attr;
}

void nl_parse(const struct nlmsghdr *nlh, size_t hdr, const struct nlattr **tb, int max)
{
	const struct nlattr *attr;

	memset(tb, 0, sizeof(*tb) * (max + 1));
	mnl_attr_for_each(attr, nlh, hdr)
		parse_one(attr, tb, max);
}

void nl_parse_nest(const struct nlattr *nest, const struct nlattr **tb, int max)
{
	const struct nlattr *attr;

	memset(tb, 0, sizeof(*tb) * (max + 1));
	mnl_attr_for_each_nested(attr, nest)
		parse_one(attr, tb, max);
}

/* Attributes are 4-byte aligned only; an unsigned integer of any width. */
uint64_t nl_u64(const struct nlattr *attr)
{
	uint64_t v64 = 0;
	uint32_t v32 = 0;
	uint16_t v16 = 0;

	if (!attr)
		return 0;
	switch (mnl_attr_get_payload_len(attr)) {
	case 8:
		memcpy(&v64, mnl_attr_get_payload(attr), 8);
		return v64;
	case 4:
		memcpy(&v32, mnl_attr_get_payload(attr), 4);
		return v32;
	case 2:
		memcpy(&v16, mnl_attr_get_payload(attr), 2);
		return v16;
	case 1:
		return mnl_attr_get_u8(attr);
	default:
		return 0;
	}
}
