/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What later kernels have and 6.12 has not, under the later name (features.mk finds out), and
 * what they write in another way.
 */
#ifndef RXE_CC_KERNEL_H
#define RXE_CC_KERNEL_H

#include <linux/hrtimer.h>
#include <linux/module.h>

#ifndef RXE_CC_HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

/* Of a module of tests. MODULE_IMPORT_NS() takes a word in 6.12, and a string from 6.13 on. */
#define RXE_CC_IMPORT_KUNIT_NS	MODULE_INFO(import_ns, "EXPORTED_FOR_KUNIT_TESTING")

#endif /* RXE_CC_KERNEL_H */
