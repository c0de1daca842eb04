// SPDX-License-Identifier: GPL-2.0
// QP life cycle: destroy, after the last reference, tasks and timers.
// target: rxe_qp.c
// hits: 1 rxe_hook_qp_destroy(

@@
identifier qp;
@@
rxe_qp_do_cleanup(...)
{
<...
  rxe_sender(qp);
  rxe_receiver(qp);
+ rxe_hook_qp_destroy(qp);
...>
}
