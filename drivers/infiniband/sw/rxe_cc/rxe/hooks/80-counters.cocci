// SPDX-License-Identifier: GPL-2.0
// The core's counters follow rxe's own in rdma statistic.
// target: rxe_hw_counters.c
// hits: 1 rxe_hook_get_hw_stats(
// hits: 1 rxe_hook_alloc_hw_stats(

@@
identifier get =~ "^rxe_ib_get_hw_stats$", dev, stats;
expression n, ib;
@@
get(..., struct rdma_hw_stats *stats, ...)
{
<...
  struct rxe_dev *dev = to_rdev(ib);
...
- return ARRAY_SIZE(n);
+ return rxe_hook_get_hw_stats(dev, stats, ARRAY_SIZE(n));
...>
}

@@
@@
- rdma_alloc_hw_stats_struct
+ rxe_hook_alloc_hw_stats
  (...)
