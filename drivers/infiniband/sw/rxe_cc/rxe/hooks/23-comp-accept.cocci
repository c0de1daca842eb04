// SPDX-License-Identifier: GPL-2.0
// Completer: a READ response is the one that is waited for, and is about to be copied.
// target: rxe_comp.c
// hits: 1 rxe_hook_resp_accepted(

@@
expression state, qp, pkt, wqe;
@@
+ rxe_hook_resp_accepted(qp, pkt, wqe);
  state = do_read(qp, pkt, wqe);
