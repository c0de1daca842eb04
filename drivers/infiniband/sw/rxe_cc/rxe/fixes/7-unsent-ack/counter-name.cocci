// SPDX-License-Identifier: GPL-2.0
// A counter for them: its name.
// target: rxe_hw_counters.c
// hits: 1 response_bad_psn

@@
identifier descs;
expression text;
@@
struct rdma_stat_desc descs[] = {
  ...,
  [RXE_CNT_RDMA_RECV].name = text,
+ [RXE_CNT_RESP_BAD_PSN].name = "response_bad_psn",
};
