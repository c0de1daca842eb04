/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: what real time is worth in this kernel.
 */
#ifndef LAB_INIT_REALTIME_H
#define LAB_INIT_REALTIME_H

#include "init/init.h"

/* A run may need this part of the packets per second, ... */
#define REAL_PACKETS_PART	2
/* ... its base round trip may be made longer by this part of itself, ... */
#define REAL_RTT_PART		4
/* ... and all but one in a hundred timers be late by this part of it. */
#define REAL_LATE_PART		2

int realtime_check(struct json_object *job);

#endif /* LAB_INIT_REALTIME_H */
