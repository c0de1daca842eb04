// SPDX-License-Identifier: GPL-2.0
// Requester: what was acknowledged while it is sent again is left out.
// target: rxe_req.c
// hits: 1 rxe_hook_req_skip(

@@
expression qp;
@@
+ rxe_hook_req_skip(qp);
  if (unlikely(qp->req.need_retry && !qp->req.wait_for_rnr_timer)) { ... }
