// SPDX-License-Identifier: GPL-2.0
// Whoever sends learns nothing of it.
// target: rxe_loc.h
// hits: 1 void rxe_xmit_packet(

@@
identifier xmit =~ "^rxe_xmit_packet$";
@@
- int
+ void
  xmit(...);
