/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switches for tests: of two to four ports, packet by packet, on a clock of the
 * test's own. Lines send a byte a nanosecond, nothing has overhead (a PFC frame
 * is 60 ns); a test lets port 1 receive what port 2 sends on.
 */
#ifndef _ROCE_TEST_SWITCH_H
#define _ROCE_TEST_SWITCH_H

#include <kunit/test.h>

#include "../roce_port.h"
#include "../roce_switch.h"

#define T0		1000000ULL
#define LOW		0		/* DSCPs of the default map */
#define DATA		26		/* priority 3 */
#define SWITCH		7
#define PORTS		4

struct roce_config *roce_test_config(struct kunit *test);
struct roce_config *roce_test_fixed_config(struct kunit *test);
struct sk_buff *roce_test_packet(struct kunit *test, int in, u8 dscp, u32 len);
enum roce_verdict roce_test_send(struct kunit *test, struct roce_port *out,
				 int in, u8 dscp, u32 len, u64 now_ns);
void roce_test_sums(struct kunit *test, const struct roce_switch *sw);
void roce_test_stop(struct kunit *test, struct roce_port *port);
void roce_test_pause(struct kunit *test, struct roce_port *port, u16 quanta,
		     u64 now_ns);

#endif /* _ROCE_TEST_SWITCH_H */
