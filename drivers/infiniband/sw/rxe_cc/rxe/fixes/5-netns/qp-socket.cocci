// SPDX-License-Identifier: GPL-2.0
// The QP's socket lives in the network namespace of the port.
// target: rxe_qp.c
// hits: 1 sock_create_kern(rxe_netns_net(rxe)
// hits: 1 "rxe_netns.h"

@@
@@
  #include "rxe_loc.h"
+ #include "rxe_netns.h"

@@
@@
  sock_create_kern(
- &init_net
+ rxe_netns_net(rxe)
  , ...)
