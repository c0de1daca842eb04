// SPDX-License-Identifier: GPL-2.0
// Open verbs contexts do not hold a device.
// target: rxe_verbs.c
// has: rxe_verbs.c .disassociate_ucontext
// hits: 1 .disassociate_ucontext = rxe_disassociate

@@
@@
+/* The verbs core has destroyed all objects of the context, and mappings need none. */
+static void rxe_disassociate(struct ib_ucontext *context)
+{ }
+
struct ib_device_ops rxe_dev_ops = {
  .driver_id = RDMA_DRIVER_RXE,
+ .disassociate_ucontext = rxe_disassociate,
};
