// SPDX-License-Identifier: GPL-2.0
/* Sends get and dump requests to the kernel and returns the objects of the answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rxecc.h"

void put_ref(struct nlmsghdr *req, const struct devref *ref, u16 name, u16 port)
{
	mnl_attr_put_strz(req, name, ref->name);
	mnl_attr_put_u32(req, port, ref->port);
}

void found_free(struct found *found)
{
	size_t i;

	for (i = 0; i < found->n; i++)
		object_free(found->of, (char *)found->v + i * found->of->size);
	free(found->v);
	memset(found, 0, sizeof(*found));
}

int fetch(struct rxecc *rx, struct nlmsghdr *req, const char *what, const struct object *of,
	  struct found *found, const char *missing)
{
	const char *bad = NULL;
	struct nl_msgs msgs;
	struct nl_err err;
	size_t i;

	*found = (struct found){ .of = of };
	if (nl_talk(&rx->nl, req, &msgs, &err)) {
		if (err.code == ENOENT && !*err.msg && missing)
			snprintf(err.msg, sizeof(err.msg), "%s", missing);
		return rx_kernel_error(rx, what, req, &err);
	}
	if (!msgs.n && !(req->nlmsg_flags & NLM_F_DUMP)) {
		err = (struct nl_err){ EPROTO, -1, "the kernel sent no answer" };
		return rx_kernel_error(rx, what, NULL, &err);
	}
	found->inconsistent = msgs.inconsistent;
	found->v = calloc(msgs.n + 1, of->size);
	if (!found->v)
		bad = "(out of memory)";
	for (i = 0; i < msgs.n && !bad; i++) {
		struct head *obj = (void *)((char *)found->v + found->n++ * of->size);

		bad = object_parse(of, msgs.v[i], obj);
		obj->msg = msgs.v[i];
		msgs.v[i] = NULL;
	}
	nl_msgs_free(&msgs);
	if (!bad)
		return RX_OK;
	found_free(found);
	return rx_bad_message(rx, what, bad);
}

int fetch_one(struct rxecc *rx, struct nlmsghdr *req, const char *what, const struct object *of,
	      void *obj, const char *missing)
{
	struct found found;
	int ret = fetch(rx, req, what, of, &found, missing);

	if (ret)
		return ret;
	memcpy(obj, found.v, of->size);
	memset(found.v, 0, of->size);
	found_free(&found);
	return RX_OK;
}

int fetch_devs(struct rxecc *rx, const struct devref *ref, struct found *devs)
{
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_DEV_GET, ref ? 0 : NLM_F_DUMP);

	*devs = (struct found){ .of = &dev_object };
	if (!req)
		return RX_KERNEL;
	if (ref)
		put_ref(req, ref, RXE_CC_A_DEV_NAME, RXE_CC_A_DEV_PORT);
	return fetch(rx, req, ref ? ref->what : "dev", &dev_object, devs, NULL);
}

int fetch_dev(struct rxecc *rx, const struct devref *ref, struct dev *dev)
{
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_DEV_GET, 0);

	if (!req)
		return RX_KERNEL;
	put_ref(req, ref, RXE_CC_A_DEV_NAME, RXE_CC_A_DEV_PORT);
	return fetch_one(rx, req, ref->what, &dev_object, dev, NULL);
}

int fetch_algo(struct rxecc *rx, const char *name, struct algo *algo)
{
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_ALGO_GET, 0);
	char what[80], missing[256];

	if (!req)
		return RX_KERNEL;
	snprintf(what, sizeof(what), "algo %s", name);
	if (!mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_ALGO_NAME, name))
		return rx_usage(rx, "%s: name too long", what);
	snprintf(missing, sizeof(missing), "no such algorithm, and no module rxe_cc_%s", name);
	return fetch_one(rx, req, what, &algo_object, algo, missing);
}
