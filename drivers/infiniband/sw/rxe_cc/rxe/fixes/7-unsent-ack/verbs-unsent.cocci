// SPDX-License-Identifier: GPL-2.0
// QP: how far its PSNs have been used; a retry takes psn back, not this.
// target: rxe_verbs.h
// hits: 1 unsent_psn

@@
@@
struct rxe_req_info {
  ...
  u32 psn;
+ u32 unsent_psn;
  ...
};
