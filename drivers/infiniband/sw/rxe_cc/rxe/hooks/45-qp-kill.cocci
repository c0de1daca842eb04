// SPDX-License-Identifier: GPL-2.0
// QP life cycle: before the verb waits for the last reference.
// target: rxe_verbs.c
// hits: 1 rxe_hook_qp_kill(

@@
identifier destroy =~ "^rxe_destroy_qp$", qp;
expression err;
@@
destroy(...)
{
<...
+ rxe_hook_qp_kill(qp);
  err = rxe_cleanup(qp);
...>
}
