// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: what client and server say to each other over TCP: one JSON object a
 * line. The client sends its wishes and its QPs, the server answers with its
 * own QPs or an error. Closing the connection ends it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../lib/json.h"
#include "flowgen.h"

#define MAX_LINE (4U << 20)

/**
 * fg_net_send() - send an object as a line
 * @fd: connected socket
 * @o: object, released
 */
int fg_net_send(int fd, json_object *o)
{
	const char *s = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);
	size_t len = strlen(s), off;
	char *line = fg_zalloc(len + 2, 1);
	int ret = 0;
	ssize_t n;

	memcpy(line, s, len);
	line[len++] = '\n';
	for (off = 0; off < len && !ret; off += n) {
		n = send(fd, line + off, len - off, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			ret = fg_err("peer: send: %s", strerror(errno));
	}
	free(line);
	json_object_put(o);
	return ret;
}

/**
 * fg_net_recv() - wait for a line and parse it
 * @fd: connected socket
 *
 * Return: an object, or NULL after a message.
 */
json_object *fg_net_recv(int fd)
{
	size_t len = 0, cap = 4096;
	char *buf = fg_zalloc(cap, 1);
	json_object *o = NULL;
	ssize_t n;

	for (;;) {
		n = recv(fd, buf + len, cap - len - 1, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			fg_err("peer: %s", n ? strerror(errno) :
			       "connection closed");
			break;
		}
		len += n;
		buf[len] = '\0';
		if (buf[len - 1] == '\n') {
			o = json_tokener_parse(buf);
			if (!o)
				fg_err("peer: not JSON; is it flowgen?");
			break;
		}
		if (cap - len < 2) {
			cap *= 2;
			buf = cap > MAX_LINE ? NULL : realloc(buf, cap);
			if (!buf) {
				fg_err("peer: line too long");
				break;
			}
		}
	}
	free(buf);
	return o;
}

/**
 * fg_net_ep() - describe our end of a connection to the peer
 * @c: connection
 * @side: our end
 */
json_object *fg_net_ep(const struct fg_conn *c, int side)
{
	const struct fg_ep *ep = &c->ep[side];
	json_object *o = json_object_new_object();
	char gid[64];

	fg_gid_str(&ep->gid, gid, sizeof(gid));
	js_add_int(o, "qpn", ep->qpn);
	js_add_int(o, "psn", ep->psn);
	js_add_int(o, "mtu", ep->mtu);
	js_add_int(o, "addr", ep->addr);
	js_add_int(o, "rkey", ep->rkey);
	js_add_str(o, "gid", gid);
	return o;
}

#define EP(key, kind, hi) \
	{ #key, kind, offsetof(struct fg_ep, key), 0, hi, NULL }

static const struct fg_key ep_keys[] = {
	EP(qpn, K_U32, 0xffffff),
	EP(psn, K_U32, 0xffffff),
	EP(mtu, K_U32, 4096),
	EP(addr, K_U64, ~0ULL),
	EP(rkey, K_U32, ~0U),
	{ }
};

/**
 * fg_net_read_ep() - read what the peer says about its end
 * @o: object
 * @ep: the peer's end
 */
int fg_net_read_ep(json_object *o, struct fg_ep *ep)
{
	const char *gid = NULL;
	const struct fg_key gid_key[] = {
		{ "gid", K_STR, 0, 0, 0, NULL }, { }
	};
	const struct fg_keyset sets[] = {
		{ ep_keys, ep }, { gid_key, &gid }, { NULL, NULL }
	};

	if (fg_json_parse(o, "peer.qp", sets))
		return -1;
	if (!gid || inet_pton(AF_INET6, gid, ep->gid.raw) != 1)
		return fg_err("peer.qp.gid: \"%s\" is no GID", gid ? gid : "");
	if (ep->mtu < 256)
		return fg_err("peer.qp.mtu: %u is below 256", ep->mtu);
	return 0;
}
