// SPDX-License-Identifier: GPL-2.0
/* Figures of ports out of made-up messages of a qdisc, also malformed ones. */
#include <stdlib.h>
#include <string.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched_roce.h>
#include <linux/rtnetlink.h>

#include "../roce_ports.h"
#include "../../lib/tests/ktap.h"

static char buf[4096];

/* A qdisc of @kind; with a rate, two priorities and what was lost on the link. */
static struct nlmsghdr *qdisc(const char *kind, bool stats)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct tcmsg *tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));
	struct nlattr *nest, *app;
	u32 i;

	nlh->nlmsg_type = RTM_NEWQDISC;
	tcm->tcm_ifindex = 0x7ffffff0;
	mnl_attr_put_strz(nlh, TCA_KIND, kind);
	nest = mnl_attr_nest_start(nlh, TCA_OPTIONS);
	mnl_attr_put_u64(nlh, TCA_ROCE_RATE, 100000000000ULL);
	mnl_attr_nest_end(nlh, nest);
	if (!stats)
		return nlh;
	nest = mnl_attr_nest_start(nlh, TCA_STATS2);
	app = mnl_attr_nest_start(nlh, TCA_STATS_APP);
	mnl_attr_put_u64(nlh, TCA_ROCE_XSTATS_TX_WIRE_BYTES, 5000000000ULL);
	mnl_attr_put_u32(nlh, TCA_ROCE_XSTATS_PFC_TX, 3);
	mnl_attr_put_u32(nlh, TCA_ROCE_XSTATS_LOST, 100);
	mnl_attr_put_u32(nlh, TCA_ROCE_XSTATS_LOST_DOWN, 20);
	for (i = 0; i < 2; i++) {
		struct nlattr *prio = mnl_attr_nest_start(nlh, TCA_ROCE_XSTATS_PRIO);

		mnl_attr_put_u8(nlh, TCA_ROCE_PSTATS_ID, 3 * i);
		mnl_attr_put_u32(nlh, TCA_ROCE_PSTATS_BYTES, 1000 + i);
		mnl_attr_put_u32(nlh, TCA_ROCE_PSTATS_ECN_MARKED, 10 + i);
		mnl_attr_put_u32(nlh, TCA_ROCE_PSTATS_DROP_BUFFER, 4);
		mnl_attr_put_u32(nlh, TCA_ROCE_PSTATS_DROP_OTHER, 3);
		mnl_attr_put_u64(nlh, TCA_ROCE_PSTATS_PAUSE_NS, 5000000000ULL);
		/* Of a later kernel, and too short. */
		mnl_attr_put_u8(nlh, 999, 1);
		mnl_attr_put_u8(nlh, TCA_ROCE_PSTATS_ECN_MARKED, 1);
		mnl_attr_nest_end(nlh, prio);
	}
	mnl_attr_nest_end(nlh, app);
	mnl_attr_nest_end(nlh, nest);
	return nlh;
}

int main(void)
{
	struct roce_ports ports = { 0 };
	struct nlmsghdr *nlh;
	struct roce_port *p;

	roce_ports_add(&ports, qdisc("pfifo", true), "");
	ktap(!ports.n, "another_kind", "%zu", ports.n);
	roce_ports_add(&ports, qdisc("roce", false), "");
	ktap(!ports.n, "no_figures", "%zu", ports.n);
	nlh = qdisc("roce", true);
	nlh->nlmsg_len = NLMSG_LENGTH(4);
	roce_ports_add(&ports, nlh, "");
	ktap(!ports.n, "cut_off", "%zu", ports.n);
	roce_ports_add(&ports, qdisc("roce", true), "sw");
	if (ktap(ports.n == 1, "port", "%zu", ports.n)) {
		p = ports.v;
		ktap(!strcmp(p->netns, "sw") && !strcmp(p->name, "if2147483632"), "names",
		     "%s %s", p->netns, p->name);
		ktap(p->rate_bps == 100000000000ULL && p->tx_wire_bytes == 5000000000ULL &&
		     p->pfc_tx == 3, "of_the_port", "%llu %llu %llu", p->rate_bps,
		     p->tx_wire_bytes, p->pfc_tx);
		ktap(p->queue_bytes == 2001 && p->marked == 21 && p->pause_ns == 10000000000ULL,
		     "summed_over_priorities", "%llu %llu %llu", p->queue_bytes, p->marked,
		     p->pause_ns);
		/* 2 x (4 + 3) in queues, 120 behind the line. */
		ktap(p->drops == 134, "drops", "%llu", p->drops);
		ktap(roce_port_find(&ports, p) == p, "found", "not found");
		roce_ports_add(&ports, qdisc("roce", true), "other");
		ktap(ports.n == 2 && roce_port_find(&ports, &ports.v[1]) == &ports.v[1],
		     "same_number_in_another_namespace", "%zu", ports.n);
	}
	free(ports.v);
	return ktap_end();
}
