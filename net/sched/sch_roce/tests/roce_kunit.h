/* SPDX-License-Identifier: GPL-2.0 */
/* The suites of sch_roce_kunit, and crafted packets for them. */
#ifndef _ROCE_KUNIT_H
#define _ROCE_KUNIT_H

#include <kunit/test.h>
#include <linux/skbuff.h>

extern struct kunit_suite roce_serial_suite;
extern struct kunit_suite roce_ecn_suite;
extern struct kunit_suite roce_class_suite;
extern struct kunit_suite roce_queue_suite;
extern struct kunit_suite roce_config_suite;

struct sk_buff *roce_test_ipv4(struct kunit *test, u8 dsfield, u32 len);
struct sk_buff *roce_test_ipv6(struct kunit *test, u8 dsfield, u32 len);
struct sk_buff *roce_test_frame(struct kunit *test, __be16 proto, u32 len);

#endif /* _ROCE_KUNIT_H */
