// SPDX-License-Identifier: GPL-2.0
// A counter for them: its number.
// target: rxe_hw_counters.h
// hits: 1 RXE_CNT_RESP_BAD_PSN

@@
@@
enum rxe_counters {
  ...,
  RXE_CNT_RDMA_RECV,
+ RXE_CNT_RESP_BAD_PSN,
  ...
};
