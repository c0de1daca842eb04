// SPDX-License-Identifier: GPL-2.0
// QP: the PSNs that may be answered twice, from where the retry before the last began; where
// the last began; and whether a packet was sent or answered since the timer was started.
// target: rxe_verbs.h
// hits: 1 again_psn
// hits: 1 again_end
// hits: 1 retry_psn
// hits: 1 moved

@@
@@
struct rxe_comp_info {
  u32 psn;
+ u32 again_psn;
+ u32 again_end;
+ u32 retry_psn;
+ int moved;
  ...
};
