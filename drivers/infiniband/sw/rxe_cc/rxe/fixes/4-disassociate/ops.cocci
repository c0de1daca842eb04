// SPDX-License-Identifier: GPL-2.0
// Open verbs contexts do not hold a device.
// target: rxe_verbs.c
// hits: 1 .disassociate_ucontext = rxe_disassociate
// hits: 1 "rxe_detach.h"

@@
@@
  #include "rxe.h"
+ #include "rxe_detach.h"

@@
@@
struct ib_device_ops rxe_dev_ops = {
  .driver_id = RDMA_DRIVER_RXE,
+ .disassociate_ucontext = rxe_disassociate,
};
