// SPDX-License-Identifier: GPL-2.0
/* flowgen: commands to a device's congestion control, by generic netlink. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxe_cc.h>

#include "../lib/netlink.h"
#include "flowgen.h"

/* A peer takes 20 bytes, the rest of a request is small. */
#define HEAD_BYTES	512
#define PEER_BYTES	20

static struct {
	struct mnl_socket *sock;
	u16 family;
	u32 seq;
	char why[256];
} cc;

static int on_error(const struct nlmsghdr *nlh, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);

	(void)data;
	if (!err->error)
		return MNL_CB_STOP;
	snprintf(cc.why, sizeof(cc.why), "%s", strerror(-err->error));
	nl_extack(nlh, sizeof(*err), cc.why, sizeof(cc.why), NULL);
	errno = -err->error;
	return MNL_CB_ERROR;
}

static mnl_cb_t ctl_cb[] = { [NLMSG_ERROR] = on_error };

static int on_family_attr(const struct nlattr *attr, void *data)
{
	(void)data;
	if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
		cc.family = mnl_attr_get_u16(attr);
	return MNL_CB_OK;
}

static int on_family(const struct nlmsghdr *nlh, void *data)
{
	(void)data;
	return mnl_attr_parse(nlh, GENL_HDRLEN, on_family_attr, NULL);
}

static struct nlmsghdr *request(void *buf, u16 family, u8 cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g;

	nlh->nlmsg_type = family;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++cc.seq;
	g = mnl_nlmsg_put_extra_header(nlh, sizeof(*g));
	g->cmd = cmd;
	g->version = 1;
	return nlh;
}

/* Returns 0, or -1 with the reason in cc.why. */
static int talk(const struct nlmsghdr *nlh, mnl_cb_t cb)
{
	char buf[8192] __attribute__((aligned(8)));
	ssize_t len;
	int ret = 1;

	snprintf(cc.why, sizeof(cc.why), "netlink: %s", strerror(EIO));
	if (mnl_socket_sendto(cc.sock, nlh, nlh->nlmsg_len) < 0) {
		snprintf(cc.why, sizeof(cc.why), "netlink: %s", strerror(errno));
		return -1;
	}
	while (ret > 0) {
		len = mnl_socket_recvfrom(cc.sock, buf, sizeof(buf));
		if (len <= 0)
			return -1;
		ret = mnl_cb_run2(buf, len, nlh->nlmsg_seq, 0, cb, NULL, ctl_cb,
				  MNL_ARRAY_SIZE(ctl_cb));
	}
	return ret;
}

/**
 * fg_cc_open() - ready for commands
 *
 * Return: 0, or -1 after a message.
 */
int fg_cc_open(void)
{
	char buf[HEAD_BYTES] __attribute__((aligned(8)));
	struct nlmsghdr *nlh;

	cc.sock = nl_socket(NETLINK_GENERIC);
	if (!cc.sock)
		return fg_err("netlink: %s", strerror(errno));
	nlh = request(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, RXE_CC_FAMILY_NAME);
	if (talk(nlh, on_family) || !cc.family)
		return fg_err("netlink family " RXE_CC_FAMILY_NAME ": %s", cc.why);
	return 0;
}

static int no_answer(const struct nlmsghdr *nlh, void *data)
{
	(void)nlh;
	(void)data;
	return MNL_CB_OK;
}

/**
 * fg_cc_command() - a command about other hosts to the algorithm of a device
 * @dev: RDMA device
 * @port: its port
 * @name: command without arguments
 * @peer: the other hosts
 * @n: how many
 *
 * Return: NULL, or why it was refused, valid until the next call.
 */
const char *fg_cc_command(const char *dev, u32 port, const char *name,
			  const union ibv_gid *peer, u32 n)
{
	void *buf = fg_zalloc(1, HEAD_BYTES + (size_t)n * PEER_BYTES);
	struct nlmsghdr *nlh = request(buf, cc.family, RXE_CC_CMD_COMMAND);
	int ret;
	u32 i;

	mnl_attr_put_strz(nlh, RXE_CC_A_COMMAND_DEV, dev);
	mnl_attr_put_u32(nlh, RXE_CC_A_COMMAND_PORT, port);
	mnl_attr_put_strz(nlh, RXE_CC_A_COMMAND_NAME, name);
	for (i = 0; i < n; i++)
		mnl_attr_put(nlh, RXE_CC_A_COMMAND_PEER, sizeof(peer[i].raw), peer[i].raw);
	ret = talk(nlh, no_answer);
	free(buf);
	return ret ? cc.why : NULL;
}

/**
 * fg_cc_close() - no more commands
 */
void fg_cc_close(void)
{
	if (cc.sock)
		mnl_socket_close(cc.sock);
	cc.sock = NULL;
}
