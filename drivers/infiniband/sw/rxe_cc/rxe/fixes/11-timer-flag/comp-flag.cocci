// SPDX-License-Identifier: GPL-2.0
// Completer: the timer sets this flag at any time.
// target: rxe_comp.c
// hits: 1 WRITE_ONCE(qp->comp.timeout, 1)
// hits: 1 READ_ONCE(qp->comp.timeout)
// hits: 1 WRITE_ONCE(qp->comp.timeout, 0)

@@
struct rxe_qp *qp;
@@
- qp->comp.timeout = 1;
+ WRITE_ONCE(qp->comp.timeout, 1);

@@
struct rxe_qp *qp;
@@
- if (qp->comp.timeout)
+ if (READ_ONCE(qp->comp.timeout))
  { ... }
  else
  { ... }

@@
struct rxe_qp *qp;
@@
- qp->comp.timeout = 0;
+ WRITE_ONCE(qp->comp.timeout, 0);
