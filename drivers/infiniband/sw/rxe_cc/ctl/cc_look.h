/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looking at queue pairs from another module: roce_watch.ko.
 */
#ifndef _RXE_CC_LOOK_H
#define _RXE_CC_LOOK_H

#include "core/cc_core.h"
#include "cc_netlink.h"

struct ib_device;

typedef void (*rxe_cc_look_fn)(const struct ib_device *dev,
			       const struct rxe_cc_qp_snapshot *s, void *data);

void rxe_cc_look_devs(void (*fn)(const struct ib_device *dev, void *data), void *data);
void rxe_cc_look_qps(rxe_cc_look_fn fn, struct rxe_cc_qp_snapshot *s, void *data);

#endif /* _RXE_CC_LOOK_H */
