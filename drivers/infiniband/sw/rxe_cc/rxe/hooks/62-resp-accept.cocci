// SPDX-License-Identifier: GPL-2.0
// Responder: a request passed every check of rxe and is about to be carried out, once.
// target: rxe_resp.c
// hits: 1 rxe_hook_req_accepted(

@@
expression state, qp, pkt;
@@
+ rxe_hook_req_accepted(qp, pkt);
  state = execute(qp, pkt);
