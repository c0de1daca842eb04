// SPDX-License-Identifier: GPL-2.0
// Requester: goes back to the oldest unacknowledged PSN.
// target: rxe_req.c
// hits: 1 rxe_hook_retry(

@@
expression qp;
@@
  req_retry(qp);
+ rxe_hook_retry(qp);
