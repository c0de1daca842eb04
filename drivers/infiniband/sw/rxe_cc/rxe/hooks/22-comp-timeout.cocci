// SPDX-License-Identifier: GPL-2.0
// Completer: the timer of a paced QP may expire with nothing outstanding.
// target: rxe_comp.c
// hits: 1 rxe_hook_timed_out(

@@
expression qp;
@@
- qp->comp.timeout_retry = 1;
+ qp->comp.timeout_retry = rxe_hook_timed_out(qp);
