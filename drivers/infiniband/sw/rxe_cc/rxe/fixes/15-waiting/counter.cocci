// SPDX-License-Identifier: GPL-2.0
// A counter for those that are dropped: its number.
// target: rxe_hw_counters.h
// hits: 1 RXE_CNT_REQ_QUEUE_FULL

@@
@@
enum rxe_counters {
  ...,
+ RXE_CNT_REQ_QUEUE_FULL,
  RXE_NUM_OF_COUNTERS,
};
