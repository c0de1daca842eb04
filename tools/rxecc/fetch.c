// SPDX-License-Identifier: GPL-2.0
/* Asks the kernel for objects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxe_cc.h>

#include "rxecc.h"

static int none_came(struct rxecc *rx, const char *what)
{
	struct nl_err err = {
		.code = EPROTO, .offs = -1, .msg = "the kernel sent no answer",
	};

	return rx_kernel_error(rx, what, NULL, &err);
}

static void put_devref(struct nlmsghdr *req, const struct devref *ref)
{
	mnl_attr_put_strz(req, RXE_CC_A_DEV_NAME, ref->name);
	mnl_attr_put_u32(req, RXE_CC_A_DEV_PORT, ref->port);
}

int fetch_dev(struct rxecc *rx, const struct devref *ref,
	      struct nl_msgs *msgs, struct dev *dev)
{
	u32 buf[NL_REQ_MAX / sizeof(u32)];
	struct nlmsghdr *req;
	struct nl_err err;
	const char *bad;
	int ret = rx_open(rx);

	if (ret)
		return ret;
	req = nl_request(&rx->nl, buf, RXE_CC_CMD_DEV_GET, 0);
	put_devref(req, ref);
	if (nl_talk(&rx->nl, req, msgs, &err))
		return rx_kernel_error(rx, ref->what, req, &err);
	if (!msgs->n)
		return none_came(rx, ref->what);
	bad = dev_parse(msgs->v[0], dev);
	if (bad) {
		dev_free(dev);
		nl_msgs_free(msgs);
		return rx_bad_message(rx, ref->what, bad);
	}
	return RX_OK;
}

int fetch_algo(struct rxecc *rx, const char *name, struct nl_msgs *msgs,
	       struct algo *algo)
{
	u32 buf[NL_REQ_MAX / sizeof(u32)];
	struct nlmsghdr *req;
	struct nl_err err;
	char what[80];
	const char *bad;
	int ret = rx_open(rx);

	if (ret)
		return ret;
	snprintf(what, sizeof(what), "algo %s", name);
	req = nl_request(&rx->nl, buf, RXE_CC_CMD_ALGO_GET, 0);
	if (!mnl_attr_put_strz_check(req, sizeof(buf), RXE_CC_A_ALGO_NAME, name))
		return rx_usage(rx, "%s: name too long", what);
	if (nl_talk(&rx->nl, req, msgs, &err)) {
		if (err.code == ENOENT && !*err.msg)
			snprintf(err.msg, sizeof(err.msg),
				 "no such algorithm, and no module rxe_cc_%s",
				 name);
		return rx_kernel_error(rx, what, req, &err);
	}
	if (!msgs->n)
		return none_came(rx, what);
	bad = algo_parse(msgs->v[0], algo);
	if (bad) {
		algo_free(algo);
		nl_msgs_free(msgs);
		return rx_bad_message(rx, what, bad);
	}
	return RX_OK;
}

void devs_free(struct devs *devs)
{
	size_t i;

	for (i = 0; i < devs->n; i++)
		dev_free(&devs->v[i]);
	free(devs->v);
	nl_msgs_free(&devs->msgs);
	memset(devs, 0, sizeof(*devs));
}

static int dump_devs(struct rxecc *rx, struct devs *devs)
{
	u32 buf[NL_REQ_MAX / sizeof(u32)];
	struct nlmsghdr *req;
	struct nl_err err;
	const char *bad;
	int ret = rx_open(rx);
	size_t i;

	if (ret)
		return ret;
	req = nl_request(&rx->nl, buf, RXE_CC_CMD_DEV_GET, NLM_F_DUMP);
	if (nl_talk(&rx->nl, req, &devs->msgs, &err))
		return rx_kernel_error(rx, "dev", NULL, &err);
	devs->v = calloc(devs->msgs.n + 1, sizeof(*devs->v));
	if (!devs->v)
		return rx_bad_message(rx, "dev", "(out of memory)");
	for (i = 0; i < devs->msgs.n; i++) {
		bad = dev_parse(devs->msgs.v[i], &devs->v[devs->n++]);
		if (bad)
			return rx_bad_message(rx, "dev", bad);
	}
	return RX_OK;
}

int fetch_devs(struct rxecc *rx, const struct devref *ref, struct devs *devs)
{
	int ret;

	memset(devs, 0, sizeof(*devs));
	if (!ref) {
		ret = dump_devs(rx, devs);
		if (ret)
			devs_free(devs);
		return ret;
	}
	devs->v = calloc(1, sizeof(*devs->v));
	if (!devs->v)
		return rx_bad_message(rx, ref->what, "(out of memory)");
	ret = fetch_dev(rx, ref, &devs->msgs, devs->v);
	if (ret) {
		free(devs->v);
		devs->v = NULL;
	} else {
		devs->n = 1;
	}
	return ret;
}
