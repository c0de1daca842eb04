// SPDX-License-Identifier: GPL-2.0
// Open verbs contexts do not hold a device; the port has CC's sysfs directory.
// target: rxe_verbs.c
// hits: 1 .disassociate_ucontext =
// hits: 1 .port_groups =

@@
@@
struct ib_device_ops rxe_dev_ops = {
  .driver_id = RDMA_DRIVER_RXE,
+ .disassociate_ucontext = rxe_hook_disassociate,
+ .port_groups = rxe_cc_port_groups,
};
