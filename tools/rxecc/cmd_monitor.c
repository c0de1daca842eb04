// SPDX-License-Identifier: GPL-2.0
/* The command "rxecc monitor": prints the kernel's notifications. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "print_objects.h"

#define NSEC	1000000000ULL

static const char help_text[] =
"Usage: rxecc monitor [-c COUNT]\n"
"Prints a line for every change of an algorithm, a parameter or a knob, and for\n"
"devices that come and go, until interrupted or after COUNT lines. With -d all\n"
"parameters and knobs, with -j one JSON object per line.\n";

static u64 wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (u64)ts.tv_sec * NSEC + (u64)ts.tv_nsec;
}

static void put_stamp(struct rxecc *rx, u64 t)
{
	time_t sec = (time_t)(t / NSEC);
	char buf[40];
	struct tm tm;

	localtime_r(&sec, &tm);
	strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(rx->out, "%s.%09llu ", buf, t % NSEC);
}

static void put_params(struct rxecc *rx, const struct params *ps,
		       const char *kind)
{
	char buf[PARAM_TEXT_MAX];
	size_t i;

	for (i = 0; i < ps->n; i++)
		fprintf(rx->out, " %s %s=%s", kind, ps->v[i].name,
			SHOW_PARAM(rx, &ps->v[i], VALUE, value, buf));
}

static void json_line(struct rxecc *rx, const char *event, u64 t,
		      struct json_object *obj)
{
	json_object_object_add(obj, "event", json_object_new_string(event));
	json_object_object_add(obj, "time_ns", json_u64(t));
	json_print(rx, obj, true);
}

static const char *dev_event(struct rxecc *rx, const struct nlmsghdr *nlh,
			     const char *event, bool gone)
{
	u64 t = wall_ns();
	char buf[PARAM_TEXT_MAX];
	struct dev dev;
	const char *bad = dev_parse(nlh, &dev);

	if (!bad && rx->json) {
		json_line(rx, event, t, json_object_of(&dev_object, &dev));
	} else if (!bad) {
		put_stamp(rx, t);
		fprintf(rx->out, "dev %s/%u", dev.name, dev.port);
		if (gone) {
			fputs(" removed", rx->out);
		} else {
			fprintf(rx->out, " algo %s line-rate %s",
				dev.algo ? dev.algo : "-",
				show_figure(rx, PARAM_BPS,
					    HAS(&dev, RXE_CC_A_DEV_LINE_RATE_BPS),
					    dev.line_rate_bps, buf));
			if (rx->details) {
				put_params(rx, &dev.params, "param");
				put_params(rx, &dev.knobs, "knob");
			}
		}
		fputc('\n', rx->out);
	}
	dev_free(&dev);
	return bad;
}

static const char *qp_event(struct rxecc *rx, const struct nlmsghdr *nlh)
{
	u64 t = wall_ns();
	struct qp qp;
	const char *bad = qp_parse(nlh, &qp);

	if (!bad && rx->json) {
		json_line(rx, "qp", t, json_object_of(&qp_object, &qp));
	} else if (!bad) {
		put_stamp(rx, t);
		fprintf(rx->out, "qp dev %s/%u qpn %u algo %s%s\n", qp.dev,
			qp.port, qp.qpn, qp.algo ? qp.algo : "-",
			qp.override ? "*" : "");
	}
	qp_free(&qp);
	return bad;
}

/* true when a line was printed. */
static bool handle(struct rxecc *rx, const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const char *bad;

	if (nlh->nlmsg_type != rx->nl.family ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*genl))
		return false;
	switch (genl->cmd) {
	case RXE_CC_CMD_DEV_NTF:
		bad = dev_event(rx, nlh, "dev", false);
		break;
	case RXE_CC_CMD_DEV_DEL_NTF:
		bad = dev_event(rx, nlh, "dev-del", true);
		break;
	case RXE_CC_CMD_QP_NTF:
		bad = qp_event(rx, nlh);
		break;
	default:
		return false;	/* of a newer kernel */
	}
	if (bad)
		rx_bad_message(rx, "monitor", bad);
	fflush(rx->out);
	return !bad;
}

static int listen_to(struct rxecc *rx, u64 count)
{
	const struct nlmsghdr *nlh;
	size_t room = 0;
	void *buf = NULL;
	int left, ret = RX_OK;
	bool done = false;
	long len;

	while (!done) {
		len = nl_receive(&rx->nl, &buf, &room);
		if (len == -ENOBUFS) {
			fputs("rxecc: monitor: notifications were lost\n",
			      rx->err);
			continue;
		}
		if (len <= 0) {
			struct nl_err err = { .code = (int)-len, .offs = -1 };

			if (len)
				ret = rx_kernel_error(rx, "monitor", NULL, &err);
			break;
		}
		left = (int)len;
		for (nlh = buf; !done && mnl_nlmsg_ok(nlh, left);
		     nlh = mnl_nlmsg_next(nlh, &left))
			if (handle(rx, nlh) && count)
				done = !--count;
	}
	free(buf);
	return ret;
}

int cmd_monitor(struct rxecc *rx, int argc, char **argv)
{
	struct nl_err err = { .offs = -1 };
	u64 count = 0;
	char why[160];
	int ret;

	if (argc && (is_prefix(argv[0], "help") || !strcmp(argv[0], "-h"))) {
		fputs(help_text, rx->out);
		return RX_OK;
	}
	if (argc && strcmp(argv[0], "-c"))
		return rx_usage(rx, "monitor: unexpected argument %s, see rxecc monitor help",
				argv[0]);
	if (argc && argc != 2)
		return rx_usage(rx, "monitor: -c needs one value");
	if (argc && (!param_parse(PARAM_COUNT, argv[1], &count, why, sizeof(why)) ||
		     !count))
		return rx_usage(rx, "monitor: -c %s: needs a whole number above 0",
				argv[1]);
	ret = rx_open(rx);
	if (ret)
		return ret;
	if (!rx->nl.mcgrp) {
		err.code = EOPNOTSUPP;
		return rx_kernel_error(rx, "monitor", NULL, &err);
	}
	ret = rx->nl.join(&rx->nl, rx->nl.mcgrp);
	if (ret) {
		err.code = -ret;
		return rx_kernel_error(rx, "monitor", NULL, &err);
	}
	return listen_to(rx, count);
}
