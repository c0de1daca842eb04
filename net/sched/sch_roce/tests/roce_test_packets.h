/* SPDX-License-Identifier: GPL-2.0 */
/* Crafted packets and ports for the suites of sch_roce_kunit. */
#ifndef _ROCE_TEST_PACKETS_H
#define _ROCE_TEST_PACKETS_H

#include <kunit/test.h>
#include <linux/skbuff.h>

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

#endif /* _ROCE_TEST_PACKETS_H */
