// SPDX-License-Identifier: GPL-2.0
// The port has CC's sysfs directory.
// target: rxe_verbs.c
// hits: 1 .port_groups =

@@
@@
struct ib_device_ops rxe_dev_ops = {
  .driver_id = RDMA_DRIVER_RXE,
+ .port_groups = rxe_cc_port_groups,
};
