/* SPDX-License-Identifier: GPL-2.0 */
/* The suites of sch_roce_kunit, and crafted packets for them. */
#ifndef _ROCE_KUNIT_H
#define _ROCE_KUNIT_H

#include <kunit/test.h>
#include <linux/skbuff.h>

extern struct kunit_suite roce_serial_suite;
extern struct kunit_suite roce_ecn_suite;
extern struct kunit_suite roce_class_suite;
extern struct kunit_suite roce_port_suite;
extern struct kunit_suite roce_layout_suite;
extern struct kunit_suite roce_config_suite;
extern struct kunit_suite roce_options_suite;
extern struct kunit_suite roce_stats_suite;
extern struct kunit_suite roce_int_suite;
extern struct kunit_suite roce_int_skb_suite;
extern struct kunit_suite roce_mmu_suite;
extern struct kunit_suite roce_pfc_suite;
extern struct kunit_suite roce_switch_suite;
extern struct kunit_suite roce_xoff_suite;
extern struct kunit_suite roce_hosts_suite;
extern struct kunit_suite roce_reply_suite;
extern struct kunit_suite roce_feature_suite;
extern struct kunit_suite roce_flow_suite;
extern struct kunit_suite roce_mercury_suite;
extern struct kunit_suite roce_mercury_cost_suite;
extern struct kunit_suite roce_iofd_suite;
extern struct kunit_suite roce_lscc_suite;
extern struct kunit_suite roce_lscc_port_suite;
extern struct kunit_suite roce_lscc_cost_suite;
extern struct kunit_suite roce_iofd_cost_suite;
extern struct kunit_suite roce_lscc_int_suite;
extern struct kunit_suite roce_mercury_state_suite;

struct roce_config;
struct roce_port;

struct sk_buff *roce_test_ipv4(struct kunit *test, u8 dsfield, u32 len);
struct sk_buff *roce_test_ipv6(struct kunit *test, u8 dsfield, u32 len);
struct sk_buff *roce_test_frame(struct kunit *test, __be16 proto, u32 len);
struct roce_port *roce_test_port(struct kunit *test, int ifindex,
				 struct roce_config *cfg);
int roce_test_configure(struct roce_port *port, struct roce_config *cfg,
			bool buffer_told, u64 now_ns);
void roce_test_bury(struct roce_port *port);
void roce_test_drain(struct roce_port *port, u64 now_ns);

#endif /* _ROCE_KUNIT_H */
