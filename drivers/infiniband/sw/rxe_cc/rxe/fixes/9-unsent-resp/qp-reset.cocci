// SPDX-License-Identifier: GPL-2.0
// QP: a READ that was not answered to its end is over when the queue pair is reset.
// target: rxe_qp.c
// hits: 2 qp->resp.res = NULL;

@@
identifier cleanup =~ "^cleanup_rd_atomic_resources$", qp;
@@
cleanup(struct rxe_qp *qp)
{
...
+ qp->resp.res = NULL;
}
