// SPDX-License-Identifier: GPL-2.0
// QP: its responder is to stop.
// target: rxe_verbs.h
// hits: 1 stop;

@@
@@
struct rxe_resp_info {
  ...
  int sent_psn_nak;
+ int stop;
  ...
};
