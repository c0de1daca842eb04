/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What later kernels have and 6.12 has not, under the later name (features.mk finds out).
 */
#ifndef RXE_CC_KERNEL_H
#define RXE_CC_KERNEL_H

#include <linux/hrtimer.h>

#ifndef RXE_CC_HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#endif /* RXE_CC_KERNEL_H */
