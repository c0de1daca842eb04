// SPDX-License-Identifier: GPL-2.0
// A counter for those that are dropped: its name.
// target: rxe_hw_counters.c
// hits: 1 request_queue_full

@@
identifier descs;
expression text;
@@
struct rdma_stat_desc descs[] = {
  ...,
  [RXE_CNT_RDMA_RECV].name = text,
+ [RXE_CNT_REQ_QUEUE_FULL].name = "request_queue_full",
};
